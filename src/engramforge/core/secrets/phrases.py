"""Secrets that are made of words, and secrets called so in languages of which only the words for them are known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.chance import is_held_value
from engramforge.core.secrets.service_tokens import Span
from engramforge.core.secrets.words import PASSWORDS_ABROAD

_NAMES: Final = (
    r"(?:\w{0,12}(?:passphrase|password|passwort|pass[ ]?phrase|kennwort)|passwd|pwd|mot[ ]de[ ]passe"
    r"|phrase[ ](?:de[ ]passe|secrète)|contraseña|frase[ ]de[ ]contraseña|\w{0,12}[_-]?secret)"
)
_WORDS: Final = r"[a-z]{3,12}(?:[ -][a-z]{3,12}){2,11}(?:[ -]?\d{1,4})?[!?.]?"
_PHRASE: Final = re.compile(
    rf"(?<![A-Za-z]){_NAMES}(?P<what>(?:[ ][\w'\u2019-]{{1,20}}){{0,5}}?)[\"'`*]{{0,3}}[ "
    rf"]{{0,2}}(?P<sign>(?:\b(?:is|was|ist|lautet|est|es|è|to|auf|as|now)\b[ ]?:?|[:=])"
    rf"|(?=[\"'`“„«]))[ ]{{0,3}}[*]{{0,2}}b?(?:(?P<quote>[\"'`“„«])[ ]?)?(?P<phrase>{_WORDS})"
    rf"(?P<end>[\"'`”“»]|[*]{{1,2}}|[ \t]*(?=[\n,;)]|\Z)|[.](?=\s|\Z))",
    re.IGNORECASE | re.VERBOSE,
)
_SPEECH_WORDS = (
    "the and for not with from are was were has have had its this that these those they them you your our his her "
    "must should can could may will would shall been being does did than then when where which who why how what "
    "again only also very too now still out off but all any some one two three four five six seven eight nine ten "
    "enter type choose change changed please confirm repeat forgot forgotten reset show hide set get use used using "
    "need needs required invalid wrong incorrect expired missing empty long short weak strong least most more less "
    "characters character chars digits digit letters letter symbols symbol minimum maximum stored saved kept hashed "
    "encrypted sent per after before between under over via see ask same different unique random valid never always "
    "password passwords passphrase passphrases passwort passwörter kennwort secret secrets token tokens key keys field "
    "login user users account new old current next last first string value text optional default generated manager "
    "der die das und ist sind war wird werden nicht ein eine einen dem den des mit für von auf aus bei nach zum zur "
    "sein haben muss soll kann mindestens zeichen bitte eingeben ändern vergessen noch schon falsch abgelaufen "
    "les des une est sont pas pour dans avec sur par doit qui que son ses mon mes votre vos ton tes moins incorrect "
    "los las una del con por para está son debe que sus mis tus menos incorrecta "
)
_SPEECH: Final = frozenset(_SPEECH_WORDS.split())
"""Words that sentences have and phrases of chance have not."""
_LONGEST: Final = 120
_SEED: Final = re.compile(
    r"\b(?:seed|mnemonic|bip-?39|wallet|ledger|trezor|metamask|recovery|wiederherstellung\w*|récupération|recuperación)\b"
    r"[^\n:=\"'`]{0,60}(?:[:=]|\b(?:is|are|ist|est|es)\b|(?=[\"'`]))\s{0,3}[\"'`]{0,3}(?:\w{0,9}\n)?\s{0,9}"
    r"(?P<phrase>(?:\d{1,2}[.):]?[ \t]{1,2})?[a-z]{3,8}(?:(?:[ \t]{1,2}|,[ \t]?|[ \t]?\n[ \t]{0,9})"
    r"(?:\d{1,2}[.):]?[ \t]{1,2})?[a-z]{3,8}){11,23})"
    r"(?![\w,])",
    re.IGNORECASE,
)
_FUNCTION = "the and for not with from are was were has its der die das und les des una los"
_FUNCTION_WORDS: Final = frozenset(_FUNCTION.split())
_ABROAD: Final = re.compile(
    rf"(?:{'|'.join(PASSWORDS_ABROAD)})(?:[ ][^\s:=\"'`<>]{{1,24}}){{0,5}}?[ ]?"
    r"(?::|\uff1a|=|→|(?<=[ ])(?:is|c'est|é|è|este|jest|to|är|er|on"
    r"|\u2014|\u2013|-)(?=[ ])|[是为為は은는이]|[ ])[ ]?[\"'`“「„]?"
    r"(?P<secret>(?=[!-~]{0,99}[\d!$%#?&*^~@])[!-~]{4,100})",
    re.IGNORECASE,
)
_CHOSEN: Final = re.compile(
    r"(?=\S*\d)(?=\S*[A-Za-z])\S{6,}|(?=\S*[A-Za-z0-9])(?=\S*[!$%#?&*^~@]\S)\S{6,}|\d{4,12}"
)


def phrases(text: str) -> Iterator[Span]:
    """Spans of passphrases and seed phrases, and of passwords behind a word of a further language."""
    lowered = text.lower()
    if any(clue in lowered for clue in ("pass", "kennwort", "contraseña", "secret", "pwd")):
        for match in _PHRASE.finditer(text):
            if _is_phrase(match):
                yield *match.span("phrase"), "passphrase"
    for match in _SEED.finditer(text):
        words = re.findall(r"[a-z]+", match["phrase"].lower())
        if len(words) % 3 == 0 and len(words) > 11 and _FUNCTION_WORDS.isdisjoint(words):
            yield *match.span("phrase"), "seed-phrase"
    if any(clue in lowered for clue in PASSWORDS_ABROAD):
        for match in _ABROAD.finditer(text):
            secret = match["secret"].rstrip(".,:;)]}>\"'`")
            if _CHOSEN.fullmatch(secret) and is_held_value(secret):
                begin = match.start("secret")
                yield begin, begin + len(secret), "secret-keyword"


def _is_phrase(match: re.Match[str]) -> bool:
    """Whether it is words in small letters without those that make a sentence."""
    phrase = match["phrase"]
    words = re.findall(r"[A-Za-z]+", phrase)
    is_closed = match["quote"] is not None and match["end"].strip() != ""
    if (" " not in phrase and len(words) < 4) or not _SPEECH.isdisjoint(word.lower() for word in words):
        return False
    if not match["sign"] and not is_closed:
        return False
    is_small = phrase.islower() or all(word.istitle() for word in words)
    return is_small and len(words) >= (3 if is_closed else 4) and len(phrase) <= _LONGEST
