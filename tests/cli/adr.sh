#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-adr: known numbers, the serial solution for all divisions, bits, conservation, restart, wrong input.
. "${srcdir:-.}/tests/tap.sh"
here=$(cd "${srcdir:-.}" && pwd)
adr=$PWD/hetgrid-adr
cd "$work" || exit 99
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' "$2"; }
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a <= b) }'; }
differ() { # differ A B EPS: whether they differ by more than EPS
  awk -v a="$1" -v b="$2" -v eps="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d > eps) }'
}
same_fields() { # same_fields A.h5 B.h5 NAME: compares both species only
  local species
  for species in c1 c2; do
    "$heat" --quiet --init "$1:$species" --steps 0 --output one.npy && "$heat" --quiet --init "$2:$species" --steps 0 --output two.npy
    cmp -s one.npy two.npy || { ok 1 "$3: $species of $1 and $2 differ"; return; }
  done
  ok 0 "$3"
}

"$adr" --golden "$here/tests/golden/adr.json" > tap; status=$?
ok $status "golden cases: $(grep -c '^ok' tap) of $(tail -n 1 tap | cut -d. -f3) hold $(grep '^not ok' tap | head -n 3 | tr '\n' ' ')"
sed 's/1.455373234588947/1.455373334588947/' "$here/tests/golden/adr.json" > wrong.json
"$adr" --golden wrong.json > tap 2> err; [ $? -eq 1 ] && grep -q '^not ok 1' tap; ok $? "a number that is 1e-7 off does not hold"

# every division gives the serial solution, converged to the tolerance
for cores in 1 2 3; do
  export STARPU_NCPU=$cores
  for arguments in "--size 9 --steps 3 --overlap 0" "--size 12,7,9 --steps 4 --scheme bdf2 --inner bicg" \
    "--problem conserve --size 8 --time .2 --steps 5 --partition auto --overlap 4" "--problem conserve --size 6,6,9 --steps 2 --partition columns" \
    "--problem diurnal --steps 20 --jacobian step" "--problem diurnal --size 8,1,8 --steps 60 --inner bicg" \
    "--size 10 --steps 2 --inner-tolerance 1e-6 --speeds $([ "$cores" -eq 1 ] && echo 1 || echo 3,1)"; do
    [ "$cores" -lt 3 ] || [[ $arguments != *--speeds* ]] || continue
    # shellcheck disable=SC2086
    succeeds "$cores workers, $arguments" "$adr" $arguments --tolerance 1e-11 --verify
  done
done
export STARPU_NCPU=2

# bits
for overlap in 0 1 3; do
  common="--size 11,10,13 --steps 4 --overlap $overlap --quiet"
  # shellcheck disable=SC2086
  {
    "$adr" $common --output a.h5 && "$adr" $common --output b.h5 --sched lws && "$adr" $common --output c.h5 --sched hetgrid-even
    same_fields a.h5 b.h5 "overlap $overlap: lws gives the same bits"
    same_fields a.h5 c.h5 "overlap $overlap: hetgrid-even gives the same bits"
    if [ -n "${MPIEXEC:-}" ]; then
      succeeds "two ranks of one worker each" env STARPU_NCPU=1 "$MPIEXEC" --oversubscribe -n 2 "$adr" $common --output d.h5
      same_fields a.h5 d.h5 "overlap $overlap: two ranks of one worker each give the bits of two workers"
    fi
  }
done
if [ -n "${MPIEXEC:-}" ]; then
  for n in 3 4; do
    succeeds "$n ranks, periodic, boxes" env STARPU_NCPU=1 "$MPIEXEC" --oversubscribe -n $n "$adr" --problem conserve --size 8 --time .2 \
      --steps 5 --partition auto --tolerance 1e-11 --verify
  done
  fails 2 '--overlap' "ranks with different overlaps" "$MPIEXEC" --oversubscribe -n 2 "$each" "$adr --steps 1 --overlap 1" "$adr --steps 1 --overlap 2"
fi

# one Krylov method over all blocks
STARPU_NCPU=1 "$adr" --size 11,10,13 --steps 4 --overlap 0 --quiet --output one.h5
STARPU_NCPU=1 "$adr" --size 11,10,13 --steps 4 --inner global --quiet --output all.h5
same_fields all.h5 one.h5 "one block: --inner global has the bits of the block's own method"
for arguments in "--size 11,10,13 --steps 4" "--problem conserve --size 8 --time .2 --steps 5 --partition auto --jacobian step" \
  "--problem diurnal --steps 20 --inner-precision double"; do
  # shellcheck disable=SC2086
  {
    STARPU_NCPU=1 "$adr" $arguments --csv > one.csv
    succeeds "--inner global, $arguments" "$adr" $arguments --inner global --tolerance 1e-11 --verify
    "$adr" $arguments --inner global --output a.h5 --csv > all.csv && "$adr" $arguments --inner global --quiet --output b.h5 --sched lws
    same_fields a.h5 b.h5 "... the same bits by lws"
    awk -v one="$(column linear one.csv)" -v all="$(column linear all.csv)" 'BEGIN { exit !(all <= 1.2 * one + 2) }'
    ok $? "... two blocks take the iterations of one: $(column linear all.csv), $(column linear one.csv)"
    if [ -n "${MPIEXEC:-}" ]; then
      succeeds "two ranks of a worker" env STARPU_NCPU=1 "$MPIEXEC" --oversubscribe -n 2 "$adr" $arguments --inner global --quiet --output c.h5
      same_fields a.h5 c.h5 "... and its bits"
    fi
  }
done
fails 2 '--overlap: 2 planes, must be 0' "an overlap of blocks with one method over all" "$adr" --inner global --overlap 2
fails 2 '--mode async: --inner-solver global waits' "an asynchronous method over all blocks" "$adr" --inner global --mode async
STARPU_NCPU=3 "$adr" --size 4,4,2 --inner global --steps 2 --verify --quiet 2> err; ok $? "... with more workers than planes"

# planes move between time steps
moves() { # moves NAME COMMAND...: verified runs with shares wrong by a factor of eight. If other programs
  # disturb the first steps, a run may end before it is sure that a move pays; so up to five runs are tried
  local name=$1 try status=0; shift
  for try in 1 2 3 4 5; do
    timeout $hang "$@" --speeds 8,1 --rebalance 1e-4 --tolerance 1e-10 --verify > "$work/out" 2> "$work/err" || { status=$?; break; }
    ! grep -q 'rebalanced [1-9]' "$work/out" || break
  done
  ok $status "$name ($(tail -n 1 "$work/err"))"
  grep -q 'rebalanced [1-9]' "$work/out"; ok $? "... and moves ($(grep rebalanced "$work/out"))"
}
moves "planes move" "$adr" --size 14,14,20 --steps 12
moves "planes move, bdf2, periodic" "$adr" --problem conserve --size 10,10,24 --steps 12 --scheme bdf2 --overlap 1
moves "planes move, one method over all blocks" "$adr" --size 14,14,20 --steps 12 --inner global
succeeds "planes may move in asynchronous mode" "$adr" --size 14,14,20 --steps 12 --mode async --speeds 8,1 --rebalance 1e-4 --tolerance 1e-10 --verify
[ -z "${MPIEXEC:-}" ] || moves "planes move between ranks" env STARPU_NCPU=1 "$MPIEXEC" --oversubscribe -n 2 "$adr" --size 14,14,20 --steps 12
rm -f m.h5
"$adr" --size 9,9,14 --steps 6 --speeds 8,1 --rebalance 1e-4 --checkpoint m.h5 --quiet && succeeds "a checkpoint of a run that moved" "$adr" --size 9,9,14 --time .15 --steps 9 --restart m.h5 --verify

# problem conserve conserves the sum within two tolerances per step
for tolerance in 1e-5 1e-8; do
  "$adr" --problem conserve --size 8 --time .2 --steps 5 --tolerance $tolerance --csv > row.csv 2> err
  ! differ "$(column sum row.csv)" 1024 "$(awk "BEGIN { print 1024 * 2 * 5 * $tolerance }")"
  ok $? "--tolerance $tolerance: the sum is $(column sum row.csv)"
  below "$(column residual row.csv)" $tolerance; ok $? "... and the residual $(column residual row.csv)"
done
"$adr" --size 15 --steps 4 --csv --repeat 2 > row.csv
[ "$(wc -l < row.csv)" -eq 3 ] && [ "$(column app row.csv)" = adr ] && [ "$(column mode row.csv)" = sync ] && [ "$(column status row.csv)" = ok ]
ok $? "one row per run ($(tail -n 1 row.csv))"
"$adr" --size 15 --steps 4 --history h.csv --quiet && [ "$(wc -l < h.csv)" -eq 5 ] && below "$(tail -n 1 h.csv | cut -d, -f4)" 1e-8
ok $? "--history has a line per step ($(tail -n 1 h.csv))"

# restart
for scheme in euler bdf2; do
  rm -f c.h5
  "$adr" --size 9 --time .2 --steps 8 --scheme $scheme --quiet --output whole.h5
  "$adr" --size 9 --time .1 --steps 4 --scheme $scheme --quiet --checkpoint c.h5
  "$adr" --size 9 --time .2 --steps 8 --scheme $scheme --quiet --restart c.h5 --output rest.h5
  same_fields rest.h5 whole.h5 "$scheme: a restarted run gives the same bits"
done
for mode in sync async; do
  rm -f s.h5
  for last in 3 5 8; do
    "$adr" --size 9 --time .2 --steps 8 --mode $mode --stop-after $last --checkpoint s.h5 $([ ! -f s.h5 ] || echo --restart s.h5) --verify --quiet --output rest.h5
    ended $? "$mode: to step $last of 8, compared with the serial solution there" "$adr"
  done
  [ $mode = async ] && continue
  "$adr" --size 9 --time .2 --steps 8 --quiet --output whole.h5; same_fields rest.h5 whole.h5 "... in three runs to the bits of one"
done
fails 2 'stop-after: 5, but s.h5 holds the values after step 8' "an end that is passed" "$adr" --size 9 --time .2 --steps 8 --stop-after 5 --restart s.h5
fails 2 'another problem .--time / --steps 0.025 there, 0.0222' "a checkpoint of other steps" "$adr" --size 9 --time .2 --steps 9 --scheme bdf2 --restart c.h5
fails 2 'after 4' "a checkpoint of later steps" "$adr" --size 9 --time .05 --steps 2 --scheme bdf2 --restart c.h5
head -c 3000 c.h5 > half.h5
fails 1 'truncated' "half a checkpoint" "$adr" --size 9 --time .2 --steps 8 --restart half.h5
rm -f k.h5
"$adr" --size 25 --time 10 --steps 100000 --checkpoint k.h5 --checkpoint-every 2 --quiet & pid=$!
for _ in $(seq 1000); do [ ! -s k.previous.h5 ] || break; sleep .1; done
kill -KILL $pid; wait $pid 2> err
for file in k.h5 k.previous.h5; do
  succeeds "$file of a run that was killed is whole" "$adr" --size 25 --time 10 --steps 100000 --restart $file --plan-only
done

# the history of a run that is interrupted, killed and resumed
long=(--size 12 --time 10 --steps 1000 --quiet)
"$adr" "${long[@]}" --checkpoint w.h5 --checkpoint-every 37 --history whole.csv
cut_short() { # cut_short SIGNAL: sends it once there are two checkpoints
  rm -f k.h5 k.previous.h5 k.csv
  "$adr" "${long[@]}" --checkpoint k.h5 --checkpoint-every 7 --history k.csv 2> err & pid=$!
  for _ in $(seq 3000); do [ ! -s k.previous.h5 ] || break; sleep .01; done
  kill -"$1" $pid 2> /dev/null; wait $pid 2> /dev/null
}
for signal in INT TERM KILL; do
  cut_short $signal
  cmp -s k.csv <(head -n "$(wc -l < k.csv)" whole.csv) && [ "$(wc -l < k.csv)" -gt 14 ]; ok $? "SIG$signal: the steps done are in the history ($(wc -l < k.csv) lines)"
  [ $signal = KILL ] || { [ "$(tail -n 1 k.csv | cut -d, -f1)" = "$(grep -o 'after step [0-9]*' err | grep -o '[0-9]*')" ]; ok $? "... up to the last one ($(cat err))"; }
  cp k.csv cut.csv
  succeeds "... and the run continues with it" "$adr" "${long[@]}" --restart k.h5 --history k.csv
  same k.csv whole.csv "... as without the interruption"
  [ ! -s "$work/err" ]; ok $? "... without a word"
  cp cut.csv k.csv
  succeeds "the checkpoint before the last" "$adr" "${long[@]}" --restart k.previous.h5 --history k.csv
  same k.csv whole.csv "... drops the lines after it"
done
grep -c . whole.csv | grep -qx 1001; ok $? "a whole history has all steps"
rm -f k.csv; "$adr" "${long[@]}" --restart w.previous.h5 --history k.csv 2> err; grep -q 'history: k.csv has lines for 0 of the 999 earlier steps' err
ok $? "a missing history gives a message: $(cat err)"
[ "$(wc -l < k.csv)" = 2 ] && [ "$(tail -n 1 k.csv)" = "$(tail -n 1 whole.csv)" ]; ok $? "... and has the later steps"
head -n 21 whole.csv > k.csv; "$adr" "${long[@]}" --restart w.previous.h5 --history k.csv 2> err; grep -q 'has lines for 20 of the 999 earlier steps' err
ok $? "... and so does a part of it: $(cat err)"
[ "$(wc -l < k.csv)" = 22 ]; ok $? "... and existing lines stay"
for wrong in '300,9,4,1e-9' '20,.2,4,1e-9' 'x' '22,.22,4'; do
  { head -n 21 whole.csv; echo "$wrong"; } > k.csv; cp k.csv kept.csv
  fails 2 'history: k.csv:22: must be a line' "a history with the line $wrong" "$adr" "${long[@]}" --restart w.h5 --history k.csv
  same k.csv kept.csv "... stays"
done
echo 'my,precious,table' > k.csv; cp k.csv kept.csv
for arguments in "" "--restart w.h5"; do
  # shellcheck disable=SC2086
  fails 2 'history: k.csv exists and is not a history' "an invalid file${arguments:+, }$arguments" "$adr" "${long[@]}" $arguments --history k.csv
  same k.csv kept.csv "... stays"
done
: > k.csv; succeeds "an empty one counts as missing" "$adr" --size 5 --steps 2 --quiet --history k.csv
succeeds "one of another run is replaced" "$adr" --size 5 --steps 3 --quiet --history k.csv
[ "$(wc -l < k.csv)" = 4 ]; ok $? "... by this one's"
fails 2 'history: new.csv, but --plan-only' "a history of a plan" "$adr" --size 5 --plan-only --history new.csv

succeeds "a day and a night" "$adr" --problem diurnal --time 86400 --steps 720

# the initial state alone; more workers than planes
succeeds "no steps" "$adr" --size 5 --steps 0 --output start.h5
[ -s start.xmf ] && grep -q 'Name="c2"' start.xmf; ok $? "both species are in the .xmf"
STARPU_NCPU=3 "$adr" --size 4,4,2 --overlap 1 --steps 2 --verify --tolerance 1e-11 > out 2> err; status=$?
[ $status -eq 0 ] && { [ "$(nproc)" -lt 3 ] || grep -q 'stay idle' err; }; ok $? "more workers than planes: $(tail -n 1 err)"
"$adr" --size 9 --steps 1 --output p.png --output p.npy --quiet && [ -s p.png ] && [ -s p.npy ]; ok $? "other outputs"

# provenance of results
rm -f from.h5
succeeds "a file holds the provenance of a result" "$adr" --size 5,4,3 --time .06 --steps 6 --scheme bdf2 --quiet --output r.json --output r.h5 \
  --output r.png --checkpoint from.h5
for file in r.json r.h5 r.png from.h5; do
  "$adr" --show $file > shown 2> err
  for line in 'program +hetgrid-adr' 'command .*--scheme bdf2' 'date +2001-09-09' 'problem +mms' 'size +5,4,3' 'boundary +fixed,fixed,fixed' 'reaction +mms' \
    'a +1,0.5,-0.7' 'D +0.1,0.2,0.15' 'scheme +bdf2' 'time_step +0.01' 'step +6' 'time +0.06'; do
    grep -Eq "^$line" shown || echo "$line"
  done > lacking
  [ ! -s lacking ]; ok $? "$file holds its provenance $(cat lacking err)"
done
grep -q '<Information Name="scheme" Value="bdf2"/>' r.xmf && grep -q '<Time Value="0.06"/>' r.xmf; ok $? "... and so does r.xmf, with its time"
"$adr" --show r.h5 | grep -q '^tolerance *1e-08'; ok $? "results hold their tolerance"

# problems from files: built-in problems written as files give the same results
mkdir problems
cat > problems/mms.json <<'END'
{"size": 9, "a": [1, 0.5, -0.7], "D": [0.1, 0.2, 0.15], "boundary": "fixed", "reaction": "mms"}
END
cat > problems/conserve.json <<'END'
{"size": [8, 8, 10], "a": [1, 0.5, -0.7], "D": [0.01, 0.02, 0.015], "boundary": "periodic", "reaction": "conserve",
 "initial": ["start.h5:c1", "start.h5:c2"]}
END
cat > problems/diurnal.json <<'END'
{"size": [10, 3, 10], "origin": [0, 0, 30], "length": 20, "a": [-1e-3, 0, 0], "D": [4e-6, 4e-6, 1e-8], "growth": 0.2,
 "boundary": "mirror", "reaction": "diurnal", "initial": ["start.h5:c1", "start.h5:c2"]}
END
while IFS='|' read -r problem arguments; do
  # shellcheck disable=SC2086
  {
    "$adr" --problem $problem $arguments --steps 0 --quiet --output problems/start.h5
    "$adr" --problem $problem $arguments --steps 3 --quiet --output named.npy
    succeeds "$problem from a file" "$adr" --problem problems/$problem.json ${arguments#--size*[0-9] } --steps 3 --output read.npy --verify
  }
  same named.npy read.npy "... has the same bits"
done <<'END'
mms|--size 9 --time .05
conserve|--size 8,8,10 --time .05
diurnal|--size 10,3,10 --time 300
END
printf '{"size": [6, 7, 8], "D": 0.1, "boundary": "mirror", "reaction": "none", "initial": [2, 0.5]}' > still.json
"$adr" --problem still.json --steps 2 --csv > row.csv && ! differ "$(column sum row.csv)" 840 1e-9 && [ "$(column problem row.csv)" = still.json ]
ok $? "two constants without a reaction stay ($(column sum row.csv))"
sed 's/2, 0.5/1e-9, 1e-9/' still.json > small.json; "$adr" --problem small.json --steps 1 --quiet 2> err && grep -q 'no value is above 1e-09, and a step may be wrong by --tolerance 1e-08' err
ok $? "values so small that any residual is below the tolerance are a warning"
"$adr" --problem small.json --steps 1 --tolerance 1e-12 --quiet 2> err && ! grep -q 'no value' err; ok $? "... unless the tolerance is, too"
sed 's/"mirror"/"fixed", "outside": [2, 0.5]/; s/"D": 0.1/"D": 0.1, "a": [3, 0, -1]/' still.json > open.json
"$adr" --problem open.json --steps 2 --csv > row.csv; ! differ "$(column sum row.csv)" 840 1e-9; ok $? "... also between sides of these values"
sed 's/"mirror"/"fixed", "outside": 0/' still.json > empty.json
"$adr" --problem empty.json --time 10 --steps 20 --csv > row.csv; ! differ "$(column sum row.csv)" 0 1e-3
ok $? "... and leave if nothing is outside ($(column sum row.csv))"
"$adr" --problem still.json --size 5 --steps 1 --csv > row.csv; [ "$(column nx row.csv)" -eq 5 ]; ok $? "--size wins"
fails 2 "holds 10 x 3 x 10 values, the grid has 4 x 4 x 4" "fields of another size" "$adr" --problem problems/conserve.json --size 4 --steps 1
sed 's/, "D": 0.1/, "D": -0.1/' still.json > bad.json
fails 2 "bad.json: 'D' is -0.1, must be in 0" "negative diffusion" "$adr" --problem bad.json
sed 's/"none"/"fire"/' still.json > bad.json; fails 1 "'reaction' is 'fire', unknown" "an unknown reaction" "$adr" --problem bad.json
sed 's/, 0.5\]/, "gone.npy"]/' still.json > bad.json; fails 1 'gone.npy' "a missing field" "$adr" --problem bad.json
fails 1 'nowhere.json' "a missing file" "$adr" --problem nowhere.json
rm -f k.h5 k.previous.h5
fails 2 'k.previous.h5 is a file of --checkpoint too' "a history in place of the previous checkpoint" "$adr" --size 8 --steps 1 --checkpoint k.h5 --history k.previous.h5
"$adr" --problem problems/diurnal.json --time 300 --steps 3 --quiet --checkpoint k.h5 --output a.h5 && sed 's/4e-6, 4e-6/4e-6, 5e-6/' problems/diurnal.json > problems/other.json
succeeds "a restart of a problem from a file" "$adr" --problem problems/diurnal.json --time 600 --steps 6 --restart k.h5 --verify
fails 2 'another problem .D 4e-06,4e-06,1e-08 there' "... but not of another" "$adr" --problem problems/other.json --time 600 --steps 6 --restart k.h5

# values that make a computation overflow or fail
mkdir folder; sed 's/"initial": \[2, 0.5\]/"initial": [2, "0.5"]/' still.json > folder/still.json
succeeds "a number as a string does not name a file next to the problem" "$adr" --quiet --problem folder/still.json --steps 1
steady='{"size": [3, 3, 8], "boundary": "periodic", "reaction": "none", "initial": [2, 1]}'
large() { echo "$steady" | sed "$1" > large.json; }
large 's/2, 1/1e308, -1e308/'; fails 2 "'initial' 1e+.*308: value 1 is 1e.308, must be in -1e.100..1e.100" "initial values beyond all bounds" "$adr" --problem large.json --steps 1
"$heat" --quiet --size 3,3,8 --init 1e200 --steps 0 --output s.npy
large 's/2, 1/"s.npy", 1/'; fails 2 "'initial' s.npy: value 1 is 1e.200, must be" "... in a file" "$adr" --problem large.json --steps 1
large 's/"reaction/"a": 1e300, &/'; fails 2 "'a' is 1e.300, must be in -1e.100..1e.100" "a velocity beyond all bounds" "$adr" --problem large.json --steps 1
large 's/"reaction/"a": 1e90, &/'; fails 2 "dt .2 D / h.2 . .a. / h. along x is 3e.89, must be <= 1e.16" "... within them, but too large for the step" "$adr" --problem large.json --steps 1
large 's/"reaction/"a": 1e12, &/'; "$adr" --problem large.json --steps 1 --quiet 2> err; grep -q 'is infinite, as D is 0, and the Jacobian.s weighted row ratio [0-9.e+]*, both' err
ok $? "a message names the missing diffusion: $(cut -c1-120 err)"
large 's/none/conserve/; s/2, 1/1e100, -1e100/'; sed -i 's/"reaction/"D": 1, &/' large.json
"$adr" --problem large.json --time 1e150 --steps 1 --quiet 2> err; status=$?
[ $status = 2 ] && grep -q 'must be <=' err; ok $? "an endless step ($(cat err))"
sed -i 's/"D": 1, //' large.json; fails 1 'step 1: the residual is .*: values or reaction rates are too large' "values that overflow before a sweep" \
  "$adr" --problem large.json --time 1e150 --steps 1
large 's/"reaction/"outside": 0, &/'; fails 1 "'outside' is only for fixed sides, but there are none" "values beyond periodic sides" "$adr" --problem large.json --steps 1

flops() { awk -F, -v kind="$1" '$1 == "kind" && $2 == "hetgrid_adr_" kind && $3 == "flops" { print $4 }' trace/summary.csv; }
for how in fxt profiling; do
  STARPU_NCPU=1 HETGRID_TRACE=$how "$adr" --size 20 --steps 3 --trace=trace --csv > row.csv
  [ "$(flops solve)" = "$(($(column linear row.csv) * 104 * 8000))" ]; ok $? "a trace ($how) holds the flops of the iterations made ($(flops solve))"
  [ "$(flops residual)" = $(($(grep -c '^Name: hetgrid_adr_residual' trace/tasks.rec) * (47 + 44 + 18) * 8000)) ]; ok $? "... and of the residuals ($(flops residual))"
done
STARPU_NCPU=1 "$adr" --size 20 --steps 3 --inner global --trace=trace --csv > row.csv
awk -v f="$(flops pass)" -v all="$(($(column linear row.csv) * 104 * 8000))" 'BEGIN { exit !(f == all) }'; ok $? "... as many if all blocks share a method ($(flops pass))"
if [ -n "${MPIEXEC:-}" ]; then
  "$ranks" 2 "$adr" --size 20 --steps 3 --trace=trace --csv > row.csv 2> err
  [ "$(awk '/^Flops/ { sum += $2 } END { printf "%.0f", sum }' trace/flops.rec)" = "$(flops solve)" ] && [ "$(grep -c '^JobId: [01]_' trace/flops.rec)" -gt 10 ]
  ok $? "... of both ranks"
fi

fails 2 '--time' "no time" "$adr" --time 0
fails 2 '--time' "a time of NaN" "$adr" --time nan
fails 2 '--tolerance.* 1e-15|--tolerance' "a tolerance of 0" "$adr" --tolerance 0
fails 2 '--inner-tolerance' "an inner tolerance of 1" "$adr" --inner-tolerance 1
fails 2 '--overlap' "a negative overlap" "$adr" --overlap -1
fails 2 '--size' "two extents" "$adr" --size 3,4
fails 2 '--size' "an extent of 0" "$adr" --size 0
fails 2 '--problem' "an unknown problem" "$adr" --problem heat
fails 2 '--block' "a block" "$adr" --block 2
fails 2 '--tile' "a tile" "$adr" --tile 4,4
for option in --network=none --snapshot-every=1 --spacing=1 --time-step=1; do
  fails 2 "${option%%=*}: " "$option, which has no effect" "$adr" $option
done
helps_with_none "$adr" block tile network models spacing time-step snapshot{,-every,-box,-stride,-png}
"$adr" --help | grep -q -- '--rebalance=EPS|off'; ok $? "its help does not promise to rebalance by default"
fails 2 "--rebalance: 'foo', must be auto, off or a number in" "a word for the share of rebalancing" "$adr" --rebalance foo
fails 2 '--rebalance' "an invalid tolerance of rebalancing" "$adr" --rebalance 0
fails 2 '--overlap: 9 planes, must be < 9' "an overlap beyond the grid" "$adr" --size 9 --overlap 9
fails 1 'max-sweeps' "too few sweeps" "$adr" --size 9 --steps 1 --max-sweeps 1
[ ! -e never.h5 ]; ok $? "nothing is written"
fails 1 'max-sweeps' "... and no result" "$adr" --size 9 --steps 1 --max-sweeps 1 --output never.h5
succeeds "a grid with fewer planes than the usual overlap" "$adr" --size 2 --steps 1 --quiet
fails 2 "overlap: 2 planes" "... but not with an overlap that does not fit" "$adr" --size 2 --steps 1 --overlap 2 --quiet
printf '{"size": [8, 8, 2], "boundary": "periodic", "D": 1e-3, "reaction": "none", "initial": [2, 1]}' > thin.json
succeeds "... also if a file gives their number" "$adr" --problem thin.json --steps 1 --csv
[ "$(column overlap "$work/out")" -eq 1 ]; ok $? "... all but one of them overlap"
fails 2 "overlap: 2 planes" "... and no more than asked for" "$adr" --problem thin.json --steps 1 --overlap 2 --quiet
[ ! -e never.h5 ]; ok $? "a step that fails leaves no output"
fails 2 'nodes' "a grid that does not fit" "$adr" --size 100000
"$adr" --problem diurnal --size 400,3,10 --time 1e9 --steps 2 > out 2> err; status=$?
[ $status -le 1 ] && ! grep -qi 'nan' out; ok $? "steps that are far too long end with a message (status $status: $(tail -n 1 err | cut -c1-120))"
"$adr" --problem conserve --size 16 --time .2 --steps 1 --quiet 2> err; grep -q 'Peclet number .* is 3.12 .*weighted row ratio 1.5[0-9]' err
ok $? "a message says that convergence is not certain: $(head -n 1 err | cut -c1-150)"
"$adr" --problem conserve --size 16 --time .04 --steps 1 --quiet 2> err; [ ! -s err ]; ok $? "... and there is none if convergence is certain"
done_testing
