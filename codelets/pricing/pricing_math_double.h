/* SPDX-License-Identifier: MIT */
/* ln, exp, and sin and cos of 2 pi x in double precision, for the lanes of pricing_lanes.h. The polynomials are
 * minimax approximations (Remez exchange in 50 digits) of
 *   (2 artanh(s)/s - 2) / s^2   on s^2 <= ((sqrt 2 - 1) / (sqrt 2 + 1))^2      relative error of ln 2^-59.5
 *   (exp(r) - 1 - r) / r^2      on |r| <= ln 2 / 2                             relative error of exp 2^-57.9
 *   (sin(pi r/2)/r - pi/2)/r^2  on r^2 <= 1/4                                  relative error of sin 2^-57.9
 *   (cos(pi r/2) - 1) / r^2     on r^2 <= 1/4                                  relative error of cos 2^-64.5 */
#undef LN2_HIGH
#undef LN2_LOW
#define LN2_HIGH 0x1.62e42fee00000p-1 /* its products with exponents are exact */
#define LN2_LOW 0x1.a39ef35793c76p-33

/* x > 0 and normal: x = 2^k m, sqrt(1/2) <= m < sqrt(2); with f = m - 1 and s = f / (2 + f),
 * ln(1 + f) = f - f^2/2 + s (f^2/2 + s^2 P(s^2)). */
HG_LANE_FN V ln_of(V x)
{
  const U top = (bits_of(x) + U_OF(UINT64_C(0x3ff0000000000000) - UINT64_C(0x3fe6a09e667f3bcd))) >> 52;
  const V k = real_of(top | U_OF(UINT64_C(0x4330000000000000))) - V_OF(0x1p52 + 1023);
  const V m = real_of(bits_of(x) - ((top - U_OF(1023)) << 52));
  const V f = m - V_OF(1.0), s = f / (f + V_OF(2.0)), z = s * s, half = f * f * V_OF(.5);
  V p = V_OF(0x1.2f0563abf1351p-3);
  p = fused(p, z, V_OF(0x1.39a1bab3c9fddp-3));
  p = fused(p, z, V_OF(0x1.74663ee88c0d1p-3));
  p = fused(p, z, V_OF(0x1.c71c52095cb01p-3));
  p = fused(p, z, V_OF(0x1.24924941f1251p-2));
  p = fused(p, z, V_OF(0x1.999999997fdb7p-2));
  p = fused(p, z, V_OF(0x1.5555555555592p-1));
  const V low = fused(s, fused(z, p, half), k * V_OF(LN2_LOW));
  return fused(k, V_OF(LN2_HIGH), f - (half - low));
}

/* |x| <= 700: x = k ln 2 + r, |r| <= ln 2 / 2; exp(r) = 1 + (r + r^2 P(r)). */
HG_LANE_FN V exp_of(V x)
{
  const V shifted = fused(x, V_OF(0x1.71547652b82fep+0), V_OF(0x1.8p52)), k = shifted - V_OF(0x1.8p52);
  const V r = fused(k, V_OF(-LN2_LOW), fused(k, V_OF(-LN2_HIGH), x));
  V p = V_OF(0x1.ad7f6e8eaa133p-26);
  p = fused(p, r, V_OF(0x1.28ad72dd1dd64p-22));
  p = fused(p, r, V_OF(0x1.71df2552a3075p-19));
  p = fused(p, r, V_OF(0x1.a0199a0c53efap-16));
  p = fused(p, r, V_OF(0x1.a01a012a57713p-13));
  p = fused(p, r, V_OF(0x1.6c16c1842a198p-10));
  p = fused(p, r, V_OF(0x1.1111111127be6p-7));
  p = fused(p, r, V_OF(0x1.555555555087cp-5));
  p = fused(p, r, V_OF(0x1.55555555554fap-3));
  p = fused(p, r, V_OF(0x1.000000000000ap-1));
  return real_of(bits_of(V_OF(1.0) + fused(r * r, p, r)) + (bits_of(shifted) << 52));
}

/* 0 <= x < 1: 4 x = q + r with integer q and |r| <= 1/2, both exact; the sine and cosine of pi r/2 are exchanged where
 * q is odd, and the quadrant determines the signs. */
HG_LANE_FN void sin_cos_2pi(V x, V *sine, V *cosine)
{
  const V shifted = fused(x, V_OF(4.0), V_OF(0x1.8p52)), q = shifted - V_OF(0x1.8p52);
  const V r = fused(x, V_OF(4.0), -q), z = r * r;
  V s = V_OF(0x1.e3ff27cc27425p-25), c = V_OF(-0x1.b263c3536573fp-28);
  s = fused(s, z, V_OF(-0x1.e30098978aa9dp-19));
  s = fused(s, z, V_OF(0x1.5078300c424d9p-13));
  s = fused(s, z, V_OF(-0x1.32d2cce324137p-8));
  s = fused(s, z, V_OF(0x1.466bc67758cb2p-4));
  s = fused(s, z, V_OF(-0x1.4abbce625be46p-1));
  s = fused(r, V_OF(0x1.921fb54442d18p+0), r * fused(s, z, V_OF(0x1.1a62633145c07p-54)));
  c = fused(c, z, V_OF(0x1.f9cc40accc104p-22));
  c = fused(c, z, V_OF(-0x1.a6d1ec7e0bb5bp-16));
  c = fused(c, z, V_OF(0x1.e1f5068367b23p-11));
  c = fused(c, z, V_OF(-0x1.55d3c7e3c9280p-6));
  c = fused(c, z, V_OF(0x1.03c1f081b5aaep-2));
  c = fused(c, z, V_OF(-0x1.3bd3cc9be45dep+0));
  c = fused(c, z, V_OF(1.0));
  const U quarter = bits_of(shifted), odd = U_OF(0) - (quarter & U_OF(1));
  *sine = real_of(bits_of(choose(odd, c, s)) ^ ((quarter & U_OF(2)) << 62));
  *cosine = real_of(bits_of(choose(odd, s, c)) ^ (((quarter + U_OF(1)) & U_OF(2)) << 62));
}
