"""detection: which sentences speak of a decision or a thread, and what reaches a registry that should not.

Four kinds of data, recognised by what they hold. **Labelled texts** (JSON lines with `text` and `decision` and
`thread`, or a `label`): each is remembered as a message of its own conversation, which counts as detected where an
entry of the registry came from it; `with_review` also counts what waits for review. **Decision records** (a folder of
Markdown files, with FILE.index.jsonl beside it): each is remembered as a message; expected where it has a section
Decision, and by status where the index gives one. **Small talk** (a locomo file): every entry is a false one.
**Dialogues** (JSON lines with `turns`): which decisions end because somebody turns from them (bench/reversals).
`halves` are dev and test of labelled texts, by the parity of the first byte of a text's SHA-256. `by_model`: where
MODEL_REASONING names a language model, the same of labelled texts that it alone has read; each is a call.

Baseline: the bare cue words of the specification, anywhere in a text.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.locomo import load as load_turns
from bench.records import Record, read_records
from bench.reversals import Dialogue, dialogue_of, measure
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from engramforge.forge import Forge

KINDS: Final = ("decision", "thread")
_TEXTS: Final = ("text", "sentence", "content", "message")
_LABELS: Final = ("label", "labels", "kind", "class")
_PAGE: Final = 1_000
CUES: Final = {
    "decision": re.compile(
        r"\bD\d{3}\b|\bdecided\b|\bwe chose\b|\brationale\b|\binstead of\b|\brejected\b", re.I
    ),
    "thread": re.compile(r"\bT\d{3}\b|\bopen\b|\bresolved\b|\bnext step\b|\bblocked by\b|\bTODO\b", re.I),
}
_DECISION_HEADING: Final = re.compile(r"^#{1,6}\s.*\bdecisions?\b", re.I | re.M)
_STATUSES: Final = (
    ("active", re.compile(r"partly superseded|partially superseded", re.I)),
    ("superseded", re.compile(r"supersed|replaced by", re.I)),
    ("invalidated", re.compile(r"reject|deprecat|withdrawn|obsolete", re.I)),
)


@dataclass(frozen=True, slots=True)
class Case:
    """A text, whether it speaks of a decision and of a thread, and how its decision stands (None: nobody says)."""

    text: str
    wanted: Mapping[str, bool]
    status: str | None = None


@dataclass(frozen=True, slots=True)
class Cases:
    """What the files hold."""

    labelled: list[Case] = field(default_factory=list)
    records: list[Case] = field(default_factory=list)
    small_talk: list[str] = field(default_factory=list)
    dialogues: list[Dialogue] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Found:
    """What one store holds after everything was remembered.

    Parameters
    ----------
    entered, waiting : kind -> conversations of which an entry came, or a detection waits.
    statuses : conversation -> statuses of its decisions.
    entries, flags : how many in all.
    """

    entered: Mapping[str, frozenset[str]]
    waiting: Mapping[str, frozenset[str]]
    statuses: Mapping[str, frozenset[str]]
    entries: int
    flags: int


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N cases of each kind of data."""
    cases = load(paths)
    limit = options.limit
    metrics: dict[str, Any] = {}
    baselines: dict[str, dict[str, Any]] = {"cue_words": {}}
    if labelled := cases.labelled[:limit]:
        options.say(f"Remembering {len(labelled)} labelled texts")
        texts = [record.text for record in labelled]
        metrics |= _labelled(_remembered(texts, options), labelled)
        if (found := _read_by_model(texts, options)) is not None:
            metrics["by_model"] = _labelled(found, labelled)
        baselines["cue_words"] |= _scores(labelled, _by_cues)
    if records := cases.records[:limit]:
        options.say(f"Remembering {len(records)} decision records")
        metrics["records"] = _records(_remembered([record.text for record in records], options), records)
        baselines["cue_words"]["records"] = _scores(records, _by_cues)["decision"]
    if turns := cases.small_talk[:limit]:
        options.say(f"Remembering {len(turns)} turns")
        metrics["small_talk"] = _small_talk(_remembered(turns, options), len(turns))
        false = sum(any(CUES[kind].search(turn) for kind in KINDS) for turn in turns)
        baselines["cue_words"]["small_talk"] = {"false_per_1000": 1_000 * false / len(turns)}
    if dialogues := cases.dialogues[:limit]:
        options.say(f"Living through {len(dialogues)} dialogues")
        metrics["reversals"] = measure(dialogues, options)
    n = len(labelled) + len(records) + len(turns) + len(dialogues)
    return Measured(n, metrics, baselines, {"confidence": "the store's own threshold"})


def load(paths: Sequence[Path]) -> Cases:
    """All cases of all files and folders. Raises InvalidSource."""
    cases = Cases()
    files = [path for path in paths if not path.is_dir() and not path.name.endswith(".index.jsonl")]
    for path in paths:
        if path.is_dir():
            cases.records.extend(_records_of(path))
    for path in files:
        records = read_records([path])
        if records[0].has("sessions"):
            cases.small_talk.extend(turn.content for turn in load_turns([path])[0])
        elif records[0].has("turns"):
            cases.dialogues.extend(map(dialogue_of, records))
        else:
            cases.labelled.extend(map(_case, records))
    if not (cases.labelled or cases.records or cases.small_talk or cases.dialogues):
        raise InvalidSource(
            "Nothing here is labelled", "Give JSON lines, a folder of records, or a locomo file"
        )
    return cases


def _case(record: Record) -> Case:
    name = next((each for each in _TEXTS if isinstance(record.fields.get(each), str)), None)
    if name is None:
        raise InvalidSource(f"{record.where}: there is no text", f"Name it {', '.join(_TEXTS)}")
    said = next((record.fields[each] for each in _LABELS if each in record.fields), None)
    if any(kind in record.fields for kind in KINDS):
        return Case(record.text(name), {kind: bool(record.fields.get(kind)) for kind in KINDS})
    if said is None:
        raise InvalidSource(f"{record.where}: there is no label", "Give decision and thread, or label")
    words = {str(message).lower() for message in (said if isinstance(said, list) else [said])}
    both = "both" in words
    return Case(record.text(name), {kind: both or any(kind in word for word in words) for kind in KINDS})


def _records_of(folder: Path) -> Iterable[Case]:
    """The Markdown files of a folder and its subfolders; what an index beside a folder says of their status."""
    for path in sorted(folder.rglob("*.md")):
        if path.name in ("SOURCE.md", "README.md") and path.parent == folder:
            continue
        index = path.parent.parent / f"{path.parent.name}.index.jsonl"
        text = path.read_text("utf-8", errors="replace")
        wanted = bool(_DECISION_HEADING.search(text))
        said = _statuses_of(index).get(path.name) if index.is_file() else None
        status = None
        if wanted and said:
            status = next((name for name, words in _STATUSES if words.search(said)), "active")
        yield Case(text, {"decision": wanted, "thread": False}, status)


def _statuses_of(index: Path) -> dict[str, str]:
    records = read_records([index])
    return {record.text("file"): str(record.fields.get("status") or "") for record in records}


def _remembered(texts: Sequence[str], options: Options) -> Found:
    """Remember each text as the one message of its conversation; what the registries and the review hold then."""
    with temporary_forge(options.engine) as forge:
        _remember(forge, texts)
        return _found(forge)


def _remember(forge: Forge, texts: Sequence[str]) -> None:
    forge.remember_many(
        {
            "content": text,
            "kind": "message",
            "source": "import",
            "project": "detection",
            "session_id": str(number),
            "sequence": 0,
            "origin": f"detection/{number}",
        }
        for number, text in enumerate(texts)
        if text.strip()
    )


def _read_by_model(texts: Sequence[str], options: Options) -> Found | None:
    """The same, read by the language model of the environment alone; None without one. Each text is a call."""
    with temporary_forge(options.engine, "detection = false\n") as forge:
        if forge.language_model() is None:
            return None
        options.say(f"Having a language model read {len(texts)} texts")
        _remember(forge, texts)
        while not (reading := forge.extract(_PAGE)).is_complete:
            if reading.stopped:
                raise InvalidSource(f"The language model stopped: {reading.stopped}", "Unset MODEL_REASONING")
        return _found(forge)


def _found(forge: Forge) -> Found:
    decisions = _all(lambda offset: forge.decisions.browse(status=None, limit=_PAGE, offset=offset))
    threads = _all(lambda offset: forge.threads.browse(status=None, limit=_PAGE, offset=offset))
    waiting = _all(lambda offset: forge.review.pending(limit=_PAGE, offset=offset))
    statuses: dict[str, set[str]] = {}
    for decision in decisions:
        for conversation in decision.conversation_ids:
            statuses.setdefault(conversation, set()).add(str(decision.status))
    return Found(
        entered={"decision": _conversations(decisions), "thread": _conversations(threads)},
        waiting={
            kind: frozenset(str(candidate.conversation_id) for candidate in waiting if candidate.kind == kind)
            for kind in KINDS
        },
        statuses={status: frozenset(each) for status, each in statuses.items()},
        entries=len(decisions) + len(threads),
        flags=len(waiting),
    )


def _all(page: Callable[[int], list[Any]]) -> list[Any]:
    found: list[Any] = []
    while more := page(len(found)):
        found += more
        if len(more) < _PAGE:
            break
    return found


def _conversations(entries: Iterable[Any]) -> frozenset[str]:
    return frozenset(name for entry in entries for name in entry.conversation_ids)


def _labelled(found: Found, cases: Sequence[Case]) -> dict[str, Any]:
    def entered(kind: str, number: int, _: Case) -> bool:
        return str(number) in found.entered[kind]

    def entered_or_waiting(kind: str, number: int, case: Case) -> bool:
        return entered(kind, number, case) or str(number) in found.waiting[kind]

    halves: dict[str, Any] = {}
    for half in ("dev", "test"):
        chosen = frozenset(number for number, case in enumerate(cases) if half_of(case.text) == half)
        if chosen:
            scores = _scores(cases, entered, chosen)
            halves[half] = {kind: scores[kind]["f1"] for kind in KINDS}
    return {**_scores(cases, entered), "with_review": _scores(cases, entered_or_waiting), "halves": halves}


def half_of(text: str) -> str:
    """Whether a labelled text is of the half to develop with, or of the one to test with."""
    return "test" if hashlib.sha256(text.encode()).digest()[0] % 2 else "dev"


def _records(found: Found, cases: Sequence[Case]) -> dict[str, Any]:
    scores = _scores(cases, lambda kind, number, _: str(number) in found.entered[kind])["decision"]
    told = [(number, case.status) for number, case in enumerate(cases) if case.status is not None]
    right = sum(status in found.statuses.get(str(number), ()) for number, status in told)
    return {**scores, "status_accuracy": right / len(told) if told else None}


def _small_talk(found: Found, turns: int) -> dict[str, Any]:
    return {
        "turns": turns,
        "false_entries": found.entries,
        "waiting": found.flags,
        "false_per_1000": 1_000 * found.entries / turns,
        "waiting_per_1000": 1_000 * found.flags / turns,
    }


def _by_cues(kind: str, _: int, case: Case) -> bool:
    return CUES[kind].search(case.text) is not None


def _scores(
    cases: Sequence[Case], says: Callable[[str, int, Case], bool], chosen: frozenset[int] | None = None
) -> dict[str, Any]:
    """Precision, recall and F1 of each kind; None where there is nothing to divide by."""
    scores: dict[str, Any] = {}
    for kind in KINDS:
        pairs = [
            (case.wanted[kind], says(kind, number, case))
            for number, case in enumerate(cases)
            if chosen is None or number in chosen
        ]
        both = sum(wanted and said for wanted, said in pairs)
        true, said = sum(wanted for wanted, _ in pairs), sum(said for _, said in pairs)
        scores[kind] = {
            "precision": both / said if said else None,
            "recall": both / true if true else None,
            "f1": 2 * both / (true + said) if true + said else None,
            "wanted": true,
            "found": said,
        }
    return scores
