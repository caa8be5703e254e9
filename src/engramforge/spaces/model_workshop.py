"""Makes the encoders outside the static preset, from the settings of models and endpoints.

Making an encoder loads nothing, so a store that is only listed pays for no model.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from engramforge.errors import InvalidValue
from engramforge.model.embeddings.encoder_spec import (
    ENCODER_SETTINGS,
    PROVIDERS,
    ActiveEncoder,
    EncoderKind,
    EncoderSpec,
    check_spec,
    parse_spec,
)
from engramforge.model.embeddings.reembedding import Spending
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.chosen.choice import EncoderOptions
from engramforge.spaces.chosen.model_parts import ModelMeaning, ModelParts, TextRows
from engramforge.spaces.chosen.model_vectors import VectorModel
from engramforge.spaces.encoder import PartEncoder

if TYPE_CHECKING:
    from engramforge.spaces.provider.endpoint import Endpoint

_MEANING = ROW_BY_SPACE[Space.SEMANTIC]


class ModelWorkshop:
    """Makes encoders; all of one endpoint share its connections and its count of costs.

    `settings`: space -> the setting that chose its encoder, for errors.
    """

    def __init__(self, options: EncoderOptions, settings: Mapping[Space, str] = ENCODER_SETTINGS) -> None:
        self._options, self._settings = options, settings
        self._endpoints: dict[EncoderKind, Endpoint] = {}
        self._lock = threading.Lock()

    def meaning(self, active: ActiveEncoder) -> ModelMeaning:
        """E1's encoder as a store holds it."""
        spec = self._spec_of(Space.SEMANTIC, active)
        asked, kept = _sizes(active)
        model = self._model(Space.SEMANTIC, spec, asked)
        return ModelMeaning(_MEANING, model, kept, self._setting(Space.SEMANTIC), active)

    def part(self, space: Space, active: ActiveEncoder) -> PartEncoder:
        """Another space's encoder as a store holds it."""
        return self._part(space, self._spec_of(space, active), active)

    def can_make(self, space: Space, spec: EncoderSpec) -> bool:
        """Whether a model of this kind can serve the space here."""
        if spec.kind in PROVIDERS and space is Space.MULTIMODAL:
            return False
        return not spec.is_static and space in ENCODER_SETTINGS

    def look_up(self, space: Space, spec: EncoderSpec) -> ActiveEncoder:
        """What a store would record of this choice; loads the model, or asks the endpoint once.

        Raises ModelUnavailable, SpendingCapReached, InvalidValue.
        """
        setting = self._setting(space)
        check_spec(space, spec, setting)
        if space is Space.SEMANTIC:
            model = self._model(space, spec, self._options.dimensions)
            made = ModelMeaning(_MEANING, model, self._options.dimensions, setting)
            background = made.background()
            return ActiveEncoder(str(spec), made.id, made.size, background)
        part = self._part(space, spec, None)
        background = part.background() if isinstance(part, ModelParts) else None
        return ActiveEncoder(str(spec), part.id, part.shape[1], background)

    @property
    def spending(self) -> Spending:
        """Calls to all endpoints and their costs, in this process."""
        each = [endpoint.ledger.spent for endpoint in self._endpoints.values()]
        return Spending(
            sum(spending.calls for spending in each),
            sum(spending.tokens for spending in each),
            sum(spending.money for spending in each),
        )

    def price(self, spec: EncoderSpec) -> float:
        """Money per million tokens; 0 for what runs here."""
        if spec.kind not in PROVIDERS:
            return 0.0
        return (self._options.voyage if spec.kind is EncoderKind.VOYAGE else self._options.openai).price

    def close(self) -> None:
        """Release connections."""
        for endpoint in self._endpoints.values():
            endpoint.close()

    def _part(self, space: Space, spec: EncoderSpec, active: ActiveEncoder | None) -> PartEncoder:
        setting = self._setting(space)
        if space is Space.LATE_INTERACTION:
            from engramforge.spaces.neural.colbert import NeuralLateInteraction

            return NeuralLateInteraction(spec, setting, active)
        if space is Space.SPARSE_EXPANSION:
            from engramforge.spaces.neural.splade import NeuralSparseExpansion

            return NeuralSparseExpansion(spec, setting, active)
        if space is Space.MULTIMODAL and spec.kind not in PROVIDERS:
            from engramforge.spaces.neural.clip import NeuralPictures

            return NeuralPictures(spec, setting, active.size if active else self._options.dimensions, active)
        if (rows := _rows_of(space)) is not None:
            asked, kept = _sizes(active) if active else (self._options.dimensions, self._options.dimensions)
            model = self._model(space, spec, asked)
            return ModelParts(rows, model, kept, setting, active)
        raise InvalidValue(f"The space {space} has one encoder, not {spec}", f"Set {setting} to static")

    def _model(self, space: Space, spec: EncoderSpec, asked: int | None) -> VectorModel:
        setting = self._setting(space)
        if spec.kind not in PROVIDERS:
            from engramforge.spaces.neural.dense import DenseModel

            return DenseModel(spec, setting)
        from engramforge.spaces.provider.endpoint import Endpoint
        from engramforge.spaces.provider.text_model import BASE_URLS, EndpointModel

        with self._lock:
            if spec.kind not in self._endpoints:
                options = self._options.voyage if spec.kind is EncoderKind.VOYAGE else self._options.openai
                self._endpoints[spec.kind] = Endpoint(options, BASE_URLS[spec.kind], spec.kind)
        return EndpointModel(spec, self._endpoints[spec.kind], setting, asked)

    def _spec_of(self, space: Space, active: ActiveEncoder) -> EncoderSpec:
        setting = self._setting(space)
        return check_spec(space, parse_spec(active.spec, setting), setting)

    def _setting(self, space: Space) -> str:
        """What errors name: the setting that chose the encoder, else the space's own.

        This is also so if a preset chose it: presets have no setting per encoder, so the space's own chooses another.
        """
        setting = self._settings.get(space, "preset")
        return ENCODER_SETTINGS.get(space, setting) if setting == "preset" else setting


def _rows_of(space: Space) -> TextRows | None:
    """The `TextRows` of a space with a vector for each row; None for other spaces."""
    if space is Space.CAUSAL:
        from engramforge.spaces.causal.causal_encoder import CausalRows

        return CausalRows()
    if space is Space.CODE:
        from engramforge.spaces.chosen.model_parts import CodeRows

        return CodeRows()
    return None


def _sizes(active: ActiveEncoder) -> tuple[int | None, int]:
    """The sizes requested and kept, as the last part of the id gives them."""
    return (active.size if active.id.endswith("asked") else None), active.size
