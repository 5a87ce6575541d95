#!/usr/bin/env bash
# Finds the report to compare with. That there is none is said, and is no failure: the first report
# of a branch has nothing before it.
source "$(dirname "${BASH_SOURCE[0]}")/_shared.sh"

home="$RUNNER_TEMP/reportgen-base"
mkdir -p "$home"

# Fetches with the job's token where the checkout kept none, as `persist-credentials: false` asks.
fetch() {
  if [[ -n "${TOKEN:-}" ]] && ! git config --get-regexp '^http\..*\.extraheader$' >/dev/null; then
    local header
    header="AUTHORIZATION: basic $(printf 'x-access-token:%s' "$TOKEN" | base64 | tr -d '\n')"
    export GIT_CONFIG_COUNT=1 GIT_CONFIG_VALUE_0="$header"
    export GIT_CONFIG_KEY_0="http.${GITHUB_SERVER_URL:-https://github.com}/.extraheader"
  fi
  GIT_TERMINAL_PROMPT=0 git fetch --quiet --no-tags --depth=1 origin "$1"
}

# The commit that a branch, tag or commit names; a shallow checkout has to fetch it first.
commit_of() {
  local name
  for name in "$1" "origin/$1"; do
    git rev-parse --verify --quiet --end-of-options "$name^{commit}" && return
  done
  if [[ "$1" == [-/.]* ]]; then return 1; fi
  # The subshell keeps the token from what follows.
  (fetch "$1") 2>"$home/fetch" && git rev-parse --verify --quiet 'FETCH_HEAD^{commit}'
}

# Why a base was not fetched, in git's own last words.
why_not_fetched() {
  local why=""
  if [[ -s "$home/fetch" ]]; then
    why="$(grep -m 1 '^fatal: ' "$home/fetch" || tail -n 1 "$home/fetch")"
  fi
  printf '%s' "${why:-there is no such branch, tag or commit}"
}

# Builds the report of a commit, with this version of reportgen, in a folder of its own.
build_commit() {
  local tree="$RUNNER_TEMP/reportgen-base-tree" prefix
  prefix="$(git rev-parse --show-prefix)"
  git worktree add --quiet --force --detach "$tree" "$1" || return
  (cd "$tree/$prefix" && build_into "$home" json) >"$home/log" 2>&1
  local code=$?
  git worktree remove --force "$tree"
  return "$code"
}

# Whether a path, or what a link there leads to, belongs to the checkout: what is proposed could
# then bring the very report that it is compared with.
is_of_checkout() {
  local path
  for path in "$1" "$(python -c 'import os, sys; print(os.path.realpath(sys.argv[1]))' "$1")"; do
    [[ -n "$(git ls-files -- ":(literal)$path" 2>/dev/null)" ]] && return
  done
  return 1
}

# The name of a base that cannot be taken, for the summary to say so; nothing may lie there.
unless_there() {
  local path="$1"
  while [[ -e "$path" ]]; do path="$path (not taken)"; done
  printf '%s' "$path"
}

# A branch counts before a folder of the checkout that happens to be called like it.
if commit="$(commit_of "${BASE:?}")"; then
  :
elif [[ ! -e "$BASE" ]]; then
  base="$BASE"
  say warning "not compared with a base: $BASE is no file here and could not be fetched: $(why_not_fetched)"
elif is_of_checkout "$BASE"; then
  base="$(unless_there "$BASE")"
  say warning "not compared with a base: $BASE belongs to the checkout, so that a change could bring its own base; name a branch, tag or commit, or an artifact"
else
  base="$BASE"
fi

if [[ -z "$commit" ]]; then
  :
elif git show "$commit:./${OUT%/}/report.json" >"$home/report.json" 2>/dev/null; then
  base="$home/report.json"
elif build_commit "$commit"; then
  base="$home/report.json"
else
  rm -f "$home/report.json"
  base="$(unless_there "$BASE:${OUT%/}/report.json")"
  say warning "not compared with a base: $BASE holds no ${OUT%/}/report.json, and none can be built there: $(tail -n 2 "$home/log" | head -n 1)"
fi
output base "$base"

changed=""
if [[ -e "$base" ]] && reportgen diff "$base" "${OUT%/}" --json --fail-on never >"$home/diff.json"; then
  changed="$(python -c '
import json, sys
totals = json.load(open(sys.argv[1], encoding="utf-8"))["totals"]
print(sum(totals[name] for name in ("changed", "rounding", "added", "removed")))
' "$home/diff.json")"
fi
output changed "$changed"
