"""Passwords that are nothing but words, where a sentence says outright what one is: `the password is butterflynet`.

What sentences else say of a password is how it is (`wrong`, `abgelaufen`, `obligatoire`), and goes on behind the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.chance import KIND, is_held_value
from engramforge.core.secrets.names import is_plain_word
from engramforge.core.secrets.service_tokens import Span
from engramforge.core.text.late_pattern import late

_NAME: Final = late(
    r"(?:passwor[dt]|kennwort|\b(?:pass ?phrase|pass ?code|pwd?|mot de passe|mdp|contraseña|senha|wachtwoord"
    r"|c(?:lave|lé|ode) (?:(?:del? |du )(?:la )?)?(?:wi-?fi|red|réseau|router|alarma|acceso|cuenta|correo)"
    r"|clave(?= para (?:abrir|desbloquear|entrar))))(?![\w-])",
    re.IGNORECASE,
)
_NAMES: Final = ("pass", "kennwort", "pw", "mdp", "contraseña", "senha", "wachtwoord", "clave", "clé", "code")
"""Every name has one of these in small letters."""
_ADVERB = (
    r"(?:[ ](?:now|still|just|simply|currently|actually|jetzt|nun|noch|immer|weiterhin|einfach|übrigens|wieder|derzeit"
    r"|im moment|toujours|encore|maintenant|désormais|simplement|ahora|todavía|aún|siempre|simplemente)){0,2}"
)
_SAYS: Final = late(
    r"(?P<of>[ ](?:root|admin\w*|wi-?fi|wlan|provisoire|maître|maestra))?"
    r"(?P<of_what>[ ](?:for|to|of|on|at|from|in|für|fürs|vom|von|zum|zur|im|am|beim|der|des|du|de|pour|à|au|sur|del"
    rf"|para|en)(?:[ ][\w'\u2019./@-]{{1,24}}){{1,6}}?|[ ]d['\u2019]\w{{1,24}})?,?(?P<then>{_ADVERB})"
    r"(?:['\u2019]s|[ ](?:is|was|will be|ist|war|(?P<outright>lautet|heißt|reste|sigue siendo)|est|était|sera"
    rf"|c['\u2019]est|es|era|será))(?P<still>{_ADVERB}):?[ ]"
    r"(?:(?P<quote>[`\"'“„«][ ]?)(?P<quoted>[^\W\d_]{4,30}(?:[ -][^\W\d_]{3,30}){0,3})(?=[ ]?[`\"'”“»])"
    r"|[*_`]{0,2}(?P<word>[^\W\d_]{5,40}|[^\W\d_]{3,20}(?:[-_.][^\W\d_]{3,20}){1,4})[*_`]{0,2}"
    r"(?=[ \t\r]*(?:\Z|\n|[.!;)]+(?:\s|\Z)|,[ ]|[ ](?:[(\u2013\u2014-]|(?:and|und|et|y|but|aber|mais|pero)[ ]))"
    r"|(?<=[^\W\d_]{8})[ ](?:from|on|since|ab|seit|auf|depuis|sur|desde|a partir)[ ]))",
    re.IGNORECASE,
)
_BARE: Final = late(
    r"(?:\A|[.\n]|\b(?:the|this|that|your|das|dein|ihr|le|la|ton|el|tu|su))\s?\Z", re.IGNORECASE
)
"""What stands before a password that may be any."""
_SUPPOSED: Final = late(
    r"\b(?:if|when|whether|unless|until|wenn|falls|ob|sobald|si|quand|cuando)\b[^.,;:\n]{0,40}\Z"
    r"|\b(?:an?|any|every|each|no|eine?|jedes|kein|un|chaque|aucun|una|cada|ninguna)(?:[ ][\w-]{1,20})?[ ]\Z",
    re.IGNORECASE,
)
"""What stands before a password of which nothing is told but what may be, or what holds for each."""
_OPENED: Final = late(
    r"\b(?:opens?|unlocks?|decrypts?|unzips?|extracts?|entpack\w*|entsperr\w*|öffne\w*|ouvr\w+|abr\w+|descomprim\w+)"
    r"(?:[ ][\w']{1,12}){0,2}[ ](?:with|mit|avec|con)[ ](?P<word>[^\W\d_]{3,20}(?:-[^\W\d_]{3,20}){1,4})"
    r"(?=[ \t\r]*(?:\Z|\n|[.!;,)]|[ ](?:\(|and|und|et|y)))",
    re.IGNORECASE,
)
_LOCKED: Final = ("zip", "archiv", "pdf", "7z", "rar", "backup", "attach", "kdbx", "luks")
"""What is opened with a password, in small letters."""
_SURE: Final = 7
"""So many letters has a word that counts whatever else the sentence says."""
_HOW_WORDS = (
    "better best worse nice poor easier harder tough pure obscure longer shorter found seen nowhere everywhere mine "
    "yours hers ours theirs fresh older newer live sound fake false true enough often back away garbage trash "
    "rubbish toast dead ascii brittle subtle simpler lame weird strange overkill loose lower upper lowercase "
    "uppercase legacy inside outside third worth modern stale real ideal flaky plugin both futsch dort hier gleich "
    "geheim dasselbe derselbe temporär irgendwo nirgends nirgendwo überall anders länger besser schlecht "
    "schwer leicht aktuell kaputt korrekt meins deins komplex simpel programm problem absicht zufall quatsch müll "
    "schrott mist blödsinn geschichte vorhanden teil gold schnee faux court vide compris remis permis transmis "
    "interdit inscrit ouvert offert dedans partout ailleurs complexe ancien nouveau mauvais tien bidon moche robuste "
    "solide propre ridicule quoi segura nueva vieja antigua larga corta buena mala misma suya tuya nuestra esta "
    "aquella distinta sencilla fuerte mejor peor lista rara robusta estricta exacta oculta abierta escrita otra "
    "propia ajena caduca ninguna absurda half"
)
_HOW: Final = frozenset(_HOW_WORDS.split())
_HOW_ENDS: Final = late(
    r"\w{1,40}(?:ed|ing|[aiu]ble|[ts]ive|ful|less|ous|(?:t|r|n|l|f|m)ic|(?<!e)al|[ae]nte?|some|proof|like|empty|text|id"
    r"|[^n]ary|[td]ory|(?<!f)ly|ct|[^g]ate|[fn]ite|[lrs][eu]te|ile|[iu]lar|(?:tt|k|dd|v|z|os|ol)en|(?:kn|sh|bl|dr)own"
    r"|(?:[pnlmzd]{2}|nk|tch)y|(?:n|t|tu|c)iel|nnel|tif|aire|[st]oire|[tl]ique|eux|ment|plet|[^aeo]u|clus|oisi|ourni|fini"
    r"|[ai]d[oa]|[oa]ri[oa]|iv[oa]|(?:ens|fus|gros|als|recti?|fect|plej|tern)[oa]|reve"
    r"|sache|feld|angabe|ung|heit|keit|tät|bestandteil|weise|bezogen)"
    r"|\w{0,40}(?:[Pp]flicht|[Kk]lartext)|\w{0,40}[à-ãç-ïñ-óù-û]\w{0,40}|(?:un(?!ic)|non|in(?:[ac-fhloqv]|s[eu]|ut))\w{1,40}"
    r"|[a-zß-ü]{1,40}(?:bar|lich|isch|los|haft|sam|iert|elt|[^on]ig)"
    r"|(?:(?:[a-zß-ü]{2,14}?)?ge|be|ver|er|zer|hinter|über|unter)[a-zß-ü]{2,20}(?:en|t)"
)
"""How a password is, and what is done with it, in four languages."""


def told(text: str, lowered: str) -> Iterator[Span]:
    """Spans of words that a sentence says to be a password. `lowered`: the text in small letters."""
    for name in _NAME.finditer(text) if any(map(lowered.__contains__, _NAMES)) else ():
        if (said := _SAYS.match(text, name.end())) is None:
            continue
        begin = max(text.rfind(sign, max(name.start() - 20, 0), name.start()) for sign in " \n") + 1
        if _SUPPOSED.search(text, max(begin - 60, 0), begin):
            continue
        group = "quoted" if said["quote"] else "word"
        is_certain = (
            len(said[group]) >= _SURE
            or any(map(said.group, ("quote", "of", "of_what", "then", "still", "outright")))
            or name.start() > begin
            or not _BARE.search(text, max(begin - 20, 0), begin)
        )
        if is_certain and is_own_word(said[group]):
            yield *said.span(group), KIND
    if any(map(lowered.__contains__, _LOCKED)):
        for match in _OPENED.finditer(text):
            if is_own_word(match["word"]):
                yield *match.span("word"), KIND


def is_own_word(said: str) -> bool:
    """Whether a word, or some that are joined, is not how passwords are, nor what is used with them."""
    words = re.split(r"[ ._-]", said)
    return (
        not said.isupper()
        and is_held_value(said)
        and not any(map(is_plain_word, words))
        and _HOW.isdisjoint(map(str.lower, words))
        and _HOW_ENDS.fullmatch(words[-1]) is None
    )
