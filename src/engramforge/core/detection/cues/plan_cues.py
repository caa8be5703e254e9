"""Wordings of decisions about the future: a team's plans, rules for everyone, limits.

A limit alone may only be how things are, so that most of these wait for a person's review.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from engramforge.core.detection.cues.choice_cues import NO_PART
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

_SEEN: Final = (
    rf"{_TOLD}|\b(?:bugs?|errors?|problems?|issues?|wrong|still|again|always fails|suddenly|measured|shows?|observed"
    rf"|only (?:get|see)|strange|weird|odd|hangs?|stuck|should|maybe|perhaps|what|how|if|then it)\b"
)
_UNIT: Final = (
    r"(?:ms|\u00b5s|us|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|px|pt|rem|em|mm|cm|m|kb|mb|gb"
    r"|k?hz|mhz|fps|v|volts?|m?a|m?w|%|rpm|dpi|baud|bits?|bytes?|chars?|characters|lines|degrees|dB)"
)
_KNOB: Final = (
    r"(?:(?:[\w-]{2,20} ){0,2}?(?:debounce|debounce time|pulse|pulse (?:width|length)|delay|time-?out|interval"
    r"|cool-?down"
    r"|period|margin|padding|gap|threshold|limit|retention|ttl|font size|line height|duration|hysteresis|gain|offset"
    r"|tolerance|radius|quality|baud ?rate|sample rate|sampling rate|frame rate|duty cycle|back-?off|lifetime|quota"
    r"|brightness|volume|resolution|polling rate|preheat|lead time|fade|ramp|dwell|hold time))"
)
"""What somebody sets, other than what is measured: a delay, a margin."""
_NOT_SUCH: Final = (
    r"(?!(?:the|my|your|this|that|network|response|round-?trip|current|actual|average|max|measured|test|build|it|got"
    r"|have|has|see|saw)\b)"
)
_FORMS: Final = (
    r"(?:utc|gmt|local time|metric|imperial|celsius|kelvin|euros?|cents|english|german|french|(?:lower|upper|title)"
    r" ?case"
    r"|(?:kebab|snake)[-_ ]?case|camel ?case|utf-?8|iso[\w-]*|seconds|millimet(?:re|er)s|met(?:re|er)s|grams|svg(?:"
    r" paths?)?|json"
    r"|csv|png|jpe?g|webp|pdf|markdown|plain text|ya?ml|toml|xml|integers?|cents|hex|base64|wkt|geojson|vectors?"
    r"|polylines?|parquet|flac|opus|mp3|epoch)"
)
_DAYS: Final = (
    r"(?:(?:on|at|during|over|after|before) )(?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:night|nite"
    r"|morning"
    r"|evening|noon|afternoon)s?)?|week-?ends?|week-?days|nights?|nite|noon|work(?:ing)? ?days|business hours|office"
    r" hours)"
)
_NO_ABSENCE: Final = (
    r"(?!(?:tests?|readme|docs?|documentation|licen[cs]e|ci|commits?|branch(?:es)?|errors?|warnings?|idea|config\w*"
    r"|changelog|bugs?"
    r"|changes?|files?|makefile|dockerfile|lockfile|signal|progress|problems?|issues?|joke|fun|one|more|need|sign"
    r"|trace|mention|such|\S*\.(?:json|md|toml|lock|ya?ml|txt))\b)"
)
NOT_BEFORE: Final = (
    r"(?:(?:an?|every|each|no|the|any) (?:[\w'\u2019-]{2,20} ){1,3}?|(?!(?:it|that|this|they|he|she|i|we"
    r"|you)\b)[\w-]{3,20}s )"
    r"(?:isn['\u2019]?t|aren['\u2019]?t|(?:is|are) not|(?:is|are) never|won['\u2019]?t be|(?:doesn['\u2019]?t"
    r"|don['\u2019]?t) get|(?:does"
    r"|do) not get) (?!\w*(?:started|finished|fixed|solved|decided|merged|loaded|rendered|called|tested|implemented"
    r"|reached)\b)"
    r"\w{2,16}(?:ed|nt|id|pt|ld|wn|ut|en)(?: (?:out|in|over|off|up|away|back))? (?:before|until+|till|unless) (?!(?:i"
    r"|you|now|today|the (?:next|page|server|app"
    r"|request|test|build))\b)[^,;:.?]{2,50}?\b(?:(?:has|have) (?!to\b)(?:\w+ )?\w{2,15}(?:ed|en|id|nt|wn|ne|ad|pt|ut)"
    r"|(?:people|persons|members|of (?:us|them|you)) (?:have )?\w{2,15}(?:ed|id|nt))\b"
)
"""Says what has to be done first, a rule and nothing open: "no invoice is sent before the boss has signed it"."""
SETTING_RULES: Final = (
    rule("a setting and its value", 0.64, unless=_SEEN, is_denied=False)(
        "debounce pulse delay timeout interval cool cooldown period margin padding gap threshold limit retention ttl"
        " font line duration hysteresis gain offset tolerance radius quality baud sampl frame duty back lifetime quota"
        " brightness volume resolution polling preheat lead fade ramp dwell hold",
        rf"{OPENING}{_NOT_SUCH}{_KNOB}(?: (?:is|are|at|of|stays at|=))? \d{{1,6}}(?:\.\d{{1,3}})? ?{_UNIT}(?: for"
        rf" (?:the |all"
        r" |each )?[\w -]{2,30}?)?(?=\W*$|[,;]| and \d)",
    ),
    rule(
        "set to one, not another",
        0.66,
        unless=r"\b(?:yesterday|today|for now|this time|just once|why)\b",
        is_denied=False,
    )(
        "make set put change",
        rf"{OPENING}(?:please |pls )?(?:make|set|put|change) (?:the|our|all) [^,;:?]{{2,50}}? (?:to |at"
        rf" )?\d{{1,6}}(?:\.\d{{1,3}})?"
        rf"(?: ?{_UNIT})?,? (?:and not|not|instead of|rather than) \d",
    ),
    rule("at most so many at once", 0.64, unless=_SEEN, is_denied=False)(
        "max maximum most more",
        rf"{OPENING}(?:max\.?|maximum|at most|no more than|never more than) {AMOUNT}[\w-]{{0,8}} [\w ]{{2,30}}? (?:at"
        rf" (?:once|a time|the"
        r" same time|one time)|in parallel|simultaneously|together|concurrently)(?=\W*$|[,;])",
    ),
    rule(
        "all of it works so",
        0.66,
        unless=rf"{_TOLD}|\b(?:demo|exam|by (?:fri|mon|tomorrow)\w*|tests? pass)\b",
        is_denied=False,
        beside="has must needs",
    )(
        "everything all app site whole",
        rf"(?:{OPENING}|[,;] (?:and |so |but )?|\bso )(?:everything|all of it|it all|the (?:whole )?(?:app|site|tool"
        rf"|game|thing|shop)) "
        r"(?:has to|must|needs to) (?:always |also |still )?(?:work|run|be usable|stay usable|be readable|load|start"
        r"|print)"
        r" (?:offline|without (?:an? )?(?:internet|network|net|wifi|signal|javascript|js|account|login|mouse|cloud"
        r"|server)"
        r"|in (?:any|every|old) \w+|on (?:any|every|old|small|cheap) \w+|by keyboard|with (?:a|the) keyboard)",
    ),
    rule("always in this form", 0.64, unless=_SEEN.replace("always fails", "comes? out"), is_denied=False)(
        "always",
        rf"{OPENING}(?!(?:the|it|they|that|this)\b){NO_PART}(?: {NO_PART}){{0,2}}? (?:are |is )?always (?:in|as|with)"
        rf" {_FORMS}(?=\W*$|[,;])",
    ),
    rule("only on such days", 0.64, unless=_SEEN, is_denied=False)(
        "only",
        rf"{OPENING}(?:we )?(?!(?:works?|fails?|crash\w*|happens?|breaks?|opens?|hangs?|runs?|comes?|shows?|appears?"
        rf"|occurs?|trains?|bus"
        rf"|it|closed|opened?|shop|store|sometimes)\b)[\w'\u2019-]{{3,20}}(?: [\w-]{{2,20}}){{0,2}}? only"
        rf" {_DAYS}(?=\W*$|[,;])",
    ),
    rule("never done away with", 0.64, unless=_SEEN, is_denied=False)(
        "never",
        rf"{OPENING}(?!(?:te?mp|temporary|cached?|logs?|rows?|files?|messages?|emails?|cookies|sessions?|the|it|they"
        rf"|my|old|some)\b)"
        r"[\w'\u2019-]{3,20}(?: [\w'\u2019-]{2,20}){0,2}? (?:must |may )?never (?:get|gets|be|are|is) (?:deleted"
        r"|removed|overwritten|reused|re-used"
        r"|renumbered|recycled|erased|purged|merged|sold|shared)(?=\W*$|[,;]| (?:from|by|without|after|once|with) )",
    ),
    rule(
        "kept in this form",
        0.64,
        unless=rf"{_SEEN}|\b(?:by default|now|so far)\b",
        is_denied=False,
        beside="are is get gets",
    )(
        "stored saved kept exported encoded written drawn sent printed",
        rf"{OPENING}(?!(?:the|it|they|that|this|these)\b){NO_PART}(?: {NO_PART}){{0,2}}? (?:are|is|get|gets) (?:always"
        rf" |only )?(?:stored|saved"
        rf"|kept|exported|encoded|written|drawn|sent|printed) as (?:an? )?{_FORMS}(?=\W*$|[,;])",
    ),
    rule(
        "none of it in here",
        0.66,
        unless=rf"{_SEEN}|\b(?:found|yet|so far|looks)\b",
        is_denied=False,
        beside="project repo code app firm front back site libr game",
    )(
        "no",
        rf"{OPENING}no {_NO_ABSENCE}[\w.+#@/-]{{2,30}}(?: [\w.+#-]{{2,20}})? (?:in|for) (?:this|our|the whole)"
        rf" (?:project|repo(?:sitory)?|code ?base"
        r"|code|app|firmware|front-?end|back-?end|site|library|game)(?=\W*$|[,;])",
    ),
    rule("used rather than another", 0.62, unless=rf"{_SEEN}|\b(?:car|bus|train|bike|stairs|lift)\b")(
        "use",
        rf"{OPENING}(?:for [\w ]{{2,30}} )?we use (?:the |an? )?(?!(?:it|this|that|them|these|our"
        rf"|my)\b)[\w.+#/-]{{2,30}}(?: [\w.+#/-]{{2,30}}){{0,3}}?,?"
        r" (?:rather than|instead of) (?!\w+ing\b)\w",
    ),
    rule(
        "not before it is done",
        0.66,
        unless=r"\b(?:why|yet|still|today|currently|at the moment|bug|broken)\b",
        is_denied=False,
    )("before until untill till unless", rf"{OPENING}{NOT_BEFORE}"),
)
"""Settings and rules that somebody gives in a few words."""

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
