#!/usr/bin/env bash
# fresh.sh RELEASE SEEDS FOLDER [FAMILIES]: records the controller of a Kubernetes release on these seeds, for instance
#
#     tests/oracle/fresh.sh 1.36.3 5001-5400 /tmp/fresh/1.36
#     tests/oracle/fresh.sh 1.36.3 100000-100071 /tmp/fresh/1.36 clock,edits
#
# FOLDER gets one gzipped file a family, as in tests/conformance/VERSION. It must not hold recordings already: a
# recording is never appended to an older one. With FAMILIES, seeds of other families are left out. The program is
# built the first time, into target/oracle (or the folder that ORACLE_PROGRAMS names).
set -euo pipefail
if (($# < 3 || $# > 4)); then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
release=$1 seeds=$2 folder=$(realpath -m "$3") families=${4-}
cd "$(dirname "$0")"
program=$(realpath -m "${ORACLE_PROGRAMS:-../../target/oracle}/$release")
[[ -x $program ]] || ./build.sh "$release" "$program"
mkdir -p "$folder"
if compgen -G "$folder/*.jsonl*" >/dev/null; then
  echo "error: $folder has recordings already; give an empty folder" >&2
  exit 2
fi
# Patch releases of 1.30 differ in how they garble messages, so there the recording says which one it is of.
version=$(cut -d. -f1,2 <<<"$release")
[[ $version == 1.30 ]] && version=$release
made=$(mktemp -d) && trap 'rm -rf "$made"' EXIT
ORACLE_OUT=$made ORACLE_VERSION=$version ORACLE_SEEDS=$seeds ORACLE_FAMILIES=$families \
  "$program" -test.run TestRecord -test.v -test.timeout 6h
gzip -9n "$made"/*.jsonl
mv "$made"/*.jsonl.gz "$folder"
