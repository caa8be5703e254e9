"""Wordings of how things are done from now on: practice, rules with a beginning or a scope, what is given up, limits.

A limit alone may only be how things are, so that most of these wait for a person's review.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.deciders import GROUP
from engramforge.core.detection.cues.decision_cues import LET_US, OPENING

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
_SUBJECT: Final = (
    r"(?!(?:i|you|he|she|it|its|this|that|there|what|who|when|where|how|why|if|they|my|your|his|her|their|error|warning"
    r"|(?:the|our) (?:library|package|compiler|docs|build|server|site|app|tests?|pipeline|office|meeting|bug|error|log)"
    r")\b)[\w@#'\u2019/+&-]{1,30}(?: [\w@#'\u2019/+&-]{1,30}){0,5}?"
)
_AMOUNT: Final = r"(?:\d|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|half|zero)\b)"
_MOST: Final = (
    r"(?:at (?:the )?(?:most|least)|max\.?|maximum|no more than|not more than|never more than|no (?:longer"
    r"|later|fewer|less)"
    r" than|not longer than|up to|within)"
)
_TOLD: Final = (
    r"\b(?:was|were|had|did|took|today|yesterday|tomorrow|tonight|right now|currently|at the moment|so far"
    r"|last \w+|seems?"
    r"|says|said|fails?|failed|crash\w*|broken|slow|why|lol|haha|i|my|me|you|your)\b"
)
"""Beside these it is told how something is or went."""
_MOMENT: Final = (
    r"\b(?:today|tomorrow|tonight|now|first|next|again|this time|for (?:a|the) (?:moment|while|minute)|for now"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekend|debugger|profiler|grep|to (?:see|find|check|look"
    r"|debug|test|try"
    r"|figure|understand|trace|measure|meet|talk|chat))\b"
)
_NO_NAME: Final = (
    r"(?!(?:the|an?|this|that|these|those|it|its|them|my|your|our|his|her|their|him|us|what\w*|both|some|more"
    r"|any|all|one"
    r"|another|less|different|same|only|up|just|either|neither|something|anything|everything|nothing|caution|common"
    r"|zoom|skype|facetime|teams|google|imagination|words?)\b)"
)

LIMIT_RULES: Final = (
    rule("let us use it", 0.62, unless=_MOMENT)(
        "let lets",
        rf"{OPENING}{LET_US}use {_NO_NAME}[\w@][\w@.+#/-]{{1,30}}(?: (?!it\b|them\b)[\w.+#/-]{{2,30}}){{0,2}}?"
        r"(?:\s(?:for|as|in|on|with|instead|everywhere|then|here)\b[^.;?]{0,60})?(?:,? (?:because|since|as"
        r"|it['\u2019]?s|so)"
        r"\b[^?]{2,100})?[\s.!]*$",
    ),
    rule("planned with a number", 0.6, unless=_MOMENT, beside="with")(
        "plan calculate reckon",
        rf"(?:{OPENING}(?:we |please )?|[,;] (?:so |but |and )?(?:we |please )?|\b(?:but|so|and) (?:we |please )?)"
        rf"(?:plan|calculate|reckon) (?:only |just )?with (?:at (?:most|least) )?{_AMOUNT}(?![^,.;]*\b(?:people|guests"
        r"|persons|friends|nights)\b)",
    ),
    rule("a limit is set", 0.45, unless=_TOLD, is_denied=False)(
        "max maximum tops most least limited capped restricted more longer later fewer less up within",
        rf"{OPENING}{_SUBJECT} (?:(?:is|are|may|can|must|will|stays?|lasts?|takes?|lives?|runs?|gets?|have|has|get) "
        rf"(?:be |have |take |last )?)?[^.;:?,]{{0,40}}?{_AMOUNT}[^.;:?,]{{0,24}}? (?:max|maximum|tops|at"
        rf" (?:the )?most|at least"
        r"|minimum)\b",
        rf"{OPENING}{_SUBJECT} (?:is|are|stays?|gets?) (?:limited|capped|restricted) (?:to|at) {_AMOUNT}",
        rf"{OPENING}{_SUBJECT} (?:[a-z]{{2,20}} ){{1,3}}?{_MOST} {_AMOUNT}",
    ),
    rule("it must be by a number", 0.45, unless=_TOLD, is_denied=False)(
        "must has have may",
        rf"(?:{OPENING}|, (?:and |so |but )?){_SUBJECT} (?:must|may only|may not|(?:has|have) to)"
        rf" [^.;:?,]{{2,60}}?\b{_AMOUNT}",
    ),
    rule("it comes so long before", 0.45, unless=_TOLD, beside="before after")(
        "goes go sent send comes come starts start ends end expires expire runs run opens open closes close",
        rf"{OPENING}{_SUBJECT} (?:(?:goes|go|comes?) out|(?:is|are) sent(?: out)?|starts?|ends?|expires?|runs?"
        rf"|opens?|closes?)"
        rf" {_AMOUNT}[\w ]{{0,20}}? (?:before|after)\b",
    ),
    rule(
        "stays here, not there",
        0.62,
        is_denied=False,
        unless=rf"{_TOLD}|\b(?:bugs?|errors?|problems?|issues?|faults?|leaks?|cause|logic|code|culprit|exception|trace)\b",
    )(
        "stay stays remain remains live lives stored kept hosted saved sent paid printed served",
        rf"{OPENING}(?:{_SUBJECT}) (?:stays?|remains?|lives?|(?:is|are|will be|must be) (?:stored|kept|hosted"
        rf"|saved|sent|paid"
        r"|printed|served)) (?:on|in|at|with|under|by|via)\b[^;?]{2,60}?,? (?:and )?(?:not|never) (?:on|in|at"
        r"|with|via|by|under"
        r"|to) [\w@]",
    ),
)
REST_STAYS: Final = (
    r"(?i)\W*(?:and )?(?:everywhere else|everyone else|everybody else|everything else|anywhere else|(?:all"
    r" )?(?:the )?(?:rest"
    r"|others?)(?: [\w-]{2,20}){0,2}?|otherwise it) (?:still )?(?:stays?|remains?|keeps?)\b"
)
"""Ends an exception that the sentence before it makes: "everywhere else stays at 45"."""
