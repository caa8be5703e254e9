"""Codes that are called so: PINs, one-time and recovery codes, seed phrases; and hashes of passwords.

The code of a gate or an alarm is something that people want to remember, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.service_tokens import Span

_CLUES: Final = (
    "pin",
    "puk",
    "tan",
    "cvv",
    "cvc",
    "otp",
    "code",
    "recovery",
    "backup",
    "seed",
    "mnemonic",
    "product",
    "$",
)
"""A text without any of these, in small letters, holds none."""
_NUMBER: Final = re.compile(
    r"\b(?:PIN|PUK|TAN|CVV|CVC|OTP|Pin|(?i:passcode)"
    r"|(?i:(?:verification|backup|pin)[ -]code|code pin))\b"
    r"(?:[ \t][\w'-]{1,16}){0,5}?[ \t]{0,2}(?:\b(?:is|ist|est le|est|es|lautet)\b|[:=])[ \t]{0,2}"
    r"(?P<code>\d(?:[ -]?\d){3,9})\b"
)
_GROUPS: Final = re.compile(
    r"\b(?i:recovery (?:key|codes?)|backup codes?|product key|setup key|app password)\b[^\n\w]{0,3}"
    r"(?:[ \t](?i:is|are|ist)[ \t]?)?[ \t:]{0,3}"
    r"(?P<code>\s?[A-Za-z0-9]{4,8}(?:[- ][A-Za-z0-9]{4,8}){1,9}"
    r"(?:\s{1,3}[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,5}){0,20})\b"
)
_PHRASE: Final = re.compile(
    r"(?i:seed[ -]?phrase|mnemonic|recovery phrase)\b[^\n:=]{0,40}[:=][ \t]{0,2}[\"']?"
    r"(?P<code>[a-z]{3,9}(?:[ \t][a-z]{3,9}){11,23})\b"
)
_HASH: Final = re.compile(
    r"(?<![\w$])\$(?:1|2[abxy]|5|6|7|y|apr1|argon2(?:id|i|d))\$[\w./$=,+]{20,200}", re.ASCII
)


def codes(text: str) -> Iterator[Span]:
    """Spans of codes and phrases, each with its kind."""
    lowered = text.lower()
    if not any(clue in lowered for clue in _CLUES):
        return
    for match in _NUMBER.finditer(text):
        yield *match.span("code"), "code"
    for match in _GROUPS.finditer(text):
        if any(map(str.isdigit, match["code"])) or "app password" in match[0].lower():
            yield *match.span("code"), "recovery-code"
    for match in _PHRASE.finditer(text):
        yield *match.span("code"), "seed-phrase"
    for match in _HASH.finditer(text):
        yield *match.span(), "password-hash"
