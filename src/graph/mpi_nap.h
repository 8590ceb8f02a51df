/* SPDX-License-Identifier: MIT */
#ifndef HG_GRAPH_MPI_NAP_H
#define HG_GRAPH_MPI_NAP_H

/** From now on StarPU-MPI's progress thread sleeps for a moment whenever there is nothing to do, instead of asking
 * again at once: for ranks that have no core to spare for it. */
void hg_mpi_nap_enable(void);
#endif
