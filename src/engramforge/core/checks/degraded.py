"""Which records are degraded, and how each is repaired: the rules of the maintenance sweep.

A record is *broken* where it contradicts a law of the store (an interval that ends before it begins, a value out of its
range, two versions that hold at once, ...) and *poor* where it is sound but says little. Pure: records in, findings
out; walking through a store is the sweep's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from shlex import quote

from engramforge.core.checks.completeness import metadata_of, missing_important, missing_required, unsound
from engramforge.model.link import METADATA_FIELDS, Link, Relation
from engramforge.model.memory import Memory, Source
from engramforge.model.validation_report import Degraded

_UNASKED = (Source.IMPORT, Source.MD_FILE_CHUNK)
_VERSION_LINKS = (Relation.REVISES, Relation.SUPERSEDES)


def judge_memory(memory: Memory) -> Iterator[Degraded]:
    """What is wrong with one record of a memory, looked at alone; metadata only while it is on record."""
    look = f"engramforge history {memory.logical_id}"
    yield from _judge_intervals(memory, "memory", look)
    if memory.expired_at is not None:
        return
    present = metadata_of(memory)
    wrong = unsound(present)
    if not 0 <= memory.epistemic_tier <= 1:
        wrong.append("epistemic_tier")
    if wrong:
        yield Degraded(
            memory.id, "memory", "value", True,
            f"{', '.join(wrong)}: wrong type or out of range",
            "Revise it with sound values; a field of its metadata is replaced together with the others",
            f"engramforge show {memory.id}",
        )  # fmt: skip
    # An import has nobody to ask what a text was for.
    if memory.source not in _UNASKED and (missing := missing_required(present)):
        said = [f"--{name} TEXT" for name in missing if name in ("goal", "mindstate")]
        yield Degraded(
            memory.id, "memory", "metadata", False,
            f"{', '.join(missing)} missing; completeness {len(present)}/{len(METADATA_FIELDS)}",
            "Say them in a revision, or leave it as it is: nothing else depends on them",
            " ".join(["engramforge revise", memory.logical_id, *said]),
        )  # fmt: skip


def judge_link(link: Link, standing: bool, now: datetime) -> Iterator[Degraded]:
    """What is wrong with one link. `standing`: whether at least one of its ends holds now."""
    yield from _judge_intervals(link, "link", f"engramforge unlink {link.id}")
    if link.expired_at is not None:
        return
    present = metadata_of(link)
    unlink = f"engramforge unlink {link.id}"
    if wrong := unsound(present):
        yield Degraded(
            link.id, "link", "value", True, f"{', '.join(wrong)}: wrong type or out of range",
            "Unlink it, then link the two again with sound values", unlink,
        )  # fmt: skip
    to_itself = link.source_id == link.target_id
    # The link between versions is written by us, so nobody can add to it.
    if missing := missing_required(present) + ([] if to_itself else missing_important(present)):
        yield Degraded(
            link.id, "link", "metadata", False,
            f"{', '.join(missing)} missing; completeness {len(present)}/{len(METADATA_FIELDS)}",
            "Unlink it and link the two again with more, or leave it as it is",
        )  # fmt: skip
    if to_itself and link.relation not in _VERSION_LINKS:
        yield Degraded(
            link.id, "link", "itself", True, f"{link.relation} leads from a memory to itself", "Unlink it",
            unlink,
        )  # fmt: skip
    holds = link.valid_at <= now and (link.invalid_at is None or now < link.invalid_at)
    if holds and not standing and not to_itself:
        yield Degraded(
            link.id, "link", "ends", False, "It holds although neither of its ends holds any more",
            "Unlink it, or link the two again with the invalid_at at which they ended", unlink,
        )  # fmt: skip


def judge_versions(records: Sequence[Memory]) -> Iterator[Degraded]:
    """Records of one memory that are on record and hold at a common time: one of them is too many."""
    open_ones = sorted(
        (record for record in records if record.expired_at is None),
        key=lambda memory: (memory.valid_at, memory.version),
    )
    for before, after in pairwise(open_ones):
        if before.invalid_at is None or after.valid_at < before.invalid_at:
            yield Degraded(
                before.id, "memory", "doubled", True,
                f"Versions {before.version} and {after.version} are both on record and hold at the same time",
                "Revise the memory once: the newest version is replaced; then run the sweep again",
                f"engramforge history {before.logical_id}",
            )  # fmt: skip


def judge_doubled_links(links: Iterable[Link]) -> Iterator[Degraded]:
    """Links on record between the same ends, with the same relation, that hold at a common time."""
    last: dict[tuple[str, str, str], Link] = {}
    for link in sorted(
        (link for link in links if link.expired_at is None), key=lambda link: (link.valid_at, link.id)
    ):
        key = (link.source_id, link.target_id, link.relation)
        before = last.get(key)
        last[key] = link
        if before is None or link.source_id == link.target_id:
            continue
        if before.invalid_at is None or link.valid_at < before.invalid_at:
            yield Degraded(
                link.id, "link", "doubled", False, f"It says the same as the link {before.id}",
                "Unlink one of the two", f"engramforge unlink {link.id}",
            )  # fmt: skip


@dataclass(slots=True)
class FileParts:
    """Which chunks of which files are there; collects, then judges."""

    _found: dict[tuple[str, str, str], tuple[int, str, set[int]]] = field(default_factory=dict)

    def add(self, memory: Memory) -> None:
        """Count a chunk that is current."""
        for chunk in (memory.chunk, *memory.also_in) if memory.chunk else ():
            key = (memory.project, memory.agent, chunk.file_path)
            total, first, indexes = self._found.setdefault(key, (chunk.total_chunks, memory.id, set()))
            indexes.add(chunk.chunk_index)
            if chunk.total_chunks != total:
                self._found[key] = (max(total, chunk.total_chunks), first, indexes)

    def judge(self) -> Iterator[Degraded]:
        """Files of which some chunks are not on record."""
        for (project, _, path), (total, first, indexes) in self._found.items():
            missing = [number for number in range(total) if number not in indexes]
            if missing:
                yield Degraded(
                    first, "memory", "chunks", False,
                    f"Of the {total} chunks of {path} in project {project}, {len(missing)} are not there",
                    "Import the file again if they were lost; what was forgotten stays forgotten",
                    f"engramforge import {quote(path)} --project {quote(project)}" if path[:1] == "/" else None,
                )  # fmt: skip


def _judge_intervals(item: Memory | Link, kind: str, command: str) -> Iterator[Degraded]:
    """Half-open intervals that end before they begin, or at the same moment."""
    for axis, start, end in (
        ("true in the world", item.valid_at, item.invalid_at),
        ("on record", item.created_at, item.expired_at),
    ):
        if end is not None and end <= start:
            repair = (
                "Unlink it, then link the two again with the right times"
                if isinstance(item, Link)
                else "Correct its times with a revision; a closed record stays as it is and is never found"
            )
            yield Degraded(
                item.id, kind, "interval", True,
                f"It is {axis} from {start.isoformat()} until {end.isoformat()}, which is no time at all",
                repair, command if item.expired_at is None else None,
            )  # fmt: skip
