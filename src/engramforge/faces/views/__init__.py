"""What every face shows, as plain values: the stable shapes of the CLI's `--json` and of the MCP tools' answers.

Times are ISO 8601 texts in UTC, names are the model's own. Only shapes and the way from model to shape, one file per
concern: no printing, no I/O, and nothing that belongs to one face alone. Those of the registries, archives and review
are imported from their own files: a recall does not wait for them.
"""

from engramforge.faces.views.embeddings import (
    CalibrationView,
    EmbeddingsView,
    SpaceEmbeddingView,
    view_calibration,
    view_embeddings,
)
from engramforge.faces.views.imports import (
    FaultView,
    ImportView,
    SurveyView,
    SyncedView,
    SyncSourceView,
    SyncView,
    view_import,
    view_survey,
    view_sync,
    view_sync_source,
)
from engramforge.faces.views.link import (
    LinkedView,
    LinkView,
    UnlinkedView,
    view_link,
    view_linked,
    view_unlinked,
)
from engramforge.faces.views.memory import AttachmentView, ChunkView, MemoryView, moment, view_memory
from engramforge.faces.views.recall import HitView, MatchView, RecallView, view_hit, view_recall
from engramforge.faces.views.store import (
    ForgottenView,
    ProjectView,
    StoreView,
    view_forgotten,
    view_projects,
    view_store,
)
from engramforge.faces.views.timeline import (
    ChangeView,
    DissonanceView,
    TimelineView,
    UndoneView,
    view_change,
    view_dissonance,
    view_timeline,
    view_undone,
)
from engramforge.faces.views.validation import (
    DegradedView,
    KeptView,
    SweepView,
    ValidationView,
    view_sweep,
    view_validation,
)

__all__ = [
    "AttachmentView",
    "CalibrationView",
    "ChangeView",
    "ChunkView",
    "DegradedView",
    "DissonanceView",
    "EmbeddingsView",
    "FaultView",
    "ForgottenView",
    "HitView",
    "ImportView",
    "KeptView",
    "LinkView",
    "LinkedView",
    "MatchView",
    "MemoryView",
    "ProjectView",
    "RecallView",
    "SpaceEmbeddingView",
    "StoreView",
    "SurveyView",
    "SweepView",
    "SyncSourceView",
    "SyncView",
    "SyncedView",
    "TimelineView",
    "UndoneView",
    "UnlinkedView",
    "ValidationView",
    "moment",
    "view_calibration",
    "view_change",
    "view_dissonance",
    "view_embeddings",
    "view_forgotten",
    "view_hit",
    "view_import",
    "view_link",
    "view_linked",
    "view_memory",
    "view_projects",
    "view_recall",
    "view_store",
    "view_survey",
    "view_sweep",
    "view_sync",
    "view_sync_source",
    "view_timeline",
    "view_undone",
    "view_unlinked",
    "view_validation",
]
