#!/usr/bin/env bash
# build.sh FOLDER [TARGET…]: builds the release for these targets, by default for all of release/targets.tsv, and packs it.
#
# A target that cannot be built on this machine is left out, and why is said; one that was named must be built.
# FOLDER/bin has the binaries, FOLDER/dist what is published: archives, packages, manifests, SBOMs, checksums.
set -euo pipefail
if (($# < 1)); then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
"$here/compile.sh" "$@"
"$here/package.sh" "$1"
