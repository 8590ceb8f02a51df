#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-calibrate: a table is measured, kept after an interruption, shown, drawn, and used by the other programs.
. "${srcdir:-.}/tests/tap.sh"
calibrate=${HETGRID_CALIBRATE:-$PWD/hetgrid-calibrate}
plan=${HETGRID_PLAN:-$PWD/hetgrid-plan}
pricer=${HETGRID_PRICER:-$PWD/hetgrid-pricer}
adr=$PWD/hetgrid-adr
gpu=$PWD/tests/gpu/calibrate_emulated
stencil=$PWD/apps/examples/heat_points
stored=$PWD/apps/examples/random_graph
cd "$work" || exit 99
export HETGRID_TABLES=$work/tables/deep
fails 1 'hetgrid-calibrate: .*tables' "--show without a table" "$calibrate" --show
fails 2 '2 ranks on this machine, must be 1' "ranks that would measure each other" "$ranks" 2 "$calibrate" --app heat
for app in heat pricer elimination; do
  succeeds "$app is measured" "$calibrate" --app $app --max-cells 200000 --max-error .3 --picture $app.svg
  table=$(sed -n 's/^table: //p' "$work/out")
  [ -f "$table" ] && [ ! -f "$table.part" ]; ok $? "... into $(basename "$table" | cut -c1-60)"
  [ "$(grep -vc '^#' "$table")" -ge 8 ] && grep -q '^# precision double' "$table"; ok $? "... with $(grep -vc '^#' "$table") points and a head"
  "$calibrate" --app $app --show > shown; [ "$(wc -l < shown)" -ge 10 ]; ok $? "... and shown"
  grep -q '<path' $app.svg; ok $? "... and drawn"
  "$plan" --grid 1000,1000 --tables "$table*4" --model all > planned; ok $? "hetgrid-plan compares models with it"
done
succeeds "heat divides by the table of this machine" "$heat" --quiet --size 200,200 --init random --steps 10 --speeds tables: --verify
"$heat" --size 200,200 --steps 10 --speeds tables: | grep -q '^  partition .*, by speed tables$'; ok $? "... and says so"
"$heat" --size 200,200 --steps 10 | grep -q '^  partition .* x [0-9]*$'; ok $? "... where it does"
"$heat" --size 400,400 --steps 200 --speeds tables: > "$work/out"; grep -Eq '^  predicted  [0-9.e-]+ s by the speed tables, [0-9.]+ of the time it took$' "$work/out"; ok $? "... prints its prediction with the run's time:$(grep predicted "$work/out")"
printf 'lo_x' > boxes.csv; fails 1 'boxes.csv:1' "boxes, which only rank 0 reads" "$ranks" 2 "$heat" --size 200,200 --partition boxes.csv
printf '1000,0,1e-6\n' > fast.csv; printf '1000,0,3e-6\n' > slow.csv
rows() { STARPU_NCPU=2 "$heat" --size 400,400 --steps 100 --plan-only --csv --speeds tables:fast.csv,slow.csv "$@" | sed 1d | cut -d, -f8 | paste -sd' '; }
[ "$(rows --block 1)" = "300 100" ]; ok $? "tables divide a grid"
[ "$(rows --speeds 1,1)" = "200 200" ]; ok $? "... unless numbers follow"
[ "$(rows --speeds 1,9 --speeds tables:fast.csv,slow.csv --block 1)" = "300 100" ]; ok $? "... and with numbers unless tables follow"
[ "$(rows --block 33)" = "308 92" ]; ok $? "... with deep blocks including margins, which are computed twice"

for head in 'app pricer' 'precision float'; do
  (echo "# $head"; cat fast.csv) > other.csv
  "$heat" --quiet --size 200,200 --steps 1 --speeds 'tables:other.csv*2' 2> told; grep -q "the table of worker 0 is for ${head#* }\|in ${head#* } precision, this run is heat in double" told; ok $? "a table of $head is used with a warning: $(cat told)"
done
(echo '# points 3'; printf '%d,0,%de-6\n' 1000 1 2000 2 3000 3) > whole.csv; succeeds "a table with its number of points" "$plan" --grid 90,90 --tables 'whole.csv*2'
sed '$d' whole.csv > cut.csv; fails 1 'cut.csv: has 2 of the 3 points that its header announces' "... and misses one" "$plan" --grid 90,90 --tables 'cut.csv*2'
head -c -1 whole.csv > cut.csv; fails 1 'cut.csv: the last line has no line feed' "... or the end of its last line" "$plan" --grid 90,90 --tables 'cut.csv*2'

{ printf '\357\273\277\n'; sed '$d' whole.csv; } > cut.csv; fails 1 'cut.csv: has 2 of the 3 points' "... after a byte order mark and an empty line, too" "$plan" --grid 90,90 --tables 'cut.csv*2'

fails 1 'float' "there is no table for single precision" "$heat" --size 200,200 --precision float --speeds tables:

succeeds "the pricer divides by its own" "$pricer" --quiet --paths 1e6 --speeds tables:
succeeds "a user's stencil borrows it" "$stencil" --size 200,200 --steps 10 --speeds tables:
! grep -q predicted "$work/out"; ok $? "... which gives the ratio of workers' speeds, not times"
fails 2 'needs the names of the files' "an application whose neighbours are stored does not" "$stored" --size 64,48 --steps 2 --speeds tables:

# after an interruption points of the earlier call are used again
row=$(grep '^4096,0,' "$table" | cut -d, -f3)
awk -v t="$row" 'BEGIN { printf "64,%.9g,%.9g,%.9g,1\n", t, .99 * t, 1.01 * t }' > "$table.part"
rm "$table"
"$calibrate" --app elimination --max-cells 200000 --max-error .3 > again; ok $? "an interrupted measurement is resumed"
grep -q ' 1 known from earlier calls' again; ok $? "... with its points ($(head -n 1 again))"

# no time to refine: there is a table nevertheless, and the next call continues with its points
"$calibrate" --app heat --max-error .001 --budget 1 > brief 2> said; ok $? "a budget of one second"
heat_table=$(sed -n 's/^table: //p' brief)
if grep -q 'MISSED, the budget' "$heat_table"; then
  grep -q 'budget is spent; call again' said && [ -s "$heat_table.part" ]; ok $? "... leaves a table that says so, and its points ($(head -n 1 said))"
  "$calibrate" --app heat --max-error .3 --budget 100 > longer; grep -q ' [1-9][0-9]* known from earlier calls' longer
  ok $? "... with which the next call continues ($(head -n 1 longer))"
  [ ! -f "$heat_table.part" ]; ok $? "... to the end"
else skip "sixty points took less than a second"; fi

# the table's accuracy; a small table does not replace a large one
grep -q '^# error of lines .*wanted 0.3' "$table" && grep -q '^# spread of the runs .*never agreed: [0-9]' "$table"
ok $? "the table's head has the error reached ($(grep '^# error' "$table"))"
"$calibrate" --app elimination --max-cells 100000 --max-error .3 > smaller; ok $? "a smaller measurement"
grep -q ' [1-9][0-9]* of a larger table kept' smaller && grep -q '^# the largest' "$table" && grep -q '^200000,' "$table"
ok $? "... leaves what the larger table has beyond it"
"$calibrate" --app elimination --max-cells 200000 --max-error .001 > fine 2> said; status=$?
{ [ $status -eq 0 ] && ! grep -q MISSED "$table"; } || grep -q 'must be at most 0.001' said; ok $? "a message says that the error is not reached ($(head -n 1 said))"

# two cores at a time share caches and memory bandwidth
for app in heat elimination; do
  succeeds "$app on two cores together" "$calibrate" --app $app --workers cpu --cores 2 --max-cells 100000 --max-error .5
  table=$(sed -n 's/^table: //p' "$work/out")
  [[ $table == *-2-cores.csv ]] && grep -q '^# device .*-2-cores' "$table"; ok $? "... has a table of its own, $(basename "$table")"
done
table=$HETGRID_TABLES/$(basename "${table%-2-cores.csv}").csv
fails 2 'not in 1' "no cores" "$calibrate" --cores 0
more=$(($(getconf _NPROCESSORS_ONLN) + 1))
if [ $more -le 256 ]; then fails 2 "cores: $more, this machine has" "more cores than there are" "$calibrate" --cores $more --max-cells 100000; else skip "a machine of more than 255 cores"; fi
# tasks of several steps
succeeds "tasks of 3 steps" "$calibrate" --app heat --workers cpu --block 3 --max-cells 100000 --max-error .5
blocks=$(sed -n 's/^table: //p' "$work/out")
[[ $blocks == *-3-steps.csv ]] && grep -q '^# device .*-3-steps' "$blocks"; ok $? "... have a table of their own, $(basename "$blocks")"
succeeds "a run with such tasks uses it" "$heat" --size 200,200 --steps 30 --block 3 --speeds tables: --quiet
cp "$blocks" kept && echo 'no table' > "$blocks"
fails 1 '3-steps.csv:1' "... as a damaged one shows" "$heat" --size 200,200 --steps 30 --block 3 --speeds tables:
succeeds "... and runs with other tasks do not" "$heat" --size 200,200 --steps 30 --block 4 --speeds tables: --quiet
mv kept "$blocks"
fails 2 "needs --app heat" "steps of a program that has none" "$calibrate" --app elimination --block 3
fails 2 'not in 1' "no steps" "$calibrate" --block 0
succeeds "adr's inner solver is measured in single precision" "$calibrate" --app adr --max-cells 200000 --max-error .3 --precision float
table_of_adr=$(sed -n 's/^table: //p' "$work/out")
[ "$(grep -vc '^#' "$table_of_adr")" -ge 8 ] && grep -q '^# precision float' "$table_of_adr"; ok $? "... into $(basename "$table_of_adr" | cut -c1-60)"
succeeds "adr divides by it" "$adr" --quiet --size 12 --steps 1 --speeds tables:
fails 1 'double' "there is none for an inner solver in double precision" "$adr" --quiet --size 12 --steps 1 --speeds tables: --inner-precision double

echo precious > victim; ln -s "$PWD/victim" "$table.part"
fails 1 'must be a regular file of yours' "a link where points are kept is not followed" "$calibrate" --app elimination --max-cells 200000 --max-error .3
grep -qx precious victim; ok $? "... and its target is unchanged"
rm "$table.part"
printf 'nonsense\n64,1e-5,1e-5,1e-5,1\n64,1e-' > "$table.part"
rm "$table"
succeeds "a damaged file of points is ignored" "$calibrate" --app elimination --max-cells 200000 --max-error .3
grep -q ' 1 known from earlier calls' "$work/out"; ok $? "... except its whole lines ($(head -n 1 "$work/out"))"

# an emulated GPU: its table has its own name, and programs for such machines say where they expect it
fails 1 'adr-cuda-float-Emulated-GPU.csv' "adr has GPU tables of its own (fibres are too slow to measure one)" "$gpu" --app adr --workers cuda:0 --precision float --show
for app in heat pricer elimination; do
  device=Emulated-GPU steps=()
  [ $app = heat ] && device=Emulated-GPU-1-steps steps=(--block 1) # emulation of deep blocks takes minutes
  succeeds "$app is measured on CPU and GPU" "$gpu" --app $app "${steps[@]}" --max-cells 100000 --max-error .5 --budget 10 --picture both-$app.svg
  [ "$(grep -c '^table: ' "$work/out")" -eq 2 ]; ok $? "... into a table each"
  table=$HETGRID_TABLES/$app-cuda-double-$device.csv
  [ -f "$table" ] && grep -q "^# device $device" "$table"; ok $? "... named after their models"
  tail -n 1 both-$app-$device.svg | grep -q '</svg>'; ok $? "... and each has a picture"
done
succeeds "the exchange is measured at three sizes" "$gpu" --app elimination --workers cuda:0 --max-cells 100000 --max-error .5 --communication --precision float
[ "$(grep -v '^#' "$HETGRID_TABLES"/elimination-cuda-float-Emulated-GPU.csv | cut -d, -f2 | sort -u | wc -l)" -eq 4 ]
ok $? "... and none"
fails 2 'not in' "a missing GPU" "$gpu" --workers cuda:1
fails 2 'unknown' "an unknown kind of worker" "$gpu" --workers cpu,fpga
[ -e /dev/nvidia0 ] || fails 77 'no GPU' "GPUs on a machine without any" "$calibrate" --workers cuda
fails 2 'unknown' "an unknown application" "$calibrate" --app pricing
fails 2 'not in' "too few cells" "$calibrate" --max-cells 10
fails 1 'proc' "a folder that cannot be made" "$calibrate" --output /proc/none --max-cells 200000
done_testing
