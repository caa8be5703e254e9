"""A text as the sentences of its writer, without code, quotations and tables.

Each sentence comes with a copy of the same length in which code and quoted words are blanked: cues are looked for
there, so that merely mentioned words do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from engramforge.core.text.late_pattern import late
from engramforge.core.text.marks import QUOTES

READ_CHARACTERS: Final = 50_000
"""How far into a text is read."""
LONGEST_MESSAGE: Final = 3_000
"""A longer text is no message in which somebody tells a decision among other things."""
LONGEST_SENTENCE: Final = 1_000
"""Longer sentences are cut, or are not prose."""
SHORTEST_SENTENCE: Final = 6
_AROUND: Final = 1_000

_FENCE: Final = late(r"(?ms)^[ ]{0,3}(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ ]{0,3}\1[^\n]*$|\Z)")
_TAGGED: Final = late(r"(?is)<(pre|code|blockquote|tool_\w+|system-reminder)\b[^>]*>.*?(?:</\1>|\Z)")
_COMMENT: Final = late(r"(?s)<!--.*?(?:-->|\Z)")
_HEADING: Final = late(r"\s{0,3}#{1,6}+\s++(?P<title>.*)$")
_BULLET: Final = late(r"\s*(?:[-*+\u2022]\s+|\d{1,3}[.)]\s+)")
_BOX: Final = late(r"\[(?P<mark>[ xX])\]\s+")
_OWN_LINE: Final = late(
    r"\s*(?:[-*+\u2022]\s|\d{1,3}[.)]\s|\[[ xX]\]\s|#{1,6}\s|\|)|\s*[*_]{0,2}[A-Z][\w /-]{1,30}:|.{0,3}\b(?:[DT]-?\d"
    r"|[dt]\d{3,}\b)"
)
_END: Final = late(
    r"(?<=[.!?\u2026])(?:(?P<marks>[\"')\]\u201d*_]*)\s+(?=[\"'(\[\u201c*_`\u00bf\u00a1]*(?!Januar|Februar|M\u00e4rz"
    r"|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)[A-Z0-9\u00c0-\u00de]|[-\u2022*]\s|(?:we|i"
    r"|let's|todo|still)\b)|\s+(?=[a-z]{2}))"
)
_NO_END: Final = late(
    r"(?i)(?:\b(?:e\.g|i\.e|cf|vs|etc|approx|mr|mrs|ms|dr|no|fig|sec|incl|ca|z\.b|d\.h|bzw|usw|resp|max|min|avg|al"
    r"|vol|nr|st|ie|eg)\.|\b[A-Z]\.|(?:^|[.:;,]\s+)\d+\.)$"
)
_INLINE: Final = late(r"`[^`\n]+`|https?://\S+|<[^<>\s][^<>\n]{0,80}>")
_DOUBLE, _SINGLE = QUOTES
_QUOTED: Final = late(
    rf"[{_DOUBLE}][^{_DOUBLE}\n]{{3,400}}[{_DOUBLE}]|``[^`\n]{{3,400}}''|(?<!\w)[{_SINGLE}](?=\S)(?:[^{_SINGLE}\n]"
    rf"|(?<=\w)[{_SINGLE}](?=\w)){{6,400}}[{_SINGLE}](?!\w)"
)
_QUOTE: Final = late(f"[{_DOUBLE}{_SINGLE}`]")
_LINK: Final = late(r"!?\[([^\[\]\n]*+)\]\([^)\n]{0,1000}+\)")
_MARKS: Final = late(
    r"(?<!/)(?:\*\*(?!/)|__|(?<!\w)[*_](?=\S)(?!\.\w|/)|(?<=[^\s*])(?<!\w_)[*_](?!\w|\.[a-z]+\b(?!\*)|/))"
)
"""Marks of emphasis, and no stars of patterns of files."""
_CODE_LINE: Final = late(
    r"\s*(?:[{}\[\]();]+\s*$|(?:def|class|import|from|return|const|let|var|func|public|private)\s.*[{(;:=]\s*$"
    r"|[$#>]\s*\S+\s+--?\w|\$\s)"
)
_INTRODUCES: Final = late(r"\s*[*_]{0,2}[\w][^:.?!]{2,40}:[*_]{0,2}\s*$")
_LONG_LINE: Final = 50
_LAST_WORD: Final = 16


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence and where it stands.

    `said`: the sentence, without list and emphasis marks. `plain`: the same with code and quoted words blanked; of
    equal length. `heading`: the title above it, "" before the first; a line ending in a colon is a title for the list
    below it. `is_item`: whether it is of a list. `box`: whether a checklist item is ticked; None for anything else.
    `around`: the beginning of the whole text, which tells what a sentence without any such word is about.
    """

    said: str
    plain: str
    heading: str = ""
    is_item: bool = False
    box: bool | None = None
    around: str = ""

    def part(self, begin: int = 0, end: int | None = None) -> Passage:
        """A part of the sentence."""
        return replace(self, said=self.said[begin:end], plain=self.plain[begin:end])


def passages(text: str) -> Iterator[Passage]:
    """The sentences of a text in their order; headings, code, quotations and tables are left out."""
    return iter(_of_message(text)) if len(text) <= LONGEST_MESSAGE else _passages(text)


@lru_cache(maxsize=4)
def _of_message(text: str) -> tuple[Passage, ...]:
    """Those of a short text, which several look at."""
    return tuple(_passages(text))


def _passages(text: str) -> Iterator[Passage]:
    heading = above = ""
    for line in _paragraphs(without_code(text[:READ_CHARACTERS])):
        if title := _HEADING.match(line):
            heading = above = title["title"].rstrip().rstrip("#").rstrip()
            continue
        if (bullet := _BULLET.match(line)) is None:
            heading = line.strip().strip("*_: ") if _INTRODUCES.match(line) else above
        line = line[bullet.end() :].strip() if bullet else line.strip()
        box = _BOX.match(line)
        said = plain_words(line[box.end() :] if box else line)
        for sentence in sentences(said):
            if len(sentence) >= SHORTEST_SENTENCE:
                yield Passage(
                    sentence,
                    blotted(sentence),
                    heading,
                    bullet is not None,
                    None if box is None else box["mark"] != " ",
                    text[:_AROUND],
                )


def without_code(text: str) -> str:
    """The text without fenced code, quoted tool output and comments."""
    if "`" in text or "~~~" in text:
        text = _FENCE.sub("\n", text)
    if "<" in text:
        text = _COMMENT.sub(" ", _TAGGED.sub("\n", text))
    return text


def plain_words(line: str) -> str:
    """A line without the marks of emphasis and with links as their words."""
    if "](" in line:
        line = _LINK.sub(r"\1", line)
    if "*" in line or "_" in line:
        line = _MARKS.sub("", line)
    return line.strip()


def blotted(sentence: str) -> str:
    """The sentence with code, addresses and quoted words as blanks of the same length; the marks themselves stay."""
    if "`" in sentence or "://" in sentence or "<" in sentence:
        sentence = _INLINE.sub(lambda hit: "\u00b7" * len(hit[0]), sentence)
    if _QUOTE.search(sentence) is None:
        return sentence
    return _QUOTED.sub(lambda hit: hit[0][0] + "\u00b7" * (len(hit[0]) - 2) + hit[0][-1], sentence)


def sentences(line: str) -> Iterator[str]:
    """The sentences of one paragraph."""
    begin = 0
    for hit in _END.finditer(line):
        # Only the last word is looked at, or a long row of initials would be read again at each of them.
        at = hit.start()
        if line[at - 1] != "." or not _NO_END.search(line, max(begin, at - _LAST_WORD), at):
            yield line[begin : hit.end("marks") if hit["marks"] else hit.start()].strip()[:LONGEST_SENTENCE]
            begin = hit.end()
    if rest := line[begin:].strip():
        yield rest[:LONGEST_SENTENCE]


def _paragraphs(text: str) -> Iterator[str]:
    """Lines, with wrapped paragraphs joined; quotations, tables and lines of code are left out."""
    held = ""
    last = 0
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare.startswith((">", "|")) or _CODE_LINE.match(line):
            if held:
                yield held
            held = ""
            continue
        goes_on = held and last >= _LONG_LINE and not held.endswith((".", "!", "?", ":"))
        wrapped = held and held.endswith((".", "!", "?")) and last >= _LONG_LINE
        if (goes_on or wrapped) and not _OWN_LINE.match(line) and not held.lstrip().startswith("#"):
            held = f"{held} {bare}"
        else:
            if held:
                yield held
            held = line
        last = len(line)
    if held:
        yield held
