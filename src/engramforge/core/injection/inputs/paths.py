"""Where a text speaks of a place of which a file is: one of its folders, or a pattern of such files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Final

_PATH_LIKE: Final = re.compile(r"(?<![\w.@~*?+/-])[\w.@~*?+/-]{2,200}+")
_ANYTHING: Final = "**"
_MOST_STARS: Final = 4
_NEAREST: Final = 3
"""How many of the folders of a file are meant where they are named alone; those above are everybody's."""
_DEEPEST: Final = 12
_NO_PARTS: Final = frozenset(("", ".", "..", "~"))


def parts_of(path: str) -> list[str]:
    """The folders and the name of a path.

    >>> parts_of("./data/pupils/2026.csv"), parts_of("~/..")
    (['data', 'pupils', '2026.csv'], [])
    """
    return [part for part in path.replace("\\", "/").split("/") if part not in _NO_PARTS]


def mentions_of(text: str, path: str, *, or_file: bool = False) -> Iterator[tuple[int, int]]:
    """From where to where a text names a folder of this path, or a pattern that fits it. `or_file`: or the file itself
    by its name alone.

    >>> path = "/projects/atlas/testdata/golden/route.json"
    >>> [text[begin:end] for text in ("no *.json", "testdata/golden.", "golden/", "goldens/", "in golden")
    ...     for begin, end in mentions_of(text, path)]
    ['*.json', 'testdata/golden', 'golden/']
    """
    if "/" not in text and "*" not in text and "." not in text:
        return
    folded = "/".join(parts_of(path)).casefold()
    for hit in _PATH_LIKE.finditer(text):
        said = hit[0].rstrip(".")
        if ("/" in said or "*" in said or "." in said) and _is_of(said.casefold(), folded, or_file=or_file):
            yield hit.start(), hit.start() + len(said)


def _is_of(said: str, path: str, *, or_file: bool) -> bool:
    parts = parts_of(said)
    while parts and not parts[-1].strip("*"):
        parts.pop()  # all that is in a folder
    if not parts:
        return False
    meant = "/".join(parts)
    if len(parts) > 1:
        is_part = f"/{meant}/" in f"/{path}/"
    elif "/" in said:
        is_part = meant in path.split("/")[-_NEAREST - 1 :]
    else:
        is_part = or_file and path.rpartition("/")[2] == meant
    return is_part or ("*" in meant and _fits(parts, path.split("/")[-_DEEPEST:]))


def _fits(pattern: Sequence[str], path: Sequence[str]) -> bool:
    """Whether a pattern fits the end of a path."""
    if sum(each.count("*") for each in pattern) > _MOST_STARS:
        return False
    return any(_fits_all(pattern, path[begin:]) for begin in range(len(path)))


def _fits_all(pattern: Sequence[str], path: Sequence[str]) -> bool:
    if not pattern or not path:
        return not pattern and not path
    if pattern[0] == _ANYTHING:
        return any(_fits_all(pattern[1:], path[begin:]) for begin in range(len(path)))
    return fnmatchcase(path[0], pattern[0]) and _fits_all(pattern[1:], path[1:])
