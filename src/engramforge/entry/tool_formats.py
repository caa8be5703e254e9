"""The definitions of the MCP tools as model providers want them in a request's `tools`.

Every provider takes a subset of JSON Schema of its own (spec chapter 10; the providers' pages on defining tools,
function calling and strict mode). What a subset cannot say goes into an argument's description.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mcp_types import Tool

Schema = dict[str, Any]
_NULL: Final = {"type": "null"}
_OF_GEMINI: Final = ("description", "enum", "required")


def anthropic(tools: Sequence[Tool]) -> list[Schema]:
    """For the Messages API: the schemas as they are.

    Not strict: strict tools of one request may have 24 optional arguments in all, and objects that are open none.
    """
    return [
        {"name": each.name, "description": each.description, "input_schema": _typed(each.input_schema)}
        for each in tools
    ]


def openai(tools: Sequence[Tool]) -> list[Schema]:
    """For Chat Completions; the Responses API takes what is under `function` beside its `type`.

    Strict where every object is closed: then each argument is required, and null stands for one that is left out.
    """
    return [{"type": "function", "function": _function(each)} for each in tools]


def gemini(tools: Sequence[Tool]) -> list[Schema]:
    """For generateContent: one tool with all declarations, whose schemas are of OpenAPI 3.0's subset.

    A function without arguments has no `parameters`; an object of any fields is written as JSON text, which the tools
    read as well; of several types one is told that can say the same.
    """
    declarations = []
    for each in tools:
        declared: Schema = {"name": each.name, "description": each.description}
        if each.input_schema["properties"]:
            declared["parameters"] = _of_gemini(_typed(each.input_schema))
        declarations.append(declared)
    return [{"functionDeclarations": declarations}]


FORMATS: Final[Mapping[str, Callable[[Sequence[Tool]], list[Schema]]]] = {
    "anthropic": anthropic,
    "openai": openai,
    "gemini": gemini,
}


def _typed(schema: Any) -> Any:
    """A schema that says of choices that they are texts, which the definitions of MCP leave out."""
    if isinstance(schema, list):
        return [_typed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: _typed(value) for name, value in schema.items()}
    return {**kept, "type": "string"} if "enum" in kept and "type" not in kept else kept


def _function(tool: Tool) -> Schema:
    schema = _typed(tool.input_schema)
    strict = not _is_open(schema)
    parameters = _strict(schema) if strict else schema
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": parameters,
        "strict": strict,
    }


def _strict(schema: Schema) -> Schema:
    needed = schema.get("required", ())
    properties = {
        name: _told_default(each) if name in needed or "default" in each else _nullable(each)
        for name, each in schema["properties"].items()
    }
    return {**schema, "properties": properties, "required": list(properties)}


def _nullable(schema: Schema) -> Schema:
    """A schema that also allows null, for what may be left out."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], _NULL]}
    choices = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [schema["type"], "null"], **choices}


def _is_open(schema: Any) -> bool:
    """Whether any object within has fields that are not named."""
    if isinstance(schema, list):
        return any(map(_is_open, schema))
    if not isinstance(schema, dict):
        return False
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        return True
    return any(map(_is_open, schema.values()))


def _told_default(schema: Schema) -> Schema:
    """A schema whose default is told in words: as a keyword not every provider takes it."""
    if "default" not in schema:
        return schema
    usual = f"default {json.dumps(schema['default'])}"
    kept = {name: value for name, value in schema.items() if name != "default"}
    return {**kept, "description": "; ".join(filter(None, [schema.get("description"), usual]))}


def _of_gemini(schema: Schema) -> Schema:
    if "anyOf" in schema:
        return _one_of(schema)
    told = _told_default(schema)
    if _is_open(schema) and "properties" not in schema:
        described = ", ".join(filter(None, [told.get("description"), "as JSON"]))
        return {"type": "STRING", "description": f"{described[0].upper()}{described[1:]}"}
    found = {"type": told["type"].upper()} | {name: told[name] for name in _OF_GEMINI if name in told}
    if "items" in told:
        found["items"] = _of_gemini(told["items"])
    if "properties" in told:
        found["properties"] = {name: _of_gemini(each) for name, each in told["properties"].items()}
    return found


def _one_of(schema: Schema) -> Schema:
    """The one of several types that says most: a list of texts for a text or such a list, a text where the other is
    an object or a list of them, which a text can hold as JSON."""
    typed = [each for each in schema["anyOf"] if each != _NULL]
    chosen = next((each for each in typed if each["type"] == "array" and not _is_open(each)), typed[0])
    beside: Schema = {name: schema[name] for name in ("description", "default") if name in schema}
    found = _of_gemini({**chosen, **beside})
    return {**found, "nullable": True} if _NULL in schema["anyOf"] else found
