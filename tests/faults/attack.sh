# SPDX-License-Identifier: MIT
# Runs programs repeatedly, each time with another failing call; sourced after tap.sh. Runs take place in $work/run,
# which starts with the files of $work/old. `faulty KIND CALL COMMAND...`, which the test defines, runs the command with
# that call failing, or none (0). It writes the number of calls to $work/count, output to $work/out and $work/err.
#   HETGRID_FAULTS=all    every call of every program; many: CALLS random calls of each kind of every program; otherwise
#                         these calls of quick programs
#   HETGRID_FAULTS_CALLS  CALLS
#   HETGRID_FAULTS_SEED   seed of the random calls (default: the clock); each run prints its seed
#   HETGRID_FAULTS_ONLY   pattern of the attacks to make
CALLS=${HETGRID_FAULTS_CALLS:-3}
SEED=${HETGRID_FAULTS_SEED:-$(date +%s)}
echo "# HETGRID_FAULTS_SEED=$SEED"
mkdir "$work/old" "$work/new" "$work/run" && cd "$work/run" || exit 99

clear() { rm -rf "$work/old"; mkdir "$work/old"; }
restore() { rm -rf "$work/run/"*; cp -r "$work/old/." "$work/run/"; }
plain() { # Cairo numbers its surfaces
  case $1 in *.svg) sed 's/surface[0-9]*//g' "$1" ;; *) cat "$1" ;; esac
}
alike() { [ -e "$1" ] && [ -e "$2" ] && { cmp -s "$1" "$2" || cmp -s <(plain "$1") <(plain "$2"); }; } # alike FILE FILE
whole() { # whole FILE: it is as before, or as a good run writes it; a checkpoint may be of any step
  local other
  [ -e "$1" ] || [ -e "$work/old/$1" ] || return 0
  [ -z "${measured:-}" ] || { cmp -s "$1" "$work/old/$1" || sane "$1"; return; } # differs from run to run
  for other in "$work"/{old,new}/"${1%%.*}"*; do
    if [ "${1%%.*}" = state ] || [ "${other##*/}" = "$1" ]; then ! alike "$1" "$other" || return 0; fi
  done
  return 1
}
left() { ls | grep '\.part'; } # left COMMAND...: temporary files left behind
files() { (cd "$1" && find . -maxdepth 1 -type f -printf '%f\n'); }
complaint() { # complaint STATUS COMMAND...: prints the faults found after a run
  local status=$1 file; shift
  case $status in
    # a run continues after a failed checkpoint, so the previous checkpoint may be older
    0) for file in $(files "$work/new"); do
      alike "$file" "$work/new/$file" || [ "$file" = state.previous.h5 ] || [ -n "${measured:-}" ] || echo "succeeded without $file"
    done ;;
    1) [ -s "$work/err" ] || echo "no message" ;;
    134) if grep -q 'hetgrid: no memory for ' "$work/err"; then policy=$((policy + 1)); else echo "aborts"; fi ;;
    *) echo "status $status" ;;
  esac
  for file in $(files "$work/new"); do whole "$file" || echo "$file is damaged"; done
  [ $status != 134 ] || "$@" > /dev/null 2>&1 # a process that aborts cannot tidy up; the next run does
  for file in $(left "$@"); do echo "$file is left"; done
}
numbers() { # numbers COUNT NAME: the calls to try, one from each of CALLS equal parts
  local i
  if [ "${HETGRID_FAULTS:-}" = all ] || [ "$1" -le "$CALLS" ]; then seq 1 "$1"; return; fi
  RANDOM=$(cksum <<< "$SEED $2" | cut -d' ' -f1)
  for ((i = 0; i < CALLS; i++)); do
    echo $((i * $1 / CALLS + 1 + (RANDOM << 15 | RANDOM) % ((i + 1) * $1 / CALLS - i * $1 / CALLS)))
  done
}
attack() { # attack NAME KINDS COMMAND...
  local name=$1 kinds=$2 kind count at status wrong found ended tried policy; shift 2
  [[ $name =~ ${HETGRID_FAULTS_ONLY:-.} ]] || { clear; return; }
  restore; "$@" > /dev/null 2> "$work/err" || { ok 1 "$name: $(head -n 1 "$work/err")"; return; }
  rm -rf "$work/new"; cp -r "$work/run" "$work/new"
  for kind in $kinds; do
    restore; status=0; faulty $kind 0 "$@" || status=$?
    count=$(cat "$work/count")
    found="" ended=0 tried=0 policy=0
    for at in $(numbers "$count" "$name $kind"); do
      restore; status=0; faulty $kind "$at" "$@" || status=$?
      tried=$((tried + 1)) ended=$((ended + (status == 1)))
      complaint $status "$@" > "$work/wrong"; wrong=$(tr '\n' ';' < "$work/wrong")
      [ -z "$wrong" ] || found="$found call $at: $wrong ($(head -n 1 "$work/err" | cut -c1-120))"
    done
    [ "$count" -gt 0 ] || [ $kind = link ] || found=" nothing is counted (status $status: $(tail -n 1 "$work/err" | cut -c1-120))"
    [ -z "$found" ]; ok $? "$name: $kind fails at $tried of $count calls, $ended runs end with a message, $policy aborts of the policy with one$found"
  done
  clear
}
