#!/usr/bin/env bash
# tools.sh FOLDER [TOOL…]: installs the tools of a release, in these versions, into FOLDER/bin; by default all:
# zig and cargo-zigbuild (cross-compilers), cargo-cyclonedx (SBOM), nfpm (.deb, .rpm), krew (to try an archive), helm (to
# try the chart of the exporter).
# Add FOLDER/bin to the PATH afterwards. Needs Rust for the cargo tools, Python for zig, Go for nfpm, krew and helm.
set -euo pipefail
if (($# < 1)); then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/bin"
folder=$(cd "$1" && pwd)
shift
(($#)) || set -- zig cargo-zigbuild cargo-cyclonedx nfpm krew helm

# go_tool MODULE VERSION PACKAGE
go_tool() {
  local work
  work=$(mktemp -d)
  # A module of its own, because `go install` would look for newer modules of longer names, too.
  (cd "$work" && go mod init tool && go get "$1@$2" &&
    CGO_ENABLED=0 go build -mod=mod -trimpath -ldflags '-s -w' -o "$folder/bin/" "$3")
  rm -r "$work"
}

for tool; do
  [[ ! -x $folder/bin/$tool ]] || continue
  case $tool in
    zig)
      python3 -m venv "$folder/zig"
      "$folder/zig/bin/pip" install --quiet --require-hashes --only-binary=:all: -r "$here/requirements.txt"
      printf '#!/bin/sh\nexec "%s" -m ziglang "$@"\n' "$folder/zig/bin/python" >"$folder/bin/zig"
      chmod +x "$folder/bin/zig" ;;
    cargo-zigbuild) cargo install --locked --root "$folder" cargo-zigbuild@0.24.1 ;;
    cargo-cyclonedx) cargo install --locked --root "$folder" cargo-cyclonedx@0.5.9 ;;
    nfpm) go_tool github.com/goreleaser/nfpm/v2 v2.43.0 github.com/goreleaser/nfpm/v2/cmd/nfpm ;;
    krew) go_tool sigs.k8s.io/krew v0.4.4 sigs.k8s.io/krew/cmd/krew ;;
    helm) go_tool helm.sh/helm/v4 v4.3.2 helm.sh/helm/v4/cmd/helm ;;
    *) echo "error: $tool is none of zig, cargo-zigbuild, cargo-cyclonedx, nfpm, krew, helm" >&2 && exit 2 ;;
  esac
done
