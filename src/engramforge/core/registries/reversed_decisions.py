"""Which of the decisions that stand a reversal in plain words ends: the one that chose what is left, or that rejected
what is taken, or that is about the same thing in other words.

Wrong ends are worse than none. So it is clear only where one decision is left, and where the reversal is for no other
purpose ("for guests we use TOTP instead of hardware keys") and not just for now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engramforge.core.registries.complaints import complaint_in, without_complaints
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import is_stop_word, stem_of, words_of

_TURNING_WORDS: Final = """
actually after again agree all back change decide forget go instead keep let lets make mind move need no not now of ok
plan pick please rather replace return revert scrap scratch second settle sorry switch take thought to use wait want we
choose chose drop ditch never idea plan thing stuff approach choice decision whole
"""
_ARTICLES: Final = "a an the our my your this that these those some any using"
_BEFORE_NAMES: Final = frozenset(_ARTICLES.split())
_TURNING: Final = frozenset(map(stem_of, _TURNING_WORDS.split()))
"""Words that turn from something, and of choosing, but name no matter."""
_PURPOSE: Final = late(
    r"(?i)\b(?P<how>for|in|on|at|along|under|during|of|inside|within|across) "
    r"(?P<what>(?>(?:(?!for |in |on |at |we |i |instead |after )[\w'.-]+\s?){1,5}))"
)
_GOING_FOR: Final = late(
    r"(?i)\b(?:go|going|went|opt\w*|settl\w*) for\b|\bdecided on\b|\bfrom now on\b|\bin favou?r of\b|\binstead of\b"
)
_REJECTS: Final = late(
    r"(?i)\b(?:instead of|rather than|in place of|as opposed to|not|no more|scrap|scratch|drop|ditch|forget(?: about)?"
    r"|never ?mind|away from|from) (?:with |by |in |at |the |on )?(?P<what>[^,;:.()]{2,60}?)"
    r"(?=[,;:.()]|\Z|\s(?:because|since|for|in|on|as|to|and|but|we)\b)"
)
_ONLY_NOW: Final = late(
    r"(?i)\b(?:for now|for the moment|just (?:today|this|once|here|for)|only (?:today|this|here|for|in)|today|tonight"
    r"|tomorrow|temporarily|this (?:week|time|month|once|one|file|script|sprint|branch)|for this|in this|until"
    r"|meanwhile|here|locally|once)\b"
)
_FROM_NOW: Final = late(r"(?i)\bfrom (?:here|now|today|tonight) on\b")
_DENIES: Final = late(r"(?i)\b(?:not|never|no|without|against|\w+n['\u2019]t)\b")
_LASTING: Final = late(
    r"(?i)\bfor (?:\d[\d.]{0,8}|an?|\w{3,8}) (?:second|minute|hour|day|night|week|month|quarter|year)s?\b"
)
_IN_VERSION: Final = late(
    r"(?i)\bin (?:v ?\d[\w.]{0,8}|version \d[\w.]{0,8}|the (?:first|next) (?:version|release)|the mvp)"
)
_CLAUSE: Final = late(r"[,;:!?()\u2014\u2013]|\.(?:\s|\Z)")
_VALUES: Final = (
    "monday tuesday wednesday thursday friday saturday sunday weekday weekend",
    "january february march april may june july august september october november december",
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety",
)
_CLASS: Final = {stem_of(word): at for at, words in enumerate(_VALUES) for word in words.split()}
_NUMBERS: Final = 2
"""Values that take each other's place in the same words, by their class; digits are numbers, too."""
_SUBJECT_WORDS: Final = "is are was were go goes must will has have get gets live lives stay stays run runs"
_SUBJECT_OF: Final = frozenset(_SUBJECT_WORDS.split())
"""Words behind what a sentence speaks of."""
_PLACES: Final = frozenset(("in", "on", "at"))
_SAYS_WHO: Final = frozenset(("we", "i", "us", "lets", "let's", "we'll", "i'll"))
_MEANS_TO: Final = frozenset(("decided", "agreed", "chose", "going", "want", "plan", "have"))
"""Words before what somebody does."""
_FEWEST: Final = 2
"""Stems that a reversal shares with the decision whose matter it states anew."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A decision that stands: its words, and the alternatives that it rejected; `is_last`: whether it is the one that
    was said last, where a reversal means that."""

    text: str
    rejected: Sequence[str] = ()
    is_last: bool = False


def meant(
    left: str,
    taken: str | None,
    sentence: str,
    standing: Sequence[Standing],
    *,
    is_hint: bool = False,
    is_none: bool = False,
) -> tuple[list[int], bool]:
    """Places of the decisions that a reversal may end, the likeliest first, and whether the first is clearly meant.

    `left`, `taken`: what it turns from and to, in the words of `sentence`. `is_hint`: whether it only hints at what it
    ends, so that nothing but what is clear counts; `is_none`: whether it wants none of what is left.

    >>> queue, guests = Standing("SQLite for the job queue"), Standing("hardware keys for admins", ("TOTP",))
    >>> meant("SQLite", "we go with Postgres", "Scrap SQLite, we go with Postgres", [queue, guests])
    ([0], True)
    >>> meant("", "TOTP after all", "TOTP after all", [queue, guests])
    ([1], True)
    >>> meant("hardware keys", "for guests TOTP", "For guests TOTP instead of hardware keys", [queue, guests])
    ([1], False)
    """
    if not left and (changed := _with_another_value(standing, taken or "")):
        # "From now on we deploy on Tuesdays" leaves the Fridays.
        left = changed[0][1]
        found, is_sure = [at for at, _ in changed], True
    elif is_hint and not left:
        return [], False
    else:
        found, is_sure = _found(left, taken or "", standing, is_none=is_none)
    if is_none:
        sentence = _IN_VERSION.sub(" ", sentence)
    closer = [at for at in found if _shares_purpose(sentence, standing[at])]
    ranked = [*closer, *(at for at in found if at not in closer)]
    # One choice may stand in two decisions: a person's, and that of an assistant who repeats it.
    choices = {(_chosen(standing[at]), _denies(standing[at].text)) for at in closer or found}
    is_one = len(choices) == 1
    fits = is_sure and is_one and taken is not None and not _ONLY_NOW.search(_FROM_NOW.sub(" ", sentence))
    is_clear = bool(fits and _is_for_the_same(sentence, left, standing[ranked[0]], is_none=is_none))
    if is_hint:
        is_clear = is_clear and all(
            _picks(standing[at].text, left) and _measures_the_same(standing[at], left, sentence)
            for at in found
        )
        return (ranked, True) if is_clear else ([], False)
    return ranked, is_clear


def _found(left: str, taken: str, standing: Sequence[Standing], *, is_none: bool) -> tuple[list[int], bool]:
    """The decisions that a reversal may end, and whether that is sure where it is one."""
    # "X instead of Y" takes X alone.
    new = _stems(taken) - _named(left)
    is_sure = True
    able = [at for at, each in enumerate(standing) if not (is_none and _denies(each.text))]
    found = [at for at in able if _chooses(standing[at], _named(left))]
    if not found and is_none and taken:
        found = [at for at in able if _is_about(standing[at], _named(left))]
    if not found:
        # Where no decision is for what is left, something else is meant, or the words for it are others.
        is_sure = not left
        found = [at for at, each in enumerate(standing) if _turned_down(each, new)]
    if not found:
        alike = [(len(new & _chosen(each)), at) for at, each in enumerate(standing)] if not left else []
        most = max(alike, default=(0, 0))[0]
        found = [at for shared, at in alike if shared == most >= _FEWEST and not _says(standing[at], new)]
    if not found and not left:
        found = [at for at, each in enumerate(standing) if each.is_last]
        is_sure = any(new & _chosen(standing[at]) for at in found)
    return found, is_sure


def says_the_same(one: str, other: str) -> bool:
    """Whether two decisions choose the same in other words.

    >>> says_the_same("Agreed, we go with Stripe Checkout", "Then Stripe Checkout it is")
    True
    >>> says_the_same("We don't use Stripe Checkout", "Then Stripe Checkout it is")
    False
    """
    chosen = _chosen(Standing(one))
    return bool(chosen) and chosen == _chosen(Standing(other)) and _denies(one) == _denies(other)


def echoes(said: str, decision: str) -> bool:
    """Whether words choose what a decision chose, at most with a few more words that name no other purpose.

    >>> echoes("Noted: we go with Stripe Checkout, hosted", "Then Stripe Checkout it is")
    True
    >>> echoes("We use Postgres for the sessions", "We use Postgres")
    False
    """
    one, other = _chosen(Standing(said)), _chosen(Standing(decision))
    if not one or not other or not (one <= other or other <= one) or _denies(said) != _denies(decision):
        return False
    is_near = 2 * len(one & other) >= len(one | other)
    return is_near and not any(what - _stems(decision) for _, what in _purposes(said))


def _denies(text: str) -> bool:
    return _DENIES.search(text) is not None


def _stems(text: str) -> frozenset[str]:
    return frozenset(
        stem for word in words_of(text) if not is_stop_word(word) and (stem := stem_of(word)) not in _TURNING
    )


def _named(left: str) -> frozenset[str]:
    """The stems of a name, all that it is made of: "top-down" is not whatever is on top."""
    words = frozenset(words_of(left)) - _BEFORE_NAMES
    return frozenset(map(stem_of, words)) - _TURNING if _stems(left) else frozenset()


def _chosen(decision: Standing) -> frozenset[str]:
    """What a decision is for, without what it is against."""
    against = frozenset[str]().union(*map(_stems, _against(decision)))
    return _stems(_REJECTS.sub(" ", without_complaints(decision.text))) - against


def _against(decision: Standing) -> Iterable[str]:
    others = [*decision.rejected, *(hit["what"] for hit in _REJECTS.finditer(decision.text))]
    complaint = complaint_in(decision.text)
    return others if complaint is None else [*others, complaint.left]


def _chooses(decision: Standing, left: frozenset[str]) -> bool:
    if not left or not left <= _chosen(decision):
        return False
    # "A guide for SQLite users" chooses no SQLite.
    said = _LASTING.sub(" ", decision.text)
    return not any(left & what for how, what in _purposes(said) if how in ("for", "of"))


def _is_about(decision: Standing, left: frozenset[str]) -> bool:
    """Whether a decision is for what is left: "Leaflet for the map"."""
    return bool(left) and any(left <= what for how, what in _purposes(decision.text) if how == "for")


def _picks(decision: str, left: str) -> bool:
    """Whether what is left is what a decision chose, and not what it does or speaks of: "we deploy on Fridays" chose no
    deploying, and "logs are kept for a month" no logs."""
    words, named = list(words_of(decision)), _named(left)
    at = next((at for at, word in enumerate(words) if stem_of(word) in named), None)
    if at is None:
        return True
    before = words[max(at - 2, 0) : at]
    end = next((it for it in range(at, len(words)) if stem_of(words[it]) not in named), len(words))
    is_verb = bool(_SAYS_WHO.intersection(before[-1:]))
    is_verb = is_verb or (before[-1:] == ["to"] and before[0] in _MEANS_TO)
    return not is_verb and not _SUBJECT_OF.intersection(words[end : end + 1])


def _measures_the_same(decision: Standing, left: str, sentence: str) -> bool:
    """Whether an amount that changes is of the same: "30 days is too short, we keep the logs for 90 days"."""
    amount = _named(left)
    if len(amount) < _FEWEST or all(_value_class(stem) != _NUMBERS for stem in amount):
        return True
    return bool((_stems(sentence) & _chosen(decision)) - amount)


def _with_another_value(standing: Sequence[Standing], taken: str) -> list[tuple[int, str]]:
    """The decisions that say the same with another day, month or number, with what they say in its place."""
    clauses = [_in_order(each) for each in _CLAUSE.split(taken)]
    found = ((at, _other_value(_in_order(each.text), clauses)) for at, each in enumerate(standing))
    return [(at, value) for at, value in found if value]


def _other_value(old: Sequence[str], clauses: Sequence[Sequence[str]]) -> str:
    for new in clauses:
        if len(new) < _FEWEST:
            continue
        for begin in range(len(old) - len(new) + 1):
            others = [pair for pair in zip(old[begin:], new, strict=False) if pair[0] != pair[1]]
            if len(others) == 1 and _value_class(others[0][0]) == _value_class(others[0][1]) is not None:
                return others[0][0]
    return ""


def _value_class(stem: str) -> int | None:
    return _NUMBERS if re.fullmatch(r"\d[\d.]*", stem) else _CLASS.get(stem)


def _in_order(text: str) -> list[str]:
    """The stems of a text that name its matter, in their order."""
    said = [(word, stem_of(word)) for word in words_of(_GOING_FOR.sub(" ", text))]
    return [stem for word, stem in said if stem in _CLASS or not (is_stop_word(word) or stem in _TURNING)]


def _turned_down(decision: Standing, new: frozenset[str]) -> bool:
    """Whether a decision rejected what is taken now."""
    others = [stems for each in _against(decision) if (stems := _stems(each))]
    return any(stems <= new for stems in others) and not new <= _chosen(decision)


def _says(decision: Standing, new: frozenset[str]) -> bool:
    """Whether a decision says already what is taken, or is only a part of it."""
    chosen = _chosen(decision)
    return new <= chosen or chosen <= new


def _purposes(text: str) -> list[tuple[str, frozenset[str]]]:
    plain = _GOING_FOR.sub(" ", text)
    return [(hit["how"].lower(), _stems(hit["what"])) for hit in _PURPOSE.finditer(plain)]


def _shares_purpose(sentence: str, decision: Standing) -> bool:
    its = frozenset[str]().union(*(what for _, what in _purposes(decision.text)))
    return any(what & its for _, what in _purposes(sentence))


def _is_for_the_same(sentence: str, left: str, decision: Standing, *, is_none: bool) -> bool:
    """Whether a reversal names no purpose that the decision does not speak of.

    Where what is left is itself named so ("in Java", "on Fridays"), what is taken is, too, and is no other purpose; and
    so it is where nothing else is new ("scrap SQLite, we keep the tides in Postgres").
    """
    gone = _stems(left).union(*map(_stems, decision.rejected))
    its = _purposes(decision.text)
    of_choice = {how for how, what in its if what & gone} | (_PLACES if not left else set())
    said = _stems(decision.text)
    new = _stems(sentence) - gone - said
    for how, what in _purposes(sentence):
        if (
            what - gone
            and not what & said
            and not (how in _PLACES and what == new and left and not is_none)
            and not (how in of_choice and not any(each == how and w - gone for each, w in its))
        ):
            return False
    return True
