"""What takes the place of an entry that a statement ends, and why it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engramforge.core.detection.cues.named_cues import ANY
from engramforge.core.detection.named.updates import is_decision
from engramforge.model.memory import Kind, Memory, Source
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import STANDING, ThreadStatus
from engramforge.registries.detected.consequences import REFUSED
from engramforge.registries.detected.detected_changes import entry_draft
from engramforge.registries.detected.detected_lookup import Head, Lookup
from engramforge.registries.registered import registration_of

_MAY_TAKE: Final = (*STANDING, ThreadStatus.RESOLVED)


def taking_over(lookup: Lookup, message: Memory, detection: Detection) -> Head | None:
    """The entry that is said to take another's place, by its name or its words; None if there is none."""
    if (by := detection.superseded_by) is None:
        return None
    said = replace(detection, text=by, local_id=None)
    return lookup.meant(message, detection.kind, by) or lookup.by_origin(entry_draft(message, said))


def refused_place(
    lookup: Lookup, message: Memory, detection: Detection, head: Head
) -> tuple[Detection, Sequence[str | None]] | None:
    """What a writer is told, as `DetectedWrite.unknown` has it, where the entry named as successor is not there, is the
    ended one itself, or ended before; None where nothing is wrong. An import may not have brought the successor.
    """
    by = detection.superseded_by
    if by is None or ANY.fullmatch(by) is None or head.memory.is_superseded:
        return None
    if is_decision(by) is not (detection.kind is Kind.DECISION):
        return None
    taking = taking_over(lookup, message, detection)
    if taking is None:
        if message.source is Source.IMPORT:
            return None
        others = lookup.elsewhere(message, detection.kind, by)
        return replace(detection, local_id=by), [registration_of(each).origin for each in others]
    if taking.memory.logical_id == head.memory.logical_id:
        return replace(detection, rule=REFUSED, why=f"{by} cannot take its own place"), ()
    status = registration_of(taking.memory).status
    if taking.memory.is_superseded or status not in _MAY_TAKE:
        return replace(
            detection, rule=REFUSED, why=f"{by} cannot take the place of {detection.local_id}: it is {status}"
        ), ()
    return None
