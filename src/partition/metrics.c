/* SPDX-License-Identifier: MIT */
#include "partition/metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "network/network.h"
#include "partition/near.h"

/* A shorter distance along an axis of the grid is a rounding, and less than a cell. */
static double rounding(double extent)
{
  return fmin(1e-12 * extent, .5);
}

static double extent(const hg_rect *r, int axis)
{
  return r->hi[axis] - r->lo[axis];
}

/* Length (area) of the border that two parts share: they touch across one axis and overlap along all others. */
static double shared_border(const hg_rect *a, const hg_rect *b, const double eps[3])
{
  double border = 1;
  int touching = 0;
  for (int i = 0; i < 3; i++) {
    double overlap = fmin(a->hi[i], b->hi[i]) - fmax(a->lo[i], b->lo[i]);
    if (overlap > eps[i])
      border *= overlap;
    else if (overlap > -eps[i])
      touching++;
    else
      return 0;
  }
  return touching == 1 ? border : 0;
}

double hg_least_half_surface(double cells, const double size[3], int dims)
{
  double a = fmin(size[0], size[1]), b = fmax(size[0], size[1]);
  if (dims == 1) return cells > 0 ? 1 : 0;
  if (dims == 2) return cells > a * a ? a + cells / a : 2 * sqrt(cells);
  double c = size[2];
  double s = fmin(a, c), m = fmax(a, fmin(b, c));
  if (cells <= s * s * s) return 3 * cbrt(cells * cells);
  double side = sqrt(cells / s);
  return side <= m ? cells / s + 2 * s * side : cells / s + cells / m + s * m;
}

static double half_surface(const hg_rect *r, int dims)
{
  double x = extent(r, 0), y = extent(r, 1), z = extent(r, 2);
  return dims == 1 ? 1 : dims == 2 ? x + y : x * y + y * z + x * z;
}

static bool is_periodic(const hg_partition_request *r, int axis)
{
  return axis < r->dims && r->periodic[axis];
}

static double face(const hg_rect *r, int axis)
{
  return extent(r, (axis + 1) % 3) * extent(r, (axis + 2) % 3);
}

/* The border across periodic ends of the grid, without parts that reach from end to end. */
static double cut_where_ends_meet(const hg_partition_request *r, const hg_rect *grid, const hg_rect *rect)
{
  double sum = 0;
  for (int a = 0; a < 3; a++) {
    if (!is_periodic(r, a)) continue;
    sum += face(grid, a);
    for (int i = 0; i < r->parts; i++)
      if (extent(grid, a) - extent(&rect[i], a) < rounding(extent(grid, a))) sum -= face(&rect[i], a);
  }
  return sum;
}

double hg_partition_cut(const hg_partition_request *r, const hg_rect *rect)
{
  const hg_rect grid = {{0, 0, 0}, {r->size[0], r->dims > 1 ? r->size[1] : 1, r->dims > 2 ? r->size[2] : 1}};
  double sum = 0;
  for (int i = 0; i < r->parts; i++)
    if (!hg_rect_is_empty(&rect[i])) sum += half_surface(&rect[i], r->dims);
  return sum - half_surface(&grid, r->dims) + cut_where_ends_meet(r, &grid, rect);
}

double hg_communication_time(double messages, double bytes, double latency, double bandwidth)
{
  return latency * messages + bytes / bandwidth;
}

/* Times of slow processors may overflow a double; their ratios do not. */
static void measure_times(const hg_partition_request *r, const hg_rect *rect, hg_partition_metrics *m)
{
  long double sum = 0, largest = 0;
  int working = 0;
  for (int i = 0; i < r->parts; i++) {
    if (r->speed[i] <= 0) continue;
    const long double t = (long double)(extent(&rect[i], 0) * extent(&rect[i], 1) * extent(&rect[i], 2)) / r->speed[i];
    if (t > largest) largest = t;
    sum += t;
    working++;
  }
  m->makespan = (double)largest;
  m->imbalance = sum > 0 ? (double)(largest * working / sum) : 1;
  if (!r->link && r->bandwidth > 0 && r->levels == 0)
    m->comm_seconds =
        hg_communication_time(2 * m->max_neighbours, m->items * r->bytes_per_cell, r->latency, r->bandwidth);
  m->makespan += m->comm_seconds;
}

/* Images of a part on periodic grids: itself, then shifted by a grid's extent forwards and backwards along each
 * axis. */
enum { IMAGES = 1 + 2 * 3 };

/* Comparison of parts with images of others. */
typedef struct measuring {
  const hg_partition_request *request;
  const hg_rect *rect;
  double size[3], eps[3];
  int image;
  hg_part_metrics *part;
} measuring;

static int axis_of(int image)
{
  return (image - 1) / 2;
}

static bool has_image(const hg_partition_request *r, int image)
{
  return image == 0 || is_periodic(r, axis_of(image));
}

static hg_rect image_of(const measuring *m, int image, const hg_rect *rect)
{
  hg_rect moved = *rect;
  if (image == 0) return moved;
  const int axis = axis_of(image);
  const double by = image % 2 ? m->size[axis] : -m->size[axis];
  moved.lo[axis] += by;
  moved.hi[axis] += by;
  return moved;
}

/* Border with all images of j; 0 if the pair was already reported for an earlier image. */
static double border_between(const measuring *m, int i, int j)
{
  double border = 0;
  for (int k = 0; k < IMAGES && i != j; k++) {
    if (!has_image(m->request, k)) continue;
    const hg_rect image = image_of(m, k, &m->rect[j]);
    border += shared_border(&m->rect[i], &image, m->eps);
    if (border > 0 && k < m->image) return 0;
  }
  return border;
}

/* The outermost level at which two processors are in different groups; the number of levels if there is none. */
static int level_between(const hg_partition_request *r, int i, int j)
{
  int level = 0;
  while (level < r->levels && r->group[level][i] == r->group[level][j]) level++;
  return level;
}

static void add_border(void *arg, int i, int j)
{
  const measuring *m = arg;
  const hg_partition_request *r = m->request;
  const double border = border_between(m, i, j);
  if (!(border > 0)) return;
  const int level = level_between(r, i, j);
  hg_part_metrics *p = &m->part[i];
  p->border += border;
  p->neighbours++;
  if (level < r->levels) p->outside[level] += border, p->across[level]++;
  if (r->link && (level == 0 || r->levels == 0)) p->seconds += 2 * hg_network_time(r->link, border * r->bytes_per_cell);
}

/* Finds the node whose messages take longest, in both directions over its link. */
static hg_status measure_nodes(const hg_partition_request *r, const hg_part_metrics *part, hg_partition_metrics *m)
{
  double *seconds = calloc((size_t)r->parts, sizeof *seconds);
  if (!seconds) return hg_fail(HG_MEMORY, "partition: no memory for %d nodes", r->parts);
  m->comm_seconds = 0;
  for (int i = 0; i < r->parts; i++) {
    const hg_part_metrics *p = &part[i];
    double *node = &seconds[r->group[0][i]];
    *node += p->seconds;
    if (!r->link && r->bandwidth > 0)
      *node += hg_communication_time(2 * p->across[0], 2 * p->outside[0] * r->bytes_per_cell, r->latency, r->bandwidth);
    for (int l = 0; l < r->levels; l++) m->between[l] += p->outside[l] / 2;
    m->comm_seconds = fmax(m->comm_seconds, *node);
  }
  free(seconds);
  return HG_OK;
}

static void add_part(const hg_partition_request *r, const double size[3], const hg_rect *rect, hg_part_metrics *p,
                     hg_partition_metrics *m)
{
  p->cells = extent(rect, 0) * extent(rect, 1) * extent(rect, 2);
  m->items += p->border;
  m->messages += p->neighbours;
  if (p->neighbours > m->max_neighbours) m->max_neighbours = p->neighbours;
  if (p->seconds > m->comm_seconds) m->comm_seconds = p->seconds;
  if (p->cells > 0) m->half_perimeter += half_surface(rect, r->dims);
  m->lower_bound += hg_least_half_surface(p->cells, size, r->dims);
}

/* Shifts the parts that touch the periodic end; the others become empty. */
static void move_to_image(const measuring *m, hg_rect *moved)
{
  const int axis = axis_of(m->image);
  for (int i = 0; i < m->request->parts; i++) {
    const hg_rect *r = &m->rect[i];
    const double off = m->image % 2 ? r->lo[axis] : m->size[axis] - r->hi[axis];
    moved[i] = off > m->eps[axis] ? (hg_rect){{0}, {0}} : image_of(m, m->image, r);
  }
}

static hg_status add_images(measuring *m)
{
  const int parts = m->request->parts;
  hg_rect *moved = malloc((size_t)parts * sizeof *moved);
  hg_status status = moved ? HG_OK : hg_fail(HG_MEMORY, "partition: no memory for %d parts", parts);
  for (m->image = 1; m->image < IMAGES && status == HG_OK; m->image++) {
    if (!has_image(m->request, m->image)) continue;
    move_to_image(m, moved);
    status = hg_near_pairs(parts, m->rect, parts, moved, m->eps, add_border, m);
  }
  free(moved);
  return status;
}

hg_status hg_partition_measure(const hg_partition_request *r, const hg_rect *rect, hg_part_metrics *part,
                               hg_partition_metrics *total)
{
  measuring parts = {.request = r, .rect = rect, .part = calloc((size_t)r->parts, sizeof *parts.part)};
  hg_partition_metrics m = {0};
  if (!parts.part) return hg_fail(HG_MEMORY, "partition: no memory for %d parts", r->parts);
  for (int a = 0; a < 3; a++) {
    parts.size[a] = a < r->dims ? r->size[a] : 1;
    parts.eps[a] = rounding(parts.size[a]);
  }
  hg_status status = hg_near_pairs(r->parts, rect, r->parts, rect, parts.eps, add_border, &parts);
  if (status == HG_OK && (is_periodic(r, 0) || is_periodic(r, 1) || is_periodic(r, 2))) status = add_images(&parts);
  for (int i = 0; i < r->parts; i++) {
    add_part(r, parts.size, &rect[i], &parts.part[i], &m);
    if (part) part[i] = parts.part[i];
  }
  if (status == HG_OK && r->levels > 0) status = measure_nodes(r, parts.part, &m);
  free(parts.part);
  m.cut = m.items / 2;
  m.pairs = m.messages / 2;
  measure_times(r, rect, &m);
  *total = m;
  return status;
}

void hg_boxes_to_rects(int parts, const hg_box *box, hg_rect *rect)
{
  for (int i = 0; i < parts; i++)
    for (int a = 0; a < 3; a++) {
      rect[i].lo[a] = (double)box[i].lo[a];
      rect[i].hi[a] = (double)box[i].hi[a];
    }
}

/* The first overlapping pair, by i, then by j < i. */
typedef struct overlap {
  const hg_box *box;
  int i, j;
} overlap;

static void note_overlap(void *arg, int i, int j)
{
  overlap *o = arg;
  const hg_box common = hg_box_meet(&o->box[i], &o->box[j]);
  if (j < i && hg_box_cells(&common) > 0 && (o->i < 0 || i < o->i || (i == o->i && j < o->j))) o->i = i, o->j = j;
}

static hg_status check_overlap(int parts, const hg_box *box)
{
  const double touching[3] = {0, 0, 0};
  overlap o = {box, -1, -1};
  hg_rect *rect = malloc((size_t)parts * sizeof *rect);
  if (!rect) return hg_fail(HG_MEMORY, "no memory for %d boxes", parts);
  hg_boxes_to_rects(parts, box, rect);
  const hg_status status = hg_near_pairs(parts, rect, parts, rect, touching, note_overlap, &o);
  free(rect);
  if (status != HG_OK || o.i < 0) return status;
  const hg_box common = hg_box_meet(&box[o.i], &box[o.j]);
  return hg_fail(HG_INVALID, "parts %d and %d overlap at cell (%" PRId64 ", %" PRId64 ", %" PRId64 ")", o.j, o.i,
                 common.lo[0], common.lo[1], common.lo[2]);
}

hg_status hg_partition_check_cover(int parts, const hg_box *box, const int64_t n[3])
{
  int64_t sum = 0;
  for (int i = 0; i < parts; i++) {
    const int64_t cells = hg_box_cells(&box[i]);
    for (int a = 0; a < 3 && cells > 0; a++)
      if (box[i].lo[a] < 0 || box[i].hi[a] > n[a])
        return hg_fail(HG_INVALID,
                       "part %d: cells %" PRId64 "..%" PRId64 " along axis %d lie outside the grid of %" PRId64, i,
                       box[i].lo[a], box[i].hi[a] - 1, a, n[a]);
    sum += cells;
  }
  HG_TRY(check_overlap(parts, box));
  const int64_t all = n[0] * n[1] * n[2];
  if (sum != all) return hg_fail(HG_INVALID, "the parts cover %" PRId64 " of %" PRId64 " cells", sum, all);
  return HG_OK;
}
