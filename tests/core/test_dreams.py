"""The rules of dreams: when one starts, what says the same, what is merged, how energy fades, what recurs."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from uuid_utils import uuid7

from engramforge.core.dreams.duplicates import Said, alike, merged, said_of
from engramforge.core.dreams.fading import energy_now
from engramforge.core.dreams.recurring import once_of, recurring
from engramforge.core.dreams.starting import QUIET, Unrest, is_busy, may_start, restless_since
from engramforge.core.dreams.wording import wording_of
from engramforge.model.memory import Attachment, Chunk, Kind, Memory, ResolutionState, Source
from engramforge.model.scope import Level
from engramforge.model.time import InvalidationReason

NOW: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)


def memory(content: str = "The pier server restarts at two.", **fields: Any) -> Memory:
    known = {"kind": Kind.NOTE, "source": Source.API, "project": "p", "valid_at": NOW, "created_at": NOW}
    new = str(uuid7())
    return Memory(**{"id": new, "logical_id": new, "version": 1, "content": content, **known, **fields})


def said(content: str = "The pier server restarts at two.", **fields: Any) -> Said:
    found = said_of(memory(content, **fields))
    assert found is not None
    return found


SAME = (
    ("The deploys go out on Tuesdays.", "the deploys go out on Tuesdays"),
    ("Restart the server", "restart the  server."),
    ("I\u2019m in the EU. Can I get one?", "I'm in the EU.  Can I get one?"),
    ("\u201cKeep backups.\u201d", '"Keep backups."'),
    ("Keep it \u2013 for now", "Keep it - for now"),
    ("Caf\u00e9 opens late", "Cafe\u0301 opens late."),
    ("\u5317\u4eac\u4e0b\u96e8\u4e86\u3002", "\u5317\u4eac\u4e0b\u96e8\u4e86"),
    (" Keep the logs:\r\n- of May \n", "Keep the logs:\n- of May"),
)
OTHER = (
    ('Use ":" as the separator in exports.', 'Use ";" as the separator in exports.'),
    ('Part them by "  " in exports', 'Part them by " " in exports'),
    ("Part them by '  ' in exports", "Part them by ' ' in exports"),
    ("Don't! Stop the pump.", "Don't stop the pump."),
    ("No, delete the backups.", "No delete the backups."),
    ("Append . to the name", "Append ! to the name"),
    ("Run git add . before tests", "Run git add before tests"),
    ("Run git add .", "Run git add"),
    ("rm -rf .", "rm -rf"),
    ("cd ..", "cd ."),
    ("The password is hunter2!", "The password is hunter2."),
    ("The password is hunter2.", "The password is hunter2"),
    ("The limit is\n- 5 degrees", "The limit is\n5 degrees"),
    ("- 5 degrees is the limit", "5 degrees is the limit"),
    ("The limit is \u22125", "The limit is 5"),
    ("IM is down in Oslo", "I am is down in Oslo"),
    ("Ada sent the team her thanks", "Ada sent the team her"),
    ("Will owns the pier", "will owns the pier"),
    ("The Who plays tonight", "Who plays tonight"),
    ("Who plays tonight", "who plays tonight"),
    ("Please restart it", "Restart it"),
    ("Ship Friday. Never Monday.", "Ship Friday never. Monday."),
    ("Wait...", "Wait"),
    ("Run:\nmake\nclean", "Run:\nmake clean"),
    ("How do I top up", "How do I top up?"),
    ("Keep 3 copies.", "Keep 4 copies."),
    ("Keep version 1.2", "Keep version 1.20"),
    ("The offset is -5", "The offset is 5"),
    ("It takes 10\u00b2 steps", "It takes 102 steps"),
    ("Do restart the server.", "Do not restart the server."),
    ("We can deploy", "We can't deploy"),
    ("Ask Mark about it", "Ask mark about it"),
    ("The US office", "The us office"),
    ("Ada pays Bob", "Bob pays Ada"),
    ("Moved from Oslo to Rome", "Moved from Rome to Oslo"),
    ("We deploy on Friday", "We deployed on Friday"),
    ("Few people came", "A few people came"),
    ("It is safe.", "Is it safe?"),
    ("It works.", "It works?"),
    ("Is it done? It is.", "Is it done. It is?"),
    ("Call foo(a)", "Call Foo(a)"),
    ("Run make_all", "Run make-all"),
    ("Take vitamin A", "Take vitamin"),
    ("Mach das Licht an", "Mach das Licht"),
    ("Ok \U0001f44d", "Ok \U0001f44e"),
    ("x = [\n    1]\nprint(x)", "x = [ 1] print(x)"),
    ("```\na = 1\n```", "```\na = 1;\n```"),
    ("| a | b |\n| 1 | 2 |", "| a | b | | 1 | 2 |"),
    ("???", "!!!"),
)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_words_are_the_same(one: str, other: str) -> None:
    mine, theirs = wording_of(one), wording_of(other)
    assert mine is not None and theirs is not None and mine.key == theirs.key


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_a_number_a_name_a_negation_or_code_is_another(one: str, other: str) -> None:
    mine, theirs = wording_of(one), wording_of(other)
    assert mine is not None and theirs is not None and mine.key != theirs.key


def test_texts_of_nothing_and_of_anything_have_a_wording_or_none() -> None:
    assert wording_of("") is None and wording_of(" \n\t") is None
    for odd in (
        ".",
        "the",
        "please",
        "\x00",
        "\ud800",
        "n't",
        "'",
        '"',
        "I'm",
        "\u200b",
        "- ",
        "a" * 100_000,
    ):
        found = wording_of(odd)
        assert found is not None and len(found.key) == 16


def test_what_is_merged_has_the_same_fields_and_day() -> None:
    base = said()
    assert alike([base, said("the pier server restarts at two")])
    others = {
        "project": "q",
        "level": Level.COLLECTIVE,
        "agent": "ada",
        "kind": Kind.LEARNING,
        "speaker": "Ada",
        "name": "n",
        "tags": ("t",),
        "metadata": {"customer": 7},
        "goal": "g",
        "mindstate": "m",
        "confidence": 0.9,
        "resolution_state": ResolutionState.RESOLVED,
        "invalid_at": NOW + DAY,
        "valid_at": NOW + DAY,
    }
    for name, value in others.items():
        assert not alike([base, said(**{name: value})]), name
    assert alike([base, said(valid_at=NOW + DAY - HOUR)])
    piece = Chunk("f.md", 0, 1, 0)
    never = (
        {"kind": Kind.PROMPT},
        {"kind": Kind.DECISION},
        {"chunk": piece},
        {"sequence": 1},
        {"version": 2},
        {"attachments": (Attachment("a.png"),)},
        {"expired_at": NOW},
        {"invalidation_reason": InvalidationReason.REALITY_CHANGED},
        {"metadata": {"learned_of": ["x"]}},
    )
    assert [each for each in never if said_of(memory(**each)) is not None] == []


def test_which_one_stays() -> None:
    early, late = said(valid_at=NOW - HOUR), said()
    hot, used = said(energy=0.9), said(access_count=5)
    found = merged([late, early], ())
    assert found is not None and found.kept == early and found.gone == (late,)
    found = merged([early, late, used], ())
    assert found is not None and found.kept == used
    found = merged([early, hot, used], ())
    assert found is not None and found.kept == hot
    # What has links to others is never merged away, and stays for those that have none.
    found = merged([early, hot, late], {late.logical_id})
    assert found is not None and found.kept == late and set(found.gone) == {early, hot}
    assert merged([early, late], {early.logical_id, late.logical_id}) is None


def test_days_do_not_chain() -> None:
    hours = [said(valid_at=NOW + timedelta(hours=10 * number)) for number in range(6)]
    assert [len(group) for group in alike(hours)] == [3, 3]


def test_fading_depends_on_the_time_since_and_not_on_how_often() -> None:
    given = memory(energy=0.9)
    once = energy_now(given, None, NOW + 45 * DAY)
    assert once == pytest.approx(0.7)
    often, last = given, None
    for day in range(1, 46):
        often = replace(often, energy=energy_now(often, last, NOW + day * DAY))
        last = NOW + day * DAY
    assert often.energy == pytest.approx(once, abs=1e-12)
    # Nothing fades twice, nor where the clock jumped back.
    assert energy_now(often, last, NOW + 45 * DAY) == often.energy == energy_now(often, last, NOW - DAY)
    assert energy_now(memory(energy=0.3), None, NOW + 900 * DAY) == 0.3
    assert energy_now(given, None, NOW + 3_000 * DAY) == 0.5


def test_what_is_resolved_fades_faster_what_is_blocked_or_used_slower() -> None:
    later = NOW + 30 * DAY
    by_state = [
        energy_now(memory(energy=1.0, resolution_state=state), None, later) for state in ResolutionState
    ]
    open_, blocked, resolved = by_state
    assert resolved < open_ < blocked
    assert resolved == pytest.approx(0.5 + 0.5 * 0.5 ** (30 / 13.5))
    assert energy_now(memory(energy=1.0, access_count=9), None, later) > open_
    assert energy_now(memory(energy=1.0, last_accessed_at=later), None, later) == 1.0
    # Resolved half-way: as long as it was open it faded as what is open.
    fields = {"resolution_state": ResolutionState.RESOLVED, "metadata": {"said_since": NOW.isoformat()}}
    halfway = memory(energy=1.0, valid_at=NOW + 15 * DAY, **fields)
    assert energy_now(halfway, None, later) == pytest.approx(
        0.5 + 0.5 * 0.5 ** (15 / 45) * 0.5 ** (15 / 13.5)
    )


RULE: Final = "Always run the linter before pushing a branch."


def times(count: int, content: str = RULE, **fields: Any) -> list[Memory]:
    made = (
        {"kind": Kind.PROMPT, "session_id": f"s{day}", "valid_at": NOW + day * DAY, **fields}
        for day in range(count)
    )
    return [memory(content, **each) for each in made]


def found_in(memories: list[Memory], known: Set[tuple[str, tuple[str, str]]] = frozenset()) -> list[int]:
    counted = [once for each in memories if (once := once_of(each)) is not None]
    return [len(each.times) for each in recurring(counted, known)]


def test_what_recurs_on_three_days_in_three_sessions() -> None:
    assert found_in(times(3)) == [3] and found_in(times(2)) == []
    assert found_in(times(4, session_id="one")) == [] and found_in(times(4, valid_at=NOW)) == []
    assert found_in(times(3, session_id=None)) == [3]
    assert found_in(times(3, "Go on please.")) == []
    assert found_in(times(3, "How do we run the linter before pushing?")) == []
    assert found_in(times(3, source=Source.ASSISTANT_RESPONSE)) == []
    assert found_in(times(3, kind=Kind.MESSAGE, speaker="Assistant")) == []
    assert found_in(times(3, kind=Kind.RESPONSE)) == []
    mixed = [*times(2), *times(3, agent="ada")[2:]]
    assert found_in(mixed) == []
    first = once_of(times(1)[0])
    assert first is not None and found_in(times(3), {(first.key, first.whose)}) == []


def unrest(**fields: Any) -> Unrest:
    known = {"memories": 40, "entropy": 0.8, "churn": 0.0, "restless_since": NOW, "dreamt_at": None}
    return Unrest(**{**known, "memories_then": 0, **fields})


def test_when_a_dream_may_start() -> None:
    later = NOW + timedelta(minutes=5, seconds=1)
    assert may_start(unrest(), later)
    assert not may_start(unrest(), NOW + timedelta(minutes=5))
    assert may_start(unrest(churn=0.51), NOW)
    assert not may_start(unrest(churn=0.5), NOW)
    assert not may_start(unrest(memories=29), later)
    assert not may_start(unrest(restless_since=None, entropy=0.7, churn=1.0), later)
    # Once a day; where nothing was written since, once a week.
    assert not may_start(unrest(dreamt_at=later - timedelta(hours=23)), later)
    assert may_start(unrest(dreamt_at=later - DAY), later)
    assert not may_start(unrest(dreamt_at=later - 6 * DAY, memories_then=40), later)
    assert may_start(unrest(dreamt_at=later - 7 * DAY, memories_then=40), later)
    # The clock jumped back: a dream to come hinders nothing, and unrest to come has lasted no time yet.
    assert may_start(unrest(dreamt_at=later + 300 * DAY), later)
    assert not may_start(unrest(restless_since=later + DAY), later)
    assert restless_since(later + DAY, 0.8, later) == later


def test_nobody_dreams_beside_somebody() -> None:
    assert is_busy([NOW - QUIET + timedelta(seconds=1)], NOW) and not is_busy([NOW - QUIET], NOW)
    assert not is_busy([], NOW) and not is_busy([NOW + 300 * DAY], NOW) and is_busy([NOW + HOUR / 60], NOW)
