"""A line alone below a person's name is that person's word; below a topic it is the writer's."""

from pathlib import Path

import pytest

import engramforge

STATED = "we decided to use Postgres for the log."


def acts(folder: Path, said: str, speaker: str = "user") -> list[str]:
    with engramforge.open(folder) as forge:
        memory = forge.remember(said, kind="message", speaker=speaker, session_id="talk")
        return [str(each.act) for each in memory.consequences]


@pytest.mark.parametrize(
    "label", ["Bob", "bob", "@zq", "Anna Schmidt", "Bob (CTO)", "**Maria**", "[10:32] Bob"]
)
def test_what_stands_behind_a_name_waits(tmp_path: Path, label: str) -> None:
    assert acts(tmp_path, f"{label}: {STATED}") == ["waits"]


@pytest.mark.parametrize(
    "label", ["Decision", "Storage", "Me", "I", "Update", "Note to self", "Auth backend"]
)
def test_what_stands_behind_a_topic_is_the_writers(tmp_path: Path, label: str) -> None:
    assert acts(tmp_path, f"{label}: {STATED}") == ["made"]


def test_a_speakers_own_name_is_no_label(tmp_path: Path) -> None:
    assert acts(tmp_path, f"Bob: {STATED}", speaker="Bob") == ["made"]
