"""why: whether a question meets the cause or the effect that it asks for.

Each chain is two memories that tell of one event: what caused it (`cause`), and what it caused (`effect`). `why` asks
for the former, `then` for the latter. All chains stand in one project, with other memories (`other`) between them.
right_first: share of questions whose right memory stands above the other one of the chain. hit_at_1: share whose first
hit is the right one. Both for either question and by domain. Baseline: BM25.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bench.baselines import Bm25
from bench.harness import Measured, Options, temporary_forge
from bench.measures import mean
from bench.records import Record, read_records
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from engramforge.forge import Forge

_PROJECT: Final = "chains"
_DEPTH: Final = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, which of the two it is (why, then), its domain, and the texts of the right and the wrong side."""

    text: str
    side: str
    domain: str
    right: str
    wrong: str


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N questions, all memories stay in the store."""
    texts, asked = load(paths)
    asked = asked[: options.limit]
    options.say(f"Asking {len(asked)} questions")
    with temporary_forge(options.engine) as forge:
        forge.remember_many({"content": text, "kind": "note", "project": _PROJECT} for text in texts)
        metrics = measure(asked, lambda question: _recalled(forge, question))
    index = Bm25(texts)

    def by_words(question: str) -> list[str]:
        scores = index.scores(question)
        order = sorted(range(len(texts)), key=lambda place: -scores[place])
        return [texts[place] for place in order[:_DEPTH] if scores[place] > 0]

    return Measured(len(asked), metrics, {"bm25": measure(asked, by_words)}, {"memories": len(texts)})


def load(paths: Sequence[Path]) -> tuple[list[str], list[Asked]]:
    """All memories, and two questions a chain, from files in any order."""
    texts: list[str] = []
    asked: list[Asked] = []
    for record in read_records(paths):
        if record.has("other"):
            texts.append(record.text("other"))
            continue
        texts += _chain(record, asked)
    if not asked:
        raise InvalidSource("There is no chain", "Give JSON lines with domain, cause, effect, why and then")
    return texts, asked


def _chain(record: Record, asked: list[Asked]) -> tuple[str, str]:
    cause, effect, domain = record.text("cause"), record.text("effect"), record.text("domain")
    asked.append(Asked(record.text("why"), "why", domain, cause, effect))
    asked.append(Asked(record.text("then"), "then", domain, effect, cause))
    return cause, effect


def _recalled(forge: Forge, question: str) -> list[str]:
    found = forge.recall(question, project=_PROJECT, limit=_DEPTH, budget=None)
    return [
        text for hit in found.hits for text in (hit.memory.content, *(each.content for each in hit.joined))
    ]


def measure(asked: Sequence[Asked], ask: Callable[[str], Sequence[str]]) -> dict[str, Any]:
    """All metrics, in 0..1."""
    answers = [(question, ask(question.text)) for question in asked]
    groups = {"side": ("why", "then"), "domain": tuple(dict.fromkeys(each.domain for each in asked))}
    return {
        **_shares(answers),
        **{
            f"by_{field}": {
                name: _shares([pair for pair in answers if getattr(pair[0], field) == name]) for name in names
            }
            for field, names in groups.items()
        },
    }


def _shares(answers: Sequence[tuple[Asked, Sequence[str]]]) -> dict[str, float | None]:
    return {
        "right_first": mean(
            float(_place(found, question.right) < _place(found, question.wrong))
            for question, found in answers
        ),
        "hit_at_1": mean(float(found[:1] == [question.right]) for question, found in answers),
    }


def _place(found: Sequence[str], text: str) -> float:
    return found.index(text) if text in found else float("inf")
