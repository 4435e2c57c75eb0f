#!/usr/bin/env bash
# Compares with what else there is, side by side in one run, and prints a table of ratios for each: `benches/compare.sh`.
#
#     lint.sh     lint with kube-linter, kube-score, polaris and the plugin hpa-status
#     live.sh     explain with kubectl describe and hpa-status; list of 500 HPAs with kubectl get; on a real API server
#     engine.sh   replay of fresh recordings with the controller's own Go code, which made them
#
# Those that are not on the PATH are named and left out.
# Needs tests/cluster/build.sh and cargo build --release before (or PLUGIN=path of another build), Go, and GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
printf '== lint\n'
benches/lint.sh 2000 3
printf '\n== explain and list\n'
benches/live.sh 20 500
printf '\n== engine\n'
benches/engine.sh
