"""How versions left the record for which nothing stands there any more: found wrong, or undone; which ended later."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from engramforge.model.memory import Memory
from engramforge.model.time import InvalidationReason
from engramforge.model.timeline import Dissonance, Ending


def endings_of(
    records: Sequence[Memory],
    restored: Mapping[tuple[str, int], int],
    changed: Iterable[Dissonance],
    until: datetime | None = None,
) -> dict[str, Ending]:
    """Record -> how its version ended; without those that are on record, or that an undo or redo brought back.

    `restored`: as `dissonances` takes it, and `changed` what that found among the same records. `until`: what ended
    from then on is not known yet; None for now.
    """
    own = {each.id: each for each in records}
    standing = {_repeated(each, restored) for each in records if not _has_left(each, until)}
    replaced = {_repeated(own[each.original_id], restored): each.reason for each in changed}
    found: dict[str, Ending] = {}
    for each in records:
        version = _repeated(each, restored)
        if version in standing:
            continue
        if replaced.get(version) is InvalidationReason.DISCOVERED_FALSE:
            found[each.id] = Ending.WRONG
        elif version not in replaced and _is_undone(each, own, restored):
            found[each.id] = Ending.UNDONE
    return found


def ended_later(
    records: Iterable[Memory], history: Mapping[str, Sequence[Memory]], until: datetime
) -> dict[str, datetime]:
    """Record -> when what it says ended, of those that were on record until a moment and ended from then on.

    `history`: by logical id all records of each of these; one that says the same since, and still holds, ended none.
    """
    found: dict[str, datetime] = {}
    for each in records:
        if each.invalid_at is not None or each.expired_at is None or each.expired_at < until:
            continue
        standing = [other for other in history.get(each.logical_id, ()) if other.content == each.content]
        if not any(other.expired_at is None and other.invalid_at is None for other in standing):
            closed = [other.invalid_at for other in standing if other.expired_at is None]
            found[each.id] = next(filter(None, closed), each.expired_at)
    return found


def told_again(
    records: Iterable[Memory], restored: Mapping[tuple[str, int], int], until: datetime | None = None
) -> frozenset[str]:
    """The ids of those records that say no more than another of these, since an undo or redo brought one version back
    as the other: of each version one stands for all, the one on record, else the first.

    `restored`, `until`: as `endings_of` takes them.
    """
    alike: dict[tuple[object, ...], dict[str, Memory]] = defaultdict(dict)
    for each in records:
        alike[(*_repeated(each, restored), each.valid_at, each.invalid_at)][each.id] = each
    kept = {
        min(held.values(), key=lambda each: (_has_left(each, until), each.created_at)).id
        for held in alike.values()
    }
    return frozenset(one for held in alike.values() for one in held) - kept


def _repeated(record: Memory, restored: Mapping[tuple[str, int], int]) -> tuple[str, int]:
    """The version that a record's version repeats; itself where it repeats none."""
    number = record.version
    while (record.logical_id, number) in restored:
        number = restored[record.logical_id, number]
    return record.logical_id, number


def _has_left(record: Memory, until: datetime | None) -> bool:
    return record.expired_at is not None and (until is None or record.expired_at < until)


def _is_undone(record: Memory, own: Mapping[str, Memory], restored: Mapping[tuple[str, int], int]) -> bool:
    """Whether nothing took a record's place, or what had been there before it."""
    if record.correction_id is None:
        return record.invalidation_reason is InvalidationReason.DISCOVERED_FALSE
    taker = own.get(record.correction_id)
    if taker is None:
        return False
    return taker.version < record.version or (taker.logical_id, taker.version) in restored
