"""The arguments of verbs as faces describe them to programs, a table for each group of verbs.

What a verb takes, its facade's signature says, and the facade checks values. Options of commands are described where
they stand (docs/decisions/0016-where-a-verb-is-described.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a verb.

    `text`: what it is, without a full stop. `type`: of its value. `actions`: those of a tool's actions that it is for;
    empty for all. `default`: the value when it is left out. `needed`: whether it may not be left out.
    """

    text: str
    type: Any = str
    actions: str = ""
    default: Any = None
    needed: bool = False

    @property
    def described(self) -> str:
        """The text, after the actions that it is for."""
        return f"{self.actions}: {self.text[0].lower()}{self.text[1:]}" if self.actions else self.text


Arguments = Mapping[str, Argument]


def _times(*names: str) -> dict[str, Argument]:
    text = "ISO 8601 with a zone, as 2026-05-01T09:00:00Z, or a date"
    return dict.fromkeys(names, Argument(text))


_POINT: Final = _times("as_of", "as_of_valid", "as_of_recorded")
_RANGE: Final = _times("recorded_since", "recorded_until")
_TAGS: Final = Argument("Tags", list[str])
_SHARE: Final = Argument("0..1, 0.5 when left out", float)
_LIMIT: Final = Argument("The most hits", int)
_ENTRY: Final = {
    "project": Argument("Its project; all when left out"),
    "conversation": Argument("The conversation at hand"),
    "local_id": Argument("What the conversation calls it", actions="create"),
}

REMEMBER: Final[Arguments] = {
    "content": Argument(
        "What to remember: one self-contained text, at most 1 MB; may be left out with images"
    ),
    "project": Argument("The body of memories it belongs to"),
    "kind": Argument("note (when left out), decision, learning, message, prompt, response, action, ..."),
    "name": Argument("A short name"),
    "session_id": Argument("The conversation it belongs to"),
    "sequence": Argument("Its place in the conversation", int),
    "speaker": Argument("Who said it: user for the user's own words; you when left out"),
    "level": Argument("personal, collective or ecosystem"),
    "tags": Argument("Words to filter by later", list[str]),
    "metadata": Argument("Open fields", dict[str, Any]),
    **_times("valid_at", "invalid_at", "recorded_at"),
    **dict.fromkeys(("energy", "confidence", "epistemic_tier"), _SHARE),
    "goal": Argument("What it serves"),
    "mindstate": Argument("The state of mind it was formed in"),
    "resolution_state": Argument("in_progress, blocked or resolved"),
    "origin": Argument("A stable identity: a second one is a duplicate"),
    "images": Argument("Image files that belong to it: paths, or data URLs in base64", list[str]),
    "captions": Argument("What each image shows, in order", list[str]),
    "revises": Argument("The id of a memory that was wrong"),
    "supersedes": Argument("The id of a memory that was true before"),
}
RECALL: Final[Arguments] = {
    "query": Argument("A question or keywords; names and dates help"),
    "image": Argument("An image file's path or a data URL: memories with images like it"),
    "code": Argument("A piece of code: memories with code like it"),
    "language": Argument("The code's language; else recognised"),
    "entity": Argument("A name, or several: memories that mention one", str | list[str]),
    "project": Argument("One project, several, or all when left out", str | list[str]),
    "budget": Argument("Characters of content in all; null: no end", int | None, default=4000),
    "limit": _LIMIT,
    "min_score": Argument("Leave out hits with less mass, 0..1", float),
    "scope": Argument("memories (when left out), decisions, threads or lineage alone"),
    "kinds": Argument("Only these kinds", list[str]),
    "session_id": Argument("Only this conversation"),
    **_times("since", "until"),
    "tags": Argument("Only with all of these tags", list[str]),
    "mode": Argument(
        "current (when left out), point_in_time (with as_of), evolution (every version on record from "
        "recorded_since until recorded_until) or full_history (every version)"
    ),
    **_POINT,
    **_RANGE,
}
TIMELINE: Final[Arguments] = {
    "id": Argument("A memory: all its versions"),
    **_POINT,
    "project": Argument("Without id: only this project"),
    "kinds": Argument("Without id: only these kinds", list[str]),
    "session_id": Argument("Without id: only this conversation"),
    "tags": Argument("Without id: only with all of these tags", list[str]),
    **_times("since", "until"),
    "changes": Argument(
        "Without id: what began or ended in the range, not the memories themselves", bool, default=False
    ),
    "embeddings": Argument(
        "With id: what each space makes of it, and how surprising it is", bool, default=False
    ),
    "limit": Argument("The most memories, or changes", int, default=20),
    "offset": Argument("How many of the newest to pass over", int, default=0),
}
FORGET: Final[Arguments] = {
    "id": Argument("The memory, or several; all versions are removed", str | list[str]),
    "conversation": Argument("All of a conversation instead"),
    "file": Argument("All that was imported from a file or folder instead"),
    "project": Argument("All of a project instead; or only what of the conversation or file is in it"),
    "confirmed": Argument("The user has seen how many memories go", bool, default=False),
    "reason": Argument("Why; kept in the audit log, so without content", default=""),
}
LINK: Final[Arguments] = {
    "id": Argument("list: a memory; create: the source"),
    "target_id": Argument("The target", actions="create"),
    "relation": Argument("Upper-case words, as CAUSES; list: only it"),
    "link_id": Argument("The link", actions="remove"),
    "reason": Argument("Why, without content", actions="remove"),
    **dict.fromkeys(("energy", "confidence"), Argument("0..1", float, actions="create")),
    "emotion_vector": Argument(
        "Emotion -> 0..1, {} when nothing was felt", dict[str, float], actions="create"
    ),
    **dict.fromkeys(("goal", "mindstate"), Argument("A text", actions="create")),
    "energy_transfer_coefficient": Argument("0..1, 0.5 when left out", float, actions="create"),
    "resolution_state": Argument("in_progress (when left out), blocked or resolved", actions="create"),
    **dict.fromkeys(
        ("formation_trigger", "felt_quality", "emotion_description", "body_sensation", "spatial_context"),
        Argument("A text", actions="create"),
    ),
    "sensory_details": Argument("A text, or one for each sense", str | dict[str, str], actions="create"),
    **_times("valid_at", "invalid_at", "recorded_at"),
    "depth": Argument("Links in a row to follow, 1 (when left out) to 4", int, actions="list"),
    "fan_out": Argument("The most links to follow at a memory, 1 to 100", int, actions="list"),
    "metadata": Argument("Any other fields", dict[str, Any], actions="create"),
    "mode": Argument(
        "Current (when left out), point_in_time, evolution (with a range) or full_history", actions="list"
    ),
    **_POINT,
    **_RANGE,
}
DECISION: Final[Arguments] = {
    "query": Argument("Words, a question, or an id", actions="search"),
    "id": Argument("dec_..., or D001 with its conversation"),
    "ids": Argument("Which still hold", list[str], actions="validate"),
    "decision": Argument("What was decided, in one sentence"),
    "rationale": Argument("Why"),
    "tier": Argument("How sure it is, 0..1", float),
    "alternatives_rejected": Argument("What was not chosen", list[str]),
    "dependencies": Argument("Decisions that it builds on", list[str]),
    "by": Argument("A decision that is there already", actions="supersede"),
    "reason": Argument("Why", actions="invalidate, reinstate"),
    **_times("at"),
    **_ENTRY,
    "status": Argument("active (when left out), superseded, invalidated or all"),
    "tags": _TAGS,
    **_times("valid_at", "since", "until"),
    "min_tier": Argument("At least so sure", float, actions="search"),
    "days": Argument("Not validated for so long, 30", int, actions="stale"),
    "max_tier": Argument("Of those at most so sure, 0.7", float, actions="stale"),
    "hops": Argument("Or carried so often, 3", int, actions="stale"),
    "expected_version": Argument("Refuse another", int, actions="revise"),
    "limit": Argument("The most decisions", int),
    "offset": Argument("Leave out the first", int, actions="list"),
}
THREAD: Final[Arguments] = {
    "query": DECISION["query"],
    "id": Argument("thr_..., or T001 with its conversation"),
    "title": Argument("What is open, in short"),
    "content": Argument("The same in full"),
    "status": Argument("open, resolved, superseded or abandoned; to search and list also all"),
    "resolution": Argument("How it was closed", actions="update"),
    "priority": Argument("high, medium or low"),
    "blocked_by": Argument("The threads that it waits for", list[str]),
    **_ENTRY,
    "tags": _TAGS,
    **_times("at", "valid_at", "since", "until"),
    "expected_version": Argument("Refuse another", int, actions="update"),
    "limit": Argument("The most threads", int),
    "offset": DECISION["offset"],
}
_CARRIED: Final = Argument("Global ids", list[str], actions="link")
LINEAGE: Final[Arguments] = {
    "conversation": Argument("The conversation", actions="trace"),
    "direction": Argument("Ancestors, descendants or both", actions="trace"),
    "source": Argument("The conversation that was compressed"),
    "target": Argument("The conversation that goes on"),
    "query": Argument("A tag, or what changed", actions="search"),
    "tag": Argument("A name for the compression", actions="link"),
    "mode": Argument("Lossless, lossy or partial", actions="link"),
    "turn_range": Argument("First and last turn", list[int], actions="link"),
    **dict.fromkeys(
        ("decisions_carried", "decisions_dropped", "threads_carried", "threads_resolved"), _CARRIED
    ),
    "bridge_summary": Argument("What changed, in words", actions="link"),
    "project": _ENTRY["project"],
    "limit": Argument("The most edges", int),
}
ARCHIVE: Final[Arguments] = {
    "conversation": Argument("The conversation to compress, or the one that goes on"),
    "archive_text": Argument("The archive as it was given", actions="continue"),
    "mode": Argument("Lossless (when left out), lossy or partial", actions="compress"),
    "context": Argument("What comes next is about", actions="compress, partial"),
    "tag": Argument("A name for it", actions="compress"),
    "size": Argument("At most so many characters", int, actions="compress, lossy"),
    "turn_range": Argument("First and last turn", list[int], actions="compress"),
    "project": Argument("The conversation's project"),
}
CONTEXT: Final[Arguments] = {
    "query": Argument("What is at hand: a question, a task, some words", needed=True),
    "project": Argument("The project at hand; all when left out"),
    "include_threads": Argument("Open threads too", bool, default=True),
    "include_decisions": Argument("Active decisions too", bool, default=True),
    "cross_project": Argument("Look into the other projects, too", bool, default=False),
    "budget": Argument("The most characters", int),
}
