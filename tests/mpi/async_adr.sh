#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Asynchronous hetgrid-adr: residuals recomputed serially under random delays, golden cases, the fallback.
. "${srcdir:-.}/tests/tap.sh"
adr=$PWD/hetgrid-adr
cd "$work" || exit 99
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' "$2"; }
problems=("--size 7 --time .05 --steps 2" "--problem conserve --size 6,5,9 --time .08 --steps 2" "--problem diurnal --size 6,2,8 --time 240 --steps 2"
  "--size 9,6,8 --time .02 --steps 1 --partition columns" "--size 7,6,8 --time .05 --steps 2 --overlap 0 --inner bicg")
check_run() { # check_run NAME COMMAND...: counts a run; --verify recomputes the residual of the result
  local name=$1 status=0; shift
  runs=$((runs + 1))
  timeout $hang "$@" --mode async --csv --verify > row 2> err || status=$?
  awk -v r="$(column residual row)" -v s=$status 'BEGIN { exit !(s == 0 && r != "" && r <= 1e-8) }' ||
    { wrong=$((wrong + 1)); echo "# $name: status $status, residual $(column residual row): $(tail -n 1 err)"; }
  fallbacks=$((fallbacks + $(column fallbacks row)))
}
many=$((${HETGRID_RUNS:-50} / 5 * 5)) # the same number of runs for each problem
first=${HETGRID_SEED:-$(($(date +%s) % 100000))}
echo "# HETGRID_SEED=$first HETGRID_RUNS=$many"
runs=0 wrong=0 fallbacks=0 steps=$((many * 9 / 5))
for seed in $(seq "$first" $((first + many - 1))); do
  export STARPU_NCPU=$((seed % 3 + 1)) HETGRID_MAILBOX_DELAY=.000$((seed % 5)),$seed
  # shellcheck disable=SC2086
  check_run "seed $seed on $STARPU_NCPU workers" "$adr" ${problems[$((seed % 5))]} --overlap $((seed % 4))
done
ok $wrong "$runs runs on 1 to 3 workers with random delays: $wrong residuals are too large"
# a worker that other programs keep from its core may make a step exceed its limit of sweeps
[ $((10 * fallbacks)) -le $steps ]; ok $? "... and $fallbacks of $steps steps had to be repeated"
if [ -n "${MPIEXEC:-}" ]; then
  runs=0 wrong=0
  for seed in $(seq "$first" $((first + many / 5 - 1))); do
    export HETGRID_MAILBOX_DELAY=.000$((seed % 7 + 1)),$seed
    # shellcheck disable=SC2086
    check_run "seed $seed on $((seed % 3 + 2)) ranks" "$ranks" $((seed % 3 + 2)) "$adr" ${problems[$((seed % 5))]}
  done
  ok $wrong "$runs runs on 2 to 4 ranks: $wrong residuals are too large"
fi
unset HETGRID_MAILBOX_DELAY
export STARPU_NCPU=2

# the golden cases, against the serial solution to which they refer
for arguments in "--size 7 --steps 4" "--size 15 --steps 8 --scheme bdf2" "--problem conserve --size 8 --time .2 --steps 5 --partition auto" \
  "--problem diurnal --steps 20 --jacobian step" "--size 12,7,9 --steps 4 --inner bicg --eager" "--size 9 --steps 3 --detect persistent" "--size 9 --steps 3 --detect bounded --delay-bound .02"; do
  # shellcheck disable=SC2086
  succeeds "$arguments" "$adr" $arguments --tolerance 1e-11 --mode async --verify
done
"$adr" --problem conserve --size 8 --time .2 --steps 5 --mode async --csv > row
awk -v s="$(column sum row)" 'BEGIN { d = s - 1024; if (d < 0) d = -d; exit !(d <= 1024 * 2 * 5 * 1e-8) }'; ok $? "conserve conserves ($(column sum row))"
[ "$(column mode row)" = async ] && [ "$(column snapshots row)" -eq 0 ] && [ "$(column sweeps_min row)" -le "$(column sweeps_max row)" ]
ok $? "columns: mode, $(column snapshots row) snapshots, $(column sweeps_min row) to $(column sweeps_max row) sweeps of a block and step"

# steps not certain to converge: all steps, or those after the sun has risen too far for the earlier weights
"$adr" --problem diurnal --steps 60 --mode async --csv --verify > row 2> err; a=$?
[ $a -eq 0 ] && [ "$(column fallbacks row)" -ge 1 ] && [ "$(column fallbacks row)" -le 8 ] && [ "$(grep -c 'not certain' err)" -eq 1 ]
ok $? "weights that are no longer valid are computed again ($(column fallbacks row) of 60 steps are synchronous: $(head -n 1 err))"
"$adr" --problem conserve --size 8 --time 2 --steps 2 --mode async --csv --verify > row 2> err
[ "$(column fallbacks row)" -eq 2 ] && [ "$(grep -c 'not certain' err)" -eq 1 ]; ok $? "no certificate: synchronous, one warning ($(head -n 1 err))"
"$adr" --problem conserve --size 8 --time .8 --steps 2 --mode async --force-async --csv --verify > row 2> err
ok $? "--force-async tries it ($(column snapshots row) snapshots, $(column fallbacks row) fall-backs)"
"$adr" --size 15 --time .2 --steps 4 --max-sweeps 40 --overlap 0 --mode async --csv --verify --output a.npy > row 2> err; a=$?
HETGRID_MAILBOX_DELAY=.02 "$adr" --size 15 --time .2 --steps 4 --max-sweeps 40 --overlap 0 --eager --mode async --csv --verify --output b.npy > row 2> err
[ $? -eq 0 ] && [ $a -eq 0 ] && [ "$(column fallbacks row)" -eq 4 ] && [ "$(grep -c 'made synchronously' err)" -eq 1 ]
ok $? "steps that take too many sweeps are repeated, one warning ($(head -n 1 err))"
"$adr" --size 9 --steps 2 --mode async --quiet --checkpoint c.h5 && "$adr" --size 9 --time .2 --steps 4 --mode async --restart c.h5 --verify > out 2>&1
ok $? "a checkpoint between steps ($(tail -n 1 out))"
for option in "--detect exact" "--eager" "--force-async"; do
  # shellcheck disable=SC2086
  fails 2 "${option%% *}: only with --mode async" "$option without it" "$adr" --size 5 --steps 1 $option
done
done_testing
