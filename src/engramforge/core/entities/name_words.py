"""Word lists of the rules that find names: what opens a sentence, what is no name, what ends a name of some kind."""

from __future__ import annotations

from typing import Final

_OPENERS: Final = """
absolutely according actually additionally afterwards agreed almost already alright although always amazing anyway
apparently apply ask awesome awww aww basically besides bet bring bummer bye call can't change check cheers choose
click clearly come congrats congratulations consider cool could create currently cute damn dear decided definitely
despite done dude earlier either enjoy enough especially essentially even eventually every everyone everything exactly
excellent excited fair fantastic feel finally find fine first firstly follow fortunately from fun further furthermore
generally give glad go good goodbye goodnight gosh got gotcha great guess guys haha hah happy hard have hear hence
here hmm honestly hope hopefully how however huh hurray imagine important impressive indeed initially inside instead
interesting keep kind kinda know last lastly lately later learn let listen little look looking looks lots lovely love
luckily make many maybe mean meanwhile might mine miss moreover morning most mostly much nah neither never
nevertheless new next nice nobody none normally note nothing now obviously oh omg one open otherwise overall perfect
perhaps personally phew please plus possibly pretty previously probably proud put quick quite rather read really
recently regarding remember right sadly same say second secondly see seems seriously set several should show similarly
since skip slowly some somehow someone something sometimes soon sorry sounds start still stop such suddenly sup super
supposedly sure sweet take talk tell thank thankfully thanks then there therefore think third though thrilled today
together tomorrow tonight totally tried true truly try turn two typically unfortunately unless unlike update usually
wait want watch well welcome what whatever when whenever where wherever while whoa whoever why wish with without woah
wonder wonderful woohoo wow write yay yeah yep yes yesterday yet yo you're yup added fixed removed updated changed
moved renamed implemented run use using used build test tests install error warning info debug todo summary question
answer user assistant system human example examples step steps args arguments returns raises yields param params
parameters notes total convert compute calculate parse return ensure handle implement allow combine collapse improve
refactor extract replace support move rename drop merge define describe create delete load save send verify validate
clarify correct initial accept adding added proposal proposed recommended
"""
_NO_NAMES: Final = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
october november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec am pm ok lol
omg btw imo fyi tv dvd diy faq aka asap eta i i'm i've i'd i'll mr mrs ms dr christmas easter true false none null yes
no etc god ceo cto cfo coo vp phd msc bsc api url html css sql cpu gpu ram
"""
_ORGANISATIONS: Final = """
inc ltd llc gmbh corp corporation company co plc ag university college school institute institution foundation
association society bank ministry department agency council committee commission union club team group labs laboratory
laboratories hospital museum church court parliament senate party press records studios studio airlines international
holdings partners office bureau authority federation league academy orchestra
"""
_PLACES: Final = """
street road avenue lane square park river lake mount mountain mountains island islands bay beach valley county city
town village province state states republic kingdom sea ocean desert forest bridge station airport harbour harbor
coast canyon falls hill hills peninsula district tower palace castle cathedral
"""
_NO_PACKAGES: Final = """
dependencies dependency packages package modules module data file files everything software updates version versions one
tools requirements plugins libraries library code things scripts records content contacts photos standard whole same
other main entire current old second following script process step
"""
_UNITS: Final = """
ad bc ce utc gmt usd eur gbp kb mb gb tb
"""
_BEFORE_NUMBERS: Final = """
top mid pre post sub age aged page level grade non
"""
_STATES: Final = """
good great ready fine nice over done awesome amazing cool hard easy fun up on off
"""
OPENERS: Final = frozenset(_OPENERS.split())
"""Words that often open a sentence and name nothing."""
NO_NAMES: Final = frozenset(_NO_NAMES.split())
"""Capitalised words that are not entities: days, months, titles, abbreviations."""
ORGANISATIONS: Final = frozenset(_ORGANISATIONS.split())
"""Last words of an organisation's name."""
PLACES: Final = frozenset(_PLACES.split())
"""Last words of a place's name."""
NO_PACKAGES: Final = frozenset(_NO_PACKAGES.split())
"""What is installed and imported, and is no name."""
UNITS: Final = frozenset(_UNITS.split())
"""What may stand in capitals before a number and is not what the number counts."""
BEFORE_NUMBERS: Final = frozenset(_BEFORE_NUMBERS.split())
"""Words that a hyphen joins to a number without making a name: top-10."""
STATES: Final = frozenset(_STATES.split())
"""What something is, behind "'s": dinner's ready."""
