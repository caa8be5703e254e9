"""Which language a text looks like, by rules on its lines; the parser has the last word (recognition.py)."""

from __future__ import annotations

import importlib
import re
import threading
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tree_sitter import Language, Tree

_LOOKED_LINES: Final = 200
_CODE_SHARE: Final = 0.6
"""The share of code lines from which a whole text counts as code."""

_OPENS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "python": re.compile(
            r"\s*+(?:(?:async )?def \w+ ?\(|class \w+ ?(?:\([^)\n]*\))?:|@\w[\w.]*(?:\(.*)?$|import [\w.]+(?: as \w+)?"
            r"(?:, ?[\w.]+)*$|from [\w.]+ import |#!.*python|if __name__|\"\"\"|>>> |with .+ as \w+:"
            r"|for \w.* in .+:$|if .+:$|while .+:$|try:$|print\(|lambda \w)"
        ),
        "javascript": re.compile(
            r"\s*+(?:(?:export )?(?:default )?(?:async )?function\b ?\*?\w* ?\(|(?:const|let|var) [\w${\[].*="
            r"|import .+ from ['\"]|import ['\"]|module\.exports|exports\.|export (?:default |const |class |\{)"
            r"|(?:require|describe|it)\("
            r"|['\"]use strict['\"]|class \w+(?: extends [\w.]+)? ?\{|\(?[\w, ]*\)? ?=> ?[\w{(]|console\.\w+\()"
        ),
        "typescript": re.compile(
            r"\s*+(?:(?:export )?(?:declare )?(?:interface|type|enum|namespace|abstract class) \w.*[{=]"
            r"|(?:export )?(?:default )?(?:async )?function \w[^(\n]*+\(.*\w\??: ?[\w<\[{]"
            r"|(?:export )?(?:const|let) \w+ ?: ?[\w<\[{]|(?:export )?class \w.* implements |import type )"
        ),
        "go": re.compile(
            r"\s*+(?:package \w+$|func (?:\([^)\n]*\) ?)?\w+ ?[(\[]|import \(|import \""
            r"|type \w+ (?:struct|interface)\b|var \w+ [\w\[*]|\w+(?:, \w+)* := )"
        ),
        "rust": re.compile(
            r"\s*+(?:(?:pub(?:\([\w ]+\))? )?(?:async )?(?:unsafe )?(?:fn \w+ ?[<(]|struct \w+"
            r"|enum \w+ ?[<{]|trait \w+|mod \w+ ?[;{]"
            r"|impl[ <])|use [\w:]+(?:::[\w{*]|;)|let (?:mut )?\w+(?:: ?[\w<&\[].*)? = .*;|#!?\[\w.*\]|macro_rules!)"
        ),
        "java": re.compile(
            r"\s*+(?:(?>(?:(?:public|private|protected|static|final|abstract|synchronized"
            r"|native) )+)[\w<>\[\], ?.]+[({;=]|package [\w.]+;|import (?:static )?[\w.]+(?:\.\*)?;|@Override"
            r"|(?:public |final |abstract )*(?:class|interface|enum) \w.*\{)"
        ),
        "c": re.compile(
            r"\s*+(?:#(?:include|define|ifn?def|pragma)\b|(?:static |extern |const |inline |unsigned |struct )*(?:void"
            r"|int|char|long|float|double|size_t|bool|u?int\d+_t|\w+_t|struct \w+)[ *]+\*?\w+ ?(?:\(|\[|=|;)|typedef )"
        ),
        "cpp": re.compile(
            r"\s*+(?:#include <\w+>|template ?<|namespace \w+|using (?:namespace )?[\w:]+|std::"
            r"|class \w.*[{:]|(?:virtual|explicit|constexpr)"
            r" |(?:const )?(?:std::|auto\b|\w+::).*[({;=]|[\w:<>*&]+ [\w:~]+::~?\w+\()"
        ),
        "bash": re.compile(
            r"\s*+(?:#!.*\b(?:ba|z|k)?sh\b|(?:function )?\w[\w-]* ?\(\) ?\{|if \[\[? "
            r"|for \w+ in .*; ?do\b|while .*; ?do\b|case .* in$"
            r"|set -[eux]|export [A-Z_]+=|\$ \w|(?:sudo|apt-get|apt|pip3?|npm|docker|kubectl|curl"
            r"|wget|git|chmod|mkdir|tar) .*(?: -{1,2}\w|[|&>/]|install|clone))"
        ),
        "sql": re.compile(
            r"\s*+(?:SELECT\b[\s\S]+?\bFROM\b|INSERT INTO |UPDATE \w.* SET |DELETE FROM "
            r"|CREATE (?:OR REPLACE |UNIQUE |TEMP\w* )*"
            r"(?:TABLE|INDEX|VIEW|FUNCTION|TRIGGER|DATABASE|SCHEMA)|ALTER TABLE |DROP (?:TABLE|INDEX"
            r"|VIEW)|WITH(?: RECURSIVE)? \w+(?: \([^)]*\))? AS ?\(|select\b(?>[^.?!]+?\bfrom \w)"
            r"(?:(?=[^.?!]*;)|(?>[^.?!]*?\bwhere\b)(?=[^.?!]*=)|(?>[^.?!]*?\bjoin\b)(?=[^.?!]*\bon\b))"
            r"|insert into \w.*(?:values|select)|create table \w|delete from \w+ where|update \w+ set \w+ ?=)"
        ),
    }
)
"""Language -> beginnings of statements that plain text does not have."""
_LINE: Final = re.compile(
    r"\s*+(?:[\w.\[\]\"'*&$, ]+ ?(?:[-+*/|&%^:]|\*\*|//|<<|>>)?= ?\S|[\w.:$>-]+\(.*\)?[;,{:]?\s*$"
    r"|[\w.]+\(|[})\]]++[;,)]*+\s*+$|.*[;{]\s*$"
    r"|(?:return|raise|throw|yield|break|continue|pass|else|elif|except|finally|end|fi|done|esac|then"
    r"|do|await|assert)\b|(?:if|for|while|with|switch|match|case|default|def|class|try)\b.*[:{(]|(?://|#|/\*|\*/? |--)"
    r"|@\w|\"\"\"|'''|[A-Z]{2,}\b.*|[\"'].*[\"'],?\s*$|\w+: .*,\s*$)"
)
"""A line typical of code, in many languages."""


def guess_languages(text: str) -> list[str]:
    """Languages of which statements begin in a text's lines, most lines first; TypeScript also reads as JavaScript."""
    lines = [line for line in text.split("\n", _LOOKED_LINES)[:_LOOKED_LINES] if line.strip()]
    counts = {
        language: sum(bool(pattern.match(line[:400])) for line in lines)
        for language, pattern in _OPENS.items()
    }
    if _OPENS["sql"].match(text[:4000]):
        counts["sql"] += 2
    if counts["typescript"]:
        counts["typescript"] += counts["javascript"]
    if counts["cpp"]:
        counts["cpp"] += counts["c"]
    found = [language for language, count in counts.items() if count]
    return sorted(found, key=lambda language: -counts[language])


def opens_as_code(text: str, language: str) -> bool:
    """Whether the first line that is not empty begins a statement of the language."""
    start = text.lstrip()
    return bool(_OPENS[language if language in _OPENS else "typescript"].match(start[:4000].lstrip()))


def looks_like_code(text: str, language: str) -> bool:
    """Whether most lines of a text are code, and one of them begins a statement of the language."""
    lines = [line[:400] for line in text.split("\n", _LOOKED_LINES)[:_LOOKED_LINES] if line.strip()]
    opens = _OPENS[language if language in _OPENS else "typescript"]
    begun = sum(bool(opens.match(line)) for line in lines)
    coded = sum(bool(opens.match(line) or _LINE.match(line)) for line in lines)
    return begun > 0 and len(lines) > 1 and coded >= _CODE_SHARE * len(lines)


PARSED_BYTES: Final = 100_000
"""How much of a piece of code is parsed; about 20 ms at worst."""
GRAMMARS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "python": ("tree_sitter_python", "language"),
        "javascript": ("tree_sitter_javascript", "language"),
        "typescript": ("tree_sitter_typescript", "language_typescript"),
        "tsx": ("tree_sitter_typescript", "language_tsx"),
        "go": ("tree_sitter_go", "language"),
        "rust": ("tree_sitter_rust", "language"),
        "java": ("tree_sitter_java", "language"),
        "c": ("tree_sitter_c", "language"),
        "cpp": ("tree_sitter_cpp", "language"),
        "bash": ("tree_sitter_bash", "language"),
        "sql": ("tree_sitter_sql", "language"),
    }
)
"""Language -> module and function that give its grammar."""
_ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "py": "python", "python2": "python", "python3": "python", "pycon": "python", "ipython": "python",
        "pyi": "python",
        "js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript", "node": "javascript",
        "nodejs": "javascript", "ts": "typescript", "mts": "typescript", "golang": "go", "rs": "rust", "h": "c",
        "c++": "cpp", "cc": "cpp", "cxx": "cpp", "hpp": "cpp", "hh": "cpp", "sh": "bash", "shell": "bash",
        "zsh": "bash", "ksh": "bash", "console": "bash", "postgres": "sql", "postgresql": "sql", "mysql": "sql",
        "sqlite": "sql", "psql": "sql", "plpgsql": "sql", "tsql": "sql",
    }
)  # fmt: skip
"""Tags of fenced blocks and endings of files -> language."""

_parsers = threading.local()


def language_of(tag: str) -> str | None:
    """The language that a tag, a file suffix or a name stands for; None if there is no grammar."""
    key = tag.strip().lower().lstrip(".")
    key = _ALIASES.get(key, key)
    return key if key in GRAMMARS else None


def language_of_file(name: str) -> str | None:
    """The language of a file by its ending; None where it has none that is known."""
    stem, dot, ending = name.rpartition(".")
    return language_of(ending) if dot and stem else None


def parse(text: str, language: str) -> Tree:
    """The tree of the first `PARSED_BYTES` bytes of a text. `language` is a key of `GRAMMARS`."""
    source = text[:PARSED_BYTES].encode("utf-8", "replace")[:PARSED_BYTES]
    made: dict[str, Any] = _parsers.__dict__
    if language not in made:
        from tree_sitter import Parser

        made[language] = Parser(_grammar(language))
    tree: Tree = made[language].parse(source)
    return tree


@cache
def kinds_of(language: str) -> tuple[str, ...]:
    """The names of all kinds of nodes, by number."""
    grammar = _grammar(language)
    return tuple(grammar.node_kind_for_id(number) or "" for number in range(grammar.node_kind_count))


@cache
def _grammar(language: str) -> Language:
    from tree_sitter import Language

    module, function = GRAMMARS[language]
    return Language(getattr(importlib.import_module(module), function)())
