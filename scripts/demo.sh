#!/usr/bin/env bash
# The tour of `make demo`: a store of its own in .demo/, two imports, three questions with their reasons, and what a
# correction leaves behind. Touches no other store, and starts anew each time.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

rm -rf -- .demo
mkdir -p .demo
export ENGRAMFORGE_HOME="$PWD/.demo/home"
forge() { .venv/bin/engramforge "$@"; }

step() { printf '\n\033[1m%s\033[0m\n' "── $* "; }
[ -t 1 ] || step() { printf '\n── %s\n' "$*"; }
show() { # print a command as a reader would type it, then run it
  local word
  printf '$ engramforge'
  for word in "$@"; do
    case $word in *[!A-Za-z0-9./_=-]*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac
  done
  printf '\n'
  forge "$@"
}

step "1. This repository's own Markdown becomes the project 'handbook'"
mkdir -p .demo/handbook
cp -R -- README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs .demo/handbook/
show import .demo/handbook --project handbook

step "2. A Claude Code transcript of an invented project (tide gauges in a bay) becomes the project 'tidepool'"
show import demo/transcript.jsonl --project tidepool

step "3. Where are the readings kept? (the decision was turned round after a month)"
show recall "where do we keep the readings now, and why not Parquet?" --project tidepool --limit 3

step "4. What was wrong with gauge 7?"
show recall "why did gauge 7 show every reading twice?" --project tidepool --limit 3

step "5. A question to the handbook"
show recall "how do I remove a memory for good?" --project handbook --limit 2

step "6. A correction: nothing is overwritten"
id=$(forge remember "The text message goes out at 210 cm above chart datum." --project tidepool --kind decision --json |
  .venv/bin/python -c 'import json, sys; print(json.load(sys.stdin)["memory"]["id"])')
show revise "$id" "The text message goes out at 205 cm above chart datum."
show history "$id"

step "What the store holds"
show stats
printf '\nThe store of this demo is in .demo/home; ask it yourself:\n'
printf '  ENGRAMFORGE_HOME=.demo/home .venv/bin/engramforge recall "who may silence the alarm?"\n'
