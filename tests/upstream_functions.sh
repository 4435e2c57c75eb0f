#!/usr/bin/env bash
# Lists the functions of the HPA controller that tests/cluster is built from, one "FILE FUNCTION" a line.
#
#     tests/upstream_functions.sh > tests/upstream_functions.txt
set -euo pipefail
cd "$(dirname "$0")/cluster"
read -r version folder < <(go list -m -f '{{.Version}} {{.Dir}}' k8s.io/kubernetes)
if [[ -z $folder ]]; then
  go mod download k8s.io/kubernetes
  folder=$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)
fi
cd "$folder/pkg/controller/podautoscaler"
echo "# Functions of the HPA controller in Kubernetes ${version#v}, below pkg/controller/podautoscaler."
echo "# Made by tests/upstream_functions.sh > tests/upstream_functions.txt"
for file in *.go metrics/*.go; do
  [[ $file == *_test.go ]] && continue
  sed -nE "s|^func (\([^)]*\) )?([A-Za-z0-9_]+)[([].*|$file \2|p" "$file"
done | LC_ALL=C sort -u
