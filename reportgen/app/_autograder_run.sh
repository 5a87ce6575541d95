#!/usr/bin/env bash
# Runs for every submission: holds it against the evidence of the assignment and writes
# results.json. Nothing that was handed in is executed.
set -u

home="${AUTOGRADER_HOME:-/autograder}"
# shellcheck disable=SC2034 # the evidence that is filled in below lies there
here="$home/source"
results="$home/results/results.json"
command="${REPORTGEN_COMMAND:-$home/reportgen/bin/reportgen}"
work="$(mktemp -d)"

# As one member of a class, a submission of several files is one report with its evidence.
mkdir -p "$work/class" "$home/results"
cp -R "$home/submission" "$work/class/submission"
rm -f "$results"

cd "$work" || exit 1
"$command" check class @EVIDENCE@ \
  --format gradescope --fail-on never --quiet --out "$work/results.json" 2>"$work/said"
code=$?

if [ -s "$work/results.json" ]; then
  mv "$work/results.json" "$results"
else
  # Nothing to grade was handed in, or the evidence of the assignment cannot be used.
  python3 - "$code" "$work/said" >"$results" <<'PYTHON'
import json, sys

with open(sys.argv[2], encoding="utf-8", errors="replace") as file:
    said = file.read(10_000).replace("class/submission", "the submission").replace(" class:", " the submission:")
json.dump(
    {
        "score": 0.0,
        "output": f"No report could be checked. This is no grade: somebody has to look.\n\n{said}",
        "output_format": "text",
        "extra_data": {"graded": False, "exit_code": int(sys.argv[1])},
        "tests": [],
    },
    sys.stdout,
)
PYTHON
fi
cat "$work/said"
rm -rf "$work"
