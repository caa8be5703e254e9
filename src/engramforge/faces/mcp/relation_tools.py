"""The tools of what holds memories together: links (list, create, remove) and topics (list, get, history)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from engramforge.faces.arguments import LINK, TOPICS
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.tool import DATA_NOTICE, Actions, Answered, Tool, block, counted
from engramforge.faces.views.link import LinkedView, LinkView, UnlinkedView, WalkedLinkView, listed_links
from engramforge.faces.views.memory import MemoryView, secrets_told
from engramforge.faces.views.shape import numbered
from engramforge.faces.views.topic import TopicPartView, TopicView
from engramforge.forge.links import LinkVerbs
from engramforge.forge.topics import TopicVerbs
from engramforge.model.fence import named

if TYPE_CHECKING:
    from engramforge.forge import Forge

_LINKS: Final = Actions(
    {"list": LinkVerbs.links, "create": LinkVerbs.link, "remove": LinkVerbs.unlink}, default="list"
)
_TOPICS: Final = Actions(
    {"list": TopicVerbs.browse, "get": TopicVerbs.memories, "history": TopicVerbs.history},
    default="list",
    namespace="topics",
    without=("related",),
)
_SHOWN: Final = 10
"""How many memories of a topic an answer has, unless asked for."""
_LETTERS: Final = 160
"""Letters of a memory that say which one it is."""
_TOLD: Final = ("id", "name", "project", "size", "phase", "trend", "first_at", "last_at")


class Links(BaseModel):
    """The answer of forge_links: links that were listed or written, or the one that was taken off the record."""

    notice: str
    links: list[WalkedLinkView | LinkView]
    written: bool | None = None
    warnings: list[str] = []
    redacted: int = 0
    unlinked: UnlinkedView | None = None


class Topics(BaseModel):
    """The answer of forge_topics: topics; of one also its memories and its parts; or the clusterings of a project."""

    notice: str
    topics: list[dict[str, Any]]
    memories: list[dict[str, Any]] | None = None
    parts: list[dict[str, Any]] | None = None
    history: list[dict[str, Any]] | None = None


def _link(forge: Forge, asked: dict[str, Any]) -> Answered:
    action = asked.pop("action")
    found = _LINKS.do(forge, action, asked)
    if action == "remove":
        proof = UnlinkedView.of(found)
        answer = Links(notice=DATA_NOTICE, links=[], unlinked=proof)
        return answer, f"The link {named(proof.link_id)} is off the record."
    if action == "list":
        answer = Links(notice=DATA_NOTICE, links=listed_links(found))
        said = f"{numbered(len(found), 'link')} of {named(asked['id'])}."
    else:
        linked = LinkedView.of(found)
        answer = Links(
            notice=DATA_NOTICE,
            links=[linked.link],
            written=linked.written,
            warnings=linked.warnings,
            redacted=linked.redacted,
        )
        done = "Linked." if linked.written else "This link was there already; nothing was written."
        said = " ".join(
            [f"{done}{secrets_told(linked)}", *(f"Warning: {warning}." for warning in linked.warnings)]
        )
    head = f"{said} {DATA_NOTICE}" if answer.links else said
    return answer, "\n\n".join([head, *map(_block, answer.links)])


def _block(link: LinkView) -> str:
    until = f" until {link.invalid_at}" if link.invalid_at else ""
    ended = f", off the record {link.expired_at}" if link.expired_at else ""
    depth = f", depth {link.depth}" if isinstance(link, WalkedLinkView) else ""
    head = (
        f"{named(link.id)}: {named(link.source_id)} {named(link.relation)} {named(link.target_id)}, "
        f"holds from {link.valid_at}{until}{ended}, energy {link.energy:.2f}, confidence {link.confidence:.2f}{depth}"
    )
    felt = {
        "goal": link.goal,
        "mindstate": link.mindstate,
        "formation trigger": link.formation_trigger,
        "felt quality": link.felt_quality,
        "emotions": link.emotion_description,
    }
    return block(head, "\n".join(f"{name}: {text}" for name, text in felt.items() if text))


def _topics(forge: Forge, asked: dict[str, Any]) -> Answered:
    action = asked.pop("action")
    if action == "get":
        asked.setdefault("limit", _SHOWN)
    found = _TOPICS.do(forge, action, asked)
    if action == "history":
        lines = [", ".join(f"{name} {value}" for name, value in each.items()) for each in found]
        text = f"{action}: {len(found)} clusterings of {named(asked['project'])}, the oldest first."
        return Topics(notice=DATA_NOTICE, topics=[], history=found), "\n".join([text, *lines])
    if action == "list":
        views = TopicView.list_of(found)
        answer = Topics(notice=DATA_NOTICE, topics=[brief_topic(view) for view in views])
        return answer, counted(action, [topic_block(view) for view in views], "topic")
    return _one(forge, asked["id"], found)


def _one(forge: Forge, topic_id: str, found: Sequence[tuple[Any, float]]) -> Answered:
    view = TopicView.of(forge.topics.get(topic_id))
    memories = [(MemoryView.of(memory), agreed) for memory, agreed in found]
    parts = TopicPartView.list_of(forge.topics.parts(topic_id))
    answer = Topics(
        notice=DATA_NOTICE,
        topics=[brief_topic(view)],
        memories=[{"agreement": round(agreed, 1), **brief_memory(memory)} for memory, agreed in memories],
        parts=[{"name": each.name, "size": each.size} for each in parts],
    )
    told = topic_block(view, [memory for memory, _ in memories], parts=parts)
    return answer, counted("get", [told], "topic")


def brief_topic(view: TopicView) -> dict[str, Any]:
    """What a model reads of a topic."""
    told = {name: value for name in _TOLD if (value := getattr(view, name))}
    return {**told, "confidence": round(view.confidence, 2)}


def brief_memory(view: MemoryView) -> dict[str, Any]:
    """Which memory it is, and how it begins."""
    return {"id": view.id, "valid_at": view.valid_at, "excerpt": _begun(view.content)}


def topic_block(
    view: TopicView, memories: Sequence[MemoryView] = (), more: str = "", parts: Sequence[TopicPartView] = ()
) -> str:
    """A topic as a marked block, with memories of it."""
    goes = f", {view.trend}" if view.trend else ""
    head = (
        f"{named(view.id)} {view.size} memories, {view.phase}{goes}, {view.first_at[:10]} to {view.last_at[:10]}, "
        f"confidence {view.confidence:.2f}{f', {more}' if more else ''}"
    )
    lines = [f"{named(each.id)} {each.valid_at[:10]}: {_begun(each.content)}" for each in memories]
    if parts:
        lines.insert(0, f"parts: {'; '.join(f'{each.name} ({each.size})' for each in parts)}")
    return block(head, "\n".join(lines), {"topic": view.name, "project": view.project})


def _begun(text: str) -> str:
    said = " ".join(text.split())
    return said if len(said) <= _LETTERS else f"{said[:_LETTERS].rstrip()}\u2026"


TOOLS: Final = (
    Tool("forge_links", descriptions.LINKS, _LINKS.with_arguments(LINK), Links, _link),
    Tool("forge_topics", descriptions.TOPICS, _TOPICS.with_arguments(TOPICS), Topics, _topics, reads=True),
)
