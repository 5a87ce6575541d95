#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/_shared.sh"

page="${OUT%/}/summary.md"
named=(--report "${OUT%/}" --max-kb "${MAX_KB:-1000}" --out "$page")
if [[ -n "${BASE:-}" ]]; then named+=(--base "$BASE"); fi
if [[ -n "${FINDINGS:-}" ]]; then named+=(--findings "$FINDINGS"); fi
reportgen summary "${named[@]}"
cat -- "$page" >>"$GITHUB_STEP_SUMMARY"
output summary "$page"
