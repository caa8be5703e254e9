"""What texts say was rejected, and which sentences suggest it; how far outcomes move a weight."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.lenses.outcomes import BOUND, LEAST_JUDGED, adapted
from engramforge.core.lenses.rejections import is_constraint, rejections_in, suggested_in


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("We rejected gas lamps because they smoke.", ["gas lamps"]),
        ("Gas lamps were rejected for their smoke.", ["Gas lamps"]),
        ("Rationale: gas-only rejected \u2014 it smokes.", ["gas-only"]),
        ("After a vote, whale oil has been ruled out.", ["whale oil"]),
        ("The keepers decided against electric light last year.", ["electric light"]),
        ("We gave up on mirrors; lenses are better.", ["mirrors"]),
        ("Rejected: candles", ["candles"]),
        ("They rejected the proposal.", []),
        ("It was rejected.", []),
        ("The lamp is lit at dusk.", []),
    ],
)
def test_rejections(text: str, what: list[str]) -> None:
    assert [each.what for each in rejections_in(text)] == what


@pytest.mark.parametrize(
    ("text", "is_for"),
    [
        ("Gas lamps would be cheap.", True),
        ("The tower is high. A gas lamp fits.", True),
        ("Gas lamps run for weeks without anybody there.", True),
        ("No gas lamps in the tower.", False),
        ("We do not want gas lamps.", False),
        ("Gas lamps are not bright.", False),
        ("Mirrors instead of gas lamps.", False),
        ("The lamp burns oil.", False),
    ],
)
def test_suggestions(text: str, is_for: bool) -> None:
    assert (suggested_in(text, "gas lamps") is not None) is is_for


def test_what_names_nothing_in_particular_is_no_suggestion() -> None:
    assert suggested_in("Use the other approach.", "the approach") is None
    assert suggested_in("And so it is.", "it") is None


def test_constraints() -> None:
    assert is_constraint("The lamp must burn all night.") and is_constraint("Visitors are not allowed up.")
    assert not is_constraint("The lamp burns all night.") and not is_constraint("As it always did, it burns.")


@given(st.floats(0, 1), st.integers(0, 500), st.integers(0, 500))
def test_a_weight_moves_by_a_quarter_at_most_and_stays_within_bounds(
    weight: float, useful: int, more: int
) -> None:
    found = adapted(weight, useful, useful + more)
    assert 0 <= found.after <= 1
    assert abs(found.after - weight) <= BOUND * weight + 1e-4
    if useful + more < LEAST_JUDGED:
        assert found.after == pytest.approx(weight, abs=1e-4)
    assert str(useful) in found.why
