"""The compression benchmark on a made-up conversation: what it counts, and that its own counting is apart."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bench.harness import Options

from bench import compression
from engramforge.errors import InvalidSource

NOW = datetime(2026, 6, 1, tzinfo=UTC)
MATTERS = ["the crane", "the winch", "the tide table", "the quay wall", "the pilot boat", "the lock gate"]


def _file(folder: Path, sessions: int) -> Path:
    conversation = {
        "sample_id": "harbour",
        "sessions": [
            {
                "n": number,
                "date": f"2024-02-{number + 1:02}T10:00",
                "turns": [
                    {
                        "id": f"D{number}:{place}",
                        "speaker": ("Nora", "Piet")[place % 2],
                        "text": f"In week {number} we looked at {matter} with Iwona and found {place + number} faults.",
                    }
                    for place, matter in enumerate(MATTERS)
                ],
            }
            for number in range(sessions)
        ],
        "qa": [{"category": 1, "question": "What was looked at?", "evidence": ["D0:0"]}],
    }
    path = folder / "harbour.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(conversation).encode()))
    return path


def test_a_chain_is_carried_and_the_pasted_summary_goes_wrong(tmp_path: Path) -> None:
    found = compression.run([_file(tmp_path, compression.HOPS + 1)], Options())
    assert found.n == compression.HOPS
    for name in ("carried_share", "heard_share", "differences_shown", "lossless_exact", "counts_right"):
        assert found.metrics[name] == 1.0, name
    assert found.metrics["wrong_state_share"] == 0.0
    assert found.metrics["archive_wrong_state_share"] == 0.0
    assert found.baselines["naive summary"]["wrong_state_share"] > 0.2


def test_a_conversation_that_is_too_short_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match="7 sessions"):
        compression.run([_file(tmp_path, compression.HOPS)], Options())


def test_use_is_counted_by_the_rules_of_the_specification() -> None:
    use = compression.Use(tier=0.9, last_validated=NOW)
    for hop in range(3):
        use.carry(NOW + timedelta(hours=hop))
    assert (use.hops, use.count, use.last_validated) == (3, 3, NOW + timedelta(hours=2))
    use.carry(NOW + timedelta(hours=9))
    assert (use.hops, use.count, use.last_validated) == (4, 3, NOW + timedelta(hours=2))
    old = compression.Use(tier=0.7, last_validated=NOW - timedelta(days=30))
    old.carry(NOW)
    assert (old.hops, old.count) == (1, 0)
    sure = compression.Use(tier=0.71, last_validated=NOW - timedelta(days=300))
    sure.carry(NOW)
    assert (sure.hops, sure.count, sure.last_validated) == (1, 1, NOW)
