"""Decisions and threads that a text mentions by local id (D001, T001): introduced, or updated in their status."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from engramforge.core.detection.cues import named_cues as cues
from engramforge.core.detection.cues.language_cues import UNSURE
from engramforge.core.detection.named.continuing import given_up_in, reopened_in
from engramforge.core.detection.named.updates import BLOCKER, ids_in, is_decision, local_name, updated
from engramforge.core.detection.named.waiting import BLOCKED, waiting_in, waits_so
from engramforge.core.detection.passages import Passage
from engramforge.core.detection.said_parts import decision_said, priority_said, thread_said
from engramforge.core.detection.traps import asks, is_conditional, is_hearsay, is_negated, is_unreal_request
from engramforge.core.text.late_pattern import late
from engramforge.model.registries.detection import Detection, Voice

_SURE: Final = 0.92
_TITLES: Final = (":", "\u2014", "\u2013", "-")
_DIGIT: Final = late(r"\d")
"""In every local id."""
_NEXT_CLAUSE: Final = late(r"[,;\u2014\u2013]\s")
_NO_MORE_SPANISH: Final = late(r"(?i)\bya no se\b")
"""Without accents, "no se" is also "I don't know"."""
_ORDERED: Final = late(rf"(?i)\A\W*(?:please|pls|kindly|bitte|por favor)\b[^,;.:]{{0,60}}?{cues.ANY.pattern}")
_BESIDE: Final = late(
    rf"(?i)\b(?:what|as|than)\s+{cues.ANY.pattern}\s+sa(?:ys|id)\b|[,;]\s+(?:and\s+)?(?:tell|let)\s+(?:me|us)\b.*"
    r"|\A[^,;:]{1,60}\b(?:answered|replied|responded),\s+(?:so|and)\b"
)
"""What an entry says, what somebody wants to hear in return and who has answered are no report of how entries stand."""
_LEAD: Final = 60
"""Letters before an act in which the words stand that make it one."""
_FIRST_WORDS: Final = 8
"""Letters with which a clause may begin that takes the one before it back: ", je crois"."""


@lru_cache(maxsize=16)
def has_name(text: str) -> bool:
    """Whether the text mentions an entry by local id."""
    return _DIGIT.search(text) is not None and cues.ANY.search(text) is not None


def named_in(passage: Passage) -> list[Detection]:
    """What a sentence says of entries that it names, in its order."""
    if _leading(passage.plain) is None and not has_name(passage.plain):
        return []
    if (asked := cues.POLITELY.search(passage.plain)) is not None:
        passage = passage.part(asked.end(), len(passage.plain.rstrip(" ?")))
    if (beside := cues.ASKS_BESIDE.search(passage.plain)) is not None:
        passage = passage.part(end=beside.start())
    plain = passage.plain
    leading = _leading(plain)
    if asks(plain) and not (leading and leading["mark"]):
        return []
    found = [] if cues.MISTAKEN.search(plain) else _told(passage, leading)
    if any(each.status not in ("open", "active") for each in found):
        found = _last_state(passage, found)
    found = found or waiting_in(passage) or reopened_in(passage)
    if found and _is_unsure(plain):
        found = [each for each in found if not each.is_update or each.status == "open"]
    if found and found[0].rule == BLOCKER and (begin := passage.said.find(found[0].text)) > 0:
        # Who is awaited may be somebody who says something: "until legal tells us".
        plain = plain[:begin]
    elif ordered := _ORDERED.match(plain):
        # Why it is to be done may be what somebody says: "please close T001, Ines replied".
        plain = ordered[0]
    if found and (is_hearsay(_BESIDE.sub(" ", plain)) or is_unreal_request(plain) or _is_handed_on(plain)):
        return [replace(each, voice=Voice.REPORTED) for each in found]
    return found


def is_about_thread(plain: str) -> bool:
    """Whether a sentence begins with the name of a thread, so that it states no other one."""
    leading = _leading(plain)
    return leading is not None and not is_decision(leading["id"])


@lru_cache(maxsize=16)
def _leading(plain: str) -> re.Match[str] | None:
    return cues.LEADING.match(plain) if _DIGIT.search(plain) else None


def _is_unsure(plain: str) -> bool:
    """Whether the speaker doubts what is said of entries; what a later clause tells beside it does not count."""
    doubt = UNSURE.search(_NO_MORE_SPANISH.sub("ya ", plain))
    last = next(reversed([hit.end() for hit in cues.ANY.finditer(plain)]), 0)
    beside = _NEXT_CLAUSE.search(plain, last)
    return doubt is not None and (beside is None or doubt.start() < beside.end() + _FIRST_WORDS)


def _is_handed_on(plain: str) -> bool:
    """Whether the entries stand behind words that introduce a report: "the search gave: D001 is obsolete"."""
    hit = cues.HANDED_ON.search(plain)
    return hit is not None and has_name(plain[hit.end() :])


def _told(passage: Passage, leading: re.Match[str] | None) -> list[Detection]:
    """As `named_in`, whoever said it."""
    plain = passage.plain
    if leading is not None and (found := _led(passage, leading)):
        return found
    acted: list[Detection] = []
    for hit, status in _acts_in(plain):
        if not _is_done(plain, hit):
            continue
        groups = hit.groupdict()
        before = cues.ANY.findall(plain, 0, hit.start()) if status == "superseded" else []
        by = groups.get("by") or next(reversed(before), None)
        resolution = passage.said if status in ("resolved", "abandoned") else ""
        there = {detection.local_id for detection in acted}
        ids = [each for each in ids_in(f"{hit['id']} {groups.get('more') or ''}") if each not in there]
        acted += [updated(passage, each, status, resolution, by and local_name(by)) for each in ids]
    names = {detection.local_id for detection in acted}
    acted += [detection for detection in _standing(passage) if detection.local_id not in names]
    return acted or given_up_in(passage)


def _last_state(passage: Passage, ended: list[Detection]) -> list[Detection]:
    """What is left of ends that a sentence tells, once it says that they are partial or were taken back."""
    if cues.NOT_SO.search(passage.plain):
        return []
    last = max((hit.end() for hit in cues.ANY.finditer(passage.plain)), default=0)
    if not cues.SINCE.search(passage.plain, last):
        return ended
    names = [each.local_id for each in ended if each.local_id]
    return [updated(passage, each, cues.REINSTATED if is_decision(each) else "open", "") for each in names]


def acts_on_entries(plain: str) -> bool:
    """Whether a sentence speaks of something that is done to entries, whether or not it is: it says nothing else."""
    return has_name(plain) and bool(_acts_in(plain))


@lru_cache(maxsize=16)
def _acts_in(plain: str) -> tuple[tuple[re.Match[str], str], ...]:
    """What a sentence speaks of as done to entries, with the status that it gives them; it is read by several."""
    return tuple((hit, status) for pattern, status in cues.ACTS for hit in pattern.finditer(plain))


def _is_done(plain: str, hit: re.Match[str]) -> bool:
    """Whether an act is done by saying it, or was: neither supposed, denied, planned nor awaited."""
    begin = hit.start()
    if (meant := cues.MEANT.search(plain, max(0, begin - _LEAD), begin)) is not None:
        begin = meant.start()
    elif begin == _begin_of_verb(hit) and cues.INFINITIVE.search(plain, 0, begin):
        return False
    return not (
        is_conditional(plain, begin)
        or (_is_denied(plain, hit) if begin == hit.start() else is_negated(plain, begin))
        or cues.DEPENDS_AFTER.match(plain, hit.end())
        or cues.LATER.search(plain, hit.end())
        or cues.LATER.search(plain, 0, begin)
        or (cues.WILL.search(plain, 0, begin) and cues.AFTERWARDS.match(plain, hit.end()))
        or cues.AWAITED.search(plain, 0, begin)
        or (begin == hit.start() and cues.WISHED.search(plain, 0, begin))
    )


def _standing(passage: Passage) -> list[Detection]:
    """How entries stand that a sentence names within it, each with a verb: "so T003 is off the list"."""
    plain = passage.plain
    found: list[Detection] = []
    for hit in cues.NAMES.finditer(plain):
        begin = hit.start()
        rest = cues.APPOSED.sub("", cues.BRACKETED.sub("", plain[hit.end() :])).lstrip("), ")
        around = plain[max(0, begin - 20) : begin]
        is_alone = cues.STANDS_ALONE.search(around) is not None
        if not (is_alone or cues.STANDS_AS.match(rest)) or cues.OF_ANOTHER.search(around):
            continue
        if is_conditional(plain, begin) or is_negated(plain, begin) or cues.AWAITED.search(plain, 0, begin):
            continue
        ids = ids_in(hit[0])
        status, after, by = _status(rest, of_decision=is_decision(ids[0]), has_mark=False)
        if (
            status
            and status not in ("open", "active", "revised")
            and not cues.DEPENDS_AFTER.match(f" {after}")
        ):
            found += [updated(passage, each, status, passage.said, by) for each in ids]
    return found


def _begin_of_verb(hit: re.Match[str]) -> int:
    return hit.start("verb" if "verb" in hit.re.groupindex else 0)


def _is_denied(plain: str, hit: re.Match[str]) -> bool:
    """Whether an act is denied; one that follows a comma ("we won't do T004, close it") by the words after that."""
    begin = _begin_of_verb(hit)
    if begin == hit.start() and not plain[:begin].rstrip().endswith(","):
        return is_negated(plain, begin)
    clause = plain.rfind(",", 0, begin) + 1
    return is_negated(plain[clause:], begin - clause)


def _led(passage: Passage, leading: re.Match[str]) -> list[Detection]:
    """What a sentence that begins with ids says of them."""
    ids = [local_name(leading["id"]), *map(local_name, cues.ANY.findall(leading["more"] or ""))]
    of_decision = is_decision(ids[0])
    note = leading["note"] or ""
    rest = passage.said[leading.start("rest") :].strip(" ,")
    has_mark = bool(leading["mark"])
    status, after, by = _status(rest, of_decision=of_decision, has_mark=has_mark)
    if not status and note:
        status, _, by = _status(note, of_decision=of_decision, has_mark=True)
        after = rest
    if status and not of_decision and (blocked := BLOCKED.match(rest)):
        after = rest[blocked.end() :]
    if status == "revised":
        return [_introduced(passage, each, after, note, is_update=True) for each in ids if after]
    if not of_decision and status in ("", "open") and (held := waits_so(passage, ids, rest)):
        return held
    is_titled = leading["mark"] or note or rest.removesuffix(after).rstrip().endswith(_TITLES)
    if status and (likewise := cues.LIKEWISE.match(after)):
        ids.append(local_name(likewise["id"]))
    if status and (status != "open" or not after or not is_titled):
        stands = {of: _status(rest, of_decision=of, has_mark=has_mark)[0] for of in (True, False)}
        return [updated(passage, each, stands[is_decision(each)] or status, after, by) for each in ids]
    words = after if status else rest
    is_told = bool(leading["mark"]) or bool(note) or bool(status) or words[:1].isupper()
    if len(ids) > 1 or not is_told or len(words) < 3:
        return []
    return [_introduced(passage, ids[0], words, note, is_update=False)]


def _status(words: str, *, of_decision: bool, has_mark: bool) -> tuple[str, str, str | None]:
    """The status that words begin with, the words after it, and the successor; "" if there is no status."""
    for status, pattern in (cues.OF_DECISIONS if of_decision else cues.OF_THREADS).items():
        if (hit := pattern.match(words)) is None:
            continue
        if cues.PERMITS.match(words) and not cues.TAKEN_OFF.search(hit[0]):
            continue
        ends = cues.ENDS.match(words[hit.end() :])
        # "D007: Dropped columns are kept": a participle that continues as a sentence is not a status.
        if not cues.HAS_VERB.match(words):
            goes_on = ends and ends[0].strip().lower() in ("in", "on", "at", "to", "with", "after", "as")
            is_replaced = bool(hit.groupdict().get("by"))
            if cues.WANTED.match(words, hit.end()):
                continue
            if ends is None or (
                goes_on and not is_replaced and (has_mark or cues.MAY_BE.match(words)) and status != "revised"
            ):
                continue
        after = cues.SEPARATOR.sub("", words[hit.end() :]).strip()
        by = hit.groupdict().get("by") or hit.groupdict().get("durch")
        return status, after, local_name(by) if by else None
    return "", words, None


def _introduced(passage: Passage, local_id: str, words: str, note: str, *, is_update: bool) -> Detection:
    if is_decision(local_id):
        found = decision_said(passage.said, "named decision", _SURE, words)
        return replace(found, local_id=local_id, is_update=is_update)
    waits = BLOCKED.search(words)
    return replace(
        thread_said(passage.said, "named thread", _SURE, words),
        local_id=local_id,
        is_update=is_update,
        priority=priority_said(f"{words} ({note})"),
        blocked_by=ids_in(waits["ids"]) if waits else (),
    )
