#!/usr/bin/env bash
# run.sh TARGET|all [SECONDS]: fuzzes a target, or one after the other, until each has had so many seconds of CPU; an hour
# if nothing is said.
#
# What ran before counts: broken off and called again, it goes on with the corpus that there is. fuzz/figures/TARGET.tsv has a
# line for each ten minutes: seconds of CPU, executions, edges, MiB of memory at most. What is found stands in
# fuzz/artifacts/TARGET; remove it when it is mended. To begin anew, remove fuzz/corpus and fuzz/figures.
#
# Needs cargo-fuzz (cargo install --locked cargo-fuzz@0.13.2), a C++ compiler, and for quantity and selector Go, which is asked what it
# makes of each input. Nightly Rust is not needed.
set -euo pipefail
cd "$(dirname "$0")/.."

all="answers engine jsonpath kubeconfig lint mcp page quantity recording selector terminal yaml"
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

# had: the whole seconds of CPU so far.
had() {
  awk '{ cpu += $1 } END { printf "%.0f", cpu }' "$figures"
}

# slice SECONDS: fuzzes for so long, and adds a line of figures.
slice() {
  local code=0 TIMEFORMAT='%U %S'
  { time FUZZ_SEEDS=$corpus "$programs/$target" "$corpus" -artifact_prefix="$artifacts/" -max_total_time="$1" -timeout=60 \
    -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 >"$log" 2>&1 || code=$?; } 2>"$log.time"
  awk -v units="$(number number_of_executed_units:)" -v edges="$(number cov:)" -v memory="$(number peak_rss_mb:)" \
    -v OFS='\t' '{ print $1 + $2, units, edges, memory }' "$log.time" >>"$figures"
  return $code
}

failed=0
for target in $targets; do
  corpus=fuzz/corpus/$target artifacts=fuzz/artifacts/$target log=fuzz/artifacts/$target.log figures=fuzz/figures/$target.tsv
  mkdir -p "$corpus" "$artifacts" fuzz/figures
  touch "$figures"
  cp "tests/fuzzed/found/$target"/* "$corpus" 2>/dev/null || true
  echo "== $target until $seconds s of CPU; had $(had)"
  while (($(had) < seconds)); do
    left=$((seconds - $(had)))
    slice $((left < 600 ? left : 600)) || { failed=1; tail -n 40 "$log"; break; }
  done
  awk -v target="$target" -v findings="$(find "$artifacts" -type f | wc -l)" '
    { cpu += $1; units += $2; if ($3 > edges) edges = $3; if ($4 > memory) memory = $4 }
    END { printf "%s: %.0f s of CPU, %d executions, %d edges, %d MiB, %d findings\n", target, cpu, units, edges, memory, findings }' "$figures"
done
exit $failed
