"""The text of an orchestration for a model: what agrees first, then each lens, then what pulls apart, then the field.

The layout of the source document's appendix: sections headed by role, project and gravity type; every item with its
kind, mass and source. All recorded text stands between the marks of recorded data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engramforge.core.lenses.shares import share_of
from engramforge.core.text.portions import LEAST_EXCERPT, excerpt_within
from engramforge.model.fence import CONTEXT_FENCE, CONTEXT_NOTICE, on_one_line, quoted, shown
from engramforge.model.lenses.orchestration import (
    Convergence,
    Divergence,
    DivergenceType,
    FieldSummary,
    GuardianMark,
    LensResult,
    MarkType,
    Step,
)
from engramforge.model.search.hit import Hit

_BEGIN: Final = f"<{CONTEXT_FENCE}>\n{CONTEXT_NOTICE}\n"
_END: Final = f"</{CONTEXT_FENCE}>\n"
_FIRST: Final = 0.4
"""The part of the budget that what agrees may take before the lenses have theirs."""
_SAYS: Final = 20
"""Characters of its text that a line shows at least behind the name of what says it."""
_LINES: Final = 3
"""As many lines of a section have room for sure."""
_SAID: Final = 160
_MOST_NOTES: Final = 10
"""As many of what pulls apart, and of the guardian's marks, are told: the strongest."""
_PER_NOTE: Final = 200
_PER_SAID: Final = 30
"""Of how many characters of the budget one more note of a kind is told, and one character more of each side."""
_MAY_BEAR: Final = "[a rule that may bear on it] "
_ASIDE: Final = "not on what is asked: "
_NOTHING: Final = "(nothing that answers)"


class _Notes(NamedTuple):
    """The notes under the lenses: as many of each kind as `most`, each side in `said` characters."""

    most: int
    said: int

    def apart(self, every: Sequence[Divergence]) -> Iterator[str]:
        """What pulls apart, conflicts first; what one lens alone has is told by that one's section, and lenses that
        have nothing near in one line."""
        if not every:
            return
        apart = [each for each in every if each.type is not DivergenceType.GAP or each.on_matter]
        silent = dict.fromkeys(each.lens_b for each in every if each not in apart)
        yield "=== DIVERGENCE (decision tension) ==="
        for each in apart[: self.most]:
            sides = [
                f"{quoted(lens)}: {self._short(hit)}"
                for lens, hit in ((each.lens_a, each.item_a), (each.lens_b, each.item_b))
                if each.type is not DivergenceType.GAP and hit is not None
            ]
            is_aside = each.type is DivergenceType.CONFLICTING_DIRECTION and not each.on_matter
            aside = _ASIDE if is_aside else ""
            told = f"{aside}{on_one_line(each.description)}. {'; '.join(sides)}".rstrip()
            yield shown(f"[{each.type}|{each.tension:.2f}] {told}")
        if silent:
            yield shown(f"[gap] Nothing near it: {_lenses(list(silent))}.")
        yield self._left_out(len(apart))

    def guarded(self, marks: Sequence[GuardianMark]) -> Iterator[str]:
        """Who stands against what, the surest first."""
        if not marks:
            return
        yield "=== GUARDIAN (who stands against what) ==="
        for each in sorted(marks, key=lambda mark: -mark.severity)[: self.most]:
            yield shown(
                f"[{each.type}|{each.severity:.2f}] {quoted(each.lens)}: {self._short(each.item)} \u2014 against it "
                f"{quoted(each.by_lens)}, {each.by.source_id}: {self._cut(each.what)}. {self._cut(each.why)}"
            )
        yield self._left_out(len(marks))

    def first(self, steps: Sequence[Step]) -> Iterator[str]:
        """What to do first, in its order, and why where there is room; what the memories say stands above."""
        if not steps:
            return
        yield "=== STEPS (what to do first) ==="
        for each in steps[: self.most]:
            why = f" \u2014 {self._cut(each.because)}" if self.said == _SAID else ""
            yield shown(f"[{each.act}] {_lenses(each.lenses)}: {', '.join(each.ids)}{why}")
        yield self._left_out(len(steps))

    def _left_out(self, count: int) -> str:
        return f"({count - self.most} more)\n" if count > self.most else ""

    def _cut(self, text: str) -> str:
        return excerpt_within(on_one_line(text), 2 * self.said, least=1) or ""

    def _short(self, hit: Hit) -> str:
        return excerpt_within(on_one_line(hit.excerpt), self.said, least=1) or ""


def context_text(
    per_lens: Mapping[str, LensResult],
    agreed: Sequence[Convergence],
    apart: Sequence[Divergence],
    marks: Sequence[GuardianMark],
    field: FieldSummary,
    budget: int,
    steps: Sequence[Step] = (),
) -> tuple[str, int]:
    """The text, and how many characters of the budget it used: all but what pulls apart, the guardian's notes, what to
    do first and the field."""
    room = budget - len(_BEGIN) - len(_END)
    heading = "=== CONVERGENCE (amplified gravity) ==="
    first = _section(heading, [_agreed(each) for each in agreed], int(room * _FIRST))
    parts = [first] if first else []
    used = len(first)
    told = {item.hit.memory.logical_id for each in agreed for item in each.items[:1]}
    results = list(per_lens.values())
    weights = [each.weight for each in results]
    for at, each in enumerate(results):
        lines = [
            _item(hit, _marked(each.lens, hit, marks), is_told=hit.memory.logical_id in told)
            for hit in each.answering
        ]
        lines += [_item(hit, _MAY_BEAR, is_told=False) for hit in each.rules]
        section = _section(_heading(each), lines or [_NOTHING], share_of(room - used, weights, at))
        parts += [section] if section else []
        used += len(section)
    silence = [] if any(each.answering for each in results) else ["Nothing that is known answers this.\n"]
    notes = _Notes(
        min(max(budget // _PER_NOTE, _LINES), _MOST_NOTES), min(max(budget // _PER_SAID, 40), _SAID)
    )
    body = [
        *parts,
        *silence,
        *notes.apart(apart),
        *notes.guarded(marks),
        *notes.first(steps),
        _field_line(field, _uncounted(results, apart, marks)),
    ]
    return f"{_BEGIN}\n{chr(10).join(body)}\n{_END}", used + len(_BEGIN) + len(_END)


def _section(heading: str, lines: Sequence[str], room: int) -> str:
    """A heading with as many lines as have room; none takes more than its part before all others have theirs."""
    heading = shown(heading)
    taken, kept = len(heading) + 2, []
    longest = max((room - taken) // min(max(len(lines), 1), _LINES), LEAST_EXCERPT)
    for line in lines:
        least = len(line) - len(line.partition("): ")[2]) + _SAYS
        told = excerpt_within(shown(line), min(room - taken - 1, max(longest, least)), least=least)
        if told is None:
            break
        kept.append(told)
        taken += len(told) + 1
    return "\n".join([heading, *kept]) + "\n" if kept else ""


def _heading(lens: LensResult) -> str:
    sight = lens.sight
    when = f" as of {quoted(sight.as_of)}" if sight.as_of is not None else ""
    for how, at in (("held", sight.as_of_valid), ("was known", sight.as_of_recorded)):
        when += f", what {how} {quoted(at)}" if at is not None else ""
    return f"=== {lens.role.upper()} ({quoted(lens.project)}{when}) \u2014 {lens.gravity_type} gravity ==="


def _agreed(each: Convergence) -> str:
    which = each.type.replace("_", " ") if each.cluster_id is None else f"cluster #{each.cluster_id}"
    masses = [f"{item.hit.mass:.2f}" for item in each.items]
    raised = f"raised from {', '.join(masses[:-1])} and {masses[-1]}"
    return (
        f"[{which}] {_lenses(each.lenses)}: {on_one_line(each.summary)} "
        f"Combined mass: {each.combined_mass:.2f}, {raised}"
    )


def _item(hit: Hit, mark: str, *, is_told: bool) -> str:
    memory = hit.memory
    name = memory.registration.entry_id if memory.registration else memory.logical_id[:18]
    local_id = memory.registration.local_id if memory.registration else None
    local = f" {quoted(local_id)}" if local_id else ""
    said = hit.excerpt if not is_told else hit.excerpt[:_SAID]
    but_now = f" But now: {on_one_line(hit.but_now)}" if hit.but_now else ""
    head = f"[{memory.kind}|{hit.mass:.2f}] {mark}{name}{local} ({quoted(memory.project)})"
    return f"{head}: {on_one_line(said)}{but_now}"


def _marked(lens: str, hit: Hit, marks: Sequence[GuardianMark]) -> str:
    """Who stands against an item, before it, where nothing is cut off."""
    others = [x.by_lens for x in marks if (x.lens, x.item.source_id) == (lens, hit.source_id)]
    return f"[GUARDIAN: {_lenses(list(dict.fromkeys(others)))} against this] " if others else ""


def _uncounted(
    results: Sequence[LensResult], apart: Sequence[Divergence], marks: Sequence[GuardianMark]
) -> str:
    """What may have to be decided first and is no part of the coherence, which is between lenses."""
    told = {
        "conflicts within a lens": any(
            each.type is DivergenceType.CONFLICTING_DIRECTION
            and each.lens_a == each.lens_b
            and not each.changed
            for each in apart
        ),
        "what a lens rejected": any(each.type is MarkType.REJECTED for each in marks),
        "rules that may bear on it": any(each.rules for each in results),
    }
    found = [what for what, is_there in told.items() if is_there]
    return f" (not counting {' and '.join(found)})" if found else ""


def _field_line(field: FieldSummary, uncounted: str) -> str:
    lens = "none" if field.dominant_lens is None else shown(quoted(field.dominant_lens))
    return (
        "=== FIELD SUMMARY ===\n"
        f"Coherence: {field.coherence:.2f}{uncounted} | Dominant lens: {lens} | "
        f"Convergence: {field.convergence_points} | Divergence: {field.divergence_points}"
    )


def _lenses(names: Sequence[str]) -> str:
    return " and ".join(map(quoted, names))
