/* SPDX-License-Identifier: MIT */
/* Problems from files, in JSON:
 *
 *   {"size": [40, 40, 20], "length": [2, 2, 1], "a": [1, 0, 0], "D": [0.01, 0.01, 0.005],
 *    "boundary": ["periodic", "periodic", "mirror"], "reaction": "conserve", "initial": ["smoke.npy", 1]}
 *
 *   size       nodes along x, y, z; or --size
 *   length     of the sides (1), and `origin` (0): a unit of length to which all others refer
 *   a, D       velocity, diffusion; with `growth` (0) D along z is D exp(growth z)
 *   boundary   fixed: nodes within, both species `outside` (1; theirs alone) beyond; mirror: nodes on the sides;
 *              periodic
 *   reaction   none, conserve, diurnal, or mms: its source too, in the unit cube with fixed sides
 *   initial    of both species: a number, or a field as --input of hetgrid-heat takes it, FILE[:DATASET] beside
 *              this one
 *
 * A number in place of a list applies to all. Strict: unknown keys, duplicates and values out of bounds are rejected
 * by name. */
#ifndef HG_ADR_PROBLEM_FILE_H
#define HG_ADR_PROBLEM_FILE_H

#include "adr/problem.h"
#include "base/file.h"

/** What a file says, except that initial fields are only named; "" if the reaction has its own.
 * @param size  nodes that override the file's; 0: the file's. HG_FORMAT, HG_INVALID naming place, key, value, bound */
hg_status hg_adr_problem_parse(const char *text, size_t bytes, const char *place, const int64_t size[3],
                               hg_adr_problem *out, char initial[2][HG_PATH_MAX]);

/** Reads a problem with its fields. HG_IO, HG_MEMORY too. Free with hg_adr_problem_free.
 * @param path  kept by reference: its name is the problem's */
hg_status hg_adr_problem_read(const char *path, const int64_t size[3], hg_adr_problem *out);
#endif
