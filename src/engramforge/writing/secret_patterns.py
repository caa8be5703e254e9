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
from itertools import accumulate
from typing import Any, Final

from engramforge.core.secrets.chance import KIND, MARK, is_filled
from engramforge.core.secrets.places import secret_places
from engramforge.core.secrets.service_tokens import RUN, Span
from engramforge.core.text.layers import View, views
from engramforge.core.text.marks import WHOLE_MARK

PLUGINS: Final = (
    *("cloudant.CloudantDetector", "ibm_cloud_iam.IbmCloudIamDetector", "ibm_cos_hmac.IbmCosHmacDetector"),
    *("softlayer.SoftlayerDetector", "artifactory.ArtifactoryDetector", "aws.AWSKeyDetector"),
    "azure_storage_key.AzureStorageKeyDetector",
)
"""The plugins of detect-secrets whose shapes are not ours already."""

_PLUGIN_CLUE: Final = re.compile(r"AKC|AP[0-9A-F]|AccountKey|(?i:ibm|bluemix|softlayer|cloudant|aws)")
"""What their shapes have in them."""
_OF_EXAMPLES: Final = ("EXAMPLE", "EXAMPLEKEY")
"""Ends of the keys that the documents of a service show."""
_SHORTEST_AGAIN: Final = 6
_LONGEST_AGAIN: Final = 200
"""How long values are that are looked for again."""
_WORD: Final = re.compile(r"[^\W_]+")
_NOTHING: Final[Mapping[str, str]] = {}
_PASSES = 4
"""Patterns that consume a character on each side, and so miss the second of two secrets that share it."""
_MADE: Final = re.compile(r"\d|[a-z][A-Z]|\w[!@#$%^&*?~+]\w|\S{24}")
"""What is left of a text has one of these where a secret may have been missed so."""
_GROUPED: Final = frozenset({"aws-access-key"})
"""Kinds whose patterns have the secret in their first group; other patterns match only the secret."""


class SecretPatterns:
    """Finds the places of secrets in a text, and replaces them."""

    def __init__(self) -> None:
        self._plugins: list[tuple[str, Any]] | None = None

    def find(self, text: str) -> dict[str, str]:
        """The values that are secrets wherever they are said again -> their types."""
        return self._found(text, _NOTHING)[1]

    def replace(
        self, text: str, known: Mapping[str, str] = _NOTHING
    ) -> tuple[str, dict[str, int], dict[str, str]]:
        """The text with each secret replaced by `[REDACTED:<type>]`, the number of each type, and what `find` gives.

        `known`: what was found elsewhere, as `find` gives it.
        """
        counts: Counter[str] = Counter()
        values: dict[str, str] = {}
        for _ in range(_PASSES):
            spans, again = self._found(text, known)
            if not spans:
                break
            values.update(again)
            text = _replaced(text, spans, counts)
            if _MADE.search(WHOLE_MARK.sub(" ", text)) is None:
                break
        return text, dict(counts), values

    def without(self, text: str, known: Mapping[str, str]) -> tuple[str, dict[str, int]]:
        """The text with these values replaced, and how many were; nothing else is looked for."""
        counts: Counter[str] = Counter()
        spans = [
            (*view.span(begin, end), kind)
            for view in views(text)
            for begin, end, kind in _outside_marks(view.text, _mentioned(view.text, known))
        ]
        return _replaced(text, spans, counts), dict(counts)

    def places(self, text: str) -> list[Span]:
        """Where secrets are in a text; none overlaps another."""
        return list(_apart(self._found(text, _NOTHING)[0]))

    def part(
        self, text: str, at: int, places: Sequence[Span], counts: Counter[str], values: dict[str, str]
    ) -> str:
        """A part of a text that begins at a place of it, without the secrets there; they are counted and kept.

        What a key or a command calls a secret is one wherever it is said again, unless it is a word or very short.
        """
        spans = [
            (max(begin - at, 0), min(end - at, len(text)), kind)
            for begin, end, kind in places
            if begin < at + len(text) and end > at
        ]
        for begin, end, kind in spans:
            value = text[begin:end]
            if end - begin >= _SHORTEST_AGAIN and not value.isalpha():
                values[value] = kind
        return _replaced(text, spans, counts)

    def _places(self, view: View) -> list[Span]:
        text = view.text
        spans: list[Span] = []
        for first, last in view.parts:
            part = text[first:last]
            found = (*secret_places(part), *self._plugged(part))
            spans += ((first + begin, first + end, kind) for begin, end, kind in found)
        spans = [
            span
            for span in spans
            if not text.endswith(_OF_EXAMPLES, span[0], span[1])
            and (span[2] == "private-key" or not is_filled(text[span[0] : span[1]]))
        ]
        return list(_outside_marks(text, spans)) if MARK in text else spans

    def _found(self, text: str, known: Mapping[str, str]) -> tuple[list[Span], dict[str, str]]:
        """Where secrets are in a text, as it is and without its layers, and the values that are ones everywhere."""
        seen = [(view, self._places(view)) for view in views(text)]
        plain, below = seen[0][1], seen[1:]
        if below and plain:
            seen[0] = seen[0][0], _borne_out(plain, below)
        values: dict[str, str] = {}
        for view, places in seen:
            values.update(_said_again(view.text, places))
        for view, places in seen:
            places += _outside_marks(view.text, _mentioned(view.text, {**values, **known}))
        return [
            (*view.span(begin, end), kind) for view, places in seen for begin, end, kind in places
        ], values

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
    marks = [mark.span() for mark in WHOLE_MARK.finditer(text)]
    begins = [begin for begin, _ in marks]
    for begin, end, kind in spans:
        if text.startswith(MARK, begin):
            continue
        first, last = (bisect_left(begins, at) - 1 for at in (begin, end))
        begin = max(begin, marks[first][1]) if first >= 0 else begin
        end = max(end, marks[last][1]) if last >= 0 and last != first else end
        if begin < end:
            yield begin, end, kind


def _borne_out(spans: Iterable[Span], below: Sequence[tuple[View, list[Span]]]) -> list[Span]:
    """Spans without those over an escape below which nothing is found: `r\\u00e9cup` is a word, not a made-up one."""
    found = sorted(view.span(begin, end) for view, places in below for begin, end, _ in places)
    begins = [begin for begin, _ in found]
    reaches = list(accumulate((end for _, end in found), max))
    kept = []
    for begin, end, kind in spans:
        before = bisect_left(begins, end) - 1
        # By more than its signs, or longer than what is looked at around a layer.
        is_whole = kind != KIND or end - begin > _LONGEST_AGAIN
        if is_whole or not below[0][0].is_escaped(begin, end) or (before >= 0 and reaches[before] > begin):
            kept.append((begin, end, kind))
    return kept


def _replaced(text: str, spans: Iterable[Span], counts: Counter[str]) -> str:
    """The text with a mark instead of each span; `counts` counts them by kind."""
    kept: list[str] = []
    at = 0
    for begin, end, kind in _apart(spans):
        kept += (text[at:begin], f"{MARK}{kind}]")
        counts[kind] += 1
        at = end
    return "".join((*kept, text[at:]))


def _said_again(text: str, spans: Iterable[Span]) -> dict[str, str]:
    """What of the found is looked for again: a secret said once is one wherever it stands."""
    return {
        text[begin:end]: kind
        for begin, end, kind in spans
        if _SHORTEST_AGAIN <= end - begin <= _LONGEST_AGAIN and any(map(str.isdigit, text[begin:end]))
    }


def _mentioned(text: str, values: Mapping[str, str]) -> Iterator[Span]:
    """The places of these values, by the longest word of each; where no letter or digit goes on."""
    if not values:
        return
    by_word: dict[str, set[tuple[int, int]]] = {}
    for value in values:
        word = max(_WORD.finditer(value), key=lambda word: len(word[0]), default=None)
        if word is not None:
            by_word.setdefault(word[0], set()).add((word.start(), len(value)))
    for word in _WORD.finditer(text):
        for before, size in by_word.get(word[0], ()):
            begin = word.start() - before
            end = begin + size
            kind = values.get(text[begin:end]) if begin >= 0 and end <= len(text) else None
            if kind and not text[begin - 1 : begin].isalnum() and not text[end : end + 1].isalnum():
                yield begin, end, kind


def _plugins() -> Iterator[tuple[str, Any]]:
    for path in PLUGINS:
        file, name = path.split(".")
        plugin = getattr(import_module(f"detect_secrets.plugins.{file}"), name)()
        yield re.sub(r"[^a-z0-9]+", "-", plugin.secret_type.lower()).strip("-"), plugin


def _apart(spans: Iterable[Span]) -> Iterator[Span]:
    """Spans that do not overlap: what overlaps is one, of the kind of the longest of them that begins first."""
    whole: Span | None = None
    for begin, end, kind in sorted(spans, key=lambda span: (span[0], -span[1], span[2] == KIND)):
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
    begin = end - len(text[begin:end].lstrip(" \t\r\n\"'`=:"))
    return begin, begin + len(text[begin:end].rstrip(" \t\r\n\"'`"))
