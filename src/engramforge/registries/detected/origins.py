"""The drafts of what a detection may become, with the origins by which it is recognised when it is said again.

None is a turn of its conversation, or it would appear beside its own message whenever that is found; the registration
names the conversation, and the message its speaker.
"""

from __future__ import annotations

from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.registries.detection import Detection, Voice


def entry_draft(message: Memory, detection: Detection, *, is_named: bool = False) -> Draft:
    """The draft of an entry, known by its words in a project; with `is_named` also by its name in the conversation."""
    origin = f"detected {detection.kind}"
    if is_named:
        origin = _in_conversation(origin, message, detection)
    return _draft(message, detection.kind, detection.text or detection.sentence, origin)


def flag_draft(message: Memory, detection: Detection, *, is_change: bool) -> Draft:
    """The draft of a detection that waits, known by its sentence: in a project; where it is a change, in the
    conversation whose entry it changes, since "D001" names another one elsewhere.
    """
    origin = f"detection {detection.kind}"
    if detection.voice is not Voice.OWN:
        # What a page says never keeps a person's own words from being read, not even where it was rejected.
        origin = f"{detection.voice} {origin}"
    if is_change:
        origin = _in_conversation(origin, message, detection)
    return _draft(message, Kind.FLAG, detection.sentence, origin)


def all_drafts(message: Memory, detection: Detection) -> list[Draft]:
    """Every draft that a detection may become, whatever it turns out to change."""
    is_named = detection.local_id is not None
    drafts = [entry_draft(message, detection), flag_draft(message, detection, is_change=False)]
    if is_named:
        drafts.append(entry_draft(message, detection, is_named=True))
    if is_named or detection.is_update:
        drafts.append(flag_draft(message, detection, is_change=True))
    return drafts


def _in_conversation(origin: str, message: Memory, detection: Detection) -> str:
    return f"{origin}\n{message.session_id}\n{detection.entry or detection.local_id}"


def _draft(message: Memory, kind: Kind, words: str, origin: str) -> Draft:
    return Draft(
        content=words,
        kind=kind,
        source=message.source,
        project=message.project,
        level=message.level,
        agent=message.agent,
        valid_at=message.valid_at,
        recorded_at=message.created_at,
        origin=f"{origin}\n{_normalised(words)}",
    )


def _normalised(words: str) -> str:
    """The text by which two entries count as the same: ignoring case, runs of blanks and marks at the ends."""
    return " ".join(words.casefold().split()).strip(" .,;:!\"'")
