"""The prompts that models expect before a question and before a document.

A folder says it in config_sentence_transformers.json; fastembed's models of the hub do not, so those that were trained
with prompts are listed here, as their cards say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

_RETRIEVAL: Final = "Represent this sentence for searching relevant passages: "


@dataclass(frozen=True, slots=True)
class Prompts:
    """What goes before each question and each document."""

    question: str = ""
    document: str = ""

    @property
    def mark(self) -> str:
        """A part of an id that changes with the documents' prompt; empty without one."""
        return f"+{hashlib.sha256(self.document.encode()).hexdigest()[:6]}" if self.document else ""


_OF_HUB: Final[Mapping[str, Prompts]] = {
    "baai/bge-small-en": Prompts(_RETRIEVAL),
    "baai/bge-base-en": Prompts(_RETRIEVAL),
    "baai/bge-large-en": Prompts(_RETRIEVAL),
    "mixedbread-ai/mxbai-embed-large": Prompts(_RETRIEVAL),
    "snowflake/snowflake-arctic-embed": Prompts(_RETRIEVAL),
    "intfloat/multilingual-e5": Prompts("query: ", "passage: "),
    "nomic-ai/nomic-embed-text": Prompts("search_query: ", "search_document: "),
    "google/embeddinggemma": Prompts("task: search result | query: ", "title: none | text: "),
    "qwen/qwen3-embedding": Prompts(
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
    ),
    "qdrant/stella-en-400m": Prompts(
        "Instruct: Given a web search query, retrieve relevant passages that answer the query.\nQuery: "
    ),
}
"""The beginning of a model's name in lower case -> its prompts."""


def prompts_of_hub(name: str) -> Prompts:
    """The prompts of a model of the hub, empty if it needs none."""
    for beginning, prompts in _OF_HUB.items():
        if name.lower().startswith(beginning):
            return prompts
    return Prompts()


def prompts_of_folder(config: Mapping[str, Any]) -> Prompts:
    """The prompts that a sentence-transformers configuration names."""
    given = config.get("prompts")
    if not isinstance(given, Mapping):
        return Prompts()
    document = given.get("document") or given.get("passage") or ""
    question = given.get("query") or ""
    return Prompts(str(question), str(document))
