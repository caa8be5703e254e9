"""What is said before a tool call: measured on pairs of what was said and which call followed."""

from __future__ import annotations

import pytest
from tests.core import place_pairs, warning_pairs, warning_pairs_more
from tests.timing import assert_in_proportion, repeated

from engramforge.core.injection.mentions import spans
from engramforge.core.injection.starters import run_by
from engramforge.core.injection.tool_names import Named, named_in, names_in
from engramforge.core.injection.warnings import LONGEST_WARNING, warning_in

BRINGS = (*warning_pairs.BRINGS, *warning_pairs_more.BRINGS, *place_pairs.BRINGS)
BRINGS_NOTHING = (
    *warning_pairs.BRINGS_NOTHING,
    *warning_pairs_more.BRINGS_NOTHING,
    *place_pairs.BRINGS_NOTHING,
)


def warned(said: str, tool: str, given: str) -> str | None:
    return warning_in(said, named_in(tool, {"command" if tool == "Bash" else "file_path": given}))


@pytest.mark.parametrize(("said", "tool", "given", "shown"), BRINGS)
def test_a_warning_comes_before_what_it_is_of(said: str, tool: str, given: str, shown: str) -> None:
    found = warned(said, tool, given)
    assert found is not None and shown in found


@pytest.mark.parametrize(("said", "tool", "given"), BRINGS_NOTHING)
def test_nothing_comes_before_anything_else(said: str, tool: str, given: str) -> None:
    assert warned(said, tool, given) is None


def test_a_package_that_an_edit_adds_to_a_manifest_is_named() -> None:
    given = {"file_path": "/p/mix.exs", "old_string": "a", "new_string": '{:quantum, "~> 3.5"}'}
    assert "quantum" in names_in("Edit", given)
    assert "quantum" not in names_in("Edit", {**given, "old_string": '{:quantum, "~> 3.4"}'})
    assert "quantum" not in names_in("Edit", {**given, "file_path": "/p/notes.exs"})


def test_there_are_enough_pairs_and_half_of_them_bring_nothing() -> None:
    assert len(warning_pairs.BRINGS_NOTHING) >= len(warning_pairs.BRINGS) >= 40


@pytest.mark.parametrize(
    "line",
    [
        "sudo -u ann npm publish",
        "doas npm publish",
        "su - ring -c 'npm publish'",
        "su -c 'npm publish' ring",
        "runuser -u ring -- npm publish",
        "bash -euo pipefail -c 'npm publish'",
        "eval \"npm publish\"",
        "timeout --signal=KILL 30s npm publish",
        "flock /tmp/lock npm publish",
        "podman-compose run --rm dev npm publish",
        "docker compose -f a.yml run --rm -e X=1 dev sh -c 'cd a && npm publish'",
        "kubectl exec -it pod-1 -- sh -c 'npm publish'",
        "{ npm publish; } 2>&1 | tee log",
        "! npm publish",
        "while ! npm publish; do sleep 1; done",
        "case $x in a) npm publish;; esac",
        "test -f x && npm publish || true",
        "bash <<'E'\nnpm publish\nE",
        "find . -name package.json -execdir npm publish \\;",
        "out=\"$(npm publish)\"",
        "echo `npm publish`",
        "npm --prefix web publish",
        "aws-vault exec prod -- npm publish",
        "ls \\\n  && npm \\\n  publish",
    ],
)  # fmt: skip
def test_a_command_is_named_whatever_starts_it(line: str) -> None:
    assert "npm publish" in names_in("Bash", {"command": line})


@pytest.mark.parametrize(
    "line",
    [
        "cat > a.txt <<-E\n\tnpm publish\n\tE",
        "cat <<A <<'B'\nnpm publish\nA\nnpm publish\nB",
        "python - <<E\nnpm publish\nE",
        "git commit -m \"x\n\nnpm publish\n\"",
        "echo 'it is `npm publish`; npm publish'",
        "ls # npm publish; npm publish",
        "printf '%s' \"npm publish && npm publish\"",
        "grep -e 'x|npm publish' a",
        "cat <<< 'npm publish'",
        "echo \"it's; npm publish\"",
        "awk '/a/ { print; npm publish }' a",
    ],
)  # fmt: skip
def test_what_stands_in_a_text_is_no_command(line: str) -> None:
    assert "npm publish" not in names_in("Bash", {"command": line})


def test_what_a_warning_leans_on_comes_within_the_room_of_a_line() -> None:
    filler = "The tower has a long bell rope which is quite old and rather thick. "
    said = f"{filler * 8}They are in feet. Don't mix that up in tide.py."
    found = warned(said, "Edit", "tide.py")
    assert found is not None and found.endswith("They are in feet. Don't mix that up in tide.py.")
    assert len(found) <= LONGEST_WARNING
    assert warned("The rope is old. Don't touch tide.py.", "Edit", "tide.py") == "Don't touch tide.py."
    assert warned("- It is in feet.\n- Never mix that up in tide.py.", "Edit", "tide.py") is not None


def test_options_make_a_command_another_one() -> None:
    forced = "never `git push --force` here"
    assert warned(forced, "Bash", "git push -f") and warned(forced, "Bash", "git push --force origin x")
    assert warned(forced, "Bash", "git push") is None
    assert warned("never git push here", "Bash", "git push --force")
    assert [*spans("use rm -rf", Named("rm", ("-r",), is_run=True))] == []


@pytest.mark.parametrize(
    ("said", "meant", "other"),
    [
        ("never pigz with --force, we need the originals", "pigz --force a.tar", "pigz -k a.tar"),
        ("dont ever call mogrify with -resize", "mogrify -resize 50% a.png", "mogrify -strip a.png"),
        ("careful with restic with --prune, it took all night", "restic forget --prune", "restic backup x"),
        ("never use --force with gitea", "gitea dump --force", "gitea dump"),
        ("don't use unison with the -batch flag", "unison -batch roof", "unison roof"),
        ("never build with hugo with --minify or --cleanDestinationDir", "hugo --minify", "hugo -D"),
        ("never run stock.py purge", "python stock.py purge", "python stock.py list"),
        ("dont run ./menu.sh reset", "./menu.sh reset", "./menu.sh show"),
        ("do not call ledger.rb wipe ever", "ruby ledger.rb wipe --all", "ruby ledger.rb report"),
        ("`roster.py drop` is forbidden", "python3 roster.py drop", "python3 roster.py export"),
        ("never execute tide.py clear", "python tide.py load && python tide.py clear", "python tide.py load"),
        ("never git push to main", "git push origin main", "git push origin shelf-labels"),
        ("never git push directly to release", "git push origin HEAD:release", "git push -u origin draft"),
        ("don't git push to the stable branch", "git push origin stable", "git push origin work"),
        ("never rsync to boathouse, its disk is dying", "rsync -a a/ ann@boathouse:b/", "rsync -a a/ shed:b/"),
        ("never scp into kiosk", "scp a.txt kiosk:/srv/", "scp a.txt desk:/srv/"),
    ],
)  # fmt: skip
def test_a_ban_of_an_option_a_word_or_a_target_is_of_calls_that_have_it(
    said: str, meant: str, other: str
) -> None:
    assert warned(said, "Bash", meant)
    assert warned(said, "Bash", other) is None


@pytest.mark.parametrize(
    ("said", "call"),
    [
        ("never run unison without -batch", "unison roof"),
        ("careful with restic, always run it with --dry-run first", "restic forget x"),
        ("careful, only run restic with --dry-run", "restic forget x"),
        ("never run mogrify except with -path", "mogrify -strip a.png"),
        ("never run stock.py on the live shelf", "python stock.py list"),
        ("never run stock.py twice", "python stock.py list"),
        ("dont run menu.sh while the kitchen is open", "./menu.sh show"),
        ("never run stock.py purge", "python stock.py purge --yes"),
        ("never run stock.py, it orders paper", "python stock.py"),
        ("never git push to main", "git push"),
        ("never git push on fridays", "git push origin draft"),
        ("never npm publish from a laptop", "npm publish --tag next"),
        ("never git push to test something", "git push origin draft"),
    ],
)
def test_a_ban_of_the_program_is_of_every_call(said: str, call: str) -> None:
    assert warned(said, "Bash", call)


_KEPT = "never touch anything under negatives/, nobody has copies"


@pytest.mark.parametrize(
    ("said", "tool", "given"),
    [
        (_KEPT, "Bash", "rm -rf negatives/1962"),
        (_KEPT, "Bash", "mv negatives/a.tif b.tif"),
        (_KEPT, "Bash", "echo x > negatives/note"),
        (_KEPT, "Write", "/projects/atlas/negatives/1962/a.txt"),
        ("dont edit files in the fixtures folder", "Edit", "tests/fixtures/menu.json"),
        ("careful with sheets/", "Bash", "rm -rf sheets/"),
        ("be careful with the sheets/ folder, nobody has a copy", "Bash", "mv sheets/a.csv /tmp"),
        ("careful with the sheets folder", "Write", "/projects/atlas/sheets/a.csv"),
        ("hands off sheets/", "Bash", "sed -i s/a/b/ sheets/a.csv"),
        ("stay out of vendor/ please", "Edit", "vendor/lib/a.py"),
        ("leave everything in logbooks/ alone", "Bash", "rsync -a new/ logbooks/"),
        ("tapes/ is read-only", "Bash", "cp a.wav tapes/a.wav"),
        ("hands off the berths table, the harbour reads it", "Bash", 'psql marina -c "DELETE FROM berths"'),
        ("never write to `tides`", "Bash", 'sqlite3 a.db "update tides set level = 3"'),
        ("don't change the fares table", "Bash", "mysql bus <<E\nTRUNCATE fares;\nE"),
        ("never update fares by hand", "Bash", 'psql bus -c "INSERT INTO public.fares VALUES (1)"'),
        ("never delete rows from the table loans", "Bash", 'psql x -c "drop table loans"'),
    ],
)
def test_a_ban_of_a_folder_or_a_table_is_of_what_changes_it(said: str, tool: str, given: str) -> None:
    assert warned(said, tool, given) == said


@pytest.mark.parametrize(
    ("said", "tool", "given"),
    [
        (_KEPT, "Bash", "ls negatives/1962"),
        (_KEPT, "Bash", "cp negatives/a.tif desk/a.tif"),
        (_KEPT, "Bash", "rsync -a negatives/ nas:/x"),
        (_KEPT, "Bash", "rm -rf positives/1962"),
        (_KEPT, "Write", "/projects/atlas/prints/a.txt"),
        ("the tests are in src/, never commit to main", "Edit", "src/a.py"),
        ("we put adapters into src/", "Edit", "src/a.py"),
        ("never touch src/menu/", "Edit", "src/till/a.py"),
        ("careful with sheets/", "Bash", "ls sheets/"),
        ("the cook was careful with the soup, see sheets/", "Edit", "sheets/a.csv"),
        ("hands off the berths table", "Bash", 'psql marina -c "SELECT * FROM berths"'),
        ("hands off the berths table", "Bash", 'psql marina -c "DELETE FROM guests"'),
        ("hands off the berths table", "Bash", 'git commit -m "delete from berths"'),
        ("never mail berths twice", "Bash", 'psql marina -c "DELETE FROM berths"'),
        ("is nobody to touch negatives/?", "Bash", "rm -rf negatives/1962"),
    ],
)
def test_what_only_reads_a_folder_or_a_table_or_is_elsewhere_is_not_warned(
    said: str, tool: str, given: str
) -> None:
    assert warned(said, tool, given) is None


@pytest.mark.parametrize(
    "piece",
    ["(", "$(", "`", '"', "'", "<<", "\\", "a;", "sudo_",
     "bash_-c_'", "if_", "eval_", "find_.-exec_", "find_._-exec_ls_\\;_",
     "ssh_a_", "docker_run_a_", "npx_", "timeout_3_", "bundle_exec_--_"],
)  # fmt: skip
def test_command_lines_are_read_in_time_by_their_length(piece: str) -> None:
    assert_in_proportion(run_by, repeated(piece.replace("_", " ")), 4_000)
    assert_in_proportion(run_by, repeated("bash <<E\nls\nE\n"), 4_000)


@pytest.mark.parametrize(
    "piece", ["`git ", "git push ", "never it git ", "no git ", "git.", "git push -", "lost a "]
)
def test_warnings_are_found_in_time_by_the_length_of_the_text(piece: str) -> None:
    names = named_in("Bash", {"command": "git push --force; mix test"})
    assert_in_proportion(lambda text: warning_in(text, names), repeated(piece), 20_000)
