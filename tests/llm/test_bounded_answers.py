"""Answers without an end: of any size, packed, or byte by byte; read up to a limit and for a time."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from tests.model_server import ModelServer

from engramforge.errors import ModelMisanswered, ModelUnavailable
from engramforge.llm.bounded import MOST_BYTES
from engramforge.llm.prompts import CONSULT

from .conftest import ASKED, GOOD, Made, Shape

every_kind = pytest.mark.parametrize("kind", ["openai", "anthropic", "gemini", "local"])


@every_kind
@pytest.mark.parametrize("fault", ["endless", "bomb"])
def test_a_long_answer_is_read_up_to_a_limit_and_asked_for_once(fault: str, kind: str, make: Made) -> None:
    with ModelServer(GOOD, fault) as server:
        model = make(server, kind)
        model.ask(CONSULT, "x", Shape)
        tracemalloc.start()
        try:
            with pytest.raises(ModelMisanswered, match=f"more than {MOST_BYTES:,} bytes"):
                model.ask(CONSULT, "x", Shape)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert server.broken_off.wait(5) and len(server.calls) == 2
    assert peak < 8 * MOST_BYTES
    assert model.state.spending.calls == 2, "the endpoint may have done the work"


@pytest.mark.parametrize("fault", ["endless", "bomb", "drip"])
def test_an_endless_list_of_models_holds_nobody_up(fault: str, make: Made) -> None:
    with ModelServer(GOOD) as server:
        server.listing = fault
        began = time.monotonic()
        reach = make(server, timeout_s=1.0).reach()
        assert time.monotonic() - began < 4 and server.broken_off.wait(5)
    assert not reach.is_reached
    assert ("within 1 s" if fault == "drip" else "more than 4,194,304 bytes") in reach.found


def test_byte_by_byte_an_answer_is_given_up_in_time(make: Made) -> None:
    with ModelServer("drip") as server:
        with pytest.raises(ModelUnavailable, match="within 1 s"):
            make(server, timeout_s=1.0).ask(CONSULT, "x", Shape)
        assert server.broken_off.wait(5)


def test_long_but_not_too_long(make: Made) -> None:
    long = "red " * 500_000
    with ModelServer({"name": long, "parts": []}) as server:
        assert make(server).ask(CONSULT, "x", Shape).said == Shape(long, [])


@pytest.mark.parametrize(
    ("usage", "most"),
    [
        (None, 200),
        ({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}, 200),
        ({"prompt_tokens": -(10**9), "completion_tokens": -(10**9), "total_tokens": -(10**9)}, 200),
        ({"prompt_tokens": 10**400, "completion_tokens": 10**400, "total_tokens": 10**400}, 200),
    ],
    ids=["none", "nothing", "negative", "huge"],
)
@pytest.mark.filterwarnings("ignore:Failed to extract usage")
def test_what_an_endpoint_does_not_count_is_counted_by_its_length(
    usage: dict[str, int] | None, most: int, make: Made
) -> None:
    with ModelServer(GOOD) as server:
        server.usage = usage
        model = make(server, price_input=1.0, price_output=1.0)
        assert model.ask(CONSULT, "x", Shape).said == ASKED
    spent = model.state.spending
    assert 0 < spent.output_tokens < most and 0 < spent.input_tokens < 2_000 and spent.money > 0
