#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# --rebalance: the grid is redivided while the program runs, and not a bit of the result changes.
. "${srcdir:-.}/tests/tap.sh"
examples=$PWD/apps/examples steps=$PWD/tests/examples
cd "$work" || exit 99
moves() { sed -n 's/^  rebalanced \([0-9]*\) time.*/\1/p' "$work/out"; }
moved() { [ "$(moves)" -ge 1 ]; ok $? "... and moved $(moves) times"; } # shares wrong by a factor of ten do not stay
until_moves() { # NAME COMMAND..: retries, since other programs may slow the worker with little work equally
  local try code
  for try in 1 2 3; do
    code=0; timeout $hang "${@:2}" > "$work/out" 2> "$work/err" || code=$?
    [ $code = 0 ] && [ "$(moves)" = 0 ] || break
  done
  ended $code "$@"
}
balanced() { # case ARGUMENTS: verified against the serial result
  local name=$1; shift
  until_moves "$name" "$@" --init random --rebalance 1e-5 --verify
  grep -q 'bit for bit' "$work/out"; ok $? "... is the serial result bit for bit"
  moved
}
balanced "2-D" "$heat" --size 400,300 --steps 1500 --block 5 --speeds 10,1
balanced "2-D, periodic and insulated, single precision, a source" "$heat" --size 300,301 --steps 2000 --block 3 --speeds 1,10 --precision float --source .01 \
  --boundary west=periodic,east=periodic,north=insulated,south=fixed=5
balanced "3-D" "$heat" --size 60,50,40 --steps 400 --block 2 --speeds 10,1
balanced "1-D" "$heat" --size 20000 --steps 1500 --block 5 --speeds 10,1
balanced "another policy" "$heat" --size 400,300 --steps 1500 --block 5 --speeds 10,1 --sched lws
balanced "two ranks" "$ranks" 2 "$heat" --size 400,300 --steps 1500 --block 5 --speeds 10,1
several="STARPU_NCPU=2 $heat --size 400,300 --steps 3000 --block 5 --init random --rebalance 1e-5 --verify"
succeeds "two ranks whose policies differ" "$ranks" 2 "$each" "$several --sched hetgrid" "$several --sched lws"
moved
balanced "three ranks in 3-D" "$ranks" 3 "$heat" --size 60,50,40 --steps 200 --block 2 --speeds 1,3,10 --boundary periodic
balanced "four ranks, a worker without cells" "$ranks" 4 "$heat" --size 200,200 --steps 300 --block 2 --speeds 10,1,1,0
"$ranks" 2 "$heat" --size 400,300 --steps 300 --block 5 --speeds 50,1 --rebalance .5 --init random > shares 2>/dev/null; ok $? "shares of 50 to 1 on two equal cores"
awk '/^  partition/ { for (i = 1; i <= NF; i++) if ($i == "most") { w = $(i + 1); h = $(i + 3) } } END { exit !(w * h < 400 * 300 * .9) }' shares; ok $? "... do not stay: $(grep partition shares)"
succeeds "a tolerance stops a run that moves" "$heat" --size 100,100 --tolerance 1e-4 --check-every 30 --block 3 --rebalance 1e-5 --speeds 10,1
succeeds "with checkpoints" "$heat" --size 200,200 --steps 90 --block 3 --speeds 10,1 --rebalance 1e-5 --init random --checkpoint c.h5 --checkpoint-every 40 --output a.npy
succeeds "... from which another run continues" "$heat" --size 200,200 --steps 120 --init random --restart c.h5 --rebalance 1e-5 --output b.npy
succeeds "(without)" "$heat" --size 200,200 --steps 120 --init random --output d.npy
same b.npy d.npy "... to the same result"
# applications of the library
application() { # application NAME SIZE STEPS ARGUMENTS: the same result as a run with a fixed division
  "$examples/$1" --quiet --size $2 --steps $3 --output stays.npy
  until_moves "$1 ${*:4}" "${runner[@]}" "$examples/$1" --size $2 --steps $3 --rebalance 1e-5 --output moves.npy "${@:4}"
  moved
  same stays.npy moves.npy "... with the same result"
}
runner=()
application average 300,200 200 --block 3 --speeds 10,1
application random_graph 40,30 70 --speeds 10,1 --sched hetgrid-even
application elimination_units 90,90 89 --speeds 1,10 --sched hetgrid-even
examples=$steps application steps 300,200 300 --block 3 --speeds 10,1
runner=("$ranks" 2)
application life 100,90 120 --block 2 --speeds 10,1
application random_graph 40,30 70 --speeds 10,1
runner=("$ranks" 3)
application cube 20,18,16 40 --speeds 1,3,10
# without options: a worker that is eight times slower (tests/drag) is detected and gets less work
drag=$examples/../../tests/drag/.libs/drag.so
if STARPU_PROF_TOOL=$drag HG_DRAG=nonsense "$heat" --size 10,10 > out 2> err; then # this StarPU has no profiling tools
  skip "no worker can be slowed: StarPU has no profiling tools"
else
  slowed() { # NAME DRAG ARGUMENTS: other programs may slow the other worker as much, but not always
    local name=$1 try count; shift
    for try in 1 2 3; do
      timeout $hang env STARPU_PROF_TOOL="$drag" HG_DRAG="$1" HETGRID_LOG=info "${@:2}" > out 2> err || break
      count=$(grep -c 'rebalanced before step' err) && break
    done
    [ "${count:-0}" -ge 1 ]; ok $? "$name: moved $count times at try $try ($(grep -v rebalanced err | tail -n 1))"
  }
  "$heat" --size 1000,1000 --steps 2000 --rebalance off --quiet --output e.npy
  slowed "one of two workers is slow" 1=8 "$heat" --size 1000,1000 --steps 2000 --output f.npy
  same e.npy f.npy "... with the same result"
  slowed "one of two ranks is slow" 1.0=8 "$ranks" 2 "$heat" --size 1000,1000 --steps 2000 --output g.npy
  same e.npy g.npy "... with the same result"
  slowed "an application" 1=8 "$examples/average" --size 1000,1000 --steps 2400 --block 4 --output h.npy
  "$examples/average" --quiet --size 1000,1000 --steps 2400 --block 4 --rebalance off --output i.npy
  same h.npy i.npy "... with the same result"
  printf '1e6,0,1e-3\n' > slow.csv; printf '1e6,0,1e-4\n' > fast.csv
  slowed "tables that say the opposite" 1=8 "$heat" --size 600,600 --steps 4000 --speeds tables:slow.csv,fast.csv
  # the next run uses the learnt speeds from its first step on
  parts() { "$@" --plan-only --csv 2> /dev/null | tail -n +2 | cut -d, -f10 | paste -sd' '; } # cells of the regions
  unlike() { awk '{ for (i = 1; i <= NF; i++) { if (i == 1 || $i > most) most = $i; if (i == 1 || $i < least) least = $i } exit !(least > 0 && most > 1.5 * least) }'; }
  learns() { # NAME DRAG COMMAND..
    local name=$1 drag_of=$2; shift 2
    local run=("$@" --size 600,600 --steps 600 --partition rows --models learnt)
    rm -rf learnt
    succeeds "$name keeps what it learns" env STARPU_PROF_TOOL="$drag" HG_DRAG="$drag_of" "${run[@]}" --output j.npy
    [ "$(find learnt -name '*-worker*.csv' | wc -l)" -ge 2 ]; ok $? "... one table per worker: $(ls learnt | tr '\n' ' ')"
    parts "${run[@]}" | unlike; ok $? "... which divide the next run: $(parts "${run[@]}") cells"
    succeeds "... which runs" "${run[@]}" --output k.npy
    grep -q 'by learnt speeds' "$work/out"; ok $? "... and says so"
    same j.npy k.npy "... with the same result"
  }
  learns "one of two workers is slow: it" 1=8 "$heat"
  learns "one of two ranks is slow: the run" 1.0=8 "$ranks" 2 "$heat"
  learns "a run that does not move" 1.0=8 "$ranks" 2 "$heat" --rebalance off
  # columns of an elimination have no owners in one process: the worker that would finish first takes the next task
  tasks() { # ENVIRONMENT..: number of each worker's tasks
    env STARPU_PROF_TOOL="$drag" STARPU_PROFILING=1 STARPU_WORKER_STATS=1 "$@" "$elimination" --matrix uniform:1500 --nb 96 --factor-only 2>&1 |
      awk '/^CPU [01] /{ on = 1; next } on && / task\(s\)/ { printf("%d ", $1); on = 0 }'
  }
  few() { awk '{ exit !(NF == 2 && $1 > 2 * $2) }' counts; }
  for try in 1 2 3; do # other programs may slow the fast one
    tasks HG_DRAG=1=8 > counts
    ! few || break
  done
  few; ok $? "of an elimination a slow worker does few tasks: $(cat counts)at try $try"
  tasks HG_DRAG=1=8 HG_DRAG_THEN=0=8 HG_DRAG_AFTER=150 | tee counts | awk '{ exit !(NF == 2 && $2 > $1) }'
  ok $? "... and the other one if it is slow from the 150th task on: $(cat counts)"
  succeeds "never" env STARPU_PROF_TOOL="$drag" HG_DRAG=1=8 HETGRID_LOG=info "$heat" --size 600,600 --steps 1000 --rebalance off
  grep -q 'rebalanced' "$work/out" "$work/err"; ok $((! $?)) "... it does not move if told so"
  succeeds "given shares stay" env STARPU_PROF_TOOL="$drag" HG_DRAG=1=8 HETGRID_LOG=info "$heat" --size 600,600 --steps 1000 --speeds 1,1
  grep -q 'rebalanced' "$work/out" "$work/err"; ok $((! $?)) "... unless told otherwise"
fi
echo > a.file; mkdir broken; echo '1,0,-1' > broken/heat-8-bytes-rank0-of-1-worker0.csv
fails 2 'variable size cannot be rebalanced' "values of variable size stay" "$examples/histories" --rebalance .1
fails 2 'rebalance: .* must be auto, off or a number in' "no share at all" "$heat" --rebalance 0
fails 2 'models.*--speeds' "learnt speeds and given ones" "$heat" --size 10,10 --models learnt --speeds 1,1
fails 2 'models.*csv' "boxes from a file do not follow learnt speeds" "$heat" --size 10,10 --partition x.csv --models learnt
for models in a.file a.file/learnt; do fails 1 'a.file: is not a folder' "an impossible folder" "$heat" --size 10,10 --models $models; done
fails 2 'heat.*worker0.csv' "an invalid table" "$heat" --size 10,10 --models broken
fails 2 'rebalance.*csv' "boxes from a file are not redivided" "$heat" --size 10,10 --rebalance .1 --partition x.csv
done_testing
