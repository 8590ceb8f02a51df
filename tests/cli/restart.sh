#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A run that is killed at any moment leaves a whole checkpoint, and going on from it gives the same bits.
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
  rm -f state.h5.part*
  succeeds "killed after $delay s: the checkpoint is whole" "$heat" "${problem[@]}" --restart state.h5 --checkpoint state.h5 --checkpoint-every 3000 --output again.npy
  same whole.npy again.npy "... and the run goes on to the same bits"
done
cp state.h5 damaged.h5
printf 'x' | dd of=damaged.h5 bs=1 seek=5000 conv=notrunc 2>/dev/null
fails 1 'damaged' "a checkpoint with one byte changed is refused" "$heat" "${problem[@]}" --restart damaged.h5
succeeds "a restart verifies against the whole run" "$heat" "${problem[@]}" --restart state.h5 --verify
fails 2 'another problem' "a checkpoint of another problem is refused" "$heat" --size 310,270 --boundary insulated --alpha .1 --steps 7000 --restart state.h5
fails 2 '6000' "a checkpoint beyond the last step is refused" "$heat" "${problem[@]}" --steps 10 --restart state.h5
done_testing
