#!/usr/bin/env bash
# Installs the reportgen this action came with into an environment of its own: the version is the
# one behind the `@` of `uses:`.
source "$(dirname "${BASH_SOURCE[0]}")/_shared.sh"

if [[ -n "${EXTRAS:-}" && ! "$EXTRAS" =~ ^[a-z0-9]+(,[a-z0-9]+)*$ ]]; then
  say error "extras are names separated by commas, such as s3,tbparse"
  exit 2
fi
# One that was kept is whole, or it is made anew.
if reportgen --version 2>/dev/null; then exit 0; fi
rm -rf "$_venv"
found="$(command -v python3 || command -v python)"
"$found" -m venv "$_venv"
[[ -d "$_venv/Scripts" ]] && _bin="$_venv/Scripts"
source_folder="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
"$_bin/python" -m pip install --quiet --disable-pip-version-check \
  -c "$source_folder/constraints.txt" "$source_folder${EXTRAS:+[$EXTRAS]}"
reportgen --version
