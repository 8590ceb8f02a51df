#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hg_broadcast on 1 to 17 ranks by all algorithms.
. "${srcdir:-.}/tests/tap.sh"
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
program=$PWD/tests/mpi/broadcast

points "1 rank without mpirun" "$program"
for n in $(seq 17); do points "$n ranks" $ranks $n "$program"; done
for n in 2 3 4; do points "64 MiB on $n ranks" $ranks $n "$program" large; done
done_testing
