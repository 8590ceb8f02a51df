#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# In a program that has set the user's locale, with decimal commas and other grouping, everything is written and read as
# in the C locale, byte by byte; StarPU's models, too. The program's own functions run with the user's locale.
. "${srcdir:-.}/tests/tap.sh"
app=$PWD/tests/runtime/locale trace=$PWD/hetgrid-trace
cd "$work" || exit 99
[ -n "$(type -P localedef)" ] || { skip "no localedef to make a locale"; done_testing; }
mkdir locales
for name in de_DE ps_AF; do localedef -i $name -f UTF-8 "$work/locales/$name.UTF-8" 2> /dev/null; done
export LOCPATH=$work/locales
comma() { env LC_ALL="$1" locale decimal_point 2> /dev/null; }
[ "$(comma de_DE.UTF-8)" = , ] || { skip "localedef cannot make de_DE"; done_testing; }
ok 0 "decimal points of the locales: de_DE '$(comma de_DE.UTF-8)', ps_AF '$(comma ps_AF.UTF-8)'"

# everything that a program writes; what is measured differs from run to run
printf 'rate = 0.875\nsteps = 8\n' > job.txt
seq 1 120 | awk '{ printf "%.3f\n", $1 / 8 }' > lines.in
write() { # write LOCALE FOLDER
  mkdir "$2" && (cd "$2" && LC_ALL=$1 STARPU_HOME=$work/$2/home "$app" main --job ../job.txt --input ../lines.in \
    --boundary west=fixed=2.5,east=insulated,north=fixed=-.125,south=insulated --time-step .125 --spacing .5,.25 --tolerance 1e-9 \
    --output v.csv --output v.mtx --output v.txt --output v.npy --output v.h5 --output v.png --snapshot-every 2 --snapshot s \
    --models learnt --trace=run --phases=phases --repeat 2 --csv > rows 2> err)
}
for locale in C de_DE.UTF-8 ps_AF.UTF-8; do
  [ -n "$(comma $locale)" ] || { skip "no $locale"; continue; }
  write $locale $locale; ok $? "$locale: a program runs and its functions have its locale $(head -n 3 $locale/err)"
  [ "$(ls -A C)" = "$(ls -A $locale)" ]; ok $? "... and writes $(find $locale -maxdepth 1 -type f | wc -l) files"
  for file in C/v.* C/s.*; do same "$file" $locale/"${file#C/}" "... ${file#C/} byte by byte"; done
  fields() { awk -F, '!/^#/ { print NF }' "$@" | sort -u | xargs; }
  for file in rows phases run/summary.csv run/run.csv run/tiles.csv 'learnt/*'; do
    [ -n "$(fields $locale/$file)" ] && [ "$(fields $locale/$file)" = "$(fields C/$file)" ]; ok $? "... lines of $file have the same number of fields: $(fields $locale/$file)"
  done
  values='(^|[^0-9])[0-9]+(,|٫)[0-9]+([^0-9]|$)'
  ! grep -aE "$values" $locale/home/.starpu/sampling/*/* $locale/home/.starpu/sampling/*/*/* $locale/run/paje.trace $locale/run/*.rec \
    $locale/run/*.svg 2> /dev/null > found; ok $? "... and models and traces have no decimal commas $(head -c 200 found)"
  LC_ALL=C STARPU_HOME=$work/$locale/home "$app" main --quiet > out 2> err && [ ! -s err ]; ok $? "... a following run in the C locale resumes it $(head -n 1 err)"
  "$trace" $locale/run > out 2> err; ok $? "... and the trace is read $(head -n 1 err)"
done

for locale in C de_DE.UTF-8; do
  for i in 1 2; do
    succeeds "$locale: a loop in which the locale changes" env LC_ALL=$locale "$app" loop $locale.csv
    succeeds "$locale: divisible jobs" env LC_ALL=$locale "$app" pieces pieces-$locale
  done
done
same C.csv de_DE.UTF-8.csv "... writes the same"
! grep -rE '[0-9],[0-9]+e|[0-9],[0-9]{3,},' pieces-de_DE.UTF-8 > found; ok $? "... and models without decimal commas $(head -n 1 found)"
succeeds "the models of one locale are read in the other" env LC_ALL=C "$app" pieces pieces-de_DE.UTF-8
fails 2 "rate: 0,5|'0,5'" "an option has a decimal point, too" env LC_ALL=de_DE.UTF-8 "$app" main --rate 0,5
done_testing
