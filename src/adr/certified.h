/* SPDX-License-Identifier: MIT */
/* Whether a time step may be asynchronous. Weights that prove it (certificate.h) are searched for over the whole grid
 * if there are none. Before each step each rank checks whether they still prove it for its own blocks, at the values
 * and the time of that step, which costs one pass and no message. If none are found, the search is repeated after 1,
 * 2, 4.. steps. Internal to adr/. */
#ifndef HG_ADR_CERTIFIED_H
#define HG_ADR_CERTIFIED_H

#include "adr/tiles.h"

typedef struct hg_adr_certified hg_adr_certified;

/** For the blocks of a graph. HG_MEMORY. */
hg_status hg_adr_certified_make(const hg_adr_graph *g, hg_adr_certified **out);

/** To be called before a step: searches for weights if there are none and it is time. Collective. HG_MEMORY
 * @param[out] ratio  the largest over this rank's rows, < 1: certain; over all rows if no weights are known */
hg_status hg_adr_certified_look(hg_adr_certified *c, const hg_adr_step *step, double *ratio);

/** Whether there are weights; the same on all ranks. */
bool hg_adr_certified_known(const hg_adr_certified *c);

/** Some rank's rows were not certain: forgets the weights, on all ranks. */
void hg_adr_certified_forget(hg_adr_certified *c);

/** May be NULL. */
void hg_adr_certified_free(hg_adr_certified *c);
#endif
