"""What a question asks about as a whole: "tell me about the crane" is of the crane, and of no telling.

Rules over text, for questions in English; any other question is of all its words.
"""

from __future__ import annotations

import re
from typing import Final

_WHOM: Final = r"(?:you|we|they|i|anybody|anyone|somebody|someone)"
_OF: Final = r"(?:about|of|on|regarding|concerning)"
_ALL: Final = r"(?:everything|anything|something|all|more|a (?:bit|little) more|what)"
_WHOLE: Final = re.compile(
    r"(?is)^\W*+(?:(?:please|so|ok(?:ay)?|and|now|hey)\b\W*+){0,6}"
    r"(?:(?:can|could|would|will) you (?:please )?)?"
    r"(?:"
    rf"(?:what|do|did) (?:all )?(?:(?:do|did|can|could) )?{_WHOM} (?:already |still )?"
    rf"(?:know|remember|recall|tell me|tell us|say|have)(?: {_ALL})? {_OF}"
    rf"|what(?:'s| is| was| do) (?:all )?(?:known|remembered|recorded|on record|there to know) {_OF}"
    rf"|(?:tell|remind) (?:me|us) (?:{_ALL} )?(?:{_WHOM} (?:know|remember|have) )?{_OF}"
    rf"|{_ALL} (?:{_WHOM} (?:know|remember|have)|known|there is) {_OF}"
    rf"|(?:everything|anything|all) {_OF}"
    r"|describe"
    r")\s+(?P<matter>\S.*)$"
)
_CLAUSE: Final = re.compile(
    r"(?i)(?:what|how|why|when|where|whether|which|who|if|it|this|that|them|him|her|me|us|you)\b"
)
"""How a matter begins that is no thing by itself, or that another question says."""


def matter_of(question: str) -> str:
    """What a question asks about as a whole, without the words that only ask; the question where it asks otherwise.

    >>> [matter_of(each) for each in ("Tell me about the crane.", "What do you know about Marta Voss?")]
    ['the crane', 'Marta Voss']
    >>> matter_of("what is known of RFC 7540?"), matter_of("tell me about it"), matter_of("What do you know?")
    ('RFC 7540', 'tell me about it', 'What do you know?')
    >>> matter_of("tell me about how the pump was mended")
    'tell me about how the pump was mended'
    """
    found = _WHOLE.match(question)
    matter = "" if found is None else found["matter"].rstrip(" \t\r\n?.!")
    return matter if matter and not _CLAUSE.match(matter) else question
