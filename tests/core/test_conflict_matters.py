"""Statements that exclude each other by what they are about: on made-up pairs, half of which no rule was fitted on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.matters.alternative_kinds import KINDS, NAMES_ONLY, WHOLE
from engramforge.core.conflicts.matters.matter import read_matter
from engramforge.core.conflicts.matters.pairing import pairs_of_one_matter
from engramforge.core.conflicts.matters.prohibitions import forbidden
from engramforge.core.conflicts.replacement import replaced_by_name
from engramforge.core.conflicts.signals import Signal

PAIRS = Path(__file__).parent / "pairs"
LEAST = {
    "fitted": (0.95, 0.95), "set_aside": (0.9, 0.85), "scopes_and_slots": (0.96, 0.96), "scopes_set_aside": (0.9, 0.94)
}  # fmt: skip
"""Of each set the least precision and recall."""


@pytest.mark.parametrize("half", sorted(LEAST))
def test_made_up_pairs_are_told_apart(half: str) -> None:
    pairs = [json.loads(line) for line in (PAIRS / f"{half}.jsonl").read_text("utf-8").splitlines()]
    called = {
        at: disagreement(each["premise"], each["hypothesis"]) is not None for at, each in enumerate(pairs)
    }
    true = {at for at, each in enumerate(pairs) if each["label"] == "contradiction"}
    right = sum(called[at] for at in true)
    precision, recall = LEAST[half]
    assert right >= precision * sum(called.values())
    assert right >= recall * len(true)


def test_every_kind_has_names_that_can_be_read() -> None:
    names = [name for each in KINDS.values() for names in each for name in names.split("|")]
    assert all(tuple(name.split()) == read_matter(f"{name}").words for name in names if " " in name)
    assert set(KINDS) >= WHOLE and set(names) >= NAMES_ONLY


def test_a_rejection_counts_for_its_matter_alone() -> None:
    sessions = "Keep user sessions in Redis."
    against = disagreement(sessions, "User sessions are stored in PostgreSQL.", ["PostgreSQL"])
    assert against is not None and against.signal is Signal.REJECTED
    for other in ("The product catalogue is kept in PostgreSQL.", "Production runs on PostgreSQL 16."):
        assert disagreement(sessions, other, ["PostgreSQL"]) is None
        assert disagreement(other, sessions, [], ["PostgreSQL"]) is None


def test_a_prohibition_with_a_condition_forbids_nothing_outright() -> None:
    assert forbidden(read_matter("Never ship on Sundays")) == {"ship", "sunday"}
    assert not forbidden(read_matter("Never merge without a review"))
    assert not forbidden(read_matter("Orders are not shipped until they are paid"))
    assert disagreement("Never log passwords", "We log password changes for the audit") is None


def test_pairs_meet_however_many_others_there_are() -> None:
    told = {f"n{at}": [f"The harbour {at} has {at} piers."] for at in range(300)}
    told |= {"a": ["Timestamps are stored in UTC."], "b": ["Timestamps are stored in local time."]}
    told |= {"c": ["Never ship on Sundays."], "d": ["We ship parcels on Sundays."]}
    assert {("a", "b"), ("c", "d")} <= pairs_of_one_matter(told, {"a", "c"})
    assert ("a", "b") not in pairs_of_one_matter(told, {"c"})


def test_a_replacement_is_told_in_its_direction() -> None:
    told = (
        "Obsolete. The protocol has been superseded in favor of the login as specified in RFC 42 and RFC 43."
    )
    for name in ("42", "43"):
        found = replaced_by_name(told, [("rfc", name)])
        assert found is not None and found.why.endswith("takes its place") and found.signal is Signal.REPLACED
    other = replaced_by_name("This is an alternative to RFC 42.", [("rfc", "42")])
    assert other is not None and other.signal is Signal.REJECTED
