"""Vaults of notes: tags, observations, wiki links as links, and what becomes of them when notes change."""

import os
from pathlib import Path

import pytest
from tests.capture.conftest import Workbench, run

from engramforge.capture.imports.survey import survey
from engramforge.core.text.wiki_text import WikiLink, read_wiki_text, relation_of
from engramforge.model.link import Link
from engramforge.model.memory import Memory
from engramforge.model.search.selection import Selection
from engramforge.model.time import InvalidationReason, TemporalMode

TEA = """---
title: Green tea
type: note
permalink: drinks/green-tea
tags: [drink, hot]
created: 2025-03-01
aliases:
  - Sencha
---
# Green tea

Steep it for two minutes, see [[Water#Temperature|how hot]] and [[Pots/Kyusu]].

## Observations
- [method] Seventy degrees are enough #brewing/time
- [ ] buy more
- [x] clean the pot

## Relations
- grown in [[Uji]]
- pairs_with [[Mochi]] (on Sundays)
- A much longer sentence about [[Water]]
"""
CODE = "```\n[[Not a link]] #notag\n```\n`[[nor this]]` but [[Sencha]] ![[Kyusu]] ![[pot.png]] #42 #a1\n"


def write(root: Path, **notes: str) -> Path:
    for name, text in notes.items():
        path = root / f"{name.replace('__', '/')}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (1_750_000_000, 1_750_000_000))
    return root


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "kitchen"
    (root / ".obsidian").mkdir(parents=True)
    (root / ".obsidian" / "app.md").write_text("[[Green tea]]")
    return write(
        root,
        Green_tea=TEA,
        Water="# Water\n\nSoft water is best.\n",
        Pots__Kyusu=CODE,
        Uji="A town. [[Nowhere]] [[Nowhere]] [[other-nowhere.v2]]\n",
        Mochi="Rice.\n",
    )


def by_note(bench: Workbench) -> dict[str, Memory]:
    return {Path(memory.chunk.file_path).stem: memory for memory in bench.every() if memory.chunk}


def linked(bench: Workbench, mode: TemporalMode = TemporalMode.CURRENT) -> dict[tuple[str, str, str], Link]:
    names = {
        memory.logical_id: Path(memory.chunk.file_path).stem for memory in bench.every(mode) if memory.chunk
    }
    selection = None if mode is TemporalMode.CURRENT else Selection(mode=mode)
    links = bench.door.asking(bench.scope).links(sorted(names), selection)
    return {(names[link.source_id], link.relation, names[link.target_id]): link for link in links}


def test_a_note_says_links_tags_and_observations() -> None:
    said = read_wiki_text(TEA.split("---\n", 2)[2])
    assert said.links == (
        WikiLink("Water", "Temperature", "how hot"),
        WikiLink("Pots/Kyusu"),
        WikiLink("Uji", relation="GROWN_IN"),
        WikiLink("Mochi", relation="PAIRS_WITH"),
    )
    assert said.tags == ("brewing/time",)
    assert [(observation.category, observation.fact) for observation in said.observations] == [
        ("method", "Seventy degrees are enough #brewing/time")
    ]
    assert [link.target for link in read_wiki_text(CODE).links] == ["Sencha", "Kyusu", "pot.png"]
    assert read_wiki_text(CODE).tags == ("a1",)
    assert read_wiki_text("| [[A\\|shown]] | [[#here]] | [text](x.md) # no\n").links == (
        WikiLink("A", "", "shown"),
    )
    assert (relation_of("is part-of"), relation_of("one two three four"), relation_of("—")) == (
        "IS_PART_OF",
        "",
        "",
    )


def test_a_vault_comes_in_with_its_links_once(bench: Workbench, vault: Path) -> None:
    report = run(bench, vault)
    assert (report.format, report.project, report.found, report.written) == ("obsidian", "kitchen", 5, 5)
    numbers = report.details["files"]["kitchen"]
    assert (numbers["links"], numbers["links_unresolved"], numbers["records"]) == (5, 2, {"note": 5})
    assert set(linked(bench)) == {
        ("Green_tea", "RELATES_TO", "Water"),
        ("Green_tea", "RELATES_TO", "Kyusu"),
        ("Green_tea", "GROWN_IN", "Uji"),
        ("Green_tea", "PAIRS_WITH", "Mochi"),
        ("Kyusu", "RELATES_TO", "Green_tea"),
    }
    tea = by_note(bench)["Green_tea"]
    assert set(tea.tags) == {"drink", "hot", "brewing/time", "method"}
    assert tea.metadata["permalink"] == "drinks/green-tea" and tea.metadata["type"] == "note"
    assert tea.metadata["observations"][0]["category"] == "method"
    assert tea.valid_at.date().isoformat() == "2025-03-01"
    link = linked(bench)["Green_tea", "RELATES_TO", "Water"]
    assert link.extra["heading"] == "Temperature" and (link.goal, link.mindstate) == ("unstated", "captured")
    assert by_note(bench)["Mochi"].name == "Mochi"
    again = run(bench, vault)
    assert (again.found, again.written, len(linked(bench))) == (5, 0, 5)


def test_links_follow_what_notes_say(bench: Workbench, vault: Path) -> None:
    run(bench, vault)
    before = linked(bench)
    write(
        vault,
        Green_tea=TEA.replace("[[Pots/Kyusu]]", "[[Teapot]]"),
        Teapot="New: [[Water]]\n",
        Nowhere="Here.\n",
    )
    report = run(bench, vault)
    numbers = report.details["files"]["kitchen"]
    assert (report.written, report.superseded) == (2, 1)
    assert (numbers["links"], numbers["links_ended"], numbers["links_there"]) == (3, 1, 4)
    after = linked(bench)
    assert ("Green_tea", "RELATES_TO", "Kyusu") not in after and ("Uji", "RELATES_TO", "Nowhere") in after
    ended = linked(bench, TemporalMode.FULL_HISTORY)["Green_tea", "RELATES_TO", "Kyusu"]
    assert ended.invalidation_reason is InvalidationReason.REALITY_CHANGED
    kept = "Green_tea", "GROWN_IN", "Uji"
    assert after[kept].id == before[kept].id


def test_a_renamed_and_a_deleted_note(bench: Workbench, vault: Path) -> None:
    run(bench, vault)
    (vault / "Water.md").rename(vault / "Spring.md")
    (vault / "Mochi.md").unlink()
    report = run(bench, vault)
    assert report.invalidated == 1 and report.written == 0, "what only moved is the same memory"
    assert set(linked(bench)) - {("Spring", "REVISES", "Spring")} == {
        ("Green_tea", "RELATES_TO", "Kyusu"),
        ("Green_tea", "GROWN_IN", "Uji"),
        ("Kyusu", "RELATES_TO", "Green_tea"),
    }
    (vault / "Green_tea.md").write_text(TEA.replace("[[Water#Temperature|", "[[Spring#Temperature|"))
    run(bench, vault)
    assert ("Green_tea", "RELATES_TO", "Spring") in linked(bench)


def test_a_link_that_somebody_ended_as_false_stays_ended(bench: Workbench, vault: Path) -> None:
    run(bench, vault)
    place = "Green_tea", "PAIRS_WITH", "Mochi"
    wrong = linked(bench)[place]
    reason = InvalidationReason.DISCOVERED_FALSE
    bench.door.write(bench.scope, lambda writes: writes.expire_link(wrong.id, bench.clock(), reason))
    write(vault, Water="# Water\n\nHard water will do.\n")
    report = run(bench, vault)
    assert report.superseded == 1 and place not in linked(bench)


def test_what_is_no_vault_stays_markdown(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain", a="# A\n\n`[[b]]` and [text](b.md)\n", b="# B\n\nif [[ -f x ]]; then\n")
    assert survey(plain, None).format == "markdown"
    linking = write(tmp_path / "linking", a="See [[b]].\n", b="B\n")
    assert survey(linking, None).format == "obsidian"
    assert survey(linking, "markdown").format == "markdown"
    (linking / "main.py").write_text("x = [[1]]\n")
    assert survey(linking, None).format == "markdown"
    basic = write(tmp_path / "basic", a="---\npermalink: a\n---\n- [fact] one\n")
    assert survey(basic, None).format == "obsidian"
    assert survey(plain, "obsidian").format == "obsidian"
