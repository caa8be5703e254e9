"""Live capture: what hooks tell is what a later import of the transcript gives, and nothing comes in twice, whichever
comes first and on every engine, nor what was forgotten."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

import engramforge
from engramforge.errors import InvalidValue
from engramforge.model.injection import Injection
from engramforge.model.memory import Kind, Memory, Source

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from engramforge.forge import Forge

SESSION = "11111111-2222-4333-8444-555555555555"
FOLDER = "/home/ann/code/garden"
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
KEY = "AKIA" + "Z7Q4M2X8K1L5P9W3"


class Talk:
    """A session as hooks tell it and as its transcript has it, side by side; a second passes with each line."""

    def __init__(self, session: str = SESSION, folder: str = FOLDER, start: datetime = START) -> None:
        self.session, self.folder, self.at = session, folder, start
        self.told: list[dict[str, Any]] = []
        self.lines: list[dict[str, Any]] = []
        self.turn = 0

    def event(self, name: str, **more: Any) -> dict[str, Any]:
        self.at += timedelta(seconds=1)
        event = {"hook_event_name": name, "session_id": self.session, "cwd": self.folder, **more}
        number = len(self.told)
        # A hook comes a little after its line.
        received = (self.at + timedelta(milliseconds=300)).isoformat()
        self.told.append({"id": f"{self.session[:8]}{number:024d}", "received_at": received, "event": event})
        return event

    def line(self, role: str, content: Any, **more: Any) -> None:
        self.at += timedelta(milliseconds=100)
        self.lines.append(
            {
                "type": role,
                "uuid": f"{self.session[:8]}-0000-4000-8000-{len(self.lines):012d}",
                "sessionId": self.session,
                "timestamp": self.at.isoformat(),
                "cwd": self.folder,
                "message": {"role": role, "content": content},
                **more,
            }
        )

    def prompt(self, text: str) -> None:
        self.turn += 1
        self.event("UserPromptSubmit", prompt=text, prompt_id=f"turn-{self.turn}")
        self.line("user", text)

    def says(self, text: str) -> None:
        """A response in the middle of a turn, which no hook tells."""
        self.line("assistant", [{"type": "text", "text": text}])

    def response(self, text: str) -> None:
        self.says(text)
        self.event("Stop", last_assistant_message=text, prompt_id=f"turn-{self.turn}", stop_hook_active=False)

    def tool(self, name: str, asked: dict[str, Any], came: Any, shown: str) -> None:
        call = f"toolu_{len(self.told):06d}"
        self.line("assistant", [{"type": "tool_use", "id": call, "name": name, "input": asked}])
        more = {"tool_name": name, "tool_input": asked, "tool_use_id": call}
        if name in ("Bash", "Edit", "Write"):
            self.event("PreToolUse", **more)
        self.event("PostToolUse", **more, tool_response=came)
        self.line("user", [{"type": "tool_result", "tool_use_id": call, "content": shown}])

    def transcript(self, folder: Path) -> Path:
        place = folder / "projects" / "-home-ann-code-garden" / f"{self.session}.jsonl"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        return place


def usual() -> Talk:
    talk = Talk()
    talk.prompt("We decided to keep the seeds in SQLite. Show me the beds.")
    talk.says("Let me look at the beds first.")
    talk.tool("Bash", {"command": "ls beds"}, {"stdout": "north\nsouth", "stderr": ""}, "north\nsouth")
    talk.tool("Read", {"file_path": "/beds/north"}, {"type": "text", "file": {"content": "beans"}}, "beans")
    talk.response("There are two beds, north and south.")
    talk.prompt("ok")
    talk.response("ok")
    talk.prompt("ok")
    talk.says("Nearly there.")
    talk.response("Done.")
    return talk


BETWEEN = ("Let me look at the beds first.", "Nearly there.")
"""What no hook tells."""


def said(forge: Forge, session: str = SESSION) -> list[Memory]:
    """What a session has, in its order, without what was read from it."""
    found = [each for each in forge.memories(limit=500, session_id=session) if each.registration is None]
    return sorted(found, key=lambda each: (each.sequence or 0, each.valid_at, each.id))


def shown(memories: Sequence[Memory]) -> list[tuple[str, str | None, str, str]]:
    return [(str(each.kind), each.speaker, each.content, each.project) for each in memories]


def forked(talk: Talk, folder: Path) -> Path:
    """The transcript of a session that goes on from another one, whose lines it repeats."""
    fork = Talk("99999999-2222-4333-8444-555555555555")
    fork.lines = [{**line, "sessionId": fork.session} for line in talk.lines]
    return fork.transcript(folder)


def test_what_hooks_tell_is_what_an_import_gives(forge: Forge, other: Forge, tmp_path: Path) -> None:
    talk = usual()
    taken = forge.hooks.take(talk.told)
    assert (taken.faults, taken.left_out) == ((), 0)
    other.import_path(talk.transcript(tmp_path))
    imported = [each for each in said(other) if each.content not in BETWEEN]
    assert shown(said(forge)) == shown(imported)
    assert {each.project for each in said(forge)} == {"garden"}
    kinds = {each.kind: each.source for each in said(forge)}
    assert kinds == {
        Kind.PROMPT: Source.USER_PROMPT,
        Kind.RESPONSE: Source.ASSISTANT_RESPONSE,
        Kind.TOOL_USE: Source.HOOK_DESCRIPTION,
    }
    texts = {(each.decision, each.status) for each in other.decisions.browse()}
    assert {(each.decision, each.status) for each in forge.decisions.browse()} == texts != set()


def test_what_a_tool_writes_is_captured_once_as_an_import_has_it(
    forge: Forge, other: Forge, tmp_path: Path
) -> None:
    talk = Talk()
    done = {"filePath": "/shop/a.ts", "structuredPatch": [{"lines": ["+zwetschge"]}], "content": "zwetschge"}
    talk.tool(
        "Edit", {"file_path": "/shop/a.ts", "old_string": "x", "new_string": "zwetschge"}, done, "Updated."
    )
    talk.tool(
        "Edit", {"file_path": "/shop/a.ts", "old_string": "rhubarb", "new_string": ""}, done, "Updated."
    )
    talk.tool("Write", {"file_path": "/shop/b.ts", "content": "quince"}, done, "Created.")
    two = [{"old_string": "x", "new_string": "medlar"}, {"old_string": "y", "new_string": "sloe"}]
    talk.tool("MultiEdit", {"file_path": "/shop/c.ts", "edits": two}, done, "Updated.")
    talk.tool(
        "Bash",
        {"command": "touch d"},
        {"stdout": "", "stderr": "", "interrupted": False, "isImage": False},
        "",
    )
    forge.hooks.take(talk.told)
    told = [each.content for each in said(forge)]
    assert told == [
        "Edit: /shop/a.ts\nzwetschge",
        "Edit: /shop/a.ts\ntaken out: rhubarb",
        "Write: /shop/b.ts\nquince",
        "MultiEdit: /shop/c.ts\nmedlar\nsloe",
        "Bash: touch d",
    ]
    other.import_path(talk.transcript(tmp_path))
    assert [each.content for each in said(other) if not each.content.startswith("Outcome")] == told


@pytest.mark.parametrize("size", [1, 100])
def test_events_come_in_once_however_often_they_come(forge: Forge, size: int) -> None:
    events = usual().told
    for _ in range(2):
        for begin in range(0, len(events), size):
            forge.hooks.take(events[begin : begin + size])
    assert len(said(forge)) == 10
    # Hooks that are installed twice tell each event twice, under ids of their own.
    again = [{**each, "id": f"f{number:031d}"} for number, each in enumerate(events)]
    assert forge.hooks.take(again).captured == 0
    assert len(said(forge)) == 10


def test_a_process_that_begins_again_knows_what_came(tmp_path: Path) -> None:
    talk = usual()
    for begin in range(0, len(talk.told), 4):
        with engramforge.open(tmp_path / "home") as forge:
            forge.hooks.take(talk.told[max(begin - 2, 0) : begin + 4])
    with engramforge.open(tmp_path / "home") as forge:
        contents = [each.content for each in said(forge)]
        assert len(contents) == 10 and contents.count("ok") == 3
        numbers = [each.sequence for each in said(forge)]
        assert len(set(numbers)) == 10


@pytest.mark.parametrize("first", ["hooks", "half", "transcript"])
def test_hooks_and_the_transcript_together_are_the_transcript(
    either: Forge, other: Forge, tmp_path: Path, first: str
) -> None:
    talk = usual()
    other.import_path(talk.transcript(tmp_path))
    if first == "half":
        half = Talk()
        half.lines = talk.lines[:5]
        either.import_path(half.transcript(tmp_path))
        talk.transcript(tmp_path)
    if first == "transcript":
        either.import_path(tmp_path / "projects")
    either.hooks.take(talk.told)
    report = either.import_path(tmp_path / "projects")
    assert report.written == {"hooks": 2, "half": 1, "transcript": 0}[first]
    assert [each.content for each in said(either)] == [each.content for each in said(other)]
    assert [each.kind for each in said(either)] == [each.kind for each in said(other)]
    assert len(either.decisions.browse()) == len(other.decisions.browse())
    assert either.import_path(tmp_path / "projects").written == 0
    assert either.hooks.take(talk.told).captured == 0
    assert either.import_path(forked(talk, tmp_path)).written == 0


def test_without_ids_the_same_at_once_is_one_and_later_is_two(forge: Forge) -> None:
    talk = Talk()
    for text in ("ok", "ok", "go on", "ok"):
        talk.prompt(text)
    for each in talk.told:
        del each["event"]["prompt_id"]
    # The second comes within two seconds of the first: a hook that is installed twice.
    forge.hooks.take(talk.told)
    assert [each.content for each in said(forge)] == ["ok", "go on", "ok"]


def test_a_resumed_session_repeats_nothing_and_goes_on(forge: Forge, tmp_path: Path) -> None:
    before = Talk()
    before.prompt("ok")
    before.response("Planted.")
    forge.import_path(before.transcript(tmp_path))
    # Hooks are installed, and the session goes on the next day with the same words.
    before.at += timedelta(days=1)
    before.told.clear()
    before.prompt("ok")
    before.response("Watered.")
    assert forge.hooks.take(before.told).captured == 2
    forge.import_path(before.transcript(tmp_path))
    assert [each.content for each in said(forge)] == ["ok", "Planted.", "ok", "Watered."]


def test_hooks_installed_in_the_middle_of_a_session(forge: Forge, tmp_path: Path) -> None:
    talk = Talk()
    talk.prompt("ok")
    talk.response("Planted.")
    talk.told.clear()
    talk.at += timedelta(hours=1)
    talk.prompt("ok")
    talk.response("Watered.")
    forge.hooks.take(talk.told)
    forge.import_path(talk.transcript(tmp_path))
    assert [each.content for each in said(forge)] == ["ok", "Planted.", "ok", "Watered."]
    assert [f"{each.valid_at:%H}" for each in said(forge)] == ["12", "12", "13", "13"]


def test_what_was_forgotten_does_not_come_back(either: Forge, tmp_path: Path) -> None:
    talk = usual()
    either.hooks.take(talk.told)
    gone = [each for each in said(either) if each.content in ("Done.", "Bash: ls beds")]
    assert len(gone) == 2
    either.forget([each.id for each in gone])
    either.hooks.take(talk.told)
    for transcript in (talk.transcript(tmp_path), forked(talk, tmp_path)):
        either.import_path(transcript)
    assert {each.content for each in either.memories(limit=500)}.isdisjoint({"Done.", "Bash: ls beds"})


def test_what_was_imported_and_forgotten_does_not_come_back_by_its_event(
    either: Forge, tmp_path: Path
) -> None:
    talk = usual()
    either.import_path(talk.transcript(tmp_path))
    gone = [each for each in said(either) if each.content in ("Done.", "ok", "Bash: ls beds")]
    assert len(gone) == 5
    either.forget([each.id for each in gone])
    left = len(said(either))
    either.hooks.take(talk.told)
    assert len(said(either)) == left
    talk.told.clear()
    talk.at += timedelta(hours=2)
    talk.prompt("ok")
    either.hooks.take(talk.told)
    assert [each.content for each in said(either)].count("ok") == 1, "it was said once more"


def test_what_engramforge_said_is_not_captured_again(forge: Forge) -> None:
    talk = Talk()
    injected = "<engramforge-context>\nthe beans are blue\n</engramforge-context>\nWhere are the beans?"
    talk.prompt(injected)
    for name in ("mcp__plugin_engramforge_engramforge__forge_recall", "mcp__engramforge__forge_context"):
        talk.tool(name, {"query": "beans"}, [{"type": "text", "text": "the beans are blue"}], "")
    talk.tool("Bash", {"command": "engramforge recall beans"}, {"stdout": "the beans are blue"}, "")
    for command in (
        "cd x && uvx engramforge context",
        "bash -c 'engramforge recall beans'",
        "time engramforge recall beans",
        'HOME=/x timeout 5 sh -lc "engramforge recall beans"',
    ):
        talk.tool("Bash", {"command": command}, {"stdout": "the beans are blue"}, "")
    assert forge.hooks.take(talk.told).faults == ()
    assert "Where are the beans?" in [each.content for each in said(forge)]
    assert not [each for each in said(forge) if "blue" in each.content]


@pytest.mark.parametrize(
    "beside", ["", "\nFull transcript available at: /tmp/agent.output. We decided to use Kafka."]
)
def test_the_end_of_a_background_agent_is_nobodys_prompt(forge: Forge, beside: str) -> None:
    talk = Talk()
    talk.prompt("Ask an agent to count the gauges.")
    notice = "<task-notification>\n<summary>We decided to use Kafka.</summary>\n</task-notification>"
    for number, unseen in enumerate(("", "\u200b", "\ufeff ")):
        talk.event("UserPromptSubmit", prompt=unseen + notice + beside, prompt_id=f"turn-{number + 9}")
    forge.hooks.take(talk.told)
    assert [each.content for each in said(forge)] == ["Ask an agent to count the gauges."]
    assert not forge.decisions.browse(status=None)


def test_sub_agents_are_told_apart(forge: Forge, other: Forge, tmp_path: Path) -> None:
    talk = Talk()
    talk.prompt("Ask somebody about the soil.")
    agent = {"agent_id": "a1b2c3d4", "agent_type": "Explore"}
    talk.event(
        "PostToolUse",
        tool_name="Bash",
        tool_input={"command": "ph"},
        tool_use_id="toolu_agent",
        tool_response={"stdout": "6.5"},
        **agent,
    )
    talk.event("SubagentStop", last_assistant_message="We decided that the soil is fine.", **agent)
    talk.event("SubagentStop", last_assistant_message="nobody's", agent_id="x", agent_type="")
    talk.response("The soil is fine.")
    forge.hooks.take(talk.told)
    of_agent = [each for each in said(forge) if each.metadata.get("agent_id") == "a1b2c3d4"]
    assert [each.content for each in of_agent] == [
        "Bash: ph",
        "Outcome of Bash: ph\n6.5",
        "We decided that the soil is fine.",
    ]
    assert "nobody's" not in [each.content for each in said(forge)]
    assert [each.status for each in forge.decisions.browse()] == []
    # Its transcript comes in later.
    place = talk.transcript(tmp_path).with_suffix("") / "subagents" / "agent-a1b2c3d4.jsonl"
    place.parent.mkdir(parents=True)
    side = {"isSidechain": True, "agentId": "a1b2c3d4"}
    its = Talk(start=START + timedelta(seconds=2))
    its.line(
        "assistant", [{"type": "tool_use", "id": "toolu_agent", "name": "Bash", "input": {"command": "ph"}}]
    )
    its.line("user", [{"type": "tool_result", "tool_use_id": "toolu_agent", "content": "6.5"}])
    its.line("assistant", [{"type": "text", "text": "We decided that the soil is fine."}])
    unlike = [{**line, **side, "uuid": f"a{line['uuid'][1:]}"} for line in its.lines]
    place.write_text("".join(json.dumps(line) + "\n" for line in unlike))
    assert forge.import_path(tmp_path / "projects").written == 0
    other.import_path(tmp_path / "projects")
    assert shown(said(forge)) == shown(said(other))


def test_a_compaction_is_nobodys_statement(forge: Forge, tmp_path: Path) -> None:
    talk = Talk()
    talk.prompt("Plant the beans.")
    talk.response("Planted.")
    talk.event("PreCompact", trigger="manual", custom_instructions="")
    summary = "Decision: the beans are planted in April."
    talk.event("PostCompact", trigger="manual", compact_summary=summary)
    talk.line(
        "user",
        f"This session is being continued from a previous conversation.\n{summary}",
        isCompactSummary=True,
    )
    forge.hooks.take(talk.told)
    assert forge.decisions.browse() == []
    before = [each for each in said(forge) if each.kind is Kind.SESSION_SUMMARY]
    assert {each.metadata.get("compaction", False) for each in before} == {True, False}
    forge.import_path(talk.transcript(tmp_path))
    assert len([each for each in said(forge) if each.kind is Kind.SESSION_SUMMARY]) == 2


def test_a_session_is_summarised_at_its_end_and_again_when_it_went_on(forge: Forge) -> None:
    talk = usual()
    talk.event("SessionEnd", reason="prompt_input_exit")
    forge.hooks.take(talk.told)
    (first,) = [each for each in said(forge) if each.kind is Kind.SESSION_SUMMARY]
    assert first.content.startswith(
        "Session of 3 prompts; it began with: We decided to keep the seeds in SQLite."
    )
    assert "There are two beds" in first.content
    decided = len(forge.decisions.browse())
    talk.told.clear()
    talk.prompt("Now the fence: it was painted green in Lisbon by Ann in 2024.")
    talk.event("SessionEnd", reason="logout")
    for each in talk.told:
        each["id"] = "e" + each["id"][1:]
    forge.hooks.take(talk.told)
    (second,) = [each for each in said(forge) if each.kind is Kind.SESSION_SUMMARY]
    assert second.logical_id == first.logical_id and "Lisbon" in second.content
    assert len(forge.decisions.browse()) == decided
    assert forge.hooks.take(talk.told[-1:]).captured == 0


def test_switches(either: Forge) -> None:
    talk = usual()
    either.hooks.switch("capture", False, session=SESSION)
    assert not either.hooks.is_on("capture", "garden", SESSION)
    assert either.hooks.is_on("injection", "garden", SESSION)
    taken = either.hooks.take(talk.told)
    assert (taken.captured, taken.left_out) == (0, len(talk.told))
    either.hooks.switch("capture", False, project="garden")
    either.hooks.switch("capture", True, session=SESSION)
    assert either.hooks.take(talk.told[:1]).captured == 1
    assert not either.hooks.is_on("capture", "garden", "another")
    assert [each.project for each in either.hooks.switches()] == ["garden"]
    either.hooks.switch("capture", True, project="garden")
    assert either.hooks.switches() == ()
    for wrong in (
        lambda: either.hooks.switch("recall", False, project="x"),
        lambda: either.hooks.switch("capture", False),
    ):
        with pytest.raises(InvalidValue):
            wrong()


def test_secrets_private_parts_and_excluded_projects(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "engramforge.toml").write_text('excluded_projects = ["diary"]\n')
    talk = Talk()
    talk.prompt(f"Use {KEY} and <private>the word mango</private> for the beds")
    talk.tool("Bash", {"command": f"export K={KEY}"}, {"stdout": f"K={KEY}"}, "")
    diary = Talk("22222222-2222-4333-8444-555555555555", "/home/ann/diary")
    diary.prompt("dear diary")
    with engramforge.open(home) as forge:
        taken = forge.hooks.take([*talk.told, *diary.told])
        assert taken.left_out == 1 and taken.faults == ()
        every = " ".join(each.content for each in forge.memories(limit=100))
        assert "beds" in every and KEY not in every and "mango" not in every and "dear" not in every


WRONG: list[Any] = [
    {},
    [],
    "text",
    None,
    {"hook_event_name": 7},
    {"hook_event_name": "Unheard", "session_id": "s"},
    {"hook_event_name": "UserPromptSubmit"},
    {"hook_event_name": "UserPromptSubmit", "prompt": ["a", 1], "session_id": {"x": 1}, "cwd": 5},
    {
        "hook_event_name": "PostToolUse",
        "tool_name": None,
        "tool_input": [1],
        "tool_response": {"a": {"b": []}},
    },
    {"hook_event_name": "PreToolUse", "tool_name": {}, "tool_input": "x", "tool_use_id": 3},
    {"hook_event_name": "Stop", "last_assistant_message": None},
    {"hook_event_name": "SubagentStop", "agent_type": "x", "agent_transcript_path": 9},
    {"hook_event_name": "SessionEnd"},
    {"hook_event_name": "PostCompact", "compact_summary": {}},
    {"id": 1, "received_at": "never", "event": {"hook_event_name": "Stop", "last_assistant_message": "x"}},
    {
        "id": "a",
        "received_at": "9999-12-31T23:59:59Z",
        "event": {"hook_event_name": "Stop", "session_id": "s" * 900},
    },
]


def test_nothing_is_raised_and_the_rest_is_taken(forge: Forge) -> None:
    talk = usual()
    forge.hooks.take([*talk.told[:2], *WRONG, *talk.told[2:]])
    assert len(said(forge)) == 10


def test_odd_texts_are_kept_as_far_as_they_can_be(forge: Forge) -> None:
    talk = Talk()
    talk.prompt("a lone \ud800 surrogate and a \0 NUL in the beans")
    talk.prompt("b" * 3_000_000)
    talk.tool("Bash", {"command": "cat x"}, {"stdout": "line of the log\n" * 3_500_000}, "")
    talk.tool("Bash", {"command": "cat y"}, {"stdout": "\x00\x01\x02\ufffd" * 9_000}, "")
    talk.tool("Read", {"file_path": "p.png"}, {"type": "image", "file": {"base64": "iVBOR" * 90_000}}, "")
    assert forge.hooks.take(talk.told).faults == ()
    found = said(forge)
    assert found[0].content == "a lone ? surrogate and a  NUL in the beans"
    assert " [...] " in found[1].content and len(found[1].content) <= 240_000
    outcomes = [each.content for each in found if each.content.startswith("Outcome")]
    assert " [...] " in outcomes[0] and len(outcomes[0]) < 2_000
    assert "binary output of" in outcomes[1]
    assert "iVBOR" not in outcomes[2]


def test_records_of_injections_are_pruned_after_capturing(forge: Forge) -> None:
    common: dict[str, Any] = {"event": "SessionStart", "session": None, "project": None, "at": START}
    records = [
        Injection(
            id=str(UUID(int=int(at.timestamp() * 1_000) << 80)), tokens=1, latency_ms=1, memories=(), **common
        )
        for at in (START - timedelta(days=900), START)
    ]
    for each in records:
        forge._stages.injection_log.add(forge._scope, each)
    assert len(forge.injections.list()) == 2
    forge._stages.clock = lambda: START + timedelta(days=1)  # type: ignore[misc]
    talk = Talk()
    for number in range(51):
        talk.prompt(f"prompt {number}")
    forge.hooks.take(talk.told)
    assert forge.injections.list() == records[1:]


def test_clocks_that_jump(forge: Forge) -> None:
    talk = Talk()
    talk.prompt("one")
    talk.at = datetime.now(UTC) + timedelta(days=400)
    talk.response("two")
    talk.at = START - timedelta(days=3)
    talk.prompt("three")
    assert forge.hooks.take(talk.told).faults == ()
    assert [each.content for each in said(forge)] == ["one", "two", "three"]
    moments = [each.valid_at for each in said(forge)]
    assert moments == sorted(moments) and moments[-1] <= datetime.now(UTC)


def test_a_worktree_counts_as_its_repository_and_a_session_stays_where_it_began(forge: Forge) -> None:
    talk = Talk(folder="/home/ann/code/garden/.claude/worktrees/beds")
    talk.prompt("one")
    talk.folder = "/somewhere/else"
    talk.prompt("two")
    forge.hooks.take(talk.told)
    assert [each.project for each in said(forge)] == ["garden", "garden"]
    assert forge.hooks.project_of("/home/ann/code/garden") == "garden"


@pytest.mark.parametrize(
    "command",
    [
        'for q in a b; do engramforge recall "$q" --json; done',
        '"/opt/x y/engramforge" decisions',
        "uv run --quiet engramforge --home /x recall beans",
        "docker exec web engramforge list",
        "python -m engramforge.entry.console threads --json",
        "echo `engramforge show 01a2`",
    ],
)
def test_our_own_commands_are_known_whatever_runs_them(forge: Forge, command: str) -> None:
    talk = Talk()
    talk.prompt("Where are the beans?")
    talk.tool("Bash", {"command": command}, {"stdout": "the beans are blue"}, "")
    talk.tool("Bash", {"command": "pip install engramforge"}, {"stdout": "the peas are green"}, "")
    forge.hooks.take(talk.told)
    told = " ".join(each.content for each in forge.memories(limit=100))
    assert "blue" not in told and "green" in told


def test_a_text_of_many_kinds_of_blocks_is_read_in_time_by_its_length(forge: Forge) -> None:
    names = [f"ide_{chr(97 + n // 26 // 26)}{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}" for n in range(4_000)]
    text = "".join(f"<{each}>" for each in names) + "hello" + "".join(f"</{each}>" for each in names[::-1])
    talk = Talk()
    talk.prompt(text)
    begun = time.process_time()
    forge.hooks.take(talk.told)
    assert time.process_time() - begun < 3


def test_what_is_forgotten_goes_from_the_summary_of_its_session(either: Forge) -> None:
    talk = Talk()
    talk.prompt("Never water the quokkaberyl beds at noon, the glass burns them.")
    talk.prompt("The gauges of the second greenhouse are read at nine.")
    talk.event("SessionEnd", reason="other")
    either.hooks.take(talk.told)
    (said,) = [each for each in either.memories(kinds="prompt", limit=9) if "quokkaberyl" in each.content]
    proof = either.forget(said.id)
    assert proof.verified and proof.derived == 1 and not proof.found
    assert [each.content for each in either.memories(limit=9)] == [
        "The gauges of the second greenhouse are read at nine."
    ]


def test_undo_passes_over_captured_turns_from_which_nothing_followed(forge: Forge) -> None:
    talk = Talk()
    talk.event("UserPromptSubmit", prompt="We've decided to use Redis for the sessions.", prompt_id="p1")
    talk.event("Stop", last_assistant_message="Fine, Redis it is.", prompt_id="p1")
    forge.hooks.take(talk.told)
    kept = forge.remember("The seed boxes stand in the shed.", project="garden")
    call = {"tool_name": "Bash", "tool_input": {"command": "engramforge undo"}, "tool_use_id": "toolu_1"}
    talk.event("PreToolUse", **call)
    talk.event("PostToolUse", **call, tool_response={"stdout": "", "stderr": "", "interrupted": False})
    talk.event("SessionEnd", reason="other")
    forge.hooks.take(talk.told)
    captured = len(forge.memories(limit=100))
    assert [each.logical_id for each in forge.undo().taken_back] == [kept.logical_id]
    assert len(forge.memories(limit=100)) == captured - 1
    assert len(forge.decisions.browse()) == 1
    forge.undo()
    assert not forge.decisions.browse()
    forge.redo()
    assert len(forge.decisions.browse()) == 1


def test_an_answer_that_its_hook_does_not_tell_is_read_from_the_transcript(
    forge: Forge, tmp_path: Path
) -> None:
    talk = Talk()
    for number in range(2):
        talk.prompt(f"Where is bed {number}?")
        talk.says(f"Behind the shed {number}.")
        talk.event("Stop", stop_hook_active=False, transcript_path=str(talk.transcript(tmp_path)))
    talk.prompt("And the pond?")
    talk.event("Stop", stop_hook_active=False, transcript_path=str(talk.transcript(tmp_path)))
    # All come late, when the transcript has gone on.
    faults = forge.hooks.take(talk.told).faults
    answers = ["Behind the shed 0.", "Behind the shed 1."]
    assert [each.content for each in said(forge) if each.kind is Kind.RESPONSE] == answers
    assert len(faults) == 1 and "tells the answer" in faults[0]
    forge.hooks.take(talk.told)
    forge.import_path(talk.transcript(tmp_path))
    assert [each.content for each in said(forge) if each.kind is Kind.RESPONSE] == answers
