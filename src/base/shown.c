/* SPDX-License-Identifier: MIT */
#include "base/shown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Length of a character by its first byte, 0 if that is none. */
static int bytes_of(unsigned char first)
{
  if (first < ' ' || first == 0x7f) return 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

int hg_text_character(const char *text)
{
  const unsigned char *t = (const unsigned char *)text;
  const int length = bytes_of(*t);
  for (int i = 1; i < length; i++)
    if ((t[i] & 0xc0) != 0x80) return 0;
  if (*t == 0xc2 && t[1] < 0xa0) return 0;                                  /* C1 */
  if ((*t == 0xe0 && t[1] < 0xa0) || (*t == 0xed && t[1] > 0x9f)) return 0; /* overlong; surrogates */
  if ((*t == 0xf0 && t[1] < 0x90) || (*t == 0xf4 && t[1] > 0x8f)) return 0; /* overlong; beyond Unicode */
  return *t == 0xef && t[1] == 0xbf && t[2] >= 0xbe ? 0 : length;
}

const char *hg_text_show(const char *text, char *out, size_t size)
{
  size_t n = 0;
  for (int length; *text; text += length ? length : 1) {
    char code[8] = "";
    length = hg_text_character(text);
    if (length)
      memcpy(code, text, (size_t)length);
    else if (*text == '\n' || *text == '\t')
      strcpy(code, *text == '\n' ? "\\n" : "\\t");
    else
      snprintf(code, sizeof code, "\\x%02x", (unsigned char)*text);
    const size_t more = strlen(code);
    if (n + more >= size) break;
    memcpy(out + n, code, more);
    n += more;
  }
  out[n] = '\0';
  return out;
}

/* A quote within quotes is doubled. */
const char *hg_text_csv(const char *text, char *out, size_t size)
{
  size_t n = 0;
  if (!strpbrk(text, ",\"\r\n")) {
    snprintf(out, size, "%s", text);
    return out;
  }
  out[n++] = '"';
  for (; *text && n < size - 3; text++) {
    if (*text == '"') out[n++] = '"';
    out[n++] = *text;
  }
  strcpy(out + n, "\"");
  return out;
}

char *hg_text_shown(const char *text)
{
  enum { CODE = 4 }; /* characters that show a byte */
  const size_t size = CODE * strlen(text) + 1;
  char *out = malloc(size);
  if (out) hg_text_show(text, out, size);
  return out;
}

bool hg_text_is_shown(const char *text)
{
  while (*text && hg_text_character(text) > 0) text += hg_text_character(text);
  return *text == '\0';
}
