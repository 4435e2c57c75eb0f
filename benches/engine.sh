#!/usr/bin/env bash
# Compares the engine with the controller's own Go code on the same reconciles: `benches/engine.sh [RELEASE [SEEDS [ROUNDS]]]`, by
# default 1.36.3, 5001-5400 and 5.
#
# The Go program (tests/oracle) generates each situation, runs the controller on fake clients in memory, and writes what the
# controller read and did. `replay` reads that, decides, and compares. So each does work beside the decision that the other
# does not: clients and informers in memory there, reading JSON here. What is alike is whole programs, the same reconciles, and
# one line of JSON for each.
# Needs Go, cargo build --release before (or PLUGIN=path of another build), and GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
. benches/side_by_side.sh
release=${1:-1.36.3} seeds=${2:-5001-5400} rounds=${3:-5}
plugin=$(realpath "${PLUGIN:-target/release/kubectl-hpa}")
oracle=target/oracle/$release
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
tests/oracle/fresh.sh "$release" "$seeds" "$work/made" >/dev/null
zcat "$work"/made/*.gz >"$work/reconciles.jsonl"
wc -lc "$work/reconciles.jsonl" | awk '{ printf "%d reconciles, %.1f MB of JSON\n", $1, $2 / 1e6 }'
mkdir "$work/again"
contender "kubectl-hpa replay" "$plugin" replay "$work/reconciles.jsonl"
contender "the controller's Go code" env ORACLE_OUT="$work/again" ORACLE_VERSION="${release%.*}" ORACLE_SEEDS="$seeds" "$oracle" -test.run TestRecord
side_by_side "$rounds"
