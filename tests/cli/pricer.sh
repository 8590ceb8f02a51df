#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-pricer: known prices, the same bytes for every division of the work, portfolios, stopping, wrong input.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
pricer=${HETGRID_PRICER:-$PWD/hetgrid-pricer}
"$pricer" --golden "$here/tests/golden/options.json" > "$work/tap"; status=$?
ok $status "golden options: $(grep -c '^ok' "$work/tap") of $(tail -n 1 "$work/tap" | cut -d. -f3) cases hold $(grep '^not ok' "$work/tap" | head -n 3 | tr '\n' ' ')"
! grep -q SKIP "$work/tap"; ok $? "and none is skipped"
cd "$work" || exit 99
column() { awk -F, -v c="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) k = i } NR == 2 { print $k }' "${2:-out.csv}"; }
price() { "$@" --csv > out.csv 2> err.txt || { head -n 2 err.txt; return 1; }; }

# the default contract, and the columns of a row
price "$pricer" --paths 262144 --seed 20120000; ok $? "2^18 paths of a call"
awk -v p="$(column price)" -v e="$(column std_error)" 'BEGIN { exit !(p - 10.476599925127731 < 1e-9 && 10.476599925127731 - p < 1e-9 && e - .0288181705326791 < 1e-12 && .0288181705326791 - e < 1e-12) }'
ok $? "... are worth $(column price) +- $(column std_error)"
awk -v c="$(column closed_form)" 'BEGIN { exit !(c - 10.450583572185565 < 1e-12 && 10.450583572185565 - c < 1e-12) }'; ok $? "... in closed form $(column closed_form)"
head -n 1 out.csv | grep -q '^app,option,paths,fixings,contracts,precision,ranks,cpu_workers,cuda_workers,sched,repeat,seconds,mpaths_per_s,price,std_error,closed_form,z,imbalance,status'
ok $? "the columns are the documented ones"

# the same bytes for every division of the chunks
cat > book.csv <<'END'
type,S,K,T,r,q,sigma,fixings
call,100,105,1,.05,0,.2
put,100,95,.5,.03,.01,.3
asian-call,100,100,1,.05,0,.2,12
asian-put,80,100,2,.01,.03,.4,7
call,100,100,0,.05,0,.2
END
chunks="--paths 300001 --portfolio book.csv --greeks --quiet"
STARPU_NCPU=1 "$pricer" $chunks --output one.csv; ok $? "a portfolio on one worker"
[ "$(wc -l < one.csv)" = 6 ]; ok $? "... a line a contract"
for division in "--speeds 1,1" "--speeds 5,1" "--tile 1" "--tile 3 --sched lws" "--partition columns --rebalance .01"; do
  # shellcheck disable=SC2086
  STARPU_NCPU=2 "$pricer" $chunks $division --output two.csv; same one.csv two.csv "two workers, $division: the same bytes"
done
STARPU_NCPU=3 "$pricer" $chunks --output two.csv; same one.csv two.csv "three workers: the same bytes"
for n in 2 3 4; do
  succeeds "$n ranks" "$ranks" $n "$pricer" $chunks --output two.csv; same one.csv two.csv "... and the same bytes"
done
succeeds "ranks of unequal speed" "$ranks" 2 "$pricer" $chunks --speeds 1,3 --output two.csv; same one.csv two.csv "... and the same bytes"
for n in 1 2 4; do
  succeeds "$n ranks take batches from one queue" "$ranks" $n "$pricer" $chunks --dynamic --tile 1 --output two.csv
  same one.csv two.csv "... and the same bytes"
done
succeeds "... again and again" "$ranks" 2 "$pricer" $chunks --dynamic --repeat 3 --output two.csv; same one.csv two.csv "... and the same bytes"
"$pricer" $chunks --repeat 2 --warmup 1 --output two.csv; same one.csv two.csv "the third run gives the first one's result"
"$pricer" --paths 300001 --stream 1 --quiet --option put --spot 100 --strike 95 --time .5 --rate .03 --yield .01 --sigma .3 --greeks --output alone.csv
[ "$(sed -n 3p one.csv)" = "$(sed -n 2p alone.csv)" ]; ok $? "a contract's stream is its place in the portfolio"
awk -F, 'NR > 1 && $12 != "" && $13 != "" && ($13 > 4 || $13 < -4) { bad = 1 } END { exit bad }' one.csv; ok $? "prices agree with closed forms"
awk -F, 'NR == 6 { exit !($10 == 0 && $11 == 0) }' one.csv; ok $? "an option that expires at the money is certainly worth nothing"

# paths in single precision: other bits than double, but the same for every division
STARPU_NCPU=1 "$pricer" $chunks --precision float --output float.csv; ok $? "a portfolio in single precision"
cmp -s one.csv float.csv; [ $? = 1 ]; ok $? "... has other bits"
paste -d, <(cut -d, -f10 one.csv) <(cut -d, -f10 float.csv) | awk -F, 'NR > 1 && ($1 - $2 > 1e-5 || $2 - $1 > 1e-5) { bad = 1 } END { exit bad || NR != 6 }'
ok $? "... and prices within 1e-5"
for division in "--speeds 5,1" "--tile 1" "--dynamic"; do
  # shellcheck disable=SC2086
  STARPU_NCPU=2 "$pricer" $chunks --precision float $division --output two.csv; same float.csv two.csv "two workers, $division: the same bytes"
done
for n in 2 3; do
  succeeds "$n ranks" "$ranks" $n "$pricer" $chunks --precision float --output two.csv; same float.csv two.csv "... and the same bytes"
done
price "$pricer" --precision float --paths 1e6; [ "$(column precision)" = float ] && [ "$(column status)" = ok ]; ok $? "the column says so: $(column price) +- $(column std_error)"

# checkpoints: between contracts and within one; restarts on other workers
awk 'BEGIN { for (i = 0; i < 140000; i++) printf "%s,100,%.3f,1,.05,0,.2\n", i % 2 ? "put" : "call", 90 + i / 7000 }' > long.csv
book="--portfolio long.csv --paths 100 --quiet"
"$pricer" $book --output whole.csv; ok $? "140000 contracts"
"$pricer" $book --checkpoint c.h5 --checkpoint-every 1 --output saved.csv; same whole.csv saved.csv "saved after each step: the same bytes"
[ -s c.h5 ] && [ -s c.previous.h5 ]; ok $? "... with the checkpoint before"
for n in 1 2; do
  cp c.previous.h5 p.h5
  succeeds "$n ranks resume it" "$ranks" $n "$pricer" $book --restart p.h5 --output rest.csv; same whole.csv rest.csv "... to the same bytes"
done
succeeds "with a queue" "$ranks" 2 "$pricer" $book --dynamic --restart p.h5 --output rest.csv; same whole.csv rest.csv "... to the same bytes"
"$pricer" $book --restart c.h5 --checkpoint end.h5 --output rest.csv; same whole.csv rest.csv "a complete run gives its results again"
"$pricer" $book --restart end.h5 --output last.csv; same whole.csv last.csv "... and its checkpoint"
far="--option asian-call --fixings 12 --strike 160 --std-error 1e-4 --csv"
result() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(paths|price|std_error)$/) k[i] } NR == 2 { for (i = 1; i <= NF; i++) if (i in k) printf "%s ", $i }' "$1"; }
"$pricer" $far > whole.out; ok $? "until a standard error is reached: $(result whole.out)"
rm -f f.h5 f.previous.h5
"$pricer" $far --checkpoint f.h5 --checkpoint-every 1 > saved.out; STARPU_NCPU=1 "$pricer" $far --restart f.previous.h5 > rest.out
[ -n "$(result whole.out)" ] && [ "$(result whole.out)" = "$(result rest.out)" ] && [ "$(result whole.out)" = "$(result saved.out)" ]; ok $? "from within a row to the same numbers"
STARPU_NCPU=1 "$pricer" ${far% --csv} --restart f.previous.h5 | grep -q 'restarted  with [0-9]* of'; ok $? "... and reports the paths done"
rm -f k.h5 k.previous.h5
"$pricer" --strike 220 --std-error 1e-12 --paths 1e12 --checkpoint k.h5 --checkpoint-every 3 --quiet 2> err & pid=$!
while kill -0 $pid && [ ! -s k.previous.h5 ]; do sleep .1; done
kill -INT $pid; wait $pid; status=$?
[ $status = 130 ] && grep -q 'ended by signal 2 .* --restart k.h5 to continue' err; ok $? "an interrupted run says how to resume it ($status: $(cat err))"
for file in k.h5 k.previous.h5; do
  succeeds "$file is whole" "$pricer" --strike 220 --std-error 1e-12 --paths 1e12 --restart $file --plan-only
done
fails 2 'another problem .--paths [0-9]* there, 101 here' "a checkpoint of other paths" "$pricer" --portfolio long.csv --paths 101 --restart c.h5
fails 2 'another problem' "... of another precision" "$pricer" $book --precision float --restart c.h5
fails 2 'exists and is not replaced' "... that would be replaced" "$pricer" --paths 1e5 --checkpoint c.h5
head -c 3000 c.h5 > half.h5
fails 1 'truncated' "half a checkpoint" "$pricer" $book --restart half.h5
fails 1 'No such file' "a missing checkpoint" "$pricer" $book --restart none.h5

# stopping: at the same number of paths for every division
price env STARPU_NCPU=1 "$pricer" --std-error .01; cp out.csv one.out; one=$(column price),$(column paths)
price env STARPU_NCPU=2 "$pricer" --tolerance .01 --tile 2; ok $? "until the standard error is reached: $(column std_error)"
[ "$one" = "$(column price),$(column paths)" ]; ok $? "... after $(column paths) paths, whatever the division"
awk -v e="$(column std_error)" 'BEGIN { exit !(e <= .01) }'; ok $? "... and it is"
for division in "--speeds 9,1 --rebalance 1e-6" "--tile 1" "--dynamic"; do
  # shellcheck disable=SC2086
  price env STARPU_NCPU=2 "$pricer" --std-error .01 $division; [ "$one" = "$(column price),$(column paths)" ]; ok $? "... $division: redivided between steps, $(column price) after $(column paths)"
done
price "$pricer" --paths "$(column paths)"; [ "$(column price)" = "${one%,*}" ]; ok $? "the same number of paths gives the same price"
for rare in "--strike 260 --std-error 1e-7 --paths 1e6" "--sigma 10 --std-error .01 --paths 1e6" "--option asian-put --fixings 4 --strike 40 --std-error 1e-3 --paths 1e6"; do
  # shellcheck disable=SC2086
  succeeds "$rare" "$pricer" $rare --csv
  [ "$(column status out)" = 'not reached' ] && grep -q 'standard error of .* was not reached' err; ok $? "... is not reached, whatever few paths say: $(column price out) +- $(column std_error out) ($(cut -d: -f3- err))"
done
for far in "--strike 260 --std-error 1e-7" "--sigma 10 --std-error 1e-3" "--std-error 1e-12" "--option asian-call --fixings 252 --std-error 1e-9" \
  "--option asian-put --fixings 4 --strike 40 --std-error 1e-12" "--option asian-call --control --std-error 1e-12"; do
  # shellcheck disable=SC2086
  succeeds "$far" "$pricer" $far --csv
  [ "$(column status out)" = 'not reached' ] && [ "$(column paths out)" -le 16777216 ] && grep -q 'about [0-9.]*e+[0-9]* are needed (--paths)' err
  ok $? "... is known to take too long, and ends after $(column paths out) paths ($(cut -d';' -f2 err))"
done
for far in "--std-error 1e-300" "--option put --strike 1e-300 --std-error 1e-3"; do
  # shellcheck disable=SC2086
  succeeds "$far" "$pricer" $far --paths 1e5 --csv
  grep -q '; no number of paths is known to reach it$' err; ok $? "... is beyond any number of paths ($(cut -d';' -f2 err))"
done
for rare in "--strike 260 --paths 1e6" "--sigma 3 --paths 1e6" "--option asian-call --control --strike 300 --paths 1e5" \
  "--option put --spot .001 --strike 50 --time 30 --rate=-.02 --sigma 1.5 --paths 65536 --stream 1399" \
  "--option put --strike 200 --time 30 --yield .1 --sigma 1.5 --paths 65536 --stream 1211" \
  "--option asian-put --fixings 2 --spot .001 --strike 50 --time 20 --rate=-.02 --sigma 1.5 --paths 65536" "--strike 1e-6 --rate 0 --sigma 1e-8" \
  "--rate 0 --sigma 1e-16" "--rate 0 --sigma 1e-7 --precision float" \
  "--paths 1" "--sigma 1e-30" "--spot 1e-320 --strike 1e-320"; do
  # shellcheck disable=SC2086
  succeeds "$rare" "$pricer" $rare --csv
  [ "$(column status out)" = unsure ] && grep -q '1 of 1 standard errors is unsure' err; ok $? "... says that $(column price out) +- $(column std_error out) is unsure"
done
"$pricer" --csv --paths 1e5 --sigma 1e-30 --std-error .01 > out 2> err; [ "$(column status out)" = 'not reached' ]; ok $? "an error of 0 does not count as reached"
"$pricer" --csv --paths 1e6 --spot 1e-200 --strike 1e-200 > out
[ "$(column status out)" = ok ] && [ "$(column std_error out)" != 0 ]; ok $? "tiny prices have errors: $(column price out) +- $(column std_error out), z = $(column z out)"
"$pricer" --paths 2e7 --models learnt --quiet; [ -s "$(ls learnt/*-worker0.csv)" ]; ok $? "a run saves what it learns: $(ls learnt | tr '\n' ' ')"
printf 'device core cpu heat=1e9 batch=1e8 full=30 wait=1 idle=0\nnode core*2 base=10\n' > powers.platform
STARPU_NCPU=2 succeeds "paths are divided by energy" "$pricer" --paths 1e6 --quiet --speeds 3,1 --objective energy --energy=modelled:powers.platform
printf 'type,K,S,T,r,q,sigma\ncall,100,110,1,.05,0,.2\n' > swapped.csv
fails 1 'swapped.csv:1:1: the header must be type,S,K,T,r,q,sigma,fixings, or the same without fixings' "columns in another order" "$pricer" --portfolio swapped.csv --paths 1e5
printf 'type,S,K,T,r,q,sigma\ncall,1e-170,1e-170,1,.05,0,.2\ncall,100,100,1,.05,0,1e-30\n' > tiny.csv
"$pricer" --portfolio tiny.csv --quiet --output tiny.out.csv 2> err
[ "$(cut -d, -f14 tiny.out.csv | paste -sd' ')" = 'status ok unsure' ]; ok $? "... and in books: $(cut -d, -f14 tiny.out.csv | paste -sd' ')"
printf 'type,S,K,T,r,q,sigma\ncall,100,100,1,.05,0,.2\ncall,100,100,1,.05,0,3\nput,100,20,1,.05,0,.2\ncall,100,100,1,.05,0,0\n' > mixed.csv
succeeds "a book of likely and unlikely payoffs" "$pricer" --portfolio mixed.csv --quiet --output mixed.out.csv
grep -q '2 of 4 standard errors are unsure' err && [ "$(cut -d, -f14 mixed.out.csv | paste -sd' ')" = 'status ok unsure unsure ok' ]; ok $? "... marks its unsure errors ($(cat err))"
awk 'BEGIN { for (i = 0; i < 500; i++) printf "put,%g,50,30,-.02,0,1.5\ncall,100,1e-6,1,0,0,1e-%d\n", .001 * (i + 1), i % 10 + 4 }' > tails.csv
succeeds "a book of prices with hidden tails" "$pricer" --portfolio tails.csv --paths 65536 --output tails.out.csv
awk -F, 'NR > 1 && ($13 > 5 || $13 < -5) { far++; bad += $14 == "ok" } END { exit !(far > 100 && !bad); }' tails.out.csv; ok $? "... has none that is ok and more than 5 errors off"
grep -q "farthest .* away; $(grep -c ',unsure$' tails.out.csv) unsure" out; ok $? "... and says how many are unsure: $(grep -o '[0-9]* unsure' out)"
price "$pricer" --strike 102 --yield .02 --sigma 0 --greeks --paths 1e5; [ "$(column vega) $(column vega_std_error)" = '0 0' ]; ok $? "vega without volatility is $(column vega) +- $(column vega_std_error)"
succeeds "a standard error that is too small ends at the limit of paths" "$pricer" --std-error 1e-9 --paths 100000 --csv --output short.csv
grep -q 'standard error of 1e-09 was not reached: 100000 paths give' err && tail -n 1 out | grep -q ',not reached' && [ -s short.csv ]
ok $? "... gives a warning, and the price is written: $(cat err)"
price "$pricer" --option asian-call --control --paths 65536 --seed 7
awk -v p="$(column price)" -v e="$(column std_error)" 'BEGIN { exit !(p - 6.155041290793065 < 1e-8 && 6.155041290793065 - p < 1e-8 && e < .0014) }'
ok $? "a control variate makes the error small: $(column price) +- $(column std_error)"
price "$pricer" --paths 1; [ -z "$(column std_error)$(column z)" ] && [ -n "$(column price)" ]; ok $? "one path has no standard error"
price "$pricer" --sigma 0 --paths 1000; [ "$(column std_error)" = 0 ]; ok $? "without volatility there is no error: $(column price)"
"$pricer" --greeks --paths 1e6 --csv > greeks.csv
"$pricer" --greeks --paths 1e6 --quiet --output greeks_row.csv
awk -F, 'FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i } FNR == 2 { d[++files] = $at["delta"] " " $at["delta_std_error"] " " $at["vega"] " " $at["vega_std_error"] } END { exit !(files == 2 && d[1] == d[2] && d[1] > 0) }' greeks.csv greeks_row.csv
ok $? "derivatives are columns, as in the output ($(tail -n 1 greeks.csv | cut -d, -f 18-21))"
fails 2 '--strike: excludes --portfolio' "a contract and a portfolio" "$pricer" --portfolio book.csv --strike 20
"$pricer" --greeks --paths 1e6 > text; grep -q 'delta.*closed form.*away' text && grep -q 'gamma .*theta .*rho' text; ok $? "derivatives are printed"
awk 'BEGIN { print "type,S,K,T,r,q,sigma"; for (i = 0; i < 20000; i++) printf "%s,100,%.2f,1,.05,0,.2\n", i % 2 ? "put" : "call", 80 + i / 500 }' > many.csv
succeeds "20000 contracts" "$pricer" --portfolio many.csv --paths 1000 --output many.out.csv
awk -F, 'NR > 1 && $13 < 1.96 && $13 > -1.96 { n++ } END { exit !(NR == 20001 && n > .93 * 20000 && n < .97 * 20000) }' many.out.csv
ok $? "... 95 % of them within 1.96 standard errors"
succeeds "a run is traced" "$pricer" --paths 3e6 --trace=trace --quiet
[ -s trace/summary.txt ] && grep -q pricer trace/summary.txt; ok $? "... and its summary names it"
flops() { awk -F, '$1 == "kind" && $2 == "hetgrid_pricer" && $3 == "flops" { print $4 }' trace/summary.csv; }
awk -v f="$(flops)" 'BEGIN { exit !(f > 3e6 * 70.49 && f <= 3e6 * 70.5) }'; ok $? "... and its flops, 70.5 per path ($(flops))"
printf 'type,S,K,T,r,q,sigma,fixings\ncall,100,100,1,.05,0,.2,1\nasian-put,100,100,1,.05,0,.2,12\n' > unlike.csv
HETGRID_TRACE=profiling "$pricer" --portfolio unlike.csv --paths 70002 --trace=trace --quiet
awk -v f="$(flops)" 'BEGIN { exit !(f == 70002 * (70.5 + 12 * 67.5 + 6)) }'; ok $? "... which depend on the contract ($(flops))"
HETGRID_TRACE=profiling "$pricer" --portfolio unlike.csv --paths 70002 --precision float --trace=trace --quiet
awk -v f="$(flops)" 'BEGIN { exit !(f == 70002 * (54.5 + 12 * 51.5 + 6)) }'; ok $? "... and on the precision ($(flops))"
succeeds "the division is shown" "$pricer" --plan-only --speeds 1,3
succeeds "and that among ranks" "$ranks" 2 "$pricer" --plan-only --speeds 1,3
succeeds "phases" "$pricer" --quiet --phases=phases.csv; [ "$(wc -l < phases.csv)" -ge 2 ]; ok $? "... are written"

for wrong in "--spot 0:S is 0" "--strike -1:K is -1" "--sigma -.1:sigma is -0.1" "--time -1:T is -1" "--spot nan:--spot" "--sigma 100:at most e.335" \
  "--option barrier:known: call put" "--option asian-call --fixings 0:--fixings" "--fixings 3:must be 1 for a call" "--paths 0:--paths" \
  "--paths 1e15:--paths" "--option asian-put --fixings 1e6 --paths 1e13:2.62 random" "--std-error 0:--std-error" "--control:--control" \
  "--greeks --std-error .1:--std-error" "--checkpoint-minutes 3:needs --checkpoint" "--dynamic --speeds 1,2:--dynamic" \
  "--dynamic --plan-only:--dynamic" "--dynamic --rebalance .1:--dynamic" "--precision float --spot 1e-30:single precision" \
  "--precision float --sigma 9:at most e.60 in single" "--block 3:--block" "--output a.png:written as .csv" "--speeds 1,2,3,4,5:5 numbers, must be one for" \
  "--stream -1:--stream" "--precision half:known. double float" "word:Try"; do
  # shellcheck disable=SC2086
  STARPU_NCPU=2 fails 2 "${wrong#*:}" "wrong: ${wrong%%:*}" "$pricer" ${wrong%%:*}
done
helps_with_none "$pricer" block spacing time-step snapshot{,-every,-box,-stride,-png} colormap range label pixels
"$pricer" --help | grep -A 3 -- '--output' | grep -q '[.]\(h5\|npy\|png\)'; [ $? -eq 1 ]; ok $? "... and only .csv files to write"
fails 2 "unrecognized option '--pixels'" "pictures of prices" "$pricer" --paths 1 --pixels
fails 1 'No such file' "a missing portfolio" "$pricer" --portfolio none.csv
echo 'call,100,100,1,.05,0,.2,1,9' > bad.csv; fails 1 'bad.csv:1:25' "a line with too many values" "$pricer" --portfolio bad.csv
printf 'call,100,100,1,.05,0,.2\nput,100,abc,1,.05,0,.2\n' > bad.csv; fails 1 'bad.csv:2:9: .abc' "a word for a number" "$pricer" --portfolio bad.csv
printf 'call,100,100,1,.05,0,.2\nput,100,100,1,.05,0,9\n' > far.csv
fails 2 'far.csv:2: T = 1.*at most e.60 in single' "a contract that only double precision holds" "$pricer" --portfolio far.csv --precision float
fails 1 'No such file' "an output in a missing folder" "$pricer" --output nowhere/a.csv
fails 1 'bad.json' "a golden file without cases" sh -c "echo 3 > bad.json; exec \"$pricer\" --golden bad.json"
for word in 5 '"0000000"' '"000000000"' '"0000000x"'; do
  others='"00000000", "00000000"'
  echo "{\"cases\": [{\"id\": \"p\", \"fn\": \"philox\", \"input\": {\"counter\": [$word, \"00000000\", $others], \"key\": [$others]}, \"expect\": {\"out\": []}}]}" > word.json
  "$pricer" --golden word.json > tap 2> err; [ $? = 1 ] && grep -q "'counter': word 0 is not a string of eight" tap; ok $? "a golden word $word is refused"
done
fails 1 'std_error' "a golden case that does not hold" sh -c "sed 's/\"std_error\": 0\\./\"std_error\": 1./' \"$here/tests/golden/options.json\" > wrong.json; \"$pricer\" --golden wrong.json | grep '^not ok' >&2; \"$pricer\" --golden wrong.json > /dev/null 2>&1"
done_testing
