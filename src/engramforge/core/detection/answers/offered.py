"""What an assistant's turn offers for a decision: a proposal ("I'd use Redis"), or things to choose from.

Looked at is the end of a turn alone, since an answer is to what was asked last. A proposal to do something ("I'd run
the tests first") offers no decision; one to use, keep or change something does. So it is with lists: which of several
ways is preferred decides something, which of several tasks comes first does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engramforge.core.detection.answers.alternatives import alternatives, matter_in
from engramforge.core.detection.answers.either import either, weighed
from engramforge.core.detection.answers.lists import Listed, asks_for_a_way, listed, ways_of
from engramforge.core.detection.answers.proposals import Proposal, proposed
from engramforge.core.detection.passages import plain_words, sentences, without_code
from engramforge.core.detection.traps import is_hearsay
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import word_set, words_of

_END: Final = 3_000
"""Characters at the end of a turn that are looked at."""
_LAST: Final = 4
"""Sentences at its end among which a proposal or a question stands."""

_YOU_WANT: Final = (
    r"(?:shall|should|may|can|could|do you want me to|want me to|would you like me to|ready for me to|happy for me to"
    r"|ok(?:ay)?(?: for me)? to)"
)
_DO_IT: Final = (
    r"(?:go ahead|proceed|do (?:it|that|so|this)|set (?:it|that|this)(?: up| so)?|implement|apply|start|begin|continue"
    r"|switch|change|make (?:it|that|the|this)|add (?:it|that|this)|build|wire|use (?:it|that|this)|migrate|go with"
    r"|draft|(?:write|put|keep|leave|handle|have) (?:it|that|this)|configure|scaffold)"
)
_GO_AHEAD: Final = late(
    rf"(?i)\A\W*(?:(?:so|and|then),? )?(?:{_YOU_WANT} ?(?:i|we)?\s?(?:now |then )?{_DO_IT}\b[^?]{{0,60}}"
    r"|(?:shall|should) (?:we|i)"
    r"|(?:does |do |is )?(?:that |this |it )?(?:sound|ok(?:ay)?|fine|all ?right|good|sounds? good|work for you|agreed"
    r"|make sense|(?:are )?you (?:ok(?:ay)?|fine|happy) with (?:that|this|it)|deal)\b[^?]{0,40}"
    r"|(?:(?:do|would) you )?(?:want|like) (?:that|this|it|both|them|me to|to have (?:that|it|both))(?: too| as well)?"
    r"|(?:what do you think|agreed?|any objections?|thoughts)[^?]{0,30})\?\W*\Z"
)
"""Asks whether what was proposed shall be done."""
_AMOUNT: Final = late(
    r"(?i)\A\W*(?=[^?]{0,20}\b(?:say|make it|then|instead)\b)(?:(?:so|then|ok(?:ay)?|shall we|say|make it)\b\W{0,3})*"
    r"(?P<amount>\d[\d.]{0,8}\s?[a-z]{2,20}?)(?: (?:then|instead))?\?\W*\Z"
)
"""Asks for an amount by itself: "14 days then?"."""
SWITCHES: Final = late(r"(?i)(?:switch|migrate|move|change) (?:over )?to\b")
"""Proposes to turn to something else, without what it takes the place of."""
_ASKING: Final = word_set("""
shall should may can could want like ready happy ok okay go ahead proceed set up implement apply start begin continue
switch change changes make add build wire use migrate migration draft write configure scaffold put keep leave handle
have sound sounds fine good alright right work works agreed agree sense deal think objections thoughts it that this so
do does is in sounds approach option way plan now then setup implementation you i we me us with to for the a an any and
are all what
""")
"""Words with which a turn asks whether what it proposed shall be done; others say that something else is asked."""
_ASIDE: Final = late(
    r"(?i)\A\W*(?:(?:and |but |so )?(?:while (?:i['\u2019]m|we['\u2019]re|you['\u2019]re) at it|by the way|btw"
    r"|(?:one|one more|another) thing|ps|p\.s\.|(?:my )?(?:proposal|suggestion|plan)"
    r"|something else|next|also)\s?[:,-]\s)+"
)
"""Leads to something else, and tells nothing of others."""
_COULD: Final = late(r"(?i)\b(?:i|we) (?:could|can)(?: also)? (?=[a-z])")
_ORDER: Final = late(
    r"(?i)\A\W*(?:(?:so|then|and|ok(?:ay)?|just|simply)\b\W*)*(?=(?:switch|migrate|move) (?:over )?to (?!(?:the"
    r"|an?|this|that|another|your|main|master|next|it|them)\b)|(?:drop|ditch|scrap"
    r"|retire|get rid of) [\w.+#-]+ and )"
)
"""Proposes a change of what is used in the form of an order; only a question makes it one: "Switch to Hugo?"."""
_TOLD: Final = late(
    r"(?i)\A\W*>|[:\"\u201c\u201d\u2018]|\b(?:says?|said|reads?|writes?|wrote|states?|printed|prints|according"
    r"|suggests?|recommends|found|line|page|docs?|readme|article|comment|thread|ticket|issue|mail|log|output)\b"
)
"""Stands before what is only told of others, or of a text."""
_HOLDS_NOT: Final = late(
    r"(?i)\s(?:if|unless)\b|\s(?:but|although|though)\b[^.?!]{0,60}?(?:\b(?:not|never|no|cannot)\b|n['\u2019]t\b)"
)
_NAMES_ONE: Final = late(
    r"(?i)\A(?:the )?(?:option|variant|approach|choice|way|number|plan|no\.?|#)?\s?"
    r"(?P<place>[1-6]|[a-f]|first|second|third|last)(?: (?:one|option|way|approach|variant))?\b"
)
"""A proposal that names an option by its place."""
_WHICH_ONE: Final = late(
    r"(?i)\A\W*(?:(?:so|and|ok(?:ay)?)\W+)*which [\w-]+(?: (?:for|to|as|of|on|in|with) [^?]{2,60})?\?\W*\Z"
)
_PLACES: Final = {word: at for at, words in enumerate(("1a", "2b", "3c", "4d", "5e", "6f")) for word in words}
_ORDINALS: Final = {"first": 0, "second": 1, "third": 2}


@dataclass(frozen=True, slots=True)
class Offered:
    """What a turn offers.

    `proposal`: what it proposes, "" for nothing; `why`: the sentence that does; `instead_of`: what it would replace.
    `awaits`: whether a "yes" takes it; `is_asked`: whether a question is behind it, so that any assent does.
    `options`: things to choose from, in their order; `is_listed`: whether they stand in a list, and so have a place.
    `tail`: what is said of each of them; `about`: the question that tells what they are for, "" for none.
    """

    proposal: str = ""
    why: str = ""
    instead_of: str = ""
    awaits: bool = False
    is_asked: bool = False
    options: tuple[str, ...] = ()
    is_listed: bool = False
    tail: str = ""
    about: str = ""


def offered(turn: str, asked: str = "") -> Offered:
    """What an assistant's turn offers at its end; `asked`: the question to which it is the answer, if any.

    >>> offered("I'd use Redis for the sessions, it expires keys. Shall I go ahead?").proposal
    'Redis for the sessions'
    >>> offered("Two ways:\\n1. Redis - expires keys\\n2. Postgres - a service less\\nWhich do you prefer?").options
    ('Redis', 'Postgres')
    >>> offered("I'd run the tests first. Shall I?").awaits
    False
    >>> offered("That fills the disk. 14 days then?").proposal
    '14 days'
    """
    end = without_code(turn)[-_END:].replace("**", "").replace("`", "")
    said = [
        each.strip() for line in end.splitlines() for each in sentences(plain_words(line)) if each.strip()
    ]
    last = said[-_LAST:]
    if not last:
        return Offered()
    if (amount := _AMOUNT.match(last[-1])) is not None:
        return Offered(amount["amount"], " ".join(last), awaits=True, is_asked=True)
    found = listed(end)
    ways = ways_of(found, asked) if found else None
    what = _proposal(last, found)
    if ways:
        return _beside(what, Offered(options=ways[0], is_listed=True, about=ways[1]))
    if what.proposal and what.is_asked and " or " not in last[-1].lower():
        return what
    if (two := alternatives(last)) is not None:
        return Offered(
            two.taken,
            two.why,
            awaits=two.taken != "",
            is_asked=two.is_asked,
            options=two.options,
            is_listed=True,
            about=two.about,
        )
    sides = either(last) or (weighed(last) if asks_which_one(asked) else None)
    if sides is None and what.proposal and what.awaits and not what.is_asked:
        # The question that the proposal answers: "Vue or Svelte? I'd take Svelte."
        sides = next((either([each]) for each in last[-2:-1] if each.endswith("?")), None)
    if sides:
        return _beside(what, Offered(options=sides.options, tail=sides.tail, about=sides.about))
    return what


def asks_which_one(question: str) -> bool:
    """Whether a person's question is which of several things there shall be."""
    return asks_for_a_way(question) or _WHICH_ONE.match(question) is not None


def _beside(what: Offered, choice: Offered) -> Offered:
    """Things to choose from, with what is proposed of them."""
    if not what.proposal:
        return choice
    return Offered(
        what.proposal,
        what.why,
        what.instead_of,
        what.awaits,
        what.is_asked,
        choice.options,
        choice.is_listed,
        choice.tail,
        choice.about or what.about,
    )


def _proposal(last: list[str], found: Listed | None) -> Offered:
    """What the last sentences propose."""
    made = [
        (at, thing)
        for at, each in enumerate(last)
        if (thing := _named(_own(each, last[at - 1] if at else "", "".join(last[at + 1 : at + 2])), found))
    ]
    if not made:
        return Offered()
    at, what = made[-1]
    behind = last[at + 1 :]
    is_asked = last[-1].endswith("?") and (not behind or _asks_for(behind[-1], what.thing))
    is_near = not behind or (is_asked and len(behind) < _LAST - 1)
    fullest = max((each for _, each in made), key=lambda each: len(each.thing))
    is_one = all(_says(fullest.thing, each.thing) for _, each in made)
    what = fullest if is_one else what
    said_at = made[0][0] if is_one else at
    # What is switched from is mostly named in the sentence before.
    begin = max(said_at - 1, 0) if SWITCHES.match(what.thing) else said_at
    why = " ".join(last[begin : said_at + 1])
    about = matter_in(_ASIDE.sub("", last[said_at]))
    about = "" if set(words_of(about)) <= {*words_of(what.thing), *words_of("for in on to the")} else about
    return Offered(what.thing, why, what.other, is_near and is_one, is_asked, about=about)


def _own(sentence: str, before: str, after: str = "") -> Proposal | None:
    """What a sentence proposes in its speaker's own name, without a condition; nothing of what is quoted or told.
    `after`: the question behind it, which makes an offer of what they could do: "I could print both. Want that?"."""
    sentence = _ASIDE.sub("", sentence)
    if _GO_AHEAD.match(after):
        sentence = _COULD.sub("I'd ", sentence, 1)
    if (_GO_AHEAD.match(after) or sentence.endswith("?")) and (order := _ORDER.match(sentence)) is not None:
        sentence = f"I'd {sentence[order.end() :]}"
    what = proposed(sentence)
    if what is None or before.endswith(":") or before.lstrip().startswith(">"):
        return None
    if (
        is_hearsay(sentence)
        or _TOLD.search(sentence[: what.begin])
        or _HOLDS_NOT.search(sentence, what.begin)
    ):
        return None
    return what


def _asks_for(question: str, thing: str) -> bool:
    """Whether a question is whether that thing shall be done, and nothing beside."""
    if _GO_AHEAD.match(question) is None:
        return False
    return set(words_of(question)) <= {*words_of(thing), *_ASKING}


def _named(what: Proposal | None, found: Listed | None) -> Proposal | None:
    """A proposal; of "option 2" what a list or heading calls so, and nothing where none does."""
    hit = None if what is None else _NAMES_ONE.match(what.thing)
    if what is None or hit is None or hit.end() < min(len(what.thing), hit.end("place") + 1):
        return what
    place = hit["place"].lower()
    if found is None:
        return None if len(place) == 1 or hit.end() == len(what.thing) else what
    at = (
        len(found.heads) - 1
        if place == "last"
        else _ORDINALS.get(place, _PLACES.get(place, len(found.heads)))
    )
    if at >= len(found.heads):
        return None
    return Proposal(found.heads[at], " or ".join(found.heads[:at] + found.heads[at + 1 :]))


def _says(full: str, part: str) -> bool:
    """Whether all words of a proposal are in another."""
    return frozenset(part.casefold().split()) <= frozenset(full.casefold().split())
