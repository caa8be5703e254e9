"""An answer below the question that it answers: "> Redis or Postgres?" and then "postgres"."""

from __future__ import annotations

from typing import Final

from engramforge.model.fence import on_one_line

_MARK: Final = ">"


def below_quotation(text: str) -> tuple[str, str]:
    """What a turn quotes line by line at its beginning, "" for nothing, and what stands below.

    >>> below_quotation("> Redis or\\n> Postgres?\\n\\npostgres")
    ('Redis or Postgres?', 'postgres')
    """
    lines = text.strip().split("\n")
    count = next((at for at, line in enumerate(lines) if not line.lstrip().startswith(_MARK)), len(lines))
    quoted = (line.lstrip(f"{_MARK} \t") for line in lines[:count])
    return on_one_line(" ".join(quoted)), "\n".join(lines[count:]).strip()


def up_to_quotation(turn: str, quotation: str) -> str:
    """A turn down to the end of what is quoted of it, "" where it does not say that: what a person quotes from
    elsewhere asks nothing of them."""
    said, at = on_one_line(turn), on_one_line(turn).find(quotation)
    return said[: at + len(quotation)] if quotation and at >= 0 else ""
