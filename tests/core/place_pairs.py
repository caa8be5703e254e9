"""Warnings of folders, patterns of files, branches, scripts and packages: which call they are told before."""

from __future__ import annotations

from typing import Final

_LIST: Final = "Never commit anything from exports/members, those are private addresses!!"
_GOLDEN: Final = "and dont edit fixtures/golden/*.json by hand, only ever through go test -update"
_MAIN: Final = "Please never push directly to main, always through a PR."
_SEED: Final = "never run seed scripts against prod"
_UNDER: Final = "nobody touches anything under sql/legacy"
_RAIN: Final = "the rain gauge's web page is only for the eyes. never poll gauge.lan, it hangs then"
_DRY: Final = "Never start `reindex.py` without `--preview`, it took a night to undo."

BRINGS: Final = (
    (_LIST, "Bash", "git add exports/members/2031.csv", "exports/members"),
    (_LIST, "Bash", "git add -f ./exports/members/old/a.csv", "exports/members"),
    (_LIST, "Bash", "git add exports/members", "exports/members"),
    (_LIST, "Bash", "git commit -am x exports/members/2031.csv", "exports/members"),
    (
        "never commit exports/members/",
        "Bash",
        "git add exports/members/a.csv && git commit -m x",
        "never commit",
    ),
    ("keep conf/live.env out of git", "Bash", "git add conf/live.env", "out of git"),
    ("keep away from the stamps in seals/, the mould is broken", "Bash", "rm seals/crown.svg", "stamps"),
    ("hands off the files in seals/", "Bash", "gimp-batch seals/crown.xcf", "hands off"),
    (
        "the table catch_log is append only, don't update or remove anything in there",
        "Bash",
        "sqlite3 boats.db 'UPDATE catch_log SET kilos = 3'",
        "append only",
    ),
    ("never change rows in quotas", "Bash", "psql -c 'DELETE FROM quotas'", "rows in quotas"),
    ("Never commit .env", "Bash", "git add .env", ".env"),
    ("exports/members must never be committed", "Bash", "git add exports/members/a.csv", "never be"),
    (_GOLDEN, "Edit", "/p/fixtures/golden/a.json", "fixtures/golden/*.json"),
    (_GOLDEN, "Bash", "sed -i s/a/b/ fixtures/golden/a.json", "fixtures/golden/*.json"),
    (_GOLDEN, "Bash", "rm fixtures/golden/a.json", "fixtures/golden/*.json"),
    (_GOLDEN, "Bash", "rm fixtures/golden/*.json", "fixtures/golden/*.json"),
    ("Never edit fixtures/golden/*.json.", "Edit", "/p/fixtures/golden/a.json", "*.json"),
    ("Don't edit the files in fixtures/golden by hand.", "Edit", "fixtures/golden/a.json", "by hand"),
    ("don't touch third_party/**/*.js", "Edit", "third_party/a/b/c.js", "**/*.js"),
    ("never edit *.pb.go by hand", "Edit", "gen/api.pb.go", "*.pb.go"),
    (_UNDER, "Edit", "sql/legacy/import.sql", "sql/legacy"),
    (_UNDER, "Write", "/p/sql/legacy/old/import.sql", "sql/legacy"),
    (_MAIN, "Bash", "git push origin main", "never push"),
    (_MAIN, "Bash", "git push -u origin HEAD:main", "never push"),
    ("never push to main", "Bash", "git push origin main", "main"),
    ("pushing to release is forbidden", "Bash", "git push origin release", "forbidden"),
    ("nobody pushes to release but Ana", "Bash", "git push origin release", "Ana"),
    (_SEED, "Bash", "DATABASE_URL=prod mix run priv/repo/seeds.exs", "seed"),
    (_SEED, "Bash", "DATABASE_URL=postgres://a@prod-db/x sudo mix run priv/repo/seeds.exs", "seed"),
    (_SEED, "Bash", "python scripts/seed.py", "seed"),
    ("never add zustand", "Bash", "pnpm add zustand@4", "zustand"),
    ("no force pushes to the chart repo please", "Bash", "cd ../charts && git push -f", "force pushes"),
    ("force-pushing is forbidden", "Bash", "git push origin main --force", "forbidden"),
    ("no cargo publishes on a friday", "Bash", "cargo publish", "publishes"),
    (_RAIN, "Bash", "curl -s http://gauge.lan/rain", "never poll"),
    ("the gauge's network is off limits", "Bash", "wget -qO- gauge.lan:8080/rain", "off limits"),
    ("hands off the gauge", "Bash", "python poll.py --url=http://gauge/rain", "gauge"),
    ("dont call the tidemaps api from a script", "Bash", "curl https://api.tidemaps.org/v2", "tidemaps"),
    (_DRY, "Bash", "python reindex.py --all", "--preview"),
    ("never call sync.sh without -n and -v", "Bash", "./sync.sh -n", "-v"),
    ("only run reindex.py with --preview", "Bash", "python reindex.py", "--preview"),
)
BRINGS_NOTHING: Final = (
    ("hands off the files in seals/", "Bash", "pytest seals/test_crown.py"),
    (
        "the table catch_log is append only, don't update or remove anything in there",
        "Bash",
        "sqlite3 boats.db 'INSERT INTO catch_log VALUES (3)'",
    ),
    (_LIST, "Edit", "/p/exports/members/a.csv"),
    (_LIST, "Bash", "git add exports/stops.csv"),
    (_LIST, "Bash", "git add src/exports/members.go"),
    (_LIST, "Bash", "git commit -m 'exports/members is ignored'"),
    ("Never commit .env", "Bash", "git add .env.example"),
    (_GOLDEN, "Bash", "go test ./... -update"),
    (_GOLDEN, "Edit", "/p/fixtures/golden/README.md"),
    (_GOLDEN, "Edit", "/p/fixtures/silver/a.json"),
    (_GOLDEN, "Bash", "cat fixtures/golden/a.json"),
    ("Don't edit the files in fixtures/golden by hand.", "Edit", "fixtures/other/golden.json"),
    (_UNDER, "Edit", "sql/new/import.sql"),
    ("nobody touches anything under sql/legacy any more", "Edit", "sql/legacy/import.sql"),
    (_MAIN, "Bash", "git push origin feature/x"),
    (_MAIN, "Bash", "git commit -m 'push to main'"),
    ("don't forget to push to main", "Bash", "git push origin main"),
    ("the main menu is done", "Bash", "git push origin main"),
    (_SEED, "Bash", "MIX_ENV=dev mix run priv/repo/seeds.exs"),
    (_SEED, "Edit", "priv/repo/seeds.exs"),
    ("never add zustand", "Bash", "bun add -d @zustand/react"),
    ("no force pushes to the chart repo please", "Bash", "git push origin main"),
    ("we had no force pushes this month", "Bash", "git push --force"),
    (_RAIN, "Bash", "curl -s http://rain.lan/gauge"),
    (_RAIN, "Bash", "echo http://gauge.lan/rain"),
    (_RAIN, "Bash", "git commit -m 'poll http://gauge.lan/rain'"),
    ("the gauge was off limits in may", "Bash", "curl http://gauge.lan/rain"),
    ("never commit gauge.lan", "Bash", "curl http://gauge.lan/rain"),
    ("the local api is off limits", "Bash", "curl http://localhost:8000/api"),
    (_DRY, "Bash", "python reindex.py --all --preview"),
    ("never call sync.sh without -n or -v", "Bash", "./sync.sh -n"),
    ("never call sync.sh without the --preview flag", "Bash", "./sync.sh --preview=all"),
    ("only run reindex.py with --preview", "Bash", "python reindex.py --preview"),
)
