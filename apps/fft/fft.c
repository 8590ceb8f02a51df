/* SPDX-License-Identifier: MIT */
/* hetgrid-fft: its context. A batch is one divisible job with a plane per item. A cube has two stages: planes, and
 * rows of columns along the first axis; real inverse transforms do the columns first. With several ranks, both are
 * divided into slabs, with a transposition in between (ranks.c). */
#include "fft.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "runtime/versions.h"
#include "runtime/mpi_backoff.h"
#include "program/exit.h"
#include "program/outputs.h"

static fft *of(const hg_divisible_context *context)
{
  return context->self;
}

static bool columns_are_first(const fft_shape *s)
{
  return s->cube && s->real && s->inverse;
}

static hg_status check_extents(const fft_shape *s)
{
  int64_t bytes = 16;
  for (int a = 0; a < 3; a++)
    if (s->n[a] > INT32_MAX || __builtin_mul_overflow(bytes, s->n[a] + 2, &bytes))
      return hg_fail(HG_INVALID,
                     "--size: %" PRId64 " x %" PRId64 " x %" PRId64
                     " values, extents must be below 2^31 and the total below 2^63 bytes",
                     s->n[0], s->n[1], s->n[2]);
  if (s->n[1] * (s->n[2] + 2) > INT32_MAX / 2)
    return hg_fail(HG_INVALID, "--size: planes of %" PRId64 " x %" PRId64 " values, must be below 2^30", s->n[1],
                   s->n[2]);
  return HG_OK;
}

static hg_status open_fft(hg_divisible_context *context)
{
  fft *f = of(context);
  fft_options *o = &f->options;
  f->library = o->shape.single ? &fft_float : &fft_double;
  HG_TRY(hg_outputs_apart(&context->results, "--wisdom", o->wisdom));
  HG_TRY(hg_files_apart("--wisdom", o->wisdom, "--phases", context->results.phases_file));
  HG_TRY(hg_outputs_check(&context->results));
  if (o->input && hg_session_launch_rank() == 0) HG_TRY(fft_read_shape(o->input, &o->shape, o->sized, o->batched));
  HG_TRY(check_extents(&o->shape));
  f->in_bytes = fft_all_bytes(&o->shape, false);
  f->out_bytes = fft_all_bytes(&o->shape, true);
  return HG_OK;
}

static void list_consistency(const hg_divisible_context *context, hg_consistency *list)
{
  const fft_options *o = &of(context)->options;
  hg_consistency_flag(list, "--size", o->sized);
  for (int a = 0; a < 3 && (o->sized || !o->input); a++)
    hg_consistency_int(list, a ? "--size" : "--batch or --size", o->shape.n[a]);
}

/* --- memory --- */

/* Memory of a rank: values, transform, and with several ranks the data between the stages of a cube. */
static hg_status check_memory(const fft *f)
{
  const fft_shape *s = &f->options.shape;
  const int ranks = f->context.session.ranks;
  const int64_t slab[3] = {(s->n[0] + ranks - 1) / ranks, s->n[1], s->n[2]};
  const size_t between = s->cube && ranks > 1 ? f->out_bytes : 0;
  const int64_t bytes = (int64_t)(f->in_bytes + f->out_bytes + between) / (s->n[0] * s->n[1] * s->n[2]);
  return hg_memory_check("--size", slab, bytes > 0 ? bytes : 1);
}

/* The arrays of a single rank; `middle` is between the stages of a real inverse cube. */
static hg_status make_arrays(fft *f)
{
  const fft_shape *s = &f->options.shape;
  HG_TRY(check_memory(f));
  if (f->context.session.ranks > 1) return HG_OK;
  HG_TRY(fft_allocate("the values", f->in_bytes, &f->in));
  HG_TRY(fft_allocate("the transform", f->out_bytes, &f->out));
  if (columns_are_first(s)) HG_TRY(fft_allocate("the values between", f->in_bytes, &f->middle));
  return f->options.input ? fft_read(f->options.input, s, f->in) : fft_fill(f, f->in);
}

static hg_status make_scratch(fft *f)
{
  const fft_shape *s = &f->options.shape;
  const size_t plane = f->in_bytes / (size_t)s->n[0], block = (size_t)s->n[0] * FFT_BLOCK * fft_value_bytes(s, true);
  f->workers = f->context.session.workers;
  HG_TRY(hg_allocate("workers", ((size_t)f->workers + 1) * sizeof *f->scratch, (void **)&f->scratch));
  HG_TRY(hg_allocate("workers", ((size_t)f->workers + 1) * sizeof *f->gpu, (void **)&f->gpu));
  for (int w = 0; w < f->workers; w++)
    HG_TRY(fft_allocate("scratch memory", plane > block ? plane : block, &f->scratch[w]));
  return HG_OK;
}

/* --- stages --- */

static double flops_of(const fft_shape *s, double points, double length)
{
  return (s->real ? 2.5 : 5) * points * log2(fmax(length, 1));
}

static hg_divisible planes(fft *f, void *in, void *out)
{
  const fft_shape *s = &f->options.shape;
  const double points = (double)s->n[1] * (double)s->n[2];
  const bool divided = f->context.session.ranks > 1;
  return (hg_divisible){.name = s->cube ? "fft-planes" : "fft",
                        .grid = {s->n[0], 1, 1},
                        .arrays = 2,
                        .array = {{in, (int64_t)f->in_bytes / s->n[0], .access = HG_ITEM_READ, .divided = divided},
                                  {out, (int64_t)f->out_bytes / s->n[0], .access = HG_ITEM_WRITE, .divided = divided}},
                        .cpu = fft_do_planes,
                        .cuda = fft_cuda_planes,
                        .prepare = fft_prepare_planes,
                        .agglomerative = true,
                        .flops = flops_of(s, points, points),
                        .arg = f};
}

static hg_divisible columns(fft *f, void *in, void *out)
{
  const fft_shape *s = &f->options.shape;
  const int64_t row = fft_width(s, true) * (int64_t)fft_value_bytes(s, true);
  const double points = (double)s->n[0] * (double)s->n[2];
  const bool divided = f->context.session.ranks > 1;
  const hg_item_access first = columns_are_first(s) ? HG_ITEM_READ : HG_ITEM_UPDATE;
  const hg_item_array from = {in, row, s->n[0], s->n[1] * row, first, divided},
                      to = {out, row, s->n[0], s->n[1] * row, HG_ITEM_WRITE, divided};
  return (hg_divisible){.name = "fft-columns",
                        .grid = {s->n[1], 1, 1},
                        .arrays = columns_are_first(s) ? 2 : 1,
                        .array = {from, to},
                        .cpu = fft_do_columns,
                        .cuda = fft_cuda_columns,
                        .prepare = fft_prepare_columns,
                        .agglomerative = true,
                        .flops = flops_of(s, points, (double)s->n[0]),
                        .arg = f};
}

/* There are models for each size and precision. */
static void name_stages(fft *f)
{
  static char name[HG_STAGES_MAX][96];
  const fft_shape *s = &f->options.shape;
  for (int i = 0; i < f->context.stages; i++) {
    hg_divisible *job = &f->context.stage[i];
    snprintf(name[i], sizeof name[i], "%s-%" PRId64 "x%" PRId64 "%s%s%s", job->name,
             job->cpu == fft_do_columns ? s->n[0] : s->n[1], s->n[2], s->real ? "-real" : "",
             s->inverse ? "-inverse" : "", s->single ? "-float" : "");
    job->name = name[i];
  }
}

static void make_stages(fft *f)
{
  const fft_shape *s = &f->options.shape;
  hg_divisible_context *l = &f->context;
  l->stages = s->cube ? 2 : 1;
  if (columns_are_first(s)) {
    l->stage[0] = columns(f, f->in, f->middle);
    l->stage[1] = planes(f, f->middle, f->out);
  } else {
    l->stage[0] = planes(f, f->in, f->out);
    if (s->cube) l->stage[1] = columns(f, f->out, f->out);
  }
  name_stages(f);
}

static hg_status start(hg_divisible_context *context)
{
  fft *f = of(context);
  const hg_session *s = &context->session;
  if (f->options.input) {
    hg_session_bcast(s, &f->options.shape, sizeof f->options.shape);
    f->in_bytes = fft_all_bytes(&f->options.shape, false);
    f->out_bytes = fft_all_bytes(&f->options.shape, true);
  }
  hg_session_pause(s);
  hg_status status = make_arrays(f);
  if (status == HG_OK) status = make_scratch(f);
  status = hg_session_agree(s, status); /* ranks plan together */
  if (status == HG_OK) status = fft_plan(f);
  hg_session_resume(s);
  HG_TRY(hg_session_agree(s, status));
  make_stages(f);
  return HG_OK;
}

static hg_status load(hg_divisible_context *context)
{
  fft *f = of(context);
  if (context->session.ranks == 1 || f->loaded) return HG_OK;
  f->loaded = true;
  return fft_load_slabs(f);
}

static hg_status between(hg_divisible_context *context)
{
  return context->session.ranks > 1 ? fft_transpose(of(context)) : HG_OK;
}

/* --- reports --- */

static void print_columns(const hg_divisible_context *context, hg_columns *row)
{
  const fft_shape *s = &of(context)->options.shape;
  hg_column_text(row, "app", s->cube ? "fft3" : "fft2");
  hg_column_int(row, "n1", s->n[0]);
  hg_column_int(row, "n2", s->n[1]);
  hg_column_int(row, "n3", s->n[2]);
  hg_column_text(row, "precision", hg_precision_names[s->single]);
}

static void print_title(const hg_divisible_context *context)
{
  const fft_shape *s = &of(context)->options.shape;
  const char *kind = s->real ? "real" : "complex", *way = s->inverse ? "inverse" : "forward";
  if (s->cube)
    printf("fft: %" PRId64 " x %" PRId64 " x %" PRId64, s->n[0], s->n[1], s->n[2]);
  else
    printf("fft: %" PRId64 " planes of %" PRId64 " x %" PRId64, s->n[0], s->n[1], s->n[2]);
  printf(", %s, %s, %s\n", kind, way, hg_precision_names[s->single]);
}

static hg_status verify(fft *f)
{
  const hg_session *s = &f->context.session;
  const hg_run_options *o = &f->context.results;
  if (s->ranks > 1) HG_TRY(fft_gather_whole(f));
  HG_TRY(hg_session_agree(s, s->rank == 0 ? fft_verify(f) : HG_OK));
  if (s->rank == 0 && !o->quiet && !o->csv) puts("  verified   ok");
  return HG_OK;
}

static hg_status finish(hg_divisible_context *context)
{
  fft *f = of(context);
  const hg_run_options *o = &context->results;
  HG_TRY(fft_check(f));
  if (f->options.verify) HG_TRY(verify(f));
  for (int i = 0; i < o->outputs; i++) {
    HG_TRY(fft_write(f, o->output[i]));
    if (context->session.rank == 0) hg_outputs_print(o, i);
  }
  return HG_OK;
}

static void release(hg_divisible_context *context)
{
  fft *f = of(context);
  if (f->library) f->library->free(&f->plans);
  fft_cuda_end(f);
  free(f->in);
  free(f->middle);
  free(f->out);
  for (int w = 0; w < f->workers && f->scratch; w++) free(f->scratch[w]);
  free(f->scratch);
  free(f->gpu);
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  static const hg_divisible_program program = {.open = open_fft,
                                               .start = start,
                                               .consistency = list_consistency,
                                               .columns = print_columns,
                                               .text = print_title,
                                               .load = load,
                                               .between = between,
                                               .finish = finish,
                                               .release = release};
  static fft f = {.context = {.program = &program, .common.name = "fft"}};
  hg_program_begin("hetgrid-fft", hg_about);
  f.context.self = &f;
  fft_parse(argc, argv, &f);
  if (f.options.golden) return hg_program_end(fft_golden(f.options.golden));
  return hg_divisible_program_run(&f.context);
}
