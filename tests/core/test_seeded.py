"""Numbers that names decide: the same everywhere, spread evenly, independent by purpose."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from engramforge.core.arrays.seeded import bits, numbers, seeds_of, uniforms


def test_another_process_draws_the_same() -> None:
    module = "engramforge.core.arrays.seeded"
    code = f"from {module} import *; print(numbers(seeds_of(['otter', 'weir'], 'test'), 3).tolist())"
    drawn = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert drawn.strip() == str(numbers(seeds_of(["otter", "weir"], "test"), 3).tolist())


def test_a_purpose_and_a_name_each_change_everything() -> None:
    seeds = {*seeds_of(["otter", "weir"], "one").tolist(), *seeds_of(["otter", "weir"], "two").tolist()}
    assert len(seeds) == 4


def test_a_name_draws_the_same_among_any_others() -> None:
    alone = uniforms(seeds_of(["weir"], "test"), 40)
    among = uniforms(seeds_of([f"n{i}" for i in range(500)] + ["weir"], "test"), 40)
    assert np.array_equal(alone[0], among[-1])


def test_they_are_spread_evenly() -> None:
    drawn = uniforms(seeds_of([f"n{i}" for i in range(2_000)], "test"), 100)
    assert drawn.min() >= -1
    assert drawn.max() < 1
    assert abs(float(drawn.mean())) < 0.01
    assert abs(float(drawn.var()) - 1 / 3) < 0.01
    assert abs(float(np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1])) < 0.1


def test_half_of_the_bits_are_set() -> None:
    drawn = bits(seeds_of(["otter", "weir"], "test"), 10_001)
    assert drawn.shape == (2, 10_001)
    assert abs(float(drawn.mean()) - 0.5) < 0.02


def test_lone_surrogates_and_no_names_are_fine() -> None:
    assert len(seeds_of(["\ud800"], "test")) == 1
    assert uniforms(seeds_of([], "test"), 3).shape == (0, 3)
