"""Dialogues written before the rules they measure: what a few words decide, and what they leave undecided."""

from functools import partial

import pytest
from tests.timing import assert_in_proportion

from engramforge.core.detection.answers.chosen import answered

# (what the assistant said last, the person's answer, what the decision has to say, what it must not take)
DECIDED: list[tuple[str, str, tuple[str, ...]]] = [
    (
        "Where do the recipes go?\n\n1. One YAML file per recipe\n2. A SQLite database\n3. A folder of Markdown pages",
        "2",
        ("sqlite database", "rather than", "yaml", "markdown"),
    ),
    (
        "How should the till talk to the kitchen?\n\na) Websockets\nb) Long polling\nc) MQTT over the shop's broker",
        "c",
        ("mqtt over the shop's broker", "rather than", "websockets", "long polling"),
    ),
    (
        "Two ways to sign the invoices:\n\n- **PAdES** - inside the PDF\n- **Detached CMS** - a file beside it\n\n"
        "What do you think?",
        "the first one",
        ("pades", "rather than detached cms"),
    ),
    (
        "I can keep the audio as FLAC, Opus or WAV. Which one?",
        "opus",
        ("opus", "rather than", "flac", "wav"),
    ),
    ("FLAC, Opus or WAV for the masters?", "flac please", ("flac", "rather than", "opus", "wav")),
    (
        "We could render the score with Verovio or with LilyPond on the server. Which?",
        "verovio then",
        ("verovio", "rather than", "lilypond"),
    ),
    ("I'd go for Terraform for the DNS records. Shall we?", "yes", ("terraform for the dns records",)),
    (
        "I'd suggest that we version the API through the Accept header. OK with you?",
        "ok but only from v2 on",
        ("version the api through the accept header", "but only from v2 on"),
    ),
    ("I recommend Poetry for the lock file. Should I use Poetry?", "yep", ("poetry",)),
    (
        "Should the prices be stored as integers of cents, or do you prefer decimals?",
        "cents",
        ("cents", "rather than", "decimals"),
    ),
    (
        "Which queue? RabbitMQ on the VM or SQS in the account of the shop?",
        "sqs",
        ("sqs", "rather than", "rabbitmq"),
    ),
    ("Tabs or spaces in the templates?", "neither, prettier", ("prettier", "rather than", "tabs", "spaces")),
    ("I'd use Kotlin for the plugin instead of Java.", "nah, java is fine", ("java", "rather than kotlin")),
    ("I propose GraphQL for the public API.", "no, plain rest", ("plain rest", "rather than graphql")),
    (
        "## Option 1: Server side sessions\n\nA cookie and a table.\n\n## Option 2: JWT\n\nStateless.\n\n"
        "I'd recommend **option 1**.",
        "yes, option 1",
        ("server side sessions",),
    ),
    (
        "## Option 1: Server side sessions\n\nA cookie and a table.\n\n## Option 2: JWT\n\nStateless.\n\n"
        "Which one do you want?",
        "option 2",
        ("jwt", "rather than server side sessions"),
    ),
    (
        "For the old clients I see these ways:\n\n1. Translate in the gateway\n2. Keep both endpoints\n\nWhich one?",
        "1 but keep the old endpoint until march",
        ("translate in the gateway", "but keep the old endpoint until march"),
    ),
    ("Should the backups run hourly or nightly?", "nightly", ("nightly", "rather than hourly")),
    ("I'd lint with Biome rather than ESLint.", "go ahead", ("biome", "rather than eslint")),
    (
        "We could cache the map tiles on disk with an LRU of 2 GB.",
        "let's do that",
        ("cache the map tiles on disk",),
    ),
    ("I'd store times in UTC and convert at the edge.", "yeah, let's do it", ("times in utc",)),
    (
        "Which licence do you want: MIT, Apache-2.0 or MPL?",
        "apache",
        ("apache-2.0", "rather than", "mit", "mpl"),
    ),
    ("Should the CLI be written with Click or Typer?", "lets go typer", ("typer", "rather than", "click")),
    ("pnpm or npm workspaces for the monorepo?", "pnpm i think", ("pnpm", "rather than npm")),
    (
        "Do you want the dates in ISO form or in the German form in the exports?",
        "iso",
        ("iso", "rather than", "german form"),
    ),
    (
        "For the barcode scanner there are three ways:\n\n1. ZXing in the browser\n2. A native plugin\n"
        "3. A bluetooth scanner\n\nWhich of these would you like?",
        "the last one",
        ("bluetooth scanner", "rather than", "zxing"),
    ),
    (
        "I lean towards Redis Streams for the job log. Should I go with Redis Streams?",
        "sounds good",
        ("redis streams",),
    ),
    (
        "There are two ways to ship it: a Docker image or a static binary. What would you prefer?",
        "static binary",
        ("static binary", "rather than", "docker image"),
    ),
    ("Shall we pin the actions by commit SHA?", "yes please", ("pin the actions by commit sha",)),
    (
        "I'd write the migrations by hand instead of generating them. Sound good?",
        "yes, but keep them idempotent",
        ("migrations by hand", "but keep them idempotent"),
    ),
    ("Postgres or MySQL?", "neither, sqlite", ("sqlite", "rather than", "postgres", "mysql")),
    (
        "The choices for the map are:\n\n* Leaflet\n* MapLibre GL\n* OpenLayers\n\nWhich do you prefer?",
        "maplibre",
        ("maplibre gl", "rather than", "leaflet", "openlayers"),
    ),
    (
        "How shall we lay out the code?\n\n1. Monorepo\n2. Two repositories\n\nI would take the monorepo. Agreed?",
        "no, 2",
        ("two repositories", "rather than", "monorepo"),
    ),
    (
        "Should the form save by itself, or do you want a save button?",
        "save button",
        ("save button", "rather than"),
    ),
    (
        "I'd make the ids UUIDv7. Is that all right?",
        "yes but show only the last eight",
        ("uuidv7", "but show only"),
    ),
    ("Should I use Zod or Valibot for the forms?", "valibot then", ("valibot", "rather than zod")),
]

UNDECIDED: list[tuple[str, str]] = [
    ("You could run `strace` to see where it hangs.", "thanks"),
    ("We could look at the flame graph together.", "ok"),
    ("I would name the variable `total` here.", "ok great"),
    ("I'd also add a comment above the loop.", "ok thanks"),
    ("I'd use a small lookup table for that in the parser.", "thanks!"),
    ("Should I delete the temporary branch?", "no dont"),
    ("Should I restart the dev server?", "no, wait"),
    ("Shall I leave the file open?", "no, close it"),
    ("Should I keep the socket open?", "nope, shut"),
    ("Should I use `rebase` for it?", "don't"),
    ("The report of this week or of last week?", "last week"),
    ("Should I ask Mara or Tomas?", "tomas"),
    ("Mara or Tomas?", "mara"),
    ("Do you want the quick summary or the long one?", "the long one"),
    (
        "Next steps:\n\n1. Write the tests\n2. Update the changelog\n3. Push\n\nWhere should I start?",
        "2",
    ),
    (
        "I changed three things:\n\n1. Renamed the module\n2. Fixed the import\n3. Removed the dead code\n\n"
        "What do you think?",
        "the first",
    ),
    (
        "I did this:\n\n- **Parser** - now reads empty lines\n- **Writer** - keeps the order\n\nWhat do you think?",
        "the second",
    ),
    ("How many zones does the room have?", "2"),
    ("Which file do you mean, `a.py` or `b.py`?", "b.py"),
    ("Should I run the tests now or later?", "later"),
    ("Morning or afternoon for the call?", "afternoon"),
    ("Is it crashing on Linux or on macOS?", "macos"),
    ("Did you install it with brew or with pip?", "brew"),
    ("Are you on version 3 or 4?", "4"),
    ("Which of these errors do you see?\n\n1. Connection refused\n2. Timeout", "2"),
    ("I'd use a profiler first.", "maybe"),
    ("Should I use Redis for it?", "not sure, what would that cost?"),
    ("Redis or Memcached?", "whats the difference?"),
    ("Redis or Memcached?", "you decide"),
    ("Redis or Memcached?", "let me think"),
    ("SQLite or Postgres?", "both?"),
    ("I would go with MIT. Should I add the file?", "no, not yet"),
    ("Shall I show you the diff or the whole file?", "the diff"),
    ("Should I read the first page or all of them?", "all"),
    ("Should we continue with the parser or with the tests?", "the parser"),
    ("I could rewrite the loop as a comprehension.", "cool"),
    ("It might be worth trying a different cable.", "ok will do"),
    ("Should I commit it?", "yes"),
    ("Shall I run the migration?", "go ahead"),
    ("Let me know if you'd rather have tabs.", "thanks"),
    ("Which colour is the LED, red or green?", "red"),
    ("Small or large sample for this run?", "small"),
    ("Is the sensor in the north or the south bed?", "south"),
    ("Should I use sudo?", "no"),
    ("Do you want me to explain it again?", "yes"),
    ("Today's numbers or yesterday's?", "yesterdays"),
]


def decided(turn: str, answer: str) -> str:
    found = answered(turn, answer)
    return "" if found is None else found.text


@pytest.mark.parametrize(("turn", "answer", "parts"), DECIDED)
def test_a_dialogue_decides(turn: str, answer: str, parts: tuple[str, ...]) -> None:
    text = decided(turn, answer).casefold()
    assert all(part in text for part in parts), text


@pytest.mark.parametrize(("turn", "answer"), UNDECIDED)
def test_a_dialogue_leaves_undecided(turn: str, answer: str) -> None:
    assert decided(turn, answer) == ""


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "a or ",
            "a, ",
            "1. a ",
            "- a\n",
            "A) b\n",
            "option 1 - ",
            "I'd use ",
            "we could store a ",
            "between a and ",
        ),
        *(
            "instead of ",
            "Should the a ",
            "do you want a ",
            "'",
            "? ",
            "## 1. a\n",
            "vs ",
            "keep the ",
            "a b ",
            "\n",
        ),
    ],
)
def test_a_turn_takes_time_by_its_length(piece: str) -> None:
    for end in ("", "?", "\nWhich one?", " or b?"):
        assert_in_proportion(partial(answered, answer="2, but a"), partial(_repeated, piece, end), 20_000)


def _repeated(piece: str, end: str, size: int) -> str:
    return piece * (size // len(piece)) + end
