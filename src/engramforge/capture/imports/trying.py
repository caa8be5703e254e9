"""How the first record of a stranger's JSONL would be read, so that a map of its fields can be tried beforehand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from engramforge.capture.formats.table import FORMATS
from engramforge.capture.imports.survey import Survey
from engramforge.capture.reading.format import Context
from engramforge.core.text.portions import excerpt_within
from engramforge.model.memory import Draft

_SHOWN: Final = ("content", "kind", "speaker", "session_id", "sequence", "project", "valid_at", "origin")
_CHARACTERS: Final = 300


def first_record(
    found: Survey, fields: Mapping[str, str], project: str | None, now: datetime, redact: Callable[[str], str]
) -> dict[str, Any]:
    """The place of the first record with what it would become, by field, or with its fault; empty without any.

    `fields`, `project`: as in `Context`. `redact`: takes the secrets out of what is shown.
    """
    for source in found.sources:
        context = Context(
            project=project,
            asked_project=project,
            now=now,
            mtime=source.mtime,
            root=found.root,
            fields=fields,
        )
        for item in FORMATS[source.format].read(source, context):
            place = item.path if item.line is None else f"{item.path}:{item.line}"
            if item.fault:
                return {"place": place, "fault": redact(item.fault)}
            if item.drafts:
                return {"place": place, **_told(item.drafts[0], redact)}
    return {}


def _told(draft: Draft, redact: Callable[[str], str]) -> dict[str, Any]:
    """The fields of a draft that say something, as JSON has them."""
    said = {name: getattr(draft, name) for name in _SHOWN} | {"metadata": dict(draft.metadata)}
    told: dict[str, Any] = {}
    for name, value in said.items():
        if value in (None, "", {}):
            continue
        if isinstance(value, datetime):
            told[name] = value.isoformat()
        elif isinstance(value, int):
            told[name] = value
        else:
            told[name] = excerpt_within(redact(str(value)), _CHARACTERS, least=1)
    return told
