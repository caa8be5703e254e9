"""Undo and redo as a stack: every kind of change, agents side by side, a store that an older version wrote, kill -9."""

from __future__ import annotations

import io
import json
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.children import Child

import engramforge
from engramforge.errors import Conflict, NotConfirmed, NotFound
from engramforge.forge import Forge
from engramforge.model.scope import Scope
from engramforge.model.storing.effect import Effect, Step
from engramforge.model.storing.record import AuditEntry
from engramforge.model.storing.section import Section
from engramforge.upkeep.exporting import in_order
from engramforge.writing import undo

from .older import made_older

FELT: dict[str, Any] = {
    "energy": 0.5,
    "confidence": 0.5,
    "emotion_vector": {},
    "goal": "g",
    "mindstate": "m",
}


def state(forge: Forge) -> list[object]:
    """Everything that an undo may change, as it is told now."""
    memories = forge.memories(limit=1_000)
    # All of the store at once, as an export reads them, of whatever memories.
    with forge._stages.door.tending(Scope(forge.identity.tenant, every_agent=True)) as shot:
        recorded = [link for _, portion in in_order(shot, Section.LINKS) for link in portion]
    links = {
        (link.source_id, link.target_id, link.relation, link.valid_at)
        for link in recorded
        if link.expired_at is None and link.source_id != link.target_id
    }
    decisions = [
        (
            decision.id,
            decision.decision,
            decision.status,
            decision.conversation_ids,
            decision.last_validated,
            decision.hops,
            decision.superseded_by,
        )
        for decision in forge.decisions.browse(limit=100)
    ]
    threads = [
        (thread.id, thread.title, thread.status, thread.conversation_ids, thread.blocked_by)
        for thread in forge.threads.browse(limit=100)
    ]
    edges = [
        (memory.id, memory.target_conversation_id, memory.decisions_carried)
        for memory in forge.lineage.browse()
    ]
    said = [(memory.logical_id, memory.content, memory.valid_at, memory.invalid_at) for memory in memories]
    return [
        sorted(said, key=repr),
        sorted(links, key=repr),
        *(sorted(item) for item in (decisions, threads, edges)),
    ]


def deeds(forge: Forge) -> list[Callable[[], object]]:
    """Changes of every kind, each one write; later ones build on earlier ones."""
    ids: dict[str, str] = {}

    def note(name: str, made: Any) -> None:
        ids[name] = made.logical_id if hasattr(made, "logical_id") else made.id

    def linked() -> None:
        ids["link"] = forge.link(ids["gate"], ids["mill"], "ENABLES", **FELT).link.id

    return [
        lambda: note("gate", forge.remember("The gate is open.", valid_at="2025-01-01")),
        lambda: forge.revise(ids["gate"], "The gate is ajar."),
        lambda: forge.supersede(ids["gate"], "The gate is shut.", at="2025-06-01"),
        lambda: forge.invalidate(ids["gate"], at="2025-09-01"),
        lambda: forge.revise(ids["gate"], version=2, invalid_at="2025-05-01"),
        lambda: note("mill", forge.remember_many([{"content": f"Mill {n}."} for n in range(4)])[0]),
        linked,
        lambda: forge.unlink(ids["link"]),
        lambda: note("oak", forge.decisions.create("We build of oak", conversation="talk")),
        lambda: note("sail", forge.decisions.create("We sail north", dependencies=[ids["oak"]])),
        lambda: forge.decisions.validate(ids["oak"], ids["sail"], conversation="later talk"),
        lambda: note("edge", forge.lineage.link("talk", decisions_carried=[ids["oak"], ids["sail"]])),
        lambda: forge.decisions.revise(ids["sail"], rationale="the wind", dependencies=[]),
        lambda: note("teak", forge.decisions.supersede(ids["oak"], "We build of teak")),
        lambda: forge.decisions.reinstate(ids["oak"], reason="no teak is left"),
        lambda: note("wood", forge.threads.create("Buy wood", conversation="talk")),
        lambda: forge.threads.update(ids["wood"], conversation="later talk"),
        lambda: forge.threads.update(ids["wood"], status="resolved", resolution="Done."),
    ]


def test_every_change_goes_and_comes(place: str) -> None:
    with engramforge.open(place) as forge:
        states = [state(forge)]
        for deed in deeds(forge):
            deed()
            states.append(state(forge))
        actions = [line.action for line in reversed(forge.audit_log(1_000)) if line.effect != Effect()]
        assert len(actions) == len(states) - 1
        for _ in range(2):
            for action, before in zip(reversed(actions), states[-2::-1], strict=True):
                assert forge.undo().action == action
                assert state(forge) == before, action
            with pytest.raises(NotFound, match="no change of agent 'default' to undo"):
                forge.undo()
            for action, after in zip(actions, states[1:], strict=True):
                assert forge.redo().action == action
                assert state(forge) == after, action
            with pytest.raises(NotFound, match="nothing of agent 'default' to redo"):
                forge.redo()
        # Some steps back and forth in between end where they began.
        rng, at = random.Random(2), len(actions)
        for _ in range(30):
            if at and (at == len(actions) or rng.random() < 0.6):
                forge.undo()
                at -= 1
            else:
                forge.redo()
                at += 1
            assert state(forge) == states[at]
        assert forge.check() == []


def test_a_change_leaves_nothing_to_redo(place: str) -> None:
    with engramforge.open(place) as forge:
        made = forge.remember("The gate is open.")
        forge.revise(made.id, "The gate is ajar.")
        forge.undo()
        forge.remember("It rains.")
        with pytest.raises(NotFound, match="to redo"):
            forge.redo()
        assert [forge.undo().action for _ in range(2)] == ["remember", "remember"]
        assert forge.memories() == []
        forge.redo()
        assert [memory.content for memory in forge.memories()] == ["The gate is open."]
        assert forge.timeline(made.logical_id).dissonances == ()
        gone = forge.remember("gone")
        forge.undo()
        forge.forget(made.logical_id)
        with pytest.raises(NotFound, match="to redo"):
            forge.redo()
        with pytest.raises(Conflict, match="cannot be undone"):
            forge.undo()
        assert forge.get(gone.id).is_superseded


def test_an_undone_correction_is_no_dissonance_and_a_redone_one_is(place: str) -> None:
    with engramforge.open(place) as forge:
        made = forge.remember("The gate is open.")
        forge.revise(made.id, "The gate is ajar.", discovery_energy=0.9)
        forge.supersede(made.logical_id, "The gate is shut.")
        first, second = forge.timeline(made.logical_id).dissonances
        forge.undo()
        assert forge.timeline(made.logical_id).dissonances == (first,) == forge.timeline().dissonances
        forge.undo()
        assert forge.timeline(made.logical_id).dissonances == () == forge.timeline().dissonances
        forge.redo()
        forge.redo()
        assert forge.timeline(made.logical_id).dissonances == (first, second)
        forge.undo()
        again = forge.revise(made.logical_id, "The gate is gone.")
        kept, new = forge.timeline(made.logical_id).dissonances
        assert kept == first
        assert (new.original, new.corrected_id) == ("The gate is ajar.", again.id)


def test_agents_undo_side_by_side(place: str) -> None:
    with engramforge.open(place, agent="ada") as ada, engramforge.open(place, agent="ben") as ben:
        gate = ada.remember("The gate is open.", level="collective")
        bell = ben.remember("The bell rings.", level="collective")
        ada.revise(gate.id, "The gate is ajar.")
        ben.revise(bell.id, "The bell is still.")
        ada.undo()
        ben.undo()
        ada.undo()
        assert [memory.content for memory in ada.memories()] == ["The bell rings."]
        ben.undo()
        ada.redo()
        ben.redo()
        ada.redo()
        assert {memory.content for memory in ben.memories()} == {"The gate is ajar.", "The bell rings."}
        # What ben makes of it keeps ada from going back, and nothing is half done.
        ben.revise(gate.logical_id, "The gate is gone.")
        before = state(ada)
        with pytest.raises(Conflict, match="was changed since by 'ben'"):
            ada.undo()
        assert state(ada) == before
        ben.undo()
        ben.redo()
        assert state(ada) == before


def test_much_is_undone_only_when_confirmed(place: str) -> None:
    with engramforge.open(place) as forge:
        forge.remember_many([{"content": f"Note {n}."} for n in range(20)])
        assert len(forge.undo().taken_back) == 20
        forge.remember_many([{"content": f"Leaf {n}."} for n in range(21)])
        with pytest.raises(NotConfirmed, match="touches 21 records and links"):
            forge.undo()
        assert forge.stats().memories == 21
        assert len(forge.undo(confirmed=True).taken_back) == 21
        assert len(forge.redo().restored) == 21
        # Putting back how entries were used touches them too.
        ids = [forge.decisions.create(f"We build of oak {n}.", project="wood").id for n in range(21)]
        forge.decisions.validate(*ids)
        with pytest.raises(NotConfirmed, match="touches 21 records and links"):
            forge.undo()
        assert forge.undo(confirmed=True).uses == 21


def test_a_forget_takes_names_of_conversations_out_of_the_log(place: str) -> None:
    with engramforge.open(place) as forge:
        made, other = (forge.decisions.create(f"Rule {n}") for n in range(2))
        forge.decisions.validate(made.id, other.id, conversation="marzipansession")
        forge.decisions.validate(made.id, conversation="quixoticsession")
        forge.forget(made.memory_id)
        told = repr(forge.audit_log(100))
        assert "quixoticsession" not in told and made.memory_id in told
        (kept,) = [
            relation.effect for relation in forge.audit_log(100) if relation.effect and relation.effect.uses
        ]
        assert [(use.memory_id, use.mentioned) for use in kept.uses] == [
            (other.memory_id, ("marzipansession",))
        ]


def _plain(lines: list[AuditEntry]) -> list[object]:
    """Effects without what differs: ids by the place of their line, and conversations, which no older line says."""
    places = {line.effect.id: place for place, line in enumerate(lines) if line.effect and line.effect.id}
    return [
        None
        if line.effect is None
        else (
            line.action if line.effect.step is Step.CHANGE else line.effect.step,
            sorted(line.effect.made),
            sorted(line.effect.closed),
            *(sorted(link.id for link in links) for links in (line.effect.linked, line.effect.unlinked)),
            sorted(
                (use.memory_id, use.before, use.after) for use in line.effect.uses if use.before != use.after
            ),
            line.effect.of,
            places.get(line.effect.takes_back),
            sorted(line.effect.stands_for.items()),
        )
        for line in lines
    ]


def test_a_store_of_before_is_read_once_and_undone(place: str) -> None:
    with engramforge.open(place) as forge:
        made = [(deed(), state(forge))[1] for deed in deeds(forge)[:14]]
        forge.undo()
        forge.redo()
        forge.undo()
        written = forge.audit_log(1_000)
        dissonances = forge.timeline().dissonances
    made_older(place)
    with engramforge.open(place) as forge:
        read = forge.audit_log(1_000)
        for first, other in zip(_plain(read), _plain(written), strict=True):
            assert first == other
        assert forge.timeline().dissonances == dissonances
        assert state(forge) == made[-2]
        for before in made[-3:3:-1]:
            forge.undo()
            assert state(forge)[:2] == before[:2]
        for after in made[5:]:
            forge.redo()
            assert state(forge)[:2] == after[:2]


UNDOER = """
import sys, random, engramforge
rng = random.Random(int(sys.argv[2]))
forge = engramforge.open(sys.argv[1])
print("ready", flush=True)
while True:
    step = rng.choice(["undo", "redo"])
    try:
        getattr(forge, step)(**({"confirmed": True} if step == "undo" else {}))
    except engramforge.errors.NotFound:
        pass
"""


def test_a_killed_undo_has_happened_or_not(place: str) -> None:
    with engramforge.open(place) as forge:
        states = [state(forge)]
        batch = forge.remember_many([{"content": f"Note {n} of the batch."} for n in range(120)])
        states.append(state(forge))
        forge.link(batch[0].id, batch[1].id, "ENABLES", **FELT)
        states.append(state(forge))
        forge.supersede(batch[2].id, "Another note.")
        states.append(state(forge))
    for number in range(4):
        running = Child(UNDOER, place, number)
        assert running.stdout is not None and running.stdout.readline() == "ready\n"
        time.sleep(random.Random(number).uniform(0.3, 1.2))
        assert running.poll() is None
        running.send_signal(signal.SIGKILL)
        running.wait()
        with engramforge.open(place) as forge:
            assert forge.check() == []
            at = states.index(state(forge))
            for after in states[at + 1 :]:
                forge.redo()
                assert state(forge) == after


def test_a_link_between_versions_that_was_ended_comes_back(place: str) -> None:
    with engramforge.open(place) as forge:
        note = forge.remember("Tea at four.")
        forge.revise(note.id, "Tea at five.")
        (link,) = forge.links(note.id)
        forge.unlink(link.id)
        for _ in range(2):
            assert forge.undo().action == "unlink"
            assert [(again.relation, again.source_id) for again in forge.links(note.id)] == [
                (link.relation, link.source_id)
            ]
            assert forge.redo().action == "unlink"
            assert forge.links(note.id) == []
        forge.undo()
        assert forge.undo().action == "revise"
        assert forge.get(note.id).content == "Tea at four."


def test_what_two_redo_at_once_comes_once(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other redoes after this one has planned."""
    plan = undo.plan_reversal
    with engramforge.open(place) as forge, engramforge.open(place) as other:
        note = forge.remember("Tea at four.")
        forge.undo()

        def overtaken(*given: Any) -> Any:
            monkeypatch.setattr(undo, "plan_reversal", plan)
            planned = plan(*given)
            assert other.redo().action == "remember"
            return planned

        monkeypatch.setattr(undo, "plan_reversal", overtaken)
        with pytest.raises(Conflict, match="changed meanwhile"):
            forge.redo()
        assert [version.expired_at is None for version in forge.history(note.id)] == [False, True]
        assert forge.sweep().broken == 0


def test_what_stands_for_itself_holds_nobody_up(place: str, tmp_path: Path) -> None:
    """An edited export may say that a record stands for itself."""
    with engramforge.open(tmp_path / "first") as forge:
        note = forge.remember("Tea at four.")
        forge.revise(note.id, "Tea at five.")
        forge.undo()
        exported = io.BytesIO()
        forge.export(exported)
    lines = []
    for line in exported.getvalue().decode().splitlines():
        row = json.loads(line)
        if (effect := row.get("effect") or {}).get("stands_for"):
            effect["stands_for"] = {each: each for each in effect["stands_for"].values()}
        lines.append(json.dumps(row))
    file = tmp_path / "edited.jsonl"
    file.write_text("\n".join(lines) + "\n")
    with engramforge.open(place) as forge:
        forge.import_path(file)
        with suppress(Conflict, NotFound):
            for _ in range(4):
                forge.undo()
        assert forge.check() == []
