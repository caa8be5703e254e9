"""The matter of a decision that is cut from it: "nah, lets go with sqlite for it" where the sentence before, or the
turn before, says what "it" is.

Who reads the decision a week later has no turn before it; so what it points to travels with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engramforge.core.detection.answers.either import either
from engramforge.core.detection.answers.offered import asks_which_one
from engramforge.core.detection.passages import passages
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import content_words, stem_of, words_of
from engramforge.model.registries.detection import Detection, Voice

_LEAD: Final = (
    r"(?i)\A\W*(?>(?:(?:ok(?:ay)?|so|nah|no|nope|hm+|well|then|yes|yeah|yep|sure|right|alright|fine|actually|and|but"
    r"|just|also|now|oh|good|great|cool|perfect|thanks|thx|maybe)\b\W{0,3}){0,5})"
)
_WHO: Final = (
    r"(?:(?:let['\u2019]?s|let us|(?:we|i)(?:['\u2019](?:ll|d|re)|ll| will| would| can)?)\s"
    r"(?:just |now |rather )?)"
)
_TAKES: Final = (
    r"(?:us(?:e|ing)|go(?:ing)? with|go(?:ing)? for|tak(?:e|ing)|pick|choose|stick (?:with|to)|stay with"
    r"|settle on)"
)
_LETTER: Final = r"[\w@.+#/\"'`-]"
_SMALL: Final = r"(?:for|in|on|with|at|to|as|of|by|via|from|and|or|but)"
_NAME: Final = rf"{_LETTER}{{1,40}}(?: (?!{_SMALL}\b){_LETTER}{{1,30}}){{0,4}}?"
_IT: Final = r"(?:it|this|that|them|these|those|both)"
_STOP: Final = (
    r"(?=\W*\Z|\s?[,;:.!(\u2014\u2013]|\s-\s|\s(?:because|bc|since|as|so|then|too|now|instead|please|pls|for now"
    r"|as well|after all)\b)"
)
_TAKES_FOR_IT: Final = late(rf"{_LEAD}{_WHO}?{_TAKES} {_NAME} (?:for|in|on|with|at|to) {_IT}{_STOP}")
"""Takes a thing for what was named before: "we use a toml file for it"."""
_DOES_IT: Final = late(
    rf"{_LEAD}{_WHO}?(?:put|keep|store|save|do|run|write|host|build|make|render|serve|draw|handle|log|send|move|print"
    rf"|track|plot|solve|ship|publish|back up|index|parse|sign|encrypt) {_IT} (?!again\b|up\b|out\b|off\b|now\b|all\b)"
    r"(?:in|on|with|by|via|as|at|through|to|every|per|into|from|under) \w"
)
"""Has done with it what is said: "lets keep them in a drawer"."""
_TAKES_ALONE: Final = late(rf"{_LEAD}{_WHO}{_TAKES} {_NAME}{_STOP}")
_NAMES_ALONE: Final = late(
    rf"{_LEAD}(?:the |an? )?{_NAME} (?:it is|it['\u2019]ll be|it shall be|then){_STOP}"
)
_NEEDS: Final = late(
    r"(?i)\b(?:we|i) (?:still )?need (?!to\b)|\bneeds? (?:an?|some|its|somewhere)\b|\bsome(?:where|thing) to\b"
    r"|\b(?:has|have|needs?|must) (?:to )?be \w+ed\b|\bundecided\b"
)
"""Says that something is needed, or has to be kept or done."""
_ONE_NAME: Final = late(
    rf"{_LEAD}(?:the |an? )?{_LETTER}{{1,40}} (?:it is|it['\u2019]ll be|it shall be|then)"
    r"(?:\W{1,3}(?:then|now|please|pls|ok(?:ay)?|thanks|thx|lol|great)){0,2}\W*\Z"
)
_IS_WRONG: Final = late(r"(?i)\b(?:is|are|was|were) (?:\w+ )?(?:too \w+|not \w+ enough)\b")
"""Says of something that it is not as it should be."""
_OF_THE_DESK: Final = late(
    r"(?i)\A\W*(?:(?:ok(?:ay)?|so|now|then|and|please|pls|can you|could you|lets|let['\u2019]s)\W{1,3}){0,3}"
    r"(?:run|rerun|fix|commit|push|pull|merge|test|check|look|show|explain|open|read|clean|deploy|rebase|revert|undo"
    r"|tidy|thanks|thank|thx|hi|hey|hello|morning|good morning|lol|haha)\b"
)
_LEADS: Final = late(
    r"(?i)\A\W*(?>(?:(?:ok(?:ay)?|so|hm+|well|and|btw|by the way|oh|now|next|also)\b[\s,:.-]{1,3}){0,4})"
)
_TAKES_SIDES: Final = late(
    r"(?i)\A\W*(?:(?:ok(?:ay)?|so|hm+|well|then|lets do|let['\u2019]s do|we do|take|do)\b\W{0,3}){0,2}"
    r"(?:both(?: of (?:them|those))?|all(?: of (?:them|those)| three| four)?|neither|none(?: of (?:them|those))?"
    r"|either(?: one)?|the (?:first|second|third|last|latter|former|other)(?: one)?)\s?[.,;:!\u2014\u2013-]\s*\w"
)
"""Takes sides of a question, and says more."""
_LOOKED_AT: Final = 3
"""Sentences before a decision among which is the one that it points to."""
_FEWEST: Final = 2
"""Words that name a matter, beside what is chosen."""
_LONGEST: Final = 120


def takes_sides(text: str) -> bool:
    """Whether a text first takes sides of a question, and says more."""
    return _TAKES_SIDES.match(text) is not None


def question_answered(text: str, before: str) -> str:
    """The question of the turn before that a text answers first, by which of its sides it takes, and goes on: "both.
    horn only in fog"; "" for none.

    >>> asked = "Should we warn by horn or by lamp?"
    >>> [question_answered(each, asked) for each in ("both. horn only in fog", "horn only in fog", "both")]
    ['Should we warn by horn or by lamp?', '', '']
    >>> question_answered("both. horn only in fog", "draw the horn")
    ''
    """
    if not takes_sides(text):
        return ""
    asked = [_LEADS.sub("", each.said).strip() for each in passages(before) if each.said.endswith("?")]
    return asked[-1] if asked and len(asked[-1]) <= _LONGEST else ""


def points_back(decision: str) -> bool:
    """Whether a decision points to what was named before it.

    >>> [points_back(each) for each in ("nah lets go with sqlite for it", "ok keep them in a drawer")]
    [True, True]
    >>> [points_back(each) for each in ("we use sqlite for the logs, put it in /var", "we pack the jars and ship them")]
    [False, False]
    """
    return bool(_TAKES_FOR_IT.match(decision) or _DOES_IT.match(decision))


def is_cut(decision: str) -> bool:
    """Whether a decision names what is chosen, and not what that is for.

    >>> [is_cut(each) for each in ("lets go with influx", "60s it is", "we use influx for the readings")]
    [True, True, False]
    """
    if decision.endswith(")"):
        return False
    return points_back(decision) or bool(_TAKES_ALONE.match(decision) or _NAMES_ALONE.match(decision))


def names_alone(decision: str) -> bool:
    """Whether a decision is no more than one word, which may be of anything: "larch it is".

    >>> names_alone("larch it is"), names_alone("larch planks then"), names_alone("larch it is (which wood?)")
    (True, False, False)
    """
    return _ONE_NAME.match(decision) is not None


def matter_before(decision: str, before: str) -> str:
    """What a decision that is cut from its matter is of, in the words of the text before it; "" where that is not told.

    What only names what is chosen is of what was asked or needed; what points back may be of anything that was told.

    >>> matter_before("nah, we use sqlite for it", "The readings have to live somewhere. Influx?")
    'The readings have to live somewhere'
    >>> matter_before("8 cm it is", "Thanks, looks good! The cat sleeps."), matter_before("8 cm it is", "How wide?")
    ('', '')
    """
    if not is_cut(decision):
        return ""
    chosen = _stems(decision)
    said = [_LEADS.sub("", each.said).strip(" .!,;:") for each in passages(before)][: -_LOOKED_AT - 1 : -1]
    matters = [each for each in said if len(_stems(each) - chosen) >= _FEWEST]
    told = [each for each in matters if len(each) <= _LONGEST and not _OF_THE_DESK.match(each)]
    if points_back(decision):
        asked = (each for each in told if _is_asked(each) or "?" in each)
        return next(asked, next(iter(told), ""))
    # No more than the sentence before it: a choice by its name alone may be of anything.
    last = next((each for each in told if each == matters[0]), "")
    is_named = _NAMES_ALONE.match(decision) is not None
    return last if _is_asked(last) or (is_named and _IS_WRONG.search(last)) else ""


def _is_asked(sentence: str) -> bool:
    """Whether a sentence asks how something shall be, or says that it is needed."""
    is_open = "?" in sentence and (asks_which_one(sentence) or either([sentence]) is not None)
    return is_open or _NEEDS.search(sentence) is not None


def with_own_matters(text: str, detections: Sequence[Detection]) -> list[Detection]:
    """What a person's turn decides, each with what the turn says before its sentence to be the matter; also where it
    takes another's place."""
    told = {each.text: told for each in detections if (told := told_with_matter(text, each)) != each.text}
    return [
        replace(
            each,
            text=each.text if each.is_update else told.get(each.text, each.text),
            superseded_by=told.get(each.superseded_by or "", each.superseded_by),
        )
        for each in detections
    ]


def told_with_matter(text: str, decision: Detection) -> str:
    """The words of a new decision of somebody's own with the matter that the same turn tells; as they are without."""
    is_own = decision.is_new_decision and decision.voice is Voice.OWN
    at = text.find(decision.sentence) if is_own else 0
    matter = matter_before(decision.text, text[:at]) if at > 0 else ""
    return f"{decision.text} ({matter})" if matter else decision.text


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem_of, content_words(words_of(text.casefold()))))
