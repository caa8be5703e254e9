"""Reads a statement's text and says which references to our tables are not bound to the tenant.

A reference is bound when a condition that must hold says `its.tenant = <value>`, or `its.tenant = other.tenant` with
another bound one. Conditions are the conjuncts of WHERE and ON; what stands in an OR, a NOT or a CASE binds nothing,
and an ON binds only what its join brings in, since an outer join keeps the rows of the other side whatever its ON
says. Subqueries are read by themselves and may name the tables around them. This reads what SQLAlchemy and we write,
not all of SQL: what it does not understand, it reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

_TOKEN = re.compile(
    r"\s+|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|%\(\w+\)s|%s|%%|::|<=>|<~>|<=|>=|<>|!=|\w+(?:\.\w+)?|."
)
_JOINS = frozenset({"JOIN", "LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "LATERAL", ","})
_ENDS = frozenset(
    "WHERE ON GROUP ORDER LIMIT OFFSET HAVING UNION RETURNING FOR SET FROM USING VALUES SELECT WINDOW".split()  # noqa: SIM905
)
_VALUE = re.compile(r"%\((\w+)\)s|'((?:[^']|'')*)'")

Token = Any
"""A text, or a list of tokens that stood in parentheses."""


@dataclass
class _Block:
    """One SELECT, UPDATE or DELETE: its references, and what its conditions join and fix."""

    parent: _Block | None = None
    tables: dict[str, str] = field(default_factory=dict)
    pairs: list[tuple[tuple[int, str], tuple[int, str]]] = field(default_factory=list)
    """The second is bound when the first is."""
    fixed: set[tuple[int, str]] = field(default_factory=set)
    newest: set[str] = field(default_factory=set)
    """What the last join brought in."""

    def find(self, alias: str) -> tuple[int, str] | None:
        block: _Block | None = self
        while block is not None:
            if alias in block.tables:
                return id(block), alias
            block = block.parent
        return None


class Unbound(Exception):
    """A statement that could not be read."""


def unbound(statement: str, ours: Mapping[str, Any] | set[str], tenant: str, values: Any = None) -> list[str]:
    """References to our tables that no condition binds to the tenant; empty when the statement keeps to it.

    Parameters
    ----------
    statement : as the driver gets it, with %(name)s for values.
    ours : names of the tables that carry a tenant.
    tenant : the value that has to be compared with.
    values : the statement's parameters by name, where there are any.
    """
    tokens = _nested(iter([item for item in _TOKEN.findall(statement) if not item.isspace()]))
    return _Reader(set(ours), tenant, values if isinstance(values, Mapping) else {}).read(tokens)


class _Reader:
    def __init__(self, ours: set[str], tenant: str, values: Mapping[str, Any]) -> None:
        self._ours = ours
        self._tenant = tenant
        self._values = values
        self._blocks: list[_Block] = []
        self._faults: list[str] = []

    def read(self, tokens: list[Token]) -> list[str]:
        self._statement(tokens, None)
        bound = set().union(*(block.fixed for block in self._blocks)) if self._blocks else set()
        pairs = [pair for block in self._blocks for pair in block.pairs]
        while grown := {then for first, then in pairs if first in bound} - bound:
            bound |= grown
        for block in self._blocks:
            for alias, table in block.tables.items():
                if table and (id(block), alias) not in bound:
                    self._faults.append(f"{table} as {alias}" if alias != table else table)
        return self._faults

    def _statement(self, tokens: list[Token], parent: _Block | None) -> None:
        """Read a statement, of which UNION may make several."""
        for part in _split(tokens, {"UNION", "INTERSECT", "EXCEPT"}):
            words = [item for item in part if _upper(item) != "ALL"] if _upper(part[0]) == "ALL" else part
            first = _upper(words[0])
            if first == "WITH":
                # WITH [RECURSIVE] name [(columns)] AS [MATERIALIZED] (...) [, ...] SELECT ...
                place = next(
                    i for i, word in enumerate(words) if _upper(word) in ("SELECT", "UPDATE", "DELETE")
                )
                for before, item in pairwise(words[:place]):
                    if isinstance(item, list) and _upper(before) in ("AS", "MATERIALIZED"):
                        self._statement(item, parent)
                self._statement(words[place:], parent)
            elif first in ("SELECT", "UPDATE", "DELETE"):
                self._query(words, parent)
            elif first == "INSERT":
                self._insert(words, parent)
            elif isinstance(words[0], list):
                self._statement(words[0], parent)
            elif first not in ("VALUES",):
                raise Unbound(f"a statement that begins with {first}")

    def _insert(self, words: list[Token], parent: _Block | None) -> None:
        table = _name(words[2])
        columns = [_name(word) for word in words[3] if word != ","] if isinstance(words[3], list) else []
        if table in self._ours and "tenant" not in columns:
            self._faults.append(f"INSERT INTO {table}")
            return
        rest = words[4:]
        if _upper(rest[0]) in ("SELECT", "WITH"):
            self._statement(rest, parent)
        elif table in self._ours and _upper(rest[0]) == "VALUES":
            for row in [item for item in rest[1:] if isinstance(item, list)]:
                cells = _split(row, {","})
                if len(cells) == len(columns) and not self._is_tenant(cells[columns.index("tenant")]):
                    self._faults.append(f"INSERT INTO {table}: another tenant")

    def _query(self, words: list[Token], parent: _Block | None) -> None:
        block = _Block(parent)
        self._blocks.append(block)
        clauses = list(_clauses(words))
        for name, part in clauses:
            if name in ("FROM", "UPDATE", "DELETE FROM", "USING"):
                self._tables(part, block)
            elif name in ("WHERE", "ON"):
                self._conditions(part, block, block.newest if name == "ON" else None)
            if name == "SET" and any(_name(item[0]) == "tenant" for item in _split(part, {","})):
                self._faults.append("the tenant itself is changed")
        for _, part in clauses:
            self._below(part, block)

    def _tables(self, part: list[Token], block: _Block) -> None:
        if {"RIGHT", "FULL", "NATURAL"} & {_upper(item) for item in part}:
            raise Unbound("a join that keeps rows of its right side")
        for source in _split(part, _JOINS):
            rest = [item for item in source if _upper(item) not in ("ONLY", "AS")]
            if not rest:
                continue
            first = rest[0]
            if isinstance(first, list):
                if not _is_query(first):
                    self._join_within(first, block)
                elif len(rest) > 1:
                    block.tables[_name(rest[1])] = ""
                continue
            table, alias = _name(first), _name(rest[-1]) if not isinstance(rest[-1], list) else _name(first)
            block.tables[alias] = table if table in self._ours else ""
            block.newest = {alias}

    def _join_within(self, part: list[Token], block: _Block) -> None:
        """A join in parentheses, which another join brings in as a whole."""
        before = set(block.tables)
        for name, each in _clauses(["FROM", *part]):
            if name == "ON":
                self._conditions(each, block, block.newest)
            else:
                self._tables(each, block)
        block.newest = set(block.tables) - before

    def _conditions(self, part: list[Token], block: _Block, only: set[str] | None) -> None:
        """Take in what holds whenever the whole condition does, for these references."""
        if len(_split(part, {"OR"})) > 1:
            return
        for conjunct in _split(part, {"AND"}):
            if len(conjunct) == 1 and isinstance(conjunct[0], list) and not _is_query(conjunct[0]):
                self._conditions(conjunct[0], block, only)
            elif len(conjunct) >= 3 and conjunct[1] == "=" and not isinstance(conjunct[0], list):
                self._equality(conjunct[0], conjunct[2:], block, only)

    def _equality(self, left: str, right: list[Token], block: _Block, only: set[str] | None) -> None:
        item = self._tenant_of(left, block)
        if item is None:
            return
        binds = {(id(block), alias) for alias in (block.tables if only is None else only)}
        if self._is_tenant(right):
            block.fixed |= {item} & binds
        elif len(right) == 1 and (other := self._tenant_of(right[0], block)) is not None:
            block.pairs += [(first, then) for first, then in ((item, other), (other, item)) if then in binds]

    def _tenant_of(self, token: Token, block: _Block) -> tuple[int, str] | None:
        if isinstance(token, list) or not re.fullmatch(r"(\w+\.)?tenant", token):
            return None
        alias = token.rpartition(".")[0]
        if not alias:
            own = [name for name, table in block.tables.items() if table]
            return (id(block), own[0]) if len(own) == 1 else None
        return block.find(alias)

    def _is_tenant(self, tokens: list[Token]) -> bool:
        """Whether these are the tenant's own value, with or without a cast."""
        if not tokens or isinstance(tokens[0], list) or (len(tokens) > 1 and tokens[1] != "::"):
            return False
        found = _VALUE.fullmatch(tokens[0])
        if found is None:
            return False
        name, literal = found.groups()
        return (self._values.get(name) if name else literal) == self._tenant

    def _below(self, part: list[Token], block: _Block) -> None:
        """Read every subquery, at any depth."""
        for item in part:
            if isinstance(item, list) and item:
                if _is_query(item):
                    self._statement(item, block)
                else:
                    self._below(item, block)


def _nested(tokens: Iterator[str]) -> list[Token]:
    found: list[Token] = []
    for token in tokens:
        if token == ")":
            break
        found.append(_nested(tokens) if token == "(" else token)
    return found


def _upper(token: Token) -> str:
    return "" if isinstance(token, list) else token.upper()


def _name(token: Token) -> str:
    return "" if isinstance(token, list) else token.strip('"').lower()


def _is_query(tokens: list[Token]) -> bool:
    while tokens and isinstance(tokens[0], list):
        tokens = tokens[0]
    return bool(tokens) and _upper(tokens[0]) in ("SELECT", "WITH")


def _split(tokens: Sequence[Token], at: set[str] | frozenset[str]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    between = False
    for token in tokens:
        word = _upper(token)
        # BETWEEN a AND b: this AND joins no conditions.
        if word in at and not (word == "AND" and between):
            parts.append([])
            continue
        between = word == "BETWEEN" or (between and word != "AND")
        parts[-1].append(token)
    return [part for part in parts if part]


def _clauses(words: Sequence[Token]) -> Iterator[tuple[str, list[Token]]]:
    """The clauses of one query by their first word; an ON ends where the next join begins, which goes on with FROM."""
    name, part = _upper(words[0]), []
    for place, item in enumerate(words[1:], 1):
        word = _upper(item)
        if word == "FROM" and _upper(words[place - 1]) == "DELETE":
            name = "DELETE FROM"
        elif word == "FROM" and _upper(words[place - 1]) == "DISTINCT":
            part.append(item)
        elif name == "ON" and word in _JOINS:
            yield name, part
            name, part = "FROM", []
        elif word in _ENDS:
            yield name, part
            name, part = word, []
        else:
            part.append(item)
    yield name, part
