"""What a memory is connected to within some links, through Python, the command line and MCP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

import engramforge
from engramforge.errors import InvalidTime, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.link import Link, WalkedLink

from .conftest import Cli
from .test_links import SOUND
from .test_mcp import _call, _inside, _refusal, _text


@pytest.fixture
def forge(home: Path) -> Iterator[Forge]:
    """An open store."""
    with engramforge.open(home) as opened:
        yield opened


@pytest.fixture
def chain(forge: Forge) -> list[str]:
    """Logical ids of five memories, each linked to the next more weakly, the last at another time."""
    ids = [forge.remember(f"Station number {number}.").logical_id for number in range(5)]
    for number in range(3):
        forge.link(ids[number], ids[number + 1], "LEADS_TO", **{**SOUND, "energy": 0.9 - number / 10})
    forge.link(ids[3], ids[4], "LED_TO", **SOUND, valid_at="2026-01-01", invalid_at="2026-02-01")
    return ids


def _depths(links: list[Link]) -> list[tuple[str, int]]:
    assert all(isinstance(link, WalkedLink) for link in links)
    return [(link.target_id, link.depth) for link in links if isinstance(link, WalkedLink)]


def test_a_memory_is_connected_within_a_depth(forge: Forge, chain: list[str]) -> None:
    (alone,) = forge.links(chain[0])
    assert type(alone) is Link and forge.links(chain[0], depth=1) == [alone]
    assert _depths(forge.links(chain[0], depth=2)) == [(chain[1], 1), (chain[2], 2)]
    assert _depths(forge.links(chain[0], depth=4)) == [(chain[1], 1), (chain[2], 2), (chain[3], 3)]
    assert _depths(forge.links(chain[1], fan_out=1)) == [(chain[1], 1)]
    assert _depths(forge.links(chain[0], depth=4, fan_out=1))[-1] == (chain[3], 3)
    version = forge.revise(chain[1], "Station number one, renamed.").id
    assert any(link.source_id == link.target_id for link in forge.links(version))
    assert _depths(forge.links(version, depth=2)) == [(chain[1], 1), (chain[2], 1), (chain[3], 2)]


def test_times_and_relations_hold_for_every_link_of_a_walk(forge: Forge, chain: list[str]) -> None:
    found = forge.links(chain[3], depth=4, as_of_valid="2026-01-15")
    assert _depths(found) == [(chain[4], 1)]
    assert len(forge.links(chain[3], depth=2, mode="full_history")) == 3
    assert forge.links(chain[0], depth=4, mode="full_history", relation="LED_TO") == []
    with pytest.raises(InvalidTime):
        forge.links(chain[0], depth=2, mode="point_in_time")


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"depth": 0}, "depth is 0; from 1 to 4"),
        ({"depth": 5}, "depth is larger than 4. Give a whole number from 1 to 4"),
        ({"depth": "2"}, "depth is '2'"),
        ({"depth": True}, "depth is True"),
        ({"depth": None}, "depth is None"),
        ({"depth": float("nan")}, "depth is nan"),
        ({"fan_out": 0}, "fan_out is 0; from 1 to 100"),
        ({"depth": 2, "fan_out": 101}, "fan_out is larger than 100"),
        ({"fan_out": 1.5}, "fan_out is 1.5"),
        ({"depth": 2, "relation": "leads to"}, "'leads to'"),
    ],
)
def test_walks_past_their_limits_are_refused(
    forge: Forge,
    chain: list[str],
    asked: dict[str, Any],
    named: str,
) -> None:
    with pytest.raises(InvalidValue, match=named.partition(";")[0]) as caught:
        forge.links(chain[0], **asked)
    assert named.partition("; ")[2] in caught.value.mend
    with pytest.raises(NotFound):
        forge.links("nowhere", depth=2)


def test_a_walk_on_the_command_line(cli: Cli, chain: list[str]) -> None:
    found = cli("links", chain[0], "--depth", "2", "--json").json
    assert found["logical_id"] == chain[0]
    assert [(link["target_id"], link["depth"]) for link in found["links"]] == [(chain[1], 1), (chain[2], 2)]
    assert "depth" not in cli("links", chain[0], "--json").json["links"][0]
    heads, first, second = cli("links", chain[0], "--depth", "2").out.splitlines()
    assert heads.split()[:4] == ["depth", "from", "relation", "to"]
    assert first.split()[:5] == ["1", chain[0], "LEADS_TO", "->", chain[1]]
    assert second.split()[:5] == ["2", chain[1], "LEADS_TO", "->", chain[2]]
    assert "No link fits" in cli("links", chain[4], "--fan-out", "1").out
    refused = cli("links", chain[0], "--depth", "5", "--json")
    assert (refused.code, refused.error["error"]) == (2, "InvalidValue")


def test_a_walk_over_mcp(home: Path, chain: list[str]) -> None:
    async def work(client: Client) -> None:
        found = (await _call(client, "forge_links", id=chain[0], depth=3, fan_out=5))["links"]
        assert [(link["target_id"], link["depth"]) for link in found] == [
            *zip(chain[1:4], (1, 2, 3), strict=True)
        ]
        assert "depth" not in (await _call(client, "forge_links", id=chain[0]))["links"][0]
        assert "confidence 0.90, depth 3" in await _text(client, "forge_links", id=chain[0], depth=3)
        assert "depth" not in await _text(client, "forge_links", id=chain[0])
        assert "from 1 to 4" in await _refusal(client, "forge_links", id=chain[0], depth=5)
        assert "takes no depth" in await _refusal(
            client, "forge_links", action="remove", link_id="x", depth=2
        )

    _inside(home, work)
