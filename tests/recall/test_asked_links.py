"""Of many links of equal strength the stream tells first what the question asks for."""

from __future__ import annotations

from engramforge.forge import Forge

_FARMS = ("Alder", "Birchley", "Cedarholt", "Dogwood", "Elmsted", "Firbank", "Gorsehill", "Hazelden")


def test_links_that_are_asked_for_come_first_among_equal_ones(forge: Forge) -> None:
    told = {
        name: forge.remember(f"{name} is a farm.", name=name, kind="entity", near=False).id
        for name in ("Thornmere", *_FARMS)
    }
    for name, relation in zip(_FARMS, ("SHARES_BARN_WITH", "BORDERS", "SELLS_TO") * 3, strict=False):
        forge.link(
            *(told["Thornmere"], told[name], relation),
            energy=0.6,
            confidence=0.9,
            emotion_vector={},
            goal="know farms",
            mindstate="calm",
        )
    for question, wanted in (
        ("Which farms border Thornmere?", {"Birchley", "Elmsted", "Hazelden"}),
        ("With whom does Thornmere share barns?", {"Alder", "Dogwood", "Gorsehill"}),
        ("To whom does Thornmere sell?", {"Cedarholt", "Firbank"}),
    ):
        stream = forge.streams.by_intention(question)
        by_links = [item.memory.name for item in stream.items if item.path is not None and item.path.depth]
        assert set(by_links[: len(wanted)]) == wanted, question
        for path in stream.traversal_graph.paths[:2]:
            assert path.narrative.startswith("Thornmere -"), question
            assert path.narrative.rpartition(" ")[2] in wanted, question
