"""What is kept of the dreams of a project, in a mark: how restless it is, how far a dream has come, the last dreams."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

from engramforge.model.topics.dream import DreamReport, DreamStep, DreamStepName

KEPT: Final = 5
"""How many past dreams are kept, and can be undone by name."""
IDS: Final = 100
"""How many ids of a step are kept."""
SILENT: Final = timedelta(hours=1)
"""Who dreams and wrote nothing for so long does so no more, even where its process cannot be looked for."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Who goes on with a dream. `at`: when it last wrote."""

    id: str
    host: str
    pid: int
    at: datetime

    @classmethod
    def here(cls, now: datetime) -> Owner:
        """A new one, in this process."""
        return cls(str(uuid4()), platform.node(), os.getpid(), now)

    def is_alive(self, now: datetime) -> bool:
        """Whether it may still write."""
        if abs(now - self.at) > SILENT:
            return False
        if self.host != platform.node() or os.name != "posix":
            return True
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except OSError:
            return True  # somebody else's
        return True


@dataclass(frozen=True, slots=True)
class Dream:
    """A dream, as it is kept.

    `lines`: how many lines of the audit log are its. `memories`: how many there were at its end. `fading`: until when
    energies fade, and the position of the last one that has; None where none has yet. `owner`: who goes on with it,
    None where it stopped.
    """

    id: str
    began_at: datetime
    ended_at: datetime | None = None
    steps: tuple[DreamStep, ...] = ()
    lines: int = 0
    memories: int = 0
    fading: tuple[datetime, int] | None = None
    owner: Owner | None = None

    def report(self, project: str) -> DreamReport:
        """As it is told."""
        return DreamReport(self.id, project, self.began_at, self.ended_at, self.steps)

    def is_owned(self, now: datetime) -> bool:
        """Whether somebody is at it."""
        return self.owner is not None and self.owner.is_alive(now)

    def has_done(self, step: DreamStepName, count: int, ids: Sequence[str], seconds: float) -> Dream:
        """With what a step, or a part of it, did."""
        before = next((each for each in self.steps if each.name is step), DreamStep(step))
        now = DreamStep(
            step,
            before.count + count,
            tuple(dict.fromkeys((*before.ids, *ids)))[:IDS],
            round(before.seconds + seconds, 3),
        )
        others = tuple(each for each in self.steps if each.name is not step)
        return replace(self, steps=(*others, now))


@dataclass(frozen=True, slots=True)
class Dreams:
    """The dreams of a project.

    `running`: one that is not at its end. `past`: the last ones, oldest first. `faded_at`: until when energies have
    faded. The others: as of `core.dreams.starting.Unrest`.
    """

    memories: int = 0
    entropy: float = 0.0
    churn: float = 0.0
    restless_since: datetime | None = None
    faded_at: datetime | None = None
    running: Dream | None = None
    past: tuple[Dream, ...] = ()

    @classmethod
    def of(cls, mark: Mapping[str, Any] | None) -> Dreams:
        """From its mark; nothing where there is none."""
        if mark is None:
            return cls()
        return cls(
            mark["memories"],
            mark["entropy"],
            mark["churn"],
            _time(mark["restless_since"]),
            _time(mark["faded_at"]),
            None if mark["running"] is None else _dream(mark["running"]),
            tuple(map(_dream, mark["past"])),
        )

    @property
    def last(self) -> Dream | None:
        """The last dream that came to its end."""
        return self.past[-1] if self.past else None

    def ended(self, dream: Dream) -> Dreams:
        """With a dream at its end."""
        return replace(self, running=None, past=(*self.past, dream)[-KEPT:])

    def as_mark(self) -> dict[str, Any]:
        """As its mark keeps it."""
        return {
            "memories": self.memories,
            "entropy": round(self.entropy, 4),
            "churn": round(self.churn, 4),
            "restless_since": _text(self.restless_since),
            "faded_at": _text(self.faded_at),
            "running": None if self.running is None else _values(self.running),
            "past": [_values(each) for each in self.past],
        }


def _values(dream: Dream) -> dict[str, Any]:
    return {
        "id": dream.id,
        "began_at": _text(dream.began_at),
        "ended_at": _text(dream.ended_at),
        "steps": [[str(each.name), each.count, list(each.ids), each.seconds] for each in dream.steps],
        "lines": dream.lines,
        "memories": dream.memories,
        "fading": None if dream.fading is None else [_text(dream.fading[0]), dream.fading[1]],
        "owner": None if (its := dream.owner) is None else [its.id, its.host, its.pid, _text(its.at)],
    }


def _dream(said: Mapping[str, Any]) -> Dream:
    return Dream(
        said["id"],
        datetime.fromisoformat(said["began_at"]),
        _time(said["ended_at"]),
        tuple(
            DreamStep(DreamStepName(name), count, tuple(ids), seconds)
            for name, count, ids, seconds in said["steps"]
        ),
        said["lines"],
        said["memories"],
        None if said["fading"] is None else (datetime.fromisoformat(said["fading"][0]), said["fading"][1]),
        _owner(said.get("owner")),
    )


def _owner(said: tuple[str, str, int, str] | None) -> Owner | None:
    if said is None:
        return None
    name, host, pid, at = said
    return Owner(name, host, pid, datetime.fromisoformat(at))


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
