"""A line of an export without secrets: somebody may have written them in, or a rule may be newer than the store.

Free texts are redacted; a line is refused where a name holds a secret, as every other verb refuses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

from engramforge.capture.formats.own_export import Line
from engramforge.core.checks.identities import holds_secret
from engramforge.core.rows.row_reading import ExportedRow
from engramforge.model.link import Link
from engramforge.model.memory import Memory
from engramforge.model.scope import Project
from engramforge.model.storing.record import AuditEntry
from engramforge.model.storing.section import Mark, Origin, StoredInjection
from engramforge.writing.preparing import SHARED, draft_of
from engramforge.writing.redact import Redactor


def redacted(line: Line, redactor: Redactor) -> Line:
    """The line as it may be stored; with a fault and no row if a name in it holds a secret."""
    if line.row is None:
        return line
    for field, name in _names(line.row):
        if holds_secret(name):
            return replace(
                line, row=None, fault=f"The {field} holds a secret, and names are stored as they are"
            )
    row = _cleaned(line.row, redactor)
    return line if row is line.row else replace(line, row=row)


def _names(row: ExportedRow) -> Iterator[tuple[str, str]]:
    """Field and text of everything by which something is known."""
    if isinstance(row, Memory):
        entry = row.registration
        yield from (("project", row.project), ("agent", row.agent), ("session id", row.session_id or ""))
        yield from (("emotion", name) for name in row.emotion_vector)
        yield from (("attachment sha256", each.sha256) for each in row.attachments)
        if entry is not None:
            yield from (("conversation", name) for name in (*entry.conversations, entry.continuation or ""))
            yield "local id", entry.local_id or ""
    elif isinstance(row, Link):
        yield "relation", row.relation
        yield from (("emotion", name) for name in row.emotion_vector)
    elif isinstance(row, Project | Origin):
        yield "project", row.name if isinstance(row, Project) else row.project
    elif isinstance(row, Mark):
        yield "key", row.key
    elif isinstance(row, StoredInjection):
        its = row.injection
        yield from (("agent", row.agent), ("session", its.session or ""), ("project", its.project or ""))
        yield from (("event", its.event), ("cause", its.cause))
    else:
        yield from (("agent", row.agent), ("subject", row.subject), ("action", row.action))
        if row.effect is not None:
            yield from (("effect", row.effect.id), ("effect", row.effect.of))
            for use in row.effect.uses:
                yield from (("conversation", name) for name in (*use.mentioned, *use.unmentioned))


def _cleaned(row: ExportedRow, redactor: Redactor) -> ExportedRow:
    """The row with its free texts redacted; the same row if they hold no secret."""
    if isinstance(row, Memory):
        cleaned, redaction = redactor.redact_draft(draft_of(row))
        if redaction.secrets:
            said = {name: getattr(cleaned, name) for name in SHARED if name != "agent"}
            said["content"] = cleaned.content or "[REDACTED]"
            return replace(row, **said, registration=cleaned.registration)
    elif isinstance(row, Link):
        texts = {each.name: getattr(row, each.name) for each in fields(row)}
        texts = {name: value for name, value in texts.items() if type(value) in (str, dict)}
        cleaned_texts = redactor.redact_values(texts)
        if cleaned_texts != texts:
            return replace(row, **cleaned_texts)
    elif isinstance(row, Mark):
        value = redactor.redact_values(row.value)
        return row if value == row.value else replace(row, value=value)
    elif isinstance(row, StoredInjection):
        note = redactor.redact(row.injection.note).text
        return (
            row if note == row.injection.note else replace(row, injection=replace(row.injection, note=note))
        )
    elif isinstance(row, AuditEntry):
        reason = redactor.redact(row.reason).text
        return row if reason == row.reason else replace(row, reason=reason)
    return row
