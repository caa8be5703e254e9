"""cosqa: which function of a code base a question from a web search asks for.

Each function is a memory of kind artifact without a session; a question is recalled over all of them. mrr: mean of
1 / rank of the wanted function, 0 where it is not among the first hundred; recall@10: share of the questions whose
function is among the first ten. parse_rate: share of the functions whose syntax the code space could read without an
error.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from bench.baselines import BaselineRanker, Bm25
from bench.harness import Document, ForgeRanker, Measured, Options, Ranker, temporary_forge
from bench.measures import mean
from bench.records import Record, read_records, take
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_DEPTH: Final = 100
_PROJECT: Final = "codebase"
_READ_AT: Final = datetime(2021, 1, 1, tzinfo=UTC)
"""All functions are equally old."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the key of the function that it asks for."""

    text: str
    wanted: int


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N questions, the whole code base stays in the store."""
    documents, questions = load(paths)
    questions = questions[: options.limit]
    options.say(f"Remembering {len(documents)} functions")
    with temporary_forge(options.engine) as forge:
        ranker = ForgeRanker(forge)
        started = time.perf_counter()
        ranker.ingest(documents)
        ingest_seconds = time.perf_counter() - started
        options.say(f"Asking {len(questions)} questions")
        metrics = measure(ranker, questions)
    metrics["parse_rate"] = parse_rate(documents)
    metrics["latency"] = ranker.latency()
    metrics["ingest_per_second"] = len(documents) / ingest_seconds
    options.say("Asking the baseline")
    baselines = {"bm25": measure(BaselineRanker(documents, Bm25), questions)}
    return Measured(len(questions), metrics, baselines, {"functions": len(documents), "depth": _DEPTH})


def load(paths: Sequence[Path]) -> tuple[list[Document], list[Question]]:
    """Functions and questions, whichever file holds them."""
    records = read_records(paths)
    functions = [record for record in records if record.has("code")]
    asked = [record for record in records if record.has("query")]
    strange = next((each for each in records if not each.has("code") and not each.has("query")), None)
    if strange is not None:
        raise InvalidSource(
            f"{strange.where}: this is neither a function (code) nor a question (query)",
            "Give a code base and a file of queries",
        )
    if not functions or not asked:
        missing = "function (code)" if not functions else "question (query)"
        raise InvalidSource(f"No {missing} is in these files", "Give a code base and a file of queries")
    places: dict[int, int] = {}
    documents: list[Document] = []
    for record in functions:
        key = take(record.fields, "id", int, record.where)
        if key in places:
            raise InvalidSource(f"{record.where}: the function {key} comes twice", "Give each file once")
        places[key] = len(documents)
        documents.append(
            Document(record.text("code"), _PROJECT, "", len(documents), at=_READ_AT, kind="artifact")
        )
    return documents, [_question(record, places) for record in asked]


def _question(record: Record, places: dict[int, int]) -> Question:
    wanted = take(record.fields, "gold", int, record.where)
    if wanted not in places:
        raise InvalidSource(
            f"{record.where}: the function {wanted} is not in the code base", "Give the code base it is from"
        )
    return Question(record.text("query"), places[wanted])


def measure(ranker: Ranker, questions: Sequence[Question]) -> dict[str, Any]:
    """mrr and recall@10 of one ranker."""
    reciprocal, within = [], []
    for question in questions:
        keys = [ranked.key for ranked in ranker.rank(question.text, _PROJECT, _DEPTH)]
        place = keys.index(question.wanted) if question.wanted in keys else None
        reciprocal.append(0.0 if place is None else 1 / (place + 1))
        within.append(float(place is not None and place < 10))
    return {"mrr": mean(reciprocal), "recall_at_10": mean(within)}


def parse_rate(documents: Sequence[Document]) -> float | None:
    """Share of the functions that the code space read without an error of syntax."""
    from engramforge.spaces.code.code_encoder import report_on_code

    return mean(float(report_on_code(document.content).parsed) for document in documents)
