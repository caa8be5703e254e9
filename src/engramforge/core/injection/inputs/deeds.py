"""What a tool, or an order, is about to do, and which rules are of that deed: "never deploy on a friday" is of
`make deploy`, "never turn on the relay in tests" of writing `tests/relay_test.rs`, whatever else each names.

A rule is of a deed that its own verb calls, or with which it has two words in common, one of them of a matter. A rule
that says how a deed is done ("always squash merge") brings nothing where the deed has the option that it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from engramforge.core.detection.passages import passages
from engramforge.core.detection.traps import is_asserted
from engramforge.core.injection.inputs.beside import EVERYDAY
from engramforge.core.injection.inputs.echoes import stems_of
from engramforge.core.injection.inputs.for_good import FOR_GOOD, FORBIDS_A_THING
from engramforge.core.injection.inputs.matters import COMMON
from engramforge.core.injection.inputs.paths import parts_of
from engramforge.core.injection.starters import SCRIPT, run_by
from engramforge.core.injection.warning_words import SYSTEM, worded
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.words import is_stop_word, stem_of, stem_set, word_set, words_of

_ACTS: Final = stem_set("""
deploy release publish merge ship rollback restart reboot migrate flash provision promote failover squash rebase tag
resign reindex rollout redeploy undeploy backfill reseed
""")
"""Deeds by which commands, scripts and tasks are called; what is pushed, committed or run is known by other names."""
_READS: Final = word_set("""
cat less more head tail grep egrep fgrep rg ag ls ll find wc file stat du diff echo printf which type man tree cd pwd
sed awk jq yq vim vi nano code open touch mkdir rm mv cp chmod sort uniq
""")
_GIT_ACTS: Final = word_set("merge rebase tag")
_TRIES: Final = word_set("--help -h --version --dry-run --dryrun -n status list view diff logs show history")
"""With one of these a command does nothing that a rule is of."""
_NEAREST: Final = 2
_MOST_WORDS: Final = 12
_LONGEST_LINE: Final = 4_000
_LONGEST_RULE: Final = 300
_SHARED: Final = 2
_MOST_PAIRS: Final = 10
_WORDY: Final = re.compile(r"[\w@:./+=-]{2,60}")
_LETTERS: Final = re.compile(r"[A-Za-z]{2}")
_NEVER: Final = (
    r"(?:never(?! ?mind\b)(?: ever)?|don't ever|do not ever|must never|should never|nobody (?:may|should|must|can)"
    r"|no one (?:may|should|must|can))"
)
_UNWANTED: Final = stem_set("ever here again please pls plz anywhere")
"""What "no ... ever" has beside the thing."""
_FORBIDDEN: Final = worded(
    rf"\b(?:(?P<never>{_NEVER})|(?:don't|do not)(?: you)?) (?P<what>[^.,;:!?\n\u2013\u2014]{{3,160}})"
)
"""What a rule forbids, up to the end of its clause."""
_PRACTISED: Final = worded(
    r"\b(?:always|only ever) (?!(?:been|had|was|were|the|a|an|good|nice|fun|so|\w+ed)\b)"
    r"(?P<what>[^.;:!?\n\u2013\u2014]{3,160})"
)
"""What a rule says to be done always; with the clauses behind it."""
_OBJECT_ENDS: Final = worded(
    r"\b(?:on|in|at|to|from|before|after|without|with|while|during|until|unless|between|by|over|into|via|through"
    r"|because|since|as|if|when|directly|straight|manually|again|later|outside)\b"
)
_TAKES: Final = worded(
    r"\b(?:use|using|add|install|introduce|bring in|pull in|import|switch to|move to|go with|try|take|adopt|with|via|in"
    r"|rewrite|convert|port)\b"
)
_GIVES_UP: Final = worded(
    r"\b(?:remove|drop|delete|uninstall|replace|get rid|rip|without|instead of|off|out of|away from|no|not|don't|never"
    r"|why|stop)\b"
)
"""What an order that takes something into use has, and what one has that does not."""
_HATED: Final = worded(
    r"\b(?:i|we) (?:really |still |all |both |just )?(?:hate|detest|loathe|despise|can't stand|won't (?:use|have"
    r"|touch)) (?P<thing>[a-z][\w+-]{1,30})(?![^.!?\n]{0,80}\b(?:but|though|although|anyway|today|right now"
    r"|sometimes)\b)"
)
_ASKS_LEAVE: Final = worded(
    r"\A\W*(?:(?:ok(?:ay)?|so|and|hey|hm+)\W+)*(?:can|may|could|should|shall|is it (?:ok|okay|fine|safe) (?:if|to))"
    r" (?:i|we|just)\b|\A\W*(?:ok|okay|safe|fine) to \w"
)
_SHUNS: Final = ("please", "pls", "plz", "hate", "never", "stand")
_OPTION: Final = re.compile(r"--?([a-z][a-z-]{2,30})")
_AS_ROOT: Final = stem_set("sudo")
_OWN_WORDS: Final = stem_set("run use call start do make go test npm cargo python bash sudo")
"""What every command has."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What is about to be done. `acts`: the stems of the deeds that it is; `words`: of all words of its names, those
    of the acts too; `options`: of its options' names. `things`: the stems of what it may take into use. `least`: how
    many words of a matter it has in common with a rule that none of its acts is of. `spelled`: the words
    of these stems.
    """

    acts: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    least: int = 1
    spelled: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.acts or self.things) or len(self.words) >= _SHARED

    def asked(self) -> tuple[str, ...]:
        """By which words rules of it are looked for."""
        acts = self.acts_spelled
        told = [f"{how} {act}" for act in acts for how in ("never", "always", "dont", "nobody")]
        matters = sorted(
            self._spelled({*filter(_is_of_a_matter, self.words)} - self.acts), key=len, reverse=True
        )
        others = [each for each in self._spelled(self.words) if each not in matters]
        pairs = [
            *combinations(matters[:4], 2),
            *((one, other) for one in matters[:3] for other in others[:4]),
        ]
        shunned = [f"{word} {thing}" for thing in self._spelled(self.things)[:4] for word in _SHUNS]
        called = [*acts, *matters][:2]
        given = self._spelled({*filter(_is_of_a_matter, self.options)} - self.words)[:2]
        pairs = [*pairs[:_MOST_PAIRS], *((one, other) for one in called for other in given)]
        return (*told, *acts, *shunned, *map(" ".join, pairs))

    @property
    def acts_spelled(self) -> list[str]:
        """The words of the acts."""
        return self._spelled(self.acts)

    def _spelled(self, stems: Set[str]) -> list[str]:
        return sorted(each for each in self.spelled if stem_of(each) in stems)


def deed_of(tool: str, given: Mapping[str, Any]) -> Deed:
    """What a tool is about to do.

    >>> deed = deed_of("Bash", {"command": "gh pr merge 12 --squash"})
    >>> sorted(deed.acts), sorted(deed.words), sorted(deed.options)
    (['merg'], ['gh', 'merg', 'pr'], ['squash'])
    >>> sorted(deed_of("Write", {"file_path": "/p/tests/valve_test.py"}).words)
    ['test', 'valv']
    >>> bool(deed_of("Bash", {"command": "cat scripts/deploy.sh"}))
    False
    """
    if tool == "Bash":
        line = given.get("command")
        return _of_line(line[:_LONGEST_LINE]) if isinstance(line, str) else Deed()
    path = next(
        (path for key in ("file_path", "notebook_path") if isinstance(path := given.get(key), str)), ""
    )
    name = [part.rpartition(".")[0] or part for part in parts_of(path)[-1:]]
    spelled = frozenset(_words([*parts_of(path)[-1 - _NEAREST : -1], *name]))
    return Deed(words=frozenset(map(stem_of, spelled)), spelled=spelled)


def deed_ordered(prompt: str) -> Deed:
    """What a prompt orders, or asks leave for, by its words.

    >>> sorted(deed_ordered("can i deploy it to prod now?").acts)
    ['deploy']
    """
    if len(prompt) > _LONGEST_RULE:
        return Deed()
    spelled = frozenset(words_of(with_apostrophes(prompt.casefold())))
    words = frozenset(stem_of(each) for each in spelled if not is_stop_word(each)) - COMMON
    takes = _TAKES.search(prompt) is not None and _GIVES_UP.search(prompt) is None
    things = frozenset(filter(_is_of_a_matter, words)) if takes else frozenset()
    return Deed(acts=words & _ACTS, words=words, things=things, least=_SHARED, spelled=spelled)


def asks_leave(prompt: str) -> bool:
    """Whether a prompt asks whether something may be done.

    >>> asks_leave("can i deploy now?"), asks_leave("can you deploy?"), asks_leave("who may deploy?")
    (True, False, False)
    """
    return _ASKS_LEAVE.match(prompt) is not None


def rule_of(text: str, deed: Deed) -> str | None:
    """The first sentence of a text that is a rule of this deed; None for none.

    >>> deploys = deed_of("Bash", {"command": "./scripts/deploy-prod.sh"})
    >>> rule_of("ok. never deploy on a friday, nobody is there", deploys)
    'never deploy on a friday, nobody is there'
    >>> rule_of("we never deployed on a friday", deploys), rule_of("never deploy to staging by hand", deploys)
    (None, None)
    """
    for each in passages(text):
        plain = with_apostrophes(each.plain.replace("\u2019", "'"))
        if len(each.said) > _LONGEST_RULE or each.said.endswith("?") or not is_asserted(each.plain):
            continue
        is_for_good = FOR_GOOD.search(plain) is not None
        is_forbidden = any(
            _is_of(hit["what"], deed)
            for hit in _FORBIDDEN.finditer(plain)
            if is_for_good or (hit["never"] and _orders(hit["what"], deed))
        )
        is_shunned = bool(deed.things) and not deed.things.isdisjoint(_shunned(plain))
        if (
            is_shunned
            or is_forbidden
            or (bool(deed.words) and _is_unwanted(plain, deed))
            or any(_is_practice_of(hit["what"], deed) for hit in _PRACTISED.finditer(plain))
        ):
            return each.said
    return None


def _is_of(clause: str, deed: Deed) -> bool:
    """Whether what a rule forbids is of a deed: its verb is one of the acts, and what it is done to is meant; or both
    have two words in common."""
    stems = stems_of(clause)
    if _is_elsewhere(clause, deed):
        return False
    if _verb(clause) in deed.acts:
        behind = clause.split(maxsplit=1)[1:]
        end = _OBJECT_ENDS.search(behind[0]) if behind else None
        objects = (
            {*filter(_is_of_a_matter, stems_of(behind[0][: end.start() if end else None]))}
            if behind
            else set()
        )
        return not objects or bool(objects & deed.words)
    # An option may say what it is done to ("--crane"), beside the word that it is called by.
    named = stems & (deed.words | deed.options if stems & deed.words else deed.words)
    return len(named) >= _SHARED and len([*filter(_is_of_a_matter, named - _OWN_WORDS)]) >= deed.least


def _is_unwanted(plain: str, deed: Deed) -> bool:
    """Whether a sentence asks to do without a call that the deed is by all its words: "no sudo pip here ever"."""
    told = (hit[0].casefold().partition("no ")[2] for hit in FORBIDS_A_THING.finditer(plain))
    called = (stems_of(_OBJECT_ENDS.split(each, maxsplit=1)[0]) - _UNWANTED for each in told)
    return any(each <= deed.words and (len(each) >= _SHARED or each == _AS_ROOT) for each in called if each)


def _shunned(plain: str) -> Iterator[str]:
    """The stems of what a sentence asks to do without: "no orm pls, i hate gorm"."""
    for hit in FORBIDS_A_THING.finditer(plain):
        told = hit[0].casefold().partition("no ")[2]
        yield from stems_of(_OBJECT_ENDS.split(told, maxsplit=1)[0])
    for hit in _HATED.finditer(plain):
        yield stem_of(hit["thing"].casefold())


def _is_practice_of(clause: str, deed: Deed) -> bool:
    """Whether a rule says how an act of the deed is done always, and the deed does not show that it is done so."""
    stems = stems_of(clause)
    if not stems & deed.acts or stems & (deed.options - deed.acts) or _is_elsewhere(clause, deed):
        return False
    return _verb(clause) in deed.acts or len(stems & deed.words) >= _SHARED


def _is_elsewhere(clause: str, deed: Deed) -> bool:
    """Whether a rule is of another system than the one that the deed names."""
    meant = {hit[0].lower() for hit in SYSTEM.finditer(clause)}
    done = {hit[0].lower() for each in deed.words for hit in SYSTEM.finditer(each)}
    done -= {stem for stem in done if stem.startswith("test")}
    meant -= {word for word in meant if word.startswith("test")}
    return bool(meant and done) and not any(
        one.startswith(other) or other.startswith(one) for one in meant for other in done
    )


def _orders(clause: str, deed: Deed) -> bool:
    """Whether a clause begins with one of a deed's acts as an order has it, and tells of no one's doing."""
    first = clause.split(maxsplit=1)[0].casefold()
    return _verb(clause) in deed.acts and not first.endswith(("ed", "s", "ing"))


def _verb(clause: str) -> str:
    words = words_of(clause.casefold())
    return stem_of(words[0]) if words else ""


def _is_of_a_matter(stem: str) -> bool:
    return stem not in EVERYDAY and stem not in COMMON and stem not in _OWN_WORDS and len(stem) > _SHARED


def _of_line(line: str) -> Deed:
    acts: set[str] = set()
    spelled: set[str] = set()
    options: set[str] = set()
    optional: set[str] = set()
    for command in run_by(line):
        if not command.words or (program := command.words[0].rsplit("/", 1)[-1]) in _READS:
            continue
        if program.startswith("-"):
            # What stands behind the `--` of a wrapper may be nothing but options.
            continue
        rest = command.words[1:]
        if not _TRIES.isdisjoint(rest) or (program == "git" and _GIT_ACTS.isdisjoint(rest[:1])):
            continue
        behind = [each for each in rest if not each.startswith("-") and _is_plain(each)][:_MOST_WORDS]
        # What is no script is a module, and named by its last part: `python -m crane.stop`.
        name = program.rpartition(".")[0] if SCRIPT.search(program) else program
        begins = [*_words([name or program, *behind[:2]])]
        acts |= _ACTS.intersection(map(stem_of, begins))
        systems = (each for each in command.settings if SYSTEM.fullmatch(each))
        spelled.update(begins, _words(behind), map(str.lower, systems))
        parts = {part for each in rest if (hit := _OPTION.match(each)) for part in hit[1].split("-") if part}
        options |= set(map(stem_of, parts))
        optional |= parts
    if spelled and "sudo" in line.split():
        spelled.add("sudo")
    words = frozenset(map(stem_of, spelled))
    return Deed(frozenset(acts), words, frozenset(options), spelled=frozenset(spelled | optional))


def _is_plain(word: str) -> bool:
    return _WORDY.fullmatch(word) is not None and _LETTERS.search(word) is not None


def _words(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        for word in words_of(name):
            # An identifier counts by its parts alone.
            if not is_stop_word(word) and ("_" not in word or len(words_of(word)) == 1):
                yield word
