"""The tools of memories: remember, recall, timeline, forget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from engramforge.errors import EngramforgeError, InvalidValue
from engramforge.faces.arguments import FORGET, RECALL, REMEMBER, TIMELINE
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.relation_tools import brief_memory, brief_topic, topic_block
from engramforge.faces.mcp.tool import DATA_NOTICE, Answered, Tool, block
from engramforge.faces.views.memory import EmbeddingsView, ForgottenView, MemoryView, secrets_told
from engramforge.faces.views.recall import HitView, RecallView
from engramforge.faces.views.registry import ConsequenceView, done_and_waiting
from engramforge.faces.views.shape import numbered, plain
from engramforge.faces.views.timeline import ChangeView, DissonanceView, TimelineView
from engramforge.faces.views.topic import TopicRecallView
from engramforge.forge.asking.repeats import parts_of, repeats
from engramforge.model.fence import guarded, named, printable
from engramforge.model.memory import Source
from engramforge.model.registration import Act
from engramforge.model.search.selection import SearchScope

if TYPE_CHECKING:
    from engramforge.forge import Forge
    from engramforge.model.memory import Memory, Near

_CHANGES: Final = frozenset(
    {"kind", "name", "tags", "metadata", "energy", "confidence"}
    | {"epistemic_tier", "goal", "mindstate", "resolution_state"}
)
"""Fields that a new version of a memory may change."""

_TOLD: Final = ("id", "version", "kind", "name", "project", "session_id", "speaker", "valid_at", "invalid_at")
"""What a hit says of its memory, where there is something to say."""
_MOST_JOINED: Final = 2
_LOOKED_AT: Final = 100
"""Memories that are one with a hit, named with it."""
_MOST_SAID: Final = 70
"""Letters of an entry that say which one it is."""


class Remembered(BaseModel):
    """The memory as stored; `redacted`: how many secrets were replaced in what was given; `is_duplicate`: it was there
    already; `consequences`: what it did to decisions and threads, and what waits for a person's review; `near`: up to
    three memories that were there already and say the same or contradict it: revise one rather than repeat it."""

    memory: MemoryView
    redacted: int
    is_duplicate: bool
    consequences: list[ConsequenceView]
    near: list[dict[str, Any]]


class Recalled(BaseModel):
    """The answer to a recall; `notice` says how to treat the contents."""

    notice: str
    recall: dict[str, Any]


class Timeline(BaseModel):
    """Memories in the order of time, `what` says which; the changes and the dissonances among them; where asked for,
    what each space makes of the memory."""

    notice: str
    what: str
    memories: list[MemoryView]
    changes: list[ChangeView]
    dissonances: list[DissonanceView]
    embeddings: EmbeddingsView | None = None


class Projects(BaseModel):
    """The projects there are; `memories`: how many are current."""

    projects: list[dict[str, Any]]


class Forgot(BaseModel):
    """Proof of the removal."""

    forgotten: ForgottenView


def _remember(forge: Forge, asked: dict[str, Any]) -> Answered:
    memory = _written(forge, asked)
    view = MemoryView.of(memory)
    stored = f"{view.id} (version {view.version}) in project {named(view.project)}, as {view.kind}."
    text = f"There already: {stored} Nothing was changed." if memory.is_duplicate else f"Remembered {stored}"
    done, waiting = done_and_waiting(memory.consequences)
    acts = [_act(each) for each in done if each.act != Act.UNKNOWN]
    did = f" It {', '.join(acts)}." if acts else ""
    did += "".join(f" {guarded(printable(each.text))}." for each in done if each.act == Act.UNKNOWN)
    answer = Remembered(
        memory=view,
        redacted=memory.redacted,
        is_duplicate=memory.is_duplicate,
        consequences=ConsequenceView.list_of(memory.consequences),
        near=plain(memory.near),
    )
    near = "".join(f"\n{_near(each)}" for each in memory.near)
    return answer, f"{text}{secrets_told(memory)}{did}{f' {guarded(waiting)}.' if waiting else ''}{near}"


def _near(each: Near) -> str:
    """What was there already, in a line; its words are named as somebody else's."""
    how = f"Contradicts ({guarded(each.contradicts)})" if each.contradicts else "Near to"
    return f"{how} {each.id}: {named(each.excerpt)}"


def _act(view: ConsequenceView) -> str:
    """What was done to an entry, with its name and the first of its words."""
    names = " ".join(named(each) for each in (view.local_id, view.id) if each)
    return f"{view.act} {view.kind} {names} {named(view.text[:_MOST_SAID])}"


def _written(forge: Forge, asked: dict[str, Any]) -> Memory:
    """A new memory, or a new version of one, from the fields that were given."""
    content, revises, supersedes = (asked.pop(name, None) for name in ("content", "revises", "supersedes"))
    near = asked.pop("near", True)
    if revises is None and supersedes is None:
        if not asked.get("speaker"):
            # A model calls: what it does not lay in somebody's mouth is its own word, not the user's.
            asked["source"] = Source.ASSISTANT_RESPONSE
        return forge.remember(content, near=near, **asked)
    if revises is not None and supersedes is not None:
        raise InvalidValue(
            "Both revises and supersedes are given", "Give one: it was wrong, or the world changed"
        )
    changes = {name: value for name, value in asked.items() if name in _CHANGES}
    at = asked.pop("valid_at", None) if supersedes is not None else None
    if refused := asked.keys() - changes.keys():
        raise InvalidValue(
            f"A new version cannot change {', '.join(sorted(refused))}",
            "Leave them out, or remember a new memory without revises and supersedes",
        )
    if revises is not None:
        return forge.revise(revises, content, **changes)
    return forge.supersede(str(supersedes), content, at=at, **changes)


def _recall(forge: Forge, asked: dict[str, Any]) -> Answered:
    is_explained = asked.pop("explain")
    if asked.get("scope") == SearchScope.TOPICS:
        return _recall_topics(forge, asked)
    view = RecallView.of(forge.recall(**asked))
    said = f"{numbered(len(view.hits), 'hit')} among {numbered(view.searched, 'memory')}"
    if view.hits and not view.answered:
        said = f"Nothing among {numbered(view.searched, 'memory')} answers this; what comes nearest"
    if view.note:
        said = f"{guarded(view.note)} {said}"
    if view.left_out and view.answered:
        said += f"; {view.left_out} more were left out"
    hits = [_explained(hit) if is_explained else _hit(hit) for hit in view.hits]
    text = "\n\n".join([f"{said}. {DATA_NOTICE}", *hits])
    return Recalled(notice=DATA_NOTICE, recall=plain(view) if is_explained else _brief(view)), text


def _recall_topics(forge: Forge, asked: dict[str, Any]) -> Answered:
    view = TopicRecallView.of(forge.recall(**asked))
    said = f"{numbered(len(view.topics), 'topic')} among {numbered(view.searched, 'memory')}. {DATA_NOTICE}"
    told = [topic_block(each.topic, each.nearest, f"fits {each.score:.2f}") for each in view.topics]
    topics = [
        {
            "score": round(each.score, 2),
            **brief_topic(each.topic),
            "nearest": [brief_memory(x) for x in each.nearest],
        }
        for each in view.topics
    ]
    note = {"note": view.note} if view.note else {}
    answered = {"answered": bool(topics), "topics": topics, "searched": view.searched}
    text = "\n\n".join([*([guarded(view.note)] if view.note else []), said, *told])
    return Recalled(notice=DATA_NOTICE, recall=note | answered), text


def _brief(view: RecallView) -> dict[str, Any]:
    """What a model reads of a recall: some clients show it this, others the text, so each says all of it once."""
    hits = [
        {
            "rank": hit.rank,
            "mass": round(hit.mass, 2),
            "memory": {name: value for name in _TOLD if (value := getattr(hit.memory, name)) is not None}
            | _file(hit.memory),
            "excerpt": hit.gist,
            **({"superseded": True} if hit.superseded else {}),
            **({"joined": hit.joined[:_MOST_JOINED]} if hit.joined else {}),
            **({"but_now": hit.but_now} if hit.but_now else {}),
            **({"resonates": hit.resonates[:_MOST_JOINED]} if hit.resonates else {}),
        }
        for hit in view.hits
    ]
    note = {"note": view.note} if view.note else {}
    return {
        **note,
        "answered": view.answered,
        "hits": hits,
        "searched": view.searched,
        "left_out": view.left_out,
    }


def _look(forge: Forge, asked: dict[str, Any]) -> Answered:
    memory_id, changes, embeddings = (asked.pop(name, None) for name in ("id", "changes", "embeddings"))
    if memory_id is None and not changes:
        found = MemoryView.list_of(forge.memories(**asked))
        return _timeline("Memories, the newest first", found, None, None)
    seen = TimelineView.of(forge.timeline(memory_id, **asked))
    if memory_id is None:
        return _timeline("Changes, the newest first", [], seen, None)
    spaces = EmbeddingsView.of(forge.embeddings(memory_id)) if embeddings else None
    if seen.as_of_valid is None:
        return _timeline("Versions, the oldest first", seen.versions, seen, spaces)
    what = f"Versions that held at {seen.as_of_valid} as known at {seen.as_of_recorded}"
    return _timeline(what, seen.believed, seen, spaces)


def _timeline(
    what: str, memories: list[MemoryView], seen: TimelineView | None, embeddings: EmbeddingsView | None
) -> Answered:
    changes, dissonances = ([], []) if seen is None else (seen.changes, seen.dissonances)
    blocks = [_memory(memory, memory.content) for memory in memories]
    if not memories:
        blocks += [f"{each.at} {each.turn}: {_memory(each.memory, each.memory.content)}" for each in changes]
    blocks += [_dissonance(each) for each in dissonances]
    if embeddings is not None:
        blocks.append(_spaces(embeddings))
    text = "\n\n".join([f"{what}: {len(memories) or len(changes)}. {DATA_NOTICE}", *blocks])
    answer = Timeline(
        notice=DATA_NOTICE,
        what=what,
        memories=memories,
        changes=changes,
        dissonances=dissonances,
        embeddings=embeddings,
    )
    return answer, text


def _forget(forge: Forge, asked: dict[str, Any]) -> Answered:
    ids = asked.pop("id", ())
    parts = parts_of(_contents(forge, (ids,) if isinstance(ids, str) else ids))
    view = ForgottenView.of(forge.forget(**asked, memory_id=ids))
    repeated = repeats(forge.memories, parts)
    # Places have the names of files and conversations.
    told = guarded(" ".join(view.told(asked.get("reason") or "", is_repeated=bool(repeated)).split()))
    if repeated:
        told += f". Other memories have a number, address or name of it: {', '.join(x.id for x in repeated)}"
    removed = f"{numbered(view.versions, 'version')} and {numbered(view.links, 'link')}"
    return Forgot(
        forgotten=view
    ), f"Forgot {named(view.named((ids,) if isinstance(ids, str) else ids))}: {removed}. {told}."


def _contents(forge: Forge, ids: Sequence[str]) -> list[str]:
    """What memories say that are to be forgotten; whatever is wrong with an id is told by the forget."""
    try:
        return [forge.get(each).content for each in ids[:_LOOKED_AT]]
    except EngramforgeError:
        return []


def _hit(hit: HitView) -> str:
    superseded = ", superseded" * hit.superseded
    resolved = f", resolved since {hit.memory.valid_at[:10]}" * hit.memory.is_resolved_since
    when = f"{hit.memory.told_at[:16]}{resolved}{superseded}"
    head = f"{hit.rank}. {named(hit.memory.id)} {hit.memory.kind}, {when}, mass {hit.mass:.2f}"
    joined = {"same as": "; ".join(hit.joined[:_MOST_JOINED])}
    told = {"but now": hit.but_now, "resonates with": ", ".join(hit.resonates[:_MOST_JOINED])}
    return block(head, hit.gist, memory_names(hit.memory) | joined | told)


def _projects(forge: Forge, asked: dict[str, Any]) -> Answered:  # noqa: ARG001 - it takes none
    found = forge.projects()
    text = "\n".join(f"{named(each.name)}: {numbered(each.memories, 'memory')}" for each in found)
    return Projects(projects=plain(found)), text or "There is no project yet; the first memory makes one."


def _explained(hit: HitView) -> str:
    parts = ", ".join(f"{name} {value:.2f}" for name, value in hit.parts.items())
    spaces = ", ".join(match.space for match in hit.matches)
    reasons = f"mass {hit.mass:.3f}: {parts}; spaces: {spaces}; found by: {', '.join(hit.found_by)}"
    return f"{hit.rank}. {reasons}\n{_memory(hit.memory, hit.excerpt)}"


def _spaces(found: EmbeddingsView) -> str:
    """Surprise in each space, or why it abstains."""
    lines = [
        f"{each.number} {each.space}: "
        + (f"abstains, {each.abstains}" if each.abstains else f"surprise {each.surprise or 0:.2f}")
        for each in found.spaces
    ]
    return "\n".join([f"Spaces, among {numbered(found.around, 'other memory')}:", *lines])


def _dissonance(each: DissonanceView) -> str:
    why = (each.reason or "unknown").replace("_", " ")
    head = (
        f"Dissonance: version {each.original_version} gave way to version {each.corrected_version} at "
        f"{each.corrected_at} ({why})"
    )
    return block(head, each.trigger)


def _memory(memory: MemoryView, content: str) -> str:
    until = f" until {memory.invalid_at}" if memory.invalid_at else ""
    ended = f", replaced {memory.expired_at}" if memory.expired_at else ""
    head = f"{named(memory.id)} v{memory.version} {memory.kind}, true from {memory.valid_at}{until}{ended}"
    return block(head, content, memory_names(memory))


def memory_names(memory: MemoryView) -> dict[str, str | None]:
    """What a memory and its place are called."""
    return {"project": memory.project, "session": memory.session_id, **_file(memory), "name": memory.name}


def _file(memory: MemoryView) -> dict[str, str]:
    """The file of a memory that is a piece of one; its headings are its name."""
    return {"file": memory.chunk.file_path} if memory.chunk else {}


TOOLS: Final = (
    Tool("forge_remember", descriptions.REMEMBER, REMEMBER, Remembered, _remember),
    Tool("forge_recall", descriptions.RECALL, RECALL, Recalled, _recall, reads=True),
    Tool("forge_timeline", descriptions.TIMELINE, TIMELINE, Timeline, _look, reads=True),
    Tool("forge_projects", descriptions.PROJECTS, {}, Projects, _projects, reads=True),
    Tool("forge_forget", descriptions.FORGET, FORGET, Forgot, _forget, destroys=True),
)
