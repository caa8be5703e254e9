"""emotion: which of 28 emotions a text speaks of, without being told.

Every text is remembered without an emotion vector, and the vector that the memory has then is read: its emotions that
are strong enough to name the text, or `neutral`. A text may have several labels. `macro_f1` is the mean over the labels
of the F1 of each; a label that neither the texts nor the answers have counts 0.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.measures import mean
from bench.records import read_records
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from engramforge.forge import Forge

EMOTIONS: Final = (
    *("admiration", "amusement", "anger", "annoyance", "approval", "caring", "confusion", "curiosity"),
    *("desire", "disappointment", "disapproval", "disgust", "embarrassment", "excitement", "fear"),
    *("gratitude", "grief", "joy", "love", "nervousness", "optimism", "pride", "realization", "relief"),
    *("remorse", "sadness", "surprise", "neutral"),
)
"""The labels of GoEmotions (Demszky et al. 2020)."""
NAMED_FROM: Final = 0.55
"""From this strength on an emotion of a memory names its text; without any it is neutral."""
_BATCH: Final = 1_000

Labels = frozenset[str]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text and the emotions that people read in it."""

    text: str
    labels: Labels


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N texts."""
    texts = load(paths)[: options.limit]
    options.say(f"Remembering {len(texts)} texts")
    with temporary_forge(options.engine) as forge:
        named = name_emotions(forge, texts)
    truth = [each.labels for each in texts]
    most = Counter(label for labels in truth for label in labels).most_common(1)[0][0]
    baselines = {"majority": scores([frozenset({most})] * len(texts), truth)}
    settings = {"labels": len(EMOTIONS), "named_from": NAMED_FROM, "majority": most}
    return Measured(len(texts), scores(named, truth), baselines, settings)


def load(paths: Sequence[Path]) -> list[Labelled]:
    """Texts with their labels; a text without anything visible cannot be remembered and stays out."""
    found = []
    for record in read_records(paths):
        labels = frozenset(str(label) for label in record.items("labels"))
        if unknown := labels - set(EMOTIONS):
            raise InvalidSource(
                f"{record.where}: there is no emotion {min(unknown)!r}", f"Known are {', '.join(EMOTIONS)}"
            )
        if record.text("text").strip() and labels:
            found.append(Labelled(record.text("text"), labels))
    if not found:
        raise InvalidSource("No text of these files has a label", "Give texts with `text` and `labels`")
    return found


def name_emotions(forge: Forge, texts: Sequence[Labelled]) -> list[Labels]:
    """Remember the texts and read the emotions that each memory names."""
    named: list[Labels] = []
    for start in range(0, len(texts), _BATCH):
        drafts = [{"content": each.text, "kind": "message"} for each in texts[start : start + _BATCH]]
        named += [_names(memory.emotion_vector) for memory in forge.remember_many(drafts)]
    return named


def _names(vector: Mapping[str, float]) -> Labels:
    strong = frozenset(name for name, strength in vector.items() if strength >= NAMED_FROM)
    return strong or frozenset({"neutral"})


def scores(named: Sequence[Labels], truth: Sequence[Labels]) -> Mapping[str, Any]:
    """Macro and micro F1, and the F1 of each label."""
    each = {label: _f1(label, named, truth) for label in EMOTIONS}
    right = sum(len(ours & theirs) for ours, theirs in zip(named, truth, strict=True))
    said = sum(map(len, named)) + sum(map(len, truth))
    return {"macro_f1": mean(each.values()), "micro_f1": 2 * right / said, "f1": each}


def _f1(label: str, named: Sequence[Collection[str]], truth: Sequence[Collection[str]]) -> float:
    right = sum(label in ours and label in theirs for ours, theirs in zip(named, truth, strict=True))
    said = sum(label in labels for labels in (*named, *truth))
    return 2 * right / said if said else 0.0
