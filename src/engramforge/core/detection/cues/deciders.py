"""Who decides, as the wordings of a decision name them."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.cue_rule import first_words

ADVERB: Final = (
    r"(?:\s+(?:\w+ly|all|just|now|then|already|both|also|therefore|thus|so|hereby|instead|ended up|went ahead and|in"
    r" the end|again|together|still|at last|of course)\b,?){0,3}"
)
_BODY: Final = (
    r"(?:team|group|committee|board|council|panel|architects?|leads?|maintainers?|meeting|owners?|members|developers"
    r"|engineers|stakeholders|majority|project|company|org|squad|guild|crew|parties|teams|reviewers|authors|founders"
    r"|partners|sponsor|client|customer|user|staff|folks|devs|boss|manager|directors?|cto|ceo|cio|ciso|vp|dpo"
    r"|product owner)"
)
_DEPARTMENT: Final = (
    r"(?:management|leadership|product|ops|engineering|security|legal|compliance|infra|platform|backend|frontend"
    r"|finance|marketing|sre|devops|procurement|accounting)"
)
BODY: Final = rf"(?:{_BODY}|{_DEPARTMENT}|steering)"
GROUP: Final = (
    rf"(?:(?:the|our|my)\s+(?:[\w-]+\s+){{0,2}}?{_BODY}|everyone|everybody|all of us|both of us|all participants"
    rf"|{_DEPARTMENT}(?: (?:team|folks|people|guild|board|and {_DEPARTMENT}))?)"
)
BARE_GROUP: Final = (
    r"^\W*(?:team|group|board|committee|council|user|client|customer|pm|cto|stakeholders|reviewers)"
)
HAVE: Final = r"(?:['\u2019](?:ve|d|re|ll|m)\b)?(?:\s+(?:have|has|had|are|is|were|was|did|am))?"
_WITH_ME: Final = (
    r"(?:(?:my|our|the) (?:[\w-]+ )?\w+ and (?:i|me)|(?-i:[A-Z])\w+(?:, (?-i:[A-Z])\w+)? and (?:i|me)|me and"
    r" (?-i:[A-Z])\w+)"
)
OURS: Final = rf"\b(?:we|{GROUP}|{_WITH_ME})\b"
WE_HAVE: Final = rf"(?:{OURS}|{BARE_GROUP}\b){HAVE}{ADVERB}\s+"
I_HAVE: Final = rf"\bi\b{HAVE}{ADVERB}\s+"
WE_OR_I_HAVE: Final = rf"(?:\b(?:we|i|{GROUP}|{_WITH_ME})\b{HAVE}{ADVERB}\s+)"
DECIDER_STEMS: Final = f"we steering everyone all both {first_words(_BODY)} {first_words(_DEPARTMENT)}"
"""A sentence without any of these names neither us nor a group."""
