#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs that look successful are successful: those that did not converge, are not finite, cannot print or write, or were
# interrupted say so.
. "${srcdir:-.}/tests/tap.sh"
plan=$PWD/hetgrid-plan trace=$PWD/hetgrid-trace calibrate=$PWD/hetgrid-calibrate simulate=$PWD/hetgrid-simulate
average=$PWD/apps/examples/average adr=$PWD/hetgrid-adr
cd "$work" || exit 99
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' "$2"; }

# --- tolerance
"$heat" --size 40,30 --tolerance 1e-9 --steps 20 --csv > row.csv 2> err; status=$?
[ $status = 0 ] && [ "$(column converged row.csv)" = no ]; ok $? "a tolerance that is not reached: the CSV row says so"
grep -q 'not converged: after 20 steps' err; ok $? "... and a warning ($(cat err))"
"$heat" --size 20,20 --tolerance 1e-2 --csv > row.csv 2> err
[ "$(column converged row.csv)" = yes ] && [ ! -s err ]; ok $? "one that is reached: the CSV row says so, and there is no warning"
"$heat" --size 20,20 --csv > row.csv
[ -z "$(column converged row.csv)" ]; ok $? "without a tolerance the column is empty"

# --- values that are not finite
echo kept > blown.npy
fails 1 'not a number.*first at \(' "an unstable run that overflows" \
  "$heat" --size 50,50 --init random --alpha .9 --allow-unstable --steps 9000 --output blown.npy
[ "$(cat blown.npy)" = kept ]; ok $? "... leaves the old output unchanged"
"$heat" --size 50,50 --init random --alpha .9 --allow-unstable --steps 9000 --csv > row.csv 2> err
[ $? = 1 ] && [ "$(column status row.csv)" = 'not finite' ]; ok $? "... and its CSV row says so"

# --- condition
"$elimination" --matrix hilb:100 --csv > row.csv 2> err
[ $? = 0 ] && grep -q 'ill-conditioned: rcond' err; ok $? "there is a warning about an ill-conditioned matrix ($(head -n 1 err))"
"$elimination" --matrix uniform:50 --determinant --csv > row.csv 2> err
[ -n "$(column rcond row.csv)" ] && [ -n "$(column det_log10 row.csv)" ] && [ ! -s err ]
ok $? "rcond and determinant are in the CSV row (rcond $(column rcond row.csv), 10^$(column det_log10 row.csv))"

# --- standard output
if [ -e /dev/full ]; then
  for program in "$heat --size 8,8" "$heat --help" "$elimination --matrix uniform:10" "$plan --grid 9,9 --speeds 1,2" \
    "$trace --help" "$calibrate --help" "$simulate --help" "$average --size 8,8 --steps 1"; do
    status=0; $program > /dev/full 2> err || status=$?
    [ $status = 1 ] && grep -q 'standard output' err; ok $? "on a full disk $(basename "${program%% *}") fails (status $status)"
  done
fi
(set +o pipefail; "$plan" --grid 900,900 --speeds '1*2000' --json 2> err; echo $? > status) | head -n 1 > /dev/null
[ "$(cat status)" = 1 ] && grep -q 'standard output: its reader ended before everything was written' err; ok $? "... and into a closed pipe ($(cat err))"

# --- outputs that cannot be written are found before anything is computed
fails 2 'two dimensions' "a matrix of a 3-D grid" timeout 60 "$heat" --size 50,50,50 --steps 1000000000 --output cube.mtx
unwritten() { fails 1 '^hetgrid-[a-z]*: nowhere/f[a-z.]*: No such file' "$2 in a missing folder" timeout 60 "$@"; }
unwritten "$heat" --phases=nowhere/f.csv --size 900,900 --steps 1000000000
unwritten "$adr" --history=nowhere/f.csv --size 8 --steps 1000000000
if mkdir small && mount -t tmpfs -o size=100k none small 2>/dev/null; then
  fails 1 'disk space' "an output that does not fit on the disk" timeout 60 "$heat" --size 400,400 --steps 1000000000 --output small/a.npy
  fails 1 'disk space' "... factors" timeout 60 "$elimination" --matrix uniform:2000 --factors small/lu.h5
  umount small
  mount -t tmpfs -o size=300k none small
  fails 1 'small/tr/[a-z_.]*: No space left on device' "a trace that does not fit" "$heat" --size 300,300 --steps 100 --tile 50,50 --quiet --trace=small/tr
  umount small
  # room for two checkpoints of 80 kB, not for a third one
  mount -t tmpfs -o size=210k none small
  checkpoints=(--size 100,100 --init random --checkpoint small/state.h5 --checkpoint-every 10)
  fails 1 'state.h5: could not be written at the end; the results are complete' "a disk that is full at later checkpoints" \
    "$heat" "${checkpoints[@]}" --steps 60 --output done.npy
  [ "$(grep -c 'no checkpoint after step .*; the run continues' "$work/err")" -ge 3 ]; ok $? "... warns of each ($(grep -m 1 'no checkpoint' "$work/err"))"
  "$heat" --size 100,100 --init random --steps 60 --quiet --output all.npy
  same done.npy all.npy "... and writes its result"
  "$heat" --size 100,100 --init random --steps 60 --restart small/state.h5 --output rest.npy > out
  grep -q 'restarted  after step 20 ' out && cmp -s rest.npy all.npy; ok $? "... the last written one can be resumed"
  umount small
fi

# --- interruptions
for signal in TERM INT HUP USR1 USR2 XCPU; do # signals that may be ignored here, as under nohup
  rm -f state.h5
  env --default-signal=HUP,USR1,USR2,XCPU "$heat" --size 300,300 --init random --steps 100000000 --checkpoint state.h5 --checkpoint-every 100000000 > out 2> err & pid=$!
  sleep 1.5; kill -$signal $pid; wait $pid; status=$?
  step=$(sed -n 's/.*after step \([0-9]*\).*/\1/p' err)
  [ $status = $((128 + $(kill -l $signal))) ] && [ -f state.h5 ] && [ "${step:-0}" -gt 0 ]
  ok $? "SIG$signal: a checkpoint is left, status $status ($(head -n 1 err))"
  "$heat" --size 300,300 --init random --steps $((step + 10)) --restart state.h5 --output rest.npy > out 2> err
  grep -q "restarted  after step $step of state.h5" out; ok $? "... a restart reports its first step"
  "$heat" --size 300,300 --init random --steps $((step + 10)) --quiet --output whole.npy
  same rest.npy whole.npy "... and gives the same bits as one run"
done
echo '#include <signal.h>
void starpu_prof_tool_library_register(void *a, void *b) { (void)a, (void)b, raise(SIGUSR1); }' > early.c
if ${CC:-cc} -shared -fPIC early.c -o early.so 2> err; then # StarPU calls it when it starts
  rm -f state.h5
  env --default-signal=USR1 STARPU_PROF_TOOL="$PWD/early.so" "$heat" --size 30,30 --steps 1 --checkpoint state.h5 > out 2> err; status=$?
  if [ $status = 0 ]; then skip "this StarPU has no profiling tools"; else
    [ $status = 138 ] && grep -q 'ended by signal 10' err && [ -f state.h5 ]; ok $? "SIGUSR1 while StarPU starts: status $status ($(tail -n 1 err))"
  fi
else skip "no compiler"; fi
rm -f state.h5
(ulimit -S -t 1; exec "$heat" --size 300,300 --steps 100000000 --checkpoint state.h5 --checkpoint-every 100000000 --quiet) > out 2> err; status=$?
[ $status = 152 ] && [ -f state.h5 ]; ok $? "ulimit -t, whose signal comes each second: status $status ($(tail -n 1 err))"
if [ -n "${MPIEXEC:-}" ]; then
  running() { for p in /proc/[0-9]*; do tr '\0' ' ' < "$p/cmdline" | grep -q '^[^ ]*hetgrid-heat --size 310,290' && echo "${p#/proc/}"; done 2> /dev/null; }
  for signal in TERM USR1; do
    rm -f state.h5
    "$ranks" 2 "$heat" --size 310,290 --init random --steps 100000000 --checkpoint state.h5 --checkpoint-every 100000000 2> err & pid=$!
    for _ in $(seq 100); do other=$(running | tail -n 1); [ -n "$other" ] && break; sleep .2; done
    sleep 3
    kill -$signal "$other"; wait $pid; status=$?
    number=$(kill -l $signal)
    [ $status = $((128 + number)) ] && [ -f state.h5 ] && grep -q 'after step' err
    ok $? "SIG$signal to one of two ranks ends both in order (status $status: $(head -n 2 err | tr '\n' ' '))"
    launchers=$(grep ": signal $number " err | grep -c 'a launcher sends it')
    [ $((launchers > 0)) = $((number == 15)) ]; ok $? "... and a launcher is named as the sender of SIGTERM only ($launchers)"
  done
fi
rm -f state.h5
"$heat" --size 200,200 --steps 100000000 --checkpoint state.h5 --checkpoint-minutes .01 --quiet & pid=$!
for _ in $(seq 100); do [ -f state.h5 ] && break; sleep .1; done
kill -9 $pid; wait $pid 2> /dev/null
[ -f state.h5 ]; ok $? "--checkpoint-minutes saves without a signal"
for option in minutes every; do
  fails 2 "checkpoint-$option: needs --checkpoint" "--checkpoint-$option alone" "$heat" --size 8,8 --checkpoint-$option 1
done

# --- CSV stays CSV
"$heat" --size 60,40 --plan-only --csv > regions.csv
awk -F, 'NR == 1 { n = NF } NF != n || $10 == "" { bad = 1 } END { exit bad || NR != 3 }' regions.csv
ok $? "--plan-only --csv is a table of regions"
fails 2 'phases' "--phases with --csv" "$heat" --size 8,8 --phases --csv

# --- the environment
for setting in HETGRID_LOG=loud HETGRID_SCHED_EPSILON=abc HETGRID_SCHED_STEAL=maybe HETGRID_TRACE=tape HETGRID_MAILBOX_DELAY=often HETGRID_MAILBOX_DELAY=-1 HETGRID_MAILBOX_DELAY=.1,x; do
  for program in "$heat --size 8,8" "$plan --grid 9,9 --speeds 1" "$average --size 8,8"; do
    fails 2 "${setting%=*}: .*${setting#*=}" "$setting is refused by $(basename "${program%% *}")" env "$setting" $program
  done
done

# --- variables and folders at which StarPU would abort
for setting in STARPU_NCPU=two STARPU_NCPU=-1 STARPU_NCPU= STARPU_SCHED_ALPHA= STARPU_CALIBRATE=yes STARPU_SCHED_ALPHA=much STARPU_SCHED=nonsense; do
  for program in "$heat --size 8,8" "$elimination --matrix uniform:10" "$average --size 8,8 --steps 1"; do
    fails 2 "${setting%=*}: .*${setting#*=}" "$setting is refused by $(basename "${program%% *}")" env "$setting" $program
  done
done
for folder in /dev/null /proc/none; do
  fails 1 'StarPU cannot store its models in .*STARPU_HOME' "a folder that cannot be written for StarPU ($folder)" \
    env STARPU_HOME="$folder" "$heat" --size 8,8
done
fails 1 'by HOME' "... nor a home" env -u STARPU_HOME HOME=/dev/null "$heat" --size 8,8

# --- numbers and names in messages
"$heat" --size 30,20 --steps 1e2 > out; grep -q '30 x 20 cells.* 100 steps' out; ok $? "--steps 1e2 is a hundred steps"
grep -q 'of 1 rank,' out && ! grep -q 'x 1 ' out; ok $? "the report says '1 rank', and a 2-D grid has two extents"
fails 2 'whole number' "--steps 1e-2 is refused" "$heat" --size 8,8 --steps 1e-2
HETGRID_TABLES=$work/none fails 1 'hetgrid-calibrate' "tables: without any" "$heat" --size 80,80 --speeds tables:
{ printf "\\x93NUMPY\\x01\\x00\\x46\\x00{'descr': '<c16', 'fortran_order': False, 'shape': (3, 3), }            \\n"; head -c 144 /dev/zero; } > complex.npy
"$heat" --init complex.npy 2> err; grep -q "of type '<c16', must be" err && ! grep -q fortran err
ok $? "a message about an unknown type names it without the rest of the header ($(cat err))"
done_testing
