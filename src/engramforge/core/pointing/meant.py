"""Which decision a turn changes that does not name it: the one that the talk around it is of.

What was said last before it counts, in the same turn too, and what was answered to it; where something else with a
value was spoken of in between, no decision is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Final, NamedTuple

from engramforge.core.detection.passages import passages
from engramforge.core.injection.gate import asks
from engramforge.core.injection.inputs.echoes import stems_of
from engramforge.core.injection.inputs.matters import distinctive
from engramforge.core.injection.inputs.slots import (
    AMOUNT,
    LINK,
    amounts_in,
    is_of_the_noun,
    may_be_of,
    stems_of_values,
    values_of,
)
from engramforge.core.pointing.asked_kinds import may_answer
from engramforge.core.pointing.pointed import Pointed, chosen_name, has_another, is_near, is_of_the_kind
from engramforge.core.registries.named_stems import stems_of_name
from engramforge.core.registries.such_names import has_known_kind
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, stem_set, words_of
from engramforge.model.registries.detection import Talk

_LONGEST: Final = 300
"""Characters of a turn of which it is clear what it is of."""
_MOST: Final = 3
"""Decisions that a turn may be about, of which none is clearly meant."""
_NO_MATTER: Final = stem_set("""
accordingly apply applied branch build change changed commit default deploy done everywhere good great green lgtm made
merge nice now ok okay perfect pipeline pr project push quick ready release run server set status style switch switched
test tests thanks update updated value wait
""")
"""Words of the desk, and of an answer that something is done."""
_THINGS: Final = stem_set("""
button column document email field form heading image label line list mail map menu message page panel room row screen
section tab table text title window
""")
"""Things of which every matter has some, and of which a decision may be all the same."""
_TURNS_TO: Final = late(
    r"(?i)\A\W*(?:(?:ok(?:ay)?|so|now|hm+|good|nice|great|next)\b\W{0,3}){0,3}(?:and|what about|how about|as for|now)\s"
    r"(?:the |our )?[\w -]{2,40}\?|\b(?:is|are|looks?|feels?|seems?|gets?)\s(?:\w{1,12}\s){0,2}?(?:too|odd|off|wrong"
    r"|weird|strange|tiny|small|big|huge|large|short|long|wide|narrow|slow|fast|ugly|tight|cramped|bad|thin|thick|dark"
    r"|light|bright|loud|quiet|low|high|heavy|hard|soft|empty|crowded|boring|pale|dull)\b"
    r"|\bhow (?:big|large|wide|long|high|tall|many|much|often|fast|thick|bright|loud)\b"
)
"""Turns to a thing that may get another value."""


class Choice(NamedTuple):
    """A decision that stands: its words, and the logical id of the message in which it was said."""

    text: str
    message_id: str


def meant(turn: Pointed, talk: Talk, decisions: Sequence[Choice]) -> tuple[list[int], bool]:
    """The places of the decisions that a turn may change, the likeliest first, and whether the first is clearly meant.

    >>> from engramforge.model.registries.detection import Said
    >>> padding, wait = Choice("padding is 8 px", "a"), Choice("a timeout of 30 s", "b")
    >>> meant(Pointed("12", ""), Talk((Said("padding is 8 px, decided", "a", True),)), [padding, wait])
    ([0], True)
    >>> meant(Pointed("12", ""), Talk((Said("and the radius?", "c", True),)), [padding, wait])
    ([], False)
    >>> meant(Pointed("12", ""), Talk((), "Set the padding to 12 px."), [padding, wait])
    ([0], True)
    """
    unit = _unit_told(turn, talk.answer or "")
    asked = _asked_last(talk)
    fits = [
        at
        for at, each in enumerate(decisions)
        if has_another(each.text, turn, unit) and (turn.is_name or may_answer(asked, each.text))
    ]
    if not fits:
        return [], False
    if named := _named_in_answer(turn, talk.answer or ""):
        of_it = [at for at in fits if _is_of(decisions[at].text, named)]
        of_it = [at for at in of_it if turn.is_name or is_near(decisions[at].text, turn.value, unit)]
        if of_it or not turn.is_name:
            return of_it[:_MOST], len(of_it) == 1
    found = _by_talk(turn, talk, decisions, fits)
    if found is not None:
        is_such = all(is_near(decisions[at].text, turn.value, unit) for at in found[0])
        return found[0], found[1] and is_such
    if turn.is_name:
        return _of_such_names(turn, decisions, fits), False
    near = [at for at in fits if is_near(decisions[at].text, turn.value, unit)]
    return (near if len(near) <= _MOST else []), False


def _asked_last(talk: Talk) -> str:
    """What a person asked right before a turn; "" where they asked nothing."""
    last = next((said.text for said in talk.before if said.is_own), "")
    return last if asks(last) else ""


def _by_talk(
    turn: Pointed, talk: Talk, decisions: Sequence[Choice], fits: Sequence[int]
) -> tuple[list[int], bool] | None:
    """The decision that the talk before a turn is of; none where that is of something else, None where it does not
    tell."""
    is_passed = is_valued = False
    for said in talk.before:
        own = [
            at for at, each in enumerate(decisions) if said.message_id and each.message_id == said.message_id
        ]
        named = nouns_of(said.text) if len(said.text) <= _LONGEST or said.is_own else frozenset()
        things = named | (_THINGS & stems_of(said.text)) if named or said.is_own else named
        hits = [at for at in fits if at in own or (things and _is_of(decisions[at].text, things))]
        if hits and not own:
            # Who tells of another value speaks of something else that is called alike.
            of_it = [at for at in hits if _tells_its_value(said.text, decisions[at].text, turn)]
            if not of_it:
                return [], False
            hits = of_it
        if hits:
            best = [at for at in hits if at in own] or hits
            is_all = bool(own) or named <= _things_of(decisions[best[0]].text) or _has_amounts(said.text)
            is_clear = len(best) == 1 and is_all and not (is_passed or turn.is_bare)
            return best[:_MOST], is_clear
        if not said.is_own:
            is_valued = is_valued or (len(said.text) <= _LONGEST and _has_such(said.text, turn))
            if is_valued and named:
                return [], False
            continue
        if named and (is_valued or not said.message_id or _turns_to(said.text, turn)):
            return [], False
        if not said.message_id:
            continue
        is_passed = is_passed or bool(named)
        is_valued = False
    return None


def _of_such_names(turn: Pointed, decisions: Sequence[Choice], fits: Sequence[int]) -> list[int]:
    """Those among decisions for a name that are for one of its kind; where that is not known, that may be."""
    alike = [at for at in fits if is_of_the_kind(decisions[at].text, turn.value)]
    if alike or has_known_kind(turn.value):
        return alike
    strange = [at for at in fits if not has_known_kind(chosen_name(decisions[at].text))]
    return strange or list(fits)


def nouns_of(text: str) -> frozenset[str]:
    """The stems of what a text is of, without values."""
    bare = AMOUNT.sub(" ", LINK.sub(" ", text))
    name = stem_of(chosen_name(text).casefold())
    return distinctive(bare) - stems_of_values(text) - _NO_MATTER - {name}


def _is_of(decision: str, named: Set[str]) -> bool:
    its = _things_of(decision)
    return any(is_of_the_noun(each, its) for each in named)


def _things_of(text: str) -> frozenset[str]:
    """The stems of what a text is of, everyday things among them."""
    return nouns_of(text) | (_THINGS & stems_of(text))


def _turns_to(text: str, turn: Pointed) -> bool:
    return not turn.is_name and (_TURNS_TO.search(text) is not None or _has_such(text, turn))


def _has_such(text: str, turn: Pointed) -> bool:
    """Whether a text has a value of the kind that a turn gives."""
    if turn.is_name:
        return False
    given = list(amounts_in(turn.value))
    is_amount = any(may_be_of(unit, its) for _, unit in given for _, its in amounts_in(text))
    return is_amount or bool(values_of(turn.value).keys() & values_of(text).keys())


def _has_amounts(text: str) -> bool:
    return next(amounts_in(text), None) is not None


def _tells_its_value(said: str, decision: str, turn: Pointed) -> bool:
    """Whether a text that has amounts has one of a decision's."""
    told = {number for number, _ in amounts_in(said)}
    is_amount = not turn.is_name and any(amounts_in(turn.value))
    return not (told and is_amount) or any(number in told for number, _ in amounts_in(decision))


def _saying(turn: Pointed, answer: str) -> Iterable[str]:
    """The sentences of an answer that have the value."""
    words = words_of(turn.value.casefold())[:1]
    said = (each.said for each in passages(answer[:_LONGEST]))
    return [each for each in said if words and words[0] in words_of(each.casefold())]


def _named_in_answer(turn: Pointed, answer: str) -> frozenset[str]:
    named = frozenset[str]().union(*map(_things_of, _saying(turn, answer)))
    return named - stems_of_name(turn.value)


def _unit_told(turn: Pointed, answer: str) -> str:
    """The unit of the value that a turn gives, as it says it or the answer does."""
    given = dict(amounts_in(turn.value))
    told = (
        its for said in _saying(turn, answer) for number, its in amounts_in(said) if number in given and its
    )
    return next((unit for unit in given.values() if unit), "") or next(told, "")
