/* SPDX-License-Identifier: MIT */
/* Makes text from files, names and arguments safe for a terminal or a CSV file. */
#ifndef HG_BASE_SHOWN_H
#define HG_BASE_SHOWN_H

#include <stdbool.h>
#include <stddef.h>

/** Length in bytes of the UTF-8 character at `text`; 0 if it cannot be shown: control characters (C0, DEL, C1),
 * invalid bytes, and the noncharacters U+FFFE and U+FFFF. */
int hg_text_character(const char *text);

/** Copies text; bytes that cannot be shown become \n, \t, \x1b and the like. Cut between characters if `size` is too
 * small. @return out */
const char *hg_text_show(const char *text, char *out, size_t size);

/** The same in allocated memory, released with free(); NULL if memory runs out. */
char *hg_text_shown(const char *text);

/** Text as a field of a CSV row: quoted if it holds a comma, a quote or a line end. Cut if `size`, at least 4, is too
 * small. @return out */
const char *hg_text_csv(const char *text, char *out, size_t size);

/** Whether hg_text_show would replace nothing in it. */
bool hg_text_is_shown(const char *text);
#endif
