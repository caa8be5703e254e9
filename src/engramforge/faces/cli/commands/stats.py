"""`engramforge stats`: what the store holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engramforge.faces.cli.commands.reembed import difference
from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import megabytes, say, show_json, show_pairs, show_table
from engramforge.faces.views.shape import plain

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.command("stats")
@store_options
def command(call: Call) -> None:
    """Count memories, versions, projects, sessions, links and bytes."""
    with call.open() as forge:
        store, held = forge.identity, forge.stats()
        embedding_bytes = forge.embedding_bytes()
        encoders = forge.encoders()
    if call.as_json:
        compared = [{**plain(encoder), "differs": encoder.differs} for encoder in encoders]
        sizes = {**plain(held), "embedding_bytes": embedding_bytes}
        show_json({**plain(store), **sizes, "encoders": compared})
        return
    show_pairs(
        [
            ("store", store.location),
            ("engine", f"{store.engine}, schema {store.schema}"),
            ("memories", held.memories),
            ("versions", held.versions),
            ("projects", held.projects),
            ("sessions", held.sessions),
            ("links", held.links),
            ("content", megabytes(held.content_bytes)),
            ("embeddings", megabytes(embedding_bytes)),
            ("on disk", megabytes(held.bytes_on_disk)),
        ]
    )
    _show_counts("kind", held.by_kind)
    _show_counts("project", held.by_project)
    chosen = [encoder for encoder in encoders if encoder.differs or encoder.held != "static"]
    if chosen:
        say()
        show_table(
            ("space", "compared by", "settings"), [(each.space, each.held, each.wanted) for each in chosen]
        )
        for each in chosen:
            if each.differs:
                say(f"{difference(each)}: run engramforge reembed")


def _show_counts(title: str, counts: Mapping[str, int]) -> None:
    if counts:
        say()
        ordered = sorted(counts, key=lambda name: (-counts[name], name))
        show_table((title, "memories"), [(name, counts[name]) for name in ordered])
