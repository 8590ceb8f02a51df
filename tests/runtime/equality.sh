#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs through the whole program equal the serial reference bit for bit: sizes, boundaries, depths, tiles, workers,
# policies, partitions, precisions, kernels.
. "${srcdir:-.}/tests/tap.sh"

verify() { succeeds "$*" "$heat" --quiet --verify --init random "$@"; }

for size in 1 2 3 7,1 1,7 1,1,1 13,17 97,3 2,2,2 101,103 11,13,17; do
  for boundary in fixed insulated periodic; do verify --size $size --steps 7 --boundary $boundary; done
done
verify --size 40,30 --steps 9 --boundary west=fixed=3,east=insulated,north=insulated,south=fixed
verify --size 40,30 --steps 9 --boundary west=periodic,east=periodic,north=insulated,south=fixed=-2.5
verify --size 9,8,7 --steps 11 --boundary up=insulated,down=fixed=4,west=periodic,east=periodic
for block in 1 2 5 16 31; do verify --size 61,67 --steps 31 --block $block --tile 19,23 --boundary insulated; done
for tile in 1,1 5,64 64,5 200,200; do verify --size 64,64 --steps 6 --block 3 --tile $tile --boundary periodic; done
verify --size 20,21,22 --steps 9 --block 4 --tile 7,8,9 --boundary insulated --alpha .1,.12,.14
verify --size 1000 --steps 200 --block 50 --tile 170
for precision in double float; do
  for kernel in naive baseline auto; do verify --size 150,90 --steps 20 --precision $precision --kernel $kernel --source .25; done
done
for partition in rows columns two-factor; do verify --size 50,70 --steps 12 --partition $partition --speeds 3,1 --boundary periodic; done
verify --size 50,70 --steps 12 --speeds 0,1
for sched in eager lws dmdar modular-heft prio; do verify --size 200,150 --steps 30 --tile 64,40 --sched $sched --boundary insulated; done
for cpus in 1 2; do STARPU_NCPU=$cpus verify --size 200,150 --steps 30 --boundary insulated; done
verify --size 30,30 --steps 0
verify --size 90,70 --steps 700
verify --size 13,17,11 --steps 300 --boundary periodic

# if a task's overhead exceeds its work, one worker does everything, unless an option says how to divide it
tile_of() { "$heat" --size 90,70 --steps 700 --csv "$@" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["tile_w"], $at["tile_h"] }'; }
[ "$(tile_of)" = "90 70" ]; ok $? "a small grid stays whole"
[ "$(tile_of --block 12)" != "90 70" ]; ok $? "... but not if the user divides it"

seq -s, 1 77 | tr ',' '\n' | paste -sd',,,,,,\n' > "$work/source.csv"
verify --size 7,11 --steps 10 --source "$work/source.csv" --boundary insulated --tile 3,4 --block 2

# the result does not depend on the division of the work
"$heat" --quiet --size 120,90 --steps 50 --init random --boundary periodic --output "$work/a.npy"
for how in "--block 1" "--tile 11,90" "--partition columns --speeds 1,5" "--sched eager"; do
  "$heat" --quiet --size 120,90 --steps 50 --init random --boundary periodic --output "$work/b.npy" $how
  same "$work/a.npy" "$work/b.npy" "the file is the same with $how"
done

# stopping by tolerance gives the state of that step, whatever the depth of blocks
"$heat" --size 30,30 --init hotspot --tolerance 1e-3 --check-every 10 --csv > "$work/c1"
"$heat" --size 30,30 --init hotspot --tolerance 1e-3 --check-every 10 --csv --block 2 --tile 9,9 > "$work/c2"
s1=$(tail -n 1 "$work/c1" | cut -d, -f6) s2=$(tail -n 1 "$work/c2" | cut -d, -f6)
[ "$s1" = "$s2" ] && [ "$s1" -gt 10 ] && [ "$s1" -lt 100000 ]; ok $? "the tolerance is reached at the same step ($s1 and $s2)"
done_testing
