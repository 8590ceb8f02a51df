/* SPDX-License-Identifier: MIT */
#include "base/locale.h"

#include <pthread.h>

static locale_t c_locale; /* 0 if there is no memory for it: locales then stay as they are */
static _Thread_local locale_t programs;

static void make(void)
{
  c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

locale_t hg_locale_take(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make);
  const locale_t before = uselocale(c_locale);
  if (before != c_locale) programs = before;
  return before;
}

locale_t hg_locale_give(void)
{
  return uselocale(programs ? programs : LC_GLOBAL_LOCALE);
}

void hg_locale_restore(const locale_t *before)
{
  uselocale(*before);
}
