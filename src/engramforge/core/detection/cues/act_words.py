"""Verbs of what is done to entries that have a name, with all their forms: to revoke a decision, to close a thread.

Each is a pattern that ignores case. What is done in the register itself ("close T001") counts in every form; work
("fix T001") only once it is done.
"""

from __future__ import annotations

from typing import Final

_FORMS_OF: Final = (
    "back back(?:s|ed|ing)?, cancel cancel(?:s|l?ed|l?ing)?, deal deal(?:s|t|ing), do d(?:o|oes|id|one|oing), "
    "forget forg(?:et|ets|ot|otten|etting), get g(?:et|ets|ot|otten|etting), give g(?:ive|ives|ave|iven|iving), "
    "go (?:go|goes|went|gone|going), put put(?:s|ting)?, quit quit(?:s|ting)?, say sa(?:y|ys|id|ying), "
    "strike str(?:ike|ikes|uck|iking), take t(?:ake|akes|ook|aken|aking), throw thr(?:ow|ows|ew|own|owing), "
    "undo und(?:o|oes|id|one|oing), withdraw withdr(?:aw|aws|ew|awn|awing)"
)
_IRREGULAR: Final = dict(each.split(" ") for each in _FORMS_OF.split(", "))
_DOUBLED: Final = frozenset(("annul", "bin", "drop", "scrap", "ship", "stop", "wrap"))


def _every(verb: str) -> str:
    """All forms of an English verb: its own, third person, past and participle."""
    if (there := _IRREGULAR.get(verb)) is not None:
        return there
    if verb.endswith("e"):
        return rf"{verb[:-1]}(?:e|es|ed|ing)"
    if verb.endswith("y"):
        return rf"{verb[:-1]}(?:y|ies|ied|ying)"
    return rf"{verb}(?:e?s|{verb[-1] if verb in _DOUBLED else ''}(?:ed|ing))?"


def _done(verb: str) -> str:
    """The forms in which a verb tells of what is done: "fixed", and "this fixes"."""
    if verb.endswith("e"):
        return rf"{verb}[ds]"
    return rf"{verb}(?:e?s|{verb[-1] if verb in _DOUBLED else ''}ed)"


def _forms(verbs: str) -> str:
    """Verbs apart by commas, each with the words that belong to it: "drop, call off"."""
    parted = (each.strip().partition(" ") for each in verbs.split(","))
    return "|".join(f"{_every(verb)}{space}{rest}" for verb, space, rest in parted)


_KEEPING: Final = r"(?: (?:using|following|doing|keeping|pursuing|having|going with|working on))?"
CHANGES_MIND: Final = (
    r"(?:chang(?:ed|ing) (?:our|my) minds?|change of (?:plans?|mind|heart)) (?:about|on|for|regarding|with)"
)
REVOKES: Final = (
    "(?:"
    + _forms(
        "revoke, retire, withdraw, rescind, repeal, annul, cancel, drop, ditch, scrap, scratch, kill, axe, bin, bury,"
        " strike, overturn, overrule, reverse, revert, void, invalidate, deprecate, nullify, abandon, reject,"
        " retract, abolish, nix, lift, undo, dump, shelve, delete, remove, discard, discontinue, terminate, quash,"
        " veto, kick, kick out, toss, toss out, throw out, roll back, walk back(?: on)?, take back, go back on,"
        " call off, phase out, forget"
    )
    + "|(?:"
    + _forms(
        "back out of, step back from, move (?:away|on) from, get rid of, do away with, give up(?: on)?, forget about,"
        " pull the plug on, pull out of, say goodbye to, let go of, move past, put an end to, stop, quit, cease,"
        " decide against, vote against"
    )
    + rf"|(?:done|through) with|never ?mind|{CHANGES_MIND}|ends){_KEEPING}"
    + r"|oubli(?:e|ez|ons)|olvid(?:a|ad|emos|en|amos)|vergiss|vergesst|(?:annul|abandonn|r\u00e9voqu|abrog|retir"
    r"|supprim|invalid|rejet|enterr)(?:e|es|ons|ent|\u00e9|\u00e9e|er)|(?:anul|cancel|revoc|descart|retir|abandon"
    r"|derog|elimin|invalid|rechaz|tach)(?:o|a|amos|an|ado|ar|aron|\u00f3)|(?:verw[ei]rf|streich|widerruf|kipp"
    r"|beerdig|annullier|cancel)(?:e|en|t)?(?: (?:wir|ich|hiermit|jetzt|nun|damit)){0,2})"
)
"""What ends a decision, or takes a thread off the list unsolved."""
APART: Final = (
    "(?:"
    + _forms(
        "kick, throw, toss, chuck, vote, call, roll, walk, phase, put, take, turn, sort, tick, cross, check, wrap,"
        " clear"
    )
    + ")"
)
"""Verbs whose other half follows the entry: "call D003 off"."""
_AT: Final = r"(?:on|for|in|about|with)"
_WORK: Final = "finish fix complete solve ship implement deliver deploy merge address"
CLOSES: Final = (
    "(?:"
    + _forms("resolve, close, close out, settle, check off, tick off, cross off, strike off")
    + "|"
    + "|".join(map(_done, _WORK.split()))
    + rf"|sort(?:s|ed) out|wrap(?:s|ped|ping) up|clear(?:s|ed) up|dealt with|handled|took care of|(?:got"
    r"|went) (?:around to|through|done with)|finished up|did|nailed|that['\u2019]s (?:it|all|everything|a wrap) "
    rf"{_AT}|(?:done|finished|through|ready) with|(?:nothing|no) (?:more )?(?:left )?(?:work )?(?:left )?(?:to do "
    rf")?{_AT}|(?:put )?(?:a )?(?:tick|check ?mark) (?:behind|on|next to)|haken (?:an|hinter|bei)|(?:ferm|cl\u00f4tur"
    r"|termin|r\u00e8gl|r\u00e9gl|corrig|boucl|achev)(?:e|es|ons|ez|\u00e9|er)|clos|clore|fini|finir|r\u00e9solu"
    r"|r\u00e9soudre|c['\u2019]est (?:bon|fait|fini|r\u00e9gl\u00e9|ok) (?:pour|avec)|(?:cerr|termin|acab|finaliz"
    r"|complet|solucion|arregl)(?:o|amos|ado|ar|aron|\u00f3|\u00e9)|cierra|cierro|resolv(?:imos|er|i\u00f3)|resuelto"
    r"|corregimos|(?:schlie\u00df|schliess|erledig|beend|fix|l\u00f6s)(?:e|en|t)?(?: (?:wir|ich|hiermit|jetzt|nun"
    r"|damit|bitte)){0,2})"
)
"""What settles a thread."""
STRIKES_GERMAN: Final = (
    r"(?:aufheben|verwerfen|streichen|kippen|l\u00f6schen|canceln|annullieren|widerrufen|entfernen|beerdigen"
    r"|vergessen|zur\u00fcck(?:nehmen|ziehen)?|fallen(?: lassen)?)"
)
CLOSES_GERMAN: Final = r"(?:schlie\u00dfen|schliessen|abschlie\u00dfen|abhaken|zumachen|beenden|rausnehmen)"
PERFORMS: Final = (
    r"(?:i(?:['\u2019]d| would) (?:like|love|want)(?: you)? to|i want(?: you)? to|(?:we|i|the (?:whole )?(?:team"
    r"|board|group))(?: have|['\u2019]ve|['\u2019]d)?(?: just| finally| all| now)? (?:decided|agreed|voted|chosen"
    r"|chose|managed|had|got|opted|elected) to|(?:you|we|i) can|you may|(?:it['\u2019]s |it is )?time to|go ahead and"
    r"|(?:feel )?free to|able to|please|let['\u2019]?s|let us|(?:on|tu|vous|nous) (?:peut|peux|pouvez|pouvons)|(?:je"
    r"|nous) (?:voudrais|veux|voulons|souhaite)|(?:nous avons|on a|j['\u2019]ai) d\u00e9cid\u00e9 d['\u2019e]|hemos "
    r"decidido|he decidido|quiero|queremos|quisiera|puedes|podemos|vamos a)(?:\s+(?:now|also|then|safely|finally"
    r"|please|hereby|formally|just|all|simply|officially))*\s+\Z"
)
"""What stands before a verb that the speaker means by saying it: "I'd like to cancel D005", "we had to"."""
