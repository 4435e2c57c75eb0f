#!/usr/bin/env bash
# Compares `kubectl hpa lint` with other linters on a directory of manifests, one file each with a Deployment, a Service
# and an HPA: `benches/lint.sh [FILES [ROUNDS]]`, by default 10000 files and 3 rounds.
#
# Each linter runs with its defaults; where one can be told to look at HPAs only, that is a line of its own.
# Needs cargo build --release before (or PLUGIN=path of another build), and GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
. benches/side_by_side.sh
files=${1:-10000} rounds=${2:-3}
plugin=$(realpath "${PLUGIN:-target/release/kubectl-hpa}")
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
manifests=$work/manifests
benches/manifests.sh "$files" "$manifests"
all=$(ls -d "$manifests"/*.yaml | tr '\n' ' ')
contender "kubectl-hpa lint" "$plugin" lint -f "$manifests"
contender "kubectl-hpa lint -o json" "$plugin" lint -f "$manifests" -o json
contender "kubectl-hpa_status lint" kubectl-hpa_status lint -f "$manifests"
contender kube-linter kube-linter lint "$manifests"
contender "kube-linter (HPA checks)" kube-linter lint --do-not-auto-add-defaults --include hpa-minimum-three-replicas,dangling-horizontalpodautoscaler "$manifests"
contender kube-score kube-score score $all
contender polaris polaris audit --audit-path "$manifests" --format=json
du -sh --apparent-size "$manifests" | awk -v files="$files" '{ print files " files, " $1 }'
side_by_side "$rounds"
