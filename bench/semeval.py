"""semeval: which of two marked words is the cause, and whether a sentence says that one causes the other.

The marks are taken out and the sentence is given to the facade. It says Cause-Effect where one of the causations
found in it has the one word in its cause and the other in its effect. accuracy: share of right directions among the
sentences that are Cause-Effect, by the causation found, else by `cause_between`; detection: Cause-Effect against all
others; three_way: the first word, the second, or neither is the cause. Baselines: majority, and overlap (Cause-Effect
where both words begin with the same four letters, the first being the cause).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.measures import mean
from bench.records import Record, read_records
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from engramforge.forge import Forge

_TAG: Final = re.compile(r"</?e([12])>")
_LABELS: Final = {"Cause-Effect(e1,e2)": 0, "Cause-Effect(e2,e1)": 1}
_STEM_LETTERS: Final = 4
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence without marks, its two spans, and which of them is the cause (0 or 1); None: neither is."""

    text: str
    spans: tuple[Span, Span]
    cause: int | None


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N sentences."""
    cases = load(paths)[: options.limit]
    options.say(f"Reading {len(cases)} sentences")
    with temporary_forge(options.engine) as forge:
        found = [_found(forge, case) for case in cases]
        order = [
            forge.cause_between(case.text, *case.spans).cause if item is None else item
            for case, item in zip(cases, found, strict=True)
        ]
    baselines = {
        "majority": _majority(cases),
        "overlap": measure(cases, [0 if _alike(case) else None for case in cases], [0] * len(cases)),
    }
    settings = {"cause_effect": sum(case.cause is not None for case in cases)}
    return Measured(len(cases), measure(cases, found, order), baselines, settings)


def load(paths: Sequence[Path]) -> list[Case]:
    """All sentences of the files in order."""
    return [_case(record) for record in read_records(paths)]


def _case(record: Record) -> Case:
    marked = record.text("text")
    places: dict[str, list[int]] = {"1": [], "2": []}
    plain, last = "", 0
    for tag in _TAG.finditer(marked):
        plain += marked[last : tag.start()]
        last = tag.end()
        places[tag.group(1)].append(len(plain))
    plain += marked[last:]
    if any(len(ends) != 2 or ends[0] >= ends[1] for ends in places.values()):
        raise InvalidSource(f"{record.where}: the marks e1 and e2 are not there once each", "Check the file")
    first, other = ((ends[0], ends[1]) for ends in places.values())
    return Case(plain, (first, other), _LABELS.get(record.text("label")))


def measure(cases: Sequence[Case], found: Sequence[int | None], order: Sequence[int]) -> dict[str, Any]:
    """All metrics of what was found (0, 1 or None) and of which span is the likelier cause (0 or 1)."""
    both = sum(case.cause is not None and item is not None for case, item in zip(cases, found, strict=True))
    said, true = sum(item is not None for item in found), sum(case.cause is not None for case in cases)
    return {
        "accuracy": mean(
            float(case.cause == item)
            for case, item in zip(cases, order, strict=True)
            if case.cause is not None
        ),
        "three_way": mean(float(case.cause == item) for case, item in zip(cases, found, strict=True)),
        "detection": {
            "precision": both / said if said else None,
            "recall": both / true if true else None,
            "f1": 2 * both / (said + true) if said + true else None,
        },
    }


def _found(forge: Forge, case: Case) -> int | None:
    """Which span the first fitting causation has as its cause."""
    first, other = case.spans
    for causation in forge.causes(case.text):
        if _meet(first, causation.cause_span) and _meet(other, causation.effect_span):
            return 0
        if _meet(other, causation.cause_span) and _meet(first, causation.effect_span):
            return 1
    return None


def _meet(first: Span, other: Span) -> bool:
    return first[0] < other[1] and other[0] < first[1]


def _majority(cases: Sequence[Case]) -> dict[str, Any]:
    """Always the more frequent direction; always Cause-Effect."""
    labels = [case.cause for case in cases if case.cause is not None]
    likelier = int(labels.count(1) > labels.count(0))
    return measure(cases, [likelier] * len(cases), [likelier] * len(cases))


def _alike(case: Case) -> bool:
    first, other = (case.text[slice(*span)].lower()[:_STEM_LETTERS] for span in case.spans)
    return first == other
