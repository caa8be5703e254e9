"""What a person decides is told to the next session, the surest first; what they only do at the moment is not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import engramforge
from engramforge.forge import Forge
from engramforge.model.injection import Section


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    """One store for all: each text is said in a project of its own."""
    with engramforge.open(str(tmp_path_factory.mktemp("home"))) as forge:
        yield forge


def _decided(local: Forge, said: str, project: str) -> list[str]:
    local.remember(said, project=project, kind="prompt", session_id=f"before {project}", speaker="user")
    started = {"hook_event_name": "SessionStart", "session_id": project, "source": "startup"}
    found = local.injections.for_event({**started, "cwd": f"/projects/{project}"})
    told = [] if found is None else found.memories
    return [each.memory_id for each in told if each.section is Section.DECIDED]


@pytest.mark.parametrize(
    "said",
    [
        "we decided yesterday to power the fans from the 24V rail because the supply is quiet",
        "i decided we log to a ring buffer in fram and not to flash",
        "we're going with sqlite in wal mode",
        "final decision, we take the nrf52",
        "never let the fans and the humidifiers run at the same time, thats a hard rule",
        "we decided on monday to print the labels on paper with a wax coat",
        "i agreed with mira that the gate stays open at night",
        "we have finally decided that the choir sings without a piano",
        "that's final: the tower bell rings at seven",
        "we settled on oak for the new hatch",
        "no meat on the summer menu, that's non-negotiable",
        "we are going with larch planks for the jetty",
        # So is what is decided in fewer words.
        "we go with larch",
        "we keep the readings in one file",
        "logs are kept 90 days",
        "ah no, we take slate instead of tiles",
        "lets drop the old jetty",
        "we take the green one",
    ],
)
def test_what_is_said_outright_is_told(local: Forge, said: str) -> None:
    assert _decided(local, said, f"p{abs(hash(said))}")


@pytest.mark.parametrize(
    "said",
    [
        "we haven't decided yet whether the fans run on 24V",
        "have we decided to power the fans from the 24V rail?",
        "if we decided to log to fram, what would it cost?",
        "mira says we decided to use the nrf52",
        "maybe we're going with sqlite in wal mode",
        "we almost decided to use oak for the hatch",
        "the vendor decided yesterday to drop the old sensors",
        # An order or a guess.
        "run the tests again",
        "make the hatch green",
        "revert that",
        "we'll probably go with larch then",
        "ok thx bye",
    ],
)
def test_what_is_not_said_outright_is_not(local: Forge, said: str) -> None:
    assert not _decided(local, said, f"p{abs(hash(said))}")


def test_what_is_surer_stands_before_it(local: Forge) -> None:
    for said in ("we decided yesterday to power the fans from the rail", "logs are kept 90 days"):
        local.remember(said, project="jetty", kind="prompt", session_id="before", speaker="user")
    started = {
        "hook_event_name": "SessionStart",
        "session_id": "now",
        "source": "startup",
        "project": "jetty",
    }
    found = local.injections.for_event(started)
    assert found is not None
    decided = [each.text for each in found.memories if each.section is Section.DECIDED]
    assert "fans" in decided[0] and "logs" in decided[1]
