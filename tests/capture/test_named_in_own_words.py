"""What people say of decisions and threads by name, in many wordings: ended, replaced, settled, waiting, open again."""

from __future__ import annotations

from pathlib import Path

import pytest

import engramforge
from engramforge.forge import Forge

ENDS = (
    "D001 is cancelled once and for all.",
    "D001 is cancelled, nobody complained except Bo",
    "D001 was cancelled and the shop is open again.",
    "D001 was cancelled but may be reinstated",
    "you can close D001",
    "We are no longer weighing by hand, so D001 is off",
    "I'd like to cancel D001",
    "We're not going to stick to D001 any longer",
    "D001 bitte als überholt markieren",
    "On ne suit plus D001",
    "Hemos revocado D001",
    "we rolled back D001 after the harvest",
)
REPLACES = (
    ("D001 is now 24h instead of 48h", "24h"),
    ("D001 is superseded by D002: we use a Mettler.", "Mettler"),
    ("D001 is history, we moved to a Mettler", "Mettler"),
    ("Instead of D001 we now weigh on a Mettler.", "Mettler"),
    ("We've replaced D001 with a Mettler.", "Mettler"),
    ("Statt D001 nutzen wir jetzt eine Mettler.", "Mettler"),
    ("Going by D001 is over. We're overriding D001. The honey gets weighed on a Mettler.", "Mettler"),
    ("We changed our minds about D001, the scale will be a Mettler.", "Mettler"),
    ("The beekeepers want a Mettler, so that replaces D001.", "Mettler"),
    ("Instead of what D001 says, the Mettler now weighs every jar.", "Mettler"),
    ("A Mettler takes over from what we had in D001", "Mettler"),
    ("D001 gives way to a new rule, all jars are weighed on a Mettler", "Mettler"),
    ("Change of plan on D001: jars go on the Mettler.", "Mettler"),
    ("We weigh on a Mettler. That replaces D001.", "Mettler"),
    ("D001 wird durch eine Mettler ersetzt", "Mettler"),
)
REASONS = (
    "We're replacing D001. The old scale was too slow.",
    "We replaced D001, it was too slow",
    "D001 has been superseded. Please update the price list.",
    "D001 was replaced yesterday, thanks everyone!",
    "D001 is superseded. I'll send the minutes tomorrow.",
)
SETTLES = (
    "T001 ist heute morgen fertig geworden",
    "T001 is done, and we are back on track",
    "Never mind T001, the mill mended it.",
    "The press repair, T001, has been finished",
    "Kannst T001 abhaken",
    "C'est bon pour T001",
    "No need to look at T001 any more",
    "T001 isn't needed anymore",
    "the wax order came, so T001 is behind us",
    "Ya no hace falta T001",
)
WAITS = (
    "T001 is blocked on the wax supplier",
    "Please mark T001 as blocked",
    "The broken van is holding up T001",
    "For T001 we're waiting on a reply from the beekeepers",
    "T001 wartet auf den Imker",
    "T002 blocks T001.",
)
REOPENS = (
    "reopen T001",
    "T001 is open again",
    "We need to reopen T001, the press leaks",
    "T001 isn't actually resolved",
    "T001 wieder öffnen bitte",
    "T001 was done but is open again.",
    "T001 was closed, but then we reopened it",
    "T001 isn't finished, Moser withdrew the quote. Open it again please",
)
NOTHING = (
    "T001 done by friday would be great",
    "D001 is not dead",
    "We're not dropping D001.",
    "Tomorrow we drop D001",
    "Please finish T001 this week",
    "T001 may be done, I haven't checked",
    "Apparently T001 is done",
    "remind me to close T001",
    "The proposal to revoke D001 was rejected",
    "Should we use a Mettler instead of D001?",
    "T001 is not blocked any more",
    "I don't remember any more what D001 says",
    "We're almost done with T001.",
    "halfway done with T001",
    "T001 ist fast fertig",
    "we nearly cancelled D001",
    "D001 was cancelled in May and reinstated in June.",
    "D001 was cancelled last year but stands again since May.",
    "D001 was cancelled in May, then we brought it back.",
    "D001 war gestrichen, gilt aber wieder.",
    "D001 is cancelled unless Ilse calls.",
    "D001 is cancelled if Ilse calls",
    "Tomorrow D001 is cancelled.",
    "T001 is done, except for the signature.",
    "T001 is done apart from the invoice",
    "T001 is done once Ilse signs",
    "D001 is back on, the mill accepted us after all.",
    "fwd from Ilse: D001 is cancelled",
    "decisions:\n  D001: superseded\nthreads:\n  T001: done",
)
WITHIN = {"project": "bees", "conversation": "c"}


@pytest.fixture
def bees(tmp_path: Path) -> Forge:
    forge = engramforge.open(tmp_path)
    for number in (1, 2):
        forge.decisions.create(f"jars are weighed by hand, hive {number}", local_id=f"D00{number}", **WITHIN)
        forge.threads.create(f"mend the honey press, hive {number}", local_id=f"T00{number}", **WITHIN)
    return forge


def _stands(forge: Forge) -> dict[str | None, tuple[str, int]]:
    """Local id -> status, and for how many threads it waits."""
    threads = {each.local_id: (str(each.status), len(each.blocked_by)) for each in forge.threads.browse()}
    return threads | {each.local_id: (str(each.status), 0) for each in forge.decisions.browse()}


def _say(forge: Forge, said: str) -> dict[str | None, tuple[str, int]]:
    forge.remember(said, kind="message", speaker="user", project="bees", session_id="c")
    return _stands(forge)


@pytest.mark.parametrize("said", ENDS)
def test_a_decision_ends_in_any_words(bees: Forge, said: str) -> None:
    after = _say(bees, said)
    assert after["D001"][0] not in ("active", "superseded")
    assert after["D002"][0] == "active"
    assert None not in after


@pytest.mark.parametrize(("said", "new"), REPLACES)
def test_what_takes_a_decisions_place_is_a_decision(bees: Forge, said: str, new: str) -> None:
    assert _say(bees, said)["D001"][0] == "superseded"
    made = [each for each in bees.decisions.browse(status="active") if new in each.decision]
    assert len(made) == 1
    old = bees.decisions.get("D001", conversation="c")
    named = bees.decisions.get("D002", conversation="c")
    assert old.superseded_by == (named.id if "D002" in said else made[0].id)


@pytest.mark.parametrize("said", REASONS)
def test_reasons_and_requests_take_no_decisions_place(bees: Forge, said: str) -> None:
    before = bees.decisions.browse(status="active")
    assert _say(bees, said)["D001"][0] == "superseded"
    assert [each.decision for each in bees.decisions.browse(status="active")] == [
        each.decision for each in before if each.local_id != "D001"
    ]


def test_a_decision_is_told_by_a_word_where_one_alone_has_it(bees: Forge) -> None:
    bees.decisions.create("honey is sold at the market", **WITHIN)
    assert len(bees.decisions.browse(status="active")) == 3
    _say(bees, "Changed my mind about the hives. A barrel it is.")
    _say(bees, "Changed my mind about the market. A shop it is.")
    active = [each.decision for each in bees.decisions.browse(status="active")]
    assert sorted(active)[:2] == ["A barrel it is", "A shop it is"]
    assert len(active) == 4
    assert [each.status for each in bees.decisions.browse() if "market" in each.decision] == ["superseded"]


@pytest.mark.parametrize("said", SETTLES)
def test_a_thread_is_settled_in_any_words(bees: Forge, said: str) -> None:
    after = _say(bees, said)
    assert after["T001"][0] in ("resolved", "abandoned")
    assert after["T002"] == ("open", 0)
    assert None not in after


@pytest.mark.parametrize("said", WAITS)
def test_a_thread_waits_in_any_words(bees: Forge, said: str) -> None:
    after = _say(bees, said)
    assert after["T001"] == ("open", 1)
    assert after["T002"] == ("open", 0)


@pytest.mark.parametrize("said", REOPENS)
def test_a_thread_is_open_again(bees: Forge, said: str) -> None:
    bees.threads.update("T001", status="resolved", resolution="oiled", conversation="c")
    after = _say(bees, said)
    assert after["T001"] == ("open", 0)
    assert None not in after


@pytest.mark.parametrize("said", NOTHING)
def test_wishes_plans_and_denials_change_nothing(bees: Forge, said: str) -> None:
    before = _stands(bees)
    assert _say(bees, said) == before


@pytest.mark.parametrize(
    "said",
    ["D001 and T001 can both be closed.", "D001 is cancelled and T001 too", "T001 is done and so is D001"],
)
def test_two_entries_end_together(bees: Forge, said: str) -> None:
    after = _say(bees, said)
    assert after["D001"][0] == "invalidated"
    assert after["T001"][0] in ("resolved", "abandoned")


@pytest.mark.parametrize("said", ["D001 is back on, the mill accepted us after all.", "D001 is back on"])
def test_an_ended_decision_is_back_on(bees: Forge, said: str) -> None:
    _say(bees, "D001 is cancelled")
    after = _say(bees, said)
    assert after["D001"][0] == "active"
    assert None not in after


def test_another_value_takes_a_decisions_place_under_either_name(bees: Forge) -> None:
    old = bees.decisions.get("D001", conversation="c").id
    _say(bees, f"{old} is now 24h instead of 48h")
    assert bees.decisions.get(old).status == "superseded"
