"""Decisions, threads and lineage on the command line: what is printed, what is JSON, what is refused."""

from __future__ import annotations

from .conftest import Cli


def _decide(cli: Cli, text: str, *options: str) -> dict[str, object]:
    return cli("decisions", "create", text, "--project", "nexus", *options, "--json").json


def test_a_decision_from_its_making_to_its_end(cli: Cli) -> None:
    made = _decide(cli, "Use UUID v7", "--rationale", "sortable", "--rejected", "UUID v4", "--tier", "0.85")
    assert (made["status"], made["epistemic_tier"], made["alternatives_rejected"]) == (
        "active",
        0.85,
        ["UUID v4"],
    )
    number = str(made["id"])
    assert number in cli("decisions").out
    revised = cli("decisions", "revise", number, "Use UUID v7 for all ids", "--json").json
    assert (revised["id"], revised["version"], revised["rationale"]) == (number, 2, "sortable")
    new = cli("decisions", "supersede", number, "Use ULIDs", "--rationale", "shorter", "--json").json
    assert new["id"] != number
    told = cli("decisions", "show", number).out
    assert "superseded" in told
    assert str(new["id"]) in told
    assert "sortable" in told
    assert [decision["id"] for decision in cli("decisions", "--json").json["decisions"]] == [new["id"]]
    every = cli("decisions", "--status", "all", "--json").json["decisions"]
    assert {memory["id"] for memory in every} == {number, new["id"]}
    statuses = [
        decision["status"] for decision in cli("decisions", "history", number, "--json").json["decisions"]
    ]
    assert statuses[0] == "revised"
    assert statuses[-1] == "superseded"
    refused = cli("decisions", "revise", number, "again", "--json")
    assert refused.code == 4
    assert str(new["id"]) in refused.error["fault"] + refused.error["mend"]
    back = cli("decisions", "reinstate", number, "--json").json
    assert (back["status"], back["superseded_by"]) == ("active", None)
    ended = cli("decisions", "invalidate", str(new["id"]), "--reason", "longer after all", "--json").json
    assert ended["status"] == "invalidated"


def test_search_finds_by_meaning_status_and_id(cli: Cli) -> None:
    made = _decide(cli, "Keep sessions in Redis", "--rationale", "fast")
    other = _decide(cli, "Write the handbook in Markdown")
    found = cli("decisions", "search", "where do sessions live?", "--json").json["decisions"]
    assert found[0]["id"] == made["id"]
    assert 0 < found[0]["score"] <= 1
    assert [
        decision["id"]
        for decision in cli("decisions", "search", str(other["id"]), "--json").json["decisions"]
    ] == [other["id"]]
    assert cli("decisions", "search", "sessions", "--status", "superseded", "--json").json["decisions"] == []
    assert "No decision fits" in cli("decisions", "search", "sessions", "--status", "superseded").out


def test_stale_and_validate(cli: Cli) -> None:
    made = _decide(cli, "Poll every minute", "--tier", "0.4")
    assert cli("decisions", "stale", "--json").json["decisions"] == []
    assert "Nothing is stale" in cli("decisions", "stale").out
    stale = cli("decisions", "stale", "--days", "0")
    assert str(made["id"]) in stale.out
    assert "validate" in stale.out
    done = cli("decisions", "validate", str(made["id"]), "--json").json["decisions"]
    assert done[0]["validation_count"] == 1
    assert "1 time," in cli("decisions", "show", str(made["id"])).out


def test_threads_and_what_blocks_them(cli: Cli) -> None:
    first = cli("threads", "create", "Design pagination", "--priority", "high", "--json").json
    waits = cli(
        "threads", "create", "Ship the list", "All of it.", "--blocked-by", str(first["id"]), "--json"
    ).json
    assert waits["is_blocked"]
    assert "open, blocked" in cli("threads").out


def test_threads_close_and_open_again(cli: Cli) -> None:
    first = cli("threads", "create", "Design pagination", "--priority", "high", "--json").json
    waits = cli("threads", "create", "Ship the list", "--blocked-by", str(first["id"]), "--json").json
    closed = cli("threads", "resolve", str(first["id"]), "Cursors, not offsets", "--json").json
    assert (closed["status"], closed["resolution"]) == ("resolved", "Cursors, not offsets")
    assert not cli("threads", "show", str(waits["id"]), "--json").json["is_blocked"]
    assert [thread["id"] for thread in cli("threads", "--json").json["threads"]] == [waits["id"]]
    assert cli("threads", "search", "pagination", "--json").json["threads"] == []
    found = cli("threads", "search", "pagination", "--status", "all", "--json").json["threads"]
    assert found[0]["id"] == first["id"]
    assert "Cursors" in cli("threads", "show", str(first["id"])).out
    again = cli("threads", "reopen", str(first["id"]), "--json").json
    assert again["status"] == "open"
    assert len(cli("threads", "history", str(first["id"]), "--json").json["threads"]) >= 3
    own = cli("threads", "update", str(first["id"]), "--blocked-by", str(first["id"]), "--json")
    assert own.code == 2
    assert "itself" in own.error["fault"]


def test_a_bulk_review_of_nothing_is_done(cli: Cli) -> None:
    assert cli("review", "accept", "--all", "--json").json == {"entries": []}
    assert cli("review", "reject", "--all", "--json").json == {"rejected": []}
    refused = cli("review", "accept", "--json")
    assert (refused.code, refused.error["fault"]) == (2, "No detection is named")


def test_a_project_keeps_the_surest_of_what_waits_and_a_message_takes_all_back(cli: Cli) -> None:
    page = "".join(f"TODO: paint the door of room {number}\n" for number in range(25))
    message = cli("remember", f"<page>\n{page}</page>", "--project", "paint", "--json").json["memory"]["id"]
    told = cli("review", "--project", "paint")
    assert told.out.count("flg_") == 20
    waiting = cli("review", "--project", "paint", "--json").json["pending"]
    assert len(waiting) == 20
    # What waits in one project takes no place in another, and the 20 surest of both are shown.
    cli("remember", f"<page>\n{page}</page>", "--project", "lacquer")
    told = cli("review")
    assert told.out.count("flg_") == 20
    assert "20 others wait too: --limit 1000 shows them" in told.out + told.err
    # What a person said stands before what a page says more surely.
    cli("remember", "I think I'll go with the Anker one.", "--kind", "prompt", "--session", "s1")
    assert "Anker" in next(line for line in cli("review").out.splitlines() if "flg_" in line)
    assert cli("undo", "--message", message, "--json").error["error"] == "NotConfirmed"
    undone = cli("undo", "--message", message, "--yes", "--json").json["undone"]
    assert (undone["action"], len(undone["taken_back"])) == ("detection", 20)
    assert cli("review", "--project", "paint", "--json").json == {"pending": []}
    assert cli("show", message, "--json").code == 0
    cli("undo", "--all-projects", "--yes")
    assert len(cli("review", "--project", "paint", "--json").json["pending"]) == 20


def test_what_takes_a_decisions_place_has_all_that_a_decision_has(cli: Cli) -> None:
    place = ("--conversation", "c1", "--project", "nexus")
    old, base = _decide(cli, "Use UUID v7"), _decide(cli, "Ids are sortable")
    fields = ("--tag", "ids", "--rejected", "UUID v4", "--depends-on", str(base["id"]))
    new = cli(
        "decisions",
        "supersede",
        str(old["id"]),
        "Use ULIDs",
        *fields,
        *place[:2],
        "--local-id",
        "D002",
        "--json",
    ).json
    assert (new["tags"], new["alternatives_rejected"], new["dependencies"], new["local_id"]) == (
        ["ids"],
        ["UUID v4"],
        [base["id"]],
        "D002",
    )
    assert cli("decisions", "supersede", str(old["id"]), "Use KSUIDs", "--expected-version", "7").code == 4


def test_a_local_id_has_the_letter_of_its_kind_and_a_conversation(cli: Cli) -> None:
    place = ("--conversation", "c1", "--json")
    refused = cli("threads", "create", "Tar the pier", "--local-id", "D001", *place)
    assert refused.code == 2 and "T001" in refused.error["mend"]
    assert "D7" in cli("decisions", "create", "Use tar", "--local-id", "T7", *place).error["mend"]
    assert (
        "conversation"
        in cli("threads", "create", "Tar the pier", "--local-id", "T001", "--json").error["mend"]
    )
    assert cli("threads", "create", "Tar the pier", "--local-id", "T001", *place).json["local_id"] == "T001"
    assert cli("decisions", "create", "Use tar", "--local-id", "tar-1", *place).json["local_id"] == "tar-1"
    assert "--local-id T001" in cli("threads", "create", "--help").out


def test_a_list_is_what_the_bare_command_says(cli: Cli) -> None:
    _decide(cli, "Use UUID v7")
    cli("decisions", "create", "Use oak", "--project", "cider", "--json")
    cli("threads", "create", "Design the pagination", "--project", "nexus", "--json")
    done = cli("threads", "create", "Ship it", "--project", "nexus", "--json").json
    cli("threads", "resolve", str(done["id"]), "shipped")
    for command, options in (
        ("decisions", ()),
        ("decisions", ("--project", "nexus")),
        ("decisions", ("--status", "all", "--limit", "1")),
        ("threads", ()),
        ("threads", ("--project", "nexus")),
        ("threads", ("--status", "all")),
    ):
        listed = cli(command, "list", *options, "--json").json
        assert listed == cli(command, *options, "--json").json and listed[command]
    assert cli("decisions", "list").out == cli("decisions").out
    assert cli("threads", "list", "--project", "none").out == cli("threads", "--project", "none").out
