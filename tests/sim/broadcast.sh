#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On simulated machines (SMPI): messages are measured, broadcasts predicted and chosen from them, and all algorithms run.
# Time is virtual, so that the numbers are the same everywhere. Columns: ranks of a node, nodes, bandwidth and latency
# between nodes, then within one. HETGRID_MACHINES=N[,SEED] draws N machines of two levels with up to 64 ranks besides (a
# minute each).
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
command -v smpicc > /dev/null && command -v smpirun > /dev/null || { skip "no SimGrid (Debian: libsimgrid-dev)"; done_testing; }
cd "$here" || exit 99
smpicc -O1 -std=gnu11 -D_GNU_SOURCE -I. -Isrc tests/sim/broadcast.c src/exchange/broadcast.c src/network/broadcast_times.c src/network/broadcast_choice.c \
  src/network/table.c src/base/{file,shown,status}.c -o "$work/broadcast" -lm > "$work/log" 2>&1; status=$?
ok $status "the library's broadcasts are compiled for SMPI $([ $status -eq 0 ] || tail -n 3 "$work/log")"
[ $status -eq 0 ] || done_testing
cd "$work" || exit 99

machine() { # machine PER_NODE NODES BANDWIDTH LATENCY BANDWIDTH LATENCY: rows of the program
  cat > platform.xml <<END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="None">
<cluster id="c" prefix="n-" suffix="" radical="0-$(($2 - 1))" speed="1Gf" bw="$3" lat="$4" loopback_bw="$5" loopback_lat="$6"/>
</zone></platform>
END
  for ((n = 0; n < $2; n++)); do for ((k = 0; k < $1; k++)); do echo "n-$n"; done; done > hosts
  timeout $hang smpirun -np $(($1 * $2)) -platform platform.xml -hostfile hosts --cfg=smpi/simulate-computation:no \
    --log=root.thresh:error ./broadcast "$1" 2> err
}
draw() { # draw N SEED: machines of two levels
  awk -v n="$1" -v seed="$2" 'function log_uniform(a, b) { return a * exp(rand() * log(b / a)) }
    BEGIN { srand(seed); for (i = 0; i < n; i++) {
      per_node = 2 ^ (1 + int(3 * rand())); nodes = 2 + int((64 / per_node - 1) * rand()); inside = log_uniform(4, 20)
      printf "%d %d %.3gGBps %.3gus %.3gGBps %.3gns\n", per_node, nodes, log_uniform(.1, inside), log_uniform(1, 100), inside, log_uniform(100, 1000) } }'
}
IFS=, read -r more seed <<< "${HETGRID_MACHINES:-0}"
draw "$more" "${seed:-1}" > drawn
while read -r machine; do
  # shellcheck disable=SC2086
  machine $machine > rows; status=$?
  [ $status -eq 0 ] && [ "$(wc -l < rows)" -ge 24 ]; ok $? "$machine: all algorithms run $(head -n 1 err)"
  cat rows >> all
  awk -F, '{ if (!($3 in best) || $6 < best[$3]) best[$3] = $6; if ($7) chosen[$3] = $6 }
    END { for (k in best) { loss = chosen[k] / best[k]; if (loss > worst) worst = loss } printf "%.3f\n", worst; exit worst > bound }' bound=1.06 rows > loss
  ok $? "... the chosen ones are at most $(cat loss) times slower than the best"
done < <(cat - drawn <<END
1 4 10GBps 1us 10GBps 1us
1 13 1GBps 50us 1GBps 1us
1 16 10GBps 1us 10GBps 1us
1 64 10GBps 1us 10GBps 1us
2 8 5GBps 3us 10GBps 200ns
4 4 1.25GBps 30us 8GBps 500ns
4 8 10GBps 1us 20GBps 100ns
8 8 1GBps 20us 20GBps 300ns
END
)
awk -F, '{ e = $5 / $6 - 1; print e < 0 ? -e : e }' all | sort -g > errors
median=$(awk '{ e[NR] = $1 } END { print e[int((NR + 1) / 2)] }' errors) p90=$(awk '{ e[NR] = $1 } END { print e[int(.9 * NR)] }' errors)
awk -v m="$median" -v p="$p90" 'BEGIN { exit !(m < .01 && p < .06) }'; ok $? "predictions of $(wc -l < errors) broadcasts: median error $median, p90 $p90"
done_testing
