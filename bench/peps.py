"""peps: what a register of decisions said on a day, what came after a decision, and whether it still stands.

The register's history is replayed into one store: each decision's first state with its `created` header as valid time
and its commit as recorded time, each later state with `supersede`, or with `revise` where it was recorded before the
decision took effect. Then three things are asked:

- as_of: on the day of each as-of line, four questions about its decision: what was on record (the line's own answer);
  what is known today to have held; what was on record as holding that day (both axes); what was on record that day
  about the time of its creation. as_of_accuracy counts a line when all of them are answered right.
- succession: the old decision's title is asked among all decisions, and the old one itself is left out of the answer.
  Each pair of old and new is a case, so of two successors only one can come first. The same with `since` the old
  one's creation, and with title and abstract for a question, is told beside it.
- staleness: who searches the registry for a decision by its title, on a day, looks for it among the first ten and reads
  there whether it stands (`peps_registry`). Stale are Superseded, Rejected, Withdrawn and Deferred. What is not found
  is not known to be stale. stale_accuracy_reopened is the share of right answers about decisions that stood again.
  staleness_by_recall: the same of the plain memories, recalled as of the day, whose metadata have the state.
  unvalidated: what `decisions.stale` tells of the whole register, by days.

Baselines: BM25 over the decisions as they are today, and a register that keeps its last state only.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bench.baselines import BaselineRanker, Bm25
from bench.harness import Document, Measured, Options, temporary_forge
from bench.measures import hit_at, mean, percentile
from bench.peps_registry import Keeper
from bench.register import Asked, Decision, Key, Register, State, read_register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from engramforge.forge import Forge

_PROJECT: Final = "register"
_KIND: Final = "decision"
_DEPTH: Final = 10
_SUCCESSOR_DEPTH: Final = 6
"""Five, and the old decision itself."""


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N pairs and the first N as-of lines, the whole register stays in the store."""
    register = read_register(paths)
    pairs, lines = register.pairs[: options.limit], register.asked[: options.limit]
    with temporary_forge(options.engine) as forge:
        options.say(f"Replaying the history of {len(register.decisions)} decisions")
        asker = Asker(forge, register)
        changes = asker.replay()
        options.say(f"Asking {len(lines)} lines as of their day")
        metrics = asker.as_of(lines)
        options.say(f"Asking for {len(pairs)} successors")
        metrics |= succession(pairs, asker.successors)
        metrics["succession_since_creation"] = succession(
            pairs, lambda old: asker.successors(old, since=True)
        )
        metrics["succession_by_title_and_abstract"] = succession(
            pairs, lambda old: asker.successors(old, whole=True)
        )
        options.say("Asking which decisions stood")
        metrics["staleness_by_recall"] = staleness(
            register, ((line, _said(asker.seen(line))) for line in _known(register, lines))
        )
    with temporary_forge(options.engine) as forge:
        options.say("Living through the history with the registry")
        keeper = Keeper(forge, register)
        metrics |= staleness(register, keeper.live(_known(register, lines)))
        metrics["unvalidated"] = keeper.unvalidated()
    metrics["latency"] = {
        f"{name}_p{share}_ms": percentile(latencies, share / 100)
        for name, latencies in (("recall", asker.latencies_ms), ("search", keeper.latencies_ms))
        for share in (50, 95)
        if latencies
    }
    options.say("Asking the baselines")
    settings = {
        "decisions": len(register.decisions),
        "changes": changes,
        "registry_changes": keeper.changes,
        "pairs": len(pairs),
        "pairs_left_out": register.pairs_left_out,
        "as_of_lines": len(lines),
        "reopened": sum(decision.is_reopened for decision in register.decisions.values()),
    }
    return Measured(len(pairs) + len(lines), metrics, baselines(register, pairs, lines), settings)


@dataclass(slots=True)
class Asker:
    """The register in a store, and what is asked of it: through the facade alone."""

    forge: Forge
    register: Register
    keys: dict[str, Key] = field(default_factory=dict)
    latencies_ms: list[float] = field(default_factory=list)

    def replay(self) -> int:
        """Bring the history in, decision by decision; the number of changes after the first states."""
        decisions = list(self.register.decisions.values())
        memories = self.forge.remember_many(_first(decision) for decision in decisions)
        self.keys = {
            memory.logical_id: decision.key for memory, decision in zip(memories, decisions, strict=True)
        }
        changes = 0
        for memory, decision in zip(memories, decisions, strict=True):
            for event in decision.events[1:]:
                changed = self.forge.supersede if event.at > memory.valid_at else self.forge.revise
                changed(
                    memory.logical_id,
                    decision.content(event.title),
                    metadata=event.state.as_dict(),
                    recorded_at=event.at,
                )
                changes += 1
        return changes

    def as_of(self, lines: Sequence[Asked]) -> dict[str, Any]:
        """Shares of right answers: of all questions of a line, and of each of them."""
        right: dict[str, list[float]] = {}
        whole = []
        for line in lines:
            answers = {
                name: self._told(line.key, when) == expected
                for name, (when, expected) in questions(self.register.decisions.get(line.key), line).items()
            }
            for name, is_right in answers.items():
                right.setdefault(name, []).append(float(is_right))
            whole.append(float(all(answers.values())))
        return {
            "as_of_accuracy": mean(whole),
            "as_of": {name: mean(shares) for name, shares in right.items()},
        }

    def _told(self, key: Key, when: Mapping[str, Any]) -> State | None:
        found = self.forge.memories(project=_PROJECT, tags=[f"decision {key}"], limit=2, **when)
        if len(found) > 1:
            return State("more than one at once")
        return State.of(found[0].metadata) if found else None

    def successors(self, old: Key, *, since: bool = False, whole: bool = False) -> list[Key]:
        """What is found for an old decision, best first, without itself."""
        decision = self.register.decisions[old]
        begun = decision.created if since else None
        found = self._recall(decision, whole=whole, limit=_SUCCESSOR_DEPTH, since=begun)
        return [key for key, _ in found if key != old]

    def seen(self, line: Asked) -> State | None:
        """The state that a decision is shown with, asked by its title as of the line's day; None if not found."""
        decision = self.register.decisions[line.key]
        return dict(self._recall(decision, limit=_DEPTH, as_of_recorded=line.end)).get(line.key)

    def _recall(self, decision: Decision, *, whole: bool = False, **how: Any) -> list[tuple[Key, State]]:
        query = decision.content() if whole else decision.title or decision.content()
        started = time.perf_counter()
        answer = self.forge.recall(query, project=_PROJECT, kinds=[_KIND], budget=None, **how)
        self.latencies_ms.append((time.perf_counter() - started) * 1_000)
        return [(self.keys[hit.memory.logical_id], State.of(hit.memory.metadata)) for hit in answer.hits]


def questions(decision: Decision | None, line: Asked) -> dict[str, tuple[Mapping[str, Any], State | None]]:
    """What is asked of a line: name -> arguments of the facade, and the right answer.

    The first answer is the line's own; the others follow from the timeline and the `created` header.
    """
    asked: dict[str, tuple[Mapping[str, Any], State | None]] = {
        "recorded": ({"as_of_recorded": line.end}, line.state)
    }
    if decision is not None and decision.valid_since is not None:
        begun = decision.valid_since
        asked["valid"] = ({"as_of_valid": line.end}, decision.state(line.end))
        asked["both"] = ({"as_of": line.end}, decision.state(line.end, line.end))
        asked["creation"] = (
            {"as_of_valid": begun, "as_of_recorded": line.end},
            decision.state(begun, line.end),
        )
    return asked


def succession(
    pairs: Sequence[tuple[Key, Key]], successors: Callable[[Key], Sequence[Key]]
) -> dict[str, float | None]:
    """How often the new decision of a pair is the first, or among the first five, found for the old one."""
    found = [(new, successors(old)) for old, new in pairs]
    return {
        f"successor_at_{depth}": mean(hit_at(keys, {new}, depth) for new, keys in found) for depth in (1, 5)
    }


def staleness(register: Register, answers: Iterable[tuple[Asked, bool | None]]) -> dict[str, float | None]:
    """Precision and recall of being shown as stale, over lines of decisions that were on record.

    `answers` are lines with whether they were shown as stale, None where the decision was not found.
    """
    counted, right = {(True, True): 0, (True, False): 0, (False, True): 0}, []
    for line, shown in answers:
        assert line.state is not None
        said, is_stale = bool(shown), line.state.is_stale
        if said or is_stale:
            counted[said, is_stale] += 1
        if register.decisions[line.key].is_reopened:
            right.append(float(shown is not None and said == is_stale))
    hits = counted[True, True]
    return {
        "stale_precision": _share(hits, hits + counted[True, False]),
        "stale_recall": _share(hits, hits + counted[False, True]),
        "stale_accuracy_reopened": mean(right),
    }


def _known(register: Register, lines: Sequence[Asked]) -> list[Asked]:
    """Lines of decisions of the register that were on record then."""
    return [line for line in lines if line.state is not None and line.key in register.decisions]


def _said(shown: State | None) -> bool | None:
    return None if shown is None else shown.is_stale


def baselines(
    register: Register, pairs: Sequence[tuple[Key, Key]], lines: Sequence[Asked]
) -> dict[str, dict[str, Any]]:
    """BM25 over the decisions of today, and what a register that overwrites says of a day: its last state."""
    decisions = list(register.decisions.values())
    documents = [
        Document(decision.content(), _PROJECT, session="", sequence=number)
        for number, decision in enumerate(decisions)
    ]
    ranker = BaselineRanker(documents, Bm25)

    def found(key: Key, depth: int, whole: bool = False) -> list[Key]:
        decision = register.decisions[key]
        query = decision.content() if whole else decision.title
        return [decisions[ranked.key].key for ranked in ranker.rank(query, _PROJECT, depth)]

    def after(old: Key, whole: bool = False) -> list[Key]:
        return [key for key in found(old, _SUCCESSOR_DEPTH, whole) if key != old]

    def final(line: Asked) -> State | None:
        return register.decisions[line.key].final if line.key in found(line.key, _DEPTH) else None

    last = [
        float(line.key in register.decisions and register.decisions[line.key].final == line.state)
        for line in lines
    ]
    return {
        "bm25": {
            **succession(pairs, after),
            "succession_by_title_and_abstract": succession(pairs, lambda old: after(old, whole=True)),
            **staleness(register, ((line, _said(final(line))) for line in _known(register, lines))),
        },
        "last_state": {"as_of_accuracy": mean(last)},
    }


def _first(decision: Decision) -> dict[str, Any]:
    """The first state as a draft; without a timeline it is on record from now on."""
    event = decision.events[0] if decision.events else None
    return {
        "content": decision.content(event.title if event else None),
        "kind": _KIND,
        "source": "import",
        "project": _PROJECT,
        "tags": [decision.tag],
        "metadata": (event.state if event else decision.final).as_dict(),
        "valid_at": decision.valid_since,
        "recorded_at": event.at if event else None,
        "origin": decision.tag,
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
