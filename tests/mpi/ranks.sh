#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The same bits on 1 to 4 ranks, whatever the partition, depth and tiles; errors on one rank end all ranks.
. "${srcdir:-.}/tests/tap.sh"
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
cd "$work" || exit 99
problem=(--quiet --size 130,111 --init random --steps 41)

for boundary in periodic west=fixed=2,north=insulated; do
  "$heat" "${problem[@]}" --boundary $boundary --output one.npy
  for n in 1 2 3 4; do
    for how in "--partition rows" "--partition two-factor --block 7 --tile 23,31"; do
      succeeds "$n ranks, $how" $ranks $n "$heat" "${problem[@]}" --boundary $boundary $how --verify --output many.npy
      same one.npy many.npy "... same file as one rank ($boundary)"
    done
  done
done
succeeds "3-D on 3 ranks" $ranks 3 "$heat" --quiet --size 17,19,23 --init random --boundary periodic --steps 9 --block 4 --verify
succeeds "single precision on 2 ranks of unequal speed" $ranks 2 "$heat" --quiet --size 90,80 --init random --precision float --speeds 3,1 --steps 20 --verify
succeeds "a rank without work" $ranks 3 "$heat" --quiet --size 40,40 --init random --speeds 1,0,1 --steps 12 --verify
succeeds "more ranks than rows" $ranks 4 "$heat" --quiet --size 40,2 --init random --steps 12 --verify
succeeds "tolerance on 2 ranks" $ranks 2 "$heat" --quiet --size 20,20 --tolerance 1e-2 --check-every 10 --verify
$ranks 2 "$heat" --size 64,64 --steps 40 --csv > rows 2>/dev/null
[ "$(wc -l < rows)" -eq 2 ] && [ "$(tail -n 1 rows | cut -d, -f10)" = 2 ]; ok $? "only rank 0 prints"
$ranks 2 env STARPU_NCPU="$(nproc)" "$heat" --quiet --size 64,64 --steps 4 2> err
[ "$(grep -c "2 ranks of a machine have $((2 * $(nproc))) workers in total on $(nproc) core.*STARPU_NCPU" err)" = 1 ]
ok $? "there is one warning about workers that share cores: $(cat err)"
if [ "$(nproc)" -ge 2 ]; then
  $ranks 2 env STARPU_NCPU=1 "$heat" --quiet --size 64,64 --steps 4 2> err; [ ! -s err ]; ok $? "... and workers with a core each are not $(cat err)"
fi

cores=$(taskset -cp $$ 2> /dev/null | sed 's/.*: //; s/-/,/' | cut -d, -f1,2)
if [[ $cores = *,* ]]; then # the first has no core to spare, the second has
  succeeds "ranks of which one shares its core with messages" $ranks 2 "$each" \
    "STARPU_NCPU=1 taskset -c ${cores%,*} $heat --quiet --size 90,80 --init random --steps 40 --verify" \
    "STARPU_NCPU=1 taskset -c $cores $heat --quiet --size 90,80 --init random --steps 40 --verify"
fi
fails 2 'rank 1: STARPU_NCPU: .-1' "a variable of one rank ends all" $ranks 2 "$each" "$heat --size 9,9" "STARPU_NCPU=-1 $heat --size 9,9"
fails 2 'STARPU_FXT_TRACE: 1 on some ranks' "... and recording on one alone" $ranks 2 "$each" "$heat --size 9,9" "STARPU_FXT_TRACE=1 STARPU_FXT_PREFIX=$work/ $heat --size 9,9"
fails 1 'rank 1: .*by STARPU_HOME' "... and a folder" $ranks 2 "$each" "$heat --size 9,9" "STARPU_HOME=/proc/none $heat --size 9,9"

"$heat" --quiet --size 60,50 --init random --steps 90 --output one.npy
$ranks 2 "$heat" --quiet --size 60,50 --init random --steps 40 --checkpoint state.h5 > /dev/null 2>&1
large=(--quiet --size 500,333 --init random --steps 20)
"$heat" "${large[@]}" --output whole.npy
for how in "--partition rows --speeds 3,1,2" "--partition two-factor --tile 90,50"; do
  $ranks 3 "$heat" "${large[@]}" --steps 10 $how --checkpoint large.h5 > /dev/null 2>&1
  succeeds "parts of many pages, $how, restart on 2" $ranks 2 "$heat" "${large[@]}" --restart large.h5 --output large.npy
  same whole.npy large.npy "... to the same bits"
  rm -f large*
done
succeeds "a checkpoint of 2 ranks restarts on 3" $ranks 3 "$heat" --quiet --size 60,50 --init random --steps 90 --restart state.h5 --output three.npy
same one.npy three.npy "... with the same bits"
mkdir elsewhere
fails 2 'rank 1: --restart: there is no state.h5 here' "a rank that does not see the checkpoint ends all" $ranks 2 "$each" \
  "$heat --restart state.h5" "cd elsewhere; $heat --restart state.h5"
fails 2 'rank 1: --restart: there is no state.h5 on rank 0' "... or that alone sees it" $ranks 2 "$each" \
  "cd elsewhere; $heat --restart state.h5" "$heat --restart state.h5"
"$heat" "${problem[@]}" --output one.npy --output one.csv
for n in 2 3 4; do
  for how in "--partition rows" "--partition two-factor --tile 23,31"; do
    $ranks $n "$heat" "${problem[@]}" $how --output many.npy --output many.h5 --output many.csv
    same one.npy many.npy "every rank writes its part: the same .npy on $n ranks, $how"
    "$heat" --quiet --init many.h5 --steps 0 --output again.npy
    same one.npy again.npy "... and .h5"
    same one.csv many.csv "... and .csv"
  done
done
rm many.*
succeeds "a rank that does not see the files" $ranks 3 "$each" "$heat ${problem[*]} --output many.npy --output many.h5" \
  "$heat ${problem[*]} --output many.npy --output many.h5" "cd elsewhere; $heat ${problem[*]} --output many.npy --output many.h5"
same one.npy many.npy "... sends its part: the same .npy"
"$heat" --quiet --init many.h5 --steps 0 --output again.npy
same one.npy again.npy "... and .h5"
[ -z "$(ls elsewhere; ls | grep '\.part')" ]; ok $? "... and there are no other files"
if ! (ulimit -f 10; printf '%20000d' 0 > big) 2> /dev/null; then
  fails 1 'rank 1: many.npy: writing failed: File too large' "a rank that cannot write its part ends all" $ranks 2 "$each" \
    "$heat --quiet --size 3000,3000 --steps 1 --partition rows --output many.npy" \
    "trap '' XFSZ; ulimit -f 50000; $heat --quiet --size 3000,3000 --steps 1 --partition rows --output many.npy" # large enough for the launcher's own files
  same one.npy many.npy "... and the old file is unchanged"
  [ -z "$(ls | grep '\.part')" ]; ok $? "... and nothing is left behind"
fi
printf '1,2\n3,nan\n' > nan.csv
fails 1 'finite' "an input that only one rank reads wrong ends all" $ranks 2 "$heat" --init nan.csv
fails 2 'partition' "an unknown partition ends all" $ranks 2 "$heat" --partition diagonal
done_testing
