"""Of many projects that a process has loaded, those are read again that changed, whoever changed them."""

from __future__ import annotations

from pathlib import Path

import engramforge

PROJECTS = ("barn", "mill", "quay")


def test_what_another_writes_and_forgets_is_taken_in_by_its_project_alone(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as em, engramforge.open(tmp_path) as other:

        def found(project: str | None) -> set[str]:
            return {hit.memory.content for hit in em.recall("the green wheel", project=project).hits}

        for each in PROJECTS:
            em.remember(f"The wheel of the {each} is red.", project=each)
            em.remember(f"The {each} is closed in winter.", project=each)
        before = {each: found(each) for each in (*PROJECTS, None)}
        made = other.remember("The wheel of the mill is green now.", project="mill")
        for each in (*PROJECTS, None):
            assert (made.content in found(each)) is (each in ("mill", None)), each
        other.forget(made.logical_id)
        assert {each: found(each) for each in (*PROJECTS, None)} == before
        other.forget(project="mill")
        assert found("quay") == before["quay"] and not any("mill" in each for each in found(None))
