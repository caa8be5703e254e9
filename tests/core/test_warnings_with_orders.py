"""A warning tells what is to be done as well, where the next sentences say so, and no other sentence."""

from __future__ import annotations

import pytest
from tests.core.test_warnings import warned

from engramforge.core.injection.warnings import LONGEST_WARNING, standing_warning

RUNS = "db/0007_runs.sql"


@pytest.mark.parametrize(
    "said",
    [
        f"careful with {RUNS}, it already ran at the summit. do not edit it, write a new one",
        f"do not edit {RUNS}, it already ran. write a new one",
        f"never edit {RUNS}. ask me first",
        f"never touch {RUNS}. add the column in a new file instead",
    ],
)
def test_a_warning_comes_with_its_order(said: str) -> None:
    assert warned(f"We ran it. {said}. It rains.", "Edit", RUNS) == f"{said}."
    assert standing_warning(said) in (said, None)


@pytest.mark.parametrize(
    "behind",
    [
        "the gulls are loud",
        "write the docs now",
        "fix gate.py, and don't forget it",
        "can you edit it for me instead?",
        "run the tests",
        "ok lets go on with the pump",
        "use tabs",
        "i like it",
        "add a test for the gate",
        "never edit gate.py",
    ],
)
def test_what_stands_behind_and_orders_nothing_of_it_is_left_out(behind: str) -> None:
    assert warned(f"never edit {RUNS}. {behind}", "Edit", RUNS) == f"never edit {RUNS}."


def test_an_order_does_not_exceed_what_a_warning_may_take() -> None:
    long = f"do not edit it, {'the old rows of the lift ' * 16}, write a new one"
    said = warned(f"careful with {RUNS}, it ran. {long}", "Edit", RUNS)
    assert said == f"careful with {RUNS}, it ran." and len(said) < LONGEST_WARNING
