#!/usr/bin/env bash
# package.sh FOLDER: builds the release for this machine and puts an archive and its krew manifest into FOLDER, for
#
#     kubectl krew install --manifest=FOLDER/hpa.yaml --archive=FOLDER/kubectl-hpa-….tar.gz
set -euo pipefail
if (($# != 1)); then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
cargo build --release --locked
version=v$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
case $(uname -s) in Darwin) os=darwin ;; *) os=linux ;; esac
case $(uname -m) in arm64 | aarch64) arch=arm64 ;; *) arch=amd64 ;; esac
archive=kubectl-hpa-$version-$os-$arch.tar.gz
tar -czf "$folder/$archive" LICENSE -C "${CARGO_TARGET_DIR:-target}/release" kubectl-hpa
if command -v sha256sum >/dev/null; then sum=$(sha256sum "$folder/$archive"); else sum=$(shasum -a 256 "$folder/$archive"); fi
sed "/$archive\$/{n;s/\"0*\"/\"${sum%% *}\"/;}" krew/hpa.yaml >"$folder/hpa.yaml"
grep -q "${sum%% *}" "$folder/hpa.yaml" || { echo "error: krew/hpa.yaml has no platform for $archive" >&2; exit 1; }
echo "$folder/$archive"
