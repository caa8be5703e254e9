"""`engramforge show`: one memory with everything known of it."""

from __future__ import annotations

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import say, show_json, show_pairs, show_table, wrapped
from engramforge.faces.views import MemoryView, view_link, view_memory


@click.command("show")
@click.argument("id_", metavar="ID")
@store_options
def command(call: Call, id_: str) -> None:
    """Show the memory ID: a version's id, or the id that all versions share (then the current one)."""
    with call.open() as forge:
        memory = forge.get(id_)
        links = forge.links(memory.logical_id)
    if call.as_json:
        show_json({"memory": view_memory(memory), "links": [view_link(link) for link in links]})
        return
    show_memory(view_memory(memory))
    if links:
        say()
        show_table(
            ("relation", "from", "to", "energy", "confidence"),
            [(x.relation, x.source_id, x.target_id, f"{x.energy:.2f}", f"{x.confidence:.2f}") for x in links],
            title="Links",
        )


def show_memory(memory: MemoryView) -> None:
    """Print the content and every field that has a value."""
    say(wrapped(memory.content, ""))
    say()
    until = memory.invalid_at or "now"
    chunk = memory.chunk
    show_pairs(
        [
            ("id", memory.id),
            ("logical id", memory.logical_id),
            ("version", memory.version),
            ("kind", memory.kind),
            ("name", memory.name),
            ("project", memory.project),
            ("session", memory.session_id),
            ("sequence", memory.sequence),
            ("speaker", memory.speaker),
            ("level", memory.level),
            ("agent", memory.agent),
            ("tags", ", ".join(memory.tags)),
            ("source", memory.source),
            ("chunk", f"{chunk.file_path} {chunk.chunk_index + 1}/{chunk.total_chunks}" if chunk else None),
            ("true", f"{memory.valid_at} until {until}"),
            ("known", f"{memory.created_at} until {memory.expired_at or 'now'}"),
            ("ended because", memory.invalidation_reason),
            ("energy", memory.energy),
            ("confidence", memory.confidence),
            ("epistemic tier", memory.epistemic_tier),
            ("emotions", ", ".join(f"{name} {value:.2f}" for name, value in memory.emotion_vector.items())),
            ("goal", memory.goal),
            ("mindstate", memory.mindstate),
            ("resolution", memory.resolution_state),
            ("metadata", memory.metadata),
        ]
    )
