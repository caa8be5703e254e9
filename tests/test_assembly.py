"""Which store is opened: by a folder, by a URL, by the settings; and what is said when its driver is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import engramforge
from engramforge.assembly import locate
from engramforge.errors import InvalidValue, OutOfScope
from engramforge.store.sqlite import FILE_NAME


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
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "psycopg" in run.stdout
    assert "pip install 'engramforge[postgres]'" in run.stdout
