"""redaction: how many secrets are stored, how much plain talk is changed, and what a sentence costs.

It makes its own texts (bench/redaction_texts), anew for each seed: some 120 kinds of secrets in eight carriers and as
they are spoken of, and code talk that only looks like it. Each text is remembered, and counts by what was stored of it.

Baseline: detect-secrets with its plugins but those for entropy and addresses, over the same texts.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.redaction_texts import Planted, plain, planted
from engramforge.errors import InvalidValue
from engramforge.writing.redact import Redactor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from engramforge.forge import Forge

_BATCH: Final = 500
_NAMED: Final = 20
_ROUNDS: Final = 3


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N secrets and N sentences."""
    if paths:
        raise InvalidValue("The benchmark redaction makes its own texts", "Leave --data out")
    secrets = list(planted(options.seed))[: options.limit]
    sentences = list(plain(options.seed))[: options.limit]
    options.say(f"Remembering {len(secrets)} secrets and {len(sentences)} sentences")
    with temporary_forge(options.engine) as forge:
        kept = list(_stored(forge, [each.text for each in secrets]))
        left = Counter(each.kind for each, text in zip(secrets, kept, strict=True) if each.is_in(text))
        said = _stored(forge, sentences)
        changed = sum(text != sentence for sentence, text in zip(sentences, said, strict=True))
    redact = Redactor().redact
    options.say("Asking detect-secrets")
    metrics: dict[str, Any] = {
        "recall": 1 - left.total() / len(secrets),
        "changed_per_thousand": 1_000 * changed / len(sentences),
        "microseconds_per_sentence": _cost([*(each.text for each in secrets), *sentences], redact),
        "microseconds_per_plain_sentence": _cost(sentences, redact),
        "stored": dict(left.most_common(_NAMED)),
    }
    return Measured(
        len(secrets) + len(sentences),
        metrics,
        {"detect_secrets": _peer(secrets, sentences)},
        {"seed": options.seed},
    )


def _stored(forge: Forge, texts: Sequence[str]) -> Iterator[str]:
    for begin in range(0, len(texts), _BATCH):
        drafts = [{"content": text, "project": "talk"} for text in texts[begin : begin + _BATCH]]
        yield from (memory.content for memory in forge.remember_many(drafts))


def _cost(texts: Sequence[str], read: Callable[[str], object]) -> float:
    """Microseconds of CPU that a text costs at best, once the rules are loaded."""
    costs = []
    for _ in range(_ROUNDS + 1):
        began = time.process_time()
        for text in texts:
            read(text)
        costs.append((time.process_time() - began) / len(texts) * 1e6)
    return min(costs[1:])


def _peer(secrets: Sequence[Planted], sentences: Sequence[str]) -> dict[str, Any]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
    from detect_secrets.core.scan import scan_line
    from detect_secrets.settings import transient_settings

    def found(text: str) -> list[str]:
        return [each.secret_value or "" for line in text.splitlines() for each in scan_line(line)]

    plugins: dict[str, type] = get_mapping_from_secret_type_to_class()
    names = [plugin.__name__ for plugin in plugins.values()]
    wanted = [{"name": name} for name in names if "Entropy" not in name and "IPPublic" not in name]
    with transient_settings({"plugins_used": wanted}):
        caught = sum(any(part and part in each.secret for part in found(each.text)) for each in secrets)
        changed = sum(bool(found(sentence)) for sentence in sentences)
        return {
            "recall": caught / len(secrets),
            "changed_per_thousand": 1_000 * changed / len(sentences),
            "microseconds_per_sentence": _cost([*(each.text for each in secrets), *sentences], found),
            "microseconds_per_plain_sentence": _cost(sentences, found),
        }
