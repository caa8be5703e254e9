"""Words that say that something is decided, and not what: "Decided in the retro", "that's final", "team decision".

They stand in a sentence of their own or in a clause before or after the statement that they make a decision of.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from engramforge.core.detection.cues.cue_rule import beginning_set
from engramforge.core.detection.cues.deciders import BODY, GROUP, WE_OR_I_HAVE
from engramforge.core.text.late_pattern import late

_DECIDED: Final = (
    r"(?:de[cs](?:i|ie|ei)ded|agree?d|settled|voted|finali[sz]ed|locked|locked in|set in stone|binding|decreed"
    r"|ratified|unanimous)(?: (?:up)?on| to| for)?"
)
_APPROVED: Final = (
    r"(?:approved|accepted|green-?lit|cleared|blessed|mandated|signed(?: (?:it|this|that))? off(?: on)?)"
)
"""Says it only of what lay before somebody, and of much else: a holiday, a patch."""
_NOUN: Final = (
    r"(?:de[cs]+[iy][cs]+ion|decison|verdict|choice|ruling|vote|agreement|consensus|resolution|call|(?:final|last)"
    r" word|(?<=final )answer)"
)
_NAMED: Final = rf"(?:{_NOUN}|(?:team|house|hard|firm|company|project) (?:rule|policy))"
_WHOSE: Final = (
    r"(?:(?:(?:the|our|my|a|an|this|that|final|joint|unanimous|firm|clear|official|formal|new|majority|collective"
    r"|technical|binding|definite|last|team|group|management|board|product|architectur(?:e|al)"
    rf"|{GROUP})|[\w-]+['\u2019]s?)\s+){{0,4}}"
)
_FIRMLY: Final = (
    r"(?:(?:now|then|already|all|both|finally|also|just|officially|hereby|unanimously|formally|jointly|internally"
    r"|together|long|definitely|been|firmly|really)\s+){0,3}"
)
_DAY: Final = (
    r"(?:(?:the|our|a|that|this|last)\s+)?(?:[\w-]+\s+)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|call|meeting"
    r"|slack|phone|spot|sync|retro|weekly|\d)"
)
_PREPOSITION: Final = (
    rf"(?:with|w/|in(?! favou?r)|on(?= {_DAY}\b)|at|by(?! (?:the|an?|its) (?:flag|setting|config\w*|parameter"
    r"|value|caller|function|server|client|model|scheduler|type|test)\b)|after(?! \d)|over|during|before|together"
    r"|yesterday|today|tonight|earlier|last|this|now|already|from|of|unanimously|as of|as a|since|because|due to"
    r"|then|here|internally|\d[\d.-]*|(?:mon|tues|wednes|thurs|fri|satur|sun)day|a (?:while|week|month|few|long)"
    r"|formally|officially|without|across|among|for (?:good|now|sure|all|everyone|the time being)|and"
    r" (?:communicated|done|closed|final|signed|settled|agreed|approved|documented|announced|decided))"
)
_CONTENT: Final = rf"(?:to|that|on(?! {_DAY}\b)|upon|against|we|i|will|is|are|use|not)"
"""What does not come in the words on who, when and where: what is decided begins there."""
_TAIL: Final = (
    rf"(?:[\s,]\s?{_PREPOSITION}(?![\w'\u2019])(?:[:-]\d+)?(?: (?!{_CONTENT}\b)[^\s,;:?()\u2014\u2013]{{1,40}}"
    r"(?<!\.)){0,9})?"
)
_ASIDE: Final = (
    r"(?:(?:\s*[,;(\u2014\u2013]\s?|\s-\s|\s(?=and\b))(?:(?:so|and|please|pls|no exceptions?|sorry|because|since"
    r"|forgot|meant|didn['\u2019]?t|did not|should(?:['\u2019]?ve| have)|haven['\u2019]?t|effective|even|also|just|i"
    r" don['\u2019]?t|we don['\u2019]?t|it['\u2019]s|don['\u2019]t|stop|nothing|\d)\b[^:?]{0,90}|(?:\w+ of us"
    r"|everyone|everybody|nobody|no one|all|both|he|she|they) (?:was|were|had|agreed|objected|said|nodded"
    r"|voted)\b[^:?]{0,60}|(?:rationale|reason(?:ing)?|why)\s*:[^:?]{0,120}|(?!(?:we"
    r"|i)\b)[a-z0-9][\w.'\u2019/-]{0,30}(?: (?!(?:is|are|will|be|we|i|uses?|stays?"
    r"|comes?)\b)[\w.'\u2019/-]{1,30}){0,2}))?"
)
"""A few words behind it that state nothing else: "final decision, budget approved"."""
_MERE: Final = (
    r"(?!(?:no|not|never|any|tough|hard(?! rule)|good|bad|great|wise|nice|wrong|right|your|his|her|their|difficult"
    r"|easy|pending|open|big|smart|solid|design|deliberate|conscious)\b)"
)
_THAT_IS: Final = (
    r"(?:(?:that|this|it|which|everything|all (?:of )?(?:this|that)|(?:the )?(?:date|number|value|name"
    r"|place))(?:['\u2019]?s|\s+(?:is|was|has|had|got|has been|stands?|remains))\s+(?:been )?)"
)
_MEETING: Final = (
    r"(?:meeting|discussion|call|vote|round|retro\w*|sync|workshop|talk|weekly|board|debate|review|session|standup"
    r"|planning|chat|poll|comparison|evaluation|spike)"
)
_STRONG: Final = (
    rf"{_FIRMLY}{_DECIDED}",
    rf"{_THAT_IS}{_FIRMLY}(?:{_DECIDED}|final(?: final)?|official|a done deal|(?:not|n['\u2019]t) (?:up for (?:debate"
    r"|discussion)|negotiable)(?: any ?more)?|fixed(?: for good)?|confirmed|sealed|nailed down|that|non-?negotiable"
    r"|the plan of record|how (?:we(?:['\u2019]ll| will|['\u2019]re going to)? do (?:it|this|that)|it (?:is|will be"
    r"|stays))"
    rf"|(?:exactly )?what (?:{WE_OR_I_HAVE}){_DECIDED}|{_WHOSE}{_MERE}(?:{_NAMED}|(?:(?:new|agreed|our|the|a)"
    rf" )(?:new |agreed )?(?:rule|policy|plan|standard|convention))(?: (?:now|then|here))?(?: (?:that"
    rf" )?(?:{WE_OR_I_HAVE}|{GROUP} )(?:{_DECIDED}|made|took"
    r"|reached|set|passed|adopted|gave us))?)",
    rf"{WE_OR_I_HAVE}{_DECIDED}(?: (?:on )?(?:this|that|it|so))?",
    rf"(?:{WE_OR_I_HAVE}(?:discussed|argued|debated|talked|went)[^,;:.?]{{0,50}}?(?:,| and|;) )?(?:the|our|my)"
    rf" (?:final )?"
    r"answer (?:is|was) (?:a )?(?:clear |firm )?(?:no|yes)",
    rf"{WE_OR_I_HAVE}(?:made|took|taken|reached|had|held|come to|came to) (?:that|the|this|our|an?|my) (?:\w+"
    rf" )?{_NAMED}",
    rf"(?!(?:(?:the|a|an|this|that) )?{_NOUN}\b(?!['\u2019]?s\b| (?:made|taken|reached|is|was|has|stands|of|by|from"
    rf"|we|that we)\b)){_WHOSE}{_MERE}{_NAMED}(?: (?:is|was|has been|stands|is now)|['\u2019]?s(?: been)?)?(?:"
    rf" (?:made|taken|reached|final|fixed|unanimous|clear|in|closed|firm|official))?(?: (?:that"
    rf" )?{WE_OR_I_HAVE}(?:made|took|reached))?",
    rf"(?:the )?(?:team|group|board|guild|committee|majority|{GROUP}|people|jury) (?:has|have) (?:spoken|decided"
    rf"|voted)",
    r"(?:the )?votes? (?:is|are|['\u2019]s) (?:in|counted|over|done)|(?:we|i)['\u2019]?(?:ve| have)? slept on it",
    r"(?:it['\u2019]?s|that['\u2019]?s|this is) how it(?:['\u2019]ll| will|['\u2019]s going to) be|not negotiable(?:"
    r" any ?more)?|not up for (?:debate|discussion)|fixed for good|moving on|case closed|(?:there['\u2019]?s |so"
    r" there['\u2019]?s )?no way back",
    rf"(?:i['\u2019]m|i am|we['\u2019]re|we are)? ?(?:making|taking) (?:that|this) {_NOUN}(?: (?:here|now|myself))*"
    r"|i['\u2019]m calling it",
    rf"(?:took|taken|made) (?:that|this|the) {_NOUN}|(?:{GROUP}|she|he|(?-i:[A-Z])\w+) owns? (?:that|this|the)"
    rf" {_NOUN}",
    r"(?:discussed|decided|settled|voted),? (?:and )?(?:decided|discarded|done|agreed|settled)(?:,? (?:and )?done)?"
    r"|convinced myself",
    r"(?:that|this|the (?:fight|war|drama|discussion|debate))(?:['\u2019]?s| is) over|fight['\u2019]?s over",
    r"(?:that|this) settles (?:it|that|the matter|the question)",
    r"(?:end of |no more |enough of )(?:the |this )?(?:discussions?|story|debate|arguing|arguments?|bikeshedding"
    r"|back and forth)|(?:discussion|debate|argument)s? over|moving on(?: now)?|next topic",
    rf"(?:this|that|it|which) (?:was|is|came out as) (?:the|our|a) (?:\w+ )?(?:(?:compromise|consensus)(?: (?:of"
    rf"|from|with|after|in) [^,;:?]{{2,60}})?|(?:result|outcome|conclusion|upshot)(?: (?:of|from|after|in)"
    rf" (?:[\w'-]+ ){{0,4}}?(?:{_MEETING}|team|{GROUP})))|(?:the|our|final)? ?(?:vote|poll)s? (?:was|were|is|ended"
    r"|came out|went) (?:\w+ ){0,3}\d+ (?:to|against|:|-|vs\.?) \d+|(?:\d+|\w+) (?:to|against|vs\.?) (?:\d+|\w+)"
    r" (?:votes|in the vote)",
    rf"(?:{GROUP}|(?:the )?(?:whole|entire) \w+|(?-i:[A-Z])\w+(?: and (?-i:[A-Z])\w+)?|all) (?:(?:is|are|was|were)"
    rf" )?(?:all )?(?:in favou?r|for it|behind (?:it|this|that|me|us)|with (?:me|us)|aligned)",
    r"(?:and )?i['\u2019]?(?:m| am) (?:with (?:them|him|her|it)|firm|strict|serious)(?: (?:on|about) (?:it|this"
    r"|that))?|(?:and )?i (?:really )?mean it|(?:i )?(?:don['\u2019]?t|do not) (?:want to|wanna) (?:hear|talk|argue)"
    r" (?:about )?(?:it|this|that)(?: (?:again|any ?more))?",
    r"(?:the )?(?:discussion|debate|case|topic|matter|subject|question)(?: is| was)? (?:now )?(?:closed|over|settled)",
    r"full stop|period|no exceptions?|(?:it['\u2019]s a )?done deal|no ifs,? (?:and|or|no) buts|final",
    r"(?:with )?no (?:further|more) (?:discussion|debate)s?(?: (?:needed|please|on (?:this|that)))?",
    r"(?:please )?(?:consider|treat|take|mark|count|regard) (?:it|this|that)(?: as)? (?:decided|final|settled|agreed"
    r"|a decision)",
    r"i(?:['\u2019]m| am)? (?:not (?:changing my mind|discussing (?:it|this|that))|(?:don['\u2019]t|do not) want to"
    r" (?:discuss|reopen|debate) (?:it|this|that))(?: again)?",
    r"no (?:discussion|debate|arguments?|way back|going back)|(?:everyone|everybody|we all|we) shook hands on (?:it"
    r"|that|this)",
    r"(?:(?:we|i)(?:['\u2019]ve| have)? )?(?:finally )?made up (?:our|my) minds?|(?:our|my) minds? (?:is|are) made up",
    rf"per (?:our |the )?(?:\w+ )?{_NAMED}",
    r"(?:\w+ and \w+|all (?:two|three|four|five|six|seven) of us|the (?:two|three"
    rf"|four) of us)(?: have)? {_DECIDED}(?: (?:on )?(?:this|that|it))?",
    rf"as (?:was |we |already |just |previously )*{_DECIDED}",
)
_WEAK: Final = (
    rf"{_FIRMLY}{_APPROVED}(?= (?:by|with|in|at|yesterday|today|this|last)\b)|(?:confirmed|okayed|ok['\u2019]?d"
    rf"|backed)(?= by\b)",
    rf"{_THAT_IS}{_FIRMLY}(?:been )?signed(?: off)?",
    r"(?:the |our )?(?:contract|deal|offer|order|paperwork|agreement)(?:['\u2019]?s|s)?(?: is| was| are| has been|"
    r" got)?"
    rf"(?: now| already| been)? (?:signed|approved|in place|done|final)|signed(?= (?:{_PREPOSITION})\b)",
    rf"(?:{GROUP}|(?:the )?[\w-]+ (?:board|committee|council)|(?:my|our) \w+|(?-i:[A-Z])\w+|{BODY})(?: has| have|"
    rf" already| just| also)* (?:approved|signed(?: off)?|accepted|ok['\u2019]?d|okayed|cleared|confirmed|agreed"
    rf"|backed|green-?lit|blessed"
    r"|mandated|said so|said yes|insisted|asked for it|wanted it)(?: (?:on |with |to )?(?:it|this|that|us|(?:the|our"
    r"|their|its|a) (?:[\w-]+ )?(?:contract|deal|offer|budget|quote|plan|proposal|order|purchase|design|change|move"
    r"|spending|switch|choice)))?(?:,? and i (?:fully )?agree(?:d)?)?",
    r"(?<=and )i (?:fully )?agree(?: with (?:it|that|them))?|i['\u2019]m on board|(?-i:[A-Z])\w+ got (?:his|her"
    r"|their) way",
    rf"(?:{GROUP}|(?-i:[A-Z])\w+)(?: is| are|['\u2019]s) (?:fine|happy|ok|okay|on board) with (?:it|that|this)",
    rf"{GROUP} (?:gave|has given|have given) (?:us |it )?(?:the|its|their|his|her|a) (?:green light|go|go-?ahead"
    r"|ok|okay|blessing|nod|approval)(?: (?:for|to) (?:it|that|this))?",
    r"(?-i:[A-Z])\w+ signed off(?: on (?:it|that|this))?",
    rf"{_THAT_IS}{_FIRMLY}{_APPROVED}",
    rf"(?:{WE_OR_I_HAVE}|(?:the )?(?:[\w-]+ )?{GROUP} )(?:{_APPROVED}|confirmed)(?: (?:on )?(?:this|that|it|so))?",
    rf"{WE_OR_I_HAVE}fixed (?:this|that|it)(?= (?:with|in) (?!(?:an?|some|one|two)\b))",
    rf"{GROUP}(?: is| are|['\u2019]s) (?:fine|happy|on board)(?: with (?:it|that|this))?",
)
_LED: Final = (
    r"\W*(?:(?:so|and|ok|okay|yes|yep|but|well|right|alright|now|which)\b\W*){0,3}(?:(?:(?:nobody|no one)"
    r" (?:objected|complained|disagreed)|no (?:objections?|complaints?))[,;]? (?:so |and )?|\w+ (?:insisted|asked"
    r" for it|confirmed|wanted it)[,;]? (?:so |and ))?"
)
_CLOSE: Final = rf"(?![\w'\u2019]){_TAIL}{_ASIDE}{_ASIDE}[\s.!)\]\u2026:;(-]*\Z"
SETTLES: Final = tuple(
    rf"{_LED}(?:{'|'.join(_STRONG[begin:end])}){_CLOSE}"
    for begin, end in pairwise((0, 2, 5, 11, len(_STRONG)))
)
"""A sentence or clause that says no more than that something is decided; several patterns, since a single one keeps so
much while it is compiled that all garbage is collected."""
ENDORSES: Final = rf"{_LED}(?:{'|'.join(_WEAK)}){_CLOSE}"
"""The same of something approved, which makes a decision only of what is to be."""
APPROVING: Final = beginning_set(
    "approved accepted green cleared blessed mandated signed confirmed fixed fine happy board paperwork okayed"
    " backed insisted said agree deal contract gave given"
)
MATTERS: Final = beginning_set(
    "question debate discussion saga fight argument search hunt matter topic drama bikeshedding bake decision choice"
    " vote poll subject story call word verdict answer"
)
_SETTLED_STEMS: Final = beginning_set(
    "decided desided deceided agreed settled voted finalised locked stone binding decreed ratified unanimous"
    " verdict choice ruling consensus resolution call word official deal discussion debate story case topic"
    " matter subject period stop confirmed fixed ifs shook minds negotiable rule policy record exceptions"
    " spoken slept making arguing moving result outcome compromise conclusion upshot poll favor behind aligned"
    " firm strict serious mean hear bikeshedding enough"
)
SETTLING: Final = _SETTLED_STEMS | APPROVING | MATTERS
"""A text without any of these beginnings settles nothing."""
KEPT: Final = (
    r"(?:(?:i(?:['\u2019]d| would) like|i want|i['\u2019]d love|let) (?:this|that|it) (?:to )?(?:be )?(?:put"
    r" )?(?:noted|written|recorded|kept|logged|on (?:record|file))(?: (?:down|as (?:an? )?(?:\w+ )?decision))?"
    r"|(?:just )?so (?:that )?(?:it|this|that)(?:['\u2019]s| is) (?:written|noted|recorded|on record)(?: down|"
    r" somewhere)?|(?:(?:please|pls|kindly|bitte|merci de|por favor)\s)?(?:put (?:this|that|it)?\s?(?:down|on (?:the"
    r" )?(?:record|file))|note(?: this)?(?: down| for (?:the future|later|next time|all future work))|remember for"
    r" the future|write(?: this)? down|record(?: this| that)?|(?:für das|zu) protokoll|festhalten|notieren|notier"
    r"|noter|consigner|anota|apunta)(?:,? (?:please|pls|bitte))?)"
)
"""Asks that what follows be kept: "Please record", "Just so it is written down"."""
KEEPING: Final = beginning_set(
    "noted written recorded kept logged file put remember protokoll festhalten notieren consigner anotar apunta"
)
"""A text without any of these beginnings asks for no such thing."""
POINTS_BACK: Final = late(
    r"(?i)\W*(?:(?:so|and|ok|okay|but|well)\b\W*)*(?:that|this|which|everything|all|as|final|period|full stop|end of"
    r"|no|agreed|approved|accepted|the (?:case|matter|topic|discussion)|case|topic|discussion|debate)\b"
)
"""Speaks of what was said before it, so that nothing behind it is meant."""
_TIME: Final = (
    r"(?:(?:yesterday|today|tonight|earlier|this \w+|last \w+|on \w+|after [\w ]{1,40}|in [\w ]{1,30}),?\s+)"
)
DECISION_HEAD: Final = (
    r"\W*(?:(?:ok|okay|so|and|hi all|hey|well|alright|right|yes|please|pls|just)\b\W*){0,3}(?:(?:(?:note|record"
    r"|write|log|register|save|remember|add|put|capture|document|keep)(?: down| as| in"
    r" mind)?\s+)?(?:[\w'\u2019.-]+\s+){0,5}?decisions?(?:[\s(#,][^:]{0,60})?"
    rf"|{_TIME}?(?:{WE_OR_I_HAVE})?(?:decided|agreed|settled|voted|concluded|decide)(?:[\s(,][^:]{{0,60}})?"
    rf"|(?:here(?:['\u2019]s| is| are) )?(?:what|the (?:[\w-]+ )?[\w-]+(?: that)?) {WE_OR_I_HAVE}(?:decided|agreed"
    r"|chose|picked|took|went with|selected|settled)(?:[\s(,][^:]{0,40})?|(?:the )?(?:outcome|result|conclusion"
    r"|upshot|consensus|verdict) (?:of|from|after|in|among) (?:the |our |todays |today['\u2019]s )?"
    rf"(?:[\w-]+ ){{0,3}}(?:{_MEETING}|guild|team|group|maintainers|developers|leads|all)(?: [^:]{{0,30}})?"
    r"|(?:a |one )?(?:new|house|team|our|general|hard|golden|strict|simple|ground|project)(?: \w+)? (?:rule|policy"
    r"|convention|standard|guideline)(?:[\s(,][^:]{0,60})?|rule (?:from now on|as of \w+)|(?:we (?:have|['\u2019]ve"
    r" got|reached|got)|there(?:['\u2019]s| is)) (?:an? |the )?(?:clear |final )?(?:consensus|winner|decision"
    r"|agreement|deal|verdict)(?: [^:]{0,40})?|(?:we|i)(?:['\u2019]ve| have)? (?:made|took|taken|reached) (?:a|the"
    r"|our|my) (?:\w+ )?(?:decision|call|choice)(?: [^:]{0,60})?"
    rf"|(?:team|group|final|majority) (?:vote|choice|pick)|(?:[\w-]+ ){{0,3}}[\w-]+['\u2019]s (?:call|choice"
    rf"|verdict)|(?:(?:i['\u2019]?m|i am|we['\u2019]?re|we are) )?(?:making|taking) (?:the|a) (?:decision|call)(?:"
    rf" [^:]{{0,30}})?"
    r"|change of plans?|signed off(?: (?:by|with) [^:]{1,40})?|we resolve|(?:we|i)(?:['\u2019]ve| have)? made up"
    r" (?:my|our) minds?|(?:my|our) minds? (?:is|are) made up|by (?:\w+ )?vote|to settle (?:this|it|that|the \w+)(?:"
    r" once and for all)?|(?:the |our )?(?:[\w-]+ ){1,5}?(?:(?:has|have) been |was |is )?(?:chosen|selected|picked"
    r"|agreed)|(?:that|this) settles (?:it|that))\s*\Z"
)
"""What stands before a colon that leads to a decision."""
_MATTER: Final = (
    r"(?:question|debate|discussion|saga|fight|argument|search|hunt|matter|topic|drama|war|back and forth|bake-?off"
    r"|bikeshed(?:ding)?|decision|choice|vote|poll|story|subject)"
)
MATTER_SETTLED: Final = late(
    rf"(?i)\W*(?:(?:so+|ok|okay|right|well|alright|and|now|finally|hey|hi|fyi|yes)\b\W*){{0,3}}(?:(?:the|our|this"
    rf"|that|a)\s)?(?:long )?(?P<topic>(?:[\w/.+-]+ ){{0,4}}){_MATTER}(?: (?:about|on|of|over|for) (?P<about>[\w"
    rf" /.+-]{{2,40}}?))?"
    r"(?:['\u2019]s| is| was| has been| are)? (?:now |finally |officially |thereby |long )*(?:closed|over|settled"
    r"|decided|done|dealt with|put to rest|cleared up|answered|made|finished|in)(?: (?:now|then|at last|for good"
    r"|finally))?[\s.!:]*\Z|(?i:\W*(?:final|last) (?:call|word|answer|decision|choice|verdict) (?:on|about|for"
    r"|regarding) (?:the |our )?(?P<on>(?!boarding|papers|drinks|passengers|orders)[\w /.+-]{2,50}?)\s*:?\Z)"
    r"|(?i:\W*(?:final|last) (?:call|word)\s*\Z)"
)
"""Says that a matter is settled whose answer follows: "the identity question is settled: ...", "Final call on maps"."""
