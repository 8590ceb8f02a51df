/* SPDX-License-Identifier: MIT */
/* Who gets the library's warnings. */
#ifndef HG_BASE_WARNINGS_H
#define HG_BASE_WARNINGS_H

#ifdef __cplusplus
extern "C" {
#endif

/** From now on warnings go to `use` and not to stderr, whatever HETGRID_LOG says; NULL: to stderr again. Not while a
 * job runs. As on stderr, those of rank 0 alone.
 * @param use  gets one warning, a line without its end, on the thread that has it, which may be one of the library's */
void hg_on_warning(void (*use)(const char *text, void *arg), void *arg);

#ifdef __cplusplus
}
#endif
#endif
