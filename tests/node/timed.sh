#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The timed node (bench/node): tasks, copies and cold starts take what its description says, in any order of threads.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
[ -e bench/node/.libs/timed_node.so ] || { skip "built without CUDA: there is no runtime to stand in for"; done_testing; }
export HG_BUILD=$PWD NODE_HOME=$work/node
unset STARPU_NCUDA STARPU_HOME
run() { # run OPTIONS -- ARGUMENTS: ms that tests/node/tasks prints, the least of three runs, which others may disturb
  local options=() least
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  least=$(for _ in 1 2 3; do
    STARPU_SCHED=${policy:-dmdas} timeout $hang bash "$here/bench/node/run" --noise 0 --gpus 1 "${options[@]}" tests/node/tasks "$@" 2> "$work/err"
  done | sort -g | head -n 1)
  echo "${least:-nan}"
}
# Where other programs keep this machine's cores from threads, times may be longer.
near() { # near MS LEAST MOST NAME
  local late
  late=$(sed -n 's/.*went on \([0-9.]*\) us late.*/\1/p' "$work/err" | tail -n 1)
  if awk -v x="$1" -v most="$3" -v late="${late:-0}" 'BEGIN { exit !(x > most && late > 1) }'; then
    skip "$4: $1 ms, but threads went on $late us late"
  else
    awk -v x="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(x >= a && x <= b) }'
    ok $? "$4: $1 ms, between $2 and $3"
  fi
}
# 43.39 us of the device a task; 3.69 MB a tile at 53.5 GB/s are 68.9 us; 20.74 ms of a core; 70 + 25 ms when all is cold
kernels=$(run --cores 1 --stretch 40 --warm -- cuda 400 w)
near "$kernels" 17.3 35 "400 kernels follow each other on the device"
copies=$(run --cores 1 --stretch 40 --warm -- cuda 400 rw)
near "$copies" 27.5 55 "400 tiles take the bus as long as its bandwidth says"
cold=$(run --cores 1 --stretch 40 -- cuda 400 w)
near "$(awk -v a="$cold" -v b="$kernels" 'BEGIN { print a - b }')" 85 140 "the first kernel of all takes longer"
cores=$(run --cores 2 --stretch 2 --warm -- cpu 20 rw)
near "$cores" 203 260 "20 tasks take two cores as long as ten take one"
slow=$(run --cores 2 --stretch 6 --warm -- cpu 20 rw)
near "$slow" 203 260 "time that passes three times slower is the same time"
ended=0
for policy in dmdas lws hetgrid; do
  for seed in 1 2 3; do
    timeout $hang env STARPU_SCHED=$policy bash "$here/bench/node/run" --cores 2 --gpus 1 --seed $seed --jitter .01 --stretch 1 --warm \
      tests/node/tasks any 60 rw > "$work/out" 2>> "$work/log" && ended=$((ended + 1))
  done
done
[ $ended = 9 ]; ok $? "$ended of 9 starts end whose threads sleep before every hundredth time they meet"
# A first run with nothing said, beside the second ones of each side, in which nothing is cold.
eliminates() { # eliminates ROW OPTIONS..: s of that run of three; $work/log says whether others disturbed it
  local row=$1; shift
  timeout $hang bash "$here/bench/node/run" --noise 0 --stretch 8 "$@" "$(program hetgrid-elimination)" --matrix uniform:2000 --factor-only \
    --repeat 3 --csv 2>> "$work/elimination" |
    awk -F, -v row="$row" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "seconds") c = i } NR == row + 1 { print $c }'
}
by_default=$(eliminates 1 --cores 3 --gpus 1)
by_gpu=$(eliminates 2 --cores 1 --gpus 1)
by_cores=$(eliminates 2 --cores 3 --gpus 0)
told="a first elimination of 2000 columns takes ${by_default:-?} s, the GPU $by_gpu s, 3 cores $by_cores s: at most 1.4 times the less"
if grep -q DISTURBED "$work/elimination"; then
  skip "$told, but other programs kept this machine busy"
else
  awk -v x="${by_default:-inf}" -v a="$by_gpu" -v b="$by_cores" 'BEGIN { exit !(x <= 1.4 * (a < b ? a : b)) }'
  ok $? "$told"
fi
succeeds "help is given" bash "$here/bench/node/run" --help
fails 2 "unknown option '--slow'" "an unknown option is refused" bash "$here/bench/node/run" --slow true
done_testing
