#!/usr/bin/env bash
# Compares `kubectl hpa explain` with `kubectl describe hpa` of the same HPA, on a real API server, and with another build of the
# plugin, if one is named: `benches/live.sh [ROUNDS [OTHER_KUBECTL_HPA]]`.
#
# Whole processes, taken in turns so that both meet the same machine: median and range of the wall time in milliseconds,
# and the largest memory (through kubectl it is kubectl's own, before it becomes the plugin).
# Needs tests/cluster/build.sh and cargo build --release before, and GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-20}
other=${2:+$(realpath "$2")}
PATH=$PWD/target/release:$PWD/tests/cluster/bin:$PATH
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
export KUBECONFIG=$work/kubeconfig HOME=$work # kubectl's discovery cache starts empty
coproc CLUSTER { exec testcluster --kubeconfig "$KUBECONFIG"; }
read -r _ <&"${CLUSTER[0]}"
kubectl apply -f - >/dev/null <<'Y'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 10
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {testcluster/cpu: 58m, testcluster/memory: 100Mi, testcluster/metric.requests: "90"}}
    spec: {containers: [{name: main, image: example.com/web, resources: {requests: {cpu: 100m, memory: 200Mi}}}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 20
  metrics:
  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}
  - {type: Pods, pods: {metric: {name: requests}, target: {type: AverageValue, averageValue: "100"}}}
Y
kubectl wait hpa/web --for=jsonpath='{.status.desiredReplicas}'=10 --timeout=60s >/dev/null

commands=("kubectl-hpa explain web" "kubectl hpa explain web" "kubectl describe hpa web" "kubectl get hpa web")
[ -z "$other" ] || commands+=("$other explain web")
for command in "${commands[@]}"; do $command >/dev/null; done # once for the caches
for _ in $(seq "$rounds"); do
  for i in "${!commands[@]}"; do
    begin=$(date +%s%N)
    ${commands[i]} >/dev/null
    echo $((($(date +%s%N) - begin) / 100000)) >>"$work/$i"
  done
done
printf '%-24s %9s %18s %11s\n' "$rounds runs each" median range memory
for i in "${!commands[@]}"; do
  memory=$(/usr/bin/time -f %M ${commands[i]} 2>&1 >/dev/null | tail -1)
  sort -n "$work/$i" | awk -v name="${commands[i]}" -v memory="$memory" '{ t[NR] = $1 / 10 }
    END { printf "%-24s %6.1f ms %6.1f … %5.1f ms %7.1f MiB\n", name, t[int((NR + 1) / 2)], t[1], t[NR], memory / 1024 }'
done
