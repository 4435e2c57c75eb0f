#!/usr/bin/env bash
# compile.sh FOLDER [TARGET…]: builds FOLDER/bin/TARGET/kubectl-hpa and its SBOM, the same bytes wherever the source lies.
#
# Linux for this machine's own architecture is compiled and linked by musl-gcc if it is there; for another, zig compiles
# the C and Rust's own lld links. Windows is built by zig (cargo zigbuild), or by MinGW's gcc. macOS needs Apple's SDK: a
# Mac, or SDKROOT and zig. The SBOM needs cargo cyclonedx. release/tools.sh installs zig and the tools of cargo.
set -euo pipefail
if (($# < 1)); then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/.."
root=$PWD
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(release/date.sh)}
target_folder=${CARGO_TARGET_DIR:-$root/target}

has() { command -v "$1" >/dev/null; }
has_zig() { has cargo-zigbuild && { has zig || python3 -c 'import ziglang' 2>/dev/null; }; }

# how TARGET: what builds it here: `cargo`, `zig`, or `lld` with zig's C compiler. Fails with the reason if nothing does.
how() {
  local machine
  case $1 in
    *-apple-darwin)
      if [[ $(uname -s) == Darwin ]]; then echo cargo
      elif [[ -n ${SDKROOT:-} ]] && has_zig; then echo zig
      else echo "it needs Apple's SDK: build it on a Mac, or set SDKROOT and install cargo zigbuild" && return 1; fi ;;
    *-windows-gnu)
      if has_zig; then echo zig
      elif has x86_64-w64-mingw32-gcc; then echo cargo
      else echo "it needs cargo zigbuild or x86_64-w64-mingw32-gcc" && return 1; fi ;;
    *-linux-musl)
      machine=$(uname -s)/$(uname -m)
      if [[ $machine == "Linux/${1%%-*}" ]] && { has musl-gcc || ! has_zig; }; then echo cargo
      elif has_zig; then echo lld
      else echo "it needs cargo zigbuild" && return 1; fi ;;
    *) echo "release/targets.tsv does not know it" && return 1 ;;
  esac
}

# compile TARGET HOW
compile() {
  local target=$1 suffix="" flags options=() variable command=build
  if [[ $target == *windows* ]]; then
    suffix=.exe
    # Its tables for unwinding and of time zones leave no room for a parser that is built for speed: 0.1 MB.
    options=(--config 'profile.dist.package.kubectl-hpa-yaml.opt-level="z"')
  fi
  # Paths of this machine would end up in messages of panics.
  flags=(
    "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
    "--remap-path-prefix=$(rustc --print sysroot)=/rust"
    "--remap-path-prefix=$target_folder=/target"
    "--remap-path-prefix=$root=/kubectl-hpa"
  )
  local c_flags="-ffile-prefix-map=${CARGO_HOME:-$HOME/.cargo}=/cargo -ffile-prefix-map=$target_folder=/target"
  # The program compresses at zstd's level 3, for which each of zstd's tables names one of the two strategies that stay.
  local strategy
  for strategy in GREEDY LAZY LAZY2 BTLAZY2 BTOPT BTULTRA; do c_flags+=" -DZSTD_EXCLUDE_${strategy}_BLOCK_COMPRESSOR"; done
  case $target in
    # The linker writes the time of day otherwise.
    *windows*) [[ $2 == zig ]] || flags+=("-Clink-arg=-Wl,--no-insert-timestamp") ;;
    *-linux-musl)
      flags+=("-Ctarget-feature=+crt-static")
      # A call is inlined that costs less than 20 instructions, where `z` has 5: a few percent larger, a quarter faster.
      flags+=("-Cllvm-args=-inline-threshold=20")
      # No tables for unwinding, and addresses to relocate in a bit instead of 24 bytes; zig's linker knows neither.
      # A path from here: Cargo makes the names of symbols depend on all flags.
      local smaller="-T,release/no-unwinding.ld,-z,pack-relative-relocs"
      if [[ $2 == cargo ]]; then flags+=("-Clink-arg=-Wl,$smaller"); else
        flags+=("-Clinker=rust-lld" "-Clinker-flavor=ld.lld" "-Clink-args=${smaller//,/ }")
      fi ;;
  esac
  if [[ $2 == zig ]]; then
    command=zigbuild
  elif [[ $2 == lld ]]; then
    export "CC_${target//-/_}=cargo-zigbuild zig cc -- -target ${target/-unknown/}"
    export "AR_${target//-/_}=cargo-zigbuild zig ar --"
  elif [[ $target == *-linux-musl ]]; then
    variable=CC_${target//-/_}
    if has musl-gcc; then export "$variable=${!variable:-musl-gcc}"; else export "$variable=${!variable:-cc}"; fi
    # Only musl's functions are there to link with.
    c_flags+=" -U_FORTIFY_SOURCE"
  fi
  rustup target add "$target" 2>/dev/null || true
  printf -v CARGO_ENCODED_RUSTFLAGS '%s\x1f' "${flags[@]}"
  export CARGO_ENCODED_RUSTFLAGS=${CARGO_ENCODED_RUSTFLAGS%$'\x1f'}
  variable=CFLAGS_${target//-/_}
  export "$variable=$c_flags"
  # The form for an array that may be empty, in the old bash of macOS.
  cargo "$command" ${options[@]+"${options[@]}"} --profile dist --locked --bin kubectl-hpa --target "$target"
  unset CARGO_ENCODED_RUSTFLAGS "$variable"
  mkdir -p "$folder/bin/$target"
  cp "$target_folder/$target/dist/kubectl-hpa$suffix" "$folder/bin/$target/"
}

# bill TARGET: lists what is linked into the binary.
bill() {
  local made=kubectl-hpa-$1.cdx
  cargo cyclonedx --quiet --format json --spec-version 1.5 --target "$1" --override-filename "$made"
  sed "s#file://$root#file:///kubectl-hpa#g" "$made.json" >"$folder/bin/$1/sbom.cdx.json"
  # It makes one of each package of the workspace.
  rm -f "$made.json" crates/*/"$made.json"
}

named=$#
if ((named == 0)); then
  while read -r target _; do set -- "$@" "$target"; done <release/targets.tsv
fi
for target; do
  if ! means=$(how "$target"); then
    echo "$target is left out: $means" >&2
    ((named == 0)) || exit 1
    continue
  fi
  compile "$target" "$means"
  if has cargo-cyclonedx; then
    bill "$target"
  else
    echo "$target has no SBOM: cargo cyclonedx is not installed" >&2
  fi
  echo "$folder/bin/$target"
done
