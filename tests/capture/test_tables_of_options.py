"""A table of options is answered like a list, and the decision says what was taken and for what."""

from __future__ import annotations

import pytest
from tests.capture.talk import decisions, say

from engramforge.forge import Forge

NUMBERED = (
    "A: Three candidates for the plot view:\n\n| # | option | for | against |\n|---|---|---|---|\n"
    "| 1 | uPlot | tiny | few axes |\n| 2 | ECharts | rich | 1 MB |\n| 3 | plain SVG | no dependency | more code |"
    "\n\nWhich one do you want for the plot view?"
)
LETTERED = (
    "A: Three ways for the watering schedule:\n\n| | way | remark |\n|---|---|---|\n| A | cron on the Pi | simple |\n"
    "| B | systemd timers | logs for free |\n| C | own scheduler | flexible |\n\nI lean towards B. Which one?"
)
NAMED = (
    "A: Where do we keep the readings?\n\n| store | pro | con |\n|:--|:--|:--|\n| **SQLite** | a file | one writer |\n"
    "| TimescaleDB | made for it | a server |\n| CSV files | anybody opens them | slow |\n\nYour pick?"
)
PHRASES = (
    "A: Two ways:\n\n1. A button in the header, with a confirmation.\n2. Pressing both knobs for three seconds.\n\n"
    "Which one shall I build?"
)
PLOT, SCHEDULE = "(for the plot view)", "(for the watering schedule)"


@pytest.mark.parametrize(
    ("asked", "offer", "answer", "taken"),
    [
        (
            "we need a plot view",
            NUMBERED,
            "1, the tablet only has 2 gigs",
            f"uPlot rather than ECharts or plain SVG, the tablet only has 2 gigs {PLOT}",
        ),
        (
            "which lib for the plot view?",
            NUMBERED,
            "2, its the richest",
            f"ECharts rather than uPlot or plain SVG, its the richest {PLOT}",
        ),
        ("plots next", NUMBERED, "lets take the third", f"plain SVG rather than uPlot or ECharts {PLOT}"),
        ("plots next", NUMBERED, "plain svg please", f"plain SVG rather than uPlot or ECharts {PLOT}"),
        (
            "schedule next. whats the choice there",
            LETTERED,
            "B please",
            f"systemd timers rather than cron on the Pi or own scheduler {SCHEDULE}",
        ),
        (
            "schedule next",
            LETTERED,
            "the second, its easiest",
            f"systemd timers rather than cron on the Pi or own scheduler, its easiest {SCHEDULE}",
        ),
        (
            "schedule next",
            LETTERED,
            "yes",
            f"systemd timers rather than cron on the Pi or own scheduler {SCHEDULE}",
        ),
        (
            "now the readings",
            NAMED,
            "sqlite please",
            "SQLite rather than TimescaleDB or CSV files (Where do we keep the readings?)",
        ),
        (
            "how should service mode be entered",
            PHRASES,
            "second one but with a code after it",
            "Pressing both knobs for three seconds rather than A button in the header, but with a code after it"
            " (how should service mode be entered?)",
        ),
        (
            "how should service mode be entered",
            PHRASES,
            "lets take the first",
            "A button in the header rather than Pressing both knobs for three seconds"
            " (how should service mode be entered?)",
        ),
    ],
)
def test_an_answer_takes_a_row(em: Forge, asked: str, offer: str, answer: str, taken: str) -> None:
    project = f"{asked} {answer}"
    say(em, project, asked, offer, answer)
    assert decisions(em, project) == {taken: "active"}


def test_what_an_assistant_says_again_is_no_second_decision(em: Forge) -> None:
    say(em, "echo", "we need a plot view", NUMBERED, "1 please", "A: uPlot it is. I'll set it up.")
    assert decisions(em, "echo") == {f"uPlot rather than ECharts or plain SVG {PLOT}": "active"}


RESULTS = "A: Results:\n\n| # | test | ms |\n|---|---|---|\n| 1 | parse | 20 |\n| 2 | draw | 40 |\n\nShall I commit?"
TASKS = (
    "A: Open tasks:\n\n| # | task | state |\n|---|---|---|\n| 1 | fix the pump | open |\n| 2 | write docs | open |\n\n"
    "Which one shall I do first?"
)
ROWS = "A: These rows:\n\n| id | name |\n|---|---|\n| 1 | basil |\n| 2 | mint |\n\nShall I delete them?"
COLUMNS = "A: The table has\n\n| column | type |\n|---|---|\n| id | int |\n| name | text |\n"


@pytest.mark.parametrize(
    ("offer", "answer"),
    [
        (RESULTS, "2 is slow"),
        (RESULTS, "2 please"),
        (TASKS, "1 please"),
        (TASKS, "the second"),
        (ROWS, "2 please"),
        (COLUMNS, "name please"),
        (NUMBERED, "1 looks heavy, what about canvas?"),
        (NUMBERED, "not sure, maybe 2"),
        (NUMBERED, "none of them"),
        (NUMBERED, "why is 2 so big"),
        (NUMBERED, "1 minute please"),
        (NUMBERED, "4 please"),
    ],
)
def test_other_tables_and_answers_decide_nothing(em: Forge, offer: str, answer: str) -> None:
    project = f"{offer[3:8]} {answer}"
    say(em, project, "hm", offer, answer)
    assert decisions(em, project) == {}
