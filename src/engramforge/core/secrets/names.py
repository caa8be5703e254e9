"""What a name names: a secret that people make up, one that machines make up, or neither.

A name counts by its words: `password`, `client_secret`, `API_TOKEN`; `password_hash`, `token_count`, and `cache_key`
speak of something else.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

STEM: Final = re.compile(
    r"pass|pwd|pw\b|psw|(?<=_)(?:salt|pepper)\b|authtok\b|\bmdp\b|psk|secret|token|key|credential|contrase|clave"
    r"|kennwort|schl(?:ü|ue)ssel|jeton|identifiant|\bclé\b"
)
"""What every name of a secret has in it, in small letters."""
_PASSWORDS: Final = re.compile(
    r"\w*(?:password|passwd|passphrase|passcode|passwort|pwd|passw|kennwort|secret)s?|(?!by|com|sur|tres|over"
    r"|under)\w{0,8}pass|(?:key|store|truststore|keystore)pass|passe|passw(?:oe|ö)rter|contrase(?:ñ|n)as?|clave"
    r"|\w{0,8}pw|authtok|mdp|\w{0,6}psk|pswd?|(?:wlan|wifi|netzwerk)(?:key|schlüssel)"
)
"""Words for what people make up."""
_MADE_BY_PEOPLE: Final = re.compile(
    r"pass|pwd|pw|psw|mdp|psk|contrase|clave|kennwort|credential|identifiant|schl|clé|wi-?fi"
)
_TOKENS: Final = re.compile(
    r"\w*token|\w{0,12}(?:api|access|auth|secret|private|signing|encryption|service|account|master|ssh|deploy)keys?"
    r"|credentials?|jeton|identifiants?|(?:zugriffs|zugangs|api)schlüssel|presharedkey|(?:password|hash|auth)salt"
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
_NETWORK: Final = re.compile(r"\b(?:wi-?fi|wlan|ssid)\b", re.IGNORECASE)
_WIRELESS: Final = re.compile(
    r"\b(?:wi-?fi|wlan|ssid|netzwerk|(?:netz|network|réseau|red|rete|rede|netwerk)[ *]{0,3}:)", re.IGNORECASE
)
KEYS: Final = _KEYS | {"clave", "llave", "chiave", "chave", "sleutel"}
"""Words for a key in any language."""
_NETWORKS: Final = frozenset({"wlan", "wifi", "netzwerk", "network"})
_WORD: Final = re.compile(r"[A-Z]?[a-zà-ÿ]+|[A-Z]+(?![a-zà-ÿ])|\d+")
_ABOUT_WORDS = (
    "hash hashed hashes hasher digest at created updated expires expiry expired expiration id ids name names type "
    "types count counts counter length len size sizes url urls uri uris path paths dir file files filename field "
    "fields policy reset hint prefix suffix header headers ttl limit limits budget budgets usage used bucket buckets "
    "index manager provider service factory class store storage handler validator validation rotation rotated version "
    "status enabled disabled required label placeholder regex pattern format strength min max minimum maximum rule "
    "rules column columns table param params ring logits embedding embeddings per rate price cost prompt completion "
    "input output total window context list error errors is has no need needs scope scopes timeout endpoint hashers "
    "refresh schedule subject title button message text seconds minutes days age attempts project issuer audience ref "
    "region zone namespace owner team env environment mode set address addresses contract symbol standard parser lexer"
)
ABOUT: Final = frozenset(_ABOUT_WORDS.split())
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

_SPEECH_WORDS = (
    "the and for not with from are was were has have had its this that these those they them you your our his her must "
    "should can could may will would shall been being does did than then when where which who why how what again only "
    "also very too now still out off but all any some one two three four five six seven eight nine ten enter type "
    "choose change changed please confirm repeat forgot forgotten reset show hide set get use used using need needs "
    "required invalid wrong incorrect expired missing empty long short weak strong least most more less characters "
    "character chars digits digit letters letter symbols symbol minimum maximum stored saved kept hashed encrypted "
    "sent per after before between under over via see ask same different unique random valid never always password "
    "passwords passphrase passphrases passwort passwörter kennwort secret secrets token tokens key keys field login "
    "user users account new old current next last first string value text optional default generated manager der die "
    "das und ist sind war wird werden nicht ein eine einen dem den des mit für von auf aus bei nach zum zur sein haben "
    "muss soll kann mindestens zeichen bitte eingeben ändern vergessen noch schon falsch abgelaufen les une est sont "
    "pas pour dans avec sur par doit qui que son ses mon mes votre vos ton tes moins los las una del con por para está "
    "debe sus mis tus menos incorrecta"
)
SPEECH: Final = frozenset(_SPEECH_WORDS.split())
"""Words that sentences have and phrases of chance have not."""
TYPES: Final = re.compile(
    r"(?:var)?char|string|text|citext|blob|boolean|bytea|request|input|result|config|values?|settings|generate[ds]?"
    r"|auto"
    r"|random|prompt|always|never|yes|enabled|disabled|allow(?:ed)?|deny|denied|strong|weak|plain|minimal|short|long"
    r"|mandatory|expired|unchanged|prohibited|visible|disallowed|keyring|inherit|interactive|passed|failed|ignored?"
)
"""Words of types and of settings about secrets."""
_LABEL: Final = re.compile(r"geheimnis|wachtwoord|hasło|пароль|senha|contraseña")
"""What a password is called where it is only named."""


def names_holder(name: str, nature: Nature | None = None) -> bool:
    """Whether what is so named may as well be the name of a secret: `secret: shop-db-v2`, but no password.

    `nature`: what the name names there; a `key` is a password where it is one of a network.
    """
    is_of_network = nature is Nature.PASSWORD and name.lower() == "key"
    return not is_of_network and _MADE_BY_PEOPLE.search(name.lower()) is None


class Nature(Enum):
    """Who makes up what a name names: people, or machines."""

    PASSWORD = "password"  # noqa: S105
    TOKEN = "token"  # noqa: S105


def nature_of(name: str, before: str = "", after: str = "") -> Nature | None:
    """What a name names, if it is a secret and not something about one. `before`, `after`: the text around it."""
    words = [word.lower() for word in _WORD.findall(name)]
    if not words or words[-1] in ABOUT or not _NEVER.isdisjoint(words):
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


def nature_below(name: str, above: str) -> Nature | None:
    """What a bare `key` names at the beginning of a line below the name of a wireless network."""
    return Nature.PASSWORD if name.lower() in KEYS and _WIRELESS.search(above) else None


def is_name_of_secret(value: str) -> bool:
    """Whether a value, in small letters, is itself the name of a secret: `password = password`."""
    return STEM.search(value) is not None or _LABEL.fullmatch(value) is not None


def is_plain_word(value: str) -> bool:
    """Whether it is a word of speech, a type, or the name of a secret."""
    word = value.lower()
    return word in SPEECH or TYPES.fullmatch(word) is not None or is_name_of_secret(word)


def is_mixed(value: str) -> bool:
    """Whether capitals and small letters alternate as in no name, or there are hardly any vowels."""
    if len(value) < 10 or not value.isalpha() or value.islower() or value.isupper():
        return False
    vowels = sum(map("aeiouyAEIOUY".__contains__, value))
    return 2.5 * len(_WORD.findall(value)) >= len(value) or (len(value) >= 14 and 5 * vowels < len(value))
