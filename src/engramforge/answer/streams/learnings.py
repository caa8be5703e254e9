"""Keeps what a stream teaches: each belief that was found wrong, and each kind of belief that keeps being wrong.

A learning is a memory of kind learning, derived from the versions that it tells of, so that it is forgotten with them;
each is written once, however often a stream shows the same. Source: spec chapter 5, "Energy feedback" (the cycle).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice, takewhile
from typing import Final

from engramforge.core.streams.corrections import correction_patterns
from engramforge.core.text.portions import excerpt_within
from engramforge.core.text.words import content_words, is_stop_word, words_of
from engramforge.errors import NotFound, Stopped
from engramforge.model.link import Link, Relation
from engramforge.model.memory import LEARNED_OF, Draft, Kind, Memory, ResolutionState
from engramforge.model.scope import Scope
from engramforge.model.stopping import check_wanted
from engramforge.model.storing.record import Entry, content_digest
from engramforge.model.streams.stream import Stream
from engramforge.model.time import InvalidationReason
from engramforge.model.timeline import Dissonance
from engramforge.recall.intention.time_limit import Tried, tried
from engramforge.registries.registered import entry_link
from engramforge.store.door import Door
from engramforge.writing.intake import Intake

_LIMIT_S: Final = 10.0
_QUOTED: Final = 300
_COMPARED: Final = 200
"""Words from the first difference on that are compared: the time that takes grows with more than their square."""
_LINES: Final = 20
"""Beliefs of a kind that are named one by one."""
_AS_NEAR: Final = 0.5
"""The share of the relevance of the nearest from which on a memory is about the same, in whatever words it is named."""
_GAP: Final = "\u2026"
_COUNTS: Final = frozenset(
    (
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "another",
        "each",
        "every",
    )
)
"""Words that only count what follows, or say which it is."""
_LEAST_ALIKE: Final = 2
"""Content words that two beliefs share, if these tell what both are about."""
_MOST: Final = 50
_CONFIDENCE: Final = 0.9
_WHAT: Final[Mapping[InvalidationReason | None, str]] = {
    InvalidationReason.DISCOVERED_FALSE: "was wrong and was put right",
    InvalidationReason.REALITY_CHANGED: "has changed",
}


@dataclass(frozen=True, slots=True)
class Learnings:
    """Writes learnings."""

    door: Door
    intake: Intake
    limit_s: float = _LIMIT_S

    def record(self, scope: Scope, stream: Stream) -> Tried[tuple[Memory, ...]]:
        """The learnings of a stream that were not there yet, at most fifty, those of a project in one transaction, so
        that an undo there leaves the others: of what answers, is about as near as the nearest, or a link leads to. None
        is told where they are not written in time."""
        nothing: tuple[Memory, ...] = ()
        done = tried(self.limit_s, lambda: self._recorded(scope, stream), nothing)
        if done.fault is not None and not isinstance(done.fault, Stopped):
            raise done.fault
        return done

    def _recorded(self, scope: Scope, stream: Stream) -> tuple[Memory, ...]:
        nearest = max((each.relevance for each in stream.items if each.path is None), default=0.0)
        about = {
            each.memory.logical_id
            for each in stream.items
            if each.answers or each.path is not None or each.relevance >= _AS_NEAR * nearest
        }
        cases = [each for each in stream.dissonances if each.belief_id in about]
        view = self.door.asking(scope)
        found = view.fetch({each.corrected_id for each in cases})
        standing = view.fetch({each.belief_id for each in cases})
        held = [
            _Held(each, found[each.corrected_id], standing[each.belief_id])
            for each in cases
            if each.corrected_id in found and each.belief_id in standing
        ]
        of_project: dict[str, list[Draft]] = defaultdict(list)
        for each in islice(_drafts(held), _MOST):
            of_project[each.project].append(each)
        return tuple(memory for made in of_project.values() for memory in self._written_of_one(scope, made))

    def _written_of_one(self, scope: Scope, made: Sequence[Draft]) -> list[Memory]:
        """Those of some learnings of one project that are new."""
        try:
            return self._written(scope, made)
        except NotFound:
            # What one tells of is forgotten by now, and then it may not be learned.
            written: list[Memory] = []
            for each in made:
                with suppress(NotFound):
                    written += self._written(scope, [each])
            return written

    def _written(self, scope: Scope, drafts: Sequence[Draft]) -> list[Memory]:
        """Those of some learnings that are new."""
        if not drafts:
            return []
        done = self.intake.write(scope, drafts, revive_forgotten=False, linked=_links).memories
        return [memory for memory in done if not memory.is_duplicate]


def _links(entries: Sequence[Entry]) -> list[Link]:
    """The links that are written with learnings: to each memory that one is learned of."""
    return [
        replace(
            entry_link(
                Relation.DERIVED_FROM, memory, one, memory.created_at, trigger="a belief was corrected"
            ),
            confidence=_CONFIDENCE,
        )
        for memory in (entry.memory for entry in entries)
        for one in memory.metadata[LEARNED_OF]
    ]


@dataclass(frozen=True, slots=True)
class _Held:
    """A correction, the version that came of it, and the memory as it is now."""

    case: Dissonance
    corrected: Memory
    now: Memory

    @property
    def owner(self) -> tuple[str, ...]:
        return self.corrected.project, str(self.corrected.level), self.corrected.agent

    @property
    def standing(self) -> str:
        """What the memory says now."""
        return self.now.content

    @property
    def holds(self) -> bool:
        """Whether that holds still."""
        return self.now.invalid_at is None and self.now.expired_at is None

    @property
    def key(self) -> str:
        """Of the correction; another one where what came of it was corrected again, since it is told otherwise."""
        ids = f"{self.case.original_id}/{self.case.corrected_id}"
        is_last = self.standing == self.corrected.content
        return ids if is_last else f"{ids}/{content_digest(self.standing).hex()}"


def _drafts(held: Sequence[_Held]) -> Iterator[Draft]:
    """What is learned of each belief, and of each kind of several beliefs, for each whose beliefs they are: nobody's
    words are told to others."""
    of_belief: dict[str, list[_Held]] = defaultdict(list)
    for each in held:
        of_belief[each.case.belief_id].append(each)
    yield from map(_of_one, of_belief.values())
    owned: dict[tuple[str, ...], list[_Held]] = defaultdict(list)
    for each in held:
        owned[each.owner].append(each)
    for own in owned.values():
        by_id = {each.case.corrected_id: each for each in own}
        standing = {each.case.belief_id: each.standing for each in own}
        for pattern in correction_patterns([each.case for each in own], standing):
            # How often one belief was corrected is told of it already.
            if len(pattern.belief_ids) > 1:
                yield _of_many(pattern.kind, [by_id[case.corrected_id] for case in pattern.cases])


def _of_one(corrections: Sequence[_Held]) -> Draft:
    """What is learned of one belief by its corrections, oldest first. What was believed is not said again: it would be
    found as if it were so."""
    held = corrections[-1]
    case = held.case
    what = _WHAT.get(case.reason, "was replaced")
    again = f", the last of {len(corrections)} corrections" if len(corrections) > 1 else ""
    content = (
        f"What was believed of {_matter(held)} {what} on {case.corrected_at:%Y-%m-%d}, after it had been held since "
        f"{case.held_from:%Y-%m-%d}{again}. {_told_now(held)}"
    )
    return _draft(
        content,
        [held.corrected],
        f"dissonance/{held.key}",
        max(each.case.discovery_energy for each in corrections),
    )


def _told_now(held: _Held) -> str:
    """What holds now, in quotes."""
    if not held.holds:
        return "Nothing of it holds any more."
    said = excerpt_within(" ".join(held.standing.split()), _QUOTED, least=1)
    return f'What holds now: "{said}"'


def _of_many(kind: str, held: Sequence[_Held]) -> Draft:
    """What is learned of one kind of belief."""
    told = "\n".join(dict.fromkeys(f"- {_matter(each)}" for each in held[:_LINES]))
    content = f"Corrected {len(held)} times: {kind}.\n{told}"
    strongest = max(each.case.discovery_energy for each in held)
    same = content_digest("/".join([kind, *(each.key for each in held)])).hex()
    return _draft(content, [each.corrected for each in held], f"corrections/{same}", strongest)


def _draft(content: str, held: Sequence[Memory], origin: str, energy: float) -> Draft:
    """A learning in the project and at the level of what it is of."""
    like = held[-1]
    return Draft(
        content=content,
        kind=Kind.LEARNING,
        project=like.project,
        level=like.level,
        origin=origin,
        metadata={LEARNED_OF: list(dict.fromkeys(each.logical_id for each in held))},
        resolution_state=ResolutionState.RESOLVED,
        energy=energy,
        emotion_vector=like.emotion_vector,
        goal=like.goal,
    )


def _matter(held: _Held) -> str:
    """What both beliefs say alike, and what the memory says now has still, in quotes: what they are about.

    The rest is where they differ, and is left out.
    """
    check_wanted()
    alike = _alike(held.case.original.split(), held.case.corrected.split())
    if held.standing != held.case.corrected:
        alike = _alike(alike, held.standing.split())
    said = excerpt_within(" ".join(alike), _QUOTED, least=1) or ""
    return f'"{said}"' if len(content_words(words_of(said))) >= _LEAST_ALIKE else "a matter"


def _alike(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The words that two texts have in one order, with a mark where the second has others between them: how they begin
    and end, and between that what is alike soon after the first difference."""
    begin = _same(before, after)
    if begin == len(after):
        return list(after)
    before, after, told = before[begin:], after[begin:], [after[:begin]]
    end = _same(before[::-1], after[::-1])
    before, inner = before[: len(before) - end][:_COMPARED], after[: len(after) - end][:_COMPARED]
    blocks = SequenceMatcher(None, before, inner, autojunk=False).get_matching_blocks()
    told += [inner[each.b : each.b + each.size] for each in blocks]
    phrases = [*map(_to_phrase, told), after[len(after) - end :]]
    return f" {_GAP} ".join(" ".join(each) for each in phrases if each).split()


def _to_phrase(words: Sequence[str]) -> Sequence[str]:
    """Words before a gap without those at their end that only lead on to what stood there; a count of it is one of
    them, and the number of what stands before it is not.

    >>> _to_phrase("the loom weaves linen on one".split()), _to_phrase("at the".split())
    (['the', 'loom', 'weaves', 'linen'], [])
    >>> _to_phrase("the pump leaks at valve seven".split())
    ['the', 'pump', 'leaks', 'at', 'valve', 'seven']
    """
    while words and (_leads_on(words[-1]) or (_counts(words[-1]) and (words[:-1] and _leads_on(words[-2])))):
        words = words[:-1]
    return words


def _leads_on(said: str) -> bool:
    return said == _GAP or all(map(is_stop_word, words_of(said)))


def _counts(said: str) -> bool:
    return said.casefold() in _COUNTS or said.isdecimal()


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words two texts have in common from their beginning on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
