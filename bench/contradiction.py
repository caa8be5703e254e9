"""contradiction: pairs of sentences that contradict each other, and records of a register that reject one another.

Pairs (`premise`, `hypothesis` and `label`, or `claim`, `evidence` and `label`) are judged by `em.conflicts.compare`:

- f1, precision, recall: of contradiction (`contradiction`, `REFUTES`). Labels `not_entailment` do not say whether a
  pair contradicts; those pairs and their `entailment` counterparts of the same source are left out, and told of by
  `called_of_not_entailment` and `called_of_entailment`, the shares that are called contradictions.
- accuracy: of contradiction against everything else, over the same pairs.
- unrelated_called: of 2,000 pairs of sentences of different cases, drawn by lot, the share called a contradiction.
- signals: of each signal how many it called, and how many of them rightly.

Baseline: a cue of negation in one of the two and not in the other.

A register (decisions and pairs of old and new, as of `peps`) is written into a store, each record as a decision with
its abstract as the rationale; its status and its headers are not told. For each declared pair the conflicts of the new
record, declared replacements too, are listed, the surest first: top5_share is the share with the old one among the
first five, `conflicts_each` how many a record has. Baseline: BM25, the five nearest to the new record's title and
abstract.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bench.baselines import BaselineRanker, Bm25
from bench.harness import Document, Measured, Options, temporary_forge
from bench.measures import mean
from bench.records import Record, read_records
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from engramforge.forge import Forge

_POSITIVE: Final = frozenset({"contradiction", "refutes"})
_UNSAID: Final = "not_entailment"
_UNRELATED: Final = 2_000
_TOP: Final = 5
_SEED: Final = 7
_CUE: Final = re.compile(r"(?i)\b(?:not|no|never|none|nobody|nothing|without|cannot)\b|n't\b")
_BRACKETS: Final = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}
_SPACED: Final = re.compile(r"\s+([,.;:!?')\]])|([(\[])\s+")
_ROLE: Final = re.compile(r":([a-z]{2,12}):`(\d{1,6})`")
Called = tuple[str, float] | None


@dataclass(frozen=True, slots=True)
class Case:
    """Two sentences, where they come from, and whether they contradict each other; None where that is not said."""

    one: str
    other: str
    source: str
    label: str

    @property
    def contradicts(self) -> bool:
        """Whether the label says so."""
        return self.label in _POSITIVE


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N cases."""
    records = list(read_records(paths))
    if any(record.has("title", "abstract") for record in records):
        return _of_register(records, options)
    cases = [_case(record) for record in records][: options.limit]
    if not cases:
        raise InvalidSource(
            "There is no pair of sentences", "Give JSON lines with premise, hypothesis and label"
        )
    unrelated = _unrelated(cases)
    options.say(f"Judging {len(cases)} pairs, and {len(unrelated)} that are unrelated")
    with temporary_forge(options.engine) as forge:
        called = forge.conflicts.compare([(case.one, case.other) for case in cases])
        apart = forge.conflicts.compare(unrelated)
    unsaid = {case.source for case in cases if case.label == _UNSAID}
    judged = [at for at, case in enumerate(cases) if case.source not in unsaid]
    metrics: dict[str, Any] = measures(
        [cases[at].contradicts for at in judged], [called[at] is not None for at in judged]
    )
    metrics["unrelated_called"] = mean(float(each is not None) for each in apart)
    for label in (_UNSAID, "entailment"):
        of = [
            found is not None
            for case, found in zip(cases, called, strict=True)
            if case.source in unsaid and case.label == label
        ]
        if of:
            metrics[f"called_of_{label}"] = mean(map(float, of))
    metrics["signals"] = _signals([(cases[at], called[at]) for at in judged])
    cue = [_is_cued(cases[at]) for at in judged]
    baselines = {"negation_cue": measures([cases[at].contradicts for at in judged], cue)}
    baselines["negation_cue"]["unrelated_called"] = mean(
        float(_has_cue(a) is not _has_cue(b)) for a, b in unrelated
    )
    settings = {"pairs": len(cases), "judged": len(judged), "unrelated": len(unrelated)}
    return Measured(len(cases), metrics, baselines, settings)


def measures(truth: Sequence[bool], called: Sequence[bool]) -> dict[str, float]:
    """Precision, recall and F1 of contradiction, and the accuracy, 0..1; 0 where nothing can be divided."""
    right = sum(one and other for one, other in zip(truth, called, strict=True))
    precision = right / max(sum(called), 1)
    recall = right / max(sum(truth), 1)
    agreed = sum(one is other for one, other in zip(truth, called, strict=True))
    return {
        "f1": 2 * right / max(sum(called) + sum(truth), 1),
        "precision": precision,
        "recall": recall,
        "accuracy": agreed / max(len(truth), 1),
    }


def _signals(judged: Sequence[tuple[Case, Called]]) -> dict[str, dict[str, float]]:
    called = Counter(found[0] for _, found in judged if found is not None)
    right = Counter(found[0] for case, found in judged if found is not None and case.contradicts)
    return {
        signal: {"called": count, "precision": right[signal] / count}
        for signal, count in sorted(called.items())
    }


def _has_cue(text: str) -> bool:
    return _CUE.search(text) is not None


def _is_cued(case: Case) -> bool:
    return _has_cue(case.one) is not _has_cue(case.other)


def _unrelated(cases: Sequence[Case]) -> list[tuple[str, str]]:
    """Pairs of sentences of different cases, drawn by lot; sentences that share one are of one case."""
    sentences = sorted({each for case in cases for each in (case.one, case.other)})
    together = {frozenset((case.one, case.other)) for case in cases}
    rng = random.Random(_SEED)
    found: list[tuple[str, str]] = []
    while len(found) < _UNRELATED and len(sentences) > 2:
        one, other = rng.sample(sentences, 2)
        if frozenset((one, other)) not in together and not _is_variant(one, other):
            found.append((one, other))
    return found


def _is_variant(one: str, other: str) -> bool:
    """Whether two sentences share most of their words: one is the other, negated by the makers of the data."""
    mine, theirs = set(one.lower().split()), set(other.lower().split())
    return 2 * len(mine & theirs) > min(len(mine), len(theirs))


def _case(record: Record) -> Case:
    for one, other in (("premise", "hypothesis"), ("evidence", "claim")):
        if record.has(one, other, "label"):
            texts = (_readable(str(record.fields[name])) for name in (one, other))
            return Case(*texts, str(record.fields.get("src", "")), str(record.fields["label"]).lower())
    raise InvalidSource(
        f"{record.where}: this line is no pair of sentences",
        "Give premise, hypothesis and label, or claim, evidence and label",
    )


def _readable(text: str) -> str:
    """A tokenised text as people write it."""
    for mark, written in _BRACKETS.items():
        text = text.replace(mark, written)
    return _SPACED.sub(lambda match: match[1] or match[2], text)


def _of_register(records: Sequence[Record], options: Options) -> Measured:
    """Measure the declared pairs of a register."""
    decisions = {record.fields["id"]: record for record in records if record.has("id", "title", "abstract")}
    declared = [
        (record.fields["old"], record.fields["new"])
        for record in records
        if record.has("old", "new") and {record.fields["old"], record.fields["new"]} <= decisions.keys()
    ][: options.limit]
    if not declared:
        raise InvalidSource(
            "No pair of old and new is among the decisions", "Give the supersession file, too"
        )
    texts = {
        key: (_title(record), _written(str(record.fields["abstract"]))) for key, record in decisions.items()
    }
    with temporary_forge(options.engine) as forge:
        options.say(f"Writing {len(texts)} decisions")
        metrics = _listed(forge, texts, declared)
    return Measured(len(declared), metrics, {"bm25": _bm25(texts, declared)}, {"decisions": len(texts)})


def _listed(
    forge: Forge, texts: dict[Any, tuple[str, str]], declared: Sequence[tuple[Any, Any]]
) -> dict[str, Any]:
    made = {
        key: forge.decisions.create(title, rationale=abstract, project="register").id
        for key, (title, abstract) in texts.items()
    }
    report = forge.conflicts.detect()
    keys = {entry: key for key, entry in made.items()}
    hits, ranks, signals = [], [], Counter[str]()
    for old, new in declared:
        found = forge.conflicts.of(made[new], replaced=True)
        ends = [
            keys.get((each.newer if each.newer.entry_id != made[new] else each.older).entry_id or "")
            for each in found
        ]
        hits.append(float(old in ends[:_TOP]))
        ranks.append(len(found))
        if old in ends[:_TOP]:
            signals[found[ends.index(old)].signal] += 1
    return {
        "top5_share": mean(hits),
        "conflicts": len(report.found),
        "replaced": report.replaced,
        "conflicts_each": 2 * (len(report.found) + report.replaced) / len(made),
        "conflicts_of_declared": mean(map(float, ranks)),
        "found_by": dict(signals),
    }


def _bm25(texts: dict[Any, tuple[str, str]], declared: Sequence[tuple[Any, Any]]) -> dict[str, Any]:
    keys = list(texts)
    documents = [Document("\n\n".join(texts[key]), "register", "register", at) for at, key in enumerate(keys)]
    ranker = BaselineRanker(documents, Bm25)
    hits = []
    for old, new in declared:
        ranked = ranker.rank("\n\n".join(texts[new]), None, _TOP + 1)
        hits.append(float(old in [keys[each.key] for each in ranked if keys[each.key] != new][:_TOP]))
    return {"top5_share": mean(hits)}


def _title(record: Record) -> str:
    return f"PEP {record.fields['id']}: {record.fields['title']}"


def _written(text: str) -> str:
    """A text in reStructuredText with its roles as they are read."""
    return _ROLE.sub(lambda match: f"{match[1].upper()} {match[2]}", text)
