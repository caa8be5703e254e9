"""What is recorded must not drive the terminal: no command sends a control character, in whatever field it stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import engramforge

from .conftest import Answer, Cli

CONTROLS: Final = "\x1b[2J\x1b]0;title\x07\x9b31m\x08\x7f\r"
TURNS: Final = "\u202egnorw\u202c \u2066x\u2069"
TAGS: Final = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
HOSTILE: Final = f"Oak pier {CONTROLS} {TURNS} {TAGS} end"
NAME: Final = f"oak {TURNS} {TAGS}"
"""A name may not hold control characters, but the others."""
_STYLES: Final = re.compile(r"\x1b\[(?:[0-9;]*[mK]|\?25[lh])")
_SENT: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)


def _fill(home: Path) -> dict[str, str]:
    with engramforge.open(home) as forge:
        memory = forge.remember(
            HOSTILE,
            project=NAME,
            session_id=NAME,
            name=NAME,
            speaker=NAME,
            tags=[NAME],
            goal=HOSTILE,
            mindstate=HOSTILE,
            metadata={HOSTILE: HOSTILE},
            kind="message",
            sequence=0,
        )
        other = forge.remember("Oak floats", project=NAME)
        felt: dict[str, Any] = {"energy": 0.5, "confidence": 0.5, "emotion_vector": {NAME: 0.5}}
        forge.link(
            memory.logical_id,
            other.logical_id,
            "CAUSES",
            goal=HOSTILE,
            mindstate=HOSTILE,
            felt_quality=HOSTILE,
            **felt,
        )
        forge.decisions.create(
            HOSTILE, rationale=HOSTILE, alternatives_rejected=[HOSTILE], conversation=NAME, project=NAME
        )
        forge.threads.create(NAME, HOSTILE, conversation=NAME, project=NAME)
        edge = forge.archives.compress(NAME, tag=NAME, project=NAME).edge
        forge.revise(other.logical_id, HOSTILE, goal=HOSTILE)
        return {"memory": memory.logical_id, "other": other.logical_id, "edge": edge.id}


def _commands(ids: dict[str, str], archive: Path) -> list[tuple[str, ...]]:
    return [
        ("recall", "oak pier"),
        ("list",),
        ("projects",),
        ("stats",),
        ("show", ids["memory"], "--all"),
        ("history", ids["other"]),
        ("timeline", ids["other"]),
        ("links", ids["memory"]),
        ("decisions", "list"),
        ("decisions", "search", "oak"),
        ("threads", "list"),
        ("lineage", "list"),
        ("lineage", "show", NAME),
        ("context", "oak pier"),
        ("compress", NAME),
        ("continue", str(archive), "--conversation", "next"),
        ("review", "list"),
        ("doctor",),
        ("show", HOSTILE.replace("\x00", "")),
        ("recall", "oak", "--project", f"{NAME}?"),
        ("list", "--project", HOSTILE),
        (HOSTILE,),
        ("import", f"/nowhere/{HOSTILE}"),
        ("--trace", "show", HOSTILE),
        ("forget", ids["memory"]),
    ]


@pytest.mark.parametrize("stream", ["cli", "on_terminal"])
def test_no_command_sends_what_drives_a_terminal(
    home: Path, tmp_path: Path, stream: str, request: pytest.FixtureRequest
) -> None:
    run: Callable[..., Answer] = request.getfixturevalue(stream)
    ids = _fill(home)
    with engramforge.open(home) as forge:
        archive = tmp_path / "archive.md"
        archive.write_text(forge.archives.compress(NAME, project=NAME).text, encoding="utf-8")
    shown = 0
    for command in _commands(ids, archive):
        answer = run(*command)
        is_text_for_a_file = command[0] in ("compress", "continue") and stream == "cli"
        out = _STYLES.sub("", answer.out) if stream == "on_terminal" else answer.out
        err = _STYLES.sub("", answer.err) if stream == "on_terminal" else answer.err
        assert is_text_for_a_file or not _SENT.search(out), (command, out)
        assert not _SENT.search(err.replace("\r", "")), (command, err)
        assert "\x1b" not in out
        shown += "\\x1b[2J" in out + err or "\\u202e" in out + err
    assert shown > 15


def test_json_stays_exact(home: Path, cli: Callable[..., Answer]) -> None:
    ids = _fill(home)
    assert cli("show", ids["memory"], "--json").json["memory"]["content"] == HOSTILE
    assert [each["name"] for each in cli("projects", "--json").json["projects"]] == [NAME]


def test_an_archive_that_goes_through_a_pipe_is_exact(
    home: Path, tmp_path: Path, cli: Callable[..., Answer]
) -> None:
    _fill(home)
    file = tmp_path / "archive.md"
    file.write_text(cli("compress", NAME).out, encoding="utf-8")
    with engramforge.open(home) as forge:
        read = forge.archives.read(file.read_text(encoding="utf-8"))
        assert read.problems == ()


def test_each_hit_is_told_in_a_few_lines_and_whole_on_request(cli: Cli) -> None:
    padding = "The weather was mild and the harbour was quiet that day. "
    for number in range(6):
        text = f"{padding * 12}\n\nCrane {number} is greased with calcium soap.\n\n{padding * 12}"
        cli("remember", text, "--project", "port", "--no-near")
    told = cli("recall", "What is crane 3 greased with?", "--project", "port").out
    hits = re.split(r"(?m)^\d+\.  ", told)[1:]
    assert len(hits) == 6
    for rank, hit in enumerate(hits):
        lines = hit.splitlines()[1:]
        excerpt = lines[: next(at for at, line in enumerate(lines) if "found by" in line)]
        assert len(excerpt) <= (12, 5, 3)[min(rank, 2)] and all(len(line) <= 80 for line in excerpt)
        assert "calcium soap" in " ".join(map(str.strip, excerpt))
    assert told.splitlines()[-1].endswith("more of each with --explain")
    whole = cli(
        "recall", "What is crane 3 greased with?", "--project", "port", "--explain", "--limit", "1"
    ).out
    assert whole.count("The weather was mild") > 6
    hits = cli("recall", "What is crane 3 greased with?", "--project", "port", "--json").json["hits"]
    assert len(hits[0]["excerpt"]) > 700
