#!/usr/bin/env bash
# check.sh BINARY…: fails if a release binary is 16 MB or larger or has symbols; prints its size and how fast it starts.
set -euo pipefail
if (($# == 0)); then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
readonly LIMIT=16000000
for binary; do
  size=$(wc -c <"$binary")
  printf '%s: %d bytes of at most %d\n' "$binary" "$size" $((LIMIT - 1))
  ((size < LIMIT)) || { echo "error: $binary is too large; docs/dev/releasing.md says what takes the room" >&2; exit 1; }
  if [[ $(uname -s) == Linux ]] && nm "$binary" 2>/dev/null | grep -q .; then
    echo "error: $binary is not stripped" >&2
    exit 1
  fi
  "$binary" --version >/dev/null 2>&1 || { echo "   it is for another system than this" && continue; }
  for _ in {1..21}; do
    begin=${EPOCHREALTIME/[.,]/}
    "$binary" --version >/dev/null
    echo $((${EPOCHREALTIME/[.,]/} - begin))
  done | sort -n | sed -n '11s/$/ µs for --version, the median of 21/p'
done
