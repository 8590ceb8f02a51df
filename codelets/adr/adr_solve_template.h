/* SPDX-License-Identifier: MIT */
/* The inner solver for one REAL: vectors of two species with ghosts, processed plane by plane, so that the operations
 * of an iteration find each other's results in the caches. Included by adr_isa.c.
 *
 *   BiCGSTAB, an iteration:  pass 1  p = r + beta (p - omega v);  v = B p;  (r0, v)
 *                            pass 2  r = r - alpha v;             t = B r;  (t, r), (t, t)
 *                            pass 3  x += alpha p + omega r;  r -= omega t;  (r0, r), (r, r)
 * In passes 1 and 2 the product of plane k follows the update of plane k + 1. */

/* Data of an inner solve. Tables belong to the operator, times dt, and to its transpose. */
typedef struct {
  const hg_adr_block *b;
  const REAL *lo[3], *hi[3];   /* weights of neighbours */
  const REAL *tlo[3], *thi[3]; /* the same for the transpose */
  const REAL *inverse;         /* 4 fields */
  REAL *vector[7];             /* 2 fields each */
} NAME(solver);

enum { LANES = 64 / (int)sizeof(REAL) };

/* A row's dot product: LANES sums, added pairwise. */
static inline double NAME(dot_row)(const REAL *restrict a, const REAL *restrict b, int64_t n)
{
  typedef REAL lanes __attribute__((vector_size(64)));
  lanes sum = {0}, va, vb;
  REAL part[LANES];
  int64_t x = 0;
  for (; x + LANES <= n; x += LANES) {
    memcpy(&va, a + x, sizeof va);
    memcpy(&vb, b + x, sizeof vb);
    sum += va * vb;
  }
  memcpy(part, &sum, sizeof part);
  for (int i = 0; x < n; i++, x++) part[i] += a[x] * b[x];
  for (int half = LANES / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++) part[i] += part[i + half];
  return (double)part[0];
}

static inline int64_t NAME(row_at)(const hg_adr_block *b, int s, int64_t y, int64_t z)
{
  return s * b->field + b->origin + z * b->stride[2] + y * b->stride[1];
}

/* Sets the ghosts of a plane along periodic axes within the block. */
static void NAME(wrap_plane)(const hg_adr_block *b, REAL *v, int64_t z)
{
  const size_t row = (size_t)b->n[0] * sizeof *v;
  for (int s = 0; s < 2; s++) {
    REAL *plane = v + NAME(row_at)(b, s, 0, z);
    for (int64_t y = 0; y < b->n[1] && b->wrap[0]; y++) {
      plane[y * b->stride[1] - 1] = plane[y * b->stride[1] + b->n[0] - 1];
      plane[y * b->stride[1] + b->n[0]] = plane[y * b->stride[1]];
    }
    if (!b->wrap[1]) continue;
    memcpy(plane - b->stride[1], plane + (b->n[1] - 1) * b->stride[1], row);
    memcpy(plane + b->n[1] * b->stride[1], plane, row);
  }
}

static void NAME(copy_plane)(const hg_adr_block *b, REAL *v, int64_t to, int64_t from)
{
  for (int s = 0; s < 2; s++)
    for (int64_t y = 0; y < b->n[1]; y++)
      memcpy(v + NAME(row_at)(b, s, y, to), v + NAME(row_at)(b, s, y, from), (size_t)b->n[0] * sizeof *v);
}

/* y = x - M^-1 (W x) on a plane. */
static void NAME(apply_plane)(const NAME(solver) * c, const REAL *in, REAL *out, int64_t z)
{
  const hg_adr_block *b = c->b;
  const int64_t sy = b->stride[1], sz = b->stride[2], f = b->field;
  const REAL *restrict lx = c->lo[0], *restrict hx = c->hi[0];
  const REAL lz = c->lo[2][z], hz = c->hi[2][z];
  for (int64_t y = 0; y < b->n[1]; y++) {
    const int64_t at = NAME(row_at)(b, 0, y, z);
    const REAL ly = c->lo[1][y], hy = c->hi[1][y];
    const REAL *restrict p = in + at, *restrict q = in + at + f, *restrict m = c->inverse + at;
    REAL *restrict v = out + at, *restrict w = out + at + f;
#pragma GCC ivdep
    for (int64_t x = 0; x < b->n[0]; x++) {
      const REAL one =
          HG_ADR_INFLOW(lx[x], hx[x], ly, hy, lz, hz, p[x - 1], p[x + 1], p[x - sy], p[x + sy], p[x - sz], p[x + sz]);
      const REAL two =
          HG_ADR_INFLOW(lx[x], hx[x], ly, hy, lz, hz, q[x - 1], q[x + 1], q[x - sy], q[x + sy], q[x - sz], q[x + sz]);
      v[x] = p[x] - (m[x] * one + m[x + f] * two);
      w[x] = q[x] - (m[x + 2 * f] * one + m[x + 3 * f] * two);
    }
  }
}

/* y = x - W^T t on a plane, t = M^-T x. */
static void NAME(apply_transposed)(const NAME(solver) * c, const REAL *t, const REAL *in, REAL *out, int64_t z)
{
  const hg_adr_block *b = c->b;
  const int64_t sy = b->stride[1], sz = b->stride[2];
  const REAL *restrict lx = c->tlo[0], *restrict hx = c->thi[0];
  const REAL lz = c->tlo[2][z], hz = c->thi[2][z];
  for (int s = 0; s < 2; s++)
    for (int64_t y = 0; y < b->n[1]; y++) {
      const int64_t at = NAME(row_at)(b, s, y, z);
      const REAL ly = c->tlo[1][y], hy = c->thi[1][y];
      const REAL *restrict p = t + at, *restrict from = in + at;
      REAL *restrict v = out + at;
#pragma GCC ivdep
      for (int64_t x = 0; x < b->n[0]; x++)
        v[x] = from[x] - HG_ADR_INFLOW(lx[x], hx[x], ly, hy, lz, hz, p[x - 1], p[x + 1], p[x - sy], p[x + sy],
                                       p[x - sz], p[x + sz]);
    }
}

/* t = M^-T x on a plane. */
static void NAME(precondition_transposed)(const NAME(solver) * c, const REAL *in, REAL *out, int64_t z)
{
  const hg_adr_block *b = c->b;
  const int64_t f = b->field;
  for (int64_t y = 0; y < b->n[1]; y++) {
    const int64_t at = NAME(row_at)(b, 0, y, z);
    const REAL *restrict p = in + at, *restrict q = in + at + f, *restrict m = c->inverse + at;
    REAL *restrict v = out + at, *restrict w = out + at + f;
#pragma GCC ivdep
    for (int64_t x = 0; x < b->n[0]; x++) {
      v[x] = m[x] * p[x] + m[x + 2 * f] * q[x];
      w[x] = m[x + f] * p[x] + m[x + 3 * f] * q[x];
    }
  }
}

static double NAME(dot_plane)(const hg_adr_block *b, const REAL *one, const REAL *two, int64_t z)
{
  double sum = 0;
  for (int s = 0; s < 2; s++)
    for (int64_t y = 0; y < b->n[1]; y++) {
      const int64_t at = NAME(row_at)(b, s, y, z);
      sum += NAME(dot_row)(one + at, two + at, b->n[0]);
    }
  return sum;
}

static double NAME(dot)(const hg_adr_block *b, const REAL *one, const REAL *two)
{
  double sum = 0;
  for (int64_t z = 0; z < b->n[2]; z++) sum += NAME(dot_plane)(b, one, two, z);
  return sum;
}

/* out = first + a (out - c second) on a plane: the form of y = y + a (y' - c w) and the like. */
static void NAME(combine_plane)(const hg_adr_block *b, REAL *out, const REAL *first, REAL a, const REAL *second, REAL c,
                                int64_t z)
{
  for (int s = 0; s < 2; s++)
    for (int64_t y = 0; y < b->n[1]; y++) {
      const int64_t at = NAME(row_at)(b, s, y, z);
      REAL *restrict o = out + at;
      const REAL *restrict p = first + at, *restrict q = second + at;
#pragma GCC ivdep
      for (int64_t x = 0; x < b->n[0]; x++) o[x] = p[x] + a * (o[x] - c * q[x]);
    }
}

/* out += a in on a plane. */
static void NAME(add_plane)(const hg_adr_block *b, REAL *out, REAL a, const REAL *in, int64_t z)
{
  for (int s = 0; s < 2; s++)
    for (int64_t y = 0; y < b->n[1]; y++) {
      const int64_t at = NAME(row_at)(b, s, y, z);
      REAL *restrict o = out + at;
      const REAL *restrict p = in + at;
#pragma GCC ivdep
      for (int64_t x = 0; x < b->n[0]; x++) o[x] += a * p[x];
    }
}

/* Calls UPDATE(plane) for all planes in an order in which PRODUCT(plane) can follow as soon as its neighbours are
 * ready; `v` is the vector being updated. */
#define PIPELINE(b, v, UPDATE, PRODUCT)                                                                                \
  for (int64_t k = 0, last = (b)->n[2] - 1; k <= last; k++) {                                                          \
    if (k == 0) {                                                                                                      \
      UPDATE(0);                                                                                                       \
      NAME(wrap_plane)(b, v, 0);                                                                                       \
    }                                                                                                                  \
    if (k == 0 && (b)->wrap[2]) {                                                                                      \
      if (last > 0) {                                                                                                  \
        UPDATE(last);                                                                                                  \
        NAME(wrap_plane)(b, v, last);                                                                                  \
      }                                                                                                                \
      NAME(copy_plane)(b, v, -1, last);                                                                                \
      NAME(copy_plane)(b, v, last + 1, 0);                                                                             \
    }                                                                                                                  \
    if (k < last && !((b)->wrap[2] && k + 1 == last)) {                                                                \
      UPDATE(k + 1);                                                                                                   \
      NAME(wrap_plane)(b, v, k + 1);                                                                                   \
    }                                                                                                                  \
    PRODUCT(k);                                                                                                        \
  }

/* --- BiCGSTAB --- */

/* x += alpha p + omega r, r -= omega t on a plane; adds to (r0, r) and (r, r). */
static void NAME(correct_plane)(const hg_adr_block *b, REAL *const v[], REAL alpha, REAL omega, double *rho,
                                double *square, int64_t z)
{
  for (int s = 0; s < 2; s++)
    for (int64_t y = 0; y < b->n[1]; y++) {
      const int64_t at = NAME(row_at)(b, s, y, z);
      REAL *restrict r = v[0] + at, *restrict x = v[5] + at;
      const REAL *restrict p = v[2] + at, *restrict t = v[4] + at;
#pragma GCC ivdep
      for (int64_t i = 0; i < b->n[0]; i++) {
        x[i] += alpha * p[i] + omega * r[i];
        r[i] -= omega * t[i];
      }
      *rho += NAME(dot_row)(v[1] + at, r, b->n[0]);
      *square += NAME(dot_row)(r, r, b->n[0]);
    }
}

static void NAME(correct)(const hg_adr_block *b, REAL *const v[], REAL alpha, REAL omega, double *rho, double *square)
{
  *rho = *square = 0;
  for (int64_t z = 0; z < b->n[2]; z++) {
    double one = 0, two = 0;
    NAME(correct_plane)(b, v, alpha, omega, &one, &two, z);
    *rho += one;
    *square += two;
  }
}

/* Vectors: r, r0, p, v, t, x. */
static hg_adr_krylov NAME(bicgstab)(const NAME(solver) * c, const hg_adr_step *step)
{
  const hg_adr_block *b = c->b;
  REAL *const *w = c->vector, *r = w[0], *r0 = w[1], *p = w[2], *v = w[3], *t = w[4];
  const size_t bytes = 2 * (size_t)b->field * sizeof *r;
  hg_adr_krylov it = hg_adr_krylov_begin(NAME(dot)(b, r, r), step->inner, step->limit);
  while (it.runs) {
    if (it.fresh) memcpy(r0, r, bytes), memcpy(p, r, bytes);
    double down = 0, over = 0, under = 0, next = 0, square = 0;
#define UPDATE(z)                                                                                                      \
  if (!it.fresh) NAME(combine_plane)(b, p, r, (REAL)it.beta, v, (REAL)it.omega, z)
#define PRODUCT(z) NAME(apply_plane)(c, p, v, z), down += NAME(dot_plane)(b, r0, v, z)
    PIPELINE(b, p, UPDATE, PRODUCT)
#undef UPDATE
#undef PRODUCT
    hg_adr_krylov_alpha(&it, down);
#define UPDATE(z) NAME(add_plane)(b, r, (REAL)-it.alpha, v, z)
#define PRODUCT(z)                                                                                                     \
  NAME(apply_plane)                                                                                                    \
  (c, r, t, z), over += NAME(dot_plane)(b, t, r, z), under += NAME(dot_plane)(b, t, t, z)
    if (it.usable) PIPELINE(b, r, UPDATE, PRODUCT)
#undef UPDATE
#undef PRODUCT
    hg_adr_krylov_omega(&it, over, under);
    if (it.usable) NAME(correct)(b, w, (REAL)it.alpha, (REAL)it.omega, &next, &square);
    hg_adr_krylov_next(&it, next, square, it.alpha / it.omega);
  }
  return it;
}

/* --- BiCG --- */

/* Vectors: r, r~, p, p~, q (and q~ after it), x, M^-T p~. */
static hg_adr_krylov NAME(bicg)(const NAME(solver) * c, const hg_adr_step *step)
{
  const hg_adr_block *b = c->b;
  REAL *const *w = c->vector, *r = w[0], *rt = w[1], *p = w[2], *pt = w[3], *q = w[4], *x = w[5], *t = w[6];
  const size_t bytes = 2 * (size_t)b->field * sizeof *r;
  hg_adr_krylov it = hg_adr_krylov_begin(NAME(dot)(b, r, r), step->inner, step->limit);
  while (it.runs) {
    if (it.fresh) memcpy(rt, r, bytes), memcpy(p, r, bytes), memcpy(pt, r, bytes);
    double next = 0, square = 0;
#define UPDATE(z)                                                                                                      \
  if (!it.fresh) NAME(combine_plane)(b, p, r, (REAL)it.beta, r, 0, z)
#define PRODUCT(z) NAME(apply_plane)(c, p, q, z)
    PIPELINE(b, p, UPDATE, PRODUCT)
#undef UPDATE
#undef PRODUCT
    for (int64_t z = 0; z < b->n[2] && !it.fresh; z++) NAME(combine_plane)(b, pt, rt, (REAL)it.beta, rt, 0, z);
    hg_adr_krylov_alpha(&it, NAME(dot)(b, pt, q));
    for (int64_t z = 0; z < b->n[2] && it.usable; z++) {
      NAME(add_plane)(b, x, (REAL)it.alpha, p, z);
      NAME(add_plane)(b, r, (REAL)-it.alpha, q, z);
    }
    /* q = B^T p~ in place of B p */
#define UPDATE(z) NAME(precondition_transposed)(c, pt, t, z)
#define PRODUCT(z) NAME(apply_transposed)(c, t, pt, q, z)
    if (it.usable) PIPELINE(b, t, UPDATE, PRODUCT)
#undef UPDATE
#undef PRODUCT
    for (int64_t z = 0; z < b->n[2] && it.usable; z++) {
      NAME(add_plane)(b, rt, (REAL)-it.alpha, q, z);
      next += NAME(dot_plane)(b, rt, r, z);
      square += NAME(dot_plane)(b, r, r, z);
    }
    hg_adr_krylov_next(&it, next, square, 1);
  }
  return it;
}

/* --- a sweep's update --- */

/* Tables of the operator, and of its transpose. */
static void NAME(fill_tables)(NAME(solver) * c, double dt, const double *tables, REAL *room)
{
  for (int a = 0; a < 3; a++) {
    const int64_t n = c->b->n[a];
    const double *lo = tables + hg_adr_table_at(c->b, a, HG_ADR_LO), *hi = tables + hg_adr_table_at(c->b, a, HG_ADR_HI);
    double weight[4];
    for (int64_t i = 0; i < n; i++) {
      hg_adr_weights(lo, hi, n, i, c->b->wrap[a], dt, weight);
      for (int k = 0; k < 4; k++) room[k * n + i] = (REAL)weight[k];
    }
    c->lo[a] = room, c->hi[a] = room + n, c->tlo[a] = room + 2 * n, c->thi[a] = room + 3 * n;
    room += 4 * n;
  }
}

/* Adds the result to the own unknowns, scaled back to their magnitude. */
static void NAME(add_update)(const hg_adr_block *b, const double scale[2], const REAL *x, double *u)
{
  for (int s = 0; s < 2; s++)
    for (int64_t z = b->lo[2]; z < b->hi[2]; z++)
      for (int64_t y = b->lo[1]; y < b->hi[1]; y++) {
        const int64_t at = NAME(row_at)(b, s, y, z);
        for (int64_t i = b->lo[0]; i < b->hi[0]; i++) u[at + i] += scale[s] * (double)x[at + i];
      }
}

/* @param room  for tables */
static NAME(solver)
    NAME(make_solver)(const hg_adr_block *b, const hg_adr_step *step, const double *tables, void *work, REAL *room)
{
  REAL *field = work, *vectors = field + HG_ADR_VECTORS * b->field;
  NAME(solver) c = {.b = b, .inverse = field + HG_ADR_INVERSE * b->field};
  NAME(fill_tables)(&c, step->dt, tables, room);
  c.vector[0] = field + HG_ADR_RIGHT * b->field;
  for (int i = 1; i < 7; i++) c.vector[i] = vectors + 2 * (i - 1) * b->field;
  return c;
}

static void NAME(solve)(const hg_adr_block *b, const hg_adr_step *step, const double *tables, double *u, void *work,
                        hg_adr_outcome *outcome)
{
  REAL room[4 * (b->n[0] + b->n[1] + b->n[2])];
  const NAME(solver) c = NAME(make_solver)(b, step, tables, work, room);
  memset(c.vector[5], 0, 2 * (size_t)b->field * sizeof(REAL));
  const hg_adr_krylov it = (step->bicg ? NAME(bicg) : NAME(bicgstab))(&c, step);
  outcome->iterations += it.count;
  outcome->failed = it.failed;
  NAME(add_update)(b, outcome->scale, c.vector[5], u);
}
