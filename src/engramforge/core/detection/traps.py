"""Wordings in which a cue does not count: negation, questions, conditions, wishes, hearsay."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from engramforge.core.detection.cues.cue_rule import beginning_set, beginnings
from engramforge.core.registries.wording.passed_on import without_source
from engramforge.core.text.late_pattern import late

_QUESTION: Final = late(
    r"(?i)\?[\"')\]*_\s]*$|,\s(?:or (?:is|are|was|were|has|have|did|does|do|not)\b(?: \w+){0,2}|(?:is|was|did"
    r"|does|has)n['\u2019]?t (?:it|that|he|she|they|we)|oder(?: nicht)?|o no|ou (?:pas|non))\W*$"
)
_ASKS_PLAINLY: Final = late(
    r"(?i)(?:\bor what|,\s*or should (?:we|i)\b[^,;.!]{0,60}|[,;\u2014\u2013-]\s*(?:right|no|eh|huh|wdyt"
    r"|(?:any )?thoughts|what do you think|what would you say|ok(?:ay)? (?:with|for) you|do you agree)|\bwdyt)\W*$"
)
"""Asks by its last words, also without a question mark: "back to tabs or what"."""
_OR_NOT: Final = late(r"(?i)(?P<before>[^,;:.!()]{1,200}) or not\W*$")
_NO_MATTER: Final = late(r"(?i)\b(?:whether|if|like|want|no matter|ready|needed|wanted)\b")
_FEWEST_ASKED: Final = 3
_ASKS_OPINION: Final = late(
    r"(?i)^\W*(?:(?:so|and|but)\b\W*)?(?:wdyt|what do you think|what would you say|(?:any )?(?:thoughts|opinions"
    r"|objections)|ok(?:ay)? (?:with|for) you|do you agree|or what|or not|or should (?:we|i) \w[^.;]{0,60})\W*$"
)
"""Only asks what somebody thinks of the sentence before it."""
_ASKING: Final = late(
    r"(?i)^\W*(?:(?:so|and|but|ok|okay|hey|hi|hello|hm+|alright|morning)\b\W*)*(?:(?:what|who|why|how|when"
    r"|where)(?:s|re|d|ll)?|which|whom|whose|(?:do|does|did"
    r"|are|is|was|were|have|has|had|can|could|would|will|shall|should|may|might)(?:n't)?\s+(?:we|you|i|they|he|she"
    r"|it|the|there|this|that|any|your|our)\b|soll\w*|sollen|was|wie|warum|wann|wer)\b"
)
_TELLS: Final = late(
    r"(?i)^\W*(?:(?:so|and|but|ok|okay|hey|hi)\b\W*)*(?:what(?:(?:['\u2019]?s| is| are)(?: still| yet)? (?:missing"
    r"|left|open|outstanding|unsolved|unclear|lacking|needed)| (?:we|i|nobody|remains|still|hasn['\u2019]t)\b)|was"
    r" (?:noch|uns|mir|wir|fehlt|bleibt)\b)[^?]*\b(?:is|are|was|ist|sind)\b[^?]*$"
)
"""A statement that begins like a question: "what's still missing is a cook\"."""
_INVERTED: Final = late(
    r"(?i)^\W*(?:\w+\W+){0,2}?(?:what|which|who|why|how|when|where)\s+(?:do|does|did|are|is|was|were|have|has|can"
    r"|could|should|shall|will)\s+(?:we|you|i|they|he|she|it)\b"
    r"|^\W*(?:\w+\W+){0,2}?(?:what|who|where)(?:['\u2019]?s| is| are) (?:still|left|open|missing|outstanding|next)\b"
    r"(?:\s\w+){0,3}\W*$"
)
_NEGATED: Final = late(
    r"(?i)(?:\b(?:not|never|nobody|no one|none|neither|nothing|without|hardly|barely|cannot|nicht|nie|kein\w*|no)\b"
    r"|n't\b|n\u2019t\b|\byet to\b)(?:\s+(?!but\b)[\w'/-]+){0,4}\W*$"
)
_CONDITION: Final = late(
    r"(?i)\b(?:if|unless|suppose|supposing|imagine|assuming|provided(?: that)?|in case|whether|until|once|as soon as"
    r"|whenever|wish(?:es|ed)?|hop(?:e|es|ed|ing)|had (?:we|i|they)|were (?:we|i) to|as though|as if|falls|wenn|ob)\b"
)
_OPEN_CONDITION: Final = late(r"(?i)^\W*(?:\w+\W+){0,2}?when\b")
_UNCERTAIN: Final = late(
    r"(?i)\b(?:could|might|may|would(?: have)?|should(?: have)?|maybe|perhaps|possibly|probably|likely"
    r"|hypothetically|theoretically|can|want(?:s|ed)? to|like to|love to|need(?:s|ed)? to|ha(?:ve|s|d) to|got to"
    r"|try(?:ing)? to|tried to|about to|supposed to|going to|able to|ready to|how to|time to|hard to|easy to|tempted"
    r" to|planning to|plan to|plans to|tend to|prefer to|inclined to|think(?:ing)? (?:about|of)|thought (?:about|of)"
    r"|considering|consider|considered|leaning|discuss(?:ed|ing)?|argue|suggest(?:s|ed|ing)?|propos(?:e|es|ed|ing)"
    r"|recommend(?:s|ed)?|wonder(?:ing|s|ed)?|no longer sure|not sure|unsure|doubt(?:s|ed)?(?: that)?|afraid"
    r"|unlikely)\b(?:\s+[\w'/-]+){0,3}\W*$"
)
_OWN_SUBJECT: Final = late(r"(?i)(?<=,) (?:we|i)\b")
"""Begins a clause anew: "As discussed, we decided"."""
_POSSIBLE: Final = late(r"(?i)\b(?:could|might|may|would(?: have)?|can)\b(?:\s+[\w'/-]+){0,2}\W*$")
_UNREAL: Final = late(
    r"(?i)\b(?:would have|could have|should have|might have|would be|no longer sure|not sure|as a joke|kidding|in"
    r" theory|for example|for instance|e\.g\.)|\b(?:i|we|you|they|he|she)['\u2019]d have\b"
    r"|^\W*(?:back )?in (?:19|20)\d\d\b[^.!?]{1,120}\b(?:today|now|nowadays)\b"
)
_HEARSAY: Final = late(
    r"\b(?:(?:he|she|they|They|He|She|you|someone|Someone|people|[A-Z]\w+)\s+(?:\w+ly\s+)?(?:said|says|say|told"
    r"|asked|asks|wrote|writes|claimed|claims|claim|mentioned|explained|thinks|think|thought|believes|commented"
    r"|posted|reckons|wondered|wants|wanted|would prefer|prefers|heard)\b|\b[Aa]ccording to\b|\b(?:[Ll]aut|[Ss]elon"
    r"|[Ss]eg\u00fan) (?=[A-Zd]|le|la|el)|\b[Ii]t (?:prints?"
    r"|printed|says|returned|shows)\b|\b[Tt]he (?:output|result|answer|log|reply) (?:is|was|says)\b(?! (?:a"
    r" )?(?:clear |firm )?(?:no|yes)\b)|\b[Pp]er the\b|\b[Ii] (?:read|heard|saw) (?:that|about|on|in|[DTdt]-?\d+)\b"
    r"|\bthe (?:article|book|blog|post|paper|video|talk|author|story|novel|film|movie|hero|speaker)\b|\b(?:[Tt]he"
    r"|[Tt]his|[Tt]hat|[Tt]heir|[Hh]is|[Hh]er|[Ii]ts|[Aa]n?|[Ss]ome|[Oo]ne)\s+(?:[\w'./-]+\s+){1,4}?(?:says?|said"
    r"|states?|stated|claimed|writes|wrote|returned|answered|responded|replied|printed|reported|mentioned|argues"
    r"|(?:claims?|reads|reports?|mentions?|suggests|suggested|insists|announces|announced|asserts)(?= that\b|:|"
    r" [DTdt]-?\d)|tells|told)\b(?!\s+(?:to|so)\b)|\b(?:says|said|claims|claimed|writes|wrote|states|reports"
    r"|reads)\s+(?:the|that|an?|his|her|their|[A-Z])\b|\b(?i:apparently|allegedly|supposedly|reportedly|they say|per"
    r" the|as per|quote(?=:| unquote\b| from\b)|unquote"
    r"|quoting|quoted)\b|\bin the (?:article|post|page|docs?|document|email|readme|wiki"
    r"|paper|report|log|output|transcript)\b|\b(?i:rumou?r)|\b[Ll]et (?:me|us) know\b|\b[Tt]ell (?:me|us)\b|\bin the"
    r" (?:book|film|movie|novel|story)\b)|\((?:from|via|per|source|according|says?|quoted?)\b|^\W*(?!(?:[Ii]|[Ww]e"
    r"|[Aa]nd|[Aa]s|[Tt]hat)\b)[\w./:@\u00b7-]{2,80}\s+(?:\w+ly\s+)?(?:says|said|posted|wrote|writes|dit|dijo|dice"
    r"|sagt|sagte|schreibt|schrieb|meldet)\b"
)
_OWN_TEXT: Final = late(
    r"(?i)^\W*(?:(?:(?:all|every|each|no|the) (?:\w+ ){1,3}?)?(?:in|for) the (?:paper|article|report|thesis|book"
    r"|talk|post|docs|documentation)(?=,? (?:i|we|is|are|has|have|uses?|must|will)\b(?! (?:read|saw|see|found"
    r"|learn\w*|heard)\b)))"
)
"""The text that the speaker writes: "For the paper I'll go with ...\"."""
_TOLD_BEHIND: Final = late(
    r"(?:[,;(\u2013\u2014]|\s-)\s*(?:at least |or so |so )?(?:(?i:says|said|claims|claimed|states|stated|writes|wrote"
    r"|announced|insists|reports|reported|sagt|sagte|schreibt|schrieb|meint|behauptet|dit|dice|dijo)"
    r" (?:the|his|her|their|an?|some|der|die|das|le|la|el|[A-Z]\w*)\b(?! (?:so|to)\b)(?: [\w'\u2019./-]+){0,4}"
    r"|(?!(?i:i|we|you|as|which|and|but)\b)[\w'\u2019./-]+(?: [\w'\u2019./-]+){0,4}? (?:claims"
    r"|claimed|states|stated|writes|wrote|announced|insists|insisted|reports|reported|told (?:me|us)"
    r"|said|says))\W*$"
)
"""Names behind a statement who makes it: "D001 is superseded, the page claims"."""
_WRITES_THINGS: Final = late(r"(?i)\b(?:writes|wrote|reads|printed|returned|reported) (?:it|them)\b")
"""What a tool or a person does with a thing, and no words that follow."""
_MAY_BE_HEARSAY: Final = beginning_set(
    "said says say told asked asks wrote writes claimed mentioned explained thinks thought believes commented"
    " reckons wondered wants would prefer heard according read saw article book blog post paper video talk"
    " author story novel film movie hero speaker states returned answered responded replied printed dit dijo"
    " dice sagt schreibt meldet shows result reported argues suggests insists announces asserts tells"
    " apparently allegedly supposedly per quote page doc docs document email wiki log output transcript rumor"
    " meint behauptet let from via source unquote laut selon seg\u00fan"
)
"""A sentence without any of these beginnings tells nothing that others say."""
_OF_OTHERS: Final = late(
    r"(?i)^\W*(?:the (?:customer|client|user|server|compiler|competitor)|he|she|they|you)\b"
)
_EXAMPLE: Final = late(
    r"(?i)^\W*(?:(?:add|put|insert|use) (?:an?|the|this) (?:[\w-]+ ){0,3}(?:message|line|text|comment|title|heading"
    r"|caption)s?[^.:?!]{0,30}+:|(?:for example|for instance|e\.g\.|example|examples|usage|syntax|beispiel|note that"
    r" a|hint|tip)\b\W)"
)
_HEDGE: Final = late(
    r"(?i)\b(?:perhaps|maybe|probably|possibly|presumably|supposedly|i (?:guess|suppose)|vielleicht|vermutlich"
    r"|(?:almost|nearly) (?:agreed|chose|decided|dropped|picked|settled|switched|took|went))\b"
)
_ELSEWHERE: Final = late(
    r"(?i)\b(?:(?:at|in|for|with) (?:my|our|his|her|their) (?:last|previous|old|former|first|other) (?:job|company"
    r"|team|project|employer|workplace|client|life)|(?:years?|decades) ago|back (?:then|in (?:the|19|20))|used to)\b"
)
_TOLD: Final = late(
    r"(?i)^\W*(?:please|pls|kindly|can you|could you|would you|you (?:must|should|can|could|may|need|have)|feel free"
    r"|make sure|remember to|don't forget|bitte|(?:explain|describe|find out|figure out|document|check|show me|look"
    r" up|analy[sz]e|investigate) (?:\w+ ){0,2}?(?:why|how|what|whether|which|where|when|if))\b"
)
_SUPPOSED: Final = late(
    r"(?i)^\W*(?:(?:please|pls|now|ok|so|and|then|can you|could you|would you|let's|just)\b\W*){0,3}(?:write|draft"
    r"|compose|translate|rephrase|summar\w+|pretend|imagine|suppose|assume|say|print|echo|repeat|output|respond"
    r"|reply|answer|generate|example|ignore|disregard|forget(?! (?:about )?(?:decision |thread )?[dt]-?\d))\b"
)
_OWN_CLAUSE: Final = late(
    r"(?i)[,;\u2014\u2013]\s+(?:(?P<turn>but|so|and so|yet|however,?|still,?)\s+|(?:because|since|as"
    r"|and)\s+)?(?=(?:we|i)(?:['\u2019]ve|\s+have)?(?:\s+(?:\w+ly|all|just|now|then|already))?\s+(?:decided|agreed"
    r"|settled|chose|picked|went)\b)"
)
_ASKS_THEN: Final = late(
    r"(?i)(?:[,;\u2014\u2013]|[:;]-?[)(DP]|\.{2,}|!)\s+(?:(?:ok(?:ay)?|got it|understood|vale)\W*$|\u00bf?"
    r"(?:(?:so|and|but|then|now)\s+)?(?:any (?:ideas?|tips?|suggestions?) |(?:can|could|would|will)"
    r" (?:you|u) (?!agree|confirm|say|tell)|(?:tu (?:peux|pourrais)|vous (?:pouvez|pourriez)|peux-tu|pourrais-tu"
    r"|pouvez-vous|kannst du|k\u00f6nntest du|k\u00f6nnen sie|puedes|podr\u00edas|me (?:ayudas|haces|pasas)) |(?:how"
    r"|where|what|which)\s+(?:do|should|can|shall) (?:i|we) (?:have|need|do|put|start|go|get"
    r"|set)\b)[^,;?]{0,160}\?\W*$)"
)

_KIN: Final = (
    r"\b(?:mum|mom|mother|dad|father|parents|sister|brother|wife|husband|girlfriend|boyfriend|gf|bf|aunt|uncle|grandma"
    r"|grandpa|granny|nan|flatmate|roommate|in-laws|daughter|son|kids?)\b"
)
_AT_HOME: Final = (
    r"\b(?:dinner|lunch|breakfast|brunch|supper|birthday|party|wedding|movie|cinema|flight|dentist|doctor|vet"
    r"|holidays?"
    r"|vacation|weekend|tonight|pizza|sleepover|barbecue|bbq|picnic|come over|coming over|staying over|pick (?:me"
    r"|her|him|them|us) up|picks? (?:me|her|him|them|us) up)\b"
)
_PRIVATE: Final = late(rf"(?i){_KIN}[^\n]{{0,120}}?{_AT_HOME}|{_AT_HOME}[^\n]{{0,120}}?{_KIN}")
_NEXT_TASK: Final = late(
    r"(?i)^\W*(?>(?:(?:ok(?:ay)?|so|now|then|and|right|alright|well|cool|great|good|next|first|hey|hi)\b\W{0,3}){0,4})"
    r"let['\u2019]?s (?:now |first |quickly |also |just |really )?(?:plan|start|begin|look|see|talk|think|discuss"
    r"|review|check|debug|continue|resume|brainstorm|sketch|outline|figure|explore|investigate|prepare|proceed"
    r"|focus|work|tackle|finish|wrap|clean|fix|find|get (?:going|started|back)|go (?:over|through|on|ahead))\b"
    r"(?![^.;!]{0,80}\b(?:with|in|by|every|each|only|always|never|without|instead|from now|rather|before|after|once"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b)"
)
"""Turns to what is to be done next, and settles nothing of it."""
_BEGINS_ANEW: Final = late(
    r"(?i)^\W*(?:(?:hi|hello|hey|so|ok(?:ay)?|and|now|today)\b\W{0,3}){0,3}(?:we|i)(?:['\u2019]?(?:re|m)| are|"
    r" am)? (?:now |just )?"
    r"(?:start(?:ing)?|begin(?:ning)?) (?:over|anew|afresh|fresh|from scratch|(?:a|an|the|our|with a|with the"
    r"|with our|on a|on"
    r" the) (?:new |next |second )?(?:[\w-]+ ){0,3}?(?:project|repo(?:sitory)?|app|planner|site|prototype))\b"
    r"(?![^.;!]{0,80}\b(?:in|instead|rather|without|only|every|each|from now|by)\b)"
)
"""Tells what a talk is about, and nothing of how it shall be."""
_LETS_GO: Final = late(
    r"(?i)^\W*(?:(?:hi|hello|hey|so|ok(?:ay)?|and|now|right|morning)\b\W{0,3}){0,3}(?:an? |the )?(?:(?:brand )?new"
    r"|fresh"
    r"|clean|empty|blank|another|next) (?:repo(?:sitory)?|project|app|start|day|week|branch|session|sprint|workspace"
    r"|folder|directory)(?: (?:for|of) [^,;:.!?]{2,60})?[\s,;:.!\u2014\u2013-]+let['\u2019]?s (?:go|start|begin|roll"
    r"|do this|get (?:going|started|to work))(?: then| now)?\W*$"
    r"|(?:^|[,;.!\u2014\u2013-]\s*)(?:(?:so|ok(?:ay)?|and|then)\s)?let['\u2019]?s (?:go (?:on )?with|take|do|pick) "
    r"(?:the |our |my |a )?(?:next|new|first|remaining) (?:ticket|task|issue|bug|story|card|chapter|exercise)s?\W*$"
    r"|(?:^|[,;.!\u2014\u2013-]\s*)(?:(?:so|ok(?:ay)?|and|then)\s)?let['\u2019]?s (?:get|set|kick) (?:off )?"
    r"(?:[\w-]{1,30} ){1,4}(?:going|started|rolling|moving|off(?: the ground)?|under ?way"
    r"|in motion)(?: now| then| today)?\W*$"
    r"|^\W*(?:(?:hi|hello|hey|so|ok(?:ay)?|morning)\b\W{0,3}){0,2}(?:(?:i|we) (?:need|have|got|want|start(?:ed)?) )?"
    r"(?:an? |the |my |our )?(?:(?:brand )?new|fresh|clean|empty|blank) (?:repo(?:sitory)?|project|app|site|workspace)"
    r"(?: (?:for|of) [^,;:.!?]{2,60})?[\s,;:.!\u2014\u2013-]+(?:(?:it['\u2019]?s |this is )?[\w'-]{2,30}"
    r" (?:here|speaking|again)|(?:hi|hello)\b[^,;.!?]{0,30})\W*$"
)
"""Begins the work, and says nothing of how it shall be: "fresh repo for the app, lets go"."""
_WENT: Final = late(
    r"(?i)[,;.(:\u2014\u2013-]\s*(?:(?:because|since|as|and)\s)?(?:they|he|she|it|we|everyone|everybody"
    r"|the last(?: one)?)"
    r"(?:['\u2019]?(?:re|s|ve)| are| is| were| was| have| has| had)?(?: all| both| now| already| just| finally){0,2}"
    r" (?:left|gone|went|moved (?:away|out|on)|died|dead|quit|sold(?: out)?|ran out|run out|fled|disappeared|vanished"
    r"|expired|used up|eaten|checked out|over|finished)\b"
)


_NOT_OF_THE_WORK: Final = late(
    r"(?i)\b(?:boss|manager|ceo|cto|director|owner|client|customer|management|company)\b[^,;.]{0,20}? decided to"
    r" (?:hire"
    r"|fire|promote|sack|lay off|recruit|retire|resign|quit|leave|marry|emigrate|move (?:to|away|house)|sell (?:the"
    r"|his|her|their) (?:house|car|company|firm|shares)|give (?:me|us|him|her|everyone) )"
    r"|\bwent (?:with|for)\b[^,;.]{2,60}\b(?:last (?:year|month|summer|winter|spring|autumn|fall|christmas|time)"
    r"|years? ago"
    r"|back then)\W{1,3}(?:(?:and|but) )?(?:(?:it|that|which|this|they) )?(?:was|were|turned out|never again)\b"
)
"""Tells of somebody's staff, or of what was once taken and how it was, which decides nothing of the work."""


def is_private(sentence: str) -> bool:
    """Whether it tells of somebody's family and what they do: "asked mum, dinner is at 7, so that's settled"."""
    return _PRIVATE.search(sentence) is not None


def tells_of_others(sentence: str) -> bool:
    """Whether it tells of staff, or how something once taken was: "my boss decided to hire someone"."""
    return _NOT_OF_THE_WORK.search(sentence) is not None


def is_next_task(sentence: str) -> bool:
    """Whether it only turns to what is to be done next: "let's plan the client", not "let's plan with Jira";"
    " or begun."""
    return (_NEXT_TASK.match(sentence) or _BEGINS_ANEW.match(sentence)) is not None or lets_go(sentence)


def lets_go(sentence: str) -> bool:
    """Whether it only says that the work begins, or with which task it goes on."""
    return _LETS_GO.search(sentence) is not None


def tells_departure(sentence: str) -> bool:
    """Whether it tells that something is no more because it went: "no guests anymore, they all left"."""
    return _WENT.search(sentence) is not None


def own_clause(sentence: str) -> int:
    """Where in a sentence that begins with a request or with what others say the speaker's own decision begins; 0 if
    nowhere: "The article says so, but we decided ..."."""
    for hit in _OWN_CLAUSE.finditer(sentence):
        before = sentence[: hit.start()]
        if ":" in before or '"' in before:
            return 0
        if is_request(before) or (hit["turn"] and is_hearsay(before)):
            return hit.end()
        if hit["turn"] and _OF_OTHERS.search(before):
            return hit.end()
    return 0


def without_question(sentence: str) -> str:
    """A statement without the request that it ends with: "We decided to use X, could you set it up?"."""
    hit = _ASKS_THEN.search(sentence)
    return sentence if hit is None else sentence[: hit.start()]


def depends(sentence: str, begin: int) -> bool:
    """Whether what begins there depends on something or is a mere possibility; plans and duties do not count."""
    return _is_unreal(sentence, begin, _POSSIBLE)


def is_question(sentence: str) -> bool:
    """Whether the sentence asks."""
    return bool(_QUESTION.search(sentence) or (_ASKING.match(sentence) and "?" in sentence))


@lru_cache(maxsize=16)
def asks(sentence: str) -> bool:
    """Whether the sentence asks, even without a question mark.

    >>> [asks(each) for each in ("back to plain numbers or what", "so we drop sqlite, right", "it goes to the right")]
    [True, True, False]
    """
    if _QUESTION.search(sentence) or _ASKS_PLAINLY.search(sentence) or _leaves_open(sentence):
        return True
    if _ASKING.match(sentence) is None or _TELLS.match(sentence) is not None:
        return False
    return not sentence.rstrip().endswith((".", "!")) or _INVERTED.match(sentence) is not None


def asks_opinion(sentence: str) -> bool:
    """Whether it only asks what somebody thinks of what was said before it: "wdyt", "thoughts?"."""
    return _ASKS_OPINION.match(sentence) is not None


def _leaves_open(sentence: str) -> bool:
    """Whether it ends with "or not" as a question does, and not as in "we keep them, used or not"."""
    hit = _OR_NOT.search(sentence) if sentence.rstrip(" .!)").endswith("or not") else None
    if hit is None or _NO_MATTER.search(hit["before"]):
        return False
    return len(hit["before"].split()) >= _FEWEST_ASKED


def is_negated(sentence: str, begin: int) -> bool:
    """Whether what begins there is denied within its clause."""
    return _NEGATED.search(_clause(sentence, begin)) is not None


def is_conditional(sentence: str, begin: int) -> bool:
    """Whether what begins there depends on something, or is a mere possibility or plan."""
    return _is_unreal(sentence, begin, _UNCERTAIN)


def has_condition_after(sentence: str, end: int) -> bool:
    """Whether a condition follows."""
    return re.search(r"\b(?:if|unless|assuming|provided)\b", sentence[end:], re.I) is not None


def is_hedged(sentence: str) -> bool:
    """Whether the speaker is unsure."""
    return _HEDGE.search(sentence) is not None


@lru_cache(maxsize=16)
def is_hearsay(sentence: str) -> bool:
    """Whether it reports somebody else's words or deeds, or gives an example.

    >>> is_hearsay("the harbourmaster writes that we close"), is_hearsay("never edit it, the scale writes it")
    (True, False)
    >>> is_hearsay("make the doses 5 ml, says the vet"), is_hearsay("the vet says they use a pump at the zoo")
    (False, True)
    """
    if _OWN_TEXT.match(sentence):
        sentence = _OWN_TEXT.sub(" ", sentence)
    sentence = _WRITES_THINGS.sub(" ", without_source(sentence))
    may_be = not _MAY_BE_HEARSAY.isdisjoint(beginnings(sentence))
    is_told = may_be and (_HEARSAY.search(sentence) or _TOLD_BEHIND.search(sentence))
    return bool(is_told or _EXAMPLE.match(sentence))


def is_request(sentence: str) -> bool:
    """Whether it tells somebody what to do."""
    return _TOLD.match(sentence) is not None


def is_elsewhere(sentence: str) -> bool:
    """Whether it tells of another time or place than the project's: "At my last job we chose Bazel"."""
    return _ELSEWHERE.search(sentence) is not None


def is_asserted(sentence: str) -> bool:
    """Whether its speaker says it as their own and as the case, and neither asks, supposes nor tells of others."""
    return not (asks(sentence) or is_hedged(sentence) or is_hearsay(sentence) or is_elsewhere(sentence))


def is_unreal_request(sentence: str) -> bool:
    """Whether it asks for words, or to suppose something: what it holds is then no statement."""
    return _SUPPOSED.match(sentence) is not None


def _is_unreal(sentence: str, begin: int, unsure: re.Pattern[str]) -> bool:
    before = sentence[:begin]
    return bool(
        _CONDITION.search(before)
        or _OPEN_CONDITION.match(before)
        or (
            unsure.search(_clause(sentence, begin))
            and not _OWN_SUBJECT.search(sentence, max(0, begin - 2), begin + 3)
        )
        or _UNREAL.search(sentence)
    )


def _clause(sentence: str, begin: int) -> str:
    """The text before a place within its clause."""
    before = sentence[:begin]
    cut = max(before.rfind(mark) for mark in (";", ". ", ": ", ", but ", ", so ", " but ", "\u2014", " - "))
    return before[cut + 1 :] if cut >= 0 else before
