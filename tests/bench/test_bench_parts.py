"""The parts of the benchmarks that need no store: measures, reading, baselines, synthetic memories."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from bench.baselines import BaselineRanker, Bm25, Cosine
from bench.harness import Document, Options
from bench.records import read_records
from bench.scale import _plan
from bench.static_model import mean_vectors, whole_words
from bench.synthetic import PROJECTS, SCOPED, Generator
from hypothesis import given
from hypothesis import strategies as st

from bench import harness, imports, locomo, longmemeval, measures, timeqa
from engramforge.errors import InvalidSource, InvalidTime, InvalidValue


def test_recall_and_hit() -> None:
    ranked = [5, 3, 9, 1]
    assert measures.recall_at(ranked, {3, 1}, 2) == 0.5
    assert measures.recall_at(ranked, {3, 1}, 4) == 1.0
    assert measures.hit_at(ranked, {1}, 3) == 0.0
    assert measures.hit_at(ranked, {1}, 4) == 1.0


def test_auc_counts_ties_half() -> None:
    assert measures.auc([1.0, 0.5], [0.5, 0.0]) == pytest.approx(3.5 / 4)
    assert measures.auc([], [1.0]) is None


@given(st.lists(st.floats(0, 100), min_size=1), st.floats(0.01, 1.0))
def test_percentile_is_a_measured_value(values: list[float], share: float) -> None:
    found = measures.percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values) - 1e-9


def test_mean_of_nothing_is_nothing() -> None:
    assert measures.mean([]) is None
    assert measures.mean([1.0, 2.0]) == 1.5


def test_distinct_keeps_the_first_place() -> None:
    assert measures.distinct([1, 2, 11, 3], lambda key: str(key % 10)) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "holds no record"),
        (b'{"a": 1}\n{"b": ', "not JSON"),
        (b"[1]\n", "not an object"),
        (b"\xff\xfe{}", "not UTF-8"),
        (gzip.compress(b'{"a": 1}\n' * 500, mtime=0)[:-12], "cut short"),
        (b"\x1f\x8bnot gzip at all", "cut short"),
    ],
    ids=["empty", "cut JSON", "a list", "bytes", "cut gzip", "no gzip"],
)
def test_a_damaged_file_is_refused_by_name(tmp_path: Path, content: bytes, fault: str) -> None:
    path = tmp_path / "file.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidSource) as caught:
        read_records([path])
    assert fault in caught.value.fault
    assert str(path) in caught.value.fault
    assert caught.value.mend


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match="No such file"):
        read_records([tmp_path / "absent.jsonl"])


def test_a_deeply_nested_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text("[" * 100_000)
    with pytest.raises(InvalidSource):
        read_records([path])


def test_gzip_is_recognised_by_content(tmp_path: Path) -> None:
    path = tmp_path / "misnamed.jsonl"
    path.write_bytes(gzip.compress(b'{"a": 1}\n\n{"a": 2}\n'))
    assert [(record.fields["a"], record.line) for record in read_records([path])] == [(1, 1), (2, 3)]


def test_locomo_takes_what_has_evidence(locomo_file: Path) -> None:
    documents, questions = locomo.load([locomo_file])
    assert len(documents) == 7
    assert documents[2].content == "Nora: Look at this. [photo a red lighthouse on a cliff]"
    assert [document.sequence for document in documents[:3]] == [0, 1, 2]
    assert documents[1].at > documents[0].at  # type: ignore[operator]
    assert Counter(question.category for question in questions) == {"1": 1, "2": 2, "3": 1, "4": 2, "5": 1}
    assert questions[1].evidence == {0, 4}


def test_the_same_conversation_twice_is_refused(locomo_file: Path) -> None:
    with pytest.raises(InvalidSource, match="comes twice"):
        locomo.load([locomo_file, locomo_file])


@pytest.mark.parametrize("load", [locomo.load, timeqa.load, longmemeval.load])
def test_a_file_of_another_format_is_refused(load: object, tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"something": "else"}\n')
    with pytest.raises(InvalidSource) as caught:
        load([path])  # type: ignore[operator]
    assert caught.value.mend


@pytest.mark.parametrize("order", [1, -1])
def test_longmemeval_files_come_in_any_order(longmemeval_files: list[Path], order: int) -> None:
    documents, questions = longmemeval.load(longmemeval_files[::order])
    assert len(documents) == 4
    assert [question.evidence for question in questions] == [{"s1", "s2"}, {"s3"}]
    assert [question.older_newer for question in questions] == [("s1", "s2"), None]


def test_longmemeval_wants_both_kinds(longmemeval_files: list[Path]) -> None:
    with pytest.raises(InvalidSource, match="no session"):
        longmemeval.load(longmemeval_files[:1])
    with pytest.raises(InvalidSource, match="no question"):
        longmemeval.load(longmemeval_files[1:])


def test_timeqa_limit_leaves_later_pages_out(timeqa_file: Path) -> None:
    documents, questions = timeqa.load([timeqa_file], 1)
    assert len(questions) == 1
    assert {document.project for document in documents} == {"page-0000"}
    assert questions[0].answers == {3}


def test_an_answer_beyond_the_page_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    page = {"paras": ["one"], "questions": [{"question": "?", "answers": [{"para": 4, "answer": "x"}]}]}
    path.write_text(json.dumps(page))
    with pytest.raises(InvalidSource, match="not there"):
        timeqa.load([path])


def test_bm25_prefers_rare_words() -> None:
    index = Bm25(["the cat sat", "the dog sat", "the dog barked loudly"])
    scores = index.scores("the cat")
    assert scores.argmax() == 0
    assert index.scores("zebra").tolist() == [0, 0, 0]


def test_cosine_prefers_the_same_text() -> None:
    texts = ["a ship in the harbour", "bread and butter", "quantum field theory"]
    scores = Cosine(texts).scores("a ship in the harbour")
    assert scores.argmax() == 0
    assert scores[0] == pytest.approx(1.0, abs=1e-5)


def test_a_baseline_stays_in_its_scope() -> None:
    documents = [Document("red boat", "a", "s", 0), Document("red boat", "b", "s", 0)]
    ranker = BaselineRanker(documents, Bm25)
    assert [each.key for each in ranker.rank("boat", "b", 5)] == [1]
    assert [each.key for each in ranker.rank("boat", None, 5)] == [0, 1]


def test_mean_vectors_have_length_one() -> None:
    vectors = mean_vectors(["a sentence", ""])
    assert np.linalg.norm(vectors[0]) == pytest.approx(1.0, abs=1e-5)
    assert not vectors[1].any()


def test_synthetic_memories_follow_from_the_seed() -> None:
    counts = dict.fromkeys(PROJECTS, 60)
    first, two = (list(Generator().drafts(counts)) for _ in range(2))
    assert first == two
    assert Counter(draft["project"] for draft in first) == counts
    sizes = [len(draft["content"].split()) - 1 for draft in first]
    assert min(sizes) >= 8
    assert max(sizes) <= 40
    assert len({(draft["session_id"], draft["sequence"]) for draft in first}) == len(first)


def test_synthetic_words_are_skewed_and_keep_growing() -> None:
    words = [
        word
        for draft in islice(Generator().drafts(dict.fromkeys(PROJECTS, 200)), 4_000)
        for word in draft["content"].split()[1:]
    ]
    half = len(words) // 2
    counts = Counter(words)
    assert counts.most_common(1)[0][1] > 20 * np.median(list(counts.values()))
    assert len(set(words)) > 1.15 * len(set(words[:half]))
    assert len(whole_words()) > 5_000


def test_the_scope_of_scale_is_whole_in_the_first_quarter() -> None:
    first, rest = _plan(100_003)
    assert sum(first.values()) == 100_003 // 4
    assert sum(first.values()) + sum(rest.values()) == 100_003
    assert rest[SCOPED] == 0
    assert all(count >= 0 for count in (*first.values(), *rest.values()))


@pytest.mark.parametrize(
    ("name", "paths", "options", "fault"),
    [
        ("nothing", [], Options(), "There is no benchmark 'nothing'"),
        ("locomo", [], Options(), "needs a file"),
        ("locomo", [Path("x")], Options(limit=0), "leaves nothing to measure"),
        ("scale", [Path("x")], Options(), "makes its own"),
        ("scale", [], Options(memories=3), "too few"),
        ("registry", [Path("x")], Options(), "makes its own"),
        ("registry", [], Options(memories=3), "too few"),
    ],
)
def test_a_wrong_request_is_refused(name: str, paths: list[Path], options: Options, fault: str) -> None:
    with pytest.raises(InvalidValue, match=fault) as caught:
        harness.run(name, paths, options)
    assert caught.value.mend


def test_manifest_names_formats(exports_folder: Path) -> None:
    listed = imports.read_manifest(exports_folder)
    assert [(each.name, each.messages, each.format) for each in listed] == [
        ("talks/one.jsonl", 2, "claude_code"),
        ("talks/two.jsonl", 1, "claude_code"),
        ("other.json", 3, None),
        ("chat.json", 2, "chatgpt"),
        ("empty.json", 0, None),
    ]
    assert [each.name for each in imports.read_manifest(exports_folder / "talks")] == [
        "talks/one.jsonl",
        "talks/two.jsonl",
    ]
    assert len(imports.read_manifest(exports_folder / "manifest.json")) == 5


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("{", "cannot be read"),
        ('{"a": 1}', "not a list"),
        ("[{}]", "'file' is missing"),
        ('[{"file": "x"}]', "not there"),
    ],
)
def test_a_damaged_manifest_is_refused(tmp_path: Path, content: str, fault: str) -> None:
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(InvalidSource, match=fault):
        imports.read_manifest(tmp_path)


def test_a_folder_without_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match=r"manifest\.json"):
        imports.read_manifest(tmp_path)


def test_moments_are_utc_or_refused() -> None:
    read = harness.moment("2024-01-02T03:04", "x")
    assert read is not None
    assert read.isoformat() == "2024-01-02T03:04:00+00:00"
    assert harness.moment(None, "x") is None
    with pytest.raises((InvalidSource, InvalidTime)):
        harness.moment("soon", "file:3")
