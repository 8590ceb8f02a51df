#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-energy --run: tests of a command, the choice, the run, and the file of its results.
. "${srcdir:-.}/tests/tap.sh"
energy=$PWD/hetgrid-energy simulate=$PWD/hetgrid-simulate adr=$PWD/hetgrid-adr heat=$PWD/hetgrid-heat
cd "$work" || exit 99
export HETGRID_TABLES=$work/tables
cat > mixed.platform <<'END'
device gpu cuda memory=40e9 to=2e10 from=2e10 latency=1e-5 heat=1e9 heat_start=8e-6 start=1e-5 full=250 idle=20
device core cpu heat=2e8 start=6e-6 full=10 wait=4
node 3*gpu,core base=60
network bandwidth=5e9 latency=5e-6 switch=30
END
command="$simulate --platform mixed.platform --app adr --sizes 12"
full=5000
csv() { awk -F, -v c="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) k = i } NR == 2 { print $k }'; }
slabs() { $command --steps $1 --mode sync --nodes 0-1 --devices core --csv | csv blocks; }
[ "$(slabs 1)" -eq "$(slabs 50)" ]; ok $? "one step is divided like many: $(slabs 1) slabs"

# --- the choice against all contexts, in virtual time
for devices in "" --devices=core --devices=gpu; do for mode in sync async; do for last in 0 1 2; do
  $command --steps 50 --mode $mode --nodes 0-$last $devices --csv 2> /dev/null |
    awk -F, -v k="--mode=$mode --nodes=0-$last${devices:+ $devices}" 'NR == 2 && NF > 12 { print k "," 100 * $11 "," 100 * $12 }'
done; done; done > all.csv
[ "$(wc -l < all.csv)" -ge 16 ]; ok $? "possible contexts, each for 5000 steps: $(wc -l < all.csv)"
cost='{ c = by == "time" ? $2 : by == "energy" ? $3 : $2 * $3 }'
judge() { # judge BY STEPS MOST: reads the choice; run and tests may cost the share MOST more than the best
  local best got
  chosen=$(sed -n "s/^running: .*--steps $2 //p" said)
  best=$(awk -F, -v by="$1" "$cost"'{ print c }' all.csv | sort -g | head -n 1)
  got=$(awk -F, -v by="$1" -v k="$chosen" "$cost"'$1 == k { print c }' all.csv)
  tests=$(sed -n 's/.* tests* took .*, \([0-9.]*\) % of the run.*/\1/p' said)
  awk -v c="${got:-0}" -v b="$best" -v t="$tests" -v most="$3" 'BEGIN { r = c / b * (1 + t / 100) - 1
    printf "# %.4g against %.4g, tests %s %%: %.2f %% above the best\n", c, b, t, 100 * r; exit !(c > 0 && r < most) }'
}
for by in time energy edp; do
  "$energy" --run "$command --steps $full" --objective $by --budget 4 --relearn --plan-only > said 2> left
  ended $? "tests and the choice by $by" "$energy"
  judge $by "$full" .15
  ok $? "$chosen: by $by the run and its tests cost at most 15 % more than the best context"
  awk -v t="$tests" 'BEGIN { exit !(t > 0 && t <= 8) }'; ok $? "... including about the budget of 4 % for tests: $tests %"
done
grep -q 'sync .*times the best' said && grep -q '^best by edp: ' said; ok $? "reasons are printed: $(grep '^best by' said)"
for by in time energy edp; do
  "$energy" --run "$command --steps 300" --objective $by --relearn --plan-only > said 2> left
  judge $by 300 .25
  ok $? "... of a short command by $by at most 25 %: $chosen"
done
rm "$HETGRID_TABLES"/run-*.json; "$energy" --run "$command --steps $full" --plan-only > left 2>&1

# --- what is kept for the next call
learned=$(ls "$HETGRID_TABLES"/run-*.json)
[ "$(wc -l <<< "$learned")" -eq 1 ]; ok $? "one command has one file, whatever the criterion"
sed 's/node 3/node 6/' mixed.platform > large.platform
small="$simulate --platform large.platform --model even --app adr --sizes 8 --steps 1000"
"$energy" --run "$small" --budget 1000 --plan-only > said 2> left; grep -q 'on 6 nodes is left out: .*planes' left
ok $? "impossible contexts are left out with their message: $(grep -c 'left out' left)"
"$energy" --run "$small" --budget 1000 --plan-only > said 2> left; ok $? "... once"
[ ! -s left ] && grep -q '^no tests' said; ok $? "... and so are the results"
"$energy" --run "$command --steps $full" --budget 1000 --plan-only > known
"$energy" --run "$command --steps $full" --plan-only > again; grep -q '^no tests, 0.00 %' again; ok $? "the second time no test is needed"
grep -q "^running: .*--steps $full" again; ok $? "... and with --plan-only nothing runs"
"$energy" --run "$command --steps $full" --nodes 1-2 --plan-only | grep -q '^best by edp: .* on [12] node'; ok $? "... nor for fewer nodes"
"$energy" --run "$command --steps 9000" --plan-only | grep -Eq '^no tests|^[0-9] tests?'; ok $? "another number of steps does not change the command"
[ "$(ls "$HETGRID_TABLES"/run-*.json | wc -l)" -eq 2 ]; ok $? "... with the same file"
"$energy" --run "$command --steps $full" --plan-only --csv | head -n 1 | grep -q '^nodes,context,seconds,joules'; ok $? "a table of all contexts and numbers of nodes"
spoiled() { # spoiled NAME PATTERN COMMAND..: the command spoils the file; there is one warning, and tests run again
  cp "$learned" kept; "${@:3}"
  "$energy" --run "$command --steps $full" --budget 1000 --plan-only > anew 2> said
  [ $? -eq 0 ] && [ "$(grep -vc 'left out' said)" -eq 1 ] && grep -q "$2.*testing again" said && grep -q ' tests* took' anew
  ok $? "$1: $(grep "testing again" said | sed 's/.*json: //')"
  "$energy" --run "$command --steps $full" --plan-only 2>&1 | grep -q '^no tests'; ok $? "... after which the file is valid"
  cp kept "$learned"
}
spoiled "a file that is cut off" 'is not JSON' truncate -s 100 "$learned"
spoiled "a file of another machine" 'another command or machine' sed -i 's/"described"/"elsewhere"/' "$learned"
spoiled "an impossible time" 'has an invalid test' sed -i 's/"seconds": [0-9.e-]*/"seconds": -1/' "$learned"
spoiled "an impossible start" 'has an invalid start' sed -i '/"start": \[/,/\]/s/\[/[-1,/' "$learned"
spoiled "an unknown context" 'has an invalid' sed -i 's/"gpu sync"/"tpu sync"/' "$learned"
spoiled "another kind of file" 'not a file of test results' sh -c "echo '{\"a\": 1}' > '$learned'"
sed -i 's/full=250/full=251/' mixed.platform
"$energy" --run "$command --steps $full" --plan-only | grep -q ' tests* took'; ok $? "files that the command names are compared by contents"

"$energy" --run "$command --steps 200 --csv" --budget 40 > run.csv 2> said; ended $? "a run" "$energy"
eval "$(sed -n 's/^running: //p' said)" > same.csv; same run.csv same.csv "the printed command is the one that runs: $(sed -n 's/.*--steps/--steps/p' said)"

# --- limits
"$energy" --run "$command --steps $full" --deadline 1e-3 > said 2>&1; [ $? -eq 1 ] && grep -q 'no context satisfies --deadline' said && grep -q 'does not satisfy --deadline and --power-cap on any' said
ok $? "a deadline that no context keeps: nothing runs"
"$energy" --run "$command --steps $full" --deadline $(awk -F, '{ print $2 * 1.1 }' all.csv | sort -g | head -n 1) --objective energy --relearn --plan-only > said 2>&1
ok $? "a deadline that few keep: $(grep '^best' said)"
"$energy" --run "$command --steps 10" --objective time --csv --plan-only --relearn > none.csv; ok $? "a run too short to be tested has no table"
"$energy" --run "$command --steps 10 --mode sync" --budget 9 --relearn > said 2>&1; grep -q 'one step would cost more than --budget' said && grep -q 'adr .*sync' said
ok $? "... and runs unchanged: $(grep budget said)"

# --- what is refused
fails 2 "hetgrid-energy instead, which varies" "a command that fixes the nodes" "$energy" --run "$command --nodes 0-1 --steps 9"
fails 2 'none of --steps' "a command without its number of steps" "$energy" --run "$command"
fails 2 'must begin with a hetgrid program' "a launcher in the command" "$energy" --run "mpirun -n 2 hetgrid-adr --steps 9"
fails 2 'one of | & ;' "two commands" "$energy" --run "$command --steps 9; true"
fails 2 '\$\(' "a command in the command" "$energy" --run "$command --steps \$(true)"
fails 2 'has no --paths' "a unit that the command lacks" "$energy" --run "$command --steps 9" --unit paths
fails 2 'only with --run' "options of tests without a command" "$energy" --choose x --budget 4
fails 2 '\--launcher: needs --nodes' "a launcher without the number of nodes" "$energy" --run "$command --steps 9" --launcher srun
fails 1 "status 2: hetgrid-simulate: .*at least|status 2: hetgrid-simulate" "a command that fails says its last line" "$energy" --run "$command --app heat --mode sync --steps 1000"
fails 1 'nosuch' "a missing program" "$energy" --run "./nosuch --steps 1000"

# --- on this machine
cat > told << 'END'
#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = --steps ] && n=$2; shift; done
echo seconds; awk -v n="$n" 'BEGIN { print n / 100 }'
END
printf '#!/bin/sh\nexec sleep 100\n' > launch; chmod +x told launch
begin=$SECONDS; "$energy" --run "./told --steps 30000" --nodes 1-2 --launcher ./launch --objective time --plan-only > said 2>&1; ended $? "a context that takes for ever" "$energy"
grep -q '^all  *2  *100 ' said && grep -q '^running: ./told' said && [ $((SECONDS - begin)) -lt 60 ]; ok $? "... is stopped: $(grep took said)"
cat > here.platform <<'END'
device core cpu full=10 wait=5
node core*2 base=20
END
run="$adr --size 8 --steps 400 --output out.npy --history h.csv --quiet"
"$energy" --run "$run" --nodes 1 --energy modelled:here.platform --budget 200 > said 2>&1; ended $? "a program on this machine, with joules of a described machine" "$energy"
[ -s out.npy ] && [ "$(wc -l < h.csv)" -eq 401 ]; ok $? "only the run writes what the command names"
grep -Eq '^all (async|sync) +1 +400 .* times the best' said; ok $? "... in the better mode: $(grep '^best by' said)"
rm out.npy
# tests are parts of the run if it can resume from a checkpoint
part() { # part NAME NODES COMMAND..: runs it alone and under hetgrid-energy
  "${@:3}" --output whole.npy --quiet; "$energy" --run "${*:3} --output out.npy --quiet" --nodes $2 --launcher "${MPIEXEC:-mpirun} --oversubscribe -n" \
    --objective time --budget 1000 --relearn > said 2>&1; ended $? "$1" "$energy"
  grep -Eq 'tests? took .* and made [1-9][0-9]* of the steps of the run' said; ok $? "... by tests that are parts of it: $(grep took said)"
  cmp out.npy whole.npy; ok $? "... with the bits of the run alone"
  [ -z "$(find . -name 'hetgrid-energy-*')" ]; ok $? "... and no checkpoint is left"
}
part "implicit steps" 1 "$adr" --size 12 --steps 2000 --mode sync
part "explicit steps" 1-2 "$heat" --size 500,500 --steps 3000 --input random
rm out.npy whole.npy
cat > full << 'END'
#!/bin/sh
# says that it can restart, and cannot
[ "$1" != --help ] || { echo "      --checkpoint=FILE  x"; echo "      --restart=FILE  x"; exit; }
for word; do case $word in --checkpoint=*) echo "full: no room" >&2; exit 1;; --steps) take=1;; [0-9]*) [ -z "$take" ] || n=$word take=;; esac; done
echo seconds; awk -v n="$n" 'BEGIN { print n / 10000 }'
END
chmod +x full
"$energy" --run "./full --steps 30000" --nodes 1 --objective time > said 2>&1; ended $? "checkpoints that cannot be written" "$energy"
grep -q 'tests* took' said && ! grep -q 'left out\|made' said; ok $? "... leave tests that are not parts of the run: $(grep took said)"
# the start of a test takes long compared with a run of seconds
"$energy" --run "$adr --size 16 --steps 300 --mode sync" --nodes 1-2 --launcher "${MPIEXEC:-mpirun} --oversubscribe -n" --objective time --plan-only > said 2>&1
grep -q '^1 test took .*no other test should gain as much' said; ok $? "a run of a second is not worth a second test: $(grep 'took' said)"
"$energy" --run "$adr --size 16 --steps 300 --mode sync" --nodes 1-2 --launcher "${MPIEXEC:-mpirun} --oversubscribe -n" --objective time --plan-only > said 2>&1
grep -q '^no tests' said; ok $? "... nor is the next one of the same command: $(grep '^no' said)"
"$energy" --run "$adr --size 8 --steps 400 --mode sync" --nodes 1 --budget 200 > said 2>&1; ended $? "without counters" "$energy"
grep -q 'no counter of joules' said || grep -q 'best by edp' said; ok $? "... the choice is by time, and a message says so"
if grep -q 'no counter' said; then
  fails 1 'no counter of joules' "requested joules are not made up" "$energy" --run "$adr --size 8 --steps 400 --mode sync" --nodes 1 --objective energy
fi
fails 1 'status 2: .*unrecognized option .--sheduler' "the last line of a test that fails" "$energy" --run "$adr --sheduler x --steps 1000" --nodes 1
rm -rf "$HETGRID_TABLES"
"$energy" --run "$adr --size 40 --steps 5000 --mode sync --output out.npy" --nodes 1 --objective time > said 2>&1 & pid=$!
for _ in $(seq 600); do grep -q '^running' said && break; sleep .1; done
sleep 1; kill -TERM $pid; wait $pid; status=$?
[ $status -eq 143 ]; ok $? "an interruption reaches the run: status $status"
[ -z "$(find . -name '*.part*' -o -name 'out.npy' -o -name 'hetgrid-energy-*')" ] && python3 -c 'import glob, json; [json.load(open(f)) for f in glob.glob("tables/*.json")]'
ok $? "... which leaves no half-written file"
done_testing
