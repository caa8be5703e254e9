"""A decision record (Nygard's template, MADR and their like) as one decision: title, status, decision, context.

A text is one when it has headings of a status or a context beside one of a decision. What must not enter: files,
folders and the links between records: those are an importer's.
"""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.detection.passages import plain_words, sentences
from engramforge.core.detection.said_parts import alternatives_said, statement
from engramforge.model.detection import Detection
from engramforge.model.memory import Kind
from engramforge.model.registry import DecisionStatus

_HEADING: Final = re.compile(r"^[ ]{0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$", re.M)
_FENCE: Final = re.compile(r"^(```+|~~~+).*?(?:^\1[^\n]*$|\Z)", re.M | re.S)
_DECISION: Final = re.compile(r"^(?:\d+\.?\s*)?(?:the\s+|our\s+)?(?:decision(?: outcome| made)?|decisions|resolution|chosen (?:option|solution)|entscheidung)\W*$", re.I)
_STATUS: Final = re.compile(r"^(?:\d+\.?\s*)?(?:status|decision status)\W*$", re.I)
_CONTEXT: Final = re.compile(r"^(?:\d+\.?\s*)?(?:context\b.*|background|problem(?: statement)?|motivation|kontext|issue)\W*$", re.I)
_ALTERNATIVES: Final = re.compile(r"^(?:\d+\.?\s*)?(?:(?:considered|rejected) (?:options|alternatives)|(?:alternatives|options)(?: considered| rejected)?)\W*$", re.I)
_CONSEQUENCES: Final = re.compile(r"^(?:\d+\.?\s*)?(?:(?:positive |negative )?consequences|implications|folgen)\W*$", re.I)
_STATUS_LINE: Final = re.compile(r"^[\s*_>-]*status[\s*_]*:[\s*_]*(\S.{0,200})$", re.I | re.M)
_NUMBER: Final = re.compile(r"^(?:ADR[- ]?)?(\d{1,4})(?:[.:)]|\s-)?\s+(?=\S)", re.I)
_SEE: Final = re.compile(r"\b(?:superseded|replaced|obsoleted)\s+(?:by|in)\b[^\n]*?(?:ADR[- #]*)?\[?#?(\d{1,4})\b", re.I)
_BULLET: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(.{2,160})$", re.M)
_SURE: Final = 0.9
_UNSURE: Final = 0.5
_GIST: Final = 600


def record_in(text: str) -> Detection | None:
    """The decision of a decision record; None where the text is none, or its decision section is empty."""
    if "#" not in text:
        return None
    parts = _sections(text)
    decision = next((body for head, body in parts if _DECISION.match(head) and body.strip()), "")
    heads = [head for head, _ in parts]
    template = sum(any(kind.match(head) for head in heads) for kind in (_STATUS, _CONTEXT, _CONSEQUENCES))
    line = _STATUS_LINE.search(text)
    if not decision or template + (line is not None) < 1:
        return None
    status_text = next((body for head, body in parts if _STATUS.match(head)), line[1] if line else "")
    status, confidence = _status(status_text)
    name = plain_words(heads[0]) if heads and not _is_template(heads[0]) else ""
    number = _NUMBER.match(name)
    gist = _gist(decision)
    bare = name[number.end() :] if number else name
    context = next((body for head, body in parts if _CONTEXT.match(head)), "")
    others = next((body for head, body in parts if _ALTERNATIVES.match(head)), "")
    listed = tuple(plain_words(hit[1]).strip(" .") for hit in _BULLET.finditer(others))
    superseded = _SEE.search(status_text)
    return Detection(
        kind=Kind.DECISION,
        sentence=_first(decision),
        rule="decision record",
        confidence=confidence,
        text=f"{bare}: {gist}" if bare else gist,
        status=str(status),
        local_id=f"ADR-{int(number[1]):04d}" if number else None,
        rationale=_gist(context),
        alternatives_rejected=(_unchosen(listed, decision) or alternatives_said(gist))[:8],
        superseded_by=f"ADR-{int(superseded[1]):04d}" if superseded else None,
    )


def _sections(text: str) -> list[tuple[str, str]]:
    """Headings and what stands under each, in order; fenced code has none."""
    blank = _FENCE.sub(lambda hit: re.sub(r"[^\n]", " ", hit[0]), text)
    hits = list(_HEADING.finditer(blank))
    ends = [hit.start() for hit in hits[1:]] + [len(text)]
    parts = [(hit[2].strip(), text[hit.end() : end]) for hit, end in zip(hits, ends, strict=True)]
    # What stands under a lower heading belongs to the section, too.
    levels = [len(hit[1]) for hit in hits]
    for at, level in enumerate(levels):
        below = at + 1
        while below < len(parts) and levels[below] > level and at > 0:
            parts[at] = (parts[at][0], f"{parts[at][1]}\n{parts[below][1]}")
            below += 1
    return parts


def _is_template(head: str) -> bool:
    return any(kind.match(head) for kind in (_DECISION, _STATUS, _CONTEXT, _CONSEQUENCES, _ALTERNATIVES))


def _status(text: str) -> tuple[DecisionStatus, float]:
    """How a record stands by its status text; what is only proposed is less sure to be decided at all."""
    said = text.lower()
    if re.search(r"\bpartly superseded|partially superseded", said):
        return DecisionStatus.ACTIVE, _SURE
    if re.search(r"\b(?:superseded|replaced|obsoleted) (?:by|in)\b|\bsuperseded\b", said):
        return DecisionStatus.SUPERSEDED, _SURE
    if re.search(r"\b(?:rejected|deprecated|withdrawn|invalid|obsolete|declined|abandoned)\b", said):
        return DecisionStatus.INVALIDATED, _SURE
    if re.search(r"\b(?:draft|incomplete|work in progress|wip|under discussion)\b", said):
        return DecisionStatus.ACTIVE, _UNSURE
    if re.search(r"\b(?:proposed|proposal|pending|open|in review|tbd)\b", said):
        return DecisionStatus.ACTIVE, 0.62
    return DecisionStatus.ACTIVE, _SURE


def _gist(body: str) -> str:
    """The first paragraph that is prose, cut at a sentence's end within 600 characters."""
    for block in re.split(r"\n\s*\n", body):
        bare = " ".join(plain_words(line) for line in block.splitlines() if not line.lstrip().startswith(("|", "```", "![")))
        bare = bare.strip()
        if len(bare) < 8:
            continue
        if len(bare) <= _GIST:
            return statement(bare) if len(bare) < _GIST else bare
        cut = max(bare.rfind(mark, 0, _GIST) for mark in (". ", "; ", ", ", " "))
        return bare[: cut if cut > 0 else _GIST].rstrip(" ,;.")
    return " ".join(body.split())[:_GIST]


def _first(body: str) -> str:
    """The first sentence of a section as it stands there."""
    prose = " ".join(line.strip() for line in body.strip().split("\n\n")[0].splitlines())
    return next(iter(sentences(prose)), prose)[:_GIST]


def _unchosen(listed: tuple[str, ...], decision: str) -> tuple[str, ...]:
    """The options that the decision does not name as chosen."""
    chosen = re.search(r"chosen option:?\W*\"?([^\",\n]{2,80})", decision, re.I)
    name = chosen[1].strip(" *_.\"[]").lower() if chosen else None
    return tuple(one for one in listed if name is None or name not in one.lower())
