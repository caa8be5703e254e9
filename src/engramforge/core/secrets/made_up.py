"""Passwords that people make up: by their shape alone where it is strong, else near a word for a password.

The shape is what rules for passwords ask for: capitals and small letters, digits, and a sign among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.chance import KIND, is_held_value, is_technical
from engramforge.core.secrets.names import PW_WORD
from engramforge.core.secrets.service_tokens import Span
from engramforge.core.text.late_pattern import late

_WORDS: Final = (
    "code wifi|code wi-fi|passord|senha|wachtwoord|lösenord|adgangskode|salasana|hasło|heslo|parola|şifre|пароль"
    "|пароля|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|jelszó|κωδικός|סיסמה|mật khẩu|kata sandi"
)
PASSWORDS_ABROAD: Final = tuple(_WORDS.split("|"))
"""Words for a password in languages of which the rules know no more than these."""
SIGN_WITHIN: Final = late(
    r"[!@#$%^&*](?:(?<=[\w!#$%^*.+-].)[\w!@#$%^&*.-]|(?<=\d\d[#$^%])(?:"
    + "|".join(rf"(?<=[A-Za-z]\d{{{digits}}}.)" for digits in range(2, 7))
    + "))"
)
"""What every strong shape has in it; looked for by its sign, which few texts have."""
DIGIT: Final = late(r"\d")

_RUN: Final = late(r"[A-Za-z0-9À-ÿ!#$%&*^@~?+._/\\-]{8,}+")
_SIGN: Final = late(r"(?<=[\w!#$%&*^@~?+.-])[!@#$%^&*](?=[\w!#$%&*^@~?+.-])")
_OPERATORS: Final = late(r"[*&^%]")
_HOLDS_PLAIN: Final = late(
    r"""[/\\]|A-Z|a-z|0-9|[&]\#|\.[*?]|%!PS|xx  # paths, classes of characters, entities, patterns
    |&&|\*\*|\$\$|\#\#|%%|!!|@@|\^\^|[!@\#$%^&*]{4}  # operators, rows of keys
    |@[~^]?v?\d{1,9}(?:\.\d|$)  # versions
    |%(?:[0-9A-Fa-f]{2}|[-+.\d]{0,9}[a-zA-Z])  # encoded characters, formats
    |![$]?[A-Z]{1,3}[$]?\d{1,9}$  # a cell of another sheet
    """,
    re.VERBOSE,
)
_PLAIN: Final = late(
    r"""[\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{1,40}){1,5}  # an address of mail
    |[a-z][a-z.-]{0,40}[\d-]{0,40}@[\w.-]{1,40}  # a user of a host
    |[!@\#$%^&*.~?+\\-][^!@\#$%^&*]{0,40}  # variables, handles
    |[^!@\#$%^&*]{0,40}\#[^!@\#$%^&*]{0,40}  # an anchor, the number of an issue
    |[A-Za-z_.]{0,40}[$]\d.{0,40}
    |\#[A-Za-z]{2,40}@[A-Za-z]{2,40}\d{0,4}  # a hashtag with a handle
    """,
    re.VERBOSE,
)
_PRICES: Final = late(
    r"~?[$]?\d[\d.]{0,12}[kKmMbB]{0,2}[$]?(?:[-~+]{1,2}[$]?\d[\d.]{0,12}[kKmMbB]{0,2}[$]?){1,3}[+%]?"
)
"""A range of prices, or what a comma left of one: 150-$500, 000-$500."""
_OPERATION: Final = late(r"[*&^%+-]")
_OPERAND: Final = late(r"[A-Za-z_.]+|\d+u?|0x[0-9a-fA-F]+")
_NUMBERED: Final = late(r"[A-Za-zÀ-ÿ]+@(?!(?:19|20)\d\d$)\d{4,8}")
_JOINED: Final = late(
    r"[A-Za-z]{3,20}\d{2,6}[!*&^#][A-Za-z]{3,20}|[A-Z][a-z]{2,20}[!*%&^][A-Z][a-z]{2,20}\d{2,6}"
    r"|[A-Z][a-z]{2,20}[-_.]?[A-Za-z]{0,20}[-_.]?\d{2,6}[#$^%]"
)
"""Two words and a number with a sign between them, or a word and a number with one behind them."""
_LEET: Final = late(r"[A-Za-z][013457][A-Za-z]|[A-Za-z][@$!](?=[a-z])")
_CHANGE: Final = late(r"[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]+")
_HASH_WITHIN: Final = late(r"(?=[\w-]*[A-Z])\w+#[\w-]+")
_OF_HASH: Final = late(r"(?i:hash)[\"'`]?\s?[:=]\s?[\"'`]?$")
_CODE: Final = late(r"[(){}\[\];=<>]")
_QUOTES: Final = frozenset("\"'`“”„«»")
_LONGEST: Final = 40

_MADE_UP: Final = late(
    r"(?<![^\s\"'`(*,:=>\u201c\u201e\u00ab])(?P<secret>(?=[^\s]{0,60}[A-Za-z])(?=[^\s]{0,60}\d)"
    r"(?:(?P<signed>[A-Z][a-zà-ÿ]{2,20}[-_.]?[A-Za-zà-ÿ]{0,20}\d{2,6}(?:[#$*&^%]{1,2}|!))"
    r"|[A-Z][a-z]{2,20}(?:[-._]?[A-Z]?[a-z]{2,20}){1,3}[-._]\d{2,6}|[a-z]{3,20}(?:\.[a-z]{3,20}){1,3}\.\d{2,6}"
    r"|(?P<inner>[A-Za-z0-9]{1,30}[!#$^*&][\w!#$^*&@.-]{0,30}[A-Za-z0-9])))(?![^\s\"'`).,;:*<\u201d\u201c\u00bb])"
)
"""What people make up where a sign is asked for: Winter2024!, b4ck#door."""
_LABELLED: Final = late(
    r"(?=\S{0,60}[^\W\d_])(?:(?=\S{0,60}\d)|(?=\w{1,60}[!$%#&*^~]{1,9}\w))(?!\S{1,99}\.[a-z]{2,12}[.!,;]?(?:\s|\Z))"
    r"[^\W_][^\s\"'`<>|,;:(){}\[\]/@=?\\]{3,99}?(?=[.!]?[ \t\r]{0,9}(?:\n|\Z)|[,;.][ ]|[\"'])"
)
_OF_MACHINE: Final = late(r"(?i:[vkshpx]|ec|py)\d+(?=[a-z]|[-.][^\W\d])|(?i:node|web)")
"""How things begin that are called like a format, and passwords too: `k8s-prod`, but not `v2`."""
_CHOSEN_WORDS: Final = rf"(?:{PW_WORD}|(?i:creds?|credentials|zugangsdaten|identifiants?))"
_NAMES_OF_PASSWORDS: Final = late(rf"(?<![A-Za-z]){_CHOSEN_WORDS}(?![A-Za-z])")
_FAR_NAMES: Final = late(
    rf"(?<![A-Za-z])(?i:{_CHOSEN_WORDS}|log-?ins?|inloggen|{'|'.join(PASSWORDS_ABROAD)})"
)
_PLACES_OF_PASSWORDS: Final = late(
    rf"(?<![A-Za-z])(?i:{_CHOSEN_WORDS}|log(?:ged|ging)?[ -]?(?:in|on)|sign(?:ed)?[ -]?in|ssh|anmeld\w{{1,5}}"
    r"|einloggen|connecte\w{0,4}|entrar|vpn|wi-?fi|wlan|accounts?|konto|logins|zugänge|local admin|admin (?:is|ist"
    r"|account|user|login))(?![A-Za-z])"
)
_SAID_TO_BE: Final = late(rf"(?<![A-Za-z]){_CHOSEN_WORDS}[\"'`]?\s{{0,3}}(?:[:=]|is|ist)\s{{0,3}}[\"'`]?\Z")
_LONGEST_SAID: Final = 40
_SENTENCE_GOES_ON: Final = late(r"[)\"'`]|[ ][a-z(]")
_TEMPLATE: Final = late(r"[$*#]\d{0,3}$|\*\*|^\w{1,20}[$#*^]\w{0,2}$|(?i:example)")
_SENTENCE: Final = 70
"""How far the word for a place where passwords are given may be."""
_FAR: Final = 200
_MOST_LINES: Final = 3
"""How far, and how many lines above, the word for a password itself may be."""


def is_labelled(text: str, at: int) -> bool:
    """Whether a password stands behind a label for one, to the end of a line or sentence; formats are named alike."""
    word = _LABELLED.match(text, at)
    if word is None or not is_held_value(word[0]):
        return False
    return not is_technical(word[0]) or _OF_MACHINE.match(word[0]) is not None


def made_up(text: str) -> Iterator[Span]:
    """Spans of what looks like a chosen password, by itself or near a word for where passwords are given."""
    if SIGN_WITHIN.search(text) is not None:
        yield from _shaped(text)
    for match in _MADE_UP.finditer(text) if DIGIT.search(text) else ():
        begin, end = match.span("secret")
        if end - begin < 8 or (not match["signed"] and _TEMPLATE.search(match["secret"])):
            continue
        lowest, highest = _line_around(text, begin, end, _SENTENCE)
        # An exclamation mark at the end of a sentence may be no part of the word: Office365!
        is_ambiguous = text[end - 1] == "!" and _SENTENCE_GOES_ON.match(text, end) is None
        words = _NAMES_OF_PASSWORDS if is_ambiguous else _PLACES_OF_PASSWORDS
        if (
            words.search(text, lowest, begin)
            or words.search(text, end, highest)
            or ((match["signed"] or match["inner"]) and _is_called_above(text, begin))
        ):
            yield begin, end, KIND


def _is_called_above(text: str, begin: int) -> bool:
    """Whether a word for a password stands in the lines above, or far before it in the line."""
    lowest = begin
    for _ in range(_MOST_LINES):
        lowest = text.rfind("\n", max(begin - _FAR, 0), lowest)
        if lowest < 0:
            lowest = max(begin - _FAR, 0)
            break
    return _FAR_NAMES.search(text, lowest, begin) is not None


def _shaped(text: str) -> Iterator[Span]:
    """Spans of what can hardly be anything but a password."""
    for match in _RUN.finditer(text):
        if match[0].isalnum():
            continue
        run, begin = match[0].rstrip(".?"), match.start()
        if run[:1] in ("*", "_", "~"):  # marks of Markdown
            begin += len(run) - len(run.lstrip("*_~"))
            run = run.strip("*_~")
        end = begin + len(run)
        if _PRICES.fullmatch(run) is not None and not _SAID_TO_BE.search(
            text, max(begin - _LONGEST_SAID, 0), begin
        ):
            continue
        if 8 <= len(run) <= _LONGEST and _is_strong(run) and not _is_in_code(text, begin, end):
            yield begin, end, KIND


def _is_strong(run: str) -> bool:
    """Whether it has the classes that rules ask for, and is none of what else has a sign within."""
    if run.islower() or run.isupper() or not any(map(str.isdigit, run)):
        return False
    if _JOINED.fullmatch(run) is not None:
        return True
    if _SIGN.search(run) is None or _is_plain(run):
        return _is_chance(run)
    marks = sum(map("!@#$%^&*".__contains__, run.rstrip("!"))) + (run[-1] == "!")
    return sum(map(str.isdigit, run)) >= 3 or marks >= 2 or _LEET.search(run) is not None


def _is_plain(run: str) -> bool:
    is_plain = (
        _HOLDS_PLAIN.search(run) is not None
        or _PLAIN.fullmatch(run) is not None
        or all(map(_OPERAND.fullmatch, _OPERATION.split(run)))
    )
    return is_plain and _NUMBERED.fullmatch(run) is None


def _is_chance(run: str) -> bool:
    """Whether classes change as chance makes them, around a sign that anchors of pages have too."""
    return (
        len(run) >= 12
        and _HASH_WITHIN.fullmatch(run) is not None
        and 5 * len(_CHANGE.findall(run)) >= 3 * len(run)
    )


def _is_in_code(text: str, begin: int, end: int) -> bool:
    """Whether it is called, set, part of a template, or a computation."""
    before, after = text[max(begin - 1, 0) : begin], text[end : end + 1]
    if (after and after in "([{=}]") or (before and before in "[{&"):
        return True
    if _OF_HASH.search(text[max(begin - 12, 0) : begin]):
        return True
    signs = _SIGN.findall(text, begin, end)
    is_computed = len(signs) < 2 and _OPERATORS.search(text, begin, end) is not None
    if not is_computed or (before in _QUOTES and after in _QUOTES and before):
        return False
    lowest, highest = _line_around(text, begin, end, _FAR)
    return _CODE.search(text, lowest, begin) is not None or _CODE.search(text, end, highest) is not None


def _line_around(text: str, begin: int, end: int, reach: int) -> tuple[int, int]:
    """Where the line of a span begins and ends, at most so far from it."""
    line_end = text.find("\n", end, end + reach)
    return (
        max(text.rfind("\n", max(begin - reach, 0), begin) + 1, begin - reach, 0),
        line_end if line_end >= 0 else end + reach,
    )
