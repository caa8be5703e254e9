"""The tool of links: list, create, remove."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from engramforge.faces.arguments import LINK
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.tool import DATA_NOTICE, Actions, Answered, Tool, block
from engramforge.faces.views.link import LinkedView, LinkView, UnlinkedView, WalkedLinkView, listed_links
from engramforge.faces.views.memory import secrets_told
from engramforge.faces.views.shape import numbered
from engramforge.forge.links import LinkVerbs
from engramforge.model.fence import named

if TYPE_CHECKING:
    from engramforge.forge import Forge

_LINKS: Final = Actions(
    {"list": LinkVerbs.links, "create": LinkVerbs.link, "remove": LinkVerbs.unlink}, default="list"
)


class Links(BaseModel):
    """The answer of forge_links: links that were listed or written, or the one that was taken off the record."""

    notice: str
    links: list[WalkedLinkView | LinkView]
    written: bool | None = None
    warnings: list[str] = []
    redacted: int = 0
    unlinked: UnlinkedView | None = None


def _link(forge: Forge, asked: dict[str, Any]) -> Answered:
    action = asked.pop("action")
    found = _LINKS.do(forge, action, asked)
    if action == "remove":
        proof = UnlinkedView.of(found)
        answer = Links(notice=DATA_NOTICE, links=[], unlinked=proof)
        return answer, f"The link {named(proof.link_id)} is off the record."
    if action == "list":
        answer = Links(notice=DATA_NOTICE, links=listed_links(found))
        said = f"{numbered(len(found), 'link')} of {named(asked['id'])}."
    else:
        linked = LinkedView.of(found)
        answer = Links(
            notice=DATA_NOTICE,
            links=[linked.link],
            written=linked.written,
            warnings=linked.warnings,
            redacted=linked.redacted,
        )
        done = "Linked." if linked.written else "This link was there already; nothing was written."
        said = " ".join(
            [f"{done}{secrets_told(linked)}", *(f"Warning: {warning}." for warning in linked.warnings)]
        )
    head = f"{said} {DATA_NOTICE}" if answer.links else said
    return answer, "\n\n".join([head, *map(_block, answer.links)])


def _block(link: LinkView) -> str:
    until = f" until {link.invalid_at}" if link.invalid_at else ""
    ended = f", off the record {link.expired_at}" if link.expired_at else ""
    depth = f", depth {link.depth}" if isinstance(link, WalkedLinkView) else ""
    head = (
        f"{named(link.id)}: {named(link.source_id)} {named(link.relation)} {named(link.target_id)}, "
        f"holds from {link.valid_at}{until}{ended}, energy {link.energy:.2f}, confidence {link.confidence:.2f}{depth}"
    )
    felt = {
        "goal": link.goal,
        "mindstate": link.mindstate,
        "formation trigger": link.formation_trigger,
        "felt quality": link.felt_quality,
        "emotions": link.emotion_description,
    }
    return block(head, "\n".join(f"{name}: {text}" for name, text in felt.items() if text))


TOOLS: Final = (Tool("forge_links", descriptions.LINKS, _LINKS.with_arguments(LINK), Links, _link),)
