/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/shown.h"

static _Thread_local char message[1024];

hg_status hg_fail(hg_status status, const char *format, ...)
{
  char text[sizeof message] = "";
  va_list args;
  va_start(args, format);
  if (format) vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hg_text_show(text, message, sizeof message);
  return status;
}

void hg_clear_message(void)
{
  *message = 0;
}

const char *hg_message(void)
{
  return message;
}

const char *hg_status_text(hg_status status)
{
  switch (status) {
#define X(name, text)                                                                                                  \
  case HG_##name: return text;
    HG_STATUS_LIST(X)
#undef X
  }
  return "unknown status";
}
