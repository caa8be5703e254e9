"""entities: the names of people, files, packages and so on that rules find in texts, and which spellings are one name.

A record is a text with the names that a reader would want to find again; a name that may be written in several ways is
a list of them, and `optional` are names that are neither missed nor wrong. Names are compared as the store matches
them: without case, spaces, hyphens and dots. A record of `alias_groups` says which names are one, one of `apart` which
are not. Baseline: runs of capitalised words. `by_model`: where MODEL_REASONING names a language model, what it reads in
the same texts; each is a call.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.measures import mean
from bench.records import Record, read_records
from engramforge.core.entities.naming import entities_in, name_key
from engramforge.core.entities.spellings import first_name, is_end_of, last_part, squeezed
from engramforge.errors import InvalidSource, ModelMisanswered, ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

_CAPITALISED: Final = re.compile(r"\b[A-Z]\w*(?: [A-Z]\w*){0,5}")

Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class Case:
    """A text, its names, each with all ways to write it, the optional ones, who says it, and its kind."""

    text: str
    wanted: tuple[Names, ...]
    optional: Names
    speaker: str | None
    kind: str


@dataclass(frozen=True, slots=True)
class Aliases:
    """Names in the groups that mean one thing, and names of which no two do."""

    groups: tuple[Names, ...]
    apart: tuple[Names, ...]

    @property
    def names(self) -> list[str]:
        """All of them, in an order that depends on them alone."""
        return sorted({name for group in (*self.groups, *self.apart) for name in group})


@dataclass(frozen=True, slots=True)
class Counts:
    """Of some texts: the names wanted, those of them that were found, and names found that nobody wanted."""

    wanted: int
    right: int
    wrong: int


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N texts."""
    cases, aliases = load(paths)
    cases = cases[: options.limit]
    metrics: dict[str, Any] = {}
    baselines: dict[str, Any] = {}
    if cases:
        options.say(f"Reading {len(cases)} texts")
        metrics |= measure(cases, [[e.name for e in entities_in(each.text, each.speaker)] for each in cases])
        if (found := _read_by_model(cases, options)) is not None:
            metrics["by_model"] = measure(cases, found)
        baselines["capitalised"] = measure(cases, [_CAPITALISED.findall(each.text) for each in cases])
    if aliases:
        metrics["aliases_exact"] = mean(float(is_exact(each)) for each in aliases)
    settings = {
        "names": sum(len(case.wanted) for case in cases),
        "alias_records": len(aliases),
        "aliases_wrong": [", ".join(each.names) for each in aliases if not is_exact(each)],
    }
    return Measured(len(cases) + len(aliases), metrics, baselines, settings)


def load(paths: Sequence[Path]) -> tuple[list[Case], list[Aliases]]:
    """The texts of all files, and the records of aliases."""
    cases: list[Case] = []
    aliases: list[Aliases] = []
    for record in read_records(paths):
        if record.has("text"):
            cases.append(_case(record))
        else:
            aliases.append(_aliases(record))
    return cases, aliases


def _case(record: Record) -> Case:
    fields = record.fields
    optional = record.items("optional") if record.has("optional") else []
    return Case(
        record.text("text"),
        tuple(_ways(each, record) for each in record.items("entities")),
        frozenset(key for each in optional for key in _ways(each, record)),
        record.text("speaker") if fields.get("speaker") is not None else None,
        record.text("kind") if record.has("kind") else "",
    )


def _ways(said: object, record: Record) -> Names:
    """The keys of one name, which is a text or a list of all ways to write it."""
    ways = said if isinstance(said, list) else [said]
    keys = frozenset(squeezed(each) for each in ways if isinstance(each, str)) - {""}
    if not keys or not all(isinstance(each, str) for each in ways):
        raise InvalidSource(
            f"{record.where}: {said!r} is no name", "Give names, or lists of spellings of one"
        )
    return keys


def _aliases(record: Record) -> Aliases:
    if not record.has("alias_groups") and not record.has("apart"):
        raise InvalidSource(f"{record.where}: neither a text nor aliases", "Give `text`, or `alias_groups`")
    groups, apart = (
        tuple(frozenset(map(str, each)) for each in (record.items(name) if record.has(name) else []))
        for name in ("alias_groups", "apart")
    )
    return Aliases(groups, apart)


def is_exact(aliases: Aliases) -> bool:
    """Whether the groups made of all these names are the ones that are told."""
    made = set(alias_groups(aliases.names))
    return made == {group for group in aliases.groups if len(group) > 1}


def measure(cases: Sequence[Case], found: Sequence[Iterable[str]]) -> dict[str, Any]:
    """Precision, recall and F1 over all texts, and F1 by kind of text where the records say one."""
    counted: dict[str, list[Counts]] = defaultdict(list)
    for case, names in zip(cases, found, strict=True):
        counted[case.kind].append(count(case, names))
    every = _scores(each for counts in counted.values() for each in counts)
    kinds: Mapping[str, Any] = {kind: _scores(counts)["f1"] for kind, counts in counted.items() if kind}
    return {**every, "f1_by_kind": kinds} if kinds else every


def count(case: Case, names: Iterable[str]) -> Counts:
    """What was found in one text; a name that was found in two spellings counts once."""
    keys = {key for name in names if (key := squeezed(name))}
    known = case.optional.union(*case.wanted)
    return Counts(len(case.wanted), sum(bool(ways & keys) for ways in case.wanted), len(keys - known))


def _scores(counts: Iterable[Counts]) -> dict[str, Any]:
    each = list(counts)
    wanted, right, wrong = (sum(getattr(one, name) for one in each) for name in ("wanted", "right", "wrong"))
    return {
        "precision": right / (right + wrong) if right + wrong else None,
        "recall": right / wanted if wanted else None,
        "f1": 2 * right / (wanted + right + wrong) if wanted + right + wrong else None,
    }


def _read_by_model(cases: Sequence[Case], options: Options) -> list[Sequence[str]] | None:
    """The names that the language model of the environment reads; None without one. Each text is a call."""
    with temporary_forge(options.engine) as forge:
        if forge.language_model() is None:
            return None
        options.say(f"Having a language model read {len(cases)} texts")
        found: list[Sequence[str]] = []
        for case in cases:
            try:
                found.append(forge.names_by_model(case.text) or ())
            except ModelMisanswered:
                found.append(())
            except ModelUnavailable as error:
                raise InvalidSource(f"The language model stopped: {error}", "Unset MODEL_REASONING") from None
        return found


def alias_groups(names: Iterable[str]) -> list[frozenset[str]]:
    """Names in groups that mean one thing, those that stand alone left out.

    Squeezed equal; a file or package with its last part where only one of the names has it; a person with the first
    name where only one has it.

    >>> sorted(map(sorted, alias_groups(["RFC 7540", "rfc7540", "Melanie", "Melanie Smith", "a/x.py", "b/x.py"])))
    [['Melanie', 'Melanie Smith'], ['RFC 7540', 'rfc7540']]
    """
    names = list(dict.fromkeys(names))
    group = {name: squeezed(name) for name in names}
    for short, longer in (*_shorter_paths(names), *_shorter_persons(names)):
        old, new = group[short], group[longer]
        group.update({name: new for name, key in group.items() if key == old})
    found: dict[str, set[str]] = defaultdict(set)
    for name, key in group.items():
        found[key].add(name)
    return [frozenset(each) for each in found.values() if len(each) > 1]


def _shorter_paths(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """A file or package, and the one with more of its path, where all that have more are parts of one."""
    by_part: dict[str, list[str]] = defaultdict(list)
    for name in names:
        by_part[squeezed(last_part(name) or name)].append(name)
    for alike in by_part.values():
        for short in alike:
            longer = sorted(
                (each for each in alike if _is_short_for(short, each)), key=lambda each: len(name_key(each))
            )
            if longer and all(_is_short_for(each, longer[-1]) or each == longer[-1] for each in longer):
                yield short, longer[-1]


def _is_short_for(short: str, longer: str) -> bool:
    if squeezed(short) == squeezed(longer) or last_part(longer) is None:
        return False
    is_package = longer.startswith("@") and squeezed(last_part(longer) or "") == squeezed(short)
    return is_package or is_end_of(short, longer)


def _shorter_persons(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """A first name, and the one person who has it."""
    persons: dict[str, dict[str, str]] = defaultdict(dict)
    for name in names:
        if (called := first_name(name)) is not None:
            persons[called].setdefault(squeezed(name), name)
    for name in names:
        having = list(persons.get(squeezed(name), {}).values())
        if len(having) == 1:
            yield name, having[0]
