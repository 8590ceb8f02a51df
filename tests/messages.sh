# SPDX-License-Identifier: MIT
# Writes network files as hetgrid-network would, for shell tests; sourced.
level() { # level NAME LATENCY PER_BYTE [FROM [TO]]
  awk -v name="$1" -v a="$2" -v b="$3" -v from="${4:-cpu}" -v to="${5:-cpu}" 'BEGIN {
    for (k = 0; k <= 16777216; k = k ? 4 * k : 1) { bytes = bytes sep k; t = t sep (a + k * b); n = n sep 9; z = z sep 0; sep = "," }
    printf "{\"name\":\"%s\",\"from\":\"%s\",\"to\":\"%s\",\"pairs\":1,\"bytes\":[%s],\"seconds\":[%s],\"low\":[%s],\"high\":[%s],\"samples\":[%s],\"outliers\":[%s],\"pass_gap\":[%s],", name, from, to, bytes, t, t, t, n, z, z
    printf "\"segments\":[{\"from\":0,\"latency\":%s,\"per_byte\":%s}],\"concurrent\":[],\"trains\":null}", a, b }' OFMT=%.17g CONVFMT=%.17g
}
file() { # file LEVEL..
  printf '{"schema":1,"host":"%s","date":"2026-11-21","mpi":"by hand","transport":"none","binding":"","other_load":0,"oversubscribed":false,"gpu_start":null,"levels":[' "$(hostname)"
  local IFS=,; printf '%s]}\n' "$*"
}
