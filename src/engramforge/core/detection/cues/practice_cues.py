"""Wordings of how things are done from now on: practice, rules with a beginning or a scope, what is given up.

A rule in plain speech counts where a person gives it.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.choice_cues import NO_PART
from engramforge.core.detection.cues.cue_rule import rule
from engramforge.core.detection.cues.deciders import GROUP
from engramforge.core.detection.cues.decision_cues import OPENING, ORDERS
from engramforge.core.detection.cues.plan_cues import AMOUNT, SETTING_RULES
from engramforge.core.detection.cues.spoken.house_cues import HOUSE_RULES
from engramforge.core.detection.cues.spoken.setting_cues import SETTING_SPOKEN_RULES
from engramforge.core.detection.cues.spoken.told_cues import TOLD_SPOKEN_RULES

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
    r"|events?|handler|callback|listener|breakpoint|works?|request|spinner|cursor|wrong|missing|empty|crash\w*"
    r"|freez\w+)\b"
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
    r"(?:webp|avif|png|jpe?g|gif|svg|pdf|csv|tsv|xlsx|ods|json|ya?ml|toml|xml|markdown|md|parquet|mp[34]|flac|wav|ogg"
    r"|opus|html|txt|plain (?:text|numbers)|zip|utc|uuids?|links|vectors|icons|iso[\w-]*)"
)
_PLAIN: Final = 0.6
"""How sure a rule about all of a kind is at least: most are about everyday things."""
_SEEN: Final = (
    rf"{_FAULTS}|\b(?:takes? (?:about|around|ages)|delay|attempts?|retr(?:y|ies)|ages|hangs?|loading|gone|lost|blank"
    r"|strange|odd|funny|annoying|different|other|another|opinions?|problem|should|maybe|perhaps|probably|guess"
    r"|sometimes|often|hardly|almost|really|already|except|same|duplicat\w+|double|restart|reload|update|refactor\w*"
    r"|by default|out of the box|(?:in|on) (?:the )?(?:db|database|seed|repo|branch|github|gitlab|data|code|docs)|as"
    r" (?:usual|expected)|(?:in|with) (?:postgres\w*|sqlite|mysql|react|java\w*|python|git|css|html|node|rust)"
    r"|[45]\d\d|\d ?(?:ms|secs?|[kmg]b|percent|%))(?!\w)"
)
"""Beside these it is told what somebody sees, or thinks."""
_CODE: Final = (
    r"(?:modules?|class(?:es)?|functions?|imports?|packages?|dependenc(?:y|ies)|components?|charts?|buttons?|rows?"
    r"|columns?|quer(?:y|ies)|lists?|links?|forms?|tables?|logs?|feeds?|workers?|clients?|caches?|headers?|pages?"
    r"|screens?|maps?|servers?|parsers?|browsers?|linters?|responses?|requests?|tests?|builds?|runs?|clicks?|taps?"
    r"|calls?|commits?|loops?|threads?|promises?|ads?|nulls?|git|sqlite|postgres\w*|docker|react|node|javascript"
    r"|methods?|scripts?|libs?|librar(?:y|ies)|versions?|releases?|branch(?:es)?|hooks?|widgets?|variables?|tabs?"
    r"|compilers?|apis?|users?)"
)
"""What is at hand while one works: what is said of these is mostly what somebody sees."""
_NO_THING: Final = (
    rf"(?!{_CODE}\b)(?!(?:time|times|day|days|morning|evening|night|week|month|year|second|minute|hour|now|once|other"
    rf"|single"
    r"|few|one|of|last|new|attempt|try|person|child|kid|man|woman|dog|cat|family|things?|article|tutorial)\b)"
)
"""What every one of does something is no rule: "every time", "every test"."""
_NOT_SAID: Final = (
    r"(?!(?:the|my|your|our|his|her|their|its|this|that|these|those|it|them|me|you|us|him|up|out|down)\b)"
)
_MANY: Final = (
    rf"(?:{_OF_MANY}|(?!(?:the )?(?:{_CODE}|newest|latest|oldest)\b)(?:the )?{_BARE}{_FEW})(?<!\bthings)"
)
_NEVER_DOES: Final = (
    r"(?:contains?|includes?|mentions?|stores?|asks? for|collects?|deletes?|overwrites?|shares?|reveals?|sells?"
    rf"|exceeds?|carr(?:y|ies)) {_NOT_SAID}(?!(?:new|old|last|latest|updated?|saved?|changes)\b)\S"
)
_PLACES: Final = r"(?:first|last|on top|at the (?:top|end|bottom)|before|ahead of)"
_NO_LACK: Final = (
    rf"(?!{_CODE}\b)(?!(?:luck|changes?|difference|idea|output|way|chance|problems?|need|effect|results?|sound|signal"
    r"|errors?|crash|answer|reaction|connection|hope|progress|success|improvement|point|day|night|sense|doubt|issues?"
    r"|warnings?|wonder|fun|life|internet|wifi|display|picture|power|data|place|joy|pain|gain)\b)"
)
_ROLE: Final = (
    rf"(?:(?:the|an?) (?:[\w'\u2019-]{{2,20}} ){{0,2}}?(?!{_CODE}\b)[\w'\u2019-]{{2,20}}(?:er|or|ist|ant|ian|ain|ess"
    rf"|ff|ary|man"
    r"|ent|chair|head|admin)|(?!(?:the|gods?|windows|things|files|my|some|two|three|paid)\b)(?:[\w'\u2019-]{2,20}"
    r" ){0,2}?"
    rf"(?!{_CODE}\b)[\w'\u2019-]{{2,20}}(?:[^s\W]s|staff))"
)
_DESIGNED: Final = (
    r"(?!(?:errors?|logs?|notes?|todos?|questions?|answers?|results?|output|warnings?|bugs?|fixed|found|status|hint|tip"
    r"|example|update|news|reminder|ps|summary|problem|issue|missing|tests?|today|yesterday|tomorrow)\b)"
)
_EACH_ITS_OWN: Final = (
    r"(?:(?:each|every) [\w-]{2,20}(?: [\w-]{2,20})? (?:gets |has |in )?(?:its|their) own|one (?:file|table|db"
    r"|database|row|schema|folder|sheet|page|key|bucket|doc\w*|record|collection|column|tab|directory|account|channel"
    r"|topic|queue) (?:per|for each)) [\w-]{2,20}"
)
SPOKEN_RULES: Final = (
    *SETTING_RULES,
    *HOUSE_RULES,
    *SETTING_SPOKEN_RULES,
    *TOLD_SPOKEN_RULES,
    rule("every one has it", 0.64, unless=_SEEN, is_denied=False, least=_PLAIN)(
        "every each",
        rf"{OPENING}(?:every|each) {_NO_THING}[\w@#'\u2019/&-]{{2,30}}{_FEW} (?:has|gets|carries|holds|keeps|costs"
        rf"|needs|belongs to|starts with|ends with|begins with|contains|comes with|lives in|links to|must have)"
        rf" (?:{AMOUNT}"
        r"|(?:exactly|only|at most|at least|max|its|their|no)\b)(?! (?:\w+ )?\w+ed\b)[^;:?]{2,80}$",
        rf"{OPENING}(?:every|each) {_NO_THING}[\w@#'\u2019/&-]{{2,30}}{_FEW} is (?:counted|paid|backed up|exported"
        rf"|printed"
        r"|stored|kept|asked|sent|cleaned|renewed|emptied) (?:once|only|weekly|daily|monthly|yearly|separately"
        r"|as|under|per|(?:twice|once) an?)\b[^;:?]{0,80}$",
        rf"{OPENING}(?:every|each) {_NO_THING}[\w@#'\u2019/&-]{{2,30}}{_FEW} (?!(?:takes|runs|is|has|prints|throws"
        rf"|returns"
        r"|logs|fires|loads|renders|gives|makes|crashes|shows|sends|says|does|uses|counts)\b)[a-z]{2,15}s"
        rf" (?:(?:exactly|only|at most|at least|its own)\b|{AMOUNT})[^;:?]{{0,80}}$",
    ),
    rule("it never does that", 0.64, unless=_SEEN, is_denied=False, least=_PLAIN)(
        "never",
        rf"{OPENING}{_MANY} (?:must |may |should )?never {_NEVER_DOES}",
        rf"{OPENING}{_MANY} (?:must |may |should )?never leaves? (?!(?:the )?(?:house|bed|sofa|home|loading|state|box"
        rf"|screen"
        r"|queue|loop|room)\b)\S",
        rf"{OPENING}{_MANY} never (?:come|are brought) back (?:by|through|with|after) \S",
        rf"{OPENING}(?:an? |every )?(?:[\w'\u2019-]{{2,20}} ){{1,2}}?(?:numbers?|ids?|keys?|codes?|slugs?|urls?"
        rf"|handles?)"
        r" never changes?(?=\W*$|,? (?:once|after) \w)",
    ),
    rule("it always comes there", 0.64, unless=_SEEN.replace("|always", ""), is_denied=False, least=_PLAIN)(
        "always",
        rf"{OPENING}(?!(?:family|safety|health|love|kids|work)\b){_MANY} always (?:go(?:es)?|comes?|stands?|sits?"
        rf"|ranks?|stays?) {_PLACES}\b",
        rf"{OPENING}the [\w'\u2019-]{{2,30}}['\u2019]s [\w'\u2019-]{{2,20}} always (?:wins|takes (?:precedence"
        rf"|priority)|has"
        r" (?:precedence|priority))(?=\W*$|,| over)",
    ),
    rule(
        "none without that",
        0.64,
        unless=rf"{_SEEN}|\b(?:here|there|possible|anymore|drama|trouble|pain|warnings?|javascript|node|fail)\b",
        is_denied=False,
        least=_PLAIN,
    )(
        "without",
        rf"{OPENING}no {_NO_LACK}[\w'\u2019-]{{2,30}}{_FEW} without (?:an? |at least |prior |written |two |one )?"
        rf"{_NOT_SAID}[\w'\u2019-]{{2,30}}{_FEW}(?: (?:in|on|at|from|by) [\w '\u2019-]{{2,30}})?(?=\W*$|,)",
    ),
    rule("only some may", 0.64, unless=_SEEN, is_denied=False, least=_PLAIN, beside="may can are is")(
        "only",
        rf"{OPENING}only {_ROLE} (?:(?:may|(?:is|are) allowed to) (?!judge\b)[a-z]{{2,20}}|can (?:change|edit|cancel"
        rf"|delete"
        r"|rename|close|approve|book|add|remove|invite|sign|publish|post|release|order|lend|hand out|unlock|move|merge"
        r"|refund|accept|reject|archive|export|assign)) (?!(?:it|this|that) (?:now|here)\b)[^;:?]{2,80}$",
    ),
    rule("a store and its shape", 0.64, unless=_SEEN, is_denied=False, least=_PLAIN)(
        "each every one",
        rf"{OPENING}(?!(?:thanks|grep|\w+ing)\b){_BARE_NAMES} for (?:the )?(?:[\w-]{{2,20}} )?[\w-]{{2,20}},"
        rf" {_EACH_ITS_OWN}",
        rf"^\W*{_DESIGNED}[\w-]{{2,24}}(?: [\w-]{{2,24}})?: {_BARE_NAMES}, {_EACH_ITS_OWN}",
    ),
    rule("its fields are", 0.64, unless=_SEEN.replace("|fixed", ""), is_denied=False, least=_PLAIN)(
        "fixed required mandatory allowed",
        r"^\W*(?:fixed|required|mandatory|allowed) (?:[\w-]{2,20} )?(?:fields?|columns?|status(?:es)?|states?|roles?"
        r"|sizes?|units?|types?|kinds?|tags?|colou?rs?|categories|formats?|values?|labels?|keys?): (?!(?:what|why|how"
        r"|which|still|not|no|none)\b)[\w /-]{2,30},[^;:?]{2,100}$",
    ),
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
        r" (?:[^.;:?,]|\.(?=\w)){2,40}? (?:by hand|manually|directly|alone|but|except)\b",
    ),
    rule("every one is done so", 0.6, unless=_FAULTS)(
        "every each",
        rf"{OPENING}(?:every|each) [\w@#'\u2019/&-]{{2,30}}{_FEW} (?:is|gets) (?:scanned|weighed|checked|signed|counted"
        r"|labelled|labeled|tagged|reviewed|approved|stamped|measured|photographed|numbered|washed|noted|booked|sealed"
        r"|registered) (?:at|by|before|with|on|in) \S",
    ),
    rule("at most so many", 0.64, unless=rf"{_WENT}|\b(?:strange|weird|odd|funny)\b", is_denied=False)(
        "max maximum most more",
        rf"{OPENING}{_BARE_NAMES} (?:(?:are|may be|can be|must be|may have|get) )?(?:max\.?|maximum|at most|no more"
        rf" than) {AMOUNT}",
        rf"{OPENING}(?:max\.?|maximum|at most|no more than) {AMOUNT} [\w ]{{2,30}}? (?:per|for each|an?|each|in each)"
        r" \w[\w ]{1,30}(?=\W*$|[,;])",
    ),
    rule("stays at a number", 0.64, unless=_FAULTS, is_denied=False)(
        "stay stays",
        rf"{OPENING}(?!{_MEASURED}\b)(?:{_BARE}(?: (?!{_MEASURED}\b)[\w'\u2019/&-]{{2,30}}){{0,2}}? stays?"
        rf"|the [\w'\u2019/&-]{{2,30}}s stay) (?:at|under|below|above) {AMOUNT}",
    ),
    rule("in this form", 0.64, unless=_FAULTS)(
        "webp avif png jpg jpeg gif svg pdf csv tsv xlsx ods json yml yaml toml xml markdown md parquet mp flac wav ogg"
        " opus html txt plain zip utc uuid links vectors icons iso quality size width height level depth scale",
        rf"{OPENING}{_BARE_NAMES} as {_FORMAT}(?=\W*$|[,;] | \([\w ,;-]{{2,30}}\)\W*$)",
        rf"{OPENING}{_BARE_NAMES} as [\w.+#-]{{2,20}}[,;] (?:quality|size|width|height|level|depth|scale)"
        r" \w{1,8}\W*$",
    ),
    rule("there, not here", 0.64, unless=_FAULTS, is_denied=False, beside="on in at under by from with")(
        "not",
        rf"{OPENING}{_BARE_NAMES} (?:on|in|at|under|by|from|with) [^,.;:?]{{2,40}}?,? not (?:on |in |at |under |by "
        r"|from |with )?(?:the |an? )?(?!(?:right|correct|ok|okay|good|fine|there|visible|shown|found|clear|valid|done"
        r"|ready"
        r"|working|centred|centered|aligned|enough|quite|really|even|very|yet)\b)[\w-]{2,20}(?: [\w-]{2,20})?(?=\W*$"
        r"|[,;])",
        rf"{OPENING}(?:the )?[\w-]{{2,30}}{_FEW} (?:hangs?|sits?|stands?|goes|go|belongs?) (?:on|in|at|under|to)"
        r" [^,.;:?]{2,40}, not (?:on|in|at|under|to) \S",
    ),
    rule(
        "all of them so",
        0.64,
        unless=r"\b(?:was|were|had|did|wrong|errors?|bugs?|why|still|seems?)\b",
        is_denied=False,
    )(
        "not",
        rf"{OPENING}(?:all|every) (?:the |our )?[\w'\u2019-]{{2,30}}{_FEW} (?:are |is )?(?:in|on|at|with|via|by|as) "
        r"[^,.;:?]{2,40}, not (?:in |on |at |with |via |by |as )?[\w-]{2,20}(?: [\w-]{2,20})?(?=\W*$|[,;])",
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
    r"(?i)\W*(?:and )?(?:(?:every(?:where|one|body|thing)|anywhere) else|(?:all )?(?:the )?(?:rest|others?)"
    r"(?: [\w-]{2,20}){0,2}?|otherwise it) (?:still )?(?:stays?|remains?|keeps?)\b"
)
"""Ends an exception that the sentence before it makes: "everywhere else stays at 45"."""
