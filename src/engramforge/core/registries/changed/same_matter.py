"""What a sentence takes for a matter, by its name: "plain files for the logs", "changed my mind about the frames, hdf5
it is". Only whoever says that they changed their mind ends what was chosen for it; two things may serve one matter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from engramforge.core.registries.changed.standing import Standing, chosen_by
from engramforge.core.registries.complaints import ANY_WORD, may_be_name
from engramforge.core.registries.named_stems import purposes_in, stems_in
from engramforge.core.registries.other_values import are_such_values
from engramforge.core.registries.said_again import denies
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import word_set

_NAME: Final = rf"(?P<taken>{ANY_WORD}(?:\s{ANY_WORD}){{0,2}}?)"
_THING: Final = (
    rf"(?P<what>(?!(?:it|this|that|them|now|good|sure|example|instance)\b){ANY_WORD}(?:\s{ANY_WORD}){{0,2}}?)"
)
_THE: Final = r"(?:(?:the|our|my|all|all the|every|each|any) )?"
_TAKES: Final = r"(?:use|take|go with|pick|have|run|want|choose|switch to|move to)"
_CHOICE: Final = rf"(?:{_TAKES} )?(?:the |an? )?{_NAME}"
_THEN: Final = r"(?: (?:then|now|instead|please|pls|rather|it is|from now on|from here on|after all))*"
_END: Final = (
    r"(?=\W*\Z|\s?[,;(\u2014\u2013]\s?(?!(?:and|but|also)\b)|\s-\s"
    r"|\s(?:because|bc|cause|since|as (?:it|they|we))\b)"
)
CHANGED: Final = (
    r"(?:chang(?:ed|ing) my mind|(?:on )?second thoughts?|(?:re)?thought (?:again|twice)|reconsidered|rethought"
    r"|changed our minds?)"
)
"""Tells that somebody no longer thinks what they thought."""
_ANEW: Final = tuple(
    late(rf"(?i){frame}")
    for frame in (
        rf"\b{CHANGED} (?:about|on|regarding|for|of) {_THE}{_THING}\s?[,;:.\u2014\u2013-]\s?(?:so |and |now )?"
        rf"(?:(?:we|i|let['\u2019]?s)(?:['\u2019]ll)? )?{_CHOICE}{_THEN}{_END}",
        rf"\A\W*(?:(?:ok(?:ay)?|so|hm+|about|for|as for|re)\W{{1,3}}){{0,2}}{_THE}{_THING}\s?[,;:\u2014\u2013-]\s?"
        rf"(?:i(?:['\u2019]ve| have)? |we(?:['\u2019]ve| have)? )?{CHANGED}\s?[,;:.\u2014\u2013-]\s?"
        rf"(?:(?:we|i|let['\u2019]?s) )?{_CHOICE}{_THEN}{_END}",
    )
)
_FOR: Final = late(
    r"(?i)\A\W*(?>(?:(?:ok(?:ay)?|so|now|then|right|well|yeah|yes|actually|hm+|btw|by the way|decided|decision|plan"
    r"|note|change|update)\b\W{1,3}){0,3})"
    rf"(?:(?:we|i|let['\u2019]?s)(?:['\u2019]ll| will)? (?:now |just )?{_TAKES} |{_TAKES} )?(?:the |an? )?"
    rf"{_NAME}{_THEN} for {_THE}{_THING}{_THEN}{_END}"
)
_DONE_BY: Final = late(
    r"(?i)\A\W*(?>(?:(?:ok(?:ay)?|so|now|then|right|well|yeah|yes|actually|hm+|no|nah|wait)\b\W{1,3}){0,3})"
    r"(?:(?:we|i|let['\u2019]?s)(?:['\u2019]ll| will)? (?:now |just |rather )?)?"
    r"(?:do|write|make|draw|render|build|print|send|keep|store|save|run|host|serve|edit|publish|draft)"
    rf" {_THE}{_THING} (?:in|with|on|via|by|through|as) (?:the |an? )?{_NAME}"
    r" (?:instead|from now on|from here on|after all|rather|now)(?: (?:please|pls|then))?"
    rf"{_END}"
)
"""The same of what a thing is done or kept with: "lets print the labels on kraft instead"."""
_BESIDE: Final = late(
    r"(?i)\b(?:also|too|as well|both|besides|in addition|additionally|alongside|next to|on top|only|just|maybe|perhaps"
    r"|could|should|would|might|if|when|until|some|no|not|never|more|another|same)\b|\?"
)
"""What is taken beside another thing, in part, or not for certain."""
_NO_CHOICE: Final = word_set("""
error errors bug bugs issue issues problem problems space room reason reasons time times name names label labels icon
icons button buttons page pages title titles text texts colour color colors code docs documentation comment comments
example examples idea ideas number numbers count sum size width height limit plan plans budget price cost costs money
data change changes support help request requests question questions search looking waiting wait ask careful
important needed required used useful bad enough responsible credit credits praise kudos cheers congrats sorry case
cases endpoint function class method module script parser helper migration ticket task todo todos reminder
""")
"""What is said to be there for something, or to be done for it, and no choice."""
_ONLY_NOW: Final = late(
    r"(?i)\b(?:for now|for the moment|just (?:today|this|once|here|for)|only (?:today|this|here|for|in)|today|tonight"
    r"|tomorrow|temporarily|this (?:week|time|month|once|one|file|script|sprint|branch)|for this|in this|until"
    r"|meanwhile|here|locally|once)\b"
)
_FROM_NOW: Final = late(r"(?i)\bfrom (?:here|now|today|tonight) on\b")
_TAKEN: Final = r"[\w.+#/-]{1,30}(?:\s[\w.+#/-]{1,30}){0,2}?"
_BACK: Final = late(
    r"(?i)\b(?:back|switch(?:ed|ing)?|mov(?:ed?|ing)|migrat(?:ed?|ing)|revert(?:ed|ing)?|return(?:ed|ing)?|chang(?:ed?|ing))"
    rf"(?: over| back)? to (?P<taken>(?!(?:the|my|our|your|a|an|this|that)\b){_TAKEN})"
    r" (?:for|in|on|as) (?P<what>[^,;:.()]{2,60})"
)
"""Says to what somebody turns for a purpose: "back to 12V for the fans"."""
_NAMED_FOR: Final = late(rf"(?i)\bchanged my mind[,;:]\s?(?P<taken>{_TAKEN}) for (?P<what>[^,;:.]{{2,60}})\Z")
"""The same by its name alone: "changed my mind, hdf5 for the frames"."""
_QUANTITY: Final = late(r"(?i)\b\d[\d.]{0,8}\s?(?P<unit>[a-z%\u00b0]{1,8})\b")
_HOLDS: Final = late(
    r"(?i)\b(?:keep|store|save|hold|have|host|run|manage|handle|serve|live|stay|(?:is|are) (?:drawn|rendered"
    r"|built|made|written|done|printed|sent|edited|kept|stored|saved|held"
    r"|hosted|run|managed|handled|served))s?\s(?P<what>[^,;:.()]{0,40}?)\s?\b(?:in|on|with|by|at|through|via)\s(?!\d)"
)
"""Says where something is kept, or by what."""
_GOES_TO: Final = late(
    r"(?i)\b(?:goe?s?|lands?|sent|send|written|writes?|ships?|shipped|push|pushed|ends? up)\s[^,;:.()]{0,40}?\s?"
    r"\b(?:to|into|in)\s(?!\d)"
)
"""Says where something goes: "logs go to loki"."""


_MADE_IN: Final = late(
    r"(?i)\b(?:write|draw|print|render|publish|draft)s?\s(?P<what>[^,;:.()]{0,40}?)\s?\b(?:in|on|with|via)\s(?!\d)"
)
"""Says in, or on, what something is made."""


class Choice(NamedTuple):
    """What is taken, and for what."""

    taken: str
    what: str


def chosen_anew(sentence: str) -> Choice | None:
    """What a sentence takes for a matter of which somebody says that they changed their mind; None for nothing.

    >>> chosen_anew("changed my mind about the frames, hdf5 it is"), chosen_anew("the roof: second thoughts, slate")
    (Choice(taken='hdf5', what='frames'), Choice(taken='slate', what='roof'))
    >>> chosen_anew("changed my mind about the frames, they are fine")
    """
    hits = (each.search(sentence) for each in _ANEW)
    hit = next((each for each in hits if each is not None and may_be_name(each["taken"])), None)
    return None if hit is None or "?" in sentence else Choice(hit["taken"], hit["what"])


def chosen_for(sentence: str) -> Choice | None:
    """What a sentence takes by its name for a matter, whether or not something else is taken for it; None for nothing.

    >>> chosen_for("plain files for the logs, loki eats the ram"), chosen_for("lets take slate for the roof")
    (Choice(taken='plain files', what='logs'), Choice(taken='slate', what='roof'))
    >>> [chosen_for(each) for each in ("thanks for the logs", "slate for the roof?", "an error for the logs")]
    [None, None, None]
    """
    hit = _FOR.match(sentence) or _DONE_BY.match(sentence)
    if hit is None or _BESIDE.search(sentence) or not may_be_name(hit["taken"]):
        return None
    words = hit["taken"].casefold().split()
    is_none = words[0][0].isdigit() or not _NO_CHOICE.isdisjoint((words[0], words[-1]))
    return None if is_none else Choice(hit["taken"], hit["what"])


def means_for_now(sentence: str) -> bool:
    """Whether a reversal holds only for the moment or for this place: "just for today"."""
    return _ONLY_NOW.search(_FROM_NOW.sub(" ", sentence)) is not None


def for_the_purpose(taken: str, standing: Sequence[Standing]) -> list[int]:
    """The decisions for the whole purpose that something is taken for in the place of another: "back to 12V for the
    fans" leaves what else the fans have. A quantity takes the place of one in the same unit."""
    hit = _BACK.search(taken) or _NAMED_FOR.search(taken)
    said = chosen_anew(taken) if hit is None else Choice(hit["taken"], hit["what"])
    return [] if said is None or not may_be_name(said.taken) else _for_what(said, standing)


def of_the_same_matter(sentence: str, standing: Sequence[Standing]) -> int | None:
    """The place of the only decision for the same matter as what a sentence takes by its name; None for none.

    Both may hold side by side: who reads them has to be told, and nothing ends.

    >>> logs, tides = Standing("logs go to loki"), Standing("we use sqlite for the tides")
    >>> of_the_same_matter("plain files for the logs", [logs, tides])
    0
    >>> of_the_same_matter("plain files for the maps", [logs, tides])
    """
    choice = None if means_for_now(sentence) else chosen_for(sentence)
    found = [] if choice is None else _for_what(choice, standing, _GOES_TO, _MADE_IN)
    return found[0] if found else None


def _for_what(choice: Choice, standing: Sequence[Standing], *kept: re.Pattern[str]) -> list[int]:
    """The only decision that has something else for the whole matter of a choice. `kept`: what else says where a thing
    is kept."""
    new, unit = stems_in(choice.taken), _QUANTITY.fullmatch(choice.taken)
    if not (what := stems_in(choice.what)):
        return []
    found = []
    for at, each in enumerate(standing):
        said = chosen_by(each)
        units = {quantity["unit"].lower() for quantity in _QUANTITY.finditer(each.text)}
        is_such = _is_kept(each.text, what, *kept) if unit is None else unit["unit"].lower() in units
        if what < said and not new & said and is_such and are_such_values(new, said):
            found.append(at)
    return found if len(found) == 1 and not denies(standing[found[0]].text) else []


def _is_kept(decision: str, what: frozenset[str], *kept: re.Pattern[str]) -> bool:
    """Whether a decision says by what, or where, a thing is kept or done: "cron for the reminders"."""
    if any(what <= its for how, its in purposes_in(decision) if how == "for"):
        return True
    return any(
        what <= stems_in(decision[: hit.end()]) for one in (_HOLDS, *kept) for hit in one.finditer(decision)
    )
