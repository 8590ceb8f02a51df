#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Jobs in processes that also do other work: on one process, and on MPI ranks.
. "${srcdir:-.}/tests/tap.sh"
embedded=$PWD/tests/mpi/embedded
cd "$work" && mkdir folder.npy || exit 99

case_() { # case_ NAME COMMAND...: the program's own test points count
  local name=$1 status=0; shift
  timeout $hang "$@" > out 2> err || status=$?
  [ $status = 0 ] && grep -q '^ok' out && ! grep -q '^not ok' out
  ok $? "$name: $(grep -h '^\(not \)\?ok' out | sed 's/^ok [0-9]* - //' | sort -u | tr '\n' ';' | cut -c1-300) $([ $status = 0 ] || tail -n 3 err | tr '\n' ' ')"
}
for case in jobs initialised threads ended missing live starpu process leaks failures wrong output divisible; do
  case_ "$case, alone" "$embedded" $case
done
case_ "idle, workers on all cores" env STARPU_NCPU="$(nproc)" "$embedded" idle
if [ -n "${MPIEXEC:-}" ]; then
  for case in jobs initialised null threads unlike live process leaks failures output divisible; do
    case_ "$case, on 2 ranks" "$ranks" 2 "$embedded" $case
  done
  case_ "idle, on 2 ranks that share their cores with MPI" "$ranks" 2 env STARPU_NCPU="$(nproc)" "$embedded" idle
  for n in 2 3 4; do case_ "communicator, on $n ranks" "$ranks" $n "$embedded" communicator; done
  status=0
  timeout $hang "$ranks" 2 "$embedded" leaves > out 2> err || status=$?
  [ $status != 0 ] && [ $status != 124 ]; ok $? "a rank that leaves between two jobs ends the others (status $status)"
else
  skip "no mpirun"
fi
done_testing
