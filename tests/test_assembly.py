"""Which store is opened: by a folder, by a URL, by the settings; and what is said when its driver is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.runtime.forked import FORKED

import engramforge
from engramforge.assembly import locate
from engramforge.entry.console import COMMANDS
from engramforge.errors import InvalidValue, OutOfScope, StoreUnavailable
from engramforge.faces.cli.program import run
from engramforge.store.sqlite.connection import FILE_NAME

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAMFORGE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("ENGRAMFORGE_URL", raising=False)


def test_a_url_of_a_folder_or_of_a_file(tmp_path: Path) -> None:
    odd = tmp_path / "a b%c"
    for url, file in (
        (f"sqlite:///{tmp_path}/folder", tmp_path / "folder" / FILE_NAME),
        (f"sqlite://{tmp_path}/other", tmp_path / "other" / FILE_NAME),
        (f"sqlite:///{tmp_path}/own.db", tmp_path / "own.db"),
        (f"SQLite:///{tmp_path}/a%20b%25c", odd / FILE_NAME),
    ):
        assert locate(url) == file
        with engramforge.open(url) as forge:
            forge.remember("The boat is green.", project="atlas")
            assert forge.identity.location == str(file)
            assert forge.identity.engine == "sqlite"
        assert file.is_file()
        assert locate(url) == file
    assert not (tmp_path / "home").exists()
    with engramforge.open(tmp_path / "folder") as forge:
        assert forge.stats().memories == 1


def test_a_tenant_of_a_url(tmp_path: Path) -> None:
    assert locate(f"sqlite:///{tmp_path}", "acme") == tmp_path / f"acme.{FILE_NAME}"
    with engramforge.open(f"sqlite:///{tmp_path}/own.db", tenant="acme") as forge:
        assert forge.identity.tenant == "acme"
    with pytest.raises(OutOfScope):
        engramforge.open(f"sqlite:///{tmp_path}/own.db", tenant="another")
    for url in (f"sqlite:///{tmp_path}", "postgresql://h/d"):
        for wrong in ("A", "../x", "", "a" * 65, "a.b"):
            if wrong:
                with pytest.raises(InvalidValue, match="tenant"):
                    locate(url, wrong)


@pytest.mark.parametrize(
    "wrong", ["sqlite://relative/path", "sqlite:///", "sqlite:////", "sqlite:///a?mode=ro", "sqlite:///a%00"]
)
def test_a_sqlite_url_that_names_nothing(wrong: str) -> None:
    with pytest.raises(InvalidValue, match="names no file"):
        locate(wrong)


@pytest.mark.parametrize("root", ["/", "//", "/.."])
def test_no_store_is_made_in_the_root_of_all_files(root: str) -> None:
    with pytest.raises(InvalidValue, match="root of all files"):
        engramforge.open(root)
    assert not Path("/memory.db").exists()


def test_a_url_of_no_engine_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for wrong in ("mysql://h/d", "http://h", "postgresql+psycopg2://h/d"):
        with pytest.raises(InvalidValue, match="begins with"):
            engramforge.open(wrong)
    assert list(tmp_path.iterdir()) == []


def test_a_database_s_place_is_shown_without_its_password() -> None:
    assert locate("postgres://ada:S3cret@h:5433/team?sslmode=require") == "postgresql://ada@h:5433/team"


def test_a_missing_driver_is_named_with_what_to_install() -> None:
    program = (
        "import sys\n"
        "sys.modules['psycopg'] = None\n"
        "import engramforge\n"
        "try:\n"
        "    engramforge.open('postgresql://h/d')\n"
        "except engramforge.StoreUnavailable as error:\n"
        "    print(error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "psycopg" in ran.stdout
    assert "pip install 'engramforge[postgres]'" in ran.stdout


def command(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    ran = FORKED.run(arguments, b"", {**os.environ, **variables})
    return subprocess.CompletedProcess(ran.args, ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def test_one_database_by_every_way_to_name_it(
    owned_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with engramforge.open(owned_url, tenant="acme") as forge:
        forge.remember("The boat is green.", project="atlas")
        assert forge.identity.engine == "postgresql"
        assert forge.identity.location == locate(owned_url)
    monkeypatch.setenv("ENGRAMFORGE_URL", owned_url)
    with engramforge.open(tenant="acme") as forge:
        assert [hit.memory.content for hit in forge.recall("which boat?", project="atlas").hits] == [
            "The boat is green."
        ]
    with engramforge.open() as forge:
        assert forge.stats().memories == 0
    with engramforge.open(tmp_path / "folder", tenant="acme") as forge:
        assert forge.identity.engine == "sqlite"
    monkeypatch.delenv("ENGRAMFORGE_URL")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "engramforge.toml").write_text(f'url = "{owned_url}"\ntenant = "acme"\n')
    with engramforge.open() as forge:
        assert forge.stats().memories == 1
    assert sorted(path.name for path in (tmp_path / "home").iterdir()) == ["engramforge.toml"]


def test_the_command_line_on_a_database(owned_url: str, capfd: pytest.CaptureFixture[str]) -> None:
    from psycopg.conninfo import conninfo_to_dict

    def here(*arguments: str) -> subprocess.CompletedProcess[str]:
        capfd.readouterr()
        return subprocess.CompletedProcess(arguments, run(arguments, COMMANDS), *capfd.readouterr())

    password = str(conninfo_to_dict(owned_url)["password"])
    shown = str(locate(owned_url))
    first = command("--url", owned_url, "init")
    assert (first.returncode, first.stderr) == (0, "")
    assert f"The store is ready, with 0 memories: {shown}" in first.stdout
    assert here("remember", "The boat is green.", "--project", "atlas", "--url", owned_url).returncode == 0
    outputs = [
        first,
        command("recall", "which boat?", ENGRAMFORGE_URL=owned_url),
        here("--url", owned_url, "stats", "--json"),
        here("--url", owned_url, "doctor"),
        here("--url", owned_url, "init", "--json"),
    ]
    assert "The boat is green." in outputs[1].stdout
    assert json.loads(outputs[2].stdout)["memories"] == 1
    assert outputs[3].returncode == 0, outputs[3].stdout
    assert shown in outputs[3].stdout
    assert json.loads(outputs[4].stdout)["created"] is None
    wrong = here("--url", "postgresql://ada:S3cret@127.0.0.1:1/d", "doctor")
    assert wrong.returncode == 1
    assert "No connection to postgresql://ada@127.0.0.1:1/d" in " ".join(wrong.stdout.split())
    for output in (*outputs, wrong):
        assert password not in output.stdout + output.stderr
        assert "S3cret" not in output.stdout + output.stderr


def test_a_home_and_a_url_together_are_refused(tmp_path: Path) -> None:
    for arguments in (
        ("--home", "x", "--url", "sqlite:///y", "stats"),
        ("--home", "x", "stats", "--url", "sqlite:///y"),
    ):
        refused = command(*arguments)
        assert refused.returncode == 2
        assert "--home and --url were both given" in refused.stderr


def test_a_user_who_may_do_nothing(app_url: Callable[..., str]) -> None:
    with pytest.raises(StoreUnavailable, match=r"may not|permission") as caught:
        engramforge.open(app_url())
    assert caught.value.mend
