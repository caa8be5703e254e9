"""clustering: topics of short texts, against what people say they are about.

A line is an object with `text` and `label` or `intent`. All texts are remembered in one project, its topics updated as
upkeep does, and read through the facade. A text is labelled by the topic that it is of, or has to do with; one of
neither is a topic of its own.

v_measure, ari: of the labels against people's (Rosenberg and Hirschberg 2007; Hubert and Arabie 1985). noise_share: of
texts of no topic. Every hundredth text comes after a first batch: joined_ms is what each of these takes to join,
kept_share how many topics go on in the next batch; alike_in_10: of the ten best of a recall of it by clusters, before
it comes, how many have its label. Baselines: `recall` (the same, not by clusters), `lsa_birch` (tf-idf, 100 singular
vectors, BIRCH), `hdbscan` (the same vectors, HDBSCAN as it comes, what it leaves out as topics of their own).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.records import read_records
from engramforge.core.injection.priority import TOPIC
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
    found = topics_of(texts, options)
    metrics: dict[str, Any] = {
        **_agreement(truth, found.topics),
        "noise_share": sum(not each for each in found.is_own) / len(texts),
        "topics": len(found.names),
        "update_s": found.seconds,
        "joined_ms": found.joined_ms,
        "kept_share": found.kept,
        "alike_in_10": found.alike,
    }
    options.say("Measuring the baselines")
    vectors = _lsa([each.text for each in texts])
    baselines: dict[str, Any] = {
        "lsa_birch": _agreement(truth, _birch(vectors)),
        "hdbscan": _agreement(truth, _hdbscan(vectors)),
        "recall": {"alike_in_10": found.plainly_alike},
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


def topics_of(texts: Sequence[Labelled], options: Options) -> Found:
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
