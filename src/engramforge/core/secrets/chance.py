"""What a run of characters is: made by chance, an id that everybody shows, the holder of a place, a removed secret."""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.text.late_pattern import late

KIND: Final = "secret-keyword"
"""What a secret is of which only its name or its place is known."""
MARK: Final = "[REDACTED:"
_PIECE: Final = late(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_HEX: Final = late(r"(?:0x)?[0-9a-fA-F]+")
_UUID: Final = late(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ULID: Final = late(r"0[0-9A-H][0-9A-HJKMNP-TV-Z]{24}")
_LONGEST_LOOKED_AT: Final = 200
_FILLING: Final = late(
    r"([xX*•#0.…])\1{5,}|(?i:(?<![a-z])(?:placeholder|redacted|(?:your|my|the|insert|enter|replace|put|paste)"
    r"[-_](?:[a-z]{1,12}[-_]){0,3}?(?:key|token|secret|password|here|value|id|hash))(?![a-z]))"
)
"""What is in a mask, or in what holds a place."""

_HOLDERS: Final = late(
    r"(?:str|string|text|type|value|any|none|null|nil|true|false|number|int|integer|bool(?:ean)?|bytes?|object|array"
    r"|list|optional|required|missing|invalid|valid|wrong|incorrect|empty|unset|unknown|undefined|default|hidden|masked"
    r"|redacted|removed|(?:en|dis)abled|hashed|encrypted|plaintext|[bs]crypt|argon2\w*|pbkdf2|secure|changed?"
    r"|(?:scram-)?sha-?\d+|todo|tbd|foo|bar|baz|here|example|sample|dummy|fake|placeholder|test|n/a|(?:\w{1,30}=)?0x[0-9a-f]{8,16}|(?:[a-z\d]{2,12}[_-]){0,4}x{3,}|x+"
    r"|@[\w./-]{1,60}\.[a-z]{2,4}|\.{2,}|…|\*+|•+|-+|_+"
    r"|(?:my|the|some|new)(?>(?:[^\W\d]|[ .-]){0,60})(?:(?<=pass)|(?<=word)|(?<=hrase)"
    r"|(?<=pw)|(?<=pwd)|(?<=token)|(?<=key)|(?<=secret)|(?<=value)|(?<=here))"
    r"|(?:your|insert|enter|put|replace)(?:[^\W\d]|[ .-]|(?<=[_.-])\d{1,4}(?=[_.-]))*"
    r"|<[^>]*>?|\[[^\]]*\]?|\$.*|%.*|\{.*"
    r"|change[-_ ]?(?:me|it|this)|not[-_ ]?set|(?>[\w.-]*?(?:example|placeholder|redacted|changeme)(?!\d\d))[\w.-]*+)",
    re.IGNORECASE,
)
"""What stands where a value belongs: types, place holders, masks, variables, addresses of memory, templates."""
_REFERENCE: Final = late(
    r"(?:self|this|os|process|env|environ|config|settings|args|opts|options|params|request|req|props|state|vault"
    r"|secrets|cfg|ctx|context|data|user|event|input|form|body|kwargs|var|local|ssm|ref)[.\[]|[\w.]+\("
    r"|[A-Za-z_][\w.]*\[|\^?\[\S*\][+*?{]|ENC\[|arn:|(?:env|file|fd|keychain|keyring|op|vault|ssm|kv|exec):"
    r"|@(?:[\w.~-]*/[\w./-]*|[\w-]+\.[a-z]{2,6}|-)\Z"
    r"|~?/(?:app|data|dev|etc|home|mnt|opt|proc|root|run|srv|tmp|usr|var|vault|Users)/\S*"
    r"|(?:[A-Z\d]+-){0,2}HMAC-SHA-?\d+|age1[a-z\d]{50}|[\dA-F]{2}\S{0,70}\?=\Z"
)
_TECHNICAL: Final = late(
    r"(?:sha|md|base|utf|oauth|argon|bcrypt|scrypt|pbkdf|ed|rsa|aes|x|pkcs|http|v|python|s|ec|k|h|p|es|rs|hs|tls|ssl"
    r"|saml|int|float|(?:var)?char|oidc|totp|mfa|crc|ipv|web|node|py|phase|step|version|line|page|day|issue|id)-?\d{1,5}"
    r"(?>(?:[a-z]{1,3}+(?![a-z])|[.:]\d++|-\w++)*)",
    re.IGNORECASE,
)
_MEASURE: Final = late(r"[~<>]?\d[\d.,:/-]*(?:-?(?!(?<=\d{4}-)[A-Z])[A-Za-z%]{1,12})?(?:-[a-z]+)?")
_NUMBERED_WORDS: Final = late(
    r"(?P<first>[A-Za-zÀ-ÿ]{3,100}+)(?>(?:[._+-][A-Za-zÀ-ÿ]{2,100}+){0,4})(?:(?:[._+-]\d{1,2}|[._+-]?\d{2,8})[a-z]{0,2}"
    r"|\d{1,6}[A-Za-z]{3,20})"
)
_SIGNED: Final = late(r"(?=\S*\d)(?=\S*[A-Za-z]{2})[\w.+-]*[!$%#?&*^~][\w!$%#?&*^~.+-]*")
_THING_WORDS = (
    "user account ticket issue version release build branch server host node port machine cluster group room ubuntu "
    "debian fedora windows office postgres mysql redis mongo python java kernel chapter section page figure table "
    "appendix step phase level test case task item card story sprint week day month year spring summer january "
    "february march april may june july august september october november december http https proxy web app api auth "
    "service job worker pod container image commit line error code option slot vlan subnet net iphone galaxy pixel "
    "model type class var tmp screenshot photo img file doc docs report invoice order backup dump snapshot feature "
    "bugfix hotfix fix main dev prod role rule entry record session request tag tags topic queue bucket shard zone "
    "region batch ref bug staging stage key token secret password login client tenant customer project team org us eu "
    "ap db srv vm gpu cpu ip"
)
_THINGS: Final = frozenset(_THING_WORDS.split())
"""First words of names with a number."""


def is_random(run: str, least: int = 16) -> bool:
    """Whether letters and digits alternate as chance makes them, in at least so many characters.

    A hexadecimal number or a UUID is not: commits, digests and ids are public. Of random texts of 20 letters and digits
    3 in 100 do not count, since they have no digit; of four words in camelCase with a number 1 in 100 does.
    """
    if len(run) < least or not any(map(str.isdigit, run)) or is_public_id(run):
        return False
    looked = run[:_LONGEST_LOOKED_AT]
    pieces = _PIECE.findall(looked)
    letters = sum(map(str.isalpha, looked))
    # Words are long pieces: chance changes between small letters, capitals and digits every second character.
    longest = 4 if looked.islower() or looked.isupper() else 3
    return letters >= len(looked) / 4 and len(pieces) * longest >= sum(map(len, pieces))


def is_public_id(run: str) -> bool:
    """Whether it is a UUID, a ULID, or one hexadecimal number such as a commit or a digest."""
    return any(shape.fullmatch(run) for shape in (_HEX, _UUID, _ULID))


def is_held_value(value: str) -> bool:
    """Whether it stands for itself: no place holder, no reference to where the value is."""
    return not (
        len(value) < 4
        or not any(map(str.isalnum, value))
        or _HOLDERS.fullmatch(value)
        or _REFERENCE.match(value)
        or MARK in value
        or value.endswith(("...", "…"))
        or value.startswith(("SHA256:", "MD5:"))
    )


def is_filled(value: str) -> bool:
    """Whether what looks like a secret is a mask or holds a place: `xoxb-your-token-here`, `sk-proj-******7xQA`."""
    rest = _FILLING.sub(" ", value)
    return len(rest) < len(value) and not any(is_random(piece, 8) for piece in re.split(r"[\W_]+", rest))


def is_technical(value: str) -> bool:
    """Whether it is the name of a thing with a number (`sha256`, `python3.11`), or a measure."""
    return _TECHNICAL.fullmatch(value) is not None or _MEASURE.fullmatch(value) is not None


def is_chosen(value: str) -> bool:
    """Whether people choose such passwords: words with a number, joined or not, or with a sign; eight characters.

    Names of machines, branches and products look alike, so something has to say that a password stands there.
    """
    if len(value) < 8 or is_technical(value) or not is_held_value(value):
        return False
    words = _NUMBERED_WORDS.fullmatch(value)
    if words is not None:
        return words["first"].lower() not in _THINGS
    return _SIGNED.fullmatch(value) is not None or is_random(value, 10)
