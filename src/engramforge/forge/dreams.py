"""Verbs of dreams, as `forge.dreams`."""

from __future__ import annotations

from engramforge.forge.scoped import ScopedVerbs, checked_id
from engramforge.model.timeline import Undone
from engramforge.model.topics.dream import DreamReport


class DreamVerbs(ScopedVerbs):
    """Projects are tidied up. A daemon does it by itself when activity is spread over all topics and nobody is at work;
    `run` does it now."""

    def run(self, project: str | None = None, *, dry_run: bool = False) -> list[DreamReport]:
        """Dream of a project, or of each: cluster its topics anew, merge what says the same, let energy fall that
        nobody uses, make patterns of what keeps recurring. Everybody's memories take part.

        What is merged away is still found by its id, and a forget of one of the merged takes all of them. One that was
        interrupted goes on. `dry_run`: write nothing, and tell what would be done beside the clustering.

        Raises NotFound: there is no such project.
        """
        self._within(project)
        return self._stages.dreaming.run(self._scope, project, is_dry=dry_run)

    def past(self, project: str | None = None) -> list[DreamReport]:
        """The last dreams, up to five of a project, the newest first; one without an end goes on.

        Raises NotFound: there is no such project.
        """
        self._within(project)
        return self._stages.dreaming.past(self._scope, project)

    def undo(self, dream_id: str = "last", *, project: str | None = None, confirmed: bool = False) -> Undone:
        """Take back all that a dream did, except what was changed since. `forge.undo` puts it back, but for topics.

        `dream_id`: its id, a unique beginning of it, or `last`. `project`: of its dreams. `confirmed`: go ahead where
        more than 20 records, links and energies are touched.

        Raises NotFound: there is no such dream that stands; NotConfirmed; Conflict: it was changed meanwhile.
        """
        from engramforge.registries.detected.consequences import became

        self._within(project)
        asked = checked_id(dream_id).strip().lower()
        return became(self._stages.dreaming.undo(self._scope, asked, project, confirmed))
