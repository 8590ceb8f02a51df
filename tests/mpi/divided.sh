#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Divided arrays on 1 to 4 ranks; with 2 or more the second is a third as fast as the others.
. "${srcdir:-.}/tests/tap.sh"
program=$PWD/tests/mpi/divided

points "without mpirun" "$program"
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
for n in 2 3 4; do points "$n ranks" $ranks $n env STARPU_NCPU=1 "$program" "$work/learnt$n"; done
done_testing
