"""The proof of a forget tells of a text that stands elsewhere than in what another memory says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

import engramforge
from engramforge.forge import Forge

SAID = 'The "quixotic" wombat of Plovdiv ate seven jubilant pies on Tuesday, é.'
FELT: dict[str, Any] = {
    "energy": 0.5,
    "confidence": 0.5,
    "emotion_vector": {},
    "goal": "order",
    "mindstate": "calm",
}
Told = tuple[str, str, str]


def _memory(**fields: Any) -> Callable[[Forge], Told]:
    def plant(forge: Forge) -> Told:
        return (
            "memory",
            forge.remember("Quite another narwhal.", **fields).logical_id,
            "it repeats 12 words of it",
        )

    return plant


def _link(**fields: Any) -> Callable[[Forge], Told]:
    def plant(forge: Forge) -> Told:
        ends = [forge.remember(text).id for text in ("A narwhal.", "A walrus.")]
        linked = forge.link(*ends, "RELATES_TO", **{**FELT, **fields})
        return "link", linked.link.id, "it repeats 12 words of it"

    return plant


def _of_a_change(change: Callable[[Forge, str], str]) -> Callable[[Forge], Told]:
    def plant(forge: Forge) -> Told:
        subject = change(forge, forge.remember("A narwhal.").logical_id)
        return "table", "audit", f"the reason of a change of {subject} repeats 12 words of it"

    return plant


def _invalidated(forge: Forge, logical_id: str) -> str:
    forge.invalidate(logical_id, reason=SAID)
    return logical_id


def _project(forge: Forge) -> Told:
    forge.remember("A narwhal.", project=SAID)
    return "table", "project", "its column name repeats 12 words of it"


PLACES = {
    "goal": _memory(goal=SAID),
    "mindstate": _memory(mindstate=SAID),
    "speaker": _memory(speaker=SAID),
    "session": _memory(session_id=SAID),
    "metadata": _memory(metadata={"a": [{"b": f"They said: {SAID}"}]}),
    "name of metadata": _memory(metadata={SAID: 1}),
    "tag": _memory(tags=(SAID,)),
    "goal of a link": _link(goal=SAID),
    "mindstate of a link": _link(mindstate=SAID),
    "metadata of a link": _link(metadata={"a": SAID}),
    "end": _of_a_change(_invalidated),
    "project": _project,
}


@pytest.mark.parametrize("where", PLACES)
def test_a_text_in_any_column_is_told(place: str, where: str) -> None:
    with engramforge.open(place) as forge:
        expected = PLACES[where](forge)
        proof = forge.forget(forge.remember(SAID).id)
        assert [(held.place, held.name, held.why) for held in proof.found] == [expected]
        assert not proof.verified and not proof.queued
        assert "jubilant" not in repr(proof)


def test_the_reasons_of_forgets_and_ended_links_are_cleared(
    place: str, search: Callable[[Iterable[str]], set[str]]
) -> None:
    with engramforge.open(place) as forge, engramforge.open(place, agent="bob") as bob:
        bob.forget(bob.remember("A private narwhal.").id, reason=f"He said: {SAID}")
        forge.forget(forge.remember("A narwhal.").id, reason="No narwhal is wanted here.")
        ends = [forge.remember(text).id for text in ("A heron.", "A walrus.")]
        said = forge.link(*ends, "RELATES_TO", **{**FELT, "goal": SAID, "metadata": {"a": [SAID]}}).link
        kept = forge.link(*ends, "CAUSES", **{**FELT, "goal": "To eat pies."}).link
        reasons = {said.id: "Why jubilant?", kept.id: "Nobody ate."}
        for link in (said, kept):
            forge.unlink(link.id, reason=reasons[link.id])
        proof = forge.forget(forge.remember(SAID).id, reason=f"As asked: {SAID}")
        assert proof.verified and not proof.found, proof
        goals = {link.id: (link.goal, link.extra) for link in forge.links(ends[0], mode="full_history")}
        assert goals == {said.id: ("unstated", {}), kept.id: ("To eat pies.", {})}
        told = {
            line.subject: line.reason for line in forge.audit_log() if line.action in ("forget", "unlink")
        }
        assert told[said.id] == told[proof.logical_id] == ""
        assert {"No \u2026 is wanted here.", "Nobody ate."} <= set(told.values())
        assert not any("Plovdiv" in line.reason for line in (*forge.audit_log(), *bob.audit_log()))
        assert search(["plovdiv", "quixotic", "wombat"]) == set()


def test_other_agents_are_counted_and_a_name_in_a_text_is_no_trace(place: str) -> None:
    with engramforge.open(place, agent="ann") as ann, engramforge.open(place, agent="bob") as bob:
        theirs = _invalidated(bob, bob.remember("A narwhal.").logical_id)
        bob.remember("A walrus.", goal=SAID)
        proof = ann.forget(ann.remember(SAID).id)
        assert [(held.place, held.name) for held in proof.found] == [("memory", ""), ("table", "audit")]
        assert theirs not in repr(proof)
    with engramforge.open(place, tenant="other") as forge:
        forge.remember("A narwhal.", session_id="talk-2026-07", speaker="agent-007x", project="wombats-2")
        chosen = forge.remember("Ask agent-007x in talk-2026-07 about all of wombats-2, they know.")
        proof = forge.forget(chosen.id)
        assert proof.verified, proof.found


def test_a_reason_is_kept_without_distinctive_words_of_what_was_forgotten(
    place: str, search: Callable[[Iterable[str]], set[str]]
) -> None:
    with engramforge.open(place) as forge:
        lease = forge.remember("The Zanzibar lease ends in March, and Quillon pays it.")
        other = forge.remember("Quillon came on Tuesday.")
        for _ in range(6):
            forge.remember(f"The lease of {_} houses.")
        proof = forge.forget(lease.id, reason="the Zanzibar lease, ZANZIBAR or Quillon's, is private")
        # What many say is no trace, and what an earlier reason says goes with the last who says it.
        assert proof.verified and proof.reason == "the \u2026 lease, \u2026 or \u2026's, is private"
        assert forge.forget(other.id, reason="the person asked").reason == "the person asked"
        assert forge.forget(forge.remember("An ibis in Rostock.").id, reason="Rostock").reason == "\u2026"
        told = {line.reason for line in forge.audit_log() if line.action == "forget"}
        assert told == {proof.reason, "the person asked", "\u2026"}
        late = forge.remember("He told me of the houses of Bremerhaven.")
        forge.forget(forge.remember("A gull.").id, reason="Bremerhaven is far")
        assert "Bremerhaven is far" in {line.reason for line in forge.audit_log()}
        forge.forget(late.id)
        assert "\u2026 is far" in {line.reason for line in forge.audit_log()}
    assert search(["zanzibar", "quillon", "rostock", "bremerhaven"]) == set()


@pytest.mark.parametrize("field", ["goal", "mindstate", "formation_trigger", "note"])
def test_a_reason_is_kept_without_what_links_that_go_along_said(
    place: str, search: Callable[[Iterable[str]], set[str]], field: str
) -> None:
    with engramforge.open(place) as forge:
        ends = [forge.remember(text).id for text in ("A heron.", "A walrus.")]
        forge.link(*ends, "CAUSES", **{**FELT, field: "To reach\nZanzibar"})
        forge.forget(forge.remember("A gull.").id, reason="Zanzibar is far")
        assert "Zanzibar is far" in {line.reason for line in forge.audit_log()}
        proof = forge.forget(ends[1], reason="the goal of Zanzibar was a mistake")
        assert proof.verified and proof.links == 1
        assert proof.reason == "the goal of \u2026 was a mistake"
        assert "\u2026 is far" in {line.reason for line in forge.audit_log()}
    assert search(["zanzibar"]) == set()


def test_a_reason_is_kept_without_words_behind_a_line_end_in_metadata(place: str) -> None:
    with engramforge.open(place) as forge:
        chosen = forge.remember("A heron.", metadata={"route": "by way of\nZanzibar"})
        assert forge.forget(chosen.id, reason="Zanzibar is private").reason == "\u2026 is private"


def test_a_reason_keeps_what_our_own_links_say(place: str) -> None:
    with engramforge.open(place) as forge:
        chosen = forge.remember("A heron.")
        forge.revise(chosen.id, "A walrus.")
        reason = "an older version was written, its goal unstated, captured wrongly"
        assert forge.forget(chosen.id, reason=reason).reason == reason
