#!/usr/bin/env bash
# Measures `kubectl hpa watch -A` against a fake API server (benches/list_server.py): by default 2,000 HPAs with 20,000 pods in
# 40 namespaces, for 60 s: `benches/watch.sh [HPAS [PODS [NAMESPACES [SECONDS [TARGETS]]]]]`. Each HPA has a Deployment of its own
# unless TARGETS says how many there are: `benches/watch.sh 600 1000 1 60 1` is 600 HPAs on one of 1,000 pods. Each HPA is synced
# every 15 s. CLUSTER=real measures on a real API server and controller instead (benches/real_cluster.sh), where it takes minutes until
# all pods run; the statuses of the fake one often differ from what is recomputed, which takes more work than one that agrees.
#
# As lines and on a full screen, one after the other: the time until the first HPA is shown, the largest memory, and the share of a
# core once it has settled. The server shares the cores with the program.
# Needs cargo build --release before (or PLUGIN=path of another build), Python, and script of util-linux.
set -euo pipefail
cd "$(dirname "$0")/.."
cluster=${CLUSTER:-fake}
. "benches/${cluster}_cluster.sh"
hpas=${1:-2000} pods=${2:-20000} namespaces=${3:-40} seconds=${4:-60} targets=${5:-$hpas}
plugin=$(realpath "${PLUGIN:-target/release/kubectl-hpa}")
work=$(mktemp -d)
ticks=$(getconf CLK_TCK)
running=()
finish() {
  for id in "${running[@]}"; do kill "$id" 2>/dev/null || true; done
  "end_${cluster}_cluster"
  rm -r "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM
"${cluster}_cluster" "$hpas" "$pods" "$namespaces" "$targets"

now() { date +%s%N; }
cpu() { awk -v ticks="$ticks" '{ print ($14 + $15) / ticks }' "/proc/$1/stat"; }

# measure NAME: of the process whose id comes into $work/id and whose output into $work/out.
measure() { # BEGIN NAME
  local begin=$1 name=$2 first id before after
  until grep -q 'web-0' "$work/out" 2>/dev/null; do sleep 0.02; done
  first=$(now)
  id=$(<"$work/id")
  running+=("$id")
  sleep 20 # the metrics of all were read, and all were synced once
  before=$(cpu "$id")
  sleep "$seconds"
  after=$(cpu "$id")
  awk -v name="$name" -v first="$((first - begin))" -v cpu="$after $before" -v seconds="$seconds" -v memory="$(awk '/VmHWM/ { print $2 }' "/proc/$id/status")" '
    BEGIN { split(cpu, at, " ")
      printf "%-12s first shown after %5.2f s, at most %6.1f MiB, %5.1f %% of a core\n", name, first / 1e9, memory / 1024, 100 * (at[1] - at[2]) / seconds }'
  kill "$id"
}

echo "$hpas HPAs, $pods pods, $targets targets, $namespaces namespaces, a sync every 15 s"
begin=$(now)
"$plugin" watch -A -o plain --assume-sync-period=15s >"$work/out" 2>"$work/summary" &
echo $! >"$work/id"
measure "$begin" lines
wait "$(<"$work/id")" || true
tail -1 "$work/summary"
rm "$work/out"
begin=$(now)
script -qfc "stty rows 40 cols 120; echo \$\$ >$work/id; exec $plugin watch -A --assume-sync-period=15s" /dev/null >"$work/out" </dev/null &
running+=("$!")
measure "$begin" "full screen"
