#!/usr/bin/env bash
# The tour of `make demo`: a store of its own in .demo/, two imports, three questions with their reasons, what a
# correction leaves behind, and both projects asked at once. Touches no other store, and starts anew each time.
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
show import . --format markdown --project handbook

step "2. A Claude Code transcript of an invented project (tide gauges in a bay) becomes the project 'tidepool'"
show import demo/transcript.jsonl --project tidepool

step "3. First question. Each hit says why it is here; the decision was reversed in October, and the new one leads"
show recall "What did we decide about storage?" --project tidepool --limit 2

step "   The same question in September: nothing is overwritten, so what was known then still answers"
show recall "What did we decide about storage?" --project tidepool --limit 2 --as-of 2026-09-10

step "4. Second question: a bug hunt"
show recall "What was the root cause of the doubled readings?" --project tidepool --limit 2

step "5. Third question, to the handbook; --budget bounds the characters of the answer"
show recall "Why was FTS5 rejected?" --project handbook --limit 1 --budget 900

step "6. A correction becomes a version, not an overwrite"
show remember "The text message goes out at 210 cm above chart datum." --project tidepool --kind decision | tee .demo/remembered
id=$(grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' .demo/remembered | head -n 1)
show revise "$id" "The text message goes out at 205 cm above chart datum."
show history "$id"

step "7. Code is remembered too, and found by a question about it or by code like it"
show remember 'def retry(fetch, times=3):
    for attempt in range(times):
        try:
            return fetch()
        except TimeoutError:
            time.sleep(2 ** attempt)' --project tidepool --kind artifact
show recall "python: call again with a growing pause after a timeout" --project tidepool --limit 1

step "8. Both projects asked at once, each in its role: what agrees, and what pulls apart"
show roles assign handbook connector
show roles assign tidepool navigator
show lenses save gravity-assist handbook tidepool
show orchestrate "Where do we keep the data, and why not PostgreSQL?" --lens gravity-assist

step "What the store holds"
show stats
printf '\nThe store of this demo is in .demo/home; ask it yourself:\n'
printf '  ENGRAMFORGE_HOME=.demo/home .venv/bin/engramforge recall "who may silence the alarm?"\n'
