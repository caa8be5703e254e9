"""Undo and redo: an agent's changes are taken back one by one, newest first, and reapplied in turn.

Each line of the audit log keeps what its write did (model/storing/effect), and an agent's lines are a stack: undo takes
back the newest change that still stands, redo reapplies the last one undone, and a new change leaves nothing to redo.
Both are writes themselves and overwrite nothing: what the change made leaves the record now (discovered_false), what it
closed returns as a new record with the same content and valid times: a version under the next number, linked REVISES; a
closing record under its own. So questions about an earlier time are answered as they were then. What was forgotten is
gone for good. What upkeep does by itself is no change of the agent's, and is passed over.

What one transaction wrote is undone together: up to 1,000 memories of `remember_many`, up to 500 of an import or of its
Markdown files, both decisions of a supersession, with the links and use counters that it changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count, takewhile
from typing import Final

from engramforge.errors import Conflict, NotConfirmed, NotFound
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.effect import Effect, LinkChange, Step, Use, records_line, use_line
from engramforge.model.storing.record import AuditEntry, Entry
from engramforge.model.time import AsOf, InvalidationReason
from engramforge.model.timeline import LastChange, Undone
from engramforge.model.topics.dream import UNDONE
from engramforge.store.door import Door, Transaction
from engramforge.writing.expected_state import hold_heads, hold_open, use_again
from engramforge.writing.preparing import Preparation
from engramforge.writing.repeating import embedding_again
from engramforge.writing.undoing.captured_turns import (
    TURNS,
    not_after_forgetting,
    not_of_the_last,
    with_turns,
)
from engramforge.writing.undoing.undo_plan import (
    Found,
    Reversal,
    dream_found,
    plan_reversal,
    read_from,
    returning_link,
    touched_by,
)

MOST_UNASKED: Final = 20
"""How many records and links an undo touches at most without being confirmed."""
_FIRST_LINES: Final = 64
_LAST: Final = "last change"
_TURN: Final = 3
"""How many of the newest turns are looked at: a prompt, its answer, and one without a prompt."""
_MOST_DREAMS: Final = 1_000
_READ: Final = "detection"
_DREAM: Final = "dream"
"""What the answer and, behind "undo", the audit log call what was read from a message, and what a dream did."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Takes back an agent's changes, and reapplies them.

    `door`, `clock`: as in `Intake`. `preparation`: gives the signals of restored records.
    """

    door: Door
    preparation: Preparation
    clock: Callable[[], datetime]

    @embedding_again
    def undo(self, scope: Scope, is_confirmed: bool = False) -> Undone:
        """Take back the newest change of the scope's agent that stands; see the module.

        `scope`: narrowed to projects, only what touched one of them is such a change.

        Raises
        ------
        NotFound : there is no change of the agent left to take back.
        Conflict : it was a forget, or what it had changed was changed again since.
        NotConfirmed : it touches more than 20 records and links, or is of no part of the project's last prompt, and
            `is_confirmed` is false.
        In each case nothing was changed.
        """
        whole, found = replace(scope, projects=None), self._newest(scope, Step.UNDO)
        if found is None:
            raise NotFound(
                f"There is no change of agent {scope.agent!r}{_where(scope)} to undo",
                "Remember something first",
            )
        found = with_turns(self.door, whole, found, self.clock())
        plan = self._asked(whole, found, is_confirmed)
        if found.forgot is not None and not is_confirmed:
            raise not_after_forgetting(self.door.asking(whole), found, _forgotten(found.forgot, found.since))
        later = self._passed_over(whole, found)
        if later is not None and not is_confirmed:
            raise not_of_the_last(self.door.asking(whole), found, later)
        return replace(self._write(whole, found, plan, Step.UNDO), passed_over=later)

    def last(self, scope: Scope) -> LastChange | None:
        """The newest change of the scope's agent that stands, of whichever project; None where there is none. Raises
        Conflict, as `undo`."""
        if (found := self._newest(scope, Step.UNDO)) is None:
            return None
        touched = (
            self.door.asking(scope).fetch(touched_by(self.door, scope, found.line, found.effect)).values()
        )
        projects = tuple(sorted({each.project for each in touched}))
        return LastChange(found.action, found.line.at, projects)

    @embedding_again
    def undo_read(self, scope: Scope, message: Memory, is_confirmed: bool = False) -> Undone:
        """Take back what was read from a message: entries made, changed or ended, and what waits for review.

        The message stays. It is a change like any other, so that `undo` puts all of it back.

        Raises
        ------
        NotFound : nothing that was read from it stands.
        Conflict : an entry was changed since.
        NotConfirmed : as `undo`.
        In each case nothing was changed.
        """
        effect = read_from(self.door, scope, message)
        if effect is None:
            raise NotFound(
                f"Nothing that was read from {message.logical_id} stands",
                "Give the message that an entry names as its evidence; links lists what was read from a message",
            )
        line = AuditEntry(message.created_at, _READ, message.logical_id, scope.agent, "")
        # What was changed and put back since stands under other ids.
        later = takewhile(lambda each: each.at >= message.created_at, self._lines(scope))
        since = [each for each in later if each.effect is not None and each.effect.stands_for]
        found = Found(line, effect, since, "message")
        return self._write(scope, found, self._asked(scope, found, is_confirmed), Step.CHANGE)

    @embedding_again
    def undo_dream(
        self,
        scope: Scope,
        dream: str,
        lines: int,
        is_confirmed: bool,
        beside: Callable[[Transaction], object],
    ) -> Undone:
        """Take back what a dream did, of everybody's memories, except where somebody changed it since.

        It is a change like any other, so that `undo` puts all of it back. `lines`: how many of the audit log are the
        dream's. `beside`: what else belongs in the transaction, done first. The answer has what the scope sees. Raises
        NotConfirmed as `undo`; nothing was changed.
        """
        whole = scope.of_everybody()
        line = AuditEntry(self.clock(), _DREAM, dream, scope.agent, "")
        found = dream_found(self.door, whole, line, self._lines(whole), lines)
        if found is None:

            def none(writes: Transaction) -> None:
                beside(writes)
                _note_undone(writes, dream, is_undone=True)

            self.door.write(whole, none)
            return Undone(_DREAM, self.clock())
        plan = self._asked(whole, found, is_confirmed)
        undone = self._write(whole, found, plan, Step.CHANGE, beside)
        taken, back = (
            tuple(each for each in records if scope.admits(each.level, each.agent))
            for records in (undone.taken_back, undone.restored)
        )
        return replace(undone, taken_back=taken, restored=back)

    def _passed_over(self, scope: Scope, found: Found) -> Memory | None:
        """The last turn of the project of what was captured, if nothing of it can be taken back; see `Undone`. Who has
        undone something of that conversation since, and goes further back, has seen it."""
        if found.action != "import":
            return None
        view = self.door.asking(scope)
        made = [each for each in view.fetch(found.effect.made).values() if each.kind in TURNS]
        if not made:
            return None
        now = self.clock()
        said = Selection(kinds=TURNS, as_of=AsOf(now, now))
        within = scope.within(made[0].project)
        turns = self.door.asking(within).browse(said, _TURN)
        if turns and self._has_gone_back(within, found, made[0].session_id, turns[0].created_at):
            return None
        last = next((each for each in turns if each.kind is Kind.PROMPT), None)
        if last is not None and last.created_at > found.line.at and last.id not in found.effect.made:
            return last
        # Where nothing of a prompt was kept, its answer follows another one.
        answers = [each for each in turns if last is None or each.told_at > last.told_at]
        return answers[0] if len(answers) > 1 and answers[0].created_at > found.line.at else None

    def _has_gone_back(self, scope: Scope, found: Found, session: str | None, since: datetime) -> bool:
        """Whether a change that was said in a conversation of the scope's projects was taken back since a time."""
        view = self.door.asking(scope)
        undone = (x for x in found.since if x.effect and x.effect.step is Step.UNDO and x.at > since)
        touched = (view.fetch(touched_by(self.door, scope, x, x.effect)) for x in undone if x.effect)
        return any(
            each.session_id == session for its in touched for each in its.values() if each.kind in TURNS
        )

    def _asked(self, scope: Scope, found: Found, is_confirmed: bool) -> Reversal:
        """What the reversal does. Raises Conflict; NotConfirmed where it touches much."""
        plan = plan_reversal(self.door, scope, found, self.clock())
        if plan.touched > MOST_UNASKED and not is_confirmed:
            raise NotConfirmed(
                f"Undoing the {found.which} ({found.action}) touches {plan.touched:,} records and links",
                "Nothing was changed yet; confirm it by --yes, in Python by confirmed=True",
            )
        return plan

    @embedding_again
    def redo(self, scope: Scope) -> Undone:
        """Reapply what the scope's agent undid last, unless it has changed something since.

        `scope`: narrowed to projects, only what touched one of them was undone or changed.

        Raises NotFound: nothing is left to reapply; Conflict: as `undo`.
        """
        whole, found = replace(scope, projects=None), self._newest(scope, Step.REDO)
        if found is None:
            raise NotFound(
                f"There is nothing of agent {scope.agent!r}{_where(scope)} to redo",
                "Only what undo took back comes again, and only until the agent's next change",
            )
        return self._write(whole, found, plan_reversal(self.door, whole, found, self.clock()), Step.REDO)

    def _newest(self, scope: Scope, step: Step) -> Found | None:
        """The write to reverse: for undo the newest change or redo that stands, for redo the newest undo since the last
        change. Raises Conflict if an unreadable line comes first, or a forget of which nothing tells that it was
        another project's."""
        since: list[AuditEntry] = []
        reversed_ids: set[str] = set()
        met: set[str] = set()
        forgot: AuditEntry | None = None
        lines = self._lines(replace(scope, projects=None))
        for line in lines:
            effect = line.effect
            if line.agent == scope.agent:
                which = "change before" if reversed_ids else _LAST
                if effect is None or line.action == "forget":
                    if step is Step.REDO:
                        return None
                    if effect is None or scope.projects is None:
                        raise _refusal(line, which, lines)
                    # Who has taken back something of before it has seen it.
                    forgot = forgot or (None if reversed_ids - met else line)
                    since.append(line)
                    continue
                met.add(effect.id)
                is_asked = effect.id not in reversed_ids and self._touches(scope, line, effect, step)
                if effect.id and effect.step is not Step.UPKEEP and is_asked:
                    if (effect.step is Step.UNDO) is (step is Step.REDO):
                        return Found(line, effect, since, which, forgot)
                    if effect.step is Step.CHANGE:
                        return None
                    reversed_ids.add(effect.takes_back)
            since.append(line)
        return None

    def _touches(self, scope: Scope, line: AuditEntry, effect: Effect, step: Step) -> bool:
        """Whether a change, or the undo of one, is of the projects that the scope is narrowed to. What only says that a
        later line was reversed always is."""
        if scope.projects is None or effect.step is step:
            return True
        return bool(self.door.asking(scope).fetch(touched_by(self.door, scope, line, effect)))

    def _lines(self, scope: Scope) -> Iterator[AuditEntry]:
        """The audit log, newest first, read in growing portions."""
        read = 0
        for power in count():
            limit = _FIRST_LINES * 4**power
            lines = self.door.asking(scope).audit_log(limit)
            yield from lines[read:]
            if len(lines) < limit:
                return
            read = len(lines)

    def _write(
        self,
        scope: Scope,
        found: Found,
        plan: Reversal,
        step: Step,
        beside: Callable[[Transaction], object] = lambda _: None,
    ) -> Undone:
        restored = [new for new, _ in plan.restored]
        signals = self.preparation.encode_again(restored, [old.id for _, old in plan.restored])
        effect = _effect_of(found, plan, step)
        used: list[tuple[str, Use, Use]] = []

        def work(writes: Transaction) -> None:
            beside(writes)
            if effect.dream:
                _note_undone(writes, effect.dream, is_undone=step is not Step.UNDO)
            hold_open(writes, [*plan.taken_back, *plan.others])
            hold_heads(writes, plan.heads)
            for old in plan.taken_back:
                reason = InvalidationReason.DISCOVERED_FALSE
                writes.expire(old.id, plan.at, reason, plan.successor_of(old))
            writes.insert([Entry(*pair) for pair in zip(restored, signals, strict=True)])
            before = {old.logical_id: old for old in plan.taken_back}
            writes.link(
                [
                    returning_link(before.get(new.logical_id, old), new, old)
                    for new, old in plan.restored
                    if new.invalidation_reason is None
                ]
            )
            ended = [each.id for each in plan.written]
            writes.expire_link(ended, plan.at, InvalidationReason.DISCOVERED_FALSE)
            writes.link(plan.again)
            used[:] = use_again(writes, plan.uses, is_strict=plan.changed == 0)
            writes.set_energies(plan.faded)
            for subject, said in _lines_of(found, plan, used, writes.records, step):
                action = f"undo {found.action}" if step is Step.CHANGE else str(step)
                writes.audit(action, subject, said, plan.at, effect)

        self.door.write(scope, work)
        return Undone(
            found.action,
            plan.at,
            tuple(plan.taken_back),
            tuple(restored),
            links=plan.links,
            uses=len({subject for subject, *_ in used}),
        )


def _effect_of(found: Found, plan: Reversal, step: Step) -> Effect:
    """What the audit log keeps of a reversal."""
    # Links between versions are noted by their writes only where they are the whole change.
    linked = (each for each in plan.again if each.source_id == each.target_id)
    return Effect(
        step=step,
        of="" if step is Step.CHANGE else found.action,
        takes_back=found.effect.id,
        linked=tuple(LinkChange(each.id, each.source_id) for each in linked),
        stands_for=plan.stands_for,
        dream=found.effect.dream,
    )


def _note_undone(writes: Transaction, dream: str, *, is_undone: bool) -> None:
    """Keep whether a dream is taken back."""
    others = [each for each in (writes.held_mark(UNDONE) or {}).get("dreams", ()) if each != dream]
    dreams = [*others, dream][-_MOST_DREAMS:] if is_undone else others
    writes.save_mark(UNDONE, {"dreams": dreams} if dreams else None)


def _where(scope: Scope) -> str:
    return f" in {', '.join(scope.projects)}" if scope.projects else ""


def _refusal(line: AuditEntry, which: str, before: Iterator[AuditEntry]) -> Conflict:
    """Why the change of a line cannot be taken back; `which` it is, as a message calls it; `before`: lines above."""
    if line.action == "forget":
        return Conflict(
            f"The {which} was forgetting {_forgotten(line, (line, *before))}, which cannot be undone",
            "What was forgotten is gone for good; remember it again if you still know it",
        )
    return Conflict(
        f"The {which} was {line.action!r} in an older version, which did not keep what it did",
        "Correct what is wrong with revise; the history of each memory has what it said before",
    )


def _forgotten(line: AuditEntry, lines: Iterable[AuditEntry]) -> str:
    """What the forgetting of a line took, as a message calls it; `lines`: newest first."""
    at_once = sum(1 for each in lines if (each.action, each.at) == (line.action, line.at))
    return f"{at_once:,} memories at once" if at_once > 1 else line.subject


def _lines_of(
    found: Found, plan: Reversal, used: Sequence[tuple[str, Use, Use]], records: int, step: Step
) -> list[tuple[str, str]]:
    """Subjects and reasons of the audit log's lines."""
    does = f"{'brings again' if step is Step.REDO else 'takes back'} {found.action}"
    if records:
        return [(found.line.subject, f"{records_line(records)}: {does}")]
    if plan.links:
        gone = [(link, f"link from {link.source_id} to {link.target_id} taken back") for link in plan.written]
        back = [(link, f"link from {link.source_id} to {link.target_id} restored") for link in plan.again]
        return [(link.id, said) for link, said in (*gone, *back)]
    if plan.faded and not used:
        return [(found.line.subject, does)]
    return [
        (subject, does if before == after else f"{use_line(before, after)}: {does}")
        for subject, before, after in used
    ]
