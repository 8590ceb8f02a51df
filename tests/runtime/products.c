/* SPDX-License-Identifier: MIT */
/* A product is the same, bit for bit, into however many strips of columns a short GPU memory would cut it. */
#include <stdlib.h>
#include <string.h>

#include "hetgrid.h"
#include "matmul/divide.h"
#include "matmul/product.h"
#include "session.h"
#include "tap.h"

static hg_session session;

/* The product in two calls of hg_matmul_compute, C's values by columns; NULL: it fails. */
static double *multiply(const hg_matmul_problem *p, int strips)
{
  const hg_box whole = {{0, 0, 0}, {p->n, p->m, 1}};
  const int workers = session.workers, panels = hg_matmul_panels(p);
  const size_t column = (size_t)p->m * sizeof(double);
  hg_box box[workers], rank;
  int64_t units[workers];
  double busy[workers], *c = malloc((size_t)p->n * column);
  hg_matmul_part part = {.session = NULL};
  for (int w = 0; w < workers; w++) units[w] = w > 0 ? 0 : hg_matmul_units(p);
  if (workers > 1) units[1] = units[0] / 3;
  if (workers > 1) units[0] -= units[1];
  hg_status status = c ? hg_matmul_divide(&session, p, units, box, &rank) : HG_MEMORY;
  if (status == HG_OK) status = hg_matmul_part_make(&session, p, &whole, panels, &part, NULL);
  if (status == HG_OK) status = hg_matmul_part_load(&part, &rank);
  hg_matmul_run run = {
      .part = &part, .box = box, .strips = strips, .end = 2, .fresh = true, .goes_on = true, .busy = busy};
  if (status == HG_OK) status = hg_matmul_compute(&run);
  run.first = run.end;
  run.end = panels;
  run.fresh = run.goes_on = false;
  if (status == HG_OK) status = hg_matmul_compute(&run);
  for (int64_t j = 0; j < p->n && status == HG_OK; j++) memcpy(c + j * p->m, hg_matmul_part_c(&part, 0, j), column);
  hg_matmul_part_free(&part);
  if (status == HG_OK) return c;
  free(c);
  return NULL;
}

static void strips_give_the_same_bits(hg_matmul_layout layout)
{
  hg_matmul_problem p = {.m = 130, .n = 201, .k = 150, .nb = 32, .layout = layout, .partition = "auto"};
  hg_matrix *a, *b;
  if (hg_matrix_random(p.m, p.k, 1, &a) != HG_OK || hg_matrix_random(p.k, p.n, 2, &b) != HG_OK) exit(99);
  p.a = a;
  p.b = b;
  double *whole = multiply(&p, 1);
  tap_ok(whole != NULL, "a product in rows or rectangles (%d): %s", layout, whole ? "computed" : hg_message());
  for (int strips = 2; strips <= 15; strips += strips > 3 ? 10 : 1) {
    double *cut = multiply(&p, strips);
    tap_ok(whole && cut && memcmp(whole, cut, (size_t)(p.m * p.n) * sizeof *cut) == 0, "... the same in %d strips",
           strips);
    free(cut);
  }
  free(whole);
  hg_matrix_close(a);
  hg_matrix_close(b);
}

/* 1000 x 1000 of C are 8 MB, the panels 1 MB, StarPU's chunk 33.6 MB. */
static void memory_decides_on_strips(void)
{
  const hg_matmul_problem p = {.m = 1000, .n = 1000, .k = 1000, .nb = 16, .precision = HG_DOUBLE};
  tap_int(hg_matmul_strips_in(&p, p.m, p.n, 0), 1, "unknown memory holds all of C");
  tap_int(hg_matmul_strips_in(&p, p.m, p.n, 43e6), 1, "43 MB hold all of C");
  tap_int(hg_matmul_strips_in(&p, p.m, p.n, 42e6), 3, "42 MB hold two of three strips");
  tap_int(hg_matmul_strips_in(&p, p.m, p.n, 34e6), 0, "34 MB hold none");
  const hg_box box = {{16, 5, 0}, {1000, 25, 1}};
  int64_t columns = 16;
  for (int i = 0; i < 7; i++) {
    const hg_box strip = hg_matmul_strip(&box, i, 7);
    columns = strip.lo[0] == columns && strip.lo[1] == 5 && strip.hi[1] == 25 ? strip.hi[0] : -1;
  }
  tap_int(columns, 1000, "strips follow each other");
}

int main(int argc, char **argv)
{
  (void)argc;
  start_session(argv, &session);
  hg_matmul_prepare();
  memory_decides_on_strips();
  strips_give_the_same_bits(HG_LAYOUT_ROWS);
  strips_give_the_same_bits(HG_LAYOUT_RECTANGLES);
  hg_session_close(&session);
  return tap_done();
}
