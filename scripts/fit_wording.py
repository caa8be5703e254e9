"""Fit how people word decisions and threads (capture/wording.json), and print what unseen writers would get.

    python scripts/fit_wording.py [--data ../shared/data] [--save]

Statements: the labelled sentences of `FITTED` in bench/detection, whose author says in `said` which word stands in the
sentence that states it. Nothing stated: those of them without one, and everyday talk of data sets under licences that
allow it. Logistic regression by AdaGrad over core/detection/likelihood.features; the smallest weights are dropped.
Each writer's statements are tried by a model that has not seen that writer. No sentence leaves this script.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench.records import objects_of

import engramforge.capture.hearing as shipped
from engramforge.core.detection.likelihood import KINDS, Likelihood, features, statements
from engramforge.core.detection.wording_weights import Odds, Weights, packed

OWN = Path(__file__).parent.parent / "bench" / "detection"
TALK = (
    ("goemotions/dev.jsonl.gz", 3_000),
    ("clinc150/dev.jsonl.gz", 800),
    ("banking77/dev.jsonl.gz", 600),
    ("causal_news/dev.jsonl.gz", 600),
)
PROSE = (
    ("timeqa/dev.jsonl.gz", 12_000),
    ("ietf_rfcs/rfcs.dev.jsonl.gz", 3_000),
    ("causal_news/dev.jsonl.gz", 3_000),
    ("ecare/dev.jsonl.gz", 1_500),
    ("neg_nli/dev.jsonl.gz", 1_000),
    ("semeval2010_t8/dev.jsonl.gz", 600),
    ("fever_symmetric/dev.jsonl.gz", 300),
)
"""Texts for everybody, of any fields: abstracts, titles, paragraphs of an encyclopedia, news."""
SHORTEST_PROSE = 5
SESSIONS = "longmemeval_evidence/sessions.dev.jsonl.gz"
FITTED = ("worded", "messages", "languages")
"""The other labelled sets judge the models (`bench detection`), so none is fitted to them."""
EPOCHS, RATE, DECAY, OWN_COUNTS = 20, 0.2, 1e-5, 3
SEEN_LEAST = 2
KEPT = 60_000
USES, WRITERS = 20, 8
SALADS = 800
STEPS = 1_000
TRIED = (0.5, 0.6, 0.67, 0.8)


def sentences(text: str) -> list[str]:
    """The sentences of a text, as detection reads them."""
    return [passage.plain for passage in statements(text)] or [text]


def common_words(own: Sequence[dict[str, Any]]) -> frozenset[str]:
    """Words of our own texts that many writers use: those in which a sentence is made."""
    writers, uses = defaultdict(set), Counter[str]()
    for record in own:
        for word in re.findall(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?", record["text"].lower()):
            writers[word].add(record["by"])
            uses[word] += 1
    return frozenset(word for word in uses if uses[word] >= USES and len(writers[word]) >= WRITERS)


@dataclass(frozen=True)
class Reader:
    """Makes features of texts. `common`: as of `Likelihood`."""

    common: frozenset[str]

    def instances(self, text: str, word: str | None) -> list[Sequence[str]]:
        """Features of the sentence with a word; of each sentence where there is none."""
        said = sentences(text)
        places: Iterable[int] = range(len(said))
        if word is not None:
            places = [next((n for n, each in enumerate(said) if word.lower() in each.lower()), 0)]
        return [features(said, place, self.common) for place in places]


def fit(
    positive: list[Sequence[str]], negative: list[Sequence[str]], everyday: list[Sequence[str]]
) -> tuple[dict[str, float], float]:
    """Weights and bias. Only what our own texts have gets a weight, so that no word of a data set alone is shipped."""
    seen = Counter(name for each in (*positive, *negative) for name in set(each))
    negative = negative * OWN_COUNTS + everyday
    index = {name: n for n, name in enumerate(name for name, count in seen.items() if count >= SEEN_LEAST)}
    rows = [
        np.array([index[name] for name in sorted(each) if name in index], dtype=int)
        for each in (*positive, *negative)
    ]
    scale = [1 / np.sqrt(len(each)) for each in (*positive, *negative)]
    wanted = np.r_[np.ones(len(positive)), np.zeros(len(negative))]
    balance = min(3.0, 0.5 * len(negative) / len(positive))
    weights, slopes, bias, slope = np.zeros(len(index)), np.full(len(index), 1e-2), -1.0, 1e-2
    order, chance = np.arange(len(rows)), np.random.default_rng(0)
    for _ in range(EPOCHS):
        chance.shuffle(order)
        for n in order:
            row = rows[n]
            odds = weights[row].sum() * scale[n] + bias
            error = (1 / (1 + np.exp(-odds)) - wanted[n]) * (balance if wanted[n] else 1)
            step = error * scale[n] + DECAY * weights[row]
            slopes[row] += step * step
            weights[row] -= RATE * step / np.sqrt(slopes[row])
            slope += error * error
            bias -= RATE * error / np.sqrt(slope)
    names = list(index)
    strong = np.argsort(-np.abs(weights))[:KEPT]
    return {names[n]: float(weights[n]) for n in strong}, float(bias)


def talk(data: Path) -> list[str]:
    """Everyday talk that decides nothing on a project."""
    chance = np.random.default_rng(0)
    found: list[str] = []
    for name, most in TALK:
        texts = [record["text"] for record in objects_of(data / name)]
        found += [texts[n] for n in chance.permutation(len(texts))[:most]]
    turns = (turn for session in objects_of(data / SESSIONS) for turn in session["turns"])
    return found + [turn["content"] for turn in turns if turn["role"] == "user"]


def prose(data: Path) -> list[str]:
    """Sentences of prose, in which nobody tells what was decided on a project of theirs."""
    chance = np.random.default_rng(1)
    found: list[str] = []
    for name, most in PROSE:
        texts = [text for record in objects_of(data / name) for text in texts_of(record)]
        said = list(dict.fromkeys(sentence for text in texts for sentence in sentences(text)))
        found += [said[n] for n in chance.permutation(len(said))[:most]]
    return found


def texts_of(value: Any) -> Iterator[str]:
    """All texts in a record that are longer than a name."""
    if isinstance(value, str):
        if len(value.split()) >= SHORTEST_PROSE:
            yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_of(each)


def word_salad(own: list[dict[str, Any]]) -> list[str]:
    """Words of our own texts in no order: what is no sentence at all states nothing."""
    words = sorted({word.lower() for record in own for word in record["text"].split()})
    chance = np.random.default_rng(0)
    return [" ".join(chance.choice(words, chance.integers(4, 40))) for _ in range(SALADS)]


def likeliest(model: Likelihood, text: str) -> Odds:
    """Of each kind that of the likeliest sentence."""
    said = sentences(text)
    decided, opened = zip(*(model.of(said, place) for place in range(len(said))), strict=True)
    return max(decided), max(opened)


def unseen(reader: Reader, own: list[dict[str, Any]], everyday: list[Sequence[str]]) -> None:
    """Print for each writer the share that models find which saw nothing of theirs, and of false ones."""
    for writer in sorted({r["by"] for r in own if "said" in r}):
        model = fitted(reader, [r for r in own if r["by"] != writer], everyday)
        theirs = [(r, likeliest(model, r["text"])) for r in own if r["by"] == writer]
        for which, kind in enumerate(KINDS):
            found = np.array([likely[which] for r, likely in theirs if r[str(kind)]] or [0.0])
            false = np.array([likely[which] for r, likely in theirs if not r[str(kind)]] or [0.0])
            shares = (f"{x}: {(found >= x).mean():.2f}/{(false >= x).mean():.3f}" for x in TRIED)
            print(writer, kind, *shares, flush=True)


def fitted(reader: Reader, own: list[dict[str, Any]], everyday: list[Sequence[str]]) -> Likelihood:
    """The models of these texts of ours."""
    models = []
    for kind in map(str, KINDS):
        positive = [each for r in own if r[kind] for each in reader.instances(r["text"], r.get("said", ""))]
        negative = [each for r in own if not r[kind] for each in reader.instances(r["text"], None)]
        models.append(fit(positive, negative, everyday))
    (decided, bias), (opened, other) = models
    weights = {name: (decided.get(name, 0.0), opened.get(name, 0.0)) for name in {**decided, **opened}}
    step = max(max(map(abs, each)) for each in weights.values()) / STEPS
    return Likelihood(Weights(packed(weights, step), step), (bias, other), reader.common)


def save(model: Likelihood) -> None:
    """Write the models as whole numbers of steps."""
    kept = {
        "bias": [round(each, 4) for each in model.bias],
        "step": model.weights.step,
        "common": " ".join(sorted(model.common)),
        "weights": model.weights.packed,
    }
    path = Path(shipped.__file__).parent / shipped.WORDING
    path.write_text(json.dumps(kept, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    print(path.name, path.stat().st_size)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments.add_argument("--save", action="store_true")
    chosen = arguments.parse_args()
    every = [
        {"by": path.stem} | record
        for path in (OWN / f"{name}.jsonl" for name in FITTED)
        for record in objects_of(path)
    ]
    own = [record | {"by": record.get("writer", record["by"])} for record in every]
    reader = Reader(common_words(own))
    everyday = [
        each
        for text in (*(2 * talk(chosen.data)), *prose(chosen.data), *word_salad(own))
        for each in reader.instances(text, None)
    ]
    if chosen.save:
        save(fitted(reader, own, everyday))
    else:
        unseen(reader, own, everyday)


if __name__ == "__main__":
    main()
