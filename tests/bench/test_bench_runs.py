"""Each benchmark from file to answer, on tiny files: through the command line, as anybody runs them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engramforge.entry.console import COMMANDS
from engramforge.faces.cli.program import run
from engramforge.model.streams.asked import QueryMode

TOP = {"bench", "n", "metrics", "baselines", "seconds", "settings"}
TURN_METRICS = {"recall_at_5", "recall_at_10", "recall_at_20", "hit_at_10", "session_hit_at_10"}

Bench = Callable[..., dict[str, Any]]


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Run `engramforge bench ... --json` in this process; the JSON object."""

    def call(*arguments: str | Path) -> dict[str, Any]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        capsys.readouterr()
        code = run(["bench", *map(str, arguments), "--json"], COMMANDS)
        captured = capsys.readouterr()
        assert code == 0, captured.err
        assert captured.err == ""
        outcome = json.loads(captured.out)
        assert set(outcome) == TOP
        assert outcome["seconds"] > 0
        assert outcome["settings"]["cores"] >= 1
        return dict(outcome)

    return call


def test_locomo(bench: Bench, locomo_file: Path) -> None:
    outcome = bench("locomo", "--data", locomo_file)
    assert outcome["bench"] == "locomo"
    assert outcome["n"] == 7
    assert set(outcome["baselines"]) == {"bm25", "cosine"}
    for metrics in (outcome["metrics"], *outcome["baselines"].values()):
        for where in ("conversation", "pooled"):
            assert set(metrics[where]) == TURN_METRICS
            assert all(0 <= value <= 1 for value in metrics[where].values())
        assert set(metrics["by_category"]) == {"1", "2", "3", "4", "5"}
        assert all("recall_at_10" in each for each in metrics["by_category"].values())
    assert outcome["metrics"]["conversation"]["recall_at_10"] > 0.8
    assert bench("locomo", "--data", locomo_file, "--limit", "2")["n"] == 2


def test_locomo_twice_gives_the_same(bench: Bench, locomo_file: Path) -> None:
    first, two = (bench("locomo", "--data", locomo_file) for _ in range(2))
    for outcome in (first, two):
        del outcome["metrics"]["latency"]
    assert first["metrics"] == two["metrics"]
    assert first["baselines"] == two["baselines"]


@pytest.mark.parametrize("order", [1, -1])
def test_longmemeval(bench: Bench, longmemeval_files: list[Path], order: int) -> None:
    outcome = bench("longmemeval", "--data", *longmemeval_files[::order])
    assert outcome["n"] == 2
    assert set(outcome["baselines"]) == {"bm25"}
    assert {"any_at_5", "all_at_5", "newer_first"} <= set(outcome["metrics"])
    assert outcome["metrics"]["any_at_5"] == 1.0
    assert outcome["settings"]["knowledge_updates"] == 1
    assert outcome["metrics"]["newer_first"] in {0.0, 1.0}


def test_timeqa(bench: Bench, timeqa_file: Path) -> None:
    outcome = bench("timeqa", "--data", timeqa_file)
    assert outcome["n"] == 3
    assert outcome["settings"]["paragraphs"] == 7
    assert {"hit_at_1", "hit_at_3", "unanswerable_auc"} <= set(outcome["metrics"])
    assert outcome["metrics"]["hit_at_3"] == 1.0


def test_timeqa_without_unanswerable_questions(bench: Bench, timeqa_file: Path) -> None:
    assert bench("timeqa", "--data", timeqa_file, "--limit", "1")["metrics"]["unanswerable_auc"] is None


def test_imports(bench: Bench, exports_folder: Path) -> None:
    outcome = bench("imports", "--data", exports_folder)
    assert outcome["metrics"]["messages_expected"] == 8
    assert outcome["metrics"]["messages_found"] == 5
    assert outcome["metrics"]["missing"] == 3
    assert outcome["metrics"]["duplicates_on_second_import"] == 0
    assert outcome["metrics"]["broken_records_reported"] == 1
    assert (
        outcome["settings"]["missing_files"] == list(outcome["settings"]["refused_files"]) == ["other.json"]
    )
    assert outcome["settings"]["nothing_expected"] == ["empty.json"]
    assert outcome["settings"]["found_by_format"] == {"chatgpt": 2, "claude_code": 3, "none": 0}


def test_imports_counts_what_is_missing(bench: Bench, exports_folder: Path) -> None:
    manifest = exports_folder / "manifest.json"
    entries = json.loads(manifest.read_text())
    entries[1]["types"]["user"] = 5
    manifest.write_text(json.dumps(entries))
    outcome = bench("imports", "--data", manifest)
    assert outcome["metrics"]["missing"] == 3 + 4
    assert outcome["settings"]["missing_files"] == ["other.json", "talks/two.jsonl"]


def test_registry(bench: Bench) -> None:
    outcome = bench("registry", "--memories", "200", "--limit", "5")
    assert (outcome["n"], outcome["settings"]["chain"], outcome["settings"]["queries"]) == (200, 40, 5)
    assert set(outcome["baselines"]) == {"plain_objects"}
    for name in ("search", "scoped_search", "stale", "scoped_stale", "trace"):
        half, most = (outcome["metrics"][f"{name}_{share}_ms"] for share in ("p50", "p95"))
        assert 0 < half <= most
    assert 0 < outcome["metrics"]["stale_found"] <= 200


def test_lenses(bench: Bench) -> None:
    outcome = bench("lenses", "--memories", "400", "--limit", "2")
    assert (outcome["n"], outcome["settings"]["lenses"]) == (400, 3)
    assert set(outcome["baselines"]) == {"recalls_in_turn"}
    for measured in (outcome["metrics"], outcome["baselines"]["recalls_in_turn"]):
        assert 0 < measured["orchestrate_p50_ms"] <= measured["orchestrate_p95_ms"]
    assert outcome["metrics"]["scan_seconds"] > 0 and outcome["metrics"]["scan_more_seconds"] > 0


def test_scale(bench: Bench) -> None:
    outcome = bench("scale", "--memories", "400", "--limit", "1")
    metrics = outcome["metrics"]
    assert outcome["n"] == 400
    assert set(outcome["baselines"]) == {"numpy_scan"}
    for name in (
        "ingest_per_second",
        "recall_p50_ms",
        "recall_p95_ms",
        "scoped_recall_p95_ms",
        "orchestrate_p95_ms",
        "growth_ratio",
        "capture_p95_ms",
        "rss_mb",
        "bytes_per_memory",
        "embedding_bytes_per_memory",
        "content_bytes_per_memory",
        "import_ms",
        "cold_cli_ms",
    ):
        assert metrics[name] > 0, name
    assert metrics["recall_p50_ms"] <= metrics["recall_p95_ms"]
    assert metrics["capture_p50_ms"] < metrics["capture_found_p50_ms"]
    assert outcome["settings"]["scope"] == 20


def test_scale_of_a_graph(bench: Bench) -> None:
    outcome = bench("scale", "--memories", "400", "--links", "500", "--limit", "1")
    metrics = outcome["metrics"]
    assert set(outcome["baselines"]) == {"recall"}
    assert 0 < metrics["six_way_p50_ms"] <= metrics["six_way_p95_ms"]
    assert metrics["six_way_on_graph"] > 0 and metrics["hub_six_way_on_graph"] > 0
    assert metrics["hub_ratio"] > 0
    assert {f"{mode}_p95_ms" for mode in QueryMode} <= metrics.keys()


def test_six_ways(bench: Bench, locomo_file: Path) -> None:
    outcome = bench("six_way", "--data", str(locomo_file))
    for measured in (
        *(outcome["metrics"][name] for name in ("union", "vectors")),
        outcome["baselines"]["recall"],
    ):
        assert measured["recall_at_60"] == 1.0
    assert outcome["metrics"]["latency"]["p95_ms"] > 0


def test_a_table_for_people(capsys: pytest.CaptureFixture[str], locomo_file: Path) -> None:
    assert run(["bench", "locomo", "--data", str(locomo_file)], COMMANDS) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("locomo: n = 7")
    assert lines[1].split() == ["metric", "engramforge", "bm25", "cosine"]
    assert any(line.startswith("conversation.recall_at_10 ") for line in lines)


def test_a_truncated_file_is_told(capsys: pytest.CaptureFixture[str], locomo_file: Path) -> None:
    locomo_file.write_bytes(locomo_file.read_bytes()[:-20])
    assert run(["bench", "locomo", "--data", str(locomo_file), "--json"], COMMANDS) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert json.loads(captured.err)["error"] == "InvalidSource"
