"""All places of secrets in a text."""

from __future__ import annotations

from collections.abc import Iterator

from engramforge.core.secrets.apart import apart
from engramforge.core.secrets.arguments import arguments
from engramforge.core.secrets.codes import codes
from engramforge.core.secrets.columns import columns
from engramforge.core.secrets.commands import commands
from engramforge.core.secrets.credentials import credentials
from engramforge.core.secrets.key_blocks import key_blocks
from engramforge.core.secrets.named_values import named_values
from engramforge.core.secrets.nearby import made_up, nearby
from engramforge.core.secrets.phrases import phrases
from engramforge.core.secrets.service_tokens import Span, tokens


def secret_places(text: str) -> Iterator[Span]:
    """Spans of secrets with their kinds, in no order; some may overlap."""
    yield from key_blocks(text)
    yield from tokens(text)
    yield from credentials(text)
    yield from named_values(text)
    yield from arguments(text)
    yield from codes(text)
    yield from nearby(text)
    yield from made_up(text)
    yield from columns(text)
    yield from commands(text)
    yield from apart(text)
    yield from phrases(text)
