/* SPDX-License-Identifier: MIT */
/* Division of work within a machine by time, energy, or their product.
 *
 * Units of speed s_i do w_i each, sum w_i = W, in t_i = w_i / s_i <= T. Those with work draw full_i while they compute
 * and wait_i until T, the others idle_i, the rest of the machine `base`. For given T and units in use, it is best to
 * fill units in the order of rising (full_i - wait_i) / s_i. Then E(T) = a T + b, with b >= 0, between the T at which
 * one more unit becomes full. E, E T and E T^2 are least at such a T, where every unit is full or has no work, and a
 * unit without work is better not used. So the best division is balanced over a set U:
 *
 *   T = W / sum_U s_i,  E = T (base + sum_U full_i + sum_others idle_i)
 *
 * For energy, U is a prefix of the units by rising (full_i - idle_i) / s_i (a ratio of sums). For the products, all
 * numbers of units of each kind are tried, up to 1e5 sets; beyond, sets are changed by one unit of a kind as long as
 * that helps, starting from the fastest set and from the best prefix.
 *
 * A unit may need `start_i` s before it does any work: t_i = start_i + w_i / s_i. The same holds then, with T = (W +
 * sum_U start_i s_i) / sum_U s_i, for sets all of whose units start before T. As a prefix need not be best, sets are
 * tried for energy as for the products. Times that are not linear are replaced by their tangents at the division that
 * these lead to.
 *
 * Example: speeds 3 and 1, full 10 and 9, idle 0, base 5, W 12: both together take 3 s and 72 J, the first alone 4 s
 * and 60 J. */
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
  double base;                         /**< W of everything else, >= 0 */
} hg_energy_division_machine;

/** Seconds that a unit takes for work w; 0 if w is 0. */
double hg_energy_division_time(const hg_energy_division_unit *unit, double w);

/** Seconds and J of a division w[units] >= 0 (work). */
void hg_energy_division_cost(const hg_energy_division_machine *machine, const double *w, double *seconds,
                             double *joules);

/** The best division of `work` by a criterion: writes w[units]. HG_INVALID naming unit and value, HG_MEMORY */
hg_status hg_energy_division_divide(const hg_energy_division_machine *machine, double work, hg_criterion by, double *w);

/** Linearises units whose times are functions of work: speeds and starts are tangents where the best division of
 * `work` by a criterion is balanced. unit[units] has the powers.
 * @param time  [units] of one step without exchange
 * HG_INVALID naming unit and value, HG_MEMORY */
hg_status hg_energy_division_fit(int units, const hg_speed_model *const *time, double base, double work,
                                 hg_criterion by, hg_energy_division_unit *unit);

/** A division of work over a set of units, such that no other is both faster and uses less energy. */
typedef struct hg_energy_division_point {
  int units;
  double seconds, joules;
} hg_energy_division_point;

/** The Pareto front, fastest first: over all sets of units by kind up to 1e5, beyond that over prefixes by J per work.
 * Free with free(). HG_INVALID, HG_MEMORY */
hg_status hg_energy_division_front(const hg_energy_division_machine *machine, double work,
                                   hg_energy_division_point **front, int *count);

/** Fills unit[hg_power_units] with the powers of the units of a platform's first `nodes` nodes, speeds 0; base: W of
 * those nodes and of the switch. HG_INVALID if a device has no powers */
hg_status hg_energy_division_of_platform(const hg_platform *platform, int nodes, hg_energy_division_unit *unit,
                                         double *base);
#endif
