"""Tells at once whether a text can hold a cue: by how its words begin. Most texts hold none and cost no more than this.

The sets are wider than the rules: what they leave out, no rule would find. What must not enter: the rules.
"""

from __future__ import annotations

import re
from typing import Final

_LETTERS: Final = 4
"""How many letters of a word are looked at."""


def _beginnings(stems: str) -> frozenset[str]:
    return frozenset(stem[:_LETTERS] for stem in stems.split())


DECIDING: Final = _beginnings(
    "decide agreed agreement chose choose choice settled picked selected opted adopt resolved resolution voted verdict"
    " consensus outcome concluded approved approach rejected ruled instead rather favor favour going gone went stick stuck"
    " sticking switch let lets rationale reasoning will shall must forward henceforth effective superseded scrap dropped"
    " minds reversing reverses standardise standardize prefer replace migrate keeping retire deprecate entschieden"
    " entscheidung beschlossen geeinigt begr ab design move abandon ditch vetoed discarded dismissed plan committed aligned"
    " signed elected accepted determined choosing final because"
)
"""How words begin without which no sentence speaks of a decision."""
OPENING: Final = _beginnings(
    "todo todos fixme xxx hack next open opened still blocked blocker pending waiting unresolved unclear undecided unsolved"
    " unanswered outstanding remain follow followup yet need someone somebody later parked parking revisit circle come known"
    " action tbd cannot can unable fixed closed done solved left leave missing implemented not never deferred postponed"
    " carried offen noch n\u00e4chster aufgabe depends stuck hold resolved reopen re look investigate sorted unblocked settled"
    " gone addressed erledigt gel\u00f6st ai to further requires block must has have had haven hasn isn put push pushed kick"
    " pick unfinished completed behind wait"
)
"""The same of threads."""
_TOO_FREQUENT: Final = _beginnings("to not can has have had come put left")
"""Words of threads that tell nothing of a whole text unless others stand beside them."""
_ALONE: Final = (DECIDING | OPENING) - _TOO_FREQUENT - _beginnings("because must will")
_BESIDE: Final = _TOO_FREQUENT | _beginnings("because must will ll t")
_PAIRED: Final = re.compile(
    r"\bto[- ]?(?:do|be)\b|\b(?:ha(?:s|ve|d)|ought) to\b|\bcan(?:no|['\u2019])t\b|n['\u2019]t\b|\bcome back\b|\bput off\b|\bleft\b|\bnot (?:\w+ )?(?:been|sure|yet|done)"
    r"|\b(?:we|team|teams|i|all|every|each|services?|the \w+)(?: \w+)?(?:['\u2019]ll| (?:will|must))\b|\bbecause\b|\[[ x]\]"
)
_WORD: Final = re.compile(r"[a-z\u00df-\u00ff]+")
_NAMED: Final = re.compile(r"[DT]-?\d|ADR|DEC-|THR-")


def may_say(text: str) -> bool:
    """Whether a text may speak of a decision or a thread at all; False is sure."""
    low = text.lower()
    begun = {word[:_LETTERS] for word in _WORD.findall(low)}
    return (
        not begun.isdisjoint(_ALONE)
        or (not begun.isdisjoint(_BESIDE) and _PAIRED.search(low) is not None)
        or _NAMED.search(text) is not None
        or "[ ]" in text
        or "[x]" in low
    )


def may_decide(sentence: str) -> bool:
    """Whether a sentence may speak of a decision."""
    return not DECIDING.isdisjoint([word[:_LETTERS] for word in _WORD.findall(sentence.lower())])


def may_open(sentence: str) -> bool:
    """Whether a sentence may speak of a thread."""
    return not OPENING.isdisjoint([word[:_LETTERS] for word in _WORD.findall(sentence.lower())])
