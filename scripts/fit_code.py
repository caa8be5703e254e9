"""Fit the weights of the signals of code (core/ranking/fusion); prints what to put there. Needs scipy.

    PYTHONPATH=. python scripts/fit_code.py FOLDER     FOLDER holds codebase.jsonl.gz and queries.dev.jsonl

The product's own signals of every question's candidates are collected from a temporary store. The weights minimise a
listwise softmax loss with a ridge, as in fit_ranking.py; what says "this matches" stays at 0 or above, the length is
free, and feedback keeps the weight that all data share. Five folds, by the wanted function, show what unseen questions
would get; then the same without one signal each, which shows what it is worth.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import ranking_cases
from bench.harness import ForgeRanker, temporary_forge
from scipy.optimize import minimize

from bench import cosqa
from engramforge.core.ranking.fusion import WEIGHTS

NAMES = ("code_words", "code_meaning", "code_likeness", "code_length")
FOLDS = 5
RIDGE = 1e-3


@dataclass
class Case:
    """One question: signals (n, s) of its candidates, what else counts (n,), the wanted row, its fold."""

    signals: np.ndarray
    other: np.ndarray
    row: int | None
    fold: int


def collect(folder: Path) -> list[Case]:
    """Every question's candidates with the product's signals."""
    documents, questions = cosqa.load([folder / "codebase.jsonl.gz", folder / "queries.dev.jsonl"])
    order = np.random.default_rng(0).permutation(len(documents))
    with temporary_forge() as forge:
        ranker = ForgeRanker(forge)
        ranker.ingest(documents)
        asked = [
            {
                "text": each.text,
                "project": documents[each.wanted].project,
                "fold": int(order[each.wanted] % FOLDS),
                "is_gold": each.wanted.__eq__,
                "wanted": 1,
                "gold_sessions": frozenset(),
            }
            for each in questions
        ]
        return [_of_code(case) for case in ranking_cases.collect(ranker, documents, "code", asked)]


def _of_code(case: ranking_cases.Case) -> Case:
    """A case as far as it is of code; signals that a question does not have are 0."""
    found = dict(zip(case.names, case.signals.T, strict=True))
    signals = np.stack([found.get(name, np.zeros_like(case.gold, np.float32)) for name in NAMES], axis=1)
    row = int(case.gold.argmax()) if case.gold.any() else None
    return Case(signals, WEIGHTS["feedback"] * found["feedback"], row, case.fold)


def fit(cases: list[Case], kept: list[int]) -> np.ndarray:
    """Weights of the kept signals at the minimum of the loss."""
    cases = [case for case in cases if case.row is not None]
    sizes = [len(case.other) for case in cases]
    starts = np.cumsum(sizes) - sizes
    owner = np.repeat(np.arange(len(cases)), sizes)
    signals = np.concatenate([case.signals[:, kept] for case in cases])
    other = np.concatenate([case.other for case in cases])
    wanted = starts + np.array([case.row for case in cases])
    spread = signals.std(axis=0) + 1e-6

    def loss(scaled: np.ndarray) -> tuple[float, np.ndarray]:
        score = signals @ (scaled / spread) + other
        best = np.maximum.reduceat(score, starts)
        odds = np.exp(score - best[owner])
        total = np.add.reduceat(odds, starts)
        slope = odds / total[owner]
        slope[wanted] -= 1
        value = float(np.mean(np.log(total) + best - score[wanted])) + RIDGE * float(scaled @ scaled)
        return value, (signals.T @ slope) / spread / len(cases) + 2 * RIDGE * scaled

    bounds = [(None, None) if NAMES[place] == "code_length" else (0, None) for place in kept]
    found = minimize(loss, np.full(len(kept), 0.1), jac=True, method="L-BFGS-B", bounds=bounds)
    return np.asarray(found.x / spread)


def measure(cases: list[Case], totals: list[np.ndarray]) -> tuple[float, float]:
    """mrr and recall@10; ties count against."""
    ranks = [
        np.inf if case.row is None else int((total >= total[case.row]).sum())
        for case, total in zip(cases, totals, strict=True)
    ]
    return round(float(np.mean([1 / rank for rank in ranks])), 4), float(
        np.mean([rank <= 10 for rank in ranks])
    )


def left_out(cases: list[Case], kept: list[int]) -> tuple[float, float]:
    """Each fold by weights that were fitted without it."""
    by_fold = [fit([case for case in cases if case.fold != fold], kept) for fold in range(FOLDS)]
    return measure(cases, [case.signals[:, kept] @ by_fold[case.fold] + case.other for case in cases])


def main() -> None:
    """Collect, fit, leave out folds and signals, print."""
    cases = collect(Path(sys.argv[1]))
    print("wanted among the candidates:", np.mean([case.row is not None for case in cases]))
    shipped = np.array([WEIGHTS[name] for name in NAMES])
    print("shipped:", measure(cases, [case.signals @ shipped + case.other for case in cases]))
    every = list(range(len(NAMES)))
    weights = fit(cases, every)
    print("fitted:", measure(cases, [case.signals @ weights + case.other for case in cases]))
    print("each fold by weights fitted without it:", left_out(cases, every))
    for place, name in enumerate(NAMES):
        print(f"  the same without {name}:", left_out(cases, [other for other in every if other != place]))
    for name, weight in zip(NAMES, weights, strict=True):
        print(f'        "{name}": {weight:.1f},')


if __name__ == "__main__":
    main()
