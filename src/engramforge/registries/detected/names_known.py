"""Whether a name in a text means an entry that is known, one that is told for the first time, or none."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.named_cues import REINSTATED
from engramforge.model.memory import Memory, Source
from engramforge.model.registries.detection import Detection, Voice
from engramforge.model.registries.entry import STANDING
from engramforge.registries.registered import ENTRY_ID, registration_of

_BARE: Final = 3
"""Words of a sentence that only tells how something stands."""


def has_to_be_known(message: Memory, detection: Detection) -> bool:
    """Whether it only says how what has a name stands, not what it was; or names it by a global id.

    An import may begin in the middle of a conversation, and nobody reads its answer: what it says of a name that was
    not given in it is an entry of its own.
    """
    if (name := detection.local_id) is None:
        return False
    is_told = message.source is not Source.IMPORT or detection.rule == REINSTATED
    return ENTRY_ID.fullmatch(name) is not None or (is_told and _is_bare(detection))


def _is_bare(detection: Detection) -> bool:
    return detection.is_update and not detection.text


def is_of_unknown(message: Memory, detection: Detection) -> bool:
    """Whether an import or a page tells a bare state of what has a name, "T042 is done", which says not what it was; or
    the name is in small letters only, as other things have them, too: "t480".
    """
    if not (detection.is_update and (name := detection.local_id or detection.entry)):
        return False
    is_short = len(detection.sentence.split()) <= _BARE
    if _is_bare(detection) and message.source is not Source.IMPORT:
        return detection.voice is Voice.REPORTED and is_short
    is_small = name not in detection.sentence and name.lower() in detection.sentence
    return is_small or (_is_bare(detection) and is_short)


def is_another(entry: Memory, detection: Detection) -> bool:
    """Whether a new name means another entry than the one with the same words: that ended, or is called otherwise."""
    if detection.local_id is None or detection.is_update:
        return False
    registration = registration_of(entry)
    is_open = registration.status in STANDING
    return not is_open or registration.local_id not in (None, detection.local_id)
