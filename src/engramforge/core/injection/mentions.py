"""Where a text speaks of what a tool names: of a program only where it means this command or the program as a whole.

What is known of `terraform destroy` is nothing of `terraform plan`, and what is known of `mix` is of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engramforge.core.injection.inputs.paths import mentions_of
from engramforge.core.injection.tool_names import Doing, Named
from engramforge.core.text.words import STOP_WORDS, word_set

_INSIDE: Final = frozenset("_.-")
"""What joins a word to the next, beside letters and digits."""
_BEHIND: Final = re.compile(r"[ \t]{1,3}(--?[\w][\w./-]{0,40}|[\w@+][\w.:/@+-]{0,80})")
_COMMAND: Final = re.compile(r"[a-z][a-z-]{1,20}")
_MOST_BEHIND: Final = 6
_COMMANDS: Final = frozenset({"up", "down", "get", "do"})
"""Words without a subject of their own that programs have for commands."""
_ORDINARY: Final = (
    word_set("""
today tomorrow yesterday ever never unless because since except without please anymore twice alone together always
often usually sometimes again still until outside inside against around instead directly manually locally everywhere
anywhere else version here there now yet cant dont doesnt didnt isnt wont wasnt
broke lost ate took made went got ran hung cut left put wrote drew threw fell came gave blew overwrote froze bit hurt
burnt cost forgot found held kept let meant met paid said saw sent shot shut slept spent spoke stole stuck told
commands calls migrations files scripts
""")
    | STOP_WORDS - _COMMANDS
)
_OBJECTS: Final = word_set("""
the a an our my your their its it them us me him her all every everything any anything his this that these those half
each both whatever what
""")
"""Words with which the object of a verb begins."""
_LEVELS: Final = word_set(
    "run run-script exec compose secrets state config db stack apps remote stash worktree workspace"
)
"""Commands of which only the next word says what they do."""
_WORDS_TOO: Final = word_set("""
act air black buck bat cask celery chef click convert crystal cut dart drone earthly ember expo fish flask flow fly
gradle grunt gulp hatch heat helm hub import invoke join julia just last look make man meteor mint mix more nest next
nice nomad open pack packer pants parcel play poetry puppet rake ring rush rust salt screen script serve service sort
split stack swift switch tap task time top touch turbo vault vite volta warp watch yes
""")
"""Programs whose names are words: alone they are meant only where one runs them, or in marks of code."""
_RUNS: Final = re.compile(
    r"(?i)\b(?:us(?:e|es|ed|ing)|run(?:s|ning)?|call(?:s|ed|ing)?|start(?:s|ed|ing)?|with|via|by|of|through|invok(?:e|ing)"
    r"|execut(?:e|ing)|touch(?:ing)?|trust)[ ](?:the |our |my |a )?[`'\"]?\Z"
)
_RUNS_IT: Final = re.compile(
    r"\b(?:us|run|call|start|do|invok|execut|trigger|launch)(?:e|es|ed|s|ing|ning)?[ ](?:the |our )?[`'\"]?\Z"
)
_BEFORE: Final = 24
_REMOTE: Final = re.compile(r"(?:\A|[^\w/.-])(?:origin|upstream|remote|heads)/\Z")
_LONGEST_CLUSTER: Final = 5
"""Characters of short options written as one; a longer word behind a hyphen is one option."""


def spans(text: str, name: Named) -> Iterator[tuple[int, int]]:
    """From where to where a text speaks of a name, with its options or marks of code.

    >>> plan = Named("terraform", ("plan",), is_run=True)
    >>> [list(spans(each, plan)) for each in ("terraform is slow", "careful with terraform destroy")]
    [[(0, 9)], []]
    >>> list(spans("Never `git push --force` here", Named("git push", ("push", "-f"), is_run=True)))
    [(6, 24)]
    """
    for called in name.also:
        yield from spans(text, Named(called))
    if name.path:
        for begin, end in mentions_of(text, name.path, or_file=name.doing is Doing.COMMITS):
            around = _code_around(text, begin, end)
            yield around if around[1] == end + 1 else (begin, end)
        return
    folded = _folded(text)
    head, _, command = (
        name.said.casefold().partition(" ") if name.words is not None else (name.said.casefold(), "", "")
    )
    place = folded.find(head)
    while place >= 0:
        end = place + len(head)
        is_meant = not name.is_task or _RUNS_IT.search(folded[max(place - _BEFORE, 0) : place]) is not None
        if is_meant and _is_whole(folded, place, end) and not _is_part_of_a_branch(folded, place, end, name):
            begin, last = _code_around(folded, place, end)
            if name.words is None:
                yield (begin, last) if last == end + 1 else (place, end)
            else:
                is_code = last > end and begin < place
                meant = _meant(
                    folded, place, end, last - 1 if is_code else len(folded), name, command, is_code
                )
                if meant is not None:
                    yield (begin, last) if is_code else (place, meant)
        place = folded.find(head, end)


def names_it(text: str, names: Iterable[Named]) -> bool:
    """Whether a text speaks of one of the names.

    >>> door = Named("door.py")
    >>> names_it("Keep Door.py small!", [door]), names_it("The indoor.python", [door]), names_it("door.py.bak", [door])
    (True, False, False)
    """
    return any(True for name in names for _ in spans(text, name))


def may_name(text: str, names: Iterable[Named]) -> bool:
    """Whether a text has the words of one of the names: a quick look before the sentences are read."""
    folded = text.casefold()
    return any(
        called in folded
        for name in names
        for called in (
            *(name.sought and (each.casefold().partition(" ")[2] or each.casefold() for each in name.sought)),
            name.said.casefold().partition(" ")[0],
            *name.also,
        )
    )


def _folded(text: str) -> str:
    """In lower case and of the same length."""
    folded = text.casefold()
    return folded if len(folded) == len(text) else "".join(each.lower()[:1] or each for each in text)


def _is_whole(text: str, begin: int, end: int) -> bool:
    """Whether these characters are a whole word: a full stop behind it may end a sentence."""
    if begin and (text[begin - 1].isalnum() or text[begin - 1] in _INSIDE):
        return False
    behind = text[end : end + 2]
    if behind[:1].isalnum() or behind[:1] in ("_", "-"):
        return False
    return not (behind[:1] == "." and behind[1:].isalnum())


def _is_part_of_a_branch(text: str, begin: int, end: int, name: Named) -> bool:
    """Whether these characters are only a part of a branch's name: `lyon` is none of `release/lyon`."""
    if name.doing is not Doing.PUSHES:
        return False
    before = text[max(begin - _BEFORE, 0) : begin]
    is_inside = before.endswith("/") and _REMOTE.search(before) is None
    return is_inside or (text[end : end + 1] == "/" and text[end + 1 : end + 2].isalnum())


def _code_around(text: str, begin: int, end: int) -> tuple[int, int]:
    """The marks of code around these characters; themselves where there are none."""
    line = text.rfind("\n", 0, begin) + 1
    if text.count("`", line, begin) % 2 == 0:
        return begin, end
    closes = text.find("`", end)
    return (begin, end) if closes < 0 else (text.rfind("`", line, begin), closes + 1)


def _meant(
    text: str, begin: int, end: int, most: int, name: Named, command: str, is_code: bool
) -> int | None:
    """Where a mention of a program ends, if it means this command of it or the program as a whole; else None."""
    given = [word.casefold() for word in name.words or ()]
    plain = [word for word in given if not word.startswith("-")]
    said = _tokens(text, end, most)
    words = [(word, last) for word, last in said if not word.startswith("-")]
    # "no npm publishes" is of `npm publish`.
    if command and words[:1] and words[0][0] not in (command, f"{command}s", f"{command}es"):
        return None
    if command and not words:
        return None
    is_own = bool(words) and words[0][0] in plain
    if words and not command and not is_own:
        following = words[1][0] if len(words) > 1 else ""
        if is_code or not is_ordinary(words[0][0], following):
            return None
    if not is_own and not command and not is_code and name.said in _WORDS_TOO and not _is_run(text, begin):
        return None
    reached = end
    for place, (word, last) in enumerate(said):
        if word.startswith("-"):
            if not is_given(word, given):
                return None
        elif not (place == said.index(words[0]) and (is_own or command)):
            break
        reached = last
    if name.by_option and not (is_own and is_code) and not any(word.startswith("-") for word, _ in said[:2]):
        return None
    if (
        is_own
        and len(words) > 1
        and _differs(words, plain, is_sure=is_code or words[0][0] in _LEVELS, is_listed=bool(command))
    ):
        return None
    return reached


def _tokens(text: str, place: int, most: int) -> list[tuple[str, int]]:
    """The words that follow in the same clause, each with its end."""
    found: list[tuple[str, int]] = []
    while len(found) < _MOST_BEHIND and (hit := _BEHIND.match(text, place, most)) is not None:
        word = hit[1].rstrip(".:")
        found.append((word, hit.start(1) + len(word)))
        if word != hit[1]:
            break
        place = hit.end()
    return found


def is_ordinary(word: str, following: str) -> bool:
    """Whether a word behind a program's name goes on with the sentence, and is no command of the program."""
    if word in _ORDINARY or word.isdigit() or word.endswith(("ed", "ly")):
        return True
    return word.endswith("s") and not word.endswith(("ss", "us")) and following in _OBJECTS


def _is_run(text: str, begin: int) -> bool:
    return _RUNS.search(text[max(begin - _BEFORE, 0) : begin]) is not None


def is_given(option: str, given: Sequence[str]) -> bool:
    """Whether a command line has an option, in its long form or in its short one."""
    bare = option.partition("=")[0]
    if any(word.partition("=")[0] == bare for word in given):
        return True
    if bare[1:2] != "-" and len(bare) > _LONGEST_CLUSTER:
        return False
    long = {word[2:3] for word in given if word.startswith("--")}
    short = {letter for word in given if word[:1] == "-" and word[1:2] != "-" for letter in word[1:]}
    return bare[2:3] in short if bare.startswith("--") else (short | long).issuperset(bare[1:])


def _differs(
    words: Sequence[tuple[str, int]], plain: Sequence[str], *, is_sure: bool, is_listed: bool
) -> bool:
    """Whether the next word of the command is another one than the text has. `is_sure`: whether the text's word is one
    of the command; else it may go on with the sentence."""
    place = plain.index(words[0][0]) + 1
    said = words[1][0]
    if place >= len(plain) or said in plain or said in _ORDINARY:
        return False
    if is_sure:
        return True
    return (
        not is_listed
        and not said.endswith(("s", "ed", "ly"))
        and _COMMAND.fullmatch(plain[place]) is not None
    )
