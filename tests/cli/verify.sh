#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks of results find wrong ones: one value is changed (tests/faults/wrong.c, tests/blas/wrapped.c). The run ends
# with status 1 and a message, and leaves the old output unchanged.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
take_own_library
preload=$build/tests/faults/.libs/wrong.so
heat=$(program hetgrid-heat)
if [ ! -e "$preload" ] || nm -D "$heat" 2> /dev/null | grep -q __asan_init; then skip "nothing to preload here"; done_testing; fi
cd "$work" || exit 99

column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' out; }
spoilt() { # spoilt PATTERN ERROR OUTPUT PROGRAM ARGUMENT...: passes its check without the error, fails it with it
  local pattern=$1 error=$2 output=$3; shift 3
  succeeds "$*" env LD_PRELOAD="$preload" "$@" --quiet --output "$output"
  echo kept > "$output"
  fails 1 "$pattern" "... with a value wrong by $error" env HG_WRONG="$error" LD_PRELOAD="$preload" "$@" --quiet --output "$output"
  [ "$(cat "$output")" = kept ]; ok $? "... and the old output stays"
}

name() { program "hetgrid-$1"; }
set -- --size 30,20 --steps 7 --verify
spoilt 'first \(0, 10, 0\)' 1e-12 a.npy "$heat" "$@"
spoilt 'first \(0, 10, 0\)' 1 a.npy "$heat" "$@" --precision float
spoilt 'first .*nan instead of' nan a.npy "$heat" "$@"
spoilt 'first \(7, 7, 0\)' 1e-12 a.npy "$(name jacobi)" --size 15,15 --max-sweeps 9 --verify
spoilt 'a sweep changes the result' 1e-12 a.npy "$(name jacobi)" --size 15,15 --tolerance 1e-3 --mode async --verify
spoilt 'differs from the serial solution by' 1 a.npy "$(name adr)" --size 6,6,6 --steps 2 --verify
spoilt 'the residual is' 1 a.npy "$(name adr)" --size 6,6,6 --steps 2 --mode async --verify
spoilt 'c2 is -*nan at node' nan a.npy "$(name adr)" --size 6,6,6 --steps 2
spoilt 'verify: .*: the relative error is' 1e-3 a.npy "$(name fft)" --size 16,16 --batch 4 --verify
spoilt 'FAILED: contract 1 is worth' 1 a.csv "$(name pricer)" --paths 1e5
spoilt 'FAILED: contract 1 is worth -*nan' nan a.csv "$(name pricer)" --paths 1e5
spoilt 'FAILED: contract 1 is worth -*nan' nan a.csv "$(name pricer)" --paths 1e5 --option asian-put

# status in CSV rows
for run in "adr --size 6,6,6 --steps 2:not finite" "pricer --paths 1e5:FAILED" "pricer --paths 1e5 --option asian-call:FAILED"; do
  # shellcheck disable=SC2046,SC2086
  env HG_WRONG=nan LD_PRELOAD="$preload" $(name ${run%:*}) --csv > out 2> err; status=$?
  [ $status = 1 ] && [ "$(column status)" = "${run#*:}" ]; ok $? "the row of hetgrid-${run%% *} says $(column status) (status $status)"
done

# a product of matrices
matmul=$(name matmul) elimination=$(name elimination)
export HETGRID_BLAS=$build/tests/blas/.libs/wrapped.so
for run in "$matmul --size 60 --verify" "$matmul --size 60 --verify --precision float" "$matmul --size 2100,70,50 --verify" \
  "$elimination --matrix uniform:90 --nb 16" "$elimination --matrix uniform:90 --nb 16 --pivoting tournament"; do
  # shellcheck disable=SC2086
  {
  succeeds "${run##*/}" $run --quiet --output a.npy
  echo kept > a.npy
  HG_BLAS_WRONG=1 fails 1 'FAILED' "... with a wrong product of tiles" $run --quiet --output a.npy
  [ "$(cat a.npy)" = kept ]; ok $? "... and the old output stays"
  HG_BLAS_WRONG=1 $run --csv > out 2> err; status=$?
  [ $status = 1 ] && [ "$(column status)" = FAILED ]; ok $? "... as the row says: $(column status) (status $status)"
  }
done
done_testing
