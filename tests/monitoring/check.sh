#!/usr/bin/env bash
# Shows that the bench works, in two minutes: a cluster, an HPA that scales, and what both servers say of it through
# the API server. Needs ./build.sh and ../cluster/build.sh before, and jq.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
export KUBECONFIG=$work/kubeconfig
PATH=$PWD/../cluster/bin:$PATH
await() { for ((i = 0; i < 600; i++)); do grep -q "$1" "$2" && return; sleep 0.1; done; echo "no \"$1\" in $2" >&2; exit 1; }

# Both end with this script, by the pipes.
exec {cluster}> >(exec testcluster --kubeconfig "$KUBECONFIG" --kubelet-metrics --metrics-resolution 15s --start-age 0s \
  --horizontal-pod-autoscaler-sync-period 5s >"$work/cluster")
await ready "$work/cluster"
exec {bench}> >(exec bin/bench --kubeconfig "$KUBECONFIG" --ksm-interval 5s "$@" >"$work/bench")
await victoria-metrics-single "$work/bench"
cat "$work/bench"
kubectl create namespace shop >/dev/null
kubectl apply -f - >/dev/null <<'Y'
apiVersion: v1
kind: ConfigMap
metadata: {name: testcluster-metrics, namespace: shop}
data:
  load.yaml: |
    resource:
    - {selector: app=web, memory: 48Mi, load: {since: "2026-01-01T00:00:00Z", course: [{at: 0s, value: 400m}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: main, image: example.com/web, resources: {requests: {cpu: 100m, memory: 64Mi}}}]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 10
  metrics:
  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}
Y
ask() { # Service, query: the values without repetitions
  kubectl get --raw "/api/v1/namespaces/monitoring/services/http:$1/proxy/api/v1/query?time=$(date +%s)&query=$(jq -rn --arg q "$2" '$q | @uri')" |
    jq -c '.data.result[] | [(.metric.pod // "" | sub("^kube-prometheus.*"; "")), .metric.metrics_path, (.values | map(.[1]) | reduce .[] as $v ([]; if .[-1] == $v then . else . + [$v] end))]'
}
sleep 75
echo "pause kube-state-metrics" >&"$bench"
sleep 12
echo "resume kube-state-metrics" >&"$bench"
sleep 12
tail -2 "$work/bench"
kubectl get hpa -n shop
for service in prometheus-operated:9090 vms-victoria-metrics-single-server:8428; do
  echo "# $service"
  ask "$service" 'kube_horizontalpodautoscaler_status_desired_replicas[5m]'
  ask "$service" 'kube_horizontalpodautoscaler_status_target_metric{metric_target_type="utilization"}[5m]'
  ask "$service" 'container_cpu_usage_seconds_total{container="main"}[5m]'
  ask "$service" 'up{job="kube-state-metrics"}[5m]'
  [[ $(ask "$service" '{__name__=~"kube_horizontalpodautoscaler_.*"}[5m]' | wc -l) -ge 20 ]]
done
