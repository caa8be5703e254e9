"""Streams as of a time at which nothing held yet say so, and a link that begins before its ends warns of it."""

from __future__ import annotations

from engramforge.forge import Forge

FACT = {
    **{"energy": 0.5, "confidence": 0.9, "emotion_vector": {}, "goal": "unstated", "mindstate": "captured"},
    **{"valid_at": "2020-01-01", "invalid_at": "2022-01-01"},
}


def test_a_fact_of_then_whose_ends_are_of_today(forge: Forge) -> None:
    ann, mill = (forge.remember(name, kind="entity") for name in ("Ann Lee", "The Corvane mill"))
    linked = forge.link(ann.id, mill.id, "WORKS_FOR", **FACT)
    assert sum("give that an earlier valid_at" in each for each in linked.warnings) == 1
    then = forge.streams.by_intention("Where does Ann Lee work?", as_of_valid="2021-06-01")
    assert not then.items and "valid_at says otherwise" in then.note
    assert forge.streams.by_intention("Where does Ann Lee work?").note == ""


def test_a_fact_of_then_whose_ends_held_then(forge: Forge) -> None:
    ann, mill = (
        forge.remember(name, kind="entity", valid_at="2019-01-01") for name in ("Ann Lee", "The Corvane mill")
    )
    linked = forge.link(ann.id, mill.id, "WORKS_FOR", **FACT)
    assert not any("earlier valid_at" in each for each in linked.warnings)
    for day, holds in (
        ("2019-12-31", False),
        ("2020-01-01", True),
        ("2021-12-31", True),
        ("2022-01-01", False),
    ):
        stream = forge.streams.by_intention("Where does Ann Lee work?", as_of_valid=day)
        assert any(each.links for each in stream.levels.values()) is holds
        assert stream.note == ""


def test_a_kept_stream_is_not_changed_by_who_got_it(forge: Forge) -> None:
    forge.remember("Gulls nest on the pier.")
    for _ in range(2):
        stream = forge.streams.by_intention("gulls", cache=True)
        assert len(stream.items) == 1 and stream.levels and stream.tiers
        # Read-only by their types, and yet what a caller gets.
        assert isinstance(stream.levels, dict) and isinstance(stream.tiers, dict)
        stream.levels.clear()
        stream.tiers.clear()


def test_a_thread_is_not_told_beside_what_it_was_read_from(forge: Forge) -> None:
    said = forge.remember("TODO: paint the pier before May.", energy=0.8, goal="open the pier")
    assert any(each.kind == "thread" for each in forge.memories())
    doing = forge.streams.by_state(current_energy=0.5, query_mode="find_what_i_was_doing")
    assert [each.memory.logical_id for each in doing.items] == [said.logical_id]
