"""The text of archives: an exact round trip, edits by hand, cuts, other tools' archives, and texts that are none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.archive_format.head import UNKNOWN_TIME
from engramforge.core.archive_format.reader import read_archive
from engramforge.core.archive_format.recognition import find_archive
from engramforge.core.archive_format.writer import write_archive
from engramforge.errors import InvalidSource
from engramforge.model.registries.archive import (
    ArchiveContent,
    ArchivedArtifact,
    ArchivedDecision,
    ArchivedEdge,
    ArchivedMemory,
    ArchivedThread,
    RelatedDecision,
    Revalidation,
)
from engramforge.model.registries.entry import DecisionStatus, Priority, ThreadStatus
from engramforge.model.registries.lineage import CompressionMode

START = datetime(2026, 5, 1, 9, tzinfo=UTC)
# Lines that look like the structure of an archive, in any text.
NASTY = [
    "---", "## Decisions", "### D001: x", "> quoted", ">= \"x\"", "```", "| a | b |", "- status: active",
    "Rationale:", "engramforge_archive: 1", "<!-- end of archive: sha256 0 of 1 characters -->", "\r\n", "\r", "\\|",
    "", " ", "-", "\\-", "\u2028", "\x85", "\ufeff", "null", "yes", "1", "2026-05-01", '"', "[x]", "'", "#", "&a", "*a",
    "\t", "a: b", "🧵", "e\u0301", "\x00", "never",
]  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=30),
    st.lists(st.sampled_from(NASTY), max_size=4).map("\n".join),
    st.lists(st.sampled_from(NASTY), max_size=3).map(" ".join),
    st.sampled_from(NASTY),
)
UNITS = st.floats(0, 1)
COUNTS = st.integers(0, 10**6)
TIMES = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001
OPTIONAL = st.none() | TEXTS
MANY = st.lists(TEXTS, max_size=3).map(tuple)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def few(made: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Up to two of them, as a tuple."""
    return st.lists(made, max_size=2).map(tuple)


CONTENTS = st.builds(
    ArchiveContent,
    conversation_id=TEXTS.filter(bool),
    project=TEXTS,
    compression_tag=TEXTS,
    compression_mode=st.sampled_from(CompressionMode),
    compressed_at=TIMES,
    lineage_id=OPTIONAL,
    turn_range=st.none() | st.tuples(COUNTS, COUNTS),
    context=OPTIONAL,
    summary=TEXTS,
    decisions=few(
        st.builds(
            ArchivedDecision,
            local_id=TEXTS,
            id=OPTIONAL,
            decision=TEXTS,
            rationale=TEXTS,
            epistemic_tier=UNITS,
            status=st.sampled_from(DecisionStatus),
            alternatives_rejected=MANY,
            last_validated=st.none() | TIMES,
            validation_count=COUNTS,
            hops=COUNTS,
            tags=MANY,
        )
    ),
    threads=few(
        st.builds(
            ArchivedThread,
            local_id=TEXTS,
            id=OPTIONAL,
            title=TEXTS,
            content=TEXTS,
            status=st.sampled_from(ThreadStatus),
            priority=st.sampled_from(Priority),
            blocked_by=MANY,
            resolution=OPTIONAL,
            tags=MANY,
        )
    ),
    artifacts=few(
        st.builds(ArchivedArtifact, local_id=TEXTS, id=OPTIONAL, name=TEXTS, version=COUNTS, content=TEXTS)
    ),
    memories=few(
        st.builds(
            ArchivedMemory,
            local_id=TEXTS,
            id=OPTIONAL,
            kind=TEXTS,
            speaker=OPTIONAL,
            at=st.none() | TIMES,
            content=TEXTS,
        )
    ),
    lineage=few(
        st.builds(
            ArchivedEdge,
            id=TEXTS,
            source_conversation_id=TEXTS,
            target_conversation_id=OPTIONAL,
            compression_tag=TEXTS,
            compression_mode=st.sampled_from(CompressionMode),
            compressed_at=st.none() | TIMES,
        )
    ),
    revalidation=few(
        st.builds(
            Revalidation,
            local_id=TEXTS,
            decision=TEXTS,
            epistemic_tier=UNITS,
            last_validated=st.none() | TIMES,
            hops=COUNTS,
        )
    ),
    related=few(
        st.builds(
            RelatedDecision,
            id=TEXTS,
            project=TEXTS,
            decision=TEXTS,
            epistemic_tier=UNITS,
            relevance=UNITS,
            reason=TEXTS,
            conflicts=st.booleans(),
        )
    ),
    external_store=st.dictionaries(TEXTS, JSON, max_size=3),
)


@settings(max_examples=150, deadline=None)
@given(CONTENTS)
def test_what_is_written_is_read_back(content: ArchiveContent) -> None:
    text = write_archive(content)
    read = read_archive(text)
    assert read.content == content
    assert [problem for problem in read.problems if "comes twice" not in problem] == []
    assert find_archive(text) is not None
    assert "\r" not in text


@settings(max_examples=30, deadline=None)
@given(CONTENTS)
def test_an_archive_survives_other_line_ends_and_words_around_it(content: ArchiveContent) -> None:
    text = write_archive(content)
    assert read_archive(text.replace("\n", "\r\n")).content == content
    pasted = read_archive(f"Please go on from here:\n\n```markdown\n{text}```\n")
    assert pasted.content == content


@settings(max_examples=150, deadline=None)
@given(CONTENTS, st.data())
def test_a_cut_archive_is_read_as_far_as_it_goes(content: ArchiveContent, data: st.DataObject) -> None:
    text = write_archive(content)
    kept = data.draw(st.integers(text.index("---", 4) + 60, len(text) - 2))
    read = read_archive(text[:kept])
    assert any("cut short" in problem for problem in read.problems)
    for name in ("decisions", "threads", "memories"):
        whole, part = getattr(content, name), getattr(read.content, name)
        # All but the last, in which the cut may be, are as they were.
        assert part[:-1] == whole[: max(len(part) - 1, 0)]


@settings(max_examples=60, deadline=None)
@given(CONTENTS, st.data())
def test_no_edit_makes_it_unreadable(content: ArchiveContent, data: st.DataObject) -> None:
    lines = write_archive(content).split("\n")
    # The head's key stays: without any mark of it a text is no archive.
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(2, max(len(lines) - 1, 2)))
        edit = data.draw(st.sampled_from(["drop", "add", "change", "swap"]))
        if edit == "add":
            lines.insert(at, data.draw(TEXTS))
        elif at < len(lines):
            if edit == "drop":
                del lines[at]
            elif edit == "change":
                cut = data.draw(st.integers(0, len(lines[at])))
                lines[at] = lines[at][:cut] + data.draw(TEXTS)
            else:
                lines[at], lines[-1] = lines[-1], lines[at]
    read = read_archive("\n".join(lines))
    # And what was read of it is an archive again.
    assert read_archive(write_archive(read.content)).content.decisions == read.content.decisions


def small() -> ArchiveContent:
    """An archive as a person may meet it."""
    return ArchiveContent(
        conversation_id="conv-7",
        project="atlas",
        compression_tag="API_DESIGN",
        compressed_at=START,
        lineage_id="lin_0123456789ab",
        turn_range=(1, 35),
        decisions=(
            ArchivedDecision(
                local_id="D001",
                id="dec_0123456789ab",
                decision="Use UUID v7 for all resource ids",
                rationale="They sort by time.\n\nNobody has to coordinate.",
                epistemic_tier=0.85,
                alternatives_rejected=("auto-increment", "UUID v4"),
                last_validated=START,
                validation_count=3,
                tags=("database", "identifiers"),
            ),
            ArchivedDecision(local_id="D002", decision="Pages hold 50 rows", hops=4),
        ),
        threads=(
            ArchivedThread(
                local_id="T001",
                title="Design pagination",
                content="Cursor or offset?",
                priority=Priority.HIGH,
            ),
            ArchivedThread(local_id="T002", title="Write the migration", blocked_by=("T001",)),
        ),
        memories=(ArchivedMemory(local_id="M001", speaker="Ada", at=START, content="Shall we?\n- yes"),),
        revalidation=(
            Revalidation(
                local_id="D002",
                decision="Pages hold 50 rows",
                epistemic_tier=0.5,
                last_validated=START - timedelta(days=40),
                hops=4,
            ),
        ),
        external_store={"type": "engramforge", "contains": {"memories": 1}},
    )


def test_a_person_can_read_it() -> None:
    text = write_archive(small())
    for line in (
        "conversation: conv-7",
        "# Archive: API_DESIGN",
        "### D001: Use UUID v7 for all resource ids",
        "- rejected: UUID v4",
        "> They sort by time.",
        "| D002 | Pages hold 50 rows | 0.5 | 2026-03-22T09:00:00Z | 4 |",
        "### M001: Ada",
        "> - yes",
    ):
        assert line in text.split("\n")


def test_what_matters_most_comes_first() -> None:
    text = write_archive(small())
    order = ["Revalidation Required", "Decisions", "Threads", "Retrieval Protocol", "Conversation"]
    places = [text.index(f"\n## {title}\n") for title in order]
    assert places == sorted(places)


def test_edits_by_hand_are_read_and_their_faults_have_lines() -> None:
    text = write_archive(small())
    edited = (
        text.replace(
            "### T001: Design pagination", "Some note of mine.\n\n### T001: Design pagination for v2"
        )
        .replace("- priority: high", "- priority: urgent\n- status: resolved\n- owner: Ada")
        .replace("> Nobody has to coordinate.", "> Nobody has to coordinate.\n\nI still believe it.")
        .replace("| D002 | Pages hold 50 rows | 0.5 |", "| D002 | Pages hold 50 rows | half |")
        .replace("## Conversation", "## Thoughts\n\nNone.\n\n## Conversation")
    )
    read = read_archive(edited)
    thread = read.content.threads[0]
    assert (thread.title, thread.status, thread.priority) == (
        "Design pagination for v2",
        ThreadStatus.RESOLVED,
        Priority.MEDIUM,
    )
    assert read.content.decisions == small().decisions
    assert read.content.revalidation[0].epistemic_tier == 0.5
    assert read.content.memories == small().memories
    lines = edited.split("\n")
    for fault, where in (
        ("'urgent' is none of high, medium, low", "- priority: urgent"),
        ("has no field 'owner'", "- owner: Ada"),
        ("a note at D001", "I still believe it."),
        ("a note among the threads", "Some note of mine."),
        ("'half' is no number", "| half |"),
        ("'Thoughts' is unknown", "## Thoughts"),
    ):
        problem = next((item for item in read.problems if fault in item), "")
        number = next(place for place, line in enumerate(lines, 1) if where in line)
        assert problem.startswith(f"line {number}:"), (fault, read.problems)
    assert any("edited since it was written" in item for item in read.problems)


def test_sections_may_be_missing_and_in_another_order() -> None:
    text = write_archive(small())
    head, _, body = text.partition("\n# Archive")
    parts = ("# Archive" + body).split("\n## ")
    kept = [part for part in parts[1:] if not part.startswith(("Retrieval", "Revalidation"))]
    read = read_archive(head + "\n" + parts[0] + "".join(f"\n## {part}" for part in reversed(kept)))
    assert read.content.decisions == small().decisions
    assert read.content.threads == small().threads
    assert read.content.revalidation == ()
    assert any("0 of 1 revalidation" in problem for problem in read.problems)


def test_without_its_head_it_is_still_read() -> None:
    text = write_archive(small())
    read = read_archive(text[text.index("# Archive") :])
    assert read.content.decisions == small().decisions
    assert read.content.compressed_at == UNKNOWN_TIME
    told = " / ".join(read.problems)
    assert "the head is missing" in told
    assert "which conversation" in told


@pytest.mark.parametrize(
    "broken",
    [
        "project: [atlas",
        "project: *anything",
        "project: &a [*a, *a]",
        "\tproject: atlas",
        "external_store: " + "[" * 5_000,
        "mode: whole",
        "turn_range: some",
        "compressed_at: yesterday",
    ],
)
def test_a_broken_head_costs_its_own_lines_only(broken: str) -> None:
    text = write_archive(small()).replace("tag: API_DESIGN", f"tag: API_DESIGN\n{broken}", 1)
    read = read_archive(text)
    assert read.content.conversation_id == "conv-7"
    assert read.content.decisions == small().decisions
    assert any(problem.startswith("line ") for problem in read.problems), read.problems


def test_a_later_format_is_read_and_says_which_is_known() -> None:
    text = write_archive(small()).replace("engramforge_archive: 1", "engramforge_archive: 7")
    read = read_archive(text)
    assert any("format version 7" in problem and "knows 1" in problem for problem in read.problems)
    assert read.content.decisions == small().decisions


def test_a_row_that_is_broken_costs_itself_only() -> None:
    text = write_archive(small()).replace(
        "| D002 | Pages hold 50 rows | 0.5 | 2026-03-22T09:00:00Z | 4 |",
        "| D002 | Pages |\n| | | |\n| D009 | x | 1 |",
    )
    read = read_archive(text)
    assert read.content.revalidation[0].local_id == "D002"
    assert sum("cells, not 5" in problem for problem in read.problems) == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "We compressed the archive of 2019 and moved it.",
        "# Archive\n\nOld papers, D001 among them, lie in the cellar.",
        "The continuation prompt of the skill holds D001 and T001; see compression_lineage.",
        "- D001: Use UUID v7\n- T001: open\n",
        "x" * 100_000,
    ],
)
def test_what_is_no_archive_is_refused(text: str) -> None:
    assert find_archive(text) is None
    with pytest.raises(InvalidSource, match="no archive"):
        read_archive(text)


def test_a_text_about_archives_is_none() -> None:
    about = (
        "# Assessment: Compression Skill\n\nIDs such as D001 are local.\n\n| Structured IDs (D001, T001) | good |\n\n"
        "```markdown\n## Revalidation Required\n\n| ID | Decision |\n|----|----|\n| D003 | Attention |\n```\n\n"
        "```yaml\nexternal_store:\n  type: vector_db\n  prior_compressions: [list]\n```\n"
    )
    assert find_archive(about) is None


OLDER_LIST = """\
# Compressed Context: PAGINATION_DONE

**Project:** The Atlas
**Mode:** lossless
**Date:** 2026-02-08
Source conversation: 48ff6473

## Decisions

- **D001** [0.85]: Use UUID v7 for all resource ids. Rationale: sortable. Rejected: auto-increment, UUID v4
- D002 (tier 0.6): Pages hold 50 rows
  - Rationale: fits one screen
  - Status: superseded

## Open Threads

- **T001** [OPEN] (high): Design pagination strategy
- T002: Write the migration, blocked by T001

## Resolved Threads

- T003: Pick a database - Resolution: SQLite

## Retrieval Protocol

- "Why did we decide X?" searches the decisions.
"""

OLDER_TABLES = """\
CONTINUATION PROMPT

| ID | Decision | Rationale | Tier | Status |
|----|----------|-----------|------|--------|
| D001 | Use UUID v7 | sortable | 0.85 | active |
| D002 | Pages hold 50 rows | | 0.6 | revised |

| ID | Thread | Status | Priority |
|----|--------|--------|----------|
| T001 | Design pagination | OPEN | high |

## compression_lineage

| Tag | Source | Date |
|-----|--------|------|
| TOPIC_A | 11aa | 2026-01-05 |

## Decisions Needing Revalidation

| ID | Decision | Tier | Last Validated | Hops Since |
|----|----------|------|----------------|------------|
| D001 | Use UUID v7 | 0.85 | 2026-01-05 | 4 |
"""

OLDER_YAML = """\
compression_tag: TOPIC_B
compression_mode: lossy
decisions:
  - id: D001
    decision: "Use UUID v7"
    rationale: sortable
    tier: 0.85
threads:
  - id: T001
    title: Design pagination
    status: resolved
    resolution: cursors
"""


@pytest.mark.parametrize("text", [OLDER_LIST, OLDER_TABLES, OLDER_YAML, f"Go on:\n```\n{OLDER_LIST}```\n"])
def test_archives_of_older_tools_are_recognised(text: str) -> None:
    assert find_archive(text) is not None
    read = read_archive(text)
    first = read.content.decisions[0]
    assert (first.local_id, first.decision.startswith("Use UUID v7"), first.epistemic_tier) == (
        "D001",
        True,
        0.85,
    )
    assert first.rationale == "sortable"
    assert read.content.threads[0].title.startswith("Design pagination")
    assert "another tool's" in read.problems[0]


def test_an_older_list_says_all_it_says() -> None:
    content = read_archive(OLDER_LIST).content
    assert content.project == "The Atlas"
    assert content.conversation_id == "48ff6473"
    assert content.compressed_at == datetime(2026, 2, 8, tzinfo=UTC)
    assert content.decisions[0].alternatives_rejected == ("auto-increment", "UUID v4")
    assert content.decisions[1].rationale == "fits one screen"
    assert content.decisions[1].status is DecisionStatus.SUPERSEDED
    assert [
        (thread.local_id, thread.status, thread.priority, thread.blocked_by) for thread in content.threads
    ] == [
        ("T001", ThreadStatus.OPEN, Priority.HIGH, ()),
        ("T002", ThreadStatus.OPEN, Priority.MEDIUM, ("T001",)),
        ("T003", ThreadStatus.RESOLVED, Priority.MEDIUM, ()),
    ]
    assert content.threads[2].resolution == "SQLite"


def test_older_tables_are_read() -> None:
    content = read_archive(OLDER_TABLES).content
    assert [(decision.decision, decision.status) for decision in content.decisions] == [
        ("Use UUID v7", DecisionStatus.ACTIVE),
        ("Pages hold 50 rows", DecisionStatus.REVISED),
    ]
    assert content.lineage[0].source_conversation_id == "11aa"
    assert content.revalidation[0].hops == 4


def test_recognising_costs_little() -> None:
    # A long message without a word of archives, and one that is full of them: neither may take long.
    from time import process_time

    for text in (
        "The pump failed again after the valve. " * 25,
        "archive compression continuation D001 " * 5_000,
    ):
        started = process_time()
        assert find_archive(text) is None
        assert process_time() - started < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "# Continuation\ncompression_lineage\n- D001: " + "rationale: " * 20_000,
        "# Continuation\ncompression_lineage\n- D001: " + "(" * 100_000,
        "# Continuation\ncompression_lineage\n- T001: x blocked by " + "T1 and " * 20_000,
        "# Continuation\ncompression_lineage\n| D001 " + "| a " * 20_000,
        "---\nengramforge_archive: 1\nx: " + "{a: " * 50_000 + "\n---\n## Decisions\n\n### D001: x\n",
        "---\nengramforge_archive: 1\n---\n## Lineage\n\n| ID | From |\n|---|---|\n| "
        + "\\" * 50_000
        + "|\n",
        "---\nengramforge_archive: 1\nturn_range: ["
        + "9" * 6_000
        + ", 2]\n---\n## Decisions\n\n### D001: x\n",
    ],
)
def test_a_hostile_text_takes_no_long(text: str) -> None:
    from time import process_time

    started = process_time()
    read = read_archive(text)
    assert process_time() - started < 5
    assert read.problems


@pytest.mark.parametrize("name", ["-", "- x", ": y", "\u2014 q", "\u00b7", "#", "**x**"])
def test_a_name_may_begin_with_any_mark(name: str) -> None:
    artifact = ArchivedArtifact(local_id="A001", name=name, content="x")
    said = ArchiveContent(
        conversation_id="c", compressed_at=datetime(2026, 1, 1, tzinfo=UTC), artifacts=(artifact,)
    )
    assert read_archive(write_archive(said)).content == said
