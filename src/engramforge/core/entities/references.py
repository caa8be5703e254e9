"""What a turn says outright of an earlier one: that it fixes what that told, follows from it, corrects or answers it.

    first sentence: "because of the above"       CAUSES       the turn before
    any sentence:   "this fixes NAME"            RESOLVED_BY  the turn that raised NAME
    first sentence: "correction to my last note" REVISES      the speaker's turn before
    first sentence: "to answer your question"    REPLIES_TO   the other's turn before
    "> words of it"                              REPLIES_TO   the turn that has these words

Precision comes first: what is asked, supposed, denied or reported says nothing, and "above" is another turn only where
nothing stands above it in its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from engramforge.core.detection.traps import asks, is_asserted, is_conditional, is_hedged, is_negated
from engramforge.core.entities.naming import entities_in
from engramforge.core.entities.spellings import squeezed
from engramforge.model.entity import EntityType
from engramforge.model.link import Relation

READ: Final = 4_000
_LONGEST: Final = 300
_MAY: Final = re.compile(
    r"(?i)above|last|previous|earlier|before|answer|repl|fix|solve|close|correct|wrong|(?:\A|\n)> "
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_TURN: Final = r"(?:message|note|answer|reply|point|finding|question)"
_BECAUSE: Final = re.compile(
    r"(?i)\b(?:because of|due to|owing to|as a result of|caused by|given|for) "
    r"(?:the above|the reasons? above|the (?:error|problem|failure|crash|finding|message)s? above"
    rf"|what (?:you|we|I) (?:just )?(?:found|said|wrote|reported) above|your (?:last|previous) {_TURN})\b"
)
_REVISES: Final = re.compile(
    rf"(?i)\A\W*(?:a )?(?:small )?(?:correction (?:to|of) (?:my (?:last|previous|earlier) {_TURN}"
    r"|what I (?:said|wrote)|the above)"
    r"|I (?:was wrong|misspoke|was mistaken) (?:above|just now|in my (?:last|previous) \w{1,12})"
    rf"|this (?:replaces|corrects|revises) (?:what I (?:said|wrote)|my (?:last|previous|earlier) {_TURN})"
    r"|instead of what I (?:said|wrote) (?:above|before|earlier)|scratch my (?:last|previous) \w{1,12})\b"
)
_REPLIES: Final = re.compile(
    r"(?i)\A\W*(?:to answer|answering|in answer to|in reply to|to reply to|replying to) "
    rf"your (?:(?:last|previous|earlier) )?(?P<turn>{_TURN})\b"
)
_CHANGE: Final = r"(?:commit|change|patch|fix|release|update|restart|workaround|migration)"
_FAULT: Final = r"(?:bug|issue|error|crash|problem|failure|leak|hang)s? (?:in|with|of|from|at)"
_FIXES: Final = re.compile(
    r"(?i)(?:\A\W*(?P<bare>fixe[sd]|resolve[sd]|solved|close[sd])"
    rf"|\b(?:this|that|(?:the|this|that) (?:(?:new|last|latest) )?{_CHANGE})(?: (?:has|now|also|finally)){{0,2}}"
    rf" (?:fixe[sd]|resolve[sd]|solve[sd]|close[sd])) (?:(?:the |a )?(?:[a-z]{{2,12}} ){{0,2}}{_FAULT} )?(?:the )?"
)
_IS_FIXED: Final = re.compile(
    r"(?i)\s(?:is|was|has been) (?:now |finally )?(?:fixed|solved|resolved)(?=\W*\Z| (?:by|with|in|now)\b)"
)
_PLANNED: Final = re.compile(
    r"(?i)\b(?:todo|to do|fixme|(?:make|making|be) sure|ensur(?:e|es|ing)|(?:check|verify|test|confirm|prove|see) that"
    r"|should|shall|must|will|ought|wants?|expect|aims?|goal|hopefully|tomorrow|later|soon)\b"
    r"|\A\W*(?:check|verify|test|confirm|prove|see|show|review|try|plan|next|let)\b"
)
"""Before what is said to be fixed: somebody is still to see to it."""
_BOUNDED: Final = re.compile(
    r"(?i)\b(?:but|however|except|apart from|although|though|yet|still|again|back|only|just|part(?:ly|ial|ially)|half"
    r"|halfway|mostly|almost|nearly|hardly|barely|somewhat|most|some|sometimes|temporarily|briefly|locally|so far"
    r"|as (?:soon|long|far) as|until|till|when|whenever|once(?! and for all\b)|after|before|while|if|unless|provided"
    r"|assuming|too|not|no|never|nobody|none|nothing|neither|nor|cannot|or so|or else|thought|think|hop(?:e|es|ed|ing)"
    r"|hopefully|believ(?:e|es|ed)|guess|supposed(?:ly)?|apparently|allegedly|should|would|could|might|may|must|will"
    r"|tomorrow|later|soon|duplicate|wontfix|invalid|stale|worse|regress(?:es|ed|ion)?|revert(?:s|ed)?|undone"
    r"|for (?:now|today|a|an|one|two|the (?:moment|time|day))|on (?:linux|windows|macos|mac|unix"
    r"|(?:my|your|one) \w+))\b"
    r"|n['\u2019]t\b"
)
"""Behind what is said to be fixed: it takes that back, or says of how much, where or how long it is so. Where such
words mean something else, what was open stays open, which is the smaller fault."""
_ITS_FAULT: Final = re.compile(r"(?i)(?:['\u2019]s)? (?:bug|issue|error|crash|problem|failure|leak|hang)\b")
"""What is fixed of a name, directly behind it."""
_PROBLEM: Final = re.compile(
    r"(?i)\b(?:fail(?:s|ed|ing|ure)?|errors?|bugs?|crash(?:es|ed|ing)?|broken?|breaks|issue|leak(?:s|ing|ed)?|slow|wrong"
    r"|hangs?|hung|time[sd]? ?out|missing|flaky|stuck|problem|does ?n['\u2019]t|can(?:no|['\u2019])t|won['\u2019]t)\b"
)
_NAMED_THINGS: Final = (EntityType.TICKET, EntityType.FILE, EntityType.IDENTIFIER)
"""What a name means whoever uses it; "Python" and "CI" are named where something else is at fault."""
_QUOTE: Final = re.compile(r"(?m)^> ?(.{20,300})$")
_OWN_LINE: Final = re.compile(r"\n[ \t]*[^\s>]")
"""Below a quotation: it is answered, and not only shown."""
_FEWEST_WORDS: Final = 4


class To(Enum):
    """Which earlier turn is meant."""

    BEFORE = auto()
    OWN = auto()
    OTHERS = auto()
    ASKED = auto()
    NAMED = auto()
    QUOTED = auto()


@dataclass(frozen=True, slots=True)
class Reference:
    """What a turn says of an earlier one. `words`: the key of a name, or what is quoted."""

    relation: Relation
    to: To
    words: str = ""
    is_ticket: bool = False


CONFIDENCE: Final = {
    Relation.CAUSES: 0.7,
    Relation.RESOLVED_BY: 0.8,
    Relation.REVISES: 0.85,
    Relation.REPLIES_TO: 0.9,
}
"""How sure a link is that such words make."""


def references_in(text: str) -> list[Reference]:
    """What a turn's own words say of earlier turns, each once, in order.

    >>> references_in("Because of the above I went back to plain files.")
    [Reference(relation=<Relation.CAUSES: 'CAUSES'>, to=<To.BEFORE: 1>, words='', is_ticket=False)]
    >>> references_in("Does this fix OPS-41?"), references_in("This would fix OPS-41.")
    ([], [])
    """
    text = text[:READ]
    if _MAY.search(text) is None:
        return []
    return list(dict.fromkeys(_all(text)))


def _all(text: str) -> Iterator[Reference]:
    quoted = _QUOTE.search(text)
    words = quoted[1].split() if quoted and _OWN_LINE.search(text, quoted.end()) else ()
    if len(words) >= _FEWEST_WORDS:
        yield Reference(Relation.REPLIES_TO, To.QUOTED, " ".join(words))
    is_first = True
    for sentence in _SENTENCE.split(text):
        if not sentence.strip() or sentence.startswith(">"):
            continue
        if len(sentence) <= _LONGEST:
            if is_first:
                yield from _of_the_turn_before(sentence)
            yield from _fixed(sentence, is_first=is_first)
        is_first = False


def _of_the_turn_before(sentence: str) -> Iterator[Reference]:
    if reply := _REPLIES.match(sentence):
        yield Reference(Relation.REPLIES_TO, To.ASKED if reply["turn"].lower() == "question" else To.OTHERS)
    if _REVISES.match(sentence) and not asks(sentence) and not is_hedged(sentence):
        yield Reference(Relation.REVISES, To.OWN)
    cause = _BECAUSE.search(sentence)
    if cause and _is_said(sentence, cause.start()):
        is_others = "your" in cause[0].lower()
        yield Reference(Relation.CAUSES, To.OTHERS if is_others else To.BEFORE)


def _fixed(sentence: str, *, is_first: bool) -> Iterator[Reference]:
    """What a sentence says to be fixed. "Fixed OPS-41" alone may be a line of a summary: it counts at the beginning."""
    hits = [each for each in _FIXES.finditer(sentence) if is_first or each["bare"] is None][:4]
    if not hits and _IS_FIXED.search(sentence) is None:
        return
    for entity in entities_in(sentence):
        is_ticket = entity.type is EntityType.TICKET
        # What closes a file may be a program: only tickets are closed as faults are.
        is_object = any(
            each.end() <= entity.start <= each.end() + 1 and (is_ticket or "close" not in each[0].lower())
            for each in hits
        )
        is_subject = _IS_FIXED.match(sentence, entity.end) or _IS_FIXED.match(sentence, entity.end + 1)
        at = next((each.start() for each in hits if each.end() <= entity.start), entity.end)
        if not (is_object or is_subject) or entity.type not in _NAMED_THINGS:
            continue
        if _is_said(sentence, at) and _stays_fixed(sentence, at, entity.end):
            yield Reference(Relation.RESOLVED_BY, To.NAMED, squeezed(entity.name), is_ticket)


def _stays_fixed(sentence: str, at: int, end: int) -> bool:
    """Whether neither what stands before a claim that something is fixed nor what stands behind its name takes it
    back."""
    own = _ITS_FAULT.match(sentence, end)
    rest = sentence[own.end() if own else end :]
    return not (_PLANNED.search(sentence[:at]) or _BOUNDED.search(rest) or _PROBLEM.search(rest))


def _is_said(sentence: str, at: int) -> bool:
    return is_asserted(sentence) and not is_negated(sentence, at) and not is_conditional(sentence, at)


def raises(text: str, reference: Reference) -> bool:
    """Whether a turn raised what a later one says to be fixed: it names it, and tells of a fault.

    >>> raises("valve.py crashes at night", Reference(Relation.RESOLVED_BY, To.NAMED, "valvepy"))
    True
    """
    names = {squeezed(each.name) for each in entities_in(text)}
    return reference.words in names and (reference.is_ticket or _PROBLEM.search(text[:READ]) is not None)


def has_words(text: str, reference: Reference) -> bool:
    """Whether the words that a later turn quotes stand in a turn."""
    return reference.words in " ".join(text[:READ].split())
