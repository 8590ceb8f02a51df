#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-calibrate --platform: describes a machine whose numbers are all known; hetgrid-simulate reads the description.
. "${srcdir:-.}/tests/tap.sh"
. "${srcdir:-.}/tests/messages.sh"
calibrate=${HETGRID_CALIBRATE:-$PWD/hetgrid-calibrate}
simulate=${HETGRID_SIMULATE:-$PWD/hetgrid-simulate}
gpu=$PWD/tests/gpu/calibrate_emulated
cd "$work" || exit 99
export HETGRID_TABLES=$work/tables HWLOC_SYNTHETIC="package:2 l3:1(size=33554432) l2:2(size=524288) core:1 pu:2"
unset HETGRID_NETWORK HWLOC_COMPONENTS # hwloc ignores HWLOC_SYNTHETIC if components are named
has() { grep -qF -- "$2" "$1"; ok $? "$3"; }                                # has FILE TEXT NAME
value() { tr ' ' '\n' < "$1" | sed -n "s/^$2=//p" | tail -n 1; }            # value FILE KEY
between() { awk -v v="$2" -v a="$3" -v b="$4" 'BEGIN { exit !(v > a && v < b) }'; ok $? "$1: $2"; } # between NAME VALUE LO HI
table() { awk -v s="$2" 'BEGIN { for (w = 1e4; w <= 1e8; w *= 100) print w ",0," w / s }' > "$1"; } # table FILE CELLS_PER_S
path() { "$calibrate" --app "$1" --show 2>&1 | sed -n 's/^hetgrid-calibrate: \(.*\.csv\): .*/\1/p'; } # path of the missing table

# --- nothing known, nowhere to write
mkdir tables
fails 1 'no speed table of this machine; run hetgrid-calibrate --app all once' "no tables" "$calibrate" --platform this.platform
[ -z "$(find . -maxdepth 1 -name '*platform*')" ]; ok $? "... leaves no file"
fails 1 'none/this.platform' "a file that cannot be written" "$calibrate" --app heat --platform none/this.platform
[ -z "$(ls tables)" ]; ok $? "... reported before anything is measured"
fails 2 'excludes --precision float and --show' "a description with --show" "$calibrate" --platform this.platform --show
fails 2 'excludes --precision float' "in single precision" "$calibrate" --platform this.platform --precision float
fails 2 'one program' "a picture of all programs" "$calibrate" --app all --picture all.svg

# --- 4 cores of 2 Gcells/s and 40 GFLOP/s
heat=$(path heat) elimination=$(path elimination) pricer=$(path pricer)
table "$heat" 2e9
"$calibrate" --platform heat.platform > out 2> err; ok $? "heat alone is known"
has heat.platform '# not measured: elimination of core: there is no table; hetgrid-calibrate --app elimination --workers cpu' "... which the file says"
has err 'elimination of core: there is no table' "... and the log"
[ -z "$(value heat.platform panel)$(value heat.platform batch)" ]; ok $? "... without guesses"
table "$elimination" 78125000 # 40e9 / 512 elements/s
table "$pricer" 3e8
file "$(level node 2e-6 1e-9)" "$(level network 20e-6 1e-8)" > messages.json
HETGRID_NETWORK=messages.json "$calibrate" --platform this.platform > out 2> err; ok $? "a machine is described"
has out 'platform: this.platform' "... $(cat out)"
device=$(grep '^device' this.platform)
[ "$(value this.platform heat_table)" = "$heat" ]; ok $? "heat_table: $(basename "$heat")"
[ "$(value this.platform update_table)" = "$elimination" ]; ok $? "update_table: $(basename "$elimination")"
[ "$(value this.platform batch)" = 3e+08 ]; ok $? "batch: the pricer's speed"
between "panel, flop/s" "$(value this.platform panel)" 1e7 1e13
between "moves, elements/s" "$(value this.platform moves)" 1e5 1e12
between "start, s" "$(value this.platform start)" 1e-8 1e-1
[[ $device == "device core cpu "* ]]; ok $? "... all of a core"
[ "$(grep -c '^device' this.platform)" -eq 1 ] && grep -qx 'node core\*4' this.platform; ok $? "... four of them"
grep -qx "network file=$(realpath messages.json) level=network" this.platform; ok $? "messages: $(grep '^network' this.platform)"
has this.platform 'packages 2, NUMA nodes 1, cores 4, hardware threads 8' "hwloc counts processors"
has this.platform 'L2 caches 4, of 512 KiB, for 1 core each' "... and caches"
has this.platform 'L3 caches 2, of 32768 KiB, for 2 cores each' "... that cores share"
has this.platform "#   heat_table: $heat" "a comment gives the source of a number"
has this.platform '# not measured: powers' "... and which are missing"
has err 'not measured: powers' "... as the log does"
has err 'while 4 cores are busy, the tables are of a single core; hetgrid-calibrate --app all --workers cpu --cores 4' "tables of one core are named as such"
[ -z "$(value this.platform adr)" ] && ! grep -q 'adr' err; ok $? "adr: none, since it is optional"
table "$("$calibrate" --app adr --precision float --show 2>&1 | sed -n 's/^hetgrid-calibrate: \(.*\.csv\): .*/\1/p')" 1.5e7
"$calibrate" --platform adr.platform --quiet 2> err; [ "$(value adr.platform adr)" = 1.5e+08 ]; ok $? "adr: of its table, ten iterations at a time"
iterate() { "$simulate" --platform "$1" --app adr --mode sync --sizes 15 --csv | tail -n 1 | cut -d, -f 11; }
printf 'device core cpu heat=%s %s\nnode core\n' 2e9 > by_heat.txt
sed 's/heat=/adr=190476190.476 heat=/' by_heat.txt > same.txt; sed 's/heat=/adr=95238095.238 heat=/' by_heat.txt > half.txt
awk -v h="$(iterate by_heat.txt)" -v s="$(iterate same.txt)" -v half="$(iterate half.txt)" \
  'BEGIN { print h, s, half; exit !(h > 0 && s > .999999 * h && s < 1.000001 * h && half > 1.999 * h && half < 2.001 * h) }' > times
ok $? "... and hetgrid-simulate takes it, or 2 / 21 of heat's ($(cat times) s)"
printf 'device core cpu adr=1e8\nnode core*2\n' > alone.txt; succeeds "a machine with a speed for adr only" "$simulate" --platform alone.txt --app adr --mode sync --sizes 9
printf 'device core cpu heat=1e9 heat_memory=1e5\nnode core*2\n' > cliff.txt
fails 1 "cliff.txt:1: has heat_memory but no heat_rest, must be > 0: .*core" "heat_memory without the speed that remains beyond it" "$simulate" --platform cliff.txt --sizes 100 --predict-only
alone() { printf 'device core cpu update=1e9 panel=1e9 %s\nnode core\n' "$1" > lonely.txt; fails 1 "lonely.txt:1: device core: $2= needs $3=" "$1" "$simulate" --platform lonely.txt --show; }
alone 'heat_start=1e-5' heat_start heat
alone 'heat=1e9 heat_rest=0.5' heat_rest heat_memory
alone 'heat=1e9 heat_sharp=8' heat_sharp heat_memory
# 100 steps of 10^6 cells in tasks of ten steps: cells take 0.1 s, steps 0.01 s, tasks 0.02 s
printf '5e5,0,6e-4\n1e6,0,1.1e-3\n' > million.csv
for by in 'heat=1e9 heat_start=1e-4' 'heat=1e9 heat_start=1e-4 heat_memory=1e12 heat_rest=0.5' heat_table=million.csv; do
  printf 'device core cpu %s start=2e-3\nnode core\n' "$by" > timed.txt
  for precision in double float; do
    "$simulate" --platform timed.txt --sizes 1000 --predict-only --csv --precision $precision > predicted
    awk -F, -v wanted=$([ $precision = double ] && echo 0.13 || echo 0.065) 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "predicted_seconds") k = i }
      NR == 2 { print $k; exit !($k > 0.999999 * wanted && $k < 1.000001 * wanted) }' predicted > times
    ok $? "$by: starts of steps and of tasks count, $precision: $(cat times) s"
  done
done
printf 'device core cpu heat=1e9\nnode core\n\0rubbish\n' > zero.txt; fails 1 'zero.txt: is not text, contains a zero byte' "a description with more text after a byte 0" "$simulate" --platform zero.txt --show
refuses() { printf 'device core cpu %s\nnode core\n' "$2" > both.txt; fails 1 "both.txt:1: $1=FILE excludes '$3'" "$2" "$simulate" --platform both.txt --show; }
refuses heat_table 'heat_table=million.csv heat_start=1e-5' heat_start
refuses heat_table 'heat=1e9 heat_table=million.csv' heat
refuses update_table 'update_table=million.csv update=1e9 panel=1e9' update
file "$(level h2d 9e-6 2e-11)" "$(level d2h 9e-6 2e-11)" > bus.json
refuses bus 'bus=bus.json to=1e9' to
# 8 kB per node and block, ten blocks: 0.16 s at half of 1 MB/s
printf 'device c cpu heat=1e12\nnode 2*c\nnetwork bandwidth=1e9 latency=1e-9 backbone=1e6\n' > backbone.txt
"$simulate" --platform backbone.txt --sizes 100 --model even --predict-only --csv |
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "predicted_seconds") k = i } NR == 2 { print $k; exit !($k > 0.15 && $k < 0.2) }' > times
ok $? "a backbone is shared: $(cat times) s"
for nodes in 0,1 0x 1.5 -1; do fails 2 "--nodes: '$nodes', must be A or A-B" "nodes $nodes" "$simulate" --platform thesis --nodes "$nodes" --sizes 100 --predict-only; done
fails 2 '\-\-steps: has no effect on elimination' "steps of an elimination" "$simulate" --app elimination --steps 5 --sizes 100
fails 2 '\-\-partition: has no effect on pricer' "a partition of paths" "$simulate" --app pricer --partition rows --sizes 100
fails 2 '\-\-sched: has no effect on heat with --predict-only' "a policy for no tasks" "$simulate" --sched dmdas --sizes 100 --predict-only
fails 2 'takes one --model, not 2' "two models of iterations" "$simulate" --app jacobi --mode sync --model even,fpm
printf 'device c cpu heat=1e9 full=10 full_heat=6 wait=4\nnode c base=5\n' > watts.txt
for mode in sync async; do
  "$simulate" --platform watts.txt --app jacobi --sizes 60 --mode $mode --csv | awk -F, 'NR == 2 { print $12 / $11; exit !($12 <= 11.001 * $11 && $12 > 9 * $11) }' > watts
  ok $? "iterations draw no more than the machine, $mode: $(cat watts) W of 11"
done
fails 2 'excludes --precision float, as' "iterations in single precision" "$simulate" --app jacobi --mode sync --precision float
fails 2 "unknown device 'gtx65' in c2050,gtx65" "a misspelt device" "$simulate" --platform thesis --devices c2050,gtx65 --nodes 0 --sizes 100 --predict-only
fails 2 'no speed for heat' "... is none for jacobi" "$simulate" --platform alone.txt --app jacobi --mode sync --sizes 9

STARPU_NCPU=0 "$calibrate" --platform start.platform --quiet 2> err; ok $? "where StarPU has no processor"
grep -q '^# not measured: start: ' start.platform && [ -z "$(value start.platform start)" ]; ok $? "... start is missing ($(grep start: err))"

# --- hetgrid-simulate reads it
"$simulate" --platform this.platform --show > shown; ok $? "hetgrid-simulate reads it"
grep -Eq '^core +cpu +0.000 +0.000 +2.000 +40.00 ' shown; ok $? "... $(grep '^core' shown)"
grep -qx 'node 0    core core core core' shown; ok $? "... $(grep '^node' shown)"
has shown 'level network' "... $(grep messages shown)"
"$simulate" --platform this.platform --sizes 1000 --steps 100 --predict-only --csv > predicted
seconds=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "predicted_seconds") k = i } NR == 2 { print $k }' predicted)
between "... and predicts 1e8 cells by it, s" "$seconds" .0124 .05
cp this.platform 'this, too.platform'
fields() { python3 -c 'import csv, sys; print(*{len(r) for r in csv.reader(sys.stdin)})'; }
if command -v python3 > /dev/null; then
  [ "$("$simulate" --platform 'this, too.platform' --sizes 1000 --predict-only --csv | fields)" = 19 ]; ok $? "... with a comma in a name, too"
  printf 'device core cpu adr=1e8\nnode core*2\n' > 'a, b.txt'
  [ "$("$simulate" --platform 'a, b.txt' --app adr --mode sync --sizes 9 --csv | fields)" = 18 ]; ok $? "... in iterations"
else
  skip "no python3"
fi
! grep -q nan predicted; ok $? "... and nothing where nothing ran: $(tail -n 1 predicted)"
"$simulate" --platform this.platform --sizes 1000 --predict-only > predicted; ! grep -Eq 'nan|policy|G/s' predicted; ok $? "... in text: $(tail -n 1 predicted)"
for app in elimination adr; do
  fails 2 "size: 100,50, must be one number for $app" "$app has one side" "$simulate" --platform this.platform --app $app --size 100,50
done
fails 2 'size: 100,50, must be one number for jacobi with --mode' "... and so have iterations" "$simulate" --app jacobi --mode sync --size 100,50

# --- tables of busy cores, and a network file that is found without being named
busy=${heat%.csv}-4-cores.csv
table "$busy" 1e9
cp messages.json "tables/network-$(hostname | tr -c 'A-Za-z0-9\n' '-')-by-hand.json"
"$calibrate" --platform busy.platform --quiet 2> err; ok $? "a table of four busy cores"
[ "$(value busy.platform heat_table)" = "$busy" ]; ok $? "... is preferred"
has err 'elimination, pricer while 4 cores are busy' "... and those without are named"
grep -q '^network file=.*-by-hand.json level=network' busy.platform; ok $? "the only file of this host is found"
cp messages.json "tables/network-$(hostname | tr -c 'A-Za-z0-9\n' '-')-again.json"
"$calibrate" --platform busy.platform --quiet 2> err; grep -q 'there are 2 files for this host, name one' err; ok $? "with two, one must be named"
rm tables/network-*
file "$(level h2d 1e-5 1e-10 cpu gpu)" > bus.json
"$calibrate" --platform busy.platform --network bus.json 2>&1 | grep -q 'bus.json has no level for them'; ok $? "a file without messages between ranks"

# --- damaged input gives an error, and the old description stays
cp this.platform before
echo nonsense > "$heat"; rm "$busy"
fails 1 "$(basename "$heat"):1" "a damaged table" "$calibrate" --platform this.platform
same before this.platform "... leaves the file as it was"
[ "$(find . -maxdepth 1 -name '*this.platform*' | wc -l)" -eq 1 ]; ok $? "... and no other file"
table "$heat" 2e9
mkdir 'a b'; cp tables/* 'a b'
HETGRID_TABLES="$work/a b" fails 2 'blanks' "a folder that a description cannot name" "$calibrate" --platform this.platform
rm tables/*
succeeds "tables are measured before they are described" "$calibrate" --app all --max-cells 100000 --max-error .5 --budget 10 --platform measured.platform
[ "$(grep -c '^table: ' out)" -eq 6 ]; ok $? "... of all programs in a description, of one core and of all existing ones"
has measured.platform "heat_table=${heat%.csv}-4-cores.csv update_table=${elimination%.csv}-4-cores.csv" "... in one call"
HWLOC_SYNTHETIC="core:100 pu:1" "$calibrate" --platform large.platform --quiet 2> err; ok $? "a hundred cores"
grep -qx 'node core\*64' large.platform && grep -q '36 of 100 cores: a node has at most 64' err; ok $? "... are more than a node can have"

# --- a GPU, emulated: 5 Gcells/s
succeeds "a GPU without tables" "$gpu" --platform none.platform
has none.platform '# left out: gpu0 (Emulated-GPU): there is no table; hetgrid-calibrate --app all --workers cuda:0' "... is left out"
has none.platform 'node core*3' "... but takes a core"
table tables/heat-cuda-double-Emulated-GPU.csv 5e9
table tables/elimination-cuda-double-Emulated-GPU.csv 1e9
file "$(level h2d 1e-5 1e-10 cpu gpu)" "$(level d2h 3e-5 2e-10 gpu cpu)" > bus.json
succeeds "a GPU and its bus" "$gpu" --platform gpu.platform --network bus.json
has gpu.platform "bus=$work/bus.json" "... as hetgrid-network measured it"
has gpu.platform 'node gpu0*1,core*3' "... in addition to the cores"
grep '^device gpu0' gpu.platform > line; between "... with panels, flop/s" "$(value line panel)" 1e5 1e13
between "... with exchanges, elements/s" "$(value line moves)" 1e3 1e12
"$simulate" --platform gpu.platform --show > shown
grep -Eq '^gpu0 +cuda +[0-9.]+ +10.000 +5.000 +512.00 ' shown; ok $? "... $(grep '^gpu0' shown)"
succeeds "a bus without measurement" "$gpu" --platform gpu.platform
grep '^device gpu0' gpu.platform > line; between "... is measured now, bytes/s" "$(value line to)" 1e6 1e13
"$simulate" --platform gpu.platform --show > shown; ok $? "... and read"
done_testing
