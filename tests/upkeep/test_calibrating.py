"""Live calibration on real stores: when it is due, what it keeps, one set for a whole call."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engramforge
from engramforge.core.similarity.calibration import SHIPPED_PAIRS, Direction
from engramforge.forge import Forge
from engramforge.indexing.calibrations import CalibrationSet, shipped_set
from engramforge.model.search.candidates import CALIBRATIONS_MARK
from engramforge.model.spaces import Space
from engramforge.spaces.presets import static_preset
from engramforge.upkeep.calibrating import LEAST_MEMORIES, memories_until_due

START = datetime(2025, 5, 5, 9, tzinfo=UTC)
THINGS = [
    "anchor", "barrel", "candle", "drum", "engine", "flag", "gate", "hammer", "island", "jar", "kettle", "lamp", "mast",
    "net", "oar", "pier",
]  # fmt: skip
DEEDS = [
    "painted", "repaired", "sold", "borrowed", "lost", "found", "moved", "burned", "cleaned", "hid", "counted",
]  # fmt: skip
PEOPLE = ["Mara", "Jonas", "Petra", "Emil", "Ruth", "Oskar", "Ines", "Theo"]


def talk(count: int, project: str, seed: int = 0) -> list[dict[str, Any]]:
    """Turns of conversations of ten; the words are drawn."""
    rng = np.random.default_rng(seed)
    return [
        {
            "content": f"{rng.choice(PEOPLE)} {rng.choice(DEEDS)} the {rng.choice(THINGS)} near the "
            f"{rng.choice(THINGS)} after {rng.choice(PEOPLE)} had {rng.choice(DEEDS)} it {place} times"
            + ("?" if place % 4 == 0 else "."),
            "project": project,
            "kind": "message",
            "session_id": f"{project}-{place // 10}",
            "sequence": place % 10,
            "valid_at": START + timedelta(minutes=place),
        }
        for place in range(count)
    ]


@pytest.fixture(params=["sqlite", "postgres"])
def forge(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Forge]:
    place = str(tmp_path) if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with engramforge.open(place) as opened:
        yield opened


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Forge]:
    with engramforge.open(tmp_path) as opened:
        yield opened


def current(forge: Forge) -> CalibrationSet:
    return forge._stages.calibrations.current(forge._scope)


def ids_of(forge: Forge, question: str = "Who painted the lamp?") -> dict[Space, str | None]:
    """Space -> the calibration that one answer used; fails when an answer used two."""
    found: dict[Space, str | None] = {}
    for hit in forge.recall(question, budget=None, limit=20).hits:
        for match in hit.matches:
            assert found.setdefault(match.space, match.calibration) == match.calibration
    return found


def test_a_small_store_keeps_what_is_shipped(small: Forge) -> None:
    small.remember_many(talk(LEAST_MEMORIES - 1, "harbour"))
    report = small.calibrate()
    assert (report.number, report.fitted_at, report.live) == (0, None, {})
    assert current(small) == shipped_set()
    assert not small.calibration_is_due()


def test_it_fits_by_itself_whenever_the_store_has_doubled(forge: Forge) -> None:
    forge.remember_many(talk(120, "harbour"))
    first = forge.calibration()
    assert (first.number, first.fitted_memories) == (1, 120)
    for space in (Space.SEMANTIC, Space.SPARSE_LEXICAL, Space.LATE_INTERACTION, Space.SPARSE_EXPANSION):
        for direction in Direction:
            assert first.live[f"{space}/{direction}"] > 200
    forge.remember_many(talk(119, "harbour", seed=1))
    assert forge.calibration().number == 1
    assert not forge.calibration_is_due()
    forge.remember_many(talk(1, "harbour", seed=2))
    assert (forge.calibration().number, forge.calibration().fitted_memories) == (2, 240)


def test_the_single_memory_that_makes_a_fit_due_is_fitted(small: Forge) -> None:
    small.remember_many(talk(LEAST_MEMORIES - 1, "harbour"))
    assert small.calibration().number == 0
    small.remember("The lamp of the pier was lit at nine.")
    assert not small.calibration_is_due()
    assert small.calibration().number == 1
    assert memories_until_due(small._stages.door, small._scope) == LEAST_MEMORIES


def test_live_pairs_are_mixed_with_what_is_shipped_by_their_number(small: Forge) -> None:
    small.remember_many([*talk(150, "harbour"), *talk(150, "garden", seed=5)])
    preset = static_preset()[Space.LATE_INTERACTION].id
    asked = (Space.LATE_INTERACTION, Direction.MEMORY_TO_MEMORY, preset)
    fitted, shipped = current(small).find(*asked), shipped_set().find(*asked)
    assert fitted is not None
    assert shipped is not None
    bucket = next(place for place, each in enumerate(fitted.live) if each is not None)
    live, base = fitted.live[bucket], shipped.shipped[bucket]
    assert live is not None
    assert base is not None
    share = live.pairs / (live.pairs + SHIPPED_PAIRS)
    raw, length = np.array([0.3, 0.5, 0.7]), np.full(3, (5, 12, 40, 100)[bucket])
    expected = share * np.exp(live.log_tail(raw)) + (1 - share) * np.exp(base.log_tail(raw))
    assert np.exp(fitted.apply(raw, length).log_tail) == pytest.approx(expected)
    # Sentences drawn from the same few words are alike by chance: the store's own background asks for more.
    assert fitted.apply(raw, length).similarity[1] < shipped.apply(raw, length).similarity[1]


def test_a_fit_survives_closing_and_gives_the_same_ids(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        forge.remember_many(talk(150, "harbour"))
        before, set_id = ids_of(forge), current(forge).id
        assert forge.calibration().id == set_id
    with engramforge.open(tmp_path) as again:
        assert current(again).id == set_id
        assert ids_of(again) == before


def test_another_process_s_fit_is_seen(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as first, engramforge.open(tmp_path) as other:
        first.remember_many(talk(150, "harbour"))
        assert ids_of(first) == ids_of(other)
        first.calibrate()
        assert current(other).number == 2
        assert ids_of(first) == ids_of(other)


def test_only_numbers_are_kept_and_old_sets_go(small: Forge) -> None:
    small.remember_many(talk(150, "harbour"))
    for _ in range(4):
        small.calibrate()
    door, scope = small._stages.door, small._scope
    with door.tending(scope) as snapshot:
        marks = [row.key for row in _marks(snapshot)]
    sets = [key for key in marks if str(key).startswith(f"{CALIBRATIONS_MARK}/")]
    assert len(sets) == 2
    reservoir = door.asking(scope).mark(f"calibration-reservoir/{Space.SEMANTIC}/{Direction.QUERY_TO_MEMORY}")
    assert reservoir is not None
    kept = json.dumps([reservoir, *(door.asking(scope).mark(str(key)) for key in sets)])
    assert not any(word in kept for word in (*THINGS[:8], *PEOPLE))


def _marks(snapshot: Any) -> list[Any]:
    from engramforge.model.storing.section import Section

    return list(snapshot.portion(Section.MARKS, None, 1_000).rows)


@pytest.mark.parametrize(
    "damage",
    [
        {"version": 99, "digest": "x"},
        {"version": 1, "digest": "gone"},
        {"version": 1},
        {"version": 1, "digest": "broken", "number": "?", "memories": 1, "at": None},
    ],
)
def test_what_cannot_be_read_counts_as_not_fitted(small: Forge, damage: dict[str, Any]) -> None:
    small.remember_many(talk(20, "harbour"))
    door, scope = small._stages.door, small._scope

    def work(writes: Any) -> None:
        writes.save_mark(f"{CALIBRATIONS_MARK}/broken", {"calibrations": [{"space": "nowhere"}]})
        writes.save_mark(CALIBRATIONS_MARK, damage)

    door.write(scope, work)
    assert current(small) == shipped_set()
    assert ids_of(small)


def test_a_call_uses_one_set_while_others_fit(tmp_path: Path) -> None:
    """Each answer's ids belong to one published set, and a set that is held does not change under its holder."""
    with engramforge.open(tmp_path) as forge:
        forge.remember_many([*talk(120, "harbour"), *talk(120, "garden", seed=3)])
        published: list[CalibrationSet] = [current(forge)]
        held = current(forge)
        held_ids = {measure: each.id for measure, each in held.calibrations.items()}
        answers: list[dict[Space, str | None]] = []
        faults: list[BaseException] = []
        stop = threading.Event()

        def ask() -> None:
            try:
                with engramforge.open(tmp_path) as mine:
                    while not stop.is_set():
                        answers.append(ids_of(mine))
                        answers.append(ids_of(forge))
                        # The fits want to get their turn, too.
                        stop.wait(0.05)
            except BaseException as fault:  # noqa: BLE001 - told in the main thread
                faults.append(fault)

        askers = [threading.Thread(target=ask) for _ in range(3)]
        for each in askers:
            each.start()
        for _ in range(6):
            forge.calibrate()
            published.append(current(forge))
        stop.set()
        for each in askers:
            each.join()
        assert faults == []
        assert len({each.id for each in published}) == len(published)
        known = [{(m.space, each.id) for m, each in item.calibrations.items()} for item in published]
        used = [{(space, id_) for space, id_ in found.items() if id_ is not None} for found in answers]
        assert len(used) > 10
        assert all(any(ids <= item for item in known) for ids in used)
        assert len({tuple(sorted(ids)) for ids in used}) > 1
        assert {measure: each.id for measure, each in held.calibrations.items()} == held_ids


def test_a_store_of_loose_notes_of_one_project_keeps_what_is_shipped(small: Forge) -> None:
    """Nothing says that two notes of one project have nothing to do with each other."""
    notes = [{**each, "session_id": None, "sequence": None, "kind": "note"} for each in talk(150, "harbour")]
    small.remember_many(notes)
    report = small.calibration()
    assert (report.number, report.live) == (1, {})


def test_long_texts_make_a_fit_no_longer(small: Forge) -> None:
    rng = np.random.default_rng(3)

    def text() -> str:
        return " ".join("".join(rng.choice(list("bcdfgaeiouklmn"), 8)) for _ in range(200))

    small.remember_many(
        [{"content": text(), "project": f"p{number % 5}"} for number in range(LEAST_MEMORIES - 1)]
    )
    began = time.process_time()
    small.remember("The hundredth memory makes a fit due.")
    assert small.calibration().number == 1
    assert (
        time.process_time() - began < 3
    )  # six seconds, and the more the longer they are, where all are compared
