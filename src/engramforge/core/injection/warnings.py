"""What a text warns of: the sentence that warns of a thing, with those that it leans on.

A wording that warns by itself counts in any sentence that names the thing; one that warns only of what stands at its
place ("no ... here", "... killed the branch") is looked for with a mark in the place of the name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engramforge.core.detection.passages import Passage, blotted, passages
from engramforge.core.injection.mentions import may_name, spans
from engramforge.core.injection.tool_names import Named
from engramforge.core.text.late_pattern import late

LONGEST_WARNING: Final = 400
"""Characters of a sentence, and of all that are shown; longer ones are pasted or listed."""
_MOST_BEFORE: Final = 3
_RUN: Final = "\u2588"
_OTHER: Final = "\u2592"
_NAME: Final = "[\u2588\u2592]"
_CLAUSE: Final = (
    r"(?:^|[,;:.!(\u2013\u2014-][ ]{0,2}|\b(?:so|and|but|ok|okay|please|pls|then|really|just)[ ])"
)
"""Where a clause begins that tells somebody to do something."""
_WARNING: Final = re.compile(
    r"(?i)\b(?:never(?! ?mind\b| (?:had|saw|seen|lost|broke|failed|worked|heard|knew|got|was|were|did)\b)"
    r"|(?<!\bi )(?<!\bwe )(?<!\byou )(?<!\bthey )(?:do not|don'?t)"
    r"|must not|mustn'?t|avoid|careful|beware|warning|caution|caveat|gotcha|pitfall|"
    r"deprecated|only ever|always|(?<!\bto )make sure|known (?:bug|issue)|workaround|decided)\b"
)
_VERBS: Final = (
    "run|use|call|start|edit|change|touch|write|delete|remove|move|rename|push|publish|deploy|execute|invoke|do"
    "|upgrade|update|install|open|commit|merge|restart|reset|format|build|trust|regenerate|modify|alter"
)
_DONE: Final = (
    "run|used|called|started|edited|changed|touched|written|deleted|removed|moved|renamed|pushed|published|deployed"
    "|executed|invoked|upgraded|updated|installed|opened|committed|merged|restarted|modified|altered|regenerated"
)
_EVERYDAY: Final = late(
    rf"(?i){_CLAUSE}(?:please )?(?:watch out|watch it|look out|mind that|hands off|paws off|no touching)\b(?! of\b)"
    r"|\b(?:keep|get|take) (?:your|all|the|our) (?:hands|fingers|paws) off\b"
    r"|(?<!thanks for the )(?<!thank you for the )(?<!thx for the )\bheads[- ]?up\b(?! display)"
    r"|(?<!\bnot )(?<!\blonger )(?<!n't )\boff[- ]limits\b"
    r"|\b(?:is|are|'s|s|it's|its|be|remains?|strictly|absolutely|expressly) (?:strictly |absolutely |totally "
    r"|completely )?"
    r"(?:forbidden|prohibited|banned|verboten|taboo|a no-go)\b(?! (?:any ?more|error|errors|response|status"
    r"|words?)\b)"
    r"|\b(?:not|isn'?t|aren'?t|never) (?:allowed|permitted|supposed|meant|safe)\b(?! any ?more\b)(?! error)"
    rf"|\bleave (?:it|this|that|them|those|these|the \w{{1,30}}|{_NAME})(?: file)? (?:alone|be|untouched|as (?:it"
    rf"|they|is))\b"
    rf"|\bkeep (?:it|this|that|them|those|these|{_NAME}) (?:untouched|unchanged|as (?:it|they|is))\b"
    r"|\b(?:keep|stay|steer) (?:well |far )?(?:away from|clear of|out of)\b"
    r"|(?<!\bi )(?<!\bwould )\b(?:must|has to|have to|needs to|need to|should|ought to|gotta|shall)"
    r" (?:always |all |both |really )?(?:stay|remain|be (?:left|kept))\b"
    rf"|\b(?:nobody|no one|noone)(?: else)? (?:may|should|must|can|shall|is to|changes|edits|touches|runs|uses"
    rf"|writes|deletes"
    rf"|moves|(?:is )?(?:allowed|supposed) to)\b"
    rf"|\b(?:is|are|'s) not to be (?:{_DONE})\b"
    rf"|\b(?:must|should|may|can|is to|are to|has to|needs to) (?:never |not |only |always )*be (?:{_DONE}) only\b"
    rf"|\b(?:must|should|may|can|is to|are to|has to|needs to) only (?:ever )?be (?:{_DONE})\b"
    rf"|\b(?:should|may|can)(?: ?not|n'?t) be (?:{_DONE})\b"
    r"|\bunder no circumstances?\b|\bon no account\b|\bat (?:your|our) (?:own )?(?:peril|risk)\b|\bthink twice\b"
    r"|\bonly (?:ever )?(?:read|look|query|select)\b[^.!?\n]{0,30}\b(?:there|here|please|from it|on it|in it)\b"
    r"|\bfor reading only\b|\bread[- ]only (?:please|there|here)\b"
    r"|(?<!\bto )\bstop \w{1,20}ing (?:it|this|that|them)\b"
)
"""Wordings that warn of whatever the sentence names."""
_HARMS: Final = (
    "kill(?:s|ed)|wip(?:es|ed)|zero(?:s|es|ed)|eras(?:es|ed)|delet(?:es|ed)|destroy(?:s|ed)|overwrit(?:es|ten)"
    "|overwrote"
    "|corrupt(?:s|ed)|brick(?:s|ed)|breaks|broke|los(?:es|t)|crash(?:es|ed)|drop(?:s|ped)|trash(?:es|ed)|nuk(?:es|ed)"
    "|ruin(?:s|ed)|mess(?:es|ed) up|clobber(?:s|ed)|truncat(?:es|ed)|hung|hangs|freezes|froze|took down"
    "|takes down|ate|eats"
    "|lock(?:s|ed) (?:up|out)|blows up|blew up|fr(?:ies|ied)|burnt|shuts down|damag(?:es|ed)|flood(?:s|ed)|cost"
    "|scrambl(?:es|ed)|reboot(?:s|ed)|reset(?:s)?|empt(?:ies|ied)"
)
_NO_OBJECT: Final = (
    "again|yesterday|today|on|in|at|when|because|with|after|for|and|but|since|until|as|if|while|once|twice|last|this"
    " (?:morning|week|time)|due|from|by|or|so|its|itself"
)
_THERE: Final = rf"{_CLAUSE}(?:please )?"
_AT_ITS_PLACE: Final = late(
    rf"(?i){_THERE}no (?:more |direct |manual )?{_NAME}(?! (?:found|there\b|needed|necessary|required|exists?"
    rf"|anywhere|problem"
    r"|issue|errors?|file|left|yet)\b)"
    rf"|{_THERE}no (?:more |direct |manual |further )?(?:\w{{1,20}}ing|edits?|changes?|commits?|writes?|deploys?"
    rf"|runs?)"
    rf"(?: \w{{1,15}}){{0,2}} {_NAME}"
    rf"|(?<!\bto )(?<!\bi )\b(?:stop|quit) \w{{1,20}}ing (?:\w{{1,15}} ){{0,2}}{_NAME}"
    r"|\b(?:you|we|one|u|ya|nobody) (?:can ?not|can'?t|may not|should not|shouldn'?t|better not|are not to"
    r"|aren'?t to)"
    rf" (?:just |simply |ever |even |really )?(?:(?:{_VERBS}) )?(?:the |that |this |our )?{_NAME}"
    rf"|(?<!\bi )\bonly (?:ever )?(?:{_VERBS}) (?:the |our )?{_NAME}"
    rf"|{_NAME},? (?:runs |works |goes )?only (?:ever )?(?:in|on|from|inside|within|as|with|after|at|by|through"
    rf"|via|when|if)\b"
    rf"|{_NAME}: (?:never|no|not|only|must|keep)\b"
)
"""Wordings that warn of what stands at the place of the mark."""
_OF_A_RUN: Final = late(
    rf"(?i){_RUN} (?!(?:\w{{1,15}} )?(?:not|never|nothing|no|hardly|didn'?t|doesn'?t|hasn'?t"
    rf"|won'?t)\b)(?:\w{{1,15}} ){{0,2}}"
    rf"(?:{_HARMS}) (?!(?:{_NO_OBJECT})\b)\w"
    rf"|\b(?:lost|broke|killed|wiped|bricked|destroyed|erased|deleted|overwrote|corrupted|ruined|nuked|crashed)"
    rf" (?!nothing\b|no\b)(?:[\w'-]{{1,20}} ){{1,6}}(?:with|by|through|because of|due to|thanks to|to|running|using)"
    rf" (?:an? |the |that |this |one |running |using )?{_RUN}"
)
"""What running the thing did, which it may do again."""
_OTHERWISE: Final = late(
    r"(?i)\b(?:otherwise|or else)\b[^.!?\n]{0,60}?\b(?:tears?|breaks?|fails?|los(?:es?|t)|crash(?:es)?|kills?"
    r"|wipes?|corrupts?"
    r"|overwrit\w{1,4}|hangs?|bricks?|burns?|dies?|stuck|gone|dead|leaks?|floods?|explodes?|bursts?|melts?|jams?"
    r"|rots?)\b"
)
_TOLD_TO_RUN: Final = late(
    rf"(?i)\b(?:run|call|use|start|do|try|execute)(?:ning)? (?:the |our )?{_NAME}[^.!?\n]{{0,60}}\b(?:otherwise"
    rf"|or else)\b"
)
_LEANS: Final = late(r"(?i)\b(?:that|thats|this|it|them|those|these|they|theyre|there|so|either|such)\b")
_GOES_ON: Final = late(r"(?i)\b(?:else|otherwise|too|also|others?)\b|\A(?:and|but|or|then)\b")
"""Words by which a sentence goes on from the one before it."""
_NO_LEANING: Final = late(
    r"(?i)\bthat (?:the|a|an|we|you|i|he|she|they|it|there|if|when|every|all|no)\b|\b(?:this|that|these"
    r"|those) (?:file|week|time"
    r"|year|morning|folder|repo|repository|project|machine|month)s?\b|\bso that\b|\bit(?:'s|s| is"
    r"| was) (?=\w{1,20} (?:to|that)\b)"
    rf"|\bthere(?:'s|s)? (?:is|are|was|were)\b|\bthat {_NAME}"
)
_REFERS: Final = late(
    rf"(?i){_CLAUSE}(?:please )?(?:never|do not|don'?t|avoid|leave|keep|hands off|stay away from|be careful with"
    rf"|careful with"
    r"|watch out with|stop|only)(?: ever)?(?: (?:\w{1,15}ing|run|use|call|start|edit|change|touch|write to|delete"
    r"|remove|move"
    r"|rename|push|publish|deploy|execute|do|update|open|commit|merge|restart|reset|alter|modify))?"
    r" (?:it|this|that|them)\b(?! (?:up|with)\b)"
)
"""A warning of what was named just before."""
_FILE_LIKE: Final = late(r"[\w-]{2,40}\.[a-z]{1,5}\b")


def warning_in(text: str, names: Sequence[Named]) -> str | None:
    """The first sentence that warns of one of these names, or says what was decided of it, behind those that it leans
    on; None for none.

    A warning elsewhere in the text is of something else, and a question is none.

    >>> schema = [Named("schema.sql")]
    >>> warning_in("We read schema.sql together. Never edit schema.sql by hand.", schema)
    'Never edit schema.sql by hand.'
    >>> warning_in("Never mind. Where is schema.sql? We don't have a schema.sql.", schema)
    >>> warning_in("It is in feet! Dont mix that up in schema.sql.", schema)
    'It is in feet! Dont mix that up in schema.sql.'
    """
    if not may_name(text, names):
        return None
    before: list[Passage] = []
    for each in passages(text):
        if len(each.said) > LONGEST_WARNING or each.said.endswith("?"):
            before = []
            continue
        marked = _marked(each.said, names)
        if marked is not None and _has_cue(blotted(marked)):
            return _behind_what_it_leans_on(each, marked, before)
        if marked is None and before and _refers_back(each, before[-1], names):
            return f"{before[-1].said} {each.said}"
        before = [*before[1 - _MOST_BEFORE :], each]
    return None


def _behind_what_it_leans_on(passage: Passage, marked: str, before: Sequence[Passage]) -> str:
    """A sentence behind those before it of which it speaks as "that"; each of them may lean on one more."""
    told = [passage.said]
    leans = _leans(marked.partition(_RUN)[0].partition(_OTHER)[0] + _OTHER)
    room = LONGEST_WARNING - len(passage.said)
    for each in reversed(before):
        room -= len(each.said) + 1
        if not leans or room < 0 or (each.is_item and passage.is_item) or each.heading != passage.heading:
            break
        told.insert(0, each.said)
        leans = _leans(each.plain) or _GOES_ON.search(each.plain) is not None
    return " ".join(told)


def _leans(said: str) -> bool:
    return _LEANS.search(_NO_LEANING.sub(" ", said)) is not None


def _refers_back(passage: Passage, before: Passage, names: Sequence[Named]) -> bool:
    """Whether a sentence warns of what it calls "it", and the sentence before it names the thing, and it alone."""
    if _REFERS.search(passage.plain) is None or _FILE_LIKE.search(passage.said):
        return False
    if (before.is_item and passage.is_item) or before.heading != passage.heading:
        return False
    marked = _marked(before.said, names)
    return marked is not None and _FILE_LIKE.search(marked) is None


def _has_cue(marked: str) -> bool:
    if any(cue.search(marked) for cue in (_WARNING, _EVERYDAY, _AT_ITS_PLACE, _OF_A_RUN)):
        return True
    return _OTHERWISE.search(marked) is not None and _TOLD_TO_RUN.search(marked) is None


def _marked(said: str, names: Sequence[Named]) -> str | None:
    """A sentence with a mark in the place of each name; None where it has none of them."""
    found = sorted({(*span, name.is_run) for name in names for span in spans(said, name)})
    if not found:
        return None
    pieces: list[str] = []
    place = 0
    for begin, end, is_run in found:
        while begin > place and (said[begin - 1].isalnum() or said[begin - 1] in "/._~@-"):
            begin -= 1  # the folders of a file
        if begin >= place:
            pieces += (said[place:begin], _RUN if is_run else _OTHER)
        place = max(place, end)
    return "".join((*pieces, said[place:]))
