"""Settings in, a `Forge` out."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from engramforge.assembly.stages import WiredStages
from engramforge.core.checks.validation import check_name
from engramforge.core.ranking.mass import AttentionOptions
from engramforge.errors import InvalidValue, NotFound, StoreFull, StoreUnavailable
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
from engramforge.settings import Settings, home_folder, read_settings
from engramforge.spaces.chosen.choice import EncoderOptions, EndpointOptions, choose_encoders
from engramforge.spaces.model_workshop import ModelWorkshop
from engramforge.store.door import Door
from engramforge.store.sqlite.connection import FILE_NAME
from engramforge.store.sqlite.store import open_sqlite

if TYPE_CHECKING:
    from engramforge.llm.options import ModelOptions
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
    given = os.environ if environment is None else environment
    settings = read_settings(home_or_url, given)
    scope = Scope(
        check_tenant(settings.tenant if tenant is None else tenant),
        check_name(settings.agent if agent is None else agent, "agent"),
    )
    stages = open_stages(settings, scope.tenant)
    if settings.oracle_fallback is not None:
        from engramforge.assembly.fallback import Fallback

        stages.fallback = Fallback(settings.oracle_fallback, partial(_open_second, given))
    choices = stages.choices
    if any(not choice.spec.is_static for choice in choices.values()):
        try:
            stages.reembedding.adopt(choices)
        except BaseException:
            stages.close()
            raise
    return Forge(stages, scope)


def _open_second(environment: Environment, place: str, own: Environment | None) -> WiredStages:
    """The stages over a store that is there; or over a new one, with settings of its `own`."""
    settings = read_settings(place, environment if own is None else own)
    if own is None:
        check_there(settings, settings.tenant)
    return open_stages(settings, settings.tenant, only_read=own is None)


def open_stages(settings: Settings, tenant: str, only_read: bool = False) -> WiredStages:
    """The stages over the store that the settings name, made where it is not there; its encoders stay as they are.

    `only_read`: nothing of it is made, migrated or written.
    """
    choices, workshop = _choose(settings)
    encoder = Encoders(workshop)
    door = open_store(settings, tenant, lambda: encoder.words.id, only_read)
    calibrations = Calibrations(door, Thresholds(settings.thresholds_high, settings.thresholds_low))
    return WiredStages(
        door=door,
        encoder=encoder,
        retriever=Retriever(door, encoder, _attention(settings), calibrations),
        clock=now,
        workshop=workshop,
        choices=choices,
        detects=settings.detection,
        detection_threshold=settings.detection_threshold,
        sitting_minutes=settings.implied_session_minutes,
        excluded_projects=settings.excluded_projects,
        injection_order=settings.injection_order,
        markdown_globs=settings.markdown_globs,
        home=settings.home,
        model_options=_model_options(settings),
        conflict_judge=settings.conflict_judge,
        reranker=settings.reranker,
    )


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


def _model_options(settings: Settings) -> ModelOptions | None:
    """The language model that the settings ask for, or None.

    A provider's own key goes to that provider alone: whoever names another address names its key too.
    """
    if settings.model_reasoning is None:
        return None
    from engramforge.llm.options import ModelOptions
    from engramforge.model.language_models.spec import ModelKind, parse_model_spec

    spec = parse_model_spec(settings.model_reasoning, "model_reasoning")
    own_keys = {
        ModelKind.OPENAI: settings.openai_api_key,
        ModelKind.ANTHROPIC: settings.anthropic_api_key,
        ModelKind.GEMINI: settings.gemini_api_key,
    }
    own = own_keys.get(spec.kind) if settings.model_base_url is None else None
    return ModelOptions(
        spec,
        settings.home,
        base_url=settings.model_base_url,
        api_key=settings.model_api_key or own,
        timeout_s=settings.model_timeout_s,
        output_tokens=settings.model_output_tokens,
        price_input=settings.model_price_input,
        price_output=settings.model_price_output,
        cap=settings.model_cap,
        cap_tokens=settings.model_cap_tokens,
        extracts=settings.model_extraction,
    )


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


def open_store(
    settings: Settings, tenant: str, encoder_id: Callable[[], str], only_read: bool = False
) -> Door:
    """The store at the settings' URL, or else in a file in the home folder.

    A missing folder is created, readable only by its owner. `only_read`: nothing is made, migrated or written.
    """
    path = _file_of(settings, tenant)
    if path is None:
        with _psycopg_needed():
            from engramforge.store.postgres.store import open_postgres

            return open_postgres(
                str(settings.url),
                tenant,
                encoder_id,
                home=settings.home,
                only_read=only_read,
                lock_timeout_ms=settings.busy_timeout_ms,
            )
    try:
        if not only_read:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreFull(
                f"There is no space left for {path.parent}", "Free some disk space, then try again"
            ) from error
        raise StoreUnavailable(
            f"The home folder {path.parent} cannot be made ({error.strerror})",
            "Choose another with ENGRAMFORGE_HOME, or mend its permissions",
        ) from error
    return open_sqlite(
        path, tenant, encoder_id, settings.busy_timeout_ms, home=settings.home, only_read=only_read
    )


def check_there(settings: Settings, tenant: str) -> None:
    """Raise NotFound if there is no store yet, since opening it would create it."""
    path = _file_of(settings, tenant)
    if path is None:
        with _psycopg_needed():
            from engramforge.store.postgres.store import holds_store
        is_there = holds_store(str(settings.url), tenant)
    else:
        is_there = path.exists()
    if not is_there:
        where = _shown(settings) if path is None else path
        raise NotFound(
            f"There is no store of tenant {tenant!r} at {where}",
            "Check the place of the source, and --tenant",
        )


@checked
def locate(home_or_url: str | os.PathLike[str] | None = None, tenant: str | None = None) -> Path | str:
    """Where `open_forge` would open a store: a file, or a database's URL without its password.

    Nothing is created or opened.

    Raises InvalidValue for a wrong setting.
    """
    settings = read_settings(home_or_url, os.environ)
    path = _file_of(settings, settings.tenant if tenant is None else tenant)
    if path is not None:
        return path
    with _psycopg_needed():
        return _shown(settings)


def home_of(home: str | None = None) -> Path:
    """The home folder, also where the store is elsewhere or a setting is wrong; nothing is made.

    Raises InvalidValue for a name that is none.
    """
    return home_folder(home, os.environ)


def tools_off(home_or_url: str | None = None) -> tuple[str, ...]:
    """Which tools the MCP server is not to offer; none where a setting is wrong, which opening the store tells."""
    try:
        return read_settings(home_or_url, os.environ).mcp_tools_off
    except InvalidValue:
        return ()


def _shown(settings: Settings) -> str:
    from engramforge.store.postgres.connection import place

    return place(str(settings.url))


def check_tenant(tenant: str) -> str:
    """The tenant's name, which must be plain on every engine: a tenant may be a file, and may move."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", tenant):
        raise InvalidValue(
            f"The tenant {tenant[:100]!r} is not a usable name",
            "Use up to 64 of a-z, 0-9, - and _, a letter or digit first; it is taken as it is written",
        )
    return tenant


def _file_of(settings: Settings, tenant: str) -> Path | None:
    """The SQLite file, in the home folder or at sqlite:///PATH; None if the store is in PostgreSQL.

    A path is the file itself if it is one already, or ends in .db and is no folder.
    """
    name = FILE_NAME if check_tenant(tenant) == "default" else f"{tenant}.{FILE_NAME}"
    if settings.url is None:
        if os.path.realpath(settings.home) == os.sep:
            raise InvalidValue(
                f"The home folder {str(settings.home)!r} is the root of all files",
                "Name a folder in it, in which the store may lie",
            )
        return settings.home / name
    if not settings.url.lower().startswith("sqlite://"):
        return None
    path = unquote(settings.url.partition("://")[2])
    if not path.startswith("/") or path.strip("/") == "" or "?" in path or "\x00" in path:
        raise InvalidValue(
            f"The URL {settings.url!r} names no file or folder",
            "Write sqlite:///path/to/folder or sqlite:///path/to/file.db, from the root on and without options",
        )
    place = Path("/", path.lstrip("/"))
    return place if place.is_file() or (place.suffix == ".db" and not place.is_dir()) else place / name


@contextmanager
def _psycopg_needed() -> Iterator[None]:
    """Say what to install if the PostgreSQL driver, or the libpq that it needs, is missing."""
    try:
        yield
    except ImportError as error:
        if not (error.name or str(error)).startswith(("psycopg", "no pq wrapper")):
            raise
        raise StoreUnavailable(
            "A PostgreSQL store needs the driver psycopg, which is not installed or lacks libpq",
            "Run pip install 'engramforge[postgres]'",
        ) from error
