"""Measure calibration on conversations it was not made from: who gets over the threshold `high`.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python scripts/measure_calibration.py

Reads locomo dev from ../shared/data. Every second question fits the live background, the others are judged. Prints
Markdown: the share of the true evidence over `high`, and of unrelated pairs, in each space and in any.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable

import numpy as np
from pairs import Question, Sample, Scope, conversations

import engramforge
from engramforge.core.similarity.calibration import BUCKETS, Calibration, Direction, bucket_of, fit
from engramforge.indexing.calibrations import Calibrations
from engramforge.indexing.encoders import Encoders
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.backgrounds import shipped_calibrations

COMPARED = 100
QUESTIONS = 120
Fits = dict[Space, Calibration]


def asked(scopes: list[Scope], fold: int) -> list[tuple[int, Question]]:
    """Up to 120 questions per conversation of one half, with the number of their conversation."""
    return [(i, each) for i, scope in enumerate(scopes) for each in scope.body.questions[fold::2][:QUESTIONS]]


def evidence(scopes: list[Scope], fold: int) -> Sample:
    """Questions with the turns that answer them."""
    sample = Sample()
    for i, question in asked(scopes, fold):
        scopes[i].ask(question.text, np.array(question.evidence), sample)
    return sample


def elsewhere(scopes: list[Scope], fold: int, rng: np.random.Generator) -> Sample:
    """Questions with turns of another conversation."""
    sample = Sample()
    for i, question in asked(scopes, fold):
        other = scopes[(i + 1 + int(rng.integers(len(scopes) - 1))) % len(scopes)]
        other.ask(question.text, rng.choice(len(other.embeddings), COMPARED, replace=False), sample)
    return sample


def same_conversation(scopes: list[Scope], fold: int, rng: np.random.Generator) -> Sample:
    """Questions with turns of their own conversation, from sessions that hold none of the evidence."""
    sample = Sample()
    for i, question in asked(scopes, fold):
        others = np.flatnonzero(~np.isin(scopes[i].body.groups, list(question.groups)))
        scopes[i].ask(question.text, rng.choice(others, COMPARED, replace=False), sample)
    return sample


def memories(scopes: list[Scope], other: bool, rng: np.random.Generator) -> Sample:
    """Turns with turns of another conversation, or of another session of their own."""
    sample = Sample()
    for i, scope in enumerate(scopes):
        for item in rng.choice(len(scope.embeddings), QUESTIONS, replace=False).tolist():
            if other:
                target = scopes[(i + 1) % len(scopes)]
                joined = Sample()
                places = rng.choice(len(target.embeddings), COMPARED, replace=False)
                target.embeddings.append(scope.embeddings[item])
                target.lengths = np.append(target.lengths, scope.lengths[item])
                target.compare(len(target.embeddings) - 1, places, joined)
                target.embeddings.pop()
                target.lengths = target.lengths[:-1]
                _append(sample, joined)
            else:
                others = np.flatnonzero(scope.body.groups != scope.body.groups[item])
                scope.compare(item, rng.choice(others, COMPARED, replace=False), sample)
    return sample


def _append(sample: Sample, more: Sample) -> None:
    sample.lengths += more.lengths
    sample.compared += more.compared


def shipped(direction: Direction) -> Fits:
    return {space: each for (space, way), each in shipped_calibrations().items() if way is direction}


def live(sample: Sample, direction: Direction) -> Fits:
    """The shipped backgrounds mixed with this sample."""
    fits = {}
    for space, base in shipped(direction).items():
        values, present = sample.raw(space)
        buckets = bucket_of(sample.length())
        parts = [values[present & (buckets == bucket)] for bucket in range(BUCKETS)]
        fits[space] = fit(parts, base.shipped, ROW_BY_SPACE[space], base.encoder, direction)
    return fits


def refitted(scopes: list[Scope], direction: Direction) -> Fits:
    """What a store fits by itself that holds these conversations, each as a project, through the facade."""
    with tempfile.TemporaryDirectory() as folder, engramforge.open(folder) as forge:
        for scope in scopes:
            forge.remember_many(
                {
                    "content": text,
                    "project": scope.body.name,
                    "session_id": f"{scope.body.name}-{group}",
                    "sequence": place,
                    "kind": "message",
                }
                for place, (text, group) in enumerate(zip(scope.body.texts, scope.body.groups, strict=True))
            )
        report = forge.calibrate()
        print(
            f"\nfitted by the store: {report.pairs} pairs in {report.seconds:.2f} s, {report.memories} memories"
        )
        found = Calibrations(forge._stages.door).current(forge._scope).calibrations
    return {m.space: each for m, each in found.items() if m.direction is direction}


def over(fits: Fits, sample: Sample) -> dict[str, float]:
    """Share of pairs over `high` in each space, and in any."""
    shares, anywhere = {}, np.zeros(len(sample.length()), bool)
    for space, calibration in fits.items():
        values, present = sample.raw(space)
        high = calibration.apply(values, sample.length()).similarity > calibration.high
        shares[str(space)] = float((high & present).mean())
        anywhere |= high & present
    return shares | {"any": float(anywhere.mean())}


def table(title: str, rows: dict[str, tuple[Fits, dict[str, Sample]]]) -> None:
    print(f"\n{title}\n")
    columns: list[str] = []
    for name, (fits, samples) in rows.items():
        for kind, sample in samples.items():
            shares = over(fits, sample)
            if not columns:
                columns = list(shares)
                print("| background | pairs | " + " | ".join(columns) + " |")
                print("|---|---|" + "---|" * len(columns))
            digits: Callable[[float], str] = lambda share: f"{100 * share:.2f} %"  # noqa: E731
            print(f"| {name} | {kind} | " + " | ".join(digits(shares[each]) for each in columns) + " |")


def main() -> None:
    rng = np.random.default_rng(7)
    encoders = Encoders()
    scopes = [Scope(body, encoders) for body in conversations()]
    way = Direction.QUERY_TO_MEMORY
    judged = {
        "evidence": evidence(scopes, 1),
        "other conversation": elsewhere(scopes, 1, rng),
        "other session": same_conversation(scopes, 1, rng),
    }
    pairs = {name: len(sample.length()) for name, sample in judged.items()}
    print(f"{sum(map(len, (s.embeddings for s in scopes)))} turns; pairs judged: {pairs}")
    backgrounds = {
        "shipped": shipped(way),
        "+ other conversations": live(elsewhere(scopes, 0, rng), way),
        "+ other sessions": live(same_conversation(scopes, 0, rng), way),
        "fitted by the store": refitted(scopes, way),
    }
    table("Query to memory", {name: (fits, judged) for name, fits in backgrounds.items()})
    way = Direction.MEMORY_TO_MEMORY
    judged = {
        "other conversation": memories(scopes, True, rng),
        "other session": memories(scopes, False, rng),
    }
    backgrounds = {
        "shipped": shipped(way),
        "+ other conversations": live(memories(scopes, True, rng), way),
        "+ other sessions": live(memories(scopes, False, rng), way),
        "fitted by the store": refitted(scopes, way),
    }
    table("Memory to memory", {name: (fits, judged) for name, fits in backgrounds.items()})


if __name__ == "__main__":
    main()
