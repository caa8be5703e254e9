"""Three sessions and a compaction with the daemon itself: what was said comes back, what was reversed as reversed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tests.e2e.model_server import Model, everything_said, says, serving

from engramforge.faces.connections.claude_code import EVENTS

if TYPE_CHECKING:
    from tests.e2e.claude_code import ClaudeCode

DECIDED = "We decided to keep the tide readings in SQLite, because one gauge writes at a time."
REVERSED = "Actually, scrap SQLite, we go with Postgres for the tide readings: four gauges write by now."
ASKED = "Where do we keep the tide readings, and why?"


def answers(request: dict[str, Any]) -> list[dict[str, Any]]:
    """A model that agrees in words that hold nothing of the matter."""
    return [says("Understood." if request.get("tools") else "A title")]


def sent(model: Model, since: int) -> str:
    """All that the model was sent of late."""
    return "\n".join(everything_said(turn) for turn in model.turns[since:])


def test_three_sessions_and_a_compaction(machine: ClaudeCode) -> None:
    model = Model(answers)
    machine.daemon = True
    with serving(model) as machine.address:
        machine.engramforge("init")
        machine.engramforge("connect", "claude-code", "--yes")
        machine.says(DECIDED)

        second = len(model.turns)
        machine.says(ASKED)
        assert "keep the tide readings in SQLite" in sent(model, second), machine.log()
        (old,) = machine.engramforge("decisions")["decisions"]
        machine.says(REVERSED, "--continue")
        machine.says("/compact", "--continue")
        after_compaction = len(model.turns)
        machine.says("Go on, please.", "--continue")
        assert "Postgres" in sent(model, after_compaction)

        third = len(model.turns)
        machine.says(ASKED)
        told = sent(model, third)
        assert "go with Postgres" in told, machine.log()
        active = [each["decision"] for each in machine.engramforge("decisions")["decisions"]]
        assert active and not any("in SQLite" in each for each in active), active
        shown = machine.engramforge("decisions", "show", old["id"])
        assert shown["decision"]["status"] == "superseded", shown
        assert "keep the tide readings in SQLite" not in told

        kept = machine.engramforge("list", "--limit", "200")["memories"]
        prompts = Counter(each["content"] for each in kept if each["kind"] == "prompt")
        assert prompts[DECIDED] == prompts[REVERSED] == 1, prompts
        injected = [each["content"] for each in kept if "Relevant Context" in each["content"]]
        assert injected == []

        machine.engramforge("disconnect", "claude-code", "--purge", "--purge", "--yes")
    assert machine.traces() == [] and not machine.home.exists()


def test_two_sessions_by_http_hooks(machine: ClaudeCode) -> None:
    model = Model(answers)
    machine.daemon = True
    with serving(model) as machine.address:
        machine.engramforge("serve", "--background")
        machine.engramforge("connect", "claude-code", "--settings", "--hooks", "http", "--yes")
        settings = (machine.user / ".claude" / "settings.json").read_text()
        assert settings.count('"type": "http"') == len(EVENTS) - 1
        machine.says(DECIDED)
        second = len(model.turns)
        machine.says(ASKED)
        assert "keep the tide readings in SQLite" in sent(model, second), machine.log()
        kept = machine.engramforge("list", "--limit", "200")["memories"]
        told = Counter(each["kind"] for each in kept)
        assert (told["prompt"], told["response"]) == (2, 2), told
        machine.engramforge("disconnect", "claude-code", "--purge", "--purge", "--yes")
    assert machine.traces() == [] and not machine.home.exists()
