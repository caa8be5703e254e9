"""The tool of streams: retrieval by intention and by state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from engramforge.faces.arguments import STREAM
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.tool import DATA_NOTICE, Actions, Answered, Tool, block
from engramforge.faces.views.shape import days_of, plain
from engramforge.faces.views.stream import StreamView, TierItemView
from engramforge.forge.asking.streams import StreamVerbs
from engramforge.model.fence import guarded, named, on_one_line, printable

if TYPE_CHECKING:
    from engramforge.forge import Forge

_STREAMS: Final = Actions(
    {"intention": StreamVerbs.by_intention, "state": StreamVerbs.by_state},
    default="intention",
    namespace="streams",
    without=(
        *("agent", "intention_id", "state_id", "generated_at", "generated_by"),
        *("spreading", "graph_way"),
    ),
)
_SHOWN: Final = 160
"""Letters of a memory in focus."""
_NEARBY: Final = 3
_NEARBY_SHOWN: Final = 60
_CHANGED: Final = 2
_PATH_SHOWN: Final = 120


class Streamed(BaseModel):
    """The answer of forge_stream; `notice` says how to treat the contents."""

    notice: str
    stream: dict[str, Any]


def _stream(forge: Forge, asked: dict[str, Any]) -> Answered:
    action, is_whole = asked.pop("action"), asked.pop("explain", False)
    if action == _STREAMS.default:
        # A model asks again what it asked, and this process stays.
        asked["cache"] = True
    view = StreamView.of(_STREAMS.do(forge, action, asked))
    if is_whole:
        return Streamed(notice=DATA_NOTICE, stream=plain(view)), _text(view, whole=True)
    return Streamed(notice=DATA_NOTICE, stream=_brief(view)), _text(view, whole=False)


def _brief(view: StreamView) -> dict[str, Any]:
    """What a model reads of a stream: some clients show it this, others the text, so each says all of it once."""
    tiers, paths = view.activation_tiers, view.traversal_graph.leading_paths
    told: dict[str, Any] = {
        "stream_id": view.stream_id,
        "mode": view.mode,
        "answered": view.answered if view.query else None,
        "found": view.summary.memories,
        "far": view.far or None,
        "note": view.note,
        "failed": [each.way for each in view.ways if each.fault is not None],
    }
    if view.is_unanswered:
        return _given({**told, "nearest": [_item(each, _SHOWN) for each in view.nearest]})
    told |= {
        "focus": [_item(each, _SHOWN) for each in tiers["focus"]],
        "nearby": [_item(each, _NEARBY_SHOWN) for each in tiers["peripheral"][:_NEARBY]],
        "path": on_one_line(paths[0].narrative, _PATH_SHOWN) if paths else None,
        "temporal_dissonances": [
            {
                "at": each.corrected_at[:10],
                "original": on_one_line(each.original, _NEARBY_SHOWN),
                "corrected": on_one_line(each.corrected, _NEARBY_SHOWN),
                "reason": each.reason,
            }
            for each in view.temporal_dissonances[:_CHANGED]
        ],
        "more_dissonances": len(view.temporal_dissonances[_CHANGED:]) or None,
        "correction_patterns": [
            on_one_line(each.kind, _NEARBY_SHOWN) for each in view.correction_patterns[:_CHANGED]
        ],
        "energy_feedback_potential": round(view.energy_feedback_potential, 3),
    }
    return _given(told)


def _given(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value not in (None, [], "")}


def _item(item: TierItemView, most: int) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": item.id,
        "source": item.retrieval_source,
        "activation": round(item.activation_score, 2),
    }
    told |= _held(item) | ({"ending": item.ending} if item.ending else {})
    told |= {"unusual": item.unusual} if item.unusual else {}
    told |= {"speaker": item.speaker} if item.speaker else {}
    return {**told, "kind": item.kind, "project": item.project, "excerpt": on_one_line(item.excerpt, most)}


def _held(item: TierItemView) -> dict[str, str]:
    """From when it holds, and until when if it does no more."""
    times = days_of(*filter(None, (item.holds_from, item.holds_until)))
    return dict(zip(("from", "until"), times, strict=False))


def _text(view: StreamView, *, whole: bool) -> str:
    """The stream as a model reads it."""
    tiers, failed = view.activation_tiers, [each for each in view.ways if each.fault is not None]
    faults = [f"Failed: {each.way}, {guarded(printable(each.fault or ''))}." for each in failed]
    if view.is_empty:
        # A note in which somebody's words are quoted is no longer ours alone.
        is_ours = '"' not in view.note
        own = [f"{view.note}."] if view.note and is_ours else []
        head = " ".join(["Stream: nothing was found.", *own, *faults, *([] if is_ours else [DATA_NOTICE])])
        return head if is_ours else f"{head}\n\n{block('Why:', f'{view.note}.')}"
    note = [f"{view.note}."] if view.note else []
    nothing = ["Nothing that is remembered answers this."] if view.is_unanswered else []
    if nothing and not whole:
        head = " ".join([*nothing, "What comes nearest follows.", *note, *faults, DATA_NOTICE])
        return "\n\n".join([head, *(_in_focus(each, whole=False) for each in view.nearest)])
    nearby = tiers["peripheral"] if whole else tiers["peripheral"][:_NEARBY]
    more = view.summary.memories - len(tiers["focus"]) - len(nearby)
    left = f" {more:,} more with explain." if more > 0 and not whole else ""
    left += f" {view.far:,} far less relevant than the best." if view.far else ""
    head = " ".join([*nothing, f"Stream of {view.summary.memories:,}.{left}", *note, *faults, DATA_NOTICE])
    blocks = [_in_focus(each, whole=whole) for each in tiers["focus"]]
    lines = [
        f"{', '.join(filter(None, (_head(each), _whose(each), _unusual(each))))}: "
        f"{on_one_line(each.excerpt, _NEARBY_SHOWN)}"
        for each in nearby
    ]
    if lines:
        blocks.append(block("Nearby:", "\n".join(lines)))
    blocks += _connected(view, whole=whole)
    return "\n\n".join([head, *blocks])


def _in_focus(item: TierItemView, *, whole: bool) -> str:
    said = on_one_line(item.excerpt, None if whole else _SHOWN)
    names = {"project": item.project, "speaker": item.speaker, "unusual": _unusual(item)}
    return block(_head(item), said, names)


def _connected(view: StreamView, *, whole: bool) -> list[str]:
    """Paths, changed beliefs and what is corrected again and again."""
    most = None if whole else _CHANGED
    paths = view.traversal_graph.leading_paths[: most and 1]
    changed, again = view.temporal_dissonances[:most], view.correction_patterns[:most]
    found = []
    if paths:
        told = [on_one_line(each.narrative, _PATH_SHOWN) for each in paths]
        found.append(block(f"Likeliest {'path' if len(told) == 1 else 'paths'}:", "\n".join(told)))
    if changed:
        told = [
            f"{each.corrected_at[:10]}, {(each.reason or 'replaced').replace('_', ' ')}: "
            f"{on_one_line(each.original, _NEARBY_SHOWN)} -> {on_one_line(each.corrected, _NEARBY_SHOWN)}"
            for each in changed
        ]
        more = len(view.temporal_dissonances) - len(changed)
        left = f" ({more:,} more with explain)" if more else ""
        found.append(block(f"Beliefs that changed{left}:", "\n".join(told)))
    if again:
        told = [f"{each.counted}: {on_one_line(each.kind, _NEARBY_SHOWN)}" for each in again]
        found.append(block("Corrected again and again:", "\n".join(told)))
    return found


def _head(item: TierItemView) -> str:
    held = " ".join(f"{name} {day}" for name, day in _held(item).items())
    held += f", {item.ending.replace('_', ' ')}" if item.ending else ""
    return f"{named(item.id)} {item.retrieval_source} {item.activation_score:.2f} {item.kind}, {held}"


def _whose(item: TierItemView) -> str:
    return f"by {on_one_line(item.speaker)}" if item.speaker else ""


def _unusual(item: TierItemView) -> str:
    """Its state, energy and goal: the goal is somebody's words, so that it stands within the marks."""
    return on_one_line(printable(", ".join(item.unusual)))


TOOLS: Final = (
    Tool("forge_stream", descriptions.STREAM, _STREAMS.with_arguments(STREAM), Streamed, _stream, reads=True),
)
