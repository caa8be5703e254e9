"""One part of a decision for several purposes changed: "nema 23 for the lift and a servo for the gripper".

A complaint about what a decision has for a purpose, beside another thing for the same purpose, changes that part alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engramforge.core.registries.complaints import complaint_in
from engramforge.core.registries.named_stems import stems_in, stems_of_name
from engramforge.core.registries.such_names import of_one_kind
from engramforge.core.text.late_pattern import late

_WORD: Final = (
    r"(?!(?:for|and|or|but|in|on|at|with|to|so|because|is|are|it|that|this|we|i|there)\b)"
    r"(?>[\w+#/-]{1,30}(?:\.[\w+#-]{1,20}){0,2})"
)
_ARTICLE: Final = r"(?:(?P<article>an?|the) )?"
_PART: Final = late(
    rf"(?i)(?<![\w-]){_ARTICLE}(?P<what>(?!(?:use|take|have|put|go|run|a|an|the)\b){_WORD}(?:\s{_WORD}){{0,2}}?)"
    rf" for (?:the |our |all )?(?P<purpose>{_WORD}(?:\s{_WORD}){{0,1}}?)"
    r"(?=\W*\Z|\s*[,;:.!(]|\s(?:and|but|because|since|from|instead|now|then)\b)"
)
"""What a decision has for a purpose."""
_TAKES: Final = late(
    r"(?i)(?:\A|(?<=[,;:.!\u2014\u2013])|\b(?:so|and|then)\b)\W{0,4}(?:let['\u2019]?s|(?:we|i)(?:['\u2019]ll)?)"
    rf" (?:now |just |rather )?(?:use|take|put|go with|run|get) {_ARTICLE}(?P<what>{_WORD}(?:\s{_WORD}){{0,2}}?)"
    rf" (?:there|(?:for|in|on) (?:the |our )?(?P<purpose>{_WORD}(?:\s{_WORD}){{0,1}}?))(?: now| instead| then)?"
    r"(?=\W*\Z|\s*[,;:.!(\u2014\u2013]|\s(?:and|but|because|since)\b)"
)
"""Takes a thing for a purpose, or for what was just spoken of."""
_FROM_NOW: Final = late(
    rf"(?i)\A\W*(?:(?:ok(?:ay)?|so|and|actually)\b\W{{0,3}}){{0,2}}{_ARTICLE}(?P<what>{_WORD}(?:\s{_WORD}){{0,1}}?)"
    rf" for (?:the |our )?(?P<purpose>{_WORD}(?:\s{_WORD}){{0,1}}?) (?:from (?:now|today) on|now|instead|then)"
    r"(?=\W*\Z|\s*[,;:.!(\u2014\u2013])"
)
"""The same from now on, by its name alone."""
_CHANGES: Final = late(
    r"(?i)\A\W*(?:(?:ok(?:ay)?|so|and|actually|please|pls|now)\b\W{0,3}){0,3}(?:(?:we|let['\u2019]?s) )?(?:change"
    rf"|switch) (?:the |our |all )?(?P<thing>{_WORD}(?:\s{_WORD}){{0,1}}?) to (?:an? "
    rf"|the )?(?P<taken>{_WORD}(?:\s{_WORD}){{0,1}}?)"
    r"(?=\W*\Z|\s*[,;:.!(\u2014\u2013]|\s(?:because|since|from|please)\b)"
)
"""Makes a thing of another kind or value: "change the bushings to bronze"."""
_IS: Final = late(rf"(?i)\A (?:is|are|stays?) (?P<old>{_WORD}(?:\s{_WORD}){{0,1}}?)(?=\W*\Z|\s*[,;.(])")
_LAST: Final = late(rf"(?i)(?<![\w-])(?P<old>{_WORD}) \Z")
_TODAY: Final = late(r"(?i)\b(?:today|tonight|tomorrow|for now|this (?:week|time|once)|temporarily|until)\b")


class Changed(NamedTuple):
    """What of a decision is left, and what is taken for which purpose; "" for the purpose of what is left."""

    left: str
    article: str
    taken: str
    purpose: str


def part_changed(said: str) -> Changed | None:
    """What a sentence or two take for a purpose, beside a complaint about what is left; None where they do not.

    >>> part_changed("the nema 17 is too weak. we use a servo for the gripper")
    Changed(left='nema 17', article='a', taken='servo', purpose='gripper')
    >>> part_changed("we use a servo for the gripper") is None
    True
    """
    if "?" in said or _TODAY.search(said):
        return None
    complaint, hit = complaint_in(said), _TAKES.search(said)
    if hit is not None and complaint is not None:
        return Changed(complaint.left, hit["article"] or "", hit["what"], hit["purpose"] or "")
    named = _FROM_NOW.match(said)
    if named is None:
        return None
    return Changed("", named["article"] or "", named["what"], named["purpose"])


def with_part_changed(decisions: Sequence[str], said: str) -> tuple[int, str] | None:
    """The place of the only decision of which a sentence changes a part, and the decision with that.

    >>> decided = ("we take nema 23 for the lift and a nema 17 for the gripper",)
    >>> with_part_changed(decided, "we use a servo for the gripper, the nema 17 is too weak")
    (0, 'we take nema 23 for the lift and a servo for the gripper')
    >>> with_part_changed(decided, "we use a servo for the door, the nema 17 is too weak") is None
    True
    """
    if (changed := part_changed(said)) is None:
        return None
    found = [(at, new) for at, each in enumerate(decisions) if (new := _changed(each, changed))]
    return found[0] if len(found) == 1 else None


def changes_thing(said: str) -> bool:
    """Whether a sentence makes a thing of another kind: "change the bushings to bronze"."""
    return _CHANGES.match(said) is not None and "?" not in said and _TODAY.search(said) is None


def with_thing_changed(decisions: Sequence[str], said: str) -> tuple[int, str] | None:
    """The place of the only decision that says of what kind a thing is which a sentence changes, and the decision with
    the new kind.

    >>> with_thing_changed(("we use brass bushings",), "change the bushings to bronze, brass wears out")
    (0, 'we use bronze bushings')
    >>> with_thing_changed(("we use brass bushings",), "change the branch to bronze") is None
    True
    """
    hit = _CHANGES.match(said)
    if hit is None or not changes_thing(said):
        return None
    thing, taken, reason = hit["thing"], hit["taken"], said[hit.end() :]
    found = [(at, new) for at, each in enumerate(decisions) if (new := _of_kind(each, thing, taken, reason))]
    return found[0] if len(found) == 1 else None


def _of_kind(decision: str, thing: str, taken: str, reason: str) -> str:
    at = decision.casefold().find(thing.casefold())
    if at < 0 or not stems_in(thing) <= stems_in(decision) or decision[at - 1 : at].isalnum():
        return ""
    end = at + len(thing)
    if (told := _IS.match(decision[end:])) is not None:
        begin = end + told.start("old")
        return f"{decision[:begin]}{taken}{decision[end + told.end('old') :]}"
    before = _LAST.search(decision[:at])
    is_named = before is not None and (
        bool(stems_in(before["old"]) & stems_in(reason)) or of_one_kind(before["old"], taken)
    )
    return f"{decision[: before.start('old')]}{taken}{decision[at - 1 :]}" if before and is_named else ""


def _changed(decision: str, change: Changed) -> str:
    left, purpose = stems_of_name(change.left), stems_in(change.purpose)
    hits = [hit for hit in _PART.finditer(decision) if not stems_in(hit["what"]) <= stems_in(change.taken)]
    if left:
        hits = [hit for hit in hits if left <= stems_of_name(hit["what"])]
        # Who has a thing by its name and takes "an index" beside it has a remedy, and nothing in its place.
        hits = [hit for hit in hits if bool(hit["article"]) == bool(change.article)]
    else:
        hits = [hit for hit in hits if of_one_kind(hit["what"], change.taken)]
    hits = [hit for hit in hits if not purpose or purpose == stems_in(hit["purpose"])]
    if len(hits) != 1:
        return ""
    (hit,) = hits
    begin = hit.start("article") if hit["article"] else hit.start("what")
    article = change.article if change.article.islower() else ""
    taken = f"{article} {change.taken}".strip()
    return f"{decision[:begin]}{taken}{decision[hit.end('what') :]}"
