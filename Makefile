# Every target works in a fresh clone, as any user, as often as you like, and writes nothing outside the clone but
# pip's own cache. Paths are relative, so that the clone may lie in a folder whose name contains spaces.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help install demo test test-e2e inspector check lint format style types contracts bench lock clean

PY := .venv/bin/python
# The benchmark's data, one folder each as `engramforge bench NAME --data` takes it.
DATA ?= ../shared/data
# Three processes by default, which keep two cores busy although tests wait for servers and children; an idle one takes
# over what another has not begun. Each has one thread for NumPy. Tests that hold time limits run after them, alone.
# `make test TEST_FLAGS="-n 0"`: one process.
TEST_FLAGS ?= -n 3 --dist worksteal
TIMED = $(shell grep -rl --include='test_*.py' 'mark.timed' tests)
# Downloads the MCP inspector with npm, so it is a target of its own.
ONLINE := tests/faces/test_mcp_inspector.py
# Claude Code itself, from npm, in the user's cache.
E2E := tests/e2e

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' Makefile | sed -E 's/^([a-z0-9-]+):.*## /  make \1\t/' | expand -t 18

install: ## make .venv with the locked packages and this package
	@scripts/install.sh

demo: install ## import this repository's Markdown and a transcript, ask each and both, show why
	@scripts/demo.sh

# Bytecode is kept, also where the environment says otherwise: hundreds of processes start, and would compile it each.
test inspector test-e2e: export PYTHONDONTWRITEBYTECODE :=
test: install ## all tests; fails under 90 % coverage
	@OPENBLAS_NUM_THREADS=1 $(PY) -m slipcover --json --out .coverage -m pytest -m "not timed" $(TEST_FLAGS) --ignore=$(ONLINE) --ignore=$(E2E)
	@$(PY) -m slipcover --merge .coverage --out .coverage --fail-under 90
	@$(PY) -m pytest -m timed --ignore=$(ONLINE) --ignore=$(E2E) $(TIMED)

inspector: install ## the MCP server through the MCP inspector; needs npm and its registry
	@$(PY) -m pytest $(ONLINE)

test-e2e: install ## sessions of Claude Code itself with a scripted model; needs npm and its registry, once
	@$(PY) -m pytest -rs -n 2 $(E2E)

lint: format style types contracts ## format, lint, strict types, import contracts

format: install
	@$(PY) -m ruff format --check --output-format concise .

style: install
	@$(PY) -m ruff check .

types: install
	@$(PY) -m mypy

contracts: install
	@.venv/bin/lint-imports --no-logo

check: lint test ## what has to hold before a commit: lint and test

bench: install ## the benchmarks on DATA (default ../shared/data)
	@DATA="$(DATA)" scripts/bench.sh

lock: ## write requirements.lock again after a change of dependencies
	@scripts/lock.sh

clean: ## remove what the other targets made
	@rm -rf -- .venv .venv-bootstrap .demo .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis \
	  .import_linter_cache dist build
	@find . -name __pycache__ -type d -prune -exec rm -rf -- {} +
