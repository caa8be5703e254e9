"""From the content of an archive to its text; what matters most comes first, so that a cut costs the least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from hashlib import sha256
from typing import Any, Final

from engramforge.core.archive_format import shapes
from engramforge.core.archive_format.clues import HEAD_KEY
from engramforge.core.archive_format.forms import (
    fits_heading,
    is_plain,
    quote,
    write_heading,
    write_instant,
    write_text,
)
from engramforge.core.archive_format.shapes import Shape, Table
from engramforge.model.registries.archive import ArchiveContent

COUNTED: Final = tuple(part.field for part in (*shapes.SHAPES, *shapes.TABLES))
"""Fields of a content whose sizes its head says."""


def write_archive(content: ArchiveContent, changed: Sequence[str] = ()) -> str:
    """The text of an archive; `read_archive` gives the same content back.

    `changed`: what the registry said otherwise than an earlier text, a sentence each; for people, and not read back.
    """
    body = "\n".join(_lines(content, changed)) + "\n"
    end = shapes.END.format(digest=digest_of(body), characters=len(body))
    return f"{body}{end}\n"


def write_entry(entry: Any) -> str:
    """One entry as its section holds it: an `ArchivedDecision`, `ArchivedThread`, ..."""
    shape = next(shape for shape in shapes.SHAPES if isinstance(entry, shape.make))
    return "\n".join(_entry_lines(shape, entry)) + "\n"


def digest_of(body: str) -> str:
    """The checksum of an archive's text before its end mark: 16 hexadecimal digits of SHA-256."""
    return sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _lines(content: ArchiveContent, changed: Sequence[str]) -> Iterator[str]:
    yield from ("---", *_head(content), "---", "")
    title = next(
        (each for each in (content.compression_tag, content.conversation_id) if fits_heading(each)), "archive"
    )
    yield from (f"# Archive: {title}", "")
    if content.summary:
        yield from (f"## {shapes.SUMMARY}", "", *quote(content.summary), "")
    if changed:
        told = (quoted for each in changed for quoted in quote(each))
        yield from (f"## {shapes.CHANGED}", "", *told, "")
    yield from _table(shapes.REVALIDATION, content.revalidation)
    yield from _entries(shapes.DECISIONS, content.decisions)
    yield from _entries(shapes.THREADS, content.threads)
    yield from _table(shapes.RELATED, content.related)
    yield from _table(shapes.LINEAGE, content.lineage)
    yield from (f"## {shapes.PROTOCOL}", "", *shapes.PROTOCOL_TEXT, "")
    yield from _entries(shapes.ARTIFACTS, content.artifacts)
    yield from _entries(shapes.MEMORIES, content.memories)


def _head(content: ArchiveContent) -> Iterator[str]:
    import yaml

    said: dict[str, Any] = {
        HEAD_KEY: shapes.FORMAT_VERSION,
        "conversation": content.conversation_id,
        "project": content.project,
        "tag": content.compression_tag,
        "mode": str(content.compression_mode),
        "compressed_at": write_instant(content.compressed_at),
        "lineage_id": content.lineage_id,
        "turn_range": None if content.turn_range is None else list(content.turn_range),
        "context": content.context,
        "counts": {name: len(getattr(content, name)) for name in COUNTED if getattr(content, name)},
        "external_store": content.external_store or None,
    }
    options: dict[str, Any] = {
        "Dumper": _dumper(),
        "sort_keys": False,
        "allow_unicode": True,
        "width": 100_000_000,
    }
    # Key by key: a mapping of nothing but plain values would come out on one line.
    for name, value in said.items():
        if value not in (None, {}):
            plain = _as_json(value)
            flow = None if isinstance(plain, dict | list) else False
            yield from yaml.dump({name: plain}, default_flow_style=flow, **options).rstrip("\n").split("\n")


def _dumper() -> Any:
    """A dumper that repeats what comes twice, and keeps each text on one line."""
    import yaml

    class Plain(yaml.SafeDumper):
        def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - the name is the library's
            return True

    def represent(dumper: Any, text: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if is_plain(text) else '"')

    Plain.add_representer(str, represent)
    return Plain


def _as_json(value: Any) -> Any:
    """Mappings and sequences as the dict and list that YAML knows."""
    if isinstance(value, dict) or hasattr(value, "items"):
        return {str(name): _as_json(each) for name, each in value.items()}
    return [_as_json(each) for each in value] if isinstance(value, list | tuple) else value


def _entries(shape: Shape, entries: Sequence[Any]) -> Iterator[str]:
    if not entries:
        return
    yield from (f"## {shape.title}", "")
    for entry in entries:
        yield from _entry_lines(shape, entry)


def _entry_lines(shape: Shape, entry: Any) -> Iterator[str]:
    usual = {field.name: field.default for field in fields(shape.make)}
    headline = getattr(entry, shape.heading)
    in_heading = fits_heading(headline)
    yield write_heading(entry.local_id, headline if in_heading else None)
    yield ""
    said: list[str] = []
    for line in shape.lines:
        value = getattr(entry, line.field)
        if line.repeated or line.always or value != usual[line.field]:
            said += [
                f"- {line.label}: {line.form.write(each)}" for each in (value if line.repeated else (value,))
            ]
    if not in_heading and headline is not None and not shape.required and headline != usual[shape.heading]:
        said.insert(0, f"- {shape.heading}: {write_text(headline)}")
    yield from (*said, *([""] if said else []))
    if not in_heading and shape.required:
        yield from (f"{shape.heading.capitalize()}:", "", *quote(headline), "")
    for name in shape.blocks:
        text = getattr(entry, name)
        if text != usual[name]:
            if name != shape.blocks[0] or shape.required:
                yield from (f"{name.capitalize()}:", "")
            yield from (*quote(text), "")


def _table(table: Table, rows: Sequence[Any]) -> Iterator[str]:
    if not rows:
        return
    yield from (f"## {table.title}", "")
    yield _row([column.label for column in table.columns])
    yield _row(["---"] * len(table.columns))
    for row in rows:
        yield _row([column.form.write(getattr(row, column.field)) for column in table.columns])
    yield ""


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
