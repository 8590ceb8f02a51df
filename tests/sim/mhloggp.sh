#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The experiment of mHLogGP's paper on simulated machines (SMPI): messages are measured, a master's matrix product is
# predicted from them, and run. HETGRID_MACHINES=N[,SEED] adds N random machines.
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
. "$here/tests/sim/smpi.sh"
smpi_built mhloggp_matmul bench/mhloggp_matmul.c -DHG_SIMULATED
cd "$work" || exit 99
sides="64 128 256 512 1024"
while read -r machine; do
  # shellcheck disable=SC2086
  on_machine "$machine" mhloggp_matmul $sides | sed 1d > rows
  [ "$(wc -l < rows)" -eq 5 ]; ok $? "$machine: $(off rows 4 5) median and p90 of the errors for sides $sides $(head -n 1 err)"
  cat rows >> all
done < <(machines)
read -r median p90 < <(off all 4 5)
awk -v m="$median" -v p="$p90" 'BEGIN { exit !(m < .05 && p < .15) }'
ok $? "predictions of $(wc -l < all) products: median error $median (must be < 0.05), p90 $p90 (< 0.15)"
[ -z "${HETGRID_ROWS:-}" ] || cp all "$HETGRID_ROWS"
done_testing
