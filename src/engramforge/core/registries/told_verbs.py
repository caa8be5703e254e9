"""What a verb that tells of something done was before it was done: "recalibrated" may be told of "recalibrate"."""

from __future__ import annotations

from typing import Final

_IRREGULAR_PASTS: Final = """
ask:asked be:been begin:began,begun bind:bound bring:brought build:built burn:burnt buy:bought catch:caught
choose:chose,chosen cut:cut deal:dealt dig:dug do:did,done draw:drew,drawn drive:drove,driven feed:fed find:found
fit:fit,fitted get:got,gotten give:gave,given go:went,gone grind:ground hang:hung have:had hear:heard hold:held
keep:kept lay:laid lead:led learn:learnt leave:left lend:lent let:let light:lit make:made mean:meant meet:met
pay:paid put:put read:read rid:rid ring:rang,rung run:ran,run see:saw,seen sell:sold send:sent set:set sew:sewn
shake:shook,shaken show:showed,shown shut:shut sit:sat sow:sown speak:spoke,spoken spin:spun split:split
spread:spread spray:sprayed stick:stuck string:strung sweep:swept take:took,taken teach:taught tear:tore,torn
tell:told think:thought throw:threw,thrown undo:undid,undone weave:wove,woven wind:wound write:wrote,written
"""
_BASES: Final = {
    past: base
    for each in _IRREGULAR_PASTS.split()
    for base, _, pasts in (each.partition(":"),)
    for past in pasts.split(",")
}
_PREFIXES: Final = ("re", "over", "un", "pre")
_DOUBLED: Final = 2
_SHORTEST: Final = 4


def told_of(word: str) -> frozenset[str]:
    """The verbs, in their base forms, of which a lower-cased word tells as done; empty for any other word.

    >>> sorted(told_of("recalibrated")), sorted(told_of("rewritten")), sorted(told_of("planned"))
    (['recalibrat', 'recalibrate'], ['rewrite'], ['plan', 'plann', 'planne'])
    >>> told_of("empty")
    frozenset()
    """
    if (base := _BASES.get(word)) is not None:
        return frozenset((base,))
    for prefix in _PREFIXES:
        if word.startswith(prefix) and (base := _BASES.get(word.removeprefix(prefix))) is not None:
            return frozenset((prefix + base,))
    if len(word) < _SHORTEST or not word.endswith("ed"):
        return frozenset()
    cut = word[:-2]
    found = {cut, f"{cut}e"}
    if cut.endswith("i"):
        found = {f"{cut[:-1]}y"}
    elif len(cut) > _DOUBLED and cut[-1] == cut[-2]:
        found.add(cut[:-1])
    return frozenset(found)


def doing(base: str) -> frozenset[str]:
    """The forms in which a verb says that something is still to be done: "prune" and "pruning"."""
    cut = base.removesuffix("e")
    return frozenset((base, f"{cut}ing", f"{base}{base[-1:]}ing"))
