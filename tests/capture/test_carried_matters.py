"""What a decision is of travels with it, from its own turn or the one before, and opens no second entry."""

from __future__ import annotations

from tests.capture.talk import decisions, holding, say

from engramforge.forge import Forge


def test_a_matter_of_the_same_turn_or_the_turn_before(em: Forge) -> None:
    say(em, "beds", "the seed packets need somewhere dry. the shed? nah lets go with the cellar for it")
    assert holding(em, "beds") == ["nah lets go with the cellar for it (the seed packets need somewhere dry)"]
    # The same said again is the same entry.
    say(
        em,
        "beds",
        "the seed packets need somewhere dry. the shed? nah lets go with the cellar for it",
        session="two",
    )
    assert len(decisions(em, "beds")) == 1

    say(em, "alarms", "how do we send the frost alarms? maybe mail", "A: Mail is slow, ntfy is not.")
    say(em, "alarms", "lets use ntfy for that, its free")
    assert holding(em, "alarms") == ["lets use ntfy for that, its free (how do we send the frost alarms?)"]

    say(em, "pump", "the pump pulse is too long for the seedlings. 400 ms it is")
    assert holding(em, "pump") == ["400 ms it is (the pump pulse is too long for the seedlings)"]

    say(em, "tools", "the tests of the parser fail", "A: Fixed.", "lets use pnpm for the scripts")
    assert holding(em, "tools") == ["lets use pnpm for the scripts"]

    say(
        em,
        "horn",
        "should we warn by horn or by lamp?",
        "A: A lamp is quieter.",
        "both. we use the horn only in fog",
    )
    assert holding(em, "horn") == ["both. we use the horn only in fog (should we warn by horn or by lamp?)"]
