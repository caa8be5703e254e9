"""When to say nothing: prompts that ask for nothing, and memories that are not worth their place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engramforge.core.detection.traps import is_asserted, is_request
from engramforge.core.detection.whose.introductions import asks_for_work
from engramforge.core.oracle.units import asks_the_world
from engramforge.core.text.injection_marks import tells_a_task_s_end
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import content_words, is_identifier, is_stop_word, word_set, words_of

_STEERING: Final = word_set("""
again ahead alright another apply approve approved begin better check clear close commit compact continue cool correct
deploy done dont exactly exit fine finish fix go good great help interrupted keep let like lgtm look looks make makes
maybe merge need next nice nope now perfect please proceed push quit request retry right run save see ship show simply
sorry start still stop sure test tests thank thanks thing think try undo update use user wait want wonderful work works
wow wrong yep
""")
"""Words that steer a session and name no matter."""
_FEWEST: Final = 2
_OF_WHAT: Final = (
    r"(?:(?:at|in|on|for|by|from|to|with|under|above|after|before|until|till|since|of)"
    r" (?=(?:what|which|whom|whose|how)\b))?"
)
_WHO: Final = r"(?:we|you|u|i|they|the|these|those|our|my|your|their|people|any|some|all|most|users?)"
_NOBODY: Final = (
    r"(?:can|could|may|should|must|will|would)(?:n['\u2019]?t)? (?:be|mind|love|hate|like|prefer|rather|say|never|not"
    r"|also|have (?:to|been))\b"
)
"""How one that leaves out who does it begins: "wouldn't mind a new editor"."""
_ASKS: Final = re.compile(
    r"(?i)(?:ok(?:ay)?|so|and|but|wait|hey|hm+|remind me|tell me)?\W*"
    rf"(?!don['\u2019]?t (?!{_WHO}\b)|do (?:that|it|so|this|the same)\b|{_NOBODY}){_OF_WHAT}"
    r"(?:what|which|where|when|who|whose|why"
    r"|how|is|are|am|was|were|do|does|did|can|could|may|should|must|will|would|have|has)"
    r"(?:['\u2019]?(?:s|re|d|ll)|n['\u2019]?t)?\s"
)
"""How a question begins, with or without its mark: "don't we send it", but not "don't send it"."""
_ASKS_AT_LAST: Final = re.compile(
    r"(?i)[,;:]\s*(?:what|which|where|when|who|why|how)(?:['\u2019]?s|\s+(?:is|are|was|were|did|do|does))\s"
    r"(?!\S+\s+\S+\s+(?:is|are|was|were)\b)[^,;:]{0,60}\Z"
)
"""How one that names its matter first ends: "the old lock, what was the plan with it"."""
_HALF_KNOWN: Final = re.compile(
    r"(?i)(?:(?:ok(?:ay)?|so|and|but|hey|hm+)\W+)?(?:(?:we|you|i|they|there)\s(?:once |also )?(?:had|have|was|were|is"
    r"|said|decided|agreed(?: on)?)\s)?(?:some|something)\b[^,.;:!?]{0,40}\b(?:about|regarding|concerning)\s"
    r"[^,.;:!?]{2,40}[.\u2026]{0,3}\Z"
)
"""A matter of which somebody knows only that there was one: "we had some rule about keys"."""
_OPEN: Final = re.compile(
    rf"(?i)\W*(?:(?:ok(?:ay)?|so|and|but|hey)\W+)?{_OF_WHAT}(?:what|which|where|when|who|whose|why|how)\b"
)
_OF_THE_MOMENT: Final = frozenset(("now", "next", "wrong", "up", "going", "else", "happened"))
_LONGEST_QUESTION: Final = 200
_HOW_TO: Final = re.compile(
    r"(?i)\W*(?:how (?:do|can|would|should) (?:i|you|one)|(?:what|who) (?:is|are|was|were|does) an?|what time is it"
    r"|what does (?!(?:the|our|my|this|that|it|an?)\b)[\w.-]{1,20}(?: [\w.-]{1,20})? do)\b"
)
_FIRST_WORDS: Final = re.compile(
    r"(?i)\W*(?:(?:ok(?:ay)?|now|then|so|and|please|pls|also|just)\b\W*){0,3}([a-z][\w'-]*)\s+"
    r"(?:the|an?|it|this|that|these|those|my|our|another|some|every|each|me|up|out)\b"
)
"""An order begins with a verb and what it is to be done to."""
_OF_NOW: Final = re.compile(
    r"(?i)\b(?:still|again|right now|just now|at the moment|broken|broke|fails?|failed|failing|crashed|hangs?"
    r"|(?:does|did|is|was|are|were)(?:n['\u2019]?t| not)|got|getting|i['\u2019]?m|i am|i see)\b"
)
_RETURNS: Final = re.compile(r"(?i)\b(?:then|until|before|after (?:that|which)) [^.;!?]{0,40}?\bagain\b")
"""Tells how it goes each time: "then the room is free again"."""
_OF_OWN: Final = re.compile(r"(?i)\b(?:we|our|us|this (?:project|repo|app))\b")
_OF_OTHERS: Final = re.compile(
    r"(?i)\b(?:other|another|previous|old|any|all) (?:of (?:my|our) )?(?:project|repo|app)s?\b|\belsewhere\b"
)
_LONGEST_STATEMENT: Final = 200
_GREETS: Final = re.compile(
    r"(?i)\W*(?:(?:(?:good )?(?:morning|evening|afternoon)|hi|hello|hey|hiya|yo|moin|gm|ok(?:ay)?|so|question|sorry|hm+"
    r"|(?:a )?quick question|back(?: again)?|remind me|btw|by the way)(?: (?:all|again|there|claude|everyone|folks))?"
    r"\s*[,.!:;\u2013\u2014-]+\s*){1,3}(?=\w)"
)
_AGAIN: Final = re.compile(r"(?i),?\s(?:again|btw|by the way|please|pls|real quick|then)(?=[ ?.!]{0,6}\Z)")
_VALUE: Final = r"(?:\d{1,9}(?:[.,:]\d{1,6})?(?:\s?x\s?\d{1,6})?(?![\w.]{0,20}[/:])|[a-z]\d{1,3})"
_COUNTED: Final = (
    r"(?:cop(?:y|ies)|times|tests?|examples?|lines?|rows?|files?|commits?|tries|things?|more|of|new|other|branches"
    r"|versions)\b"
)
_SETS_VALUE: Final = re.compile(
    r"(?i)\W*(?:(?:ok(?:ay)?|so|now|then|and|please|pls|also|change)\b\W*){0,3}(?:(?:make|set|keep|cap|limit|put|raise"
    r"|lower|bump|cut|change|increase|decrease|reduce|extend|shorten)\s(?:the |our |all )?"
    r"(?!(?:it|that|this|them|a|an|me|us)\b)"
    rf"[a-z][\w'-]{{1,20}}(?: (?!\d)[\w'-]{{1,20}}){{0,4}}? (?:to |at |by |of |be |from \S{{1,10}} to )?{_VALUE}"
    rf"(?!\s?{_COUNTED})|[a-z]{{3,14}} (?:[\w'-]{{1,20}} ){{0,4}}every \d{{1,5}} ?"
    r"(?:ms|s|m|h|d|sec|min|hour|day|week|month)"
    r"[a-z]{0,5}\b)"
)
_FOR_A_WHILE: Final = re.compile(
    r"(?i)\b(?:for (?:now|today|the moment|a (?:while|test|try)|this)|just this|this time|once|temporarily|until"
    r"|till)\b"
)
_LONGEST_PROPOSAL: Final = 400
"""Characters of a turn that proposes; a longer one tells something beside."""
_PROPOSES: Final = re.compile(
    r"(?i)\b(?:i['\u2019]d|i would|(?:i|we) could|shall (?:i|we)|should i|want me to|do you want|would you like"
    r"|i (?:suggest|propose|recommend)|how about|what about|my (?:suggestion|proposal))\b"
)
_STEERS: Final = re.compile(
    r"(?i)\W*(?:(?:ok(?:ay)?|so|now|then|and|alright|great|good|cool|nice|fine|yes|please|pls|thanks|thx)\b\W*){0,4}"
    r"(?:go (?:on|ahead)|continue|carry on|proceed|keep going|move on|let['\u2019]?s (?:go on|continue|move on)"
    r"|next(?: is| up| comes|,)|back to|start (?:with|on)|anything else|is it (?:just )?(?:me|you) or)\b"
)
_LONGEST_STEERING: Final = 100
_REPLIES: Final = re.compile(
    r"(?i)\W*(?:(?:yes|yeah|yep|jo|ja|no|nah|nope|nein|ok(?:ay)?|fine|agreed|sure|right|exactly|good)(?:\s*[,.;:!]|\Z"
    r"|\s+(?:but|and|do|that)\b)"
    r"|(?:do|not) (?:that|it|so)\b|(?:rather|only|just|without)(?:\s+[\w-]+){1,2}\W*\Z|make it\b|leave (?:it|that)\b"
    r"|sounds\b)"
)
_LONGEST_REPLY: Final = 120
_ONLY_ANSWERS: Final = re.compile(
    r"(?i)\W*(?:(?:yes|yeah|yea|yep|yup|ya|no|nah|nope)\b(?:\s*[,.;:!-]+\s*(?P<said>[^\n]{1,50})|\W*)"
    r"|(?P<before>[^\n,.;:!?]{1,40}),\s*(?:yes|yeah|yea|yep|yup|ya|please|then|sure|no)\W*"
    r"|(?P<chosen>[\w'-]{1,20}) then\W*)\Z"
)
_MOST_WORDS: Final = 5
"""Content words of an answer that is nothing else."""
_ONLY_GREETS: Final = re.compile(
    r"(?i)\W*(?:(?:good )?(?:morning|evening|afternoon|day)|g['\u2019]?(?:day|morning)|hi+|he+y+|hello|hiya|yo|moin"
    r"|thanks|thx|thank you|ty|sorry|ok(?:ay)?|back(?: again)?|me again|quick question|one (?:more )?question)"
    r"(?:\s(?:there|all|again|everyone|everybody|team|folks|guys|claude|now|so)){0,2}\W*\Z"
)
"""Says nothing before what is asked: "morning. how long does it last?"."""
_COMMAND: Final = re.compile(r"\s*(?:/[a-z][\w:-]*|![^\n]*|#[^\n]*)\s*\Z")
_LONGEST: Final = 2_000
_ENDS: Final = 500


@dataclass(frozen=True, slots=True)
class Gate:
    """What a hit has to be, to go in.

    `similarity`: the least fused similarity, 0..1. Measured on replayed transcripts (docs/how-to/injection.md): what is
    merely relevant shares a name or rare word with the turn that follows 1.8 times as often as a memory drawn by lot,
    what is at .8 or above 3.8 times; agreement of spaces tells nothing of it. `elsewhere`, `families`: for another
    project also the least agreement, and the fewest families of spaces, so that two means that know nothing of each
    other say the same.
    """

    similarity: float = 0.8
    elsewhere: float = 2.5
    families: int = 2

    def admits(
        self, relevant: bool, similarity: float, agreement: float, families: int, *, is_own: bool
    ) -> bool:
        """Whether a hit goes in; `relevant` by the rule of recalls over its scope's size.

        >>> admits = Gate().admits
        >>> admits(True, 0.8, 0.0, 0, is_own=True), admits(True, 0.79, 8.5, 6, is_own=True)
        (True, False)
        >>> admits(False, 1.0, 8.5, 6, is_own=True)
        False
        >>> admits(True, 0.8, 2.5, 2, is_own=False), admits(True, 1.0, 8.5, 1, is_own=False)
        (True, False)
        """
        if not relevant or similarity < self.similarity:
            return False
        return is_own or (agreement >= self.elsewhere and families >= self.families)


def without_greeting(prompt: str) -> str:
    """A question without the greeting before it, and without "again" behind it, which are of no matter.

    >>> without_greeting("morning! how deep is the moat again?"), without_greeting("morning shifts begin when?")
    ('how deep is the moat?', 'morning shifts begin when?')
    """
    bare = (
        prompt[hit.end() :] if (hit := _GREETS.match(prompt)) and len(prompt) <= _LONGEST_QUESTION else prompt
    )
    return _AGAIN.sub("", bare, 1) if _is_question(bare) else prompt


def sets_value(text: str) -> bool:
    """Whether an order sets a value of something, which holds from then on: "make the labels a6", "sample every 5s".

    >>> [sets_value(each) for each in ("make the labels a6", "poll the kiln every 5 s", "set the limit to 20 mb")]
    [True, True, True]
    >>> [sets_value(each) for each in ("make it 20", "print 3 labels", "make 3 copies", "set the limit to 20 for now")]
    [False, False, False, False]
    """
    if (
        not 0 < len(text) <= _LONGEST_STATEMENT
        or not is_asserted(text)
        or _OF_NOW.search(text)
        or steers(text)
    ):
        return False
    return _SETS_VALUE.match(text) is not None and _FOR_A_WHILE.search(text) is None


def asked_by(prompt: str) -> str:
    """What of a prompt is asked for: of a command, of a host's notice, and where it only steers nothing; of a long one
    both ends.

    >>> steers = ("", "ok", "yes, go ahead please", "thanks, looks good", "/clear", "! ls", "fix the tests", "👍")
    >>> any(map(asked_by, steers))
    False
    >>> asked_by("Why does the lock time out?"), asked_by("when do we deploy?"), asked_by("can you continue?")
    ('Why does the lock time out?', 'when do we deploy?', '')
    >>> [asked_by(each) for each in ("both doors, yes", "how many feet are 3 miles?", "yes, fix the lock on the door")]
    ['', '', 'yes, fix the lock on the door']
    """
    text = prompt.strip()
    if not text or _COMMAND.fullmatch(text) or tells_a_task_s_end(text):
        return ""
    if asks_the_world(text) or _only_answers(text):
        return ""
    read = with_apostrophes(text[: 2 * _LONGEST])
    named = [word for word in content_words(words_of(read)) if not is_stop_word(word)]
    words = {word for word in named if word not in _STEERING}
    # Who asks "when do we deploy?" steers nothing; "can you deploy?" is an order.
    fewest = 1 if _is_question(text) else _FEWEST
    is_open = _OPEN.match(read) is not None and not _OF_THE_MOMENT.issuperset(named)
    if len(words) < fewest and not is_open and not any(map(is_identifier, words)):
        return ""
    if len(text) <= _LONGEST:
        return without_greeting(text)
    return f"{text[: _LONGEST - _ENDS]}\n{text[-_ENDS:]}"


def _only_answers(text: str) -> bool:
    """Whether a prompt is a short answer to what an assistant asked: it steers, whatever it has words of."""
    hit = _ONLY_ANSWERS.match(text)
    if hit is None or text.endswith("?"):
        return False
    said = (hit["said"] or hit["before"] or hit["chosen"] or "").strip()
    if verb_of(said) or _is_question(said) or is_request(said) or asks_for_work(said):
        return False
    return len(content_words(words_of(said))) <= _MOST_WORDS


def asks(prompt: str) -> bool:
    """Whether a sentence of a prompt is a question.

    >>> [asks(each) for each in ("The lock hangs. Where are readings kept?", "which port is it", "move the lock")]
    [True, True, False]
    >>> [asks(each) for each in ("dont send it to the crane", "wouldnt mind a new crane", "don't we send it there")]
    [False, False, True]
    """
    return any(map(_is_question, sentences_of(prompt[:_LONGEST])))


def asks_of_what_is(prompt: str) -> bool:
    """Whether a prompt asks how something is, and not how a thing is done anywhere or what it means.

    >>> [asks_of_what_is(each) for each in ("which oil is in the lock?", "how do i oil a lock?", "oil the lock")]
    [True, False, False]
    """
    return asks(prompt) and not asks_how_to(prompt)


def asks_how_to(prompt: str) -> bool:
    """Whether a prompt begins as one that asks how a thing is done anywhere, or what it is.

    >>> [asks_how_to(each) for each in ("how do i oil a lock?", "what does tar do", "what does our lock do?")]
    [True, True, False]
    """
    return _HOW_TO.match(prompt) is not None


def verb_of(order: str) -> str:
    """The verb with which an order begins, "" where it begins otherwise: what is done is not what it is about."""
    first = _FIRST_WORDS.match(order)
    if first is None or is_stop_word(first[1].casefold()) or _ASKS.match(order):
        return ""
    return first[1].casefold()


def begins_work(prompt: str) -> bool:
    """Whether a prompt is an order to do some work.

    >>> [begins_work(each) for each in ("write the export job", "please add the lock", "the lock hangs", "is it open?")]
    [True, True, False, False]
    """
    return bool(verb_of(prompt)) or is_request(prompt) or (not asks(prompt) and asks_for_work(prompt))


def is_of_own_project(prompt: str) -> bool:
    """Whether a prompt asks how its own project does or has it: what another one does is no answer then.

    >>> is_of_own_project("how do we deploy this?"), is_of_own_project("why does the lock time out?")
    (True, False)
    """
    return len(prompt) <= _LONGEST_QUESTION and _OF_OWN.search(prompt) is not None and asks(prompt)


def is_of_project(prompt: str, name: str) -> bool:
    """Whether a prompt names a project, or speaks of others than its own.

    >>> [is_of_project("what does the dry-dock app run on?", each) for each in ("dry-dock", "dock-office")]
    [True, False]
    >>> is_of_project("which port did we take in the other repo?", "pier")
    True
    """
    named = set(words_of(name.casefold()))
    return _OF_OTHERS.search(prompt) is not None or (
        bool(named) and named <= set(words_of(prompt.casefold()))
    )


def states(text: str) -> bool:
    """Whether what a person said in a conversation states how something is or is to be done, for longer than a moment.

    >>> [states(each) for each in ("tyres are kept at 8 bar", "fix the pump", "is it 8 bar?", "the pump fails again")]
    [True, False, False, False]
    """
    if (
        not 0 < len(text) <= _LONGEST_STATEMENT
        or only_asks(text)
        or not is_asserted(text)
        or _OF_NOW.search(_RETURNS.sub(" ", text))
        or steers(text)
    ):
        return False
    return not (verb_of(text) or is_request(text) or asks_for_work(text))


def proposes(text: str) -> bool:
    """Whether what an assistant said is a proposal or ends in a question: what came of it is told by the reply alone.

    >>> [proposes(each) for each in ("I'd keep tyres at 9 bar.", "Done. Shall I fill them?", "Tyres are at 8 bar now.")]
    [True, True, False]
    """
    if len(text) <= _LONGEST_PROPOSAL and _PROPOSES.search(text):
        return True
    said = sentences_of(text)
    return bool(said) and _is_question(said[-1])


def asked_in(text: str) -> str:
    """What a turn asks or proposes: its last sentence that does, behind the one before it where that is a question.

    >>> asked_in("Fine. I'd keep tyres at 9 bar, as is common. OK?")
    "I'd keep tyres at 9 bar, as is common. OK?"
    """
    said = sentences_of(text)
    begins = [place for place, each in enumerate(said) if _PROPOSES.search(each) or _is_question(each)]
    first = next((place for place in begins if _PROPOSES.search(said[place])), begins[-1] if begins else 0)
    if first and not content_words(words_of(said[first]))[_FEWEST:]:
        first -= 1  # "Shall I?" is of the sentence before it
    return " ".join(said[first:])[:_LONGEST_QUESTION]


def steers(text: str) -> bool:
    """Whether a turn only says what comes next, and states nothing of it.

    >>> [steers(each) for each in ("ok go on with the pump", "good. anything else today?", "the pump goes on at six")]
    [True, True, False]
    """
    return len(text) <= _LONGEST_STEERING and _STEERS.match(text) is not None


def replies(text: str) -> bool:
    """Whether a turn leans on what it replies to, and says little without it.

    >>> [replies(each) for each in ("yes but 9 bar", "nah, overkill. by hand is enough", "no pumps in the hall")]
    [True, True, False]
    """
    return len(text) <= _LONGEST_REPLY and _REPLIES.match(text) is not None


def only_asks(text: str) -> bool:
    """Whether a text asks and says nothing beside it: what answers it is worth telling, not that it was asked.

    >>> [only_asks(each) for each in ("What about refunds? Who may trigger them?", "Is it blue? It is green.")]
    [True, False]
    >>> only_asks("where's the staging server"), only_asks("we had some rule about keys..."), only_asks("Hi! Is it up?")
    (True, True, True)
    """
    said = [each for each in sentences_of(text) if not _ONLY_GREETS.match(each)]
    return bool(said) and all(map(_is_question, said))


def is_half_known(text: str) -> bool:
    """Whether somebody knows of a matter only that there was one: "we had some rule about keys..."."""
    return any(_HALF_KNOWN.match(each) for each in sentences_of(text))


def _is_question(text: str) -> bool:
    """Whether a text, without what it says before the end, asks: by its mark, or a short one by how it begins."""
    plain = text.strip()
    if plain.endswith("?") or _HALF_KNOWN.match(plain):
        return True
    if len(plain) > _LONGEST_QUESTION or plain.endswith((".", "!", ":")):
        return False
    return bool(_ASKS.match(plain) or _ASKS_AT_LAST.search(plain))
