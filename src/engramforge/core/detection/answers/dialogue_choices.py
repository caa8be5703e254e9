"""The decision that a person makes in a dialogue with options: which way is taken, and not what is done next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.detection.answers.chosen import answered, decision_of, option_of, taken_of
from engramforge.core.detection.answers.dialogues import Question
from engramforge.core.detection.answers.lists import asks_for_a_way
from engramforge.core.detection.answers.momentary import are_of_the_moment, are_tasks, is_fact, is_task
from engramforge.core.detection.answers.offered import Offered
from engramforge.core.detection.answers.wording import readings
from engramforge.core.text.late_pattern import late
from engramforge.model.registries.detection import Detection

_LONGEST: Final = 90
"""Characters of what is typed instead of an option, if it is a decision."""
_LONGEST_QUESTION: Final = 200
_YES: Final = late(r"(?i)(?:yes|yep|sure|ok(?:ay)?|go ahead|proceed|approve)\b")
_NO: Final = late(r"(?i)(?:no|nope|not|don['\u2019]?t|cancel|skip|stop|later|keep going)\b")
_OF_TASKS: Final = late(
    r"(?i)\W*(?:next(?: steps?| task)?|start|order|priority|action|proceed|continue|task|confirm)\W*\Z"
)
_OF_A_THING: Final = late(
    r"(?i)\b(?:should|shall) (?!(?:i|we|you|(?:the |my |your |this )?(?:answers?|repl(?:y|ies)|response|summary"
    r"|explanation))\b)[\w'-]+ "
)
_OPEN: Final = late(
    r"(?i)\W*(?:not sure|unsure|no idea|i (?:don['\u2019]?t|do not) know|dunno|skip|none|neither\W*\Z|cancel|wait"
    r"|let me"
    r"|let['\u2019]?s (?:discuss|talk|wait|see)|what|why|how|which|who|when|you (?:decide|choose|pick)|whatever"
    r"|up to you"
    r"|your call|depends|it depends|maybe|perhaps|later|i['\u2019]?ll|i (?:will|need|have|want to|would|think"
    r"|guess)|can you"
    r"|could you|please (?:explain|tell|show)|explain|tell|chat|show|no\W*\Z|nothing|other\W*\Z|is |are |does "
    r"|do (?:we|you)|any(?:thing)?\W*\Z|stop|not (?:yet|now)|first|before|all of (?:them|these)\W*\Z|something else"
    r"|don['\u2019]?t)\b"
)


def chosen_in(asked: Question) -> Detection | None:
    """The decision that the answer to a question of a dialogue makes; None for none.

    >>> where = Question("Which database should the readings go to?", ("SQLite", "DuckDB"), answer="DuckDB")
    >>> chosen_in(where).text
    'DuckDB rather than SQLite (Which database should the readings go to?)'
    >>> chosen_in(Question("What should I do next?", ("Run the tests", "Commit"), answer="Commit")) is None
    True
    """
    question, answer, options = asked.text, asked.answer, asked.options
    if not answer or is_task(question) or is_fact(question) or _OF_TASKS.match(asked.header):
        return None
    if any(_YES.match(each) or _NO.match(each) for each in options):
        return _said_to(question, answer)
    is_of_a_thing = _OF_A_THING.search(question) is not None
    asks = is_of_a_thing or asks_for_a_way(question) or " or " in question.lower()
    if options and are_of_the_moment(options, is_of_a_thing=is_of_a_thing):
        return None
    if not asks and (not options or are_tasks(options)):
        return None
    taken, others, addition = _taken(asked)
    if not taken or are_of_the_moment((taken,), is_of_a_thing=is_of_a_thing):
        return None
    matter = question if len(question) <= _LONGEST_QUESTION else ""
    return decision_of(asked.told, taken, others, addition, matter)


def _said_to(question: str, answer: str) -> Detection | None:
    """What a yes or no makes of a question that proposes something: of more words only the first counts."""
    word = _YES.match(answer)
    found = None if word is None else answered(question, word[0])
    return (
        None
        if found is None
        else decision_of(f"Answered: {answer}", found.text, found.alternatives_rejected[:0])
    )


def _taken(asked: Question) -> tuple[str, tuple[str, ...], str]:
    """What is chosen, what is not, and what was typed beside it."""
    at = _place(asked.options, asked.answer)
    if at is not None:
        return asked.options[at], _without(asked.options, (at,)), ""
    chosen, typed = _several(asked.options, asked.answer)
    if chosen and (asked.takes_several or not typed):
        names = [
            *(asked.options[each] for each in chosen),
            *([typed] if typed and not _OPEN.match(typed) else []),
        ]
        return _joined(names), _without(asked.options, chosen), ""
    if len(chosen) == 1 and typed:
        return asked.options[chosen[0]], _without(asked.options, chosen), f", {typed}"
    if "?" in asked.answer or len(asked.answer) > _LONGEST:
        return "", (), ""
    taken, others, addition = taken_of(Offered(options=asked.options, is_listed=True), asked.answer)
    if taken:
        return taken, others, addition
    named = readings(asked.answer)[0]
    if named.turns_down:
        return named.replacement, asked.options, ""
    if _OPEN.match(asked.answer) or option_of(asked.options, named, is_listed=True) is not None:
        return "", (), ""
    return asked.answer.strip(" .!"), asked.options, ""


def _place(options: Sequence[str], answer: str) -> int | None:
    plain = answer.casefold()
    return next((at for at, option in enumerate(options) if option.casefold() == plain), None)


def _several(options: Sequence[str], answer: str) -> tuple[tuple[int, ...], str]:
    """The options that an answer names one after the other, and what stands behind them."""
    rest, chosen = answer.strip(), list[int]()
    while rest:
        fits = [
            at
            for at, option in enumerate(options)
            if at not in chosen
            and rest.casefold().startswith(option.casefold())
            and rest[len(option) : len(option) + 1] in ("", ",", ";")
        ]
        if not fits:
            break
        best = max(fits, key=lambda at: len(options[at]))
        chosen.append(best)
        rest = rest[len(options[best]) :].lstrip(" ,;")
    return tuple(chosen), rest


def _without(options: Sequence[str], chosen: Sequence[int]) -> tuple[str, ...]:
    return tuple(option for at, option in enumerate(options) if at not in chosen)


def _joined(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
