"""topicnames: whether the name of a topic has a word of what people say it is about.

Texts, labels and topics are those of `clustering`.

covered_share: of people's labels of which a topic holds 80 % of the texts, those with a word, by its stem, in the name
of that topic. named_share: the same, and also for labels that are 80 % of a topic, so that a label in several topics
counts. covered, named: how many labels these are. Baseline: `frequent_words`, names of the three commonest words.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from bench.clustering import read_texts, topics_of
from bench.harness import Measured, Options
from engramforge.core.text.words import is_stop_word, stem_of, words_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bench.clustering import Labelled

_COVERED: Final = 0.8
_SPLIT: Final = re.compile(r"[\W_]+")


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N texts."""
    texts = read_texts(paths)[: options.limit]
    truth = [each.label for each in texts]
    options.say(f"Remembering {len(texts):,} texts")
    found = topics_of(texts, options)
    names = {topic: words_in(name) for topic, name in found.names.items()}
    frequent = {topic: set(_frequent(texts, found.topics, topic)) for topic in found.names}
    baselines: dict[str, Any] = {"frequent_words": _measured(truth, found.topics, frequent)}
    return Measured(len(texts), _measured(truth, found.topics, names), baselines, {"labels": len(set(truth))})


def _measured(
    truth: Sequence[str], found: Sequence[str | None], names: Mapping[str, set[str]]
) -> dict[str, Any]:
    covered = named_labels(truth, found, names, is_strict=True)
    named = named_labels(truth, found, names)
    return {
        "covered_share": _share(covered),
        "covered": len(covered),
        "named_share": _share(named),
        "named": len(named),
    }


def named_labels(
    truth: Sequence[str],
    found: Sequence[str | None],
    names: Mapping[str, set[str]],
    *,
    is_strict: bool = False,
) -> dict[str, bool]:
    """The labels whose topic is plain, each with whether it shares a stem with the name of one.

    Plain: 80 % of the texts of a label are of one topic, or, unless strict, 80 % of a topic's are of one label.

    >>> named_labels(["pin_change"] * 5, ["t"] * 5, {"t": {"pin"}}), named_labels(["a_b", "c"], [None, None], {})
    ({'pin_change': True}, {})
    """
    pairs = Counter((label, topic) for label, topic in zip(truth, found, strict=True) if topic is not None)
    of_label, of_topic = Counter(truth), Counter(topic for topic in found if topic is not None)
    plain: dict[str, bool] = {}
    for (label, topic), count in pairs.items():
        is_most = not is_strict and count >= _COVERED * of_topic[topic]
        if is_most or count >= _COVERED * of_label[label]:
            shares = not words_in(label).isdisjoint(names.get(topic, ()))
            plain[label] = plain.get(label, False) or shares
    return plain


def words_in(text: str) -> set[str]:
    """The stems of the words of a name or label that carry a subject."""
    words = words_of(" ".join(_SPLIT.split(text)))
    return {stem_of(word) for word in words if not is_stop_word(word)}


def _share(labels: Mapping[str, bool]) -> float:
    return sum(labels.values()) / len(labels) if labels else 0.0


def _frequent(texts: Sequence[Labelled], topics: Sequence[str | None], topic: str) -> list[str]:
    its = [each.text for each, of in zip(texts, topics, strict=True) if of == topic]
    counts = Counter(stem for text in its for stem in words_in(text))
    return [stem for stem, _ in counts.most_common(3)]
