"""A warning for good that a session has from long before is told once more at the deed, and nothing else is."""

from __future__ import annotations

from tests.answer.test_injections import asked, edits, runs, started

from engramforge.forge import Forge

KILN = "Never edit firing.csv by hand, the kiln's own program writes it."


def said(em: Forge, text: str, session: str, number: int) -> None:
    em.remember(text, project="atlas", kind="prompt", session_id=session, sequence=number)


def prompts(em: Forge, *texts: str) -> None:
    for each in texts:
        asked(em, each)


def test_what_a_start_showed_is_told_once_more_at_the_deed(em: Forge) -> None:
    said(em, KILN, "before", 1)
    em.decisions.create("The firing curve is kept in curve.csv", project="atlas")
    em.decisions.create("No force pushes to the glaze repo", project="atlas")
    found = started(em)
    assert found is not None and KILN.rstrip(".") in found.text and "glaze repo" in found.text
    assert "by hand" in (edits(em, "/p/firing.csv") or found).text
    told = edits(em, "/p/firing.csv")
    assert told is None, "once at the deed is enough"
    assert edits(em, "/p/curve.csv") is None, "what warns of nothing is in the context"
    assert "glaze repo" in runs(em, "git push --force")
    assert runs(em, "git push -f") == ""


def test_what_a_person_said_is_told_at_the_deed_after_a_few_prompts(em: Forge) -> None:
    asked(em, KILN)
    said(em, KILN, "now", 1)
    asked(em, "and don't edit glaze.csv yet")
    said(em, "and don't edit glaze.csv yet", "now", 2)
    assert edits(em, "/p/firing.csv") is None
    prompts(em, "draw the curve of last week", "make the axes bigger")
    assert edits(em, "/p/firing.csv") is not None
    assert edits(em, "/p/firing.csv") is None
    prompts(em, "now in blue", "and print the page")
    assert edits(em, "/p/glaze.csv") is None, "it was of the moment"


def test_what_stood_beside_a_prompt_is_told_after_a_few_more(em: Forge) -> None:
    said(em, KILN, "before", 1)
    for number, text in enumerate(("The clay came in.", "Two shelves broke.", "It rains on the shed."), 2):
        said(em, text, "before", number)
    found = asked(em, "may we edit firing.csv by hand, or does the kiln's own program write it?")
    assert found is not None and KILN.rstrip(".") in found.text
    assert edits(em, "/p/firing.csv") is None
    prompts(em, "draw the curve of last week", "make the axes bigger", "now in blue")
    assert edits(em, "/p/firing.csv") is not None


def test_what_was_lifted_since_is_not_repeated(em: Forge) -> None:
    said(em, KILN, "before", 1)
    assert started(em) is not None
    said(em, "firing.csv is ours now, you can edit it by hand", "now", 1)
    assert edits(em, "/p/firing.csv") is None


def test_a_rule_that_names_no_file_is_told_at_its_deed(em: Forge) -> None:
    release, fmt = (
        "never release on a sunday, nobody is on call",
        "the fmt version is pinned to 3.1, dont bump it",
    )
    viper, valve = "fiber and pgx. no viper pls, i hate viper", "never open the valve in tests"
    for number, text in enumerate((release, fmt, viper, "the shelf is red", valve), 1):
        said(em, text, "before", number)

    def told(prompt: str) -> str:
        found = asked(em, prompt, prompt)
        return found.text if found else ""

    assert release in told("release it") and release in told("can i release now?")
    assert "no viper pls" in told("read the settings with viper") and release not in told("paint the shelf")
    assert runs(em, "cat tools/release.sh") == runs(em, "go install a.org/cmd/fmt@v3.1.4") == ""
    assert release in runs(em, "./tools/release.sh 2.0") and fmt in runs(
        em, "go install a.org/cmd/fmt@v3.2.0"
    )
    assert "no viper pls" in runs(em, "go get github.com/spf13/viper")
    found = edits(em, "/p/tests/valve_test.py")
    assert found is not None and valve in found.text


def test_a_version_that_was_changed_since_is_pinned_no_longer(em: Forge) -> None:
    said(em, "the fmt version is pinned to 3.1, dont bump it", "before", 1)
    said(em, "moved fmt to 3.2 today", "since", 1)
    assert runs(em, "go install a.org/cmd/fmt@v3.3.0") == ""
