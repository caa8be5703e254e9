"""What the ranking is fitted on: for every question of the data, the product's own signals of its candidates."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import measure_markdown
import numpy as np
from bench.harness import ForgeRanker, temporary_forge

from bench import locomo, longmemeval, timeqa
from engramforge.indexing.calibrations import scales_of
from engramforge.model.memory import Kind
from engramforge.model.search.selection import Selection
from engramforge.model.time import to_micros
from engramforge.recall.multispace import (
    ASKING,
    Similarity,
    compare_parts,
    score_similarity,
    spoken_by,
)
from engramforge.recall.request import recall_request
from engramforge.recall.retrieval import ask, probe_of

FOLDS = 5
_CHUNK = list(Kind).index(Kind.CHUNK)


@dataclass
class Case:
    """One question's n candidates: signals (n, s), which rows are answers, and what the metrics need."""

    kind: str
    fold: int
    names: list[str]
    signals: np.ndarray
    gold: np.ndarray
    wanted: int
    session: list[Any]
    gold_sessions: frozenset[Any]
    vectors: np.ndarray
    soft: np.ndarray
    weights: np.ndarray
    moments: np.ndarray
    positions: np.ndarray
    question: Any
    now: int
    project: np.ndarray
    is_said: np.ndarray
    is_own: np.ndarray
    older_newer: tuple[Any, Any] | None = None


def collect(ranker: ForgeRanker, documents: list[Any], kind: str, asked: list[dict[str, Any]]) -> list[Case]:
    """The product's signals of every question's candidates."""
    forge = ranker.forge
    parts = forge._stages
    cases = []
    for question in asked:
        scope = forge._within(question["project"])
        request = recall_request(question["text"], Selection(), clock=parts.clock, now=question.get("now"))
        query = parts.retriever.embed(scope, question["text"])
        view = parts.door.asking(scope)
        ground = view.ground()
        read = ask(question["text"], ground.profile, request.now)
        found = view.candidates(request.selection, probe_of(query, read))
        scored = _scored(parts, view, ground, query, read, found)
        memories = view.fetch_at(found.position)
        own = [ranker.keys.get(memories[int(position)].logical_id) for position in found.position]
        # Entries that were read out of a document are none themselves.
        rows = np.array([row for row, key in enumerate(own) if key is not None], np.int64)
        keys = [key for key in own if key is not None]
        names = sorted(scored.signals)
        cases.append(
            Case(
                kind,
                question["fold"],
                names,
                np.stack([scored.signals[name][rows] for name in names], axis=1).astype(np.float32),
                np.array([question["is_gold"](key) for key in keys], np.bool_),
                question["wanted"],
                [(documents[key].project, documents[key].session) for key in keys],
                question["gold_sessions"],
                found.vector[rows],
                scored.soft[:, rows],
                query.weights,
                found.valid_at[rows],
                found.position[rows],
                read,
                to_micros(request.now),
                found.project[rows],
                found.kind[rows] != _CHUNK,
                spoken_by(found, ASKING)[rows],
                question.get("older_newer"),
            )
        )
    return cases


def _scored(parts: Any, view: Any, ground: Any, query: Any, read: Any, found: Any) -> Similarity:
    """The product's similarity of the candidates with all its signals."""
    encoders = parts.encoder.part_encoders(ground.encoders)
    calibrations = parts.retriever.calibrations.named_by(ground.calibrations, view)
    compared = compare_parts(query, found, encoders)
    scales = scales_of(ground.encoders, lambda: calibrations)
    return score_similarity(query, read, found, ground.corpus, parts.encoder.table, compared, scales)


def cases_of(folder: Path) -> list[Case]:
    """All cases of the three data sets."""
    cases: list[Case] = []
    documents, questions = locomo.load([folder / "locomo/dev.jsonl.gz"])
    fold_of = {name: fold for fold, name in enumerate(dict.fromkeys(each.project for each in documents))}
    with temporary_forge() as forge:
        ranker = ForgeRanker(forge)
        ranker.ingest(documents)
        for kind in ("conversation", "pooled"):
            asked = [
                {
                    "text": each.text,
                    "project": each.project if kind == "conversation" else None,
                    "fold": fold_of[each.project],
                    "is_gold": each.evidence.__contains__,
                    "wanted": len(each.evidence),
                    "gold_sessions": frozenset(
                        (documents[k].project, documents[k].session) for k in each.evidence
                    ),
                }
                for each in questions
            ]
            cases += collect(ranker, documents, kind, asked)
    documents, questions = longmemeval.load(
        [folder / "longmemeval_evidence" / name for name in ("questions.dev.jsonl", "sessions.dev.jsonl.gz")]
    )
    with temporary_forge() as forge:
        ranker = ForgeRanker(forge)
        ranker.ingest(documents)
        asked = [
            {
                "text": each.text,
                "project": None,
                "fold": number % FOLDS,
                "now": each.asked_at,
                "is_gold": lambda key, each=each, documents=documents: (
                    documents[key].session in each.evidence
                ),
                "wanted": len(each.evidence),
                "gold_sessions": frozenset((documents[0].project, name) for name in each.evidence),
                "older_newer": each.older_newer
                and tuple((documents[0].project, name) for name in each.older_newer),
            }
            for number, each in enumerate(questions)
        ]
        cases += collect(ranker, documents, "longmemeval", asked)
    documents, questions = timeqa.load([folder / "timeqa/dev.jsonl.gz"], None)
    with temporary_forge() as forge:
        ranker = ForgeRanker(forge)
        ranker.ingest(documents)
        asked = [
            {
                "text": each.text,
                "project": each.project,
                "fold": int(each.project.rpartition("-")[2]) % FOLDS,
                "is_gold": each.answers.__contains__,
                "wanted": len(each.answers),
                "gold_sessions": frozenset(),
            }
            for each in questions
        ]
        cases += collect(ranker, documents, "timeqa", asked)
    return cases + own_cases(folder)


def own_cases(folder: Path) -> list[Case]:
    """Cases of the questions in bench/own, in the question's project and in all, with the chats beside them."""
    cases: list[Case] = []
    with temporary_forge() as forge:
        ranker, documents, asked = measure_markdown.fill(forge, folder)
        for kind in ("markdown", "transcript", "adr"):
            for scope in ("", "_all"):
                questions = [
                    {
                        "text": each.text,
                        "project": None if scope else each.project,
                        "fold": number % FOLDS,
                        "is_gold": each.answers.__contains__,
                        "wanted": len(each.answers),
                        "gold_sessions": frozenset(),
                    }
                    for number, each in enumerate(asked)
                    if each.kind == kind
                ]
                cases += collect(ranker, documents, kind + scope, questions)
    return cases
