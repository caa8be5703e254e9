"""`engramforge stats`: what the store holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engramforge.faces.cli.commands.reembed import difference
from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import megabytes, say, share, show_json, show_pairs, show_table
from engramforge.faces.views.shape import numbered, plain
from engramforge.faces.views.topic import DreamView, TopicStandingView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engramforge.model.language_models.reports import ModelState
    from engramforge.model.topics.dream import DreamReport


_DID = {"recluster": "topics", "merge": "merged", "fade": "faded", "promote": "patterns"}


@click.command("stats")
@store_options
def command(call: Call) -> None:
    """Count memories, versions, projects, sessions, links and bytes."""
    with call.open() as forge:
        store, held = forge.identity, forge.stats()
        embedding_bytes = forge.embedding_bytes()
        encoders = forge.encoders()
        model = forge.language_model()
        topics = TopicStandingView.list_of(forge.topics.standing())
        dreams = forge.dreams.past()
    if call.as_json:
        compared = [{**plain(encoder), "differs": encoder.differs} for encoder in encoders]
        sizes = {**plain(held), "embedding_bytes": embedding_bytes}
        asked = None if model is None else plain(model)
        slept = DreamView.of(dreams[0]) if dreams else None
        told = {"topics": topics, "last_dream": slept, "language_model": asked}
        show_json({**plain(store), **sizes, "encoders": compared, **told})
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
            ("language model", None if model is None else spent(model)),
            ("last dream", dreamt(dreams[0]) if dreams else None),
        ]
    )
    _show_counts("kind", held.by_kind)
    _show_counts("project", held.by_project)
    if topics:
        say()
        columns = ("project", "tier", "topics", "of none", "waiting", "clustered", "churn", "entropy")
        show_table(columns, map(_topics, topics))
    chosen = [encoder for encoder in encoders if encoder.differs or encoder.held != "static"]
    if chosen:
        say()
        show_table(
            ("space", "compared by", "settings"), [(each.space, each.held, each.wanted) for each in chosen]
        )
        for each in chosen:
            if each.differs:
                say(f"{difference(each)}: run engramforge reembed")


def _topics(each: TopicStandingView) -> tuple[object, ...]:
    at = each.clustered_at
    then = (at[:10], share(each.churn), share(each.entropy)) if at else ("never", "", "")
    return (each.project, each.tier, each.topics, each.of_none, each.waiting, *then)


def spent(model: ModelState) -> str:
    """What a model cost this month, and how much it may."""
    count = model.spending
    caps = [f"{count.cap:g} in money"] if count.cap is not None else []
    caps += [f"{count.cap_tokens:,} tokens"] if count.cap_tokens is not None else []
    used = f"{numbered(count.calls, 'call')}, {count.tokens:,} tokens, {count.money:.4g} in money this month"
    return f"{model.model}; {used}; cap: {' and '.join(caps) or 'none'}"


def dreamt(dream: DreamReport) -> str:
    """What a dream did, in a line."""
    did = ", ".join(f"{each.count:,} {_DID[each.name]}" for each in dream.steps)
    stands = "undone" if dream.is_undone else "goes on" if dream.ended_at is None else ""
    return "; ".join(filter(None, (f"{dream.began_at:%Y-%m-%d %H:%M}, {dream.project}", did, stands)))


def _show_counts(title: str, counts: Mapping[str, int]) -> None:
    if counts:
        say()
        ordered = sorted(counts, key=lambda name: (-counts[name], name))
        show_table((title, "memories"), [(name, counts[name]) for name in ordered])
