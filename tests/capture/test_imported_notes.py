"""Notes that a file brings are a document: no wording makes a decision of them, a label or a message does."""

import json
from pathlib import Path

import pytest

import engramforge

INDEX = "ABC2001: Transport of Widgets over Links (PROPOSED STANDARD, 2011-03)."
SAID = "Let's do OAuth for the sign-in."


@pytest.mark.parametrize(("kind", "decisions"), [("note", 0), ("prompt", 1)])
def test_wording_decides_in_talk_only(place: str, tmp_path: Path, kind: str, decisions: int) -> None:
    said = {"kind": kind} | ({"session_id": "s1"} if kind == "prompt" else {})
    lines = [json.dumps({"content": text, **said}) for text in (INDEX, SAID)]
    (tmp_path / "notes.jsonl").write_text("\n".join(lines))
    with engramforge.open(place) as em:
        em.import_path(tmp_path / "notes.jsonl", project="harbour")
        found = em.decisions.browse(project="harbour")
    assert [each.decision for each in found] == [SAID.rstrip(".")] * decisions


def test_in_talk_of_persons_it_takes_more_than_wording(tmp_path: Path) -> None:
    said = (
        ("Ann", "How was the last stretch of the race?"),
        (
            "Bob",
            "Yeah, I faced all kinds of trouble - rain, mud... but the worst was my knee. There were moments when I "
            "wondered if I should go on. But with support at home and my own grit, I powered through.",
        ),
        ("Ann", "It made me think how much work we still have to do for fair trails."),
    )
    with engramforge.open(tmp_path / "home") as em:
        for place, (speaker, text) in enumerate(said):
            em.remember(text, kind="message", speaker=speaker, session_id="s1", sequence=place)
        assert not em.decisions.browse() and not em.threads.browse()
