"""Connecting Claude Code and taking it back: shown first, written once, to the byte as it was, nothing of others."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.faces.conftest import Cli

from engramforge.faces.connections.claude_code import CLIENT, EVENTS, LAUNCHER
from engramforge.model.memory import Kind

REPOSITORY = Path(__file__).resolve().parents[2]
FOREIGN: dict[str, Any] = {
    "model": "opus",
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say ☂"}]}],
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "guard"}]}],
        "Notification": [],
    },
}


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def settings(user: Path) -> dict[str, Any]:
    value = json.loads((user / ".claude" / "settings.json").read_text())
    assert isinstance(value, dict)
    return value


def test_a_person_who_has_nothing_is_connected_and_left_with_nothing(
    cli: Cli, user: Path, home: Path
) -> None:
    answer = cli("connect", "claude-code", "--yes", "--json").json
    assert answer["connected"] and len(answer["changed"]) == 3
    hooks = settings(user)["hooks"]
    assert set(hooks) == set(EVENTS)
    for event, (matcher, timeout) in EVENTS.items():
        (group,) = hooks[event]
        (hook,) = group["hooks"]
        assert group.get("matcher") == matcher and hook["timeout"] == timeout <= 5
        assert (hook["command"], hook["args"][0]) == ("/bin/sh", "-c")
        python = os.path.abspath(sys.executable)  # noqa: PTH100
        assert hook["args"][3:] == [python, "-I", "-S", "-E", str(LAUNCHER), event, "--home", str(home)]
    server = json.loads((user / ".claude.json").read_text())["mcpServers"]["engramforge"]
    assert server["args"][-1] == "mcp" and str(home) in server["args"]
    assert stat.S_IMODE((user / ".claude.json").stat().st_mode) == 0o600
    assert cli("connect", "claude-code", "--yes", "--json").json["changed"] == []
    assert cli("disconnect", "claude-code", "--yes", "--json").json
    assert files(user) == {} and not home.exists() and (user / ".claude").is_dir()


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(FOREIGN, indent=4),
        json.dumps(FOREIGN, indent="\t", ensure_ascii=False) + "\n",
        json.dumps(FOREIGN),
        '{ "model" : "opus" }\n\n',
        '{"enabledPlugins": {}, "declinedPlugins": [], "extraKnownMarketplaces": null}',
        "{}",
        "",
    ],
)
def test_a_file_that_nobody_changed_since_is_as_it_was_to_the_byte(text: str, cli: Cli, user: Path) -> None:
    place = user / ".claude" / "settings.json"
    place.write_text(text)
    place.chmod(0o640)
    assert cli("connect", "claude-code", "--yes", "--json").json
    assert stat.S_IMODE(place.stat().st_mode) == 0o640
    before = json.loads(text or "{}")
    found = settings(user)
    assert found.get("model") == before.get("model")
    for event, groups in before.get("hooks", {}).items():
        assert found["hooks"][event][: len(groups)] == groups
    assert cli("disconnect", "claude-code", "--yes", "--json").json
    assert place.read_text() == text


def test_what_others_wrote_since_stays(cli: Cli, user: Path) -> None:
    place = user / ".claude" / "settings.json"
    place.write_text(json.dumps(FOREIGN))
    cli("connect", "claude-code", "--yes")
    changed = settings(user)
    changed["theme"] = "dark"
    changed["hooks"]["Stop"][-1]["hooks"].append({"type": "command", "command": "theirs"})
    place.write_text(json.dumps(changed))
    state = user / ".claude.json"
    state.write_text(
        json.dumps({**json.loads(state.read_text()), "numStartups": 3, "projects": {"/srv": {}}})
    )
    assert cli("disconnect", "claude-code", "--yes", "--json").json
    wanted = json.loads(json.dumps({**FOREIGN, "theme": "dark"}))
    wanted["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "theirs"}]})
    assert settings(user) == wanted
    assert json.loads(state.read_text()) == {"numStartups": 3, "projects": {"/srv": {}}}


def test_a_second_connection_after_a_change_is_taken_back_whole(cli: Cli, user: Path) -> None:
    place = user / ".claude" / "settings.json"
    place.write_text('{"model": "opus"}')
    cli("connect", "claude-code", "--yes")
    changed = {**settings(user), "theme": "dark"}
    changed["hooks"].pop("Stop")
    place.write_text(json.dumps(changed))
    cli("connect", "claude-code", "--yes")
    assert set(settings(user)["hooks"]) == set(EVENTS) and settings(user)["theme"] == "dark"
    cli("disconnect", "claude-code", "--yes")
    assert settings(user) == {"model": "opus", "theme": "dark"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"model": "opus",}', "is not JSON"),
        ("// mine\n{}", "is not JSON"),
        ("[]", "no JSON object"),
        ('{"a": 1, "a": 2}', "'a' twice"),
        ('{"a": 1e400}', "1e400"),
        ('{"hooks": ["odd"]}', "hooks of a shape"),
        ('{"hooks": null}', "hooks of a shape"),
        ('{"hooks": {"Stop": {}}}', "hooks of a shape"),
    ],
)
def test_broken_settings_are_refused_and_left_alone(text: str, said: str, cli: Cli, user: Path) -> None:
    place = user / ".claude" / "settings.json"
    place.write_text(text)
    error = cli("connect", "claude-code", "--yes", "--json").error
    assert said in error["fault"] and str(place) in error["fault"]
    assert files(user) == {".claude/settings.json": text.encode()}


def test_a_server_of_our_name_that_is_not_ours_is_left_alone(cli: Cli, user: Path) -> None:
    text = json.dumps({"mcpServers": {"engramforge": {"command": "uvx", "args": ["engramforge", "mcp"]}}})
    (user / ".claude.json").write_text(text)
    error = cli("connect", "claude-code", "--yes", "--json").error
    assert "claude mcp remove engramforge" in error["mend"]
    assert files(user) == {".claude.json": text.encode()}


def test_nothing_is_written_unasked(cli: Cli, user: Path, home: Path) -> None:
    assert cli("connect", "claude-code", "--json").error["error"] == "NotConfirmed"
    unasked = cli("connect", "claude-code")
    assert unasked.code == 2 and unasked.err.startswith("There is nobody to ask here")
    assert len(unasked.out.splitlines()) < 10 and "settings.json" in unasked.out
    shown = cli("connect", "claude-code", "--dry-run")
    assert shown.code == 0 and f'"{LAUNCHER}"' in shown.out
    assert str(user / ".claude" / "settings.json") in shown.out and "Nothing was written." in shown.out
    assert files(user) == {} and not home.exists()


def test_with_yes_the_files_are_named_without_their_lines(cli: Cli, user: Path) -> None:
    said = cli("connect", "claude-code", "--yes").out
    assert f"make {user / '.claude' / 'settings.json'}" in said and str(LAUNCHER) not in said
    said = cli("disconnect", "claude-code", "--yes").out
    assert f"remove {user / '.claude' / 'settings.json'}" in said and str(LAUNCHER) not in said


def test_a_person_at_the_terminal_is_asked(on_terminal: Any, user: Path, home: Path) -> None:
    said = on_terminal("connect", "claude-code", typed="n\n")
    assert "Nothing was written." in said.err and files(user) == {}
    assert on_terminal("connect", "claude-code", typed="y\n").code == 0
    assert set(settings(user)["hooks"]) == set(EVENTS)
    on_terminal("disconnect", "claude-code", typed="n\n")
    assert set(settings(user)["hooks"]) == set(EVENTS)
    on_terminal("disconnect", "claude-code", typed="y\n")
    assert files(user) == {}


def test_a_project_is_connected_for_this_person_alone(cli: Cli, user: Path, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    assert cli("connect", "claude-code", "--project", str(project), "--yes", "--json").json
    assert cli("connect", "claude-code", "--yes", "--json").json
    assert set(files(project)) == {".claude/settings.local.json"}
    state = json.loads((user / ".claude.json").read_text())
    assert set(state["projects"][str(project)]["mcpServers"]) == {"engramforge"} == set(state["mcpServers"])
    assert cli("disconnect", "claude-code", "--project", str(project), "--yes", "--json").json
    assert files(project) == {} and not (project / ".claude").exists()
    assert set(settings(user)["hooks"]) == set(EVENTS)
    assert cli("disconnect", "claude-code", "--yes", "--json").json
    assert files(user) == {}


def test_a_link_to_settings_stays_one(cli: Cli, user: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}\n")
    (user / ".claude" / "settings.json").symlink_to(kept)
    cli("connect", "claude-code", "--yes")
    assert (user / ".claude" / "settings.json").is_symlink() and "hooks" in json.loads(kept.read_text())
    cli("disconnect", "claude-code", "--yes")
    assert (user / ".claude" / "settings.json").is_symlink() and kept.read_text() == "{}\n"


def test_http_hooks_need_a_daemon_and_carry_its_token(cli: Cli, user: Path, home: Path) -> None:
    error = cli("connect", "claude-code", "--hooks", "http", "--yes", "--json").error
    assert "serve" in error["mend"] and files(user) == {}
    (home / "run").mkdir(parents=True)
    (home / "run" / "daemon.json").write_text('{"port": 4733}')
    (home / "run" / "token").write_text("secret\n")
    assert cli("connect", "claude-code", "--hooks", "http", "--yes", "--json").json
    hooks = {event: groups[0]["hooks"][0] for event, groups in settings(user)["hooks"].items()}
    assert {event for event, hook in hooks.items() if hook["type"] == "command"} == {"SessionStart"}
    assert hooks["Stop"]["url"].startswith("http://127.0.0.1:4733/hook")
    assert hooks["Stop"]["headers"] == {"Authorization": "Bearer secret"}
    (user / ".claude" / "settings.json").write_text(json.dumps({**settings(user), "theme": "dark"}))
    assert cli("disconnect", "claude-code", "--yes", "--json").json
    assert settings(user) == {"theme": "dark"}


def test_purged_is_all_but_the_store_and_asked_twice_everything(cli: Cli, user: Path, home: Path) -> None:
    cli("remember", "The ferry leaves at noon.")
    store = set(files(home))
    cli("connect", "claude-code", "--yes")
    for name in ("run", "log", "spool"):
        (home / name).mkdir()
        (home / name / "file").write_text("x")
    shown = cli("disconnect", "claude-code", "--purge", "--dry-run").out
    named = [line.partition(" ")[2] for line in shown.splitlines() if line.startswith(("remove ", "change "))]
    assert str(home / "connect.json") in named and len(named) == len(set(named))
    assert cli("disconnect", "claude-code", "--purge", "--yes", "--json").json
    assert set(files(home)) <= store and cli("list", "--json").json["memories"]
    assert cli("disconnect", "claude-code", "--purge", "--purge", "--yes", "--json").json
    assert not home.exists() and files(user) == {}


def test_disconnecting_a_home_leaves_the_one_that_took_its_place(
    cli: Cli, user: Path, tmp_path: Path
) -> None:
    other = str(tmp_path / "other")
    cli("connect", "claude-code", "--yes")
    before = str(settings(user)["hooks"]["Stop"])
    assert cli("connect", "claude-code", "--yes", "--json", "--home", other).json["replaced"] != []
    connected = files(user)
    assert other in str(settings(user)["hooks"]["Stop"]) != before
    assert cli("disconnect", "claude-code", "--yes", "--json").json["disconnected"]
    assert cli("disconnect", "claude-code", "--yes").code == 0
    assert files(user) == connected
    assert cli("disconnect", "claude-code", "--yes", "--json", "--home", other).json
    assert [json.loads(text) for text in files(user).values()] == [{}, {}]


def test_a_lost_record_leaves_no_entry_behind(cli: Cli, user: Path, home: Path) -> None:
    cli("connect", "claude-code", "--yes")
    for path in (home / "connections").iterdir():
        path.unlink()
    assert cli("disconnect", "claude-code", "--yes", "--json").json
    assert settings(user) == {} and json.loads((user / ".claude.json").read_text()) == {}


def test_without_claude_there_is_no_plugin(cli: Cli, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    error = cli("connect", "claude-code", "--plugin", "--yes", "--json").error
    assert "--settings" in error["mend"] and files(user) == {}


def test_the_plugin_s_files_are_those_of_the_package() -> None:
    plugin = REPOSITORY / "plugin"
    for file in (CLIENT, LAUNCHER):
        assert (plugin / "hooks" / file.name).resolve() == file
    hooks = json.loads((plugin / "hooks" / "hooks.json").read_text())["hooks"]
    assert set(hooks) == set(EVENTS)
    for event, (matcher, timeout) in EVENTS.items():
        (group,) = hooks[event]
        assert group.get("matcher") == matcher
        command = {"command": "${CLAUDE_PLUGIN_ROOT}/hooks/run", "args": [event]}
        assert group["hooks"] == [{"type": "command", **command, "timeout": timeout}]
    said = (plugin / "commands" / "remember.md").read_text().partition("fits it (")[2].partition(")")[0]
    assert set(said.split(", ")) < set(Kind)
    import engramforge

    described = json.loads((plugin / ".claude-plugin" / "plugin.json").read_text())
    assert described["version"] == engramforge.__version__


def test_connect_writes_the_plugin_with_absolute_paths(home: Path) -> None:
    from engramforge.faces.connections import plugin_files
    from engramforge.faces.connections.claude_code import Commands

    found = plugin_files.files(Commands("/opt/my python/bin/python", str(home)))
    assert json.loads(found["plugin/.mcp.json"])["mcpServers"]["engramforge"]["command"].startswith("/opt")
    off = found["plugin/commands/memory-off.md"].decode()
    assert f"!`'/opt/my python/bin/python' -m engramforge.entry.console --home '{home}' session off" in off
    assert not {"plugin/hooks/run", "plugin/hooks/launch.py", "plugin/hooks/client.py"} & set(found)


def test_the_plugin_alone_finds_the_installation_on_path(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    seen = tmp_path / "seen"
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho "$@" > "{seen}"\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    (programs / "engramforge").write_text(f"#!{python}\nimport engramforge\n")
    (programs / "engramforge").chmod(0o755)
    # No daemon is to outlive this test.
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "connect.json").write_text('{"serve": ["/bin/true"]}')
    for path in (f"{programs}:/usr/bin:/bin", "/usr/bin:/bin", "/nowhere"):
        seen.unlink(missing_ok=True)
        command = ["/bin/sh", REPOSITORY / "plugin" / "hooks" / "run", "Stop", "--home", tmp_path / "home"]
        given = b'{"hook_event_name":"Stop"}'
        done = subprocess.run(command, input=given, env={"PATH": path}, capture_output=True, check=True)
        assert done.stdout == done.stderr == b"" and seen.exists() == path.startswith(str(programs))
    assert len(list((tmp_path / "home" / "spool").glob("client-*"))) == 2


def transcript(user: Path) -> None:
    """What Claude Code kept of a session."""
    folder = user / ".claude" / "projects" / "-srv-shop"
    folder.mkdir(parents=True)
    turns = [("user", "When does the ferry leave?"), ("assistant", "The ferry leaves at noon.")]
    lines = [
        {
            "type": who,
            "uuid": f"u{number}",
            "sessionId": "s1",
            "cwd": "/srv/shop",
            "timestamp": f"2026-05-01T09:00:0{number}.000Z",
            "message": {"role": who, "content": text},
        }
        for number, (who, text) in enumerate(turns)
    ]
    (folder / "s1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_init_connects_and_imports_where_a_person_says_yes(cli: Cli, on_terminal: Any, user: Path) -> None:
    transcript(user)
    said = on_terminal("init", typed="y\ny\n")
    assert said.code == 0, said.err
    assert "Import 1 transcripts (about 2 turns, some 1 s)?" in said.err
    assert set(settings(user)["hooks"]) == set(EVENTS)
    assert cli("stats", "--json").json["memories"] == 2
    found = cli("init", "--json").json
    assert found["claude_code"]["connected"] and "engramforge connect claude-code" not in found["next"]


def test_each_step_of_init_can_be_refused(cli: Cli, on_terminal: Any, user: Path) -> None:
    transcript(user)
    before = files(user)
    said = on_terminal("init", typed="n\nn\n")
    assert "Claude Code was not connected." in said.out and "Nothing was imported." in said.out
    assert files(user) == before and cli("stats", "--json").json["memories"] == 0


def test_init_with_nobody_to_ask_does_nothing_and_prints_the_commands(cli: Cli, user: Path) -> None:
    transcript(user)
    before = files(user)
    said = cli("init").out
    assert "  engramforge connect claude-code\n" in said and "  engramforge import " in said
    assert files(user) == before and cli("stats", "--json").json["memories"] == 0


def test_init_survives_broken_settings(cli: Cli, on_terminal: Any, user: Path) -> None:
    (user / ".claude" / "settings.json").write_text("{oops")
    said = on_terminal("init", typed="y\n")
    assert said.code == 0 and "is not JSON" in said.err and "Claude Code was not connected" in said.err
