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
    OF_BEFORE,
    SUFFICES,
    answered_by_oneself,
    bare_turn,
    is_bare,
    named_behind,
    named_choice,
    wanted_again,
)
from engramforge.core.detection.named.entries import has_name
from engramforge.core.detection.passages import Passage, passages
from engramforge.core.detection.said_parts import statement
from engramforge.core.detection.traps import is_asserted, is_conditional, is_unreal_request, tells_departure
from engramforge.core.registries.complaints import (
    WE,
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
from engramforge.core.registries.lifted_rules import lifting_in
from engramforge.core.registries.other_values import (
    amount_set,
    beside_complaint,
    changes_amount,
    value_denied,
    without_value_denied,
)
from engramforge.core.text.late_pattern import late
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

_APOSTROPHE: Final = r"['\u2019]"
_STOP: Final = r"(?=\W*\Z|\s*[,;:.!\u2014\u2013])"
"""A clause ends."""
_END: Final = (
    r"(?=\W*\Z|\s*[,;:!?()\u2014\u2013]|\.(?:\s|\Z)|\s-\s|\s(?:after all|instead|for|because|since|as|in|on|at|then"
    r"|again|and|but|now|from|please|so|to|over|along|with|until|when|while|by|rather|any ?more|any longer|than|where"
    r"|which|that|is|was|too|of|we|i|if|here|today|tonight)\b)"
)
_WORD: Final = r"(?>(?:(?!\s|[,;:!?()]|\.(?:\s|\Z)).){1,30})"
_NAME: Final = rf"{_WORD}(?:(?>\s+)(?!-\s){_WORD}){{0,5}}?{_END}"
_LEAD: Final = (
    r"(?:\A|(?<=[,;:.!\u2014\u2013])|(?<=\s-)|\b(?:and|so|then|but)\b)\W{0,6}(?>(?:(?:ok(?:ay)?|actually|nope|oh|hm+"
    r"|no(?! more\b| longer\b)|nah|well|sorry|wait|please|just|now|then|so|and|but|right|alright|yeah|yes|hey|ah"
    r"|on (?:second thoughts?|reflection)|come to think of it)\b\W{0,6}){0,6})"
)
"""Where a clause may begin, and words before it that only turn to it."""
_ENDS: Final = (
    r"(?:scrap|scratch|drop|ditch|forget|kill|bin|axe|dump|abandon|toss|nix|shelve|retire|strike)(?:p?ping|ting|ing)?"
    r"(?:\s(?:about|the idea of|the plan (?:to|with)|using|what (?:i|we) (?:said|decided) (?:about|on)))?"
    r"|get(?:ting)? rid of|do(?:ing)? away with|mov(?:e|ing) (?:off|away from)|giv(?:e|ing) up on|stop(?:ping)? using"
    r"|never ?mind|(?:ignore|take back) what (?:i|we) said about|chang(?:ed|ing) (?:my|our) minds? (?:about|on)"
    r"|(?:done|through) with|decided against|remov(?:e|ing)(?=\s[^,;:.!?]{2,60}\sagain\b)"
)
_REVOKES: Final = (
    rf"(?:{WE}\s)?(?:tak(?:e|ing) back|withdraw|revoke|overturn|lift|abolish|cancel|{_ENDS})\s"
    r"(?=(?:the|our|my|that|this)\s(?>[\w'-]+\s){1,3}(?:decision|rule|policy|ban|limit|restriction|requirement)\b"
    r"(?:\W*\Z|\s*[,;:.!\u2014\u2013]|\s(?:again|now|because|since|as|and|for good|please|completely)\b))"
)
"""Takes a decision or rule back by its name, whatever takes its place."""
_SUPPORTS_NOT: Final = (
    r"(?:i|we) no longer (?:support|offer|accept|allow|ship|serve|sell|require|publish|provide)\s"
)
"""Ends what was decided of a thing, whatever takes its place."""
_LEFT: Final = tuple(
    late(rf"(?i){_LEAD}{frame}")
    for frame in (
        rf"(?P<verb>(?:{WE}\s)?(?:{_ENDS}))\s(?P<left>{_NAME})",
        rf"(?P<verb>(?:{WE}\s)?(?:throw|rip|kick|tear|chuck"
        rf"|toss)(?:p?ing)?)\s(?P<left>{_WORD}(?:\s{_WORD}){{0,3}}?)\sout"
        rf"(?:{_STOP}|(?= (?:and|again|then|for)\b))",
        rf"(?P<verb>(?:{WE}\s)?(?:throw|rip|kick|tear|chuck|toss)(?:p?ing)? out)\s(?P<left>{_NAME})",
        rf"(?P<verb>{_REVOKES})(?P<left>{_NAME})",
        rf"(?P<verb>(?:i|we) don{_APOSTROPHE}?t (?:like|want|need|use))\s(?P<left>{_NAME})(?=\sany ?(?:more|longer)\b)",
        rf"(?P<verb>(?:i|we) no longer (?:like|want|need|use))\s(?P<left>{_NAME})",
        rf"(?P<verb>{_SUPPORTS_NOT})(?P<left>{_NAME})",
        rf"(?:let{_APOSTROPHE}?s |we{_APOSTROPHE}?ll |we (?:will|do) )?(?P<verb>not)\s(?P<left>{_NAME})\safter all\b",
        rf"(?P<left>{_NAME})\s(?P<verb>is|are)\s(?:out|off the table|history|gone|dead|no more)(?:{_STOP}|(?= and\b))",
    )
)
"""Says that something is left."""
_NO_LONGER: Final = late(rf"(?i){_LEAD}{_SUPPORTS_NOT}")
_REVOKED: Final = late(
    rf"(?i){_LEAD}(?:{_REVOKES}|{_SUPPORTS_NOT}|{WE}\s(?:{_ENDS})\s(?>(?:(?:the|our)\s)?)[\w'-]+(?:\s[\w'-]+)?"
    r"(?:\W*\Z|\s*[,;:.!\u2014\u2013]|\s(?:again|because|since|for good|completely|altogether)\b))"
)
_NO_MORE: Final = late(
    r"(?i)(?:\A|(?<=[,;:.!\u2014\u2013])|\b(?:and|so|then|but)\b)\W{0,6}(?:(?:ok(?:ay)?|nah|nope|hm+|well|actually"
    r"|sorry|right|from now on|no(?=\W{0,2}no\b))\b\W{0,3}){0,3}"
    rf"(?P<verb>no)\s(?:more\s(?P<left>{_NAME})|(?P<from>{_NAME})(?=\s(?:any ?more|any longer|after all"
    rf"|from (?:now|today) on){_STOP}|\s?[,;]\s(?:and |but |so )?{WE}\s(?:use|take|go with|ship|write)\b))"
)
"""Wants none of a thing from now on."""
_INSTEAD: Final = late(
    rf"(?i)\b(?P<verb>instead of|in place of|rather than)\s(?P<left>{_NAME})"
    rf"|{_LEAD}(?:{WE}\s)?(?P<moves>(?:mov|switch|migrat|chang|convert|go)(?:e|ing)?\b[^,;:.!?]{{0,40}}?\sfrom)\s"
    rf"(?P<from>{_NAME})\sto\s"
    rf"|{_LEAD}(?:{WE}\s)?(?P<swaps>(?:replac|swap|exchang|trad)(?:e|p?ing)?(?:\sout)?)\s(?P<off>{_NAME})\s(?:with"
    rf"|by|for)\s"
)
"""Says what is left beside what is taken."""
_STATES: Final = late(rf"(?i){_LEAD}{WE}\s(?!(?:meant?|think|thought|guess|know|see|hope|said)\b)\w")
"""A clause in which somebody says what they do from now on."""
_GETS: Final = late(r"(?i)\b(?:gets?|goes|go) (?:done|made|sent|kept|\w{2,20}ed) (?:by|in|with|on)\b")
"""Says how a thing is done from then on: "edges get done by hand"."""
_BRIEFLY: Final = late(
    rf"(?i){_LEAD}(?:{_NAME}\s(?:it is|instead|from now on|after all){_STOP}"
    rf"|{_WORD}(?:\s{_WORD}){{0,6}}?\s{SUFFICES}{_STOP}"
    rf"|(?:(?:go|switch|move?)(?:ing)? )?back to\s{_NAME}|(?:return|revert) to\s{_NAME}|(?:make it|use|take"
    rf"|go (?:with|(?:down |up )?to(?=\s\d)))\s{_NAME})"
)
"""The same without saying who: "Postgres it is", "go back to tabs"."""
_AGAIN: Final = late(
    rf"(?i)\bafter all(?:{_STOP}|(?=\s(?:because|since|as|and|but|for|in|on|at)\b))|\bback to\b"
    r"|\b(?:return|revert)(?:ing)? to\b|\bon (?:second thoughts?|reflection)\b|\bchange of (?:plans?|mind|heart)\b"
    rf"|\bchanged (?:my|our) minds?\b|\bactually,? no\b|{OF_BEFORE}"
)
"""Says that it was said otherwise before."""
_NOT_AT_ALL: Final = late(rf"(?i)\b(?P<verb>no)\s(?P<left>{_NAME})(?=\sat all\b)")
"""Wants none of a thing; a turn only beside words that say so."""
_NOW_ONWARDS: Final = late(
    rf"(?i){_LEAD}(?:from (?:now|here|today) on\b|make (?:that|it)\s)|\binstead{_STOP}"
    rf"|{_LEAD}(?:{WE}\s)?(?:switch|change) (?!from\b)[^,;:.!?]{{2,40}}? to\s"
    rf"|\bfrom (?:now|here|today) on{_STOP}"
)
"""Says that something is so from now on, and may have been otherwise."""
_LEFT_FOR: Final = late(
    rf"(?i){_LEAD}(?:{WE}\s)?(?:{_ENDS})\s{_NAME}\s?,\s(?:plain|pure|vanilla|bare|raw|ordinary)\s[\w.+#-]{{1,30}}"
    r"(?:\s[\w.+#-]{1,30})?\W*\Z"
)
"""Says what takes the place of something by its name alone: "drop Tailwind, plain CSS", not "... , too heavy"."""
_MAY: Final = late(
    r"(?i)\b(?:after all|(?:back|return\w*|revert\w*) to|instead|rather than|in place of|on (?:second|reflection)"
    r"|chang\w+ (?:of|my|our)|(?:switch|change) [^,;:.!?]{2,40} to|actually|from\b[^.;!?]{1,60}\sto|replac\w+"
    r"|swap\w*|exchang\w+|trad\w+|no longer|at all|no more|any ?(?:more|longer)|from (?:now|here|today) on|wait"
    r"|tak(?:e|ing) back|withdraw|revoke|overturn|lift|abolish|nah|no|(?:ok(?:ay)?|fine|free) (?:now|in|on|at|by"
    r"|near)|(?:every|any)(?:where|one|body|time|day)|any time|allowed|permitted|welcome|legal|wherever|whenever"
    r"|always|around the|all (?:over|day)|in (?:all|any|every)|reverse|undo|revert|cancel|take (?:that|it)|only"
    r"|too|as well|also|remove|make|set|limit|cap|raise|lower|cut|shorten|extend|reduce|increase|bump"
    r"|enough|(?:throw|rip|kick|tear|chuck"
    r"|toss)\w*|not|do need|again|now|(?:we|i) (?:do|will)|back|then|(?:is|are)"
    rf" (?:over|lifted|out|off|history|gone|dead|no more)|freely|(?:{_ENDS}))\b"
)
"""Every reversal has one of these."""
_POINTS: Final = late(r"(?i)(?:of|that|this|it|them|these|those|him|her|me|us|you|one|everything|all)\W*\Z")
_PARTLY: Final = late(r"(?i)\sfrom (?:the|our|its|my|this)\b(?! [^,;.]{0,40} to )")
_DENIED: Final = late(
    rf"(?i)\b(?:not|never|(?:don|won|can){_APOSTROPHE}?t|cannot)\b(?>(?:\s\w+){{0,2}})\W*\Z"
)


def may_turn(text: str) -> bool:
    """Whether a text has a word with which somebody may turn from something: it costs little to ask."""
    return _MAY.search(text) is not None or complaint_in(text) is not None


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
    pairs = list(pairwise([*said, Passage("", "")]))
    reversals = [
        _bare(passage, found) or _of(passage, after, found) or _wanted(passage, found)
        for passage, after in pairs
    ]
    turned = sorted((each for each in reversals if each is not None), key=lambda each: not each.text)
    if turned and turned[0].text:
        return turned[:1]
    hints = (_hint(*pair, found, pair is pairs[0]) for pair in pairs)
    hinted = [each for each in hints if each is not None]
    is_hint = hinted and turned and is_complaint(turned[0].superseded_by or "")
    return [*hinted[:1], *turned[: 0 if is_hint else 1]]


def revokes(sentence: str) -> bool:
    """Whether a reversal ends a decision, whatever takes its place: "we take back the offline decision"."""
    return _REVOKED.search(sentence) is not None or is_thrown_out(sentence) or is_left_outright(sentence)


def wants_none(sentence: str) -> bool:
    """Whether a reversal wants none of what it leaves: "no map at all", "we no longer support Safari"."""
    is_more = _NO_MORE.search(sentence) and not (_STATES.search(sentence) or thrown_out(sentence))
    return bool(is_more or _NOT_AT_ALL.search(sentence) or _NO_LONGER.search(sentence))


def choice_of(turn: Detection) -> str:
    """The sentence of a reversal, without the complaint that hints at what it leaves, or the reason behind names."""
    if turn.rule == HINTED:
        return without_exception(beside_complaint(turn.sentence, turn.text))
    return named_choice(turn) or turn.sentence


def _bare(passage: Passage, found: Sequence[Detection]) -> Detection | None:
    """What a sentence leaves that takes something else by its name alone."""
    if has_name(passage.plain) or not _is_so(passage.plain, 0) or (turn := bare_turn(passage)) is None:
        return None
    taken = _read(passage, found) or turn.decision
    return _turned(REVERSED, passage.said, turn.left, taken)


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
    if (complaint := complaint_in(passage.plain)) is not None:
        left, rest = complaint.left, without_complaints(passage.plain)
        is_so = _is_own(rest, 0) and not is_conditional(passage.plain, complaint.end)
        what = passage.plain[complaint.begin : complaint.end].lstrip(" ,.;:-")
        is_so = is_so and not is_passing(what)
        parts = ((passage, rest), (after, after.plain))
        # What stands between the complaint of an amount and another one is the reason.
        for said, beside in parts[::-1] if changes_amount(after.plain, left) else parts:
            is_left = _leaves(left, beside) or (said is after and stated_anew(what, beside))
            if not (is_so and is_left) or has_name(said.plain) or not _is_own(beside, 0):
                continue
            taken = _read(said, found) or statement(said.said)
            if name := bare_choice(beside):
                taken = f"{name} rather than {left}"
            sentence = passage.said if said is passage else f"{passage.said} {after.said}"
            return _turned(HINTED, sentence, left, taken)
    plain, is_set = without_value_denied(passage.plain), amount_set(passage.plain, is_named=not is_first)
    if not (is_set or _NOW_ONWARDS.search(plain) or value_denied(passage.plain)) or is_aside(plain):
        return None
    is_so = _is_own(plain, 0) if is_set else _is_so(plain, 0)
    if amount_set(passage.plain) != is_set or has_name(plain) or not is_so:
        return None
    return _turned(HINTED, passage.said, "", _read(passage, found) or statement(passage.said))


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
    if has_name(plain) or not _is_so(plain, 0) or (is_bare(plain) and not after.plain):
        return None
    left = next((each for each in _left_in(plain) if _is_meant(plain, each)), None)
    if left is None and not _AGAIN.search(plain):
        return None
    words, sentence = "" if left is None else passage.said[slice(*left.span)].strip(" .\"'`"), passage.said
    taken = _taken(passage, left, found)
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


class _Left(NamedTuple):
    """Where a sentence says that something is left, `verb`, where that is named, `span`, and what of the sentence says
    no more, `clause`."""

    verb: int
    span: tuple[int, int]
    clause: tuple[int, int]


def _is_meant(plain: str, left: _Left) -> bool:
    is_kept = _PARTLY.match(plain, left.span[1]) or _DENIED.search(plain[: left.verb])
    return _is_so(plain, left.verb) and not is_kept


def _left_in(plain: str) -> Iterator[_Left]:
    if (out := thrown_out(plain)) is not None:
        begin = plain.find(out.what.left, out.what.begin)
        yield _Left(out.begin, (begin, begin + len(out.what.left)), (out.what.begin, out.end))
    none = (_NO_MORE, _NOT_AT_ALL) if _AGAIN.search(plain) else (_NO_MORE,)
    for pattern in (*_LEFT, _INSTEAD, *none):
        for hit in pattern.finditer(plain):
            said = {name: span for name in hit.groupdict() if (span := hit.span(name)) != (-1, -1)}
            span = next(said[name] for name in ("left", "from", "off") if name in said)
            verb = next(said[name] for name in ("verb", "moves", "swaps") if name in said)
            is_fault = pattern is _NO_MORE and (FAULTY.search(plain, *span) or tells_departure(plain))
            if not (_POINTS.match(plain, *span) or is_fault):
                yield _Left(verb[0], span, (0, 0) if pattern in (_INSTEAD, *none) else hit.span())


def _read(passage: Passage, found: Sequence[Detection]) -> str | None:
    """The new decision that was read from a sentence."""
    return next(
        (
            each.text
            for each in found
            if each.kind is Kind.DECISION
            and not (each.is_update or each.local_id)
            and each.sentence in passage.said
        ),
        None,
    )


def _taken(passage: Passage, left: _Left | None, found: Sequence[Detection]) -> str | None:
    """What a sentence says to be taken, as the decision that was read from it, else in its own words; None if it says
    no more than what is left."""
    plain = passage.plain
    begin, end = left.clause if left is not None else (0, 0)
    rest = f"{plain[:begin]}{' ' * (end - begin)}{plain[end:]}"
    takes = (_STATES, _BRIEFLY, _INSTEAD, _GETS, _NOT_AT_ALL, _NO_MORE)
    if not (
        any(each.search(rest) for each in takes)
        or lifting_in(rest)
        or what_goes_back(rest)
        or _LEFT_FOR.search(plain)
    ):
        return None
    if (read := _read(passage, found)) is not None:
        return read
    return statement(passage.said) if len(plain.split()) >= _LEAST_WORDS else None


def _is_so(plain: str, begin: int) -> bool:
    """Whether the speaker says it as their own and as the case."""
    return _is_own(plain, begin) and not KEPT.search(plain)


def _is_own(plain: str, begin: int) -> bool:
    is_unreal = is_unreal_request(plain) and not _LEFT[0].search(plain)
    return is_asserted(plain) and not is_conditional(plain, begin) and not is_unreal
