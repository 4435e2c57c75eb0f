#!/usr/bin/env bash
# Compares `kubectl hpa lint` with other linters on a directory of manifests, one file each with a Deployment, a Service
# and an HPA: `benches/lint.sh [FILES [ROUNDS]]`, by default 10000 files and 3 rounds.
#
# Whole processes, taken in turns so that all meet the same machine: median and range of the wall time in seconds, the
# largest memory, and how many times as long as ours that is. Each linter runs with its defaults; where one can be told
# to look at HPAs only, that is a line of its own. Those that are not on the PATH are named and left out.
# Needs cargo build --release before (or PLUGIN=path of another build), and GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
files=${1:-10000}
rounds=${2:-3}
plugin=$(realpath "${PLUGIN:-target/release/kubectl-hpa}")
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
mkdir "$work/manifests"
awk -v files="$files" -v folder="$work/manifests" 'BEGIN {
  for (i = 1; i <= files; i++) {
    name = sprintf("web-%05d", i); out = folder "/" name ".yaml"; team = i % 40
    printf "%s", \
      "# Source: shop/templates/" name ".yaml\n" \
      "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: " name "\n  namespace: shop\n  labels:\n" \
      "    app.kubernetes.io/name: " name "\n    app.kubernetes.io/part-of: shop\n    app.kubernetes.io/managed-by: Helm\n" \
      "    team: team-" team "\nspec:\n  selector:\n    matchLabels:\n      app.kubernetes.io/name: " name "\n" \
      "      app.kubernetes.io/part-of: shop\n  template:\n    metadata:\n      labels:\n" \
      "        app.kubernetes.io/name: " name "\n        app.kubernetes.io/part-of: shop\n        team: team-" team "\n" \
      "    spec:\n      terminationGracePeriodSeconds: 30\n      containers:\n      - name: main\n" \
      "        image: registry.example.com/shop/" name ":1.4.2\n        ports:\n        - name: http\n          containerPort: 8080\n" \
      "        env:\n        - name: LOG_LEVEL\n          value: info\n        - name: POOL_SIZE\n          value: \"16\"\n" \
      "        resources:\n          requests:\n            cpu: 250m\n            memory: 256Mi\n          limits:\n" \
      "            memory: 512Mi\n        readinessProbe:\n          httpGet:\n            path: /ready\n            port: http\n" \
      "          periodSeconds: 5\n        livenessProbe:\n          httpGet:\n            path: /live\n            port: http\n" \
      "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: " name "\n  namespace: shop\n  labels:\n" \
      "    app.kubernetes.io/part-of: shop\nspec:\n  selector:\n    app.kubernetes.io/name: " name "\n" \
      "    app.kubernetes.io/part-of: shop\n  ports:\n  - name: http\n    port: 80\n    targetPort: http\n" \
      "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata:\n  name: " name "\n  namespace: shop\n" \
      "  labels:\n    app.kubernetes.io/part-of: shop\nspec:\n  scaleTargetRef:\n    apiVersion: apps/v1\n" \
      "    kind: Deployment\n    name: " name "\n  minReplicas: " (i % 10 ? 2 + i % 3 : 4) "\n  maxReplicas: " (i % 10 ? 10 + i % 30 : 4) "\n" \
      "  metrics:\n  - type: Resource\n    resource:\n      name: cpu\n      target:\n        type: Utilization\n" \
      "        averageUtilization: " (50 + i % 40) "\n  behavior:\n    scaleDown:\n      stabilizationWindowSeconds: 300\n" \
      "      policies:\n      - type: Percent\n        value: 50\n        periodSeconds: 60\n" > out
    close(out)
  }
}'

names=("kubectl-hpa lint" "kubectl-hpa lint -o json") absent=()
commands=("$plugin lint -f $work/manifests" "$plugin lint -f $work/manifests -o json")
peer() { # NAME COMMAND [ARGUMENT…]: a linter, if it is there
  if command -v "$2" >/dev/null; then
    names+=("$1") commands+=("${*:2}")
  else
    absent+=("$1")
  fi
}
all=$(ls -d "$work"/manifests/*.yaml | tr '\n' ' ')
peer kube-linter kube-linter lint "$work/manifests"
peer "kube-linter, HPA checks" kube-linter lint --do-not-auto-add-defaults --include hpa-minimum-three-replicas,dangling-horizontalpodautoscaler "$work/manifests"
peer kube-score kube-score score $all
peer polaris polaris audit --audit-path "$work/manifests" --format=json

# A linter that finds something ends with another code than 0.
for command in "${commands[@]:0:2}"; do $command >/dev/null || [ $? = 1 ]; done # once for the caches
for round in $(seq "$rounds"); do
  for i in "${!commands[@]}"; do
    timeout 600 /usr/bin/time -f '%e %M' -a -o "$work/$i" ${commands[i]} >/dev/null 2>"$work/stderr" || true
  done
done
du -sh --apparent-size "$work/manifests" | awk -v files="$files" '{ print files " files, " $1 }'
printf '%-26s %8s %17s %12s %8s\n' "$rounds runs each" median range memory ratio
for i in "${!commands[@]}"; do
  grep -v '^Command' "$work/$i" | sort -n | awk -v name="${names[i]}" -v ours="$(cat "$work/ours" 2>/dev/null || true)" -v keep="$work/ours" -v first="$i" '
    { time[NR] = $1; if ($2 > memory) memory = $2 }
    END { median = time[int((NR + 1) / 2)]; if (first == 0) { print median > keep; ours = median }
      printf "%-26s %6.2f s %7.2f … %5.2f s %8.1f MiB %7.1fx\n", name, median, time[1], time[NR], memory / 1024, median / ours }'
done
[ ${#absent[@]} = 0 ] || printf 'not on the PATH: %s\n' "$(IFS=,; echo "${absent[*]}" | sed 's/,/, /g')"
