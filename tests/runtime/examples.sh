#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The example applications give the bits of serial programs, whatever the partition, tiles, blocks, workers and policy.
. "${srcdir:-.}/tests/tap.sh"
examples=$PWD/apps/examples serial=$PWD/tests/examples/serial
cd "$work" || exit 99

check() { # check NAME NX NY NZ STEPS; each line of stdin holds the options of a run
  local name=$1 size=$2,$3,$4 steps=$5 how
  "$serial" "$@" expected.npy || { ok 1 "$name: the serial program runs"; return; }
  while read -r -a how; do
    local first=(); [ "${how[0]:-}" != stored ] || { first=(stored); how=("${how[@]:1}"); }
    rm -f got.npy
    succeeds "$name ${first[*]} $size ${how[*]}" "$examples/$name" "${first[@]}" --quiet --size "$size" --steps "$steps" --output got.npy "${how[@]}"
    same expected.npy got.npy "... equals the serial program"
  done
}

formula="--block 1
--block 3 --tile 17,11,5
--partition rows --speeds 3,1
--sched dmdas --tile 40,40,7
--sched hetgrid-even"
stored="--partition rows
--tile 13,7 --partition nphp --speeds 1,4
--sched lws
--sched dmdas --tile 30,30"
check average 97 83 1 40 <<< "$formula"
check life 64 50 1 120 <<< "$formula"
check heat_points 90 110 1 60 <<< "$formula"
check heat_tiles 90 110 1 60 <<< "$formula"
check line 1013 1 1 50 <<< "$formula"
check cube 14 12 11 8 <<< "$formula
--block 8 --tile 5,6,4"
check elimination_units 37 37 1 36 <<< "$stored
stored --tile 11,9
stored --sched lws"
# all components of a value
cube="$examples/cube --quiet --size 14,12,11 --steps 8"
succeeds "a structure's quantities are datasets of one file" $cube --output both.h5 --output both.nc --output prey.npy
for dataset in prey predator; do "$heat" --quiet --steps 0 --input both.h5:$dataset --output $dataset-read.npy; done
same prey.npy prey-read.npy "... the first is the one that other formats hold"
[ -s predator-read.npy ] && ! cmp -s prey-read.npy predator-read.npy; ok $? "... the second is another"
[ "$(grep -c '<Attribute ' both.xmf)" -eq 2 ]; ok $? "... and ParaView finds both"
same both.h5 both.nc "... a .nc file is the same"
$cube --tile 5,6,4 --block 2 --output again.h5; "$heat" --quiet --steps 0 --input again.h5:predator --output again.npy
same predator-read.npy again.npy "... whose bits do not depend on tiles"
succeeds "... and of each snapshot" $cube --snapshot-every 4 --snapshot series
for dataset in prey predator; do "$heat" --quiet --steps 0 --input series.000000008.h5:$dataset --output again.npy; same $dataset-read.npy again.npy "... with its $dataset"; done
[ "$(grep -o 'series.00000000[048].h5:/[a-z]*' series.xmf | tr '\n' ' ')" = "$(for step in 0 4 8; do for dataset in prey predator; do printf 'series.00000000%s.h5:/%s ' $step $dataset; done; done)" ]
ok $? "... and ParaView finds both at each time ($(grep -c '<Attribute ' series.xmf))"
succeeds "... of a part of the cells, by two ranks" "$ranks" 2 $cube --snapshot-every 8 --snapshot part --snapshot-box 2,2,2:8,8,8 --snapshot-stride 2
"$heat" --quiet --steps 0 --input predator-read.npy --output whole.h5 --snapshot-every 1 --snapshot want --snapshot-box 2,2,2:8,8,8 --snapshot-stride 2
"$heat" --quiet --steps 0 --input want.000000000.h5 --output want.npy; "$heat" --quiet --steps 0 --input part.000000008.h5:predator --output again.npy
same want.npy again.npy "... with the predators there"
for how in "average 61,47" "life 40,30" "heat_points 33,44" "line 500" "cube 14,12,11"; do
  read -r name size <<< "$how"
  for boundary in fixed insulated periodic; do
    succeeds "$name, $boundary, is verified" "$examples/$name" --size $size --steps 9 --boundary $boundary --verify --block 3
    grep -q '^  verified   equal to the serial result' out; ok $? "... and says so"
  done
done
succeeds "an application accepts the precision for which it was compiled" "$examples/average" --quiet --size 9,9 --precision double
fails 2 "precision: 'float', but this application was compiled with an HG_VALUE of double" "... and refuses another" "$examples/average" --size 9,9 --precision float
fails 2 'precision: the values of this application are not real numbers' "... where there is none" "$examples/life" --size 9,9 --precision float
# ... or for both
"$serial" line 1013 1 1 50 floats.npy && "$serial" line_double 1013 1 1 50 doubles.npy; ok $? "lines in both precisions"
line="$examples/line --quiet --size 1013 --steps 50"
echo "precision = double" > double.job
while read -r precision how <&3; do
  succeeds "line in ${precision}s $how" "$ranks" 2 $line $how --verify --output got.npy
  same "${precision}s.npy" got.npy "... has the bits of a loop over ${precision}s"
done 3<< 'runs'
float
float --precision double --precision float
float --job double.job --precision float --sched lws
double --job double.job --block 3 --tile 170
double --precision double --partition rows --speeds 3,1
runs
fails 2 "precision: 'half', .* an HG_VALUE of float and of double" "... in no other" $line --precision half
succeeds "a checkpoint of floats" $line --checkpoint float.h5
fails 2 'float.h5.*precision' "... is not one of doubles" $line --steps 60 --precision double --restart float.h5
fails 2 'precision' "ranks of different precision" "$ranks" 1 $line : -n 1 $line --precision double
"$heat" --show float.h5 > shown; $line --precision double --output both.h5; "$heat" --show both.h5 >> shown
[ "$(grep -c '^ *precision  *float' shown)$(grep -c '^ *precision  *double' shown)" = 11 ]; ok $? "results name their precision ($(grep precision shown | tr -s '\n ' ' '))"
sides=west=insulated,east=fixed,north=periodic,south=periodic
succeeds "different sides are verified, on two ranks" "$ranks" 2 "$examples/average" --quiet --size 61,47 --steps 9 --boundary $sides --verify
succeeds "a resumed run is verified from its checkpoint" "$examples/average" --quiet --size 61,47 --steps 9 --checkpoint half.h5
succeeds "... on" "$examples/average" --quiet --size 61,47 --steps 20 --restart half.h5 --verify
fails 2 'verify: not supported for this application: .*HG_RADIUS' "stored neighbours are not verified" "$examples/elimination_units" --size 9,9 --verify
"$serial" elimination_units 19 19 1 18 expected.npy
succeeds "elimination of 19 x 19 ends by itself" "$examples/elimination_units" --quiet --size 19,19 --output got.npy
same expected.npy got.npy "... after 18 steps"
check random_graph 23 17 1 9 <<< "$stored"
succeeds "... is traced" "$examples/random_graph" --quiet --size 230,170 --steps 9 --trace=graph
awk -F, '$1 == "kind" && $3 == "flops" { n += $4 } END { w = 230 * 170 * 9 * 3.5; exit !(n > .98 * w && n < 1.02 * w) }' graph/summary.csv
ok $? "... with the flops that it declares"
check histories 211 1 1 25 <<< "$stored"
for sched in hetgrid hetgrid-nphp hetgrid-dfpa hetgrid-rows hetgrid-even eager prio dmdar dmdas modular-heft modular-heft2; do
  check life 40 30 1 25 <<< "--sched $sched --tile 13,11"
  check elimination_units 21 21 1 20 <<< "--sched $sched --tile 9,9"
  check random_graph 19 11 1 5 <<< "--sched $sched --tile 7,7"
done
for cpus in 1 2; do STARPU_NCPU=$cpus check life 30 30 1 20 <<< "--tile 9,9"; done
check average 3 3 1 5 <<< "--block 2"
check average 1 1 1 5 <<< ""
check elimination_units 1 1 1 0 <<< ""
check random_graph 1 1 1 3 <<< ""

# a program with its own loop
succeeds "own_loop" "$examples/own_loop"
grep -q '^after 100 steps' out && awk 'END { exit !($4 >= 20 && before < 20) } { before = now; now = $4 }' out
ok $? "... ends when the middle is warm enough ($(tail -n 1 out))"
[ -s warm.npy ]; ok $? "... and has its output"
rm warm.npy && mkdir warm.npy
fails 1 'own_loop: warm.npy: is a directory' "... or says why not" "$examples/own_loop"

# divisible jobs: each checks its own result
succeeds "spectrum learns" "$examples/spectrum" --passes 3 --quiet --models learnt
[ "$(ls learnt/divisible-spectrum-of-1-rank0-worker*.csv | wc -l)" -eq 2 ]; ok $? "... and keeps its models"
"$examples/spectrum" --passes 2 --csv --models learnt > spectrum.csv; ok $? "... for the next run"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR == 2 { exit !($c["predicted_s"] > 0 && $c["pass"] == 1 && $c["gflops"] > 0) }' spectrum.csv
ok $? "... whose first pass is predicted ($(sed -n 2p spectrum.csv | cut -c1-100))"
"$examples/spectrum" --csv --phases=phases.csv > spectrum.csv; phases phases.csv spectrum.csv 2 "spectrum's phases"
sed -i 's/^\([^#,]*\),/\1x,/' learnt/*worker0.csv; fails 1 'worker0.csv:' "a wrong model is named" "$examples/spectrum" --models learnt
"$examples/spectrum" --models phases.csv > out 2> err; grep -q 'phases.csv: is not a folder' err && ! grep -q pass out; ok $? "a file in its place, before any pass"
fails 2 'epsilon' "a wrong epsilon" "$examples/spectrum" --epsilon 2
fails 2 "strategy: 'x'" "a wrong strategy" "$examples/spectrum" --strategy x
fails 2 'output' "an output that it does not know" "$examples/spectrum" --output x.npy
succeeds "mandelbrot" "$examples/mandelbrot"
mv mandelbrot.pgm expected.pgm
STARPU_NCPU=1 "$examples/mandelbrot"; same expected.pgm mandelbrot.pgm "... has the same pixels on one worker"
# a worker three times as slow gets less than its half
drag=$(dirname "$examples")/../tests/drag/.libs/drag.so
STARPU_PROF_TOOL=$drag HG_DRAG=1=3 "$examples/spectrum" --passes 6 --quiet --models dragged; ok $? "spectrum with a dragged worker"
slowest=$(grep -v '^#' dragged/*worker1.csv | head -n 1 | cut -d, -f1)
[ "${slowest%.*}" -lt 120 ]; ok $? "... gives it less than 120 of 300 signals (down to $slowest)"

# an interrupted run can be resumed
"$serial" life 40 30 1 90 expected.npy
"$examples/life" --quiet --size 40,30 --steps 40 --checkpoint state.h5 --checkpoint-every 25
succeeds "life is resumed from a checkpoint" "$examples/life" --quiet --size 40,30 --steps 90 --restart state.h5 --output got.npy
same expected.npy got.npy "... to the same result"
"$serial" histories 100 1 1 30 expected.npy
"$examples/histories" --quiet --size 100 --steps 11 --checkpoint histories.h5
succeeds "values of variable size are resumed from a checkpoint, at an odd step" "$examples/histories" --quiet --size 100 --steps 30 --restart histories.h5 --output got.npy
same expected.npy got.npy "... to the same result"
fails 2 'exists and is not replaced' "another problem's checkpoint is not replaced" "$examples/histories" --quiet --size 100 --steps 1 --checkpoint state.h5
fails 2 'another problem' "a checkpoint of another size is refused" "$examples/histories" --size 101 --steps 30 --restart histories.h5
fails 2 'holds the values after 11' "... and one of a later step" "$examples/histories" --size 100 --steps 5 --restart histories.h5

# job files with the parameters of the thesis' table 5-2; the command line takes precedence
"$serial" average 31 21 1 12 expected.npy
cat > job.txt <<'END'
Job_Dimension = 2        # as in table 5-2
Job_Size      = 31,21
Output_path   = got.npy
nBlock        = 0
nThread       = 256
nNeighbor     = 4
steps = 5
quiet
END
succeeds "a job file gives the options" "$examples/average" --job job.txt --steps 12
same expected.npy got.npy "... the command line takes precedence"
seq 1 50 > numbers.in
seq 9 > nine.in
fails 1 'nine.in: has 9 lines, must be at most one for each of the 6 units' "a text with more lines than units" "$examples/average" --size 3,2 --input nine.in --steps 0
{ seq 6; echo; echo; } > six.in; succeeds "... except empty ones at its end" "$examples/average" --quiet --size 3,2 --input six.in --steps 0
succeeds "units from the lines of a text file" "$examples/random_graph" --quiet --input numbers.in --steps 0 --output output.ou
same numbers.in output.ou "... are written as text, one number per line"
mkdir folder; seq 1 20 > folder/a; seq 21 50 > folder/b
"$examples/random_graph" --quiet --input folder --size 10,5 --steps 0 --output output.ou
ok $? "units from the files of a folder, as a 2-D grid"
same numbers.in output.ou "... in the order of their names"

# sums do not depend on the division of the grid
sum() { "$examples/random_graph" --csv --size 64,48 --steps 6 "$@" | tail -n 1 | cut -d, -f18; }
a=$(sum) b=$(sum --tile 5,5) c=$(sum --partition columns --sched lws)
[ "$a" = "$b" ] && [ "$a" = "$c" ] && [ -n "$a" ]; ok $? "the sum of all units has the same bits for every division ($a, $b, $c)"
"$examples/average" --size 30,30 --steps 100000 --tolerance 1e-3 --check-every 10 --csv > one.csv
"$examples/average" --size 30,30 --steps 100000 --tolerance 1e-3 --check-every 10 --csv --tile 7,9 --block 5 > two.csv
a=$(tail -n 1 one.csv | cut -d, -f6) b=$(tail -n 1 two.csv | cut -d, -f6)
[ "$a" = "$b" ] && [ "$a" -gt 20 ] && [ "$a" -lt 100000 ]; ok $? "the tolerance is reached at the same step ($a, $b)"
"$examples/average" --size 50,50 --phases | grep -q dynamic; ok $? "phases are printed"
# tables of many neighbours are made by several threads
many() { "$@" "$examples/random_graph" --quiet --size 200,200 --steps 4 --output "$work/many.npy" && sha256sum < "$work/many.npy"; }
one=$(many taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" env STARPU_NCPU=1)
[ -n "$one" ] && [ "$one" = "$(many env)" ] && [ "$one" = "$(many env STARPU_NCPU=1)" ]; ok $? "a graph of 100 000 edges is the same by one thread and by several"
succeeds "a run is traced" "$examples/random_graph" --quiet --trace=traced
[ -s traced/summary.txt ] && [ -s traced/gantt.svg ]; ok $? "... with summary and chart"
done_testing
