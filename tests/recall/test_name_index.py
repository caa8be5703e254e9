"""The names of a store as questions write them, while others tell it more."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import engramforge
from engramforge.model.streams.ways import Tier


def test_a_question_with_a_slip_and_with_part_of_a_path(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "store") as forge:
        forge.remember("The queue of Brindlewick is drained by src/drain/valve.py.")
        assert "brindlewick" in forge.streams.by_intention("What of Brindelwick then?").entities
        assert "src/drain/valve.py" in forge.streams.by_intention("Who wrote valve.py?").entities
        assert forge.streams.by_intention("Who wrote pump/valve.py?").entities == ()


def test_names_that_come_while_others_ask(tmp_path: Path) -> None:
    names = [f"Thorn{letter}wick" for letter in "abcdefghijklmnop"]

    def tell(name: str) -> str:
        forge.remember(f"We went to {name} yesterday.")
        return name

    def ask(name: str) -> set[str]:
        return set(forge.streams.by_intention(f"What happened in {name}?").entities)

    with engramforge.open(tmp_path / "store") as forge, ThreadPoolExecutor(8) as threads:
        told = [threads.submit(tell, name) for name in names]
        asked = [threads.submit(ask, name) for name in names]
        for each in (*told, *asked):
            each.result()
        assert all(name.casefold() in ask(name) for name in names)


def test_what_has_a_name_is_called_by_it_however_it_is_written(tmp_path: Path) -> None:
    named = {
        "kiln": "kiln is where the glaze is fired.",
        "potwheel": "potwheel turns at ninety a minute.",
        "glaze_mixer": "glaze_mixer stirs for an hour.",
        "slip room": "The slip room is kept damp.",
        "Ofenhalle": "Ofenhalle is the hall behind the yard.",
        "plan": "We write down who fires when.",
    }
    unfelt: dict[str, Any] = {"emotion_vector": {}, "goal": "fire pots", "mindstate": "calm"}
    with engramforge.open(tmp_path / "store") as forge:
        own = {name: forge.remember(text, name=name, near=False).id for name, text in named.items()}
        needed = forge.remember("Propane is brought on Tuesdays.", near=False).id
        forge.link(own["kiln"], needed, "DEPENDS_ON", energy=0.8, confidence=0.9, **unfelt)
        forge.remember("Ute weighs the clay of every apprentice.", near=False)

        def called(question: str) -> tuple[str, ...]:
            return forge.streams.by_intention(question).entities

        assert called("what does the kiln depend on?") == ("kiln",)
        assert called("Which clay suits a potwheel?") == ("potwheel",)
        assert called("why is glaze_mixer so slow?") == ("glaze_mixer",)
        assert called("who cleans the slip room?") == ("slip room",)
        assert called("how large is ofenhalle?") == ("ofenhalle",)
        found = forge.streams.by_intention("what does the kiln depend on?")
        assert needed in {item.memory.id for item in found.items if item.path is not None}
        # Whole words alone, and no words of which questions are made.
        assert called("which kilns-and-more shop sells tongs?") == ()
        assert called("who has the potwheels?") == ()
        assert called("is there room for a slip?") == ()
        assert called("what is the plan for tomorrow?") == ()
        assert called("is the glaze a mixer of colours?") == ()


def test_a_misspelt_name_gives_what_the_rightly_spelt_one_gives(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "store") as forge:
        for number in range(12):
            forge.remember(f"Great that you came by, Melanie, that was the nicest evening number {number}!")
        forge.remember("My dog is a beagle called Biscuit.", speaker="Melanie")
        forge.remember("I signed up for a pottery class on Monday.", speaker="Melanie")

        def told(question: str) -> list[tuple[str, float]]:
            return [
                (each.memory.id, round(each.relevance, 6))
                for each in forge.streams.by_intention(question).items
            ]

        for right, wrong in (("Melanie", "Melani"), ("Melanie", "Melanei"), ("Melanie", "Mellanie")):
            for question in ("What is {}'s dog called?", "When did {} sign up for pottery?"):
                assert told(question.format(wrong)) == told(question.format(right)), (wrong, question)


def test_what_somebody_wrote_so_is_no_slip(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "store") as forge:
        forge.remember("Brindlewick is a village with a mill.")
        forge.remember("The brindelwick grows on old oaks.")
        stream = forge.streams.by_intention("What is Brindelwick?")
        assert stream.tiers[Tier.FOCUS][0].memory.content == "The brindelwick grows on old oaks."


def test_signs_that_nobody_sees_part_no_word_and_no_name(tmp_path: Path) -> None:
    plain = "Oskar feeds the guard dog Brutus at noon."
    with engramforge.open(tmp_path / "store") as forge:
        for sign in ("", "\u00ad", "\u200b", "\u2060", "\ufeff", "\U000e0061"):
            project = f"sign {ord(sign):x}" if sign else "plain"
            text = plain.replace("sk", f"s{sign}k").replace("ua", f"u{sign}a").replace("ut", f"u{sign}t")
            forge.remember(text, project=project, near=False)
            for number in range(20):
                forge.remember(f"The bridge was repaired in week {number}.", project=project, near=False)
            for question in (
                "Oskar",
                "What does Oskar feed?",
                "the guard dog Brutus",
                f"What does Os{sign}kar feed?",
            ):
                stream = forge.streams.by_intention(question, project=project)
                assert stream.answered and stream.entities, (project, question)
                assert stream.tiers[Tier.FOCUS][0].memory.content == text
        # A joiner is a letter's own in Persian, where it keeps the parts of a word.
        forge.remember("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", project="persian", near=False)
        assert forge.streams.by_intention("\u062e\u0648\u0627\u0647\u0645", project="persian").items
