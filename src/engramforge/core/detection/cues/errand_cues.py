"""The wordings of small open matters as people type them in passing: errands, what has to be found out, what is needed
by a day, what breaks when, what is left open for now.

They begin a sentence, so that nothing is told of others, and say more than that somebody has to leave or to rest.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.text.late_pattern import late

_LEAD: Final = (
    r"^\W*(?:(?:ok(?:ay)?|oh|ah|and|also|btw|by the way|so|hm+|right|well|yeah|fyi|but|plus|then)\b"
    r"[\s,:.-]*){0,2}"
)
_HAS_TO: Final = (
    r"(?:(?:i|we)(?:['\u2019]ve)? )?(?:still |also )?(?:gotta|got to|need to|have to|must|should|ought to) "
    r"(?:still |also |first |quickly )?"
)
_NOBODY: Final = (
    r"(?!(?:me|us|you|him|her|it|this|that|them|these|those|myself|yourself|everyone|everything)\b)"
)
_DAY: Final = (
    r"(?:(?:the )?(?:end|middle|start|beginning) of \w|(?:next |this |coming )?"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:next |this |the )?(?:week|month|weekend|spring|summer|autumn|winter|sprint|quarter)\b|tomorrow|tonight|noon"
    r"|easter|christmas|new year|(?:early |mid[- ]?|late )?(?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
    r"|(?:the )?\d{1,2}(?:st|nd|rd|th|[./]\d|\.? (?:of )?[a-z]{3}|\s?[ap]m)\b"
    r"|(?:the |our )?(?:launch|release|deadline|opening|demo|fair|audit|kick-?off|go-?live)\b)"
)
ERRAND: Final = "errand"
"""The rule of what somebody has to get done, which is a matter of the project only without words of everyday life."""
BREAKS: Final = "breaks when"
"""The rule of a fault that is told with what it happens at. It waits: mostly it is told to have it mended at once."""
ASKS_TO_MEND: Final = late(
    r"(?i)\b(?:fix|debug|solve|repair|mend|help|please|pls|can you|could you|look (?:at|into)|why|what|how|patch)\b|\?"
)
"""Asks to see to it at once, so that it is no matter for later."""

ERRAND_RULES: Final = (
    rule(ERRAND, 0.66)(
        "gotta got need have must should ought",
        # "I need to cancel my card" asks an assistant to do it.
        rf"{_LEAD}(?!i need\b){_HAS_TO}(?:order|reorder|buy|book|renew|send back|mail|e-?mail|write to|phone|call"
        r"|ring|register|print|cancel|rent|hire|request|apply for|get hold of|chase|invoice|pay)"
        rf" (?!(?:an? )?presents?\b){_NOBODY}\w",
    ),
    rule("has to be found out whether", 0.76)(
        "gotta got need have must should ought",
        rf"{_LEAD}{_HAS_TO}(?:find out|figure out|work out|clarify|clear up) (?:if|whether)\b",
    ),
    rule("has to be found out first", 0.62)(
        "gotta got need have must",
        rf"{_LEAD}(?:we )?(?:still |also )?(?:gotta|got to|need to|have to|must) (?:still |also |first )?(?:find out"
        r"|figure out|work out|clarify) (?:what|which|who|when|where|why)\b",
    ),
    rule("needed by a day", 0.66)(
        "need needs needed",
        rf"{_LEAD}(?:we|i)(?:['\u2019]ll| will)? (?:still |also )?need (?:to have )?(?!you\b|to\b)[^.;?,]{{3,60}}?"
        rf" (?:by|before|until|till) {_DAY}",
        rf"{_LEAD}(?:the |an? |our )?(?:[\w-]+ ){{1,4}}?(?:is |are )?needed (?:by|before) {_DAY}",
    ),
    rule(BREAKS, 0.45)(
        "break crash hang freeze leak panic segfault stall deadlock times blow",
        rf"{_LEAD}(?:the |our )(?!test\b)(?:[\w./-]+ ){{1,4}}?(?:always |sometimes |still |also |often |just )?"
        r"(?:breaks|crashes|hangs|freezes|leaks|panics|segfaults|stalls|deadlocks|times out|blows up)(?: \w+){0,2}?"
        r" (?:when|whenever|if|as soon as|once) (?!you\b)\w[^,;:]{2,100}$",
    ),
    rule("left open", 0.7)(
        "leave keep leaving",
        rf"{_LEAD}(?:let['\u2019]?s |we(?:['\u2019]ll| will)? |i(?:['\u2019]ll| will)? |please )?(?:leave|leaving|keep)"
        r" (?:the |our |that )?"
        r"(?!(?:[\w-]+ ){0,3}?(?:doors?|windows?|gates?|shops?|stores?|lids?|valves?|files?|connections?|ports?|tabs?"
        r"|sockets?|accounts?|sessions?|kitchen|bar|office|box|browser|editor|terminal|eyes?|mouth|mind|options"
        r"|channels?|line|bridge|museum|caf\u00e9|cafe|room|house|your|an|it|this) )"
        r"(?:[\w-]+ ){1,4}?(?:open|undecided)(?=\W*$| (?:until|till?|for (?:now|later|the moment))\b)",
    ),
)
