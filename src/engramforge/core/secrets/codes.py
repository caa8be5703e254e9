"""Codes that are called so: PINs, one-time and recovery codes, seed phrases; and hashes of passwords.

The code of a gate or an alarm is something that people want to remember, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.service_tokens import Span

_CLUE_WORDS = (
    "pin|puk|tan|cvv|cvc|otp|code|código|codice|recovery|backup|seed|mnemonic|product|$|setup key|app pass"
    "|wiederherst|récup|card|karte|carte|tarjeta|visa|amex|combin|kombin|question|frage|pregunta"
)
_CLUES: Final = tuple(_CLUE_WORDS.split("|"))
"""A text without any of these, in small letters, holds none."""
_NUMBER: Final = re.compile(
    r"\b(?:PIN|PUK|TAN|CVV|CVC|OTP|Pin|(?i:passcode)|(?i:(?:verification|backup|pin|one-time|confirmation"
    r"|login|sign-?in|security|authentication|einmal|entsperr|bestätigungs|verifizierungs|sicherheits"
    r"|anmelde)[ -]?code|code de (?:vérification|confirmation|sécurité)|código de (?:verificación"
    r"|confirmación|seguridad)|code pin|(?<!gpio )pin))\b(?:[ \t][\w'-]{1,16}){0,5}?[ \t]{0,2}(?:\b(?:is|ist"
    r"|est le|est|es|lautet)\b|[:=]|(?<=PIN)|(?<=PUK))[ \t]{0,2}(?P<code>\d(?:[ -]?\d){2,9})\b"
)
_OWN_CODE: Final = re.compile(
    r"\b(?i:your|dein|ihr|euer|votre|ton|tu|su|il tuo|seu)(?:[ \t][\w.-]{1,20}){0,4}?[ \t](?i:\w{0,14}code"
    r"|código|codice)[ \t](?i:is|ist|lautet|est|es|è"
    r"|é)(?:[ \t]?:)?[ \t](?P<code>(?:[A-Z]{1,3}-)?\d{3}[ -]?\d{1,5})\b(?![.,]\d|%)"
    r"|(?<![\w.,-])(?:[A-Z]-)?(?P<begin>\d{3}[ -]?\d{1,5})[ \t](?i:is|ist|est|es)[ \t](?i:your|dein|ihr|votre"
    r"|ton|tu|su)(?:[ \t][\w.-]{1,20}){0,4}?[ \t](?i:\w{0,14}code|otp|pin|passcode|código)\b"
)
"""What a service sends to somebody: `Your code is ...`, `... is your code`."""
_OWN_CLUES: Final = ("your ", "dein ", "ihr ", "euer ", "votre ", "ton ", "tu ", "su ", "tuo ", "seu ")
_PASSCODE: Final = re.compile(
    r"\b(?i:passcode|pass code|entsperrcode|zugangscode|code de déverrouillage|código de desbloqueo|unlock code"
    r"|unlock pin|security code|cvv2?|cvc2?)"
    r"(?:[ \t]?[:=][ \t]?|[ \t])(?P<code>(?=\w*\d)\w{3,12})\b"
)
_COMBINATION: Final = re.compile(
    r"\b(?i:combination|combo|kombination|zahlenkombination|combinaison|combinación)\b(?P<what>[^\n\d]{0,60})"
    r"(?P<code>\d{1,2}(?:[ ]?[-\u2013/,. ][ ]?\d{1,2}){2,5})\b"
)
_LOCKS: Final = re.compile(
    r"safe|lock|vault|case|tresor|schloss|koffer|coffre|cadenas|valise|caja|candado|maleta", re.IGNORECASE
)
_ANSWER: Final = re.compile(
    r"(?i:(?:security|secret|recovery) question|sicherheitsfrage|question (?:secrète|de sécurité)"
    r"|pregunta (?:secreta|de seguridad))"
    r"[^\n]{0,120}?(?i:\b(?:answer|antwort|réponse|respuesta)\b)(?:[ \t](?:is|ist|est|es|lautet)\b"
    r"|[ \t]?[:=])[ \t]{0,2}[\"'«„“]?(?P<code>[^\n\"'»“”.,;]{2,60})"
)
_CARD: Final = re.compile(r"(?<![\w.-])(?P<code>(?:\d[ -]?){12,18}\d)(?![\w-]|[.,]\d)")
_CARD_WORD: Final = re.compile(
    r"\b(?:visa|mastercard|master card|amex|american express|discover|maestro|credit card|debit card"
    r"|card (?:number|no|nr|details)|cc"
    r"|(?:kredit|bank|ec-|giro)karten?(?:nummer)?|carte (?:bancaire|de crédit|bleue)|tarjeta(?: de (?:crédito"
    r"|débito))?|pan)\b",
    re.IGNORECASE,
)
_GROUPED: Final = re.compile(r"\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{5}")
_GROUPS: Final = re.compile(
    r"\b(?i:recovery (?:key|codes?|password)|wiederherstellungsschlüssel|clé de récupération|backup codes?"
    r"|product key|setup key|app password|passphrase)\b[^\n\w]{0,3}(?:[ \t](?i:is|are"
    r"|ist)[ \t]?)?[ \t:]{0,3}(?P<code>\s?[A-Za-z0-9]{4,8}(?:[- "
    r"][A-Za-z0-9]{4,8}){1,9}(?:\s{1,3}[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,5}){0,20})\b"
)
_PHRASE: Final = re.compile(
    r"(?i:seed[ -]?phrase|mnemonic|recovery phrase)\b[^\n:=]{0,40}[:=][ \t]{0,2}[\"']?"
    r"(?P<code>[a-z]{3,9}(?:[ \t][a-z]{3,9}){11,23})\b"
)
_HASH: Final = re.compile(
    r"(?<![\w$])\${1,2}(?:1|2[abxy]|5|6|7|y|apr1|argon2(?:id|i|d))\$[\w./$=,+]{20,200}", re.ASCII
)


def _cards(text: str) -> Iterator[Span]:
    """Numbers of payment cards: grouped as on the card with a right check digit, or called so."""
    for match in _CARD.finditer(text):
        digits = [int(sign) for sign in match["code"] if sign.isdigit()]
        is_grouped = _GROUPED.fullmatch(match["code"]) is not None
        is_called = _CARD_WORD.search(text, max(match.start() - 60, 0), match.end() + 30) is not None
        if match["code"][0] in "23456" and (
            (is_called and (is_grouped or _is_checked(digits))) or (is_grouped and _is_checked(digits))
        ):
            yield *match.span("code"), "card-number"


def _is_checked(digits: list[int]) -> bool:
    """Whether the last digit is that of Luhn's rule."""
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[::-2]) + sum(doubled)) % 10 == 0


def codes(text: str) -> Iterator[Span]:
    """Spans of codes and phrases, each with its kind."""
    lowered = text.lower()
    if not any(clue in lowered for clue in _CLUES) and _GROUPED.search(text) is None:
        return
    for match in _NUMBER.finditer(text):
        yield *match.span("code"), "code"
    is_sent = any(clue in lowered for clue in _OWN_CLUES) and any(map(str.isdigit, text))
    for match in _OWN_CODE.finditer(text) if is_sent else ():
        yield *match.span(match.lastgroup or "code"), "code"
    for match in _COMBINATION.finditer(text):
        if _LOCKS.search(text, max(match.start() - 30, 0), match.start("code")):
            yield *match.span("code"), "code"
    for pattern in (_PASSCODE, _ANSWER):
        for match in pattern.finditer(text):
            yield *match.span("code"), "code"
    yield from _cards(text)
    for match in _GROUPS.finditer(text):
        if any(map(str.isdigit, match["code"])) or "app password" in match[0].lower():
            yield *match.span("code"), "recovery-code"
    for match in _PHRASE.finditer(text):
        yield *match.span("code"), "seed-phrase"
    for match in _HASH.finditer(text):
        yield *match.span(), "password-hash"
