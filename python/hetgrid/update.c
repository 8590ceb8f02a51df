/* SPDX-License-Identifier: MIT */
/* The source that hetgrid.Update compiles after its defines: HG_VALUE, HG_DIMS, HG_RADIUS, HETGRID_REAL (the type of
 * computations), HETGRID_EXPRESSION. A flat interface, so that Python need not know the library's structures. */
#include <hetgrid/app.h>

#define HETGRID_PARAMETER(i) (((const HETGRID_REAL *)hg_parameters(u))[i])

/* The remainder, with the sign of the divisor as in Python. */
HG_BOTH int64_t hetgrid_modulo_whole(int64_t a, int64_t b)
{
  const int64_t left = b == 0 || b == -1 ? 0 : a % b;
  return left != 0 && (left < 0) != (b < 0) ? left + b : left;
}
HG_BOTH HETGRID_REAL hetgrid_modulo_real(HETGRID_REAL a, HETGRID_REAL b)
{
  const HETGRID_REAL left = (HETGRID_REAL)fmod(a, b);
  if (left == 0) return (HETGRID_REAL)copysign(0, b);
  return (left < 0) != (b < 0) ? left + b : left;
}

/* Stores a real result as a whole number: without its fraction, limited to int64_t, and 0 for NaN. */
HG_BOTH int64_t hetgrid_whole(HETGRID_REAL a)
{
  if (a >= (HETGRID_REAL)9223372036854775808.) return INT64_MAX;
  if (a <= (HETGRID_REAL)-9223372036854775808.) return INT64_MIN;
  return a == a ? (int64_t)a : 0;
}

/* Python's //: the quotient rounded down. The least whole number has no negative. */
HG_BOTH int64_t hetgrid_floor_divide_whole(int64_t a, int64_t b)
{
  if (b == -1) return (int64_t)(0 - (uint64_t)a);
  return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));
}
HG_BOTH HETGRID_REAL hetgrid_floor_divide_real(HETGRID_REAL a, HETGRID_REAL b)
{
  const HETGRID_REAL left = (HETGRID_REAL)fmod(a, b), wraps = left != 0 && (left < 0) != (b < 0);
  const HETGRID_REAL whole = (a - left) / b - wraps, down = (HETGRID_REAL)floor(whole);
  if (b == 0) return a / b;
  if (whole == 0) return (HETGRID_REAL)copysign(0, a / b);
  return whole - down > (HETGRID_REAL).5 ? down + 1 : down;
}

/* A whole power of a whole number, by squaring. */
HG_BOTH int64_t hetgrid_power(int64_t base, int64_t power)
{
  uint64_t product = 1, square = (uint64_t)base;
  for (; power > 0; power /= 2, square *= square)
    if (power % 2) product *= square;
  return (int64_t)product;
}

/* The operand that decides `and` or `or`. */
HG_BOTH int64_t hetgrid_and_whole(int64_t a, int64_t b)
{
  return a ? b : a;
}
HG_BOTH int64_t hetgrid_or_whole(int64_t a, int64_t b)
{
  return a ? a : b;
}
HG_BOTH HETGRID_REAL hetgrid_and_real(HETGRID_REAL a, HETGRID_REAL b)
{
  return a != 0 ? b : a;
}
HG_BOTH HETGRID_REAL hetgrid_or_real(HETGRID_REAL a, HETGRID_REAL b)
{
  return a != 0 ? a : b;
}

HG_BOTH int64_t hetgrid_min_whole(int64_t a, int64_t b)
{
  return b < a ? b : a;
}
HG_BOTH int64_t hetgrid_max_whole(int64_t a, int64_t b)
{
  return b > a ? b : a;
}
HG_BOTH HETGRID_REAL hetgrid_min_real(HETGRID_REAL a, HETGRID_REAL b)
{
  return b < a ? b : a;
}
HG_BOTH HETGRID_REAL hetgrid_max_real(HETGRID_REAL a, HETGRID_REAL b)
{
  return b > a ? b : a;
}

HG_UPDATE(update)
{
  return (HG_VALUE)(HETGRID_EXPRESSION);
}

#ifdef __CUDACC__
extern "C" const hg_update *hetgrid_cuda(void);
const hg_update *hetgrid_cuda(void)
{
  return &update;
}
#else

HG_QUANTITY(change)
{
  const HG_VALUE a = hg_value_after(u), b = hg_value(u);
  if ((HG_VALUE).5 != 0) return fabs((double)a - (double)b);
  return (double)(a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a); /* exact beyond 2^53, too */
}

static hg_status fill(const hg_cell *cell, void *value, const hg_input *input, void *values)
{
  (void)input;
  memcpy(value, (const HG_VALUE *)values + cell->id, sizeof(HG_VALUE));
  return HG_OK;
}

#ifdef HETGRID_CUDA /* the same, compiled by nvcc */
extern const hg_update *hetgrid_cuda(void);
static const hg_update *on_all_devices(void)
{
  static hg_update both;
  both = update;
  both.launch = hetgrid_cuda()->launch;
  return &both;
}
#else
static const hg_update *on_all_devices(void)
{
  return &update;
}
#endif

bool hetgrid_has_cuda(void);
bool hetgrid_has_cuda(void)
{
  return hg_update_runs_on_cuda(on_all_devices());
}

/* @param values  [size] initial values, read only by hg_start */
hg_status hetgrid_start(const int64_t *size, void *values, int64_t steps, void *parameters, int64_t parameter_bytes,
                        const char *boundary, const char *partition, double rebalance, double tolerance,
                        int64_t check_every, hg_run **run);
hg_status hetgrid_start(const int64_t *size, void *values, int64_t steps, void *parameters, int64_t parameter_bytes,
                        const char *boundary, const char *partition, double rebalance, double tolerance,
                        int64_t check_every, hg_run **run)
{
  const hg_job job = {.dims = HG_DIMS,
                      .size = {size[0], size[1], size[2]},
                      .update = on_all_devices(),
                      .init = fill,
                      .arg = values,
                      .steps = steps > 0 ? steps : -1,
                      .boundary = boundary,
                      .partition = partition,
                      .rebalance = rebalance,
                      .quantity = check_every > 0 ? &change : NULL,
                      .check_every = check_every,
                      .tolerance = tolerance,
                      .parameters = parameter_bytes > 0 ? parameters : NULL,
                      .parameter_bytes = (size_t)parameter_bytes};
  return hg_start(&job, run);
}
#endif
