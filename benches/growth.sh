#!/usr/bin/env bash
# Shows how the work grows with pods, metrics, HPAs, manifests, fixes and the length of a recording:
# `benches/growth.sh [CURVE…]`, of pods, metrics, manifests, fixes, hpas and hours; all unless said otherwise.
#
# Each row: the least processor time (user and system) of three runs, the largest memory, and both for one thing more than in the
# row before. Linear is where that stays the same. The input is made by benches/growing.py, benches/manifests.sh and
# benches/list_server.py.
# Needs cargo build --release before (or PLUGIN=path of another build), Python, zstd and GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
. benches/fake_cluster.sh
plugin=$(realpath "${PLUGIN:-target/release/kubectl-hpa}")
work=$(mktemp -d)
trap 'end_fake_cluster; rm -r "$work"' EXIT

# curve THINGS COMMAND: begins a table.
curve() {
  printf '\n%s\n%10s %12s %12s %16s %16s\n' "${*:2}" "$1" cpu memory "cpu for one" "memory for one"
  before=
}

# row SIZE COMMAND…
row() {
  local size=$1 cpu memory TIMEFORMAT='%U %S'
  shift
  rm -f "$work/cpu" "$work/memory"
  for _ in 1 2 3; do
    # Findings make another code than 0.
    { time /usr/bin/time -q -f %M -a -o "$work/memory" "$@" >/dev/null 2>&3 || true; } 3>"$work/said" 2>>"$work/cpu"
  done
  cpu=$(awk '{ print 1000 * ($1 + $2) }' "$work/cpu" | sort -n | head -1)
  memory=$(sort -n "$work/memory" | tail -1)
  awk -v size="$size" -v cpu="$cpu" -v memory="$memory" -v before="$before" 'BEGIN {
    printf "%10d %9.0f ms %8.1f MiB", size, cpu, memory / 1024
    if (split(before, was, " ")) printf " %13.4f ms %12.2f KiB", (cpu - was[2]) / (size - was[1]), (memory - was[3]) / (size - was[1])
    print ""
  }'
  before="$size $cpu $memory"
}

# explained WHAT COMMAND SIZE…
explained() {
  curve "$1" "$2"
  for size in "${@:3}"; do
    python3 benches/growing.py "$1" "$size" >"$work/snapshot.jsonl"
    row "$size" "$plugin" explain -f "$work/snapshot.jsonl"
  done
}

pods() { explained pods "kubectl hpa explain -f SNAPSHOT" 10 100 1000 10000 50000; }

metrics() { explained metrics "kubectl hpa explain -f SNAPSHOT, ten pods" 1 5 10 25 50; }

manifests() {
  curve files "kubectl hpa lint -f DIR"
  for size in 1 10 100 1000 5000; do
    benches/manifests.sh "$size" "$work/$size"
    row "$size" "$plugin" lint -f "$work/$size"
    rm -r "${work:?}/$size"
  done
}

# Four findings of each HPA are fixed, in as many rounds.
fixes() {
  for of in documents items; do
    curve "$of" "kubectl hpa lint --diff -f FILE, with --fix below"
    for size in 10 100 1000 2000 10000; do
      python3 benches/growing.py "$of" "$size" >"$work/before.yaml"
      row "$size" "$plugin" lint --diff -f "$work/before.yaml"
    done
    before=
    for size in 10 100 1000 2000 10000; do
      python3 benches/growing.py "$of" "$size" >"$work/before.yaml"
      row "$size" sh -c '"$0" lint -q --fix -f - <"$1"' "$plugin" "$work/before.yaml"
    done
  done
}

hpas() {
  curve HPAs "kubectl hpa list -A, ten pods each"
  for size in 1 10 100 1000 5000; do
    fake_cluster "$size" $((10 * size)) $((size < 40 ? size : 40))
    row "$size" "$plugin" list -A
    end_fake_cluster
  done
}

hours() {
  curve hours "kubectl hpa replay RECORDING, a sync every 15 s, 10 to 18 pods"
  for size in 1 6 24 168 720; do
    python3 benches/growing.py hours "$size" | zstd -q -1 >"$work/recording.jsonl.zst"
    row "$size" "$plugin" replay "$work/recording.jsonl.zst"
  done
  printf 'the last is %d KiB\n' $(($(wc -c <"$work/recording.jsonl.zst") / 1024))
}

"$plugin" --version
for curve in "${@:-all}"; do
  case $curve in
    all) for each in pods metrics manifests fixes hpas hours; do "$each"; done ;;
    pods | metrics | manifests | fixes | hpas | hours) "$curve" ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
  esac
done
