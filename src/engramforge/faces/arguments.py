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
from engramforge.model.streams.asked import QueryMode, TemporalScope
from engramforge.model.streams.ways import LEVEL_NUMBERS
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
_MODE: Final = Argument(choices=tuple(TemporalMode))
_LEVELS: Final = (*Level, *LEVEL_NUMBERS.values())
_LEVEL: Final = Argument(choices=_LEVELS)
_STATE: Final = Argument(choices=tuple(ResolutionState))
_POINT: Final = dict.fromkeys(("as_of", "as_of_valid", "as_of_recorded"), _TEXT)
_RANGE: Final = dict.fromkeys(("recorded_since", "recorded_until"), _TEXT)
_BETWEEN: Final = dict.fromkeys(("since", "until"), _TEXT)
_IN_PROJECTS: Final = Argument(type=str | list[str])

REMEMBER: Final[Arguments] = {
    "content": Argument("Optional with images"),
    "project": _TEXT,
    "kind": Argument("note when left out", choices=tuple(Kind)),
    "name": _TEXT,
    "session_id": _TEXT,
    "sequence": _WHOLE,
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
    "query": Argument("Names and dates help"),
    "image": Argument("Path or data URL"),
    "code": _TEXT,
    "language": _TEXT,
    "entity": Argument("Any of these names", str | list[str]),
    "project": _IN_PROJECTS,
    "budget": Argument("Characters in all; null: no end", int | None, default=4000),
    "limit": Argument(type=int, default=5),
    "min_score": _SHARE,
    "scope": Argument(choices=tuple(SearchScope)),
    "kinds": _TEXTS,
    "session_id": _TEXT,
    "exclude_session": _TEXT,
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
    "kinds": _TEXTS,
    "session_id": _TEXT,
    "tags": _TEXTS,
    **_BETWEEN,
    "changes": Argument(type=bool, default=False),
    "embeddings": Argument(type=bool, default=False),
    "limit": Argument(type=int, default=20),
    "offset": Argument(type=int, default=0),
}
FORGET: Final[Arguments] = {
    "id": Argument(type=str | list[str]),
    "conversation": _TEXT,
    "file": Argument("Or folder"),
    "project": Argument("Or its part of these"),
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
    "depth": _WHOLE,
    "fan_out": _WHOLE,
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
    "decision": _TEXT,
    "rationale": _TEXT,
    "tier": _SHARE,
    "alternatives_rejected": _TEXTS,
    "dependencies": _TEXTS,
    "by": Argument("Id of another", actions="supersede"),
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
    "blocked_by": _TEXTS,
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
    "source": Argument("The compressed conversation"),
    "target": _TEXT,
    "query": Argument("A tag, or what changed", actions="search"),
    "tag": _TEXT,
    "mode": Argument(choices=tuple(CompressionMode)),
    "turn_range": Argument(type=list[int]),
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
    "type": Argument("Of flags"),
    "status": Argument(choices=(*FlagStatus, "all")),
    **dict.fromkeys(("project", "session_id", "expires_at"), _TEXT),
    "ttl_hours": Argument(type=float),
    "limit": _WHOLE,
}
TOPICS: Final[Arguments] = {
    "id": _TEXT,
    "project": _TEXT,
    **_BETWEEN,
    "as_of": _TEXT,
    "limit": _WHOLE,
}
ARCHIVE: Final[Arguments] = {
    "conversation": _TEXT,
    "archive_text": Argument("As it was pasted", actions="continue"),
    "mode": Argument(choices=tuple(CompressionMode)),
    "context": Argument("What comes next", actions="partial"),
    "tag": _TEXT,
    "size": Argument("Most characters", int, actions="lossy"),
    "turn_range": Argument("First and last", list[int]),
    "level": Argument("Leaves out what fewer see", choices=_LEVELS),
    "project": _TEXT,
}
CONTEXT: Final[Arguments] = {
    "query": Argument(needed=True),
    "project": _TEXT,
    "include_threads": Argument(type=bool, default=True),
    "include_decisions": Argument(type=bool, default=True),
    "cross_project": Argument(type=bool, default=False),
    "budget": Argument("Characters", int),
}
STREAM: Final[Arguments] = {
    "query_text": _TEXT,
    "temporal_mode": _MODE,
    **dict.fromkeys(
        ("as_of_time", "as_of_valid", "as_of_recorded", "time_range_start", "time_range_end"), _TEXT
    ),
    "query_levels": Argument(type=list[str], choices=_LEVELS),
    "max_results_per_level": _WHOLE,
    **dict.fromkeys(("min_energy", "min_confidence"), _SHARE),
    "required_emotions": _TEXTS,
    "only_fully_valid": Argument(type=bool),
    "query_mode": Argument(choices=tuple(QueryMode)),
    "current_energy": _SHARE,
    "current_emotions": Argument(type=dict[str, float]),
    "current_goal": _TEXT,
    "include_only_unresolved": Argument(type=bool),
    "temporal_scope": Argument(choices=tuple(TemporalScope)),
    "reality_pressure": _SHARE,
    "rerank": Argument(type=bool),
    "project": _TEXT,
    "explain": Argument(type=bool, default=False),
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
