#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-elimination on one rank: outcomes for all matrix families, sizes, right-hand sides, files, wrong input.
. "${srcdir:-.}/tests/tap.sh"
cd "$work" || exit 99

row() { # row ARGS...: runs it; sets `fields` to the last CSV row and keeps its exit status
  status=0
  timeout 300 "$elimination" --csv "$@" > row.csv 2> err || status=$?
  IFS=, read -ra fields < <(tail -n 1 row.csv)
}
holds() { awk "BEGIN { exit !($1) }"; } # an awk expression
# columns: 16 swaps, 17 tiles_touched, 18 residual, 19 dget01, 20 growth, 21 rcond, 22 info, 23 status
solves() { # solves NAME CONDITION ARGS...: status 0, LAPACK's pivots; CONDITION is on r(esidual), g(rowth), k (rcond)
  local name=$1 condition=$2; shift 2
  row --verify --rcond "$@"
  local r=${fields[18]} d=${fields[19]} g=${fields[20]} k=${fields[21]}
  [ $status -eq 0 ] && [ "${fields[23]}" = ok ] && awk -v r="$r" -v d="$d" -v g="$g" -v k="$k" "BEGIN { exit !($condition) }"
  ok $? "$name (residual $r, factors $d, growth $g, rcond $k) $(head -n 1 err)"
}
breaks_down() { # breaks_down NAME ARGS...: reported as failed, status 1, with the growth that explains it
  local name=$1; shift
  row "$@"
  [ $status -eq 1 ] && [ "${fields[23]}" = FAILED ] && grep -q FAILED err && holds "${fields[20]} > 1e4"
  ok $? "$name is reported as failed (residual ${fields[18]}, factors ${fields[19]}, growth ${fields[20]})"
}
singular() { # singular INFO NAME ARGS...
  local info=$1 name=$2; shift 2
  row "$@"
  [ $status -eq 1 ] && [ "${fields[23]}" = singular ] && [ "${fields[22]}" = "$info" ] && grep -q "pivot $info" err && holds "${fields[19]} < 30"
  ok $? "$name: info is ${fields[22]} and solving is refused ($(head -n 1 err))"
}

solves "uniform" 'r < .05 && g > 30 && g < 80' --matrix uniform:1000
export STARPU_LIMIT_CPU_MEM=4 # MB; a matrix of 8
solves "a matrix larger than what StarPU may use" 'r < .05' --matrix uniform:1000
unset STARPU_LIMIT_CPU_MEM
solves "orthogonal" 'r < .01' --matrix orthog:1000
solves "Ris" 'r < .01' --matrix ris:1000
solves "Wilkinson's W+" 'r < .01 && g == 1' --matrix wilkinson:500
solves "randsvd of condition 1e8 has a condition estimate near it" 'r < 1 && k > 1e-10 && k < 1e-7' --matrix randsvd:300,1e8
solves "Vandermonde" 'r < 1' --matrix vander:40
solves "Hilbert" 'r < 1 && k < 1e-15' --matrix hilb:12
solves "cyclic shift is exact" 'r == 0 && d == 0 && g == 1 && k == 1' --matrix cyclic:777
solves "anti-identity is exact" 'r == 0 && d == 0 && k == 1' --matrix anti-identity:300
solves "identity is exact" 'r == 0 && d == 0 && k == 1' --matrix identity:130
solves "diagonally dominant" 'r < .1 && g < 1.1' --matrix dominant:600
solves "banded" 'r < .1' --matrix banded:400,5
solves "values near 1e290" 'r < .1' --matrix uniform:200,1e290
solves "values near 1e-290" 'r < .1' --matrix uniform:200,1e-290
solves "gfpp of size 50 with integers is exact" 'r == 0 && d == 0' --matrix gfpp:50 --rhs ones
breaks_down "gfpp of size 100" --matrix gfpp:100
breaks_down "gfpp of size 1000" --matrix gfpp:1000
fails 1 'FAILED: residual [0-9.e+]* .must be < 16., factors [0-9.e+]* .must be < 30., growth [0-9.e+]*$' "... by all its numbers" "$elimination" --matrix gfpp:1000
fails 1 'FAILED: factors [0-9.e+]* .must be < 30., growth [0-9.e+]*$' "... by those computed" "$elimination" --matrix gfpp:60 --factor-only
fails 1 'FAILED: residual [0-9.e+]* .must be < 16.$' "... of the first of two runs, the residual" "$elimination" --matrix gfpp:1000 --repeat 2
breaks_down "Foster's matrix" --matrix foster:1000
breaks_down "Wright's matrix" --matrix wright:100
singular 2 "all ones" --matrix ones:100
singular 78 "column 77 of zeros" --matrix zero-column:200,77 --nb 32
singular 1 "column 0 of zeros" --matrix zero-column:60,0
singular 2 "all ones, only factored" --matrix ones:50 --factor-only --factors ones.h5 --repeat 2
[ -s ones.h5 ]; ok $? "... and its factors are written"
fails 1 'ones:4 is singular: pivot 2 is exactly zero$' "the report mentions no system" "$elimination" --matrix ones:4 --factor-only
fails 1 'uniform:9,1e-290 is singular in single precision: pivot 1' "... which values below single precision make singular" "$elimination" --matrix uniform:9,1e-290 --precision float
fails 1 'zero-column:9,3 cannot be eliminated without pivoting: pivot 4' "... nor pivots without pivoting" "$elimination" --matrix zero-column:9,3 --factor-only --pivoting none
fails 1 'ones:50 is singular: pivot 2' "... the factors solve nothing" "$elimination" --matrix ones:50 --solve-only --factors ones.h5

# pivots that rounding decides are no mismatch; other differences are
verified() { # verified LEAST MOST NAME ARGS...: bounds of the number of pivots compared with LAPACK's
  local least=$1 most=$2 name=$3; shift 3
  "$elimination" --factor-only --verify "$@" > out 2> err
  local compared; compared=$(sed -n 's/^  verified  *\([0-9]*\) of.*/\1/p' out)
  [ "${compared:--1}" -ge "$least" ] && [ "$compared" -le "$most" ]; ok $? "$name: $compared pivots equal LAPACK's $(head -n 1 err)"
}
for n in 16 20 30 100; do
  for how in "" "--nb 8" "--nb 8 --pivoting static" "--precision float"; do
    # shellcheck disable=SC2086
    verified 5 15 "Hilbert of size $n $how, whose later pivots are rounding" --matrix hilb:$n $how
  done
done
awk 'BEGIN { srand(3); n = 64; print "%%MatrixMarket matrix array real general"; print n, n
  for (j = 0; j < n; j++) for (i = 0; i < n; i++) { v = rand() - .5; if (i == 1) kept = v; printf "%.17g\n", i == 32 ? kept : v } }' > equal.mtx
for how in "" "--nb 16" "--precision float"; do
  # shellcheck disable=SC2086
  verified 63 63 "two equal rows $how" --matrix equal.mtx $how
done
verified 300 300 "a matrix of condition 1e8" --matrix randsvd:300,1e8
verified 1000 1000 "a large one in single precision" --matrix uniform:1000 --precision float
fails 1 "verify: pivot 1 is row 1, LAPACK's is row" "pivots without pivoting" "$elimination" --matrix uniform:50 --verify --pivoting none

for n in 0 1 2 3 4 5 10 50; do solves "n = $n" 'r < 1' --matrix uniform:$n --nrhs 2; done
for nb in 1 7 64 100 333 500; do solves "tiles of $nb for n = 333" 'r < .1' --matrix uniform:333 --nb $nb; done
for k in 1 2 15 64; do solves "$k right-hand sides" 'r < .1' --matrix uniform:200 --nrhs $k --nb 48; done
solves "single precision" 'r < .1' --matrix uniform:300 --precision float
solves "static graph" 'r < .1' --matrix uniform:400 --nb 50 --pivoting static
moved=${fields[16]}
row --matrix uniform:400 --nb 50
[ "$moved" = "${fields[16]}" ]; ok $? "static and dynamic graph move the same rows ($moved and ${fields[16]})"
for how in "uniform:400 --nb 50" "uniform:333 --nb 7" "uniform:333 --nb 333" "uniform:65 --nb 64" "orthog:200 --nb 32" "uniform:300 --nb 40 --precision float" "uniform:5" "uniform:1" "uniform:0"; do
  row --matrix $how --nrhs 2 --pivoting tournament
  [ $status -eq 0 ] && [ "${fields[23]}" = ok ] && holds "${fields[18]} < 1 && ${fields[19]} < 1"
  ok $? "tournament pivoting, $how (residual ${fields[18]}, factors ${fields[19]}, growth ${fields[20]}) $(head -n 1 err)"
done
singular 2 "a matrix of ones, by tournament" --matrix ones:50 --nb 8 --pivoting tournament
fails 2 "differ from LAPACK's" "the pivots of a tournament are not compared" "$elimination" --matrix uniform:20 --pivoting tournament --verify
for nb in 16 50; do
  "$elimination" --quiet --matrix uniform:120 --nb $nb --pivoting tournament --factor-only --factors tournament.h5
  succeeds "its factors are stored like LAPACK's (tiles of $nb)" "$elimination" --quiet --matrix uniform:120 --solve-only --factors tournament.h5
done
row --matrix dominant:400 --nb 50 --pivoting none
[ $status -eq 0 ] && [ "${fields[16]}" = 0 ]; ok $? "no pivoting on a dominant matrix (residual ${fields[18]})"
row --matrix anti-identity:20 --pivoting none
[ $status -eq 1 ]; ok $? "no pivoting on the anti-identity fails (status $status, info ${fields[22]})"
fails 1 'anti-identity:20 cannot be eliminated without pivoting: pivot 1' "... which does not mean that it is singular" "$elimination" --matrix anti-identity:20 --pivoting none
fails 1 'ones:20 is singular' "a matrix of ones is" "$elimination" --matrix ones:20
for unused in "--nrhs 3 --factor-only:--nrhs" "--rhs ones --factor-only:--rhs" "--rhs b.npy --nrhs 3:--nrhs" "--pattern 5:--pattern"; do
  fails 2 "hetgrid-elimination: ${unused##*:}: " "no effect: ${unused%:*}" "$elimination" --matrix uniform:20 ${unused%:*}
done
row --matrix dominant:400 --nb 50
[ "${fields[16]}" = 0 ] && [ "${fields[17]}" = 0 ]; ok $? "without exchanges no tile is touched"
row --matrix cyclic:400 --nb 50
[ "${fields[17]}" -lt 100 ]; ok $? "the cyclic shift touches few tiles (${fields[17]})"

for policy in lws prio eager dmda dmdas modular-heft; do
  solves "policy $policy" 'r < .1' --matrix uniform:300 --nb 50 --sched $policy --output $policy.npy
  same lws.npy $policy.npy "... with the same bits as lws"
done
close() { paste "$1" "$2" | awk -v rows="$3" 'NR > 2 { d = $1 - $2; if (d < 0) d = -d; if (d > m) m = d } END { exit !(NR == rows + 2 && m < 1e-9) }'; }
for workers in 1 2 3; do
  STARPU_NCPU=$workers "$elimination" --quiet --verify --matrix uniform:300 --nb 50 --output w$workers.mtx
  close w1.mtx w$workers.mtx 300; ok $? "$workers workers give the result of one"
done

# --speeds per worker: columns have owners; without stealing no other worker computes them
system="--matrix uniform:300 --nb 30 --nrhs 3"
for how in "--speeds 3,1" "--speeds 1,0" "--speeds 3,1 --partition nphp --pattern 6" "--speeds 1,5 --pivoting static" "--speeds 2,1 --pivoting tournament"; do
  STARPU_NCPU=2 "$elimination" --quiet $system $(sed 's/--speeds [^ ]*//; s/--partition.*//' <<< "$how") --output anywhere.npy
  for policy in hetgrid hetgrid-even lws; do
    STARPU_NCPU=2 "$elimination" --quiet $system $how --sched $policy --output home.npy
    same anywhere.npy home.npy "$how under $policy gives the same bits on all workers"
  done
done
tasks() { awk -F, -v w="CPU$1" '$1 == "worker" && $2 ~ w && $3 == "tasks" { print $4 }' dealt/summary.csv; } # WORKER
deal() { STARPU_NCPU=2 "$elimination" --quiet --matrix uniform:1200 --nb 60 --factor-only --sched hetgrid-even --trace=dealt "$@"; }
for s in 9,1 1,9; do
  deal --speeds $s
  echo "$s,$(tasks 0),$(tasks 1)" | awk -F, '{ exit !($1 > $2 ? $3 > 5 * $4 : $4 > 5 * $3) }'
  ok $? "--speeds $s: the workers do $(tasks 0) and $(tasks 1) tasks"
done
fails 2 '3 numbers, must be one for each of the 2 workers or 1 rank' "speeds for other workers" env STARPU_NCPU=2 "$elimination" --speeds 1,2,3
printf '1000,0,1\n1000000,0,1000\n' > slow.csv
printf '1000,0,.1\n1000000,0,100\n' > fast.csv
deal --speeds tables:slow.csv,fast.csv
[ "$(tasks 1)" -gt $((5 * $(tasks 0))) ]; ok $? "speed tables divide: $(tasks 0) and $(tasks 1) tasks"
fails 2 '1 tables, must be one for each of the 2 workers' "tables for other workers" env STARPU_NCPU=2 "$elimination" --speeds tables:slow.csv
fails 2 'needs a file' "--phases with --csv" "$elimination" --csv --phases
for pivoting in dynamic static tournament; do
  STARPU_NCPU=2 "$elimination" --csv --matrix uniform:1600 --nb 64 --pivoting $pivoting --repeat 2 --phases=phases.csv > row.csv
  phases phases.csv row.csv 2 "$pivoting pivoting"
  awk -F, 'NR > 1 { d += $6; c += $4 } END { printf "%g s choosing pivots, %g s waiting\n", d, c; exit !(d > 0 && c >= 0) }' phases.csv > told
  ok $? "... of which pivots are $(cat told)"
done
STARPU_NCPU=2 "$elimination" --csv --matrix uniform:1600 --nb 64 --pivoting none --phases=phases.csv > row.csv
phases phases.csv row.csv 2 "without exchanges"

determinant() { "$elimination" --matrix "$1" --determinant --rhs ones 2>/dev/null | sed -n 's/^  det  *\([^ ]*\).*/\1/p'; }
det=$(determinant cyclic:5); [ "$det" = "10^0" ]; ok $? "the determinant of an even cyclic shift is 1 ($det)"
det=$(determinant cyclic:6); [ "$det" = "-10^0" ]; ok $? "of an odd one -1 ($det)"
det=$(determinant ones:5); [ "$det" = 0 ]; ok $? "of a singular matrix 0 ($det)"
fails 1 'FAILED: the factors are right, but the solution overflows: it has values beyond 1.8e.308' "a solution that overflows" "$elimination" --matrix uniform:20,1e-310 --rhs ones
! grep -q ill-conditioned "$work/err" && grep -q 'rcond *0.0005489' "$work/out"; ok $? "... of a well-conditioned matrix ($(grep rcond "$work/out"))"
det=$(determinant uniform:300,1e290); [[ $det =~ 10\^87[0-9]{3} ]]; ok $? "it does not overflow ($det)"

counts() { # counts NAME FLOPS ARGS..: seconds x gflops of each row equals the operations done
  local name=$1 flops=$2; shift 2
  row --nb 40 --repeat 2 "$@"
  awk -F, -v f="$flops" 'NR > 1 { print $15 * $16 * 1e9; d = $15 * $16 * 1e9 / f - 1; bad += d > 1e-4 || d < -1e-4 } END { exit NR < 2 || bad }' row.csv > told
  ok $? "$name: $(tr '\n' ' ' < told)of $flops flops"
}
counts "factoring and solving" 2508750 --matrix uniform:150 --nrhs 6 --factors flops.h5
counts "solving alone, with factors that are read" 270000 --matrix uniform:150 --nrhs 6 --factors flops.h5 --solve-only
counts "factoring alone" 2238750 --matrix uniform:150 --factor-only --determinant
counts "a singular matrix" 2261250 --matrix ones:150
"$elimination" --quiet --matrix uniform:150 --nb 40 --nrhs 3 --factors lu.h5 --output x.npy --output x.mtx --output x.h5
succeeds "stored factors solve again, with other tiles" "$elimination" --quiet --matrix uniform:150 --nb 64 --nrhs 3 --factors lu.h5 --solve-only --output y.mtx
close x.mtx y.mtx 450; ok $? "... to the same solution"
succeeds "a solution in HDF5 is a right-hand side" "$elimination" --quiet --matrix uniform:150 --rhs x.h5:solution
succeeds "a solution in NumPy's format is one, too" "$elimination" --quiet --matrix uniform:150 --rhs x.npy
if command -v python3 > /dev/null; then
  # writes NumPy's formats by hand, so that the test needs only Python: a vector, and an archive of a matrix
  python3 - <<'END'
import io, struct, zipfile
def npy(shape, values):
    head = "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }" % (shape,)
    head += ' ' * (-(len(head) + 11) % 64) + '\n'
    return b'\x93NUMPY\1\0' + struct.pack('<H', len(head)) + head.encode() + struct.pack('<%dd' % len(values), *values)
open('vector.npy', 'wb').write(npy((3,), [2, 3, 8]))
with zipfile.ZipFile('system.npz', 'w') as z:
    z.writestr('a.npy', npy((3, 3), [2, 0, 0, 0, 3, 0, 0, 0, 4]))
    z.writestr('b.npy', npy((3, 1), [2, 3, 8]))
END
  succeeds "a matrix in .npz, a vector of right-hand sides" "$elimination" --quiet --matrix system.npz:a --rhs vector.npy --output v.npy --output v.txt
  [ "$(tr '\n' ' ' < v.txt)" = "1 1 2 " ] && grep -aq "'shape': (3,)" v.npy; ok $? "... (n,) stays (n,): $(grep -ao "'shape': ([0-9, ]*)" v.npy)"
  succeeds "right-hand sides in .npz" "$elimination" --quiet --matrix system.npz:a --rhs system.npz:b --output w.npy
  grep -aq "'shape': (3, 1)" w.npy; ok $? "... (n, 1) stays (n, 1)"
  fails 2 'no member c; it holds: a b' "a missing member" "$elimination" --matrix system.npz:c
fi
succeeds "the factors' file holds a matrix" "$elimination" --quiet --matrix lu.h5:lu --rhs ones
fails 1 'pivots|factors of 150' "factors of another size are refused" "$elimination" --matrix uniform:100 --factors lu.h5 --solve-only
"$elimination" --quiet --matrix uniform:150 --factor-only --precision float --factors float.h5
fails 2 'float.h5: holds factors in single precision .float32' "factors of single precision do not solve in double" "$elimination" --matrix uniform:150 --factors float.h5 --solve-only
succeeds "... but in single" "$elimination" --quiet --matrix uniform:150 --factors float.h5 --solve-only --precision float
succeeds "... as those of double precision do" "$elimination" --quiet --matrix uniform:150 --factors lu.h5 --solve-only --precision float
head -c 5000 lu.h5 > cut.h5
fails 1 'truncated or damaged' "truncated factors are refused" "$elimination" --matrix uniform:150 --factors cut.h5 --solve-only

cat > a.mtx <<'END'
%%MatrixMarket matrix coordinate real symmetric
% a comment
3 3 4
1 1 2
2 1 1
2 2 3
3 3 4
END
printf '%%%%MatrixMarket matrix array real general\n3 1\n3\n4\n4\n' > b.mtx
"$elimination" --quiet --matrix a.mtx --rhs b.mtx --output s.csv
awk '{ s += ($1 - 1) ^ 2 } END { exit !(NR == 3 && s < 1e-28) }' s.csv; ok $? "a symmetric Matrix Market system has the solution (1, 1, 1)"
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n1 2\n2 2\n' > p.mtx
"$elimination" --quiet --matrix p.mtx --rhs ones --output s.csv; [ "$(tr '\n' ' ' < s.csv)" = "0 1 " ]; ok $? "a pattern counts as ones"
printf '%%%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 2\n' > k.mtx
"$elimination" --quiet --matrix k.mtx --rhs ones --output s.csv; [ "$(tr '\n' ' ' < s.csv)" = "0.5 -0.5 " ]; ok $? "a skew-symmetric matrix"
if [ -n "${HETGRID_MATRICES:-}" ]; then
  for m in west0479 bp_1200 watt_2 olm500 impcol_a; do
    solves "$m" 'r < .01' --matrix "$HETGRID_MATRICES/$m.mtx" --nb 100
  done
else
  skip "HETGRID_MATRICES names no folder with west0479.mtx, bp_1200.mtx, watt_2.mtx, olm500.mtx, impcol_a.mtx"
fi

printf '%%%%MatrixMarket matrix array real general\n2 2\n1\nnan\n2\n3\n' > nan.mtx
fails 1 'nan.mtx:4:1: .nan. is not a finite number' "NaN in the matrix" "$elimination" --matrix nan.mtx
printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 3\n' > c.mtx
fails 1 'complex' "a complex matrix" "$elimination" --matrix c.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 4000000000000\n1 1 1\n' > huge.mtx
fails 1 'GB' "an absurd size line" "$elimination" --matrix huge.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n' > r.mtx
fails 2 '2 rows and 3 columns' "a matrix that is not square" "$elimination" --matrix r.mtx
fails 2 '3 rows.*must have as many as the matrix, 4' "a right-hand side of another length" "$elimination" --matrix uniform:4 --rhs b.mtx
fails 1 'needs .* GB, .* GB are available' "a matrix beyond memory, before it is allocated" "$elimination" --matrix uniform:400000
fails 2 "neither FAMILY:N" "an unknown family" "$elimination" --matrix magic:4
fails 2 'randsvd: kappa: 0.5 is not in 1\.\.' "a condition below 1" "$elimination" --matrix randsvd:4,0.5
fails 2 'takes no parameter' "a parameter too many" "$elimination" --matrix ones:4,5
fails 2 'zero-column: column: 60' "a column beyond the matrix" "$elimination" --matrix zero-column:50,60
fails 2 'zero-column: column: 50' "... just beyond" "$elimination" --matrix zero-column:50,50
fails 2 'zero-column: column: -1' "... and before" "$elimination" --matrix zero-column:50,-1
fails 2 "rhs: 'foo', must be ones, random or a file" "invalid right-hand sides" "$elimination" --matrix uniform:9 --rhs foo
fails 2 'uniform' "no number" "$elimination" --matrix uniform:many
fails 1 'none.mtx' "no such file" "$elimination" --matrix none.mtx
fails 2 '1x3' "a grid for other ranks" "$elimination" --grid 1x3
fails 2 'two numbers' "a grid of one number" "$elimination" --grid 3
fails 2 'not in 1..4096' "tiles of 0" "$elimination" --nb 0
fails 2 'no solution' "an output with --factor-only" "$elimination" --factor-only --output x.npy
fails 2 'needs --factors' "--solve-only without factors" "$elimination" --solve-only
fails 2 'unknown ending' "an unknown ending" "$elimination" --output x.xyz

# Its tasks wait for the submitting thread, which gets one of eight cores for itself; those of heat do not wait.
workers() { # workers THREADS PROGRAM ARGUMENTS..: CPU workers on 8 cores with so many hardware threads each
  local threads=$1; shift
  env -u HWLOC_COMPONENTS HWLOC_SYNTHETIC="core:8 pu:$threads" "$@" --csv 2> err |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cpu_workers") c = i } NR == 2 { print $c }'
}
has() { [ "$1" = "$2" ]; ok $? "$3: $1 workers"; } # has WORKERS WANTED NAME
nothing_said=(env -u STARPU_NCPU)
if [ "$(workers 1 "${nothing_said[@]}" "$heat" --size 50,50)" = 8 ]; then
  has "$(workers 1 "${nothing_said[@]}" "$elimination" --matrix uniform:50)" 7 "a core of eight is left to the thread that submits"
  has "$(STARPU_RESERVE_NCPU=0 workers 1 "${nothing_said[@]}" "$elimination" --matrix uniform:50)" 8 "... unless the environment says how many"
  has "$(STARPU_NCPU=8 workers 1 "$elimination" --matrix uniform:50)" 8 "... or how many workers"
  has "$(workers 2 "${nothing_said[@]}" "$elimination" --matrix uniform:50)" 8 "... or cores have a second thread"
else
  skip "StarPU has no room for 8 cores here"
fi
done_testing
