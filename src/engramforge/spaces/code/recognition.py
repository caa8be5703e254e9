"""Where the code is in a text: fenced blocks, whole texts, both sides of diffs, tracebacks, identifiers in prose.

Rules by line; a text with none of their marks is left after a single check, so plain talk costs next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engramforge.spaces.code.languages import (
    guess_languages,
    language_of,
    language_of_file,
    looks_like_code,
    opens_as_code,
    parse,
)

READ_CHARACTERS: Final = 100_000
"""How far into a text code is looked for."""
MOST_SNIPPETS: Final = 32
MOST_IDENTIFIERS: Final = 256


class Form(StrEnum):
    """How a piece of code stands in its text."""

    FENCE = "fence"
    WHOLE = "whole"
    DIFF = "diff"
    GIVEN = "given"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of code. `language` is a key of `GRAMMARS`, or None where none of them reads it."""

    text: str
    language: str | None
    form: Form


@dataclass(frozen=True, slots=True)
class Trace:
    """What a traceback names, each in the text's order, and the message of its exception."""

    language: str
    files: tuple[str, ...]
    functions: tuple[str, ...]
    exception: str
    message: str


@dataclass(frozen=True, slots=True)
class Recognised:
    """The code in a text; all empty if there is none."""

    snippets: tuple[Snippet, ...] = ()
    traces: tuple[Trace, ...] = ()
    identifiers: tuple[str, ...] = ()

    @property
    def is_code(self) -> bool:
        """Whether any code was found."""
        return bool(self.snippets or self.traces or self.identifiers)


NOTHING: Final = Recognised()

# Each begins with a sign or a line's beginning, so that most places of a text are passed over at once.
_GATES: Final = (
    re.compile(r"(?m)`|~~~|;\s*$|\{\s*$|\}\s*$|_(?<=\w_)\w|\((?<=\w\()|::|->|=>|==|!=|<=|>=|panic: |Error\b"),
    re.compile(r"[A-Z](?<=[a-z]{2}[A-Z])[a-z]"),
    re.compile(
        r"(?m)^(?:@@ -|\+\+\+ |[ \t]+at .+\(|[ \t]*(?:def|class"
        r"|import|from|func|fn|pub|package|public|private|const|let|var|struct|enum|interface|impl|use|using|if|for"
        r"|while|return|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH|select|create)\b.*[:;{(=*,]|#include|#!|\$ \w"
        r"|[ \t]*\w+ ?[:+*/-]?= ?\S|error\[E)"
    ),
)
# Possessive, so that a long line of marks is read once.
_FENCE: Final = re.compile(
    r"(?ms)^[ \t>]{0,12}+(`{3,}+|~{3,}+)[ \t]*+([\w+#.-]*+)[^\n]*+\n(.*?)(?:^[ \t>]{0,12}\1|\Z)"
)
_HUNK: Final = re.compile(r"(?m)^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")
_DIFF_FILE: Final = re.compile(r"^(?:\+\+\+|---) (?:[ab]/)?([^\t\n]+)")
_SPAN: Final = re.compile(r"`([^`\n]{2,80})`")
_IDENTIFIER: Final = re.compile(
    r"(?<![\w/@#.:-])(?:(?<!\$)[A-Za-z_$][\w$]*+(?>(?:(?:\.|::|->)[A-Za-z_$][\w$]*+){0,30})\((?!s\))[^()\n]{0,60}\)"
    r"|_{0,2}[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+_{0,2}|[a-z]{2,}(?:[A-Z][a-z]{2,})+|[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+"
    r"|[\w-]+\.(?:py|js|ts|tsx|jsx|go|rs|java|cpp|hpp|sh|sql))(?![\w/@-])"
)
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")


def recognise(text: str, language: str | None = None) -> Recognised:
    """The code in a text.

    `language`: the caller says that the text is code in this language; fenced blocks or diffs in it still count.
    """
    text = text[:READ_CHARACTERS]
    given = language_of(language) if language else None
    if given is None and not any(gate.search(text) for gate in _GATES):
        return NOTHING
    snippets: list[Snippet] = []
    rest = text
    if "```" in text or "~~~" in text:
        for match in _FENCE.finditer(text):
            snippets += _of_block(match.group(3), match.group(2))
        rest = _FENCE.sub("\n", text)
    if _HUNK.search(rest) or rest.startswith(("diff --git", "--- ")):
        found, rest = _of_diff(rest)
        snippets += found
    traces, rest = traces_in(rest)
    if given is not None and not snippets and not traces:
        return Recognised((Snippet(text, given, Form.GIVEN),))
    if rest.strip() and (whole := _whole(rest)):
        return Recognised((*snippets[:MOST_SNIPPETS], whole), tuple(traces))
    return Recognised(tuple(snippets[:MOST_SNIPPETS]), tuple(traces), _identifiers(rest))


def _of_block(body: str, tag: str) -> list[Snippet]:
    """The pieces of one fenced block; none if the block is marked as something else."""
    if not body.strip():
        return []
    if tag.lower() in ("diff", "patch") or (not tag and _HUNK.search(body)):
        return _of_diff(body)[0] or [Snippet(body, None, Form.FENCE)]
    if tag.lower() in ("text", "txt", "plain", "markdown", "md", "output", "log"):
        return []
    language = language_of(tag)
    if language == "bash" and re.search(r"^[ \t]*\$ ", body, re.M):
        body = "\n".join(line.lstrip()[2:] for line in body.split("\n") if line.lstrip().startswith("$ "))
    if language is None and not tag:
        language = best_language(body, guess_languages(body))
    return [Snippet(body, language, Form.FENCE)]


def _of_diff(text: str) -> tuple[list[Snippet], str]:
    """Both sides of every file of a unified diff, and the text outside it."""
    sides: dict[str, tuple[list[str], list[str]]] = {}
    rest: list[str] = []
    file, inside = "", False
    for line in text.split("\n"):
        named = _DIFF_FILE.match(line)
        if named and not (inside and not line.startswith(("+++ ", "--- "))):
            file = named.group(1).strip() if named.group(1).strip() != "/dev/null" else file
            inside = False
        elif line.startswith("@@ -"):
            inside = True
        elif line.startswith(
            ("diff --git", "index ", "new file mode", "deleted file mode", "similarity ", "rename ")
        ):
            inside = False
        elif inside and (not line or line[0] in "+- \\"):
            old, new = sides.setdefault(file, ([], []))
            if line[:1] in ("-", " "):
                old.append(line[1:])
            if line[:1] in ("+", " "):
                new.append(line[1:])
        else:
            inside = False
            rest.append(line)
    found: list[Snippet] = []
    for name, both in sides.items():
        for lines in both:
            body = "\n".join(lines)
            if body.strip():
                language = language_of_file(name) or best_language(body, guess_languages(body))
                found.append(Snippet(body, language, Form.DIFF))
    return found, "\n".join(rest)


def _whole(text: str) -> Snippet | None:
    candidates = guess_languages(text)
    if not candidates:
        return None
    if (language := best_language(text, candidates)) is None:
        return None
    if looks_like_code(text, language) or (
        opens_as_code(text, language) and error_share(text, language) < 0.2
    ):
        return Snippet(text, language, Form.WHOLE)
    return None


def best_language(text: str, candidates: Iterable[str]) -> str | None:
    """The language whose grammar reads the text with the fewest errors; the first among equals."""
    ordered = list(candidates)[:3]
    if len(ordered) < 2:
        return ordered[0] if ordered else None
    return min(ordered, key=lambda language: (round(error_share(text, language), 2), ordered.index(language)))


def error_share(text: str, language: str) -> float:
    """How much of a text its grammar could not read, in 0..1: the outermost pieces with an error, by length."""
    root = parse(text, language).root_node
    if not root.has_error:
        return 0.0
    size = max(root.end_byte - root.start_byte, 1)
    cursor, wrong = root.walk(), 0
    while True:
        node = cursor.node
        if node is not None and (node.is_error or node.is_missing):
            wrong += max(node.end_byte - node.start_byte, 1)
        elif node is not None and node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return min(wrong / size, 1.0)


def _identifiers(text: str) -> tuple[str, ...]:
    """Names of code within prose, distinct."""
    if "`" not in text and not _IDENTIFIER.search(text):
        return ()
    bare = " ".join(word for word in text.split() if not _is_place(word))
    found: list[str] = []
    for match in _SPAN.finditer(bare):
        if re.search(r"[\w$](?:[_.(:]|[a-z][A-Z])|^[a-z_]\w+$", match.group(1)):
            found += _NAME.findall(match.group(1))
    for match in _IDENTIFIER.finditer(bare):
        found += _NAME.findall(match.group(0))
        if len(found) > MOST_IDENTIFIERS:
            break
    return tuple(dict.fromkeys(found))[:MOST_IDENTIFIERS]


def _is_place(word: str) -> bool:
    """Whether a word is an address, of the web, of mail or of a file, whose underscores mean nothing."""
    return "://" in word or "@" in word or word.startswith("www.") or word.count("/") > 1


_TRACES: Final = {
    "python": (
        re.compile(r'(?m)^[ \t]*File "([^"\n]+)", line \d+(?:, in (\S+))?'),
        re.compile(
            r"(?m)^[ \t]*([A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit|Iteration))\b:? ?(.*)$"
        ),
    ),
    "java": (
        re.compile(r"(?m)^[ \t]*at ([\w$.<>]+)\(([\w$]+\.(?:java|kt|scala)):?\d*\)"),
        re.compile(
            r"(?m)^(?:Exception in thread \"[^\"\n]*\" |Caused by: )?([\w.$]+(?:Exception|Error))\b:? ?(.*)$"
        ),
    ),
    "javascript": (
        re.compile(r"(?m)^[ \t]*at (?:async )?(?:([\w$.<>\[\] ]{1,200}?) )?\(?([^\s()]{1,300}?):\d+:\d+\)?$"),
        re.compile(r"(?m)^(?:Uncaught )?([A-Z]\w*(?:Error|Exception))\b:? ?(.*)$"),
    ),
    "go": (
        re.compile(r"(?m)^([\w./*()-]{1,200}?)\([^\n]{0,500}\)\n[ \t]+(\S{1,300}\.go):\d+"),
        re.compile(r"(?m)^(panic|fatal error): (.*)$"),
    ),
    "rust": (
        re.compile(r"(?m)^[ \t]*\d+: (?:0x[0-9a-f]+ - )?([\w:<>]+)(?:\n[ \t]+at (\S{1,300}?):\d+)?"),
        re.compile(r"(?m)^thread '[^'\n]*'(?: \(\d+\))? (panicked) at (?:[^\n]*:\n)?(.*)$"),
    ),
}
"""Language -> a frame (of Python file and function, of the others function and file), and the exception's line."""


def traces_in(text: str) -> tuple[list[Trace], str]:
    """The tracebacks of a text by language, and the text without their lines."""
    found: list[Trace] = []
    for language, (frame, raised) in _TRACES.items():
        frames = frame.findall(text)
        exceptions = raised.findall(text)
        if not (frames and (exceptions or len(frames) > 1)) and not (
            exceptions and language in ("go", "rust")
        ):
            continue
        pairs = [pair if language == "python" else (pair[1], pair[0]) for pair in frames]
        exception, message = exceptions[-1] if exceptions else ("", "")
        found.append(
            Trace(
                language,
                tuple(dict.fromkeys(file for file, _ in pairs if file))[:MOST_IDENTIFIERS],
                tuple(dict.fromkeys(name for _, name in pairs if name))[:MOST_IDENTIFIERS],
                exception,
                message[:500],
            )
        )
        text = raised.sub("", frame.sub("", text)).replace("Traceback (most recent call last):", "")
    return found, text
