#!/usr/bin/env bash
# Measures `kubectl hpa list -A` and live `lint` against a fake API server (benches/fake_cluster.sh): by default 2,000 HPAs
# with 20,000 pods in 40 namespaces, 5 rounds: `benches/list.sh [HPAS [PODS [NAMESPACES [ROUNDS]]]]`.
#
# benches/live.sh compares with `kubectl get hpa`, on a real API server.
# Needs cargo build --release before (or PLUGIN=path of another build), Python and GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
. benches/fake_cluster.sh
. benches/side_by_side.sh
hpas=${1:-2000} pods=${2:-20000} namespaces=${3:-40} rounds=${4:-5}
plugin=$(realpath "${PLUGIN:-target/release/kubectl-hpa}")
work=$(mktemp -d)
trap 'end_fake_cluster; rm -r "$work"' EXIT
fake_cluster "$hpas" "$pods" "$namespaces"
for words in "list -A" "list -A -o wide" "list -A -o json" "lint -A -o json --exit-zero"; do
  contender "$words" "$plugin" $words
done
side_by_side "$rounds"
"$plugin" list -A | tail -1
