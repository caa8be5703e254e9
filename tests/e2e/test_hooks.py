"""Claude Code runs our hooks: every event arrives with its fields, by the socket or in the spool."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.e2e.model_server import Model, everything_said, says, serving, uses
from tests.peer_daemon import Peer, listening

from engramforge.faces.connections.claude_code import EVENTS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.claude_code import ClaudeCode

ALWAYS = {"session_id", "transcript_path", "cwd", "hook_event_name"}
FIELDS = {
    "SessionStart": {"source"},
    "UserPromptSubmit": {"prompt", "prompt_id"},
    "PreToolUse": {"tool_name", "tool_input", "tool_use_id"},
    "PostToolUse": {"tool_name", "tool_input", "tool_use_id", "tool_response", "duration_ms"},
    "Stop": {"stop_hook_active", "last_assistant_message", "prompt_id"},
    "SubagentStop": {"agent_id", "agent_type", "agent_transcript_path", "last_assistant_message"},
    "PreCompact": {"trigger", "custom_instructions"},
    "SessionEnd": {"reason"},
}
"""What the product relies on."""


def script(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a command, ask an agent, or speak, as the last turn asks."""
    messages = request["messages"]
    own = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
    turn = json.dumps(messages[own[-1] + 1 if own else 0 :])
    if "tool_result" in turn:
        return [says("It was done.")]
    if "list the gauges" in turn:
        return [uses("Bash", command="echo gauge-7", description="List the gauges")]
    if "ask an agent" in turn:
        return [uses("Agent", description="Count", prompt="Count gauges.", subagent_type="general-purpose")]
    return [says("There is one gauge, gauge-7.")]


def injected(event: dict[str, Any]) -> str | None:
    """What the daemon of these tests has to say, a text of its own for each event."""
    name = event["hook_event_name"]
    if name == "Stop":
        return json.dumps({"decision": "block", "reason": "never printed"})
    said = {"hookEventName": name, "additionalContext": f"INJECTED at {name}"}
    return json.dumps({"hookSpecificOutput": said})


def play(machine: ClaudeCode) -> None:
    """A session with a command, an agent and a compaction."""
    machine.says("Please list the gauges.")
    machine.says("Now ask an agent.", "--continue")
    machine.says("/compact", "--continue")


@pytest.mark.parametrize("way", ["settings", "plugin"])
def test_every_event_arrives_with_its_fields(way: str, machine: ClaudeCode) -> None:
    model = Model(script)
    with serving(model) as machine.address, listening(machine.home / "run", Peer(injected)) as peer:
        machine.engramforge("connect", "claude-code", f"--{way}", "--yes")
        play(machine)
    assert {event["hook_event_name"] for event in peer.events} == set(EVENTS), machine.log()
    for event in peer.events:
        assert (ALWAYS | FIELDS[event["hook_event_name"]]) - set(event) == set(), event
        assert event["cwd"] == str(machine.project)
    assert len({event["session_id"] for event in peer.events}) == 1
    starts = [event["source"] for event in peer.named("SessionStart")]
    assert starts == ["startup", "resume", "resume", "compact"]
    (tool,) = [event for event in peer.named("PostToolUse") if event["tool_name"] == "Bash"]
    assert tool["tool_response"]["stdout"] == "gauge-7"
    # At most one Stop a prompt: what was answered to it did not prolong the session. Claude Code tells the end of an
    # agent as a prompt too.
    prompts = peer.named("UserPromptSubmit")
    stopped = [stop["prompt_id"] for stop in peer.named("Stop")]
    assert len(set(stopped)) == len(stopped) >= 2
    assert set(stopped) <= {prompt["prompt_id"] for prompt in prompts}
    said = [prompt["prompt"][:18] for prompt in prompts]
    assert said == ["Please list the ga", "Now ask an agent.", "<task-notification"]
    assert machine.log() == "" and not (machine.home / "spool").exists()
    said = [everything_said(turn) for turn in model.turns]
    for name in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"):
        assert any(f"INJECTED at {name}" in each for each in said), name
    assert not any("never printed" in each for each in said)
    # Whether the tools are there in the first turn is a race: Claude Code does not wait for servers.
    assert re.search(
        r"^(plugin:engramforge:)?engramforge: .* Connected$", machine.claude("mcp", "list"), re.MULTILINE
    )
    machine.engramforge("disconnect", "claude-code", "--yes")
    assert machine.traces() == []


def test_without_a_daemon_every_event_is_in_the_spool(machine: ClaudeCode) -> None:
    with serving(Model(script)) as machine.address:
        machine.engramforge("connect", "claude-code", "--settings", "--yes")
        (machine.home / "connect.json").write_text('{"serve": ["/bin/true"]}')
        play(machine)
    lines = [
        json.loads(line)
        for file in (machine.home / "spool").glob("client-*.jsonl")
        for line in file.read_text().splitlines()
    ]
    assert {line["event"]["hook_event_name"] for line in lines} == set(EVENTS)
    machine.engramforge("disconnect", "claude-code", "--purge", "--yes")
    assert machine.traces() == [] and not machine.home.exists()


def test_the_plugin_is_valid(machine: ClaudeCode, repository: Path) -> None:
    machine.claude("plugin", "validate", str(repository / "plugin"), "--strict")
    machine.claude("plugin", "validate", str(repository), "--strict")
