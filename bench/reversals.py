"""Dialogues in which a person turns from a decision in plain words, or only seems to: a part of `detection`.

Each is a project of its own whose turns are one person's messages; "---" begins another conversation. Right is where
exactly the decision that holds the words `ends` is superseded, by one that holds the words `by`; where `ends` is null,
none may end.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bench.harness import temporary_forge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.harness import Options
    from bench.records import Record
    from engramforge.forge import Forge

_NEXT: Final = "---"
_MOST: Final = 100


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Turns, and words of the decision that they end and of the one in its place; None where none ends."""

    turns: tuple[str, ...]
    ends: str | None
    by: str | None

    @property
    def half(self) -> str:
        """Whether it is of the half to develop with, or of the one to test with."""
        return "test" if hashlib.sha256(self.turns[-1].encode()).digest()[0] % 2 else "dev"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a dialogue: decisions that ended, each with its successor; how many reversals wait for review."""

    ended: tuple[tuple[str, str], ...]
    waiting: int


def dialogue_of(record: Record) -> Dialogue:
    """A line of the file."""
    ends, by = (record.fields.get(name) for name in ("ends", "by"))
    return Dialogue(tuple(map(str, record.fields["turns"])), ends, by)


def measure(dialogues: Sequence[Dialogue], options: Options) -> dict[str, Any]:
    """Precision and recall of ended decisions, of all and of each half, and what is not right."""
    with temporary_forge(options.engine) as forge:
        outcomes = [_lived(forge, f"dialogue {at}", each) for at, each in enumerate(dialogues)]
    pairs = list(zip(dialogues, outcomes, strict=True))
    found = _scores(pairs)
    for half in ("dev", "test"):
        if its := [(each, outcome) for each, outcome in pairs if each.half == half]:
            found[half] = _scores(its)
    return found


def _lived(forge: Forge, project: str, dialogue: Dialogue) -> Outcome:
    for number, (conversation, turn) in enumerate(_turns(dialogue)):
        forge.remember(
            turn,
            kind="prompt",
            project=project,
            session_id=f"{project} {conversation}",
            sequence=number,
            speaker="user",
        )
    decisions = forge.decisions.browse(status=None, project=project, limit=_MOST)
    text = {each.id: each.decision for each in decisions}
    ended = [each for each in decisions if each.status != "active"]
    waiting = forge.review.pending(project=project, limit=_MOST)
    return Outcome(
        tuple((each.decision, text.get(each.superseded_by or "", "")) for each in ended),
        sum(each.entry_status == "superseded" for each in waiting),
    )


def _turns(dialogue: Dialogue) -> Iterator[tuple[int, str]]:
    conversation = 0
    for turn in dialogue.turns:
        conversation += turn == _NEXT
        if turn != _NEXT:
            yield conversation, turn


def _scores(pairs: Sequence[tuple[Dialogue, Outcome]]) -> dict[str, Any]:
    right = [is_right(each, outcome) for each, outcome in pairs]
    reversals = sum(each.ends is not None for each, _ in pairs)
    ended = sum(bool(outcome.ended) for _, outcome in pairs)
    found = sum(each.ends is not None and it for (each, _), it in zip(pairs, right, strict=True))
    return {
        "dialogues": len(pairs),
        "reversals": reversals,
        "ended": ended,
        "precision": found / ended if ended else None,
        "recall": found / reversals if reversals else None,
        "waiting": sum(outcome.waiting > 0 and not outcome.ended for _, outcome in pairs),
        "not_right": [each.turns[-1] for (each, _), it in zip(pairs, right, strict=True) if not it],
    }


def is_right(dialogue: Dialogue, outcome: Outcome) -> bool:
    """Whether what ended is what the dialogue ends."""
    if dialogue.ends is None or dialogue.by is None:
        return not outcome.ended
    return [dialogue.ends in old and dialogue.by in new for old, new in outcome.ended] == [True]
