"""The arguments of verbs as faces describe them to programs, a table for each group of verbs.

What a verb takes, its facade's signature says, and the facade checks values. Options of commands are described where
they stand (docs/decisions/0016-where-a-verb-is-described.md). Every word here is read by a model in every conversation,
so a name that says enough has no text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engramforge.model.lenses.role import Role
from engramforge.model.memory import Kind, ResolutionState
from engramforge.model.registries.entry import DecisionStatus, Priority, ThreadStatus
from engramforge.model.registries.lineage import CompressionMode, Direction
from engramforge.model.scope import Level
from engramforge.model.search.selection import SearchScope
from engramforge.model.time import TemporalMode


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a verb.

    `text`: what it is, without a full stop; empty where its name says it. `type`: of its value. `actions`: those of a
    tool's actions that it is for; empty for all. `default`: the value when it is left out. `needed`: whether it may not
    be left out. `choices`: every value that it, or a member of it, may have; empty for any.
    """

    text: str = ""
    type: Any = str
    actions: str = ""
    default: Any = None
    needed: bool = False
    choices: tuple[str, ...] = ()

    @property
    def described(self) -> str:
        """The text, after the actions that it is for."""
        text = f"{self.text[0].lower()}{self.text[1:]}" if self.actions and self.text else self.text
        return ": ".join(filter(None, (self.actions, text)))


Arguments = Mapping[str, Argument]

_TEXT: Final = Argument()
_TEXTS: Final = Argument(type=list[str])
_WHOLE: Final = Argument(type=int)
_SHARE: Final = Argument("0..1", float)
_KINDS: Final = Argument(type=list[str], choices=tuple(Kind))
_MODE: Final = Argument(choices=tuple(TemporalMode))
_STATE: Final = Argument(choices=tuple(ResolutionState))
_POINT: Final = dict.fromkeys(("as_of", "as_of_valid", "as_of_recorded"), _TEXT)
_RANGE: Final = dict.fromkeys(("recorded_since", "recorded_until"), _TEXT)
_BETWEEN: Final = dict.fromkeys(("since", "until"), _TEXT)
_IN_PROJECTS: Final = Argument("One or several; all when left out", str | list[str])

REMEMBER: Final[Arguments] = {
    "content": Argument("At most 1 MB; may be left out with images"),
    "project": _TEXT,
    "kind": Argument("note when left out", choices=tuple(Kind)),
    "name": _TEXT,
    "session_id": Argument("The conversation"),
    "sequence": Argument("Its place there", int),
    "speaker": Argument("user for the user's own words; you when left out"),
    "level": Argument(choices=tuple(Level)),
    "tags": _TEXTS,
    "metadata": Argument(type=dict[str, Any]),
    **dict.fromkeys(("valid_at", "invalid_at", "recorded_at"), _TEXT),
    **dict.fromkeys(("energy", "confidence", "epistemic_tier"), _SHARE),
    **dict.fromkeys(("goal", "mindstate"), _TEXT),
    "resolution_state": _STATE,
    "origin": Argument("A stable identity"),
    "images": Argument("Paths or data URLs", list[str]),
    "captions": Argument("Of images", list[str]),
    "revises": Argument("Id of a memory that was wrong"),
    "supersedes": Argument("Id of a memory that was true before"),
    "near": Argument(type=bool, default=True),
}
RECALL: Final[Arguments] = {
    "query": Argument("A question or keywords; names and dates help"),
    "image": Argument("Path or data URL: images like it"),
    "code": Argument("Code like it"),
    "language": _TEXT,
    "entity": Argument("Memories that mention one of these names", str | list[str]),
    "project": _IN_PROJECTS,
    "budget": Argument("Characters of content in all; null: no end", int | None, default=4000),
    "limit": Argument(type=int, default=5),
    "min_score": _SHARE,
    "scope": Argument(choices=tuple(SearchScope)),
    "kinds": _KINDS,
    "session_id": Argument("Only this conversation"),
    "exclude_session": Argument("Not this conversation: your own, say"),
    **_BETWEEN,
    "tags": Argument("All of them", list[str]),
    "mode": _MODE,
    **_POINT,
    **_RANGE,
    "explain": Argument("Whole contents, and why each is a hit", bool, default=False),
}
TIMELINE: Final[Arguments] = {
    "id": _TEXT,
    **_POINT,
    "project": _TEXT,
    "kinds": Argument("As of forge_recall", list[str]),
    "session_id": _TEXT,
    "tags": _TEXTS,
    **_BETWEEN,
    "changes": Argument("What began or ended", bool, default=False),
    "embeddings": Argument("With id: each space and its surprise", bool, default=False),
    "limit": Argument(type=int, default=20),
    "offset": Argument(type=int, default=0),
}
FORGET: Final[Arguments] = {
    "id": Argument("One or several", str | list[str]),
    "conversation": Argument("All of it"),
    "file": Argument("All imported from a file or folder"),
    "project": Argument("All of it; or only its part of the conversation or file"),
    "confirmed": Argument("The user agreed to the number", bool, default=False),
    "reason": Argument("Without content: it is kept", default=""),
}
LINK: Final[Arguments] = {
    "id": Argument("list: a memory; create: the source"),
    "target_id": _TEXT,
    "relation": _TEXT,
    "link_id": _TEXT,
    "reason": Argument("Without content", actions="remove"),
    **dict.fromkeys(("energy", "confidence"), _SHARE),
    "emotion_vector": Argument("Emotion -> 0..1", dict[str, float]),
    **dict.fromkeys(("goal", "mindstate"), _TEXT),
    "energy_transfer_coefficient": _SHARE,
    "resolution_state": _STATE,
    **dict.fromkeys(
        ("formation_trigger", "felt_quality", "emotion_description", "body_sensation", "spatial_context"),
        _TEXT,
    ),
    "sensory_details": Argument(type=str | dict[str, str]),
    **dict.fromkeys(("valid_at", "invalid_at", "recorded_at"), _TEXT),
    "depth": Argument("1..4", int),
    "fan_out": Argument("1..100", int),
    "metadata": Argument(type=dict[str, Any]),
    "mode": _MODE,
    **_POINT,
    **_RANGE,
}
_ENTRY: Final = {"project": _TEXT, "conversation": _TEXT, "local_id": Argument("As D001")}
DECISION: Final[Arguments] = {
    "query": Argument("Words, a question, or an id", actions="search"),
    "id": Argument("dec_..., or D001, with its conversation if needed"),
    "ids": Argument("Which still hold", list[str], actions="validate"),
    "decision": Argument("In one sentence"),
    "rationale": _TEXT,
    "tier": Argument("How sure it is, 0..1", float),
    "alternatives_rejected": _TEXTS,
    "dependencies": Argument("Decisions that it builds on", list[str]),
    "by": Argument("A decision that is there already", actions="supersede"),
    "reason": _TEXT,
    "at": _TEXT,
    **_ENTRY,
    "status": Argument("active when left out", choices=(*DecisionStatus, "all")),
    "tags": _TEXTS,
    **dict.fromkeys(("valid_at", "since", "until"), _TEXT),
    "level": Argument(actions="create", choices=tuple(Level)),
    "min_tier": Argument(type=float, actions="search"),
    "days": Argument("Not validated for so long", int, actions="stale"),
    "max_tier": Argument(type=float, actions="stale"),
    "hops": Argument("Or carried so often", int, actions="stale"),
    "expected_version": Argument(type=int, actions="revise"),
    "limit": _WHOLE,
    "offset": Argument(type=int, actions="list"),
}
THREAD: Final[Arguments] = {
    "query": DECISION["query"],
    "id": Argument("thr_..., or T001, with its conversation if needed"),
    "title": _TEXT,
    "content": _TEXT,
    "status": Argument(choices=(*ThreadStatus, "all")),
    "resolution": Argument("How it was closed", actions="update"),
    "priority": Argument(choices=tuple(Priority)),
    "blocked_by": Argument("Threads that it waits for", list[str]),
    **{**_ENTRY, "local_id": Argument("As T001")},
    "tags": _TEXTS,
    **dict.fromkeys(("at", "valid_at", "since", "until"), _TEXT),
    "level": DECISION["level"],
    "expected_version": Argument(type=int, actions="update"),
    "limit": _WHOLE,
    "offset": DECISION["offset"],
}
LINEAGE: Final[Arguments] = {
    "conversation": Argument(actions="trace"),
    "direction": Argument(actions="trace", choices=tuple(Direction)),
    "source": Argument("The conversation that was compressed"),
    "target": Argument("The conversation that goes on"),
    "query": Argument("A tag, or what changed", actions="search"),
    "tag": Argument(actions="link"),
    "mode": Argument(actions="link", choices=tuple(CompressionMode)),
    "turn_range": Argument("First and last", list[int], actions="link"),
    **dict.fromkeys(
        ("decisions_carried", "decisions_dropped", "threads_carried", "threads_resolved"), _TEXTS
    ),
    "bridge_summary": Argument("What changed", actions="link"),
    "level": Argument(actions="link", choices=tuple(Level)),
    "project": _TEXT,
    "limit": _WHOLE,
}
ARCHIVE: Final[Arguments] = {
    "conversation": Argument("The one to compress, or the one that goes on"),
    "archive_text": Argument("As it was pasted", actions="continue"),
    "mode": Argument(actions="compress", choices=tuple(CompressionMode)),
    "context": Argument("What comes next, for partial"),
    "tag": Argument(actions="compress"),
    "size": Argument("The most characters, for lossy", int),
    "turn_range": Argument("First and last", list[int], actions="compress"),
    "level": Argument("Nothing that fewer see is in it", actions="compress", choices=tuple(Level)),
    "project": _TEXT,
}
CONTEXT: Final[Arguments] = {
    "query": Argument(needed=True),
    "project": Argument("All when left out"),
    "include_threads": Argument(type=bool, default=True),
    "include_decisions": Argument(type=bool, default=True),
    "cross_project": Argument("The other projects, too", bool, default=False),
    "budget": Argument("The most characters", int),
}
FEEDBACK: Final[Arguments] = {
    "id": Argument(needed=True),
    "useful": Argument(type=bool, needed=True),
    "note": _TEXT,
}
_LENSES: Final = Argument("Of each project_name, role, weight; also as JSON", str | list[dict[str, Any]])
ORCHESTRATE: Final[Arguments] = {
    "query": Argument(needed=True),
    "lens_name": Argument("All active roles when left out"),
    "lenses": _LENSES,
    "budget": _WHOLE,
}
CONFLICT: Final[Arguments] = {
    "id": _TEXT,
    "reason": Argument(actions="dismiss"),
    "text": _TEXT,
    "project": _TEXT,
    "dismissed": Argument(type=bool, default=False),
}
ROLE: Final[Arguments] = {
    "project": _TEXT,
    "role": Argument(actions="assign", choices=tuple(Role)),
    "weight": _SHARE,
}
LENS: Final[Arguments] = {
    "name": _TEXT,
    "projects": _LENSES,
    "description": _TEXT,
    "default_budget": _WHOLE,
}
