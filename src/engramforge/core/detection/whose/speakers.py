"""Who speaks in a memory: a person, an assistant, or something that reports what others wrote."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind, Memory, Source
from engramforge.model.registries.detection import Voice

_ASSISTANT: Final = late(
    r"(?:ai|assistant|model|llm|agent|main|claude|chatgpt|gpt|gemini|copilot|codex|cursor|grok|mistral|llama"
    r"|qwen|deepseek)(?:[ _.:/-].*|[\d.].*)?\Z"
)
_REPORTER: Final = late(
    r"(?:\A|[^a-z])(?:sub-?_?agents?|side-?chain|tools?|functions?|ipython|system|developer|environment"
    r"|context|web|browser|browsing|crawler|scraper|search|fetch|retriev\w*|rag|mcp|shell|bash|terminal"
    r"|console|std(?:out|err)|command|plugin|hook|webhook|document|file|page|website|article|attachment"
    r"|e-?mail|rss|feed|ocr|observation|result|output|researcher|reviewer|worker|wiki|pdf|unknown|source|read-?me"
    r"|bot|(?:depend|renov|github|git)\w*bot)(?:\Z|[^a-z])|(?:agent|bot)\Z"
)
"""Names of those who hand on what they read or ran; of an agent only a bare name is the one that a person talks to."""
_TOOL: Final = late(
    r"(?:read|write|edit|multiedit|notebook\w*|glob|grep|ls|bash|task|todo\w*|web\w*|explore|plan|general-purpose)\Z"
    r"|\S+\.[a-z]{1,5}\Z|\S*://|www\."
)
"""Names of a client's tools and sub-agents, of files, and addresses."""
_OTHER_SCRIPT: Final = late(r"[\u0370-\u03ff\u0400-\u052f]")
_MARKS_OF_REPORTS: Final = frozenset(
    {"agent_id", "tool", "tool_name", "tool_call_id", "tool_use_id", "is_error", "is_sidechain", "subagent"}
    | {"url", "source_url", "page_url", "file_path", "attachment", "pasted", "compaction"}
)
_ROLES: Final = ("role", "type", "author_role")


def voice_of(memory: Memory) -> Voice:
    """Whose voice a memory's own words are: a person's, an assistant's, or that of something that reports."""
    if memory.source is Source.MD_FILE_CHUNK or memory.chunk is not None:
        return Voice.REPORTED
    if memory.kind in (Kind.TOOL_USE, Kind.ARTIFACT, Kind.CHUNK):
        return Voice.REPORTED
    if any(memory.metadata.get(mark) for mark in _MARKS_OF_REPORTS & memory.metadata.keys()):
        return Voice.REPORTED
    roles = [memory.metadata.get(name) for name in _ROLES]
    named = [_voice_of_name(name) for name in (memory.speaker, *roles) if isinstance(name, str)]
    if Voice.REPORTED in named:
        return Voice.REPORTED
    is_assistant = memory.kind in (Kind.RESPONSE, Kind.SESSION_SUMMARY) or Voice.STATED in named
    return Voice.STATED if is_assistant or memory.source is Source.ASSISTANT_RESPONSE else Voice.OWN


def speaker_of(memory: Memory) -> str:
    """Who speaks in a memory, by name or else by voice."""
    voices = {Voice.OWN: "user", Voice.STATED: "assistant", Voice.REPORTED: "a source"}
    return memory.speaker or voices[voice_of(memory)]


@lru_cache(maxsize=64)
def _voice_of_name(name: str) -> Voice:
    plain = unicodedata.normalize("NFKC", name[:200]).casefold()
    bare = "".join(sign for sign in plain if unicodedata.category(sign) != "Cf").strip()
    if _TOOL.match(bare) or (_OTHER_SCRIPT.search(bare) and re.search("[a-z]", bare)):
        return Voice.REPORTED  # A name of two scripts is made to look like another.
    if _ASSISTANT.match(bare) and not re.search(r"sub|result|output|report", bare):
        return Voice.STATED
    return Voice.REPORTED if _REPORTER.search(bare) else Voice.OWN
