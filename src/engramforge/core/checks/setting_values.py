"""Reading the values of settings, each from the text of a variable or the value of a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from engramforge.core.checks.plain_values import shown
from engramforge.errors import InvalidValue
from engramforge.model.embeddings.encoder_spec import STATIC_SPEC, EncoderKind, EncoderSpec, parse_spec
from engramforge.model.injection import DIVERSITY, EXPLORATION, IMPORTANCE
from engramforge.model.language_models.spec import parse_model_spec
from engramforge.model.spaces import REGISTRY, Space

JUDGE_BY_MODEL: Final = "model"
"""What the setting of the judge of conflicts says for the language model."""
_SWITCHES: Final = {
    **dict.fromkeys(("on", "true", "yes", "1"), True),
    **dict.fromkeys(("off", "false", "no", "0"), False),
}


def is_sound(text: str) -> bool:
    """Whether a text has neither a NUL nor a byte of the environment that is no UTF-8."""
    return "\x00" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def read_number(least: float, most: float) -> Callable[[str, Any], float]:
    """A reader of numbers within a range."""

    def read(name: str, value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if isinstance(value, bool) or not least <= number <= most:
            raise InvalidValue(
                f"The setting {name} is {shown(value)}", f"Give a number from {least:g} to {most:g}"
            )
        return number

    return read


def read_whole(least: int, most: int) -> Callable[[str, Any], int]:
    """A reader of whole numbers within a range."""

    def read(name: str, value: Any) -> int:
        number = read_number(least, most)(name, value)
        if number != int(number):
            raise InvalidValue(f"The setting {name} is {shown(value)}", "Give a whole number")
        return int(number)

    return read


def read_word(name: str, value: Any) -> str:
    """A text that is not blank."""
    if not isinstance(value, str) or not value.strip() or not is_sound(value):
        raise InvalidValue(f"The setting {name} is {shown(value)}", "Give a word")
    return value


def read_key(name: str, value: Any) -> str:
    """A key; it is in no message."""
    key = value.strip() if isinstance(value, str) else ""
    if not key or not key.isascii() or not key.isprintable():
        raise InvalidValue(f"The setting {name} is no key", "Give the key as the provider shows it")
    return key


def read_switch(name: str, value: Any) -> bool:
    """On or off; the file may say true or false."""
    if isinstance(value, bool):
        return value
    word = value.strip().lower() if isinstance(value, str) else ""
    if word not in _SWITCHES:
        raise InvalidValue(f"The setting {name} is {shown(value)}", "Set it to on or off")
    return _SWITCHES[word]


def read_words(name: str, value: Any) -> tuple[str, ...]:
    """A list of words, or a text with commas between them."""
    items = value.split(",") if isinstance(value, str) else value
    if not isinstance(items, list | tuple):
        raise InvalidValue(
            f"The setting {name} is {shown(value)}", "Give a list, or words separated by commas"
        )
    return tuple(read_word(name, item).strip() for item in items if item != "")


def read_some(*known: str) -> Callable[[str, Any], tuple[str, ...]]:
    """Some of these words, or off for none."""

    def read(name: str, value: Any) -> tuple[str, ...]:
        found = read_words(name, value)
        if [each.lower() for each in found] in (["off"], ["none"]):
            return ()
        if unknown := [each for each in found if each not in known]:
            raise InvalidValue(
                f"The setting {name} names {unknown[0][:100]!r}", f"Give some of {', '.join(known)}, or off"
            )
        return tuple(dict.fromkeys(found))

    return read


read_order: Final = read_some(IMPORTANCE, DIVERSITY, EXPLORATION)


def read_thresholds(name: str, value: Any) -> dict[Space, float]:
    """A table of the file, or `space=number` separated by commas."""
    if isinstance(value, str):
        pairs = [item.partition("=")[::2] for item in value.split(",") if item.strip()]
    elif isinstance(value, Mapping):
        pairs = list(value.items())
    else:
        raise InvalidValue(f"The setting {name} is {shown(value)}", "Give a table of space = number")
    found: dict[Space, float] = {}
    for space, number in pairs:
        row = next((row for row in REGISTRY if row.space == str(space).strip()), None)
        if row is None or not row.takes_part_in_relevance:
            known = ", ".join(row.space for row in REGISTRY if row.takes_part_in_relevance)
            raise InvalidValue(
                f"The setting {name} names {str(space)[:40]!r}", f"Write space=number; spaces are {known}"
            )
        if row.space in found:
            raise InvalidValue(f"The setting {name} names {row.space} twice", "Name each space once")
        found[row.space] = read_number(0.0, 1.0)(f"{name} of {row.space}", number)
    return found


def read_encoder(name: str, value: Any) -> str:
    """An encoder's spec, as written; blank for the static one."""
    if not isinstance(value, str):
        raise InvalidValue(
            f"The setting {name} is {shown(value)}", "Write it in quotes, such as static or fastembed:NAME"
        )
    return str(parse_spec(value, name)) if value.strip() else str(STATIC_SPEC)


def read_language_model(name: str, value: Any) -> str | None:
    """A language model's spec, as written; blank for none."""
    if not isinstance(value, str):
        raise InvalidValue(f"The setting {name} is {shown(value)}", "Write it in quotes, as openai:MODEL")
    return str(parse_model_spec(value, name)) if value.strip() else None


def read_judge(name: str, value: Any) -> EncoderSpec | str | None:
    """What judges conflicts: a local model, or the language model; blank or "off" for none."""
    said = value.strip().lower() if isinstance(value, str) else None
    if said in ("", "off"):
        return None
    if said == JUDGE_BY_MODEL:
        return JUDGE_BY_MODEL
    spec = parse_spec(value, name) if isinstance(value, str) else None
    if spec is None or spec.kind is not EncoderKind.LOCAL:
        raise InvalidValue(
            f"The setting {name} is {shown(value)}",
            f"Write local:/folder with an ONNX model, {JUDGE_BY_MODEL} for the one of model_reasoning, or off",
        )
    return spec


def read_reranker(name: str, value: Any) -> EncoderSpec | None:
    """What reranks streams: a model of the hub or of a folder; blank or "off" for none."""
    if isinstance(value, str) and value.strip().lower() in ("", "off"):
        return None
    spec = parse_spec(value, name) if isinstance(value, str) else None
    if spec is None or spec.kind not in (EncoderKind.FASTEMBED, EncoderKind.LOCAL):
        raise InvalidValue(
            f"The setting {name} is {shown(value)}",
            "Write local:/folder or fastembed:NAME, with an ONNX cross-encoder, or off",
        )
    return spec
