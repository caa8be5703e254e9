"""pollution: what stands in the registries after texts were imported in which nobody decides anything.

Each folder is imported as it is, as a project of its own name. Per folder: its memories, active decisions and open
threads that were read out of its texts, per 1,000 memories, what explicit decision records state, which is nobody's
guess, and what waits for review. There is no baseline: nothing is the goal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from engramforge.core.detection.adr_text import RECORD
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from pathlib import Path

    from engramforge.forge import Forge
    from engramforge.model.registries.decision import Decision
    from engramforge.model.registries.thread import Thread

_PAGE: Final = 1_000


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N folders."""
    folders = sorted(paths)[: options.limit]
    if not folders or not all(each.is_dir() for each in folders):
        raise InvalidSource("pollution needs folders", "Give folders of texts, each imported as a project")
    found: dict[str, Any] = {}
    read: list[str] = []
    with temporary_forge(options.engine) as forge:
        for folder in folders:
            options.say(f"Importing {folder.name}")
            forge.import_path(folder, project=folder.name)
            memories = _texts(forge, folder.name)
            standing = entries(forge, folder.name)
            waiting = pages(lambda at, name=folder.name: _waiting(forge, name, at))
            found[folder.name] = {
                "memories": memories,
                **measure(standing, memories),
                "waiting": sum(map(len, waiting)),
            }
            read += [f"{folder.name}: {_words(each)}" for each in standing if is_read(each)]
    worst = max(each["pollution"]["per_1000"] for each in found.values())
    total = sum(each["memories"] for each in found.values())
    return Measured(total, {"worst_per_1000": worst, "folders": found}, {}, {"read": read})


def entries(forge: Forge, project: str | None = None) -> list[Decision | Thread]:
    """The active decisions and open threads of a project, or of all."""
    scope: dict[str, Any] = {"project": project, "limit": _PAGE}
    decisions = pages(lambda at: forge.decisions.browse(status="active", offset=at, **scope))
    threads = pages(lambda at: forge.threads.browse(status="open", offset=at, **scope))
    return [each for page in (*decisions, *threads) for each in page]


def measure(standing: Sequence[Decision | Thread], memories: int) -> dict[str, Any]:
    """`pollution`, what was read out of texts, and `records`, how much explicit decision records state."""
    kinds = [type(each).__name__ for each in standing if is_read(each)]
    return {
        "pollution": {
            "decisions": kinds.count("Decision"),
            "threads": kinds.count("Thread"),
            "per_1000": 1_000 * len(kinds) / max(memories, 1),
        },
        "records": len(standing) - len(kinds),
    }


def is_read(entry: Decision | Thread) -> bool:
    """Whether an entry was read out of a text that is no decision record."""
    return entry.evidence is not None and entry.evidence.rule != RECORD


def pages(ask: Callable[[int], Sequence[Any]]) -> list[Sequence[Any]]:
    """All pages of a list that is asked for by its offset."""
    found: list[Sequence[Any]] = []
    while page := ask(sum(map(len, found))):
        found.append(page)
    return found


def _texts(forge: Forge, project: str) -> int:
    """How many memories a project has; what stands in a registry or waits for one is no text."""
    found = pages(lambda at: forge.memories(project=project, limit=_PAGE, offset=at))
    return sum(each.registration is None for page in found for each in page)


def _waiting(forge: Forge, project: str, offset: int) -> Sequence[Any]:
    return forge.review.pending(project=project, limit=_PAGE, offset=offset)


def _words(entry: Decision | Thread) -> str:
    return entry.evidence.sentence if entry.evidence is not None else ""
