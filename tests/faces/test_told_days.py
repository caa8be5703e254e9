"""What a link resolves is told of the day on which it happened, with since when it is resolved beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.mcp_server import client_of

import engramforge
from engramforge.forge import Forge
from engramforge.model.memory import SAID_SINCE, Memory

from .conftest import Cli

JUNE, AUGUST, OCTOBER = ("2026-06-06T00:00:00Z", "2026-08-13T00:00:00Z", "2026-10-02T00:00:00Z")
SAID = "The gauge at Esbjerg went silent for eleven hours."
ASKED = "when did the gauge at Esbjerg go silent?"
SOUND: dict[str, Any] = {
    **{"energy": 0.8, "confidence": 0.8, "emotion_vector": {}, "goal": "g", "mindstate": "m"},
}


@pytest.fixture
def forge(home: Path) -> Iterator[Forge]:
    """The store that the command line asks, too."""
    with engramforge.open(home) as opened:
        yield opened


@pytest.fixture
def silent(forge: Forge) -> Memory:
    """Of June, resolved in August."""
    gauge = told(forge, SAID, JUNE, resolution_state="blocked")
    sleeve = told(forge, "We put a heated sleeve around the battery.", AUGUST, kind="action")
    forge.link(gauge.id, sleeve.id, "RESOLVED_BY", valid_at=AUGUST, **SOUND)
    return gauge


def told(forge: Forge, content: str, at: str, **more: Any) -> Memory:
    return forge.remember(content, valid_at=at, recorded_at=at, project="sea", near=False, **more)


def days(forge: Forge, memory: Memory) -> tuple[str, str]:
    """The day that is told of it, and since when it is resolved."""
    now = forge.get(memory.logical_id)
    assert now is not None
    return f"{now.told_at:%m-%d}", f"{now.resolved_since:%m-%d}" if now.resolved_since else ""


def test_the_oracle_cites_the_day_of_the_event(forge: Forge, silent: Memory) -> None:
    (cited,) = forge.consult(ASKED).citations
    assert f"{cited.at:%Y-%m-%d}" == "2026-06-06"
    (said,) = forge.consult(ASKED).answer.splitlines()
    assert said == f"- {SAID} [{silent.logical_id}] (2026-06-06, resolved since 2026-08-13)"


def test_every_face_tells_both_days(forge: Forge, silent: Memory, cli: Cli, home: Path) -> None:
    both = "2026-06-06 00:00, resolved since 2026-08-13"
    for command in (
        ("recall", "the gauge at Esbjerg"),
        ("context", "the gauge at Esbjerg", "--text"),
        ("list",),
    ):
        assert both in cli(*command).out
    stream = cli("context", "the gauge at Esbjerg").out
    assert "note  2026-06-06 00:00\n" in stream and "; resolved since 2026-08-13; id" in stream
    summary = cli("context", "the gauge at Esbjerg", "--json").json["summary"]
    assert summary["earliest"].startswith("2026-06-06")
    assert both in cli("show", silent.logical_id).out
    asked = {"hook_event_name": "UserPromptSubmit", "session_id": "now", "cwd": "/projects/sea"}
    shown = forge.injections.for_event({**asked, "prompt": ASKED})
    assert shown is not None and ", 2026-06-06, resolved since 2026-08-13" in shown.text

    async def recalled() -> str:
        async with client_of(str(home)) as client:
            answer = await client.call_tool("forge_recall", {"query": "the gauge at Esbjerg"})
            return str(answer.content[0].text)

    assert "note, 2026-06-06T00:00, resolved since 2026-08-13, mass" in anyio.run(recalled)


def test_it_is_told_as_open_of_before(forge: Forge, silent: Memory) -> None:
    (then,) = forge.memories(as_of_valid="2026-07-01")
    assert (str(then.resolution_state), then.resolved_since) == ("blocked", None)
    assert days(forge, silent) == ("06-06", "08-13")
    assert forge.check() == []


def test_the_first_of_several_links_resolves(forge: Forge) -> None:
    for relink in (forge.link_many, lambda links: [forge.link(**each) for each in links]):
        gauge = told(forge, f"{SAID} {relink}", JUNE, resolution_state="blocked")
        ends = [told(forge, f"Mended in {at} {relink}.", at) for at in (AUGUST, OCTOBER)]
        relink(
            [
                {
                    "source_id": gauge.id,
                    "target_id": end.id,
                    "relation": "RESOLVED_BY",
                    "valid_at": at,
                    **SOUND,
                }
                for end, at in zip(ends, (AUGUST, OCTOBER), strict=True)
            ]
        )
        assert days(forge, gauge) == ("06-06", "08-13")


def test_it_may_come_back_and_be_resolved_again(forge: Forge, silent: Memory) -> None:
    forge.supersede(silent.logical_id, resolution_state="blocked", at="2026-09-01T00:00:00Z")
    assert days(forge, silent) == ("06-06", "")
    again = told(forge, "The sleeve was replaced.", OCTOBER)
    forge.link(silent.logical_id, again.id, "RESOLVED_BY", valid_at=OCTOBER, **SOUND)
    assert days(forge, silent) == ("06-06", "10-02")
    forge.undo()
    assert days(forge, silent) == ("06-06", "")


def test_an_undo_and_a_redo(forge: Forge, silent: Memory) -> None:
    forge.undo()
    assert days(forge, silent) == ("06-06", "")
    forge.redo()
    assert days(forge, silent) == ("06-06", "08-13")


@pytest.mark.parametrize(
    "change",
    [
        lambda forge, one: forge.revise(one, "The gauge at Esbjerg went silent for twelve hours."),
        lambda forge, one: forge.revise(one, metadata={"seen_by": "Ada"}),
        lambda forge, one: forge.revise(one, energy=0.9),
    ],
)
def test_a_correction_leaves_the_days(
    forge: Forge, silent: Memory, change: Callable[[Forge, str], object]
) -> None:
    change(forge, silent.logical_id)
    assert days(forge, silent) == ("06-06", "08-13")


def test_other_words_are_of_their_own_day(forge: Forge, silent: Memory) -> None:
    new = forge.supersede(silent.logical_id, "The gauge at Esbjerg is loud.", at="2026-09-01T00:00:00Z")
    assert days(forge, silent) == ("09-01", "")
    assert SAID_SINCE not in new.metadata


def test_an_export_keeps_the_days(forge: Forge, silent: Memory, tmp_path: Path) -> None:
    forge.export(tmp_path / "sea.jsonl")
    with engramforge.open(tmp_path / "other") as other:
        other.import_path(tmp_path / "sea.jsonl")
        (there,) = (each for each in other.memories() if each.content == SAID)
        assert days(other, there) == ("06-06", "08-13")


def test_a_question_with_a_date_finds_it_by_that_day(forge: Forge, silent: Memory) -> None:
    told(forge, "The gauge at Ribe went silent for ten hours.", AUGUST)
    found = forge.recall("which gauge went silent in June 2026?").hits
    assert found[0].memory.logical_id == silent.logical_id


@pytest.mark.parametrize("given", ["yesterday", 7, "2026-06-06T00:00:00", "2999-01-01T00:00:00Z", None])
def test_metadata_that_are_no_such_time_tell_nothing(forge: Forge, given: object) -> None:
    memory = told(forge, SAID, JUNE, metadata={SAID_SINCE: given})
    assert days(forge, memory) == ("06-06", "")
