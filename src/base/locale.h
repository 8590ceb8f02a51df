/* SPDX-License-Identifier: MIT */
/* Numbers are written and read as in the C locale, whatever locale the host program has set (GTK, Qt, R and Python's
 * windows set the user's): each function that a program calls, and each thread of ours, takes it for as long as it
 * runs, and the program's own functions that are called meanwhile are given back theirs. */
#ifndef HG_BASE_LOCALE_H
#define HG_BASE_LOCALE_H

#include <locale.h>

/** This thread has the C locale from now on. @return the one it had */
locale_t hg_locale_take(void);

/** This thread has the program's locale again. @return the one it had */
locale_t hg_locale_give(void);

/** Ends what either has begun. @param before  what it returned */
void hg_locale_restore(const locale_t *before);

/** The C locale, or the program's, until the end of the block. */
#define HG_C_LOCALE                                                                                                    \
  __attribute__((cleanup(hg_locale_restore), unused)) const locale_t hg_locale_before = hg_locale_take()
#define HG_PROGRAMS_LOCALE                                                                                             \
  __attribute__((cleanup(hg_locale_restore), unused)) const locale_t hg_locale_before = hg_locale_give()
#endif
