"""Own postings against FTS5 and tantivy: the measurement behind docs/decisions/0004. Needs tantivy beside the product.

    python scripts/measure_words.py [MEMORIES]

The same synthetic memories over 20 projects, the same 100 questions as an OR of their stems, the best 250 of all and of
one project; milliseconds per question (p50 / p95) and megabytes on disk. Prints a Markdown table.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import tantivy
from bench.scale import _plan
from bench.synthetic import SCOPED, Generator

import engramforge
from engramforge.core.text.words import content_words, stem_of, words_of
from engramforge.store.scoring.strength import score_words
from engramforge.store.sqlite.resident.scan import _mean_lengths

BEST = 250


def stems_of(text: str) -> list[str]:
    """The distinct stems of a text's content words."""
    return sorted({stem_of(word) for word in content_words(words_of(text))})


def timed(ask: Callable[[str, str | None], int], questions: list[str]) -> str:
    """p50 / p95 of all and of one project."""
    cells = []
    for project in (None, SCOPED):
        took = []
        for question in questions:
            started = time.perf_counter()
            ask(question, project)
            took.append((time.perf_counter() - started) * 1e3)
        cells.append(f"{np.percentile(took, 50):.2f} / {np.percentile(took, 95):.2f}")
    return " | ".join(cells)


def own(home: Path, drafts: list[dict[str, object]], questions: list[str]) -> str:
    """Our postings as the scan uses them."""
    with engramforge.open(home) as forge:
        forge.remember_many(drafts)
        for project in (None, SCOPED):
            forge.recall(questions[0], project=project)
        index = forge._stages.door._resident
        shards = {None: index._load(0).current, SCOPED: index._load(index._projects[SCOPED]).current}
        lengths = {name: _mean_lengths([s], [s.alive])[0] for name, s in shards.items()}
        from engramforge.recall.retrieval import ask as read
        from engramforge.recall.retrieval import probe_of

        parts, scope = forge._stages, forge._scope
        profile = parts.door.asking(scope).ground().profile
        probes = {
            q: probe_of(parts.retriever.embed(scope, q), read(q, profile, parts.clock())) for q in questions
        }

        def ask(question: str, project: str | None) -> int:
            probe, shard = probes[question], shards[project]
            order = np.argsort(probe.terms)
            terms = probe.terms[order]
            from dataclasses import replace

            sorted_probe = replace(
                probe, terms=terms, closeness=probe.closeness[order], owners=probe.owners[order]
            )
            score = score_words(shard.postings.find(terms), sorted_probe, shard.lengths, lengths[project])
            return len(np.argpartition(-score, BEST)[:BEST])

        row = timed(ask, questions)
        blobs = sqlite3.connect(home / "memory.db").execute(
            "SELECT SUM(LENGTH(terms) + LENGTH(counts)) FROM embedding_words"
        )
        return f"| own postings (with 16 expansions a word) | {row} | {blobs.fetchone()[0] / 1e6:.1f} |"


def fts5(folder: Path, drafts: list[dict[str, object]], questions: list[str]) -> str:
    """SQLite's full text, stems as text, bm25."""
    connection = sqlite3.connect(folder / "fts.db")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5(stems, project UNINDEXED, content='')")
    rows = [(" ".join(stem_of(w) for w in words_of(str(d["content"]))), d["project"]) for d in drafts]
    connection.execute("CREATE TABLE place (rowid INTEGER PRIMARY KEY, project TEXT)")
    connection.executemany(
        "INSERT INTO words(rowid, stems, project) VALUES (?, ?, ?)", [(n, *r) for n, r in enumerate(rows)]
    )
    connection.executemany("INSERT INTO place VALUES (?, ?)", [(n, r[1]) for n, r in enumerate(rows)])
    connection.commit()
    connection.execute("INSERT INTO words(words) VALUES ('optimize')")
    connection.commit()

    def ask(question: str, project: str | None) -> int:
        match = " OR ".join(f'"{stem}"' for stem in stems_of(question))
        if project is None:
            found = connection.execute(
                "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?", (match, BEST)
            )
        else:
            found = connection.execute(
                "SELECT w.rowid FROM words w JOIN place p ON p.rowid = w.rowid WHERE words MATCH ? AND p.project = ? "
                "ORDER BY rank LIMIT ?",
                (match, project, BEST),
            )
        return len(found.fetchall())

    row = timed(ask, questions)
    return f"| SQLite FTS5 | {row} | {(folder / 'fts.db').stat().st_size / 1e6:.1f} |"


def with_tantivy(folder: Path, drafts: list[dict[str, object]], questions: list[str]) -> str:
    """tantivy with the stems as tokens and the project as a term."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("stems", tokenizer_name="whitespace")
    builder.add_text_field("project", tokenizer_name="raw")
    schema = builder.build()
    (folder / "tantivy").mkdir()
    index = tantivy.Index(schema, path=str(folder / "tantivy"))
    writer = index.writer(heap_size=100_000_000, num_threads=1)
    for draft in drafts:
        stems = " ".join(stem_of(word) for word in words_of(str(draft["content"])))
        writer.add_document(tantivy.Document(stems=stems, project=str(draft["project"])))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(question: str, project: str | None) -> int:
        should = [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, "stems", s)) for s in stems_of(question)
        ]
        query = tantivy.Query.boolean_query(should)
        if project is not None:
            only = tantivy.Query.term_query(schema, "project", project)
            query = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, only)])
        return len(searcher.search(query, BEST).hits)

    row = timed(ask, questions)
    size = sum(path.stat().st_size for path in (folder / "tantivy").rglob("*") if path.is_file())
    return f"| tantivy | {row} | {size / 1e6:.1f} |"


def main() -> None:
    """Measure all three on the same memories."""
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    generator = Generator()
    first, rest = _plan(total)
    drafts = [*generator.drafts(first), *generator.drafts(rest)]
    questions = generator.queries(100)
    print("| what | all, p50 / p95 ms | one of 20 projects, p50 / p95 ms | MB |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for measure in (own, fts5, with_tantivy):
            print(measure(Path(folder), drafts, questions), flush=True)


if __name__ == "__main__":
    main()
