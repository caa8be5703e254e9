"""The arguments of verbs, described once: what tools say of them, and options of commands, follow from it.

A table for each group of verbs. The facade has their names, types and defaults in its signatures, and checks values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a verb.

    Parameters
    ----------
    text : what it is, without a full stop.
    type : of its value; a list may be given item by item.
    metavar : what stands for a value in a command's help.
    option : the option's name, where it is not the argument's.
    actions : those of a tool's actions that it is for; empty for all.
    default : the value when it is left out.
    needed : whether it may not be left out.
    """

    text: str
    type: Any = str
    metavar: str = "TEXT"
    option: str = ""
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
    return {name: Argument(text, metavar="TIME") for name in names}


def pick(table: Arguments, names: Iterable[str]) -> dict[str, Argument]:
    """Some arguments of a table, in this order."""
    return {name: table[name] for name in names}


_POINT: Final = _times("as_of", "as_of_valid", "as_of_recorded")
_RANGE: Final = _times("recorded_since", "recorded_until")
_TAGS: Final = Argument("Tags", list[str], "TAG", "--tag")
_SHARE: Final = Argument("0..1, 0.5 when left out", float, "0..1")
_LIMIT: Final = Argument("The most hits", int, "N")
_ENTRY: Final = {
    "project": Argument("Its project; all when left out", metavar="NAME"),
    "conversation": Argument("The conversation at hand", metavar="ID"),
    "local_id": Argument("What the conversation calls it", metavar="D001", actions="create"),
}

REMEMBER: Final[Arguments] = {
    "content": Argument(
        "What to remember: one self-contained text, at most 1 MB; may be left out with images"
    ),
    "project": Argument("The body of memories it belongs to", metavar="NAME"),
    "kind": Argument(
        "note (when left out), decision, learning, message, prompt, response, action, ...", metavar="KIND"
    ),
    "name": Argument("A short name"),
    "session_id": Argument("The conversation it belongs to", metavar="ID", option="--session"),
    "sequence": Argument("Its place in the conversation", int, "N"),
    "speaker": Argument("Who said it", metavar="NAME"),
    "level": Argument("personal, collective or ecosystem", metavar="LEVEL"),
    "tags": Argument("Words to filter by later", list[str], "TAG", "--tag"),
    "metadata": Argument("Open fields", dict[str, Any], "JSON"),
    **_times("valid_at", "invalid_at", "recorded_at"),
    **dict.fromkeys(("energy", "confidence", "epistemic_tier"), _SHARE),
    "goal": Argument("What it serves"),
    "mindstate": Argument("The state of mind it was formed in"),
    "resolution_state": Argument("in_progress, blocked or resolved", metavar="STATE"),
    "origin": Argument("A stable identity: a second one is a duplicate"),
    "images": Argument(
        "Image files that belong to it: paths, or data URLs in base64", list[str], "FILE", "--image"
    ),
    "captions": Argument("What each image shows, in order", list[str], option="--caption"),
    "revises": Argument("The id of a memory that was wrong", metavar="ID"),
    "supersedes": Argument("The id of a memory that was true before", metavar="ID"),
}
RECALL: Final[Arguments] = {
    "query": Argument("A question or keywords; names and dates help"),
    "image": Argument("An image file's path or a data URL: memories with images like it", metavar="FILE"),
    "code": Argument("A piece of code: memories with code like it", metavar="CODE"),
    "language": Argument("The code's language; else recognised", metavar="NAME"),
    "entity": Argument("A name, or several: memories that mention one", str | list[str], "NAME"),
    "project": Argument("One project, several, or all when left out", str | list[str], "NAME"),
    "budget": Argument("Characters of content in all; null: no end", int | None, "CHARACTERS", default=4000),
    "limit": _LIMIT,
    "min_score": Argument("Leave out hits with less mass, 0..1", float, "0..1"),
    "scope": Argument("memories (when left out), decisions, threads or lineage alone", metavar="SCOPE"),
    "kinds": Argument("Only these kinds", list[str], "KIND", "--kind"),
    "session_id": Argument("Only this conversation", metavar="ID", option="--session"),
    **_times("since", "until"),
    "tags": Argument("Only with all of these tags", list[str], "TAG", "--tag"),
    "mode": Argument(
        "current (when left out), point_in_time (with as_of), evolution (every version on record from "
        "recorded_since until recorded_until) or full_history (every version)",
        metavar="MODE",
    ),
    **_POINT,
    **_RANGE,
}
TIMELINE: Final[Arguments] = {
    "id": Argument("A memory: all its versions", metavar="ID"),
    **_POINT,
    "project": Argument("Without id: only this project", metavar="NAME"),
    "kinds": Argument("Without id: only these kinds", list[str], "KIND", "--kind"),
    "session_id": Argument("Without id: only this conversation", metavar="ID", option="--session"),
    "tags": Argument("Without id: only with all of these tags", list[str], "TAG", "--tag"),
    **_times("since", "until"),
    "changes": Argument(
        "Without id: what began or ended in the range, not the memories themselves", bool, default=False
    ),
    "embeddings": Argument(
        "With id: what each space makes of it, and how surprising it is", bool, default=False
    ),
    "limit": Argument("The most memories, or changes", int, "N", default=20),
    "offset": Argument("How many of the newest to pass over", int, "N", default=0),
}
FORGET: Final[Arguments] = {
    "id": Argument("The memory; all its versions are removed", metavar="ID", needed=True),
    "reason": Argument("Why; kept in the audit log, so without content", default=""),
}
LINK: Final[Arguments] = {
    "action": Argument("What to do", Literal["list", "create", "remove"], default="list"),
    "id": Argument("list: a memory; create: the source", metavar="ID"),
    "target_id": Argument("The target", metavar="ID", actions="create"),
    "relation": Argument("Upper-case words, as CAUSES; list: only it", metavar="RELATION"),
    "link_id": Argument("The link", metavar="LINK", actions="remove"),
    "reason": Argument("Why, without content", actions="remove"),
    **dict.fromkeys(("energy", "confidence"), Argument("0..1", float, "0..1", actions="create")),
    "emotion_vector": Argument(
        "Emotion -> 0..1, {} when nothing was felt", dict[str, float], actions="create"
    ),
    **dict.fromkeys(("goal", "mindstate"), Argument("A text", actions="create")),
    "energy_transfer_coefficient": Argument("0..1, 0.5 when left out", float, "0..1", actions="create"),
    "resolution_state": Argument("in_progress (when left out), blocked or resolved", actions="create"),
    **dict.fromkeys(
        ("formation_trigger", "felt_quality", "emotion_description", "body_sensation", "spatial_context"),
        Argument("A text", actions="create"),
    ),
    "sensory_details": Argument("A text, or one for each sense", str | dict[str, str], actions="create"),
    **_times("valid_at", "invalid_at", "recorded_at"),
    "metadata": Argument("Any other fields", dict[str, Any], "JSON", actions="create"),
    "mode": Argument(
        "Current (when left out), point_in_time, evolution (with a range) or full_history",
        metavar="MODE",
        actions="list",
    ),
    **_POINT,
    **_RANGE,
}
DECISION: Final[Arguments] = {
    "query": Argument("Words, a question, or an id", actions="search"),
    "id": Argument("dec_..., or D001 with its conversation", metavar="ID"),
    "ids": Argument("Which still hold", list[str], "ID", actions="validate"),
    "decision": Argument("What was decided, in one sentence"),
    "rationale": Argument("Why"),
    "tier": Argument("How sure it is, 0..1", float, "0..1"),
    "alternatives_rejected": Argument("What was not chosen", list[str], option="--rejected"),
    "dependencies": Argument("Decisions that it builds on", list[str], "ID", "--depends-on"),
    "by": Argument("A decision that is there already", metavar="ID", actions="supersede"),
    "reason": Argument("Why", actions="invalidate, reinstate"),
    **_times("at"),
    **_ENTRY,
    "status": Argument("active (when left out), superseded, invalidated or all", metavar="STATUS"),
    "tags": _TAGS,
    **_times("valid_at", "since", "until"),
    "min_tier": Argument("At least so sure", float, "0..1", actions="search"),
    "days": Argument("Not validated for so long, 30", int, "N", actions="stale"),
    "max_tier": Argument("Of those at most so sure, 0.7", float, "0..1", actions="stale"),
    "hops": Argument("Or carried so often, 3", int, "N", actions="stale"),
    "expected_version": Argument("Refuse another", int, "N", actions="revise"),
    "limit": Argument("The most decisions", int, "N"),
    "offset": Argument("Leave out the first", int, "N", actions="list"),
}
THREAD: Final[Arguments] = {
    "query": DECISION["query"],
    "id": Argument("thr_..., or T001 with its conversation", metavar="ID"),
    "title": Argument("What is open, in short"),
    "content": Argument("The same in full"),
    "status": Argument(
        "open, resolved, superseded or abandoned; to search and list also all", metavar="STATUS"
    ),
    "resolution": Argument("How it was closed", actions="update"),
    "priority": Argument("high, medium or low", metavar="WORD"),
    "blocked_by": Argument("The threads that it waits for", list[str], "ID"),
    **_ENTRY,
    "tags": _TAGS,
    **_times("at", "valid_at", "since", "until"),
    "expected_version": Argument("Refuse another", int, "N", actions="update"),
    "limit": Argument("The most threads", int, "N"),
    "offset": DECISION["offset"],
}
_CARRIED: Final = Argument("Global ids", list[str], "ID", actions="link")
LINEAGE: Final[Arguments] = {
    "conversation": Argument("The conversation", metavar="ID", actions="trace"),
    "direction": Argument("Ancestors, descendants or both", actions="trace"),
    "source": Argument("The conversation that was compressed", metavar="ID"),
    "target": Argument("The conversation that goes on", metavar="ID"),
    "query": Argument("A tag, or what changed", actions="search"),
    "tag": Argument("A name for the compression", metavar="TAG", actions="link"),
    "mode": Argument("Lossless, lossy or partial", actions="link"),
    "turn_range": Argument("First and last turn", list[int], "FIRST LAST", "--turns", "link"),
    **dict.fromkeys(
        ("decisions_carried", "decisions_dropped", "threads_carried", "threads_resolved"), _CARRIED
    ),
    "bridge_summary": Argument("What changed, in words", option="--summary", actions="link"),
    "project": _ENTRY["project"],
    "limit": Argument("The most edges", int, "N"),
}
ARCHIVE: Final[Arguments] = {
    "conversation": Argument("The conversation to compress, or the one that goes on", metavar="ID"),
    "archive_text": Argument("The archive as it was given", actions="continue"),
    "mode": Argument("Lossless (when left out), lossy or partial", actions="compress"),
    "context": Argument("What comes next is about", actions="compress, partial"),
    "tag": Argument("A name for it", metavar="TAG", actions="compress"),
    "size": Argument("At most so many characters", int, "CHARACTERS", actions="compress, lossy"),
    "turn_range": Argument("First and last turn", list[int], "FIRST LAST", "--turns", "compress"),
    "project": Argument("The conversation's project", metavar="NAME"),
}
CONTEXT: Final[Arguments] = {
    "query": Argument("What is at hand: a question, a task, some words", needed=True),
    "project": Argument("The project at hand; all when left out", metavar="NAME"),
    "include_threads": Argument("Open threads too", bool, default=True),
    "include_decisions": Argument("Active decisions too", bool, default=True),
    "cross_project": Argument("Look into the other projects, too", bool, default=False),
    "budget": Argument("The most characters", int, "CHARACTERS"),
}
