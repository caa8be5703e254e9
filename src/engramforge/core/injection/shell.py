"""A shell's command line as the commands that it runs, those within others included.

What only stands in a text is no command: quotations, comments, what is fed to a program that is no shell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_BLANK: Final = " \t\r"
_ENDS: Final = ";&|\n"
_NUMBER: Final = re.compile(r"\d{1,2}\Z")
_DEEPEST: Final = 20


@dataclass(slots=True)
class Command:
    """A command: its words without their quotes, the files that it writes its output to, and the text it is fed.

    `starts`: whether another command is all that it runs. `settings`: what variables are set to for it.
    """

    words: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    fed: str = ""
    starts: bool = False
    settings: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Level:
    """What is read between two brackets, or of the whole line."""

    ends: str
    is_quoted: bool = False
    word: list[str] | None = None
    command: Command = field(default_factory=Command)
    goes: str = ""
    """Where the next word belongs: a file that is written to or read, or nothing for a word of the command."""


def commands_in(line: str) -> list[Command]:
    """The commands of a line, in the order of their ends.

    >>> [each.words for each in commands_in("cd a && (npm publish) | tee 'a b' # ls")]
    [['cd', 'a'], ['npm', 'publish'], ['tee', 'a b']]
    >>> [(each.words, each.written, each.fed) for each in commands_in("cat <<E > x\\nls -l\\nE\\nls")]
    [(['cat'], ['x'], 'ls -l\\n'), (['ls'], [], '')]
    >>> [each.words for each in commands_in('echo "a; $(git push; echo b)" `id`')]
    [['git', 'push'], ['echo', 'b'], ['id'], ['echo', 'a; ', '']]
    """
    return list(_Reader(line).read())


class _Reader:
    """Goes through a line once."""

    def __init__(self, line: str) -> None:
        self._line = line
        self._place = 0
        self._levels = [_Level("")]
        self._awaited: list[tuple[Command, str, bool]] = []

    def read(self) -> Iterator[Command]:
        while self._place < len(self._line):
            letter = self._line[self._place]
            self._place += 1
            yield from self._quoted(letter) if self._levels[-1].is_quoted else self._plain(letter)
        for level in reversed(self._levels):
            yield from self._end(level)

    def _quoted(self, letter: str) -> Iterator[Command]:
        """A letter between double quotes."""
        level = self._levels[-1]
        if letter == '"':
            level.is_quoted = False
        elif letter == "\\":
            self._add(self._take(1))
        elif letter == "$" and self._line.startswith("(", self._place):
            self._place += 1
            self._open(")")
        elif letter == "`":
            yield from self._backtick()
        else:
            self._add(letter)

    def _plain(self, letter: str) -> Iterator[Command]:
        level = self._levels[-1]
        if letter in _BLANK:
            self._end_word(level)
        elif letter == "&" and self._line.startswith(">", self._place):
            pass  # the redirection says all
        elif letter in _ENDS:
            yield from self._end(level)
            if letter == "\n":
                self._feed()
        elif letter == "\\":
            if (taken := self._take(1)) != "\n":
                self._add(taken)
        elif letter == "'":
            self._add(self._until("'"))
        elif letter == '"':
            self._add("")
            level.is_quoted = True
        elif letter == "`":
            yield from self._backtick()
        elif letter == "#" and level.word is None:
            end = self._line.find("\n", self._place)
            self._place = len(self._line) if end < 0 else end
        elif letter in "<>":
            self._redirect(level, letter)
        elif letter == "(" or (letter == "$" and self._line.startswith("(", self._place)):
            self._place += letter == "$"
            self._open(")")
        elif letter == ")":
            yield from self._close(level)
        else:
            self._add(letter)

    def _open(self, ends: str) -> None:
        if self._levels[-1].word is None and self._line[self._place - 2 : self._place] == "$(":
            self._add("")
        if len(self._levels) < _DEEPEST:
            self._levels.append(_Level(ends))

    def _close(self, level: _Level) -> Iterator[Command]:
        if level.ends != ")":
            level.word, level.command = None, Command()  # the pattern of a case
            return
        yield from self._end(level)
        self._levels.pop()

    def _backtick(self) -> Iterator[Command]:
        level = self._levels[-1]
        if level.ends == "`":
            yield from self._end(level)
            self._levels.pop()
        else:
            self._add("")
            if len(self._levels) < _DEEPEST:
                self._levels.append(_Level("`"))

    def _redirect(self, level: _Level, letter: str) -> None:
        if level.word is not None and _NUMBER.match("".join(level.word)):
            level.word = None
        self._end_word(level)
        if letter == "<" and self._line.startswith("<<", self._place):
            self._place += 2
            level.goes = "read"
        elif letter == "<" and self._line.startswith("<", self._place):
            self._place += 1
            self._await(level)
        elif self._line.startswith("(", self._place):
            self._place += 1
            self._open(")")
        else:
            while self._line.startswith((">", "|", "&"), self._place):
                self._place += 1
            level.goes = "written" if letter == ">" else "read"

    def _await(self, level: _Level) -> None:
        """A text that the command is fed, which begins behind the line."""
        is_indented = self._line.startswith("-", self._place)
        self._place += is_indented
        while self._line.startswith((" ", "\t"), self._place):
            self._place += 1
        begin = self._place
        while self._place < len(self._line) and self._line[self._place] not in " \t\r\n;&|<>()":
            self._place += 1
        ends = self._line[begin : self._place].translate({ord(mark): None for mark in "'\"\\"})
        if ends:
            self._awaited.append((level.command, ends, is_indented))

    def _feed(self) -> None:
        for command, ends, is_indented in self._awaited:
            fed: list[str] = []
            while self._place < len(self._line):
                end = self._line.find("\n", self._place)
                end = len(self._line) if end < 0 else end
                line = self._line[self._place : end]
                self._place = end + 1
                if (line.lstrip("\t") if is_indented else line).rstrip("\r") == ends:
                    break
                fed.append(f"{line}\n")
            command.fed += "".join(fed)
        self._awaited = []

    def _add(self, letters: str) -> None:
        level = self._levels[-1]
        if level.word is None:
            level.word = []
        level.word.append(letters)

    def _end_word(self, level: _Level) -> None:
        if level.word is None:
            return
        word, level.word = "".join(level.word), None
        if level.goes == "written":
            level.command.written.append(word)
        elif not level.goes:
            level.command.words.append(word)
        level.goes = ""

    def _end(self, level: _Level) -> Iterator[Command]:
        self._end_word(level)
        level.goes = ""
        if level.command.words or level.command.written:
            yield level.command
            level.command = Command()

    def _take(self, most: int) -> str:
        taken = self._line[self._place : self._place + most]
        self._place += most
        return taken

    def _until(self, mark: str) -> str:
        end = self._line.find(mark, self._place)
        end = len(self._line) if end < 0 else end
        taken, self._place = self._line[self._place : end], end + 1
        return taken
