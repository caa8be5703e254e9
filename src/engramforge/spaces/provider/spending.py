"""What calls to endpoints have used and cost, and the stop before a call that could pass the cap."""

from __future__ import annotations

import threading

from engramforge.errors import SpendingCapReached
from engramforge.model.embeddings.reembedding import Spending

_MILLION = 1_000_000


class Ledger:
    """Counts one endpoint's calls; shared by all encoders of it, safe between threads.

    `price`: money per million tokens. `cap`: the most money that may be spent; None: no limit. A cap without a price
    would never stop anything, so the settings refuse it.
    """

    def __init__(self, price: float = 0.0, cap: float | None = None) -> None:
        self._price, self._cap = price, cap
        self._spent = Spending()
        self._reserved = 0.0
        self._lock = threading.Lock()

    @property
    def spent(self) -> Spending:
        """Calls, tokens and money so far."""
        return self._spent

    def reserve(self, most_tokens: int) -> float:
        """Reserve the most that a call may cost. Raises SpendingCapReached if that would exceed the cap.

        Returns
        -------
        money : what was reserved; `settle` or `release` gives it back.
        """
        money = most_tokens * self._price / _MILLION
        with self._lock:
            if self._cap is not None and self._spent.money + self._reserved + money > self._cap:
                raise SpendingCapReached(
                    f"{self._spent.money:.6g} of embedding_cap = {self._cap:g} is spent,"
                    f" and the next call may cost up to {money:.2g}",
                    "Raise embedding_cap, or let encoders be static",
                )
            self._reserved += money
        return money

    def release(self, money: float) -> None:
        """The call failed and is not billed."""
        with self._lock:
            self._reserved = max(0.0, self._reserved - money)

    def settle(self, money: float, tokens: int) -> None:
        """The call was answered and used these tokens."""
        with self._lock:
            self._reserved = max(0.0, self._reserved - money)
            self._spent = self._spent.plus(tokens, tokens * self._price / _MILLION)
