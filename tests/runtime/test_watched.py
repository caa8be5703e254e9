"""Folders that the daemon watches, and that keep it alive."""

from __future__ import annotations

from pathlib import Path

from .conftest import Home, wait_for


def test_the_daemon_takes_in_what_is_saved(home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    ran = home.run("watch", str(folder), "--project", "notes", "--once", off=True)
    assert ran.returncode == 0, ran.stderr.decode()
    home.start()
    (folder / "ferry.md").write_text("The night ferry leaves from the old pier at five.\n")
    wait_for(lambda: b"old pier" in home.run("recall", "when does the night ferry leave?").stdout)
    (folder / "ferry.md").write_text("The night ferry leaves from the new harbour at six.\n")
    wait_for(lambda: b"new harbour" in home.run("recall", "when does the night ferry leave?").stdout)
    assert f"Watched folder {folder}: " in home.log() and "WatchNews(" not in home.log()
