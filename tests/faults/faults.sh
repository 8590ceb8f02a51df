#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Memory, files and the disk fail at every call of short runs (tests/faults/fail.c). A run that cannot continue ends
# with status 1 and a message. The old file stays, or the new one is complete; nothing hangs; no temporary file remains.
# A policy cannot report failure to StarPU: without memory for its queues it aborts with a message.
# tests/faults/attack.sh explains how calls are chosen; for quick programs all calls are tried.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
take_own_library
preload=$PWD/tests/faults/.libs/fail.so 
. "$here/tests/faults/attack.sh"
export STARPU_NCPU=1
heat=$(program hetgrid-heat)
if [ ! -e "$preload" ] || nm -D "$heat" 2> /dev/null | grep -q __asan_init; then skip "nothing to preload here"; done_testing; fi
ALL="memory open write full sync rename link"

faulty() { # faulty KIND CALL COMMAND...
  rm -f "$work/count"
  timeout 120 env HG_FAULT="$1" HG_FAULT_AT="$2" HG_FAULT_FOLDER="$work/run/" HG_FAULT_COUNT="$work/count" \
    LD_PRELOAD="$preload" "${@:3}" > "$work/out" 2> "$work/err"
}
before() { local file; for file in "$@"; do echo "old $file" > "$work/old/$file"; done; } # before FILE...: creates them

before a.npy a.csv a.h5 a.png a.xmf
"$heat" --quiet --size 24,20 --init random --steps 1 --output "$work/old/in.npy"
(cd "$work/old" && "$heat" --quiet --init in.npy --steps 2 --checkpoint state.h5)
cp -r "$work/old" "$work/heat"
attack heat "$ALL" "$heat" --quiet --init in.npy --steps 6 --checkpoint state.h5 --checkpoint-every 3 \
  --output a.npy --output a.csv --output a.h5 --output a.png
cp "$work/heat/"* "$work/old/"
attack "heat from a checkpoint" "$ALL" "$heat" --quiet --init in.npy --steps 6 --restart state.h5 \
  --output a.npy --verify

before x.mtx x.npy lu.h5
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 2\n2 2 3\n3 3 4\n1 3 1\n' > "$work/old/a.mtx"
attack elimination "$ALL" "$(program hetgrid-elimination)" --quiet --matrix a.mtx --output x.mtx --output x.npy --factors lu.h5

before parts.svg
printf '0,0,50,80\n50,0,50,80\n' > "$work/old/parts.csv"
attack plan "$ALL" "$(program hetgrid-plan)" --grid 100,80 --speeds 3,1,2 --halo 4 --svg parts.svg

before lines.svg
. "$here/tests/messages.sh"
file "$(level node 2e-6 1e-9)" "$(level network 20e-6 1e-8)" > "$work/old/hand.json"
attack network "$ALL" "$(program hetgrid-network)" --show --quiet --network hand.json --picture lines.svg

before pair.svg
cat > "$work/old/pair.json" << 'END'
{"error": 0.04, "contexts": [
 {"name": "gpu", "points": [[1, 100], [2, 62], [4, 40]], "mode": "sync", "beta": 0.602, "base": 141.4375,
  "units": [{"count": 1, "full": 87.875}], "switch": 34, "N_max": 64},
 {"name": "cpu", "points": [[1, 160], [2, 84], [4, 44]], "mode": "sync", "beta": 0.749, "base": 141.4375,
  "units": [{"count": 1, "full": 23.9375}], "switch": 34, "N_max": 64}]}
END
attack energy "$ALL" "$(program hetgrid-energy)" --choose pair.json --by energy --nodes 1-4 --picture pair.svg

printf 'device core cpu heat=1e9\nnode core*2\n' > "$work/old/two.platform"
attack simulate "memory open" "$(program hetgrid-simulate)" --platform two.platform --sizes 100,200 --predict-only --csv

"$heat" --quiet --size 60,40 --steps 4 --block 2 --trace="$work/old/trace"
before gantt.svg events.json
CALLS=1000 attack trace "$ALL" "$(program hetgrid-trace)" trace --picture gantt.svg --chrome events.json

# slow programs: one call per kind
CALLS=${HETGRID_FAULTS_CALLS:-1}
before a.csv
attack jacobi "$ALL" "$(program hetgrid-jacobi)" --quiet --size 20,20 --max-sweeps 20 --output a.csv
before a.npy
printf 'step,time,sweeps,residual\n1,.1,3,1e-9\n' > "$work/old/steps.csv"
attack adr "$ALL" "$(program hetgrid-adr)" --quiet --size 7 --steps 2 --output a.npy --history steps.csv --checkpoint state.h5
before c.npy
CALLS=1000 attack matmul "$ALL" "$(program hetgrid-matmul)" --quiet --size 20,30,40 --model even --output c.npy
before prices.csv
printf 'call,100,105,1,.05,0,.2\nasian-put,80,100,2,.01,.03,.4,7\n' > "$work/old/book.csv"
attack pricer "$ALL" "$(program hetgrid-pricer)" --quiet --paths 5000 --portfolio book.csv --output prices.csv
if [ -x "$(program hetgrid-fft)" ]; then
  before there.npy plans
  attack fft "$ALL" "$(program hetgrid-fft)" --quiet --planner estimate --passes 1 --batch 3 --size 6,5 --output there.npy
fi

# results that differ from run to run: files must have the same number of lines; tables
measured=yes
sane() { [ "$(wc -l < "$1")" = "$(wc -l < "$work/new/$1")" ] || [ "$(head -c 1 "$1")" = '#' ]; }
before a.csv phases.csv
attack "jacobi without waiting" "$ALL" "$(program hetgrid-jacobi)" --quiet --size 20,20 --problem poisson --error 1e-2 \
  --mode async --output a.csv --phases=phases.csv
if [ -n "${HETGRID_FAULTS:-}" ]; then
  left() { ls | grep '\.part[0-9a-f]'; } # TABLE.part may stay: it keeps measured points for the next call
  attack calibrate "$ALL" "$(program hetgrid-calibrate)" --app heat --quiet --max-cells 100000 --max-error .9 --budget 1 --output .
fi
done_testing
