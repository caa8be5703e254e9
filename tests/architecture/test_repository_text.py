"""The repository speaks of the product alone, and its links lead somewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# Written in pieces, so that this file does not find itself.
OUTSIDE = {
    "a path of one machine": re.compile(
        r"(?<![\w.~-])/(?:work|root|home|opt|Users|srv|mnt" + r")/[A-Za-z0-9_.-]+", re.IGNORECASE
    ),
    "the number of an " + "issue": re.compile(
        r"\b(?:issue|ticket)s?\s+#?\d+\b|\B#\d{1,4}\b(?![-.])", re.IGNORECASE
    ),
    "a package index": re.compile(r"\b(?:files\.)?py" + r"pi\.org\b|pythonhosted\." + r"org|registry\.npmjs"),
    "unfinished work": re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|T" + r"BD|lorem ipsum)\b"),
}
TEXT_SUFFIXES = {
    ".py",
    ".md",
    ".toml",
    ".yaml",
    ".yml",
    ".sh",
    ".cfg",
    ".ini",
    ".lock",
    ".mako",
    ".jsonl",
    ".txt",
    "",
}
# Tests and importers speak about markers and paths because recognising them is their work.
MAY_QUOTE = {
    "unfinished work": (
        *("tests/", "src/engramforge/core/", "src/engramforge/capture/", "src/engramforge/registries/"),
        *(
            "bench/detection",
            "bench/poisoning",
            "docs/coverage.md",
            "docs/how-to/review.md",
            "docs/measurements/detection.md",
        ),
    ),
    "a path of one machine": ("tests/",),
    "the number of an " + "issue": ("tests/",),
    "a package index": ("tests/",),
}


def find_outside_words(text: str, name: str = "") -> list[str]:
    """What a text says about the world outside the product, each as `line: kind: match`."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for kind, pattern in OUTSIDE.items():
            if name.startswith(MAY_QUOTE.get(kind, ("\0",))):
                continue
            found += [f"{name}:{number}: {kind}: {match.group(0)}" for match in pattern.finditer(line)]
    return found


def test_no_word_of_the_outside(repository: Path, repository_files: list[Path]) -> None:
    found = []
    for path in repository_files:
        name = path.relative_to(repository).as_posix()
        if path.suffix in TEXT_SUFFIXES and name != "LICENSE":
            found += find_outside_words(path.read_text(encoding="utf-8"), name)
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "see /wo" + "rk/shared/notes",
        "DATA = '/ho" + "me/someone/data'",
        "as iss" + "ue 12 asks",
        "fixes #" + "341",
        "--index-url https://py" + "pi.org/simple",
        "# TO" + "DO later",
    ],
)
def test_a_word_of_the_outside_is_found(text: str) -> None:
    assert find_outside_words(text)


@pytest.mark.parametrize(
    "text", ["~/.claude/projects", "/tmp/x", "https://example.org/home/page", "## Heading", "colour #1a2b3c"]
)
def test_a_word_of_the_product_is_left_alone(text: str) -> None:
    assert find_outside_words(text) == []


_LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+\s+(.*)$", re.MULTILINE)


def _anchors(text: str) -> set[str]:
    slugs = (
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        for heading in _HEADING.findall(text)
    )
    return set(slugs)


def test_every_link_between_documents_leads_somewhere(repository: Path, repository_files: list[Path]) -> None:
    broken = []
    for path in repository_files:
        if path.suffix != ".md" or "tests" in path.relative_to(repository).parts:
            continue
        for target in _LINK.findall(path.read_text(encoding="utf-8")):
            if target.startswith(("http://", "https://", "mailto:")):
                continue
            file, _, anchor = unquote(target).partition("#")
            aim = (path.parent / file).resolve() if file else path
            missing = not aim.exists()
            if missing or (
                anchor and aim.suffix == ".md" and anchor not in _anchors(aim.read_text(encoding="utf-8"))
            ):
                broken.append(f"{path.relative_to(repository)}: {target}")
    assert broken == []


def test_every_document_is_reachable_from_the_index(repository: Path) -> None:
    docs = repository / "docs"
    seen: set[Path] = set()
    waiting = [docs / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or not page.exists() or page.suffix != ".md":
            continue
        seen.add(page)
        targets = _LINK.findall(page.read_text(encoding="utf-8"))
        inner = [target for target in targets if not target.startswith(("http://", "https://", "#"))]
        waiting += [(page.parent / unquote(target.partition("#")[0])).resolve() for target in inner]
    assert sorted(set(docs.rglob("*.md")) - seen) == []
