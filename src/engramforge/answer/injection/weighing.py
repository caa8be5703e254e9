"""How much an entry of a registry counts by how it came about: what was entered, said, heard, and what came back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engramforge.answer.injection.offers import sources_of
from engramforge.core.detection.adr_text import RECORD
from engramforge.core.detection.answers.chosen import ANSWERED
from engramforge.core.detection.cues.decision_cues import ORDERS
from engramforge.core.detection.cues.label_cues import LABEL
from engramforge.core.detection.likelihood import WORDED
from engramforge.core.detection.traps import is_asserted, is_hedged
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.outright import contrasts, lasts, says_outright
from engramforge.core.registries.registration import evidence_of
from engramforge.core.text.words import content_words, words_of
from engramforge.model.link import Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.detection import Voice
from engramforge.registries.decisions.decision_view import REVISED_IN
from engramforge.registries.registered import registration_of
from engramforge.store.door import View

SAID_OUTRIGHT: Final = 0.7
"""How much what a person said in a conversation counts beside what was entered."""
_CAME_BACK: Final = 0.5
"""The same of what others said, where later conversations came back to it."""
_LIKELY: Final = 0.3
"""The same of what a person said in words that leave more doubt: it takes the room that surer entries leave."""
_SHORT: Final = 200
"""Characters of a message that says little else: in a longer one a wording may be of a report or of what was pasted."""
_SURE: Final = 0.8
"""How sure it must be that it was said."""
_BEYOND_DOUBT: Final = 0.95
"""The same where a person is heard by the wording alone: then it stands behind what rules read."""
_FEWEST_WORDS: Final = 3
_FEWEST_CHOSEN: Final = 2
"""Content words of an entry that says something; of one that a rule for choices or labels reads."""


def weights_of(view: View, entries: Sequence[Memory], own: str | None = None) -> Mapping[str, float]:
    """How much each entry counts, 0..1, by logical id; 0 for what is not worth a line. `own`: a session whose entries
    count whatever they are."""
    said_in = view.fetch(filter(None, map(_message_of, entries)))
    reversals = _reversals(view, [each for each in entries if each.kind is Kind.DECISION])
    return {each.logical_id: _weight(each, said_in, own, each.logical_id in reversals) for each in entries}


def is_of(memory: Memory, session: str | None) -> bool:
    """Whether an entry was made in a session, or came up in it."""
    return session is not None and (
        memory.session_id == session or session in registration_of(memory).conversations
    )


def _message_of(entry: Memory) -> str | None:
    """The message that an entry was read from."""
    return next(iter(sources_of(entry)), None)


def _reversals(view: View, decided: Sequence[Memory]) -> set[str]:
    """Which of the decisions that were read from talk took the place of another, by logical id."""
    read = [each.logical_id for each in decided if _message_of(each)]
    links = view.links(read, to_others=True) if read else []
    return {each.source_id for each in links if each.relation == Relation.SUPERSEDES}.intersection(read)


def _is_confirmed(registration: Registration) -> bool:
    """Whether somebody validated it or accepted it in review; archives that carry it count hops as well."""
    return registration.validation_count > registration.hops


def _is_by_hand(entry: Memory) -> bool:
    """Whether a person wrote it anew, and no message did: what an undo and a redo brought back says what it said."""
    registration = registration_of(entry)
    if entry.version == 1 or REVISED_IN in registration.details:
        return False
    evidence = evidence_of(registration)
    return evidence is None or not set(words_of(entry.content)) <= set(words_of(evidence.sentence))


def _weight(entry: Memory, said_in: Mapping[str, Memory], own: str | None, is_reversal: bool) -> float:
    """How much an entry counts by how it came about, 0..1; 0 for what is not worth a line."""
    registration = registration_of(entry)
    evidence = evidence_of(registration)
    if evidence is None or _is_confirmed(registration) or _is_by_hand(entry):
        return 1.0
    message = said_in.get(evidence.message_id)
    is_short = message is not None and len(message.content) <= _SHORT
    is_persons = message is not None and (evidence.rule == ANSWERED or voice_of(message) is Voice.OWN)
    is_outright = message is not None and is_persons and says_outright(evidence.sentence, message.content)
    is_heard = evidence.rule.startswith(WORDED) or evidence.rule in ORDERS
    is_lasting = evidence.rule in ORDERS and is_asserted(evidence.sentence) and lasts(evidence.sentence)
    is_standing = is_outright or is_lasting or (not is_heard and entry.confidence >= _SURE)
    is_choice = entry.kind is Kind.DECISION
    is_cut = entry.content.rstrip().endswith(":") or (is_choice and is_hedged(evidence.sentence))
    is_own_choice = is_persons and is_choice and not is_heard
    fewest = _FEWEST_CHOSEN if is_own_choice or evidence.rule == LABEL else _FEWEST_WORDS
    says = not is_cut and len(set(content_words(words_of(entry.content)))) >= fewest
    if is_reversal or (says and is_standing and (is_persons or evidence.rule == RECORD)):
        return SAID_OUTRIGHT
    is_clear = is_persons and evidence.rule.startswith(WORDED) and entry.confidence >= _BEYOND_DOUBT
    came_back = is_clear or len(registration.conversations) > 1 or entry.access_count > 0
    if says and (came_back or is_of(entry, own)):
        return _CAME_BACK
    is_order = evidence.rule in ORDERS and not contrasts(evidence.sentence)
    if not (says and is_choice and is_persons and is_short) or is_order:
        return 0.0
    return _LIKELY if is_asserted(evidence.sentence) else 0.0
