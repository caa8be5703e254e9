"""Values whose name says that they are secret: `DB_PASSWORD=...`, `"access_token": "..."`, `--token ...`, `the password
is ...`, in code, settings, commands and in the speech of people (English, German, French, Spanish).

A name counts by its words: `password`, `client_secret`, `API_TOKEN`; `password_hash`, `token_count`, and `cache_key`
speak of something else. What is said to be its value counts unless it is a place holder, a reference, a type or a word
of speech.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final

from engramforge.core.secrets.chance import is_held_value, is_random
from engramforge.core.secrets.nearby import names_public
from engramforge.core.secrets.service_tokens import Span

KIND: Final = "secret-keyword"

_STEM: Final = re.compile(
    r"pass|pwd|pw\b|(?<=_)(?:salt|pepper)\b|authtok\b|\bmdp\b|psk|secret|token|key|credential|contrase|clave|kennwort|schl(?:ü|ue)ssel|jeton"
    r"|identifiant|\bclé\b"
)
"""What every name of a secret has in it, in small letters."""
_PASSWORDS: Final = re.compile(
    r"\w*(?:password|passwd|passphrase|passcode|passwort|pwd|passw|kennwort|secret)s?|(?!by|com|sur|tres|over|under)\w{0,8}pass"
    r"|(?:key|store|truststore|keystore)pass|passe|passw(?:oe|ö)rter|contrase(?:ñ|n)as?|clave|\w{0,8}pw|authtok|mdp|psk"
    r"|(?:wlan|wifi|netzwerk)(?:key|schlüssel)"
)
"""Words for what people make up."""
_MADE_BY_PEOPLE: Final = re.compile(
    r"pass|pwd|pw|mdp|psk|contrase|clave|kennwort|credential|identifiant|schl|clé|wi-?fi"
)
_TOKENS: Final = re.compile(
    r"\w*token|\w{0,12}(?:api|access|auth|secret|private|signing|encryption|service|account|master|ssh|deploy)keys?"
    r"|credentials?|jeton|identifiants?|(?:zugriffs|zugangs|api)schlüssel|presharedkey"
)
"""Words for what machines make up."""
_KEYS: Final = frozenset({"key", "keys", "schlüssel", "schluessel", "clé"})
_KEY_WORDS = (
    "api access auth private encryption signing secret master service account client admin license licence storage "
    "shared webhook deploy hmac aes jwt ssh session integration rest bot app server function host root consumer "
    "restricted management ingest ingestion write read preshared unseal certificate"
)
_OF_KEYS: Final = frozenset(_KEY_WORDS.split())
"""Words before `key` that make a secret of it."""
_BEFORE_KEY: Final = re.compile(r"(?<![A-Za-z])([A-Za-z]++)[ -]$")
_AFTER_KEY: Final = re.compile(
    r"[ \t](?:de[ \t](?:la[ \t])?|du[ \t]|del[ \t]|d['\u2019])?(?:wi-?fi|wlan|réseau|red\b|(?P<token>api"
    r"|acc[èe]s|privée|secrète|chiffrement|cifrado))"
)
_NETWORK: Final = re.compile(r"\b(?:wi-?fi|wlan)\b", re.IGNORECASE)
_NETWORKS: Final = frozenset({"wlan", "wifi", "netzwerk", "network"})
_NO_LOGIN: Final = re.compile(
    r"[\W_]{0,9}+[a-z](?>(?:(?!user|login|log in|account|benutzer|konto|mail)[^\n,;/={(|:\"']){0,60})",
    re.IGNORECASE,
)
"""What stands before `pass` on its line where it is no password: words, none of which is of a login."""
_TAIL: Final = re.compile(r"[\w.-]{0,40}")
_WORD: Final = re.compile(r"[A-Z]?[a-zà-ÿ]+|[A-Z]+(?![a-zà-ÿ])|\d+")
_MARK: Final = "[REDACTED:"
_LONGEST_NAME: Final = 60
_LONGEST_VALUE: Final = 4_000
_ABOUT_WORDS = (
    "hash hashed hashes hasher digest at created updated expires expiry expired expiration id ids name names type "
    "types count counts counter length len size sizes url urls uri uris path paths dir file files filename field "
    "fields policy reset hint prefix suffix header headers ttl limit limits budget budgets usage used bucket "
    "buckets index manager provider service factory class store storage handler validator validation rotation "
    "rotated version status enabled disabled required label placeholder regex pattern format strength min max "
    "minimum maximum rule rules column columns table param params ring logits embedding embeddings per rate price "
    "cost prompt completion input output total window context list error errors is has no need needs scope scopes "
    "timeout endpoint hashers refresh schedule subject title button message text seconds minutes days age "
    "attempts project issuer audience ref region zone namespace owner team env environment mode set address "
    "addresses contract symbol standard parser lexer service "
)
_ABOUT: Final = frozenset(_ABOUT_WORDS.split())
"""Last words of names that speak of a secret and are none."""
_NEVER: Final = frozenset(
    {"hash", "hashed", "placeholder", "header", "hint", "policy", "length", "public", "reset", "fingerprint"}
)
_OTHER_KEY_WORDS = (
    "page continuation cursor sync pagination start end public primary foreign cache partition sort object row "
    "index group shortcut hot idempotency dedup lookup map max min num total input output prompt completion "
    "completions next csrf count used remaining per "
)
_OTHER_KEYS: Final = frozenset(_OTHER_KEY_WORDS.split())
"""Words before `key` and `tokens` that make something else of them."""

_ASSIGNED: Final = re.compile(
    r"""(?:\\?["'`]|[\])]|\*\*){0,3}
    (?:[ \t]{0,3}:[ \t]{0,3}[\w.&\[\] |]{1,30}(?=[ \t]=)|[ \t][\w.*&\[\]]{1,20}(?=[ \t]{1,2}:?=[ \t]))?[ \t]{0,8}
    (?P<op>:=|=>|→|->|===?|\|\|=?|\?\?=?|\|(?=[ \t])|=|:-?|,(?=[ \t]{0,3}["'])|>(?:<\w{1,20}>)?(?=[^\s<>]{4,200}</))
    (?:\*\*)?[ \t]{0,8}(?:<[a-z]{1,6}>){0,2}
    (?:(?:Buffer\.from|bytes\.fromhex|(?:base64\.)?b64decode|(?:binascii\.)?unhexlify|\[\]byte|SecretStr)\((?=[bruf]?["']))?
    (?:[bruf]{0,2}\\?(?P<quote>["'`]))?""",
    re.VERBOSE,
)
_SPOKEN: Final = re.compile(
    r"""["'`)]{0,2}[?,.]?(?P<what>(?:[ \t]{1,40}+(?!not\b|kein|pas\b)[\w'()/@.-]{1,24},?){0,6}?)[ \t]{1,40}+
    (?P<verb>is|was|are|be|reads?|remains|equals|lautet|ist|war|wäre|wird|heißt|est|è|é|c'est|devient|sera|serait|sería|es|era|será|queda|sind
    |becomes|to|now|jetzt|ahora|maintenant|auf|a|à|en|por|par|durch|with|into|als|as|it's|It's)[ \t]{0,40}+
    (?::[ \t]{1,40}+|(?<=[ \t]))
    (?:(?:ser|être|now|still|currently|actually|übrigens|jetzt|nun|noch|weiterhin|maintenant|toujours|ahora
    |todavía)[ \t]{1,9}+)?
    (?P<quote>["'`“”«„]?)""",
    re.VERBOSE,
)
_MOST_VERBS: Final = 3
_IS: Final = frozenset({"is", "was", "ist", "est", "es"})
_OF_WHAT: Final = re.compile(
    r"(?P<what>(?P<of>[ \t](?:for|of|on|at|to|für|fürs|vom|von|zu|zum|de|du|del|pour"
    r"|para))?(?:[ \t]\(?[\w'\u2019.@/-]{1,24}\)?){1,4}?)[ \t]?"
    r"(?:[:=→]|[-\u2013\u2014](?=[ \t]))[ \t]{1,3}(?P<quote>[\"'`]?)"
)
_BESIDE: Final = re.compile(r"""[ \t]{1,3}(?:["'`«„“(]|<[a-z]{1,6}>)?(?P<value>[^\s"'`<>|,;()]{6,200})""")
_HEX: Final = re.compile(r"[0-9a-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MADE_UP: Final = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])[\w.-]*[!$%#?&*^~][\w!$%#?&*^~.-]*")
"""Letters, a digit and a sign, as people are made to choose passwords."""
_SIGN_WITHIN: Final = re.compile(r"(?=\w*[a-z])(?=\S*[A-Z])(?=\S{8})[A-Za-z]{2,40}[!$%#&*^~@][A-Za-z]{2,40}")
_CHOSEN: Final = re.compile(r"(?=.{7})[A-Za-z]\w*(?:-\w+){0,3}")
"""Words with a number, alone or joined."""
_FIRST: Final = re.compile(r"[-_\d]")
_OPTION: Final = re.compile(r"(?P<op>[ \t]{1,4}|=)(?P<quote>[\"']?)")
_NEXT: Final = re.compile(r"[,;](?=[\w\"'])|&(?=[\w.-]+=)")
"""Where the next of several values begins."""
_BARE: Final = re.compile(r"[^\s\"'`<|]{1,1000}")
_LAST_WORD: Final = re.compile(r"[^\s\"',{}()\[\]<>]{4,100}+[\"']?[ \t\r]{0,9}+(?:\n|\Z)")
_CLOSING: Final = {"“": "”", "”": "”", "«": "»", "„": "“"}

_HOST: Final = re.compile(
    r"[a-z\d-]{1,63}+(?:\.[a-z\d-]{1,63}+){2,6}|[\w./-]{1,200}\.[jt]s:\d{1,6}(?::\d{1,6})?"
)
_SLUG: Final = re.compile(r"[a-z]{1,20}+(?>(?:[-_/](?:(?:20\d\d|v?\d{1,2})(?!\d)|[a-z]{1,20}+)){0,4})")
"""How secrets are named."""
_CODE_WORD: Final = re.compile(r"[^\W\d]+(?:[.-][^\W\d]+)*")
_LABEL: Final = re.compile(r"geheimnis|wachtwoord|hasło|пароль|senha|contraseña")
"""What a password is called where it is only named."""
_TECHNICAL: Final = re.compile(
    r"(?:sha|md|base|utf|oauth|argon|bcrypt|scrypt|pbkdf|ed|rsa|aes|x|pkcs|http|v|python|s|ec|k|h|p|es|rs|hs|tls|ssl|saml"
    r"|oidc|totp|mfa|crc|ipv|web|node|py|phase|step|version|line|page|day|issue|id)-?\d{1,5}"
    r"(?>(?:[a-z]{1,3}+(?![a-z])|[.:]\d++|-\w++)*)",
    re.IGNORECASE,
)
_PATH: Final = re.compile(r"[\w.-]*/[\w./-]*\.\w{1,5}|(?:[\w.-]+/){2,}[\w.-]*")
_DOTTED: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_MEASURE: Final = re.compile(r"[~<>]?\d[\d.,:/-]*(?:-?[A-Za-z%]{1,12})?(?:-[a-z]+)?")


def named_values(text: str) -> Iterator[Span]:
    """Spans of values that a name, an option or a sentence calls secret."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few letters become two
        lowered = text
    done = 0
    for hit in _STEM.finditer(lowered):
        if hit.start() < done:
            continue
        if text.startswith(_MARK, max(hit.start() - len(_MARK), 0)):
            done = text.find("]", hit.start())
            continue
        begin = _name_begin(text, hit.start(), done)
        tail = _TAIL.match(text, hit.end())
        end = hit.end() if tail is None else tail.end()
        while text[end - 1] in ".-":
            end -= 1
        done = end
        nature = nature_of(
            text[begin:end],
            text[max(begin - 40, text.rfind("\n", 0, begin) + 1) : begin],
            text[end : end + 24],
        )
        if nature is None:
            continue
        found = _value_after(text, begin, end, nature is Nature.PASSWORD)
        if found is None:
            continue
        is_variable = text[begin:end].isupper() and text[end] == "=" and "/" not in text[slice(*found)]
        if is_variable or not (names_holder(text[begin:end]) and _SLUG.fullmatch(text, *found)):
            done = found[1]
            yield *found, KIND


def names_holder(name: str) -> bool:
    """Whether what is so named may as well be the name of a secret: `secret: shop-db-v2`, but no password."""
    return _MADE_BY_PEOPLE.search(name.lower()) is None


class Nature(Enum):
    """Who makes up what a name names: people, or machines."""

    PASSWORD = "password"  # noqa: S105
    TOKEN = "token"  # noqa: S105


def nature_of(name: str, before: str = "", after: str = "") -> Nature | None:
    """What a name names, if it is a secret and not something about one. `before`, `after`: the text around it."""
    words = [word.lower() for word in _WORD.findall(name)]
    if not words or words[-1] in _ABOUT or not _NEVER.isdisjoint(words):
        return None
    if any(map(_PASSWORDS.fullmatch, words)):
        return Nature.PASSWORD
    last = words[-1]
    earlier = words[:-1] or [word.lower() for word in _BEFORE_KEY.findall(before)]
    if last in _KEYS:
        kind = _AFTER_KEY.match(after.lower())
        if kind is not None or not _NETWORKS.isdisjoint(earlier) or _NETWORK.search(before):
            return Nature.TOKEN if kind is not None and kind["token"] else Nature.PASSWORD
        is_setting = name.isupper() and _OTHER_KEYS.isdisjoint(earlier) and len(words) > 1
        return Nature.TOKEN if is_setting or not _OF_KEYS.isdisjoint(earlier) else None
    is_salt = last in ("salt", "pepper") and name.isupper()
    if (is_salt or any(map(_TOKENS.fullmatch, words))) and _OTHER_KEYS.isdisjoint(earlier):
        return Nature.TOKEN
    return None


def _name_begin(text: str, at: int, least: int) -> int:
    """Where the name begins that has the stem at this place."""
    lowest = max(at - _LONGEST_NAME, least)
    while at > lowest and (text[at - 1].isalnum() or text[at - 1] in "_-."):
        at -= 1
    return at


def _value_after(text: str, begin: int, end: int, is_password: bool) -> tuple[int, int] | None:
    """The span of the value that follows a name, if it is one."""
    name = text[begin:end]
    if text.startswith("--", begin) and (option := _OPTION.match(text, end)) is not None:
        return _value(text, option.end(), option["quote"], is_password, option["op"] == "=")
    assigned = _ASSIGNED.match(text, end)
    if assigned is not None:
        quote, op = assigned["quote"] or "", assigned["op"]
        is_setting = op == "=" and (name.isupper() or not text[assigned.start("op") - 1].isspace())
        is_setting |= (
            op == ":"
            and is_password
            and "_" in name
            and name.isupper()
            and _LAST_WORD.match(text, assigned.end()) is not None
        )
        if op == ":" and not quote and assigned.end() == assigned.end("op"):
            return None  # `secret:prod/db` is a path
        line = text.rfind("\n", 0, begin) + 1
        if op == ":" and name == "pass" and _NO_LOGIN.fullmatch(text, line, begin):
            return None  # all tests pass: a list of them; a boarding pass
        if op == "|" and not text.startswith("|", line):
            return None  # a pipe of commands
        is_call = "(" in text[max(begin - _LONGEST_NAME, line) : begin]
        if quote and op == ":" and " " in _quoted(text, assigned.end(), quote).strip():
            return None  # a quotation after a colon is speech
        found = _value(text, assigned.end(), quote, is_password, is_setting and not is_call, name.isupper())
        if op == "," and found is not None and not any(map(str.isdigit, text[slice(*found)])):
            # A word after a name: the second of two arguments, or the next of many names.
            is_second = text[found[1] + 1 : found[1] + 2] == ")" and text[begin - 2 : begin - 1] == "("
            return found if is_second else None
        return found
    spoken = _OF_WHAT.match(text, end)
    if spoken is not None and not _is_of_other(spoken):
        return _value(text, spoken.end(), spoken["quote"], is_password, False)
    return _spoken(text, name, end, is_password) or _beside(text, begin, end, is_password)


def _spoken(text: str, name: str, end: int, is_password: bool) -> tuple[int, int] | None:
    """The span of what a sentence says that it is: `the password to the router is ...`."""
    at = end
    for _ in range(_MOST_VERBS):
        spoken = _SPOKEN.match(text, at)
        if spoken is None or "\n" in spoken[0]:
            return None
        if (name.lower() == "pass" and spoken["verb"] not in _IS) or names_public(_first(spoken["what"])):
            return None  # to pass one thing to another; a token contract
        found = _value(text, spoken.end(), spoken["quote"], is_password, False)
        if found is not None:
            return found
        at = spoken.end("verb")
    return None


def _is_of_other(spoken: re.Match[str]) -> bool:
    """Whether the words after the name make something else of it: `password policy`, `token address`."""
    words = spoken["what"]
    return not (_ABOUT - {"is"}).isdisjoint(words.lower().split()) or (
        spoken["of"] is None and names_public(words)
    )


def _first(words: str) -> str:
    return words.split(maxsplit=1)[0] if words.strip() else ""


def _beside(text: str, begin: int, end: int, is_password: bool) -> tuple[int, int] | None:
    """The span of the word that follows a name without any sign, if it can hardly be a word."""
    name = text[begin:end].lower()
    beside = _BESIDE.match(text, end)
    if (
        beside is None
        or (name in ("secret", "secrets") and not _MADE_UP.fullmatch(beside["value"]))
        or (name == "pass" and text[begin - 1 : begin] not in ("(", " "))
    ):
        return None
    value = beside["value"].rstrip(".,:;!?)]}»”\\")
    is_chance = is_random(value, 12) or (not is_password and _HEX.fullmatch(value) is not None)
    is_made_up = is_password and (
        _MADE_UP.fullmatch(beside["value"]) is not None
        or _SIGN_WITHIN.fullmatch(value)
        or (
            _CHOSEN.fullmatch(value) is not None
            and name != "pass"
            and _FIRST.split(value)[0] not in _ABOUT
            and _is_likely(value, False, True, False)
        )
    )
    if (
        (is_chance or is_made_up)
        and is_held_value(value)
        and not _PATH.fullmatch(value)
        and not _HOST.fullmatch(value)
    ):
        return beside.start("value"), beside.start("value") + len(value)
    return None


def _quoted(text: str, at: int, quote: str) -> str:
    closing = _CLOSING.get(quote, quote)
    end = text.find(closing, at, at + _LONGEST_VALUE)
    while end > at and text[end - 1] == "\\" and text[at - 2 : at - 1] != "\\":
        end = text.find(closing, end + 1, at + _LONGEST_VALUE)
    return text[at:end] if end >= 0 else ""


def _value(
    text: str, at: int, quote: str, is_password: bool, is_setting: bool, is_variable: bool = False
) -> tuple[int, int] | None:
    """The span of a value that begins here, if it may be a secret.

    `is_password`: people make them up, so words count. `is_setting`: nothing but a value can stand here, for a
    `is_variable` of the environment not even another name.
    """
    if quote:
        value = _quoted(text, at, quote)
        end = at + len(value)
        if "\n" in value or (" " in value.strip() and not is_setting):
            return None
    else:
        bare = _BARE.match(text, at)
        if bare is None:
            return None
        value = bare[0] if bare[0].endswith("...") else bare[0].rstrip(".,:;!?)]}»”\\")
        value = _NEXT.split(value, maxsplit=1)[0]
        end = at + len(value)
    is_name = (
        not is_variable
        and _CODE_WORD.fullmatch(value[:-1] if value[-1:].isdigit() else value)
        and _names_secret(value.lower())
        and not (is_password and is_mixed(value))
    )
    if is_held_value(value) and not is_name and _is_likely(value, bool(quote), is_password, is_setting):
        return at, end
    return None


def _names_secret(value: str) -> bool:
    return _STEM.search(value) is not None or _LABEL.fullmatch(value) is not None


def is_mixed(value: str) -> bool:
    """Whether capitals and small letters alternate as in no name."""
    return len(value) >= 10 and value.isalpha() and 2.5 * len(_WORD.findall(value)) >= len(value)


def _is_likely(value: str, is_quoted: bool, is_password: bool, is_setting: bool) -> bool:
    has_digit = any(map(str.isdigit, value))
    has_letter = any(map(str.isalpha, value))
    if value.startswith(("http://", "https://", "(")) or _HOST.fullmatch(value):
        return False
    if is_random(value) or (is_password and is_mixed(value)):
        return True
    if is_quoted or is_setting:
        # A word alone is a password where one is expected, and a name where a token is; a path is neither.
        return is_password or (len(value) >= 8 and has_digit and not _PATH.fullmatch(value))
    if is_password and _SIGN_WITHIN.fullmatch(value):
        return True
    if not has_digit or len(value) < 6 or _TECHNICAL.fullmatch(value) or _MEASURE.fullmatch(value):
        return False
    if any(mark in value for mark in "(){}[]<>") or value.startswith(("http:", "https:", "/", "./", "~/")):
        return False
    return has_letter if is_password else has_letter and len(value) >= 16 and not _DOTTED.fullmatch(value)
