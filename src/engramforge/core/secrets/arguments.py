"""Secrets that stand as arguments: of calls in code, of SQL, in attributes and settings of their own line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.chance import is_chosen, is_held_value, is_public_id, is_random
from engramforge.core.secrets.named_values import LETTERS_IN_FOURS
from engramforge.core.secrets.names import is_mixed, is_plain_word
from engramforge.core.secrets.service_tokens import Span
from engramforge.core.text.late_pattern import late

_CALL: Final = late(
    r"""(?:\bauth\s?=\s?\(|\b[Hh][Mm][Aa][Cc]\.(?:new|digest)\(
    |(?:\b(?i:auth|oauth\w{0,20}|aes(?:\.new)?|\w{0,10}cipher\w{0,10})|[Cc]onnect(?:ion)?|begin|mysqli|(?<!64)encode
    |[Ss]ign|[Ee]ncrypt|[Dd]ecrypt|[Hh]mac|[Cc]ipheriv|Fernet|[Uu]nlock
    |[Dd]erive_?[Kk]ey|pbkdf2(?:_hmac|Sync)?|(?:Client|API|Api|SDK)(?:(?:\.|->)(?:new|create))?)\()""",
    re.VERBOSE,
)
"""Calls that take what was made by chance, or a password with a sign."""
_LOGIN_CALL: Final = late(
    r"(?:[Ll]ogin|[Aa]uth(?:enticate|entication|orize|orization)?|[Cc]redentials?|PDO|[Cc]onnect(?:ion)?(?:Factory)?"
    r"|mysqli|[Mm]ail|[Pp]assword|Sequelize|database|FTP|[Bb]ind(?:_s|Request)?|PDO->__construct|algoliasearch"
    r"|AuthenticationToken|auth\s?=\s?)\("
)
"""Calls whose last text is a password."""
_SURE_CALL: Final = late(
    r"(?:auth\s?=\s?|BasicAuth|NetworkCredential|(?:Basic|Password)Credentials?|Password(?:Authentication(?:Token)?)?|getConnection"
    r"|mysqli(?:_connect)?|PDO|(?:smtp|ftp|imap|pop|mail|server|client|conn)\w{0,9}\.login)\($"
)
"""Of these a word, too."""
_CHOSEN: Final = late(
    r"(?:(?=.*\d)|(?=.{8})(?=.*[!#$&*^]))(?=.*[A-Za-z])(?![a-z]{2}-[a-z]+-\d|[a-z_-]*@[a-z_-]*$)[^\s./:()%{}]{6,64}"
)
_NUMBERED: Final = late(r"[a-z]+[-_]?\d{1,2}")
_KEY_CALL: Final = late(
    r"(?:\bjwt\.(?:sign|verify|encode|decode)|[Ff]rom_?(?:[Pp]rivate_?|[Ss]ecret_?)?[Kk]ey|\b[Ww]allet"
    r"|[Pp]rivateKey\w{0,12}|[Kk]eypair\w{0,12})\("
)
"""Calls that take a key as a text of its own."""
_PHRASE: Final = late(r"[^\s.:/]{8,200}")
_QUOTED: Final = late(r"[\"'](?P<secret>[^\"'\n]{8,200})[\"']")
_TEXT: Final = late(r"[\"'](?P<secret>[^\"'\n]{0,200})[\"']")
_CHARACTERS: Final = late(r"[\"'](?P<secret>[^\"'\n]{4,200})[\"']\.toCharArray\(")
_PASSWORD_CALL: Final = late(
    r"(?:\bbcrypt\.(?:compare|hash)(?:Sync)?|hashpw|checkpw|(?:check|set|verify|hash)_?[Pp]assword)\(\s{0,9}+b?[\"']"
    r"(?P<secret>(?=[^\"'\n]{0,99}\d)(?=[^\"'\n]{0,99}[A-Za-z])[^\"'\n]{8,99})[\"']"
)
_BASIC: Final = late(
    r"(?i:basic|http)_?(?i:auth)\w{0,20}[\"']?\s?[:=]\s?[\"']?[\w.@-]{1,60}:(?P<secret>[^\s\"':/]{6,100})"
)
_REACH: Final = 300
_CLOSE: Final = late(r"[()]")
_SIGNED: Final = late(r"(?=\S*[A-Za-z])(?:(?=\S*\d)\S*[!$%#?&*^~]\S*|\S*[!$#?&*^]\S*?[!$%#?&*^~](?![sd])\S*)")
_SQL: Final = late(
    r"\b(?:PRAGMA\s(?:re)?key\s?=|ATTACH\s[^\n;]{1,100}\sKEY|IDENTIFIED\s+(?:WITH\s+\S{1,40}\s+)?BY"
    r"|PASSWORD(?:\s(?:FOR\s\S{1,80}\s?=)?|\s?\()|SET\sPASSWORD\s?=)\s{0,3}"
    r"(?P<quote>'\\''|\\?'|\\\"|(?<=BY )\")(?P<secret>[^'\"\n\\]{4,200})(?P=quote)",
    re.IGNORECASE,
)
_SQL_WORD: Final = late(
    r"\b(?:CREATE|ALTER)\s{1,9}USER\s{1,9}\S{1,60}\s{1,9}IDENTIFIED\s{1,9}BY\s{1,9}"
    r"(?P<secret>(?=\D{0,40}\d)\w[\w#$!]{4,60})",
    re.IGNORECASE,
)
_NAMED_APART: Final = late(
    r"(?i:pass(?:word|wd)?|pwd|secret|token|key|credentials?)[\"'>)\]]{0,4}(?::[ ]?\{[^{}]{0,80}?[\"']value[\"']:[ ]?"
    r"|[ \t]*\n[ \t]*[Vv]alue:[ \t]*|[^{}|\n]{0,20}\|[ ]?default\([ ]?"
    r"|,\s{0,20}[\"']?[Vv]alue[\"']?\s{0,3}[:=]\s{0,3}|[ \t]+value=|\.(?:send_?[Kk]eys|type|fill"
    r"|set_?[Vv]alue|val)\(|\([^()\n]{0,40}\)[^()\n]{0,20}\n\s{0,20}return[ ]|</key>\s{0,20}<string>"
    r"|</name>\s{0,20}<value>\s{0,20}(?:<string>)?|[ \t]+PIC[ \t]+\S{1,20}[ \t]+VALUE[ \t]+"
    r"|[^{}\n]{0,20}\{[^{}]{0,200}?default\s*=\s*|[\"']?[^<>\n]{0,60}\b(?:value"
    r"|default)\s?=\s?)[\"']?(?P<secret>[^\s\"'<>]{6,200})"
)
_SECURE: Final = late(
    r"(?:ConvertTo-SecureString(?:[ ]+-\w{1,20}){0,3}[ ]+[\"']|<keyMaterial>|\b(?:store|key)Password[ ]{1,3}[\"']"
    r"|\b(?:name|key)[=:][ ]{0,3}[\"']?[\w.-]{0,40}(?i:pass|pwd)(?i:word|wd)?[\"']?\s{1,60}value[=:][ ]{0,3}[\"']?"
    r"|\bvariable[ ]\"\w{0,40}(?:password|passwd|passphrase)\"[ ]?\{[^{}]{0,200}?default\s{0,9}=\s{0,9}\")"
    r"(?P<secret>[^\"'\n$<]{4,200})(?=[\"'<\n]|\Z)"
)
"""Where nothing but a secret stands, a word too."""
_ENCODED: Final = late(
    r"(?:btoa|b64encode|base64_encode|encodeToString|ToBase64String|GetBytes|Buffer\.from|encode64"
    r"|Base64\.\w{1,20})\(\s{0,9}(?:b|\w{1,20}\()?[\"'][\w.@+-]{1,60}:(?P<secret>[^\s\"':]{4,100})[\"']"
)
"""A user with a password, before it becomes a header."""
_IN_BYTES: Final = late(
    r"(?i:key|secret|seed|private)(?!s)\w{0,20}(?:\[\w{0,9}\])?[\"']?\s{0,3}[:=]\s{0,3}(?:new\s)?(?:\w{1,10}(?:\[\])?\s?)?[\[{(]{1,2}\s{0,9}"
    r"(?P<secret>(?:0x[0-9A-Fa-f]{1,2}|\d{1,3})(?:\s{0,3},\s{0,20}(?:0x[0-9A-Fa-f]{1,2}"
    r"|\d{1,3})){15,127})\s{0,9},?\s{0,9}[\])}]"
)
"""A key as the numbers of its bytes."""
_HASHED: Final = late(r"[\"'](?P<secret>[^\"'\n{}]{4,100})[\"'][ ]?\|[ ]?(?:password_hash|hash\(|b64encode)")
_VPN_LOGIN: Final = late(r"<auth-user-pass>\s{1,9}\S{1,80}\s{1,9}(?P<secret>\S{4,100})\s{1,9}</")
_PLAIN_SCHEME: Final = late(r"\{(?i:plain|clear|cleartext)\}(?P<secret>[^:\s\"']{4,100})")
_CHAP_CLIENT: Final = r"(?:\"[\w.@+\\-]{1,80}\"|(?!\d{1,80}[ \t])[\w.@+\\-]{1,80})[ \t]{1,9}\*[ \t]{1,9}"
_CHAP_ADDRESS: Final = r"[ \t]{1,9}(?:\*|\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?)"
_CHAP: Final = late(
    rf"(?m)^(?:[ \t]{{0,9}}{_CHAP_CLIENT}\"(?P<secret>[^\s\"]{{6,100}})\"(?:{_CHAP_ADDRESS})?"
    rf"|{_CHAP_CLIENT}(?P<given>[^\s\"*]{{6,100}}){_CHAP_ADDRESS}"
    rf"|{_CHAP_CLIENT}(?P<sure>(?=[^\d\s]{{0,99}}\d)[\w-]{{1,60}}[!#$@][\w!#$@-]{{1,60}})"
    rf"|[^\n]{{0,60}}(?:ch|p)ap-secrets[^\n]{{0,40}}\n[ \t]{{1,9}}{_CHAP_CLIENT}"
    rf"(?P<there>[^\s\"*]{{6,100}}){_CHAP_ADDRESS})"
    r"[ \t]{0,9}$"
)
"""A line of pppd's secrets: the secret is quoted, or an address follows, or it is nothing by which code multiplies, or
the file is named above."""
_WIRELESS: Final = late(
    r"\bWi-?Fi\w{0,10}\.(?:begin|connect)\([^,()\n]{1,60},\s{0,9}[\"'](?P<secret>[^\"'\n]{8,63})[\"']",
    re.IGNORECASE,
)
_MOVED: Final = late(
    r"\bMOVE[ \t]+[\"'](?P<secret>[^\"'\n]{4,100})[\"'][ \t]+TO[ \t]+[\w-]{0,30}(?i:passw|pwd|secret|token)"
)
_KEY_OF_JSON: Final = late(r"\"[dk]\"\s?:\s?\"(?P<secret>[\w-]{40,2000})\"")
_PASSFILE: Final = late(
    r"(?m)(?:^|(?<=echo [\"'])|(?<=printf [\"']))[\w.*-]{1,200}:(?:\d{2,5}|\*):[\w*-]{1,100}:[\w*-]{1,100}:"
    r"(?P<secret>(?:[^\s\"':\\]|\\\S){4,200})(?=$|\\n|[\"'])"
)
_LOGIN: Final = late(
    r"\b[a-z]\w{1,20} (?:login|auth) (?P<secret>[0-9a-f]{32,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b"
)
_AS_PASSWORD: Final = late(
    r"""(?<![^\s\"'`(])(?P<secret>[^\s\"'`<>|,;()]{6,200})[\"'`]?[,.;]?[ \t]{1,2}
    (?:\((?:(?:that's|that[ ]is|it's|das[ ]ist|c'est|es)[ \t])?
    |(?:=|[-\u2013\u2014]|as|is|als|ist|comme|come|est|como|es|for)[ \t])
    (?:(?:the|a|my|our|your|new|das|mein|unser|le|mon|notre|la|mi)[ \t]){0,2}(?:[\w-]{1,12}[ \t]){0,2}
    (?i:[\w-]{0,12}password|[\w-]{0,12}passwort|passphrase|kennwort|mot[ ]de[ ]passe|contraseña|clave|wachtwoord|senha
    |pw|mdp)\b(?![ ](?:reset|change|polic|rule|field|form|check|hash|manager|prompt|page|expir|rotat|valid))""",
    re.VERBOSE,
)
_SAME: Final = late(
    r"\b(?i:same|usual|standard|gleiche|selbe|même|misma)[ ](?i:password|passwort|pw|mot de passe|contraseña)\b"
    r"[^\n.:=\"'`]{0,40}?(?:[,:]|[ ][(\u2013-])[ ]?(?P<secret>[^\s\"'`<>,;()]{8,100}?)(?=[.!)]{0,2}\s{0,9}(?:\n|\Z))"
)
_IN_TAG: Final = late(
    r"<[\w:.-]{0,40}(?i:password|passwd|secret|token|api-?key)[ \t][^<>]{1,200}>(?P<secret>[^<>\s]{6,200})</"
)
_GENERATED: Final = late(
    r"(?i:password)\b[^\n:]{0,30}\b(?:generated|created|set|reset|for)\b[^\n:]{0,60}:[ ]{1,2}"
    r"(?P<secret>[^\s\"'`]{8,64})[ \t\r]*(?=\n|\Z)"
)
_OF_SNMP: Final = late(
    r"\b(?i:auth|priv)[\w ]{0,12}\((?:SHA|MD5|AES|DES"
    r"|3DES)[\w-]{0,6}\)[\"'`* ]{0,3}:[ ]{1,2}[`\"*]{0,2}(?P<secret>[^\s`\"*]{8,64})"
)
_COMMENTED: Final = late(
    r"(?://|\#|--)[^\n]{0,80}\b(?i:(?:admin|api|secret|private|write|access|service)[ -]?(?:key"
    r"|token))\b[^\n]{0,80}\n[^\n]{0,100}[\"'](?P<secret>(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{20,100})[\"']"
)
"""A run of chance on the line below the comment that says what it is."""
_IN_STRING: Final = late(
    r"(?<=;)[ ]?(?i:password|pwd)[ ]?=[ ]?(?P<secret>[^;\"'<>={}\n]{4,100})(?=;|[\"'])"
    r"|-pass(?:in|out)?[\"'],\s{0,9}[\"']pass:(?P<given>[^\"'\s]{4,100})[\"']"
)
"""What opens a connection, in a string of settings; and a password as an argument of openssl in code."""
_CAPITALS: Final = late(
    r"\b(?i:user(?:name)?|login)[ :]{1,2}[\w.@-]{2,40},?[ ](?:and[ ])?(?i:pass|password"
    r"|pw)[ :]{1,2}(?P<secret>[A-Z]{8,20})\b"
)
_ACCOUNTS: Final = late(
    r"\b(?:accounts|[dD]eployer)[\"']?\s?[:=]\s?\[?\s{0,20}[\"'](?P<secret>0x[0-9a-fA-F]{64})[\"']"
)
_CLUE_WORDS = (
    "auth|login|begin(|connect|sqli(|jwt.|wallet(|sign(|encode(|crypt(|mac|cipher|pbkdf|unlock(|securestring|fernet("
    "|client|api|sdk|pdo|bind(|bind_s(|request(|search(|credential|identified|chararray|mail(|pass|pw|mdp|kennw|contras"
    "|clave|secret|token|key|wachtw|senha|btoa|sequelize|database(|ftp(|base64|getbytes|attach|pragma"
)
_CLUES: Final = tuple(_CLUE_WORDS.split("|"))
_PATTERNS: Final = (
    (_SQL, ("identified", "password", "pragma", "attach")),
    (_SQL_WORD, ("identified",)),
    (_CHARACTERS, ("tochararray",)),
    (_PASSWORD_CALL, ("bcrypt.", "hashpw(", "checkpw(", "password(")),
    (_BASIC, ("basic_auth", "http_auth", "basicauth", "httpauth")),
    (_MOVED, ("move ",)),
    (_WIRELESS, ("fi.begin(", "fi.connect(")),
    (
        _ENCODED,
        ("btoa(", "64encode", "64_encode", "encode64", "tostring(", "64string(", "getbytes", "buffer.from"),
    ),
    (_HASHED, ("password_hash", "hash(", "b64encode")),
    (_VPN_LOGIN, ("auth-user-pass",)),
    (_PLAIN_SCHEME, ("{plain}", "{clear")),
    (_CHAP, (" * ", "\t*")),
    (_LOGIN, (" login ", " auth ")),
    (_OF_SNMP, ("auth", "priv")),
    (_CAPITALS, ("pass ", "pass:", "password", "pw")),
    (_ACCOUNTS, ("0x",)),
    (_IN_STRING, (";password", ";pwd", "; password", "; pwd", "pass:")),
    (_KEY_OF_JSON, ('"d"', '"k"')),
)
_SECURE_WORDS = (
    'securestring|keymaterial|password"|password\'|password\n|pass\n|pass"|pwd\n|pwd"|epassword |ypassword '
)
_ALL_CLUES: Final = tuple(dict.fromkeys(clue for _, clues in _PATTERNS for clue in clues))
_SECURE_CLUES: Final = tuple(_SECURE_WORDS.split("|"))
_LIKELY_PATTERNS: Final = (
    (_NAMED_APART, ("value", "default", "</key>", "keys(", "type(", "fill(", "val(", "return")),
    (_IN_TAG, ("</",)),
    (_SAME, ("same", "usual", "standard", "gleich", "selbe", "même", "misma")),
    (_GENERATED, ("generated for", "created for", "set for", "password for")),
    (_COMMENTED, ("key", "token")),
    (_AS_PASSWORD, ("pass", "pw", "mdp", "kennw", "contras", "clave", "wachtw", "senha")),
)
"""Patterns with what their matches have in them, in small letters."""


def _call_end(text: str, at: int) -> int:
    """Where the call ends whose arguments begin here, or its line, or what is looked at of it."""
    line_end = text.find("\n", at, at + _REACH)
    while line_end >= 0 and text[line_end - 1] in "(,":
        line_end = text.find("\n", line_end + 1, at + _REACH)
    reach = line_end if line_end >= 0 else min(at + _REACH, len(text))
    depth = 1
    for bracket in _CLOSE.finditer(text, at, reach):
        depth += 1 if bracket[0] == "(" else -1
        if depth == 0:
            return bracket.end()
    return reach


def arguments(text: str) -> Iterator[Span]:
    """Spans of secrets in the places of arguments."""
    lowered = text.lower()
    is_clue = any(map(lowered.__contains__, _CLUES))
    if is_clue and ("(" in text or "SecureString" in text):
        yield from _in_calls(text)
    patterns: list[re.Pattern[str]] = []
    if any(map(lowered.__contains__, _ALL_CLUES)):
        patterns += (pattern for pattern, clues in _PATTERNS if any(map(lowered.__contains__, clues)))
    if text.count(",") >= 15:
        patterns.append(_IN_BYTES)
    if text.count(":") >= 4:
        patterns.append(_PASSFILE)
    for pattern in patterns:
        for match in pattern.finditer(text):
            group = match.lastgroup or "secret"
            if is_held_value(match[group]):
                yield *match.span(group), "secret-argument"
    for match in _SECURE.finditer(text) if any(map(lowered.__contains__, _SECURE_CLUES)) else ():
        if is_held_value(match["secret"]) and not is_plain_word(match["secret"]):
            yield *match.span("secret"), "secret-argument"
    for pattern, clues in _LIKELY_PATTERNS:
        if any(map(lowered.__contains__, clues)):
            for match in pattern.finditer(text):
                secret = match["secret"]
                is_made = any(map(str.isdigit, secret)) and any(map(str.isalpha, secret))
                if is_made and len(secret) >= 8 and is_held_value(secret):
                    yield *match.span("secret"), "secret-argument"


def _in_calls(text: str) -> Iterator[Span]:
    for call in _CALL.finditer(text):
        reach = _call_end(text, call.end())
        for match in _QUOTED.finditer(text, call.end(), reach):
            secret = match["secret"]
            is_key = (
                ("mac" in call[0].lower() or call[0].startswith("auth"))
                and is_public_id(secret)
                and len(secret) >= 32
            )
            is_address = "://" in secret
            if not is_address and (
                is_key or is_random(secret) or is_mixed(secret) or _SIGNED.fullmatch(secret)
            ):
                yield *match.span("secret"), "secret-argument"
    for call in _LOGIN_CALL.finditer(text):
        texts = list(_TEXT.finditer(text, call.end(), _call_end(text, call.end())))
        is_sure = texts != [] and _SURE_CALL.search(text[max(call.start() - 30, 0) : call.end()]) is not None
        if is_sure and len(texts) == 1 and "," in text[call.end() : texts[0].start()]:
            texts *= 2
        for given in {*texts[1:][-1:], *texts[2:]}:
            secret = given["secret"]
            is_word = is_sure and given is texts[min(len(texts) - 1, 2)] and not is_plain_word(secret)
            is_made = not _NUMBERED.fullmatch(secret) and (
                _CHOSEN.fullmatch(secret) or LETTERS_IN_FOURS.fullmatch(secret) or is_chosen(secret)
            )
            if (is_made or (is_word and "/" not in secret)) and is_held_value(secret):
                yield *given.span("secret"), "secret-argument"
    for call in _KEY_CALL.finditer(text):
        for given in _QUOTED.finditer(text, call.end(), _call_end(text, call.end())):
            secret = given["secret"]
            is_key = is_public_id(secret) and len(secret) >= 32
            is_phrase = call[0].startswith("jwt.") and _is_alone(text, call.end(), *given.span())
            if is_key or (is_phrase and _PHRASE.fullmatch(secret) and is_held_value(secret)):
                yield *given.span("secret"), "secret-argument"


def _is_alone(text: str, at: int, begin: int, end: int) -> bool:
    """Whether a text is an argument by itself, behind the first: in no braces, and no value of a name."""
    before = text[at:begin]
    return (
        before.count("{") == before.count("}")
        and before.count("[") == before.count("]")
        and before.rstrip().endswith(",")
        and text[end : end + 20].lstrip()[:1] in (",", ")")
    )
