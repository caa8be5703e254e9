"""Names of emotions, made one before any two are compared: excited and excitement are the same.

Source: spec chapter 5, "Retrieval by state"; document 003, component 5. Forms of one word are made one, and
everyday words for the 28 emotions that texts are read by (core/emotions/emotion): who is happy feels joy. Never two
emotions: frustration stays apart from annoyance. A name that nobody knows is kept as it is written.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from engramforge.core.emotions.emotion import EMOTIONS

_NAMES: Final = 4_096
FORMER: Final[Mapping[str, str]] = {"fatigue": "exhaustion"}
"""Under what other name a store has an emotion that was written before the two were one."""
_FORMS: Final = """
admiration: admire admired admiring admirable impressed
amusement: amused amusing
anger: angry angered furious enraged mad
annoyance: annoyed annoying irritated irritation
anticipation: anticipating
anxiety: anxious
approval: approve approved approving
awe: awed
boredom: bored boring
calm: calmness calmed
caring: care caring_for compassionate compassion affectionate affection
caution: cautious careful
clarity: clear
concern: concerned
confidence: confident
confusion: confused confusing puzzled perplexed baffled bewildered
contentment: content contented
curiosity: curious intrigued
desire: desired desiring longing
despair: despairing desperate
determination: determined
disappointment: disappointed disappointing let_down
disapproval: disapprove disapproving
disgust: disgusted disgusting
doubt: doubtful doubting
drive: driven
eagerness: eager
embarrassment: embarrassed embarrassing mortified
enthusiasm: enthusiastic
excitement: excited exciting thrilled
fatigue: exhaustion exhausted worn_out fatigued tired tiredness weary weariness sleepy
fear: afraid fearful scared frightened terrified terror
focus: focused focussed
frustration: frustrated frustrating
gratitude: grateful thankful thankfulness appreciative
grief: grieving bereaved mourning
guilt: guilty
hope: hopeful
impatience: impatient
inspiration: inspired
interest: interested
joy: joyful joyous happy happiness glad gladness cheerful delighted delight
loneliness: lonely
love: loving loved
nervousness: nervous jittery
neutral: neutrality
optimism: optimistic
overwhelm: overwhelmed overwhelming
pessimism: pessimistic
pride: proud
realization: realisation realized realised
relief: relieved
remorse: remorseful regretful regret
sadness: sad unhappy unhappiness sorrow sorrowful
satisfaction: satisfied satisfying
serenity: serene
shame: ashamed
skepticism: sceptical skeptical scepticism
stress: stressed stressful
surprise: surprised surprising astonished astonishment startled
tension: tense
trust: trusting
uncertainty: uncertain unsure
urgency: urgent
worry: worried worrying
"""


@lru_cache(maxsize=1)
def _name_of() -> Mapping[str, str]:
    """Form -> name."""
    lines = (line.partition(":") for line in _FORMS.split("\n") if line)
    return {form: name for name, _, forms in lines for form in forms.split()}


@lru_cache(maxsize=_NAMES)
def emotion_name(said: str) -> str:
    """The name of an emotion, however it is said.

    >>> emotion_name("Excited"), emotion_name("excitement"), emotion_name("saudade")
    ('excitement', 'excitement', 'saudade')
    """
    plain = "_".join(said.casefold().replace("-", " ").split())
    return _name_of().get(plain, plain)


def unknown_emotions(names: Iterable[str]) -> list[str]:
    """Of some names those that no word for an emotion is known by; somebody may feel so all the same.

    >>> unknown_emotions(["Excited", "calm", "grumblish"])
    ['grumblish']
    """
    known = {*_name_of().values(), *EMOTIONS}
    return [each for each in names if emotion_name(each) not in known]


def normalised(emotions: Mapping[str, float]) -> dict[str, float]:
    """Emotions by their names; of two forms of one the stronger counts, and what is not felt is left out.

    >>> normalised({"excited": 0.8, "Excitement": 0.5, "calm": 0.0})
    {'excitement': 0.8}
    """
    found: dict[str, float] = {}
    for said, strength in emotions.items():
        if strength > 0:
            name = emotion_name(said)
            found[name] = max(found.get(name, 0.0), strength)
    return found


def emotion_cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The cosine of two emotion vectors, 0..1; 0 where either feels nothing.

    0.68 / (0.8544 x 0.8307), as of the example in document 003:

    >>> round(emotion_cosine({"excited": 0.8, "cautious": 0.3}, {"excitement": 0.7, "caution": 0.4, "fear": 0.2}), 3)
    0.958
    """
    if not one or not other:
        return 0.0
    left, right = normalised(one), normalised(other)
    length = math.hypot(*left.values()) * math.hypot(*right.values())
    if not length:
        return 0.0
    product = math.fsum(strength * right.get(name, 0.0) for name, strength in left.items())
    return min(1.0, product / length)
