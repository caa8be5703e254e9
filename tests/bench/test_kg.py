"""kg: reading the splits, filtered ranks, and the whole run with its bars on the development data."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.harness import Options
from bench.kg import Frequency, Graph, _rank, _ranks, read_graph

from bench import harness
from engramforge.errors import InvalidSource

SHARED = Path(__file__).parents[3] / "shared" / "data" / "kg_small"
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="the shared data is not beside the repository")

TRAIN = "ada\tknows\tbo\nbo\tknows\tada\nada\tworks at\tmill\nbo\tworks at\tmill\neve\tknows\tfinn\n"
VALID = "finn\tknows\teve\n"
TEST = "eve\tworks at\tmill\nnew\tknows\tada\n"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """One graph; the names tell the splits, the order does not."""
    for name, text in (("g.test.tsv", TEST), ("g.train.tsv", TRAIN), ("g.valid.tsv", VALID)):
        (tmp_path / name).write_text(text)
    return sorted(tmp_path.iterdir())


def test_splits_are_told_by_name_or_else_by_order(files: list[Path], tmp_path: Path) -> None:
    graph = read_graph(files)
    assert (len(graph.train), len(graph.valid), len(graph.test)) == (5, 1, 2)
    plain = []
    for name, text in (("c", TRAIN), ("b", VALID), ("a", TEST)):
        (tmp_path / name).write_text(text)
        plain.append(tmp_path / name)
    assert read_graph(plain) == graph
    assert graph.entities == ["ada", "bo", "mill", "eve", "finn", "new"]
    assert graph.tails["ada", "knows"] == {"bo"}


def test_other_true_answers_are_taken_out_of_a_rank(files: list[Path]) -> None:
    graph = read_graph(files)
    predicted = ["ada", "bo", "eve", "finn"]
    assert _rank(predicted, "eve", frozenset({"ada", "eve"}), graph) == 2
    assert _rank(predicted, "mill", frozenset({"mill"}), graph) == 6


def test_the_baseline_ranks_by_frequency(files: list[Path]) -> None:
    graph = read_graph(files)
    frequent = Frequency(graph.train, graph.entities)
    assert frequent.tails("eve", "works at")[0] == "mill"
    tail, head = _ranks(frequent, graph, ("eve", "works at", "mill"))
    assert tail == 1
    # Ada and Bo work there too, so they are no mistakes before Eve.
    assert head == 1


@pytest.mark.parametrize(
    ("text", "message"), [("", "empty"), ("a\tb\n", "no triple"), ("a\t\tb\n", "no triple")]
)
def test_a_file_that_is_no_graph_is_told(files: list[Path], text: str, message: str) -> None:
    files[0].write_text(text)
    with pytest.raises(InvalidSource, match=message):
        read_graph(files)


def test_too_few_files_and_missing_ones_are_told(files: list[Path]) -> None:
    with pytest.raises(InvalidSource, match="2 files"):
        read_graph(files[:2])
    with pytest.raises(InvalidSource, match="cannot be read"):
        read_graph([*files[:2], files[0].parent / "absent.tsv"])


def test_a_run_from_files_to_metrics(files: list[Path]) -> None:
    outcome = harness.run("kg", files, Options())
    assert outcome.n == 2
    assert 0 < outcome.metrics["mrr"] <= 1
    assert outcome.settings["entities"] == 6
    assert set(outcome.baselines["frequency"]) == set(outcome.metrics)


def test_self_links_are_left_out_and_odd_relations_told_apart(files: list[Path]) -> None:
    files[1].write_text(TRAIN + "ada\tknows\tada\nada\t1:n (x)\tbo\nbo\t1-n x\tada\nada\t关系\tbo\n")
    outcome = harness.run("kg", files, Options(limit=1))
    assert outcome.n == 1
    assert outcome.settings["left_out_self_links"] == 1
    assert outcome.settings["relations"] == 5


def test_graphs_with_equal_triples_are_equal(files: list[Path]) -> None:
    assert isinstance(read_graph(files), Graph)


@needs_shared
@pytest.mark.parametrize(("name", "bar"), [("nations", 0.40)])
def test_the_bar_of_the_small_graph(name: str, bar: float) -> None:
    outcome = harness.run(
        "kg", [SHARED / f"{name}.{split}.tsv" for split in ("train", "valid", "test")], Options()
    )
    assert outcome.metrics["mrr"] >= bar
    assert outcome.metrics["mrr"] > outcome.baselines["frequency"]["mrr"]
