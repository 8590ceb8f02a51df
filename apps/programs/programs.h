/* SPDX-License-Identifier: MIT */
/* The table of programs that run tasks: all that hetgrid-calibrate and hetgrid-simulate know about each. */
#ifndef HG_PROGRAMS_PROGRAMS_H
#define HG_PROGRAMS_PROGRAMS_H

/** What a program divides, and by which options. */
typedef enum program_kind {
  PROGRAM_GRID,    /**< a grid, with the options of src/options/grid_options.h */
  PROGRAM_SOLVER,  /**< columns of a matrix */
  PROGRAM_BATCH,   /**< independent units, as many as a grid has cells: `steps` is the option for their number */
  PROGRAM_PRODUCT, /**< a product of square matrices, by --speeds, --layout and --partition */
  PROGRAM_CUBE     /**< a cube, divided among all processors by --speeds */
} program_kind;

typedef struct program_entry {
  const char *name;    /**< heat: hetgrid-heat, and hetgrid-heat-sim for simulation */
  const char *kernels; /**< kernels whose speed tables are used: "heat", "elimination", "pricer" or "adr" */
  program_kind kind;
  const char *steps; /**< option for the number of steps of a grid */
  const char *rate;  /**< column of its CSV with the rate */
  double scale;      /**< factor from that column to units per second */
  const char *unit;  /**< unit of 1e9 per second */
} program_entry;

/** Ended by an entry without a name. */
extern const program_entry program_table[];

/** All names, each preceded by a blank. */
const char *program_names(void);

/** The entry with this name; NULL if there is none. */
const program_entry *program_find(const char *name);
#endif
