#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs with their own loop, on 1 to 4 ranks; ranks send each other only changes of neighbours.
. "${srcdir:-.}/tests/tap.sh"
loop=$PWD/tests/examples/loop
cd "$work" || exit 99

for part in stored moving divided finished; do
  succeeds "$part, without MPI: $(sed -n 's/^ok [0-9]* - //p' out 2> /dev/null | head -n 1)" "$loop" $part
  [ -n "${MPIEXEC:-}" ] || continue
  for n in 2 3 4; do
    succeeds "$part, on $n ranks" $ranks $n "$loop" $part
    ! grep -q '^not ok' out; ok $? "... $(grep -h '^\(not \)\?ok' out | sed 's/^\(not \)\?ok [0-9]* - //' | head -n 1)"
  done
done

words() { tail -n 1 "$1" | cut -d, -f20,21; } # how often zones were built, and words sent
if [ -n "${MPIEXEC:-}" ]; then
  # the program is asked for every unit's neighbours before each of 10 steps
  $ranks 2 "$loop" edges fixed --csv --steps 10 --partition rows --tile 1,60 > fixed.csv 2> /dev/null
  $ranks 2 "$loop" edges fixed --csv --steps 1 --partition rows --tile 1,60 > first.csv 2> /dev/null
  [ "$(words fixed.csv)" = "$(words first.csv)" ]; ok $? "unchanged neighbours are sent once ($(words fixed.csv), after one step $(words first.csv))"
  [ "$(words fixed.csv | cut -d, -f1)" = 1 ]; ok $? "... and zones are built once"
  $ranks 2 "$loop" edges moving --csv --steps 1 --partition rows --tile 1,60 > first.csv 2> /dev/null
  $ranks 2 "$loop" edges moving --csv --steps 11 --partition rows --tile 1,60 > moving.csv 2> /dev/null
  a=$(words first.csv | cut -d, -f2) b=$(words moving.csv | cut -d, -f2)
  # a header of four words, one removed, one added; the neighbour that unit 0 drops first stays, since unit 29 needs it
  [ $((b - a)) -eq 59 ]; ok $? "one edge that moves costs six words per step ($a, $b after 10 more steps)"
else
  skip "no mpirun"
fi
done_testing
