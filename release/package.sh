#!/usr/bin/env bash
# package.sh FOLDER: packs the binaries in FOLDER/bin/TARGET, as release/compile.sh puts them there, into FOLDER/dist:
# archives, .deb and .rpm (with nfpm), krew manifests, the Homebrew formula, what the container image is made of,
# SBOMs, provenance and SHA256SUMS. The same binaries and the same time of commit give the same bytes.
#
# BASE_URL is where the files will be, by default the release of this version in the repository that Cargo.toml names. GZIP_LEVEL=1 packs fast, for tests.
set -euo pipefail
if (($# != 1)); then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(release/date.sh)} LC_ALL=C TZ=UTC
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
home=$(sed -n 's/^homepage = "\(.*\)"$/\1/p' Cargo.toml)
repository=$(sed -n 's/^repository = "\(.*\)"$/\1/p' Cargo.toml)
maintainer=$(sed -n 's/^authors = \["\(.*\)"\]$/\1/p' Cargo.toml)
base=${BASE_URL:-$repository/releases/download/v$version}
dist=$folder/dist
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
umask 022
rm -rf "$dist"
mkdir "$dist"

sum() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
sum_of() { sum "$1" | cut -d ' ' -f 1; }

# stage TARGET BINARY: lays out what an archive has, all of it dated by the commit.
stage() {
  local stage=$work/$1 page
  mkdir -p "$stage/completions" "$stage/man"
  install -m 755 "$folder/bin/$1/$2" "$stage/"
  install -m 644 LICENSE README.md CHANGELOG.md "$stage/"
  install -m 644 completions/* "$stage/completions/"
  for page in docs/man/*.1; do
    [[ ! -e $page ]] || install -m 644 "$page" "$stage/man/"
  done
  # kubectl asks this name for completions.
  if [[ $2 == *.exe ]]; then
    printf '@"%%~dp0%s" __complete %%*\r\n' "$2" >"$stage/kubectl_complete-hpa.cmd"
  else
    printf '#!/bin/sh\nexec "${0%%/*}/%s" __complete "$@"\n' "$2" >"$stage/kubectl_complete-hpa"
    chmod 755 "$stage/kubectl_complete-hpa"
  fi
  find "$stage" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# archive STAGE FILE
archive() {
  local files
  files=$(cd "$1" && find . -type f | sed 's,^\./,,' | sort)
  tar --create --directory "$1" --format ustar --owner 0 --group 0 --numeric-owner \
    --mtime "@$SOURCE_DATE_EPOCH" --files-from - <<<"$files" | gzip -n "-${GZIP_LEVEL:-9}" >"$2"
}

# linux_packages TARGET ARCH: .deb and .rpm
linux_packages() {
  local format page pages=()
  find "$work/$1/man" -name '*.1' -exec gzip -n -9 -k {} +
  printf '%s\n' "kubectl-hpa ($version) stable; urgency=medium" "" "  * See $home." "" \
    " -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -n -9 >"$work/$1/changelog.gz"
  printf '%s\n' "Source: $home" "Copyright: the contributors to kubectl-hpa" "License: Apache-2.0" "" \
    "The text of the license is in /usr/share/common-licenses/Apache-2.0." >"$work/$1/copyright"
  find "$work/$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  for page in "$work/$1/man"/*.gz; do
    [[ ! -e $page ]] || pages+=("- {src: \"$page\", dst: /usr/share/man/man1/${page##*/}}")
  done
  printf '%s\n' "${pages[@]}" >"$work/pages"
  for format in deb rpm; do
    sed -e "/@MAN@/{r $work/pages" -e 'd}' -e "s,@STAGE@,$work/$1,; s,@VERSION@,$version,; s,@ARCH@,$2,; s,@HOME@,$home,; s,@MAINTAINER@,$maintainer," \
      -e "s,@DATE@,$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)," release/nfpm.yaml >"$work/nfpm.yaml"
    nfpm package --config "$work/nfpm.yaml" --packager "$format" --target "$dist/kubectl-hpa-v$version-linux-$2.$format" >"$work/log" ||
      { cat "$work/log" >&2 && exit 1; }
  done
}

# fill TEMPLATE: replaces addresses and checksums by those of the archives; a platform without an archive is dropped.
fill() {
  awk -v base="$base" -v sums="$work/archives" '
    BEGIN { while ((getline line < sums) > 0) { split(line, part, "  "); sum[part[2]] = part[1] } }
    function end() { if (block != "" && kept) printf "%s", block; block = ""; kept = 0 }
    /^  - selector:/ { end(); block = $0 "\n"; next }
    block != "" && /^    uri:/ {
      name = $2; sub(/.*\//, "", name); kept = name in sum
      block = block "    uri: " base "/" name "\n"; next
    }
    block != "" && /^    sha256:/ { block = block "    sha256: " sum[name] "\n"; next }
    block != "" { block = block $0 "\n"; next }
    { print }
    END { end() }
  ' "$1"
}

# formula: the Homebrew formula, if all four of its archives are there
formula() {
  local platform archive made=$work/kubectl-hpa.rb
  sed "1d; s,@VERSION@,$version,; s,@HOME@,$home,; s,@BASE@,$base," release/homebrew.rb >"$made"
  for platform in darwin-amd64 darwin-arm64 linux-amd64 linux-arm64; do
    archive=$dist/kubectl-hpa-v$version-$platform.tar.gz
    if [[ ! -f $archive ]]; then
      echo "the Homebrew formula is left out: there is no archive for $platform" >&2
      return
    fi
    sed -i "s/@SHA256-$platform@/$(sum_of "$archive")/" "$made"
  done
  cp "$made" "$dist/"
}

# provenance: an in-toto statement with a SLSA predicate, to be signed by whoever publishes
provenance() {
  local commit
  commit=$(git rev-parse HEAD 2>/dev/null || echo unknown)
  printf '{\n  "_type": "https://in-toto.io/Statement/v1",\n  "subject": [\n'
  sed 's/^\([0-9a-f]*\)  \(.*\)$/    {"name": "\2", "digest": {"sha256": "\1"}},/; $s/,$//' "$work/subjects"
  printf '  ],\n  "predicateType": "https://slsa.dev/provenance/v1",\n  "predicate": {\n    "buildDefinition": {\n'
  printf '      "buildType": "%s/release/build.sh",\n' "$home"
  printf '      "externalParameters": {"version": "%s", "sourceDateEpoch": %s},\n' "$version" "$SOURCE_DATE_EPOCH"
  printf '      "resolvedDependencies": [\n        {"uri": "git+%s", "digest": {"gitCommit": "%s"}},\n' "$repository" "$commit"
  printf '        {"uri": "Cargo.lock", "digest": {"sha256": "%s"}}\n      ]\n    },\n' "$(sum_of Cargo.lock)"
  printf '    "runDetails": {"builder": {"id": "%s", "version": {"rustc": "%s"}}}\n  }\n}\n' \
    "${BUILDER_ID:-$home/release/build.sh}" "$(rustc --version)"
}

while read -r target os arch; do
  binary=kubectl-hpa
  name=kubectl-hpa-v$version-$os-$arch
  if [[ $os == windows ]]; then binary=kubectl-hpa.exe; fi
  [[ -f $folder/bin/$target/$binary ]] || continue
  stage "$target" "$binary"
  archive "$work/$target" "$dist/$name.tar.gz"
  if [[ -f $folder/bin/$target/sbom.cdx.json ]]; then install -m 644 "$folder/bin/$target/sbom.cdx.json" "$dist/$name.cdx.json"; fi
  [[ $os == linux ]] || continue
  # docker calls the folder by its own names of systems and architectures.
  install -D -m 755 "$folder/bin/$target/$binary" "$folder/image/linux/$arch/kubectl-hpa"
  install -m 644 LICENSE "$folder/image/"
  # The only name that docker looks for; podman and buildah know it, too.
  install -m 644 release/Containerfile "$folder/image/Dockerfile"
  if command -v nfpm >/dev/null; then
    linux_packages "$target" "$arch"
  else
    echo "$name.deb and .rpm are left out: nfpm is not installed" >&2
  fi
done <release/targets.tsv

(cd "$dist" && sum -- *.tar.gz 2>/dev/null || true) >"$work/archives"
[[ -s $work/archives ]] || { echo "error: $folder/bin has no binary of a target in release/targets.tsv" >&2; exit 1; }
for manifest in krew/hpa.yaml krew/explain-hpa.yaml; do
  fill "$manifest" >"$dist/${manifest##*/}"
done
formula
(cd "$dist" && sum -- *) >"$work/subjects"
provenance >"$dist/provenance.json"
(cd "$dist" && sum -- *) >"$work/SHA256SUMS"
cp "$work/SHA256SUMS" "$dist/"
ls "$dist"
