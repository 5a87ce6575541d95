#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/_shared.sh"

if ((${#evidence[@]} == 0)); then
  say error "nothing to build a report from: name a study file or a folder of runs"
  exit 2
fi
# All that follows reads report.json.
build_into "${OUT%/}" "${FORMATS:+$FORMATS,json}"
output report "${OUT%/}/report.json"
