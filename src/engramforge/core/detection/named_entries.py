"""Decisions and threads that a text mentions by local id (D001, T001): introduced, or updated in their status."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from engramforge.core.detection.cues.named_cues import (
    A_THREAD,
    ACTS,
    ANY,
    AWAITED,
    BLOCKED,
    BRACKETED,
    DEPENDS_AFTER,
    ENDS,
    HAS_VERB,
    LEADING,
    MAY_BE,
    OF_ANOTHER,
    OF_DECISIONS,
    OF_THREADS,
    SEPARATOR,
    STANDS_AS,
    UNTIL,
    WAS,
)
from engramforge.core.detection.passages import Passage
from engramforge.core.detection.said_parts import decision_said, priority_said, thread_said
from engramforge.core.detection.traps import (
    asks,
    is_conditional,
    is_hearsay,
    is_hedged,
    is_negated,
    is_unreal_request,
)
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection, Voice

_SURE: Final = 0.92
_STANDS: Final = 0.88


def has_name(text: str) -> bool:
    """Whether the text mentions an entry by local id."""
    return ANY.search(text) is not None


def named_in(passage: Passage) -> list[Detection]:
    """What a sentence says of entries that it names, in its order."""
    plain = passage.plain
    leading = LEADING.match(plain)
    if leading is None and not has_name(plain):
        return []
    if asks(plain) and not (leading and leading["mark"]):
        return []
    found = _told(passage, leading)
    if found and (is_hearsay(plain) or is_unreal_request(plain)):
        return [replace(each, voice=Voice.REPORTED) for each in found]
    return found


def _told(passage: Passage, leading: re.Match[str] | None) -> list[Detection]:
    """As `named_in`, whoever said it."""
    plain = passage.plain
    if leading is not None and (found := _led(passage, leading)):
        return found
    acted: list[Detection] = []
    for pattern, status in ACTS:
        for hit in pattern.finditer(plain):
            local_id = local_name(hit["id"])
            if (
                is_conditional(plain, hit.start())
                or _is_denied(plain, hit)
                or DEPENDS_AFTER.match(plain, hit.end())
                or AWAITED.search(plain, 0, hit.start())
                or any(detection.local_id == local_id for detection in acted)
            ):
                continue
            before = ANY.findall(plain, 0, hit.start()) if status == "superseded" else []
            said_by = hit.groupdict().get("by")
            by = local_name(said_by or before[-1]) if said_by or before else None
            resolution = passage.said if status in ("resolved", "abandoned") else ""
            acted.append(_update(passage, local_id, status, resolution, by))
    names = {detection.local_id for detection in acted}
    acted += [detection for detection in _standing(passage) if detection.local_id not in names]
    waiting = None if acted else _waiting(passage)
    return acted if waiting is None else [waiting]


def _standing(passage: Passage) -> list[Detection]:
    """How entries stand that a sentence names within it, each with a verb: "so T003 is off the list"."""
    plain = passage.plain
    found: list[Detection] = []
    for hit in ANY.finditer(plain):
        begin, rest = hit.start(), BRACKETED.sub("", plain[hit.end() :]).lstrip()
        if not STANDS_AS.match(rest) or OF_ANOTHER.search(plain[max(0, begin - 20) : begin]):
            continue
        if is_conditional(plain, begin) or is_negated(plain, begin) or AWAITED.search(plain, 0, begin):
            continue
        local_id = local_name(hit[0])
        is_decision = local_id.startswith(("D", "A"))
        status, after, by = _status(rest, is_decision=is_decision, has_mark=False)
        if status and status not in ("open", "active", "revised") and not DEPENDS_AFTER.match(f" {after}"):
            found.append(_update(passage, local_id, status, passage.said, by))
    return found


def _waiting(passage: Passage) -> Detection | None:
    """The thread that a sentence says to wait for others, which it names after it."""
    plain = passage.plain
    if (hit := UNTIL.search(plain)) is not None:
        subject = hit["id"] or hit["id_"]
    elif (hit := BLOCKED.search(plain)) is not None and not WAS.search(plain, 0, hit.start()):
        subject = next(reversed(A_THREAD.findall(plain, 0, hit.start())), "")
    else:
        return None
    begin = hit.start()
    if not subject or is_conditional(plain, begin) or is_negated(plain, begin) or is_hedged(plain):
        return None
    return _update(passage, local_name(subject), "open", "", None, _ids(hit["ids"]))


def _is_denied(plain: str, hit: re.Match[str]) -> bool:
    """Whether an act is denied; one that follows a comma ("we won't do T004, close it") by the words after that."""
    if "verb" not in hit.re.groupindex:
        return is_negated(plain, hit.start())
    begin = hit.start("verb")
    clause = plain.rfind(",", 0, begin) + 1
    return is_negated(plain[clause:], begin - clause)


def local_name(written: str) -> str:
    """A local id as the text has it, without blanks and in upper case; D-4 and D004 stay different."""
    return written.replace(" ", "-").upper()


def _led(passage: Passage, leading: re.Match[str]) -> list[Detection]:
    """What a sentence that begins with ids says of them."""
    ids = [local_name(leading["id"]), *map(local_name, ANY.findall(leading["more"] or ""))]
    is_decision = ids[0].startswith(("D", "A"))
    note = leading["note"] or ""
    rest = passage.said[leading.start("rest") :].strip()
    status, after, by = _status(rest, is_decision=is_decision, has_mark=bool(leading["mark"]))
    if not status and note:
        status, _, by = _status(note, is_decision=is_decision, has_mark=True)
        after = rest
    if status and not is_decision and (blocked := BLOCKED.match(rest)):
        after = rest[blocked.end() :]
    if status == "revised":
        return [_introduced(passage, each, after, note, is_update=True) for each in ids if after]
    if status and (status != "open" or not after):
        return [_update(passage, each, status, after, by) for each in ids]
    waits = BLOCKED.search(passage.plain)
    if waits and is_negated(passage.plain, waits.start()):
        return []
    if not is_decision and waits and waits.start() <= leading.start("rest") + 14:
        return [_update(passage, each, "open", "", None, _ids(waits["ids"])) for each in ids]
    words = after if status else rest
    is_told = bool(leading["mark"]) or bool(note) or bool(status) or words[:1].isupper()
    if len(ids) > 1 or not is_told or len(words) < 3:
        return []
    return [_introduced(passage, ids[0], words, note, is_update=False)]


def _status(words: str, *, is_decision: bool, has_mark: bool) -> tuple[str, str, str | None]:
    """The status that words begin with, the words after it, and the successor; "" if there is no status."""
    for status, pattern in (OF_DECISIONS if is_decision else OF_THREADS).items():
        if (hit := pattern.match(words)) is None:
            continue
        ends = ENDS.match(words[hit.end() :])
        # "D007: Dropped columns are kept": a participle that continues as a sentence is not a status.
        if not HAS_VERB.match(words):
            goes_on = ends and ends[0].strip().lower() in ("in", "on", "at", "to", "with", "after", "as")
            if ends is None or (goes_on and (has_mark or MAY_BE.match(words)) and status != "revised"):
                continue
        after = SEPARATOR.sub("", words[hit.end() :]).strip()
        by = hit.groupdict().get("by") or hit.groupdict().get("durch")
        return status, after, local_name(by) if by else None
    return "", words, None


def _introduced(passage: Passage, local_id: str, words: str, note: str, *, is_update: bool) -> Detection:
    if local_id.startswith(("D", "A")):
        found = decision_said(passage.said, "named decision", _SURE, words)
        return replace(found, local_id=local_id, is_update=is_update)
    waits = BLOCKED.search(words)
    return replace(
        thread_said(passage.said, "named thread", _SURE, words),
        local_id=local_id,
        is_update=is_update,
        priority=priority_said(f"{words} ({note})"),
        blocked_by=_ids(waits["ids"]) if waits else (),
    )


def _update(
    passage: Passage,
    local_id: str,
    status: str,
    resolution: str,
    by: str | None,
    blocked_by: tuple[str, ...] = (),
) -> Detection:
    is_decision = local_id.startswith(("D", "A"))
    return Detection(
        kind=Kind.DECISION if is_decision else Kind.THREAD,
        sentence=passage.said,
        rule="named entry stands",
        confidence=_STANDS,
        status=status,
        local_id=local_id,
        is_update=True,
        rationale=resolution if is_decision else "",
        resolution="" if is_decision or status == "open" else resolution,
        blocked_by=blocked_by,
        superseded_by=by,
    )


def _ids(words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(local_name, ANY.findall(words))))
