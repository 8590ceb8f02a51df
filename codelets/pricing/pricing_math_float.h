/* SPDX-License-Identifier: MIT */
/* ln, exp, and sin and cos of 2 pi x in single precision, for the lanes of pricing_lanes.h, as pricing_math_double.h
 * does in double precision. The polynomials are minimax approximations of the same functions; relative errors of ln
 * 2^-35.8, of exp 2^-32.5, of sin 2^-35.7 and of cos 2^-31.8 before rounding. */
#undef LN2_HIGH
#undef LN2_LOW
#define LN2_HIGH 0x1.62e4p-1 /* its products with exponents are exact */
#define LN2_LOW 0x1.7f7d1cp-20

/* x > 0 and normal. */
HG_LANE_FN V ln_of(V x)
{
  const B top = (bits_of(x) + B_OF(0x3f800000 - 0x3f3504f3)) >> 23;
  const V k = real_of(top | B_OF(0x4b000000)) - V_OF(0x1p23 + 127);
  const V m = real_of(bits_of(x) - ((top - B_OF(127)) << 23));
  const V f = m - V_OF(1.0), s = f / (f + V_OF(2.0)), z = s * s, half = f * f * V_OF(.5);
  V p = V_OF(0x1.ddd848p-3);
  p = fused(p, z, V_OF(0x1.245c0ep-2));
  p = fused(p, z, V_OF(0x1.9999ecp-2));
  p = fused(p, z, V_OF(0x1.555556p-1));
  const V low = fused(s, fused(z, p, half), k * V_OF(LN2_LOW));
  return fused(k, V_OF(LN2_HIGH), f - (half - low));
}

/* |x| <= 87. */
HG_LANE_FN V exp_of(V x)
{
  const V shifted = fused(x, V_OF(0x1.715476p+0), V_OF(0x1.8p23)), k = shifted - V_OF(0x1.8p23);
  const V r = fused(k, V_OF(-LN2_LOW), fused(k, V_OF(-LN2_HIGH), x));
  V p = V_OF(0x1.a17dfap-13);
  p = fused(p, r, V_OF(0x1.6d4318p-10));
  p = fused(p, r, V_OF(0x1.1110acp-7));
  p = fused(p, r, V_OF(0x1.5554eap-5));
  p = fused(p, r, V_OF(0x1.555556p-3));
  p = fused(p, r, V_OF(.5));
  return real_of(bits_of(V_OF(1.0) + fused(r * r, p, r)) + (bits_of(shifted) << 23));
}

/* 0 <= x <= 1. */
HG_LANE_FN void sin_cos_2pi(V x, V *sine, V *cosine)
{
  const V shifted = fused(x, V_OF(4.0), V_OF(0x1.8p23)), q = shifted - V_OF(0x1.8p23);
  const V r = fused(x, V_OF(4.0), -q), z = r * r;
  V s = V_OF(0x1.4cb79ep-13), c = V_OF(0x1.db650ep-11);
  s = fused(s, z, V_OF(-0x1.32ce1ep-8));
  s = fused(s, z, V_OF(0x1.466bc2p-4));
  s = fused(s, z, V_OF(-0x1.4abbcep-1));
  s = fused(r, V_OF(0x1.921fb6p+0), r * fused(s, z, V_OF(-0x1.777a5cp-25)));
  c = fused(c, z, V_OF(-0x1.55cb98p-6));
  c = fused(c, z, V_OF(0x1.03c1eap-2));
  c = fused(c, z, V_OF(-0x1.3bd3ccp+0));
  c = fused(c, z, V_OF(1.0));
  const B quarter = bits_of(shifted), odd = B_OF(0) - (quarter & B_OF(1));
  *sine = real_of(bits_of(choose(odd, c, s)) ^ ((quarter & B_OF(2)) << 30));
  *cosine = real_of(bits_of(choose(odd, s, c)) ^ (((quarter + B_OF(1)) & B_OF(2)) << 30));
}
