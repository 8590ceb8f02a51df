#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The policies as a plugin that StarPU loads into any program; and the programs' choice of a policy.
. "${srcdir:-.}/tests/tap.sh"
plugin=$PWD/.libs/libhetgrid-sched.so
own=$PWD/tests/runtime/.libs/own.so
[ -f "$plugin" ] || { skip "no plugin: $plugin"; done_testing; }
for policy in hetgrid hetgrid-nphp hetgrid-dfpa hetgrid-rows hetgrid-even; do
  succeeds "$policy loaded by StarPU" env STARPU_SCHED_LIB="$plugin" STARPU_SCHED=$policy tests/runtime/policies plugin
  grep -q "in use is $policy\$" "$work/out"; ok $? "... and in use"
  succeeds "one worker" env STARPU_NCPU=1 STARPU_SCHED_LIB="$plugin" STARPU_SCHED=$policy tests/runtime/policies plugin
  ! grep -q '^not ok' "$work/out"; ok $? "... keeps priorities, too $(grep 'priorities' "$work/out")"
done
checked=$PWD/tests/runtime/.libs/checked.so
for policy in hetgrid hetgrid-nphp; do
  succeeds "$policy: some awake worker will look at every waiting task" env STARPU_SCHED_LIB="$checked" STARPU_SCHED=$policy tests/runtime/policies plugin
  ! grep -q "can not be loaded" "$work/err"; ok $? "... as the plugin that checks it says"
done
succeeds "speed tables" env STARPU_SCHED_LIB="$plugin" tests/runtime/tables plugin
[ "$(nm -D --defined-only "$plugin" | grep -c ' [TDBR] ')" -eq 2 ]; ok $? "the plugin exports only StarPU's two entry points"
used() { "$@" --csv 2>/dev/null | tail -n 1 | cut -d, -f14; }
[ "$(used "$heat" --size 50,50)" = hetgrid ]; ok $? "the programs use hetgrid by default"
[ "$(used "$heat" --size 50,50 --sched lws)" = lws ]; ok $? "--sched takes StarPU's policies"
[ "$(used "$heat" --size 50,50 --sched hetgrid-rows)" = hetgrid-rows ]; ok $? "... and ours"
for policy in eager hetgrid-even; do
  [ "$(STARPU_SCHED=$policy used "$heat" --size 50,50)" = $policy ]; ok $? "STARPU_SCHED=$policy works without --sched"
  [ "$(STARPU_SCHED=$policy used "$heat" --size 50,50 --sched lws)" = lws ]; ok $? "... which takes precedence"
done
fails 2 "STARPU_SCHED: 'mine' is unknown; known: hetgrid .* lws" "an unknown policy in the environment" env STARPU_SCHED=mine "$heat" --size 50,50
fails 2 'STARPU_SCHED_LIB: cannot be loaded: /nonexistent' "a missing library" env STARPU_SCHED_LIB=/nonexistent STARPU_SCHED=mine "$heat" --size 50,50
fails 2 'STARPU_SCHED_LIB: libm.so.6 does not define starpu_get_sched_lib_policy' "a library without policies" env STARPU_SCHED_LIB=libm.so.6 "$heat" --size 50,50
fails 2 "sched: 'mine' is unknown; known: .*own" "a policy that a library lacks" env STARPU_SCHED_LIB="$own" "$heat" --size 50,50 --sched mine
[ "$(STARPU_SCHED_LIB=$own used "$heat" --size 50,50 --sched own)" = own ]; ok $? "--sched takes a policy of a library"
[ "$(STARPU_SCHED_LIB=$own STARPU_SCHED=own used "$heat" --size 50,50)" = own ]; ok $? "... as STARPU_SCHED does"
for program in "$heat" "$elimination" "$PWD/hetgrid-matmul" "$PWD/hetgrid-fft" "$PWD/apps/examples/average"; do
  [ -x "$program" ] || continue
  STARPU_SCHED_LIB=$own "$program" --sched help > "$work/list" 2> "$work/err"; status=$?
  [ $status = 0 ] && [ ! -s "$work/err" ] && grep -q '^hetgrid  *[a-z]' "$work/list" && grep -q '^lws ' "$work/list" && grep -q '^own ' "$work/list"
  ok $? "$(basename "$program") --sched help lists $(wc -l < "$work/list") policies"
  "$program" --help | tr -s ' \n' ' ' | grep -q 'Scheduling policy (default: STARPU_SCHED, or else hetgrid)'; ok $? "... and its --help says which one it takes"
done
HETGRID_NPHP=columns "$heat" --quiet --size 50,50 --sched hetgrid-nphp 2> "$work/err"
grep -q "HETGRID_NPHP: 'columns' is ignored, must be rows, even or dfpa" "$work/err"; ok $? "a message names an unknown option of hetgrid-nphp: $(cat "$work/err")"
fails 2 'hetgrid-nphp' "an unknown policy is refused with the known ones" "$heat" --sched best
for policy in hetgrid hetgrid-nphp hetgrid-dfpa hetgrid-rows hetgrid-even; do
  succeeds "heat under $policy" "$heat" --quiet --size 200,150 --init random --steps 40 --block 5 --tile 31,17 --sched $policy --verify
  succeeds "elimination under $policy" "$elimination" --quiet --matrix uniform:300 --nb 40 --sched $policy --verify
done
done_testing
