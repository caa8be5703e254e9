"""The options of an import besides its path: since when, and the rules for conversations.

**Whose a conversation becomes**: the project that the caller names for everything; else the one in which it is
already, so that it never comes in twice; else that of the first rule that fits; else what its export says of it; else
the format's own. Rules that are given take the place of those before, and are kept for the imports that give none.
So are, for a path, the fields of a stranger's JSONL, which `sync` and a forget of the file need again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from engramforge.capture.formats.jsonl import FORMAT, checked_fields
from engramforge.capture.imports.run import ImportOptions
from engramforge.capture.reading.format import NO_FIELDS, Conversation
from engramforge.capture.reading.values import digest_of
from engramforge.core.checks.assignment import MOST_RULES, RULE_CHARACTERS, Rule, parse_rules, project_by
from engramforge.core.checks.store_files import is_of_store
from engramforge.errors import InvalidSource
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.import_survey import ImportSurvey
from engramforge.model.time import TemporalMode
from engramforge.store.door import Door

_RULES_MARK: Final = "import:rules:{}"
_FIELDS_MARK: Final = "import:fields:{}"


def options_of(
    door: Door,
    scope: Scope,
    since: datetime | None = None,
    assign: Sequence[str] | None = None,
    begun: Callable[[ImportSurvey], None] | None = None,
    fields: Mapping[str, str] = NO_FIELDS,
) -> ImportOptions:
    """The options of an import.

    `assign`: rules (core/checks/assignment), or `@FILE` with one a line; empty for none from now on; None for those
    kept. `begun`: called with what was found, before anything is read. `fields`: as in `Context`.

    Raises InvalidValue, InvalidSource: a rule, or the file of rules, is not sound. Nothing was changed.
    """
    rules = _rules(door, scope, assign)
    said = [] if since is None else [f"since={since.isoformat()}"]
    if rules:
        said.append("rules=" + digest_of("\n".join(rule.text for rule in rules)))
    if fields:
        said.append("fields=" + digest_of(repr(sorted(fields.items()))))

    def project_of(conversation: Conversation) -> str | None:
        if session := conversation.session:
            selection = Selection(session_id=session, mode=TemporalMode.FULL_HISTORY)
            if found := door.asking(scope).browse(selection, 1, newest_first=False):
                return found[0].project
        return project_by(rules, conversation.title, conversation.first_text)

    return ImportOptions(assign=project_of, since=since, wishes=";".join(said), begun=begun, fields=fields)


def fields_of(
    door: Door,
    scope: Scope,
    path: Path,
    given: Mapping[str, str] | None,
    format: str | None = None,  # noqa: A002
) -> Mapping[str, str]:
    """The fields of what lies at a path: those given, else those kept of JSONL there. Raises InvalidValue."""
    if given is not None:
        return checked_fields(given)
    kept = door.asking(scope).mark(_fields_mark(scope, path)) if format in (None, FORMAT.name) else None
    return NO_FIELDS if kept is None else dict(kept["fields"])


def keep_fields(door: Door, scope: Scope, path: Path, fields: Mapping[str, str]) -> None:
    """Keep the fields of what lies at a path; empty for none."""
    mark = {"fields": dict(fields)} if fields else None
    door.write(scope, lambda writes: writes.save_mark(_fields_mark(scope, path), mark))


def _fields_mark(scope: Scope, path: Path) -> str:
    with suppress(OSError, RuntimeError):
        path = path.expanduser().resolve()
    return _FIELDS_MARK.format(digest_of(f"{scope.agent}\0{path}", 16))


def _rules(door: Door, scope: Scope, assign: Sequence[str] | None) -> tuple[Rule, ...]:
    key = _RULES_MARK.format(scope.agent)
    kept = door.asking(scope).mark(key)
    if assign is None:
        return parse_rules([] if kept is None else kept.get("rules", []))
    rules = parse_rules(line for each in assign for line in _lines(each))
    value = {"rules": [rule.text for rule in rules]} if rules else None
    if value != kept:
        door.write(scope, lambda writes: writes.save_mark(key, value))
    return rules


def _lines(rule: str) -> Sequence[str]:
    if not isinstance(rule, str) or not rule.startswith("@"):
        return [rule]
    path = Path(rule[1:])
    try:
        if is_of_store(path.expanduser().resolve().name):
            raise ValueError("it is a file of a store")
        with path.expanduser().open(encoding="utf-8-sig") as file:
            text = file.read(MOST_RULES * RULE_CHARACTERS + 1)
    except (OSError, RuntimeError, ValueError) as error:
        raise InvalidSource(
            f"The rules in {str(path)[:300]!r} cannot be read ({error})",
            "Name a text file with one rule a line",
        ) from error
    return text.splitlines()
