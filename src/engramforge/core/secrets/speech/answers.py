"""Secrets as the answer to the message before: "what is the password for staging?", then nothing but the password."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final

from engramforge.core.secrets.chance import is_chosen, is_held_value, is_public_id, is_technical
from engramforge.core.secrets.made_up import PASSWORDS_ABROAD
from engramforge.core.secrets.names import SPEECH
from engramforge.core.secrets.speech.told import is_own_word
from engramforge.core.text.late_pattern import late


class Asked(IntEnum):
    """What a message leaves open, and with that what counts as the answer."""

    NOTHING = 0
    MADE_UP = 1
    """Who has a secret, or whether somebody sends it: letters with digits or signs."""
    TOKEN = 2
    """What machines make: a long hexadecimal number, too."""
    CODE = 3
    """A short number, too."""
    WORD = 4
    """What people make up: a word, too."""


_LAST: Final = 300
"""Characters at the end of a message in which it asks."""
_LONGEST: Final = 160
"""Characters of an answer."""
_SHORT: Final = 60
"""Characters of a message that only says that the answer comes."""
_NETWORK = r"(?:wi-?fi|wlan|wireless|netzwerk|réseau|red)"
_WORDS = (
    r"\w{0,12}(?:passw(?:or[dt]|d)|kennwort)|pass ?phrase|pwd?|mot de passe|mdp|contraseña"
    rf"|{_NETWORK}[ -]?(?:key|code|schlüssel)|(?:clave|clé|code) (?:de la |del? |du )?{_NETWORK}"
    rf"|(?:{'|'.join(PASSWORDS_ABROAD)})(?:et|em|en|u|a|ya)?"
)
_CODES = r"pin|puk|pass ?code|(?:door|gate|alarm|lock|safe|verification|one-time|sms|2fa|pin|tür)[ -]?code|code pin"
_TOKENS = (
    r"token|secret|creds?|credentials?|zugangsdaten|identifiants|clave"
    r"|(?:api|access|license|secret|signing|master)[ -]?(?:key|schlüssel)|clé (?:d')?api"
)
_THING = (
    r"(?:(?:the|your|our|my|this|that|das|die|deine?|euer|unser|mein|ihr|le|la|les|du|de la|ton|tes|votre|vos|notre|tu"
    r"|tus|su|nuestra|mi|il|het|o|a) )?(?:(?!(?:an?|any|most|best|next|same|right|wrong|good|max\w*|min\w*|\w+est|more"
    r"|favou?rite|une?|una|eine?|of|for|to|in|on|at|with|from|about|von|mit|für|zu|im|del?|du|des|pour|con|para|avec) )"
    r"[\w'.]{1,20}[ -]){0,3}?"
    rf"(?:(?P<word>{_WORDS})|(?P<code>{_CODES})|(?P<token>{_TOKENS}))(?: (?:{_NETWORK}|admin|root))?"
)
_AGAIN = r"(?:,? (?:again|please|now|nochmal|noch mal|bitte|déjà|por favor|stp|svp))?"
_OF = (
    r"(?: (?:for|of|to|on|at|from|in|für|fürs|vom?|zum?|zur|im|am|del?|du|des|para|en|pour|di|da|voor|van)"
    rf"(?: [\w'./@-]{{1,40}}){{1,5}}?| d'\w{{1,40}})?{_AGAIN}"
)
_IS = (
    r"(?:what(?:'?s| is| was| are)|wie (?:lautet|ist|war|heißt)|was ist|quel(?:le)?s? (?:est|était|sont)|c'est quoi"
    r"|cu[aá]l(?:es)? (?:es|era|son)|qual ?(?:è|é)|wat is)(?: (?:again|nochmal|noch mal|denn|déjà))?"
)
_BIDS = (
    r"(?:(?:give|send|tell) (?:me|us)|(?:gib|schick|nenn|sag) (?:mir|uns)|(?:donne|envoie|dis)(?:z|ez)?[ -](?:moi|nous)"
    r"|dame|dime|env[ií]ame|m[aá]ndame|p[aá]same|dammi|geef me|(?:i|we) (?:still |also )?need|(?:ich|wir) brauchen?"
    r"|il (?:me|nous) faut|besoin|necesit(?:o|amos)|(?:enter|type|provide|paste)(?=[^:]*:$))(?: bitte)?"
)
_QUESTION: Final = late(
    rf"(?:^(?=(?:(?:the|your|our|das|dein|le|ton|la|tu) |{_WORDS}|{_CODES}|{_TOKENS}).*[?:]$)"
    rf"|(?<!not )(?<!n't )(?<!never )\b(?:{_IS}|{_BIDS}(?=[^?]*$)) ){_THING}{_OF} ?[?.!:]*$"
)
_WHICH: Final = late(
    rf"\b(?:what|which) {_THING} (?:do|did|should|shall|can) \w+ (?:use|enter|set|choose|pick|need)\b.{{0,60}}\?$"
)
_WHETHER: Final = late(
    r"\b(?:who|wer|qui|quién|chi|can you|could you|would you|will you|do you|does any\w+|(?:kannst|könntest|hast|kennst"
    r"|weißt) du|hat jemand|(?:peux|pourrais|as|connais)-tu|tu (?:as|connais)|puedes|podrías|tienes|sabes|recuerdas)\b"
    rf".{{0,60}}? {_THING}{_OF}(?: (?:geben|schicken|sagen|nennen))? ?\?$"
)
"""Who has it, and whether somebody sends it."""
_OF_IT: Final = late(
    rf"(?:what(?:'s| is| was)|was ist|wie (?:ist|lautet)|cuál es|c'est quoi)(?: (?:it|that|es|das))?{_AGAIN} ?\?"
)
"""What asks for the secret that the sentence before names."""
_NAMED: Final = late(rf" {_THING}{_OF}[.!]?$")
_TYPED: Final = late(rf"(?:{_WORDS})(?: for [^\n:]{{1,80}})? ?:$")
"""What a program asks with: `[sudo] password for ann:`."""
_COMMAND: Final = late(
    r"(?:^|\n|\b(?:run|do|try|use|with) )(?:[!$#>] ?)?(?:sudo|doas|su|ssh|scp|sftp|passwd|kinit|ssh-copy-id"
    r"|docker login|npm login|mysql\b[^\n]{0,60} -p)(?: [^\n?]{1,200})?$"
)
"""A command that asks for a password itself."""
_COMMANDS: Final = ("su", "ssh", "doas", "scp", "sftp", "passwd", "kinit", "login", "mysql")
"""One of these is in each such command."""
_ELSE: Final = late(r"\b(?:\w+ed|in|with|as|by|to|for|from|like|on|at)\W*$")
"""What asks for something about the secret at its end."""
_CLUES: Final = (
    *("pass", "pw", "cred", "token", "secret", "key", "pin", "puk", "code", "kennw", "zugang", "schlüssel"),
    *("mdp", "contras", "clave", "clé", "identif", *PASSWORDS_ABROAD),
)
_SENTENCE: Final = late(r"(?<=[.?!]) |\n")
_SIGNS: Final = str.maketrans(
    {"\u2019": "'", "\t": " ", "\xa0": " ", "\u202f": " ", "¿": None, '"': None, "*": None}
)
_ANSWER: Final = late(
    r"""\s*(?P<before>(?:[\w'\u2019,-]{1,16}[ ]){0,6}?(?:[\w-]{1,20}:[ ]|(?:it|that)(?:'|\u2019)s[ ]|c(?:'|\u2019)est[ ]
    |(?:is|be|was|try|use|ist|war|lautet|nimm|es|era|è|é|here|hier|ja|yes|sure|ok|okay|oui|sí)[,:]?[ ]
    |[\w.@+-]{1,60}[ ]/[ ]))?
    [`"'*“„«]{0,3}(?P<secret>[^\s`"'“”„«»<>]{4,100}?)[`"'*”“»]{0,3}
    (?P<after>[.!]?|[,;.!]?[ ][^\n]{1,80}|,[^\n]{1,80}|\n.{0,80})\s*""",
    re.VERBOSE | re.DOTALL,
)
_IT_IS: Final = late(
    r"(?:it|that|this)(?:'|\u2019)?[ ]?(?:is|s|was)|(?:es|das|het|dat)[ ](?:ist|is)|c(?:'|\u2019)est|es|è|é",
    re.IGNORECASE,
)
_WORD: Final = late(r"[^\W\d_]{5,40}|[^\W\d_]{2,20}(?:[-_.][^\W\d_]{2,20}){1,5}")
_PHRASE: Final = late(r"[a-z]{3,12}(?:[ -][a-z]{3,12}){3,7}")
_MADE: Final = late(r"(?=\S*\d)(?=\S*[^\W\d])\S{6,}|\d{4,12}|(?=\S*[^\W\d])\S+[!$%&*#?^~+]\S*")
_PLACE: Final = late(
    r"[\w+.-]+://\S*|[~.$/#@\\-]\S*|\S+/\S*|[\w.-]+\.[a-z]{2,5}|[\w.+-]+@[\w.-]+|[A-Z]{2,9}-\d+"
    r"|[A-Za-z]{1,5}[-_]?\d{1,2}|[A-Z_]+"
)
_LONG: Final = 16
"""Characters of a number that is no answer about a secret."""


def asked_in(text: str) -> Asked:
    """What the end of a message asks for: nothing, unless what it asks for is the secret itself."""
    said = text[-_LAST:].lower()
    if not any(map(said.__contains__, _CLUES)):
        return Asked.MADE_UP if _is_command(said.rstrip()) else Asked.NOTHING
    sentences = [each.strip() for each in _SENTENCE.split(said.translate(_SIGNS)) if each.strip()]
    last, before = sentences[-1], sentences[-2] if len(sentences) > 1 else ""
    if _OF_IT.fullmatch(last) and (named := _NAMED.search(before)) is not None:
        return _level(named)
    asked = _asked_by(last)
    # An answer is to the last question.
    return asked if asked is not Asked.NOTHING or last.endswith("?") else _asked_by(before)


def _asked_by(sentence: str) -> Asked:
    if _ELSE.search(sentence):
        return Asked.NOTHING
    is_question = sentence.endswith("?")
    if is_question and _WHETHER.search(sentence):
        return Asked.MADE_UP
    found = _QUESTION.search(sentence) or (_WHICH.search(sentence) if is_question else None)
    if found is not None:
        return _level(found)
    if sentence.endswith(":") and _TYPED.search(sentence):
        return Asked.WORD
    return Asked.MADE_UP if _is_command(sentence) else Asked.NOTHING


def _is_command(said: str) -> bool:
    return any(map(said.__contains__, _COMMANDS)) and _COMMAND.search(said) is not None


def _level(named: re.Match[str]) -> Asked:
    """What counts as the answer to what asks for a thing of these names."""
    return Asked.WORD if named["word"] else Asked.CODE if named["code"] else Asked.TOKEN


def asked_after(asked: Asked, text: str) -> Asked:
    """What is open after the next message: a short one ("one moment") leaves it open for what looks made up."""
    is_open = len(text) <= _SHORT and asked > Asked.MADE_UP
    return asked_in(text) or (Asked.MADE_UP if is_open else Asked.NOTHING)


def answer_in(text: str, asked: Asked) -> str | None:
    """The secret that a message gives, if it is no more than an answer: one word, or `it is ...`."""
    said = text.strip()
    if asked is Asked.NOTHING or len(said) > _LONGEST:
        return None
    if asked is Asked.WORD and _PHRASE.fullmatch(said.strip("`\"'*.")):
        phrase = said.strip("`\"'*.")
        return phrase if SPEECH.isdisjoint(re.split("[ -]", phrase)) else None
    answer = _ANSWER.fullmatch(said)
    if answer is None:
        return None
    secret = answer["secret"].rstrip(".,;:)")
    secret = secret if is_chosen(secret) else secret.rstrip("!?")
    is_code = asked >= Asked.CODE and secret.isdigit()
    if not is_held_value(secret) or _PLACE.fullmatch(secret) or (is_technical(secret) and not is_code):
        return None
    if is_chosen(secret):
        return secret
    is_bare = not answer["after"].strip(".! ") and (
        not answer["before"] or _IT_IS.fullmatch(answer["before"].strip(" ,:")) is not None
    )
    is_word = _WORD.fullmatch(secret) is not None and is_own_word(secret)
    is_secret = (
        (asked >= Asked.WORD and is_word)
        or (asked >= Asked.CODE and _MADE.fullmatch(secret))
        or (asked >= Asked.TOKEN and len(secret) >= _LONG and is_public_id(secret))
    )
    return secret if is_bare and is_secret else None
