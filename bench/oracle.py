"""oracle: whether answers cite what is evidence, and say nothing where nothing is known.

Data is that of longmemeval (evidence by session, unanswerable questions marked), of locomo (evidence by turn, asked
within a conversation; the adversarial questions have no answer) or a folder as of mixed (what `right` finds in a cited
memory is evidence, one is enough). evidence_recall: the mean share of a question's evidence that is cited;
citation_precision: the mean share of citations that are evidence; abstention_accuracy: the mean of the share of
answerable questions that are answered and of unanswerable ones that are not. The baseline cites the first five hits of
BM25, always.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bench import locomo, longmemeval, mixed
from bench.baselines import BaselineRanker, Bm25
from bench.harness import Document, ForgeRanker, Measured, Options, moment, temporary_forge
from bench.measures import mean
from bench.records import read_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from engramforge.forge import Forge
    from engramforge.model.oracle import OracleAnswer
    from engramforge.model.search.hit import Hit

_CITED: Final = 5
_ADVERSARIAL: Final = "5"
_RIGHT: Final = frozenset({"right"})

Cited = list[frozenset[str]]
"""For each citation of an answer the evidence that it is, or would be for another question."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the evidence for it (none where nothing answers), and when and where it is asked."""

    text: str
    evidence: frozenset[str]
    at: datetime | None = None
    project: str | None = None

    def consult(self, forge: Forge) -> OracleAnswer:
        """The oracle's answer."""
        return forge.consult(self.text, project=self.project, now=self.at, model=False)


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N questions."""
    if any(path.is_dir() for path in paths):
        return _of_mixed(paths, options)
    if any(each.has("sample_id") for each in read_records(paths)):
        documents, asked, labels = _of_locomo(paths)
    else:
        documents, asked, labels = _of_longmemeval(paths)
    asked = asked[: options.limit]
    options.say(f"Remembering {len(documents)} turns")
    with temporary_forge(options.engine) as forge:
        ranker = ForgeRanker(forge)
        ranker.ingest(documents)
        options.say(f"Asking {len(asked)} questions")
        answers = [each.consult(forge) for each in asked]
    of_memory = {memory: labels[key] for memory, key in ranker.keys.items()}
    cited = [[_labels(hit, of_memory) for hit in answer.resonant_set] for answer in answers]
    baseline = BaselineRanker(documents, Bm25)
    ranked = [
        [frozenset({labels[hit.key]}) for hit in baseline.rank(each.text, each.project, _CITED, each.at)]
        for each in asked
    ]
    baselines = {"bm25": measure(asked, ranked)}
    return Measured(len(asked), measure(asked, cited), baselines, {"turns": len(documents)})


def _labels(hit: Hit, of_memory: Mapping[str, str]) -> frozenset[str]:
    """What evidence a citation is: that of its memory and of those that are one with it."""
    ids = [each.logical_id for each in (hit.memory, *hit.joined)]
    return frozenset(of_memory[each] for each in ids if each in of_memory)


def _of_longmemeval(paths: Sequence[Path]) -> tuple[list[Document], list[Asked], list[str]]:
    """Turns, questions, and of each turn its session."""
    documents, _ = longmemeval.load(paths)
    labels = [document.session for document in documents]
    asked = [
        Asked(
            each.text("question"),
            frozenset() if each.fields.get("abstention") else frozenset(each.items("evidence")) & set(labels),
            moment(each.fields.get("question_date"), each.where),
        )
        for each in read_records(paths)
        if each.has("question", "evidence")
    ]
    return list(documents), asked, labels


def _of_locomo(paths: Sequence[Path]) -> tuple[list[Document], list[Asked], list[str]]:
    """Turns, questions, and of each turn its number."""
    documents, questions = locomo.load(paths)
    asked = [
        Asked(
            each.text,
            frozenset() if each.category == _ADVERSARIAL else frozenset(map(str, each.evidence)),
            project=each.project,
        )
        for each in questions
    ]
    return documents, asked, [str(key) for key in range(len(documents))]


def _of_mixed(paths: Sequence[Path], options: Options) -> Measured:
    questions = mixed.read_questions(paths)[: options.limit]
    asked = [
        Asked(each.text, frozenset() if each.right is None else _RIGHT, each.now, each.project)
        for each in questions
    ]
    with temporary_forge(options.engine) as forge:
        mixed.import_sources(forge, paths[0], options.say)
        options.say(f"Asking {len(asked)} questions")
        answers = [each.consult(forge) for each in asked]
        memories = list(mixed.memories_of(forge))
    cited = [
        [
            _right(question, *(each.content for each in (hit.memory, *hit.joined)), hit.but_now)
            for hit in answer.resonant_set
        ]
        for question, answer in zip(questions, answers, strict=True)
    ]
    ranked = [
        [_right(question, hit.content) for hit in hits]
        for question, hits in zip(questions, mixed.by_words(memories, questions), strict=True)
    ]
    settings = {"memories": len(memories)}
    return Measured(len(asked), measure(asked, cited), {"bm25": measure(asked, ranked)}, settings)


def _right(question: mixed.Question, *texts: str) -> frozenset[str]:
    return _RIGHT if any(map(question.is_answered_by, texts)) else frozenset()


def measure(asked: Sequence[Asked], cited: Sequence[Cited]) -> dict[str, Any]:
    """The three figures of what was cited for each question."""
    found, right, kept, silent = [], [], [], []
    for each, citations in zip(asked, cited, strict=True):
        if not each.evidence:
            silent.append(float(not citations))
            continue
        kept.append(float(bool(citations)))
        found.append(len(each.evidence & frozenset().union(*citations)) / len(each.evidence))
        if citations:
            right.append(mean([float(bool(citation & each.evidence)) for citation in citations]))
    accuracy = (mean(kept) + mean(silent)) / 2 if silent else mean(kept)
    return {
        "evidence_recall": mean(found),
        "citation_precision": mean(right),
        "abstention_accuracy": accuracy,
        "answered": mean(kept),
        "silent": mean(silent) if silent else None,
    }
