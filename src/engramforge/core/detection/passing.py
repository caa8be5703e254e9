"""What is said on the way and holds for no longer than the moment, or says nothing by itself: an order to do some work
at hand, words that only lead in what follows, that find something good, or that name no matter.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import is_stop_word, word_set, words_of

_BEGIN: Final = (
    r"(?>(?:(?:ok(?:ay)?|so|now|then|and|but|also|right|alright|well|cool|great|good|yes|yeah|first|next|hey|hi|wait)"
    r"\b\W{0,3}){0,4})"
)
_LASTS: Final = (
    r"\b(?:every|each|always|never|only|without|instead|rather|from now|by default|per|unless|until|whenever|before"
    r"|after|once an?|no longer|with|in|by|as|via|daily|weekly|monthly|nightly|hourly|yearly"
    r"|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b"
)
"""Says how something is done, or that it is done again."""
_SHORTLY: Final = rf"(?![^.;!]{{0,120}}{_LASTS})"
_HOLDS: Final = (
    r"(?![^.;!]{0,120}\b(?:every|each|always|never|only|without|from now|by default|no longer|unless)\b)"
)
"""Behind it, nothing says that it is so for good."""
_MAKES_SURE: Final = late(
    rf"(?i)(?:^\W*{_BEGIN}|[,;]\s+(?:(?:and|but|so|then)\s)?)let['\u2019]?s (?:also |just |first |now )?"
    r"(?:make sure (?:that )?(?:we|you|i|it|this|that|they|these|those|everything|nothing)\b"
    rf"|put a pin in|double[- ]check|come back to)\b{_HOLDS}"
)
_WORKS_AT: Final = late(
    rf"(?i)^\W*{_BEGIN}let['\u2019]?s (?:also |just |first |now |quickly )?"
    r"(?:(?:write|draft|update|document|revise|rewrite|reread|capture|adjust|correct|extend|polish)"
    r" (?:down |up )?(?:(?:the|our|my|your|a|an|some|this|that|these|those|it|all)\b|[\w-]{1,30}\W*$)"
    r"|(?:commit|rebase)\b"
    r"|(?:merge|push|delete|remove|rename|add|revert) (?:[\w'-]{1,30} ){0,3}?(?:branch(?:es)?|commits?|prs?|changes"
    rf"|tests?|imports?|lines?|code|implementation|todos?)\b){_SHORTLY}"
)
_AT_HAND: Final = late(
    r"(?i)^\W*(?:delete|remove|fix|clean(?: up)?|revert|revise|rework|undo|refactor|rename|update|tidy(?: up)?)\s"
    r"[^.;]{0,60}?\b(?:tests?|code|implementations?|lines?(?= \d|\s*[),]|\W*$)|functions?|methods?|files?|imports?"
    rf"|modules?|scripts?|fixtures?|mocks?|branch(?:es)?|commits?|bugs?)\b{_SHORTLY}"
)
"""A deed at the code that somebody has before them."""
_APPROVES: Final = late(
    r"(?i)^\W*(?:(?:yes|yeah|ok(?:ay)?|cool|great|and|so)\b\W{1,3}){0,2}(?:(?:all|both|everything|the|this|that|these"
    r"|those|it|they|your|my|our)\b(?: [\w'-]{1,30}){0,3}?)\s?"
    r"(?:lgtm|(?:all )?(?:look|sound|seem)s? (?:all )?(?:good|great|fine|ok(?:ay)?|right|solid)(?: (?:to|for) me)?"
    r"|(?:is|are) (?:all )?(?:good|great|fine|ok(?:ay)?|approved)(?: (?:by|with|for) me)?|works? for me)\W*$"
)
_COMPLAINS: Final = late(
    r"(?i)^\W*i(?:['\u2019]?m| am) (?:\w+ly |a (?:bit|little) |so |very )?(?:bothered|annoyed|confused|puzzled|worried"
    r"|concerned|surprised|irritated|unhappy|impressed|curious|disappointed) (?:by|about|with|at|that|how|why)\b"
)
_APPROVED: Final = late(
    r"(?i)^\W*(?:the )?(?:user|you|human) (?:approved|accepted|confirmed|rejected) (?:[\w'\u2019-]{1,30} ){0,3}"
    r"(?:plans?|edits?|changes|updates?|proposals?|requests?)\W*$"
)
"""What a program shows of a dialogue: that something was approved, not what."""
_NARRATES: Final = late(
    r"(?i)^\W*(?:(?:no|sorry|ok(?:ay)?|so|and|hm+|oh)\b\W{1,3}){0,3}(?:"
    r"(?:(?:at|in|on|during|with) (?:your|the|my) (?:last|latest|previous|first|second|earlier|prior)"
    r" (?:prompt|message|question|reply|answer|turn|run|step|dialog(?:ue)?|screen|menu)"
    r"|when (?:you|it|claude) (?:last )?(?:asked|prompted|showed|offered|stopped|proposed)(?: [\w'-]{1,20}){0,4}?)"
    r",? i (?:just )?(?:opted|chose|decided|picked|selected|went)"
    r" (?!(?:to (?:use|switch|move|drop|ditch|scrap|replace|keep|adopt|go|stay|stick|rename|merge|remove|migrate)"
    rf"|for|with|against|that)\b){_HOLDS}"
    r"|(?:(?:earlier|before|just now|then|yesterday|today|first),? )?i (?:just |then )?(?:opted|chose|decided)"
    r" to (?:(?:take|have) a (?:\w+ )?look|look(?! up)|re-?read|press|click|hit|scroll|peek|double[- ]?check"
    rf"|check(?! in\b))\b{_SHORTLY})"
)
"""Tells what somebody did once at their screen: "at your last prompt I opted to check the lines"."""
_NEW_PLACE: Final = late(
    r"(?i)^\W*(?:(?:hi|hello|hey|so|ok(?:ay)?|and|now|today|morning)\b\W{0,3}){0,3}"
    r"(?:(?:this is|here['\u2019]?s|here is|(?:(?:i['\u2019]?m|we['\u2019]?re) )?starting) )?(?:an? |the |our )?"
    r"(?:(?:brand )?new|fresh|another|clean|empty) (?:[a-z]{3,12} )?"
    r"(?:repo(?:sitory)?|project|app|codebase|workspace|prototype|website|site|side project)"
    r" (?:for|of|about|around) (?:(?:the|a|an|our|my) )?[\w'-]{2,30}(?: (?!(?:is|are|uses?|will|has|runs?|with|in)\b)"
    r"[\w'-]{2,30}){0,4}\W*$"
)
"""Names what a talk is about: "new repo for the bakery till"."""
_GOES_TO: Final = late(
    r"(?i)^\W*(?:(?:ok(?:ay)?|so|now|and|then|yes|cool|great)\b\W{0,3}){0,3}let(?:['\u2019]?s| us)"
    r" (?:just |now |then |first )?(?:switch|go|move|jump|turn|get)(?: over| back){0,2} (?:to|into|onto) (?:"
    r"`?(?:main|master|develop|dev|trunk|head|staging)`?(?:\W*$|,| and\b| first\b| branch\b)"
    r"|(?:the |our |my |that )?`?[\w./#-]{1,40}`? (?:branch|worktree|tab|window|buffer|screen)\b"
    r"|(?:the |our )?`[^`\n]{1,60}` (?:file|folder|directory|section|test|issue|ticket|pr)\b"
    r"|`(?!@)[^`\n]{0,40}(?:[ /(]|\.(?:py|ts|tsx|js|jsx|go|rs|rb|md|json|ya?ml|toml|css|html)`)[^`\n]{0,40}`?)"
)
"""Turns to another branch or file: "let's switch back to `develop` first"."""
_STEPS: Final = late(
    r"(?i)^(?:[^:]{0,120}\b)?(?:(?:here|these|those|following|our|the|my)\b[^:]{0,20} )?next steps?\b[^:]{0,60}:\W*$"
)
_NO_MATTER: Final = word_set("""
yet later together soon next step steps now then ok okay sure ready done thing things stuff matter still open todo todos
list item items again first second last today tomorrow
""")


def is_order_of_the_moment(sentence: str) -> bool:
    """Whether it has some work at hand done, and says nothing of how it shall be from then on.

    >>> [is_order_of_the_moment(each) for each in ("let's update the menu", "so let's merge the hotfix branch")]
    [True, True]
    >>> [is_order_of_the_moment(each) for each in ("let's write the docs in AsciiDoc", "let's merge branches weekly")]
    [False, False]
    >>> [is_order_of_the_moment(f"let's make sure {each}") for each in ("we note it", "tea is hot")]
    [True, False]
    """
    return _MAKES_SURE.search(sentence) is not None or _WORKS_AT.match(sentence) is not None


def is_deed_at_hand(deed: str) -> bool:
    """Whether what somebody is to do is done once, at the code before them.

    >>> [is_deed_at_hand(each) for each in ("delete the dead code", "remove the sidebar", "delete files after a week")]
    [True, False, False]
    """
    return _AT_HAND.match(deed) is not None


def decides_nothing(sentence: str) -> bool:
    """Whether it is an order of the moment, or only finds something good or bad.

    >>> [decides_nothing(each) for each in ("all pages LGTM", "the second draft looks good", "the good draft is kept")]
    [True, True, False]
    >>> [decides_nothing(each) for each in ("I'm puzzled by the long names", "User accepted the edits:")]
    [True, True]
    """
    return (
        is_order_of_the_moment(sentence)
        or _APPROVES.match(sentence) is not None
        or _COMPLAINS.match(sentence) is not None
        or _APPROVED.match(sentence) is not None
    )


def is_of_the_screen(sentence: str) -> bool:
    """Whether it tells what somebody did once at their screen, turns to a branch or a file, or says what a talk is
    about. `sentence`: with the names that stand in it as code.

    >>> [is_of_the_screen(each) for each in ("let's switch to the `tides` branch", "new repo for the sail loft")]
    [True, True]
    >>> [is_of_the_screen(f"I opted to {each}") for each in ("press enter", "press oil every week", "use oak")]
    [True, False, False]
    >>> is_of_the_screen("let's switch to `brass`")
    False
    """
    return (
        _NARRATES.match(sentence) is not None
        or _NEW_PLACE.match(sentence) is not None
        or _GOES_TO.match(sentence) is not None
    )


def leads_in(sentence: str) -> bool:
    """Whether it says what follows it, which is another sentence: "here are the next steps:"."""
    return sentence.rstrip(" *_`").endswith(":")


def names_no_matter(words: str) -> bool:
    """Whether words that shall name an open matter name none.

    >>> [names_no_matter(each) for each in ("not now", "again", "then our next steps:", "the lid", "not the lid")]
    [True, True, True, False, False]
    """
    if _STEPS.match(words) is not None:
        return True
    return all(is_stop_word(word) or word in _NO_MATTER for word in words_of(words.casefold()))
