"""Questions that an assistant puts to a person in a dialogue of the host, with options, and what was answered.

Claude Code's is the tool `AskUserQuestion`. What a person chooses there is their own word, although the outcome of a
tool tells it. Pure: parsed JSON in, texts out; nothing raises, whatever the JSON holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engramforge.core.text.late_pattern import late

ASKS: Final = "AskUserQuestion"
ANSWERS: Final = "answered_questions"
"""Under this name the metadata of an outcome hold what was asked and answered."""
_MOST: Final = 12
"""Questions of a dialogue, and options of a question."""
_QUESTION: Final = 600
_LABEL: Final = 200
_ANSWER: Final = 2_000
_RECOMMENDED: Final = late(r"(?i)\s*[\[(](?:recommended|default|suggested)[\])]\s*")
_ENDS: Final = ('". You can now', '" user notes:', '" selected preview:', '" selected markdown:')
_NOTES: Final = late(r"(?i)\" user notes: (?P<notes>[^\n]{1,500}?)(?=, \"|\. You can now|\Z)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a dialogue: the labels of its options, whether it takes several, and the answer, "" so far."""

    text: str
    options: tuple[str, ...] = ()
    header: str = ""
    takes_several: bool = False
    answer: str = ""

    @property
    def worded(self) -> str:
        """The question with its options."""
        return f"{self.text} ({', '.join(self.options)})" if self.options else self.text

    @property
    def told(self) -> str:
        """The answer as a text tells it."""
        return f"Answered: {self.answer}"


def questions_of(request: Any) -> tuple[Question, ...]:
    """The questions that a request to the dialogue puts."""
    given = request.get("questions") if isinstance(request, dict) else None
    return tuple(_questions(given)) if isinstance(given, list) else ()


def _questions(given: Sequence[Any]) -> Iterator[Question]:
    for each in given[:_MOST]:
        if not isinstance(each, dict) or not (text := _text(each.get("question"), _QUESTION)):
            continue
        options = each.get("options")
        labels = [
            _text(option.get("label") if isinstance(option, dict) else option, _LABEL)
            for option in (options[:_MOST] if isinstance(options, list) else [])
        ]
        yield Question(
            text,
            tuple(plain for label in labels if (plain := plain_label(label))),
            _text(each.get("header"), _LABEL),
            each.get("multiSelect") is True,
        )


def with_answers(questions: Sequence[Question], outcome: Any) -> tuple[Question, ...]:
    """The questions that an outcome answers, with the answers: a mapping, or the text that the model gets of it."""
    if isinstance(outcome, dict) and isinstance(outcome.get("answers"), dict):
        outcome = outcome["answers"] | {"": outcome.get("annotations")}
    elif isinstance(outcome, dict):
        outcome = next(
            (v for name in ("content", "result", "text") if isinstance(v := outcome.get(name), str)), ""
        )
    found = []
    for question in questions:
        answer = (
            _in_text(questions, question, outcome)
            if isinstance(outcome, str)
            else _in_mapping(question, outcome)
        )
        if plain := plain_label(answer):
            found.append(replace(question, answer=plain))
    return tuple(found)


def _in_mapping(question: Question, answers: Any) -> str:
    if not isinstance(answers, dict):
        return ""
    given = next((value for name, value in answers.items() if _text(name, _QUESTION) == question.text), "")
    if isinstance(given, list):
        given = ", ".join(each for each in given[:_MOST] if isinstance(each, str))
    answer = _text(given, _ANSWER)
    marks = answers.get("")
    mark = marks.get(question.text) if isinstance(marks, dict) else None
    notes = _text(mark.get("notes"), _ANSWER) if isinstance(mark, dict) else ""
    return f"{answer}, {notes}" if answer and notes else answer or notes


def _in_text(questions: Sequence[Question], question: Question, outcome: str) -> str:
    begin = f'"{question.text}"="'
    at = outcome.find(begin)
    if at < 0:
        return ""
    at += len(begin)
    ends = [*_ENDS, *(f'", "{each.text}"="' for each in questions)]
    found = [place for end in ends if (place := outcome.find(end, at)) >= 0] or [outcome.rfind('"')]
    answer = _text(outcome[at : max(min(found), at)], _ANSWER)
    notes = _NOTES.match(outcome, min(found))
    return f"{answer}, {notes['notes'].strip()}" if notes and answer else answer


def plain_label(label: str) -> str:
    """A label without the mark of what is recommended."""
    return _RECOMMENDED.sub("", label).strip()


def worded(answered: Sequence[Question]) -> str:
    """What was asked and answered, in words."""
    return "\n".join(f"Asked: {each.worded} {each.told}" for each in answered)


def kept(answered: Sequence[Question]) -> list[dict[str, Any]]:
    """What was asked and answered, as metadata keep it."""
    return [
        {
            "question": each.text,
            "header": each.header,
            "options": list(each.options),
            "several": each.takes_several,
            "answer": each.answer,
        }
        for each in answered
    ]


def read_kept(metadata: Mapping[str, Any]) -> tuple[Question, ...]:
    """What metadata keep of questions and answers."""
    given = metadata.get(ANSWERS)
    if not isinstance(given, list):
        return ()
    found = []
    for each in given[:_MOST]:
        if isinstance(each, dict):
            options = each.get("options")
            labels = tuple(x for x in options if isinstance(x, str)) if isinstance(options, list) else ()
            question, answer = _text(each.get("question"), _QUESTION), _text(each.get("answer"), _ANSWER)
            if question and answer:
                header = _text(each.get("header"), _LABEL)
                found.append(Question(question, labels, header, each.get("several") is True, answer))
    return tuple(found)


def _text(value: Any, most: int) -> str:
    """A text in one line, cut."""
    return " ".join(value[: 4 * most].split())[:most].strip() if isinstance(value, str) else ""
