"""The table of all import formats, in the order in which they are asked whether a source is theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engramforge.capture.formats import (
    adr,
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    export_manifest,
    gemini,
    git,
    graphiti,
    images,
    jsonl,
    lance,
    markdown,
    mcp_memory,
    mem0,
    obsidian,
    own_export,
    own_pages,
    prompt_history,
)
from engramforge.capture.reading.format import Format

FORMATS: Final[Mapping[str, Format]] = {
    each.name: each
    for each in (
        adr.FORMAT,
        obsidian.FORMAT,
        own_export.FORMAT,
        own_pages.FORMAT,
        markdown.FORMAT,
        images.FORMAT,
        codex.FORMAT,
        gemini.FORMAT,
        git.FORMAT,
        claude_code.FORMAT,
        prompt_history.FORMAT,
        claude_ai.FORMAT,
        chatgpt.FORMAT,
        export_manifest.FORMAT,
        mem0.FORMAT,
        graphiti.FORMAT,
        mcp_memory.FORMAT,
        lance.FORMAT,
        jsonl.FORMAT,
    )
}
"""Name -> format. The first that recognises a source gets it, so the general ones come last."""
