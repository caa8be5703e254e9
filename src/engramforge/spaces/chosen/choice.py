"""Which encoder the settings choose for each space: a preset, then the model of E1, then the setting of a space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from engramforge.errors import InvalidValue
from engramforge.model.embeddings.encoder_spec import (
    ENCODER_SETTINGS,
    STATIC_SPEC,
    EncoderKind,
    EncoderSpec,
    check_spec,
    parse_spec,
)
from engramforge.model.embeddings.reembedding import Choice
from engramforge.model.spaces import Space


@dataclass(frozen=True, slots=True)
class EndpointOptions:
    """What an endpoint needs besides the model's name. The key is in no repr.

    `base_url`: address before `/embeddings`; None: the provider's own. `api_key`: None where the endpoint asks for
    none. `price`: money per million tokens, for the count of costs. `cap`: the most money that a process may spend;
    None: no limit. `timeout_s`: the longest wait for one answer. `retries`: how often a failed call is repeated at
    most.
    """

    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    price: float = 0.0
    cap: float | None = None
    timeout_s: float = 30.0
    retries: int = 5


@dataclass(frozen=True, slots=True)
class EncoderOptions:
    """What encoders of models take from the settings.

    `dimensions`: the size that longer vectors are cut to, or that a provider is asked for; None: the model's own.
    `openai`, `voyage`: the endpoints.
    """

    dimensions: int | None = None
    openai: EndpointOptions = field(default_factory=EndpointOptions)
    voyage: EndpointOptions = field(default_factory=EndpointOptions)


class Preset(StrEnum):
    """A set of encoders for all spaces."""

    STATIC = "static"
    NEURAL = "neural"
    PROVIDER = "provider"


def _hub(name: str) -> EncoderSpec:
    return EncoderSpec(EncoderKind.FASTEMBED, name)


NEURAL: Final[Mapping[Space, EncoderSpec]] = {
    Space.SEMANTIC: _hub("BAAI/bge-small-en-v1.5"),
    Space.CODE: _hub("jinaai/jina-embeddings-v2-base-code"),
    Space.MULTIMODAL: _hub("Qdrant/clip-ViT-B-32"),
    Space.LATE_INTERACTION: _hub("answerdotai/answerai-colbert-small-v1"),
    Space.SPARSE_EXPANSION: _hub("prithivida/Splade_PP_en_v1"),
}
"""The preset `neural`; E5 follows E1, the others stay static."""
OPENAI: Final[Mapping[Space, EncoderSpec]] = {
    Space.SEMANTIC: EncoderSpec(EncoderKind.OPENAI, "text-embedding-3-small")
}
VOYAGE: Final[Mapping[Space, EncoderSpec]] = {
    Space.SEMANTIC: EncoderSpec(EncoderKind.VOYAGE, "voyage-3.5"),
    Space.CODE: EncoderSpec(EncoderKind.VOYAGE, "voyage-code-3"),
}
"""The preset `provider`, by whose key there is; E5 follows E1, the others stay static."""


def choose_encoders(
    preset: str, given: Mapping[str, str], *, has_openai_key: bool = False, has_voyage_key: bool = False
) -> dict[Space, Choice]:
    """The choice for every space whose encoder may be chosen.

    `given`: the settings model_embedding and encoder_* that are set. `has_openai_key`, `has_voyage_key`: which keys are
    set; the preset `provider` uses Voyage if only its key is.

    Raises InvalidValue: a value names no encoder, or one that its space cannot use.
    """
    if preset not in set(Preset):
        raise InvalidValue(f"The setting preset is {preset!r}", f"Set it to one of {', '.join(Preset)}")
    provider = VOYAGE if has_voyage_key and not has_openai_key else OPENAI
    wanted = {Preset.STATIC: {}, Preset.NEURAL: NEURAL, Preset.PROVIDER: provider}[Preset(preset)]
    chosen = {space: Choice(wanted.get(space, STATIC_SPEC), "preset") for space in ENCODER_SETTINGS}
    if model := given.get("model_embedding"):
        chosen[Space.SEMANTIC] = Choice(parse_spec(model, "model_embedding"), "model_embedding")
    # E5 follows the model of E1, but not a setting for E1 alone.
    chosen[Space.CAUSAL] = chosen[Space.SEMANTIC]
    for space, setting in ENCODER_SETTINGS.items():
        if own := given.get(setting):
            chosen[space] = Choice(parse_spec(own, setting), setting)
    for space, choice in chosen.items():
        check_spec(space, choice.spec, choice.setting)
    return chosen
