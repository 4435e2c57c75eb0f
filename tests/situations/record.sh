#!/usr/bin/env bash
# Records the situations of docs/questions for as long as alerts take: `tests/situations/record.sh [MINUTES [SITUATION…]]`, all of
# them for 65 minutes unless said otherwise.
#
# On real control planes, with the default settings of the controller; no container runs, the load is played. All situations take
# place side by side, each in the namespace that its page is named after. `watch --record` records what the controller finds, the
# real kube-state-metrics what it serves, scraped by the real Prometheus, which evaluates the alerts of mixin.yaml too.
# Needs tests/cluster/build.sh, tests/monitoring/build.sh and cargo build --release before (BINARIES names another folder than
# target/release), and jq.
set -euo pipefail
cd "$(dirname "$0")/../.."
minutes=${1:-65}
shift || true
PATH=$(realpath "${BINARIES:-target/release}"):$PWD/tests/cluster/bin:$PWD/tests/monitoring/bin:$PATH
here=$PWD/tests/situations
. examples/objects.sh
work=$(mktemp -d)
running=()
finish() {
  for id in "${running[@]}"; do kill "$id" 2>/dev/null || true; done
  wait
  rm -rf "$work"
}
trap finish EXIT

# template NAME REPLICAS ANNOTATIONS [RESOURCES [MORE CONTAINERS [REST OF SPEC]]]: a Deployment.
template() {
  cat <<Y
apiVersion: apps/v1
kind: Deployment
metadata: {name: $1}
spec:
  replicas: $2
  selector: {matchLabels: {app: $1}}
  ${6:-}
  template:
    metadata: {labels: {app: $1}, annotations: {$3}}
    spec:
      containers:
      - {name: $1, image: "example.com/$1:1", resources: ${4:-$small}}
      ${5:-}
Y
}

# workload NAMESPACE NAME REPLICAS …: the same in a new namespace, with its pods.
workload() {
  kubectl create namespace "$1"
  template "${@:2}" | kubectl create -n "$1" -f -
  kubectl wait -n "$1" "deployment/$2" --for=jsonpath='{.status.replicas}'="$3" --timeout=120s
}

# metrics NAMESPACE YAML: what the metrics APIs answer.
metrics() {
  kubectl apply -n "$1" -f - <<Y
apiVersion: v1
kind: ConfigMap
metadata: {name: testcluster-metrics}
data: {metrics.yaml: "$2"}
Y
}

# together NAMESPACE CPU: what all pods use together.
together() { metrics "$1" "resource: [{selector: app=web, cpu: $2, memory: 100Mi, total: true}]"; }

# annotate NAMESPACE ANNOTATION=VALUE…: how all pods are.
annotate() { kubectl annotate -n "$1" pods --all --overwrite "${@:2}"; }

# replicas NAMESPACE WORKLOAD NUMBER: waits until it has so many pods.
replicas() { kubectl wait -n "$1" "$2" --for=jsonpath='{.status.replicas}'="$3" --timeout=300s; }

# kind KIND PLURAL GROUP VERSION [SUBRESOURCES]: one of which the API server checks nothing.
kind() {
  kubectl apply -f - <<Y
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: $2.$3, annotations: {api-approved.kubernetes.io: "unapproved, in place of the real one"}}
spec:
  group: $3
  scope: Namespaced
  names: {kind: $1, plural: $2}
  versions:
  - name: $4
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
    subresources: {${5:-}}
Y
  kubectl wait "crd/$2.$3" --for=condition=Established --timeout=60s
}

# The metrics API does not answer.
01-unknown-targets() {
  workload "$1" web 3 'testcluster/cpu: 58m'
  metrics "$1" 'apis: {metrics.k8s.io: absent}'
  hpa "$1" web 2 10 "$cpu"
}

# A sidecar without a request.
02-missing-request() {
  workload "$1" web 3 'testcluster/cpu: 90m' "$small" '- {name: linkerd-proxy, image: "example.com/proxy:1"}'
  hpa "$1" web 2 10 "$cpu"
}

# The load goes, and the window keeps the replicas for five minutes.
03-does-not-go-down() {
  workload "$1" web 9 'testcluster/cpu-total: 540m'
  hpa "$1" web 2 20 "$cpu"
  sleep 60
  annotate "$1" testcluster/cpu-total=216m
}

# A rollout whose new pods never get ready, while those that serve are at 85% of 60%.
04-does-not-go-up() {
  workload "$1" web 8 'testcluster/cpu: 85m, testcluster/start-age: 1m, testcluster/ready: "false", testcluster/reason: CrashLoopBackOff'
  for pod in $(kubectl get pods -n "$1" -o name | head -6); do
    kubectl annotate -n "$1" "$pod" --overwrite testcluster/ready=true
  done
  hpa "$1" web 2 20 "$cpu"
}

# Argo CD applies a manifest with replicas, again and again.
05-replicas-jump-back() {
  workload "$1" web 2 'testcluster/cpu-total: 240m'
  hpa "$1" web 2 10 "$cpu"
  while sleep 60; do
    template web 2 'testcluster/cpu-total: 240m' |
      kubectl apply -n "$1" -f - --server-side --force-conflicts --field-manager=argocd-controller
  done
}

# Jobs whose pods have the labels of the workload, and nothing to do.
06-pods-use-less() {
  workload "$1" web 4 'testcluster/cpu: 90m'
  for pod in clean-29012345-x7k2p clean-29012345-m4q9d; do
    kubectl apply -n "$1" -f - <<Y
apiVersion: v1
kind: Pod
metadata: {name: $pod, labels: {app: web}, annotations: {testcluster/cpu: 1m}}
spec: {containers: [{name: main, image: example.com/image, resources: {requests: {cpu: 100m}}}]}
Y
  done
  hpa "$1" web 2 10 "$cpu"
}

# The queue of a ScaledObject runs empty, and the last pod stays.
07-keda-cooldown() {
  kind ScaledObject scaledobjects keda.sh v1alpha1
  workload "$1" mail 3 'testcluster/cpu: 10m'
  metrics "$1" 'external: [{metric: s0-rabbitmq-mail, value: 50}]'
  kubectl apply -n "$1" -f - <<'Y'
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: mail}
spec:
  scaleTargetRef: {name: mail}
  cooldownPeriod: 600
  triggers: [{type: rabbitmq, metadata: {queueName: mail, value: "20", activationValue: "5"}}]
status: {conditions: [{type: Active, status: "True", reason: ScalerActive, message: ""}]}
Y
  local uid
  uid=$(kubectl get -n "$1" scaledobject mail -o jsonpath='{.metadata.uid}')
  hpa "$1" keda-hpa-mail 1 10 "$(external s0-rabbitmq-mail '{type: AverageValue, averageValue: "20"}')" '' \
    '{apiVersion: apps/v1, kind: Deployment, name: mail}' \
    "ownerReferences: [{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, name: mail, uid: $uid, controller: true}]"
  sleep 60
  metrics "$1" 'external: [{metric: s0-rabbitmq-mail, value: 2}]'
}

# A control plane that nobody can look into, with a tolerance that is not the default. In a cluster of its own.
08-flags-of-the-controller() {
  kubectl delete pod -n kube-system kube-controller-manager-testcluster --force
  kubectl create namespace "$1"
  together "$1" 284m
  template web 4 '' | kubectl create -n "$1" -f -
  hpa "$1" web 2 10 "$cpu"
  while true; do
    for usage in 280m 286m 278m 284m 282m; do
      sleep 10
      together "$1" "$usage"
    done
  done
}

# A deploy: the new pods have no readiness probe, and need ten times the CPU for two minutes.
09-deploy-scales-to-max() {
  local rest='strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 2}}'
  kubectl create namespace "$1"
  template web 2 'testcluster/cpu: 40m' "$small" '' "$rest" | kubectl create -n "$1" -f -
  replicas "$1" deployment/web 2
  hpa "$1" web 2 10 "$cpu"
  sleep 60
  template web 2 'testcluster/cpu: 400m, testcluster/start-age: 0s' "$small" '' "$rest" |
    sed /replicas/d | kubectl apply -n "$1" -f -
  replicas "$1" deployment/web 10
  sleep 90
  annotate "$1" testcluster/cpu=40m
}

# A metric that cannot be computed any more, besides one that asks for less.
10-one-metric-broke() {
  workload "$1" worker 6 'testcluster/cpu: 58m'
  metrics "$1" 'external: [{metric: queue_depth, value: 58}]'
  hpa "$1" worker 1 30 "$cpu, $(external queue_depth '{type: AverageValue, averageValue: "10"}')" \
    'behavior: {scaleDown: {stabilizationWindowSeconds: 60}}'
  sleep 60
  kubectl apply -n "$1" -f - <<'Y'
apiVersion: v1
kind: Pod
metadata: {name: worker-debug, labels: {app: worker}, annotations: {testcluster/cpu: 58m}}
spec:
  containers:
  - {name: worker, image: "example.com/worker:2", resources: {requests: {cpu: 100m}}}
  - {name: proxy, image: "example.com/proxy:1"}
Y
  sleep 30
  metrics "$1" 'external: [{metric: queue_depth, value: 28}]'
}

# More load than maxReplicas can carry, and not even all of those find a node.
11-wants-more() {
  workload "$1" api 8 'testcluster/cpu-total: 1900m, testcluster/room: "18"'
  hpa "$1" api 4 20 "$cpu"
}

# Two policies, and the smaller one counts: one pod a minute.
12-slower-than-behavior() {
  workload "$1" web 4 'testcluster/cpu-total: 6000m'
  hpa "$1" web 2 200 "$cpu" 'behavior: {scaleUp: {selectPolicy: Min, policies: [
    {type: Percent, value: 50, periodSeconds: 120}, {type: Pods, value: 1, periodSeconds: 60}]}}'
}

# A rollout that waits: the old pods stay while the new ones are young, and the HPA counts both.
13-more-during-a-rollout() {
  local surge='strategy: {rollingUpdate: {maxSurge: 2, maxUnavailable: 0}}'
  kubectl create namespace "$1"
  together "$1" 252m
  template web 4 '' "$small" '' "$surge" | kubectl create -n "$1" -f -
  replicas "$1" deployment/web 4
  hpa "$1" web 2 10 "$cpu"
  sleep 60
  template web 4 'version: "2"' "$small" '' "$surge"$'\n  minReadySeconds: 3600\n  progressDeadlineSeconds: 7200' |
    sed /replicas:/d | kubectl apply -n "$1" -f -
}

# A VerticalPodAutoscaler on the same resource.
14-vertical-autoscaler() {
  kind VerticalPodAutoscaler verticalpodautoscalers autoscaling.k8s.io v1
  workload "$1" web 2 'testcluster/cpu-total: 170m'
  kubectl apply -n "$1" -f - <<'Y'
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: web}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  updatePolicy: {updateMode: Recreate}
status: {recommendation: {containerRecommendations: [{containerName: web, target: {cpu: 250m, memory: 200Mi}}]}}
Y
  hpa "$1" web 1 10 "$cpu"
}

# Scaled to zero for the night.
15-stays-at-zero() {
  workload "$1" web 2 'testcluster/cpu: 50m'
  hpa "$1" web 1 10 "$cpu"
  sleep 60
  kubectl scale -n "$1" deployment web --replicas=0
}

# A backlog with a Value target: each new pod makes the next number larger.
16-value-or-average() {
  workload "$1" worker 3 'testcluster/cpu: 10m'
  metrics "$1" 'external: [{metric: queue_depth, value: 42500m}]'
  hpa "$1" worker 1 20 "$(external queue_depth '{type: Value, value: 10}')"
}

# A canary of an Argo Rollout, with little traffic.
17-argo-rollout() {
  kind Rollout rollouts argoproj.io v1alpha1 'scale: {specReplicasPath: .spec.replicas,
    statusReplicasPath: .status.HPAReplicas, labelSelectorPath: .status.selector}'
  kubectl create namespace "$1"
  kubectl create -n "$1" -f - <<'Y'
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web}
spec: {replicas: 4, strategy: {canary: {}}}
status:
  HPAReplicas: 4
  selector: app=web
  phase: Paused
  stableRS: 5c7d8f
  currentPodHash: 9f31b2
  canary: {weights: {canary: {weight: 5}}}
Y
  local uid hash
  uid=$(kubectl get -n "$1" rollout web -o jsonpath='{.metadata.uid}')
  for version in '5c7d8f 3 70m' '9f31b2 1 20m'; do
    read -r hash number usage <<<"$version"
    kubectl apply -n "$1" -f - <<Y
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-$hash
  ownerReferences: [{apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web, uid: $uid, controller: true}]
spec:
  replicas: $number
  selector: {matchLabels: {app: web, rollouts-pod-template-hash: $hash}}
  template:
    metadata: {labels: {app: web, rollouts-pod-template-hash: $hash}, annotations: {testcluster/cpu: $usage}}
    spec: {containers: [{name: web, image: "example.com/web:1", resources: $small}]}
Y
  done
  hpa "$1" web 2 10 "$cpu" '' '{apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web}'
}

# One pod each 90 s, and each takes half a minute until it is ready.
18-reacts-late() {
  workload "$1" web 2 'testcluster/memory-total: 360Mi, testcluster/start-age: 0s, testcluster/ready: 30s'
  hpa "$1" web 2 10 \
    '{type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: 30}}}' \
    'behavior: {scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: 90}]}}'
}

# A load that swings, and a scale-down without a window.
19-up-and-down() {
  kubectl create namespace "$1"
  together "$1" 120m
  template web 2 '' | kubectl create -n "$1" -f -
  hpa "$1" web 2 10 "$cpu" 'behavior: {scaleDown: {stabilizationWindowSeconds: 0}}'
  while true; do
    for usage in 300m 120m 360m 180m 420m 120m; do
      sleep 60
      together "$1" "$usage"
    done
  done
}

# The load rises once; the status shows it after the next sync.
20-status-looks-wrong() {
  kubectl create namespace "$1"
  together "$1" 240m
  template web 4 '' | kubectl create -n "$1" -f -
  hpa "$1" web 2 10 "$cpu"
  sleep 120
  together "$1" 360m
}

# A target above what the limit allows.
21-percent-of-what() {
  workload "$1" web 3 'testcluster/cpu: 490m' '{requests: {cpu: 500m}, limits: {cpu: 500m}}'
  hpa "$1" web 2 10 \
    '{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 120}}}'
}

# A StatefulSet makes one pod after the other; then it has what the metric asks for, which is maxReplicas.
22-stateful-set() {
  kubectl create namespace "$1"
  metrics "$1" 'external: [{metric: queue_depth, value: 40}]'
  template db 1 'testcluster/ready: 60s' | sed 's/Deployment/StatefulSet/; s/^  replicas/  serviceName: db\n&/' |
    kubectl create -n "$1" -f -
  hpa "$1" db 1 4 "$(external queue_depth '{type: AverageValue, averageValue: "10"}')" '' \
    '{apiVersion: apps/v1, kind: StatefulSet, name: db}'
}

# The metrics API has nothing on two pods, the others are at 85% of 60%.
pods-without-metrics() {
  workload "$1" web 8 'testcluster/cpu: 85m'
  for pod in $(kubectl get pods -n "$1" -o name | head -2); do
    kubectl annotate -n "$1" "$pod" --overwrite testcluster/no-metrics=true
  done
  hpa "$1" web 2 20 "$cpu"
}

# A second HPA on the same pods stops the first.
two-hpas() {
  workload "$1" web 4 'testcluster/cpu: 58m'
  hpa "$1" web 2 10 "$cpu"
  sleep 60
  hpa "$1" web-canary 2 10 "$cpu" '' '{apiVersion: apps/v1, kind: Deployment, name: web}'
}

# The target does not exist.
target-not-found() {
  kubectl create namespace "$1"
  hpa "$1" web 2 10 "$cpu"
}

# free: a port of 127.0.0.1.
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# record NUMBER FLAGS SITUATION…: those in a cluster of their own.
record() {
  local number=$1 flags=$2 config=$work/kubeconfig-$1 port
  shift 2
  # It ends with the pipe.
  # shellcheck disable=SC2086 # the flags
  (sleep infinity & echo $! >"$work/pipe-$number"; wait) |
    testcluster --kubeconfig "$config" --horizontal-pod-autoscaler-sync-period=15s $flags >"$work/cluster-$number" 2>&1 &
  until grep -q '^ready' "$work/cluster-$number"; do sleep 0.2; done
  running+=("$(<"$work/pipe-$number")")
  export KUBECONFIG=$config
  port=$(free)
  kube-state-metrics-2.20.0 --kubeconfig "$config" --host 127.0.0.1 --port "$port" --telemetry-host 127.0.0.1 \
    --telemetry-port "$(free)" --resources horizontalpodautoscalers 2>"$work/ksm-$number" &
  running+=($!)
  targets+=("\"127.0.0.1:$port\"")
  for situation in "$@"; do
    (trap 'echo "$situation failed" >&2' ERR; set -E; "$situation" "$situation" >>"$work/situations" 2>&1) &
    running+=($!)
  done
  until [ -n "$(kubectl get hpa -A -o name)" ]; do sleep 0.5; done
  kubectl hpa watch -A --record "$work/recording-$number.jsonl.gz" -o jsonl >"$work/lines-$number" 2>"$work/watch-$number" &
  running+=($!)
  watches+=($!)
}

targets=() watches=()
(($#)) || mapfile -t situations < <(declare -F | sed -n 's/^declare -f \(..-.*\|pods-without-metrics\|two-hpas\|target-not-found\)$/\1/p')
(($#)) && situations=("$@")
usual=()
for situation in "${situations[@]}"; do
  case $situation in
    08-*) record 2 --horizontal-pod-autoscaler-tolerance=0.2 "$situation" ;;
    *) usual+=("$situation") ;;
  esac
done
((${#usual[@]} == 0)) || record 1 '' "${usual[@]}"
cp "$here/mixin.yaml" "$work"
cat >"$work/prometheus.yml" <<Y
global: {scrape_interval: 30s, evaluation_interval: 30s}
rule_files: [mixin.yaml]
scrape_configs:
- job_name: kube-state-metrics
  honor_labels: true
  static_configs: [{targets: [$(IFS=,; echo "${targets[*]}")]}]
  metric_relabel_configs:
  - {source_labels: [__name__], regex: "kube_horizontalpodautoscaler_(spec|status)_.*_replicas", action: keep}
  - {regex: "instance", action: labeldrop}
Y
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data" --web.listen-address="127.0.0.1:$(free)" 2>"$work/prometheus" &
server=$!
running+=("$server")
echo "recording in $work"
sleep $((minutes * 60))
kill -INT "${watches[@]}"
wait "${watches[@]}" || true
kill "$server"
wait "$server" || true
zcat "$work"/recording-*.jsonl.gz >"$work/all.jsonl"
for situation in "${situations[@]}"; do
  jq -c --arg namespace "$situation" 'select(.hpa.metadata.namespace == $namespace)' "$work/all.jsonl" |
    zstd -19 --long=27 -q -f -o "$here/$situation.jsonl.zst"
  for name in 'kube_.*' ALERTS; do
    promtool tsdb dump-openmetrics --match="{__name__=~\"$name\", namespace=\"$situation\"}" "$work/data"
  done | grep -v '^#' | gzip -9n >"$here/$situation.txt.gz"
done
