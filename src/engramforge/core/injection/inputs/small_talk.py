"""Small talk and questions of the world: the weather, a match, how somebody feels, what a word means.

Where a session stopped they do not tell.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import is_identifier, is_stop_word, stem_of, word_set, words_of

_LONGEST: Final = 100
_TALK: Final = word_set("""
bored boring cold coffee exhausted fog foggy freezing hot hungry knackered pouring rain raining rainy sleepy snow
snowing snowy storm stormy sun sunny sunshine thirsty tired warm weather windy
""")
"""The weather, and how somebody feels."""
_FILLERS: Final = word_set("""
again all always awful beautiful crazy day days drinking evening feel feeling finally first getting gray great grey grim
horrible inside kind lovely miserable morning need nice night nonstop outside perfect pretty really since snack still
sure terrible time today tonight week weekend whole wonderful yesterday
""")
_LAUGHS: Final = late(r"(?i)\W*(?:(?:ha){2,}h?|(?:he){2,}|(?:hi){2,}|lo+l|lmao|rofl|xd)\b[\s,.:!]{1,3}\w")
_OF_WORK: Final = late(
    r"(?i)[`/\\_]|\w\.\w|\?|\b(?:add|branch|broke|broken|bugs?|build|change|check|code|commit\w*|crash\w*|deploy\w*|errors?"
    r"|fail\w*|file|fix\w*|let['\u2019]?s|log|logs|make|merge\w*|need|please|pls|push\w*|remove|rename|run|script|should"
    r"|tests?|then|todo|try|use|wrong)\b"
)
_LEISURE: Final = late(
    r"(?i)\W*(?:(?:hey|btw|by the way|oh|so|ok(?:ay)?)\b\W*){0,2}(?:did|do|have) (?:you|u|ya) (?:also |even )?"
    r"(?:see|seen|watch|watched|hear|heard|catch|caught) (?:the|that|this|last)(?: [\w'-]{1,20}){0,2}?"
    r" (?:match|game|race|film|movie|episode|concert|show|fight|final|finals|sunset|moon|eclipse|news)"
    r"(?: (?:yesterday|last (?:night|week)|today|tonight|this (?:morning|week)|on \w{3,6}day|too|already|yet|btw"
    r"|then)){0,3}\W*\Z"
)
_QUALITY: Final = (
    r"(?:(?:so|always|often|mostly) )?(?:blue|grey|gray|brown|white|black|yellow|pink|purple|transparent|salty|sweet"
    r"|sour|bitter|wet|sticky|slippery|shiny|soft|hard|round|poisonous|toxic|magnetic)"
)
"""How a thing of nature is: "red" and "green" are also builds, and "slow" and "down" are services."""
_TERM: Final = r"[\w+#-]{2,30}"
_ANYWHERE: Final = late(
    r"(?i)\W*(?:(?:hey|btw|by the way|oh|so|ok(?:ay)?|and|just|quick question|can you|could you|please|pls)\b"
    r"\W{0,3}){0,3}(?:(?:explain|tell me) )?(?:(?:to me )?(?:"
    rf"what(?:['\u2019]?s| is| are)(?: an?)? (?P<thing>(?!the\b|our\b|my\b|this\b|that\b|it\b|left\b|next\b|new\b"
    rf"|wrong\b|missing\b|open\b|up\b|here\b|there\b|in\b|on\b){_TERM}) (?:exactly|anyway|even|in general)"
    rf"|what exactly (?:is|are)(?: an?)? (?P<exactly>(?!the\b|our\b|my\b|this\b|that\b|it\b|left\b){_TERM})"
    rf"|why (?:is|are) (?:(?:the )?(?:sky|sea|sun|moon|snow|grass|blood|ocean|earth|ice|rain)"
    rf"|(?!the\b|our\b|my\b|this\b|that\b|these\b|it\b|its\b|there\b|all\b|some\b|every\w*\b|they\b|we\b|you\b)"
    rf"[a-z]{{3,20}}) {_QUALITY}"
    rf"|what(?:['\u2019]?s| is| are)? an? (?P<term>{_TERM}(?: {_TERM}){{0,2}}?)(?: is| are| does)?"
    rf"|what does (?:the (?:word|term) )?(?P<word>{_TERM}) (?:mean|stand for)"
    rf"|(?:what(?:['\u2019]?s| is) )?the difference between {_TERM}(?: {_TERM})? and {_TERM}(?: {_TERM})?"
    r"|how (?:do|can|would|does) (?:i|you|one)"
    r"(?! (?:[\w-]{1,30} ){0,5}(?:the|our|my|this|that|these|those|it|them|we|us|here|again)\b)"
    r"(?: [a-z-]{1,20}){2,5}))\W*\Z"
)
"""What a word means, and how a thing is done anywhere."""
_COUNTS_THERE: Final = late(
    r"(?i)\W*how (?:many|much) (?:[\w-]{1,30} ){1,3}?(?:(?:are|is) there|lives?|were there) in"
    r" (?!prod|(?:total|all|staging|stock|use|here|each|every|one|it|this|that|our|my|the|an?)\b)"
    r"(?P<where>[a-z-]{3,20})\W*\Z"
)
"""How many there are of something in a country or town."""


def is_of_the_world(turn: str) -> bool:
    """Whether a turn only asks what a word means, or how something is done anywhere.

    >>> [is_of_the_world(each) for each in ("what is a monoid?", "explain what a tide is", "how do i sort lists")]
    [True, True, True]
    >>> said = "what is slate exactly", "why is slate grey", "why is ci red", "why is it wet"
    >>> [is_of_the_world(each) for each in said]
    [True, True, False, False]
    >>> [is_of_the_world(each) for each in ("what is a good name for the pier?", "how do i sort the berths")]
    [False, False]
    """
    return len(turn) <= _LONGEST and _ANYWHERE.match(turn) is not None


def asks_elsewhere(question: str, statement: str) -> bool:
    """Whether a question asks what a word means that a statement does not have, or counts what is in a place that the
    statement does not name.

    >>> [asks_elsewhere("what is a berth?", each) for each in ("no dogs below", "berths are 8 m")]
    [True, False]
    >>> asks_elsewhere("how many boats are there in malta", "at most 12 boats at the pier")
    True
    """
    if (hit := _COUNTS_THERE.match(question)) is not None:
        named = hit["where"]
    elif len(question) <= _LONGEST and (hit := _ANYWHERE.match(question)) is not None:
        named = hit["term"] or hit["word"] or hit["thing"] or hit["exactly"]
    else:
        return False
    stems = {stem_of(word) for word in words_of(statement.casefold())}
    return bool(named) and stems.isdisjoint(map(stem_of, words_of(named.casefold())))


def is_small_talk(turn: str) -> bool:
    """Whether a turn is about the weather, a match, somebody's mood, or laughs at what is no work.

    >>> [is_small_talk(each) for each in ("snowing all morning here, so tired", "lol my dog ate the bread")]
    [True, True]
    >>> [is_small_talk(each) for each in ("the hot water pump fails", "lol the build is red", "did you see the race?")]
    [False, False, True]
    """
    if len(turn) > _LONGEST:
        return False
    if _LEISURE.match(turn) or (_LAUGHS.match(turn) and not _OF_WORK.search(turn)):
        return True
    words = [word for word in words_of(turn) if not is_stop_word(word) and any(map(str.isalnum, word))]
    if any(map(is_identifier, words)) or _TALK.isdisjoint(words):
        return False
    return set(words) <= _TALK | _FILLERS
