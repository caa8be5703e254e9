"""A random life of a store with a forget at a random place in it, and a search for what was forgotten.

Two agents and two projects say things, decide, change and review what was decided, compress, continue, paste archives,
take back, export as records and as pages, import, synchronise and rename files, link, train, analyse; somebody may
compress at the very moment of the forget. Every text has words that nobody else made up, so that a search for them
tells what is left. It does not import pytest; `python -m tests.robustness.forget_trial FIRST LAST` runs many lives and
prints what came.
"""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import engramforge
from engramforge.errors import EngramforgeError
from engramforge.forge import Forge
from engramforge.model.memory import Memory
from engramforge.model.storing.record import Forgotten

_STARTS = ["bl", "br", "dr", "fl", "gl", "kr", "pl", "pr", "sk", "sn", "st", "tr", "v", "w", "z", "qu"]
_MIDDLES = ["a", "e", "i", "o", "u", "ai", "ou", "ee"]
_ENDS = ["b", "ck", "d", "lm", "mp", "nd", "ng", "rk", "sh", "st", "x", "zz"]


@dataclass
class Outcome:
    """What a life came to.

    `kind`: of the forgotten memory, or conversation, file, project. `left`: forgotten words that are somewhere and that
    the proof did not explain. `named`: how many memories the proof named. `back`: words that a later continuation or
    import brought back.
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
        self.used: set[str] = set()
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
        kind, asked, doomed = self._chosen(forge)
        texts = [f"{each.content} {each.name} {each.tags} {each.metadata}" for each in doomed]
        for logical_id in {each.logical_id for each in doomed}:
            links = forge.links(logical_id, mode="full_history")
            texts += [link.goal for link in links if link.goal]
        words = {word for text in texts for word in made_up(text)}
        assert search(words) == words or not words, "the search finds what is there"
        with ThreadPoolExecutor(1) as beside:
            if self.rng.random() < 0.3:
                beside.submit(self._compress, self.rng.choice(list(self.agents.values())))
            proof = forge.forget(
                **asked, reason=" ".join(["they asked:", *sorted(words)[:2]]), confirmed=True
            )
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
        forge.sync.run()
        with suppress(EngramforgeError):
            forge.archives.compress(self._conversation())
        if self.exported.exists():
            forge.import_path(self.exported)
        back = self._kept_words(words) - kept
        forge.export(self.exported)
        back |= words_in_files([self.exported])(words) - kept
        return Outcome(kind, proof, left, named, back)

    def _chosen(self, forge: Forge) -> tuple[str, dict[str, Any], list[Memory]]:
        """What is to be forgotten: its kind, the arguments of the forget, all versions that the agent sees."""
        everything = forge.memories(mode="full_history", limit=1_000)
        extents: list[tuple[str, dict[str, Any], list[Memory]]] = []
        for name in dict.fromkeys(memory.session_id for memory in everything if memory.session_id):
            its = [memory for memory in everything if memory.session_id == name]
            projects = sorted({memory.project for memory in its})
            extents.append(("conversation", {"conversation": name, "project": projects}, its))
        for path in dict.fromkeys(memory.chunk.file_path for memory in everything if memory.chunk):
            its = [memory for memory in everything if memory.chunk and memory.chunk.file_path == path]
            extents.append(("file", {"file": path}, its))
        for name in ("atlas", "borealis"):
            its = [memory for memory in everything if memory.project == name]
            extents += [("project", {"project": name}, its)] if its else []
        shape = self.rng.choice(("memory", "memory", "memory", "conversation", "file", "project"))
        if fitting := [each for each in extents if each[0] == shape]:
            return self.rng.choice(fitting)
        everything = [memory for memory in everything if memory.kind != "lineage"]
        said = [memory for memory in everything if memory.kind != "archive"]
        heard = [memory for memory in said if memory.kind == "message"]
        chosen = self.rng.choice(heard if heard and self.rng.random() < 0.5 else said or everything)
        return str(chosen.kind), {"memory_id": chosen.logical_id}, forge.history(chosen.logical_id)

    def _kept_words(self, words: set[str]) -> set[str]:
        """Which of the words any memory of anybody has."""
        return {
            word
            for forge in self.agents.values()
            for memory in forge.memories(mode="full_history", limit=1_000)
            for word in words
            & set(
                made_up(
                    f"{memory.name} {memory.content} {memory.registration} {memory.tags} {memory.metadata}"
                )
            )
        }

    def _explained(self, found: set[str], proof: Forgotten) -> tuple[set[str], int]:
        """The words that were found and that no memory which the proof names has; and how many it names."""
        named = [held.name for held in proof.found if held.place == "memory" and held.name]
        for forge in self.agents.values():
            for logical_id in named:
                with suppress(EngramforgeError):
                    for version in forge.history(logical_id):
                        found = found - set(
                            made_up(f"{version.name} {version.content} {version.registration} {version.tags}")
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
        found: list[str] = []
        while len(found) < count:
            parts = (_STARTS, _MIDDLES, _ENDS, _MIDDLES, _ENDS)
            word = "q" + "".join(self.rng.choice(part) for part in parts) + "xy"
            if word not in self.used:
                self.used.add(word)
                found.append(word)
        return " ".join(found)

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
                "Summarise this:\n\n> We decided to use {} because {} is slow.",
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

    def _one(self, forge: Forge, *kinds: str, has_entry: bool = False) -> str:
        """The id of a current memory."""
        found = forge.memories(kinds=kinds or None, limit=50)
        found = [memory for memory in found if (memory.registration is not None) == has_entry]
        if not found:
            raise engramforge.NotFound("There is none yet")
        return self.rng.choice(found).logical_id

    def _revise(self, forge: Forge) -> None:
        forge.revise(self._one(forge), f"Rather, {self.words()} it is.")

    def _supersede(self, forge: Forge) -> None:
        forge.supersede(self._one(forge), f"By now {self.words()} it is.")

    def _note(self, forge: Forge) -> None:
        """Words in fields beside the content, and names of things, which are entities."""
        forge.remember(
            f"Captain {self.words(1).capitalize()} of the {self.words(1).capitalize()} Company met {self.words(2)}.",
            name=self.words(1),
            tags=[self.words(1), "shared"],
            metadata={"cargo": self.words(2)},
            project="atlas",
        )

    def _link(self, forge: Forge) -> None:
        ends = self._one(forge), self._one(forge)
        goal, mood = f"to {self.words(2)}", f"as {self.words(1)}"
        forge.link(*ends, "CAUSES", energy=0.5, confidence=0.5, emotion_vector={}, goal=goal, mindstate=mood)

    def _change_decision(self, forge: Forge) -> None:
        chosen = self._one(forge, "decision", has_entry=True)
        change = self.rng.randrange(3)
        if change == 0:
            forge.decisions.revise(chosen, f"Use {self.words(3)}", rationale=f"Because {self.words(2)}")
        elif change == 1:
            forge.decisions.supersede(chosen, f"Use {self.words(3)} from now on")
        else:
            forge.decisions.invalidate(chosen, reason=f"No {self.words(2)}")

    def _change_thread(self, forge: Forge) -> None:
        chosen = self._one(forge, "thread", has_entry=True)
        status = self.rng.choice(("resolved", None))
        forge.threads.update(
            chosen, status=status, resolution=status and self.words(3), content=self.words(3)
        )

    def _review(self, forge: Forge) -> None:
        waiting = forge.review.pending()
        if not waiting:
            raise engramforge.NotFound("Nothing waits")
        chosen = self.rng.choice(waiting).id
        verb = self.rng.choice((forge.review.accept, forge.review.reject, forge.review.edit))
        verb(chosen, **({"text": f"Use {self.words(3)}"} if verb == forge.review.edit else {}))

    def _bridge(self, forge: Forge) -> None:
        ends = self._conversation(), f"late{self.made}"
        forge.lineage.link(*ends, tag="x", bridge_summary=f"We had {self.words(3)}")

    def _tend(self, forge: Forge) -> None:
        """Upkeep, of ours and of the server's or the file's, which samples values."""
        forge.refresh_relations()
        forge.sweep()
        forge.recall(f"who met {self.words(2)}?")
        if self.place.startswith("postgresql"):
            import psycopg

            with psycopg.connect(self.place, autocommit=True) as connection:
                connection.execute("ANALYZE")
            return
        with closing(sqlite3.connect(Path(self.place) / "memory.db")) as file, file:
            file.execute("ANALYZE")

    def _synchronise(self, forge: Forge) -> None:
        folder = self.folder / "watched"
        folder.mkdir(exist_ok=True)
        (folder / f"page{self.made % 3}.md").write_text(f"# {self.words(2)}\n\nWatch {self.words(6)}.\n")
        if not forge.sync.sources():
            forge.sync.add(folder, project="atlas")
        forge.sync.run()

    def _pages(self, forge: Forge) -> None:
        pages = self.folder / "pages"
        forge.export_markdown(pages)
        forge.import_path(pages)

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
    *(
        "supersede",
        "note",
        "note",
        "link",
        "change_decision",
        "change_decision",
        "change_thread",
        "review",
        "bridge",
    ),
    *("tend", "synchronise", "pages"),
)


def made_up(text: str) -> list[str]:
    """The made-up words of a text."""
    letters = "".join(letter if letter.isalnum() else " " for letter in text.lower())
    return [
        word for word in letters.split() if word.startswith("q") and word.endswith("xy") and len(word) > 6
    ]


def words_in_files(paths: Iterable[Path]) -> Callable[[Iterable[str]], set[str]]:
    """A search of files, and of those below folders, in any case; what vanishes meanwhile is not searched."""
    places = list(paths)

    def search(words: Iterable[str]) -> set[str]:
        left, found = set(words), set[str]()
        for place in places:
            for path in place.rglob("*") if place.is_dir() else [place]:
                with suppress(OSError):
                    raw = path.read_bytes().lower() if path.is_file() else b""
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
                outcome = life.live(40, search)
                deeds.update(
                    deed.partition(":")[0] + (" refused" if ":" in deed else "") for deed in life.deeds
                )
                if server is not None and name is not None:
                    server.drop_database(name)
            came["lives"] += 1
            came[
                f"of a {outcome.kind}"
                if outcome.kind in ("conversation", "file", "project")
                else "of a memory"
            ] += 1
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
