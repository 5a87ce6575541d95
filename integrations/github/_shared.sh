# What the steps of action.yml share: sourced by each of them.
# shellcheck shell=bash
set -euo pipefail

_venv="${RUNNER_TEMP:?}/reportgen-venv"
_bin="$_venv/bin"
[[ -d "$_venv/Scripts" ]] && _bin="$_venv/Scripts" # Windows

# Inputs of a fresh checkout are known again by what they hold.
export REPORTGEN_CACHE="${REPORTGEN_CACHE:-$RUNNER_TEMP/reportgen-cache}" REPORTGEN_CACHE_BY_CONTENT=1

# The installed program, or the one that was named. It never adds to the page of the job itself:
# the summary is one step's work.
reportgen() {
  env -u GITHUB_STEP_SUMMARY "${REPORTGEN_COMMAND:-$_bin/reportgen}" "$@"
}

python() {
  if [[ -x "$_bin/python" || -x "$_bin/python.exe" ]]; then
    "$_bin/python" "$@"
  else
    python3 "$@"
  fi
}

# output NAME VALUE: a value of several lines stays one value.
output() {
  local end
  end="end-$RANDOM$RANDOM$RANDOM"
  printf '%s<<%s\n%s\n%s\n' "$1" "$end" "$2" "$end" >>"$GITHUB_OUTPUT"
}

# say LEVEL MESSAGE: an annotation without a place.
say() {
  local text="$2"
  text="${text//'%'/%25}"
  text="${text//$'\r'/%0D}"
  text="${text//$'\n'/%0A}"
  printf '::%s title=reportgen::%s\n' "$1" "$text"
}

# What is built, and what reports are held against: the study, the logs, or both.
evidence=()
if [[ -n "${STUDY:-}" ]]; then evidence+=(--study "$STUDY"); fi
if [[ -n "${RUNS:-}" ]]; then evidence+=(--runs "$RUNS"); fi

# build_into FOLDER FORMATS: the study is the last argument, behind `--`, whatever it is called.
build_into() {
  local named=(--out "$1/")
  if [[ -n "$2" ]]; then named+=(--format "$2"); fi
  if [[ -n "${RUNS:-}" ]]; then named+=(--runs "$RUNS"); fi
  if [[ -n "${STUDY:-}" ]]; then named+=(-- "$STUDY"); fi
  reportgen build "${named[@]}"
}
