"""The tools of decisions, threads and lineage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from engramforge.errors import InvalidValue
from engramforge.faces.arguments import DECISION, LEARNED, LINEAGE, THREAD, Argument
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.tool import DATA_NOTICE, Actions, Answered, Tool, block, counted
from engramforge.faces.views.learned import FlagView, PatternView, PrimingView, ScratchView
from engramforge.faces.views.memory import secrets_told
from engramforge.faces.views.registry import BridgeView, DecisionView, LineageEdgeView, ThreadView, WhyView
from engramforge.faces.views.shape import numbered
from engramforge.forge.registries.decisions import DecisionVerbs
from engramforge.forge.registries.learned import FlagVerbs, PatternVerbs, PrimingVerbs
from engramforge.forge.registries.lineage import LineageVerbs
from engramforge.forge.registries.scratch import ScratchVerbs
from engramforge.forge.registries.threads import ThreadVerbs
from engramforge.model.fence import named
from engramforge.model.registries.learned import Flag, Pattern, PrimingBlock, ScratchEntry

if TYPE_CHECKING:
    from engramforge.forge import Forge


class Decisions(BaseModel):
    """Decisions, in the order that was asked for; with `why` also the reasons of the first."""

    notice: str
    decisions: list[DecisionView]
    why: WhyView | None = None


class Threads(BaseModel):
    """Threads, in the order that was asked for."""

    notice: str
    threads: list[ThreadView]


class Lineage(BaseModel):
    """Edges of a lineage, the oldest ancestor first; with `bridge` what changed between two conversations."""

    notice: str
    edges: list[LineageEdgeView]
    bridge: BridgeView | None = None


class Learned(BaseModel):
    """Patterns, priming blocks, flags or scratch entries, in the order that was asked for."""

    notice: str
    entries: list[PatternView | PrimingView | FlagView | ScratchView]


_DECISIONS: Final = Actions(
    {
        "search": DecisionVerbs.search,
        "list": DecisionVerbs.browse,
        "create": DecisionVerbs.create,
        "revise": DecisionVerbs.revise,
        "supersede": DecisionVerbs.supersede,
        "invalidate": DecisionVerbs.invalidate,
        "validate": DecisionVerbs.validate,
        "reinstate": DecisionVerbs.reinstate,
        "stale": DecisionVerbs.stale,
        "history": DecisionVerbs.history,
        "why": DecisionVerbs.why,
    },
    "search",
    "active",
    "decisions",
)
_THREADS: Final = Actions(
    {
        "active": ThreadVerbs.active,
        "search": ThreadVerbs.search,
        "list": ThreadVerbs.browse,
        "create": ThreadVerbs.create,
        "update": ThreadVerbs.update,
        "get": ThreadVerbs.get,
        "history": ThreadVerbs.history,
    },
    "active",
    "open",
    "threads",
)
_LINEAGE: Final = Actions(
    {
        "trace": LineageVerbs.trace,
        "bridge": LineageVerbs.bridge,
        "search": LineageVerbs.search,
        "list": LineageVerbs.browse,
        "link": LineageVerbs.link,
    },
    "trace",
    namespace="lineage",
)


_LEARNED: Final = {
    "patterns": Actions(
        {
            "list": PatternVerbs.list,
            "search": PatternVerbs.search,
            "add": PatternVerbs.add,
            "get": PatternVerbs.get,
            "outcome": PatternVerbs.outcome,
        },
        namespace="patterns",
        called={"note": "content"},
    ),
    "priming": Actions(
        {
            "list": PrimingVerbs.list,
            "search": PrimingVerbs.find_relevant_priming,
            "add": PrimingVerbs.add,
            "get": PrimingVerbs.get,
        },
        namespace="priming",
        called={"territory": "name", "topic": "query"},
    ),
    "flags": Actions(
        {
            "list": FlagVerbs.list,
            "search": FlagVerbs.search,
            "add": FlagVerbs.add,
            "get": FlagVerbs.get,
            "compile": FlagVerbs.compile,
        },
        status="pending",
        namespace="flags",
        called={"territory": "name"},
    ),
    "scratch": Actions(
        {
            "list": ScratchVerbs.list,
            "add": ScratchVerbs.put,
            "get": ScratchVerbs.get,
            "remove": ScratchVerbs.remove,
        },
        namespace="scratch",
        called={"key": "name", "text": "content", "session": "session_id"},
    ),
}
_NOUNS: Final = {
    "patterns": "pattern",
    "priming": "priming block",
    "flags": "flag",
    "scratch": "scratch entry",
}
_EVERY_ACTION: Final = dict.fromkeys(action for each in _LEARNED.values() for action in each.verbs)


def _decide(forge: Forge, asked: dict[str, Any]) -> Answered:
    action = asked.pop("action")
    found = _DECISIONS.do(forge, action, asked)
    why = WhyView.of(found) if action == "why" else None
    found = found if isinstance(found, list) else [found]
    views = [why.decision] if why is not None else DecisionView.list_of(found)
    answer = Decisions(notice=DATA_NOTICE, decisions=views, why=why)
    return answer, counted(action, [decision_block(view) for view in views], "decision", _notes(views))


def _notes(views: Sequence[DecisionView]) -> str:
    """What a write says beside the decisions themselves."""
    against = "".join(f"\nIt contradicts {each}" for view in views for each in view.contradicts)
    return f"{secrets_told(*views)}{against}"


def _follow(forge: Forge, asked: dict[str, Any]) -> Answered:
    action = asked.pop("action")
    found = _THREADS.do(forge, action, asked)
    views = ThreadView.list_of(found if isinstance(found, list) else [found])
    answer = Threads(notice=DATA_NOTICE, threads=views)
    return answer, counted(action, [thread_block(view) for view in views], "thread", secrets_told(*views))


def _trace(forge: Forge, asked: dict[str, Any]) -> Answered:
    action = asked.pop("action")
    found = _LINEAGE.do(forge, action, asked)
    bridge = BridgeView.of(found) if action == "bridge" else None
    found = found if isinstance(found, list) else [found]
    edges = bridge.edges if bridge is not None else LineageEdgeView.list_of(found)
    text = counted(action, [_edge_block(view) for view in edges], "edge", secrets_told(*edges))
    if bridge is not None:
        text = f"{text}\n\n{block('What changed:', bridge.summary)}"
    return Lineage(notice=DATA_NOTICE, edges=edges, bridge=bridge), text


def _learn(forge: Forge, asked: dict[str, Any]) -> Answered:
    kind, action = asked.pop("kind"), asked.pop("action")
    if kind not in _LEARNED:
        raise InvalidValue("forge_patterns does not know this kind", f"Take one of {', '.join(_LEARNED)}")
    found = _LEARNED[kind].do(forge, action, asked)
    views = [_learned_view(each) for each in (found if isinstance(found, list) else [found])]
    answer = Learned(notice=DATA_NOTICE, entries=views)
    text = counted(action, [_learned_block(view) for view in views], _NOUNS[kind], secrets_told(*views))
    return answer, text


def _learned_view(
    found: Pattern | PrimingBlock | Flag | ScratchEntry,
) -> PatternView | PrimingView | FlagView | ScratchView:
    if isinstance(found, Pattern):
        return PatternView.of(found)
    if isinstance(found, PrimingBlock):
        return PrimingView.of(found)
    return FlagView.of(found) if isinstance(found, Flag) else ScratchView.of(found)


def _learned_block(view: PatternView | PrimingView | FlagView | ScratchView) -> str:
    """One of them as a marked block."""
    if isinstance(view, ScratchView):
        return block(f"until {view.expires_at}", view.text, {"name": view.key, "session": view.session})
    names = {"project": view.project}
    if isinstance(view, PatternView):
        tried = [f"{'worked' if each.success else 'failed'}: {each.note}" for each in view.outcomes]
        body = "\n".join([view.content, *tried])
        return block(f"{named(view.id)}, worked {view.worked}", body, {"name": view.name, **names})
    if isinstance(view, PrimingView):
        until = f", until {view.expires_at}" if view.expires_at else ""
        return block(f"{named(view.id)}{until}", view.content, {"territory": view.territory, **names})
    return block(f"{named(view.id)}, {view.status}", view.content, {"type": view.type, **names})


def decision_block(view: DecisionView) -> str:
    """One decision as a marked block."""
    ended = f" until {view.invalid_at}" if view.invalid_at else ""
    by = f", superseded by {named(view.superseded_by)}" if view.superseded_by else ""
    head = (
        f"{named(view.id)} {view.status}{by}, tier {view.epistemic_tier:.2f}, holds from "
        f"{view.valid_at}{ended}, validated {view.last_validated if view.validation_count else 'not yet'}, "
        f"{numbered(view.hops, 'hop')}"
    )
    rejected = f"\nRejected: {'; '.join(view.alternatives_rejected)}" if view.alternatives_rejected else ""
    why = f"\nRationale: {view.rationale}" if view.rationale else ""
    return block(head, f"{view.decision}{why}{rejected}", _entry_names(view))


def thread_block(view: ThreadView) -> str:
    """One thread as a marked block."""
    waits = ", ".join(f"{named(each.id)} ({each.status})" for each in view.blocked_by)
    blocked = f", blocked by {waits}" if waits else ""
    head = f"{named(view.id)} {view.status}{blocked}, {view.priority}, open since {view.opened_at}"
    content = f"\n{view.content}" if view.content and view.content != view.title else ""
    closed = f"\nResolution: {view.resolution}" if view.resolution else ""
    return block(head, f"{view.title}{content}{closed}", _entry_names(view))


def _first_of(view: DecisionView | ThreadView) -> str | None:
    """The conversation that an entry began in."""
    return view.originated_in if isinstance(view, DecisionView) else view.first_seen_in


def _entry_names(view: DecisionView | ThreadView) -> dict[str, str | None]:
    return {"project": view.project, "conversation": _first_of(view), "local id": view.local_id}


def _edge_block(view: LineageEdgeView) -> str:
    head = (
        f"{named(view.id)}, {view.compression_mode} at {view.compressed_at}, "
        f"{numbered(len(view.decisions_carried), 'decision')} and "
        f"{numbered(len(view.threads_carried), 'thread')} carried"
    )
    names = {
        "project": view.project,
        "from": view.source_conversation_id,
        "to": view.target_conversation_id or "(nobody yet)",
        "tag": view.compression_tag,
    }
    return block(head, view.bridge_summary or "", names)


TOOLS: Final = (
    Tool("forge_decisions", descriptions.DECISIONS, _DECISIONS.with_arguments(DECISION), Decisions, _decide),
    Tool("forge_threads", descriptions.THREADS, _THREADS.with_arguments(THREAD), Threads, _follow),
    Tool("forge_lineage", descriptions.LINEAGE, _LINEAGE.with_arguments(LINEAGE), Lineage, _trace),
    Tool(
        "forge_patterns",
        descriptions.PATTERNS,
        {
            "kind": Argument(default="patterns", choices=tuple(_LEARNED)),
            "action": Argument(default="list", choices=tuple(_EVERY_ACTION)),
            **LEARNED,
        },
        Learned,
        _learn,
    ),
)
