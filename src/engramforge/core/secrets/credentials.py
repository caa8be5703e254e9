"""Credentials whose place gives them away: in addresses, headers, cookies, commands, netrc lines and web tokens."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.chance import is_chosen, is_held_value, is_public_id, is_random, is_technical
from engramforge.core.secrets.names import nature_of
from engramforge.core.secrets.service_tokens import Span
from engramforge.core.secrets.speech.told import is_own_word
from engramforge.core.text.late_pattern import late

_CLUE_WORDS = (
    '=|%3d|://|authoriz|bearer|cookie|cred|log-in|log in|login|eyj|basic|sess|wifi:|auth"|.sid"|%3f|%26|_auth|x-'
    "|-key|-auth|apikey|-token| -u| -p| -a| -w|--user|--proxy-user|/p:|_password|zugang|identifiants|account|konto"
    "|cuenta|compte"
)
_CLUES: Final = tuple(_CLUE_WORDS.split("|"))
"""A text without any of these, in small letters, holds none."""
_DEVICE_CLUES: Final = ("admin", "root/", "root /", "ubnt", "wifi", "wi-fi", "wlan", "ssid")

_USER_INFO: Final = late(
    r"://(?P<user>[^\s/:@?#\"'<>]{0,100})(?::(?P<secret>[^\s\"'<>/]{1,300}))?@(?=[\w\[{$<%-])"
)
_OPEN_USERS: Final = frozenset(
    {"git", "x-access-token", "oauth2", "token", "user", "username", "admin", "root"}
)
_PARAMETER: Final = late(
    r"(?:(?<=[?&;#,])|(?<=, )|(?<=%3F)|(?<=%26))(?P<name>(?:[\w-]{0,30}[_-])?(?:token(?:_hash)?|otp|appid"
    r"|subscription-key|auth|api_?key|apikey|key|sig|signature|secret|password|passwd|pwd|code"
    r"|sas|hmac|jwt|sid|sessionid|session|credential|ticket|assertion))(?:=|%3D)(?P<secret>[^\s&#\"'<>;)\]}]{4,1000})",
    re.IGNORECASE,
)
_ANY_PARAMETER: Final = late(r"[?&][\w-]{1,20}=(?P<secret>[\w-]{20,400})")
_LINKS: Final = late(
    r"/(?:magic|invit|(?:password[_-]?)?reset|verif|confirm|activat|unsub|onboarding|accept)[\w/-]{0,60}\?"
)
"""Addresses that are sent to one person."""
_PLAIN_PARAMETERS: Final = frozenset({"key", "code", "session", "sid", "ticket", "auth", "credential"})
"""Parameters, and last words of their names, with many other meanings: only a value of chance counts."""
_OF_LOGIN: Final = ("access", "auth", "login", "verif", "otp")
_SCHEME: Final = (
    r"(?:bearer|basic|token|digest|api-?key|ssws|negotiate|hmac|key|bot|jwt|oauth|genie-?key|splunk)"
)
_HEADER: Final = late(
    rf"\b(?:(?:proxy-)?authorization|authorisation)[\"'`]?\s{{0,3}}[:=,]\s{{0,3}}[\"'`]?(?:{_SCHEME}\s+)?"
    r"(?P<secret>[\w.~+/=:-]{6,8000})",
    re.IGNORECASE,
)
_BEARER: Final = late(r"\bbearer[ \t:]{1,3}[\"'`]?(?P<secret>[\w.~+/=-]{12,8000})", re.IGNORECASE)
_CUSTOM_HEADER: Final = late(
    r"\b(?:x-[a-z-]{0,30}(?:key|team|token|secret|auth|password|signature|session)[a-z-]{0,10}|api-?key"
    r"|(?:[a-z]{2,20}-){0,2}(?:api|app(?:lication)?|access|auth|client|subscription|private|job|fastly|deploy|secret"
    r"|admin|service)-(?:key|token|secret))[\"'`]?\s{0,3}[:=,]\s{0,3}[\"'`\[]?(?P<secret>[\w.~+/=!-]{6,2000})",
    re.IGNORECASE,
)
_HEADERS: Final = ((_HEADER, ("authori",)), (_BEARER, ("bearer",)), (_CUSTOM_HEADER, ("-", "apikey")))
"""Each with what its matches have in them, in small letters."""
_COOKIE: Final = late(
    r"(?:\b(?:set-)?cookies?[\"'`]?\s{0,3}[:=]|\bcurl\b[^\n]{0,200}?\s(?:-b"
    r"|--cookie))\s{0,3}[\"']?(?P<pairs>[^\r\n]{1,4000})",
    re.IGNORECASE,
)
_BASIC: Final = late(
    r"\b[Bb]asic[ \t]{1,3}(?P<secret>[A-Za-z0-9+/_-]{12,400}={0,2})|\\{0,3}\"auth\\{0,3}\"\s?:\s?\\{0,3}\""
    r"(?P<auth>[A-Za-z0-9+/_-]{8,400}={0,2})\\{0,3}\""
)
_SESSION: Final = late(
    r"\b(?:JSESSIONID|PHPSESSID|ASP\.NET_SessionId|ASPSESSIONID\w{0,10}|connect\.sid|sessionid|session_token"
    r"|\w{0,30}_session|wordpress_logged_in\w{0,40})=(?P<secret>[\w%.:+/=-]{16,4000})"
)
_COOKIE_OF_JSON: Final = late(
    r"\"name\"\s?:\s?\"(?P<name>[\w.-]{1,60})\",[^{}]{0,300}?\"value\"\s?:\s?\"(?P<secret>(?!https?:)[^\s\"]{12,4000})\""
)
_WIFI: Final = late(r"WIFI:[^\n]{0,100}?\bP:(?P<secret>[^;\n]{4,100});")
_PAIR: Final = late(r"(?P<name>[\w.-]{1,100})=(?P<secret>[^\s;,\"']{8,4000})")
_COOKIE_NAME: Final = late(r"sess|sid|auth|token|jwt|csrf|xsrf|login|remember|secret|key", re.IGNORECASE)
_ENCODED: Final = late(r"%[0-9A-Fa-f]{2}")
_NETRC: Final = late(r"\blogin\s+\S{1,200}\s+password\s+(?P<secret>\S{1,200})")
_LOGIN_AND: Final = late(
    r"\b(?:user(?:name)?|login|benutzer|usuario|utilisateur)[ :=]{1,3}[\w.@+-]{1,60},?[ ](?:and[ ])?"
    r"(?:secret|pass\w{0,8}|pw|kennwort)[ :=]{1,3}(?P<secret>(?=\S*\d)(?=\S*[A-Za-z])[^\s\"'`,;]{6,100})",
    re.IGNORECASE,
)
_LOGINS: Final = ("user", "login", "benutzer", "usuario", "utilisateur")
_OF_DEVICE: Final = late(
    r"\b(?i:router|nas|switch|modem|firewall|printer|drucker|camera|kamera|repeater|access point|fritz!?box|idrac|ilo"
    r"|ipmi|bmc|nvr)\b[^\n:=/]{0,40}?"
    r"(?:[:=]|\b(?:is|ist|est|es)\b)[ ][`\"']?(?i:admin(?:istrator)?|root|ubnt)[ ]?/[ ]?"
    r"(?P<secret>(?=\S*\d)(?=\S*[A-Za-z])[^\s\"'`,;/]{6,100})(?![\w/])"
    r"|\b(?i:wi-?fi|wlan|ssid)\b(?:[ ](?:is|ist|est|es)|:)?[ ]"
    r"[\w.-]{2,32}[ ]/[ ](?P<key>(?=\S*\d)(?=\S*[A-Za-z])[^\s\"'`,;/]{8,63})(?![\w/])"
)
"""The login of a device, or the name of a wireless network and its key, with nothing but a slash between them."""
_PAIRED: Final = late(
    r"\b(?:credentials?|creds|log[- ]?ins?|accounts?|zugangsdaten|zugang|konto|identifiants|credenciales|cuenta"
    r"|basic[ -]auth|compte)\b[\"'`]?"
    r"(?:\s{1,3}[\w'#@.-]{1,20}){0,5}?\s{0,3}(?:[:=\u2192]|->)?\s{1,3}[\"'`]?(?P<user>[\w.@+-]{1,100})[\"'`]?"
    r"(?::|\s{0,2}/\s{0,2}|\s:\s)[\"'`]?(?P<secret>[^\s\"'`,;/]{4,200}+)(?!\s{1,2}/\s)",
    re.IGNORECASE,
)
_PAIR_OF_WORDS: Final = late(
    r"(?m)(?:\b(?:creds|credentials|zugangsdaten|identifiants|credenciales|credenziali|inloggegevens)\b[^\n:/]{0,40}"
    r"|\b(?:log-?in|sign-?in|anmeldung|connexion)[ ](?:for|to|on|at|für|bei|pour|à)[ ][\w .-]{1,30}?)"
    r"(?::|[ ](?:is|ist|lautet|est|es)(?:[ ](?:still|now|just|noch|jetzt|toujours|todavía))?)[ \t]{1,3}"
    r"[\w.@+-]{2,60}[ ]?/[ ]?(?P<secret>[a-z]{5,30})(?=[.!]?[ \t\r]{0,9}$|[,;][ ]|[ ][(\u2013-])",
    re.IGNORECASE,
)
"""The name of a user and a word, behind what can be nothing else."""
_NPM: Final = late(r":_(?:authToken|auth|password)\s{0,3}=\s{0,3}[\"']?(?P<secret>[^\s\"']{6,1000})")
_PATH_WORD: Final = late(
    r"/(?P<word>(?:web)?hooks?(?:b2)?|incoming\w{0,10}|services|magic(?:[_-]?links?)?|invit(?:e|ation)s?|join"
    r"|(?:password[_-]?)?reset(?:[_-]password)?|verif(?:y|ication)(?:[_-]email)?|confirm(?:ation)?|activat(?:e|ion)"
    r"|unsubscribe|tokens?|auth|login|sign-?in|sso|shared?|sharing|secrets?|feeds?"
    r"|private(?=-)|catch|triggers?|cron|cb|rpc|published)[/-](?P<path>[^\s\"'<>?#)\]}|]{8,600})",
    re.IGNORECASE,
)
_PATH_HOST: Final = late(
    r"://[\w.-]{0,100}(?:infura|alchemy|alchemyapi|quiknode|quicknode|ankr|moralis|chainstack|getblock|nodereal"
    r"|blastapi|tenderly|hc-ping|healthchecks|ifttt|pipedream|webhook|logic\.azure|betteruptime|betterstack|ingest"
    r"|calendar\.google|integromat|make)\.[a-z]{2,6}(?:\.\w{2,6})?/(?P<path>[^\s\"'<>?#)\]}|]{16,600})"
)
_STREAM: Final = late(r"\brtmps?://[\w.:-]{1,100}/(?:[\w.-]{1,40}/){1,3}(?P<secret>[\w?=&-]{16,200})")
"""Where a stream is sent to, with its key."""
_STRONG_PATHS: Final = late(
    r"hook|incoming|magic|invit|reset|verif|confirm|activ|unsub|token|private|catch", re.IGNORECASE
)
_WEB_TOKEN: Final = late(
    r"(?<![\w-])eyJ[\w-]{6,}={0,2}\.(?:eyJ|[\w-]{10})[\w-]*={0,2}(?:\.[\w+/-]*={0,2}){0,3}", re.ASCII
)
_PAGES: Final = (".html", ".htm", ".js", ".css", ".png", ".jpg", ".svg", ".md", ".py", ".json", ".pdf")
_DIGIT: Final = late(r"\d")
_PLACE_HOLDER: Final = late(
    r"(?:password|passwd|pass|pwd|pw|secret|token|senha|user(?:name)?)\d?", re.IGNORECASE
)


def credentials(text: str) -> Iterator[Span]:
    """Spans of credentials in addresses, headers, cookies and commands."""
    lowered = text.lower()
    if "/" in text:
        for match in _OF_DEVICE.finditer(text) if any(map(lowered.__contains__, _DEVICE_CLUES)) else ():
            group = match.lastgroup or "secret"
            secret = match[group].rstrip(".:!?)")
            if is_credential(secret) and not is_technical(secret) and not secret.isalpha():
                yield match.start(group), match.start(group) + len(secret), "credentials"
    if any(map(lowered.__contains__, ("secret", "pw", "pass "))):
        for match in _LOGIN_AND.finditer(text) if any(map(lowered.__contains__, _LOGINS)) else ():
            if is_credential(match["secret"]) and not is_technical(match["secret"]):
                yield *match.span("secret"), "credentials"
    if not any(map(lowered.__contains__, _CLUES)):
        return
    yield from _in_addresses(text)
    yield from _in_headers(text, lowered)
    for match in _PAIR_OF_WORDS.finditer(text) if "/" in text else ():
        if is_own_word(match["secret"]):
            yield *match.span("secret"), "credentials"
    for pattern in (_NETRC, _PAIRED) if "login" in text else (_PAIRED,):
        for match in pattern.finditer(text):
            secret = match["secret"].rstrip(".,;)")
            is_likely = pattern is _NETRC or _DIGIT.search(secret) or not secret.isalpha()
            if is_likely and is_credential(secret):
                yield match.start("secret"), match.start("secret") + len(secret), "credentials"


def _in_addresses(text: str) -> Iterator[Span]:
    for match in _USER_INFO.finditer(text) if "://" in text else ():
        if match["secret"] is not None:
            if is_credential(match["secret"]):
                yield *match.span("secret"), "basic-auth-credentials"
        elif match["user"] not in _OPEN_USERS and is_random(match["user"]):
            yield *match.span("user"), "basic-auth-credentials"
    for match in _PARAMETER.finditer(text) if "=" in text or "%3" in text else ():
        secret = match["secret"]
        name = match["name"].lower()
        is_plain = name.replace("-", "_").rpartition("_")[2] in _PLAIN_PARAMETERS
        is_plain = is_plain and not name.startswith(_OF_LOGIN) and nature_of(name) is None
        is_open = name == "token" or is_plain
        if (
            is_random(secret)
            or (not is_open and len(secret) >= 8 and _DIGIT.search(secret) and is_credential(secret))
            or (
                name == "key"
                and is_public_id(secret)
                and "hook" in text[max(match.start() - 60, 0) : match.start()]
            )
        ):
            yield *match.span("secret"), "credentials"
    if "://" in text:
        for match in _ANY_PARAMETER.finditer(text):
            address = text.rfind("://", max(match.start() - 200, 0), match.start())
            if (
                address >= 0
                and is_random(match["secret"], 20)
                and _LINKS.search(text, address, match.start() + 1)
            ):
                yield *match.span("secret"), "credentials"
        for match in _PATH_WORD.finditer(text):
            yield from _in_path(text, *match.span("path"), _STRONG_PATHS.search(match["word"]) is not None)
        for match in _PATH_HOST.finditer(text):
            yield from _in_path(text, *match.span("path"), True)
        for match in _STREAM.finditer(text):
            if _DIGIT.search(match["secret"]):
                yield *match.span("secret"), "credentials"
    for match in _NPM.finditer(text):
        if is_credential(match["secret"]):
            yield *match.span("secret"), "npm-tokens"


def _in_path(text: str, begin: int, end: int, is_strong: bool) -> Iterator[Span]:
    """The rest of a path from its first part that was made by chance, or, at a strong word, that is an id."""
    at = begin
    while at < end:
        stop = text.find("/", at, end)
        stop = end if stop < 0 else stop
        part = text[at:stop].removeprefix("private-")
        is_id = len(part) >= 32 and is_public_id(part.split("@")[0])
        is_link = text[at - 6 : at - 1] in ("sword", "reset") and is_chosen(part)
        is_chance = len(part) >= 16 and ".." not in part and is_random(part) and not part.endswith(_PAGES)
        if is_link or is_chance or (is_strong and is_id):
            yield at, end, "credentials"
            return
        at = stop + 1


def _in_headers(text: str, lowered: str) -> Iterator[Span]:
    has = lowered.__contains__
    for match in _WEB_TOKEN.finditer(text) if "eyJ" in text else ():
        yield *match.span(), "json-web-token"
    for pattern, clues in _HEADERS:
        for match in pattern.finditer(text) if any(map(has, clues)) else ():
            secret = match["secret"]
            if _DIGIT.search(secret) and len(secret) >= 8 and is_credential(secret):
                yield *match.span("secret"), "credentials"
    for match in _BASIC.finditer(text) if "asic" in text or '"auth' in text else ():
        group = "secret" if match["secret"] else "auth"
        if ":" in decoded(match[group]):
            yield *match.span(group), "basic-auth-credentials"
    for pattern, clue in ((_WIFI, "WIFI:"), (_SESSION, "=")):
        for match in pattern.finditer(text) if clue in text else ():
            if is_credential(match["secret"]):
                yield *match.span("secret"), "credentials"
    for match in _COOKIE_OF_JSON.finditer(text) if '"value"' in text else ():
        if _COOKIE_NAME.search(match["name"]) and _is_cookie(match["name"], match["secret"]):
            yield *match.span("secret"), "credentials"
    for match in _COOKIE.finditer(text) if has("cookie") or has("curl") else ():
        for pair in _PAIR.finditer(text, *match.span("pairs")):
            if _is_cookie(pair["name"], pair["secret"]):
                yield *pair.span("secret"), "credentials"


def _is_cookie(name: str, value: str) -> bool:
    """Whether a cookie is that of a session, or of chance; settings are words and numbers between encoded signs."""
    is_session = _COOKIE_NAME.search(name) and _DIGIT.search(value)
    return is_credential(value) and (bool(is_session) or any(map(is_random, _ENCODED.split(value))))


def decoded(encoded: str) -> str:
    """The text that is said in base64; empty if none is."""
    bare = encoded.rstrip("=")
    try:
        return b64decode(bare + "=" * (-len(bare) % 4), altchars=b"-_").decode()
    except ValueError:
        return ""


def is_credential(value: str) -> bool:
    """Whether a value stands for itself, and is no word for what belongs there."""
    return is_held_value(value) and _PLACE_HOLDER.fullmatch(value) is None
