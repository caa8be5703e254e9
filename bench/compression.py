"""compression: what archives carry over chains of six hops, against the registry and a summary that is only pasted on.

Seven sessions of a conversation in a row are a chain. In each, decisions and threads are made from its turns; it is
compressed, and the next one goes on from the archive. In between another branch begins with the archive and says of
some of what was carried that it is resolved, superseded or ended; revisions are made by hand. `heard_share` is the
share of what was said that the registry has then. `wrong_state_share` is the share of what the continuation says that
the registry has otherwise at that moment; `archive_wrong_state_share` is that of the archive before the branch.
Everything goes through the facade. Baseline: the state of each archive pasted on into the next, which nobody checks.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from bench.harness import Measured, Options, temporary_forge
from bench.locomo import load
from bench.measures import mean
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bench.harness import Document
    from engramforge.forge import Forge
    from engramforge.model.registries.archive import Archive, ArchiveContent, Continuation
    from engramforge.model.registries.decision import Decision

HOPS: Final = 6
_SEED: Final = 20_261_121
_DECISIONS: Final = 3
_THREADS: Final = 2
_PLANS: Final = ("northern", "southern", "eastern", "western", "second", "cheaper", "simpler", "slower")
"""What tells the plans of one branch apart; no part of an id, which may read like a number or a secret."""
_CHANGED: Final = 2
_OLD_DAYS: Final = 60
_STALE_DAYS: Final = 30
_STALE_TIER: Final = 0.7
_STALE_HOPS: Final = 3
_TITLE_CHARACTERS: Final = 150
_ALL: Final = 1_000
_PRIORITIES: Final = ("high", "medium", "low")

State = tuple[str, ...]
"""What is said of an entry: of a decision status, text and rationale, of a thread status, title and resolution."""


@dataclass(slots=True)
class Use:
    """How a decision should have been used, counted by the rules themselves and by nothing of the product."""

    tier: float
    last_validated: datetime
    count: int = 0
    hops: int = 0

    def carry(self, at: datetime) -> None:
        """One archive more."""
        aged = self.tier <= _STALE_TIER and self.last_validated <= at - timedelta(days=_STALE_DAYS)
        if not aged and self.hops < _STALE_HOPS:
            self.count += 1
            self.last_validated = at
        self.hops += 1


@dataclass(slots=True)
class Tally:
    """Shares of all hops, each hop's or each entry's apart."""

    exact: list[float] = field(default_factory=list)
    archive_wrong: list[float] = field(default_factory=list)
    wrong: list[float] = field(default_factory=list)
    carried: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    counts: list[float] = field(default_factory=list)
    ratio: list[float] = field(default_factory=list)
    lossy_ratio: list[float] = field(default_factory=list)
    lossy_carried: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    naive_wrong: list[float] = field(default_factory=list)
    naive_carried: list[float] = field(default_factory=list)
    naive_ratio: list[float] = field(default_factory=list)


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N chains."""
    documents, _ = load(paths)
    chains = list(_chains(documents))[: options.limit]
    if not chains:
        raise InvalidSource(
            f"No conversation in these files has {HOPS + 1} sessions", "Give a locomo file with longer ones"
        )
    tally = Tally()
    options.say(f"Carrying {len(chains)} chains over {HOPS} hops each")
    with temporary_forge(options.engine) as forge:
        for number, sessions in enumerate(chains):
            _Chain(forge, number, sessions, tally).run()
    metrics = {
        "carried_share": mean(tally.carried),
        "wrong_state_share": mean(tally.wrong),
        "archive_wrong_state_share": mean(tally.archive_wrong),
        "heard_share": mean(tally.heard),
        "differences_shown": mean(tally.shown),
        "lossless_exact": mean(tally.exact),
        "counts_right": mean(tally.counts),
        "size_ratio": mean(tally.ratio),
        "lossy": {"size_ratio": mean(tally.lossy_ratio), "carried_share": mean(tally.lossy_carried)},
    }
    naive = {
        "carried_share": mean(tally.naive_carried),
        "wrong_state_share": mean(tally.naive_wrong),
        "size_ratio": mean(tally.naive_ratio),
    }
    settings = {"chains": len(chains), "hops": HOPS}
    return Measured(len(tally.exact), metrics, {"naive summary": naive}, settings)


def _chains(documents: Sequence[Document]) -> Iterator[list[list[Document]]]:
    """Seven sessions in a row, then the next seven, of every conversation."""
    by_session: dict[str, dict[str, list[Document]]] = {}
    for document in documents:
        if document.content.strip():
            by_session.setdefault(document.project, {}).setdefault(document.session, []).append(document)
    for sessions in by_session.values():
        every = list(sessions.values())
        for begin in range(0, len(every) - HOPS, HOPS + 1):
            yield every[begin : begin + HOPS + 1]


class _Chain:
    """One chain of conversations, compressed and continued."""

    def __init__(self, forge: Forge, number: int, sessions: list[list[Document]], tally: Tally) -> None:
        self._forge = forge
        self._sessions = sessions
        self._tally = tally
        self._project = f"chain-{number:03}"
        self._random = random.Random(_SEED + number)
        self._uses: dict[str, Use] = {}
        self._entries: set[str] = set()
        self._naive: dict[str, State] = {}
        self._spoken = 0

    def run(self) -> None:
        """Six hops, then a lossy archive of the last conversation."""
        for hop, session in enumerate(self._sessions[:-1]):
            conversation = self._conversation(hop)
            self._talk(conversation, session)
            archive = self._compress(conversation, session)
            changed = self._branch(f"{conversation}-branch", archive)
            found = self._forge.archives.continue_from(archive.text, self._conversation(hop + 1))
            self._compare(found, changed)
        last = self._conversation(HOPS)
        self._talk(last, self._sessions[-1])
        self._count_uses()
        self._lossy(last, self._sessions[-1])

    def _conversation(self, hop: int) -> str:
        return f"{self._project}-{hop}"

    def _talk(self, conversation: str, session: Sequence[Document]) -> None:
        """Remember a session, and make decisions and threads from its longest turns."""
        self._forge.remember_many(
            {
                "content": turn.content,
                "kind": "message",
                "project": self._project,
                "session_id": conversation,
                "sequence": turn.sequence,
                "speaker": turn.speaker,
            }
            for turn in session
        )
        longest = sorted(session, key=lambda turn: -len(turn.content))
        told = [_plain(turn) for turn in longest[: _DECISIONS + _THREADS]]
        long_ago = datetime.now(UTC) - timedelta(days=_OLD_DAYS)
        for number, text in enumerate(told[:_DECISIONS], 1):
            tier = self._random.choice((0.4, 0.6, 0.8, 0.95))
            self._forge.decisions.create(
                text,
                rationale=told[-1] if number == 1 else "",
                tier=tier,
                project=self._project,
                conversation=conversation,
                local_id=f"D{number:03}",
                recorded_at=long_ago if self._random.random() < 1 / 3 else None,
            )
        for number, text in enumerate(told[_DECISIONS:], 1):
            self._forge.threads.create(
                text[:_TITLE_CHARACTERS].strip(),
                text,
                priority=self._random.choice(_PRIORITIES),
                project=self._project,
                conversation=conversation,
                local_id=f"T{number:03}",
            )
        # What the turns themselves say of decisions and threads is detected beside these.
        for made in self._forge.decisions.browse(conversation=conversation, limit=_ALL):
            self._uses.setdefault(made.id, _use_of(made))
            self._entries.add(made.id)
        for thread in self._forge.threads.browse(conversation=conversation, limit=_ALL):
            self._entries.add(thread.id)

    def _compress(self, conversation: str, session: Sequence[Document]) -> Archive:
        archive = self._forge.archives.compress(conversation, tag=f"{conversation}-tag")
        read = self._forge.archives.read(archive.text)
        said = [memory.content for memory in read.content.memories]
        is_whole = said == [turn.content for turn in session]
        self._tally.exact.append(float(is_whole and read.content == archive.content and not read.problems))
        states = _states(read.content)
        registry = self._registry()
        self._tally.archive_wrong += [float(state != registry[id_]) for id_, state in states.items()]
        for id_ in archive.edge.decisions_carried:
            self._uses[id_].carry(archive.edge.compressed_at)
        self._spoken += sum(len(turn.content) for turn in session)
        self._tally.ratio.append(len(archive.text) / self._spoken)
        # The naive summary: what was pasted in is pasted on, and what is new is added.
        self._naive = {**states, **self._naive}
        pasted = sum(len(text) for state in self._naive.values() for text in state)
        self._tally.naive_ratio.append((self._spoken + pasted) / self._spoken)
        return archive

    def _branch(self, conversation: str, archive: Archive) -> set[str]:
        """Change some of what was carried, in another conversation that begins with it; the ids of what changed."""
        names = archive.edge.local_ids
        said: dict[str, tuple[str, State]] = {}
        revised: list[str] = []
        for id_ in self._some(archive.edge.threads_carried):
            status = self._random.choice(("resolved", "resolved", "abandoned"))
            how = "Ann did it elsewhere" if status == "resolved" else ""
            said[id_] = f"{names[id_]} is {status}{how and ': '}{how}.", (status, f"{how}{how and '.'}")
        for id_ in self._some(archive.edge.decisions_carried):
            kind = self._random.choice(("revise", "supersede", "invalidate"))
            if kind == "supersede":
                plan = f"the {_PLANS[len(said) % len(_PLANS)]} plan of {conversation.replace('-', ' ')}"
                said[id_] = f"{names[id_]} is superseded by {plan}.", ("superseded", plan)
            elif kind == "invalidate":
                said[id_] = f"{names[id_]} no longer holds.", ("invalidated", "")
            else:
                revised.append(id_)
        place = {"kind": "prompt", "project": self._project, "session_id": conversation}
        texts = (archive.text, *(text for text, _ in said.values()))
        self._forge.remember_many(
            {**place, "content": text, "sequence": number} for number, text in enumerate(texts)
        )
        self._tally.heard += [float(self._as_heard(id_) == state) for id_, (_, state) in said.items()]
        for id_ in revised:
            self._revise(id_, conversation)
        return {*said, *revised}

    def _some(self, ids: Sequence[str]) -> list[str]:
        return self._random.sample(sorted(ids), min(_CHANGED, len(ids)))

    def _as_heard(self, id_: str) -> State:
        """Status of an entry, and its resolution or the words of its successor."""
        if id_.startswith("thr_"):
            thread = self._forge.threads.get(id_)
            return str(thread.status), thread.resolution or ""
        decision = self._forge.decisions.get(id_)
        if decision.superseded_by is None:
            return str(decision.status), ""
        made = self._forge.decisions.get(decision.superseded_by)
        self._uses[made.id] = _use_of(made)
        self._entries.add(made.id)
        return str(decision.status), made.decision

    def _revise(self, id_: str, conversation: str) -> None:
        before = self._forge.decisions.get(id_)
        text = f"{before.decision} (but on another day)"
        made = self._forge.decisions.revise(id_, text, conversation=conversation)
        use = self._uses[id_]
        use.hops, use.last_validated = 0, made.created_at

    def _compare(self, found: Continuation, changed: set[str]) -> None:
        """The continuation, as its text says it and as it is returned, against the registry."""
        said = _states(self._forge.archives.read(found.text).content)
        returned = {record.id for record in (*found.decisions, *found.threads)}
        registry = self._registry()
        wrong = {id_ for id_, state in said.items() if state != registry[id_]} | (returned ^ set(said))
        self._tally.wrong += [float(id_ in wrong) for id_ in {*said, *returned}]
        standing = {id_ for id_ in self._entries if registry[id_][0] in ("active", "open")}
        self._tally.carried += [float(id_ in said) for id_ in sorted(standing)]
        told = {difference.id for difference in found.differences}
        self._tally.shown += [float(id_ in told) for id_ in sorted(changed)]
        pasted = {id_: state for id_, state in self._naive.items() if state[0] in ("active", "open")}
        self._tally.naive_wrong += [float(state != registry[id_]) for id_, state in pasted.items()]
        self._tally.naive_carried += [float(id_ in pasted) for id_ in sorted(standing)]

    def _count_uses(self) -> None:
        """The counters of every decision against what was counted beside."""
        every = {
            decision.id: decision
            for decision in self._forge.decisions.browse(project=self._project, limit=_ALL)
        }
        for id_, use in self._uses.items():
            there = every[id_]
            counted = (there.last_validated, there.validation_count, there.hops)
            self._tally.counts.append(float(counted == (use.last_validated, use.count, use.hops)))

    def _lossy(self, conversation: str, session: Sequence[Document]) -> None:
        self._spoken += sum(len(turn.content) for turn in session)
        archive = self._forge.archives.compress(conversation, "lossy")
        edge = archive.edge
        self._tally.lossy_ratio.append(len(archive.text) / self._spoken)
        kept, lost = len(edge.decisions_carried), len(edge.decisions_dropped)
        self._tally.lossy_carried.append(kept / max(kept + lost, 1))

    def _registry(self) -> dict[str, State]:
        """What the registries say now of every entry of the chain."""
        found: dict[str, State] = {}
        for decision in self._forge.decisions.browse(project=self._project, limit=_ALL):
            found[decision.id] = (str(decision.status), decision.decision, decision.rationale)
        for thread in self._forge.threads.browse(project=self._project, status=None, limit=_ALL):
            found[thread.id] = (str(thread.status), thread.title, thread.resolution or "")
        return found


def _use_of(made: Decision) -> Use:
    return Use(made.epistemic_tier, made.last_validated, made.validation_count, made.hops)


def _plain(turn: Document) -> str:
    """A turn without who says it, at most so long as a decision should be."""
    _, _, said = turn.content.partition(": ")
    return " ".join((said or turn.content).split())[:600]


def _states(content: ArchiveContent) -> dict[str, State]:
    """What an archive says of its entries."""
    found: dict[str, State] = {}
    for decision in content.decisions:
        found[str(decision.id)] = (str(decision.status), decision.decision, decision.rationale)
    for thread in content.threads:
        found[str(thread.id)] = (str(thread.status), thread.title, thread.resolution or "")
    return found
