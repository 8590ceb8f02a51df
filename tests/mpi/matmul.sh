#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-matmul on 1 to 4 ranks: the bits of one worker in both layouts, for all shares.
. "${srcdir:-.}/tests/tap.sh"
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
matmul=${HETGRID_MATMUL:-$PWD/hetgrid-matmul}
drag=$PWD/tests/drag/.libs/drag.so
cd "$work" || exit 99
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' out.csv; }

"$matmul" --quiet --size 333,401,50 --output a.npy
"$matmul" --quiet --size 401,270,50 --seed 5 --output b.npy
problem="--files a.npy,b.npy --nb 48"
# shellcheck disable=SC2086
STARPU_NCPU=1 "$matmul" --quiet $problem --output one.npy; ok $? "one worker"
for n in 2 3 4; do
  for layout in rows rectangles; do
    for model in even dfpa; do
      # shellcheck disable=SC2086
      timeout $hang "$ranks" $n "$matmul" --csv $problem --layout $layout --model $model --verify --output two.npy > out.csv
      same one.npy two.npy "$n ranks, $layout, $model: the same bits (blocks $(column units), $(column received_bytes) bytes received)"
    done
  done
  [ "$(column status)" = ok ]; ok $? "... and the result is right"
done
timeout $hang "$ranks" 2 "$matmul" --csv --size 64,32,48 --model even > out.csv
[ "$(column received_bytes)" = $((48 * 32 * 8)) ]; ok $? "slices: each other rank receives B once: $(column received_bytes) bytes"
timeout $hang "$ranks" 4 "$matmul" --csv --size 64,64,64 --nb 16 --model even --layout rectangles > out.csv
[ "$(column received_bytes)" = $((4 * 2 * 32 * 32 * 8)) ]; ok $? "four squares: each rank receives the adjacent quarters of A and B: $(column received_bytes) bytes"
succeeds "ranks of unequal speed" "$ranks" 3 "$matmul" --quiet --size 200 --model cpm --speeds 5,2,1 --layout rectangles --partition nphp --verify
for layout in rows rectangles; do
  succeeds "a rank without work, $layout" "$ranks" 3 "$matmul" --quiet --size 200 --model cpm --speeds 1,0,1 --layout $layout --verify
  succeeds "rank 0 without work, $layout" "$ranks" 3 "$matmul" --quiet --size 200 --model cpm --speeds 0,2,1 --layout $layout --verify
  succeeds "fewer blocks than ranks, $layout" "$ranks" 4 "$matmul" --quiet --size 20,5,9 --layout $layout --verify
done
if [ -e "$drag" ]; then
  timeout $hang "$ranks" 2 env STARPU_PROF_TOOL="$drag" HG_DRAG=1.0=20 "$matmul" --csv --size 1024,1024,2048 --nb 64 > out.csv
  column units | awk '{ exit !($1 > 2 * $2) }'; ok $? "a rank twenty times slower gets less after $(column dfpa_steps) steps of DFPA: $(column units)"
else
  skip "ranks of different speed: no $drag"
fi
timeout $hang "$ranks" 2 "$matmul" --csv --size 100,100,4096 --model fpm > out.csv; [ "$(column status)" = unverified ] && [ "$(column points)" -ge 2 ]
ok $? "tables of two ranks are measured together: $(column points) points"
printf '%%%%MatrixMarket matrix array real general\n2 1\n1\nnan\n' > nan.mtx
printf '%%%%MatrixMarket matrix array real general\n1 2\n1\n1\n' > row.mtx
fails 1 'nan' "an invalid number ends all ranks" "$ranks" 2 "$matmul" --files nan.mtx,row.mtx
# messages of a second and more: one worker alone is faster, with the same bits
"$matmul" --quiet --size 700 --output alone.npy
cat > slow.json <<'END'
{"schema": 1, "host": "h", "date": "2026-11-27", "mpi": "m", "transport": "t", "binding": "b", "other_load": 0, "oversubscribed": false, "gpu_start": null,
 "levels": [{"name": "node", "from": "cpu", "to": "cpu", "pairs": 1, "bytes": [0, 1000000], "seconds": [1, 2], "low": [1, 2], "high": [1, 2], "samples": [9, 9],
   "outliers": [0, 0], "pass_gap": [0, 0], "segments": [{"from": 0, "latency": 1, "per_byte": 1e-6}], "concurrent": [{"pairs": 1, "bytes": 1000, "seconds": 1}],
   "trains": {"messages": 11, "bytes": [1, 1000], "one": [2, 2], "many": [20, 20], "delayed": [40, 40], "delay": [4, 4]}}]}
END
HETGRID_NETWORK=slow.json timeout $hang "$ranks" 2 "$matmul" --csv --size 700 --verify --output chosen.npy > out.csv
[ "$(column received_bytes)" = 0 ] && column units | grep -Eq '^0 [1-9]|^[1-9][0-9]* 0$'; ok $? "with slow messages one worker gets all the work: $(column units), $(column status)"
same alone.npy chosen.npy "... the same bits"
# the last line of a network file decides how B is broadcast; a damaged file is an error on all ranks
echo "{" > bad.json
fails 1 'bad.json' "a damaged network file" env HETGRID_NETWORK=bad.json "$ranks" 2 "$matmul" --size 64
done_testing
