#!/usr/bin/env bash
# record.sh: applies each ScaledObject of scaledobjects.yaml to the real KEDA (operator and webhook) on tests/cluster, and writes
# what becomes of it to recorded.json: what the webhook says, why no HPA could be made, the HPA. It takes 40 s, and before that
# 15 min to build KEDA, once. Needs Go, jq and openssl.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
"$here/../cluster/build.sh"
"$here/../monitoring/build.sh" keda-operator keda-webhooks
CGO_ENABLED=0 go build -C "$here/scaler" -trimpath -o ../bin/scaler .
cluster=$here/../cluster/bin programs=$here/../monitoring/bin
work=$(mktemp -d) started=()
finish() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$work"
}
trap finish EXIT
start() {
  local name=$1
  shift
  "$@" >"$work/$name.log" 2>&1 &
  started+=($!)
}
until_true() {
  local _
  for _ in $(seq 150); do "$@" >/dev/null 2>&1 && return; sleep 0.2; done
  echo "record.sh: waited in vain for: $*" >&2
  tail -n 5 "$work"/*.log >&2
  return 1
}
export KUBECONFIG=$work/kc POD_NAMESPACE=keda KEDA_CLUSTER_OBJECT_NAMESPACE=keda WATCH_NAMESPACE=
kubectl() { "$cluster/kubectl" "$@"; }

mkfifo "$work/console"
exec 9<>"$work/console" # the cluster ends with its standard input
"$cluster/testcluster" --kubeconfig "$KUBECONFIG" --controllers garbage-collector-controller,serviceaccount-controller \
  >"$work/cluster.log" 2>&1 <"$work/console" &
started+=($!)
until_true grep -q ^ready "$work/cluster.log"
kubectl create namespace keda
module=$(go env GOMODCACHE)/github.com/kedacore/keda/v2@$(awk '/^keda-operator/ { print $4 }' "$here/../monitoring/modules.txt")
kubectl create -f "$module/config/crd/bases"
kubectl wait --for condition=Established crd --all

mkdir "$work/certs"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
  -keyout "$work/certs/tls.key" -out "$work/certs/tls.crt" 2>/dev/null
cp "$work/certs/tls.crt" "$work/certs/ca.crt"
start scaler "$here/bin/scaler" 127.0.0.1:6000
start operator "$programs/keda-operator" --cert-dir "$work/certs" --ca-dir "$work/certs" --metrics-bind-address 127.0.0.1:0 \
  --health-probe-bind-address 127.0.0.1:0 --metrics-service-bind-address 127.0.0.1:0
start webhooks "$programs/keda-webhooks" --cert-dir "$work/certs" --port 19443 --metrics-bind-address 127.0.0.1:0 \
  --health-probe-bind-address 127.0.0.1:0 --cache-miss-to-direct-client
until_true bash -c "exec 3<>/dev/tcp/127.0.0.1/19443"
kubectl create -f - <<EOF
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: keda-admission}
webhooks:
  - name: vscaledobject.kb.io
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Fail
    clientConfig:
      url: https://127.0.0.1:19443/validate-keda-sh-v1alpha1-scaledobject
      caBundle: $(base64 -w0 <"$work/certs/ca.crt")
    rules: [{apiGroups: [keda.sh], apiVersions: [v1alpha1], operations: [CREATE, UPDATE], resources: [scaledobjects]}]
EOF

# One ScaledObject a line, as JSON, without the webhook's help: the API server only checks the form.
kubectl create --dry-run=client -o json -f "$here/scaledobjects.yaml" --validate=false | jq -c '.items[]? // .' >"$work/objects"
jq -c 'select(.spec.scaleTargetRef.name == .metadata.name) | {apiVersion: "apps/v1", kind: (.spec.scaleTargetRef.kind // "Deployment"),
  metadata: {name: .metadata.name}, spec: {replicas: 1, serviceName: "none", selector: {matchLabels: {app: .metadata.name}},
  template: {metadata: {labels: {app: .metadata.name}}, spec: {containers: [{name: "main", image: "none",
  resources: {requests: {cpu: "1", memory: "1Gi"}}}]}}}} | select(.kind != "Thing") | if .kind == "Deployment" then del(.spec.serviceName) else . end' \
  "$work/objects" | kubectl create -f -

while read -r object; do
  name=$(jq -r .metadata.name <<<"$object")
  said=$(kubectl create -f - <<<"$object" 2>&1 >/dev/null) && is_stored=true || is_stored=false
  jq -n --arg name "$name" --arg said "$said" --argjson stored "$is_stored" '{$name, $said, $stored}'
done <"$work/objects" >"$work/said"

# Each object that was stored has been checked when its condition Ready is set. A paused one is ready, too.
checked() {
  [[ $(kubectl get scaledobjects -o json | jq '[.items[] | select([.status.conditions[]? | select(.type == "Ready" and .status != "Unknown")] == [])] | length') == 0 ]]
}
until_true checked
sleep 5 # an object that failed is tried again
# Whether a scaler answers, which changes Ready later, is not recorded.
kubectl get scaledobjects -o json >"$work/scaledobjects"
kubectl get hpa -o json >"$work/hpas"
jq -n --slurpfile said "$work/said" --slurpfile objects "$work/scaledobjects" --slurpfile hpas "$work/hpas" '
  ($objects[0].items | map({key: .metadata.name, value: .}) | from_entries) as $objects
  | ($hpas[0].items | map({key: .metadata.ownerReferences[0].name, value: .}) | from_entries) as $hpas
  | [$said[] | {name}
      + (if .said == "" then {} else {said} end)
      + (if .stored then $objects[.name].status.conditions[] | select(.type == "Ready") | if .reason == "ScaledObjectCheckFailed" then {failed: .message} else {} end else {refused: true} end)
      + (if $hpas[.name] then {hpa: ($hpas[.name] | {name: .metadata.name, spec})} else {} end)]' >"$here/recorded.json"
jq -r '"\(length) ScaledObjects, \(map(select(.refused)) | length) refused, \(map(select(.hpa)) | length) HPAs"' "$here/recorded.json"
