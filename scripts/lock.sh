#!/usr/bin/env bash
# Write requirements.lock: every package that running, building and testing needs, pinned with its hashes, for every
# platform and every Python that pyproject.toml admits. Run it after a change of dependencies in pyproject.toml.
#
#   scripts/lock.sh              keep the locked versions where pyproject.toml still allows them
#   scripts/lock.sh --upgrade    take the newest versions
#
# The resolver (uv) lives in a throw-away environment; the package index is whichever your installer is set up for,
# and its address is not written to the file.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
"${PYTHON:-python3}" -m venv "$scratch/venv"
"$scratch/venv/bin/python" -m pip install -qq uv

# What `pip install --no-build-isolation -e .` needs to be there already: the build backend, and what it uses to make
# an editable install.
"$scratch/venv/bin/python" - >"$scratch/build.in" <<'PY'
import re
from pathlib import Path

section = Path("pyproject.toml").read_text(encoding="utf-8").split("[build-system]", 1)[1]
print("\n".join(re.findall(r'"([^"]+)"', section.split("requires", 1)[1].split("]", 1)[0])), "editables", sep="\n")
PY

cp requirements.lock "$scratch/requirements.lock" 2>/dev/null || true
UV_CUSTOM_COMPILE_COMMAND="scripts/lock.sh" "$scratch/venv/bin/uv" pip compile --quiet \
  --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
  --output-file "$scratch/requirements.lock" "$@" \
  pyproject.toml --group pyproject.toml:dev "$scratch/build.in"
if grep -nE '(https?|file)://' "$scratch/requirements.lock"; then
  echo "lock: the lines above name a place; the lock must name packages only" >&2
  exit 1
fi
mv -- "$scratch/requirements.lock" requirements.lock
echo "lock: $(grep -c '^[a-z0-9].*==' requirements.lock) packages in requirements.lock"
