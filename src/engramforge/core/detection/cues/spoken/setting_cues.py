"""Wordings that set what a thing is moved to, what a version leaves out, how old a thing may be, which key does it."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.decision_cues import OPENING

TOLD: Final = (
    r"\b(?:was|were|had|did|today|tomorrow|tonight|right now|currently|at the moment|so far|seems?|says?|said|why|lol"
    r"|haha|still|again|suddenly|broken|wrong|stuck|bugs?|errors?|strange|weird|odd|should|maybe|perhaps|would|could"
    r"|might|i guess|crash\w*|fails?|failed|measured|shows?)\b"
)
"""Beside these it is told how something is or goes."""
_TOLD: Final = rf"{TOLD}|\b(?:(?<!even )if|missing|worked|works)\b"
_WORD: Final = r"[\w'\u2019/&-]{2,30}"
_STOP: Final = r"(?=\W*$|\s*[,;(\u2014\u2013]|\s-\s|\s(?:because|since|as|so|and)\s)"
_NO_MATTER: Final = (
    r"(?!(?:meeting|call|appointment|talk|date|subject|topic|conversation|lunch|dinner|party|flight|car|phone|office"
    r"|kids?|money|channel|window|tab|cursor|mouse|lights?|tv|seats?|furniture|desk|boxes|stuff|things?|ticket|issue"
    r"|card|story|file|files|folder|function|method|class|test|tests|line|lines|cards?)\b)"
)
_NO_NAME: Final = (
    r"(?!(?:the|an?|our|my|your|his|her|their|its|this|that|here|there|another|other|(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)days?|next|last|tomorrow|later|noon|left|right|top|bottom|front|back|green|red|blue|yellow|grey|gray|black"
    r"|white|on|off|main|master|done|production|staging|prod|channel|line|page|room|row|floor|column|step|version|do|be|work|see|get|make|trash|backlog|[\w./-]*/)\b|\d)"
)
_GONE: Final = r"(?: (?:now|yesterday|(?:last|this|on) \w{4,10}|already|completely|for good))?"

_MADE_SO: Final = (
    r"(?:(?:at least|at most|max|min|only|up to|after|within|every) )?(?:\d[\d.,]{0,8} ?(?:s|secs?|seconds?|m|mins?"
    r"|minutes?|h|hrs?|hours?|days?|nights?|weeks?|months?|years?|kb|mb|gb|tb|kg|km|%|percent|euros?|eur|dollars?|usd"
    r"|pounds?|francs|bar|degrees|litres?|liters?|requests|attempts|retries|characters|chars|people|persons)\b"
    r"|\d{1,2}:\d\d|\d{1,2} ?[ap]m\b|(?:daily|weekly|monthly|hourly|yearly|nightly)\b|a[3-7]\b)"
)
"""What a thing is made that is kept so, and no look of a page."""
_ORDERED_BESIDE: Final = _TOLD.replace("|says?|said", "")
_FOR_A_WHILE: Final = (
    r"\b(?:for now|for (?:the|this|a|my) (?:test|demo|moment|while|try|trial|example|bit)|until|till|once|temporarily"
    r"|just this|in the (?:test|example|fixture|mock)s?|tests?|builds?|demos?|videos?|clips?|gifs?|talks?|animations?"
    r"|slides?|sleep|fixtures?|mocks?|copies|faster|slower|smaller|larger|bigger|wider)\b"
)

SETTING_SPOKEN_RULES: Final = (
    rule("made so", 0.64, unless=rf"{_ORDERED_BESIDE}|{_FOR_A_WHILE}", is_denied=False)(
        "make",
        rf"{OPENING}(?:please |pls |lets |let['\u2019]s )?make (?>(?:the |our |all )?)"
        r"(?!(?:it|that|this|them|these|those|sure|an?|me|us|him|her|some|one|another|each|every|\d)\b)"
        rf"{_WORD}(?: {_WORD}){{0,3}}? (?:to |be |go out |go off |due |expire |last |run )?{_MADE_SO}"
        r"(?: (?:long|each|before|after|in advance|ahead|apart|old|an? \w+|per \w+|at most|at least)){0,2}"
        r"(?=\W*$|\s*[,;(\u2014\u2013]|\s-\s|\s(?:because|bc|since|as|so|and|please|pls|from now on|everywhere"
        r"|instead|now|then|says|said|per|according)\b)",
    ),
    rule("moved to another", 0.66, unless=_TOLD.replace("|today", ""), beside="to over")(
        "switched migrated moved ported",
        rf"(?:{OPENING}|[,;.] (?:so |and )?)we(?:['\u2019]?ve| have)? (?:just |now |finally |all )?(?:switched|migrated"
        rf"|moved|ported) (?>(?:the |our |all )?){_NO_MATTER}{_WORD}(?: {_WORD}){{0,2}}? (?:over )?to"
        rf" {_NO_NAME}[\w.+#-]{{2,30}}(?: [\w.+#-]{{1,20}})?{_GONE}{_STOP}",
    ),
    rule("none of it in that version", 0.66, unless=_TOLD, is_denied=False, beside="no")(
        "v version release mvp",
        rf"{OPENING}no (?!(?:bugs?|idea|one|problems?|changes?|news|errors?|need|way|reason|docs?|regressions?"
        rf"|mention|trace|sign)\b){_WORD}(?: {_WORD}){{0,4}}? (?:in|for) (?:v ?[\d.]{{1,6}}|version [\d.]{{1,6}}|the"
        r" (?:first|initial|beta) (?:version|release)|the mvp)(?=\W*$|[,;])",
    ),
    rule("that and newer", 0.66, unless=_TOLD, is_denied=False, beside="noth olde belo anyt supp")(
        "up newer later above",
        rf"{OPENING}(?:we support )?{_WORD}(?: {_WORD})? \d[\d.]{{0,8}} (?:and|or) (?:up|newer|later|above|higher)"
        r"(?: only)?[,;.\u2014\u2013-]\s?(?:and )?(?:nothing (?:older|below|lower)|(?:we )?(?:do ?n['\u2019]?t"
        r"|do not|no"
        r" longer) support (?:anything|what is|whats) (?:older|below|lower)|no older \w+|not? (?:older|below))\W*$",
    ),
    rule(
        "a key and what it does", 0.66, unless=rf"{_TOLD}|\b(?:by default|taken|used by)\b", is_denied=False
    )(
        "key hotkey shortcut button",
        rf"{OPENING}(?>(?:the )?)(?!(?:api|primary|foreign|public|private|my|your|ssh)\b){_WORD}(?: {_WORD})?"
        r" (?:key|hotkey|shortcut) is (?:(?:the )?(?:f\d{1,2}|esc(?:ape)?|space(?:bar)?|tab|enter|delete"
        r"|pause|home|end|arrow \w+)|(?:ctrl|cmd|alt|shift|strg|super)(?:[+ -]\w{1,9}){1,3})"
        r"(?: key)?(?=\W*$|[,;]| and it (?:has to|must)| because| since)",
    ),
)
