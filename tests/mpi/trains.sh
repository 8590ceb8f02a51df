#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Timed messages between two ranks, and the load of a host.
. "${srcdir:-.}/tests/tap.sh"
points "without mpirun" "$PWD/tests/mpi/trains"
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
points "2 ranks" $ranks 2 "$PWD/tests/mpi/trains"
done_testing
