"""Small talk: turns about the weather, a match or how somebody feels. Where a session stopped they do not tell."""

from __future__ import annotations

from typing import Final

from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import is_identifier, is_stop_word, word_set, words_of

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
