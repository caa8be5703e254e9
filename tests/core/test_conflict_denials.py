"""What is called false is denied, like what is negated in plain words."""

from __future__ import annotations

import pytest

from engramforge.core.conflicts.disagreement import disagreement

DENIALS = [
    "It is false that",
    "It's false that",
    "It is not true that",
    "It isn't true that",
    "It is not the case that",
    "It is no longer true that",
]
CLAIMS = [
    ("we use Kafka for events.", "We do not use Kafka for events."),
    ("sessions are stored in Redis.", "Sessions are not stored in Redis."),
    ("backups run every night.", "Backups don't run every night."),
]


@pytest.mark.parametrize("denial", DENIALS)
@pytest.mark.parametrize(("claim", "negated"), CLAIMS)
@pytest.mark.parametrize("is_one_matter", [False, True])
def test_what_is_called_false_agrees_with_its_negation(
    denial: str, claim: str, negated: str, is_one_matter: bool
) -> None:
    said = f"{denial} {claim}"
    for one, other in ((said, negated), (negated, said)):
        assert disagreement(one, other, is_one_matter=is_one_matter) is None
    for one, other in ((said, claim), (claim, said)):
        assert disagreement(one, other, is_one_matter=is_one_matter) is not None


@pytest.mark.parametrize("denial", DENIALS)
@pytest.mark.parametrize(("claim", "negated"), CLAIMS)
def test_a_denied_negation_is_the_claim(denial: str, claim: str, negated: str) -> None:
    said = f"{denial} {negated[0].lower()}{negated[1:]}"
    assert disagreement(said, claim) is None
    assert disagreement(said, negated) is not None
