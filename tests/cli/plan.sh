#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-plan: golden cases, its outputs, wrong input; hetgrid-heat moves as many bytes as the plan predicts.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
plan=${HETGRID_PLAN:-$PWD/hetgrid-plan}
for golden in partition models cooperative; do
  "$plan" --golden "$here/tests/golden/$golden.json" > "$work/tap"; status=$?
  ok $status "golden $golden: $(grep -c '^ok' "$work/tap") of $(tail -n 1 "$work/tap" | cut -d. -f3) cases hold $(grep '^not ok' "$work/tap" | head -n 3 | tr '\n' ' ')"
  ! grep -q SKIP "$work/tap"; ok $? "and none is skipped"
done
cd "$work" || exit 99

thesis=2*10,4*5,5*4,3*5,1*5
items() { "$plan" --grid 240,240 --speeds $thesis --partition "$1" --thesis --json | grep -o '"items":[0-9]*,"half' | tr -dc 0-9; }
[ "$(items php)" = 4416 ]; ok $? "the thesis' 29 processors on 240 x 240, php: $(items php) items"
[ "$(items nphp)" = 4296 ]; ok $? "nphp: $(items nphp) items (17.9 n, not the printed 16.9 n)"
python3 - <<END 2>/dev/null; status=$?
import json, subprocess
p = json.loads(subprocess.check_output(["$plan", "--grid", "100,80", "--speeds", "3,1,2", "--json"]))
assert sum(q["cells"] for q in p["parts"]) == 8000 and p["total"]["cut"] > 0 and p["grid"] == [100, 80]
END
if command -v python3 > /dev/null; then ok $status "--json is JSON whose parts sum to the grid"; else skip "no python3"; fi
"$plan" --grid 100,80 --speeds 3,1,2 --csv | awk -F, 'NR > 1 { sum += $10 } END { exit sum != 8000 }'; ok $? "--csv has one row per part"
picture() { python3 "$here/tests/cli/picture.py" "$@"; } # FILE.png COLOUR..: prints its size and the share of each colour
for file in parts.png parts.svg parts.pdf; do succeeds "--picture draws $file" "$plan" --grid 100,80 --speeds 4,1 --picture $file; done
file parts.svg parts.pdf | grep -c 'SVG\|PDF' | grep -qx 2; ok $? "... each in the format of its ending"
picture parts.png 2171b5 f7fbff | awk '{ exit !($4 > 0 && $3 / $4 > 3.7 && $3 / $4 < 4.3) }'
ok $? "... four times as fast is four times as large: $(picture parts.png 2171b5 f7fbff)"
succeeds "a halo is drawn" "$plan" --grid 100,80 --speeds 4,1 --halo 4 --picture halo.png
[ "$(picture halo.png f7fbff | cut -d' ' -f3)" != "$(picture parts.png f7fbff | cut -d' ' -f3)" ]; ok $? "... over the cells of others"
succeeds "layers of a 3-D plan are drawn" "$plan" --quiet --grid 60,60,60 --speeds 1*8 --picture layers.png
[ "$(picture layers.png | cut -d' ' -f1)" -gt 1400 ]; ok $? "... next to each other: $(picture layers.png) pixels"
succeeds "200 parts are drawn" "$plan" --quiet --speeds 3*20,5*30,1*150 --picture many.png
mkdir no-fonts && echo '<fontconfig><dir>none</dir></fontconfig>' > fonts.conf
succeeds "without any font too" env FONTCONFIG_FILE="$PWD/fonts.conf" "$plan" --quiet --speeds 1,2 --picture strokes.png
fails 2 "'x.jpg' must end in .svg, .png or .pdf" "a picture of another kind" "$plan" --speeds 1,2 --picture x.jpg
[ "$("$plan" --speeds 1,2,3 --partition all | wc -l)" -eq 15 ]; ok $? "all partitioners are compared"
succeeds "nodes whose speeds differ by 10^20" "$plan" --grid 40,40 --speeds 1,1,1e20,1e20 --nodes 2,2 --csv
[ "$(awk -F, 'NR > 1 { n += $10 } END { print n }' "$work/out")" = 1600 ]; ok $? "... cover the grid"
# four nodes of two: in a flat division the parts of a node need not touch
nodes() { "$plan" --grid 3200,3200 --speeds 2.5,1,2.5,1,2.5,1,2.5,1 --nodes '2*4' --csv --partition all | awk -F, -v p="$1" '$1 == p { print $NF }'; }
[ "$(nodes nodes)" = 6400 ] && [ "$(nodes auto)" = 6400 ]; ok $? "each node gets a quarter: $(nodes auto) cells between them"
[ "$(nodes nphp)" -gt 9000 ]; ok $? "... flat, $(nodes nphp)"
"$plan" --grid 3200,3200 --speeds '1*8' --nodes 2,2,2,2 | grep -q '^between 4 nodes 6400, 12800 items'; ok $? "... which the report says"
(ulimit -s 1024; "$plan" --grid 10,40000 --speeds '1*40000' --partition rows --csv) | awk -F, 'NR > 1 && $10 != 10 { bad = 1 } END { exit bad || NR != 40001 }'
ok $? "a stack of 1 MiB is enough for 40,000 bands"
fails 2 'nodes: 6 processors in total, must be 8' "nodes of fewer processors" "$plan" --speeds '1*8' --nodes 2,2,2
fails 2 'nodes: 2.5 processors of node 1' "half a processor" "$plan" --speeds '1*8' --nodes 1,2.5,4.5
"$plan" --quiet --grid 100,80 --speeds 1,1,1,1 --nodes 4 --picture one.png && "$plan" --quiet --grid 100,80 --speeds 1,1,1,1 --nodes 2,2 --picture two.png
picture one.png 1a1a1a > one && picture two.png 1a1a1a > two; awk 'NR == FNR { a = $3; next } { exit !($3 > 1.15 * a) }' one two
ok $? "... and a picture shows with heavier borders: $(cut -d' ' -f3 one), $(cut -d' ' -f3 two) of it black"
weighed=(--speeds 3,1 --links 1,2 --memories 5,1 --factors 2,1,1)
"$plan" --grid 100,80 "${weighed[@]}" --csv | awk -F, 'NR > 1 { print $10 }' > cells
STARPU_NCPU=2 STARPU_NCUDA=0 "$heat" --size 100,80 "${weighed[@]}" --plan-only --csv | awk -F, 'NR > 1 { print $10 }' > programs
same cells programs "programs weigh capabilities as plan does ($(tr '\n' ' ' < cells)cells)"
fails 2 'links and --memories: need --factors' "links without factors" "$heat" --size 9 --speeds 3,1 --links 1,2
fails 2 'factors: needs --speeds with numbers' "factors of no speeds" "$heat" --size 9 --factors 1,0,0
fails 2 'factors: 2 speeds, 3 links' "links of others" "$heat" --size 9 --speeds 3,1 --links 1,2,3 --factors 1,1,0
"$plan" --grid 10,6 --speeds 4,3,2,1 --partition points | grep -q '^53 distinct'; ok $? "points: 53 distinct values (figure 3-1 a)"
for as in json csv; do
  "$plan" --grid 10,6 --speeds 4,3,2,1 --partition points --$as > points.$as; ok $? "points as $as"
done
awk -F, 'NR > 1 { sum += $5 } END { exit !(sum == 60 && NR == 5) }' points.csv && grep -q '"items_cells":53' points.json; ok $? "... with all cells"
succeeds "points of 10^9 cells" timeout 20 "$plan" --quiet --grid 1000,1000,1000 --speeds 4,3,2,1 --partition points
fails 2 'points: 8.1e\+19 cells, .*, must be < 2\^62 and <= 2\^31' "points too many to be numbered" "$plan" --grid 9000000000,9000000000 --speeds 2,1 --partition points
fails 2 'points: excludes --latency' "points do not count messages" "$plan" --grid 10,6 --speeds 2,1 --partition points --latency 1
fails 2 '--quiet need a single one' "a quiet comparison" "$plan" --grid 10,6 --speeds 2,1 --partition all --quiet
succeeds "points drawn" "$plan" --quiet --grid 10,6 --speeds 4,3,2,1 --partition points --picture points.png
picture points.png 0072b2 e69f00 009e73 d55e00 | awk '{ for (i = 3; i <= 6; i++) if ($i / $6 < .97 * (7 - i) || $i / $6 > 1.03 * (7 - i)) exit 1 }'
ok $? "... each as large as its speed: $(picture points.png 0072b2 e69f00 009e73 d55e00)"
succeeds "points of three dimensions drawn" "$plan" --quiet --grid 9,9,9 --speeds 1,1 --partition points --picture points.svg
succeeds "... of two layers" "$plan" --quiet --grid 12,12,2 --speeds 1,1 --partition points --picture layers.png
picture layers.png 0072b2 e69f00 | awk '{ exit !($3 > .97 * $4 && $3 < 1.03 * $4 && $3 > 0) }'; ok $? "... half of them each part's: $(picture layers.png 0072b2 e69f00)"
for speeds in 1e-320,2e-320 1e300*40 1e-320,1e300 0,1e-300; do
  for name in auto nphp points; do
    for more in "--halo 1" "--latency 1e-6 --bandwidth 1e9" --continuous; do
      [ $name = points ] && more='' # the other options are for rectangles
      # shellcheck disable=SC2086
      "$plan" --grid 100,80 --speeds "$speeds" --partition $name $more --json > number.json || echo "failed" >> numbers
      grep -E -o '(nan|inf)[^"]*' number.json >> numbers
    done
  done
done
[ ! -s numbers ]; ok $? "speeds from 1e-320 to 1e300 give no nan nor inf in JSON $(head -n 3 numbers 2> /dev/null | tr '\n' ' ')"
# capabilities (equations 3-1, 3-2): computing 3 : 1 and links 1 : 3 balance each other
cells() { "$plan" --grid 100,80 "$@" --csv | awk -F, 'NR > 1 { printf "%s ", $10 }'; }
[ "$(cells --speeds 30,10 --links 1,3 --factors 1,1,0)" = "4000 4000 " ]; ok $? "--factors weighs speeds and links ($(cells --speeds 30,10 --links 1,3 --factors 1,1,0))"
[ "$(cells --speeds 30,10 --links 1,3 --memories 7,1 --factors 1,0,1)" = "6480 1520 " ]; ok $? "... and memories, .8125 of 100 columns ($(cells --speeds 30,10 --links 1,3 --memories 7,1 --factors 1,0,1))"
printf 'w,c,time\n1000,0,1e-6\n' > one.csv
fails 2 '--speeds and --tables exclude each other' "two kinds of speeds" "$plan" --tables one.csv,one.csv --speeds 1,9
fails 2 '--json, --picture and --quiet need a single one' "all plans as one" "$plan" --speeds 1,2 --partition all --json
fails 2 'equally many' "too few links" "$plan" --speeds 1,2,3 --links 1,2 --factors 1,1,0
fails 2 'need --factors' "links without factors" "$plan" --speeds 1,2 --links 1,2
fails 2 'must be 3' "two factors" "$plan" --speeds 1,2 --factors 1,2
timed() { "$plan" --speeds 2,1 --latency 1e-6 --bandwidth 1e9 "$@"; } # messages in seconds with speeds in any unit
timed | grep -q '^predicted communication .* s per step, makespan .* s if speeds are cells/s$'; ok $? "a makespan is in seconds if speeds are: $(timed | tail -n 1)"
! timed --factors 1,0,0 | grep -q makespan && timed --factors 1,0,0 --json | grep -q '"makespan":null'; ok $? "... and shares of capabilities give none"
! "$plan" --size 301,300 --factors 1,1,0 --speeds 3,1 --links 1,3 --json | grep -q '"makespan":[0-9]'; ok $? "... without a bandwidth either"
"$plan" --grid 1.5,1 --continuous --speeds 1,1 --partition rows | grep -q 'cut 1.5'; ok $? "--continuous divides real rectangles"
a=$("$plan" --speeds 12.5*2,1*6 --latency 1 --bandwidth 1e12 --json | grep -o '"comm_seconds":[0-9.e+-]*' | head -n 1 | cut -d: -f2)
b=$("$plan" --speeds 12.5*2,1*6 --latency 1 --bandwidth 1e12 --partition column-based --json | grep -o '"comm_seconds":[0-9.e+-]*' | head -n 1 | cut -d: -f2)
awk -v a="$a" -v b="$b" 'BEGIN { exit !(a <= b) }'; ok $? "auto follows latency and bandwidth ($a s against $b s)"

printf '0,0,30,20\n30,0,10,20\n0,20,40,10\n' > boxes.csv
succeeds "a file of boxes is measured" "$plan" --grid 40,30 --speeds 2,1,1 --partition boxes.csv
printf '0,0,64,20\n0,20,64,44\n' > two.csv
succeeds "and run" "$heat" --quiet --size 64,64 --steps 9 --partition two.csv --verify --init random
printf '0,0,64,20\n0,20,64,43\n' > hole.csv
fails 2 'cover' "a hole in it is refused" "$heat" --size 64,64 --partition hole.csv
fails 2 'known' "an unknown partitioner" "$plan" --speeds 1,2 --partition diagonal
fails 2 'speeds' "no speeds" "$plan"
fails 2 'sum' "speeds of 0" "$plan" --speeds 0,0
fails 2 'whole' "a grid of half cells" "$plan" --speeds 1,2 --grid 2.5,2
fails 2 'at most 6' "exact of 7" "$plan" --speeds 1*7 --partition exact
fails 2 '131072' "too many speeds" "$plan" --speeds 1*199999
by_order() { # ORDER GRID: figure 3-1 (a) of the thesis, with the numbers of 10 x 6 cells in row order
  printf '{"schema": 1, "cases": [{"id": "X", "algorithm": "points", "kind": "owner", "grid": %s, "speeds": [4, 3, 2, 1], "options": {"order": "%s"},
    "expect": {"counts": [24, 18, 12, 6], "pairs": 3, "max_comm": 2, "items_cells": 53, "items_edges": 58}}]}' "$2" "$1" > order.json
  "$plan" --golden order.json > "$work/tap"
}
by_order row '[10, 6]'; ok $? "golden points in row order"
by_order column '[6, 10]'; ok $? "... and in column order, on the transposed grid: $(tail -n 1 "$work/tap")"
! by_order column '[10, 6]'; ok $? "... which another grid does not have"
by_order diagonal '[10, 6]'; grep -q "SKIP.*diagonal.*row or column" "$work/tap"; ok $? "... and an unknown order is skipped"
fails 1 'missing.json' "a missing golden file" "$plan" --golden missing.json
echo '{"cases": 3}' > bad.json
fails 1 'bad.json' "a golden file without cases" "$plan" --golden bad.json
fails 1 'No such file' "a missing folder for the drawing" "$plan" --speeds 1,2 --svg missing/a.svg # an old option name

# measured speed tables
printf '# fast\n1000,0,.0002\n1000,1000,.0005\n100000,0,.01\n100000,1000,.0103\n' > fast.csv
printf '1000,0,.001\n1000,1000,.0015\n100000,0,.05\n100000,1000,.0505\n' > slow.csv
"$plan" --grid 800,600 --tables 'fast.csv*2,slow.csv*2' --model all --csv > models.txt
cp slow.csv 'slow*2.csv'
[ "$("$plan" --grid 800,600 --tables 'slow*2.csv,slow*2.csv*3' --csv | wc -l)" = 5 ]; ok $? "the name of a table may have a *"
awk -F, 'NR == 2 { even = $2 } $1 == "fpm" { fpm = $2 } $1 == "cpm" { cpm = $2 } $1 == "fpmc" { fpmc = $2 } $1 == "fpmc-thesis" { thesis = $2 } END { exit !(NR == 7 && fpmc <= fpm && fpmc <= cpm && fpmc <= thesis && fpmc < even / 2) }' models.txt
ok $? "fpmc is predicted fastest of all models ($(tail -n 3 models.txt | tr '\n' ' '))"
"$plan" --grid 800,600 --tables 'fast.csv*2,slow.csv*2' --model dfpa --json | grep -q '"imbalance":1.0'; ok $? "dfpa balances"
# messages beside tables: 350 of 700 rows each, out and in 2 (1e-4 s + 5600 B / 1e7 B/s) = 1.32e-3 s; 0.1225 s of work
. "$here/tests/messages.sh"
file "$(level network 1e-4 1e-7)" > hand.json
for messages in '--latency 1e-4 --bandwidth 1e7' '--network hand.json'; do
  # shellcheck disable=SC2086
  "$plan" --grid 700,700 --tables 'slow.csv*2' $messages --partition rows --json | grep -o '"comm_seconds":[^,]*,"makespan":[^,]*' > step
  awk -F'[:,]' '{ exit !($2 > 1.3199e-3 && $2 < 1.3201e-3 && $4 > $2 + .12249 && $4 < $2 + .12251) }' step
  ok $? "messages count once in a step by tables, $messages: $(cat step)"
  # shellcheck disable=SC2086
  "$plan" --grid 120,280 --tables 'fast.csv,slow.csv,fast.csv,slow.csv*2' $messages --model all --csv > models.txt
  awk -F, '{ s[$1] = $2 } END { exit !(s["fpmc"] <= s["fpm"] && s["fpmc"] <= s["cpm"] && s["fpmc"] <= s["even"]) }' models.txt
  ok $? "... and fpmc is divided by them ($(tail -n 5 models.txt | cut -d, -f1,2 | tr '\n' ' '))"
done
printf '1000,0,2e-6\n1000000,0,.002\n' > quick.csv; printf '1000,0,9e-6\n1000000,0,.009\n' > lazy.csv
"$plan" --grid 500,500 --tables 'quick.csv*2,lazy.csv*6' --nodes '4*2' --latency 2e-5 --bandwidth 1e9 --model all --csv > models.txt
awk -F, '{ s[$1] = $2 } END { exit !(s["fpmc"] < s["fpm"] && s["fpmc"] < s["cpm"] && s["fpmc"] < s["even"]) }' models.txt
ok $? "makespans of nodes are those by which fpmc is divided ($(tail -n 6 models.txt | cut -d, -f1,2 | tr '\n' ' '))"
fails 2 'latency: 0.001 s, counts only beside a --bandwidth' "a latency alone" "$plan" --speeds 1,2 --latency 1e-3
fails 1 'No such file' "a missing table" "$plan" --tables missing.csv
fails 2 'model' "an unknown model" "$plan" --tables fast.csv --model best
printf '1000,0,.5\n2000,0,.4\n' > falling.csv
fails 2 'falling.csv.*less' "a table whose time falls" "$plan" --tables falling.csv
succeeds "heat runs by tables" "$heat" --quiet --size 200,160 --speeds tables:fast.csv,slow.csv --verify --steps 20 --init random
"$heat" --plan-only --size 200,160 --speeds tables:fast.csv,slow.csv > by_tables
awk '$3 == "CPU" { cells[$1] = $10 } END { exit !(cells[0] > 3 * cells[1] && cells[1] > 0) }' by_tables; ok $? "the fast worker gets more ($(awk '$3 == "CPU" { print $10 }' by_tables | tr '\n' ' '))"
# if the boundary is periodic across rows, columns have less border although they are longer
ring=(--size 200,240 --boundary north=periodic,south=periodic,west=insulated,east=insulated)
total() { "$plan" "${ring[@]}" "$@" --json | grep -o "\"cut\":[0-9]*" | cut -d: -f2; }
[ "$(total --speeds 1,1 --partition rows)" = 400 ] && [ "$(total --speeds 1,1 --partition columns)" = 240 ]; ok $? "rows have twice the border with a periodic boundary: $(total --speeds 1,1 --partition rows)"
"$plan" "${ring[@]}" --speeds 1,1 --partition points | grep -q '^800 distinct'; ok $? "... and points"
"$plan" "${ring[@]}" --speeds 1,1 --partition rows --nodes 1,1 | grep -q '^between 2 nodes 400'; ok $? "... between nodes"
for speeds in "--speeds 1,1" "--tables fast.csv,fast.csv" "--speeds 1,1,1,1 --nodes 1,3"; do
  # shellcheck disable=SC2086
  [ "$(total $speeds --partition columns)" -ge "$(total $speeds | tee cut)" ]; ok $? "auto takes that into account, $speeds: $(cat cut)"
done
for speeds in 1,1 tables:fast.csv,fast.csv; do
  STARPU_NCPU=2 STARPU_NCUDA=0 "$heat" "${ring[@]}" --speeds $speeds --plan-only > divided
  [ "$(awk '$3 == "CPU" { print $7 "x" $8 }' divided | sort -u)" = 100x240 ]; ok $? "heat divides like that, too, --speeds $speeds"
done
fails 2 '3 tables, must be one for each of the 2 workers' "a table too many" "$heat" --size 200,160 --speeds 'tables:fast.csv*3'

# a run moves the planned bytes: partitions, depths, sides, tiles
bytes() { # bytes GRID SPEEDS PARTITION DEPTH [--boundary KIND] [--tile T]: compares planned and moved bytes per step
  local grid=$1 speeds=$2 name=$3 depth=$4 tile="--tile 1000,1000,1000"; shift 4
  [[ "$*" == *--tile* ]] && tile=
  want=$("$plan" --grid "$grid" --speeds "$speeds" --partition "$name" --halo "$depth" "$@" --json | grep -o '"halo_bytes_per_step":[0-9.e+-]*' | cut -d: -f2)
  # shellcheck disable=SC2086
  got=$("$heat" --csv --size "$grid" --steps 60 --speeds "$speeds" --partition "$name" --block "$depth" "$@" $tile | awk -F, 'END { print $19 / 60 }')
  awk -v a="$want" -v b="$got" 'BEGIN { exit !(a > 0 && (a - b < 1e-6 * a) && (b - a < 1e-6 * a)) }'
  ok $? "$name, $grid, depth $depth${*:+, $*}: $got bytes per step, predicted $want"
}
bytes 90,70 2,1 columns 1
bytes 90,70 1,1 rows 4
bytes 90,70 5,2 auto 3
bytes 90,70 5,2 nphp 5 --tile 20,20
bytes 90,70 2,1 columns 3 --tile 7,70
bytes 64,33 1,1 rows 1 --boundary periodic
bytes 90,70 5,2 recursive 5 --boundary insulated
bytes 64,64 1,3 rcb 4 --boundary periodic --tile 30,30
bytes 90,70 2,1 columns 3 --boundary west=periodic,east=periodic,north=insulated --tile 13,9
bytes 40,40,20 1,1 column-based 2 --boundary periodic --tile 13,40,7
bytes 31,17,40 3,1 auto 2 --boundary up=insulated
want=$("$plan" --grid 3000,3000 --speeds 1,1 --halo 16 --tile chosen --json | grep -o '"halo_bytes_per_step":[0-9.e+-]*' | cut -d: -f2)
got=$("$heat" --csv --size 3000,3000 --steps 16 --block 16 --speeds 1,1 | awk -F, 'END { print $19 / 16 }')
awk -v a="$want" -v b="$got" 'BEGIN { exit !(a > 0 && (a - b < 1e-6 * a) && (b - a < 1e-6 * a)) }'; ok $? "--tile chosen: the tiles that heat chooses ($got bytes per step, predicted $want)"
fails 2 'halo: 21 cells, must be in 1..20' "a halo wider than a periodic grid" "$plan" --grid 20,30 --speeds 1,1 --halo 21 --boundary periodic
fails 2 'model: needs --tables' "a model of speeds that are numbers" "$plan" --speeds 2,1 --model fpm
fails 2 'csv and --json' "two kinds of results" "$plan" --speeds 2,1 --csv --json
fails 2 'none of fixed' "unknown sides" "$plan" --speeds 1,1 --boundary open
printf '0,0,50,80\n50,0,50,80\n' > 'a,"b.csv'
"$plan" --grid 100,80 --speeds 1,1 --partition 'a,"b.csv' --csv > quoted; [ "$(cut -c1-14 quoted | sed -n 3p)" = '"a,""b.csv",1,' ]; ok $? "a file's name with a comma is one field: $(sed -n 3p quoted)"
succeeds "10,000 processors" "$plan" --grid 20000,20000 --speeds '1*3000,2*3000,3*4000' --json
mkfifo pipe.csv
fails 1 'pipe.csv: a pipe' "a pipe as speed table" "$plan" --grid 9,9 --tables pipe.csv
fails 1 'pipe.csv: a pipe' "a pipe as partition" "$plan" --grid 9,9 --speeds 1,1 --partition pipe.csv
fails 1 'pipe.csv: a pipe' "a pipe as golden cases" "$plan" --golden pipe.csv
done_testing
