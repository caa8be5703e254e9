"""The fields of what a tool is asked and answers, in words: with their separator, and without what their names call
secret."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.capture.test_live_capture import Talk, said

from engramforge.capture.live.outcomes import outcome_of
from engramforge.capture.reading.transcript_text import describe_tool
from engramforge.core.secrets.called import REMOVED, is_called_secret, secret_values

if TYPE_CHECKING:
    from pathlib import Path

    from engramforge.forge import Forge

VALUE = "hunter2Secret99"
SECRET = (
    *(
        "secret",
        "token",
        "api_key",
        "apiKey",
        "auth",
        "Authorization",
        "connection_string",
        "ConnectionString",
    ),
    *(
        "AccessKeyId",
        "access_key_id",
        "password",
        "PASSWD",
        "client_secret",
        "X-Api-Key",
        "session_token",
        "jwt",
    ),
    *("proxy-authorization", "passphrase", "credentials", "otp", "Cookie", "dsn", "bearer", "id_token"),
)
OPEN = (
    *("max_tokens", "token_count", "tokens", "total_tokens", "nextPageToken", "next_token", "token_type"),
    *("key", "primary_key", "cache_key", "public_key", "author", "authors", "passed", "pass", "needs_auth"),
    *("auth_type", "password_hint", "secret_name", "csrf_token", "tokenizer", "oauth", "authentication", "q"),
)


@pytest.mark.parametrize("name", SECRET)
@pytest.mark.parametrize(
    "value", [VALUE, "swordfish", "correct horse battery", "shop-db-v2", "Server=a;Pwd=b;"]
)
def test_a_value_under_a_name_of_a_secret_is_taken_out_whatever_it_looks_like(name: str, value: str) -> None:
    assert is_called_secret(name)
    assert describe_tool("mcp__v__get", {name: value, "id": 7}) == f"mcp__v__get: {name}: {REMOVED}; id: 7"
    assert outcome_of({name: value, "id": 7}) == f"{name}: {REMOVED}\nid: 7"


@pytest.mark.parametrize("name", OPEN)
def test_other_fields_keep_their_value_and_their_separator(name: str) -> None:
    assert not is_called_secret(name)
    assert describe_tool("mcp__v__get", {name: "4096"}) == f"mcp__v__get: {name}: 4096"
    assert outcome_of({name: 4096}) == f"{name}: 4096"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("token", 4096),
        ("auth", True),
        ("password", "${DB_PASSWORD}"),
        ("token", "$GITHUB_TOKEN"),
        ("auth", "none"),
    ],
)
def test_what_stands_for_a_secret_or_counts_stays(name: str, value: Any) -> None:
    assert outcome_of({name: value}) == f"{name}: {value}"


def test_a_secret_of_a_field_goes_from_the_others_too() -> None:
    asked = {"token": "quietmeadow", "q": "find quietmeadow"}
    assert describe_tool("t", asked) == f"t: token: {REMOVED}; q: find {REMOVED}"
    nested = {"text": "I used quietmeadow.", "more": [{"auth": {"password": "quietmeadow"}}]}
    assert outcome_of(nested) == f"I used {REMOVED}."
    shown = outcome_of([{"type": "text", "text": json.dumps({"auth": "quietmeadow", "max_tokens": 4096})}])
    assert json.loads(shown) == {"auth": REMOVED, "max_tokens": 4096}


def test_very_large_and_deep_data_is_looked_at_in_part() -> None:
    deep: Any = "quietmeadow"
    for _ in range(5_000):
        deep = {"secret": deep}
    assert list(secret_values(deep)) == []
    assert len(list(secret_values([{"secret": "quietmeadow"}] * 100_000))) <= 2_000


@pytest.mark.parametrize("name", SECRET[:9])
def test_no_field_of_a_tool_is_stored_with_its_secret(forge: Forge, tmp_path: Path, name: str) -> None:
    talk = Talk()
    talk.tool("mcp__v__get", {name: VALUE, "max_tokens": 4096}, {name: VALUE, "token_count": 12}, "fine")
    taken = forge.hooks.take(talk.told)
    forge.import_path(talk.transcript(tmp_path))
    contents = [each.content for each in said(forge)]
    assert taken.captured == len(contents) == 2
    assert VALUE not in "".join(contents)
    assert "max_tokens: 4096" in contents[0] and "token_count: 12" in contents[1]
