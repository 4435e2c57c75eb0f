#!/usr/bin/env bash
# date.sh: prints SOURCE_DATE_EPOCH of this source, the time of its commit, in seconds.
set -euo pipefail
cd "$(dirname "$0")/.."
git log -1 --format=%ct 2>/dev/null || { echo "error: not a git checkout; set SOURCE_DATE_EPOCH" >&2; exit 1; }
