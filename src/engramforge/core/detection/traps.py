"""Wordings in which a cue does not count: negation, questions, conditions, wishes, hearsay."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from engramforge.core.detection.cues.cue_rule import BEGINNING, beginnings

_QUESTION: Final = re.compile(r"\?[\"')\]*_\s]*$")
_ASKING: Final = re.compile(
    r"(?i)^\W*(?:(?:so|and|but|ok|okay|hey|hi)\b\W*)*(?:what|which|who|whom|whose|why|how|when|where|(?:do|does"
    r"|did|are|is|was|were|have|has|had|can|could|would|will|shall|should|may|might)(?:n't)?\s+(?:we|you|i"
    r"|they|he|she|it|the|there|this|that|any|your|our)\b|soll\w*|sollen|was|wie|warum|wann|wer)\b"
)
_INVERTED: Final = re.compile(
    r"(?i)^\W*(?:\w+\W+){0,2}?(?:what|which|who|why|how|when|where)\s+(?:do|does|did|are|is|was|were|have|has"
    r"|can|could|should|shall|will)\s+(?:we|you|i|they|he|she|it)\b"
)
_NEGATED: Final = re.compile(
    r"(?i)(?:\b(?:not|never|nobody|no one|none|neither|nothing|without|hardly|barely|cannot|nicht|nie|kein\w*"
    r"|no)\b|n't\b|n\u2019t\b|\byet to\b)(?:\s+(?!but\b)[\w'/-]+){0,4}\W*$"
)
_CONDITION: Final = re.compile(
    r"(?i)\b(?:if|unless|suppose|supposing|imagine|assuming|provided(?: that)?|in case|whether|until|once|as soon as"
    r"|whenever"
    r"|wish(?:es|ed)?|hop(?:e|es|ed|ing)|had (?:we|i|they)|were (?:we|i) to|as though|as if|falls|wenn|ob)\b"
)
_OPEN_CONDITION: Final = re.compile(r"(?i)^\W*(?:\w+\W+){0,2}?when\b")
_UNCERTAIN: Final = re.compile(
    r"(?i)\b(?:could|might|may|would(?: have)?|should(?: have)?|maybe|perhaps|possibly|probably|likely"
    r"|hypothetically|theoretically|can|want(?:s|ed)? to|like to|love to|need(?:s|ed)? to|ha(?:ve|s|d) to"
    r"|got to|try(?:ing)? to|tried to|about to|supposed to|going to|able to|ready to|how to|time to|hard to"
    r"|easy to|tempted to|planning to|plan to|plans to|tend to|prefer to|inclined to|think(?:ing)? (?:about"
    r"|of)|thought (?:about|of)|considering|consider|considered|leaning|discuss(?:ed|ing)?|argue|suggest(?:s"
    r"|ed|ing)?|propos(?:e|es|ed|ing)|recommend(?:s|ed)?|wonder(?:ing|s|ed)?|no longer sure|not sure|unsure"
    r"|doubt(?:s|ed)?(?: that)?|afraid|unlikely)\b(?:\s+[\w'/-]+){0,3}\W*$"
)
_OWN_SUBJECT: Final = re.compile(r"(?i)(?<=,) (?:we|i)\b")
"""Begins a clause anew: "As discussed, we decided"."""
_POSSIBLE: Final = re.compile(r"(?i)\b(?:could|might|may|would(?: have)?|can)\b(?:\s+[\w'/-]+){0,2}\W*$")
_UNREAL: Final = re.compile(
    r"(?i)\b(?:would have|could have|should have|might have|would be|no longer sure|not sure|as a joke|kidding"
    r"|in theory|for example|for instance|e\.g\.)"
)
_HEARSAY: Final = re.compile(
    r"\b(?:(?:he|she|they|They|He|She|you|someone|Someone|people|nobody|[A-Z]\w+)\s+(?:\w+ly\s+)?(?:said|says"
    r"|say|told|asked|asks|wrote|writes|claimed|claims|claim|mentioned|explained|thinks|think|thought"
    r"|believes|commented|posted|reckons|wondered|wants|wanted|would prefer|prefers|heard)\b|\b[Aa]ccording to\b"
    r"|\b[Ii]t (?:prints?|printed|says|returned|shows)\b"
    r"|\b[Tt]he (?:output|result|answer|log|reply) (?:is|was|says)\b|\b[Pp]er the\b"
    r"|\b[Ii] (?:read|heard|saw) (?:that|about|on|in|[DTdt]-?\d+)\b"
    r"|\bthe (?:article|book|blog|post|paper|video|talk|author|story|novel|film"
    r"|movie|hero|speaker)\b|\b(?:[Tt]he|[Tt]his|[Tt]hat|[Tt]heir|[Hh]is|[Hh]er|[Ii]ts|[Aa]n?|[Ss]ome"
    r"|[Oo]ne)\s+(?:[\w'./-]+\s+){1,4}?(?:says?|said|states?|stated|claimed|writes|wrote|returned|answered"
    r"|responded|replied|printed|reported|mentioned|argues|(?:claims?|reads|reports?|mentions?|suggests"
    r"|suggested|insists|announces|announced|asserts)(?= that\b|:| [DTdt]-?\d)|tells|told)\b(?!\s+(?:to|so)\b)"
    r"|\b(?:says"
    r"|said|claims|claimed|writes|wrote|states|reports|reads)\s+(?:the|that|an?|his|her|their|[A-Z])\b"
    r"|\b(?:apparently|allegedly|supposedly|reportedly|they say|per the|as per|quote|unquote|quoting"
    r"|quoted)\b|\bin the (?:article|post|page|docs?|document|email|readme|wiki|paper|report|log|output"
    r"|transcript)\b|\brumou?r|\b[Ll]et (?:me|us) know\b|\b[Tt]ell (?:me|us)\b|\bin the (?:book|film|movie|novel"
    r"|story)\b)|\((?:from|via|per|source|according|says?|quoted?)\b"
    r"|^\W*(?!(?:[Ii]|[Ww]e|[Aa]nd|[Aa]s|[Tt]hat)\b)[\w./:@\u00b7-]{2,80}\s+(?:\w+ly\s+)?(?:says|said|posted|wrote|writes"
    r"|dit|dijo|dice|sagt|sagte|schreibt|schrieb|meldet)\b"
)
_HEARSAY_STEMS: Final = (
    "said says say told asked asks wrote writes claimed claims claim mentioned mentions explained thinks think thought"
    " believes commented reckons wondered wants wanted would prefer heard according read saw article book blog post"
    " paper video talk author story novel film movie hero speaker states stated returned answered responded replied"
    " printed prints posted dit dijo dice sagt sagte schreibt schrieb meldet shows result answer reply"
    " reported argues reads reports suggests suggested insists announces announced asserts tells apparently"
    " allegedly supposedly reportedly per quote quoting quoted page doc docs document email readme wiki log output"
    " transcript rumor rumour let tell from via source unquote"
)
_MAY_BE_HEARSAY: Final = frozenset(word[:BEGINNING] for word in _HEARSAY_STEMS.split())
"""A sentence without any of these beginnings tells nothing that others say."""
_OF_OTHERS: Final = re.compile(
    r"(?i)^\W*(?:the (?:customer|client|user|server|compiler|competitor)|he|she|they|you)\b"
)
_EXAMPLE: Final = re.compile(
    r"(?i)^\W*(?:(?:add|put|insert|use) (?:an?|the|this) (?:[\w-]+ ){0,3}(?:message|line|text|comment|title"
    r"|heading|caption)s?[^.:?!]{0,30}+:|(?:for example|for instance|e\.g\.|example|examples|usage|syntax"
    r"|beispiel|note that a|hint|tip)\b\W)"
)
_HEDGE: Final = re.compile(
    r"(?i)\b(?:perhaps|maybe|probably|possibly|presumably|supposedly|i (?:guess|suppose)|vielleicht"
    r"|vermutlich)\b"
)
_ELSEWHERE: Final = re.compile(
    r"(?i)\b(?:(?:at|in|for|with) (?:my|our|his|her|their) (?:last|previous|old|former|first|other) (?:job"
    r"|company|team"
    r"|project|employer|workplace|client|life)|(?:years?|decades) ago|back (?:then|in (?:the|19|20))|used to)\b"
)
_TOLD: Final = re.compile(
    r"(?i)^\W*(?:please|pls|kindly|can you|could you|would you|you (?:must|should|can|could|may|need|have)"
    r"|feel free|make sure|remember to|don't forget|bitte|(?:explain|describe|find out|figure out|document|check"
    r"|show me"
    r"|look up|analy[sz]e|investigate) (?:\w+ ){0,2}?(?:why|how|what|whether|which|where|when|if))\b"
)
_SUPPOSED: Final = re.compile(
    r"(?i)^\W*(?:(?:please|pls|now|ok|so|and|then|can you|could you|would you|let's|just)\b\W*){0,3}(?:write"
    r"|draft|compose|translate|rephrase|summar\w+|pretend|imagine|suppose|assume|say|print|echo|repeat|output"
    r"|respond|reply|answer|generate|example|ignore|disregard|forget(?! (?:about )?(?:decision "
    r"|thread )?[dt]-?\d))\b"
)
_OWN_CLAUSE: Final = re.compile(
    r"(?i)[,;\u2014\u2013]\s+(?:(?P<turn>but|so|and so|yet|however,?|still,?)\s+|(?:because|since|as"
    r"|and)\s+)?(?=(?:we|i)(?:['\u2019]ve|\s+have)?(?:\s+(?:\w+ly|all|just|now|then|already))?\s+(?:decided"
    r"|agreed|settled|chose|picked|went)\b)"
)
_ASKS_THEN: Final = re.compile(
    r"(?i)[,;\u2014\u2013]\s+(?:(?:so|and|but|then|now)\s+)?(?:(?:can|could|would|will) you (?!agree|confirm"
    r"|say|tell)|(?:how|where|what|which)\s+(?:do|should|can|shall) (?:i|we) (?:have|need|do|put|start|go|get"
    r"|set)\b)[^,;?]{0,160}\?\W*$"
)


def own_clause(sentence: str) -> int:
    """Where in a sentence that begins with a request or with what others say the speaker's own decision begins; 0 if
    nowhere: "The article says so, but we decided ..."."""
    for hit in _OWN_CLAUSE.finditer(sentence):
        before = sentence[: hit.start()]
        if ":" in before or '"' in before:
            return 0
        if is_request(before) or (hit["turn"] and is_hearsay(before)):
            return hit.end()
        if hit["turn"] and _OF_OTHERS.search(before):
            return hit.end()
    return 0


def without_question(sentence: str) -> str:
    """A statement without the request that it ends with: "We decided to use X, could you set it up?"."""
    hit = _ASKS_THEN.search(sentence)
    return sentence if hit is None else sentence[: hit.start()]


def depends(sentence: str, begin: int) -> bool:
    """Whether what begins there depends on something or is a mere possibility; plans and duties do not count."""
    return _is_unreal(sentence, begin, _POSSIBLE)


def is_question(sentence: str) -> bool:
    """Whether the sentence asks."""
    return bool(_QUESTION.search(sentence) or (_ASKING.match(sentence) and "?" in sentence))


@lru_cache(maxsize=16)
def asks(sentence: str) -> bool:
    """Whether the sentence asks, even without a question mark."""
    if _QUESTION.search(sentence):
        return True
    return _ASKING.match(sentence) is not None and (
        not sentence.rstrip().endswith((".", "!")) or _INVERTED.match(sentence) is not None
    )


def is_negated(sentence: str, begin: int) -> bool:
    """Whether what begins there is denied within its clause."""
    return _NEGATED.search(_clause(sentence, begin)) is not None


def is_conditional(sentence: str, begin: int) -> bool:
    """Whether what begins there depends on something, or is a mere possibility or plan."""
    return _is_unreal(sentence, begin, _UNCERTAIN)


def has_condition_after(sentence: str, end: int) -> bool:
    """Whether a condition follows."""
    return re.search(r"\b(?:if|unless|assuming|provided)\b", sentence[end:], re.I) is not None


def is_hedged(sentence: str) -> bool:
    """Whether the speaker is unsure."""
    return _HEDGE.search(sentence) is not None


@lru_cache(maxsize=16)
def is_hearsay(sentence: str) -> bool:
    """Whether it reports somebody else's words or deeds, or gives an example."""
    may_be = not _MAY_BE_HEARSAY.isdisjoint(beginnings(sentence))
    return bool((may_be and _HEARSAY.search(sentence)) or _EXAMPLE.match(sentence))


def is_request(sentence: str) -> bool:
    """Whether it tells somebody what to do."""
    return _TOLD.match(sentence) is not None


def is_elsewhere(sentence: str) -> bool:
    """Whether it tells of another time or place than the project's: "At my last job we chose Bazel"."""
    return _ELSEWHERE.search(sentence) is not None


def is_unreal_request(sentence: str) -> bool:
    """Whether it asks for words, or to suppose something: what it holds is then no statement."""
    return _SUPPOSED.match(sentence) is not None


def _is_unreal(sentence: str, begin: int, unsure: re.Pattern[str]) -> bool:
    before = sentence[:begin]
    return bool(
        _CONDITION.search(before)
        or _OPEN_CONDITION.match(before)
        or (
            unsure.search(_clause(sentence, begin))
            and not _OWN_SUBJECT.search(sentence, max(0, begin - 2), begin + 3)
        )
        or _UNREAL.search(sentence)
    )


def _clause(sentence: str, begin: int) -> str:
    """The text before a place within its clause."""
    before = sentence[:begin]
    cut = max(before.rfind(mark) for mark in (";", ". ", ": ", ", but ", ", so ", " but ", "\u2014", " - "))
    return before[cut + 1 :] if cut >= 0 else before
