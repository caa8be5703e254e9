"""Settings in, a `Forge` out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engramforge.assembly.location import check_tenant, check_there, open_store
from engramforge.assembly.stages import WiredStages
from engramforge.core.checks.validation import check_name
from engramforge.core.ranking.mass import AttentionOptions
from engramforge.forge import Forge
from engramforge.forge.signatures import checked
from engramforge.indexing.calibrations import Calibrations, Thresholds
from engramforge.indexing.encode import TextEncoder
from engramforge.indexing.encoders import Encoders
from engramforge.model.embeddings.encoder_spec import ENCODER_SETTINGS, STATIC_SPEC
from engramforge.model.embeddings.reembedding import Choice
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.recall.retrieval import Retriever
from engramforge.settings import Settings, read_settings
from engramforge.spaces.chosen.choice import EncoderOptions, EndpointOptions, choose_encoders
from engramforge.spaces.model_workshop import ModelWorkshop

if TYPE_CHECKING:
    from engramforge.model.storing.section import MoveReport
    from engramforge.upkeep.store_moving import Progress

Environment = Mapping[str, str]
"""Variables as the system has them, in which any bytes may stand; settings.py reads them."""


@checked
def open_forge(
    home_or_url: str | os.PathLike[str] | None = None,
    *,
    tenant: str | None = None,
    agent: str | None = None,
    environment: Environment | None = None,
) -> Forge:
    """A `Forge` on the store of a home folder or at a URL; see `engramforge.open`."""
    settings = read_settings(home_or_url, os.environ if environment is None else environment)
    scope = Scope(
        check_tenant(settings.tenant if tenant is None else tenant),
        check_name(settings.agent if agent is None else agent, "agent"),
    )
    choices, workshop = _choose(settings)
    encoder = Encoders(workshop)
    door = open_store(settings, scope.tenant, lambda: encoder.words.id)
    calibrations = Calibrations(door, Thresholds(settings.thresholds_high, settings.thresholds_low))
    stages = WiredStages(
        door=door,
        encoder=encoder,
        retriever=Retriever(door, encoder, _attention(settings), calibrations),
        clock=now,
        workshop=workshop,
        choices=choices,
        detects=settings.detection,
        detection_threshold=settings.detection_threshold,
        excluded_projects=settings.excluded_projects,
        markdown_globs=settings.markdown_globs,
        home=settings.home,
    )
    if any(not choice.spec.is_static for choice in choices.values()):
        try:
            stages.reembedding.adopt(choices)
        except BaseException:
            door.close()
            raise
    return Forge(stages, scope)


def _choose(settings: Settings) -> tuple[dict[Space, Choice], ModelWorkshop]:
    """The encoders that the settings ask for, and the workshop that makes them. Raises InvalidValue."""
    choices = choose_encoders(
        settings.preset,
        settings.encoders,
        has_openai_key=bool(settings.openai_api_key or settings.embedding_api_key),
        has_voyage_key=bool(settings.voyage_api_key),
    )
    shared = EndpointOptions(
        price=settings.embedding_price, cap=settings.embedding_cap, timeout_s=settings.embedding_timeout_s
    )
    openai = replace(
        shared,
        base_url=settings.embedding_base_url,
        api_key=settings.embedding_api_key or settings.openai_api_key,
    )
    voyage = replace(
        shared,
        base_url=settings.voyage_base_url,
        api_key=settings.voyage_api_key or settings.embedding_api_key,
    )
    options = EncoderOptions(settings.embedding_dimensions, openai, voyage)
    workshop = ModelWorkshop(options, {space: choice.setting for space, choice in choices.items()})
    for space, choice in choices.items():
        # A space that follows another stays static if no model can serve it; one whose encoder is named may not.
        if choice.setting != ENCODER_SETTINGS[space] and not workshop.can_make(space, choice.spec):
            choices[space] = Choice(STATIC_SPEC, choice.setting)
    return choices, workshop


@checked
def move_store(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    tenant: str | None = None,
    start_over: bool = False,
    progress: Progress | None = None,
) -> MoveReport:
    """Move a tenant's store to another place; see `engramforge.migrate`."""
    from engramforge.upkeep.store_moving import move

    places = [read_settings(place, os.environ) for place in (source, target)]
    whose = check_tenant(places[0].tenant if tenant is None else tenant)
    check_there(places[0], whose)
    # Moving embeds nothing, so no model is loaded.
    encoder = TextEncoder()
    with (
        closing(open_store(places[0], whose, lambda: encoder.id)) as begin,
        closing(open_store(places[1], whose, lambda: encoder.id)) as end,
    ):
        return move(begin, end, whose, start_over=start_over, progress=progress)


def _attention(settings: Settings) -> AttentionOptions:
    """The settings that the ranking's last stage needs."""
    return AttentionOptions(
        similarity=settings.weight_similarity,
        epistemic_tier=settings.weight_epistemic_tier,
        freshness=settings.weight_freshness,
        conflict_salience=settings.weight_conflict_salience,
        category_boost=settings.weight_category_boost,
        half_life_days=settings.half_life_days,
        band=settings.similarity_band,
    )


def now() -> datetime:
    """The current time in UTC: the clock of every stage."""
    return datetime.now(UTC)
