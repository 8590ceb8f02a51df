# SPDX-License-Identifier: MIT
# How far a long command is, sourced by the scripts that run one.

# Tells on standard error how many steps of configure and make the log has and its last line: on a terminal each second
# in one line, elsewhere a line each half minute. Ends with the script that has called it.
tell_progress() { # WHAT LOG STEPS: about as many as there will be
  local begun=$SECONDS next=30 steps share step
  while kill -0 $$ 2> /dev/null; do
    read -rt 1 <> <(:) || :
    steps=$(grep -cE '^checking |^ +[A-Z]{2,6} +[^ ]' "$2" 2> /dev/null) || steps=0
    share=$((steps < $3 ? 100 * steps / $3 : 99))
    if [ -t 2 ]; then
      step=$(tail -n 1 "$2" 2> /dev/null) || :
      printf '\r\033[K%s: %d %%, %d s: %.50s' "$1" "$share" $((SECONDS - begun)) "${step//[^[:print:]]/ }" >&2
    elif ((SECONDS - begun >= next)); then
      printf '%s: %d %%, %d s\n' "$1" "$share" $((SECONDS - begun)) >&2
      next=$((next + 30))
    fi
  done
}

with_progress() { # WHAT LOG STEPS COMMAND...: what it prints goes to the end of the log
  local log=$2 teller status=0
  tell_progress "$1" "$2" "$3" &
  teller=$!
  "${@:4}" >> "$log" 2>&1 || status=$?
  kill $teller 2> /dev/null || :
  wait $teller 2> /dev/null || :
  [ ! -t 2 ] || printf '\r\033[K' >&2
  return $status
}
