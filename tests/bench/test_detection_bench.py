"""The benchmark detection on tiny files of our own: labelled texts, decision records, small talk."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.model_server import KEY, Call, ModelServer

from bench import harness
from engramforge.errors import InvalidSource

TEXTS: list[dict[str, Any]] = [
    {"text": "We decided to use Postgres for the event log.", "decision": True, "thread": False},
    {"text": "TODO: rotate the signing keys", "decision": False, "thread": True},
    {"text": "We have not decided on a database.", "decision": False, "thread": False},
    {"sentence": "Decision: no ORM in the importer.", "label": "decision"},
    {"content": "The museum is open until six.", "labels": []},
    {"text": "The weather changed our plans completely, as so often.", "label": "decision"},
]
RECORD = "# 1. Use queues\n\n## Status\n\n{}\n\n## Context\n\nLoad.\n\n## Decision\n\nWe will use a queue.\n"


def _lines(path: Path, values: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(map(json.dumps, values)))
    return path


def test_labels_of_any_form_are_scored(tmp_path: Path) -> None:
    found = harness.run("detection", [_lines(tmp_path / "texts.jsonl", TEXTS)], harness.Options()).as_dict()
    metrics = found["metrics"]
    assert found["n"] == 6
    assert (metrics["decision"]["wanted"], metrics["decision"]["found"]) == (3, 2)
    assert metrics["decision"]["precision"] == 1 and metrics["decision"]["recall"] == pytest.approx(
        2 / 3, abs=1e-6
    )
    assert metrics["thread"]["f1"] == 1
    assert metrics["with_review"]["decision"]["recall"] >= metrics["decision"]["recall"]
    assert found["baselines"]["cue_words"]["thread"]["precision"] == 0.5


def test_records_and_small_talk(tmp_path: Path, locomo_file: Path) -> None:
    folder = tmp_path / "records" / "one"
    folder.mkdir(parents=True)
    (folder / "0001-queues.md").write_text(RECORD.format("Superseded by ADR 2"))
    (folder / "0002-streams.md").write_text(
        RECORD.format("Accepted").replace("1. Use queues", "2. Use streams")
    )
    (folder / "0003-notes.md").write_text("# 3. Notes\n\nNothing was said.\n")
    index: list[dict[str, Any]] = [
        {"file": "0001-queues.md", "status": "Superseded by ADR 2"},
        {"file": "0002-streams.md", "status": "Accepted"},
        {"file": "0003-notes.md", "status": None},
    ]
    _lines(tmp_path / "records" / "one.index.jsonl", index)
    paths = [tmp_path / "records", locomo_file]
    metrics = harness.run("detection", paths, harness.Options()).as_dict()["metrics"]
    assert {name: metrics["records"][name] for name in ("precision", "recall", "status_accuracy")} == {
        "precision": 1,
        "recall": 1,
        "status_accuracy": 1,
    }
    talk = metrics["small_talk"]
    assert talk["turns"] > 0 and talk["false_per_1000"] == 1_000 * talk["false_entries"] / talk["turns"]


@pytest.mark.parametrize(
    "value", [{"text": "no label"}, {"label": "decision"}, {"text": 3, "decision": True}]
)
def test_what_is_not_labelled_is_refused(tmp_path: Path, value: dict[str, object]) -> None:
    with pytest.raises(InvalidSource):
        harness.run("detection", [_lines(tmp_path / "texts.jsonl", [value])], harness.Options())


def test_dialogues_are_judged_by_what_ended(tmp_path: Path) -> None:
    decided = "We decided to use Redis for the cache."
    dialogues: list[dict[str, Any]] = [
        {"turns": [decided, "---", "Scrap Redis, we go with Memcached."], "ends": "Redis", "by": "Memcached"},
        {"turns": [decided, "We go with Valkey."], "ends": "Redis", "by": "Valkey"},
        {"turns": [decided, "Should we scrap Redis?"], "ends": None, "by": None},
    ]
    path = _lines(tmp_path / "dialogues.jsonl", dialogues)
    found = harness.run("detection", [path], harness.Options()).as_dict()["metrics"]["reversals"]
    assert (found["reversals"], found["ended"], found["precision"], found["recall"]) == (2, 1, 1, 0.5)
    assert found["not_right"] == ["We go with Valkey."]


def test_a_language_model_is_measured_beside_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(call: Call) -> dict[str, Any]:
        sentence = "The weather changed our plans completely"
        if sentence not in call.material:
            return {"decisions": [], "threads": [], "entities": []}
        decision = {"sentence": sentence, "text": sentence, "confidence": 0.9}
        return {"decisions": [decision], "threads": [], "entities": []}

    texts = [_lines(tmp_path / "texts.jsonl", TEXTS)]
    with ModelServer(read) as server:
        assert "by_model" not in harness.run("detection", texts, harness.Options()).as_dict()["metrics"]
        monkeypatch.setenv("MODEL_REASONING", "local:tiny")
        monkeypatch.setenv("ENGRAMFORGE_MODEL_BASE_URL", server.url)
        monkeypatch.setenv("ENGRAMFORGE_MODEL_API_KEY", KEY)
        metrics = harness.run("detection", texts, harness.Options()).as_dict()["metrics"]
    assert len(server.calls) == len(TEXTS)
    found = metrics["by_model"]["decision"]
    assert (found["found"], found["precision"], found["recall"]) == (1, 1, pytest.approx(1 / 3, abs=1e-6))
    assert metrics["decision"]["found"] == 2, "the rules alone"
