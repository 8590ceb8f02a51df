/* SPDX-License-Identifier: MIT */
/* Where the library's warnings go. */
#ifndef HG_BASE_WARNINGS_H
#define HG_BASE_WARNINGS_H

#ifdef __cplusplus
extern "C" {
#endif

/** Sends warnings to `use` instead of stderr, whatever HETGRID_LOG says; NULL: to stderr again. Must not be called
 * while a job runs. As on stderr, only rank 0 warns.
 * @param use  gets one warning, a line without its newline, on the thread that raised it, which may be one of the
 * library's */
void hg_on_warning(void (*use)(const char *text, void *arg), void *arg);

#ifdef __cplusplus
}
#endif
#endif
