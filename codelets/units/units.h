/* SPDX-License-Identifier: MIT */
/* Between the library and an application's update of computing units (R. Yang's thesis, docs/PAPERS.md, 5.1): what an
 * update may read, and the functions that the macros of app.h make of it. Plain data, the same on CPUs and CUDA
 * devices. */
#ifndef HG_CODELETS_UNITS_UNITS_H
#define HG_CODELETS_UNITS_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codelets/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What an update did that it may not do. */
typedef enum hg_fault_kind {
  HG_FAULT_NONE,
  HG_FAULT_OFFSET,    /**< hg_at beyond HG_RADIUS: `value` is the offset, `bound` the radius */
  HG_FAULT_NEIGHBOUR, /**< hg_neighbour: there is no neighbour `value`, the unit has `bound` */
  HG_FAULT_ZONE,      /**< hg_get: unit `value` is in no zone of the tile */
  HG_FAULT_USER,      /**< hg_stop: the code is `value` */
  HG_FAULT_QUANTITY,  /**< a quantity reads what is not of its own unit */
  HG_FAULT_STORED,    /**< hg_values, hg_neighbour, hg_get or their like where hg_at reads, `bound` far */
  HG_FAULT_AFTER      /**< hg_value_after in an update */
} hg_fault_kind;

/** The first fault of a worker. In memory that CPUs and devices can write. */
typedef struct hg_fault {
  int kind;      /**< hg_fault_kind */
  int64_t unit;  /**< identifier */
  int64_t step;  /**< number of the step, from 0 */
  int64_t value; /**< what was wrong: see hg_fault_kind */
  int64_t bound; /**< what it may be at most */
} hg_fault;

/** Boxes of units that a tile reads beside its own. */
enum { HG_ZONES_MAX = 16 };

/** A box of a zone: the units lo <= (x, y, z) < lo + n; `first` is the position of the first one in `member`. */
typedef struct hg_zone_box {
  int64_t lo[3]; /**< first unit */
  int64_t n[3];  /**< extents */
  int64_t first; /**< position in `member` */
} hg_zone_box;

/** Units of a tile, or a run of them along x, and what they may read.
 * The values of a tile with stored neighbours or zones: its own (x fastest), then those of other tiles. */
typedef struct hg_units {
  int64_t n[3];                   /**< extents of the whole grid */
  int64_t at[3];                  /**< first unit; beyond a periodic side it lies outside the grid */
  int64_t step;                   /**< number of the step that is computed, from 0 */
  const void *parameters;         /**< the job's, as they were when the step was submitted */
  hg_fault *fault;                /**< where the update's faults are noted */
  const void *const *row;         /**< CPU: address of the first unit in each row around, by dz, then dy */
  const void *before;             /**< CUDA: address of the first unit */
  int64_t stride[3];              /**< CUDA: distance of neighbours in values */
  const void *after;              /**< new value of the first unit, for quantities */
  int64_t local;                  /**< position of the first unit among the values of its tile */
  const char *values;             /**< of the tile; NULL in a stencil */
  const int64_t *offset;          /**< [values + 1] where each unit's elements begin, or NULL: one element each */
  const int64_t *start;           /**< [own units + 1] where each unit's neighbours begin in `member`, or NULL */
  const int32_t *member;          /**< positions of neighbours among the values of the tile */
  int64_t lo[3];                  /**< first of the tile's own units */
  int64_t own[3];                 /**< extents of the box of the tile's own units */
  const int64_t *ghost;           /**< identifiers of the values of other tiles */
  int zones;                      /**< boxes in `zone` */
  hg_zone_box zone[HG_ZONES_MAX]; /**< that units of the tile may read */
  const void *data;               /**< of an independent update */
} hg_units;

/** A box of units for CUDA; positions count from its first unit. */
typedef struct hg_units_box {
  int64_t n[3];           /**< extents */
  int64_t stride[3];      /**< of the output, in values */
  int64_t open[3];        /**< units before that keep their value */
  int64_t close[3];       /**< units from there on keep their value */
  int64_t read_lo[3];     /**< first units that may be read */
  int64_t read_hi[3];     /**< behind the last ones */
  int blocks;             /**< thread blocks of a launch at most; 0: chosen */
  int threads;            /**< threads of a block; 0: chosen */
  size_t parameter_bytes; /**< at units->parameters, in host memory */
} hg_units_box;

/** A tile of a stencil with its margins: below. */
typedef struct hg_units_tile hg_units_tile;

/** Instruction sets that rows in lanes are computed with; vectors of 16 << set bytes. */
typedef enum hg_lane_set { HG_LANES_BASELINE, HG_LANES_AVX2, HG_LANES_AVX512, HG_LANE_SETS } hg_lane_set;

/** Rows in lanes: of the P units of a row lane l of vector j is unit l * vectors + j. A value of w words is w vectors,
 * of its first words, its second words, ... There are vectors around a row's ends, as far as the radius: in each lane
 * what lies beside it in the next one. */
typedef struct hg_lanes {
  int64_t vectors; /**< of a row */
  int64_t first;   /**< unit that counts; the others are computed as if they were at the nearest that does */
  int64_t last;    /**< of those that count */
  /** First vectors of the rows around those computed, by plane, then row. Written are the first ones:
   * hg_update.together rows of hg_update.planes planes. */
  void *const *row;
} hg_lanes;

/** An update as the library calls it; made by HG_UPDATE or HG_UPDATE_ARRAY. */
typedef struct hg_update {
  const char *name;    /**< as it was defined */
  int dims;            /**< of the grid, 0: any */
  int radius;          /**< how far hg_at reaches; 0: neighbours are stored, in zones, or none */
  int64_t value_bytes; /**< of an element */
  char value_type;     /**< 'd' double, 'f' float, 'i' signed, 'u' unsigned integer, 'b' bool, 0: anything else */
  bool arrays;         /**< the values of units have several elements */
  /** CPU: `count` units along x. */
  void (*run)(const hg_units *units, int64_t count, void *out);
  /** CUDA: a whole box, queued on a cudaStream_t; returns a cudaError_t. NULL: the application was compiled without. */
  int (*launch)(const hg_units *units, const hg_units_box *box, void *out, void *stream);
  /** CPU, instead of `run` in a stencil: a kernel of the application's own for whole tiles, or NULL. It writes the core
   * of `after`: `before` advanced by `steps` >= 1 steps of which the first has number `first`, what lies in a margin
   * that is `steps` * radius deep being valid. `work`: [work_bytes] of scratch memory, 64-byte
   * aligned. */
  void (*tile)(const hg_units_tile *tile, int64_t first, int steps, void *before, void *after, void *work);
  size_t (*work_bytes)(const hg_units_tile *tile, int steps); /**< that `tile` needs; NULL: none */
  /** CUDA, instead of `launch` in a stencil: the same, queued on a cudaStream_t; returns a cudaError_t. */
  int (*tile_cuda)(const hg_units_tile *tile, int64_t first, int steps, void *before, void *after, void *stream);
  int depth[2];       /**< steps of a task that suit `tile` and `tile_cuda`; 0: chosen by the size of caches */
  const char *kernel; /**< name of what computes tiles, for speed tables and reports; NULL: none of its own */
  const void *data;   /**< of `tile` and `tile_cuda`, and of independent units */
  /** Units read nothing, not even their own value before: steps are batches of independent pieces of work. `run` and
   * `launch` (which gets the tile's box as n) read at, n, step, parameters and data of the units alone. */
  bool independent;
  double work; /**< of an independent unit in a step, for simulated machines, in what their `batch` counts */
  /** Flops of `count` independent units along x, for reports; reads what `run` does. NULL: those that the job says. */
  double (*flops)(const hg_units *units, int64_t count);
  int word_bytes; /**< 8, 4, 2 or 1: of the words that a value in lanes is made of */
  int together;   /**< rows of a plane that `lanes` computes at once */
  int planes;     /**< planes of such rows */
  /** CPU, beside `run` in a stencil: rows in lanes, for each instruction set or NULL. */
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
  int64_t lo[3];              /**< its first cell in the extended grid */
  const hg_update *update;    /**< that is computed */
  const void *source;         /**< the job's source field on the padded tile, of the values' type; NULL: it has none */
  hg_units units;             /**< n, parameters and fault are read */
};

/** A number per unit from its value before and after a step; made by HG_QUANTITY. */
typedef struct hg_quantity {
  const char *name;    /**< as it was defined */
  int64_t value_bytes; /**< of a unit's value */
  int rows;            /**< that it expects in units->row; all are the unit's own */
  /** CPU: `count` units along x. */
  void (*run)(const hg_units *units, int64_t count, double *out);
  /** CPU, instead of `run` in a stencil: the largest quantity of a tile's core; the reduction must be HG_MAX. */
  double (*tile)(const hg_units_tile *tile, const void *before, const void *after);
  /** CUDA: *largest = the same, queued on a cudaStream_t; returns a cudaError_t. NULL: measured on CPUs. */
  int (*tile_cuda)(const hg_units_tile *tile, const void *before, const void *after, double *largest, void *stream);
} hg_quantity;

#ifdef __cplusplus
}
#endif
#endif
