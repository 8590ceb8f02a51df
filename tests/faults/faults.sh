#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Memory, files and the disk fail at every call of short runs (tests/faults/fail.c): a run that cannot do without ends
# with status 1 and a line; what was there before stays, or the new file is there whole; nothing hangs or is left behind.
# StarPU cannot be told of a policy's failure: without memory for its queues the policy aborts, with a line.
#   HETGRID_FAULTS=all  every call; else CALLS of each kind and run, from the first to the last
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
CALLS=${HETGRID_FAULTS_CALLS:-3}
build=$PWD preload=$PWD/tests/faults/.libs/fail.so plan=$PWD/hetgrid-plan
[ -x "$build/.libs/hetgrid-heat" ] && build=$build/.libs # not libtool's scripts, whose shell would be preloaded too
heat=$build/hetgrid-heat elimination=$build/hetgrid-elimination
export LD_LIBRARY_PATH=$PWD/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} STARPU_NCPU=1
if [ ! -e "$preload" ] || nm -D "$heat" 2>/dev/null | grep -q __asan_init; then skip "nothing to preload here"; done_testing; fi
mkdir "$work/old" "$work/new" "$work/run" && cd "$work/run" || exit 99

"$heat" --quiet --size 24,20 --init random --steps 1 --output "$work/in.npy"
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 2\n2 2 3\n3 3 4\n1 3 1\n' > "$work/a.mtx"
printf '0,0,50,80\n50,0,50,80\n' > "$work/parts.csv"

faulty() { # faulty KIND CALL COMMAND...
  rm -f "$work/count"
  timeout 120 env HG_FAULT="$1" HG_FAULT_AT="$2" HG_FAULT_FOLDER="$work/run/" HG_FAULT_COUNT="$work/count" \
    LD_PRELOAD="$preload" "${@:3}" > "$work/out" 2> "$work/err"
}
restore() { rm -rf "$work/run/"*; cp "$work/old/"* "$work/run/"; }
whole() { # whole FILE: as it was before, or as a good run makes it; a checkpoint: at any of the steps
  local other
  [ -e "$1" ] || [ -e "$work/old/$1" ] || return 0
  for other in "$work"/{old,new}/"${1%%.*}"*; do
    if [ "${1%%.*}" = state ] || [ "${other##*/}" = "$1" ]; then ! cmp -s "$1" "$other" || return 0; fi
  done
  return 1
}
complaint() { # what is wrong after a run that gave status $1, if anything
  local file
  case $1 in
    # a run goes on without a checkpoint that fails, so that the one before may be older
    0) for file in $(ls "$work/new"); do
      cmp -s "$file" "$work/new/$file" || [ "$file" = state.previous.h5 ] || echo "succeeded without $file"
    done ;;
    1) [ -s "$work/err" ] || echo "no message" ;;
    134) if grep -q 'hetgrid: no memory for ' "$work/err"; then policy=$((policy + 1)); else echo "aborts"; fi ;;
    *) echo "status $1" ;;
  esac
  for file in $(ls "$work/new"); do whole "$file" || echo "$file is damaged"; done
  for file in *.part*; do [ ! -e "$file" ] || echo "$file is left"; done
}
numbers() { # numbers COUNT: which calls are tried
  if [ "${HETGRID_FAULTS:-}" = all ] || [ "$1" -le "$CALLS" ]; then seq 1 "$1"
  else for ((i = 0; i < CALLS; i++)); do echo $((1 + i * ($1 - 1) / (CALLS - 1))); done; fi
}
attack() { # attack NAME COMMAND...
  local name=$1 kind count at status wrong found ended tried policy; shift
  restore; "$@" > /dev/null 2> "$work/err" || { ok 1 "$name: $(head -n 1 "$work/err")"; return; }
  rm -rf "$work/new"; cp -r "$work/run" "$work/new"
  for kind in memory open write full sync rename link; do
    restore; faulty $kind 0 "$@"; count=$(cat "$work/count")
    found="" ended=0 tried=0 policy=0
    for at in $(numbers "$count"); do
      restore; status=0; faulty $kind "$at" "$@" || status=$?
      tried=$((tried + 1)) ended=$((ended + (status == 1)))
      complaint $status > "$work/wrong"; wrong=$(tr '\n' ';' < "$work/wrong")
      [ -z "$wrong" ] || found="$found call $at: $wrong ($(head -n 1 "$work/err" | cut -c1-120))"
    done
    [ "$count" -gt 0 ] || [ $kind = link ] || found=" nothing is counted"
    [ -z "$found" ]; ok $? "$name: $kind fails at $tried of $count calls, $ended runs end with a message, $policy aborts of the policy with one$found"
  done
}

for file in a.npy a.csv a.h5 a.png a.xmf; do echo "old $file" > "$work/old/$file"; done
cp "$work/in.npy" "$work/old/"
(cd "$work/old" && "$heat" --quiet --init in.npy --steps 2 --checkpoint state.h5)
attack heat "$heat" --quiet --init in.npy --steps 6 --checkpoint state.h5 --checkpoint-every 3 \
  --output a.npy --output a.csv --output a.h5 --output a.png
attack "heat from a checkpoint" "$heat" --quiet --init in.npy --steps 6 --restart state.h5 --output a.npy --verify
rm "$work/old/"*
for file in x.mtx x.npy lu.h5; do echo "old $file" > "$work/old/$file"; done
cp "$work/a.mtx" "$work/old/"
attack elimination "$elimination" --quiet --matrix a.mtx --output x.mtx --output x.npy --factors lu.h5
rm "$work/old/"*
echo "old" > "$work/old/parts.svg"
cp "$work/parts.csv" "$work/old/"
attack plan "$plan" --grid 100,80 --speeds 3,1,2 --halo 4 --svg parts.svg
done_testing
