"""Whether words that state a decision or a thread say what: "Final answer", "We decided that" and "TODO: this" do not.

What they point to stands in another sentence or message; without it they are no entry.
"""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import word_set

_POINTING: Final = word_set(
    "i we you they he she it us me our my your their the a an this that these those one ones which what so then now"
    " today there here all both everyone everybody and or but ok okay yes no not well also just already finally"
    " indeed again still on upon for to of about up with by as at in ahead is are was were be been being am s ve re"
    " m ll d has have had having do does did done doing will would shall can could must let lets use uses used using"
    " thing things stuff way such"
    # German
    " ich wir ihr sie er es uns unser unsere der die das den dem des ein eine einen dies diese dieser dieses da dann"
    " nun jetzt alle und oder aber ja nein nicht auch schon endlich auf zu für mit von im ist sind war wurde wird"
    " werden haben habe hat hatten tun machen gemacht"
    # French
    " je nous vous il elle ils on le la les l un une des ce cet cette ces cela ça c est sont était a ont avons été"
    " pour de du en sur et ou mais oui non pas aussi déjà enfin alors fait faire"
    # Spanish
    " yo nosotros él ella ellos el lo los las una esto eso este ese esta esa es son fue era ha han hemos he sido"
    " para del con y o pero sí si también ya así entonces hecho hacer"
)
_DECIDING: Final = _POINTING | word_set(
    "decide decides decided deciding decision decisions choose chooses chose chosen choosing choice choices pick"
    " picks picked agree agrees agreed agreement settle settles settled final definite definitely official"
    " officially answer verdict call word vote voted made make makes making take takes took taken taking team group"
    " mind minds change changes changed scrap scrapped version stand stands entschieden beschlossen entscheidung"
    " beschluss wahl gewählt einig geeinigt festgelegt endgültig endgültige antwort gefallen getroffen genommen"
    " décidé décision choisi choix tranché retenu accord finale définitive réponse prise decidido decidimos decisión"
    " elegido elección acordado acuerdo definitiva respuesta tomada"
)
_GOING: Final = late(r"(?i)\b(?:go|goes|going|went)(?= (?:with|for|ahead)\b)")
_WORD: Final = late(r"(?P<begin>(?:\A|[.!?:\n])[^\w\n]*)?(?P<word>[^\W_]+)")
_LONGEST: Final = 60
"""Letters; more of them always say something."""


def says_nothing(text: str, *, is_decision: bool) -> bool:
    """Whether a text only points to something else, or only says that it is decided.

    `is_decision`: for a thread, to decide is something to do. A name is told by its capital, a letter by being one:
    "We chose C", "Decision: B".
    """
    if len(text) > _LONGEST:
        return False
    words = list(_WORD.finditer(_GOING.sub(" ", text)))
    bare = _DECIDING if is_decision else _POINTING
    return len(words) > 1 - any(len(each["word"]) > 1 for each in words) and all(
        each["word"].casefold() in bare and not _is_name(each) for each in words
    )


def _is_name(found: re.Match[str]) -> bool:
    word = found["word"]
    is_letter = len(word) == 1 and word not in "IA"
    return word != "I" and word[0].isupper() and (found["begin"] is None or is_letter)
