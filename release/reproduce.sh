#!/usr/bin/env bash
# reproduce.sh TARGET [FOLDER]: builds the committed source for TARGET in two folders of different names, packs both, and
# compares every byte of what is published. FOLDER, by default a new one, keeps both: FOLDER/first and FOLDER/second.
set -euo pipefail
if (($# < 1 || $# > 2)); then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
cd "$(dirname "$0")/.."
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(release/date.sh)}
folder=${2:-$(mktemp -d)}
for place in first second/and-deeper; do
  mkdir -p "$folder/$place/source"
  git archive HEAD | tar -x -C "$folder/$place/source"
  (
    # Each has its own: nothing that the first compiled is there for the second.
    export CARGO_TARGET_DIR=$folder/$place/target
    cd "$folder/$place/source"
    release/build.sh "$folder/$place" "$1"
  )
done
diff -r "$folder/first/bin" "$folder/second/and-deeper/bin"
diff "$folder/first/dist/SHA256SUMS" "$folder/second/and-deeper/dist/SHA256SUMS"
cat "$folder/first/dist/SHA256SUMS"
echo "both builds have the same bytes"
