"""Fit what causes what (spaces/causal/causal.npz) on pairs of sentences, and print what unseen pairs would get.

    python scripts/fit_causal.py TRAIN [--check FILE] [--save]      TRAIN, FILE: ecare JSON lines, plain or gzipped

Two maps A, B of the static word vectors begin as the identity and learn, by softmax over the other sentences of a
batch, that a cause's sentence belongs to its effect's: (c A)(e B)' = c' W e, W = A B'. The features are weighed by
logistic regression on pairs that the maps have not seen (three folds). No sentence leaves this script. Training cases
whose premise also stands in FILE are left out.
"""

from __future__ import annotations

import argparse
import math
import os
from collections import Counter
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from bench.records import objects_of

import engramforge.spaces.causal.causal_knowledge as shipped
from engramforge.core.text.words import words_of
from engramforge.model.causation import AskedDirection
from engramforge.spaces.causal.causal_knowledge import RAREST, CausalKnowledge
from engramforge.spaces.words.word_table import word_table

FOLDS = 3
EPOCHS, RATE, SHARPNESS, DECAY, BATCH = 2, 1e-3, 8.0, 1e-2, 256
SEEN_LEAST = 3
MOST_RARE = 9.0
TABLE = word_table()


class Cases:
    """Cases of a file as word rows: premise, hypotheses, whether a cause is asked for, and which is right."""

    def __init__(self, records: list[dict[str, Any]]) -> None:
        self.premise = [content(r["premise"]) for r in records]
        self.choice = [[content(r[name]) for r in records] for name in ("hypothesis1", "hypothesis2")]
        self.asks_cause = np.array([r["ask-for"] == "cause" for r in records])
        self.right = np.array([r["label"] for r in records])
        self.names = [normal(r["premise"]) for r in records]


def normal(text: str) -> str:
    """A sentence without regard to case and spacing."""
    return " ".join(text.lower().split())


def content(text: str) -> np.ndarray:
    """Rows of a sentence's content words."""
    rows = TABLE.rows_of(words_of(text))
    kept = ~TABLE.is_stop(rows)
    return rows[kept] if kept.any() else rows


def rarities(cases: Cases) -> tuple[np.ndarray, np.ndarray]:
    """Terms that occur in enough sentences, ascending, and how rare each is, uint8."""
    sentences = [*cases.premise, *cases.choice[0], *cases.choice[1]]
    seen: Counter[int] = Counter()
    for rows in sentences:
        seen.update(set(TABLE.terms(rows).tolist()))
    kept = sorted(term for term, count in seen.items() if count >= SEEN_LEAST)
    found = [min(math.log(1 + len(sentences) / (1 + seen[term])) / MOST_RARE, 1) * RAREST for term in kept]
    return np.array(kept, np.uint32), np.rint(found).astype(np.uint8)


def vectors(sentences: list[np.ndarray], knowledge: CausalKnowledge) -> np.ndarray:
    """Unit vectors of sentences, shape (n, 256): words by their length and rarity."""
    found = np.zeros((len(sentences), TABLE.model.dimensions), np.float32)
    for place, rows in enumerate(sentences):
        rows = np.unique(rows)
        weight = np.sqrt(TABLE.lengths(rows)) * knowledge.rarity_of(TABLE.terms(rows))
        found[place] = weight @ TABLE.vectors(rows)
    return found / (np.linalg.norm(found, axis=1, keepdims=True) + 1e-9)


def learn(
    cause: np.ndarray, effect: np.ndarray, wrong: np.ndarray, asks_cause: np.ndarray, seed: int = 0
) -> np.ndarray:
    """W of right pairs (cause, effect) with a wrong choice each, by Adam (Kingma, Ba 2015)."""
    size = cause.shape[1]
    maps = [np.eye(size, dtype=np.float32), np.eye(size, dtype=np.float32)]
    start = np.eye(size, dtype=np.float32)
    first, second = [np.zeros_like(start) for _ in maps], [np.zeros_like(start) for _ in maps]
    rng = np.random.default_rng(seed)
    step = 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(cause))
        for begin in range(0, len(order) - BATCH + 1, BATCH):
            batch = order[begin : begin + BATCH]
            step += 1
            slopes = [DECAY * (causal_map - start) for causal_map in maps]
            for side, own in ((0, ~asks_cause[batch]), (1, asks_cause[batch])):
                asked, right = (cause, effect) if side == 0 else (effect, cause)
                pool = np.concatenate((right[batch], wrong[batch][own]))
                left, others = asked[batch] @ maps[side], pool @ maps[1 - side]
                scores = SHARPNESS * (left @ others.T)
                chances = np.exp(scores - scores.max(axis=1, keepdims=True))
                chances /= chances.sum(axis=1, keepdims=True)
                chances[np.arange(BATCH), np.arange(BATCH)] -= 1
                chances *= SHARPNESS / (2 * BATCH)
                slopes[side] += asked[batch].T @ (chances @ others)
                slopes[1 - side] += pool.T @ (chances.T @ left)
            for i, slope in enumerate(slopes):
                first[i] = 0.9 * first[i] + 0.1 * slope
                second[i] = 0.999 * second[i] + 0.001 * slope * slope
                maps[i] -= (
                    RATE * (first[i] / (1 - 0.9**step)) / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
                )
    return maps[0] @ maps[1].T


def fitted_matrix(cases: Cases, base: CausalKnowledge, used: np.ndarray) -> np.ndarray:
    """W of some of the cases."""
    premise = vectors([cases.premise[i] for i in used], base)
    choice = [vectors([item[i] for i in used], base) for item in cases.choice]
    is_second, asks = cases.right[used][:, None] == 1, cases.asks_cause[used]
    right, wrong = np.where(is_second, choice[1], choice[0]), np.where(is_second, choice[0], choice[1])
    swap = asks[:, None]
    return learn(np.where(swap, right, premise), np.where(swap, premise, right), wrong, asks)


def features(cases: Cases, knowledge: CausalKnowledge, used: np.ndarray, turned: bool = False) -> np.ndarray:
    """Features of both choices, shape (n, 2, 5); `turned`: as if the other direction were asked."""
    found = []
    for i in used:
        pair = [cases.choice[0][i], cases.choice[1][i]]
        ends = np.cumsum([len(item) for item in pair])
        asked = AskedDirection.CAUSE if bool(cases.asks_cause[i]) != turned else AskedDirection.EFFECT
        found.append(knowledge.features(TABLE, cases.premise[i], np.concatenate(pair), ends, asked))
    return np.array(found)


def logistic(gaps: np.ndarray, signs: np.ndarray, ridge: float = 1e-4) -> np.ndarray:
    """Weights of a logistic regression without offset, by Newton's method on standardised features."""
    scale = gaps.std(axis=0)
    x = gaps / scale
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(np.clip(signs * (x @ weights), -50, 50)))
        slope = -(x * (signs * chance)[:, None]).mean(axis=0) + 2 * ridge * weights
        bend = (x * (chance * (1 - chance))[:, None]).T @ x / len(x) + 2 * ridge * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return weights / scale


def accuracy(gaps: np.ndarray, right: np.ndarray, weights: np.ndarray) -> float:
    """Share of cases in which the right choice scores higher."""
    return float(((gaps @ weights > 0) == (right == 1)).mean())


def quantised(matrix: np.ndarray) -> tuple[np.ndarray, float]:
    """int8 values and their step."""
    step = float(np.abs(matrix).max() / 127)
    return np.rint(matrix / step).astype(np.int8), step


def main() -> None:
    """Fit, say what unseen pairs get, and save where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    parser.add_argument("--check", type=Path)
    parser.add_argument("--save", action="store_true")
    chosen = parser.parse_args()
    check = Cases(objects_of(chosen.check)) if chosen.check else None
    known = set(check.names) if check else set()
    cases = Cases([record for record in objects_of(chosen.train) if normal(record["premise"]) not in known])
    every = np.arange(len(cases.right))
    terms, rare = rarities(cases)
    size = TABLE.model.dimensions
    base = CausalKnowledge(
        np.zeros((size, size), np.float32), terms, rare.astype(np.float32) / RAREST, np.zeros(5), (0, 1)
    )
    fold = np.random.default_rng(1).integers(0, FOLDS, len(every))
    seen = np.zeros((len(every), 2, 5), np.float32)
    turned = np.zeros_like(seen)
    for number in range(FOLDS):
        matrix = fitted_matrix(cases, base, np.flatnonzero(fold != number))
        knowledge = CausalKnowledge(matrix, base.terms, base.rarities, base.weights, base.span)
        held = np.flatnonzero(fold == number)
        seen[held] = features(cases, knowledge, held)
        turned[held] = features(cases, knowledge, held, turned=True)
    gaps, signs = seen[:, 1] - seen[:, 0], np.where(cases.right == 1, 1, -1)
    weights = logistic(gaps, signs)
    print(
        "weights",
        dict(
            zip(
                ("whole", "best", "top", "whole_alike", "words_alike"), weights.round(3).tolist(), strict=True
            )
        ),
    )
    for number in range(FOLDS):
        rest, held = fold != number, fold == number
        print(
            "fold",
            number,
            round(accuracy(gaps[held], cases.right[held], logistic(gaps[rest], signs[rest])), 4),
        )
    scores = seen @ weights
    right, wrong = scores[every, cases.right], scores[every, 1 - cases.right]
    span = np.quantile(scores, [0.002, 0.998])
    print(
        "span",
        span.round(3),
        "right",
        np.quantile((right - span[0]) / (span[1] - span[0]), [0.02, 0.05, 0.1, 0.5]).round(3),
    )
    print("wrong", np.quantile((wrong - span[0]) / (span[1] - span[0]), [0.02, 0.05, 0.1, 0.5]).round(3))
    print("asymmetry", round(float((right > (turned @ weights)[every, cases.right]).mean()), 4))
    values, step = quantised(fitted_matrix(cases, base, every))
    final = CausalKnowledge(
        values * np.float32(step), base.terms, base.rarities, weights.astype(np.float32), (0, 1)
    )
    if check:
        found = features(check, final, np.arange(len(check.right)))
        print("check", round(accuracy(found[:, 1] - found[:, 0], check.right, weights), 4))
    if chosen.save:
        target = Path(shipped.__file__).with_name(shipped.FILE)
        np.savez_compressed(
            target,
            matrix=values,
            step=np.float32(step),
            terms=terms,
            rarities=rare,
            weights=weights.astype(np.float32),
            span=span,
        )
        print(target.name, target.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
