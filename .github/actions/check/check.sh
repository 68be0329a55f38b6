#!/usr/bin/env bash
# What the action runs: cselab check with the arguments that its inputs, given as variables, stand for.
set -u
arguments=()
add() { [ -z "$2" ] || arguments+=("$1" "$2"); }
add --plan "${PLAN:-}"
add --target "${TARGET:-}"
add --url "${URL:-}"
add --dialect "${DIALECT:-}"
add --baseline "${BASELINE:-}"
add --shard "${SHARD:-}"
add --out "${REPORTS:-cselab-reports}"
for name in terminal github markdown html json junit; do arguments+=(--report "$name"); done
while IFS= read -r line; do [ -z "$line" ] || arguments+=("$line"); done <<<"${ARGUMENTS:-}"
# shellcheck disable=SC2206 # ids hold no spaces and no wildcards
set -f
ids=(${IDS:-})
set +f

# What a target says is no command to the runner; cselab takes its own annotations out of this.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
CSELAB_COMMANDS_STOPPED_BY=$token node "$CSELAB/.ci/setup.mjs" cselab check "${arguments[@]}" ${ids[@]+"${ids[@]}"}
code=$?
echo "::$token::"
[ -z "${GITHUB_OUTPUT:-}" ] || echo "exit-code=$code" >>"$GITHUB_OUTPUT"
exit "$code"
