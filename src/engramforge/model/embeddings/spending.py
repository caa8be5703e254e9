"""What calls to somebody else's models have used and cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spending:
    """Calls that were answered, the tokens that they used, and their price in the currency of the settings."""

    calls: int = 0
    tokens: int = 0
    money: float = 0.0

    def plus(self, tokens: int, money: float) -> Spending:
        """With one more call."""
        return Spending(self.calls + 1, self.tokens + tokens, self.money + money)
