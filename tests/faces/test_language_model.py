"""The command line with a model at a server: consult, extract, doctor and stats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.model_server import KEY, Call, ModelServer

from .conftest import Cli

NOON = "The ferry to the far island leaves at noon."
QUESTION = "When does the ferry to the far island leave?"


def _answering(call: Call) -> dict[str, Any]:
    labels = re.findall(r'<memory id="(M\d+)"', call.material)
    if not labels:
        return {"decisions": [], "threads": [], "entities": []}
    cited = [{"id": labels[0], "quote": "leaves at noon"}]
    said = [{"text": "It leaves at noon.", "citations": cited}]
    return {"relevant": [], "contradictions": [], "missing": [], "statements": said}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A model's server that the settings name."""
    with ModelServer(_answering) as listening:
        monkeypatch.setenv("MODEL_REASONING", "openai:tiny")
        monkeypatch.setenv("ENGRAMFORGE_MODEL_BASE_URL", listening.url)
        monkeypatch.setenv("ENGRAMFORGE_MODEL_API_KEY", KEY)
        yield listening


def test_consult_with_and_without(cli: Cli, server: ModelServer) -> None:
    cli("remember", NOON)
    told = cli("consult", QUESTION, "--json").json
    assert (told["made_by"], told["degraded"]) == ("openai:tiny consult-1", "")
    assert told["citations"][0]["quote"] == "leaves at noon"
    assert cli("consult", QUESTION, "--model").out.startswith("- It leaves at noon. [")
    plain = cli("consult", QUESTION, "--no-model")
    assert NOON in plain.out and plain.err == "" and len(server.calls) == 2
    server.script = ["503"]
    degraded = cli("consult", QUESTION)
    assert degraded.code == 0 and degraded.out == plain.out
    assert degraded.err.startswith("Answered without a model: ") and "503" in degraded.err


def test_a_model_that_is_asked_for_and_not_there(cli: Cli) -> None:
    cli("remember", NOON)
    refused = cli("consult", QUESTION, "--model", "--json")
    assert refused.code == 2 and "none is configured" in refused.error["fault"]


def test_extract(cli: Cli, server: ModelServer) -> None:
    cli("remember", NOON, "--kind", "message", "--session", "s")
    assert cli("extract", "--json").json["messages"] == 1
    assert cli("extract").out == "Read 0 messages: 0 new entries, 0 to review, 0 new names.\n"
    assert cli("extract", "--anew", "--limit", "1").out.startswith("Read 1 message:")
    server.script = ["401"]
    stopped = cli("extract", "--anew")
    assert stopped.code == 0 and "refused the key" in stopped.err


def test_doctor_looks_without_spending(
    cli: Cli, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("remember", NOON)
    cli("consult", QUESTION)
    check = _check(cli)
    assert check["state"] == "ok" and "openai:tiny; 1 call, 1,050 tokens" in check["found"]
    assert "answers and has tiny" in check["found"] and "cap: none" in check["found"]
    assert (server.looks, len(server.calls)) == (1, 1)
    monkeypatch.setenv("ENGRAMFORGE_MODEL_API_KEY", "sk-wrong")
    monkeypatch.setenv("ENGRAMFORGE_MODEL_CAP_TOKENS", "5000")
    check = _check(cli)
    assert (
        check["state"] == "note" and "refused the key" in check["found"] and "5,000 tokens" in check["found"]
    )
    assert check["mend"] and "sk-wrong" not in str(check)
    assert "1,050 tokens" in cli("stats").out
    assert cli("stats", "--json").json["language_model"]["spending"]["calls"] == 1


def test_doctor_needs_none(cli: Cli) -> None:
    cli("remember", NOON)
    assert _check(cli) == {
        "name": "language model",
        "state": "ok",
        "found": "none is configured, and none is needed",
        "mend": "",
    }


def _check(cli: Cli) -> dict[str, Any]:
    found = cli("doctor", "--json").json
    (check,) = [each for each in found["checks"] if each["name"] == "language model"]
    return dict(check)
