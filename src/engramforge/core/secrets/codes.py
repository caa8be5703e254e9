"""Codes that are called so: PINs, one-time and recovery codes, seed phrases; and hashes of passwords.

A code of four digits counts where it is called the code of a door, an alarm, a lock, or a box for keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.made_up import DIGIT
from engramforge.core.secrets.names import SPEECH
from engramforge.core.secrets.service_tokens import Span
from engramforge.core.text.late_pattern import late

_CLUE_WORDS = (
    "pin|puk|tan|cvv|cvc|otp|code|código|codice|recovery|backup|product|$|setup key|app pass|wiederherst"
    "|récup|card|karte|carte|tarjeta|visa|amex|combin|kombin|question|frage|pregunta|authent|2fa|mfa|factor|faktor"
    "|qr|scan|manual|einricht|configura|vérif|alarm|einmal|combo|keypad|key pad|usage unique|un solo uso|eenmalig"
    "|monouso|senha|use |enter |type |verwende |gib |utilise|saisis|usa |introduce |gebruik |{ssha|{sha|{crypt|scram"
    "|unlock:|pbkdf|scrypt|::|md5|*"
)
_CLUES: Final = tuple(_CLUE_WORDS.split("|"))
"""A text without any of these, in small letters, holds none."""
_NUMBER: Final = late(
    r"\b(?:PIN|PUK|TAN|CVV|CVC|OTP|Pin|(?i:passcode)|(?i:(?:verification|backup|pin|one-time|confirmation"
    r"|login|sign-?in|security|authentication|einmal|entsperr|bestätigungs|verifizierungs|sicherheits"
    r"|anmelde)[ -]?code|code de (?:vérification|confirmation|sécurité)|código de (?:verificación"
    r"|confirmación|seguridad)|code pin|(?<!gpio )pin)"
    r"|(?i:m-?tan|(?:sms|push)[ -]?(?:tan|code)|(?:one[ -]?time|single[ -]use)[ -](?:password|passcode|pin|code)"
    r"|einmal(?:passwort|kennwort|pin)|mot de passe (?:à usage unique|unique|temporaire)"
    r"|contraseña de un solo uso|eenmalige? (?:code|wachtwoord)|verificatiecode|beveiligingscode"
    r"|codice (?:monouso|di verifica|di sicurezza|otp)|password monouso|código de (?:verificação|segurança|uso único)"
    r"|senha (?:única|de uso único)))\b(?:[ \t][\w'-]{1,24}){0,5}?[ \t]{0,2}(?:\b(?:is|ist"
    r"|est le|est|es|lautet|è|é|será?|zijn)\b|[:=]|(?<=PIN)|(?<=PUK))[ \t]{0,2}(?P<code>(?!0{4})\d(?:[ -]?\d){2,9})\b"
)
_POSTAL: Final = late(r"\b(?i:postal|zip|area|city|town|village|district|locality|delivery)\b")
"""Of what the number is called a PIN code, too."""
_CODE_SETTING: Final = late(
    r"\b\w{0,30}(?:alarm|door|gate|lock|keypad|entry|arm|disarm|pairing|bridge|setup|homekit|tür|tuer)_?(?i:code"
    r"|pin)[\"']?\s?[:=]\s?[\"']?(?P<code>\d{3,10}|\d{3,4}-\d{2,3}-\d{3,4})\b"
)
_OF_DOOR = (
    r"key[ -]?pads?|digicode|(?:back |front |side )?doors?|gates?|alarms?|(?:key|lock)[ -]?(?:box|safe)|lock|garage"
    r"|entrance|entry|elevator|server ?room|\w{0,12}tür|tor|hoftor|schlüssel(?:box|tresor|kasten|safe)|tresor"
    r"|alarm(?:anlage)?|bo[iî]t(?:ier|e) à clés|porte|portail|alarme|immeuble|puerta|portal|portón|alarma|caja de "
    r"llaves|cancello|porta|portone|allarme|portão|\w{0,12}deur|poort|sleutelkluis|sleutelkastje"
)
_DOOR_CODE: Final = (
    r"(?P<code>\d{4,8}[A-Z]?|(?=[A-Z0-9]{0,7}\d{2})\d{2,4}[A-Z]\d{1,4})(?![\w-]|[.,:/]\d|%|[ ]lines)"
)
_NO_DOOR = (
    r"(?i:error|status|exit|return|fault|reason|fehler|erreur|country|zip|postal|postcode|area"
    r"|closed with|source|response|http|line|version)"
)
_OF_LOCK: Final = late(
    rf"\b(?:(?i:{_OF_DOOR})(?>(?:(?!{_NO_DOOR})[^\n.;\d]){{0,40}}?\b(?i:code|pin|combo|código|codice|combinatie)s?\b"
    rf"|(?<=pad)[^\n.;\d]{{0,30}}?(?=[ ](?:is|:))"
    rf"|(?<=pad)(?=:[ ]|[ ]\d{{4,8}}[#*])|(?<=igicode))(?:[ ](?:for|of|to|at|in|on|für|zum|zur|vom|de|du|del"
    rf"|pour|para|van)(?:[ ][\w'-]{{1,15}}){{1,4}}?)?|(?i:code|pin|combo|código"
    rf"|codice)(?:\b[ ](?!{_NO_DOOR})[^\n.;\d\s]{{1,20}}){{1,4}}?[ ]"
    rf"(?i:{_OF_DOOR})(?:[ ](?:à clés|[\w-]{{1,15}})){{0,3}}?)(?:[ ]?[:=][ ]?|[ ](?:(?:is|was|ist|lautet|est|es|è|é"
    rf"|now|again|still|jetzt)[ ]){{0,2}})[`*\"']{{0,2}}{_DOOR_CODE}"
)
_NEXT_LOCK: Final = late(
    r"[#*]?(?:[,;]|[ ](?:and|und|et|y|e|en|&))[ ](?:(?:and|und|et|y|e|en|the|for|of|die|der|das|la|le|el)[ ]){0,3}"
    rf"(?i:{_OF_DOOR})(?:[ ](?:code|is|ist|est|es)|:){{0,2}}[ ]{_DOOR_CODE}"
)
"""The code of another lock, behind that of one."""
_LOCK_WORDS = (
    "door|gate|alarm|lock|box|pad|safe|garage|entr|server room|tür|tor|schlüssel|clés|digicode|porta|porte"
    "|immeuble|puerta|portón|caja|cancello|allarme|portão|deur|poort|sleutel"
)
_LOCK_CLUES: Final = tuple(_LOCK_WORDS.split("|"))
_SENT: Final = late(
    r"\b(?i:code(?:[ ](?:de|d')[ ]?(?:connexion|vérification|confirmation|acceso|verificación|inicio))?)"
    r"(?:[ ](?:is|est|ist|es|lautet)[ ]|:[ ])(?P<code>\d{3}[ -]?\d{3}|\d{4,8})(?![\w-]|[.,]\d|[ ]lines)"
)
_SENDING: Final = late(
    r"\b(?:text(?:ed|s)?(?= me| you|\b[^\n]{0,20}bank)|sms|bank|log(?:ging)?[ -]?in|sign[ -]?in|verif\w+|expires?"
    r"|good for|valid for|don't share"
    r"|do not share|connexion|partage[zr]|teilen|gültig|compart\w+|2fa|mfa|authenticator|one-time)\b",
    re.IGNORECASE,
)
_OF_OTHER: Final = late(_NO_DOOR)
_CODE_OF_JSON: Final = late(
    r"[\"'](?:otp|totp|(?:otp|mfa|sms|2fa|totp|verification|login|confirmation|security|auth|one_?time"
    r"|two_?factor)_?(?:code|password|pin)|passcode)"
    r"[\"']\s?[:=]\s?[\"']?(?P<code>\d{4,8})\b",
    re.IGNORECASE,
)
_USED_CODE: Final = late(
    r"\b(?i:use|enter|type|verwende|gib|utilisez|saisissez|usa|introduce|gebruik)[ ](?P<code>\d{3}[ -]?\d{1,5})[ ]"
    r"(?i:to|as|for|um|als|zum|pour|comme|para|como|om)\b[^\n.]{0,30}?\b(?i:sign|log|verif|confirm|bestätig|anmeld"
    r"|connect|vérif|inici|account|konto|compte|cuenta|code|otp)"
)
_OWN_CODE: Final = late(
    r"\b(?i:your|dein|ihr|euer|votre|ton|tu|su|il tuo|seu)(?:[ \t][\w.-]{1,20}){0,4}?[ \t](?i:\w{0,14}code"
    r"|código|codice)[ \t](?i:is|ist|lautet|est|es|è"
    r"|é)(?:[ \t]?:)?[ \t](?P<code>(?:[A-Z]{1,3}-)?\d{3}[ -]?\d{1,5})\b(?![.,]\d|%)"
    r"|(?<![\w.,-])(?:[A-Z]-)?(?P<begin>\d{3}[ -]?\d{1,5})[ \t](?i:is|as|ist|est|es)[ \t](?i:your|dein|ihr|votre"
    r"|ton|tu|su)(?:[ \t][\w.-]{1,20}){0,4}?[ \t](?i:\w{0,14}code|otp|pin|passcode|código)\b"
)
"""What a service sends to somebody: `Your code is ...`, `... is your code`."""
_OWN_CLUES: Final = ("your ", "dein ", "ihr ", "euer ", "votre ", "ton ", "tu ", "su ", "tuo ", "seu ")
_PASSCODE: Final = late(
    r"\b(?i:passcode|pass code|entsperrcode|zugangscode|code de déverrouillage|código de desbloqueo|unlock code"
    r"|unlock pin|unlock(?=:)|security code|cvv2?|cvc2?|(?:steam guard|2fa|mfa|sms|otp|login|two-factor) code)"
    r"(?:[ \t]?[:=][ \t]?|[ \t](?:(?:is|ist|est|es|è|é)[ \t])?)(?P<code>(?=\w*\d)\w{3,12})\b"
)
_COMBINATION: Final = late(
    r"\b(?i:combination|combo|kombination|zahlenkombination|combinaison|combinación)\b(?P<what>[^\n\d]{0,60})"
    r"(?P<code>\d{1,2}(?:[ ]?[-\u2013/,. ][ ]?\d{1,2}){2,5}|(?<=[:s] )\d{4,8})\b"
)
_LOCKS: Final = late(
    r"safe|lock|vault|case|(?<!logic )gate\b|\bdoor|bike|garage|fahrrad|\btor\b|vélo|puerta|portail"
    r"|tresor|schloss|koffer|coffre|cadenas|valise|caja|candado|maleta",
    re.IGNORECASE,
)
_ANSWER: Final = late(
    r"(?i:(?:security|secret|recovery) question|sicherheitsfrage|question (?:secrète|de sécurité)"
    r"|pregunta (?:secreta|de seguridad))(?P<question>[^\n]{0,120}?)(?i:\b(?:answer|antwort|réponse"
    r"|respuesta)\b)(?:[ \t](?:is|ist|est|es|lautet)\b|[ \t]?[:=])[ \t]{0,2}[\"'«„“]?(?P<code>[^\n\"'»“”.,;]{2,60})"
)
_ASKS: Final = late(r"\b(?:asks?|fragt|demande|pide|pregunta)\b", re.IGNORECASE)
_OF_PERSONS: Final = late(
    r"\b(?:first|pet|dog|cat|mother|maiden|father|born|birth|school|teacher|city|street|car|friend|nickname"
    r"|favou?rite|childhood|grew|book|movie|food|spouse|met|erste\w?|haustier|hund|katze|mutter|mädchenname|vater"
    r"|geboren|schule|lehrer\w*|stadt|straße|auto|freund\w*|spitzname|lieblings\w*|premier|première|animal|chien|chat"
    r"|mère|jeune fille|né|née|école|ville|rue|voiture|ami|amie|préféré\w*|primer\w?|mascota|perro|gato"
    r"|madre|soltera|nacist\w*|escuela|ciudad|calle|coche|amig\w|favorit\w)\b",
    re.IGNORECASE,
)
"""What questions are about that only one person can answer."""
_CARD: Final = late(r"(?<![\w.-])(?P<code>\d{13,19}(?!\d)|(?:\d[ -]?){12,18}\d)(?![\w-]|[.,]\d)")
_CARD_WORD: Final = late(
    r"\b(?:visa|mastercard|master card|amex|american express|discover|maestro|credit card|debit card"
    r"|card (?:number|no|nr|details)|cc"
    r"|(?:kredit|bank|ec-|giro)karten?(?:nummer)?|carte (?:bancaire|de crédit|bleue)|tarjeta(?: de (?:crédito"
    r"|débito))?|pan)\b",
    re.IGNORECASE,
)
_EXPIRES: Final = late(
    r"[ ,|;]{1,3}+(?:(?:exp\w{0,8}|valid(?:[ ]thru)?|gültig(?:[ ]bis)?|caduca|expire)[.:]?[ ])?"
    r"(?:0[1-9]|1[0-2])[/|-](?:20)?\d\d(?!\d)"
    r"(?:[ ,|;]{1,3}+(?:(?:cv[cv]2?|cid|code)[.:]?[ ])?(?P<code>\d{3,4})(?![\w-]))?",
    re.IGNORECASE,
)
"""Until when a card is good, and the number on its back."""
_GROUPED: Final = late(r"\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{5}")
_UNCALLED: Final = late(rf"{_GROUPED.pattern}|\d{{14}}[ ,|;]")
_GROUPS: Final = late(
    r"\b(?i:recovery (?:key|codes?|password)|wiederherstellungsschlüssel|clé de récupération|backup codes?"
    r"|product key|setup key|app[- ](?:specific )?password|passphrase)\b[^\n\w]{0,3}(?:(?:for|of|für|pour"
    r"|para)[ ][\w.-]{1,20}(?:[ ][\w.-]{1,20})?:[ ]?)?(?:[ \t](?i:is|are"
    r"|ist)[ \t]?)?[ \t:]{0,3}(?P<code>\s?[A-Za-z0-9]{4,8}(?:[- "
    r"][A-Za-z0-9]{4,8}){1,9}(?:\s{1,3}[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,5}){0,20})\b"
)
_IN_FOURS: Final = late(
    r"(?<![\w-])(?!(?:type|enter|code|keys?|here|this|with|into|from|seed|then|your"
    r"|just)\b)(?P<code>(?:[a-z2-7]{4}(?P<sign>[ -])[a-z2-7]{4}(?:(?P=sign)[a-z2-7]{4}){2,14})"
    r"|(?:[A-Z2-7]{4}(?P<other>[ -])[A-Z2-7]{4}(?:(?P=other)[A-Z2-7]{4}){2,14}))(?![\w-])"
)
"""The key of a second factor as it is shown to be typed."""
_OF_SETUP: Final = late(
    r"\b(?i:key|secret|schlüssel|code|clé|clave)\b[^\n.;]{0,40}?(?:[:=]|\b(?:is|ist|est|es))[ \"'`*]{1,3}$"
)
_OF_FACTOR: Final = late(
    r"\b(?i:2fa|mfa|t?otp|authenticator|factor|setup)\b[^\n.;:=]{0,40}?\b(?i:key|seed|secret|schlüssel)"
    r"[\"'`*]{0,3}(?:[ ]?[:=]|[ ](?:is|ist))?[ ][\"'`*]{0,3}(?P<code>(?=[A-Z]{0,31}[2-7])[A-Z2-7]{16,64})\b"
)
_FACTORS_WORDS = (
    "authenticator|2fa|totp|otp|mfa|two-factor|second factor|qr|scan|setup key|manual|einrichtung|zwei-faktor"
    "|zweiter faktor|authent|configuraci|configura|vérification"
)
_FACTORS: Final = tuple(_FACTORS_WORDS.split("|"))
_NEAR: Final = 160
_HASH: Final = late(
    r"(?<![\w$])\${1,2}(?:1|2[abxy]|5|6|7|y|apr1|argon2(?:id|i|d)|scrypt|krb5\w{1,12}|pbkdf2[\w-]{0,12}"
    r"|[89])\$(?>[\w./$=,+*@-]{20,600})(?!<)|\$[PH]\$[\w./]{31}|\bscrypt:\d+:\d+:\d+\$\w+\$[0-9a-f]{40,}|\bpbkdf2(?:_"
    r"|:)sha\d+[$:]\d+\$[\w./+=]+\$[\w./+=]{20,}"
    r"|\bSCRAM-SHA-\d+\$\d+:[\w+/=]+\$[\w+/=:]{40,}|\{S{0,2}(?:SHA|MD5|SHA256|SHA512|CRYPT)\}[\w+/=$.]{20,200}"
    r"|(?<=:)(?:[0-9A-Fa-f]{32}:[0-9A-Fa-f]{32}(?=:::)"
    r"|(?<=::)[\w.-]{1,20}:[0-9A-Fa-f]{16}:[0-9A-Fa-f]{32}:[0-9A-Fa-f]+)"
    r"|(?<![\w*])\*[0-9A-F]{40}\b|(?<=[\"' ])md5[0-9a-f]{32}\b",
    re.ASCII,
)
_HASH_CLUES: Final = ("$", "{ssha", "{sha", "{crypt", "::", "scrypt:", "pbkdf2:", "scram", "*", "md5")
_QUESTIONS: Final = ("question", "frage", "pregunta")
_NUMBER_WORDS = "pin|puk|tan|cv|otp|code|código|codice|passw|contras|senha|mot de"
_SETTING_WORDS = "_code|_pin|rcode|mcode|ecode|kcode|dcode|ycode|gcode|pcode"
_USED_WORDS = "use |enter |type |verwende |gib |utilise|saisis|usa |introduce |gebruik "
_CODE_PATTERNS: Final = (
    (_NUMBER, tuple(_NUMBER_WORDS.split("|"))),
    (_CODE_SETTING, tuple(_SETTING_WORDS.split("|"))),
    (_USED_CODE, tuple(_USED_WORDS.split("|"))),
    (_CODE_OF_JSON, ("otp", "code", "one", "factor")),
    (_PASSCODE, ("code", "código", "cv", "pin", "unlock:")),
    (_OF_FACTOR, ("setup", "seed", "2fa", "mfa", "otp", "authent", "factor")),
)
"""Patterns of codes with what their matches have in them, in small letters."""


def _cards(text: str) -> Iterator[Span]:
    """Numbers of payment cards: grouped as on the card with a right check digit, or called so."""
    for match in _CARD.finditer(text):
        digits = [int(sign) for sign in match["code"] if sign.isdecimal()]
        is_grouped = _GROUPED.fullmatch(match["code"]) is not None
        is_named = is_called = (
            _CARD_WORD.search(text, max(match.start() - 60, 0), match.end() + 30) is not None
        )
        expires = _EXPIRES.match(text, match.end())
        is_called = is_called or is_grouped or expires is not None
        if match["code"][0] in "23456" and is_called and ((is_grouped and is_named) or _is_checked(digits)):
            yield *match.span("code"), "card-number"
            if expires is not None and expires["code"]:
                yield *expires.span("code"), "code"


def _is_checked(digits: list[int]) -> bool:
    """Whether the last digit is that of Luhn's rule."""
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[::-2]) + sum(doubled)) % 10 == 0


def codes(text: str) -> Iterator[Span]:
    """Spans of codes and phrases, each with its kind."""
    lowered = text.lower()
    if not any(map(lowered.__contains__, _CLUES)) and _UNCALLED.search(text) is None:
        return
    if DIGIT.search(text) is not None:
        yield from _numbers(text, lowered)
    for match in _ANSWER.finditer(text) if any(map(lowered.__contains__, _QUESTIONS)) else ():
        is_said = "?" not in match["question"] and _ASKS.search(match["question"]) is None
        if is_said or _OF_PERSONS.search(match["question"]):
            yield *match.span("code"), "code"
    for match in _GROUPS.finditer(text):
        if any(map(str.isdigit, match["code"])) or "app password" in match[0].lower():
            yield *match.span("code"), "recovery-code"
    for match in _IN_FOURS.finditer(text) if any(map(lowered.__contains__, _FACTORS)) else ():
        words = text[max(match.start() - _NEAR, 0) : match.end() + _NEAR].lower()
        is_made = any(map(str.isdigit, match["code"])) or (
            SPEECH.isdisjoint(match["code"].split(match["sign"] or match["other"]))
            and _OF_SETUP.search(text, max(match.start() - 60, 0), match.start()) is not None
        )
        if is_made and any(map(words.__contains__, _FACTORS)):
            yield *match.span("code"), "recovery-code"
    for match in _HASH.finditer(text) if any(map(lowered.__contains__, _HASH_CLUES)) else ():
        yield *match.span(), "password-hash"


def _numbers(text: str, lowered: str) -> Iterator[Span]:
    """Spans of the codes that have a digit at least."""
    for pattern, clues in _CODE_PATTERNS:
        if any(map(lowered.__contains__, clues)):
            for match in pattern.finditer(text):
                is_of_place = (
                    "pin code" in match[0].lower()
                    and sum(map(str.isdigit, match["code"])) == 6
                    and _POSTAL.search(text, max(match.start() - 20, 0), match.end())
                )
                if not is_of_place:
                    yield *match.span("code"), "code"
    for match in _OF_LOCK.finditer(text) if any(map(lowered.__contains__, _LOCK_CLUES)) else ():
        following: re.Match[str] | None = match
        while following is not None:
            yield *following.span("code"), "code"
            following = _NEXT_LOCK.match(text, following.end())
    for match in _SENT.finditer(text) if "code" in lowered else ():
        lowest = max(match.start() - _NEAR, 0)
        last = text[lowest : match.start()].split()[-1:]
        is_other = bool(last) and _OF_OTHER.match(last[0]) is not None
        if not is_other and _SENDING.search(text, lowest, match.end() + _NEAR):
            yield *match.span("code"), "code"
    for match in _OWN_CODE.finditer(text) if any(map(lowered.__contains__, _OWN_CLUES)) else ():
        yield *match.span(match.lastgroup or "code"), "code"
    for match in _COMBINATION.finditer(text) if "comb" in lowered or "komb" in lowered else ():
        if _LOCKS.search(text, max(match.start() - 30, 0), match.start("code")):
            yield *match.span("code"), "code"
    yield from _cards(text)
