/* SPDX-License-Identifier: MIT */
#include "codelets/failure.h"

#include <stdio.h>

void hg_failure_note(hg_failure *f, hg_status status)
{
  pthread_mutex_lock(&f->lock);
  if (f->status == HG_OK) {
    f->status = status;
    snprintf(f->text, sizeof f->text, "%s", hg_message());
  }
  pthread_mutex_unlock(&f->lock);
}

hg_status hg_failure_take(hg_failure *f)
{
  pthread_mutex_lock(&f->lock);
  const hg_status status = f->status;
  if (status != HG_OK) hg_fail(status, "%s", f->text);
  f->status = HG_OK;
  pthread_mutex_unlock(&f->lock);
  return status;
}
