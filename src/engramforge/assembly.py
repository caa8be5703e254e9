"""The only place where parts are wired together: settings in, a `Forge` out.

Everything heavy is imported here and not in the package, so that `import engramforge` stays light.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from engramforge.core.checks.validation import check_name
from engramforge.core.ranking.attention import AttentionOptions
from engramforge.errors import InvalidValue, NotFound, StoreFull, StoreUnavailable
from engramforge.forge import Forge, ForgeParts
from engramforge.indexing.calibrations import Calibrations, Thresholds
from engramforge.indexing.encode import TextEncoder
from engramforge.indexing.encoders import Encoders, static_encoders
from engramforge.model.embeddings.encoder_spec import ENCODER_SETTINGS, STATIC_SPEC
from engramforge.model.embeddings.reembedding import Choice
from engramforge.model.memory import Draft, Memory
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.recall.retrieval import Retriever
from engramforge.settings import Settings, read_settings
from engramforge.spaces.chosen.choice import EncoderOptions, EndpointOptions, choose_encoders
from engramforge.spaces.workshop import ModelWorkshop
from engramforge.store.sqlite.store import FILE_NAME, open_sqlite

if TYPE_CHECKING:
    from engramforge.model.storing.section import MoveReport
    from engramforge.registries.detected.detected_entries import Detected
    from engramforge.registries.detected.detected_lineage import DetectedLineage
    from engramforge.spaces.part_encoder import Picture
    from engramforge.store.door import Door
    from engramforge.upkeep.moving import Progress
    from engramforge.upkeep.reembedding import Reembedding
    from engramforge.writing.intake import Follower, Intake
    from engramforge.writing.linkage import Linkage
    from engramforge.writing.revision import Revision


def open_forge(
    home_or_url: str | os.PathLike[str] | None = None,
    *,
    tenant: str | None = None,
    agent: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Forge:
    """A `Forge` on the store of a home folder or at a URL; see `engramforge.open`."""
    settings = read_settings(home_or_url, os.environ if environment is None else environment)
    scope = Scope(
        check_name(tenant or settings.tenant, "tenant"), check_name(agent or settings.agent, "agent")
    )
    choices, workshop = choose(settings)
    encoder = static_encoders(workshop)
    door = open_store(settings, scope.tenant, encoder.words)

    # Capture is imported at the first write.
    def make_intake() -> Intake:
        from engramforge.writing.intake import Intake
        from engramforge.writing.redact import Redactor

        intake = Intake(door, encoder, Redactor(), _now)
        if settings.detection:
            intake.follower = _detecting(door, intake, settings.detection_threshold)
        return intake

    def make_revision(intake: Intake) -> Revision:
        from engramforge.writing.revision import Revision

        return Revision(door, intake, _now)

    def make_linkage() -> Linkage:
        from engramforge.writing.linkage import Linkage
        from engramforge.writing.redact import Redactor

        return Linkage(door, Redactor(), _now)

    def make_reembedding() -> Reembedding:
        return _reembedding(door, scope.tenant, encoder, workshop)

    if any(not choice.spec.is_static for choice in choices.values()):
        with _closed_on_error(door):
            make_reembedding().adopt(choices)
    parts = ForgeParts(
        door=door,
        encoder=encoder,
        retriever=Retriever(door, encoder, _attention(settings), _calibrations(door, settings)),
        make_intake=make_intake,
        make_revision=make_revision,
        make_linkage=make_linkage,
        clock=_now,
        excluded_projects=settings.excluded_projects,
        markdown_globs=settings.markdown_globs,
        choices=choices,
        make_reembedding=make_reembedding,
        home=settings.home,
    )
    return Forge(parts, scope)


def _calibrations(door: Door, settings: Settings) -> Calibrations:
    return Calibrations(door, Thresholds(settings.thresholds_high, settings.thresholds_low))


def _detecting(door: Door, intake: Intake, threshold: float) -> Follower:
    """What reads decisions and threads from what comes in."""
    from engramforge.capture.detecting import Detecting
    from engramforge.core.detection.rule_extractor import RuleExtractor

    def make_registering() -> tuple[Detected, DetectedLineage]:
        from engramforge.registries.detected.detected_entries import Detected
        from engramforge.registries.detected.detected_lineage import DetectedLineage
        from engramforge.registries.entry_changes import EntryChanges
        from engramforge.writing.revision import Revision

        changes = EntryChanges(door, intake, Revision(door, intake, _now), _now)
        return Detected(changes, intake, threshold), DetectedLineage(changes)

    return Detecting(door, RuleExtractor(), make_registering)


def _reembedding(door: Door, tenant: str, encoder: Encoders, workshop: ModelWorkshop) -> Reembedding:
    """The way from one encoder to another; images are read again from where they lie."""
    from engramforge.upkeep.reembedding import Reembedding
    from engramforge.writing.pictures import pictures_of

    def seen(memory: Memory) -> tuple[Picture, ...]:
        return pictures_of(Draft(content=memory.content, attachments=memory.attachments))

    return Reembedding(door, tenant, encoder, workshop, seen)


def choose(settings: Settings) -> tuple[dict[Space, Choice], ModelWorkshop]:
    """The encoders that the settings want, and who makes them. Raises InvalidValue."""
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
        # A space that follows another stays static where no model can serve it; one that is asked for by name may not.
        if choice.setting != ENCODER_SETTINGS[space] and not workshop.can_make(space, choice.spec):
            choices[space] = Choice(STATIC_SPEC, choice.setting)
    return choices, workshop


@contextmanager
def _closed_on_error(door: Door) -> Iterator[None]:
    """Release the store where opening it ends in an error."""
    try:
        yield
    except BaseException:
        door.close()
        raise


def open_store(settings: Settings, tenant: str, encoder: TextEncoder) -> Door:
    """The store that the settings name: at their URL, else a file in the home folder.

    A folder is made when it is missing, readable by its owner alone.
    """
    check_tenant(tenant)
    if settings.url is not None and not _is_sqlite(settings.url):
        with _psycopg_needed():
            from engramforge.store.postgres.store import open_postgres

            return open_postgres(
                settings.url, tenant, lambda: encoder.id, lock_timeout_ms=settings.busy_timeout_ms
            )
    path = _file_of(settings, tenant)
    try:
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
    return open_sqlite(path, tenant, lambda: encoder.id, settings.busy_timeout_ms)


def move_store(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    tenant: str | None = None,
    start_over: bool = False,
    progress: Progress | None = None,
) -> MoveReport:
    """Move a tenant's store to another place; see `engramforge.migrate`."""
    from engramforge.upkeep.moving import move

    settings = [read_settings(place, os.environ) for place in (source, target)]
    whose = check_tenant(tenant or settings[0].tenant)
    _check_there(settings[0], whose)
    # Moving embeds nothing: the model is not loaded.
    encoder = TextEncoder()
    with (
        closing(open_store(settings[0], whose, encoder)) as door,
        closing(open_store(settings[1], whose, encoder)) as other,
    ):
        return move(door, other, whose, start_over=start_over, progress=progress)


def _check_there(settings: Settings, tenant: str) -> None:
    """Refuse a source that is not there: opening would make it."""
    if settings.url is not None and not _is_sqlite(settings.url):
        with _psycopg_needed():
            from engramforge.store.postgres.store import holds_store
        if holds_store(settings.url, tenant):
            return
        from engramforge.store.postgres.address import place

        where = place(settings.url)
    else:
        path = _file_of(settings, tenant)
        if path.exists():
            return
        where = str(path)
    raise NotFound(
        f"There is no store of tenant {tenant!r} at {where}", "Check the place of the source, and --tenant"
    )


def locate(home_or_url: str | os.PathLike[str] | None = None, tenant: str | None = None) -> Path | str:
    """Where `open_forge` would open: a file, or a database's URL without password. Nothing is made or opened.

    Raises InvalidValue for a wrong setting.
    """
    settings = read_settings(home_or_url, os.environ)
    tenant = check_tenant(tenant or settings.tenant)
    if settings.url is not None and not _is_sqlite(settings.url):
        with _psycopg_needed():
            from engramforge.store.postgres.address import place

            return place(settings.url)
    return _file_of(settings, tenant)


def check_tenant(tenant: str) -> str:
    """The tenant's name. It has to be a plain one on every engine: a tenant may be a file, and may move."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", tenant):
        raise InvalidValue(
            f"The tenant {tenant[:100]!r} is not a usable name",
            "Use up to 64 of a-z, 0-9, - and _, a letter first",
        )
    return tenant


def store_path(home: Path, tenant: str) -> Path:
    """The file of a tenant in a folder."""
    check_tenant(tenant)
    return home / (FILE_NAME if tenant == "default" else f"{tenant}.{FILE_NAME}")


def _file_of(settings: Settings, tenant: str) -> Path:
    """The SQLite file: in the home folder, or where sqlite:///PATH says; a path is a file when it ends in .db."""
    if settings.url is None:
        return store_path(settings.home, tenant)
    path = unquote(settings.url.partition("://")[2])
    if not path.startswith("/") or path.strip("/") == "" or "?" in path or "\x00" in path:
        raise InvalidValue(
            f"The URL {settings.url!r} names no file or folder",
            "Write sqlite:///path/to/folder or sqlite:///path/to/file.db, from the root on and without options",
        )
    place = Path("/", path.lstrip("/"))
    return (
        place
        if place.is_file() or (place.suffix == ".db" and not place.is_dir())
        else store_path(place, tenant)
    )


def _is_sqlite(url: str) -> bool:
    return url.lower().startswith("sqlite://")


@contextmanager
def _psycopg_needed() -> Iterator[None]:
    """Say what to install when the PostgreSQL driver, or the libpq that it needs, is missing."""
    try:
        yield
    except ImportError as error:
        if not (error.name or str(error)).startswith(("psycopg", "no pq wrapper")):
            raise
        raise StoreUnavailable(
            "A PostgreSQL store needs the driver psycopg, which is not installed or lacks libpq",
            "Run pip install 'engramforge[postgres]'",
        ) from error


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


def _now() -> datetime:
    """The clock of the product."""
    return datetime.now(UTC)
