#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# For every program with checkpoints, each option is changed between a checkpoint and --restart. Either the run has the
# bits of an uninterrupted one, or it is refused with the difference. An option without a line here fails the test.
. "${srcdir:-.}/tests/tap.sh"
jacobi=$PWD/hetgrid-jacobi adr=$PWD/hetgrid-adr pricer=$PWD/hetgrid-pricer examples=$PWD/apps/examples
cd "$work" || exit 99

# One change per line. By default it must not change the bits. After ~ the run must have the bits of a whole run with
# the change; after ! it must be refused with the difference; after x it is an error with or without a checkpoint.
common="--partition columns
--speeds 1,2
--factors .5,.3,.2 --speeds 1,2 --links 1,2 --memories 1,1
--links 2,1 --speeds 1,2 --factors .5,.5,0 --memories 1,1
--memories 2,1 --speeds 1,2 --factors .5,0,.5 --links 1,2
x --objective energy
--sched eager
--rebalance off
--checkpoint other.h5
--checkpoint-every 3 --checkpoint third.h5
--checkpoint-minutes 1 --checkpoint fourth.h5
--repeat 2
--warmup 1
--progress off
--csv
--phases
--trace=traced
--energy
x --meter-offset 1
--quiet"
pictures="--picture drawn.png
--colormap inferno
--label degrees
--range 0,1
--pixels"
grids="x --network none.json
--models learnt
--time-block 1
--tile 7,5
--time-step .25
--snapshot-every 7
--snapshot s --snapshot-every 5
--snapshot-box 1,1:3,3 --snapshot t --snapshot-every 5
--snapshot-stride 2 --snapshot u --snapshot-every 5
--snapshot-png --snapshot v --snapshot-every 5"
apart="--restart --plan-only --output --show --golden --help --usage --version --job" # options that end a program, or are tested elsewhere

keep() { # keep ENDING NAME: `first` writes state.h5, from which `second` continues to the bits of want.ENDING
  ending=$1
  rm -f state.h5 state.previous.h5
  succeeds "$2 with a checkpoint" "${first[@]}" --checkpoint state.h5
  [ ! -s state.previous.h5 ] || [ -z "${within:-}" ] || mv state.previous.h5 state.h5
  succeeds "$2 without" "${second[@]}" --output want.$ending
  try "$2"
}
restart() { # restart CHANGE...
  rm -rf got.* traced learnt other.h5 third.h5 fourth.h5 ./*.previous.h5 h.csv [stuv].* {heat,jacobi,average}.{0,x}*
  timeout $hang "${second[@]}" "$@" --restart state.h5 --output got.$ending > "$work/out" 2> "$work/err"
}
try() { # try NAME [~|!|x] CHANGE...
  local name=$1 kind='' status=0; shift
  case ${1:-} in [~!x]) kind=$1; shift ;; esac
  restart "$@" || status=$?
  case $kind in
  '!') [ $status -eq 2 ] && grep -q 'another problem (.* there, .* here' "$work/err"
    ok $? "$name $*: refused ($status: $(tail -n 1 "$work/err" | cut -d: -f2- | cut -c1-110))" ;;
  x) [ $status -ne 0 ] && ! grep -q 'another problem' "$work/err"
    ok $? "$name $*: an error ($status: $(tail -n 1 "$work/err" | cut -c1-110))" ;;
  *) [ $status -eq 0 ] || { ok 1 "$name $*: continues ($status: $(tail -n 1 "$work/err"))"; return; }
    cp want.$ending whole.$ending
    [ -z "$kind" ] || timeout $hang "${second[@]}" "$@" --output whole.$ending > "$work/out" 2>&1
    same whole.$ending got.$ending "$name $*: the bits of a run that was never interrupted" ;;
  esac
}
changes() { # changes NAME: tries the changes on stdin, which must cover each option of the help
  local name=$1 line tried=" $apart "
  while read -r -a line; do
    case ${line[0]} in [~!x]) tried+="${line[1]%%=*} " ;; *) tried+="${line[0]%%=*} " ;; esac
    try "$name" "${line[@]}"
  done
  for option in $("${second[0]}" --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u); do
    [[ "$tried" == *" $option "* ]] || ok 1 "$name $option has a line in this test"
  done
}

first=("$heat" --quiet --size 24,20 --init random --alpha .1 --steps 20)
second=("${first[@]}" --steps 30)
"$heat" --quiet --size 24,20 --init random --steps 0 --output random.npy
"$heat" --quiet --size 24,20 --init random --seed 9 --steps 0 --output other.npy
printf '0,7\n9,8\n' > 7.csv
keep npy heat
changes heat << END
$common
$pictures
$grids
--spacing .5
! --size 20,24
~ --steps 31
--alpha .1,.1
! --alpha .1,.2
x --diffusivity 1 --time-step .1 --spacing 1
--allow-unstable
! --precision float
! --boundary periodic
! --boundary fixed=1
! --boundary fixed=7.csv
! --boundary-every 3 --boundary fixed=7.csv
x --boundary-every 3
! --input hotspot
! --source 1
--tolerance 1e-300
--check-every 7
! --seed 2
--kernel naive
--verify
x --nodata mask
END
"$heat" --quiet --size 20,20 --steps 20 --checkpoint state.h5 2> err
[ $? -eq 2 ] && grep -q 'state.h5: exists and is not replaced.*NX 24 there, 20 here' err; ok $? "its checkpoint is not replaced by another problem's"
cp state.h5 only.previous.h5
fails 2 'only.previous.h5: exists and is not replaced' "nor is the previous one" "$heat" --quiet --size 20,20 --steps 20 --checkpoint only.h5
[ ! -e only.h5 ]; ok $? "... which is found before anything is computed"
printf x | dd of=state.h5 bs=1 seek=3000 conv=notrunc 2> /dev/null
fails 2 'state.h5: exists .* damaged' "nor is a damaged one kept in place of a whole one" "${first[@]}" --checkpoint state.h5

first=("$heat" --quiet --init in.npy --source source.npy --steps 20)
second=("${first[@]}" --steps 30)
cp random.npy in.npy; cp random.npy source.npy; cp random.npy kept.npy
keep npy "heat with files"
for file in init source; do
  try "heat with files" --$file kept.npy
  try "heat with files" ! --$file other.npy
done
cp other.npy in.npy
fails 2 'input.*in.npy .contents .* there, in.npy .contents .* here' "other contents under the same name" "${second[@]}" --restart state.h5

first=("$jacobi" --quiet --size 20,18 --problem poisson --max-sweeps 20)
second=("${first[@]}" --max-sweeps 40)
keep npy jacobi
changes jacobi << END
$common
$pictures
$grids
! --size 18,20
! --problem laplace
! --problem kept.npy
x --source 1
! --precision float
! --spacing .5
~ --max-sweeps 50
--tolerance 1e-12
--residual 1e-12
--error 1e-9
! --seed 2
--check-every 7
x --inner-sweeps 2
x --mode async
x --detect persistent
x --delay-bound 1
x --eager
x --verify
END

export STARPU_NCPU=1 # the last bits depend on the number of blocks
first=("$adr" --quiet --size 5 --time .02 --steps 4)
second=("$adr" --quiet --size 5 --time .04 --steps 8)
keep npy adr
changes adr << END
$(grep -v -e --speeds <<< "$common")
--speeds 1
--factors 1,0,0 --speeds 1 --links 1 --memories 1
--links 1 --speeds 1 --factors 1,0,0 --memories 1
--memories 1 --speeds 1 --factors 1,0,0 --links 1
$pictures
! --problem conserve
! --size 6
! --time .05
~ --time .05 --steps 10
~ --stop-after 6
! --steps 7
! --scheme bdf2
! --tolerance 1e-5
--history h.csv
--verify
! --overlap 1
! --inner-solver bicg
! --inner-tolerance .01
! --inner-precision double
! --jacobian step
--max-sweeps 100
~ --mode async
x --detect persistent
x --delay-bound 1
x --eager
x --force-async
END
export STARPU_NCPU=2

second=("$pricer" --quiet --option asian-call --fixings 512 --paths 3e6)
first=("${second[@]}" --checkpoint-every 1)
printf 'type,S,K,T,r,q,sigma,fixings\nasian-call,101,100,1,.05,0,.2,512\n' > book.csv
within=yes keep csv pricer
changes pricer << END
$common
x --network none.json
--models learnt
--tile 2
! --option asian-put
! --fixings 256
! --paths 2e6
! --std-error .1
! --control
! --greeks
! --precision float
! --seed 2
! --stream 3
! --spot 101
! --strike 101
! --time 2
! --rate .01
! --yield .01
! --sigma .3
! --tolerance 1e-9
x --portfolio book.csv
--dynamic
END

first=("$examples/average" --quiet --size 24,20 --steps 20)
second=("${first[@]}" --steps 30)
keep npy average
changes average << END
$common
$pictures
$grids
--spacing .5
x --dimension 3
! --size 20,24
! --input random
! --boundary periodic
! --boundary-every 3 --boundary fixed=7.csv
x --boundary-every 3
--precision double
x --precision float
~ --steps 31
--tolerance 1e-300
--check-every 7
--verify
--neighbours 3
--cuda-blocks 2
--cuda-threads 64
END
first=("$examples/random_graph" --quiet --size 24,20 --steps 7)
second=("${first[@]}" --steps 12)
keep npy random_graph
try random_graph ! --input random
try random_graph --tile 7,5
try random_graph --neighbours 5
try random_graph ! --size 20,24
done_testing
