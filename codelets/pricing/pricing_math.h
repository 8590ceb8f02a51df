/* SPDX-License-Identifier: MIT */
/* Philox4x32-10 and normal numbers for the lanes of pricing_lanes.h, from + - * / sqrt and fma alone: each is
 * correctly rounded everywhere, so all processors agree bit for bit. So do ln, exp, and sin and cos of 2 pi x, whose
 * errors are below 1.1 ulp of their precision (tests/unit/pricing.c compares with quadruple precision). Included like
 * pricing_lanes.h. */
#include "codelets/pricing/pricing_lanes.h"
#if REAL_IS_FLOAT
#include "codelets/pricing/pricing_math_float.h"
#else
#include "codelets/pricing/pricing_math_double.h"
#endif

/* Ten rounds on words in the low halves of c[4]; the high halves are ignored and undefined afterwards. */
HG_LANE_FN void philox(U c[4], uint32_t key_0, uint32_t key_1)
{
  for (int i = 0; i < 10; i++) {
    const U product_0 = times_32(c[0], U_OF(0xd2511f53)), product_1 = times_32(c[2], U_OF(0xcd9e8d57));
    const U upper_0 = (product_1 >> 32) ^ c[1] ^ U_OF(key_0), upper_1 = (product_0 >> 32) ^ c[3] ^ U_OF(key_1);
    c[0] = upper_0;
    c[1] = product_1;
    c[2] = upper_1;
    c[3] = product_0;
    key_0 += 0x9e3779b9;
    key_1 += 0xbb67ae85;
  }
}

/* (x + 1/2) 2^-32 of a word in the low half: exact in double precision; in single precision the nearest number, which
 * may be 1. */
HG_LANE_FN V uniform(U word)
{
  const D shifted = double_of((word & U_OF(0xffffffff)) | U_OF(UINT64_C(0x4130000000000000)));
  return narrow(shifted - (0x1p20 - 0x1p-33));
}

/* The four normal numbers of a block of a stream. */
HG_LANE_FN void normals(U block, uint32_t stream, const uint32_t key[2], V out[4])
{
  U word[4] = {block, block >> 32, U_OF(stream), U_OF(0)};
  philox(word, key[0], key[1]);
  for (int i = 0; i < 4; i += 2) {
    const V radius = root_of(V_OF(-2.0) * ln_of(uniform(word[i])));
    V sine, cosine;
    sin_cos_2pi(uniform(word[i + 1]), &sine, &cosine);
    out[i] = radius * cosine;
    out[i + 1] = radius * sine;
  }
}
