"""What a daemon is given: this layer knows no face, so entry hands in what they do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio
    from datetime import datetime
    from threading import Event

    from anyio import CapacityLimiter

    from engramforge.forge import Forge
    from engramforge.runtime.shared_store import SharedStore

Json = Mapping[str, Any]
Take = Callable[["Forge", Sequence[Json]], object]
Watch = Callable[["Forge", "Event"], object]
Inject = Callable[["Forge", Json, Callable[[], bool], "datetime | None"], "Json | None"]
RunCommand = Callable[["SharedStore", Json], Json]
Session = Callable[
    ["asyncio.StreamReader", "asyncio.StreamWriter", "Json", "SharedStore", "CapacityLimiter"],
    Awaitable[None],
]


@dataclass(frozen=True, slots=True)
class Wiring:
    """The parts that a daemon serves.

    Parameters
    ----------
    home, version : the home folder, absolute, and the version of this package.
    opens : opens the home's store.
    warms : asks a store as questions do, so that the first question finds everything loaded.
    run_command : runs a command line; answers with its exit code and what it printed.
    session : serves one MCP session on a stream.
    take : captures hook events.
    inject : what a hook is to say to the model, if anything; asks at the end whether its event was kept, and is told
        when it came.
    due : which work that takes long is due.
    watch : follows watched folders until the event is set; returns at once where there are none.
    idle_s : after how many idle seconds a daemon that was started by itself ends.
    """

    home: str
    version: str
    opens: Callable[[], Forge]
    warms: Callable[[Forge], object]
    run_command: RunCommand
    session: Session
    take: Take
    inject: Inject
    due: Callable[[Forge], Sequence[str]]
    watch: Watch
    idle_s: float
