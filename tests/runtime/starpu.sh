#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Errors at which StarPU would abort are found before: environment variables, and incomplete files of its models.
. "${srcdir:-.}/tests/tap.sh"
own=$PWD/../_deps/starpu/.complete # exists if quickstart has built StarPU
cd "$work" || exit 99
run=("$heat" --size 50,40 --steps 20 --tile 11,9 --quiet --output a.npy)
variable() { # variable NAME=VALUE [PATTERN]: refused with a message that matches, or accepted if there is no pattern
  if [ $# = 2 ]; then fails 2 "STARPU_${1%%=*}: .*$2" "refused: $1" env "STARPU_$1" "${run[@]}"; else succeeds "taken: $1" env "STARPU_$1" "${run[@]}"; fi
}
for wrong in '' nonsense -1 0-x 1.5 '0 x' 0--1 99999999999; do
  variable "WORKERS_CPUID=$wrong" "must be numbers and ranges"
  variable "WORKERS_COREID=$wrong" "must be numbers and ranges"
done
for right in 0 '0 1' 0,0 0- 0-0 ' 0'; do variable "WORKERS_CPUID=$right"; done
variable WORKERS_CUDAID=0,1 "separated by spaces"
variable WORKERS_CUDAID=0- "separated by spaces"
variable 'WORKERS_CUDAID=0 1'
variable NCPU=-1 "whole number"
variable SCHED_ALPHA=x "must be a finite number"
variable SCHED_GAMMA=nan "must be a finite number"
variable IDLE_POWER=x "must be a finite number"
variable TRACE_BUFFER_SIZE=0 "is not in 1.."
variable TRACE_BUFFER_SIZE=1000000000 "is not in 1.."
variable SIMGRID=x "must be a whole number"
for list in 9999 '0 9999' 0-9999; do
  variable "WORKERS_CPUID=$list" "names hardware thread 9999, this machine has 0 to"
  variable "WORKERS_COREID=$list" "names core 9999, this machine has 0 to"
done
for asked in NCPU=500 NCPUS=500; do
  env -u STARPU_NCPU STARPU_$asked "$heat" --size 10,10 --quiet 2> err; status=$?
  [ $status = 0 ] && [ "$(wc -l < err)" = 1 ] && grep -q "STARPU_$asked: only [0-9]* cores\? \(is\|are\) used" err; ok $? "a message says that STARPU_$asked is not met ($(cat err))"
done
if [ ! -e /dev/nvidia0 ]; then
  STARPU_NCUDA=1 "$heat" --size 10,10 --quiet 2> err; grep -q 'STARPU_NCUDA=1: only 0 GPUs are used' err; ok $? "... as STARPU_NCUDA=1 without a GPU ($(cat err))"
fi
for name in MAIN_THREAD_CPUID MAIN_THREAD_COREID MPI_THREAD_CPUID NTHREADS_PER_CORE NWORKER_PER_CUDA; do variable $name=99999 "is not in [01]\.\."; done
variable NTHREADS_PER_CORE=0 "is not in 1"
variable MAIN_THREAD_CPUID=0
variable NTHREADS_PER_CORE=1

# --- models
succeeds "a run writes its models" "${run[@]}"
cp a.npy first.npy
model=$(find starpu -name 'hetgrid_heat.*' | head -n 1)
[ -s "$model" ]; ok $? "... in $model"
cp "$model" whole
entries() { grep -cE '^[0-9a-f]{8}\s' "$model"; }
all=$(wc -c < whole) before=$(entries) wrong=0 told=0
for ((i = 1; i < 24; i++)); do # as a full disk leaves the file
  head -c $((all * i / 24)) whole > "$model"
  "${run[@]}" > out 2> err || wrong=$((wrong + 1))
  grep -q 'was incomplete and has been removed' err && told=$((told + 1))
  [ "$(entries)" -ge 1 ] || wrong=$((wrong + 1))
done
[ $wrong = 0 ]; ok $? "with truncated models runs succeed and write a whole one: $wrong of 23 did not"
[ $told -ge 22 ]; ok $? "... and say so: $told" # the last lines may be comments
same a.npy first.npy "... with the same result"
: > "$model"
succeeds "an empty file" "${run[@]}"
grep -q incomplete "$work/err"; ok $((! $?)) "... counts as no model"
printf '\0\1\2%0999d' 7 > "$model"
succeeds "something else" "${run[@]}"
cp whole "$model"
"${run[@]}" > out 2> err; ok $? "a whole file is kept"
grep -q incomplete err; ok $((! $?)) "... without a word"
printf x > foreign
cp foreign "$(dirname "$model")/someone_elses.elsewhere"
succeeds "another program's file" "${run[@]}"
[ "$(cat "$(dirname "$model")/someone_elses.elsewhere")" = x ]; ok $? "... stays as it is"

# --- its bus measurements: empty, truncated, other content
cp -r starpu/.starpu/sampling/bus buses
for file in buses/*; do
  name=${file##*/} at=starpu/.starpu/sampling/bus/${file##*/} wrong='' told=0
  all=$(wc -c < "$file")
  for part in 0 1 $((all / 3)) $((all / 2)) $((all - 2)) junk zeros; do
    case $part in
    junk) head -c 3000 "$heat" > "$at" ;;
    zeros) head -c "$all" /dev/zero > "$at" ;;
    *) head -c "$part" "$file" > "$at" ;;
    esac
    "${run[@]}" > out 2> err || wrong="$wrong $part"
    if grep -q "$name was incomplete and has been removed" err; then told=$((told + 1)); fi
    [ "$(wc -l < err)" -le 1 ] && [ "$(wc -l < "$at")" = "$(wc -l < "$file")" ] || wrong="$wrong $part:$(wc -l < err) lines"
  done
  [ -z "$wrong" ]; ok $? "with parts of ${name#*.} runs succeed and write a whole one again:${wrong:- all}"
  [ $told = 7 ]; ok $? "... and say so in one line: $told of 7"
done
"${run[@]}" > out 2> err && [ ! -s err ]; ok $? "whole ones are kept without a message"
same a.npy first.npy "... with the same result"
rm starpu/.starpu/sampling/bus/*.config && mkdir starpu/.starpu/sampling/bus/x.config
fails 1 'x.config: a directory' "a folder in place of a file" "${run[@]}"
rmdir starpu/.starpu/sampling/bus/x.config
succeeds "... is the only error" "${run[@]}"
if mkdir full && mount -t tmpfs -o size=16k none full 2> /dev/null; then
  fails 1 'full.*No space left on device; set STARPU_HOME' "a full home at the first start" env STARPU_HOME=$PWD/full "${run[@]}"
  mount -o remount,size=1m full
  succeeds "... does no harm once there is room" env STARPU_HOME=$PWD/full "${run[@]}"
  umount full
else skip "no separate file system can be mounted"; fi

# a file with models of several cores that now share one model: our build of StarPU does not double it with each run
if [ "$before" -gt 0 ] && [ "$(nproc)" -gt 1 ]; then
  STARPU_NCPU=2 STARPU_PERF_MODEL_HOMOGENEOUS_CPU=0 "${run[@]}" > out 2> err; ok $? "models of each core"
  STARPU_NCPU=2 "${run[@]}" > out 2> err; ok $? "... and of all again"
  once=$(entries)
  for i in 1 2 3; do STARPU_NCPU=2 "${run[@]}" > out 2> err; done
  if [ "$(entries)" -le "$once" ]; then ok 0 "... do not grow with each run ($once, $(entries) entries)"
  elif [ -f "$own" ]; then ok 1 "... grow with each run: $once, $(entries) entries"
  else skip "this StarPU's models grow with each run (scripts/patches/starpu-1.4-model-files.patch)"; fi
else skip "one core"; fi
# --- a small stack
(ulimit -s 64 && exec "$heat" --size 10,10 --quiet) > out 2> err; status=$?
[ $status = 1 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'not enough stack: the limit is 64 kB (ulimit -s), must be >= 512$' err
ok $? "64 kB of stack end with $status: $(tail -n 1 err)"
succeeds "512 kB of stack are enough" bash -c 'ulimit -s 512 && exec "$1" --size 10,10 --quiet --verify --output small.png' bash "$heat"
# --- a limit of the address space, as batch systems set it: success or one line of error; never an abort or a hang
if "$heat" --version 2> /dev/null | grep -q . && (ulimit -v 4000000 && "$heat" --version > /dev/null 2>&1); then
  for program in "$heat --version" "$heat --size 100,100 --steps 3 --quiet" "$heat --size 100,100 --steps 3 --quiet --trace=traced" "$elimination --version" "$elimination --matrix uniform:1500 --quiet"; do
    ends='' wrong=''
    for limit in 100000 190000 220000 240000 400000 600000 1000000 2000000; do
      status=0
      # shellcheck disable=SC2086
      (ulimit -v $limit && exec timeout $hang $program) > out 2> err || status=$?
      [ $status = 0 ] || { [ $status = 1 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'not enough address space\|could not be allocated\|recording needs' err; } || wrong="$wrong $limit"
      ends="$ends $status"
    done
    [ -z "$wrong" ]; ok $? "${program##*/} with 0.1 to 2 GB of address space ends with$ends${wrong:+, wrong with$wrong: $(tail -n 1 err)}"
  done
  # OpenBLAS would reserve address space and start a thread per core when it is loaded
  for program in "$heat" hetgrid-adr hetgrid-calibrate hetgrid-jacobi hetgrid-plan hetgrid-pricer hetgrid-trace; do
    (ulimit -v 100000 && exec timeout $hang "${program/#hetgrid/$build/hetgrid}" --version) > out 2> err; ok $? "$(basename "$program") --version in 100 MB: $(head -n 1 out err | xargs)"
  done
  LD_DEBUG=files "$heat" --size 10,10 --quiet 2>&1 | grep -o 'calling init: .*blas.*' > loaded
  [ ! -s loaded ]; ok $? "a program without linear algebra loads no BLAS $(head -n 1 loaded)"
else skip "this build needs more address space (sanitizers)"; fi
done_testing
