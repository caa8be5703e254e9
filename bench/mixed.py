"""mixed: what a person gets who keeps everything in one store.

The data is a folder: `sources/` holds a folder for each project, imported as it is, and `questions.jsonl` a question a
line: `id`, `question`, `kind`, and if it has an answer `right`, a regular expression for what has to be shown; maybe
`project` and `now`. Everything is asked with a limit of five and all else by default.

top1, top3: share of answerable questions whose answer is shown first, or among the first three. top3_content: the same
by what the hits hold, shown or not. silent: share of the other questions of which no hit says that it is relevant.
answered_kept: of the questions whose answer is shown at all, the share where a hit that shows it says so. duplicates:
share of answers in which two of the first three say the same. echo: share of answerable questions whose first hit only
asks. pollution: active decisions and open threads that were read out of the texts, per 1,000 memories; files that are
records of decisions are no pollution and are counted as decision_records.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bench.baselines import Bm25
from bench.harness import Measured, Options, Say, moment, temporary_forge
from bench.measures import mean, percentile
from bench.records import Record, read_records
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from engramforge.forge import Forge
    from engramforge.model.memory import Memory

_LIMIT: Final = 5
_PAGE: Final = 1_000
_SHINGLE: Final = 5
_SAME: Final = 0.6
"""Of the shorter text's runs of five words, the share that another text has too if both say the same."""
_SPACE: Final = re.compile(r"[\s\u2502]+")
_ASKS: Final = re.compile(r"[^.!?\n]*\?[\s\"')*]*")


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `right` is None where nothing answers it, `now` None for the clock."""

    key: str
    text: str
    kind: str
    project: str | None
    right: re.Pattern[str] | None
    now: datetime | None

    def is_answered_by(self, text: str) -> bool:
        """Whether a text shows the answer."""
        return self.right is not None and self.right.search(plain(text)) is not None


@dataclass(frozen=True, slots=True)
class Shown:
    """One hit: what a person sees of it, all that it holds, and whether it says that it is relevant."""

    text: str
    content: str
    relevant: bool = True


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N questions, all projects stay in the store."""
    questions = read_questions(paths)[: options.limit]
    with temporary_forge(options.engine) as forge:
        begun = time.perf_counter()
        import_sources(forge, paths[0], options.say)
        importing = time.perf_counter() - begun
        options.say(f"Asking {len(questions)} questions")
        answers, latencies = _ask(forge, questions)
        memories = list(memories_of(forge))
        metrics = measure(questions, answers)
        metrics["pollution"] = _pollution(forge, len(memories))
    metrics["latency"] = {f"recall_p{share}_ms": percentile(latencies, share / 100) for share in (50, 95)}
    options.say("Asking the baseline")
    baselines = {"bm25": measure(questions, by_words(memories, questions))}
    settings = {
        "memories": len(memories),
        "importing_seconds": round(importing, 1),
        "missed": [key.key for key, hits in zip(questions, answers, strict=True) if _rank(key, hits) > 3],
        "answered_wrongly": [
            key.key
            for key, hits in zip(questions, answers, strict=True)
            if key.right is None and any(hit.relevant for hit in hits)
        ],
    }
    return Measured(len(questions), metrics, baselines, settings)


def read_questions(paths: Sequence[Path]) -> list[Question]:
    """The questions of a folder. Raises InvalidSource: it is none, or not the only one."""
    if len(paths) != 1 or not (paths[0] / "sources").is_dir():
        raise InvalidSource(
            "There has to be one folder", "Give the folder that holds sources/ and questions.jsonl"
        )
    return [_question(each) for each in read_records([paths[0] / "questions.jsonl"])]


def import_sources(forge: Forge, path: Path, say: Say) -> None:
    """Import each folder of sources as a project of its name."""
    for folder in sorted(each for each in (path / "sources").iterdir() if each.is_dir()):
        say(f"Importing {folder.name}")
        forge.import_path(folder, project=folder.name)


def _question(record: Record) -> Question:
    right = record.fields.get("right")
    try:
        pattern = None if right is None else re.compile(str(right), re.IGNORECASE | re.DOTALL)
    except re.error as fault:
        raise InvalidSource(f"{record.where}: `right` is no regular expression: {fault}", "Mend it") from None
    project = record.fields.get("project")
    return Question(
        key=record.text("id"),
        text=record.text("question"),
        kind=record.text("kind"),
        project=None if project is None else str(project),
        right=pattern,
        now=moment(record.fields.get("now"), record.where),
    )


def _ask(forge: Forge, questions: Sequence[Question]) -> tuple[list[list[Shown]], list[float]]:
    answers, latencies = [], []
    for asked in questions:
        begun = time.perf_counter()
        found = forge.recall(asked.text, project=asked.project, limit=_LIMIT, now=asked.now)
        latencies.append((time.perf_counter() - begun) * 1_000)
        answers.append([Shown(hit.excerpt, hit.memory.content, hit.relevant) for hit in found.hits])
    return answers, latencies


def memories_of(forge: Forge) -> Iterator[Memory]:
    """All current memories, page by page."""
    offset = 0
    while page := forge.memories(limit=_PAGE, offset=offset):
        yield from page
        offset += len(page)


def _pollution(forge: Forge, memories: int) -> dict[str, float]:
    """Active entries that were read out of what a text says; a record of a decision is one, and is told apart."""
    active = list(forge.decisions.browse(status="active", limit=_PAGE))
    decisions = sum(1 for each in active if each.evidence is not None)
    threads = sum(1 for each in forge.threads.browse(status="open", limit=_PAGE) if each.evidence is not None)
    share = 1_000 * (decisions + threads) / max(memories, 1)
    return {
        "decisions": decisions,
        "threads": threads,
        "per_1000": share,
        "decision_records": len(active) - decisions,
    }


def by_words(memories: Sequence[Memory], questions: Sequence[Question]) -> list[list[Shown]]:
    """What BM25 finds among the same memories, shown whole."""
    scopes: dict[str | None, tuple[list[str], Bm25]] = {}
    answers = []
    for asked in questions:
        if asked.project not in scopes:
            chosen = [each.content for each in memories if asked.project in (None, each.project)]
            scopes[asked.project] = chosen, Bm25(chosen)
        texts, index = scopes[asked.project]
        scores = index.scores(asked.text)
        best = np.argsort(-scores, kind="stable")[:_LIMIT]
        answers.append([Shown(texts[row], texts[row]) for row in best.tolist() if scores[row] > 0])
    return answers


def measure(questions: Sequence[Question], answers: Sequence[Sequence[Shown]]) -> dict[str, Any]:
    """All metrics that hits alone tell, in 0..1."""
    asked = list(zip(questions, answers, strict=True))
    answerable = [(question, hits) for question, hits in asked if question.right is not None]
    others = [hits for question, hits in asked if question.right is None]
    shown = [(question, hits) for question, hits in answerable if _rank(question, hits) <= _LIMIT]
    kinds = sorted({question.kind for question, _ in answerable})
    return {
        **_tops(answerable),
        "top3_content": mean(
            any(question.is_answered_by(hit.content) for hit in hits[:3]) for question, hits in answerable
        ),
        "silent": mean(not any(hit.relevant for hit in hits) for hits in others),
        "answered_kept": mean(
            any(hit.relevant and question.is_answered_by(hit.text) for hit in hits)
            for question, hits in shown
        ),
        "duplicates": mean(
            any(says_the_same(one.text, other.text) for one, other in combinations(hits[:3], 2))
            for _, hits in asked
        ),
        "echo": mean(bool(hits) and only_asks(hits[0].text) for _, hits in answerable),
        "by_kind": {
            kind: {"n": len(chosen), **_tops(chosen)}
            for kind in kinds
            for chosen in [[(question, hits) for question, hits in answerable if question.kind == kind]]
        },
    }


def _tops(answerable: Sequence[tuple[Question, Sequence[Shown]]]) -> Mapping[str, float | None]:
    ranks = [_rank(question, hits) for question, hits in answerable]
    return {f"top{most}": mean(rank <= most for rank in ranks) for most in (1, 3)}


def _rank(question: Question, hits: Sequence[Shown]) -> int:
    """The place of the first hit that shows the answer, from 1; past the last where none does."""
    if question.right is None:
        return 0
    places = (place for place, hit in enumerate(hits, 1) if question.is_answered_by(hit.text))
    return next(places, _LIMIT + 1)


def plain(text: str) -> str:
    """A text with white space and lines of boxes made one space."""
    return _SPACE.sub(" ", text)


def says_the_same(one: str, other: str) -> bool:
    """Whether most of the shorter of two texts stands in the longer one, by runs of five words."""
    runs = [_runs(plain(text).lower().split()) for text in (one, other)]
    return len(runs[0] & runs[1]) >= _SAME * min(map(len, runs))


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    if len(words) <= _SHINGLE:
        return {tuple(words)}
    return set(zip(*(islice(words, start, None) for start in range(_SHINGLE)), strict=False))


def only_asks(text: str) -> bool:
    """Whether a text is questions and nothing else."""
    return "?" in text and not _ASKS.sub("", text).strip()
