#!/usr/bin/env bash
# Watches for a long time, on a real API server and controller: `benches/soak.sh [MINUTES]`, 4 unless said otherwise.
#
# Memory: an HPA with 200 pods, a sync every 150 ms, a load that goes up and down. In 4 minutes there are more syncs than
# in 4 hours at the default period of 15 s. CPU: 50 HPAs of 4 pods each at 15 s, as lines and on a full screen, for a third
# of the time. Both parts run one after another; the figures are of the process `kubectl-hpa watch` alone.
# Needs tests/cluster/build.sh and cargo build --release before, jq, and script of util-linux.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:-4}
program=${KUBECTL_HPA:-$PWD/target/release/kubectl-hpa}
PATH=$PWD/tests/cluster/bin:$PATH
work=$(mktemp -d)
export KUBECONFIG=$work/kubeconfig HOME=$work
ticks=$(getconf CLK_TCK)
running=()
finish() {
  for id in "${running[@]}"; do kill "$id" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

# cluster PERIOD: starts one whose controller syncs every PERIOD. stop: ends it.
cluster() {
  coproc CLUSTER { exec testcluster --kubeconfig "$KUBECONFIG" --horizontal-pod-autoscaler-sync-period="$1" --horizontal-pod-autoscaler-downscale-stabilization=30s; }
  control=$CLUSTER_PID
  read -r _ <&"${CLUSTER[0]}"
}
stop() {
  kill "$control"
  wait "$control" || true
}

# workload NAME REPLICAS MAX: a Deployment with an HPA on cpu.
workload() {
  cat <<Y
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: $1, labels: {soak: "true"}}
spec:
  replicas: $2
  selector: {matchLabels: {app: $1}}
  template:
    metadata: {labels: {app: $1, soak: "true"}}
    spec: {containers: [{name: main, image: example.com/web, resources: {requests: {cpu: 100m, memory: 200Mi}}}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: $1}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: $1}
  minReplicas: 1
  maxReplicas: $3
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]
Y
}

# usage CPU: what each pod uses from now on.
usage() {
  kubectl create configmap testcluster-metrics --dry-run=client -o yaml \
    --from-literal=soak.yaml="resource: [{selector: soak=true, cpu: $1, memory: 100Mi}]" | kubectl apply -f - >/dev/null 2>&1
}

# changing_load SECONDS: 12 s within tolerance, 12 s just above, 12 s just below.
changing_load() {
  local end=$((SECONDS + $1))
  while ((SECONDS < end)); do
    for cpu in 60m 67m 53m; do
      usage "$cpu"
      sleep 12
    done
  done
}

seconds_of_cpu() { awk -v ticks="$ticks" '{ print ($14 + $15) / ticks }' "/proc/$1/stat"; }
reconciles() { grep -c '"type":"reconcile"' "$1" || true; }

echo "memory: one HPA, 200 pods, a sync every 150 ms"
cluster 150ms
usage 60m
workload web 200 220 | kubectl apply -f - >/dev/null
kubectl wait deployment/web --for=jsonpath='{.status.readyReplicas}'=200 --timeout=300s >/dev/null
"$program" watch web -o jsonl >"$work/lines" &
watch=$!
running+=("$watch")
changing_load $((minutes * 60)) &
load=$!
begin=$SECONDS
while ((SECONDS - begin < minutes * 60)); do
  echo "$((SECONDS - begin)) $(awk '/VmRSS/ { print $2 }' "/proc/$watch/status")" >>"$work/rss"
  sleep 5
done
cpu=$(seconds_of_cpu "$watch")
awk -v seconds="$((minutes * 60))" -v syncs="$(reconciles "$work/lines")" -v cpu="$cpu" '
  { quarter = int(4 * $1 / seconds); sum[quarter] += $2; count[quarter]++; if (most < $2) most = $2 }
  END {
    printf "  %d syncs, as many as in %.1f h at 15 s\n", syncs, syncs * 15 / 3600
    for (i = 0; i < 4; i++) printf "  quarter %d: %6.1f MiB resident on average\n", i + 1, sum[i] / count[i] / 1024
    printf "  at most %.1f MiB; %.1f %% of a core\n", most / 1024, 100 * cpu / seconds
  }' "$work/rss"
kill "$watch"
wait "$watch" || true
kill "$load" 2>/dev/null || true
wait "$load" 2>/dev/null || true
stop

echo "cpu: 50 HPAs, 4 pods each, a sync every 15 s"
cluster 15s
usage 60m
for i in $(seq -w 50); do workload "web-$i" 4 10; done | kubectl apply -f - >/dev/null
kubectl wait deployment -l soak=true --for=jsonpath='{.status.readyReplicas}'=4 --timeout=300s >/dev/null
sleep 20 # all HPAs were synced once
"$program" watch -o jsonl >"$work/lines" &
plain=$!
script -qfc "stty rows 40 cols 120; echo \$\$ >$work/id; exec $program watch" /dev/null >"$work/screen" </dev/null &
running+=("$plain" "$!")
sleep 20
screen=$(<"$work/id")
running+=("$screen")
for id in "$plain" "$screen"; do seconds_of_cpu "$id"; done >"$work/before"
syncs=$(reconciles "$work/lines")
changing_load $((minutes * 20))
for id in "$plain" "$screen"; do seconds_of_cpu "$id"; done >"$work/after"
paste "$work/before" "$work/after" | awk -v seconds="$((minutes * 20))" -v syncs="$(($(reconciles "$work/lines") - syncs))" '
  { share[NR] = 100 * ($2 - $1) / seconds }
  END { printf "  %d syncs; as lines %.1f %% of a core, on a full screen %.1f %%\n", syncs, share[1], share[2] }'
stop
