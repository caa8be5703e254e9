"""What a person's answer makes of a proposal where it alters it, narrows it, or says it again in their own words: "yes
but 60 minutes", "only german", "ok leave it out", "nope, no dark mode".
"""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from engramforge.core.detection.answers.momentary import are_of_the_moment
from engramforge.core.detection.answers.proposals import OF_THE_DESK
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import word_set

_LEAD: Final = (
    r"(?:(?:yes|yep|yeah|yup|yea|ya|ja|jo|ok(?:ay)?|k|sure|fine|good|agreed|right|alright|please|pls|do (?:it"
    r"|that|this|so)|go ahead|go for it|sounds good)\b[\s,.!;:\u2013\u2014-]*)"
)
_TURN: Final = r"(?:(?:no|nope|nah|hm+|better|rather|instead)\b[\s,.!;:\u2013\u2014-]*)"
_SET: Final = (
    r"(?:(?:but|make (?:it|that)|rather|better|only|just|at|with|take|use|let['\u2019]?s (?:say|take|do|make it)|say"
    r"|more like|i['\u2019]?d (?:say|take|go for)|please|for|to|after|up to|at (?:most|least))\s+)"
)
_COUNTS: Final = r"one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty"
_NUMBER: Final = rf"(?:-?\d{{1,9}}(?:[.,:]\d{{1,9}}){{0,3}}|half an?|an?|{_COUNTS})"
_UNIT: Final = r"(?:[a-z\u00b5]{1,15}|%)"
_AMOUNT: Final = late(
    rf"(?i)\A\W*(?P<lead>{_LEAD}{{0,3}})(?P<turn>{_TURN}{{0,2}})(?P<set>{_SET}{{0,3}})"
    rf"(?P<number>{_NUMBER})(?:\b|(?<=\d)(?=[a-z]))(?:\s?(?P<unit>{_UNIT})(?!\w))?"
    r"(?:\s(?:please|pls|then|instead(?! of)|it is|is (?:enough|better|fine)))?"
    rf"(?:,?\s(?:rather than|instead of|not)\s(?P<old>-?\d{{1,9}}(?:[.,:]\d{{1,9}}){{0,3}})(?:\s?{_UNIT}(?!\w))?)?"
    r"(?:(?:[,;.!]\s*|\s[\u2013\u2014-]\s|\s(?=(?:because|since|as|so)\b))(?P<why>\S.*))?\W*\Z"
)
_IN_THING: Final = late(
    rf"(?i)(?<![\w.])(?P<number>(?:(?<=\s)-)?\d{{1,9}}(?:[.,:]\d{{1,9}}){{0,3}}|(?:{_COUNTS}|half an"
    rf"|an?)\b)(?:\s?(?P<unit>{_UNIT})(?!\w))?"
)
_NO_UNITS: Final = word_set("""
and or to for per of in on at with as by the because since it is then please so but
""")
_OF_ONE_KIND: Final = tuple(
    frozenset(words.split())
    for words in (
        "s sec second m min minute h hr hour d day week month year quarter",
        "px pixel",
        "b kb mb gb tb kib mib gib byte kilobyte megabyte gigabyte",
        "mm cm m km meter metre",
        "g kg t gram kilo",
        "% percent",
        "euro eur cent dollar usd",
    )
)
_UNSETTLED: Final = late(
    r"(?i)(?:wait|but|no\b|not\b|if\b|unless|first|later|let me|why|what|how|when|who|where|can|could|is it|does"
    r"|maybe|perhaps|tomorrow|ask|check|hm)|.*\?"
)
"""Behind an amount, leaves it open."""
_ENUMERATED: Final = (
    r"(?P<one>[\w.+#-]{2,30}(?: [\w.+#-]{2,30})?)(?P<more>(?:, [\w.+#-]{2,30}(?: [\w.+#-]{2,30})?){0,4}),? (?:and|&)"
    r" (?P<last>[\w.+#-]{2,30}(?: [\w.+#-]{2,30})?)"
)
_NAMED_AMOUNT: Final = late(
    r"(?i)\A\W*(?P<head>[^,;.]{1,40}?),? but (?:please )?(?:make|set|put) (?:the |a )?"
    r"(?P<what>[\w-]{2,20}(?: [\w-]{2,20})??)"
    r" (?:to |at |of |be )?(?P<number>-?\d{1,9}(?:[.,:]\d{1,9}){0,3})(?:\s?(?P<unit>[a-z\u00b5]{1,15}|%)(?!\w))?"
    r"(?:[,;.]\s*(?P<why>\S.*))?\W*\Z"
)
"""Sets an amount by the name of what it is of: "yin, but make the window 16384"."""
_EXCHANGED: Final = late(
    rf"(?i)\A\W*{_LEAD}{{1,3}}(?:but|only|just|though|rather)[\s,]+(?:with |use |take |make it |please )?(?:the "
    r"|an? )?"
    r"(?P<new>(?!(?:not?|only|first|then|please|with|without|if|when|i|we|you|it|that|this)\b)[\w@][\w.+#/-]{1,30}"
    r"(?: (?!(?:instead|not?|rather|because|since|please|then)\b)[\w.+#/-]{2,30})?)(?:,? (?:not|instead of|rather than"
    r"|no) (?:the |an? )?(?P<old>[\w@][\w.+#/-]{1,30})"
    r"|(?P<instead> instead))?(?:(?:[,;.]\s*|\s(?=(?:because|since)\b))(?P<why>\S.*))?\W*\Z"
)
"""Takes a proposal with another thing in the place of one: "sounds good but valkey not redis", "yes but irlz34"."""
_NAME_IN_THING: Final = late(r"[\w@][\w.+#/-]{1,30}")
_HEAD: Final = late(r"(?P<name>[\w@][\w.+#/-]{1,30})(?=\Z|\s(?:for|as|in|on|with|to)\s)")
_LEAST_ALIKE: Final = 0.6
_SAME_BEGIN: Final = 3
_THINGS: Final = late(rf"(?i)(?<!\w){_ENUMERATED}(?!\w)")
_BOTH: Final = late(
    r"(?i)\bboth(?:,|:| of them:)? (?:an? |the )?(?P<one>[\w.+#-]{2,30}(?: [\w.+#-]{2,30}){0,3}?) and (?:an? |the )?"
    r"(?P<other>[\w.+#-]{2,30}(?: [\w.+#-]{2,30}){0,3})\Z"
)
"""Ends with two things of which both are proposed."""
_ONLY: Final = late(
    rf"(?i)\A\W*+{_LEAD}{{0,2}}{_TURN}{{0,2}}(?:but )?(?:(?:only|just)(?: in| the)? (?P<name>[\w.+#-]+(?: [\w.+#-]+)??)"
    r"|(?P<named>[\w.+#-]+(?: [\w.+#-]+)??)(?: one)? (?:only|alone|is enough|is fine|will do|suffices)"
    r"|(?:no|without|not(?: in| by| the)?|skip the|drop the) (?P<dropped>[\w.+#-]+))(?: one)?"
    r"(?: (?:please|pls|then|thanks))?(?:[,;.]\s*(?P<why>\S.*)|\s(?=(?:because|since)\b)(?P<because>.*))?\W*\Z"
)
_ASSENT: Final = late(rf"(?i)\A\W*{_LEAD}{{1,3}}")
_WORD: Final = late(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_SUFFICES: Final = late(
    r"(?i)\s(?:(?:is|are) (?:enough|plenty|fine|good|ok(?:ay)?|all we need)|will do|suffices?)(?: for (?:us|me"
    r"|now))?\W*\Z"
)
"""Ends what is enough: "yes, French and German is enough"."""
_POINTING: Final = word_set("""
it them that those this these the a an one ones only just please pls then so as well it's its do yes
""")
_LEAVES_OUT: Final = late(
    r"(?i)\A(?:(?:leave|keep)\b.{2,60} out\b|(?:skip|drop|avoid|omit|go without|do without)\s)"
)
_NONE: Final = ("no", "without", "not")
_ORDERS: Final = word_set("stop wait no not hold run test check commit push go")
"""What is said of the moment, even where a proposal has such a word."""
_NONE_OF: Final = late(
    rf"(?i)\A\W*(?:{_LEAD}|{_TURN}){{1,3}}(?P<none>(?:no|without) (?P<name>[\w.+#-]+(?: [\w.+#-]+){{0,2}}?))"
    r"(?: (?:please|pls|then|for now|at all))?(?:[,;.]\s*(?P<why>\S.*))?\W*\Z"
)
_SHOULD: Final = late(r"(?P<subject>[^\n]{1,80}?) should (?!not\b)(?P<does>[^\n]+)")
_NO: Final = late(
    r"(?i)\A\W*(?:no|nope|nah|no way|never|better not|please don['\u2019]?t|(?:no|nope|nah),? (?:they|it)"
    r" should(?: not|n['\u2019]?t))(?:,? (?:thanks|thank you|thx|please))?"
    r"(?:[,.;:]? (?:because|since|cause|cuz|(?=(?:that|it|this)['\u2019]?s (?:too|just|only|not|confusing|ugly)))"
    r" ?(?P<why>[^?\n]{2,80}))?\W*\Z"
)
"""A no, and nothing that may be something else in its place."""
_NOT_WANTED: Final = late(
    rf"(?i)\A\W*{_TURN}{{1,2}}(?:just )?(?:leave (?:it|that|them) (?:out|away)|skip (?:it|that|them)|(?:we |i"
    rf" )?(?:don['\u2019]?t"
    r" (?:need|want) (?:it|that|them)|do without(?: it| that)?)|without (?:it|that)|not needed)"
    r"(?:[,;.]\s*(?P<why>\S.*))?\W*\Z"
)
_NEEDED: Final = late(
    r"(?i)\A\W*(?:(?:so|and|hm+|ok(?:ay)?|btw|also),? )?(?:do (?:we|i) (?:really |even |actually )?(?:need|want)"
    r"|should we (?:also |really )?(?:have|add|support|offer|build))"
    r" (?:an? |the )?(?P<thing>(?!(?:to|it|that|this|them|more|another|help|both)\b)[\w-]{2,30}"
    r"(?: (?!or\b)[\w-]{2,30}){0,3})\?\W*\Z"
)
"""Asks whether a thing of the project is needed."""
_ADDED: Final = late(
    r"(?i)\A(?:add|introduce|include|bring in|build in|put in|support|offer)\s+(?:an? |the )?(?P<thing>\S.*)\Z"
)
_LONGEST_NAME: Final = 5
"""Words of what is ruled out."""
_NO_THINGS: Final = word_set("""
problem problems worries idea need hurry thanks way one more longer rush doubt reason time chance luck clue opinion
preference wait not matter change changes question questions objection objections
""")


class Altered(NamedTuple):
    """What an answer makes of a proposal: the decision, what it turns down of it, and the reason given."""

    text: str
    others: tuple[str, ...] = ()
    why: str = ""


def altered(thing: str, answer: str) -> Altered | None:
    """What is decided instead of a proposal by an answer that sets its amount anew or takes a part of it.

    >>> altered("let a link live for 15 minutes", "yes but 60, many are slow").text
    'let a link live for 60 minutes'
    >>> altered("write the mails in German and English", "only german")
    Altered(text='write the mails in German only', others=('English',), why='')
    """
    return (
        _with_amount(thing, answer)
        or _with_named_amount(thing, answer)
        or _exchanged(thing, answer)
        or _narrowed(thing, answer)
    )


def says_again(thing: str, answer: str) -> bool:
    """Whether an answer says no more than what was proposed, by some of its words: "ok leave it out", "agreed, existing
    ones only".
    """
    lead = _ASSENT.match(answer)
    words = _words(_SUFFICES.sub("", answer if lead is None else answer[lead.end() :]))
    known = {*_words(thing), *(_NONE if _LEAVES_OUT.match(thing) else ())}
    told = [each for each in words if each not in _POINTING]
    is_deed = len(words) > 1 and words[:1] == _words(thing)[:1]
    if told == ["both"] and "both" in known:
        return True
    if not told or not (is_deed or (lead is not None and not _ORDERS.intersection(told))):
        return False
    return all(each in known or _stem_in(each, known) for each in told)


def none_of(turn: str, answer: str, asked: str) -> Altered | None:
    """What an answer rules out that the turns before it spoke of: "agreed, no pinia", "nope, no dark mode"."""
    hit = _NONE_OF.match(answer)
    if hit is None:
        return None
    words, said = set(_words(hit["name"])), set(_words(f"{turn}\n{asked}"))
    if not words <= said or not words.isdisjoint(_NO_THINGS) or OF_THE_DESK.search(hit["name"]):
        return None
    if hit["why"] and _UNSETTLED.match(hit["why"]):
        return None
    return Altered(hit["none"], why=hit["why"] or "")


def may_rule_out(answer: str) -> bool:
    """Whether an answer may rule something out by its name, or what was asked of."""
    return (_NONE_OF.match(answer) or _NOT_WANTED.match(answer)) is not None


def not_wanted(thing: str, answer: str) -> Altered | None:
    """What is ruled out where a thing that was asked about is to be left out: "no, leave it out"."""
    hit = _NOT_WANTED.match(answer)
    added = _ADDED.match(thing)
    if (
        hit is None
        or added is None
        or len(added["thing"].split()) > _LONGEST_NAME
        or (hit["why"] and _UNSETTLED.match(hit["why"]))
    ):
        return None
    return Altered(f"no {added['thing']}", why=hit["why"] or "")


def needed_not(question: str, answer: str) -> Altered | None:
    """What is ruled out where a person asked whether they need it, and answers themselves behind what was told of it.

    >>> needed_not("do we need a map?", "nah skip it").text
    'no map'
    """
    hit, asked = _NOT_WANTED.match(answer), _NEEDED.match(question)
    if hit is None or asked is None or (hit["why"] and _UNSETTLED.match(hit["why"])):
        return None
    if OF_THE_DESK.search(asked["thing"]):
        return None
    return Altered(f"no {asked['thing']}", why=hit["why"] or "")


def turned_down(thing: str, answer: str) -> Altered | None:
    """What is not to be so, where an assistant asked whether a thing should do something, and the answer is no.

    >>> turned_down("the import should skip empty rows", "nope").text
    'the import should not skip empty rows'
    """
    hit, asked = _NO.match(answer), _SHOULD.match(thing)
    if hit is None or asked is None or (hit["why"] and _UNSETTLED.match(hit["why"])):
        return None
    return Altered(f"{asked['subject']} should not {asked['does']}", why=hit["why"] or "")


def may_alter(answer: str) -> bool:
    """Whether an answer may set an amount anew, or take another thing in the place of one."""
    return (_AMOUNT.match(answer) or _EXCHANGED.match(answer)) is not None


def _with_amount(thing: str, answer: str) -> Altered | None:
    hit = _AMOUNT.match(answer)
    if hit is None or not (hit["lead"] or hit["turn"] or hit["set"] or hit["unit"]):
        return None
    if hit["why"] and _UNSETTLED.match(hit["why"]):
        return None
    unit = _unit(hit["unit"])
    number = hit["number"].casefold()
    if not unit and (not number[-1].isdigit() or (hit["turn"] and not hit["set"])):
        return None
    found = [
        each
        for each in _IN_THING.finditer(thing)
        if (each["number"][-1].isdigit() or any(_unit(each["unit"]) in kind for kind in _OF_ONE_KIND))
        and _is_like(unit, _unit(each["unit"]))
        and (":" in each["number"]) == (":" in number)
        and hit["old"] in (None, each["number"])
    ]
    if len(found) != 1 or found[0]["number"].casefold() == number:
        return None
    old = found[0]
    new = f"{hit['number']} {hit['unit']}" if unit else hit["number"]
    end = old.end() if unit and _unit(old["unit"]) else old.end("number")
    return Altered(f"{thing[: old.start()]}{new}{thing[end:]}", why=(hit["why"] or "").strip(" .!"))


def _is_of(what: str, thing: str, number: re.Match[str]) -> bool:
    """Whether a number is of what has a name: "a window of 90", "a 90 day window"."""
    if not number["number"][-1].isdigit():
        return False
    before = _words(thing[: number.start()])
    before = before[:-1] if before[-1:] and before[-1] in ("of", "at", "to", "is") else before
    named = _words(what)
    after = _words(thing[number.end("number") :])
    return before[-len(named) :] == named or named in (after[: len(named)], after[1 : len(named) + 1])


def _with_named_amount(thing: str, answer: str) -> Altered | None:
    """A proposal with another amount of what an answer names that takes the rest of it."""
    hit = _NAMED_AMOUNT.match(answer)
    if hit is None or (hit["why"] and _UNSETTLED.match(hit["why"])):
        return None
    lead = _ASSENT.match(hit["head"])
    if _unit(hit["unit"]) and hit["unit"].casefold() not in _words(thing):
        return None
    if not set(_words(hit["head"][lead.end() :] if lead else hit["head"])) <= set(_words(thing)):
        return None
    found = [
        each for each in _IN_THING.finditer(thing) if _is_of(hit["what"].casefold(), thing.casefold(), each)
    ]
    if len(found) != 1:
        return None
    begin, end = found[0].span("number")
    return Altered(f"{thing[:begin]}{hit['number']}{thing[end:]}", why=(hit["why"] or "").strip(" .!"))


def _exchanged(thing: str, answer: str) -> Altered | None:
    """A proposal with another thing in the place of one that the answer names, that has nearly the same name, or that
    is all that was proposed."""
    hit = _EXCHANGED.match(answer)
    if hit is None or (hit["why"] and _UNSETTLED.match(hit["why"])):
        return None
    new = hit["new"]
    if set(_words(new)) <= set(_words(thing)) or are_of_the_moment((new,)) or OF_THE_DESK.search(new):
        return None
    names = list(_NAME_IN_THING.finditer(thing))
    if hit["old"]:
        found = [each for each in names if each[0].casefold() == hit["old"].casefold()]
    elif hit["instead"]:
        found = [each for each in (_HEAD.match(thing),) if each is not None]
    else:
        found = [each for each in names if _is_such_name(new, each[0])]
    if len(found) != 1:
        return None
    old = found[0]
    new = f"{new[0].upper()}{new[1:]}" if old[0].istitle() else new
    return Altered(
        f"{thing[: old.start()]}{new}{thing[old.end() :]}", (old[0],), (hit["why"] or "").strip(" .!")
    )


def _is_such_name(new: str, old: str) -> bool:
    """Whether two names with numbers are of one kind: "irlz34" and "IRLZ44N"."""
    one, other = new.casefold(), old.casefold()
    is_numbered = any(map(str.isdigit, one)) and any(map(str.isdigit, other))
    is_near = SequenceMatcher(None, one, other).ratio() >= _LEAST_ALIKE
    return is_numbered and one != other and one[:_SAME_BEGIN] == other[:_SAME_BEGIN] and is_near


def _unit(word: str | None) -> str:
    plain = (word or "").casefold()
    if plain in _NO_UNITS:
        return ""
    return plain if len(plain) < 3 else plain.removesuffix("s")


def _is_like(new: str, old: str) -> bool:
    """Whether an amount may stand for another by its unit."""
    return not new or new == old or any({new, old} <= kind for kind in _OF_ONE_KIND)


def _narrowed(thing: str, answer: str) -> Altered | None:
    """A part of what was proposed, where it names several things."""
    hit = _ONLY.match(answer)
    if hit is None or (hit["why"] and _UNSETTLED.match(hit["why"])):
        return None
    name = (hit["name"] or hit["named"] or hit["dropped"]).casefold()
    if (both := _BOTH.search(thing)) is not None:
        sides = both["one"], both["other"]
        fits = [at for at, side in enumerate(sides) if set(_words(name)) <= set(_words(side))]
        if len(fits) != 1:
            return None
        at = fits[0] if not hit["dropped"] else 1 - fits[0]
        why = hit["why"] or hit["because"] or ""
        return Altered(f"{thing[: both.start()]}{sides[at]} only", (sides[1 - at],), why)
    for each in _THINGS.finditer(thing):
        first, *lead = reversed(each["one"].split(" "))
        things = [first, *filter(None, each["more"].split(", ")), each["last"]]
        taken = [one for one in things if one.casefold().split(" ")[0] == name or one.casefold() == name]
        if len(taken) != 1 or (hit["dropped"] and len(things) != 2):
            continue
        if hit["dropped"]:
            taken = [one for one in things if one is not taken[0]]
        others = tuple(
            one.split(" ")[0] if one is things[-1] else one for one in things if one is not taken[0]
        )
        last = each["last"].split(" ")
        rest = " ".join(last[1:]) if len(last) > 1 else ""
        text = f"{thing[: each.start()]}{' '.join([*reversed(lead), taken[0].split(' ')[0], 'only'])}"
        return Altered(
            f"{text}{f' {rest}' if rest else ''}{thing[each.end() :]}",
            others,
            hit["why"] or hit["because"] or "",
        )
    return None


def _words(text: str) -> list[str]:
    return [each.casefold().replace("\u2019", "'") for each in _WORD.findall(text)]


def _stem_in(word: str, known: Collection[str]) -> bool:
    """Whether a word is another form of a known one: "existing" of "exist"."""
    stem = re.sub(r"(?:ing|ed|es|s|e)\Z", "", word)
    return len(stem) > 3 and any(re.sub(r"(?:ing|ed|es|s|e)\Z", "", each) == stem for each in known)
