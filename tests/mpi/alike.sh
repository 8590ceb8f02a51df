#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ranks compare their arguments before they work: a difference ends all of them with a line that names it and both
# values.
. "${srcdir:-.}/tests/tap.sh"
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
blas=$PWD/tests/blas/.libs/wrapped.so fft=$PWD/hetgrid-fft adr=$PWD/hetgrid-adr jacobi=$PWD/hetgrid-jacobi average=$PWD/apps/examples/average
cd "$work" || exit 99
# after a rank's error the launcher kills the others only after a second, so that all have printed their message
export OMPI_MCA_odls_base_sigkill_timeout=0 PRTE_MCA_odls_base_sigkill_timeout=0

# unlike PATTERN "COMMON" "ON RANK 0" "ON RANK 1": refused with one line from hetgrid, and nothing is written
unlike() {
  local pattern=$1 common=$2 status=0
  rm -f out.npy
  timeout $hang "$ranks" 2 "$each" "$common $3 --output out.npy" "$common $4 --output out.npy" > out 2> err || status=$?
  grep -E '^(hetgrid-[a-z]*|average): ' err > ours
  [ $status = 2 ] && [ "$(wc -l < ours)" = 1 ] && grep -Eq -- "$pattern" ours && [ ! -s out ] && [ ! -e out.npy ]
  local good=$?
  ok $good "$(basename "${common%% *}") $3 beside $4 ($status: $(head -n 1 ours | cut -c1-120))"
  [ $good = 0 ] || head -n 5 out ours | sed 's/^/# /'
}

"$heat" --quiet --size 50,40 --init random --steps 1 --output a.npy
"$heat" --quiet --size 50,40 --init random --steps 2 --output b.npy
cp a.npy c.npy
"$heat" --quiet --init a.npy --steps 3 --checkpoint a.h5
"$heat" --quiet --init b.npy --steps 3 --checkpoint b.h5
problem="$heat --size 50,40 --init random"
unlike 'alpha: is 0.2, on rank 0 it is 0.1' "$problem" "--alpha .1" "--alpha .2"
unlike 'alpha: is 0.2, on rank 0 it is 0.1|diffusivity' "$problem" "--diffusivity 1 --time-step .1 --spacing 1" "--diffusivity 2 --time-step .1 --spacing 1"
unlike 'alpha: is 0.1,0.2, on rank 0 it is 0.1' "$problem" "--alpha .1" "--alpha .1,.2"
unlike 'steps: is 20, on rank 0 it is 10' "$problem" "--steps 10" "--steps 20"
unlike 'precision: is float, on rank 0 it is double' "$problem" "" "--precision float"
unlike 'size NX: is 51, on rank 0 it is 50' "$heat --init random" "--size 50,40" "--size 51,40"
unlike 'size NY' "$heat --init random" "--size 50,40" "--size 50,41"
unlike 'dimension: is 3, on rank 0 it is 2' "$heat --init random" "--size 50,40" "--size 50,40,2"
unlike 'block.*: is 4, on rank 0 it is 3' "$problem" "--block 3" "--block 4"
unlike 'tile: is 9,8' "$problem" "" "--tile 9,8"
unlike 'boundary: is periodic, on rank 0 it is fixed' "$problem" "" "--boundary periodic"
printf '0,7\n9,8\n' > one.csv
mkdir other && printf '0,7\n9,9\n' > other/one.csv
unlike 'boundary-every: is 3, on rank 0 it is 1' "$problem --boundary fixed=one.csv" "" "--boundary-every 3"
unlike 'boundary: is fixed=other/one.csv, on rank 0 it is fixed=one.csv' "$problem" "--boundary fixed=one.csv" "--boundary fixed=other/one.csv"
fails 2 "boundary, a side's times: is one.csv .contents" "a side's file that differs" "$ranks" 2 "$each" "$problem --boundary fixed=one.csv" "cd other; $problem --boundary fixed=one.csv"
unlike 'seed: is 7, on rank 0 it is 1' "$problem" "" "--seed 7"
unlike 'tolerance: is 0.001, on rank 0 it is 0.01' "$problem" "--tolerance .01" "--tolerance .001"
unlike 'check-every: is 20' "$problem --tolerance .01" "" "--check-every 20"
unlike 'partition: is columns' "$problem" "" "--partition columns"
unlike 'speeds: is 1,2, on rank 0 it is not given' "$problem" "" "--speeds 1,2"
unlike 'rebalance: is 0.1' "$problem" "" "--rebalance .1"
unlike 'input: is random' "$heat --size 50,40" "--init hotspot" "--init random"
unlike 'input: is b.npy \(contents [0-9a-f]{8}\), on rank 0 it is a.npy \(' "$heat" "--init a.npy" "--init b.npy"
unlike 'nodata: is mask, on rank 0 it is refuse' "$heat --init a.npy --boundary insulated" "" "--nodata mask"
unlike 'source: is 1' "$problem" "--source .5" "--source 1"
unlike 'source: is b.npy \(contents' "$problem" "--source a.npy" "--source b.npy"
unlike 'restart: is b.h5' "$heat --init a.npy --steps 9" "--restart a.h5" "--restart b.h5"
unlike 'checkpoint: is state.h5, on rank 0 it is not given' "$problem" "" "--checkpoint state.h5"
unlike 'checkpoint-every: is 5' "$problem --checkpoint state.h5" "" "--checkpoint-every 5"
unlike 'repeat: is 3, on rank 0 it is 1' "$problem" "" "--repeat 3"
unlike 'warmup: is 3' "$problem" "" "--warmup 3"
unlike 'trace: is run' "$problem" "" "--trace=run"
unlike 'verify: is given' "$problem" "" "--verify"
fails 2 'plan-only: is given' "a plan on one rank alone" "$ranks" 2 "$each" "$problem" "$problem --plan-only"
unlike 'phases: is given' "$problem" "" "--phases=times.csv"
unlike 'snapshot: is s2, on rank 0 it is s1' "$problem --snapshot-every 1" "--snapshot s1" "--snapshot s2"
unlike 'phases: is two.csv' "$problem" "--phases=one.csv" "--phases=two.csv"
unlike 'output: is b.h5 and out.npy, on rank 0 it is a.h5 and out.npy' "$problem --steps 2" "--output a.h5" "--output b.h5"
unlike 'output: is out.npy, on rank 0 it is b.npy and out.npy' "$problem --steps 2" "--output b.npy" ""
unlike 'objective: is edp, on rank 0 it is time' "$problem" "" "--objective edp"
unlike 'energy: is given' "$problem" "" "--energy"
unlike 'energy: is not given' "$problem" "--energy" ""
unlike 'energy=meter: is two.csv, on rank 0 it is one.csv' "$problem" "--energy=meter:one.csv" "--energy=meter:two.csv"
unlike 'rank 1: .*boundary' "$problem" "" "--boundary round"
# wrong arguments, found before ranks communicate: rank 0 prints the error, or the only rank with a wrong one
for wrong in "--size 9,x" "--fast" "--sched fifth" "--checkpoint-every 3"; do
  fails 2 "hetgrid-heat: .*(size|fast|sched|checkpoint)" "wrong on all ranks: $wrong" "$ranks" 3 "$heat" $wrong
  [ "$(grep -Ec '^(hetgrid-heat|.*/hetgrid-heat): ' "$work/err")" = 1 ]; ok $? "... is printed once"
done
for what in help usage version; do
  shown=$("$ranks" 3 "$heat" --$what | grep -Ec '^(Usage: hetgrid-heat|commit) ')
  [ "$shown" = 1 ]; ok $? "--$what is shown once by three ranks ($shown)"
done
fails 2 'hetgrid-heat: .*--size' "wrong on rank 1 alone" "$ranks" 2 "$each" "sleep 1; $heat --size 9,9" "$heat --size 9,x"
succeeds "the same contents elsewhere are the same" \
  "$ranks" 2 "$each" "$heat --quiet --init a.npy" "$heat --quiet --init c.npy"
succeeds "kernels and printing may differ between ranks" \
  "$ranks" 2 "$each" "$heat --quiet --size 50,40 --kernel naive" "$heat --size 50,40 --csv"
fails 2 'output: is not given, on rank 0 it is out.npy' "an output on one rank alone" \
  "$ranks" 2 "$each" "$heat --size 9,9 --output out.npy" "$heat --size 9,9"
fails 2 'program: is hetgrid-elimination, on rank 0 it is hetgrid-heat' "two programs" \
  "$ranks" 2 "$each" "$heat --size 9,9" "$elimination"

"$elimination" --quiet --matrix uniform:9 --nrhs 9 --output one.mtx
"$elimination" --quiet --matrix uniform:9 --nrhs 9 --seed 3 --output two.mtx
matmul=${HETGRID_MATMUL:-${elimination%-elimination}-matmul}
unlike 'size N: is 8, on rank 0 it is 9' "$matmul" "--size 9" "--size 9,8,9"
unlike 'nb.*: is 4' "$matmul --size 9" "--nb 3" "--nb 4"
unlike 'layout: is rectangles, on rank 0 it is rows' "$matmul --size 9" "" "--layout rectangles"
unlike 'partition: is nphp' "$matmul --size 9 --layout rectangles" "" "--partition nphp"
unlike 'model: is even, on rank 0 it is dfpa' "$matmul --size 9" "" "--model even"
unlike 'epsilon: is 0.1' "$matmul --size 9" "" "--epsilon .1"
unlike 'files B: is two.mtx' "$matmul" "--files one.mtx,one.mtx" "--files one.mtx,two.mtx"
unlike 'precision: is float' "$matmul --size 9" "" "--precision float"
unlike 'speeds: is 2,1' "$matmul --size 9 --model cpm" "--speeds 1,1" "--speeds 2,1"
system="$elimination --matrix uniform:90"
unlike 'matrix: is uniform:91, on rank 0 it is uniform:90' "$elimination" "--matrix uniform:90" "--matrix uniform:91"
unlike 'matrix: is two.mtx \(contents' "$elimination" "--matrix one.mtx" "--matrix two.mtx"
unlike 'rhs: is two.mtx \(contents' "$elimination --matrix uniform:9" "--rhs one.mtx" "--rhs two.mtx"
unlike 'nb.*: is 16, on rank 0 it is 0' "$system" "" "--nb 16"
unlike 'seed: is 5' "$system" "" "--seed 5"
unlike 'nrhs: is 5' "$system" "" "--nrhs 5"
unlike 'precision: is float' "$system" "" "--precision float"
unlike 'pivoting: is tournament, on rank 0 it is dynamic' "$system" "" "--pivoting tournament"
unlike 'grid P.*: is 1, on rank 0 it is 2' "$system" "--grid 2x1" "--grid 1x2"
unlike 'speeds: is 1,2' "$system" "--speeds 1,1" "--speeds 1,2"
unlike 'determinant: is given' "$system" "" "--determinant"
unlike 'factors: is lu.h5' "$system" "" "--factors lu.h5"

# a library that only one rank is given (a launcher may not pass the environment on)
for program in "$elimination --matrix uniform:90" "$matmul --size 9"; do
  fails 2 'BLAS \(HETGRID_BLAS\): is BLIS 9.9, on rank 0 it is ' "$(basename "${program%% *}") with two libraries" \
    "$ranks" 2 "$each" "$program" "HETGRID_BLAS=$blas $program"
done

unlike 'problem: is poisson, on rank 0 it is laplace' "$jacobi --size 20,20 --max-sweeps 9" "" "--problem poisson"
unlike 'max-sweeps: is 8, on rank 0 it is 9' "$jacobi --size 20,20" "--max-sweeps 9" "--max-sweeps 8"
unlike 'error: is 0.1' "$jacobi --size 20,20 --error .2" "" "--error .1"
unlike 'mode: is async' "$jacobi --size 20,20 --tolerance .01" "" "--mode async"
unlike 'inner-sweeps: is 4, on rank 0 it is 3' "$jacobi --size 20,20 --tolerance .01 --mode async" "--inner 3" "--inner 4"
unlike 'detect: is persistent, on rank 0 it is exact' "$jacobi --size 20,20 --tolerance .01 --mode async" "" "--detect persistent"
unlike 'delay-bound: is 2, on rank 0 it is 1' "$jacobi --size 20,20 --tolerance .01 --mode async --detect bounded" "--delay-bound 1" "--delay-bound 2"
unlike 'eager' "$jacobi --size 20,20 --tolerance .01 --mode async" "" "--eager"

if [ -x "$fft" ]; then
  for seed in 1 2; do "$fft" --quiet --batch 3 --size 4,4 --seed $seed --planner estimate --output $seed.npy; done
  mv 1.npy one.npy && mv 2.npy two.npy
  unlike 'batch or --size: is 4, on rank 0 it is 3' "$fft --size 8,8" "--batch 3" "--batch 4"
  unlike 'size: is 9, on rank 0 it is 8' "$fft --batch 3" "--size 8,8" "--size 9,8"
  unlike 'seed: is 2, on rank 0 it is 1' "$fft --batch 3 --size 8,8" "--seed 1" "--seed 2"
  unlike 'input: is two.npy \(contents' "$fft" "--input one.npy" "--input two.npy"
  unlike 'wisdom: is w2, on rank 0 it is w1' "$fft --batch 3 --size 8,8" "--wisdom w1" "--wisdom w2"
  unlike 'energy: is given' "$fft --batch 3 --size 8,8" "" "--energy"
  unlike 'inverse: is given' "$fft --batch 3 --size 8,8" "" "--inverse"
  unlike 'real: is given' "$fft --batch 3 --size 8,8" "" "--real"
  unlike 'precision: is float' "$fft --batch 3 --size 8,8" "" "--precision float"
  unlike 'planner: is estimate, on rank 0 it is measure' "$fft --batch 3 --size 8,8" "" "--planner estimate"
  unlike 'verify: is given' "$fft --batch 3 --size 8,8" "" "--verify"
  unlike 'epsilon: is 0.1' "$fft --batch 3 --size 8,8" "--epsilon .2" "--epsilon .1"
  unlike 'strategy: is div2' "$fft --batch 3 --size 8,8" "" "--strategy div2"
  unlike 'models: is given' "$fft --batch 3 --size 8,8" "" "--models learnt"
fi

unlike 'steps: is 3' "$average --size 20,20" "--steps 2" "--steps 3"
unlike 'input.*: is b.npy \(contents' "$average --steps 2" "--input a.npy" "--input b.npy"
# options of adr
printf '{"size": 8, "D": 0.1, "boundary": "mirror", "reaction": "none", "initial": 1}' > one.json
sed 's/"initial": 1/"initial": 2/' one.json > two.json
unlike 'problem: is two.json \(contents' "$adr --steps 2" "--problem one.json" "--problem two.json"
for pair in "problem: is conserve|--problem mms|--problem conserve" "size: is 8|--size 9|--size 8" "steps: is 3|--steps 2|--steps 3" \
  "scheme: is bdf2|--scheme euler|--scheme bdf2" "time: is 0.1, on rank 0 it is 0.2|--time .2|--time .1" "overlap: is 2|--overlap 1|--overlap 2" \
  "inner-solver: is bicg||--inner bicg" "inner-solver: is global|--overlap 0|--inner global" "inner-precision: is double||--inner-precision double" "jacobian: is step||--jacobian step" "mode: is async||--mode async" \
  "detect: is persistent|--mode async|--mode async --detect persistent" "eager|--mode async|--mode async --eager" \
  "force-async|--mode async|--mode async --force-async" "max-sweeps: is 50|--max-sweeps 60|--max-sweeps 50" \
  "verify||--verify" "partition: is auto|--partition rows|--partition auto" "speeds: is 1,2||--speeds 1,2" "checkpoint: is k.h5||--checkpoint k.h5" \
  "rebalance: is 0, on rank 0 it is 0.1|--rebalance .1|" "objective: is energy, on rank 0 it is time||--objective energy" \
  "history: is given||--history h.csv" "checkpoint-every: is 5|--checkpoint k.h5|--checkpoint k.h5 --checkpoint-every 5"; do
  IFS='|' read -r pattern one two <<< "$pair"
  unlike "$pattern" "$adr" "$one" "$two"
done
# one rank prints the phases of all
"$ranks" 3 "$heat" --size 60,50 --steps 5 --phases > out 2> err
[ "$(sed -n '/^phases in seconds/,$p' out | awk 'NR > 2 { print $1 }' | uniq | tr '\n' ' ')" = '0 1 2 ' ]; ok $? "phases are below their names, rank after rank"
done_testing
