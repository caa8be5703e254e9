"""Verbs of relations as a whole: bring E8 and E11 up to date, and ask which links are likely."""

from __future__ import annotations

from engramforge.core.checks.link_validation import check_relation
from engramforge.errors import InvalidValue
from engramforge.forge.parts import ForgePart
from engramforge.model.entity import PredictedLink, RelationsReport
from engramforge.recall.request import whole

MOST_PREDICTED = 10_000


class Relating(ForgePart):
    """What is linked and mentioned, learned."""

    def refresh_relations(self, *, anew: bool = False) -> RelationsReport:
        """Learn from all links and mentions where memories and entities stand (E8 and E11).

        Parameters
        ----------
        anew : forget what E11 had learned and train from seeds; else it goes on from there.
        """
        return self._parts.relations.refresh(self._scope, anew)

    def predict_links(
        self,
        relation: str,
        *,
        head: str | None = None,
        tail: str | None = None,
        limit: int = 10,
        known: bool = False,
    ) -> list[PredictedLink]:
        """Which links a memory is likely to have, as of the last `refresh_relations`; best first.

        Parameters
        ----------
        relation : of the link, in upper-case words.
        head, tail : one of them: a memory by version id or logical id. `head` asks what it links to, `tail` what links
            to it.
        limit : 1 to 10,000.
        known : with links that are there already; else only new ones.

        Raises
        ------
        InvalidValue : both or neither end is given, relations were never refreshed, or no link had the relation.
        NotFound : there is no such memory.
        """
        whole(limit, "limit", 1, MOST_PREDICTED)
        if (head is None) == (tail is None):
            raise InvalidValue("A link is predicted from one of its ends", "Give head or tail, not both")
        ends = [None if end is None else self.get(end).logical_id for end in (head, tail)]
        return self._parts.relations.predict(
            self._scope, ends[0], check_relation(relation), ends[1], limit, known
        )
