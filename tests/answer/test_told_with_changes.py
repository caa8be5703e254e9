"""No injection has what a person changed since without the change, wherever either is told."""

from __future__ import annotations

from itertools import product

from tests.answer.test_injections import asked, edits, event, started

from engramforge.answer.injection.offers import sources_of
from engramforge.core.injection.inputs.overtaking import overtakes
from engramforge.forge import Forge
from engramforge.model.injection import Injection
from engramforge.model.memory import Memory

# A statement, what was answered, its change, and a question of it.
CHANGES = (
    (
        "newsletters get sent on the 2nd of the month",
        "Noted.",
        "newsletters on the 9th from now on",
        "when are newsletters sent?",
    ),
    (
        "the scale listens on 7070",
        "Port 7070.",
        "the scale listens on 7171 now, 7070 clashes with the oven",
        "on which port does the scale listen?",
    ),
    (
        "berths expire 12 months after payment",
        "BERTH_MONTHS = 12.",
        "jan called: berths expire after 15 months now, not 12",
        "when does a berth expire?",
    ),
    ("photographs are 900 px high", "900 px.", "make the photos 1200", "how high are the photographs?"),
    (
        "the wiki url is https://wiki.harbour.example",
        "Noted.",
        "wiki is now at https://docs.harbour.example",
        "what is the wiki url?",
    ),
    ("ring 4 times then hang up", "Done.", "6 rings please", "how often do we ring?"),
    (
        "labels are printed in german",
        "German.",
        "actually french on the labels",
        "which language on the labels?",
    ),
)
FILL = ("the gulls were loud on the quay", "a choir sang in the church", "the trainee painted the fence")


def _say(local: Forge, session: str, project: str, *turns: str) -> list[Memory]:
    return [
        local.remember(
            said,
            project=project,
            kind="response" if number % 2 else "prompt",
            session_id=session,
            speaker="assistant" if number % 2 else "user",
        )
        for number, said in enumerate(turns)
    ]


def _stale(local: Forge, turns: list[Memory], found: Injection | None) -> list[str]:
    """What is told though a later one of these turns overtakes that and is not told."""
    if found is None:
        return []
    told = list(local.injections.contents(found.id).values())
    ids = {id_ for each in told for id_ in (each.logical_id, *sources_of(each))}
    return [
        each.content
        for each in told
        for turn in turns
        if turn.valid_at > each.valid_at
        and overtakes(turn.content, each.content)
        and turn.logical_id not in ids
    ]


def test_nothing_is_told_without_what_changed_it(local: Forge) -> None:
    wrong: list[str] = []
    count = 0
    for number, (old, answer, new, question) in enumerate(CHANGES):
        project = f"p{number}"
        later = f"{project} a" if number % 2 else f"{project} b"
        _say(local, f"{project} a", project, old, answer, FILL[0], "ok", FILL[1], "ok")
        turns = _say(local, later, project, new, "Done.", FILL[2], "ok")[::2]
        where = {"cwd": f"/projects/{project}"}
        for cause, session in product(("", "startup", "compact"), ("a", "b", "c")):
            told = []
            name = f"{project} {session}" if cause == "compact" else f"{project} {session} {cause}"
            if cause:
                told.append(local.injections.for_event(event("SessionStart", name, source=cause, **where)))
            told.append(asked(local, question, name, **where))
            count += sum(found is not None and old in found.text for found in told)
            wrong += [f"{cause} {session}: {each}" for found in told for each in _stale(local, turns, found)]
    assert not wrong and count >= len(CHANGES)  # the old ones are told, with their changes


def test_an_old_value_is_not_told_where_a_session_began_with_the_new_one(local: Forge) -> None:
    old, answer, new, question = CHANGES[0]
    _say(local, "a", "atlas", old, answer, FILL[0], "ok", FILL[1], "ok")
    _say(local, "b", "atlas", new, "Done.")
    begun = started(local, session="c")
    assert begun is not None and "9th" in begun.text
    told = asked(local, question, session="c")
    assert told is None or "2nd" not in told.text
    # Where it is before nobody's eyes, both are told, the newer first.
    told = asked(local, question, session="d")
    assert told is not None and 0 < told.text.index("9th") < told.text.index("2nd")


def test_an_echo_is_told_with_what_changed_what_it_repeats(local: Forge) -> None:
    for number, (old, answer, new, question) in enumerate(CHANGES[1:3]):
        where, project = {"cwd": f"/projects/p{number}"}, f"p{number}"
        _say(local, f"{project} a", project, old, answer, FILL[0], "ok", FILL[1], "ok")
        _say(local, f"{project} b", project, new, "Done.", FILL[2], "ok")
        told = asked(local, question, session=f"{project} c", **where)
        assert told is not None and new in told.text
        assert answer not in told.text or told.text.index(new) < told.text.index(answer)


def test_a_deed_brings_a_decision_with_its_change(local: Forge) -> None:
    local.decisions.create("retry_limit in settings.py is 9", project="atlas", conversation="before")
    _say(local, "b", "atlas", "bump the retry_limit in settings.py to 12", "ok")
    told = edits(local, "/projects/atlas/settings.py")
    assert told is None or "to 12" in told.text or "is 9" not in told.text


def test_a_compacted_session_is_told_what_was_changed_without_its_name(local: Forge) -> None:
    _say(
        local, "now", "atlas",
        "margin 8 px everywhere", "ok",
        "set it to 12", "Set the margin to 12 px.",
        "the hull is blue, #0044aa", "ok",
        "add a mast", "Added.",
        "hm make that green, #00aa44", "Painted the hull green.",
        "release 0.3", "Tagged.",
        "the pause should be 30 s", "ok",
        "no, make it 45", "45 s.",
    )  # fmt: skip
    found = started(local, "compact")
    assert found is not None
    lines = [each.text.partition("] ")[2] for each in found.memories]
    assert {'set it to 12 (to: "margin 8 px everywhere")'} <= set(lines)
    assert any(each.startswith("hm make that green") and "the hull is blue" in each for each in lines)
    alone = [each for each in lines if "(to: " not in each]
    assert not any(old in each for each in alone for old in ("8 px", "blue", "30 s", "0.3"))
    told = asked(local, "what is the margin?", session="later")
    assert told is not None and "12" in told.text


def test_a_value_is_told_with_what_changed_it_in_a_later_session_without_its_name(local: Forge) -> None:
    _say(local, "one", "atlas", "the mooring holds at 30 knots of wind", "Noted.")
    _say(
        local,
        "two",
        "atlas",
        "what wind does the mooring hold at?",
        "30 knots",
        "make it 28",
        "The mooring is at 28.",
    )
    _say(local, "three", "atlas", "set it to 45", "The oven is at 45 degrees.")
    found = asked(local, "how much wind does the mooring hold?", "now")
    assert found is not None
    lines = [each.text.partition("] ")[2] for each in found.memories]
    assert lines[0].startswith("make it 28 (to: ") or not any("30 knots" in each for each in lines)
    assert not any("45" in each for each in lines)


def test_a_start_shows_no_prompt_whose_decision_ended_as_where_it_stopped(local: Forge) -> None:
    _say(
        local, "before", "atlas",
        "we use a margin of 8 mm everywhere, decided", "Noted.",
        "which wind does the mooring hold?", "30 knots.",
        "make it 28", "The mooring is set to 28.",
        "thanks", "Any time.",
    )  # fmt: skip
    _say(
        local,
        "last",
        "atlas",
        "we use a lamp of 40 W at the gate, decided",
        "Noted.",
        "60 is better, change it",
        "ok",
    )
    found = started(local)
    assert found is not None
    assert "60 W" in found.text and "40 W" not in found.text


def test_what_was_asked_right_before_tells_what_a_turn_changes(local: Forge) -> None:
    _say(local, "one", "atlas", "the sprinkler runs for 20 minutes", "ok")
    _say(
        local,
        "two",
        "atlas",
        "how long does the sprinkler run?",
        "20 minutes.",
        "a swamp! 12 then",
        "12 now.",
    )
    _say(local, "two", "atlas", "the drawers are kept in oak", "ok", "nope, larch", "Larch then.")
    _say(local, "three", "atlas", "we use tar for the roof", "ok", "draw the plan", "Drawn.")
    _say(local, "three", "atlas", "actually bitumen, far less mess", "Changed it to bitumen.")
    for question, later, older in (
        ("how long does the sprinkler run?", "12 then", "20 minutes"),
        ("what are the drawers kept in?", "larch", "oak"),
        ("what do we use for the roof?", "bitumen", "tar for"),
    ):
        found = asked(local, question, question)
        assert found is not None
        lines = [each.text.partition("] ")[2] for each in found.memories]
        # The later one is told, and before the older one.
        (at,) = (at for at, line in enumerate(lines) if later in line)
        assert all(at <= place for place, line in enumerate(lines) if older in line)
    found = started(local)
    assert found is not None
    decided = [each.text for each in found.memories if "tar for" in each.text or "bitumen" in each.text]
    assert "bitumen" in decided[0]


def test_a_start_tells_the_plain_values_that_hold(local: Forge) -> None:
    turns = ("the pump runs at 3 am", "ok", "berths are 12 m long", "ok", "the test took 12 minutes", "ok")
    _say(local, "one", "atlas", *turns, "keys need 8 characters", "ok", "crew limit is 6", "ok")
    for place, said in enumerate(FILL):
        _say(local, f"fill {place}", "atlas", f"write a song: {said}", "Done.")
    _say(
        local,
        "two",
        "atlas",
        "when does the pump run?",
        "At 3 am.",
        "make it 4",
        "The pump runs at 4 am now.",
    )
    _say(local, "two", "atlas", "keys must have 10 characters", "ok", "write the song of the choir", "Done.")
    found = started(local)
    assert found is not None
    told = [each.content for each in local.injections.contents(found.id).values()]
    assert {"berths are 12 m long", "crew limit is 6", "keys must have 10 characters"} <= set(told)
    assert 'make it 4 (to: "the pump runs at 3 am")' in found.text
    assert not {"the pump runs at 3 am", "keys need 8 characters", "the test took 12 minutes"} & set(told)
    # The newest stand before others.
    assert found.text.index("crew limit is 6") < found.text.index("berths are 12 m")


def test_what_was_read_of_turns_before_is_forgotten_with_them(local: Forge) -> None:
    pump, _ = _say(local, "one", "atlas", "the pump runs at 3 am", "ok")
    for place, said in enumerate(FILL):
        _say(local, f"fill {place}", "atlas", f"write a song: {said}", "Done.")

    def told(session: str) -> str:
        found = started(local, session=session)
        return "" if found is None else found.text

    assert "the pump runs at 3 am" in told("first") and "the pump runs at 3 am" in told("again")
    later, answer = _say(
        local, "two", "atlas", "make the pump run at 5 am please", "The pump runs at 5 am now."
    )
    _say(
        local, "last", "atlas", "paint the fence", "Done.", "paint the quay", "Done.", "paint it all", "Done."
    )
    assert "3 am" not in told("changed") and "5 am" in told("changed too")
    local.forget(later.logical_id)
    local.forget(answer.logical_id)
    assert "the pump runs at 3 am" in told("as before") and "5 am" not in told("as before, too")
    local.forget(pump.logical_id)
    assert " am" not in told("without")
