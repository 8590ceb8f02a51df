#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-fft: golden cases of streams and shares, transforms of all kinds and sizes against known properties, the same
# bits on 1 and 2 workers and 1 to 4 ranks, files, kept models, a slow worker, wrong input.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
fft=${HETGRID_FFT:-$PWD/hetgrid-fft} drag=$PWD/tests/drag/.libs/drag.so
[ -x "$fft" ] || { skip "built without FFTW"; done_testing; }
"$fft" --golden "$here/tests/golden/stream.json" > "$work/tap"; status=$?
all=$(tail -n 1 "$work/tap" | cut -d. -f3) bad=$(grep '^not ok' "$work/tap" | head -n 3 | tr '\n' ' ')
ok $status "golden stream: $(grep -c '^ok' "$work/tap") of $all cases hold $bad"
! grep -q SKIP "$work/tap"; ok $? "and none is skipped"
cd "$work" || exit 99
check() { succeeds "fft $*" "$fft" --quiet --planner estimate --passes 2 --verify "$@"; }
column() { # column FILE ROW NAME
  awk -F, -v n="$2" -v c="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) k = i } NR == n + 1 { print $k }' "$1"
}

for n in $(seq 1 3 64); do
  timeout $hang "$fft" --quiet --planner estimate --passes 1 --verify --batch 3 --size "$n,$((65 - n))" 2>> said ||
    failed="${failed:-} $n"
done
[ -z "${failed:-}" ]; ok $? "planes of 1 x 64, 4 x 61 .. 64 x 1${failed:+: not$failed ($(tail -n 1 said))}"
for way in "" --inverse; do
  for kind in "" --real; do
    for precision in double float; do
      check $way $kind --precision $precision --batch 5 --size 101,97
      check $way $kind --precision $precision --size 17,13,31
      check $way $kind --precision $precision --size 16,32,64
    done
  done
done
check --batch 1 --size 1,1
check --size 1,1,1
check --size 37,1,2 --real
check --batch 2 --size 1024,1024
succeeds "measured plans" "$fft" --quiet --verify --batch 16 --size 64,64 --wisdom plans --output raced.npy
grep -q fftw plans; ok $? "... are kept"
succeeds "... and used" "$fft" --quiet --verify --batch 16 --size 64,64 --wisdom plans --output known.npy
same raced.npy known.npy "... the fastest plan is the one that is kept"

# bits
same_bits() { # same_bits NAME RANKS OPTION..
  local name=$1 most=$2; shift 2
  STARPU_NCPU=2 "$fft" --quiet --planner estimate --passes 3 "$@" --output two.npy; ok $? "$name on two workers"
  STARPU_NCPU=1 "$fft" --quiet --planner estimate --passes 1 "$@" --output one.npy && cmp -s one.npy two.npy
  ok $? "... has the bits of one"
  [ -n "${MPIEXEC:-}" ] || return
  for n in $(seq 2 "$most"); do
    rm -f many.npy
    $ranks $n "$fft" --quiet --planner estimate --passes 3 --verify "$@" --output many.npy 2> said &&
      cmp -s one.npy many.npy
    ok $? "... and on $n ranks $(tail -n 1 said)"
  done
}
same_bits "a batch" 4 --batch 21 --size 24,36
same_bits "a cube" 4 --size 24,36,20
same_bits "a real cube" 3 --size 12,18,21 --real
same_bits "a real inverse cube" 3 --size 12,18,21 --real --inverse
same_bits "fewer planes than workers" 2 --batch 1 --size 40,40
same_bits "fewer rows than ranks" 3 --size 3,2,5 --precision float

# files: forward and backward
python3 - << 'END'
import struct
n = (3, 4, 5)
head = "{'descr': '<c16', 'fortran_order': False, 'shape': (3, 4, 5), }"
head += ' ' * (-(10 + len(head) + 1) % 64) + '\n'
values = [struct.pack('<dd', i * .25, -i) for i in range(60)]
open('in.npy', 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + b''.join(values))
END
succeeds "a cube from a file" "$fft" --quiet --verify --input in.npy --output there.npy
head -c 500 in.npy > half.npy
succeeds "... and back" "$fft" --quiet --verify --inverse --input there.npy --output back.npy
python3 - << 'END'; ok $? "... gives the original values"
import struct
def values(name):
    b = open(name, 'rb').read()
    start = 10 + struct.unpack('<H', b[8:10])[0]
    return struct.unpack('<%dd' % ((len(b) - start) // 8), b[start:])
a, b, t = values('in.npy'), values('back.npy'), values('there.npy')
assert len(a) == len(b) == 120 and max(abs(x - y) for x, y in zip(a, b)) < 1e-13
assert abs(t[0] - sum(a[0::2])) < 1e-11 and abs(t[1] - sum(a[1::2])) < 1e-11
END
succeeds "planes of it" "$fft" --quiet --verify --input in.npy --batch 3
if [ -n "${MPIEXEC:-}" ]; then
  succeeds "... on 3 ranks" $ranks 3 "$fft" --quiet --verify --input in.npy --output parts.npy
  same there.npy parts.npy "... with the same bits"
  fails 1 'half.npy: does not hold 960 bytes' "half a file on 2 ranks" $ranks 2 "$fft" --input half.npy
  slow_rank() { STARPU_PROF_TOOL=$drag HG_DRAG=1.0=5 $ranks 2 env STARPU_NCPU=1 "$fft" --csv --planner estimate "$@"; }
  slow_rank --size 48,64,64 --passes 6 --output slow.npy > slow.csv; ok $? "a cube on ranks, one of them slow"
  STARPU_NCPU=1 "$fft" --quiet --planner estimate --size 48,64,64 --passes 1 --output one.npy
  same one.npy slow.npy "... has the bits of one rank, though its slabs move"
  mkdir elsewhere
  line="\"$fft\" --quiet --planner estimate --passes 1 --size 48,64,64 --output seen.npy"
  succeeds "a rank that does not see the file" $ranks 2 "$each" "$line" "cd elsewhere; $line"
  same one.npy seen.npy "... sends its part"
  if "$fft" --version 2> /dev/null | grep -q . && (ulimit -v 1500000 && "$fft" --version > /dev/null 2>&1); then
    line="$fft --quiet --planner estimate --size 400,400,400"
    fails 1 'rank 1: --size of .* needs' "a rank with less memory says so, and ends all" $ranks 2 "$each" "$line" "ulimit -v 1500000; $line"
  else skip "this build needs more address space (sanitizers)"; fi
fi
printf '1e200,3e200\n-2e200,1e199\n' > large.csv
succeeds "values whose squares no double holds" "$fft" --quiet --planner estimate --verify --input large.csv
# real fields of other formats are read as complex ones with zero imaginary parts
printf '1,2,3,4\n5,6,7,8\n9,1,2,3\n' > f.csv
"$heat" --quiet --steps 0 --input f.csv --output f.npy --output f.h5
"$heat" --quiet --steps 0 --input f.csv --precision float --output single.npy
for kind in "" --real; do
  for file in f.csv f.h5 f.h5:temperature f.npy single.npy; do
    # shellcheck disable=SC2086
    succeeds "the values of $file $kind" "$fft" --quiet --verify $kind --input $file --output spectrum.npy
    [ $file != f.csv ] || cp spectrum.npy first.npy
    same first.npy spectrum.npy "... have the spectrum of f.csv"
  done
done
printf '1,2,3\n' > line.csv
fails 1 'line.csv: has 1 dimension' "one row" "$fft" --input line.csv
fails 2 "'hotspot' is not a file" "a formula" "$fft" --input hotspot
fails 2 'f.h5: a spectrum is complex' "a spectrum of real numbers" "$fft" --real --inverse --input f.h5
fails 1 "f.npy: values are of type '<f8', must be '<c16'" "... in a .npy file" "$fft" --real --inverse --input f.npy
head -c 200 f.npy > short.npy; fails 1 'short.npy: truncated' "half a file of real numbers" "$fft" --input short.npy
fails 2 'in.npy: shape is 3,4,5, must be 3,4,6' "another size than the file's" "$fft" --input in.npy --size 3,4,6
fails 1 "in.npy: values are of type .*must be '<c8'" "another type" "$fft" --input in.npy --precision float
head -c 500 in.npy > short.npy; fails 1 'short.npy: does not hold 960 bytes' "half a file" "$fft" --input short.npy
head -c 20 in.npy > short.npy; fails 1 'short.npy: truncated in the header' "half a header" "$fft" --input short.npy
echo text > text.npy; fails 1 'text.npy: not a .npy file' "a text" "$fft" --input text.npy
mkfifo pipe.npy; fails 1 'pipe.npy: a pipe' "a pipe" "$fft" --input pipe.npy
fails 1 'No such' "no file" "$fft" --input missing.npy
fails 2 "must end in .npy" "an output of another kind" "$fft" --output out.png
fails 2 'size.*must be N2,N3 or N1,N2,N3' "a plane of one extent" "$fft" --size 12
fails 2 'batch: needs --size N2,N3' "a batch of cubes" "$fft" --batch 3 --size 4,4,4
fails 2 'size' "an extent of 0" "$fft" --size 0,4
fails 2 'epsilon' "an invalid epsilon" "$fft" --epsilon 1
fails 2 "strategy: 'fast' is unknown" "an unknown strategy" "$fft" --strategy fast --batch 2 --size 4,4
helps_with_none "$fft" colormap range label pixels
"$fft" --help | grep -q -- '--passes=K, --repeat=K'; ok $? "its help says that --repeat is --passes"
"$fft" --help | grep -A 3 -- '--output' | grep -q '[.]\(h5\|csv\|png\)'; [ $? -eq 1 ]; ok $? "... and only .npy files to write"
fails 2 'planner' "an unknown planner" "$fft" --planner x
fails 1 'size of 1000000 x 8192 x 8192 .*available' "more than the memory" \
  "$fft" --batch 1000000 --size 8192,8192
echo no > bad.wisdom
fails 1 'bad.wisdom: not FFTW wisdom' "invalid wisdom" "$fft" --wisdom bad.wisdom --batch 2 --size 8,8

# reports and models
"$fft" --csv --planner estimate --batch 32 --size 64,64 --passes 4 > passes.csv; ok $? "a row a pass"
columns=app,n1,n2,n3,precision,passes,strategy,ranks,cpu_workers,cuda_workers,pass,jobs_gpu,streams
columns=$columns,n_min,seconds,gflops,imbalance,predicted_s,points,status
[ "$(head -n 1 passes.csv | cut -d, -f1-20)" = $columns ]
ok $? "... with the columns of the documentation"
[ "$(wc -l < passes.csv)" -eq 5 ] && [ "$(column passes.csv 4 pass)" = 4 ]; ok $? "... four of them"
[ "$(column passes.csv 1 predicted_s)" = 0 ] && awk -v s="$(column passes.csv 2 predicted_s)" 'BEGIN { exit !(s > 0) }'
ok $? "the second is predicted ($(column passes.csv 2 predicted_s) s, took $(column passes.csv 2 seconds) s)"
"$fft" --csv --planner estimate --size 32,64,64 --phases=phases.csv > cube.csv; ok $? "phases are written"
phases phases.csv cube.csv 2 "of the last pass"
"$fft" --planner estimate --batch 8 --size 64,64 --phases | grep -q '^phases in seconds'; ok $? "... or printed"
if [ -n "${MPIEXEC:-}" ]; then
  $ranks 2 env STARPU_NCPU=1 "$fft" --csv --planner estimate --size 32,64,64 --phases=phases.csv > cube.csv
  phases phases.csv cube.csv 2 "on two ranks"
  awk -F, 'NR > 1 { n += $5 > 0 } END { exit n != 2 }' phases.csv; ok $? "... which give the time of the exchange of slabs"
fi
[ "$(STARPU_NCUDA=0 "$fft" --csv --workers cpu --planner estimate --batch 4 --size 16,16 | tail -n 1 | cut -d, -f9,10)" = 2,0 ]; ok $? "--workers cpu: its cores alone"
fails 2 'STARPU_NCUDA=1 in the environment asks for others' "--workers against the environment" env STARPU_NCUDA=1 "$fft" --workers cpu
fails 77 'there is no GPU here' "--workers of missing GPUs" "$fft" --workers cpu,cuda
fails 2 "workers: 'gpu' is unknown; known: cpu, cuda" "invalid --workers" "$fft" --workers gpu
succeeds "passes are drawn" "$fft" --quiet --planner estimate --batch 8 --size 64,64 --passes 8 --picture passes.svg
drawn() { python3 -c 'import sys, xml.dom.minidom as m
for f in sys.argv[1:]: assert len(m.parse(f).getElementsByTagName("path")) > 20' "$@"; ok $? "... in $*"; }
drawn passes.svg
succeeds "... of both stages of a cube" "$fft" --quiet --planner estimate --size 16,32,32 --svg cube.svg
drawn cube-fft-planes-32x32.svg cube-fft-columns-16x32.svg
fails 1 'nowhere/a.svg: No such file' "a picture in a missing folder" "$fft" --csv --size 64,64 --picture nowhere/a.svg
[ ! -s "$work/out" ]; ok $? "... is found before the transform"
[ -z "${MPIEXEC:-}" ] || { succeeds "... on two ranks" $ranks 2 "$fft" --quiet --planner estimate --batch 8 --size 64,64 --picture two.svg; drawn two.svg; }
fails 2 "picture.*'passes.npy'" "a picture of another kind" "$fft" --batch 2 --size 4,4 --picture passes.npy
slow() { STARPU_PROF_TOOL=$drag HG_DRAG=1=4 "$fft" --planner estimate --batch 64 --size 128,128 --models slow "$@"; }
slow --csv --passes 8 > slow.csv; ok $? "one worker is four times as slow"
least=$(cat slow/*worker1.csv | grep -v '^#' | head -n 1 | cut -d, -f1)
[ "${least%.*}" -le 24 ]; ok $? "... and gets $least of 64 planes, not 32"
slow --csv --passes 1 > again.csv; ok $? "a second run begins with what the first has learnt"
awk -v p="$(column again.csv 1 predicted_s)" 'BEGIN { exit !(p > 0) }'
ok $? "... its first pass is predicted ($(column again.csv 1 predicted_s) s, took $(column again.csv 1 seconds) s)"
fails 2 'phases: f.npy is a file of --output too' "phases in the result's file" "$fft" --size 4,4 --output f.npy --phases=f.npy
fails 2 'phases.*needs a file' "phases among the rows" "$fft" --size 4,4 --csv --phases
fails 2 'wisdom: f.npy is a file of --output too' "wisdom in the result's file" "$fft" --size 4,4 --batch 3 --output f.npy --wisdom f.npy
if command -v python3 > /dev/null; then
  python3 - <<'END'
import struct
def npy(name, shape, descr, values):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    head += ' ' * (-(len(head) + 11) % 64) + '\n'
    open(name, 'wb').write(b'\x93NUMPY\1\0' + struct.pack('<H', len(head)) + head.encode() + struct.pack('<%dd' % len(values), *values))
npy('nan.npy', (2, 2, 2), '<c16', [1] * 11 + [float('nan')] + [1] * 4)
npy('inf.npy', (2, 2, 2), '<f8', [1] * 6 + [float('inf'), 1])
npy('huge.npy', (2, 2, 2), '<c16', [1.7e308] * 16)
npy('tiny.npy', (60, 50), '<c16', [(i * 7919 % 19 - 9) * 5e-324 for i in range(6000)])
npy('small.npy', (60, 50), '<f8', [(i * 7919 % 19 - 9) * 2**-149 for i in range(3000)])
END
  for way in "" --inverse; do check $way --input tiny.npy --output flat.npy; check $way --batch 1 --input tiny.npy; done
  check --precision float --input small.npy
  grep -aq "'shape': (60, 50)" flat.npy; ok $? "a file of two dimensions has a transform of two ($(head -n 1 flat.npy | grep -ao "'shape': [^)]*"))"
  fails 1 'nan.npy: the value at \(1, 0, 1\) is infinite or not' "a value that is not a number" "$fft" --input nan.npy --planner estimate --output strange.npy
  fails 1 'inf.npy: the value at \(1, 1, 0\) is infinite' "an infinite one of real numbers" "$fft" --real --input inf.npy --planner estimate --output strange.npy
  fails 1 'fft: [0-9]* numbers of the transform are infinite' "a transform that overflows" "$fft" --input huge.npy --planner estimate --output strange.npy
  if [ -n "${MPIEXEC:-}" ]; then
    fails 1 'nan.npy: the value at' "... not a number, on two ranks" "$ranks" 2 "$fft" --input nan.npy --planner estimate --output strange.npy
    fails 1 'fft: [0-9]* numbers of the transform' "... a transform that overflows, on two ranks" "$ranks" 2 "$fft" --input huge.npy --planner estimate --output strange.npy
  fi
  [ ! -e strange.npy ]; ok $? "... none is written"
fi
succeeds "a pass is traced" "$fft" --quiet --batch 16 --size 64,64 --trace=traced
[ -s traced/summary.txt ] && [ -s traced/gantt.svg ]; ok $? "... with summary and chart"
awk -F, '$1 == "kind" && $3 == "flops" { n += $4 } END { w = 16 * 5 * 4096 * 12; exit !(n > .999 * w && n < 1.001 * w) }' traced/summary.csv; ok $? "... the flops of 16 planes of 64 x 64"
grep -q '^title,fft, pass 3, ' traced/run.csv; ok $? "... and what it was ($(head -n 1 traced/run.csv))"
done_testing
