"""Three sessions and a compaction with the daemon itself: what was said comes back, what was reversed as reversed."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from tests.e2e.model_server import Model, everything_said, says, serving, uses

if TYPE_CHECKING:
    from tests.e2e.claude_code import ClaudeCode

DECIDED = "We decided to keep the tide readings in SQLite, because one gauge writes at a time."
REVERSED = "We reverse that: we decided to move the tide readings to Postgres, because four gauges write."
ASKED = "Where do we keep the tide readings, and why?"


class Assistant:
    """A model that agrees in words that hold nothing of the matter, and runs a command when told of a reversal."""

    command = ""

    def answers(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        """The blocks of the answer to a request."""
        messages = request["messages"]
        own = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
        turn = json.dumps(messages[own[-1] + 1 if own else 0 :])
        if "We reverse that" in turn and "tool_result" not in turn and "compact" not in turn and self.command:
            command, self.command = self.command, ""
            return [uses("Bash", command=command, description="Supersede the decision")]
        return [says("Understood." if request.get("tools") else "A title")]


def sent(model: Model, since: int) -> str:
    """All that the model was sent of late."""
    return "\n".join(everything_said(turn) for turn in model.turns[since:])


def test_three_sessions_and_a_compaction(machine: ClaudeCode) -> None:
    assistant = Assistant()
    model = Model(assistant.answers)
    machine.daemon = True
    with serving(model) as machine.address:
        machine.engramforge("init")
        machine.engramforge("connect", "claude-code", "--yes")
        machine.says(DECIDED)

        second = len(model.turns)
        machine.says(ASKED)
        assert "keep the tide readings in SQLite" in sent(model, second), machine.log()
        (old,) = machine.engramforge("decisions")["decisions"]
        words = [sys.executable, "-m", "engramforge.entry.console", "--home", str(machine.home), "decisions"]
        assistant.command = shlex.join([*words, "supersede", old["id"], "Move the tide readings to Postgres"])
        machine.says(REVERSED, "--continue")
        machine.says("/compact", "--continue")
        after_compaction = len(model.turns)
        machine.says("Go on, please.", "--continue")
        assert "Postgres" in sent(model, after_compaction)

        third = len(model.turns)
        machine.says(ASKED)
        told = sent(model, third)
        assert "to Postgres" in told, machine.log()
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
