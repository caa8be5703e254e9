"""How well plain questions find their chunk of Markdown or their turn of a transcript, beside BM25 and cosine.

    python scripts/measure_markdown.py [FOLDER] [--each]

Imports this repository's README and docs, and demo/transcript.jsonl, through the facade; with FOLDER also adr/ (two
collections of Markdown) and, as what else a store holds, locomo/. The questions are in bench/own: a chunk answers when
it holds the question's phrase (or is of its file, where there is no phrase), a turn by its uuid. `--each` prints the
place of every question's first answer.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from bench.baselines import BaselineRanker, Bm25, Cosine
from bench.harness import Document, ForgeRanker, Ranker, temporary_forge

from bench import locomo
from engramforge.forge import Forge
from engramforge.model.memory import Memory

ROOT = Path(__file__).resolve().parent.parent
OWN = ROOT / "bench/own"
TRANSCRIPT = ROOT / "demo/transcript.jsonl"
DEPTH = 50


@dataclass(frozen=True)
class Asked:
    """A question, the set it belongs to, its project, and the keys of the documents that answer it."""

    text: str
    kind: str
    project: str
    answers: frozenset[int]


def fill(forge: Forge, folder: Path | None) -> tuple[ForgeRanker, list[Document], list[Asked]]:
    """Import everything; every memory as a document, and the questions that have an answer among them."""
    ranker = ForgeRanker(forge)
    documents: list[Document] = []
    if folder is not None and (chats := folder / "locomo/dev.jsonl.gz").is_file():
        documents += locomo.load([chats])[0]
        ranker.ingest(documents)
    forge.import_path(ROOT / "README.md", project="engramforge")
    forge.import_path(ROOT / "docs", project="engramforge")
    forge.import_path(TRANSCRIPT, project="tidepool")
    projects = ["engramforge", "tidepool"]
    if folder is not None:
        for part in sorted(path for path in (folder / "adr").glob("*") if path.is_dir()):
            forge.import_path(part, project=part.name, format="markdown")
            projects.append(part.name)
    memories = [each for project in projects for each in all_memories(forge, project)]
    answers = _Answers(len(documents), memories)
    for memory in memories:
        ranker.keys[memory.logical_id] = len(documents)
        text = memory.content if memory.name is None else f"{memory.name}\n{memory.content}"
        place = 0 if memory.chunk is None else memory.chunk.chunk_index
        session = memory.session_id or (memory.chunk.file_path if memory.chunk else memory.logical_id)
        documents.append(
            Document(
                text,
                memory.project,
                session,
                memory.sequence or place,
                memory.speaker,
                memory.valid_at,
                memory.kind,
            )
        )
    return ranker, documents, answers.questions()


def all_memories(forge: Forge, project: str) -> list[Memory]:
    """Every current memory of a project."""
    found: list[Memory] = []
    while part := forge.memories(project=project, limit=500, offset=len(found)):
        found += part
    return found


class _Answers:
    """Which imported memories answer which question."""

    def __init__(self, first: int, memories: list[Memory]) -> None:
        self._memories = list(enumerate(memories, first))
        self._moments = {
            record["uuid"]: record["timestamp"]
            for record in map(json.loads, TRANSCRIPT.read_text().splitlines())
            if record.get("uuid") and record.get("timestamp")
        }

    def questions(self) -> list[Asked]:
        """Those that have an answer; says how many have none."""
        every = [
            *self._of("markdown", lambda item: self._chunks(item["file"], "engramforge", item["phrase"])),
            *self._of("transcript", lambda item: self._turns(item["turns"])),
            *self._of("adr", lambda item: self._chunks(item["file"], item["file"].partition("/")[0])),
        ]
        missing = [memory for memory in every if not memory.answers]
        for record in missing:
            if record.kind != "adr":
                print(f"no answer is there any more: {record.kind}: {record.text}", file=sys.stderr)
        print(f"{len(every) - len(missing)} questions, {len(missing)} without an answer", file=sys.stderr)
        return [memory for memory in every if memory.answers]

    def _of(self, kind: str, find: object) -> Iterable[Asked]:
        for line in (OWN / f"{kind}_questions.jsonl").read_text().splitlines():
            item = json.loads(line)
            project, answers = find(item)  # type: ignore[operator]
            yield Asked(item["question"], kind, project, frozenset(answers))

    def _chunks(self, file: str, project: str, phrase: str = "") -> tuple[str, list[int]]:
        wanted = " ".join(phrase.split())
        return project, [
            key
            for key, memory in self._memories
            if memory.project == project
            and memory.chunk is not None
            and memory.chunk.file_path.endswith("/" + file)
            and wanted in " ".join(memory.content.split())
        ]

    def _turns(self, turns: list[str]) -> tuple[str, list[int]]:
        moments = {self._moments[turn] for turn in turns if turn in self._moments}
        return "tidepool", [
            key
            for key, memory in self._memories
            if memory.project == "tidepool"
            and memory.kind != "session_summary"
            and memory.valid_at.strftime("%Y-%m-%dT%H:%M:%S.000Z") in moments
        ]


def place_of(ranker: Ranker, asked: Asked, project: str | None) -> int | None:
    """The place of the first answer, from 1; None beyond the depth."""
    ranked = ranker.rank(asked.text, project, DEPTH)
    return next((place for place, each in enumerate(ranked, 1) if each.key in asked.answers), None)


def figures(places: list[int | None]) -> str:
    """Hit at 1, 3 and 5 and the mean reciprocal rank."""
    hits = [
        sum(place is not None and place <= depth for place in places) / len(places) for depth in (1, 3, 5)
    ]
    mrr = sum(1 / place for place in places if place) / len(places)
    return " ".join(f"{value:6.3f}" for value in (*hits, mrr))


def main() -> None:
    """Import, ask everything of every ranker in its project and in all, print."""
    arguments = [each for each in sys.argv[1:] if not each.startswith("--")]
    with temporary_forge() as forge:
        ranker, documents, asked = fill(forge, Path(arguments[0]) if arguments else None)
        rankers: dict[str, Ranker] = {
            "engramforge": ranker,
            "bm25": BaselineRanker(documents, Bm25),
            "cosine": BaselineRanker(documents, Cosine),
        }
        print(f"{len(documents)} memories")
        print(f"{'':36}  hit@1  hit@3  hit@5    mrr")
        for kind in dict.fromkeys(record.kind for record in asked):
            ours = [record for record in asked if record.kind == kind]
            for scope in ("project", "all"):
                for name, each in rankers.items():
                    places = [
                        place_of(each, own, own.project if scope == "project" else None) for own in ours
                    ]
                    print(f"{kind:10} n={len(ours):<3} {scope:8} {name:11} {figures(places)}")
                    if "--each" in sys.argv and name == "engramforge":
                        for record, place in zip(ours, places, strict=True):
                            print(f"      {place or '-':>3} {record.text}")


if __name__ == "__main__":
    main()
