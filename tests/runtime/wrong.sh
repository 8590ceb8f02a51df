#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Wrong applications end with one line that names the fault and its place, on all ranks; nothing crashes.
. "${srcdir:-.}/tests/tap.sh"
stored=$PWD/tests/examples/wrong formula=$PWD/tests/examples/wrong_stencil average=$PWD/apps/examples/average
cd "$work" || exit 99

run() { fails 2 "$2" "stored neighbours, $1" "$stored" $1; }
run stop               'unit 17 \(7, 1, 0\), step 3: stopped with code 42'
run many               'unit 17 \(7, 1, 0\), step 3: neighbour number 9, the unit has [0-4] and the first is 0'
run elsewhere          'unit 17 \(7, 1, 0\), step 3: hg_get reads unit \(9, 9, 0\)'
run neighbour-outside  'unit 17 \(7, 1, 0\), step 0: neighbour 100, must be in 0..99'
run neighbour-negative 'unit 17 \(7, 1, 0\), step 3: neighbour -1, must be in 0..99'
run limit              'unit .*, step 0: more neighbours than .* 4'
run zone-outside       'step 2: a zone of 6 x 1 x 1 units at \(5, 0, 0\)'
run zones              'step 0: more than 16 zones'
run init               'unit 5 is not wanted'
run init-silent        'unit 5 \(5, 0, 0\): init failed'
fails 1 'failed before step 2' "stored neighbours, dynamic" "$stored" dynamic
run get-size           'hg_values_get before step 2: values of 4 bytes, those of job .wrong. have 8'
run set-size           'hg_values_set before step 2: values of 9 bytes'
run get-id             'hg_values_get before step 2: unit 100, must be in 0..99'
run update             'no update'
run divide             'cover|covered'
run divide-silent      '.divide. failed for'
run array              "defined by HG_UPDATE_ARRAY, so .length. must not be NULL"
run length             "defined by HG_UPDATE, so .length. must be NULL"
run array-length       'unit 17 \(7, 1, 0\): a value of -1 elements'
fails 2 'needs .number.' "values that are not numbers cannot be written, which is found before the first step" \
  "$stored" array-of-one --steps 1000000000 --output never.npy
"$stored" array-of-one > out; ! grep result out; ok $? "... and have neither a smallest nor a largest"
run quantity           "8 in update|8 bytes in update"
run also-twice         "has 'wrong', must have .* a name of its own"
run also-empty         "has 'depth', must have a function"
run also-many          'more than 7 numbers'
run tolerance          'a tolerance needs a quantity'
run parameters         '3000 bytes of parameters'
run null-parameters    'parameters at NULL'
run dims               '4 dimensions \(Job_Dimension\), must be 1..3'
run size               'size -3 along axis 0'
run huge               'units \(Job_Size\), must be'
run both               'both .neighbours. and .zone.'
run boundary           'boundary needs neighbours by formula'
run source             'a source needs an update with its own .tile.'
run threads            'threads \(nThread\) is 1025, must be in 0..1024'
fails 1 'nothing.npy' "stored neighbours, input" "$stored" input
fails 1 'input.in: there is no such file; it is read where neither --input' "stored neighbours, no init and no input.in" "$stored" no-init

run() { fails 2 "$2" "formula, $1" "$formula" $1; }
run far        'unit 17 \(7, 1, 0\), step 3: hg_at reads 2 away, HG_RADIUS is 1'
run stop       'unit 17 \(7, 1, 0\), step 3: stopped with code 42'
run neighbours 'has HG_RADIUS 1, so .neighbours.'
run zone       'has HG_RADIUS 1, so .neighbours.'
run boundary   'reflecting'
run value      'three'
run third      'is for 2 dimensions, the job has 3'
run get-size   'values of 4 bytes'
run after      'unit 17 \(7, 1, 0\), step 3: hg_value_after may only be used by quantities'
for way in own listed one got; do
  run $way     'unit 17 \(7, 1, 0\), step 3: hg_values, hg_neighbours or hg_get with HG_RADIUS 1'
done
for way in wide wide-listed wide-one; do
  fails 2 'unit 17 \(7, 1, 0\), step 3: quantity .wide. reads another unit|step 3: hg_values, hg_neighbours or hg_get with' \
    "formula, a quantity: $way" "$formula" $way
done
for way in wide wide-listed wide-one wide-got; do
  fails 2 'unit 17 \(7, 1, 0\), step 3: quantity .wide. reads another unit' "stored neighbours, a quantity: $way" "$stored" $way
done
fails 2 'unit 17 \(7, 1, 0\), step 3: hg_value_after may only be used by quantities' "stored neighbours, hg_value_after in an update" "$stored" after
succeeds "a quantity that reads its own unit is right" "$stored" wide-nothing --quiet
succeeds "an application without faults runs" "$stored" nothing --quiet
succeeds "... by formula too" "$formula" nothing --quiet

printf 'Job_Size = 10,10\nJob_Colour = red\n' > job.txt
fails 1 'job.txt:2:1: .Job_Colour. is neither' "a job file with an unknown name" "$average" --job job.txt
printf 'Job_Size = ten\n' > job.txt
fails 2 'Job_Size' "a job file with a wrong value" "$average" --job job.txt
fails 1 'missing.txt' "a missing job file" "$average" --job missing.txt
fails 2 '[-]-jo is not the full name of an option; did you mean --job' "... with the option's name cut short" "$average" --jo missing.txt
fails 1 'missing.txt' "... after a =" "$average" --job=missing.txt
fails 2 'unexpected argument' "a value after -- is not one of --job" "$average" -- --job missing.txt
mkfifo pipe.txt
fails 1 'pipe.txt: a pipe' "a pipe as job file" "$average" --job pipe.txt
fails 1 'pipe.txt: a pipe' "a pipe as text input" "$average" --input pipe.txt
fails 1 'units of rank 0 need .* GB' "units beyond memory" "$stored" nothing --size 300000,300000
fails 1 'tiles of rank 0 need .* GB' "... by formula too" "$formula" nothing --size 300000,300000
fails 2 'ending' "an output of unknown kind" "$average" --output out.xyz
for line in 1,5 1.5x 0x10 inf 1e; do
  printf '1\n2\n%s\n' $line > lines.in
  fails 1 "lines.in: line 3: '$line' does not begin with a number" "a line that begins with $line is not a number" \
    "$stored" no-init --input lines.in --dimension 1 --size 3
done
printf '1\n2\nthree\n' > lines.in
fails 1 "lines.in: line 3: 'three'" "a line that is not a number" "$stored" no-init --input lines.in --dimension 1 --size 3
printf '1\n2\n1e999\n' > large.in
fails 1 'large.in: inf for unit 2 does not fit' "a number that no value can hold" "$stored" no-init --input large.in --dimension 1 --size 3

if [ -n "${MPIEXEC:-}" ]; then
  for way in stop many neighbour-negative get-size init zone-outside; do
    fails 2 'unit|values|zone' "on 3 ranks all end: $way" $ranks 3 "$stored" $way
  done
  fails 2 'step 3' "on 3 ranks all end, by formula" $ranks 3 "$formula" far
fi
done_testing
