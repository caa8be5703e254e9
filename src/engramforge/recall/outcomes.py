"""What became of what was said: messages stay as they were, while what was read from them is replaced or closed.

A hit that tells of a decision which holds no more, or of a matter that is closed, says so and says what holds now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from engramforge.core.registries.registration import evidence_of
from engramforge.model.link import Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import STANDING
from engramforge.store.door import View

_FOLLOWED: Final = 10
"""How many decisions one after the other are looked at for the one that holds."""
_ENTRIES: Final = (Kind.DECISION, Kind.THREAD)


def stands(entry: Memory) -> bool:
    """Whether an entry of a registry still counts: an active decision, a matter that is open."""
    return entry.registration is not None and entry.registration.status in STANDING


def outcomes(view: View, entries: Iterable[Memory]) -> Mapping[str, Memory]:
    """For messages of whose decisions and open matters none stands any more, by logical id, the entry that tells why:
    the decision that holds in the place of the first, else the first as it ended.

    `entries`: all that were read from some messages.
    """
    told: defaultdict[str, list[Memory]] = defaultdict(list)
    for entry in entries:
        evidence = evidence_of(entry.registration) if entry.registration else None
        if evidence is not None and entry.kind in _ENTRIES:
            told[evidence.message_id].append(entry)
    return {message: _now(view, its[0]) for message, its in told.items() if not any(map(stands, its))}


def _now(view: View, ended: Memory) -> Memory:
    """The decision that holds in the place of one that ended; itself where none does."""
    latest = ended
    for _ in range(_FOLLOWED if ended.kind is Kind.DECISION else 0):
        newer = [
            link.source_id
            for link in view.links([latest.logical_id])
            if link.relation == Relation.SUPERSEDES and link.target_id == latest.logical_id
        ]
        found = view.fetch(newer[-1:]) if newer else {}
        if not found:
            break
        latest = found[newer[-1]]
        if stands(latest):
            return latest
    return ended
