"""The words of a person's short answer: a yes, a place in a list, a name, and what it adds ("2, but keep csv")."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engramforge.core.detection.answers.momentary import DOES, are_of_the_moment
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import word_set

_POLITE: Final = r"(?:please|pls|thanks|thank you|then|thx|cheers)"
_THAT: Final = r"(?:it|that|this)"
_APOSTROPHE: Final = r"['\u2019]"
_YES: Final = (
    r"(?:yes|yep|yeah|yup|yea|ya|ja|jo|jep|jup|klar|aye|oui|gerne|genau|einverstanden|d['\u2019]accord|vale)"
)
_DO_IT: Final = (
    rf"(?:go ahead|go for it|do (?:{_THAT}|so)(?: (?:that|this) way| like (?:that|this))?|please do"
    rf"|let{_APOSTROPHE}?s (?:do|go with|go for|take|use) {_THAT}"
    rf"|go with {_THAT}|(?:use|take) {_THAT}|agreed|i agree|approved|definitely|absolutely)"
)
_CONTENT: Final = (
    r"(?:fine(?: (?:by|with|for) me)?|sounds? (?:good|great|right|fine|reasonable|sensible|ok(?:ay)?)(?: to me)?"
    r"|makes sense(?: to me)?|lgtm|works(?: for me)?|ok(?:ay)? (?:by|with|for) me|good (?:by|with|for) me|all"
    r" ?right|why not)"
)
_ASSENTS: Final = late(
    rf"(?i)\W*(?:(?:{_YES}|{_DO_IT}|sure(?: thing)?|ok(?:ay)?|k|go|fine|right|perfect|great|good(?: idea)?|nice|cool"
    rf"|{_CONTENT}|exactly|of course)\b\W*|{_POLITE}\b\W*)+\Z"
)
_OUTRIGHT: Final = late(
    rf"(?i)\W*(?:(?:ok(?:ay)?|sure|great|good|right|cool)\b\W*)*(?:{_YES}|{_DO_IT}|go(?=\W*\Z))(?!\w)"
)
"""A yes that nobody has to ask for."""
_IS_CONTENT: Final = late(rf"(?i)\W*(?:(?:ok(?:ay)?|sure|good|right|hm+)\b\W*)*{_CONTENT}\W*\Z")
"""A judgement of what is proposed; thanks and praise may be for what is told or done."""
_COMPLAINS: Final = late(
    r"(?i)\A(?P<no>\W*(?:nope|no|nah|naw)\b)[\s,.!\u2013\u2014-]*(?:(?:that|it)(?:['\u2019]?s| is| would be)"
    r" )?(?:way |a (?:bit|little)"
    r" |much |really )?(?:too [\w-]+(?: for (?:us|me|this|that))?|overkill|overengineered|over-engineered|not"
    r" worth it|not needed|unnecessary|expensive|heavy|(?:we |i )?don['\u2019]?t need (?:it"
    r"|that))\b\s*[,.;!\u2013\u2014-]+\s*(?=\S)"
)
"""Says what is wrong with what is turned down, before what is taken in its place."""
_LEAD: Final = (
    r"(?:(?:nope|no|nah|rather|better|yes|yeah|yep|yup|sure|ok(?:ay)?|hm+|definitely|actually|instead|make it|we use"
    r"|neither(?: of (?:them|these|those|the two))?|none(?: of (?:them|these|those))?"
    rf"|i{_APOSTROPHE}?d (?:say|go with|go for|take|use|prefer|pick|rather (?:use|have))"
    r"|i (?:prefer|like|want|vote for|would take|think|guess)"
    rf"|let{_APOSTROPHE}?s (?:use|do|go with|go for|take|go)|go with|go for|use|take|do)\b[\s,.;:!\u2013\u2014-]*)*"
)
_FINE: Final = (
    r"(?:(?:is|are|would be|will be|sounds?|seems?|looks?) (?:fine|ok(?:ay)?|good|better|best|great|enough|perfect"
    r"|right|sensible|reasonable|ideal|nice)(?: (?:to|for|with) (?:me|us))?|makes? (?:the most |more"
    r" )?sense(?: to me)?|wins|will do|works(?: for me)?|for now|for me)"
)
_TAIL: Final = rf"(?:[\s,]*(?:{_POLITE}|it is|instead|i think|i guess|{_FINE}|one|option|ones)\b)*\W*\Z"
_NAMED: Final = late(
    rf"(?i)\W*(?P<lead>{_LEAD})(?:the |a |an )?(?P<name>[\w@][\w.+#/@-]*(?: [\w.+#/@-]+){{0,3}}?){_TAIL}"
)
_BY_PLACE: Final = late(
    rf"(?i)\W*(?P<lead>{_LEAD})(?:(?:the|option|number|no|nr|variant|choice|approach|way|#)[\s.]*)*"
    r"(?P<place>[1-6](?:st|nd|rd|th)?|[a-f]|first|second|third|fourth|fifth|last|one|two|three|four|former|latter)"
    rf"(?:[\s,]*(?:way|approach|variant|choice)\b)?{_TAIL}"
)
_PLACES: Final = (
    ("1", "a", "first", "one", "former", "1st"),
    ("2", "b", "second", "two", "latter", "2nd"),
    ("3", "c", "third", "three", "3rd"),
    ("4", "d", "fourth", "four", "4th"),
    ("5", "e", "fifth", "5th"),
    ("6", "f", "6th"),
)
_PLACE: Final = {word: at for at, words in enumerate(_PLACES) for word in words}
_LAST: Final = -1
_TURNS_DOWN: Final = late(r"(?i)\W*(?:nope|no|nah|rather|neither|none)\b")
_REFUSES: Final = late(
    r"(?i)\W*(?:(?:nope|nah|no|not|hm+)\b[\s,.;!\u2013\u2014-]+){0,3}(?:no|not)\s+(?!(?:let|use|go|take|i"
    r"|rather|make|we|do)\b)\w"
)
"""Turns down what it names: "no redis", "nope, no redis", which is no "no, redis"."""
_COUNTED: Final = late(r"(?i).*\b(?:no|not|better|rather)\b")
"""Behind it a "one" counts nothing."""
_NO_NAMES: Final = word_set("""
nein non nee nah nope naw idiot stupid
it that this them those these one ones thanks thank not yet later now wait sorry problem idea clue worries way why how
what both either neither none nothing all more less other another same different never maybe good bad wrong right stop
skip done need doubt chance go yes no ok still just only first second last leave cancel nevermind everything
i im i'm its it's he she they you your my me we us our is are was be been has have had will would can can't cant won't
wont should shouldn't didn't didnt does doesn't doesnt isn't isnt don't dont do with for of to from at on in by about
close shut open run delete remove revert undo restart start hold abort kill keep pull push commit merge rebase check
test try look read show ask tell fix write rewrite move rename ignore drop add clean reset retry continue finish explain
change forget stay end exit quit save send print build install update upgrade downgrade use make let get put take give
hang pause think see again please enough really sure fine great cool well actually
too so very much way pretty quite bit ugly overkill expensive complex complicated heavy buggy broken pointless useless
unnecessary boring risky hard difficult weird awful terrible terribly horrible hate dislike unsure nonsense lol boss
""")
_PLAINLY: Final = tuple(
    [each] for each in ("plain", "simple", "raw", "flat", "static", "pure", "vanilla", "bare", "ordinary")
)
"""Begins a name of a word more: "plain text files"."""
_MOST_WORDS: Final = 4
_MOST_BARE: Final = 2
"""Words of what takes the place of a proposal: behind a verb, and by its name alone."""
_HUMS: Final = late(r"(?i)\A\W*(?:(?:h+m+|um+|uh+|ah+|oh|well)\b[\s,.!\u2026-]*)+(?=\w)")
_JOINED: Final = late(
    r"(?i)(?:[\s,;.\u2013\u2014-]+(?P<join>but|only|with|and|as long as|provided(?: that)?|except|because|since)\s+"
    r"|\s(?P<scope>for)\s(?!(?:now|today|me|us|this|that|it|the moment|a (?:moment|while))\b)"
    r"|[,;.!]\s+|\s[\u2013\u2014-]\s+)(?=\S)"
)
_CORRECTS: Final = (
    "wait|stop|not?|i|we|you|the|let|lets|use|take|make|sorry|better|rather|hold|never|problem|idea"
)
"""Behind a "no", it takes back what was said; others name what a choice saves: "no app store"."""
_LATER: Final = late(
    rf"(?i)(?:not (?:yet|now|sure|today|really|until|before|this|like that)|wait|hold|later|first|let me|i"
    rf"|i{_APOSTROPHE}?m|im|we"
    r"|why|what|how|when|who|where|maybe|perhaps|can|could|is|does|isn['\u2019]?t|won['\u2019]?t|before|that"
    r"|that['\u2019]?s"
    r"|thats|it['\u2019]?s|its|there|then|now|(?:tell|show) (?:me|us)|explain|ask|check|look|run|test|commit|push"
    r"|please (?:wait|check|run|show|tell)"
    rf"|no(?=\W|\Z)(?!\s(?!(?:{_CORRECTS})\b)\w)|never ?mind|actually|unsure|think"
    r"|tomorrow|also|you|go|fix|do it|continue|start|he|she|they)(?!\w|-)"
)
"""What makes an answer no decision yet, or an order for the moment."""
_BECAUSE: Final = late(
    r"(?i)(?:it['\u2019]?s|its|it (?:is|has|keeps|saves|can|does|needs)|that['\u2019]?s|we(?:['\u2019](?:re"
    r"|ve))?|they(?:['\u2019]re)?"
    r"|i (?:already )?(?:know|have|own|use|like|trust)|he|she|most|half|all|many|nobody|everyone|everybody|people"
    r"|the|our|there['\u2019]?s|there (?:is"
    r"|are))\b(?!.*(?:n['\u2019]t\b|['\u2019]ll\b|\b(?:not|no longer|but|if|unless|first|before"
    r"|until|wait|tomorrow|later|ask\w*|check|think|guess|should|could|would|might|may|must|will|going|gonna"
    r"|(?<!re )broke\w*"
    r"|fail\w*|wrong|slow|bad|ugly|hate|terrible|horrible|awful|worse|worst|weird|expensive|complicated|crash\w*|tried"
    r"|was|were|did|had|yesterday|problem|sure|unsure|idea|then|now|see|look|try|talk|discuss|let|decide|why|what|how"
    r"|who|too|still|done|settled)\b))"
)
"""A reason behind an answer, which takes nothing of it back: "sqlite, its one box anyway"."""
_IS_BETTER: Final = late(
    r"(?i)(?:(?:much|far|way|a lot|a bit|it['\u2019]?s|its) ){0,2}(?:easier|simpler|smaller|faster|cheaper"
    r"|lighter|safer|nicer|quicker|leaner|less (?!so\b)\w{3,20}|more (?:robust|common|stable|readable|portable))\b"
    r"(?!.*(?:\?|\b(?:but|if|unless|maybe|first|later|though)\b))"
)
"""Tells what is better about what was named: "sqlite, easier to back up"."""
_RESTRICTS: Final = late(
    r"(?i)(?:only|just|with|without|keep)\s+(?!(?:for now|now|today|kidding)\b)\S|no (?!\w+\s+\w+\s+\w+\s+\w)\w"
)
"""Behind a yes, says what is taken more narrowly: "yes, only those"."""
_ALSO: Final = late(r"(?i)(?:the|a|an|keep|leave|with|only|without|no)\b")
"""Begins what an "and" adds to a yes; behind a name, anything does that is no order nor another choice."""

_OTHERS: Final = (
    r"(?:he|she|they|someone|somebody|everyone|everybody|people|(?:my|our|the|his|her|their) [\w-]{2,20})"
)
_LEFT_OPEN: Final = late(
    r"(?i)\b(?:(?:not|n['\u2019]t) (?:(?:so|really|quite|entirely|totally|completely|too|that|yet|100 ?%) )?"
    r"(?:sure|certain)|unsure|uncertain|undecided|perhaps|maybe|possibly|probably|dunno|idk|no idea"
    r"|don['\u2019]?t know|apparently|allegedly|supposedly)\b"
    rf"|(?:\A|[,;.!\u2013\u2014-]|\b(?:but|because|since)\b|\d|\w{{3}})\s*{_OTHERS}"
    r" (?:says?|said|thinks?|thought|claims?|claimed|reckons?|told (?:me|us)|wants?|meant)"
    r"(?: (?:yes|yeah|no|nope|ok(?:ay)?|so|that|it))?\W*\Z|\baccording to\b"
)
"""Doubts what is said, or tells that somebody else says it."""


def is_left_open(answer: str) -> bool:
    """Whether an answer doubts what it says ("yes but 60, not sure") or tells what another says ("he says yes")."""
    return _LEFT_OPEN.search(answer) is not None


@dataclass(frozen=True, slots=True)
class Said:
    """What a short answer says.

    `assents`: it is a yes of any kind; `is_outright`: one that says so; `is_content`: one that only
    judges. `turns_down`: it begins with a no. `place`: of
    an option in a list, -1 for the last; `name`: what it names; `is_led`: behind a verb. `addition`: ", but ...".
    """

    assents: bool = False
    is_outright: bool = False
    is_content: bool = False
    turns_down: bool = False
    place: int | None = None
    name: str = ""
    is_led: bool = False
    addition: str = ""
    is_loose: bool = False

    @property
    def is_short_name(self) -> bool:
        """Whether it is short enough for a name, and holds nothing that a sentence or an order is made of."""
        words = self.name.casefold().replace("\u2019", "'").split()
        most = _MOST_WORDS if self.is_led else _MOST_BARE + (words[:1] in _PLAINLY)
        return 0 < len(words) <= most and _NO_NAMES.isdisjoint(words)

    @property
    def replacement(self) -> str:
        """What is named in place of what was offered: a short name, and nothing of the moment."""
        return self.name if self.is_short_name and not are_of_the_moment((self.name,)) else ""


def readings(answer: str) -> tuple[Said, ...]:
    """What an answer may say: as it stands, and with its end as an addition."""
    plain = answer.strip()
    plain = plain[hums.end() :] if (hums := _HUMS.match(plain)) else plain
    if complaint := _COMPLAINS.match(plain):
        plain = f"{complaint['no']}, {plain[complaint.end() :]}"
    found = [_said(plain, "")]
    for hit in _JOINED.finditer(plain, 1):
        if hit["scope"]:
            # "yes for the small ones": of a name, others may be taken for the rest.
            if (said := _said(plain[: hit.start()], f", for {plain[hit.end() :].strip(' .!')}")).assents:
                found.append(said)
                break
            continue
        join, more = (hit["join"] or "").lower(), plain[hit.end() :].strip(" .!")
        if _LATER.match(more) and not _BECAUSE.match(more):
            break
        link = "" if join in ("because", "since") else ","
        said = _said(plain[: hit.start()], f"{link} {join} {more}".replace("  ", " "))
        is_loose = join in ("", "and") and not (join and _ALSO.match(more))
        is_told = join == "" and said.assents and (_BECAUSE.match(more) or _RESTRICTS.match(more))
        if is_loose and not is_told and (said.assents or DOES.match(more) or _BY_PLACE.match(more)):
            break
        # What comes in the place of what is turned down may have a reason behind it: "nope, jpg. the old pc reads it".
        is_told = is_told or (join == "" and bool(_BECAUSE.match(more) or _IS_BETTER.match(more)))
        if is_loose and not is_told and said.turns_down:
            said = replace(said, is_loose=True)
        found.append(said)
    return tuple(found)


def _said(plain: str, addition: str) -> Said:
    assents = _ASSENTS.match(plain) is not None
    is_refused = _REFUSES.match(plain) is not None
    place, named = (None, None) if is_refused else (_BY_PLACE.match(plain), _NAMED.match(plain))
    if place is not None and place["place"].isalpha() and _COUNTED.match(place["lead"]):
        place = None
    return Said(
        assents=assents,
        is_outright=assents and _OUTRIGHT.match(plain) is not None,
        is_content=assents and _IS_CONTENT.match(plain) is not None,
        turns_down=_TURNS_DOWN.match(plain) is not None,
        place=None if place is None else _place(place["place"].lower()),
        name="" if named is None else named["name"],
        is_led=named is not None and len(named["lead"].split()) > 1,
        addition=addition,
    )


def _place(word: str) -> int | None:
    return _LAST if word == "last" else _PLACE.get(word)
