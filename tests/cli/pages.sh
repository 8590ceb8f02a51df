#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The documentation works: every command of every ```sh block runs as written, in the page's order, with the installed
# programs. Other blocks (```text) are for machines that a test does not have. tests/unit/style.sh checks the text.
. "${srcdir:-.}/tests/tap.sh"
build=$PWD
top=$(cd "${srcdir:-.}" && pwd)
here=$work/_install
MAKEFLAGS= make -C "$build" install prefix="$here" > "$work/install.log" 2>&1
ok $? "it can be installed ($(tail -n 1 "$work/install.log" | cut -c1-80))"
mkdir -p "$here/libexec/hetgrid" # as make simulation installs them
for program in "$build"/hetgrid-*-sim; do [ ! -x "$program" ] || ln -sf "$(realpath "$program")" "$here/libexec/hetgrid/$(basename "$program")"; done
sed -i "s|^prefix=.*|prefix=$here|" "$here/lib/pkgconfig/hetgrid.pc"
starpu=$(sed -n 's/^PKG_CONFIG_PATH = //p' "$build/Makefile")
export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PKG_CONFIG_PATH=$here/lib/pkgconfig${starpu:+:$starpu}
mkdir "$work/shims" "$work/_deps"
ln -s "$(pkg-config --variable=prefix starpu-1.4)" "$work/_deps/starpu" # where ./quickstart puts it
printf '#!/bin/sh\nunset STARPU_NCPU\nexec %s --oversubscribe "$@"\n' "$MPIEXEC" > "$work/shims/mpirun"
chmod +x "$work"/shims/*
export PATH=$work/shims:$here/bin:$PATH
cd "$work" || exit 99
pages=()
for page in "$top"/README.md "$top"/docs/*.md "$top"/traces/README.md; do # HETGRID_PAGES: pattern of the pages to run
  [[ ${page#"$top"/} =~ ${HETGRID_PAGES:-.} ]] && pages+=("${page#"$top"/}")
done

# --- files that the pages assume
{ echo '%%MatrixMarket matrix array real general'; echo 40 40
  awk 'BEGIN { for (j = 1; j <= 40; j++) for (i = 1; i <= 40; i++) print i == j ? 41 : 1 / (i + j) }'; } > a.mtx
hetgrid-heat --size 1,40 --steps 0 --init 3 --quiet --output b.npy
for table in gpu=1e10 core=1e9; do
  awk -v speed="${table#*=}" 'BEGIN { for (n = 1000; n <= 1e8; n *= 10) print n ",1000," n / speed + 1e-5 }' \
    > "${table%=*}.csv"
done
printf 'type,S,K,T,r,q,sigma\ncall,100,100,1,.05,0,.2\nput,95,100,.5,.05,0,.3\n' > book.csv
mkdir -p docs/energy && cp "$top/docs/energy/contexts.json" docs/energy
cp "$top/apps/template/forest.c" .
printf 'Job_Size = 60,50\nsteps = 5\n' > forest.job
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/README.md" > average.c
awk '/^```json$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/docs/ADR.md" > plume.json
awk '/^```python$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/docs/PYTHON.md" > first.py

# --- programs
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/docs/EMBEDDING.md" > own_loop.c
sed 1d "$top/apps/examples/own_loop.c" | diff - own_loop.c > differ; ok $? "docs/EMBEDDING.md has the unchanged example $(head -n 3 differ | tr '\n' ' ')"
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/docs/STARPU.md" > tiles.c

# --- commands
commands() { awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on && NF' "$1" | sed 's/  *# .*//' | grep -v '^./quickstart'; } # PAGE
needs_more() { # COMMAND: prints what it needs and this machine lacks
  case $1 in
    python3*) python3 -c 'import numpy' 2> /dev/null || echo "no NumPy" ;;
    hetgrid-fft*) [ -x "$here/bin/hetgrid-fft" ] || echo "no FFTW" ;;
    *terrain.sh) "$here/bin/hetgrid-heat" --quiet --size 4,4 --steps 0 --output small.tif 2> /dev/null || echo "no libtiff" ;;&
    *jacksboro* | *'$TERRAIN'* | *terrain.sh) [ -f /usr/share/matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz ] || echo "no terrain" ;;
    starpu_fxt_tool* | *under-hetgrid*) [ -x _deps/starpu/bin/starpu_fxt_tool ] && [ -f a_0 ] || echo "no FxT" ;;
    *--cooperative* | *"--mode "* | *--show* | *--predict-only*) ;;
    hetgrid-simulate*) [ -x "$here/libexec/hetgrid/hetgrid-heat-sim" ] || echo "no programs in virtual time" ;;
  esac
}
for page in "${pages[@]}"; do
  exported=:
  while IFS= read -r line; do
    reason=$(needs_more "$line")
    if [ -n "$reason" ]; then skip "$page: $line ($reason)"
    elif [[ $line == export* ]]; then exported="$exported; $line"
    else succeeds "$page: $line" bash -c "$exported; $line" < /dev/null # mpirun would read the commands that follow
    fi
  done < <(commands "$top/$page")
done

# --- docs/OPTIONS.md names the programs' options
for program in "$here"/bin/hetgrid-*; do "$program" --help; done > helps
unknown=$(grep -oE -- '--[a-z][a-z-]+' "$top/docs/OPTIONS.md" | sort -u | grep -vxF -f <(grep -oE -- '--[a-z][a-z-]+' helps | sort -u) | paste -sd' ')
[ -z "$unknown" ]; ok $? "every option of docs/OPTIONS.md is in a help $unknown"

# --- layout of the programs' help
for program in "$here"/bin/hetgrid-*; do
  bent=$("$program" --help | grep -E '^ {30,}--|^[^ ].{80,}' | head -n 1)
  [ -z "$bent" ]; ok $? "$(basename "$program") --help keeps its columns $bent"
done

# --- old option names still work, but are not in the help: a wrong value gives the same message as with the new name
names_of_before="heat init input
heat block time-block
jacobi steps max-sweeps
jacobi inner inner-sweeps
jacobi input problem
adr inner inner-solver
adr input problem
pricer input portfolio
pricer tolerance std-error
elimination grid ranks
elimination input matrix
matmul input files
fft repeat passes
plan grid size
plan energy platform
energy by objective
network bound max-error
network size sides
network repeat passes
simulate block time-block
simulate stop tolerance
calibrate block time-block"
while read -r name old new; do
  program=$here/bin/hetgrid-$name
  [ -x "$program" ] || { skip "no hetgrid-$name"; continue; }
  for option in $old $new; do
    timeout $hang "$program" --$option=no/such.value 2>&1 | sed "s/--$option/--$new/g" > "$work/$option.said"
    [ "${PIPESTATUS[0]}" -ne 0 ] || echo "it was taken" > "$work/$option.said"
  done
  cmp -s "$work/$old.said" "$work/$new.said" && grep -q "^hetgrid-$name: " "$work/$old.said"
  ok $? "hetgrid-$name --$old is --$new ($(head -n 1 "$work/$old.said" | cut -c1-100))"
done <<< "$names_of_before"
done_testing
