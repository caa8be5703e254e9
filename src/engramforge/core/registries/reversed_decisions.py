"""Which of the decisions that stand a reversal in plain words ends: the one that chose what is left, or that rejected
what is taken, or that is about the same thing in other words.

Wrong ends are worse than none. So it is clear only where one decision is left, and where the reversal is for no other
purpose ("for guests we use TOTP instead of hardware keys") and not just for now.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.registries.changed.placed import is_placed_instead
from engramforge.core.registries.changed.same_matter import for_the_purpose, means_for_now
from engramforge.core.registries.changed.standing import Standing, chosen_by, rejected_by
from engramforge.core.registries.complaints import (
    is_left_outright,
    of_the_turn,
    what_goes_back,
)
from engramforge.core.registries.lifted_rules import limits
from engramforge.core.registries.named_stems import purposes_in, stems_in, stems_of_name
from engramforge.core.registries.other_kinds import with_another_kind
from engramforge.core.registries.other_values import (
    amount_alone,
    is_number,
    with_another_value,
    with_changed_amount,
)
from engramforge.core.registries.said_again import denies
from engramforge.core.registries.such_names import with_name
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, word_set, words_of

_REFUSES: Final = late(
    r"(?i)\b(?:no|not|never|without|against|\w+n['\u2019]t) (?P<what>[^,;:.()]{2,60}?)"
    r"(?=[,;:.()]|\Z|\s(?:because|since|but|and)\b)"
)
_REFUSES_BESIDE: Final = late(
    r"(?i)(?<!\bis)(?<!\bhas)(?<!\bare)(?<!\bhave)(?<!\bthere['\u2019]s)(?<!\bits)(?<!\bit['\u2019]s)(?<!\bwith)"
    r"(?<!\bneeds)(?<!\bneed)(?:,\s(?:and |but )?|\s(?:and |but )?)"
    r"(?P<said>(?:no|without|never) (?!need|more|longer|idea|problem|reason|extra|other)"
    r"(?P<what>[\w.+#/-]{2,30}(?: (?!for\b|in\b|on\b|because\b)[\w.+#/-]{1,30}){0,2}))"
    r"(?=\W*\Z|\s?[,;.(])"
)
"""What a decision refuses beside what it chose: "no celery"."""
_LASTING: Final = late(
    r"(?i)\bfor (?:\d[\d.]{0,8}|an?|\w{3,8}) (?:second|minute|hour|day|night|week|month|quarter|year)s?\b"
)
_SO_MANY: Final = late(
    r"(?i)\b(?:(?:\d{1,9}|one|two|three|four|five|six|ten) \w{2,20}|half|most|many|some|few|none|all|both|\d+) of\b"
)
"""Before what is counted, which is no purpose: "two beds of overbooking"."""
_REASON: Final = late(
    r"(?i),(?!\s(?:for|in|on|at|but|and|only|just|we|i|let)\b)[^,;:.]{3,100}\s(?:is|are|was|were|has|have|had|keeps?|can|cannot"
    r"|needs?|gets?|\w+n['\u2019]?t)\s[^,;:.]{2,80}(?=;)"
)
"""Says why something is left, before it is said what is taken: ", half of the crew has no key; ..."."""
_IN_VERSION: Final = late(
    r"(?i)\bin (?:v ?\d[\w.]{0,8}|version \d[\w.]{0,8}|the (?:first|next) (?:version|release)|the mvp)"
)
_SUBJECT_OF: Final = word_set(
    "is are was were go goes must will has have get gets live lives stay stays run runs"
)
"""Words behind what a sentence speaks of."""
_RULES: Final = frozenset(map(stem_of, ("rule", "policy", "ban", "limit", "restriction", "requirement")))
"""What a decision that forbids or limits something is called: "scrap the dogs rule"."""
_PLACES: Final = frozenset(("in", "on", "at"))
_LEAVES_FIRST: Final = late(
    r"(?i)\A\W*(?:(?:ok(?:ay)?|so|actually|now|and)\W{1,3}){0,2}(?:(?:we|i|let['\u2019]?s)\s(?:now |just )?)?"
    r"(?:drop|scrap|ditch|abandon|dump|give up(?: on)?|get rid of|stop using|forget)\s[^,;:.]{2,60}[,;]\s"
    r"(?!(?:and |but |so )?(?:on|in|at|for)\b)(?=[^;:.?!]{2,200}\b(?:instead"
    r"|(?:is|are) (?:plenty|enough|fine)|will do|suffices?|does (?:it|the job))\W*\Z)"
)
"""Leaves something whole before it says what is taken instead, and where that is."""
_SAYS_WHO: Final = frozenset(("we", "i", "us", "lets", "let's", "we'll", "i'll"))
_MEANS_TO: Final = frozenset(("decided", "agreed", "chose", "going", "want", "plan", "have"))
"""Words before what somebody does."""
_FEWEST: Final = 2
"""Stems that a reversal shares with the decision whose matter it states anew."""


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
    if not left and (changed := with_another_value([each.text for each in standing], taken or "")):
        # "From now on we deploy on Tuesdays" leaves the Fridays.
        left = changed[0][1]
        found, is_sure = [at for at, _ in changed], True
    elif not left and (other := with_another_kind([each.text for each in standing], taken or "")):
        found, left, sentence, is_sure = [other.place], other.kind, other.clause, True
    elif is_hint and not left:
        return [], False
    else:
        found, is_sure = _found(left, taken or "", standing, is_none=is_none)
    if is_none:
        sentence = _IN_VERSION.sub(" ", sentence)
    is_lasting, is_outright = not means_for_now(sentence), bool(left) and is_left_outright(sentence)
    sentence = of_the_turn(sentence) if left and not is_hint else sentence
    closer = [at for at in found if _shares_purpose(sentence, standing[at])]
    ranked = [*closer, *(at for at in found if at not in closer)]
    # One choice may stand in two decisions: a person's, and that of an assistant who repeats it.
    choices = {(chosen_by(standing[at]), denies(standing[at].text)) for at in closer or found}
    is_one = len(choices) == 1
    fits = is_sure and is_one and taken is not None and is_lasting
    fits = fits and not (is_outright and not _picks(standing[ranked[0]].text, left))
    is_clear = bool(fits and _is_for_the_same(sentence, left, standing[ranked[0]], is_none=is_none))
    if is_hint:
        is_clear = is_clear and all(
            _picks(standing[at].text, left) and _measures_the_same(standing[at], left, sentence)
            for at in found
        )
        return (ranked, True) if is_clear else ([], False)
    return ranked, is_clear


def left_by_name(left: str, standing: Sequence[Standing]) -> list[int]:
    """The place of the only decision that chose what is left by its name; none where several did."""
    found = [
        at
        for at, each in enumerate(standing)
        if _chooses(each, stems_of_name(left)) and _picks(each.text, left)
    ]
    return found if len({chosen_by(standing[at]) for at in found}) == 1 else []


def _found(left: str, taken: str, standing: Sequence[Standing], *, is_none: bool) -> tuple[list[int], bool]:
    """The decisions that a reversal may end, and whether that is sure where it is one."""
    # "X instead of Y" takes X alone.
    new = stems_in(taken) - stems_of_name(left)
    is_sure = True
    name = stems_of_name(left)
    able = [at for at, each in enumerate(standing) if not (is_none and _refuses(each.text, name))]
    found = [at for at in able if _chooses(standing[at], name)]
    if not found and name & _RULES and (name := name - _RULES):
        found = [at for at, each in enumerate(standing) if limits(each.text) and name <= stems_in(each.text)]
    if not found and is_none and taken:
        found = [at for at in able if _is_about(standing[at], name)]
    if not found:
        # Where no decision is for what is left, something else is meant, or the words for it are others.
        is_sure = not left
        found = [at for at, each in enumerate(standing) if _turned_down(each, new)]
    if not found and not left and (what := what_goes_back(taken)):
        found = [at for at, each in enumerate(standing) if what <= chosen_by(each) and not _says(each, new)]
    if not found:
        alike = [(len(new & chosen_by(each)), at) for at, each in enumerate(standing)] if not left else []
        most = max(alike, default=(0, 0))[0]
        found = [at for shared, at in alike if shared == most >= _FEWEST and not _says(standing[at], new)]
    if not found and not left:
        found = for_the_purpose(taken, standing)
    if not found and not left:
        found = [at for at, each in enumerate(standing) if each.is_last]
        is_sure = any(new & chosen_by(standing[at]) or with_name(standing[at].text, taken) for at in found)
    return found, is_sure


def refusing(sentence: str, wanted: Sequence[str], decisions: Sequence[str]) -> int | None:
    """The place of the only decision that refuses what a sentence wants now; None for none, for several, and for what
    is wanted somewhere else.

    >>> refusing("we do need accounts", ("accounts",), ("no accounts, no login, ever", "no ads"))
    0
    """
    found = [
        at
        for at, decision in enumerate(decisions)
        if any(_refuses(decision, stems_of_name(each)) for each in wanted)
    ]
    its = [what for at in found for _, what in purposes_in(decisions[at])]
    said = [what for _, what in purposes_in(sentence)]
    is_elsewhere = bool(its and said) and not any(one & other for one in its for other in said)
    return found[0] if len(found) == 1 and not is_elsewhere and not means_for_now(sentence) else None


def _refuses(decision: str, name: frozenset[str]) -> bool:
    return bool(name) and any(name <= stems_in(hit["what"]) for hit in _REFUSES.finditer(decision))


def with_refusals(taken: str, decision: str, left: str) -> str:
    """What is taken in the place of what is left, with what else the decision refuses, which still holds.

    >>> with_refusals("threads rather than asyncio", "we use asyncio no celery, one process", "asyncio")
    'threads rather than asyncio, no celery'
    >>> with_refusals("yarn rather than npm", "we use npm no yarn", "npm")
    'yarn rather than npm'
    """
    gone = stems_in(left) | stems_in(taken)
    kept = [
        hit["said"]
        for hit in _REFUSES_BESIDE.finditer(decision)
        if (what := stems_in(hit["what"])) and not what & gone
    ]
    return ", ".join([taken, *kept])


def says_the_same(one: str, other: str) -> bool:
    """Whether two decisions choose the same in other words.

    >>> says_the_same("Agreed, we go with Stripe Checkout", "Then Stripe Checkout it is")
    True
    >>> says_the_same("We don't use Stripe Checkout", "Then Stripe Checkout it is")
    False
    """
    chosen = chosen_by(Standing(one))
    return bool(chosen) and chosen == chosen_by(Standing(other)) and denies(one) == denies(other)


def echoes(said: str, decision: str) -> bool:
    """Whether words choose what a decision chose, at most with a few more words that name no other purpose.

    >>> echoes("Noted: we go with Stripe Checkout, hosted", "Then Stripe Checkout it is")
    True
    >>> echoes("We use Postgres for the sessions", "We use Postgres")
    False
    """
    one, other = chosen_by(Standing(said)), chosen_by(Standing(decision))
    if not one or not other or not (one <= other or other <= one) or denies(said) != denies(decision):
        return False
    is_near = 2 * len(one & other) >= len(one | other)
    return is_near and not any(what - stems_in(decision) for _, what in purposes_in(said))


def named_in(told: str, taken: str, standing: Sequence[Standing]) -> str:
    """The only word of what was told that some decisions chose, and that is no part of what is taken; "" for none.

    >>> named_in("eleventy is slow. Switch to Hugo?", "switch to Hugo", [Standing("eleventy as the site generator")])
    'eleventy'
    """
    new = stems_in(taken)
    named = {
        stem: word
        for word in words_of(told)
        if (stem := stem_of(word.lower())) in stems_in(word) - new
        and any(_chooses(each, frozenset((stem,))) and _is_name_of(each, stem) for each in standing)
    }
    return next(iter(named.values())) if len(named) == 1 else ""


def _is_name_of(decision: Standing, stem: str) -> bool:
    """Whether a stem is of what a decision chose, and not of what that is for or serves as."""
    return not any(stem in what for _, what in purposes_in(decision.text)) and stem not in stems_in(
        decision.text.partition(" as ")[2]
    )


def _chooses(decision: Standing, left: frozenset[str]) -> bool:
    if not left or not left <= chosen_by(decision):
        return False
    # "A guide for SQLite users" chooses no SQLite.
    said = _SO_MANY.sub(" ", _LASTING.sub(" ", decision.text))
    return not any(left <= what for how, what in purposes_in(said) if how in ("for", "of"))


def _is_about(decision: Standing, left: frozenset[str]) -> bool:
    """Whether a decision is for what is left: "Leaflet for the map"."""
    return bool(left) and any(left <= what for how, what in purposes_in(decision.text) if how == "for")


def _picks(decision: str, left: str) -> bool:
    """Whether what is left is what a decision chose, and not what it does or speaks of: "we deploy on Fridays" chose no
    deploying, and "logs are kept for a month" no logs."""
    words, named = words_of(decision.lower()), stems_of_name(left)
    # An amount is where its number is: "fps stays at 25" chose 25 fps.
    known = {stem for stem in named if is_number(stem)} or named
    at = next((at for at, word in enumerate(words) if stem_of(word) in known), None)
    if at is None:
        return True
    before = words[max(at - 2, 0) : at]
    end = next((it for it in range(at, len(words)) if stem_of(words[it]) not in named), len(words))
    is_verb = bool(_SAYS_WHO.intersection(before[-1:]))
    is_verb = is_verb or (before[-1:] == ["to"] and before[0] in _MEANS_TO)
    return not is_verb and not _SUBJECT_OF.intersection(words[end : end + 1])


def _measures_the_same(decision: Standing, left: str, sentence: str) -> bool:
    """Whether an amount that changes is of the same: "30 days is too short, we keep the logs for 90 days"."""
    amount = stems_of_name(left)
    if len(amount) < _FEWEST or all(not is_number(stem) for stem in amount):
        return True
    if amount_alone(sentence, left) is not None:
        return bool(with_changed_amount(decision.text, sentence, left))
    return bool((stems_in(sentence) & chosen_by(decision)) - amount)


def _turned_down(decision: Standing, new: frozenset[str]) -> bool:
    """Whether a decision rejected what is taken now."""
    others = [stems for each in rejected_by(decision) if (stems := stems_in(each))]
    return any(stems <= new for stems in others) and not new <= chosen_by(decision)


def _says(decision: Standing, new: frozenset[str]) -> bool:
    """Whether a decision says already what is taken, or is only a part of it."""
    chosen = chosen_by(decision)
    return new <= chosen or chosen <= new


def _shares_purpose(sentence: str, decision: Standing) -> bool:
    its = frozenset[str]().union(*(what for _, what in purposes_in(decision.text)))
    return any(what & its for _, what in purposes_in(sentence))


def _is_for_the_same(sentence: str, left: str, decision: Standing, *, is_none: bool) -> bool:
    """Whether a reversal names no purpose that the decision does not speak of.

    Where what is left is itself named so ("in Java", "on Fridays"), what is taken is, too, and is no other purpose; and
    so it is where nothing else is new ("scrap SQLite, we keep the tides in Postgres").
    """
    sentence = _SO_MANY.sub(" ", _REASON.sub("", sentence, count=1))
    gone = stems_in(left).union(*map(stems_in, decision.rejected))
    its = purposes_in(decision.text)
    of_choice = {how for how, what in its if what & gone} | (_PLACES if not left else set())
    said = stems_in(decision.text)
    new = stems_in(sentence) - gone - said
    whole = frozenset[str]().union(*(what for how, what in its if how == "for"))
    is_whole = bool(left and whole) and not is_none and whole <= stems_in(sentence)
    is_left = bool(left) and not is_none
    is_left = is_left and (_LEAVES_FIRST.match(sentence) is not None or is_placed_instead(sentence, left))
    for how, what in purposes_in(sentence):
        if (
            what - gone
            and not ((is_whole or is_left) and how in _PLACES)
            and not what & said
            and not (how in _PLACES and what == new and left and not is_none)
            and not (how in of_choice and not any(each == how and w - gone for each, w in its))
        ):
            return False
    return True
