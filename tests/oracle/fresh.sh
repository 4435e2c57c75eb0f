#!/usr/bin/env bash
# fresh.sh RELEASE SEEDS FOLDER: records the controller of a Kubernetes release on these seeds, for instance
#
#     tests/oracle/fresh.sh 1.36.3 5001-5400 /tmp/fresh/1.36
#
# FOLDER gets one gzipped file a family, as in tests/conformance/VERSION. It must not hold recordings already: a
# recording is never appended to an older one. The program is built the first time, into target/oracle.
set -euo pipefail
if (($# != 3)); then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
release=$1 seeds=$2 folder=$(realpath -m "$3")
cd "$(dirname "$0")"
program=$(realpath -m "../../target/oracle/$release")
[[ -x $program ]] || ./build.sh "$release" "$program"
mkdir -p "$folder"
if compgen -G "$folder/*.jsonl*" >/dev/null; then
  echo "error: $folder has recordings already; give an empty folder" >&2
  exit 2
fi
made=$(mktemp -d) && trap 'rm -rf "$made"' EXIT
ORACLE_OUT=$made ORACLE_VERSION=${release%.*} ORACLE_SEEDS=$seeds "$program" -test.run TestRecord -test.v
gzip -9n "$made"/*.jsonl
mv "$made"/*.jsonl.gz "$folder"
