"""Whether a later text lifts a warning: it permits what was warned of, or says that the reason is gone.

The thing need not be named as in the warning: `label.zpl` is also "the zpl template" and "the label file".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from typing import Final

from engramforge.core.detection.passages import passages
from engramforge.core.detection.traps import is_asserted
from engramforge.core.injection.mentions import names_it
from engramforge.core.injection.tool_names import EVERYDAY_ENDINGS, Named
from engramforge.core.injection.warning_words import CHANGES, RUNS
from engramforge.core.injection.warnings import FILE_LIKE, gives_warning, read
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, word_set, words_of

_BESIDE: Final = r"(?:(?:now|again|also|just|finally|safely|freely|simply) ){0,2}"
_MAY: Final = rf"(?:can|may|might)(?! ?not\b| never\b| only\b| no longer\b) {_BESIDE}"
_PERMITS: Final = late(
    r"(?i)\b(?:(?:you|u|we|i|one|any(?:one|body)|every(?:one|body)|people)(?:"
    rf" {_MAY}|(?:'re| are|'s| is) (?:now |again )?(?:allowed|free) to {_BESIDE})"
    rf"|(?<!not )(?<!n't )(?:ok|okay|fine|safe|allowed|permitted|alright) (?:now |again )?to {_BESIDE}"
    rf"|feel free to {_BESIDE}|go ahead and {_BESIDE})(?P<act>[a-z]+)"
    rf"|\b{_MAY}be (?P<acted>[a-z]+)(?! (?:only|by)\b)"
    r"|\b(?P<ordered>[a-z]+) (?:it|them|that|this|[\w./-]{2,60}) (?:(?:as|whenever|however|all) you"
    r" (?:like|want|please|wish)\b|(?:whenever|any ?time)(?=\W*\Z))"
)
_STATES: Final = (
    r"(?:generated|forbidden|banned|prohibited|off[- ]limits|frozen|locked|protected|fragile|dangerous|sacred|taboo"
    r"|read[- ]only|managed|made|written|produced|valid|true|the case)"
)
_IS_GONE: Final = late(
    r"(?i)(?:\b(?:is|are)|'s|'re) (?:all )?(?:(?:ours|mine|yours|hand-?written|free|safe|fine|ok|okay|harmless) "
    r"(?:now|again|from now on)\b|now (?:ours|mine|yours|hand-?written|free|safe|fine|ok|okay|harmless)\b)"
    rf"|\bno longer {_STATES}\b|(?:\bnot|n't) {_STATES}\b[^.!?\n]{{0,40}}\bany ?more\b"
    r"|\b(?:ban|freeze|warning|rule|lock|restriction|embargo)\b[^.!?\n]{0,30}\b(?:lifted|over|gone|off now)\b"
)
_THINGS: Final = word_set("""
code config configuration dump file files fixture image job list module page program schema script settings sheet stub
table template test tests
""")
"""What people call a file beside a word of its name."""
_PART: Final = re.compile(r"[a-z]{3,}")
_WORDS_BEHIND: Final = 2

Parts = tuple[str, ...]


def callings(names: Iterable[Named]) -> tuple[Parts, ...]:
    """By which words people speak of files: those of the name before its ending, and an ending that few files have.

    >>> callings([Named("label_small.zpl"), Named("src/seed.py"), Named("git push", ())])
    (('label', 'small'), ('zpl',), ('seed',))
    """
    found: dict[Parts, None] = {}
    for name in names:
        head, dot, ending = name.said.casefold().rpartition("/")[2].rpartition(".")
        if name.words is not None or not dot:
            continue
        if parts := tuple(_PART.findall(head)):
            found[parts] = None
        if ending not in EVERYDAY_ENDINGS and _PART.fullmatch(ending):
            found[(ending,)] = None
    return tuple(found)


def lifts(text: str, warning: str, names: Sequence[Named]) -> bool:
    """Whether a later text lifts a warning of one of these names.

    >>> names, warning = [Named("label.zpl")], "Never edit label.zpl by hand, it's generated."
    >>> lifts("The zpl template is ours now, you can edit it by hand.", warning, names)
    True
    >>> lifts("You can edit the label template now.", warning, names)
    True
    >>> lifts("You can print the label file now.", warning, names), lifts("Can we edit label.zpl?", warning, names)
    (False, False)
    """
    whole = read(text)
    if not (_IS_GONE.search(whole) or _PERMITS.search(whole)):
        return False
    warned = acts_in(warning)
    is_before = False
    for passage in passages(text):
        plain = read(passage.plain)
        is_named = _speaks_of(passage.said, names)
        is_meant = is_named or (is_before and not FILE_LIKE.search(passage.said))
        is_before = is_meant
        if not is_meant or not is_asserted(passage.plain) or gives_warning(passage.said, names):
            continue
        if _IS_GONE.search(plain):
            return True
        permitted = acts_in(" ".join(act for hit in _PERMITS.finditer(plain) for act in hit.groups() if act))
        if permitted and permitted >= warned:
            return True
    return False


def acts_in(text: str) -> Set[str]:
    """What a text speaks of doing to a thing, "change" and "run".

    >>> sorted(acts_in("Never edit or run it")), sorted(acts_in("hands off"))
    (['change', 'run'], [])
    """
    return {name for name, act in (("change", CHANGES), ("run", RUNS)) if act.search(text)}


def _speaks_of(said: str, names: Sequence[Named]) -> bool:
    if names_it(said, names):
        return True
    if FILE_LIKE.search(said):
        return False
    words = words_of(said.casefold())
    stems = [stem_of(word) for word in words]
    for parts in callings(names):
        asked = [stem_of(part) for part in parts]
        if not set(asked) <= set(stems):
            continue
        if any(name.said.casefold().endswith(f".{parts[-1]}") for name in names):
            return True
        last = max(place for place, stem in enumerate(stems) if stem in asked)
        if not _THINGS.isdisjoint(words[last + 1 : last + 1 + _WORDS_BEHIND]):
            return True
    return False
