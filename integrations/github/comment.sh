#!/usr/bin/env bash
# Posts the summary on the pull request, or updates the comment of an earlier run. That it may not be
# posted is said, and is no failure: a pull request from a fork has a token that only reads.
source "$(dirname "${BASH_SOURCE[0]}")/_shared.sh"

page="$RUNNER_TEMP/reportgen-comment.md"
# A comment has room for 65,536 characters.
named=(--report "${OUT%/}" --max-kb 60 --out "$page")
if [[ -n "${BASE:-}" ]]; then named+=(--base "$BASE"); fi
if [[ -n "${FINDINGS:-}" ]]; then named+=(--findings "$FINDINGS"); fi
reportgen summary "${named[@]}"
python "$(dirname "${BASH_SOURCE[0]}")/service.py" comment "$page"
