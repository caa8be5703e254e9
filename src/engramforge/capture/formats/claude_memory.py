"""What Claude keeps in its own memory, from exports of Claude.ai: a text about the user, one for each project, files.

Such a text is as of its export; a changed text in a later export supersedes it chunk by chunk, as a changed Markdown
file does (capture/writers/changed_records).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engramforge.capture.reading.chats import changing_drafts
from engramforge.capture.reading.format import Context
from engramforge.capture.reading.records import Item, Place
from engramforge.capture.reading.values import (
    chat_time_of,
    cleaned,
    digest_of,
    object_of,
    objects_in,
    printable,
    text_of,
)
from engramforge.core.checks.identities import holds_secret

RECORD: Final = "memory text"
_DRAFTS: Final = 400
"""The most chunks of a text: a batch holds at most 500 drafts."""


def memory_items(
    context: Context, value: Mapping[str, Any], names: Mapping[str, str], own: str, place: Place
) -> Iterator[Item]:
    """What Claude remembers about the user and each project.

    `names`: of projects by their ids. `own`: the project of memories without one.
    """
    account = printable(value.get("account_uuid"), 200) or "account"
    at = context.dated(chat_time_of(value.get("updated_at")))
    found: list[tuple[str, str, str, Any]] = [
        ("memory", own, "Claude's memory", value.get("conversations_memory"))
    ]
    for key, text in object_of(value.get("project_memories")).items():
        project = context.asked_project or names.get(key) or own
        found.append((f"project:{key}", project, f"Claude's memory of {names.get(key, key)}", text))
    found += [(f"file:{name}", own, name, text) for name, text in _memory_files(value.get("memory_files"))]
    for key, project, name, text in found:
        if said := cleaned(text_of(text)):
            where = {"project": project, "valid_at": at, "recorded_at": at}
            # What it is known by is stored as it is.
            its = digest_of(key) if holds_secret(key) else key
            drafts = changing_drafts(
                said, printable(name) or "memory", f"claude.ai:memory:{account}:{its}", where, context.clean
            )
            if len(drafts) > _DRAFTS:
                yield place.fault(RECORD, f"{name} is longer than {_DRAFTS} chunks")
            else:
                yield place.item(RECORD, *drafts, is_message=False)


def _memory_files(value: Any) -> Iterator[tuple[str, Any]]:
    """Names and texts of a memory's files, held by name or as a list of objects."""
    for name, held in object_of(value).items():
        yield printable(name) or "memory", held.get("content") if isinstance(held, dict) else held
    for place, each in enumerate(objects_in(value)):
        name = next(
            (each[key] for key in ("path", "file_path", "name", "file_name", "filename") if each.get(key)), ""
        )
        yield printable(name) or f"memory {place + 1}", each.get("content", each.get("text"))
