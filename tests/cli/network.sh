#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-network: golden cases, a measurement of two ranks, its file, predictions, rules for Open MPI, wrong input.
# plan, calibrate, simulate and heat read the file, and are unchanged without it.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
. "$here/tests/messages.sh"
network=${HETGRID_NETWORK_PROGRAM:-$PWD/hetgrid-network}
plan=$PWD/hetgrid-plan matmul=$PWD/hetgrid-matmul simulate=$PWD/hetgrid-simulate calibrate=$PWD/hetgrid-calibrate build=$PWD
export HETGRID_TABLES=$work/tables
unset HETGRID_NETWORK
"$network" --golden "$here/tests/golden/loggp.json" > "$work/tap"; status=$?
ok $status "golden loggp: $(grep -c '^ok' "$work/tap") of $(tail -n 1 "$work/tap" | cut -d. -f3) cases hold $(grep '^not ok' "$work/tap" | head -n 3 | tr '\n' ' ')"
! grep -q SKIP "$work/tap"; ok $? "and none is skipped"
cd "$work" || exit 99

"$network" --printed > printed; ok $? "--printed evaluates the paper"
grep -q '97.44 TFLOP/s' printed && grep -q '0.1112 s + 2 n^3 / 160.3' printed && grep -q '1 : 2.00 : 4.76' printed
ok $? "... its findings: 97 TFLOP/s, .111 s + 2 n^3 / 160 GFLOP/s, slopes 1 : 2 : 4.8"

# a synthetic file: 2 us + 1 ns/B within a node, 20 us + 10 ns/B between nodes
file "$(level node 2e-6 1e-9)" "$(level network 20e-6 1e-8)" > hand.json
succeeds "--show prints a file" "$network" --show --network hand.json
[ "$("$network" --show --csv --network hand.json | wc -l)" -eq 29 ]; ok $? "--csv: a row per size of each level"
"$network" --show --json --network hand.json > again.json; "$network" --show --json --network again.json > third.json
same again.json third.json "--json reads back the same"
first() { "$network" --network hand.json --csv "$@" | sed -n 2p; }
[ "$(first --predict p2p --bytes 1000 | cut -d, -f2)" = 3e-06 ]; ok $? "a message on a node: $(first --predict p2p --bytes 1000)"
[ "$(first --predict p2p --bytes 1000 --ranks 4 --per-node 2 | cut -d, -f2)" = 3e-05 ]; ok $? "... and between nodes"
"$network" --network hand.json --predict p2p --bytes 1e9 | grep -q extrapolated; ok $? "beyond the table: marked"
for operation in p2p stream bcast; do
  marks=$("$network" --network hand.json --csv --predict $operation --ranks 8 --bytes 1000,1e9 | sed 's/.*,//' | tr '\n' ' ')
  [ "$marks" = 'extrapolated 0 1 ' ]; ok $? "... in CSV of $operation: $marks"
done
marks=$("$network" --network hand.json --csv --predict matmul --ranks 4 --sides 10,100000 --compute 1e10 | sed 's/.*,//' | tr '\n' ' ')
[ "$marks" = 'extrapolated 0 1 ' ]; ok $? "... in CSV of matmul: $marks"
fails 2 "only for --predict p2p" "a stream from a GPU" "$network" --network hand.json --predict stream --from gpu
[ "$(first --predict stream --bytes 1000 --messages 4 | cut -d, -f3)" = 1.2e-05 ]; ok $? "a stream without trains is as slow as its messages"
[ "$(first --predict bcast --bytes 1000000 --ranks 1 | cut -d, -f5)" = 0 ]; ok $? "a broadcast on one rank takes no time"
first --predict bcast --bytes 8 --ranks 8 | grep -q binomial; ok $? "8 bytes to 8 ranks: $(first --predict bcast --bytes 8 --ranks 8)"
first --predict bcast --bytes 16777216 --ranks 8 | grep -Eq 'doubling|ring|chain'; ok $? "16 MiB: $(first --predict bcast --bytes 16777216 --ranks 8)"
first --predict matmul --size 1000 --ranks 3 --compute 1e9 | awk -F, '{ exit !($6 == 1 && $8 > 1) }'; ok $? "matmul computes too"
fails 2 'csv and --json' "two kinds of results" "$network" --show --csv --json
file "$(level node 2e-6 1e-9)" > one-node.json
for operation in p2p bcast stream; do
  fails 1 'one-node.json: level .network. was not measured, but 8 ranks with 4 per node' "$operation between nodes, by a file of one node" \
    "$network" --network one-node.json --predict $operation --ranks 8 --per-node 4
done
fails 1 'level .network. was not measured' "... and rules" "$network" --network one-node.json --openmpi-rules rules --ranks 8 --per-node 4
succeeds "... but not of ranks of one node" "$network" --network one-node.json --predict bcast --ranks 8 --per-node 8
fails 2 'compute' "matmul without a speed" "$network" --network hand.json --predict matmul
fails 1 'h2d was not measured' "a missing GPU" "$network" --network hand.json --predict p2p --to gpu
succeeds "--tables prints the paper's tables" "$network" --network hand.json --tables --compute 1e10
succeeds "pictures are drawn" "$network" --show --quiet --network hand.json --picture picture.svg
for part in node network broadcast; do tail -n 1 picture-$part.svg | grep -q '</svg>'; ok $? "... picture-$part.svg"; done
for byte in 1 64; do
  MALLOC_PERTURB_=$byte "$network" --show --quiet --network hand.json --picture filled$byte.svg
done > /dev/null
for part in node network broadcast; do
  same filled1-$part.svg filled64-$part.svg "... picture-$part.svg, whatever memory held before"
done

# wrong input
fails 2 'passes.*2..16' "a single pass" "$network" --passes 1
fails 2 'pause' "a negative pause" "$network" --pause -1
fails 2 'exclude each other' "two things at once" "$network" --show --printed
fails 1 'no such|No such' "a missing file" "$network" --show --network missing.json
sed 's/"schema":1/"schema":7/' hand.json > bad.json; fails 1 'bad.json.*schema 7' "another schema" "$network" --show --network bad.json
sed 's/"seconds":\[/"seconds":[-/' hand.json > bad.json; fails 2 'bad.json.*level node.*seconds is -' "a negative time" "$network" --show --network bad.json
head -c 300 hand.json > bad.json; fails 1 'bad.json:1' "half a file" "$network" --show --network bad.json
fails 1 'there is no .*network-' "no file at all" "$network" --show
# without a launcher: the only file of this host is used, whatever it was measured with
own=tables/network-$(hostname | tr -cs '[:alnum:]\n' -)
mkdir -p tables; cp hand.json "$own-Open-MPI-v4-1-4-default.json"
sed "s/\"host\":\"[^\"]*\"/\"host\":\"$(hostname)-2\"/" hand.json > "$own-2-Open-MPI-v4-1-4-default.json"
[ "$("$network" --predict p2p --bytes 1000 --csv | sed -n 2p)" = "$(first --predict p2p --bytes 1000)" ]; ok $? "--predict finds what mpirun measured"
succeeds "--show does" "$network" --show
cp hand.json "$own-Open-MPI-v4-1-4-tcp.json"
fails 2 "tables/ holds 2 measurements.*-default.json, .*-tcp.json.*HETGRID_NETWORK" "of several, one has to be chosen" "$network" --show
succeeds "... by HETGRID_NETWORK" env HETGRID_NETWORK="$own-Open-MPI-v4-1-4-tcp.json" "$network" --show
rm -r tables
mkfifo pipe.json; fails 1 'pipe.json: a pipe' "a pipe" "$network" --show --network pipe.json
fails 1 'nothing to measure' "one rank without GPU" env STARPU_NCUDA=0 CUDA_VISIBLE_DEVICES= "$network" --quiet
sed "s/\"host\":\"[^\"]*\"/\"host\":\"elsewhere\"/" hand.json > other.json
"$network" --show --quiet --network other.json 2> said; grep -q 'was measured on elsewhere' said; ok $? "another host's file is used with a warning"

# the readers
lists() { "$plan" --grid 800,600 --speeds 1,2,3,4 --csv "$@" 2> said; }
lists > without; HETGRID_NETWORK='' lists > empty; same without empty "without a file plan is unchanged"
"$plan" --grid 800,600 --speeds 1,2,3,4 --network hand.json > said_plan; grep -q 'hand.json' said_plan; ok $? "plan says that it uses the file"
with=$("$plan" --grid 800,600 --speeds 1,2,3,4 --partition rows --network hand.json --json | grep -o '"comm_seconds":[0-9.e+-]*' | cut -d: -f2)
# rows: at most two neighbours, 800 cells of 8 bytes each way: 4 T(6400) between nodes = 4 (20 us + 64 us)
awk -v a="$with" 'BEGIN { exit !(a > 335.9e-6 && a < 336.1e-6) }'; ok $? "... and sums times of messages ($with s)"
fails 2 'network: excludes --latency' "a file and given latencies" "$plan" --speeds 1,2 --network hand.json --latency 1e-6 --bandwidth 1e9
"$heat" --quiet --size 64,64 --steps 9 --init random --output one.npy
HETGRID_LOG=info "$heat" --quiet --size 64,64 --steps 9 --init random --network hand.json --output two.npy 2> said
same one.npy two.npy "heat computes the same with a file"
echo '{}' > bad.json; fails 1 'bad.json.*schema' "heat names a wrong file" "$heat" --size 64,64 --network bad.json --steps 1
if [ -n "${MPIEXEC:-}" ]; then
  HETGRID_LOG=info $ranks 2 "$heat" --quiet --size 128,128 --steps 9 --network hand.json --init random --verify 2> said; status=$?
  [ $status -eq 0 ] && grep -q 'hand.json' said; ok $? "heat on two ranks says that it uses the file"
fi
if [ -n "${MPIEXEC:-}" ]; then
  "$matmul" --quiet --size 130,100,70 --output one.npy
  succeeds "matmul broadcasts by the file" env HETGRID_NETWORK=hand.json "$ranks" 3 "$matmul" --quiet --size 130,100,70 --output two.npy
  same one.npy two.npy "... with the same bits"
fi
HETGRID_NETWORK=hand.json timeout $hang "$calibrate" --max-cells 100000 --budget 60 --output tables > said 2>&1
grep -q 'exchange.*hand.json' said; ok $? "calibrate takes the exchange from the file ($(grep exchange said | head -n 1 | cut -c1-120))"
cat > two.platform <<END
device core cpu heat=1e9 heat_item=1e-9 update=1e10 panel=5e9 start=2e-6
node 2*core
network file=hand.json level=network
END
"$simulate" --platform two.platform --show > said 2>&1; grep -q '100 MB/s and 20 us' said && grep -q hand.json said
ok $? "a platform takes its network from the file, with the latency from node to node ($(head -n 1 said))"
sed -i 's/level=network/level=moon/' two.platform
fails 1 'two.platform:3.*moon' "a missing level" "$simulate" --platform two.platform --show

# an emulated GPU: one rank measures its levels
emulated=$build/tests/gpu/network_emulated
succeeds "one rank measures the levels of a GPU" "$emulated" --quiet --quick --max-bytes 65536 --budget 5 --progress off --output gpu.json
[ "$("$network" --show --csv --network gpu.json | cut -d, -f1-3 | sort -u | grep -c '2')" -eq 6 ]; ok $? "... h2d and d2h, pinned, pageable and both ways at once"
"$network" --show --network gpu.json | grep -q 'start-up of a GPU'; ok $? "... and its start"
awk 'FNR == NR { if (/"levels"/) exit; print }' gpu.json | grep -q '"gpu_start": [0-9]'; ok $? "... which is in the file"
cat > bus.platform <<END
device core cpu heat=1e9 update=1e10 panel=5e9
device gpu cuda bus=gpu.json heat=1e10 update=1e11 panel=1e10 memory=1e9
node core,gpu
END
"$simulate" --platform bus.platform --show | awk '$1 == "gpu" { exit !($4 > 0) }'; ok $? "a platform takes a GPU's bus from the file"

# a measurement
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
measure=("$ranks" 2 "$network" --quiet --quick --max-bytes 65536 --budget 5 --progress off)
more=; [ "$(nproc)" -ge 2 ] || more=--oversubscribed
succeeds "two ranks measure, in three passes" "${measure[@]}" $more --passes 3 --pause .3 --output real.json
succeeds "... what reads back" "$network" --show --network real.json
"$network" --show --csv --network real.json | awk -F, 'BEGIN { before = -1 } NR > 1 { if ($4 <= before || $5 <= 0 || $6 > $5 || $7 < $5 || $8 < 27) bad = 1; before = $4 } END { exit bad || NR < 18 }'
ok $? "... sizes increase, times are within their quartiles, at least three passes of nine samples"
[ ! -e real.json.part ]; ok $? "... and leaves no journal"
$ranks 3 "$network" --quiet --quick 2> said; [ $? -eq 2 ] && grep -q 'take turns' said || [ "$(nproc)" -ge 3 ]; ok $? "more ranks than cores are refused ($(head -n 1 said | cut -c1-100))"
fails 1 "level 'moon' does not exist" "an unknown level" "${measure[@]}" --levels moon
fails 1 "level 'h2d' does not exist" "a GPU's level without a GPU" "${measure[@]}" --levels h2d
mkdir closed; chmod 500 closed
if [ "$(id -u)" -ne 0 ]; then fails 1 'closed' "a folder that cannot be written" "${measure[@]}" $more --output closed/file.json; fi
# after an interruption the next call knows the measured points
$ranks 2 "$network" --quiet --max-bytes 65536 --budget 40 $more --progress off --output broken.json > /dev/null 2>&1 & pid=$!
for _ in $(seq 600); do [ "$(cat broken.json.part 2> /dev/null | wc -l)" -gt 6 ] && break; sleep .1; done
kill -INT $pid 2> /dev/null; wait $pid 2> /dev/null
[ -s broken.json.part ] && [ ! -e broken.json ]; ok $? "an interrupted measurement leaves its points ($(wc -l < broken.json.part)) and no file"
HETGRID_LOG=warn $ranks 2 "$network" --max-bytes 65536 --budget 40 $more --progress off --output broken.json > said 2>&1 &
pid=$!; wait $pid; known=$(grep -o '^[0-9]* points were known' said | cut -d' ' -f1)
[ "${known:-0}" -gt 5 ] && [ -s broken.json ]; ok $? "the next call continues ($known points known)"
# the same machine a moment later; a generous bound: the test machine may be busy
succeeds "--validate compares with fresh sizes" $ranks 2 "$network" --validate --quick --budget 20 $more --bound 10 --network broken.json
grep -q 'broadcast' out; ok $? "... and broadcasts ($(grep 'node  *all' out | cut -c1-100))"
succeeds "the paper's experiment runs, and its product is right" env HETGRID_NETWORK=broken.json $ranks 3 "$build/bench/mhloggp_matmul" 3 64 100
awk -F, 'NR > 1 { rows += $4 > 0 && $5 > 0 } END { exit rows != 2 }' out
ok $? "... with its prediction ($(tail -n 1 out))"
fails 1 'HETGRID_NETWORK: must name' "... which needs a file" $ranks 2 "$build/bench/mhloggp_matmul" 2 64
fails 1 'must be at most 0.00 % \(--bound\)' "beyond the bound it fails" $ranks 2 "$network" --validate --quick --budget 2 $more --bound 1e-6 --network broken.json
file "$(level node 2 1e-9)" > slow.json
fails 1 'node: 1 byte takes .* in the file' "a message says that the machine has changed" $ranks 2 "$network" --validate --quick --budget 2 $more --network slow.json

# rules for Open MPI
succeeds "--openmpi-rules writes a file" "$network" --network hand.json --openmpi-rules rules --ranks 4
if "$MPIEXEC" --version 2> /dev/null | grep -q 'Open MPI'; then
  # what the root sent to ranks 1, 2, 3 in 31 broadcasts of 4 MiB reveals the algorithm
  seen() { # seen RULES
    rm -f monitored.*
    $ranks 4 --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "$1" --mca pml_monitoring_enable 2 \
      --mca pml_monitoring_enable_output 3 --mca pml_monitoring_filename "$PWD/monitored" "$build/bench/broadcast" 4194304 > said 2>&1 || return 1
    awk '$1 == "I" && $2 == 0 { sent[$3] = $4 / (31 * 4194304) } END {
      if (sent[1] >= 1 && sent[2] >= 1 && sent[3] >= 1) print "linear"; else if (sent[1] >= 1 && sent[2] >= 1) print "binomial"
      else if (sent[1] >= 1) print (sent[2] > .3 ? "ring" : "chain"); else if (sent[1] + sent[2] + sent[3] > .5) print "scatter" }' monitored.0.prof
  }
  names=(none linear none chain none none binomial none scatter ring)
  for number in 1 3 6 8 9; do
    printf '1\n7\n1\n4\n1\n0 %d 0 %d\n' $number $((number == 3 ? 65536 : 0)) > forced
    [ $number = 1 ] && first=$(seen forced)
    [ "$number" = 1 ] && [ -z "$first" ] && { skip "this Open MPI counts no messages"; break; }
    [ "$(seen forced)" = "${names[$number]}" ]; ok $? "Open MPI's algorithm $number is ${names[$number]}"
  done
  wanted=$(awk '/^4 # ranks/ { mine = 1; next } /# ranks/ { mine = 0 } mine && NF == 4 && $1 <= 4194304 { last = $2 } END { print last }' rules)
  [ -z "$first" ] || { [ "$(seen rules)" = "${names[$wanted]}" ]; ok $? "4 MiB to 4 ranks: Open MPI follows the rules, ${names[$wanted]}"; }
fi
done_testing
