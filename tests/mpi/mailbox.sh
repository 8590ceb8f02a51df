#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mailboxes on 1 to 4 ranks, at once and with random delays.
. "${srcdir:-.}/tests/tap.sh"
program=$PWD/tests/mpi/mailbox

points() { # points NAME COMMAND...: each point of the program is one of ours
  local name=$1; shift
  timeout $hang "$@" > "$work/points" 2> "$work/err" || { ok 1 "$name: status $? ($(tail -n 2 "$work/err" | tr '\n' ' '))"; }
  while IFS= read -r line; do
    case $line in
    "not ok"*) ok 1 "$name: ${line#* - }" ;;
    ok*) ok 0 "$name: ${line#* - }" ;;
    esac
  done < "$work/points"
  grep -q '^1\.\.' "$work/points"; ok $? "$name ran to its end"
}
points "without mpirun" "$program"
HETGRID_MAILBOX_DELAY=.001 points "without mpirun, delays" "$program"
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
for n in 2 3 4; do
  points "$n ranks" $ranks $n "$program"
  for seed in 1 2 3; do HETGRID_MAILBOX_DELAY=.0005,$seed points "$n ranks, delays $seed" $ranks $n "$program"; done
done
done_testing
