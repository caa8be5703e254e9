"""A person's few words make a decision of what an assistant offered, live and in imports, and a later turn ends it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engramforge.forge import Forge

ASKED = "How do we keep the tide tables?"
OFFER = "I'd suggest SQLite for the tide tables: no server to run. Shall I go ahead?"
TAKEN = "SQLite for the tide tables (How do we keep the tide tables?)"


def live(folder: Path, *turns: str, session: str = "s1") -> list[dict[str, Any]]:
    """Events of a session in which a person and Claude speak in turn."""
    said = ("UserPromptSubmit", "prompt"), ("Stop", "last_assistant_message")
    session = f"{folder.name} {session}"
    return [
        {
            "session_id": session,
            "cwd": str(folder),
            "prompt_id": f"{session}-{number // 2}",
            "hook_event_name": said[number % 2][0],
            said[number % 2][1]: turn,
        }
        for number, turn in enumerate(turns)
    ]


@pytest.mark.parametrize("at_once", [True, False])
def test_an_answer_in_a_session_decides(em: Forge, folder: Path, at_once: bool) -> None:
    events = live(folder, ASKED, "Let me look at the tables.", "go on", OFFER, "yes, do that")
    for batch in [events] if at_once else [[each] for each in events]:
        em.hooks.take(batch)
    (decision,) = em.decisions.browse(project=folder.name)
    assert (decision.decision, str(decision.status)) == (TAKEN, "active")
    assert decision.evidence is not None and decision.evidence.sentence == "yes, do that"
    assert decision.rationale.startswith("I'd suggest SQLite")


def test_an_answer_in_an_import_decides_as_well(em: Forge, folder: Path) -> None:
    lines = [
        {"session_id": folder.name, "sequence": at, "kind": kind, "speaker": who, "content": content}
        for at, (kind, who, content) in enumerate(
            [("prompt", "user", ASKED), ("response", "assistant", OFFER), ("prompt", "user", "ok")]
        )
    ]
    file = folder / "chat.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    em.import_path(file, project=folder.name)
    assert [each.decision for each in em.decisions.browse(project=folder.name)] == [TAKEN]


def test_only_the_turn_before_is_answered(em: Forge, folder: Path) -> None:
    em.hooks.take(live(folder, ASKED, OFFER, "hm, what else?", "Nothing else comes to mind.", "ok"))
    em.hooks.take(live(folder, "yes, do that", session="s2"))
    assert em.decisions.browse(project=folder.name) == []


def test_what_was_taken_can_be_turned_from(em: Forge, folder: Path) -> None:
    em.hooks.take(live(folder, ASKED, OFFER, "yes"))
    em.hooks.take(live(folder, "scrap SQLite, we keep the tide tables in Postgres", session="s2"))
    stands = {
        each.decision: str(each.status) for each in em.decisions.browse(project=folder.name, status=None)
    }
    assert stands[TAKEN] == "superseded"
    assert "active" in stands.values()


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (
            ("jute or nylon for the nets?", "Jute rots, nylon lasts.", "nylon"),
            "nylon for the nets rather than jute",
        ),
        (
            ("which grit for the hull?", "There are many.", "240 it is"),
            "240 it is (which grit for the hull?)",
        ),
        (
            ("the beds", "How deep should the beds be?", "40 cm it is"),
            "40 cm it is (How deep should the beds be?)",
        ),
        (
            (
                "which varnish for the deck?",
                "Epoxy is hard, oil is easy.",
                "oil then, because of the smell",
            ),
            "oil rather than Epoxy because of the smell (which varnish for the deck?)",
        ),
        (
            ("which lamp for the pier?", "Many fit.", "sodium then, because of the moths"),
            "(which lamp for the pier?)",
        ),
        (
            (
                "and the nets?",
                "I'd use jute for the nets.",
                "hm. yes for the small ones, big ones stay nylon",
            ),
            "jute for the nets, for the small ones, big ones stay nylon",
        ),
    ],
)
def test_a_thing_named_alone_is_told_with_what_it_is_for(
    em: Forge, folder: Path, turns: tuple[str, ...], said: str
) -> None:
    em.hooks.take(live(folder, *turns))
    (decision,) = em.decisions.browse(project=folder.name)
    assert said in decision.decision


@pytest.mark.parametrize(
    "turns",
    [
        ("why is it red?", "The gauge is stuck.", "stuck then"),
        ("jute or nylon for the nets?", "Jute rots, nylon lasts.", "thanks"),
        ("jute or nylon for the nets?", "Jute rots.", "hm"),
        ("which grit for the hull?", "There are many.", "what is it then"),
        ("the beds", "How deep should the beds be?", "no idea"),
        ("is it jute or nylon?", "It is jute.", "jute"),
    ],
)
def test_what_names_no_choice_is_none(em: Forge, folder: Path, turns: tuple[str, ...]) -> None:
    em.hooks.take(live(folder, *turns))
    assert em.decisions.browse(project=folder.name) == []


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (("the crates", "I'd keep the crates for 9 days, then sell them.", "make it 12 days"), "for 12 days"),
        (("the crates", "I'd cap them at 20 kg. OK?", "no, 10 kg"), "cap them at 10 kg"),
        (
            ("news?", "I'd send the news by mail and SMS. OK?", "just sms please"),
            "by SMS only rather than mail",
        ),
        (("news?", "I'd send the news by mail and SMS. OK?", "no sms"), "by mail only rather than SMS"),
        (
            ("which map?", "Leaflet, Cesium or plain SVG? I'd take Cesium.", "plain svg is enough"),
            "plain SVG rather",
        ),
        (("a night mode?", "Easy: I'd add a switch.", "nope, no night mode"), "no night mode"),
    ],
)
def test_a_proposal_is_taken_as_it_is_altered(
    em: Forge, folder: Path, turns: tuple[str, ...], said: str
) -> None:
    em.hooks.take(live(folder, *turns))
    (decision,) = em.decisions.browse(project=folder.name)
    assert said in decision.decision


@pytest.mark.parametrize("offer", ["I'd keep the crates for 9 days.", "I would cap the crates at 20 kg."])
def test_what_an_assistant_would_do_waits(em: Forge, folder: Path, offer: str) -> None:
    em.hooks.take(live(folder, "the crates", offer))
    assert em.decisions.browse(project=folder.name) == []


def test_a_choice_that_is_heard_as_a_decision_by_itself_tells_what_it_is_for(em: Forge, folder: Path) -> None:
    offer = "Some 900. For searching the catalogue I'd suggest Solr; Meilisearch would do too. Which one?"
    em.hooks.take(live(folder, "how many books are there?", offer, "meilisearch, its 900 books only"))
    (decision,) = em.decisions.browse(project=folder.name)
    assert (
        decision.decision == "Meilisearch rather than Solr, its 900 books only (for searching the catalogue)"
    )


def test_an_assistants_remark_waits_for_nobody(em: Forge, folder: Path) -> None:
    remark = "Most letters come within four days, a few after weeks. I could print all of them. Want that?"
    em.hooks.take(live(folder, "is a week enough for a letter?", remark, "let me think"))
    assert not em.review.pending(project=folder.name)
    assert not em.decisions.browse(project=folder.name)
