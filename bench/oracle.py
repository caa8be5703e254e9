"""oracle: whether answers cite what is evidence, and say nothing where nothing is known.

Data is that of longmemeval: evidence by session, unanswerable questions marked. evidence_recall: the mean share of a
question's evidence that is cited; citation_precision: the mean share of citations that are evidence;
abstention_accuracy: the mean of the share of answerable questions that are answered and of unanswerable ones that are
not. The baseline cites the first five hits of BM25, always.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bench.baselines import BaselineRanker, Bm25
from bench.harness import ForgeRanker, Measured, Options, moment, temporary_forge
from bench.longmemeval import load
from bench.measures import mean
from bench.records import read_records

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

_CITED: Final = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the sessions that are evidence for it, and when it is asked; none where nothing answers."""

    text: str
    evidence: frozenset[str]
    at: datetime | None


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N questions."""
    documents, _ = load(paths)
    known = {document.session for document in documents}
    asked = [
        Asked(
            each.text("question"),
            frozenset() if each.fields.get("abstention") else frozenset(each.items("evidence")) & known,
            moment(each.fields.get("question_date"), each.where),
        )
        for each in read_records(paths)
        if each.has("question", "evidence")
    ][: options.limit]
    options.say(f"Remembering {len(documents)} turns")
    with temporary_forge(options.engine) as forge:
        ForgeRanker(forge).ingest(documents)
        options.say(f"Asking {len(asked)} questions")
        answers = [forge.consult(each.text, now=each.at, model=False) for each in asked]
    cited = [[str(hit.memory.session_id) for hit in answer.resonant_set] for answer in answers]
    baseline = BaselineRanker(documents, Bm25)
    ranked = [
        [documents[hit.key].session for hit in baseline.rank(each.text, None, _CITED, each.at)]
        for each in asked
    ]
    return Measured(
        len(asked), measure(asked, cited), {"bm25": measure(asked, ranked)}, {"turns": len(documents)}
    )


def measure(asked: Sequence[Asked], cited: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The three figures of what was cited for each question."""
    found, right, kept, silent = [], [], [], []
    for each, sessions in zip(asked, cited, strict=True):
        if not each.evidence:
            silent.append(float(not sessions))
            continue
        kept.append(float(bool(sessions)))
        found.append(len(each.evidence & set(sessions)) / len(each.evidence))
        if sessions:
            right.append(mean([float(session in each.evidence) for session in sessions]))
    accuracy = (mean(kept) + mean(silent)) / 2 if silent else mean(kept)
    return {
        "evidence_recall": mean(found),
        "citation_precision": mean(right),
        "abstention_accuracy": accuracy,
        "answered": mean(kept),
        "silent": mean(silent) if silent else None,
    }
