#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Updates have the same bits for all compilers, processors and divisions of the grid: compilers do not contract a
# product and a sum to a fused multiply-add.
. "${srcdir:-.}/tests/tap.sh"
include=$PWD/include libraries=$PWD/.libs
[ -f "$include/hetgrid/app.h" ] && [ -f "$libraries/libhetgrid.so" ] || { skip "no library to link"; done_testing; }
! nm -D "$libraries/libhetgrid.so" | grep -Eq '__(a|t|ub)san_' || { skip "a library with sanitizers"; done_testing; }
cd "$work" || exit 99
cat > app.c <<'END'
#define HG_VALUE double
#define HG_DIMS 2
#define HG_RADIUS 1
#include <hetgrid/app.h>
HG_UPDATE(average)
{
  return (hg_at(u, -1, 0) * .3 + hg_at(u, 1, 0) * .1 + hg_at(u, 0, -1) * .27 + hg_at(u, 0, 1) * .33) / 1.0001 + hg_at(u, 1, 1) * 1e-7;
}
int main(int argc, char **argv)
{
  hg_job job = {};
  job.update = &average;
  job.input = "random";
  return hg_main(argc, argv, &job);
}
END
build() { # build COMMAND...
  # shellcheck disable=SC2068
  $@ -I"$include" app.c -x none -L"$libraries" -lhetgrid -Wl,-rpath,"$libraries" -o app 2> err
}
for compiler in "gcc -O3" "gcc -O3 -march=native" "gcc -O2 -march=native -std=c99 -D_GNU_SOURCE" "g++ -x c++ -O3 -march=native" \
  "g++ -x c++ -O3 -march=native -std=c++20" "clang -O3 -march=native" "clang -O3 -fassociative-math -fno-signed-zeros -fno-trapping-math" \
  "clang++ -x c++ -O3 -march=native"; do
  [ -n "$(type -P "${compiler%% *}")" ] || { skip "no ${compiler%% *}"; continue; }
  build "$compiler"; ok $? "$compiler compiles an update $(grep -m 1 error err)"
  for how in "" "--block 1" "--block 7 --tile 33,17" "--tile 5,300 --block 3"; do
    # shellcheck disable=SC2086
    ./app --size 203,97 --steps 30 $how --quiet --output got.npy
    [ -f first.npy ] || mv got.npy first.npy
    [ ! -f got.npy ] || same first.npy got.npy "... ${how:-with default flags}"
    rm -f got.npy
  done
done
x87=()
[ "$(uname -m)" != x86_64 ] || x87=("gcc -O3 -mfpmath=387")
for compiler in "gcc -O3 -ffast-math" "g++ -x c++ -O3 -Ofast" "clang -O3 -ffast-math" "gcc -O3 -ffast-math -fno-finite-math-only" "g++ -x c++ -freciprocal-math" \
  "${x87[@]}"; do
  [ -n "$(type -P "${compiler%% *}")" ] || { skip "no ${compiler%% *}"; continue; }
  ! build "$compiler" && grep -q 'define HG_FAST_MATH' err; ok $? "$compiler is refused: $(grep -m 1 -o 'with -.*' err)"
  build "$compiler -DHG_FAST_MATH"; ok $? "... unless the program allows it"
done
done_testing
