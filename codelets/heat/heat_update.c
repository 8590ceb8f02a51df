/* SPDX-License-Identifier: MIT */
#include "codelets/heat/heat_update.h"

#include <math.h>

#ifdef HG_HAVE_CUDA
#include "codelets/heat/heat_cuda.h"
#endif

static size_t work_bytes(const hg_units_tile *tile, int steps)
{
  const hg_heat_kernel *k = tile->update->data;
  return k->workspace[tile->update->value_type == 'f'](tile->shape, steps, tile->source != NULL);
}

static void advance(const hg_units_tile *tile, int64_t first, int steps, void *before, void *after, void *work)
{
  const hg_heat_kernel *k = tile->update->data;
  (void)first;
  k->advance[tile->update->value_type == 'f'](tile->shape, tile->units.parameters, steps, before, after, tile->source,
                                              work);
}

/* Largest |a - b| over the cores of two states; NaN wins. */
#define CORE_CHANGE(TYPE)                                                                                              \
  static double core_change_##TYPE(const hg_tile_shape *s, const TYPE *a, const TYPE *b)                               \
  {                                                                                                                    \
    double change = 0;                                                                                                 \
    for (int64_t z = s->margin[2][0]; z < s->n[2] - s->margin[2][1]; z++)                                              \
      for (int64_t y = s->margin[1][0]; y < s->n[1] - s->margin[1][1]; y++)                                            \
        for (int64_t x = s->margin[0][0]; x < s->n[0] - s->margin[0][1]; x++) {                                        \
          int64_t i = x + y * s->stride[1] + z * s->stride[2];                                                         \
          double d = fabs((double)a[i] - (double)b[i]);                                                                \
          change = d > change || isnan(d) ? d : change;                                                                \
        }                                                                                                              \
    return change;                                                                                                     \
  }

CORE_CHANGE(double)
CORE_CHANGE(float)

static double change_double(const hg_units_tile *tile, const void *before, const void *after)
{
  return core_change_double(tile->shape, before, after);
}

static double change_float(const hg_units_tile *tile, const void *before, const void *after)
{
  return core_change_float(tile->shape, before, after);
}

#ifdef HG_HAVE_CUDA
static int advance_cuda(const hg_units_tile *tile, int64_t first, int steps, void *before, void *after, void *stream)
{
  (void)first;
  return (int)hg_heat_cuda_advance(tile->shape, tile->units.parameters, tile->update->value_type == 'f', steps,
                                   HG_HEAT_CUDA_AUTO, before, after, tile->source, stream);
}

static int change_cuda(const hg_units_tile *tile, const void *before, const void *after, double *largest, void *stream)
{
  return (int)hg_heat_cuda_change(tile->shape, tile->update->value_type == 'f', before, after, largest, stream);
}
#endif

hg_update hg_heat_update(int dims, const hg_heat_kernel *kernel, bool is_float)
{
  int depth[2];
  hg_heat_depth(dims, depth);
  return (hg_update){
      .name = "heat",
      .dims = dims,
      .radius = 1,
      .value_bytes = is_float ? 4 : 8,
      .value_type = is_float ? 'f' : 'd',
      .tile = advance,
      .work_bytes = work_bytes,
#ifdef HG_HAVE_CUDA
      .tile_cuda = advance_cuda,
#endif
      .depth = {depth[0], depth[1]},
      .kernel = kernel->name,
      .data = kernel,
  };
}

hg_update hg_heat_field_update(int dims, bool is_float)
{
  static const int depth[] = {0, 64, 24, 8};
  hg_update update = hg_heat_update(dims, hg_heat_field_kernel(), is_float);
  update.name = "heat_field";
  update.tile_cuda = NULL;
  update.depth[0] = depth[dims];
  return update;
}

hg_quantity hg_heat_change(bool is_float)
{
  return (hg_quantity){
      .name = "change",
      .value_bytes = is_float ? 4 : 8,
      .tile = is_float ? change_float : change_double,
#ifdef HG_HAVE_CUDA
      .tile_cuda = change_cuda,
#endif
  };
}

double hg_heat_field_flops(int dims)
{
  return 7 * dims;
}

double hg_heat_flops(int dims)
{
  static const double flops[] = {0, 4, 7, 10};
  return flops[dims];
}
