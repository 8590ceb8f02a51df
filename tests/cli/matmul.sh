#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-matmul: correct products, the same bits for every division of C, divisions that follow the workers' speeds,
# files, wrong input.
. "${srcdir:-.}/tests/tap.sh"
matmul=${HETGRID_MATMUL:-$PWD/hetgrid-matmul}
drag=$PWD/tests/drag/.libs/drag.so
cd "$work" || exit 99

row() { timeout $hang "$@" --csv > out.csv 2> err; } # row COMMAND...: writes the CSV rows that column() reads
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' out.csv; }

row "$matmul" --size 64 --verify; ok $? "a run"
[ "$(head -n 1 out.csv | cut -d, -f1-25)" = app,m,n,k,precision,nb,layout,model,ranks,cpu_workers,cuda_workers,repeat,seconds,gflops,imbalance,received_bytes,dfpa_steps,dfpa_s,points,ffmpa_s,tables_s,units,freivalds,every_entry,status ]
ok $? "the columns are the documented ones"
[ "$(column status)" = ok ]; ok $? "... and its result is verified"

# sizes around every limit: blocks of 16, panels, one, fewer rows than workers
for size in 1 2 15,17,16 16 33,1,65 1,33,300 64,48,1 129,130,131 255,257,511; do
  for layout in rows rectangles; do
    for precision in double float; do
      row "$matmul" --size $size --layout $layout --precision $precision --nb 64 --verify
      [ "$(column status)" = ok ] || break 3
    done
  done
done
ok $? "products of $size, $layout, $precision (each entry within $(column every_entry) K eps, Freivalds $(column freivalds))"
row "$matmul" --size 2100,530,600 --verify; [ "$(column status)" = ok ] && [ -z "$(column every_entry)" ] && [ -n "$(column freivalds)" ]
ok $? "beyond 2000 Freivalds' test alone"
for size in 64,20000,1 64,20000,3 1,100000,2 20000,64,1 3,2,60000; do
  for precision in double float; do
    row "$matmul" --size $size --precision $precision --verify; [ "$(column status)" = ok ]
    ok $? "... which accepts long and short sums: $size, $precision (Freivalds $(column freivalds))"
  done
done

# sums that depend on the order: products have all 53 bits; in OpenBLAS' sgemm for AVX2 an entry's bits depend on its place, in dgemm not
"$matmul" --quiet --size 501,777,50 --output a.npy
"$matmul" --quiet --size 777,403,50 --seed 5 --output b.npy
STARPU_NCPU=1 "$matmul" --quiet --files a.npy,b.npy,one.npy; ok $? "one worker"
"$matmul" --quiet --files a.npy,b.npy,one.h5 && "$heat" --show one.h5 | grep -q '^command .* --files a.npy,b.npy,one.h5$'; ok $? "the command is kept as it was given"
for division in "--model even" "--model cpm --speeds 5,1" "--model cpm --speeds 1,9" "--model dfpa" "--layout rectangles" \
  "--layout rectangles --model cpm --speeds 3,1" "--layout rectangles --partition columns --model even" "--sched lws"; do
  # shellcheck disable=SC2086
  "$matmul" --quiet --files a.npy,b.npy,two.npy $division; same one.npy two.npy "two workers, $division: the same bits"
done
STARPU_NCPU=3 "$matmul" --quiet --files a.npy,b.npy,two.npy --layout rectangles --model even; same one.npy two.npy "three workers: the same bits"
"$matmul" --quiet --files a.npy,b.npy,two.npy --nb 100
if cmp -s one.npy two.npy; then ok 1 "panels of another depth change bits"; else ok 0 "panels of another depth change bits, so a change of depth can be detected"; fi
"$matmul" --quiet --size 300 --precision float --repeat 3 --warmup 1 --output two.npy; "$matmul" --quiet --size 300 --precision float --output one.npy
same one.npy two.npy "the third run gives the first one's result"

# files
printf '%%%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n' > a.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n1\n10\n100\n' > b.mtx
succeeds "matrices from files" "$matmul" --quiet --files a.mtx,b.mtx,c.mtx --verify
[ "$(tail -n 2 c.mtx | tr -s ' \n' ' ')" = "321 654 " ]; ok $? "... give the known product: $(tail -n 2 c.mtx | tr '\n' ' ')"
if command -v python3 > /dev/null; then
  vector() { # vector FILE: a file of three values in one dimension
    python3 -c 'import struct, sys; h = repr({"descr": "<f8", "fortran_order": False, "shape": (3,)}).encode().ljust(117) + b"\n"
open(sys.argv[1], "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(h)) + h + struct.pack("<3d", 1, 10, 100))' "$1"
  }
  vector v.npy; succeeds "a matrix times a vector" "$matmul" --quiet --files a.mtx,v.npy,c.npy
  head -c 128 c.npy | grep -aq "'shape': (2,)"; ok $? "... is a vector"
fi
fails 2 'has 1 columns, a.mtx has 2 rows' "matrices that do not fit" "$matmul" --files b.mtx,a.mtx
fails 1 'No such file' "a missing file" "$matmul" --files none.mtx,b.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n1\n1e39\n100\n' > huge.mtx
fails 1 'huge.mtx: the value in row 2, column 1 is 1e.39' "a value beyond single precision" "$matmul" --files a.mtx,huge.mtx --precision float
succeeds "... which fits into double" "$matmul" --quiet --files a.mtx,huge.mtx --verify

# workers of different speed: other programs may disturb times, so the test compares divisions
units() { column units | awk -v i="$1" '{ print $i }'; }
row "$matmul" --size 1024,1024,2048 --model even; [ "$(column units)" = "32 32" ] && [ "$(column dfpa_steps)" = 0 ]; ok $? "even shares: $(column units) blocks of rows"
if [ -e "$drag" ]; then
  slow() { row env STARPU_PROF_TOOL="$drag" HG_DRAG=1=20 "$matmul" --size 1024,1024,4096 --nb 64 "$@"; }
  for layout in rows rectangles; do
    slow --layout $layout; [ "$(units 1)" -gt $((2 * $(units 2))) ] && [ "$(column dfpa_steps)" -ge 2 ] && [ "$(column points)" -ge 2 ]
    ok $? "$layout: a worker twenty times slower gets less after $(column dfpa_steps) steps of DFPA: $(column units)"
    awk "BEGIN { exit !($(column dfpa_s) > 0 && $(column dfpa_s) < $hang) }"; ok $? "... which take $(column dfpa_s) s"
  done
  for model in cpm fpm; do
    slow --model $model; [ "$(units 1)" -gt $((2 * $(units 2))) ] && [ "$(column tables_s)" != 0 ]
    ok $? "$model: $(column units), measured in $(column tables_s) s"
  done
  slow --model even; [ "$(column units)" = "32 32" ]; ok $? "even stays even: imbalance $(column imbalance)"
  row env STARPU_PROF_TOOL="$drag" HG_DRAG_THEN=1=30 HG_DRAG_AFTER=12 "$matmul" --size 1024,1024,8192 --nb 64
  [ "$(units 1)" -gt $((2 * $(units 2))) ]; ok $? "a worker that becomes slow in the middle loses blocks: $(column units)"
else
  skip "workers of different speed: no $drag"
fi
printf '1,0,1\n64,0,64\n' > fast.csv; printf '1,0,3\n64,0,192\n' > slow.csv
row "$matmul" --size 1024,64,64 --model fpm --speeds tables:fast.csv,slow.csv; [ "$(column units)" = "48 16" ] && [ "$(column points)" = 2 ]
ok $? "tables of speeds 3 : 1 give $(column units)"
row "$matmul" --size 1024,64,64 --model cpm --speeds 1,0; [ "$(column units)" = "64 0" ]; ok $? "no speed, no blocks: $(column units)"
row "$matmul" --size 1024,64,64 --speeds 3,1; [ "$(column units)" = "48 16" ]; ok $? "speeds alone mean cpm: $(column units)"
row "$matmul" --size 1024,64,64 --speeds 3,1 --links 1,3 --factors 1,1,0; [ "$(column units)" = "32 32" ]; ok $? "... weighed with links of 1 : 3 they give $(column units)"
row "$matmul" --size 1024,64,64 --speeds tables:fast.csv,slow.csv; [ "$(column units)" = "48 16" ]; ok $? "... and tables fpm: $(column units)"

# traces and reports of energy work as in every program
succeeds "a run is traced" env HETGRID_TRACE=profiling "$matmul" --quiet --size 300 --trace=trace
[ -s trace/summary.txt ]; ok $? "... and summarised"
HETGRID_TRACE=profiling "$matmul" --quiet --size 200 --model even --trace=small
tasks=$(sed -n 's/^kind,.*,tasks,//p' small/summary.csv)
[ "$tasks" = 4 ]; ok $? "little work, for which submitting a task for each of 4 panels would take as long, is done in $tasks tasks of 2 workers"

row "$matmul" --size 512 --phases=phases.csv; phases phases.csv out.csv 2 "a product's phases"

[ "$(STARPU_NCUDA=0 "$matmul" --csv --workers cpu --size 64 | tail -n 1 | cut -d, -f10,11)" = 2,0 ]; ok $? "--workers cpu: its cores alone"
fails 77 'there is no GPU here' "--workers of missing GPUs" "$matmul" --workers cpu,cuda
fails 2 "workers: 'gpu' is unknown; known: cpu, cuda" "invalid --workers" "$matmul" --workers gpu
for wrong in "--size 0:--size" "--size 10,10:one number or three" "--size 16777217:--size" "--size 3,4,x:--size" "--nb 0:--nb" "--layout blocks:rows" "--model fast:dfpa" \
  "--epsilon 0:--epsilon" "--epsilon 1:--epsilon" "--epsilon nan:--epsilon" "--model dfpa --speeds 1,2:for --model cpm" "--model cpm --speeds 1,2,3,4,5:5 numbers, must be one for" \
  "--model cpm --speeds 0,0:all are 0" "--speeds 3,1 --links 1,2:need --factors" "--factors 1,1,0:needs --speeds with numbers" "--partition nphp:for --layout rectangles" "--layout rectangles --partition no:unknown" \
  "--files a.mtx:two or three" "--files a.mtx,:two or three" "--files a,b,c,d:two or three" "--files a.mtx,b.mtx,c.dat:" "--output a.gif:" "--sched none:unknown" "--csv --phases:needs a file" "word:Try"; do
  # shellcheck disable=SC2086
  fails 2 "${wrong#*:}" "wrong: ${wrong%%:*}" "$matmul" ${wrong%%:*}
done
fails 2 'size: excludes --files' "a size of matrices from files" "$matmul" --size 3 --files a.mtx,b.mtx
fails 2 'needs the names of the files' "no tables" "$matmul" --model fpm --speeds tables:
fails 2 'for --model fpm' "tables for another model" "$matmul" --model dfpa --speeds tables:fast.csv
fails 2 '1 tables, must be one for each of the 2 workers' "fewer tables than workers" "$matmul" --model fpm --speeds tables:fast.csv
fails 1 'GB are available' "matrices beyond the memory" "$matmul" --size 1000000
awk 'BEGIN { print "%%MatrixMarket matrix array real general\n9 9"; for (i = 1; i <= 81; i++) print i * i % 7 * 1.1e-20 }' > small.mtx
succeeds "a product below the normal numbers of single precision" "$matmul" --quiet --files small.mtx,small.mtx --precision float --verify
printf '%%%%MatrixMarket matrix array real general\n2 2\n1e200\n1\n1e200\n1\n' > large.mtx
fails 1 'the product: 2 values are infinite or not a number, the first at \(0, 0' "a product that overflows" "$matmul" --files large.mtx,large.mtx,strange.csv
[ ! -e strange.csv ]; ok $? "... is not written"
printf '%%%%MatrixMarket matrix coordinate real general\n2000 1 1\n1 1 1e200\n' > tall.mtx
printf '%%%%MatrixMarket matrix array real general\n1 1\n1e200\n' > one.mtx
fails 1 "FAILED: Freivalds' test gives -?nan .must be < 1.$" "a product that fails the only test for its size" "$matmul" --files tall.mtx,one.mtx --verify
succeeds "the provenance of a product" "$matmul" --quiet --size 9 --seed 5 --output from.json --output from.h5
"$matmul" --show from.json | sort > facts; "$matmul" --show from.h5 | sort > other; diff facts other > /dev/null && grep -Eqx 'seed +5' facts && grep -Eqx 'a +random' facts
ok $? "... is in the written file: $(grep '^blas' facts)"
fails 1 'No such file' "an output in a missing folder" "$matmul" --size 10 --output nowhere/c.npy
done_testing
