#!/usr/bin/env bash
# Checks the written reports; the code of the check is passed on, so that the summary and the
# upload still come, and the last step fails.
source "$(dirname "${BASH_SOURCE[0]}")/_shared.sh"

reports=()
missing=0
while IFS= read -r line; do
  line="${line#"${line%%[![:space:]]*}"}"
  line="${line%"${line##*[![:space:]]}"}"
  [[ -n "$line" ]] || continue
  # A name may hold what would be a pattern.
  while IFS= read -r path; do
    if [[ -e "$path" ]]; then
      reports+=("$path")
    else
      say error "no such report: $path"
      missing=3
    fi
  done < <(compgen -G "$line" || printf '%s\n' "$line")
done <<<"$REPORT"
# One that is not there must not keep the others from being checked.
if [[ ${#reports[@]} == 0 && "$missing" != 0 ]]; then exit "$missing"; fi

findings="${OUT%/}/findings"
rm -rf -- "$findings"
code=0
reportgen check "${evidence[@]}" --fail-on "${FAIL_ON:-error}" \
  --format json,html,sarif,github --out "$findings/" -- ${reports[@]+"${reports[@]}"} || code=$?
if [[ ! -d "$findings" ]]; then exit "$code"; fi

# Annotations have to be printed; of a class every submission has its own.
find "$findings" -name annotations.txt -exec cat {} +

output findings "$findings"
output code "$((missing > code ? missing : code))"
python - "$findings" >>"$GITHUB_OUTPUT" <<'PYTHON'
import json, pathlib, sys

counts = {"errors": 0, "warnings": 0}
unreadable = 0
for path in pathlib.Path(sys.argv[1]).rglob("findings.json"):
    content = json.loads(path.read_text(encoding="utf-8"))
    for record in content.get("submissions", [content]):
        unreadable += bool(record["fault"])
        for level in counts:
            counts[level] += record["totals"][level]
print(f"errors={counts['errors']}\nwarnings={counts['warnings']}\nunreadable={unreadable}")
PYTHON
