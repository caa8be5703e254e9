"""What people try first on the command line: limits, printed ids, dates as they say them, names of records."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from .conftest import Cli

FILLER = "The gulls were loud and the water was calm along the whole pier that morning. "


def _remember(cli: Cli, *asked: str) -> dict[str, str]:
    memory: dict[str, str] = cli("remember", *asked, "--no-near", "--json").json["memory"]
    return memory


def test_a_limit_is_kept_however_the_hits_are_printed(cli: Cli) -> None:
    for number in range(12):
        _remember(cli, f"Crane {number} is greased with calcium soap. {FILLER * 12}")
    asked = ("recall", "what are the cranes greased with?", "--limit", "12")
    hits = cli(*asked, "--json").json["hits"]
    ids = [hit["memory"]["id"] for hit in hits]
    assert len(ids) == 12
    for form in ((), ("--explain",)):
        assert re.findall(r"(?m); id (\S+)$", cli(*asked, *form).out) == ids
    assert len(cli(*asked, "--budget", "4000", "--json").json["hits"]) < 12


def test_a_version_that_was_replaced_says_so_first(cli: Cli) -> None:
    wrong = _remember(cli, "The office closes at six.")
    cli("revise", wrong["id"], "The office closes at seven.")
    told = cli("show", wrong["id"]).out
    new = cli("show", wrong["logical_id"], "--json").json["memory"]
    assert told.startswith("This was replaced on ") and "(discovered_false): version 2, " in told
    assert new["id"] in told and "until now" not in told
    assert told.splitlines()[0].endswith(f"engramforge show {wrong['logical_id']}")
    assert cli("show", wrong["logical_id"]).out.startswith("The office closes at seven.")

    past = _remember(cli, "The ferry leaves at nine.", "--valid-at", "2025-01-01")
    cli("supersede", past["id"], "The ferry leaves at ten.", "--at", "2025-05-01")
    assert "replaced on 2025-05-01 00:00 (reality_changed): version 2" in cli("show", past["id"]).out
    cli("invalidate", past["id"], "--at", "2025-06-01")
    ended = cli("show", past["logical_id"]).out
    assert ended.startswith("This ended on 2025-06-01 00:00 (reality_changed)")
    assert f"engramforge history {past['logical_id']}" in ended

    decision = cli("decisions", "create", "We moor in the north dock.", "--json").json
    taker = cli("decisions", "supersede", decision["id"], "We moor in the south dock.", "--json").json
    told = cli("show", decision["id"]).out
    assert f"by the decision {taker['memory_id']}" in told.splitlines()[0]


def test_a_decision_is_validated_only_once_somebody_did(cli: Cli) -> None:
    made = cli("decisions", "create", "We moor in the north dock.", "--valid-at", "2025-05-01").out
    (id_,) = re.findall(r"dec_\w+", made)
    before = cli("decisions").out
    assert "2025-05-01" in before and "not yet" in before
    cli("decisions", "validate", id_)
    after = cli("decisions").out
    assert "not yet" not in after and f"{datetime.now(UTC):%Y-%m-%d}" in after


@pytest.mark.parametrize(
    "since, until, found",
    [
        ("2023-06", "2023-06", {"June."}),
        ("2023", "2023", {"March.", "June."}),
        ("june 2023", "June 2023", {"June."}),
        ("2023-06", "last year", {"June.", "Later."}),
        ("2023-03-01", "2023-06-30", {"March."}),
    ],
)
def test_months_and_years_are_times(cli: Cli, since: str, until: str, found: set[str]) -> None:
    this_year = datetime.now(UTC).year
    for day, said in (
        ("2023-03-10", "March."),
        ("2023-06-30", "June."),
        (f"{this_year - 1}-12-31", "Later."),
        (f"{this_year}-01-01", "Now."),
    ):
        _remember(cli, f"The bridge was painted in {said}", "--valid-at", day)
    hits = cli("recall", "when was the bridge painted?", "--since", since, "--until", until, "--json").json
    assert {hit["memory"]["content"].split()[-1] for hit in hits["hits"]} == found
    wrong = cli("recall", "bridge", "--since", "the other day", "--json")
    assert wrong.error["error"] == "InvalidTime"


def test_as_of_a_day_is_its_end_and_today_is_now(cli: Cli) -> None:
    _remember(cli, "The bridge is closed.", "--valid-at", "2025-03-10T15:00:00Z")
    _remember(cli, "The tunnel is open.")

    def held(day: str) -> int:
        return len(cli("list", "--as-of-valid", day, "--json").json["memories"])

    assert [held(day) for day in ("2025-03-09", "2025-03-10", "2025-03", "2025-02")] == [0, 1, 1, 0]
    assert len(cli("list", "--as-of", f"{datetime.now(UTC):%Y-%m-%d}", "--json").json["memories"]) == 2


def _records(folder: Path, project: str, cli: Cli) -> None:
    records = folder / project / "adr"
    records.mkdir(parents=True)
    for number, title in ((32, "Use stone quays"), (33, f"Use {project} ferries")):
        (records / f"{number:04d}-{number}.md").write_text(
            f"# {number}. {title}\n\nDate: 2024-02-0{number - 30}\n\n## Status\n\nAccepted\n\n"
            f"## Context\n\nThe {project} harbour grows.\n\n## Decision\n\nWe will {title.lower()}.\n",
            encoding="utf-8",
        )
    assert cli("import", str(records), "--project", project).code == 0


def test_a_record_is_named_by_its_number(cli: Cli, tmp_path: Path) -> None:
    _records(tmp_path, "north", cli)
    (hit, *_) = cli("recall", "which ferries do we use?", "--json").json["hits"]
    assert hit["memory"]["where"] == "ADR-0033, 0033-33.md, Use north ferries, 2024-02-03"
    assert re.search(r"ADR-0033 .* 2024-02-03 ", cli("decisions").out)
    for name in ("ADR-33", "adr-0033", "ADR33", "ADR-0033"):
        assert "north ferries" in cli("decisions", "show", name).out
    _records(tmp_path, "south", cli)
    fault = cli("decisions", "show", "ADR-33", "--json").error
    assert all(f"the project '{each}': 'Use {each} ferries" in fault["fault"] for each in ("north", "south"))
    assert "or its project" in fault["mend"]
    assert "south ferries" in cli("decisions", "show", "ADR-33", "--project", "south").out
    done = cli("decisions", "validate", "ADR-33", "--project", "south", "--json").json["decisions"]
    assert [each["project"] for each in done] == ["south"]


def test_a_chunk_is_named_by_its_file_in_the_folder_and_its_day(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "diary"
    (folder / "spring").mkdir(parents=True)
    (folder / "spring" / "boat.md").write_text("---\ndate: 2024-04-02\n---\n# Boat\n\nThe boat was tarred.\n")
    (folder / "2024-05-06.md").write_text("The boat was launched from the slip.\n")
    cli("import", str(folder))
    hits = cli("recall", "what about the boat?", "--json").json["hits"]
    where = {hit["memory"]["where"] for hit in hits}
    assert where == {"spring/boat.md, Boat, 2024-04-02", "2024-05-06.md"}
    assert str(folder) not in cli("recall", "what about the boat?").out


def test_code_keeps_its_lines_and_elisions_stand_apart(cli: Cli) -> None:
    lines = [f"    berth_{number} = quay.moor(lantern, {number})" for number in range(16)]
    code = "\n".join(["def moor_all(quay):", *lines])
    _remember(cli, code)
    told = cli("recall", "berth_7 quay.moor lantern").out
    assert "\n       berth_3 = quay.moor(lantern, 3)\n" in told
    note = f"{FILLER * 8}The lantern of the lighthouse burns rapeseed oil since the storm. {FILLER * 8}"
    for project in ("a", "b", "c"):
        _remember(cli, f"{project} {note}", "--project", project)
    told = cli("recall", "what does the lantern of the lighthouse burn?", "--project", "a").out
    assert "rapeseed" in told and "…" in told
    assert not re.search(r"…\w", told) and not re.search(r"\w…", told)


def test_the_same_words_are_no_correction(cli: Cli) -> None:
    memory = _remember(cli, "The office closes at six.")
    refused = cli("revise", memory["id"], "The office closes at six.", "--json")
    assert refused.code == 2 and "changes nothing" in refused.error["fault"]
    assert cli("show", memory["id"], "--json").json["memory"]["expired_at"] is None
    assert cli("revise", memory["id"], "The office closes at six.", "--tag", "hours").code == 0


def test_words_that_others_use_for_a_command(cli: Cli) -> None:
    for said, meant in (("edit", "revise"), ("delete", "forget"), ("search", "recall"), ("help", "--help")):
        answer = cli(said, "x")
        assert answer.code == 2 and f"Run: engramforge {meant}" in answer.err


def test_an_archive_takes_the_place_of_no_file_unasked(cli: Cli, tmp_path: Path) -> None:
    _remember(cli, "The harbour closes at six.", "--kind", "message", "--session", "s1")
    file = tmp_path / "archive.md"
    assert cli("compress", "s1", "--to", str(file)).code == 0
    file.write_text("My own notes.", encoding="utf-8")
    refused = cli("compress", "s1", "--to", str(file))
    assert refused.code == 2 and "--force" in refused.err
    assert file.read_text(encoding="utf-8") == "My own notes."
    assert len(cli("lineage", "--json").json["edges"]) == 1
    assert cli("compress", "s1", "--to", str(file), "--force").code == 0
    assert "My own notes." not in file.read_text(encoding="utf-8")


def test_what_persons_said_is_reviewed_first(cli: Cli) -> None:
    for number in range(25):
        _remember(cli, f"<page>\nTODO: paint door {number} of the lighthouse\n</page>", "--kind", "message")
    _remember(
        cli,
        *("<page>\nDecision: paint 9 for the doors of that house.\n</page>", "--kind", "message"),
        *("--session", "talk", "--speaker", "Ida"),
    )
    waiting = cli("review", "--json").json["pending"]
    assert len(waiting) == 20
    assert waiting[0]["conversation_id"] == "talk" and waiting[0]["confidence"] < waiting[1]["confidence"]


def test_an_empty_text_clears_what_was_rejected(cli: Cli) -> None:
    id_ = cli("decisions", "create", "The deck is larch.", "--rejected", "oak", "--json").json["id"]
    kept = cli("decisions", "revise", id_, "--tier", "0.8", "--json").json
    assert kept["alternatives_rejected"] == ["oak"]
    cleared = cli("decisions", "revise", id_, "--rejected", "", "--json").json
    assert cleared["alternatives_rejected"] == []
