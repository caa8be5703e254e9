"""Which kinds of beliefs are corrected again and again.

Beliefs that were found false are of one kind where they are versions of one memory, where the same sort of thing was
put right in them (a number, a date, a name, a negation), or where the beliefs share words that few others have. Source:
document 003, "Temporal Dissonance Phenomenology", for what it is to find; the rules are ours.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, islice
from typing import Final

from engramforge.core.streams.matter_words import NUMBER_WORDS, is_of_matter
from engramforge.core.text.words import stem_of, words_of
from engramforge.model.stopping import check_wanted
from engramforge.model.streams.corrections import CorrectionPattern
from engramforge.model.time import InvalidationReason
from engramforge.model.timeline import Dissonance

AGAIN: Final = 2
"""From so many cases on it is a pattern."""
_SHARED: Final = 2
_MOST: Final = 1_000
"""Cases whose words are compared: the first, which are those nearest to what was asked."""
_NAMES: Final = 3
_UNNAMED: Final = "a matter"
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_NEGATION: Final = re.compile(r"(?i)\b(?:not|no|never|none|without|cannot)\b|n't\b")
_DURATION: Final = re.compile(
    r"(?i)\b(?:minutes?|hours?|days?|weeks?|months?|years?|sprints?|ms|seconds?)\b|\b(?:takes?|took|estimate[ds]?)\b"
)
_BOTH: Final = r"(?:jan|mar|march|may)"
"""Months in words that mean other things, too: a preposition or a figure has to stand beside them."""
_TIME: Final = re.compile(
    r"(?i)\b(?:january|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)\b|\b\d{4}-\d{2}|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    rf"|\b(?:in|since|until|till|during|early|late|mid|next|last)[ -]{_BOTH}\b"
    r"|\b(?:by|from|before|after) (?:mar|march|may)\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_BOTH}\b(?! ?[^\W\d_])|\b{_BOTH}\.? \d"
)


def correction_patterns(
    dissonances: Sequence[Dissonance], standing: Mapping[str, str] | None = None
) -> tuple[CorrectionPattern, ...]:
    """The patterns among dissonances, those with the most cases first; a world that changed is no error.

    `standing`: belief id -> what stands now; then patterns are named by no other words. None: by what was wrong, too.
    """
    wrong = [each for each in dissonances if each.reason is InvalidationReason.DISCOVERED_FALSE]
    grouped: dict[str, list[Dissonance]] = defaultdict(list)
    for each in sorted(wrong, key=_when):
        check_wanted()
        for kind in _sorts(each):
            grouped[kind].append(each)
    named = [*grouped.items(), *_by_words(sorted(wrong[:_MOST], key=_when), standing)]
    found = [CorrectionPattern(kind, tuple(cases)) for kind, cases in named if len(cases) >= AGAIN]
    return tuple(sorted(_distinct(found), key=lambda each: (-len(each.cases), each.kind)))


def _when(case: Dissonance) -> datetime:
    return case.corrected_at


def _sorts(case: Dissonance) -> Iterator[str]:
    """What sort of thing was put right."""
    before, after = case.original, case.corrected
    numbers = _NUMBER.findall(before) != _NUMBER.findall(after)
    counted = numbers or _counts(before) != _counts(after)
    if counted and _DURATION.search(before) and _DURATION.search(after):
        yield "how long something takes"
    elif _TIME.findall(before) != _TIME.findall(after):
        yield "when something is"
    elif numbers:
        yield "a number"
    if bool(_NEGATION.search(before)) != bool(_NEGATION.search(after)):
        yield "whether something is so"


def _counts(text: str) -> list[str]:
    """The numbers of a text that are written in words."""
    return [word for word in words_of(text) if word in NUMBER_WORDS]


def _by_words(
    cases: Sequence[Dissonance], standing: Mapping[str, str] | None
) -> Iterator[tuple[str, list[Dissonance]]]:
    """Cases whose beliefs share words, named by these."""
    words: list[dict[str, str]] = []
    having: dict[str, set[int]] = defaultdict(set)
    for at, each in enumerate(cases):
        check_wanted()
        words.append(_content(each.original))
        for stem in words[at]:
            having[stem].add(at)
    left = set(range(len(cases)))
    for at in range(len(cases)):
        if at not in left:
            continue
        check_wanted()
        shared = Counter(chain.from_iterable(having[stem] for stem in words[at]))
        together = sorted(to for to, count in shared.items() if to == at or count >= _SHARED)
        left.difference_update(together)
        # One that nobody joins here joins nobody later.
        for to in together:
            for stem in words[to]:
                having[stem].discard(to)
        if len(together) >= AGAIN:
            held = [cases[to] for to in together]
            yield f"about {_named([words[to] for to in together], held, standing)}", held


def _named(
    words: Sequence[Mapping[str, str]], cases: Sequence[Dissonance], standing: Mapping[str, str] | None
) -> str:
    """The words that beliefs of one kind share with the first; `standing`: as of `correction_patterns`."""
    told = words
    if standing is not None:
        now = [_content(standing[each.belief_id]) for each in cases]
        told = [
            {stem: word for stem, word in still.items() if stem in own}
            for own, still in zip(words, now, strict=True)
        ]
    common = Counter(chain.from_iterable(told))
    stems = (stem for stem, count in common.most_common() if count > 1 and stem in words[0])
    names = [next(each[stem] for each in told if stem in each) for stem in islice(stems, _NAMES)]
    return ", ".join(names) or _UNNAMED


def _content(text: str) -> dict[str, str]:
    """Stem -> word, of the words that say something."""
    return {stem_of(word): word for word in words_of(text) if is_of_matter(word) and not word[0].isdigit()}


def _distinct(patterns: Sequence[CorrectionPattern]) -> Iterator[CorrectionPattern]:
    """Without those whose cases are all in another with at least as many, of which the first named stays."""
    seen: list[frozenset[tuple[str, str]]] = []
    for each in sorted(patterns, key=lambda each: -len(each.cases)):
        cases = frozenset((case.original_id, case.corrected_id) for case in each.cases)
        if not any(cases <= other for other in seen):
            seen.append(cases)
            yield each
