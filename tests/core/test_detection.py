"""Decisions and threads that texts speak of: the labelled sentences, the traps, and what is read of each."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engramforge.core.detection.cues.cue_rule import RuleIndex, beginnings, rule
from engramforge.core.detection.decision_rules import DECISION_RULES
from engramforge.core.detection.passages import passages
from engramforge.core.detection.proposal import detection_of, proposal_of
from engramforge.core.detection.rule_extractor import RuleExtractor, detect, may_say
from engramforge.core.detection.thread_rules import THREAD_RULES
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import Priority

LABELLED = Path(__file__).parents[2] / "bench" / "detection"
SURE = 0.6


def detected(text: str) -> Detection:
    (found,) = detect(text)
    return found


def cases(*names: str) -> list[dict[str, object]]:
    return [
        json.loads(line) for name in names for line in (LABELLED / f"{name}.jsonl").open(encoding="utf-8")
    ]


def test_the_labelled_sentences_are_many_and_half_of_them_traps() -> None:
    every = cases("sentences")
    traps = [each for each in every if not (each["decision"] or each["thread"])]
    assert len(every) >= 300 and len({each["text"] for each in every}) == len(every)
    assert 0.4 < len(traps) / len(every) < 0.6
    assert len({each["register"] for each in every}) >= 5


@pytest.mark.parametrize(("kind", "least"), [("decision", 0.9), ("thread", 0.9)])
def test_labelled_sentences_are_told_apart(kind: str, least: float) -> None:
    right = said = wanted = 0
    for each in cases("sentences", "blind", "fresh", "last", "plain"):
        found = any(hit.kind == kind and hit.confidence >= SURE for hit in detect(str(each["text"])))
        right += bool(found and each[kind])
        said += found
        wanted += bool(each[kind])
    assert right / said > 0.95
    assert 2 * right / (said + wanted) > least


def test_what_no_word_of_a_rule_begins_says_nothing() -> None:
    # The quick look leaves out nothing that a rule would find.
    for each in cases("sentences", "blind", "fresh", "last", "plain"):
        for passage in passages(str(each["text"])):
            tried = any(rule.pattern.search(passage.plain) for rule in (*DECISION_RULES, *THREAD_RULES))
            assert may_say(passage.said) or not tried, passage.said


def test_whole_stems_leave_out_nothing_that_their_beginnings_let_through() -> None:
    every = (*DECISION_RULES, *THREAD_RULES)
    index = RuleIndex(every)
    for each in cases("sentences", "blind", "fresh", "last", "plain"):
        for passage in passages(str(each["text"])):
            begun, tried = beginnings(passage.plain), index.tried(passage.plain)
            for one in every:
                let = not (one.begins.isdisjoint(begun) or (one.beside and one.beside.isdisjoint(begun)))
                if let and one not in tried:
                    assert one.pattern.search(passage.plain) is None, (one.name, passage.plain)


def test_a_rule_is_tried_only_where_a_whole_stem_stands() -> None:
    decided = rule("decided", 0.7)("decided", r"\bwe decided\b")
    ends, beside = (
        rule("ends", 0.7)("end", r"\bthe end\b"),
        rule("beside", 0.7, beside="we")("decide", "decide"),
    )
    index = RuleIndex((ends, decided, beside))
    assert index.tried("At the END we decidedly agree.") == [ends, decided, beside]
    assert index.tried("A decimal that ends in a decision.") == []
    assert index.tried("They decided.") == [decided]


def test_a_text_without_a_cue_costs_little_more_than_its_words() -> None:
    text = "The quick brown fox jumps over a lazy dog while the sun shines on quiet fields. " * 3
    assert detect(text) == ()
    # Against the same work on the same machine, so that a busy one fails nothing; alone it takes about 10 microseconds.
    looked = min(_seconds(lambda: detect(text)) for _ in range(9))
    words = min(_seconds(lambda: re.findall("[a-z]+", text.lower())) for _ in range(9))
    assert looked < 6 * words


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    for _ in range(300):
        work()
    return time.process_time() - began


def test_a_decision_with_its_reason_and_what_was_rejected() -> None:
    found = detected(
        "We decided to use Postgres instead of MySQL for the event log because we need row-level security."
    )
    assert (found.kind, found.status, found.local_id) == (Kind.DECISION, "active", None)
    assert found.text == "We decided to use Postgres instead of MySQL for the event log"
    assert found.rationale == "we need row-level security"
    assert found.alternatives_rejected == ("MySQL",)
    assert found.sentence.startswith("We decided") and found.sentence.endswith("security.")
    assert SURE < found.confidence < 1


def test_lines_that_follow_a_decision_complete_it() -> None:
    found = detected(
        "D004: Use OpenTelemetry for tracing\nRationale: one standard\nAlternatives rejected: Zipkin, vendor agent"
    )
    assert found.local_id == "D004"
    assert (found.text, found.rationale) == ("Use OpenTelemetry for tracing", "one standard")
    assert found.alternatives_rejected == ("Zipkin", "vendor agent")


@pytest.mark.parametrize(
    ("text", "local_id", "status", "by"),
    [
        ("D002 is superseded by D005", "D002", "superseded", "D005"),
        ("D014 supersedes D003: sessions now live in Redis", "D003", "superseded", "D014"),
        ("D006 was withdrawn after the security review.", "D006", "invalidated", None),
        ("D009 is no longer valid because the vendor removed the API.", "D009", "invalidated", None),
        ("T001 resolved: pagination is cursor based", "T001", "resolved", None),
        ("T003 is done, the replica is live", "T003", "resolved", None),
        ("T006 abandoned: the vendor discontinued the product.", "T006", "abandoned", None),
        ("Closed T007 since the upstream bug was fixed.", "T007", "resolved", None),
        ("reopen T002, the upload still fails", "T002", "open", None),
        ("T001 is not resolved yet", "T001", "open", None),
    ],
)
def test_how_a_named_entry_stands(text: str, local_id: str, status: str, by: str | None) -> None:
    found = next(hit for hit in detect(text) if hit.local_id == local_id)
    assert (found.status, found.superseded_by, found.is_update) == (status, by, True)


def test_a_revision_brings_the_new_text() -> None:
    found = detected("D003 revised: the limit is now 500 requests per minute.")
    assert found.is_update and found.status == "active"
    assert found.text == "the limit is now 500 requests per minute"


def test_a_named_thread_with_priority_and_blocker() -> None:
    found = detected("T002: Migrate attachments, blocked by T001 (priority: high)")
    assert (found.local_id, found.priority, found.blocked_by) == ("T002", Priority.HIGH, ("T001",))
    assert detected("T004 is blocked by T002").blocked_by == ("T002",)
    assert detected("T001 OPEN: choose a pagination strategy").text == "choose a pagination strategy"


@pytest.mark.parametrize(
    "text",
    [
        "Is T001 resolved?",
        "Should D003 be superseded by D005?",
        "If T001 is closed, the release can go out.",
        "d3.js draws the chart",
        "See D003 and T004 for details.",
    ],
)
def test_a_name_that_is_only_mentioned_says_nothing(text: str) -> None:
    assert detect(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "We have not decided whether to use Kafka.",
        "Should we go with Postgres?",
        "If we decide to use Kafka, the cluster has to grow.",
        'He said "we decided to rewrite everything" as a joke.',
        "I wish we had chosen a simpler framework.",
        "```\n# TODO: handle None\nwe decided to use tabs\n```",
        "> We decided to use tabs in all files.",
        "Run `git decided --to use` and look at the output.",
        "I decided to go for a walk with the dog after dinner.",
        "The server rejected the request with a 403.",
        "the gate is open",
    ],
)
def test_traps(text: str) -> None:
    assert [hit for hit in detect(text) if hit.confidence >= SURE] == []


def test_headings_and_lists_say_what_their_items_are() -> None:
    text = (
        "Notes\n\nDecisions:\n- JSON logs everywhere\n- one cluster per region\n\n"
        "Next steps:\n- [ ] ask legal\n- book the room\n\nAlso present: Kim"
    )
    found = [(hit.kind, hit.text) for hit in detect(text)]
    assert found == [
        (Kind.DECISION, "JSON logs everywhere"),
        (Kind.DECISION, "one cluster per region"),
        (Kind.THREAD, "ask legal"),
        (Kind.THREAD, "book the room"),
    ]


def test_a_decision_record_is_one_decision() -> None:
    text = (
        "# 12. Use a message queue\n\nDate: 2026-02-03\n\n## Status\n\nSuperseded by [14. Streams](0014-streams.md)\n\n"
        "## Context\n\nWe considered polling and decided against cron.\n\n"
        "## Decision\n\nWe will put a queue between the services.\n\n"
        "## Consequences\n\nTODO: monitor its length.\n"
    )
    found = detected(text)
    assert (found.rule, found.status, found.local_id) == ("decision record", "superseded", "ADR-0012")
    assert found.superseded_by == "ADR-0014"
    assert found.text == "Use a message queue: We will put a queue between the services"
    assert found.sentence == "We will put a queue between the services."


def test_a_long_thread_has_a_short_title() -> None:
    words = "check the importer " * 12
    found = detected(f"TODO: {words}")
    assert len(found.text) <= 122 and found.text.endswith("\u2026")
    assert found.content == words.strip()


def test_a_detection_is_kept_as_json_and_comes_back() -> None:
    for each in cases("sentences")[::7]:
        for found in detect(str(each["text"])):
            assert detection_of(json.loads(json.dumps(proposal_of(found)))) == found


def test_odd_texts_are_read_within_bounds() -> None:
    for text in (
        "",
        "\n" * 5_000,
        "D001:" * 20_000,
        "we decided " * 20_000,
        "- [ ] \n" * 5_000,
        "`" * 9_999,
        "T001 " * 9_999,
        "a" * 200_000,
    ):
        began = time.process_time()
        assert len(detect(text)) <= 64
        assert time.process_time() - began < 3


def test_the_rules_are_an_extractor() -> None:
    text = "Decision: no ORM. TODO: write it down."
    assert tuple(RuleExtractor().extract(text)) == detect(text)


@pytest.mark.parametrize(
    ("text", "decided"),
    [
        ("Durations are always in milliseconds, that's our rule now.", "milliseconds"),
        ("The scheduler gets rewritten in Zig, decision's made.", "Zig"),
        ("it's decided, resellers get a portal and no ftp", "portal"),
        ("Mails will be sent through Postmark. The board approved the contract on Friday.", "Postmark"),
        ("Team has spoken: Valkey for sessions.", "Valkey"),
        ("Final call on feature flags: Unleash. The others cost too much.", "feature flags: Unleash"),
        ("So the ticketing question is settled: Zammad.", "Zammad"),
        ("The bundler debate is over. Rspack won.", "Rspack"),
        ("I'm making the call: ULIDs for all new tables.", "ULIDs"),
        ("we decided the export for the tax office is XML", "tax office"),
        ("We've fixed the sampling rate at 44 kHz for the whole corpus.", "44 kHz"),
        ("we're goign with Lit for the widget", "Lit"),
        ("Jobs speak AMQP. Decision taken in the platform round on Monday, rationale: one broker.", "AMQP"),
    ],
)
def test_a_choice_is_understood_by_its_tense_its_beginning_or_by_what_settles_it(
    text: str, decided: str
) -> None:
    found = [hit for hit in detect(text) if hit.kind == "decision" and hit.confidence >= SURE]
    assert any(decided in hit.text for hit in found), found


@pytest.mark.parametrize(
    "text",
    [
        "Legal approved the contract.",
        "The customer approved the invoice.",
        "As of today I have 14 open tickets.",
        "Starting now I need to leave for lunch.",
        "The tests are green now.",
        "The saga is over: the bug is fixed.",
        "I'm making the call: mom is worried about grandpa.",
        "We use more memory now than last week.",
        "I've seen this error here and nowhere else.",
        "The connection got dropped again.",
        "It's decided by the scheduler which task runs first.",
        "The comparison is done: method A is 4 ms slower.",
        "Let's take Monday off.",
        "Then use Python to print it.",
        "Let's keep that open.",
    ],
)
def test_talk_with_the_same_words_decides_nothing(text: str) -> None:
    assert not [hit for hit in detect(text) if hit.kind == "decision" and hit.confidence >= SURE]


@pytest.mark.parametrize("left", ["Let's leave it open until Monday.", "Let's keep that open."])
def test_a_question_that_is_left_open_is_a_thread(left: str) -> None:
    (thread,) = detect(f"Should invoices be monthly? {left}")
    assert thread.kind == "thread" and "invoices" in thread.text and thread.confidence >= SURE
    assert not detect("Let's leave the office open on Sundays.")


@pytest.mark.parametrize(
    "said",
    [
        "what we still dont know is how the lantern survives salt, where three lamps share one hull",
        "the echo of the quarry still confuses the depth sounder",
    ],
)
def test_what_is_still_not_known_is_open(said: str) -> None:
    assert any(each.kind is Kind.THREAD and each.status == "open" for each in detect(said))
