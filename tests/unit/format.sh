#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Format of files and commits: clang-format 14 changes nothing, no line is too long, subjects of commits are short, old
# names are not used.
. "${srcdir:-.}/tests/tap.sh"
cd "${srcdir:-.}" || exit 99
sources() { find src codelets schedulers traces apps tests bench -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cc' | sort; }

format=$(command -v clang-format-14 || command -v clang-format || true)
case $([ -z "$format" ] || $format --version) in
  *"version 14."*)
    changed=$(sources | xargs "$format" --dry-run 2>&1 | sed -n 's/^\([^:]*\):.*clang-format-violations.*/\1/p' | sort -u | tr '\n' ' ')
    [ -z "$changed" ]; ok $? "clang-format changes no file $changed" ;;
  *) skip "no clang-format 14" ;;
esac
limit=$(sed -n 's/^ColumnLimit: //p' .clang-format)
grep -q "before column $limit" CONTRIBUTING.md; ok $? "CONTRIBUTING and .clang-format name the same line length, $limit"
long=$(sources | xargs awk -v most="$limit" 'length > most && !/"/ {print FILENAME ":" FNR}' | head -n 5 | tr '\n' ' ')
[ -z "$long" ]; ok $? "no line of code is longer, except texts $long"

# in an archive there are no commits
first=d976edfe793
if git rev-parse -q --verify "$first^{commit}" > /dev/null 2>&1; then
  long=$(git log --no-merges --format=%s "$first"..HEAD | awk 'length > 72 {print "\"" $0 "\""}' | head -n 3)
  [ -z "$long" ]; ok $? "subjects of commits have at most 72 characters $long"
  vague=$(git log --no-merges --format=%s "$first"..HEAD | grep -vE '^[a-zA-Z0-9, +*/.-]+: [^ ]' | head -n 3)
  [ -z "$vague" ]; ok $? "... and name an area $vague"
else
  skip "no commits here"
fi

# names that were replaced by established ones (docs/ARCHITECTURE.md)
old='(life|alike|facts|saver|parcels|piece|rounds|row_run|row_work|place_sum|lu_deal|lu_mine|lu_home|book|green|curve|smaller|larger'
old+='|new|abandon|jobs|modelled|group|port|outlook|session_share|mailbox_nap|worker_nap|adr_metadata|balance_watch|watch_look|watch_rule|detect_is_armed'
old="hg_$old|crowd|divisible_alike|detect_hear|elimination_eliminate|lane_mend|paje_mend)|HG_(TOLD|MAY|FOLLOWS|WHETHER|DOES|TEXT_THAT|JOB_READ|JOB_WRITE|MPI_TEST_NAPS)"
ends='hg_[a-z_]+_(whole|tally|verdict|strange|speaks?|tell)|hg_measured(_clear|_take|_sink)?'
found=$(grep -rnE "\b($old)(_[a-z_]+)?\b|\b($ends)\b|\b(foretell|obey|hear|speak|verdict)\(|->does\b|/(jobs|kernels|mpi_nap)\.h" src apps schedulers \
  codelets traces tests bench python docs --include='*.[ch]' --include='*.cu' --include='*.cuh' --include='*.cc' \
  --include='*.py' --include='*.md' --exclude-dir=reports | head -n 3)
[ -z "$found" ]; ok $? "no file has a word that was replaced $found"
done_testing
