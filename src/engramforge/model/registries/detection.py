"""A detection: a decision or thread mentioned in a text, before it is in a registry."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engramforge.model.memory import Kind
from engramforge.model.registration import NamedEntry
from engramforge.model.registries.entry import Priority, ReviewStatus


class Voice(StrEnum):
    """Whose words a statement is in, which says what it may do.

    OWN: a person's own words in a turn; they may do everything. STATED: an assistant's own words, or a decision record;
    they make and change entries, but end none that a person made or trusts. REPORTED: words of a text that is only
    held, quoted or reported; they wait for review.
    """

    OWN = "own"
    STATED = "stated"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of a conversation: its words, its logical id, "" for an earlier part of the turn that is read, and whether
    a person says it."""

    text: str
    message_id: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class Talk:
    """What was said around a turn that does not name what it is of: before it, the newest first, and what was answered
    to it; None where nothing was yet."""

    before: tuple[Said, ...]
    answer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """What a sentence says about a decision or a thread.

    Parameters
    ----------
    kind : Kind.DECISION or Kind.THREAD.
    sentence : as it stands in the text.
    rule : name of the rule, or of the model, that found it.
    confidence : how sure it is that the sentence says so, 0..1.
    text : the decision, or the thread's title; "" if the sentence only gives the status of a named entry.
    status : the entry's status after it.
    local_id : what the text calls it (D001, T001).
    is_update : whether it speaks of an entry that should be there already.
    rationale, alternatives_rejected : of a decision, where the text says them.
    content : of a thread, more than its title.
    priority : of a thread.
    resolution : how a thread was closed.
    blocked_by : local ids of the threads that a thread waits for; the title of one that has none.
    superseded_by : local id of the decision that took a decision's place.
    voice : whose words the sentence is in.
    denies : id of the message that it contradicts: it ends what was read from that. `text` is then what was not
        decided, "" for all of it.
    entry : logical id of the entry that it is about, where that is known without a name.
    speaker, why : of what waits: who said the message, and why it waits, in a few words.
    talk : what was said around it, where that alone tells which entry it is about; never kept.
    """

    kind: Kind
    sentence: str
    rule: str
    confidence: float
    text: str = ""
    status: str
    local_id: str | None = None
    is_update: bool = False
    rationale: str = ""
    alternatives_rejected: tuple[str, ...] = ()
    content: str = ""
    priority: Priority = Priority.MEDIUM
    resolution: str = ""
    blocked_by: tuple[str, ...] = ()
    superseded_by: str | None = None
    voice: Voice = Voice.OWN
    denies: str = ""
    entry: str = ""
    speaker: str = ""
    why: str = ""
    talk: Talk | None = None

    @property
    def is_new_decision(self) -> bool:
        """Whether it is a decision that makes an entry, and that the text has no name for."""
        return self.kind is Kind.DECISION and not (self.is_update or self.local_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingDetection:
    """A detection that waits for review, or was reviewed.

    Parameters
    ----------
    id : global id, flg_ and 12 hexadecimal digits; memory_id : logical id of its memory.
    kind : Kind.DECISION or Kind.THREAD: what it becomes when it is accepted.
    text : the decision, or the thread's title.
    sentence, message_id, rule : where it was read, and by what.
    speaker, why : who said the message, and why it waits, in a few words; "" where an earlier version read it.
    entry_status : the status that the entry would have.
    proposal : all that the detection says.
    conversation_id, local_id : where it was said, and what the sentence calls the entry.
    entry : the entry that it would change, as it stands now; None where it would make one, or none is known.
    """

    id: str
    memory_id: str
    kind: Kind
    text: str
    sentence: str
    message_id: str
    rule: str
    confidence: float
    speaker: str
    why: str
    project: str
    conversation_id: str | None = None
    local_id: str | None = None
    status: ReviewStatus = ReviewStatus.PENDING
    entry_status: str = ""
    created_at: datetime
    proposal: Detection
    entry: NamedEntry | None = None
