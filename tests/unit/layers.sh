#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The rules of the house, read from the files themselves: a file includes only its own or a lower layer; starpu.h, mpi.h
# and CUDA only where they belong; a licence line everywhere.
. "${srcdir:-.}/tests/tap.sh"
cd "${srcdir:-.}" || exit 99
# folders of the same height know nothing of each other
declare -A layer=([base]=0 [input]=1 [traces]=1 [model]=2 [energy]=3 [partition]=3 [placement]=4 [codelets]=5 [schedulers]=6 [graph]=7
  [result]=8 [job]=9 [pricing]=9 [elimination]=10 [matmul]=10 [adr]=10 [program]=11 [apps]=12)

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

out=$(grep -lE '#include "hetgrid\.h"' -r src codelets schedulers traces | tr '\n' ' ')
[ -z "$out" ]; ok $? "the library does not include what includes all of it $out"
out=$(grep -l '#include "tests/' -r src codelets schedulers traces apps | tr '\n' ' ')
[ -z "$out" ]; ok $? "no file of the product includes one of the tests $out"

out=""
for folder in apps/*/; do
  case $folder in apps/examples/ | apps/platforms/ | apps/template/ | apps/energy/ | apps/network/) continue;; esac
  grep -q '#include "graph/mpi_nap.h"' "$folder"*.c || out="$out $folder"
done
[ -z "$out" ]; ok $? "the progress threads of all programs with ranks may nap$out"

only_in() { # only_in HEADER ALLOWED-PATTERN
  local out
  out=$(grep -lE "#include [<\"]$1" -r src codelets apps tests bench 2>/dev/null | grep -vE "$2" | tr '\n' ' ')
  [ -z "$out" ]; ok $? "$1 only where it belongs $out"
}
only_in 'starpu.*\.h' '^(src/graph|src/elimination|src/matmul|src/adr|codelets/.*_codelet\.[ch]|schedulers|tests|bench)/?'
only_in 'mpi\.h' '^(src/graph|src/elimination|src/matmul|src/result|bench|tests/delay|tests/faults|tests/mpi|tests/sim)/'
only_in 'cuda' '^codelets/(cuda|lu_cuda)\.h$|^codelets/[a-z]*_cuda\.cu$|^codelets/lu_cuda_codelet\.c$|^src/job/app_cuda\.h$|^tests/gpu/|^bench/node/'
only_in 'omp\.h' '^bench/'

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
