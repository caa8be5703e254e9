"""Shifts of activity end to end: told once with the prompt that shows one, kept by ids, told where one looks back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from engramforge.answer.shifts.kept import keep, kept_shifts
from engramforge.core.injection.budget import ALERTS
from engramforge.core.injection.layout import TITLES
from engramforge.core.injection.tokens import tokens_of
from engramforge.errors import NotFound
from engramforge.forge import Forge
from engramforge.model.injection import Injection, Section
from engramforge.model.spaces import Space
from engramforge.model.topics.shift import SHIFTS_KEPT

TITLE = TITLES[Section.SHIFT]
BEGIN = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
STEP = timedelta(seconds=70)
KILN = (
    "How hot does the pottery kiln get when it fires the clay bowls?",
    "The clay bowls crack when the pottery kiln cools too fast.",
    "Which glaze should the clay bowls get before the kiln fires them?",
    "Fire the glazed clay bowls in the pottery kiln once more.",
    "Let the pottery kiln cool slowly, so that no clay bowl cracks.",
)
TAXES = (
    "Which invoices belong into the quarterly tax declaration?",
    "Sum up the invoices that the tax declaration of this quarter needs.",
    "Send the quarterly tax declaration with its invoices to the office.",
    "Is the quarterly tax declaration late when one invoice is missing?",
)
TIDES = (
    "Where does the harbour master keep the tide tables of last winter?",
    "The harbour's tide tables of last winter lack two high waters.",
    "Print the corrected tide tables for the harbour master.",
    "Which high waters of the tide tables does the harbour master doubt?",
    "Mark the doubtful high waters in the tide tables red.",
)


class Session:
    """A session whose prompts come a minute apart and more, and are recorded after each."""

    def __init__(self, em: Forge, name: str, begin: datetime = BEGIN) -> None:
        self.em, self.name, self.now = em, name, begin

    def starts(self) -> Injection | None:
        return self._event("SessionStart", source="startup")

    def asks(self, prompt: str) -> Injection | None:
        self.now += STEP
        found = self._event("UserPromptSubmit", prompt=prompt)
        self.em.remember(
            prompt,
            project="atlas",
            kind="prompt",
            session_id=self.name,
            valid_at=self.now,
        )
        return found

    def alerts(self, *prompts: str) -> list[int]:
        found = [self.asks(each) for each in prompts]
        return [place for place, each in enumerate(found) if each is not None and TITLE in each.text]

    def _event(self, name: str, **fields: str) -> Injection | None:
        event = {"hook_event_name": name, "session_id": self.name, "project": "atlas", **fields}
        return self.em.injections.for_event(event, now=self.now)


@pytest.fixture
def shifted(em: Forge) -> Iterator[Session]:
    """A session that went on with one matter, and begins another: one prompt alone may be an odd one."""
    session = Session(em, "work")
    assert session.alerts(*KILN, TAXES[0]) == []
    yield session


@pytest.mark.each_engine
def test_a_shift_is_told_once_kept_by_ids_and_told_where_one_looks_back(shifted: Session, em: Forge) -> None:
    told = shifted.asks(TAXES[1])
    assert told is not None and TITLE in told.text and KILN[-1] in told.text
    line = told.text.partition(f"{TITLE}\n")[2].partition("\n<")[0]
    assert "meaning 0." in line and "semantic" not in line
    assert tokens_of(line) <= ALERTS
    assert [each.section for each in told.memories if each.section is Section.SHIFT] == [], (
        "no memory is told"
    )
    assert shifted.alerts(*TAXES[2:]) == [], "silent until activity is like something recent"
    assert shifted.alerts(KILN[0], KILN[2]) == [], "what one was at a while ago is recent"
    assert shifted.alerts(*TIDES) == [1], "what is new is told once more"

    back, there = em.topics.shifts("atlas")
    assert (there.project, there.session, there.at) == ("atlas", "work", BEGIN + 7 * STEP)
    assert there.before == KILN[-1] and there.after == TAXES[1]
    assert there.spaces[0][0] in (Space.SEMANTIC, Space.LATE_INTERACTION) and there.spaces[0][1] < 0.3
    assert back.before == KILN[2] and back.after == TIDES[1]
    assert em.topics.shifts(limit=1) == [back]
    with pytest.raises(NotFound):
        em.topics.shifts("nowhere")

    later = Session(em, "next", BEGIN + timedelta(hours=9)).starts()
    assert later is not None and TIDES[1] in later.text.partition(TITLE)[2], "the portfolio's last line"

    assert there.before_id is not None and there.after_id is not None
    em.forget(there.before_id)
    em.forget(there.after_id)
    again = em.topics.shifts("atlas")[1]
    assert (again.before_id, again.before, again.after_id) == (None, "", None)
    assert KILN[-1] not in str(em.topics.shifts()) and TAXES[1] not in str(em.topics.shifts())


def test_a_mark_in_what_an_alert_tells_is_escaped_once(em: Forge) -> None:
    session = Session(em, "work")
    for each in (*KILN[:-1], f"</engramforge-context> {KILN[-1]}", TAXES[0]):
        session.asks(each)
    told = session.asks(TAXES[1])
    assert told is not None and "&lt;/engramforge-context>" in told.text.partition(TITLE)[2]
    assert "&amp;" not in told.text


def test_short_prompts_other_projects_and_those_who_give_up_raise_nothing(
    shifted: Session, em: Forge
) -> None:
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "work", "project": "atlas"}
    event["prompt"] = TAXES[1]
    now = shifted.now + timedelta(seconds=30)
    assert em.injections.for_event(event, now=now, if_kept=lambda: False) is None
    assert em.topics.shifts() == [], "nobody heard of it"
    command = event | {"prompt": f"/cost {TAXES[1]}"}
    assert em.injections.for_event(command, now=now + timedelta(seconds=1)) is None, "the host's command"
    assert shifted.alerts(TAXES[1]) == [0], "so it is told with the next prompt"
    assert [each.after for each in em.topics.shifts()] == [TAXES[1]]
    event |= {"session_id": "elsewhere", "project": "beacon"}
    assert em.injections.for_event(event, now=now) is None, "nothing is recent there"
    brief = Session(em, "brief", BEGIN + timedelta(hours=5))
    assert brief.alerts(*KILN, "which invoices?", "and tides?") == [], "they say too little, even together"


def test_answers_are_judged_with_the_prompts_around_them(em: Forge) -> None:
    session = Session(em, "work")

    def answered(prompt: str, answer: str) -> list[int]:
        found = session.alerts(prompt)
        moment = session.now + timedelta(seconds=20)
        em.remember(answer, project="atlas", kind="response", session_id="work", valid_at=moment)
        em.injections.get_ready({"session_id": "work", "project": "atlas"})
        return found

    for prompt, answer in zip(KILN, KILN[1:] + KILN[:1], strict=True):
        assert answered(prompt, answer) == []
    held = em._stages.shift_watching._sessions[em._scope.agent, "work"].recent
    assert held is not None
    (laid,) = held.laid.values()
    assert len(laid.said) == 2 and laid.before[0].content == KILN[-1], "the last prompt and its answer"
    assert answered(TAXES[0], KILN[0]) == [], "only the prompt is of another matter, its answer is not"
    assert session.alerts(TAXES[1]) == []


def test_a_restart_keeps_silent_what_was_alerted(shifted: Session, em: Forge) -> None:
    assert shifted.alerts(TAXES[1]) == [0]
    em._stages.shift_watching._sessions.clear()
    assert shifted.alerts(*TIDES[:2]) == []


def test_what_was_captured_is_laid_out_before_the_next_prompt(shifted: Session, em: Forge) -> None:
    em.injections.get_ready({"session_id": "work", "project": "atlas"})
    held = em._stages.shift_watching._sessions[em._scope.agent, "work"].recent
    assert held is not None
    assert [each.content for each in held.memories] == [TAXES[0], *KILN[::-1]]
    ready = dict(held.laid)
    assert [each.content for each in ready[0, 1].before] == list(KILN[::-1])
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "work", "project": "atlas"}
    now = shifted.now + timedelta(minutes=1)
    em.injections.for_event(event | {"prompt": TAXES[1]}, now=now, if_kept=lambda: False)
    again = em._stages.shift_watching._sessions[em._scope.agent, "work"].recent
    assert again is held and held.laid == ready, "a prompt lays out nothing more"
    assert shifted.alerts(TAXES[1]) == [0]
    em._stages.forget_kept()
    assert em._stages.shift_watching._sessions[em._scope.agent, "work"].recent is None


def test_kept_shifts_are_bounded(shifted: Session, em: Forge) -> None:
    from engramforge.answer.shifts.kept import keep

    assert shifted.alerts(TAXES[1]) == [0]
    one = em.topics.shifts()[0]
    for _ in range(SHIFTS_KEPT + 5):
        keep(em._stages.door, em._scope, one)
    assert len(em.topics.shifts(limit=1_000)) == SHIFTS_KEPT


@pytest.mark.each_engine
def test_nothing_of_shifts_is_left_of_a_forgotten_project(shifted: Session, em: Forge) -> None:
    shifted.asks(TAXES[1])
    assert len(em.topics.shifts("atlas")) == 1
    odd = em.lend("default/atlas")
    odd.remember("The harbour is closed.", project="pier", level="collective")
    # Neither an agent nor a project is another's for a slash.
    em.remember("The harbour is open.", project="atlas/pier")
    door, scope = em._stages.door, em._scope
    kept = kept_shifts(door.asking(scope), scope, "atlas")
    keep(door, replace(scope, agent="default/atlas"), replace(kept[0], project="pier"))
    assert em.topics.shifts("atlas/pier") == [] and len(odd.topics.shifts("pier")) == 1
    em.forget(project="atlas", confirmed=True)
    marks = list(door.asking(scope).marks("topics:shifts/"))
    assert marks == ["topics:shifts/default%2Fatlas/pier"]
    assert list(em.injections.list()) == []
