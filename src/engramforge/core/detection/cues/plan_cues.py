"""Wordings of decisions about the future: a team's plans, rules for everyone, limits.

A limit alone may only be how things are, so that most of these wait for a person's review.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.deciders import DECIDER_STEMS, GROUP
from engramforge.core.detection.cues.decision_cues import CONTRAST, LET_US, OPENING

ADOPT: Final = (
    r"(?:use|go|adopt|move|switch|keep|store|host|support|run|migrate|deploy|build|drop|replace|write|terminate"
    r"|encrypt|expose|version|split|implement|create|continue|standardi[sz]e|rely|provide|maintain|manage|enforce"
    r"|require|stop|remove|rename|retire|deprecate|treat|apply|introduce|configure|provision|place|put|publish"
    r"|combine|merge|share|start|allow|serve|set|add|have|make|take|define|automate|separate|extend|limit|restrict"
    r"|proxy|route|install|stick|stay|follow|default|talk|live|expire|never|no longer|only|always|not|ship|accept"
    r"|record|log|sign|cache|hash|return|send|discard|exclude|include|measure|charge|offer|close|reduce|delay|skip"
    r"|freeze|pause|archive|delete|ignore|prefer|assume|target|license|rewrite|rebuild|call|name|prioriti[sz]e"
    r"|invest|hire|cap|hold off|squash|rebase|self-host|vendor|paginate|validate|generate|inline|batch|compress"
    r"|deduplicate|normali[sz]e|mock|lint|retry|queue|index|mirror)"
)
_BECOME: Final = (
    r"be (?:written|built|deployed|hosted|stored|based|kept|served|versioned|run|handled|managed|implemented"
    r"|configured|pulled|enforced|encrypted|rebuilt|done|made|limited|used|renamed|removed|retired|replaced|released"
    r"|moved|signed|reviewed|supported|required|dropped|migrated|split|merged|published|hashed|cached|logged|sent"
    r"|exposed|supporting|using|moving|dropping|running|keeping|switching)"
)
_CHANGING: Final = (
    r"(?:killing|moving|dropping|switching|retiring|removing|replacing|deprecating|sunsetting|freezing|adopting"
    r"|migrating|standardi[sz]ing|banning|forbidding|consolidating|splitting|pausing|rolling back|cutting"
    r"|cancell?ing|discontinuing|phasing out)"
)
_FROM_DAY: Final = (
    r"(?:from|as of|starting|beginning|effective)(?: from| with| on| in)? (?:(?:today|tomorrow|(?:next |this"
    r" )?(?:(?:mon|tues|wednes|thurs|fri)day|week|month|sprint|release|quarter|year)|(?:version|release|sprint|v)"
    r" ?\d[\w.]*|q[1-4]|january|february|march|april|june|july|august|september|october|november|december)\b)(?:"
    r" on(?:wards?)?\b)?,?"
)
_PRACTICE: Final = (
    r"(?:us(?:e|ing)|support(?:ing)?|accept(?:ing)?|issu(?:e|ing)|allow(?:ing)?|ship(?:ping)?|build(?:ing)?"
    r"|deploy(?:ing)?|merg(?:e|ing)|offer(?:ing)?|run(?:ning)?|maintain(?:ing)?|stor(?:e|ing)|writ(?:e|ing)"
    r"|publish(?:ing)?|releas(?:e|ing)|provid(?:e|ing)|sign(?:ing)?|host(?:ing)?|serv(?:e|ing)|send(?:ing)?"
    r"|generat(?:e|ing)|rely(?:ing)? on|target(?:ing)?|requir(?:e|ing)|do|doing|cache|caching|log(?:ging)?)"
)

_plan = partial(rule, needs_work=True, is_plan=True)

PLAN_RULES: Final = (
    _plan("team is changing", 0.54, beside=f"i {DECIDER_STEMS}")(
        "killing moving dropping switching retiring removing replacing deprecating sunsetting banning forbidding"
        " freezing adopting migrating standardising standardizing consolidating splitting pausing rolling",
        rf"(?:\bwe(?:['\u2019]re| are)|{GROUP} (?:is|are))(?:\s+(?:now|also|finally"
        rf"|not))?\s+{_CHANGING}\b(?!\s+(?:on|in|house|out)\b)",
    ),
    _plan("team will", 0.54, beside=DECIDER_STEMS)(
        "wil will shall won going gonna ll",
        rf"(?:\bwe|{GROUP})(?:['\u2019]ll|\s+(?:will?|shall|won['\u2019]?t|are (?:not )?(?:going to|gonna))"
        r"|['\u2019]?re (?:not )?(?:going to|gonna))(?:\s+(?:\w+ly|not|no longer))?\s+"
        rf"(?:{ADOPT}|{_BECOME})\b(?!\s+(?:to (?:decide|see|wait|discuss|check)|a look|time|back|\w+ing\b))",
    ),
    _plan("from a day on", 0.56)(
        "today tomorrow monday tuesday wednesday thursday friday week month sprint release quarter year version v q"
        " january february march april june july august september october november december",
        rf"{OPENING}{_FROM_DAY}\s+(?:we|everyone|everybody|nobody) (?:(?:only|all|always|no longer|now|also"
        r"|\w+ly) )?(?!(?:have|had|see|are|were|get|got|need|know|can|could|might|may|should|meet|think|want|is"
        r"|be)\b)\w+",
    ),
    _plan("no longer done", 0.55, beside="we team")(
        "longer anymore any",
        rf"\b(?:we|the team)(?:['\u2019]re| are| will|['\u2019]ll)? no longer {_PRACTICE}\b",
    ),
    _plan("all must", 0.54)("must shall", r"^\W*(?:all|every|each|no)\b[^.;,]{2,60}\b(?:must|shall)\b"),
    _plan("i will not the other", 0.53)(
        "instead rather favor favour",
        r"\bi(?:['\u2019]ll|['\u2019]m going to| will| am going to)\s+(?!be\b|need\b"
        rf"|have\b)[^.;?]{{3,120}}?\b{CONTRAST}",
    ),
)
_SUBJECT: Final = (
    r"(?!(?:i|you|he|she|it|its|this|that|there|what|who|when|where|how|why|if|they|my|your|his|her|their|error|warning"
    r"|(?:the|our) (?:library|package|compiler|docs|build|server|site|app|tests?|pipeline|office|meeting|bug|error|log)"
    r")\b)[\w@#'\u2019/+&-]{1,30}(?: [\w@#'\u2019/+&-]{1,30}){0,5}?"
)
AMOUNT: Final = r"(?:\d|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|half|zero)\b)"
_MOST: Final = (
    r"(?:at (?:the )?(?:most|least)|max\.?|maximum|no more than|not more than|never more than|no (?:longer"
    r"|later|fewer|less) than|not longer than|up to|within)"
)
_TOLD: Final = (
    r"\b(?:was|were|had|did|took|today|yesterday|tomorrow|tonight|right now|currently|at the moment|so far"
    r"|last \w+|seems?|says|said|fails?|failed|crash\w*|broken|slow|why|lol|haha|i|my|me|you|your)\b"
)
"""Beside these it is told how something is or went."""
_MOMENT: Final = (
    r"\b(?:today|tomorrow|tonight|now|first|next|again|this time|for (?:a|the) (?:moment|while|minute)|for now"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekend|debugger|profiler|grep|to (?:see|find|check|look"
    r"|debug|test|try|figure|understand|trace|measure|meet|talk|chat))\b"
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
        r"|it['\u2019]?s|so)\b[^?]{2,100})?[\s.!]*$",
    ),
    rule("planned with a number", 0.6, unless=_MOMENT, beside="with")(
        "plan calculate reckon",
        rf"(?:{OPENING}(?:we |please )?|[,;] (?:so |but |and )?(?:we |please )?|\b(?:but|so|and) (?:we |please )?)"
        rf"(?:plan|calculate|reckon) (?:only |just )?with (?:at (?:most|least) )?{AMOUNT}(?![^,.;]*\b(?:people|guests"
        r"|persons|friends|nights)\b)",
    ),
    rule("a limit is set", 0.45, unless=_TOLD, is_denied=False)(
        "max maximum tops most least limited capped restricted more longer later fewer less up within",
        rf"{OPENING}{_SUBJECT} (?:(?:is|are|may|can|must|will|stays?|lasts?|takes?|lives?|runs?|gets?|have|has|get) "
        rf"(?:be |have |take |last )?)?[^.;:?,]{{0,40}}?{AMOUNT}[^.;:?,]{{0,24}}? (?:max|maximum|tops|at"
        rf" (?:the )?most|at least"
        r"|minimum)\b",
        rf"{OPENING}{_SUBJECT} (?:is|are|stays?|gets?) (?:limited|capped|restricted) (?:to|at) {AMOUNT}",
        rf"{OPENING}{_SUBJECT} (?:[a-z]{{2,20}} ){{1,3}}?{_MOST} {AMOUNT}",
    ),
    rule("it must be by a number", 0.45, unless=_TOLD, is_denied=False)(
        "must has have may",
        rf"(?:{OPENING}|, (?:and |so |but )?){_SUBJECT} (?:must|may only|may not|(?:has|have) to)"
        rf" [^.;:?,]{{2,60}}?\b{AMOUNT}",
    ),
    rule("it comes so long before", 0.45, unless=_TOLD, beside="before after")(
        "goes go sent send comes come starts start ends end expires expire runs run opens open closes close",
        rf"{OPENING}{_SUBJECT} (?:(?:goes|go|comes?) out|(?:is|are) sent(?: out)?|starts?|ends?|expires?|runs?"
        rf"|opens?|closes?) {AMOUNT}[\w ]{{0,20}}? (?:before|after)\b",
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
        r"|with|via|by|under|to) [\w@]",
    ),
)
