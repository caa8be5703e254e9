"""Decisions and threads that a text mentions by local id (D001, T001): introduced, or updated in their status."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from engramforge.core.detection.passages import Passage
from engramforge.core.detection.said_parts import decision_said, priority_said, thread_said
from engramforge.core.detection.traps import asks, is_conditional, is_hearsay, is_negated, is_unreal_request
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection, Voice

_SURE: Final = 0.92
_STANDS: Final = 0.88
_D: Final = r"(?:D-?\d{2,4}|D-\d|DEC-?\d{1,4}|ADR[- ]?\d{1,4})"
_T: Final = r"(?:T-?\d{2,4}|T-\d|THR-?\d{1,4})"
_ANY: Final = re.compile(rf"(?<![\w-])(?:{_D}|{_T})(?![\w.-]{{0,64}}\w@|\d|-\d)\b")
_LEADING: Final = re.compile(
    rf"(?s)^\W{{0,4}}(?:(?i:decision|thread|entscheidung|new decision|new thread)\s+)?(?P<id>{_D}|{_T}"
    rf"|[DT]\d(?=\s*[:(\[]))\b[*_]*(?P<more>(?:\s*(?:,|and|&)\s*(?:{_D}|{_T})\b)*)"
    r"\s*(?:[(\[](?P<note>[^)\]]{1,60})[)\]])?[*_]*\s*(?P<mark>[:\u2014\u2013.]|-(?=\s))?\s*(?P<rest>.*)$"
)
_DECISION: Final = rf"(?:decision\s+)?(?P<id>{_D})"
_THREAD: Final = rf"(?:thread\s+)?(?P<id>{_T})"
_STANDS_SO: Final = rf"(?P<id>{_T})\s*(?:\([^)]*\)\s*)?"
_SET: Final = r"\b(?:mark|set|consider|declare|treat|count)\s+"
_STANDING_DECISION: Final = (
    rf"(?P<id>{_D})\s*(?:\([^)]*\)\s*)?(?:is|was|has been|got|are|stands)\s+(?:(?:now|hereby|finally|also"
    rf"|herewith)\s+)?"
)
_BE: Final = (
    r"\A(?:(?:is|are|was|were|has been|have been|stays?|remains?|got|now|has now been|is now|ist"
    r"|wurde)\s+)?(?:now\s+"
    r"|still\s+|hereby\s+|finally\s+|already\s+|also\s+)*"
)
_SUPERSEDED: Final = re.compile(
    rf"(?i){_BE}(?:superseded|replaced|overruled|overridden|obsoleted)(?:\s+by\s+(?P<by>{_D}|{_T}))?\b"
)
_REVISED: Final = re.compile(
    rf"(?i){_BE}(?:revised|amended|updated|changed|corrected|adjusted)\b(?:\s+to\b)?"
)
_INVALID: Final = re.compile(
    rf"(?i){_BE}(?:withdrawn|invalidated|invalid|revoked|rejected|reverted|void|obsolete|deprecated|retracted"
    r"|cancelled|canceled|dropped|abandoned|no longer (?:valid|applies|holds))\b"
)
_RESOLVED: Final = re.compile(
    rf"(?i){_BE}(?:resolved|done|closed|fixed|completed?|finished|solved|settled|unblocked|answered|erledigt"
    r"|gel\u00f6st)\b"
)
_ABANDONED: Final = re.compile(
    rf"(?i){_BE}(?:abandoned|dropped|cancelled|canceled|won['\u2019]?t (?:fix|do)|wontfix|no longer (?:needed"
    r"|relevant)|obsolete)\b"
)
_OPEN: Final = re.compile(
    rf"(?i){_BE}(?:re-?opened|open|unresolved|pending|in progress|not (?:yet )?(?:resolved|done|closed|fixed"
    r"|finished)(?: yet)?|active|offen)\b"
)
_STANDS_ON: Final = re.compile(
    r"(?i)(?:still (?:holds|stands|applies|valid)|accepted|approved|active|confirmed|final)\b"
)
_OF_DECISIONS: Final = {
    "superseded": _SUPERSEDED, "revised": _REVISED, "invalidated": _INVALID, "active": _STANDS_ON
}  # fmt: skip
_OF_THREADS: Final = {
    "superseded": _SUPERSEDED,
    "abandoned": _ABANDONED,
    "resolved": _RESOLVED,
    "open": _OPEN,
}
_BLOCKED: Final = re.compile(
    r"(?i)\b(?:blocked (?:by|on)|waits? (?:for|on)|waiting (?:for|on)|depends on|needs|blockiert (?:durch"
    rf"|von))\s+(?P<ids>{_T}(?:\s*(?:,|and|&|\+)\s*{_T})*)"
)
_ACTS: Final = tuple(
    (re.compile(wording, re.I), status)
    for status, wording in (
        (
            "superseded",
            rf"\b(?:supersedes?|superseding|replaces|overrules|overrides|obsoletes)\s+{_DECISION}",
        ),
        ("invalidated", rf"\b(?:invalidates?|withdraw(?:s|ing)?|revokes?|reverts?|retracts?)\s+{_DECISION}"),
        ("open", rf"\bre-?open(?:s|ed|ing)?\s+{_THREAD}"),
        (
            "resolved",
            r"\b(?:resolv(?:es|ed|ing)|clos(?:es|ed|ing|e)|finish(?:es|ed)|fix(?:es|ed)|complet(?:es|ed)"
            r"|settles)"
            rf"\s+{_THREAD}",
        ),
        ("abandoned", rf"\b(?:abandon(?:s|ed|ing)?|drop(?:s|ped|ping)?)\s+{_THREAD}"),
        (
            "superseded",
            rf"{_SET}{_DECISION}\s+(?:as|to)\s+(?:superseded|replaced)(?:\s+by\s+(?P<by>{_D}))?",
        ),
        (
            "invalidated",
            rf"{_SET}{_DECISION}\s+(?:as\s+|to\s+)?(?:withdrawn|invalid(?:ated)?|void|obsolete|dropped"
            rf"|revoked|off)\b",
        ),
        (
            "invalidated",
            rf"{_DECISION}\s+(?:does not|doesn['\u2019]t)\s+(?:hold|apply|stand)\s+(?:any ?more|any longer)",
        ),
        (
            "resolved",
            rf"{_SET}{_THREAD}\s+(?:as\s+|to\s+)?(?:resolved|done|closed|fixed|finished|completed?)\b",
        ),
        ("resolved", rf"(?:done|finished|through) with {_THREAD}"),
        (
            "superseded",
            rf"{_STANDING_DECISION}(?:superseded|replaced|overruled|obsoleted)(?:\s+by\s+(?P<by>{_D}))?",
        ),
        ("superseded", rf"\breplac(?:e|es|ed|ing)\s+{_DECISION}\s+(?:with|by)\s+(?P<by>{_D})"),
        (
            "invalidated",
            rf"{_STANDING_DECISION}(?:withdrawn|invalid(?:ated)?|revoked|reverted|void|obsolete|retracted"
            rf"|cancell?ed|dropped"
            r"|abandoned|off the table|no longer (?:valid|needed|holds|true|in force))\b",
        ),
        (
            "invalidated",
            rf"\b(?:scrap|scrapp(?:ed|ing)|drop(?:s|ped|ping)?|withdrew|invalidated|revert(?:ed"
            rf"|ing)?)\s+{_DECISION}",
        ),
        ("open", rf"{_STANDS_SO}(?:stays?|remains?|is still|is) (?:open|unresolved)"),
        (
            "resolved",
            rf"{_STANDS_SO}(?:is|was|are|has been|got) (?:now |finally )?(?:resolved|done|closed|fixed)",
        ),
    )
)
_ENDS: Final = re.compile(
    r"(?i)\s*(?:$|[:;,.)\u2014\u2013(-]|(?:by|in|after|on|at|with|as|because|since|due|to|again|yet|now"
    r"|until|whether)\b)"
)
_HAS_VERB: Final = re.compile(r"(?i)(?:is|are|was|were|has|have|stays?|remains?|got|now)\b")
_SEPARATOR: Final = re.compile(r"(?i)^\s*(?:[:;,.\u2014\u2013-]|by\b|with\b|as\b|because\b|since\b)\s*")


def has_name(text: str) -> bool:
    """Whether the text mentions an entry by local id."""
    return _ANY.search(text) is not None


def named_in(passage: Passage) -> list[Detection]:
    """What a sentence says of entries that it names, in its order."""
    plain = passage.plain
    leading = _LEADING.match(plain)
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
    for pattern, status in _ACTS:
        for hit in pattern.finditer(plain):
            local_id = local_name(hit["id"])
            if (
                is_conditional(plain, hit.start())
                or is_negated(plain, hit.start())
                or any(detection.local_id == local_id for detection in acted)
            ):
                continue
            before = _ANY.findall(plain, 0, hit.start()) if status == "superseded" else []
            said_by = hit.groupdict().get("by")
            by = local_name(said_by or before[-1]) if said_by or before else None
            resolution = passage.said if status in ("resolved", "abandoned") else ""
            acted.append(_update(passage, local_id, status, resolution, by))
    return acted


def local_name(written: str) -> str:
    """A local id as the text has it, without blanks and in upper case; D-4 and D004 stay different."""
    return written.replace(" ", "-").upper()


def _led(passage: Passage, leading: re.Match[str]) -> list[Detection]:
    """What a sentence that begins with ids says of them."""
    ids = [local_name(leading["id"]), *map(local_name, _ANY.findall(leading["more"] or ""))]
    is_decision = ids[0].startswith(("D", "A"))
    note = leading["note"] or ""
    rest = passage.said[leading.start("rest") :].strip()
    status, after, by = _status(rest, is_decision=is_decision, has_mark=bool(leading["mark"]))
    if not status and note:
        status, _, by = _status(note, is_decision=is_decision, has_mark=True)
        after = rest
    if status and not is_decision and (blocked := _BLOCKED.match(rest)):
        after = rest[blocked.end() :]
    if status == "revised":
        return [_introduced(passage, each, after, note, is_update=True) for each in ids if after]
    if status and (status != "open" or not after):
        return [_update(passage, each, status, after, by) for each in ids]
    waits = _BLOCKED.search(passage.plain)
    if not is_decision and waits and waits.start() <= leading.start("rest") + 14:
        return [_update(passage, each, "open", "", None, _ids(waits["ids"])) for each in ids]
    words = after if status else rest
    is_told = bool(leading["mark"]) or bool(note) or bool(status) or words[:1].isupper()
    if len(ids) > 1 or not is_told or len(words) < 3:
        return []
    return [_introduced(passage, ids[0], words, note, is_update=False)]


def _status(words: str, *, is_decision: bool, has_mark: bool) -> tuple[str, str, str | None]:
    """The status that words begin with, the words after it, and the successor; "" if there is no status."""
    for status, pattern in (_OF_DECISIONS if is_decision else _OF_THREADS).items():
        if (hit := pattern.match(words)) is None:
            continue
        ends = _ENDS.match(words[hit.end() :])
        # "D007: Dropped columns are kept": a participle that continues as a sentence is not a status.
        if not _HAS_VERB.match(words):
            goes_on = ends and ends[0].strip().lower() in ("in", "on", "at", "to", "with", "after", "as")
            if ends is None or (has_mark and goes_on and status != "revised"):
                continue
        after = _SEPARATOR.sub("", words[hit.end() :]).strip()
        by = hit.groupdict().get("by")
        return status, after, local_name(by) if by else None
    return "", words, None


def _introduced(passage: Passage, local_id: str, words: str, note: str, *, is_update: bool) -> Detection:
    if local_id.startswith(("D", "A")):
        found = decision_said(passage.said, "named decision", _SURE, words)
        return replace(found, local_id=local_id, is_update=is_update)
    waits = _BLOCKED.search(words)
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
    return tuple(dict.fromkeys(map(local_name, _ANY.findall(words))))
