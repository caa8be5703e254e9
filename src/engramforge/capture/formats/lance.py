"""A LanceDB table: the folder NAME.lance, read row by row in batches by the optional package `lancedb`.

Columns are found by their usual names, whatever else a table has: text (content, text, memory, ...), id, project,
session, speaker, kind, tags, times, and metadata as JSON text or as a struct. Other plain columns are kept as metadata;
vectors and bytes are not read at all. A row without an id is recognised by what it says.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Context, Format
from engramforge.capture.reading.other_memories import nonempty, past, tags_of
from engramforge.capture.reading.records import Item, Place, parse_json
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.values import digest_of, list_of
from engramforge.core.checks.identities import quoted
from engramforge.errors import InvalidSource
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Kind, Source

SUFFIX: Final = ".lance"
BATCH_ROWS: Final = 512
_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "content": ("content", "text", "memory", "document", "page_content", "body", "message", "chunk"),
    "id": ("id", "uuid", "memory_id", "_id", "key"),
    "project": ("project", "project_name", "namespace", "workspace", "collection"),
    "session": ("session_id", "conversation_id", "thread_id", "run_id", "session"),
    "speaker": ("speaker", "role", "author", "sender"),
    "kind": ("kind", "memory_type", "type"),
    "name": ("name", "title"),
    "tags": ("tags", "labels", "categories"),
    "metadata": ("metadata", "meta", "extra"),
    "created": ("created_at", "created", "timestamp", "time", "date", "inserted_at"),
    "valid": ("valid_at", "event_time", "occurred_at"),
    "invalid": ("invalid_at", "valid_until"),
}
_KINDS: Final = frozenset(str(kind) for kind in Kind)


def read(source: ImportSource, context: Context) -> Iterator[Item]:
    """The rows of the table, one item each. Raises InvalidSource where it cannot be read at all."""
    table = _open(source.path)
    total = max(table.count_rows(), 1)
    yield from _read(source, context, table, [("", total)], total)


def read_about(source: ImportSource, context: Context, words: Sequence[str], most: int) -> Iterator[Item]:
    """Up to `most` rows: those that hold the rarest of the words, within others too, first. Raises InvalidSource."""
    table = _open(source.path)
    column = _named(table.schema).get("content")
    holds = [f"lower(`{column}`) LIKE '%{word}%'" for word in words if column and word.isalnum()]
    parts, taken = [], "false"
    for rows, each in sorted((table.count_rows(each), each) for each in holds):
        if (left := min(rows, most)) > 0:
            parts.append((f"({each}) AND NOT ({taken})", left))
            taken, most = f"{taken} OR {each}", most - left
    yield from _read(source, context, table, parts, 1)


def rows_of(path: Path) -> int:
    """How many rows the table in a folder has. Raises InvalidSource where it cannot be opened."""
    return int(_open(path).count_rows())


def _read(
    source: ImportSource, context: Context, table: Any, parts: Sequence[tuple[str, int]], total: int
) -> Iterator[Item]:
    """The rows of each part, a condition in SQL and how many at most; `total`: of how many, for the progress."""
    names = _named(table.schema)
    wanted = [field.name for field in table.schema if _is_plain(field.type)]
    if "content" not in names:
        raise InvalidSource(
            f"The table {source.path} has no column with texts (it has {quoted(', '.join(table.schema.names), 300)})",
            f"One of its columns has to be called {', '.join(_COLUMNS['content'])}",
        )
    number, seen = 0, Counter[str]()
    try:
        for condition, most in parts:
            rows = table.search().select(wanted).limit(most)
            for batch in (rows.where(condition) if condition else rows).to_batches(BATCH_ROWS):
                for row in batch.to_pylist():
                    number += 1
                    place = Place(source.place, number, source.size * min(number, total) // total)
                    yield _item(source, context, names, row, place, seen)
    except (OSError, RuntimeError, ValueError) as error:
        place = Place(source.place, number + 1, source.size)
        yield place.fault("row", f"the table is damaged ({str(error)[:200]})")


def _open(path: Path) -> Any:
    try:
        import lancedb
    except ImportError as error:
        raise InvalidSource(
            f"{path} is a LanceDB table, and the package lancedb is not installed",
            "Install it: pip install 'engramforge[lancedb]'",
        ) from error
    try:
        return lancedb.connect(str(path.parent)).open_table(path.name.removesuffix(SUFFIX))
    except (OSError, RuntimeError, ValueError) as error:
        raise InvalidSource(
            f"The LanceDB table {path} cannot be opened ({str(error)[:200]})",
            "Check that the folder is whole, and that the installed lancedb is not older than the table's",
        ) from error


def _named(schema: Any) -> dict[str, str]:
    """Our name -> the table's column: the first of the usual ones, ignoring case."""
    there = {name.casefold(): name for name in schema.names}
    found = {ours: next(filter(None, map(there.get, usual)), None) for ours, usual in _COLUMNS.items()}
    return {ours: column for ours, column in found.items() if column is not None}


def _is_plain(kind: Any) -> bool:
    """Whether a column's type is read: no vectors, no bytes."""
    import pyarrow as pa  # type: ignore[import-untyped]

    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return bool(pa.types.is_string(kind.value_type) or pa.types.is_large_string(kind.value_type))
    binary = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
    return not any(check(kind) for check in binary)


def _item(
    source: ImportSource,
    context: Context,
    names: Mapping[str, str],
    row: Mapping[str, Any],
    place: Place,
    seen: Counter[str],
) -> Item:
    values = {ours: row.get(column) for ours, column in names.items()}
    text = values["content"]
    if not isinstance(text, str) or not text.strip():
        return place.skipped("row", "no text", is_message=True)
    metadata = _metadata(values.get("metadata"))
    taken = set(names.values())
    others = {name: _plain(value) for name, value in row.items() if name not in taken}
    project = _text(values.get("project")) or _text(metadata.get("project")) or context.project
    created = past(
        context.now, _time(values.get("created")), metadata.get("created_at"), metadata.get("timestamp")
    )
    since = past(context.now, _time(values.get("valid"))) or context.dated(created)
    until = past(context.now, _time(values.get("invalid")))
    kind = _text(values.get("kind")).lower()
    draft = Draft(
        content=text,
        kind=Kind(kind) if kind in _KINDS else Kind.NOTE,
        name=cut(_text(values.get("name")), NAME_CHARACTERS) or None,
        source=Source.IMPORT,
        project=context.asked_project or cut(project or DEFAULT_PROJECT, NAME_CHARACTERS),
        session_id=cut(_text(values.get("session")), NAME_CHARACTERS) or None,
        speaker=cut(_text(values.get("speaker")), NAME_CHARACTERS) or None,
        tags=tags_of(_tags(values.get("tags"))),
        metadata=nonempty({**others, **({} if kind in _KINDS else {"type": kind}), **metadata}),
        valid_at=since,
        invalid_at=until if until is not None and until > since else None,
        recorded_at=created or since,
        origin=_origin(source, values, seen),
    )
    return place.item("row", draft)


def _origin(source: ImportSource, values: Mapping[str, Any], seen: Counter[str]) -> str:
    """The identity of a row: its id, else its text and how often that came before."""
    identity = values.get("id")
    table = source.path.name.removesuffix(SUFFIX)[:200]
    if isinstance(identity, str | int) and not isinstance(identity, bool) and str(identity).strip():
        return f"lancedb:{table}:{identity}"
    said = json.dumps([values.get("content"), str(values.get("created"))], ensure_ascii=True)
    digest = digest_of(said, 16)
    seen[digest] += 1
    return f"lancedb:{table}:{digest}:{seen[digest]}"


def _metadata(value: Any) -> dict[str, Any]:
    """Metadata as a struct, a map, or an object in JSON."""
    if isinstance(value, str):
        parsed, fault = parse_json(value.encode("utf-8", "replace"))
        if fault:
            return {"metadata": value} if value.strip() else {}
        value = parsed
    if isinstance(value, list) and all(isinstance(each, tuple) and len(each) == 2 for each in value):
        value = dict(value)
    return {str(name): _plain(item) for name, item in value.items()} if isinstance(value, dict) else {}


def _tags(value: Any) -> Sequence[Any]:
    """Tags as a list, as one in JSON, or as words between commas."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = parse_json(value.encode("utf-8", "replace"))[0]
    return value.split(",") if isinstance(value, str) else list_of(value)


def _time(value: Any) -> Any:
    """A column's time with a zone; without one it is UTC, in which Arrow keeps times."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def _text(value: Any) -> str:
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


FORMAT: Final = Format(
    name="lancedb",
    title="LanceDB tables",
    read=read,
    claims=lambda listing: listing.path.name.endswith(SUFFIX) and "_versions" in listing.folders,
)
