"""One pattern that tells at once whether a text can hold any cue; most texts hold none and cost nothing more."""

from __future__ import annotations

import re
from typing import Final

_STEMS: Final = (
    "decid", "decis", "agreed", "chose", "choos", "choice", "settled", "picked", "select", "opted", "adopt", "resol",
    "voted", "verdict", "consensus", "outcome", "conclu", "approv", "reject", "ruled out", "instead of", "rather than",
    "favor of", "favour of", "going with", "go with", "went with", "stick", "stuck", "switch", "let's", "lets ", "let us",
    "let\u2019s", "rationale", "will ", "'ll ", "\u2019ll ", "from now on", "going forward", "supersed", "scrap", "drop",
    "made up our", "changed my mind", "revers", "standardi", "todo", "to do", "to-do", "fixme", "xxx", "next", "open",
    "still", "block", "pending", "waiting", "unresolved", "unclear", "undecided", "unsolved", "outstanding", "remain",
    "follow", "to be ", "yet", "need", "someone", "somebody", "later", "park", "revisit", "come back", "known issue",
    "action", "tbd", "[ ]", "[x]", "has to", "have to", "can't", "cannot", "fixed", "closed", "done", "solved", "left",
    "deferred", "postpone", "carried over", "missing", "implemented", "must ", "prefer", "replace", "migrat", "keep",
    "retire", "deprecat", "because", "status", "entsch", "beschl", "offen", "schritt", "noch ", "blockiert", "begr",
    "einig", "final", "move", "abandon", "ditch", "is going to", "withdraw", "ai:", "\u2019m going", "'m going",
    "depends on", "approach", "plan ", "not sure", "unless", "until", "wechsel",
)  # fmt: skip
_NAMES: Final = re.compile(r"\b[DT]-?\d|\bADR|\bDEC-|\bTHR-")
_LOWERED: Final = tuple(stem.lower() for stem in _STEMS)


def may_say(text: str) -> bool:
    """Whether a text may speak of a decision or a thread at all; False is sure."""
    low = text.lower()
    return any(stem in low for stem in _LOWERED) or _NAMES.search(text) is not None
