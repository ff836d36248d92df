/* A number of the type, also where there are no doubles. */
#define CONVK_FFT_REAL_(x) CONVK_OF_(x##f, x)

/* Butterflies: the arithmetic of one group of points, with real and imaginary parts apart.  Points are given by pointers to
   variables, which take the results.  With `pairs` a vector has real and imaginary parts in turn, as arrays of complex numbers
   do: it is *ar or *br, *ai and *bi have no meaning, and wi is w, -w, w, -w ..  The formula of real parts, with the parts of b
   exchanged, is then that of imaginary parts, too: -(-w) br = w br, and roundings are the same.  Of an inverse transform,
   which has imaginary parts first, wi is -w, w, -w, w ..

   pairs: NULL, or such vectors of 1 and of the sines of -1, -2 and -3 sixteenths of a turn. */
#ifdef CONVK_EXCHANGE_
#define CONVK_FFT_OTHER_(pairs, re, im) ((pairs) ? CONVK_EXCHANGE_(re) : (im))
#else
#define CONVK_FFT_OTHER_(pairs, re, im) ((void)(pairs), (im))
#endif

/* The radix-2 butterfly, a + w b and a - w b: fused, 6 operations, since the difference is 2 a less the sum. */
CONVK_ELEMENT_ void convk_fft_butterfly_(const CONVK_V *pairs, CONVK_V wr, CONVK_V wi, CONVK_V *ar, CONVK_V *ai, CONVK_V *br,
                                         CONVK_V *bi) {
  const CONVK_V other = CONVK_FFT_OTHER_(pairs, *br, *bi);
#if CONVK_FUSES_
  const CONVK_V two = CONVK_SET_(2), sr = CONVK_FNMA_(wi, other, CONVK_FMA_(wr, *br, *ar));
  if (!pairs) {
    const CONVK_V si = CONVK_FMA_(wi, *br, CONVK_FMA_(wr, *bi, *ai));
    *bi = CONVK_FMS_(two, *ai, si);
    *ai = si;
  }
  *br = CONVK_FMS_(two, *ar, sr);
  *ar = sr;
#else
  const CONVK_V tr = CONVK_FNMA_(wi, other, CONVK_MUL_(wr, *br));
  if (!pairs) {
    const CONVK_V ti = CONVK_FMA_(wi, *br, CONVK_MUL_(wr, *bi));
    *bi = CONVK_SUB_(*ai, ti);
    *ai = CONVK_ADD_(*ai, ti);
  }
  *br = CONVK_SUB_(*ar, tr);
  *ar = CONVK_ADD_(*ar, tr);
#endif
}

/* w b */
CONVK_ELEMENT_ void convk_fft_times_(const CONVK_V *pairs, CONVK_V wr, CONVK_V wi, CONVK_V *br, CONVK_V *bi) {
  const CONVK_V tr = CONVK_FNMA_(wi, CONVK_FFT_OTHER_(pairs, *br, *bi), CONVK_MUL_(wr, *br));
  if (!pairs) *bi = CONVK_FMA_(wi, *br, CONVK_MUL_(wr, *bi));
  *br = tr;
}

/* The same for w = 1: a + b and a - b. */
CONVK_ELEMENT_ void convk_fft_butterfly_1_(const CONVK_V *pairs, CONVK_V *ar, CONVK_V *ai, CONVK_V *br, CONVK_V *bi) {
  const CONVK_V dr = CONVK_SUB_(*ar, *br);
  *ar = CONVK_ADD_(*ar, *br);
  *br = dr;
  if (!pairs) {
    const CONVK_V di = CONVK_SUB_(*ai, *bi);
    *ai = CONVK_ADD_(*ai, *bi);
    *bi = di;
  }
}

/* For w = -i: a - i b and a + i b. */
CONVK_ELEMENT_ void convk_fft_butterfly_i_(const CONVK_V *pairs, CONVK_V *ar, CONVK_V *ai, CONVK_V *br, CONVK_V *bi) {
#ifdef CONVK_EXCHANGE_
  if (pairs) { /* times 1 and -1, which rounds nothing */
    const CONVK_V other = CONVK_EXCHANGE_(*br);
    *br = CONVK_FNMA_(pairs[0], other, *ar);
    *ar = CONVK_FMA_(pairs[0], other, *ar);
    return;
  }
#endif
  {
    const CONVK_V dr = CONVK_SUB_(*ar, *bi), di = CONVK_ADD_(*ai, *br);
    (void)pairs;
    *ar = CONVK_ADD_(*ar, *bi);
    *ai = CONVK_SUB_(*ai, *br);
    *br = dr;
    *bi = di;
  }
}

/* factor cos(2 pi turn / 16), 0 <= turn < 8 */
CONVK_ELEMENT_ CONVK_T convk_fft_cosine_(CONVK_T factor, const int turn) {
  CONVK_CONSTANT_ CONVK_T cosine[8] = {
      1, CONVK_FFT_REAL_(0.92387953251128674),  CONVK_FFT_REAL_(0.70710678118654752),  CONVK_FFT_REAL_(0.38268343236508977),
      0, -CONVK_FFT_REAL_(0.38268343236508977), -CONVK_FFT_REAL_(0.70710678118654752), -CONVK_FFT_REAL_(0.92387953251128674)};
  return factor * cosine[turn];
}

/* For w = exp(-2 pi i turn / 16), 0 < turn < 8. */
CONVK_ELEMENT_ void convk_fft_butterfly_16_(const CONVK_V *pairs, const int turn, CONVK_V *ar, CONVK_V *ai, CONVK_V *br,
                                            CONVK_V *bi) {
  const int sine = turn < 4 ? turn : 8 - turn;
  convk_fft_butterfly_(pairs, CONVK_SET_(convk_fft_cosine_((CONVK_T)1, turn)),
                       pairs ? pairs[sine] : CONVK_SET_(convk_fft_cosine_(-(CONVK_T)1, 4 - sine)), ar, ai, br, bi);
}

/* Butterflies of radix r = 4, 8 or 16 are steps of radix 2, which each join two transforms of half the points.  With h = r / 4,
   the first step joins points q and q + 2 h, times their twiddles.  This is the second, which ends radix 4, of points q, q + h,
   q + 2 h, q + 3 h, that lie `apart`: frequency k of their transform replaces the k-th of them. */
CONVK_ELEMENT_ void convk_fft_radix4_(const CONVK_V *pairs, const int apart, CONVK_V *xr, CONVK_V *xi) {
  const CONVK_V tr = xr[apart];
  convk_fft_butterfly_i_(pairs, &xr[2 * apart], &xi[2 * apart], &xr[3 * apart], &xi[3 * apart]);
  xr[apart] = xr[2 * apart];
  xr[2 * apart] = tr;
  if (!pairs) {
    const CONVK_V ti = xi[apart];
    xi[apart] = xi[2 * apart];
    xi[2 * apart] = ti;
  }
  convk_fft_butterfly_1_(pairs, &xr[0], &xi[0], &xr[2 * apart], &xi[2 * apart]);
}

/* The third step ends radix 8: frequencies k of two transforms of 4 points, side by side for k = 0 .. 3, give k and k + 4. */
CONVK_ELEMENT_ void convk_fft_radix8_(const CONVK_V *pairs, CONVK_V *xr, CONVK_V *xi) {
  convk_fft_butterfly_1_(pairs, &xr[0], &xi[0], &xr[1], &xi[1]);
  convk_fft_butterfly_16_(pairs, 2, &xr[2], &xi[2], &xr[3], &xi[3]);
  convk_fft_butterfly_i_(pairs, &xr[4], &xi[4], &xr[5], &xi[5]);
  convk_fft_butterfly_16_(pairs, 6, &xr[6], &xi[6], &xr[7], &xi[7]);
}

/* The third and the fourth end radix 16: frequencies k of four transforms of 4 points give k, k + 8, k + 4, k + 12. */
CONVK_ELEMENT_ void convk_fft_radix16_(const CONVK_V *pairs, const int k, CONVK_V *xr, CONVK_V *xi) {
  if (k == 0) {
    convk_fft_butterfly_1_(pairs, &xr[0], &xi[0], &xr[2], &xi[2]);
    convk_fft_butterfly_1_(pairs, &xr[1], &xi[1], &xr[3], &xi[3]);
    convk_fft_butterfly_1_(pairs, &xr[0], &xi[0], &xr[1], &xi[1]);
    convk_fft_butterfly_i_(pairs, &xr[2], &xi[2], &xr[3], &xi[3]);
    return;
  }
  if (k == 2) {
    convk_fft_butterfly_i_(pairs, &xr[0], &xi[0], &xr[2], &xi[2]);
    convk_fft_butterfly_i_(pairs, &xr[1], &xi[1], &xr[3], &xi[3]);
  } else {
    convk_fft_butterfly_16_(pairs, 2 * k, &xr[0], &xi[0], &xr[2], &xi[2]);
    convk_fft_butterfly_16_(pairs, 2 * k, &xr[1], &xi[1], &xr[3], &xi[3]);
  }
  convk_fft_butterfly_16_(pairs, k, &xr[0], &xi[0], &xr[1], &xi[1]);
  convk_fft_butterfly_16_(pairs, k + 4, &xr[2], &xi[2], &xr[3], &xi[3]);
}

/* Where frequency n lies then: those of 8 points are 0 4 1 5 2 6 3 7, so that 4 is at place 1. */
#define CONVK_FFT_PLACE_(r, n) ((r) == 16 ? (n) % 4 * 4 + (n) / 4 % 2 * 2 + (n) / 8 : (r) == 8 ? (n) % 4 * 2 + (n) / 4 : (n))

/* Here and below loops end at constants, not at r: compilers unroll them before they know r, which calls give as a constant.
   Arrays that a loop indexes that is not unrolled would lie in memory. */

/* Butterflies of radix r = 3, 5 or 7: sums and differences of points k and r - k. */
CONVK_ELEMENT_ void convk_fft_radix_odd_(const int r, CONVK_V *xr, CONVK_V *xi) {
  CONVK_CONSTANT_ CONVK_T cosine[3][4] = {
      {1, (CONVK_T)-0.5f, 0, 0},
      {1, CONVK_FFT_REAL_(0.30901699437494742), -CONVK_FFT_REAL_(0.80901699437494742), 0},
      {1, CONVK_FFT_REAL_(0.62348980185873353), -CONVK_FFT_REAL_(0.22252093395631440), -CONVK_FFT_REAL_(0.90096886790241913)}};
  CONVK_CONSTANT_ CONVK_T sine[3][4] = {
      {0, CONVK_FFT_REAL_(0.86602540378443865), 0, 0},
      {0, CONVK_FFT_REAL_(0.95105651629515357), CONVK_FFT_REAL_(0.58778525229247313), 0},
      {0, CONVK_FFT_REAL_(0.78183148246802981), CONVK_FFT_REAL_(0.97492791218182361), CONVK_FFT_REAL_(0.43388373911755812)}};
  const int half_radix = r / 2;
  CONVK_V sr[4], si[4], dr[4], di[4], yr[8], yi[8];
  int p, k;
  CONVK_UNROLL_
  for (k = 1; k < 4; k++) {
    if (k > half_radix) continue;
    sr[k] = CONVK_ADD_(xr[k], xr[r - k]);
    si[k] = CONVK_ADD_(xi[k], xi[r - k]);
    dr[k] = CONVK_SUB_(xr[k], xr[r - k]);
    di[k] = CONVK_SUB_(xi[k], xi[r - k]);
  }
  yr[0] = xr[0];
  yi[0] = xi[0];
  CONVK_UNROLL_
  for (k = 1; k < 4; k++) {
    if (k > half_radix) continue;
    yr[0] = CONVK_ADD_(yr[0], sr[k]);
    yi[0] = CONVK_ADD_(yi[0], si[k]);
  }
  CONVK_UNROLL_
  for (p = 1; p < 4; p++) {
    CONVK_V ar = xr[0], ai = xi[0], br = ar, bi = ai;
    if (p > half_radix) continue;
    CONVK_UNROLL_
    for (k = 1; k < 4; k++) {
      const int turn = p * k % r, fold = turn > half_radix ? r - turn : turn;
      if (k > half_radix) continue;
      ar = CONVK_FMA_(CONVK_SET_(cosine[half_radix - 1][fold]), sr[k], ar);
      ai = CONVK_FMA_(CONVK_SET_(cosine[half_radix - 1][fold]), si[k], ai);
    }
    CONVK_UNROLL_
    for (k = 1; k < 4; k++) {
      const int turn = p * k % r, fold = turn > half_radix ? r - turn : turn;
      const CONVK_V s = CONVK_SET_(turn > half_radix ? -sine[half_radix - 1][fold] : sine[half_radix - 1][fold]);
      if (k > half_radix) continue;
#if CONVK_FUSES_
      br = CONVK_FMA_(s, di[k], k == 1 ? ar : br);
      bi = CONVK_FNMA_(s, dr[k], k == 1 ? ai : bi);
#else
      br = k == 1 ? CONVK_MUL_(s, di[k]) : CONVK_FMA_(s, di[k], br);
      bi = k == 1 ? CONVK_MUL_(s, dr[k]) : CONVK_FMA_(s, dr[k], bi);
#endif
    }
#if CONVK_FUSES_
    yr[p] = br;
    yi[p] = bi;
    yr[r - p] = CONVK_FMS_(CONVK_SET_(2), ar, br);
    yi[r - p] = CONVK_FMS_(CONVK_SET_(2), ai, bi);
#else
    yr[p] = CONVK_ADD_(ar, br);
    yi[p] = CONVK_SUB_(ai, bi);
    yr[r - p] = CONVK_SUB_(ar, br);
    yi[r - p] = CONVK_ADD_(ai, bi);
#endif
  }
  CONVK_EACH_(k, 7) {
    if (k >= r) continue;
    xr[k] = yr[k];
    xi[k] = yi[k];
  }
}

/* All that follows the first step of 2, 4, 8 or 16 points, and a transform of 1, 3, 5 or 7: frequencies in natural order. */
CONVK_ELEMENT_ void convk_fft_radix_rest_(const int r, CONVK_V *xr, CONVK_V *xi) {
  CONVK_V yr[16], yi[16];
  int q;
  if (r == 3 || r == 5 || r == 7) convk_fft_radix_odd_(r, xr, xi);
  if (r % 4) return;
  CONVK_EACH_(q, 4)
    if (q < r / 4) convk_fft_radix4_(0, r / 4, xr + q, xi + q);
  if (r == 4) return;
  if (r == 8) convk_fft_radix8_(0, xr, xi);
  else {
    convk_fft_radix16_(0, 0, xr, xi);
    convk_fft_radix16_(0, 1, xr + 4, xi + 4);
    convk_fft_radix16_(0, 2, xr + 8, xi + 8);
    convk_fft_radix16_(0, 3, xr + 12, xi + 12);
  }
  CONVK_EACH_(q, 16) {
    if (q >= r) continue;
    yr[q] = xr[CONVK_FFT_PLACE_(r, q)];
    yi[q] = xi[CONVK_FFT_PLACE_(r, q)];
  }
  CONVK_EACH_(q, 16) {
    if (q >= r) continue;
    xr[q] = yr[q];
    xi[q] = yi[q];
  }
}

/* Two real columns A and B are transformed as Z = A + i B, from which with Z' = conj Z(-k)
   2 A = Z + Z' and 2 B = -i (Z - Z'): one of these; m is Z(-k). */
CONVK_ELEMENT_ void convk_fft_split_(CONVK_V zr, CONVK_V zi, CONVK_V mr, CONVK_V mi, const int second, CONVK_V *re,
                                     CONVK_V *im) {
  *re = second ? CONVK_ADD_(zi, mi) : CONVK_ADD_(zr, mr);
  *im = second ? CONVK_SUB_(mr, zr) : CONVK_SUB_(zi, mi);
}

/* And back, to Z(k) and Z(-k). */
CONVK_ELEMENT_ void convk_fft_merge_(CONVK_V ar, CONVK_V ai, CONVK_V br, CONVK_V bi, CONVK_V *zr, CONVK_V *zi, CONVK_V *mr,
                                     CONVK_V *mi) {
  *mr = CONVK_ADD_(ar, bi);
  *mi = CONVK_SUB_(br, ai);
  *zr = CONVK_SUB_(ar, bi);
  *zi = CONVK_ADD_(ai, br);
}
#undef CONVK_FFT_REAL_
#undef CONVK_FFT_OTHER_
