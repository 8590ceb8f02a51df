# SPDX-License-Identifier: MIT
# Completion for bash: options and their choices as the program's --help lists them, otherwise files.
_hetgrid_options() { # PROGRAM: prints one option per line, --option or --option=
  "$1" --help 2> /dev/null | grep -oE '^( {6}|  -., )--[a-z0-9-]+(\[?=)?' | grep -oE -- '--[a-z0-9-]+(\[?=)?' | tr -d '['
}
_hetgrid_known() { # PROGRAM ARGUMENT...: prints the known words that its error for a wrong argument lists
  "$@" 2>&1 | sed -nE 's/.*known: *//p' | tr -s ', ' '\n'
}
_hetgrid_choices() { # PROGRAM OPTION: prints the lower-case words of `--option=a|b|C`, else those that the program knows
  local folder=
  [[ $1 != */* ]] || folder=${1%/*}/
  case $2 in
    --sched) "$1" --sched help 2> /dev/null | cut -d ' ' -f 1 ;;
    --partition) _hetgrid_known "${folder}hetgrid-plan" --grid 2,2 --speeds 1 --partition '?' ;;
    --platform)
      "${folder}hetgrid-simulate" --platform '?' --show 2>&1 | sed -n 's/.*one of those in //p' |
        while read -r platforms; do (cd "$platforms" && printf '%s\n' *.platform | sed 's/\.platform$//'); done ;;
    *)
      "$1" --help 2> /dev/null | grep -oE -- "^( {6}|  -., )$2\[?=[^ ]+" | sed 's/^[^=]*=//; s/]$//' | tr '|' '\n' | grep -E '^[a-z0-9]+$' ||
        _hetgrid_known "$1" "$2=?" --version ;;
  esac
}
_hetgrid() {
  local words option value
  _get_comp_words_by_ref -n = cur prev 2> /dev/null || { cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}; }
  if [[ $cur == --*=* ]]; then
    option=${cur%%=*} value=${cur#*=}
    words=$(_hetgrid_choices "$1" "$option")
    if [ -n "$words" ]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$value"); else mapfile -t COMPREPLY < <(compgen -f -- "$value"); fi
  elif [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_hetgrid_options "$1")" -- "$cur")
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
  else
    words=$([[ $prev != --* ]] || _hetgrid_choices "$1" "$prev")
    if [ -n "$words" ]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"); else mapfile -t COMPREPLY < <(compgen -f -- "$cur"); fi
  fi
}
