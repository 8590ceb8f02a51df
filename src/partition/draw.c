/* SPDX-License-Identifier: MIT */
#include "partition/draw.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 720, TITLE = 34 };

typedef struct frame {
  double scale, height;
  double slowest, fastest; /* positive speeds */
} frame;

static frame make_frame(const hg_partition_request *r, double ny)
{
  frame f = {.scale = WIDTH / r->size[0], .height = WIDTH / r->size[0] * ny, .slowest = INFINITY};
  for (int i = 0; i < r->parts; i++)
    if (r->speed[i] > 0) f.slowest = fmin(f.slowest, r->speed[i]), f.fastest = fmax(f.fastest, r->speed[i]);
  return f;
}

/* Pale for slow, deep for fast, on a logarithmic scale. */
static void fill_colour(const frame *f, double speed, char *out, size_t size)
{
  const double t = f->fastest > f->slowest && speed > 0
                       ? (log(speed) - log(f->slowest)) / (log(f->fastest) - log(f->slowest))
                       : .5;
  snprintf(out, size, "rgb(%.0f,%.0f,%.0f)", 239 - 130 * t, 243 - 90 * t, 255 - 45 * t);
}

static void draw_label(FILE *out, double x, double y, double w, double h, int i, double share, int messages)
{
  double size = fmin(14, fmin(w / 8, h / 2.6));
  if (size < 3) return;
  fprintf(out,
          "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.1f\" text-anchor=\"middle\">%d<tspan x=\"%.2f\" dy=\"1.1em\">%.3g "
          "%%, %d msg</tspan></text>\n",
          x + w / 2, y + h / 2 - size * .1, size, i, x + w / 2, 100 * share, messages);
}

static void draw_halo(FILE *out, const frame *f, const hg_partition_request *r, const hg_rect *p, double halo)
{
  double x = fmax(p->lo[0] - halo, 0), y = fmax(p->lo[1] - halo, 0);
  double w = fmin(p->hi[0] + halo, r->size[0]) - x, h = fmin(p->hi[1] + halo, r->size[1]) - y;
  fprintf(out,
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"rgb(217,95,2)\" fill-opacity=\".12\"/>\n",
          x * f->scale, TITLE + y * f->scale, w * f->scale, h * f->scale);
}

static bool in_layer(const hg_partition_request *r, const hg_rect *p)
{
  double z = r->dims > 2 ? r->size[2] / 2 : .5;
  return p->hi[0] > p->lo[0] && p->hi[1] > p->lo[1] && p->lo[2] <= z && z < p->hi[2];
}

hg_status hg_partition_draw(FILE *out, const char *title, const hg_partition_request *r, const hg_rect *rect,
                            double halo)
{
  const double ny = r->dims > 1 ? r->size[1] : r->size[0] / 10;
  const frame f = make_frame(r, ny);
  hg_part_metrics *part = malloc((size_t)r->parts * sizeof *part);
  hg_partition_metrics total;
  if (!part) return hg_fail(HG_MEMORY, "no memory for %d parts", r->parts);
  const hg_status status = hg_partition_measure(r, rect, part, &total);
  if (status != HG_OK) {
    free(part);
    return status;
  }
  double cells = r->size[0] * (r->dims > 1 ? r->size[1] : 1) * (r->dims > 2 ? r->size[2] : 1);
  fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-2 0 %d %.0f\" font-family=\"sans-serif\">\n",
          WIDTH + 4, f.height + TITLE + 4);
  fprintf(out,
          "<text x=\"0\" y=\"22\" font-size=\"16\">%s: %d parts, cut %.6g, %.6g items, at most %d neighbours</text>\n",
          title, r->parts, total.cut, total.items, total.max_neighbours);
  for (int i = 0; i < r->parts; i++) {
    char colour[40];
    const hg_rect *p = &rect[i];
    double h = (r->dims > 1 ? p->hi[1] - p->lo[1] : ny) * f.scale, w = (p->hi[0] - p->lo[0]) * f.scale;
    if (!in_layer(r, p)) continue;
    fill_colour(&f, r->speed[i], colour, sizeof colour);
    fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" stroke=\"black\"/>\n",
            p->lo[0] * f.scale, TITLE + (r->dims > 1 ? p->lo[1] : 0) * f.scale, w, h, colour);
    draw_label(out, p->lo[0] * f.scale, TITLE + (r->dims > 1 ? p->lo[1] : 0) * f.scale, w, h, i, part[i].cells / cells,
               2 * part[i].neighbours);
  }
  for (int i = 0; i < r->parts && halo > 0; i++)
    if (in_layer(r, &rect[i])) draw_halo(out, &f, r, &rect[i], halo);
  fprintf(out, "</svg>\n");
  free(part);
  return ferror(out) ? hg_fail(HG_IO, "drawing: %s", strerror(errno)) : HG_OK;
}
