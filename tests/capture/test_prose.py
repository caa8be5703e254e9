"""Prose in which nobody decides: abstracts, encyclopedias, news and intents, through the public facade."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engramforge

PROSE = (
    "Transport of Tide Readings over Low-Power Radio",
    "This document describes how gauges announce their position to a harbour server.",
    "The port of Emden was enlarged in 1901 and handed over to the province twelve years later.",
    "Its third pier was opened by the mayor on 4 May 1931.",
    "Villagers blocked the road to the harbour on Monday , demanding that the dredging be stopped .",
    "The sediment has been moved by the current.",
    "Hello, I changed my mind and want a refund for the boat trip I bought.",
)
PARAGRAPH = (
    "The lighthouse was built between 1889 and 1891. After the storm of 1906 the council decided to raise it by four"
    " metres, and the keeper moved to the mainland. In 1931 the lamp was replaced by an electric one, and the foghorn"
    " was dropped in favour of radio. The tower is open to visitors in summer; a second one was never built."
)


def _entries(forge: engramforge.Forge) -> list[str]:
    return [
        *(each.decision for each in forge.decisions.browse(project="sea")),
        *(each.title for each in forge.threads.browse(project="sea")),
    ]


@pytest.mark.parametrize("kind", ["note", "prompt"])
def test_prose_makes_no_entry(forge: engramforge.Forge, kind: str) -> None:
    forge.remember_many([{"content": text, "project": "sea", "kind": kind} for text in PROSE])
    assert _entries(forge) == []


def test_a_paragraph_that_somebody_keeps_waits_where_a_sentence_of_his_own_does_not(
    forge: engramforge.Forge,
) -> None:
    forge.remember(PARAGRAPH, project="sea")
    assert _entries(forge) == []
    assert forge.review.pending(project="sea")
    forge.remember("We decided to raise the lamp by four metres.", project="sea")
    assert len(_entries(forge)) == 1


def test_what_stands_in_an_imported_file_waits_unless_its_form_makes_it_an_entry(
    forge: engramforge.Forge, tmp_path: Path
) -> None:
    file = tmp_path / "intents.jsonl"
    texts = ("My booking for the lock is still pending.", "Decision: the lamp burns all day.")
    file.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    forge.import_path(file, project="sea")
    assert len(_entries(forge)) == 1
    (waiting,) = forge.review.pending(project="sea")
    assert "turn of a conversation" in waiting.why


def test_what_an_assistant_advises_or_is_doing_waits(forge: engramforge.Forge) -> None:
    said = "Move the chart tests to the slow suite.", "I need to check the tide file and fix it."
    turns = [
        {"content": text, "project": "sea", "kind": "response", "session_id": f"s{number}", "sequence": 1}
        for number, text in enumerate(said)
    ]
    forge.remember_many(turns)
    assert _entries(forge) == []
    assert {each.why for each in forge.review.pending(project="sea")} == {
        "an assistant advises it, or is doing it"
    }
