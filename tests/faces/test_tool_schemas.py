"""The exported tools keep to what the providers document for the `tools` of a request.

Anthropic: "Define tools" (name, input_schema of type object without a combination at its root). OpenAI: "Function
calling" and "Structured outputs, supported schemas" (strict: closed objects, everything required, no default). Gemini:
the reference of FunctionDeclaration and Schema (a subset of OpenAPI 3.0; texts in enums; nothing beside anyOf).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from tests.faces.conftest import Answer
from tests.mcp_server import client_of

from engramforge.faces.mcp.calls import Calls
from engramforge.faces.mcp.server import build_server

Run = Callable[..., Answer]
_TYPES = {"string", "number", "integer", "boolean", "array", "object", "null"}
_OF_STRICT = {
    "type",
    "description",
    "enum",
    "anyOf",
    "items",
    "properties",
    "required",
    "additionalProperties",
}
_OF_GEMINI = {"type", "description", "nullable", "enum", "items", "properties", "required"}
_NAMES = {
    "anthropic": r"[a-zA-Z0-9_-]{1,64}",
    "openai": r"[a-zA-Z0-9_-]{1,64}",
    "gemini": r"[a-zA-Z_][\w.-]{0,63}",
}


def _schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema and all within it."""
    yield schema
    for each in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from _schemas(each)
    if "items" in schema:
        yield from _schemas(schema["items"])


@pytest.fixture
def exported(cli: Run, tmp_path: Path) -> dict[str, list[Any]]:
    told = cli("schemas", "export", "--to", str(tmp_path / "config"), "--json").json
    assert told["files"] == {
        name: str(tmp_path / "config" / f"forge_tools_{name}.json")
        for name in ("anthropic", "openai", "gemini")
    }
    return {
        name: json.loads(Path(place).read_text(encoding="utf-8")) for name, place in told["files"].items()
    }


def _declared(exported: dict[str, list[Any]]) -> dict[str, list[dict[str, Any]]]:
    """Every provider's tools as objects with a name and a description."""
    (gemini,) = exported["gemini"]
    return {
        "anthropic": exported["anthropic"],
        "openai": [each["function"] for each in exported["openai"]],
        "gemini": gemini["functionDeclarations"],
    }


def test_every_tool_of_the_server_is_exported_by_a_name_that_providers_take(
    exported: dict[str, list[Any]],
) -> None:
    listed = anyio.run(build_server(Calls(None, None)).list_tools)
    for provider, tools in _declared(exported).items():
        assert [each["name"] for each in tools] == [each.name for each in listed]
        for each in tools:
            assert re.fullmatch(_NAMES[provider], each["name"])
            assert each["description"].strip() and len(each["description"]) <= 1_024


def test_a_place_that_is_none_is_refused_by_name(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    for place in ("/dev/null", str(tmp_path / "file"), str(tmp_path / "file" / "below")):
        refused = cli("schemas", "export", "--to", place, "--json")
        assert refused.code == 2 and "is no folder" in refused.error["fault"] and refused.error["mend"]
    refused = cli("schemas", "export", "--format", "openai", "--to", str(tmp_path / "no" / "f"), "--json")
    assert refused.code == 2 and "cannot be written" in refused.error["fault"]
    assert (tmp_path / "file").read_text() == "kept" and len(list(tmp_path.glob("*.part"))) == 0


def test_anthropic_gets_schemas_of_objects_that_draft_2020_12_allows(exported: dict[str, list[Any]]) -> None:
    for each in exported["anthropic"]:
        assert set(each) == {"name", "description", "input_schema"}
        schema = each["input_schema"]
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert not {"anyOf", "oneOf", "allOf"} & schema.keys()
        assert all(re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name) for name in schema["properties"])


def test_openai_is_strict_wherever_every_object_is_closed(exported: dict[str, list[Any]]) -> None:
    strict = set()
    for each in exported["openai"]:
        assert set(each) == {"type", "function"} and each["type"] == "function"
        function = each["function"]
        parameters = function["parameters"]
        assert parameters["type"] == "object" and "anyOf" not in parameters
        jsonschema.Draft202012Validator.check_schema(parameters)
        if not function["strict"]:
            assert any(x.get("type") == "object" and "properties" not in x for x in _schemas(parameters))
            continue
        strict.add(function["name"])
        for schema in _schemas(parameters):
            assert set(schema) <= _OF_STRICT, (function["name"], schema)
            if schema.get("type") == "object":
                assert schema["additionalProperties"] is False
                assert schema["required"] == [*schema["properties"]]
            kinds = schema.get("type", [])
            assert set([kinds] if isinstance(kinds, str) else kinds) <= _TYPES
            if "enum" in schema:
                assert len(schema["enum"]) <= 1_000
                # A null that the type allows has to be a choice as well.
                assert (None in schema["enum"]) == ("null" in schema["type"])
    assert {"forge_recall", "forge_decisions", "forge_roles", "consult_oracle"} <= strict
    assert not {"forge_orchestrate", "forge_lenses", "forge_remember"} & strict


def test_gemini_gets_its_subset_of_openapi(exported: dict[str, list[Any]]) -> None:
    tools = {each["name"]: each for each in _declared(exported)["gemini"]}
    assert "parameters" not in tools["forge_projects"]
    for name, each in tools.items():
        for schema in _schemas(each["parameters"]) if "parameters" in each else ():
            assert set(schema) <= _OF_GEMINI, (name, schema)
            assert schema["type"].lower() in _TYPES - {"null"} and schema["type"].isupper()
            assert ("items" in schema) == (schema["type"] == "ARRAY")
            if schema["type"] == "OBJECT":
                assert schema["properties"] and set(schema.get("required", ())) <= schema["properties"].keys()
                assert all(re.fullmatch(r"[a-zA-Z_]\w{0,63}", field) for field in schema["properties"])
            if "enum" in schema:
                assert schema["type"] == "STRING" and all(isinstance(x, str) for x in schema["enum"])
    budget = tools["forge_recall"]["parameters"]["properties"]["budget"]
    assert budget["nullable"] and budget["description"].endswith("default 4000")
    assert tools["forge_recall"]["parameters"]["properties"]["project"]["type"] == "ARRAY"
    assert tools["forge_orchestrate"]["parameters"]["required"] == ["query"]


def test_what_the_formats_make_of_arguments_the_tools_take(home: Path) -> None:
    """Objects as JSON text, as Gemini is told, and null for what is left out, as OpenAI's strict mode has it."""

    async def main() -> None:
        async with client_of(home) as client:
            written = {
                "content": "The ferry leaves at noon.",
                "project": "harbour",
                "metadata": '{"berth": "7"}',
            }
            kept = await client.call_tool("forge_remember", written)
            assert not kept.is_error, kept.content
            assert kept.structured_content["memory"]["metadata"]["berth"] == "7"
            lenses = '[{"project_name": "harbour", "role": "critic"}]'
            asked = await client.call_tool("forge_orchestrate", {"query": "ferry", "lenses": lenses})
            assert asked.structured_content["orchestration"]["lenses_used"] == ["critic"]
            tool = next(x for x in (await client.list_tools()).tools if x.name == "forge_recall")
            nulls = {
                name: None for name, each in tool.input_schema["properties"].items() if "default" not in each
            }
            found = await client.call_tool("forge_recall", {**nulls, "query": "ferry", "explain": False})
            assert len(found.structured_content["recall"]["hits"]) == 1

    anyio.run(main)


def test_one_format_goes_to_standard_output_or_into_a_file(cli: Run, tmp_path: Path) -> None:
    answer = cli("schemas", "export", "--format", "anthropic")
    assert answer.code == 0
    tools = json.loads(answer.out)
    assert {"forge_orchestrate", "forge_roles"} <= {each["name"] for each in tools}
    place = tmp_path / "tools.json"
    told = cli("schemas", "export", "--format", "anthropic", "--to", str(place))
    assert str(place) in told.out
    assert json.loads(place.read_text(encoding="utf-8")) == tools
    refused = cli("schemas", "export", "--format", "cohere", "--json")
    assert refused.code == 2 and "anthropic, openai, gemini" in refused.error["mend"]


def test_every_provider_gets_the_tool_of_streams(exported: dict[str, list[Any]]) -> None:
    for name, tools in _declared(exported).items():
        (stream,) = (tool for tool in tools if tool["name"] == "forge_stream")
        told = json.dumps(stream)
        for argument in ("query_text", "query_levels", "current_emotions", "temporal_scope", "explain"):
            assert f'"{argument}"' in told, name
        assert "find_resolution_patterns" in told, name
