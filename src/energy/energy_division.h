/* SPDX-License-Identifier: MIT */
/* Division of work within a machine by time, energy, or their product.
 *
 * Units of speed s_i do w_i each, sum w_i = W, in t_i = w_i / s_i <= T; those with work draw full_i
 * while they compute and wait_i until T, others idle_i, the rest of the machine `base`. For those
 * used and T, work goes first where (full_i - wait_i) / s_i is least, and then E(T) = a T + b
 * between the T at which one more is full, with b >= 0. E, E T and E T^2 are least at such a T;
 * there every unit is full or has nothing, and without work it rather is not used. So the best
 * division is balanced over a set U:
 *
 *   T = W / sum_U s_i,  E = T (base + sum_U full_i + sum_others idle_i)
 *
 * For energy U is a prefix of the units by rising (full_i - idle_i) / s_i (a ratio of sums). For
 * the products all numbers of units of each kind are tried, up to 1e5 sets; beyond, sets are
 * changed by one unit of a kind as long as that helps, from the fastest set and from the best
 * prefix on.
 *
 * A unit may need `start_i` s before it does any work, t_i = start_i + w_i / s_i. The same holds
 * then, with T = (W + sum_U start_i s_i) / sum_U s_i, for sets all of whose units start before T;
 * as a prefix need not be best, sets are tried for energy as for the products. Times that are no
 * straight lines are replaced by their tangents at the division that these lead to.
 *
 * Example: speeds 3 and 1, full 10 and 9, idle 0, base 5, W 12: both take 3 s and 72 J, the first
 * alone 4 s and 60 J. */
#ifndef HG_ENERGY_ENERGY_DIVISION_H
#define HG_ENERGY_ENERGY_DIVISION_H

#include <stdbool.h>

#include "energy/cluster_energy.h"
#include "platform/platform.h"

typedef struct hg_energy_division_unit {
  double speed;            /**< work/s, >= 0; 0: never used */
  double start;            /**< s before any work is done, >= 0 */
  double full, wait, idle; /**< W, full >= wait >= idle >= 0 */
} hg_energy_division_unit;

typedef struct hg_energy_division_machine {
  int units;
  const hg_energy_division_unit *unit; /**< [units] */
  double base;                         /**< W of all else, >= 0 */
} hg_energy_division_machine;

/** s that a unit takes for work w; 0 for none. */
double hg_energy_division_time(const hg_energy_division_unit *unit, double w);

/** s and J of a division of w[units] >= 0 (work). */
void hg_energy_division_cost(const hg_energy_division_machine *machine, const double *w, double *seconds,
                             double *joules);

/** The best division of `work` by a criterion: w[units] of it. HG_INVALID naming unit and value,
 * HG_MEMORY */
hg_status hg_energy_division_divide(const hg_energy_division_machine *machine, double work, hg_criterion by, double *w);

/** Speeds and starts of units whose times are functions of work: tangents where the best division
 * of `work` by a criterion is balanced; unit[units] has powers.
 * @param time  [units] of one step without exchange
 * HG_INVALID naming unit and value, HG_MEMORY */
hg_status hg_energy_division_fit(int units, const hg_speed_model *const *time, double base, double work,
                                 hg_criterion by, hg_energy_division_unit *unit);

/** A division that none is both faster and greener than, of a set of units. */
typedef struct hg_energy_division_point {
  int units;
  double seconds, joules;
} hg_energy_division_point;

/** The front, fastest first: of all sets of units by kind up to 1e5, else of prefixes by J per
 * work. Free with free(). HG_INVALID, HG_MEMORY */
hg_status hg_energy_division_front(const hg_energy_division_machine *machine, double work,
                                   hg_energy_division_point **front, int *count);

/** unit[hg_power_units] with powers of the units of a platform's first `nodes` nodes, speeds 0;
 * base: W of those nodes and of the switch. HG_INVALID if a device has no powers */
hg_status hg_energy_division_of_platform(const hg_platform *platform, int nodes, hg_energy_division_unit *unit,
                                         double *base);
#endif
