"""Answers that name a thing and say why or for what; and what was offered without a question."""

from __future__ import annotations

import pytest

from engramforge.core.detection.answers.chosen import answered, is_without_matter, matter_of

OVEN = "And the oven: gas, wood or electric?"
PATHS = "We could use gravel or bark."


@pytest.mark.parametrize(
    ("turn", "answer", "asked", "text"),
    [
        (OVEN, "wood. no gas bill", "", "wood rather than gas or electric, no gas bill"),
        (
            OVEN,
            "electric, no smoke in the yard",
            "",
            "electric rather than gas or wood, no smoke in the yard",
        ),
        (OVEN, "gas please. no ashes", "", "gas rather than wood or electric, no ashes"),
        ("Rope or chain?", "rope. no rust", "", "Rope rather than chain, no rust"),
        (
            "Shall we use linen or paper?",
            "paper! cheaper by far",
            "",
            "paper rather than linen, cheaper by far",
        ),
        ("Flutter or Svelte?", "svelte - smaller bundle", "", "Svelte rather than Flutter, smaller bundle"),
        ("Mosquitto as the broker?", "sure", "", "Mosquitto as the broker"),
        ("And Typst as our typesetter?", "ok", "", "Typst as our typesetter"),
        ("A barcode as the key?", "yep", "", "barcode as the key"),
        (PATHS, "bark then", "", "bark rather than gravel"),
        (
            "I'd take SVG for the maps.",
            "nope, png. the old printer reads nothing else",
            "",
            "png rather than SVG for the maps, the old printer reads nothing else",
        ),
        (
            "I'd use Kafka for the bells.",
            "no, nats, easier to run",
            "",
            "nats rather than Kafka for the bells, easier to run",
        ),
        (
            "Two ways:\n\n1. OCaml\n2. Elixir\n\nWhich one do you prefer?",
            "go with the second, i know elixir",
            "",
            "Elixir rather than OCaml, i know elixir",
        ),
        (
            "Two ways:\n\n1. OCaml\n2. Elixir\n\nWhich one do you prefer?",
            "1, we have it on every box",
            "",
            "OCaml rather than Elixir, we have it on every box",
        ),
        (
            "I'd go with red and green for the buoys.",
            "ya red and green is enough",
            "",
            "red and green for the buoys",
        ),
        ("I'd go with red and green for the buoys.", "yea red and green", "", "red and green for the buoys"),
        (PATHS, "gravel, because bark rots", "", "gravel rather than bark because bark rots"),
        (
            "Options for the roof: slate, tin or reed. Tin is loud.",
            "slate please",
            "",
            "slate rather than tin or reed",
        ),
        ("We can take wool or felt. Felt is warmer.", "felt", "", "felt rather than wool"),
        (
            "Metric suits the cooks, imperial the guests. Both are easy.",
            "metric",
            "recipes in metric or imperial?",
            "metric rather than imperial (recipes in metric or imperial?)",
        ),
        ("I'd use 60 grit.", "ok 60", "which grit for the hull?", "60 grit (which grit for the hull?)"),
        ("I'd record at 96 khz. More is noise.", "96 then", "", "record at 96 khz"),
        (
            "I'd use jute rope for the nets.",
            "hm. yes for the small ones, the big ones stay nylon",
            "",
            "jute rope for the nets, for the small ones, the big ones stay nylon",
        ),
        ("I'd use oak.", "yes for the stairs", "", "oak, for the stairs"),
        (
            "1. cedar with oil, 2. plain larch. Which do you prefer?",
            "no, 1",
            "",
            "cedar with oil rather than plain larch",
        ),
        (
            "How wide should the beds be, 80 or 120 cm?",
            "80cm it is",
            "",
            "80 rather than 120 cm (How wide should the beds be, 80 or 120 cm?)",
        ),
        (
            "Hugo has themes, Zola is one binary.",
            "zola, one binary sounds good",
            "which generator?",
            "Zola rather than",
        ),
    ],
)
def test_it_is_taken(turn: str, answer: str, asked: str, text: str) -> None:
    found = answered(turn, answer, asked)
    assert found is not None and found.text.startswith(text)


@pytest.mark.parametrize(
    ("turn", "answer", "asked"),
    [
        (OVEN, "wood. wait, no", ""),
        (OVEN, "wood, no gas", ""),
        (OVEN, "no idea", ""),
        ("I'd use Kafka for the bells.", "nope, later. the deploy is broken", ""),
        ("I'd use Kafka for the bells.", "nope, nats, easier but slower", ""),
        (
            "Two ways:\n\n1. OCaml\n2. Elixir\n\nWhich one do you prefer?",
            "1, i dont know elixir, ask tom",
            "",
        ),
        (
            "Two ways:\n\n1. OCaml\n2. Elixir\n\nWhich one do you prefer?",
            "the first, i think the second is better",
            "",
        ),
        ("I'd go with red and green for the buoys.", "ya red and blue is enough", ""),
        (OVEN, "steam. no gas bill", ""),
        (OVEN, "wood is wet. no fire today", ""),
        (OVEN, "thanks. no hurry", ""),
        ("The tests as a first step?", "sure", ""),
        ("Same as the last time?", "yes", ""),
        ("Ready as a draft?", "yes", ""),
        (PATHS, "ok", ""),
        (PATHS, "sand then", ""),
        ("We could run the tests or commit.", "commit", ""),
        ("You can use the left or the right button today.", "left", ""),
        ("Both work.", "metric", "is the scale metric or imperial?"),
        ("Both work.", "ounces", "recipes in metric or imperial?"),
        ("It failed in the parser.", "parser", "did it fail in the lexer or parser?"),
        ("I'd use 60 grit.", "80 left", "which grit for the hull?"),
        ("I'd use oak.", "hm. oak is out of stock", ""),
        ("I'd use oak.", "ok for now", ""),
        ("Hugo has themes, Zola is one binary.", "zola", "what broke?"),
    ],
)
def test_what_takes_nothing_is_none(turn: str, answer: str, asked: str) -> None:
    assert answered(turn, answer, asked) is None


@pytest.mark.parametrize(
    "statement",
    ["oak it is", "ok, 3 mm then", "the blue one it is.", "zola then, because of the binary", "90 it is"],
)
def test_what_names_a_thing_alone_is_without_its_matter(statement: str) -> None:
    assert is_without_matter(statement)


@pytest.mark.parametrize(
    "statement",
    ["we oil the deck in may", "the deck gets oil, it is dry", "audits are quarterly now"],
)
def test_what_tells_its_matter_is_not(statement: str) -> None:
    assert not is_without_matter(statement)


@pytest.mark.parametrize(
    ("turn", "asked", "matter"),
    [
        ("How deep should the beds be?", "", "How deep should the beds be?"),
        ("Many are used. Which grit do you prefer?", "", "Which grit do you prefer?"),
        ("There are many of them.", "which grit for the hull?", "which grit for the hull?"),
        ("There are many of them.", "oil or wax for the deck?", "oil or wax for the deck?"),
        ("Done. Shall I commit?", "why did it fail?", ""),
        ("Done.", "is it green?", ""),
    ],
)
def test_the_matter_is_the_question_that_was_asked(turn: str, asked: str, matter: str) -> None:
    assert matter_of(turn, asked) == matter


BARNS = "1. Thatch: warm, burns.\n2. Slate: heavy.\n3. Tin: one sheet, loud in the rain."


@pytest.mark.parametrize(
    ("turn", "answer", "asked", "text"),
    [
        (
            BARNS,
            "tin. its one barn lol",
            "what about the roof: thatch or slate or tin",
            "tin rather than thatch or slate",
        ),
        (BARNS, "slate", "and how about the roof: thatch, slate or tin", "slate rather than thatch or tin"),
        (
            "Kafka is heavy. Files do.",
            "no, stick with files. nobody needs replay",
            "do we go to kafka for the bells? just thinking",
            "files rather than kafka (do we go to kafka for the bells?)",
        ),
        (
            "Vue needs a build step, html none.",
            "hm, keep it in plain html",
            "shall we move to vue?",
            "html rather than vue",
        ),
        (
            "Nix is a detour, docker works.",
            "nah keep using docker",
            "should we use nix?",
            "docker rather than nix",
        ),
    ],
)
def test_it_is_taken_of_what_the_person_asked(turn: str, answer: str, asked: str, text: str) -> None:
    found = answered(turn, answer, asked)
    assert found is not None and found.text.startswith(text)


@pytest.mark.parametrize(
    ("turn", "answer", "asked"),
    [
        (BARNS, "tin", "the roof and the door, todo: thatch or slate or tin"),
        ("Kafka is heavy. Files do.", "no, stick with files for now", "do we go to kafka for the bells?"),
        ("Done.", "no keep it on hold", "should we use nix?"),
        ("Kafka is heavy, files do.", "no leave them with me", "do we go to kafka?"),
        ("Files are slow.", "keep the files in the hall", "is it late?"),
        ("Nix is a detour.", "nah keep using podman", "should we use nix?"),
    ],
)
def test_nothing_is_taken_of_what_nobody_named(turn: str, answer: str, asked: str) -> None:
    assert answered(turn, answer, asked) is None
