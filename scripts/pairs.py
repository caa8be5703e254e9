"""Unrelated and related pairs of texts from the development data, compared in every space.

Shared by measure_backgrounds.py (what is shipped) and measure_calibration.py (whether it works).
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from engramforge.indexing.encode import Statistics, TextEncoder
from engramforge.model.candidates import Corpus
from engramforge.model.embedding import Embedding
from engramforge.model.spaces import Space
from engramforge.spaces.encoder import Documents
from engramforge.spaces.presets import comparing_spaces, static_preset

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True)
class Question:
    """A query, the memories that answer it, and the groups it has to do with."""

    text: str
    groups: frozenset[str]
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True)
class Body:
    """Memories that one scope would hold; two of different groups count as unrelated."""

    name: str
    texts: tuple[str, ...]
    groups: np.ndarray
    questions: tuple[Question, ...]


@dataclass
class Sample:
    """Raw similarities by space, with the number of words that picks the length bucket."""

    lengths: list[np.ndarray] = field(default_factory=list)
    values: dict[Space, list[np.ndarray]] = field(default_factory=dict)
    present: dict[Space, list[np.ndarray]] = field(default_factory=dict)

    def length(self) -> np.ndarray:
        return np.concatenate(self.lengths)

    def raw(self, space: Space) -> tuple[np.ndarray, np.ndarray]:
        return np.concatenate(self.values[space]), np.concatenate(self.present[space])


class Scope:
    """A body, embedded, with the live statistics its queries are weighed by."""

    def __init__(self, body: Body, encoder: TextEncoder) -> None:
        self.body, self.encoder = body, encoder
        self.embeddings: list[Embedding] = encoder.encode(body.texts)
        self.lengths = Documents.of(encoder.table, self.embeddings).lengths
        self.found = Counter(term for each in self.embeddings for term in each.terms.tolist())

    @property
    def statistics(self) -> Statistics:
        def count(terms: np.ndarray) -> Corpus:
            found = np.array([self.found[term] for term in terms.tolist()], np.int64)
            return Corpus(len(self.embeddings), 10.0, found)

        return count

    def ask(self, text: str, memories: np.ndarray, sample: Sample) -> None:
        """Compare a query with these memories in every space."""
        query = self.encoder.encode_query(text, self.statistics)
        documents = Documents.of(self.encoder.table, [self.embeddings[i] for i in memories.tolist()])
        sample.lengths.append(self.lengths[memories])
        for space, encoder in _encoders().items():
            _keep(sample, space, encoder.query_to_memories(query, documents))

    def compare(self, memory: int, memories: np.ndarray, sample: Sample) -> None:
        """Compare a memory with these memories in every space."""
        documents = Documents.of(self.encoder.table, [self.embeddings[i] for i in memories.tolist()])
        sample.lengths.append(np.minimum(self.lengths[memories], self.lengths[memory]))
        for space, encoder in _encoders().items():
            _keep(sample, space, encoder.memory_to_memories(self.embeddings[memory], documents))


def _encoders():
    preset = static_preset()
    return {space: preset[space] for space in comparing_spaces(preset)}


def _keep(sample: Sample, space: Space, similarities) -> None:
    sample.values.setdefault(space, []).append(similarities.values)
    sample.present.setdefault(space, []).append(similarities.present)


def conversations() -> list[Body]:
    """locomo dev: five long conversations. For evaluation only; nothing of it is shipped."""
    bodies = []
    for record in _records("locomo/dev.jsonl.gz"):
        texts, groups, places = [], [], {}
        for session in record["sessions"]:
            for turn in session["turns"]:
                places[turn["id"]] = len(texts)
                caption = f" [photo {turn['image_caption']}]" if turn.get("image_caption") else ""
                texts.append(f"{turn['speaker']}: {turn['text']}{caption}")
                groups.append(str(session["n"]))
        questions = []
        for each in record["qa"]:
            evidence = tuple(places[turn] for turn in each["evidence"] if turn in places)
            if evidence:
                questions.append(Question(each["question"], frozenset(groups[i] for i in evidence), evidence))
        bodies.append(Body(record["sample_id"], tuple(texts), np.array(groups), tuple(questions)))
    return bodies


def chats() -> Body:
    """longmemeval dev: what users told an assistant, whole turns and their sentences; a group is a session."""
    texts, groups = [], []
    for session in _records("longmemeval_evidence/sessions.dev.jsonl.gz"):
        for turn in session["turns"]:
            sentences = re.split(r"(?<=[.!?])\s+", turn["content"])
            parts = [turn["content"], *(each for each in sentences if len(sentences) > 1)]
            texts += parts
            groups += [session["id"]] * len(parts)
    asked = _records("longmemeval_evidence/questions.dev.jsonl")
    questions = tuple(Question(each["question"], frozenset(each["evidence"])) for each in asked)
    return Body("chats", tuple(texts), np.array(groups), questions)


def requests() -> Body:
    """clinc150 dev: short requests; a group is an intent."""
    records = [each for each in _records("clinc150/dev.jsonl.gz") if each["intent"] != "oos"]
    texts = tuple(each["text"] for each in records)
    groups = np.array([each["intent"] for each in records])
    questions = tuple(Question(each["text"], frozenset({each["intent"]})) for each in records)
    return Body("requests", texts, groups, questions)


def pages(count: int = 120) -> Body:
    """timeqa dev: paragraphs of encyclopedia pages; a group is a page."""
    texts, groups, questions = [], [], []
    for record in list(_records("timeqa/dev.jsonl.gz"))[:count]:
        texts += record["paras"]
        groups += [record["page"]] * len(record["paras"])
        questions += [Question(q["question"], frozenset({record["page"]})) for q in record["questions"]]
    return Body("pages", tuple(texts), np.array(groups), tuple(questions))


def _records(name: str) -> Iterable[dict]:
    path = DATA / name
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for line in content.decode("utf-8").splitlines():
        yield json.loads(line)
