"""Which of some statements somebody turns from.

What the registries ask of the decisions that stand is asked here of any statements: who says "bump retries to 5" has
overtaken "max 3 retries", whether or not a registry has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.detection.endings.disliked import DISLIKED
from engramforge.core.detection.endings.plain_turns import wanted_again
from engramforge.core.detection.endings.reversals import (
    HINTED,
    REVERSED,
    choice_of,
    revokes,
    wants_none,
)
from engramforge.core.registries.changed.anew import with_value_anew
from engramforge.core.registries.changed.parts import with_part_changed, with_thing_changed
from engramforge.core.registries.changed.same_matter import (
    chosen_anew,
    for_the_purpose,
    means_for_now,
    of_the_same_matter,
)
from engramforge.core.registries.changed.standing import Standing
from engramforge.core.registries.changed.turned_values import leaves_value
from engramforge.core.registries.intervals import with_another_interval, without_intervals
from engramforge.core.registries.lifted_rules import lifted_rule
from engramforge.core.registries.named_stems import purposes_in
from engramforge.core.registries.other_values import is_ought, with_amount_set
from engramforge.core.registries.reversed_decisions import left_by_name, meant, refusing
from engramforge.model.registries.detection import Detection, Voice

POINTED: Final = "changed by a pronoun"
"""The rule of what gives another value to something that it does not name; see core/pointing."""
_FEW: Final = 6
"""Words of a turn that says no more than what it leaves and takes."""


def turns(detection: Detection) -> bool:
    """Whether somebody turns from a decision in plain words, or perhaps does."""
    return detection.rule in (REVERSED, HINTED, DISLIKED, POINTED)


def turned_from(
    turn: Detection, standing: Sequence[Standing], said_anew: str | None = None
) -> tuple[list[int], bool]:
    """The places of the statements that a turn may end, the likeliest first, and whether the first is clearly meant.
    `said_anew`: what is taken, in words that tell better what it is for."""
    texts = [each.text for each in standing]
    if turn.rule == DISLIKED:
        return left_by_name(turn.text, standing), False
    if turn.rule == HINTED and (changed := with_change(texts, turn.sentence)) is not None:
        return [changed[0]], True
    if turn.rule == HINTED and not turn.text and leaves_value(turn.sentence):
        # It tells what has another value, and no decision is of that.
        return [], False
    if not turn.text:
        place = refusing(turn.sentence, wanted_again(turn.sentence), texts)
        if place is None and turn.rule == HINTED and not means_for_now(without_intervals(turn.sentence)):
            place = with_another_interval(turn.sentence, texts)
        if place is None and turn.rule == HINTED and not means_for_now(turn.sentence):
            place, _ = with_amount_set(texts, turn.sentence) or (None, "")
        if place is None and not means_for_now(turn.sentence):
            place = lifted_rule(turn.sentence, texts)
        if place is not None:
            return [place], True
        if turn.rule == HINTED and is_ought(turn.sentence):
            return [], False
    found, is_clear = meant(
        turn.text,
        "" if turn.superseded_by is None and revokes(turn.sentence) else said_anew or turn.superseded_by,
        choice_of(turn),
        standing,
        is_hint=turn.rule == HINTED,
        is_none=wants_none(turn.sentence),
    )
    if not is_clear and not means_for_now(turn.sentence) and chosen_anew(turn.sentence):
        anew = for_the_purpose(turn.sentence, standing)
        found, is_clear = anew or found, bool(anew)
    if not found and turn.rule == HINTED and not turn.text:
        place = of_the_same_matter(turn.sentence, standing)
        return ([], False) if place is None else ([place], False)
    return found, is_clear


def with_change(statements: Sequence[str], sentence: str) -> tuple[int, str] | None:
    """The place of the only statement of which a sentence changes one part or value, and the statement with that."""
    changed = with_part_changed(statements, sentence) or with_thing_changed(statements, sentence)
    return changed or with_value_anew(statements, sentence)


def may_be_left(turn: Detection) -> bool:
    """Whether a turn that waits leaves a decision in so few words that it hardly is for another purpose, or for now."""
    is_own = turn.rule == REVERSED and turn.is_update and turn.voice is Voice.OWN
    is_short = len(turn.sentence.split()) <= _FEW
    return is_own and is_short and not (means_for_now(turn.sentence) or purposes_in(turn.sentence))
