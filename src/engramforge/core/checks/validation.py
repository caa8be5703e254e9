"""Every check on a draft or a query, made before anything is stored.

Each refusal is a typed error that names the fault, with the offending value, and the mend.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from difflib import get_close_matches
from enum import StrEnum
from numbers import Real
from typing import Any, Final, TypeVar

from engramforge.core.checks.identities import called, quoted, refuse_secret
from engramforge.core.checks.plain_values import LARGEST_INTEGER, shown
from engramforge.errors import InvalidContent, InvalidTime, InvalidValue
from engramforge.model.limits import (
    CLOCK_SKEW_SECONDS,
    CONTENT_BYTES,
    COUNTED,
    METADATA_BYTES,
    METADATA_DEPTH,
    NAME_CHARACTERS,
    QUERY_CHARACTERS,
    TAGS_PER_MEMORY,
)
from engramforge.model.memory import Attachment, Chunk, Draft, Kind, ResolutionState, Source
from engramforge.model.scope import Level
from engramforge.model.time import parse_time, utc

FELT_CHARACTERS: Final = 2_000
"""The longest goal, mindstate, felt quality or body sensation."""
PLACE_CHARACTERS: Final = 4_096
"""The longest origin, file path or location of an attachment (PATH_MAX of Linux)."""
EMOTIONS_PER_MEMORY: Final = 64
ATTACHMENTS_PER_MEMORY: Final = 64

_INVISIBLE = " \t\r\n\v\f\u00a0\u00ad\u180e\u200b\u200c\u200d\u2060\ufeff"
_CONTROL = re.compile("[\u0000-\u001f\u007f-\u009f\u2028\u2029]")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_NAME_FIELDS = ("name", "session_id", "speaker", "agent")
_ATTACHMENT_TEXTS = (
    ("location", PLACE_CHARACTERS),
    ("caption", FELT_CHARACTERS),
    ("sha256", PLACE_CHARACTERS),
)
_FELT_FIELDS = ("goal", "mindstate", "felt_quality", "body_sensation")
_UNIT_FIELDS = ("energy", "confidence", "epistemic_tier")

_Word = TypeVar("_Word", bound=StrEnum)


def check_draft(draft: Draft, now: datetime) -> Draft:
    """The draft, normalised: words as enums, times present and UTC, names stripped, tags distinct.

    Raises InvalidContent: the content is empty, larger than 1 MB of UTF-8, or not text. Raises InvalidTime: a time is
    naive, `recorded_at` lies in the future, or `invalid_at` is not after `valid_at`. Raises InvalidValue: anything else
    is out of its range; the message names the field.
    """
    recorded_at, valid_at, invalid_at = check_times(draft.recorded_at, draft.valid_at, draft.invalid_at, now)
    project = check_name(draft.project, "project")
    names: dict[str, str | None] = {
        field: None if (name := getattr(draft, field)) is None else check_name(name, field)
        for field in _NAME_FIELDS
    }
    changes: dict[str, Any] = {
        **names,
        **{field: check_unit(getattr(draft, field), field) for field in _UNIT_FIELDS},
        **{field: check_text(getattr(draft, field), field, FELT_CHARACTERS) for field in _FELT_FIELDS},
    }
    changes |= {
        "content": check_content(draft.content),
        "kind": check_word(Kind, draft.kind, "kind"),
        "source": check_word(Source, draft.source, "source"),
        "level": check_word(Level, draft.level, "level"),
        "resolution_state": check_word(ResolutionState, draft.resolution_state, "resolution_state"),
        "project": project,
        "sequence": None if draft.sequence is None else _check_count(draft.sequence, "sequence"),
        "tags": check_tags(draft.tags),
        "chunk": _check_chunk(draft.chunk),
        "attachments": _check_attachments(draft.attachments),
        "metadata": check_metadata(draft.metadata),
        "emotion_vector": check_emotions(draft.emotion_vector, "emotion_vector"),
        "origin": check_text(draft.origin, "origin", PLACE_CHARACTERS),
        "recorded_at": recorded_at,
        "valid_at": valid_at,
        "invalid_at": invalid_at,
    }
    return replace(draft, **changes)


def check_content(content: object) -> str:
    """The content of a memory as text; bytes are read as UTF-8."""
    if isinstance(content, bytes | bytearray):
        try:
            content = content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidContent(
                f"The content is not UTF-8 (byte {error.start})", "Decode it from its own encoding first"
            ) from None
    if not isinstance(content, str):
        raise InvalidContent(f"The content is a {type(content).__name__}, not text", "Pass a str")
    if not content.strip(_INVISIBLE) or content.isspace():
        raise InvalidContent("The content is empty", "Pass at least one visible character")
    size = len(_as_utf8(content, "The content", InvalidContent))
    if size > CONTENT_BYTES:
        raise InvalidContent(
            f"The content has {size:,} bytes, more than {CONTENT_BYTES:,}", "Split it into several memories"
        )
    return content


def check_query(text: object) -> str:
    """The text of a query: 1 to 10,000 characters of text."""
    return _check_asked(text, "query", "Ask with at least one word", "Ask with its essential sentences only")


def check_claim(text: object) -> str:
    """A text that is compared with what is remembered: 1 to 10,000 characters."""
    return _check_asked(text, "text", "Give the statement to compare", "Give its essential sentences only")


def check_code(text: object) -> str:
    """Code to ask by: 1 to 10,000 characters of text."""
    return _check_asked(
        text, "code", "Give a piece of code, or leave it out", "Ask by its essential part only"
    )


def _check_asked(text: object, what: str, when_empty: str, when_long: str) -> str:
    if not isinstance(text, str):
        raise InvalidValue(f"The {what} is a {type(text).__name__}, not text", "Pass a str")
    if not text.strip(_INVISIBLE) or text.isspace():
        raise InvalidValue(f"The {what} is empty", when_empty)
    if len(text) > QUERY_CHARACTERS:
        raise InvalidValue(
            f"The {what} has {len(text):,} characters, more than {QUERY_CHARACTERS:,}", when_long
        )
    _as_utf8(text, f"The {what}", InvalidValue)
    return text


def check_name(value: object, field: str) -> str:
    """A name of at most 200 characters without control characters, stripped of outer spaces."""
    if not isinstance(value, str):
        raise InvalidValue(f"The {_said(field)} is a {type(value).__name__}, not text", "Pass a str")
    name = value.strip()
    if not name.strip(_INVISIBLE):
        raise InvalidValue(f"The {_said(field)} is empty", "Give it a name, or leave it out")
    if len(name) > NAME_CHARACTERS:
        raise InvalidValue(
            f"The {_said(field)} {quoted(name, 40)}... has {len(name):,} characters, more than {NAME_CHARACTERS}",
            "Shorten it",
        )
    refuse_secret(name, field)
    if name.isascii() and name.isprintable():
        return name
    if control := _CONTROL.search(name):
        raise InvalidValue(
            f"The {_said(field)} {quoted(name, 40)} has the control character U+{ord(control[0]):04X}",
            "Remove it",
        )
    _as_utf8(name, f"The {_said(field)}", InvalidValue)
    return name


def check_word(kind: type[_Word], value: object, field: str) -> _Word:
    """A word of a closed vocabulary, such as a kind; an unknown one is refused with the nearest known."""
    if isinstance(value, kind):
        return value
    try:
        return kind(value.strip().lower() if isinstance(value, str) else str(value))
    except ValueError:
        known = [word.value for word in kind]
        raise InvalidValue(f"There is no {_said(field)} {quoted(value)}", _suggestion(value, known)) from None


def check_unit(value: object, field: str) -> float:
    """A number in 0..1; NaN, booleans and texts are refused."""
    if type(value) is float and 0.0 <= value <= 1.0:
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InvalidValue(f"{field} is {quoted(value)}, not a number", "Pass a number from 0 to 1")
    if not 0 <= value <= 1:  # type: ignore[operator]  # a Real compares with integers
        raise InvalidValue(f"{field} is {shown(value)}", "Pass a number from 0 to 1")
    return float(value)


def check_tags(tags: object) -> tuple[str, ...]:
    """Distinct tags in their order, at most 64."""
    if tags == ():
        return ()
    if isinstance(tags, str) or not isinstance(tags, Sequence | set | frozenset):
        raise InvalidValue(
            f"tags is a {type(tags).__name__}", 'Pass a list of texts, such as ["design", "api"]'
        )
    ordered = sorted(tags, key=str) if isinstance(tags, set | frozenset) else tags
    distinct = tuple(dict.fromkeys(check_name(tag, "tag") for tag in ordered))
    if len(distinct) > TAGS_PER_MEMORY:
        raise InvalidValue(
            f"There are {len(distinct)} tags, more than {TAGS_PER_MEMORY}", "Keep the best of them"
        )
    return distinct


def check_metadata(metadata: object) -> dict[str, Any]:
    """Open metadata: JSON values under text keys, at most 16 deep and 65,536 bytes; a plain copy."""
    if not isinstance(metadata, Mapping):
        raise InvalidValue(
            f"metadata is a {type(metadata).__name__}", "Pass a mapping of names to JSON values"
        )
    if not metadata:
        return {}
    plain = _plain_json(metadata, "metadata", 1)
    written = json.dumps(plain, ensure_ascii=False, allow_nan=False)
    size = len(_as_utf8(written, "The metadata", InvalidValue))
    if size > METADATA_BYTES:
        raise InvalidValue(
            f"The metadata has {size:,} bytes as JSON, more than {METADATA_BYTES:,}",
            "Put long texts into the content",
        )
    assert isinstance(plain, dict)
    return plain


def _plain_json(value: object, place: str, depth: int) -> Any:
    if isinstance(value, str):
        if "\0" in value:
            raise InvalidValue(f"{place} has a NUL", "Remove it: it is binary, not text")
        return str(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if abs(value) > LARGEST_INTEGER:
            raise InvalidValue(f"{place} is a number of {value.bit_length()} bits", "Write it as a text")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidValue(f"{place} is {value}", "JSON has no such number; leave it out or write a text")
        return float(value)
    if not isinstance(value, Mapping | list | tuple):
        raise InvalidValue(
            f"{place} is a {type(value).__name__}, which JSON does not know",
            "Use texts, numbers, booleans, null, lists and mappings",
        )
    if depth > METADATA_DEPTH:
        raise InvalidValue(f"The metadata nests deeper than {METADATA_DEPTH} levels", "Flatten it")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str) or "\0" in key:
                raise InvalidValue(
                    f"{place} has the key {quoted(str(key), 40)}, which is not text", "Use texts as keys"
                )
        return {key: _plain_json(item, f"{place}.{called(key)}", depth + 1) for key, item in value.items()}
    return [_plain_json(item, f"{place}[{index}]", depth + 1) for index, item in enumerate(value)]


def check_times(
    recorded: object, valid: object, invalid: object, now: datetime
) -> tuple[datetime, datetime, datetime | None]:
    """`recorded_at`, `valid_at` and `invalid_at` with their defaults, in UTC; recorded never after now."""
    now_utc = utc(now, "now")
    assert now_utc is not None
    recorded_at = check_moment(recorded, "recorded_at") or now_utc
    if recorded_at > now_utc + timedelta(seconds=CLOCK_SKEW_SECONDS):
        raise InvalidTime(
            f"recorded_at {recorded_at.isoformat()} lies in the future (now is {now_utc.isoformat()})",
            "Leave it out, or check the clock that it comes from",
        )
    # A little ahead means that two clocks differ; nothing is recorded after now.
    recorded_at = min(recorded_at, now_utc)
    valid_at = check_moment(valid, "valid_at") or recorded_at
    invalid_at = check_moment(invalid, "invalid_at")
    if invalid_at is not None and invalid_at <= valid_at:
        raise InvalidTime(
            f"invalid_at {invalid_at.isoformat()} is not after valid_at {valid_at.isoformat()}",
            "Give a later invalid_at, or leave it out while it still holds",
        )
    return recorded_at, valid_at, invalid_at


def check_moment(value: object, field: str) -> datetime | None:
    """A time given as aware datetime or ISO 8601 text, in UTC."""
    if isinstance(value, str):
        return parse_time(value, field)
    return utc(value, field)  # type: ignore[arg-type]  # utc refuses what is no datetime, by name


def check_text(value: object, field: str, most: int) -> str | None:
    """An optional text of at most `most` characters; None stays None, a blank one is refused."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidValue(f"The {_said(field)} is a {type(value).__name__}, not text", "Pass a str")
    if not value.strip(_INVISIBLE):
        raise InvalidValue(f"The {_said(field)} is empty", "Say it, or leave it out")
    if len(value) > most:
        raise InvalidValue(
            f"The {_said(field)} has {len(value):,} characters, more than {most:,}",
            "Put long texts into the content",
        )
    _as_utf8(value, f"The {_said(field)}", InvalidValue)
    return value


def _check_count(value: object, field: str, most: int = LARGEST_INTEGER) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidValue(f"{field} is {quoted(value)}, not a whole number", "Pass a whole number from 0")
    if not 0 <= value <= most:
        raise InvalidValue(f"{field} is {shown(value)}", f"Pass a whole number from 0 to {most}")
    return int(value)


def _check_chunk(chunk: object) -> Chunk | None:
    if chunk is None:
        return None
    if not isinstance(chunk, Chunk):
        raise InvalidValue(
            f"chunk is a {type(chunk).__name__}", "Pass a Chunk, or a mapping of its four fields"
        )
    if (path := check_text(chunk.file_path, "chunk.file_path", PLACE_CHARACTERS)) is None:
        raise InvalidValue("chunk.file_path is missing", "Name the file that the chunk comes from")
    index = _check_count(chunk.chunk_index, "chunk.chunk_index", COUNTED)
    total = _check_count(chunk.total_chunks, "chunk.total_chunks", COUNTED)
    if index >= total:
        raise InvalidValue(f"chunk.chunk_index {index} is not below total_chunks {total}", "Count from 0")
    return Chunk(path, index, total, _check_count(chunk.word_offset, "chunk.word_offset", COUNTED))


def _check_attachments(attachments: object) -> tuple[Attachment, ...]:
    if attachments == ():
        return ()
    if not isinstance(attachments, list | tuple):
        raise InvalidValue(f"attachments is a {type(attachments).__name__}", "Pass a list of attachments")
    if len(attachments) > ATTACHMENTS_PER_MEMORY:
        raise InvalidValue(
            f"There are {len(attachments)} attachments, more than {ATTACHMENTS_PER_MEMORY}",
            "Split the memory",
        )
    for attachment in attachments:
        if not isinstance(attachment, Attachment):
            raise InvalidValue(f"An attachment is a {type(attachment).__name__}", "Pass Attachment objects")
        check_name(attachment.name, "attachment name")
        check_name(attachment.media_type, "attachment media type")
        _check_count(attachment.size_bytes, "attachment size_bytes")
        for name, most in _ATTACHMENT_TEXTS:
            if (text := getattr(attachment, name)) is None:
                raise InvalidValue(f"The attachment {name} is None, not text", "Leave it out")
            check_text(None if text == "" else text, f"attachment {name}", most)
        if attachment.sha256 and not _SHA256.fullmatch(attachment.sha256):
            raise InvalidValue("The attachment sha256 is no digest", "Write 64 hexadecimal digits")
    return tuple(attachments)


def check_emotions(vector: object, field: str) -> dict[str, float] | None:
    """Emotions, each in 0..1; None for none."""
    if vector is None:
        return None
    if not isinstance(vector, Mapping):
        raise InvalidValue(f"{field} is a {type(vector).__name__}", "Pass a mapping of emotions to 0..1")
    if len(vector) > EMOTIONS_PER_MEMORY:
        raise InvalidValue(
            f"{field} names {len(vector)} emotions, more than {EMOTIONS_PER_MEMORY}",
            "Keep the strongest",
        )
    return {
        check_name(name, "emotion"): check_unit(value, f"{field}[{called(str(name))!r}]")
        for name, value in vector.items()
    }


def _as_utf8(text: str, what: str, error: type[InvalidContent] | type[InvalidValue]) -> bytes:
    """The text as UTF-8, refused when it holds a NUL or a lone surrogate."""
    nul = text.find("\0")
    if nul >= 0:
        raise error(f"{what} has a NUL at character {nul}", "Remove it: it is binary, not text")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as fault:
        raise error(
            f"{what} has a lone surrogate U+{ord(text[fault.start]):04X} at character {fault.start}",
            "Decode the text again from its own encoding",
        ) from None


def _suggestion(value: object, known: Sequence[str]) -> str:
    near = get_close_matches(str(value)[:100].lower(), known, 1)
    choices = f"Choose one of {', '.join(known)}"
    return f"Did you mean {near[0]}? {choices}" if near else choices


def _said(field: str) -> str:
    return field.replace("_", " ")
