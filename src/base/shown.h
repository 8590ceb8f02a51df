/* SPDX-License-Identifier: MIT */
/* Text from files, names and arguments as a terminal, or a CSV file, may be given it. */
#ifndef HG_BASE_SHOWN_H
#define HG_BASE_SHOWN_H

#include <stdbool.h>
#include <stddef.h>

/** Bytes of the character in UTF-8 that begins at `text`; 0 where none begins that can be shown:
 * control characters (C0, DEL, C1), wrong bytes, and U+FFFE and U+FFFF, which are none. */
int hg_text_character(const char *text);

/** Copies text; bytes that cannot be shown become \n, \t, \x1b and the like. Cut between characters
 * where `size` is too small. @return out */
const char *hg_text_show(const char *text, char *out, size_t size);

/** The same in memory of its own, released with free(); NULL if there is none. */
char *hg_text_shown(const char *text);

/** Text as a field of a CSV row: in quotes where it holds a comma, a quote or a line's end. Cut where `size`, at least
 * 4, is too small. @return out */
const char *hg_text_csv(const char *text, char *out, size_t size);

/** Whether nothing of it would be replaced. */
bool hg_text_is_shown(const char *text);
#endif
