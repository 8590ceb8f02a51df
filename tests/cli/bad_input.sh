#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every wrong input ends with status 1 or 2 and one clear line, and leaves old output untouched.
. "${srcdir:-.}/tests/tap.sh"
bin=$PWD
cd "$work" || exit 99
run() { fails "$1" "$2" "$3" "$heat" --output old.npy --quiet "${@:4}"; same old.npy kept.npy "... and old.npy is untouched"; }
"$heat" --quiet --size 8,8 --steps 1 --init random --output old.npy && cp old.npy kept.npy
"$heat" --quiet --size 8,8 --steps 1 --init random --output good.h5
"$heat" --quiet --size 8,8 --steps 1 --init random --checkpoint state.h5

run 2 'size: 0 is not in|--size: 0'         "size 0"              --size 0,5
run 2 'not in'                              "a negative size"     --size -5,5
run 2 'whole number'                        "a size with a word"  --size 5,five
run 2 'more than 3'                         "four dimensions"     --size 5,5,5,5
run 2 'empty'                               "a hole in the size"  --size 5,,5
run 1 'available'                           "a size beyond memory" --size 3000000,3000000
run 2 '2.46'                                "a 3-D size beyond all memory" --size 100000,100000,100000
run 2 '0.5'                                 "an unstable scheme"  --alpha .3,.3
run 2 'axes is 0.8'                         "... by one number"   --alpha .4
run 2 'axes is 0.5000002,'                  "... that is hardly so"  --alpha .2500001
run 2 'axes is 0.5000000000002,'            "... or less"        --alpha .2500000000001
run 2 'finite'                              "alpha NaN"           --alpha nan
run 2 'not in'                              "alpha negative"      --alpha -.1
run 2 'steps'                               "negative steps"      --steps -1
run 2 'precision'                           "an unknown precision" --precision half
run 2 'boundary'                            "an unknown boundary" --boundary warm
run 2 'pairs'                               "half a periodic pair" --boundary west=periodic
run 2 "side 'west' is given twice"          "a side twice"       --boundary west=fixed=1,east=fixed,west=fixed=2
run 2 'no side'                             "a side of another dimension" --size 10 --boundary north=fixed
run 2 'partition.*rows'                     "an unknown partition" --partition diagonal
run 2 'sched.*lws'                          "an unknown policy"   --sched fifth
cp old.npy twice.h5
for option in --checkpoint=twice.h5 --phases=./twice.h5; do
  run 2 "${option%%=*}: .*twice.h5 is a file of --output too" "${option%%=*} and --output with the same name" --output twice.h5 $option
done
run 2 'phases: .*apart.h5 is a file of --checkpoint too' "--phases and --checkpoint with the same name" --checkpoint apart.h5 --phases=./apart.h5
[ ! -e apart.h5 ]; ok $? "... and none is written"
mkdir tr
for option in --output=tr/tiles.csv --phases=tr/summary.csv --checkpoint=./tr/c.h5; do
  run 2 "${option%%=*}: .* is in the folder of --trace" "${option%%=*} in the folder of --trace" --trace=tr $option
done
[ -z "$(ls tr)" ]; ok $? "... and nothing is traced"
run 2 'checkpoint: c.previous.h5 is a file of --output too' "an output called as the checkpoint before" --checkpoint c.h5 --output c.previous.h5
run 2 'phases: c.previous.h5 is a file of --checkpoint too' "phases called as it" --checkpoint c.h5 --phases=c.previous.h5
run 2 "checkpoint: 'c.npy' must end in .h5" "a checkpoint of another kind" --checkpoint c.npy
run 2 'output: s.000000002.h5 has the name of a snapshot' "an output called as a snapshot" --snapshot-every 1 --snapshot s --output s.000000002.h5
run 2 'output: old.npy, but --plan-only'    "an output of a plan" --plan-only
echo 0,0,40,30 > boxes.csv
fails 2 'rebalance: the boxes of a .csv file are not rebalanced' "given boxes with rebalancing" \
  "$heat" --size 40,30 --partition boxes.csv --rebalance .1
for option in checkpoint=p.h5 phases=p.csv phases snapshot-every=3 trace=p; do
  fails 2 "${option%%=*}: .*, but --plan-only" "--$option of a plan" "$heat" --size 9,9 --plan-only --$option
done
run 2 'meter-offset: needs'                 "a meter's offset without a meter" --meter-offset 1
run 2 'spacing: 3 numbers for a 2-D'        "a spacing too many"  --size 8,8 --spacing 1,2,3
pricer=${heat%-heat}-pricer
fails 2 'spacing: not supported for prices'                 "a spacing of prices" "$pricer" --paths 1 --spacing 1
fails 2 'snapshot-every: not supported for prices'           "snapshots of prices" "$pricer" --paths 1 --snapshot-every 3
fails 2 'time-step: not supported for prices'               "a time step of prices" "$pricer" --paths 1 --time-step 1
succeeds "no step is done, nothing is measured" "$heat" --size 8,8 --steps 0 --tolerance 1
grep -q 'after 0 steps nothing was measured' "$work/err" && ! grep -q nan "$work/err"; ok $? "... and the warning says so"
"$heat" --size 8,8 --steps 0 > out; grep -q 'time  *0 s: no steps$' out; ok $? "... and no speed is reported ($(grep time out))"
run 2 "sched: 'pheft' is for parallel tasks"         "a policy for parallel tasks" --sched pheft
run 2 'alpha: 3 numbers for a 2-D'          "an alpha too many"   --alpha .1,.1,.1
run 2 'kernel.*baseline'                    "an unknown kernel"   --kernel quantum
run 2 'speeds'                              "too many speeds"     --speeds 1,2,3
run 2 'speeds'                              "no speed"            --speeds 0,0
run 2 'speeds'                              "speeds with a word"  --speeds 1,x
run 2 'tolerance: 0 is not in'              "a tolerance of 0"    --tolerance 0
run 2 'block'                               "a block of 0"        --block 0
run 2 'tile'                                "a tile of 0"         --tile 0,4
run 2 'unknown|unrecognized'                "an unknown option"   --fast
run 2 'unexpected argument'                             "a stray word"        fast
run 2 '[-]-net is not the full name of an option; did you mean --network' "a name cut short" --net=1000
run 2 '[-]-check-e is not the full .* did you mean --check-every' "... with its value after it" --check-e 10
run 2 'ambiguous|not the full name'        "... that several begin with" --n 1000
run 2 "'run': the value of --trace is given as --trace=run" "a value that must follow =" --trace run
run 2 "'x.csv': the value of --phases is given as --phases=x.csv" "... before other options" --phases x.csv --steps 1
run 2 "'fast': unexpected argument"         "a stray word after such an option and another" --trace --quiet fast
run 2 'requires an argument'                "a missing value"     --steps
run 2 'neither'                             "an unknown field"    --init cold
run 1 'No such file|cannot be read'         "a missing file"      --init missing.npy
run 1 'No such file'                        "a missing HDF5 file" --init missing.h5
run 2 'no dataset'                          "a missing dataset"   --init good.h5:pressure
run 1 'a checkpoint, not a field'     "a checkpoint as a field" --init state.h5
run 2 'ending'                              "an unknown output"   --output result.xyz
run 1 'No such file'                        "a missing output folder" --output missing/result.npy
run 1 'No such file'                        "a missing checkpoint" --restart missing.h5
run 1 'not a checkpoint'                    "an HDF5 file that is no checkpoint" --restart good.h5
run 2 'holds 8 x 8'                         "a file of another size" --size 9,9 --init good.h5
mkdir folder.npy
run 1 'not a file|directory'                "a folder as input"   --init folder.npy
: > empty.npy
run 1 'empty'                               "an empty file"       --init empty.npy
for bytes in 5 60 127 200 600; do
  head -c $bytes old.npy > cut.npy
  run 1 'truncated|not a .npy'              "npy cut to $bytes bytes" --init cut.npy
done
for bytes in 5 600 1000 2000; do
  head -c $bytes good.h5 > cut.h5
  run 1 'truncated|not an HDF5'             "HDF5 cut to $bytes bytes" --init cut.h5
  run 1 'checkpoint'                        "checkpoint cut to $bytes bytes" --restart cut.h5
done
"$heat" --quiet --size 8,8 --steps 1 --output good.png
head -c 100 good.png > cut.png
run 1 'cut.png'                             "a cut PNG"           --init cut.png
echo 'no picture' > bad.png
run 1 'bad.png'                             "an invalid PNG"  --init bad.png
base64 -d > sparse.npz <<< "UEsDBBQAAAAIAEIJe10AAAAAAgAAAAAAAAALAAAAaW5kaWNlcy5ucHkDAFBLAwQUAAAACABCCXtdAAAAAAIAAAAAAAAACgAAAGlu\
ZHB0ci5ucHkDAFBLAwQUAAAACABCCXtdAAAAAAIAAAAAAAAACgAAAGZvcm1hdC5ucHkDAFBLAwQUAAAACABCCXtdAAAAAAIAAAAA\
AAAACQAAAHNoYXBlLm5weQMAUEsDBBQAAAAIAEIJe10AAAAAAgAAAAAAAAAIAAAAZGF0YS5ucHkDAFBLAQIUAxQAAAAIAEIJe10A\
AAAAAgAAAAAAAAALAAAAAAAAAAAAAACAAQAAAABpbmRpY2VzLm5weVBLAQIUAxQAAAAIAEIJe10AAAAAAgAAAAAAAAAKAAAAAAAA\
AAAAAACAASsAAABpbmRwdHIubnB5UEsBAhQDFAAAAAgAQgl7XQAAAAACAAAAAAAAAAoAAAAAAAAAAAAAAIABVQAAAGZvcm1hdC5u\
cHlQSwECFAMUAAAACABCCXtdAAAAAAIAAAAAAAAACQAAAAAAAAAAAAAAgAF/AAAAc2hhcGUubnB5UEsBAhQDFAAAAAgAQgl7XQAA\
AAACAAAAAAAAAAgAAAAAAAAAAAAAAIABqAAAAGRhdGEubnB5UEsFBgAAAAAFAAUAFgEAANAAAAAAAA=="
run 2 "sparse.npz: a sparse SciPy matrix" "a sparse matrix" --init sparse.npz
fails 1 "sparse.npz: its member format is not a string" "... that is damaged, to be solved" "$elimination" --matrix sparse.npz
# files of some 100 bytes whose headers claim 10^8 values and more: refused before memory is allocated
base64 -d > vast.png <<< iVBORw0KGgoAAAANSUhEUgABhqAAAYagCAAAAACNOVQUAAAADElEQVR4nGNgoD0AAABkAAGGZDw1AAAAAElFTkSuQmCC
run 1 'vast.png: truncated, promises 10000000000 bytes' "a PNG of 69 bytes for 10^10 pixels" --init vast.png
base64 -d > vast.npz <<< "UEsDBBQAAAAIAHsFe11gzen5SAAAAFCCsjkFAAAAYS5ucHmb7BfqGxDJyODGUK2eklqcXKRupaBuk2ahrqOgnpZfVFKUmBefX5SSChJ3S8wp\
TgWKF2ckFqQC+RqGhgYGBjpgUlNHoVYBDABQSwECFAMUAAAACAB7BXtdYM3p+UgAAABQgrI5BQAAAAAAAAAAAAAAgAEAAAAAYS5ucHlQSwUGAAAAAAEAAQAzAAAAawAAAAAA"
run 1 'vast.npz: truncated, promises 968000080 bytes' "an archive of 180 bytes for 10^9" --init vast.npz
LC_ALL=C sed 's/\x00\x02\x00\x00\x00\x00\x00\x00/\x00\xe1\xf5\x05\x00\x00\x00\x00/g' state.h5 > vast.h5
! cmp -s state.h5 vast.h5 && run 1 'vast.h5: ' "a checkpoint of 512 bytes that promises 10^8" --size 8,8 --steps 2 --restart vast.h5
printf '{"size": [100000000, 100000000, 100000000]}' > vast.json
fails 2 'vast.json: ' "a problem of 10^24 nodes in 40 bytes" "$bin/hetgrid-adr" --problem vast.json
echo '{"cases": [{"id": "a", "input": {"problem": "mms", "nx": 100000000, "ny": 100000000, "nz": 100000000, "T": 0.1, "steps": 4}, "expect": {}}]}' > vast.json
fails 1 'vast.json: 1 of 1 cases do not hold' "golden cases of 10^24 nodes" "$bin/hetgrid-adr" --golden vast.json
printf 'type,S,K,T,r,q,sigma,fixings\nasian-call,100,100,1,.05,0,.2,100000000000\n' > vast.csv
fails 1 'vast.csv:2:' "a contract of 10^11 fixings" "$bin/hetgrid-pricer" --portfolio vast.csv
echo 'PK no archive' > bad.npz
run 1 'bad.npz'                             "an invalid archive" --init bad.npz
printf '1,2\n3,nan\n' > nan.csv
run 1 'nan.csv:2:3'                         "NaN in the input"    --init nan.csv
printf '1,2\n3,inf\n' > inf.csv
run 1 'inf.csv:2:3'                         "infinity in the input" --init inf.csv
run 1 'nan.csv:2:3'                         "NaN in the source"   --size 2,2 --source nan.csv
printf '1,2\n3\n' > uneven.csv
run 1 'uneven.csv:2'                        "uneven rows"         --init uneven.csv
printf '1,5;2,5\n' > comma.csv
run 1 'comma.csv:1:4'                       "decimal commas"      --init comma.csv
printf '1,2\n3,1e39\n' > large.csv
run 1 '\(1, 1, 0\) is 1e\+39'               "a value beyond single precision" --precision float --init large.csv
run 1 '\(1, 1, 0\) is 1e\+39'               "a source beyond single precision" --precision float --size 2,2 --source large.csv
run 2 'is 1e\+39'                           "a side beyond single precision" --precision float --size 4,4 --boundary fixed=1e39
for ending in npy npz h5 png csv; do
  mkfifo pipe.$ending
  run 1 'pipe'                              "a pipe as .$ending" --init pipe.$ending
done
run 1 'pipe.npy: a pipe'                    "a pipe as source"    --size 4,4 --source pipe.npy
run 1 'pipe.h5: a pipe'                     "a pipe as checkpoint" --size 4,4 --restart pipe.h5
run 1 'pipe.npy: is a'                      "a pipe as output"    --size 4,4 --output pipe.npy
ln -s /dev/zero zero.csv
run 1 'zero.csv: a device'                  "a device as input"   --init zero.csv
printf '{"a": 1}' > plain.json; { printf '\357\273\277'; cat plain.json; } > marked.json
succeeds "metadata after a byte order mark" "$heat" --show marked.json
printf '1,2,3\n4,5,6\n' > layer.csv; printf 'mine' > mine.npy.part2026-11-15; printf 'mine' > 'mine.npy.part 1-1-1'
touch -d '3 days ago' mine.npy.part*
"$heat" --input layer.csv --steps 0 --quiet --output mine.npy; [ "$(cat mine.npy.part*)" = minemine ]; ok $? "users' files with names like temporary ones stay"; rm mine.npy.part*
"$heat" --size 9,1 --steps 3 --quiet 2> err; grep -q 'warning: 9 x 1 x 1 cells: fixed sides hold all of them along y' err; ok $? "there is a warning about a grid without a cell that changes: $(cat err)"
mkfifo pipe.mtx
fails 1 'pipe.mtx: a pipe'                  "a pipe as matrix"    "$elimination" --matrix pipe.mtx
fails 1 'pipe.mtx: a pipe'                  "a pipe as right-hand side" "$elimination" --matrix uniform:4 --rhs pipe.mtx
fails 1 'pipe.h5: a pipe'                   "a pipe as factors"   "$elimination" --matrix uniform:4 --factors pipe.h5 --solve-only
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1e39\n' > large.mtx
fails 1 'row 2, column 2 is 1e\+39'         "an element beyond single precision" "$elimination" --matrix large.mtx --precision float
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1,5\n' > comma.mtx
fails 1 'comma.mtx:4:5'                     "a decimal comma in a matrix" "$elimination" --matrix comma.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n100000000 100000000 1\n1 1 5\n' > forged.mtx
fails 1 'needs [0-9.]* GB, [0-9.]* GB are available' "a matrix of 74 bytes that claims 1e8 rows" "$elimination" --matrix forged.mtx
fails 1 'needs [0-9.]* GB' "... a family, too" "$elimination" --matrix uniform:100000000
printf '%%%%MatrixMarket \033[31mmatrix\302\2331m coordinate real general\n3 3 1\n1 1 5\n' > escapes.mtx
fails 1 'x1b\[31mmatrix.xc2.x9b1m' "text in a file cannot control the terminal" "$elimination" --matrix escapes.mtx
[ -z "$(tr -d '\033\233' < "$work/err" | cmp - "$work/err")" ]; ok $? "... no control byte is printed"
printf 'device core\033[31m cpu heat=1e9\nnode core\n' > escapes.platform
fails 1 'the name has control characters' "... nor does a platform's name" "${heat%-heat}-plan" --energy escapes.platform --grid 9,9
foreign() { # foreign FORMAT NAME BYTES: a file whose name is no formula and whose bytes are of another format
  printf "$3" > "$2"
  fails 1 "$2: is .*$1.*; " "$1 called $2" "$heat" --quiet --init "$2" --steps 1
}
foreign ESRI dem.csv 'ncols 3\nnrows 2\n1 2 3\n4 -9999 6\n'
foreign TIFF dem.npy 'II*\0\10\0\0\0'
foreign NetCDF-3 t.nc 'CDF\1\0\0\0\0'
foreign MATLAB t.mat 'MATLAB 5.0 MAT-file\0'
foreign gzip packed.csv '\037\213\10\0'
foreign UTF-16 excel.csv '\377\3761\0,\0002\0'
printf '%%%%MatrixMarket' > m.csv; fails 1 'is Matrix Market' "a matrix called .csv" "$heat" --quiet --init m.csv --steps 1
printf '\037\213\10\0' > a.mtx; fails 1 'gunzip' "a packed matrix" "$elimination" --matrix a.mtx
echo x > h.rua; fails 1 'Harwell-Boeing' "a Harwell-Boeing matrix" "$elimination" --matrix h.rua
for unset in 'HOME=' 'HOME=here' '-u HOME'; do
  fails 1 'neither HETGRID_TABLES is set' "with $unset tables are not looked for here" env -u HETGRID_TABLES -u XDG_DATA_HOME $unset "${heat%-heat}-calibrate" --show
done
if [ "$(id -u)" -ne 0 ]; then
  mkdir locked; chmod 500 locked
  run 1 'denied'                            "a locked folder"     --output locked/a.npy
fi
run 1 'Is a directory|directory|failed'     "a folder as output"  --output folder.npy
run 2 'control character'                   "an end of line in a name" --output $'a\nb.npy'
if [ -e /dev/full ] && command -v mount >/dev/null && mkdir full && mount -t tmpfs -o size=4k none full 2>/dev/null; then
  for file in a.npy a.h5 a.csv a.png; do
    fails 1 'full|space|failed|error' "a full disk for $file" "$heat" --quiet --size 900,900 --init random --steps 1 --output full/$file
    [ -z "$(ls full)" ]; ok $? "... and nothing is left there"
  done
  umount full
else skip "no small disk can be mounted here"; fi
[ -z "$(ls | grep part)" ]; ok $? "no temporary file is left"
done_testing

# margins far too deep, each piece of which would need a StarPU record
depth() { "$heat" --size 100,100 --csv "$@" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["block"] }'; }
[ "$(depth --steps 7 --block 30)" = 7 ]; ok $? "a block is no deeper than the number of steps"
[ "$(depth --steps 40 --tile 9,60)" = 9 ]; ok $? "... nor by default than a tile is wide"
[ "$(depth --steps 40 --tile 9,60 --block 11)" = 11 ]; ok $? "... unless that is asked for"
(ulimit -v 1500000; STARPU_NCPU=1 "$heat" --size 1000,1000 --steps 10 --tile 8,8 --plan-only > plan) && grep -q . plan
ok $? "a plan of 15625 tiles allocates no memory for them"
