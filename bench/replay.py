"""replay: real Claude Code transcripts told by hooks, event by event, against what an import of them gives.

Each transcript becomes the events that its hooks would have had: prompts, calls of tools and what came out, the last
response of each turn, compactions, the end. They are taken one by one into one store, and the transcripts imported into
another. `recall` is the share of the import's turns that the hooks gave, `precision` the share of the hooks' turns that
the import has, by session, kind and text; of a tool's outcome by its first line, since hooks and transcripts word them
differently. Hooks are told no response in the middle of a turn: `last_response` leaves those out. Then the transcripts
are imported on top: what is there twice is `duplicates`, what is not there `missing`, and `in_order` the share of
sessions that have the import's order. Baseline: what would be there twice if nothing were recognised.
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bench.console_transcripts import is_console, sessions_of
from bench.harness import Measured, Options, temporary_forge
from bench.measures import mean, percentile
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engramforge.forge import Forge
    from engramforge.model.memory import Memory

_AFTER: Final = timedelta(milliseconds=250)
"""How long after its line in the transcript a hook is told."""
_PAGE: Final = 1_000
_KINDS: Final = ("prompt", "response", "tool_use")
_COMMAND: Final = re.compile(r"<command-name>(.*?)</command-name>", re.DOTALL)
_ARGUMENTS: Final = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)

Turn = tuple[str, str, str]
"""Session, kind and text."""


@dataclass(slots=True)
class _Telling:
    """Turns the records of one transcript into events."""

    events: list[dict[str, Any]] = field(default_factory=list)
    last: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    calls: dict[str, dict[str, Any]] = field(default_factory=dict)
    seen: set[Any] = field(default_factory=set)
    turn: int = 0

    def tell(self, record: dict[str, Any]) -> None:
        """The events of a record."""
        content = (record.get("message") or {}).get("content")
        blocks = [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []
        if record.get("isMeta") or record.get("uuid") in self.seen:
            return
        self.seen.add(record.get("uuid"))
        if record.get("isCompactSummary"):
            self._event(record, "PreCompact", trigger="auto")
            said = content if isinstance(content, str) else _text_of(blocks)
            self._event(record, "PostCompact", trigger="auto", compact_summary=said)
        elif record["type"] == "assistant":
            self._assistant(record, content, blocks)
        else:
            self._user(record, content, blocks)

    def end(self) -> None:
        """The end of the session."""
        for agent in list(self.last):
            self._stop(agent)
        if self.events:
            last = self.events[-1]["event"]
            named = {name: last[name] for name in ("session_id", "cwd") if name in last}
            ended = {"hook_event_name": "SessionEnd", "reason": "other", **named}
            received = self.events[-1]["received_at"]
            self.events.append({"id": f"end{last['session_id']}", "received_at": received, "event": ended})

    def _assistant(self, record: dict[str, Any], content: Any, blocks: Sequence[dict[str, Any]]) -> None:
        text = content if isinstance(content, str) else _text_of(blocks)
        if text.strip() and not record.get("isApiErrorMessage"):
            self.last[_agent_of(record)] = text, record
        for block in blocks:
            if block.get("type") == "tool_use":
                # What was said before a call does not end the turn.
                self.last.pop(_agent_of(record), None)
                asked = {
                    "tool_name": block.get("name"),
                    "tool_input": block.get("input"),
                    "tool_use_id": block.get("id"),
                }
                self.calls[str(block.get("id"))] = asked
                self._event(record, "PreToolUse", **asked)

    def _user(self, record: dict[str, Any], content: Any, blocks: Sequence[dict[str, Any]]) -> None:
        for block in blocks:
            if block.get("type") == "tool_result":
                asked = self.calls.get(
                    str(block.get("tool_use_id")), {"tool_use_id": block.get("tool_use_id")}
                )
                came = record.get("toolUseResult") or block.get("content")
                name = "PostToolUseFailure" if block.get("is_error") else "PostToolUse"
                self._event(record, name, **asked, tool_response=came)
        text = content if isinstance(content, str) else _text_of(blocks)
        agent = _agent_of(record)
        # A sub-agent's task is told by no hook.
        is_output = "<local-command-stdout>" in text or "<bash-stdout>" in text
        if text.strip() and not agent and not is_output and "toolUseResult" not in record:
            self._stop(agent)
            self.turn += 1
            typed = _COMMAND.search(text)
            with_it = _ARGUMENTS.search(text)
            if typed:
                text = f"{typed[1].strip()} {with_it[1].strip() if with_it else ''}".strip()
            self._event(record, "UserPromptSubmit", prompt=text)

    def _stop(self, agent: str) -> None:
        if agent in self.last:
            text, record = self.last.pop(agent)
            more = {"agent_type": "general-purpose"} if agent else {}
            self._event(record, "SubagentStop" if agent else "Stop", last_assistant_message=text, **more)

    def _event(self, record: dict[str, Any], name: str, **more: Any) -> None:
        agent = _agent_of(record)
        event = {
            "hook_event_name": name,
            "session_id": record.get("sessionId"),
            "cwd": record.get("cwd") or "",
            "prompt_id": f"{record.get('sessionId')}/{self.turn}",
            **({"agent_id": agent} if agent else {}),
            **more,
        }
        received = _time_of(record) + _AFTER
        number = f"{record.get('sessionId')}/{len(self.events)}"
        self.events.append({"id": number, "received_at": received.isoformat(), "event": event})


def _agent_of(record: dict[str, Any]) -> str:
    return str(record.get("agentId") or ("sidechain" if record.get("isSidechain") else ""))


def _text_of(blocks: Iterable[dict[str, Any]]) -> str:
    return "\n\n".join(str(each.get("text", "")) for each in blocks if each.get("type") == "text")


def _time_of(record: dict[str, Any]) -> datetime:
    try:
        found = datetime.fromisoformat(str(record.get("timestamp")).replace("Z", "+00:00"))
    except ValueError:
        return datetime(2025, 1, 1, tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N transcripts."""
    with tempfile.TemporaryDirectory(prefix="engramforge-replay-") as folder:
        transcripts = list(_gathered(paths, Path(folder)))[: options.limit]
        if not transcripts:
            raise InvalidSource(
                "There is no Claude Code transcript in these files", "Give a folder that has some"
            )
        options.say(f"Telling {len(transcripts)} transcripts")
        return _measured(transcripts, Path(folder), options)


def _measured(transcripts: Sequence[list[dict[str, Any]]], folder: Path, options: Options) -> Measured:
    took_ms: list[float] = []
    faults = 0
    with temporary_forge(options.engine) as imported, temporary_forge(options.engine) as told:
        imported.import_path(folder)
        last: Counter[Turn] = Counter()
        for records in transcripts:
            telling = _Telling()
            for record in records:
                telling.tell(record)
            telling.end()
            for event in telling.events:
                begun = time.perf_counter()
                faults += len(told.hooks.take([event]).faults)
                took_ms.append(1_000 * (time.perf_counter() - begun))
            stops = (each["event"] for each in telling.events if "last_assistant_message" in each["event"])
            last.update(
                (each["session_id"], "response", _shown(each["last_assistant_message"])) for each in stops
            )
        turns = _turns(imported)
        wanted, given = Counter(turns), Counter(_turns(told))
        decided = len(imported.decisions.browse(limit=_PAGE)), len(told.decisions.browse(limit=_PAGE))
        # The same transcripts on top.
        told.import_path(folder)
        turns_after = _turns(told)
        after, its_after = Counter(turns_after), _by_session(turns_after)
    metrics = {
        "recall": {kind: _share(wanted, given, kind) for kind in _KINDS},
        "precision": {kind: _share(given, wanted, kind) for kind in _KINDS},
        "last_response": {
            "recall": _share(last, given, "response"),
            "in_import": _share(last, wanted, "response"),
        },
        "duplicates": (after - wanted).total(),
        "missing": (wanted - after).total(),
        "in_order": mean([float(its == its_after.get(name)) for name, its in _by_session(turns).items()]),
        "decisions": {"imported": decided[0], "told": decided[1]},
        "faults": faults,
        "take_p50_ms": percentile(took_ms, 0.5),
        "take_p95_ms": percentile(took_ms, 0.95),
    }
    unrecognised = {"nothing recognised": {"duplicates": (wanted & given).total()}}
    sizes = {"transcripts": len(transcripts), "turns": wanted.total(), "events": len(took_ms)}
    return Measured(len(took_ms), metrics, unrecognised, sizes)


def _share(of: Counter[Turn], among: Counter[Turn], kind: str) -> float:
    mine = Counter({turn: count for turn, count in of.items() if turn[1] == kind})
    return (mine & among).total() / mine.total() if mine else 1.0


def _gathered(paths: Sequence[Path], folder: Path) -> Iterator[list[dict[str, Any]]]:
    """The records of each transcript; all of them are put into the folder as transcripts of Claude Code."""
    files = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    for number, file in enumerate(file for file in files if file.is_file()):
        found: Iterable[list[dict[str, Any]]] = ()
        if is_console(file):
            found = (records for _, records in sessions_of(file, number))
        elif file.suffix == ".jsonl":
            found = [_records(file)]
        for session, records in enumerate(found):
            if records:
                name = records[0]["sessionId"] if is_console(file) else file.stem
                # What makes a compaction repeats its session, so it is read after that.
                after = "z" if "acompact" in file.name else "a"
                place = folder / f"{after}{number:03d}-{session:02d}" / f"{name}.jsonl"
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text("".join(json.dumps(record) + "\n" for record in records))
                # It has no hooks.
                yield [] if "acompact" in file.name else records


def _records(file: Path) -> list[dict[str, Any]]:
    """The messages of a transcript; none if the file is no transcript of Claude Code."""
    found: list[dict[str, Any]] = []
    for line in file.read_text("utf-8", "replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if not isinstance(record, dict) or not isinstance(record.get("message"), dict):
            continue
        if record.get("type") in ("user", "assistant") and isinstance(record.get("sessionId"), str):
            found.append(record)
    return found


def _turns(forge: Forge) -> list[Turn]:
    """What is in a store in the order of its sessions, without registries and summaries."""
    found: list[Memory] = []
    while page := forge.memories(limit=_PAGE, offset=len(found)):
        found += page
    said = [each for each in found if each.registration is None and each.kind in _KINDS]
    said.sort(key=lambda each: (each.session_id or "", each.sequence or 0, each.valid_at, each.id))
    return [(each.session_id or "", str(each.kind), _shown(each.content)) for each in said]


def _shown(text: str) -> str:
    """A text by which it is compared: without its breaks; of an outcome the first line."""
    if text.startswith(("Outcome of ", "Failure of ")):
        text = text.partition("\n")[0].partition(" of ")[2]
        return f"outcome of {' '.join(text.split())}"
    return " ".join(text.split())


def _by_session(turns: Iterable[Turn]) -> dict[str, list[Turn]]:
    return {session: list(its) for session, its in groupby(turns, key=lambda turn: turn[0])}
