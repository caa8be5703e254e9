"""Decisions and threads that a text mentions by local id (D001, T001): introduced, or updated in their status."""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.detection.passages import Passage
from engramforge.core.detection.said_parts import alternatives_said, priority_said, statement, title, why_said
from engramforge.core.detection.traps import asks, is_conditional
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import DecisionStatus, ThreadStatus

_SURE: Final = 0.92
_STANDS: Final = 0.88
_D: Final = r"(?:D-?\d{2,4}|D-\d|DEC-?\d{1,4}|ADR[- ]?\d{1,4})"
_T: Final = r"(?:T-?\d{2,4}|T-\d|THR-?\d{1,4})"
_ANY: Final = re.compile(rf"(?<![\w-])(?:{_D}|{_T})(?![\w.-]*\w@|\d|-\d)\b")
_LEADING: Final = re.compile(
    rf"^\W{{0,4}}(?:(?:decision|thread|entscheidung|new decision|new thread)\s+)?(?P<id>{_D}|{_T}"
    rf"|[DT]\d(?=\s*[:(\[]))\b[*_]*(?P<more>(?:\s*(?:,|and|&)\s*(?:{_D}|{_T})\b)*)"
    r"\s*(?:[(\[](?P<note>[^)\]]{1,60})[)\]])?[*_]*\s*(?P<mark>[:\u2014\u2013.]|-(?=\s))?\s*(?P<rest>.*)$",
    re.S,
)
_BE: Final = (
    r"(?:(?:is|are|was|were|has been|have been|stays?|remains?|got|now|has now been|is now|ist|wurde)\s+)?(?:now\s+"
    r"|still\s+|hereby\s+|finally\s+|already\s+|also\s+)*"
)
_SUPERSEDED: Final = re.compile(
    rf"{_BE}(?:superseded|replaced|overruled|overridden|obsoleted)(?:\s+by\s+(?P<by>{_D}|{_T}))?\b", re.I
)
_REVISED: Final = re.compile(
    rf"{_BE}(?:revised|amended|updated|changed|corrected|adjusted)\b(?:\s+to\b)?", re.I
)
_INVALID: Final = re.compile(
    rf"{_BE}(?:withdrawn|invalidated|invalid|revoked|rejected|reverted|void|obsolete|deprecated|retracted"
    r"|cancelled|canceled|dropped|abandoned|no longer (?:valid|applies|holds))\b",
    re.I,
)
_RESOLVED: Final = re.compile(
    rf"{_BE}(?:resolved|done|closed|fixed|completed?|finished|solved|settled|unblocked|answered|erledigt"
    r"|gel\u00f6st)\b",
    re.I,
)
_ABANDONED: Final = re.compile(
    rf"{_BE}(?:abandoned|dropped|cancelled|canceled|won['\u2019]?t (?:fix|do)|wontfix|no longer (?:needed"
    r"|relevant)|obsolete)\b",
    re.I,
)
_OPEN: Final = re.compile(
    rf"{_BE}(?:re-?opened|open|unresolved|pending|in progress|not (?:yet )?(?:resolved|done|closed|fixed"
    r"|finished)(?: yet)?|active|offen)\b",
    re.I,
)
_STANDS_ON: Final = re.compile(
    r"(?:still (?:holds|stands|applies|valid)|accepted|approved|active|confirmed|final)\b", re.I
)
_BLOCKED: Final = re.compile(
    r"\b(?:blocked (?:by|on)|waits? (?:for|on)|waiting (?:for|on)|depends on|needs|blockiert (?:durch"
    rf"|von))\s+(?P<ids>{_T}(?:\s*(?:,|and|&|\+)\s*{_T})*)",
    re.I,
)
_ACTS: Final = (
    (
        re.compile(
            rf"\b(?:supersedes?|superseding|replaces|overrules|overrides|obsoletes)\s+(?:decision\s+)?(?P<id>{_D})",
            re.I,
        ),
        "superseded",
    ),
    (
        re.compile(
            rf"\b(?:invalidates?|withdraw(?:s|ing)?|revokes?|reverts?|retracts?)\s+(?:decision\s+)?(?P<id>{_D})",
            re.I,
        ),
        "invalidated",
    ),
    (re.compile(rf"\bre-?open(?:s|ed|ing)?\s+(?:thread\s+)?(?P<id>{_T})", re.I), "open"),
    (
        re.compile(
            r"\b(?:resolv(?:es|ed|ing)|clos(?:es|ed|ing|e)|finish(?:es|ed)|fix(?:es|ed)|complet(?:es|ed)"
            rf"|settles)\s+(?:thread\s+)?(?P<id>{_T})",
            re.I,
        ),
        "resolved",
    ),
    (
        re.compile(rf"\b(?:abandon(?:s|ed|ing)?|drop(?:s|ped|ping)?)\s+(?:thread\s+)?(?P<id>{_T})", re.I),
        "abandoned",
    ),
    (
        re.compile(
            rf"(?P<id>{_T})\s*(?:\([^)]*\)\s*)?(?:stays?|remains?|is still|is) (?:open|unresolved)", re.I
        ),
        "open",
    ),
    (
        re.compile(
            rf"(?P<id>{_T})\s*(?:\([^)]*\)\s*)?(?:is|was|are|has been|got) (?:now |finally )?(?:resolved|done"
            r"|closed|fixed)",
            re.I,
        ),
        "resolved",
    ),
)
_SEPARATOR: Final = re.compile(r"^\s*(?:[:;,.\u2014\u2013-]|by\b|with\b|as\b|because\b|since\b)\s*", re.I)


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
    if leading is not None:
        found = _led(passage, leading)
        if found:
            return found
    acted: list[Detection] = []
    for pattern, status in _ACTS:
        for hit in pattern.finditer(plain):
            local_id = local_name(hit["id"])
            if is_conditional(plain, hit.start()) or any(
                detection.local_id == local_id for detection in acted
            ):
                continue
            by = _named_before(plain, hit.start()) if status == "superseded" else None
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
    kinds = (
        (
            ("superseded", _SUPERSEDED),
            ("revised", _REVISED),
            ("invalidated", _INVALID),
            ("active", _STANDS_ON),
        )
        if is_decision
        else (
            ("superseded", _SUPERSEDED),
            ("abandoned", _ABANDONED),
            ("resolved", _RESOLVED),
            ("open", _OPEN),
        )
    )
    for status, pattern in kinds:
        hit = pattern.match(words)
        if hit is None:
            continue
        ends = re.match(
            r"\s*(?:$|[:;,.)\u2014\u2013(-]|by\b|in\b|after\b|on\b|at\b|with\b|as\b|because\b|since\b|due\b"
            r"|to\b|again\b|yet\b|now\b|until\b|whether\b)",
            words[hit.end() :],
            re.I,
        )
        # "D007: Dropped columns are kept": a participle that continues as a sentence is not a status.
        has_verb = re.match(r"(?:is|are|was|were|has|have|stays?|remains?|got|now)\b", words, re.I)
        if ends is None and not has_verb:
            continue
        if (
            has_mark
            and not has_verb
            and ends is not None
            and ends[0].strip().lower() in ("in", "on", "at", "to", "with", "after", "as")
            and status != "revised"
        ):
            continue
        after = _SEPARATOR.sub("", words[hit.end() :]).strip()
        by = hit.groupdict().get("by")
        return status, after, local_name(by) if by else None
    return "", words, None


def _introduced(passage: Passage, local_id: str, words: str, note: str, *, is_update: bool) -> Detection:
    if local_id.startswith(("D", "A")):
        bare, why = why_said(statement(words))
        return Detection(
            kind=Kind.DECISION,
            sentence=passage.said,
            rule="named decision",
            confidence=_SURE,
            text=bare,
            status=str(DecisionStatus.ACTIVE),
            local_id=local_id,
            is_update=is_update,
            rationale=why,
            alternatives_rejected=alternatives_said(words),
        )
    waits = _BLOCKED.search(words)
    name, content = title(words)
    return Detection(
        kind=Kind.THREAD,
        sentence=passage.said,
        rule="named thread",
        confidence=_SURE,
        text=name,
        content=content,
        status=str(ThreadStatus.OPEN),
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


def _named_before(plain: str, begin: int) -> str | None:
    hits = list(_ANY.finditer(plain, 0, begin))
    return local_name(hits[-1][0]) if hits else None


def _ids(words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(local_name, _ANY.findall(words))))
