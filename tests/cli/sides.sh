#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sides that follow a file of times and values, and sides with a heat flux: prescribed values, the bits of the serial
# reference for every division, and the balance of heat.
. "${srcdir:-.}/tests/tap.sh"
average=$build/apps/examples/average
cd "$work" || exit 99
printf '0,20\n2,80\n5,10\n' > day.csv
"$heat" --quiet --size 17,13,11 --steps 0 --input random --output cube.npy

# --- sides that follow a file
day=(--boundary "west=fixed=day.csv,east=insulated,north=insulated,south=fixed=3" --time-step .1)
for how in "" "--boundary-every 7" "--boundary-every 7 --precision float"; do
  # shellcheck disable=SC2086
  {
  succeeds "a side that follows a file $how: the bits of the serial reference" "$heat" --quiet --size 53,37 --steps 64 "${day[@]}" $how --verify --output want.npy
  for division in "--tile 9,11" "--partition rows --speeds 3,1" "--sched lws --time-block 3"; do
    succeeds "... $division" "$heat" --quiet --size 53,37 --steps 64 "${day[@]}" $how $division --output got.npy
    same want.npy got.npy "... the same bits"
  done
  succeeds "... on three ranks" "$ranks" 3 "$heat" --quiet --size 53,37 --steps 64 "${day[@]}" $how --output got.npy
  same want.npy got.npy "... the same bits"
  }
done
value() { # value STEPS OPTION...: value in the middle of the west side after so many steps
  "$heat" --quiet --size 20,9 --boundary "west=fixed=day.csv,east=insulated" --time-step .1 --steps "$1" "${@:2}" --output side.csv
  sed -n 5p side.csv | cut -d, -f1
}
for case in "0 20" "1 20" "2 23" "11 50" "21 80" "36 45" "51 10" "90 10"; do
  read -r steps wanted <<< "$case"
  got=$(value "$steps")
  awk -v a="$got" -v b="$wanted" 'BEGIN { exit !(a - b < 1e-9 && b - a < 1e-9) }'; ok $? "in step $steps it has the value of the time before it, $wanted: $got"
done
[ "$(value 19 --boundary-every 10)" = 50 ]; ok $? "... and with --boundary-every 10 that of the last tenth step: $(value 19 --boundary-every 10)"
printf '0,7\n100,7\n' > seven.csv
"$heat" --quiet --size 53,37 --steps 40 --boundary fixed=seven.csv --output file.npy
"$heat" --quiet --size 53,37 --steps 40 --boundary fixed=7 --output number.npy
same number.npy file.npy "a file of one value equals that value"
succeeds "one axis" "$heat" --quiet --size 211 --steps 40 --boundary west=fixed=day.csv,east=fixed=day.csv --time-step .1 --verify
succeeds "three axes" "$heat" --quiet --input cube.npy --steps 12 --boundary up=fixed=day.csv,down=insulated,west=fixed=day.csv --time-step .1 --verify
succeeds "an application's sides" "$average" --quiet --size 61,47 --steps 30 --boundary west=fixed=day.csv,north=insulated,south=insulated --verify
succeeds "... by two ranks" "$ranks" 2 "$average" --quiet --size 61,47 --steps 30 --boundary west=fixed=day.csv,north=insulated,south=insulated --boundary-every 4 --verify
run=("$heat" --quiet --size 53,37 "${day[@]}" --boundary-every 7)
"${run[@]}" --steps 50 --output want.npy
succeeds "a run is interrupted" "${run[@]}" --steps 28 --checkpoint half.h5
succeeds "... and is resumed" "${run[@]}" --steps 50 --restart half.h5 --output got.npy
same want.npy got.npy "... to the same bits"
printf '0,20\n2,80\n5,11\n' > day.csv
fails 2 'another problem.*boundary, a side.s times' "... not with other values" "${run[@]}" --steps 50 --restart half.h5
printf '0,20\n2,80\n5,10\n' > day.csv
fails 2 'another problem.*time-step 0.1 there, 0.2 here' "... nor with other times" "${run[@]}" --time-step .2 --steps 50 --restart half.h5
fails 2 'another problem.*boundary-every 7 there, 3 here' "... nor with other steps of the side's values" "${run[@]}" --boundary-every 3 --steps 50 --restart half.h5
printf '0,20,1\n1,30,1\n' > three.csv; fails 1 'three.csv: has 3 columns, must have 2' "three columns" "$heat" --boundary fixed=three.csv
printf '0,20\n2,80\n2,10\n' > twice.csv; fails 1 'twice.csv: row 3: the time is 2 s, must be later than 2 s' "a time twice" "$heat" --boundary fixed=twice.csv
printf '0,20\n2,1e300\n' > large.csv; fails 1 'large.csv: row 2: the value is 1e\+300' "a value beyond single precision" "$heat" --precision float --boundary fixed=large.csv
fails 1 'none.csv: No such file' "a missing file" "$heat" --boundary fixed=none.csv
fails 2 'boundary-every: no side' "--boundary-every alone" "$heat" --boundary-every 3 --boundary fixed=1
fails 2 'boundary-every: no side' "... of an application" "$average" --boundary-every 3

# --- sides with a heat flux
sum() { awk -F, '{ for (i = 1; i <= NF; i++) s += $i } END { printf "%.9g", s }' "$1"; }
flux=(--size 60,50 --boundary west=flux=3,east=flux=-1,north=insulated,south=flux=.5)
for how in "" "--precision float" "--source 2" "--alpha .05,.2"; do
  # shellcheck disable=SC2086
  {
  succeeds "sides with a flux $how: the bits of the serial reference" "$heat" --quiet "${flux[@]}" --steps 64 $how --verify --output want.npy
  succeeds "... in small tiles" "$heat" --quiet "${flux[@]}" --steps 64 $how --tile 11,9 --output got.npy
  same want.npy got.npy "... the same bits"
  succeeds "... on three ranks" "$ranks" 3 "$heat" --quiet "${flux[@]}" --steps 64 $how --output got.npy
  same want.npy got.npy "... the same bits"
  }
done
"$heat" --quiet "${flux[@]}" --input 0 --steps 100 --output after.csv
awk -v s="$(sum after.csv)" 'BEGIN { w = 100 * (50 * (3 - 1) + 60 * .5); exit !(s - w < 1e-6 && w - s < 1e-6) }'
ok $? "the heat that enters each side is what the grid gains: $(sum after.csv) of $((100 * 130))"
"$heat" --quiet --size 60,50 --boundary west=flux=3,east=insulated,north=insulated,south=insulated --input 0 --steps 100 \
  --diffusivity .02 --time-step .5 --spacing .25,.5 --output after.csv
awk -v s="$(sum after.csv)" 'BEGIN { w = 3 * 100 * .5 * 50 / .25; exit !(s - w < 1e-6 && w - s < 1e-6) }'; ok $? "... in metres and seconds: $(sum after.csv)"
"$heat" --quiet --size 41 --boundary west=flux=.06,east=fixed=10 --input 10 --diffusivity .02 --spacing .1 --time-step .2 --tolerance 1e-13 --output line.csv
tr , '\n' < line.csv | awk '{ want = 10 + .06 / .02 * (NR < 41 ? .1 * (41 - NR) : 0); if ($1 - want > 1e-6 || want - $1 > 1e-6) bad = NR " " $1 " " want } END { print bad; exit bad != "" }' > wrong
ok $? "a line comes to rest with the slope flux / diffusivity $(cat wrong)"
run=("$heat" --quiet --size 41,9 --boundary west=flux=.06,east=fixed --diffusivity .02 --spacing .1 --time-step .1)
succeeds "a run with a flux is interrupted" "${run[@]}" --steps 20 --checkpoint flux.h5
succeeds "... and is resumed" "${run[@]}" --steps 40 --restart flux.h5 --verify
fails 2 'another problem' "... not with another flux" "$heat" --quiet --size 41,9 --boundary west=flux=.05,east=fixed --diffusivity .02 --spacing .1 --time-step .1 --steps 40 --restart flux.h5
fails 2 'another problem' "... nor with other spacings, though alpha is the same" "$heat" --quiet --size 41,9 --boundary west=flux=.06,east=fixed --diffusivity .08 --spacing .2 --time-step .1 --steps 40 --restart flux.h5
awk 'BEGIN { for (y = 0; y < 9; y++) for (x = 0; x < 41; x++) printf "%g%s", .02, (x == 40) ? "\n" : "," }' > k.csv
fails 2 'a flux and a field of --diffusivity exclude' "a flux in a field of diffusivity" "$heat" --size 41,9 --boundary flux=1 --diffusivity k.csv --spacing 1 --time-step 1
fails 2 "boundary 'flux=2': only hetgrid-heat supports a flux" "of an application" "$average" --boundary flux=2
fails 2 "boundary: flux: .*'x'" "an invalid flux" "$heat" --boundary flux=x
"$heat" --quiet --size 9,9 --steps 2 --boundary west=fixed=day.csv,east=insulated 2> said
grep -q 'times of a file are taken as steps' said; ok $? "without a time step a message explains the unit of times"
"$heat" --quiet --size 9,9 --steps 2 --boundary west=flux=1,east=insulated --time-step 1 2> said
grep -q 'a flux is converted with a step of 1 s or cells of 1 m' said; ok $? "... and a flux"
done_testing
