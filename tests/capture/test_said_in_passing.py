"""Ends, resolutions and open threads told beside something else, or in two sentences; through the public facade."""

from __future__ import annotations

from pathlib import Path

import pytest

import engramforge

ENDED = (
    ("The buoys report over LoRa now, T001 done", "T001"),
    ("calibration is signed, so T001's finished.", "T001"),
    ("T001 hasn't shown up in forty tides, I consider it solved.", "T001"),
    ("ticking off T001, the pier sensor is mounted", "T001"),
    ("Die Bojen melden wieder, T001 erledigt.", "T001"),
    ("Los sensores ya miden bien, T001 resuelto", "T001"),
    ("We replaced D001, radar measures the levels.", "D001"),
    ("Streich D001, die Pegel misst jetzt das Radar.", "D001"),
    ("D001 bitte verwerfen, die Schwimmer sind abgebaut", "D001"),
    ("D001 n'est plus valable, on mesure au radar parce que le port ne propose que ça.", "D001"),
)
NOT_ENDED = (
    "If the buoys report again, T001 is done.",
    "the buoys are silent, so T001 is not done",
    "Is D001 replaced?",
    "D001 n'est plus valable, je crois",
    "Streich D001, wenn das Radar läuft",
    "We want T001 done before the storm season",
)
POINTING_BACK = (
    "The gauge in Hull drifts with the cold. Not today, but we have to look into that before the release.",
    "The gauge in Hull loses packets. Unsolved, we need to revisit it.",
)
LEFT_OPEN = (
    ("We're leaving the storm warnings for later, the texts aren't written.", "storm"),
    ("I have to call the harbour master about the keys, don't let me forget it", "harbour"),
    ("what's still missing is a boat for the survey, I'll phone around", "boat"),
    ("Another topic for us to pick up next week: why the pier readings jumped in May", "pier"),
    ("À faire plus tard : l'étalonnage des bouées.", "bouées"),
)
COMMITS = (
    "feat(tides): read gauges in parallel",
    "fix: Drop the float readings from the export",
    "Apply formatter to the gauge module",
)


def _standing(home: Path, text: str) -> dict[str, str]:
    with engramforge.open(home) as forge:
        forge.decisions.create(
            "Measure levels with floats", project="tides", local_id="D001", conversation="s"
        )
        forge.threads.create("Buoys fall silent", project="tides", local_id="T001", conversation="s")
        forge.remember(text, project="tides", kind="prompt", session_id="s")
        found = [*forge.decisions.browse(project="tides"), *forge.threads.browse(project="tides")]
        return {entry.local_id or entry.id: str(entry.status) for entry in found if entry.local_id}


def _entries(home: Path, text: str) -> tuple[list[str], list[str]]:
    with engramforge.open(home) as forge:
        forge.remember(text, project="tides", kind="prompt", session_id="s")
        decisions = [entry.decision for entry in forge.decisions.browse(project="tides")]
        return decisions, [entry.title for entry in forge.threads.browse(project="tides")]


@pytest.mark.parametrize(("text", "local_id"), ENDED)
def test_an_end_told_beside_something_else_is_understood(tmp_path: Path, text: str, local_id: str) -> None:
    standing = _standing(tmp_path, text)
    assert standing.pop(local_id) in ("superseded", "invalidated", "resolved")
    assert standing.popitem()[1] in ("active", "open")


@pytest.mark.parametrize("text", NOT_ENDED)
def test_a_doubt_a_question_or_a_wish_ends_nothing(tmp_path: Path, text: str) -> None:
    standing = _standing(tmp_path, text)
    assert (standing["D001"], standing["T001"]) == ("active", "open")


@pytest.mark.parametrize("text", POINTING_BACK)
def test_a_thread_that_points_back_tells_what_it_is_about(tmp_path: Path, text: str) -> None:
    _, (title,) = _entries(tmp_path, text)
    assert "Hull" in title


@pytest.mark.parametrize(("text", "word"), LEFT_OPEN)
def test_what_is_left_for_later_is_a_thread(tmp_path: Path, text: str, word: str) -> None:
    _, (title,) = _entries(tmp_path, text)
    assert word in title


@pytest.mark.parametrize("text", COMMITS)
def test_a_commit_message_states_nothing(tmp_path: Path, text: str) -> None:
    assert _entries(tmp_path, text) == ([], [])


def test_what_is_decided_is_the_sentence_before_and_not_the_aside(tmp_path: Path) -> None:
    decisions, _ = _entries(tmp_path, "New gauge code is Rust only. decided last week, forgot to tell you")
    assert decisions == ["New gauge code is Rust only"]


def test_a_paper_of_ones_own_is_no_hearsay(tmp_path: Path) -> None:
    said = "All levels in the report are means over a day. Decided with the pilots, so change the caption."
    decisions, _ = _entries(tmp_path, said)
    assert decisions == ["All levels in the report are means over a day"]
