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
from engramforge.model.oracle import Depth
from engramforge.model.registries.entry import DecisionStatus, Priority, ThreadStatus
from engramforge.model.registries.learned import FlagStatus
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
_SHARE: Final = Argument(type=float)
_KINDS: Final = Argument(type=list[str], choices=tuple(Kind))
_MODE: Final = Argument(choices=tuple(TemporalMode))
_LEVEL: Final = Argument(choices=tuple(Level))
_STATE: Final = Argument(choices=tuple(ResolutionState))
_POINT: Final = dict.fromkeys(("as_of", "as_of_valid", "as_of_recorded"), _TEXT)
_RANGE: Final = dict.fromkeys(("recorded_since", "recorded_until"), _TEXT)
_BETWEEN: Final = dict.fromkeys(("since", "until"), _TEXT)
_IN_PROJECTS: Final = Argument("All when left out", str | list[str])

REMEMBER: Final[Arguments] = {
    "content": Argument("Optional with images"),
    "project": _TEXT,
    "kind": Argument("note when left out", choices=tuple(Kind)),
    "name": _TEXT,
    "session_id": Argument("The conversation"),
    "sequence": Argument("Its place there", int),
    "speaker": Argument("user: the user's own words; you when left out"),
    "level": _LEVEL,
    "tags": _TEXTS,
    "metadata": Argument(type=dict[str, Any]),
    **dict.fromkeys(("valid_at", "invalid_at", "recorded_at"), _TEXT),
    **dict.fromkeys(("energy", "confidence", "epistemic_tier"), _SHARE),
    **dict.fromkeys(("goal", "mindstate"), _TEXT),
    "resolution_state": _STATE,
    "origin": Argument("A stable identity"),
    "images": Argument("Paths or data URLs", list[str]),
    "captions": _TEXTS,
    "revises": Argument("Id of a memory that was wrong"),
    "supersedes": Argument("Id of one that was true until valid_at"),
    "near": Argument(type=bool, default=True),
}
RECALL: Final[Arguments] = {
    "query": Argument("Question or keywords; names and dates help"),
    "image": Argument("Path or data URL"),
    "code": _TEXT,
    "language": _TEXT,
    "entity": Argument("Any of these names", str | list[str]),
    "project": _IN_PROJECTS,
    "budget": Argument("Characters in all; null: no end", int | None, default=4000),
    "limit": Argument(type=int, default=5),
    "min_score": _SHARE,
    "scope": Argument(choices=tuple(SearchScope)),
    "kinds": _KINDS,
    "session_id": _TEXT,
    "exclude_session": Argument("Your own, say"),
    **_BETWEEN,
    "tags": Argument("All of them", list[str]),
    "mode": _MODE,
    **_POINT,
    **_RANGE,
    "explain": Argument("Whole contents, and why each hit", bool, default=False),
}
TIMELINE: Final[Arguments] = {
    "id": _TEXT,
    **_POINT,
    "project": _TEXT,
    "kinds": Argument("As of forge_recall", list[str]),
    "session_id": _TEXT,
    "tags": _TEXTS,
    **_BETWEEN,
    "changes": Argument(type=bool, default=False),
    "embeddings": Argument("Each space and its surprise", bool, default=False),
    "limit": Argument(type=int, default=20),
    "offset": Argument(type=int, default=0),
}
FORGET: Final[Arguments] = {
    "id": Argument(type=str | list[str]),
    "conversation": _TEXT,
    "file": Argument("Or folder that was imported"),
    "project": Argument("Alone, or its part of the conversation or file"),
    "confirmed": Argument(type=bool, default=False),
    "reason": Argument("Without content: it is kept", default=""),
}
LINK: Final[Arguments] = {
    "id": _TEXT,
    "target_id": _TEXT,
    "relation": _TEXT,
    "link_id": _TEXT,
    "reason": Argument("Without content", actions="remove"),
    **dict.fromkeys(("energy", "confidence"), _SHARE),
    "emotion_vector": Argument(type=dict[str, float]),
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
_ENTRY: Final = {"project": _TEXT, "conversation": _TEXT, "local_id": _TEXT}
DECISION: Final[Arguments] = {
    "query": Argument("Words or an id", actions="search"),
    "id": Argument("dec_... or D001 (with its conversation)"),
    "ids": Argument(type=list[str], actions="validate"),
    "decision": Argument("In one sentence"),
    "rationale": _TEXT,
    "tier": Argument("How sure it is", float),
    "alternatives_rejected": _TEXTS,
    "dependencies": Argument("Ids that it builds on", list[str]),
    "by": Argument("Id of one that is there", actions="supersede"),
    "reason": _TEXT,
    "at": _TEXT,
    **_ENTRY,
    "status": Argument("active when left out", choices=(*DecisionStatus, "all")),
    "tags": _TEXTS,
    **dict.fromkeys(("valid_at", "since", "until"), _TEXT),
    "level": _LEVEL,
    "min_tier": Argument(type=float, actions="search"),
    "days": Argument("Unconfirmed so long", int, actions="stale"),
    "max_tier": Argument(type=float, actions="stale"),
    "hops": Argument("Or carried so often", int, actions="stale"),
    "expected_version": _WHOLE,
    "limit": _WHOLE,
    "offset": _WHOLE,
}
THREAD: Final[Arguments] = {
    "query": DECISION["query"],
    "id": Argument("thr_... or T001 (with its conversation)"),
    "title": _TEXT,
    "content": _TEXT,
    "status": Argument(choices=(*ThreadStatus, "all")),
    "resolution": _TEXT,
    "priority": Argument(choices=tuple(Priority)),
    "blocked_by": Argument("Thread ids", list[str]),
    **_ENTRY,
    "tags": _TEXTS,
    **dict.fromkeys(("at", "valid_at", "since", "until"), _TEXT),
    "level": _LEVEL,
    "expected_version": _WHOLE,
    "limit": _WHOLE,
    "offset": _WHOLE,
}
LINEAGE: Final[Arguments] = {
    "conversation": _TEXT,
    "direction": Argument(choices=tuple(Direction)),
    "source": Argument("Conversation that was compressed"),
    "target": Argument("Conversation that goes on"),
    "query": Argument("A tag, or what changed", actions="search"),
    "tag": _TEXT,
    "mode": Argument(choices=tuple(CompressionMode)),
    "turn_range": Argument("First and last", list[int]),
    **dict.fromkeys(
        ("decisions_carried", "decisions_dropped", "threads_carried", "threads_resolved"), _TEXTS
    ),
    "bridge_summary": _TEXT,
    "level": _LEVEL,
    "project": _TEXT,
    "limit": _WHOLE,
}
LEARNED: Final[Arguments] = {
    "id": _TEXT,
    "name": Argument("Or territory, or key"),
    "content": _TEXT,
    "query": _TEXT,
    "success": Argument(type=bool | None),
    "ids": Argument("All about name when left out", list[str], actions="compile"),
    "type": Argument("Of flags, as isomorphism"),
    "status": Argument(choices=(*FlagStatus, "all")),
    **dict.fromkeys(("project", "session_id", "expires_at"), _TEXT),
    "ttl_hours": Argument(type=float),
    "limit": _WHOLE,
}
ARCHIVE: Final[Arguments] = {
    "conversation": Argument("To compress, or that goes on"),
    "archive_text": Argument("As it was pasted", actions="continue"),
    "mode": Argument(choices=tuple(CompressionMode)),
    "context": Argument("What comes next", actions="partial"),
    "tag": _TEXT,
    "size": Argument("Most characters", int, actions="lossy"),
    "turn_range": Argument("First and last", list[int]),
    "level": Argument("Leaves out what fewer see", choices=tuple(Level)),
    "project": _TEXT,
}
CONTEXT: Final[Arguments] = {
    "query": Argument(needed=True),
    "project": Argument("All when left out"),
    "include_threads": Argument(type=bool, default=True),
    "include_decisions": Argument(type=bool, default=True),
    "cross_project": Argument(type=bool, default=False),
    "budget": Argument("Characters", int),
}
FEEDBACK: Final[Arguments] = {
    "id": Argument(needed=True),
    "useful": Argument(type=bool, needed=True),
    "note": _TEXT,
}
_LENSES: Final = Argument(
    "Each project_name, role, weight, as_of; or name, projects, tags, agent, source, model; also as JSON",
    str | list[dict[str, Any]],
)
ORCHESTRATE: Final[Arguments] = {
    "query": Argument(needed=True),
    "lens_name": Argument("Else all active roles"),
    "lenses": _LENSES,
    "budget": _WHOLE,
}
CONSULT: Final[Arguments] = {
    "query": Argument(needed=True),
    "depth": Argument(default=str(Depth.SHALLOW), choices=tuple(Depth)),
}
CONFLICT: Final[Arguments] = {
    "id": _TEXT,
    "reason": Argument(actions="dismiss"),
    "text": _TEXT,
    "project": _TEXT,
    "dismissed": Argument(type=bool, default=False),
    "replaced": Argument(type=bool, default=False),
}
ROLE: Final[Arguments] = {
    "project": _TEXT,
    "role": Argument(choices=tuple(Role)),
    "weight": _SHARE,
}
LENS: Final[Arguments] = {
    "name": _TEXT,
    "projects": Argument("As lenses of forge_orchestrate", str | list[dict[str, Any]]),
    "description": _TEXT,
    "default_budget": _WHOLE,
    "adaptive": Argument(type=bool),
}
