"""What is wrong with a model ends a command with one sentence that names the setting: no traceback, the right code."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.embedding_server import KEY, EmbeddingServer

from engramforge.errors import ModelUnavailable

from .conftest import Answer, Cli

Run = Callable[..., Answer]


def _settings(server: EmbeddingServer, given: dict[str, str | None]) -> dict[str, str]:
    """The variables of settings; None: not set."""
    values = {"embedding_base_url": server.url, **given}
    return {f"ENGRAMFORGE_{name.upper()}": value for name, value in values.items() if value is not None}


@pytest.fixture
def run(cli: Cli, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> Run:
    def command(*arguments: str, **settings: str | None) -> Answer:
        """The command line within this process."""
        with monkeypatch.context() as patch:
            for name, value in _settings(server, settings).items():
                patch.setenv(name, value)
            found = cli(*arguments)
        assert "Traceback" not in found.err
        return found

    return command


@pytest.fixture
def run_apart(tmp_path: Path, home: Path, server: EmbeddingServer) -> Run:
    def command(*arguments: str, missing: str = "", **settings: str | None) -> Answer:
        """The command line in a process of its own; `missing`: a library that is not installed there."""
        (tmp_path / "site").mkdir(exist_ok=True)
        blocked = f"import sys\nsys.modules[{missing!r}] = None\n" if missing else ""
        (tmp_path / "site" / "sitecustomize.py").write_text(blocked)
        found = subprocess.run(
            [sys.executable, "-m", "engramforge.entry.console", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={**os.environ, "PYTHONPATH": str(tmp_path / "site"), **_settings(server, settings)},
        )
        assert "Traceback" not in found.stderr
        return Answer(found.returncode, found.stdout, found.stderr)

    return command


def refused(found: Answer, *named: str) -> None:
    assert found.code == ModelUnavailable.exit_code == 5, (found.code, found.err)
    assert found.err.startswith("error: ")
    assert found.err.count("\n") == 1
    for each in named:
        assert each in found.err


def test_a_wrong_key(run: Run) -> None:
    refused(
        run("remember", "x", model_embedding="openai:small", openai_api_key="wrong"), "401", "model_embedding"
    )
    assert run("remember", "x", model_embedding="openai:small", openai_api_key=KEY).code == 0
    refused(
        run("recall", "ship", model_embedding="openai:small", openai_api_key="wrong"), "embedding_api_key"
    )
    doctor = run("doctor", model_embedding="openai:small", openai_api_key="wrong")
    assert doctor.code == 1
    assert "401" in doctor.out


def test_no_key_at_all(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "VOYAGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    nowhere = {"preset": "provider", "embedding_base_url": None}
    refused(run("stats", **nowhere), "encoder_semantic", "no key", "OPENAI_API_KEY", "embedding_base_url")
    # What holds something is opened, and says that it compares by another encoder.
    assert run("remember", "x").code == 0
    assert "run engramforge reembed" in run("stats", **nowhere).out
    refused(run("reembed", **nowhere), "no key")


def test_another_dimension_than_the_stores(run: Run, server: EmbeddingServer) -> None:
    settings = {"model_embedding": "openai:small", "openai_api_key": KEY}
    assert run("remember", "The ship sank because of rain.", **settings).code == 0
    server.size = 32
    refused(run("recall", "ship", **settings), "model_embedding", "/32", "/64", "engramforge reembed")
    refused(run("remember", "Another ship.", **settings), "model_embedding")
    refused(run("recall", "ship", **settings, embedding_dimensions="100"), "model_embedding")
    assert run("reembed", **settings).code == 0
    assert "ship" in run("recall", "ship", **settings).out


@pytest.mark.parametrize(
    ("missing", "extra", "settings"),
    [
        ("fastembed", "neural", {"preset": "neural"}),
        ("fastembed", "neural", {"encoder_code": "fastembed:BAAI/bge-small-en-v1.5"}),
        ("httpx2", "provider", {"model_embedding": "openai:small", "openai_api_key": KEY}),
        ("httpx2", "provider", {"encoder_causal": "openai:small", "openai_api_key": KEY}),
    ],
)
def test_a_missing_extra(run_apart: Run, missing: str, extra: str, settings: dict[str, str]) -> None:
    # A preset names no encoder: what can name another is the setting of the space.
    setting = "encoder_semantic" if "preset" in settings else next(iter(settings))
    refused(
        run_apart("remember", "x", missing=missing, **settings),
        setting,
        f"pip install 'engramforge[{extra}]'",
    )
    # Nothing was begun: without the setting it works.
    assert run_apart("remember", "x", missing=missing).code == 0


def test_a_preset_without_network(run_apart: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fastembed")
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{held.getsockname()[1]}")
        monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path / "cache"))
        found = run_apart("remember", "x", preset="neural")
    refused(found, "cannot be downloaded", "or set encoder_semantic to local:/folder")
    assert "set preset" not in found.err


def test_a_folder_that_is_another_model_now(run: Run, tmp_path: Path) -> None:
    onnx_models = pytest.importorskip("tests.onnx_models")
    pytest.importorskip("fastembed")
    folder = onnx_models.build_dense(tmp_path / "model")
    settings = {"model_embedding": f"local:{folder}"}
    assert run("remember", "The ship sank because of rain.", **settings).code == 0
    shutil.rmtree(folder)
    onnx_models.build_dense(folder, size=32)
    refused(run("recall", "ship", **settings), "model_embedding", "engramforge reembed")
    shutil.rmtree(folder)
    refused(run("recall", "ship", **settings), "model_embedding", str(folder))
    refused(run("recall", "ship"), "encoder_semantic", str(folder))


def test_what_is_named_by_hand_names_no_preset(run: Run, tmp_path: Path) -> None:
    assert run("remember", "x").code == 0
    nowhere = f"local:{tmp_path / 'nowhere'}"
    refused(run("reembed", "--space", "causal", "--to", nowhere), "encoder_causal", "nowhere")
