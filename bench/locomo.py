"""locomo: which turns of a long conversation answer a question about it.

Each turn is a memory; its project is the conversation. `conversation` asks within the question's own one,
`pooled` within all of them. A question counts when its evidence exists: recall@k is the share of its evidence
turns among the first k, hit@k whether any is there, session hit@k whether any turn of an evidence session is.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from bench.baselines import BaselineRanker, Bm25, Cosine
from bench.harness import Document, ForgeRanker, Measured, Options, Ranker, moment, temporary_forge
from bench.measures import hit_at, mean, recall_at
from bench.records import Record, read_records, take
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_DEPTH: Final = 20
_CATEGORIES: Final = {
    "multi_hop": "1",
    "temporal": "2",
    "open_domain": "3",
    "single_hop": "4",
    "adversarial": "5",
}


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the keys of the turns that answer it, and its category 1..5."""

    text: str
    project: str
    evidence: frozenset[int]
    category: str


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N questions, all conversations stay in the store. `bare`: turns come in order,
    but without speaker, time and session."""
    documents, questions = load(paths)
    questions = questions[: options.limit]
    options.say(f"Remembering {len(documents)} turns")
    with temporary_forge(options.engine) as forge:
        ranker = ForgeRanker(forge)
        ranker.ingest(documents, bare=options.bare)
        options.say(f"Asking {len(questions)} questions")
        metrics = measure(ranker, documents, questions)
    metrics["latency"] = ranker.latency()
    metrics["others_per_answer"] = ranker.others_per_answer
    options.say("Asking the baselines")
    baselines = {
        name: measure(BaselineRanker(documents, index), documents, questions)
        for name, index in (("bm25", Bm25), ("cosine", Cosine))
    }
    conversations = len({document.project for document in documents})
    settings = {"turns": len(documents), "conversations": conversations, "bare": options.bare}
    return Measured(len(questions), metrics, baselines, settings)


def load(paths: Sequence[Path]) -> tuple[list[Document], list[Question]]:
    """Turns and questions of all files; questions without existing evidence are left out."""
    documents: list[Document] = []
    questions: list[Question] = []
    seen: set[str] = set()
    for record in read_records(paths):
        project = record.text("sample_id")
        if project in seen:
            raise InvalidSource(
                f"{record.where}: the conversation {project!r} comes twice", "Give each file once"
            )
        seen.add(project)
        keys = _add_turns(record, project, documents)
        questions += _questions(record, project, keys)
    if not questions:
        raise InvalidSource(
            "No question has evidence in these files", "Give a locomo file with sessions and qa"
        )
    return documents, questions


def _add_turns(record: Record, project: str, documents: list[Document]) -> dict[str, int]:
    """Append a conversation's turns; turn id -> key."""
    keys: dict[str, int] = {}
    for session in record.items("sessions"):
        start = moment(session.get("date") if isinstance(session, dict) else None, record.where)
        for sequence, turn in enumerate(take(session, "turns", list, record.where)):
            speaker = take(turn, "speaker", str, record.where)
            caption = turn.get("image_caption")
            content = f"{speaker}: {take(turn, 'text', str, record.where)}"
            keys[take(turn, "id", str, record.where)] = len(documents)
            documents.append(
                Document(
                    content=f"{content} [photo {caption}]" if caption else content,
                    project=project,
                    session=f"session-{session.get('n')}",
                    sequence=sequence,
                    speaker=speaker,
                    at=start + timedelta(seconds=sequence) if start else None,
                )
            )
    return keys


def _questions(record: Record, project: str, keys: dict[str, int]) -> list[Question]:
    questions = []
    for asked in record.items("qa"):
        named = take(asked, "evidence", list, record.where)
        evidence = frozenset(keys[turn] for turn in named if turn in keys)
        category = str(asked.get("category"))
        if evidence:
            text = take(asked, "question", str, record.where)
            questions.append(Question(text, project, evidence, _CATEGORIES.get(category, category)))
    return questions


def measure(ranker: Ranker, documents: Sequence[Document], questions: Sequence[Question]) -> dict[str, Any]:
    """All metrics of one ranker."""
    within = [_score(ranker, documents, question, question.project) for question in questions]
    pooled = [_score(ranker, documents, question, None) for question in questions]
    categories = sorted({question.category for question in questions})
    return {
        "conversation": _means(within),
        "pooled": _means(pooled),
        "by_category": {
            category: {"n": len(chosen), **_means(chosen)}
            for category in categories
            for chosen in [[s for s, q in zip(within, questions, strict=True) if q.category == category]]
        },
    }


def _score(
    ranker: Ranker, documents: Sequence[Document], question: Question, project: str | None
) -> dict[str, float]:
    found = ranker.rank(question.text, project, _DEPTH)
    keys = [ranked.key for ranked in found]
    sessions = [_session(documents[key]) for key in keys]
    return {
        "recall_at_5": recall_at(keys, question.evidence, 5),
        "recall_at_10": recall_at(keys, question.evidence, 10),
        "recall_at_20": recall_at(keys, question.evidence, 20),
        "hit_at_10": hit_at(keys, question.evidence, 10),
        "session_hit_at_10": hit_at(sessions, {_session(documents[key]) for key in question.evidence}, 10),
    }


def _session(document: Document) -> tuple[str, str]:
    return document.project, document.session


def _means(scores: Sequence[dict[str, float]]) -> dict[str, float | None]:
    return {name: mean(score[name] for score in scores) for name in scores[0]}
