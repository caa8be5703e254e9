"""How an encoder is named in the settings and in a store: a kind and a name, written `kind:name`.

static                  the encoder that comes with the package
fastembed:NAME          an ONNX model of the hub, downloaded once
local:/folder           an ONNX model in a folder; no network
openai:MODEL            an endpoint that speaks OpenAI's protocol (Ollama, vLLM and others do)
voyage:MODEL            Voyage's own protocol
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from engramforge.errors import InvalidValue
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.spaces import Space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class EncoderKind(StrEnum):
    """Where an encoder comes from."""

    STATIC = "static"
    FASTEMBED = "fastembed"
    LOCAL = "local"
    OPENAI = "openai"
    VOYAGE = "voyage"


PROVIDERS: Final = (EncoderKind.OPENAI, EncoderKind.VOYAGE)
"""Kinds that ask somebody else's machine, for money."""

ENCODER_SETTINGS: Final[Mapping[Space, str]] = {
    Space.SEMANTIC: "encoder_semantic",
    Space.CAUSAL: "encoder_causal",
    Space.CODE: "encoder_code",
    Space.MULTIMODAL: "encoder_multimodal",
    Space.LATE_INTERACTION: "encoder_late_interaction",
    Space.SPARSE_EXPANSION: "encoder_sparse_expansion",
}
"""The spaces whose encoder may be chosen, and the setting that chooses it."""

PROVIDER_SPACES: Final = frozenset({Space.SEMANTIC, Space.CAUSAL, Space.CODE, Space.MULTIMODAL})
"""The spaces that an endpoint may encode: it gives one vector for a text, which the others cannot use."""


@dataclass(frozen=True, slots=True)
class EncoderSpec:
    """The choice of an encoder; `str` of it is what the settings say."""

    kind: EncoderKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.name else str(self.kind)

    @property
    def is_static(self) -> bool:
        """Whether it is the one that comes with the package."""
        return self.kind is EncoderKind.STATIC


STATIC_SPEC: Final = EncoderSpec(EncoderKind.STATIC)


def parse_spec(text: str, setting: str) -> EncoderSpec:
    """The choice that a text names. Raises InvalidValue, naming the setting."""
    kind, separator, name = text.strip().partition(":")
    known = kind.lower() in set(EncoderKind)
    is_static = kind.lower() == EncoderKind.STATIC
    if not known or bool(name.strip()) == is_static or (is_static and separator) or "\x00" in text:
        raise InvalidValue(
            f"The setting {setting} is {text[:100]!r}",
            "Write static, fastembed:NAME, local:/folder, openai:MODEL or voyage:MODEL",
        )
    return EncoderSpec(EncoderKind(kind.lower()), name.strip())


def check_spec(space: Space, spec: EncoderSpec, setting: str) -> EncoderSpec:
    """The choice, if the space can use it. Raises InvalidValue, naming the setting."""
    if space not in ENCODER_SETTINGS and not spec.is_static:
        raise InvalidValue(
            f"The space {space} has one encoder, not {spec}",
            f"Choose an encoder for {', '.join(ENCODER_SETTINGS)}",
        )
    if spec.kind in PROVIDERS and space not in PROVIDER_SPACES:
        raise InvalidValue(
            f"The setting {setting} is {spec}, but an endpoint gives one vector for a text, not what {space} needs",
            f"Set {setting} to static, fastembed:NAME or local:/folder",
        )
    return spec


@dataclass(frozen=True, slots=True)
class ActiveEncoder:
    """The encoder whose embeddings of a space a store compares.

    Parameters
    ----------
    spec : how it is made, as in the settings: static, local:/folder, openai:MODEL. Never a key or a password.
    id : name, version and dimension; embeddings of different ids are never compared.
    size : dimension of one row of an embedding.
    background : median cosine of unrelated texts by it, where it is a model's and was measured. A property, not part of
        the identity: encoders compare equal whatever it is.
    """

    spec: str
    id: str
    size: int
    background: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class MemoryGraph:
    """The links on record now between the current memories of a scope.

    `logical_ids`, `positions`: n nodes with at least one link, and where their current version stands (int64, shape
    (n,)). `sources`, `targets`: int64, shape (m,): places in the nodes. `relations`: int32, shape (m,): place in
    `relation_names`. `weights`: float32, shape (m,): energy of each link, 0..1.
    """

    logical_ids: tuple[str, ...]
    positions: NDArray[np.int64]
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    relations: NDArray[np.int32]
    weights: NDArray[np.float32]
    relation_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meanings:
    """The vectors in E1 of n current memories of a scope, by the encoder that the store compares by.

    `encoder`: its id; None for that of the words. `positions`, `projects`: int64, shape (n,), ascending positions, and
    the key of each one's project. `lengths`: int64, shape (n,), about how many words. `vectors`: int8, shape (n, d).
    """

    encoder: str | None
    positions: NDArray[np.int64]
    logical_ids: tuple[str, ...]
    projects: NDArray[np.int64]
    lengths: NDArray[np.int64]
    vectors: NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Entities:
    """Entities that current memories of a scope mention.

    `names`: n of them, distinct, ascending. `vectors`: int8, shape (n, size), rows proportional to the entities'
    vectors; zero where none was trained. `encoder`: id of the encoder of the vectors; None where there are none.
    """

    names: tuple[str, ...]
    vectors: NDArray[np.int8]
    encoder: str | None


@dataclass(frozen=True, slots=True)
class Mentions(Entities):
    """Who mentions what among the current memories of a scope: all entities there, and by which memories.

    `positions`, `entities`: int64, shape (m,): the memory's position and the entity's place in `names`.
    """

    positions: NDArray[np.int64]
    entities: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Signals:
    """What the active encoders made of some memories.

    `embeddings`: by position; of those that are in scope. `entities`: the vectors of names; None where they were not
    asked for.
    """

    embeddings: Mapping[int, Embedding]
    entities: Entities | None = None
