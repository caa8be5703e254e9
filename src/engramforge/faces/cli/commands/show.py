"""`engramforge show`: one memory with everything known of it."""

from __future__ import annotations

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import say, show_json, show_pairs, show_table, wrapped
from engramforge.faces.views.link import LinkView
from engramforge.faces.views.memory import EmbeddingsView, MemoryView
from engramforge.faces.views.shape import numbered


@click.command("show")
@click.argument("id_", metavar="ID")
@store_options
def command(call: Call, id_: str) -> None:
    """Show the memory ID: a version's id, or the id that all versions share (then the current one).

    Below it its links, and what each of the thirteen spaces makes of it: encoder, norm, calibration, surprise.
    """
    with call.open() as forge:
        memory = forge.get(id_)
        links = forge.links(memory.logical_id)
        embeddings = EmbeddingsView.of(forge.embeddings(memory.id))
    if call.as_json:
        show_json(
            {"memory": MemoryView.of(memory), "links": LinkView.list_of(links), "embeddings": embeddings}
        )
        return
    show_memory(MemoryView.of(memory))
    if links:
        say()
        show_table(
            ("relation", "from", "to", "energy", "confidence"),
            [(x.relation, x.source_id, x.target_id, f"{x.energy:.2f}", f"{x.confidence:.2f}") for x in links],
            title="Links",
        )
    say()
    show_embeddings(embeddings)


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
