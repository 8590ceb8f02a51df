#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The timed node (bench/node): tasks, copies and cold starts take the time of its description, whatever the order of
# threads.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
take_own_library
[ -e bench/node/.libs/timed_node.so ] || { skip "built without CUDA: there is no runtime to replace"; done_testing; }
export HG_BUILD=$PWD NODE_HOME=$work/node
unset STARPU_NCUDA STARPU_HOME
run() { # run OPTIONS -- ARGUMENTS: ms that tests/node/tasks prints; the shortest of three runs counts
  local options=() least
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  least=$(for _ in 1 2 3; do
    STARPU_SCHED=${policy:-dmdas} timeout $hang bash "$here/bench/node/run" --noise 0 --gpus 1 "${options[@]}" tests/node/tasks "$@" 2> "$work/err"
  done | sort -g | head -n 1)
  echo "${least:-nan}"
}
# Times may be longer if other programs keep threads from this machine's cores.
near() { # near MS LEAST MOST NAME
  local late
  late=$(sed -n 's/.*went on \([0-9.]*\) us late.*/\1/p' "$work/err" | tail -n 1)
  if awk -v x="$1" -v most="$3" -v late="${late:-0}" 'BEGIN { exit !(x > most && late > 1) }'; then
    skip "$4: $1 ms, but threads woke $late us late"
  else
    awk -v x="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(x >= a && x <= b) }'
    ok $? "$4: $1 ms, between $2 and $3"
  fi
}
# a task takes 43.39 us on the device, 20.74 ms on a core; 3.69 MB per tile at 53.5 GB/s: 68.9 us; cold start: 70 + 25 ms
kernels=$(run --cores 1 --stretch 40 --warm -- cuda 400 w)
near "$kernels" 17.3 60 "400 kernels follow each other on the device"
copies=$(run --cores 1 --stretch 40 --warm -- cuda 400 rw)
near "$copies" 27.5 95 "400 tiles take as long on the bus as its bandwidth implies"
cold=$(run --cores 1 --stretch 40 -- cuda 400 w)
near "$(awk -v a="$cold" -v b="$kernels" 'BEGIN { print a - b }')" 85 200 "the first kernel of all takes longer"
cores=$(run --cores 2 --stretch 2 --warm -- cpu 20 rw)
near "$cores" 203 300 "20 tasks take as long on two cores as ten on one"
slow=$(run --cores 2 --stretch 6 --warm -- cpu 20 rw)
near "$slow" 203 300 "with time stretched three times as much they take the same time"
# 25 ms until the GPU has loaded its code and sent the tile, then 20.74 ms on the core, which spins meanwhile
held=$(run --cores 1 --stretch 40 -- held)
near "$held" 0 100 "a core that waits for its data is not charged for spinning"
# The plugin checks its queues each time it releases its lock.
for policy in dmdas lws hetgrid; do
  ended=$(STARPU_SCHED_LIB=$PWD/tests/runtime/.libs/checked.so STARPU_SCHED=$policy timeout $hang bash "$here/bench/node/run" --cores 2 --gpus 1 --jitter .01 \
    --stretch 1 --warm tests/node/starts 200 2>> "$work/log")
  [ "$ended" = 200 ]; ok $? "$policy: ${ended:-not all} of 200 small graphs, begun while 2 cores and a GPU sleep, end"
done
back=$(timeout $hang bash "$here/bench/node/run" --stretch 8 tests/node/clock 2>> "$work/log")
[ "$back" = 0 ]; ok $? "time never decreases: ${back:-no answer} times of 1.6 million"
# Nine cores: one drives the GPU, and one is left to the submitting thread.
workers() { # workers COMMAND..: CPU and CUDA workers of a run on 8 cores and a GPU
  timeout $hang bash "$here/bench/node/run" --cores 8 --gpus 1 --stretch 4 --warm "$@" --size 400,400 --steps 20 --csv 2>> "$work/log" | tail -n 1 | cut -d, -f11,12
}
if [ "$(workers "$(program hetgrid-heat)")" = 8,1 ]; then
  found=$(workers env -u HWLOC_COMPONENTS -u STARPU_NCPU "$(program hetgrid-heat)")
  [ "$found" = 7,1 ]; ok $? "with a GPU one core of nine is left to the submitting thread: $found workers"
else
  skip "StarPU has no room for 8 cores here"
fi
# A cold start takes a GPU 0.015 s in heat, 0.002 in fft, 0.095 in products, 0.12 in eliminations; 3 cores do 0.13 Tflop/s.
first() { # first OPTIONS.. PROGRAM ARGUMENTS..: s of all passes of a first run, including its samples
  local seconds sampled
  seconds=$(HETGRID_LOG=info timeout $hang bash "$here/bench/node/run" --noise 0 --stretch 8 "$@" --csv 2> "$work/said" |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "seconds") c = i } NR > 1 { s += $c } END { if (NR > 1) print s }')
  sampled=$(sed -n 's/.*; sampled in \(.*\) s$/\1/p' "$work/said")
  cat "$work/said" >> "$work/log"
  awk -v x="${seconds:-inf}" -v y="${sampled:-0}" 'BEGIN { print x + y }'
}
takes() { # takes MOST NAME PROGRAM ARGUMENTS..: shortest of three first runs on 3 cores and a GPU, at most MOST s
  local most=$1 name=$2 seconds
  shift 2
  seconds=$(for _ in 1 2 3; do first --cores 3 --gpus 1 "$@"; done | sort -g | head -n 1)
  awk -v x="$seconds" -v most="$most" 'BEGIN { exit !(x <= most) }'
  ok $? "$name: $seconds s, at most $most"
}
takes .08 "a first elimination of 2000 columns is over before a GPU is warm" "$(program hetgrid-elimination)" --matrix uniform:2000 --factor-only
takes .25 "one of 4000 goes to the GPU; 3 cores would take 0.4 s" "$(program hetgrid-elimination)" --matrix uniform:4000 --factor-only
takes .04 "a first product of 1000 x 1000 goes to cores" "$(program hetgrid-matmul)" --size 1000
takes .2 "one of 4000 x 4000 goes to the GPU, which receives panels while it computes" "$(program hetgrid-matmul)" --size 4000
takes .0125 "heat of 1000 x 1000 goes to cores for 50 steps" "$(program hetgrid-heat)" --size 1000,1000 --steps 50
takes .05 "... and to the GPU for 1000; 3 cores would take 0.11 s" "$(program hetgrid-heat)" --size 1000,1000 --steps 1000
on_node=(bash "$here/bench/node/run" --noise 0 --stretch 8 --cores 3 --gpus 1)
export STARPU_LIMIT_CUDA_MEM=150
takes 2 "a grid of 256 MB is computed in 150 MB of the GPU" "$(program hetgrid-heat)" --size 4000,4000 --steps 1920
freed=$(sed -n 's/.*GPUs was freed \([0-9]*\) times$/\1/p' "$work/said")
[ "${freed:-1000}" -le 120 ]; ok $? "... where tiles replace each other: memory is freed $freed times, at most 120"
STARPU_LIMIT_CPU_MEM=200 fails 1 "need 0.40 GB, 0.21 GB are available" "... but not if main memory has no room for tiles written back" \
  "${on_node[@]}" "$(program hetgrid-heat)" --size 4000,4000 --steps 1920
takes .2 "a product that does not fit into the GPU is computed there in strips" "$(program hetgrid-matmul)" --size 4000
STARPU_LIMIT_CUDA_MEM=50 succeeds "... but on cores if no strip fits" "${on_node[@]}" "$(program hetgrid-matmul)" --size 3600 --quiet
grep -q 'GPU 0 has no room for columns of its share in 0.0472 GB; computed on cores' "$work/err"; ok $? "... which is said"
STARPU_LIMIT_CUDA_MEM=50 fails 1 "worker 0: 16 columns of C of 4000 rows and their panels need 0.051 GB, its GPU has 0.0472" \
  "... and not at all if all is given to the GPU" "${on_node[@]}" --cores 1 "$(program hetgrid-matmul)" --size 4000 --speeds 1,0
unset STARPU_LIMIT_CUDA_MEM
takes .05 "three passes over 4 planes go to the GPU; 3 cores would take 0.087 s" "$(program hetgrid-fft)" --batch 4 --size 1024,1024
# If the GPU alone eliminates, tasks for cores alone still get a core. Nothing is computed, so the check fails.
fails 1 "FAILED: residual" "an elimination by the GPU ends under dmdas" "${on_node[@]}" "$(program hetgrid-elimination)" --matrix uniform:4000 --sched dmdas
succeeds "neighbours that only cores can look up work with a GPU" "${on_node[@]}" apps/examples/random_graph --size 100000 --steps 20 --sched dmdas
succeeds "help is given" bash "$here/bench/node/run" --help
fails 2 "unknown option '--slow'" "an unknown option is refused" bash "$here/bench/node/run" --slow true
done_testing
