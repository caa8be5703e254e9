"""The emotion rules: own sentences, negation and strength."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.emotions.emotion import EMOTIONS, LEXICON, OPPOSITES, emotions_of


def test_there_are_28_names() -> None:
    assert len(EMOTIONS) == len(set(EMOTIONS)) == 28
    assert "neutral" in EMOTIONS
    assert set(OPPOSITES) | set(OPPOSITES.values()) <= set(EMOTIONS)


@pytest.mark.parametrize(
    ("text", "emotion"),
    [
        ("Thank you for the quick fix", "gratitude"),
        ("I am so sorry, I apologize for the outage", "remorse"),
        ("I'm afraid the deploy could wipe the disk", "fear"),
        ("This flaky test is annoying and frustrating", "annoyance"),
        ("Can't wait for the launch!", "excitement"),
        ("I realized that the cache was never read", "realization"),
        ("I hope the migration works", "optimism"),
        ("Haha that was hilarious", "amusement"),
        ("What a beautiful and elegant proof", "admiration"),
        ("I love this editor", "love"),
        ("I'm confused, it makes no sense", "confusion"),
        ("Do you know which port it uses?", "curiosity"),
        ("That code smell is disgusting", "disgust"),
        ("Proud of the team", "pride"),
        ("Phew, what a relief", "relief"),
        ("She was nervous and anxious before the talk", "nervousness"),
        ("He passed away and we are grieving", "grief"),
        ("I wish we had more time", "desire"),
        ("That was embarrassing", "embarrassment"),
        ("I disagree with that plan", "disapproval"),
        ("Take care and stay safe", "caring"),
        ("Unexpected and shocking numbers", "surprise"),
        ("Sounds good, I agree", "approval"),
        ("We are happy and glad it shipped", "joy"),
        ("How disappointing, a let down", "disappointment"),
        ("I cried, it is so sad", "sadness"),
        ("He is furious and enraged", "anger"),
        ("😂", "amusement"),
    ],
)
def test_what_a_sentence_speaks_of(text: str, emotion: str) -> None:
    felt = emotions_of(text)
    assert felt.get(emotion, 0.0) >= 0.55, felt


@pytest.mark.parametrize(
    "text", ["", "The meeting is on Tuesday in room four.", "def f(x): return x", "漢字", "\x00"]
)
def test_plain_text_feels_nothing(text: str) -> None:
    assert emotions_of(text) == {}


def test_negation_turns_an_emotion() -> None:
    plain, negated = emotions_of("I am happy with it"), emotions_of("I am not happy with it")
    assert "joy" in plain
    assert "joy" not in negated
    assert "sadness" in negated
    assert "approval" in emotions_of("that is not bad")
    assert "joy" in emotions_of("it is not as if I had expected any of this but I am happy")


def test_intensifiers_and_capitals_strengthen_and_diminishers_weaken() -> None:
    plain = emotions_of("it is nice")["admiration"]
    assert emotions_of("it is very nice")["admiration"] > plain
    assert emotions_of("it is NICE")["admiration"] > plain
    assert emotions_of("it is nice!")["admiration"] > plain
    assert emotions_of("it is kinda nice")["admiration"] < plain
    assert emotions_of("IT IS NICE")["admiration"] == plain


def test_several_words_add_up() -> None:
    assert (
        emotions_of("nice and lovely work")["admiration"] > emotions_of("nice work done")["admiration"] - 0.3
    )
    assert emotions_of("sad and lonely")["sadness"] > emotions_of("sad")["sadness"]


@given(st.text(max_size=120))
def test_any_text_gives_names_and_strengths_in_range(text: str) -> None:
    felt = emotions_of(text)
    assert set(felt) <= set(EMOTIONS) - {"neutral"}
    assert all(0.2 <= strength <= 1 for strength in felt.values())
    assert list(felt.values()) == sorted(felt.values(), reverse=True)


def test_every_entry_of_the_lexicon_can_be_met() -> None:
    for emotion, by_strength in LEXICON.items():
        for listed in by_strength.values():
            for entry in listed.split():
                assert emotion in emotions_of(entry.replace("_", " ") + "?"), (emotion, entry)


@pytest.mark.timed
def test_the_rules_are_fast_enough_for_ingest() -> None:
    texts = [
        f"Thanks, note {i} was really helpful but not very happy news about the harbour."
        for i in range(2_000)
    ]
    start = time.thread_time()
    for text in texts:
        emotions_of(text)
    assert len(texts) / (time.thread_time() - start) > 5_000


MACHINES = """
The slurry is pumped at 40 bar.
Water is pumped up to the tank on the roof.
We removed the dead code from the parser.
The build is broken since Tuesday.
A broken build blocks the release branch.
Kill the process with SIGKILL when it hangs.
The OOM reaper killed the worker at midnight.
systemd killed the process after the timeout.
The kernel panic came from the driver.
The goroutine panics when the channel is closed.
The function panics on an empty slice.
Cover the happy path before the edge cases.
The happy eyeballs algorithm races IPv6 and IPv4.
We shipped a hot fix to the staging cluster.
The hotfix went out on Friday.
Figure 3 is an exploded view of the pump.
The exploded diagram names each gasket.
The bundle size exploded after the upgrade.
A dead letter queue takes the rejected messages.
The worker died with exit code 137.
The server died at 03:12.
The parent process spawns a child and kills orphans.
Orphaned processes are adopted by init.
The lock is held by a zombie process.
The mutex is poisoned after the thread panicked.
The shock load on the crane was 12 kN.
The beam is under tension and stress.
Thermal stress cracked the weld.
The stress test ran for two hours.
The attack surface of the API is small.
The request was aborted by the client.
The fatal error is logged with its stack.
The lazy evaluation of the list saves memory.
A greedy algorithm picks the nearest node.
The master branch is protected.
The slave cylinder of the clutch leaks.
The heart beat interval is 5 seconds.
The heartbeat is missing for ten seconds.
The cold start takes two seconds.
The hot path allocates nothing.
The cool down period of the autoscaler is five minutes.
The bad sectors of the disk were remapped.
The bad gateway error comes from nginx.
The dirty bit is set on write.
The garbage collector runs every minute.
The loss of the model falls below 0.2.
Packet loss is at 3 percent.
The sweet spot of the cache is 64 MB.
The smoke test is green.
The race condition corrupts the index.
A sad path test checks the error message.
git blame shows the commit.
The bug bites when the year changes.
The wild card certificate expires in May.
Fine-grained locks cost more memory.
The pressure of the boiler is 6 bar.
The alarm is triggered at 80 degrees.
The false alarm cost the harbour 300 euros.
The threat model is kept beside the code.
The risk register lists nine entries.
The funeral chapel seats forty.
The comedy evening begins at eight.
The grief counselling room is on floor 2.
The panic button stops the conveyor.
The emergency stop kills the motor.
Kill the tmux session before you leave.
The dead zone of the joystick is 5 percent.
The lost update problem needs a version column.
The lost and found directory holds orphans.
The graceful shutdown waits for open requests.
The exciter coil of the generator is excited at 110 V.
The excited state of the atom decays in 8 ns.
The field is excited by a DC current.
Depressed areas of the casting are filled.
The depression of the land west of the canal is 4 m.
The crash dump is in /var/crash.
The optimistic lock fails on a stale version.
Optimistic concurrency control retries the write.
The trust store holds the root certificates.
The mean of the samples is 4.
A strong password has twelve characters.
The weak reference is cleared by the collector.
The wrong type is a compile error.
The value is not a number.
The hard drive is not mounted.
Error: file not found.
The test does not pass on Windows.
It's not possible to delete a locked row.
The solid tank is welded.
The cool water enters the jacket.
The hot water leaves the boiler.
"""
PEOPLE = """
I am so pumped for the release!|excitement
We are all pumped about the demo.|excitement
My grandfather died last night.|grief
She is dead, and I miss her.|grief
My dog died on Sunday.|grief
I panicked when the disk was gone.|fear
I am in panic, the demo is tomorrow.|fear
I am happy with the new editor.|joy
This broke my heart.|sadness
I feel broken after this week.|sadness
I am stressed by the deadline.|nervousness
I hate this build system.|anger
What a shock, the contract is gone!|surprise
I was shocked by the bill.|surprise
I am excited about the new pump.|excitement
The loss of my father still hurts.|sadness
I'm afraid of the migration.|fear
The tests are annoying.|annoyance
I love how the parser turned out.|love
I am so proud of the crew.|pride
Sorry for the outage, it was my fault.|remorse
I was depressed all winter.|sadness
The pressure at work makes me anxious.|nervousness
Killing the feature made me sad.|sadness
I am worried that the server dies.|nervousness
The night watch woke in alarm.|fear
The leak caused alarm at the quay.|fear
The crew is alarmed by the crack.|fear
The threat of a strike is real.|fear
The funeral was on a grey Friday.|grief
"""


@pytest.mark.parametrize("text", MACHINES.strip().splitlines())
def test_engineering_senses_feel_nothing(text: str) -> None:
    assert emotions_of(text) == {}


@pytest.mark.parametrize("line", PEOPLE.strip().splitlines())
def test_the_same_words_of_people_are_felt(line: str) -> None:
    text, emotion = line.split("|")
    assert emotion in emotions_of(text)
