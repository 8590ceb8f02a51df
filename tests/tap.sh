# SPDX-License-Identifier: MIT
# Test Anything Protocol for shell tests; sourced. Automake sets top_builddir and srcdir.
set -u
build=$PWD
heat=${HETGRID_HEAT:-$PWD/hetgrid-heat}
elimination=${HETGRID_ELIMINATION:-$PWD/hetgrid-elimination}
hang=900 # seconds after which a command counts as hanging; a busy machine takes many times as long as an idle one
tap_count=0
tap_failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/hetgrid-test.XXXXXX")
trap 'rm -rf "$work"' EXIT
export STARPU_HOME=$work/starpu HOME=$work
export STARPU_NCPU=${STARPU_NCPU:-2} STARPU_NCUDA=${STARPU_NCUDA:-0}
export SOURCE_DATE_EPOCH=1000000000 # files hold their date of creation; with a fixed date they are reproducible
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:allocator_may_return_null=1} HWLOC_COMPONENTS=${HWLOC_COMPONENTS:--pci}

# as libtool's wrapper script does before it starts a program, which would otherwise load an installed library
take_own_library() { export LD_LIBRARY_PATH=$build/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}; }
# program NAME: the binary behind libtool's wrapper script, if there is one; LD_PRELOAD should affect the program alone
program() { [ "$(head -c 2 "$build/$1")" = '#!' ] && echo "$build/.libs/$1" || echo "$build/$1"; }
ok() { # ok STATUS NAME
  tap_count=$((tap_count + 1))
  if [ "$1" -eq 0 ]; then echo "ok $tap_count - $2"; else echo "not ok $tap_count - $2"; tap_failed=1; fi
}
ended() { # ended STATUS NAME COMMAND...: passes if the command's status is 0; otherwise shows the end of $work/err
  if [ "$1" = 0 ]; then ok 0 "$2"; else ok 1 "$2: '${*:3}' gave $1 ($(tail -n 2 "$work/err" | tr '\n' ' '))"; fi
}
succeeds() { # succeeds NAME COMMAND...
  local code=0
  timeout $hang "${@:2}" > "$work/out" 2> "$work/err" || code=$?
  ended $code "$@"
}
fails() { # fails STATUS PATTERN NAME COMMAND...: expects that exit status and a line on stderr that matches the pattern
  local wanted=$1 pattern=$2 name=$3 status=0; shift 3
  timeout $hang "$@" > "$work/out" 2> "$work/err" || status=$?
  if [ $status -eq "$wanted" ] && grep -Eq -- "$pattern" "$work/err"; then ok 0 "$name ($(head -n 1 "$work/err" | cut -c1-150))"
  else ok 1 "$name: status $status instead of $wanted, or no '$pattern' in: $(head -n 3 "$work/err" | tr '\n' ' ')"; fi
}
helps_with_none() { # helps_with_none PROGRAM OPTION..: the program's --help lists none of the options
  local program=$1 listed; shift
  listed=$("$program" --help | grep -oE -- '--[a-z-]+' | grep -Fxf <(printf -- '--%s\n' "$@") | sort -u | tr '\n' ' ')
  [ -z "$listed" ]; ok $? "$(basename "$program") --help lists nothing that is refused or without effect $listed"
}
same() { # same FILE FILE NAME
  if cmp -s "$1" "$2"; then ok 0 "$3"; else ok 1 "$3: $1 and $2 differ"; fi
}
phases() { # phases FILE RUN.csv WORKERS NAME: all workers compute; phases of rank 0's add up to the last run's seconds
  local told
  told=$(awk -F, 'FNR == 1 { split("", c); for (i = 1; i <= NF; i++) c[$i] = i; next }
    FILENAME == ARGV[1] { seconds = $c["seconds"]; next }
    { n++; d = $c["communicate"] + $c["compute"] + $c["dynamic"] + $c["idle"] - seconds
      bad += $c["compute"] <= 0 || $c["communicate"] < 0 || $c["idle"] < -1e-3 * seconds || $c["initialise"] <= 0
      bad += $c["rank"] == 0 && d * d > 1e-12 * seconds * seconds }
    END { print n; exit bad > 0 }' "$2" "$1") && [ "${told:-0}" -eq "$3" ]
  ok $? "$4: $3 workers, who all compute, and phases that add up (${told:-no rows})"
}
points() { # points NAME COMMAND...: repeats each test point of the program as one of this test
  local name=$1; shift
  timeout $hang "$@" > "$work/points" 2> "$work/err" || { ok 1 "$name: status $? ($(tail -n 2 "$work/err" | tr '\n' ' '))"; }
  while IFS= read -r line; do
    case $line in
    "not ok"*) ok 1 "$name: ${line#* - }" ;;
    ok*) ok 0 "$name: ${line#* - }" ;;
    esac
  done < "$work/points"
  grep -q '^1\.\.' "$work/points"; ok $? "$name ran to its end"
}
skip() { tap_count=$((tap_count + 1)); echo "ok $tap_count # SKIP $1"; }
done_testing() { echo "1..$tap_count"; exit $tap_failed; }
ranks=$work/ranks # ranks N COMMAND...: on N MPI ranks
cat > "$ranks" <<'END'
#!/bin/sh
n=$1; shift
unset STARPU_NCPU
exec "$MPIEXEC" --oversubscribe -n "$n" "$@"
END
each=$work/each # $ranks N $each LINE...: a shell's line for each rank (some launchers crash at LINE : LINE)
cat > "$each" <<'END'
#!/bin/sh
shift "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}}"
eval "$1"
END
chmod +x "$ranks" "$each"
