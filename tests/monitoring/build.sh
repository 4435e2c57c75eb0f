#!/usr/bin/env bash
# build.sh [PROGRAM...]: builds bench and the programs of modules.txt that the live suite needs, or those that you name, into bin/.
# It needs Go and the modules. It refuses a module whose checksum is not the one in modules.txt;
# the module's own go.sum has the checksums of everything else.
set -euo pipefail
if [[ ${1-} == -* ]]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
export CGO_ENABLED=0 GOWORK=off # Prometheus has a go.work, which asks for modules that no build needs

# The linker flags by which a program learns its version, and its build tags.
settings() {
  local program=$1 module=$2 version=$3
  tags='' ldflags='-s -w' copy=''
  case $program in
    alertmanager) # the module lacks its pages, which other tools make: empty ones stand for them
      ldflags+=" -X github.com/prometheus/common/version.Version=$(<"$dir/VERSION")"
      copy=$(mktemp -d)
      cp -R "$dir/." "$copy"
      chmod -R u+w "$copy"
      for page in elm mantine; do
        mkdir -p "$copy/ui/app/dist/$page"
        touch "$copy/ui/app/dist/$page/index.html"
      done
      dir=$copy ;;
    kube-state-metrics*) ldflags+=" -X github.com/prometheus/common/version.Version=$version" ;;
    prometheus | promtool) # without the clients of clouds: bench names its targets
      tags=remove_all_sd
      ldflags+=" -X github.com/prometheus/common/version.Version=$(<"$dir/VERSION")" ;;
    thanos) # the tag is its own: it needs Prometheus with labels of the older kind
      tags=netgo,slicelabels
      ldflags+=" -X github.com/prometheus/common/version.Version=$(<"$dir/VERSION")" ;;
    victoria-metrics) ldflags+=" -X $module/lib/buildinfo.Version=$program-$version" ;;
  esac
}

build() {
  local program=$1 package=$2 module=$3 version=$4 sum=$5 found dir tags ldflags copy began=$SECONDS
  found=$(cd / && go mod download -json "$module@$version")
  field() { sed -n "s/^\t\"$1\": \"\(.*\)\",\{0,1\}\$/\1/p" <<<"$found"; }
  if [[ $(field Sum) != "$sum" ]]; then
    echo "build.sh: $module@$version has the checksum \"$(field Sum)\"; modules.txt says \"$sum\"." >&2
    return 1
  fi
  dir=$(field Dir)
  settings "$program" "$module" "$version"
  go build -C "$dir" -mod=readonly -trimpath -tags "$tags" -ldflags "$ldflags" -o "$here/bin/$program" "$package"
  [[ -z $copy ]] || rm -r "$copy"
  echo "bin/$program $(($(wc -c <"$here/bin/$program") / 1000000)) MB, $((SECONDS - began)) s"
}

# The others are built by their names: kube-state-metrics-2.15.0, thanos, metrics-server, prometheus-adapter, keda-operator,
# keda-webhooks.
(($#)) || set -- alertmanager bench kube-state-metrics-2.20.0 prometheus promtool victoria-metrics past block
mkdir -p "$here/bin"
for program in "$@"; do
  case $program in
    bench) go build -C "$here" -trimpath -o bin/bench .; continue ;;
    past) go build -C "$here" -trimpath -o bin/past ./past; continue ;;
    block) go build -C "$here/block" -trimpath -tags remove_all_sd -o ../bin/block .; continue ;;
  esac
  row=$(grep "^$program " "$here/modules.txt") || { echo "build.sh: modules.txt has no \"$program\"." >&2; exit 2; }
  # shellcheck disable=SC2086 # the columns
  build $row
done
