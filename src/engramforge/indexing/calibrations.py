"""The calibrations in use: one frozen set for a whole call, whatever is fitted meanwhile.

A store's own backgrounds are kept as marks: a small head that names the newest set, and the set under the name of its
digest. Whoever answers a call asks for the set once and passes it on.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from engramforge.core.similarity.calibration import (
    LADDER,
    NOTHING_SHIPPED,
    Calibration,
    Direction,
    backgrounds_as_list,
    backgrounds_from_list,
)
from engramforge.core.similarity.cosine_scale import STATIC_BACKGROUNDS, CosineScale, scale_for
from engramforge.indexing.encoders import STATIC, Active
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import CALIBRATIONS_MARK
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.model.time import from_micros, to_micros
from engramforge.spaces.backgrounds import shipped_calibrations
from engramforge.store.door import Door, Transaction, View

VERSION: Final = 1
_SET: Final = "calibrations/{}"
_TRIES: Final = 5


class Measure(NamedTuple):
    """What a calibration is for."""

    space: Space
    direction: Direction
    encoder: str


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds that the user set; a space that is not named has the registry's.

    They apply on the calibrated scale, whose knots stay the registry's; otherwise they would have no effect.

    `high`, `low`: space -> calibrated similarity, 0..1.
    """

    high: Mapping[Space, float]
    low: Mapping[Space, float]

    def __bool__(self) -> bool:
        return bool(self.high or self.low)


REGISTERED: Final = Thresholds({}, {})


@dataclass(frozen=True)
class CalibrationSet:
    """The calibrations of all spaces at one moment; immutable.

    Parameters
    ----------
    calibrations : one per space, direction and encoder.
    number : how many times the store was fitted before; 0 for what is shipped alone.
    memories : how many memories the store held when it was fitted.
    at : when it was fitted; None for what is shipped alone.
    thresholds : those that replace the registry's.
    """

    calibrations: Mapping[Measure, Calibration]
    number: int = 0
    memories: int = 0
    at: datetime | None = None
    thresholds: Thresholds = REGISTERED

    def find(self, space: Space, direction: Direction, encoder: str) -> Calibration | None:
        """The calibration of an encoder; None if its background is unknown."""
        return self.calibrations.get(Measure(space, direction, encoder))

    @cached_property
    def id(self) -> str:
        """Versioned: equal exactly when all calibrations are."""
        ids = sorted((*measure, each.id) for measure, each in self.calibrations.items())
        return f"calibrations-{VERSION}/{self.number}@{zlib.crc32(repr(ids).encode()):08x}"


@lru_cache(maxsize=1)
def shipped_set() -> CalibrationSet:
    """The set used by stores without backgrounds of their own. Raises ModelUnavailable."""
    return CalibrationSet(
        {
            Measure(space, direction, each.encoder): each
            for (space, direction), each in shipped_calibrations().items()
        }
    )


class Calibrations:
    """The calibrations of a store, read again when another set became its newest; safe to share between threads."""

    def __init__(self, door: Door, thresholds: Thresholds = REGISTERED) -> None:
        self._door = door
        self._thresholds = thresholds
        self._held: tuple[str, CalibrationSet] | None = None

    def current(self, scope: Scope) -> CalibrationSet:
        """The newest set."""
        view = self._door.asking(scope)
        return self.named_by(view.mark(CALIBRATIONS_MARK), view)

    def named_by(self, head: Mapping[str, Any] | None, view: View) -> CalibrationSet:
        """The set that the mark names. An unreadable set, or one of another version, counts as not fitted."""
        for _ in range(_TRIES):
            if head is None or head.get("version") != VERSION:
                break
            held, digest = self._held, str(head.get("digest"))
            if held is not None and held[0] == digest:
                return held[1]
            kept = view.mark(_SET.format(digest))
            if kept is not None:
                found = replace(_set_of(head, kept), thresholds=self._thresholds)
                self._held = (digest, found)
                return found
            # A newer set took its place between the two reads.
            head = view.mark(CALIBRATIONS_MARK)
        return replace(shipped_set(), thresholds=self._thresholds) if self._thresholds else shipped_set()


def save(writes: Transaction, head: Mapping[str, Any] | None, fresh: CalibrationSet) -> None:
    """Make `fresh` the store's newest set in place of the one that `head` (the mark as it was) names.

    The previous set stays for readers between their two reads; the one before it is removed.
    """
    content = {
        "version": VERSION,
        "calibrations": [
            {**measure._asdict(), "live": backgrounds_as_list(each.live)}
            for measure, each in sorted(fresh.calibrations.items())
            if any(each.live)
        ],
    }
    digest = f"{fresh.number}-{zlib.crc32(json.dumps(content, sort_keys=True).encode()):08x}"
    before = None if head is None else head.get("digest")
    for old in {None if head is None else head.get("before")} - {None, before, digest}:
        writes.save_mark(_SET.format(old), None)
    writes.save_mark(_SET.format(digest), content)
    writes.save_mark(
        CALIBRATIONS_MARK,
        {
            "version": VERSION,
            "number": fresh.number,
            "memories": fresh.memories,
            "at": None if fresh.at is None else to_micros(fresh.at),
            "digest": digest,
            "before": before if before != digest else None,
        },
    )


def _set_of(head: Mapping[str, Any], kept: Mapping[str, Any]) -> CalibrationSet:
    """The set that `save` wrote, over the shipped one; the shipped one alone if it cannot be read."""
    shipped = shipped_set().calibrations
    try:
        found = dict(shipped)
        for each in kept["calibrations"]:
            row = ROW_BY_SPACE[Space(each["space"])]
            measure = Measure(row.space, Direction(each["direction"]), str(each["encoder"]))
            known = shipped[measure].shipped if measure in shipped else NOTHING_SHIPPED
            assert row.high is not None
            found[measure] = Calibration(
                measure.encoder,
                measure.direction,
                row.low,
                row.high,
                known,
                backgrounds_from_list(each["live"]),
            )
        at = None if head["at"] is None else from_micros(int(head["at"]))
        return CalibrationSet(found, int(head["number"]), int(head["memories"]), at)
    except (KeyError, TypeError, ValueError, AssertionError):
        return shipped_set()


_MEDIAN: Final = LADDER.index(0.5)


def scales_of(active: Active, calibrations: Callable[[], CalibrationSet]) -> dict[Space, CosineScale]:
    """The scale of every space that a model compares and whose cosines are signals; never one of the static preset."""
    found: dict[Space, CosineScale] = {}
    for space in STATIC_BACKGROUNDS:
        chosen = active.get(space)
        if chosen is None or chosen.spec == STATIC:
            continue
        calibration = calibrations().find(space, Direction.QUERY_TO_MEMORY, chosen.id)
        own = None if calibration is None else _median(calibration)
        found[space] = scale_for(space, chosen.background if own is None else own)
    return found


def _median(calibration: Calibration) -> float | None:
    """The median similarity of unrelated pairs of the store, all lengths together; None where it has none."""
    live = [each for each in calibration.live if each is not None]
    pairs = sum(each.pairs for each in live)
    return sum(each.quantiles[_MEDIAN] * each.pairs for each in live) / pairs if pairs else None
