"""`engramforge stats`: what the store holds."""

from __future__ import annotations

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import megabytes, say, show_json, show_pairs, show_table
from engramforge.faces.views.reembedding import EncoderView
from engramforge.faces.views.shape import plain
from engramforge.faces.views.store import StoreView


@click.command("stats")
@store_options
def command(call: Call) -> None:
    """Count memories, versions, projects, sessions, links and bytes."""
    with call.open() as forge:
        store = StoreView.of(forge.stats(), **plain(forge.identity))
        embedding_bytes = forge.embedding_bytes()
        encoders = EncoderView.list_of(forge.encoders())
    if call.as_json:
        show_json({**plain(store), "embedding_bytes": embedding_bytes, "encoders": encoders})
        return
    show_pairs(
        [
            ("store", store.location),
            ("engine", f"{store.engine}, schema {store.schema}"),
            ("memories", store.memories),
            ("versions", store.versions),
            ("projects", store.projects),
            ("sessions", store.sessions),
            ("links", store.links),
            ("content", megabytes(store.content_bytes)),
            ("embeddings", megabytes(embedding_bytes)),
            ("on disk", megabytes(store.bytes_on_disk)),
        ]
    )
    _show_counts("kind", store.by_kind)
    _show_counts("project", store.by_project)
    chosen = [encoder for encoder in encoders if encoder.differs or encoder.held != "static"]
    if chosen:
        say()
        show_table(
            ("space", "compared by", "settings"), [(each.space, each.held, each.wanted) for each in chosen]
        )
        for view in chosen:
            if view.differs:
                say(view.said)


def _show_counts(title: str, counts: dict[str, int]) -> None:
    if counts:
        say()
        ordered = sorted(counts, key=lambda name: (-counts[name], name))
        show_table((title, "memories"), [(name, counts[name]) for name in ordered])
