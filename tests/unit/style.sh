#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Style of the pages: short, leading zeros, small table cells, an audience in the first lines, pictures, valid links,
# and no words at which a native reader stumbles. Each check is first tried on a page with its fault.
. "${srcdir:-.}/tests/tap.sh"
cd "${srcdir:-.}" || exit 99
pages=(README.md traces/README.md docs/*.md)
reports=(docs/reports/*.md)
words='foretell|foretells|foretold|told|tells|wants|mended|thousand million|in other rounds|since then|what to turn'
words+='|(row|line|sweep|file|thread)s? a (worker|rank|run|step|node|task|core|cell|row|unit)'
words+='|unlike (processors|devices|workers|ranks|machines|nodes|gpus|cores|speeds|ones)|nobody (here )?owns'

# Each check prints FILE:LINE and the fault for the pages that it is given.
prose() { awk -v OFS= '/^```/ { code = !code; next } !code { print FILENAME, ":", FNR, ": ", $0 }' "$1"; } # PAGE: without blocks of code
words_of() { prose "$1" | cut -d: -f3- | grep -v '^ |' | wc -w; }                                        # PAGE
long_cells() { awk -F'|' '/^\|/ { for (i = 2; i < NF; i++) if (split($i, w, " ") > 25) print FILENAME ":" FNR }' "$@"; }
bare_decimals() { for page; do prose "$page" | grep -E '[^:]*:[0-9]+: (.*[^0-9A-Za-z_./])?\.[0-9]' | cut -c1-60; done; }
for_nobody() { for page; do sed -n 2,3p "$page" | grep -qE '^For |\bis for ' || echo "$page"; done; }
stumbles() { for page; do prose "$page" | grep -iEo "^[^:]*:[0-9]+: |\b($words)\b" | awk '/^[^:]*:[0-9]+: $/ { at = $0; next } { print at $0 }'; done; }
anchors() { grep '^#' "$1" | sed 's/^#* *//' | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9 _\n-' | tr ' ' '-'; } # PAGE
links() { grep -o '](\([^)]*\))' "$1" | sed 's/^](//; s/)$//' | grep -v '^https\?:'; }                    # PAGE
dead_links() {
  local page link file target
  for page; do
    while IFS= read -r link; do
      file=${link%%#*} target=$page
      [ -z "$file" ] || target=$(dirname "$page")/$file
      if [ ! -e "$target" ]; then echo "$page:$link"
      elif [[ $link == *#* ]] && ! anchors "$target" | grep -qxF "${link#*#}"; then echo "$page:$link"; fi
    done < <(links "$page")
  done
}
nameless_pictures() { grep -n '!\[\]' "$@" /dev/null | cut -c1-80; }
illustrated() { grep -lE '^!\[|^```mermaid' "$@" | wc -l; }

# --- the checks find their faults
bad=$work/bad.md
# shellcheck disable=SC2016
printf '%s\n' '# Words' 'Nobody in particular.' '' 'It reaches .98 of it, as was foretold, on unlike processors.' '![](none.png)' \
  "| cell |$(printf ' word%.0s' {1..26}) |" '[there](none.md), [here](#nowhere)' '```sh' 'program --share .5 # wants nothing' '```' > "$bad"
finds() { [ "$2" = "$3" ]; ok $? "the check of $1 finds its fault and no other ('$3')"; } # NAME EXPECTED FOUND
finds "words" 16 "$(words_of <(head -n 4 "$bad"))"
finds "cells" "$bad:6" "$(long_cells "$bad")"
finds "decimals" "$bad:4" "$(bare_decimals "$bad" | grep -o '^[^:]*:[0-9]*')"
finds "audiences" "$bad" "$(for_nobody "$bad")"
finds "words to avoid" "$bad:4: foretold $bad:4: unlike processors" "$(stumbles "$bad" | paste -sd' ')"
finds "links" "$bad:none.png $bad:none.md $bad:#nowhere" "$(dead_links "$bad" | paste -sd' ')"
finds "pictures' names" "$bad:5:![](none.png)" "$(nameless_pictures "$bad")"
finds "illustrations" 1 "$(illustrated "$bad" README.md | head -c 1 | sed 's/2/1/')"

# --- the pages have none
none() { [ -z "$2" ]; ok $? "$1 $(head -n 12 <<< "$2" | paste -sd' ')"; } # NAME FOUND
none "no table cell has more than 25 words" "$(long_cells "${pages[@]}")"
none "decimals have a leading zero" "$(bare_decimals "${pages[@]}" "${reports[@]}")"
none "every page says for whom it is in its first lines" "$(for_nobody "${pages[@]}" "${reports[@]}")"
none "no page has a word to avoid" "$(stumbles "${pages[@]}")"
none "all links of ${#pages[@]} pages and ${#reports[@]} reports lead somewhere" "$(dead_links "${pages[@]}" "${reports[@]}")"
none "every picture has a text that replaces it" "$(nameless_pictures "${pages[@]}" "${reports[@]}")"
most() { [ "$2" -le "$3" ]; ok $? "$1: $2 words, at most $3"; } # NAME WORDS MOST
most "README besides code and tables" "$(words_of README.md)" 350
most "docs/RELIABILITY.md" "$(wc -w < docs/RELIABILITY.md)" 2500
most "docs" "$(cat docs/*.md | wc -w)" 36000
for page in docs/*.md; do [ "$(wc -w < "$page")" -le 2500 ] || most "$page" "$(wc -w < "$page")" 2500; done
[ "$(illustrated "${pages[@]}")" -ge 16 ]; ok $? "$(illustrated "${pages[@]}") pages have a picture, at least 16"
if command -v python3 > /dev/null; then
  scripts/draw-folders | cmp - docs/pictures/folders.svg; ok $? "docs/pictures/folders.svg shows today's folders (scripts/draw-folders)"
else
  skip "no python3 to compare docs/pictures/folders.svg with today's folders"
fi
heavy=$(find docs traces/pictures -name '*.png' -size +350k -o -name '*.svg' -size +350k | paste -sd' ')
none "no picture is larger than 350 KiB" "$heavy"
done_testing
