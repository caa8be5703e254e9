"""When knowledge of causes counts, and for which texts."""

from __future__ import annotations

import numpy as np
import pytest

from engramforge.core.ranking.causal_signals import causal_signals, share_of_knowledge


@pytest.mark.parametrize(("best", "share"), [(0.0, 1.0), (0.3, 1.0), (0.35, 0.5), (0.4, 0.0), (1.0, 0.0)])
def test_knowledge_gives_way_to_words(best: float, share: float) -> None:
    assert share_of_knowledge(np.array([0.0, best], np.float32)) == pytest.approx(share, abs=1e-5)


def test_only_plain_texts_lead_and_only_above_their_median() -> None:
    fits = np.array([0.2, 0.6, 0.4, 0.9], np.float32)
    found = causal_signals(fits, np.array([True, True, True, False]), 0.5)
    assert found["causal_fit"] == pytest.approx([0.1, 0.3, 0.2, 0.0])
    assert found["causal_lead"] == pytest.approx([0.0, 0.1, 0.0, 0.0])
    assert causal_signals(fits, np.zeros(4, np.bool_), 1)["causal_lead"].tolist() == [0, 0, 0, 0]
