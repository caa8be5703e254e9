"""Moving a store to other encoders while it is in use: fresh stores, kill -9, no mixing, costs, faults."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.children import Child
from tests.embedding_server import KEY, EmbeddingServer
from tests.upkeep.conftest import Command

from engramforge.assembly import open_forge
from engramforge.errors import InvalidValue, ModelUnavailable, SpendingCapReached
from engramforge.forge import Forge
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Recall
from engramforge.model.spaces import Space
from engramforge.spaces.chosen.model_parts import QUESTIONS, TEXTS

if TYPE_CHECKING:
    from engramforge.model.embeddings.reembedding import EncoderStatus

PROBED = len(QUESTIONS) + len(TEXTS)
"""Texts, in two calls, by which a model of E1 is known before it embeds anything."""
THINGS = ("automobile", "loaf", "ship", "physician")
Opened = Callable[..., Forge]


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """Where the store is, as variables."""
    found = {"ENGRAMFORGE_HOME": str(tmp_path / "home")}
    if request.param == "postgres":
        found["ENGRAMFORGE_URL"] = request.getfixturevalue("postgres_url")
    return found


@pytest.fixture
def opened(place: dict[str, str], server: EmbeddingServer) -> Iterator[Opened]:
    """Opens the store with settings; closes it at the end."""
    forges: list[Forge] = []

    def open_with(**settings: str) -> Forge:
        forges.append(open_forge(None, environment=environment_of(place, server, **settings)))
        return forges[-1]

    yield open_with
    for forge in forges:
        forge.close()


def environment_of(place: dict[str, str], server: EmbeddingServer, **settings: str) -> dict[str, str]:
    own = {f"ENGRAMFORGE_{name.upper()}": value for name, value in settings.items()}
    return {**place, "ENGRAMFORGE_EMBEDDING_BASE_URL": server.url, "OPENAI_API_KEY": KEY, **own}


def fill(forge: Forge, count: int, first: int = 0) -> list[str]:
    """Notes, in one batch; without the fit of calibrations that large batches bring, as single memories bring none."""
    forge._stages.calibrating._written_until_due = 1_000_000
    texts = [f"Note {place} tells of the {THINGS[place % 4]}." for place in range(first, first + count)]
    return [
        memory.id for memory in forge.remember_many([{"content": text, "project": "p"} for text in texts])
    ]


def nearest(recall: Recall) -> list[str]:
    return [hit.memory.content for hit in recall.hits]


def raw_meanings(recall: Recall) -> dict[str, float]:
    """Content -> the raw cosine of E1."""
    return {
        hit.memory.content: match.raw
        for hit in recall.hits
        for match in hit.matches
        if match.space is Space.SEMANTIC
    }


def held(forge: Forge, space: str = "semantic") -> EncoderStatus:
    return next(encoder for encoder in forge.encoders() if encoder.space == space)


def test_a_fresh_store_takes_what_the_settings_name(opened: Opened, server: EmbeddingServer) -> None:
    forge = opened(model_embedding="openai:small")
    assert held(forge).held_id == "semantic-1/openai:small/64"
    assert not held(forge).differs
    fill(forge, 8)
    sent = len(server.texts)
    assert sent >= 8
    found = raw_meanings(forge.recall("which car?", project="p"))
    assert found["Note 0 tells of the automobile."] > 0.8
    assert forge.reembed("semantic") == []


def test_a_store_keeps_its_encoder_until_it_is_reembedded(opened: Opened, server: EmbeddingServer) -> None:
    fill(opened(), 8)
    forge = opened(model_embedding="openai:small")
    status = held(forge)
    assert (status.wanted, status.held, status.differs) == ("openai:small", "static", True)
    assert status.setting == "model_embedding"
    forge.recall("which car?", project="p")
    fill(forge, 1, 8)
    assert server.calls == []
    estimate = forge.estimate_reembed("semantic")[0]
    assert (estimate.memories, estimate.source, estimate.target) == (9, "static", "openai:small")
    assert estimate.tokens > 9
    assert server.calls == []
    (report,) = forge.reembed("semantic")
    assert (report.embedded, report.dropped, report.resumed) == (9, 9, False)
    assert report.spending.tokens == server.tokens(server.texts)
    assert not held(forge).differs
    assert raw_meanings(forge.recall("which car?", project="p"))["Note 0 tells of the automobile."] > 0.8
    # Settings without a model: the store keeps what it has, and still needs the endpoint.
    plain = opened()
    assert held(plain).differs
    assert raw_meanings(plain.recall("which car?", project="p"))["Note 0 tells of the automobile."] > 0.8
    (back,) = plain.reembed("semantic")
    assert (back.embedded, back.dropped) == (9, 9)
    calls = len(server.calls)
    assert nearest(plain.recall("which automobile?", project="p"))
    assert len(server.calls) == calls
    assert plain.check() == []


def test_history_is_embedded_too(opened: Opened) -> None:
    plain = opened()
    first = plain.remember("The old plan: buy an automobile.", project="p")
    plain.supersede(first.id, "The new plan: bake a loaf.")
    forge = opened(model_embedding="openai:small")
    (report,) = forge.reembed("semantic")
    assert report.embedded >= 2
    found = forge.recall("which car?", project="p", mode="full_history")
    assert "The old plan: buy an automobile." in nearest(found)


COMMAND = """
import json, os, sys
from engramforge.entry.console import main
os.environ |= json.loads(sys.argv.pop(1))
sys.exit(main())
"""


@pytest.mark.on_disk
def test_a_killed_run_goes_on_and_embeds_nothing_twice(
    place: dict[str, str], opened: Opened, server: EmbeddingServer
) -> None:
    plain = opened()
    fill(plain, 200)
    server.delay_s = 0.2
    settings = environment_of(place, server, model_embedding="openai:small")
    killed = Child(COMMAND, json.dumps(settings), "reembed", "--space", "semantic")
    try:
        deadline = time.monotonic() + 60
        while len(server.calls) < 4 and time.monotonic() < deadline:
            time.sleep(0.01)
    finally:
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    assert 4 <= len(server.calls) < 6
    server.delay_s = 0
    # Questions compare as before, and the store says what is left.
    assert raw_meanings(plain.recall("which automobile?", project="p"))
    assert held(plain).unfinished
    server.calls.clear()
    forge = opened(model_embedding="openai:small")
    (report,) = forge.reembed("semantic")
    assert report.resumed
    # One batch was under way when the run was killed.
    assert 200 - 2 * 64 <= report.embedded <= 200 - 64
    assert len(set(server.texts)) == len(server.texts) == report.embedded + PROBED
    assert not held(forge).differs
    found = raw_meanings(forge.recall("which car?", project="p"))
    assert all(value > 0.8 for content, value in found.items() if "automobile" in content)


def test_questions_go_on_and_never_mix(opened: Opened, server: EmbeddingServer) -> None:
    """Both models give vectors of one size, so that only the check of encoders keeps them apart."""
    server.seeds = {"other": "other directions"}
    forge = opened(model_embedding="openai:small")
    fill(forge, 120)
    asking = [opened(), opened()]
    stop = threading.Event()
    answers: list[dict[str, float]] = []
    faults: list[BaseException] = []

    def ask(own: Forge) -> None:
        try:
            while not stop.is_set():
                answers.append(raw_meanings(own.recall("which car?", project="p")))
        except BaseException as error:  # noqa: BLE001 - told by the test
            faults.append(error)

    threads = [threading.Thread(target=ask, args=(own,)) for own in (forge, *asking)]
    for thread in threads:
        thread.start()
    try:
        for target in ("openai:other", "openai:small", "openai:other"):
            (report,) = forge.reembed("semantic", target)
            assert (report.embedded, report.dropped) == (120, 120)
            seen = len(answers)
            while len(answers) < seen + 6 and not faults:
                time.sleep(0.01)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert faults == []
    assert len(answers) >= 18
    # Across the models a cosine of the same words is about 0, within one it is near 1.
    cars = [value for found in answers for content, value in found.items() if "automobile" in content]
    assert len(cars) > 50
    assert min(cars) > 0.8


def test_writes_meanwhile_are_caught_up_with(opened: Opened, server: EmbeddingServer) -> None:
    writer = opened()
    fill(writer, 100)
    server.delay_s = 0.05
    forge = opened(model_embedding="openai:small")
    stop, written, faults = threading.Event(), [], []

    def write() -> None:
        try:
            while not stop.is_set():
                written.extend(fill(writer, 1, 1_000 + len(written)))
                time.sleep(0.005)
        except BaseException as error:  # noqa: BLE001 - told by the test
            faults.append(error)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        (report,) = forge.reembed("semantic")
        during = len(written)
        while len(written) < during + 3 and not faults:
            time.sleep(0.01)
    finally:
        stop.set()
        thread.join()
    assert faults == []
    assert report.embedded > 100
    assert len(written) > during
    kept = forge.memories(project="p", limit=1_000)
    assert len(kept) == 100 + len(written)
    # Everything is compared by the new encoder, also what was written after the change by who did not know of it.
    everything = raw_meanings(forge.recall("note automobile loaf ship physician", project="p", limit=1_000))
    assert everything
    assert forge.reembed("semantic") == []
    assert forge.check() == []


@pytest.mark.parametrize("is_killed", [False, True])
def test_another_run_in_between_leaves_nothing(
    opened: Opened, server: EmbeddingServer, is_killed: bool
) -> None:
    """Whatever it let the store compare by, or has begun, is dropped by who changes the encoder after it."""
    server.seeds = {"other": "other directions"}
    forge, second = opened(model_embedding="openai:small"), opened()
    fill(forge, 300)
    reports: list[int] = []

    def stop(space: str, done: int, total: int) -> None:
        if is_killed and done:
            raise KeyboardInterrupt

    def come_between(space: str, done: int, total: int) -> None:
        if done >= 128 and not reports:
            reports.append(done)
            try:
                second.reembed("semantic", "openai:other", progress=stop)
            except KeyboardInterrupt:
                assert is_killed

    (report,) = forge.reembed("semantic", "static", progress=come_between)
    assert reports == [128]
    assert report.dropped == 300 + (64 if is_killed else 0)
    assert held(forge).held == "static"
    assert not held(forge).unfinished
    for left in ("small", "other"):
        lacking = forge._stages.door.tending(Scope(every_agent=True)).unencoded(
            Space.SEMANTIC, f"semantic-1/openai:{left}/64", 1_000
        )
        assert len(lacking) == 300
    assert forge.reembed("semantic", "static") == []
    assert nearest(forge.recall("which automobile?", project="p"))


def test_a_memory_forgotten_meanwhile_stays_forgotten(opened: Opened, server: EmbeddingServer) -> None:
    plain = opened()
    ids = fill(plain, 150)
    forge = opened(model_embedding="openai:small")

    def forget_some(space: str, done: int, total: int) -> None:
        if done == 64:
            for memory_id in (ids[0], ids[100], ids[149]):
                plain.forget(memory_id)

    (report,) = forge.reembed("semantic", progress=forget_some)
    assert report.embedded == 148
    assert len(forge.memories(project="p", limit=1_000)) == 147
    assert forge.check() == []


def test_the_cap_stops_a_run_and_the_next_goes_on(opened: Opened, server: EmbeddingServer) -> None:
    plain = opened()
    fill(plain, 200)
    price = {"model_embedding": "openai:small", "embedding_price": "100"}
    with pytest.raises(SpendingCapReached, match="embedding_cap"):
        opened(**price, embedding_cap="0.45").reembed("semantic")
    sent = len(server.texts) - PROBED
    assert 0 < sent < 200
    assert server.tokens(server.texts) * 100 / 1_000_000 <= 0.45
    assert held(plain).unfinished
    assert raw_meanings(plain.recall("which automobile?", project="p"))
    server.calls.clear()
    (report,) = opened(**price, embedding_cap="100").reembed("semantic")
    assert report.embedded == 200 - sent
    assert report.spending.money == pytest.approx(server.tokens(server.texts) * 100 / 1_000_000)


def test_an_endpoint_that_fails_leaves_the_store_as_it_was(opened: Opened, server: EmbeddingServer) -> None:
    plain = opened()
    fill(plain, 100)
    before = nearest(plain.recall("which automobile?", project="p"))
    server.faults.extend(["", "", "", "400"])
    forge = opened(model_embedding="openai:small")
    with pytest.raises(ModelUnavailable, match="model_embedding"):
        forge.reembed("semantic")
    assert nearest(plain.recall("which automobile?", project="p")) == before
    assert nearest(forge.recall("which automobile?", project="p")) == before
    # Changing one's mind removes what the first attempt left.
    server.seeds = {"other": "other"}
    (report,) = forge.reembed("semantic", "openai:other")
    assert (report.embedded, report.dropped, report.resumed) == (100, 164, False)
    assert not held(forge).unfinished


def test_giving_up_removes_what_was_embedded(opened: Opened, server: EmbeddingServer) -> None:
    plain = opened()
    fill(plain, 100)
    server.faults.extend(["", "", "", "400"])
    with pytest.raises(ModelUnavailable):
        opened(model_embedding="openai:small").reembed("semantic")
    (report,) = plain.reembed("semantic", "static")
    assert (report.embedded, report.dropped) == (0, 64)
    assert not held(plain).unfinished
    assert nearest(plain.recall("which automobile?", project="p"))


def test_a_wrong_key_of_a_fresh_store(opened: Opened) -> None:
    with pytest.raises(ModelUnavailable, match="embedding_api_key"):
        opened(model_embedding="openai:small", openai_api_key="wrong")
    # Nothing was chosen: the store may begin with another.
    forge = opened()
    assert held(forge).held == "static"
    fill(forge, 1)


def test_an_estimate_tells_of_what_is_done_alone(opened: Opened, server: EmbeddingServer) -> None:
    plain = opened()
    fill(plain, 100)
    assert plain.estimate_reembed() == []
    assert plain.estimate_reembed("causal", "static") == []
    wanted = {"encoder_semantic": "openai:small"}
    server.faults.extend(["", "", "", "400"])
    forge = opened(**wanted)
    assert [(estimate.space, estimate.memories) for estimate in forge.estimate_reembed()] == [
        (Space.SEMANTIC, 100)
    ]
    with pytest.raises(ModelUnavailable):
        forge.reembed()
    assert [(estimate.space, estimate.memories) for estimate in forge.estimate_reembed()] == [
        (Space.SEMANTIC, 36)
    ]
    # Giving up embeds nothing, and drops what was begun.
    assert [(estimate.space, estimate.memories) for estimate in plain.estimate_reembed()] == [
        (Space.SEMANTIC, 0)
    ]
    forge.reembed()
    assert forge.estimate_reembed() == []


@pytest.mark.parametrize(
    ("space", "to"),
    [
        ("graph", None),
        ("nothing", None),
        (None, "static"),
        ("semantic", "x"),
        ("late_interaction", "openai:m"),
    ],
)
def test_what_cannot_be_asked(space: str | None, to: str | None, tmp_path: Path) -> None:
    with open_forge(tmp_path, environment={}) as forge:
        for ask in (forge.reembed, forge.estimate_reembed):
            with pytest.raises(InvalidValue):
                ask(space, to)


def test_on_the_command_line(
    place: dict[str, str], opened: Opened, server: EmbeddingServer, command: Command
) -> None:
    fill(opened(), 6)
    variables = environment_of(place, server, model_embedding="openai:small", embedding_price="50")

    def answer(*arguments: str) -> str:
        run = command(*arguments, **variables)
        assert run.returncode == 0, run.stderr
        return run.stdout

    assert "the settings name openai:small, the store holds static: run engramforge reembed" in answer(
        "stats"
    )
    assert "the settings name openai:small" in answer("doctor")
    assert len(server.calls) == 0
    (dry,) = json.loads(answer("reembed", "--space", "semantic", "--dry-run", "--json"))["spaces"]
    assert dry["memories"] == 6
    assert dry["money"] == pytest.approx(dry["tokens"] * 50 / 1_000_000, abs=1e-6)
    assert len(server.calls) == 0
    assert "Moved semantic: 6 memories" in answer("reembed")
    assert "Nothing is left to embed" in answer("reembed")
    assert "Nothing is left to embed" in answer("reembed", "--space", "semantic", "--dry-run")
    assert "settings name" not in answer("stats")
    assert "settings name" not in answer("doctor")
