/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-fft. */
#include <string.h>

#include "base/text.h"
#include "base/version.h"
#include "fft.h"
#include "program/exit.h"

const char *argp_program_version = "hetgrid-fft " HG_VERSION;

enum { BATCH = 512, SIZE, INVERSE, PRECISION, REAL, INPUT, SEED, PLANNER, WISDOM, VERIFY, GOLDEN };

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Problem:", 1},
    {"batch", BATCH, "N1", 0, "N1 transforms of two dimensions (default 256)", 0},
    {"size", SIZE, "[N1,]N2,N3", 0,
     "Rows and columns of each (default 256,256); with N1 one transform of three dimensions", 0},
    {"inverse", INVERSE, NULL, 0, "Divides by the number of points; the forward transform does not", 0},
    {"real", REAL, NULL, 0, "Of real values: half of a spectrum along the last axis", 0},
    {"precision", PRECISION, "double|float", 0, "Of the arithmetic (default double)", 0},
    {"input", INPUT, "FILE.npy", 0, "Values (default: random ones of --seed); without --size its size", 0},
    {"seed", SEED, "K", 0, "Of random values (default 1)", 0},
    {NULL, 0, NULL, 0, "Method:", 2},
    {"planner", PLANNER, "estimate|measure|patient", 0,
     "Of FFTW (default measure: several are measured, the fastest is taken); estimated plans have the same bits in "
     "every run",
     0},
    {"wisdom", WISDOM, "FILE", 0, "Begin with FFTW's plans of there, and keep them", 0},
    {"verify", VERIFY, NULL, 0,
     "Compare with FFTW at once, the way back, Parseval's identity, the defining sums and an impulse", 0},
    {"golden", GOLDEN, "FILE", 0, "Run the cases of a golden file and print TAP", 0},
    {0}};

/* The number of extents decides what it is. */
static void parse_size(struct argp_state *state, const char *arg, fft_options *o)
{
  int64_t n[3];
  int count;
  hg_arg_require(state, hg_parse_ints(arg, "--size", 1, 1 << 30, 3, n, &count));
  if (count == 1) argp_failure(state, 2, 0, "--size: '%s', must be N2,N3 or N1,N2,N3", arg);
  if (count == 3) o->shape.n[0] = n[0];
  o->shape.n[1] = n[count - 2];
  o->shape.n[2] = n[count - 1];
  o->shape.cube = count == 3;
  o->sized = true;
}

static void check_together(struct argp_state *state, const fft *f)
{
  const fft_options *o = &f->options;
  if (o->batched && o->shape.cube) argp_failure(state, 2, 0, "--batch: needs --size N2,N3, not three extents");
  for (int i = 0; i < f->context.results.outputs; i++)
    if (!hg_file_has_ending(f->context.results.output[i], ".npy"))
      argp_failure(state, 2, 0, "--output: '%s' must end in .npy", f->context.results.output[i]);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  static const char *const planners[] = {"estimate", "measure", "patient", NULL};
  fft *f = state->input;
  fft_options *o = &f->options;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = &f->context; break;
  case ARGP_KEY_ARG: argp_error(state, "'%s': every value belongs to an option", arg); break;
  case BATCH:
    o->shape.n[0] = hg_arg_int(state, arg, "--batch", 1, 1 << 30);
    o->batched = true;
    break;
  case SIZE: parse_size(state, arg, o); break;
  case INVERSE: o->shape.inverse = true; break;
  case REAL: o->shape.real = true; break;
  case PRECISION: o->shape.single = hg_arg_one_of(state, arg, "--precision", hg_precision_names) == 1; break;
  case INPUT: o->input = arg; break;
  case SEED: o->seed = (uint64_t)hg_arg_int(state, arg, "--seed", 0, INT64_MAX); break;
  case PLANNER: o->planner = (fft_planner)hg_arg_one_of(state, arg, "--planner", planners); break;
  case WISDOM: o->wisdom = arg; break;
  case VERIFY: o->verify = true; break;
  case GOLDEN: o->golden = arg; break;
  case ARGP_KEY_END: check_together(state, f); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

void fft_parse(int argc, char **argv, fft *f)
{
  const struct argp_child children[] = {
      {hg_divisible_arguments("Write the result; may be repeated", "FILE.npy"), 0, "Execution:", 3},
      {NULL, 0, NULL, 0}};
  const struct argp argp = {
      option_list,
      parse,
      NULL,
      "Fourier transforms of many planes, or of a cube, on CPU cores, GPUs and MPI ranks together, whose speeds need "
      "not be known: each pass divides the next.\v" HG_HELP_ENVIRONMENT HG_HELP_EXIT,
      children,
      NULL,
      NULL};
  f->options = (fft_options){.shape.n = {256, 256, 256}, .seed = 1, .planner = FFT_MEASURE};
  f->context.results = (hg_run_options)HG_RUN_DEFAULTS;
  f->context.results.repeat = 3;
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, f);
}
