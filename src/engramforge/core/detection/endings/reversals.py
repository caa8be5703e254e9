"""Reversals in plain words: "actually, scrap SQLite, we go with Postgres", "back to tabs", "let's use email after all".

Read here is only that a person turns from something to something else, in which words; which decision that ends is for
whoever knows those that stand (core/registries/reversed_decisions). What is supposed, asked, denied, doubted or told of
others turns nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from engramforge.core.detection.endings.closings import FAULTY
from engramforge.core.detection.endings.plain_turns import (
    KEPT,
    OTHERS_WANT,
    answered_by_oneself,
    bare_turn,
    chosen_instead,
    first_clause,
    is_bare,
    named_behind,
    named_choice,
    wanted_again,
)
from engramforge.core.detection.endings.turn_wordings import (
    AGAIN,
    BRIEFLY,
    DENIED,
    GETS,
    INSTEAD,
    LEFT,
    LEFT_FOR,
    MAY,
    NO_LONGER,
    NO_MORE,
    NOT_AT_ALL,
    NOW_ONWARDS,
    PARTLY,
    POINTS,
    REVOKED,
    STATES,
)
from engramforge.core.detection.named.entries import has_name
from engramforge.core.detection.passages import Passage, passages
from engramforge.core.detection.said_parts import statement
from engramforge.core.detection.traps import (
    asks_opinion,
    is_asserted,
    is_conditional,
    is_unreal_request,
    tells_departure,
)
from engramforge.core.registries.changed.anew import may_be_anew
from engramforge.core.registries.changed.parts import changes_thing, part_changed
from engramforge.core.registries.changed.placed import placed_name
from engramforge.core.registries.changed.same_matter import chosen_anew, chosen_for
from engramforge.core.registries.complaints import (
    bare_choice,
    chooses_else,
    complaint_in,
    is_aside,
    is_complaint,
    is_left_outright,
    is_passing,
    is_thrown_out,
    stated_anew,
    stated_behind,
    thrown_out,
    what_goes_back,
    without_complaints,
    without_exception,
)
from engramforge.core.registries.intervals import interval_left
from engramforge.core.registries.lifted_rules import lifting_in
from engramforge.core.registries.other_values import (
    amount_set,
    beside_complaint,
    changes_amount,
    value_denied,
    without_value_denied,
)
from engramforge.core.registries.such_names import other_means
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import DecisionStatus

REVERSED: Final = "reversed in plain words"
"""The rule of what is read here. `text` is what is left, "" where the words do not say; `superseded_by` what is taken,
None where they do not say."""
HINTED: Final = "reversed by a hint"
"""The rule of what only hints at the decision that it leaves: a complaint of it beside another choice, or the same said
with another value. It counts only where it is clear which one is meant."""
_SURE: Final = 0.88
_LONGEST: Final = 1_000
"""Characters of a turn in which somebody turns from something: a longer one mostly holds what was pasted."""
_LEAST_WORDS: Final = 2


def may_turn(text: str) -> bool:
    """Whether a text has a word with which somebody may turn from something: it costs little to ask."""
    return MAY.search(text) is not None or complaint_in(text) is not None


def reversals_in(text: str, found: Sequence[Detection]) -> list[Detection]:
    """The reversals in a person's text. `found`: what else it says, of which a decision is what is taken.

    >>> (one,) = reversals_in("Actually, scrap SQLite, we go with Postgres.", ())
    >>> one.text, one.superseded_by
    ('SQLite', 'Actually, scrap SQLite, we go with Postgres')
    >>> reversals_in("Should we scrap SQLite and go with Postgres?", ())
    []
    """
    if len(text) > _LONGEST or not may_turn(text):
        return []
    said = answered_by_oneself(list(passages(text)))
    pairs = [each for each in pairwise([*said, Passage("", "")]) if not asks_opinion(each[1].plain)]
    reversals = [
        _bare(passage, found)
        or _of(passage, after, found)
        or _wanted(passage, found)
        or _anew(passage, found)
        for passage, after in pairs
    ]
    turned = sorted((each for each in reversals if each is not None), key=lambda each: not each.text)
    if turned and turned[0].text:
        return turned[:1]
    hints = (_hint(*pair, found, pair is pairs[0]) for pair in pairs)
    hinted = [each for each in hints if each is not None]
    is_hint = hinted and turned and is_complaint(turned[0].superseded_by or "")
    return [*hinted[:1], *turned[: 0 if is_hint else 1]]


def chosen_beside(text: str) -> list[Detection]:
    """What a person's text takes by its name for a matter, and no more: a hint at what was taken for it before, if
    anything was.

    >>> [each.superseded_by for each in chosen_beside("plain files for the logs")]
    ['plain files for the logs']
    >>> chosen_beside("should we take plain files for the logs?")
    []
    """
    said = passages(text) if len(text) <= _LONGEST else ()
    choices = (
        each for each in said if chosen_for(each.plain) and not has_name(each.plain) and _is_so(each.plain, 0)
    )
    return [_turned(HINTED, each.said, "", statement(each.said)) for each in choices]


def corrected(text: str, before: str) -> Detection | None:
    """What a turn leaves that corrects the name alone of what the person's turn before it chose; None for any other."""
    if "?" in text or (instead := chosen_instead(text, before)) is None:
        return None
    return _turned(REVERSED, text, *instead)


def revokes(sentence: str) -> bool:
    """Whether a reversal ends a decision, whatever takes its place: "we take back the offline decision"."""
    return REVOKED.search(sentence) is not None or is_thrown_out(sentence) or is_left_outright(sentence)


def wants_none(sentence: str) -> bool:
    """Whether a reversal wants none of what it leaves: "no map at all", "we no longer support Safari"."""
    is_more = NO_MORE.search(sentence) and not (STATES.search(sentence) or thrown_out(sentence))
    return bool(is_more or NOT_AT_ALL.search(sentence) or NO_LONGER.search(sentence))


def choice_of(turn: Detection) -> str:
    """The sentence of a reversal, without the complaint that hints at what it leaves, or the reason behind names."""
    if turn.rule == HINTED:
        return without_exception(beside_complaint(turn.sentence, turn.text))
    if turn.superseded_by and placed_name(turn.superseded_by, turn.text) == turn.superseded_by:
        return first_clause(turn.sentence)
    return named_choice(turn) or turn.sentence


def _bare(passage: Passage, found: Sequence[Detection]) -> Detection | None:
    """What a sentence leaves that takes something else by its name alone."""
    if has_name(passage.plain) or not _is_so(passage.plain, 0) or (turn := bare_turn(passage)) is None:
        return None
    taken = _read(passage, found) or turn.decision
    return _turned(REVERSED, passage.said, turn.left, taken)


def _anew(passage: Passage, found: Sequence[Detection]) -> Detection | None:
    """What a sentence takes for a matter of which its writer changed their mind."""
    anew = chosen_anew(passage.plain)
    if anew is None or has_name(passage.plain) or not _is_so(passage.plain, 0):
        return None
    return _turned(REVERSED, passage.said, "", _read(passage, found) or f"{anew.taken} for the {anew.what}")


def _wanted(passage: Passage, found: Sequence[Detection]) -> Detection | None:
    """What a sentence wants or allows that may have been refused before; it counts only where it was."""
    plain = passage.plain
    lifting = lifting_in(plain)
    if not (wanted_again(plain) or lifting) or has_name(plain):
        return None
    if not _is_own(plain, 0 if lifting is None else lifting.start()):
        return None
    return _turned(HINTED, passage.said, "", _read(passage, found) or statement(passage.said))


def _hint(passage: Passage, after: Passage, found: Sequence[Detection], is_first: bool) -> Detection | None:
    """What a complaint beside a choice, or what is so from now on, leaves."""
    if (changed := _changed(passage, after, found)) is not None:
        return changed
    if (complaint := complaint_in(passage.plain)) is not None:
        left, rest = complaint.left, without_complaints(passage.plain)
        is_so = _is_own(rest, 0) and not is_conditional(passage.plain, complaint.end)
        what = passage.plain[complaint.begin : complaint.end].lstrip(" ,.;:-")
        is_so = is_so and not is_passing(what)
        parts = ((passage, rest), (after, after.plain))
        # What stands between the complaint of an amount and another one is the reason.
        for said, beside in parts[::-1] if changes_amount(after.plain, left) else parts:
            is_anew = said is after and not KEPT.search(beside) and stated_anew(what, beside)
            is_left = _leaves(left, beside) or is_anew
            if not (is_so and is_left) or has_name(said.plain) or not _is_own(beside, 0):
                continue
            taken = _read(said, found) or statement(said.said)
            if name := bare_choice(beside):
                taken = f"{name} rather than {left}"
            sentence = passage.said if said is passage else f"{passage.said} {after.said}"
            return _turned(HINTED, sentence, left, taken)
    plain, is_set = without_value_denied(passage.plain), amount_set(passage.plain, is_named=not is_first)
    if not (
        is_set or NOW_ONWARDS.search(plain) or value_denied(passage.plain) or interval_left(plain)
    ) or is_aside(plain):
        return None
    is_so = _is_own(plain, 0) if is_set else _is_so(plain, 0)
    if amount_set(passage.plain) != is_set or has_name(plain) or not is_so:
        return None
    return _turned(HINTED, passage.said, "", _read(passage, found) or statement(passage.said))


def _changed(passage: Passage, after: Passage, found: Sequence[Detection]) -> Detection | None:
    """What one sentence, or two, change of a decision: the value of its matter, or one part of several."""
    if has_name(passage.plain) or not _is_own(passage.plain, 0):
        return None
    pair = f"{passage.plain.rstrip(' .')}. {after.plain}"
    is_pair = bool(after.plain) and not has_name(after.plain) and _is_own(after.plain, 0)
    for plain, said in ((passage.plain, passage), (pair, after)):
        if said is after and not is_pair:
            return None
        part = part_changed(plain)
        if part is not None or changes_thing(plain) or may_be_anew(plain):
            sentence = passage.said if said is passage else f"{passage.said.rstrip(' .')}. {after.said}"
            taken = _read(said, found) or _read(passage, found) or statement(said.said)
            return _turned(HINTED, sentence, part.left if part is not None else "", taken)
    return None


def _leaves(left: str, beside: str) -> bool:
    """Whether words beside a complaint take something else."""
    if changes_amount(beside, left):
        return True
    return not KEPT.search(beside) and chooses_else(beside, left)


def _turned(rule: str, sentence: str, left: str, taken: str | None) -> Detection:
    return Detection(
        kind=Kind.DECISION,
        sentence=sentence,
        rule=rule,
        confidence=_SURE,
        text=left,
        status=str(DecisionStatus.SUPERSEDED),
        is_update=True,
        superseded_by=taken,
    )


def _of(passage: Passage, after: Passage, found: Sequence[Detection]) -> Detection | None:
    plain = passage.plain
    if (other := other_means(plain)) is not None:
        plain = f"{' ' * (other.behind - 1)},{plain[other.behind :]}"
    if has_name(plain) or not _is_so(plain, 0) or (is_bare(plain) and not after.plain):
        return None
    left = next((each for each in _left_in(plain) if _is_meant(plain, each)), None)
    if left is None and not AGAIN.search(plain):
        return None
    words, sentence = "" if left is None else passage.said[slice(*left.span)].strip(" .\"'`"), passage.said
    taken = _taken(passage, left, found) if other is None else f"{other.means} rather than {words}"
    if placed := _placed(passage, after, words):
        return _turned(REVERSED, sentence, words, placed)
    if taken is None and (span := stated_behind(plain)):
        taken = statement(passage.said[slice(*span)])
    if taken is None and after.plain and not has_name(after.plain) and _is_so(after.plain, 0):
        taken = named_behind(after, words) or _taken(after, None, found)
        sentence = f"{passage.said} {after.said}"
    if taken is None:
        taken, sentence = _read(passage, found), sentence if "?" in after.plain else passage.said
    if not words and taken is None:
        return None
    turn = _turned(REVERSED, sentence, words, taken)
    is_over = taken is None and revokes(sentence)
    return replace(turn, status=str(DecisionStatus.INVALIDATED)) if is_over else turn


def _placed(passage: Passage, after: Passage, left: str) -> str:
    """What a sentence that leaves something, or the one after it, takes by its name and place; "" for nothing."""
    if not left:
        return ""
    is_own = bool(after.plain) and not has_name(after.plain) and _is_so(after.plain, 0)
    return placed_name(passage.said, left) or (placed_name(after.said, left) if is_own else "")


class _Left(NamedTuple):
    """Where a sentence says that something is left, `verb`, where that is named, `span`, and what of the sentence says
    no more, `clause`."""

    verb: int
    span: tuple[int, int]
    clause: tuple[int, int]


def _is_meant(plain: str, left: _Left) -> bool:
    is_kept = PARTLY.match(plain, left.span[1]) or DENIED.search(plain[: left.verb])
    return _is_so(plain, left.verb) and not is_kept


def _left_in(plain: str) -> Iterator[_Left]:
    if (out := thrown_out(plain)) is not None:
        begin = plain.find(out.what.left, out.what.begin)
        yield _Left(out.begin, (begin, begin + len(out.what.left)), (out.what.begin, out.end))
    none = (NO_MORE, NOT_AT_ALL) if AGAIN.search(plain) else (NO_MORE,)
    for pattern in (*LEFT, INSTEAD, *none):
        for hit in pattern.finditer(plain):
            said = {name: span for name in hit.groupdict() if (span := hit.span(name)) != (-1, -1)}
            span = next(said[name] for name in ("left", "from", "off") if name in said)
            verb = next(said[name] for name in ("verb", "moves", "swaps") if name in said)
            is_fault = pattern is NO_MORE and (FAULTY.search(plain, *span) or tells_departure(plain))
            if not (POINTS.match(plain, *span) or is_fault):
                yield _Left(verb[0], span, (0, 0) if pattern in (INSTEAD, *none) else hit.span())


def _read(passage: Passage, found: Sequence[Detection]) -> str | None:
    """The new decision that was read from a sentence."""
    return next(
        (each.text for each in found if each.is_new_decision and each.sentence in passage.said),
        None,
    )


def _taken(passage: Passage, left: _Left | None, found: Sequence[Detection]) -> str | None:
    """What a sentence says to be taken, as the decision that was read from it, else in its own words; None if it says
    no more than what is left."""
    plain = passage.plain
    begin, end = left.clause if left is not None else (0, 0)
    rest = f"{plain[:begin]}{' ' * (end - begin)}{plain[end:]}"
    takes = (STATES, BRIEFLY, INSTEAD, GETS, NOT_AT_ALL, NO_MORE, OTHERS_WANT)
    if not (
        any(each.search(rest) for each in takes)
        or lifting_in(rest)
        or what_goes_back(rest)
        or LEFT_FOR.search(plain)
    ):
        return None
    if (read := _read(passage, found)) is not None:
        return read
    return statement(passage.said) if len(plain.split()) >= _LEAST_WORDS else None


def _is_so(plain: str, begin: int) -> bool:
    """Whether the speaker says it as their own and as the case."""
    return _is_own(plain, begin) and not KEPT.search(OTHERS_WANT.sub(" ", plain))


def _is_own(plain: str, begin: int) -> bool:
    is_unreal = is_unreal_request(plain) and not LEFT[0].search(plain)
    return is_asserted(plain) and not is_conditional(plain, begin) and not is_unreal
