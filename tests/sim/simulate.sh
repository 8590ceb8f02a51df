#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-simulate: known machines give known times; the programs in virtual time submit the same graphs as the real ones.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
simulate=${HETGRID_SIMULATE:-$PWD/hetgrid-simulate}
trace=$PWD/hetgrid-trace
programs=$PWD
cd "$work" || exit 99
export TMPDIR=$work/tmp && mkdir "$TMPDIR" machines && cd machines || exit 99
cat > one.platform <<'END'
device core cpu heat=1e9 update=1e9 panel=1e9 batch=1e8
node core
END
cat > unlike.platform <<'END'
# a GPU three times as fast as the other, and a core that is a sixth
device fast cuda memory=1e9 to=1e10 from=1e10 heat=3e9 update=3e11 panel=1e10 batch=4e9
device slow cuda memory=1e9 to=1e10 from=1e10 heat=1e9 update=1e11 panel=1e10 batch=1e9
device core cpu heat=.5e9 update=5e10 panel=1e10 batch=5e8
node fast,slow,core*2
END
sed 's/ batch=[0-9e]*//' one.platform > nobatch.platform
sed 's/^node .*/node 4*fast/; $a network bandwidth=1e9 latency=1e-5' unlike.platform > cluster.platform
"$simulate" --platform unlike.platform --show > shown; ok $? "a machine is shown"
grep -q '^node 0 *fast slow core core' shown; ok $? "... with GPUs first: $(grep '^node' shown)"
fails 2 "neither a platform file nor" "a missing platform" "$simulate" --platform nowhere
printf 'device a gpu heat=1\n' > bad.platform; fails 1 'bad.platform:1: must be device NAME cpu.cuda, not .gpu' "an unknown kind" "$simulate" --platform bad.platform
printf 'device a cpu heat=-1\nnode a\n' > bad.platform; fails 1 'bad.platform:1: heat.*-1' "a negative speed" "$simulate" --platform bad.platform
printf 'device a cpu heat=1\nnode b\n' > bad.platform; fails 1 "bad.platform:2: unknown device .b" "an unknown device" "$simulate" --platform bad.platform
printf 'device a cpu heat=1e9\nnode 2*a\n' > bad.platform; fails 1 'no network bandwidth' "nodes without a network" "$simulate" --platform bad.platform
fails 2 'nodes 3 to 3, must be in 0..0' "an unknown node" "$simulate" --platform one.platform --nodes 3
for app in heat pricer adr; do fails 2 'model.*best' "an unknown model, of $app" "$simulate" --platform one.platform --app $app --model even,best; done
[ ! -s "$work/out" ]; ok $? "... refused before anything runs $(head -n 1 "$work/out")"
fails 2 'size and --sizes' "two kinds of sizes" "$simulate" --size 9,9 --sizes 9,10
fails 2 'must be A or A-B' "unknown nodes" "$simulate" --nodes x
"$simulate" --cooperative > report; ok $? "the experiments on division by learnt speeds"
[ "$(grep -c '^| [0-9]*00 | 2 |.* balanced |$' report)" -eq 3 ]; ok $? "... a GPU and a core are balanced in the second pass"
awk -F'|' '/^\| [0-9]+ \| [0-9]+ \|/ && $2 >= 1024 { n++; steps = steps $3; if ($2 < 5120 ? $3 < 2 || $3 > 3 : $3 < 4 || $3 > 6) bad = 1
  if ($8 > 1.003 || $10 < 1.2) bad = 1 } END { print steps; exit bad || n != 10 }' report > steps
ok $? "... 16 processors in 2 or 3 steps, in 4 to 6 where memories fill, within .3 % of full speed functions, and less than even shares take:$(cat steps)"
[ "$(sed -n '/^## Figure 5/,/^## What/p' report | grep -c '^| [0-9]* | [0-9]')" -eq 5 ] && grep -q '^| 6144 | - | - |' report
ok $? "... which one machine alone can hold up to 5120, where figure 5 ends"
grep -q 'add up to 165 GFLOP/s' report; ok $? "... whose printed speeds add up to 165 GFLOP/s"
"$simulate" --thesis=paper > report; ok $? "what the thesis computes on paper"
grep -q '^| nphp | .* | 6 | 6 | 17.9 n |' report; ok $? "... NPHP's 6 messages and 17.9 n items (figure 3-9)"
grep -q '^NPHP takes less than rows from n = 262 on, PHP from 266' report; ok $? "... passes rows near n = 260 (equation 3-8): $(grep '^NPHP takes' report)"
grep -q '^| limit | 0.0256 | 0.1536 ' report; ok $? "... the limits of many processors (5-3, 5-4)"
grep -q '^| 256 | .* | 4.77 |' report && grep -q '^| 512000 | 3.47 | 1.93 | 4.23 |' report; ok $? "... figures 5-5 and 5-6"
grep -q ': 4e+09 runs' report; ok $? "... and equation 7-1"
awk -F'|' '/^\| (c2050|gtx650) / { n++; if ($4 > 30 || $4 >= $3 || $5 + 0 > 3.5) bad = 1 } END { exit bad || n != 2 }' report; ok $? "... for which ours needs at most 30 runs"
fails 2 'prints a report' "the thesis draws nothing" "$simulate" --thesis --picture report.svg
succeeds "the passes of a GPU and a core" "$simulate" --cooperative --picture passes.svg
for core in 100 300 600; do tail -n 1 passes-core-$core.svg | grep -q '</svg>'; ok $? "... of $core transforms/s are drawn"; done
for report in --cooperative --thesis; do
  fails 2 'print a report' "$report has no rows" "$simulate" $report --csv
done
fails 2 'exclude each other' "two reports" "$simulate" --thesis --cooperative
fails 2 'unknown' "an unknown partition" "$simulate" --csv --sizes 200 --partition foo
[ ! -s "$work/out" ]; ok $? "... prints no header without rows $(head -n 1 "$work/out")"
fails 2 "known: paper communication balance adding large applications" "an unknown chapter" "$simulate" --thesis=all
# iterations by slabs, with and without waiting: real values, so sweeps are those of the programs
printf 'device core cpu heat=1e9 start=1e-6 full=10 wait=5\nnode 2*core base=5\nnetwork bandwidth=1e9 latency=1e-6\n' > pair.platform
modes() { "$simulate" --platform pair.platform --model even "$@" --csv > out.csv 2> err.txt || { head -n 2 err.txt; return 1; }; }
cell() { awk -F, -v n="$1" -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) k = i } NR == n + 1 { print $k }' out.csv; }
holds() { awk "BEGIN { exit !($1) }"; }
modes --app adr --size 15 --steps 3 --mode sync,async; ok $? "time steps of adr, synchronous and asynchronous"
newton=$(cd "$programs" && STARPU_NCPU=2 ./hetgrid-adr --size 15 --steps 3 --time .06 --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "newton") k = i } NR == 2 { print $k }')
[ "$(cell 1 sweeps_max)" = "$((newton + 3))" ]; ok $? "... synchronously as many sweeps as the program's $newton, and one more per step"
holds "$(cell 1 residual) <= 1e-8 && $(cell 2 residual) <= 1e-8 && $(cell 2 snapshots) == 0"; ok $? "... both to the tolerance ($(cell 1 residual), $(cell 2 residual)), without a frozen copy"
holds "$(cell 2 joules) > 10 * $(cell 2 seconds) + 10 * $(cell 2 seconds) && $(cell 2 joules) <= 30 * $(cell 2 seconds)"
ok $? "... with joules between those of waiting and of computing all the time"
cp out.csv first.csv; modes --app adr --size 15 --steps 3 --mode sync,async; same first.csv out.csv "the same again: nothing depends on this machine"
for case in "2 16" "8 31"; do
  sed "s/node 2/node ${case% *}/" pair.platform > several.platform
  "$simulate" --platform several.platform --model even --app adr --size "${case#* }" --steps 3 --mode sync,async --delay .001,.003,.01 --slower 1,3 --csv > out.csv
  awk -F, 'NR > 1 { if ($8 == "sync") s = $11; else { printf "# delay %s, slower %s: %.3f\n", $9, $10, $11 / s; n++; bad += $11 > s } } END { exit !(n == 6 && !bad) }' out.csv
  ok $? "adr on ${case% *} nodes is faster asynchronously from 1 ms of delay on"
done
modes --app jacobi --size 60 --mode sync,async --delay 0,.001,.01 --stop 30; ok $? "relaxation over delays"
holds "$(cell 3 seconds) > $(cell 3 sweeps_max) / 10 * .001 && $(cell 5 seconds) > $(cell 5 sweeps_max) / 10 * .01"
ok $? "... synchronously one delay per block of 10 sweeps: $(cell 5 seconds) s for $(cell 5 sweeps_max) sweeps"
holds "$(cell 2 seconds) > .5 * $(cell 1 seconds) && $(cell 4 seconds) < .6 * $(cell 3 seconds) && $(cell 6 seconds) < .6 * $(cell 5 seconds)"
ok $? "... which asynchronous mode saves: $(cell 6 seconds) s"
holds "$(cell 6 residual) <= 30 && $(cell 6 residual) > 0 && $(cell 6 staleness) > $(cell 2 staleness)"; ok $? "... to |f + lap u| of $(cell 6 residual), on values $(cell 6 staleness) sweeps old"
modes --app jacobi --size 60 --mode sync,async --slower 1,4; holds "$(cell 3 seconds) > 3 * $(cell 1 seconds)"; ok $? "a slow node is waited for"
"$simulate" --platform pair.platform --app jacobi --size 60 --mode sync,async --delay .001,.01 --picture m.svg > shown && python3 -c 'import xml.dom.minidom as m; m.parse("m.svg")'
ok $? "... and drawn ($(tail -n 1 shown))"
"$simulate" --platform pair.platform --app jacobi --size 60 --mode sync,async --slower 1,1.00000001 --delay .001,.01 --picture m.svg > shown && grep -q 'rgb(0%, *61' m.svg
ok $? "... with a line for each factor, even where they print alike"
fails 2 'picture: .*--mode sync,async' "a picture of one mode" "$simulate" --platform pair.platform --app jacobi --size 60 --mode async --delay .001 --picture m.svg
fails 2 'picture: .*--delay > 0' "a picture without delays" "$simulate" --platform pair.platform --app jacobi --size 60 --mode sync,async --picture m.svg
succeeds "... on a machine of 32 GPUs and as many others" "$simulate" --platform thesis-32+32 --app jacobi --size 200 --block 2 --stop 2000 --mode async --delay .0001
fails 2 'delay: only with --mode' "a delay of nothing" "$simulate" --delay 1
fails 2 'mode.*fast' "an unknown mode" "$simulate" --app adr --mode fast
fails 2 'only for jacobi and adr, not for heat' "iterations of heat" "$simulate" --mode sync
fails 2 'excludes --trace' "a trace of them" "$simulate" --app adr --mode sync --trace x
fails 2 'slower.*-1' "a negative factor" "$simulate" --app adr --mode sync --slower=-1
fails 2 'has 3 rows, must be >= 10' "blocks thinner than their margins" "$simulate" --platform pair.platform --model even --app jacobi --size 5 --mode sync
fails 2 'planes, must be >= 3' "blocks thinner than their overlap" "$simulate" --platform pair.platform --model even --app adr --size 4 --mode async
if [ ! -x "$programs/hetgrid-heat-sim" ]; then
  skip "no programs in virtual time: make simulation"
  done_testing
fi
run() { "$simulate" "$@" --csv > out.csv 2> err.txt || { head -n 2 err.txt; return 1; }; }
column() { awk -F, -v n="$1" -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) k = i } NR == n + 1 { print $k }' out.csv; }
near() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a > b * (1 - t) && a < b * (1 + t)) }'; }

run --app pricer --sizes 1000; ok $? "pricer has a default platform"
grep -q '^h200-node,pricer,' out.csv; ok $? "... $(tail -n 1 out.csv)"
# 1000 x 1000 cells, 100 steps, 1e9 cells/s on one core: a tenth of a second
run --platform one.platform --sizes 1000 --steps 100; ok $? "heat on one core"
near "$(column 1 seconds)" .1 .01; ok $? "... takes cells * steps / speed: $(column 1 seconds) s"
near "$(column 1 predicted_seconds)" "$(column 1 seconds)" .01; ok $? "... as predicted: $(column 1 predicted_seconds) s"
run --platform one.platform --sizes 1000 --app elimination --nb 100; ok $? "elimination on one core"
near "$(column 1 seconds)" .66667 .01; ok $? "... takes 2/3 n^3 flops: $(column 1 seconds) s"
run --platform one.platform --sizes 1000 --steps 100 --precision float; near "$(column 1 seconds)" .05 .02; ok $? "single precision takes half of it: $(column 1 seconds) s"

run --platform one.platform --sizes 1000 --steps 100; [ -z "$(column 1 joules)" ]; ok $? "without powers there are no joules"
# a core that draws 10 W busy or waiting, on a node of 50 W
sed 's/^device .*/& full=10/; s/^node .*/& base=50/' one.platform > powers.platform
run --platform powers.platform --sizes 1000 --steps 100; near "$(column 1 joules)" "$(awk -v t="$(column 1 seconds)" 'BEGIN { print 60 * t }')" 1e-6
ok $? "with powers, 60 W for $(column 1 seconds) s: $(column 1 joules) J"
near "$(column 1 edp)" "$(awk -v j="$(column 1 joules)" -v t="$(column 1 seconds)" 'BEGIN { print j * t }')" 1e-6; ok $? "... and their product with the time"
run --platform powers.platform --sizes 1000 --app elimination --nb 100; near "$(column 1 joules)" "$(awk -v t="$(column 1 seconds)" 'BEGIN { print 60 * t }')" 1e-6
ok $? "elimination has joules, too: $(column 1 joules)"

# 5e9 cells/s in all
run --platform unlike.platform --sizes 4000 --steps 50 --model even --sched hetgrid-even,hetgrid; ok $? "heat on heterogeneous processors, even shares"
near "$(column 1 seconds)" .4 .05; ok $? "... wait for the cores: $(column 1 seconds) s"
awk -v a="$(column 1 seconds)" -v b="$(column 2 seconds)" 'BEGIN { exit !(b < .9 * a) }'; ok $? "... unless the policy takes tiles from them: $(column 2 seconds) s"
run --platform unlike.platform --sizes 4000 --steps 50 --model cpm,fpmc; ok $? "shares by speed"
near "$(column 2 seconds)" .16 .03; ok $? "... use all of them: $(column 2 seconds) s of at least 0.16"
near "$(column 2 imbalance)" 1 .03; ok $? "... balanced: $(column 2 imbalance)"
run --platform unlike.platform --sizes 4000 --steps 50 --sched hetgrid,dmdas,lws; ok $? "policies"
[ "$(column 1 sched),$(column 2 sched),$(column 3 sched)" = hetgrid,dmdas,lws ]; ok $? "... are those asked for"
awk -v a="$(column 1 seconds)" -v b="$(column 2 seconds)" 'BEGIN { exit !(a <= 1.02 * b) }'; ok $? "... and hetgrid is not slower than dmdas: $(column 1 seconds), $(column 2 seconds) s"
# nobody says anything of speeds: the grid goes to the GPU, and no policy tries it on a core
sed 's/^node .*/node fast/' unlike.platform > alone.platform
sed 's/^node .*/node fast,core*2/' unlike.platform > beside.platform
mkdir unsaid
cat > unsaid/smpirun <<'END'
#!/usr/bin/env bash
while [ $# -gt 0 ]; do case $1 in --speeds | --partition) shift 2;; *) words+=("$1"); shift;; esac; done
PATH=${PATH#*:} exec smpirun "${words[@]}"
END
chmod +x unsaid/smpirun
unsaid() { PATH=$PWD/unsaid:$PATH run --sizes "$1" --app "$2" --sched hetgrid,dmdas,lws --platform "$3.platform"; }
for app in heat pricer adr; do
  size=2000; [ $app != adr ] || size=60
  unsaid "$size" $app alone && alone=$(for k in 1 2 3; do column $k seconds; done)
  unsaid "$size" $app beside; ok $? "$app without known speeds"
  beside=$(for k in 1 2 3; do column $k seconds; done)
  paste <(echo "$alone") <(echo "$beside") | awk '$2 > 1.01 * $1 || !$1 { bad = 1 } END { exit bad || NR != 3 }'
  ok $? "... takes no longer than on the GPU alone: $(echo $beside), $(echo $alone) s"
done
# one size says little: where the last panels fall moves the time by some percent
run --platform unlike.platform --sizes 1000,2000,3000 --app elimination --sched hetgrid,dmdas; ok $? "elimination on heterogeneous processors"
ratios=$(for k in 1 2 3; do echo "$(column $k seconds) $(column $((k + 3)) seconds)"; done | awk '{ printf("%.3f ", $1 / $2) }')
awk -v r="$ratios" 'BEGIN { n = split(r, x, " "); for (i = 1; i <= n; i++) { sum += log(x[i]); bad += x[i] > 1.06 } exit bad || n != 3 || exp(sum / n) > 1.02 }'
ok $? "... hetgrid is not slower than dmdas: $ratios of its time"

# the division of an elimination: 4.5e11 flop/s in all, of which a quarter of the columns each would use 2e11
run --platform unlike.platform --devices fast,slow --sizes 6000 --app elimination --nb 200 --model even,fpm --sched hetgrid-even
ok $? "elimination with even shares and with shares by speed, without stealing"
awk -v a="$(column 1 seconds)" -v b="$(column 2 seconds)" 'BEGIN { exit !(b < .75 * a) }'
ok $? "... takes a quarter less by speed: $(column 1 seconds), $(column 2 seconds) s"
near "$(column 2 predicted_seconds)" "$(column 2 seconds)" .15
ok $? "... as predicted: $(column 2 predicted_seconds) for $(column 2 seconds) s"
even=$(column 1 seconds)
run --platform unlike.platform --devices fast,slow --sizes 6000 --app elimination --nb 200 --model even
awk -v a="$even" -v b="$(column 1 seconds)" 'BEGIN { exit !(b < .8 * a) }'; ok $? "... unless the policy takes tasks from the slow one: $(column 1 seconds) s"
run --platform thesis-rows --sizes 2400 --app elimination --precision float --devices c2050 --model fpm && two=$(column 1 seconds)
run --platform thesis-rows --sizes 2400 --app elimination --precision float --model even,fpm --sched hetgrid-even && even=$(column 1 seconds)
run --platform thesis-rows --sizes 2400 --app elimination --precision float --model fpm && awk -v t="$two" -v e="$even" -v s="$(column 1 seconds)" 'BEGIN { exit !(s < .85 * t && e > .9 * t) }'
ok $? "two slow GPUs with two fast ones: $two s without, $even even, $(column 1 seconds) by speed (thesis, 6.5)"
run --platform thesis-rows --sizes 600,1600 --app elimination --precision float --model fpm,fpmc
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { s[$c["nx"], $c["model"]] = $c["seconds"]; p = $c["predicted_seconds"]; off += p > 1.1 * $c["seconds"] || p < .9 * $c["seconds"] }
  END { print s[600, "fpm"], s[600, "fpmc"]; exit off > 0 || s[600, "fpmc"] > .9 * s[600, "fpm"] || s[1600, "fpmc"] > 1.01 * s[1600, "fpm"] }' out.csv > told
ok $? "if communication counts, a small elimination stays on one node ($(cat told) s), a large one is not slower, and both are predicted within 10 %"
run --platform thesis --sizes 1600 --app elimination --precision float --model fpm,fpmc && awk -v a="$(column 1 seconds)" -v b="$(column 2 seconds)" 'BEGIN { exit !(b < a / 10) }'
ok $? "with a slow network FPMC leaves a node out: $(column 1 seconds), $(column 2 seconds) s"
printf 'device gpu cuda memory=2e7 to=5e10 from=5e10 latency=1e-5 heat=1e11 update=1e12 panel=1e11\ndevice core cpu heat=1e9 update=1e10 panel=1e10\nnode gpu,core*2\n' > tiny.platform
fails 1 "StarPU waits forever.*GPU's memory" "a GPU with too little memory for the tiles" "$simulate" --platform tiny.platform --app elimination --sizes 4000
# independent paths: 1e8 a second on one core; 6e9 on the unlike processors
run --platform one.platform --sizes 10000 --app pricer; ok $? "paths on one core"
near "$(column 1 seconds)" 1 .02; ok $? "... take paths / speed: $(column 1 seconds) s"
run --platform unlike.platform --sizes 60000 --app pricer --model even,cpm; ok $? "paths on heterogeneous processors"
near "$(column 2 seconds)" .6 .03; ok $? "... use all of them: $(column 2 seconds) s of at least 0.6 (even shares: $(column 1 seconds) s)"
near "$(column 2 imbalance)" 1 .05; ok $? "... in balance, as far as batches are small: $(column 2 imbalance)"
printf 'device core cpu heat=1e9 batch=1e8\nnode core*3\n' > three.platform
run --platform three.platform --sizes 300 --app pricer; near "$(column 1 imbalance)" 1.5 .01; ok $? "two batches on three cores are not: $(column 1 imbalance)"
printf 'device fast cpu update=2e10 panel=1e10\ndevice slow cpu update=1e10 panel=5e9\nnode fast,slow\n' > products.platform
run --platform products.platform --sizes 400 --app matmul --partition rows,nphp --sched hetgrid,dmdas
[ "$(for i in 1 2 3 4; do column $i partition; column $i sched; done | tr '\n' ' ')" = 'rows hetgrid rows dmdas nphp hetgrid nphp dmdas ' ]; ok $? "rows of combined lists name their options"
run --platform cluster.platform --sizes 100000 --app pricer; near "$(column 1 seconds)" .625 .03; ok $? "paths on four nodes: $(column 1 seconds) s"
printf 'device a cpu heat=1e9 batch=1e8\ndevice b cpu heat=5e8\nnode a\nnode b\nnetwork bandwidth=1e9 latency=1e-5\n' > apart.platform
run --platform apart.platform --app pricer --nodes 0 --size 1000000; near "$(column 1 seconds)" .0105 .1
ok $? "--size N is N paths, whatever the nodes lack that have no part: $(column 1 seconds) s"
run --platform apart.platform --app pricer --nodes 0 --size 1000000 --precision float; near "$(column 1 seconds)" .0053 .1
ok $? "... in half the time in single precision: $(column 1 seconds) s"
fails 2 'has no batch' "a processor without a speed for them" "$simulate" --platform nobatch.platform --app pricer
# a step of adr: 7 heat steps to begin, 10 residuals of 6.25, 8 solves of 5 iterations of 10.5 (double: 21) on 64^3 points
run --platform one.platform --sizes 64 --steps 5 --app adr --precision float; near "$(column 1 seconds)" .642 .02; ok $? "adr on one core: $(column 1 seconds) s"
run --platform one.platform --sizes 64 --steps 5 --app adr; near "$(column 1 seconds)" 1.192 .02; ok $? "... in double precision: $(column 1 seconds) s"
run --platform one.platform --app adr --steps 1; [ "$(column 1 nx) $(column 1 steps)" = '31 1' ]; ok $? "... a cube of 31^3 by default, and the steps that were taken"
sed 's/heat=/adr=47619047.6 heat=/' one.platform > slow.platform
run --platform slow.platform --sizes 64 --steps 5 --app adr --precision float; near "$(column 1 seconds)" 1.284 .02; ok $? "... half as fast if the machine says so: $(column 1 seconds) s"
printf 'device fast cpu heat=2e9\ndevice slow cpu heat=1e9\nnode fast,slow\n' > cores.platform
run --platform cores.platform --sizes 64 --steps 5 --app adr --model even,cpm && awk -v a="$(column 1 seconds)" -v b="$(column 2 seconds)" 'BEGIN { exit !(b < .75 * a) }'
ok $? "adr divided by speed: $(column 2 seconds) s, evenly $(column 1 seconds)"
near "$(column 2 imbalance)" 1 .05; ok $? "... balanced: $(column 2 imbalance)"
# GPUs and cores of speeds 3, 1, .5, .5: even parts wait for a core, 2.5 times as long as needed
run --platform unlike.platform --sizes 64 --steps 5 --app adr --model even,cpm && awk -v a="$(column 1 seconds)" -v b="$(column 2 seconds)" 'BEGIN { exit !(b < .6 * a) }'
ok $? "adr on heterogeneous GPUs and cores: $(column 2 seconds) s by speed, $(column 1 seconds) evenly"
run --platform cluster.platform --sizes 64 --steps 2 --app adr; ok $? "adr on GPUs of four nodes: $(column 1 seconds) s"

# a message between nodes takes the stated latency once: a ping on the files that a simulated run gets
mkdir pinged
cat > pinged/smpirun <<'END'
#!/usr/bin/env bash
for word in "$@"; do
  case $word in
    */platform.xml | */hosts) cp "$word" "$(dirname "$0")";;
    --cfg=network/*) network+=("$word");;
  esac
done
cd "$(dirname "$0")" || exit 1
PATH=${PATH#*:} exec smpirun -np 2 -platform platform.xml -hostfile hosts "${network[@]}" --log=root.thresh:error ./ping > times
END
chmod +x pinged/smpirun
smpicc -O1 "$here/tests/sim/ping.c" -o pinged/ping > pinged/log 2>&1; ok $? "a ping is compiled for SMPI $(tail -n 1 pinged/log)"
for latency in 1e-5 2e-4; do
  sed "s/latency=1e-5/latency=$latency/" cluster.platform > pinged.platform
  PATH=$PWD/pinged:$PATH "$simulate" --platform pinged.platform --sizes 100 > /dev/null 2>&1
  awk -F, -v l="$latency" '{ want = l + $1 / 1e9; if ($2 < .99 * want || $2 > 1.01 * want) bad = 1 } END { exit bad || NR != 3 }' pinged/times
  ok $? "... takes latency + bytes / bandwidth of a network of $latency s: $(tr '\n' ' ' < pinged/times)"
done

# nodes: the same work on 1, 2 and 4 of them
for nodes in 0 0-1 0-3; do run --platform cluster.platform --nodes $nodes --sizes 8000 --steps 100 > /dev/null; t="${t:-} $(column 1 seconds)"; done
echo "$t" | awk '{ exit !($1 / $2 > 1.8 && $2 / $3 > 1.7) }'; ok $? "one, two and four nodes:$t s"
run --platform cluster.platform --sizes 8000 --steps 100; near "$(column 1 predicted_seconds)" "$(column 1 seconds)" .1
ok $? "the analytic model is within 10 %: $(column 1 predicted_seconds) for $(column 1 seconds) s"
cp out.csv again.csv; run --platform cluster.platform --sizes 8000 --steps 100; same out.csv again.csv "the same again gives the same"
run --platform cluster.platform --app matmul --sizes 2000,4000 --model fpm,fpmc
awk -v a="$(column 2 seconds)" -v b="$(column 4 seconds)" 'BEGIN { exit !(b < .6 * a) }'; ok $? "a product on four nodes: slices $(column 2 seconds) s, divided by time $(column 4 seconds) s"
near "$(column 2 predicted_seconds)" "$(column 2 seconds)" .05 && near "$(column 4 predicted_seconds)" "$(column 4 seconds)" .1
ok $? "... as predicted: $(column 2 predicted_seconds), $(column 4 predicted_seconds) s"
run --platform cluster.platform --app elimination --sizes 4000; ok $? "elimination on four nodes: $(column 1 seconds) s"

# nodes of unlike devices behind slow wires: the default division is never behind a simpler one
sed 's/^node .*/node 2*fast,slow/; $a network bandwidth=2e7 latency=2e-4' unlike.platform > slownet.platform
sed 's/^node .*/node 4*fast,core*3/; $a network bandwidth=1.25e8 latency=4e-5' unlike.platform > mixednet.platform
sed 's/^device slow .*/device slow cuda to=2e7 from=2e7 heat=3e9/; s/^node .*/node fast,slow/' unlike.platform > behind.platform
for p in slownet mixednet behind cluster; do
  for size in 800 2400; do
    run --platform $p.platform --sizes $size --steps 50 --model even,cpm,fpm,fpmc
    best=$(for k in 1 2 3; do column $k seconds; done | sort -g | head -n 1)
    awk -v b="$best" -v f="$(column 4 seconds)" 'BEGIN { exit !(f < 1.01 * b) }'
    ok $? "$p, $size x $size: fpmc takes $(column 4 seconds) s, the best of even, cpm and fpm $best"
  done
done
run --platform mixednet.platform --sizes 2400 --steps 50 --model fpm --partition auto,nphp; awk -v a="$(column 1 seconds)" -v b="$(column 2 seconds)" 'BEGIN { exit !(a < .9 * b) }'
ok $? "cut between nodes first: $(column 1 seconds) s, flat $(column 2 seconds)"
STARPU_CUDA_PIPELINE=0 STARPU_NWORKER_PER_CUDA=3 STARPU_NCUDA=0 run --platform mixednet.platform --sizes 2400 --steps 50 --model fpm
cp out.csv told.csv; run --platform mixednet.platform --sizes 2400 --steps 50 --model fpm; same told.csv out.csv "StarPU's settings for this machine do not affect that one"

# the graph is the real one: as many tasks of each kind, for as many flops
"$simulate" --platform one.platform --size 600,400 --steps 60 --block 10 --trace "$work/virtual" > /dev/null; ok $? "a simulated run is traced"
STARPU_NCPU=1 "$heat" --size 600,400 --steps 60 --block 10 --trace="$work/real" --quiet; ok $? "and a real one"
for w in virtual real; do grep -E '^kind,.*(tasks|flops)' "$work/$w/summary.csv" > "$work/$w.kinds"; done
same "$work/virtual.kinds" "$work/real.kinds" "they have the same tasks ($(tr '\n' ' ' < "$work/real.kinds"))"
"$trace" "$work/virtual" > /dev/null; ok $? "hetgrid-trace reads it"
[ "$(grep -c '^7 .* task worker[0-9]* k[0-9]*$' "$work/virtual/paje.trace")" = "$(awk -F, '$1 == "run" && $3 == "tasks" { print $4 }' "$work/virtual/summary.csv")" ]
ok $? "... and ViTE: each task begins once in its paje.trace"
if [ -n "$(type -P pj_dump)" ]; then
  pj_dump "$work/virtual/paje.trace" > "$work/dump" 2> "$work/err" && grep -q '^State' "$work/dump"; ok $? "... which pj_dump reads ($(wc -l < "$work/dump") lines)"
else skip "pj_dump is not installed (Debian: pajeng)"; fi
"$simulate" --platform cluster.platform --sizes 400 --steps 20 --trace "$work/four" > /dev/null; ok $? "a simulated run on four nodes is traced"
grep -q ' of 4 ranks$' "$work/four/summary.txt"; ok $? "... with the tasks of all: $(sed -n 2p "$work/four/summary.txt")"
head -n 1 "$work/virtual/summary.txt" | grep -q ', auto, policy'; ok $? "... under the partitioner's name: $(head -n 1 "$work/virtual/summary.txt")"
run --platform unlike.platform --sizes 500,1000 --picture chart.svg && python3 -c 'import xml.dom.minidom as m; m.parse("chart.svg")'; ok $? "speeds are drawn"
for p in thesis thesis-rows thesis-32+32 h100-node h200-node mixed-64; do
  run --platform $p --nodes 0 --sizes 2000 --steps 20; ok $? "platform $p runs: $(column 1 seconds) s"
done
run --platform hcl --nodes 0-1 --app elimination --sizes 1000; ok $? "platform hcl runs: $(column 1 seconds) s"
ls "$TMPDIR"/hetgrid-simulate-* > /dev/null 2>&1; [ $? -ne 0 ]; ok $? "nothing is left behind"
done_testing
