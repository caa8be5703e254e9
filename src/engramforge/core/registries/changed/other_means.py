"""What another thing does as well, said before the one that is left for it: "ruff format can do that too, kill black".

A bare "kill node" mostly ends a process; beside what does the same, it leaves the thing.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engramforge.core.text.late_pattern import late

_DOES_AS_WELL: Final = late(
    r"(?i)\A\W{0,4}(?P<means>[\w+#/&-]{1,30}(?:\.[\w+#-]{1,20})?(?: (?!can\b)[\w+#/&.-]{1,30}){0,2}?) (?:can (?:also )?"
    r"(?:do|handle|cover)|(?:also )?(?:does|handles|covers)) (?:all (?:of )?)?(?:that|this|it|the same)"
    r"(?: (?:too|as well|already|anyway|by now|just fine))?\s?[,;\u2014\u2013-]\s?(?:so |and |then |let['\u2019]?s |we "
    r"|we can |we['\u2019]ll ){0,2}(?P<leaves>(?:kill|bin|dump|toss|nuke|ditch|drop|scrap|forget|retire|axe|remove)"
    r" (?!(?:the|an?|our|my|your|that|this|these|those|it|them|all|any|some|everything|me)\b)[\w@][\w.+#/@-]{0,30}"
    r"(?: [\w.+#/@-]{1,30})?(?: (?:then|please|again|completely|for good))?\W*\Z)"
)


class OtherMeans(NamedTuple):
    """What does the same as a thing, and where its sentence leaves that."""

    means: str
    behind: int


def other_means(sentence: str) -> OtherMeans | None:
    """What does the same as a thing that the words behind leave; None where they leave none.

    >>> other_means("ruff format can do that too, kill black")
    OtherMeans(means='ruff format', behind=29)
    >>> other_means("kill black"), other_means("ruff can do that too, kill the server")
    (None, None)
    """
    hit = _DOES_AS_WELL.match(sentence)
    return None if hit is None else OtherMeans(hit["means"], hit.start("leaves"))
