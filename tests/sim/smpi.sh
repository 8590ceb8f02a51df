# SPDX-License-Identifier: MIT
# Programs of the project on simulated machines (SimGrid's SMPI), for shell tests; sourced after tap.sh.
# Columns of a machine: ranks per node, nodes, bandwidth and latency between nodes, then within a node. Time is virtual,
# so the numbers are the same everywhere.
smpi_built() { # smpi_built PROGRAM SOURCE OPTION..: compiles it with broadcasts and predictions, or ends the test
  local status
  command -v smpicc > /dev/null && command -v smpirun > /dev/null || { skip "no SimGrid (Debian: libsimgrid-dev)"; done_testing; }
  (cd "$here" && smpicc -O1 -std=gnu11 -D_GNU_SOURCE -I. -Isrc "${@:3}" "$2" src/exchange/broadcast.c \
    src/network/{broadcast_choice,broadcast_times,matmul_times,predict,table}.c src/base/{file,shown,status}.c -o "$work/$1" -lm) > "$work/log" 2>&1
  status=$?
  ok $status "$2 is compiled for SMPI $([ $status -eq 0 ] || tail -n 3 "$work/log")"
  [ $status -eq 0 ] || done_testing
}
on_machine() { # on_machine "MACHINE" PROGRAM ARGUMENT..: prints the program's output
  local per_node nodes bandwidth latency inside_bandwidth inside_latency
  read -r per_node nodes bandwidth latency inside_bandwidth inside_latency <<< "$1"
  cat > platform.xml <<END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="None">
<cluster id="c" prefix="n-" suffix="" radical="0-$((nodes - 1))" speed="1Gf" bw="$bandwidth" lat="$latency" loopback_bw="$inside_bandwidth" loopback_lat="$inside_latency"/>
</zone></platform>
END
  for ((n = 0; n < nodes; n++)); do for ((k = 0; k < per_node; k++)); do echo "n-$n"; done; done > hosts
  timeout $hang smpirun -np $((per_node * nodes)) -platform platform.xml -hostfile hosts --cfg=smpi/simulate-computation:no \
    --log=root.thresh:error "./$2" "$per_node" "${@:3}" 2> err
}
draw() { # draw N SEED: random machines of two levels
  awk -v n="$1" -v seed="$2" 'function log_uniform(a, b) { return a * exp(rand() * log(b / a)) }
    BEGIN { srand(seed); for (i = 0; i < n; i++) {
      per_node = 2 ^ (1 + int(3 * rand())); nodes = 2 + int((64 / per_node - 1) * rand()); inside = log_uniform(4, 20)
      printf "%d %d %.3gGBps %.3gus %.3gGBps %.3gns\n", per_node, nodes, log_uniform(.1, inside), log_uniform(1, 100), inside, log_uniform(100, 1000) } }'
}
machines() { # the listed ones and N random ones, by HETGRID_MACHINES=N[,SEED]
  local more seed
  cat <<END
1 4 10GBps 1us 10GBps 1us
1 13 1GBps 50us 1GBps 1us
1 16 10GBps 1us 10GBps 1us
1 64 10GBps 1us 10GBps 1us
2 8 5GBps 3us 10GBps 200ns
4 4 1.25GBps 30us 8GBps 500ns
4 8 10GBps 1us 20GBps 100ns
8 8 1GBps 20us 20GBps 300ns
END
  IFS=, read -r more seed <<< "${HETGRID_MACHINES:-0}"
  draw "$more" "${seed:-1}"
}
off() { # off ROWS PREDICTED TAKEN: median and 90th percentile of the relative errors between two columns
  awk -F, -v p="$2" -v t="$3" '{ e = $p / $t - 1; print e < 0 ? -e : e }' "$1" | sort -g |
    awk '{ e[NR] = $1 } END { printf "%.4f %.4f\n", e[int((NR + 1) / 2)], e[int(.9 * NR)] }'
}
