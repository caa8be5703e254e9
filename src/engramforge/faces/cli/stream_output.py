"""A stream for people: what is nearest to attention first, then the rest in a line each, then what hangs together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engramforge.faces.cli.output import faint, heading, say, short, shortened, width, wrapped
from engramforge.faces.cli.stream_picture import REASONS, REPLACED, UNANSWERED
from engramforge.faces.views.shape import days_of, numbered
from engramforge.model.fence import on_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.faces.views.stream import StreamView, TierItemView
    from engramforge.faces.views.timeline import DissonanceView

_LETTERS: Final = 300
"""What is shown of a memory in focus."""
_ASIDE: Final = 34
_PATHS: Final = 3
_CHANGED: Final = 10
_QUOTED: Final = 70


def show_stream(view: StreamView, *, is_of_cycle: bool = False) -> None:
    """Print a stream. `is_of_cycle`: of a command that has no `--spreading` itself."""
    if view.is_empty:
        say(
            "Nothing was found that fits how you are."
            if not view.query
            else "Nothing was found that bears on this."
        )
        if view.note:
            say(f"{view.note}.")
        _show_faults(view)
        return
    if view.is_unanswered:
        say(UNANSWERED)
        for rank, each in enumerate(view.nearest, 1):
            _show_focus(rank, each)
    else:
        heading("focus")
        for rank, each in enumerate(view.activation_tiers["focus"], 1):
            _show_focus(rank, each)
        _show_nearby(view.activation_tiers["peripheral"])
        _show_paths(view)
        _show_changes(view)
    _show_faults(view)
    if view.note:
        faint(f"{view.note}.")
    if view.by_meaning_alone:
        does = "context --spreading" if is_of_cycle else "--spreading"
        faint(f"No name in it is known, so nothing was sought along links: {does} does.")
    _show_sums(view)


def _show_focus(rank: int, item: TierItemView) -> None:
    title = [f"{rank}.", f"{item.activation_score:.2f}", item.project, item.kind, item.speaker, item.where]
    say("  ".join(filter(None, title)), bold=True)
    say(wrapped(on_one_line(item.excerpt, _LETTERS), "   "))
    read = "" if item.rerank_score is None else f", reranked {item.rerank_score:.2f}"
    apart = "".join(f"; {each}" for each in item.unusual)
    faint(f"   {item.retrieval_source}, relevance {item.relevance:.2f}{read}{apart}; id {short(item.id)}")
    if item.led_by:
        faint(f"   by {on_one_line(item.led_by, _LETTERS)}")


def _show_nearby(items: Sequence[TierItemView]) -> None:
    """A line for each."""
    if not items:
        return
    heading("nearby")
    room = max(width() - _ASIDE, 30)
    for each in items:
        aside = f"{each.retrieval_source}, {each.kind}"
        marks = "; ".join(filter(None, (each.ended, *each.unusual)))
        apart = f"[{marks}] " if marks else ""
        whose = f"{each.speaker}: " if each.speaker else ""
        by = f" (by {each.led_by})" if each.led_by else ""
        said = shortened(f"{apart}{whose}{each.excerpt}{by}", room)
        say(f"  {each.activation_score:.2f}  {shortened(aside, 24).ljust(24)}  {said}")


def _show_paths(view: StreamView) -> None:
    """Where thought would go, a memory a line."""
    paths = view.traversal_graph.leading_paths[:_PATHS]
    if not paths:
        return
    labels = {each.id: each.said for each in view.traversal_graph.nodes}
    links = {each.id: each for each in view.traversal_graph.edges}
    is_asked = paths[0].nodes[0] in view.traversal_graph.asked_nodes
    heading(f"lines of thought, from what is {'asked for by name' if is_asked else 'nearest to attention'}")
    room = max(width() - _ASIDE, 30)
    for number, path in enumerate(paths, 1):
        say(f"  {number}. {shortened(labels[path.nodes[0]], room)}")
        for node, link in zip(path.nodes[1:], (links[each] for each in path.links), strict=True):
            arrow = f"-{link.relation}->" if link.target == node else f"<-{link.relation}-"
            say(f"     {arrow} {shortened(labels[node], room)}")
        told = f"     likely {path.probability:.2f}, coherent {path.semantic_coherence:.2f}"
        # Of links for which nothing was felt it says nothing.
        faint(f"{told}, felt alike {path.emotional_consistency:.2f}" if path.emotional_consistency else told)


def _show_changes(view: StreamView) -> None:
    changed = view.temporal_dissonances
    if changed:
        heading("what was believed otherwise")
        for each in changed[:_CHANGED]:
            say(_change(each))
        if len(changed) > _CHANGED:
            faint(f"  and {len(changed) - _CHANGED:,} more: --json has all")
    if view.correction_patterns:
        heading("corrected again and again")
        for pattern in view.correction_patterns:
            say(f"  {pattern.counted}: {shortened(pattern.kind, _QUOTED)}")


def _change(case: DissonanceView) -> str:
    why = REASONS.get(case.reason or "", REPLACED)
    held = " to ".join(days_of(case.held_from, case.held_until))
    return (
        f"  {held}  {shortened(case.original, _QUOTED)}\n"
        f"    {why}; instead: {shortened(case.corrected, _QUOTED)}"
    )


def _show_faults(view: StreamView) -> None:
    """Ways that gave nothing because they could not."""
    failed = [each for each in view.ways if each.fault is not None]
    if failed:
        heading("ways that failed")
        for each in failed:
            say(f"  {each.way}: {each.fault}")


def _show_sums(view: StreamView) -> None:
    """How much there is, and what of it is not shown."""
    summary, graph = view.summary, view.traversal_graph
    by_level = ", ".join(
        f"{name.partition('_')[2]} {count:,}" for name, count in summary.counts.items() if count
    )
    beyond = len(view.activation_tiers["background"])
    apart = f": {numbered(summary.memories, 'memory')}" if summary.memories < summary.total else ""
    told = [f"{summary.total:,} found ({by_level}){apart}"]
    if beyond:
        told.append(f"{beyond:,} in the background")
    if view.far:
        told.append(f"{view.far:,} far less relevant than the best left out above")
    told.append(f"{numbered(graph.edge_count, 'link')} among them")
    if view.entities:
        told.append(f"names: {shortened(', '.join(view.entities), _QUOTED)}")
    if graph.central_themes:
        told.append(f"about {', '.join(graph.central_themes)}")
    if summary.emotional_themes:
        told.append(f"felt: {', '.join(summary.emotional_themes)}")
    faint("; ".join(told))
