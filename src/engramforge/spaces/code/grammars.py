"""The grammars: a parser for each language, loaded at its first use, and trees of bounded cost.

tree-sitter reads any bytes in linear time and marks what it could not read as errors; trees are walked with a cursor
and never by recursion, so that deep nesting costs nothing but time.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tree_sitter import Language, Tree

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
