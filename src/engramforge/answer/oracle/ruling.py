"""Decisions that settle whether something may be: rules on its subject, and those that rejected it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.answer.oracle.cited import Cited, statement_of
from engramforge.core.kinds.turned_down import turned_down_in
from engramforge.core.oracle.rules_asked import is_rule_on, names_asked, rejects_asked
from engramforge.model.memory import Kind
from engramforge.model.search.hit import Hit
from engramforge.registries.decisions.decision_view import rejected_of
from engramforge.registries.registered import registration_of

RULE: Final = "rule on what is asked"
REJECTED: Final = "rejected what is asked"
NAMED: Final = "names what is asked"


def with_rulings(query: str, found: Sequence[Cited], echo: Sequence[Hit]) -> list[Cited]:
    """What is cited, behind the decisions near to a question that settle it."""
    known = {each for cited in found for each in cited.hit.logical_ids}
    told = [
        Cited(hit, because).said()
        for hit in echo
        if hit.memory.kind is Kind.DECISION and known.isdisjoint(hit.logical_ids)
        if (because := _because(query, hit))
    ]
    return [*told, *found]


def _because(query: str, hit: Hit) -> str:
    said = statement_of(hit.memory)
    if rejects_asked(query, (*rejected_of(registration_of(hit.memory)), *turned_down_in(said))):
        return REJECTED
    if names_asked(query, said):
        return NAMED
    return RULE if is_rule_on(query, said) else ""
