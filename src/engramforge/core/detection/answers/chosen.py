"""What a person's short answer takes of what an assistant's turn offered: "yes, do that", "the second", "nope, vue".

An answer that says more than that is read as any other turn is. What stays unclear is no decision: "yes" to a list,
a name that is none of those offered, no name at all, doubt, and what somebody else says; nor is thanks for what nobody
asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.detection.answers.altered import (
    altered,
    may_rule_out,
    needed_not,
    none_of,
    not_wanted,
    says_again,
    turned_down,
)
from engramforge.core.detection.answers.either import either
from engramforge.core.detection.answers.lists import asks_for_a_way
from engramforge.core.detection.answers.offered import SWITCHES, Offered, asks_which_one, offered
from engramforge.core.detection.answers.proposals import POINTS, would_do
from engramforge.core.detection.answers.staying import may_stay, staying
from engramforge.core.detection.answers.wording import Said, is_left_open, readings
from engramforge.core.detection.endings.disliked import rejects
from engramforge.core.detection.passages import plain_words, sentences
from engramforge.core.detection.passing import is_deed_at_hand
from engramforge.core.detection.said_parts import why_said
from engramforge.core.registries.complaints import complaint_in
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, word_set, words_of
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import DecisionStatus

ANSWERED: Final = "taken in an answer"
"""The rule of what is read here."""
_SURE: Final = 0.85
_LONGEST: Final = 90
"""Characters of an answer."""
_LONGEST_MATTER: Final = 120
_SHORTEST_PREFIX: Final = 4
_MEASURE: Final = late(r"(?<![\w.])(\d+)([a-z]{1,5})\b")
"""A value and its unit: "8cm"."""
_ADDS: Final = late(r"(?i)\A(?:add|introduce|bring in|put in|build in|include)\s+")
"""Says no more of what is turned down than that it would have come."""
_LONGEST_TURN: Final = 1_000
_FEWEST_TOLD: Final = 4
"""Words of a statement that tells a matter."""
_POINTS_AT: Final = late(r"(?i)\w+ (?:it|them|these|those)\b")
_HOW: Final = late(r"(?i)(?:and |so |ok(?:ay)?,? )?(?:how|where|which|in which|as what)\b[^.,;!]{6,}\Z")
"""Begins a question, with its mark or without."""
_WHICH_OF: Final = late(
    r"(?i)\W*(?:(?:ok(?:ay)?|so|and|hm+|next)\W+){0,2}(?:what|how) about (?:the |our )?[\w' -]{2,40}: ?"
    r"[^.!?:]{2,90} or [^.!?,:]{2,40}\Z"
)
"""Asks which of several things it shall be, without a mark."""
_ONLY_THINKS: Final = late(
    r"(?i)\?\W{0,4}(?:just|only)? ?(?:thinking(?: out loud)?|asking|wondering|curious|an idea"
    r"|a thought|brainstorming)\W*\Z"
)
_PARTS: Final = late(r"[^\W_]+(?:[+#]+)?")

_NAMES_ALONE: Final = late(
    r"(?i)\A\W*(?:(?:ok(?:ay)?|so|and|yes|yeah|right|hm+|fine|alright)\b\W*)*(?:the |an? )?"
    r"[\w@][\w.+#/@-]*(?: [\w.+#/@-]+){0,2}? (?:it is|it['\u2019]ll be|it shall be|then)(?:\Z|[ ,.;!])"
    r"|\A\W*(?:h+m+\W+)?(?:yes|yeah|yep|sure|ok(?:ay)?),? for\s"
)
_WAYS_OUT: Final = word_set("""
cancel neither none nothing other others else something skip stop later no yes both abort exit leave it do the of these
them any not sure maybe undecided continue wait
""")
"""An option of these words alone decides nothing."""

_PLAIN: Final = word_set("plain simple raw flat static pure vanilla bare")
"""Says of a thing no more than that it is nothing beside."""
_LETS: Final = frozenset(("let", "have"))
"""Of whom something is left to: "let them write"."""

Taken = tuple[str, tuple[str, ...]]
"""What is taken, "" for nothing, and what is not."""
_NOTHING: Final[Taken] = ("", ())


def is_short(answer: str) -> bool:
    """Whether a text may be such an answer: it costs little to ask."""
    plain = answer.strip()
    return 0 < len(plain) <= _LONGEST and "?" not in plain and "\n" not in plain


def may_name(answer: str) -> bool:
    """Whether a short answer begins with what may be the name of a thing, or rules one out."""
    return (
        may_rule_out(answer)
        or may_stay(answer)
        or any(said.is_short_name and not said.turns_down for said in readings(answer))
    )


def answered(turn: str, answer: str, asked: str = "") -> Detection | None:
    """The decision that an answer makes of an assistant's turn; None for none.

    `asked`: what the person had said before the turn, whose question is told with the decision.

    >>> turn = "I'd use Redis for the sessions. Shall I go ahead?"
    >>> answered(turn, "yes, do that", "how do we store sessions?").text
    'Redis for the sessions (how do we store sessions?)'
    >>> answered("Redis or Postgres?", "postgres please").text
    'Postgres rather than Redis'
    >>> answered("Redis or Postgres?", "postgres, but keep the cache").text
    'Postgres rather than Redis, but keep the cache'
    >>> answered("I recommend React. Shall I set it up?", "nope, vue").text
    'vue rather than React'
    >>> answered("I'd run the tests first. Shall I?", "yes") is None
    True
    """
    if not is_short(answer) or is_left_open(answer):
        return None
    plain = answer.strip()
    if (stays := staying(turn, plain, _question_of(asked))) is not None:
        return decision_of(plain, stays.name, (stays.other,), "", _question_of(asked), stays.why)
    what = offered(turn, _question_of(asked))
    is_free = what.awaits and not what.options and not is_deed_at_hand(what.proposal)
    if what.proposal and is_free and (new := altered(what.proposal, plain)):
        why = "; ".join(filter(None, (what.why, new.why)))
        return decision_of(plain, _told(new.text, asked), new.others, "", _matter(what, asked), why)
    taken, others, addition = taken_of(what, plain)
    none = None if taken else none_of(turn[-_LONGEST_TURN:], plain, asked)
    if not taken and none is None and not what.proposal and not what.options and "?" not in turn:
        none = needed_not(_question_of(asked), plain)
    if not taken and none is None and what.is_asked:
        none = not_wanted(what.proposal, plain) or turned_down(what.proposal, plain)
    if none is not None:
        return decision_of(plain, none.text, (), "", _question_of(asked), none.why)
    if not taken and (sides := either([_question_of(asked)])):
        # The person's own "A or B?", of which the turn between only tells.
        what = Offered(options=sides.options, tail=sides.tail)
        taken, others, addition = taken_of(what, plain)
    if is_proposed := taken == what.proposal:
        others = others or _not_named(_question_of(asked), taken, plain)
        taken = _told(taken, asked)
    question = _matter(what, asked, is_choice=bool(others))
    is_nothing = not taken or _words(taken) <= _WAYS_OUT or is_deed_at_hand(taken)
    if is_nothing or (POINTS.search(taken) and not question):
        return None
    why = what.why if is_proposed else why_said(addition)[1]
    if is_proposed and not question and (complaint := _complaint(asked)):
        # What is switched from may be named by the person alone: "eleventy is slow".
        taken = f"switch to {taken}" if would_do(what.why) else taken
        why = f"{complaint}. {why}" if SWITCHES.match(taken) else why
    return decision_of(plain, taken, others, addition, question, why)


def _not_named(question: str, taken: str, answer: str) -> tuple[str, ...]:
    """The other sides of the person's own "A or B?", where their answer says the name of one that was proposed."""
    sides = either([question]) if taken and _words(taken) <= _words(answer) else None
    at = (
        _only([at for at, each in enumerate(sides.options) if _words(taken) <= _words(each)])
        if sides
        else None
    )
    return () if sides is None or at is None else sides.options[:at] + sides.options[at + 1 :]


def _complaint(asked: str) -> str:
    """The last line of what a person said before a proposal, where it is a short complaint."""
    last = asked.strip().rpartition("\n")[2].strip(" .!")
    if not 0 < len(last) <= _LONGEST_MATTER or "?" in last:
        return ""
    return last if complaint_in(last) is not None or rejects(last) else ""


def _matter(what: Offered, asked: str, *, is_choice: bool = False) -> str:
    """What a decision is for, by the turn that offered it or by the question that it answers."""
    question = _question_of(asked)
    is_told = 0 < len(what.about) <= _LONGEST_MATTER
    return what.about if is_told and (is_choice or not asks_for_a_way(question)) else question


def _told(thing: str, asked: str) -> str:
    """A proposal without what points to a matter that no question tells, or with the statement that does: "Redis for
    it" is Redis."""
    if _question_of(asked) or not ((points := POINTS.search(thing)) or _POINTS_AT.match(thing)):
        return thing
    last = asked.strip().rpartition("\n")[2].strip(" .!")
    plain = (
        thing[: points.start()].rstrip() if points and " " not in thing[: points.start()].rstrip() else thing
    )
    is_told = len(last.split()) >= _FEWEST_TOLD and len(last) <= _LONGEST_MATTER and "?" not in last
    return f"{plain} ({last})" if is_told else plain


def is_without_matter(statement: str) -> bool:
    """Whether a short turn names a thing and not what it is for: "8 cm it is", "brevo then"."""
    return is_short(statement) and _NAMES_ALONE.match(statement) is not None


def settled_in(statement: str, matter: str) -> Detection | None:
    """The decision that a turn without a matter of its own makes of the question before it."""
    said = statement.strip().rstrip(" .!")
    if is_left_open(said) or not any(each.replacement and not each.turns_down for each in readings(said)):
        return None
    return decision_of(statement.strip(), said, (), "", matter, why_said(said)[1])


def matter_of(turn: str, asked: str = "") -> str:
    """The question that a decision without a matter settles: the turn's own, or that of the person before it; "" where
    neither asks how something shall be.
    """
    for each in (_last_of(turn), _question_of(asked)):
        is_open = asks_which_one(each) or either([each]) is not None
        if 0 < len(each) <= _LONGEST_MATTER and each.endswith("?") and is_open:
            return each
    return ""


def decision_of(
    sentence: str, taken: str, others: Sequence[str], addition: str = "", question: str = "", why: str = ""
) -> Detection:
    """The decision for one thing rather than others, as an answer takes it."""
    text = f"{taken} rather than {' or '.join(others)}" if others else taken
    text += addition
    return Detection(
        kind=Kind.DECISION,
        sentence=sentence,
        rule=ANSWERED,
        confidence=_SURE,
        text=f"{text} ({question})" if question else text,
        status=str(DecisionStatus.ACTIVE),
        rationale=why,
        alternatives_rejected=tuple(others),
    )


def taken_of(what: Offered, answer: str) -> tuple[str, tuple[str, ...], str]:
    """What an answer takes of what was offered, "" for nothing, what it does not take, and what it adds."""
    for said in readings(answer):
        taken, others = _of_options(what, said) if what.options else _NOTHING
        if not taken and what.proposal:
            taken, others = _of_proposal(what, said, answer)
        if taken and not _names_another(said.addition, others):
            return taken, others, said.addition
    return "", (), ""


def _names_another(addition: str, others: Sequence[str]) -> bool:
    """Whether an addition may take back what was taken for another option: "redis, no postgres"."""
    first, _, more = addition.strip(" ,").partition(" ")
    return first.casefold() == "no" and any(_words(more) <= _words(other) for other in others)


def _of_options(what: Offered, said: Said) -> Taken:
    at = option_of(what.options, said, is_listed=what.is_listed)
    if at is None and said.is_loose:
        return _NOTHING
    tail = f" {what.tail}" if what.tail else ""
    if at is not None:
        return what.options[at] + tail, what.options[:at] + what.options[at + 1 :]
    if said.turns_down and said.replacement and not what.is_listed | (what.proposal != ""):
        return said.replacement + tail, what.options
    return _NOTHING


def _of_proposal(what: Offered, said: Said, answer: str) -> Taken:
    """What an answer makes of a proposal: it is taken, or something else in its place."""
    thing = what.proposal
    is_named = bool(said.name) and not said.turns_down and _is_named(said, thing)
    is_taken = said.assents and (what.is_asked or said.is_outright or said.is_content)
    if is_named or (what.awaits and (is_taken or says_again(thing, answer))):
        at = _only([at for at, option in enumerate(what.options) if _words(thing) <= _words(option)])
        if at is not None:
            return what.options[at], what.options[:at] + what.options[at + 1 :]
        return thing, (what.instead_of,) if what.instead_of else ()
    if said.turns_down and not said.is_loose and said.replacement and not _words(said.name) <= _words(thing):
        return said.replacement, (_ADDS.sub("", thing),)
    return _NOTHING


def _is_named(said: Said, thing: str) -> bool:
    """Whether an answer says a proposal's own name again, or its number: "yeah svg", "yeah 14"."""
    words = _words(said.name)
    head = thing.casefold().split()[0]
    if head[0].isdigit() and said.name == head:
        return True
    is_name = bool(said.replacement) or (said.is_short_name and any(map(str.isdigit, said.name)))
    # A name alone is meant, even where the word may mean something of the moment: "REST".
    is_name = is_name or (said.is_short_name and words == _words(thing) - _PLAIN)
    return bool(words) and is_name and words <= _words(thing)


def option_of(options: Sequence[str], said: Said, *, is_listed: bool) -> int | None:
    """The place of the option that an answer names, by its place in a list or by its words."""
    if is_listed and said.place is not None:
        at = len(options) - 1 if said.place < 0 else said.place
        return at if at < len(options) else None
    words = _words(said.name)
    if not words:
        return None
    exact = [at for at, option in enumerate(options) if words <= _words(option)]
    if exact:
        return _only(exact)
    if numbers := _numbers(words):
        return _only([at for at, option in enumerate(options) if _numbers(_words(option)) == numbers])
    if found := [at for at, option in enumerate(options) if _begins(words, _words(option))]:
        return _only(found)
    stems = _stems(said.name) - _LETS
    return _only([at for at, option in enumerate(options) if stems and stems <= _stems(option)])


def _numbers(words: frozenset[str]) -> frozenset[str]:
    """The numbers among words: a value is known by them, with its unit or without."""
    return frozenset(filter(str.isdigit, words))


def _only(found: Sequence[int]) -> int | None:
    return found[0] if len(found) == 1 else None


def _begins(said: frozenset[str], option: frozenset[str]) -> bool:
    """Whether each word said begins one of an option: "postgres" for PostgreSQL."""
    return all(
        word in option or (len(word) >= _SHORTEST_PREFIX and any(each.startswith(word) for each in option))
        for word in said
    )


def _stems(text: str) -> frozenset[str]:
    """The stems of a name: "scanning" for "have them scan a code", "email" for "e-mail"."""
    return frozenset(map(stem_of, words_of(text.casefold()))) - {"the", "a", "an"}


def _words(text: str) -> frozenset[str]:
    """The words of a name, and the parts of those with signs in them."""
    plain = _MEASURE.sub(r"\1 \2", text.casefold().replace("\u2019", "'")).split()
    parts = {part for word in plain for part in _PARTS.findall(word)} if plain else set()
    return frozenset({word.strip(".,;:!'\"()") for word in plain} | parts) - {"the", "a", "an", ""}


def _last_of(turn: str) -> str:
    """The last sentence of a turn."""
    said = list(sentences(plain_words(turn.strip().rpartition("\n")[2]).replace("**", "").replace("`", "")))
    return said[-1].strip() if said else ""


def _question_of(asked: str) -> str:
    """The last question of a turn, where it is short."""
    last = _ONLY_THINKS.sub("?", asked.strip().rpartition("\n")[2].strip())
    is_open = _HOW.match(last) is not None and asks_for_a_way(f"{last}?")
    if not last.endswith("?") and (is_open or _WHICH_OF.match(last)):
        last = f"{last.rstrip(' .!')}?"
    return last if last.endswith("?") and len(last) <= _LONGEST_MATTER else ""
