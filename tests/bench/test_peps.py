"""peps: the truth of a day on two axes, the replay, and the whole run with its bars on the development data."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from bench.harness import Options
from bench.register import State, read_register

import engramforge
from bench import harness, peps
from engramforge.errors import InvalidSource

SHARED = Path(__file__).parents[3] / "shared"
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="the shared data is not beside the repository")


def _decision(key: int, title: str, abstract: str, created: str, status: str, *after: int) -> dict[str, Any]:
    state = {"status": status, "superseded_by": list(after)}
    return {"id": key, "title": title, "created": created, "abstract": abstract, "replaces": [], **state}


def _event(at: str, status: str, title: str, *after: int) -> dict[str, Any]:
    return {"t": at, "status": status, "title": title, "replaces": [], "superseded_by": list(after)}


WOODEN, STONE, FERRY, LAMPS = "A wooden bridge", "A stone bridge", "A ferry for carts", "Lamps along the quay"
DECISIONS = [
    _decision(1, WOODEN, "Carts cross the weir on a bridge of oak.", "2001-01-01", "Superseded", 2),
    _decision(2, STONE, "Carts cross the weir on a bridge of granite.", "2003-05-01", "Final"),
    _decision(3, FERRY, "Horses are brought over by boat.", "2002-01-01", "Accepted"),
    _decision(4, LAMPS, "", "2004-06-01", "Final"),
]
TIMELINES = [
    {
        "id": 1,
        "events": [
            _event("2001-03-01T09:00:00Z", "Draft", "An oak bridge"),
            _event("2001-04-01T09:00:00Z", "Accepted", WOODEN),
            _event("2001-05-01T09:00:00Z", "Accepted", WOODEN),
            _event("2003-06-01T09:00:00Z", "Superseded", WOODEN, 2),
        ],
    },
    {"id": 2, "events": [_event("2003-05-01T23:59:59Z", "Final", STONE)]},
    {
        "id": 3,
        "events": [
            _event("2002-02-01T09:00:00Z", "Draft", FERRY),
            _event("2002-03-01T09:00:00Z", "Rejected", FERRY),
            _event("2002-04-01T09:00:00Z", "Accepted", FERRY),
        ],
    },
    # Recorded, and changed, before it took effect.
    {
        "id": 4,
        "events": [
            _event("2004-01-01T09:00:00Z", "Draft", LAMPS),
            _event("2004-02-01T09:00:00Z", "Deferred", LAMPS),
            _event("2004-07-01T09:00:00Z", "Final", LAMPS),
        ],
    },
]
PAIRS = [{"old": 1, "new": 2}, {"old": 3, "new": 99}]


def _line(key: int, day: str, status: str | None, *after: int) -> dict[str, Any]:
    return {"id": key, "as_of": day, "status": status, "superseded_by": list(after), "kind": "boundary"}


LINES = [
    _line(1, "2001-02-15", None),
    _line(1, "2001-03-01", "Draft"),
    _line(1, "2002-01-01", "Accepted"),
    _line(1, "2003-05-31", "Accepted"),
    _line(1, "2003-06-01", "Superseded", 2),
    _line(2, "2003-05-01", "Final"),
    _line(3, "2002-03-15", "Rejected"),
    _line(3, "2002-04-02", "Accepted"),
    _line(4, "2004-01-15", "Draft"),
    _line(4, "2004-03-01", "Deferred"),
    _line(4, "2004-06-30", "Deferred"),
    _line(4, "2004-07-01", "Final"),
]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    kinds = {"one": DECISIONS, "two": PAIRS, "three": LINES, "four": TIMELINES}
    for name, records in kinds.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return [tmp_path / f"{name}.jsonl" for name in kinds]


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_files_come_in_any_order(files: list[Path]) -> None:
    first, *others = [read_register(order) for order in permutations(files)]
    assert all(other == first for other in others)
    assert list(first.decisions) == [1, 2, 3, 4]
    assert (list(first.pairs), first.pairs_left_out) == ([(1, 2)], 1)
    assert len(first.decisions[1].events) == 3, "an event that changes nothing is none"
    assert first.asked[0].state is None
    assert first.asked[4].end == datetime(2003, 6, 1, 23, 59, 59, 999_999, tzinfo=UTC)


def test_what_was_the_case_on_two_axes(files: list[Path]) -> None:
    bridge, lamps = (read_register(files).decisions[key] for key in (1, 4))
    draft, accepted, superseded = State("Draft"), State("Accepted"), State("Superseded", (2,))
    assert bridge.state(at("2000-12-31")) is None
    # Known today, unknown then.
    assert bridge.state(at("2001-01-01")) == draft
    assert bridge.state(at("2001-01-01"), recorded=at("2001-01-01")) is None
    assert bridge.state(at("2001-01-01"), recorded=at("2001-03-02")) == draft
    assert bridge.state(at("2002-01-01")) == accepted
    assert bridge.state(at("2030-01-01"), recorded=at("2003-05-31")) == accepted
    assert bridge.state(at("2030-01-01")) == superseded
    # Before it took effect, a later record corrects an earlier one.
    assert lamps.state(at("2004-05-31")) is None
    assert lamps.state(at("2004-06-01")) == State("Deferred")
    assert lamps.state(at("2004-06-01"), recorded=at("2004-01-02")) == State("Draft")


def test_a_register_is_told_right(files: list[Path]) -> None:
    outcome = harness.run("peps", files, Options()).as_dict()
    assert outcome["n"] == 13
    metrics = outcome["metrics"]
    assert metrics["as_of_accuracy"] == 1.0
    assert metrics["as_of"] == dict.fromkeys(("recorded", "valid", "both", "creation"), 1.0)
    assert metrics["successor_at_5"] == 1.0
    assert (metrics["stale_precision"], metrics["stale_recall"]) == (1.0, 1.0)
    assert metrics["stale_accuracy_reopened"] == 1.0
    assert outcome["settings"]["changes"] == 6
    assert (outcome["settings"]["pairs_left_out"], outcome["settings"]["reopened"]) == (1, 2)
    last = outcome["baselines"]["last_state"]["as_of_accuracy"]
    assert last == pytest.approx(4 / 12), "a register that overwrites knows the last state only"
    assert outcome["baselines"]["bm25"]["stale_precision"] < 1
    assert harness.run("peps", files, Options(limit=1)).n == 2


def test_a_wrong_answer_is_counted(files: list[Path], tmp_path: Path) -> None:
    register = read_register(files)
    with engramforge.open(tmp_path / "home") as forge:
        asker = peps.Asker(forge, register)
        asker.replay()
        assert asker.as_of(register.asked)["as_of_accuracy"] == 1.0
        logical_id = next(one for one, key in asker.keys.items() if key == 1)
        forge.forget(logical_id)
        told = asker.as_of(register.asked)
    # Of the five lines about decision 1, the one before its first record has "nothing" for an answer, but on one axis.
    assert told["as_of_accuracy"] == pytest.approx(7 / 12)
    assert told["as_of"]["recorded"] == pytest.approx(8 / 12)


@pytest.mark.parametrize("absent", range(4))
def test_every_kind_of_line_is_wanted(files: list[Path], absent: int) -> None:
    with pytest.raises(InvalidSource, match="There is no"):
        read_register(files[:absent] + files[absent + 1 :])


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ({"something": 1}, "of no kind"),
        (DECISIONS[0], "comes twice"),
        (TIMELINES[0], "comes twice"),
        ({"id": 7, "as_of": "soon", "status": None}, "not an ISO 8601 time"),
        ({"id": None, "as_of": "2001-01-01", "status": None}, "names no decision"),
        ({"id": 7, "as_of": "2001-01-01", "status": "Final", "superseded_by": 3}, "is no list"),
        ({"id": 7, "events": [{"t": "2001-01-01"}]}, "'title' is missing"),
    ],
)
def test_a_broken_line_is_told_with_its_place(
    files: list[Path], tmp_path: Path, line: dict[str, Any], fault: str
) -> None:
    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps(line))
    with pytest.raises(InvalidSource, match=fault) as caught:
        read_register([*files, more])
    assert f"{more}:1" in caught.value.fault


@needs_shared
def test_the_bars_on_the_development_data() -> None:
    files = sorted((SHARED / "data" / "peps").glob("*.dev.jsonl"))
    assert len(files) == 4
    metrics = harness.run("peps", files, Options()).metrics
    assert metrics["as_of_accuracy"] == 1.0
    assert metrics["stale_precision"] == 1.0
    assert metrics["stale_recall"] >= 0.99
    assert metrics["successor_at_5"] >= 0.88
    assert metrics["successor_at_1"] >= 0.58
