/* SPDX-License-Identifier: MIT */
/* The interface between the library and an application's update of computing units (R. Yang's thesis, docs/PAPERS.md,
 * 5.1): what an update may read, and the functions that the macros of app.h generate from it. Plain data, the same on
 * CPUs and CUDA devices. */
#ifndef HG_CODELETS_UNITS_UNITS_H
#define HG_CODELETS_UNITS_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codelets/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What an update did wrong. */
typedef enum hg_fault_kind {
  HG_FAULT_NONE,
  HG_FAULT_OFFSET,    /**< hg_at beyond HG_RADIUS: `value` is the offset, `bound` the radius */
  HG_FAULT_NEIGHBOUR, /**< hg_neighbour: there is no neighbour `value`, the unit has only `bound` */
  HG_FAULT_ZONE,      /**< hg_get: unit `value` is in no zone of the tile */
  HG_FAULT_USER,      /**< hg_stop: the code is `value` */
  HG_FAULT_QUANTITY,  /**< a quantity reads values of other units */
  HG_FAULT_STORED,    /**< hg_values, hg_neighbour, hg_get or the like in an update that reads by hg_at, `bound` far */
  HG_FAULT_AFTER      /**< hg_value_after in an update */
} hg_fault_kind;

/** The first fault on a worker, in memory that CPUs and devices can write. */
typedef struct hg_fault {
  int kind;      /**< hg_fault_kind */
  int64_t unit;  /**< identifier */
  int64_t step;  /**< number of the step, from 0 */
  int64_t value; /**< the offending value: see hg_fault_kind */
  int64_t bound; /**< the bound it violates */
} hg_fault;

/** Most boxes of units that a tile reads besides its own. */
enum { HG_ZONES_MAX = 16 };

/** A box of a zone: the units lo <= (x, y, z) < lo + n. */
typedef struct hg_zone_box {
  int64_t lo[3]; /**< first unit */
  int64_t n[3];  /**< extents */
  int64_t first; /**< position in `member` */
} hg_zone_box;

/** Units of a tile, or a run of them along x, and what they may read.
 * The values of a tile with stored neighbours or zones: its own (x fastest), then those of other tiles. */
typedef struct hg_units {
  int64_t n[3];                   /**< extents of the whole grid */
  int64_t at[3];                  /**< first unit; outside the grid if beyond a periodic side */
  int64_t step;                   /**< number of the step being computed, from 0 */
  const void *parameters;         /**< the job's, copied when the step was submitted */
  hg_fault *fault;                /**< where to record the update's faults */
  const void *const *row;         /**< CPU: addresses of the first unit in each surrounding row, by dz, then dy */
  const void *before;             /**< CUDA: address of the first unit */
  int64_t stride[3];              /**< CUDA: distance between neighbours, in values */
  const void *after;              /**< new value of the first unit, for quantities */
  int64_t local;                  /**< position of the first unit among the tile's values */
  const char *values;             /**< of the tile; NULL in a stencil */
  const int64_t *offset;          /**< [values + 1] where each unit's elements begin, or NULL: one element each */
  const int64_t *start;           /**< [own units + 1] where each unit's neighbours begin in `member`, or NULL */
  const int32_t *member;          /**< positions of neighbours among the tile's values */
  int64_t lo[3];                  /**< first of the tile's own units */
  int64_t own[3];                 /**< extents of the box of the tile's own units */
  const int64_t *ghost;           /**< identifiers of the units whose values come from other tiles */
  int zones;                      /**< number of boxes in `zone` */
  hg_zone_box zone[HG_ZONES_MAX]; /**< that units of the tile may read */
  const void *data;               /**< of an independent update */
} hg_units;

/** A box of units for CUDA; positions are relative to its first unit. */
typedef struct hg_units_box {
  int64_t n[3];           /**< extents */
  int64_t stride[3];      /**< of the output, in values */
  int64_t open[3];        /**< units before this keep their value */
  int64_t close[3];       /**< units from this on keep their value */
  int64_t read_lo[3];     /**< first units that may be read */
  int64_t read_hi[3];     /**< end of the units that may be read */
  int blocks;             /**< most thread blocks of a launch; 0: automatic */
  int threads;            /**< threads per block; 0: automatic */
  size_t parameter_bytes; /**< size of the parameters at units->parameters, in host memory */
} hg_units_box;

/** A tile of a stencil with its margins; see below. */
typedef struct hg_units_tile hg_units_tile;

/** Instruction sets for rows in lane layout, with vectors of 16 << set bytes. */
typedef enum hg_lane_set { HG_LANES_BASELINE, HG_LANES_AVX2, HG_LANES_AVX512, HG_LANE_SETS } hg_lane_set;

/** A row in lane layout: of its P units, lane l of vector j is unit l * vectors + j. A value of w words takes w
 * vectors: one for the first words, one for the second words, ... A row is surrounded by as many vectors as the
 * radius: each of their lanes has what lies beside it in the next lane. */
typedef struct hg_lanes {
  int64_t vectors; /**< per row */
  int64_t first;   /**< first valid unit; invalid ones are computed as if they were at the nearest valid one */
  int64_t last;    /**< last valid unit */
  /** First vectors of the rows around those computed, by plane, then row. The result is written to the first ones:
   * hg_update.together rows of hg_update.planes planes. */
  void *const *row;
} hg_lanes;

/** An update as the library calls it; generated by HG_UPDATE or HG_UPDATE_ARRAY. */
typedef struct hg_update {
  const char *name;    /**< as it was defined */
  int dims;            /**< of the grid; 0: any number */
  int radius;          /**< reach of hg_at; 0: neighbours are stored, in zones, or none */
  int64_t value_bytes; /**< of an element */
  char value_type;     /**< 'd' double, 'f' float, 'i' signed, 'u' unsigned integer, 'b' bool, 0: anything else */
  bool arrays;         /**< values of units have several elements */
  /** CPU: `count` units along x. */
  void (*run)(const hg_units *units, int64_t count, void *out);
  /** CUDA: a whole box, queued on a cudaStream_t; returns a cudaError_t. NULL: compiled without CUDA. */
  int (*launch)(const hg_units *units, const hg_units_box *box, void *out, void *stream);
  /** CPU, instead of `run` in a stencil: the application's own kernel for whole tiles, or NULL. It writes the core of
   * `after`: `before` advanced by `steps` >= 1 steps, the first of which has number `first`. `before` is valid in a
   * margin that is `steps` * radius deep. `work`: [work_bytes] of scratch memory, 64-byte aligned. */
  void (*tile)(const hg_units_tile *tile, int64_t first, int steps, void *before, void *after, void *work);
  size_t (*work_bytes)(const hg_units_tile *tile, int steps); /**< needed by `tile`; NULL: none */
  /** CUDA, instead of `launch` in a stencil: the same, queued on a cudaStream_t; returns a cudaError_t. */
  int (*tile_cuda)(const hg_units_tile *tile, int64_t first, int steps, void *before, void *after, void *stream);
  int depth[2];       /**< best number of steps per task for `tile` and `tile_cuda`; 0: derived from cache sizes */
  const char *kernel; /**< name of the tile kernel for speed tables and reports; NULL: no kernel of its own */
  const void *data;   /**< for `tile`, `tile_cuda` and independent units */
  /** Units read nothing, not even their own previous value: steps are batches of independent work. `run` and `launch`
   * (which gets the tile's box as n) read only at, n, step, parameters and data of the units. */
  bool independent;
  double work; /**< of an independent unit in a step, for simulated machines, in the units of their `batch` */
  /** Flops of `count` independent units along x, for reports; reads what `run` does. NULL: as the job says. */
  double (*flops)(const hg_units *units, int64_t count);
  int word_bytes; /**< 8, 4, 2 or 1: size of the words of which values in lane layout consist */
  int together;   /**< rows of a plane that `lanes` computes together */
  int planes;     /**< planes of rows that `lanes` computes together */
  /** CPU, in addition to `run` in a stencil: rows in lane layout, for each instruction set, or NULL. */
  void (*lanes[HG_LANE_SETS])(const hg_units *units, const hg_lanes *lanes);
} hg_update;

/** Whether GPUs can run an update. */
static inline bool hg_update_runs_on_cuda(const hg_update *update)
{
  return update->launch || update->tile_cuda;
}

/** A padded tile to be advanced. */
struct hg_units_tile {
  const hg_tile_shape *shape; /**< held sides hold as many layers as the update's radius */
  int64_t lo[3];              /**< the tile's first cell in the grid extended by margins */
  const hg_update *update;    /**< to be computed */
  const void *source;         /**< the job's source field on the padded tile, with values of this type; NULL: none */
  hg_units units;             /**< n, parameters and fault are read */
};

/** A number per unit, computed from its values before and after a step; generated by HG_QUANTITY. */
typedef struct hg_quantity {
  const char *name;    /**< as it was defined */
  int64_t value_bytes; /**< of a unit's value */
  int rows;            /**< number of entries it expects in units->row; all are the unit's own */
  /** CPU: `count` units along x. */
  void (*run)(const hg_units *units, int64_t count, double *out);
  /** CPU, instead of `run` in a stencil: the largest quantity in a tile's core; the reduction must be HG_MAX. */
  double (*tile)(const hg_units_tile *tile, const void *before, const void *after);
  /** CUDA: *largest = the same, queued on a cudaStream_t; returns a cudaError_t. NULL: measured on CPUs. */
  int (*tile_cuda)(const hg_units_tile *tile, const void *before, const void *after, double *largest, void *stream);
} hg_quantity;

#ifdef __cplusplus
}
#endif
#endif
