/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "base/warnings.h"

static int log_rank;
static void (*warning_user)(const char *text, void *arg);
static void *warning_arg;

static hg_level enabled_level(void)
{
  static const char *const names[] = {"error", "warn", "info"};
  const char *wanted = getenv("HETGRID_LOG");
  if (wanted && strcmp(wanted, "debug") == 0) return HG_INFO;
  for (int i = 0; wanted && i < 3; i++)
    if (strcmp(wanted, names[i]) == 0) return (hg_level)i;
  return HG_WARN;
}

void hg_log_set_rank(int rank)
{
  log_rank = rank;
}

void hg_on_warning(void (*use)(const char *text, void *arg), void *arg)
{
  warning_user = use;
  warning_arg = arg;
}

void hg_log(hg_level level, const char *format, ...)
{
  static const char *const prefix[] = {"error: ", "warning: ", ""};
  const bool passed_on = level == HG_WARN && warning_user;
  if ((level > enabled_level() && !passed_on) || (log_rank != 0 && level != HG_ERROR)) return;
  char text[1200], shown[1200];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hg_text_show(text, shown, sizeof shown);
  if (passed_on)
    warning_user(shown, warning_arg);
  else
    fprintf(stderr, "hetgrid: %s%s\n", prefix[level], shown);
}
