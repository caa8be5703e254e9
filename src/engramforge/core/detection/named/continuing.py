"""Entries that a sentence says to be over without a word for it ("we no longer follow D003"), or to be open again."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.named_cues import NAMES
from engramforge.core.detection.cues.status_words import CLOSED, CLOSED_GERMAN, CLOSED_ROMANCE
from engramforge.core.detection.named.updates import clause_around, ids_in, is_decision, updated
from engramforge.core.detection.passages import Passage
from engramforge.core.detection.traps import is_conditional, is_hedged
from engramforge.core.text.late_pattern import late
from engramforge.model.registries.detection import Detection

_NOT: Final = r"(?:\b(?:not|never|nothing|nobody|no)\b|n['\u2019]t\b)"
_SOME: Final = r"[^\n]{0,60}?"
_NO_MORE: Final = late(
    rf"(?i)\bno longer\b|{_NOT}{_SOME}\b(?:any ?more|any longer|any further|after all)\b|\bno (?:more|further|need"
    r"|point|use|reason)\b|\bnothing (?:more|left|else|further)\b|\b(?:stop(?:ped|ping)?|quit|ceased?) (?:\w+ing)\b"
    r"|\b(?:won['\u2019]t|not going to|will not|(?:are|am|['\u2019]re|['\u2019]m) not (?=\w+ing\b)|aren['\u2019]t "
    r"(?=\w+ing\b)|decided not to|decided against|not pursuing)\b|\bnicht (?:mehr|l\u00e4nger|weiter)\b"
    rf"|\bkein\w*\b{_SOME}\bmehr\b|\bdoch nicht\b|\bn(?:e |['\u2019]){_SOME}\bplus\b(?! (?:que|tard|de temps))"
    rf"|\bplus (?:besoin|la peine)\b|\bya no\b|\bno\b{_SOME}\bm\u00e1s\b"
)
"""Says that something does not go on."""
_PRACTICE: Final = late(
    r"(?i)\b(?:do(?:es|ing)?|follow(?:s|ing)?|us(?:e|es|ing)|needs?|needed|need(?:ing)?|necessary|required|appl(?:y"
    r"|ies|ying|icable)|h[oe]lds?|holding|stands?|standing|ke(?:ep|eps|eping|pt)|pursu(?:e|es|ing)|want|sticks?"
    r"|sticking|liv(?:e|es|ing) by|abid(?:e|es|ing)|bound|binding|hono\w+|counts?|matters?|reflects?|describes?"
    r"|represents?|what|how|who|ours?|valid|relevant|current|true|right|in (?:force|effect|place|use)|the (?:plan"
    r"|rule|policy|way|case)|sense|(?:go|going|went|proceed\w*|continu\w*|bother\w*|deal\w*|stand\w*) (?:on |ahead "
    r"|through )?(?:with|by)|look(?:ing)? at|look(?:ing)? into|worr(?:y|ying)|car(?:e|ing)|track(?:s|ing)?"
    r"|watch(?:ing)?|chas(?:e|ing)|investigat\w+|work(?:ing)? on|fix(?:ing)?|tackl\w+|an? (?:issue|problem|concern"
    r"|thing)|happen\w*|attention|action|steps?|effort|open|no more (?=[DT]-?\d)|to do|left|implement\w*|adopt\w*"
    r"|enforc\w*|halten|gilt|gelten|g\u00fcltig|brauch\w*|ben\u00f6tig\w*|machen|mache|folgen|befolgen|nutzen"
    r"|verwenden|k\u00fcmmern|verfolg\w*|n\u00f6tig|relevant|notwendig|sinnvoll|suit|suivons|fait|faisons|utilise\w*"
    r"|besoin|peine|valable|faut|applique\w*|seguimos|hacemos|usamos|aplica\w*|hace falta|necesit\w+|vale|sirve)\b"
)
"""What is done with an entry that holds or is open."""
_ELSE: Final = late(
    r"(?i)\b(?:block\w*|wait\w*|stuck|know|knew|remember|recall|sure|certain|talk\w*|discuss\w*|find|see|understand"
    r"|doubt|question\w*|only|just|yet|now that|today|this (?:week|month|sprint)|until|before|tomorrow|ask\w*|argu\w*"
    r"|chang\w*|touch\w*|drop\w*|cancel\w*|revok\w*|clos\w*|revers\w*|abandon\w*|replac\w*|scrap\w*|more (?:important"
    r"|than|like)|other than|without|blockiert|sicher|wei\u00df|noch nicht|(?<!ab )heute|sais|s\u00fbr|s\u00e9|seguro"
    r"|hoy|en attente)\b"
)
"""Says that something else does not go on: "we're no longer blocked", "I don't know any more"."""
_KEPT_OPEN: Final = late(r"(?i)\bkeep\w*\b[^,;]{0,30}\b(?:open|active|around)\b")
_CLOSED: Final = rf"(?:{CLOSED}|{CLOSED_GERMAN}|{CLOSED_ROMANCE}|working)"
_AGAIN: Final = late(
    r"(?i)\b(?:re-?open(?:s|ed|ing)?|open(?:s|ed)?\b[^,;]{0,20} again|unresolved again|back (?:to|as|on) (?:open"
    r"|active|the (?:table|list|agenda|board|open))|(?:is|are|was|['\u2019]s|came|comes|come) back\b(?! (?:to|from|on"
    r"|in)\b(?! the (?:table|list|agenda)))|resurfac\w+|re-?appear\w*|re-?occur\w*|(?:broken|fail\w*|happen\w*) again"
    r"|acting up|pick(?:s|ed|ing)?\b[^,;]{1,20}\bup again|(?:undo|undid|revert\w*|revers\w*|take back) the "
    r"clos\w+(?: of)?|still (?:open|broken|unresolved|unsolved|fail\w*|there|an issue|happening|a problem)|(?:mark"
    r"|set|put|move)\w*\b[^,;]{1,20}\b(?:as|to) (?:open|unresolved|active|not done)|wieder (?:\u00f6ffnen|offen"
    r"|auf(?:machen|nehmen)?|er\u00f6ffnen|da|kaputt)|(?:weiterhin|immer noch|noch|wieder) offen|rouvr\w+|rouvert\w*"
    r"|(?:de nouveau|\u00e0 nouveau|encore|toujours) ouvert\w*|reabr\w+|reabiert\w+|(?:sigue|otra vez|de nuevo) "
    r"abiert\w+|vuelve a estar abiert\w+|volver a abrir|(?:abr\w+|ouvr\w+)\b[^,;]{1,20} (?:de nuevo|\u00e0 nouveau"
    r"|otra vez)|(?:not|noch nicht|doch nicht|pas|no est\u00e1|a\u00fan no est\u00e1|todav\u00eda no est\u00e1) "
    rf"(?:(?:yet|actually|really|quite|fully|been|at all|encore|vraiment) ){{0,2}}{_CLOSED})(?!\w)|n['\u2019]t "
    rf"(?:(?:yet|actually|really|quite|fully|been) ){{0,2}}{_CLOSED}(?!\w)"
)
"""Says that a thread is open, whatever it was."""
_AS_IF: Final = late(
    r"(?i)\b(?:if|when|whether|once|unless|might|may|could|would|maybe|perhaps|don['\u2019]t|do not|never|without|or"
    r"|afraid|want(?:s|ed)? (?:us|me|you|him|her|them) to|wenn|falls|ob|nicht wieder|si|quand|cuando"
    r"|peut-\u00eatre|quiz\u00e1s?"
    r"|tomorrow|next \w+|later|(?:ha(?:ve|s|d)|should|was|were|is)(?: not|n['\u2019]t) re-?open\w*|not reopen)\b"
)


def given_up_in(passage: Passage) -> list[Detection]:
    """Entries that are not kept up any longer: decisions that ended, threads that were abandoned."""
    plain = passage.plain
    found: list[Detection] = []
    for hit in NAMES.finditer(plain):
        begin, end = clause_around(plain, hit.start(), hit.end())
        clause = plain[begin:end]
        if (
            _NO_MORE.search(clause)
            and _PRACTICE.search(clause)
            and not _ELSE.search(clause)
            and not is_conditional(plain, begin + 1)
        ):
            left = "resolved" if _KEPT_OPEN.search(clause) else "abandoned"
            found += [
                updated(passage, each, "invalidated" if is_decision(each) else left, passage.said)
                for each in ids_in(hit[0])
            ]
    return found


def reopened_in(passage: Passage) -> list[Detection]:
    """Threads that are open, or open again; nothing changes for one that was not closed."""
    plain = passage.plain
    if not (again := _AGAIN.search(plain)) or _AS_IF.search(plain) or is_hedged(plain):
        return []
    names = [each for each in ids_in(plain) if not is_decision(each)]
    return [updated(passage, names[0], "open", "")] if names and again else []
