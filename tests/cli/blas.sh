#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# HETGRID_BLAS: the library that it names computes, is named in reports and tables, runs without threads of its own, and
# is refused if it cannot be used.
. "${srcdir:-.}/tests/tap.sh"
blas=$PWD/tests/blas/.libs matmul=${HETGRID_MATMUL:-$PWD/hetgrid-matmul} calibrate=$PWD/hetgrid-calibrate
export HG_BLAS_COUNTS=$work/counts
cd "$work" || exit 99

calls() { awk -v name="$1" '$1 == name { print $2 }' counts 2> /dev/null; }
wrapped() { rm -f counts; HETGRID_BLAS=$blas/wrapped.so timeout $hang "$@" > out 2> err; } # wrapped COMMAND...
system="$elimination --matrix uniform:300 --nb 50"

# shellcheck disable=SC2086
{
$system > out; grep -Eq '^  BLAS       [^ ]' out; ok $? "a report names the BLAS that is linked:$(sed -n 's/^  BLAS     //p' out)"
linked=$(sed -n 's/^  BLAS  *\([^(]*\).*/\1/p' out)
# compares with OpenBLAS' own choice of kernels, since the program does not choose better ones behind another library
core=$(sed -n 's/^  BLAS  *OpenBLAS .*(\(.*\))$/\1/p' out)
[ -z "$core" ] || export OPENBLAS_CORETYPE=$core
[ ! -e counts ]; ok $? "... and calls no other"
for precision in double float; do
  $system --quiet --precision $precision --output linked.npy
  wrapped $system --precision $precision --verify --output wrapped.npy; ok $? "$precision: another library"
  p=${precision:0:1}; p=${p/f/s}
  [ "$(calls "${p}gemm_")" -gt 10 ] && [ "$(calls "${p}getrf_")" = 1 ]; ok $? "... is called ($(calls "${p}gemm_") products, $(calls "${p}getrf_") factorisation that pivots are compared with)"
  same linked.npy wrapped.npy "... and computes the same"
done
grep -Eq '^  BLAS       BLIS 9\.9$' out; ok $? "the report names it:$(sed -n 's/^  BLAS     //p' out)"
[ "$(calls threads)" = 1 ]; ok $? "it was told to use one thread ($(calls threads))"
wrapped $system --csv; head -n 1 out | grep -q ',blas' && tail -n 1 out | grep -q ',BLIS 9.9'; ok $? "so does a row"
wrapped $system --quiet --output x.h5; "$heat" --show x.h5 > shown; grep -q 'BLIS 9.9' shown; ok $? "so does a file"
wrapped "$elimination" --version; grep -q '^BLAS    BLIS 9.9' out; ok $? "so does --version"
wrapped "$matmul" --size 100; grep -q '^  BLAS       BLIS 9.9' out && [ "$(calls dgemm_)" -gt 0 ]; ok $? "so does hetgrid-matmul ($(calls dgemm_) products)"
mkdir tables
wrapped "$calibrate" --app elimination --max-cells 100000 --max-error .5 --output tables; ls tables > list
grep -q '^elimination-BLIS-9.9-double-' list; ok $? "a table of speeds is named after it: $(cat list)"

# BLAS without LAPACK, with OpenMP threads, whose runtime reads the environment when it is loaded
rm -f loads
OMP_NUM_THREADS=7 HG_BLAS_LOADS=$work/loads HETGRID_BLAS=$blas/wrapped_blas.so $system --verify > out; ok $? "a library without LAPACK"
grep -Fq "  BLAS       BLIS 9.9 with LAPACK of $linked" out; ok $? "... leaves LAPACK to the linked one, as the report says:$(sed -n 's/^  BLAS     //p' out)"
[ "$(calls dgemm_)" -gt 10 ]; ok $? "... and multiplies ($(calls dgemm_) products)"
[ "$(xargs < loads)" = "1 1" ]; ok $? "the program starts again with OMP_NUM_THREADS=1 ($(xargs < loads))"
rm -f loads
OMP_NUM_THREADS=1 HG_BLAS_LOADS=$work/loads HETGRID_BLAS=$blas/wrapped_blas.so $system --quiet
[ "$(xargs < loads)" = 1 ]; ok $? "it does not if that is already set ($(xargs < loads))"
HETGRID_BLAS='' $system > out && grep -Fq "  BLAS       $linked" out; ok $? "an empty HETGRID_BLAS counts as unset"

for program in "$system" "$matmul --size 50" "$calibrate --app elimination"; do
  rm -f out.npy
  fails 2 "HETGRID_BLAS: 'libnone.so' cannot be loaded: .*libnone" "no such library" env HETGRID_BLAS=libnone.so $program --output out.npy
  [ ! -e out.npy ]; ok $? "... and nothing is written"
done
fails 2 "HETGRID_BLAS: 'libm.so.6' lacks dgemm_, a routine of BLAS" "no BLAS at all" env HETGRID_BLAS=libm.so.6 $system
fails 2 "product.so' lacks dtrsm_, a routine of BLAS" "a product alone" env HETGRID_BLAS="$blas/product.so" $system
fails 2 "wide.so' counts with 64-bit integers" "integers of 64 bits" env HETGRID_BLAS="$blas/wide.so" $system
fails 2 "linked or preloaded .* 64-bit integers" "64-bit integers, preloaded" env LD_PRELOAD="$blas/wide.so" $system
fails 2 "HETGRID_BLAS: '$work/err' cannot be loaded" "a file that is not a library" env HETGRID_BLAS="$work/err" $system
}

# the reference BLAS, if Debian's package is installed
reference=$(ls /usr/lib/*/blas/libblas.so.3 2> /dev/null | head -n 1)
if [ -n "$reference" ]; then
  HETGRID_BLAS=$reference "$elimination" --matrix uniform:300 --verify > out; ok $? "the reference BLAS solves"
  grep -Eq 'BLAS       libblas\.so\.3[.0-9]* with LAPACK of ' out; ok $? "... and is named after its file:$(sed -n 's/^  BLAS     //p' out)"
else
  skip "the reference BLAS is not installed"
fi
done_testing
