"""Beginnings of ids: the one id that begins so, in scope; several are named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engramforge.errors import InvalidValue
from engramforge.model.scope import Scope
from engramforge.store.door import Door

from .conftest import entry

ONE = "01a20a23-a3cb-73f3-b7b5-9d398c5a9575"
TWO = "01a20a23-a3cb-73f4-b7b5-9d398c5a9575"
AGAIN = "01a20a23-b000-7000-8000-000000000001"


def _written(door: Door, scope: Scope, *ids: str) -> None:
    for number, identifier in enumerate(ids):
        its = entry(f"Harbour note {number}.", id=identifier, logical_id=identifier)
        door.write(scope, lambda writes, its=its: writes.insert([its]))


@pytest.mark.parametrize("asked", [ONE[:18], ONE[:18].replace("-", ""), ONE[:19], ONE[:35].upper()])
def test_a_unique_beginning_is_the_id(door: Door, scope: Scope, asked: str) -> None:
    _written(door, scope, ONE, TWO)
    assert door.asking(scope).whole_id(asked) == ONE


def test_a_beginning_of_two_names_both(door: Door, scope: Scope) -> None:
    _written(door, scope, ONE, TWO)
    with pytest.raises(InvalidValue) as refused:
        door.asking(scope).whole_id(ONE[:6])
    assert ONE in refused.value.fault
    assert TWO in refused.value.fault


def test_a_beginning_of_two_names_the_versions_that_begin_so(door: Door, scope: Scope) -> None:
    for identifier, logical_id in ((ONE, AGAIN), (TWO, AGAIN[:-1] + "2")):
        its = entry("Harbour note.", id=identifier, logical_id=logical_id)
        door.write(scope, lambda writes, its=its: writes.insert([its]))
    with pytest.raises(InvalidValue) as refused:
        door.asking(scope).whole_id(ONE[:8])
    assert ONE in refused.value.fault and TWO in refused.value.fault


@pytest.mark.parametrize("asked", [ONE, "01a20", "01a20a23-c", "harbour", "decade", "dec_00", "", "-" * 8])
def test_what_is_no_beginning_stays(door: Door, scope: Scope, asked: str) -> None:
    _written(door, scope, ONE)
    assert door.asking(scope).whole_id(asked) == asked


def test_the_id_of_a_version_stays_one(door: Door, scope: Scope) -> None:
    _written(door, scope, ONE)
    second = entry("Harbour note, again.", id=AGAIN, logical_id=ONE, version=2)
    door.write(scope, lambda writes: writes.insert([replace(second)]))
    assert door.asking(scope).whole_id(AGAIN[:13]) == AGAIN
    assert door.asking(scope).whole_id("01a20a23") == ONE


def test_what_is_out_of_scope_makes_nothing_ambiguous(door: Door, scope: Scope) -> None:
    _written(door, scope, ONE, TWO)
    away = entry("Of another agent.", id=AGAIN, logical_id=AGAIN, agent="kim")
    door.write(Scope(agent="kim"), lambda writes: writes.insert([away]))
    assert door.asking(scope).whole_id(AGAIN[:13]) == AGAIN[:13]
    assert door.asking(Scope(agent="kim")).whole_id(AGAIN[:6]) == AGAIN
