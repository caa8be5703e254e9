"""A decision that a record only proposes is called so, until the record is accepted."""

from __future__ import annotations

from pathlib import Path

from .conftest import Cli

RECORD = """# 4. Queue jobs in Redis

Date: 2026-03-01

## Status

{status}

## Context

Workers need a queue for their jobs.

## Decision

We will queue jobs in Redis.
"""


def test_a_proposed_record(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "shop" / "adr"
    folder.mkdir(parents=True)
    record = folder / "0004-queue-jobs-in-redis.md"
    record.write_text(RECORD.format(status="Proposed"))
    cli("import", str(folder))
    (found,) = cli("decisions", "--json").json["decisions"]
    assert (found["status"], found["epistemic_tier"]) == ("active", 0.3)
    assert " proposed " in cli("decisions").out
    assert "proposed, tier 0.3" in cli("context", "where are jobs queued?", "--text").out

    record.write_text(RECORD.format(status="Accepted"))
    cli("import", str(folder))
    (found,) = cli("decisions", "--json").json["decisions"]
    assert (found["status"], found["epistemic_tier"]) == ("active", 0.8)
    assert " proposed " not in cli("decisions").out


def test_a_full_page_says_so(cli: Cli) -> None:
    for number in range(3):
        cli("decisions", "create", f"Store invoices of region {number} apart")
        cli("threads", "create", f"Move region {number}")
    for entries in ("decisions", "threads"):
        assert "These are the first 2; --limit and --offset show others." in cli(entries, "--limit", "2").out
        assert "the first" not in cli(entries).out
        assert "the first" not in cli(entries, "--limit", "2", "--json").out
