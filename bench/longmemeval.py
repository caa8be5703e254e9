"""longmemeval: which sessions of a user's history answer a question, and whether the newer state comes first.

All sessions lie in one store, each turn is a memory. any@5 and all@5 look at the first five distinct
sessions of the hits; questions without an evidence session are left out. newer_first: over knowledge-
update questions with exactly two evidence sessions of different dates, the share in which the newer one
ranks above the older one (a session that is found ranks above one that is not; when neither is found the
question counts as lost).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from bench.baselines import BaselineRanker, Bm25
from bench.harness import Document, ForgeRanker, Measured, Options, Ranker, moment, temporary_forge
from bench.measures import distinct, hit_at, mean, recall_at
from bench.records import Record, read_records, take
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_DEPTH: Final = 100
_PROJECT: Final = "history"
_UPDATE: Final = "knowledge-update"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its evidence sessions, the two of a knowledge update in order, and when it is asked."""

    text: str
    evidence: frozenset[str]
    older_newer: tuple[str, str] | None
    asked_at: datetime | None


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N questions, all sessions stay in the store."""
    documents, questions = load(paths)
    questions = questions[: options.limit]
    options.say(f"Remembering {len(documents)} turns")
    with temporary_forge(options.engine) as forge:
        ranker = ForgeRanker(forge)
        ranker.ingest(documents)
        options.say(f"Asking {len(questions)} questions")
        metrics = measure(ranker, documents, questions)
    metrics["latency"] = ranker.latency()
    metrics["others_per_answer"] = ranker.others_per_answer
    options.say("Asking the baseline")
    baselines = {"bm25": measure(BaselineRanker(documents, Bm25), documents, questions)}
    updates = sum(question.older_newer is not None for question in questions)
    settings = {
        "turns": len(documents),
        "sessions": len({document.session for document in documents}),
        "knowledge_updates": updates,
    }
    return Measured(len(questions), metrics, baselines, settings)


def load(paths: Sequence[Path]) -> tuple[list[Document], list[Question]]:
    """Turns of all sessions and the questions that have evidence, from files in any order."""
    records = read_records(paths)
    asked = [record for record in records if record.has("question", "evidence")]
    sessions = [record for record in records if record.has("turns")]
    for kind, found, wanted in (
        ("question", asked, "question, evidence"),
        ("session", sessions, "id, date, turns"),
    ):
        if not found:
            raise InvalidSource(
                f"There is no {kind} in {', '.join(str(path) for path in paths)}",
                f"Give the {kind}s' file too: JSON lines with {wanted}",
            )
    dates: dict[str, datetime | None] = {}
    documents: list[Document] = []
    for session in sessions:
        name, start = session.text("id"), moment(session.fields.get("date"), session.where)
        if name in dates:
            raise InvalidSource(f"{session.where}: the session {name!r} comes twice", "Give each file once")
        dates[name] = start
        documents += _turns(session, name, start)
    questions = [_question(record, dates) for record in asked]
    answerable = [question for question in questions if question.evidence]
    if not answerable:
        raise InvalidSource(
            "No question has a session among these files", "Give questions and sessions that match"
        )
    return documents, answerable


def _turns(session: Record, name: str, start: datetime | None) -> list[Document]:
    return [
        Document(
            content=take(turn, "content", str, session.where),
            project=_PROJECT,
            session=name,
            sequence=sequence,
            speaker=take(turn, "role", str, session.where),
            at=start + timedelta(seconds=sequence) if start else None,
        )
        for sequence, turn in enumerate(session.items("turns"))
    ]


def _question(record: Record, dates: dict[str, datetime | None]) -> Question:
    evidence = frozenset(name for name in record.items("evidence") if isinstance(name, str) and name in dates)
    asked_at = moment(record.fields.get("question_date"), record.where)
    return Question(record.text("question"), evidence, _older_newer(record, evidence, dates), asked_at)


def _older_newer(
    record: Record, evidence: frozenset[str], dates: dict[str, datetime | None]
) -> tuple[str, str] | None:
    if record.fields.get("type") != _UPDATE or len(evidence) != 2 or len(record.items("evidence")) != 2:
        return None
    dated = sorted((date, name) for name in evidence if (date := dates[name]) is not None)
    if len(dated) != 2 or dated[0][0] == dated[1][0]:
        return None
    return dated[0][1], dated[1][1]


def measure(ranker: Ranker, documents: Sequence[Document], questions: Sequence[Question]) -> dict[str, Any]:
    """All metrics of one ranker."""
    any_found, all_found, newer_first = [], [], []
    for question in questions:
        keys = [ranked.key for ranked in ranker.rank(question.text, None, _DEPTH, question.asked_at)]
        sessions = distinct(keys, lambda key: documents[key].session)
        any_found.append(hit_at(sessions, question.evidence, 5))
        all_found.append(float(recall_at(sessions, question.evidence, 5) == 1))
        if question.older_newer:
            place = {name: number for number, name in enumerate(sessions)}
            older, newer = (place.get(name, len(sessions)) for name in question.older_newer)
            newer_first.append(float(newer < older))
    return {"any_at_5": mean(any_found), "all_at_5": mean(all_found), "newer_first": mean(newer_first)}
