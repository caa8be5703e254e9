"""Recall end to end: what lifts an answer over its look-alikes, and that every figure adds up."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.children import Child, finished
from tests.recall.conftest import NOW, START, TALKS, contents, tell

import engramforge
from engramforge.core.ranking.fusion import EXPECTED, FAMILIES, OFFSET, SLOPE
from engramforge.forge import Forge
from engramforge.model.spaces import ROW_BY_SPACE

MASS = {
    "similarity": 0.45,
    "epistemic_tier": 0.20,
    "freshness": 0.15,
    "conflict_salience": 0.10,
    "category_boost": 0.10,
}


def test_the_answer_comes_first(told: Forge) -> None:
    for query, answer in {
        "Which berth did we get for the sloop?": TALKS["harbour"][1][1],
        "Whose copper kettle is it?": TALKS["kitchen"][2][1],
        "What is too big for the bus?": TALKS["travel"][2][1],
    }.items():
        assert answer in contents(told.recall(query, now=NOW))[:3], query


def test_the_turn_before_lifts_an_answer_that_shares_no_word(forge: Forge) -> None:
    """The same two answers, one of them after the question, the other after something else."""
    for session, before in (
        ("one", "Where does the gardener keep the spare key?"),
        ("two", "It rained all day."),
    ):
        forge.remember(before, session_id=session, sequence=0, kind="message", speaker="Mara", valid_at=START)
        forge.remember(
            f"Under the blue pot, number {session}.", session_id=session, sequence=1, kind="message",
            speaker="Jonas", valid_at=START,
        )  # fmt: skip
    found = contents(forge.recall("Where is the gardener's spare key?", now=NOW))
    assert "Under the blue pot, number one." in found
    # The other one shares nothing with the question, not even through what stands before it.
    assert "Under the blue pot, number two." not in found[: found.index("Under the blue pot, number one.")]


def test_the_rest_of_the_session_lifts_a_turn(forge: Forge) -> None:
    for session, topic in (
        ("one", "The violin lesson and the orchestra"),
        ("two", "The dentist and the pharmacy"),
    ):
        for place, text in enumerate(
            (topic, "Fine.", "Hm.", "Let us see.", f"It begins at six, says {session}.")
        ):
            forge.remember(
                text, session_id=session, sequence=place, kind="message", speaker="Mara", valid_at=START
            )
    found = contents(forge.recall("When does the violin lesson with the orchestra begin?", now=NOW))
    assert found.index("It begins at six, says one.") < found.index("It begins at six, says two.")


def test_a_named_speaker_comes_before_the_other(told: Forge) -> None:
    tulips, garlic = TALKS["garden"][0][1], TALKS["garden"][1][1]
    for name, first, second in (("Jonas", tulips, garlic), ("Mara", garlic, tulips)):
        hits = told.recall(f"What did {name} plant along the border?", now=NOW).hits
        found = [hit.memory.content for hit in hits]
        assert found.index(first) < found.index(second)
        assert hits[found.index(first)].signals["speaker"] > 0


@pytest.mark.parametrize(
    "asked",
    ["on 12 April 2025", "on 2025-04-12", "12 weeks ago", "am 12.04.2025", "le 12 avril 2025", "on 12 April"],
)
def test_a_date_in_the_query_finds_what_was_said_then(forge: Forge, asked: str) -> None:
    names = (
        "Ash Birch Cedar Elm Fir Gum Hazel Iris Juniper Kauri Larch Maple Oak Pine Quince Rowan Spruce Teak"
    )
    for week, name in enumerate(names.split()):
        forge.remember(
            f"We repaired the pump called {name}.",
            valid_at=datetime(2025, 2, 1, tzinfo=UTC) + timedelta(weeks=week),
            kind="message",
            session_id=f"week {week}",
        )
    # Ten weeks after 1 February; 12 weeks before 5 July.
    hits = forge.recall(f"Which pump did we repair {asked}?", now="2025-07-05T00:00:00Z").hits
    assert hits[0].memory.content == "We repaired the pump called Larch."
    assert hits[0].signals["dates"] == max(hit.signals.get("dates", 0) for hit in hits) > 0


def test_a_date_that_a_text_names_is_met(forge: Forge) -> None:
    for year in (1988, 1997, 2009):
        forge.remember(f"The bridge was closed from {year} to {year + 2}.", valid_at=START)
    assert contents(forge.recall("What happened to the bridge in 1998?", now=NOW))[0].startswith(
        "The bridge was closed from 1997"
    )


@pytest.mark.parametrize("asked", ["what did commit 3ec3b98 change?", "E1B24D1106C2", "show me e1b24d1"])
def test_a_commit_is_found_by_its_first_digits(forge: Forge, asked: str) -> None:
    commits = {"3ec3b988c43a": "Weigh anchors before moorings", "e1b24d1106c2f00d": "Drop the second buoy"}
    for digest, subject in commits.items():
        forge.remember(f"commit {digest}\n{subject}", kind="action")
    wanted = next(subject for digest, subject in commits.items() if digest[:7] in asked.lower())
    assert wanted in contents(forge.recall(asked))[0]


def test_the_newer_of_two_comes_first(forge: Forge) -> None:
    for month, price in ((3, "ninety"), (5, "seventy"), (4, "eighty")):
        forge.remember(
            f"My gym membership costs {price} a month now.",
            valid_at=datetime(2025, month, 1, tzinfo=UTC),
            session_id=f"month {month}",
            kind="message",
        )
    forge.remember("The cellar is damp.", valid_at=START)
    found = forge.recall("What does my gym membership cost?", now=NOW)
    assert [text.split()[4] for text in contents(found)[:3]] == ["seventy", "eighty", "ninety"]


def test_what_was_superseded_is_not_found_but_then(forge: Forge) -> None:
    before = forge.remember("The gate number is 4711.", valid_at=START)
    forge.supersede(before.id, "The gate number is 8150.", at=START + timedelta(days=30))
    assert contents(forge.recall("gate number", now=NOW)) == ["The gate number is 8150."]
    assert contents(forge.recall("gate number", as_of_valid=START + timedelta(days=29))) == [
        "The gate number is 4711."
    ]


def test_the_parts_add_up_to_the_mass(told: Forge) -> None:
    for hit in told.recall("What did Mara plant last March?", now=NOW, budget=None).hits:
        parts = hit.parts.as_dict()
        assert set(parts) == set(MASS)
        assert all(0 <= value <= 1 for value in parts.values())
        assert hit.mass == pytest.approx(sum(MASS[name] * value for name, value in parts.items()), abs=1e-6)
        days = (NOW - hit.memory.valid_at) / timedelta(days=1)
        assert parts["freshness"] == pytest.approx(2 ** (-days / 45), rel=1e-5)


@pytest.mark.parametrize(
    "query, traits",
    [
        ("copper kettle", ()),
        ("When did Mara get the kettle?", ("names", "when")),
        ("What did I plant on 17 March 2025?", ("short_dates", "self")),
        ("What did we plant in 2025?", ("long_dates",)),
    ],
)
def test_the_signals_add_up_to_the_similarity(told: Forge, query: str, traits: tuple[str, ...]) -> None:
    """similarity = 1 / (1 + e^-(slope x signals + offset + what the question's traits let expect))."""
    hits = told.recall(query, now=NOW).hits
    assert hits
    for hit in hits:
        assert set(hit.signals) <= {*FAMILIES, "update"}
        odds = SLOPE * sum(hit.signals.values()) + OFFSET + sum(EXPECTED[name] for name in traits)
        assert hit.parts.similarity == pytest.approx(1 / (1 + 2.718281828459045**-odds), abs=2e-5)


def test_hits_come_in_the_order_of_similarity_outside_the_band(told: Forge) -> None:
    similarities = [hit.parts.similarity for hit in told.recall("planting along the fence", now=NOW).hits]
    for place, value in enumerate(similarities):
        assert all(later <= value / 0.98 + 1e-6 for later in similarities[place + 1 :])


def test_spaces_and_ways_are_explained(told: Forge) -> None:
    hits = told.recall("Which berth did we get for the sloop?", now=NOW).hits
    assert {way for hit in hits for way in hit.found_by} >= {"meaning", "words"}
    for hit in hits:
        # A small scope is scored whole, so a hit may be there that no way has brought.
        assert set(hit.found_by) <= {"meaning", "words", "neighbour"}
        known = [match.calibrated for match in hit.matches if match.calibrated is not None]
        assert known == sorted(known, reverse=True)
        # What nothing calibrates yet stands behind.
        assert all(match.calibrated is None for match in hit.matches[len(known) :])
        assert (hit.relevance_score > 0) == any(match.high for match in hit.matches)
        for match in hit.matches:
            high = ROW_BY_SPACE[match.space].high
            assert match.high == (None not in (high, match.calibrated) and match.calibrated > high)


def dump(forge: Forge) -> list[object]:
    """Everything about an answer that may not change."""
    found = forge.recall("What did Mara plant, and when was the train?", now=NOW, budget=None)
    return [
        [
            hit.memory.id,
            hit.mass,
            hit.parts.as_dict(),
            sorted(hit.signals.items()),
            hit.relevance_score,
            hit.excerpt,
        ]
        for hit in found.hits
    ]


def test_the_same_question_gives_the_same_answer_in_every_process(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        tell(forge)
        first = json.loads(json.dumps(dump(forge)))
        assert json.loads(json.dumps(dump(forge))) == first
    code = (
        "import json, sys, engramforge\n"
        "from tests.recall.test_ranking import dump\n"
        "with engramforge.open(sys.argv[1]) as forge:\n"
        "    print(json.dumps(dump(forge)))"
    )
    for seed in ("0", "77"):
        shown = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True,
            cwd=Path(__file__).parents[2], env={**_environment(), "PYTHONHASHSEED": seed},
        )  # fmt: skip
        assert json.loads(shown.stdout) == first


def _environment() -> dict[str, str]:
    import os

    return dict(os.environ)


def test_what_another_process_wrote_is_found_at_once(forge: Forge, tmp_path: Path) -> None:
    tell(forge)
    assert "zeppelin" not in " ".join(contents(forge.recall("Where is the zeppelin moored?", now=NOW)))
    code = (
        "import sys, engramforge\n"
        "with engramforge.open(sys.argv[1]) as forge:\n"
        "    print(forge.remember('The zeppelin is moored behind the mill.', project='new one').id)"
    )
    shown = finished(Child(code, tmp_path / "home"))
    hit = forge.recall("Where is the zeppelin moored?", now=NOW, limit=1).hits[0]
    assert hit.memory.id == shown.strip()
    forge.forget(hit.memory.id)
    assert hit.memory.content not in contents(forge.recall("Where is the zeppelin moored?", now=NOW))


@pytest.mark.parametrize(
    "ask", [lambda forge: forge.recall("anything at all?"), lambda forge: forge.memories()]
)
def test_an_empty_store_answers_nothing(forge: Forge, ask: Callable[[Forge], object]) -> None:
    found = ask(forge)
    assert (found if isinstance(found, list) else found.hits) in ([], ())  # type: ignore[attr-defined]


def test_queries_without_words_are_answered(told: Forge) -> None:
    for query in ("?!", "the", "of and", "🜂", "x" * 300):
        hits = told.recall(query, now=NOW, limit=3).hits
        assert all(0 <= hit.mass <= 1 for hit in hits)
