"""Compares an archive with the registries: what each of its entries is now, and where the two differ.

The registry is right; the archive is a cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engramforge.answer.archives.describing import open_blockers
from engramforge.model.registries.archive import ArchivedDecision, ArchivedThread, Difference
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import DecisionStatus, ThreadStatus
from engramforge.model.registries.thread import Thread

_SHOWN = 120
CUT = " \u2026"
"""The ending of a text that was cut (core/text/portions)."""
_NOT_OURS = "the archive's text was changed since it was written, or comes from elsewhere"


@dataclass(frozen=True, slots=True)
class Said:
    """The archive's side: when it was written, and its names for global ids."""

    at: datetime
    names: dict[str, str]


def differences_of_decision(said: ArchivedDecision, now: Decision, archive: Said) -> list[Difference]:
    """Where an archive and the registry differ about a decision; use counters do not count."""
    because = _why_decision(now, archive)
    pairs = [
        ("status", str(said.status), str(now.status)),
        ("decision", said.decision, now.decision),
        ("rationale", said.rationale, now.rationale),
        ("epistemic_tier", f"{said.epistemic_tier:g}", f"{now.epistemic_tier:g}"),
        (
            "alternatives_rejected",
            "; ".join(said.alternatives_rejected),
            "; ".join(now.alternatives_rejected),
        ),
    ]
    return _differing(said.local_id, now.id, "decision", pairs, because)


def _differing(
    local_id: str, entry_id: str, what: str, pairs: Sequence[tuple[str, str, str]], because: str
) -> list[Difference]:
    """The fields that differ, from triples of name, archive's and registry's value."""
    return [
        Difference(
            local_id=local_id, id=entry_id, what=what, name=name, archive=old, registry=new, because=because
        )
        for name, old, new in pairs
        if not says(old, new)
    ]


def differences_of_thread(said: ArchivedThread, now: Thread, archive: Said) -> list[Difference]:
    """Where an archive and the registry differ about a thread."""
    because = _why_thread(now, archive)
    pairs = [
        ("status", str(said.status), str(now.status)),
        ("title", said.title, now.title),
        ("content", said.content, now.content),
        ("priority", str(said.priority), str(now.priority)),
        ("resolution", said.resolution or "", now.resolution or ""),
    ]
    found = _differing(said.local_id, now.id, "thread", pairs, because)
    known = {name: id_ for id_, name in archive.names.items()}
    waits_for = open_blockers(now)
    if sorted(known.get(each, each) for each in said.blocked_by) != sorted(waits_for):
        closed = [blocker for blocker in now.blocked_by if blocker.status is not ThreadStatus.OPEN]
        gone = ", ".join(
            f"{archive.names.get(blocker.id, blocker.id)} is {blocker.status}" for blocker in closed
        )
        found.append(
            Difference(
                local_id=said.local_id,
                id=now.id,
                what="thread",
                name="blocked_by",
                archive=", ".join(said.blocked_by),
                registry=", ".join(archive.names.get(wait, wait) for wait in waits_for),
                because=gone or because,
            )
        )
    return found


def says(archived: str, registered: str) -> bool:
    """Whether an archive's text equals the registry's, or its beginning if the archive cut it."""
    if archived == registered:
        return True
    return archived.endswith(CUT) and registered.startswith(archived.removesuffix(CUT))


def sentence_of(difference: Difference) -> str:
    """A difference in words, for the text of a continuation."""
    name = difference.name.replace("_", " ")
    change = f"the archive says {_short(difference.archive)}, the registry {_short(difference.registry)}"
    because = f" ({difference.because})" if difference.because else ""
    return f"- {difference.local_id} ({difference.what}), {name}: {change}{because}"


def _short(text: str) -> str:
    if not text:
        return "nothing"
    line = " ".join(text.split())
    return f"{line[:_SHOWN]!r}" + (" and more" if len(line) > _SHOWN else "")


def _why_decision(now: Decision, archive: Said) -> str:
    if now.status is DecisionStatus.SUPERSEDED and now.superseded_by:
        return f"superseded by {now.superseded_by}{_when(now.invalid_at)}"
    if now.status is DecisionStatus.SUPERSEDED:
        return f"superseded{_when(now.invalid_at)}"
    if now.status is DecisionStatus.INVALIDATED:
        return f"invalidated{_when(now.invalid_at)}"
    if now.created_at > archive.at:
        where = f" in {now.revised_in}" if now.revised_in else ""
        return f"revised{where}{_when(now.created_at)}, version {now.version}"
    return _NOT_OURS


def _why_thread(now: Thread, archive: Said) -> str:
    if now.created_at <= archive.at:
        return _NOT_OURS
    if now.status is not ThreadStatus.OPEN:
        where = f" in {now.resolved_in}" if now.resolved_in else ""
        how = f": {now.resolution}" if now.resolution else ""
        return f"{now.status}{where}{_when(now.valid_at)}{how}"
    return f"changed{_when(now.created_at)}, version {now.version}"


def _when(at: datetime | None) -> str:
    return "" if at is None else f" on {at:%Y-%m-%d}"
