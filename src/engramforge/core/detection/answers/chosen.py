"""What a person's short answer takes of what an assistant's turn offered: "yes, do that", "the second", "nope, vue".

An answer that says more than that is read as any other turn is. What stays unclear is no decision: "yes" to a list,
a name that is none of those offered, and no name at all.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.answers.offered import Offered, offered
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import DecisionStatus

_SURE: Final = 0.85
_LONGEST: Final = 90
"""Characters of an answer."""
_LONGEST_MATTER: Final = 120

_POLITE: Final = r"(?:please|pls|thanks|thank you|then|thx|cheers)"
_THAT: Final = r"(?:it|that|this)"
_APOSTROPHE: Final = r"['\u2019]"
_YES: Final = late(
    r"(?i)\W*(?:(?:yes|yep|yeah|yup|sure(?: thing)?|ok(?:ay)?|k|fine|agreed|right|perfect|great|good(?: idea)?|nice"
    rf"|sounds (?:good|great|right)|makes sense|lgtm|go ahead|go for it|do (?:{_THAT}|so)|please do|exactly|absolutely"
    rf"|let{_APOSTROPHE}?s (?:do|go with|take|use) {_THAT}|go with {_THAT}|(?:use|take) {_THAT}|definitely|of course"
    rf"|approved|i agree|ja|gerne|genau|einverstanden|oui|d{_APOSTROPHE}accord|vale)\b\W*|{_POLITE}\b\W*)+\Z"
)
_LEAD: Final = (
    r"(?:(?:nope|no|nah|rather|better|yes|yeah|ok(?:ay)?|hm+|definitely|actually|instead|make it|we use"
    rf"|i{_APOSTROPHE}?d (?:say|go with|go for|take|use|prefer|pick|rather (?:use|have))"
    rf"|i (?:prefer|like|want|vote for|would take)|let{_APOSTROPHE}?s (?:use|do|go with|go for|take)|go with|go for"
    r"|use|take)\b[\s,.;:!\u2013\u2014-]*)*"
)
_TAIL: Final = rf"(?:[\s,]*(?:{_POLITE}|it is|instead|i think|for now|one|option)\b)*\W*\Z"
_NAMED: Final = late(
    rf"(?i)\W*(?P<lead>{_LEAD})(?:the |a |an )?(?P<name>[\w@][\w.+#/@-]*(?: [\w.+#/@-]+){{0,3}}?){_TAIL}"
)
_BY_PLACE: Final = late(
    rf"(?i)\W*{_LEAD}(?:(?:the|option|number|no|nr|variant|choice|#)[\s.]*)*"
    rf"(?P<place>[1-6](?:st|nd|rd|th)?|[a-f]|first|second|third|fourth|fifth|last|one|two|three|four|former|latter){_TAIL}"
)
_PLACES: Final = (
    ("1", "a", "first", "one", "former", "1st"),
    ("2", "b", "second", "two", "latter", "2nd"),
    ("3", "c", "third", "three", "3rd"),
    ("4", "d", "fourth", "four", "4th"),
    ("5", "e", "fifth", "5th"),
    ("6", "f", "6th"),
)
_PLACE: Final = {word: at for at, words in enumerate(_PLACES) for word in words}
_TURNS_DOWN: Final = late(r"(?i)\W*(?:nope|no|nah|rather)\b")
_NO_NAMES: Final = frozenset(
    """
it that this them those these one ones thanks thank not yet later now wait sorry problem idea clue worries way why how
what both either neither none nothing all more less other another same different never maybe good bad wrong right stop
skip done need doubt chance go yes no ok still just only first second last leave cancel nevermind everything
""".split()  # noqa: SIM905 - a list of words
)
_MOST_WORDS: Final = 4
_MOST_BARE: Final = 2
"""Words of what takes the place of a proposal: behind a verb, and by its name alone."""


def is_short(answer: str) -> bool:
    """Whether a text may be such an answer: it costs little to ask."""
    plain = answer.strip()
    return 0 < len(plain) <= _LONGEST and "?" not in plain and "\n" not in plain


def answered(turn: str, answer: str, asked: str = "") -> Detection | None:
    """The decision that an answer makes of an assistant's turn; None for none.

    `asked`: what the person had said before the turn, whose question is told with the decision.

    >>> turn = "I'd use Redis for the sessions. Shall I go ahead?"
    >>> answered(turn, "yes, do that", "how do we store sessions?").text
    'Redis for the sessions (how do we store sessions?)'
    >>> answered("Redis or Postgres?", "postgres please").text
    'Postgres rather than Redis'
    >>> answered("I recommend React. Shall I set it up?", "nope, vue").text
    'vue rather than React'
    >>> answered("I'd run the tests first. Shall I?", "yes") is None
    True
    """
    if not is_short(answer):
        return None
    plain = answer.strip()
    what = offered(turn)
    taken, others = _taken(what, plain)
    if not taken:
        return None
    text = f"{taken} rather than {' or '.join(others)}" if others else taken
    question = _question_of(asked)
    return Detection(
        kind=Kind.DECISION,
        sentence=plain,
        rule="taken in an answer",
        confidence=_SURE,
        text=f"{text} ({question})" if question else text,
        status=str(DecisionStatus.ACTIVE),
        rationale="" if others else what.why,
        alternatives_rejected=others,
    )


def _taken(what: Offered, answer: str) -> tuple[str, tuple[str, ...]]:
    """What an answer takes, "" for nothing, and what it does not."""
    if what.options:
        at = _option(what, answer)
        return ("", ()) if at is None else (what.options[at], what.options[:at] + what.options[at + 1 :])
    if what.awaits and _YES.match(answer):
        return what.proposal, ()
    if what.proposal and _TURNS_DOWN.match(answer):
        return _instead(what.proposal, answer), (what.proposal,)
    return "", ()


def _option(what: Offered, answer: str) -> int | None:
    """The place of the option that an answer names, by its place in a list or by its words."""
    if what.is_listed and (hit := _BY_PLACE.match(answer)) is not None:
        place = hit["place"].lower()
        at = len(what.options) - 1 if place == "last" else _PLACE.get(place, len(what.options))
        return at if at < len(what.options) else None
    hit = _NAMED.match(answer)
    said = frozenset() if hit is None else _words(hit["name"])
    fits = [at for at, option in enumerate(what.options) if said and said <= _words(option)]
    return fits[0] if len(fits) == 1 else None


def _instead(proposal: str, answer: str) -> str:
    """What an answer takes in place of what was proposed: a name, and nothing that a sentence is made of."""
    hit = _NAMED.match(answer)
    if hit is None:
        return ""
    words = hit["name"].casefold().split()
    most = _MOST_WORDS if len(hit["lead"].split()) > 1 else _MOST_BARE
    is_name = len(words) <= most and not _NO_NAMES.intersection(words)
    return hit["name"] if is_name and not _words(hit["name"]) <= _words(proposal) else ""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.casefold().split()) - {"the", "a", "an"}


def _question_of(asked: str) -> str:
    """The last question of a turn, where it is short."""
    last = asked.strip().rpartition("\n")[2].strip()
    return last if last.endswith("?") and len(last) <= _LONGEST_MATTER else ""
