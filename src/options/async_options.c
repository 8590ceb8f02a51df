/* SPDX-License-Identifier: MIT */
#include "options/async_options.h"

#include "base/text.h"
#include "codelets/simulated_costs.h"

enum { MODE = 768, DETECT, DELAY_BOUND, EAGER };

static const struct argp_option option_list[] = {
    {"mode", MODE, "sync|async", 0,
     "async: no block waits for another, it takes what its neighbours have told it so far; the result is the same "
     "within the tolerance, not in its bits (default sync)",
     0},
    {"detect", DETECT, "exact|persistent|bounded", 0,
     "Async: what finds the end, a frozen copy of all blocks, which is the result; or small changes for some updates, "
     "or for as long as messages take at most (--delay-bound), which may be wrong (default exact)",
     0},
    {"delay-bound", DELAY_BOUND, "S", 0,
     "With --detect bounded: s from the end of a block's sweep until all its neighbours have ended one that knew it, "
     "at most",
     0},
    {"eager", EAGER, NULL, 0,
     "Async: blocks that have reached the tolerance go on rather than rest until there is news", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  static const char *const modes[] = {"sync", "async", NULL};
  hg_mode *m = state->input;
  switch (key) {
  case MODE: m->async = hg_arg_one_of(state, arg, "--mode", modes) == 1; break;
  case DETECT:
    m->detection.kind = (hg_detect_kind)hg_arg_one_of(state, arg, "--detect", hg_detection_names);
    m->given = "--detect";
    break;
  case DELAY_BOUND:
    hg_arg_require(state, hg_parse_double(arg, "--delay-bound", 1e-9, 1e9, &m->detection.bound));
    m->given = "--delay-bound";
    break;
  case EAGER:
    m->eager = true;
    m->given = "--eager";
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp hg_mode_argp = {option_list, parse, NULL, NULL, NULL, NULL, NULL};

hg_status hg_mode_check(const hg_mode *m)
{
  if (m->given && !m->async) return hg_fail(HG_INVALID, "%s: only with --mode async", m->given);
  if (m->detection.kind == HG_DETECT_BOUNDED && !(m->detection.bound > 0))
    return hg_fail(HG_INVALID, "--detect bounded: needs --delay-bound S, the bound");
  if (m->detection.kind != HG_DETECT_BOUNDED && m->detection.bound > 0)
    return hg_fail(HG_INVALID, "--delay-bound: only with --detect bounded");
  if (m->async && hg_simulated) return hg_fail(HG_UNSUPPORTED, "--mode async: not in virtual time");
  return HG_OK;
}

void hg_mode_consistency(const hg_mode *m, hg_consistency *list)
{
  hg_consistency_flag(list, "--mode async", m->async);
  hg_consistency_text(list, "--detect", hg_detection_names[m->detection.kind]);
  hg_consistency_doubles(list, "--delay-bound", 1, &m->detection.bound);
  hg_consistency_flag(list, "--eager", m->eager);
}
