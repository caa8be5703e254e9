"""Measure the shipped backgrounds: what unrelated pairs score in each space, per direction and length bucket.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python scripts/measure_backgrounds.py

Reads longmemeval, clinc150, timeqa, cosqa and noto_emoji (development parts; their licences allow it) from
../shared/data and writes src/engramforge/spaces/backgrounds.json: quantiles, no text. locomo may be used for evaluation
only and takes no part. A length of which there are too few pairs takes all lengths together. E8 has nothing to ship:
its vectors belong to a store's own links; nor E11: who is named everywhere differs from store to store.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from pairs import Sample, Scope, causes, chats, drawings, functions, pages, requests

from engramforge.core.similarity.calibration import (
    BUCKETS,
    FEWEST_PAIRS,
    Background,
    Direction,
    bucket_of,
    fit_background,
)
from engramforge.indexing.encoders import Encoders
from engramforge.model.spaces import REGISTRY, Space

TARGET = Path(__file__).resolve().parents[1] / "src" / "engramforge" / "spaces" / "backgrounds.json"
ASKED = 250
COMPARED = 400
MOST_PER_BUCKET = 20_000
NOT_SHIPPED = (Space.ENTITY,)


def measure(direction: Direction, scopes: list[Scope], rng: np.random.Generator) -> list[Sample]:
    """One sample per body: each of 250 queries or memories against 400 memories of other groups."""
    samples = []
    for scope in scopes:
        sample, body = Sample(), scope.body
        usable = np.flatnonzero(scope.lengths > 0)
        for _ in range(ASKED):
            if direction is Direction.QUERY_TO_MEMORY:
                question = body.questions[rng.integers(len(body.questions))]
                others = usable[~np.isin(body.groups[usable], list(question.groups))]
                if body.pictures and rng.random() < 0.5:
                    shown = int(rng.choice(usable))
                    scope.ask(body.pictures[shown], _some(usable[usable != shown], rng), sample)
                else:
                    scope.ask(question.text, _some(others, rng), sample)
            else:
                item = int(rng.choice(usable))
                others = usable[body.groups[usable] != body.groups[item]]
                scope.compare(item, _some(others, rng), sample)
        samples.append(sample)
    return samples


def _some(places: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.choice(places, min(COMPARED, len(places)), replace=False)


def main() -> None:
    rng = np.random.default_rng(20260101)
    encoders = Encoders()
    bodies = (chats(), requests(), pages(), causes(), functions(), drawings())
    scopes = [Scope(body, encoders) for body in bodies]
    spaces: dict = {}
    for direction in Direction:
        samples = measure(direction, scopes, rng)
        for space in (row.space for row in REGISTRY):
            ids = {each[space].encoder for s in samples for each in s.compared if space in each}
            if not ids:
                continue
            (encoder,) = ids
            buckets: list[np.ndarray] = []
            for bucket in range(BUCKETS):
                parts = []
                for sample in samples:
                    values, present = sample.raw(space)
                    inside = values[present & (bucket_of(sample.length()) == bucket)]
                    parts.append(rng.permutation(inside)[:MOST_PER_BUCKET])
                buckets.append(np.concatenate(parts))
            everything = np.concatenate(buckets)
            backgrounds = [
                fit_background(each if len(each) >= FEWEST_PAIRS else everything) for each in buckets
            ]
            measured = spaces.setdefault(space, {"encoder": encoder})
            measured[direction] = [_rounded(each) for each in backgrounds]
            tails = ", ".join(f"{each.quantiles[-1]:.3f}/{each.pairs}" for each in backgrounds)
            print(f"{space:18} {direction:17} 99 % quantile / pairs by bucket: {tails}")
    kept = {
        space: each
        for space, each in spaces.items()
        if space not in NOT_SHIPPED and all(way in each for way in Direction)
    }
    TARGET.write_text(json.dumps({"version": 1, "spaces": kept}, indent=1) + "\n")


def _rounded(background: Background) -> dict:
    return {
        "quantiles": [round(each, 5) for each in background.quantiles],
        "scale": max(round(background.scale, 6), 1e-6),
        "pairs": background.pairs,
    }


if __name__ == "__main__":
    main()
