"""The events of JSON whose numbers may be anything: texts stay as they are, and Python can read every number."""

import io
import json
import random
import time

import ijson
import pytest

from engramforge.capture.reading.json_events import json_events

SIZES = (1, 7, 64, 1_000, 1 << 16)


class Trickle(io.BytesIO):
    """A stream that gives at most so many bytes at a time."""

    most = 1 << 16

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes."""
        return super().read(self.most if size is None or size < 0 else min(size, self.most))


def _values(document: bytes, size: int) -> object:
    stream = Trickle(document)
    stream.most = size
    builder = ijson.ObjectBuilder()
    for event, value in json_events(stream):
        builder.event(event, value)
    return builder.value


@pytest.mark.parametrize("size", SIZES)
def test_any_document_is_read_as_python_reads_it(size: int) -> None:
    chance = random.Random(size)
    signs = '1234567890\\"\n eE.+-a\u00e9\U0001f600'
    for _ in range(10 if size == 1 else 60):
        texts = ["".join(chance.choices(signs, k=chance.choice((0, 3, 40, 200)))) for _ in range(4)]
        texts.append("1" * chance.choice((17, 18, 4_300, 9_000)) + chance.choice(("", '"', "\\")))
        numbers = [
            chance.randint(-(10**40), 10**40),
            chance.uniform(-1, 1) * 10.0 ** chance.randint(-300, 300),
        ]
        value = [dict.fromkeys(texts, numbers), *texts, {"a": [[*numbers, True, None]]}]
        assert _values(json.dumps(value, ensure_ascii=chance.random() < 0.5).encode(), size) == value


NUMBERS = [
    ("9" * 5_000, float("inf")),
    ("9" * 4_301 + ".5", float("inf")),
    ("9" * 4_301 + "e-5", float("inf")),
    ("1e" + "9" * 5_000, float("inf")),
    ("-1E+" + "9" * 20, float("-inf")),
    ("1e-" + "9" * 20, 0.0),
    ("0." + "3" * 9_000, 1 / 3),
]
LONG = ("9" * 300_000, float("inf"))
"""A byte at a time takes long for it."""


@pytest.mark.parametrize(
    ("number", "value", "size"),
    [(*each, size) for size in SIZES for each in (*NUMBERS, *([LONG] if size > 1 else []))],
    ids=lambda given: str(given)[:12],
)
def test_a_number_of_too_many_digits_is_infinite(number: str, value: float, size: int) -> None:
    text = "1" * 5_000 + '\\"'
    assert _values(f'["{text}", {number}, 2]'.encode(), size) == [json.loads(f'"{text}"'), value, 2]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        *((r"\ud800", "?"), (r"\udfffx", "?x"), (r"\uD83D\uDE00", "\U0001f600"), (r"\ud800A", "?A")),
        *((r"\ud83d\ud83d\ude00", "?\U0001f600"), (r"\ude00\ud83d", "??"), (r"\\ud800", r"\ud800")),
        (r"\ud800" + r"\u0041" * 9, "?" + "A" * 9),
    ],
)
def test_half_a_surrogate_pair_is_a_question_mark(escaped: str, text: str, size: int) -> None:
    assert _values(f'["{escaped}", {{"{escaped}": "{escaped}"}}, 1]'.encode(), size) == [
        text,
        {text: text},
        1,
    ]


def test_a_long_text_takes_time_by_its_length() -> None:
    def seconds(length: int) -> float:
        begun = time.process_time()
        assert sum(1 for _ in json_events(io.BytesIO(b'["' + b"a" * length + b'"]'))) == 3
        return time.process_time() - begun

    # The parser alone takes four times as long for twice the length: 15 s for 50 MB.
    assert seconds(16_000_000) < 3 * seconds(8_000_000) + 0.2
