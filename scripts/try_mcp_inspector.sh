#!/usr/bin/env bash
# Try the MCP server with the MCP inspector's command line, a client that is not ours: list the tools, then remember,
# recall, look at the timeline and forget, in a store of its own. Needs npm and its registry; installs into a
# temporary folder that is removed at the end (INSPECTOR_CACHE=FOLDER keeps the installation there for the next time).
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

command -v npm >/dev/null || { echo "try_mcp_inspector: npm is not installed" >&2; exit 69; }

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
tools=${INSPECTOR_CACHE:-$work/tools}
mkdir -p -- "$tools"
# The inspector needs Node 22; npm brings it along, whatever node the machine has.
if [ ! -x "$tools/node_modules/.bin/mcp-inspector" ]; then
  npm install --prefix "$tools" --no-audit --no-fund --loglevel=error @modelcontextprotocol/inspector node@22
fi
export PATH="$tools/node_modules/.bin:$PATH"
export ENGRAMFORGE_HOME="$work/home"

server=$PWD/.venv/bin/engramforge
inspect() { mcp-inspector --cli "$server" mcp "$@"; }
call() { # tool, then name=value...
  local tool=$1 argument arguments=()
  shift
  for argument in "$@"; do arguments+=(--tool-arg "$argument"); done
  inspect --method tools/call --tool-name "$tool" "${arguments[@]}"
}
field() { # print a field of the structured answer on standard input
  .venv/bin/python -c 'import json, sys
value = json.load(sys.stdin)["structuredContent"]
for name in sys.argv[1].split("."):
    value = value[int(name)] if name.isdigit() else value[name]
print(value)' "$1"
}
expect() { # what, wanted, found
  [ "$2" = "$3" ] || { printf 'try_mcp_inspector: %s: wanted %s, found %s\n' "$1" "$2" "$3" >&2; exit 1; }
  printf 'ok: %s\n' "$1"
}

listed=$(inspect --method tools/list | .venv/bin/python -c 'import json, sys
tools = json.load(sys.stdin)["tools"]
assert all(tool["outputSchema"] and tool["annotations"] for tool in tools)
print(" ".join(tool["name"] for tool in tools))')
wanted=$(printf 'forge_%s ' remember recall timeline projects forget links topics decisions threads lineage patterns archive context orchestrate roles lenses conflicts feedback stream)
wanted=${wanted/forge_roles/consult_oracle forge_roles}
expect "tools/list" "${wanted% }" "$listed"

id=$(call forge_remember "content=The ferry leaves at noon." project=sea energy=0.8 | field memory.id)
expect "forge_recall" "$id" "$(call forge_recall "query=when does the ferry leave?" project=sea | field recall.hits.0.memory.id)"
expect "forge_timeline" "1" "$(call forge_timeline "id=$id" | field memories.0.version)"
expect "forge_forget" "True" "$(call forge_forget "id=$id" "reason=tried" | field forgotten.verified)"
refusal=$(call forge_timeline "id=$id" 2>&1 || true)
case $refusal in
  *NotFound*) printf 'ok: a refusal names its fault\n' ;;
  *) printf 'try_mcp_inspector: no refusal: %s\n' "$refusal" >&2; exit 1 ;;
esac
