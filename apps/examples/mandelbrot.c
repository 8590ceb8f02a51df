/* SPDX-License-Identifier: MIT */
/* Pieces of unlike size: rows of a picture of the Mandelbrot set, with the calls that hg_divisible_main makes. Two
 * pictures are computed in turn; each learns for itself. Writes mandelbrot.pgm on rank 0. */
#include <hetgrid/divisible.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 600, MOST = 255 };

static hg_status rows(const hg_jobs *jobs)
{
  unsigned char *pixel = jobs->array[0];
  const double zoom = *(const double *)jobs->arg;
  for (int64_t i = 0; i < jobs->count * SIDE; i++) {
    const double a = (double)(i % SIDE) / SIDE * zoom - .75 - zoom / 2;
    const double b = ((double)(jobs->first + i / SIDE) / SIDE - .5) * zoom;
    double x = 0, y = 0, old;
    int n = 0;
    for (; n < MOST && x * x + y * y < 4; n++) old = x, x = x * x - y * y + a, y = 2 * old * y + b;
    pixel[i] = (unsigned char)n;
  }
  return HG_OK;
}

int main(void)
{
  static unsigned char picture[2][SIDE][SIDE];
  static double zoom[2] = {3, .02};
  hg_divisible_run *run[2] = {NULL, NULL};
  hg_status status = HG_OK;
  for (int i = 0; i < 2 && status == HG_OK; i++) {
    const hg_divisible job = {.name = "mandelbrot", .grid = {SIDE}, .cpu = rows, .agglomerative = true, .arrays = 1,
                              .array = {{picture[i], SIDE, .access = HG_JOB_WRITE}}, .arg = &zoom[i]};
    status = hg_divisible_open(&job, &run[i]);
  }
  for (int pass = 0; pass < 4 && status == HG_OK; pass++)
    for (int i = 0; i < 2 && status == HG_OK; i++) status = hg_divisible_pass(run[i]);
  const hg_divisible_report *r = hg_divisible_report_of(run[0]);
  FILE *out = status == HG_OK && r->rank == 0 ? fopen("mandelbrot.pgm", "w") : NULL;
  if (out && fprintf(out, "P5 %d %d %d\n", SIDE, 2 * SIDE, MOST) > 0) fwrite(picture, 1, sizeof picture, out), fclose(out);
  if (status != HG_OK) fprintf(stderr, "mandelbrot: %s\n", hg_message());
  for (int i = 0; i < 2; i++) hg_divisible_close(run[i]);
  return status != HG_OK;
}
