"""Complaints about what was chosen, beside a choice of something else: "Jest is slow, let's go with Vitest".

Whoever complains of something and takes another thing in the same breath leaves the first. A complaint by itself
leaves nothing, nor does one beside a remedy ("Postgres is slow, let's use an index").

What somebody leaves whole ("drop Redis again, it ate the memory") is read here, too: what follows is then a reason, or
what comes in its place, and names no purpose that the decision would have to share.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from engramforge.core.registries.named_stems import stems_in
from engramforge.core.registries.such_names import other_means
from engramforge.core.registries.wording.flaws import CAUSED, FLAW, PART
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import word_set

_APOSTROPHE: Final = r"['\u2019]"
_COMPLAINT: Final = late(
    r"(?i)(?:\A|(?<=[,;:.!\u2014\u2013])|(?<=\s-)|\b(?:because|since|as|so|but)\b)\W{0,6}(?>(?:(?:ok(?:ay)?|well|hm+"
    r"|so|ugh|sorry|honestly|actually|wait|no|nah|the|our|one|an?)\b\W{1,6}){0,4})"
    rf"(?P<left>{PART}(?:\s{PART}){{0,3}}?)\s(?:{FLAW}|{CAUSED})"
    r"(?>(?:(?![,;:!?()\u2014\u2013]|\.(?:\s|\Z)|\s-\s|\s(?:so|and|but|then|hence|therefore)\b).){0,100})"
)
"""Says that something is no good."""
_REMEDY: Final = (
    rf"(?!(?:an?|the|it|its|it{_APOSTROPHE}s|this|that|them|these|those|one|some|more|less|fewer|bigger|smaller|another"
    r"|option|plan|phase|step|part|page|chapter|number|topic|work|bed|home|sleep|\w{2,20}ing)\b)"
)
"""Begins no name of something else to choose."""
WE: Final = (
    rf"(?:let{_APOSTROPHE}?s|let us|(?:we|i)(?:{_APOSTROPHE}(?:ll|re|ve|m))?)"
    r"(?>(?:\s(?:will|are|am|have|now|just|all|simply|decided to|rather|then|finally|going to)\b)*)"
)
"""Who goes on to say what they do."""
_WE: Final = rf"\b{WE}\s"
_WORD: Final = r"(?>[\w+#/&-]{1,30}(?:\.[\w+#-]{1,20}){0,3})"
_OTHER: Final = (
    rf"(?P<taken>{_REMEDY}{_WORD}(?:\s{_WORD}){{0,2}}?)(?=\W*\Z|\s*[,;:!(\u2014\u2013]|\.\s|\s-\s|\s(?:for|in|on|at"
    r"|then|instead|now|because|since|as|please|and|with|from)\b)"
)
_TO: Final = r"(?:go|going|went|mov(?:ed?|ing)|switch(?:ed|ing)?|chang(?:ed?|ing)|migrat(?:ed?|ing)) (?:over |back )?to"
_CHOICE: Final = tuple(
    late(rf"(?i){choice}")
    for choice in (
        rf"{_WE}(?:go|going|went|settle|settling) (?:with|for) {_OTHER}",
        rf"{_WE}{_TO} {_OTHER}",
        rf"\b(?:switch(?:ing)?|mov(?:e|ing)|migrat(?:e|ing)) (?:over |back )?to {_OTHER}",
        rf"{_WE}[a-z]{{2,20}} (?:to|on|with|via|by|through) {_OTHER}(?=\s(?:now|from now on)\b)",
        rf"{_WE}(?:replac|swap)(?:e|p?ing)? (?:it|them)(?: out)? (?:with|by|for) {_OTHER}",
        rf"(?:{_WE}|\b)(?:(?:go|going|switch|move) )?back to {_OTHER}",
        rf"(?:{_WE}|\b)(?:use|take|pick|try) {_OTHER}(?=\sinstead\b)",
        rf"{_WE}(?:use|take|run) {_OTHER}(?=\s(?:now|from now on)\b)",
        rf"\b(?P<taken>{_REMEDY}{_WORD}(?:\s{_WORD}){{0,2}}?)\sit is(?=\W*\Z|\s*[,;:.!])",
        rf"(?P<bare>(?<!\w){_REMEDY}{_WORD}(?:\s{_WORD}){{0,1}}?)\s(?:then|instead|after all)\W*\Z",
        rf"\b(?:the|our) [\w-]{{2,30}} (?:now )?(?:gets?|uses?|runs? on) (?:an? )?{_OTHER}",
    )
)
"""Says what is taken."""
_INSTEAD: Final = late(r"(?i)\s(?:(?:for|in|on|at) [^,;:.!?]{2,40} )?instead\b")
_THEN: Final = late(
    rf"(?i)\W*(?>(?:(?:so|ok(?:ay)?|well|hm+|right)\b\W*){{0,2}})(?P<name>{_WORD}(?:\s{_WORD}){{0,1}}?)\s(?:then"
    rf"|instead|after all)\W*\Z"
)
_BEFORE_CHOICE: Final = late(
    r"(?i)(?>(?:\W|\b(?:ok(?:ay)?|so|then|well|and|but|therefore|hence|now|actually|sorry|hm+|al?right|right|yeah|no"
    r"|oh)\b)*)\Z"
)
"""Words that only lead to a choice."""
_VALUE: Final = late(
    r"(?i)(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d[\d.]*|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|version|release|twice|double|half)\b"
)
_MANY: Final = late(r"[a-z-]{2,30}(?:[a-rt-z]s|ing)\Z")
_NAMES_IN_S: Final = word_set(
    "postgres redis kubernetes rails windows nats jenkins aws css ios macos dns rss tls https emacs travis"
)
"""Names that look like plurals."""
_PASSING: Final = late(
    r"(?i)\b(?:today|tonight|right now|at the moment|currently|this (?:morning|evening|afternoon|week)|again today)\b"
)
_ASIDE: Final = late(
    r"(?i)\b(?:any ?ways?|also|as well|too(?=\W*\Z)|besides|meanwhile|by the way|btw|unrelated|in addition|on top"
    r"|next to|alongside|in parallel|not)\b"
)
"""Turns to something else, or takes it beside what is there."""


_NO_NAMES: Final = word_set("""
please thanks thank sorry run test tests fix use just add remove delete keep move go do make try check show tell read
write build start stop commit push pull merge deploy open close heavy slow old unused dead broken wrong bad ugly
bloated outdated deprecated unmaintained expensive useless overkill silly stupid nonsense lol ok okay yes no now later
today tomorrow then instead again first next continue proceed remember both all everything nothing something anything
well good fine great bye never always maybe what why how when who where and but or so the a an my our your this that
it not too very seriously enough done ready work next friday monday tuesday wednesday thursday saturday sunday basics
normal square business bed home school zero scratch topic question point sleep lunch step here there until soon
tonight see
""")
"""First words of what is no name of something to choose."""
_NO_NAME_END: Final = late(r"(?i)\w{2,}(?:ed|ly|ing|able|ible|ous|ful|less|ish)\Z")


def may_be_name(words: str) -> bool:
    """Whether a word or a few that stand alone may name something to choose: "github actions", not "too heavy".

    >>> may_be_name("github actions"), may_be_name("too heavy"), may_be_name("run the tests")
    (True, False, False)
    """
    parts = words.split()
    is_name = bool(parts) and len(parts) <= _LONGEST_NAME and parts[0].lower() not in _NO_NAMES
    return is_name and not any(_NO_NAME_END.match(each) for each in parts) and not _WITHIN.search(words)


_LONGEST_NAME: Final = 3
_WITHIN: Final = late(r"(?i)\b(?:the|is|are|was|we|i|you|it|to|not|my|our|your|that|this|please)\b")


_OUT_WITH_IT: Final = late(
    r"(?i)(?:\A|(?<=[,;:.!\u2014\u2013])|\b(?:so|and|then)\b)\W{0,4}(?:(?:so|and|let['\u2019]?s|we(?:['\u2019]ll)?"
    r"|i(?:['\u2019]ll)?|just|please)\s){0,3}(?:(?:(?:throw|rip|kick|tear|chuck|toss|pull)(?:ing)?|take|cut)"
    r" (?:it|that|this|them) out|out with (?:it|that|this|them)"
    r"|(?:drop|ditch|scrap|dump|kill|bin|axe|replac|remov)(?:e|p?ing)? (?:it|that|this|them)"
    r"|get(?:ting)? rid of (?:it|that|this|them))(?:(?=\W*\Z|\s*[,;:.!\u2014\u2013])|(?=\s(?:and|for|with|again)\b))"
)
"""Leaves what the words before it complain of: "workbox is a pain, throw it out"."""
_OF_THAT: Final = late(
    r"(?i)\A\W*(?>(?:(?:the|our)\s)?)"
    rf"(?P<left>{PART}(?:\s{PART}){{0,2}}?)\s[a-z]{{2,20}}[a-rt-z]s\s(?>[^,;:.!?]{{1,80}})[,;\u2014\u2013-]\s*"
    r"(?P<out>(?:so )?(?:no more|enough|that is enough) of (?:it|that|this))(?=\W*\Z|\s*[,;:.!\u2014\u2013])"
)
"""Wants no more of what does something: "the roller smears the edges, no more of that"."""
_JUDGED: Final = late(
    r"(?i)\b(?:mistake|idea|choice|call|decision|plan|fit|pain|nightmare|disaster|dead end|overkill|not worth it"
    r"|too (?!many\b|much\b)\w+|silly|stupid|dumb|pointless|useless|nonsense)\b"
)
"""Says of a choice that it was no good one."""
ANY_WORD: Final = r"(?>[\w@][\w+#/&@'\u2019-]{0,30}(?:\.[\w+#-]{1,20}){0,3})"
_LEFT_NAME: Final = (
    r"(?!(?:the|an?|our|my|your|his|her|its|their|that|this|these|those|it|them|all|any|some|everything|about|what|me"
    rf"|him|us|one)\b){ANY_WORD}(?:\s{ANY_WORD}){{0,2}}?"
)
_LED_BY: Final = (
    r"(?i)\A\W{0,6}(?>(?:(?:ok(?:ay)?|actually|nope|nah|oh|hm+|well|sorry|so|right|alright|yeah|yes|then|please"
    r"|let['\u2019]?s)\b\W{0,3}){0,4})"
)
_OF_ONE_PURPOSE: Final = r"(?!\W{0,3}(?:but |and )?(?:for|in|on|at)\b)"
_STOP: Final = rf"(?=\W{{0,6}}\Z|\s{{0,3}}[,;:.!\u2014\u2013]){_OF_ONE_PURPOSE}"
_WHY: Final = (
    r"(?=\W{0,6}\Z|\s{0,3}[.!](?:\s|\Z)|\s{0,3}[,;:\u2014\u2013]\s{0,3}(?:and )?(?:it|they|nobody|no one|because|since"
    r"|we (?:never|don['\u2019]?t|do not)|not)\b|\s{0,3};)"
)
"""Nothing follows but the reason, or what is done instead: "drop Sass, run the tests" speaks of the moment."""
_OUTRIGHT: Final = late(
    rf"{_LED_BY}(?:(?:drop|forget|scrap|ditch|abandon|axe|retire|get rid of) {_LEFT_NAME}"
    r"(?>(?: (?:again|please|completely|altogether|for good)){0,2})"
    rf"|(?:remove|kick out|throw out) {_LEFT_NAME}(?: please)? again|{_LEFT_NAME}(?<!\d) (?:is|are) out)"
    rf"{_WHY}{_OF_ONE_PURPOSE}"
)
"""Leaves a thing by its name, whatever takes its place. With a number, "is out" mostly says that it was published."""
_OF_MIND: Final = late(rf"(?i)\bchang(?:ed|ing) (?:my|our) minds? (?:about|on) [^,;:.!?]{{2,60}}{_STOP}")
_STATED: Final = late(
    r"(?i);\s*(?P<said>(?!(?:it|its|that|this|they|he|she|i|you|nobody|no one|everyone|because|since)\b)"
    r"(?:(?:the|our|all|every|each) )?\w+(?: [\w-]+){0,5}? (?:over|with|via|through|by|on|in|to|from|as)"
    r"\s(?=\w)[^;?]*)\Z"
)
_ANEW: Final = late(
    r"(?i)\A\W*(?:(?:so|now|rather|ok(?:ay)?|from now on|just)\b\W{1,3}){0,2}(?:(?:the|an?|one|two|all) )?"
    r"(?P<name>[\w@][\w.+#/@-]{0,30}(?: [\w.+#/@-]{1,30}){0,2}?) (?:everywhere|internally|throughout|instead|only|from"
    r" now on"
    r"|always|again|it is|then|(?:for|in|per|by) (?:all|any|each|every\w*|the (?:whole|entire)|one|an?)\b|per \w|for"
    r" \w)"
)
"""States how something is by a name, and no verb."""
_EXCEPTION: Final = late(
    r"(?i)[,;]\s(?:(?:and|but) )?[\w.+#-]{1,30}(?: [\w.+#-]{1,30}){0,2}? only (?:on|in|at|for|with|within)"
    r" [^,;.?!]{2,50}(?=\W*\Z)"
)
_WHOLE: Final = late(r"(?i)\s(?:for|in|on) the (?:whole|entire) \w+(?=\W*\Z|\s*[,;.!])")
"""Names no purpose beside others."""
_TOLD: Final = late(
    r"(?i)\b(?:was|were|had|did|made|ate|broke|kept|lost|went|got|took|\w{2,}ed|would|could|should|might|may|can"
    r"|must)\b"
)
_GOES_BACK: Final = late(
    r"(?i)(?:\A|(?<=[,;.]))\W{0,4}(?>(?:(?:ok(?:ay)?|so|and|actually|the|our|all)\b\W{1,3}){0,3})"
    rf"(?P<what>{ANY_WORD}(?:\s{ANY_WORD}){{0,2}}?) (?:go(?:es)?|are going|is going) back to"
    r" (?!(?:the|an?|our|my|your|his|her|their|this|that|it|being|normal|green|red|work|sleep|bed|school|zero|start"
    r"|square|basics|business|scratch|me|you|him|them|us|review|stock)\b)(?=(?-i:[a-z0-9]))"
)


class Complaint(NamedTuple):
    """What is complained of, and where in the sentence the complaint stands."""

    left: str
    begin: int
    end: int


def complaint_in(plain: str) -> Complaint | None:
    """The first complaint of a sentence about something named.

    >>> complaint_in("Jest is slow, let's go with Vitest")
    Complaint(left='Jest', begin=0, end=12)
    """
    hit = _COMPLAINT.search(plain)
    return None if hit is None else Complaint(hit["left"], *hit.span())


class ThrownOut(NamedTuple):
    """A complaint, and where its sentence wants no more of what it is about."""

    what: Complaint
    begin: int
    end: int


def thrown_out(plain: str) -> ThrownOut | None:
    """What a sentence complains of and wants no longer.

    >>> thrown_out("workbox is a pain, throw it out").what.left
    'workbox'
    >>> thrown_out("tar smears the edges, no more of that").what.left
    'tar'
    """
    if (hit := _OF_THAT.match(plain)) is not None:
        return ThrownOut(Complaint(hit["left"], hit.start(), hit.start("out")), *hit.span("out"))
    complaint = complaint_in(plain)
    out = None if complaint is None else _OUT_WITH_IT.search(plain, complaint.end - 1)
    return None if complaint is None or out is None else ThrownOut(complaint, *out.span())


def is_thrown_out(sentence: str) -> bool:
    """Whether a sentence calls a choice bad and wants it no longer, whether or not something takes its place.

    >>> is_thrown_out("ratings were a stupid idea, take them out"), is_thrown_out("the cache is broken, drop it")
    (True, False)
    """
    out = thrown_out(sentence)
    said = "" if out is None else sentence[out.what.begin : out.what.end]
    return _JUDGED.search(said) is not None and not is_passing(said)


def is_aside(sentence: str) -> bool:
    """Whether a sentence turns to something else, or takes it beside what is there: "let's use tabs, too"."""
    return _ASIDE.search(sentence) is not None


def is_passing(complaint: str) -> bool:
    """Whether a complaint is one of the moment: "postgres is slow today"."""
    return _PASSING.search(complaint) is not None


def without_complaints(sentence: str) -> str:
    """A sentence, its complaints blanked."""
    return _COMPLAINT.sub(lambda hit: " " * len(hit[0]), sentence)


def chooses_else(rest: str, left: str) -> bool:
    """Whether the words beside a complaint take something else in the place of what it is about.

    >>> chooses_else("let's go with Vitest", "Jest")
    True
    >>> chooses_else("let's go with a newer Jest", "Jest")
    False
    """
    hits = [hit for each in _CHOICE if (hit := each.search(rest)) is not None]
    hits = [hit for hit in hits if _BEFORE_CHOICE.match(rest[: hit.start()])]
    if is_aside(rest) or not hits:
        return False
    taken = _taken(hits[0])
    if not taken:
        return False
    old, new = left.split(), taken.split()
    is_other = not set(left.casefold().split()) & set(taken.casefold().split())
    is_value = _VALUE.match(new[0]) is not None and _VALUE.match(old[0]) is None
    # Many things may be a remedy, "indexes", but not where they are said to come instead.
    is_such = _is_many(old[-1]) or not _is_many(new[-1]) or _INSTEAD.match(rest, hits[0].end()) is not None
    return is_other and not is_value and is_such


def stated_anew(complaint: str, after: str) -> bool:
    """Whether the sentence after one that calls a choice bad states by its name alone how it is from then on.

    >>> stated_anew("local time was a mistake", "utc internally, local only on the panel")
    True
    >>> stated_anew("one yaml per season is silly", "one yaml for the whole year")
    True
    >>> stated_anew("local time was a mistake", "fix the tests first")
    False
    """
    hit = _ANEW.match(after)
    if hit is None or _JUDGED.search(complaint) is None or is_passing(complaint) or is_aside(after):
        return False
    said = complaint.casefold().split()[:2]
    return may_be_name(hit["name"]) or after.casefold().split()[:2] == said


def is_complaint(said: str) -> bool:
    """Whether words say no more than that something is no good."""
    return complaint_in(said) is not None and not without_complaints(said).strip(" .!")


def without_exception(sentence: str) -> str:
    """A sentence without the exception behind it: "utc everywhere, local only on the panel"."""
    return _WHOLE.sub("", _EXCEPTION.sub("", sentence))


def bare_choice(rest: str) -> str:
    """What words beside a complaint take by its name alone, "" where they say more: "tauri then"."""
    hit = _THEN.match(rest)
    return hit["name"].strip() if hit is not None and may_be_name(hit["name"]) else ""


def _taken(hit: re.Match[str]) -> str:
    """What a choice takes, "" where a bare word names nothing."""
    named = hit.groupdict()
    bare = named.get("bare")
    return (bare if may_be_name(bare) else "") if bare else str(named["taken"])


def _is_many(word: str) -> bool:
    """Whether a word is a plural or a doing, which takes the place of no single thing: "Postgres is slow, let's go with
    replicas"."""
    return _MANY.match(word) is not None and word not in _NAMES_IN_S


def is_left_outright(sentence: str) -> bool:
    """Whether a sentence leaves something by its name alone.

    >>> [is_left_outright(each) for each in ("Drop Redis again, it ate the memory", "drop the old rows")]
    [True, False]
    """
    is_left = _OUTRIGHT.match(sentence) is not None or other_means(sentence) is not None
    return "?" not in sentence and is_left


def of_the_turn(sentence: str) -> str:
    """What of a sentence says what is left, where that is left whole; else the sentence.

    >>> of_the_turn("changed my mind on the font, 9 pt is too small on the train, go to 11")
    'changed my mind on the font'
    """
    hit = _OUTRIGHT.match(sentence) or _OF_MIND.search(sentence)
    return sentence if hit is None else sentence[: hit.end()]


def stated_behind(sentence: str) -> tuple[int, int] | None:
    """Where a sentence says how a thing is done from then on, behind what it leaves outright; None for nowhere."""
    hit = _STATED.search(sentence) if is_left_outright(sentence) else None
    return None if hit is None or _TOLD.search(hit["said"]) else hit.span("said")


def what_goes_back(sentence: str) -> frozenset[str]:
    """The stems of what a sentence says to go back to what it was; none where it does not.

    >>> sorted(what_goes_back("The rota goes back to weekly shifts")), what_goes_back("the build goes back to green")
    (['rota'], frozenset())
    """
    hit = _GOES_BACK.search(sentence)
    return frozenset() if hit is None else stems_in(hit["what"])
