#!/usr/bin/env bash
# Runs once, when Gradescope builds the image of the assignment: installs the reportgen that made
# this archive, which lies beside this file, and the libraries it needs.
set -euo pipefail

home="${AUTOGRADER_HOME:-/autograder}"
here="$home/source"

find_python() {
  local name
  for name in python3.14 python3.13 python3.12 python3.11 python3; do
    if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
      command -v "$name"
      return
    fi
  done
  return 1
}

if [ -z "${REPORTGEN_COMMAND:-}" ]; then
  if ! python="$(find_python)"; then
    # Ubuntu 22.04; newer images have a Python that is new enough.
    apt-get update -qq
    apt-get install -qq -y --no-install-recommends python3.11 python3.11-venv
    python="$(find_python)"
  fi
  if ! "$python" -m venv "$home/reportgen" 2>/dev/null; then
    version="$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')"
    apt-get update -qq
    apt-get install -qq -y --no-install-recommends "$version-venv"
    "$python" -m venv --clear "$home/reportgen"
  fi
  pip=("$home/reportgen/bin/python" -m pip install --quiet --disable-pip-version-check)
  # The versions that the archive was made with; another Python may need others.
  "${pip[@]}" -c "$here/constraints.txt" "$here"/reportgen_lab-*.whl ||
    "${pip[@]}" "$here"/reportgen_lab-*.whl
fi
"${REPORTGEN_COMMAND:-$home/reportgen/bin/reportgen}" --version
