"""Secrets of structured data are found by what calls them so, and what is one in a field goes from all fields."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.model.memory import Draft
from engramforge.writing.redact import Redactor

SECRET = "heron4471lamp"
METADATA: list[Any] = [
    {"password": SECRET},
    {"passwords": [SECRET, "otter5582cup"]},
    {"login": {"password": ["ada", SECRET]}},
    {"credentials": {"user": "ada", "value": SECRET}},
    {"credentials": {"user": "ada", "host": "db1", "db": "shop", "secret": SECRET}},
    {"secrets": {"live": {"mail": "x", "smtp": SECRET}}},
    {"password": {"old": "x", "new": SECRET}},
    {"env": [{"name": "DB_PASSWORD", "value": SECRET}]},
    {"env": [{"Name": "SMTP_PASSWORD", "Value": SECRET}]},
    {"fields": [{"id": "password", "type": "CONCEALED", "value": SECRET}]},
    {"item": {"label": "Admin password", "text": SECRET}},
    {"rows": [["DB_PASSWORD", SECRET]]},
    {"argv": ["mysql", "-p" + SECRET, "shop"]},
    {"argv": ["tool", "--password", SECRET]},
    {"run": ["curl", "-u", f"ada:{SECRET}", "https://x.example"]},
    {"run": ["sshpass", "-p", SECRET, "ssh", "db"]},
    {"command": "mysql", "args": ["-p" + SECRET]},
    {"servers": {"x": {"command": "npx", "args": ["--api-key", SECRET + "99"]}}, "k": [SECRET + "99"]},
    {"wifi": {"ssid": "Hof", "key": SECRET}},
    {"headers": [["X-Api-Key", SECRET + "9Qw4Zx7"]], "seen": SECRET + "9Qw4Zx7"},
    {"password": f'{SECRET}"quoted'},
    {"password": f"{SECRET} (of the test system)"},
    {"body": json.dumps({"password": SECRET})},
    {"a": {"b": [{"c": f"password: {SECRET}"}]}, SECRET: {"d": [SECRET]}},
]
PLAIN: list[Any] = [
    {"token_count": 51234, "pass": 1532, "max_tokens": 4096, "token": 1700000000, "passwords": 12},
    {"password": {"policy": "strong", "minLength": 12, "label": "Your password", "error": "Wrong password"}},
    {
        "credentials": {
            "user": "ada1234567",
            "host": "db1.example",
            "region": "eu-west-1",
            "provider": "vault2",
        }
    },
    {"title": "Password rotation", "text": "rotate every 90 days"},
    {"files": ["-rw-r--r--", "/etc/passwd", "notes12.txt"], "argv": ["ls", "-la", "--color", "build12345"]},
    {
        "cache": {"key": "user-1234567"},
        "key": "value-12",
        "keys": ["a-1", "b-22"],
        "tokens": ["sect12", "fig10"],
    },
    {"tags": ["password", "python3"], "pair": ["version", "3.11.9"]},
]


@pytest.mark.parametrize("metadata", METADATA, ids=[json.dumps(each)[:50] for each in METADATA])
def test_what_structured_data_calls_a_secret_goes_from_all_fields(metadata: Any, tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        memory = forge.remember(
            f"The lamp is {SECRET}, is it? Or password%3D{SECRET}.",
            name=f"About {SECRET}",
            tags=["plain", SECRET],
            metadata={**metadata, "note": f"as {SECRET} says", "deep": [{"again": [SECRET]}]},
        )
        content = memory.content
        if SECRET + "9" in json.dumps(metadata):
            assert SECRET + "9" not in json.dumps(memory.metadata)
            return
        assert SECRET not in repr(memory) and "heron" not in repr(memory)
        assert memory.redacted >= 5 and content.startswith("The lamp is [REDACTED:")
        cleaned = Draft(content=content, metadata=memory.metadata)
        assert Redactor().redact_draft(cleaned)[0] == cleaned


def test_what_the_content_calls_a_secret_goes_from_the_metadata(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        metadata = {"seen": ["x", {"otter5582": 1}], "count": 739104, "left": 739105}
        said = "password: otter5582, and the PIN is 739104"
        memory = forge.remember(said, tags=["otter5582"], metadata=metadata)
        assert "otter5582" not in repr(memory) and "739104" not in repr(memory)
        assert memory.metadata["left"] == 739105


@pytest.mark.parametrize(
    ("key", "number"), [("pin_code_secret", 739104), ("pin", 4711), ("db_password", 20261)]
)
def test_a_number_is_a_secret_where_its_key_says_so(key: str, number: int, tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        memory = forge.remember("So it is.", metadata={key: number, "deep": [{key: [number]}]})
        assert str(number) not in repr(memory.metadata)


@pytest.mark.parametrize("metadata", PLAIN)
def test_other_structured_data_stays(metadata: Any) -> None:
    assert Redactor().redact_values(metadata) == metadata


def test_a_link_loses_a_secret_in_all_its_fields(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        one, other = (forge.remember(text).id for text in ("The ferry is late.", "The pier is wet."))
        felt: Any = {"energy": 0.5, "confidence": 0.5, "emotion_vector": {}, "mindstate": "calm"}
        extra: Any = {"auth": {"password": SECRET}, "argv": ["mysql", "-p" + SECRET]}
        linked = forge.link(one, other, "CAUSES", goal=f"as {SECRET}", note=f"see {SECRET}", **extra, **felt)
        assert SECRET not in repr(linked) and linked.redacted >= 4


def test_a_decision_loses_a_secret_in_all_its_fields(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        made = forge.decisions.create(f"Use {SECRET}", rationale=f"The password is {SECRET}", tags=[SECRET])
        assert SECRET not in repr(made)


@pytest.mark.timed
def test_very_many_values_are_looked_for_again_in_time_by_the_length_of_the_text() -> None:
    values = [f"kq{n}Wv{n}ZrTn{n}" for n in range(1_000, 4_000)]
    settings = "\n".join(f'password{n} = "{value}"' for n, value in enumerate(values))
    began = time.process_time()
    redacted = Redactor().redact(settings + "\n" + " ".join(f"say-{value}" for value in values)).text
    assert not any(value in redacted for value in values)
    assert time.process_time() - began < 3
