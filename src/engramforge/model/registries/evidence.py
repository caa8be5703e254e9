"""Where a detected entry was read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sentence and message that a detection came from.

    `sentence`: as it stands in the message. `message_id`: logical id of the message's memory. `rule`: name of the rule,
    or of the model, that found it.
    """

    sentence: str
    message_id: str
    rule: str = ""
