"""What may be a name, by its shape alone: one pattern whose groups say which shape it is.

Every repetition is bounded or cannot be retried, so no text takes quadratic time. A plain word in small letters is
passed over at once; those that other words tell to be names are found by `PLACED`, which is only asked where one of
`PLACING` stands in the text.
"""

from __future__ import annotations

import re
from typing import Final

_UPPER: Final = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0386-\u03ab\u0400-\u042f"
_WORD: Final = rf"[{_UPPER}][^\W_]*+(?>(?:['\u2019-][^\W_]++|&[A-Z][^\W_]*+)*)"
# A word that goes on as a file, a path or a call, or that is counted, is no part of a name before it.
_NEXT: Final = rf"(?![A-Z]{{2,8}} \d|[A-Z][A-Z0-9]{{1,9}}-\d){_WORD}(?![_/(]\w|\.[a-z_]|\(\))"
_JOIN: Final = r"(?: (?:of|de|del|van|von|der|la|le|da|di|bin|al|the|for|and the|of the|&))?"
_EXTENSIONS: Final = (
    "py|js|ts|tsx|jsx|rs|go|c|h|cc|cpp|hpp|java|kt|rb|php|cs|swift|sh|sql|md|rst|txt|json|jsonl|toml|ya?ml|ini|cfg"
    "|conf|xml|html|css|csv|tsv|pdf|docx?|xlsx?|png|jpe?g|gif|svg|log|lock|env|ipynb|db|zip|gz|tar"
)
# The first condition passes over a plain word in small letters. Repetitions that cannot end otherwise are possessive.
CANDIDATE: Final = re.compile(
    r"(?<!`)``?(?P<code>(?=[^`\s])[^`\n]{1,80})``?(?!`)"
    r"|(?P<quoted>[\"\u201c](?=[^\W\d_])[^\"\u201c\u201d\n]{2,80}[\"\u201d])"
    r"|(?<!\w)(?=[\w@#~./-])(?!I[ ']|[a-z]++(?![\w/@-]|\.\w|\(\)|://))(?:(?P<host>https?://[^\s<>\"')\]]{1,300})"
    r"|(?<![\w/.])(?P<package>@[a-z][\w.-]{0,38}/[a-z][\w.-]{0,60}\b)"
    r"|(?<![\w/.])(?P<handle>@[A-Za-z][\w-]{1,38})|(?<![\w&])(?P<ticket>\#\d{1,7}\b)"
    r"|(?<![\w-])(?P<key>[A-Z][A-Z0-9]{1,9}+-\d{1,6}(?:-\d{1,7})?)\b"
    r"|(?<![\w-])(?P<designation>[A-Z]{2,8}+ \d{1,6}(?:[.-]\d{1,6}){0,2})(?![\w%])"
    r"|(?<![\w.])(?P<version>v\d{1,4}(?:\.\d{1,6}){0,4}|\d{1,4}\.\d{1,4}\.\d{1,6}(?:[-.]?(?:a|b|rc|dev)\d*)?)"
    r"(?![\w.]\w)|(?<![\w/])(?P<path>(?:~|\.{1,2})?/?(?:[\w.@-]{1,60}+/){1,20}[\w.-]{1,60})"
    r"|(?<![^\s(\[])(?P<command>/[a-z][a-z-]{2,30}|--[a-z][a-z0-9]{1,30}(?:-[a-z0-9]{1,20}){0,5})(?![\w/])"
    rf"|(?<![\w./-])(?P<file>[\w-]{{1,60}}+(?:\.[\w-]{{1,30}}+){{0,3}}\.(?:{_EXTENSIONS}))\b(?!\.\w)"
    r"|\b(?P<call>[A-Za-z_]\w{1,60}+(?:\.\w{1,60}+){0,5})\(\)"
    r"|(?<![\w@/.-])(?P<dotted>[a-z_]\w{1,40}+(?:\.[A-Za-z_]\w{0,40}+){1,6}"
    r"|[A-Z]\w{1,40}+(?:\.[a-z_]\w{0,40}+){1,6})(?![\w@])"
    r"|\b(?P<identifier>[A-Za-z][^\W_]{0,40}+_\w{1,60}|_{1,2}[a-z][^\W_]{0,40}+_\w{1,60}"
    r"|[a-z][a-z0-9]{0,40}+[A-Z]\w{1,60})\b"
    r"|(?<![\w-])(?P<hyphened>[a-z][a-z0-9]{0,30}+(?:-[a-z0-9]{1,30}+){1,8})(?![\w-])"
    r"|(?<![\w-])(?P<mixed>[a-z]{1,12}+\d{1,6}+(?:[a-z]{1,12}+\d{0,4}+)?|\d[a-z]{2,8}+\d)(?![\w-])"
    rf"|(?P<name>{_WORD}(?:{_JOIN} {_NEXT}){{0,5}}))"
)
ROLE: Final = re.compile(r":(?:[a-z]{1,12}:)?([a-z]{1,12}):\Z")
"""Before code: what it is, as of reStructuredText."""
BARE_WORD: Final = re.compile(_WORD)
"""A capitalised word, whatever follows."""
HOST_ENDING: Final = re.compile(r"\.(?:com|org|net|io|dev|edu|gov|app|info|uk|de|fr|eu|ch|nl|at)\Z")

PLACING: Final = (
    "import",
    "install",
    "def ",
    "class ",
    "fn ",
    "function ",
    "package ",
    "module",
    " add ",
    " -m ",
)
"""Where none of these stands in a text, `PLACED` finds nothing."""
_PLAIN: Final = r"[A-Za-z_][\w-]{1,60}(?:\.\w{1,40}){0,5}"
PLACED: Final = re.compile(
    rf"\bfrom (?P<source>{_PLAIN}) import (?P<taken>\w{{2,60}}(?:, ?\w{{2,60}}){{0,8}})"
    rf"|\bimport (?P<imported>{_PLAIN})(?= as \w|;|\n|\Z)"
    rf"|\b(?:def|class|fn|function) (?P<defined>[A-Za-z_]\w{{1,60}})(?=[(:{{<])"
    r"|\b(?:pip3?|uv|npm|pnpm|yarn|cargo|gem|brew|apt|apt-get|go|poetry|conda) (?:install|add|i|get) "
    rf"(?:-{{1,2}}[\w-]{{1,20}} )?(?P<ordered>{_PLAIN})"
    rf"|\bpython3? -m (?P<ran>{_PLAIN})"
    r"|\b(?:install|import)(?:s|ed|ing)? (?P<told>[a-z][a-z0-9-]{2,40})"
    r"(?=[.,;:)\n]|\Z| (?:from|with|via|and|as|into|on|in)\b)"
    r"|\bthe (?P<module>[a-z][a-z0-9-]{2,40}) (?:module|package|crate)\b"
)
"""Names in small letters that stand where code, a command or a word beside them says that they are names."""
