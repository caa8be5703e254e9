"""Tiny files in the formats of the benchmarks, written by hand for these tests."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
if str(REPOSITORY) not in sys.path:
    sys.path.append(str(REPOSITORY))


def _turn(number: str, speaker: str, text: str, **more: str) -> dict[str, str]:
    return {"id": number, "speaker": speaker, "text": text, **more}


CONVERSATIONS: list[dict[str, Any]] = [
    {
        "sample_id": "harbour",
        "sessions": [
            {
                "n": 1,
                "date": "2024-02-03T10:00",
                "turns": [
                    _turn("D1:1", "Nora", "I bought a wooden kayak from my uncle last weekend."),
                    _turn("D1:2", "Piet", "Lovely. My sourdough starter finally rose this morning."),
                    _turn("D1:3", "Nora", "Look at this.", image_caption="a red lighthouse on a cliff"),
                ],
            },
            {
                "n": 2,
                "date": "2024-04-20T18:30",
                "turns": [
                    _turn("D2:1", "Piet", "I signed up for a pottery course that starts in May."),
                    _turn("D2:2", "Nora", "The kayak leaks, so I sealed its hull with resin."),
                ],
            },
        ],
        "qa": [
            {"category": "single_hop", "question": "What did Nora buy from her uncle?", "evidence": ["D1:1"]},
            {
                "category": "multi_hop",
                "question": "What happened to the kayak?",
                "evidence": ["D1:1", "D2:2"],
            },
            {"category": 2, "question": "When does the pottery course start?", "evidence": ["D2:1"]},
            {"category": "open_domain", "question": "Where is the lighthouse?", "evidence": ["D1:3"]},
            {"category": "adversarial", "question": "What did Piet bake?", "evidence": ["D1:2", "D9:9"]},
            {"category": "adversarial", "question": "Has it no evidence?", "evidence": ["D9:9"]},
        ],
    },
    {
        "sample_id": "orchard",
        "sessions": [
            {
                "n": 1,
                "date": "2023-09-01T08:00",
                "turns": [
                    _turn("D1:1", "Ilse", "The cherry trees were pruned by Marten's crew."),
                    _turn("D1:2", "Marten", "We also repaired the drip irrigation in the lower field."),
                ],
            }
        ],
        "qa": [
            {"category": "single_hop", "question": "Who pruned the cherry trees?", "evidence": ["D1:1"]},
            {"category": "temporal", "question": "What was repaired in the field?", "evidence": ["D1:2"]},
        ],
    },
]
SESSIONS: list[dict[str, Any]] = [
    {
        "id": "s1",
        "date": "2023-01-05T09:00",
        "turns": [{"role": "user", "content": "My gym locker code is 4410."}],
    },
    {
        "id": "s2",
        "date": "2023-03-09T09:00",
        "turns": [{"role": "user", "content": "New gym locker code: 7725."}],
    },
    {
        "id": "s3",
        "date": "2023-02-01T09:00",
        "turns": [
            {"role": "user", "content": "Suggest a soup for a cold evening."},
            {"role": "assistant", "content": "A leek and potato soup warms well."},
        ],
    },
]
QUESTIONS: list[dict[str, Any]] = [
    {
        "qid": "q1",
        "type": "knowledge-update",
        "abstention": False,
        "question": "What is my gym locker code?",
        "question_date": "2023-04-01T10:00",
        "answer": "7725",
        "evidence": ["s1", "s2"],
    },
    {
        "qid": "q2",
        "type": "single-session-assistant",
        "abstention": False,
        "question": "Which soup did you suggest?",
        "question_date": "2023-04-02T10:00",
        "answer": "leek and potato",
        "evidence": ["s3"],
    },
    {
        "qid": "q3",
        "type": "multi-session",
        "abstention": True,
        "question": "What colour is my bicycle?",
        "question_date": "2023-04-02T10:00",
        "answer": "",
        "evidence": [],
    },
]
PAGES: list[dict[str, Any]] = [
    {
        "id": "/wiki/Mill#P127",
        "relation": "P127",
        "page": "/wiki/Mill",
        "paras": [
            "Mill at the Weir",
            "The mill was built of local stone beside the weir.",
            "From 1801 to 1840 it was owned by Agnes Holt.",
            "From 1841 to 1870 it was owned by the brothers Reeve.",
            "The mill was built of local stone beside the weir.",
        ],
        "questions": [
            {
                "question": "Who owned the mill from 1841 to 1870?",
                "answers": [{"para": 3, "answer": "the brothers Reeve"}],
            },
            {"question": "Who owned the mill in 1950?", "answers": []},
        ],
    },
    {
        "id": "/wiki/Choir#P488",
        "relation": "P488",
        "page": "/wiki/Choir",
        "paras": ["The Choir of the Valley", "Its conductor from 1990 to 1999 was Tomas Berg."],
        "questions": [
            {
                "question": "Who conducted the choir in 1995?",
                "answers": [{"para": 1, "answer": "Tomas Berg"}],
            }
        ],
    },
]


def write_lines(path: Path, records: Iterable[Any]) -> Path:
    """JSON lines, gzipped when the name says so."""
    text = "".join(json.dumps(record) + "\n" for record in records)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.fixture
def locomo_file(tmp_path: Path) -> Path:
    """Two conversations, seven questions with evidence."""
    return write_lines(tmp_path / "talks.jsonl.gz", CONVERSATIONS)


@pytest.fixture
def longmemeval_files(tmp_path: Path) -> list[Path]:
    """Three questions, three sessions."""
    return [
        write_lines(tmp_path / "a.jsonl", QUESTIONS),
        write_lines(tmp_path / "b.jsonl.gz", SESSIONS),
    ]


@pytest.fixture
def timeqa_file(tmp_path: Path) -> Path:
    """Two pages, three questions of which one has no answer; a paragraph comes twice."""
    return write_lines(tmp_path / "pages.jsonl.gz", PAGES)


@pytest.fixture
def exports_folder(tmp_path: Path) -> Path:
    """A folder of exports with a manifest: two transcripts (one with a broken line), a chat, two files of no format."""
    folder = tmp_path / "exports"
    (folder / "talks").mkdir(parents=True)
    record: Callable[..., dict[str, Any]] = lambda kind, number, text: {  # noqa: E731
        "type": kind,
        "uuid": f"u-{number}",
        "sessionId": "session-1",
        "timestamp": f"2025-07-01T10:00:{number:02}Z",
        "cwd": "/somewhere/boat",
        "message": {"role": kind, "content": text},
    }
    first = [
        record("user", 1, "Please varnish the deck."),
        record("assistant", 2, "The deck has two coats of varnish now."),
        {"type": "summary", "summary": "Varnishing", "leafUuid": "u-2"},
    ]
    lines = [json.dumps(each) for each in first] + ["{broken"]
    (folder / "talks" / "one.jsonl").write_text("\n".join(lines) + "\n")
    second = {**record("user", 3, "Is the rudder straight?"), "sessionId": "session-2"}
    write_lines(folder / "talks" / "two.jsonl", [second])
    (folder / "other.json").write_text('{"format": "another"}')
    (folder / "empty.json").write_text("{}")
    chat = {"id": "c", "mapping": {"top": {"message": None, "children": ["m"]}, "m": {"parent": "top"}}}
    chat["mapping"]["m"]["message"] = {"author": {"role": "user"}, "content": {"parts": ["Tar the hull."]}}  # type: ignore[index]
    (folder / "chat.json").write_text(json.dumps(chat))
    manifest = [
        {
            "file": "talks/one.jsonl",
            "types": {"user": 1, "assistant": 1, "summary": 1, "?": 1},
            "bad_lines": 1,
        },
        {"file": "talks/two.jsonl", "types": {"user": 1}},
        {"file": "other.json", "conversations": 1, "messages": 3},
        {"file": "chat.json", "conversations": 1, "messages": 2},
        {"file": "empty.json", "messages": 0},
    ]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder
