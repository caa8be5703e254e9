"""Whether a statement shares no more than a word with a question, and is of another matter, or of other people.

"Where is the record of strikes" is not answered by "careful with recordings/", nor "a list and a tuple" by "that is off
the list": a word that every matter has tells of none.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.traps import is_elsewhere
from engramforge.core.injection.inputs.echoes import stems_of
from engramforge.core.injection.inputs.small_talk import asks_elsewhere
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, stem_set, words_of

EVERYDAY: Final = stem_set("""
add answer app application area back base bit board book box button call case change check class code color colour
column command copy count data date day default detail difference document edit email end entry error event example
export feature field file fix folder form format framework function group hand head help home hour idea image import
input issue item job key kind label language last left level library line link list load long look machine mail main
make map mark matter member menu message minute mode model module month morning name new next night note number object
open option order output page panel part path people person phone piece place plan point post print problem
process program project question read record release report request result review right role room row rule run save
screen script search second section send server service session set setting show side sign site size start state step
store stuff style system tab table tag take task team test text time title tool top turn type update upload use user
value version view way web week window word work world year
""")
"""Stems that every matter has."""
_ASKING: Final = stem_set(
    "pick choose chose chosen decide decided agree agreed settle settled use used end went take took"
)
"""Stems with which it is asked what was chosen, and how long something takes."""
_FEWEST: Final = 2
"""Words of a thing and of how it is."""
_ROOT: Final = 4
_MANY: Final = 3
"""From how many words of a question on one of them is a small part of it."""
_NEAR: Final = 0.42
_NEAR_ENOUGH: Final = 0.35
"""The least likeness, the cosine and the kind of value that is asked for, of what shares an everyday word alone, and of
what shares one of many words."""
_KIND_ASKED: Final = late(
    r"(?i)\A\W*(?:(?:so|and|ok|wait)\W+)?(?:which|what|whose) "
    r"(?P<which>[a-z]{3,20}) (?P<kind>[a-z]{3,20})\b"
)
_THING: Final = (
    r"(?:(?:the|a|an|all|most) )?(?P<subject{}>(?!(?:it|we|you|they|this|that|there|i)\b)[\w'-]{{2,30}}"
    r"(?: (?!(?:on|in|at|with|for|to|by|from|of)\b)[\w'-]{{2,30}}){{0,2}}?)"
)
_HOW: Final = r"(?: (?:always|so|not|still|that)){0,2} (?P<how>[a-z'-]{2,30})\W*\Z"
_WHY: Final = late(
    rf"(?i)\A\W*(?:(?:so|and|ok|but|hey|hm+)\W+)?(?:why(?: (?:is|are|was|were)|['\u2019]?s) {_THING.format('')}"
    rf"|how come {_THING.format('_of')} (?:is|are)){_HOW}"
)
_WHY_SO: Final = late(
    r"(?i)\A\W*(?:(?:so|and|ok|but|hey|hm+|btw|just)\W+){0,2}(?:why(?:['\u2019]?s|\s(?:is|are|do|does))"
    r"|how come)\s(?P<what>[^?\n]{3,100})"
)
"""Asks why something is so, or does so."""
_OF_WORK: Final = late(
    r"(?i)\b(?:not?|never|n['\u2019]t|no longer|still|again|fail\w*|break\w*|broken|crash\w*|hang\w*|stuck|error\w*"
    r"|wrong|missing|flaky|down|dead|us(?:e|ed|es|ing)|cho(?:se|sen|ose)|pick\w*|need\w*|set|called|named|kept|stored"
    r"|pinned|disabled|enabled|off|on|there|here)\b|n['\u2019]t\b"
)
"""Asks of a fault, or of what was chosen or done: whatever is known of the thing may tell."""
_REASON: Final = late(
    r"(?i)\b(?:because|bc|cause|since|so(?: that)?|due to|reasons?|rationale|therefore|otherwise|thanks to|to avoid"
    r"|for the sake|comes? from|caused? by)\b"
)
_HOW_MUCH: Final = stem_set("""
big cheap cold dark deep early expensive fast heavy high hot large late light little long loud low much narrow often
quick rare short slow small tall thick thin tiny warm wide
""")
_OTHERS_WORK: Final = (
    r"(?:compan(?:y|ies)|start-?ups?|firms?|employers?|workplace"
    r"|(?:old|last|former|new|other) (?:team|shop|place|client))"
)
_OF_THEIRS: Final = late(
    r"(?i)\b(?:his|her|their|another|someone(?: else)?['\u2019]?s|[a-z]{2,20}['\u2019]s) (?:[\w-]{2,20} )?"
    rf"{_OTHERS_WORK}\b|\bat (?:his|her|their) (?:work|job)\b"
    r"|\b(?:over )?at [\w.&-]{2,20},? they (?:all )?(?:use|used|run|ran|have|had|do|did|went|go|switched|decided)\b"
    r"|\b(?:friends?|buddy|mate|brother|sister|cousin|neighbou?r)(?: of (?:mine|ours))? (?:\w+ )?"
    r"(?:uses?|used|runs|ran|went|swears|works|decided|switched)\b"
)
_ASKS_OF_US: Final = late(r"(?i)\b(?:we|our|us|here|this (?:project|repo|app))\b")
_ASKS_WHO_SAID: Final = late(
    r"(?i)\b(?:said|says?|tell|told|tells|heard|compan(?:y|ies)|jobs?|friends?|they|their|his|her|others?)\b"
)


def is_of_another(question: str, statement: str) -> bool:
    """Whether a question why a thing is as it is has no more in common with a statement than how that is ("why is the
    sky blue?"), one of the world only sounds like it, or one of the own project finds what others have elsewhere.

    >>> is_of_another("why is the moon red?", "the buoy is red"), is_of_another("why is the buoy red?", "buoys are red")
    (True, False)
    >>> theirs = "at my last job they used kelp"
    >>> is_of_another("do we use kelp?", theirs), is_of_another("what did they use at my last job?", theirs)
    (True, False)
    """
    if (why := _WHY.match(question)) is not None:
        shared = stems_of(question) & stems_of(statement)
        things = stems_of(why["subject"] or why["subject_of"])
        if shared and things and shared <= stems_of(why["how"]) and not shared & things:
            return True
    if _tells_no_reason(question, statement) or asks_elsewhere(question, statement):
        return True
    if _ASKS_OF_US.search(question) is None or _ASKS_WHO_SAID.search(question) is not None:
        return False
    return is_elsewhere(statement) or _OF_THEIRS.search(statement) is not None


def _tells_no_reason(question: str, statement: str) -> bool:
    """Whether a question why a thing is as it is, as one asks of the world, finds what is only of the thing: that
    speaks neither of how it is asked to be nor of a reason.

    >>> asked = "why is the sea salty?"
    >>> _tells_no_reason(asked, "the sea wall is green"), _tells_no_reason(asked, "the salt of the sea is measured")
    (True, False)
    """
    why = _WHY_SO.match(question)
    if why is None or _OF_WORK.search(question) or _ASKS_OF_US.search(question) or _REASON.search(statement):
        return False
    said = stems_of(statement)
    asked = [each for each in map(stem_of, words_of(why["what"].casefold())) if each in stems_of(why["what"])]
    if len(asked) < _FEWEST or said.isdisjoint(asked):
        return False
    how = asked[1:]
    is_of_it = any(_is_form_of(one, each) for one in how for each in said)
    return not (is_of_it or (not _HOW_MUCH.isdisjoint(how) and any(map(str.isdecimal, statement))))


def _is_form_of(one: str, other: str) -> bool:
    """Whether two stems have one root: "salti" and "salt"."""
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= _ROOT and long.startswith(short))


def is_beside(question: str, statement: str, likeness: float) -> bool:
    """Whether they share one word alone, which is too common or too small a part of the question, and their `likeness`
    says that they are of other matters; or whether the question asks for one kind and the statement has another.

    >>> asked = "where do we keep the record of the tides?"
    >>> is_beside(asked, "careful with recordings/", 0.4), is_beside(asked, "a record of tides is in the hall", 0.3)
    (True, False)
    >>> is_beside("which sail loft?", "the loft is swept on mondays", 0.5), is_beside("which loft?", "the loft", 0.5)
    (True, False)
    """
    asked = stems_of(question)
    shared = asked & stems_of(statement)
    if len(shared) != 1:
        return False
    if (kind := _KIND_ASKED.match(question)) is not None:
        which, what = (stem_of(kind[name].lower()) for name in ("which", "kind"))
        if {what} == shared and which in asked:
            return True
    if len(asked) > 1 and shared <= EVERYDAY:
        return likeness < _NEAR
    if shared >= asked - EVERYDAY - _ASKING:
        return False  # it is all that the question is about
    return len(asked) >= _MANY and likeness < _NEAR_ENOUGH
