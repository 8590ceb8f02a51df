/* SPDX-License-Identifier: MIT */
/* Results of functions that can fail. Each thread has one message, which names the value, its bound and its place. */
#ifndef HG_BASE_STATUS_H
#define HG_BASE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/** One line per status: name, short description. */
#define HG_STATUS_LIST(X)                                                                                              \
  X(OK, "success")                                                                                                     \
  X(INVALID, "invalid value")                                                                                          \
  X(FORMAT, "malformed file")                                                                                          \
  X(IO, "input or output failed")                                                                                      \
  X(MEMORY, "not enough memory")                                                                                       \
  X(UNSUPPORTED, "not supported")                                                                                      \
  X(RUNTIME, "the runtime system failed")                                                                              \
  X(NO_WORKER, "nothing to run on")                                                                                    \
  X(MISMATCH, "results differ")

typedef enum hg_status {
#define HG_STATUS_ENTRY(name, text) HG_##name,
  HG_STATUS_LIST(HG_STATUS_ENTRY)
#undef HG_STATUS_ENTRY
} hg_status;

/** Records a message for this thread and returns `status`. The previous message may be an argument; a NULL format
 * leaves an empty message. */
__attribute__((format(printf, 2, 3))) hg_status hg_fail(hg_status status, const char *format, ...);

/** Forgets the message. */
void hg_clear_message(void);

/** The message of this thread's last failure; "" if there was none. Valid until the next hg_fail. */
const char *hg_message(void);

/** Short description of a status; never NULL. */
const char *hg_status_text(hg_status status);

/** Returns from the calling function if `expr` is not HG_OK. */
#define HG_TRY(expr)                                                                                                   \
  do {                                                                                                                 \
    hg_status hg_try_status = (expr);                                                                                  \
    if (hg_try_status != HG_OK) return hg_try_status;                                                                  \
  } while (0)

#ifdef __cplusplus
}
#endif
#endif
