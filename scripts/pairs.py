"""Unrelated and related pairs of texts from the development data, compared in every space.

Shared by measure_backgrounds.py (what is shipped) and measure_calibration.py (whether it works).
"""

from __future__ import annotations

import re
import tarfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from bench.records import objects_of

from engramforge.core.causes.causation import causations
from engramforge.indexing.comparing import Compared, MemoryBatch, compare
from engramforge.indexing.encoders import Encoders
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.search.candidates import Corpus
from engramforge.model.spaces import Space
from engramforge.spaces.encoder import Item, Picture, Similarities

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True)
class Question:
    """A query, the memories that answer it, and the groups it has to do with."""

    text: str
    groups: frozenset[str]
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True)
class Body:
    """Memories that one scope would hold; two of different groups count as unrelated.

    `pictures`: one per text, where each memory has an image. `only`: the spaces it is measured in; None for all.
    """

    name: str
    texts: tuple[str, ...]
    groups: np.ndarray
    questions: tuple[Question, ...]
    pictures: tuple[Picture, ...] = ()
    only: frozenset[Space] | None = None

    @property
    def items(self) -> list[Item]:
        pictures = self.pictures or (None,) * len(self.texts)
        return [
            Item(text, pictures=() if picture is None else (picture,))
            for text, picture in zip(self.texts, pictures, strict=True)
        ]


@dataclass
class Sample:
    """Raw similarities by space, with the number of words that picks the length bucket."""

    lengths: list[np.ndarray] = field(default_factory=list)
    compared: list[dict[Space, Compared]] = field(default_factory=list)

    def length(self) -> np.ndarray:
        return np.concatenate(self.lengths)

    def raw(self, space: Space) -> tuple[np.ndarray, np.ndarray]:
        """Similarities of all pairs and which of them exist."""
        found = [
            each[space].similarities if space in each else Similarities.absent(len(lengths))
            for each, lengths in zip(self.compared, self.lengths, strict=True)
        ]
        return np.concatenate([each.values for each in found]), np.concatenate(
            [each.present for each in found]
        )

    def keep(
        self, lengths: np.ndarray, compared: dict[Space, Compared], only: frozenset[Space] | None
    ) -> None:
        self.lengths.append(lengths)
        self.compared.append(
            {space: each for space, each in compared.items() if only is None or space in only}
        )


class Scope:
    """A body, embedded in all spaces, with the live statistics its queries are weighed by."""

    def __init__(self, body: Body, encoders: Encoders) -> None:
        self.body, self.encoders = body, encoders
        self.embeddings: list[Embedding] = encoders.encode(body.items)
        self.lengths = MemoryBatch.of(encoders.table, self.embeddings).lengths
        self.found = Counter(term for each in self.embeddings for term in each.terms.tolist())

    @property
    def corpus(self) -> Corpus:
        terms = sorted(self.found)
        counts = np.array([self.found[term] for term in terms], np.int64)
        return Corpus(len(self.embeddings), int(counts.sum()), np.array(terms, np.uint32), counts)

    def ask(self, asked: str | Picture, memories: np.ndarray, sample: Sample) -> None:
        """Compare a query, or a picture that is asked by, with these memories in every space."""
        item = Item(asked) if isinstance(asked, str) else Item("", pictures=(asked,))
        query = self.encoders.encode_query(item, self.corpus)
        compared = compare(query, self._batch(memories), self.encoders.part_encoders())
        sample.keep(self.lengths[memories], compared, self.body.only)

    def compare(self, memory: int, memories: np.ndarray, sample: Sample) -> None:
        """Compare a memory with these memories in every space."""
        batch, item = self._batch(memories), self.embeddings[memory]
        compared = compare(item, batch, self.encoders.part_encoders())
        sample.keep(np.minimum(self.lengths[memories], self.lengths[memory]), compared, self.body.only)

    def _batch(self, memories: np.ndarray) -> MemoryBatch:
        return MemoryBatch.of(self.encoders.table, [self.embeddings[i] for i in memories.tolist()])


def conversations() -> list[Body]:
    """locomo dev: five long conversations. For evaluation only; nothing of it is shipped."""
    bodies = []
    for record in objects_of(DATA / "locomo/dev.jsonl.gz"):
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
    for session in objects_of(DATA / "longmemeval_evidence/sessions.dev.jsonl.gz"):
        for turn in session["turns"]:
            sentences = re.split(r"(?<=[.!?])\s+", turn["content"])
            parts = [turn["content"], *(each for each in sentences if len(sentences) > 1)]
            texts += parts
            groups += [session["id"]] * len(parts)
    asked = objects_of(DATA / "longmemeval_evidence/questions.dev.jsonl")
    questions = tuple(Question(each["question"], frozenset(each["evidence"])) for each in asked)
    return Body("chats", tuple(texts), np.array(groups), questions)


def requests() -> Body:
    """clinc150 dev: short requests; a group is an intent."""
    records = [each for each in objects_of(DATA / "clinc150/dev.jsonl.gz") if each["intent"] != "oos"]
    texts = tuple(each["text"] for each in records)
    groups = np.array([each["intent"] for each in records])
    questions = tuple(Question(each["text"], frozenset({each["intent"]})) for each in records)
    return Body("requests", texts, groups, questions)


def pages(count: int = 120) -> Body:
    """timeqa dev: paragraphs of encyclopedia pages; a group is a page."""
    texts, groups, questions = [], [], []
    for record in objects_of(DATA / "timeqa/dev.jsonl.gz")[:count]:
        texts += record["paras"]
        groups += [record["page"]] * len(record["paras"])
        questions += [Question(q["question"], frozenset({record["page"]})) for q in record["questions"]]
    return Body("pages", tuple(texts), np.array(groups), tuple(questions))


def causes(count: int = 4_000) -> Body:
    """Sentences of chats and pages that say why; each is asked why by another's words. For E5 alone."""
    kept = [
        (text, group)
        for body in (chats(), pages(400))
        for text, group in zip(body.texts, body.groups, strict=True)
        if len(text) < 2_000 and causations(text)
    ][:count]
    texts = tuple(text for text, _ in kept)
    questions = tuple(
        Question(f"{('Why', 'What happened after')[i % 2]} {text[:120]}?", frozenset({group}))
        for i, (text, group) in enumerate(kept)
    )
    only = frozenset({Space.CAUSAL})
    return Body("causes", texts, np.array([group for _, group in kept]), questions, only=only)


def functions(count: int = 3_000) -> Body:
    """cosqa dev: Python functions and what people search for; each function is its own group. For E7 alone."""
    records = objects_of(DATA / "cosqa/codebase.jsonl.gz")[:count]
    asked = objects_of(DATA / "cosqa/queries.dev.jsonl")
    questions = tuple(Question(each["query"], frozenset({str(each["gold"])})) for each in asked)
    texts = tuple(each["code"] for each in records)
    groups = np.array([str(each["id"]) for each in records])
    return Body("functions", texts, groups, questions, only=frozenset({Space.CODE}))


def drawings() -> Body:
    """noto_emoji dev: drawings and their captions; each is its own group. For E10 alone."""
    captions = {each["file"]: each["caption"] for each in objects_of(DATA / "noto_emoji/captions.dev.jsonl")}
    pictures, names = [], []
    with tarfile.open(DATA / "noto_emoji" / "images.tar.gz") as archive:
        for name in sorted(captions):
            content = archive.extractfile(name)
            assert content is not None
            pictures.append(Picture(content.read(), captions[name]))
            names.append(name)
    texts = tuple(picture.caption for picture in pictures)
    questions = tuple(Question(text, frozenset({name})) for text, name in zip(texts, names, strict=True))
    return Body("drawings", texts, np.array(names), questions, tuple(pictures), frozenset({Space.MULTIMODAL}))
