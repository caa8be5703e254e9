"""clustering: topics of short texts, against what people say they are about; and the names of these topics.

A line is an object with `text` and `label` or `intent`. All texts are remembered in one project, its topics updated as
upkeep does, and read through the facade. A text is labelled by the topic that it is of, or has to do with; one of
neither is a topic of its own.

v_measure, ari: of the labels against people's (Rosenberg and Hirschberg 2007; Hubert and Arabie 1985). noise_share: of
texts of no topic. named_share: of people's labels that a topic covers to 80 % or that cover a topic so, those with a
word, by its stem, in the name of the topic. Every hundredth text comes after a first batch: joined_ms is what each of
these takes to join, kept_share how many topics go on in the next batch; alike_in_10: of the ten best of a recall of it
by clusters, before it comes, how many have its label. Baselines: `recall` (the same, not by clusters), `lsa_birch`
(tf-idf, 100 singular vectors, BIRCH), `hdbscan` (the same vectors, HDBSCAN as it comes, what it leaves out as topics of
their own), `frequent_words` (names of the three commonest words).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.records import read_records
from engramforge.core.injection.priority import TOPIC
from engramforge.core.text.words import is_stop_word, stem_of, words_of
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from engramforge.forge import Forge
    from engramforge.model.search.hit import Recall

_PROJECT: Final = "texts"
_BATCH: Final = 1_000
_LATE: Final = 100
_ASKED, _TEN = 100, 10
_COVERED: Final = 0.8
_SPLIT: Final = re.compile(r"[\W_]+")
_SEED: Final = 20_261_201


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text, and what people say it is about."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Found:
    """The topic of each text, None for none; of each topic its name; and what the updates took and left.

    `seconds`: of the batch. `joined_ms`: of a memory that joined. `kept`: share of topics that the next batch kept.
    `alike`, `plainly_alike`: as of `_alike`, by clusters and not.
    """

    topics: Sequence[str | None]
    is_own: Sequence[bool]
    names: dict[str, str]
    seconds: float
    joined_ms: float
    kept: float
    alike: float
    plainly_alike: float


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N texts."""
    texts = read_texts(paths)[: options.limit]
    truth = [each.label for each in texts]
    options.say(f"Remembering {len(texts):,} texts")
    found = _topics(texts, options)
    names = {topic: Counter(_words(name)) for topic, name in found.names.items()}
    metrics: dict[str, Any] = {
        **_agreement(truth, found.topics),
        "noise_share": sum(not each for each in found.is_own) / len(texts),
        "topics": len(found.names),
        "named_share": named_share(truth, found.topics, {key: set(its) for key, its in names.items()}),
        "update_s": found.seconds,
        "joined_ms": found.joined_ms,
        "kept_share": found.kept,
        "alike_in_10": found.alike,
    }
    options.say("Measuring the baselines")
    vectors = _lsa([each.text for each in texts])
    frequent = {topic: set(_frequent(texts, found.topics, topic)) for topic in found.names}
    baselines: dict[str, Any] = {
        "lsa_birch": _agreement(truth, _birch(vectors)),
        "hdbscan": _agreement(truth, _hdbscan(vectors)),
        "recall": {"alike_in_10": found.plainly_alike},
        "frequent_words": {"named_share": named_share(truth, found.topics, frequent)},
    }
    return Measured(len(texts), metrics, baselines, {"labels": len(set(truth))})


def read_texts(paths: Sequence[Path]) -> list[Labelled]:
    """The texts of the files. Raises InvalidSource: a line has no text or no label."""
    found = []
    for record in read_records(paths):
        text, label = record.fields.get("text"), record.fields.get("label", record.fields.get("intent"))
        if not isinstance(text, str) or not isinstance(label, str):
            raise InvalidSource(
                f"{record.where} has no text, or no label", 'Give each line "text" and "label"'
            )
        found.append(Labelled(text, label))
    return found


def _topics(texts: Sequence[Labelled], options: Options) -> Found:
    with temporary_forge(options.engine) as forge:
        late = [place for place in range(len(texts)) if place % _LATE == _LATE - 1]
        early = [place for place in range(len(texts)) if place % _LATE != _LATE - 1]
        known = _remembered(forge, [texts[place] for place in early])
        forge.topics.update(_PROJECT)
        label = {logical_id: texts[place].label for logical_id, place in zip(known, early, strict=True)}
        asked = [texts[place] for place in late]
        alike, plain = (
            _alike(asked, label, forge.topics.recall),
            _alike(asked, label, forge.recall),
        )
        known += _remembered(forge, [texts[place] for place in late])
        by_place = dict(zip([*early, *late], known, strict=True))
        ids = [by_place[place] for place in range(len(texts))]
        joined = forge.topics.update(_PROJECT)
        (batch,) = forge.topics.update(_PROJECT, anew=True)
        of: dict[str, str] = {}
        own: set[str] = set()
        names = {}
        for topic in forge.topics.browse(_PROJECT, limit=10_000):
            names[topic.id] = topic.name
            for memory, agreement in forge.topics.memories(topic.id, related=True, limit=10_000):
                of[memory.logical_id] = topic.id
                if agreement >= TOPIC:
                    own.add(memory.logical_id)
    return Found(
        topics=[of.get(each) for each in ids],
        is_own=[each in own for each in ids],
        names=names,
        seconds=batch.seconds,
        joined_ms=sum(each.seconds for each in joined) * 1_000 / max(len(late), 1),
        kept=batch.kept / max(batch.kept + batch.ended, 1),
        alike=alike,
        plainly_alike=plain,
    )


def _alike(asked: Sequence[Labelled], label: Mapping[str, str], recall: Callable[..., Recall]) -> float:
    """Which share of the ten best of a recall of each text has its label."""
    shares = []
    for each in asked[:_ASKED]:
        hits = recall(each.text, project=_PROJECT, limit=_TEN).hits
        shares.append(sum(label.get(hit.memory.logical_id) == each.label for hit in hits) / _TEN)
    return sum(shares) / max(len(shares), 1)


def _remembered(forge: Forge, texts: Sequence[Labelled]) -> list[str]:
    """The logical ids of texts."""
    found = []
    for batch in _batches(texts):
        drafts = [{"content": each.text, "project": _PROJECT, "kind": "note"} for each in batch]
        found += [memory.logical_id for memory in forge.remember_many(drafts)]
    return found


def _batches(texts: Sequence[Labelled]) -> Iterator[list[Labelled]]:
    each = iter(texts)
    while batch := list(islice(each, _BATCH)):
        yield batch


def _agreement(truth: Sequence[str], found: Sequence[str | None]) -> dict[str, float]:
    from sklearn.metrics import adjusted_rand_score, v_measure_score

    said = [f"alone {place}" if topic is None else topic for place, topic in enumerate(found)]
    return {
        "v_measure": float(v_measure_score(truth, said)),
        "ari": float(adjusted_rand_score(truth, said)),
    }


def named_share(truth: Sequence[str], found: Sequence[str | None], names: dict[str, set[str]]) -> float:
    """Of the labels whose topic is plain, the share that shares a stem with the topic's name; 0 without any.

    Plain: 80 % of the texts of a label are of one topic, or 80 % of a topic's are of one label.

    >>> named_share(["pin_change"] * 5, ["t"] * 5, {"t": {"pin"}}), named_share(["a_b", "c"], [None, None], {})
    (1.0, 0.0)
    """
    pairs = Counter((label, topic) for label, topic in zip(truth, found, strict=True) if topic is not None)
    of_label, of_topic = Counter(truth), Counter(topic for topic in found if topic is not None)
    plain: dict[str, bool] = {}
    for (label, topic), count in pairs.items():
        if count >= _COVERED * of_label[label] or count >= _COVERED * of_topic[topic]:
            shares = not _words(label).isdisjoint(names.get(topic, ()))
            plain[label] = plain.get(label, False) or shares
    return sum(plain.values()) / len(plain) if plain else 0.0


def _words(text: str) -> set[str]:
    """The stems of the words of a name or label that carry a subject."""
    words = words_of(" ".join(_SPLIT.split(text)))
    return {stem_of(word) for word in words if not is_stop_word(word)}


def _frequent(texts: Sequence[Labelled], topics: Sequence[str | None], topic: str) -> list[str]:
    its = [each.text for each, of in zip(texts, topics, strict=True) if of == topic]
    counts = Counter(stem for text in its for stem in _words(text))
    return [stem for stem, _ in counts.most_common(3)]


def _lsa(texts: Sequence[str]) -> Any:
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    weighed = TfidfVectorizer(sublinear_tf=True, stop_words="english").fit_transform(texts)
    size = min(100, weighed.shape[1] - 1, weighed.shape[0] - 1)
    return normalize(TruncatedSVD(max(size, 1), random_state=_SEED % 2**31).fit_transform(weighed))


def _birch(vectors: Any) -> list[str | None]:
    from sklearn.cluster import Birch

    return [str(each) for each in Birch(n_clusters=None).fit_predict(vectors)]


def _hdbscan(vectors: Any) -> list[str | None]:
    from sklearn.cluster import HDBSCAN

    found = HDBSCAN(min_cluster_size=3, copy=True).fit_predict(vectors)
    return [None if each < 0 else str(each) for each in found]
