"""What a name names: a secret that people make up, one that machines make up, or neither.

A name counts by its words: `password`, `client_secret`, `API_TOKEN`; `password_hash`, `token_count`, and `cache_key`
speak of something else.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from engramforge.core.text.late_pattern import late

STEM: Final = late(
    r"pass|pwd|pw\b|psw|(?<=_)(?:salt|pepper)\b|authtok\b|\bmdp\b|psk|secret|token|key|credential|contrase|clave"
    r"|kennwort|schl(?:ü|ue)ssel|jeton|identifiant|\bclé\b"
)
"""What every name of a secret has in it, in small letters."""
PW_WORD: Final = (
    r"(?i:pass(?=[ ]?[:=])|\w{0,12}(?:passw(?:or[dt]s?|örter|d)|pass[ ]?phrases?|kennw(?:ort|örter))|pass[ ]?codes?"
    r"|pwd?|mots?[ ]de[ ]passe|mdp|contraseñas?|clave|senhas?|wachtwoord(?:en)?)"
)
"""What a password is called in sentences, as a part of patterns."""
_PASSWORDS: Final = late(
    r"\w*(?:password|passwd|passphrase|passcode|passwort|pwd|passw|kennwort|secret)s?|(?!by|com|sur|tres|over"
    r"|under)\w{0,8}pass|(?:key|store|truststore|keystore)pass|passe|passw(?:oe|ö)rter|contrase(?:ñ|n)as?|clave"
    r"|\w{0,8}pw|authtok|mdp|\w{0,6}psk|pswd?|(?:wlan|wifi|netzwerk)(?:key|schlüssel)"
)
"""Words for what people make up."""
_MADE_BY_PEOPLE: Final = late(
    r"pass|pwd|pw|psw|mdp|psk|contrase|clave|kennwort|credential|identifiant|schl|clé|wi-?fi"
)
_TOKENS: Final = late(
    r"\w*token|\w{0,12}(?:api|access|auth|secret|private|signing|encryption|service|account|master|ssh|deploy)keys?"
    r"|credentials?|jeton|identifiants?|(?:zugriffs|zugangs|api|lizenz|produkt|aktivierungs)schlüssel|presharedkey|(?:password|hash|auth)salt"
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
_BEFORE_KEY: Final = late(r"(?<![A-Za-z])([A-Za-z]++)[ -]$")
_AFTER_KEY: Final = late(
    r"[ \t](?:de[ \t](?:la[ \t])?|du[ \t]|del[ \t]|d['\u2019])?(?:wi-?fi|wlan|réseau|red\b|(?P<token>api"
    r"|acc[èe]s|privée|secrète|chiffrement|cifrado|licen\w+|produit|producto|activa\w+))"
)
_NETWORK: Final = late(r"\b(?:wi-?fi|wlan|ssid)\b", re.IGNORECASE)
_WIRELESS: Final = late(
    r"\b(?:wi-?fi|wlan|ssid|netzwerk|(?:netz|network|réseau|red|rete|rede|netwerk)[ *]{0,3}:)", re.IGNORECASE
)
KEYS: Final = _KEYS | {"clave", "llave", "chiave", "chave", "sleutel"}
"""Words for a key in any language."""
_NETWORKS: Final = frozenset({"wlan", "wifi", "netzwerk", "network"})
_WORD: Final = late(r"[A-Z]?[a-zà-ÿ]+|[A-Z]+(?![a-zà-ÿ])|\d+")
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
_TOLD: Final = late(
    # Of types, settings and programs.
    r"(?:var)?char|string|text|citext|blob|boolean|bytea|bytes|request|input|result|response|config|values?|settings"
    r"|auto(?:matic)?|random|prompt|allow|deny|minimal|interactive|inherit|ignore|mandatory|visible|keyring|incomplete"
    r"|options?|require\w*|takes|description|ditto|likewise|argument|args?|flag|switch|param\w*|instead|together|line|item|entry|content|body|payload|ident|parent"
    r"|self|buffer|basic|bearer|digest|plaintext|clear(?:text)?|raw|numeric|admin(?:istrator)?|root|guest|editor|viewer|member|owner|operator|moderator|reader|writer|tester|developer|support|staff|oauth|google|github|phone|staging|production|policy|strength|vault"
    r"|manager|entropy|history|reuse|reset|recovery|rotation|hygiene|login|logout|sign[io]n|email|mail|host|access|auth"
    # What is told of a secret, and what people answer.
    r"|(?!\w*eed)\w{2,30}ed|\w{2,30}(?:(?:[^eoifl]|[^aeiou]e|[aiu]l)ly|ment|mente|weise|able|ible|tten)|(?:on|off)line|kept|held|lost"
    r"|known|safe|unsafe|secure|insecure|complex|simple|easy|hard|private|shared|public|temporary|permanent|blank|hidden"
    r"|broken|stolen|given|taken|chosen|shown|open|gone|pending|working|testing|nothing|everything|some\w+|any\w+|follow\w*|hashing|changing"
    r"|elsewhere|somewhere|above|below|part|quite|rather|twice|once|there|here|none|each|every|good|bad|fine|okay|just"
    r"|correct|ready|later|soon|today|tomorrow|yesterday|failure|success|fail|error|warning|info|sorry|nobody|unknown"
    r"|understood|alright|agreed|done|dunno|thanks|thank|cheers|bitwarden|keepass\w*|lastpass|onepassword|1password|dashlane|keychain|whatever"
    r"|either|already|indeed|maybe|hello|wait|skip|cancel|continue|stop|quit|exit|approve|reject|sounds|right|moment"
    r"|second|perfect|great|nope|yeah|noted|wonderful|yes|works|strong|weak|plain|short|long|always|never"
    # In other languages.
    r"|\w{3,}é(?:es?|s)?|\w{2,}[ai]d[ao]s?|ge\w{3,}t|\w{3,}lich|bitte|danke|nein|verstanden|leider|offenbar|vielleicht"
    r"|wei(?:ss|ß)|keine?s?|unbekannt|später|pflicht\w*|leer|ungültig|un\w{2,}ert|notwendig|stark|schwach|sicher|siehe"
    r"|claro|seguro|gracias|ninguno|nada|opcional|obligat\w+|obbligat\w+|merci|désolé|aucun|requise?|valide|invalide"
    r"|facultatif|voir|genauso|folgender\w+|allgemeingut|grazie|nessuno|obrigado|geen|vereist|verplicht",
    re.IGNORECASE,
)
"""Words of types and settings, of what is told of a secret, and with which people answer that name none."""
_LABEL: Final = late(r"geheimnis|wachtwoord|hasło|пароль|senha|contraseña")
"""What a password is called where it is only named."""


ACCOUNT: Final = (
    r"(?i:user ?(?:name|id)?|login|uid|e-?mail|account|host(?:name)?|server|machine|device|database|db"
    r"|(?:be)?nutzer(?:name)?|konto|anmeldung|rechner|utilisateur|identifiant|compte|hôte|serveur|usuario|cuenta|servidor|utente|gebruiker)"
)
"""What the name of a user or a machine is called, as a part of patterns."""


PARAGRAPH: Final = 120
"""How far above a key the name of its network or of its user may be."""
_ASK_WORDS = (
    "forgot forgotten reset enter confirm change changed update set get check verify validate has is require requires "
    "required need needs show hide invalid wrong incorrect new old current missing save remember use no ask min max "
    "choose create repeat retype toggle type passwd permit allow disable enable with without skip first last all your "
    "my send expire expired generate weak strong short long label error hint"
)
_ASKED: Final = frozenset(_ASK_WORDS.split())
"""First words of what a form says, and of settings about passwords."""
_SETTING: Final = late(
    r"(?P<words>[^\W\d_]{4,40}+(?:-[^\W\d_]{2,40}+){0,5})(?:[\"'`.]{0,2}|!{1,3})[ \t]{0,9}+"
    r"(?:(?:\#|--|//)[ \t][^\n]{0,200}+)?\\?\r?(?=\n|\Z|</|[,;}|/])"
)
"""Words to the end of a line or of a part of it, over a comment."""
_PART_END: Final = late(rf"{_SETTING.pattern}(?<!\n)(?=[,;}}|/])")
_ACCOUNT: Final = late(rf"(?<![\w-]){ACCOUNT}[\"'*]{{0,3}}[ ]?[:=][ ]{{0,2}}")
_LINE_BEGIN: Final = late(
    r"[ \t>*|{-]{0,40}+[*_`\"']{0,3}(?:\[sudo\][ ]|[\w.-]{1,30}@[\w.-]{1,60}(?:'s)?[ ]|[\w.-]{1,30}[./:]{1,2}"
    r"|(?>(?:(?i:the|my|our|enter|mot|de|new|old|temporary|initial|default|current|admin|root|user|db|database|server|router"
    r"|nas|guest|wi-?fi|wlan|ssh|s?ftp|smtp|imap|e?mail|vpn|login)[ -]){1,4})"
    r"|.{0,99}\b(?:(?i:his|her|their|my|our|mein|sein|ihr|unser|mon|notre|mi|nuestra)|[A-Z]\w{1,20}['\u2019]s)[ ])?"
    rf"|.{{0,99}}(?P<account>{_ACCOUNT.pattern})[^\s,;/]{{1,60}}[ \t]{{0,2}}[,;/| ][ \t]{{0,2}}[\"'*]{{0,3}}"
)
"""What stands before a name where its line is a setting, or the name of a user with the password."""
_FIRST_WORD: Final = late(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*")


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
    """Whether it is a word of speech, of what is told of secrets, or the name of one."""
    word = value.lower()
    return word in SPEECH or word in ABOUT or _TOLD.fullmatch(word) is not None or is_name_of_secret(word)


def is_mixed(value: str) -> bool:
    """Whether capitals and small letters alternate as in no name, or there are hardly any vowels."""
    if len(value) < 10 or not value.isalpha() or value.islower() or value.isupper():
        return False
    vowels = sum(map("aeiouyAEIOUY".__contains__, value))
    return 2.5 * len(_WORD.findall(value)) >= len(value) or (len(value) >= 14 and 5 * vowels < len(value))


def is_word_of_setting(text: str, begin: int, end: int, at: int, op: str) -> bool:
    """Whether words that begin here are the value of a setting: a line of nothing but its name and them, a tag."""
    name = text[begin:end]
    lowest = max(begin - PARAGRAPH, 0)
    first = _FIRST_WORD.match(name)
    if (
        (first is not None and first.end() < len(name) and first[0].lower() in _ASKED)
        or (name.lower() == "pass" and _ACCOUNT.search(text, lowest, begin) is None)
        or STEM.search(name.lower().rpartition(".")[2]) is None
        or not is_said_word(text, at)
    ):
        return False
    if op[0] == ">":
        return text[begin - 1] in "<:"
    before = _LINE_BEGIN.fullmatch(text, max(text.rfind("\n", lowest, begin) + 1, lowest), begin)
    is_whole = _PART_END.match(text, at) is None
    return before is not None and (is_whole or before["account"] is not None)


def is_said_word(text: str, at: int) -> bool:
    """Whether words that begin here, to the end of their sentence or line, are none of speech."""
    value = _SETTING.match(text, at)
    words = value["words"] if value is not None else ""
    return (
        words != ""
        and not words.isupper()
        and not any(map(is_plain_word, words.replace("-and-", "-").split("-")))
    )
