"""A text without the layers that stand between it and what it says: escapes, colours, invisible signs, line prefixes.

Tools and formats add them: HTML entities, JSON within JSON, percent and quoted-printable codes, terminal colours, tags
for highlighting, the gutters of quotations, listings and logs. What is found in the view is told by its place in the
text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final
from unicodedata import normalize

from engramforge.model.fence import UNSEEN

_SIGNS: Final = ("&", "\\", "%", "\x1b", "</", "=\n", "=3D", "=\r\n")
"""A text in ASCII without any of these has no layer within its lines."""
_PICTURES: Final = "\u2000"
"""The first sign that is no letter of Latin, Greek or Cyrillic: pictures have invisible signs of their own."""
_OTHER_FORMS: Final = "\u00a0\u2000-\u200a\u202f\u205f\u3000\uff01-\uff5e\U0001d400-\U0001d7ff"
"""Blanks and letters that look like those of ASCII."""
_LAYER: Final = re.compile(
    rf"""(?P<entity>&(?:\#\d{{2,7}}|\#[xX][0-9a-fA-F]{{1,6}}|[A-Za-z]{{2,8}}\d{{0,2}});)
    |(?P<none>\x1b(?:\[[0-?]{{0,60}}[ -/]{{0,4}}[@-~]|\][^\x07\x1b\n]{{0,400}}(?:\x07|\x1b\\)|[()][0-9A-B]|[=>])
      |</?(?i:span|b|i|u|em|strong|code|mark|font|wbr|kbd|tt|s)(?:[ ][^<>]{{0,300}})?>)
    |(?<!\\)\\++(?:(?P<color>(?:x1[bB]|0?33|e|u001[bB]|u\{{1[bB]\}})\[[0-?]{{0,60}}[@-~])
      |u(?P<short>[0-9a-fA-F]{{4}})|U(?P<long>[0-9a-fA-F]{{8}})|u\{{(?P<braced>[0-9a-fA-F]{{1,6}})\}}
      |x(?P<byte>[0-9a-fA-F]{{2}})|(?P<octal>[01][0-7]{{2}})
      |(?P<blank>[nrt])|(?P<sign>["'`/_*&=:.\#$@!+~-]))
    |%(?:25)*+(?P<percent>[2-7][0-9a-fA-F]|0[aAdD9]|[c-fC-F][0-9a-fA-F](?:%(?:25)*+[89abAB][0-9a-fA-F]){{1,3}})
    |(?P<unseen>(?<![{UNSEEN}])[{UNSEEN}]++)
    |(?P<form>[{_OTHER_FORMS}])""",
    re.VERBOSE,
)
_QUOTED_PRINTABLE: Final = re.compile(
    r"(?<!=)=(?:(?P<percent>[2-7][0-9A-F]|[C-F][0-9A-F](?:=[89AB][0-9A-F]){1,3})|(?P<none>\r?\n(?=[^\r\n])))"
)
_PRINTED: Final = re.compile(
    r"=3D|=[C-F][0-9A-F]=[89AB]|^(?=[^\n]{0,75}[ ])[^\n]{60,76}(?<!=)=\r?\n[^\r\n]", re.MULTILINE
)
"""What a quoted-printable text has in it."""
_NEAR: Final = 300
"""So many characters around a layer are looked at without it, and to the ends of these lines as many more."""
_CODE_SIGNS: Final = re.compile(r"%(?:25)*|=")
_DEEPEST: Final = 4
"""Layers of layers that are taken off."""
_PREFIX: Final = (
    r">[ ]?|[|│┃║](?![^\n|]{0,300}\|)[ ]?|\[(?!REDACTED:)[^\[\]\n]{1,60}\]:?[ ]?"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?(?:[ ]?[:|,-])?[ ]?"
    r"|\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:[ ]?[:|,-])?[ ]?|\d{1,6}+(?:[ ]?[:|│→]|\t|-(?!\d))[ ]?"
    r"|[A-Z][a-z]{2}[ ]{1,2}\d{1,2}[ ]\d\d:\d\d:\d\d[ ](?:[\w.-]{1,60}+[ ][\w./-]{1,40}+(?:\[\d{1,9}\])?:[ ])?"
    r"|(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|NOTICE|stdout|stderr)(?:[ ][FP](?=[ ]))?(?:[ ]?[:|])?[ ]?"
    r"|remote:[ ]|[\w.@/-]{1,60}+[ ]{0,30}+[|│][ ]?|[\w./-]{1,120}+:\d{1,6}[:-][ ]?|(?:\#{1,3}|//|--|;)[ ]|\+(?!\+)[ ]?"
)
"""What quotations, listings, comparisons, comments and logs put before each line."""
_ONE_PREFIX: Final = re.compile(_PREFIX)
_LINE: Final = re.compile(rf"^[ \t]{{0,80}}+(?={_PREFIX})", re.MULTILINE)
_MOST_PREFIXES: Final = 6
_WORD: Final = re.compile(r"\w+|[ \t]+")

_Replaced = tuple[int, int, str]
"""A span of a text, and what it says."""


@dataclass(frozen=True, slots=True)
class _Step:
    """Where the pieces of a text that were replaced are in it, and in what came of it."""

    text_begins: list[int] = field(default_factory=list)
    text_ends: list[int] = field(default_factory=list)
    begins: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def begin(self, at: int) -> int:
        last = bisect_right(self.ends, at) - 1
        place = at if last < 0 else self.text_ends[last] + at - self.ends[last]
        return min(place, self.text_begins[last + 1]) if last + 1 < len(self.begins) else place

    def forward(self, at: int) -> int:
        """The place in what came of it of a place in the text."""
        last = bisect_right(self.text_ends, at) - 1
        place = at if last < 0 else self.ends[last] + at - self.text_ends[last]
        return min(place, self.begins[last + 1]) if last + 1 < len(self.begins) else place

    def end(self, at: int) -> int:
        first = bisect_left(self.ends, at)
        if first < len(self.begins) and self.begins[first] < at:
            return self.text_ends[first]
        return at if first == 0 else self.text_ends[first - 1] + at - self.ends[first - 1]


@dataclass(frozen=True, slots=True)
class View:
    """`text`: what a text says without its layers. `parts`: where in it there is more to see than in the text."""

    text: str
    parts: tuple[tuple[int, int], ...]
    _steps: tuple[_Step, ...] = ()
    _escaped: _Step | None = None

    def is_escaped(self, begin: int, end: int) -> bool:
        """Whether an escape lies in a place of the original text."""
        if self._escaped is None:
            return False
        first = bisect_right(self._escaped.text_ends, begin)
        return first < len(self._escaped.begins) and self._escaped.text_begins[first] < end

    def span(self, begin: int, end: int) -> tuple[int, int]:
        """The place in the original text of a span of at least one character."""
        for step in reversed(self._steps):
            begin, end = step.begin(begin), step.end(end)
        return begin, end


def may_be_layered(text: str) -> bool:
    """Whether a layer within lines may be in a text; costs less than a microsecond."""
    return not text.isascii() or any(sign in text for sign in _SIGNS)


def views(text: str) -> list[View]:
    """The text itself, and without the layers within its lines, and without those before its lines, if it has any.

    Costs as much as reading it a few times.
    """
    found = [View(text, ((0, len(text)),))]
    steps: list[_Step] = []
    view = _without(text, _escapes, steps) if may_be_layered(text) else text
    for _ in range(_DEEPEST if may_be_layered(text) else 0):
        before = view
        for replaced in (_printed, _escapes):
            view = _without(view, replaced, steps)
        if view == before:
            break
    if steps:
        found.append(View(view, tuple(_near(view, steps)), tuple(steps), steps[0]))
    shown = _without(view, _prefixes, steps) if "\n" in view else view
    if shown != view:
        found.append(View(shown, tuple(_near(shown, steps[-1:])), tuple(steps)))
    return found


def _near(view: str, steps: list[_Step]) -> Iterable[tuple[int, int]]:
    """The lines around what was replaced, as far as they reach."""
    places: set[int] = set()
    for number, step in enumerate(steps):
        moved = step.begins
        for later in steps[number + 1 :]:
            moved = [later.forward(at) for at in moved]
        places.update(moved)
    begin = end = -1
    for at in sorted(places):
        if at + _NEAR <= end:
            continue
        first, last = max(at - _NEAR, 0), min(at + _NEAR, len(view))
        first = max(view.rfind("\n", max(first - _NEAR, 0), first), 0)
        line_end = view.find("\n", last, last + _NEAR)
        last = line_end if line_end >= 0 else min(last + _NEAR, len(view))
        if first > end:
            if end >= 0:
                yield begin, end
            begin = first
        end = last
    yield begin, end


def _without(text: str, replaced: Callable[[str], Iterable[_Replaced]], steps: list[_Step]) -> str:
    """The text with these pieces replaced; the step is added, if there was any."""
    step, pieces, at, size = _Step(), list[str](), 0, 0
    for begin, end, meaning in replaced(text):
        pieces += (text[at:begin], meaning)
        size += begin - at
        step.text_begins.append(begin)
        step.text_ends.append(end)
        step.begins.append(size)
        size += len(meaning)
        step.ends.append(size)
        at = end
    if not step.begins:
        return text
    steps.append(step)
    return "".join((*pieces, text[at:]))


def _escapes(text: str) -> Iterable[_Replaced]:
    for match in _LAYER.finditer(text):
        begin, end = match.span()
        meaning = _meaning(match)
        is_within = match["unseen"] is None or max(text[begin - 1 : begin], text[end : end + 1]) < _PICTURES
        if meaning is not None and is_within:
            yield begin, end, meaning


def _printed(text: str) -> Iterable[_Replaced]:
    if _PRINTED.search(text):
        for match in _QUOTED_PRINTABLE.finditer(text):
            meaning = _meaning(match)
            if meaning is not None:
                yield *match.span(), meaning


def _meaning(match: re.Match[str]) -> str | None:
    """What a layer says; None if it is what it says."""
    kind = match.lastgroup or ""
    shown = match[kind]
    match kind:
        case "none" | "color" | "unseen":
            return ""
        case "entity":
            from html import unescape  # a table that is seldom needed

            meaning = unescape(shown)
            return meaning if meaning != shown else None
        case "blank":
            return "\t" if shown == "t" else "\n"
        case "sign":
            return shown
        case "form":
            return normalize("NFKC", shown)
        case "percent" if len(shown) > 2:
            try:
                return bytes.fromhex(_CODE_SIGNS.sub("", shown)).decode()
            except ValueError:
                return None
        case _:
            code = int(shown, 8 if kind == "octal" else 16)
            return chr(code) if code in (9, 10, 13) or 32 <= code < 0x110000 else None


def _prefixes(text: str) -> Iterable[_Replaced]:
    """What stands before lines, as far as the next line or the one above has the like."""
    above, taken, shapes = (0, 0), 0, list[str]()
    ends: list[int] = []
    for match in _LINE.finditer(text):
        begin = match.start()
        is_next = bool(shapes) and text.find("\n", ends[-1], begin) + 1 == begin
        own_ends, own_shapes = _prefixes_of_line(text, match.end())
        shared = 0
        if is_next:
            for one, other in zip(shapes, own_shapes, strict=False):
                if one != other:
                    break
                shared += 1
        common = max(shared, taken)
        if common:
            yield above[0], ends[common - 1], ""
        above, taken, ends, shapes = match.span(), shared, own_ends, own_shapes
    if taken:
        yield above[0], ends[taken - 1], ""


def _prefixes_of_line(text: str, at: int) -> tuple[list[int], list[str]]:
    """Where each prefix of a line ends that begins here, and what each looks like."""
    ends: list[int] = []
    shapes: list[str] = []
    while len(ends) < _MOST_PREFIXES and (match := _ONE_PREFIX.match(text, at)) is not None:
        at = match.end()
        ends.append(at)
        shapes.append(_WORD.sub(lambda word: "w" if word[0].strip() else "", match[0]))
    return ends, shapes
