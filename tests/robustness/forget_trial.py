"""A random life of a store with a forget at a random place in it, and a search for what was forgotten.

Two agents and two projects say things, decide, compress, continue, paste archives, take back, export, import and rename
files. Every text has words that nobody else made up, so that a search for them tells what is left. It does not import
pytest; `python -m tests.robustness.forget_trial FIRST LAST` runs many lives and prints what came.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import engramforge
from engramforge.errors import EngramforgeError
from engramforge.forge import Forge
from engramforge.model.storing.record import Forgotten

_STARTS = ["bl", "br", "dr", "fl", "gl", "kr", "pl", "pr", "sk", "sn", "st", "tr", "v", "w", "z", "qu"]
_MIDDLES = ["a", "e", "i", "o", "u", "ai", "ou", "ee"]
_ENDS = ["b", "ck", "d", "lm", "mp", "nd", "ng", "rk", "sh", "st", "x", "zz"]


@dataclass
class Outcome:
    """What a life came to.

    `kind`: of the forgotten memory. `left`: forgotten words that are somewhere and that the proof did not explain.
    `named`: how many memories the proof named. `back`: words that a later continuation or import brought back.
    """

    kind: str
    proof: Forgotten
    left: set[str]
    named: int
    back: set[str]


@dataclass
class Life:
    """One random life; `place`: of the store, `folder`: for files beside it."""

    place: str
    folder: Path
    seed: int
    deeds: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.agents: dict[str, Forge] = {}
        self.archives: list[tuple[str, str]] = []
        self.sequence = Counter[str]()
        self.files: list[Path] = []
        self.made = 0
        self.exported = self.folder / "export.jsonl"

    def live(self, length: int, search: Callable[[Iterable[str]], set[str]]) -> Outcome:
        """Do so many deeds, forget something, go on a little, and search after each of both."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ("ann", "bob"):
            self.agents[name] = engramforge.open(self.place, agent=name)
        try:
            for _ in range(4):
                self._do("say")
            for _ in range(length):
                self._do(self.rng.choice(_DEEDS))
            return self._forget(search)
        finally:
            for forge in self.agents.values():
                forge.close()

    def _forget(self, search: Callable[[Iterable[str]], set[str]]) -> Outcome:
        forge = self.rng.choice(list(self.agents.values()))
        everything = [
            memory for memory in forge.memories(mode="full_history", limit=1_000) if memory.kind != "lineage"
        ]
        said = [memory for memory in everything if memory.kind != "archive"]
        chosen = self.rng.choice(said or everything)
        texts = [version.content for version in forge.history(chosen.logical_id)]
        words = {word for text in texts for word in made_up(text)}
        assert search(words) == words or not words, "the search finds what is there"
        proof = forge.forget(chosen.logical_id, reason="they asked")
        left, named = self._explained(search(words), proof)
        # What is brought again by its old copies stays forgotten, unless it is somebody's who stays.
        kept = self._kept_words(words)
        for text, source in self.archives[-3:]:
            with suppress(EngramforgeError):
                forge.archives.continue_from(text, f"after {source} {self.seed}")
        for path in self.files:
            moved = path.with_name(f"again-{path.name}")
            path.rename(moved)
            forge.import_path(moved, project="atlas")
        with suppress(EngramforgeError):
            forge.archives.compress(self._conversation())
        if self.exported.exists():
            forge.import_path(self.exported)
        back = self._kept_words(words) - kept
        forge.export(self.exported)
        back |= words_in_files([self.exported])(words) - kept
        return Outcome(str(chosen.kind), proof, left, named, back)

    def _kept_words(self, words: set[str]) -> set[str]:
        """Which of the words any memory of anybody has."""
        return {
            word
            for forge in self.agents.values()
            for memory in forge.memories(mode="full_history", limit=1_000)
            for word in words & set(made_up(f"{memory.name} {memory.content} {memory.registration}"))
        }

    def _explained(self, found: set[str], proof: Forgotten) -> tuple[set[str], int]:
        """The words that were found and that no memory which the proof names has; and how many it names."""
        named = [held.name for held in proof.found if held.place == "memory" and held.name]
        for forge in self.agents.values():
            for logical_id in named:
                with suppress(EngramforgeError):
                    for version in forge.history(logical_id):
                        found = found - set(
                            made_up(f"{version.name} {version.content} {version.registration}")
                        )
        if any(held.place == "memory" and not held.name for held in proof.found):
            found = found - self._kept_words(found)
        return found, len(named)

    def _do(self, deed: str) -> None:
        forge = self.rng.choice(list(self.agents.values()))
        try:
            getattr(self, f"_{deed}")(forge)
            self.deeds.append(deed)
        except EngramforgeError as error:
            # There is nothing to undo, no such conversation yet, and the like.
            self.deeds.append(f"{deed}: {error.fault}")

    def words(self, count: int = 4) -> str:
        """Words that nobody has used before."""
        self.made += 1
        rng = self.rng
        return " ".join(
            "q" + "".join(rng.choice(part) for part in (_STARTS, _MIDDLES, _ENDS, _MIDDLES, _ENDS)) + "xy"
            for _ in range(count)
        )

    def _conversation(self) -> str:
        return f"talk{self.rng.randrange(4)}"

    def _turn(self, forge: Forge, text: str, conversation: str | None = None) -> None:
        its = conversation or self._conversation()
        self.sequence[its] += 1
        forge.remember(
            text,
            kind="message",
            speaker="user",
            session_id=its,
            sequence=self.sequence[its],
            project="atlas" if its in ("talk0", "talk1") else "borealis",
            level=self.rng.choice(("personal", "collective")),
        )

    def _say(self, forge: Forge) -> None:
        self._turn(forge, f"I think that {self.words()} looks good.")

    def _detect(self, forge: Forge) -> None:
        said = self.rng.choice(
            (
                "We decided to use {} because {} is slow.",
                "D00{n}: we use {} instead of {}.",
                "TODO: repair {} before {}.",
                "T00{n} is resolved: {} did it, says {}.",
                "Maybe we should go for {} and not {}.",
            )
        )
        self._turn(forge, said.format(self.words(3), self.words(2), n=self.rng.randrange(1, 4)))

    def _decide(self, forge: Forge) -> None:
        forge.decisions.create(
            f"Use {self.words(3)}",
            rationale=f"It is {self.words(3)}",
            alternatives_rejected=[self.words(2)],
            conversation=self._conversation(),
            project=self.rng.choice(("atlas", "borealis")),
        )

    def _open_thread(self, forge: Forge) -> None:
        forge.threads.create(f"Find {self.words(3)}", self.words(4), conversation=self._conversation())

    def _artifact(self, forge: Forge) -> None:
        its = self._conversation()
        forge.remember(
            f"def {self.words(1)}(): return '{self.words(2)}'",
            kind="artifact",
            name=self.words(1),
            session_id=its,
        )

    def _revise(self, forge: Forge) -> None:
        found = [memory for memory in forge.memories(limit=50) if memory.registration is None]
        forge.revise(self.rng.choice(found).logical_id, f"Rather, {self.words()} it is.")

    def _compress(self, forge: Forge) -> None:
        its = self._conversation()
        mode = self.rng.choice(("lossless", "lossless", "lossy", "partial"))
        context = "what to use and to repair" if mode == "partial" else None
        archive = forge.archives.compress(its, mode, context=context)
        self.archives.append((archive.text, its))

    def _archive(self) -> tuple[str, str]:
        if not self.archives:
            raise engramforge.NotFound("There is no archive yet")
        return self.rng.choice(self.archives)

    def _carry_on(self, forge: Forge) -> None:
        text, source = self._archive()
        if self.rng.random() < 0.5:
            added = f"## Decisions\n\n### D09{self.rng.randrange(10)}: Add {self.words(3)}\n"
            text = text.replace("## Decisions\n", added, 1)
        done = forge.archives.continue_from(text, f"{source} on {self.rng.randrange(3)}")
        self.archives.append((done.text, source))

    def _paste(self, forge: Forge) -> None:
        text, _ = self._archive()
        self._turn(forge, text, self.rng.choice((self._conversation(), f"new{self.made}")))

    def _undo(self, forge: Forge) -> None:
        forge.undo(confirmed=True)

    def _redo(self, forge: Forge) -> None:
        forge.redo()

    def _write_file(self, forge: Forge) -> None:
        path = self.folder / f"note{len(self.files)}.md"
        path.write_text(f"# {self.words(2)}\n\nKeep {self.words(6)}.\n")
        self.files.append(path)
        forge.import_path(path, project="atlas")

    def _bring_back(self, forge: Forge) -> None:
        forge.export(self.exported)
        forge.import_path(self.exported)


_DEEDS = (
    *("say", "say", "detect", "detect", "detect", "decide", "open_thread", "artifact", "revise"),
    *(
        "compress",
        "compress",
        "carry_on",
        "carry_on",
        "paste",
        "undo",
        "undo",
        "redo",
        "write_file",
        "bring_back",
    ),
)


def made_up(text: str) -> list[str]:
    """The made-up words of a text."""
    letters = "".join(letter if letter.isalnum() else " " for letter in text)
    return [
        word for word in letters.split() if word.startswith("q") and word.endswith("xy") and len(word) > 6
    ]


def words_in_files(paths: Iterable[Path]) -> Callable[[Iterable[str]], set[str]]:
    """A search of files, and of those below folders; what vanishes meanwhile is not searched."""
    places = list(paths)

    def search(words: Iterable[str]) -> set[str]:
        left, found = set(words), set[str]()
        for place in places:
            for path in place.rglob("*") if place.is_dir() else [place]:
                with suppress(OSError):
                    raw = path.read_bytes() if path.is_file() else b""
                    found |= {word for word in left if word.encode() in raw}
        return found

    return search


def tell(outcome: Outcome) -> dict[str, Any]:
    """An outcome in short."""
    return {
        "kind": outcome.kind,
        "derived": outcome.proof.derived,
        "verified": outcome.proof.verified,
        "left": sorted(outcome.left),
        "back": sorted(outcome.back),
        "named": outcome.named,
    }


def main(first: int, last: int, engine: str) -> None:
    """Run the lives of some seeds."""
    came: Counter[str] = Counter()
    deeds: Counter[str] = Counter()
    server = None
    if engine == "postgresql":
        from tests.postgres import PrivateServer

        server = PrivateServer()
    try:
        for seed in range(first, last):
            with tempfile.TemporaryDirectory() as folder:
                home = Path(folder) / "home"
                name = None if server is None else server.create_database()
                place = str(home) if server is None or name is None else server.database_url(name)
                search = words_in_files([home]) if server is None else words_on_server(server)
                life = Life(place, Path(folder) / "files", seed)
                outcome = life.live(18, search)
                deeds.update(
                    deed.partition(":")[0] + (" refused" if ":" in deed else "") for deed in life.deeds
                )
                if server is not None and name is not None:
                    server.drop_database(name)
            came["lives"] += 1
            came["verified"] += outcome.proof.verified
            came["explained"] += not outcome.proof.verified and not outcome.left
            came["left"] += bool(outcome.left)
            came["back"] += bool(outcome.back)
            came["with derived"] += outcome.proof.derived > 0
            if outcome.left or outcome.back:
                print(seed, tell(outcome), life.deeds, flush=True)
    finally:
        if server is not None:
            server.close()
    print(engine, dict(came), dict(deeds))


def words_on_server(server: Any) -> Callable[[Iterable[str]], set[str]]:
    """A search of a private server's data folder after a checkpoint, without its write-ahead log."""

    def search(words: Iterable[str]) -> set[str]:
        server.run("CHECKPOINT")
        return words_in_files([server.state.resolve() / "base", server.state.resolve() / "global"])(words)

    return search


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "sqlite")
