"""Which decision a person turns from in plain words ("scrap SQLite, we go with Postgres"), and what takes its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engramforge.core.detection.answers.chosen import ANSWERED
from engramforge.core.detection.endings.plain_turns import means_last
from engramforge.core.detection.endings.reversals import (
    HINTED,
    REVERSED,
    choice_of,
)
from engramforge.core.detection.endings.turned import POINTED, turned_from, turns, with_change
from engramforge.core.detection.likelihood import WORDED
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.registries.changed.same_matter import for_the_purpose, means_for_now, of_the_same_matter
from engramforge.core.registries.changed.standing import Standing
from engramforge.core.registries.other_values import (
    is_all_said,
    is_amount,
    with_amount_agreed,
    with_amount_set,
    with_changed_amount,
)
from engramforge.core.registries.registration import evidence_of
from engramforge.core.registries.reversed_decisions import (
    echoes,
    named_in,
    says_the_same,
    with_refusals,
)
from engramforge.core.registries.said_again import says_again
from engramforge.core.registries.such_names import taken_for, with_name, with_such_name
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Detection, Voice
from engramforge.model.registries.entry import DecisionStatus
from engramforge.registries.decisions.decision_view import decision_text, rejected_of
from engramforge.registries.detected.closing import with_closed
from engramforge.registries.detected.detected_lookup import Head, Lookup
from engramforge.registries.detected.pointing import NOT_CLEAR, UNCLEAR, changed_by_talk
from engramforge.registries.registered import registration_of

_TAKEN: Final = 0.88
"""How sure it is that something takes the place of what somebody turned from."""
_BARE: Final = 3
"""Words of a name at most that is all that somebody takes."""
_REPLACES: Final = late(
    r"(?i)(?:(?:switch|mov|migrat|chang|go)(?:e|ing)? (?:the \w+ )?(?:over "
    r"|back )?(?:from (?P<from>[\w.+#/-]{1,30}) )?to\b"
    r"|(?:replac|swap|exchang)(?:e|p?ing)? (?:out )?(?P<left>[\w.+#/-]{1,30}(?: [\w.+#/-]{1,30})?) (?:with|by|for)\b"
    r"|(?:(?:drop|ditch|scrap|dump|retire|abandon|get rid of|move (?:off|away from)|(?:throw|rip|kick) out)"
    r" (?P<off>[\w.+#/-]{1,30}(?: [\w.+#/-]{1,30}){0,2}?)|(?:throw|rip|kick) (?P<out>[\w.+#/-]{1,30}"
    r"(?: [\w.+#/-]{1,30}){0,2}?) out),? (?:and|then|let|use|keep|have|put)\b)"
)
"""What somebody took puts another thing in the place of one: "switch to NB-IoT", "replace SQLite with DuckDB"."""

_MOVES: Final = late(
    r"(?i)(?:switch|mov|migrat|chang)(?:e|ing)? (?:(?:the|our|all) ){0,2}"
    r"(?P<what>(?!to\b|over\b|back\b)\w+(?: (?!to\b)\w+)?) (?:over )?to"
    r" (?P<taken>[\w.+#-]{1,30})(?=\Z| (?:with|and|for|on|in)\b)"
)
"""The same of something that is kept or done by a thing: "move the reminders to Celery"."""


def is_turn(detection: Detection) -> bool:
    """Whether somebody turns from a decision in plain words."""
    return turns(detection) and detection.is_update


def with_meant(lookup: Lookup, message: Memory, detections: Sequence[Detection]) -> list[Detection]:
    """Detections of a message, a turn from a decision with the one that it ends; left out where it ends none, unsure
    where it is not clear which. Asked before what is new stands beside the old."""
    found: list[Detection] = []
    sure: set[str | None] = set()
    is_done = False
    for each in with_closed(lookup, message, detections):
        if not is_turn(each):
            if (agreed := _agreed(lookup, message, each)) is not None:
                found += agreed
                continue
            found.append(each)
            by_name = [] if _turns(lookup, message, detections) else _named_anew(lookup, message, each)
            if not (by_name or any(map(is_turn, detections))):
                found += _perhaps_anew(lookup, message, each)
            sure.update(turn.superseded_by for turn in by_name)
            for turn in (*_replaced(lookup, message, each), *by_name):
                found += [replace(turn, entry=entry) for entry in _same(lookup, message, turn.entry)]
            continue
        if is_done:
            continue
        if each.entry:
            found += [replace(each, entry=entry) for entry in _same(lookup, message, each.entry)]
            continue
        heads, is_clear = ([], False) if each.rule == POINTED else _turned_from(lookup, message, each)
        changed = [] if is_clear else changed_by_talk(lookup, message, each, _standing(lookup, message))
        is_known = bool(heads) and [one.entry for one in changed] == [heads[0].memory.logical_id]
        if changed and not is_known:
            found += _with_same(lookup, message, changed)
            sure.update(one.superseded_by for one in changed if one.confidence >= _TAKEN)
            is_done = True
            continue
        if not heads:
            continue
        entry = heads[0].memory.logical_id
        if not is_clear:
            found.append(replace(each, entry=entry, why=NOT_CLEAR, confidence=UNCLEAR))
            continue
        new = _in_its_words(each, decision_text(heads[0].memory))
        if new and (each.rule == HINTED or not each.text or new != each.superseded_by):
            found = [replace(one, text=new) if one.text == each.superseded_by else one for one in found]
            each = replace(each, superseded_by=new)
        # What was only heard in the sentence that leaves something is nothing to hold.
        found = [one for one in found if not (_is_heard_in(one, each) and each.superseded_by)]
        found += [replace(each, entry=one) for one in _same(lookup, message, entry)]
        sure.add(each.superseded_by)
        is_done = each.rule == HINTED
    return [
        replace(each, confidence=max(each.confidence, _TAKEN))
        if each.text in sure and not each.is_update
        else each
        for each in found
    ]


def _with_same(lookup: Lookup, message: Memory, changed: Sequence[Detection]) -> list[Detection]:
    return [
        replace(each, entry=entry)
        for each in changed
        for entry in (_same(lookup, message, each.entry) if each.confidence >= _TAKEN else [each.entry])
    ]


def _in_its_words(turn: Detection, decided: str) -> str:
    """What takes the place of a decision in the decision's words, as far as a turn leaves them; "" where it leaves
    none."""
    new = with_changed_amount(decided, choice_of(turn), turn.text)
    if turn.rule == HINTED and not turn.text and (anew := with_amount_set((decided,), turn.sentence)):
        new = anew[1]
    new = new if is_all_said(new, turn.sentence) else ""
    if turn.rule == HINTED and (changed := with_change((decided,), turn.sentence)):
        new = changed[1]
    taken = turn.superseded_by
    if taken and not turn.text and turn.rule == REVERSED and len(taken.split()) <= _BARE:
        new = with_name(decided, taken)
    if taken and turn.text and not new:
        new = with_refusals(taken, decided, turn.text)
    return new


def _is_heard_in(detection: Detection, turn: Detection) -> bool:
    is_new = detection.kind is Kind.DECISION and not detection.is_update and detection.rule.startswith(WORDED)
    return is_new and detection.text != turn.superseded_by and detection.sentence in turn.sentence


def taken_in(turn: Detection) -> Detection | None:
    """What takes the place of a decision that somebody turns from, as a decision; None where nothing does."""
    if not is_turn(turn) or turn.superseded_by is None:
        return None
    return replace(
        turn,
        text=turn.superseded_by,
        status=str(DecisionStatus.ACTIVE),
        is_update=False,
        superseded_by=None,
        alternatives_rejected=(turn.text,) if turn.text else (),
        entry="",
    )


def _turned_from(
    lookup: Lookup, message: Memory, turn: Detection, said_anew: str | None = None
) -> tuple[list[Head], bool]:
    """The decisions that a turn may end, the likeliest first, and whether the first is clearly meant. `said_anew`: what
    is taken, in words that tell better what it is for."""
    standing = _standing(lookup, message)
    last = _said_last(message, standing) if means_last(turn.sentence) else None
    said = [
        Standing(decision_text(head.memory), rejected_of(registration_of(head.memory)), is_last=head is last)
        for head in standing
    ]
    places, is_clear = turned_from(turn, said, said_anew)
    if not is_clear and (left := _without_echoes(lookup, standing)) is not None:
        standing = [standing[at] for at in left]
        places, is_clear = turned_from(turn, [said[at] for at in left], said_anew)
    return [standing[place] for place in places], is_clear


def _standing(lookup: Lookup, message: Memory) -> list[Head]:
    """The decisions that held before a message said anything: one that begins later was not meant by it."""
    return [head for head in lookup.active_decisions(message) if head.memory.valid_at <= message.valid_at]


def _without_echoes(lookup: Lookup, standing: Sequence[Head]) -> list[int] | None:
    """The places of decisions without those in which an assistant only said again another of them; None where that is
    none: an echo is no second choice."""
    texts = [decision_text(head.memory) for head in standing]
    alike = {
        at
        for at, text in enumerate(texts)
        if any(other != at and says_again(text, texts[other]) for other in range(len(texts)))
    }
    echoes_of = alike.intersection(at for at in alike if _is_assistants(lookup, standing[at].memory))
    return [at for at in range(len(standing)) if at not in echoes_of] if echoes_of else None


def _is_assistants(lookup: Lookup, decision: Memory) -> bool:
    """Whether a decision was read from an assistant's message."""
    evidence = evidence_of(registration_of(decision))
    if evidence is None:
        return False
    found = lookup.door.asking(lookup.scope).fetch([evidence.message_id])
    return any(voice_of(each) is Voice.STATED for each in found.values())


def _same(lookup: Lookup, message: Memory, entry: str) -> list[str]:
    """A decision, and those that hold beside it and say the same in other words or only echo it, by logical id."""
    head = lookup.entry(entry)
    if head is None:
        return [entry]
    said = decision_text(head.memory)
    same = []
    for each in (each.memory for each in lookup.active_decisions(message)):
        text = decision_text(each)
        is_echo = says_again(text, said) and _is_assistants(lookup, each)
        is_echo = is_echo or (says_again(said, text) and _is_assistants(lookup, head.memory))
        same += [each.logical_id] if is_echo or says_the_same(text, said) else []
    return list(dict.fromkeys([entry, *same]))


def _replaced(lookup: Lookup, message: Memory, taken: Detection) -> list[Detection]:
    """What ends by what a person took of an assistant's proposal to replace something, where it is clear."""
    hit = _REPLACES.match(taken.text) if taken.rule == ANSWERED and not taken.is_update else None
    moves = _MOVES.match(taken.text) if taken.rule == ANSWERED and not taken.is_update else None
    if hit is None and moves is None:
        return []
    left = "" if hit is None else hit["left"] or hit["from"] or hit["off"] or hit["out"] or ""
    if moves is None and not left:
        standing = [Standing(decision_text(head.memory)) for head in lookup.active_decisions(message)]
        left = named_in(taken.rationale, taken.text, standing)
    # "Move the reminders to Celery" turns to Celery for the reminders.
    said = taken.text if moves is None else f"switch to {moves['taken']} for {moves['what']}"
    if hit is not None and (hit["off"] or hit["out"]):
        # Where and of what the new thing is, is no other purpose of what is left whole.
        said = f"drop {left}"
    turn = replace(_turn_to(taken, taken.text), sentence=said, text=left)
    heads, is_clear = _turned_from(lookup, message, turn, said)
    return [replace(turn, entry=heads[0].memory.logical_id)] if heads and is_clear else []


def _turns(lookup: Lookup, message: Memory, detections: Sequence[Detection]) -> bool:
    """Whether something else in a message turns from a decision that stands."""
    return any(
        is_turn(each) and (each.rule == REVERSED or bool(_turned_from(lookup, message, each)[0]))
        for each in detections
    )


def _named_anew(lookup: Lookup, message: Memory, taken: Detection) -> list[Detection]:
    """What ends by what a person takes by its name alone ("brevo then, because gdpr"), where it is clear."""
    if not taken.is_new_decision or taken.voice is not Voice.OWN or means_for_now(taken.sentence):
        return []
    standing = _standing(lookup, message)
    decided = [decision_text(head.memory) for head in standing]
    place = with_such_name(decided, taken.sentence)
    if place is None and (said := taken_for(taken.sentence)):
        place = next(iter(for_the_purpose(said, list(map(Standing, decided)))), None)
    if place is None:
        place, _ = with_amount_set(decided, taken.sentence) or (None, "")
    if place is None:
        return []
    turn = replace(_turn_to(taken, taken.text), confidence=_TAKEN)
    return [replace(turn, entry=standing[place].memory.logical_id)]


def _perhaps_anew(lookup: Lookup, message: Memory, taken: Detection) -> list[Detection]:
    """What may end, as a person shall say, by another choice for the same matter, where nothing says that it does."""
    if not taken.is_new_decision or taken.voice is not Voice.OWN:
        return []
    standing = _standing(lookup, message)
    place = of_the_same_matter(taken.sentence, [Standing(decision_text(head.memory)) for head in standing])
    if place is None:
        return []
    turn = replace(_turn_to(taken, taken.text), confidence=UNCLEAR, why=NOT_CLEAR)
    return [replace(turn, entry=standing[place].memory.logical_id)]


def _turn_to(taken: Detection, new: str) -> Detection:
    return replace(
        taken,
        rule=REVERSED,
        text="",
        status=str(DecisionStatus.SUPERSEDED),
        is_update=True,
        superseded_by=new,
    )


def _agreed(lookup: Lookup, message: Memory, taken: Detection) -> list[Detection] | None:
    """What a person's yes to an amount by itself makes: the decision with that amount, and the end of the one before;
    None for what is no amount. One that no decision has says nothing by itself."""
    if taken.rule != ANSWERED or taken.is_update:
        return None
    amount, _, asked = taken.text.partition(" (")
    if not is_amount(amount):
        return None
    standing = _standing(lookup, message)
    decided = [decision_text(head.memory) for head in standing]
    if (other := with_amount_agreed(decided, amount, f"{taken.rationale} {asked}")) is None:
        return [taken] if asked else []
    at, new = other
    ended = _same(lookup, message, standing[at].memory.logical_id)
    return [replace(taken, text=new), *(replace(_turn_to(taken, new), entry=each) for each in ended)]


def echoed(lookup: Lookup, message: Memory, detection: Detection) -> Head | None:
    """The decision of a message's conversation that an assistant only says again in other words."""
    if not detection.is_new_decision or detection.voice is not Voice.STATED or message.session_id is None:
        return None
    own = [
        head
        for head in lookup.active_decisions(message, in_conversation=True)
        if registration_of(head.memory).origin == message.session_id
        and _is_echo(detection, decision_text(head.memory))
    ]
    return max(own, key=lambda head: head.memory.valid_at, default=None)


def _is_echo(detection: Detection, decision: str) -> bool:
    return echoes(detection.text, decision) or says_again(detection.sentence, decision)


def _said_last(message: Memory, standing: Sequence[Head]) -> Head | None:
    """The decision of a message's conversation that was said later than any other."""
    if message.session_id is None:
        return None
    own = [head for head in standing if registration_of(head.memory).origin == message.session_id]
    own.sort(key=lambda head: head.memory.valid_at)
    is_one = len(own) == 1 or (len(own) > 1 and own[-1].memory.valid_at > own[-2].memory.valid_at)
    return own[-1] if is_one else None
