#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs whose threads share values, for scripts/sanitize; without a sanitizer only results are checked.
. "${srcdir:-.}/tests/tap.sh"
build=$PWD
cd "$work" || exit 99
quiet() { # quiet NAME COMMAND...
  succeeds "$1" "$build/${@:2}"
  ! grep -q 'WARNING: ThreadSanitizer' err out; ok $? "... no race $(grep -h -m 1 SUMMARY err out)"
}
quiet "heat with checkpoints, redivided" hetgrid-heat --size 200,160 --steps 40 --block 2 --speeds 10,1 \
  --rebalance 1e-5 --checkpoint state.h5 --checkpoint-every 10 --verify
for sched in hetgrid hetgrid-nphp hetgrid-dfpa hetgrid-rows hetgrid-even; do
  quiet "heat by $sched" hetgrid-heat --size 120,100 --steps 20 --tile 30,30 --sched $sched --verify
  quiet "elimination by $sched" hetgrid-elimination --matrix uniform:150 --nb 32 --sched $sched --verify
done
quiet "relaxation without waiting" hetgrid-jacobi --size 60,50 --problem poisson --error 1e-3 --mode async
quiet "time steps without waiting" hetgrid-adr --size 9 --steps 2 --mode async
quiet "a product of matrices" hetgrid-matmul --size 120 --nb 16 --verify
quiet "prices" hetgrid-pricer --paths 100000
quiet "stored neighbours" apps/examples/random_graph --size 40,30 --steps 9
done_testing
