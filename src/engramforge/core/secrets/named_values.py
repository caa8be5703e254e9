"""Values whose name says that they are secret: `DB_PASSWORD=...`, `"access_token": "..."`, `--token ...`, `the password
is ...`, in code, settings, commands and in the speech of people (English, German, French, Spanish).

What is said to be its value counts unless it is a place holder, a reference, a type or a word of speech.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.chance import KIND, MARK, is_chosen, is_held_value, is_random, is_technical
from engramforge.core.secrets.made_up import is_labelled
from engramforge.core.secrets.names import (
    ABOUT,
    PARAGRAPH,
    SPEECH,
    STEM,
    Nature,
    is_mixed,
    is_name_of_secret,
    is_said_word,
    is_word_of_setting,
    names_holder,
    nature_below,
    nature_of,
)
from engramforge.core.secrets.service_tokens import Span
from engramforge.core.secrets.speech.nearby import names_public
from engramforge.core.text.late_pattern import late

_NO_LOGIN: Final = late(
    r"[\W_]{0,9}+[a-z](?>(?:(?!user|login|log in|account|benutzer|konto|mail)[^\n,;/={(|:\"']){0,60})",
    re.IGNORECASE,
)
"""What stands before `pass` on its line where it is no password: words, none of which is of a login."""
_TAIL: Final = late(r"[\w.-]{0,40}")
_LONGEST_NAME: Final = 60
_LONGEST_VALUE: Final = 4_000
_MOST_DULL: Final = 64  # places kept that name nothing
_ASSIGNED: Final = late(
    r"""(?:\\?["'`]|[\])]|\[\d{0,4}\]|\*\*|:protected|:"?[\w\\]{0,60}"?:?private){0,4}
    (?:[ \t]{0,3}:[ \t]{0,3}[\w.&\[\] |]{1,30}(?=[ \t]:?=)|[ \t][\w.*&\[\]]{1,20}(?=[ \t]{1,2}:?=[ \t]))?[ \t]{0,8}
    (?P<op>::?=|=>|→|->|===?|\|\|=?|\?\?=?|[?+]=|//=|\|(?=[ \t])|=|:[:-]?|,(?=[ \t]{0,3}["'])|\.(?=[ \t]{1,2}")
    |;[ ]?s:\d{1,4}:|>(?:\s{0,40}<\w{1,20}>)?(?=[^\s<>]{4,200}</)|</\w{1,6}>\s{0,9}<\w{1,6}>(?=[^\s<>]{4,200}</)
    |\((?=[ \t]{0,2}["']))
    (?:\*\*)?[ \t]{0,8}(?:\s{0,40}string\(\d{1,4}\)[ ](?="))?(?:<[a-z]{1,6}>){0,2}
    (?:(?:Buffer\.from|bytes\.fromhex|(?:base64\.)?b64decode|(?:binascii\.)?unhexlify|\[\]byte
    |(?:new[ ])?(?:Some|Optional|Ok|Right|Sensitive\w{0,10}|(?:Protected|Plain)?Text|Secret\w{0,10}(?:(?:::|\.)\w{1,9})?
    |Field|String(?:::from|\.valueOf)?|str|bytes))\((?=[bruf]?["'])|Just[ ](?=")
    |!{1,2}(?!(?i:secret|ref|sub|env|get|import|join|select|find|var|include|vault\b)\w*[ ])[\w-]{1,20}[ ]
    |\{[ ]?"(?:S|B|value|stringValue|string_value|plain(?:text)?)"[ ]?:[ ]?(?="))?
    (?:[@$]?[brufNL]{0,2}\\?(?P<quote>["'`]))?""",
    re.VERBOSE,
)
_SPOKEN: Final = late(
    r"""["'`)]{0,2}[?,.]?(?P<what>(?:[ \t]{1,40}+(?!not\b|kein|pas\b)[\w'()/@.-]{1,24},?){0,6}?)[ \t]{1,40}+
    (?P<verb>is|was|are|be|reads?|remains|equals|lautet|ist|war|wäre|wird|heißt|est|è|é|c'est|devient|sera|serait
    |sería|es|era|será|queda|sind
    |becomes|to|now|jetzt|ahora|maintenant|auf|a|à|en|por|par|durch|naar|para|(?:cambiat|modificat|impostat|aggiornat
    |gewijzig|verander)\w{1,2}[ ](?:in|naar)|with|into|als|as|it's|It's)[ \t]{0,40}+
    (?::[ \t]{1,40}+|(?<=[ \t]))
    (?:(?:ser|être|now|then|simply|just|again|dann|halt|einfach|wieder|entonces|donc|allora|quindi|então|dus|still
    |currently|actually|übrigens|jetzt|nun|noch|weiterhin|maintenant|toujours|encore|ancora|ainda|nog|ahora
    |todavía)[ \t]{1,9}+)?
    (?P<quote>["'`“”«„]?)""",
    re.VERBOSE,
)
_MOST_VERBS: Final = 3
_IS: Final = frozenset({"is", "was", "ist", "est", "es"})
_OF_WORDS = " for of on at to in für fürs vom von zu zum de du del pour para"
_OF: Final = frozenset(_OF_WORDS.split(" "))
_TICKET: Final = late(r"[A-Z]{2,9}-\d{1,6}(?![\w-])")
_OF_WHAT: Final = late(
    r"(?P<what>(?P<of>[ \t](?:for|of|on|at|to|für|fürs|vom|von|zu|zum|de|du|del|pour"
    r"|para))?(?:[ \t](?:\(?[\w'\u2019.@/-]{1,24}\)?|'[^\s']{1,80}')){1,9}?)[ \t]?"
    r"(?:[:=→]|[-\u2013\u2014](?=[ \t]))[ \t]{1,3}(?P<quote>[\"'`]?)"
)
_BESIDE: Final = late(r"""[ \t]{1,3}(?:["'`«„“(]|<[a-z]{1,6}>)?(?P<value>[^\s"'`<>|,;()]{6,200})""")
_HEX: Final = late(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MADE_UP: Final = late(r"(?=\S*\d)(?=\S*[A-Za-z])[\w.-]*[!$%#?&*^~][\w!$%#?&*^~.-]*")
"""Letters, a digit and a sign, as people are made to choose passwords."""
_SIGN_WITHIN: Final = late(r"(?=\w*[a-z])(?=\S*[A-Z])(?=\S{8})[A-Za-z]{2,40}[!$%#&*^~@][A-Za-z]{2,40}")
_CHOSEN: Final = late(r"(?=.{7})[A-Za-z]\w*(?:-\w+){0,3}|(?=.{9})[A-Za-z]\w*(?:[.-]\w+){0,3}[._-]\d{2,6}")
"""Words with a number, alone or joined."""
_FIRST: Final = late(r"[-_\d]")
_DEFAULT: Final = late(r"(?::?[-=]|:)(?!\d{1,4}[:}])(?P<value>[^{}\s\"'`$?+][^{}\n\"'`$]{2,200}?)\}")
"""What a variable is where it is not set: `${DB_PASSWORD:-...}`."""
_OPTION: Final = late(r"(?P<op>[ \t]{1,4}|=)(?P<quote>[\"']?)")
_NEXT: Final = late(r"[,;](?=[\w\"'])|&(?=[\w.-]+=)")
"""Where the next of several values begins."""
_BARE: Final = late(r"[^\s\"'`<|]{1,1000}")
_LAST_WORD: Final = late(r"[^\s\"',{}()\[\]<>]{4,100}+[\"']?[ \t\r]{0,9}+(?:\n|\Z)")
_GETS: Final = late(
    r"[\w.]*?(?:get|read|fetch|load|find|lookup|env|prompt|ask|input|label|has|need|forgot|reset|show|is)",
    re.IGNORECASE,
)
_ENDS: Final = late(r"[.,;:!)\"'`]{0,3}(?:[ \t\r]{0,9}(?:\Z|\n)|[,;.][ ])")
_NEXT_WORD: Final = late(r"[ ][a-z]+\b")
_NUMBER: Final = late(r"\d{6,16}")
LETTERS_IN_FOURS: Final = late(r"[a-z]{4}(?:[ -][a-z]{4}){3}")
"""A password of an app, as some services show it."""
_CLOSING: Final = {"“": "”", "”": "”", "«": "»", "„": "“"}

_HOST: Final = late(
    r"[a-z\d-]{1,63}+(?:\.[a-z\d-]{1,63}+){1,5}\.[a-z]{2,12}|(?:\d{1,3}\.){3}\d+|[\w./-]{1,200}\.[jt]s:\d{1,6}(?::\d{1,6})?"
)
_SLUG: Final = late(
    r"(?![a-z]{4,20}-\d{1,3}-[a-z]{4,20}$)[a-z]{1,20}+(?>(?:[-_/](?:(?:20\d\d|v?\d{1,2})(?!\d)|[a-z]{1,20}+)){0,4})"
)
"""How secrets are named."""
_CODE_WORD: Final = late(r"[^\W\d]+(?:[.-][^\W\d]+)*")
_PATH: Final = late(r"[\w.-]*/[\w./-]*\.\w{1,5}|(?:[\w.-]+/){2,}[\w.-]*")
_DOTTED: Final = late(r"[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+")
_ABSOLUTE: Final = late(r"(?:/[\w.-]{1,60}){1,20}/?")
_CLASS: Final = late(r"[a-z_]\w{0,40}(?:\.[a-z_]\w{0,40}){1,8}\.[A-Z][a-z]\w{0,60}")
"""A class in its modules."""


def named_values(text: str) -> Iterator[Span]:
    """Spans of values that a name, an option or a sentence calls secret."""
    lowered = text.lower()
    lowered = lowered if len(lowered) == len(text) else text  # a few letters become two
    done = 0
    dull: dict[tuple[str, str], int] = {}  # what says nothing once says nothing a hundred thousand times
    for hit in STEM.finditer(lowered):
        if (at := hit.start()) < done:
            continue
        around = text[max(at - PARAGRAPH, 0) : at], text[at : at + _LONGEST_VALUE]
        if around in dull:
            done = at + dull[around]
            continue
        if text.startswith(MARK, max(hit.start() - len(MARK), 0)):
            done = text.find("]", hit.start())
            continue
        begin = _name_begin(text, at, done)
        tail = _TAIL.match(text, hit.end())
        end = hit.end() if tail is None else tail.end()
        if text.startswith("${", begin - 2) and (default := text.find("-", begin, end)) >= 0:
            end = default
        while text[end - 1] in ".-":
            end -= 1
        done = end
        before = text[max(begin - 40, text.rfind("\n", 0, begin) + 1) : begin]
        nature = nature_of(text[begin:end], before, text[end : end + 24])
        if nature is None and not before.strip(" \t-*>_•"):
            nature = nature_below(text[begin:end], text[max(begin - PARAGRAPH, 0) : begin])
        found = None if nature is None else _value_after(text, begin, end, nature is Nature.PASSWORD)
        if nature is None or found is None:
            if len(dull) < _MOST_DULL:
                dull[around] = end - at
            continue
        is_variable = text[begin:end].isupper() and (text[end] == "=" or text.startswith("$env:", begin - 5))
        is_variable = is_variable and "/" not in text[slice(*found)]
        if is_variable or not (names_holder(text[begin:end], nature) and _SLUG.fullmatch(text, *found)):
            done = found[1]
            yield *found, KIND


def _name_begin(text: str, at: int, least: int) -> int:
    lowest = max(at - _LONGEST_NAME, least)
    while at > lowest and (text[at - 1].isalnum() or text[at - 1] in "_-."):
        at -= 1
    return at


def _value_after(text: str, begin: int, end: int, is_password: bool) -> tuple[int, int] | None:
    """The span of the value that follows a name, if it is one."""
    name = text[begin:end]
    if text.startswith("--", begin) and (option := _OPTION.match(text, end)) is not None:
        in_fours = LETTERS_IN_FOURS.match(text, option.end())
        if is_password and in_fours is not None:
            return in_fours.span()
        return _value(text, option.end(), option["quote"], is_password, option["op"] == "=")
    if text.startswith("{", begin - 1) and (default := _DEFAULT.match(text, end)) is not None:
        value = default["value"]
        is_given = is_held_value(value) and is_likely(value, False, is_password, True, name.isupper())
        return default.span("value") if is_given else None
    assigned = _ASSIGNED.match(text, end)
    if assigned is not None:
        quote, op = assigned["quote"] or "", assigned["op"]
        is_setting = op == "=" and (name.isupper() or not text[assigned.start("op") - 1].isspace())
        is_whole = op == ":" and "_" in name and name.isupper() and _LAST_WORD.match(text, assigned.end())
        is_word = op[0] in ":=>→" and not quote
        is_made = (op == ":" or quote != "") and not names_holder(name) and is_labelled(text, assigned.end())
        is_setting |= is_made and (is_password or name.lower() == "credentials")
        is_setting |= is_password and bool(
            is_whole or (is_word and is_word_of_setting(text, begin, end, assigned.end(), op))
        )
        if op == ":" and not quote and assigned.end() == assigned.end("op"):
            # `secret:prod/db` is a path
            span = _value(text, assigned.end(), "", is_password, False)
            is_named = is_password and not names_holder(name)
            return span if is_named and span and is_chosen(text[slice(*span)]) else None
        line = text.rfind("\n", 0, begin) + 1
        if op == ":" and name == "pass" and _NO_LOGIN.fullmatch(text, line, begin):
            return None  # all tests pass: a list of them; a boarding pass
        if op == "|" and not text.startswith("|", line):
            return None  # a pipe of commands
        if op == "(":
            return _only_argument(text, name, assigned.end(), quote) if is_password else None
        is_call = "(" in text[max(begin - _LONGEST_NAME, line) : begin] and not (quote and name.isupper())
        if quote and is_password and _is_in_fours(quoted := _quoted(text, assigned.end(), quote)):
            return assigned.end(), assigned.end() + len(quoted)
        if quote and op == ":" and " " in _quoted(text, assigned.end(), quote).strip():
            return None  # a quotation after a colon is speech
        is_sure = is_made or name.isupper()
        found = _value(text, assigned.end(), quote, is_password, is_setting and not is_call, is_sure)
        if op == "=" and found is not None and _is_said_empty(text, assigned.end("op"), *found):
            return None
        if op == "," and found is not None and not any(map(str.isdigit, text[slice(*found)])):
            # A word after a name: the second of two arguments, or the next of many names.
            is_second = text[found[1] + 1 : found[1] + 2] == ")" and text[begin - 2 : begin - 1] == "("
            return found if is_second else None
        return found
    spoken = _OF_WHAT.match(text, end)
    if spoken is not None and not _is_of_other(spoken):
        is_setting = spoken["of"] is not None and is_password
        is_setting = is_setting and is_word_of_setting(text, begin, end, spoken.end(), ":")
        return _value(text, spoken.end(), spoken["quote"], is_password, is_setting)
    return _spoken(text, name, end, is_password) or _beside(text, begin, end, is_password)


def _is_said_empty(text: str, at: int, begin: int, end: int) -> bool:
    """Whether a sentence goes on behind the sign of a setting that has no value; `at`: the end of the sign."""
    is_apart = begin > at and not text[at - 2].isspace() and text[begin:end].islower()
    return is_apart and text[begin:end].isalpha() and _NEXT_WORD.match(text, end) is not None


def _is_in_fours(value: str) -> bool:
    return LETTERS_IN_FOURS.fullmatch(value) is not None and SPEECH.isdisjoint(re.split("[ -]", value))


def _only_argument(text: str, name: str, at: int, quote: str) -> tuple[int, int] | None:
    """The span of a text that is given alone to what is called a password: `.password("...")`."""
    name = name.rpartition(".")[2]
    value = _quoted(text, at, quote)
    is_alone = text[at + len(value) + 1 : at + len(value) + 3].lstrip()[:1] == ")"
    if (
        not is_alone
        or nature_of(name) is None
        or names_holder(name)
        or _GETS.match(name)
        or (_SLUG.fullmatch(value) and not is_chosen(value))
    ):
        return None
    return _value(text, at, quote, True, False) if is_likely(value, False, True, False) else None


def _spoken(text: str, name: str, end: int, is_password: bool) -> tuple[int, int] | None:
    """The span of what a sentence says that it is: `the password to the router is ...`."""
    at = end
    for _ in range(_MOST_VERBS):
        spoken = _SPOKEN.match(text, at)
        if spoken is None or "\n" in spoken[0]:
            return None
        if (name.lower() == "pass" and spoken["verb"] not in _IS) or names_public(_first(spoken["what"])):
            return None  # to pass one thing to another; a token contract
        if _first(spoken["what"]) not in _OF and _TICKET.match(text, spoken.end()):
            return None  # to change what is about passwords to the number of something
        is_made = spoken["verb"] in _IS and not names_holder(name) and is_labelled(text, spoken.end())
        is_named = spoken["verb"] == "lautet" and is_said_word(text, spoken.end())
        is_word = is_password and (is_made or is_named)
        found = _value(text, spoken.end(), spoken["quote"], is_password, is_word, is_word)
        if found is not None:
            return found
        at = spoken.end("verb")
    return None


def _is_of_other(spoken: re.Match[str]) -> bool:
    """Whether the words after the name make something else of it: `password policy`, `token address`."""
    words = spoken["what"]
    return not (ABOUT - {"is"}).isdisjoint(words.lower().split()) or (
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
        or (
            name in ("secret", "secrets")
            and not _MADE_UP.fullmatch(beside["value"])
            and not _HEX.fullmatch(beside["value"])
        )
        or (name == "pass" and text[begin - 1 : begin] not in ("(", " "))
    ):
        return None
    value = beside["value"].rstrip(".,:;!?)]}»”\\")
    is_chance = is_random(value, 12) or (
        (not is_password or name.startswith("secret")) and _HEX.fullmatch(value) is not None
    )
    is_made_up = is_password and (
        (_NUMBER.fullmatch(value) is not None and _ENDS.match(text, beside.end("value")) is not None)
        or _MADE_UP.fullmatch(beside["value"]) is not None
        or _SIGN_WITHIN.fullmatch(value)
        or (
            _CHOSEN.fullmatch(value) is not None
            and name != "pass"
            and _FIRST.split(value)[0] not in ABOUT
            and is_likely(value, False, True, False)
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
        and is_name_of_secret(value.lower())
        and not (is_password and is_mixed(value))
    )
    if (
        is_held_value(value)
        and not is_name
        and is_likely(value, bool(quote), is_password, is_setting, is_variable)
    ):
        return at, end
    return None


def is_likely(
    value: str, is_quoted: bool, is_password: bool, is_setting: bool, is_variable: bool = False
) -> bool:
    """Whether a value may be a secret where a name says so; the flags as `_value` has them."""
    has_digit = any(map(str.isdigit, value))
    has_letter = any(map(str.isalpha, value))
    if value.startswith(("http://", "https://", "(", "./", "../", "~/")) or _CLASS.fullmatch(value):
        return False
    if _HOST.fullmatch(value):
        return is_variable and is_password
    if is_random(value) or (is_password and is_mixed(value)):
        return True
    if _ABSOLUTE.fullmatch(value):
        return False
    if is_quoted or is_setting:
        # A word alone is a password where one is expected, and a name where a token is; a path is neither.
        return is_password or (len(value) >= 8 and has_digit and not _PATH.fullmatch(value))
    if is_password and (_SIGN_WITHIN.fullmatch(value) or _NUMBER.fullmatch(value)):
        return True
    if not has_digit or len(value) < 6 or is_technical(value):
        return False
    if any(mark in value for mark in "(){}[]<>") or value.startswith(("http:", "https:", "/")):
        return False
    return has_letter if is_password else has_letter and len(value) >= 16 and not _DOTTED.fullmatch(value)
