#!/usr/bin/env bash
# Compares, on a real API server, `kubectl hpa explain` with `kubectl describe hpa` and with the plugin hpa-status (if
# kubectl-hpa_status is on the PATH) for the same HPA, and `kubectl hpa list -A` of many with `kubectl get hpa -A`; with another
# build of the plugin, too, if one is named: `benches/live.sh [ROUNDS [HPAS [OTHER_KUBECTL_HPA]]]`, by default 20 rounds and 500
# HPAs with two pods each.
#
# DELAY=0.05 has the API server answer as from afar: each way takes so many seconds.
#
# Through kubectl, memory is kubectl's own before it becomes the plugin.
# Needs tests/cluster/build.sh and cargo build --release before (or PLUGIN=path of another build), and GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
. benches/side_by_side.sh
rounds=${1:-20}
hpas=${2:-500}
other=${3:+$(realpath "$3")}
plugin=$(realpath "${PLUGIN:-target/release/kubectl-hpa}")
work=$(mktemp -d)
mkdir "$work/bin"
ln -s "$plugin" "$work/bin/kubectl-hpa"
PATH=$work/bin:$PWD/tests/cluster/bin:$PATH
trap 'rm -r "$work"' EXIT
export KUBECONFIG=$work/kubeconfig HOME=$work # kubectl's discovery cache starts empty
coproc CLUSTER { exec testcluster --kubeconfig "$KUBECONFIG" --horizontal-pod-autoscaler-sync-period=15s; }
read -r _ <&"${CLUSTER[0]}"
if [ -n "${DELAY:-}" ]; then
  port=$(sed -n 's/.*server: https:.*:\([0-9]*\)$/\1/p' "$KUBECONFIG")
  coproc PROXY { exec python3 benches/delay.py "$port" "$DELAY"; }
  read -r proxy <&"${PROXY[0]}"
  sed -i "s/:$port\$/:$proxy/" "$KUBECONFIG"
fi
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
kubectl wait hpa/web --for=jsonpath='{.status.desiredReplicas}'=10 --timeout=90s >/dev/null


contender "kubectl-hpa explain web" kubectl-hpa explain web
[ -z "$other" ] || contender "$other explain web" "$other" explain web
contender "kubectl hpa explain web" kubectl hpa explain web
contender "kubectl describe hpa web" kubectl describe hpa web
contender "kubectl get hpa web" kubectl get hpa web
contender "kubectl-hpa_status status web" kubectl-hpa_status status web
contender "kubectl-hpa_status explain web" kubectl-hpa_status explain web
side_by_side "$rounds"

# many NAME…: Deployments of two pods, each with an HPA.
many() {
  for name; do
    cat <<Y
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: $name, labels: {many: "true"}}
spec:
  replicas: 2
  selector: {matchLabels: {app: $name}}
  template:
    metadata: {labels: {app: $name}, annotations: {testcluster/cpu: 58m, testcluster/memory: 100Mi}}
    spec: {containers: [{name: main, image: example.com/web, resources: {requests: {cpu: 100m, memory: 200Mi}}}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: $name}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: $name}
  minReplicas: 2
  maxReplicas: 10
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]
Y
  done
}
many $(seq -f 'many-%04g' "$hpas") | kubectl create -f - >/dev/null
kubectl wait deployment -l many=true --for=jsonpath='{.status.readyReplicas}'=2 --timeout=600s >/dev/null
sleep 20 # the controller has synced each of them

printf '\n%s HPAs with two pods each\n' "$hpas"
contender "kubectl-hpa list -A" kubectl-hpa list -A
[ -z "$other" ] || contender "$other list -A" "$other" list -A
contender "kubectl hpa list -A" kubectl hpa list -A
contender "kubectl get hpa -A" kubectl get hpa -A
contender "kubectl describe hpa -A" kubectl describe hpa -A
contender "kubectl-hpa_status status -A" kubectl-hpa_status status -A
side_by_side $(((rounds + 3) / 4))
