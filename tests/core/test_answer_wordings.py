"""Wordings in which a person decides in a few words, each with what it decides, and such as decide nothing.

Written by somebody who did not know the rules, or after the first of them, in other matters than theirs.
"""

from __future__ import annotations

import pytest

from engramforge.core.detection.answers.chosen import answered

TAKEN = [
    (
        "How shall compositions be stored?\n\nA) localStorage\nB) IndexedDB through Dexie\nC) The"
        " File System Access API",
        "B",
        "IndexedDB through Dexie rather than localStorage or The File System Access API (How shall"
        " compositions be stored?)",
    ),
    ("1. SQLite\n2. DuckDB\n\nWhich one?", "2", "DuckDB rather than SQLite"),
    (
        "For the readings there are:\n\n1. SQLite - simple\n2. DuckDB - fast\n\nWhat do you think?",
        "2",
        "DuckDB rather than SQLite (for the readings)",
    ),
    (
        "React, Svelte or Vue for the front end?",
        "svelte",
        "Svelte for the front end rather than React or Vue",
    ),
    (
        "I see three options: React, Svelte or Vue. Which one do you want?",
        "react",
        "React rather than Svelte or Vue",
    ),
    (
        "I see three options: React, Svelte or Vue. Which one do you want?",
        "vue",
        "Vue rather than React or Svelte",
    ),
    (
        "Two candidates for the readings:\n\n- **SQLite** - one file, slow on ranges\n- **DuckDB**"
        " - columns, fast\n\nWhich one?",
        "the second",
        "DuckDB rather than SQLite (for the readings)",
    ),
    (
        "Which database shall we use?\n\n- **SQLite** - one file, slow on ranges\n- **DuckDB** - columns, fast",
        "ok the second",
        "DuckDB rather than SQLite (Which database shall we use?)",
    ),
    (
        "Options for the export:\n1. keep JSON\n2. SQLite file\n\nWhich do you prefer?",
        "2 but keep csv export",
        "SQLite file rather than keep JSON, but keep csv export (for the export)",
    ),
    (
        "How should the samples be loaded?\n1. Per instrument\n2. All at the start",
        "the first, but lazy load them",
        "Per instrument rather than All at the start, but lazy load them (How should the samples be loaded?)",
    ),
    (
        "Two ways:\n1. Recorded samples\n2. A synth\n\nWhich one would you like?",
        "go with the first but keep the synth as a fallback",
        "Recorded samples rather than A synth, but keep the synth as a fallback",
    ),
    (
        "I'd use MQTT for the sensors. Shall I go ahead?",
        "yeah do that but poll every 10",
        "MQTT for the sensors, but poll every 10",
    ),
    ("I'd suggest we replace SQLite with DuckDB. Shall we?", "yes", "replace SQLite with DuckDB"),
    ("I'd use DuckDB for the readings. Should I go with DuckDB?", "yes", "DuckDB for the readings"),
    (
        "I'd recommend tabs for the Elixir files since the formatter is off. Should I go with tabs?",
        "go for it",
        "tabs for the Elixir files",
    ),
    ("I'd use SVG for the staff since it scales.", "yeah svg", "SVG for the staff"),
    ("I'd use DuckDB for the readings.", "yes duckdb", "DuckDB for the readings"),
    (
        "I'd use JavaScript for the front end. OK?",
        "nah, typescript is fine",
        "typescript rather than JavaScript for the front end",
    ),
    (
        "I'd number the releases by date. Does that work for you?",
        "ok but semver",
        "number the releases by date, but semver",
    ),
    ("Should I take SQLite or DuckDB?", "neither, postgres", "postgres rather than SQLite or DuckDB"),
    ("Zod or Valibot?", "valibot then", "Valibot rather than Zod"),
    ("Zod or Valibot?", "lets go valibot", "Valibot rather than Zod"),
    (
        "DuckDB on the SD card or InfluxDB on the NAS. Which one?",
        "duckdb please",
        "DuckDB on the SD card rather than InfluxDB on the NAS",
    ),
    (
        "Should the alarms go out over Signal, or do you want Matrix with a bot?",
        "matrix",
        "Matrix with a bot rather than Signal (Should the alarms go out over Signal, or do you want"
        " Matrix with a bot?)",
    ),
    (
        "## Option 1: LoRa\n\nLong range.\n\n## Option 2: NB-IoT\n\nPaid.\n\nI'd recommend **option 2**",
        "yes please",
        "NB-IoT rather than LoRa",
    ),
    (
        "Which format should the labels be printed in?\n\n- ZPL\n- PDF\n- PNG",
        "pdf",
        "PDF rather than ZPL or PNG (Which format should the labels be printed in?)",
    ),
    (
        "How do you want the recordings named?\n1. By date\n2. By piece and date",
        "2",
        "By piece and date rather than By date (How do you want the recordings named?)",
    ),
    (
        "Where should the config live?\n\n1. `~/.config/choir.toml`\n2. `.env` in the repo\n\nI'd"
        " lean towards the first.",
        "1",
        "~/.config/choir.toml rather than .env in the repo (Where should the config live?)",
    ),
    (
        "Where should the config live?\n\n1. `~/.config/choir.toml`\n2. `.env` in the repo\n\nI'd"
        " lean towards the first.",
        "yes",
        "~/.config/choir.toml rather than .env in the repo (Where should the config live?)",
    ),
    ("Do you prefer pytest or unittest?", "pytest", "pytest rather than unittest"),
    (
        "Would you rather have a weekly digest or single mails?",
        "weekly digest",
        "weekly digest rather than single mails",
    ),
    (
        "I'd suggest Caddy as the reverse proxy: automatic TLS. Shall I set it up?",
        "nope, nginx please",
        "nginx rather than Caddy as the reverse proxy",
    ),
    (
        "I'd suggest Caddy as the reverse proxy: automatic TLS. Shall I set it up?",
        "yes but without http3",
        "Caddy as the reverse proxy, but without http3",
    ),
    ("I suggest we go with Astro for the site. Sounds good?", "sounds good", "Astro for the site"),
    ("So: sqlite or postgres?", "postgres i guess", "postgres rather than sqlite"),
    ("Bun, Deno or plain Node for the runner?", "node", "plain Node for the runner rather than Bun or Deno"),
    (
        "For the charts I could use Chart.js, uPlot or plain SVG. Which would you like?",
        "uplot",
        "uPlot rather than Chart.js or plain SVG",
    ),
    ("Would you like me to use Alembic for the migrations?", "yes", "Alembic for the migrations"),
    ("My suggestion would be to use Fly.io for hosting. Agreed?", "agreed", "Fly.io for hosting"),
    (
        "Three approaches:\n\n**A. Event sourcing** - complete history\n**B. Audit table** -"
        " simple\n**C. Triggers** - hidden\n\nWhich approach do you prefer?",
        "b, with timestamps in utc",
        "Audit table rather than Event sourcing or Triggers, with timestamps in utc",
    ),
    (
        "How should we store passwords?\n\n- argon2id\n- bcrypt\n- scrypt\n\nI recommend argon2id.",
        "go ahead",
        "argon2id rather than bcrypt or scrypt (How should we store passwords?)",
    ),
    (
        "Should the pump be driven by PWM or by a relay?",
        "pwm",
        "PWM rather than relay (Should the pump be driven by PWM or by a relay?)",
    ),
    (
        "Should the API return snake_case or camelCase?",
        "snake_case",
        "snake_case rather than camelCase (Should the API return snake_case or camelCase?)",
    ),
    (
        "I can do this in two ways: a cron job or a systemd timer. What do you prefer?",
        "systemd timer",
        "systemd timer rather than cron job",
    ),
    ("What about the license? I'd go with AGPL.", "let's do that", "AGPL"),
    (
        "I'd keep the monolith and not split services for now. Okay?",
        "ok",
        "keep the monolith and not split services for now",
    ),
    ("Do we want the times in the export as local time or as UTC?", "utc", "UTC rather than local time"),
    ("Let's use Ruff for linting. OK?", "yep", "Ruff for linting"),
    (
        "Which theme do you want, dark or light?",
        "dark",
        "dark rather than light (Which theme do you want, dark or light?)",
    ),
    ("Celsius or Kelvin in the API?", "kelvin", "Kelvin in the API rather than Celsius"),
    (
        "Options:\n\n1. **Tailwind** - utility classes\n2. **Vanilla CSS** - no build\n3."
        " **Sass**\n\nWhat would you like?",
        "option 3 please",
        "Sass rather than Tailwind or Vanilla CSS",
    ),
    (
        "Options:\n\n1. **Tailwind** - utility classes\n2. **Vanilla CSS** - no build\n3."
        " **Sass**\n\nLet me know what you prefer.",
        "the second one",
        "Vanilla CSS rather than Tailwind or Sass",
    ),
    (
        "For retries, I'd go with exponential backoff, capped at 60 s. Does that sound right?",
        "yes",
        "exponential backoff (for retries)",
    ),
    (
        "There are a couple of ways to do this:\n\n**Option A: Polling**\nSimple, but"
        " chatty.\n\n**Option B: Webhooks**\nNeeds a public address.\n\nWhich do you prefer?",
        "A",
        "Polling rather than Webhooks",
    ),
    (
        "There are a couple of ways to do this:\n\n**Option A: Polling**\nSimple, but"
        " chatty.\n\n**Option B: Webhooks**\nNeeds a public address.\n\nI'd lean towards Option A"
        " since you're behind NAT. What do you think?",
        "sounds good",
        "Polling rather than Webhooks",
    ),
    (
        "There are a couple of ways to do this:\n\n**Option A: Polling**\nSimple, but"
        " chatty.\n\n**Option B: Webhooks**\nNeeds a public address.\n\nI'd lean towards Option A"
        " since you're behind NAT. What do you think?",
        "no, webhooks",
        "Webhooks rather than Polling",
    ),
    (
        "Before I start: should timestamps be stored in UTC or local time?",
        "utc",
        "stored in UTC rather than local time (Before I start: should timestamps be stored in UTC"
        " or local time?)",
    ),
    (
        "Which of these should we use for the queue?\n- Redis\n- RabbitMQ\n- Postgres with SKIP LOCKED",
        "postgres",
        "Postgres with SKIP LOCKED rather than Redis or RabbitMQ (Which of these should we use for the queue?)",
    ),
    (
        "How would you like errors to be reported?\n\n1. Exceptions\n2. Result objects",
        "exceptions please",
        "Exceptions rather than Result objects (How would you like errors to be reported?)",
    ),
    (
        "I propose that we use semantic versioning. Agree?",
        "yes",
        "semantic versioning",
    ),
    (
        "Should I set the project up with Vite or Webpack?",
        "vite",
        "Vite rather than Webpack (Should I set the project up with Vite or Webpack?)",
    ),
    (
        "Do you want strict or loose typing in the client?",
        "strict",
        "strict in the client rather than loose typing",
    ),
    (
        "Would you like to use tabs or spaces?",
        "tabs",
        "tabs rather than spaces",
    ),
    (
        "My recommendation is option 2.\n\n1. Keep REST\n2. Move to GraphQL\n\nWhich one?",
        "2",
        "Move to GraphQL rather than Keep REST",
    ),
    (
        "What should the default port be? 8080 or 3000?",
        "3000",
        "3000 rather than 8080 (What should the default port be?)",
    ),
    (
        "Any preference between MQTT and CoAP?",
        "mqtt",
        "MQTT rather than CoAP",
    ),
    (
        "MQTT vs CoAP?",
        "mqtt",
        "MQTT rather than CoAP",
    ),
    (
        "I'd use MQTT, but CoAP would work too. Which one?",
        "mqtt",
        "MQTT",
    ),
    (
        "I suggest Svelte. It's small. Are you fine with that?",
        "yeah",
        "Svelte",
    ),
]

NOT_TAKEN = [
    ("Should I use sudo for it?", "no dont"),
    ("Should I keep the old log open?", "no, close"),
    ("Of today or of yesterday?", "yesterday"),
    ("This month or last month?", "last month"),
    ("Pia or Jana?", "Pia"),
    ("Slow or fast?", "fast"),
    ("You could use `htop` to look at it.", "thanks"),
    ("We could use a profiler to see where the time goes.", "ok"),
    ("I would use 'Waage' here.", "ok great"),
    ("I'd use a map in the other module as well.", "ok thanks"),
    ("Should I print it for this month or last?", "last"),
    ("I'd use Redis.", "ok"),
    ("Done. Do you want me to open a pull request or push to main?", "push to main"),
    ("Should I start with the tests or the docs?", "docs"),
    ("Is that ok or should I revert it?", "revert it"),
    ("Do you want to see the code or the explanation?", "code"),
    ("Shall we meet on Tuesday or Thursday?", "thursday"),
    ("I found two bugs:\n1. Off by one in the loop\n2. A missing await\n\nWhich one shall I fix first?", "1"),
    ("I found two bugs:\n1. Off by one in the loop\n2. A missing await\n\nWhat do you think?", "2"),
    ("Who should review it, Sven or Yusuf?", "sven"),
    ("Which error do you get, 404 or 500?", "404"),
    ("Is it the left or the right motor?", "left"),
    ("I could use grep to find the callers.", "ok"),
    ("I'd use `git bisect` to find it. Shall I?", "yes"),
    ("I'd take a short break here.", "yes"),
    ("I'd use a temporary variable for that. OK?", "ok"),
    ("Should I keep the window open?", "yes"),
    ("Do you want a short or a long answer?", "short"),
    ("Want me to use the staging credentials for it?", "no, stop"),
    ("Did the build fail before or after the merge?", "after"),
    ("What do you want to do next?\n\n- Tests\n- Docs\n- Deploy", "docs"),
    ("Here's the plan:\n1. Parser\n2. Writer\n3. Tests\n\nSound good?", "2"),
    ("Here's the plan:\n1. Parser\n2. Writer\n3. Tests\n\nSound good?", "yes"),
    ("Changes:\n- Parser\n- Writer\n\nThoughts?", "the second"),
    ("I'd use Redis. But it costs memory.", "ok"),
    ("I'd use Redis for caching.", "nice"),
    ("We could use Redis for caching at some point.", "cool thanks"),
    ("Which of the two files is the newer one, a.csv or b.csv?", "b.csv"),
    ("How many workers do you want, 2 or 4?", "4"),
    ("Should I stop or go on?", "go on"),
    ("Should I use the old token or the new one?", "new"),
    ("I'd use Zod. Should I?", "no, dont bother"),
    ("I'd use Zod. Should I?", "no need"),
    ("I'd use Zod. Should I?", "nah too complicated"),
    ("I'd use Zod. Should I?", "no, too big"),
    ("I'd use Zod. Should I?", "yes but not now"),
    ("I'd use Zod. Should I?", "ok but let me think about it first"),
    ("Zod or Valibot?", "zod or maybe neither"),
    ("Zod or Valibot?", "hm"),
    ("Zod or Valibot?", "zod looks ugly"),
    ("Zod or Valibot?", "not zod"),
    ("Now or after lunch?", "after lunch"),
    ("Should I send it to the landlord or to the agency?", "agency"),
    ("Should I write it in English or German?", "german"),
    (
        "I've updated the parser and all 42 tests pass.\n\n**Changes:**\n- `parser.py` - handles"
        " empty lines\n- `writer.py` - keeps the order\n\nWould you like me to commit this?",
        "yes",
    ),
    (
        "The bug is fixed. Would you like me to also add a regression test, or move on to the next item?",
        "regression test",
    ),
    (
        "I see a few possible causes:\n\n1. The cache is stale\n2. The clock is wrong\n3. The token"
        " expired\n\nWhich would you like me to check first?",
        "1",
    ),
    (
        "I see a few possible causes:\n\n1. The cache is stale\n2. The clock is wrong\n\nDo you"
        " have an idea which one it is?",
        "2",
    ),
    (
        "Here are the options for what to do next:\n\n1. Add tests\n2. Refactor the loader\n3."
        " Write docs\n\nWhich one would you like to start with?",
        "2",
    ),
    (
        "Could you tell me which Python version you use, 3.11 or 3.12?",
        "3.12",
    ),
    (
        "Do you want me to show the diff first?",
        "yes",
    ),
    (
        "Ready to continue with step 3?",
        "yes",
    ),
    (
        "I'd suggest looking at the logs first. Shall I?",
        "yes",
    ),
    (
        "We should keep an eye on the memory use.",
        "yes",
    ),
    (
        "I'd keep that in mind. Anything else?",
        "no",
    ),
    (
        "You can use `npm test` to run them.",
        "ok thanks",
    ),
    (
        "You can use the new flag by passing --fast.",
        "great",
    ),
    (
        "I used DuckDB for the readings since it's faster. Does that look right?",
        "yes",
    ),
    (
        "I'll use pytest for that. Anything else?",
        "no thanks",
    ),
    (
        "It works now. Should I keep the debug output?",
        "no",
    ),
    (
        "Should I keep the debug output?",
        "nope, remove it",
    ),
    (
        "Two tests fail: test_a and test_b. Should I fix the first or the second?",
        "the second",
    ),
    (
        "Questions:\n1. How many zones are there?\n2. Is the pump 12 V?\n\nLet me know.",
        "2",
    ),
    (
        "To reproduce:\n1. Start the server\n2. Open the page\n\nDoes it crash for you?",
        "yes",
    ),
    (
        "Is it a Raspberry Pi 4 or 5?",
        "5",
    ),
    (
        "Which line fails, 12 or 14?",
        "14",
    ),
    (
        "Should I use the file you attached or the one in the repo?",
        "the one in the repo",
    ),
    (
        "Would you prefer a quick fix now or a proper one later?",
        "quick fix",
    ),
    (
        "Do you want a summary or the full log?",
        "full log",
    ),
    (
        "I could take a look at the config if you want.",
        "yes please",
    ),
    (
        "Let's take it one step at a time.",
        "ok",
    ),
    (
        "You might want to use a shorter name here.",
        "agreed",
    ),
    (
        "Should we pick this up again tomorrow?",
        "yes",
    ),
    (
        "Should we take the car or the train to Kiel on Friday?",
        "train",
    ),
    (
        "Should I go with you?",
        "yes",
    ),
    (
        "I recommend getting some sleep.",
        "yes",
    ),
    (
        "I recommend a cup of tea.",
        "good idea",
    ),
    (
        "Should I name the branch fix-leak or leak-fix?",
        "fix-leak",
    ),
    (
        "Shall I write the commit message in German or English?",
        "english",
    ),
    (
        "Do you want to merge or rebase?",
        "rebase",
    ),
    (
        "Should we go left or right?",
        "left",
    ),
    (
        "Should I use your name or mine?",
        "mine",
    ),
    (
        "Here are three names:\n1. Kestrel\n2. Plover\n3. Dunlin\n\nTell me more about what it does?",
        "2",
    ),
]


@pytest.mark.parametrize(("turn", "answer", "text"), TAKEN)
def test_a_few_words_make_this_decision(turn: str, answer: str, text: str) -> None:
    found = answered(turn, answer)
    assert found is not None and found.text == text


@pytest.mark.parametrize(("turn", "answer"), NOT_TAKEN)
def test_a_few_words_make_no_decision(turn: str, answer: str) -> None:
    assert answered(turn, answer) is None
