"""Which encoders a question may ask by: the store's choice, read by a statement that is not built anew each time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy.engine import Connection

from engramforge.errors import EncoderChanged
from engramforge.model.embeddings.active_encoders import ActiveEncoder
from engramforge.model.search.candidates import Probe
from engramforge.model.spaces import Space
from engramforge.store.reading.encoders import ENCODERS_MARK, encoders_of

_CHOSEN: Final = "SELECT value FROM mark WHERE tenant = %(tenant)s AND key = %(key)s"


def active_encoders(connection: Connection, tenant: str) -> dict[Space, ActiveEncoder]:
    """The encoders that somebody chose for the tenant's store."""
    values = {"tenant": tenant, "key": ENCODERS_MARK}
    return encoders_of(connection.exec_driver_sql(_CHOSEN, values).scalar())


def check_encoders(probe: Probe, active: Mapping[Space, ActiveEncoder], words: str) -> None:
    """Refuse a probe by others than the active encoders: no answer mixes any.

    Parameters
    ----------
    words : id of the encoder of words, which is E1's where nobody chose another.

    Raises
    ------
    EncoderChanged : a space is compared by another encoder than the probe's.
    """
    asked = probe.encoder or (None if probe.vector is None else words)
    wanted = [(Space.SEMANTIC, asked), *((part.space, part.encoder) for part in probe.parts)]
    for space, encoder in wanted:
        chosen = active.get(space)
        known = words if space is Space.SEMANTIC else encoder
        right = known if chosen is None else chosen.id
        if encoder is not None and encoder != right:
            raise EncoderChanged(
                f"The store compares {space} by {right}, not by {encoder}", "Embed the question again"
            )
