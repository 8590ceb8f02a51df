#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The programs print what tests/recorded/*.csv holds, where each line "$ COMMAND" is followed by its output. Words and
# integers must be equal, reals within 1e-9 (solvers.csv: 1e-6); "-" matches anything.
# To record an intended change or a new command: tests/cli/recorded.sh --record in the build folder; then read the
# difference.
record=${1:-}
here=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$here/tests/tap.sh"
. "$here/tests/messages.sh"
PATH=$PWD:$PATH
cd "$work" || exit 99
unset HETGRID_NETWORK
export HETGRID_TABLES=$work/tables STARPU_NCPU=2 STARPU_NCUDA=0 HETGRID_LOG=error HETGRID_SCHED_STEAL=0

# --- input files of the commands
cp "$here/docs/energy/contexts.json" .
cat > once.json << 'END'
{"contexts": [{"name": "once", "points": [[4, 44, 30000]], "s": 0.8, "base": 100, "units": [{"count": 1, "full": 80}]},
 {"name": "bent", "points": [[1, 100, 15000], [2, 54, 16200], [4, 33, 19800]], "N_max": 30}]}
END
printf '1000,0,.0002\n1000,1000,.0005\n100000,0,.01\n100000,1000,.0103\n' > fast.csv
printf '1000,0,.001\n1000,1000,.0015\n100000,0,.05\n100000,1000,.0505\n' > slow.csv
printf '1000,0,.0001\n8000,0,.0003\n40000,0,.0031\n400000,0,.09\n' > bent.csv # slow beyond its memory
printf '1000,0,.0008\n1000,400,.08\n100000,0,.04\n100000,400,.12\n' > far.csv # with expensive messages
printf '0,0,30,20\n30,0,10,20\n0,20,40,10\n' > boxes.csv
cat > book.csv << 'END'
type,S,K,T,r,q,sigma,fixings
call,100,110,.5,.03,.01,.3
put,90,95,2,.05,0,.15
asian-call,100,100,1,.05,0,.2,12
asian-put,50,55,1.5,.01,.02,.4,5
END
cat > powers.platform << 'END'
device good cpu heat=1e9 heat_item=1e-9 update=2e10 panel=5e9 moves=1e9 batch=1e8 start=2e-6 full=10 wait=4
device bad cpu heat=2e9 heat_item=2e-9 update=5e10 panel=9e9 moves=1e9 batch=3e8 start=3e-6 full=80 wait=10
device gpu cuda memory=1e9 to=1e10 from=9e9 latency=5e-6 heat=8e9 heat_start=1e-5 update=3e11 panel=1e10 batch=4e9 start=1e-5 full=200
node good*2,bad base=20
node bad,gpu base=50
network bandwidth=1e9 latency=1e-5
END
file "$(level numa 1e-6 4e-10)" "$(level node 2e-6 1e-9)" "$(level network 20e-6 1e-8)" "$(level h2d 8e-6 5e-11 cpu gpu)" \
  "$(level d2h 9e-6 6e-11 gpu cpu)" > messages.json
sed -e 's/"gpu_start":null/"gpu_start":2e-5/; s/"concurrent":\[\]/"concurrent":[{"pairs":2,"bytes":65536,"seconds":4e-4},{"pairs":4,"bytes":65536,"seconds":9e-4}]/g' -e \
  's/"trains":null/"trains":{"messages":16,"bytes":[1,65536],"one":[2e-6,6e-5],"many":[9e-6,5e-4],"delayed":[2e-5,7e-4],"delay":[1e-5,1e-4]}/g' messages.json > trains.json

# --- run, compare
output() { # output COMMAND: prints its output with measured values replaced by "-"
  eval "timeout $hang $1" > out 2> /dev/null; status=$?
  awk -F, -v OFS=, '
    FNR == 1 { for (i = 1; i <= NF; i++) measured[i] = $i ~ /^(plan_seconds|mpaths_per_s|munknowns_newton_per_s|mpoints_per_s|gflops)$/
      if (/^app,.*cpu_workers/) for (i = 1; i <= NF; i++) if ($i ~ /^(seconds|block|tile_w|tile_h|imbalance|residual|.*_per_s)$/) measured[i] = 1 }
    FNR > 1 { for (i = 1; i <= NF; i++) if (measured[i]) $i = "-" }
    { print }' out || echo "no awk"
  [ $status -eq 0 ] || echo "exit $status"
}
rerun() { # rerun FILE: prints its commands with their present output
  grep '^\$ ' "$1" | while IFS= read -r line; do
    printf '%s\n' "$line"
    output "${line#??}"
  done
}
compare() { # compare RECORDED NEW EPS: prints 0 (same) or 1 and a name for each command
  awk -v eps="$3" '
    function number(s) { return s ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ }
    function close_to(a, b, d) { d = a - b; if (d < 0) d = -d; return d <= eps * (a < 0 ? -a : a) }
    function same(a, b, x, y, n, i) {
      if (a == b) return 1
      n = split(a, x, /[][ \t,;:|={}()"]+/)
      if (split(b, y, /[][ \t,;:|={}()"]+/) != n) return 0
      for (i = 1; i <= n; i++) {
        if (x[i] == y[i] || x[i] == "-") continue
        if (!number(x[i]) || !number(y[i]) || x[i] y[i] ~ /^[-+0-9]*$/ || !close_to(x[i] + 0, y[i] + 0)) return 0
      }
      return 1
    }
    function finish() { if (command != "") print (fault == "" ? 0 : 1), command fault }
    FILENAME == ARGV[1] { old[++lines] = $0; next }
    { at++ }
    /^\$ / { while (at <= lines && old[at] != $0) { if (fault == "") fault = ": misses: " old[at]; at++ } # lines that are missing now
      finish(); command = substr($0, 3); fault = ""; next }
    fault == "" && !same(old[at], $0) { fault = ": is " $0 " -- was " (old[at] ~ /^\$ / ? "no line" : old[at]) }
    old[at] ~ /^\$ / { at-- } # an additional line
    END { if (at < lines && fault == "") fault = ": misses: " old[at + 1]; finish() }' "$1" "$2"
}
for recorded in "$here"/tests/recorded/*.csv; do
  name=$(basename "$recorded" .csv)
  rerun "$recorded" > "$name.new"
  if [ "$record" = --record ]; then cp "$name.new" "$recorded"; continue; fi
  compare "$recorded" "$name.new" "$([ "$name" = solvers ] && echo 1e-6 || echo 1e-9)" > points
  while read -r status what; do ok "$status" "$what"; done < points
  [ "$(wc -l < points)" -eq "$(grep -c '^\$ ' "$recorded")" ]; ok $? "all commands of $name"
done
done_testing
