#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Joules: hetgrid-energy, and --energy of the programs, with powers from a file, fake counters and logs of meters.
. "${srcdir:-.}/tests/tap.sh"
source=$(cd "${srcdir:-.}" && pwd)
energy=${HETGRID_ENERGY:-$PWD/hetgrid-energy}
jacobi=${HETGRID_JACOBI:-$PWD/hetgrid-jacobi}
plan=${HETGRID_PLAN:-$PWD/hetgrid-plan}
calibrate=$PWD/hetgrid-calibrate pricer=$PWD/hetgrid-pricer adr=$PWD/hetgrid-adr fft=$PWD/hetgrid-fft matmul=$PWD/hetgrid-matmul
fake=$PWD/tests/energy/.libs/nvml.so
cd "$work" || exit 99
near() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a >= b * (1 - t) && a <= b * (1 + t)) }'; }
column() { awk -F, -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) k = i } NR == 2 { print $k }' "$1"; }
last() { awk -F, -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) k = i } END { print $k }' "$1"; } # value of the last row

# --- known results
"$energy" --golden "$source/tests/golden/energy.json" > golden; ok $? "the golden cases hold: $(grep -c '^ok' golden) of them"
grep -v '^ok\|^1' golden
sed 's/"alpha": 1.3324[0-9]*/"alpha": 1.34/' "$source/tests/golden/energy.json" > wrong.json
fails 1 'do not hold' "a wrong result is found" "$energy" --golden wrong.json

# --- which context is best
cat > pair.json <<'END'
{"error": 0.04, "contexts": [
 {"name": "gpu", "points": [[1, 100], [2, 62], [4, 40], [8, 26], [16, 17]], "mode": "sync", "beta": 0.602,
  "base": 141.4375, "units": [{"count": 1, "full": 87.875}], "switch": 34, "N_max": 64},
 {"name": "cpu", "points": [[1, 160], [2, 84], [4, 44], [8, 23.5], [16, 12.5]], "mode": "sync", "beta": 0.749,
  "base": 141.4375, "units": [{"count": 1, "full": 23.9375}], "switch": 34, "N_max": 64}]}
END
"$energy" --choose pair.json --by energy --nodes 1-16 --picture pair.svg > chosen; ok $? "two contexts are compared"
grep -q 'needs less energy from 1.217 ' chosen; ok $? "table 1.1 gives (1.37), 1.217: $(grep -o 'needs less energy from.*' chosen)"
grep -q '^ *3 .*within error of' chosen; ok $? "near the crossing the winner is within the error: $(grep '^ *3 ' chosen)"
grep -q '^ *16 .*sure' chosen; ok $? "far from it the winner is sure"
python3 -c 'import xml.dom.minidom as m; m.parse("pair.svg")'; ok $? "the picture parses"
"$energy" --choose pair.json --json --decay-correction > chosen.json; ok $? "... and printed as JSON"
python3 - <<'END'; ok $? "... whose crossings and winners agree"
import json
d = json.load(open('chosen.json'))
n = d['pairs'][0]['N_T']
runs = {(r['nodes'], r['context']): r for r in d['runs']}
assert all((runs[k, 'gpu']['seconds'] < runs[k, 'cpu']['seconds']) == (k < n) for k in range(1, 17))
best = min(d['runs'], key=lambda r: r['edp'])
assert d['best']['nodes'] == best['nodes'] and d['best']['context'] == best['context']
assert all(not (o['seconds'] < r['seconds'] and o['joules'] < r['joules']) for r in d['runs'] if r['pareto'] for o in d['runs'])
END
"$energy" --choose pair.json --nodes 4 --deadline 42 --csv > deadline.csv; grep -q '^4,cpu,.*,no,no,' deadline.csv && grep -q '^4,gpu,.*,yes,yes,sure' deadline.csv
ok $? "a deadline excludes the slower one"
"$energy" --choose pair.json --nodes 4 --power-cap 1 | grep -q 'no context satisfies --deadline and --power-cap'; ok $? "a power cap may exclude all"
"$energy" --choose pair.json --map gpu,cpu --nodes 1-4 --picture map.svg > map.csv; ok $? "two clusters together"
[ "$(wc -l < map.csv)" -eq 25 ]; ok $? "... for all numbers of nodes of both"
python3 -c 'import xml.dom.minidom as m; m.parse("map.svg")'; ok $? "... drawn"
"$energy" --choose pair.json --map gpu,cpu,cpu,gpu --nodes 1-2 | awk -F, '/^1,1,/ { exit !($3 == $5 && $7 == 1) }'; ok $? "a pair over itself gains nothing"
cat > bent.json <<'END'
{"contexts": [{"name": "slow-net", "points": [[1, 100, 15000], [2, 54, 16200], [4, 33, 19800]]},
 {"name": "one", "points": [[1, 130, 9000], [2, 128, 18000]]}]}
END
"$energy" --choose bent.json --by time > bent; grep -q 'not a straight line: interpolated between the points' bent && grep -q 'best by time: slow-net on 7 nodes, 28.28' bent
ok $? "points that bend decide: $(grep 'best by' bent)"
grep -q 'more nodes than the 4 that were measured: a run on 7 would confirm it' bent; ok $? "... and it says what is not sure"
sed 's/, \[8, 23.5\], \[16, 12.5\]//' pair.json > short.json # cpu is then known up to 16 nodes only
"$energy" --choose short.json > short; grep -q '^ *16 .*sure' short && ! grep -q '^ *\(1[7-9]\|[2-6][0-9]\) .*sure' short && grep -q '^ *17 .*cpu not known beyond 16' short
ok $? "beyond the known nodes of another context nothing is sure: $(grep '^ *17 ' short)"
grep -q 'Pareto front.* cpu:16 .*gpu:64? (' short; ok $? "... nor faster or greener than any other"
"$energy" --choose short.json --csv | grep -q '^64,gpu,.*,yes,yes,cpu not known beyond 16,unsure$'; ok $? "... in CSV too"
"$energy" --choose short.json --extrapolate | grep -q '^ *64  cpu .*sure'; ok $? "... unless extrapolation is asked for"
"$energy" --choose pair.json --deadline 30 --csv | awk -F, '$12 != "no" && $9 == "no" { bad = 1 } END { exit bad }'; ok $? "a run beyond the deadline is not faster or greener than any other"
printf '{"contexts": [{"name": "a", "points": [[16, 250], [64, 125]], "base": 100, "units": [{"count": 1, "full": 50}]},
  {"name": "b", "points": [[4, 500], [16, 250]], "base": 100, "units": [{"count": 1, "full": 40}]}]}' > alike.json
"$energy" --choose alike.json --nodes 1-4 | grep -q '^Pareto front.*: b:1 b:2 b:3 b:4$'; ok $? "... nor one of the same times but for a rounding: $("$energy" --choose alike.json --nodes 1-4 | tail -n 1)"
refused() { # refused PATTERN NAME SED-SCRIPT [OPTION..]
  local pattern=$1 name=$2 script=$3; shift 3
  sed "$script" pair.json > bad.json
  fails "$wanted" "$pattern" "$name" "$energy" --choose bad.json "$@"
}
wanted=2
refused 'N is 65, must be in 1..64' "more nodes than there are" '' --nodes 65
refused 'at most 4 times the 16' "nodes far beyond what was measured" 's/"N_max": 64/"N_max": 640/g' --nodes 65
refused 'beta is 1.5' "a share above 1" 's/0.602/1.5/'
refused 'full of a unit is 0' "a unit without power" 's/87.875/0/'
refused 'full >= wait >= idle' "a unit that waits at more than full power" 's/"full": 87.875/"full": 87.875, "wait": 90/'
refused 'two different N' "one N alone" 's/\[2, 62\].*17\]\]/[1, 99]]/'
refused 'N is 2.5 in a point, must be a whole number' "half a node" 's/\[2, 62\]/[2.5, 62]/'
refused "'x' is not a context" "a map of a missing context" '' --map gpu,x
for none in "deadline 10" "power-cap 100" json; do
  # shellcheck disable=SC2086
  refused "${none%% *}: not with --map" "a map with --$none" '' --map gpu,cpu --$none
done
refused 'repeat: only with --measure' "a choice with what is measured" '' --repeat 3
wanted=1
refused "unknown key 'colour'" "an unknown key" 's/"beta": 0.602/"colour": 1/'
refused 'bad.json:2' "invalid JSON" '2s/{/[/'
sed 's/"N_max": 64/"N_max": 640/g' pair.json > far.json; succeeds "... unless extrapolation is asked for" "$energy" --choose far.json --nodes 65 --extrapolate
fails 2 'one of --choose' "nothing to do" "$energy"
fails 2 'deadline: not with --measure' "a measurement with what is chosen" "$energy" --measure --deadline 10

# --- power levels, from an emulated GPU whose power follows this process' load
export HETGRID_NVML=$fake
cores=$(nproc)
FAKE_NVML_GPUS=1 FAKE_NVML_SAMPLED=1 FAKE_NVML_IDLE=30 FAKE_NVML_FULL=20 FAKE_NVML_RESTS=1 \
  "$energy" --measure --source nvml --seconds 1.5 --warm .05 --repeat 1 --output m.platform > measured 2> counts; ok $? "levels are measured: $(cat measured)"
power() { sed -n "s/.*[ ]$1=\([0-9.e+-]*\).*/\1/p" m.platform; }
near "$(power full)" 20 .02 && near "$(power wait)" 20 .02 && near "$(power base)" 30 .02
ok $? "... full, waiting and base power within 2 %: $(power full), $(power wait), $(power base)"
[ "$(grep -c "core\*$cores" m.platform)" -eq 1 ]; ok $? "... of $cores cores"

# --- powers of kernels, in addition to those of the machine
export HETGRID_TABLES=$work/tables FAKE_NVML_GPUS=1 FAKE_NVML_SAMPLED=1 FAKE_NVML_IDLE=30
mkdir tables
fails 1 'hetgrid-energy --measure writes it' "powers of kernels need those of the machine first" "$calibrate" --workers cpu --energy=nvml
{ cat m.platform; echo '# kept'; } > tables/energy.platform
for watts in 22 25; do # the second measurement replaces the first
  FAKE_NVML_FULL=$watts "$calibrate" --workers cpu --energy=nvml --budget 13 > kernels 2>&1; ok $? "heat's kernels are measured: $(tail -n 1 kernels)"
  sed -i 's/\r*$/\r/' tables/energy.platform # line ends as Windows editors write them
done
near "$(sed -n 's/^device.* full_heat=\(.*\)\r$/\1/p' tables/energy.platform)" 25 .03; ok $? "... a core that draws 25 W with them"
[ "$(grep -c '^# full_heat=.* of core: measured .* by nvml-sampled' tables/energy.platform)" -eq 1 ] && grep -q '^# kept.$' tables/energy.platform
ok $? "... is in the file once, with its source, and the rest stays"
FAKE_NVML_FULL=0 fails 1 'does not show the work of heat' "a counter that does not register the work" "$calibrate" --workers cpu --energy=nvml --budget 3
fails 2 'one of rapl, nvml' "an unknown source" "$calibrate" --workers cpu --energy=modelled:x
fails 2 'energy: excludes' "powers or a description" "$calibrate" --energy --platform x.platform
unset FAKE_NVML_GPUS FAKE_NVML_SAMPLED FAKE_NVML_IDLE HETGRID_TABLES
unset HETGRID_NVML
export HETGRID_SYSFS=$work/nothing
fails 1 'there is no' "no counter, no levels" "$energy" --measure

# --- programs
cat > here.platform <<'END'
device core cpu full=12 wait=10 idle=1
node core*4 base=50
network switch=4
END
modelled=--energy=modelled:here.platform
for program in heat elimination jacobi; do
  case $program in
    heat) command=("$heat" --size 300,300 --steps 200) unit='cell and step';;
    elimination) command=("$elimination" --matrix uniform:400) unit=flop;;
    jacobi) command=("$jacobi" --size 100,100 --max-sweeps 50) unit='point and step';;
  esac
  "${command[@]}" --csv "$modelled" > "$program.csv" 2> err; ok $? "$program counts joules"
  head -n 1 "$program.csv" | grep -q ',joules,joules_source,watts,edp$'; ok $? "... in the last columns"
  [ "$(column "$program.csv" joules_source)" = modelled ]; ok $? "... modelled"
  near "$(column "$program.csv" watts)" 78 .03; ok $? "... 54 W at rest, two workers at 10 to 12 and two unused cores: $(column "$program.csv" watts) W"
  "${command[@]}" "$modelled" > text; grep -q "  energy .* J (modelled all .*W, .* nJ per $unit" text; ok $? "... in the report: $(grep energy text)"
  "${command[@]}" --csv > plain.csv; grep -q joules plain.csv; [ $? -eq 1 ]; ok $? "... and only if asked for"
done
sed 's/full=12/& full_heat=40 full_pricer=30/' here.platform > kernels.platform
for case in heat:90:136 pricer:90:116 elimination:76:80; do # 56 W at rest, two workers
  IFS=: read -r program least most <<< "$case"
  case $program in
    heat) command=("$heat" --size 1000,1000 --steps 400);;
    pricer) command=("$pricer" --paths 1e8);;
    elimination) command=("$elimination" --matrix uniform:400);;
  esac
  "${command[@]}" --csv --energy=modelled:kernels.platform > kernels.csv 2> err
  awk -v w="$(last kernels.csv watts)" -v a="$least" -v b="$most" 'BEGIN { exit !(w >= a && w <= b) }'
  ok $? "$program draws what its kernels draw, $least to $most W: $(last kernels.csv watts)"
done
for program in pricer adr fft matmul; do
  case $program in
    pricer) command=("$pricer" --paths 1e8);;
    adr) command=("$adr" --size 15 --time .05 --steps 2);;
    fft) command=("$fft" --batch 64 --size 64,64 --passes 3);;
    matmul) command=("$matmul" --size 700);;
  esac
  "${command[@]}" --csv "$modelled" > "$program.csv" 2> err; ok $? "$program counts joules"
  head -n 1 "$program.csv" | grep -q ',joules,joules_source,watts,edp$'; ok $? "... in the last columns"
  near "$(last "$program.csv" watts)" 78 .03; ok $? "... and draws between 54 + 2 * (10 + 1) and 54 + 2 * (12 + 1) W: $(last "$program.csv" watts)"
  "${command[@]}" "$modelled" | grep -q '  energy .* J (modelled all .*W'; ok $? "... and the report says so"
done
printf 'device core cpu full=10 wait=1\nnode core*2 base=0\n' > unlike_wait.platform
for command in "$heat --size 400,400 --steps 300" "$elimination --matrix uniform:600"; do
  STARPU_NCPU=2 $command --csv --energy=modelled:unlike_wait.platform --phases=busy.csv > busy.run
  sums=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { b += $at["busy_s"]; j += $at["joules"]; own += $at["busy_s"] * 10 + $at["wait_s"] } END { print b, j, own }' busy.csv)
  read -r busy joules own <<< "$sums"
  near "$joules" "$own" 1e-3 && awk -v b="$busy" 'BEGIN { exit !(b > 0) }' && near "$(last busy.run joules)" "$joules" 1e-4
  ok $? "$(basename "${command%% *}") --phases --energy: workers are busy for $busy s, and their $joules J are the run's $(last busy.run joules)"
done
if [ -n "${MPIEXEC:-}" ]; then
  mkdir first second
  printf 'device core cpu full=10 wait=10 idle=10\nnode core*2 base=80\n' > first/energy.platform
  printf 'device core cpu full=90 wait=90 idle=90\nnode core*5 base=0\n' > second/energy.platform
  line="STARPU_NCPU=1 $heat --size 90,80 --steps 9 --csv --energy"
  "$ranks" 2 "$each" "HETGRID_TABLES=first $line" "HETGRID_TABLES=second $line" > apart.csv 2> err; ok $? "ranks whose machines were measured apart $(head -n 1 err)"
  near "$(last apart.csv watts)" 100 1e-4; ok $? "... count by what rank 0 knows: $(last apart.csv watts) W"
fi
"$heat" --size 400,400 --steps 300 --csv "$modelled" --phases=phases.csv > heat.csv
python3 - <<'END'; ok $? "joules are the sum over workers and nodes"
import csv
run = next(csv.DictReader(open('heat.csv')))
t = float(run['seconds'])
rows = list(csv.DictReader(open('phases.csv')))
workers = sum(float(r['busy_s']) * 12 + float(r['wait_s']) * 10 for r in rows)
assert abs(sum(float(r['joules']) for r in rows) / workers - 1) < 1e-6
assert abs(float(run['joules']) / (workers + 54 * t + 2 * 1 * t) - 1) < 1e-6
assert abs(float(run['edp']) / (float(run['joules']) * t) - 1) < 1e-6
END
"$heat" --size 200,200 --steps 10 --csv --energy > none.csv 2> none.err; ok $? "no counters, no file: the run continues"
[ -z "$(column none.csv joules)" ] && [ "$(wc -l < none.err)" -eq 1 ] && grep -q 'rapl: .*nvml: .*hetgrid-energy --measure' none.err
ok $? "... without joules, and one line says why and what to do: $(cut -c1-100 none.err)"
fails 1 'rapl: there is no' "a counter that was named must be there" "$heat" --size 200,200 --energy=rapl
fails 2 "'wind' is unknown" "an unknown source" "$heat" --energy=wind
fails 2 'give it alone' "sources that cover the same" "$heat" --energy=meter:a,rapl
printf 'device core cpu full=1\nnode core\n' > small.platform
fails 2 'too few processor cores' "a machine that is too small" "$heat" --size 200,200 --energy=modelled:small.platform
zone=$HETGRID_SYSFS/class/powercap/intel-rapl:0
mkdir -p "$zone" && echo package-0 > "$zone/name" && echo 1000 > "$zone/energy_uj" && echo 1000000000 > "$zone/max_energy_range_uj"
fails 1 'energy: rapl: .*intel-rapl:0 counted no energy in' "a counter that does not change is no measurement" "$heat" --size 200,200 --steps 10 --csv --energy=rapl
[ "$(wc -l < err)" -eq 1 ] && [ -z "$(column out joules)" ]; ok $? "... one line, no joules"
fails 1 'counted no energy in' "... nor for --measure" "$energy" --measure --seconds .2 --warm .05 --repeat 1 --output no.platform
[ ! -e no.platform ]; ok $? "... which writes nothing"
# Writes in place without forking, so that the counter changes even in the shortest run: about 20 W.
(n=1000; while [ -d "$zone" ]; do printf '%012d\n' $((n += 200)) 1<> "$zone/energy_uj"; done) 2> /dev/null & ticker=$!
# The source that a run must name: marked "short" if the run is shorter than the counter's 0.1 s.
counted() { awk -v s="$(column "$1" seconds)" 'BEGIN { print s < .1 ? "rapl short" : "rapl" }'; }
"$heat" --size 200,200 --steps 4000 --csv --energy=rapl > rapl.csv; ok $? "a counter is read"
[ "$(column rapl.csv joules_source)" = "$(counted rapl.csv)" ] && awk -v j="$(column rapl.csv joules)" 'BEGIN { exit !(j > 0) }'
ok $? "... a run of milliseconds is marked: $(column rapl.csv joules) J, $(column rapl.csv joules_source)"
"$heat" --size 200,200 --steps 4000 --csv --energy=rapl,modelled:here.platform > mixed.csv; [ "$(column mixed.csv joules_source)" = "$(counted mixed.csv)" ]
ok $? "... without GPUs nothing remains to be modelled"
kill $ticker
FAKE_NVML_SAMPLED=1 FAKE_NVML_IDLE=30 FAKE_NVML_FULL=0 HETGRID_NVML=$fake "$heat" --size 200,200 --steps 10 --energy=nvml,modelled:here.platform > mixed
grep -q 'nvml-sampled gpu [0-9].*, modelled node+cpu' mixed; ok $? "GPUs by counter, the rest by model: $(grep energy mixed)"
now=$(date +%s)
printf 'time,watts\n%d,100\n%d,100\n' $((now - 100)) $((now + 1000)) > meter.csv
"$heat" --size 1000,1000 --steps 200 --csv --energy=meter:meter.csv > meter.out; near "$(column meter.out watts)" 100 .05; ok $? "a meter of 100 W: $(column meter.out watts) W"
{ echo time,watts; for s in 100 90 80 70 60 50 40 30 20 10; do echo "$((now - s)),100"; done; echo "$((now + 1000)),100"; } > gap.csv
"$heat" --size 1000,1000 --steps 20 --csv --energy=meter:gap.csv > gap.out 2> err; ok $? "a meter that paused is read"
grep -q 'gap.csv: no sample for 1.01e+03 s after .*; the median interval is 10 s' err; ok $? "... with a warning: $(head -n 1 err)"
printf 'time,watts\n0,100\n10,100\n' > old.csv; touch -d '1 hour ago' old.csv
fails 1 'the window is [0-9.e+]*\.\.[0-9.e+]* s, must be within the samples at 0..10 s' "a meter that ended long ago" "$heat" --size 200,200 --steps 10 --energy=meter:old.csv
grep -q '  time ' out; ok $? "... the run itself is reported"
printf 'time,power [kW]\n0,1\n1,1\n' > kilo.csv; fails 1 'kilo.csv:1:.*the header has the unit kW, powers must be in W' "a meter in kilowatts" "$heat" --size 200,200 --energy=meter:kilo.csv
printf '0,1,2\n' > two.csv; fails 2 '2 columns of watts, must be 1' "two meters for one node" "$heat" --size 200,200 --energy=meter:two.csv
if [ -n "${MPIEXEC:-}" ]; then
  "$ranks" 2 "$heat" --size 1000,1000 --steps 200 --csv --energy=meter:meter.csv > ranks.csv 2> err; near "$(column ranks.csv watts)" 100 .05
  ok $? "two ranks on a machine have one meter: $(column ranks.csv watts) W"
  "$ranks" 2 "$heat" --size 300,300 --steps 100 --csv "$modelled" > ranks.csv 2> err; near "$(column ranks.csv watts)" 78 .03
  ok $? "... and one base: $(column ranks.csv watts) W"
  # the package's counter rises by 5 J once the first checkpoint shows that the timed part has begun
  echo 1000 > "$zone/energy_uj"
  "$ranks" 2 "$heat" --size 1000,1000 --steps 4000 --csv --energy=rapl --checkpoint begun.h5 --checkpoint-every 200 > ranks.csv 2> err & pid=$!
  for _ in $(seq 3000); do [ ! -s begun.h5 ] || break; sleep .02; done
  echo 5001000 > "$zone/new" && mv "$zone/new" "$zone/energy_uj"
  wait $pid; near "$(column ranks.csv joules)" 5 1e-9; ok $? "two ranks on one package count it once: $(column ranks.csv joules) J"
else
  skip "no mpirun"
fi

# --- division by energy
cat > unlike.platform <<'END'
device good cpu heat=1e9 full=10 wait=9
device bad cpu heat=1e9 full=60 wait=10
node good,bad base=20
END
"$plan" --energy unlike.platform --grid 100,100 --csv --objective energy > plan.csv; ok $? "a plan by energy"
awk -F, '$2 == 0 { a = $10 } $2 == 1 { b = $10 } END { exit !(a == 10000 && b == 0) }' plan.csv; ok $? "... leaves the power-hungry core without work"
head -n 1 plan.csv | grep -q ',joules$'; ok $? "... and reports joules"
"$plan" --energy unlike.platform --grid 100,100 --json > plan.json && python3 -c 'import json; e = json.load(open("plan.json"))["energy"]; f = e["front"]
assert abs(e["joules"] / (5e-6 * 90) - 1) < 1e-9 and len(f) == 2 and abs(f[1]["joules"] / (1e-5 * 30) - 1) < 1e-9'; ok $? "... by time 90 W for 5 us, and a front of two"
# A GPU that is slow on an even share: its speed at its final share counts; tables of the same functions give the same plan.
printf 'device core cpu heat=2.5e9 full=5\ndevice gpu cuda heat=150e9 heat_start=8e-6 memory=8e10 to=5e10 from=5e10 full=600 idle=70\nnode gpu,core*16 base=300\n' > late.platform
awk 'BEGIN { for (w = 1000; w <= 1.7e7; w *= 1.5) printf "%.0f,0,%.17g\n", w, 8e-6 + int(w + .5) / 150e9 }' > gpu.csv
printf '1000,0,4e-7\n16000000,0,.0064\n' > core.csv
seconds() { awk -F, 'NR > 1 && $13 > t { t = $13 } END { print t }'; }
by_table=$("$plan" --tables 'gpu.csv,core.csv*16' --model fpm --grid 4000,4000 --csv | seconds)
for goal in time energy; do
  "$plan" --energy late.platform --grid 4000,4000 --csv --objective $goal > plan.csv
  near "$(seconds < plan.csv)" "$by_table" .01; ok $? "... by $goal its GPU has $(awk -F, '$2 == 0 { print $10 }' plan.csv) of 16000000 cells: $(seconds < plan.csv) s, by tables $by_table"
done
fails 2 "source: 'foo', must be one of rapl, nvml and meter:FILE" "an unknown source" "$energy" --measure --source foo
context() { printf '{"contexts":[{"name":"%s","points":%s,%s"base":%s,"units":[{"count":%s,"full":%s}],"N_max":4}]}' "$@" > wrong.json; }
beyond() { context "${@:3}"; fails 2 "$1" "$2" "$energy" --choose wrong.json; } # PATTERN NAME CONTEXT..
two='[[1,100],[2,62]]'
beyond 'full of a unit is 1e\+308, must be > 0 W, at most' "powers beyond any machine" a "$two" '' 100 1 1e308
beyond 'base is 1e\+308' "a base beyond any machine" a "$two" '' 1e308 1 10
beyond 'count of a unit is 1e\+300' "units beyond any machine" a "$two" '' 100 1e300 10
beyond 's is 1e\+300, must be in -100..100' "an impossible slope" a "$two" '"s":1e300,' 100 1 10
beyond 'T of a point is 1e\+300, must be in 1e-30..1e30 s' "times beyond all time" a '[[1,1e300],[2,1e300]]' '' 100 1 10
beyond 'E of a point is 1e-300' "impossible joules" a '[[1,1,1e-300],[2,1,1e-300]]' '' 100 1 10
context 'x\u001b[31m' "$two" '' 100 1 10
fails 1 'printable characters' "a name with control characters" "$energy" --choose wrong.json
fails 2 'exclude each other' "two tasks at once" "$energy" --measure --choose contexts.json
fails 2 'csv and --json' "two kinds of results" "$energy" --choose contexts.json --csv --json
printf 'device fast cpu heat=3e9 full=30 wait=1 idle=0 full_heat=3\ndevice slow cpu heat=1e9 full=1 wait=1 idle=0 full_heat=50\nnode fast,slow base=1\n' > kernel.platform
"$plan" --platform kernel.platform --size 400,400 --csv --objective energy > plan.csv; [ "$(awk -F, 'NR == 2 { print $10 }' plan.csv)" = 160000 ]
ok $? "a plan of heat counts the powers of heat's kernels"
fails 2 'needs --platform' "an objective without powers" "$plan" --speeds 1,2 --objective energy
fails 2 'has 2 processors for 3 speeds' "a machine of another size" "$plan" --speeds 1,2,3 --energy unlike.platform
STARPU_NCPU=2 "$heat" --size 200,200 --tile 50,50 --steps 400 --energy=modelled:unlike.platform --objective energy --verify --phases=energy.csv > text; ok $? "heat divided by energy is right"
awk -F, 'NR == 3 { exit !($6 == 0) }' energy.csv; ok $? "... the power-hungry core computes nothing"
# codelets have energy models, which StarPU's own policy weighs if asked to; counts tasks, not seconds
greedy=("$heat" --sched dmda --size 400,400 --tile 50,50 --block 5 --rebalance off --steps 400 --energy=modelled:unlike.platform --quiet)
tasks() { grep -o '[0-9]* task(s)' tasks | awk '{ n[NR] = $1 } END { print n[1] + 0, n[2] + 0 }'; }
spares() { STARPU_NCPU=2 STARPU_WORKER_STATS=1 STARPU_SCHED_GAMMA=1e9 "${greedy[@]}" 2> tasks && tasks | awk '{ exit !($1 + $2 == 5120 && $2 < .1 * $1) }'; }
spares || spares || spares # the first tasks calibrate; other programs may disturb them
ok $? "dmda gives the power-hungry core almost nothing if a joule is worth a quarter of an hour: tasks $(tasks)"
STARPU_NCPU=2 STARPU_WORKER_STATS=1 "${greedy[@]}" 2> tasks && tasks | awk '{ exit !($1 + $2 == 5120 && $2 > .1 * $1) }'; ok $? "... and its share if no value of a joule is given: $(tasks)"
fails 1 'hetgrid-energy --measure' "an objective of energy without powers" "$heat" --size 200,200 --objective energy
done_testing
