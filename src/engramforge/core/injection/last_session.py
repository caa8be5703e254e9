"""Where a session stopped, read from its turns: prompts that asked for something, files it touched, what was left."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from engramforge.core.injection.gate import asked_by, asks, begins_work
from engramforge.core.injection.inputs.small_talk import is_of_the_world, is_small_talk
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.words import is_identifier, is_stop_word, word_set, words_of

_NOT_TYPED: Final = re.compile(
    r"\s*(?:[/!#][a-z]|This session is being continued from a previous conversation)"
)
"""A command of the host, and the summary with which it goes on after a compaction."""
_TOUCHES: Final = re.compile(
    r"(?:Edit|MultiEdit|Write|NotebookEdit|Update)(?:: |\()(?:file_path: *)?(?P<path>[^\s;,)]{1,400})"
)
_TODOS: Final = "TodoWrite: "
_LEFT: Final = re.compile(r"(?P<what>[^;]{1,300}?) \((?:pending|in_progress)\)(?=;|\Z)")
_ANSWERS_NOTHING_WORDS: Final = """
absolutely acknowledged agreed alright bye certainly check confirmed cool copy correct course done exactly
excellent fine go good goodbye got great hello hmm lovely makes nice nope noted ok okay perfect please problem
registered right roger saved sense sorry sounds sure super thank thanks thx understood welcome wonderful works
yep yup remembered remember anyway anyways clue damn dunno eh fair guess haha hm hmm idea know lol maybe meh nah oh
true ugh whatever wow yea yeah
"""
_LEAVE_WORDS: Final = """
adios afk afternoon all back bed bedtime brb break breakfast bye calling cheers ciao continue cu cul8r cya day dinner
enough enjoy eod evening everyone farewell friday gn gn8 gotta guys head headed heading home l8r late later laters
leave leaving lot lunch monday moin morning much n8 need night nite now off out over rest run running saturday see
signing sleep soon stop stopping sunday ta talk tata thursday time tired tmr tmrw today tomorrow tonight toodles ttfn
ttyl tuesday until wednesday week weekend well work wrap wrapping ade servus tschau abend bis danke feierabend gute
guten mach morgen nacht schluss schönen schönes tschüss wochenende
"""
_ANSWERS_NOTHING: Final = frozenset((_ANSWERS_NOTHING_WORDS + _LEAVE_WORDS).split())
"""Words that take note of what was said and add nothing, and those with which people take leave."""
_TAKES_LEAVE: Final = re.compile(
    r"(?i)\W*(?:good ?night|night night|sleep well|have a (?:good|nice|great))\b"
    r"(?![^.!?\n]*\b(?:fix|check|look|run|test|push|merge|then)\b)[^.!?\n]{0,40}[.!?]?\s*\Z"
)
"""A short turn that wishes somebody well, and nothing else."""
_ENDS_THE_DAY: Final = re.compile(
    r"(?i)\W*(?:(?:ok(?:ay)?|so|well|right|alright|thx|thanks)\b\W{1,3}){0,2}"
    r"(?:that['\u2019]?s|that is|this is|let['\u2019]?s call)? ?(?:it|all|enough) for (?:today|tonight|this week|now)\b"
    r"(?![^.!?\n]*\b(?:fix|check|look|run|test|push|merge|but|next|tomorrow (?:we|i|you))\b)[^.!?:\n]{0,40}[.!?]?\s*\Z"
)
"""A short turn that ends the day, whatever calls somebody away."""
LEAVES: Final = re.compile(
    r"(?i)\b(?:good ?night|night night|gn8?|n8|good ?bye|bye|cya|ciao|cul8r|ttyl|ttfn|see (?:you|ya|u)|signing off"
    r"|(?:cu|c u|l8r)(?=\W*\Z| (?:all|later|soon|then|to(?:morrow|night)|tmrw?|on|(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day)\b)"
    r"|(?:off|going) to bed)\b"
)
"""Words with which somebody goes: a score or an hour beside them tells of no matter."""
_GOES_OFF: Final = re.compile(
    r"(?i)(?:(?:ok(?:ay)?|well|right|so|sorry)\b\W{1,3})?(?:i(?:['\u2019]?ve| have)? )?"
    r"(?:gotta|got to|have to|need to|must)"
    r" (?:go|run|leave|(?:feed|walk|fetch|milk|cook|catch|pick up|put)\b[^,.;:!?\n]{1,30})(?: now)?"
    r"[,.;!]{1,3} {0,2}(?:(?:see (?:you|ya|u)|back|talk|until|till|more) )?"
    r"(?:later|bye|cya|soon|tomorrow|brb|tonight|afk)[.!]{0,3}\s*\Z"
)
"""A short turn that says what calls somebody away, and takes leave."""
_DAY: Final = (
    r"(?:today|tomorrow|tonight|now|out(?:side)?|(?:over )?there|like|again|by the way|btw|(?:in|at) [\w-]+)"
)
_ASIDE: Final = re.compile(
    r"(?i)\W*(?:(?:hi|hey|hello|ok(?:ay)?|so|and|btw|by the way|wait|hm+|lol|claude|thx|thanks|just curious"
    r"|out of curiosity)\b\W*){0,4}(?:(?:what|how)(?:['\u2019]?s| is"
    rf"| will)? the weather(?: be)?(?: {_DAY}){{0,3}}|(?:what (?:time|day|date)|how late) is it(?: {_DAY})?"
    r"|what(?:['\u2019]?s| is) (?:the (?:time|date)|today['\u2019]?s date)|is it (?:raining|snowing|cold|hot"
    rf"|sunny|late|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?: {_DAY}| yet| already)?|(?:can|could|do) (?:you"
    r"|u) (?:actually |even |still )?(?:see|hear|watch) (?:me|us|my (?:screen|face|desktop|monitor|camera))"
    r"|are (?:you|u) (?:still |really |even )?(?:there|ok(?:ay)?|awake|alive|human|real|sentient|conscious"
    r"|an? (?:ai|bot|robot|human|person|llm|model))|how are (?:you|u)(?: doing| feeling)?(?: today)?"
    r"|how(?:['\u2019]?s| is) (?:it going|your day)|what(?:['\u2019]?s| is) up|who (?:are|made|built|trained) you"
    r"|(?:which|what) (?:model|version|llm|ai) (?:are you|is this)|what(?:['\u2019]?s| is) your name"
    r"|what can you do|do (?:you|u) (?:ever )?(?:sleep|dream|get (?:bored|tired)|have (?:feelings|a name)"
    r"|remember me|know me|like (?:me|music|cats|dogs|coffee|jokes))|(?:can you )?tell (?:me|us) (?:a"
    r"|another) joke|(?:do you )?know (?:a|any) (?:good )?jokes?|do you have (?:access to )?(?:the )?(?:internet"
    r"|web)(?: access)?|(?:(?:are|is) )?(?:the |all )?(?:tests?|build|ci|checks?|pipeline|everything)"
    r" (?:all |still )?(?:green|ok(?:ay)?|fine|passing)(?: now| again| yet)?"
    r"|did (?:you|u) (?:already )?(?:push|commit|save)(?: (?:it|that|already|yet))?)\W*\Z"
)
"""A question beside the matter: of the weather, the hour, the one who helps, and whether all is well."""
_NAMES_A_FILE: Final = re.compile(r"`[^`\n]{2,80}`|\b[\w-]{2,40}/[\w*.-]|\b[\w-]{2,40}\.[a-z]{1,5}\b")
_OF_WORK: Final = re.compile(
    r"(?i)\b(?:todo|fixme|tomorrow|next|need(?:s|ed)? to|(?:have|has|had) to|must|should|remind|let['\u2019]?s|we|our"
    r"|fix(?:ed|es)?|done|finished|merged|deployed|released|tested|works?|pass(?:es|ed)?|broken|broke|fail(?:s|ed|ing)?"
    r"|gone|crash(?:es|ed)?)\b"
)
"""What is planned, how a piece of work stands, and what a project calls its own."""
_SECRET: Final = re.compile(
    r"(?:[\w.-]{1,60}[\"']?[ \t]{0,3}[:=][ \t]{0,3})?[\"']?\[REDACTED:[\w-]{1,60}\][\"']?"
)
"""What stands in the place of a secret, with its name."""
_OF_SECRETS: Final = word_set("""
access account api cred credential credentials creds export here here's heres host key keys login new old pass
passphrase password passwords pw pwd secret secrets set test token tokens use used user username
""")
"""Words with which somebody hands over a secret."""
_LONGEST_ASIDE: Final = 100
MOST_FILES: Final = 5
MOST_LEFT: Final = 5
_READ: Final = 2_000


def asks_for_something(prompt: str) -> bool:
    """Whether a prompt is more than a command of the host or a word that steers.

    >>> [asks_for_something(each) for each in ("/compact now", "yes, commit", "Why does the lock time out?")]
    [False, False, True]
    """
    return _NOT_TYPED.match(prompt) is None and bool(asked_by(prompt))


def is_aside(prompt: str) -> bool:
    """Whether a prompt asks nothing but what is beside any matter: where a session stopped it does not tell.

    >>> [is_aside(each) for each in ("hey, what's the weather like?", "can you see my screen", "can you see the bug?")]
    [True, True, False]
    >>> [is_aside(each) for each in ("thx, tests green?", "did you push?", "are the tests of the lock green?")]
    [True, True, False]
    """
    if len(prompt) > _LONGEST_ASIDE:
        return False
    return _ASIDE.match(prompt) is not None or is_small_talk(prompt) or is_of_the_world(prompt)


def is_of_the_work(prompt: str) -> bool:
    """Whether a prompt has something done, asks, or names a file or what code names: no remark beside that.

    >>> [is_of_the_work(each) for each in ("fix the lock", "is the lock oiled?", "door.py is done")]
    [True, True, True]
    >>> [is_of_the_work(each) for each in ("wouldnt mind a new lock", "the old lock was red", "the jam is gone")]
    [False, False, True]
    """
    if asks(prompt) or begins_work(prompt) or _NAMES_A_FILE.search(prompt) or _OF_WORK.search(prompt):
        return True
    return any(is_identifier(word) and not word[0].isdigit() for word in words_of(prompt[:_READ]))


@lru_cache(maxsize=256)
def says_something(turn: str) -> bool:
    """Whether a turn is more than that somebody has heard what was said, or takes leave.

    >>> [says_something(each) for each in ("ok", "Noted.", "Got it, thanks! \U0001f44d", "Noted: the gate is open.")]
    [False, False, False, True]
    >>> [says_something(each) for each in ("Thats it for today, bed.", "See you on Monday!", "The night job fails")]
    [False, False, True]
    >>> [says_something(each) for each in ("Good night, calm seas.", "Have a nice flight!", "Bye. The pump leaks.")]
    [False, False, True]
    >>> [says_something(each) for each in ("yeah no idea. bye", "dunno, maybe later", "no idea why it fails")]
    [False, False, True]
    >>> [says_something(each) for each in ("gotta feed the cat, later", "gotta fix the lock, later")]
    [False, True]
    >>> [says_something(each) for each in ("gn8", "2:1 :) ok good night", "thats it for today, the goats wait", "2:1")]
    [False, False, False, True]
    >>> [says_something(each) for each in ("cu tomorrow", "l8r all", "the cu wire is hot")]
    [False, False, True]
    >>> [says_something(f"{each}[REDACTED:token]") for each in ("api key: ", "here are the creds ", "rotate ")]
    [False, False, True]
    """
    if _TAKES_LEAVE.match(turn) or (len(turn) <= _LONGEST_ASIDE and _goes(turn)):
        return False
    words = words_of(with_apostrophes(_SECRET.sub(" ", turn[:_READ])))
    if "[REDACTED:" in turn:
        words = [word for word in words if word not in _OF_SECRETS]
    leaves = LEAVES.search(turn) is not None
    return any(
        not is_stop_word(word) and word not in _ANSWERS_NOTHING and any(map(str.isalnum, word))
        for word in words
        if not (leaves and word.isdigit())
    )


def _goes(turn: str) -> bool:
    return _GOES_OFF.match(turn) is not None or _ENDS_THE_DAY.match(turn) is not None


def touched(tools: Iterable[str]) -> tuple[str, ...]:
    """The names of the files that requests to tools wrote to, of the newest first; at most five, each once.

    >>> touched(["Edit: /projects/atlas/door.py", "Bash: ls", "Write: /projects/atlas/gate.py", "Edit: /a/door.py"])
    ('door.py', 'gate.py')
    """
    paths = (hit["path"] for text in tools if (hit := _TOUCHES.match(text)))
    return tuple(dict.fromkeys(re.split(r"[/\\]", path)[-1] for path in paths))[:MOST_FILES]


def left_to_do(tool: str) -> tuple[str, ...] | None:
    """What a request to keep a list of tasks says not to be done; None for any other request.

    >>> left_to_do("TodoWrite: Fix the parser (completed); Add tests (pending)"), left_to_do("Bash: ls")
    (('Add tests',), None)
    """
    if not tool.startswith(_TODOS):
        return None
    return tuple(hit["what"].strip() for hit in _LEFT.finditer(tool.removeprefix(_TODOS)))[:MOST_LEFT]
