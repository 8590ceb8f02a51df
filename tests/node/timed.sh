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
near "$kernels" 17.3 60 "400 kernels follow each other on the device"
copies=$(run --cores 1 --stretch 40 --warm -- cuda 400 rw)
near "$copies" 27.5 95 "400 tiles take the bus as long as its bandwidth says"
cold=$(run --cores 1 --stretch 40 -- cuda 400 w)
near "$(awk -v a="$cold" -v b="$kernels" 'BEGIN { print a - b }')" 85 200 "the first kernel of all takes longer"
cores=$(run --cores 2 --stretch 2 --warm -- cpu 20 rw)
near "$cores" 203 300 "20 tasks take two cores as long as ten take one"
slow=$(run --cores 2 --stretch 6 --warm -- cpu 20 rw)
near "$slow" 203 300 "time that passes three times slower is the same time"
# 25 ms until the GPU has its code and brings the tile, 20.74 ms of the core, which spins meanwhile
held=$(run --cores 1 --stretch 40 -- held)
near "$held" 0 100 "a core that waits for its data is not charged for spinning"
ended=0
for policy in dmdas lws hetgrid; do
  for seed in 1 2 3; do
    timeout $hang env STARPU_SCHED=$policy bash "$here/bench/node/run" --cores 2 --gpus 1 --seed $seed --jitter .01 --stretch 1 --warm \
      tests/node/tasks any 60 rw > "$work/out" 2>> "$work/log" && ended=$((ended + 1))
  done
done
[ $ended = 9 ]; ok $? "$ended of 9 starts end whose threads sleep before every hundredth time they meet"
# A first run with nothing said takes 3 to 18 ms, 60 where it goes to the cores alone, and twice that where it tries both.
eliminates() { # eliminates OPTIONS..: s of the first run
  timeout $hang bash "$here/bench/node/run" --noise 0 --stretch 8 "$@" "$(program hetgrid-elimination)" --matrix uniform:2000 \
    --factor-only --csv 2>> "$work/log" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "seconds") c = i } NR == 2 { print $c }'
}
by_default=$(for _ in 1 2 3; do eliminates --cores 3 --gpus 1; done | sort -g | head -n 1)
by_cores=$(eliminates --cores 3 --gpus 0)
awk -v x="${by_default:-inf}" -v all="${by_cores:-0}" 'BEGIN { exit !(x <= all / 2) }'
ok $? "a first elimination of 2000 columns goes to the GPU: ${by_default:-?} s, at most half of the ${by_cores:-?} s of 3 cores"
# From the host's memory: 5 ms of copies, 3 of the GPU.
multiplies() { # multiplies OPTIONS..: s
  timeout $hang bash "$here/bench/node/run" --noise 0 --stretch 8 "$@" "$(program hetgrid-matmul)" --size 4000 --csv 2>> "$work/log" |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "seconds") c = i } NR == 2 { print $c }'
}
product=$(for _ in 1 2 3; do multiplies --cores 3 --gpus 1; done | sort -g | head -n 1)
awk -v x="${product:-inf}" 'BEGIN { exit !(x <= 0.03) }'
ok $? "a first product of 4000 x 4000 goes to the GPU, panels come while it computes: ${product:-?} s, at most 0.03"
succeeds "help is given" bash "$here/bench/node/run" --help
fails 2 "unknown option '--slow'" "an unknown option is refused" bash "$here/bench/node/run" --slow true
done_testing
