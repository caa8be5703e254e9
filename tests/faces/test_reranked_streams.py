"""A stream whose nearest memories a cross-encoder orders anew: in Python, on the command line and over MCP."""

from __future__ import annotations

import time
from pathlib import Path

import anyio
import pytest
from tests.mcp_server import client_of

import engramforge
from engramforge.errors import InvalidValue
from engramforge.model.streams.stream import Stream

from .conftest import Cli

pytest.importorskip("fastembed")
onnx_models = pytest.importorskip("tests.onnx_models")

ASKED = "how long is the ferry queue at the pier of my red house?"
LONG, GROWS, HOUSE, FAR = (
    "Ferry queue at pier: very long.",
    "The ferry queue grows at the pier.",
    "My red house, with a queue.",
    "The car is in the red house of the doctor, and the boat is green.",
)
SAID = ((LONG, 1.0), (GROWS, 0.9), (HOUSE, 0.1), (FAR, 0.0), ("A lighthouse in the sea burns oil.", 0.9))


@pytest.fixture
def asked(home: Path) -> Path:
    """A home with memories of which the most energetic answer least."""
    with engramforge.open(home) as forge:
        for text, energy in SAID:
            forge.remember(text, energy=energy, project="pier")
    return home


def _with(home: Path, model: Path | None, *, way_s: float = 20.0, rerank: bool = True) -> Stream:
    setting = "" if model is None else f'reranker = "local:{model}"'
    (home / "engramforge.toml").write_text(setting)
    with engramforge.open(home) as forge:
        object.__setattr__(forge._stages.assembling, "way_s", way_s)
        return forge.streams.by_intention(ASKED, rerank=rerank)


def _orders(stream: Stream) -> tuple[list[str], list[str]]:
    """What the tiers tell, and what meaning found on the first level."""
    told = [each.memory.content for held in stream.tiers.values() for each in held]
    return told, [each.memory.content for each in next(iter(stream.levels.values())).vector]


def test_what_is_nearest_is_ordered_by_what_the_model_reads(asked: Path, tmp_path: Path, cli: Cli) -> None:
    model = onnx_models.build_cross_encoder(tmp_path / "model")
    before, after = _with(asked, model, rerank=False), _with(asked, model)
    assert _orders(before) == ([LONG, GROWS, HOUSE, FAR], [LONG, GROWS, HOUSE, FAR])
    # It shares most words with the question, but has too little to do with it to be read at all.
    assert _orders(after) == ([GROWS, HOUSE, LONG, FAR], [GROWS, HOUSE, LONG, FAR])
    read = [each.rerank_score for each in after.items]
    assert read[:3] == pytest.approx([0.982, 0.953, 0.5], abs=1e-3) and read[3] is None
    assert [each.found for each in after.ways if each.way == "rerank"] == [3]
    assert not any(each.fault for each in after.ways)
    assert {each.memory.id: (each.relevance, each.activation) for each in before.items} == {
        each.memory.id: (each.relevance, each.activation) for each in after.items
    }
    assert (before.far, before.answered) == (after.far, after.answered)
    assert len(before.ways) == 6
    shown = cli("context", ASKED, "--rerank", "--json").json
    assert [each["excerpt"] for each in shown["activation_tiers"]["focus"]] == [GROWS, HOUSE, LONG]
    assert "relevance 0.61, reranked 0.98" in cli("context", ASKED, "--rerank").out
    assert "reranked" not in cli("context", ASKED).out

    async def told_to_a_model() -> list[str]:
        async with client_of(str(asked)) as client:
            told = [{"query_text": ASKED, "rerank": rerank} for rerank in (False, True)]
            return [str((await client.call_tool("forge_stream", each)).content[0].text) for each in told]

    plain, reranked = anyio.run(told_to_a_model)
    assert plain.index(LONG) < plain.index(GROWS)
    assert reranked.index(GROWS) < reranked.index(LONG)


def test_sixty_are_read_at_most(home: Path, tmp_path: Path) -> None:
    with engramforge.open(home) as forge:
        forge.remember_many({"content": f"The ferry queue, day {number}."} for number in range(66))
    (home / "engramforge.toml").write_text(
        f'reranker = "local:{onnx_models.build_cross_encoder(tmp_path / "model", 2)}"'
    )
    with engramforge.open(home) as forge:
        stream = forge.streams.by_intention("the ferry queue", rerank=True, max_results_per_level=100)
    assert len(stream.memories) == 66
    assert sum(each.rerank_score is not None for each in stream.items) == 60


def test_a_model_that_fails_or_is_slow_leaves_the_order(asked: Path, tmp_path: Path) -> None:
    endless = onnx_models.build_cross_encoder(tmp_path / "endless", endless=True)
    before = _orders(_with(asked, endless, rerank=False))
    begun = time.monotonic()
    for model, way_s, fault in (
        (endless, 0.3, "longer than its limit of 0.3 s"),
        (tmp_path / "none", 2.0, "is not there"),
        (onnx_models.build_cross_encoder(tmp_path / "three", 3), 2.0, "neither one number nor two"),
    ):
        stream = _with(asked, model, way_s=way_s)
        assert _orders(stream) == before
        assert [(each.way, fault in (each.fault or "")) for each in stream.ways[6:]] == [("rerank", True)]
        assert all(each.rerank_score is None for each in stream.items)
    assert time.monotonic() - begun < 30


def test_without_a_model_it_says_which_setting_names_one(asked: Path, cli: Cli) -> None:
    with pytest.raises(InvalidValue, match="none is configured") as raised:
        _with(asked, None)
    assert "Set reranker to" in str(raised.value.mend) and "'engramforge[neural]'" in str(raised.value.mend)
    refused = cli("context", ASKED, "--rerank")
    assert refused.code == 2 and "Set reranker to" in refused.err
    assert "--rerank is not for --state" in cli("context", "--state", "find_what_i_was_doing", "--rerank").err
