"""Embedding endpoints over real HTTP: both protocols, batches, repetition, deadlines, costs, faults; no key told."""

from __future__ import annotations

import logging
import pickle
import threading
import time
import traceback
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import numpy as np
import pytest
from tests.embedding_server import KEY, EmbeddingServer

from engramforge.errors import EngramforgeError, ModelUnavailable, SpendingCapReached
from engramforge.model.embeddings.encoder_spec import ActiveEncoder, EncoderKind, EncoderSpec, parse_spec
from engramforge.model.spaces import Space
from engramforge.spaces.chosen.choice import EncoderOptions, EndpointOptions
from engramforge.spaces.model_workshop import ModelWorkshop
from engramforge.spaces.provider.endpoint import Endpoint, Ledger
from engramforge.spaces.provider.text_model import MOST_BYTES_OF_TEXT, EndpointModel

OPENAI = parse_spec("openai:small", "x")
VOYAGE = parse_spec("voyage:voyage-3.5", "x")


def _options(server: EmbeddingServer, **more: object) -> EndpointOptions:
    given: dict[str, object] = {
        "base_url": server.url,
        "api_key": KEY,
        "timeout_s": 5.0,
        "retries": 3,
        **more,
    }
    return EndpointOptions(**given)  # type: ignore[arg-type]


def _model(
    server: EmbeddingServer,
    spec: EncoderSpec = OPENAI,
    asked_size: int | None = None,
    pauses: list[float] | None = None,
    **more: object,
) -> tuple[EndpointModel, Endpoint]:
    """A model whose pauses are written down and not waited for."""
    noted = [] if pauses is None else pauses
    endpoint = Endpoint(_options(server, **more), "https://nowhere.invalid", spec.kind, noted.append)
    return EndpointModel(spec, endpoint, "model_embedding", asked_size), endpoint


def _workshop(server: EmbeddingServer, dimensions: int | None = None, **more: object) -> ModelWorkshop:
    options = EncoderOptions(dimensions, _options(server, **more), _options(server, **more))
    return ModelWorkshop(options, {Space.SEMANTIC: "model_embedding"})


@pytest.mark.parametrize("spec", [OPENAI, VOYAGE])
def test_meaning_over_the_wire(spec: EncoderSpec, server: EmbeddingServer) -> None:
    workshop = _workshop(server)
    active = workshop.look_up(Space.SEMANTIC, spec)
    assert active == ActiveEncoder(str(spec), f"semantic-1/{spec}/64", 64)
    meaning = workshop.meaning(active)
    kept = meaning.encode(["the automobile", "a loaf", " ", "our physician"])
    asked = meaning.encode_query("which car?")
    assert asked is not None and np.linalg.norm(asked) == pytest.approx(1, abs=1e-5)
    assert kept[2] is None
    near = [
        float(asked @ each) / np.linalg.norm(each.astype(np.float32)) for each in kept if each is not None
    ]
    assert near[0] > 0.9
    assert max(near[1:]) < 0.5
    assert " " not in server.texts


def test_what_each_protocol_sends(server: EmbeddingServer) -> None:
    _model(server)[0].vectors(["a"])
    _model(server, asked_size=32)[0].vectors(["a"], is_query=True)
    _model(server, VOYAGE)[0].vectors(["a"])
    _model(server, VOYAGE, 32)[0].vectors(["a"], is_query=True)
    bodies = [call.body for call in server.calls]
    assert bodies == [
        {"model": "small", "input": ["a"], "encoding_format": "float"},
        {"model": "small", "input": ["a"], "encoding_format": "float", "dimensions": 32},
        {"model": "voyage-3.5", "input": ["a"], "input_type": "document", "truncation": True},
        {
            "model": "voyage-3.5",
            "input": ["a"],
            "input_type": "query",
            "truncation": True,
            "output_dimension": 32,
        },
    ]
    assert {call.path for call in server.calls} == {"/v1/embeddings"}
    assert {call.key for call in server.calls} == {f"Bearer {KEY}"}


def test_an_endpoint_that_wants_no_key(server: EmbeddingServer) -> None:
    server.key = None
    _model(server, api_key=None)[0].vectors(["a"])
    assert server.calls[0].key is None


@pytest.mark.parametrize(
    ("spec", "variable", "address"),
    [(OPENAI, "OPENAI_API_KEY", "embedding_base_url"), (VOYAGE, "VOYAGE_API_KEY", "voyage_base_url")],
)
def test_without_a_key_the_provider_is_not_asked(
    spec: EncoderSpec, variable: str, address: str, server: EmbeddingServer
) -> None:
    options = EndpointOptions(timeout_s=5.0)
    pauses: list[float] = []
    endpoint = Endpoint(options, server.url, spec.kind, pauses.append)
    model = EndpointModel(spec, endpoint, "encoder_semantic", None)
    with pytest.raises(ModelUnavailable, match=rf"encoder_semantic.*no key.*{variable}.*{address}"):
        model.vectors(["a"])
    assert server.calls == []
    assert pauses == []


def test_batches_by_count_and_by_size(server: EmbeddingServer) -> None:
    model, _ = _model(server)
    texts = [f"text {place}" for place in range(300)] + ["long " * 2_000] * 30
    found = model.vectors(texts)
    assert found.shape == (330, 64)
    assert server.texts[:300] == texts[:300]
    assert max(len(call.texts) for call in server.calls) == 128
    assert max(sum(len(text.encode()) for text in call.texts) for call in server.calls) <= 100_000
    assert len(server.calls) > 3
    for place in (0, 127, 128, 299):
        assert found[place] == pytest.approx(server.vector(texts[place], 64), rel=1e-5)


def test_a_long_text_is_cut_at_a_whole_character(server: EmbeddingServer) -> None:
    model, _ = _model(server)
    model.vectors(["\U0001f600" * 5_000, "x" + "é" * 5_000, "\ud800 half"])
    sent = server.texts
    assert all(len(text.encode()) <= MOST_BYTES_OF_TEXT for text in sent)
    assert sent[0] == "\U0001f600" * 2_000
    assert sent[2] == "? half"


def test_answers_out_of_order_are_put_in_order(server: EmbeddingServer) -> None:
    model, _ = _model(server)
    server.faults.append("shuffled")
    found = model.vectors(["car", "bread"])
    assert found[1] == pytest.approx(server.vector("bread", 64), rel=1e-5)


def test_sizes_and_ids(server: EmbeddingServer) -> None:
    def look_up(dimensions: int | None) -> ActiveEncoder:
        return _workshop(server, dimensions).look_up(Space.SEMANTIC, OPENAI)

    server.size = 1_536
    assert (look_up(None).size, look_up(None).id) == (1_024, "semantic-1/openai:small/1024of1536")
    assert (look_up(256).size, look_up(256).id) == (256, "semantic-1/openai:small/256asked")
    server.honours_dimensions = False
    assert look_up(256).id == "semantic-1/openai:small/256of1536"
    for held in (look_up(None), look_up(256)):
        meaning = _workshop(server).meaning(held)
        (kept,) = meaning.encode(["car"])
        assert kept is not None and kept.shape == (held.size,)
        assert meaning.id == held.id
    server.size = 128
    with pytest.raises(ModelUnavailable, match=r"embedding_dimensions|128 dimensions, not 256"):
        look_up(256)


def test_a_store_s_encoder_is_made_without_a_call(server: EmbeddingServer) -> None:
    held = ActiveEncoder("openai:small", "semantic-1/openai:small/64", 64)
    meaning = _workshop(server).meaning(held)
    assert (meaning.id, meaning.size) == (held.id, 64)
    assert server.calls == []


@pytest.mark.parametrize("fault", ["429", "500", "502", "503", "408", "reset"])
def test_what_may_pass_is_repeated(fault: str, server: EmbeddingServer) -> None:
    pauses: list[float] = []
    model, _ = _model(server, pauses=pauses)
    server.faults.extend([fault, fault])
    assert model.vectors(["car"])[0] == pytest.approx(server.vector("car", 64), rel=1e-5)
    assert len(server.calls) == 3
    assert len(pauses) == 2
    assert all(0 < pause <= 1.1 for pause in pauses)


def test_pauses_grow_and_differ(server: EmbeddingServer) -> None:
    seen: list[list[float]] = []
    for _ in range(12):
        pauses: list[float] = []
        model, _ = _model(server, pauses=pauses, retries=6)
        server.faults.extend(["503"] * 7)
        with pytest.raises(ModelUnavailable, match="after 7 attempts"):
            model.vectors(["car"])
        seen.append(pauses)
    table = np.array(seen)
    assert table.shape == (12, 6)
    assert len(np.unique(table)) == table.size
    assert (table <= 0.5 * 2 ** np.arange(6) + 0.06).all()
    assert table[:, -1].mean() > 4 * table[:, 0].mean()


def test_retry_after_is_obeyed(server: EmbeddingServer) -> None:
    pauses: list[float] = []
    model, _ = _model(server, pauses=pauses)
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    server.faults.extend(["after:7", f"after:{soon}", "after:nonsense"])
    model.vectors(["car"])
    assert pauses[0] == 7
    assert 35 < pauses[1] <= 40
    assert pauses[2] < 3


def test_a_pause_without_end_is_not_waited_for(server: EmbeddingServer) -> None:
    pauses: list[float] = []
    model, _ = _model(server, pauses=pauses)
    server.faults.append("after:999999")
    model.vectors(["car"])
    assert pauses == [120]


def test_retry_after_is_really_waited_for(server: EmbeddingServer) -> None:
    endpoint = Endpoint(_options(server), "https://nowhere.invalid", EncoderKind.OPENAI)
    server.faults.append("after:1")
    EndpointModel(OPENAI, endpoint, "x", None).vectors(["car"])
    assert server.calls[1].at - server.calls[0].at >= 1


@pytest.mark.parametrize("fault", ["400", "403", "404", "422"])
def test_a_refusal_is_not_repeated(fault: str, server: EmbeddingServer) -> None:
    model, _ = _model(server)
    server.faults.append(fault)
    with pytest.raises(ModelUnavailable, match=rf"{fault}.*model_embedding"):
        model.vectors(["car"])
    assert len(server.calls) == 1


@pytest.mark.parametrize(("key", "said"), [("sk-wrong-S3cret", "was refused"), (None, "is missing")])
def test_a_wrong_key(key: str | None, said: str, server: EmbeddingServer) -> None:
    for spec, variable in ((OPENAI, "OPENAI_API_KEY"), (VOYAGE, "VOYAGE_API_KEY")):
        server.calls.clear()
        model, _ = _model(server, spec, api_key=key)
        with pytest.raises(ModelUnavailable, match=rf"{said}.*{variable}") as caught:
            model.vectors(["car"])
        assert "embedding_api_key" in str(caught.value)
        assert len(server.calls) == 1


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("truncated", "no complete JSON"),
        ("list", "no complete JSON"),
        ("no data", "no vectors for 2 texts"),
        ("fewer", "1 vectors for 2 texts"),
        ("more", "3 vectors for 2 texts"),
        ("twice", "without a place"),
        ("ragged", "different dimensions"),
        ("nan", "NaN"),
        ("infinite", "NaN or infinite"),
        ("huge", "NaN or infinite"),
        ("null", "no list of numbers|NaN"),
    ],
)
def test_an_answer_that_makes_no_sense(fault: str, said: str, server: EmbeddingServer) -> None:
    model, _ = _model(server)
    server.faults.append(fault)
    with pytest.raises(ModelUnavailable, match=said) as caught:
        model.vectors(["car", "bread"])
    assert "model_embedding" in str(caught.value)
    assert "embedding_base_url" in caught.value.mend
    assert len(server.calls) == 1


def test_another_dimension_than_before(server: EmbeddingServer) -> None:
    workshop = _workshop(server)
    meaning = workshop.meaning(workshop.look_up(Space.SEMANTIC, OPENAI))
    server.faults.append("size:32")
    with pytest.raises(ModelUnavailable, match=r"openai:small/32.*compares by .*openai:small/64.*reembed"):
        meaning.encode(["car"])
    assert meaning.encode(["car"])[0] is not None
    server.faults.append("size:32")
    with pytest.raises(ModelUnavailable, match="64 dimensions before and 32 now"):
        meaning.encode(["car"])


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_a_hang_ends(fault: str, server: EmbeddingServer) -> None:
    model, _ = _model(server, timeout_s=0.3, retries=1)
    server.faults.extend([fault] * 2)
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"did not answer within 0.3 s.*embedding_timeout_s"):
        model.vectors(["car"])
    assert time.monotonic() - began < 5
    assert len(server.calls) == 2


def test_a_question_is_repeated_less(server: EmbeddingServer) -> None:
    model, _ = _model(server, retries=9)
    server.faults.extend(["500"] * 20)
    with pytest.raises(ModelUnavailable, match="after 3 attempts"):
        model.vectors(["car"], is_query=True)


def test_nobody_listens() -> None:
    with EmbeddingServer() as gone:
        model, _ = _model(gone, retries=1)
    with pytest.raises(ModelUnavailable, match=r"cannot be reached.*embedding_base_url"):
        model.vectors(["car"])


def test_tokens_and_money_are_counted(server: EmbeddingServer) -> None:
    workshop = _workshop(server, price=20.0)
    meaning = workshop.meaning(ActiveEncoder("openai:small", "semantic-1/openai:small/64", 64))
    meaning.encode(["one two three", "four"])
    meaning.encode_query("five six")
    spent = workshop.spending
    assert (spent.calls, spent.tokens) == (2, 6)
    assert spent.money == pytest.approx(6 * 20 / 1_000_000)
    server.tells_usage = False
    meaning.encode(["x" * 40])
    assert workshop.spending.tokens == 6 + 10


def test_a_failed_call_costs_nothing(server: EmbeddingServer) -> None:
    model, endpoint = _model(server, price=20.0, cap=1.0)
    server.faults.append("400")
    with pytest.raises(ModelUnavailable):
        model.vectors(["car " * 100])
    assert endpoint.ledger.spent.money == 0
    # What was set aside for it is free again: all of the cap can be reserved, and no more.
    with pytest.raises(SpendingCapReached):
        endpoint.ledger.reserve(50_001)
    endpoint.ledger.reserve(50_000)


def test_the_cap_stops_before_the_call_that_could_pass_it(server: EmbeddingServer) -> None:
    price, cap = 10.0, 0.02
    model, endpoint = _model(server, price=price, cap=cap)
    text = "word " * 100
    with pytest.raises(SpendingCapReached, match=r"embedding_cap = 0.02") as caught:
        for _ in range(1_000):
            model.vectors([text])
    answered = len(server.calls)
    assert 0 < answered < 1_000
    spent = sum(server.tokens(call.texts) for call in server.calls) * price / 1_000_000
    assert endpoint.ledger.spent.money == pytest.approx(spent)
    assert spent <= cap
    # It stopped without asking, and no earlier than one call's most.
    assert spent + (len(text) + 32) * price / 1_000_000 > cap
    assert isinstance(caught.value, ModelUnavailable)


def test_threads_together_keep_the_cap(server: EmbeddingServer) -> None:
    server.delay_s = 0.01
    model, endpoint = _model(server, price=1_000.0, cap=1.0)

    def spend() -> None:
        with pytest.raises(SpendingCapReached):
            for _ in range(200):
                model.vectors(["word " * 10])

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 0 < endpoint.ledger.spent.money <= 1.0


def test_a_ledger_without_a_cap_never_stops() -> None:
    ledger = Ledger(price=5.0)
    for _ in range(100):
        ledger.settle(ledger.reserve(10**9), 10**9)
    assert ledger.spent.tokens == 10**11


def test_the_key_is_nowhere(server: EmbeddingServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    workshop = _workshop(server, retries=1)
    active = workshop.look_up(Space.SEMANTIC, OPENAI)
    meaning = workshop.meaning(active)
    seen = [repr(_options(server)), repr(active), meaning.id, repr(meaning), repr(workshop)]
    model, endpoint = _model(server, retries=1)
    seen += [repr(model), repr(endpoint), model.name, str(vars(model))]
    for fault in ("400", "401", "403", "500", "truncated", "fewer", "nan", "reset"):
        server.faults.extend([fault] * 2)
        try:
            model.vectors(["car", "bread"])
        except EngramforgeError as error:
            seen += [
                str(error),
                repr(error),
                "".join(traceback.format_exception(error)),
                str(error.as_dict()),
            ]
        server.faults.clear()
    wrong, _ = _model(server, api_key=f"{KEY}-wrong", retries=1)
    with pytest.raises(ModelUnavailable) as caught:
        wrong.vectors(["car"])
    seen += ["".join(traceback.format_exception(caught.value)), caplog.text]
    assert len(seen) > 20
    assert all(KEY not in text for text in seen)
    assert KEY not in repr(replace(_options(server), api_key=KEY))
    with pytest.raises(TypeError):
        pickle.dumps(endpoint)


def test_an_address_with_a_query_is_not_told() -> None:
    options = EndpointOptions("http://127.0.0.1:9/v1?token=S3cret", None, retries=0, timeout_s=1)
    endpoint = Endpoint(options, "https://nowhere.invalid", EncoderKind.OPENAI)
    with pytest.raises(ModelUnavailable) as caught:
        EndpointModel(OPENAI, endpoint, "x", None).vectors(["car"])
    assert "S3cret" not in str(caught.value) + repr(endpoint)
