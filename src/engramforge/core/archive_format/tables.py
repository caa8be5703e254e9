"""Reading the tables of an archive; columns are known by their headings, in any order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from engramforge.core.archive_format.forms import cells_of
from engramforge.core.archive_format.shapes import Column, Table

_RULE: Final = re.compile(r"^(?=[^-]*+-)[ \t:|-]++$")
_SHOWN: Final = 60


def read_table(table: Table, lines: Sequence[tuple[int, str]], problems: list[str]) -> list[Any]:
    """The rows of a section's table; a broken row is told of, and left out where it says too little."""
    columns: list[Column | None] | None = None
    rows: list[Any] = []
    for number, line in lines:
        if not line.strip() or _RULE.match(line.strip()):
            continue
        if "|" not in line:
            if columns is not None:
                problems.append(f"line {number}: a note in {table.title!r} was left out")
            continue
        cells = cells_of(line)
        if columns is None:
            known = {
                name.casefold(): column for column in table.columns for name in (column.label, *column.also)
            }
            columns = [known.get(cell.strip(" *`").casefold()) for cell in cells]
            if any(columns):
                continue
            columns = list(table.columns)
            problems.append(
                f"line {number}: the table of {table.title!r} has no headings; the usual were taken"
            )
        if (row := _row(table, columns, cells, number, problems)) is not None:
            rows.append(row)
    return rows


def _row(
    table: Table, columns: Sequence[Column | None], cells: Sequence[str], number: int, problems: list[str]
) -> Any | None:
    values: dict[str, Any] = {column.field: column.default for column in table.columns}
    for column, cell in zip(columns, cells, strict=False):
        if column is None:
            continue
        try:
            values[column.field] = column.form.read(cell)
        except ValueError as error:
            problems.append(f"line {number}: {column.label}: {cell[:_SHOWN]!r} is {error}; it was left out")
    if len(cells) != len(columns):
        problems.append(f"line {number}: a {table.what} has {len(cells)} cells, not {len(columns)}")
    given = {column.field for column, _ in zip(columns, cells, strict=False) if column is not None}
    if any(column.is_required and column.field not in given for column in table.columns):
        problems.append(f"line {number}: a {table.what} says too little; it was left out")
        return None
    return table.make(**values)
