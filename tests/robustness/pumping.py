"""Finds every pattern of the package, and texts at which one takes more than time by their length.

Runs as a program, in an interpreter of its own: patterns are noticed while the package is imported, and an alarm ends a
search without end. Reads from standard input, as JSON, where patterns stand that are used in another way than by a
search in any text: the beginning of the place -> whether they are only tried at a place that is known, and the most
characters that they get. Prints the number of patterns, those that are slow with the text at which they are, and the
places in functions whose patterns are made of values.
"""

from __future__ import annotations

import ast
import gc
import importlib
import json
import math
import pkgutil
import re
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any, Final

import engramforge
from engramforge.core.text import late_pattern

ROOT: Final = Path(engramforge.__file__).parent
LENGTH: Final = 500
"""Characters of the shorter text."""
ENOUGH_SECONDS: Final = 0.000_1
"""Below this a text of `LENGTH` is read in time by its length: the square of it takes longer."""
RATIO: Final = 10
"""Of the times for four times the text; the square is sixteen."""
BOUNDED_SECONDS: Final = 0.08
"""The longest that a text of the most characters, or one of `LENGTH`, may take: bounded repeats may be tried in very
many ways. On a machine, or in a moment, in which `PACER` takes longer than `PACER_SECONDS`, as much longer."""
PACER: Final = re.compile(r"(?:[ab]{1,30}|[bc]{1,30}){1,2}d")
PACER_TEXT: Final = "ab" * 100
PACER_SECONDS: Final = 0.004
STEEPEST: Final = 4**4
"""Times as long for four times the text, where a pattern takes the fourth power of it. Where a quarter of a bound of
1,000 and more takes less than that part of `BOUNDED_SECONDS`, the whole is not tried."""
GIVEN_UP_SECONDS: Final = 0.5
MEASURED: Final = 8
"""Times that a suspect is measured before it counts as slow."""
PAUSE_SECONDS: Final = 0.02
TRIED: Final = "a1 A-_.\n\"'/:(<[`é#*@,=|\t&"
"""Characters that are tried where a part of a pattern takes more than one."""
PIECES: Final = (
    "A. ",
    "((",
    "[[",
    "http://",
    " \n",
    "- ",
    '"a',
    "a.",
    "a b ",
    "1 ",
    "a\n\n",
    "password ",
    "'a ",
    "<a ",
)
MOST_TEXTS: Final = 100
"""Of one pattern; of more, every second or third is tried."""
_CATEGORIES: Final = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}
_REPEATS: Final = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_LONG: Final = 20
"""Times that a part may repeat and count as bounded."""
_CALLS: Final = ("compile", "search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn")
_AT_BEGIN: Final = ("match", "fullmatch")
_compile: Final = re._compile  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Use:
    """A pattern, where it stands (`path:line`), whether all that use it look only at the beginning of a text, and the
    most characters that it is ever given."""

    pattern: re.Pattern[Any]
    place: str
    is_anchored: bool = False
    bound: int | None = None

    def seconds(self, text: str) -> float:
        """The time that it takes to look for it in a text; at most about `GIVEN_UP_SECONDS`."""
        subject: Any = text.encode() if isinstance(self.pattern.pattern, bytes) else text
        signal.setitimer(signal.ITIMER_PROF, GIVEN_UP_SECONDS)
        begun = time.thread_time()
        try:
            if self.is_anchored:
                self.pattern.match(subject)
                self.pattern.fullmatch(subject)
            else:
                deque(self.pattern.finditer(subject), maxlen=0)
        except TimeoutError:
            return 2 * GIVEN_UP_SECONDS
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return time.thread_time() - begun


# What patterns there are.


def _has_patterns(source: str) -> bool:
    return "import re\n" in source or "import late\n" in source


def every_pattern() -> tuple[list[Use], list[str]]:
    """Each pattern that is made while the package is imported, each that is written in a function, and the places of
    those in functions that are made of values."""
    made: dict[re.Pattern[Any], str] = {}

    def notice(pattern: Any, flags: Any) -> re.Pattern[Any]:
        found: re.Pattern[Any] = _compile(pattern, flags)
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.endswith("re/__init__.py"):
            frame = frame.f_back
        if frame is not None and Path(frame.f_code.co_filename).is_relative_to(ROOT):
            made.setdefault(found, f"{Path(frame.f_code.co_filename).relative_to(ROOT)}:{frame.f_lineno}")
        return found

    re._compile = notice  # type: ignore[attr-defined]
    # Before any module takes it: each is compiled where it is written.
    late_pattern.late = re.compile
    try:
        for module in pkgutil.walk_packages(engramforge.__path__, "engramforge."):
            path = ROOT.parent.joinpath(*module.name.split(".")).with_suffix(".py")
            if path.exists() and _has_patterns(path.read_text()) and not path.name.startswith("__"):
                importlib.import_module(module.name)
        rules = importlib.import_module("engramforge.core.detection.rule_extractor")
        for rule in (*rules.DECISION_RULES, *rules.THREAD_RULES):
            assert rule.pattern and not rule.is_doubted("", 0)  # compiled at first use
    finally:
        re._compile = _compile  # type: ignore[attr-defined]
    sources = {str(path.relative_to(ROOT)): path.read_text() for path in sorted(ROOT.rglob("*.py"))}
    trees = {path: ast.parse(source) for path, source in sources.items() if _has_patterns(source)}
    unknown: list[str] = []
    anchored = _anchored(trees)
    for path, tree in trees.items():
        for function in (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)):
            for call in (each for each in ast.walk(function) if isinstance(each, ast.Call)):
                name = ast.unparse(call.func)
                if name.startswith("re.") and name.removeprefix("re.") in _CALLS:
                    if (written := _written(call)) is None:
                        unknown.append(f"{path}: {ast.unparse(call.args[0])}")
                        continue
                    place = made.setdefault(written, f"{path}:{call.lineno}")
                    if name.removeprefix("re.") in _AT_BEGIN:
                        anchored.add(place)
    return [Use(pattern, place, place in anchored) for pattern, place in made.items()], sorted(set(unknown))


def _written(call: ast.Call) -> re.Pattern[Any] | None:
    if not isinstance(call.args[0], ast.Constant):
        return None
    flags = 0
    for each in ast.walk(call):
        if isinstance(each, ast.Attribute) and isinstance(getattr(re, each.attr, None), re.RegexFlag):
            flags |= getattr(re, each.attr)
    found: re.Pattern[Any] = _compile(call.args[0].value, flags)
    return found


def _anchored(trees: dict[str, ast.Module]) -> set[str]:
    """The places of patterns with a name of their own that is only ever followed by `.match(text)` or `.fullmatch`."""
    places: dict[str, set[str]] = {}
    searched: set[str] = set()
    for path, tree in trees.items():
        used: dict[str, int] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                used[node.id] = used.get(node.id, 0) + 1
            elif isinstance(node, ast.ImportFrom):
                searched.update(alias.name for alias in node.names)
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.attr in _AT_BEGIN
            ):
                used[node.value.id] -= 1
            # With a place in the text, it may be tried at many.
            called = node.func if isinstance(node, ast.Call) and len(node.args) > 1 else None
            if (
                isinstance(called, ast.Attribute)
                and isinstance(called.value, ast.Name)
                and called.attr in _AT_BEGIN
            ):
                used[called.value.id] += 1
        for statement in tree.body:
            target = statement.target if isinstance(statement, ast.AnnAssign) else None
            if isinstance(statement, ast.Assign):
                target = statement.targets[0]
            value = getattr(statement, "value", None)
            is_pattern = isinstance(value, ast.Call) and ast.unparse(value.func) in ("re.compile", "late")
            if isinstance(target, ast.Name) and is_pattern and used.get(target.id) == 0:
                places.setdefault(target.id, set()).add(f"{path}:{value.lineno}")
    return {place for name, each in places.items() if name not in searched for place in each}


# Texts that may take long.


def texts(pattern: re.Pattern[Any]) -> Iterator[tuple[str, Callable[[int], str]]]:
    """Names of texts that are unfavourable to a pattern, and the text for a length."""
    source = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    flags = pattern.flags | re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    pumps: dict[tuple[str, str], None] = {}
    literals: set[str] = set()
    _walk(_parser.parse(source, flags), "", {}, pumps, literals)
    shapes: dict[tuple[str, str], None] = {}
    for before, piece in pumps:
        shapes[before, piece] = None
        shapes["", piece] = None
        if before:
            shapes["", before] = None
            shapes["", before + 3 * piece] = None
            shapes["", 20 * piece + before] = None
    for piece in (*TRIED, *PIECES, *sorted(literals)[:12]):
        shapes["", piece] = None
    for before, piece in list(shapes)[:: len(shapes) // MOST_TEXTS + 1]:
        yield (
            f"{before[:40]!r} and {piece[:40]!r} again and again",
            lambda length, before=before, piece=piece: before + piece * (length // len(piece)) + "\x01",
        )


def _walk(
    parts: Any, before: str, groups: dict[int, str], pumps: dict[tuple[str, str], None], literals: set[str]
) -> None:
    """Collects what each repeated part of a pattern repeats, with a text that leads to it."""
    for kind, said in parts:
        if kind in _REPEATS:
            if said[1] > _LONG:
                for piece in filter(None, _bodies(said[2])):
                    pumps[before, piece] = None
            _walk(said[2], before, groups, pumps, literals)
        elif kind is op.SUBPATTERN:
            _walk(said[3], before, groups, pumps, literals)
        elif kind is op.BRANCH:
            for branch in said[1]:
                _walk(branch, before, groups, pumps, literals)
                if word := _one(branch, {}):
                    literals.add(word + " ")
        elif kind is op.ATOMIC_GROUP:
            _walk(said, before, groups, pumps, literals)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            _walk(said[1], before, groups, pumps, literals)
        before += _one([(kind, said)], groups)


def _one(parts: Any, groups: dict[int, str]) -> str:
    """A text that a part of a pattern takes."""
    text = ""
    for kind, said in parts:
        if kind is op.LITERAL:
            text += chr(said)
        elif kind is op.NOT_LITERAL:
            text += "a" if said != ord("a") else "b"
        elif kind is op.ANY:
            text += "a"
        elif kind is op.IN:
            text += _taken(said)[0]
        elif kind is op.BRANCH:
            text += _one(said[1][0], groups)
        elif kind is op.SUBPATTERN:
            part = _one(said[3], groups)
            if said[0] is not None:
                groups[said[0]] = part
            text += part
        elif kind is op.ATOMIC_GROUP:
            text += _one(said, groups)
        elif kind in _REPEATS:
            text += _one(said[2], groups) * said[0]
        elif kind is op.GROUPREF:
            text += groups.get(said, "")
    return text


def _bodies(parts: Any) -> list[str]:
    """Several texts that a repeated part takes."""
    if len(parts) == 1:
        kind, said = parts[0]
        if kind is op.IN:
            return _taken(said)
        if kind is op.ANY:
            return ["a", " ", '"', "1", "("]
        if kind is op.NOT_LITERAL:
            return [letter for letter in "a (" if ord(letter) != said]
        if kind is op.BRANCH:
            return [_one(branch, {}) for branch in said[1][:6]]
        if kind is op.SUBPATTERN:
            return _bodies(said[3])
    return [_one(parts, {})]


def _taken(said: Any) -> list[str]:
    """Characters that a set takes."""
    source = ""
    own: list[str] = []
    for kind, each in said:
        if kind is op.NEGATE:
            source += "^"
        elif kind is op.LITERAL:
            source += re.escape(chr(each))
            own.append(chr(each))
        elif kind is op.RANGE:
            source += f"{re.escape(chr(each[0]))}-{re.escape(chr(each[1]))}"
            own.append(chr(each[0]))
        else:
            source += _CATEGORIES[each]
    pattern = _compile(f"[{source}]", 0)
    return [letter for letter in dict.fromkeys([*TRIED, *own[:40]]) if pattern.match(letter)][:7] or ["a"]


def slow(use: Use) -> str | None:
    """The text at which a pattern takes more than time by its length; None if none was found."""
    for name, text in texts(use.pattern):
        if use.bound is not None:
            if use.bound >= 1_000 and use.seconds(text(use.bound // 4)) < BOUNDED_SECONDS / STEEPEST:
                continue
            (took,) = _least(use, [text(use.bound)], _is_bounded)
            if not _is_bounded(took):
                return f"{took:.3f} s for {use.bound} characters: {name}"
            continue
        short = text(LENGTH)
        if use.seconds(short) < ENOUGH_SECONDS or use.seconds(short) < ENOUGH_SECONDS:
            continue
        first, last = _least(use, [short, text(4 * LENGTH)], _is_by_length)
        if not _is_by_length(first, last):
            return f"{first:.3f} s, and {last / first:.0f} times as long for four times the text: {name}"
    return None


def _is_by_length(first: float, last: float) -> bool:
    return _is_bounded(first) and last <= min(RATIO * first, GIVEN_UP_SECONDS)


def _is_bounded(seconds: float) -> bool:
    if seconds <= BOUNDED_SECONDS:
        return True
    paced = min(Use(PACER, "").seconds(PACER_TEXT) for _ in range(3))
    return seconds <= BOUNDED_SECONDS * paced / PACER_SECONDS


def _least(use: Use, subjects: list[str], is_fine: Callable[..., bool]) -> list[float]:
    """The least time for each text; while they are not fine, all are measured again, by turns and after a pause, since
    others may be at work on the machine."""
    least = [math.inf] * len(subjects)
    for attempt in range(MEASURED):
        time.sleep(attempt * PAUSE_SECONDS)
        least = [min(before, use.seconds(each)) for before, each in zip(least, subjects, strict=True)]
        if is_fine(*least):
            break
    return least


def main() -> None:
    """Print what is slow, as JSON."""

    def ring(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, ring)
    bounds = json.load(sys.stdin)
    uses, unknown = every_pattern()
    found: dict[str, str] = {}
    gc.disable()  # its time would be counted as that of a pattern
    for use in uses:
        for place, (is_anchored, bound) in bounds.items():
            if use.place.startswith(place):
                use = replace(use, is_anchored=use.is_anchored or is_anchored, bound=bound)
        if (said := slow(use)) is not None:
            found[f"{use.place} {use.pattern.pattern[:60]!r}"] = said
    json.dump({"patterns": len(uses), "unknown": unknown, "slow": found}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
