#!/usr/bin/env bash
# weekly.sh [FIRST-SEED [SEEDS [RELEASE…]]]: records each release on fresh seeds, and has the engine predict all of it.
#
#     tests/oracle/weekly.sh                          # the seeds of this week, some 390,000 reconciles
#     tests/oracle/weekly.sh 2026470000 36 1.36.3     # a few of that week's, one release
#
# The recordings that the engine predicts otherwise than the controller decided stay in target/differential/differing.
set -euo pipefail
cd "$(dirname "$0")/../.."
first=${1:-$(date -u +%G%V)0000} seeds=${2:-1200}
shift $(($# < 2 ? $# : 2))
releases=("$@")
((${#releases[@]})) || mapfile -t releases <tests/oracle/releases.txt
folder=target/differential
rm -rf "$folder" && mkdir -p "$folder/recorded"
echo "seeds $first to $((first + seeds - 1)); the same again: tests/oracle/weekly.sh $first $seeds ${releases[*]}"
edited=$((300000 + first % 99000))
for release in "${releases[@]}"; do
  echo "== $release"
  minor=$(cut -d. -f1,2 <<<"$release")
  tests/oracle/fresh.sh "$release" "$first-$((first + seeds - 1))" "$folder/recorded/$minor"
  tests/oracle/fresh.sh "$release" "$edited-$((edited + seeds / 12))" "$folder/recorded/$minor-edited"
done
if ! CONFORMANCE_RECORDINGS=$PWD/$folder/recorded CONFORMANCE_KEEP=$PWD/$folder/differing \
  cargo test --locked --test conformance; then
  echo "error: the engine differs from the controller on seeds from $first; see $folder/differing" >&2
  exit 1
fi
