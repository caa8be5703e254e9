"""Secrets that stand apart from what calls them so: on the line below, beside a `value`, in a list of codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.chance import KIND, MARK, is_chosen, is_held_value, is_public_id, is_random
from engramforge.core.secrets.named_values import is_likely
from engramforge.core.secrets.names import PW_WORD, SPEECH, Nature, nature_of
from engramforge.core.secrets.service_tokens import Span
from engramforge.core.secrets.speech.nearby import calls_secret
from engramforge.core.text.late_pattern import late
from engramforge.core.text.marks import WHOLE_MARK

_CLUE_WORDS = (
    "pass|pw|mdp|psk|secret|token|key|cred|clé|code|contras|clave|kennwort|schl|jeton|senha|rand |random|login|@"
    "|wachtw|parola"
)
_CLUES: Final = tuple(_CLUE_WORDS.split("|"))
"""A text without any of these, in small letters, has nothing to call a line so."""
_YAML_BLOCK: Final = late(
    r"(?P<name>[\w.-]{1,60})[\"']?[ \t]{0,9}:[ \t]{1,9}(?:![\w!]{1,20}[ \t])?[|>][-+\d]{0,2}[ \t]{0,9}"
    r"(?:\#[^\n]{0,99})?(?:\r?\n[ \t]{0,40}){1,3}(?<=[ \t])"
    r"(?P<value>[^\s#][^\n]{3,400}(?:\n[ \t]{1,40}[\w+/=-]{8,400}(?=\s|\Z)){0,40})"
)
"""A value that YAML shows on lines of its own."""
_ALONE: Final = late(
    r"\n[ \t>]{0,12}+(?:[-*•:][ \t]|\d[.)][ \t])?[ \t]{0,12}+[`*\"']{0,3}+"
    r"(?P<secret>[^\s`\"'<>|()\[\]{},;=]{6,200}+={0,2}+)[`\"']{0,3}+[ \t\r]{0,20}+(?=\n|\Z)"
)
"""A line of one word."""
_SPEAKER: Final = (
    r"(?:[\[(]?[\d/., :-]{4,22}(?:[AaPp]\.?[Mm]\.?)?[\])]?[ \t]{0,3}[-\u2013]?[ \t]{0,3})?"
    r"(?:<[\w .@+-]{1,30}>|[*_]{0,2}[\w.@+-]{1,24}(?:[ ][\w.@()+-]{1,24}){0,2}[*_]{0,2}"
    r"(?:[ ][(\[][\d:., /apmAPM]{4,20}[\])])?:[*_]{0,2})"
)
_MESSAGE: Final = late(
    rf"\n[ \t>]{{0,12}}+{_SPEAKER}[ \t]{{1,3}}[`\"']?"
    r"(?P<secret>[^\s`\"'<>|()\[\]{},;=]{8,100}+)[`\"']?[ \t\r]{0,20}+(?=\n|\Z)"
)
"""A message of one word, behind who sends it and when."""
_SPEECH: Final = late(
    rf"[ \t>]{{0,12}}{_SPEAKER}[ \t]{{1,3}}(?:\w[\w'\u2019-]*,?(?:[ ][^\s=:]+){{2}}|[^\n=:]{{1,60}}\?)"
)
_HEAD_OF_MESSAGE: Final = late(
    r"(?:[*_]{0,2}[\w.+-]{1,24}(?:[ ][\w.+-]{1,24}){0,2}[*_]{0,2},?[ \t]{0,3})?"
    r"[\[(]?[\d/., :-]{4,22}(?:[AaPp][Mm])?[\])]?[ \t\r]{0,9}"
)
_MAIL: Final = late(r"[\w.+-]{1,64}@[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}")
_ANNOUNCED: Final = late(
    r"\b(?:here|below|next|separate\w*|following|sec|enter|type|use|hier|unten|folgt|gleich|voici|aquí|ecco|aqui"
    r"|hierbij)\b",
    re.IGNORECASE,
)
_ASKS: Final = late(rf"\b(?:{PW_WORD}|(?i:pass|login|parola|code wifi))\b")
_MOST_MESSAGES: Final = 3
"""How far above a message may be that asks for what it says."""
_LISTED: Final = late(
    r"\n[ \t]{0,12}+[-*•][ \t]{1,3}[^\s:=\u2192\n][^:=\u2192\n]{0,40}?[ \t]?(?::|=|\u2192|->"
    r"|[ ][/\u2013-][ ])[ \t]{0,3}[`\"']?(?P<secret>[^\s`\"'<>,;]{8,100})[`\"']?[ \t\r]{0,9}(?=\n|\Z)"
)
"""An entry of a list."""
_LOGINS: Final = late(
    rf"\b(?:{PW_WORD}|(?i:logins|log-ins|credentials|zugangsdaten|zugänge|identifiants|credenziali))\b"
)
_LONGEST_LIST: Final = 12
_OF_MANY: Final = late(r"(?i:s|wörter|schlüssel)[*_`]{0,3}[ ]?:[*_`]{0,3}$")
"""The end of a line that announces several."""
_PROMPT: Final = late(
    r"(?:\$|%|#|>|➜|\u276f|PS [^\n>]{1,60}>|[\w.@~:/()\[\] -]{1,60}[$#%>])[ ]{1,3}(?P<command>[a-z./~][^\n]{3,300})"
)
_OUTCOME: Final = late(
    r"\s{0,9}(?:Outcome|Failure) of (?!(?:Read|Grep|Glob|Edit|Write|LS|Task)\b)[\w.:-]{1,60}: (?P<command>[^\n]{3,300})"
)
"""The request to a tool, above what came out of it."""
_REQUEST: Final = late(r"\s{0,3}(?:[a-z./~(]|[A-Z_]{1,40}=)")
_AND_THEN: Final = late(r";|&&|\|\|")
_SHOWS: Final = late(
    r"pass|secret|token|credential|\bkey\b|\brand\b|random|pwgen|apg\b|makepasswd|mkpasswd|\bcat \S*(?:pw|pass)|-w\b",
    re.IGNORECASE,
)
"""What commands have in them that print a secret."""
_ONLY_SHOWS: Final = late(
    r"(?<![\w/.-])(?:(?:go)?pass show (?:-\S{1,20} )?[^-\s]|(?:pwgen|apg|makepasswd)(?![\w.:/-])|openssl rand\b"
    r"|vault (?:kv get|read)\b[^\n|]{0,60}-field|op read\b|op item get\b[^\n|]{1,80}--(?:reveal|fields)"
    r"|bw get password\b|aws secretsmanager get-secret-value\b|aws ssm get-parameter\b[^\n|]{1,99}--with-decryption"
    r"|gcloud secrets versions access\b"
    r"|kubectl\b[^\n|]{0,40}? get secrets?\b[^\n]{1,150}(?:base64 -{1,2}[dD]|base64decode)"
    r"|az keyvault secret show\b|heroku config:get\b|doppler secrets get\b[^\n|]{1,60}--plain|secret-tool lookup\b"
    r"|sops (?:-d|--decrypt|decrypt)\b[^\n|]{0,30}--extract|terraform output -raw \w*(?:pass|pw|secret|token|key)"
    r"|ansible-vault view\b|gpg2? (?:-d|--decrypt|--gen-random)\b|gh auth token\b|gcloud auth print-\w+-token"
    r"|(?:echo|printenv) [\"']?(?:\$\{?)?\w{0,30}(?:PASS|SECRET|TOKEN|APIKEY|API_KEY|PW)\w{0,20}\}?[\"']?\s{0,3}$"
    r"|cat [^\s|]{0,80}(?:run/secrets/|passw(?:or)?d|secret|token|\.key\b)[\w-]{0,30}(?:\.txt)?[\"']?\s{0,3}$"
    r"|security find-\w{1,20}-password\b[^\n|]{0,99}-w\b|secrets\.token_(?:hex|urlsafe)\("
    r"|node [^\n]{0,60}\brandomBytes\(|(?:head|dd|tr|cat|base64|xxd)\b[^\n]{0,60}/dev/u?random)"
)
"""Commands that print nothing but a secret."""
_LISTS: Final = late(
    r"\bget secrets?\b(?!.{0,100}(?:-o|json|template))|\b(?:list|ls|grep|wc|git|find|head|tail|count)\b"
    r"|sum\b|hash|digest|describe"
)
"""What they have in them that print something about it."""
_KEEPS: Final = late(
    r"(?<![\d<>=-])>{1,2}[ ]{0,3}(?!/dev/std|&|=)[\w./~$\"']"
    r"|\b(?:cat|less|bat|sed|awk|pytest|jest|vitest|mocha)\b[^\n]{0,99}\.(?:py|[jt]sx?|go|rs|java|rb|md|html?|cs|cpp|c|h)\b"
)
"""What they have in them that write a secret to a file, or show a program about it."""
_IN_COLUMNS: Final = late(r"\b(?:pwgen|apg|makepasswd)\b")
_PRINTED: Final = late(r"[ \t]{0,9}(?P<secret>[^\s\"'`<>]{6,200})[ \t\r]{0,9}")
_WORD: Final = late(r"(?P<secret>[^\s\"'`<>]{8,200}+)(?!\S)")
_MOST_PRINTED: Final = 8
"""How many lines of an outcome are looked at."""
_FENCE: Final = late(r"[ \t>]*(?:(?:`{3,}|~{3,})[\w-]{0,20}|={3,}|-{3,}|\^{3,}|\*{3,})[ \t\r]*")
_MOST_BETWEEN: Final = 3
"""Blank lines, the beginning of a fence and what underlines a heading, between a name and what it names."""
_LONGEST_LABEL: Final = 200
_LONGEST_NAME: Final = 60
_LABEL_SIGNS: Final = " \t\r>#*_`-•"
_PLACES: Final = late(
    r"\b(?:file|path|folder|director|command|run|url|link|endpoint|hash|digest|checksum|fingerprint|branch|version"
    r"|format"
    r"|example|e\.g|datei|befehl|beispiel|fichier|commande|exemple|archivo|comando|ejemplo|name)",
    re.IGNORECASE,
)
"""Words of lines that announce something else: `write the token to this file:`."""
_FILE: Final = late(
    r"(?:[\w-]{1,60}[./\\]){1,9}[a-z]\w{0,9}|\S*//\S*|[\w.-]+@[\w.-]+|[./~\\$@#-]\S*|[a-z]{1,7}[-_]?\d{1,2}"
)
CODE_WORDS: Final = (
    r"(?i:(?:backup|recovery|scratch|rescue|emergency|one-time|2fa|mfa|single-use)[ -](?:\w{1,15}[ -])?codes?"
    r"|(?:wiederherstellungs|backup-?|ersatz|notfall|einmal)codes?|codes?[ ]de[ ](?:secours|récupération|sauvegarde)"
    r"|códigos?[ ]de[ ](?:recuperación|respaldo|seguridad))"
)
_CODE_CLUE_WORDS = (
    "backup|recovery|scratch|rescue|emergency|one-time|2fa|mfa|single-use|wiederherst|ersatz|notfall|einmal|secours"
    "|récup|sauvegarde|recuper|respaldo|códigos"
)
CODE_CLUES: Final = tuple(_CODE_CLUE_WORDS.split("|"))
CODE: Final = r"(?:[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{3,10}){0,5}|\d{3,6}(?: \d{3,6}){1,3})"
_CODE_LINE: Final = (
    rf"[ \t>]{{0,12}}(?:\d{{1,2}}[.)][ \t]{{1,3}}|[-*•][ \t]{{1,3}}(?:\[[ x]\][ \t])?)?`?(?=[^\n]{{0,30}}\d){CODE}`?"
    rf"(?:[ \t,;]{{1,4}}`?(?=\S{{0,20}}\d){CODE}`?){{0,9}}[ \t\r]{{0,9}}"
)
_CODES: Final = late(
    rf"\b{CODE_WORDS}\b[^\n]{{0,80}}\n\s{{0,9}}?(?:`{{3}}\w{{0,9}}\n)?(?P<code>{_CODE_LINE}(?:\n{_CODE_LINE}){{1,30}})(?=\n|\Z)"
)


def apart(text: str) -> Iterator[Span]:
    """Spans of values on the line below a label, and of lists of codes."""
    if "\n" not in text:
        return
    yield from _in_outcome(text)
    lowered = text.lower()
    if not any(map(lowered.__contains__, _CLUES)):
        return
    if any(map(lowered.__contains__, CODE_CLUES)):
        for match in _CODES.finditer(text):
            yield *match.span("code"), "recovery-code"
    for match in _YAML_BLOCK.finditer(text) if ": |" in text or ": >" in text else ():
        nature = nature_of(match["name"])
        if nature is not None and _is_block_secret(match["value"].split(), nature is Nature.PASSWORD):
            yield match.start("value"), match.start("value") + len(match["value"].rstrip()), KIND
    if ("- " in text or "* " in text or "• " in text) and _LOGINS.search(text) is not None:
        for match in _LISTED.finditer(text):
            if is_chosen(match["secret"]) and _LOGINS.search(_heading_above(text, match.start() + 1)):
                yield *match.span("secret"), KIND
    for match in _MESSAGE.finditer(text) if ": " in text or "> " in text else ():
        secret = match["secret"]
        if is_chosen(secret) and not _FILE.fullmatch(secret) and _is_asked_for(text, match.start() + 1, True):
            yield *match.span("secret"), KIND
    end = more = 0
    for match in _ALONE.finditer(text):
        secret = match["secret"].rstrip("*")
        if not is_held_value(secret) or _FILE.fullmatch(secret):
            continue
        is_made = any(map(str.isdigit, secret)) and any(map(str.isalpha, secret))
        is_next = is_made and more > 0 and match.start() == end
        label = _label_above(text, match.start() + 1)
        is_called = is_made and (is_next or _is_called(text, match.start() + 1, label, secret))
        if is_called or _is_shown(label, secret):
            if not is_next:
                more = _LONGEST_LIST if _OF_MANY.search(label) else 0
            end, more = match.end(), more - 1
            yield *match.span("secret"), KIND


def _is_block_secret(words: list[str], is_password: bool) -> bool:
    """Whether the lines of a value, cut into words, are a secret: one, also over several lines, or a phrase."""
    if is_password and len(words) > 1 and all(map(str.isalpha, words)):
        return all(map(str.islower, words)) and SPEECH.isdisjoint(words)
    whole = "".join(words)
    is_one = len(words) == 1 or is_random(whole)
    return is_one and is_held_value(whole) and is_likely(whole, False, is_password, True)


def _heading_above(text: str, at: int) -> str:
    for line in map(str.lstrip, _lines_above(text, at, _LONGEST_LIST)):
        if line and line[0] not in "-*•":
            return line
    return ""


def _lines_above(text: str, at: int, most: int) -> Iterator[str]:
    """So many lines above a place at most, the nearest first; of a long one its end."""
    while most > 0 and at > 0:
        begin = text.rfind("\n", max(at - 1 - _LONGEST_LABEL, 0), at - 1) + 1
        yield text[begin : at - 1]
        at, most = begin, most - 1


def _is_called(text: str, at: int, label: str, secret: str) -> bool:
    """Whether what stands above a line, its label first, says that it is a secret."""
    label = WHOLE_MARK.sub("", label)  # a kind is no word of the text
    if label and _names(label, secret):
        return True
    return is_chosen(secret) and (
        _MAIL.fullmatch(label) is not None
        or (
            (_HEAD_OF_MESSAGE.fullmatch(label) is not None or _ANNOUNCED.search(label) is not None)
            and _is_asked_for(text, at)
        )
    )


def _is_shown(label: str, secret: str) -> bool:
    """Whether a line is a command that prints a secret."""
    prompt = _PROMPT.fullmatch(label)
    if prompt is None:
        return _ONLY_SHOWS.match(label) is not None and _is_printed(secret, True)
    return any(_is_printed(secret, is_only) for is_only in _prints(prompt["command"]))


def _prints(command: str) -> Iterator[bool]:
    """For each part of a command that prints a secret, whether it prints nothing else."""
    for part in _AND_THEN.split(command):
        if _KEEPS.search(part) or not _REQUEST.match(part):
            continue
        if _ONLY_SHOWS.search(part):
            yield True
        elif _SHOWS.search(part) and not _LISTS.search(part):
            yield False


def _is_printed(value: str, is_only: bool) -> bool:
    """Whether a command that prints a secret printed this one; `is_only`: it prints nothing else."""
    if is_chosen(value) or (is_public_id(value) and len(value) >= 32):
        return True
    has_sign = not value.isalpha() and not value.isdigit()
    is_long = len(value) >= 10 or (len(value) >= 8 and value.isdigit())
    return is_only and is_held_value(value) and (has_sign or is_long) and not value.endswith(":")


def _in_outcome(text: str) -> Iterator[Span]:
    """Spans of what a tool printed, where its request above it prints a secret."""
    outcome = _OUTCOME.match(text)
    if outcome is None:
        return
    prints = list(_prints(outcome["command"]))
    in_columns = _IN_COLUMNS.search(outcome["command"]) is not None and any(prints)
    at = outcome.end()
    for _ in range(_MOST_PRINTED):
        begin = text.find("\n", at) + 1
        if begin <= 0:
            return
        end = text.find("\n", begin)
        at = len(text) if end < 0 else end
        shown = text[begin : min(at, begin + _LONGEST_LABEL)].strip()
        prints += _prints(shown) if _ONLY_SHOWS.match(shown) else ()
        words = _WORD.finditer(text, begin, at) if in_columns else (_PRINTED.fullmatch(text, begin, at),)
        for word in filter(None, words):
            secret = word["secret"]
            if prints and not _FILE.fullmatch(secret) and _is_printed(secret, any(prints)):
                yield *word.span("secret"), KIND


def _is_asked_for(text: str, at: int, is_setting: bool = False) -> bool:
    """Whether one of the messages above speaks of a secret, and does not say it.

    `is_setting`: what asks for it looks like one; then several words have to be said above.
    """
    for line in _lines_above(text, at, 2 * _MOST_MESSAGES):
        if any(map(line.lower().__contains__, _CLUES)) and (calls_secret(line) or _ASKS.search(line)):
            return MARK not in line and (not is_setting or _SPEECH.match(line) is not None)
    return False


def _label_above(text: str, at: int) -> str:
    """The line above this place, over blank lines and the beginning of a fence."""
    for line in _lines_above(text, at, _MOST_BETWEEN + 1):
        if len(line) >= _LONGEST_LABEL:
            return ""
        if line.strip() and _FENCE.fullmatch(line) is None:
            return line.strip() if _PROMPT.match(line.strip()) else line.strip(_LABEL_SIGNS)
    return ""


def _names(label: str, secret: str) -> bool:
    """Whether a line says that what stands below it is a secret: it ends with a colon, or is nothing but a name."""
    is_announced = label.endswith(":")
    words = label.rstrip(": ").split()
    if not words or (not is_announced and (len(words) > 4 or len(words[-1]) > _LONGEST_NAME)):
        return False
    if len(words) == 1 and nature_of(words[0]) is None:
        return False
    if (
        _PLACES.search(label)
        or _LISTS.search(label)
        or (not is_announced and nature_of(words[-1], " ".join(words[:-1]) + " ") is None)
    ):
        return False
    if not calls_secret(label):
        return False
    return len(secret) >= 8 if not is_public_id(secret) else len(secret) >= 32 or is_random(secret)
