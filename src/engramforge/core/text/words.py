"""The analysis of text: text -> lower-cased words -> stems -> terms (32-bit hashes of stems).

One analysis serves every side: what a memory is indexed under is what a query asks for. It depends on nothing
but the text, so a store's terms stay valid for ever; a change of the rules here is a new version of the
analysis (`ANALYSIS`).

Rules
-----
- Text is compared in Unicode's NFKC form and case-folded.
- A possessive or clitic ending is cut off (`Anna's` -> `anna`); contractions that are stop words stay whole
  (`don't`); a single letter before an apostrophe or hyphen is joined to what follows, which also counts by
  itself (`O'Brien` -> `obrien`, `brien`; `e-mail` -> `email`, `mail`); other hyphens separate words.
- Identifiers count whole and by their parts (`parseHTTPHeader`, `snake_case`).
- Numbers are kept; a comma between thousands is dropped, a decimal point or version stays (`1,200` -> `1200`,
  `3.11`).
- Runs of scripts written without spaces (Han, kana, Thai, Lao, Burmese, Khmer) become their characters and
  their overlapping pairs; a combining mark stays with its letter.
- A digest (7 to 64 hexadecimal digits, letters among them) is one with its first seven digits.
- An emoji is a word; its skin tone and variation are dropped, joined sequences fall into their members.
- What nobody sees within a word of Latin, Greek, Cyrillic or Hebrew letters is dropped: a soft hyphen, signs of no
  width, tags. (Not of another version: a text that was indexed before is found as well as it was.)
- A word is cut to its first 128 characters.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

import Stemmer

ANALYSIS: Final = "words-1"
"""Name and version of these rules: part of every encoder's id that depends on them."""
LONGEST_WORD: Final = 128
"""Characters of a word that count."""
_CACHED_PIECE: Final = 64
_KEPT_WORDS: Final = 16_384
"""Words whose reading is kept, some 300 bytes each."""

_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U000323af"
)
# Letters' marks, which the class \w leaves out: without them Hindi or vocalised Arabic falls apart.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0900-\u0963\u0966-\u0df3\u0f18-\u0fbc"
)
_EMOJI: Final = "\u231a-\u23ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
_IN_WORDS: Final = "0-9A-Za-z\u00aa-\u05ff\u1e00-\u1fff\ufb00-\ufb4f"
_UNSEEN: Final = re.compile(
    # In Persian, Indic scripts and emoji a joiner is a letter's own.
    rf"(?<=[{_IN_WORDS}])[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    rf"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]{{1,64}}"
    rf"(?=[{_IN_WORDS}])"
)
# Every repetition that may be retried from its middle is bounded, so that no text takes quadratic time.
_PIECE: Final = re.compile(
    rf"\d{{1,3}}(?:,\d{{3}}){{1,6}}(?![\w,])|\d++(?:\.\d++){{1,6}}(?!\w)|[{_UNSPACED}]+"
    rf"|\b[^\W\d_]-(?=[^\W\d_{_UNSPACED}]{{2}})[^\W_{_UNSPACED}]+(?:'[^\W\d_]+)?"
    rf"|(?:[^\W{_UNSPACED}]|[{_MARKS}])+(?:'[^\W\d_{_UNSPACED}]+){{0,3}}|[\U0001f1e6-\U0001f1ff]{{2}}|[{_EMOJI}]"
)
_ASCII_PIECE: Final = re.compile(
    r"[A-Za-z_][A-Za-z0-9_]++(?:'[A-Za-z]+){0,3}|[0-9]{1,3}(?:,[0-9]{3}){1,6}(?![A-Za-z0-9_,])"
    r"|[0-9]++(?:\.[0-9]++){1,6}(?![A-Za-z0-9_])|\b[A-Za-z]-(?=[A-Za-z]{2})[A-Za-z0-9]+(?:'[A-Za-z]+)?"
    r"|[A-Za-z0-9_]+(?:'[A-Za-z]+){0,3}"
)
"""The same for a text in ASCII, which most are: the commonest words first."""
_UNSPACED_PIECE: Final = re.compile(rf"[{_UNSPACED}]")
_PART: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_DIGEST: Final = re.compile(r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,64}")
_SHORT_DIGEST: Final = 7
_QUOTES: Final = str.maketrans(
    {"\u2019": "'", "\u02bc": "'", "\u2018": "'", "\u00b4": "'", "\uff07": "'", "\u2010": "-", "\u2011": "-"}
)
_CLITICS: Final = frozenset({"s", "d", "ll", "re", "ve", "m", "t"})
_STEMMER: Final = Stemmer.Stemmer("english", 0)

_STOP_WORDS: Final = """
a about above after again against ain ain't all also am an and any are aren't as at be because been before
being below between both but by can can't cannot could couldn't could've d did didn't do does doesn't doing
don don't down during each else ever few for from further gonna gotta get gets getting got had hadn't has
hasn't have haven't having he he'd he'll he's hello her here here's hers herself hey hi him himself his how
how's i i'd i'll i'm i've if in into is isn't it it'd it'll it's its itself just let let's ll m many may me
might more most much must mustn't my myself needn't no nor not of off oh ok okay on once only onto or other
our ours ourselves out over own per quite rather re s same shall shan't she she'd she'll she's should
should've shouldn't so some such t than that that'd that'll that's the their theirs them themselves then
there there'd there'll there's these they they'd they'll they're they've this those though through thus to
too um uh uhm under until up upon us ve very via wanna was wasn't we we'd we'll we're we've well were
weren't what what'd what'll what're what's when when's where where'd where's whether which while who who'd
who'll who's whom whose why why's will with within without won't would would've wouldn't y y'all yeah yep
yes yet you you'd you'll you're you've your yours yourself yourselves
"""
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
"""Words that carry no subject of their own: pronouns, articles, auxiliaries, fillers."""


def without_unseen(text: str) -> str:
    """A text without what nobody sees within its words (see the module's rules)."""
    return text if text.isascii() else _UNSEEN.sub("", text)


def words_of(text: str) -> list[str]:
    """The words of a text in order (see the module's rules); empty when it holds none.

    >>> words_of("the gua\u00adrd of Bru\u200btus")
    ['the', 'guard', 'of', 'brutus']

    Words are never empty, hold no white space, and are in NFKC form, so they can be looked up as they are.
    """
    is_plain = text.isascii()
    if not is_plain:
        text = unicodedata.normalize("NFKC", without_unseen(text)).translate(_QUOTES)
    pieces = (_ASCII_PIECE if is_plain else _PIECE).findall(text)
    if len(max(pieces, key=len, default="")) <= _CACHED_PIECE:
        return list(chain.from_iterable(map(_words_of_short_piece, pieces)))
    return list(chain.from_iterable(map(_words_of_piece, pieces)))


def _words_of_piece(piece: str) -> tuple[str, ...]:
    if piece.isascii() and piece.isalpha() and (piece.islower() or piece.istitle() or piece.isupper()):
        return (piece.lower()[:LONGEST_WORD],)
    if piece[0].isdigit() and not piece.isalnum() and "_" not in piece and "'" not in piece:
        return (piece.replace(",", "")[:LONGEST_WORD],)
    if _UNSPACED_PIECE.match(piece):
        return _words_of_unspaced(piece)
    if "'" in piece:
        return _words_of_apostrophes(piece)
    if piece[1:2] == "-":
        return _joined(piece[0], piece[2:])
    return _words_of_identifier(piece)


_words_of_short_piece = lru_cache(maxsize=_KEPT_WORDS)(_words_of_piece)


def _folded(piece: str) -> str:
    """Case-folded, in NFKC form, cut to the longest word, without a stray mark at its beginning."""
    folded = piece.casefold()
    if not folded.isascii():
        folded = unicodedata.normalize("NFKC", folded)
        while folded and unicodedata.category(folded[0])[0] == "M":
            folded = folded[1:]
    return folded[:LONGEST_WORD]


def _words_of_apostrophes(piece: str) -> tuple[str, ...]:
    """A word with apostrophes: a contraction whole, a clitic cut off, the rest joined."""
    whole = _folded(piece)
    if whole in STOP_WORDS:
        return (whole,)
    head, _, tail = piece.rpartition("'")
    if tail.casefold() in _CLITICS:
        if tail.casefold() == "t" and head[-1:].casefold() == "n" and len(head) > 2:
            head = head[:-1]
        return _words_of_piece(head)
    return _joined(*piece.split("'"))


def _joined(*parts: str) -> tuple[str, ...]:
    """All parts as one word, then each part of more than one letter."""
    whole = _folded("".join(part.partition("'")[0] for part in parts))
    longer = [_folded(part.partition("'")[0]) for part in parts if len(part) > 1]
    return tuple(dict.fromkeys(word for word in (whole, *longer) if word))


def _words_of_identifier(piece: str) -> tuple[str, ...]:
    """A word, whole; and its parts where it is an identifier of at least two."""
    bare = piece.strip("_")
    whole = _folded(bare)
    if not whole:
        return ()
    if "_" not in bare and (bare.islower() or bare.istitle() or bare.isupper() or bare.isdigit()):
        return (whole,)
    parts: list[str] = []
    for section in bare.split("_"):
        parts += _PART.findall(section) if section.isascii() else [section]
    longer = [_folded(part) for part in parts if len(part) > 1]
    if len(longer) < 2:
        return (whole,)
    return (whole, *(part for part in longer if part and part != whole))


def _words_of_unspaced(run: str) -> tuple[str, ...]:
    """The characters of a run, each with its marks, then their overlapping pairs."""
    letters: list[str] = []
    for character in _folded(run) if len(run) <= LONGEST_WORD else unicodedata.normalize("NFKC", run):
        if letters and unicodedata.category(character)[0] == "M":
            if len(letters[-1]) < LONGEST_WORD:
                letters[-1] += character
        else:
            letters.append(character)
    return (*letters, *(first + second for first, second in pairwise(letters)))


@lru_cache(maxsize=_KEPT_WORDS)
def stem_of(word: str) -> str:
    """The stem of one word (Snowball, English); accents of Latin letters do not distinguish (`café`, `cafe`)."""
    if not word.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFD", word) if not "\u0300" <= c <= "\u036f")
        if not plain.isascii():
            return word
        word = plain
    return str(_STEMMER.stemWord(word))


def word_set(words: str) -> frozenset[str]:
    """The words of a list, which white space parts."""
    return frozenset(words.split())


def stem_set(words: str) -> frozenset[str]:
    """Their stems."""
    return frozenset(map(stem_of, words.split()))


_FORMS: Final = """
arise arose arisen; awake awoke awoken; bear bore borne; beat beaten; become became; begin began begun; bend bent; bite
bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt; buy
bought; catch caught; child children; choose chose chosen choice; cling clung; come came; creep crept; deal dealt; dig
dug; do did done; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell
fallen; feed fed; feel felt; fight fought; flee fled; fly flew flown; foot feet; forbid forbade forbidden; forget
forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given; go went gone; goose
geese; grow grew grown; half halves; hang hung; hear heard; hide hid hidden; hold held; keep kept; kneel knelt; knife
knives; know knew known; lay laid; lead led; lean leant; learn learnt; lend lent; light lit; lose lost loss; make made;
man men; mean meant; meet met; mistake mistook mistaken; mouse mice; pay paid; person people; prove proven; ride rode
ridden; ring rang rung; rise risen rose; run ran; say said; see seen; seek sought; sell sold; send sent; sew sewn;
shake shook shaken; shelf shelves; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank
sunk; sit sat; sleep slept; slide slid; speak spoke spoken; speed sped; spell spelt; spend spent; spin spun; spring
sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung; strike struck; strive strove striven; swear
swore sworn; sweep swept; swell swollen; swim swam swum; swing swung; take took taken; teach taught; tear tore torn;
tell told; think thought; throw threw thrown; tooth teeth; understand understood; wake woke woken; wear wore worn;
weave wove woven; weep wept; win won; withdraw withdrew withdrawn; wolf wolves; woman women; write wrote written
"""
"""Words and their irregular forms, without those that are as often words of their own (found, left)."""
_ROOTS: Final = {
    form: first for each in _FORMS.split(";") for first, *forms in [each.split()] for form in forms
}


@lru_cache(maxsize=32_768)
def root_of(word: str) -> str:
    """The stem of a word, of an irregular form that of the word it is a form of; to compare texts, never to index them,
    which are indexed under stems alone.

    >>> root_of("kept") == root_of("keeps"), root_of("chosen") == root_of("choosing")
    (True, True)
    """
    return stem_of(_ROOTS.get(word, word))


def roots_of(text: str) -> frozenset[str]:
    """The roots of the words of a text that carry a subject of their own."""
    return frozenset(root_of(word) for word in words_of(text) if not is_stop_word(word))


@lru_cache(maxsize=_KEPT_WORDS)
def term_of(word: str) -> int:
    """The term of a word: the 32-bit hash of its stem, the same in every process and on every machine.

    A digest is one with its first seven digits, by which people call a commit.
    """
    if _DIGEST.fullmatch(word):
        word = word[:_SHORT_DIGEST]
    return zlib.crc32(stem_of(word).encode("utf-8", "surrogatepass"))


def is_stop_word(word: str) -> bool:
    """Whether a word carries no subject of its own: a stop word or a single Latin letter."""
    return word in STOP_WORDS or (len(word) == 1 and word.isascii() and word.isalpha())


def is_identifier(word: str) -> bool:
    """Whether a word names one thing and no other is like it: letters with digits, or a number that is no small count
    and no year.
    """
    if word.isdigit():
        return len(word) == 3 or len(word) > 4
    return any(map(str.isdigit, word))


def content_words(words: Iterable[str]) -> list[str]:
    """The words that are not stop words, in order; all of them if nothing else is left."""
    every = list(words)
    return [word for word in every if not is_stop_word(word)] or every
