"""Secrets in command lines: options of tools that take a password without calling it so, and what is piped to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.chance import is_random, is_technical
from engramforge.core.secrets.credentials import decoded, is_credential
from engramforge.core.secrets.names import SPEECH, is_mixed, is_plain_word
from engramforge.core.secrets.service_tokens import Span
from engramforge.core.text.late_pattern import late

_LINE_END: Final = late(r"[\n|;]|\Z")
_QUOTED: Final = r"(?P<quote>[\"'])(?P<quoted>[^\"'\n$]{4,200})(?P=quote)"
_VALUE: Final = rf"(?:{_QUOTED}|[\"']?(?P<secret>[^\s\"'<>-][^\s\"'<>]{{3,200}}))"
_OPERAND: Final = rf"(?:{_QUOTED}|[\"']?(?!-{{1,2}}\w)(?P<secret>[^\s\"'<>|;@\\]{{4,200}}))"
"""What is given to an option, and beside options."""
_TOOLS = r"""
(?:docker|podman|helm|oc|az|skopeo|buildah|crane|nerdctl|argocd|cf|ibmcloud)\b[^\n|]{0,40}?\blogin -p[ =]?
sshpass|twine|mongo(?:sh|dump|restore|export|import)?|cqlsh|cypher-shell|rdesktop|evil-winrm|winexe|psexec -p[ =]?
smbmap|crackmapexec|nxc|steghide|lpadmin|kadmin|useradd|usermod|ncftp(?:put|get|ls) -p[ =]?
zip|unzip|sqlcmd|bcp|osql|ipmitool|mosquitto_\w+ -P[ =]?
mysql\w*|mariadb\w*|7z[ar]? -p(?!ort\b|assword|rotocol|lugin|ager|ipe|rint)(?=\S)
rar|unrar -h?p(?=\S)
redis-cli -a[ ]
ldap\w+ -w[ ]
openssl -[kK][ ]
snmp\w+ -[AX][ ]
signtool|xfreerdp|schtasks /r?p[ :]
ssh-keygen|security\s(?:unlock-keychain|import|create-keychain) -[pNP][ ]
(?:curl|wget|https?|xh|smbclient|rpcclient|lftp|ncftp)(?!:) --?(?:[uUa]|[a-z-]*user|auth)[= ]?["']?[^\s:"'%,]{1,99}[:%,]
[a-z]{0,2}sql\w{0,9}|kinit|db2|svn|influx|clickhouse-client|rabbitmqadmin|kcadm (?:-[pP][ =]?|-[awkAXsW][ =]|/p:?)
neo4j|trino|beeline|impala-shell|pdftk|restic (?:-[pP][ =]?|-[awkAXsW][ =]|/p:?|/password:|-pw )
"""
"""Programs, and their options that take a password without a name that says so; the last two also take other things."""
_ROWS: Final = [(f"t{at}", *row.split(" ", 1)) for at, row in enumerate(_TOOLS.strip().splitlines())]
_LOOSE_TOOLS: Final = frozenset(kind for kind, *_ in _ROWS[-2:])
_TOOL: Final = late(rf"\b(?:{'|'.join(f'(?P<{kind}>{tools})' for kind, tools, _ in _ROWS)})\b")
_OF_TOOLS: Final = {kind: late(rf"[\s\"',]{options}{_VALUE}") for kind, _, options in _ROWS}
_ANY_OPTION: Final = late(
    r"-(?<=\s.)[pN][ =][\"']?"
    r"(?P<secret>(?=\S{0,99}\d)(?=\S{0,99}[A-Za-z])[^\s\"'/.:-][^\s\"'/.:,]{7,99})(?=[\"'\s]|\Z)"
)
_USER_AND_PASSWORD: Final = late(
    r"(?<![\w/.-])(?:admin|administrator|root|ubuntu|pi|postgres|sa|guest|deploy|ops|backup)"
    r"(?::| {1,2}/ {1,2})(?P<secret>(?=\S{0,99}\d)(?=\S{0,99}[A-Za-z])[^\s\"'`/:<>|,;@\]]{8,100})(?![\w/:])|"
    r"(?<![\w/.-])[\w.-]{1,60}:(?P<dsn>[^\s\"'/:@]{4,100})@(?:tcp|unix)\(|"
    r"(?<![\w.-])[A-Za-z][\w.-]{1,60}:(?P<host>(?=[^\s@]{0,99}\d)(?=[^\s@]{0,99}[A-Za-z])[^\s\"'/:@<>()]{6,100})"
    r"@(?:\d{1,3}(?:\.\d{1,3}){3}|(?:[\w-]{1,63}\.){0,5}[a-z][\w-]{1,30}:\d{2,5})\b"
)
_NAMED_OPTION: Final = late(
    r"[-/](?<=\s.)\w{0,20}(?:pw|pwd|secret|token|apikey|creds?)(?:in|out)?[ =:][\"']?"
    r"(?P<secret>[^\s\"'<>-][^\s\"'<>]{5,500})"
)
_PASSWORD_OPTION: Final = late(
    r"(?:-(?<=[\s\"'`].)-?(?!(?:\w{0,9}(?:by|com|sur|tres|over|under|multi|two|one|first|single|all)-?)pass)[\w.-]{0,40}"
    r"(?:pass(?:word|wd|phrase|code)?|pwd?|otp)(?:in|out)?[\"']?[ =:]|/(?<=[\s\"'`].)\w{0,10}pass(?:word)?:)"
    rf"(?!(?:env|file|fd):|std(?:in|out)\b)(?:(?:pass|str|plain):)?{_VALUE}"
)
_ARGUMENT: Final = late(
    r"""\b(?:(?:htpasswd(?=[^\n|]{0,60}?[ \t]-\w{0,9}b)
        (?:(?=[^\n|]{0,60}?[ \t]-\w{0,9}n)|(?P<file>))
        (?>(?:[ \t]++-\w{0,9}C[ \t]++\d{1,3}(?=[ \t])|[ \t]++-\w{1,9}(?=[ \t])){1,6})
        (?(file)[ \t]++\S{1,100}+)[ \t]++\S{1,100}+
    |net[ \t]+use[ \t]+[^\n|]{1,150}?/user:\S{1,80}+|net[ \t]+user[ \t]+[\w.-]{1,60}+
    |(?:add_?user|create_?user|authenticate_user|set_?password|change_?password)[ \t]+[\w.@-]{1,60}+
    |nmcli[^\n|]{1,100}?[ \t](?:password|[\w.-]{1,40}psk)|(?:[dD]efault)?[pP]assword[ \t]+REG_SZ
    |wpa_passphrase[ \t]+(?:\"[^\"\n]{1,60}\"|\S{1,60}+)
    |(?:setx|ENV)[ \t]+\w{0,40}(?:PASS(?:W(?:OR)?D|PHRASE)?|PWD|PW)
    |(?:(?:msg|MSG|query|quote)[ \t]+(?i:nickserv)|ns(?<=/ns))[ \t]+(?i:identify)
    (?:[ \t]+\w{1,30}+(?=[ \t]+\S{4}))?
    |dscl[ \t]+\S{1,60}+[ \t]+-passwd[ \t]+\S{1,80}+|rclone[ \t]+obscure|qpdf[ \t]+--encrypt|snmp-server[ \t]+community
    |wpa-psk[ \t]+ascii(?>(?:[ \t]+\d(?!\S))?)
    |message-digest-key[ \t]+\d++[ \t]+md5|rootpw(?>(?:[ \t]+--\w++){0,9})|user_pw|owner_pw|requirepass|masterauth
    |vault[ \t]+login(?![ \t]+method=)|bw[ \t]+unlock(?:[ \t]+--raw)?
    |nuget[ \t]+push[^\n|]{0,80}?[ \t]-k|http-basic\.\S{1,60}+[ \t]+\S{1,60}+
    |(?:password|assword)[^\n]{0,20}?\n[ \t]{0,9}send(?:[ \t]+--)?)[ \t]+
    |(?:cmdkey[^\n|]{1,150}?/pass:|snmp\w+[^\n|]{0,60}?[ \t]-c
    |(?:sqlplus|expdp|impdp|sqlldr)[ \t]+(?:-\w+[ \t]+){0,3}[\w.-]{1,60}/|jdbc:oracle:\w+:[\w.-]{1,60}/)[ \t]*)
    """
    + _OPERAND,
    re.VERBOSE,
)
_LOOSE_ARGUMENT: Final = late(
    r"""(?:\b(?:(?:password|secret|key|key-string|community)[ \t]+[0579]|option[ \t]+key
    |(?:isakmp|(?:radius|tacacs)-server[^\n|]{0,60}?)[ \t]+key(?:[ \t]+[0-8](?=[ \t]))?|enable[ \t]+(?:secret|password)
    |AUTH(?>(?:[ \t]+(?!(?:via|with|by|through|using|for|over|from|is|and|or|in|on|to|as)\b)\w{1,30}+(?=[ \t]))?)
    |p?assword[^\n]{0,20}?send(?:[ \t]+--)?)
    |(?i:\bnickserv[ \t]{0,3}:?|(?<![^\s`\"'>:(])/(?:(?:ns|nickserv)(?=[ \t]))?)[ \t]{0,3}
    (?i:identify|ghost|recover|regain|release)(?:[ \t]+\w{1,30}+(?=[ \t]+\S{5}))?
    |\bLOGIN[ \t]+[\"']?[\w.@+-]{1,80}+[\"']?)
    [ \t]+[\"']?(?!-{1,2}\w)(?P<secret>[^\s\"'<>|;@\\]{5,200})""",
    re.VERBOSE,
)
"""Behind words that speech has as well: what looks like plain words there is speech."""
_JOINED_WORDS: Final = late(r"[^\W\d_]+(?:[-/][^\W\d_]+)*[.,:!?]*")
_RARE_ARGUMENT: Final = late(
    r"""(?:(?:\bnet[ \t]+use[ \t]+(?:\S{1,3}[ \t]+)?\\\\\S{1,100}+(?=[ \t]+[^/*\s])
    |\bnetworksetup[ \t]+-setairportnetwork[ \t]+\S{1,20}+[ \t]+\S{1,60}+
    |\bmc[ \t]+(?:alias[ \t]+set|config[ \t]+host[ \t]+add)[ \t]+\S{1,60}+[ \t]+\S{1,120}+[ \t]+\S{1,60}+
    |\bb2[ \t]+(?:account[ \t]+)?authorize(?:[-_]account)?[ \t]+\S{1,60}+
    |\b(?:doctl|linode-cli|scw|hcloud|flyctl|gh|glab)[ \t]+auth[^\n|]{0,60}?[ \t](?:-t|--token)
    |\bsecurity[ \t]+add-\w+-password\b[^\n|]{0,100}?[ \t]-w
    |(?:<\(|pass\w{0,9}-command[ =][\"'])(?:echo|printf)(?:[ \t]+-n)?|ftp>[ \t]+user[ \t]+\S{1,60}+)[ \t]+
    |(?:[kK]ey[mM]aterial=|[\"']AUTH[\"'](?:[ ,]+[\"']\w{1,30}[\"'](?=[ ,]+[\"']))?[ ,]*(?=[\"'])
    |SecureString\b[^\n|]{0,80}?[ \t]--value[ =]|\bgh[ \t]+secret[ \t]+set[ \t]+\w{1,60}+[^\n|]{0,60}?[ \t]-b
    |\b(?:user|SETUSER)[ \t]+\w{1,40}[ \t]+on[ \t]+>)[ \t]*)
    """
    + _OPERAND,
    re.VERBOSE,
)
_VALUE_OPTION: Final = late(
    r"""(?i:secrets?|passw(?:or)?d|pass|tokens?|keyvault|credentials?)\b[^\n|]{0,120}?[ \t]
    (?:--(?:value|body|data|secret-string)[ =]|<<<)
    [ \t]*\$?[\"']?(?!-{1,2}\w)(?P<secret>[^\s\"'<>|;@\\]{5,200})""",
    re.VERBOSE,
)
_WRITTEN: Final = late(
    r"\b(?:echo|printf|Set-Content)[ \t]+(?:-[neE]{1,3}[ \t]+)?[\"']?(?P<secret>[^\s\"'|$<>][^\s\"'|<>]{5,400})"
    r"[\"']?[ \t]*>{1,2}[ \t]*[^\s|;&]{0,80}(?:pass|pw|secret|token|key|cred|netrc)"
)
"""What goes to a file that is called so."""
_MAIL_LOGIN: Final = late(
    r"334 (?:UGFzc3dvcmQ6|UGFzc3dvcmQA|VXNlcm5hbWU6|VXNlciBOYW1lAA==)\s{1,3}\n?(?:[^\n\w]{0,10}|[^\n]{0,40}?[:>] )"
    r"(?P<secret>[A-Za-z0-9+/]{6,200}={0,2})(?=\s|\Z)"
)
"""What follows when a mail server asks for a user or a password."""
_PIPED_WORDS: Final = late(
    r"\b(?:echo|printf)[ \t]+(?:-[neE]{1,3}[ \t]+)?[\"'](?P<secret>[a-z]{3,12}(?:[ -][a-z]{3,12}){2,11})[\"']"
    r"[ \t]*\|[ \t]*(?:sudo[ \t]+)?(?:cryptsetup|gpg\b|openssl|chpasswd|passwd|pass[ \t]+insert|zfs"
    r"|veracrypt|keepassxc-cli|age\b)"
)
_DIALOGUE: Final = late(
    r"\b(?:USER|user)[ \t]+\S{1,80}[ \t\r]*\n(?:[^\n]{0,200}\n){0,2}[^\n]{0,60}?\b(?:PASS"
    r"|pass)[ \t]+(?P<secret>\S{4,100})"
)
"""What a client says to a server of files or mail."""
_KEY_OPTION: Final = late(
    r"\s-[kKtT][ =](?P<secret>(?=[\w-]{0,99}\d)(?=[\w-]{0,99}[A-Za-z])[\w-]{24,200})(?=[\s\"'`]|\Z)"
)
_TAKES: Final = (
    r"sudo[ \t]+-\w*S|chpasswd|-stdin|keepassxc-cli|pass\w{0,9}-file[ =](?:/dev/stdin|-(?!\S))"
    r"|--with-token|passwd|--passphrase-fd|pass[ \t]+insert|cryptsetup|vncpasswd|\blogin\b"
    r"|kinit|(?:env|secrets?)[ \t]+(?:create|put|set|add|versions)|-passin[ \t]+stdin"
)
"""Commands and options that read a secret."""
_PIPED: Final = late(
    r"""\b(?:echo|printf|print|yes|Write-Output)[ \t]+(?:-[neE]{1,3}[ \t]+)?(?:[\"'](?:%s(?:\\n)?[\"'][ \t]+[\"']?)?)?
    (?:[\w.-]{1,60}:(?=[^\n]{1,300}chpasswd))?(?P<secret>[^\s\"'|$][^\s\"'|]{4,400})[\"']?[ \t]*\|[ \t]*
    [^\n|]{0,80}?(?:base64|"""
    + _TAKES
    + ")",
    re.VERBOSE,
)
_ENCODED_SPEECH: Final = late(r"[A-Za-z]+[,!]?(?:[ ][A-Za-z]+)+[.!?]?\n?")
_HERE: Final = late(
    r"<<(?:<[ \t]*\$?[\"']?(?P<secret>(?<=[\"'])[^\"'\n]{4,200}(?=[\"'])|(?<![\"'])[^\s\"'|<>]{4,200})"
    r"|-?[ \t]*[\"'\\]?(?P<end>[A-Za-z_]\w{0,30})[\"']?(?P<rest>[^\n]{0,200})\n)"
)
"""What is handed to a command on its line, or on the lines below."""
_TAKER: Final = late(
    rf"{_TAKES}|(?:>{{1,2}}|\btee\b(?:[ \t]+-a)?)[ \t]*[\"']?"
    r"(?![^\s|;&]{0,80}\.(?:sh|[jt]sx?|py|go|rb|md|ya?ml|json|toml|tf|sql)\b)[^\s|;&]{0,80}(?:pass|pw|secret|token|cred)"
)
_KEYS: Final = late(r"\b(?:key|token|secret|schlüssel|clé|clave)\b", re.IGNORECASE)
_NEAR: Final = 120
_GIVEN: Final = late(
    r"(?m)^[ \t]*+(?:(?:[\w.*@-]{1,100}:){1,4}(?P<last>(?!//)[^:\n]{4,200}?)|(?P<secret>[^\s:#=]{4,200}))[ \t\r]*$"
)
"""A line that is a secret, or ends with one behind the name of a user or a host."""
_LONGEST_COMMAND: Final = 300
_LONGEST_DOCUMENT: Final = 4_000
_MAIL_AND_PASSWORD: Final = late(
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}(?::| {1,2}[/|] {1,2})`?"
    r"(?P<secret>(?=\S{0,99}\d)(?=\S{0,99}[A-Za-z])[^\s\"'`/:<>|,;]{8,100})(?![\w/:])"
)
_PLAIN: Final = late(
    r"\d+(?::\d+)*|[/.~$]\S*|[\w.-]+:\d+(?:[:/]\S*)?|\w+://\S+|[\w/-]+\.[A-Za-z]\w{0,3}|\d+(?:\.\d+)*(?:-[a-z][\w.]*)+"
    r"|[a-z]+-\d{6,8}|[A-Z_]+|[a-z_]+",
    re.ASCII,
)
_OTHER: Final = late(
    r"[/.~@\\]\S*|\S+:|[\w.-]+:\d+(?:[:/]\S*)?|\w+://\S+|[A-Z_]+|(?:\w+_)?(?:password|passwd|pass|token|secret)s?"
    r"|[\w./-]+\.(?:7z|zip|t?gz|tar|rar|txt|pem|key|p12|pfx|jks|json|ya?ml|conf|cfg|ini|sql|db|kdbx|exe|sh|py|js|md|pdf"
    r"|log|asc|gpg|enc|env|csv|xml|html?)",
    re.ASCII,
)
"""Paths, addresses, variables, names of secrets and files."""
_BETWEEN_WORDS: Final = late(r"[ ._-]")
_GOES_ON: Final = SPEECH | {"to", "of", "in", "on", "is", "as", "by", "or", "a"}
_NEXT_WORD: Final = late(r"[\"'`]?,?[ ]{1,4}([A-Za-z]+)(?![\w./:=-])")
_CLUE_WORDS = (
    " -| /|echo|print|jdbc:|communit|requirepass|masterauth|reg_sz|nmcli|secret |key |auth "
    "|assword|_pw |login |unlock |http-basic|value|body|data |snmp"
    "|push |passwd|plus|obscure|user |@|rootpw|enable |wpa-psk|digest-key|<<|option |admin:|root:|ubuntu:|pi:|postgres:"
    "|sa:|guest:|deploy:|ops:|backup:|net use|airport|material=|alias set|config host|authorize|identify|ghost|nickserv"
    '|334 |passphrase |send |"-p|auth"'
)
_CLUES: Final = tuple(_CLUE_WORDS.split("|"))
_RARE_WORDS = (
    "net use|airport|-command|secret set|material=|alias set|config host|authorize| auth|securestring|security |ftp>"
    '| on >|"auth|<('
)
_LOOSE_WORDS = "word|secret|key|community|auth|nickserv|identify|ghost|recover|regain|release|login"
_OPTION: Final = late(r"[/-](?<=[\s\"',].)[\w-]")
"""What every option begins with."""
_OPTION_PATTERNS: Final = (
    (_PASSWORD_OPTION, ("pass", "pw", "otp")),
    (_NAMED_OPTION, (" -", " /")),
    (_ANY_OPTION, (" -", " /")),
)
_PATTERNS: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (_ARGUMENT, ()),
    (_LOOSE_ARGUMENT, tuple(_LOOSE_WORDS.split("|"))),
    (_RARE_ARGUMENT, tuple(_RARE_WORDS.split("|"))),
    (_VALUE_OPTION, ("--value", "--body", "--data", "--secret-string", "<<<")),
    (_MAIL_LOGIN, ("334 ",)),
    (_PIPED, ("|",)),
    (_DIALOGUE, ("pass ", "pass\t")),
    (_WRITTEN, (">",)),
    (_MAIL_AND_PASSWORD, ("@",)),
    (_USER_AND_PASSWORD, (":", " / ")),
)
"""Patterns with what their matches have in them, in small letters; some are in most commands."""
_SURE: Final = frozenset({_PASSWORD_OPTION, _ARGUMENT, _RARE_ARGUMENT, _PIPED})
"""Those in whose place nothing but a password stands."""


def commands(text: str) -> Iterator[Span]:
    """Spans of passwords and tokens in command lines."""
    lowered = text.lower()
    if "|" not in text and not any(map(lowered.__contains__, _CLUES)):
        return
    has_option = _OPTION.search(text) is not None
    done: dict[str, int] = {}
    for tool in _TOOL.finditer(text) if has_option else ():
        kind = tool.lastgroup or ""
        if tool.start() >= done.get(kind, 0):
            line_end = _LINE_END.search(text, tool.end())
            done[kind] = len(text) if line_end is None else line_end.start()
            yield from _secrets(_OF_TOOLS[kind], text, tool.end(), done[kind], kind not in _LOOSE_TOOLS)
    for pattern, clues in (*_OPTION_PATTERNS, *_PATTERNS) if has_option else _PATTERNS:
        if not clues or any(map(lowered.__contains__, clues)):
            yield from _secrets(pattern, text, 0, len(text), pattern in _SURE)
    yield from _runs(text)
    if "<<" in text:
        yield from _handed(text)


def _handed(text: str) -> Iterator[Span]:
    """Spans of what is handed in a here-document or a here-string to what takes a secret, or a file called so."""
    for here in _HERE.finditer(text):
        line = text.rfind("\n", max(here.start() - _LONGEST_COMMAND, 0), here.start()) + 1
        taker = _TAKER.search(text, line, here.end())
        if taker is None:
            continue
        if here["end"] is None:
            if is_credential(here["secret"]):
                yield *here.span("secret"), "credentials"
            continue
        end = text.find(f"\n{here['end']}", here.end() - 1, here.end() + _LONGEST_DOCUMENT)
        for given in _GIVEN.finditer(text, here.end(), end) if end > 0 else ():
            group = given.lastgroup or "secret"
            if is_credential(given[group]):
                yield *given.span(group), "credentials"


def _runs(text: str) -> Iterator[Span]:
    """Spans of phrases that are piped, and of runs of chance as the key of a tool that a text speaks of as one."""
    for match in _PIPED_WORDS.finditer(text) if "|" in text else ():
        yield *match.span("secret"), "passphrase"
    for match in _KEY_OPTION.finditer(text) if " -" in text else ():
        if is_random(match["secret"]) and _KEYS.search(
            text, max(match.start() - _NEAR, 0), match.end() + _NEAR
        ):
            yield *match.span("secret"), "credentials"


def _secrets(pattern: re.Pattern[str], text: str, begin: int, end: int, is_sure: bool) -> Iterator[Span]:
    for match in pattern.finditer(text, begin, end):
        group = match.lastgroup or "secret"
        secret = match[group] if group == "quoted" else match[group].rstrip(".,;)]`")
        if pattern is _LOOSE_ARGUMENT and (_JOINED_WORDS.fullmatch(secret) or is_technical(secret)):
            continue
        if pattern is _PIPED and _ENCODED_SPEECH.fullmatch(decoded(secret)):
            continue
        # What goes to base64 may be anything.
        is_given = is_sure and "base64" not in match[0]
        if _is_given(secret, text, match.end(group)) if is_given else _is_secret(secret):
            yield match.start(group), match.start(group) + len(secret), "credentials"


def _is_secret(value: str) -> bool:
    is_word = value.isalpha() and not is_mixed(value)
    return is_credential(value) and _PLAIN.fullmatch(value) is None and not is_word and " " not in value


def _is_given(value: str, text: str, end: int) -> bool:
    """Whether it is what a command takes for a password, where nothing else can stand: a word too, unless in speech."""
    if not is_credential(value) or _OTHER.fullmatch(value):
        return False
    words = _BETWEEN_WORDS.split(value)
    if not all(map(str.isalpha, words)) or " " in value:
        return True
    following = _NEXT_WORD.match(text, end)
    return not any(map(is_plain_word, words)) and (following is None or following[1] not in _GOES_ON)
