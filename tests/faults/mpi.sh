#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# MPI calls of hetgrid and of StarPU-MPI fail on one of two ranks (tests/faults/mpi.c): the ranks end with status 1 and
# a message, files stay whole, and the next run removes temporary files. tests/faults/attack.sh explains how calls are
# chosen.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
take_own_library
[ -n "${MPIEXEC:-}" ] || { skip "no mpirun"; done_testing; }
preload=$PWD/tests/faults/.libs/mpi.so
HETGRID_FAULTS_CALLS=${HETGRID_FAULTS_CALLS:-1}
. "$here/tests/faults/attack.sh"
if [ ! -e "$preload" ] || nm -D "$(program hetgrid-heat)" 2> /dev/null | grep -q __asan_init; then skip "nothing to preload here"; done_testing; fi

cat > "$work/rank" << 'END'
#!/bin/sh
# rank RANK COMMAND...: that rank's calls fail
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}}" != "$1" ] || export LD_PRELOAD="$HG_PRELOAD"
shift
export STARPU_NCPU=1
exec "$@"
END
chmod +x "$work/rank"
two() { timeout 120 "$ranks" 2 "$@"; } # two COMMAND...: a run
faulty() { # faulty KIND CALL two COMMAND...; a kind is hetgrid or starpu, and the rank
  rm -f "$work/count"
  HG_FAULT=${1%.*} HG_FAULT_AT=$2 HG_FAULT_COUNT=$work/count HG_PRELOAD=$preload \
    two "$work/rank" "${1#*.}" "${@:4}" > "$work/out" 2> "$work/err"
  local status=$?
  [ "$2" = 0 ] || [ $status != 1 ] || grep -Eq '^hetgrid[-a-z]*: (error: rank [01]: MPI: |MPI cannot be started)' "$work/err" ||
    { echo "none of our lines" >> "$work/err"; return 99; }
  return $status
}
# a killed rank cannot clean up; the next run does
left() {
  ls | grep -q '\.part' || return 0
  "$@" > /dev/null 2>&1
  ls | grep '\.part'
}
before() { local file; for file in "$@"; do echo "old $file" > "$work/old/$file"; done; }
OWN="hetgrid.0 hetgrid.1" ALL="hetgrid.0 hetgrid.1 starpu.0 starpu.1"

before a.npy a.csv
attack heat "$ALL" two "$(program hetgrid-heat)" --quiet --size 24,20 --init random --steps 6 --checkpoint state.h5 \
  --checkpoint-every 3 --output a.npy --output a.csv
before x.npy lu.h5
attack elimination "$ALL" two "$(program hetgrid-elimination)" --quiet --matrix uniform:40 --nb 8 --output x.npy --factors lu.h5
before c.npy
attack matmul "$OWN" two "$(program hetgrid-matmul)" --quiet --size 20,30,40 --model even --output c.npy
if [ -n "${HETGRID_FAULTS:-}" ]; then
  before c.npy
  attack "matmul by rectangles" "$ALL" two "$(program hetgrid-matmul)" --quiet --size 20,30,40 --layout rectangles --output c.npy
  before a.csv
  attack jacobi "$ALL" two "$(program hetgrid-jacobi)" --quiet --size 20,20 --max-sweeps 20 --output a.csv
  before a.npy
  attack adr "$ALL" two "$(program hetgrid-adr)" --quiet --size 7 --steps 2 --output a.npy
  before prices.csv
  attack pricer "$ALL" two "$(program hetgrid-pricer)" --quiet --paths 5000 --output prices.csv
  if [ -x "$(program hetgrid-fft)" ]; then
    before there.npy
    attack fft "$OWN" two "$(program hetgrid-fft)" --quiet --planner estimate --passes 2 --batch 6 --size 6,5 --output there.npy
  fi
fi
# a program that uses MPI_ERRORS_RETURN for its own communicators: errors of the job's still end it
embedded=$(program tests/mpi/embedded)
[ -x "$build/tests/mpi/.libs/embedded" ] && embedded=$build/tests/mpi/.libs/embedded
faulty hetgrid.0 0 two "$embedded" errors; count=$(cat "$work/count")
for at in $((count / 2)) $((count * 3 / 4)); do
  status=0; faulty hetgrid.0 $at two "$embedded" errors || status=$?
  [ $status = 1 ]; ok $? "a job with MPI_ERRORS_RETURN, call $at of $count: $(grep -m 1 '^hetgrid' "$work/err") (status $status)"
done
measured=yes
sane() { [ "$(wc -l < "$1")" = "$(wc -l < "$work/new/$1")" ]; }
before a.csv
attack "jacobi without waiting" "$OWN" two "$(program hetgrid-jacobi)" --quiet --size 20,20 --problem poisson --error 1e-2 \
  --mode async --output a.csv
if [ -n "${HETGRID_FAULTS:-}" ]; then
  printf 'step,time,sweeps,residual\n1,.1,3,1e-9\n' > "$work/old/a.csv"
  attack "adr without waiting" "$OWN" two "$(program hetgrid-adr)" --quiet --size 7 --steps 2 --mode async --history a.csv
  before network.json
  attack network "$OWN" two "$(program hetgrid-network)" --quiet --quick --budget 1 --max-bytes 64 --oversubscribed --output network.json
fi
done_testing
