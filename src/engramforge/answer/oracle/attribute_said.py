"""Of what was found, what says the attribute that is asked for, and of the one thing of its kind that is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engramforge.answer.oracle.cited import SAID, Cited, statement_of
from engramforge.core.kinds.asked_kind import STATEMENT
from engramforge.core.oracle.asked_core import (
    Likeness,
    amount_in,
    attribute_of,
    is_price,
    is_unsaid,
    one_of_a_kind,
    speaks_of_another,
)
from engramforge.core.text.portions import excerpt_within
from engramforge.core.text.words import words_of
from engramforge.model.search.hit import Hit


def that_say_it(
    query: str, found: Sequence[Cited], whole: Callable[[Hit], str], like: Likeness
) -> list[Cited]:
    """What was found; nothing where none says the attribute that is asked for. `whole`: what counts of a hit."""
    attribute = attribute_of(query)
    if not attribute:
        return list(found)
    if is_unsaid(attribute, [whole(each.hit) for each in found], like):
        return []
    if not is_price(attribute):
        return list(found)
    return [told for each in found if (told := _with_amount(query, each)) is not None]


def of_the_one(query: str, found: Sequence[Cited], projects: Sequence[str], like: Likeness) -> list[Cited]:
    """What was found without statements on another thing of the kind than the one that a question names.

    `projects`: their names, which say where to look and not for what.
    """
    one = one_of_a_kind(query)
    if one is None or one[0] in {word for name in projects for word in words_of(name)}:
        return list(found)
    said = [statement_of(each.hit.memory) for each in found]
    return [
        each
        for each, text in zip(found, said, strict=True)
        if len(text) > STATEMENT or not speaks_of_another(one, text, like)
    ]


def _with_amount(query: str, cited: Cited) -> Cited | None:
    """What is cited with an amount in its excerpt; None where its memory tells none."""
    if amount_in(query, cited.hit.excerpt):
        return cited
    said = amount_in(query, cited.hit.memory.content)
    if not said:
        return None
    excerpt = excerpt_within(" ".join(said.split()), SAID, least=1) or ""
    return replace(cited, hit=replace(cited.hit, excerpt=excerpt))
