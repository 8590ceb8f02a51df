#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mailboxes on 1 to 4 ranks, without delay and with random delays.
. "${srcdir:-.}/tests/tap.sh"
program=$PWD/tests/mpi/mailbox

points "without mpirun" "$program"
HETGRID_MAILBOX_DELAY=.001 points "without mpirun, delays" "$program"
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
for n in 2 3 4; do
  points "$n ranks" $ranks $n "$program"
  for seed in 1 2 3; do HETGRID_MAILBOX_DELAY=.0005,$seed points "$n ranks, delays $seed" $ranks $n "$program"; done
done
done_testing
