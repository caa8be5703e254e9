"""Rules that assign a project to conversations that name none: tried in order, the first match counts.

A rule is `title:PATTERN=PROJECT`, `text:PATTERN=PROJECT`, or `PATTERN=PROJECT` for either. The pattern may match
anywhere, regardless of case; `*` and `?` stand for any characters and any single one; `/PATTERN/` is a regular
expression. The text is the first of the conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engramforge.core.checks.identities import holds_secret
from engramforge.core.checks.validation import check_name
from engramforge.errors import InvalidValue

TITLE: Final = "title"
TEXT: Final = "text"
MOST_RULES: Final = 1_000
RULE_CHARACTERS: Final = 1_000
READ_CHARACTERS: Final = 10_000
"""How much of a conversation's first text is looked at."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    `text`: as it was written, stripped. `where`: title, text, or empty for either. `pattern`: compiled. `project`:
    whose the conversation becomes.
    """

    text: str
    where: str
    pattern: re.Pattern[str]
    project: str

    def fits(self, title: str, first_text: str) -> bool:
        """Whether this rule applies to a conversation."""
        asked = {TITLE: (title,), TEXT: (first_text[:READ_CHARACTERS],)}
        texts = asked.get(self.where, (title, first_text[:READ_CHARACTERS]))
        return any(self.pattern.search(text) is not None for text in texts)


def parse_rules(lines: Iterable[object]) -> tuple[Rule, ...]:
    """Rules as texts; blank ones and those that begin with # are left out. Raises InvalidValue, naming the rule."""
    rules = tuple(
        _parsed(line) for line in lines if not (isinstance(line, str) and line.strip()[:1] in ("", "#"))
    )
    if len(rules) > MOST_RULES:
        raise InvalidValue(f"There are {len(rules):,} rules, more than {MOST_RULES:,}", "Use fewer")
    return rules


def project_by(rules: Iterable[Rule], title: str, first_text: str) -> str | None:
    """The project that the first fitting rule gives; None where none fits."""
    return next((rule.project for rule in rules if rule.fits(title, first_text)), None)


def _parsed(line: object) -> Rule:
    if not isinstance(line, str):
        raise InvalidValue(f"A rule is a {type(line).__name__}, not text", "Write it as PATTERN=PROJECT")
    text = line.strip()
    if len(text) > RULE_CHARACTERS:
        raise InvalidValue(
            f"The rule {text[:60]!r}... is longer than {RULE_CHARACTERS:,} characters", "Shorten it"
        )
    where, _, rest = text.partition(":")
    if where not in (TITLE, TEXT):
        where, rest = "", text
    pattern, equals, project = rest.rpartition("=")
    pattern = pattern.strip()
    if not equals or not pattern:
        raise InvalidValue(
            f"The rule {text[:100]!r} names no pattern and project",
            "Write it as PATTERN=PROJECT, title:PATTERN=PROJECT or text:PATTERN=PROJECT",
        )
    if holds_secret(pattern):
        raise InvalidValue(
            "The pattern of a rule holds a secret, and rules are kept as they are", "Name it otherwise"
        )
    return Rule(text, where, _compiled(pattern, text), check_name(project, "project"))


def _compiled(pattern: str, text: str) -> re.Pattern[str]:
    if len(pattern) > 2 and pattern[0] == pattern[-1] == "/":
        try:
            return re.compile(pattern[1:-1], re.IGNORECASE)
        except re.error as error:
            raise InvalidValue(
                f"The rule {text[:100]!r} has no sound regular expression ({error})",
                "Mend it, or leave out the /",
            ) from None
    parts = (".*" if letter == "*" else "." if letter == "?" else re.escape(letter) for letter in pattern)
    return re.compile("".join(parts), re.IGNORECASE | re.DOTALL)
