"""The benchmark bandit: what helps its users helps them here, and its figures by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench.harness import Options, run

from bench import bandit
from engramforge.core.topics.ordering import Offered, Ways
from engramforge.errors import InvalidValue
from engramforge.model.injection import DIVERSITY, ORDERED_BY


def prompt(worth: list[float], matters: list[int]) -> bandit.Prompt:
    offered = [Offered(1.0)] * len(worth)
    return bandit.Prompt(0.0, 0, False, list(range(len(worth))), offered, worth, matters, [0.5] * len(worth))


def test_what_helps_is_on_and_what_hurts_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bandit, "DAYS", 20)
    outcome = run("bandit", [], Options(limit=4, seed=3))
    told, plain = outcome.metrics, outcome.baselines["none"]
    assert outcome.n == 4 * 20 * bandit.PROMPTS and outcome.settings["users"] == 4
    gain, half = told["importance"]["against"]["used"]
    assert gain - half > 0 and told["importance"]["used"] == pytest.approx(plain["used"] + gain)
    both, half = told["importance_exploration"]["against"]["used"]
    assert both - half > 0 and "importance" in ORDERED_BY
    lost, half = told["diversity"]["against"]["used"]
    assert lost + half < 0 and DIVERSITY not in ORDERED_BY
    assert told["diversity"]["diversity"] > plain["diversity"]
    assert all(its["regret"] >= 0 and 0 <= its["new_interest"] <= 1 for its in told.values())
    assert plain["against"]["used"] == [0.0, 0.0]


def test_a_user_follows_from_the_seed_and_lives_alike_under_every_way() -> None:
    one, other = (bandit.made(np.random.default_rng(4)) for _ in range(2))
    assert [each.found for each in one.prompts] == [each.found for each in other.prompts]
    assert any(born > 0 for born in one.born) and any(each.young for each in one.prompts)
    way = bandit.Way(Ways(importance=True), explores=True)
    lives = [bandit.lived(one, way, np.random.default_rng(1)) for _ in range(2)]
    assert {**lives[0], "order_us": 0} == {**lives[1], "order_us": 0}


def test_uses_by_hand() -> None:
    asked = prompt([0.5, 1.0, 0.8], [1, 1, 2])
    # The second of a matter counts .4, the second place 1 / 1.1 and the third 1 / 1.2.
    assert bandit.expected(asked, [1, 2, 0]) == pytest.approx([1.0, 0.8 / 1.1, 0.5 * 0.4 / 1.2])
    assert bandit.best(asked) == pytest.approx(1.0 + 0.8 / 1.1 + 0.2 / 1.2)


def test_it_makes_its_own_users(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="makes its own users"):
        run("bandit", [tmp_path], Options())
