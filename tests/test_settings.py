"""Every setting from the file and from the environment; wrong names, wrong values, weights that do not add up."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path

import pytest

import engramforge
from engramforge.assembly import open_forge
from engramforge.errors import InvalidValue, StoreUnavailable
from engramforge.model.embeddings.encoder_spec import ENCODER_SETTINGS, EncoderKind, EncoderSpec
from engramforge.settings import FILE_NAME, PREFIX, SETTING_NAMES, Settings, read_settings

WEIGHTS = {
    "weight_similarity": 0.6,
    "weight_epistemic_tier": 0.1,
    "weight_freshness": 0.1,
    "weight_conflict_salience": 0.1,
    "weight_category_boost": 0.1,
}
OTHERS: dict[str, tuple[str, str, object]] = {
    "url": ('"sqlite:///d"', " sqlite:///d ", "sqlite:///d"),
    "tenant": ('"acme"', "acme", "acme"),
    "agent": ('"ada"', "ada", "ada"),
    "busy_timeout_ms": ("1500", "1500", 1500),
    "half_life_days": ("7.5", "7.5", 7.5),
    "similarity_band": ("0", "0", 0.0),
    "thresholds_high": ("{ semantic = 0.9 }", " semantic=0.9,", {"semantic": 0.9}),
    "thresholds_low": ("{ code = 0.1, causal = 0 }", "code=.1, causal=0", {"code": 0.1, "causal": 0.0}),
    "excluded_projects": ('["a", "b c"]', "a, b c,", ("a", "b c")),
    "markdown_globs": ('["*.md"]', "*.md", ("*.md",)),
    "oracle_fallback": ('"/older"', " /older ", "/older"),
    "mcp_tools_off": ('["forge_links"]', "forge_links,", ("forge_links",)),
    "detection": ("false", " OFF", False),
    "detection_threshold": ("0.75", ".75", 0.75),
    "implied_session_minutes": ("0", "0", 0.0),
    "preset": ('"neural"', "neural", "neural"),
    **dict.fromkeys(
        ("model_embedding", *ENCODER_SETTINGS.values()),
        ('"local:/models/x"', " local:/models/x ", "local:/models/x"),
    ),
    "encoder_causal": ('"Static"', "STATIC", "static"),
    **dict.fromkeys(
        ("embedding_base_url", "voyage_base_url"),
        ('"http://localhost:1/v1"', " http://localhost:1/v1", "http://localhost:1/v1"),
    ),
    **dict.fromkeys(
        ("embedding_api_key", "openai_api_key", "voyage_api_key"), ('"k-123"', " k-123 ", "k-123")
    ),
    "embedding_price": ("0.02", "0.02", 0.02),
    "embedding_cap": ("5", "5", 5.0),
    "embedding_timeout_s": ("2.5", "2.5", 2.5),
    "embedding_dimensions": ("512", "512", 512),
    "model_reasoning": ('"Local:llama3.2:3b"', " local:llama3.2:3b ", "local:llama3.2:3b"),
    "model_base_url": ('"http://localhost:1/v1"', " http://localhost:1/v1", "http://localhost:1/v1"),
    **dict.fromkeys(
        ("model_api_key", "anthropic_api_key", "gemini_api_key"), ('"k-123"', " k-123 ", "k-123")
    ),
    "model_timeout_s": ("2.5", "2.5", 2.5),
    "model_output_tokens": ("512", "512", 512),
    **dict.fromkeys(("model_price_input", "model_price_output"), ("0.02", "0.02", 0.02)),
    "model_cap": ("5", "5", 5.0),
    "model_cap_tokens": ("5000", "5000", 5_000),
    "model_extraction": ("true", "on", True),
    **dict.fromkeys(
        ("conflict_judge", "reranker"),
        ('"local:/models/x"', " local:/models/x ", EncoderSpec(EncoderKind.LOCAL, "/models/x")),
    ),
    "daemon": ("false", "off", False),
    "daemon_idle_minutes": ("5", "5", 5.0),
    "injection_order": ('["diversity"]', " diversity,", ("diversity",)),
}
"""Setting -> as TOML, as a variable, as a value."""


def test_every_setting_is_tried_here() -> None:
    assert {"home", *WEIGHTS, *OTHERS} == set(SETTING_NAMES) == {field.name for field in fields(Settings)}


def test_defaults() -> None:
    found = read_settings("/somewhere", {})
    assert found == Settings(home=Path("/somewhere"))
    assert found.similarity_band == 0.02
    assert found.half_life_days == 45
    assert sum(getattr(found, name) for name in WEIGHTS) == pytest.approx(1)


@pytest.mark.parametrize("name", OTHERS)
def test_from_the_file_and_from_the_environment(name: str, tmp_path: Path) -> None:
    toml, text, value = OTHERS[name]
    # A cap is refused without a price, extraction without a model.
    needed = {
        "embedding_price": "1", "model_price_input": "1", "model_price_output": "1", "model_reasoning": "openai:x"
    }  # fmt: skip
    price = {PREFIX + each.upper(): value for each, value in needed.items() if each != name}
    environment = {PREFIX + "HOME": str(tmp_path), PREFIX + name.upper(): text, **price}
    assert getattr(read_settings(None, environment), name) == value
    (tmp_path / FILE_NAME).write_text(f"{name} = {toml}\n")
    assert getattr(read_settings(tmp_path, price), name) == value
    assert getattr(read_settings(tmp_path, price), name) != getattr(Settings(home=tmp_path), name)


def test_variables_that_other_programs_know_too(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('model_embedding = "local:/file"\nopenai_api_key = "file"\n')
    shared = {"MODEL_EMBEDDING": "voyage:voyage-3.5", "OPENAI_API_KEY": "shared", "VOYAGE_API_KEY": " "}
    found = read_settings(tmp_path, shared)
    assert (found.model_embedding, found.openai_api_key) == ("voyage:voyage-3.5", "shared")
    assert found.voyage_api_key is None
    own = {PREFIX + "MODEL_EMBEDDING": "static", PREFIX + "OPENAI_API_KEY": "own"}
    found = read_settings(tmp_path, shared | own)
    assert (found.model_embedding, found.openai_api_key) == ("static", "own")
    assert found.encoders == {"model_embedding": "static"}
    assert read_settings(tmp_path, {}).openai_api_key == "file"


def test_no_key_is_in_a_repr_or_an_error(tmp_path: Path) -> None:
    names = tuple(name for name in SETTING_NAMES if name.endswith("_api_key"))
    found = read_settings(tmp_path, {PREFIX + name.upper(): f"S3cret-{name}" for name in names})
    assert all(getattr(found, name) == f"S3cret-{name}" for name in names)
    assert "S3cret" not in repr(found)
    for name in names:
        with pytest.raises(InvalidValue, match=name) as caught:
            read_settings(tmp_path, {PREFIX + name.upper(): "S3cret\x07"})
        assert "S3cret" not in str(caught.value)
    with pytest.raises(InvalidValue, match="embedding_base_url") as caught:
        read_settings(tmp_path, {PREFIX + "EMBEDDING_BASE_URL": "https://ada:S3cret@host/v1"})
    assert "S3cret" not in str(caught.value)


def test_a_cap_without_a_price_would_stop_nothing(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="embedding_cap"):
        read_settings(tmp_path, {PREFIX + "EMBEDDING_CAP": "5"})
    with pytest.raises(InvalidValue, match="model_cap is 5, but model_price_output"):
        read_settings(tmp_path, {PREFIX + "MODEL_CAP": "5", PREFIX + "MODEL_PRICE_INPUT": "1"})


def test_a_language_model_is_named_by_whose_it_is(tmp_path: Path) -> None:
    shared = {"MODEL_REASONING": "anthropic:opus", "ANTHROPIC_API_KEY": "a", "GEMINI_API_KEY": "g"}
    found = read_settings(tmp_path, shared)
    assert (found.model_reasoning, found.anthropic_api_key, found.gemini_api_key) == (
        "anthropic:opus",
        "a",
        "g",
    )
    assert read_settings(tmp_path, {**shared, PREFIX + "MODEL_REASONING": " "}).model_reasoning is None
    assert read_settings(tmp_path, {"ANTHROPIC_API_KEY": "a"}).model_reasoning is None, (
        "a key alone asks nothing"
    )
    for wrong in ("gpt", "openai:", "mistral:x", ":x", "openai:a\x07"):
        with pytest.raises(InvalidValue, match="model_reasoning"):
            read_settings(tmp_path, {PREFIX + "MODEL_REASONING": wrong})
    with pytest.raises(InvalidValue, match="model_extraction asks a language model, but model_reasoning"):
        read_settings(tmp_path, {PREFIX + "MODEL_EXTRACTION": "on"})


@pytest.mark.parametrize("wrong", ["mini-lm", "local:", "openai", "static:x", "ftp:x", ":x", "local:/a\x00b"])
def test_an_encoder_that_cannot_be_read_is_refused_by_name(wrong: str, tmp_path: Path) -> None:
    for name in ("model_embedding", "reranker", *ENCODER_SETTINGS.values()):
        with pytest.raises(InvalidValue, match=name):
            read_settings(tmp_path, {PREFIX + name.upper(): wrong})


def test_a_reranker_is_a_model_of_the_hub_or_of_a_folder(tmp_path: Path) -> None:
    for name in ("off", " "):
        assert read_settings(tmp_path, {PREFIX + "RERANKER": name}).reranker is None
    assert str(read_settings(tmp_path, {PREFIX + "RERANKER": "fastembed:a/b"}).reranker) == "fastembed:a/b"
    for wrong in ("static", "openai:small", "voyage:small"):
        with pytest.raises(InvalidValue, match="reranker"):
            read_settings(tmp_path, {PREFIX + "RERANKER": wrong})


def test_weights_from_the_file_and_from_the_environment(tmp_path: Path) -> None:
    found = read_settings(tmp_path, {PREFIX + name.upper(): str(value) for name, value in WEIGHTS.items()})
    assert {name: getattr(found, name) for name in WEIGHTS} == WEIGHTS
    (tmp_path / FILE_NAME).write_text("".join(f"{name} = {value}\n" for name, value in WEIGHTS.items()))
    assert read_settings(tmp_path, {}) == found


def test_the_environment_overrules_the_file(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('agent = "ada"\nhalf_life_days = 10\n')
    found = read_settings(tmp_path, {"ENGRAMFORGE_AGENT": "bob", "OTHER_AGENT": "eve"})
    assert (found.agent, found.half_life_days) == ("bob", 10)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("encoder_semantic", "5"),
        ("model_embedding", "[]"),
        ("embedding_base_url", '"http://[::1"'),
        ("embedding_base_url", '"http://host:port/v1"'),
        ("voyage_base_url", '"http://host:99999"'),
        ("model_reasoning", "{}"),
        ("model_base_url", '"ftp://host"'),
        ("half_life_days", "1" + "0" * 400),
        ("busy_timeout_ms", "9" * 5_000),
        ("preset", "{}"),
        ("agent", "{ a = 5 }"),
        ("detection", "[" * 5_000),
        ("tenant", "0"),
    ],
)
def test_a_value_of_another_type_is_refused(name: str, wrong: str, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text(f"{name} = {wrong}\n")
    with pytest.raises(InvalidValue) as caught:
        read_settings(tmp_path, {})
    assert caught.value.mend
    assert len(str(caught.value)) < 1_000


def test_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings(None, {"ENGRAMFORGE_HOME": str(tmp_path)}).home == tmp_path
    assert read_settings(tmp_path / "asked", {"ENGRAMFORGE_HOME": str(tmp_path)}).home == tmp_path / "asked"
    assert read_settings("~/memory", {}).home == Path.home() / "memory"
    monkeypatch.chdir(tmp_path)
    assert read_settings("here", {}).home == tmp_path / "here"
    assert read_settings(None, {}).home.name == "engramforge"
    for wrong in ("", "a\x00b", "a\ud800b", "~nobody-of-this-name/memory"):
        with pytest.raises(InvalidValue, match="home folder"):
            read_settings(None, {"ENGRAMFORGE_HOME": wrong})
    for wrong in ("", "a\x00b"):
        with pytest.raises(InvalidValue, match="home"):
            read_settings(wrong, {})


def test_where_the_url_comes_from(tmp_path: Path) -> None:
    there = {"ENGRAMFORGE_URL": "postgresql://there/d", "ENGRAMFORGE_HOME": str(tmp_path)}
    assert read_settings(None, there).url == "postgresql://there/d"
    assert read_settings("postgresql://asked/d", there).url == "postgresql://asked/d"
    assert read_settings("postgresql://asked/d", there).home == tmp_path
    # An argument goes before a variable, also where it names a folder; the folder's own file counts.
    assert read_settings(tmp_path, there).url is None
    (tmp_path / FILE_NAME).write_text('url = "postgresql://file/d"\n')
    assert read_settings(None, there).url == "postgresql://there/d"
    assert read_settings(tmp_path, there).url == "postgresql://file/d"
    assert read_settings("sqlite:///asked", there).url == "sqlite:///asked"


@pytest.mark.parametrize(
    "wrong",
    [
        "mysql://ada:S3cret@h/d",
        "ada:S3cret@h",
        "postgresql:S3cret",
        "postgresql://",
        "",
        "sqlite://",
        "x\x00",
    ],
)
def test_a_wrong_url_is_refused_and_not_shown(wrong: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="url") as caught:
        read_settings(None, {"ENGRAMFORGE_URL": wrong, "ENGRAMFORGE_HOME": str(tmp_path)})
    assert "S3cret" not in str(caught.value)
    assert "postgresql://user" in caught.value.mend
    found = read_settings(None, {"ENGRAMFORGE_URL": "postgresql://ada:S3cret@h/d"})
    assert "S3cret" not in repr(found)


@pytest.mark.parametrize(
    "wrong, near",
    [("half_live_days", "half_life_days"), ("similarity_bant", "similarity_band"), ("tennant", "tenant")],
)
def test_a_wrong_name_is_refused_with_the_likely_one(wrong: str, near: str, tmp_path: Path) -> None:
    for environment in ({PREFIX + wrong.upper(): "1"}, {}):
        if not environment:
            (tmp_path / FILE_NAME).write_text(f"{wrong} = 1\n")
        with pytest.raises(InvalidValue, match=wrong) as caught:
            read_settings(tmp_path, environment)
        assert near in caught.value.mend
    (tmp_path / FILE_NAME).write_text("zzz = 1\n")
    with pytest.raises(InvalidValue) as caught:
        read_settings(tmp_path, {})
    assert all(name in caught.value.mend for name in SETTING_NAMES if name != "home")


@pytest.mark.parametrize(
    "name, value",
    [
        ("busy_timeout_ms", "0"),
        ("busy_timeout_ms", "600001"),
        ("busy_timeout_ms", "1.5"),
        ("busy_timeout_ms", "soon"),
        ("half_life_days", "0"),
        ("half_life_days", "-1"),
        ("half_life_days", "nan"),
        ("half_life_days", "inf"),
        ("similarity_band", "1.01"),
        ("similarity_band", "-0.01"),
        ("weight_freshness", "2"),
        ("tenant", " "),
        ("agent", ""),
    ],
)
def test_a_wrong_value_is_refused_by_name(name: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match=name):
        read_settings(tmp_path, {PREFIX + name.upper(): value})


@pytest.mark.parametrize(
    "line, name",
    [
        ("half_life_days = true", "half_life_days"),
        ("half_life_days = [1]", "half_life_days"),
        ("tenant = 7", "tenant"),
        ("excluded_projects = 7", "excluded_projects"),
        ("excluded_projects = [7]", "excluded_projects"),
        ("half_life_days = ", FILE_NAME),
        ("[section]\nx = 1", "section"),
    ],
)
def test_a_wrong_line_of_the_file_is_refused(line: str, name: str, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text(line)
    with pytest.raises(InvalidValue, match=name) as caught:
        read_settings(tmp_path, {})
    assert caught.value.mend


def test_the_file_must_be_text_that_can_be_read(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidValue, match="UTF-8"):
        read_settings(tmp_path, {})
    (tmp_path / FILE_NAME).unlink()
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(StoreUnavailable, match="cannot be read"):
        read_settings(tmp_path, {})


@pytest.mark.parametrize("value, sound", [("0.45", True), ("0.4500001", True), ("0.46", False), ("0", False)])
def test_weights_have_to_add_up_to_1(value: str, sound: bool, tmp_path: Path) -> None:
    environment = {"ENGRAMFORGE_WEIGHT_SIMILARITY": value}
    if sound:
        assert read_settings(tmp_path, environment).weight_similarity == float(value)
        return
    with pytest.raises(InvalidValue, match="add up") as caught:
        read_settings(tmp_path, environment)
    assert all(name in caught.value.mend for name in WEIGHTS)


def test_settings_reach_the_ranking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    lines = "".join(f"{name} = {value}\n" for name, value in WEIGHTS.items())
    (tmp_path / FILE_NAME).write_text(lines + "half_life_days = 10\nsimilarity_band = 1.0\n")
    with engramforge.open(tmp_path) as forge:
        forge.remember("The lamp is green.", valid_at="2025-01-01", epistemic_tier=0.0, session_id="a")
        forge.remember("The lamp by the door.", valid_at="2025-01-11", epistemic_tier=1.0, session_id="b")
        hits = forge.recall("What colour is the lamp?", now="2025-01-21T00:00:00Z").hits
    by_content = {hit.memory.content: hit for hit in hits}
    assert by_content["The lamp is green."].parts.freshness == pytest.approx(0.25)
    assert by_content["The lamp by the door."].parts.freshness == pytest.approx(0.5)
    for hit in hits:
        parts = hit.parts.as_dict()
        expected = sum(WEIGHTS[f"weight_{name}"] * value for name, value in parts.items())
        assert hit.mass == pytest.approx(expected, abs=1e-6)
    # A band of 1 makes every hit near enough: the order is by mass alone.
    assert [hit.mass for hit in hits] == sorted((hit.mass for hit in hits), reverse=True)


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("semantic=0.2", "semantic"),
        ("meaning=0.5", "meaning"),
        ("temporal_recent=0.5", "temporal_recent"),
        ("code=2", "code"),
        ("code", "code"),
    ],
)
def test_a_threshold_that_cannot_be_is_refused(value: str, named: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match=named):
        read_settings(tmp_path, {PREFIX + "THRESHOLDS_HIGH": value})


@pytest.mark.parametrize("written", ["5", "true", '["semantic"]'])
def test_thresholds_in_the_file_are_a_table(written: str, tmp_path: Path) -> None:
    (tmp_path / "engramforge.toml").write_text(f"thresholds_low = {written}\n")
    with pytest.raises(InvalidValue, match=r"thresholds_low is .*table of space = number"):
        read_settings(tmp_path, {})


def test_a_threshold_is_said_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="thresholds_high names semantic twice"):
        read_settings(tmp_path, {PREFIX + "THRESHOLDS_HIGH": "semantic=0.8, semantic=0.9"})


def test_thresholds_reach_the_flags_and_the_calibrations(tmp_path: Path) -> None:
    def match(variables: dict[str, str]) -> tuple[bool, str | None, float]:
        with open_forge(tmp_path, environment={"ENGRAMFORGE_HOME": str(tmp_path), **variables}) as forge:
            forge.remember("The harbour crane lifts granite blocks.")
            hit = forge.recall("Which crane lifts granite blocks at the harbour?").hits[0]
            found = next(each for each in hit.matches if each.space == "semantic")
            return found.high, found.calibration, hit.relevance_score

    high, usual, score = match({})
    assert high
    not_high, other, less = match({PREFIX + "THRESHOLDS_HIGH": "semantic=0.999"})
    assert not not_high
    assert other == usual
    assert less < score
