#!/usr/bin/env bash
# Every benchmark on the data in the folder $DATA, a table each; a benchmark whose data is not there says so
# and is left out. MEMORIES (default 6000) is the size for `scale`. Exit status: the number of benchmarks that failed.
set -uo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

data=${DATA:-../shared/data}
failed=0

run() { # name, then the files of --data
  local name=$1 file
  shift
  for file in "$@"; do
    if [ ! -e "$file" ]; then
      printf 'bench: %s left out: no %s\n' "$name" "$file" >&2
      return
    fi
  done
  .venv/bin/engramforge bench "$name" --data "$@" || failed=$((failed + 1))
}

run locomo "$data/locomo/dev.jsonl.gz"
run longmemeval "$data/longmemeval_evidence/questions.dev.jsonl" "$data/longmemeval_evidence/sessions.dev.jsonl.gz"
run timeqa "$data/timeqa/dev.jsonl.gz"
run mixed "$data/mixed"
run peps "$data"/peps/{decisions,supersession,asof,timeline}.dev.jsonl
run cosqa "$data"/cosqa/{codebase.jsonl.gz,queries.dev.jsonl}
run ecare "$data/ecare/dev.jsonl.gz"
run why bench/causal/*.jsonl
run semeval "$data/semeval2010_t8/dev.jsonl.gz"
run multimodal "$data"/noto_emoji/{captions.dev.jsonl,images.tar.gz}
run emotion "$data/goemotions/dev.jsonl.gz"
for graph in nations umls kinships; do
  run kg "$data/kg_small/$graph".{train,valid,test}.tsv
done
run clustering "$data/clinc150/dev.jsonl.gz"
run clustering "$data/banking77/dev.jsonl.gz"
run topicnames "$data/clinc150/dev.jsonl.gz"
run topicnames "$data/banking77/dev.jsonl.gz"
run topicshift "$data/clinc150/dev.jsonl.gz"
run topicshift "$data/locomo/dev.jsonl.gz"
run detection bench/detection/{sentences,blind,fresh,last,plain}.jsonl
run detection "$data/adr" "$data/locomo/dev.jsonl.gz"
run imports "$data/exports"
for name in redaction poisoning bandit; do .venv/bin/engramforge bench "$name" || failed=$((failed + 1)); done
.venv/bin/engramforge bench scale --memories "${MEMORIES:-6000}" || failed=$((failed + 1))
exit "$failed"
