"""Which packages an edit of a manifest adds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_MANIFEST: Final = re.compile(
    r"(?i)(?:\A|[/\\])(?:package\.json|mix\.exs|cargo\.toml|pyproject\.toml|setup\.(?:py|cfg)|pipfile|go\.mod|gemfile"
    r"|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|pubspec\.ya?ml|deno\.jsonc?|environment\.ya?ml"
    r"|(?P<plain>[\w-]{0,40}requirements[\w-]{0,40}\.(?:txt|in)))\Z"
)
_ADDED: Final = re.compile(
    r"(?<![\w@./-])(?P<name>@?[A-Za-z][\w./-]{1,60})[\"']?[ ]?(?:=>|[~<>=!^]=?|[:,]|[ ])[ ]?(?:\{[ ]?version[ ]?=[ ]?)?"
    r"[\"'{\[]?(?:[~<>=!^]{1,2}[ ]?|v)?(?:\d|\*[\"']|latest\b|workspace:)"
)
_PLAIN: Final = re.compile(r"(?m)^[ ]*(?P<name>[A-Za-z][\w.-]{1,60})(?=[ ]*(?:\[|$|#|;|[<>=~!]))")
_FIELD_NAMES: Final = (
    "version app name node npm pnpm yarn engines elixir python requires-python go toolchain edition rust-version ruby"
    " port private php sdk flutter line-length license"
)
_FIELDS: Final = frozenset(_FIELD_NAMES.split())
"""What else stands before a number in a manifest."""
_LONGEST: Final = 20_000
_MOST: Final = 12


def packages_added(path: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The packages that an edit of a file adds; none of a file that lists no packages.

    >>> packages_added("mix.exs", {"old_string": '{:jason, "1.2"}', "new_string": '{:jason, "2"}, {:oban, "~> 2.1"}'})
    ('oban',)
    >>> packages_added("web/package.json", {"new_string": '"pinia": "^2.1.0"'})
    ('pinia',)
    >>> packages_added("a.py", {"content": "b==1"})
    ()
    """
    manifest = _MANIFEST.search(path)
    if manifest is None:
        return ()
    edits = given.get("edits")
    further = [each for each in edits if isinstance(each, Mapping)] if isinstance(edits, list) else []
    found: dict[str, None] = {}
    for edit in (given, *further):
        before, after = _text(edit, "old_string"), f"{_text(edit, 'new_string')}\n{_text(edit, 'content')}"
        names = _names(after, is_plain=bool(manifest["plain"]))
        found |= dict.fromkeys(name for name in names if name not in before)
    return tuple(found)[:_MOST]


def _text(edit: Mapping[str, Any], key: str) -> str:
    said = edit.get(key)
    return said[:_LONGEST] if isinstance(said, str) else ""


def _names(text: str, *, is_plain: bool) -> Iterator[str]:
    for pattern in (_ADDED, _PLAIN) if is_plain else (_ADDED,):
        for hit in pattern.finditer(text):
            if hit["name"].casefold() not in _FIELDS:
                yield hit["name"]
