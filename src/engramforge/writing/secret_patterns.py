"""All that finds secrets, together: the replacement of what they find.

Ours are the shapes of services, named values and credentials by their places. The plugins of detect-secrets add its own
shapes; they scan files and report values, so their compiled patterns (`denylist`) are called directly: a replacement
needs the place of a match. Its keyword, entropy and public-address plugins are not used, and nothing is ever verified
over the network. detect-secrets takes a quarter of a second to load, so import this module only when a text may hold a
secret.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from engramforge.core.secrets.named_values import KIND as GENERAL
from engramforge.core.secrets.places import secret_places
from engramforge.core.secrets.service_tokens import RUN, Span

PLUGINS: Final = (
    *("cloudant.CloudantDetector", "ibm_cloud_iam.IbmCloudIamDetector", "ibm_cos_hmac.IbmCosHmacDetector"),
    *("softlayer.SoftlayerDetector", "artifactory.ArtifactoryDetector", "aws.AWSKeyDetector"),
    "azure_storage_key.AzureStorageKeyDetector",
)
"""The plugins of detect-secrets whose shapes are not ours already."""

_PLUGIN_CLUE: Final = re.compile(r"AKC|AP[0-9A-F]|AccountKey|(?i:ibm|bluemix|softlayer|cloudant|aws)")
"""What their shapes have in them."""
_MARK = "[REDACTED:"
_OF_EXAMPLES: Final = ("EXAMPLE", "EXAMPLEKEY")
"""Ends of the keys that the documents of a service show."""
_WHOLE_MARK: Final = re.compile(r"\[REDACTED:[\w-]{1,60}\]")
_SHORTEST_AGAIN: Final = 8
_LONGEST_AGAIN: Final = 200
_MOST_AGAIN: Final = 20
"""How many values are looked for again, of which lengths."""
_NOTHING: Final[Mapping[str, str]] = {}
_PASSES = 4
"""Patterns that consume a character on each side, and so miss the second of two secrets that share it."""
_GROUPED: Final = frozenset({"aws-access-key"})
"""Kinds whose patterns have the secret in their first group; other patterns match only the secret."""


class SecretPatterns:
    """Finds the places of secrets in a text, and replaces them."""

    def __init__(self) -> None:
        self._plugins: list[tuple[str, Any]] | None = None

    def find(self, text: str) -> dict[str, str]:
        """The values that are secrets wherever they are said again -> their types; the first of very many."""
        return _said_again(text, self._places(text))

    def replace(self, text: str, known: Mapping[str, str] = _NOTHING) -> tuple[str, dict[str, int]]:
        """The text with each secret replaced by `[REDACTED:<type>]`, and the number of each type.

        `known`: what was found elsewhere, as `find` gives it.
        """
        counts: Counter[str] = Counter()
        for _ in range(_PASSES):
            text, found = self._replace_once(text, known)
            if not found:
                break
            counts.update(found)
        return text, dict(counts)

    def _places(self, text: str) -> list[Span]:
        spans = [*secret_places(text), *self._plugged(text)]
        spans = [span for span in spans if not text.endswith(_OF_EXAMPLES, span[0], span[1])]
        return list(_outside_marks(text, spans)) if _MARK in text else spans

    def _replace_once(self, text: str, known: Mapping[str, str]) -> tuple[str, dict[str, int]]:
        spans = self._places(text)
        spans += _mentioned(text, {**_said_again(text, spans), **known})
        if not spans:
            return text, {}
        counts: Counter[str] = Counter()
        kept: list[str] = []
        at = 0
        for begin, end, kind in _apart(spans):
            kept += (text[at:begin], f"[REDACTED:{kind}]")
            counts[kind] += 1
            at = end
        kept.append(text[at:])
        return "".join(kept), dict(counts)

    def _plugged(self, text: str) -> Iterator[Span]:
        if RUN.search(text) is None or _PLUGIN_CLUE.search(text) is None:
            return
        if self._plugins is None:
            self._plugins = list(_plugins())
        for kind, plugin in self._plugins:
            for pattern in plugin.denylist:
                group = 1 if kind in _GROUPED and pattern.groups else 0
                for match in pattern.finditer(text):
                    begin, end = _trimmed(text, *match.span(group))
                    if begin < end:
                        yield begin, end, kind


def _outside_marks(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Spans that cut no mark in two: what begins within one begins behind it, what ends within one ends with it."""
    marks = [mark.span() for mark in _WHOLE_MARK.finditer(text)]
    begins = [begin for begin, _ in marks]
    for begin, end, kind in spans:
        if text.startswith(_MARK, begin):
            continue
        first, last = (bisect_left(begins, at) - 1 for at in (begin, end))
        begin = max(begin, marks[first][1]) if first >= 0 else begin
        end = max(end, marks[last][1]) if last >= 0 and last != first else end
        if begin < end:
            yield begin, end, kind


def _said_again(text: str, spans: Sequence[Span]) -> dict[str, str]:
    """What of the found is looked for again: a secret said once is one wherever it stands."""
    kinds = {
        text[begin:end]: kind
        for begin, end, kind in spans
        if _SHORTEST_AGAIN <= end - begin <= _LONGEST_AGAIN
    }
    again = [value for value in kinds if any(map(str.isdigit, value))][:_MOST_AGAIN]
    return {value: kinds[value] for value in again}


def _mentioned(text: str, values: Mapping[str, str]) -> Iterator[Span]:
    """The places of these values."""
    for value, kind in values.items():
        at = text.find(value)
        while at >= 0:
            end = at + len(value)
            if not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum():
                yield at, end, kind
            at = text.find(value, end)


def _plugins() -> Iterator[tuple[str, Any]]:
    for path in PLUGINS:
        file, name = path.split(".")
        plugin = getattr(import_module(f"detect_secrets.plugins.{file}"), name)()
        yield re.sub(r"[^a-z0-9]+", "-", plugin.secret_type.lower()).strip("-"), plugin


def _apart(spans: Iterable[Span]) -> Iterator[Span]:
    """Spans that do not overlap: what overlaps is one, of the kind of the longest of them that begins first."""
    whole: Span | None = None
    for begin, end, kind in sorted(spans, key=lambda span: (span[0], -span[1], span[2] == GENERAL)):
        if whole is None or begin >= whole[1]:
            if whole is not None:
                yield whole
            whole = begin, end, kind
        elif end > whole[1]:
            whole = whole[0], end, whole[2]
    if whole is not None:
        yield whole


def _trimmed(text: str, begin: int, end: int) -> tuple[int, int]:
    """A span without the quotes and spaces that some patterns match around a secret."""
    while begin < end and text[begin] in " \t\r\n\"'`=:":
        begin += 1
    while end > begin and text[end - 1] in " \t\r\n\"'`":
        end -= 1
    return begin, end
