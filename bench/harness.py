"""What all benchmarks share: the temporary store, asking the facade, and the shape of a result.

Nothing here may reach past the public facade, or give one benchmark a setting that another does not have.
"""

from __future__ import annotations

import importlib
import json
import os
import platform
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol
from uuid import uuid4

from bench.measures import percentile
from engramforge.errors import InvalidSource, InvalidValue

if TYPE_CHECKING:
    from engramforge.forge import Forge

BENCHMARKS: Final[Mapping[str, str]] = {
    "locomo": "turns that answer questions about long conversations",
    "longmemeval": "sessions that answer questions about a user's history",
    "oracle": "answers that cite their evidence, or say that nothing is known",
    "timeqa": "paragraphs that answer questions bound to a time",
    "mixed": "everyday questions to a store of everything, and such that nothing in it answers",
    "peps": "what a register of decisions said on a day, and what came after each",
    "multimodal": "images found by captions, and by changed copies of themselves",
    "emotion": "which of 28 emotions a text speaks of",
    "cosqa": "functions of a code base that questions ask for",
    "ecare": "which of two plain sentences is the cause, or the effect, of a third",
    "six_way": "turns that answer questions about long conversations, by intention",
    "why": "whether a question meets the cause or the effect that it asks for",
    "semeval": "which of two marked words is the cause, and whether a sentence says so",
    "entities": "names that rules find in texts, and which spellings are one name",
    "kg": "links of a knowledge graph that were left out",
    "clustering": "topics of short texts, against what people say they are about",
    "topicnames": "whether names of topics have words of what people say these are about",
    "topicshift": "whether a shift of activity is told when the matter changes, and only then",
    "bandit": "what orders injections beside priority, by a user whose truth is known",
    "contradiction": "statements that contradict each other, and records that reject one another",
    "detection": "decisions and threads that texts speak of",
    "pollution": "entries of the registries that were read out of texts in which nobody decides",
    "poisoning": "orders in pasted texts that reach a registry, and statements of one's own that do",
    "injection": "how often something is put before a model unasked, and whether it is taken up",
    "compression": "what archives carry over six hops, against the registry",
    "imports": "fidelity of imports against a manifest",
    "replay": "turns that hooks of real sessions give, against their transcripts",
    "redaction": "secrets that are stored, and plain talk that is changed",
    "registry": "speed of searches, stale decisions and lineages as the registries grow",
    "hooks": "how long a person waits for each hook of Claude Code",
    "lenses": "speed of questions through several lenses, and of scans over projects",
    "scale": "speed and size as the store grows, or with --links of streams in a graph",
}
"""Name -> what it measures. Each name is also the module that runs it."""

WITHOUT_FILES: Final = frozenset({"bandit", "hooks", "lenses", "poisoning", "redaction", "registry", "scale"})
"""Benchmarks that make their own memories."""

Metrics = Mapping[str, Any]
Say = Callable[[str], None]


def _silence(_: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller may choose.

    Parameters
    ----------
    limit : the first N cases only; None for all.
    memories : how many memories `scale`, `lenses` and `hooks` make, and how many decisions `registry`.
    links : by how many links `scale` links its memories, and measures streams; None for no links, and recalls.
    seed : which texts `poisoning` and `redaction` make up, no two seeds share one; which users `bandit` does.
    engine : URL of the database that holds the store, a fresh tenant of it; None for a temporary folder.
    bare : `locomo` remembers content and project alone.
    home : whose daemon `hooks` asks; None for a temporary one.
    say : told what is being done, a sentence at a time.
    """

    limit: int | None = None
    memories: int = 6_000
    links: int | None = None
    seed: int = 0
    engine: str | None = None
    bare: bool = False
    home: str | None = None
    say: Say = _silence


@dataclass(frozen=True, slots=True)
class Measured:
    """What one benchmark returns: number of cases, metrics, baselines by name, and settings of its own."""

    n: int
    metrics: Metrics
    baselines: Mapping[str, Metrics]
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one benchmark; `as_dict` is the JSON object that `engramforge bench --json` prints.

    Parameters
    ----------
    n : number of cases (questions, files or memories).
    metrics, baselines : nested names -> numbers.
    seconds : wall time of everything, baselines too.
    """

    bench: str
    n: int
    metrics: Metrics
    baselines: Mapping[str, Metrics]
    seconds: float
    settings: Mapping[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """The result with its numbers rounded to six places."""
        return {
            "bench": self.bench,
            "n": self.n,
            "metrics": _rounded(self.metrics),
            "baselines": _rounded(self.baselines),
            "seconds": round(self.seconds, 3),
            "settings": dict(self.settings),
        }


def _rounded(value: Any) -> Any:
    """`value` with every float in it rounded to six places."""
    if isinstance(value, Mapping):
        return {str(key): _rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return round(value, 6) if isinstance(value, float) else value


def run(name: str, paths: Sequence[Path], options: Options) -> Outcome:
    """Run one benchmark.

    Raises
    ------
    InvalidValue : unknown name, no file where one is needed, or a count below one.
    InvalidSource : a file that is missing, damaged or of another format.
    """
    if name not in BENCHMARKS:
        raise InvalidValue(f"There is no benchmark {name!r}", f"Choose one of {', '.join(BENCHMARKS)}")
    if options.limit is not None and options.limit < 1:
        raise InvalidValue(
            f"A limit of {options.limit} leaves nothing to measure", "Give a limit of at least 1"
        )
    if options.engine is not None and "://" not in options.engine:
        raise InvalidValue(
            f"The engine {options.engine[:100]!r} is no URL", "Write it as postgresql://USER@HOST/DATABASE"
        )
    if options.bare and name != "locomo":
        raise InvalidValue(f"The benchmark {name} has no bare form", "Leave bare out, or run locomo")
    if options.links is not None and (name != "scale" or options.links < 1):
        raise InvalidValue(
            f"{options.links} links for the benchmark {name}", "Give --links of 1 and more to scale"
        )
    if not paths and name not in WITHOUT_FILES:
        raise InvalidValue(f"The benchmark {name} needs a file", f"Run: engramforge bench {name} --data FILE")
    started = time.perf_counter()
    measured: Measured = importlib.import_module(f"bench.{name}").run(paths, options)
    return Outcome(
        bench=name,
        n=measured.n,
        metrics=measured.metrics,
        baselines=measured.baselines,
        seconds=time.perf_counter() - started,
        settings={
            **common_settings(),
            "engine": engine_name(options.engine),
            "files": [path.name for path in paths],
            "limit": options.limit,
            **measured.settings,
        },
    )


def common_settings() -> dict[str, Any]:
    """On what a benchmark ran: cores, versions and thread pins."""
    versions = {}
    for package in ("engramforge", "numpy", "simsimd", "sqlalchemy", "tokenizers", "wordllama"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "absent"
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "sqlite": sqlite3.sqlite_version,
        "versions": versions,
        "threads": {name: os.environ.get(name) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")},
        "byteorder": sys.byteorder,
    }


def engine_name(url: str | None) -> str:
    """What holds the store: the first word of its URL, never the rest, which may hold a password."""
    return "sqlite" if url is None else url.partition(":")[0]


@contextmanager
def temporary_forge(engine: str | None = None, settings: str = "") -> Iterator[Forge]:
    """An empty store, opened as any caller opens one: in a temporary folder, or a fresh tenant of a database.

    `settings`: lines of its settings file. What a benchmark wrote into a database stays there.
    """
    import engramforge

    with tempfile.TemporaryDirectory(prefix="engramforge-bench-") as folder:
        place = "" if engine is None else f"url = {json.dumps(engine)}\n"
        Path(folder, "engramforge.toml").write_text(place + settings, encoding="utf-8")
        tenant = None if engine is None else f"bench-{uuid4().hex[:16]}"
        with engramforge.open(folder, tenant=tenant) as forge:
            yield forge


@dataclass(frozen=True, slots=True)
class Document:
    """One text to be found: a turn or a paragraph. Its key is its position in the list of documents."""

    content: str
    project: str
    session: str
    sequence: int
    speaker: str | None = None
    at: datetime | None = None
    kind: str = "message"


@dataclass(frozen=True, slots=True)
class Ranked:
    """A document's key and the score that put it there; scores of different rankers are not comparable."""

    key: int
    score: float


class Ranker(Protocol):
    """Whatever orders documents for a query."""

    def rank(self, query: str, project: str | None, depth: int, now: datetime | None = None) -> list[Ranked]:
        """The best `depth` documents of a project, or of all projects, best first; asked at `now`."""


@dataclass(slots=True)
class ForgeRanker:
    """engramforge as a ranker: documents are remembered, queries recalled; nothing else is touched.

    What engramforge made of the documents by itself (a decision that it read in one, say) is no document: it takes its
    place in an answer, is left out of the ranking, and is counted in `others`.
    """

    forge: Forge
    keys: dict[str, int] = field(default_factory=dict)
    latencies_ms: list[float] = field(default_factory=list)
    others: int = 0

    def ingest(self, documents: Sequence[Document], *, bare: bool = False) -> None:
        """Remember all documents in order; an empty text cannot be remembered and stays out.

        `bare`: only content and project, as an agent does that knows nothing else.
        """
        told = [(key, each) for key, each in enumerate(documents) if each.content.strip()]
        drafts = [
            {"content": each.content, "project": each.project} if bare else self._draft(key, each)
            for key, each in told
        ]
        for (key, _), memory in zip(told, self.forge.remember_many(drafts), strict=True):
            self.keys.setdefault(memory.logical_id, key)

    @staticmethod
    def _draft(key: int, document: Document) -> dict[str, Any]:
        return {
            "content": document.content,
            "kind": document.kind,
            "source": "import",
            "project": document.project,
            "session_id": document.session or None,
            "sequence": document.sequence,
            "speaker": document.speaker,
            "valid_at": document.at,
            "origin": f"{document.project}/{document.session}/{key}",
        }

    def latency(self) -> dict[str, float]:
        """How long the recalls took, in milliseconds."""
        return {f"recall_p{share}_ms": percentile(self.latencies_ms, share / 100) for share in (50, 95)}

    @property
    def others_per_answer(self) -> float:
        """How many hits of an answer are no documents, on average."""
        return self.others / len(self.latencies_ms)

    def rank(self, query: str, project: str | None, depth: int, now: datetime | None = None) -> list[Ranked]:
        """As `Ranker.rank`; the score is the similarity part of the attention score."""
        started = time.perf_counter()
        answer = self.forge.recall(query, project=project, limit=depth, budget=None, now=now)
        self.latencies_ms.append((time.perf_counter() - started) * 1_000)
        found = [(self.keys.get(hit.memory.logical_id), hit.parts.similarity) for hit in answer.hits]
        self.others += sum(key is None for key, _ in found)
        return [Ranked(key, score) for key, score in found if key is not None]


def ms_of(work: Callable[[], object]) -> float:
    """How long a piece of work takes."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1_000


def moment(text: object, where: str) -> datetime | None:
    """An ISO 8601 text of a data file; one without a zone is UTC, None stays None."""
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(str(text))
    except ValueError:
        raise InvalidSource(f"{where}: {text!r} is not an ISO 8601 time", "Check the file") from None
    return read if read.tzinfo else read.replace(tzinfo=UTC)
