"""From detections to changes of the registries: planned outside the transaction, written inside it.

A detection becomes a new entry, changes the entry with the same local id in its conversation, adds a conversation to an
entry with the same text, or waits as a flag if it is not confident enough. One about a name that nothing has is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from engramforge.core.detection.bare_words import says_nothing
from engramforge.core.detection.cues.named_cues import REINSTATED, UNDONE
from engramforge.core.detection.matter.carried import names_alone, with_own_matters
from engramforge.core.detection.proposal import proposal_of
from engramforge.core.detection.whose.speakers import speaker_of
from engramforge.errors import CallerError
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.detection import Detection, Voice
from engramforge.model.registries.entry import STANDING, DecisionStatus, ReviewStatus, ThreadStatus
from engramforge.model.scope import Scope
from engramforge.registries.decisions import decision_view
from engramforge.registries.detected.consequences import DetectedWrite
from engramforge.registries.detected.detected_changes import (
    DetectedChanges,
    all_drafts,
    entry_draft,
    evidence_details,
    flag_draft,
    says_already,
)
from engramforge.registries.detected.detected_lookup import Head, Lookup, says_something, shares_words
from engramforge.registries.detected.names_known import has_to_be_known, is_another, is_of_unknown
from engramforge.registries.detected.queue import keep_surest
from engramforge.registries.detected.taking_over import refused_place, taking_over
from engramforge.registries.detected.turning import echoed, is_turn, taken_in, with_meant
from engramforge.registries.registered import mentioned_in, registration_of, succession
from engramforge.registries.threads import thread_view
from engramforge.registries.threads.thread_changes import waiting_link
from engramforge.writing.changes import VersionChanges
from engramforge.writing.version_change import VersionChange

DEFAULT_THRESHOLD: Final = 0.6
"""The confidence from which a detection becomes an entry without review."""

TRUSTED_TIER: Final = 0.8
"""From this epistemic tier on only a person's own words change an entry."""
_BY_HAND: Final = "was made by hand"
_BARE: Final = "it does not say of what"
_ELSEWHERE: Final = "another conversation has that name"


@dataclass(frozen=True, slots=True)
class Detected:
    """Plans what follows from detections; `threshold`: how sure one must be to become an entry, 0..1."""

    changes: VersionChanges
    threshold: float = DEFAULT_THRESHOLD

    def plan(
        self,
        scope: Scope,
        said: Sequence[tuple[Memory, Sequence[Detection]]],
        now: datetime,
        *,
        is_reviewed: bool = False,
        edges: Sequence[Memory] = (),
    ) -> list[DetectedWrite]:
        """The consequences of messages, in order; later ones build on earlier ones.

        `is_reviewed`: a person has accepted them, so none waits. `edges`: of lineage, written with the messages.
        """
        plan = _Plan(
            DetectedChanges(self.changes, scope, now, is_reviewed),
            Lookup(self.changes.door, self.changes.preparation, scope, edges),
            -1.0 if is_reviewed else self.threshold,
        )
        plan.look_up(said)
        found = [plan.follow(message, detections) for message, detections in said]
        keep_surest(self.changes, scope, found, now)
        return [write for write in found if not write.is_empty]


@dataclass(frozen=True, slots=True)
class _Plan:
    """One batch's plan: what is looked up once, and how entries stand after each message."""

    changes: DetectedChanges
    lookup: Lookup
    threshold: float

    def look_up(self, said: Sequence[tuple[Memory, Sequence[Detection]]]) -> None:
        """Look up all entries and flags in a single request."""
        self.lookup.ask_origins(
            draft
            for message, detections in said
            for detection in dict.fromkeys([*detections, *with_own_matters(message.content, detections)])
            for each in (detection, taken_in(detection))
            if each is not None
            for draft in all_drafts(message, each)
        )

    def follow(self, message: Memory, detections: Sequence[Detection]) -> DetectedWrite:
        """The consequences of a message."""
        write = DetectedWrite(message)
        detections = with_own_matters(message.content, with_meant(self.lookup, message, detections))
        detections = _without_bare_names(detections, self.threshold)
        # New entries come first: "D001 is superseded by D002. D002: ..." mentions D002 before introducing it.
        for detection in sorted(detections, key=lambda detection: detection.is_update):
            try:
                self._follow_one(write, detection)
            except CallerError:
                # A detection that cannot be an entry (nothing left after redaction, a time out of order) never blocks a
                # message.
                continue
        return write

    def _follow_one(self, write: DetectedWrite, detection: Detection) -> None:
        if detection.denies:
            self._deny(write, detection)
            return
        if is_turn(detection):
            self._turn(write, detection)
            return
        head = self.lookup.entry(detection.entry) if detection.entry else None
        if head is None and detection.local_id is not None:
            find = self.lookup.meant if detection.is_update else self.lookup.named
            head = find(write.message, detection.kind, detection.local_id)
        if detection.rule == UNDONE:
            if detection.voice is not Voice.REPORTED:
                write.unknown[detection] = ()
            return
        if head is None and (is_of_unknown(write.message, detection) or self._says_nothing(detection)):
            return
        flag = flag_draft(write.message, detection, is_change=head is not None or detection.is_update)
        is_reviewed = self.threshold < 0
        if not is_reviewed and (self.lookup.known(flag) or self._waits_as_before(write.message, detection)):
            return
        is_reported = detection.voice is Voice.REPORTED and not is_reviewed
        if is_reported or detection.confidence < self.threshold:
            self._flag(write, detection, flag, detection.why if is_reported else "not sure enough")
            return
        if head is None and has_to_be_known(write.message, detection) and not is_reviewed:
            self._tell_unknown(write, detection, flag)
            return
        if head is None and detection.is_update and not detection.local_id:
            if detection.kind is Kind.DECISION:
                named = detection.superseded_by is not None
                head = self.lookup.decision_with(write.message, detection.text) if named else None
                if head is not None:
                    self._update(write, detection, head, flag)
                return
            if (head := self.lookup.open_thread_like(write.message, detection.text)) is None and (
                detection.rule == "check list"
            ):
                return
        draft = entry_draft(write.message, detection)
        there = head or self.lookup.by_origin(draft)
        if head is None and there is not None and is_another(there.memory, detection):
            draft = entry_draft(write.message, detection, is_named=True)
            there = self.lookup.by_origin(draft)
        if there is None and (again := echoed(self.lookup, write.message, detection)) is not None:
            write.entries[detection] = again.memory
            self._mention(write, again)
        elif there is not None:
            self._update(write, detection, there, flag)
        elif not self.lookup.known(draft) or is_reviewed:
            self._create(write, detection, draft)

    def _turn(self, write: DetectedWrite, turn: Detection) -> None:
        """End the decision that somebody turned from, and put in its place what they took."""
        head = self.lookup.entry(turn.entry)
        flag = flag_draft(write.message, turn, is_change=True)
        if head is None or head.memory.is_superseded or (self.threshold >= 0 and self.lookup.known(flag)):
            return
        if turn.confidence < self.threshold:
            self._flag(write, turn, flag, turn.why)
            return
        if (new := taken_in(turn)) is not None:
            draft = entry_draft(write.message, new)
            there = self.lookup.by_origin(draft)
            if there is head:
                # It was so before: nobody turned from anything.
                self._mention(write, head)
                return
            if there is None:
                self._create(write, new, draft)
            elif decision_view.status_of(there.memory) is not DecisionStatus.ACTIVE:
                self._replace(write, self.changes.reinstated_decision(there.memory, write.message), there)
        self._update(write, turn, head, flag)

    def _tell_unknown(self, write: DetectedWrite, detection: Detection, flag: Draft) -> None:
        """What a conversation says of a name that it has not given waits if one other has, and is told otherwise."""
        assert detection.local_id is not None
        others = self.lookup.elsewhere(write.message, detection.kind, detection.local_id)
        if len(others) == 1:
            self._flag(write, replace(detection, entry=others[0].logical_id), flag, _ELSEWHERE)
            return
        write.unknown[detection] = [registration_of(each).origin for each in others]

    def _says_nothing(self, detection: Detection) -> bool:
        """Whether an entry would not say what was decided or is open, unless a person accepted it so."""
        if self.threshold < 0 or detection.local_id is not None or detection.rationale or detection.content:
            return False
        words = detection.text or detection.sentence
        return says_nothing(words, is_decision=detection.kind is Kind.DECISION)

    def _waits_as_before(self, message: Memory, detection: Detection) -> bool:
        """Whether it waits under the key of earlier versions, which did not tell conversations apart."""
        flag = self.lookup.by_origin(flag_draft(message, detection, is_change=False))
        return flag is not None and registration_of(flag.memory).origin == message.session_id

    def _deny(self, write: DetectedWrite, detection: Detection) -> None:
        """End what was read from the message that this one contradicts: all of it, or what shares words with it."""
        made = [head for head in self.lookup.read_from(detection.denies) if not head.memory.is_superseded]
        alike = [head for head in made if shares_words(head.memory.content, detection.text)]
        if not alike and says_something(detection.text):
            return
        for head in alike or made:
            write.needs |= head.needs
            if head.memory.kind is Kind.DECISION:
                self._end(write, detection, head)
                continue
            ended = replace(detection, kind=Kind.THREAD, status=str(ThreadStatus.ABANDONED), text="")
            change = self.changes.changed_thread(head.memory, write.message, ended, (), in_words=False)
            if change is not None:
                self._replace(write, change, head)

    def _create(self, write: DetectedWrite, detection: Detection, draft: Draft) -> None:
        blockers = self._blockers(write.message, detection, None)
        seen = self.lookup.origin(draft)
        change = self.changes.new(write.message, detection, draft, [memory.logical_id for memory in blockers])
        write.changes.append(change)
        write.derive(change)
        write.origins.setdefault(write.message.project, {}).update(
            {entry.origin_key: seen for entry in change.entries if entry.origin_key is not None}
        )
        head = self.lookup.note_new(write.message, detection, change.memory, draft, write.needs)
        write.entries[detection] = change.memory
        for blocker in blockers:
            write.links.append(waiting_link(change, blocker))
        if detection.kind is Kind.DECISION and detection.status != DecisionStatus.ACTIVE:
            self._end(write, detection, head)

    def _update(self, write: DetectedWrite, detection: Detection, head: Head, flag: Draft) -> None:
        """Change an existing entry: by an older message only if a person has accepted what it says now, and its words
        only if a detection made it.
        """
        write.needs |= head.needs
        old, message = head.memory, write.message
        is_older = message.valid_at < old.valid_at or message.created_at < old.created_at
        is_older = is_older and self.threshold >= 0
        refused = None if is_older else refused_place(self.lookup, message, detection, head)
        if refused is not None:
            write.unknown[refused[0]] = refused[1]
            return
        write.entries[detection] = old
        if not is_older and self._has_to_wait(detection, head):
            self._flag(write, detection, flag, f"its entry {'is trusted' if head.is_detected else _BY_HAND}")
            return
        if is_older or not self._changes_it(write, detection, head, flag):
            self._mention(write, head)

    def _has_to_wait(self, detection: Detection, head: Head) -> bool:
        """Whether a statement would change what a person made or trusts, and is not in a person's own words."""
        if detection.voice is Voice.OWN or self.threshold < 0:
            return False
        if head.memory.is_superseded:
            return detection.rule == REINSTATED
        is_kept = not head.is_detected or head.memory.epistemic_tier >= TRUSTED_TIER
        begins = DecisionStatus.ACTIVE if detection.kind is Kind.DECISION else ThreadStatus.OPEN
        is_change = detection.status not in (begins, registration_of(head.memory).status)
        return is_kept and (is_change or bool(detection.blocked_by) or detection.is_update)

    def _changes_it(self, write: DetectedWrite, detection: Detection, head: Head, flag: Draft) -> bool:
        old = head.memory
        if detection.rule == REINSTATED and (
            old.is_superseded or decision_view.status_of(old) is not DecisionStatus.ACTIVE
        ):
            self._replace(write, self.changes.reinstated_decision(old, write.message), head)
            return True
        if old.is_superseded:
            return False
        if detection.kind is Kind.DECISION:
            if detection.status != DecisionStatus.ACTIVE:
                return self._end(write, detection, head)
            if not detection.text or says_already(decision_view.decision_text(old), detection.text):
                return False
            began_here = registration_of(old).origin == write.message.session_id
            # An inherited name may be used again for something without any word in common.
            is_same = began_here or shares_words(decision_view.decision_text(old), detection.text)
            if not head.is_detected or not is_same:
                why = _BY_HAND if is_same else "is about something else"
                self._flag(write, detection, flag, f"its entry {why}")
                return False
            self._replace(write, self.changes.revised_decision(old, write.message, detection), head)
            return True
        blockers = self._blockers(write.message, detection, old)
        change = self.changes.changed_thread(
            old,
            write.message,
            detection,
            [memory.logical_id for memory in blockers],
            in_words=head.is_detected,
        )
        if change is None:
            return False
        known = {*thread_view.blocking_of(old), old.logical_id}
        write.links += [waiting_link(change, each) for each in blockers if each.logical_id not in known]
        self._replace(write, change, head)
        return True

    def _end(self, write: DetectedWrite, detection: Detection, head: Head) -> bool:
        """A decision ends, with a link to its successor if the text names one."""
        successor = taking_over(self.lookup, write.message, detection)
        taking = None if successor is None else successor.memory
        change = self.changes.ended_decision(head.memory, write.message, detection, taking)
        if successor is not None:
            write.needs |= successor.needs
            write.links.append(succession(successor.memory, head.memory, change.at, change.memory.invalid_at))
        write.changes.append(change)
        write.end(change)
        head.memory = change.memory
        head.needs |= write.needs
        return True

    def _replace(self, write: DetectedWrite, change: VersionChange, head: Head) -> None:
        """A new version of an entry; one that takes words of the message is forgotten with it."""
        write.changes.append(change)
        was, settled = map(thread_view.resolution_of, (head.memory, change.memory))
        if head.is_detected or settled not in (None, was):
            write.derive(change)
        if registration_of(change.memory).status not in STANDING:
            write.end(change)
        head.memory = change.memory
        head.needs |= write.needs

    def _mention(self, write: DetectedWrite, head: Head) -> None:
        before = registration_of(head.memory)
        mentions = mentioned_in(before, write.message.session_id)
        has_ended = head.memory.expired_at is not None or head.memory.is_superseded
        if has_ended or mentions == before.conversations:
            return
        after = replace(before, conversations=mentions)
        write.mentions.append((head.memory, after))
        head.memory = replace(head.memory, registration=after)
        head.needs |= write.needs

    def _flag(self, write: DetectedWrite, detection: Detection, draft: Draft, why: str) -> None:
        """A detection that waits; once where it was said, or in the project if it changes no entry."""
        if self.lookup.known(draft) or self.lookup.waits_already(write.message, detection):
            return
        waiting = replace(detection, speaker=speaker_of(write.message), why=why)
        details = {**evidence_details(write.message, detection), "proposal": proposal_of(waiting)}
        registration = Registration(
            entry_id="",
            status=str(ReviewStatus.PENDING),
            local_id=detection.local_id,
            conversations=() if write.message.session_id is None else (write.message.session_id,),
            details=details,
        )
        flag = replace(draft, registration=registration, confidence=detection.confidence)
        change = self.changes.new_flag(flag)
        write.changes.append(change)
        write.derive(change)
        self.lookup.note_flag(draft)

    def _blockers(self, message: Memory, detection: Detection, waiting: Memory | None) -> list[Memory]:
        """The threads that a thread waits for according to a text: those that are known and do not wait for it
        in turn."""
        if detection.kind is not Kind.THREAD:
            return []
        found = [
            self.lookup.meant(message, Kind.THREAD, each)
            or self.lookup.by_origin(entry_draft(message, replace(detection, text=each, local_id=None)))
            for each in detection.blocked_by
        ]
        return [
            head.memory
            for head in found
            if head is not None
            and (waiting is None or not self.lookup.waits(head.memory, waiting.logical_id))
        ]


def _without_bare_names(detections: Sequence[Detection], threshold: float) -> list[Detection]:
    """Decisions that are no more than a name wait: nobody knows later of what they are. What takes the place of another
    one is of its matter."""
    of_another = {each.superseded_by for each in detections if each.confidence >= threshold}

    def waiting(each: Detection) -> Detection:
        is_own = each.is_new_decision and each.voice is Voice.OWN
        is_bare = is_own and not (each.rationale or each.text in of_another) and names_alone(each.text)
        return replace(each, voice=Voice.REPORTED, why=_BARE) if is_bare else each

    return list(map(waiting, detections))
