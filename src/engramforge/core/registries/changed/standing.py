"""A decision that stands, and what it is for and against."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engramforge.core.registries.complaints import complaint_in, without_complaints
from engramforge.core.registries.named_stems import stems_in
from engramforge.core.text.late_pattern import late

_REJECTS: Final = late(
    r"(?i)\b(?:instead of|rather than|in place of|as opposed to|not|no more|scrap|scratch|drop|ditch|forget(?: about)?"
    r"|never ?mind|away from|from) (?:with |by |in |at |the |on )?(?P<what>[^,;:.()]{2,60}?)"
    r"(?=[,;:.()]|\Z|\s(?:because|since|for|in|on|as|to|and|but|we)\b)"
)


@dataclass(frozen=True, slots=True)
class Standing:
    """A decision that stands: its words, and the alternatives that it rejected; `is_last`: whether it is the one that
    was said last, where a reversal means that."""

    text: str
    rejected: Sequence[str] = ()
    is_last: bool = False


def chosen_by(decision: Standing) -> frozenset[str]:
    """The stems of what a decision is for, without what it is against."""
    against = frozenset[str]().union(*map(stems_in, rejected_by(decision)))
    said = _REJECTS.sub(" ", without_complaints(decision.text))
    chosen = stems_in(said)
    if not (shared := chosen & against):
        return chosen
    # A part that a rejected name has as well, as the "db" of DuckDB and InfluxDB, stays with the name that is chosen.
    words = [parts for word in said.split() if not shared.isdisjoint(parts := stems_in(word))]
    return (chosen - against).union(*(parts for parts in words if not parts <= against))


def rejected_by(decision: Standing) -> Iterable[str]:
    """What a decision is against, in its words."""
    others = [*decision.rejected, *(hit["what"] for hit in _REJECTS.finditer(decision.text))]
    complaint = complaint_in(decision.text)
    return others if complaint is None else [*others, complaint.left]
