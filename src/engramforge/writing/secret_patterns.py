"""The patterns of detect-secrets, applied to a text at their exact places.

detect-secrets scans files and reports values; here its plugins' own compiled patterns (`denylist`), its keyword
patterns and its heuristics against false alarms are called directly: a replacement needs the place of a match,
not its value, and its global settings would be read for every line. Importing this module loads detect-secrets
(a quarter of a second), so import it only when a text may hold a secret.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, Final

from detect_secrets.filters import heuristic
from detect_secrets.plugins import keyword as keywords
from detect_secrets.plugins.base import RegexBasedDetector

PLUGINS: Final = (
    *("artifactory.ArtifactoryDetector", "aws.AWSKeyDetector", "azure_storage_key.AzureStorageKeyDetector"),
    *("basic_auth.BasicAuthDetector", "cloudant.CloudantDetector", "discord.DiscordBotTokenDetector"),
    *("github_token.GitHubTokenDetector", "gitlab_token.GitLabTokenDetector"),
    *("ibm_cloud_iam.IbmCloudIamDetector", "ibm_cos_hmac.IbmCosHmacDetector", "jwt.JwtTokenDetector"),
    *("mailchimp.MailchimpDetector", "npm.NpmDetector", "openai.OpenAIDetector"),
    *("pypi_token.PypiTokenDetector", "sendgrid.SendGridDetector", "slack.SlackDetector"),
    *("softlayer.SoftlayerDetector", "square_oauth.SquareOAuthDetector", "stripe.StripeDetector"),
    *("telegram_token.TelegramBotTokenDetector", "twilio.TwilioKeyDetector"),
)
"""The plugins in use, beside the private key blocks and the keyword patterns below."""

_KEY_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
_KEY_END = re.compile(r"-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|Private-MAC: *\w+")
_KEY_LINE = re.compile(
    r"[ \t>]*(?:[A-Za-z0-9+/=_-]{16,}|[A-Za-z-]+: .*|[A-Za-z0-9+/]*={1,2}|)[ \t]*\r?(?:\n|\Z)"
)
_BLOCK_CHARACTERS = 100_000
"""A key block not closed within this length counts as unclosed."""
_KEYWORD = re.compile("|".join(keywords.DENYLIST), re.IGNORECASE)
_BEFORE, _AFTER = 100, 300
"""How many characters around a keyword are examined, which bounds the cost of the patterns."""
_MARK = "[REDACTED:"
_PASSES = 4
"""Patterns that consume a character on each side, and so miss the second of two secrets that share it."""
_GROUPED: Final = frozenset({"basic-auth-credentials", "aws-access-key"})
"""Kinds whose patterns have the secret in their first group; other patterns match only the secret."""
_WEB_TOKEN = "json-web-token"  # noqa: S105
_WEB_TOKEN_RUN = re.compile(r"(?<![\w-])(eyJ[\w-]+={0,2}\.[\w-]+={0,2})(?:\.[\w+/-]*={0,2})?", re.ASCII)
"""The plugin's pattern, to the end of the signature, and beginning only where a run begins: else it is quadratic."""
_NEEDED: Final = {"npm-tokens": "_authToken", "openai-token": "T3BlbkFJ"}
"""Kinds whose tokens hold a fixed text."""
_RUN = re.compile(r"\S+")
_SHORTEST = 6
_ENVIRONMENT_NAME = re.compile(r"(?:^|[\s;])[A-Z][A-Z0-9_]*=$")
_LIKELY_UNQUOTED = re.compile(rf"(?=[^\s]*[0-9])(?=[^\s]*[A-Za-z])[^\s()\[\]{{}}<>,;]{{{_SHORTEST},}}$")
"""An unquoted value counts as a secret only with letters and digits and nothing that code or prose is made of."""


class PublishedPrefixDetector(RegexBasedDetector):
    """Keys whose published prefixes are newer than the plugins of detect-secrets 1.5."""

    secret_type = "API Key"  # noqa: S105
    denylist = (
        re.compile(r"\bsk-ant-[A-Za-z0-9_-]{20,}"),  # Anthropic
        re.compile(r"\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}"),  # OpenAI, without its infix
        re.compile(r"\bsk-[A-Za-z0-9]{32,}"),
        re.compile(r"\bgithub_pat_[A-Za-z0-9_]{22,}"),
        re.compile(r"\bAIza[A-Za-z0-9_-]{35}"),  # Google
        re.compile(r"\bhf_[A-Za-z0-9]{30,}"),  # Hugging Face
        re.compile(r"\bxapp-\d-[A-Za-z0-9-]{20,}"),  # Slack, app level
        re.compile(r"\bnpm_[A-Za-z0-9]{36}"),
        re.compile(r"\bsk_test_[0-9a-zA-Z]{24,}"),  # Stripe, test mode
    )


class SecretPatterns:
    """All patterns, compiled; finds the places of secrets in a text."""

    def __init__(self) -> None:
        self._detectors: list[tuple[str, Any]] = []
        named = (path.split(".") for path in PLUGINS)
        plugins = (getattr(import_module(f"detect_secrets.plugins.{file}"), name) for file, name in named)
        for detector in (*(plugin() for plugin in plugins), PublishedPrefixDetector()):
            slug = re.sub(r"[^a-z0-9]+", "-", detector.secret_type.lower()).strip("-")
            self._detectors.append((slug, detector))

    def replace(self, text: str) -> tuple[str, dict[str, int]]:
        """The text with each secret replaced by `[REDACTED:<type>]`, and the number of each type."""
        counts: Counter[str] = Counter()
        for _ in range(_PASSES):
            text, found = self._replace_once(text)
            if not found:
                break
            counts.update(found)
        return text, dict(counts)

    def _replace_once(self, text: str) -> tuple[str, dict[str, int]]:
        spans = [*_key_blocks(text), *self._tokens(text), *_assigned(text)]
        if not spans:
            return text, {}
        counts: Counter[str] = Counter()
        kept: list[str] = []
        at = 0
        # The longer of two that begin together wins; overlapping matches are dropped.
        for begin, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
            if begin < at:
                at = max(at, end)
                continue
            kept += (text[at:begin], f"[REDACTED:{kind}]")
            counts[kind] += 1
            at = end
        kept.append(text[at:])
        return "".join(kept), dict(counts)

    def _tokens(self, text: str) -> Iterator[tuple[int, int, str]]:
        for kind, detector in self._detectors:
            if kind == _WEB_TOKEN:
                runs = _WEB_TOKEN_RUN.finditer(text)
                yield from ((*run.span(), kind) for run in runs if detector.is_formally_valid(run[1]))
                continue
            for window, window_end in _windows(text, kind):
                for pattern in detector.denylist:
                    group = 1 if kind in _GROUPED and pattern.groups else 0
                    for match in pattern.finditer(text, window, window_end):
                        begin, end = _trimmed(text, *match.span(group))
                        if begin < end and not text.startswith(_MARK, begin):
                            yield begin, end, kind


def _windows(text: str, kind: str) -> Iterable[tuple[int, int]]:
    """Where to look for a kind of token: everywhere, or around a text that it must contain.

    The patterns of some kinds would take quadratic time on a long line.
    """
    clue = _NEEDED.get(kind)
    if clue is None:
        return [(0, len(text))]
    around = [(max(hit.start() - _BEFORE, 0), hit.end() + _AFTER) for hit in re.finditer(clue, text)]
    return _merged(around)


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for begin, end in spans:
        if merged and begin < merged[-1][1] and end - merged[-1][0] <= _BEFORE + 2 * _AFTER:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged


def _key_blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Private key blocks from their first to their last line; an unclosed one as far as it looks like a key."""
    at = 0
    closing: re.Match[str] | None = None
    is_last = False
    while begin := _KEY_BEGIN.search(text, at):
        if not is_last and (closing is None or closing.start() < begin.end()):
            closing = _KEY_END.search(text, begin.end())
            is_last = closing is None
        if closing is not None and closing.start() - begin.end() < _BLOCK_CHARACTERS:
            at = closing.end()
        else:
            at = begin.end()
            line_end = text.find("\n", at)
            at = len(text) if line_end < 0 else line_end + 1
            while at < len(text) and (line := _KEY_LINE.match(text, at)):
                at = line.end()
            at -= text[at - 1] == "\n"
        yield begin.start(), at, "private-key"


def _assigned(text: str) -> Iterator[tuple[int, int, str]]:
    """Values assigned to names such as `password`, found by detect-secrets' keyword patterns."""
    lines: list[tuple[int, int]] = []
    for hit in _KEYWORD.finditer(text):
        begin = max(hit.start() - _BEFORE, text.rfind("\n", 0, hit.start()) + 1, 0)
        line_end = text.find("\n", hit.end(), hit.end() + _AFTER)
        lines.append((begin, line_end if line_end >= 0 else min(hit.end() + _AFTER, len(text))))
    for begin, end in _merged(lines):
        for first, after in _values_in(text[begin:end]):
            yield begin + first, begin + after, "secret-keyword"


def _values_in(line: str) -> Iterable[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for pattern, group in keywords.QUOTES_REQUIRED_DENYLIST_REGEX_TO_GROUP.items():
        for match in pattern.finditer(line):
            first, after = match.span(group)
            # A quotation after a colon is often prose; after an equals sign it is a value.
            is_prose = " " in match[group].strip() and not line[:first].rstrip(" \"'`@").endswith(("=", "("))
            if not is_prose and _is_value(line, first, after):
                found.append((first, after))
    for pattern, group in keywords.CONFIG_DENYLIST_REGEX_TO_GROUP.items():
        for match in pattern.finditer(line):
            value = _RUN.search(line, *match.span(group))
            if value is None:
                continue
            first, after = value.start(), value.start() + len(value[0].rstrip(".,:;!?\"'`"))
            is_variable = _ENVIRONMENT_NAME.search(line, 0, first) is not None and after - first >= _SHORTEST
            if (is_variable or _LIKELY_UNQUOTED.match(line[first:after])) and _is_value(line, first, after):
                found.append((first, after))
    return found


def _is_value(line: str, first: int, after: int) -> bool:
    """Whether a value passes detect-secrets' heuristics: no template, variable, reference or masking."""
    value = line[first:after]
    assignment = max(line.rfind(mark, 0, first) for mark in ",;{&") + 1
    return not (
        value.startswith(_MARK)
        or heuristic.is_not_alphanumeric_string(value)
        or heuristic.is_templated_secret(value)
        or heuristic.is_prefixed_with_dollar_sign(value)
        or heuristic.is_indirect_reference(line[assignment : after + 1])
    )


def _trimmed(text: str, begin: int, end: int) -> tuple[int, int]:
    """A span without the quotes and spaces that some patterns match around a secret."""
    while begin < end and text[begin] in " \t\r\n\"'`=:":
        begin += 1
    while end > begin and text[end - 1] in " \t\r\n\"'`":
        end -= 1
    return begin, end
