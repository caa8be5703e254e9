"""Secrets in tables, below or beside their name: of Markdown, CSV, HTML, SQL, clients of databases, aligned columns.

Whatever draws a table, it becomes rows of cells, and a cell the span of its text. And blocks of manifests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engramforge.core.secrets.chance import KIND, is_held_value, is_random
from engramforge.core.secrets.names import ACCOUNT, KEYS, STEM, Nature, is_plain_word, nature_of
from engramforge.core.secrets.service_tokens import Span

Cell = tuple[int, int]

_SEPARATORS: Final = (",", ";", "\t", "|", "\u2502", "\u2503")
_MOST_COLUMNS: Final = 100
_LONGEST_LINE: Final = 4_000
_DRAWN: Final = " \t\r-+|:=" + "".join(map(chr, range(0x2500, 0x2580)))
"""What lines are made of that only draw a table."""
_FIELD: Final = re.compile(
    r"[ \t]*(?P<quote>['\"]?)(?P<value>(?:(?<=')[^'\n]*|(?<=\")[^\"\n]*|[^,'\"\n]*))(?P=quote)[ \t]*"
)
_NAME: Final = re.compile(r"[^\W\d][\w/()-]{0,39}+(?:[ .][\w/()-]{1,40}+){0,3}:?")
_TAG: Final = re.compile(
    r"<(?:(?P<table>/?(?:table|dl)\b)|(?P<row>(?:tr|dt)\b)|t[hd]\b|dd\b)[^<>]{0,300}>"
    r"(?:\s{0,80}<(?!/?(?:t[rhd]|d[dtl]|table)\b)[^<>]{0,200}>){0,4}(?P<text>[^<>]{0,300})",
    re.IGNORECASE,
)
_INSERT: Final = re.compile(
    r"\b(?:INSERT|REPLACE)\s[^()\n]{0,100}\((?P<names>[^()]{3,1000})\)\s{0,20}(?:VALUES|SELECT)\s{0,20}(?=\()",
    re.IGNORECASE,
)
_ROW: Final = re.compile(r"\s{0,20},?\s{0,20}\(((?:[^()'\n]|'[^'\n]{0,500}'){1,2000})\)")
_MANIFEST: Final = re.compile(r"^[ \t]*kind:[ \t]*[\"']?Secret\b", re.MULTILINE)
_BLOCK: Final = re.compile(r"^(?P<indent>[ \t]*)(?:data|stringData):[ \t]*$", re.MULTILINE)
_ENTRY: Final = re.compile(
    r"(?P<indent>[ \t]{0,80}+)[\w.-]{1,200}:[ \t]{0,80}+(?P<quote>[\"']?)(?P<value>[^\"'\n#]{4,4000}?)"
    r"(?P=quote)[ \t]{0,80}+(?=\n|\Z|#)"
)
_NO_ENTRY: Final = re.compile(r"[ \t]{0,80}+(?:#[^\n]{0,400})?(?=\n)")
_WORDS: Final = re.compile(r"\S+(?:[ ]\S+)*")
_SLUG: Final = re.compile(r"[a-z]{1,20}(?:-[a-z]{1,20}){1,3}-v\d{1,2}")
"""A name with the number of its version."""
_DATE: Final = re.compile(r"\d{2,4}[-./]\d{1,2}[-./]\d{1,4}(?:T\S*)?")
_NUMBER: Final = re.compile(r"\d{6,16}")
_AROUND: Final = " \t\r\n*\"'`[]_:"
_SERVICES_WORDS = (
    "service provider vendor account api dienst anbieter integration app application platform site website system tool "
    "proveedor servicio fournisseur servizio serviço env environment umgebung"
)
_SERVICES: Final = frozenset(_SERVICES_WORDS.split())
"""Headings beside which a `key` is one of a service."""
_ACCOUNTS: Final = re.compile(ACCOUNT)
"""Headings beside which a word may be a password."""
_NAMES_WORDS = "name key variable var setting parameter option field einstellung feld variabel clé nombre nom"
_NAMES: Final = frozenset(_NAMES_WORDS.split())
_PINS: Final = re.compile(r"\b(?:(?:card|door|sim|alarm)[ -]?)?(?:pin|puk)s?(?:[ -]?code)?\b", re.IGNORECASE)
_PIN: Final = re.compile(r"\d{4,8}")
_VALUES: Final = frozenset({"value", "values", "wert", "valeur", "valor", "valore", "waarde", "inhalt"})


def tables(text: str) -> Iterator[Span]:
    """Spans of cells that the name of their column, or the cell before, or the kind of a manifest calls secret."""
    if "\n" in text:
        yield from _in_manifests(text)
    if "(" in text:
        yield from _inserted(text)
    if "\n" not in text and "</" not in text:
        return
    lowered = text.lower()
    is_named = STEM.search(lowered) is not None or any(map(lowered.__contains__, KEYS))
    if not is_named and _PINS.search(lowered) is None:
        return
    if "\n" in text:
        for rows in (*_separated(text), *_aligned(text)):
            yield from _in_rows(text, rows)
    if "</" in text:
        for rows in _marked_up(text):
            yield from _in_rows(text, rows)


def _lines(text: str) -> Iterator[Cell]:
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = end if end >= 0 else len(text)
        if end - at < _LONGEST_LINE and (text[at:end].strip(_DRAWN) or not text[at:end].strip()):
            yield at, end
        at = end + 1


def _separated(text: str) -> Iterator[list[Sequence[Cell]]]:
    """Lines that a sign separates as often as the line above them that is nothing but names."""
    rows: list[Sequence[Cell]] = []
    separator, count = "", 0
    for begin, end in _lines(text):
        line = text[begin:end]
        if not rows or line.count(separator) != count:
            if len(rows) > 1:
                yield rows
            rows = []
            for separator in _SEPARATORS:
                count = line.count(separator)
                if 0 < count < _MOST_COLUMNS and _is_heading(line, separator):
                    break
            else:
                continue
        rows.append(list(_cells(text, begin, end, separator)))
    if len(rows) > 1:
        yield rows


def _is_heading(line: str, separator: str) -> bool:
    """Whether each cell is a name: a few words without a value, a full stop or a bracket."""
    bare = [cell.strip(" \t\r*\"'`_") for cell in line.split(separator)]
    named = [cell for cell in bare if cell]
    if len(named) == 2 and separator in ",;\t" and named[0].isupper() and "_" in named[0]:
        return False  # a setting and its value
    return len(named) > 1 and all(len(cell) <= 40 and _NAME.fullmatch(cell) for cell in named)


def _cells(text: str, begin: int, end: int, separator: str) -> Iterator[Cell]:
    """The cells of a line, without the signs around what they say."""
    at = begin
    while at <= end:
        if separator == ",":
            field = _FIELD.match(text, at, end)
            assert field is not None
            cell, stop = field.span("value"), text.find(",", field.end(), end)
        else:
            stop = text.find(separator, at, end)
            cell = at, stop if stop >= 0 else end
        yield _trimmed(text, *cell)
        if stop < 0:
            return
        at = stop + 1


def _aligned(text: str) -> Iterator[list[Sequence[Cell]]]:
    """Lines whose cells begin below those of a line of names, with two spaces or more between these."""
    rows: list[Sequence[Cell]] = []
    begins: list[int] = []
    for begin, end in _lines(text) if "  " in text else ():
        line = text[begin:end]
        if rows and all(
            len(line) > at and line[at - 1 : at] in ("", " ") and line[at] != " " for at in begins
        ):
            places = zip(begins, (*begins[1:], len(line)), strict=True)
            rows.append([_trimmed(text, begin + first, begin + last) for first, last in places])
            continue
        if len(rows) > 1:
            yield rows
        rows = []
        if "  " in line.strip() and (STEM.search(line.lower()) or _PINS.search(line)):
            words = list(_WORDS.finditer(line.rstrip()))
            if len(words) > 1 and all(_NAME.fullmatch(word[0]) for word in words):
                begins = [word.start() for word in words]
                rows = [[(begin + word.start(), begin + word.end()) for word in words]]
    if len(rows) > 1:
        yield rows


def _marked_up(text: str) -> Iterator[list[Sequence[Cell]]]:
    """Rows of tables, and terms with what they stand for, in HTML."""
    rows: list[list[Cell]] = []
    for tag in _TAG.finditer(text):
        if tag["table"]:
            yield list(rows)
            rows = []
            continue
        if tag["row"] or not rows:
            rows.append([])
        if tag["row"] is None or tag["row"].lower() == "dt":
            rows[-1].append(_trimmed(text, *tag.span("text")))
    yield list(rows)


def _in_rows(text: str, rows: Sequence[Sequence[Cell]]) -> Iterator[Span]:
    """Spans of secrets in the rows of one table, below the names in the first and beside those in each."""
    said = [[text[slice(*cell)] for cell in row] for row in rows]
    named: tuple[int, int] | None = None
    wanted: Mapping[int, Nature] = {}
    pins: Sequence[int] = ()
    is_of_accounts = False
    width = 0
    for number, (row, values) in enumerate(zip(rows, said, strict=True)):
        filled = [place for place, value in enumerate(values) if value]
        if len(filled) == 2:
            around = [each for near in said[max(number - 2, 0) : number + 3] for each in near if each]
            yield from _pair(row[filled[1]], values[filled[0]], values[filled[1]], around)
        if len(values) != width:
            width = len(values)
            wanted = _secret_columns(values)
            pins = [place for place, value in enumerate(values) if _PINS.fullmatch(value)]
            named = None if wanted else _name_and_value(values)
            is_of_accounts = any(map(_ACCOUNTS.fullmatch, map(_bare, values)))
            continue
        for place in pins:
            if _PIN.fullmatch(values[place]):
                yield *row[place], "code"
        own = wanted if named is None else _secret_beside(values, *named)
        for place, nature in own.items():
            if _is_cell_secret(values[place], nature, is_of_accounts):
                yield *row[place], KIND


def _pair(value: Cell, called: str, said: str, around: Sequence[str]) -> Iterator[Span]:
    """The second of two cells, where the first is a name; a word only near the name of a user. `around`: cells near."""
    nature = nature_of(called.strip(_AROUND))
    is_of_account = any(map(_ACCOUNTS.fullmatch, map(_bare, around)))
    if nature is None or (_bare(called) == "pass" and not is_of_account):
        return
    if _is_cell_secret(said, nature, is_of_account):
        yield *value, KIND


def _secret_columns(headings: Sequence[str]) -> Mapping[int, Nature]:
    natures = ((place, nature_of(heading.strip(_AROUND))) for place, heading in enumerate(headings))
    found = {place: nature for place, nature in natures if nature is not None}
    if not found:
        words = [_bare(heading) for heading in headings]
        keys = [place for place, word in enumerate(words) if word in KEYS]
        if keys and not _SERVICES.isdisjoint(words):
            return {keys[0]: Nature.TOKEN}
    return found


def _name_and_value(headings: Sequence[str]) -> tuple[int, int] | None:
    """The columns of names and of their values, of a list of settings."""
    words = [_bare(heading) for heading in headings]
    names = [place for place, word in enumerate(words) if word in _NAMES]
    values = [place for place, word in enumerate(words) if word in _VALUES]
    return (names[0], values[0]) if names and values else None


def _secret_beside(row: Sequence[str], name: int, value: int) -> Mapping[int, Nature]:
    nature = nature_of(row[name].strip(_AROUND))
    return {} if nature is None else {value: nature}


def _bare(heading: str) -> str:
    return heading.strip(_AROUND).lower()


def _trimmed(text: str, begin: int, end: int) -> Cell:
    begin = end - len(text[begin:end].lstrip(" \t\r\n\"'`*"))
    return begin, begin + len(text[begin:end].rstrip(" \t\r\n\"'`*"))


def _is_cell_secret(value: str, nature: Nature, is_of_account: bool = False) -> bool:
    """Whether a cell is a secret. `is_of_account`: it is one of a user or a host, so that a word may be a password."""
    has_digit = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    if (
        " " in value
        or _SLUG.fullmatch(value)
        or _DATE.fullmatch(value)
        or value.startswith(("(", ":", "@", "$"))
        or (nature_of(value) is not None and not (is_of_account and has_digit))
        or not is_held_value(value)
    ):
        return False
    if nature is Nature.TOKEN:
        return is_random(value) or (has_digit and len(value) >= 16)
    return (
        has_digit
        or _NUMBER.fullmatch(value) is not None
        or (not value.isalpha() and not value.isdigit() and len(value) >= 6)
        or len(value) > 16
        or (is_of_account and len(value) > 4 and value.isalpha() and not is_plain_word(value))
    )


def _inserted(text: str) -> Iterator[Span]:
    """Values of the columns that an INSERT names."""
    for insert in _INSERT.finditer(text):
        wanted = _secret_columns(insert["names"].split(","))
        at = insert.end()
        while wanted and (row := _ROW.match(text, at)) is not None:
            values = list(_cells(text, *row.span(1), ","))
            for place, nature in wanted.items():
                if place < len(values) and _is_cell_secret(text[slice(*values[place])], nature, True):
                    yield *values[place], KIND
            at = row.end()


def _in_manifests(text: str) -> Iterator[Span]:
    """Values of the blocks `data` and `stringData` of a Kubernetes secret."""
    if _MANIFEST.search(text) is None:
        return
    for block in _BLOCK.finditer(text):
        at = block.end() + 1
        # By identity, so these two may not be late patterns.
        while entry := _ENTRY.match(text, at) or _NO_ENTRY.match(text, at):
            if entry.re is _ENTRY:
                if len(entry["indent"]) <= len(block["indent"]):
                    break
                if is_held_value(entry["value"]):
                    yield *entry.span("value"), KIND
            at = entry.end() + 1
