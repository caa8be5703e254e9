"""Matters that a person closes in plain words: "the privacy page is done", "the export doesn't crash any more".

Read here is only what somebody says to be over, and in which words; which open thread that is, is for whoever knows
those that are open (core/registries/closed_threads). What is asked, denied, supposed or told of others closes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from engramforge.core.detection.endings.outcomes import may_tell, outcomes_in
from engramforge.core.detection.endings.under_names import may_be_under, under_a_list, under_names
from engramforge.core.detection.passages import Passage, passages
from engramforge.core.detection.traps import is_asserted, is_conditional
from engramforge.core.registries.closed.doers import may_tell_who
from engramforge.core.registries.closed_threads import Over
from engramforge.core.registries.told_verbs import told_of
from engramforge.core.registries.wording.passed_on import without_source
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import ThreadStatus

CLOSED: Final = frozenset(str(each) for each in Over)
"""The rules of what is read here. `text` is what is said to be over; of an act its verb first."""
_DEEDS: Final = (Over.ACTED, Over.DID)
_SURE: Final = 0.85
_LONGEST: Final = 1_000
"""Characters of a turn in which somebody closes something: a longer one mostly holds what was pasted."""
_MOST: Final = 8

_APOSTROPHE: Final = r"['\u2019]"
_OVER: Final = (
    r"(?:done(?: and dusted)?|finished|settled|answered|closed|sorted(?: out)?|merged|shipped|decided|complete"
    r"|dealt with|taken care of|live|online|off (?:the|my|our) (?:to-?do )?list"
    r"|in(?=\W*\Z|\s*[,;.!]|\s(?:since|now|as of)\b))"
)
_MENDED: Final = (
    r"(?:fixed|repaired|mended|solved|resolved|cured|(?:working|running|usable|fine|ok(?:ay)?|good|healthy|alive|stable"
    r"|back) (?:again|now)|back to normal)"
)
_ALREADY: Final = r"(?:(?:now|all|finally|already|also|just|both)\s){0,2}"
_STOP: Final = (
    r"(?=\W*\Z|\s*[,;:.!(\u2014\u2013]|\s-\s|\s(?:now|too|since|by|in|as|btw|already|finally|again|today|yesterday"
    r"|last|this|so|and)\b)"
)
_PART: Final = r"(?>(?:[^\s,;:.!?]|\.(?=\w)){1,30})"
_WHAT: Final = rf"(?P<what>{_PART}(?:\s{_PART}){{0,11}}?)"
_BEGINS: Final = (
    r"(?:\A|(?<=[,;:.!\u2014\u2013]))\W{0,6}"
    r"(?:(?:ok(?:ay)?|so|and|well|great|good|btw|by the way|fyi|update|yes|yeah|yay|ah|oh|hey)\b\W{0,3}){0,2}"
)
_DID: Final = (
    r"(?:wrote|written|finished|did|closed|settled|answered|added|built|shipped|merged|sent|published|set up"
    r"|cleaned up|removed|updated|done with)"
)
_IS: Final = rf"(?:\s(?:is|are|was|were|has been|have been|got)|{_APOSTROPHE}s)"
_HAVE: Final = rf"(?:(?:i|we)(?:{_APOSTROPHE}ve| have)?\s)"
_YOU_MAY: Final = rf"(?:(?:we|you|i) (?:can|may) (?:now )?|let{_APOSTROPHE}?s |please |now )?"
_NOT: Final = rf"(?:does|do|did|is|are|has|have)(?:n{_APOSTROPHE}?t|\snot)(?:\s(?:been|had))?"
_NO_MORE: Final = r"\s(?:any ?more|any longer)"
_THERE: Final = (
    r"(?=\W*\Z|\s*[,;:.!(\u2014\u2013]|\s-\s|\s(?:now|btw|already|finally|at last|today|yesterday|this (?:morning|week"
    r"|afternoon|noon)|last (?:night|week)|on \w{3,6}day|(?:in|with|by) (?:the )?(?:mail|post))\b)"
)
_GOES: Final = (
    r"(?:works?|runs?|starts?|prints?|loads?|opens?|builds?|connects?|boots?|plays?|syncs?|rings?|holds?)"
)
_SEEMS: Final = r"(?:looks?|sounds?|smells?|tastes?|feels?|reads?)"
_RIGHT: Final = r"(?:right|good|fine|ok(?:ay)?|sharp|clean|clear|normal|correct|healthy|well|great|perfect)"
_LASTS: Final = (
    r"(?:renewed|extended|prolonged|booked|rented|reserved|paid|leased|insured|secured|confirmed|approved)"
)
_TILL: Final = (
    r"(?=(?:till|until|through|up to)\s|(?:for|by) (?:another|the next|(?:the )?(?:whole|full)|\d{1,3}|an?|one|two"
    r"|three|five|ten) (?:more )?(?:years?|months?|weeks?|seasons?|days?)\b)"
)
"""Until when what was done lasts: "renewed till march"."""
_NO_PASSIVE: Final = (
    r"the|an?|my|our|your|their|his|her|its|this|that|these|those|all|both|every|each|get|got|gets|getting|have|had|has"
    r"|having|want|wants|wanted|need|needs|needed|see|keep|make|sure|please|be|being|let['\u2019]?s|we|i|you|he|she"
    r"|they|it|who|what|which|to|is|are|was|were|when|if|and|or|of|no|as|than|by|with"
)
"""Before a form of the past it is what somebody did, or what is yet to be done."""
_NOBODY: Final = (
    r"i|we|you|it|that|this|which|what|who|whoever|how|why|where|when|once|if|unless|until|after|before|nobody|noone"
    r"|somebody|someone|anybody|anyone|everybody|everyone|no|none|nothing|not|never|as|because|since|while|although"
    r"|have|has|had|having|is|are|was|were|be|to|and|or|but|please|just|already|also|finally|now"
)
_NAME: Final = r"(?>[^\W\d_][\w'\u2019-]{1,30})"
_SOMEBODY: Final = rf"(?!(?:{_NOBODY})\b)(?P<who>{_NAME}(?:\s{_NAME}){{0,2}}?)\s"
_OBJECT: Final = (
    r"(?!(?:about|at|by|for|from|in|into|of|on|onto|over|with|to|too|that|this|it|them|him|her|us|me|nothing|no|none"
    r"|not|some|half|most|only|part|another|more|one|wrong|old|if|whether|how|why|what|who)\b)"
    rf"{_WHAT}"
)
_FIXES: Final = r"(?:fixes|mends|solves|resolves|closes)"
_REPLACED: Final = r"(?:replaced|swapped(?: out)?|exchanged|rebuilt|overhauled|rewired)"
_FRAMES: Final = tuple(
    (over, late(rf"(?i){_BEGINS}{frame}"))
    for over, frame in (
        (
            Over.LISTED,
            rf"{_WHAT}\s(?:to-?do|task|thread|ticket|question|issue|point|item|thing|matter|problem|business)s?"
            rf"(?:\s(?:is|are|was|has been)"
            rf"|{_APOSTROPHE}s) {_ALREADY}(?:{_OVER}|{_MENDED}){_STOP}",
        ),
        (
            Over.LISTED,
            rf"{_YOU_MAY}(?:close|tick off|check off|cross off) {_WHAT}"
            rf"\s(?:to-?do|task|thread|ticket|question|issue|point|item){_STOP}",
        ),
        (Over.MENDED, rf"{_WHAT}{_IS} {_ALREADY}{_MENDED}(?: too(?=\W))?(?! (?:by|until|before)\b){_STOP}"),
        (Over.MENDED, rf"{_HAVE}?{_ALREADY}(?:fixed|repaired|mended|solved|resolved) {_WHAT}{_STOP}"),
        (Over.NAMED, rf"{_WHAT}{_IS} {_ALREADY}{_OVER}(?: too(?=\W))?(?! (?:by|until|before)\b){_STOP}"),
        (
            Over.TOLD,
            rf"(?P<what>{_PART}(?:\s{_PART}){{0,15}}?)\s*[,;\u2014\u2013-]\s*(?:so |and |which means )*"
            rf"(?:(?:that|this|it)(?:{_APOSTROPHE}?s| is| was) {_ALREADY}(?:the end of (?:it|that)|{_OVER}"
            rf"|{_MENDED}){_STOP}"
            rf"|{_YOU_MAY}(?:tick|cross|check|strike|close) (?:that|this|it)(?: off)?{_STOP})",
        ),
        (
            Over.MENDED,
            rf"{_WHAT}\s{_GOES}\s(?P<with>(?:(?:with|on|for|in)\s{_PART}(?:\s{_PART}){{0,3}}?\s)?)again{_STOP}",
        ),
        (
            Over.MENDED,
            rf"{_WHAT}\s(?:{_NOT})\s(?P<verb>[a-z]{{3,20}})(?P<with>(?:\s{_PART}){{0,5}}?){_NO_MORE}{_STOP}",
        ),
        (Over.MENDED, rf"{_WHAT}\sno longer\s(?P<verb>[a-z]{{3,20}})(?P<with>(?:\s{_PART}){{0,5}}?){_STOP}"),
        (
            Over.MENDED,
            rf"{_WHAT}\s(?:has |have )?stopped\s(?P<verb>[a-z]{{2,17}}ing)(?P<with>(?:\s{_PART}){{0,5}}?){_STOP}",
        ),
        (Over.MENDED, rf"{_WHAT}\s{_SEEMS}\s{_ALREADY}{_RIGHT}\s(?:again|now){_STOP}"),
        (
            Over.MENDED,
            rf"{_WHAT}\s(?:shows?|prints?|gives?|tells?|reads?)\s(?:the|its) (?:right|correct)"
            rf"\s(?P<with>{_PART}(?:\s{_PART}){{0,2}}?)\s(?:again|now){_STOP}",
        ),
        (
            Over.HAS,
            rf"{_WHAT}\s(?:now|finally)\s(?:has|have|got)\s(?P<with>{_PART}(?:\s{_PART}){{0,6}}?){_STOP}",
        ),
        (
            Over.HAS,
            rf"{_WHAT}\s(?:has|have|got)\s(?:now\s)?(?P<with>{_PART}(?:\s{_PART}){{0,6}}?)"
            rf"\s(?:now|finally|at last|too){_STOP}",
        ),
        (
            Over.HAS,
            rf"(?P<with>{_PART}(?:\s{_PART}){{0,5}}?){_IS} {_ALREADY}(?:in(?: place)?|installed|mounted|fitted|built in"
            rf"|wired|hung|set up)\s(?:at|in|on)\s(?P<what>{_PART}(?:\s{_PART}){{0,3}}?){_STOP}",
        ),
        (
            Over.WORKS,
            rf"(?!(?:it|that|this|they|he|she|which|everything|nothing)\b){_WHAT}\s{_ALREADY}(?:works?|runs?)"
            rf"(?:\s(?:now|fine|great|well|nicely|perfectly|at last|finally|too"
            r"|as it should|as expected|end to end)){0,2}\W*\Z",
        ),
        (Over.NAMED, rf"{_HAVE}{_ALREADY}{_DID} {_WHAT}{_STOP}"),
        (Over.NAMED, rf"{_HAVE}?(?:finished|done with) {_WHAT}{_STOP}"),
        (
            Over.NAMED,
            rf"{_HAVE}?{_ALREADY}(?:found|figured|worked) out (?:why|what|how|where|who|which|whether)"
            rf" {_WHAT}\s*[:,\u2014\u2013]\s",
        ),
        (Over.MENDED, rf"{_WHAT}{_IS} {_ALREADY}gone{_STOP}"),
        (
            Over.MENDED,
            rf"{_WHAT} (?:was|were) {_PART}(?:\s{_PART}){{0,3}},(?:[^,;.!?]{{1,40}},)? (?:gone|fixed|solved)\W*\Z",
        ),
        (
            Over.CAUSED,
            rf"{_WHAT} (?:was|were) (?:just |only |simply )?(?!(?:never|not|n['\u2019]t|to|about)\b)"
            rf"{_PART}(?:\s{_PART}){{0,3}},\s(?:(?:it|that)['\u2019]?s )?(?:sorted|fixed|solved|resolved)"
            r"(?: now)?\W*\Z",
        ),
        (Over.NAMED, rf"(?:done|closed|settled|resolved|fixed)\s*(?::|\u2014|\u2013|\s-\s)\s*{_WHAT}{_STOP}"),
        (Over.NAMED, rf"{_YOU_MAY}(?:close|tick off|cross off|check off) {_WHAT}{_STOP}"),
        (Over.NAMED, rf"{_YOU_MAY}(?:tick|cross|check|strike) {_WHAT} off(?: (?:the|my|our) list)?{_STOP}"),
        (
            Over.MENDED,
            r"(?!(?:[^\s,;]{1,30}\s){0,11}?(?:get|got|have|want|need|see|keep|make|sure|please|be|let['\u2019]?s|we|i"
            r"|you|to|is"
            rf"|are|was|were|when|gets?)\b){_WHAT} {_ALREADY}(?:done|fixed|finished|solved|repaired|sorted|merged"
            rf"|shipped)"
            r"(?:\W*\Z|\s*[,;\u2014\u2013]\s*(?:it|that|the \w+) (?:was|were)\b)",
        ),
        (
            Over.COME,
            rf"{_WHAT}(?:\s(?:has|have))?\s{_ALREADY}(?:came(?: in| through)?|arrived|turned up|got (?:here|delivered)"
            rf"|(?:is|are) {_ALREADY}(?:here|there)|(?:was|were|has been|have been) delivered){_THERE}",
        ),
        (Over.COME, rf"{_HAVE}?{_ALREADY}(?:got|received|picked up|collected)\s(?!no\b){_WHAT}{_THERE}"),
        (Over.ACTED, rf"{_WHAT}{_IS} {_ALREADY}(?P<done>[a-z]{{3,24}}){_STOP}"),
        (
            Over.ACTED,
            rf"{_WHAT}{_IS} {_ALREADY}(?P<done>[a-z]{{3,24}})"
            rf"(?P<with>\s(?:over )?(?:to|into|onto)\s{_PART}(?:\s{_PART}){{0,2}}?){_STOP}",
        ),
        (Over.ACTED, rf"{_HAVE}?{_ALREADY}(?P<done>[a-z]{{3,24}})\s{_WHAT}{_STOP}"),
        (Over.ACTED, rf"{_WHAT}(?:{_IS})? {_ALREADY}(?P<done>{_LASTS}) {_TILL}"),
        (
            Over.ACTED,
            rf"(?!(?:[^\s,;]{{1,30}}\s){{0,5}}?(?:{_NO_PASSIVE})\b)(?P<what>{_PART}(?:\s{_PART}){{0,4}}?)\s{_ALREADY}"
            r"(?P<done>[a-z]{3,22}ed)(?=\W*\Z|\s*[,;]|\s(?:today|yesterday|now|this morning|last night)\b)",
        ),
        (
            Over.DID,
            rf"{_SOMEBODY}(?:has |have )?{_ALREADY}"
            rf"(?P<done>[a-z]{{3,24}})\s{_OBJECT}{_STOP}",
        ),
        (Over.REPLACED, rf"{_WHAT}{_IS} {_ALREADY}{_REPLACED}{_STOP}"),
        (Over.REPLACED, rf"(?:{_HAVE}|{_SOMEBODY}(?:has |have )?)?{_ALREADY}{_REPLACED} {_OBJECT}{_STOP}"),
        (
            Over.MENDED,
            r"(?:(?:this|that|which|it|the (?:last |new )?(?:commit|change|patch|pr|update))\s(?:also )?"
            rf"{_FIXES}|(?:fixes|solves|resolves):?) {_OBJECT}{_STOP}",
        ),
    )
)
"""Says that something is over."""
_GONE: Final = late(rf"(?i){_BEGINS}{_WHAT}{_IS} {_ALREADY}(?:gone|history|no more){_STOP}")
"""The same of a fault."""
FAULTY: Final = late(
    r"(?i)\b(?:crash|hang|freez|fail|fault|break|leak|jam|drift|stall|bug|error|glitch|flicker|timeout|problem|issue"
    r"|deadlock|lock|overflow|corrupt|drip|squeak|rattl|stutter|lag|loop|noise|race|mess|warning|panic|segfault|smell"
    r"|regression|defect|outage|wobbl|duplicat|stain|rust|mould|mold|hum|buzz|delay|slowdown|spike)\w{0,6}\b"
)
_LEAVES: Final = tuple(
    late(rf"(?i){_BEGINS}{frame}")
    for frame in (
        rf"(?:drop|forget|skip|scratch) {_WHAT}\s*[,;\u2014\u2013-]\s*(?:it{_APOSTROPHE}s |we )?"
        rf"(?:not|no longer|don{_APOSTROPHE}?t) (?:needed|need|worth|necessary)",
        rf"{_WHAT} (?:is|are) (?:not|no longer) (?:needed|necessary)(?: any ?(?:more|longer))?{_STOP}",
        rf"{_WHAT}{_IS} {_ALREADY}off the table{_STOP}",
    )
)
"""Says that something is no longer to be done."""
_SETTLED: Final = (
    rf"(?:(?:(?:that|this|it|which)(?: one| question| point| matter)?(?:{_APOSTROPHE}?s| is) )?(?:now |then )?"
    r"(?:settled|decided|agreed|closed|answered)(?: now| then)?"
    r"|(?:that|this|which) (?:settles|closes|answers) (?:it|that|this|the (?:question|matter|point)))"
)
_ANSWERS: Final = late(
    r"(?i)\A\W*+(?P<what>\S[^?]{8,240}?)\s{0,2}[,;.\u2014\u2013-]\s*(?:(?:so|and) )?" rf"{_SETTLED}\W*\Z"
)
"""A statement, and that it settles something."""
_SETTLES: Final = late(rf"(?i)\A(?:(?:so|and) )?{_SETTLED}\W*\Z")
_MAY: Final = late(
    rf"(?i)\b(?:{_OVER}|{_MENDED}|closed?|fix|tick|cross|check|strike|{_DID}|not needed|no longer|needed|necessary"
    rf"|agreed"
    r"|again|now|in at|works?|runs?|came|here|there|got|received|any ?more|any longer|stopped|gone|history|no more"
    rf"|off the table|{_FIXES}|rebuilt|says?|told|\w{{2,20}}ed)\b"
)
_TOLD_SHORTLY: Final = late(r"(?i)[a-z]{3,24}")
_UNLIKELY: Final = (
    r"not yet|almost|nearly|half|partly|mostly|partially|once|until|unless|soon|when|before|after|if|would|could"
    r"|should|might|may be|will|to be|some|most|part|many|a few|(?:one|two|three|four|\d+) (?:of|out of)"
    r"|supposed|hope|hoping|hopefully|wonder|guess|make sure|makes sure|ensures?"
)
_NOT_YET: Final = late(
    rf"(?i)\b(?:not|never|no one|nobody|{_UNLIKELY})\b|n['\u2019]t\b|\b(?:is|are|was|were|has|have|do|does|did)nt\b"
)
_NOT_SURE: Final = late(rf"(?i)\b(?:{_UNLIKELY})\b")
"""The same where a denial says that a fault is gone."""
_ONTO: Final = late(
    r"(?i)\b(?:to|on|onto|in|into) (?:(?:the|my|our|a) )?(?:\w+ )?(?:to-?dos?|list|backlog|board|agenda|wish ?list"
    r"|roadmap|tickets?|issues?)\b"
)
"""Puts something on a list, and does not do it: "added dark mode to the list"."""
_PASSIVE: Final = late(
    rf"(?i){_IS} {_ALREADY}(?:printed|returned|answered|posted|reported|written|read|stated|announced|mailed|sent"
    rf"|replied|published|quoted){_STOP}"
)
_DONE: Final = " is done"
"""What was done to a thing, which is nobody's saying: "the labels are printed"."""
_NO_BETTER: Final = (
    r"(?:but |and |it |is ){0,3}(?:still (?!(?:have|has|need|needs|must|to|got|open)\b)|(?:not |no )better\b"
    r"|no (?:change|difference)\b|(?:the )?same (?:as before|problem|fault|thing)\b|as before\b"
    r"|(?:did|does|has)(?:n['\u2019]?t| not) help)"
)
"""Tells that what was done to a thing mended nothing: "still starts too late"."""
_ADDED: Final = late(
    r"(?i)\W{0,3}(?:but\b|except\b|apart from\b|(?:al)?most(?:ly)?\b|nearly\b|half\b|(?:i )?(?:hope|think)\b"
    r"|not (?:yet|sure|heard|back)\b|(?:still )?waiting\b|no (?:answer|reply|response|luck|idea|word)\b"
    r"|nothing (?:yet|so far)"
    r"|(?:he|she|they|it)(?:['\u2019]ll| will| has to| have to| needs? to) (?:tell|ask|check|let|get|call|see"
    r"|look|think|find)|(?:he|she|they) (?:does|do|did)(?:n['\u2019]?t| not) know\b"
    rf"|{_NO_BETTER}|(?:hopefully|tomorrow|next (?:week|month)|soon|maybe|perhaps)\b"
    r"|(?:all |but |and )?(?:wrong|broken|damaged|torn|blank|empty|too)\b)"
)
"""Takes away from what stands before it."""
_MENDS_NOTHING: Final = late(rf"(?i)\W{{0,3}}{_NO_BETTER}")


def may_close(text: str) -> bool:
    """Whether a text has a word with which somebody may close something: it costs little to ask."""
    if _MAY.search(text) is not None or may_tell(text) or may_be_under(text):
        return True
    return any(map(told_of, _TOLD_SHORTLY.findall(text[:_LONGEST].lower())))


def closings_in(text: str, held: str = "") -> list[Detection]:
    """What a person's text says to be over. `held`: what it only hands on, as the answer that somebody else gave.

    >>> [(each.text, each.status) for each in closings_in("The privacy page is done. Drop the map todo, not needed.")]
    [('The privacy page', 'resolved'), ('the map todo', 'abandoned')]
    >>> closings_in("Is the privacy page done? It is not done yet. When the map is done we ship.")
    []
    """
    under = under_a_list(text, held)
    if len(text) > _LONGEST or not (under or may_close(text)):
        return []
    said = list(passages(text))
    found = [
        each
        for one, after in pairwise([*said, Passage("", "")])
        if not _MENDS_NOTHING.match(after.plain)
        for each in _of(one.said, one.plain)
    ]
    # "We go on with the average. Settled."
    for one, after in pairwise(said):
        if _SETTLES.match(after.plain.lstrip()) and is_asserted(one.plain):
            found.append(_closing(f"{one.said} {after.said}", one.said, Over.ANSWERED))
    found += [_closing(each.sentence, each.what, each.over) for each in outcomes_in(text, held)]
    found += [_closing(each.sentence, each.what, each.over) for each in (*under_names(said, text), *under)]
    return found[:_MOST]


def told_plainly(text: str) -> list[Detection]:
    """What a person's few words, which say nothing else, may answer: who does something.

    >>> [each.text for each in told_plainly("ines locks the yard herself")], told_plainly("lock the yard")
    (['ines locks the yard herself'], [])
    """
    said = list(passages(text)) if may_tell_who(text.strip()) else []
    if len(said) != 1 or not is_asserted(without_source(said[0].plain)):
        return []
    return [_closing(said[0].said, said[0].said, Over.WHO)]


def _of(said: str, plain: str) -> Iterator[Detection]:
    """What a sentence says to be over, by each wording that it may be read in; the surest first."""
    if (answer := _ANSWERS.match(plain)) is not None and is_asserted(f"{plain.rstrip(' .!')}."):
        yield _closing(said, said[slice(*answer.span("what"))], Over.ANSWERED)
    if not is_asserted(_PASSIVE.sub(_DONE, plain)):
        return
    for pattern in _LEAVES:
        hit = pattern.search(plain)
        if hit is not None and not is_conditional(plain, hit.start()):
            yield _closing(said, said[slice(*hit.span("what"))], Over.NAMED, ThreadStatus.ABANDONED)
            return
    for over, pattern in _FRAMES:
        for hit in pattern.finditer(plain):
            if (what := _what(said, plain, over, hit)) is not None:
                yield _closing(said, what, over)
    gone = _GONE.search(plain)
    if gone is not None and FAULTY.search(gone["what"]) and _is_so(plain, gone, _NOT_SURE):
        yield _closing(said, said[slice(*gone.span("what"))], Over.MENDED)


def _what(said: str, plain: str, over: Over, hit: re.Match[str]) -> str | None:
    """What is over, in the words of a frame; None where it does not say so."""
    named = {name: said[slice(*hit.span(name))] for name, there in hit.groupdict().items() if there}
    if over in _DEEDS and (named["done"].lower() == "done" or not told_of(named["done"].lower())):
        return None
    if _ONTO.search(named["what"]):
        return None
    is_denial = "verb" in named
    if not _is_so(plain, hit, _NOT_SURE if is_denial else _NOT_YET):
        return None
    told = " ".join(filter(None, (named.get(each) for each in ("done", "what", "verb", "with"))))
    return f"{named['who']}: {told}" if over is Over.DID else told


def _is_so(plain: str, hit: re.Match[str], unless: re.Pattern[str]) -> bool:
    if is_conditional(plain, hit.start()) or unless.search(plain[: hit.end()]):
        return False
    return _ADDED.match(plain, hit.end()) is None


def _closing(said: str, what: str, over: Over, status: ThreadStatus = ThreadStatus.RESOLVED) -> Detection:
    return Detection(
        kind=Kind.THREAD,
        sentence=said,
        rule=str(over),
        confidence=_SURE,
        text=what.strip(),
        status=str(status),
        is_update=True,
        resolution=said,
    )
