"""Measure the shipped backgrounds: what unrelated pairs score in each space, per direction and length bucket.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python scripts/measure_backgrounds.py

Reads longmemeval, clinc150 and timeqa (development parts; their licences allow it) from ../shared/data and writes
src/engramforge/spaces/backgrounds.json: quantiles, no text. locomo may be used for evaluation only and takes no part.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from pairs import Sample, Scope, chats, pages, requests

from engramforge.core.calibration import BUCKETS, Direction, background_as_mapping, bucket_of, fit_background
from engramforge.indexing.encode import TextEncoder
from engramforge.spaces.presets import comparing_spaces, static_preset

TARGET = Path(__file__).resolve().parents[1] / "src" / "engramforge" / "spaces" / "backgrounds.json"
ASKED = 250
COMPARED = 400
MOST_PER_BUCKET = 20_000


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
                scope.ask(question.text, _some(others, rng), sample)
            else:
                one = int(rng.choice(usable))
                others = usable[body.groups[usable] != body.groups[one]]
                scope.compare(one, _some(others, rng), sample)
        samples.append(sample)
    return samples


def _some(places: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.choice(places, min(COMPARED, len(places)), replace=False)


def main() -> None:
    rng = np.random.default_rng(20260101)
    encoder = TextEncoder()
    scopes = [Scope(body, encoder) for body in (chats(), requests(), pages())]
    preset = static_preset()
    spaces: dict = {space: {"encoder": preset[space].id} for space in comparing_spaces(preset)}
    for direction in Direction:
        samples = measure(direction, scopes, rng)
        for space in spaces:
            backgrounds = []
            for bucket in range(BUCKETS):
                parts = []
                for sample in samples:
                    values, present = sample.raw(space)
                    inside = values[present & (bucket_of(sample.length()) == bucket)]
                    parts.append(rng.permutation(inside)[:MOST_PER_BUCKET])
                backgrounds.append(background_as_mapping(fit_background(np.concatenate(parts))))
            spaces[space][direction] = [_rounded(each) for each in backgrounds]
            tails = ", ".join(f"{each['quantiles'][-1]:.3f}/{each['pairs']}" for each in backgrounds)
            print(f"{space:18} {direction:17} 99 % quantile / pairs by bucket: {tails}")
    TARGET.write_text(json.dumps({"version": 1, "spaces": spaces}, indent=1) + "\n")


def _rounded(background: dict) -> dict:
    quantiles = [round(each, 5) for each in background["quantiles"]]
    return {"quantiles": quantiles, "scale": round(background["scale"], 6), "pairs": background["pairs"]}


if __name__ == "__main__":
    main()
