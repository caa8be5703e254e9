"""The only place where parts are wired together: settings in, a `Forge` out.

Everything heavy is imported here and not in the package, so that `import engramforge` stays light.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engramforge.core.attention import AttentionOptions
from engramforge.core.validation import check_name
from engramforge.errors import InvalidValue, StoreFull, StoreUnavailable
from engramforge.forge import Forge, ForgeParts
from engramforge.indexing.encode import TextEncoder
from engramforge.model.scope import Scope
from engramforge.recall.retrieval import Retriever
from engramforge.settings import Settings, read_settings
from engramforge.store.sqlite import FILE_NAME, SqliteStore, open_sqlite

if TYPE_CHECKING:
    from engramforge.capture.intake import Intake
    from engramforge.capture.linkage import Linkage
    from engramforge.capture.revision import Revision


def open_forge(
    home: str | os.PathLike[str] | None = None,
    *,
    tenant: str | None = None,
    agent: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Forge:
    """A `Forge` on the store of a home folder; see `engramforge.open`."""
    settings = read_settings(home, os.environ if environment is None else environment)
    scope = Scope(
        check_name(tenant or settings.tenant, "tenant"), check_name(agent or settings.agent, "agent")
    )
    encoder = TextEncoder()
    door = open_store(settings, scope.tenant, encoder)

    # Capture is imported at the first write.
    def make_intake() -> Intake:
        from engramforge.capture.intake import Intake
        from engramforge.capture.redact import Redactor

        return Intake(door, encoder, Redactor(), _now)

    def make_revision(intake: Intake) -> Revision:
        from engramforge.capture.revision import Revision

        return Revision(door, intake, _now)

    def make_linkage() -> Linkage:
        from engramforge.capture.linkage import Linkage
        from engramforge.capture.redact import Redactor

        return Linkage(door, Redactor(), _now)

    parts = ForgeParts(
        door=door,
        encoder=encoder,
        retriever=Retriever(door, encoder, _attention(settings)),
        make_intake=make_intake,
        make_revision=make_revision,
        make_linkage=make_linkage,
        clock=_now,
        excluded_projects=settings.excluded_projects,
        markdown_globs=settings.markdown_globs,
    )
    return Forge(parts, scope)


def open_store(settings: Settings, tenant: str, encoder: TextEncoder) -> SqliteStore:
    """The store of a home folder, which is made when it is missing, readable by its owner alone."""
    home = settings.home
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreFull(
                f"There is no space left for {home}", "Free some disk space, then try again"
            ) from error
        raise StoreUnavailable(
            f"The home folder {home} cannot be made ({error.strerror})",
            "Choose another with ENGRAMFORGE_HOME, or mend its permissions",
        ) from error
    return open_sqlite(store_path(home, tenant), tenant, lambda: encoder.id, settings.busy_timeout_ms)


def locate(home: str | os.PathLike[str] | None = None, tenant: str | None = None) -> Path:
    """The file that `open_forge` would open; nothing is made or opened. Raises InvalidValue for a wrong setting."""
    settings = read_settings(home, os.environ)
    return store_path(settings.home, tenant or settings.tenant)


def store_path(home: Path, tenant: str) -> Path:
    """The file of a tenant: a tenant is a file, so its name has to be a plain one."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", tenant):
        raise InvalidValue(
            f"The tenant {tenant[:100]!r} is not a usable name",
            "Use up to 64 of a-z, 0-9, - and _, a letter first",
        )
    return home / (FILE_NAME if tenant == "default" else f"{tenant}.{FILE_NAME}")


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
