#!/usr/bin/env bash
# Makes the recordings of this folder anew, on a real control plane: `examples/record.sh [NAME…]`.
#
# Needs tests/cluster/build.sh and cargo build --release before, and about five minutes. The incidents take place side by
# side, each in its namespace, with the controller's default flags; `kubectl hpa capture` looks every 15 seconds.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/target/release:$PWD/tests/cluster/bin:$PATH
KUBECONFIG=$(mktemp)
export KUBECONFIG
coproc CLUSTER { exec testcluster --kubeconfig "$KUBECONFIG" --horizontal-pod-autoscaler-sync-period=15s; }
read -r _ <&"${CLUSTER[0]}"

# workload NAMESPACE NAME REPLICAS ANNOTATIONS: a Deployment; each pod requests 100m of cpu.
workload() {
  kubectl create namespace "$1"
  kubectl apply -n "$1" -f - <<Y
apiVersion: apps/v1
kind: Deployment
metadata: {name: $2}
spec:
  replicas: $3
  selector: {matchLabels: {app: $2}}
  template:
    metadata: {labels: {app: $2}, annotations: {$4}}
    spec:
      containers:
      - {name: $2, image: "example.com/$2:1", resources: {requests: {cpu: 100m, memory: 200Mi}, limits: {memory: 200Mi}}}
Y
}

# hpa NAMESPACE NAME MIN MAX METRICS [REST OF SPEC]
hpa() {
  kubectl apply -n "$1" -f - <<Y
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: $2}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: $2}, minReplicas: $3, maxReplicas: $4, metrics: [$5], ${6:-}}
Y
}

cpu='{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}'

# usage NAMESPACE CPU: what all pods of the namespace's workload use together.
usage() { kubectl annotate -n "$1" pods --all --overwrite "testcluster/cpu-total=$2"; }

# capture NAMESPACE HPA FILE DURATION
capture() { kubectl hpa capture "$2" -n "$1" --every 15s --for "$4" --output "examples/$3.jsonl"; }

# A rollout whose new pods never get ready, while the load rises: the pods that serve are at 85 % of 60 %.
not-ready-pods() {
  workload shop web 8 'testcluster/cpu: 58m, testcluster/start-age: 1m'
  hpa shop web 2 20 "$cpu"
  sleep 40
  capture shop web not-ready-pods 2m &
  sleep 35
  for pod in $(kubectl get pods -n shop -o name | head -2); do
    kubectl annotate -n shop "$pod" --overwrite testcluster/ready=false testcluster/reason=CrashLoopBackOff
  done
  kubectl annotate -n shop pods --all --overwrite testcluster/cpu=85m
  wait
}

# The load is gone, and the replicas stay: the window of five minutes.
held-by-window() {
  workload news web 9 'testcluster/cpu-total: 540m'
  hpa news web 2 20 "$cpu"
  sleep 40
  capture news web held-by-window 4m &
  sleep 65
  usage news 216m
  wait
}

# A metric that can't be read, beside one that asks for less: a sidecar without a request came with a new pod.
broken-metric() {
  local queue='{type: External, external: {metric: {name: queue_depth}, target: {type: AverageValue, averageValue: "10"}}}'
  workload mail worker 6 'testcluster/cpu: 58m'
  queue_depth 58
  hpa mail worker 1 30 "$cpu, $queue" 'behavior: {scaleDown: {stabilizationWindowSeconds: 60}}'
  sleep 40
  capture mail worker broken-metric 3m &
  sleep 35
  kubectl apply -n mail -f - <<'Y'
apiVersion: v1
kind: Pod
metadata: {name: worker-debug, labels: {app: worker}, annotations: {testcluster/cpu: 58m}}
spec:
  containers:
  - {name: worker, image: "example.com/worker:2", resources: {requests: {cpu: 100m}}}
  - {name: proxy, image: "example.com/proxy:1"}
Y
  sleep 30
  queue_depth 28
  wait
}
queue_depth() {
  kubectl apply -n mail -f - <<Y
apiVersion: v1
kind: ConfigMap
metadata: {name: testcluster-metrics}
data: {metrics.yaml: "external: [{metric: queue_depth, value: $1}]"}
Y
}

# More load than maxReplicas can carry, and not even all of those find a node.
more-than-max() {
  workload api api 8 'testcluster/cpu-total: 440m, testcluster/room: "18"'
  hpa api api 4 20 "$cpu"
  sleep 40
  capture api api more-than-max 3m &
  sleep 35
  usage api 1900m
  # New pods have their template's usage; they take part in the new load as soon as they are told.
  for _ in $(seq 25); do sleep 5; usage api 1900m; done
  wait
}

# Two HPAs on the same pods: the controller scales for neither.
two-hpas() {
  workload beta web 4 'testcluster/cpu: 58m'
  hpa beta web 2 10 "$cpu"
  sleep 40
  capture beta web two-hpas 2m &
  sleep 35
  kubectl get hpa web -n beta -o json | jq '.metadata = {name: "web-canary", namespace: "beta"} | del(.status)' |
    kubectl apply -f -
  sleep 30
  kubectl annotate -n beta pods --all --overwrite testcluster/cpu=95m
  wait
}

for incident in "${@:-not-ready-pods held-by-window broken-metric more-than-max two-hpas}"; do
  for name in $incident; do "$name" >/dev/null & done
done
wait $(jobs -p | grep -v "^$CLUSTER_PID$")
