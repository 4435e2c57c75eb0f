#!/usr/bin/env bash
# Takes pictures of what `explain -o html` writes, to be looked at: on a phone, on a desk, in the dark, on paper.
#
#   tests/pages/screenshot.sh FOLDER [FILE…]
#
# Needs chromium and, for paper, pdftoppm (Debian: chromium, poppler-utils). FILEs are recordings or objects; default: all
# in examples. It fails if a page would have to be scrolled sideways at 360 pixels. Not part of CI.
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- examples/*.jsonl
cargo build --quiet
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

browser() {
  chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --hide-scrollbars --user-data-dir="$profile" "$@" 2>/dev/null
}

for file in "$@"; do
  name=$(basename "${file%.jsonl}")
  page=$out/$name.html
  TZ=UTC target/debug/kubectl-hpa explain -f "$file" -o html >"$page"
  browser --window-size=1200,2600 --screenshot="$out/$name-desk.png" "file://$page"
  browser --window-size=1200,2600 --blink-settings=preferredColorScheme=0 --screenshot="$out/$name-dark.png" "file://$page"
  browser --no-pdf-header-footer --print-to-pdf="$out/$name.pdf" "file://$page"
  if command -v pdftoppm >/dev/null; then
    pdftoppm -png -r 60 "$out/$name.pdf" "$out/$name-paper"
  fi
  # A frame is as narrow as a phone, which a window of the browser can't be; the page itself allows no script.
  cat >"$profile/frame.html" <<HTML
<body style="margin:0"><iframe src="file://$page" width="360" height="4000" style="border:0"></iframe>
<script>onload = () => {
  const root = document.querySelector('iframe').contentDocument.documentElement;
  document.body.dataset.width = root.scrollWidth;
}</script></body>
HTML
  browser --allow-file-access-from-files --window-size=500,4000 --screenshot="$out/$name-phone.png" "file://$profile/frame.html"
  width=$(browser --allow-file-access-from-files --dump-dom "file://$profile/frame.html" | grep -o 'data-width="[0-9]*"' | tr -dc 0-9)
  [ "$width" = 360 ] || { echo "$name: $width pixels wide on a phone of 360" >&2; exit 1; }
done
ls "$out"
