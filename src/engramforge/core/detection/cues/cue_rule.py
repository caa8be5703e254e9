"""What a rule of wording is, and how sure it is of a sentence: its prior, moved by what the sentence speaks of.

Shared by the cues of decisions and of threads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from engramforge.core.detection.cues.topic_words import everyday_words, work_words

BEGINNING: Final = 4
"""How many letters of a word are looked at before any pattern is tried."""
_PER_WORK: Final = 0.07
_PER_EVERYDAY: Final = 0.2
_EVERYDAY_AT_WORK: Final = 0.09
_SHOUTED: Final = 0.1
_MOST: Final = 0.95
_WORD: Final = re.compile(r"[a-z\u00df-\u00ff]+")


@dataclass(frozen=True, slots=True)
class CueRule:
    """A wording.

    Parameters
    ----------
    prior : how sure it is before the sentence's other words are looked at, 0..1.
    begins : first letters of words, one of which a sentence must have: the pattern is not tried without.
    needs_work : whether it says nothing without a word of work on a project.
    is_plan : whether it speaks of what will be: a negation before it is part of the plan.
    is_denied : whether a negation before it takes it away.
    """

    name: str
    prior: float
    begins: frozenset[str]
    wording: str
    needs_work: bool = False
    is_plan: bool = False
    is_denied: bool = True

    @property
    def pattern(self) -> re.Pattern[str]:
        """The wording without regard to case; compiled when it is first tried, since most never are."""
        return _compiled(self.wording)


@cache
def _compiled(wording: str) -> re.Pattern[str]:
    return re.compile(wording, re.I)


def rule(
    name: str,
    prior: float,
    stems: str,
    *wordings: str,
    needs_work: bool = False,
    is_plan: bool = False,
    is_denied: bool = True,
) -> CueRule:
    """A rule of any of these wordings, each a pattern without regard to case.

    `stems`: words, or their stems, one of which each wording holds.
    """
    begins = frozenset(stem[:BEGINNING] for stem in stems.split())
    return CueRule(name, prior, begins, "|".join(wordings), needs_work, is_plan, is_denied)


def beginnings(text: str) -> frozenset[str]:
    """How the words of a text begin, in lower case."""
    return frozenset([word[:BEGINNING] for word in _WORD.findall(text.lower())])


def has_label_mark(sentence: str) -> bool:
    """Whether a sentence may begin with a label: it has a colon or a dash."""
    return ":" in sentence or "\u2014" in sentence or "\u2013" in sentence or " - " in sentence


def weighed(prior: float, said: str, work: int | None = None) -> float:
    """A prior, raised by words of work, lowered by words of everyday life; 0..0.95."""
    work = work_words(said) if work is None else work
    per_everyday = _EVERYDAY_AT_WORK if work else _PER_EVERYDAY
    confidence = prior + _PER_WORK * min(work, 2) - per_everyday * everyday_words(said)
    if not work and said.rstrip().endswith("!"):
        confidence -= _SHOUTED
    return round(min(max(confidence, 0.0), _MOST), 3)
