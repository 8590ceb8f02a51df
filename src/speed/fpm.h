/* SPDX-License-Identifier: MIT */
/* Load balance by functional performance models. */
#ifndef HG_SPEED_FPM_H
#define HG_SPEED_FPM_H

#include <stdint.h>

#include "speed/speed.h"

/** Functional performance model (FPM; thesis 4.1, after Lastovetsky and Reddy): whole numbers w[parts] with sum n for
 * which the largest T_i(w_i, c_i) is least. Exact for times that do not fall with w.
 * @param c  [parts] items exchanged by each, fixed; NULL: none
 * HG_INVALID if parts < 1 or n < 0. O(parts log n log(1/eps)). */
hg_status hg_fpm(int parts, const hg_speed_model *model, const double *c, int64_t n, int64_t *w);

/** Largest T_i(w_i, c_i). */
double hg_makespan(int parts, const hg_speed_model *model, const double *c, const int64_t *w);

/** Measures one step with the work w[parts]: seconds[parts] > 0 where w > 0. */
typedef hg_status hg_step_fn(void *arg, const int64_t *w, double *seconds);

/** Result of DFPA. */
typedef struct hg_dfpa_result {
  int iterations; /**< measured steps, the first one included */
  double gap;     /**< (largest - smallest) / smallest time over processors with work, in the step returned */
} hg_dfpa_result;

/** Dynamic functional partitioning (DFPA; Lastovetsky, Reddy, Rychkov, Clarke, "Design and implementation of
 * self-adaptable parallel algorithms", and the paper in docs/PAPERS.md): starts even or with a given division,
 * measures, refines partial speed functions (speed/partial.h), divides by them, until the times differ by at most
 * epsilon, a division repeats, or `most` steps are done. (The paper's first test lacks the absolute value, and the
 * algorithm does not terminate for whole cells that cannot be balanced.) Returns the division of the balanced step, or
 * without one that of the shortest step.
 * @param first    [parts], sum n, or NULL: even
 * @param epsilon  bound of hg_dfpa_result.gap
 * @param[out] w   [parts], sum n
 * HG_INVALID if n < parts, parts < 1, most < 1, or a measured time is not > 0; HG_MEMORY; whatever `measure` returns as
 * failure is returned. */
hg_status hg_dfpa(int parts, int64_t n, const int64_t *first, double epsilon, int most, hg_step_fn *measure, void *arg,
                  int64_t *w, hg_dfpa_result *result);
#endif
