"""The memory that comes nearest to a question which nothing answers: told as such, and never as an answer."""

from __future__ import annotations

from collections.abc import Sequence

from engramforge.answer.oracle.cited import SAID, citation
from engramforge.core.oracle.orders import gives_orders
from engramforge.core.oracle.resonance import asked_stems
from engramforge.core.text.portions import excerpt_within
from engramforge.core.text.words import root_of, words_of
from engramforge.model.oracle import Mentioned
from engramforge.model.search.hit import Hit


def nearest(query: str, echo: Sequence[Hit], store: str) -> tuple[Mentioned, ...]:
    """Of what was looked at, the one that says most words of the question; none where none says one, nor what gives
    orders to its reader."""
    asked = asked_stems(query)
    shares = [(len(asked & set(map(root_of, words_of(each.memory.content)))), each) for each in echo]
    shares = [(share, each) for share, each in shares if share and not gives_orders(each.memory.content)]
    if not shares:
        return ()
    _, best = max(shares, key=lambda each: each[0])
    says = excerpt_within(" ".join((best.gist or best.excerpt).split()), SAID, least=1) or ""
    told = f"{says} (but now: {best.but_now})" if best.but_now else says
    cited = citation(best, store)
    return (Mentioned(cited.id, cited.project, cited.at, told, store=store),)
