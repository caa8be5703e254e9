"""From an asynchronous tool call to the synchronous facade: one store, one limiter, a deadline for every
call.

The store opens at the first call and not at the start, so that a client sees the tools at once even when
the store is slow, locked or broken; the call then says what is wrong.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final, TypeVar

import anyio
import anyio.to_thread
from mcp.server.mcpserver.exceptions import ToolError

import engramforge
from engramforge.errors import EngramforgeError, InternalError

if TYPE_CHECKING:
    from collections.abc import Callable

    from engramforge.forge import Forge

T = TypeVar("T")

PARALLEL_CALLS: Final = 4
"""How many calls run at once; more wait their turn."""
DEADLINE_S: Final = 30.0
"""How long a call may take, waiting included."""


class Calls:
    """The store behind the tools.

    `store`, `agent`: the home folder or the URL, and who asks, as for `engramforge.open`. `deadline_s`: how long a call
    may take, in seconds.
    """

    def __init__(self, store: str | None, agent: str | None, deadline_s: float = DEADLINE_S) -> None:
        self._store = store
        self._agent = agent
        self._deadline_s = deadline_s
        self._forge: Forge | None = None
        self._opening = threading.Lock()
        self._limiter: anyio.CapacityLimiter | None = None

    async def run(self, work: Callable[[Forge], T]) -> T:
        """Run `work` on the store in a worker thread.

        Raises
        ------
        ToolError : what the client's model reads: kind of fault, fault and mend.
        """
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(PARALLEL_CALLS)
        try:
            with anyio.fail_after(self._deadline_s):
                return await anyio.to_thread.run_sync(
                    lambda: work(self._open()), limiter=self._limiter, abandon_on_cancel=True
                )
        except EngramforgeError as error:
            raise ToolError(f"{error.code}: {error}") from error
        except TimeoutError:
            raise ToolError(
                f"Timeout: no answer within {self._deadline_s:g} s. A write may still be carried out: "
                "look with forge_timeline before repeating it."
            ) from None
        except Exception as error:
            ours = InternalError(f"{type(error).__name__}: {error}", "Please report it")
            raise ToolError(f"{ours.code}: {ours}") from error

    def _open(self) -> Forge:
        with self._opening:
            if self._forge is None:
                self._forge = engramforge.open(self._store, agent=self._agent)
            return self._forge

    def close(self) -> None:
        """Close the store if it was opened."""
        with self._opening:
            if self._forge is not None:
                self._forge.close()
                self._forge = None
