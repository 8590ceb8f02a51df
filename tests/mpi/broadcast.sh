#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hg_broadcast on 1 to 17 ranks by all algorithms.
. "${srcdir:-.}/tests/tap.sh"
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
program=$PWD/tests/mpi/broadcast

points() { # points NAME COMMAND...: each point of the program is one of ours
  local name=$1; shift
  timeout $hang "$@" > "$work/points" 2> "$work/err" || { ok 1 "$name: status $? ($(tail -n 2 "$work/err" | tr '\n' ' '))"; }
  while IFS= read -r line; do
    case $line in
    "not ok"*) ok 1 "${line#* - }" ;;
    ok*) ok 0 "${line#* - }" ;;
    esac
  done < "$work/points"
  grep -q '^1\.\.' "$work/points"; ok $? "$name ran to its end"
}
points "1 rank without mpirun" "$program"
for n in $(seq 17); do points "$n ranks" $ranks $n "$program"; done
for n in 2 3 4; do points "64 MiB on $n ranks" $ranks $n "$program" large; done
done_testing
