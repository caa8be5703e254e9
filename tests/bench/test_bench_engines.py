"""`--engine URL`: the same benchmarks on a database, in tenants of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.harness import Options

import engramforge
from bench import harness
from engramforge.errors import InvalidValue


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite://{tmp_path / 'home'}"
    return str(request.getfixturevalue("postgres_url"))


def test_a_benchmark_gives_the_same_on_a_url(url: str, timeqa_file: Path) -> None:
    there, here = (harness.run("timeqa", [timeqa_file], Options(engine=engine)) for engine in (url, None))
    for outcome in (there, here):
        outcome.metrics.pop("latency")  # type: ignore[attr-defined]
    assert there.metrics == here.metrics
    assert (there.settings["engine"], here.settings["engine"]) == (url.partition(":")[0], "sqlite")
    # Twice in one database, without meeting what the first run left.
    assert harness.run("timeqa", [timeqa_file], Options(engine=url)).metrics["hit_at_3"] == 1.0


def test_the_settings_tell_no_password() -> None:
    assert harness.engine_name("postgresql://ann:secret@host/db") == "postgresql"


# In a home folder, `test_bench_runs` measures it.
@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_scale_on_a_url(url: str) -> None:
    outcome = harness.run("scale", [], Options(memories=400, limit=1, engine=url))
    assert outcome.n == 400
    assert all(outcome.metrics[name] > 0 for name in ("ingest_per_second", "growth_ratio", "rss_mb"))
    for tenant, held in (("bench-scale", 400), ("bench-scale-quarter", 100)):
        with engramforge.open(url, tenant=tenant) as forge:
            assert forge.stats().by_kind["message"] == held
    with pytest.raises(InvalidValue, match=r"already holds \d+ memories") as caught:
        harness.run("scale", [], Options(memories=400, engine=url))
    assert "empty" in caught.value.mend


def test_scale_leaves_a_store_in_use_alone(url: str) -> None:
    with engramforge.open(url) as forge:
        forge.remember("mine")
    with pytest.raises(InvalidValue, match="of the tenant 'default'"):
        harness.run("scale", [], Options(memories=400, engine=url))


def test_an_engine_is_a_url(timeqa_file: Path) -> None:
    with pytest.raises(InvalidValue, match="is no URL"):
        harness.run("timeqa", [timeqa_file], Options(engine="my/folder"))
