"""A folder that is watched in a thread of its own, and what the store has of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import engramforge
from engramforge.capture.watching.pending import Pace
from engramforge.forge import Forge
from engramforge.model.memory import Memory
from engramforge.model.storing.watching import FileNews, Watch, WatchNews

Said = list[tuple[str, int, str]]


class Watcher:
    """What a thread that watches tells."""

    def __init__(self, forge: Forge, pace: Pace) -> None:
        self.news: list[WatchNews] = []
        self.error: BaseException | None = None
        self._stop = threading.Event()
        self._stage = forge._stages.watching(forge._scope)
        object.__setattr__(self._stage, "pace", pace)
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            self._stage.watch(self._stop, self.news.append)
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            self.error = error

    def start(self) -> None:
        """Watch, and wait until what is there was compared."""
        self._thread.start()

    def stop(self) -> None:
        """End it, and raise what it ended with."""
        self._stop.set()
        self._thread.join(30)
        assert not self._thread.is_alive()
        if self.error is not None:
            raise self.error

    @property
    def files(self) -> list[FileNews]:
        """What was told of files."""
        return [file for news in list(self.news) for file in news.files]

    def told(self, about: Watch) -> list[WatchNews]:
        """What was told about something."""
        return [news for news in list(self.news) if news.about is about]

    def until(self, holds: Callable[[], object], seconds: float = 15.0) -> float:
        """Wait until something holds; returns after how many seconds."""
        began = time.monotonic()
        while not holds():
            if self.error is not None:
                raise self.error
            assert time.monotonic() - began < seconds, self.news
            time.sleep(0.01)
        return time.monotonic() - began


QUICK = Pace(away=0.5, look=0.2, whole=0.3)


@contextmanager
def watching(forge: Forge, pace: Pace = QUICK) -> Iterator[Watcher]:
    """Watch the store's folders, from when all that are there were compared."""
    watcher = Watcher(forge, pace)
    there = [each.path for each in forge.watching.folders() if Path(each.path).is_dir()]
    watcher.start()
    try:
        watcher.until(lambda: len(watcher.told(Watch.SCANNED)) >= len(there))
        yield watcher
    finally:
        watcher.stop()


def every(forge: Forge) -> list[Memory]:
    """All memories that hold now."""
    found: list[Memory] = []
    while page := forge.memories(limit=1_000, offset=len(found)):
        found += page
    return found


def said(forge: Forge) -> Said:
    """Which file says what now: path, place in it, text."""
    return sorted(
        (place.file_path, place.chunk_index, memory.content)
        for memory in every(forge)
        if memory.chunk is not None
        for place in (memory.chunk, *memory.also_in)
    )


def fresh(home: Path, folder: Path, project: str) -> Said:
    """What a new store has of a folder once it was imported."""
    with engramforge.open(home) as forge:
        if any(folder.rglob("*.md")):
            forge.import_path(folder, project=project, format="markdown")
        return said(forge)
