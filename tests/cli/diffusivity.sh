#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Heat in a field of diffusivity: the bits of the serial reference for every division, conservation of heat, and an
# error that names the cell if the step is too long.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
cd "$work" || exit 99
awk 'BEGIN { for (y = 0; y < 37; y++) for (x = 0; x < 53; x++) printf "%g%s", (x > 20 && y < 15) ? 1e-3 : .02 + .001 * ((7 * x + 3 * y) % 11), (x == 52) ? "\n" : "," }' > k.csv
awk 'BEGIN { for (i = 0; i < 211; i++) printf "%g%s", (i % 5 == 0) ? 0 : .03, (i == 210) ? "\n" : "," }' > line.csv
"$heat" --quiet --size 17,13,11 --steps 0 --input random --output cube.npy
step=(--time-step .25 --spacing .5,.6)
for boundary in fixed insulated periodic west=fixed,east=insulated,north=periodic,south=periodic; do
  for precision in double float; do
    succeeds "$boundary, $precision: the bits of the serial reference" "$heat" --quiet --size 53,37 --steps 23 --input random \
      --diffusivity k.csv "${step[@]}" --boundary $boundary --precision $precision --verify --output want.npy
    for how in "--partition rows --speeds 3,1" "--tile 9,11 --block 1" "--tile 19,37 --block 7" "--sched lws --tile 53,5"; do
      # shellcheck disable=SC2086
      succeeds "... $how" "$heat" --quiet --size 53,37 --steps 23 --input random --diffusivity k.csv "${step[@]}" \
        --boundary $boundary --precision $precision $how --output got.npy
      same want.npy got.npy "... the same bits"
    done
    succeeds "... on three ranks" "$ranks" 3 "$heat" --quiet --size 53,37 --steps 23 --input random --diffusivity k.csv "${step[@]}" \
      --boundary $boundary --precision $precision --output got.npy
    same want.npy got.npy "... the same bits"
  done
done
for boundary in insulated fixed; do
  succeeds "one axis, $boundary" "$heat" --quiet --size 211 --steps 40 --input random --diffusivity line.csv --time-step 1 --spacing .4 --boundary $boundary --verify
  succeeds "three axes, $boundary" "$heat" --quiet --size 17,13,11 --steps 9 --input random --diffusivity cube.npy --time-step .1 --spacing 1 --boundary $boundary --verify
done

# results
sum() { awk -F, '{ for (i = 1; i <= NF; i++) s += $i } END { printf "%.9g", s }' "$1"; }
"$heat" --quiet --size 53,37 --steps 0 --input hotspot --output before.csv
"$heat" --quiet --size 53,37 --steps 200 --input hotspot --diffusivity k.csv "${step[@]}" --boundary insulated --output after.csv
[ "$(sum before.csv)" = "$(sum after.csv)" ] && ! cmp -s before.csv after.csv; ok $? "heat is conserved where materials meet: $(sum before.csv), $(sum after.csv)"
awk 'BEGIN { for (y = 0; y < 37; y++) for (x = 0; x < 53; x++) printf "%g%s", .02, (x == 52) ? "\n" : "," }' > even.csv
"$heat" --quiet --size 53,37 --steps 50 --diffusivity even.csv "${step[@]}" --output field.csv
"$heat" --quiet --size 53,37 --steps 50 --diffusivity .02 "${step[@]}" --output number.csv
paste -d, field.csv number.csv | awk -F, '{ for (i = 1; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if (d < 0) d = -d; if (d > m) m = d } } END { print m; exit !(m < 1e-11) }' > most
ok $? "a field of one number equals that number, except for rounding ($(cat most))"

# the terrain example with a user's own map
{ printf 'ncols 53\nnrows 37\nxllcorner 0\nyllcorner 0\ncellsize 30\n'; tr , ' ' < before.csv; } > own.asc
if [ -n "${MPIEXEC:-}" ] && "$heat" --quiet --size 4,4 --steps 0 --output small.tif 2> no.txt; then
  succeeds "terrain.sh takes a map, its diffusivity and the step" env -u STARPU_NCPU PATH="$build:$PATH" MPIRUN="$MPIEXEC --oversubscribe -n" \
    sh "$here/apps/examples/terrain.sh" own.asc k.csv .5,.6 .25 60
  [ "$(sum before.csv)" = "$(sum after.csv)" ] && [ "$(ls terrain.*.h5 | wc -l)" -eq 7 ] && [ -s terrain.xmf ] && [ -s terrain-change.png ]
  ok $? "... writes its snapshots and pictures, and conserves the sum: $(sum after.csv)"
  grep -q '^  energy .* J (modelled' out && grep -q 'fpmc' out; ok $? "... plans before, and counts joules: $(grep energy out)"
  [ -s after.tif ]; ok $? "... and leaves a GeoTIFF"
fi

# wrong input
cp k.csv hot.csv && awk -F, 'BEGIN { OFS = "," } NR == 8 { $31 = 4; $32 = 4 } { print }' k.csv > hot.csv
fails 2 '^hetgrid-heat: --time-step: 0.25 s is too long for a stable scheme at \((30|31), 7, 0\), whose --diffusivity is 4 m.2/s; must be <= 0.[0-9]* s' \
  "the worst cell and its longest step are named" "$heat" --size 53,37 --diffusivity hot.csv "${step[@]}"
longest=$(sed -n 's/.*must be <= \([0-9.e-]*\) s.*/\1/p' err)
succeeds "... which is stable" "$heat" --quiet --size 53,37 --steps 3 --diffusivity hot.csv --time-step "$longest" --spacing .5,.6
printf '1,1,1\n0.001,0.001,0.001\n0.001,0.001,0.001\n0.001,0.001,0.001\n' > edge.csv
succeeds "cells that keep their values do not count" "$heat" --quiet --input edge.csv --diffusivity edge.csv --time-step 100 --spacing 1 --steps 5 --verify
fails 2 'at \([01], [01], 0\)' "... those of an insulated side do" "$heat" --quiet --input edge.csv --diffusivity edge.csv --time-step 100 --spacing 1 --steps 5 --boundary insulated
succeeds "... and the limit may be exceeded" "$heat" --quiet --size 53,37 --steps 3 --diffusivity hot.csv "${step[@]}" --allow-unstable
awk -F, 'BEGIN { OFS = "," } NR == 3 { $2 = -1 } { print }' k.csv > below.csv
fails 1 'diffusivity: at \(1, 2, 0\) the value is -1 m' "a negative one" "$heat" --size 53,37 --diffusivity below.csv "${step[@]}"
fails 2 'diffusivity: needs --time-step and --spacing' "without a step" "$heat" --size 53,37 --diffusivity k.csv
fails 2 'a field of --diffusivity and --source exclude' "with a source" "$heat" --size 53,37 --diffusivity k.csv "${step[@]}" --source 1
fails 2 'kernel: .*a field of --diffusivity has its own' "with a kernel" "$heat" --size 53,37 --diffusivity k.csv "${step[@]}" --kernel naive
fails 2 'k.csv: holds 53 x 37' "of another size" "$heat" --size 50,37 --diffusivity k.csv "${step[@]}"
fails 1 'none.npy' "that is not there" "$heat" --size 50,37 --diffusivity none.npy "${step[@]}"

# provenance in files, and the identity of a checkpoint
succeeds "a result names its field" "$heat" --quiet --size 53,37 --steps 5 --diffusivity k.csv "${step[@]}" --output told.json --checkpoint half.h5
grep -q '"diffusivity": *"k.csv"' told.json && ! grep -q '"source"\|alpha' told.json; ok $? "... by its name ($(tr -d '\n' < told.json | grep -o '"diff[^,]*'))"
succeeds "a run is resumed" "$heat" --quiet --size 53,37 --steps 9 --diffusivity k.csv "${step[@]}" --restart half.h5 --verify
fails 2 'half.h5' "... in no other field" "$heat" --quiet --size 53,37 --steps 9 --diffusivity even.csv "${step[@]}" --restart half.h5
done_testing
