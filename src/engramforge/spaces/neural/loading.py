"""Loads fastembed's models: from the hub once, or from a folder without network.

Every fault becomes a ModelUnavailable that names the setting.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engramforge.errors import EngramforgeError, ModelUnavailable
from engramforge.model.embeddings.encoder_spec import ActiveEncoder, EncoderKind, EncoderSpec
from engramforge.model.spaces import SpaceRow
from engramforge.spaces.chosen.model_vectors import check_known

_ONNX_FILES: Final = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx", "onnx/model_quantized.onnx")
_TEXT_FILES: Final = ("tokenizer.json", "tokenizer_config.json")
_PICTURE_FILES: Final = ("preprocessor_config.json",)
_HUB_WAIT_S: Final = 10.0
_PIECE: Final = 1 << 20
_RUNTIME_ERRORS: Final = 3


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder with an ONNX model. `file`: the ONNX file, relative to the folder."""

    path: Path
    file: str

    @property
    def name(self) -> str:
        """The model by its contents: a different file is a different model, a different place is not."""
        digest = hashlib.sha256()
        weights = sorted((self.path / self.file).parent.glob(f"{Path(self.file).name}*"))
        settings = [self.path / each for each in ("tokenizer.json", "1_Pooling/config.json", *_PICTURE_FILES)]
        for file in (*weights, *settings):
            if file.is_file():
                digest.update(file.name.encode())
                with file.open("rb") as content:
                    while piece := content.read(_PIECE):
                        digest.update(piece)
        return f"local:{digest.hexdigest()[:16]}"

    def read_json(self, file: str) -> dict[str, Any]:
        """A JSON object in the folder; empty where there is none."""
        try:
            found = json.loads((self.path / file).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def model_folder(path: Path, setting: str, *, of_pictures: bool = False) -> ModelFolder:
    """The folder, if a model is in it. Raises ModelUnavailable, naming what is missing."""
    with suppress(RuntimeError):  # a user that there is not
        path = path.expanduser()
    if not path.is_dir():
        raise ModelUnavailable(
            f"The model folder {path} of {setting} is not there",
            f"Let {setting} name a folder that is there, local:/folder, or another encoder; where a store compares"
            " by this one, run engramforge reembed then",
        )
    if odd := sorted(each.name for each in path.iterdir() if not (each.is_file() or each.is_dir())):
        raise ModelUnavailable(
            f"The model folder {path} of {setting} holds what is no file: {', '.join(odd)}",
            "Take it out: reading a pipe or a device may never end",
        )
    files = [each for each in _ONNX_FILES if (path / each).is_file()]
    files = files or sorted(str(each.relative_to(path)) for each in path.glob("*.onnx"))[:2]
    if len(files) == 0 or (len(files) == 2 and files[0] not in _ONNX_FILES):
        held = "no ONNX model" if not files else "several ONNX models"
        raise ModelUnavailable(
            f"The model folder {path} of {setting} holds {held}",
            f"Put one there as {_ONNX_FILES[0]} or {_ONNX_FILES[1]}",
        )
    needed = _PICTURE_FILES if of_pictures else _TEXT_FILES
    missing = [each for each in needed if not (path / each).is_file()]
    if missing:
        raise ModelUnavailable(
            f"The model folder {path} of {setting} lacks {' and '.join(missing)}",
            "Copy it from where the model comes from",
        )
    return ModelFolder(path, files[0])


def cache_folder() -> str:
    """Where models of the hub are kept: FASTEMBED_CACHE_PATH, else the user's own folder for caches."""
    if given := os.environ.get("FASTEMBED_CACHE_PATH"):
        return given
    from platformdirs import user_cache_path

    return str(user_cache_path("engramforge", appauthor=False) / "models")


@contextmanager
def explained(spec: EncoderSpec, setting: str, doing: str) -> Iterator[None]:
    """Turn any fault of fastembed, the hub or the model into an error that names the setting."""
    try:
        yield
    except EngramforgeError:
        raise
    except ImportError as error:
        raise ModelUnavailable(
            f"The model {spec} of {setting} needs fastembed, which is not installed ({error.name or error})",
            "Run pip install 'engramforge[neural]'",
        ) from error
    except MemoryError as error:
        raise ModelUnavailable(
            f"There is not enough memory for the model {spec} of {setting}", "Choose a smaller one"
        ) from error
    # The runtime, the tokenizer and the hub have an exception type each for a damaged file; all mean the same here.
    except Exception as error:
        raise ModelUnavailable(
            f"The model {spec} of {setting} cannot be {doing} ({type(error).__name__}: {str(error)[:200]})",
            f"Check that {setting} names a model of this kind, and that its files are whole",
        ) from error


def from_hub(facade: Any, spec: EncoderSpec, setting: str) -> Any:
    """A fastembed model of the hub: from the cache, else downloaded.

    `facade`: fastembed's class for this kind of model.
    """
    supported = {each["model"].lower(): each for each in facade.list_supported_models()}
    if (described := supported.get(spec.name.lower())) is None:
        from difflib import get_close_matches

        near = get_close_matches(spec.name.lower(), supported, 1, 0.5)
        hint = f"Did you mean fastembed:{supported[near[0]]['model']}?" if near else ""
        raise ModelUnavailable(
            f"fastembed has no model {spec.name!r} of the kind that {setting} needs",
            hint or f"See its list of supported models, or set {setting} to local:/folder",
        )
    folder = cache_folder()
    try:
        return facade(described["model"], cache_dir=folder, local_files_only=True)
    except (ValueError, OSError):
        _reach_hub(described.get("sources") or {}, spec, setting)
    return facade(described["model"], cache_dir=folder)


def _reach_hub(sources: Any, spec: EncoderSpec, setting: str) -> None:
    """Ask the hub for the model's description first: fastembed itself waits most of a minute for a missing network."""
    from huggingface_hub import model_info

    repository = sources.get("hf") if isinstance(sources, dict) else None
    if repository is None:
        return
    try:
        model_info(repository, timeout=_HUB_WAIT_S)
    except Exception as error:
        raise ModelUnavailable(
            f"The model {spec} of {setting} is not on this machine and cannot be downloaded"
            f" ({type(error).__name__})",
            f"Connect to the network once, copy the model into {cache_folder()}, or set {setting} to local:/folder",
        ) from error


def from_folder(base: Any, folder: ModelFolder, description: Callable[..., Any], **more: Any) -> Any:
    """A model of a folder, of a class of fastembed that knows only models of its own list.

    `base`: the class of fastembed that reads this kind of model. `description`: the class of such a list's entries,
    with `more` of its fields.
    """
    from fastembed.common.model_description import ModelSource

    described = description(
        model=folder.name,
        sources=ModelSource(hf=folder.name),
        model_file=folder.file,
        description="",
        license="",
        size_in_GB=0.0,
        **more,
    )

    class FromFolder(base):  # type: ignore[misc]  # known when it runs
        @classmethod
        def _list_supported_models(cls) -> list[Any]:
            return [described]

    return FromFolder(folder.name, specific_model_path=str(folder.path))


def load(
    spec: EncoderSpec,
    setting: str,
    facade: Any,
    base: Any,
    description: Callable[..., Any],
    part: str = "",
    of_pictures: bool = False,
    **more: Any,
) -> tuple[Any, str]:
    """The model that a setting names, and its name in ids.

    Parameters
    ----------
    facade : fastembed's class for models of the hub.
    base, description, more : as in `from_folder`, for a model of a folder; part : the folder below it.
    """
    quieten()
    if spec.kind is not EncoderKind.LOCAL:
        return from_hub(facade, spec, setting), str(spec)
    folder = model_folder(Path(spec.name) / part, setting, of_pictures=of_pictures)
    return from_folder(base, folder, description, **more), folder.name


def gives_terms(model: Any) -> bool | None:
    """Whether a model weighs each term of its vocabulary, as SPLADE does; None if its graph does not say.

    A vocabulary may be padded in the graph, or have tokens that were added to it since; no vectors are as long.
    """
    size, terms = model.model.get_outputs()[0].shape[-1], model.tokenizer.get_vocab_size()
    return 0.9 * terms <= size <= 1.1 * terms if isinstance(size, int) else None


def check_gives_vectors(model: Any, spec: EncoderSpec, setting: str) -> None:
    """Refuse a SPLADE model where vectors are needed. Raises ModelUnavailable."""
    if gives_terms(model):
        raise ModelUnavailable(
            f"The model {spec} of {setting} gives weights for the terms of its vocabulary, not vectors",
            f"Let {setting} name a model of another kind; encoder_sparse_expansion takes this one",
        )


def quieten() -> None:
    """Keep the log lines of fastembed and its runtime off standard error; what matters is raised as an error."""
    import onnxruntime
    from loguru import logger

    logger.disable("fastembed")
    onnxruntime.set_default_logger_severity(_RUNTIME_ERRORS)


class NeuralSpace(ABC):
    """One space by a model; safe to share between threads.

    `setting`: what errors name. `known`: what a store says about its encoder; another model is refused.
    """

    row: SpaceRow

    def __init__(self, spec: EncoderSpec, setting: str, known: ActiveEncoder | None = None) -> None:
        self._spec, self._setting, self._known = spec, setting, known
        self._lock = threading.Lock()
        self._model: Any = None
        self._id = ""
        self._size = 0

    @property
    def id(self) -> str:
        """Name and dimension; loads the model, unless a store knows it."""
        if self._known is not None:
            return self._known.id
        self._loaded()
        return self._id

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                with explained(self._spec, self._setting, "loaded"):
                    model, name, self._size, size = self._made()
                self._id = f"{self.row.space}-1/{name}/{size}"
                check_known(self._known, self._id, self._setting)
                self._model = model
            return self._model

    @abstractmethod
    def _made(self) -> tuple[Any, str, int, str]:
        """The model, its name, and its dimension as a number and as ids say it."""
