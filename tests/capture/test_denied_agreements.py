"""Who says it is false that anybody agreed on something decides nothing by that."""

from __future__ import annotations

import pytest

from engramforge.forge import Forge


@pytest.mark.parametrize(
    ("text", "is_decision"),
    [
        ("It is false that we agreed on tin", False),
        ("it's untrue that we settled on tin for the gutters", False),
        ("That is wrong, it is a myth that they chose tin.", False),
        ("It is false that we agreed on tin. We agreed on zinc for the gutters.", True),
        ("It is wrong to wait any longer; we agreed on tin for the gutters.", True),
    ],
)
def test_a_denial_of_an_agreement_decides_nothing(em: Forge, text: str, is_decision: bool) -> None:
    ask = "I'd take tin for the gutters. Shall I?"
    em.remember(ask, project="roof", session_id="one", speaker="assistant", kind="response")
    em.remember(text, project="roof", session_id="one", speaker="user", kind="prompt")
    decided = [each.decision for each in em.decisions.browse(status="active")]
    assert bool(decided) is is_decision and not any("false that" in each for each in decided)
    assert not em.review.pending()
