#!/usr/bin/env bash
# Makes the recordings of this folder anew, on real control planes: `examples/questions/record.sh [NUMBER…]`.
#
# Needs tests/cluster/build.sh and cargo build --release before (BINARIES names another folder than target/release), jq,
# and about eight minutes. Each incident takes place in a namespace of its own. Questions 3, 4, 10 and 11 use the
# recordings of examples/record.sh. Afterwards `UPDATE_GENERATED=1 cargo test --test docs` writes the transcripts of
# docs/questions anew.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$(realpath "${BINARIES:-target/release}"):$PWD/tests/cluster/bin:$PATH
. examples/objects.sh

# workload NAMESPACE NAME REPLICAS ANNOTATIONS [RESOURCES [REST OF CONTAINER]]: a Deployment in a new namespace.
workload() {
  kubectl create namespace "$1"
  template "$@" | kubectl create -n "$1" -f -
  kubectl wait -n "$1" "deployment/$2" --for=jsonpath='{.status.readyReplicas}'="$3" --timeout=120s
}

# template NAMESPACE NAME REPLICAS ANNOTATIONS [RESOURCES [REST OF CONTAINER [MORE CONTAINERS [REST OF SPEC]]]]
template() {
  cat <<Y
apiVersion: apps/v1
kind: Deployment
metadata: {name: $2}
spec:
  replicas: $3
  selector: {matchLabels: {app: $2}}
  ${8:-}
  template:
    metadata: {labels: {app: $2}, annotations: {$4}}
    spec:
      containers:
      - {name: $2, image: "example.com/$2:1", resources: ${5:-$small}, ${6:-}}
      ${7:-}
Y
}

# series NAMESPACE LIST: what the adapter answers.
series() {
  kubectl apply -n "$1" -f - <<Y
apiVersion: v1
kind: ConfigMap
metadata: {name: testcluster-metrics}
data: {metrics.yaml: "external: [$2]"}
Y
}

# annotate NAMESPACE ANNOTATION=VALUE…: how all pods are.
annotate() { kubectl annotate -n "$1" pods --all --overwrite "${@:2}"; }

# decided NAMESPACE HPA [TRUE OR FALSE]: waits until the controller has said whether it can compute a number.
decided() { kubectl wait -n "$1" "hpa/$2" --for=condition=ScalingActive="${3:-true}" --timeout=120s; }

# hold NAMESPACE PASSES: from then on the controller waits before the next one.
hold() { kubectl annotate namespace "$1" "testcluster/passes=$2"; }
held() {
  kubectl wait "namespace/$1" --timeout=120s --for=jsonpath='{.metadata.annotations.testcluster/waiting}'="1 after $2"
}

# replicas NAMESPACE WORKLOAD NUMBER: waits until it has so many pods.
replicas() { kubectl wait -n "$1" "$2" --for=jsonpath='{.status.replicas}'="$3" --timeout=120s; }

# capture NAMESPACE HPA FILE [OPTIONS]
capture() { kubectl hpa capture "$2" -n "$1" "${@:4}" --output "examples/questions/$3.jsonl"; }

# kind KIND PLURAL GROUP VERSION [SUBRESOURCES]: one of which the API server checks nothing.
kind() {
  kubectl apply -f - <<Y
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: $2.$3, annotations: {api-approved.kubernetes.io: "unapproved, stands for the real one"}}
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

# Nobody has installed metrics-server. In a cluster of its own.
01() {
  workload shop web 3 'testcluster/cpu: 58m'
  hpa shop web 2 10 "$cpu"
  decided shop web false
  capture shop web 01-unknown-targets
}

# A webhook puts a sidecar into the pods: the template does not have it.
02() {
  kubectl create namespace mesh
  local rest='- {name: linkerd-proxy, image: "example.com/proxy:1"}'
  template mesh web 3 'testcluster/cpu: 90m' "$small" '' "$rest" | kubectl create -n mesh -f -
  replicas mesh deployment/web 3
  kubectl rollout pause -n mesh deployment/web
  kubectl patch -n mesh deployment web --type=json -p '[{"op": "remove", "path": "/spec/template/spec/containers/1"}]'
  hpa mesh web 2 10 "$cpu"
  decided mesh web false
  capture mesh web 02-missing-request
}

# Argo CD applies a manifest with replicas, again and again.
05() {
  workload pay web 2 'testcluster/cpu-total: 240m'
  kubectl annotate -n pay deployment web 'argocd.argoproj.io/tracking-id=pay:apps/Deployment:pay/web'
  hpa pay web 2 10 "$cpu"
  replicas pay deployment/web 4
  for _ in 1 2; do
    sleep 3
    template pay web 2 'testcluster/cpu-total: 240m' |
      kubectl apply -n pay -f - --server-side --force-conflicts --field-manager=argocd-controller
    replicas pay deployment/web 2
    capture pay web 05-replicas-jump-back
    replicas pay deployment/web 4
  done
}

# Jobs whose pods have the labels of the workload.
06() {
  workload orders api 4 'testcluster/cpu: 90m'
  kubectl apply -n orders -f - <<'Y'
apiVersion: batch/v1
kind: Job
metadata: {name: clean-29012345}
spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: main, image: example.com/image}]}}}
Y
  local uid
  uid=$(kubectl get -n orders job clean-29012345 -o jsonpath='{.metadata.uid}')
  for pod in clean-29012345-x7k2p clean-29012345-m4q9d; do
    kubectl apply -n orders -f - <<Y
apiVersion: v1
kind: Pod
metadata:
  name: $pod
  labels: {app: api}
  annotations: {testcluster/cpu: 1m}
  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: clean-29012345, uid: $uid, controller: true}]
spec: {containers: [{name: main, image: example.com/image, resources: {requests: {cpu: 100m}}}]}
Y
  done
  hpa orders api 2 10 "$cpu"
  decided orders api
  capture orders api 06-pods-use-less
}

# The queue of a ScaledObject runs empty; its cooldownPeriod is ten minutes.
07() {
  kind ScaledObject scaledobjects keda.sh v1alpha1
  workload mail mail 3 'testcluster/cpu: 10m'
  series mail '{metric: s0-rabbitmq-mail, value: 50}'
  kubectl apply -n mail -f - <<'Y'
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
  uid=$(kubectl get -n mail scaledobject mail -o jsonpath='{.metadata.uid}')
  hpa mail keda-hpa-mail 1 10 "$(external s0-rabbitmq-mail '{type: AverageValue, averageValue: "20"}')" '' \
    '{apiVersion: apps/v1, kind: Deployment, name: mail}' \
    "ownerReferences: [{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, name: mail, uid: $uid, controller: true}]"
  decided mail keda-hpa-mail
  series mail '{metric: s0-rabbitmq-mail, value: 10}'
  sleep 40
  capture mail keda-hpa-mail 07-keda-cooldown
}

# A control plane that nobody can look into, with a tolerance that is not the default. In a cluster of its own.
08() {
  kubectl delete pod -n kube-system kube-controller-manager-testcluster --force
  workload shop web 4 'testcluster/cpu: 71m'
  hpa shop web 2 10 "$cpu"
  decided shop web
  capture shop web 08-flags-of-the-controller
}

# A deploy: the new pods have no readiness probe, and need four times the cpu while they start.
09() {
  local rest='strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 2}}'
  kubectl create namespace java
  template java api 2 'testcluster/cpu: 40m' "$small" '' '' "$rest" | kubectl create -n java -f -
  replicas java deployment/api 2
  sleep 20
  hpa java api 2 10 "$cpu"
  decided java api
  capture java api 09-deploy-scales-to-max --every=15s --for=105s &
  sleep 3
  template java api 2 'testcluster/cpu: 400m, testcluster/start-age: 0s' "$small" '' '' "$rest" |
    sed /replicas/d | kubectl apply -n java -f -
  wait
}

# Two policies, and the smaller one counts.
12() {
  workload feed web 4 'testcluster/cpu: 100m'
  hpa feed web 2 20 "$cpu" 'behavior: {scaleUp: {selectPolicy: Min, policies: [
    {type: Percent, value: 50, periodSeconds: 120}, {type: Pods, value: 1, periodSeconds: 60}]}}'
  capture feed web 12-slower-than-behavior --every=15s --for=45s
}

# A rollout that waits: the old pods stay while the new ones are young.
13() {
  local surge='strategy: {rollingUpdate: {maxSurge: 2, maxUnavailable: 0}}'
  kubectl create namespace blog
  template blog web 4 'testcluster/cpu: 60m' "$small" '' '' "$surge" | kubectl create -n blog -f -
  hold blog 1
  hpa blog web 2 10 "$cpu"
  held blog 1
  template blog web 4 'testcluster/cpu: 120m' "$small" '' '' "$surge"$'\n  minReadySeconds: 3600\n  progressDeadlineSeconds: 7200' |
    kubectl apply -n blog -f -
  kubectl wait -n blog deployment/web --for=jsonpath='{.status.readyReplicas}'=6 --timeout=60s
  capture blog web 13-more-during-a-rollout
}

# A VerticalPodAutoscaler on the same resource.
14() {
  kind VerticalPodAutoscaler verticalpodautoscalers autoscaling.k8s.io v1
  workload search web 2 'testcluster/cpu-total: 170m'
  kubectl apply -n search -f - <<'Y'
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: web}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  updatePolicy: {updateMode: Recreate}
status: {recommendation: {containerRecommendations: [{containerName: web, target: {cpu: 250m, memory: 200Mi}}]}}
Y
  hpa search web 1 10 "$cpu"
  replicas search deployment/web 3
  sleep 20
  capture search web 14-vertical-autoscaler
}

# Somebody scaled it to zero for the night.
15() {
  workload night web 2 'testcluster/cpu: 50m'
  hpa night web 1 10 "$cpu"
  decided night web
  kubectl scale -n night deployment web --replicas=0
  decided night web false
  capture night web 15-stays-at-zero
}

# A backlog with a Value target: each new pod makes the next number larger.
16() {
  workload jobs worker 3 'testcluster/cpu: 10m'
  series jobs '{metric: queue_depth, labels: {queue: mail}, value: 30}, {metric: queue_depth, labels: {queue: spam}, value: 2500m}, {metric: queue_depth, value: 10}'
  hpa jobs worker 1 20 "$(external queue_depth '{type: Value, value: "10"}')"
  capture jobs worker 16-value-or-average --every=15s --for=75s
}

# A canary of an Argo Rollout, with little traffic.
17() {
  kind Rollout rollouts argoproj.io v1alpha1 'scale: {specReplicasPath: .spec.replicas,
    statusReplicasPath: .status.HPAReplicas, labelSelectorPath: .status.selector}'
  kubectl create namespace canary
  kubectl create -n canary -f - <<'Y'
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
  uid=$(kubectl get -n canary rollout web -o jsonpath='{.metadata.uid}')
  for version in '5c7d8f 3 70m' '9f31b2 1 20m'; do
    read -r hash number usage <<<"$version"
    kubectl apply -n canary -f - <<Y
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
  hpa canary web 2 10 "$cpu" '' '{apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web}'
  decided canary web
  capture canary web 17-argo-rollout
}

# One pod each 90 s, and each takes a minute and a half until it is ready.
18() {
  workload video web 2 'testcluster/memory: 180Mi, testcluster/start-age: -60s, testcluster/ready-since: -90s' "$small" \
    'readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 25, periodSeconds: 5}'
  replicas video deployment/web 2
  for pod in $(kubectl get pods -n video -o jsonpath='{.items[*].metadata.name}'); do
    kubectl apply -n video -f - <<Y
apiVersion: v1
kind: Event
metadata: {name: pulled-$pod}
involvedObject: {apiVersion: v1, kind: Pod, name: $pod, namespace: video}
type: Normal
reason: Pulled
message: 'Successfully pulled image "example.com/web:1" in 9s (12s including waiting). Image size: 123 bytes.'
Y
  done
  hold video 1
  hpa video web 2 10 \
    '{type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: 30}}}' \
    'behavior: {scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: 90}]}}'
  held video 1
  sleep 95
  capture video web 18-reacts-late
}

# A load that swings, and a scale-down without a window.
19() {
  workload ticker web 2 'testcluster/cpu-total: 120m'
  hpa ticker web 2 10 "$cpu" 'behavior: {scaleDown: {stabilizationWindowSeconds: 0}}'
  decided ticker web
  for usage in 300m 120m 360m 180m 420m 120m; do
    annotate ticker "testcluster/cpu-total=$usage"
    for _ in $(seq 12); do sleep 2.5; annotate ticker "testcluster/cpu-total=$usage"; done
  done
  capture ticker web 19-up-and-down
}

# The load has risen since the controller looked.
20() {
  workload stock web 4 'testcluster/cpu: 60m'
  hold stock 1
  hpa stock web 2 10 "$cpu"
  held stock 1
  annotate stock testcluster/cpu=90m
  capture stock web 20-status-looks-wrong
}

# A target above what the limit allows.
21() {
  workload books web 3 'testcluster/cpu: 490m' '{requests: {cpu: 500m}, limits: {cpu: 500m}}'
  hpa books web 2 10 \
    '{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 120}}}'
  decided books web
  capture books web 21-percent-of-what
}

# A StatefulSet makes one pod after the other, and each takes its time.
22() {
  kubectl create namespace data
  series data '{metric: queue_depth, value: 40}'
  template data db 1 'testcluster/ready: 60s' | sed 's/Deployment/StatefulSet/; s/^  replicas/  serviceName: db\n&/' |
    kubectl create -n data -f -
  kubectl wait -n data pod/db-0 --for=condition=Ready --timeout=120s
  hpa data db 1 4 "$(external queue_depth '{type: AverageValue, averageValue: "10"}')" '' \
    '{apiVersion: apps/v1, kind: StatefulSet, name: db}'
  replicas data statefulset/db 2
  sleep 20
  capture data db 22-stateful-set
}

# on_a_cluster FLAGS NUMBER…: those incidents side by side.
on_a_cluster() {
  KUBECONFIG=$(mktemp)
  export KUBECONFIG
  coproc CLUSTER { exec testcluster --kubeconfig "$KUBECONFIG" --horizontal-pod-autoscaler-sync-period=15s $1; }
  local cluster=$CLUSTER_PID pids=() failed=0
  read -r _ <&"${CLUSTER[0]}"
  for number in "${@:2}"; do
    (trap 'echo "question $number failed" >&2' ERR; set -E; "$number" >/dev/null) & pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
  kill "$cluster"
  wait "$cluster" || true
  rm "$KUBECONFIG"
  return "$failed"
}

wanted=${*:-01 02 05 06 07 08 09 12 13 14 15 16 17 18 19 20 21 22}
many=() failed=0
for number in $wanted; do
  case $number in
    01) on_a_cluster --without=metrics.k8s.io 01 || failed=1 ;;
    08) on_a_cluster --horizontal-pod-autoscaler-tolerance=0.2 08 || failed=1 ;;
    *) many+=("$number") ;;
  esac
done
if [ ${#many[@]} -gt 0 ]; then on_a_cluster '' "${many[@]}" || failed=1; fi
exit "$failed"
