"""How memories look on a page that people read: decisions, threads, lineage, turns, notes, as Markdown.

Every entry has its id and its dates. Contents are written unchanged but for comments, which are escaped, so that
nothing in them can look like a mark (core/text/page_marks).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from engramforge.core.text.page_marks import RATIONALE, TEXT, escaped, marked
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import DecisionStatus, ThreadStatus
from engramforge.model.registries.lineage import LineageEdge
from engramforge.model.registries.thread import Thread

_TITLE: Final = 80
SHOWN_CHARACTERS: Final = 100_000
"""How much of a content a page shows; the JSON lines have all of it."""

DECISIONS_HEAD: Final = """# Decisions

What stands between `<!-- decision ... -->` or `<!-- rationale ... -->` and `<!-- end -->` may be edited: an import of
this folder takes the new text as a revision. Everything else on this page is made anew by the next export.
"""


def decision_block(history: Sequence[Decision], titles: Mapping[str, str]) -> str:
    """A decision with its earlier versions.

    `history`: its records, oldest first; the last gives its present state. `titles`: global id -> the beginning of
    other decisions' texts.
    """
    head = history[-1]
    parts = [f"\n### {title_of(head.decision)}\n\n", marked(TEXT, head.id, head.version, head.decision)]
    if head.rationale:
        parts += ["\nRationale:\n\n", marked(RATIONALE, head.id, head.version, head.rationale)]
    said = [
        ("id", f"{head.id}, version {head.version}"),
        ("status", _status(head, titles)),
        ("since", day(head.valid_at)),
        ("until", None if head.invalid_at is None else day(head.invalid_at)),
        ("recorded", day(head.created_at)),
        (
            "tier",
            f"{head.epistemic_tier:g}, validated {head.validation_count} times, last {day(head.last_validated)}",
        ),
        ("conversations", ", ".join(_escaped(head.conversation_ids))),
        ("called", head.local_id),
        ("rejected", "; ".join(_escaped(head.alternatives_rejected))),
        ("builds on", ", ".join(head.dependencies)),
        ("tags", ", ".join(_escaped(head.tags))),
        ("memory", head.memory_id),
    ]
    parts += ["\n", _listed(said)]
    seen = {head.version}
    for before in reversed(history[:-1]):
        if before.version not in seen:
            seen.add(before.version)
            until = f", recorded {day(before.created_at)}"
            parts.append(f"- before, version {before.version}{until}: {_line(before.decision)}\n")
    return "".join(parts)


def _status(head: Decision, titles: Mapping[str, str]) -> str:
    """Its status; of a superseded decision, also its successor."""
    if head.status is not DecisionStatus.SUPERSEDED or head.superseded_by is None:
        return str(head.status)
    title = titles.get(head.superseded_by)
    return f"superseded by {head.superseded_by}" + (f" ({title})" if title else "")


def thread_block(thread: Thread) -> str:
    """A thread."""
    blockers = ", ".join(
        f"{blocker.id} ({title_of(blocker.title)}, {blocker.status})" for blocker in thread.blocked_by
    )
    said = [
        ("id", f"{thread.id}, version {thread.version}"),
        (
            "status",
            f"{thread.status}, priority {thread.priority}" + (", blocked" if thread.is_blocked else ""),
        ),
        ("opened", day(thread.opened_at)),
        ("closed", None if thread.status is ThreadStatus.OPEN else day(thread.valid_at)),
        ("resolution", None if thread.resolution is None else _line(thread.resolution)),
        ("resolved in", thread.resolved_in),
        ("waits for", blockers),
        ("conversations", ", ".join(_escaped(thread.conversation_ids))),
        ("called", thread.local_id),
        ("tags", ", ".join(_escaped(thread.tags))),
        ("memory", thread.memory_id),
    ]
    body = f"{escaped(thread.content)}\n\n" if thread.content else ""
    return f"\n### {title_of(thread.title)}\n\n{body}{_listed(said)}"


def edge_block(edge: LineageEdge) -> str:
    """An edge of the lineage."""
    target = edge.target_conversation_id or "(nobody went on yet)"
    turns = None if edge.turn_range is None else f"{edge.turn_range[0]} to {edge.turn_range[1]}"
    said = [
        ("id", edge.id),
        ("compressed", f"{day(edge.compressed_at)}, {edge.compression_mode}"),
        ("tag", edge.compression_tag),
        ("turns", turns),
        ("decisions carried", ", ".join(edge.decisions_carried)),
        ("decisions dropped", ", ".join(edge.decisions_dropped)),
        ("threads carried", ", ".join(edge.threads_carried)),
        ("threads resolved", ", ".join(edge.threads_resolved)),
        ("archive", edge.archive_id),
        ("memory", edge.memory_id),
    ]
    summary = f"{escaped(edge.bridge_summary)}\n\n" if edge.bridge_summary else ""
    return f"\n### {title_of(edge.source_conversation_id)} to {title_of(target)}\n\n{summary}{_listed(said)}"


def memory_block(memory: Memory) -> str:
    """A turn of a conversation, a note, a chunk: who, when, what kind, its id, and what it says."""
    name = None if memory.name is None else title_of(memory.name)
    ended = None if memory.invalid_at is None else f"until {day(memory.invalid_at)}"
    who = None if memory.speaker is None else _line(memory.speaker)
    said = [who, str(memory.kind), day(memory.valid_at), ended, memory.logical_id]
    if memory.version > 1:
        said.append(f"version {memory.version}")
    heading = f"\n## {name}\n" if name and memory.kind is not Kind.CHUNK else ""
    content = memory.content
    if len(content) > SHOWN_CHARACTERS:
        content = f"{content[:SHOWN_CHARACTERS]}\n\n(... {len(content) - SHOWN_CHARACTERS:,} characters more)"
    tags = f"\n\ntags: {', '.join(_escaped(memory.tags))}" if memory.tags else ""
    return f"{heading}\n**{' · '.join(filter(None, said))}**\n\n{escaped(content)}{tags}\n"


def title_of(text: str) -> str:
    """The beginning of a text as a heading: one line."""
    line = _line(text)
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1].rstrip()}…"


def day(at: datetime) -> str:
    """A time, to the second, in UTC."""
    return at.strftime("%Y-%m-%d %H:%M:%S")


def _line(text: str) -> str:
    return escaped(" ".join(text.split()))


def _escaped(texts: Iterable[str]) -> list[str]:
    return [_line(text) for text in texts]


def _listed(said: Iterable[tuple[str, str | None]]) -> str:
    """Names and values as a list; those without a value are left out."""
    return "".join(f"- {name}: {value}\n" for name, value in said if value)
