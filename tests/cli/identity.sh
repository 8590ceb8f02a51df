#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every option of every program that keeps checkpoints is changed between a checkpoint and --restart: either the run has
# the bits of one that was never interrupted, or it is refused with what differs. An option without a line here fails.
. "${srcdir:-.}/tests/tap.sh"
jacobi=$PWD/hetgrid-jacobi adr=$PWD/hetgrid-adr pricer=$PWD/hetgrid-pricer examples=$PWD/apps/examples
cd "$work" || exit 99

# Options of the frame, each with values that change it; without one: those that are tested elsewhere or end a program.
common="--partition columns
--speeds 1,2
--objective energy
--network none.json
--sched eager
--rebalance off
--models learnt
--block 1
--tile 7,5
--spacing .5
--time-step .25
--snapshot-every 7
--snapshot s --snapshot-every 5
--snapshot-box 1,1:3,3 --snapshot t --snapshot-every 5
--snapshot-stride 2 --snapshot u --snapshot-every 5
--snapshot-png --snapshot v --snapshot-every 5
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
--meter-offset 1
--colormap inferno
--label degrees
--range 0,1
--quiet"
apart="--restart --plan-only --output --show --golden --help --usage --version --job"

goes_on() { # goes_on NAME CHANGE...: as `first` and `second` say, after state.h5
  local name=$1 status=0 whole=0; shift
  rm -rf got.* want.* traced learnt other.h5 third.h5 fourth.h5 ./*.previous.h5 h.csv [stuv].* {heat,jacobi,average}.{0,x}*
  timeout $hang "${second[@]}" "$@" --restart state.h5 --output got.$ending > "$work/out" 2> "$work/err" || status=$?
  if [ $status -ne 0 ] && grep -q 'another problem (.* there, .* here' "$work/err"; then
    ok 0 "$name $*: refused ($(grep -o '(.*)' "$work/err" | cut -c1-100))"
    return
  fi
  rm -rf traced learnt
  timeout $hang "${second[@]}" "$@" --output want.$ending > "$work/out" 2> "$work/whole" || whole=$?
  if [ $status -ne 0 ]; then
    [ $status -eq $whole ]; ok $? "$name $*: ends as the whole run does, with $status, $whole ($(tail -n 1 "$work/err" | cut -c1-100))"
  else same want.$ending got.$ending "$name $*: the bits of a run that was never interrupted"; fi
}
changes() { # changes NAME ENDING: those on stdin, after `first` has written state.h5; every option of its help is one
  local name=$1 line tried=" $apart "; ending=$2
  while read -r -a line; do
    tried+="${line[0]%%=*} "
    goes_on "$name" "${line[@]}"
  done
  for option in $("${second[0]}" --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u); do
    [[ "$tried" == *" $option "* ]] || ok 1 "$name $option has a line in this test"
  done
}

first=("$heat" --quiet --size 24,20 --init random --alpha .1 --steps 20)
second=("${first[@]}" --steps 30)
"$heat" --quiet --size 24,20 --init random --steps 0 --output random.npy
cp random.npy other.npy; printf x | dd of=other.npy bs=1 seek=1400 conv=notrunc 2> /dev/null
"${first[@]}" --checkpoint state.h5
changes heat npy << END
$common
--size 20,24
--steps 31
--alpha .1,.1
--alpha .1,.2
--allow-unstable
--precision float
--boundary periodic
--boundary fixed=1
--init hotspot
--init random.npy
--source 1
--tolerance 1e-12
--check-every 7
--seed 2
--kernel naive
--verify
END
first=("$heat" --quiet --init random.npy --source random.npy --steps 20)
second=("${first[@]}" --steps 30)
"${first[@]}" --checkpoint state.h5
cp random.npy kept.npy
goes_on "heat with files"
for file in init source; do
  goes_on "heat with files" --$file kept.npy
  grep -q . got.npy 2> /dev/null; ok $? "... which is taken by its contents, not its name"
  fails 2 "--$file.* there, other.npy .contents .* here" "other contents of --$file" "${second[@]}" --$file other.npy --restart state.h5
done
cp other.npy random.npy
fails 2 'input.*random.npy .contents .* there, random.npy .contents .* here' "... under the same name" "${second[@]}" --restart state.h5

first=("$jacobi" --quiet --size 20,18 --problem poisson --max-sweeps 20)
second=("${first[@]}" --max-sweeps 40)
"${first[@]}" --checkpoint state.h5
changes jacobi npy << END
$common
--size 18,20
--problem laplace
--problem kept.npy
--source 1
--precision float
--max-sweeps 50
--tolerance 1e-3
--residual 1e-3
--error 1e-3
--seed 2
--check-every 7
--inner 2
--mode async
--detect persistent
--delay-bound 1
--eager
--verify
END

first=("$adr" --quiet --size 5 --time .02 --steps 4)
second=("$adr" --quiet --size 5 --time .04 --steps 8)
export STARPU_NCPU=1
"${first[@]}" --checkpoint state.h5
changes adr npy << END
$(grep -v -e --block -e --network -e --models -e --tile -e --spacing -e --time-step -e --snapshot <<< "$common")
--problem conserve
--size 6
--time .05
--time .05 --steps 10
--steps 7
--scheme bdf2
--tolerance 1e-5
--history h.csv
--verify
--overlap 1
--inner bicg
--inner-tolerance .01
--inner-precision double
--jacobian step
--max-sweeps 100
--mode async
--detect persistent
--delay-bound 1
--eager
--force-async
END
export STARPU_NCPU=2

first=("$pricer" --quiet --option asian-call --fixings 512 --paths 3e6 --checkpoint-every 1)
second=("${first[@]}")
"${second[@]::7}" --checkpoint kept.h5 --checkpoint-every 1
cp kept.previous.h5 state.h5
second=("${first[@]::7}")
printf 'type,S,K,T,r,q,sigma,fixings\nasian-call,101,100,1,.05,0,.2,512\n' > book.csv
changes pricer csv << END
$(grep -v -e --block -e --spacing -e --time-step -e --snapshot -e --colormap -e --label -e --range -e --tile <<< "$common")
--tile 2
--option call
--fixings 256
--paths 2e6
--std-error .1
--control
--greeks
--precision float
--seed 2
--stream 3
--spot 101
--strike 101
--time 2
--rate .01
--yield .01
--sigma .3
--tolerance 1e-9
--portfolio book.csv
--dynamic
END

first=("$examples/average" --quiet --size 24,20 --steps 20)
second=("${first[@]}" --steps 30)
"${first[@]}" --checkpoint state.h5
changes average npy << END
$common
--dimension 3
--size 20,24
--input random
--boundary periodic
--steps 31
--tolerance 1e-9
--check-every 7
--neighbours 3
--blocks 2
--threads 64
--verify
END
first=("$examples/random_graph" --quiet --size 24,20 --steps 7)
second=("${first[@]}" --steps 12)
"${first[@]}" --checkpoint state.h5
for change in "--input random" "--tile 7,5" "--size 20,24" "--neighbours 5" "--boundary periodic"; do goes_on random_graph $change; done
done_testing
