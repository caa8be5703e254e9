"""What an empty answer says of its filters: a conversation that is not there, and a time at which less was known."""

from __future__ import annotations

import json
from pathlib import Path

import engramforge

from .conftest import Cli


def test_a_conversation_that_is_not_there(cli: Cli, home: Path) -> None:
    cli("remember", "The lamp in the hall is broken.", "--conversation", "chat-17")
    gone = cli("recall", "lamp", "--conversation", "nosuch")
    assert gone.code == 3 and gone.out == "" and "There is no conversation 'nosuch'" in gone.err
    told = json.loads(cli("recall", "lamp", "--conversation", "nosuch", "--json").out)
    assert told["searched"] == 0 and "There is no conversation 'nosuch'" in told["note"]
    with engramforge.open(home) as forge:
        assert "no conversation" in str(forge.recall("lamp", session_id="nosuch").note)
        # One that is there, and has nothing that fits, is searched.
        kept = forge.recall("lamp", session_id="chat-17", since="2035-01-01")
        assert not kept.hits and not kept.note and kept.searched == 1


def test_a_filter_is_not_the_whole_store(cli: Cli) -> None:
    cli("remember", "The lamp in the hall is broken.")
    cli("remember", "The kitchen is blue.")
    told = cli("recall", "lamp", "--since", "2035-01-01").out
    assert told.startswith("Nothing was found among what these filters leave of 2 memories.")
    assert "filters" not in cli("recall", "xyzzy plugh").out


def test_what_was_recorded_later_is_hinted_at(cli: Cli) -> None:
    cli("remember", "The kitchen is blue.", "--recorded-at", "2020-01-01")
    cli("remember", "The lamp in the hall is broken.", "--valid-at", "2023-05-01")
    hint = "--as-of-valid TIME asks what held then"
    told = cli("recall", "is the lamp in the hall broken?", "--as-of", "2023-07-15").out
    assert "Nothing" in told and "was not on record yet" in told and hint in told
    assert (
        "lamp in the hall is broken" in cli("recall", "lamp in the hall", "--as-of-valid", "2023-07-15").out
    )
    # Nothing would be found with it either.
    assert hint not in cli("recall", "which ferry goes to Hvar?", "--as-of", "2023-07-15").out
