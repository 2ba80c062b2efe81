#!/usr/bin/env bash
# What action.yml does in a job: finds the program, runs the scenarios, and hands over the summary. Inputs are variables, so that
# nothing of them is taken for a command.
set -uo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

if [ -n "${NUDGELAB_PACKAGE:-}" ] && [ ! -e node_modules/nudgelab ]; then
  npm install --no-save --no-audit --no-fund "$NUDGELAB_PACKAGE" || exit 2
fi
if [ -e node_modules/nudgelab ]; then
  program=node_modules/nudgelab/dist/src/cli/main.js
else
  [ -d "$here/node_modules" ] || npm ci --prefix "$here" --omit=dev --ignore-scripts --no-audit --no-fund || exit 2
  program="$here/src/cli/main.ts"
fi

options=(--driver "${NUDGELAB_DRIVERS:-model,http}" --report "${NUDGELAB_REPORT:-nudgelab-report}")
[ -z "${NUDGELAB_CONFIG:-}" ] || options+=(--config "$NUDGELAB_CONFIG")
read -ra paths <<< "${NUDGELAB_PATHS:-}"
read -ra arguments <<< "${NUDGELAB_ARGUMENTS:-}"

node "$program" run "${paths[@]}" "${options[@]}" "${arguments[@]}"
code=$?
summary="${NUDGELAB_REPORT:-nudgelab-report}/summary.md"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$summary" ]; then cat "$summary" >> "$GITHUB_STEP_SUMMARY"; fi
exit "$code"
