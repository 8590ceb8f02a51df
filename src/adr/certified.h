/* SPDX-License-Identifier: MIT */
/* Whether a time step may be made without waiting: weights that prove it (certificate.h) are looked for where there are
 * none, over the whole grid, and each rank sees before each step whether they still prove it for its own blocks, at the
 * values and the time of that step. That costs one pass and no message. Where none were found they are looked for again
 * after 1, 2, 4.. steps. Internal to adr/. */
#ifndef HG_ADR_CERTIFIED_H
#define HG_ADR_CERTIFIED_H

#include "adr/tiles.h"

typedef struct hg_adr_certified hg_adr_certified;

/** For the blocks of a graph. HG_MEMORY. */
hg_status hg_adr_certified_make(const hg_adr_graph *g, hg_adr_certified **out);

/** Before a step: looks for weights if there are none and it is time. Collective. HG_MEMORY
 * @param[out] ratio  the largest of this rank's rows, < 1: certain; that of all where no weights are known */
hg_status hg_adr_certified_look(hg_adr_certified *c, const hg_adr_step *step, double *ratio);

/** Whether there are weights, on all ranks alike. */
bool hg_adr_certified_known(const hg_adr_certified *c);

/** Some rank's rows were not certain: the weights are forgotten. On all ranks alike. */
void hg_adr_certified_forget(hg_adr_certified *c);

/** May be NULL. */
void hg_adr_certified_free(hg_adr_certified *c);
#endif
