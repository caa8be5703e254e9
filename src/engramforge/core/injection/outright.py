"""What a person says for more than the moment: outright that it is decided, for everywhere, or a value as a fact."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engramforge.core.detection.traps import is_asserted
from engramforge.core.injection.gate import states
from engramforge.core.oracle.units import UNITS
from engramforge.core.text.late_pattern import late

_APOSTROPHE: Final = r"['\u2019]"
_WHEN: Final = (
    r"(?:(?:now|just|finally|already|also|all|both|together|together with \w+|yesterday|today|tonight"
    r"|this (?:morning|week|afternoon)|last (?:week|night|month|time)"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in the \w+|with \w+|after all)\s){0,3}"
)
_LEAD: Final = (
    r"(?:\A|(?<=[.,;:!\u2014\u2013])|(?<=\s-)|\b(?:so|and|but|because)\b)\W{0,4}"
    r"(?:(?:ok(?:ay)?|so|then|and|well|good|right|fine|yes|fyi|btw|also|now)\b\W{0,3}){0,3}"
)
_OUTRIGHT: Final = late(
    rf"(?i){_LEAD}(?:(?:we|i)(?:{_APOSTROPHE}ve| have)? {_WHEN}(?:decided|agreed|settled|resolved) {_WHEN}"
    r"(?:to|on|that|against|for|not to|upon|we|i|there|the|it)\b"
    rf"|(?:we|i)(?:{_APOSTROPHE}?(?:re|m)| are| am) (?:now |definitely |finally )?(?:going with|sticking with"
    rf"|staying with)\b|(?:the |my |our )?(?:final|firm) (?:decision|word|answer|call)\b"
    r"|(?:it|that)(?:['\u2019]?s| is) (?:now |all )?(?:decided|final|settled)\b)"
)
_RULE: Final = late(
    rf"(?i)\b(?:that|this|it)(?:{_APOSTROPHE}?s| is) (?:an? )?(?:hard|firm|fixed|strict|absolute|iron|golden|standing"
    rf"|house"
    rf"|binding|non-?negotiable) (?:rule|law|limit|decision|requirement)\b|\b(?:that|this|it)(?:{_APOSTROPHE}?s| is)"
    r" (?:non-?negotiable|final|not up for (?:debate|discussion)|set in stone|carved in stone)\b|\bno exceptions\b"
)
_BEHIND: Final = 80
"""Characters behind a sentence in which it may still be said that this is a rule."""
_HELD_BACK: Final = late(
    rf"(?i)n{_APOSTROPHE}t\b|\b(?:(?:do|does|did|have|has|is|are|was|were)nt|not|never|almost|nearly|would|might|may"
    r"|could|for now|for the moment|for today|tentatively|no longer|yet)\b"
)


_CONTRASTS: Final = late(
    r"(?i)(?:,|\band)\s(?:and )?not (?:in|on|via|with|by|as|through|from|into|to|at)\s+(?!(?:now|today|all)\b)\w"
    r"|\b(?:instead of|rather than)\s+\w"
)
_LASTS: Final = late(
    r"(?i)\b(?:everywhere|always|never|from now on|by default|for good|throughout|across the board|consistently"
    r"|no matter (?:what|where|who|which)"
    r"|(?:in|on|for|at|of|with) (?:all|every|each|any)(?: (?:the|our|of the|of our))? \w+"
    r"|every (?:\w+ )?(?:time|day|night|week|month|hour|morning|release|commit|build))\b"
)
_OF_THE_MOMENT: Final = late(
    r"(?i)\b(?:first|now|today|tonight|tomorrow|next|later|again|then|already|yet|for this)\b"
)


def contrasts(sentence: str) -> bool:
    """Whether an order says how something is to be, and how not: that is no order of the moment.

    >>> [contrasts(each) for each in ("let's keep fares in a table, not in code", "let's do the map first")]
    [True, False]
    """
    return _CONTRASTS.search(sentence) is not None and _OF_THE_MOMENT.search(sentence) is None


def lasts(sentence: str) -> bool:
    """Whether an order says that something is so everywhere, always or in each of its kind: it is none of the moment.

    >>> [lasts(each) for each in ("lets put the fares in cents everywhere", "lets put the fares in cents")]
    [True, False]
    """
    return _LASTS.search(sentence) is not None and _OF_THE_MOMENT.search(sentence) is None


_LONGEST: Final = 120
_SUBJECT: Final = (
    r"(?!(?:i|we|you|he|she|it|they|this|that|these|those|there|here|my|your|his|her|their|one|some|someone|everyone"
    r"|nobody|what|how|who|which|when|where|why|if|no|and|but|so|version|v\d|pr|issue|ticket|user|line|row|step)\b)"
    r"(?:the |our |an? |all |every )?[a-z][\w'\u2019/-]{1,20}(?: [\w'\u2019/-]{1,20}){0,4}?"
)
_UNIT: Final = (
    rf"(?:{'|'.join(sorted(UNITS, key=len, reverse=True))}|s|h|d|ms|px|secs?|mins?|hrs?|bpm|hz|khz|fps|dpi)"
)
_AMOUNT: Final = rf"(?:\d[\d.,]{{0,8}} ?(?:%|\u20ac|\$|{_UNIT}\b)|[$\u20ac]\d[\d.,]{{0,8}})"
_CLOCK: Final = r"(?:\d{1,2}:\d\d|\d{1,2} ?[ap]m|noon|midnight)\b"
_KEPT: Final = (
    r"(?:capped|limited|kept|stored|rounded|cut|set|fixed|held|refreshed|sampled|polled|rotated|archived|deleted|purged"
    r"|retried|sent|allowed|charged|billed|closed|opened|backed up|dropped|printed|published|served|locked|valid)"
)
_DOES: Final = (
    r"(?:runs?|go(?:es)?(?: out)?|starts?|ends?|begins?|opens?|closes?|leaves?|lasts?|expires?|needs?|costs?|lives?"
    r"|stays?|holds?|fires?|ships?|gets? (?:sent|dropped|deleted|archived|closed|locked)|wakes?|times? out"
    r"|refresh(?:es)?|rotates?|retries|polls?|must (?:be|have)|may (?:be|have|take|last))"
)
_NUMBERED: Final = (
    r"(?:ports?|baud rate|frame rate|timeout|retention|limit|threshold|interval|size|margin|padding|gap|debounce"
    r"|cooldown|ttl|rate|resolution|length|width|height|depth|minimum|maximum|min|max|deposit|fee|fare"
    r"|price|quota|capacity)"
)
_SETTING: Final = late(
    rf"(?i)\A\W*{_SUBJECT} (?:(?:is|are|stays?|remains?)(?: (?:at|on|to|for|always|max|min|up to|at most|at least))?"
    rf" (?:{_AMOUNT}|{_CLOCK})"
    rf"|(?:is|are) (?:always |only )?{_KEPT}(?: [a-z]{{1,12}}){{0,3}}? (?:{_AMOUNT}|{_CLOCK})"
    rf"|{_DOES}(?: [a-z]{{1,12}}){{0,3}}? (?:{_AMOUNT}|{_CLOCK})"
    r"|(?:needs?|must have|may have|allows?|takes? at most|listens? on)(?: [a-z]{1,12}){0,3}? \d{1,6}\b)"
)
_NUMBER_SET: Final = late(
    rf"(?i)\A\W*(?:the |our )?(?:[\w'\u2019-]{{2,20}} ){{0,3}}?{_NUMBERED}(?: (?:for|of|on) [\w -]{{2,30}}?)?"
    r" (?:is|stays?) \d[\d.,x]{0,9}(?: ?[a-z%]{1,12})?(?=\W*\Z|\s*[,;.(]\s?)"
)
_SEEN: Final = late(
    r"(?i)\b(?:was|were|had|did|took|been|today|tomorrow|tonight|yesterday|currently|right now|so far|for now|seems?"
    r"|looks?|feels?|about|around|roughly|almost|nearly|approx\w*|already|left|late|early|behind|ahead|old|away|ago"
    r"|full|done|ready|slow|slower|fast|faster|up|down|off|it|they|i|he|she|you|my|your|his|her|their|maybe|perhaps"
    r"|probably|should|could|would|might|if|unless|when|not|never|errors?|broken|crash\w*|fails?|failed|failing|takes"
    r"|here|there|shows?|says?|said|wrong|weird|strange|odd|too|enough|of \d|out of|just|even|since|another"
    r"|more|(?:the|this) last|last (?:week|month|year|night|time|run)|next|remaining|customers?|clients?|bugs?"
    r"|fix(?:es)?|work|meetings?|calls?|appointments?|lunch|demo|dinner|flight|party|deadline)\b|\bin \d"
    r"|n['\u2019]t\b|\?"
)
"""Beside these somebody tells what they see, or of one day."""
_MEASURED: Final = late(
    r"(?i)\b(?:cpu|load|memory|mem|ram|usage|temperature|latency|ping|duration|runtime|uptime|speed|throughput|progress"
    r"|results?|score|accuracy|loss|count|counter|total|sum|balance|battery|coverage|output|builds?|tests?|suite|pages?"
    r"|quer(?:y|ies)|disk|ci|branch|commit|diff|queue|backlog|eta|delay|weather|trip|drive)"
    r"(?: [\w-]{1,12}){0,2} (?:is|are|needs?|lasts?|runs? (?!at\b|every\b)|costs?|holds?|stays?)"
)


def sets_plainly(text: str) -> bool:
    """Whether a person's few words set a value as a fact that holds until somebody changes it, and tell nothing that
    they see or measure.

    >>> said = "berths are 12 m", "the pump runs at 6 am", "loads are capped at 40 kg", "crew limit is 8"
    >>> [sets_plainly(each) for each in said]
    [True, True, True, True]
    >>> seen = "there were 12 leaks", "the test took 12 min", "the pump is 12 min late", "is it 8?"
    >>> any(map(sets_plainly, seen))
    False
    """
    if not 0 < len(text) <= _LONGEST or not any(map(str.isdecimal, text)) or _SEEN.search(text):
        return False
    if _SETTING.match(text) is None and _NUMBER_SET.match(text) is None:
        return False
    return _MEASURED.search(text) is None and states(text)


@lru_cache(maxsize=512)
def says_outright(sentence: str, text: str) -> bool:
    """Whether a sentence, or what stands right behind it in its text, says in so many words that it is decided.

    >>> says_outright("we decided yesterday to power the fans from the rail", "")
    True
    >>> says_outright("never let both run at once", "never let both run at once. thats a hard rule")
    True
    >>> says_outright("we haven't decided on the rail yet", "")
    False
    """
    if not is_asserted(sentence):
        return False
    hit = _OUTRIGHT.search(sentence)
    if hit is not None and _HELD_BACK.search(sentence[: hit.end()].removesuffix("not to")) is None:
        return True
    begin = text.find(sentence)
    behind = text[begin + len(sentence) : begin + len(sentence) + _BEHIND] if begin >= 0 else ""
    return _RULE.search(sentence) is not None or _RULE.match(behind.lstrip(" .,;:!-\n")) is not None
