"""Several secrets behind one word for all: `backup codes: ..., ... and ...`, `API keys: prod ..., staging ...`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.apart import CODE, CODE_WORDS
from engramforge.core.secrets.chance import KIND, is_chosen, is_held_value, is_random, is_technical
from engramforge.core.secrets.made_up import DIGIT
from engramforge.core.secrets.service_tokens import Span
from engramforge.core.secrets.speech.nearby import names_public
from engramforge.core.text.late_pattern import late

_CLUE_WORDS = (
    "codes|códigos|pins|tans|puks|otps|keys|api key|api-key|api_key|apikey|api token|tokens|secrets|passwords"
    "|passwörter|passcodes|kennwörter|mots de passe|contraseñas|senhas|wachtwoorden|api-schlüssel|clé d|clés d|clave"
)
_CLUES: Final = tuple(_CLUE_WORDS.split("|"))
"""A text without any of these, in small letters, holds none."""
_HEAD: Final = late(
    rf"\b(?:(?P<codes>{CODE_WORDS})"
    r"|(?P<numbers>(?i:pins|tans|puks|otps|(?:pin|tan|puk|otp|sms|one-time|door|alarm)[ -]?codes))"
    r"|(?P<keys>(?i:api[ _-]?(?:keys?|tokens?|schlüssel)|(?:access|secret|deploy|signing|auth|bot)[ _-]?(?:keys|tokens)"
    r"|tokens|secrets|clés? d['\u2019]api|claves? (?:de )?api))"
    r"|(?P<passwords>(?i:passwords|passwörter|kennwörter|mots de passe|contraseñas|senhas|wachtwoorden|passcodes)))\b"
    r"[*_`]{0,3}(?:[ ]\(?(?:for|of|on|from|at|to|für|vom|von|zum|pour|de|du|para|del)(?:[ ][\w.'@-]{1,20}\)?){1,4}?)?"
    r"(?:[ ]?[:=][*_]{0,2}(?=\s)|[ ][-\u2013\u2014](?=\s)|[ ](?:are|were|sind|sont|son|zijn|lauten)\b"
    r"(?:(?:[ ]\w{1,10}){0,3}:)?|(?(codes)(?=[ ](?=[\w-]{0,12}\d)[\w-]{6,40}[ ,;])|(?!))|(?=[ \t]*\n))"
)
_WORD: Final = late(r"[^\s,;\"'`()<>|]{1,200}")
_AND: Final = frozenset({"and", "und", "et", "y", "e", "en", "&", "+", "or", "-", "*", "•"})
_REACH: Final = 600
_MOST_BETWEEN: Final = 5
"""How many words may stand between two of a list, such as whose they are."""
_CODE: Final = late(rf"(?=[\w-]*\d){CODE}")
_OTHER: Final = late(r"[A-Z]{2,9}-\d{1,6}|(?:19|20)\d\d(?:-\d\d){0,2}")
"""Tickets, years and days."""
_PIN: Final = late(r"\d{4,8}")
_HEX: Final = late(
    r"(?=[a-f\d-]*\d)(?=[a-f\d-]*[a-f])[a-f\d]{20,}|[a-f\d]{8}(?:-[a-f\d]{4}){3}-[a-f\d]{12}", re.I
)


def lists(text: str) -> Iterator[Span]:
    """Spans of the secrets in a list that a word in the plural, or a key with the name of its place, announces."""
    lowered = text.lower()
    if DIGIT.search(text) is None or not any(map(lowered.__contains__, _CLUES)):
        return
    done = 0
    for head in _HEAD.finditer(text):
        kind = head.lastgroup or ""
        spans = list(_entries(text, max(head.end(), done), kind))
        if len(spans) > (1 if kind in ("codes", "numbers") else 0):
            done = spans[-1][1]
            yield from spans


def _entries(text: str, at: int, kind: str) -> Iterator[Span]:
    """The entries of a list that begins here, to where the words go on about something else."""
    limit = text.find("\n\n", at + 2, at + _REACH)
    between = 0
    label = at
    for word in _WORD.finditer(text, at, limit if limit >= 0 else at + _REACH):
        said = word[0].rstrip(".:!?#*") if kind != "passwords" else word[0].rstrip(".,:)")
        said = said.lstrip("*")
        if _is_entry(said, kind) and not names_public(text[label : word.start()]):
            begin = word.start() + word[0].index(said)
            yield begin, begin + len(said), {"codes": "recovery-code", "numbers": "code"}.get(kind, KIND)
            between, label = 0, word.end()
        elif word[0].lower() not in _AND:
            between += 1
            is_numbered = kind == "codes" and re.fullmatch(r"\d{1,2}[.)]?", word[0]) is not None
            if (kind == "codes" and not is_numbered) or between > _MOST_BETWEEN or word[0].endswith("."):
                return


def _is_entry(word: str, kind: str) -> bool:
    if kind == "codes":
        return _CODE.fullmatch(word) is not None and not _OTHER.fullmatch(word) and not _is_thing(word)
    if kind == "numbers":
        return _PIN.fullmatch(word) is not None
    if kind == "keys":
        return (is_random(word) or _HEX.fullmatch(word) is not None) and is_held_value(word)
    return is_chosen(word)


def _is_thing(word: str) -> bool:
    """Whether a code with letters is the name of a thing with a number."""
    return any(map(str.isalpha, word)) and "-" not in word and is_technical(word)
