#!/usr/bin/env bash
# simulated.sh RELEASE [SEED [NAME…]]: simulates the scenarios of simulated/scenarios.txt, and hands every sync of each
# simulation to the controller of that Kubernetes release, which must do what the simulation says, in every field:
#
#     tests/oracle/simulated.sh 1.37.2                     # all of them, two hours each
#     tests/oracle/simulated.sh 1.36.3 7 cpu-sine zero-sine   # with seed 7, and only these
#
# Every recording must also pass `kubectl-hpa replay FILE --check`. Recordings and what the controller did otherwise
# stay in target/simulated/RELEASE. KUBECTL_HPA names the program (default: that of `cargo build`), ORACLE_PROGRAMS the
# folder of the oracle's programs.
set -euo pipefail
if (($# < 1)); then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
release=$1 seed=${2:-1}
shift $(($# < 2 ? $# : 2))
cd "$(dirname "$0")"
targets=${CARGO_TARGET_DIR:-../../target}
program=$(realpath -m "${ORACLE_PROGRAMS:-../../target/oracle}/$release")
simulator=$(realpath "${KUBECTL_HPA:-$targets/debug/kubectl-hpa}")
[[ -x $program ]] || ./build.sh "$release" "$program"
version=$(cut -d. -f1,2 <<<"$release")
minor=${version#*.}
[[ $version == 1.30 ]] && version=$release
folder=$(realpath -m "../../target/simulated/$release")
rm -rf "$folder" && mkdir -p "$folder/recorded" "$folder/manifests" "$folder/differing"
# A value every 40 s: steps, jumps, hours without.
awk 'BEGIN { print "time,value"; for (i = 0; i < 180; i++) print i * 40 "," int((i * i * 37) % 83) / 11 }' >"$folder/load.csv"

failed=0
while read -r name metrics behavior target rest; do
  [[ $name == \#* || -z $name ]] && continue
  (($# == 0)) || [[ " $* " == *" $name "* ]] || continue
  since=${rest%%--*} arguments=${rest#*-- }
  ((minor >= ${since:-0})) || continue
  kind=$(sed -n 's/^kind: //p' "simulated/target-$target.yaml")
  manifests=$folder/manifests/$name.yaml
  {
    sed "s/KIND/$kind/" "simulated/hpa-$metrics.yaml"
    cat "simulated/behavior-$behavior.yaml"
    echo ---
    cat "simulated/target-$target.yaml"
  } >"$manifests"
  flags=(--for 2h --seeds 1 --seed "$seed" --kube-version "$version")
  [[ $metrics == zero ]] && flags+=(--feature-gate HPAScaleToZero=true)
  for argument in $arguments; do
    # Events are written 4m:kill:2, because words end at spaces.
    [[ $argument =~ ^([0-9ms]+):([a-z].*)$ ]] && argument="${BASH_REMATCH[1]}: ${BASH_REMATCH[2]//:/ }"
    [[ $argument == CSV ]] && argument=$folder/load.csv
    flags+=("$argument")
  done
  recording=$folder/recorded/$name.jsonl
  if ! "$simulator" simulate -f "$manifests" "${flags[@]}" --record "$recording" -o json >/dev/null 2>"$folder/errors"; then
    echo "error: simulate $name: $(cat "$folder/errors")" >&2
    failed=1
  elif ! "$simulator" replay "$recording" --check >"$folder/check" 2>&1; then
    echo "error: replay --check $name: $(head -c 2000 "$folder/check")" >&2
    failed=1
  fi
done <simulated/scenarios.txt
ORACLE_REPLAY=$folder/recorded ORACLE_OUT=$folder/differing ORACLE_VERSION=$version \
  "$program" -test.run TestReplay -test.v -test.timeout 1h || failed=1
exit $failed
