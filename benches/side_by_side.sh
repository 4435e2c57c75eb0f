# Sourced by what compares programs. Whole processes are taken in turns, so that all meet the same machine:
#
#     contender NAME PROGRAM [ARGUMENT…]   adds one; if the program is not on the PATH it is named and left out
#     side_by_side ROUNDS                  runs all, prints a table and forgets them
#
# The table has the median and range of the wall time, the processor time (user and system) of the median, the largest
# memory, and how many times as long and as much work as the first of them that is. Whoever is busy on the same cores
# changes the wall time; processor time hardly. Needs GNU time.

contenders=() commands=() absent=()

contender() {
  if command -v "$2" >/dev/null; then
    contenders+=("$1") commands+=("${*:2}")
  else
    absent+=("$1")
  fi
}

side_by_side() {
  local rounds=$1 work i command TIMEFORMAT='%R %U %S'
  work=$(mktemp -d)
  # Once for the caches. A linter that finds something ends with another code than 0.
  [ "${#commands[@]}" = 0 ] || ${commands[0]} >/dev/null 2>&1 || true
  for _ in $(seq "$rounds"); do
    for i in "${!commands[@]}"; do
      { time timeout 900 /usr/bin/time -q -f %M -a -o "$work/memory-$i" ${commands[i]} >/dev/null 2>&3 || true; } 3>"$work/said" 2>>"$work/time-$i"
    done
  done
  printf '%-34s %11s %21s %10s %11s %7s %7s\n' "$rounds runs each" wall range cpu memory wall cpu
  for i in "${!commands[@]}"; do
    sort -n "$work/time-$i" | awk -v name="${contenders[i]}" -v memory="$(sort -n "$work/memory-$i" | tail -1)" -v first="$(cat "$work/first" 2>/dev/null || true)" -v keep="$work/first" '
      { wall[NR] = 1000 * $1; cpu[NR] = 1000 * ($2 + $3) }
      END { middle = int((NR + 1) / 2)
        if (first == "") { first = wall[middle] " " cpu[middle]; print first > keep }
        split(first, ours, " ")
        printf "%-34s %8.1f ms %7.1f … %8.1f ms %7.0f ms %7.1f MiB %6.1fx %6.1fx\n", name, wall[middle], wall[1], wall[NR], cpu[middle], memory / 1024, wall[middle] / ours[1], cpu[middle] / (ours[2] ? ours[2] : 1) }'
  done
  [ ${#absent[@]} = 0 ] || printf 'not on the PATH: %s\n' "$(IFS=,; echo "${absent[*]}" | sed 's/,/, /g')"
  rm -r "$work"
  contenders=() commands=() absent=()
}
