"""Sentences that only point back at what is open: "Unsolved, we have to revisit it" is about the sentence before it."""

from __future__ import annotations

from typing import Final

from engramforge.core.text.late_pattern import late

_EMPTY: Final = (
    r"(?:still|lets|us|not|now|today|yet|no|idea|clue|answer|sure|i|we|you|don|haven|havent|have|has|had|got|gotta|to|ll"
    r"|will|ve|m|re|t|s|need|needs|must|should|let|know|why|how|an?|the|but|and|so|later|next|week|time|at|some"
    r"|point|someone|somebody|unsolved|unresolved|undecided|unclear|open|want|going|can|wants|would|like|please|for"
    r"|on|heute|nicht|mehr|aber|jetzt|noch|ungelöst|offen|wir|ich|müssen|muss|sollten|später|pas|aujourd|hui"
    r"|maintenant|mais|il|on|faut|faudra|doit|devra|nous|devons|encore|plus|tard|ahora|hoy|pero|tenemos|tengo|que"
    r"|hay|todavía|sin|resolver|luego)"
)
_LATER: Final = (
    r"(?:(?:look(?:ing)? (?:in|at)(?:to)?|(?:come|get|circle|go|back)(?:ing)?(?: back)? to|return to|revisit|forget"
    r"|pick(?: up)?|sort(?: out)?|fix|solved?|investigate|clarify|check|discuss|deal with|figure out|find|book"
    r"|handle|plan|do|tackle|manage|approach|address|park(?:ing)?|postpone|table|remind me (?:of|about)|track)"
    r" (?:it|that|this|these|them|one)(?! (?:week"
    r"|month|evening|morning|time)\b)|(?:leave|keep) (?:it|that|this) (?:open|undecided)"
    r"|(?:that|this|it)(?:['\u2019]s| is| has| still| needs?| must| will)(?: still)?"
    r" (?:something|one thing|open|unsolved|unresolved|undecided|to be|an open|needs?)|(?:das|es) (?:müssen|muss"
    r"|sollten|schauen|klären) (?:wir|ich)|(?:damit|darauf|darum|dazu|daran|drauf|uns das|uns noch)|y (?:revenir"
    r"|retourner|réfléchir)|revenir là-dessus|(?:voir|regarder|régler) (?:ça|cela)|(?:volver|vuelvo|volvemos) (?:a"
    r"|sobre) (?:eso|esto|ello)|(?:mirar|revisar|resolver|retomar)lo)"
)
_LISTED: Final = (
    r"(?:put|add|keep|stick|throw|note|write|leave|get) (?:it|that|this|these|those|them|both)(?: one| two| all| too"
    r"| also| down| please)? (?:on|to|in|onto|into) (?:(?:the|our|my|your) )?(?:[\w-]+ ){0,2}?(?:list|to-?\s?dos?"
    r"|backlog|board)"
)
_POINTS_BACK: Final = late(rf"(?i)\W*(?:{_EMPTY}\b\W*){{0,14}}(?:{_LATER}|{_LISTED})\b")
_ONLY_LISTS: Final = late(
    rf"(?i)\W*(?:(?:{_EMPTY}|ok(?:ay)?|yes|yeah|cool|good|great|also|pls)\b\W*){{0,14}}{_LISTED}"
    r"(?:\W+(?:please|pls|too|then|for later|thanks))?\W*\Z"
)
_SHORTEST: Final = 12
"""Letters of a sentence that says something."""


def with_matter(words: str, before: str) -> str:
    """The words of a thread, with the sentence before them where they only point back at it."""
    if len(before) < _SHORTEST or _POINTS_BACK.match(words) is None:
        return words
    return f"{before} {words}"


def only_lists(words: str) -> bool:
    """Whether words only put on a list what they do not name.

    >>> only_lists("put that on the list"), only_lists("put that broken lamp on the list")
    (True, False)
    """
    return _ONLY_LISTS.match(words) is not None
