#!/usr/bin/env bash
# Lists the upstream functions whose behavior this project restates, of the release that tests/cluster is built from:
# one "FILE FUNCTION DIGEST" a line. A digest that changes says which function to read again.
#
#     tests/upstream_functions.sh > tests/upstream_functions.txt
set -euo pipefail
cd "$(dirname "$0")/cluster"
read -r version folder < <(go list -m -f '{{.Version}} {{.Dir}}' k8s.io/kubernetes)
if [[ -z $folder ]]; then
  go mod download k8s.io/kubernetes
  folder=$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)
fi

# functions NAME FILE: every function of a Go file with the digest of its text. gofmt ends each at a brace in column 0.
functions() {
  local name=$1 file=$2 function text
  sed -nE 's|^func (\([^)]*\) )?([A-Za-z0-9_]+)[([].*|\2|p' "$file" | LC_ALL=C sort -u |
    while read -r function; do
      text=$(awk -v pattern="^func ([(][^)]*[)] )?$function[[(]" '
        $0 ~ pattern { inside = 1 }
        inside { print }
        inside && (/^}/ || /^func .*}$/) { inside = 0 }' "$file")
      printf '%s %s %s\n' "$name" "$function" "$(printf '%s' "$text" | sha256sum | cut -c1-16)"
    done
}

echo "# Functions of Kubernetes ${version#v} and the digests of their texts: first the HPA controller, below"
echo "# pkg/controller/podautoscaler, then what the API server does with an HPA."
echo "# Made by tests/upstream_functions.sh > tests/upstream_functions.txt"
cd "$folder/pkg/controller/podautoscaler"
for file in *.go metrics/*.go; do
  [[ $file == *_test.go ]] && continue
  functions "$file" "$file"
done | LC_ALL=C sort
cd "$folder"
for file in pkg/apis/autoscaling/{validation/validation,v1/conversion,v1/defaults,v2/defaults,helpers}.go \
  pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go; do
  functions "$file" "$file"
done | LC_ALL=C sort
