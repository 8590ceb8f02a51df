/* SPDX-License-Identifier: MIT */
#include "options/async_options.h"

#include "codelets/simulated_costs.h"

static const char *const modes[] = {"sync", "async", NULL};

const hg_option hg_mode_option_list[] = {
    {"mode", HG_ONE_OF(hg_mode, async, modes), NULL,
     "async: blocks do not wait for each other but use the latest values of their neighbours; the result agrees "
     "within the tolerance, but not bit for bit (default sync)",
     HG_SAME},
    {"detect", HG_ONE_OF(hg_mode, detection.kind, hg_detection_names), NULL,
     "With --mode async, how convergence is detected. exact: on a snapshot of all blocks, which becomes the result; "
     "persistent: changes stay small for some updates; bounded: they do so for --delay-bound. The last two may stop "
     "too early (default exact)",
     HG_SAME},
    {"delay-bound", HG_IN(hg_mode, detection.bound, 1e-9, 1e9), "S",
     "With --detect bounded: longest time in seconds from the end of a block's sweep until every neighbour has "
     "finished a sweep that used its values",
     HG_SAME},
    {"eager", HG_FLAG(hg_mode, eager), NULL,
     "With --mode async: blocks that have reached the tolerance keep sweeping instead of idling until new values "
     "arrive",
     HG_SAME},
    {0}};

hg_status hg_mode_needed(const hg_command *command, const hg_mode *m, const char *const *options)
{
  const char *given = m->async ? NULL : hg_option_first(command, options);
  return given ? hg_fail(HG_INVALID, "--%s: only with --mode async", given) : HG_OK;
}

hg_status hg_mode_check(const hg_command *command, void *mode)
{
  static const char *const own[] = {"detect", "delay-bound", "eager", NULL};
  const hg_mode *m = mode;
  HG_TRY(hg_mode_needed(command, m, own));
  if (m->detection.kind == HG_DETECT_BOUNDED && !(m->detection.bound > 0))
    return hg_fail(HG_INVALID, "--detect bounded: needs --delay-bound S");
  if (m->detection.kind != HG_DETECT_BOUNDED && m->detection.bound > 0)
    return hg_fail(HG_INVALID, "--delay-bound: only with --detect bounded");
  if (m->async && hg_simulated) return hg_fail(HG_UNSUPPORTED, "--mode async: not supported in virtual time");
  return HG_OK;
}
