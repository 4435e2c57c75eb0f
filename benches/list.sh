#!/usr/bin/env bash
# Measures `kubectl hpa list -A` against a fake API server (benches/list_server.py): by default 2,000 HPAs with 20,000 pods in
# 40 namespaces, 5 rounds: `benches/list.sh [HPAS [PODS [NAMESPACES [ROUNDS]]]]`.
#
# Whole processes, one after the other: median and range of the wall time in seconds, processor time of the median, and the
# largest memory. The server shares the cores with the program; it only sends what it made beforehand.
# Needs cargo build --release before (or PLUGIN=path of another build), Python and GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
hpas=${1:-2000} pods=${2:-20000} namespaces=${3:-40} rounds=${4:-5}
plugin=$(realpath "${PLUGIN:-target/release/kubectl-hpa}")
work=$(mktemp -d)
trap 'kill "$SERVER_PID" 2>/dev/null || true; rm -r "$work"' EXIT
coproc SERVER { exec python3 benches/list_server.py "$hpas" "$pods" "$namespaces"; }
read -r port <&"${SERVER[0]}"
export KUBECONFIG=$work/kubeconfig
cat >"$KUBECONFIG" <<Y
apiVersion: v1
kind: Config
current-context: fake
clusters:
- {name: fake, cluster: {server: "http://127.0.0.1:$port"}}
contexts:
- {name: fake, context: {cluster: fake, user: fake, namespace: team-00}}
users:
- {name: fake, user: {token: none}}
Y
for words in "list -A" "list -A -o wide" "list -A -o json" "lint -A -o json --exit-zero"; do
  rm -f "$work/times"
  for _ in $(seq "$rounds"); do
    /usr/bin/time -f '%e %U %M' -a -o "$work/times" "$plugin" $words >"$work/out"
  done
  sort -n "$work/times" | awk -v words="$words" '
    { time[NR] = $1; user[NR] = $2; if ($3 > memory) memory = $3 }
    END { middle = int((NR + 1) / 2)
      printf "%-28s %6.2f s %6.2f … %5.2f s %6.2f s user %7.1f MiB\n", words, time[middle], time[1], time[NR], user[middle], memory / 1024 }'
done
"$plugin" list -A | tail -1
