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
    wait_for(lambda: f"Watched folder {folder}: " in home.log())
    assert "WatchNews(" not in home.log()
    home.run("watch", "--remove", str(folder))
    (folder / "owl.md").write_text("The owl sleeps in the belfry.\n")
    other = tmp_path / "others"
    other.mkdir()
    home.run("watch", str(other), "--project", "others")
    (other / "bat.md").write_text("The bat sleeps in the cellar.\n")
    wait_for(lambda: b"cellar" in home.run("recall", "where does the bat sleep?").stdout, 8)
    assert b"belfry" not in home.run("recall", "where does the owl sleep?").stdout
