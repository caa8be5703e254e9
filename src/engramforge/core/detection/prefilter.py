"""Tells quickly, by how its words begin, whether a text can hold a cue. Most texts hold none and cost no more than
this.

It derives what to look for from the rules themselves, so it misses nothing that a rule would find.
"""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.detection.cues.cue_rule import BEGINNING, beginnings
from engramforge.core.detection.cues.label_cues import DECISION_LABEL_STEMS, THREAD_LABEL_STEMS
from engramforge.core.detection.cues.thread_cues import THREAD_RULES
from engramforge.core.detection.decision_rules import DECISION_RULES

_LABELS: Final = frozenset(
    stem[:BEGINNING] for stem in f"{DECISION_LABEL_STEMS} {THREAD_LABEL_STEMS}".split()
)
_BEGINNINGS: Final = _LABELS.union(*(rule.begins for rule in (*DECISION_RULES, *THREAD_RULES)))
_NAMED: Final = re.compile(r"[DT]-?\d|ADR|DEC-|THR-|\[[ xX]\]|TODO|FIXME|XXX|HACK|[Tt]o[- ]do\b")


def may_say(text: str) -> bool:
    """Whether a text may speak of a decision or a thread at all; False is certain."""
    return not _BEGINNINGS.isdisjoint(beginnings(text)) or _NAMED.search(text) is not None
