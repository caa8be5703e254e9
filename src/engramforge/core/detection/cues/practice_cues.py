"""Wordings of how things are done from now on: practice, rules with a beginning or a scope, what is given up."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.deciders import GROUP
from engramforge.core.detection.cues.decision_cues import OPENING

_NOT_MINE: Final = (
    r"(?!(?:i|my|me|you|your|he|she|his|her|they|their|it|its|this|that|there|what|who|when|if|lunch|everyone else"
    r"|(?:the|our) (?:library|package|compiler|docs|build|server|site|app|tests?|pipeline|office|meeting))\b)"
)
_NOUNS: Final = rf"{_NOT_MINE}[\w@#'\u2019./+&-]+(?: [\w@#'\u2019./+&-]+){{0,6}}?"
_GIVEN_UP: Final = (
    r"(?:dropped|shelved|scrapped|retired|ruled out|called off|voted down|axed|killed off|sunset|sunsetted|off the"
    r" table|history(?=\W*$|[,;.])|gone for good|out of the picture|banned|outlawed|phased out|decommissioned"
    r"|discontinued|being retired|no longer (?:part of|supported|allowed|used|accepted)|not (?:used|supported"
    r"|allowed|accepted|vendored|generated|maintained|shipped|built|published) any ?(?:more|longer))"
)
_NO_PLAN: Final = (
    r"(?!(?:[\w-]+ ){0,4}(?:connections?|packets?|requests?|messages?|events?|frames?|tables?|columns?|index|rows?"
    r"|calls?|meetings?|flights?|trains?|users?|jobs?|process|sessions?|samples?)\b)"
)
_VALUE: Final = r"(?=[^.;?]{0,20}?\d|[a-z]\s?[<=>])"
_ANSWERED: Final = r"\b(?:output|logs?|diff|traces?|errors?|answer|explanation|summary|commits?|rows?)\b"
"""What an agent shows once."""
_COUNT: Final = (
    r"(?:\d|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|half|zero|noon|midnight)\b)"
)

PRACTICE_RULES: Final = (
    rule(
        "is given up", 0.56, needs_work=True, is_denied=False, beside="is are was were got gets has have no"
    )(
        "dropped shelved scrapped retired ruled called voted axed killed sunset sunsetted off history gone out"
        " banned outlawed phased decommissioned discontinued longer any anymore",
        rf"{OPENING}{_NO_PLAN}{_NOUNS} (?:is|are|was|were|got|gets|has been|have been|is being|are being) (?:now "
        rf"|finally |officially |hereby )?{_GIVEN_UP}(?! (?:by|in|from)\b)",
        rf"{OPENING}no [\w -]{{3,40}}? any ?(?:more|longer)(?=\W*$|\s*[,;])",
    ),
    rule("a value is fixed", 0.6)(
        "fixed set capped pinned limited locked frozen capping fixing setting limiting pinning raising lowering"
        " nailed",
        rf"\bwe(?:['\u2019]ve| have)? (?:now )?(?:fixed|set|capped|pinned|limited|locked|frozen) (?!out\b|up\b"
        rf"|off\b)(?![^.;]*\b(?:bugs?|by mistake|meeting|alarm|table)\b)[^.;?]{{2,70}}? (?:at|to) {_VALUE}",
        rf"\bwe(?:['\u2019]re| are) (?:now )?(?:capping|fixing|setting|limiting|pinning|raising|lowering)"
        rf" [^.;?]{{2,70}}? (?:at|to) {_VALUE}",
    ),
    rule(
        "a value is kept", 0.6, unless=r"\b(?:today|tomorrow|tonight|this (?:week|time)|for now|if i were)\b"
    )(
        "keep leave hold set cap limit",
        rf"{OPENING}(?:we|i['\u2019]?d) (?:only |just )?(?:keep|leave|hold|set|cap|limit)"
        rf" (?!(?:it|that|this|them)\b)[^.;:?,]{{2,50}}? (?:at|to|under|below|for) {_COUNT}",
    ),
    rule("a topic and what is allowed", 0.6)(
        "allow accept charge hold let take give pay most max",
        r"^\W*+(?!(?:we|i|what|note|error|warning|todo|question|result)\b)\w[\w /&'-]{1,39}:"
        r" (?:(?:at most|max\.?|no more than) \d|we (?:only )?(?:allow|accept|charge|hold|let|take|give|pay)"
        rf" (?:back |in )?(?:max |at most |up to )?{_COUNT})",
    ),
    rule("wanted this way", 0.6, is_denied=False, unless=_ANSWERED)(
        "want",
        rf"{OPENING}i want (?!(?:to|you|it|that|this|my|him|her|an?|some|more)\b)[\w -]{{2,40}}?"
        r" (?:by|as|in|on|via|at|per) [^.;?,]{2,30}, (?:not|no|never) \S",
    ),
    rule("goes to one, not another", 0.6, is_denied=False, beside="to")(
        "go goes",
        rf"{OPENING}{_NOUNS} (?:go|goes) (?:out |straight )?to [^.;?,]{{2,50}},"
        r" (?:(?:not|never) (?:to|by|via|on|as|in)\b|[\w -]{2,25}? (?:nobody|no one|he|she|they)"
        r" (?:never |hardly )?(?:reads?|answers?|opens?|checks?|looks?|sees?|ignores?)\b)",
    ),
    rule("others have ruled", 0.64)(
        "ruled mandated decreed insist demand",
        rf"(?:^\W*|\b){GROUP}(?: has| have)? (?:ruled|mandated|decreed|insist(?:s|ed)|demands?)(?: that| on)\b",
        r"\b(?:was|were|is|are) (?:mandated|decreed) by (?:the |our )?\w+",
    ),
)
