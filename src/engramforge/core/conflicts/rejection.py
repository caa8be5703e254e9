"""One chooses what the other explicitly rejected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import Statement, read_statement

STRENGTH: Final = 0.9
_SHOWN: Final = 80


def rejected_alternative(
    one: Statement, other: Statement, rejected: Sequence[str], rejected_by_other: Sequence[str]
) -> Disagreement | None:
    """The alternatives that each rejected against what the other says.

    >>> from engramforge.core.conflicts.statements import read_statement
    >>> told = read_statement("Use Kafka as the event bus"), read_statement("RabbitMQ carries all events")
    >>> rejected_alternative(*told, ["RabbitMQ"], []).why
    'one chooses what the other rejected (RabbitMQ)'
    """
    for chosen, turned_down in ((other, rejected), (one, rejected_by_other)):
        for alternative in turned_down:
            if _chooses(chosen, alternative):
                return Disagreement(
                    Signal.REJECTED, f"one chooses what the other rejected ({alternative[:_SHOWN]})", STRENGTH
                )
    return None


def _chooses(statement: Statement, alternative: str) -> bool:
    """Whether a statement holds every word of an alternative, none of them negated."""
    wanted = {word.stem for word in read_statement(alternative).words}
    holding = {word.stem for word in statement.words if not word.negated}
    return bool(wanted) and wanted <= holding
