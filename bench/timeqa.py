"""timeqa: which paragraph of a page answers a question that is bound to a time.

Each page is a project, each of its paragraphs a memory in order. hit@k: one of the first k paragraphs
holds an answer, over the questions that have one. unanswerable_auc: how well the score of the best hit
tells questions with an answer from those without one (0.5 is chance).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from bench.baselines import BaselineRanker, Bm25
from bench.harness import Document, ForgeRanker, Measured, Options, Ranker, temporary_forge
from bench.measures import auc, hit_at, mean
from bench.records import Record, read_records, take
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_DEPTH: Final = 3
_READ_AT: Final = datetime(2021, 1, 1, tzinfo=UTC)
"""All paragraphs are equally old: their age says nothing about the times that they tell of."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a page and the keys of the paragraphs that answer it (none: it has no answer)."""

    text: str
    project: str
    answers: frozenset[int]


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N questions with their pages (no question looks outside its page)."""
    documents, questions = load(paths, options.limit)
    options.say(f"Remembering {len(documents)} paragraphs")
    with temporary_forge(options.engine) as forge:
        ranker = ForgeRanker(forge)
        ranker.ingest(documents)
        options.say(f"Asking {len(questions)} questions")
        metrics = measure(ranker, questions)
    metrics["latency"] = ranker.latency()
    metrics["others_per_answer"] = ranker.others_per_answer
    options.say("Asking the baseline")
    baselines = {"bm25": measure(BaselineRanker(documents, Bm25), questions)}
    settings = {
        "paragraphs": len(documents),
        "pages": len({document.project for document in documents}),
        "unanswerable": sum(not question.answers for question in questions),
    }
    return Measured(len(questions), metrics, baselines, settings)


def load(paths: Sequence[Path], limit: int | None = None) -> tuple[list[Document], list[Question]]:
    """Paragraphs and questions; pages after the one that reaches the limit stay unread."""
    documents: list[Document] = []
    questions: list[Question] = []
    for number, record in enumerate(read_records(paths)):
        if limit is not None and len(questions) >= limit:
            break
        project = f"page-{number:04}"
        first = len(documents)
        documents += _paragraphs(record, project)
        for asked in record.items("questions"):
            answers = [
                first + take(answer, "para", int, record.where)
                for answer in take(asked, "answers", list, record.where)
            ]
            if any(not first <= key < len(documents) for key in answers):
                raise InvalidSource(
                    f"{record.where}: an answer points at a paragraph that is not there", "Check the file"
                )
            text = take(asked, "question", str, record.where)
            questions.append(Question(text, project, frozenset(answers)))
    if not questions:
        raise InvalidSource(
            "There is no question in these files", "Give a timeqa file with paras and questions"
        )
    return documents, questions[:limit]


def _paragraphs(record: Record, project: str) -> list[Document]:
    paragraphs = record.items("paras")
    if not all(isinstance(paragraph, str) for paragraph in paragraphs):
        raise InvalidSource(
            f"{record.where}: a paragraph is not text", "Give a file of this benchmark's format"
        )
    page = str(record.fields.get("page", project))[:200]
    return [
        Document(paragraph, project, session=page, sequence=sequence, at=_READ_AT, kind="note")
        for sequence, paragraph in enumerate(paragraphs)
    ]


def measure(ranker: Ranker, questions: Sequence[Question]) -> dict[str, Any]:
    """All metrics of one ranker."""
    first, third = [], []
    tops: dict[bool, list[float]] = {True: [], False: []}
    for question in questions:
        found = ranker.rank(question.text, question.project, _DEPTH)
        tops[bool(question.answers)].append(found[0].score if found else 0.0)
        if question.answers:
            keys = [ranked.key for ranked in found]
            first.append(hit_at(keys, question.answers, 1))
            third.append(hit_at(keys, question.answers, 3))
    return {
        "hit_at_1": mean(first),
        "hit_at_3": mean(third),
        "unanswerable_auc": auc(above=tops[True], below=tops[False]),
    }
