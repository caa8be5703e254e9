"""An order or an answer of the one who types that names from whom it comes: it is theirs, and no hearsay.

"Make it 24 h, says the front desk" is an order, and "legal says 10" an answer, as "change it, 10 is too short" is. What
others do elsewhere, and what a text or a program says of itself, stays what others say.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.text.late_pattern import late

_THINGS: Final = (
    r"(?:docs?|documentation|article|blog|posts?|book|paper|page|site|website|spec|standard|rfc|compiler|logs?|error"
    r"|output|tool|tests?|linter|readme|wiki|wikipedia|server|api|manual|forum|internet|google|github|stackoverflow|llm"
    r"|claude|chatgpt|gpt|gemini|copilot|model|datasheet|script|build|ci|screen|sensor|dashboard|monitor|console|terminal"
    r"|browser|comment|ticket|issue|mail|email|message|it|this|that|he|she|they|i|we|you|who|which|what|someone|somebody"
    r"|app|station|scales?|gauge|meter|thermometer|scanner|clock|calendar|map|label|sign|machine|people|everybody|everyone|nobody)"
)
"""Texts, programs and machines, which order nothing, and who is not named."""
_LEAD: Final = (
    r"^\W{0,3}(?:(?:ok(?:ay)?|so|and|but|well|hm+|right|fine|yes|no|nope|yeah|alright|actually|please|pls)\b"
    r"\W{1,3}){0,3}"
)
_ORDERS: Final = (
    r"(?:make|set|change|use|put|keep|move|drop|switch|raise|lower|bump|add|remove|send|let['\u2019]?s|take|cut"
    r"|limit|round|show|hide|call|name|store|delete|never|always|turn)\b"
)
_NAME: Final = rf"(?!{_THINGS}\b)[a-z][\w'\u2019-]{{1,30}}"
_SOURCE: Final = rf"(?:(?:the|my|our) )?{_NAME}(?: {_NAME})?"
_SAYS: Final = r"(?:says|said|say|insists|wants(?: it| that)?)"
_VALUE: Final = (
    r"(?:(?:at least|at most|max|min|only|just|about) )?\d[\w.,:%/]{0,12}"
    r"(?: (?!and\b|or\b|is\b|are\b|was\b)[a-z]{1,12})?"
)
_CHANGES: Final = (
    r"(?:so |please |pls |then )?(?:(?:change|make|set|use|fix|adjust|do|put|update|bump|raise|lower)"
    r" (?:it|that|this|them)|so be it|do so)\b[^,;?]{0,40}"
)
_BEHIND: Final = late(
    rf"(?i){_LEAD}(?P<own>{_ORDERS}[^?;]{{3,160}}?),?"
    rf" (?:says|said|according to|per|as per|on behalf of) {_SOURCE}\W*$"
)
_BEFORE: Final = late(
    rf"(?i){_LEAD}{_SOURCE} {_SAYS}:? (?:that )?(?P<own>{_VALUE}|[^,;?]{{2,80}}(?=[,;] {_CHANGES}\W*$))"
    rf"(?:[,;] (?P<then>{_CHANGES}))?\W*$"
)
_TAKES: Final = late(
    rf"(?i){_LEAD}{_SOURCE} (?:says|said) (?:that )?"
    r"(?P<own>(?:he|she|they)(?:['\u2019]ll| will|['\u2019]s going to)?"
    r" [^,;?]{2,80} (?:himself|herself|themselves)\b[^,;?]{0,20})\W*$"
)
_MAY: Final = ("say", "said", "insist", "want", "according to", "per ", "behalf")


def without_source(sentence: str) -> str:
    """An order or an answer without from whom it comes; any other sentence as it is.

    >>> without_source("ok make the doses 5 ml, says the vet"), without_source("finance says 30 days, change it")
    ('make the doses 5 ml', '30 days, change it')
    >>> without_source("acme says they use kafka"), without_source("the docs say 16")
    ('acme says they use kafka', 'the docs say 16')
    >>> without_source("mara says she checks the seals herself")
    'she checks the seals herself'
    """
    lowered = sentence.lower()
    if not any(each in lowered for each in _MAY):
        return sentence
    for form in (_BEHIND, _TAKES, _BEFORE):
        if (hit := form.match(sentence)) is not None:
            then = hit.groupdict().get("then")
            return f"{hit['own']}, {then}" if then else hit["own"]
    return sentence
