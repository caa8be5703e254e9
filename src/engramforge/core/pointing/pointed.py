"""What a turn gives something that it does not name: "set it to 12", "12 is better, change it", "no wait, echarts"."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from engramforge.core.detection.endings.plain_turns import bare_turn
from engramforge.core.detection.passages import Passage, passages
from engramforge.core.detection.traps import asks, is_asserted
from engramforge.core.injection.inputs.slots import (
    AMOUNT,
    NUMBER,
    UNIT,
    amounts_in,
    gives_another,
    may_be_of,
    sets_it,
    unit_of,
    values_of,
)
from engramforge.core.registries.changed.same_matter import means_for_now
from engramforge.core.registries.complaints import ANY_WORD, may_be_name
from engramforge.core.registries.other_values import with_amount_set
from engramforge.core.registries.such_names import of_one_kind, with_name
from engramforge.core.registries.wording.passed_on import without_source
from engramforge.core.text.late_pattern import late

_LONGEST: Final = 200
_LEAD: Final = (
    r"(?i)\A\W*(?>(?:(?:ok(?:ay)?|so|and|actually|no|nah|nope|hm+|wait|well|oh|sorry|then|i think|maybe not)\b\W{0,3})"
    r"{0,4})"
)
_AMOUNT: Final = (
    rf"(?P<value>-?{NUMBER}(?:\s?(?!is\b|are\b|would\b|looks?\b|feels?\b|instead\b|then\b){UNIT})?)"
)
_ORDERS: Final = (
    r"(?:(?:please|pls|so|let['\u2019]?s) )?(?:change|set|make|use|take|switch|update|put|do)"
    r"(?: (?:it|that|this|them)| to that)?(?: (?:to that|please|pls|then|instead|accordingly|everywhere))?"
)
_BY_AMOUNT: Final = tuple(
    late(rf"{_LEAD}{frame}\W*\Z")
    for frame in (
        rf"{_AMOUNT} (?:is|would be|looks|feels|seems|works|reads) (?:much |way |a bit |far )?(?:better|nicer|enough"
        rf"|plenty|fine|safer|right)(?: here)?\s?[,;.:\u2014\u2013-]\s?{_ORDERS}",
        r"(?:rather|better|let['\u2019]?s (?:do|say|use|take|go with)|use|take|go with|do|try|change to|go to) "
        rf"{_AMOUNT} (?:instead|rather|after all|from now on)",
        rf"{_AMOUNT} (?:instead|rather|after all)(?: please| pls)?",
    )
)
_SIZE: Final = late(
    r"(?i)(?<![\w.])(?P<size>\d{1,5}(?:[.,]\d{1,3})?\s?[x\u00d7]\s?\d{1,5}(?:[.,]\d{1,3})?)(?![\w.])"
)
_BY_SIZE: Final = late(
    rf"{_LEAD}(?:please |can you )?(?:make|set|change|put|switch) (?:it|that|them|those|this|these)(?: (?:to|at))?"
    r" (?P<value>\d{1,5}(?:[.,]\d{1,3})?\s?[x\u00d7]\s?\d{1,5}(?:[.,]\d{1,3})?)(?:\s?[a-z]{1,6})?\W*\Z"
)
_ORDERED: Final = late(r"(?i)\A\W*(?:(?:hm+|ok(?:ay)?|and|so)\b\W{0,3}){0,2}(?:can|could|would) you\b")
"""Orders by a question: "can you make it 12?"."""
_BY_NAME: Final = late(
    rf"{_LEAD}(?:please |let['\u2019]?s |can you )?(?:switch|change|move|port|migrate) (?:it|that|them|those|this)"
    rf"(?: over)? to (?P<value>{ANY_WORD}(?:\s{ANY_WORD})?)(?: (?:then|instead|please|pls|after all))?\W*\Z"
)
_TAKES: Final = late(
    r"(?i)\b(?:us(?:e|es|ing)|go(?:es|ing)? with|went with|tak(?:e|es|ing)|took|pick(?:ed|s)?|cho(?:o)?se|adopt(?:ed)?"
    r"|switch(?:ed)? to|mov(?:e|ed) to|settle[sd]? on|stick(?:ing)? (?:with|to)|stay(?:ing)? (?:with|on)|via|through"
    r"|made with|built (?:with|on)|written in|runs? on|deploy(?:s|ed|ing)? to|host(?:ed|ing)? (?:on|at|with|by)"
    r"|(?:is|are|comes?|served|bought|fetched|loaded|pulled|ordered) from)"
    rf"\s(?:the )?(?P<name>{ANY_WORD})(?!\s?%)"
)
"""Chooses a thing by its name."""
_LABELLED: Final = late(
    rf"(?i)\A\W*[\w -]{{2,30}}:\s(?P<name>{ANY_WORD})\W*\Z|\A\W*(?P<other>{ANY_WORD})\s+for\s"
    rf"|\A\W*[\w-]{{2,20}}(?:\s[\w-]{{2,20}}){{0,2}}\s(?:from|by|via|with)\s(?P<whose>{ANY_WORD})"
    r"(?:\s?,?\s(?:and )?(?:not|instead of|rather than)\s[^,;.]{2,30})?\W*\Z"
)
_NUMBER: Final = late(r"\d+")
_WORD: Final = late(r"[^\W_]+")
_TAIL: Final = late(r"(?i)(?:\s(?:please|pls|then|instead|now|everywhere|too|again|thanks|thx)){1,3}\Z")
_FOLD: Final = 4.0
"""How many times an amount without a unit may change where only its being an amount says that it is of the same."""


class Pointed(NamedTuple):
    """What a turn gives; `sentence`: where, `before`: what the turn says ahead of that, `is_name`: whether it is a
    name; `is_bare`: that stands alone behind a correction, which may correct anything."""

    value: str
    sentence: str
    before: str = ""
    is_name: bool = False
    is_bare: bool = False


def pointed_in(text: str) -> Pointed | None:
    """What a turn gives that names nothing else; None for any other turn.

    >>> [pointed_in(each) and pointed_in(each).value for each in ("set it to 12", "12 is better, change it", "use 12")]
    ['12', '12', None]
    >>> pointed_in("no wait, echarts").is_name, pointed_in("set the radius to 12"), pointed_in("set it to 12?")
    (True, None, None)
    """
    if len(text) > _LONGEST or means_for_now(text):
        return None
    said = list(passages(text))
    for at, passage in enumerate(said):
        is_order = _ORDERED.match(passage.plain) is not None
        if not is_order and (asks(passage.plain) or not is_asserted(passage.plain)):
            continue
        told = without_source(passage.plain)
        if (given := _given(replace(passage, said=told, plain=told))) is not None:
            return given._replace(sentence=passage.said, before=" ".join(each.said for each in said[:at]))
    return None


def _given(passage: Passage) -> Pointed | None:
    if (hit := _BY_SIZE.match(passage.plain)) is not None:
        return Pointed(hit["value"], passage.said)
    if value := sets_it(passage.plain):
        amount = next(AMOUNT.finditer(value), None)
        its = unit_of(amount["unit"]) if amount else ""
        given = f"{amount['number']} {its}".strip() if amount else _TAIL.sub("", value)
        return Pointed(given, passage.said)
    for pattern in _BY_AMOUNT:
        if (hit := pattern.match(passage.plain)) is not None:
            return Pointed(hit["value"], passage.said)
    if (hit := _BY_NAME.match(passage.plain)) is not None and may_be_name(hit["value"]):
        return Pointed(hit["value"], passage.said, is_name=True)
    bare = bare_turn(passage)
    # A figure is no name: only an answer tells what it is of.
    if bare is None or bare.left or not may_be_name(bare.taken) or bare.taken[:1].isdigit():
        return None
    return Pointed(bare.taken, passage.said, is_name=True, is_bare=True)


def has_another(decision: str, turn: Pointed, unit: str = "") -> bool:
    """Whether a decision has another value of the kind that a turn gives. `unit`: of the value, as an answer told it.

    >>> [has_another(each, Pointed("12", "")) for each in ("padding is 8 px", "padding is 12 px", "padding is even")]
    [True, False, False]
    >>> has_another("we go with d3 for the charts", Pointed("echarts", "", is_name=True))
    True
    """
    if turn.is_name:
        chosen = chosen_name(decision)
        return bool(chosen) and chosen.casefold() != turn.value.casefold()
    if _SIZE.fullmatch(turn.value):
        its = _SIZE.search(decision)
        return its is not None and _digits(its["size"]) != _digits(turn.value)
    return _other_amount(decision, turn.value, unit) is not None or bool(gives_another(turn.value, decision))


def is_near(decision: str, value: str, unit: str = "") -> bool:
    """Whether an amount may be another of what a decision has, by its size or a unit that both have."""
    given = next(amounts_in(value), None)
    if given is None or _SIZE.fullmatch(value):
        return True
    number, its = given[0], given[1] or unit
    return any(
        may_be_of(its, old) and (bool(its and old) or _is_of_the_size(number, before))
        for before, old in amounts_in(_SIZE.sub(" ", decision))
    )


def _is_of_the_size(one: str, other: str) -> bool:
    low, high = sorted((abs(float(one)), abs(float(other))))
    return high <= _FOLD * low


def is_of_the_kind(decision: str, name: str) -> bool:
    """Whether a decision chose another thing of the same known kind as a name."""
    return of_one_kind(chosen_name(decision), name)


def changed_by(decision: str, turn: Pointed) -> str:
    """A decision with the value that a turn gives in the place of its own; "" where that is not one word of it.

    >>> changed_by("padding is 8 px everywhere", Pointed("12", "")), changed_by("teal is it", Pointed("purple", ""))
    ('padding is 12 px everywhere', 'purple is it')
    """
    if turn.is_name:
        name = chosen_name(decision)
        return with_name(decision, turn.value) or (decision.replace(name, turn.value, 1) if name else "")
    if _SIZE.fullmatch(turn.value):
        return _SIZE.sub(turn.value, decision, count=1) if len(_SIZE.findall(decision)) == 1 else ""
    if anew := with_amount_set((decision,), f"make it {turn.value}"):
        return anew[1]
    old = list(amounts_in(decision))
    if len(old) == 1 and _other_amount(decision, turn.value, ""):
        number, unit = next(amounts_in(turn.value))
        told = f"{number} {unit}" if unit and unit != old[0][1] else number
        return decision.replace(old[0][0], told, 1)
    return with_name(decision, turn.value) or _with_other_word(decision, turn.value)


def chosen_name(decision: str) -> str:
    """What a decision takes by its name; "" where it takes none.

    >>> [chosen_name(each) for each in ("charts: we go with d3", "d3 for the charts", "we deploy on Fridays")]
    ['d3', 'd3', '']
    """
    hit = _TAKES.search(decision)
    name = hit["name"] if hit is not None else ""
    if not name and (labelled := _LABELLED.match(decision)) is not None:
        name = labelled["name"] or labelled["other"] or labelled["whose"]
    name = name.strip(".,;:")
    return name if name and may_be_name(name) and not name[:1].isdigit() else ""


def _digits(size: str) -> list[str]:
    return _NUMBER.findall(size)


def _other_amount(decision: str, value: str, unit: str) -> tuple[str, str] | None:
    old = list(amounts_in(_SIZE.sub(" ", decision)))
    for number, its in amounts_in(value):
        if all(number != each[0] for each in old):
            return next((each for each in old if may_be_of(its or unit, each[1])), None)
    return None


def _with_other_word(decision: str, value: str) -> str:
    """A decision with a value in the place of the only word that is of the same kind."""
    kinds = gives_another(value, decision)
    words = [
        word for word in dict.fromkeys(_WORD.findall(decision)) if kinds & values_of(word.casefold()).keys()
    ]
    return decision.replace(words[0], value, 1) if len(words) == 1 and kinds else ""
