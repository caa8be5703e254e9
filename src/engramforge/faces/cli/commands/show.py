"""`engramforge show`: one memory with everything known of it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import click

from engramforge.errors import NotFound
from engramforge.faces.cli.commands.links import texts_of
from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import faint, say, short, show_json, show_pairs, show_table, wrapped
from engramforge.faces.views.link import LinkView
from engramforge.faces.views.memory import ChunkView, EmbeddingsView, MemoryView, UsageView, usage_line
from engramforge.faces.views.shape import numbered

if TYPE_CHECKING:
    from engramforge.forge import Forge
    from engramforge.model.link import Link
    from engramforge.model.memory import Memory

_LINES_SHOWN: Final = 12


@click.command("show")
@click.argument("id_", metavar="ID")
@click.option(
    "--all", "every", is_flag=True, help="The whole text, every field, and what each space makes of it."
)
@store_options
def command(call: Call, id_: str, every: bool) -> None:
    """Show the memory ID: a version's id, or the id that all versions share (then the current one).

    In short with its links; with --all every field, and what each of the thirteen spaces makes of it: encoder, norm,
    calibration, surprise. --json has all of it.
    """
    with call.open() as forge:
        usage = UsageView.of(forge.injections.usage(id_))  # before it is opened once more
        memory = forge.get(id_)
        replaced = "" if call.as_json else _replaced(forge, memory)
        links = forge.links(memory.logical_id)
        ends = [] if call.as_json else [end for x in links for end in (x.source_id, x.target_id)]
        said = texts_of(forge, (each for each in ends if each != memory.logical_id))
        embeddings = EmbeddingsView.of(forge.embeddings(memory.id)) if every or call.as_json else None
    if call.as_json:
        told = {"memory": MemoryView.of(memory), "usage": usage, "links": LinkView.list_of(links)}
        show_json({**told, "embeddings": embeddings})
        return
    if replaced:
        say(f"{replaced}\n")
    show_memory(MemoryView.of(memory), every, usage_line(usage))
    # A revision links a memory to itself, which says nothing that its history does not.
    if links := [each for each in links if each.source_id != each.target_id]:
        say()
        show_table(
            ("relation", "other end", "it says", "energy", "confidence"),
            [_linked(each, memory.logical_id, said) for each in links],
            title="Links",
        )
    if embeddings is not None:
        say()
        show_embeddings(embeddings)


def _replaced(forge: Forge, memory: Memory) -> str:
    """What took the place of a version that holds no more, or how it ended, and how to see what holds; else empty."""
    if not memory.is_superseded:
        return ""
    records = forge.history(memory.logical_id)
    ended = [each.invalid_at for each in records if each.version == memory.version and not each.expired_at]
    at = next(filter(None, ended), memory.expired_at)
    when = f" on {at:%Y-%m-%d %H:%M}" if at else ""
    why = f" ({memory.invalidation_reason})" if memory.invalidation_reason else ""
    last = forge.get(memory.logical_id)
    if not last.is_superseded:
        which = f"version {last.version}, {short(last.id)},"
        return (
            f"This was replaced{when}{why}: {which} holds now. See it: engramforge show {memory.logical_id}"
        )
    said = f"This ended{when}{why}, and nothing of it holds now."
    with suppress(NotFound):
        taker = forge.get(last.correction_id or "-")
        if taker.logical_id != memory.logical_id:
            said = f"This was replaced{when}{why} by the {taker.kind} {short(taker.logical_id)}."
            return f"{said} See it: engramforge show {taker.logical_id}"
    return f"{said} See all of it: engramforge history {memory.logical_id}"


def _linked(link: Link, logical_id: str, said: Mapping[str, str]) -> tuple[object, ...]:
    outward = link.source_id == logical_id
    other = link.target_id if outward else link.source_id
    relation = f"{link.relation} ->" if outward else f"<- {link.relation}"
    return relation, short(other), said.get(other, ""), f"{link.energy:.2f}", f"{link.confidence:.2f}"


def show_embeddings(found: EmbeddingsView) -> None:
    """Print one line for each space: what it is encoded by and how surprising it is, or why it abstains."""
    rows = []
    for each in found.spaces:
        name = f"{each.number} {each.space}"
        if each.abstains is not None:
            rows.append((name, each.encoder or "-", "-", "-", "-", f"abstains: {each.abstains}"))
            continue
        shape = f"{each.rows} x {each.size}"
        calibration = each.calibrations.get("query_to_memory", "-").removeprefix(
            "calibration-1/query_to_memory/"
        )
        said = "; ".join(f"{key} {_told(value)}" for key, value in each.details.items())
        surprise = "-" if each.surprise is None else f"{each.surprise:.2f}"
        norm = "-" if each.norm is None else f"{each.norm:.2f}"
        rows.append((name, each.encoder or "-", norm, shape, surprise, f"{calibration}  {said}".strip()))
    title = f"Spaces (surprise among {numbered(found.around, 'other memory')} of the project)"
    show_table(("space", "encoder", "norm", "shape", "surprise", "calibration"), rows, title=title)


def _told(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "-" if isinstance(value, list) else str(value)


def _place(chunk: ChunkView) -> str:
    return f"{chunk.file_path} {chunk.chunk_index + 1}/{chunk.total_chunks}"


def show_memory(memory: MemoryView, every: bool, usage: str = "") -> None:
    """Print the content and the fields that have a value: the beginning of it and those that people ask for first, or
    all. `usage`: how it was used."""
    lines = wrapped(memory.content, "").splitlines()
    shown = lines if every else lines[:_LINES_SHOWN]
    say("\n".join(shown))
    if len(shown) < len(lines):
        faint(f"... {numbered(len(lines) - len(shown), 'line')} more with --all")
    say()
    until = f" until {memory.invalid_at or 'now'}" if memory.invalid_at or not memory.expired_at else ""
    chunk = memory.chunk
    first = [
        ("id", short(memory.id)),
        ("kind", memory.kind),
        ("name", memory.name),
        ("project", memory.project),
        ("from", memory.where),
        ("session", memory.session_id),
        ("speaker", memory.speaker),
        ("tags", ", ".join(memory.tags)),
        *(
            ("chunk" if each is chunk else "also in", _place(each))
            for each in (chunk, *memory.also_in)
            if each
        ),
        ("true", f"{memory.valid_at}{until}"),
        ("ended because", memory.invalidation_reason),
        ("used", usage),
    ]
    others = [
        ("version id", memory.id),
        ("logical id", memory.logical_id),
        ("version", memory.version),
        ("implied session", memory.implied_session),
        ("sequence", memory.sequence),
        ("level", memory.level),
        ("agent", memory.agent),
        ("source", memory.source),
        ("known", f"{memory.created_at} until {memory.expired_at or 'now'}"),
        ("energy", memory.energy),
        ("confidence", memory.confidence),
        ("epistemic tier", memory.epistemic_tier),
        ("emotions", ", ".join(f"{name} {value:.2f}" for name, value in memory.emotion_vector.items())),
        ("goal", memory.goal),
        ("mindstate", memory.mindstate),
        ("resolution", memory.resolution_state),
        ("metadata", memory.metadata),
    ]
    show_pairs([*first, *others] if every else first)
