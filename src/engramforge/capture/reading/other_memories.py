"""What readers of other memories' exports share: tags, relations and times in our words, and broken records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.values import digest_of, time_of
from engramforge.model.limits import NAME_CHARACTERS, TAGS_PER_MEMORY
from engramforge.model.link import Relation
from engramforge.model.memory import Draft

_NO_WORD: Final = re.compile(r"[^A-Z0-9]+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
RELATION_CHARACTERS: Final = 64
DIGEST: Final = "source_digest"
"""Key of a memory's metadata: the digest of its record when it was imported."""


def relation_of(name: Any) -> str:
    """A relation's name as an upper-case word: `works at` and `worksAt` become WORKS_AT; RELATES_TO without a name."""
    said = _CAMEL.sub("_", name) if isinstance(name, str) else ""
    word = (
        _NO_WORD.sub("_", cut(said, RELATION_CHARACTERS).upper()).strip("_")[:RELATION_CHARACTERS].strip("_")
    )
    return word if word and not word[0].isdigit() else str(Relation.RELATES_TO)


def tags_of(names: Iterable[Any]) -> tuple[str, ...]:
    """Texts as tags: distinct, in order, within a memory's limit."""
    texts = (cut(" ".join(name.split()), NAME_CHARACTERS) for name in names if isinstance(name, str))
    return tuple(dict.fromkeys(text for text in texts if text))[:TAGS_PER_MEMORY]


def past(now: datetime, *values: Any) -> datetime | None:
    """The first of these values that is a time, at most now; None without."""
    for value in values:
        found = value if isinstance(value, datetime) else time_of(value)
        if found is not None:
            return min(found, now)
    return None


def nonempty(values: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata without empty values."""
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}


def with_digest(draft: Draft) -> Draft:
    """The draft with a digest of its record in its metadata, by which a later import sees that it changed."""
    until = None if draft.invalid_at is None else draft.invalid_at.isoformat()
    said = repr((draft.content, draft.name, draft.tags, sorted(map(repr, draft.metadata.items())), until))
    return replace(draft, metadata={**draft.metadata, DIGEST: digest_of(said)})
