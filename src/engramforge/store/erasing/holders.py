"""Which rows of a tenant still say what was forgotten: a search of every column that holds text, on either engine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, product
from typing import Final

from sqlalchemy.engine import Connection

from engramforge.core.text.words import STOP_WORDS
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Remnant
from engramforge.store.erasing.finding import Finder
from engramforge.store.erasing.texts import having, plain, versions

_MOST_ASKED: Final = 500
_MOST_NAMED: Final = 20
_NAMED: Final = {
    "memory": ("memories", "memory", "{}", "it"),
    "link": ("links", "link", "{}", "it"),
    "reason": ("reasons of changes", "table", "audit", "the reason of a change of {}"),
    "effect": ("records of changes", "table", "audit", "the record of a change of {}"),
    "column": ("columns", "table", "{table}", "its column {column}"),
}
"""How a place is told: several of them, the kind of place, its name, and who repeats something."""


class Saying:
    """Who still says something of forgotten texts: rows of any table, and other files.

    `contents`: the texts. What many memories say tells nothing of these.
    """

    def __init__(self, connection: Connection, scope: Scope, contents: Sequence[str]) -> None:
        self._connection = connection
        self._scope = scope
        self._spread = Counter[str]()
        self._is_rare = cache(self._few_have)
        self._asked = 0
        self._contents = contents
        self._having: dict[str, list[str]] = {}
        self._seen: set[tuple[str, str]] = set()

    def remnants(self, parts: Sequence[str]) -> list[Remnant]:
        """Who says any of the parts, as a neighbouring chunk, a quotation or the reason of a change does; those first
        that repeat most. Those outside the scope are told without their ids."""
        return [
            remnant for place, its in self.told(parts).items() for remnant in _told(place, its, self._seen)
        ]

    def told(self, parts: Sequence[str]) -> dict[str, dict[str, int]]:
        """By kind of place the names of those who say any of the parts, and how many words they repeat."""
        holders = self._holders(parts)
        self._spread.update(
            part for holder in holders.values() if not holder.is_label for part in holder.parts()
        )
        words: dict[str, dict[str, int]] = {place: {} for place in _NAMED}
        for (place, name, _), holder in holders.items():
            is_rare = _never if holder.is_label else self._is_rare
            if self._is_telling(holder.repeated.values(), is_rare):
                most = max(each.words() for each in holder.repeated.values())
                words[place][name] = max(most, words[place].get(name, 0))
        self._seen = {(place, name) for (place, name, _), holder in holders.items() if holder.is_seen}
        return words

    def is_told_by(self, found: Iterable[tuple[str, str]]) -> bool:
        """Whether a file says something of them, by parts that it has and what stands around each; asked after
        `remnants`."""
        repeated: dict[str, Repetition] = {}
        its = dict(found)
        self._look_up(its)
        for part, text in its.items():
            self._note(repeated, part, text)
        return self._is_telling(repeated.values(), self._is_rare)

    def without_words(self, texts: Iterable[str], labels: Iterable[str]) -> dict[str, str]:
        """Each text without the distinctive words of what was forgotten, its `labels` too: few have them, and they
        are no ordinary ones."""
        bare = {each: each for each in texts}
        words = {word for each in bare for word in _WORD.findall(each)}
        known = {word.casefold() for word in words}.difference(STOP_WORDS, _ORDINARY.split())
        said: set[str] = set()
        for each in chain(self._contents, plain(labels)) if known else ():
            said |= known.intersection(_WORD.findall(each.casefold()))
        own = "|".join(sorted(each for each in words if each.casefold() in said and self._is_own(each)))
        found = re.compile(rf"\b(?:{own})\b(?:\W+(?:{own})\b)*")
        return {each: found.sub("\u2026", each) for each in bare} if own else bare

    def _is_own(self, word: str) -> bool:
        return all(map(self._is_rare, {word, word.lower(), word.capitalize()}))

    def _note(self, repeated: dict[str, Repetition], part: str, other: str) -> None:
        """Note what another text, which has a part, repeats of the texts that have it."""
        for text in self._having[part]:
            repeated.setdefault(text, Repetition(text)).find(part, other)

    def _is_telling(self, repeated: Iterable[Repetition], is_rare: Callable[[str], bool]) -> bool:
        return any(each.is_telling(self._spread, is_rare) for each in repeated)

    def _look_up(self, parts: Iterable[str]) -> None:
        """Note which of the forgotten texts have parts."""
        if new := set(parts) - self._having.keys():
            self._having |= {part: [] for part in new}
            for batch in Finder(new).among(self._contents, str):
                for text, its in batch:
                    for part in its:
                        self._having[part].append(text)

    def _holders(self, parts: Sequence[str]) -> dict[tuple[str, str, bool], _Holder]:
        """Who says any of the parts, by place, name, and whether it is a label."""
        found: dict[tuple[str, str, bool], _Holder] = {}
        if not parts:
            return found
        for batch in having(self._connection, self._scope, Finder(parts)):
            self._look_up(chain.from_iterable(its for _, its in batch))
            for each, its in batch:
                for part, text in product(sorted(its), each.texts):
                    if part in text:
                        key = (each.place, each.name, each.is_label)
                        holder = found.setdefault(key, _Holder(False, each.is_label, {}))
                        holder.is_seen |= each.is_seen
                        self._note(holder.repeated, part, text)
        return found

    def _few_have(self, word: str) -> bool:
        """Whether few memories have a word; of very many words it is not asked."""
        self._asked += 1
        if self._asked > _MOST_ASKED:
            return True
        found = versions(self._connection, self._scope.tenant, word).distinct().limit(MOST_SHARED + 1)
        return len(self._connection.execute(found).all()) <= MOST_SHARED


@dataclass(slots=True)
class _Holder:
    """Who says parts of what was forgotten.

    `is_label`: whether it is known by them, where a word alone says nothing: others may rightly be named so.
    `repeated`: what it repeats of each forgotten text.
    """

    is_seen: bool
    is_label: bool
    repeated: dict[str, Repetition]

    def parts(self) -> set[str]:
        """The parts that it says."""
        return {part for each in self.repeated.values() for part in each.stretches}


def _told(place: str, words: Mapping[str, int], seen: Collection[tuple[str, str]]) -> Iterator[Remnant]:
    """What is told of one kind of place.

    `words`: how many words each repeats. `seen`: what the scope may see.
    """
    several, kind, named, who = _NAMED[place]
    in_scope = sorted((each for each in words if (place, each) in seen), key=lambda each: -words[each])
    for each in in_scope[:_MOST_NAMED]:
        table, _, column = each.partition(".")
        name, it = (form.format(each, table=table, column=column) for form in (named, who))
        yield Remnant(kind, name, f"{it} repeats {words[each]:,} word{'s' * (words[each] != 1)} of it")
    rest = "" if kind != "table" else "audit"
    if further := in_scope[_MOST_NAMED:]:
        most = f"{words[further[0]]:,} words"
        yield Remnant(kind, rest, f"{len(further):,} further {several} repeat up to {most} of it")
    if others := len(words) - len(in_scope):
        yield Remnant(kind, rest, f"{others:,} {several} of other projects or agents repeat some of it")


def _never(_: str) -> bool:
    return False


MOST_SHARED: Final = 5
"""What more memories than these say is nothing of one's own."""
_LONG: Final = 120
"""The letters of a stretch that nobody repeats by chance or habit, however many do."""
_OWN: Final = 48
"""The letters of a stretch that, where few repeat it, is no turn of phrase."""
_WHOLE: Final = 0.9
_ORDINARY: Final = """
again agreed another anymore archive asked because builds captured carries client contract copy customer data
decision delete deleted deletion demand detected draft duplicate ended erase error expired extra false forget
forgotten gdpr goal gone imported information law lawyer leave legal links longer made mail memory message mindstate
mistake moved name needed never new note obsolete old outdated person personal place please policy privacy private
project protection read record removal remove removed request requested retention right said says secret sensitive
shows since spam statement test text thing thread time took unstated user version wait want wanted wants wish
withdrawn work written wrong
"""
"""Words that say why something goes, or that every link of ours says, and not what it was."""
_WORD: Final = re.compile(r"\w{3,}")


@dataclass(slots=True)
class Repetition:
    """What one memory repeats of one forgotten text.

    `stretches`: for a part of the text, begin and end of the longest stretch around it that both say.
    """

    text: str
    stretches: dict[str, tuple[int, int]] = field(default_factory=dict)

    def find(self, part: str, other: str) -> None:
        """Take in a part that the other text has, with what both say around it."""
        here, there = self.text.find(part), other.find(part)
        if here < 0 or there < 0:
            return
        before = _agreeing(lambda n: self.text[here - n : here] == other[there - n : there], min(here, there))
        end, its_end = here + len(part), there + len(part)
        most = min(len(self.text) - end, len(other) - its_end)
        after = _agreeing(lambda n: self.text[end : end + n] == other[its_end : its_end + n], most)
        begin, known = here - before, self.stretches.get(part, (0, 0))
        self.stretches[part] = max(known, (begin, end + after), key=lambda each: each[1] - each[0])

    def is_telling(self, spread: Mapping[str, int], is_rare: Callable[[str], bool]) -> bool:
        """Whether it is more than what many texts have, such as a turn of phrase.

        `spread`: how many memories have each part. `is_rare`: whether few memories have a word.
        """
        if sum(end - begin for begin, end in self._united()) >= _WHOLE * len(self.text.strip()):
            return True
        for part, (begin, end) in self.stretches.items():
            words = _WORD.findall(self.text[begin:end])
            letters = sum(map(len, words))
            is_own = spread[part] <= MOST_SHARED and (
                letters >= _OWN or any(is_rare(word) and is_rare(word.lower()) for word in words)
            )
            if is_own or letters >= _LONG:
                return True
        return False

    def words(self) -> int:
        """How many words it repeats."""
        return sum(len(self.text[begin:end].split()) for begin, end in self._united())

    def _united(self) -> Iterator[tuple[int, int]]:
        """The stretches without overlaps."""
        last = 0
        for begin, end in sorted(self.stretches.values()):
            if end > last:
                yield max(begin, last), end
                last = end


def _agreeing(is_same: Callable[[int], bool], most: int) -> int:
    """The greatest number up to which texts are the same, found by halves."""
    least, step = 0, 16
    while least < most and is_same(min(least + step, most)):
        least, step = min(least + step, most), step * 2
    high = min(least + step, most)
    while least < high:
        middle = (least + high + 1) // 2
        least, high = (middle, high) if is_same(middle) else (least, middle - 1)
    return least
