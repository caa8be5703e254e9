"""Which version of a thing a tool sets, and whether a text pins that thing to another: "lint stays pinned to 1.61"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engramforge.core.detection.passages import passages
from engramforge.core.detection.traps import is_asserted
from engramforge.core.injection.inputs.beside import EVERYDAY
from engramforge.core.injection.inputs.echoes import stems_of
from engramforge.core.injection.starters import run_by
from engramforge.core.injection.warning_words import worded
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.words import stem_of, word_set, words_of

_INSTALLERS: Final = word_set(
    "pip pip3 pipx uv poetry pdm conda npm npx pnpm yarn bun bunx deno cargo go gem brew apt apt-get dnf composer mix"
    " asdf mise volta nvm rustup helm docker podman"
)
_VERSIONED: Final = re.compile(
    r"(?P<name>@?[A-Za-z][\w./-]{1,120}?)(?:@|==|=|:|~=|>=)[v^~=]{0,2}(?P<version>\d{1,5}(?:\.\d{1,6}){0,3})(?![\w/])[\w.+-]{0,30}"
)
_NUMBER: Final = re.compile(r"(?<![\w.])v?(?P<version>\d{1,5}(?:\.\d{1,6}){0,3})")
_DIGITS: Final = re.compile(r"\d{1,8}(?:\.\d{1,8}){0,4}")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9]{1,40}")
_OF_A_VERSION: Final = re.compile(r"(?i)\d\.\d|version|(?<=\w):v?\d|[\"'][\^~]\d|@v?\d")
"""How a line that sets a version looks: a limit is a number, too."""
_NO_NAMES: Final = word_set("""
version versions tag image from require requires go npm pip https github com org io cmd the run use uses with get
install add rev ref latest export set env arg default golang
""")
_LONGEST: Final = 4_000
_LONGEST_LINE: Final = 200
_LONGEST_RULE: Final = 300
_MOST: Final = 6
_PINS: Final = worded(
    r"\bpinned\b|\b(?:pin|stick|stay|stays|keep|stuck|frozen|locked|held|remain|remains)\b[^.;!?\n]{0,40}?"
    r"\b(?:to|with|at|on)\b[^.;!?\n]{0,20}?\bv?\d"
    r"|\b(?:don't|do not|never)(?: ever)? (?:bump|upgrade|update|raise)\b|\bno (?:bumps?|upgrades?|updates?)\b"
)
"""What keeps a version as it is."""
_TO: Final = worded(
    r"\b(?:to|with|at|on)\s(?:[A-Za-z][\w.-]{0,20}\s)?(?:version\s)?v?(?P<version>\d{1,5}(?:\.\d{1,6}){0,3})"
)
"""The version to which something is pinned."""
_ENDED: Final = worded(
    r"\bunpin\w*|\b(?:no longer|not|isn't|aren't|was|were|used to be|used to) (?:\w{2,12} ){0,2}?(?:pinned|frozen"
    r"|locked|stay|held)|\bany ?more\b"
)
_CHANGES: Final = worded(
    r"\b(?:bump|upgrad|updat|mov|switch|rais|go|went|chang)(?:e|ed|ing|es|s)?\b[^.;!?\n]{0,40}?\bto\b[^.;!?\n]{0,12}?\d"
)
_PIN_WORDS: Final = sorted(
    word_set("pinned bump upgrade update stay stick frozen locked move moved switch unpin")
)
"""Words of which a text that pins a thing, or tells of its new version, has one."""


@dataclass(frozen=True, slots=True)
class Bump:
    """A version that is set. `names`: the words of the thing's name, its own last; `version`: "1.62.0"."""

    names: tuple[str, ...]
    version: str

    def asked(self) -> tuple[str, ...]:
        """By which words texts that pin it are looked for."""
        return tuple(f"{name} {pin}" for name in self.names[-3:] for pin in _PIN_WORDS)


def bumps_in(tool: str, given: Mapping[str, Any]) -> tuple[Bump, ...]:
    """The versions that a tool sets, at most six.

    >>> bumps_in("Bash", {"command": "go install github.com/a/cmd/acme-lint@v1.62.0"})
    (Bump(names=('acme', 'lint'), version='1.62.0'),)
    >>> bumps_in("Edit", {"old_string": "LINT_VERSION := v1.61.0", "new_string": "LINT_VERSION := v1.62.0"})
    (Bump(names=('lint',), version='1.62.0'),)
    >>> bumps_in("Edit", {"old_string": "a = 1", "new_string": "b = 2"}), bumps_in("Bash", {"command": "ls a@2"})
    ((), ())
    """
    if tool == "Bash":
        line = given.get("command")
        return tuple(_of_line(line[:_LONGEST]))[:_MOST] if isinstance(line, str) else ()
    edits = given.get("edits")
    further = [each for each in edits if isinstance(each, Mapping)] if isinstance(edits, list) else []
    return tuple(bump for edit in (given, *further[:_MOST]) for bump in _of_edit(edit))[:_MOST]


def pin_of(text: str, bumps: Sequence[Bump]) -> str | None:
    """The first sentence of a text that pins one of these things to another version; None for none.

    >>> bump = [Bump(("acme", "lint"), "1.62.0")]
    >>> pin_of("lint is pinned to 1.61, dont bump it, 1.62 breaks", bump)
    'lint is pinned to 1.61, dont bump it, 1.62 breaks'
    >>> pin_of("lint is pinned to 1.62", bump), pin_of("mypy is pinned to 1.61", bump), pin_of("lint is red", bump)
    (None, None, None)
    """
    found = _pins_in(text) if bumps else ()
    return next((said for said, plain in found if _is_of(said, plain, bumps)), None)


def pins(text: str) -> bool:
    """Whether a text pins something.

    >>> pins("mypy stays on 1.9"), pins("mypy is slow")
    (True, False)
    """
    return next(_pins_in(text), None) is not None


def changes_pin(text: str, bumps: Sequence[Bump]) -> bool:
    """Whether a text tells that one of these things is at another version now, or pinned no longer.

    >>> bump = [Bump(("lint",), "1.63")]
    >>> [changes_pin(each, bump) for each in ("bump lint to 1.62", "lint is not pinned any more", "lint is red")]
    [True, True, False]
    """
    plain = with_apostrophes(text[:_LONGEST].replace("\u2019", "'"))
    if pin_of(text, bumps) is not None or not (_CHANGES.search(plain) or _ENDED.search(plain)):
        return False
    stems = stems_of(plain)
    return any(stem_of(name) in stems for bump in bumps for name in bump.names)


def _pins_in(text: str) -> Iterator[tuple[str, str]]:
    """The sentences of a text that pin something, with their apostrophes behind each."""
    for each in passages(text):
        plain = with_apostrophes(each.plain.replace("\u2019", "'"))
        if len(each.said) > _LONGEST_RULE or each.said.endswith("?") or not is_asserted(each.plain):
            continue
        if _PINS.search(plain) is None or _ENDED.search(plain):
            continue
        yield each.said, plain


def _is_of(said: str, plain: str, bumps: Sequence[Bump]) -> bool:
    """Whether a sentence that pins is of one of these things, and of another version."""
    stems = stems_of(said)
    to = next((hit["version"] for hit in _TO.finditer(plain)), None)
    return any(
        any(stem_of(name) in stems for name in bump.names)
        and (to is None or not _is_within(bump.version, to))
        for bump in bumps
    )


def _is_within(version: str, pinned: str) -> bool:
    """Whether a version is one of those that a shorter one means: 1.61.3 is one of 1.61."""
    return f"{version}.".startswith(f"{pinned}.")


def _of_line(line: str) -> Iterator[Bump]:
    for command in run_by(line):
        if not command.words or command.words[0].rpartition("/")[2] not in _INSTALLERS:
            continue
        for word in command.words[1:]:
            hit = _VERSIONED.fullmatch(word)
            if hit is not None and (names := _names(hit["name"].rpartition("/")[2])):
                yield Bump(names, hit["version"])


def _of_edit(edit: Mapping[str, Any]) -> Iterator[Bump]:
    """The lines of which an edit changes no more than numbers."""
    old, new = edit.get("old_string"), edit.get("new_string")
    if not isinstance(old, str) or not isinstance(new, str):
        return
    before = {
        _DIGITS.sub("0", line): line for line in old[:_LONGEST].splitlines() if len(line) <= _LONGEST_LINE
    }
    for line in new[:_LONGEST].splitlines():
        was = before.get(_DIGITS.sub("0", line)) if len(line) <= _LONGEST_LINE else None
        if (
            was is None
            or was == line
            or not _OF_A_VERSION.search(line)
            or not (names := _names(_NUMBER.sub(" ", line)))
        ):
            continue
        changed = [now for then, now in zip(_versions(was), _versions(line), strict=False) if then != now]
        yield from (Bump(names, version) for version in changed[:1])


def _versions(line: str) -> list[str]:
    return [hit[0] for hit in _DIGITS.finditer(line)]


def _names(text: str) -> tuple[str, ...]:
    parts = (part for word in _WORD.findall(text.replace("_", " ")) for part in words_of(word))
    return tuple(
        dict.fromkeys(each for each in parts if each not in _NO_NAMES and stem_of(each) not in EVERYDAY)
    )
