"""What a person's turn says of the turns before it: it contradicts one, or takes what an assistant offered.

Turns of the same batch are known by session; those that are stored are looked up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from engramforge.core.detection.answers.altered import may_alter
from engramforge.core.detection.answers.banter import SUCH_IT_IS, is_banter
from engramforge.core.detection.answers.chosen import (
    answered,
    is_short,
    is_without_matter,
    matter_of,
    may_name,
    settled_in,
)
from engramforge.core.detection.answers.dialogue_choices import chosen_in
from engramforge.core.detection.answers.dialogues import ANSWERS, read_kept
from engramforge.core.detection.answers.offered import offered
from engramforge.core.detection.answers.quoted import below_quotation, up_to_quotation
from engramforge.core.detection.cues.label_cues import LABEL
from engramforge.core.detection.endings.plain_turns import is_bare
from engramforge.core.detection.endings.reversals import REVERSED, corrected
from engramforge.core.detection.matter.carried import (
    is_cut,
    matter_before,
    question_answered,
    takes_sides,
    told_with_matter,
)
from engramforge.core.detection.passages import LONGEST_SENTENCE, passages
from engramforge.core.detection.rule_extractor import Extractor
from engramforge.core.detection.said_parts import statement
from engramforge.core.detection.traps import is_asserted
from engramforge.core.detection.whose.denials import denied
from engramforge.core.detection.whose.own_words import parted
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.detection.whose.taken_in import goes_on
from engramforge.core.registries.said_again import may_say_again, says_again
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import SUMMARISES, Kind, Memory, Source
from engramforge.model.registries.detection import Detection, Said, Voice
from engramforge.model.registries.entry import DecisionStatus, ThreadStatus
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf
from engramforge.store.door import Door

TURNS: Final = frozenset({Kind.PROMPT, Kind.RESPONSE, Kind.MESSAGE, Kind.NOTE})
"""Kinds of memories in which somebody speaks; a summary may stand above a conversation's first."""
_LOOKED_BACK: Final = 8
"""How many turns back a person's is looked for."""

_LEAST_SAID: Final = 0.6
"""How sure a decision in an assistant's words is at least."""
_REMARKS: Final = frozenset({"taken by its name", "taken by its name instead", "is given up"})
"""Rules of short words that decide only where a person says them: an assistant tells with them what it does, or did."""
_LONGEST_ASKED: Final = 600
"""Characters of a turn that a person wrote to ask for something; a longer one mostly holds what was pasted."""
_ANY: Final = "How should it be?"
"""Stands for a person's question while it is not looked up."""

LastTurns = Mapping[str, Memory]
"""The last turns of a batch so far, by session."""
Trail = Mapping[str, Sequence[Memory]]
"""All of a batch's turns so far, by session, the oldest first."""


@dataclass(frozen=True, slots=True)
class Replies:
    """Reads turns as replies to those before them."""

    door: Door

    def contradicted(
        self, scope: Scope, memory: Memory, text: str, before: LastTurns, now: datetime
    ) -> list[Detection]:
        """The contradiction of an assistant's turn by the person's that follows it, or of their own turn by no more
        than "scrap that"."""
        is_own = is_bare(text)
        if memory.session_id is None or not (is_own or denied(text) is not None):
            return []
        if (what := "" if is_own else denied(parted(text, is_person=True).own)) is None:
            return []
        turn = self._last(scope, memory, before, now)
        if turn is None or voice_of(turn) is not (Voice.OWN if is_own else Voice.STATED):
            return []
        return [
            Detection(
                kind=Kind.DECISION,
                sentence=text[:LONGEST_SENTENCE],
                rule="contradicted",
                confidence=1.0,
                text=what,
                status=str(DecisionStatus.INVALIDATED),
                is_update=True,
                denies=turn.logical_id,
            )
        ]

    def corrected(
        self,
        scope: Scope,
        memory: Memory,
        text: str,
        ended: Sequence[Detection],
        asked: LastTurns,
        now: datetime,
    ) -> Detection | None:
        """The end of the choice in the person's turn before, of which their next one corrects the name alone. `ended`:
        what that one ends by itself."""
        is_bare_name = any(each.rule == REVERSED and not each.text for each in ended)
        if memory.session_id is None or not is_bare_name:
            return None
        turn = self.asked_before(scope, memory, asked, now)
        return None if turn is None else corrected(text, said_text(turn))

    def may_alter(self, text: str) -> bool:
        """Whether a turn may set an amount anew that the assistant's turn before it proposed ("make it 90 days"), and
        so answer it, as what may close a thread may: "done with it, the second"."""
        return is_short(text) and may_alter(text)

    def taken(
        self, scope: Scope, memory: Memory, text: str, before: LastTurns, asked: LastTurns, now: datetime
    ) -> list[Detection]:
        """What a person's few words take of what the assistant's turn before them offered, also below what they quote
        of it; what they quote of another offers nothing."""
        quotation, text = below_quotation(text)
        if memory.session_id is None or not is_short(text):
            return []
        told = self._told_before(scope, memory, before, now)
        offer = up_to_quotation(told, quotation) if quotation else told
        if not offer or (answered(offer, text, _ANY) is None and not may_name(text)):
            return []
        found = answered(offer, text, self._asked_text(scope, memory, asked, now))
        return [] if found is None else [found]

    def with_matter(
        self,
        scope: Scope,
        memory: Memory,
        found: list[Detection],
        before: LastTurns,
        asked: LastTurns,
        now: datetime,
    ) -> list[Detection]:
        """What a person decides in a turn without a matter of its own ("8 cm it is"), as the answer that it is to the
        assistant's turn before it, or with what it is of by the turns before."""
        text = said_text(memory)
        is_other = any(each.is_update or each.kind is not Kind.DECISION for each in found)
        if memory.session_id is None or is_other or len(found) > 1:
            return found
        if found and is_short(text) and not found[0].alternatives_rejected:
            taken = self.taken(scope, memory, text, before, asked, now)
            if any(each.alternatives_rejected for each in taken):
                return taken
        if not is_without_matter(text):
            return self._with_what_was_asked(scope, memory, found, before, asked, now)
        if found and (taken := self.taken(scope, memory, text, before, asked, now)):
            return taken
        offer = self._told_before(scope, memory, before, now)
        matter = matter_of(offer, self._asked_text(scope, memory, asked, now)) if offer else ""
        if not matter:
            return found
        settled = settled_in(text, matter)
        if settled is not None and (not found or found[0].confidence < settled.confidence):
            return [settled]
        return [replace(each, text=f"{each.text} ({matter})") for each in found]

    def _with_what_was_asked(
        self,
        scope: Scope,
        memory: Memory,
        found: list[Detection],
        before: LastTurns,
        asked: LastTurns,
        now: datetime,
    ) -> list[Detection]:
        """A decision that is cut from its matter with what the turns before it ask or say to be needed."""
        decided = found[0].text if found else ""
        is_said = decided.lower() in said_text(memory).lower()
        if is_said and found and (question := self._answered_first(scope, memory, before, asked, now)):
            return [replace(found[0], text=f"{said_text(memory).strip()} ({question})")]
        if not is_cut(decided) or told_with_matter(said_text(memory), found[0]) != decided:
            return found
        offer = self._told_before(scope, memory, before, now)
        matter = matter_of(offer) if offer else ""
        if not matter and len(said := self._asked_text(scope, memory, asked, now)) <= _LONGEST_ASKED:
            matter = matter_before(decided, said)
        return [replace(each, text=f"{each.text} ({matter})") for each in found] if matter else found

    def _answered_first(
        self, scope: Scope, memory: Memory, before: LastTurns, asked: LastTurns, now: datetime
    ) -> str:
        """The question, the assistant's or else the person's own before, that a turn answers before it says more."""
        text = said_text(memory)
        if not is_short(text) or not takes_sides(text):
            return ""
        told = question_answered(text, self._told_before(scope, memory, before, now))
        return told or question_answered(text, self._asked_text(scope, memory, asked, now))

    def said_first(
        self, scope: Scope, memory: Memory, found: list[Detection], before: LastTurns, now: datetime
    ) -> list[Detection]:
        """What an assistant decides, in the person's words where it only says again what their turn before it said:
        "Dark it is, I changed the styles" is no choice of its own."""
        what = offered(said_text(memory)) if found else None
        is_asked = what is not None and what.is_asked
        # What a turn still asks for is nothing that it has decided.
        found = [x for x in found if not (_is_remark(x) or (is_asked and what and _is_offer(x, what.why)))]
        may_be_fun = any(each.rule == SUCH_IT_IS for each in found)
        is_alike = may_be_fun or any(may_say_again(each.sentence) for each in found)
        if memory.session_id is None or not is_alike:
            return found
        turn = self._last(scope, memory, before, now)
        if turn is None or voice_of(turn) is not Voice.OWN:
            return found
        if may_be_fun and is_banter(said_text(turn)):
            found = [each for each in found if each.rule != SUCH_IT_IS]
        own = [each.said for each in passages(said_text(turn)) if is_asserted(each.plain)]

        def in_own_words(each: Detection) -> Detection:
            said = [words for words in own if each.is_new_decision and says_again(each.sentence, words)]
            return replace(each, text=statement(said[0])) if len(said) == 1 else each

        return list(map(in_own_words, found))

    def without_promises(
        self,
        scope: Scope,
        memory: Memory,
        found: list[Detection],
        before: LastTurns,
        now: datetime,
        extractor: Extractor,
    ) -> list[Detection]:
        """What an assistant says without its promise to look at what the person's turn before it left open: that is one
        matter, which is over when the person says so."""
        if memory.session_id is None or not any(map(_is_promise, found)):
            return found
        turn = self._last(scope, memory, before, now)
        if turn is None or voice_of(turn) is not Voice.OWN:
            return found
        opened = extractor.extract(said_text(turn))
        is_open = any(each.kind is Kind.THREAD and each.status == ThreadStatus.OPEN for each in opened)
        return [each for each in found if not (is_open and _is_promise(each))]

    def last_of(self, scope: Scope, memory: Memory, before: LastTurns, now: datetime) -> Memory | None:
        """The turn right before a message in its conversation."""
        return None if memory.session_id is None else self._last(scope, memory, before, now)

    def talk_before(self, scope: Scope, memory: Memory, trail: Trail, now: datetime) -> tuple[Said, ...]:
        """The last few turns before a message in its conversation, the newest first."""
        if memory.session_id is None:
            return ()
        own = [each for each in trail.get(memory.session_id, ()) if each.id != memory.id]
        turns = own[::-1][:_LOOKED_BACK]
        if len(turns) < _LOOKED_BACK:
            stored = (x for x in self._before(scope, memory, now) if x.logical_id != memory.logical_id)
            turns = [*turns, *stored][:_LOOKED_BACK]
        return tuple(Said(said_text(x), x.logical_id, voice_of(x) is Voice.OWN) for x in turns)

    def asked_before(self, scope: Scope, memory: Memory, asked: LastTurns, now: datetime) -> Memory | None:
        """A person's last turn before a message that asked for something new. `asked`: those of its batch."""
        if (turn := asked.get(memory.session_id or "")) is not None:
            return turn
        own = (each for each in self._before(scope, memory, now) if voice_of(each) is Voice.OWN)
        return next((each for each in own if not goes_on(said_text(each))), None)

    def _asked_text(self, scope: Scope, memory: Memory, asked: LastTurns, now: datetime) -> str:
        turn = self.asked_before(scope, memory, asked, now)
        return "" if turn is None else said_text(turn)

    def _told_before(self, scope: Scope, memory: Memory, before: LastTurns, now: datetime) -> str:
        """What the assistant's turn right before a message says; "" where no assistant speaks there."""
        turn = self._last(scope, memory, before, now)
        return "" if turn is None or voice_of(turn) is not Voice.STATED else said_text(turn)

    def _before(self, scope: Scope, memory: Memory, now: datetime) -> Sequence[Memory]:
        """The last few turns of a message's conversation before it that are stored, the last one first."""
        selection = Selection(kinds=tuple(TURNS), session_id=memory.session_id, as_of=AsOf(now, now))
        found = self.door.asking(scope.within(memory.project)).browse(selection, limit=_LOOKED_BACK)
        return [x for x in found if x.valid_at <= memory.valid_at and SUMMARISES not in x.metadata]

    def _last(self, scope: Scope, memory: Memory, before: LastTurns, now: datetime) -> Memory | None:
        known = before.get(memory.session_id or "")
        return known or next(iter(self._before(scope, memory, now)), None)


def _is_remark(found: Detection) -> bool:
    """Whether what an assistant says is only guessed to be a decision: nobody has to judge its every remark."""
    is_guessed = found.confidence < _LEAST_SAID or found.rule in _REMARKS
    return found.is_new_decision and found.voice is Voice.STATED and is_guessed


_PROMISES: Final = late(
    r"(?i)\b(?:i|we)(?:['\u2019]ll| will) (?:have a |take a )?(?:look|check|fix|see|investigate|handle|repair"
    r"|debug|tackle"
    r"|deal|sort|get|come)\b(?: (?:at|into|to|with|back to|after))? (?:it|that|this|them|those)\b"
)


def _is_promise(found: Detection) -> bool:
    """Whether an assistant says of something named before that it will see to it."""
    is_new = (
        found.kind is Kind.THREAD
        and not (found.is_update or found.local_id)
        and found.status == ThreadStatus.OPEN
    )
    return is_new and _PROMISES.search(found.sentence) is not None


def _is_offer(found: Detection, why: str) -> bool:
    """Whether an assistant's decision is the proposal of which it asks whether it shall be."""
    is_stated = found.is_new_decision and found.voice is Voice.STATED
    return is_stated and found.rule != LABEL and found.sentence in why


def holds_answers(memory: Memory) -> bool:
    """Whether a memory is the outcome of a host's dialogue, in which a person answered an assistant's questions."""
    is_captured = memory.source in (Source.HOOK_DESCRIPTION, Source.IMPORT)
    return is_captured and memory.kind is Kind.TOOL_USE and bool(memory.metadata.get(ANSWERS))


def answered_in(memory: Memory) -> list[Detection]:
    """The decisions of the answers that such a memory holds: a person's own word."""
    found = (chosen_in(each) for each in read_kept(memory.metadata)) if holds_answers(memory) else ()
    return [each for each in found if each is not None]


def said_text(memory: Memory) -> str:
    """The spoken text: the content without a leading "speaker:"."""
    content, prefix = memory.content, f"{memory.speaker}:"
    if memory.speaker and content[: len(prefix)].casefold() == prefix.casefold():
        return content[len(prefix) :].lstrip() or content
    return content
