"""The names of a store as questions write them, while others tell it more."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import engramforge


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
