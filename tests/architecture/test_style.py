"""Taste that can be checked: names, sizes, docstrings."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .conftest import Module

BANNED = {
    "manager", "handler", "helper", "helpers", "util", "utils", "common", "misc", "data", "info", "process",
    "engine",
}  # fmt: skip
MOST_LINES_PER_FILE = 400
MOST_LINES_PER_FUNCTION = 60
MOST_MODULES_PER_FOLDER = 15
FOLDERS_OF_EQUALS = {
    "capture/formats": "a format each",
    "faces/cli/commands": "a command each",
    "store/migrations/versions": "a migration each",
}
"""Folders that may hold more modules, since whoever knows one of them knows them all."""
LEAST_WORDS_OF_PURPOSE = 3

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")


def split_words(name: str) -> set[str]:
    """`parse_HTTPHeader` -> {parse, http, header}."""
    return {word.lower() for word in _WORDS.findall(name)}


def walk_definitions(
    tree: ast.AST, inside: str = "", public: bool = True
) -> Iterator[tuple[str, Definition, bool]]:
    """Every class and function with its dotted name and whether a reader outside may use it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Definition):
            name = f"{inside}.{node.name}".lstrip(".")
            seen = public and not node.name.startswith("_")
            yield name, node, seen
            # What a function defines inside itself is its own affair.
            yield from walk_definitions(node, name, seen and isinstance(node, ast.ClassDef))
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from walk_definitions(node, inside, public)


def _is_overload(node: Definition) -> bool:
    return any("overload" in ast.dump(decorator) for decorator in node.decorator_list)


def test_names_say_what_a_thing_is(modules: list[Module]) -> None:
    faults = []
    for module in modules:
        faults += [
            f"{module.name}: module {part}" for part in module.name.split(".") if split_words(part) & BANNED
        ]
        for name, node, _ in walk_definitions(module.tree):
            # A function may open the database library's engine; a part of ours is none.
            foreign = {"engine"} if not isinstance(node, ast.ClassDef) else set()
            if split_words(node.name) & (BANNED - foreign):
                faults.append(f"{module.name}:{node.lineno} {name}")
    assert faults == []


@pytest.mark.parametrize(
    "name", ["StoreManager", "text_utils", "handler", "HTTPHelper", "user_data", "process_batch"]
)
def test_a_banned_name_is_found(name: str) -> None:
    assert split_words(name) & BANNED


@pytest.mark.parametrize(
    "name", ["Database", "information", "as_dict", "processor", "engines_agree", "metadata_completeness"]
)
def test_a_name_that_only_contains_a_banned_word_is_fine(name: str) -> None:
    assert not split_words(name) & BANNED


def test_files_are_short(modules: list[Module]) -> None:
    assert {module.name: module.lines for module in modules if module.lines >= MOST_LINES_PER_FILE} == {}


def test_groups_of_patterns_are_repeated_atomically_not_possessively(source: Path) -> None:
    """Where the body of a possessive group fails behind its first character, Python before 3.11.5 goes on there."""
    cannot_harm = ("(?:25)*+", "(?:0000)?+", r'(?:[^"\\]|\\.)*+')
    found = {}
    for path in source.rglob("*.py"):
        text = path.read_text()
        for harmless in cannot_harm:
            text = text.replace(harmless, "")
        if repeats := re.findall(r"\)(?:[*+?]|\{{1,2}\d*,?\d*\}{1,2})\+", text):
            found[path.name] = repeats
    assert found == {}


def test_functions_are_short(modules: list[Module]) -> None:
    long = {}
    for module in modules:
        for name, node, _ in walk_definitions(module.tree):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if not isinstance(node, ast.ClassDef) and lines >= MOST_LINES_PER_FUNCTION:
                long[f"{module.name}.{name}"] = lines
    assert long == {}


def test_every_module_opens_with_its_purpose(modules: list[Module]) -> None:
    purposes = {module.name: ast.get_docstring(module.tree) or "" for module in modules}
    assert [name for name, purpose in purposes.items() if len(purpose.split()) < LEAST_WORDS_OF_PURPOSE] == []


def test_everything_public_is_documented(modules: list[Module]) -> None:
    silent = []
    for module in modules:
        if any(part.startswith("_") for part in module.name.split(".")):
            continue
        for name, node, public in walk_definitions(module.tree):
            if public and not _is_overload(node) and not ast.get_docstring(node):
                silent.append(f"{module.name}.{name}")
    assert silent == []


def too_full(modules: list[Module], source: Path) -> list[str]:
    """The folders that hold more modules than may be."""
    counts = Counter(
        module.path.parent.relative_to(source).as_posix()
        for module in modules
        if module.path.name != "__init__.py"
    )
    return [
        f"{folder}: {count} modules"
        for folder, count in counts.items()
        if count > MOST_MODULES_PER_FOLDER and folder not in FOLDERS_OF_EQUALS
    ]


def test_no_folder_is_too_full(modules: list[Module], source: Path) -> None:
    assert too_full(modules, source) == []


def test_a_folder_that_is_too_full_is_noticed(modules: list[Module], source: Path) -> None:
    there = sum(module.path.parent == source / "model" for module in modules)
    planted = [
        replace(modules[0], path=source / "model" / f"planted_{number}.py")
        for number in range(MOST_MODULES_PER_FOLDER + 2 - there)
    ]
    assert [said.partition(":")[0] for said in too_full(modules + planted, source)] == ["model"]
