# Objects of the recorded situations, for record.sh in questions and in tests/situations.
# shellcheck shell=bash disable=SC2034 # used where it is sourced

# What a container requests.
small='{requests: {cpu: 100m, memory: 200Mi}, limits: {memory: 200Mi}}'

# hpa NAMESPACE NAME MIN MAX METRICS [REST OF SPEC [TARGET [METADATA]]]
hpa() {
  local target=${7:-"{apiVersion: apps/v1, kind: Deployment, name: $2}"}
  kubectl apply -n "$1" -f - <<Y
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: $2, ${8:-}}
spec: {scaleTargetRef: $target, minReplicas: $3, maxReplicas: $4, metrics: [$5], ${6:-}}
Y
}

cpu='{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}'

# external NAME TARGET: a metric.
external() { echo "{type: External, external: {metric: {name: $1}, target: $2}}"; }
