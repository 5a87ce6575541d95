#!/usr/bin/env bash
# Names the environment by all that decides what is in it: system, Python, extras, this very source.
source "$(dirname "${BASH_SOURCE[0]}")/_shared.sh"

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
found="$(command -v python3 || command -v python)"
key="$("$found" - "${EXTRAS:-}" <<'PYTHON'
import hashlib, pathlib, platform, sys

digest = hashlib.sha256(repr((sys.version, sys.prefix, platform.platform(), sys.argv[1])).encode())
files = [pathlib.Path("constraints.txt"), pathlib.Path("pyproject.toml")]
for folder in ("reportgen", "templates"):
    files += sorted(pathlib.Path(folder).rglob("*"))
for path in files:
    if path.is_file() and "__pycache__" not in path.parts:
        digest.update(path.as_posix().encode() + path.read_bytes())
print(digest.hexdigest()[:32])
PYTHON
)"
output key "reportgen-venv-$key"
