"""A forget says which other memories have a number, an address or a rare name of what is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

import engramforge
from engramforge.core.names.telling import telling_parts, tells

from .conftest import Cli


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("the pier office is 079 555 01 23, ask for Frau Zgraggen", ("079 555 01 23", "Zgraggen")),
        (
            "mail ines.keel@pier.example or +44 (0)20 7946 0123",
            ("+44 (0)20 7946 0123", "ines.keel@pier.example"),
        ),
        ("deliver it to Hafengasse 12", ("Hafengasse 12",)),
        ("the invoice goes to Anna Kowalska", ("Kowalska",)),
        ("we use Postgres 16 since 2026-05-02, build 1.2.3456, at 10:30", ()),
        ("set the margin to 12 mm and the timeout to 30000", ()),
    ],
)
def test_what_tells_of_somebody(text: str, parts: tuple[str, ...]) -> None:
    assert telling_parts(text) == parts
    assert all(tells(text, part) for part in parts)


def test_a_number_is_known_however_it_is_written() -> None:
    assert tells("+41 79 5550123", "079 555 01 23") and not tells("079 555 01 24", "079 555 01 23")
    assert not tells("the Zgraggens", "Zgraggen")


def test_the_memories_that_repeat_it_are_named(home: Path, cli: Cli) -> None:
    with engramforge.open(home) as forge:
        gone = forge.remember("The pier office of Frau Zgraggen is 079 555 01 23.", session_id="one")
        same = forge.remember("Zgraggen: +41 79 555 01 23.", session_id="two")
        forge.remember("The winch is red.", session_id="two")
    said = cli("forget", gone.logical_id, "--yes").out
    assert "nothing of it is left" not in said
    assert "079 555 01 23, Zgraggen" in said and f"forget {same.logical_id} removes that, too." in said
    told = cli("forget", same.logical_id, "--yes", "--json").json
    assert told["repeated"] == [] and told["forgotten"]["verified"]
