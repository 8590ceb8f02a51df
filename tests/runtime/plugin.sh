#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The policies as a plugin that StarPU loads into any program; and how the programs choose a policy.
. "${srcdir:-.}/tests/tap.sh"
plugin=$PWD/.libs/libhetgrid-sched.so
[ -f "$plugin" ] || { skip "no plugin: $plugin"; done_testing; }
for policy in hetgrid hetgrid-dfpa hetgrid-rows hetgrid-even; do
  succeeds "$policy loaded by StarPU" env STARPU_SCHED_LIB="$plugin" STARPU_SCHED=$policy tests/runtime/policies plugin
  grep -q "in use is $policy\$" "$work/out"; ok $? "... and in use"
  succeeds "one worker" env STARPU_NCPU=1 STARPU_SCHED_LIB="$plugin" STARPU_SCHED=$policy tests/runtime/policies plugin
  ! grep -q '^not ok' "$work/out"; ok $? "... keeps priorities too $(grep 'priorities' "$work/out")"
done
succeeds "speed tables" env STARPU_SCHED_LIB="$plugin" tests/runtime/tables plugin
[ "$(nm -D --defined-only "$plugin" | grep -c ' [TDBR] ')" -eq 2 ]; ok $? "the plugin shows StarPU's two entry points and nothing else"
used() { "$@" --csv 2>/dev/null | tail -n 1 | cut -d, -f14; }
[ "$(used "$heat" --size 50,50)" = hetgrid ]; ok $? "the programs use hetgrid by default"
[ "$(used "$heat" --size 50,50 --sched lws)" = lws ]; ok $? "--sched takes StarPU's policies"
[ "$(used "$heat" --size 50,50 --sched hetgrid-rows)" = hetgrid-rows ]; ok $? "... and ours"
[ "$(STARPU_SCHED=eager used "$heat" --size 50,50 --sched lws)" = eager ]; ok $? "the environment wins"
[ "$(STARPU_SCHED=hetgrid-even used "$heat" --size 50,50 --sched lws)" = hetgrid-even ]; ok $? "... with ours too"
fails 2 'hetgrid-rows' "an unknown policy is refused with the known ones" "$heat" --sched best
for policy in hetgrid hetgrid-dfpa hetgrid-rows hetgrid-even; do
  succeeds "heat under $policy" "$heat" --quiet --size 200,150 --init random --steps 40 --block 5 --tile 31,17 --sched $policy --verify
  succeeds "elimination under $policy" "$elimination" --quiet --matrix uniform:300 --nb 40 --sched $policy --verify
done
done_testing
