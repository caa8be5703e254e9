#!/usr/bin/env bash
# Make .venv in this clone, put the locked packages and this package (editable) into it. Does nothing when all of
# that is as requirements.lock, pyproject.toml and the clone's path say, so it may run before everything else.
#
#   PYTHON=/path/to/python3.12 scripts/install.sh      choose the interpreter
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

say() { printf 'install: %s\n' "$*"; }
fail() {
  printf 'install: %s\n' "$@" >&2
  exit 1
}

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
  local candidate
  if [ -n "${PYTHON:-}" ]; then
    new_enough "$PYTHON" || fail "PYTHON=$PYTHON is not a Python 3.11 or newer that runs." \
      "Give another, or leave PYTHON out to let this script look for one."
    printf '%s' "$PYTHON"
    return
  fi
  for candidate in python3 python3.14 python3.13 python3.12 python3.11 python /usr/bin/python3; do
    if command -v "$candidate" >/dev/null 2>&1 && new_enough "$candidate"; then
      command -v "$candidate"
      return
    fi
  done
  fail "engramforge needs Python 3.11 or newer; found: $(python3 --version 2>/dev/null || echo 'no python3')." \
    "Install one (Debian 12 or later: apt-get install python3 python3-venv), or name it: PYTHON=/path/to/python3.11 make install"
}

has_pip() { .venv/bin/python -m pip --version >/dev/null 2>&1; }

remove_venv() { rm -rf -- .venv 2>/dev/null || fail "The old .venv cannot be removed; remove it by hand, then try again."; }

# Each way leaves a .venv with pip in it, or fails. Debian splits the venv module: without the package python3-venv
# `python3 -m venv` works only with --without-pip.
by_venv() { "$1" -m venv .venv; }
by_virtualenv() { "$1" -m virtualenv --quiet .venv; }
by_system_pip() {
  "$1" -m venv --without-pip .venv &&
    { "$1" -m pip --python .venv/bin/python install -qq pip || .venv/bin/python -m ensurepip; }
}
by_user_virtualenv() {
  local target=.venv-bootstrap status=0
  { "$1" -m pip install -qq --target "$target" virtualenv &&
    PYTHONPATH="$PWD/$target" "$1" -m virtualenv --quiet .venv; } || status=1
  rm -rf -- "$target"
  return "$status"
}
by_apt() {
  [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1 || return 1
  say "python3-venv is missing; installing it with apt-get"
  local package
  package=$("$1" -c 'import sys; print(f"python3.{sys.version_info[1]}-venv")')
  { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package" ||
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package"; }; } >/dev/null &&
    "$1" -m venv .venv
}

make_venv() {
  local python=$1 way log
  log=$(mktemp)
  for way in by_venv by_virtualenv by_system_pip by_user_virtualenv by_apt; do
    [ -e .venv ] && remove_venv
    if "$way" "$python" >>"$log" 2>&1 && has_pip; then
      rm -f -- "$log"
      return
    fi
  done
  [ -e .venv ] && remove_venv
  tail -n 15 "$log" >&2
  rm -f -- "$log"
  fail "$python cannot make a virtual environment (its messages are above)." \
    "On Debian or Ubuntu: sudo apt-get install python3-venv. Elsewhere: $python -m pip install --user virtualenv. Then: make install"
}

# What is installed is described by the lock, the project file, the interpreter and the clone's own path (an editable
# install points to it; a moved clone must be installed again).
wanted() { { cat requirements.lock pyproject.toml scripts/install.sh; pwd -P; } | cksum; }
is_installed() {
  [ -f .venv/.installed ] && [ "$(cat .venv/.installed)" = "$(wanted)" ] && new_enough .venv/bin/python
}

is_installed && exit 0
[ -w . ] || fail "The folder $PWD cannot be written by $(id -un)." "Clone it to a place of your own, then: make install"
# The scripts in .venv/bin name the folder that they were made in: a moved clone needs new ones.
made_here() { grep -qsF -- "$(pwd -P)/.venv" .venv/bin/activate; }
if ! { [ -x .venv/bin/python ] && new_enough .venv/bin/python && made_here && has_pip && [ -w .venv ]; }; then
  python=$(find_python)
  say "making .venv with $("$python" --version 2>&1)"
  make_venv "$python"
fi
rm -f -- .venv/.installed
say "installing $(grep -c '^[a-z0-9].*==' requirements.lock) locked packages into .venv (a minute or two the first time)"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
# -qq leaves errors only; pip's notes about indexes and caches that a machine is set up for are not ours to show.
# Bytecode is made below, by all processors; pip makes it by one.
.venv/bin/python -m pip install -qq --no-compile --require-hashes -r requirements.lock ||
  fail "The locked packages could not be installed (pip's message is above)." \
    "Check the network and pip's index (pip config list), then: make install"
.venv/bin/python -m pip install -qq --no-deps --no-build-isolation -e . ||
  fail "engramforge itself could not be installed (pip's message is above)." "Try again from a fresh clone; if it fails there too, it is a fault of ours."
# Some packages carry files for other versions of Python, which do not compile: nobody imports them.
.venv/bin/python -m compileall -qq -j 0 .venv/lib src || true
wanted >.venv/.installed
say "done: $(pwd -P)/.venv/bin/engramforge"
