"""The benchmark poisoning: a small case holds, and its texts follow from the seed."""

from pathlib import Path

import pytest
from bench.poisoning_texts import FORMS, SHAPES, Writer

from bench import harness
from engramforge.errors import InvalidValue


def test_no_held_text_reaches_a_registry_and_statements_do() -> None:
    found = harness.run("poisoning", [], harness.Options(limit=20, seed=7)).as_dict()
    metrics = found["metrics"]
    assert (found["n"], found["settings"]["seed"]) == (40, 7)
    assert metrics["registry_changes"] == 0 and metrics["understood"] >= 18
    assert tuple(metrics["changes_by_shape"]) == SHAPES and tuple(metrics["not_understood_by_form"]) == FORMS
    # The texts do give orders: whoever looks for cue words alone follows them.
    assert found["baselines"]["cue_words"]["registry_changes"] >= 14


def test_two_seeds_share_no_text_and_one_gives_the_same_again() -> None:
    def texts(seed: int) -> list[str]:
        writer = Writer(seed)
        return [case.values["content"] for case in (*writer.documents(60), *writer.statements(60))]

    assert texts(1) == texts(1) and len(set(texts(1))) == 120
    assert not set(texts(1)) & set(texts(2))


def test_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue):
        harness.run("poisoning", [tmp_path], harness.Options())
