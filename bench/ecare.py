"""ecare: which of two plain sentences is the cause, or the effect, of a third.

Each case is a project with both hypotheses as memories; its premise is asked about by a question ("Why?", "What happens
then?") and the first hit is the answer; no hit is a wrong one. accuracy: share of right answers. asymmetry_share: how
often the right hypothesis has a higher similarity when it is asked for in its direction than when it is asked for in
the other; answered: share of cases with a hit. Baselines: more shared words (half for a tie), the more frequent label.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.measures import mean
from bench.records import Record, read_records, take
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from engramforge.forge import Forge

_ASKED: Final = {"cause": "Why? {}", "effect": "What happens then? {}"}
_OTHER: Final = {"cause": "effect", "effect": "cause"}
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Case:
    """A premise, what is asked for (cause or effect), two hypotheses, and which of them is right (0 or 1)."""

    premise: str
    asked: str
    hypotheses: tuple[str, str]
    right: int


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N cases."""
    cases = load(paths)[: options.limit]
    options.say(f"Asking {len(cases)} cases")
    with temporary_forge(options.engine) as forge:
        metrics = measure(forge, cases)
    labels = [case.right for case in cases]
    majority = max(labels.count(0), labels.count(1)) / len(cases)
    baselines = {
        "overlap": {"accuracy": mean(_overlap(case) for case in cases)},
        "majority": {"accuracy": majority},
    }
    asked = {name: sum(case.asked == name for case in cases) for name in _ASKED}
    return Measured(len(cases), metrics, baselines, {"asked": asked})


def load(paths: Sequence[Path]) -> list[Case]:
    """All cases of the files in order."""
    return [_case(record) for record in read_records(paths)]


def _case(record: Record) -> Case:
    asked, right = record.text("ask-for"), take(record.fields, "label", int, record.where)
    if asked not in _ASKED or right not in (0, 1):
        raise InvalidSource(
            f"{record.where}: ask-for is {asked!r} and label {right!r}", "Give cause or effect, and 0 or 1"
        )
    return Case(
        record.text("premise"), asked, (record.text("hypothesis1"), record.text("hypothesis2")), right
    )


def measure(forge: Forge, cases: Sequence[Case]) -> dict[str, Any]:
    """All metrics, by asking the facade."""
    right: dict[str, list[float]] = {name: [] for name in _ASKED}
    answered, directed = [], []
    drafts = [
        {
            "content": text,
            "kind": "note",
            "project": _project(number),
            "origin": f"{_project(number)}/{place}",
        }
        for number, case in enumerate(cases)
        for place, text in enumerate(case.hypotheses)
    ]
    memories = forge.remember_many(drafts)
    for number, case in enumerate(cases):
        project, wanted = _project(number), memories[2 * number + case.right].logical_id
        first, score = _ask(forge, case.asked, case.premise, project, wanted)
        _, turned = _ask(forge, _OTHER[case.asked], case.premise, project, wanted)
        right[case.asked].append(float(first == wanted))
        answered.append(float(first is not None))
        directed.append(float(score > turned))
    return {
        "accuracy": mean(value for values in right.values() for value in values),
        "per_direction": {name: mean(values) for name, values in right.items()},
        "asymmetry_share": mean(directed),
        "answered": mean(answered),
    }


def _project(number: int) -> str:
    """The name of a case's project."""
    return f"case-{number:05}"


def _ask(forge: Forge, asked: str, premise: str, project: str, wanted: str) -> tuple[str | None, float]:
    """The first hit of a question about the premise, and the similarity of the wanted memory; 0 where it is no hit."""
    hits = forge.recall(_ASKED[asked].format(premise), project=project, limit=2, budget=None).hits
    scores = {hit.memory.logical_id: hit.parts.similarity for hit in hits}
    return (hits[0].memory.logical_id if hits else None), scores.get(wanted, 0.0)


def _overlap(case: Case) -> float:
    """1 where the right hypothesis shares more words with the premise, half for a tie."""
    premise = set(_WORD.findall(case.premise.lower()))
    shared = [len(premise & set(_WORD.findall(text.lower()))) for text in case.hypotheses]
    gap = shared[case.right] - shared[1 - case.right]
    return 0.5 if gap == 0 else float(gap > 0)
