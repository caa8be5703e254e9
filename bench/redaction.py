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
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from engramforge.forge import Forge

_BATCH: Final = 500
_NAMED: Final = 20


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
    options.say("Asking detect-secrets")
    metrics: dict[str, Any] = {
        "recall": 1 - left.total() / len(secrets),
        "changed_per_thousand": 1_000 * changed / len(sentences),
        "microseconds_per_sentence": _cost([*(each.text for each in secrets), *sentences]),
        "microseconds_per_plain_sentence": _cost(sentences),
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


def _cost(texts: Sequence[str]) -> float:
    redactor = Redactor()
    for text in texts:  # loads the rules
        redactor.redact(text)
    began = time.perf_counter()
    for text in texts:
        redactor.redact(text)
    return (time.perf_counter() - began) / len(texts) * 1e6


def _peer(secrets: Sequence[Planted], sentences: Sequence[str]) -> dict[str, Any]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
    from detect_secrets.core.scan import scan_line
    from detect_secrets.settings import transient_settings

    def found(text: str) -> list[str]:
        return [each.secret_value or "" for line in text.splitlines() for each in scan_line(line)]

    began = time.perf_counter()
    plugins: dict[str, type] = get_mapping_from_secret_type_to_class()
    names = [plugin.__name__ for plugin in plugins.values()]
    wanted = [{"name": name} for name in names if "Entropy" not in name and "IPPublic" not in name]
    with transient_settings({"plugins_used": wanted}):
        caught = sum(any(part and part in each.secret for part in found(each.text)) for each in secrets)
        planted_done = time.perf_counter()
        changed = sum(bool(found(sentence)) for sentence in sentences)
        done = time.perf_counter()
    return {
        "recall": caught / len(secrets),
        "changed_per_thousand": 1_000 * changed / len(sentences),
        "microseconds_per_sentence": (done - began) / (len(secrets) + len(sentences)) * 1e6,
        "microseconds_per_plain_sentence": (done - planted_done) / len(sentences) * 1e6,
    }
