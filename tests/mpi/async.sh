#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Asynchronous relaxation: runs with random delays, whose results are checked from the written files.
. "${srcdir:-.}/tests/tap.sh"
jacobi=$PWD/hetgrid-jacobi
cd "$work" || exit 99
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' "$2"; }

# change FILE: largest change by one more sweep in a field of laplace
change() {
  awk -F, '{ for (i = 1; i <= NF; i++) u[NR, i] = $i; n = NF }
    END { for (y = 2; y < NR; y++) for (x = 2; x < n; x++) {
            d = ((u[y, x - 1] + u[y, x + 1]) + (u[y - 1, x] + u[y + 1, x])) / 4 - u[y, x]; if (d < 0) d = -d; if (d > w) w = d }
          printf "%.17g\n", w }' "$1"
}
check_run() { # check_run NAME TOLERANCE COMMAND...: counts a run; the change of its result u.csv must be as reported
  local name=$1 tolerance=$2 status=0; shift 2
  runs=$((runs + 1))
  rm -f u.csv
  timeout $hang "$@" --tolerance "$tolerance" --mode async --csv --verify --output u.csv > row 2> err || status=$?
  change u.csv > d 2>> err
  awk -v d="$(cat d)" -v t="$tolerance" -v said="$(column change row)" -v s=$status \
    'BEGIN { e = d - said; if (e < 0) e = -e; exit !(s == 0 && d != "" && d <= t * (1 + 1e-12) && e <= 1e-15) }' ||
    { wrong=$((wrong + 1)); echo "# $name: status $status, change $(cat d), said $(column change row), wanted <= $tolerance: $(tail -n 1 err)"; }
  awk -v d="$(cat d)" -v t="$tolerance" 'BEGIN { exit !(d > t / 1000) }' || late=$((late + 1))
  snapshots=$((snapshots + $(column snapshots row)))
}
runs=0 wrong=0 late=0 snapshots=0
first=${HETGRID_SEED:-$(($(date +%s) % 100000))} many=${HETGRID_RUNS:-60}
echo "# HETGRID_SEED=$first HETGRID_RUNS=$many"
for seed in $(seq "$first" $((first + many - 1))); do
  export STARPU_NCPU=$((seed % 3 + 1)) HETGRID_MAILBOX_DELAY=.000$((seed % 5)),$seed
  check_run "seed $seed on $STARPU_NCPU workers" 1e-4 "$jacobi" --size $((11 + seed % 13)),$((9 + seed % 7)) --inner $((seed % 4 + 1))
done
ok $wrong "$runs runs on 1 to 3 workers: $wrong results changed more in a sweep than they may; $snapshots snapshots"
# If the system stops a thread between two snapshots, the others continue sweeping; a few such runs are tolerated.
[ $((10 * late)) -lt "$runs" ]; ok $? "... and at most one in ten continued needlessly ($late below a thousandth of the tolerance)"
if [ -n "${MPIEXEC:-}" ]; then
  runs=0 wrong=0 snapshots=0
  for seed in $(seq "$first" $((first + many / 5 - 1))); do
    export HETGRID_MAILBOX_DELAY=.000$((seed % 7 + 1)),$seed
    check_run "seed $seed on $((seed % 3 + 2)) ranks" 1e-3 "$ranks" $((seed % 3 + 2)) "$jacobi" --size $((13 + seed % 5)),$((12 + seed % 7)) --inner $((seed % 3 + 1))
  done
  ok $wrong "$runs runs on 2 to 4 ranks: $wrong are wrong; $snapshots snapshots"
  HETGRID_MAILBOX_DELAY=.001 succeeds "several tiles per worker, periodic delays, two runs" "$ranks" 2 "$jacobi" --size 40,40 --tile 13,11 \
    --partition nphp --residual 1 --mode async --repeat 2 --warmup 1 --verify
fi
unset HETGRID_MAILBOX_DELAY
export STARPU_NCPU=2

for arguments in "--size 60,50 --problem poisson --error 1e-4" "--size 50,60 --precision float --tolerance 1e-5" "--size 40,40 --source 3 --tolerance 1e-4" \
  "--size 90,70 --tolerance 1e-5 --tile 20,20" "--size 60,60 --tolerance 1e-5 --sched lws --inner 7" "--size 3,3 --tolerance 1e-9" \
  "--size 50,50 --tolerance 1e-4 --detect persistent --eager" "--size 50,50 --tolerance 1e-4 --detect bounded --delay-bound .02"; do
  # shellcheck disable=SC2086
  succeeds "$arguments: the change is that of a plain sweep" "$jacobi" $arguments --mode async --verify
done
"$jacobi" --size 60,50 --problem poisson --error 1e-4 --mode async --csv > row
awk "BEGIN { exit !($(column error_bound row) <= 1e-4) }"; ok $? "--error holds ($(column error_bound row))"
[ "$(column mode row)" = async ] && [ "$(column converged row)" = yes ] && [ "$(column sweeps_min row)" -gt 0 ] &&
  [ "$(column sweeps_min row)" -le "$(column steps row)" ] && [ "$(column steps row)" -le "$(column sweeps_max row)" ]
ok $? "columns say mode, sweeps of the tiles ($(column sweeps_min row) to $(column sweeps_max row)), snapshots ($(column snapshots row))"
"$jacobi" --size 60,40 --tile 20,20 --tolerance 1e-5 --mode async --repeat 12 --csv > rows
replaced=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "replaced") k = i } NR > 1 { print $k }' rows)
[ "$(wc -w <<< "$replaced")" -eq 12 ] && [ "$replaced" != "$(sort -n <<< "$replaced")" ]
ok $? "... messages that were replaced by later ones, in this run alone ($(tr "\n" " " <<< "$replaced"))"
"$jacobi" --size 60,60 --tolerance 1e-9 --max-sweeps 50 --mode async --csv --verify > row 2> err
[ "$(column converged row)" = no ] && grep -q 'not converged' err && [ "$(column sweeps_max row)" -le 50 ]
ok $? "--max-sweeps ends it, and it says so ($(tail -n 1 err))"

for option in "--checkpoint c.h5" "--restart c.h5" "--snapshot-every 5" "--rebalance .1" "--time-block 3"; do
  # shellcheck disable=SC2086
  fails 2 "${option%% *}: not with --mode async" "$option" "$jacobi" --size 20,20 --tolerance 1e-3 --mode async $option
done
fails 2 'needs --tolerance' "no criterion except --max-sweeps" "$jacobi" --size 20,20 --max-sweeps 10 --mode async
for option in "--inner-sweeps 4" "--detect exact" "--delay-bound 1" "--eager"; do
  # shellcheck disable=SC2086
  fails 2 "${option%% *}: only with --mode async" "$option without it" "$jacobi" --size 20,20 --tolerance 1e-3 $option
done
fails 2 'flags' "naive detection is not available" "$jacobi" --size 20,20 --tolerance 1e-3 --mode async --detect flags
fails 2 'needs --delay-bound' "a missing bound" "$jacobi" --size 20,20 --tolerance 1e-3 --mode async --detect bounded
fails 2 'only with --detect bounded' "a bound for nothing" "$jacobi" --size 20,20 --tolerance 1e-3 --mode async --delay-bound 1
fails 2 'delay-bound: 0' "no time" "$jacobi" --size 20,20 --tolerance 1e-3 --mode async --detect bounded --delay-bound 0
fails 2 '--inner' "no sweeps a task" "$jacobi" --size 20,20 --tolerance 1e-3 --mode async --inner 0
done_testing
