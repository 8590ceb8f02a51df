#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A run killed at any moment leaves a whole checkpoint, and a restart from it gives the same bits.
. "${srcdir:-.}/tests/tap.sh"
cd "$work" || exit 99
problem=(--size 310,270 --init random --boundary insulated --alpha .2 --steps 6000 --quiet)
"$heat" "${problem[@]}" --output whole.npy

for delay in 0.05 0.11 0.17 0.23 0.31 0.42; do
  rm -f state.h5
  "$heat" "${problem[@]}" --checkpoint state.h5 --checkpoint-every 20 --output never.npy & pid=$!
  while [ ! -f state.h5 ] && kill -0 $pid 2>/dev/null; do sleep .01; done
  sleep $delay
  kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null
  succeeds "killed after $delay s: the checkpoint is whole" "$heat" "${problem[@]}" --restart state.h5 --checkpoint state.h5 --checkpoint-every 3000 --output again.npy
  same whole.npy again.npy "... and the resumed run gives the same bits"
  [ -z "$(ls | grep part)" ]; ok $? "... and the killed run's unfinished files are gone"
done
cp state.h5 damaged.h5
printf 'x' | dd of=damaged.h5 bs=1 seek=5000 conv=notrunc 2>/dev/null
cp state.h5 damaged.previous.h5
fails 1 'damaged; the previous one is damaged.previous.h5' "a damaged checkpoint's message names the previous one" "$heat" "${problem[@]}" --restart damaged.h5
rm damaged.previous.h5
fails 1 'damaged' "a checkpoint with one byte changed is refused" "$heat" "${problem[@]}" --restart damaged.h5
# a run checks convergence in its last step, which a longer run does not check
looked=("$heat" --size 61,40 --init random --tolerance 1e-2 --check-every 50 --quiet)
"${looked[@]}" --steps 57 --output looked.npy && "${looked[@]}" --steps 22 --checkpoint looked.h5; ok $? "a run that had converged at its end"
succeeds "... continues to the end of a whole run" "${looked[@]}" --steps 57 --restart looked.h5 --output again-looked.npy
same looked.npy again-looked.npy "... with the same result"
succeeds "a restart verifies against the whole run" "$heat" "${problem[@]}" --restart state.h5 --verify
"$heat" "${problem[@]}" --steps 40 --checkpoint two.h5 --checkpoint-every 20
succeeds "the checkpoint before the last is kept, whole" "$heat" "${problem[@]}" --steps 21 --restart two.previous.h5
fails 2 'after 40' "... after the last" "$heat" "${problem[@]}" --steps 21 --restart two.h5
cp whole.npy in.npy; cp state.h5 kept.h5; "$heat" --quiet --size 310,270 --steps 1 --output plain.h5; cp plain.h5 plain.kept
fails 2 'exists and is not replaced' "another problem's checkpoint is not replaced" "$heat" "${problem[@]}" --alpha .1 --checkpoint state.h5
same state.h5 kept.h5 "... and is as before"
fails 2 'exists and is not replaced' "nor is another file" "$heat" "${problem[@]}" --checkpoint plain.h5
fails 2 'exists and is not replaced' "nor the input" "$heat" --quiet --init plain.h5 --steps 1 --checkpoint plain.h5
same plain.h5 plain.kept "... which are as before"
source=(--size 310,270 --boundary insulated --source in.npy --steps 20 --quiet)
"$heat" "${source[@]}" --checkpoint sourced.h5
succeeds "a checkpoint with a source is resumed" "$heat" "${source[@]}" --steps 21 --restart sourced.h5
"$heat" --quiet --size 310,270 --init random --seed 9 --steps 1 --output in.npy
fails 2 'another problem' "... but not with other values in the source's file" "$heat" "${source[@]}" --steps 21 --restart sourced.h5
touch old.npy.part00000000-1-000000000000 young.npy.part00000000-1-000000000000 && touch -d '2 days ago' old.npy.part*
"$heat" --quiet --size 8,8 --steps 1 --output old.npy --output young.npy
[ ! -e old.npy.part00000000-1-000000000000 ] && [ -e young.npy.part00000000-1-000000000000 ]; ok $? "another machine's unfinished files are removed after a day"
rm young.npy.part*
fails 2 'another problem .*alpha_x [0-9.]* there, 0.1 here, alpha_y' "a checkpoint of another problem is refused" "$heat" --size 310,270 --boundary insulated --alpha .1 --steps 7000 --restart state.h5
fails 2 'size NX 310 there, 311 here' "... with what differs" "$heat" --size 311,270 --boundary insulated --steps 7000 --restart state.h5
fails 2 'boundary insulated there, periodic here' "... in words" "$heat" --size 310,270 --boundary periodic --steps 7000 --restart state.h5
fails 2 'boundary insulated there, fixed here' "... also if an option is omitted" "$heat" --size 310,270 --alpha .2 --steps 7000 --restart state.h5
growing=(--size 50,50 --allow-unstable --alpha .6 --init random --quiet)
"$heat" "${growing[@]}" --steps 40 --checkpoint grown.h5 --checkpoint-every 20 --snapshot-every 20 --snapshot grown
cp grown.h5 grown.kept; cp grown.previous.h5 grown.previous.kept
fails 1 'infinite or not a number; grown.h5 was not written' "lost values do not replace a checkpoint" \
  "$heat" "${growing[@]}" --steps 9000 --restart grown.h5 --checkpoint grown.h5 --checkpoint-every 4000
same grown.kept grown.h5 "... nor"; same grown.previous.kept grown.previous.h5 "... the one before"
fails 1 'infinite or not a number; grown.000004000.h5 was not written' "nor become a snapshot" \
  "$heat" "${growing[@]}" --steps 9000 --snapshot-every 4000 --snapshot grown
[ ! -e grown.000004000.h5 ] && [ -z "$(ls | grep part)" ]; ok $? "... which leave nothing"
succeeds "a hundred checkpoints, one after each step" timeout 120 "$heat" --quiet --size 20,20 --steps 100 --checkpoint many.h5 --checkpoint-every 1
fails 2 '6000' "a checkpoint beyond the last step is refused" "$heat" "${problem[@]}" --steps 10 --restart state.h5

# --- a run that has ended by a condition
for program in "$heat --tolerance 1e-2" "$build/hetgrid-jacobi --tolerance 1e-5" "$build/hetgrid-jacobi --precision float --error 1e-7"; do
  # shellcheck disable=SC2086
  $program --size 40,40 --check-every 30 --checkpoint ended.h5 --quiet --output ended.npy
  # shellcheck disable=SC2086
  $program --size 40,40 --check-every 30 --checkpoint ended.h5 --restart ended.h5 --csv --output again.npy > row
  same ended.npy again.npy "${program#"$build/"}: a restart has nothing left to do"
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "steps") k = i } NR == 2 { exit $k != 0 }' row; ok $? "... and does no step"
  rm ended.h5
done
"$heat" --size 40,40 --tolerance 1e-2 --check-every 30 --checkpoint ended.h5 --quiet
"$heat" --size 40,40 --tolerance 1e-3 --check-every 30 --quiet --output want.npy
"$heat" --size 40,40 --tolerance 1e-3 --check-every 30 --restart ended.h5 --quiet --output got.npy
same want.npy got.npy "with a smaller tolerance it continues"
done_testing
