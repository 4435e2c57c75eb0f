#!/usr/bin/env bash
# Measures `kubectl hpa history` on pasts that tests/monitoring/bin/past makes: one HPA with 20 pods for a day and for a week, and
# 500 HPAs for a day, from the real Prometheus through the API server: `benches/history.sh [ROUNDS]`, by default 3.
# WHAT="day week many" chooses among them. kube-state-metrics was "scraped" every KSM seconds, by default 30.
#
# The median and range of the wall time, the CPU time of the program alone, its largest memory, and the queries that Prometheus
# answered. The servers share the cores with the program.
# Needs tests/cluster/build.sh, tests/monitoring/build.sh and cargo build --release before (or PLUGIN=path of another build), and
# GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-3} ksm=${KSM:-30}
plugin=$(realpath "${PLUGIN:-target/release/kubectl-hpa}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
export KUBECONFIG=$work/kubeconfig
PATH=$PWD/tests/cluster/bin:$PWD/tests/monitoring/bin:$PATH
await() { for ((i = 0; i < 3000; i++)); do grep -q "$1" "$2" && return; sleep 0.1; done; echo "no \"$1\" in $2" >&2; exit 1; }

# queries: that Prometheus has answered.
queries() { curl -sS "$prometheus/metrics" | awk '/^prometheus_http_requests_total\{.*handler="\/api\/v1\/query/ { sum += $NF } END { print sum + 0 }'; }

# measure NAME HPAS PAST HISTORY: how many HPAs there are, and the arguments of past and of history.
measure() {
  local name=$1 before after
  past $3 --ksm-interval "${ksm}s" >"$work/past"
  # They end with this script, or by the end of their pipes.
  exec {cluster}> >(exec testcluster --kubeconfig "$KUBECONFIG" --kubelet-metrics --start-age 0s --horizontal-pod-autoscaler-sync-period 15s >"$work/cluster")
  await ready "$work/cluster"
  exec {bench}> >(exec bench --kubeconfig "$KUBECONFIG" --past "$work/past" >"$work/bench")
  await victoria-metrics-single "$work/bench"
  prometheus=$(sed -n 's/^prometheus //p' "$work/bench")
  objects "$2"
  : >"$work/times"
  for ((round = 0; round < rounds; round++)); do
    before=$(queries)
    /usr/bin/time -q -f '%e %U %S %M' -a -o "$work/times" \
      "$plugin" history $4 -n past --prometheus service:monitoring/prometheus-operated:9090 --assume-sync-period 15s -o json >"$work/report"
    after=$(queries)
  done
  sort -n "$work/times" | awk -v name="$name" -v queries=$((after - before)) '
    { wall[NR] = $1; cpu[NR] = $2 + $3; if (memory < $4) memory = $4 }
    END { middle = int((NR + 1) / 2)
      printf "%-28s %6.2f s (%.2f to %.2f)  %5.2f s of CPU  %4d MiB  %3d queries\n", name, wall[middle], wall[1], wall[NR], cpu[middle], memory / 1024, queries }'
  exec {bench}>&- {cluster}>&-
  wait
}

# objects COUNT: the HPAs of the past, as they are now.
objects() {
  kubectl create namespace past >/dev/null
  for ((number = 0; number < $1; number++)); do
    cat <<Y
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web-$number, namespace: past}
spec:
  replicas: 2
  selector: {matchLabels: {app: web-$number}}
  template:
    metadata: {labels: {app: web-$number}}
    spec: {containers: [{name: main, image: example.com/web, resources: {requests: {cpu: 100m}}}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web-$number, namespace: past}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web-$number}
  minReplicas: 2
  maxReplicas: 20
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]
Y
  done | kubectl create -f - >/dev/null
}

for what in ${WHAT:-day week many}; do
  case $what in
    day) measure "1 HPA, 20 pods, 24 h" 1 "--for 24h --pods 20" "web-0 --since 24h" ;;
    week) measure "1 HPA, 20 pods, 7 days" 1 "--for 168h --pods 20" "web-0 --since 7d" ;;
    many) measure "500 HPAs, 24 h" 500 "--for 24h --hpas 500 --depth hpa" "--since 24h" ;;
  esac
done
