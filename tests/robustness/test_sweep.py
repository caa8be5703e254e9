"""The maintenance sweep on a store that was damaged on purpose: what is found, what is advised, what it exits with."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

import engramforge
from engramforge.entry.console import COMMANDS
from engramforge.errors import InvalidValue
from engramforge.faces.cli.program import run
from engramforge.forge import Forge
from engramforge.model.validation_report import Grade, SweepReport

LINK: dict[str, Any] = {
    "energy": 0.7,
    "confidence": 0.9,
    "emotion_vector": {},
    "goal": "ship",
    "mindstate": "calm",
    "formation_trigger": "a horn",
    "felt_quality": "damp",
    "emotion_description": "dull",
}
WHOLE: dict[str, Any] = {"goal": "ship", "mindstate": "calm"}


def _damage(home: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(home / "memory.db")
    try:
        with connection:
            assert connection.execute(statement, values).rowcount == 1
    finally:
        connection.close()


def _found(report: SweepReport) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for finding in report.degraded:
        names.setdefault(f"{finding.kind} {finding.name}", []).append(finding.subject)
    return names


def test_an_empty_store_is_excellent(forge: Forge) -> None:
    report = forge.sweep()
    assert (report.records, report.counts, report.sound) == (0, {}, True)
    assert report.memories.grade is report.links.grade is Grade.EXCELLENT


def test_a_sound_store_has_no_finding(forge: Forge) -> None:
    fog = forge.remember("The harbour is fogged in.", **WHOLE)
    late = forge.remember("The ferry is late.", **WHOLE)
    forge.link(fog.id, late.id, "CAUSES", **LINK)
    forge.supersede(late.id, "The ferry runs again.")
    forge.revise(fog.id, "The harbour was fogged in.")
    report = forge.sweep()
    assert (report.counts, report.broken) == ({}, 0)
    # Three on record beside the closing record, which holds until the ferry ran again.
    assert (report.records, report.memories.total, report.links.total) == (5, 3, 3)


def test_each_kind_of_damage_is_found(forge: Forge, tmp_path: Path) -> None:
    sound = forge.remember("Nothing is wrong with this.", **WHOLE)
    backwards = forge.remember("It ended before it began.", **WHOLE)
    loud = forge.remember("It is felt too much.", **WHOLE)
    twofold = forge.remember("It is there twice.", **WHOLE)
    thin = forge.remember("It says little.")
    ended = forge.remember("It holds no more.", **WHOLE, valid_at="2026-01-01", invalid_at="2026-02-01",
                           recorded_at="2026-01-01")  # fmt: skip
    over = forge.remember("Nor does this.", **WHOLE, valid_at="2026-01-01", invalid_at="2026-02-01",
                          recorded_at="2026-01-01")  # fmt: skip
    hanging = forge.link(ended.id, over.id, "CAUSES", **LINK).link
    wrong = forge.link(sound.id, thin.id, "CAUSES", **LINK).link
    mute = forge.link(thin.id, sound.id, "CAUSES", **{**LINK, "felt_quality": None}).link
    other = forge.remember("It will be the same memory.", **WHOLE)
    _damage(
        tmp_path / "home",
        "UPDATE memory SET invalid_at = valid_at - 1 WHERE id = ?",
        UUID(backwards.id).bytes,
    )
    _damage(
        tmp_path / "home",
        "UPDATE body SET emotion_vector = '{\"joy\": 3}' WHERE memory_seq = (SELECT seq FROM memory WHERE id = ?)",
        UUID(loud.id).bytes,
    )
    _damage(
        tmp_path / "home",
        "UPDATE memory SET logical_id = ?, version = 2 WHERE id = ?",
        UUID(twofold.logical_id).bytes,
        UUID(other.id).bytes,
    )
    _damage(tmp_path / "home", "UPDATE link SET energy = 4 WHERE id = ?", UUID(wrong.id).bytes)
    report = forge.sweep()
    assert _found(report) == {
        "memory interval": [backwards.id],
        "memory value": [loud.id],
        "memory doubled": [twofold.id],
        "link value": [wrong.id],
        "memory metadata": [thin.id],
        "link ends": [hanging.id],
        "link metadata": [mute.id],
    }
    assert report.counts == dict.fromkeys(sorted(_found(report)), 1)
    assert (report.broken, report.sound) == (4, False)
    assert [finding.broken for finding in report.degraded] == [True] * 4 + [False] * 3
    assert all(finding.fault and finding.repair for finding in report.degraded)
    assert set(report.memories.incomplete_ids) == {loud.id, thin.id}
    forge.unlink(wrong.id, "damaged")
    assert "link value" not in forge.sweep().counts


def test_a_file_of_which_a_chunk_is_missing(forge: Forge, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    words = "\n\n".join(
        f"Paragraph {number} tells of the harbour and its ferries. " * 12 for number in range(12)
    )
    (folder / "harbour.md").write_text(f"# Harbour\n\n{words}\n", encoding="utf-8")
    forge.import_path(folder, project="sea")
    assert "memory chunks" not in forge.sweep().counts
    forge.forget(forge.memories(project="sea")[1].id)
    (finding,) = [record for record in forge.sweep().degraded if record.name == "chunks"]
    assert "harbour.md in project sea" in finding.fault


def test_a_sweep_goes_through_every_portion(forge: Forge) -> None:
    forge.remember_many({"content": f"Note number {number}."} for number in range(1_203))
    seen: list[tuple[int, int]] = []
    report = forge.sweep(limit=7, progress=lambda done, total: seen.append((done, total)))
    assert (report.records, report.memories.with_errors, len(report.degraded)) == (1_203, 1_203, 7)
    assert report.counts == {"memory metadata": 1_203}
    assert len(report.memories.incomplete_ids) == 1_000
    assert seen == [(500, 1_203), (1_000, 1_203), (1_203, 1_203)]


@pytest.mark.parametrize("limit", [0, -1, 1.5, "many", 10**9])
def test_an_unsound_limit_is_refused(forge: Forge, limit: Any) -> None:
    with pytest.raises(InvalidValue):
        forge.sweep(limit=limit)


def test_every_agent_is_swept_only_when_asked(forge: Forge, tmp_path: Path) -> None:
    forge.remember("Mine.", **WHOLE)
    with engramforge.open(tmp_path / "home", agent="ada") as ada:
        hers = ada.remember("Hers.")
    assert forge.sweep().memories.total == 1
    report = forge.sweep(every_agent=True)
    assert report.memories.incomplete_ids == (hers.id,)


def test_a_sweep_is_ready_for_a_thousand_days(forge: Forge) -> None:
    forge.sweep()
    (kept,) = forge.validation_history()
    from engramforge.upkeep.sweeping import KEPT_REPORTS, REPORTS_KEPT

    door, scope = forge._stages.door, forge._scope
    mark = door.asking(scope).mark(KEPT_REPORTS)
    assert mark is not None
    (row,) = mark["reports"]
    many = [
        {**row, "at": f"20{year}-{month:02}-07T00:00:00+00:00"}
        for year in range(10, 26)
        for month in range(1, 13)
    ]
    with door.transaction(scope) as writes:
        writes.save_mark(KEPT_REPORTS, {"reports": many})
    forge.sweep()
    history = forge.validation_history()
    assert len(history) == REPORTS_KEPT
    assert history[-1].at > kept.at
    assert [version.at for version in history] == sorted(version.at for version in history)


def test_the_doctor_sweeps(
    forge: Forge, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAMFORGE_HOME", str(tmp_path / "home"))
    thin = forge.remember("It says little.")
    assert run(["doctor", "--sweep"], COMMANDS) == 0
    out = capsys.readouterr().out
    assert "poor: 1 on record" in out
    assert f"engramforge revise {thin.logical_id} --goal TEXT --mindstate TEXT" in out
    _damage(tmp_path / "home", "UPDATE memory SET energy = 9 WHERE id = ?", UUID(thin.id).bytes)
    assert run(["doctor"], COMMANDS) == 0
    assert run(["doctor", "--sweep"], COMMANDS) == 1
    assert "energy: wrong type or out of range" in capsys.readouterr().out


def test_the_doctor_has_nothing_to_sweep_without_a_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAMFORGE_HOME", str(tmp_path / "nothing"))
    assert run(["doctor", "--sweep", "--json"], COMMANDS) == 0
    assert '"there is no open store to sweep"' in capsys.readouterr().out
