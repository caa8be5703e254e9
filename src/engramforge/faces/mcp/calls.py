"""From an asynchronous tool call to the synchronous facade: one store, one limiter, a deadline for every
call.

The store opens at the first call and not at the start, so that a client sees the tools at once even when
the store is slow, locked or broken; the call then says what is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import anyio
import anyio.to_thread
from mcp.server.mcpserver.exceptions import ToolError

import engramforge
from engramforge.errors import EngramforgeError, InternalError, StoreUnavailable
from engramforge.model.fence import guarded, printable
from engramforge.model.stopping import stopped_by
from engramforge.runtime.given_up import GivenUp
from engramforge.runtime.shared_store import SharedStore

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
    may take, in seconds. `shared`: an open store that others use too, in place of `store`; `limiter`: what they share.
    """

    def __init__(
        self,
        store: str | None,
        agent: str | None,
        deadline_s: float = DEADLINE_S,
        shared: SharedStore | None = None,
        limiter: anyio.CapacityLimiter | None = None,
    ) -> None:
        self._agent = agent
        self._deadline_s = deadline_s
        self._shared = shared or SharedStore(lambda: engramforge.open(store, agent=agent))
        self._owns = shared is None
        self._limiter = limiter

    async def run(self, work: Callable[[Forge], T]) -> T:
        """Run `work` on the store in a worker thread; it stops when the client cancels it or its time is over.

        Raises
        ------
        ToolError : what the client's model reads: kind of fault, fault and mend.
        """
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(PARALLEL_CALLS)
        given_up = GivenUp()

        def carry_out() -> T:
            # The store is opened to the end in any case: the next call needs it as well.
            with self._shared.lent(self._agent) as forge, stopped_by(given_up):
                try:
                    return work(forge)
                except StoreUnavailable as error:
                    gone = error
            with self._shared.lent(self._agent, again_after=gone) as forge, stopped_by(given_up):
                return work(forge)

        try:
            with anyio.fail_after(self._deadline_s):
                return await anyio.to_thread.run_sync(
                    carry_out, limiter=self._limiter, abandon_on_cancel=True
                )
        except EngramforgeError as error:
            raise ToolError(told(error)) from error
        except TimeoutError:
            raise ToolError(
                f"Timeout: no answer within {self._deadline_s:g} s, so the call was stopped. What it had committed "
                "by then stands: look with forge_timeline before repeating a write."
            ) from None
        except Exception as error:
            ours = InternalError(f"{type(error).__name__}: {error}", "Please report it")
            raise ToolError(told(ours)) from error
        finally:
            given_up.set()

    def close(self) -> None:
        """Close the store if it was opened here."""
        if self._owns:
            self._shared.close()


def told(error: EngramforgeError) -> str:
    """An error as a model reads it: on one line, and what it quotes of a text is no mark of ours."""
    return f"{error.code}: {guarded(printable(' '.join(str(error).split())))}"
