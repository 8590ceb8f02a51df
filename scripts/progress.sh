# SPDX-License-Identifier: MIT
# Progress of long commands, sourced by scripts that run them.

# Prints the share of configure's and make's steps in the log on standard error: on a terminal in one line, each second
# and with the log's last line; elsewhere a line each half minute. Ends with the calling script.
tell_progress() { # WHAT LOG STEPS: about the final number of steps
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

with_progress() { # WHAT LOG STEPS COMMAND...: appends the command's output to the log
  local log=$2 teller status=0
  tell_progress "$1" "$2" "$3" &
  teller=$!
  "${@:4}" >> "$log" 2>&1 || status=$?
  kill $teller 2> /dev/null || :
  wait $teller 2> /dev/null || :
  [ ! -t 2 ] || printf '\r\033[K' >&2
  return $status
}
