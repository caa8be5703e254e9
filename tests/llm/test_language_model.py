"""A model behind real HTTP, in each wire format: what it gives back, each of its faults, and what each costs."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.model_server import KEY, TOKENS, Answer, Call, ModelServer

from engramforge.core.oracle.reasoning import Reasoned
from engramforge.errors import ModelMisanswered, ModelUnavailable, SpendingCapReached, Stopped
from engramforge.llm.ledger import FILE_NAME
from engramforge.llm.options import ModelOptions
from engramforge.llm.prompts import CONSULT
from engramforge.model.language_models.spec import parse_model_spec
from engramforge.model.stopping import stopped_by
from engramforge.runtime.given_up import GivenUp

from .conftest import ASKED, GOOD, Made, Shape

KINDS = ("openai", "anthropic", "gemini", "local")
every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
def test_an_object_of_the_shape_and_what_it_cost(kind: str, make: Made) -> None:
    with ModelServer(GOOD) as server:
        model = make(server, kind, price_input=2.0, price_output=10.0)
        answered = model.ask(CONSULT, "the material", Shape)
    assert (answered.said, answered.made_by) == (ASKED, f"{kind}:tiny consult-1")
    (call,) = server.calls
    assert call.path == ("/v1/messages" if kind == "anthropic" else "/v1/chat/completions")
    assert call.material == "the material" and CONSULT.text[:60] in call.text
    spent = model.state.spending
    assert (spent.calls, spent.input_tokens, spent.output_tokens) == (1, *TOKENS)
    assert spent.money == pytest.approx((TOKENS[0] * 2 + TOKENS[1] * 10) / 1_000_000)


@every_kind
@pytest.mark.parametrize("script", [("500", GOOD), ("429", GOOD), ("reset", GOOD)], ids=lambda each: each[0])
def test_what_passes_is_asked_again(script: tuple[Answer, ...], kind: str, make: Made) -> None:
    with ModelServer(*script) as server:
        assert make(server, kind).ask(CONSULT, "x", Shape).said == ASKED
    assert len(server.calls) == 2


@every_kind
def test_an_answer_of_another_shape_is_sent_back_once(kind: str, make: Made) -> None:
    with ModelServer({"name": "buoy"}, GOOD) as server:
        model = make(server, kind)
        assert model.ask(CONSULT, "x", Shape).said == ASKED
    assert "parts" in server.calls[1].text.removeprefix(server.calls[0].text[:-2])
    assert model.state.spending.calls == 2, "the correction costs too"


@every_kind
@pytest.mark.parametrize(
    ("fault", "error", "said", "calls"),
    [
        ("nonsense", ModelMisanswered, "shape", 1),
        ("It leaves at noon.", ModelMisanswered, "shape", 2),
        ({"parts": 3}, ModelMisanswered, "shape", 2),
        ("refusal", ModelMisanswered, "refused to answer", 1),
        ("400", ModelUnavailable, "answered 400", 1),
        ("401", ModelUnavailable, "refused the key", 1),
        ("404", ModelUnavailable, "answered 404", 1),
        ("503", ModelUnavailable, "answered 503", 3),
    ],
    ids=lambda each: str(each)[:12],
)
def test_each_fault_is_an_error_of_ours(
    kind: str, fault: Answer, error: type[Exception], said: str, calls: int, make: Made
) -> None:
    with ModelServer(fault) as server, pytest.raises(error, match=said) as caught:
        make(server, kind).ask(CONSULT, "x", Shape)
    assert len(server.calls) == calls
    assert KEY not in str(caught.value) and caught.value.__cause__ is None


@every_kind
def test_a_slow_model_is_given_up_in_time_and_its_connection_closed(kind: str, make: Made) -> None:
    with ModelServer("hang") as server:
        model = make(server, kind, timeout_s=1.0, price_input=1.0, price_output=1.0)
        began = time.monotonic()
        with pytest.raises(ModelUnavailable, match="within 1 s"):
            model.ask(CONSULT, "x", Shape)
        assert time.monotonic() - began < 8
        assert server.broken_off.wait(5)
    assert _settled(model).calls == 1, "nobody knows what it costs, so it counts in full"
    assert model.state.spending.output_tokens == 4_096


def test_a_call_that_nobody_waits_for_ends_at_once(make: Made) -> None:
    signal = GivenUp()
    with ModelServer("hang") as server:
        model = make(server)
        threading.Timer(0.5, signal.set).start()
        began = time.monotonic()
        with pytest.raises(Stopped), stopped_by(signal):
            model.ask(CONSULT, "x", Shape)
        assert time.monotonic() - began < 20 and server.broken_off.wait(5)


def test_from_within_a_loop(make: Made) -> None:
    async def within() -> object:
        return model.ask(CONSULT, "x", Shape).said

    with ModelServer(GOOD) as server:
        model = make(server)
        assert asyncio.run(within()) == ASKED


@every_kind
def test_no_less_is_reserved_than_a_call_may_use(kind: str, make: Made, tmp_path: Path) -> None:
    under_way: list[dict[str, int]] = []

    def look(call: Call) -> Answer:
        under_way.extend(json.loads((tmp_path / FILE_NAME).read_text())["reserved"].values())
        return {"relevant": [], "contradictions": [], "missing": [], "statements": []}

    with ModelServer(look) as server:
        make(server, kind).ask(CONSULT, "m\u00fcde " * 500, Reasoned)
    (call,), (reserved,) = server.calls, under_way
    # A token has at least one byte.
    assert len(json.dumps(call.body, ensure_ascii=False).encode()) <= reserved["input_tokens"]
    assert reserved["output_tokens"] == 4_096


def test_past_a_cap_there_is_no_call(make: Made) -> None:
    with ModelServer(GOOD) as server:
        enough = make(server, price_input=1.0, price_output=1.0, cap=1.0)
        assert enough.ask(CONSULT, "x", Shape).said == ASKED
        for cap in ({"cap": 0.001}, {"cap_tokens": 1_100}):
            with pytest.raises(SpendingCapReached, match=next(iter(cap))):
                make(server, price_input=1.0, price_output=1.0, **cap).ask(CONSULT, "x", Shape)
    assert len(server.calls) == 1


def test_without_a_key_the_provider_is_not_asked(tmp_path: Path) -> None:
    options = ModelOptions(parse_model_spec("anthropic:tiny", "x"), tmp_path)
    assert options.lacks_key
    assert not ModelOptions(parse_model_spec("local:tiny", "x"), tmp_path).lacks_key


def test_keys_are_in_no_repr_and_no_log(make: Made, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for kind in ("openai", "anthropic"):
        with ModelServer("401", "500", GOOD) as server:
            model = make(server, kind)
            with pytest.raises(ModelUnavailable):
                model.ask(CONSULT, "x", Shape)
            model.ask(CONSULT, "x", Shape)
            assert KEY not in repr(model)
    assert caplog.records, "something was logged"
    assert KEY not in caplog.text


def test_a_key_and_an_address_of_another_program_do_not_count(
    make: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer("500") as foreign, ModelServer(GOOD, key=None) as server:
        for name in ("OPENAI", "ANTHROPIC"):
            monkeypatch.setenv(f"{name}_API_KEY", "sk-of-another-program")
            monkeypatch.setenv(f"{name}_BASE_URL", foreign.url)
        monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-of-another-program")
        for kind in ("openai", "anthropic"):
            make(server, kind, api_key=None).ask(CONSULT, "x", Shape)
    assert not foreign.calls
    assert all("another-program" not in f"{call.key} {call.text}" for call in server.calls)


@every_kind
def test_whether_it_can_be_reached_costs_nothing(kind: str, make: Made) -> None:
    with ModelServer(GOOD) as server:
        assert make(server, kind).reach().is_reached
        refused = make(server, kind, api_key="wrong").reach()
        assert not refused.is_reached and "key" in refused.found
    gone = make(server, kind).reach()
    assert not gone.is_reached and "does not answer" in gone.found
    assert server.looks == 2 and not server.calls


@pytest.mark.parametrize("missing", ["pydantic_ai", "openai"])
def test_without_a_library_it_says_what_to_install(
    missing: str, make: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "engramforge.llm.asking", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with ModelServer(GOOD) as server, pytest.raises(ModelUnavailable, match=r"engramforge\[llm\]"):
        make(server).ask(CONSULT, "x", Shape)


def _settled(model: object) -> object:
    """What was spent, as soon as the call that was given up is counted."""
    for _ in range(100):
        if model.state.spending.calls:  # type: ignore[attr-defined]
            break
        time.sleep(0.05)
    return model.state.spending  # type: ignore[attr-defined]
