/* SPDX-License-Identifier: MIT */
/* Items of different cost: rows of a picture of the Mandelbrot set, with the calls that hg_divisible_main makes.
 * Writes mandelbrot.pgm on rank 0. */
#include <hetgrid/divisible.h>
#include <stdio.h>

enum { SIDE = 600, MOST = 255 };

static hg_status rows(const hg_items *items)
{
  unsigned char *pixel = items->array[0];
  const double zoom = *(const double *)items->arg;
  for (int64_t i = 0; i < items->count * SIDE; i++) {
    const double a = (double)(i % SIDE) / SIDE * zoom - .75 - zoom / 2;
    const double b = ((double)(items->first + i / SIDE) / SIDE - .5) * zoom;
    double x = 0, y = 0, old;
    int n = 0;
    for (; n < MOST && x * x + y * y < 4; n++) old = x, x = x * x - y * y + a, y = 2 * old * y + b;
    pixel[i] = (unsigned char)n;
  }
  return HG_OK;
}

static hg_status save(const void *picture, size_t bytes)
{
  FILE *out = fopen("mandelbrot.pgm", "w");
  if (!out) return hg_fail(HG_IO, "mandelbrot.pgm cannot be written");
  fprintf(out, "P5 %d %d %d\n", SIDE, SIDE, MOST);
  fwrite(picture, 1, bytes, out);
  return fclose(out) == 0 ? HG_OK : hg_fail(HG_IO, "mandelbrot.pgm is not complete");
}

int main(void)
{
  static unsigned char picture[SIDE][SIDE];
  double zoom = 3;
  hg_divisible job = {.name = "mandelbrot", .grid = {SIDE}, .cpu = rows, .agglomerative = true};
  hg_divisible_run *run = NULL;
  job.array[job.arrays++] = (hg_item_array){.base = picture, .bytes = SIDE, .access = HG_ITEM_WRITE};
  job.arg = &zoom;
  hg_status status = hg_divisible_open(&job, &run);
  for (int pass = 0; pass < 4 && status == HG_OK; pass++) status = hg_divisible_pass(run);
  if (status == HG_OK && hg_divisible_report_of(run)->rank == 0) status = save(picture, sizeof picture);
  if (status != HG_OK) fprintf(stderr, "mandelbrot: %s\n", hg_message());
  hg_divisible_close(run);
  return status != HG_OK;
}
