"""What is read out of texts in which nobody decides, folder by folder, and apart from it what records state."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.harness import Options

from bench import pollution
from engramforge.errors import InvalidSource

SHARED = Path(__file__).parents[3] / "shared"
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="the shared data is not beside the repository")


def test_what_is_said_counts_and_what_a_record_states_does_not(tmp_path: Path) -> None:
    talk, records = tmp_path / "talk", tmp_path / "adr"
    talk.mkdir()
    records.mkdir()
    turns = ["We decided to light the harbour with oil lamps.", "The harbour has two gates."]
    lines = [
        {"content": text, "kind": "message", "session_id": "one", "sequence": at, "speaker": "Ada"}
        for at, text in enumerate(turns)
    ]
    (talk / "turns.jsonl").write_text("\n".join(map(json.dumps, lines)))
    for number, title in enumerate(("Use oil lamps", "Keep two gates"), 1):
        (records / f"000{number}-{title.lower().replace(' ', '-')}.md").write_text(
            f"# {number}. {title}\n\n## Status\n\nAccepted\n\n## Context\n\nIt is dark.\n\n## Decision\n\n{title}.\n"
        )
    measured = pollution.run([talk, records], Options())
    folders = measured.metrics["folders"]
    assert folders["talk"]["pollution"] == {"decisions": 1, "threads": 0, "per_1000": 500}
    assert folders["talk"]["records"] == 0
    assert folders["adr"]["pollution"] == {"decisions": 0, "threads": 0, "per_1000": 0}
    assert folders["adr"]["records"] == 2
    assert measured.metrics["worst_per_1000"] == 500
    assert measured.settings["read"] == [f"talk: {turns[0]}"]


def test_files_alone_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource):
        pollution.run([tmp_path / "missing"], Options())


@needs_shared
def test_real_prose_leaves_the_registries_alone() -> None:
    sources = SHARED / "data" / "mixed" / "sources"
    measured = pollution.run([sources / "peps", sources / "govuk-aws"], Options())
    assert measured.metrics["worst_per_1000"] <= 1
    assert measured.metrics["folders"]["govuk-aws"]["records"] >= 30
