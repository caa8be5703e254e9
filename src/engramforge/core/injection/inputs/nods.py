"""Turns that by themselves say nothing of a matter: a nod to what was shown ("svg ok"), and what only goes on with what
is at hand ("run it again", "same for the other one").
"""

from __future__ import annotations

from typing import Final

from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.words import is_stop_word, word_set, words_of

_LONGEST: Final = 60
_NODS: Final = word_set("""
ok okay k fine yes yeah yep yup ya sure good great nice cool perfect agreed works work lgtm awesome excellent super
alright right correct exactly approved accepted
""")
_THANKS: Final = word_set("""
thanks thank thx ty cheers lot much please pls sounds looks look seems done lol haha hm hmm hey sorry now then again
once more still yet too as well much better best first last next one ones other another both all rest same everything
it's its
""")
_GOES_ON: Final = word_set("""
run rerun retry try go continue proceed push commit merge save test tests check show see do make keep use take send open
close start restart stop repeat redo reload refresh build rebuild deploy undo revert wait finish
""")
"""What somebody has done with what is at hand."""
_SAYS_LESS: Final = _NODS | _THANKS | _GOES_ON
_NAMED: Final = 2


def is_nod(turn: str) -> bool:
    """Whether a turn finds something good by its name alone, or says less than that.

    >>> [is_nod(each) for each in ("svg ok", "yeah, drizzle", "nats is fine", "ok do it", "run it again", "retry")]
    [True, True, True, True, True, True]
    >>> [is_nod(each) for each in ("use nats for the mail", "ok but no nats", "the gate works", "run the gate test")]
    [False, False, False, False]
    """
    return len(turn) <= _LONGEST and (_only_goes_on(turn) or approves(turn))


def _only_goes_on(turn: str) -> bool:
    words = words_of(with_apostrophes(turn))
    return all(is_stop_word(word) or word in _SAYS_LESS for word in words)


def approves(turn: str) -> bool:
    """Whether a turn finds something good, by its name alone."""
    words = [word for word in words_of(turn.casefold()) if word not in ("is", "are", "the")]
    if not words or not _NODS.intersection((words[0], words[-1])):
        return False
    named = [word for word in words if word not in _NODS and word not in _THANKS]
    # "The gate works" tells how a thing of the project is; "svg works" nods to a choice.
    is_told = turn.casefold().lstrip().startswith("the ") or any(map(is_stop_word, named))
    return len(named) <= _NAMED and not is_told
