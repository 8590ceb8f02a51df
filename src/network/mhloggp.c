/* SPDX-License-Identifier: MIT */
/* Example: G k = 0.004577 us/B x 65536 B = 300 us, and o_scn + l_nn + o_rn = 17 + 268 + 15 = 300 us:
 * both are the time of one message, so (1), which adds them, gives twice the time. */
#include "network/mhloggp.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define KB 1024.
#define MB (1024. * KB)
#define SIZES_1                                                                                                        \
  {                                                                                                                    \
    1, 4 * KB, 16 * KB, 64 * KB, 256 * KB, MB, 4 * MB, 16 * MB, 256 * MB                                               \
  }
#define SIZES_2                                                                                                        \
  {                                                                                                                    \
    1, 256, KB, 16 * KB, 64 * KB, 256 * KB, MB, 16 * MB, 64 * MB                                                       \
  }

const hg_printed hg_mhloggp_tables[] = {
    {"o_scd", SIZES_1, {3, 45, 52, 64, 173, 381, 1243, 4754, 71799}},
    {"o_rd", SIZES_1, {3, 45, 52, 64, 173, 381, 1243, 4754, 71799}},
    {"o_sg", SIZES_1, {20, 22, 26, 50, 174, 824, 1329, 4803, 70209}},
    {"o_scn", SIZES_1, {4, 4, 8, 17, 32, 65, 128, 904, 20426}},
    {"o_rgb", SIZES_1, {102055, 103537, 109984, 109455, 114427, 111911, 101656, 101410, 103542}},
    {"o_rn", SIZES_1, {3, 5, 8, 15, 32, 67, 129, 1002, 21527}},
    {"l_nn", SIZES_1, {141, 149, 225, 268, 339, 755, 2589, 10461, 161469}},
    {"G", SIZES_2, {141, .578125, .145508, .014710, .004577, .001537, .000845, .000737, .000749}},
    {"g_g", SIZES_2, {4, 4, 4, 4, 4, 7, 68, 104, 249}},
    {"g_c", SIZES_2, {0, 0, 0, 42, 39, 40, 41, 55, 35}},
    {NULL, {0}, {0}}};

const int hg_mhloggp_nodes[HG_TABLE3_ROWS] = {2, 4, 8};
const double hg_mhloggp_broadcast_bytes[HG_TABLE3_COLUMNS] = {1,  256,    16 * KB, 64 * KB, 256 * KB,
                                                              MB, 4 * MB, 16 * MB, 64 * MB, 256 * MB};
const double hg_mhloggp_broadcast[HG_TABLE3_ROWS][HG_TABLE3_COLUMNS] = {
    {83667, 85284, 97732, 106578, 106578, 95334, 101449, 140239, 211425, 417945},
    {132472, 142002, 140794, 188769, 213175, 197967, 234129, 284768, 392290, 805469},
    {207340, 203330, 291777, 294295, 299879, 300807, 472381, 599026, 822744, 1804826}};

const double hg_mhloggp_n[HG_TABLE4_ROWS] = {64, 128, 256, 512, 1024, 2048, 4096, 8192};
const double hg_mhloggp_total[HG_TABLE4_ROWS] = {110268, 109819, 115474, 115553, 119466, 219825, 964722, 6999979};
const double hg_mhloggp_computing[HG_TABLE4_ROWS] = {164, 166, 241, 300, 423, 1042, 2854, 11284};

/* y at x by linear interpolation: the first value below the points, the last line extrapolated beyond them, never
 * below 0. @param points  >= 1, x rising */
static double lines_at(int points, const double *x, const double *y, double at)
{
  if (points == 1 || at <= x[0]) return fmax(y[0], 0);
  int i = 0;
  while (i + 2 < points && x[i + 1] <= at) i++;
  return fmax(y[i] + (y[i + 1] - y[i]) * ((at - x[i]) / (x[i + 1] - x[i])), 0);
}

hg_status hg_mhloggp_parameter(const char *name, double k, double *out)
{
  if (!(k >= 0) || !isfinite(k)) return hg_fail(HG_INVALID, "%s: a message of %g bytes, must be >= 0", name, k);
  for (const hg_printed *p = hg_mhloggp_tables; p->name; p++) {
    if (strcmp(p->name, name) != 0) continue;
    *out = lines_at(9, p->bytes, p->value, k);
    return HG_OK;
  }
  return hg_fail(HG_INVALID,
                 "'%s' is not a parameter of mHLogGP; known: o_scd o_rd o_sg o_scn o_rgb o_rn l_nn G g_g g_c", name);
}

double hg_mhloggp_equation1(const hg_printed_message *m)
{
  return m->o_s + (m->k - 1) * m->G + m->l + m->o_r;
}

double hg_mhloggp_equation2(int count, const hg_printed_message *m)
{
  double sum = m[0].o_s + (m[0].k - 1) * m[0].G;
  for (int i = 0; i + 1 < count; i++) sum += fmax((m[i + 1].k - 1) * m[i + 1].G + m[i + 1].g_c + m[i + 1].o_s, m[i].l);
  return sum + m[count - 1].l + m[count - 1].o_r;
}

double hg_mhloggp_stream(int count, const hg_printed_message *m, double L)
{
  double sum = m[0].o_s + (m[0].k - 1) * m[0].G;
  for (int i = 1; i < count; i++) sum += fmax(m[i].g_c, m[i].o_s) + (m[i].k - 1) * m[i].G;
  return sum + L + m[count - 1].o_r;
}

static double ceil_log2(int P)
{
  int steps = 0;
  while (steps < 31 && (INT64_C(1) << steps) < P) steps++;
  return steps;
}

static hg_status check_group(int P, double k)
{
  if (P < 1) return hg_fail(HG_INVALID, "a broadcast among %d ranks, must be >= 1", P);
  if (!(k >= 0) || !isfinite(k)) return hg_fail(HG_INVALID, "a broadcast of %g bytes, must be >= 0", k);
  return HG_OK;
}

hg_status hg_mhloggp_broadcast_time(const char *algorithm, int P, double k, double a, double b, double *out)
{
  HG_TRY(check_group(P, k));
  const double lg = ceil_log2(P), twice = 2 * k * (P - 1) / P * b;
  if (strcmp(algorithm, "binomial") == 0)
    *out = lg * (a + k * b);
  else if (strcmp(algorithm, "doubling") == 0)
    *out = 2 * lg * a + twice;
  else if (strcmp(algorithm, "ring") == 0)
    *out = (lg + P - 1) * a + twice;
  else
    return hg_fail(HG_INVALID, "algorithm '%s', must be binomial, doubling or ring", algorithm);
  return HG_OK;
}

hg_status hg_mhloggp_fit(int count, const double *n, const double *total, double *start, double *rate)
{
  double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0; /* rows 1/t and 2 n^3/t against 1 */
  for (int i = 0; i < count; i++) {
    if (!(total[i] > 0) || !(n[i] > 0))
      return hg_fail(HG_INVALID, "a product of side %g took %g, both must be > 0", n[i], total[i]);
    const double a = 1 / total[i], b = 2 * n[i] * n[i] * n[i] / total[i];
    aa += a * a;
    ab += a * b;
    bb += b * b;
    a1 += a;
    b1 += b;
  }
  const double determinant = aa * bb - ab * ab;
  if (count < 2 || !(determinant > 1e-12 * aa * bb))
    return hg_fail(HG_INVALID, "%d sizes cannot separate start-up from speed, must be at least two different ones",
                   count);
  *start = (a1 * bb - b1 * ab) / determinant;
  *rate = determinant / (b1 * aa - a1 * ab);
  return HG_OK;
}
