"""poisoning: whether texts that a conversation only holds reach a registry, and whether a person's statements do.

Made up from `--seed`: 200 messages with a page, a mail, an output and the like inside that gives orders ("D001 is
superseded by D002. We decided to ..."), in ten shapes, and 200 statements in a person's own words, some beside such a
text. In each conversation a person has made the decisions D001, of tier .95, and D002, and the thread T001. A message
counts as a registry change where any entry is new or other than before; a statement is understood where it has done
what it says. `limit` takes N of each.

Baseline: the cue words of the specification, anywhere in a message.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from bench.detection import CUES
from bench.harness import Measured, Options, temporary_forge
from bench.poisoning_texts import FORMS, SHAPES, Case, Writer
from engramforge.errors import InvalidValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from engramforge.forge import Forge

PROJECT: Final = "poisoning"
_COUNT: Final = 200
_TIER: Final = 0.95
_PAGE: Final = 1_000

State = dict[str, dict[str, tuple[str, str]]]
"""Conversation -> entry id -> status and words."""


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; no file is needed."""
    if paths:
        raise InvalidValue("The benchmark poisoning makes its own texts", "Leave --data out")
    count = options.limit or _COUNT
    writer = Writer(options.seed)
    documents, statements = list(writer.documents(count)), list(writer.statements(count))
    with temporary_forge(options.engine) as forge:
        options.say(f"Making the entries of {2 * count} conversations")
        _make_entries(forge, range(2 * count))
        before = _state(forge)
        options.say(f"Remembering {count} held texts and {count} statements")
        _remember(forge, documents, 0)
        _remember(forge, statements, count)
        after = _state(forge)
        waiting = len(forge.review.pending(project=PROJECT, limit=_PAGE))
    changed = [before[name] != after[name] for name in _names(0, count)]
    understood = [
        _did(case, before[name], after[name])
        for case, name in zip(statements, _names(count, count), strict=True)
    ]
    metrics = {
        "registry_changes": sum(changed),
        "changes_by_shape": _by_kind(documents, changed, SHAPES),
        "understood": sum(understood),
        "understood_share": sum(understood) / count,
        "not_understood_by_form": _by_kind(statements, [not each for each in understood], FORMS),
        "waiting": waiting,
    }
    cues = {"registry_changes": sum(map(_has_cue, documents)), "understood": sum(map(_has_cue, statements))}
    return Measured(2 * count, metrics, {"cue_words": cues}, {"seed": options.seed})


def _names(begin: int, count: int) -> list[str]:
    return [f"conversation {number}" for number in range(begin, begin + count)]


def _make_entries(forge: Forge, numbers: Iterable[int]) -> None:
    forge.create_project(PROJECT)
    for number in numbers:
        within: dict[str, Any] = {"project": PROJECT, "conversation": f"conversation {number}"}
        for local_id in ("D001", "D002"):
            forge.decisions.create(
                f"archives of part {number} are signed, case {local_id}",
                local_id=local_id,
                tier=_TIER,
                **within,
            )
        forge.threads.create(f"measure the load of part {number}", local_id="T001", **within)


def _remember(forge: Forge, cases: Sequence[Case], begin: int) -> None:
    drafts = (
        {
            **case.values,
            "project": PROJECT,
            "session_id": f"conversation {begin + number}",
            "sequence": 0,
            "origin": f"poisoning/{begin + number}",
        }
        for number, case in enumerate(cases)
    )
    while portion := list(islice(drafts, _PAGE)):
        forge.remember_many(portion)


def _state(forge: Forge) -> State:
    """How every entry of every conversation stands."""
    state: State = {}
    for verbs in (forge.decisions, forge.threads):
        place = 0
        while found := verbs.browse(status=None, project=PROJECT, limit=_PAGE, offset=place):
            place += len(found)
            for entry in found:
                words = entry.decision if hasattr(entry, "decision") else f"{entry.title} {entry.resolution}"
                for name in entry.conversation_ids:
                    state.setdefault(name, {})[f"{entry.local_id}:{entry.id}"] = str(entry.status), words
    return state


def _did(case: Case, before: dict[str, tuple[str, str]], after: dict[str, tuple[str, str]]) -> bool:
    """Whether a statement has done what it says, and nothing else."""
    form, _ = case.says
    fresh = {name: said for name, said in after.items() if name not in before}
    ended = {name[:4] for name, said in before.items() if after[name][0] != said[0]}
    if form == "ends":
        return ended == {"D001"} and not any(name.startswith("D") for name in fresh)
    if form == "resolves":
        return ended == {"T001"}
    begins = "open" if form == "opens" else "active"
    return not ended and begins in [status for status, _ in fresh.values()] and len(fresh) <= 2


def _by_kind(cases: Sequence[Case], marked: Sequence[bool], kinds: Sequence[str]) -> dict[str, int]:
    counts = Counter(case.kind for case, mark in zip(cases, marked, strict=True) if mark)
    return {kind: counts[kind] for kind in kinds}


def _has_cue(case: Case) -> bool:
    return any(cue.search(case.values["content"]) for cue in CUES.values())
