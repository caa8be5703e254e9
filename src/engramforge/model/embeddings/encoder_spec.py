"""How an encoder is named in the settings and in a store: a kind and a name, written `kind:name`.

static                  the encoder that comes with the package
fastembed:NAME          an ONNX model of the hub, downloaded once
local:/folder           an ONNX model in a folder; no network
openai:MODEL            an endpoint that speaks OpenAI's protocol (Ollama, vLLM and others do)
voyage:MODEL            Voyage's own protocol
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engramforge.errors import InvalidValue
from engramforge.model.spaces import Space


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
