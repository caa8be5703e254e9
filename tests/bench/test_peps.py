"""peps: the truth of a day on two axes, the replay, and the whole run with its bars on the development data."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from bench.harness import Options
from bench.peps_registry import Keeper
from bench.register import STALE, State, read_register

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
    assert metrics["staleness_by_recall"] == {name: metrics[name] for name in metrics["staleness_by_recall"]}
    assert metrics["unvalidated"] == {"days": 3650, "expected": 1, "precision": 1.0, "recall": 1.0}
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
        logical_id = next(item for item, key in asker.keys.items() if key == 1)
        forge.forget(logical_id)
        told = asker.as_of(register.asked)
    # Of the five lines about decision 1, the one before its first record has "nothing" for an answer, but on one axis.
    assert told["as_of_accuracy"] == pytest.approx(7 / 12)
    assert told["as_of"]["recorded"] == pytest.approx(8 / 12)


def test_the_registry_stands_as_the_history_says(files: list[Path], tmp_path: Path) -> None:
    register = read_register(files)
    with engramforge.open(tmp_path / "home") as forge:
        keeper = Keeper(forge, register)
        answers = list(keeper.live(register.asked))
        bridge, stone, ferry, lamps = (forge.decisions.get(keeper.ids[key]) for key in (1, 2, 3, 4))
        assert (bridge.status, bridge.superseded_by) == ("superseded", stone.id)
        assert [str(each.status) for each in (stone, ferry, lamps)] == ["active"] * 3
        assert [str(version.status) for version in forge.decisions.history(ferry.id)] == [
            "invalidated",
            "revised",
            "active",
        ]
        assert bridge.last_validated == at("2001-04-01T09:00")
        assert keeper.unvalidated()["recall"] == 1.0
        # A decision that the registry no longer knows is not known to be stale.
        forge.forget(bridge.memory_id)
        lost = [line for line, shown in answers if line.key == 1 and shown]
        assert lost
        assert keeper._seen(lost[0]) is None
        # The only one that lacks validation is validated today.
        forge.decisions.validate(stone.id)
        told = keeper.unvalidated()
        assert (told["expected"], told["recall"], told["precision"]) == (1, 0.0, None)


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


def _sample(folder: Path, target: Path) -> list[Path]:
    """The development data: both sides of every pair, every sixth of the other decisions, every ninth as-of line.

    Whole, it takes minutes, most of them for histories and lines that are like the others; `make bench` takes them.
    """
    records = {
        path.name: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted(folder.glob("*.dev.jsonl"))
    }
    paired = {pair[side] for pair in records["supersession.dev.jsonl"] for side in ("old", "new")}
    others = [record["id"] for record in records["decisions.dev.jsonl"] if record["id"] not in paired]
    reopened = {
        record["id"]
        for record in records["timeline.dev.jsonl"]
        for before, after in pairwise(event["status"] for event in record["events"])
        if before in STALE and after not in STALE
    }
    kept = {*paired, *others[::6], *reopened}
    made = []
    for name, lines in records.items():
        held = [line for line in lines if line.get("id", line.get("old")) in kept]
        held = held[::9] if name.startswith("asof") else held
        made.append(target / name)
        made[-1].write_text("".join(json.dumps(line) + "\n" for line in held), encoding="utf-8")
    return made


@needs_shared
def test_the_bars_on_the_development_data(tmp_path: Path) -> None:
    files = _sample(SHARED / "data" / "peps", tmp_path)
    assert len(files) == 4
    outcome = harness.run("peps", files, Options())
    metrics = outcome.metrics
    assert outcome.settings["pairs"] == 26
    assert outcome.settings["reopened"] >= 10
    assert metrics["as_of_accuracy"] == 1.0
    for told in (metrics, metrics["staleness_by_recall"]):
        assert told["stale_precision"] == 1.0
        assert told["stale_recall"] >= 0.99
        assert told["stale_accuracy_reopened"] == 1.0
    assert (metrics["unvalidated"]["precision"], metrics["unvalidated"]["recall"]) == (1.0, 1.0)
    assert metrics["successor_at_5"] >= 0.88
    assert metrics["successor_at_1"] >= 0.65
