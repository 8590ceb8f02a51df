#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A rank that dies at any time ends the job. Another one reports its last step, checkpoints stay whole, and no temporary
# file stays behind.
#   HETGRID_SEED  seed of the times and ranks (default: the clock)
. "${srcdir:-.}/tests/tap.sh"
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
jacobi=$PWD/hetgrid-jacobi
cd "$work" || exit 99
RANDOM=${HETGRID_SEED:-$(date +%s)} seed=$RANDOM
RANDOM=$seed
echo "# seed $seed"

# process_of RANK MARK: process id of that rank of the program whose command line holds MARK
process_of() {
  local p
  for p in /proc/[0-9]*; do
    { tr '\0' '\n' < "$p/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$1" &&
      tr '\0' ' ' < "$p/cmdline" | grep -q -- "^[^ ]*hetgrid-.*$2"; } 2> /dev/null && echo "${p#/proc/}" && return
  done
}
# killed RANK COMMAND...: runs it on 2 ranks and kills one some time after both have begun. The launcher gives the other
# one second for its message; on a busy machine that may be too short, so it is tried again with more time.
killed() {
  kill_one "$@"
  [ -n "$said" ] || OMPI_MCA_odls_base_sigkill_timeout=20 PRTE_MCA_odls_base_sigkill_timeout=20 kill_one "$@"
}
kill_one() {
  local rank=$1 victim='' pause; shift
  timeout $hang "$ranks" 2 "$@" > out 2> err & local pid=$!
  for _ in $(seq 300); do
    victim=$(process_of "$rank" "$work/mark")
    [ -n "$victim" ] && [ -n "$(process_of $((1 - rank)) "$work/mark")" ] && break
    sleep .1
  done
  pause=$((RANDOM % 20))
  sleep "$((1 + pause / 10)).$((pause % 10))"
  kill -9 "$victim"; status=0
  wait $pid || status=$?
  said=$(grep -E "^hetgrid-[a-z]*: rank $((1 - rank)): signal 15 after step [0-9]+ " err)
}
for rank in 0 1; do
  killed $rank "$heat" --size 300,290 --steps 100000000 --output "$work/mark.npy"
  [ $status != 0 ] && [ $status != 124 ] && [ -n "$said" ]; ok $? "heat, rank $rank killed: status $status, $said"
  killed $rank "$jacobi" --size 200,200 --max-sweeps 100000000 --output "$work/mark.npy"
  [ $status != 0 ] && [ $status != 124 ] && [ -n "$said" ]; ok $? "jacobi, rank $rank killed: status $status, $said"
  killed $rank "$elimination" --matrix uniform:1500 --nb 64 --repeat 100000 --output "$work/mark.npy"
  [ $status != 0 ] && [ $status != 124 ] && [ -n "$said" ]
  ok $? "elimination, rank $rank killed: status $status, $said"
done
[ ! -e mark.npy ]; ok $? "they leave no result"

problem=(--size 300,290 --init random --boundary periodic)
for round in 1 2 3 4; do
  killed $((RANDOM % 2)) "$heat" "${problem[@]}" --steps 100000000 --checkpoint-every 500 --checkpoint "$work/mark.h5"
  [ $status != 0 ] && [ $status != 124 ] && [ -n "$said" ]
  ok $? "round $round: killed while it writes checkpoints (status $status)"
  [ -e mark.h5 ] || continue
  "$heat" "${problem[@]}" --steps 100000000 --plan-only --restart mark.h5 > plan 2> err
  ok $? "... the checkpoint is whole $(head -n 1 err)"
  h5=mark.h5
done
if [ -n "${h5:-}" ]; then
  "$heat" "${problem[@]}" --steps 100000000 --restart mark.h5 --checkpoint mark.h5 --checkpoint-every 100000000 \
    > /dev/null 2> err & pid=$!
  sleep 2; kill -TERM $pid; wait $pid
  step=$(sed -n 's/.*ended by signal .*after step \([0-9]*\);.*/\1/p' err)
  "$heat" "${problem[@]}" --steps "$step" --quiet --output whole.npy
  "$heat" "${problem[@]}" --steps "$step" --quiet --restart mark.h5 --output rest.npy
  same whole.npy rest.npy "after four kills the run gives the same bits (step $step)"
  [ -z "$(ls | grep '\.part')" ]; ok $? "... and nothing is left behind $(ls | grep '\.part' | tr '\n' ' ')"
fi
done_testing
