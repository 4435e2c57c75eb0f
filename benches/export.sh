#!/usr/bin/env bash
# Measures `kubectl hpa export -A` against a fake API server (benches/list_server.py): by default 1,000 HPAs with 20,000 pods in
# 40 namespaces, for 60 s: `benches/export.sh [HPAS [PODS [NAMESPACES [SECONDS]]]]`. Each HPA is synced every 15 s. CLUSTER=real
# measures on a real API server and controller instead (benches/real_cluster.sh).
#
# The largest memory, the share of a core once it has settled, with a scrape each 15 s, and how long scrapes take. The server shares the cores with the program.
# Needs cargo build --release before (or PLUGIN=path of another build), Python, and curl.
set -euo pipefail
cd "$(dirname "$0")/.."
cluster=${CLUSTER:-fake}
. "benches/${cluster}_cluster.sh"
hpas=${1:-1000} pods=${2:-20000} namespaces=${3:-40} seconds=${4:-60}
plugin=$(realpath "${PLUGIN:-target/release/kubectl-hpa}")
work=$(mktemp -d)
ticks=$(getconf CLK_TCK)
exporter=
finish() {
  [[ -z $exporter ]] || kill "$exporter" 2>/dev/null || true
  "end_${cluster}_cluster"
  rm -r "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM
"${cluster}_cluster" "$hpas" "$pods" "$namespaces" "$hpas"

cpu() { awk -v ticks="$ticks" '{ print ($14 + $15) / ticks }' "/proc/$exporter/stat"; }
scrape() { curl -sS -H 'Accept: application/openmetrics-text' -o "$work/series" -w '%{time_total} %{size_download}\n' "$address/metrics"; }

"$plugin" export -A --listen 127.0.0.1:0 --assume-sync-period=15s 2>"$work/log" &
exporter=$!
until grep -q '^serving ' "$work/log"; do sleep 0.02; done
address=$(sed -n 's,^serving \(.*\)/metrics$,\1,p' "$work/log")
# Each HPA was synced once. The last one may be new to the exporter.
until scrape >/dev/null && (($(grep -c '^kubectl_hpa_last_sync' "$work/series") >= hpas)); do sleep 1; done
before=$(cpu) begin=$SECONDS
# As Prometheus scrapes it.
while ((SECONDS - begin < seconds)); do
  scrape >>"$work/scrapes"
  sleep 15
done
after=$(cpu) end=$SECONDS
for _ in {1..10}; do scrape >>"$work/scrapes"; done
sort -n "$work/scrapes" | awk -v hpas="$hpas" -v pods="$pods" -v cpu="$after $before" -v seconds="$((end - begin))" \
  -v series="$(grep -vc '^#' "$work/series")" -v memory="$(awk '/VmHWM/ { print $2 }' "/proc/$exporter/status")" '
  { time[NR] = $1; size = $2 }
  END { split(cpu, at, " ")
    printf "%d HPAs, %d pods, %d series, %.1f MiB a scrape\n", hpas, pods, series, size / 1048576
    printf "at most %.1f MiB, %.1f %% of a core; a scrape takes %.0f ms in the median, %.0f ms at most\n", memory / 1024,
      100 * (at[1] - at[2]) / seconds, 1000 * time[int((NR + 1) / 2)], 1000 * time[NR] }'
