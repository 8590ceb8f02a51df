#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hetgrid-jacobi: known numbers, bits against plain loops, stopping, wrong input.
. "${srcdir:-.}/tests/tap.sh"
here=$(cd "${srcdir:-.}" && pwd) here_built=$PWD
jacobi=$PWD/hetgrid-jacobi calibrate=$PWD/hetgrid-calibrate simulate=$PWD/hetgrid-simulate
cd "$work" || exit 99
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' "$2"; }
close_to() { awk -v a="$1" -v b="$2" -v eps="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= eps * (b < 0 ? -b : b)) }'; }
inside() { awk -F, 'NR > 1 { for (i = 2; i < NF; i++) row[NR] += $i } { n = NR } END { for (r = 2; r < n; r++) s += row[r]; printf "%.15g", s }' "$1"; }

"$jacobi" --golden "$here/tests/golden/relaxation.json" > tap; status=$?
ok $status "golden relaxation: $(grep -c '^ok' tap) of $(tail -n 1 tap | cut -d. -f3) cases hold $(grep '^not ok' tap | head -n 3 | tr '\n' ' ')"
fails 2 'on one rank, not on 2' "... but not on several ranks, since only one has the result" "$ranks" 2 "$jacobi" --golden "$here/tests/golden/relaxation.json"

# sum over the m x m inner points if the last row is sin(pi x) (exact numbers of the discrete problem)
"$jacobi" --size 8,8 --max-sweeps 10 --quiet --output a.csv
close_to "$(inside a.csv)" 4.8970585647190585 1e-12; ok $? "laplace, m = 6, 10 sweeps: the sum inside is $(inside a.csv)"
"$jacobi" --size 33,33 --max-sweeps 400 --quiet --output a.csv
close_to "$(inside a.csv)" 161.13216770321105 1e-12; ok $? "laplace, m = 31, 400 sweeps: $(inside a.csv)"
close_to "$(awk -F, 'NR == 17 { print $17 }' a.csv)" 0.1533806847403535 1e-12; ok $? "... and the centre"

# the discrete solution of poisson is sin sin times (h pi)^2 / (2 (1 - cos h pi))
"$jacobi" --size 17,17 --problem poisson --error 1e-9 --quiet --output p.csv
awk -F, 'BEGIN { pi = atan2(0, -1); h = pi / 16; f = h * h / (2 * (1 - cos(h))) }
  { for (i = 1; i <= NF; i++) { d = $i - f * sin((i - 1) * h) * sin((NR - 1) * h); if (d < 0) d = -d; if (d > w) w = d } }
  END { print w > "worst"; exit !(w <= 1e-9) }' p.csv
ok $? "--error 1e-9 holds for poisson (worst $(cat worst))"

fails 2 'not with --problem poisson' "another f for poisson" "$jacobi" --size 9,9 --problem poisson --source 1 --error 1e-3

# the distance of points is the same number in the equation, in f and in files
apart() { # apart NX NY H FILE.csv: largest |f + lap u| for poisson's f at x h, y h
  awk -F, -v nx="$1" -v ny="$2" -v h="$3" 'BEGIN { pi = atan2(0, -1) } { for (i = 1; i <= NF; i++) u[NR - 1, i - 1] = $i }
    END { for (y = 1; y < ny - 1; y++) for (x = 1; x < nx - 1; x++) {
      r = 2 * pi * pi * sin(pi * x * h) * sin(pi * y * h) + (u[y, x - 1] + u[y, x + 1] + u[y - 1, x] + u[y + 1, x] - 4 * u[y, x]) / (h * h)
      if (r < 0) r = -r; if (r > worst) worst = r } print worst }' "$4"
}
for case in "17 17" "17 33" "33 9" "9 7 --spacing .25" "20 13 --spacing 3.1" "12 12 --spacing .01,.01"; do
  read -r nx ny how <<< "$case"
  h=${how##* }; h=${h%,*}; h=${h:-$(awk "BEGIN { printf \"%.17g\", 1 / ($nx - 1) }")}
  # shellcheck disable=SC2086
  "$jacobi" --size "$nx,$ny" --problem poisson --residual 1e-7 $how --output p.csv --output p.h5 > said 2> err
  awk -v got="$(apart "$nx" "$ny" "$h" p.csv)" -v bound="$(sed -n 's/.*|f + lap u| at most \([0-9.e+-]*\),.*/\1/p' said)" \
    'BEGIN { print got " of " bound; exit !(got <= bound * 1.01 + 1e-12 && bound <= 1e-7) }' > told
  ok $? "poisson on $nx x $ny $how: f + lap u is as expected for h = $h ($(cat told))"
  grep -q "<DataItem Dimensions=\"3\" Format=\"XML\">$(awk "BEGIN { printf \"[0-9.]* %.15g %.15g\", $h, $h }")<" p.xmf; ok $? "... and the points of the result have the same distance"
done
printf 'ncols 9\nnrows 7\nxllcorner 0\nyllcorner 0\ncellsize 30\n' > map.asc
awk 'BEGIN { for (y = 0; y < 7; y++) for (x = 0; x < 9; x++) printf "%d%s", (3 * x + 5 * y) % 7, x < 8 ? "," : "\n" }' > map.csv
tr , ' ' < map.csv >> map.asc
"$jacobi" --problem map.asc --source 1 --max-sweeps 50 --quiet --verify --output map.npy
"$jacobi" --problem map.csv --source 1 --max-sweeps 50 --quiet --output plain.npy
"$jacobi" --problem map.csv --source 1 --max-sweeps 50 --quiet --spacing 30 --output spaced.npy --checkpoint spaced.h5
same map.npy spaced.npy "a map's cell size is the distance of points"
! cmp -s plain.npy spaced.npy; ok $? "... which is different without one"
succeeds "a run with --spacing is resumed" "$jacobi" --problem map.csv --source 1 --max-sweeps 60 --quiet --spacing 30 --restart spaced.h5
fails 2 'another problem.*spacing' "... not with another one" "$jacobi" --problem map.csv --source 1 --max-sweeps 60 --quiet --spacing 20 --restart spaced.h5
fails 2 'another problem.*spacing' "... nor without" "$jacobi" --problem map.csv --source 1 --max-sweeps 60 --quiet --restart spaced.h5
fails 2 'spacing: points are 1 apart along x and 2 along y' "axes that differ" "$jacobi" --size 9,9 --spacing 1,2 --max-sweeps 1
sed 's/cellsize 30/dx 30\ndy 20/' map.asc > long.asc
fails 2 'long.asc: points are 30 apart along x and 20 along y' "... of a map" "$jacobi" --problem long.asc --max-sweeps 1
fails 2 'spacing: 20, but the cells of map.asc are 30 apart' "a map and --spacing that differ" "$jacobi" --problem map.asc --spacing 20 --max-sweeps 1
fails 2 'spacing: points are 1e-200 apart, must be in' "points too near" "$jacobi" --size 9,9 --spacing 1e-200 --max-sweeps 1
[ -z "${MPIEXEC:-}" ] || fails 2 'spacing' "ranks with different values" "$ranks" 2 "$each" "$jacobi --size 9,9 --max-sweeps 1 --spacing 1" "$jacobi --size 9,9 --max-sweeps 1 --spacing 2"

# laplace's steady state, and the bound of the 2-norm, which is nearly reached once only the slowest error remains
for m in 15 31; do for sweeps in 20 400; do
  "$jacobi" --size $((m + 2)),$((m + 2)) --tolerance 1e-14 --max-sweeps $sweeps --check-every $sweeps --output s.csv > said 2> err
  awk -F, -v m=$m -v late=$((sweeps > 20)) -v bound="$(awk '/^  2-norm/ { print $7 + 0 }' said)" 'function sinh(a) { return (exp(a) - exp(-a)) / 2 }
    BEGIN { pi = atan2(0, -1); n = m + 1; c = 2 - cos(pi / n); mu = log(c + sqrt(c * c - 1)) }
    { for (i = 2; i < NF; i++) { d = $i - sin((i - 1) * pi / n) * sinh((NR - 1) * mu) / sinh(n * mu); s += d * d } }
    END { s = sqrt(s); print s " of " bound; exit !(s > 0 && s <= bound * 1.0001 && (!late || s > .8 * bound)) }' s.csv > worst
  ok $? "the 2-norm of the error is within the printed bound, m = $m, $sweeps sweeps ($(cat worst))"
done; done
norm() { "$@" --size 90,80 --problem poisson --tolerance 1e-4 --check-every 10 | grep '^  2-norm'; }
norm "$jacobi" > one
norm "$jacobi" --tile 20,9 --partition nphp --speeds 1,3 > several; same one several "... the same bits for other tiles ($(cut -c3- one))"
[ -z "${MPIEXEC:-}" ] || { norm "$ranks" 3 "$jacobi" 2> err > several; same one several "... and on 3 ranks"; }

awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) $i = sprintf("%.17g", $i * 2 ^ -700); print }' map.csv > faint.csv
last() { "$jacobi" "$@" --max-sweeps 200 --verify | sed -n 's/.*last change //p'; }
awk -v a="$(last --problem map.csv --tolerance 1e-3)" -v b="$(last --problem faint.csv --tolerance "$(awk 'BEGIN { printf "%.17g", .001 * 2 ^ -700 }')")" \
  'BEGIN { print a " and " b; exit !(a > 0 && a == b * 2 ^ 700) }' > told
ok $? "the 2-norm of changes whose squares underflow: $(cat told)"

for arguments in "--size 3,3 --max-sweeps 5" "--size 101,67 --max-sweeps 300" "--size 64,90 --problem poisson --max-sweeps 77 --tile 20,20" \
  "--size 83,59 --precision float --max-sweeps 50 --block 7" "--size 70,50 --source 3 --max-sweeps 40 --partition nphp --speeds 1,3" \
  "--size 211,131 --max-sweeps 100 --sched lws"; do
  # shellcheck disable=SC2086
  succeeds "$arguments: bits of plain loops" "$jacobi" $arguments --verify
done
if [ -n "${MPIEXEC:-}" ]; then
  "$jacobi" --size 90,80 --problem poisson --max-sweeps 60 --quiet --output one.npy
  for n in 2 3; do
    succeeds "on $n ranks" "$ranks" $n "$jacobi" --size 90,80 --problem poisson --max-sweeps 60 --quiet --output several.npy
    same one.npy several.npy "... the same bits"
  done
fi
"$jacobi" --size 60,60 --max-sweeps 50 --quiet --checkpoint c.h5 --output half.npy
"$jacobi" --size 60,60 --max-sweeps 120 --quiet --restart c.h5 --output rest.npy
"$jacobi" --size 60,60 --max-sweeps 120 --quiet --output whole.npy
same rest.npy whole.npy "a restart gives the same bits"

"$jacobi" --size 30,30 --tolerance 1e-5 --csv > row.csv
[ "$(column converged row.csv)" = yes ] && close_to "$(column error_bound row.csv)" "$(awk "BEGIN { print $(column change row.csv) * 29 * 29 / 2 }")" 1e-4
ok $? "the change and the error bound by it are reported ($(column change row.csv), $(column error_bound row.csv))"
[ "$(column app row.csv)" = jacobi ] && [ "$(column mode row.csv)" = sync ]; ok $? "columns of heat, then its own"
"$jacobi" --size 30,30 --residual .1 --csv > row.csv
awk "BEGIN { exit !(4 * $(column change row.csv) * 29 * 29 <= .1) }"; ok $? "--residual .1 is kept"
"$jacobi" --size 30,30 --mode async --tolerance 1e-4 --csv > row.csv
[ "$(column converged row.csv)" = yes ] && awk "BEGIN { exit !($(column change row.csv) > 0 && $(column change row.csv) <= 1e-4) }"
ok $? "--mode async ends at its tolerance, not when nothing changes any more ($(column change row.csv))"

# printed bounds hold, including rounding, and are not much too large: random problems against a direct solution
relaxed=$here_built/tests/examples/relaxed
draw() { awk -v nx="$1" -v ny="$2" -v base="$3" -v spread="$4" -v seed="$5" 'BEGIN { srand(seed)
  for (y = 0; y < ny; y++) for (x = 0; x < nx; x++) printf "%.17g%s", base + spread * rand(), x < nx - 1 ? "," : "\n" }'; }
bounded() { # bounded NX NY BASE SPREAD E ARGUMENTS...: the bounds hold, and so does the report on reaching E
  local nx=$1 ny=$2 base=$3 spread=$4 error=$5 source=; shift 5
  draw "$nx" "$ny" "$base" "$spread" "$((nx + ny))" > start.csv
  [[ " $* " != *" --source "* ]] || { source=f.csv; draw "$nx" "$ny" -50 100 3 > f.csv; }
  # shellcheck disable=SC2086
  timeout $hang $launch "$jacobi" --problem start.csv --error "$error" "$@" --output end.csv > said 2> err || { ok 1 "$* on $nx x $ny: $(cat err)"; return; }
  # shellcheck disable=SC2086
  "$relaxed" "$nx" "$ny" start.csv end.csv $source > true
  awk -v wanted="$error" -v missed="$(grep -c 'not converged.*--error' err)" -v base="$base" -v spread="$spread" -v unit="$([[ " $* " == *float* ]] && echo 6.1e-8 || echo 4.5e-16)" 'FILENAME == "true" { worst = $1; norm = $2 } /^  error/ { bound = $4 } /^  2-norm/ { bound2 = $7 + 0 }
    END { printf "error %g of %g, 2-norm %g of %g, asked for %g%s", worst, bound, norm, bound2, wanted, missed ? ", not reached" : ""
      if (base < 0) base = -base
      few = unit * base > 1e-3 * spread # values that differ by little more than rounding
      exit !(bound != "" && worst <= bound && norm <= bound2 && bound <= (few ? 400 : 20) * worst + unit * base + (missed ? 0 : wanted) && missed == (bound > wanted * 1.0005)) }' true said > told
  ok $? "$base + $spread random, $nx x $ny, $launch $*: $(cat told)"
}
launch=
for numbers in "0 1" "100 1" "1e6 1" "1e-30 1e-31" "1 0" "0 0" "-7 .01"; do for precision in float double; do
  read -r base spread <<< "$numbers"
  bounded 40 40 "$base" "$spread" 1e-2 --precision $precision
  bounded 3 200 "$base" "$spread" 1e-9 --precision $precision
  bounded 31 20 "$base" "$spread" 1e-6 --precision $precision --source f.csv
  bounded 17 30 "$base" "$spread" 1e-30 --precision $precision --mode async
done; done
[ -z "${MPIEXEC:-}" ] || for mode in sync async; do launch="$ranks 2"; bounded 60 40 100 1 1e-5 --precision float --mode $mode; done
draw 60 60 100 1 1 > swing.csv
for asked in "--residual 1e-3" "--tolerance 1e-9"; do
  # shellcheck disable=SC2086
  "$jacobi" --problem swing.csv --precision float $asked --csv > row.csv 2> err; status=$?
  [ $status = 0 ] && [ "$(column converged row.csv)" = no ] && grep -q "not converged.*$asked; rounding errors keep it from falling further" <(sed 's/--residual 0.001/--residual 1e-3/; s/1e-09/1e-9/' err)
  ok $? "$asked, which oscillating values never reach, ends and says so ($(cat err))"
done
"$heat" --init swing.csv --alpha .25 --precision float --tolerance 1e-9 --csv > row.csv 2> err; status=$?
[ $status = 0 ] && [ "$(column converged row.csv)" = no ] && grep -q 'rounding errors keep it from falling further' err; ok $? "... so does heat ($(cat err))"

fails 2 'stopping criterion' "no end" "$jacobi" --size 9,9
fails 2 'stopping criterion' "a tolerance of 0 alone" "$jacobi" --size 9,9 --tolerance 0
fails 2 'not in 3|no inner points' "a grid without inside" "$jacobi" --size 3,2 --max-sweeps 1
"$jacobi" --size 8 --max-sweeps 10 --quiet --output square.csv && "$jacobi" --size 8,8 --max-sweeps 10 --quiet --output a.csv && cmp square.csv a.csv
ok $? "one number is that of both axes"
fails 2 'rounding allows' "a tolerance below rounding" "$jacobi" --size 9,9 --tolerance 1e-20
printf '1,2,3\n4,nan,6\n7,8,9\n' > bad.csv
fails 1 'finite' "NaN in f" "$jacobi" --size 3,3 --source bad.csv --max-sweeps 1

succeeds "hetgrid-calibrate knows it" "$calibrate" --app jacobi --max-cells 100000 --max-error .9 --budget 120 --quiet
"$jacobi" --size 60,60 --tolerance 1e-4 > said; ! grep -q 'speed tables' said; ok $? "without tables only sweeps are predicted ($(head -n 1 said))"
"$jacobi" --size 60,60 --problem poisson --tolerance 1e-6 --speeds tables: > said
[[ $(head -n 2 said | paste -sd' ') =~ ^about\ ([0-9.e+]+)\ sweeps\ .*\ about\ ([0-9.e-]+)\ s\ by\ the\ speed\ tables\ for\ ([0-9.e+]+)\ sweeps$ ]]
ok $? "with heat's table it predicts sweeps and s before a run ($(head -n 2 said | paste -sd' '))"
awk -v needed="${BASH_REMATCH[1]:-0}" -v made="${BASH_REMATCH[3]:-0}" -v s="${BASH_REMATCH[2]:-0}" '/^  predicted/ { after = $2 } / steps in blocks/ { steps = $(NF - 5) }
  END { print steps; exit !(made >= needed && made < needed + 110 && s > 0 && (d = s / made - after / steps) < .02 * s / made && d > -.02 * s / made) }' said > steps
ok $? "... up to the next check, with the same time per sweep as afterwards ($(cat steps) were made)"
"$jacobi" --size 60,60 --max-sweeps 70 --speeds tables: | grep -Eq '^about [0-9.e-]+ s by the speed tables for 70 sweeps$'; ok $? "... and s if the sweeps are given"
if [ -x "${simulate%simulate}jacobi-sim" ] && command -v smpirun > /dev/null; then
  succeeds "hetgrid-simulate knows it" "$simulate" --platform thesis --app jacobi --size 800,800 --steps 20 --csv
  awk -F, 'NR == 2 { exit !($2 == "jacobi" && $13 > 0) }' "$work/out"; ok $? "... and reports a time ($(tail -n 1 "$work/out" | cut -c1-90))"
else
  skip "no programs in virtual time"
fi
"$jacobi" --quiet --size 20,20 --tolerance 0 --max-sweeps 20 --output zero.npy && "$jacobi" --quiet --size 20,20 --max-sweeps 20 --output none.npy
same zero.npy none.npy "a tolerance of 0 counts as none if --max-sweeps is given"
for seed in 1 3; do "$jacobi" --quiet --size 20,20 --problem random --seed $seed --max-sweeps 5 --output seed$seed.npy; done
"$jacobi" --quiet --size 20,20 --problem random --max-sweeps 5 --output seed.npy
same seed.npy seed1.npy "--seed is 1 by default"
! cmp -s seed1.npy seed3.npy; ok $? "... and another one starts otherwise"
done_testing
