"""The roots of words: stems, and of irregular forms the stem of the word that they are forms of.

Forms that are as often words of their own (found, left) stay as they are.

For comparing what is asked with what is said; what a store is indexed under are stems alone.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.text.words import stem_of

_FORMS: Final = """
arise arose arisen; awake awoke awoken; bear bore borne; beat beaten; become became; begin began begun; bend bent;
bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt;
buy bought; catch caught; choose chose chosen choice; cling clung; come came; creep crept; deal dealt; dig dug; draw
drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt;
fight fought; flee fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven;
freeze froze frozen; get got gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard; hide hid
hidden; hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; lean leant; learn learnt; lend lent;
light lit; lose lost loss; make made; mean meant; meet met; mistake mistook mistaken; pay paid; prove proven; ride
rode ridden; ring rang rung; rise risen; run ran; say said; see seen; seek sought; sell sold; send sent; sew sewn;
shake shook shaken; shine shone; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep
slept; slide slid; speak spoke spoken; speed sped; spell spelt; spend spent; spin spun; spring sprang sprung; stand
stood; steal stole stolen; stick stuck; sting stung; strike struck; strive strove striven; swear swore sworn; sweep
swept; swell swollen; swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told; think
thought; throw threw thrown; understand understood; wake woke woken; wear wore worn; weave wove woven; weep wept; win
won; write wrote written; child children; foot feet; goose geese; man men; mouse mice; person people; tooth teeth;
woman women; wolf wolves; shelf shelves; knife knives; half halves
"""
_ROOTS: Final = {
    form: first for line in _FORMS.split(";") for first, *forms in [line.split()] for form in forms
}


def root_of(word: str) -> str:
    """The root of a word.

    >>> root_of("kept") == root_of("keeps"), root_of("chosen") == root_of("choosing")
    (True, True)
    """
    return stem_of(_ROOTS.get(word, word))
