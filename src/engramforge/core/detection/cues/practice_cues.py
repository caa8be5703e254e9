"""Wordings of how things are done from now on: practice, rules with a beginning or a scope, what is given up, limits.

A limit alone may only be how things are, so that most of these wait for a person's review; a rule in plain speech
counts where a person gives it.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.choice_cues import NO_PART
from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.deciders import GROUP
from engramforge.core.detection.cues.decision_cues import LET_US, OPENING, ORDERS

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
_FEW: Final = r"(?: [\w@#'\u2019/&-]{1,30}){0,3}?"
_OF_MANY: Final = rf"(?:an?|every|each|any|no) [\w@#'\u2019/&-]{{2,30}}{_FEW}"
"""A rule speaks of all of a kind: "a loan", "every crate"."""
_BARE: Final = (
    r"(?!(?:the|my|your|our|his|her|their|its|this|that|these|those|an?|i|we|you|he|she|it|they|there|what|who|when|how"
    r"|why|if|not|some|someone|somebody|everyone|nobody|no|error|warning)\b)[\w@#'\u2019/&-]{2,30}"
)
_KIND: Final = rf"(?:{_OF_MANY}|{_BARE}{_FEW})"
_BARE_NAMES: Final = (
    rf"(?!(?:works?|runs?|fails?|crash\w*|happens?|broken?|breaks?)\b){NO_PART}(?: {NO_PART}){{0,2}}?"
)
_SO_NOW: Final = (
    r"\b(?:today|yesterday|tonight|tomorrow|right now|currently|at the moment|so far|broken|slow|why|lol|haha|fixed"
    r"|repaired|resolved|arrives?|anyway|no idea|wondering|would|could)\b"
)
_WENT: Final = (
    rf"{_SO_NOW}|\b(?:was|were|had|did|last \w+|seems?|says|said|failed|i|my|me|since|after|even|although|though"
    r"|no matter|whatever|still|always|stuck|again|forever|despite|twice|lately|yet|nowadays|usually|mostly|somehow"
    r"|because of)\b"
)
"""Beside these it is told how something goes, not how it shall be."""
_FAULTS: Final = (
    rf"{_WENT}|\b(?:bugs?|errors?|problems?|issues?|faults?|leaks?|cause|logic|culprit|exceptions?|traces?|requests?"
    r"|events?|handler|callback|listener|breakpoint|works?|request|spinner|cursor|wrong|missing|empty|crash\w*|freez\w+)\b"
)
_NOT_REACHED: Final = (
    rf"{_FAULTS}|\b(?:queue|pages?|screen|server|client|backend|frontend|endpoint|db|database|inbox|browser|console"
    r"|ui)\b"
)
"""What never gets there is mostly lost: "messages never get to the queue"."""
_MEASURED: Final = (
    r"(?:cpu|load|memory|ram|usage|temperature|counter|counts?|total|sum|score|accuracy|loss|latency|progress|ping"
    r"|result|value|answer|output|battery|balance|level|fan|gauge|needle|percentage|coverage|speedup|error rate)"
)
_DONE: Final = r"be (?:\w+ ){0,2}?\w{2,20}(?:ed|en|wn|id|ut|ld|nt|ade|one)(?: [\w-]{2,20}){0,2}?"
_FORMAT: Final = (
    r"(?:webp|avif|png|jpe?g|gif|svg|pdf|csv|tsv|json|ya?ml|toml|xml|markdown|md|parquet|mp[34]|flac|wav|ogg|opus|html"
    r"|txt|plain (?:text|numbers)|zip|utc|uuids?|links|vectors|icons|iso[\w-]*)"
)
SPOKEN_RULES: Final = (
    rule("it never goes there", 0.64, is_denied=False, unless=_NOT_REACHED)(
        "never",
        rf"{OPENING}{_KIND} (?:must |may |should )?never (?:(?:go|goes|leaves?|appears?|gets?|enters?|ends? up|lands?"
        r"|belongs?|comes?|travels?|touch(?:es)?)(?: out)? (?:on|in|into|onto|to|near|past|the|our|their|any|anything)"
        r"|(?:be |is |are )?(?:sent|stored|kept|printed|shown|shared|logged|written|published|posted|put) (?:to|in|into"
        r"|on|with|anywhere|outside|out)|(?:in|into|on|to) (?:the|any|an?)) ?\S",
    ),
    rule("it only counts if", 0.64, unless=_SO_NOW, beside="only")(
        "counts count counted valid complete confirmed done official final eligible accepted approved closed",
        rf"{OPENING}{_KIND} (?:only )?(?:counts?|(?:is|are) counted)(?: as [\w' -]{{2,40}}?)? (?:only )?"
        r"(?:if|when|once|from|with) \S",
        rf"{OPENING}{_OF_MANY} is only (?:valid|complete|confirmed|done|official|final|eligible|accepted|approved"
        r"|closed) (?:if|when|once|with) \S",
    ),
    rule(
        "not before that is done",
        0.64,
        unless=_SO_NOW,
        is_denied=False,
        beside="can cant cannot must mustn may",
    )(
        "before until unless after once",
        rf"{OPENING}{_KIND} (?:can['\u2019]?t|can ?not|must(?:n['\u2019]?t| not)|may not) {_DONE}"
        r" before \S",
        rf"{OPENING}{_OF_MANY} (?:can['\u2019]?t|can ?not|must(?:n['\u2019]?t| not)|may not) {_DONE}"
        r" (?:until|unless) \S",
        rf"{OPENING}{_OF_MANY} (?:can|may|must) only {_DONE} (?:after|once) \S",
    ),
    rule(
        "nobody does it by hand",
        0.64,
        unless=_WENT,
        is_denied=False,
        beside="hand manually directly alone but except",
    )(
        "nobody hand manually directly alone except",
        rf"(?:{OPENING}|[,;] (?:and |so )?)(?:nobody|no ?one) (?!(?:knows|likes|cares|wants)\b)[a-z]{{2,20}}s"
        r" [^.;:?,]{2,40}? (?:by hand|manually|directly|alone|but|except)\b",
    ),
    rule("every one is done so", 0.6, unless=_FAULTS)(
        "every each",
        rf"{OPENING}(?:every|each) [\w@#'\u2019/&-]{{2,30}}{_FEW} (?:is|gets) (?:scanned|weighed|checked|signed|counted"
        r"|labelled|labeled|tagged|reviewed|approved|stamped|measured|photographed|numbered|washed|noted|booked|sealed"
        r"|registered) (?:at|by|before|with|on|in) \S",
    ),
    rule("at most so many", 0.64, unless=_WENT, is_denied=False)(
        "max maximum most more",
        rf"{OPENING}{_BARE_NAMES} (?:(?:are|may be|can be|must be|may have|get) )?(?:max\.?|maximum|at most|no more"
        rf" than) {_AMOUNT}",
        rf"{OPENING}(?:max\.?|maximum|at most|no more than) {_AMOUNT} [\w ]{{2,30}}? (?:per|for each|an?|each|in each)"
        r" \w[\w ]{1,30}(?=\W*$|[,;])",
    ),
    rule("stays at a number", 0.64, unless=_FAULTS, is_denied=False)(
        "stay stays",
        rf"{OPENING}(?!{_MEASURED}\b)(?:{_BARE}(?: (?!{_MEASURED}\b)[\w'\u2019/&-]{{2,30}}){{0,2}}? stays?"
        rf"|the [\w'\u2019/&-]{{2,30}}s stay) (?:at|under|below|above) {_AMOUNT}",
    ),
    rule("in this form", 0.64, unless=_FAULTS)(
        "webp avif png jpg jpeg gif svg pdf csv tsv json yml yaml toml xml markdown md parquet mp flac wav ogg opus"
        " html txt plain zip utc uuid links vectors icons iso quality size width height level depth scale",
        rf"{OPENING}{_BARE_NAMES} as {_FORMAT}(?=\W*$|[,;] )",
        rf"{OPENING}{_BARE_NAMES} as [\w.+#-]{{2,20}}[,;] (?:quality|size|width|height|level|depth|scale)"
        r" \w{1,8}\W*$",
    ),
    rule("there, not here", 0.64, unless=_FAULTS, is_denied=False, beside="on in at under by from with")(
        "not",
        rf"{OPENING}{_BARE_NAMES} (?:on|in|at|under|by|from|with) [^,.;:?]{{2,40}}?,? not (?:on |in |at |under |by "
        r"|from |with )?(?:the |an? )?[\w-]{2,20}(?: [\w-]{2,20})?(?=\W*$|[,;])",
        rf"{OPENING}(?:the )?[\w-]{{2,30}}{_FEW} (?:hangs?|sits?|stands?|goes|go|belongs?) (?:on|in|at|under|to)"
        r" [^,.;:?]{2,40}, not (?:on|in|at|under|to) \S",
    ),
    rule("only so", 0.64, unless=rf"{_FAULTS}|\b(?:theory|read|for now)\b", beside="in as with on at")(
        "only",
        rf"{OPENING}{_BARE_NAMES} (?:in|as|with|on|at) [^,.;:?]{{2,40}}? only(?=\W*$|[,;])",
    ),
    rule("how things are named", 0.66, unless=_FAULTS)(
        "naming names format formats style styles convention conventions unit units spelling versioning numbering",
        r"^\W*(?:(?:file )?nam(?:ing|es)|formats?|styles?|conventions?|units?|spelling|versioning|numbering)"
        r"(?: (?:of|for) [\w -]{2,30})?: (?!(?:still|no|what|how|which|not|open)\b)[^.;:?]{2,80}? (?:is|are|have|has"
        r"|gets?|with|in|as|only|uppercase|lowercase)\b",
    ),
)
SPOKEN: Final = frozenset(each.name for each in SPOKEN_RULES)
"""Rules of what a person says outright; who helps them, or talks with others, mostly tells how things are."""
ADVISED: Final = ORDERS | SPOKEN
"""What counts for little where an assistant says it."""
REST_STAYS: Final = (
    r"(?i)\W*(?:and )?(?:everywhere else|everyone else|everybody else|everything else|anywhere else|(?:all"
    r" )?(?:the )?(?:rest"
    r"|others?)(?: [\w-]{2,20}){0,2}?|otherwise it) (?:still )?(?:stays?|remains?|keeps?)\b"
)
"""Ends an exception that the sentence before it makes: "everywhere else stays at 45"."""
