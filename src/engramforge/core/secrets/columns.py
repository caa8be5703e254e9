"""Secrets in columns and blocks that a name far from them calls so: tables of Markdown, CSV, SQL, Kubernetes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.chance import is_held_value, is_random
from engramforge.core.secrets.names import Nature, nature_of
from engramforge.core.secrets.service_tokens import Span

_KIND: Final = "secret-keyword"
_SEPARATORS: Final = (",", ";", "\t", "|")
_MOST_COLUMNS: Final = 100
_LONGEST_LINE: Final = 4_000
_INSERT: Final = re.compile(
    r"\b(?:INSERT|REPLACE)\s[^()\n]{0,100}\((?P<names>[^()]{3,1000})\)\s{0,20}(?:VALUES|SELECT)\s{0,20}(?=\()",
    re.IGNORECASE,
)
_ROW: Final = re.compile(r"\s{0,20},?\s{0,20}\(((?:[^()'\n]|'[^'\n]{0,500}'){1,2000})\)")
_FIELD: Final = re.compile(
    r"[ \t]*(?P<quote>['\"]?)(?P<value>(?:(?<=')[^'\n]*|(?<=\")[^\"\n]*|[^,'\"\n]*))(?P=quote)[ \t]*"
)
_SLUG: Final = re.compile(r"[a-z]{1,20}(?:-[a-z]{1,20}){1,3}-v\d{1,2}")
"""A name with the number of its version."""
_DATE: Final = re.compile(r"\d{2,4}[-./]\d{1,2}[-./]\d{1,4}(?:T\S*)?")
_NUMBER: Final = re.compile(r"\d{6,16}")
_AROUND: Final = " \t\r\n*\"'`[]"
_KEYS: Final = frozenset({"key", "keys", "schlüssel", "clé", "clave", "chave", "chiave", "sleutel"})
_SERVICES_WORDS = (
    "service provider vendor account api dienst anbieter integration app application platform site website system tool "
    "proveedor servicio fournisseur servizio serviço env environment umgebung"
)
_SERVICES: Final = frozenset(_SERVICES_WORDS.split())
"""Headings beside which a `key` is one of a service."""
_NAMES_WORDS = "name key variable var setting parameter option field einstellung feld variabel clé nombre nom"
_NAMES: Final = frozenset(_NAMES_WORDS.split())
_VALUES: Final = frozenset({"value", "values", "wert", "valeur", "valor", "valore", "waarde", "inhalt"})
_MANIFEST: Final = re.compile(r"^[ \t]*kind:[ \t]*[\"']?Secret\b", re.MULTILINE)
_BLOCK: Final = re.compile(r"^(?P<indent>[ \t]*)(?:data|stringData):[ \t]*$", re.MULTILINE)
_ENTRY: Final = re.compile(
    r"(?P<indent>[ \t]{0,80}+)[\w.-]{1,200}:[ \t]{0,80}+(?P<quote>[\"']?)(?P<value>[^\"'\n#]{4,4000}?)"
    r"(?P=quote)[ \t]{0,80}+(?=\n|\Z|#)"
)
_NO_ENTRY: Final = re.compile(r"[ \t]{0,80}+(?:#[^\n]{0,400})?(?=\n)")


def columns(text: str) -> Iterator[Span]:
    """Spans of values below the name of a column, or in the block of a manifest, that is for secrets."""
    if "\n" in text:
        yield from _in_tables(text)
        yield from _in_manifests(text)
    for insert in _INSERT.finditer(text):
        wanted = _secret_columns(insert["names"].split(","))
        at = insert.end()
        while wanted and (row := _ROW.match(text, at)) is not None:
            yield from _in_row(text, *row.span(1), ",", wanted)
            at = row.end()


def _in_tables(text: str) -> Iterator[Span]:
    """Rows of as many cells as the line above them that names the columns."""
    wanted: dict[int, Nature] = {}
    named: tuple[int, int] | None = None
    count = at = 0
    separator = ""
    while at < len(text):
        line_end = text.find("\n", at)
        end = line_end if line_end >= 0 else len(text)
        line = text[at:end] if end - at < _LONGEST_LINE else ""
        if (wanted or named) and line.count(separator) == count:
            own = wanted if named is None else _secret_beside(line.split(separator), *named)
            yield from _in_row(text, at, end, separator, own)
        else:
            wanted, named = {}, None
            for separator in _SEPARATORS:
                count = line.count(separator)
                if 0 < count < _MOST_COLUMNS and _is_heading(line, separator):
                    wanted = _secret_columns(line.split(separator))
                    named = None if wanted else _name_and_value(line.split(separator))
                    break
        at = end + 1


def _is_heading(line: str, separator: str) -> bool:
    """Whether each cell is a name: a few words without a value, a full stop or a bracket."""
    cells = [cell.strip(" \t\r*\"'`_") for cell in line.split(separator)]
    named = [cell for cell in cells if cell]
    if len(named) == 2 and separator != "|" and named[0].isupper() and "_" in named[0]:
        return False  # a setting and its value
    return len(named) > 1 and all(len(cell) <= 40 and _NAME.fullmatch(cell) for cell in named)


_NAME: Final = re.compile(r"[^\W\d][\w/()-]{0,39}+(?:[ .][\w/()-]{1,40}+){0,3}")


def _secret_columns(names: list[str]) -> dict[int, Nature]:
    natures = ((n, nature_of(name.strip(_AROUND))) for n, name in enumerate(names))
    found = {n: nature for n, nature in natures if nature is not None}
    if not found:
        words = [_bare(name) for name in names]
        keys = [n for n, word in enumerate(words) if word in _KEYS]
        if keys and not _SERVICES.isdisjoint(words):
            return {keys[0]: Nature.TOKEN}
    return found


def _name_and_value(headings: list[str]) -> tuple[int, int] | None:
    """The columns of names and of their values, of a list of settings."""
    words = [_bare(heading) for heading in headings]
    names = [n for n, word in enumerate(words) if word in _NAMES]
    values = [n for n, word in enumerate(words) if word in _VALUES]
    return (names[0], values[0]) if names and values else None


def _secret_beside(cells: list[str], name: int, value: int) -> dict[int, Nature]:
    nature = nature_of(cells[name].strip(_AROUND))
    return {} if nature is None else {value: nature}


def _bare(heading: str) -> str:
    return heading.strip(_AROUND).lower()


def _in_row(text: str, begin: int, end: int, separator: str, wanted: dict[int, Nature]) -> Iterator[Span]:
    at, number = begin, 0
    while at <= end:
        if separator == ",":
            field = _FIELD.match(text, at, end)
            assert field is not None
            span, stop = field.span("value"), text.find(",", field.end(), end)
        else:
            stop = text.find(separator, at, end)
            span = at, stop if stop >= 0 else end
        nature = wanted.get(number)
        if nature is not None:
            span = _trimmed(text, *span)
            if _is_cell_secret(text[slice(*span)], nature):
                yield *span, _KIND
        if stop < 0:
            return
        at, number = stop + 1, number + 1


def _trimmed(text: str, begin: int, end: int) -> tuple[int, int]:
    while begin < end and text[begin] in " \t\r\"'`*":
        begin += 1
    while end > begin and text[end - 1] in " \t\r\"'`*":
        end -= 1
    return begin, end


def _is_cell_secret(value: str, nature: Nature) -> bool:
    if (
        " " in value
        or _SLUG.fullmatch(value)
        or _DATE.fullmatch(value)
        or value.startswith("(")
        or not is_held_value(value)
    ):
        return False
    has_digit = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    if nature is Nature.TOKEN:
        return is_random(value) or (has_digit and len(value) >= 16)
    return (
        has_digit
        or _NUMBER.fullmatch(value) is not None
        or (not value.isalpha() and not value.isdigit() and len(value) >= 6)
        or len(value) > 16
    )


def _in_manifests(text: str) -> Iterator[Span]:
    """Values of the blocks `data` and `stringData` of a Kubernetes secret."""
    if _MANIFEST.search(text) is None:
        return
    for block in _BLOCK.finditer(text):
        at = block.end() + 1
        while entry := _ENTRY.match(text, at) or _NO_ENTRY.match(text, at):
            if entry.re is _ENTRY:
                if len(entry["indent"]) <= len(block["indent"]):
                    break
                if is_held_value(entry["value"]):
                    yield *entry.span("value"), _KIND
            at = entry.end() + 1
