#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# --trace of programs, and hetgrid-trace: the files exist, their numbers agree with each other and with the run, and
# ViTE opens its file.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
trace=${HETGRID_TRACE_PROGRAM:-$PWD/hetgrid-trace}
cd "$work" || exit 99
value() { awk -F, -v s="$2" -v i="$3" -v q="$4" '$1 == s && $2 == i && $3 == q { print $4 }' "$1/summary.csv"; }
sums_up() { # the four parts of every worker's time are the run's time
  awk -F, '$1 == "run" && $3 == "seconds" { t = $4 } $1 == "worker" && $3 ~ /_seconds$/ { sum[$2] += $4 }
    END { for (w in sum) { n++; if (sum[w] < .99 * t || sum[w] > 1.01 * t) bad = 1 } exit bad || !n }' "$1/summary.csv"
}
ordered() { # ordered FOLDER NAME: timed events are in order of time, after the definitions that they use
  local told
  told=$(awk '$1 == "%EventDef" { id = $3; first = 1; next }
    $1 == "%" && first { timed[id] = $2 == "Time"; first = 0; next } /^%/ || !NF { next }
    { if (!timed[$1]) late += seen > 0; else { back += seen > 0 && $2 < last; last = $2; seen++ } }
    END { print seen + 0 " events, " back + 0 " of them before the one above, " late + 0 " definitions behind them"; exit !(seen > 50 && !back && !late) }' "$1/paje.trace")
  ok $? "$2: $told"
  if [ -n "$(type -P pj_dump)" ]; then
    pj_dump "$1/paje.trace" > dump 2> err; ok $? "... and pj_dump reads it ($(wc -l < dump) lines) $(head -c 200 err)"
  else skip "pj_dump is not installed (Debian: pajeng)"; fi
}
well_formed() { python3 -c 'import sys, xml.dom.minidom as m; [m.parse(f) for f in sys.argv[1:]]' "$@"; }

succeeds "heat is traced" "$heat" --size 600,400 --steps 60 --block 10 --tile 300,100 --rebalance off --warmup 1 --repeat 2 --trace=one --verify
grep -q ' on 2 workers of 1 rank$' one/summary.txt; ok $? "its summary names the machine"
for file in paje.trace tasks.rec dag.dot comms.rec summary.txt summary.csv gantt.svg map.svg run.csv tiles.csv; do
  [ -f one/$file ] || missing="${missing:-} $file"
done
[ -z "${missing:-}" ]; ok $? "all files exist${missing:+, but$missing}"
tiles=$(($(wc -l < one/tiles.csv) - 1))
modes() { sed -n '/^Name: hetgrid_heat/,/^$/s/^Modes: //p' "$1/tasks.rec" | sort | uniq -c; }
[ -n "$(modes one)" ] && ! modes one | sed 's/^ *[0-9]* //' | grep -qv '^RW '; ok $? "tasks have exclusive access to their tile ($(modes one | head -n 1))"
[ "$(value one kind hetgrid_heat tasks)" = $((6 * tiles)) ]; ok $? "only the last timed run is recorded: $(value one kind hetgrid_heat tasks) tasks, 6 blocks of $tiles tiles"
sums_up one; ok $? "busy, transfer, overhead and idle add up to the time of the run"
[ "$(value one kind hetgrid_heat flops)" = $((600 * 400 * 7 * 60)) ]; ok $? "flops are those of the grid ($(value one kind hetgrid_heat flops))"
well_formed one/gantt.svg one/map.svg; ok $? "the pictures are well-formed"
"$trace" one --picture gantt.png --map map.png
cp one/tasks.rec kept.rec
fails 2 'chrome: one/tasks.rec is a file of the trace' "events in the place of a recorded file" "$trace" one --chrome one/tasks.rec
same kept.rec one/tasks.rec "... which still exists"
fails 2 'picture: q.svg is a file of --map too' "two pictures in one" "$trace" one --picture q.svg --map ./q.svg
set -- $(python3 "$OLDPWD/${srcdir:-.}/tests/cli/picture.py" map.png 0072b2 e69f00)
awk -v a="$3" -v b="$4" 'BEGIN { exit !(a + b > .5) }'; ok $? "the map is filled by the workers' tiles: $3 and $4 of the picture"
shares() { python3 "$OLDPWD/${srcdir:-.}/tests/cli/picture.py" gantt.png d95f02 f1f1f1; }
awk -v got="$(shares)" -v busy="$(value one kind hetgrid_heat seconds)" -v t="$(value one run '' seconds)" \
  'BEGIN { split(got, s, " "); share = s[3] / (s[3] + s[4]); want = busy / t / 2; exit !(share > want - .1 && share < want + .1) }'
ok $? "the chart is as full of tasks as the workers were busy: $(shares)"
awk '/^6/ && /"/ { n = split($0, q, "\""); split(q[n - 1], c, " "); if (c[1] > 1 || c[2] > 1 || c[3] > 1) bad = 1 } END { exit bad }' one/paje.trace
ok $? "colours are within Paje's range"
ordered one "a trace of one rank is ordered in time"

succeeds "a run without steps has nothing to trace" "$heat" --size 30,30 --steps 0 --trace=nothing
grep -q 'no task of this trace ran' err; ok $? "... and a message says so: $(cat err)"
fails 2 'no task of this trace ran' "... and read" "$trace" nothing
succeeds "the same by task profiling" env HETGRID_TRACE=profiling "$heat" --size 600,400 --steps 60 --block 10 --tile 300,100 --rebalance off --trace=two
[ "$(modes one)" = "$(modes two)" ]; ok $? "... as many that read and write as many handles: $(modes two | tr '\n' ';')"
HETGRID_TRACE=profiling "$heat" --size 600,400 --steps 60 --block 10 --tile 300,100 --rebalance off --trace=two | grep -qx '  trace      two: summary.txt, gantt.svg, map.svg, paje.trace'
ok $? "... which names the files that are there"
[ "$(value two kind hetgrid_heat tasks)" = $((6 * tiles)) ]; ok $? "... has as many tasks"
ordered two "... for ViTE too, without FxT"
[ "$(grep -c '^7 .* task worker[0-9]* k[0-9]*$' two/paje.trace)" = "$(awk -F, '$1 == "run" && $3 == "tasks" { print $4 }' two/summary.csv)" ]
ok $? "... in which each task begins once"
awk -v c="$(value two run '' longest_chain_seconds)" -v t="$(value two run '' seconds)" -v s="$(value two kind hetgrid_heat seconds)" -v n=$tiles \
  'BEGIN { exit !(c > s / n * .5 && c <= t * 1.001) }'; ok $? "... and dependencies: a chain of $(value two run '' longest_chain_seconds) s"
"$trace" one --diff two > diff; ok $? "two runs are compared"
grep -q "of $tiles common tiles" diff && grep -q '^tasks  .* 1.000$' diff; ok $? "... tile by tile ($(tail -n 1 diff))"
cp -r two silent && rm -f silent/paje.trace silent/comms.rec && "$trace" silent --csv > silent.csv; ! grep -q 'transfer_seconds\|overhead_seconds' silent.csv
ok $? "unrecorded values are empty in CSV, not 0"
"$trace" one --diff silent > diff; grep -q '^overhead, s  *[0-9.e+-]*  *- ' diff; ok $? "... nor compared with another run ($(grep '^overhead' diff))"
cp -r two lone && sed -i 's/^WorkerId: .*/WorkerId: 0/' lone/tasks.rec && "$trace" one --diff lone > diff
grep -q "of $tiles common tiles" diff; ok $? "... also with one in which a worker ran no task ($(tail -n 1 diff))"
"$trace" lone --csv > lone.csv; grep -qx 'worker,0:CPU1,tasks,0' lone.csv; ok $? "... which waited all the time: $(grep '^worker,0:CPU1,idle_seconds' lone.csv)"
printf 'WorkerId: 1\nMPIRank: 0\n' > lone/workers.rec
fails 1 'lone/workers.rec:.: a worker needs a WorkerId of 0 to 100000 and a WorkerName' "a worker without a name" "$trace" lone

succeeds "ranks are traced" "$ranks" 2 "$heat" --size 600,400 --steps 60 --block 10 --boundary periodic --trace=pair
[ -n "$(value pair link 'rank 0 > rank 1' bytes)" ] && [ "$(value pair link 'rank 0 > rank 1' bytes)" = "$(value pair link 'rank 0 > rank 1' planned_bytes)" ] &&
  [ "$(value pair link 'rank 1 > rank 0' bytes)" = "$(value pair link 'rank 1 > rank 0' planned_bytes)" ]
ok $? "messages between them are as planned ($(value pair link 'rank 0 > rank 1' bytes) bytes each way)"
ordered pair "one of two ranks, too"
for run in one pair; do
  span=$(awk '$0 !~ /^%/ && $1 >= 8 && $1 <= 20 { if ($2 < 0) bad = 1; if ($2 > last) last = $2 } /"start_profiling/ && $2 == 0 { begun = 1 } /"stop_profiling/ && $2 > end { end = $2 }
    $1 == 20 { if (!n++) a = $2; b = $2 } END { printf "%.3f ms, tasks begin at %.3f, the last at %.3f", last, a, b; exit bad || !begun || last != end || !(b > .2 * last) }' $run/paje.trace)
  ok $? "... begins and ends with the run: $span"
done
[ "$(sed -n 's/^origin,//p' one/run.csv | cut -d. -f1)" -gt 0 ] && [ "$(value one worker 0:CPU0 overhead_seconds)" != 0 ]; ok $? "... and its states are those of the tasks' times ($(value one worker 0:CPU0 overhead_seconds) s of overhead)"
succeeds "a traced elimination" "$ranks" 2 "$elimination" --matrix uniform:300 --nb 32 --nrhs 3 --trace
[ "$(value trace kind hetgrid_lu_panel tasks)" = 10 ]; ok $? "... has its 10 panels in the folder 'trace'"
ordered trace "... and is ordered in time"
sums_up trace; ok $? "... and its times add up"
fails 2 'rank 1: HETGRID_TRACE=profiling: is given, on rank 0 it is not' "... by one of two ranks" "$ranks" 2 "$each" \
  "$heat --size 60,40 --trace=apart" "HETGRID_TRACE=profiling $heat --size 60,40 --trace=apart"
mkdir elsewhere
for how in fxt profiling; do
  line="HETGRID_TRACE=$how $heat --quiet --size 60,40 --steps 9 --trace=shared"
  succeeds "a rank in another folder records ($how)" "$ranks" 2 "$each" "$line" "cd elsewhere; $line"
  [ -s shared/summary.csv ] && [ -z "$(ls elsewhere)" ]; ok $? "... in that of rank 0 $(ls elsewhere)"
done
HETGRID_TRACE=profiling succeeds "by task profiling on ranks" "$ranks" 2 "$elimination" --matrix uniform:300 --nb 32 --trace=lu
[ "$(value lu kind hetgrid_lu_panel tasks)" = 10 ]; ok $? "... with the same panels"
"$trace" trace --csv > again.csv; same trace/summary.csv again.csv "hetgrid-trace --csv prints the run's summary"
"$trace" trace --picture g.svg --map m.svg # Cairo numbers its surfaces
sed -i 's/surface[0-9]*//g' g.svg trace/gantt.svg
same g.svg trace/gantt.svg "hetgrid-trace --picture draws it again"
succeeds "events are written for Perfetto" "$trace" trace --chrome events.json
cp -r trace accents && sed -i 's/^Name: hetgrid_lu_panel/Name: Übung/' accents/tasks.rec && "$trace" accents --chrome accents.json > shown && grep -q '"name":"Übung"' accents.json
ok $? "... with names in UTF-8"
python3 - <<'END'; ok $? "... as JSON that agrees with the summary: tasks and busy time of each worker, messages by pairs"
import collections, csv, json
events = json.load(open('events.json'))['traceEvents']
names = {(e['pid'], e['tid']): e['args']['name'] for e in events if e['name'] == 'thread_name'}
tasks = [e for e in events if e['ph'] == 'X' and e['cat'] == 'task']
busy = collections.Counter()
for e in tasks:
    busy['%d:%s' % (e['pid'], names[e['pid'], e['tid']])] += e['dur'] * 1e-6
rows = {(r['section'], r['item'], r['quantity']): r['value'] for r in csv.DictReader(open('trace/summary.csv'))}
assert len(tasks) == sum(int(v) for k, v in rows.items() if k[0] == 'kind' and k[2] == 'tasks')
said = {k[1]: float(v) for k, v in rows.items() if k[0] == 'worker' and k[2] == 'busy_seconds'}
assert len(said) == 2 and len(busy) == 2
assert all(abs(said[a] - busy[b]) < 1e-5 + 1e-3 * said[a] for a, b in zip(sorted(said), sorted(busy))), (said, busy)
ends = {p: {e['id'] for e in events if e['ph'] == p and e['name'] == 'message'} for p in 'sf'}
sent = sum(float(v) for k, v in rows.items() if k[0] == 'link' and k[2] == 'messages')
assert ends['s'] == ends['f'] and len(ends['s']) == sent > 0
assert all(e['ts'] == e['ts'] for e in events if e['ph'] != 'M')
END
python3 - <<'END'; ok $? "... arrows go from a task to one that begins after it, as many as there are dependencies, and counters end at 0"
import collections, json
events = json.load(open('events.json'))['traceEvents']
tasks = collections.defaultdict(list)
for e in events:
    if e['ph'] == 'X' and e['cat'] == 'task': tasks[e['pid'], e['tid']].append((e['ts'], e['ts'] + e['dur']))
arrows = collections.defaultdict(dict)
for e in events:
    if e['name'] == 'dependency': arrows[e['id']][e['ph']] = e
assert len(arrows) > 20
for a in arrows.values():
    s, f = a['s'], a['f']
    assert f['bp'] == 'e' and (s['pid'] != f['pid'] or s['ts'] <= f['ts'] + .002), a # clocks of ranks may differ
    assert any(lo - .001 <= s['ts'] <= hi for lo, hi in tasks[s['pid'], s['tid']]), a
    assert any(abs(lo - f['ts']) < .001 for lo, hi in tasks[f['pid'], f['tid']]), a
last = {}
for name, unit in (('ready tasks', 'tasks'), ('bytes in flight', 'bytes')):
    values = collections.defaultdict(list)
    for e in events:
        if e['ph'] == 'C' and e['name'] == name: values[e['pid']].append(e['args'][unit])
    assert len(values) == 2 and all(min(v) >= 0 and v[-1] == 0 for v in values.values()), (name, values)
    assert any(max(v) > 0 for v in values.values()), (name, values)
END
# asynchronous mode: sweeps, and the age of the values read, are as the run reported
jacobi=$OLDPWD/hetgrid-jacobi
HETGRID_MAILBOX_DELAY=.001 "$ranks" 2 "$jacobi" --size 60,60 --tolerance 1e-4 --inner 4 --mode async --warmup 1 --csv --trace=late > row 2> err
ok $? "asynchronous ranks are traced"
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' row; }
blocks() { awk -F, -v q="$1" '$1 == "block" && $3 == q { n++; s += $4; if (n == 1 || $4 < lo) lo = $4; if ($4 > hi) hi = $4 } END { print n + 0, s, lo, hi }' late/summary.csv; }
set -- $(blocks sweeps)
[ "$1" -gt 1 ] && [ $((4 * $3)) = "$(column sweeps_min)" ] && [ $((4 * $4)) = "$(column sweeps_max)" ]
ok $? "... $1 blocks with as many sweeps as the run reported, 4 times $3 to $4"
[ "$(value late kind hetgrid_arrive tasks)" = $(($2 + $1 * $(column snapshots))) ]; ok $? "... and as many arrivals ($(value late kind hetgrid_arrive tasks)), those of $(column snapshots) snapshots included"
set -- $(blocks oldest)
[ "$4" = "$(column staleness)" ] && [ "$4" -gt 0 ]; ok $? "... values read were at most $4 sweeps old, as reported"
awk -F, '$1 == "block" && $3 == "sweeps" { s[$2] = $4 } $1 == "block" && $3 == "stale_sweeps" { old[$2] = $4 }
  $1 == "block" && $3 ~ /^reads/ { reads[$2] += $4; if ($3 == "reads_of_age_0") new[$2] = $4 }
  END { for (b in s) { n++; if (reads[b] < s[b] || reads[b] % s[b] || old[b] > s[b] || old[b] < s[b] - new[b]) bad = 1 } exit bad || !n }' late/summary.csv
ok $? "... every sweep read each of its neighbours once"
grep -q "^block  *sweeps  *old %" late/summary.txt; ok $? "... the summary shows it: $(grep -A 2 '^block  *sweeps' late/summary.txt | tail -n 1)"
[ ! -e one/ages.csv ]; ok $? "... and not in synchronous runs"
succeeds "an older trace is replaced" "$heat" --size 100,100 --steps 10 --trace=pair --quiet
[ "$(value pair run '' ranks)" = 1 ]; ok $? "... as a whole"

# --- two policies
PATH=${trace%/*}:$PATH # for hetgrid-compare
succeeds "two policies are compared, with three choices of tiles" bash "$here/scripts/hetgrid-compare" \
  --rounds 1 --tiles '--tile 100,50;--tile 50,50' eager lws "$heat" --size 200,100 --steps 20
[ "$(wc -l < compare/times.tsv)" = 7 ] && grep -q '^eager  *--tile 50,50  *[0-9.e-]*$' out; ok $? "... with a time for each of six ($(grep -c '[0-9]$' out) lines)"
grep -q '^A: heat .* policy eager$' out && grep -q '^B: heat .* policy lws$' out && grep -q '^time, s ' out; ok $? "... and the best of both side by side"
printf '0,0,300,150\n0,150,300,150\n' > my,boxes.csv
bash "$here/scripts/hetgrid-compare" --rounds 2 hetgrid lws "$heat" --size 300,300 --steps 20 --partition my,boxes.csv > compared
[ "$(awk '/^(hetgrid|lws) / && $NF > 0 { n++ } END { print n }' compared)" = 2 ]; ok $? "seconds are found after a name with a comma: $(tr '\n' ' ' < compared)"
if locale -a 2> /dev/null | grep -q '^de_DE.utf8$'; then
  LC_ALL=de_DE.UTF-8 bash "$here/scripts/hetgrid-compare" --rounds 1 hetgrid lws "$heat" --size 60,60 --steps 20 > compared; ok $? "policies are compared in a locale with decimal commas"
  ! grep -q '[[:space:]]0$' compared; ok $? "... with times"
else skip "no locale de_DE.UTF-8"; fi
compare_fails() { # compare_fails STATUS MESSAGE ARGUMENT...
  fails "$1" "$2" "hetgrid-compare ${*:3}" bash "$here/scripts/hetgrid-compare" "${@:3}"
}
compare_fails 2 'two policies and a program are needed' lws "$heat"
compare_fails 2 "--rounds: '0' must be a whole number from 1 to 9999" --rounds 0 eager lws "$heat"
compare_fails 2 '--tiles needs a value' --tiles
[ "$(bash "$here/scripts/hetgrid-compare" --version)" = "$("$trace" --version | sed s/trace/compare/)" ]; ok $? "hetgrid-compare has the version of the others"
compare_fails 2 "'--rounds' is no policy; options come before the policies" eager --rounds 1 lws "$heat"
compare_fails 2 "both 'lws'" lws lws "$heat"
compare_fails 1 "--csv' printed no time above 0 in a column 'seconds'" eager lws echo 9
compare_fails 1 "'.*no-such --size 9,9 --sched eager  --csv' failed" eager lws no-such --size 9,9

if command -v vite > /dev/null; then
  # ViTE omits what is too short to be seen, so it gets the time of the tasks alone, in ms
  draw() { # draw TASKS TRACE OUT
    local window
    window=$(awk -v tasks="$1" '$0 ~ tasks && $2 + 0 > 0 { if (!n++) a = $2; b = $2 } END { printf "%d:%d", a, b + 1 }' "$2")
    QT_QPA_PLATFORM=offscreen HOME=$work timeout 120 vite -t "$window" -e "$3" "$2" > vite.log 2>&1
  }
  draw hetgrid_heat one/paje.trace vite.svg
  ok $? "ViTE opens the trace"
  grep -q 'CPU0' vite.svg && grep -q 'CPU1' vite.svg; ok $? "... and shows both workers"
  [ "$(grep -c 'rgb(217,95,2)' vite.svg)" -ge 10 ]; ok $? "... with $(grep -c 'rgb(217,95,2)' vite.svg) tasks in the colour of heat"
  QT_QPA_PLATFORM=offscreen HOME=$work timeout 120 vite -e vite2.svg trace/paje.trace > vite.log 2>&1
  grep -q 'rgb(214,39,40)' vite2.svg; ok $? "... and, of a whole elimination, the panels"
  ! grep -q 'rgb(229,25,0)\|rgb(230,26,0)' vite2.svg && grep -q 'rgb(23[45],23[45],23[45])' vite2.svg; ok $? "... and waiting in grey"
else
  skip "there is no ViTE here"
fi

touch file
fails 1 'file: is not a folder' "a file where the folder should be" "$heat" --size 50,50 --steps 1 --trace=file
fails 1 'No such file' "a folder that cannot be made" "$heat" --size 50,50 --steps 1 --trace=none/at/all
cp -r one busy
fails 1 '--trace: busy: another run is recording there' "a folder that another run records into" flock busy "$heat" --size 50,50 --steps 1 --trace=busy
same one/tasks.rec busy/tasks.rec "... whose files stay"
mkdir empty
fails 1 'empty/tasks.rec: No such file' "a folder without a trace" "$trace" empty
fails 2 'the folder of a trace is missing' "no folder" "$trace"
head -c 3000 one/paje.trace > cut && cp -r one damaged && cp cut damaged/paje.trace
"$trace" damaged > out 2>&1; [ $? -le 1 ]; ok $? "a trace that was cut off is read or refused ($(head -n 1 out | cut -c1-80))"

# --- advice
succeeds "tiny tasks are traced" "$heat" --size 600,400 --steps 10 --block 1 --tile 16,16 --trace=tiny
"$trace" tiny > said; sed -n '/^what to try/,$p' said > advice
grep -q "of the workers' time: tasks last 0.* ms.*larger tiles" advice; ok $? "tasks that are too small are named ($(sed -n 2p advice | cut -c1-100))"
[ "$(wc -l < advice)" -le 3 ]; ok $? "... in two lines at most"
awk -F, '$1 == "run" && $3 == "seconds" { t = $4 } $1 == "run" && $3 == "workers" { n = $4 }
  $1 == "lost" { lost += $4 } $3 == "busy_seconds" { busy += $4 } $3 == "transfer_seconds" { transfer += $4 }
  END { off = lost - (n * t - busy); print off, transfer; exit !(lost > 0 && off > -1e-6 && off <= transfer + 1e-6) }' tiny/summary.csv > sum
ok $? "lost time and busy time sum to the whole (difference $(cut -d' ' -f1 sum) s)"
done_testing
