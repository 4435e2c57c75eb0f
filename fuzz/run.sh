#!/usr/bin/env bash
# run.sh TARGET|all [SECONDS]: fuzzes a target, or one after the other, for so long each; an hour if nothing is said.
#
# Needs cargo-fuzz (cargo install cargo-fuzz), a C++ compiler, and for quantity and selector Go, which is asked what it
# makes of each input. Nightly Rust is not needed. What is found stands in fuzz/artifacts/TARGET; a line of figures for each
# target in fuzz/figures.tsv: target, seconds of CPU, executions, edges, MiB of memory at most, findings.
set -euo pipefail
cd "$(dirname "$0")/.."

all="engine jsonpath lint page quantity recording selector terminal yaml"
targets=${1:?usage: fuzz/run.sh TARGET|all [SECONDS]}
seconds=${2:-3600}
only=$targets
[ "$targets" = all ] && targets=$all only=

# All code is safe Rust: the address sanitizer would find nothing and take most of the time.
host=$(rustc -vV | sed -n 's/^host: //p')
cargo fuzz build --sanitizer none --target "$host" $only
programs=fuzz/target/$host/release

if command -v go >/dev/null; then
  (cd tests/oracle/vectors && go build -o ../../../fuzz/target/vectors .)
  export KUBECTL_HPA_VECTORS=$PWD/fuzz/target/vectors
else
  echo "note: Go is not installed; quantity and selector are not compared with it" >&2
fi

# number PATTERN: the last number behind it in the log.
number() {
  grep -oE "$1 *[0-9]+" "$log" | tail -n 1 | grep -oE '[0-9]+$' || echo 0
}

found=0 TIMEFORMAT='%U %S'
for target in $targets; do
  corpus=fuzz/corpus/$target artifacts=fuzz/artifacts/$target log=fuzz/artifacts/$target.log
  mkdir -p "$corpus" "$artifacts"
  cp "tests/fuzzed/found/$target"/* "$corpus" 2>/dev/null || true
  echo "== $target for $seconds s"
  code=0
  { time FUZZ_SEEDS=$corpus "$programs/$target" "$corpus" -artifact_prefix="$artifacts/" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 >"$log" 2>&1 || code=$?; } 2>"$log.time"
  cpu=$(awk '{ printf "%.0f", $1 + $2 }' "$log.time")
  findings=$(find "$artifacts" -type f | wc -l)
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$target" "$cpu" "$(number number_of_executed_units:)" "$(number cov:)" \
    "$(number peak_rss_mb:)" "$findings" | tee -a fuzz/figures.tsv
  [ "$code" = 0 ] || { found=1; tail -n 40 "$log"; }
done
exit $found
