"""What a text warns of: the sentence that warns of a thing, with those that it leans on.

A wording that warns by itself counts in any sentence that names the thing; one that warns only of what stands at its
place ("no ... here", "... killed the branch") is looked for with a mark in the place of the name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from engramforge.core.detection.passages import Passage, blotted, passages
from engramforge.core.detection.traps import is_asserted
from engramforge.core.injection.inputs.for_good import (
    FOR_GOOD,
    FORBIDS_A_DEED,
    FORBIDS_A_THING,
    FORBIDS_AT_ALL,
    LEAVES_ALONE,
    NAMES_A_THING,
)
from engramforge.core.injection.mentions import is_given, is_ordinary, may_name, spans
from engramforge.core.injection.starters import SCRIPT
from engramforge.core.injection.tool_names import Doing, Named
from engramforge.core.injection.warning_words import (
    ALLOWED_WAY,
    AT_ITS_PLACE,
    BY_FORCE,
    CHANGES,
    FORCED,
    GOES_ON,
    LEANS,
    LEANS_ON_NOTHING,
    NOT_THERE_ALONE,
    NOT_WARNED,
    OBEYED,
    OF_A_PLACE,
    OF_A_RUN,
    OF_CALLING,
    OF_CHANGING,
    OF_COMMITTING,
    OF_ITSELF,
    OF_PUSHING,
    OF_RUNNING,
    OPTIONS_MEANT,
    ORDERS_INSTEAD,
    OTHER,
    OTHERWISE,
    PLACE_MEANT,
    REFERS_BACK,
    RUN,
    RUNS,
    SYSTEM,
    TARGET_MEANT,
    TOLD_TO_RUN,
    WORD_MEANT,
)
from engramforge.core.text.late_pattern import late
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.words import word_set

LONGEST_WARNING: Final = 400
"""Characters of a sentence, and of all that are shown; longer ones are pasted or listed."""
_LONGEST_TOLD: Final = 200
"""Characters of a warning that is told before anything names its thing."""
_READ: Final = 2_000
_MOST_BEFORE: Final = 3
_MOST_BEHIND: Final = 2
_FEWEST: Final = 2
_TARGETED: Final = word_set(
    "kubectl oc helm terraform tofu terragrunt pulumi aws gcloud az ansible ansible-playbook flyctl cdk"
)
"""Programs that change one of several systems, named by an option."""
_NAMES_TARGET: Final = word_set("""
-n --namespace --context --kube-context --kubeconfig --cluster --workspace --profile --env --environment -e -i
--inventory --project --subscription --stack -var-file --var-file -chdir --values -f select
""")
"""Options, and the command `workspace select`, before the name of such a system."""
_FORBIDS: Final = (
    (Doing.ADDS, OF_A_PLACE),
    (Doing.CALLS, OF_CALLING),
    (Doing.CHANGES, OF_A_PLACE),
    (Doing.COMMITS, OF_COMMITTING),
    (Doing.PUSHES, OF_PUSHING),
)
_FORBIDDING: Final = (FORBIDS_A_DEED, FORBIDS_A_THING, LEAVES_ALONE)
_ALLOWS_ADDING: Final = late(r"(?i)\b(?:append|insert)[- ]only\b")
"""Forbids to change the rows that a table has, and not to add to them."""
_PART_OF_NAME: Final = late(r"[a-z0-9]+")
_SHORTEST_PART: Final = 2
HOST: Final = late(r"(?:[\w.-]{1,40}@)?[A-Za-z][\w.-]{1,60}:(?!//)")
FILE_LIKE: Final = late(r"[\w-]{2,40}\.[a-z]{1,5}\b")


def warning_in(text: str, names: Sequence[Named]) -> str | None:
    """The first sentence that warns of one of these names, or says what was decided of it, behind those that it leans
    on; None for none.

    A warning elsewhere in the text is of something else, and a question is none.

    >>> schema = [Named("schema.sql")]
    >>> warning_in("We read schema.sql together. Never edit schema.sql by hand.", schema)
    'Never edit schema.sql by hand.'
    >>> warning_in("Never mind. Where is schema.sql? We don't have a schema.sql.", schema)
    >>> warning_in("It is in feet! Dont mix that up in schema.sql.", schema)
    'It is in feet! Dont mix that up in schema.sql.'
    >>> warning_in("Careful with schema.sql, it ran in the hall. Dont edit it, write a new one. It rains.", schema)
    'Careful with schema.sql, it ran in the hall. Dont edit it, write a new one.'
    """
    if not may_name(text, names):
        return None
    before: list[Passage] = []
    places = [each for each in names if each.is_place]
    names = [each for each in names if not each.is_place]
    all_of_it = list(passages(text))
    for place, each in enumerate(all_of_it):
        if len(each.said) > LONGEST_WARNING or each.said.endswith("?"):
            before = []
            continue
        after = all_of_it[place : place + 1 + _MOST_BEHIND]
        if _is_of_a_place(each.said, places):
            return _with_what_it_orders(each.said, after)
        marked = _marked(each.said, names)
        if marked is not None and _has_cue(read(blotted(marked))) and not is_of_another_use(each.said, names):
            return _with_what_it_orders(_behind_what_it_leans_on(each, marked, before), after)
        if marked is None and before and _refers_back(each, before[-1], names):
            return _with_what_it_orders(f"{before[-1].said} {each.said}", after)
        before = [*before[1 - _MOST_BEFORE :], each]
    return None


def is_of_another_use(said: str, names: Sequence[Named]) -> bool:
    """Whether a sentence speaks of running a script where it is changed, or of changing it where it is run; or of a
    program with an option, a word or a target that the call has not.

    >>> is_of_another_use("Never run seed.py on the live db", [Named("seed.py")])
    True
    >>> is_of_another_use("Never edit or run seed.py", [Named("seed.py")])
    False
    >>> is_of_another_use("never tar with --remove-files", [Named("tar", ("-cf", "a.tar"), is_run=True)])
    True
    """
    meant = [name for name in names if any(True for _ in spans(said, name))]
    if all(name.is_place for name in meant):
        return bool(meant) and not _is_of_a_place(said, meant)
    meant = [name for name in meant if not name.is_place]
    if _is_of_a_place(said, names):
        return False
    if meant and all(name.is_run and _is_called_otherwise(said, name, names) for name in meant):
        return True
    if meant and all(name.is_run for name in meant) and _is_the_allowed_way(said, meant):
        return True
    if not meant or not all(SCRIPT.search(name.said) for name in meant):
        return False
    marked = read(blotted(_marked(said, meant) or ""))
    if meant[0].is_run:
        return OF_CHANGING.search(marked) is not None and RUNS.search(marked) is None
    return OF_RUNNING.search(marked) is not None and CHANGES.search(marked) is None


def _is_of_a_place(said: str, names: Sequence[Named]) -> bool:
    """Whether a sentence forbids what is done in a folder or table, or to a branch or host, of these names."""
    for doing, forbids in _FORBIDS:
        marked = _marked(said, [each for each in names if each.is_place and each.doing is doing])
        if marked is None or (doing is Doing.ADDS and _ALLOWS_ADDING.search(said)):
            continue
        if (hit := forbids.search(read(marked))) is None:
            continue
        if doing is Doing.PUSHES and _is_of_forcing(hit):
            # It forbids to force a push, and no other.
            forced = _marked(said, [each for each in names if each.doing is doing and each.given])
            hit = None if forced is None else forbids.search(read(forced))
        if hit is not None:
            return True
    return False


def _is_of_forcing(hit: re.Match[str]) -> bool:
    """Whether what forbids a push forbids it by force alone: "no force pushes", "no pushes with --force"."""
    return FORCED.search(hit[0]) is not None or BY_FORCE.match(hit.string, hit.end()) is not None


def _is_the_allowed_way(said: str, names: Sequence[Named]) -> bool:
    """Whether a sentence names these only as the way in which a forbidden thing is to be done."""
    marked = read(_marked(said, names) or "")
    way = ALLOWED_WAY.search(marked)
    return way is not None and marked.count(RUN) == 1


def _is_called_otherwise(said: str, name: Named, names: Sequence[Named]) -> bool:
    """Whether each mention of a program is with an option, a word or a target that this call of it has not."""
    given = name.words or name.given
    # A system may be chosen by a call before this one: `terraform workspace select dev`.
    program = name.said.partition(" ")[0]
    called = next((each.words for each in names if each.said == program and each.words), given)
    systems = [*(_systems(called) if program in _TARGETED else ()), *_set_to(name)]
    systems += [each for each in given if name.is_task and SYSTEM.search(each)]
    return all(_lacks(said, begin, end, name, systems) for begin, end in spans(said, name))


def _lacks(said: str, begin: int, end: int, name: Named, systems: Sequence[str]) -> bool:
    given = name.words or name.given
    marked = read(f"{said[:begin]}{RUN}{said[end:]}")
    if (told := OBEYED.search(marked)) is not None:
        return _has_options(told, given)
    if (options := OPTIONS_MEANT.search(marked)) is not None:
        listed = next(filter(None, options.groups())).replace("`", " ").split()
        return not any(is_given(each.strip(",;:.'\""), given) for each in listed if each[0] == "-")
    plain = [each for each in given if not each.startswith("-")]
    if name.words is None and (word := WORD_MEANT.search(marked)) is not None:
        asked = (word["word"] or word["code"]).lower()
        is_word = bool(plain) and (word["code"] is not None or not is_ordinary(asked, ""))
        if is_word:
            return asked not in map(str.lower, plain)
    if (place := PLACE_MEANT.search(marked)) is not None and not NOT_THERE_ALONE.search(marked):
        meant = next(filter(None, place.groups()))
        return bool(systems) and not any(_is_system(meant, each) for each in systems)
    if (target := TARGET_MEANT.search(marked)) is None:
        return False
    where = _targets(name, plain)
    asked = target["target"].lower().strip("/`*")
    if name.said == "git push":
        return bool(where) and not any(_is_branch(asked, each.lower()) for each in where)
    return bool(where) and not any(asked in each.lower() for each in where)


def _is_branch(asked: str, branch: str) -> bool:
    """Whether a branch is the one of a name, or below or behind it: `main` is not `maintenance`."""
    return f"/{asked}/" in f"/{branch}/"


def _has_options(told: re.Match[str], given: Sequence[str]) -> bool:
    """Whether a call has the options that it is told to have: one of them, or all that are told with "and"."""
    said = next(filter(None, told.groups()))
    listed = [each.strip(",;:.'\"`") for each in said.split() if each.lstrip("'\"`")[:1] == "-"]
    has = [is_given(each, given) for each in listed]
    return all(has) if " and " in said else any(has)


def _systems(given: Sequence[str]) -> Sequence[str]:
    """Which systems calls say that they are for: the context, the namespace, the workspace."""
    joined = [each.partition("=") for each in given]
    told = [value for option, mark, value in joined if mark and option in _NAMES_TARGET]
    return [*told, *(after for each, after in pairwise(given) if each in _NAMES_TARGET)]


def _set_to(name: Named) -> Sequence[str]:
    """Which systems the variables name with which something is run."""
    return [each for each in name.settings if SYSTEM.search(each)]


def _is_system(meant: str, told: str) -> bool:
    """Whether a name is of a system, by any part of it: "production" is "prod-eu"."""
    name = meant.lower()
    parts = [each for each in _PART_OF_NAME.findall(told.lower()) if len(each) > _SHORTEST_PART]
    return name == told.lower() or any(name.startswith(each) or each.startswith(name) for each in parts)


def _targets(name: Named, plain: Sequence[str]) -> Sequence[str]:
    """Where a call goes by its own words: the branch that is pushed to, the host that is copied to."""
    if name.said == "git push":
        return [*plain[1:2], *(each.rpartition(":")[2] for each in plain[2:])] if len(plain) > _FEWEST else ()
    return plain if any(HOST.match(each) for each in plain) else ()


def gives_warning(said: str, names: Sequence[Named]) -> bool:
    """Whether a sentence has a wording that warns, of one of these names or of what it does not name."""
    return _has_cue(read(blotted(_marked(said, names) or said)))


def standing_warning(text: str) -> str | None:
    """The first sentence of a text that warns for good of a thing that it names; None for none.

    >>> standing_warning("ok. never run `seed.py` on the live box"), standing_warning("don't commit yet")
    ('never run `seed.py` on the live box', None)
    """
    if FOR_GOOD.search(read(text[:_READ])) is None:
        return None
    all_of_it = list(passages(text[:_READ]))
    for place, each in enumerate(all_of_it):
        said = each.said
        if len(said) > _LONGEST_TOLD or said.endswith("?") or not is_asserted(each.plain):
            continue
        plain = read(each.plain)
        if not FOR_GOOD.search(plain):
            continue
        if not (FORBIDS_AT_ALL.search(plain) or NAMES_A_THING.search(read(said))):
            continue
        if gives_warning(said, ()) or any(each.search(plain) for each in _FORBIDDING):
            return _with_what_it_orders(said, all_of_it[place : place + 1 + _MOST_BEHIND], _LONGEST_TOLD)
    return None


def holds_for_good(said: str) -> bool:
    """Whether a sentence that warns does so for longer than the moment.

    >>> holds_for_good("never run `seed.py` here"), holds_for_good("don't run seed.py yet")
    (True, False)
    """
    return FOR_GOOD.search(read(said)) is not None


def forbids(said: str, names: Sequence[Named]) -> bool:
    """Whether what was decided forbids something of these names.

    >>> pushed = [Named("git push", ("push", "-f"), is_run=True, also=("force pushes",))]
    >>> forbids("no force pushes", pushed), forbids("we decided on `git push -f`", pushed)
    (True, False)
    """
    if holds_for_good(said) or _is_of_a_place(said, names):
        return True
    marked = read(_marked(said, names) or "")
    return any(cue.search(marked) for cue in AT_ITS_PLACE)


def files_in(said: str) -> tuple[Named, ...]:
    """The files that a sentence names.

    >>> [each.said for each in files_in("hands off lib/sheet.ex and `tag.zpl`.")]
    ['sheet.ex', 'tag.zpl']
    """
    return tuple(Named(hit[0]) for hit in FILE_LIKE.finditer(said))


def _behind_what_it_leans_on(passage: Passage, marked: str, before: Sequence[Passage]) -> str:
    """A sentence behind those before it of which it speaks as "that"; each of them may lean on one more."""
    told = [passage.said]
    leans = _leans(marked.partition(RUN)[0].partition(OTHER)[0] + OTHER)
    room = LONGEST_WARNING - len(passage.said)
    for each in reversed(before):
        room -= len(each.said) + 1
        if not leans or room < 0 or (each.is_item and passage.is_item) or each.heading != passage.heading:
            break
        told.insert(0, each.said)
        leans = _leans(each.plain) or GOES_ON.search(each.plain) is not None
    return " ".join(told)


def _with_what_it_orders(said: str, passages_: Sequence[Passage], most: int = LONGEST_WARNING) -> str:
    """A warning with the sentences right behind its own, the first of these, that say what is to be done or not."""
    for before, each in pairwise(passages_):
        is_apart = (before.is_item and each.is_item) or before.heading != each.heading
        if is_apart or len(said) + 1 + len(each.said) > most or each.said.endswith("?"):
            break
        plain = read(each.plain)
        if REFERS_BACK.search(plain) is None and ORDERS_INSTEAD.search(plain) is None:
            break
        if FILE_LIKE.search(each.said) and ORDERS_INSTEAD.search(plain) is None:
            break
        said = f"{said} {each.said}"
    return said


def _leans(said: str) -> bool:
    return LEANS.search(LEANS_ON_NOTHING.sub(" ", read(said))) is not None


def read(said: str) -> str:
    """A sentence as the patterns have it: with its apostrophes."""
    return with_apostrophes(said.replace("\u2019", "'"))


def _refers_back(passage: Passage, before: Passage, names: Sequence[Named]) -> bool:
    """Whether a sentence warns of what it calls "it", and the sentence before it names the thing, and it alone."""
    if REFERS_BACK.search(read(passage.plain)) is None or FILE_LIKE.search(passage.said):
        return False
    if (before.is_item and passage.is_item) or before.heading != passage.heading:
        return False
    marked = _marked(before.said, names)
    return marked is not None and FILE_LIKE.search(marked) is None


def _has_cue(marked: str) -> bool:
    marked = NOT_WARNED.sub(" ", marked)
    if any(cue.search(marked) for cue in (*OF_ITSELF, *AT_ITS_PLACE, *OF_A_RUN)):
        return True
    return OTHERWISE.search(marked) is not None and TOLD_TO_RUN.search(marked) is None


def _marked(said: str, names: Sequence[Named]) -> str | None:
    """A sentence with a mark in the place of each name; None where it has none of them."""
    found = sorted({(*span, name.is_run) for name in names for span in spans(said, name)})
    if not found:
        return None
    pieces: list[str] = []
    place = 0
    for begin, end, is_run in found:
        while begin > place and (said[begin - 1].isalnum() or said[begin - 1] in "/._~@-"):
            begin -= 1  # the folders of a file
        if begin >= place:
            pieces += (said[place:begin], RUN if is_run else OTHER)
        place = max(place, end)
    return "".join((*pieces, said[place:]))
