"""Messages read once more by a model at a server: after the fact, once, checked, and never what is private."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.model_server import KEY, Call, ModelServer

from engramforge.assembly import open_forge
from engramforge.capture.reading_by_model import ModelExtractor
from engramforge.errors import InvalidValue
from engramforge.forge import Forge
from engramforge.llm.language_model import LanguageModel
from engramforge.llm.options import ModelOptions
from engramforge.model.language_models.spec import parse_model_spec
from engramforge.writing.redact import Redactor

FERRY = "The timetable found its home in the shed's wiki."
TALK = "The gulls were loud again this morning."
Opened = Callable[..., Forge]

NOTHING: dict[str, Any] = {"decisions": [], "threads": [], "entities": []}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """An empty store whose model is at a server."""
    forges: list[Forge] = []

    def at(server: ModelServer, **settings: object) -> Forge:
        environment = {
            "MODEL_REASONING": "openai:tiny",
            "ENGRAMFORGE_MODEL_BASE_URL": server.url,
            "ENGRAMFORGE_MODEL_API_KEY": KEY,
            **{f"ENGRAMFORGE_{name.upper()}": str(value) for name, value in settings.items()},
        }
        environment["ENGRAMFORGE_HOME"] = str(tmp_path / "home")
        forges.append(open_forge(environment=environment))
        return forges[-1]

    yield at
    for forge in forges:
        forge.close()


def _tell(forge: Forge, *texts: str, **fields: Any) -> None:
    for text in texts:
        forge.remember(text, kind="message", session_id="talk", project="harbour", **fields)


def _reading(confidence: float = 0.8) -> Callable[[Call], dict[str, Any]]:
    def read(call: Call) -> dict[str, Any]:
        if "timetable" not in call.material:
            return NOTHING
        sentence = "The timetable found its home in the shed's wiki"
        decision = {
            "sentence": sentence,
            "text": "Timetable in the shed's wiki",
            "confidence": confidence,
        }
        invented = {"sentence": "Sell the ferry", "text": "Sell the ferry", "confidence": 0.9}
        return {**NOTHING, "decisions": [decision, invented], "entities": ["shed's wiki", "Atlantis"]}

    return read


def test_a_decision_that_the_rules_do_not_see(opened: Opened) -> None:
    with ModelServer(_reading()) as server:
        forge = opened(server)
        _tell(forge, FERRY, TALK)
        assert not server.calls, "remembering waits for no model"
        before = forge.decisions.browse()
        found = forge.extract()
        (decision,) = forge.decisions.browse()
        assert not before and (found.messages, found.entries, found.names) == (2, 1, 1)
        assert decision.decision == "Timetable in the shed's wiki"
        assert decision.evidence is not None and decision.evidence.rule == "model openai:tiny extract-1"
        again = forge.extract()
        assert (again.messages, again.is_complete) == (0, True) and len(server.calls) == 2
        anew = forge.extract(anew=True)
        assert (anew.messages, anew.entries, len(forge.decisions.browse())) == (2, 0, 1)
        assert forge.undo().action == "extract" and not forge.decisions.browse()


def test_what_it_is_not_sure_of_waits(opened: Opened) -> None:
    with ModelServer(_reading(confidence=0.4)) as server:
        forge = opened(server)
        _tell(forge, FERRY)
        assert forge.extract().waiting == 1 and not forge.decisions.browse()
        assert [each.rule for each in forge.review.pending()] == ["model openai:tiny extract-1"]


def test_what_is_only_quoted_makes_no_entry(opened: Opened) -> None:
    with ModelServer(_reading()) as server:
        forge = opened(server)
        _tell(forge, f'Can you check the grammar of this text?\n\n"""\n{FERRY}\n"""')
        forge.extract()
        assert server.calls and not forge.decisions.browse()


def test_what_the_rules_have_seen_is_not_made_twice(opened: Opened) -> None:
    def same(_: Call) -> dict[str, Any]:
        decision = {"sentence": "We decided to use the shed's wiki", "text": "Use the wiki"}
        return {**NOTHING, "decisions": [decision]}

    with ModelServer(same) as server:
        forge = opened(server)
        _tell(forge, "We decided to use the shed's wiki.")
        before = forge.decisions.browse()
        assert forge.extract().entries == 0 and forge.decisions.browse() == before and len(before) == 1


def test_private_messages_chunks_and_entries_are_not_sent(opened: Opened) -> None:
    with ModelServer(_reading()) as server:
        forge = opened(server)
        _tell(forge, FERRY, tags=["private"])
        forge.decisions.create("Keep the timetable on paper", project="harbour")
        assert forge.extract().messages == 0 and not server.calls


def test_a_private_turn_before_is_not_sent_with_the_answer_to_it(opened: Opened) -> None:
    with ModelServer(_reading()) as server:
        forge = opened(server)
        _tell(forge, f'I found this:\n\n"""\nSiri: {FERRY}\n"""', tags=["private"], speaker="user")
        _tell(forge, "The timetable found its home in the shed's wiki.", speaker="assistant")
        assert forge.extract().messages == 1
    assert server.calls and not [call for call in server.calls if "Siri" in call.text]


def test_a_secret_of_before_a_rule_existed_is_not_sent(tmp_path: Path) -> None:
    redactor = Redactor()
    with ModelServer(_reading()) as server:
        options = ModelOptions(parse_model_spec("openai:tiny", "x"), tmp_path, server.url, KEY)
        model = LanguageModel(options, lambda text: redactor.redact(text).text, lambda: datetime.now(UTC))
        found = ModelExtractor(model).extract(f"{FERRY} password: S3cr3t-f3rry-99")
    assert len(found) == 1 and "S3cr3t-f3rry-99" not in server.calls[0].text


def test_names_in_a_text_that_is_not_stored(opened: Opened, forge: Forge) -> None:
    named = {**NOTHING, "entities": ["Ada Lund"]}
    with ModelServer(named) as server:
        asked = opened(server)
        assert asked.names_by_model("ask ada about it, said Ada Lund") == ("ada lund",)
        assert asked.memories() == [] and len(server.calls) == 1
    assert forge.names_by_model("said Ada Lund") is None


def test_a_fault_stops_it_and_it_goes_on_where_it_was(opened: Opened) -> None:
    with ModelServer(NOTHING, "401", _reading()) as server:
        forge = opened(server)
        _tell(forge, TALK, FERRY)
        stopped = forge.extract()
        assert (stopped.messages, stopped.is_complete) == (1, False) and "refused the key" in stopped.stopped
        found = forge.extract()
    assert (found.messages, found.entries, found.is_complete) == (1, 1, True)


def test_an_empty_answer_is_no_reading(opened: Opened) -> None:
    with ModelServer({}) as server:
        forge = opened(server)
        _tell(forge, FERRY)
        found = forge.extract()
        server.script = [_reading()]
        assert found.entries == 0 and len(server.calls) == 2, "it was sent back"


def test_a_refused_message_is_left_behind(opened: Opened) -> None:
    with ModelServer("refusal", _reading()) as server:
        forge = opened(server)
        _tell(forge, TALK, FERRY)
        found = forge.extract()
    assert (found.messages, found.entries, found.stopped) == (2, 1, "")


def test_the_cap_stops_it(opened: Opened) -> None:
    with ModelServer(_reading()) as server:
        forge = opened(server, model_cap_tokens=300)
        _tell(forge, FERRY)
        assert "model_cap_tokens" in forge.extract().stopped and not server.calls


def test_upkeep_reads_what_came_in_since_it_was_switched_on(opened: Opened) -> None:
    with ModelServer(_reading()) as server:
        forge = opened(server, model_extraction="on")
        _tell(forge, TALK)
        assert "extraction" in forge.upkeep() and not server.calls, "what was there is not read"
        _tell(forge, FERRY)
        assert "extraction" in forge.due()
        forge.upkeep()
        assert len(server.calls) == len(forge.decisions.browse()) == 1 and "extraction" not in forge.due()
        assert forge.undo().action == "remember", "the last act of whoever tells, not that of upkeep"


def test_on_postgresql_too(opened: Opened, postgres_url: str) -> None:
    with ModelServer(_reading()) as server:
        forge = opened(server, url=postgres_url)
        _tell(forge, TALK, FERRY)
        found = forge.extract()
        assert (found.messages, found.entries, found.names) == (2, 1, 1)
        assert forge.extract(anew=True).entries == 0 and len(forge.decisions.browse()) == 1
        assert forge.extract().messages == 0 and forge.undo().action == "extract"


def test_it_is_off_by_default(opened: Opened, tmp_path: Path) -> None:
    with ModelServer(_reading()) as server:
        forge = opened(server)
        _tell(forge, FERRY)
        assert "extraction" not in forge.due()
        forge.upkeep()
    assert not server.calls
    with open_forge(tmp_path / "other", environment={}) as without, pytest.raises(InvalidValue, match="none"):
        without.extract()
