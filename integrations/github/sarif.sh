#!/usr/bin/env bash
# Uploads findings.sarif to code scanning; that it may not be uploaded is said, and is no failure.
source "$(dirname "${BASH_SOURCE[0]}")/_shared.sh"

python "$(dirname "${BASH_SOURCE[0]}")/service.py" sarif "${FINDINGS:-}/findings.sarif"
