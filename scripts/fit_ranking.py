"""Fit the weights of core/ranking/fusion on development data; prints what to put there. Needs scipy beside the product.

    python scripts/fit_ranking.py FOLDER     FOLDER holds locomo/, longmemeval_evidence/, timeqa/, adr/
    python scripts/fit_ranking.py FOLDER --ablation     instead: what each family of signals is worth, without a new fit
    python scripts/fit_ranking.py FOLDER --orders       instead: order by similarity, within the band, or by mass

For every question the product's own signals of the candidates are collected from a temporary store. The weights
minimise a listwise softmax loss (for each answer: the chance that it stands above everything that is no answer) with a
ridge, all data together; a data set's weight does not depend on its size. Signals that say "this matches" stay at 0 or
above.
Every conversation is also left out once, with a fifth of the other data, to show what unseen data would get.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from ranking_cases import FOLDS, Case, cases_of
from scipy.optimize import minimize

from engramforge.core.ranking import fusion, precedence
from engramforge.core.ranking.mass import (
    AttentionOptions,
    freshness,
    mass,
    order_by_mass_within_band,
)
from engramforge.core.ranking.signals import feedback
from engramforge.model.time import MICROS_PER_DAY

FREE = (
    "asks",
    "content",
    "length",
    "short",
    "heading",
    "content_mean",
    "mentions",
    "picture",
    "opening",
    "first_person",
    "asked",
    "chunk",
    "note",
    "artifact",
    "action",
    "ended",
    "response",
)
SHARE = {
    "conversation": 1.2,
    "pooled": 1.0,
    "longmemeval": 1.9,
    "timeqa": 0.5,
    "markdown": 0.25,
    "markdown_all": 0.2,
    "transcript": 0.4,
    "transcript_all": 0.4,
    "adr": 0.1,
    "adr_all": 0.1,
}
RIDGE = 1e-3
KEPT = 250


class Fit:
    """The loss over all cases, and its minimum.

    For each answer i of a case: -log(exp s_i / (exp s_i + sum over non-answers exp s_j)), averaged over answers, cases
    and kinds, plus the ridge on weights times their signals' spread.
    """

    def __init__(self, cases: list[Case], names: list[str]) -> None:
        self.names, self.cases = names, cases
        prior = np.array([fusion.WEIGHTS.get(name, 0.0) for name in names], np.float32)
        number = {kind: sum(case.kind == kind and bool(case.gold.any()) for case in cases) for kind in SHARE}
        rows, gold, self.ends, weights, folds = [], [], [], [], []
        for case in cases:
            if not case.gold.any():
                continue
            best = np.argsort(-(case.signals @ prior), kind="stable")[:KEPT]
            kept = np.union1d(best, np.flatnonzero(case.gold))
            rows.append(case.signals[kept])
            gold.append(case.gold[kept])
            self.ends.append(len(kept))
            weights.append(SHARE[case.kind] / number[case.kind])
            folds.append(case.fold)
        self.signals, self.gold = np.concatenate(rows), np.concatenate(gold)
        lengths = np.array(self.ends)
        self.starts = np.cumsum(lengths) - lengths
        self.owner = np.repeat(np.arange(len(lengths)), lengths)
        self.weights, self.folds = np.array(weights, np.float32), np.array(folds)
        self.spread = self.signals.std(axis=0) + 1e-6

    def minimise(self, start: np.ndarray, left_out: int | None = None, steps: int = 150) -> np.ndarray:
        """Weights at the minimum, beginning at `start`; without one fold."""
        weights = self.weights * (self.folds != left_out if left_out is not None else 1)
        weights = weights / weights.sum()
        answers = np.add.reduceat(self.gold.astype(np.float32), self.starts)
        each = (weights / answers)[self.owner]

        def loss(scaled: np.ndarray) -> tuple[float, np.ndarray]:
            score = self.signals @ (scaled / self.spread).astype(np.float32)
            odds = np.exp(score - np.maximum.reduceat(score, self.starts)[self.owner])
            others = np.add.reduceat(odds * ~self.gold, self.starts)
            total = odds + others[self.owner] + 1e-30
            value = float((each * self.gold * (np.log(total) - np.log(odds + 1e-30))).sum())
            pull = np.add.reduceat(np.where(self.gold, each / total, 0), self.starts)[self.owner]
            slope = np.where(self.gold, each * (odds / total - 1), odds * pull)
            gradient = (self.signals.T @ slope.astype(np.float32)).astype(np.float64) / self.spread
            return value + RIDGE * float(scaled @ scaled), gradient + 2 * RIDGE * scaled

        bounds = [(None, None) if name in FREE else (0, None) for name in self.names]
        found = minimize(
            loss, start * self.spread, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": steps}
        )
        return (found.x / self.spread).astype(np.float32)


def totals_of(case: Case, weights: np.ndarray, updates: bool) -> np.ndarray:
    """Log-odds of a case's candidates as the product would have them."""
    total = case.signals @ weights
    if updates:
        session = np.unique([str(each) for each in case.session], return_inverse=True)[1].astype(np.int64)
        total = total + precedence.update_gains(
            total,
            session,
            case.moments,
            case.vectors,
            case.soft,
            case.weights,
            "event" in case.question.cues,
            "state" in case.question.cues,
            case.project,
            case.is_said,
            case.is_own,
        )
    return total


def measure(cases: list[Case], totals: list[np.ndarray]) -> dict[str, float]:
    """The benchmarks' metrics."""
    found: dict[str, list[float]] = {}
    for case, total in zip(cases, totals, strict=True):
        order = np.lexsort((-case.positions, -case.moments, -total))
        gold = case.gold[order]
        sessions = list(dict.fromkeys(case.session[row] for row in order))

        def add(name: str, value: float, kind: str = case.kind) -> None:
            found.setdefault(f"{kind}.{name}", []).append(value)

        if case.kind in ("conversation", "pooled"):
            add("recall_at_10", gold[:10].sum() / case.wanted)
            add(
                "session_hit_at_10",
                float(bool(case.gold_sessions & {case.session[row] for row in order[:10]})),
            )
        elif case.kind == "longmemeval":
            add("any_at_5", float(bool(case.gold_sessions & set(sessions[:5]))))
            add("all_at_5", float(case.gold_sessions <= set(sessions[:5])))
            if case.older_newer:
                older, newer = (
                    sessions.index(name) if name in sessions else 999 for name in case.older_newer
                )
                add("newer_first", float(newer < older))
        elif case.wanted:
            add("hit_at_1", float(gold[:1].any()))
            add("hit_at_3", float(gold[:3].any()))
            if case.kind != "timeqa":
                add("mrr", float(1 / (1 + gold.argmax())) if gold.any() else 0.0)
    return {name: round(float(np.mean(values)), 4) for name, values in found.items()}


def chances(cases: list[Case], totals: list[np.ndarray]) -> dict[str, float]:
    """Slope and offsets of the chance that a memory answers, over every question's best twenty, classes balanced."""
    names = list(fusion.EXPECTED)
    rows, gold, weights = [], [], []
    for case, total in zip(cases, totals, strict=True):
        best = np.argsort(-total, kind="stable")[:20]
        asked = [float(name in case.question.traits) for name in names]
        rows.append(np.column_stack([total[best], np.ones(len(best)), np.tile(asked, (len(best), 1))]))
        gold.append(case.gold[best])
        weights.append(np.full(len(best), SHARE[case.kind] / len(best)))
    x, y, w = np.concatenate(rows).astype(np.float64), np.concatenate(gold), np.concatenate(weights)
    w = w * np.where(y, 0.5 / w[y].sum(), 0.5 / w[~y].sum())

    def loss(parameters: np.ndarray) -> tuple[float, np.ndarray]:
        odds = x @ parameters
        chance = 1 / (1 + np.exp(-odds))
        return float(w @ (np.logaddexp(0, odds) - y * odds)), x.T @ (w * (chance - y))

    start = np.array([fusion.SLOPE, fusion.OFFSET, *fusion.EXPECTED.values()])
    found = minimize(loss, start, jac=True, method="L-BFGS-B").x
    return dict(zip(["slope", "offset", *names], found.round(3).tolist(), strict=True))


def ablate(cases: list[Case]) -> None:
    """Print the metrics with each family of signals left out, the product's other weights as they are.

    Candidates stay the same. Feedback is taken again from what is left: its first ranking may not know the family.
    """
    names = cases[0].names
    place = names.index("feedback")
    prior = np.array([fusion.WEIGHTS.get(name, 0.0) for name in names], np.float32)
    rows = {"all": measure(cases, [totals_of(case, prior, True) for case in cases])}
    rows["update"] = measure(cases, [totals_of(case, prior, False) for case in cases])
    for family, members in fusion.FAMILIES.items():
        weights = np.where(np.isin(names, members), 0, prior).astype(np.float32)
        first = weights.copy()
        first[place] = 0
        totals = []
        for case in cases:
            signals = case.signals.copy()
            signals[:, place] = feedback(case.vectors, case.signals @ first)
            totals.append(totals_of(replace(case, signals=signals), weights, True))
        rows[family] = measure(cases, totals)
    print("without", *rows["all"], sep=" | ")
    for family, found in rows.items():
        print(family, *(f"{value:.3f}" for value in found.values()), sep=" | ")


def compare_orders(cases: list[Case]) -> None:
    """Print the metrics of the orders by similarity alone, within the band, and by mass.

    Each twice: asked at the time of the question (of the benchmark's run, where the data name none), and asked the
    day after the newest candidate, when freshness tells most. Kind and epistemic tier are the same for all.
    """
    options = AttentionOptions()
    prior = np.array([fusion.WEIGHTS.get(name, 0.0) for name in cases[0].names], np.float32)
    bands = {"similarity": 0.0, "within the band": options.band, "band of 10 %": 0.1, "mass": 1.0}
    rows = {}
    for asked in ("then", "day after"):
        for name, band in bands.items():
            places = []
            for case in cases:
                similarity = fusion.similarity_of(totals_of(case, prior, True), case.question.traits)
                now = case.now if asked == "then" else int(case.moments.max()) + MICROS_PER_DAY
                fresh = freshness(case.moments, now, options.half_life_days)
                half, none = np.full(len(fresh), 0.5, np.float32), np.zeros(len(fresh), np.float32)
                masses = mass(similarity, half, fresh, none, half, options)
                order = order_by_mass_within_band(similarity, masses, case.moments, case.positions, band)
                place = np.empty(len(order))
                place[order] = -np.arange(len(order))
                places.append(place)
            rows[f"{asked}: {name}"] = measure(cases, places)
    print("order", *next(iter(rows.values())), sep=" | ")
    for name, found in rows.items():
        print(name, *(f"{value:.3f}" for value in found.values()), sep=" | ")


def main() -> None:
    """Collect, fit twice (feedback needs a first ranking), leave one fold out, print."""
    cases = cases_of(Path(sys.argv[1]))
    if "--ablation" in sys.argv[2:]:
        ablate(cases)
        return
    if "--orders" in sys.argv[2:]:
        compare_orders(cases)
        return
    names = cases[0].names
    found = [case.gold.sum() / case.wanted for case in cases if case.kind == "pooled"]
    print("share of the evidence among the candidates, pooled:", round(float(np.mean(found)), 4))
    prior = np.array([fusion.WEIGHTS.get(name, 0.0) for name in names], np.float32)
    print("as it is:", measure(cases, [totals_of(case, prior, True) for case in cases]))
    weights = prior
    place = names.index("feedback")
    for _ in range(2):
        weights = Fit(cases, names).minimise(weights)
        first = weights.copy()
        first[place] = 0
        for case in cases:
            case.signals[:, place] = feedback(case.vectors, case.signals @ first)
    fit = Fit(cases, names)
    weights = fit.minimise(weights)
    print("fitted:", measure(cases, [totals_of(case, weights, True) for case in cases]))
    unseen: list[np.ndarray] = [np.empty(0)] * len(cases)
    for fold in range(FOLDS):
        apart = fit.minimise(weights, left_out=fold, steps=60)
        for number, case in enumerate(cases):
            if case.fold == fold:
                unseen[number] = totals_of(case, apart, True)
    print("each fold by weights fitted without it:", measure(cases, unseen))
    print("without updates first:", measure(cases, [totals_of(case, weights, False) for case in cases]))
    for name, weight in zip(names, weights, strict=True):
        print(f'        "{name}": {weight:.3f},')
    print("chances, as it is:", chances(cases, [totals_of(case, prior, False) for case in cases]))
    print("chances, fitted:", chances(cases, [totals_of(case, weights, False) for case in cases]))


if __name__ == "__main__":
    main()
