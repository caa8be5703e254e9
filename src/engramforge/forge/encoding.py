"""Verbs of the encoders: which the store compares by, and moving it to others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engramforge.errors import InvalidValue
from engramforge.forge.parts import ForgePart
from engramforge.model.embeddings.encoder_spec import ENCODER_SETTINGS, check_spec, parse_spec
from engramforge.model.embeddings.reembedding import EncoderStatus, ReembedEstimate, ReembedReport, Unfilled
from engramforge.model.spaces import Space

if TYPE_CHECKING:
    from engramforge.model.embeddings.encoder_spec import EncoderSpec

Progress = Callable[[str, int, int], None]


class Encoding(ForgePart):
    """The encoders of a store."""

    def encoders(self) -> list[EncoderStatus]:
        """What the settings name and what the store compares by, for every space whose encoder may be chosen.

        Loads no model and asks nobody.
        """
        return self._parts.reembedding.status(self._parts.choices)

    def unfilled(self) -> Unfilled | None:
        """What memories lack that were written before some spaces had an encoder; None where they lack nothing.

        `reembed` of all spaces fills it. Loads no model.
        """
        return self._parts.reembedding.unfilled()

    def estimate_reembed(self, space: str | None = None, to: str | None = None) -> list[ReembedEstimate]:
        """How many memories a `reembed` would embed, and about how many tokens and how much money that takes.

        Parameters
        ----------
        space, to : as `reembed`'s.

        Returns
        -------
        estimates : of the spaces that would be moved or filled; empty where the store has what is wanted.
        """
        each = [self._parts.reembedding.estimate(each, spec) for each, spec in self._wanted(space, to)]
        found = [estimate for estimate in each if estimate is not None]
        filling = self._parts.reembedding.estimate_filling() if space in (None, "all") else []
        # What is moved to another encoder is whole by then, and is not filled.
        moved = {estimate.space for estimate in found if estimate.source != estimate.target}
        return [*found, *(estimate for estimate in filling if estimate.space not in moved)]

    def reembed(
        self, space: str | None = None, to: str | None = None, *, progress: Progress | None = None
    ) -> list[ReembedReport]:
        """Move the store to other encoders while it is in use; one that was interrupted goes on.

        Questions compare by the old encoder until every memory has an embedding by the new one, then by the new one:
        never by both. Of all spaces it also fills what memories lack that are older than a space (`unfilled`).

        Parameters
        ----------
        space : name of a space; None or "all" for every one whose encoder may be chosen.
        to : the encoder, as in the settings; None: what the settings name.
        progress : told after each batch: the space, how many are embedded, how many there were to embed.

        Returns
        -------
        reports : of the spaces that were moved; empty where the store has what is wanted.

        Raises
        ------
        InvalidValue : there is no such space, or it cannot have that encoder.
        ModelUnavailable, SpendingCapReached : the encoder cannot be made or does not answer; what was embedded stays.
        """
        done = [self._parts.reembedding.run(each, spec, progress) for each, spec in self._wanted(space, to)]
        filled = self._parts.reembedding.fill(progress) if space in (None, "all") else []
        return [*(report for report in done if report is not None), *filled]

    def _wanted(self, space: str | None, to: str | None) -> list[tuple[Space, EncoderSpec]]:
        """The spaces asked for, with the encoder that each shall have."""
        if space in (None, "all"):
            if to is not None:
                raise InvalidValue("An encoder is named, but no space", "Name the space that it is for")
            spaces = list(self._parts.choices)
        else:
            if space not in set(ENCODER_SETTINGS):
                raise InvalidValue(
                    f"The space is {space!r}, which has no encoder to choose"[:200],
                    f"Name one of {', '.join(ENCODER_SETTINGS)}, or all",
                )
            spaces = [Space(space)]
        if to is not None:
            spec = check_spec(spaces[0], parse_spec(to, "to"), "to")
            return [(spaces[0], spec)]
        return [(space, self._parts.choices[space].spec) for space in spaces]
