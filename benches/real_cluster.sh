# Sourced by what measures on a real API server and controller: `real_cluster HPAS PODS NAMESPACES` starts tests/cluster with so many
# HPAs, each with a Deployment and its share of the pods, evenly in so many namespaces, and sets KUBECONFIG, below the folder $work;
# end_real_cluster ends it. All pods use a little more or less every 10 s, so that the controller writes each status in each sync. With 20,000 pods it takes minutes until all of them run, and about 4 GB of memory. Needs tests/cluster/build.sh before.

real_cluster() {
  local hpas=$1 pods=$2 namespaces=$3 each part parts=() home=$work
  each=$((pods / hpas))
  mkdir -p "$work"
  export KUBECONFIG=$work/kubeconfig PATH=$PWD/tests/cluster/bin:$PATH
  coproc CLUSTER {
    exec testcluster --kubeconfig "$KUBECONFIG" --horizontal-pod-autoscaler-sync-period=15s \
      --controller-manager-arg=--kube-api-qps=500 --controller-manager-arg=--kube-api-burst=1000 \
      --controller-manager-arg=--concurrent-deployment-syncs=20 --controller-manager-arg=--concurrent-replicaset-syncs=20
  }
  control=$CLUSTER_PID
  read -r _ <&"${CLUSTER[0]}"
  export HOME=$home # kubectl's discovery cache
  use_cpu 58m
  seq -f '{apiVersion: v1, kind: Namespace, metadata: {name: team-%02.0f}}' -s $'\n---\n' 0 $((namespaces - 1)) | kubectl create -f - >/dev/null
  for part in 0 1 2 3; do
    hpas_of "$part" 4 "$hpas" "$each" "$namespaces" | kubectl create -f - >/dev/null &
    parts+=($!)
  done
  wait "${parts[@]}"
  until (($(running_pods) >= hpas * each)); do sleep 5; done
  changing_usage &
  usage=$!
  sleep 20 # the controller has synced each of them
}

end_real_cluster() {
  [ -z "${usage:-}" ] || kill "$usage" 2>/dev/null || true
  [ -z "${control:-}" ] || kill "$control" 2>/dev/null || true
  wait "${control:-}" 2>/dev/null || true
  control='' usage=''
}

changing_usage() {
  while true; do
    for cpu in 60m 57m 62m 58m 61m; do
      use_cpu "$cpu"
      sleep 10
    done
  done
}

# use_cpu CPU: what each pod uses from now on.
use_cpu() {
  kubectl create configmap testcluster-metrics -n kube-system --dry-run=client -o yaml \
    --from-literal=all.yaml="resource: [{selector: many=true, cpu: $1, memory: 100Mi}]" | kubectl apply -f - >/dev/null 2>&1
}

running_pods() {
  kubectl get deployments -A -l many=true --no-headers -o custom-columns=ready:.status.readyReplicas | awk '{ pods += $1 } END { print pods + 0 }'
}

# hpas_of FIRST STEP END PODS NAMESPACES: every so manieth Deployment with its HPA.
hpas_of() {
  local index name namespace
  for ((index = $1; index < $3; index += $2)); do
    printf -v name 'web-%05d' "$index"
    printf -v namespace 'team-%02d' $((index % $5))
    cat <<Y
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: $name, namespace: $namespace, labels: {many: "true", app: $name}}
spec:
  replicas: $4
  selector: {matchLabels: {app: $name}}
  template:
    metadata: {labels: {many: "true", app: $name, team: $namespace, version: 1.4.2}}
    spec:
      containers:
      - name: main
        image: registry.example.com/shop/$name:1.4.2
        ports: [{name: http, containerPort: 8080}]
        env: [{name: LOG_LEVEL, value: info}, {name: DATABASE, value: db.example.com}, {name: CACHE, value: cache.example.com}]
        resources: {requests: {cpu: 100m, memory: 200Mi}, limits: {memory: 512Mi}}
        readinessProbe: {httpGet: {path: /ready, port: http}, periodSeconds: 5}
        volumeMounts: [{name: tmp, mountPath: /tmp}]
      volumes: [{name: tmp, emptyDir: {}}]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: $name, namespace: $namespace}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: $name}
  minReplicas: 2
  maxReplicas: $(($4 * 2))
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]
Y
  done
}
