"""A single vector for a text by an ONNX model, used for E1, E5, E7 and the text half of E10."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.errors import ModelUnavailable
from engramforge.model.embeddings.encoder_spec import EncoderKind, EncoderSpec
from engramforge.spaces.neural.loading import (
    ModelFolder,
    check_gives_vectors,
    explained,
    from_hub,
    model_folder,
    quieten,
)

LONGEST_CHARACTERS: Final = 32_000
"""How much of a text a model is given; it reads its own first 256 to 8,192 tokens of that."""
_BATCH: Final = 32
_SENTENCE_OUTPUT: Final = "sentence_embedding"


class DenseModel:
    """A `VectorModel` of the hub or of a folder; loads at first use, safe to share between threads.

    `setting`: what errors name. `part`: the folder below a local one that holds it, for models of several.
    """

    asked_size: int | None = None

    def __init__(self, spec: EncoderSpec, setting: str, part: str = "") -> None:
        self._spec, self._setting, self._part = spec, setting, part
        self._lock = threading.Lock()
        self._model: Any = None
        self._name: str | None = None
        self._prompts: Prompts | None = None

    @property
    def name(self) -> str:
        """The model of the hub, or the contents of the folder; with its prompts. Reads the folder, not the hub."""
        if self._name is None:
            own = self._folder.name if self._spec.kind is EncoderKind.LOCAL else str(self._spec)
            self._name = own + self.prompts.mark
        return self._name

    @property
    def prompts(self) -> Prompts:
        """What it reads before a question and a document."""
        if self._prompts is None:
            if self._spec.kind is EncoderKind.LOCAL:
                self._prompts = prompts_of_folder(self._folder.read_json("config_sentence_transformers.json"))
            else:
                self._prompts = prompts_of_hub(self._spec.name)
        return self._prompts

    def vectors(self, texts: Sequence[str], is_query: bool = False) -> NDArray[np.float32]:
        """See `VectorModel`. A blank text has no signal."""
        model = self._loaded()
        prompt = self.prompts.question if is_query else self.prompts.document
        places = [place for place, text in enumerate(texts) if text.strip()]
        # Texts of similar length share a batch, since each text is padded to the longest.
        places.sort(key=lambda place: len(texts[place]))
        sent = [prompt + readable(texts[place]) for place in places] or ["size"]
        with explained(self._spec, self._setting, "used"):
            rows = np.array(list(model.embed(sent, batch_size=_BATCH)), np.float32)
        if rows.ndim != 2 or not np.isfinite(rows).all():
            raise ModelUnavailable(
                f"The model {self._spec} of {self._setting} gives no vectors of numbers for texts",
                f"Let {self._setting} name a model that gives one vector for a text",
            )
        found = np.zeros((len(texts), rows.shape[1]), np.float32)
        if places:
            found[places] = rows
        return found

    @property
    def _folder(self) -> ModelFolder:
        return model_folder(Path(self._spec.name) / self._part, self._setting)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                with explained(self._spec, self._setting, "loaded"):
                    from fastembed import TextEmbedding

                    quieten()
                    if self._spec.kind is EncoderKind.LOCAL:
                        model = _of_folder(TextEmbedding, self._folder)
                        check_gives_vectors(model.model, self._spec, self._setting)
                        self._model = model
                    else:
                        self._model = from_hub(TextEmbedding, self._spec, self._setting)
            return self._model


def readable(text: str) -> str:
    """The beginning of a text that a model is given; a half of a surrogate pair, which none can read, becomes "?"."""
    return text[:LONGEST_CHARACTERS].encode("utf-8", "replace").decode()


def _of_folder(facade: Any, folder: ModelFolder) -> Any:
    """The folder's model with the pooling that it says, or that its first output asks for."""
    from fastembed.common.model_description import PoolingType

    pooling = folder.read_json("1_Pooling/config.json")
    chosen = PoolingType.MEAN
    if pooling.get("pooling_mode_cls_token"):
        chosen = PoolingType.CLS
    elif pooling.get("pooling_mode_lasttoken"):
        chosen = PoolingType.LAST_TOKEN
    model = _custom(facade, folder, chosen, None)
    outputs = model.model.model.get_outputs()
    if _SENTENCE_OUTPUT in [output.name for output in outputs[1:]]:
        return _custom(facade, folder, PoolingType.DISABLED, _SENTENCE_OUTPUT)
    if len(outputs[0].shape) == 2:
        return _custom(facade, folder, PoolingType.DISABLED, None)
    return model


def _custom(facade: Any, folder: ModelFolder, pooling: Any, output: str | None) -> Any:
    """Register the model with fastembed, once per process, and load it."""
    from fastembed.common.model_description import ModelSource

    name = f"{folder.name}/{pooling.value}"
    if name.lower() not in {each["model"].lower() for each in facade.list_supported_models()}:
        facade.add_custom_model(
            model=name,
            pooling=pooling,
            normalization=True,
            # Never looked up: the folder is given. The size is seen on the vectors themselves.
            sources=ModelSource(hf=name),
            dim=1,
            model_file=folder.file,
            output_name=output,
        )
    return facade(name, specific_model_path=str(folder.path))


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
