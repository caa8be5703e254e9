"""injection: what is put before a model unasked while transcripts are replayed in order, and whether it was taken up.

Every session starts, every prompt is asked and every tool used as it was, each with the memories of all that came
before. Per event: how often something is injected, its tokens and milliseconds, and of the memories that went in the
share that the turns which follow take up: `shares`, an identifier or a rare word in common; `taken_up`, the product's
own rule, by which what the prompt had already tells nothing. Beside each the same of memories of the project drawn by
lot and cut to the same length (`lot`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.measures import mean, percentile
from bench.transcripts import PROMPT, RESPONSE, TOOL, Session, Turn, read_sessions
from engramforge.core.injection.taking_up import is_taken_up, names_of
from engramforge.core.text.words import is_stop_word, words_of
from engramforge.model.injection import ACTS, ASKS, STARTS

if TYPE_CHECKING:
    from pathlib import Path

    from engramforge.forge import Forge
    from engramforge.model.injection import Injection

_KINDS: Final = {PROMPT: "prompt", RESPONSE: "response", TOOL: "tool_use"}
_LOTS: Final = 10
"""Memories drawn for each that was injected."""
_SHORTEST: Final = 4
_RARE_SHARE: Final = 0.01
_RARE_FEW: Final = 3


@dataclass(slots=True)
class Seen:
    """What was measured of the events of one name."""

    events: int = 0
    tokens: list[int] = field(default_factory=list)
    latencies_ms: list[float] = field(default_factory=list)
    memories: int = 0
    taken: list[bool] = field(default_factory=list)
    shared: list[bool] = field(default_factory=list)
    lot_taken: list[bool] = field(default_factory=list)
    lot_shared: list[bool] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The rates; `times_the_lot` is how many times as often as a memory by lot it is taken up."""
        lot, lot_shared = mean(self.lot_taken), mean(self.lot_shared)
        return {
            "events": self.events,
            "injected": len(self.tokens) / max(self.events, 1),
            "memories": self.memories,
            "tokens_mean": mean(self.tokens),
            "tokens_max": max(self.tokens, default=0),
            **{f"p{share}_ms": _quantile(self.latencies_ms, share) for share in (50, 95)},
            "taken_up": mean(self.taken),
            "taken_up_lot": lot,
            "taken_up_times_the_lot": mean(self.taken) / lot if lot else None,
            "shares": mean(self.shared),
            "shares_lot": lot_shared,
            "shares_times_the_lot": mean(self.shared) / lot_shared if lot_shared else None,
        }


def _quantile(values: Sequence[float], share: int) -> float | None:
    return percentile(values, share / 100) if values else None


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N sessions."""
    sessions = list(islice((each for path in sorted(paths) for each in read_sessions(path)), options.limit))
    seen = {name: Seen() for name in (STARTS, ASKS, ACTS)}
    with temporary_forge(options.engine) as forge:
        replay = Replay(forge, seen, random.Random(options.seed))
        for session in sessions:
            options.say(f"Replaying {session.name}")
            replay.session(session)
    metrics = {name: each.as_dict() for name, each in seen.items() if each.events}
    return Measured(len(sessions), metrics, {}, {"seed": options.seed})


@dataclass(slots=True)
class Replay:
    """Replays sessions; what was said is remembered at the end of its session."""

    forge: Forge
    seen: dict[str, Seen]
    lots: random.Random
    told: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def session(self, session: Session) -> None:
        """One session from its start on."""
        common = {"session_id": session.name, "project": session.project}
        if not session.turns:
            return
        start = {**common, "hook_event_name": STARTS, "source": "startup"}
        self._event(start, session, session.turns[0], _until_prompt(session.turns, 1), "")
        prompt = ""
        for place, turn in enumerate(session.turns):
            prompt = turn.text if turn.kind == PROMPT else prompt
            event: dict[str, Any] | None = None
            if turn.kind == PROMPT:
                event = {**common, "hook_event_name": ASKS, "prompt": turn.text}
            elif turn.kind == TOOL:
                event = {**common, "hook_event_name": ACTS, "tool_name": turn.tool, "tool_input": turn.given}
            if event is not None:
                known = f"{prompt}\n{turn.text}"
                self._event(event, session, turn, _until_prompt(session.turns, place + 1), known)
        self._remember(session)

    def _event(self, event: dict[str, Any], session: Session, turn: Turn, after: str, known: str) -> None:
        seen = self.seen[event["hook_event_name"]]
        seen.events += 1
        found = self.forge.injections.for_event(event, now=turn.at)
        if found is not None:
            self._judge(seen, found, session, after, known)

    def _judge(self, seen: Seen, found: Injection, session: Session, after: str, known: str) -> None:
        seen.tokens.append(found.tokens)
        seen.latencies_ms.append(found.latency_ms)
        seen.memories += len(found.memories)
        others = [text for name, text in self.told.get(session.project, ()) if name != session.name]
        for each in found.memories:
            said = each.text.partition("] ")[2]
            seen.taken.append(is_taken_up(said, after, self._is_rare, known))
            seen.shared.append(self._shares(said, after))
            for lot in self.lots.choices(others, k=_LOTS) if others else ():
                seen.lot_taken.append(is_taken_up(lot[: len(said)], after, self._is_rare, known))
                seen.lot_shared.append(self._shares(lot[: len(said)], after))

    def _shares(self, said: str, after: str) -> bool:
        """Whether they have an identifier or a rare word in common."""
        return not self._telling(said).isdisjoint(self._telling(after))

    def _telling(self, text: str) -> frozenset[str]:
        rare = {word for word in words_of(text) if len(word) >= _SHORTEST and self._is_rare(word)}
        return names_of(text) | {word for word in rare if not is_stop_word(word)}

    def _is_rare(self, word: str) -> bool:
        total = sum(len(each) for each in self.told.values())
        return self.counts[word] <= max(_RARE_FEW, _RARE_SHARE * total)

    def _remember(self, session: Session) -> None:
        """All of a session at its end: nothing of it is injected into itself."""
        drafts = (
            {
                "content": turn.text,
                "kind": _KINDS[turn.kind],
                "project": session.project,
                "session_id": session.name,
                "sequence": place,
                "speaker": turn.speaker,
                "valid_at": turn.at,
            }
            for place, turn in enumerate(session.turns)
        )
        self.forge.remember_many(drafts)
        self.told.setdefault(session.project, []).extend((session.name, turn.text) for turn in session.turns)
        for turn in session.turns:
            self.counts.update(set(words_of(turn.text)))


def _until_prompt(turns: Sequence[Turn], begin: int) -> str:
    """What is said and done from a turn up to the next prompt; of a talk of two, the next turn."""
    if begin < len(turns) and turns[begin].kind == PROMPT:
        return turns[begin].text
    return "\n".join(turn.text for turn in takewhile(lambda turn: turn.kind != PROMPT, turns[begin:]))
