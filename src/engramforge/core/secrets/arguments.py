"""Secrets that stand as arguments: of calls in code, of SQL, in attributes and settings of their own line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.chance import is_random
from engramforge.core.secrets.named_values import is_held_value
from engramforge.core.secrets.service_tokens import Span

_CALL: Final = re.compile(
    r"(?:\bauth\s?=\s?\(|\.(?:login|begin|authenticate|connect)\(|getConnection\(|mysqli\(|\bjwt\.(?:sign|encode)\("
    r"|ConvertTo-SecureString|\bFernet\(|\bClient\()"
)
_QUOTED: Final = re.compile(r"[\"'](?P<secret>[^\"'\n]{8,200})[\"']")
_REACH: Final = 300
_SIGNED: Final = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])\S*[!$%#?&*^~]\S*")
_SQL: Final = re.compile(
    r"\b(?:IDENTIFIED\s+(?:WITH\s+\S{1,40}\s+)?BY|PASSWORD(?:\s|\s?\())\s{0,3}'(?P<secret>[^'\n]{4,200})'",
    re.IGNORECASE,
)
_NAMED_APART: Final = re.compile(
    r"(?i:pass(?:word|wd)?|pwd|secret|token|key)[\"'>]{0,2}"
    r"(?:[ \t]*\n[ \t]*value:[ \t]*|[ \t]+value=|</key>\s{0,20}<string>|[^{}\n]{0,20}\{[^{}]{0,200}?default\s*=\s*"
    r"|[\"']?[^<>\n]{0,60}\bvalue=)[\"']?(?P<secret>[^\s\"'<>]{6,200})"
)
_KEY_OF_JSON: Final = re.compile(r"\"[dk]\"\s?:\s?\"(?P<secret>[\w-]{40,2000})\"")
_PASSFILE: Final = re.compile(
    r"(?m)^[\w.*-]{1,200}:(?:\d{2,5}|\*):[\w*-]{1,100}:[\w*-]{1,100}:(?P<secret>\S{4,200})$"
)
_LOGIN: Final = re.compile(
    r"\b[a-z]\w{1,20} (?:login|auth) (?P<secret>[0-9a-f]{32,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b"
)
_AS_PASSWORD: Final = re.compile(
    r"(?<![^\s\"'`(])(?P<secret>[^\s\"'`<>|,;()]{6,200})[\"'`]?[ \t]{1,2}(?:as|als|comme|como)[ \t]"
    r"(?:(?:the|a|my|your|new|das|mein|le)[ \t])?(?:[\w-]{1,12}[ \t])?(?i:password|passwort|mot de passe|contraseña)\b"
)


_CLUE_WORDS = (
    "auth|login|begin(|connect|mysqli(|jwt.|securestring|fernet(|client(|identified|pass|pwd|secret|token|key"
)
_CLUES: Final = tuple(_CLUE_WORDS.split("|"))


def arguments(text: str) -> Iterator[Span]:
    """Spans of secrets in the places of arguments."""
    lowered = text.lower()
    if (
        not any(clue in lowered for clue in _CLUES)
        and text.count(":") < 4
        and '"k"' not in text
        and '"d"' not in text
    ):
        return
    for call in _CALL.finditer(text):
        line_end = text.find("\n", call.end(), call.end() + _REACH)
        reach = line_end if line_end >= 0 else min(call.end() + _REACH, len(text))
        for match in _QUOTED.finditer(text, call.end(), reach):
            if is_random(match["secret"]) or _SIGNED.fullmatch(match["secret"]):
                yield *match.span("secret"), "secret-argument"
    for pattern in (_SQL, _PASSFILE, _LOGIN, _KEY_OF_JSON):
        for match in pattern.finditer(text):
            if is_held_value(match["secret"]):
                yield *match.span("secret"), "secret-argument"
    for pattern in (_NAMED_APART, _AS_PASSWORD):
        for match in pattern.finditer(text):
            secret = match["secret"]
            is_likely = any(map(str.isdigit, secret)) and any(map(str.isalpha, secret)) and len(secret) >= 8
            if is_likely and is_held_value(secret):
                yield *match.span("secret"), "secret-argument"
