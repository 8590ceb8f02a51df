# SPDX-License-Identifier: MIT
# Interleaved rounds, sourced by comparisons, which first set `rounds`, `out` (a CSV file) and `contenders` (names), and define
# run NAME, which runs one of them and prints its speed. Every round runs each contender once, one after the other.
measure_all() {
  echo "contender,round,value" > "$out.part"
  local round c
  for round in $(seq "$rounds"); do
    for c in $contenders; do
      [ ! -t 2 ] || printf '\r\033[Kround %d of %d: %s' "$round" "$rounds" "$c" >&2
      echo "$c,$round,$(run "$c")" >> "$out.part"
    done
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
  mv "$out.part" "$out"
}
machine() { echo "$(nproc) cores of $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)${OPENBLAS_CORETYPE:+, OPENBLAS_CORETYPE=$OPENBLAS_CORETYPE}"; }
middle() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
median() { awk -F, -v c="$1" '$1 == c { print $3 }' "$out" | middle; }
ratio() { awk -v a="$(median "$1")" -v b="$(median "$2")" 'BEGIN { printf("%.3f", (b > 0 ? a / b : 0)) }'; }
line() { printf '%-62s %8s %8s   %6s\n' "$1" "$(median "$2")" "$(median "$3")" "$(ratio "$2" "$3")"; }
