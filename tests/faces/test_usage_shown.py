"""How a memory was used, as `show` and `recall --explain` tell it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.faces.conftest import Cli

import engramforge


def test_a_memory_is_shown_with_how_it_was_used_before(home: Path, cli: Cli) -> None:
    with engramforge.open(home) as forge:
        kept = forge.remember("The kiln cools for a day.", project="studio")
    assert "importance" not in cli("show", kept.id).out
    # log(1 + 1) = 0.693, x 2.2 / (0.693 + 1.2)
    told = "importance 0.81, activity of late 1.00, use rate 0.00 (opened 1 time, shown 0 times)"
    assert told in cli("show", kept.id).out
    usage = json.loads(cli("show", kept.id, "--json").out)["usage"]
    assert usage["opened"] == 2 and usage["importance"] > 0.9 and usage["opened_at"] is not None
    assert "importance 1.1" in cli("recall", "how long does the kiln cool?", "--explain").out
    assert "importance" not in cli("recall", "how long does the kiln cool?").out
