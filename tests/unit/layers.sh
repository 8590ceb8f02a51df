#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The project's rules, checked on its files: a file includes only its own or a lower layer; starpu.h, mpi.h and CUDA are
# included only where allowed; every file has a licence line.
. "${srcdir:-.}/tests/tap.sh"
build=$PWD
cd "${srcdir:-.}" || exit 99
# folders of the same layer do not include each other
declare -A layer=([base]=0 [chart]=1 [input]=1 [network]=2 [traces]=2 [partition]=3 [speed]=3 [placement]=4 [platform]=4
  [codelets]=5 [energy]=5 [schedulers]=5 [runtime]=6 [divisible]=7 [exchange]=7 [graph]=8 [async]=9 [division]=9 [result]=9
  [adr]=10 [elimination]=10 [matmul]=10 [options]=10 [pricing]=10 [job]=11 [program]=12 [apps]=13)

folder_of() { case $1 in src/*/*) f=${1#src/}; echo "${f%%/*}";; src/*) ;; *) echo "${1%%/*}";; esac; }

bad=""
for file in $(find src codelets schedulers traces apps -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' | sort); do
  here=$(folder_of "$file")
  [ -n "$here" ] || continue
  for included in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$file"); do
    [ -n "${layer[$included]:-}" ] || continue
    [ "$included" = "$here" ] || [ "${layer[$included]}" -lt "${layer[$here]}" ] || bad="$bad $file->$included"
  done
done
[ -z "$bad" ]; ok $? "a file includes only its own or a lower layer$bad"

# A header and the .c of its name count as one.
includes() {
  local file pair
  for file in $(find src codelets schedulers traces apps -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh'); do
    pair=${file%.*}
    sed -n 's/^#include "\(.*\)\.[a-z]*".*/\1/p' "$file" | sed "s|^|${pair#src/} |"
  done | awk '$1 != $2'
}
circle=$(includes | tsort 2>&1 > "$work/order" | tr '\n' ' ')
[ -z "$circle" ]; ok $? "files do not include each other in a circle $circle"

# Cyclic calls between files, which includes cannot show. One folder has such a cycle inside: the partitioners, whose
# table has `auto`, which calls all of them.
objects() { # of present sources only: a build folder keeps object files of renamed ones
  find "$build"/src "$build"/codelets "$build"/schedulers "$build"/traces -path '*/.libs/*' -name '*parts_la-*.o' |
    while read -r object; do
      source=$(sed "s|^$build/||; s|\.libs/libhetgrid_parts_la-||; s|\.o$||" <<< "$object")
      [ ! -e "$source.c" ] || echo "$object"
    done
}
calls() {
  objects | tr '\n' '\0' | xargs -0 nm -A | sed "s|^$build/||; s|\.libs/libhetgrid_parts_la-||" | awk '
      { file = $1; sub(/\.o:.*/, "", file); type = $(NF - 1) }
      type ~ /^[TDRBVW]$/ { home[$NF] = file }
      type == "U" { n++; user[n] = file; wanted[n] = $NF }
      END { for (i = 1; i <= n; i++) if (wanted[i] in home && home[wanted[i]] != user[i]) print user[i], home[wanted[i]] }' |
    grep -vE '^src/partition/.* src/partition/' | sort -u
}
circle=$(calls | tsort 2>&1 > "$work/order" | tr '\n' ' ')
[ -s "$work/order" ] && [ -z "$circle" ]; ok $? "files do not call each other in a circle $circle"

crowded=$(find src codelets schedulers traces apps -type f -printf '%h\n' | sort | uniq -c | awk '$1 > 48 {print $2 ": " $1}')
[ -z "$crowded" ]; ok $? "no folder has more than 48 files $crowded"
loose=$(find apps -maxdepth 1 -type f ! -name local.mk)
[ -z "$loose" ]; ok $? "every program is a folder $loose"

out=$(grep -lE '#include "hetgrid\.h"' -r src codelets schedulers traces | tr '\n' ' ')
[ -z "$out" ]; ok $? "the library does not include what includes all of it $out"
out=$(grep -l '#include "tests/' -r src codelets schedulers traces apps | tr '\n' ' ')
[ -z "$out" ]; ok $? "no file of the product includes one of the tests $out"

out=""
for folder in apps/*/; do
  case $folder in apps/examples/ | apps/platforms/ | apps/template/ | apps/energy/ | apps/network/ | \
    apps/calibrate/ | apps/plan/ | apps/programs/ | apps/reproduce/ | apps/simulate/ | apps/trace/) continue;; esac
  grep -q '^HG_MPI_TEST_BACKOFF' "$folder"*.c || out="$out $folder"
done
[ -z "$out" ]; ok $? "the progress threads of all programs with ranks may back off$out"

out=$(grep -ln 'STARPU_ASSERT' -r src codelets schedulers traces apps | tr '\n' ' ')
[ -z "$out" ]; ok $? "no STARPU_ASSERT, whose condition a StarPU with --enable-fast does not evaluate $out"

only_in() { # only_in HEADER ALLOWED-PATTERN
  local out
  out=$(grep -lE "#include [<\"]$1" -r src codelets apps tests bench 2>/dev/null | grep -vE "$2" | tr '\n' ' ')
  [ -z "$out" ]; ok $? "$1 only where allowed $out"
}
only_in 'starpu.*\.h' '^(src/(runtime|exchange|graph|async|divisible|elimination|matmul|adr)|codelets/.*_codelet\.[ch]|schedulers|tests|bench)/?'
only_in 'mpi\.h' '^(src/(runtime|exchange|graph|async|divisible|elimination|matmul|result)|bench|tests/delay|tests/faults|tests/mpi|tests/sim)/'
only_in 'cuda' '^codelets/(cuda|lu/lu_cuda)\.h$|^codelets/([a-z]*/)?[a-z_]*_cuda\.cu$|^codelets/lu/lu_cuda_codelet\.c$|^src/job/app_cuda\.h$|^tests/gpu/|^bench/node/'
only_in 'omp\.h' '^bench/'

# what nvcc compiles is no business of automake's
if [ -e "$build/codelets/adr/adr_cuda.lo" ]; then
  header=$(sed -n 's/^srcdir = //p' "$build/Makefile")/codelets/adr/adr_krylov.h
  MAKEFLAGS= make -C "$build" -n -W "${header#./}" codelets/adr/adr_cuda.lo | grep -q adr_cuda.cu
  ok $? "a kernel for GPUs is compiled again where a header changes that one of its headers includes"
else
  skip "no CUDA"
fi

missing=$(find src codelets apps schedulers tests bench scripts traces m4 \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cc' -o -name '*.sh' -o -name 'local.mk' -o -name 'hetgrid.m4' \) -print0 |
  xargs -0 grep -L 'SPDX-License-Identifier: MIT' | tr '\n' ' ')
[ -z "$missing" ]; ok $? "every source file names its licence $missing"

bare=""
for file in $(find src codelets apps schedulers traces -name '*.c'); do
  [ -f "${file%.c}.h" ] || sed -n '2{/^\/\*/p}' "$file" | grep -q . || bare="$bare $file"
done
[ -z "$bare" ]; ok $? "every .c or its .h begins with what it is for$bare"

long=$(find src codelets apps schedulers tests bench \( -name '*.c' -o -name '*.cu' \) -exec wc -l {} + | awk '$2 != "total" && $1 > 600 { print $2 }' | tr '\n' ' ')
[ -z "$long" ]; ok $? "no source file is longer than 600 lines $long"
done_testing
