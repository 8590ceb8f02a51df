/* SPDX-License-Identifier: MIT */
/* The table of programs that run tasks: all that hetgrid-calibrate and hetgrid-simulate know of each. */
#ifndef HG_PROGRAMS_PROGRAMS_H
#define HG_PROGRAMS_PROGRAMS_H

/** What a program divides, and by which options. */
typedef enum program_kind {
  PROGRAM_GRID,    /**< a grid, with the options of src/options/grid_options.h */
  PROGRAM_SOLVER,  /**< columns of a matrix */
  PROGRAM_BATCH,   /**< as many independent units as a grid has cells: `steps` is the option for their number */
  PROGRAM_PRODUCT, /**< a product of square matrices, by --speeds, --layout and --partition */
  PROGRAM_CUBE     /**< a cube, among all processors by --speeds */
} program_kind;

typedef struct program_entry {
  const char *name;    /**< heat: hetgrid-heat, and hetgrid-heat-sim in virtual time */
  const char *kernels; /**< those whose speed tables it is divided by: "heat", "elimination", "pricer" or "adr" */
  program_kind kind;
  const char *steps; /**< option for the number of steps, of a grid */
  const char *rate;  /**< column of its CSV */
  double scale;      /**< of that column, per second */
  const char *unit;  /**< of 1e9 per second */
} program_entry;

/** Ended by an entry without a name. */
extern const program_entry program_table[];

/** All names, a blank before each. */
const char *program_names(void);

/** The entry of a name; NULL if there is none. */
const program_entry *program_find(const char *name);
#endif
