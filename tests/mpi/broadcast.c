/* SPDX-License-Identifier: MIT */
/* hg_broadcast by all algorithms: `broadcast` on some ranks for every root, `broadcast large` for
 * 64 MiB. Each rank checks all its bytes, and those after them. */
#include <stdlib.h>

#include "hetgrid.h"
#include "tap.h"

static hg_session session;

static unsigned char byte_at(int64_t i, int root, int64_t bytes)
{
  return (unsigned char)(i * 131 + (i >> 11) + root * 17 + bytes);
}

/* Number of wrong bytes on all ranks. */
static double wrong_bytes(unsigned char *buffer, int64_t bytes, int root, const hg_network_choice *how)
{
  enum { GUARD = 8 };
  double wrong = 0;
  for (int64_t i = 0; i < bytes + GUARD; i++)
    buffer[i] = session.rank == root && i < bytes ? byte_at(i, root, bytes) : 99;
  if (hg_broadcast(&session, buffer, bytes, root, how) != HG_OK) wrong = INFINITY;
  for (int64_t i = 0; i < bytes; i++) wrong += buffer[i] != byte_at(i, root, bytes);
  for (int i = 0; i < GUARD; i++) wrong += buffer[bytes + i] != 99;
  hg_session_sum(&session, &wrong);
  return wrong;
}

static void check(bool good, const char *format, double wrong, const char *name, int cases)
{
  if (session.rank == 0) tap_ok(good, format, session.ranks, name, cases, wrong);
}

static void every_root(unsigned char *buffer, hg_broadcast_algorithm algorithm)
{
  const int p = session.ranks;
  const int64_t sizes[] = {0, 1, p - 1, p + 1, 1000, 70001};
  double wrong = 0;
  int cases = 0;
  for (int root = 0; root < p; root++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, cases++) {
      const hg_network_choice how = {.algorithm = algorithm, .segment = i % 2 ? 0 : 300};
      wrong += wrong_bytes(buffer, sizes[i], root, &how);
    }
  check(wrong == 0, "%d ranks: %s right for every root, %d broadcasts (%g bytes wrong)", wrong,
        hg_broadcast_names[algorithm], cases);
}

static void large(unsigned char *buffer, int64_t bytes, hg_broadcast_algorithm algorithm)
{
  const hg_network_choice how = {.algorithm = algorithm, .segment = 1 << 20};
  const double wrong = wrong_bytes(buffer, bytes, session.ranks - 1, &how);
  check(wrong == 0, "%d ranks: %s right for %d MiB (%g bytes wrong)", wrong, hg_broadcast_names[algorithm],
        (int)(bytes >> 20));
}

static void refused(bool yes, const char *what)
{
  if (session.rank == 0) tap_ok(yes, "%d ranks: %s refused (%s)", session.ranks, what, hg_message());
}

static void refusals(unsigned char *buffer)
{
  const hg_network_choice doubling = {.algorithm = HG_BROADCAST_DOUBLING};
  refused(hg_broadcast(&session, buffer, 1, session.ranks, NULL) == HG_INVALID, "a root that is none is");
  refused(hg_broadcast(&session, buffer, -1, 0, NULL) == HG_INVALID, "negative bytes are");
  if ((session.ranks & (session.ranks - 1)) != 0)
    refused(hg_broadcast(&session, buffer, 1, 0, &doubling) == HG_INVALID, "doubling is");
}

int main(int argc, char **argv)
{
  const int64_t most = argc > 1 && strcmp(argv[1], "large") == 0 ? INT64_C(64) << 20 : 1 << 17;
  hg_network_choice how;
  if (hg_session_join(NULL, &session) != HG_OK) return 1;
  unsigned char *buffer = malloc((size_t)most + 64);
  for (int a = 0; a < HG_BROADCASTS; a++) {
    if (a == HG_BROADCAST_DOUBLING && (session.ranks & (session.ranks - 1)) != 0) continue;
    if (argc > 1)
      large(buffer, most, (hg_broadcast_algorithm)a);
    else
      every_root(buffer, (hg_broadcast_algorithm)a);
  }
  refusals(buffer);
  const hg_status chosen = hg_broadcast_choose(&session, most, &how);
  const double wrong = chosen == HG_OK ? wrong_bytes(buffer, most, 0, &how) : INFINITY;
  check(wrong == 0, "%d ranks: chosen %s right%.0d (%g bytes wrong)", wrong, hg_broadcast_names[how.algorithm], 0);
  free(buffer);
  const int rank = session.rank;
  hg_session_close(&session);
  return rank == 0 ? tap_done() : 0;
}
