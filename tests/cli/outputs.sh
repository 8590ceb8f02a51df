#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files that are written can be read again and give the same values.
. "${srcdir:-.}/tests/tap.sh"

for size in 17 17,9 7,6,5; do
  "$heat" --quiet --size $size --steps 3 --init random --output "$work/a.npy" --output "$work/a.h5" --output "$work/a.csv" --output "$work/a.png"
  for ending in npy h5 csv; do
    [ "$ending$size" = csv7,6,5 ] && continue # a CSV file has two dimensions
    succeeds "$size: a.$ending starts another run" "$heat" --quiet --init "$work/a.$ending" --steps 0 --output "$work/b.npy"
    same "$work/a.npy" "$work/b.npy" "$size: and holds the same values"
  done
  file "$work/a.png" | grep -q 'PNG image'; ok $? "$size: the picture is a PNG"
done
succeeds "the dataset can be named" "$heat" --quiet --init "$work/a.h5:temperature" --steps 1
grep -q '7 6 5\|5 6 7' "$work/a.xmf" && grep -q 'a.h5:/temperature' "$work/a.xmf"; ok $? "the XDMF file names the dataset"
"$heat" --quiet --size 4,4 --steps 1 --output "$work/a&<b>\".h5"
grep -q '>a&amp;&lt;b&gt;&quot;.h5:/temperature<' "$work/a&<b>\".xmf"; ok $? "... with its name escaped for XML"
succeeds "grey levels of a picture start a run" "$heat" --quiet --init "$work/a.png" --steps 1 --output "$work/p.csv"
for ending in svg pdf; do
  "$heat" --quiet --size 20,10 --steps 3 --output "$work/a.$ending"; file "$work/a.$ending" | grep -qi "$ending"; ok $? "a picture as .$ending"
done
"$heat" --quiet --size 40,30 --steps 5 --init random --output "$work/a.csv" --output "$work/grey.png" --pixels --colormap grey --range 0,1
"$heat" --quiet --init "$work/grey.png" --steps 0 --output "$work/levels.csv"
paste -d, "$work/a.csv" "$work/levels.csv" | awk -F, '{ for (i = 1; i <= 40; i++) { d = $i * 255 - $(i + 40); n++; if (d > .51 || d < -.51) bad++ } }
  END { exit !(n == 1200 && !bad) }'; ok $? "--pixels: one pixel per cell, whose grey levels are the values"
"$heat" --quiet --size 40,30 --steps 5 --init random --output "$work/clipped.png" --pixels --colormap grey --range .4,.6
"$heat" --quiet --init "$work/clipped.png" --steps 0 --output "$work/levels.csv"
tr , '\n' < "$work/levels.csv" | sort -n | uniq -c | awk '$2 == 0 { low = $1 } $2 == 255 { high = $1 } END { exit !(low > 5 && high > 5) }'
ok $? "--range: values beyond it have the colours of its ends"
fails 2 "'5,1' must be two numbers" "a range the wrong way" "$heat" --range 5,1
fails 2 'known: inferno viridis cividis grey blues redblue' "an unknown map" "$heat" --colormap jet
"$heat" --quiet --size 9,9 --precision float --steps 3 --init random --output "$work/f.npy"
grep -aq "'<f4'" "$work/f.npy"; ok $? "single precision is written as such"
"$heat" --quiet --size 5,4,3 --steps 2 --init random --output "$work/cube.csv" --output "$work/cube.npy"
succeeds "layers of a .csv file are read as layers" "$heat" --quiet --init "$work/cube.csv" --steps 0 --output "$work/again.npy"
same "$work/cube.npy" "$work/again.npy" "... as they were written"
printf '1,2\n3,4\n\n5,6\n' > "$work/ragged.csv"
fails 1 'ragged.csv:4:4: a layer of 1 row ends here, those before have 2' "... of as many rows" "$heat" --quiet --init "$work/ragged.csv"
[ -z "$(ls "$work" | grep part)" ]; ok $? "no temporary file is left"

"$heat" --csv --size 64,64 --steps 4 --repeat 3 --warmup 1 > "$work/rows"
[ "$(wc -l < "$work/rows")" -eq 4 ] && [ "$(head -n 1 "$work/rows")" = "app,nx,ny,nz,precision,steps,block,tile_w,tile_h,ranks,cpu_workers,cuda_workers,partition,sched,repeat,seconds,gstencil_per_s,gbytes_per_s,halo_bytes,imbalance,status,converged" ]
ok $? "--csv gives the header and one row per run"
awk -F, 'NR > 1 && (NF != 22 || $16 <= 0 || $21 != "ok") { bad = 1 } END { exit bad }' "$work/rows"; ok $? "... with as many fields, a time and a status"
halo=$(for precision in double float; do
  "$heat" --csv --size 100,60 --steps 10 --block 5 --partition rows --precision $precision | awk -F, 'END { print $19 }'
done | tr '\n' ' ')
[ "$halo" = "16000 8000 " ]; ok $? "halo_bytes: two blocks of five rows each way ($halo)"
"$heat" --plan-only --size 100,80 --speeds 3,1 > "$work/plan"
[ "$(awk '$3 == "CPU" { sum += $10 } END { print sum }' "$work/plan")" = 8000 ]; ok $? "--plan-only lists regions that cover the grid"
"$heat" --phases --size 100,80 | grep -q initialise; ok $? "--phases prints the phases"
[ -z "$("$heat" --quiet --size 10,10)" ]; ok $? "--quiet prints nothing"
"$heat" --size 200,200 --steps 500 --progress on --quiet 2> "$work/bar"; [ ! -s "$work/bar" ]; ok $? "--quiet has no progress bar"
"$heat" --size 200,200 --steps 500 --progress on 2>&1 > "$work/text" | grep -q '100 %'; ok $? "--progress on draws a bar to the end"
"$heat" --size 200,200 --steps 500 2> "$work/bar" > "$work/text"; [ ! -s "$work/bar" ]; ok $? "there is no bar without a terminal"
for option in --help --version; do succeeds "$option" "$heat" $option; done
"$heat" --version > "$work/version"
version=$(sed -n 's/^AC_INIT(\[hetgrid\], \[\([0-9.]*\)\].*/\1/p' "${srcdir:-.}/configure.ac")
for line in "hetgrid-heat $version" 'commit  [0-9a-z-]+' 'StarPU  1\.4\.[0-9]+, with(out)? FxT' 'MPI     .*[0-9], sends from (GPU memory|main memory only)' 'CUDA    (none|[0-9.]+)'; do
  grep -Eqx "$line" "$work/version" || lacking="${lacking:-} '$line'"
done
[ -z "${lacking:-}" ]; ok $? "--version names commit, StarPU, MPI and CUDA${lacking:+, but not$lacking}"
"$elimination" --version | grep -Eqx 'BLAS    [^ ].*' && ! grep -q BLAS "$work/version"; ok $? "... and BLAS if a program computes with it"
STARPU_SCHED=eager "$heat" --size 50,50 --sched lws | grep -q 'policy lws'; ok $? "the command line's policy takes precedence and is printed"

# provenance of a result
where=("$heat" --quiet --size 40,30 --steps 7 --seed 5 --init random --boundary periodic --spacing .5,.25 --time-step .125)
"${where[@]}" --checkpoint "$work/state.h5" --output "$work/w x.h5" --output "$work/w.png" --output "$work/w.json"
for file in 'w x.h5' w.png w.json state.h5; do
  "$heat" --show "$work/$file" > "$work/facts"
  missing=""
  for fact in 'program +hetgrid-heat' 'version +[0-9.]+' 'commit +[0-9a-z-]+' "command +.*hetgrid-heat --quiet --size 40,30 .* --output '$work/w x.h5'.*" \
    'date +2001-09-09T01:46:40Z' 'ranks +1' 'size +40,30' 'step +7' 'seed +5' 'precision +double' 'boundary +periodic' \
    'input +random' 'dx +0.5' 'dy +0.25' 'time_step +0.125' 'time +0.875' 'alpha_x +0.1'; do
    grep -Eqx -- "$fact" "$work/facts" || missing="$missing, $fact"
  done
  [ -z "$missing" ]; ok $? "$file holds the provenance of its values$missing"
done
if command -v python3 > /dev/null; then
  is_xml() { python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$1" 2> "$work/err"; } # FILE
  mkdir "$work/odd"
  "$heat" --quiet --size 5,5 --steps 1 --label $'a\x01b\tc' --output "$work/odd/a.h5"
  is_xml "$work/odd/a.xmf"; ok $? "a label with control characters leaves the XDMF file XML $(tail -n 1 "$work/err")"
  (cd "$work/odd" && "$heat" --quiet --size 5,5 --steps 1 --output $'\xff.h5' --output b.json)
  is_xml "$work/odd/"$'\xff.xmf' && grep -q 'output ?.h5\|?.h5' "$work/odd/b.json"; ok $? "... and so does a file's name in another encoding $(tail -n 1 "$work/err")"
  long=$(printf '\303\251%.0s' $(seq 20000))
  "$heat" --quiet --size 5,5 --steps 1 --label "$long" --output "$work/odd/c.h5" --output "$work/odd/c.json"
  is_xml "$work/odd/c.xmf" && python3 -c 'import json, sys; f = json.load(open(sys.argv[1])); assert f["size"] == "5,5" and f["command"].endswith("...") and "date" in f' "$work/odd/c.json" 2> "$work/err"
  ok $? "a command that is too long is cut between characters, and no other metadata are lost $(tail -n 1 "$work/err")"
fi
[ "$(grep -c '<Information' "$work/w x.xmf")" -ge 17 ] && grep -q '>0.25 0.25 0.5<' "$work/w x.xmf" && grep -q '<Time Value="0.875"' "$work/w x.xmf"
ok $? "... and so does the XDMF file, with spacing and time"
"${where[@]}" --output "$work/again.h5" && cp "$work/again.h5" "$work/first.h5" && "${where[@]}" --output "$work/again.h5"
same "$work/first.h5" "$work/again.h5" "the same command at the same SOURCE_DATE_EPOCH makes the same bytes"
for epoch in abc '' 12x 99999999999999999999; do
  SOURCE_DATE_EPOCH=$epoch "$heat" --quiet --size 9,9 --steps 1 --output "$work/epoch.h5" --output "$work/epoch.json" 2> "$work/err"; status=$?
  [ $status = 0 ] && [ "$(grep -c "SOURCE_DATE_EPOCH='$epoch' is no number of seconds" "$work/err")" = 1 ]; ok $? "SOURCE_DATE_EPOCH=$epoch is named, once ($(head -n 1 "$work/err"))"
done
printf 'x' > "$work/x.h5"; cp "$work/x.h5" "$work/x.png"; printf '{"a": "b\\u001b[1m"}' > "$work/x.json"
fails 1 'not an HDF5 file' "--show of something else" "$heat" --show "$work/x.h5"
fails 1 'not a PNG' "... that is not a picture either" "$heat" --show "$work/x.png"
fails 2 'ending' "... and of a file without such data" "$heat" --show "$work/a.npy"
[ "$("$heat" --show "$work/x.json" | tr -d '\n')" = 'a           b\x1b[1m' ]; ok $? "text in a file cannot control the terminal"

# beyond `ulimit -f` writing fails as on a full disk
mkdir "$work/limit"
limited() { # limited STATUS PATTERN FILE COMMAND...
  local status=0
  (cd "$work/limit" && ulimit -f 8 && exec "${@:4}") 2>&1 > "$work/out" | tail -n 1 > "$work/err"; status=${PIPESTATUS[0]}
  [ $status -eq "$1" ] && grep -q "$2" "$work/err" && [ -z "$(ls -A "$work/limit")" ]
  ok $? "beyond ulimit -f: $3, status $status, nothing left ($(cat "$work/err") $(ls -A "$work/limit" | head -n 2 | tr '\n' ' '))"
}
for ending in h5 npy csv mtx txt png svg pdf; do
  limited 1 'File too large' a.$ending "$heat" --quiet --size 200,200 --init random --steps 1 --output a.$ending
done
limited 1 'could not be written at the end' c.h5 "$heat" --quiet --size 200,200 --steps 3 --checkpoint c.h5
limited 1 'File too large' heat.000000000.h5 "$heat" --quiet --size 200,200 --steps 3 --snapshot-every 1
limited 1 'File too large' h.csv "$PWD/hetgrid-adr" --quiet --size 3 --steps 300 --time 1 --history h.csv
limited 1 'File too large' f.h5 "$elimination" --quiet --matrix uniform:100 --factors f.h5
limited 1 'File too large' x.npy "$PWD/hetgrid-fft" --size 64,64 --output x.npy
limited 1 'p.png' p.png "$PWD/hetgrid-plan" --grid 1000,1000 --speeds 1,2,3,4,5 --picture p.png

terrain=/usr/share/matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz
if [ -f $terrain ]; then
  succeeds "a real terrain (int16 in .npz) diffuses and verifies" "$heat" --quiet --verify --init $terrain:elevation --boundary insulated --steps 50
  fails 2 'elevation.*dx|dx.*elevation|several' "a member must be named" "$heat" --init $terrain
else skip "no terrain here"; fi
# names that the XDMF index of an HDF5 file cannot give to every reader
while IFS='|' read -r name warning; do
  "$heat" --quiet --size 9,9 --steps 1 --output "$work/$name.h5" 2> "$work/err"; status=$?
  [ $status = 0 ] && [ -s "$work/$name.h5" ] && grep -q "$warning" "$work/err"
  ok $? "$(head -n 1 "$work/err" | tr -cd '[:print:]' | cut -d: -f3-)"
done << END
a:b|the name contains ':', so of ParaView's readers only Xdmf2 can open the .xmf file
$(printf 'caf\351')|the name is not valid UTF-8, so no reader can open the .xmf file
END
if ${HETGRID_VTK_PYTHON:-python3} -c 'import vtk; vtk.vtkXdmfReader' 2> /dev/null; then
  succeeds "VTK's Xdmf2 finds them" ${HETGRID_VTK_PYTHON:-python3} -c '
import sys, vtk
reader = vtk.vtkXdmfReader(); reader.SetFileName(sys.argv[1]); reader.Update()
data = reader.GetOutputDataObject(0)
while data.IsA("vtkMultiBlockDataSet"): data = data.GetBlock(0)
assert data.GetPointData().GetArray(0).GetNumberOfTuples() == 81' "$work/a:b.xmf"
else skip "no VTK here that reads XDMF"; fi
"$heat" --quiet --size 9,9 --steps 1 --output "$work/café.h5" 2> "$work/err"; [ ! -s "$work/err" ]; ok $? "... but not of a name in UTF-8 $(cat "$work/err")"
# labelled data for NetCDF-4 readers
python=${PY:-python3}
"$heat" --quiet --size 30,20 --spacing .5,.25 --time-step .01 --steps 10 --init random --output "$work/labelled.nc" --output "$work/labelled.npy" \
  --snapshot "$work/part" --snapshot-every 10 --snapshot-box 4,2:10,6 --snapshot-stride 2,3; ok $? "a .nc file is written, and a series of parts"
if "$python" -c 'import numpy, xarray, netCDF4' 2> /dev/null; then
  "$python" - "$work" <<'END'; ok $? "xarray reads it: dimensions, places in metres, units, time"
import sys, numpy, xarray
work = sys.argv[1]
data = xarray.open_dataset(work + '/labelled.nc', engine='netcdf4', decode_times=False)
field = data[[name for name in data.data_vars if data[name].ndim == 2][0]]
assert field.dims == ('y', 'x') and field.shape == (20, 30), field
assert numpy.array_equal(field.values, numpy.load(work + '/labelled.npy'))
assert numpy.allclose(data['x'], .5 * numpy.arange(30)) and numpy.allclose(data['y'], .25 * numpy.arange(20))
assert set(data.coords) == {'x', 'y', 'time'} and data['x'].units == 'm' and data['time'].units == 's' and abs(float(data['time']) - .1) < 1e-12
assert data.attrs['Conventions'].startswith('CF-')
part = xarray.open_dataset(work + '/part.000000010.h5', engine='netcdf4', decode_times=False)
assert numpy.allclose(part['x'], .5 * numpy.arange(4, 14, 2)) and numpy.allclose(part['y'], .25 * numpy.arange(2, 8, 3))
assert part.attrs['snapshot_box'] == '4,2:10,6' and part.attrs['snapshot_stride'] == '2,3'
END
else skip "$python has no xarray with netCDF4"; fi
"$heat" --show "$work/part.000000010.h5" > "$work/shown"; grep -q '^snapshot_box  *4,2:10,6$' "$work/shown" && grep -q '^snapshot_stride  *2,3$' "$work/shown"
ok $? "a part names its cells ($(grep snapshot_ "$work/shown" | xargs))"
succeeds "a .nc file is read again" "$heat" --quiet --init "$work/labelled.nc" --steps 0 --output "$work/again.npy"
same "$work/labelled.npy" "$work/again.npy" "... with its values"
# physics in SI units: 2^-5 m^2/s, steps of 0.25 s, cells of 0.5 m x 0.25 m are alpha 0.03125 and 0.125
physical=("$heat" --quiet --size 40,30 --init random --steps 20)
"${physical[@]}" --alpha .03125,.125 --output "$work/alpha.npy"
"${physical[@]}" --diffusivity .03125 --time-step .25 --spacing .5,.25 --output "$work/physical.npy"; ok $? "a diffusivity, with a time step and spacings"
same "$work/alpha.npy" "$work/physical.npy" "... is that of the alpha that follows"
"${physical[@]}" --diffusivity .03125,.0625 --time-step .25 --spacing .5 --output "$work/axes.npy" && "${physical[@]}" --alpha .03125,.0625 --output "$work/alpha.npy"
same "$work/alpha.npy" "$work/axes.npy" "... of each axis"
fails 2 '--time-step: 1 s is too long for a stable scheme .* must be <= 0.8 s' "a step that is too long names the longest" "${physical[@]}" --diffusivity .03125 --time-step 1 --spacing .5,.25
succeeds "... which is stable" "${physical[@]}" --diffusivity .03125 --time-step .8 --spacing .5,.25
fails 2 '--diffusivity: needs --time-step and --spacing' "a diffusivity alone" "${physical[@]}" --diffusivity 1
fails 2 '--diffusivity and --alpha exclude' "... and with an alpha" "${physical[@]}" --diffusivity 1 --alpha .1 --time-step 1 --spacing 9
fails 2 '--diffusivity: 3 numbers for a 2-D grid' "... and one of another grid" "${physical[@]}" --diffusivity 1,1,1 --time-step 1 --spacing 9
done_testing
