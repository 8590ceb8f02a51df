/* SPDX-License-Identifier: MIT */
/* Numbers are written and read as in the C locale, whatever locale the host program has set (GTK, Qt, R and Python's
 * GUIs set the user's). Each function that a program calls, and each of our threads, switches to it while it runs;
 * functions of the program that are called meanwhile get the program's locale back. */
#ifndef HG_BASE_LOCALE_H
#define HG_BASE_LOCALE_H

#include <locale.h>

/** Switches this thread to the C locale. @return the one it had */
locale_t hg_locale_take(void);

/** Switches this thread back to the program's locale. @return the one it had */
locale_t hg_locale_give(void);

/** Undoes either. @param before  what it returned */
void hg_locale_restore(const locale_t *before);

/** Switches to the C locale, or the program's, until the end of the block. */
#define HG_C_LOCALE                                                                                                    \
  __attribute__((cleanup(hg_locale_restore), unused)) const locale_t hg_locale_before = hg_locale_take()
#define HG_PROGRAMS_LOCALE                                                                                             \
  __attribute__((cleanup(hg_locale_restore), unused)) const locale_t hg_locale_before = hg_locale_give()
#endif
