#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On simulated machines (SMPI): messages are measured, broadcasts predicted and chosen from them, and all algorithms run.
# HETGRID_MACHINES=N[,SEED] adds N random machines of two levels with up to 64 ranks (a minute each).
here=$(cd "${srcdir:-.}" && pwd)
. "$here/tests/tap.sh"
. "$here/tests/sim/smpi.sh"
smpi_built broadcast tests/sim/broadcast.c
cd "$work" || exit 99
while read -r machine; do
  on_machine "$machine" broadcast > rows; status=$?
  [ $status -eq 0 ] && [ "$(wc -l < rows)" -ge 24 ]; ok $? "$machine: all algorithms run $(head -n 1 err)"
  cat rows >> all
  awk -F, '{ if (!($3 in best) || $6 < best[$3]) best[$3] = $6; if ($7) chosen[$3] = $6 }
    END { for (k in best) { loss = chosen[k] / best[k]; if (loss > worst) worst = loss } printf "%.3f\n", worst; exit worst > bound }' bound=1.06 rows > loss
  ok $? "... the chosen ones are at most $(cat loss) times slower than the best"
done < <(machines)
read -r median p90 < <(off all 5 6)
awk -v m="$median" -v p="$p90" 'BEGIN { exit !(m < .01 && p < .06) }'; ok $? "predictions of $(wc -l < all) broadcasts: median error $median, p90 $p90"
done_testing
