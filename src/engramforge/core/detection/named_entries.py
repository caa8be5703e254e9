"""Decisions and threads that a text mentions by local id (D001, T001): introduced, or updated in their status."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from engramforge.core.detection.cues.language_cues import UNSURE
from engramforge.core.detection.cues.named_cues import (
    A_THREAD,
    ACTS,
    ANY,
    ASKS_BESIDE,
    AWAITED,
    BLOCKED,
    BLOCKS,
    BRACKETED,
    CANNOT,
    DEPENDS_AFTER,
    ENDS,
    HANDED_ON,
    HAS_VERB,
    HELD_UP,
    HELD_UP_WITH,
    HELD_WORDS,
    LEADING,
    MAY_BE,
    MISTAKEN,
    NAMES,
    OF_ANOTHER,
    OF_DECISIONS,
    OF_THREADS,
    POLITELY,
    SEPARATOR,
    STANDS_ALONE,
    STANDS_AS,
    UNTIL,
    WAS,
    WISHED,
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
_TITLES: Final = (":", "\u2014", "\u2013", "-")
_BLOCKER: Final = "blocker"
_DIGIT: Final = re.compile(r"\d")
"""In every local id."""
_NEXT_CLAUSE: Final = re.compile(r"[,;\u2014\u2013]\s")
_FIRST_WORDS: Final = 8
"""Letters with which a clause may begin that takes the one before it back: ", je crois"."""
_LEAST_WORDS: Final = 5
"""Fewer letters say nothing of what holds a thread up."""


def has_name(text: str) -> bool:
    """Whether the text mentions an entry by local id."""
    return _DIGIT.search(text) is not None and ANY.search(text) is not None


def named_in(passage: Passage) -> list[Detection]:
    """What a sentence says of entries that it names, in its order."""
    if not has_name(passage.plain) and LEADING.match(passage.plain) is None:
        return []
    if (asked := POLITELY.match(passage.plain)) is not None:
        end = len(passage.plain.rstrip(" ?"))
        passage = passage.part(asked.end(), end)
    if (beside := ASKS_BESIDE.search(passage.plain)) is not None:
        passage = passage.part(end=beside.start())
    plain = passage.plain
    leading = LEADING.match(plain)
    if MISTAKEN.search(plain) or (asks(plain) and not (leading and leading["mark"])):
        return []
    found = _told(passage, leading)
    if found and _is_unsure(plain):
        found = [each for each in found if not each.is_update or each.blocked_by]
    if found and found[0].rule == _BLOCKER:
        # Who is awaited may be somebody who says something: "until legal tells us".
        plain = plain[: passage.said.find(found[0].text)]
    if found and (is_hearsay(plain) or is_unreal_request(plain) or _is_handed_on(plain)):
        return [replace(each, voice=Voice.REPORTED) for each in found]
    return found


def is_about_thread(plain: str) -> bool:
    """Whether a sentence begins with the name of a thread, so that it states no other one."""
    leading = LEADING.match(plain)
    return leading is not None and not leading["id"].startswith(("D", "d", "A"))


def _is_unsure(plain: str) -> bool:
    """Whether the speaker doubts what is said of entries; what a later clause tells beside it does not count."""
    doubt = UNSURE.search(plain)
    last = next(reversed([hit.end() for hit in ANY.finditer(plain)]), 0)
    beside = _NEXT_CLAUSE.search(plain, last)
    return doubt is not None and (beside is None or doubt.start() < beside.end() + _FIRST_WORDS)


def _is_handed_on(plain: str) -> bool:
    """Whether the entries stand behind words that introduce a report: "the search gave: D001 is obsolete"."""
    hit = HANDED_ON.search(plain)
    return hit is not None and has_name(plain[hit.end() :])


def _told(passage: Passage, leading: re.Match[str] | None) -> list[Detection]:
    """As `named_in`, whoever said it."""
    plain = passage.plain
    if leading is not None and (found := _led(passage, leading)):
        return found
    acted: list[Detection] = []
    for pattern, status in ACTS:
        for hit in pattern.finditer(plain):
            named = (hit["id"], *ANY.findall(hit.groupdict().get("more") or ""))
            if (
                is_conditional(plain, hit.start())
                or _is_denied(plain, hit)
                or DEPENDS_AFTER.match(plain, hit.end())
                or AWAITED.search(plain, 0, hit.start())
                or WISHED.search(plain, 0, hit.start())
            ):
                continue
            before = ANY.findall(plain, 0, hit.start()) if status == "superseded" else []
            said_by = hit.groupdict().get("by")
            by = local_name(said_by or before[-1]) if said_by or before else None
            resolution = passage.said if status in ("resolved", "abandoned") else ""
            there = {detection.local_id for detection in acted}
            ids = [each for each in dict.fromkeys(map(local_name, named)) if each not in there]
            acted += [updated(passage, each, status, resolution, by) for each in ids]
    names = {detection.local_id for detection in acted}
    acted += [detection for detection in _standing(passage) if detection.local_id not in names]
    return acted or _waiting(passage)


def _standing(passage: Passage) -> list[Detection]:
    """How entries stand that a sentence names within it, each with a verb: "so T003 is off the list"."""
    plain = passage.plain
    found: list[Detection] = []
    for hit in NAMES.finditer(plain):
        begin, rest = hit.start(), BRACKETED.sub("", plain[hit.end() :]).lstrip(") ")
        around = plain[max(0, begin - 20) : begin]
        is_alone = STANDS_ALONE.search(around) is not None
        if not (is_alone or STANDS_AS.match(rest)) or OF_ANOTHER.search(around):
            continue
        if is_conditional(plain, begin) or is_negated(plain, begin) or AWAITED.search(plain, 0, begin):
            continue
        ids = _ids(hit[0])
        is_decision = ids[0].startswith(("D", "A"))
        status, after, by = _status(rest, is_decision=is_decision, has_mark=False)
        if status and status not in ("open", "active", "revised") and not DEPENDS_AFTER.match(f" {after}"):
            found += [updated(passage, each, status, passage.said, by) for each in ids]
    return found


def _waiting(passage: Passage) -> list[Detection]:
    """The thread that a sentence says to wait for others, or for something without a name."""
    plain = passage.plain
    if (held := HELD_UP_WITH.search(plain)) is not None:
        return _held_up(passage, [local_name(held["id"])], passage.said[held.start("by") : held.end("by")])
    if (hit := UNTIL.search(plain)) is not None:
        subject = hit["id"] or hit["id_"]
    elif (hit := BLOCKS.search(plain)) is not None:
        subject = hit["id"]
    elif (hit := CANNOT.search(plain)) is not None:
        return _held_up(passage, [local_name(hit["id"] or hit["id_"])], hit["by"])
    elif (hit := BLOCKED.search(plain)) is not None and not WAS.search(plain, 0, hit.start()):
        subject = next(reversed(A_THREAD.findall(plain, 0, hit.start())), "")
    else:
        return []
    begin = hit.start()
    if not subject or is_conditional(plain, begin) or is_negated(plain, begin) or is_hedged(plain):
        return []
    return [updated(passage, local_name(subject), "open", "", None, _ids(hit["ids"]))]


def _held_up(passage: Passage, ids: list[str], words: str) -> list[Detection]:
    """Threads that are blocked: by others that the words name, or by what they say, which is then a thread itself."""
    words = words.strip()
    for _ in range(2):
        words = HELD_WORDS.sub("", words)
    words = words.strip(" .!,")
    names = _ids(words)
    if names or len(words) < _LEAST_WORDS:
        return [updated(passage, each, "open", "", None, names) for each in ids]
    blocker = thread_said(passage.said, _BLOCKER, _STANDS, words)
    return [blocker, *(updated(passage, each, "open", "", None, (blocker.text,)) for each in ids)]


def _is_denied(plain: str, hit: re.Match[str]) -> bool:
    """Whether an act is denied; one that follows a comma ("we won't do T004, close it") by the words after that."""
    begin = hit.start("verb" if "verb" in hit.re.groupindex else 0)
    if begin == hit.start() and not plain[:begin].rstrip().endswith(","):
        return is_negated(plain, begin)
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
    rest = passage.said[leading.start("rest") :].strip(" ,")
    status, after, by = _status(rest, is_decision=is_decision, has_mark=bool(leading["mark"]))
    if not status and note:
        status, _, by = _status(note, is_decision=is_decision, has_mark=True)
        after = rest
    if status and not is_decision and (blocked := BLOCKED.match(rest)):
        after = rest[blocked.end() :]
    if status == "revised":
        return [_introduced(passage, each, after, note, is_update=True) for each in ids if after]
    is_titled = leading["mark"] or note or rest.removesuffix(after).rstrip().endswith(_TITLES)
    if status and (status != "open" or not after or not is_titled):
        return [updated(passage, each, status, after, by) for each in ids]
    waits = BLOCKED.search(passage.plain)
    if waits and is_negated(passage.plain, waits.start()):
        return []
    if not is_decision and (turned := BLOCKS.match(passage.plain, leading.start("id"))):
        return [updated(passage, local_name(turned["id"]), "open", "", None, _ids(turned["ids"]))]
    if not is_decision and waits and waits.start() <= leading.start("rest") + 14:
        return [updated(passage, each, "open", "", None, _ids(waits["ids"])) for each in ids]
    if not is_decision and not waits and (held := HELD_UP.match(rest)):
        until = UNTIL.search(passage.plain)
        return _held_up(passage, ids, until["ids"] if until else held["by"])
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
            is_replaced = bool(hit.groupdict().get("by"))
            if ends is None or (
                goes_on and not is_replaced and (has_mark or MAY_BE.match(words)) and status != "revised"
            ):
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


def updated(
    passage: Passage,
    local_id: str,
    status: str,
    resolution: str,
    by: str | None = None,
    blocked_by: tuple[str, ...] = (),
    *,
    confidence: float = _STANDS,
) -> Detection:
    """How a named entry stands, as a sentence tells."""
    is_decision = local_id.startswith(("D", "A"))
    return Detection(
        kind=Kind.DECISION if is_decision else Kind.THREAD,
        sentence=passage.said,
        rule="named entry stands",
        confidence=confidence,
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
