"""What a question names decides: whose words they are, and which file."""

from __future__ import annotations

from pathlib import Path

from engramforge.forge import Forge


def _said(forge: Forge, session: str, *turns: tuple[str, str]) -> None:
    for place, (speaker, text) in enumerate(turns):
        forge.remember(text, speaker=speaker, session_id=session, sequence=place, kind="message")


def test_of_oneself_one_speaks_as_the_user(forge: Forge) -> None:
    _said(forge, "friends", ("Ann", "What do you play?"), ("Bob", "I play the cello in a quartet."))
    _said(forge, "chat", ("user", "I play the cello, which strings suit it?"), ("assistant", "Steel ones."))
    assert forge.recall("which instrument do I play?").hits[0].memory.speaker == "user"
    assert forge.recall("which instrument does Bob play?").hits[0].memory.speaker == "Bob"


def test_a_short_name_is_that_of_the_speaker_whose_name_begins_so(forge: Forge) -> None:
    _said(
        forge,
        "friends",
        ("Tim", "My favourite novel is about whales."),
        ("Melanie", "My favourite novel as a kid was Heidi."),
    )
    assert forge.recall("Mel's favourite novel when she was little").hits[0].memory.speaker == "Melanie"
    assert forge.recall("what was the favourite novel of Mel as a kid?").hits[0].memory.speaker == "Melanie"


def test_what_another_person_says_answers_nothing_about_the_one_who_is_named(forge: Forge) -> None:
    _said(forge, "friends", ("Ann", "We painted the fence."), ("Bob", "Lovely, Ann! The garden looks great."))
    _said(
        forge,
        "chat",
        ("user", "My mortgage rate is 4.1 percent. Should I refinance?"),
        ("assistant", "Wait."),
    )

    def relevant(question: str) -> set[str]:
        return {str(hit.memory.session_id) for hit in forge.recall(question) if hit.relevant}

    assert "chat" in relevant("what is my mortgage rate?")
    assert "chat" not in relevant("what is Ann's mortgage rate?")


def test_a_file_answers_to_its_name(forge: Forge, tmp_path: Path) -> None:
    folder = tmp_path / "diary"
    folder.mkdir()
    for day in (8, 9, 10):
        (folder / f"day-{day:03}.md").write_text(f"# Notes\n\nTotal cost of the session: ${day}.50\n")
    forge.import_path(str(folder))
    for day in (8, 9, 10):
        assert f"${day}.50" in forge.recall(f"what did the session of day {day} cost?").hits[0].excerpt


def test_where_a_person_is_named_a_note_that_has_only_the_rest_stands_below(forge: Forge) -> None:
    _said(forge, "friends", ("Ann", "My roots are in Norway, you know."), ("Bob", "I never knew, Ann!"))
    forge.remember(
        "Origin: the origin of a coordinate system is where it is originally fixed.", project="maps"
    )
    assert forge.recall("where is Ann originally from?").hits[0].memory.session_id == "friends"
