"""A draft from a mapping of field names to values, as faces, batches and JSON files bring it.

Only names and shapes are checked here; values are checked by validation. An unknown name is refused with the nearest
known one, so that a typing error never loses a field silently.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from typing import Any, Final

from engramforge.core.checks.identities import quoted
from engramforge.core.checks.validation import check_content
from engramforge.errors import InvalidContent, InvalidValue
from engramforge.model.memory import Attachment, Chunk, Draft

_OWN: Final = frozenset({"registration", "implied_session", "also_in", "also_origins", "same_as", "live_as"})
DRAFT_FIELDS: Final = tuple(field.name for field in fields(Draft) if field.name not in _OWN)
"""The names that a mapping may use; registrations are set by the registries, implied sessions by
the writing, further origins by importers."""
_CHUNK_FIELDS: Final = tuple(field.name for field in fields(Chunk))
_ATTACHMENT_FIELDS: Final = tuple(field.name for field in fields(Attachment))


def draft_from(values: Draft | Mapping[str, Any]) -> Draft:
    """A draft from a mapping of `Draft`'s field names; a draft is returned without the fields that only importers set.

    A field given as None counts as left out. Values are not checked; `validation.check_draft` does that and
    also reads words and ISO times given as text.

    Raises InvalidContent: there is no content; InvalidValue: a name is unknown, or a chunk or attachment is not a
    mapping of its own fields.
    """
    if isinstance(values, Draft):
        is_importers = values.also_in or values.also_origins or values.same_as or values.live_as
        return (
            replace(values, also_in=(), also_origins=(), same_as=(), live_as=()) if is_importers else values
        )
    if not isinstance(values, Mapping):
        raise InvalidValue(
            f"A draft is a {type(values).__name__}", "Pass a Draft, or a mapping of its fields"
        )
    refuse_unknown(values, DRAFT_FIELDS, "field")
    given = {name: value for name, value in values.items() if value is not None}
    if "content" not in given:
        raise InvalidContent("The draft has no content", "Give it a `content`")
    if isinstance(given["content"], bytes | bytearray):
        given["content"] = check_content(given["content"])
    if isinstance(given.get("chunk"), Mapping):
        given["chunk"] = _part(Chunk, given["chunk"], _CHUNK_FIELDS, "chunk")
    if isinstance(given.get("attachments"), list | tuple):
        given["attachments"] = tuple(
            _part(Attachment, item, _ATTACHMENT_FIELDS, "attachment") if isinstance(item, Mapping) else item
            for item in given["attachments"]
        )
    return Draft(**given)


def refuse_unknown(values: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    """Raise InvalidValue for the first name that is not among the known ones, suggesting the nearest."""
    for name in values:
        if name not in known:
            near = get_close_matches(str(name)[:100], known, 1)
            hint = f"Did you mean {near[0]}? " if near else ""
            raise InvalidValue(
                f"There is no {what} {quoted(str(name), 100)}", f"{hint}Known are {', '.join(known)}"
            )


def _part(kind: type[Any], values: Mapping[str, Any], known: tuple[str, ...], what: str) -> Any:
    refuse_unknown(values, known, f"{what} field")
    try:
        return kind(**{name: value for name, value in values.items() if value is not None})
    except TypeError:
        missing = ", ".join(name for name in known if values.get(name) is None)
        raise InvalidValue(f"The {what} lacks {missing}", f"A {what} has {', '.join(known)}") from None
