"""Settings: the environment and engramforge.toml become one frozen object. Only assembly reads it.

Every variable is ENGRAMFORGE_<NAME>; the file lies in the home folder and is overruled by the environment. An unknown
name or a value out of range is refused by name, because a misspelt setting that is silently ignored is worse.
"""

from __future__ import annotations

import math
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from engramforge.core.checks.plain_values import shown
from engramforge.core.checks.setting_values import (
    JUDGE_BY_MODEL,
    is_sound,
    read_encoder,
    read_judge,
    read_key,
    read_language_model,
    read_number,
    read_order,
    read_reranker,
    read_switch,
    read_thresholds,
    read_whole,
    read_word,
    read_words,
)
from engramforge.errors import InvalidValue, StoreUnavailable
from engramforge.model.embeddings.encoder_spec import ENCODER_SETTINGS, EncoderSpec
from engramforge.model.injection import ORDERED_BY
from engramforge.model.scope import DEFAULT_AGENT, DEFAULT_TENANT
from engramforge.model.spaces import REGISTRY, Space

PREFIX: Final = "ENGRAMFORGE_"
FILE_NAME: Final = "engramforge.toml"
SCHEMES: Final = ("postgresql", "postgres", "postgresql+psycopg", "sqlite")
PRESETS: Final = ("static", "neural", "provider")
SHARED_VARIABLES: Final[Mapping[str, str]] = {
    "MODEL_EMBEDDING": "model_embedding",
    "MODEL_REASONING": "model_reasoning",
    "ANTHROPIC_API_KEY": "anthropic_api_key",
    "GEMINI_API_KEY": "gemini_api_key",
    "ORACLE_FALLBACK": "oracle_fallback",
    "OPENAI_API_KEY": "openai_api_key",
    "VOYAGE_API_KEY": "voyage_api_key",
}
"""Variables that other programs know too; those with our prefix go before them."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their defaults.

    Parameters
    ----------
    home : folder of engramforge.toml, and of the store where no `url` says otherwise.
    url : where the store is: postgresql://... or sqlite:///..., None for a file in the home. It may hold a password, so
        it is not in the repr.
    tenant, agent : who asks, where a call does not say.
    busy_timeout_ms : how long a write waits for another process, 1..600000.
    half_life_days : in how many days the freshness of a memory halves, above 0.
    similarity_band : by what share two similarities may differ and still count as equal, so that the other parts
        of the mass decide, 0..1.
    weight_similarity, weight_epistemic_tier, weight_freshness, weight_conflict_salience, weight_category_boost :
        weights of the mass, each 0..1, together 1.
    thresholds_high, thresholds_low : space -> calibrated similarity above which it counts as similar, or below which as
        diverging, 0..1, in place of the registry's.
    excluded_projects, markdown_globs : projects that imports leave out; which files of a folder are Markdown to import.
    mcp_tools_off, injection_order : tools that the MCP server does not offer; what orders injections beside priority.
    detection, detection_threshold : whether decisions and threads are read; how sure one must be to be entered, 0..1.
    implied_session_minutes : how far apart the memories of an implied session may come; 0 for none, at most 1440.
    preset : the set of encoders: static, neural or provider.
    model_embedding : the encoder of E1, and of E5 with it; None: as the preset says.
    encoder_semantic, encoder_causal, encoder_code, encoder_multimodal, encoder_late_interaction,
        encoder_sparse_expansion : the encoder of one space; None: as the two above say.
    embedding_base_url, voyage_base_url : addresses of endpoints that speak OpenAI's and Voyage's protocol, without
        /embeddings; None: the provider's own.
    embedding_api_key : its key; goes before the provider's own.
    openai_api_key, voyage_api_key, anthropic_api_key, gemini_api_key : keys of providers; as OPENAI_API_KEY, too.
    embedding_price, embedding_cap : money per million tokens; the most that a process may spend on it, None: no limit.
    embedding_timeout_s : the longest wait for one answer of the endpoint, 0.1..600.
    embedding_dimensions : the size of vectors of models and endpoints, 8..1536; None: their own.
    model_reasoning : the language model, kind:name; None: none is ever asked.
    model_base_url : its address; None: the provider's own.
    model_api_key : its key; goes before the provider's own, which are never sent to an address of one's own.
    model_timeout_s : the longest that a question to it may take, repetitions included, 0.1..600.
    model_output_tokens : the most tokens of one answer, 256..128000.
    model_price_input, model_price_output : money per million tokens.
    model_cap, model_cap_tokens : the most that the home's processes may spend on it in a month; None: no limit.
    model_extraction : whether it reads what comes in for decisions, threads and names.
    oracle_fallback : the store that the oracle asks where this one is silent: another's home folder or URL, or a
        LanceDB table or database; None: none. It may hold a password.
    conflict_judge : what judges conflicts beside the rules: the folder of an ONNX model for natural language inference,
        or "model", the language model; None: rules alone.
    reranker : the cross-encoder that orders a stream anew where one is asked to be; None: none.
    daemon : whether commands and MCP ask a daemon, and start one. daemon_idle_minutes : after how long one that was
        started by itself ends when nobody needs it, above 0.
    """

    home: Path
    url: str | None = field(default=None, repr=False)
    tenant: str = DEFAULT_TENANT
    agent: str = DEFAULT_AGENT
    busy_timeout_ms: int = 30_000
    half_life_days: float = 45.0
    similarity_band: float = 0.02
    weight_similarity: float = 0.45
    weight_epistemic_tier: float = 0.20
    weight_freshness: float = 0.15
    weight_conflict_salience: float = 0.10
    weight_category_boost: float = 0.10
    thresholds_high: Mapping[Space, float] = field(default_factory=dict)
    thresholds_low: Mapping[Space, float] = field(default_factory=dict)
    excluded_projects: tuple[str, ...] = ()
    markdown_globs: tuple[str, ...] = ("**/*.md", "**/*.markdown", "**/*.txt")
    mcp_tools_off: tuple[str, ...] = ()
    detection: bool = True
    detection_threshold: float = 0.6
    implied_session_minutes: float = 30
    preset: str = "static"
    model_embedding: str | None = None
    encoder_semantic: str | None = None
    encoder_causal: str | None = None
    encoder_code: str | None = None
    encoder_multimodal: str | None = None
    encoder_late_interaction: str | None = None
    encoder_sparse_expansion: str | None = None
    embedding_base_url: str | None = field(default=None, repr=False)
    voyage_base_url: str | None = field(default=None, repr=False)
    embedding_api_key: str | None = field(default=None, repr=False)
    openai_api_key: str | None = field(default=None, repr=False)
    voyage_api_key: str | None = field(default=None, repr=False)
    embedding_price: float = 0.0
    embedding_cap: float | None = None
    embedding_timeout_s: float = 30.0
    embedding_dimensions: int | None = None
    model_reasoning: str | None = None
    model_base_url: str | None = field(default=None, repr=False)
    model_api_key: str | None = field(default=None, repr=False)
    anthropic_api_key: str | None = field(default=None, repr=False)
    gemini_api_key: str | None = field(default=None, repr=False)
    model_timeout_s: float = 30.0
    model_output_tokens: int = 4_096
    model_price_input: float = 0.0
    model_price_output: float = 0.0
    model_cap: float | None = None
    model_cap_tokens: int | None = None
    model_extraction: bool = False
    oracle_fallback: str | None = field(default=None, repr=False)
    conflict_judge: EncoderSpec | str | None = None
    reranker: EncoderSpec | None = None
    daemon: bool = True
    daemon_idle_minutes: float = 30
    injection_order: tuple[str, ...] = ORDERED_BY

    @property
    def encoders(self) -> dict[str, str]:
        """The settings that name an encoder, those that are given."""
        given = {name: getattr(self, name) for name in _ENCODERS}
        return {name: value for name, value in given.items() if value is not None}


def is_url(place: object) -> bool:
    """Whether the text is a URL and not a folder's name: it begins with a scheme and `://`."""
    return isinstance(place, str) and re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", place.lstrip()) is not None


def read_settings(place: str | os.PathLike[str] | None, environment: Mapping[str, str]) -> Settings:
    """Settings: defaults, then the file in the home, then the environment, then `place`: a home folder or a URL.

    A home folder that is given goes before a URL in the environment, as an argument goes before a variable; the URL in
    that folder's own file counts.
    """
    url = _url("url", place) if is_url(place) else None
    folder = home_folder(None if url else place, environment)
    given = _from_file(folder / FILE_NAME)
    given.update(_from_environment(environment, () if place is None else ("home", "url")))
    if url:
        given["url"] = url
    values = {name: _READERS[name](name, value) for name, value in given.items()}
    settings = Settings(home=folder, **values)
    _check_endpoint(settings)
    weights = [getattr(settings, name) for name in _WEIGHTS]
    if not math.isclose(sum(weights), 1.0, abs_tol=1e-6):
        raise InvalidValue(
            f"The weights of the mass add up to {sum(weights):g}", f"Let {', '.join(_WEIGHTS)} add up to 1"
        )
    _check_thresholds(settings)
    return settings


def _check_thresholds(settings: Settings) -> None:
    """Raise InvalidValue where a space would diverge above what counts as similar."""
    for row in REGISTRY:
        low = settings.thresholds_low.get(row.space, row.low)
        high = settings.thresholds_high.get(row.space, row.high)
        if low is not None and high is not None and low >= high:
            raise InvalidValue(
                f"The space {row.space} has the thresholds low {low:g} and high {high:g}",
                "Let thresholds_low be below thresholds_high",
            )


def _check_endpoint(settings: Settings) -> None:
    """Refuse a cap that could stop nothing, and work for a model where none is named."""
    caps = (
        ("embedding_cap", ("embedding_price",)),
        ("model_cap", ("model_price_input", "model_price_output")),
    )
    for name, prices in caps:
        cap = getattr(settings, name)
        for price in prices:
            if cap is not None and getattr(settings, price) <= 0:
                raise InvalidValue(
                    f"The setting {name} is {cap:g}, but {price} is not set",
                    f"Set {price} to the price of a million tokens, in the same currency",
                )
    needed = {
        "model_extraction": settings.model_extraction,
        "conflict_judge": settings.conflict_judge == JUDGE_BY_MODEL,
    }
    for name, is_needed in needed.items():
        if is_needed and settings.model_reasoning is None:
            raise InvalidValue(
                f"The setting {name} asks a language model, but model_reasoning is not set",
                f"Set model_reasoning, such as openai:MODEL, or {name} to off",
            )


def home_folder(home: str | os.PathLike[str] | None, environment: Mapping[str, str]) -> Path:
    """The folder asked for, else ENGRAMFORGE_HOME, else the user's own one for application state."""
    chosen = home if home is not None else environment.get(PREFIX + "HOME")
    if chosen is not None:
        try:
            text = os.fsdecode(chosen)
            if text and b"\x00" not in os.fsencode(text):
                return Path(text).expanduser().absolute()
        except (
            TypeError,
            UnicodeEncodeError,
            RuntimeError,
        ):  # the last: the folder of a user that there is not
            pass
        raise InvalidValue("The home folder has no usable name", "Set ENGRAMFORGE_HOME to a folder")
    from platformdirs import user_data_path

    return user_data_path("engramforge", appauthor=False)


def _from_file(path: Path) -> dict[str, Any]:
    try:
        if (path.is_fifo() or path.is_char_device()) and os.path.realpath(path) != os.devnull:
            raise OSError("it is a pipe or a device, which would keep us waiting")
        text = path.read_bytes().decode()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except UnicodeDecodeError:
        raise InvalidValue(f"The settings file {path} is not UTF-8", "Save it as UTF-8 text") from None
    except OSError as error:
        raise StoreUnavailable(
            f"The settings file {path} cannot be read ({error})", "Check its permissions"
        ) from error
    try:
        values = tomllib.loads(text)
    except RecursionError:
        raise InvalidValue(f"The settings file {path} nests too deep", "Write plain settings") from None
    except ValueError as error:  # not TOML, or a number of thousands of digits
        raise InvalidValue(f"The settings file {path} is not TOML ({error})", "Mend that line") from None
    for name in values:
        _check_name(name, f"in {path}")
    return values


def _from_environment(environment: Mapping[str, str], overruled: tuple[str, ...]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for variable, value in environment.items():
        name = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and name != "home":
            _check_name(name, f"in the variable {variable}")
            if name not in overruled:
                given[name] = value
    for variable, name in SHARED_VARIABLES.items():
        if environment.get(variable, "").strip():
            given.setdefault(name, environment[variable])
    return given


def _check_name(name: str, where: str) -> None:
    if name not in _READERS:
        near = get_close_matches(name, _READERS, 1)
        hint = f"Did you mean {near[0]}?" if near else f"Known settings: {', '.join(_READERS)}"
        raise InvalidValue(f"There is no setting {name!r} ({where})", hint)


def _url(name: str, value: Any) -> str:
    """A URL of an engine that there is; the message shows its scheme alone, for the rest may hold a password."""
    text = value.strip() if isinstance(value, str) else ""
    scheme, separator, rest = text.partition("://")
    if not separator or not rest or scheme.lower() not in SCHEMES or not is_sound(text):
        shown = f"begins with {scheme}://" if is_url(text) else "is no URL"
        raise InvalidValue(
            f"The setting {name} {shown}",
            "Write postgresql://user:password@host/database, or sqlite:///path/to/folder",
        )
    return text


def _store(name: str, value: Any) -> str | None:
    """A store's URL or the path of a folder; None for a blank."""
    if is_url(value):
        return _url(name, value)
    if not isinstance(value, str) or not is_sound(value):
        raise InvalidValue(f"The setting {name} is {shown(value)}", "Give a folder's path, or a store's URL")
    return value.strip() or None


def _preset(name: str, value: Any) -> str:
    if value not in PRESETS:
        raise InvalidValue(f"The setting {name} is {shown(value)}", f"Set it to one of {', '.join(PRESETS)}")
    return str(value)


_WEIGHTS: Final = (
    "weight_similarity",
    "weight_epistemic_tier",
    "weight_freshness",
    "weight_conflict_salience",
    "weight_category_boost",
)
_ENCODERS: Final = ("model_embedding", *ENCODER_SETTINGS.values())


def _web_address(name: str, value: Any) -> str:
    """An address of the web without user or password, which would be in logs."""
    text = value.strip() if isinstance(value, str) else ""
    try:
        parts = urlsplit(text)
        is_usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # an unclosed bracket, or a port that is no number
        is_usable = False
    if not is_usable or "@" in parts.netloc or not is_sound(text):
        raise InvalidValue(
            f"The setting {name} is no address that can be used",
            "Write https://host/path, without user and password; a key has a setting of its own",
        )
    return text


_READERS: Final[dict[str, Callable[[str, Any], Any]]] = {
    "url": _url,
    "tenant": read_word,
    "agent": read_word,
    "busy_timeout_ms": read_whole(1, 600_000),
    "half_life_days": read_number(1e-6, 1e6),
    "similarity_band": read_number(0.0, 1.0),
    **dict.fromkeys(_WEIGHTS, read_number(0.0, 1.0)),
    "thresholds_high": read_thresholds,
    "thresholds_low": read_thresholds,
    "excluded_projects": read_words,
    "markdown_globs": read_words,
    "mcp_tools_off": read_words,
    "detection": read_switch,
    "detection_threshold": read_number(0.0, 1.0),
    "implied_session_minutes": read_number(0.0, 1440.0),
    "preset": _preset,
    **dict.fromkeys(_ENCODERS, read_encoder),
    **dict.fromkeys(("embedding_base_url", "voyage_base_url"), _web_address),
    **dict.fromkeys(("embedding_api_key", "openai_api_key", "voyage_api_key"), read_key),
    "embedding_price": read_number(0.0, 1e6),
    "embedding_cap": read_number(0.0, 1e9),
    "embedding_timeout_s": read_number(0.1, 600.0),
    "embedding_dimensions": read_whole(8, 1536),
    "model_reasoning": read_language_model,
    "model_base_url": _web_address,
    **dict.fromkeys(("model_api_key", "anthropic_api_key", "gemini_api_key"), read_key),
    "model_timeout_s": read_number(0.1, 600.0),
    "model_output_tokens": read_whole(256, 128_000),
    **dict.fromkeys(("model_price_input", "model_price_output"), read_number(0.0, 1e6)),
    "model_cap": read_number(0.0, 1e9),
    "model_cap_tokens": read_whole(0, 10**12),
    "model_extraction": read_switch,
    "oracle_fallback": _store,
    "conflict_judge": read_judge,
    "reranker": read_reranker,
    "daemon": read_switch,
    "daemon_idle_minutes": read_number(1e-3, 1e6),
    "injection_order": read_order,
}
SETTING_NAMES: Final = ("home", *_READERS)
"""Every setting; the variable is its upper-case name after ENGRAMFORGE_."""
