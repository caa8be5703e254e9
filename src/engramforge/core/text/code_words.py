"""The words of programming: names of languages, words that only talk about code has, and words that mean the same.

The groups reflect general usage among programmers. They were written after studying where a sample of 45 development
questions failed, so their worth is measured on the other questions (docs/measurements/code.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.text.words import term_of, word_set, words_of

LANGUAGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "python": "python", "python2": "python", "python3": "python", "py": "python", "pandas": "python",
        "numpy": "python", "javascript": "javascript", "js": "javascript", "nodejs": "javascript",
        "typescript": "typescript", "ts": "typescript", "golang": "go", "rust": "rust", "java": "java",
        "cpp": "cpp", "bash": "bash", "sql": "sql", "mysql": "sql", "postgresql": "sql", "sqlite": "sql",
    }
)  # fmt: skip
"""Word that names a language, or something used only in it -> the language."""
_NAMES_ALONE: Final = frozenset(
    {"python", "python2", "python3", "javascript", "typescript", "golang", "cpp", "java"}
)
"""Names of languages. They say where to look, not for what: all code in the language matches them equally."""
_SURE: Final = word_set(
    "python2 python3 pandas numpy javascript nodejs typescript golang cpp mysql postgresql sqlite"
)
"""Names with no other meaning."""
CODE_WORDS: Final = word_set("""
" api argument arguments args array arrays ascii async asynchronous asynchronously attribute attributes bool
boolean booleans byte bytearray bytes callback char class classes column columns compile compiler constructor
csv cursor database dataframe dataframes datetime dataset debug decimal decode decorator decorators dict
dictionaries dictionary directory docstring dtype element elements encode enum env exception exceptions exec
file filename filepath files float floats folder function functions generator getter hash heap html http import
index indexes indices inherit input instance int integer integers invoke iterable iterate iterator iterators
json kwargs lambda list lists logger loop matrix method methods module modules multiprocessing multithreading
mutex namedtuple ndarray null object objects operator output overload override param parameter parameters parse
parser path pip plot pointer print queue read recursion recursive recursively refactor regex regexp repository
request row rows runtime script segfault serialize server set setter socket sort sorted split sqlalchemy stack
stderr stdin stdout str string strings struct subclass subprocess substring syntax terminal thread threads
timestamp traceback truncate tuple tuples type unicode unittest url utf utf8 uuid variable variables vector
virtualenv xml yaml
""")
"""Words of questions about code; most of them are used elsewhere too."""
_STRONG: Final = word_set("""
" ascii bytearray csv dataframe dataframes datetime docstring dtype enum filename filepath json kwargs lambda
multiprocessing multithreading mutex namedtuple ndarray regex regexp segfault sqlalchemy stderr stdin stdout
struct subclass subprocess substring tuple tuples unittest utf8 uuid virtualenv xml yaml
""")
"""Code words that are rare in ordinary talk; two of them make a question one about code."""

_GROUPS: Final = """
string strings str text char chars
integer int ints number num numeric
float double decimal number numeric
dictionary dict map hash mapping
list array sequence lst vector iterable items tuple
remove delete strip drop clear purge del rm eliminate discard erase unset
check is has validate test verify determine ensure assert
check exists exist
convert cast transform parse change turn to as coerce
get fetch retrieve obtain return find
create make generate build new init construct initialize
directory dir folder path
function method func callable fn
argument param arg parameter args kwargs
count number num len length size
compare equal same diff difference
largest max maximum highest biggest greatest
smallest min minimum lowest least
dataframe df pandas frame
numpy np ndarray array
regex re regexp pattern
average mean
print display show output write
join merge concatenate combine concat
split separate divide break tokenize
sort order
unique distinct duplicate deduplicate
random rand
file filename path
image img picture
open read load
save write dump store
calculate compute calc
iterate loop traverse walk iter
reverse invert flip
uppercase upper capitalize
lowercase lower
none null nan
time date datetime timestamp
url link uri
boolean bool true false
column col
row line
config configuration settings
database db sql
execute run call invoke
kill terminate stop
connect connection socket
thread process threading multiprocessing
plot figure graph draw
truncate round
temporary temp tmp
add append insert push
index position
character char letter
exception error raise
normalize scale
environment env
previous prev
password passwd
"""
FRAME_SHARE_OF_CODE: Final = 0.3
"""What a word that frames a question about code is worth beside the others."""
_FRAMES: Final = word_set(
    "function method code using use way example program script without snippet helper routine"
)
_BOUNDARY: Final = re.compile(r"(?i)\bc\+\+|\bc#")


@lru_cache(maxsize=1)
def concepts() -> Mapping[int, tuple[int, ...]]:
    """Term of a word -> numbers of the groups of words that mean the same in code."""
    groups: dict[int, list[int]] = {}
    for number, line in enumerate(_GROUPS.split("\n")):
        for term in dict.fromkeys(map(term_of, line.split())):
            groups.setdefault(term, []).append(number)
    return MappingProxyType({term: tuple(numbers) for term, numbers in groups.items()})


def same_concept(terms: NDArray[np.uint32], others: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which of d terms mean the same in code as each of q terms; bool, shape (q, d)."""
    known = concepts()
    places: dict[int, list[int]] = {}
    for place, term in enumerate(others.tolist()):
        for group in known.get(term, ()):
            places.setdefault(group, []).append(place)
    same = np.zeros((len(terms), len(others)), np.bool_)
    for row, term in enumerate(terms.tolist()):
        for group in known.get(term, ()):
            same[row, places.get(group, [])] = True
    return same


def language_words(text: str) -> tuple[str, ...]:
    """The words of a text that merely name a language."""
    return tuple(dict.fromkeys(word for word in words_of(text) if word in _NAMES_ALONE))


def is_language_name(word: str) -> bool:
    """Whether a word merely names a language."""
    return word in _NAMES_ALONE


def asks_about_code(text: str) -> bool:
    """Whether a question without any code in it is about code, by its words.

    It is with an unambiguous name of a language, or with two words that are rare in ordinary talk. Unless it speaks of
    people or animals, "python" is enough too, or another language's name beside a code word ("java" and "rust" are more
    than languages).
    """
    words = set(words_of(text))
    if words & _SURE or _BOUNDARY.search(text) or len(words & _STRONG) >= 2:
        return True
    if not words & set(LANGUAGES):
        return False
    if words & _TALK:
        return bool(words & _STRONG)
    return "python" in words or bool(words & CODE_WORDS)


_ASKED_FACTS: Final = frozenset({"which", "why", "who", "whom", "whose"})
_PIECES: Final = _FRAMES - {"using", "use", "way", "without"}


def asks_for_fact(text: str) -> bool:
    """Whether a question asks for something about code that no piece of it shows.

    >>> asks_for_fact("which python got removeprefix?"), asks_for_fact("which function removes a prefix?")
    (True, False)
    """
    words = set(words_of(text))
    return bool(words & _ASKED_FACTS) and not words & _PIECES


_TALK: Final = word_set("""
snake snakes pet pets zoo monty reptile reptiles bite terrarium boa animal animals feed he she his her him they
their them did we our said told island coffee trip
""")
"""Words of talk about people and animals, beside which "python" is probably not the language."""


def frame_shares(words: Iterable[str]) -> NDArray[np.float32]:
    """What each word of a question about code is worth: less where it only frames the question; shape (q,)."""
    return np.array([FRAME_SHARE_OF_CODE if word in _FRAMES else 1.0 for word in words], np.float32)
