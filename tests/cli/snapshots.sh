#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Snapshots, also of a box and with a stride, hold what a run ending at that step would write, on any number of ranks.
# VTK, ParaView's library, reads them as a series (HETGRID_VTK_PYTHON: a Python that has it; default python3).
. "${srcdir:-.}/tests/tap.sh"
cd "$work" || exit 99
problem=(--quiet --size 37,29 --init random --boundary periodic)
csv() { "$heat" --quiet --init "$1" --steps 0 --output "$2"; } # values of a file as rows

succeeds "a series" "$heat" "${problem[@]}" --steps 45 --snapshot-every 20 --snapshot s --snapshot-png --output end.npy
[ "$(ls s.* | tr '\n' ' ')" = "s.000000000.h5 s.000000000.png s.000000020.h5 s.000000020.png s.000000040.h5 s.000000040.png s.xmf " ]
ok $? "... has the state before the first step, and after every 20th: $(ls s.* | wc -l) files"
for step in 0 20 40; do
  "$heat" "${problem[@]}" --steps $step --output there.csv
  csv s.$(printf %09d $step).h5 snapshot.csv
  same there.csv snapshot.csv "... as a run of $step steps gives it"
done
"$heat" "${problem[@]}" --steps 45 --output plain.npy
same plain.npy end.npy "the result is the same as without"
"$heat" "${problem[@]}" --steps 20 --snapshot-every 10 --snapshot b --snapshot-box 3,5:30,20 --snapshot-stride 4,3 --spacing .5 --time-step .25
"$heat" "${problem[@]}" --steps 20 --output there.csv
awk -F, -v OFS=, 'NR > 5 && NR <= 25 && (NR - 6) % 3 == 0 { line = ""; for (x = 4; x <= 33; x += 4) line = line (x > 4 ? "," : "") $x; print line }' there.csv > want.csv
csv b.000000020.h5 got.csv
same want.csv got.csv "a box and a stride pick $(wc -l < got.csv) rows"
[ "$(grep -o '<Time Value="[0-9.]*' b.xmf | tr -dc '0-9.\n' | tr '\n' ' ')" = "0 2.5 5 " ] && grep -q '>0 2.5 1.5<' b.xmf && grep -q '>0.5 1.5 2<\|>2 1.5 2<' b.xmf
ok $? "... whose position, spacing and times the series gives: $(grep -o '>[0-9. ]*<' b.xmf | head -2 | tr '\n' ' ')"
for stride in 3 3,3; do "$heat" "${problem[@]}" --steps 5 --snapshot-every 5 --snapshot "t$stride" --snapshot-stride $stride; done
csv t3.000000005.h5 one.csv
csv t3,3.000000005.h5 two.csv
same two.csv one.csv "a stride of one number is that of all axes"
"$heat" "${problem[@]}" --steps 25 --snapshot-every 10 --snapshot c --checkpoint state.h5
"$heat" "${problem[@]}" --steps 40 --snapshot-every 10 --snapshot c --restart state.h5
[ "$(grep -o '<Time Value="[0-9]*' c.xmf | tr -dc '0-9\n' | tr '\n' ' ')" = "0 10 20 30 40 " ]; ok $? "a resumed run continues the series"
"$heat" "${problem[@]}" --steps 40 --snapshot-every 10 --snapshot d
[ "$(grep -o 'd.0[0-9]*.h5' d.xmf)" = "$(grep -o 'c.0[0-9]*.h5' c.xmf | tr c d)" ]; ok $? "... each snapshot once, like an uninterrupted run"
for every in 15 4; do
  rm -f e.*
  "$heat" "${problem[@]}" --steps 22 --snapshot-every 5 --snapshot e --checkpoint state.h5
  "$heat" "${problem[@]}" --steps 40 --snapshot-every $every --snapshot e --restart state.h5
  listed=$(grep -o 'e.0[0-9]*.h5' e.xmf | tr '\n' ' ')
  [ "$listed" = "$(ls e.0*.h5 | tr '\n' ' ')" ]; ok $? "with another --snapshot-every ($every) after a checkpoint the series lists all snapshots: $listed"
done
"$heat" "${problem[@]}" --steps 30 --restart state.h5 --snapshot-every 15 --snapshot e
[ "$(grep -c '<Time' e.xmf)" = "$(ls e.0*.h5 | awk -F. '$2 <= 30' | wc -l)" ]; ok $? "... up to the present step"
"$heat" "${problem[@]}" --steps 20 --checkpoint on.h5
for file in c.0*.h5 c.xmf; do cp $file kept.$file; done
for change in "--snapshot-box 0,0:9,9" "--snapshot-stride 2" "--spacing 2" "--time-step 3"; do
  # shellcheck disable=SC2086
  fails 2 'c.000000000.h5: belongs to another series' "a series of other cells is not continued: $change" \
    "$heat" "${problem[@]}" --steps 40 --snapshot-every 10 --snapshot c --restart on.h5 $change
done
"$heat" --quiet --size 37,29 --init hotspot --boundary periodic --steps 20 --checkpoint hot.h5
fails 2 'c.000000000.h5: belongs to another series' "... nor one of another problem" \
  "$heat" --quiet --size 37,29 --init hotspot --boundary periodic --steps 40 --snapshot-every 10 --snapshot c --restart hot.h5
for file in c.0*.h5 c.xmf; do cmp -s $file kept.$file || echo $file; done > changed; [ ! -s changed ]; ok $? "... and it is unchanged $(cat changed)"
fails 2 'snapshot-stride: 30 along axis y, must be in 1..29' "a stride beyond the grid" "$heat" "${problem[@]}" --snapshot-every 5 --snapshot-stride 30
for output in t.h5 ./t.h5 t.hdf5; do
  for file in --phases=t.xmf --phases=t.000000005.h5 "--checkpoint t.000000005.h5"; do
    # shellcheck disable=SC2086
    fails 2 "t.xmf, the index of the snapshots|t.000000005.h5 has the name of a snapshot" "$file and snapshots of the same name" "$heat" --size 20,20 --steps 9 --snapshot t --snapshot-every 3 $file
  done
  fails 2 'would replace .*t.xmf, the index of the snapshots' "a result and snapshots of the same name" \
    "$heat" "${problem[@]}" --snapshot-every 5 --snapshot t --output $output --steps 1000000000
done
"$heat" "${problem[@]}" --snapshot-every 50 --snapshot t --output u.h5 && [ "$(grep -c '<Time' t.xmf)" = 3 ] && [ -s u.xmf ]
ok $? "... of another name has an index of its own"
fails 2 'snapshot-box: cells 30..39 of axis x, the grid has 0..36' "a box beyond the grid" "$heat" "${problem[@]}" --snapshot-every 5 --snapshot-box 30,0:10,5
fails 2 'must be X,Y' "no box" "$heat" "${problem[@]}" --snapshot-every 5 --snapshot-box 30,10
fails 2 'must be equally many' "a lopsided box" "$heat" "${problem[@]}" --snapshot-every 5 --snapshot-box 30,10:2
for option in --snapshot=s --snapshot-box=0,0:5,5 --snapshot-stride=2 --snapshot-png; do
  fails 2 "${option%%=*}: needs --snapshot-every" "$option alone" "$heat" "${problem[@]}" $option
done
fails 1 'No such file' "a missing folder is found before the first step" "$heat" "${problem[@]}" --steps 1000000000 --snapshot-every 5 --snapshot none/s
if [ -n "${MPIEXEC:-}" ]; then
  succeeds "on 3 ranks" $ranks 3 "$heat" "${problem[@]}" --steps 20 --snapshot-every 20 --snapshot r --snapshot-box 3,5:30,20 --snapshot-stride 4,3
  csv r.000000020.h5 ranks.csv
  same want.csv ranks.csv "... the same values"
else skip "no mpirun"; fi
cat > play.py <<'END'
import sys, vtk
reader = vtk.vtkXdmf3Reader() if hasattr(vtk, "vtkXdmf3Reader") else vtk.vtkXdmfReader()
reader.SetFileName(sys.argv[1]); reader.UpdateInformation()
times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
for time in times:
    reader.UpdateTimeStep(time)
    data = reader.GetOutputDataObject(0)
    while data.IsA("vtkMultiBlockDataSet"): data = data.GetBlock(0)
    values = data.GetPointData().GetArray(0)
    print(time, data.GetDimensions(), [round(x, 6) for x in data.GetSpacing()], values.GetNumberOfTuples(), round(values.GetTuple1(1), 12))
END
if ${HETGRID_VTK_PYTHON:-python3} -c 'import vtk; vtk.vtkXdmfReader' 2> /dev/null || ${HETGRID_VTK_PYTHON:-python3} -c 'import vtk; vtk.vtkXdmf3Reader' 2> /dev/null; then
  ${HETGRID_VTK_PYTHON:-python3} play.py b.xmf > played; ok $? "VTK plays the series: $(tail -n 1 played)"
  [ "$(awk '{ print $1 }' played | tr '\n' ' ')" = "0.0 2.5 5.0 " ]; ok $? "... with its times"
  second=$(head -n 1 got.csv | cut -d, -f2)
  awk -v want="$second" '{ got = $NF } END { exit !(got - want < 1e-9 && want - got < 1e-9) }' played; ok $? "... and values"
else skip "no VTK here that reads XDMF"; fi
done_testing
