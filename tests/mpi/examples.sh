#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The example applications on 1 to 4 ranks have the bits of serial programs.
. "${srcdir:-.}/tests/tap.sh"
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
examples=$PWD/apps/examples serial=$PWD/tests/examples/serial
cd "$work" || exit 99

check() { # check NAME NX NY NZ STEPS OPTIONS...
  local name=$1 size=$2,$3,$4 steps=$5 first=()
  "$serial" "${@:1:5}" expected.npy || { ok 1 "$name: the serial program runs"; return; }
  shift 5
  [ "${1:-}" != stored ] || { first=(stored); shift; }
  for n in 1 2 3 4; do
    rm -f got.npy
    succeeds "$name ${first[*]} on $n ranks $*" $ranks $n "$examples/$name" "${first[@]}" --quiet --size "$size" --steps "$steps" --output got.npy "$@"
    same expected.npy got.npy "... equals the serial program"
  done
}
check average 57 43 1 30 --block 4
check life 40 30 1 60 --tile 9,8
check heat_points 50 60 1 40
check heat_tiles 50 60 1 40
check line 703 1 1 30
cache() { echo "unset HWLOC_COMPONENTS; export HWLOC_THISSYSTEM=1 HWLOC_SYNTHETIC='l2:1(size=$1) core:$(nproc) pu:1'; $examples/line --quiet --size 300000 --steps 40 --output got.npy"; }
STARPU_NCPU=1 "$examples/line" --quiet --size 300000 --steps 40 --output expected.npy
succeeds "line on ranks whose caches differ" $ranks 2 "$each" "$(cache 1048576)" "$(cache 524288)"
same expected.npy got.npy "... equals one rank"
check cube 10 9 12 6
check elimination_units 29 29 1 28
check elimination_units 29 29 1 28 stored --tile 8,8
check random_graph 23 17 1 8 --tile 9,9
check histories 101 1 1 15
check random_graph 2 1 1 4

deep=(--quiet --dimension 3 --size 6,5,4 --steps 3)
STARPU_NCPU=2 "$examples/histories" "${deep[@]}" --output expected.txt
succeeds "histories in three dimensions on 2 ranks" $ranks 2 "$examples/histories" "${deep[@]}" --output got.txt
same expected.txt got.txt "... are those of one"

STARPU_NCPU=2 "$examples/own_loop" > said && mv warm.npy expected.npy
for n in 2 3; do
  succeeds "a program with its own loop on $n ranks" $ranks $n "$examples/own_loop"
  same said out "... prints the same, once"
  same expected.npy warm.npy "... and writes the same"
done

STARPU_NCPU=2 "$examples/mandelbrot" && mv mandelbrot.pgm expected.pgm
for n in 1 2 3 4; do
  rm -f mandelbrot.pgm
  succeeds "mandelbrot on $n ranks" $ranks $n "$examples/mandelbrot"
  same expected.pgm mandelbrot.pgm "... has the same pixels"
  succeeds "spectrum on $n ranks finds its tones" $ranks $n "$examples/spectrum" --quiet --passes 3 --models "learnt$n"
done
[ -s learnt3/divisible-spectrum-of-3-rank2.csv ]; ok $? "learnt speeds of ranks are kept"
succeeds "... and read" $ranks 3 "$examples/spectrum" --quiet --passes 1 --models learnt3

sum() { $ranks $1 "$examples/random_graph" --csv --size 40,30 --steps 4 2> /dev/null | tail -n 1 | cut -d, -f18; }
a=$(sum 1) b=$(sum 2) c=$(sum 3)
[ "$a" = "$b" ] && [ "$a" = "$c" ] && [ -n "$a" ]; ok $? "the sum of all units has the same bits on 1, 2 and 3 ranks ($a)"
"$serial" random_graph 23 17 1 8 expected.npy
$ranks 2 "$examples/random_graph" --quiet --size 23,17 --steps 3 --checkpoint state.h5 > /dev/null 2>&1
succeeds "a checkpoint of 2 ranks is resumed on 3" $ranks 3 "$examples/random_graph" --quiet --size 23,17 --steps 8 --restart state.h5 --output got.npy
same expected.npy got.npy "... with the same bits"
done_testing
