"""Files that commands write: an ordinary one is replaced as a whole, a pipe or a device is written to."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from tests.faces.conftest import Cli


@pytest.fixture
def talk(cli: Cli) -> str:
    cli("remember", "The ferry is late.", "--session", "talk")
    return "talk"


def test_an_archive_goes_into_a_pipe(cli: Cli, talk: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert cli("compress", talk, "--to", str(pipe)).code == 0
    reader.join(10)
    assert "The ferry is late." in read[0]
    assert pipe.is_fifo()


def test_an_archive_goes_where_a_link_leads(cli: Cli, talk: str, tmp_path: Path) -> None:
    kept, link = tmp_path / "kept.md", tmp_path / "link.md"
    kept.write_text("before")
    link.symlink_to(kept)
    assert cli("compress", talk, "--to", str(link), "--force").code == 0
    assert link.is_symlink()
    assert "The ferry is late." in kept.read_text()
