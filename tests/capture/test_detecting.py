"""What is detected reaches the registries with its message, changes what is there, and waits where it is not sure."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.errors import CallerError, Conflict, NotFound
from engramforge.forge import Forge
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import EntryQuery

DAY = datetime(2025, 3, 1, 9, tzinfo=UTC)
CHOICE = "We decided to use Postgres instead of MySQL for the event log because we need row-level security."
UNSURE = "I chose the second variant."


@pytest.fixture(scope="module")
def em(place: str) -> Iterator[Forge]:
    """A forge on one store; each test keeps to a project of its own."""
    with engramforge.open(place) as forge:
        yield forge


class Talk:
    """Conversations of one project."""

    def __init__(self, em: Forge, project: str) -> None:
        self.em = em
        self.project = project

    def say(
        self, content: str, conversation: str = "c1", day: float | None = None, **fields: object
    ) -> Memory:
        if day is not None:
            at = DAY + timedelta(days=day)
            fields |= {"valid_at": at, "recorded_at": at}
        values: dict[str, Any] = {"kind": "message", "session_id": f"{self.project}-{conversation}", **fields}
        return self.em.remember(content, project=self.project, **values)

    def decisions(self, **filters: Any) -> list[str]:
        found = self.em.decisions.browse(project=self.project, **{"status": None, "limit": 100, **filters})
        return [f"{decision.status}: {decision.decision}" for decision in reversed(found)]

    def threads(self) -> list[str]:
        found = self.em.threads.browse(project=self.project, limit=100)
        return [f"{thread.status}: {thread.title}" for thread in reversed(found)]

    def waiting(self) -> list[str]:
        return [candidate.text for candidate in self.em.review.pending(project=self.project)]


@pytest.fixture
def talk(em: Forge, request: pytest.FixtureRequest) -> Talk:
    project = request.node.originalname.removeprefix("test_")[:60]
    em.create_project(project)
    return Talk(em, project)


def test_an_entry_comes_with_its_message_and_where_it_was_read(talk: Talk) -> None:
    message = talk.say(CHOICE, day=3)
    (decision,) = talk.em.decisions.browse(project=talk.project)
    assert decision.decision == "We decided to use Postgres instead of MySQL for the event log"
    assert decision.rationale == "we need row-level security"
    assert decision.alternatives_rejected == ("MySQL",)
    assert (decision.originated_in, decision.conversation_ids) == (message.session_id, (message.session_id,))
    assert decision.evidence is not None
    assert (decision.evidence.sentence, decision.evidence.message_id) == (CHOICE, message.logical_id)
    assert decision.evidence.rule == "team decided" and 0.6 < decision.confidence < 1
    assert (decision.valid_at, decision.created_at) == (message.valid_at, message.created_at)
    (link,) = talk.em.links(decision.memory_id)
    assert (link.relation, link.source_id, link.target_id) == (
        "DERIVED_FROM",
        decision.memory_id,
        message.logical_id,
    )


def test_only_what_somebody_says_is_read(talk: Talk) -> None:
    for kind in ("chunk", "tool_use", "decision", "thread", "artifact", "learning"):
        talk.say(f"TODO: rotate the keys of the {kind} server", kind=kind)
    assert all("TODO" in decision for decision in talk.decisions() + talk.threads())
    for kind in ("prompt", "response", "note", "session_summary"):
        talk.say(f"TODO: rotate the keys of the {kind} server", kind=kind, speaker="Ada")
    assert {thread for thread in talk.threads() if "TODO" not in thread} == {
        f"open: rotate the keys of the {kind} server"
        for kind in ("prompt", "response", "note", "session_summary")
    }


@pytest.mark.each_engine
def test_messages_of_one_batch_build_on_each_other(talk: Talk) -> None:
    texts = (
        "T001: choose a pagination strategy. T002: migrate the attachments, blocked by T001.",
        "D001: logs are JSON. Rationale: one collector.",
        "T001 resolved: cursor based. D001 revised: logs are JSON lines on a socket.",
        "D002: logs go to stdout. D001 is superseded by D002.",
        "reopen T001, cursors break on deletes",
    )
    talk.em.remember_many(
        {
            "content": text,
            "kind": "message",
            "project": talk.project,
            "session_id": f"{talk.project}-c1",
            "sequence": number,
            "valid_at": DAY + timedelta(days=number),
            "recorded_at": DAY + timedelta(days=number),
        }
        for number, text in enumerate(texts)
    )
    own = f"{talk.project}-c1"
    thread = talk.em.threads.get("T001", conversation=own)
    assert (thread.status, thread.version, thread.opened_at) == ("open", 3, DAY)
    assert [version.status for version in talk.em.threads.history("T001", conversation=own)][-2:] == [
        "resolved",
        "open",
    ]
    blocked = talk.em.threads.get("T002", conversation=own)
    assert [record.id for record in blocked.blocked_by] == [thread.id] and blocked.is_blocked
    old = talk.em.decisions.get("D001", conversation=own)
    new = talk.em.decisions.get("D002", conversation=own)
    assert (old.status, old.superseded_by, old.decision) == (
        "superseded",
        new.id,
        "logs are JSON lines on a socket",
    )
    assert next(version.decision for version in talk.em.decisions.history(old.id)) == "logs are JSON"
    assert (old.invalid_at, new.created_at) == (DAY + timedelta(days=3), DAY + timedelta(days=3))


def test_one_name_in_two_conversations_is_two_entries(talk: Talk) -> None:
    talk.say("D003: pin the base images", "a")
    talk.say("D003: publish wheels for ARM", "b")
    talk.say("D003 was withdrawn", "b")
    assert sorted(talk.decisions()) == ["active: pin the base images", "invalidated: publish wheels for ARM"]


def test_the_same_words_in_a_project_are_one_entry(talk: Talk) -> None:
    talk.say(CHOICE, "a")
    talk.say(f"As noted. {CHOICE.upper()[:1]}{CHOICE[1:]}", "b")
    (decision,) = talk.em.decisions.browse(project=talk.project)
    assert decision.conversation_ids == (f"{talk.project}-a", f"{talk.project}-b")
    talk.em.create_project(f"{talk.project}-2")
    Talk(talk.em, f"{talk.project}-2").say(CHOICE, "c")
    assert len(talk.em.decisions.browse(project=f"{talk.project}-2")) == 1


def test_what_is_older_changes_nothing(talk: Talk) -> None:
    talk.say("T001: tune the cache of the importer", day=1)
    talk.say("T001 resolved: doubled it", day=5)
    talk.say("reopen T001, it is too slow", day=3)
    assert talk.threads() == ["resolved: tune the cache of the importer"]


def test_a_thread_without_a_name_is_closed_by_its_words(talk: Talk) -> None:
    talk.say("TODO: fix the memory leak in the export worker")
    talk.say("The memory leak in the export worker is fixed now.")
    assert talk.threads() == ["resolved: fix the memory leak in the export worker"]


def test_a_thread_never_waits_for_itself(talk: Talk) -> None:
    talk.say("T001: first thing of the release. T002: second thing of the release, blocked by T001.")
    talk.say("T001 is blocked by T002")
    talk.say("T002 is blocked by T002")
    waits = {
        thread.local_id: len(thread.blocked_by) for thread in talk.em.threads.browse(project=talk.project)
    }
    assert waits == {"T001": 0, "T002": 1}


def test_what_a_person_wrote_is_not_rewritten(talk: Talk) -> None:
    own = f"{talk.project}-c1"
    made = talk.em.decisions.create(
        "keep the monolith", project=talk.project, conversation=own, local_id="D001"
    )
    talk.say("D001: split the monolith by billing domain")
    assert talk.decisions() == ["active: keep the monolith"]
    assert talk.waiting() == ["split the monolith by billing domain"]
    talk.say("D001 is no longer valid")
    assert talk.em.decisions.get(made.id).status == "invalidated"


def test_a_decision_record_that_ended_stands_as_it_says(talk: Talk) -> None:
    talk.say(
        "# 4. Use cron\n\n## Status\n\nRejected\n\n## Context\n\nJobs.\n\n## Decision\n\nWe will use cron.\n"
    )
    assert talk.decisions() == ["invalidated: Use cron: We will use cron"]
    assert talk.decisions(status="active") == []


@pytest.mark.each_engine
def test_a_second_import_adds_nothing(talk: Talk, tmp_path: Path) -> None:
    lines = [
        CHOICE,
        "T001: choose a strategy for the cache",
        "T001 resolved: LRU",
        UNSURE,
        "- [ ] write the runbook",
    ]
    file = tmp_path / "talk.jsonl"
    drafts = (
        {
            "content": text,
            "kind": "message",
            "session_id": talk.project,
            "sequence": number,
            "origin": f"o{number}",
        }
        for number, text in enumerate(lines)
    )
    file.write_text("\n".join(json.dumps(draft) for draft in drafts))
    first = talk.em.import_path(file, project=talk.project)
    before = (talk.decisions(), talk.threads(), talk.waiting())
    assert (before[0], sorted(before[1]), before[2]) == (
        ["active: We decided to use Postgres instead of MySQL for the event log"],
        ["open: write the runbook", "resolved: choose a strategy for the cache"],
        ["I chose the second variant"],
    )
    file.write_text(file.read_text() + "\n")
    again = talk.em.import_path(file, project=talk.project)
    assert (first.written, again.written) == (5, 0)
    assert (talk.decisions(), talk.threads(), talk.waiting()) == before
    # The same words under other origins: known, too.
    for number, text in enumerate(lines[:1] + lines[3:]):
        talk.say(text, "again", sequence=number)
    assert (talk.decisions(), talk.threads(), talk.waiting()) == before


def test_a_reversal_in_plain_words_ends_what_it_means(talk: Talk) -> None:
    talk.say("We decided to use SQLite for the job queue.", kind="prompt", speaker="user")
    talk.say("Scrap SQLite, we go with Postgres.", "c2", kind="prompt", speaker="user")
    assert [each.split(":")[0] for each in talk.decisions()] == ["superseded", "active"]
    talk.em.undo()
    assert [each.split(":")[0] for each in talk.decisions()] == ["active"]


@pytest.mark.each_engine
def test_undo_takes_back_message_and_entries_together(talk: Talk) -> None:
    talk.say("T001: choose a cache for the importer")
    talk.say(f"T001 resolved: LRU. {CHOICE} {UNSURE}")
    assert talk.em.undo().action == "remember"
    assert (talk.decisions(), talk.threads(), talk.waiting()) == (
        [],
        ["open: choose a cache for the importer"],
        [],
    )
    talk.em.redo()
    assert len(talk.decisions()) == len(talk.waiting()) == 1
    assert talk.threads() == ["resolved: choose a cache for the importer"]
    talk.em.undo()
    talk.say(CHOICE)
    assert len(talk.decisions()) == 1


@pytest.mark.each_engine
def test_forgetting_a_message_forgets_what_was_read_from_it(talk: Talk) -> None:
    message = talk.say(f"{CHOICE} {UNSURE} TODO: rotate the signing keys")
    talk.em.forget(message.logical_id)
    assert (talk.decisions(), talk.threads(), talk.waiting()) == ([], [], [])
    flags = talk.em._stages.door.asking(talk.em._scope).entries(EntryQuery(kind=Kind.FLAG, ended=True))
    assert [flag for flag in flags if flag.project == talk.project] == []


def test_secrets_reach_no_entry(talk: Talk) -> None:
    token = "ghp_" + "a1B2" * 9
    talk.say(f"TODO: rotate the token {token} of the build server")
    assert talk.threads() and token not in " ".join(talk.threads())


def test_a_conversation_that_begins_with_an_archive_has_its_lineage(talk: Talk) -> None:
    talk.say(f"{CHOICE} T001: choose a cache for the importer")
    first, two = f"{talk.project}-c1", f"{talk.project}-c2"
    archive = talk.em.archives.compress(first, project=talk.project)
    before = talk.decisions(), talk.threads()
    talk.say(archive.text, "c2")
    (edge,) = talk.em.lineage.trace(two)
    assert (edge.id, edge.source_conversation_id, edge.target_conversation_id) == (
        archive.edge.id,
        first,
        two,
    )
    assert (talk.decisions(), talk.threads()) == before
    # The new conversation knows the archive's names.
    talk.say("T001 resolved: an LRU cache", "c2")
    thread = talk.em.threads.get("T001", conversation=first)
    assert (thread.status, thread.resolved_in) == ("resolved", two)
    # A second continuation has an edge of its own; no conversation goes on from itself, or in a circle.
    talk.say(archive.text, "c3")
    talk.say(archive.text, "c1")
    talk.say(talk.em.archives.compress(two, project=talk.project).text, "c1", valid_at=DAY)
    ends = {
        (item.source_conversation_id, item.target_conversation_id) for item in talk.em.lineage.trace(first)
    }
    assert ends == {(first, two), (first, f"{talk.project}-c3"), (two, None)}
    talk.say("good morning", "c4")
    talk.say(archive.text, "c4")
    assert talk.em.lineage.trace(f"{talk.project}-c4") == []


def test_review_accepts_edits_and_rejects(talk: Talk) -> None:
    talk.say(
        "I chose the second variant. I chose the third colour. I decided to drop it. I chose the first one."
    )
    waiting = {candidate.text: candidate for candidate in talk.em.review.pending(project=talk.project)}
    assert [candidate.confidence for candidate in waiting.values()] == sorted(
        (candidate.confidence for candidate in waiting.values()), reverse=True
    )
    assert talk.decisions() == []
    found = talk.em.recall("I chose the second variant", project=talk.project, kinds=["message", "flag"])
    assert {str(hit.memory.kind) for hit in found.hits} == {"message"}
    second, third, drop, first = (
        waiting[name]
        for name in (
            "I chose the second variant",
            "I chose the third colour",
            "I decided to drop it",
            "I chose the first one",
        )
    )
    taken = talk.em.review.accept(second.id, drop.memory_id)
    assert [item.evidence and item.evidence.sentence for item in taken] == [second.sentence, drop.sentence]
    edited = talk.em.review.edit(
        third.id, text="choose a colour", kind="thread", priority="low", local_id="T001"
    )
    assert (edited.title, edited.priority, edited.local_id) == ("choose a colour", "low", "T001")  # type: ignore[union-attr]
    assert [record.status for record in talk.em.review.reject(first.id)] == ["rejected"]
    assert talk.waiting() == []
    # Neither comes back, and none is reviewed twice.
    talk.say("I chose the second variant. I chose the first one.", "c2")
    assert talk.waiting() == [] and len(talk.decisions()) == 2
    with pytest.raises(Conflict):
        talk.em.review.accept(first.id)


@pytest.mark.each_engine
def test_a_review_is_one_change_and_can_be_undone(talk: Talk) -> None:
    talk.say("I chose the second variant. I chose the third colour. I decided to drop it.")
    ids = [candidate.id for candidate in talk.em.review.pending(project=talk.project)]
    with pytest.raises(NotFound):
        talk.em.review.accept(*ids, "flg_000000000000")
    assert len(talk.waiting()) == 3 and talk.decisions() == []
    talk.em.review.accept(*ids)
    assert len(talk.decisions()) == 3
    talk.em.undo()
    assert len(talk.waiting()) == 3 and talk.decisions() == []
    talk.em.review.reject(ids[0])
    talk.em.undo()
    assert len(talk.waiting()) == 3


def test_review_refuses_what_it_cannot_do(talk: Talk) -> None:
    message = talk.say(UNSURE)
    (flag,) = talk.em.review.pending(project=talk.project, kind="decision")
    assert talk.em.review.pending(project=talk.project, kind="thread") == []
    for wrong in (
        lambda: talk.em.review.accept(),
        lambda: talk.em.review.accept("dec_000000000000"),
        lambda: talk.em.review.pending(kind="archive"),
        lambda: talk.em.review.edit(flag.id),
        lambda: talk.em.review.edit(flag.id, text=""),
        lambda: talk.em.review.edit(flag.id, status="open"),
        lambda: talk.em.review.edit(flag.id, kind="note"),
        lambda: talk.em.review.accept(message.logical_id),
    ):
        with pytest.raises(CallerError):
            wrong()
    assert talk.waiting() == ["I chose the second variant"]


def test_detection_can_be_switched_off_and_made_stricter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAMFORGE_DETECTION", "off")
    with engramforge.open(tmp_path / "off") as em:
        em.remember(CHOICE, kind="message")
        assert em.decisions.browse() == [] and em.review.pending() == []
    monkeypatch.setenv("ENGRAMFORGE_DETECTION", "on")
    monkeypatch.setenv("ENGRAMFORGE_DETECTION_THRESHOLD", "0.99")
    with engramforge.open(tmp_path / "strict") as em:
        em.remember(CHOICE, kind="message")
        assert em.decisions.browse() == [] and len(em.review.pending()) == 1


def test_another_extractor_takes_the_place_of_the_rules(tmp_path: Path) -> None:
    class Model:
        def extract(self, text: str) -> list[Detection]:
            said = Detection(
                kind=Kind.DECISION,
                sentence=text,
                rule="a model",
                confidence=0.9,
                text="use blue",
                status="active",
            )
            return [said]

    with engramforge.open(tmp_path) as em:
        follower = em._stages.intake.follower
        assert follower is not None
        follower.others.extractor = Model()  # type: ignore[attr-defined]
        em.remember("the sky, as ever", kind="message")
        (decision,) = em.decisions.browse()
        assert decision.decision == "use blue"
        assert decision.evidence is not None and decision.evidence.rule == "a model"


@pytest.mark.parametrize("said", [CHOICE, "T001 resolved: an LRU cache"])
def test_what_another_process_detects_meanwhile_is_planned_again(tmp_path: Path, said: str) -> None:
    with engramforge.open(tmp_path) as first, engramforge.open(tmp_path) as other:
        first.remember("T001: choose a cache for the importer", kind="message", session_id="c1")
        intake = first._stages.intake
        inner: Any = intake.follower

        class Interrupted:
            plans = 0
            still_known = staticmethod(inner.still_known)

            def plan(self, *arguments: Any) -> Any:
                planned = inner.plan(*arguments)
                self.plans += 1
                if self.plans == 1:
                    other.remember(said, kind="message", session_id="c1", sequence=7)
                return planned

        interrupted = Interrupted()
        intake.follower = interrupted
        first.remember(f"Noted. {said}", kind="message", session_id="c1", sequence=8)
        assert interrupted.plans == 2
        entries: list[Any] = [*first.decisions.browse(status=None), *first.threads.browse()]
        assert sorted(entry.status for entry in entries) == (
            ["active", "open"] if said == CHOICE else ["resolved"]
        )


NOTHING = (
    "Final answer.",
    "That's my final answer.",
    "We decided that.",
    "We go with it.",
    "Decision: yes",
    "We agreed.",
    *("Scrap that.", "Changed my mind.", "That is the final version.", "I have chosen.", "TODO: this"),
    *("On a décidé.", "Wir haben das beschlossen.", "Lo hemos decidido."),
)


def test_a_statement_without_content_is_no_entry(talk: Talk) -> None:
    for number, text in enumerate(NOTHING):
        assert talk.say(text, f"c{number}").consequences == (), text
    assert talk.decisions() + talk.threads() + talk.waiting() == []


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Logs go to Loki. Final answer.", "active: Logs go to Loki"),
        ("Decision: C", "active: Decision: C"),
        ("We decided to use Go.", "active: We decided to use Go"),
        ("we go with go", "active: we go with go"),
        ("D001: yes", "active: yes"),
        ("TODO: decide", "open: decide"),
    ],
)
def test_short_statements_with_content_are_entries(em: Forge, text: str, made: str) -> None:
    talk = Talk(em, f"short {text}"[:60])
    em.create_project(talk.project)
    talk.say(text)
    assert talk.decisions() + talk.threads() == [made]


def test_what_says_nothing_is_an_entry_where_a_person_makes_it_one(talk: Talk) -> None:
    talk.say("Sum it up:\n<document>\nWe decided to use the red barn for the feast.\n</document>")
    (waiting,) = talk.em.review.pending(project=talk.project)
    assert talk.em.review.edit(waiting.id, text="We decided that").decision == "We decided that"  # type: ignore[union-attr]


def test_one_change_waits_once_in_whatever_words(talk: Talk) -> None:
    first = f"{talk.project}-c1"
    for name, text in (("D001", "Keep the log in one file"), ("D002", "Keep the log for a year")):
        talk.em.decisions.create(text, conversation=first, project=talk.project, local_id=name)
    talk.say("D002 is dropped, D002 no longer holds. D002 was invalidated.", kind="response")
    talk.say("D002 is obsolete.", kind="response")
    assert [each.entry_status for each in talk.em.review.pending(conversation=first)] == ["invalidated"]
    talk.say("D002 is superseded by D001.", kind="response")
    assert len(talk.em.review.pending(conversation=first)) == 2
    for each in talk.em.review.pending(conversation=first):
        talk.em.review.reject(each.id)
    talk.say("D002 does not hold any more.", kind="response")
    assert len(talk.em.review.pending(conversation=first)) == 1, "what was rejected is said anew"


@pytest.mark.parametrize("between", ["undo", "revise"])
def test_an_accepted_end_of_what_has_changed_since_ends_it(talk: Talk, between: str) -> None:
    conversation = f"{talk.project}-{between}"
    entry = talk.em.decisions.create(
        "Keep the log for a year", conversation=conversation, project=talk.project, local_id="D001"
    )
    talk.say("Bob told me that D001 no longer holds.", between)
    (waiting,) = talk.em.review.pending(conversation=conversation)
    if between == "undo":
        talk.em.review.accept(waiting.id)
        talk.em.undo()
    else:
        talk.em.decisions.revise(entry.id, decision="Keep the log for two years")
    assert str(talk.em.decisions.get(entry.id).status) == "active"
    talk.em.review.accept(waiting.id)
    assert str(talk.em.decisions.get(entry.id).status) == "invalidated"
