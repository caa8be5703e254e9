"""The emotion rules: which emotions a text speaks of, by words alone.

A small lexicon, with negation, intensifiers, diminishers, capitals and punctuation (after the rules of VADER, Hutto and
Gilbert 2014). It fills a memory's emotion vector where the caller gave none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engramforge.core.emotions.machine_words import OF_MACHINES, PLAIN
from engramforge.core.emotions.plain_facts import is_a_device, is_of_machines, names_a_thing
from engramforge.core.text.words import stem_of, words_of

STRONG: Final = 0.85
CLEAR: Final = 0.6
FAINT: Final = 0.35

LEXICON: Final[dict[str, dict[float, str]]] = {
    "admiration": {
        STRONG: """awesome amazing beautiful fantastic brilliant incredible gorgeous magnificent outstanding
            admire admirable admiration impressive impressed talented genius stunning superb splendid excellent
            phenomenal masterpiece good_job great_job nice_job well_done nice_work great_work good_work good_one
            👏 😍 🤩""",
        CLEAR: """great best cute wonderful nice pretty_good really_good very_good so_good adorable lovely
            perfect perfectly epic legend legendary respect inspiring inspiration inspired hero elegant graceful
            handsome well_written underrated badass clever smart skilled remarkable marvelous 🔥 👌 💯 🙌""",
        FAINT: """good cool hot kudos solid pretty strong fine_work special favorite appreciate""",
    },
    "amusement": {
        STRONG: """lol lmao lmfao rofl haha hahaha hahahaha hahah hehe hilarious funny funniest laugh laughing
            chuckle chuckled giggle amused amusing amusement comedy made_my_day 😂 🤣 😆 😹 xd""",
        CLEAR: """joke jokes joking humor humour humorous fun entertaining comical comedian witty prank meme 😄 😅
            😜 😝 😛""",
        FAINT: """silly goofy 😁 😉""",
    },
    "anger": {
        STRONG: """angry anger furious fury rage enraged outrage outraged outrageous infuriating hate hatred
            pissed fuck_you fuck_off motherfucker goddamn how_dare wtf the_fuck 😡 🤬 😠 👿""",
        CLEAR: """mad hates hated bullshit bastard cunt rude screaming livid hostile resent resentful bitch
            scumbag the_hell get_out shut_up""",
        FAINT: """fuck fucking shit idiot idiots damn asshole moron hell stupid kill scream ridiculous""",
    },
    "annoyance": {
        STRONG: """annoying annoyed annoy annoys annoyance irritating irritated irritate irritation frustrated
            frustrating frustration fed_up sick_of tired_of gets_on_my_nerves 🙄 😒 😤""",
        CLEAR: """stupid asshole idiot idiots dumb rude arrogant selfish whining whine nagging obnoxious ugh
            grow_up bothers bothering bothered nuisance pathetic ridiculous moron morons""",
        FAINT: """damn fuck fucking shit crap hate hates pissed worst suck sucks lazy nonsense trash garbage
            cheating bitching""",
    },
    "approval": {
        STRONG: """agree agreed agrees i_agree totally_agree well_said exactly good_point fair_point fair_enough
            approve approved approval endorse makes_sense you're_right you_are_right he's_right i_support 👍 💪
            ✅""",
        CLEAR: """absolutely definitely indeed right correct true valid yes yep yeah recommend sounds_good
            good_idea great_idea works_for_me not_bad no_problem that's_fair""",
        FAINT: """fine better okay sure support acceptable reasonable good_enough qualified healthy legit""",
    },
    "caring": {
        STRONG: """take_care stay_safe stay_strong don't_worry you're_not_alone not_alone here_for_you be_safe
            get_well feel_better hang_in_there keep_your_head_up bless_you bless_your hugs hug sending_love
            you_got_this i'm_here_for_you look_after 🤗 🫂""",
        CLEAR: """care cares caring comfort protect support worried_about be_careful careful safe stay_away
            make_sure help_you you_deserve gentle kindness compassion sympathy condolences reach_out""",
        FAINT: """worry help yourself okay please bro buddy heal healing recovery""",
    },
    "confusion": {
        STRONG: """confused confusing confusion confuses puzzled puzzling baffled baffling bewildered perplexed
            no_idea don't_understand don't_get_it doesn't_make_sense makes_no_sense idk 😕 🤔 🤨 😵""",
        CLEAR: """not_sure unsure unclear don't_know i_don't_know dont_know dunno what_do_you_mean lost_me huh
            which_one i'm_lost can't_tell even_know how_can ambiguous clueless""",
        FAINT: """maybe somehow mixed_up odd strange""",
    },
    "curiosity": {
        STRONG: """curious curiosity i_wonder wondering anyone_else anyone_know does_anyone interested_in
            intrigued intriguing 🧐""",
        CLEAR: """do_you are_you have_you did_you what_is what's_your how_do how_did why_do why_did why_is
            what_are is_it is_there is_that what_about what_happened what_kind how_long how_many how_much
            what_was where_did who_is which can_you would_you could_you does_it does_this is_this""",
        FAINT: """interesting why what how where who question""",
    },
    "desire": {
        STRONG: """i_wish wish wishes wishing crave craving yearn longing desire i_want_to i_really_want
            i_need_this would_love_to if_only i_want_this dying_to""",
        CLEAR: """i_want want_to_be wanna i'd_love i'd_like would_like need_this need_one we_need tempted 🤤""",
        FAINT: """want wants dream_of hoping desperate""",
    },
    "disappointment": {
        STRONG: """disappointed disappointing disappointment disappoint disappoints let_down letdown
            unfortunately unfortunate what_a_shame underwhelming underwhelmed bummer bummed 😞 😔 😥""",
        CLEAR: """too_bad my_bad so_bad sadly a_shame failed failure lame miss_out missed_out regrettable
            anticlimactic not_great gave_up ruined not_good""",
        FAINT: """bad lost miss lose losing worse poor boring tired fails fail wasted waste never""",
    },
    "disapproval": {
        STRONG: """disagree disagreed disapprove disapproval dislike disliked object_to unacceptable
            i_don't_think that's_not not_true not_cool that's_wrong don't_like not_okay 👎 ❌""",
        CLEAR: """wrong no_it's not_a isn't doesn't don't not_the blame offensive inappropriate don't_believe
            shouldn't unrealistic unfair nope terrible_idea bad_idea is_not it's_not not_funny not_even illegal
            wouldn't stop""",
        FAINT: """not no never can't won't didn't against hypocrite aren't wasn't""",
    },
    "disgust": {
        STRONG: """disgusting disgust disgusted disgusts gross nasty vile repulsive revolting sickening
            nauseating yuck eww ew puke vomit 🤢 🤮""",
        CLEAR: """awful horrific ugly filthy creepy creep cringe cringey weird worst toxic rotten foul
            makes_me_sick obscene horrible monster 😖""",
        FAINT: """worse shit bad garbage trash dirty""",
    },
    "embarrassment": {
        STRONG: """embarrassed embarrassing embarrass embarrassment ashamed humiliated humiliating mortified
            awkward cringed 😳 🙈 😬""",
        CLEAR: """shame shameful shy blush blushing self-conscious oops whoops""",
        FAINT: """cringe my_bad silly_me""",
    },
    "excitement": {
        STRONG: """excited exciting excitement excite can't_wait cant_wait thrilled thrilling hyped hype stoked
            i'm_pumped am_pumped so_pumped pumped_up pumped_for pumped_about so_excited woohoo yay 🎉 🥳 🤩""",
        CLEAR: """wow omg fuckin_awesome happy_birthday let's_go looking_forward ready_for finally wait_to
            hell_yeah congratulations congrats""",
        FAINT: """fantastic epic awesome amazing insane 🚀 ⚡""",
    },
    "fear": {
        STRONG: """afraid scared scary scare scares fear fears feared terrified terrifying frightened
            frightening nightmare nightmares horrified panic panicked phobia dread dreading petrified 😱 😨 👻""",
        CLEAR: """danger dangerous threat threatening threatened horror creepy worried unsafe terror haunting
            haunted horrifying alarming paranoid""",
        FAINT: """terrible horrible horrific worry risk suspicious""",
    },
    "gratitude": {
        STRONG: """thank thanks thankful thank_you thx ty tysm grateful gratitude appreciated much_appreciated
            appreciate_it i_appreciate appreciate_your 🙏""",
        CLEAR: """appreciate blessed indebted cheers_for kind_words""",
        FAINT: """welcome bless cheers""",
    },
    "grief": {
        STRONG: """grief grieving grieve mourning mourn bereaved rest_in_peace rip passed_away funeral
            lost_my_mother lost_my_father lost_my_dad lost_my_mom lost_my_brother lost_my_sister lost_my_friend
            ⚰ 🕊""",
        CLEAR: """died death dead_man he's_dead she's_dead they're_dead is_dead are_dead was_dead loss he_died
            she_died they_died heartbroken_over suicide widow""",
        FAINT: """lost die gone miss_him miss_her""",
    },
    "joy": {
        STRONG: """happy happiness glad joy joyful delighted delightful enjoy enjoyed enjoying enjoys enjoyable
            cheerful elated ecstatic overjoyed blissful so_happy pleased pleasure 😊 😀 😃 😄 🙂 ☺ 😁 🎊""",
        CLEAR: """fun smile smiling smiled cheer cheers celebrate celebration merry yay great_time good_time
            wholesome cake_day happy_for laughing paradise sweet thrilled""",
        FAINT: """good nice satisfying lucky great love win winning relaxing""",
    },
    "love": {
        STRONG: """love loved loves loving beloved adore adored my_favorite favourite favorite i_love love_you
            love_it love_this in_love sweetheart darling ❤ 💕 💖 💗 💘 💙 💚 💛 💜 🧡 🖤 😘 🥰 😍 💓""",
        CLEAR: """like_you i_like_this i_really_like really_like fond cherish affection romantic crush soulmate
            dear passionate""",
        FAINT: """i_like heart likes sweet""",
    },
    "nervousness": {
        STRONG: """nervous nervously anxious anxiety anxiously uneasy jittery on_edge stressed stressful
            stressing worried_that always_worried 😰 😓 🥺""",
        CLEAR: """worried worry worries worrying tense apprehensive restless butterflies stress overwhelmed""",
        FAINT: """concerned concern pressure insecure hesitant""",
    },
    "optimism": {
        STRONG: """hope hopes hopeful hopefully hoping optimistic optimism good_luck best_of_luck
            fingers_crossed i_hope looking_up bright_side will_get_better 🤞 🌈""",
        CLEAR: """luck confident faith promising one_day someday positive better_days can_do_it believe_in
            look_forward potential""",
        FAINT: """better success future opportunity best wishes believe pray prayers""",
    },
    "pride": {
        STRONG: """proud pride proudly so_proud proud_of""",
        CLEAR: """accomplished accomplishment achievement achieved i_did_it we_did_it earned_it 🏆 🥇""",
        FAINT: """milestone honored honoured succeeded""",
    },
    "realization": {
        STRONG: """realize realized realizes realise realised realising realizing realization it_hit_me
            turns_out i_see_now now_i_get never_realized just_noticed it_dawned epiphany""",
        CLEAR: """i_thought remind reminds reminded i_forgot now_that_i it_turns_out come_to_think
            i_just_noticed figured_out noticed now_i_know makes_me_realize""",
        FAINT: """thought remember apparently learned actually discovered""",
    },
    "relief": {
        STRONG: """relief relieved thank_god thank_goodness thank_heavens phew whew what_a_relief glad_it's_over
            relieving 😌 😮‍💨""",
        CLEAR: """finally_over at_last could_have_been_worse glad_i'm_not reassuring reassured""",
        FAINT: """finally glad safe_now""",
    },
    "remorse": {
        STRONG: """sorry i'm_sorry im_sorry so_sorry apologize apologise apologies apology regret regrets
            regretted remorse guilty guilt forgive_me my_apologies i_feel_bad feel_bad""",
        CLEAR: """forgive my_fault my_mistake i_shouldn't_have ashamed_of repent""",
        FAINT: """my_bad mistake shame meant""",
    },
    "sadness": {
        STRONG: """sad sadness sadly saddest saddened saddening depressed depressing depression heartbreaking
            heartbroken miserable misery sorrow crying cried cry cries tears tragic 😢 😭 ☹ 💔 😿 🙁""",
        CLEAR: """broke_my_heart breaks_my_heart
            hurt hurts pain painful lonely loneliness alone unhappy sorry_to_hear sorry_for_your miss_you
            suffering hopeless devastated devastating sob upset broken ouch gloomy""",
        FAINT: """sorry loss miss missed bad lost poor unfortunate terrible empty burden""",
    },
    "surprise": {
        STRONG: """surprised surprise surprising surprisingly shocked shocking shock astonished astonishing omg
            unexpected unexpectedly can't_believe cant_believe no_way oh_my_god stunned 😮 😲 😯 🤯""",
        CLEAR: """wow whoa unbelievable holy_shit oh_my oh_wow never_expected didn't_expect what_the who_knew
            wonder out_of_nowhere mind_blown i_wonder""",
        FAINT: """oh wait really crazy suddenly believe""",
    },
}

OPPOSITES: Final = {
    emotion: opposite
    for opposite, emotions in {
        "disapproval": "admiration approval desire love",
        "annoyance": "amusement caring",
        "approval": "anger annoyance disapproval disgust",
        "realization": "confusion",
        "relief": "disappointment fear nervousness sadness",
        "pride": "embarrassment",
        "disappointment": "excitement optimism",
        "sadness": "joy",
        "embarrassment": "pride",
    }.items()
    for emotion in emotions.split()
}
"""What a negated emotion turns into; others are dropped."""

NEGATIONS: Final = """not no never none nobody nothing neither nor hardly barely without don't doesn't didn't
    isn't aren't wasn't weren't won't wouldn't can't cannot couldn't shouldn't haven't hasn't hadn't ain't dont
    doesnt didnt isnt wasnt wont cant"""
INTENSIFIERS: Final = """very so really extremely absolutely totally completely incredibly super truly deeply
    such most fucking damn insanely utterly"""
DIMINISHERS: Final = "somewhat slightly bit little kinda kind sort fairly rather mildly barely almost"


NEUTRAL: Final = "neutral"
EMOTIONS: Final[tuple[str, ...]] = (*LEXICON, NEUTRAL)
"""The 28 names: 27 emotions and neutral."""

NEGATION_REACH: Final = 3
"""How many words before an emotion's word a negation still turns it."""
NEGATED: Final = 0.6
"""The share of a negated emotion that counts for its opposite."""
STRONGER: Final = 1.25
WEAKER: Final = 0.6
SHOUTED: Final = 1.15
EXCLAIMED: Final = 1.1
ASKED: Final = 0.3
"""What a question mark adds to curiosity."""
FAINTEST: Final = 0.2
"""An emotion below this is left out."""
WORDS_READ: Final = 2_000
"""A longer text is judged by its beginning."""

_LONGEST_PHRASE: Final = 4
_KEPT_WORDS: Final = 8_192
_QUESTIONS: Final = frozenset({"curiosity", "confusion"})


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """Stem or phrase -> (emotion, strength) pairs. `begins`: the first two words of each phrase."""

    by_stem: Mapping[str, tuple[tuple[str, float], ...]]
    by_phrase: Mapping[tuple[str, ...], tuple[tuple[str, float], ...]]
    begins: frozenset[tuple[str, ...]]
    first_words: frozenset[str]


def emotions_of(text: str) -> dict[str, float]:
    """Emotion -> strength in [0.2, 1], strongest first; empty where nothing is felt.

    Several words for one emotion add up as 1 - product(1 - strength); neutral is never among the names.
    """
    words = words_of(text)[:WORDS_READ]
    lexicon = _lexicon()
    absent: dict[str, float] = {}
    factor = EXCLAIMED if "!" in text else 1.0
    # Words in capitals, in a text that is not all capitals.
    loud = () if text.isupper() else text.split()
    shouted = {word.casefold() for word in filter(str.isupper, loud) if len(word) > 2}
    of_machines: bool | None = None
    for place, length, pairs in _matches(words, lexicon):
        if length == 1 and is_a_device(words, place):
            continue
        if _phrase_key(words[place : place + length]) in _OF_MACHINES or (
            length == 1 and names_a_thing(words, place)
        ):
            of_machines = is_of_machines(text, words) if of_machines is None else of_machines
            if of_machines:
                continue
        scale = factor * _scale(words, place) * (SHOUTED if words[place] in shouted else 1.0)
        turned = length == 1 and _negated(words, place)
        for emotion, strength in pairs:
            name = OPPOSITES.get(emotion) if turned else emotion
            if name is not None:
                felt = min(strength * scale * (NEGATED if turned else 1.0), 0.98)
                absent[name] = absent.get(name, 1.0) * (1 - felt)
    if "?" in text:
        absent["curiosity"] = absent.get("curiosity", 1.0) * (1 - ASKED)
    else:
        for name in _QUESTIONS & absent.keys():
            absent[name] = 1 - (1 - absent[name]) * WEAKER
    felt_now = {name: round(1 - left, 3) for name, left in absent.items() if 1 - left >= FAINTEST}
    return dict(sorted(felt_now.items(), key=lambda item: (-item[1], item[0])))


def _matches(
    words: Sequence[str], lexicon: _Lexicon
) -> Iterator[tuple[int, int, tuple[tuple[str, float], ...]]]:
    """Place, length and emotions of each phrase, longest first, and of each word outside a phrase."""
    end = 0
    for place, word in enumerate(words):
        if place < end:
            continue
        if word in lexicon.first_words and tuple(words[place : place + 2]) in lexicon.begins:
            for length in range(min(_LONGEST_PHRASE, len(words) - place), 1, -1):
                if (pairs := lexicon.by_phrase.get(tuple(words[place : place + length]))) is not None:
                    yield place, length, pairs
                    end = place + length
                    break
        if place >= end and (pairs := _pairs_of(word)):
            yield place, 1, pairs


def given_emotions(content: str, felt: Mapping[str, float]) -> Mapping[str, float] | None:
    """Emotions that somebody gave a text; None where they are what the rules read in it, which apply to no other."""
    return None if dict(felt) == emotions_of(content) else felt


@lru_cache(maxsize=_KEPT_WORDS)
def _pairs_of(word: str) -> tuple[tuple[str, float], ...] | None:
    return _lexicon().by_stem.get(_key(word))


def _key(word: str) -> str:
    return word if "'" in word else stem_of(word)


def _phrase_key(words: Sequence[str]) -> str:
    return _key(words[0]) if len(words) == 1 else " ".join(words)


def _scale(words: Sequence[str], place: int) -> float:
    """How the preceding words scale an emotion's word."""
    before = words[max(place - 2, 0) : place]
    if not before:
        return 1.0
    if before[-1] in _INTENSIFIERS:
        return STRONGER
    return WEAKER if before[-1] in _DIMINISHERS or before[0] in _DIMINISHERS else 1.0


def _negated(words: Sequence[str], place: int) -> bool:
    return words[place] not in _NEGATIONS and any(
        word in _NEGATIONS for word in words[max(place - NEGATION_REACH, 0) : place]
    )


_OF_MACHINES: Final = frozenset(_phrase_key(words_of(each.replace("_", " "))) for each in OF_MACHINES.split())
_NEGATIONS: Final = frozenset(NEGATIONS.split())
_INTENSIFIERS: Final = frozenset(INTENSIFIERS.split())
_DIMINISHERS: Final = frozenset(DIMINISHERS.split())


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    stems: dict[str, dict[str, float]] = {}
    phrases: dict[tuple[str, ...], dict[str, float]] = {
        tuple(words_of(phrase.replace("_", " "))): {} for phrase in PLAIN.split()
    }
    for emotion, by_strength in LEXICON.items():
        for strength, listed in by_strength.items():
            for entry in listed.split():
                words = tuple(words_of(entry.replace("_", " ")))
                held = (
                    stems.setdefault(_key(words[0]), {}) if len(words) == 1 else phrases.setdefault(words, {})
                )
                held[emotion] = max(held.get(emotion, 0.0), strength)
    return _Lexicon(
        {stem: tuple(pairs.items()) for stem, pairs in stems.items()},
        {phrase: tuple(pairs.items()) for phrase, pairs in phrases.items()},
        frozenset(phrase[:2] for phrase in phrases),
        frozenset(phrase[0] for phrase in phrases),
    )
