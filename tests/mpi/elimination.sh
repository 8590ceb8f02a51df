#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-elimination on 1 to 4 ranks: pivots equal LAPACK's and results are accurate for every distribution of tiles.
. "${srcdir:-.}/tests/tap.sh"
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
cd "$work" || exit 99

for grid in 1x2 2x1 2x2 1x3 4x1; do
  n=$((${grid%x*} * ${grid#*x}))
  succeeds "grid $grid" $ranks $n "$elimination" --quiet --grid $grid --matrix uniform:230 --nb 32 --nrhs 3 --verify
  succeeds "... a size below one tile" $ranks $n "$elimination" --quiet --grid $grid --matrix uniform:5 --verify
  succeeds "... a permutation" $ranks $n "$elimination" --quiet --grid $grid --matrix cyclic:130 --nb 20 --verify
done
succeeds "single precision on 2x2" $ranks 4 "$elimination" --quiet --grid 2x2 --matrix uniform:150 --nb 32 --precision float --verify
succeeds "static graph on 2 ranks" $ranks 2 "$elimination" --quiet --pivoting static --matrix uniform:230 --nb 32 --verify
fails 2 'divided between ranks' "static graph with divided columns" $ranks 2 "$elimination" --pivoting static --grid 2x1 --matrix uniform:100 --nb 20
succeeds "ranks of unequal speed" $ranks 3 "$elimination" --quiet --speeds 5,2,1 --matrix uniform:300 --nb 20 --verify
succeeds "a rank without work" $ranks 3 "$elimination" --quiet --speeds 1,0,1 --matrix uniform:150 --nb 20 --verify
succeeds "a pattern divided by nphp" $ranks 3 "$elimination" --quiet --partition nphp --speeds 5,2,1 --pattern 6 --matrix uniform:300 --nb 20 --verify
succeeds "one rectangle a rank" $ranks 4 "$elimination" --quiet --partition nphp --pattern 0 --matrix uniform:200 --nb 20 --verify
fails 1 'pivot 2 is exactly zero' "a singular matrix ends all ranks" $ranks 2 "$elimination" --matrix ones:50 --nb 8
fails 1 'FAILED' "gfpp fails on 2x2 as on one rank" $ranks 4 "$elimination" --grid 2x2 --matrix gfpp:200 --nb 32
printf '%%%%MatrixMarket matrix array real general\n2 1\n1\nnan\n' > nan.mtx
bad=("$elimination" --matrix uniform:2 --rhs nan.mtx)
fails 1 'finite|format' "NaN in the right-hand side ends all ranks" $ranks 2 "${bad[@]}"
# the launcher ends all ranks when the first one fails, so none may exit before rank 0 has printed the reason
fails 1 'finite|format' "... with the message of rank 0, however late it comes" \
  $ranks 2 "$each" "sleep 2; ${bad[*]}" "${bad[*]}"

$ranks 2 env STARPU_NCPU=1 "$elimination" --csv --grid 1x2 --matrix uniform:900 --nb 64 --phases=phases.csv > row.csv 2> err
phases phases.csv row.csv 2 "two ranks"
awk -F, 'NR > 1 { n += $4 > 0 && $6 > 0; told = told " " $4 } END { print told; exit n != 2 }' phases.csv > told
ok $? "... both choose pivots and wait for each other's panels:$(cat told) s"

printf '1000,0,1e-4\n1000000,0,.1\n' > slow.csv
printf '1000,0,1e-5\n1000000,0,.01\n' > fast.csv
$ranks 2 env STARPU_NCPU=1 "$elimination" --csv --speeds tables:slow.csv,fast.csv --matrix uniform:600 --nb 32 --verify --phases=phases.csv > row.csv 2> err
grep -q ',ok,' row.csv && awk -F, 'NR > 1 { s[$1] = $5 } END { print s[0], s[1]; exit !(s[1] > 0) }' phases.csv > told
ok $? "columns by speed tables and the panels' way between two ranks, which compute for $(cat told) s"

facts() { cut -d, -f17-18,20-23 row.csv | tail -n 1; }
for case in dynamic,260 tournament,260 dynamic,320; do # one rank updates most of the 320 = 10 x 32 columns in pairs
  pivoting=${case%,*} n=${case#*,}
  "$elimination" --csv --rcond --matrix uniform:$n --nb 32 --pivoting $pivoting > row.csv; one=$(facts)
  for grid in 1x2 2x1 2x2 3x1; do
    $ranks $((${grid%x*} * ${grid#*x})) "$elimination" --csv --rcond --grid $grid --matrix uniform:$n --nb 32 --pivoting $pivoting > row.csv 2> /dev/null
    [ "$(facts)" = "$one" ]; ok $? "$pivoting, n = $n: rows moved, tiles touched, factors' error, growth and rcond on $grid are those of one rank ($one)"
  done
done
STARPU_NCPU=1 HETGRID_TRACE=profiling "$elimination" --quiet --matrix uniform:320 --nb 32 --factor-only --trace=pairs
grep -c '^Name: hetgrid_lu_column' pairs/tasks.rec > told; [ "$(cat told)" = 30 ]; ok $? "one worker updates 45 columns of 10 steps in $(cat told) tasks: in pairs while four are left"
# of a circulant inverse all columns are as large, so that rounding decides which one the estimate takes next
for case in 96,.9 120,.7 120,.9; do
  awk -v n="${case%,*}" -v c="${case#*,}" 'BEGIN {
    printf "%%%%MatrixMarket matrix array real general\n%d %d\n", n, n
    for (j = 0; j < n; j++) for (i = 0; i < n; i++) printf "%.17g\n", (-c) ^ ((i - j + n) % n) / (1 - (-c) ^ n) }' > circulant.mtx
  line="$elimination --quiet --rcond --matrix circulant.mtx --nb 40"
  succeeds "rcond of a circulant of $case on ranks whose processors round differently" $ranks 2 "$each" "$line" "OPENBLAS_CORETYPE=Prescott $line"
done
succeeds "tournament pivoting on ranks of unequal speed" $ranks 3 "$elimination" --quiet --speeds 5,2,1 --matrix uniform:300 --nb 20 --pivoting tournament
succeeds "... on rectangles by nphp" $ranks 4 "$elimination" --quiet --partition nphp --pattern 0 --matrix uniform:200 --nb 20 --pivoting tournament --precision float
$ranks 2 "$elimination" --quiet --matrix uniform:200 --nb 32 --factors lu.h5
LD_BIND_NOW=1 LD_DEBUG=bindings LD_DEBUG_OUTPUT=$work/bindings "$elimination" --version > /dev/null
grep -hE "libstarpumpi.* to .*hetgrid-elimination .*MPI_Test'" "$work"/bindings.* > /dev/null
ok $? "StarPU-MPI asks the program's MPI_Test, which lets it back off, not one of the library"
succeeds "factors of 2 ranks solve on 3" $ranks 3 "$elimination" --quiet --matrix uniform:200 --nb 25 --factors lu.h5 --solve-only
done_testing
