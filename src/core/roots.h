/* ---- points of the unit circle, of transforms, quadratures and meshes: without the C library, so the same everywhere ---- */

CONVK_EXACT_PUSH_ /* so that they do not depend on what a compiler contracts */

/* exp(-2 pi i num / den) to about 1.1 ulp, den <= 8192: by octants, the angle in two parts, of which the first has 24 bits. */
CONVK_RARE_ void convk_root_(size_t num, size_t den, double *re, double *im) {
  const double pi_high = 6.2831853071766091, pi_low = 2.9774189921946493e-12; /* 2 pi in 40 bits and the rest */
  const size_t eighth = 8 * (num % den) / den, within = 8 * (num % den) - eighth * den;
  const double a = (double)(eighth % 2 ? den - within : within), d = 8 * (double)den;
  const double shift = 402653184.; /* 1.5 2^28, whose last place is 2^-24 */
  const double x = (a * pi_high / d + shift) - shift, rest = ((a * pi_high - x * d) + a * pi_low) / d, z = x * x;
  double s = 1, c = 1, t;
  int k;
  for (k = 17; k > 3; k -= 2) {
    s = 1 - z / (k * (k - 1)) * s;
    c = 1 - z / (k * (k + 1)) * c;
  }
  s = x * (-z / 6 * s); /* sin x - x and cos x - 1; of 24 bits: z is exact */
  c = -z / 2 * (1 - z / 12 * c);
  t = x + s;
  s = x + (s + (rest * (1 + c) - rest * rest / 2 * t));
  c = 1 + (c - (rest * t + rest * rest / 2 * (1 + c)));
  if ((eighth + 1) / 2 % 2) { /* octants 1, 2, 5, 6: sine and cosine change places */
    t = s;
    s = c;
    c = t;
  }
  *re = (eighth + 2) / 4 % 2 ? -c : c;
  *im = eighth / 4 % 2 ? s : -s;
}

/* cos and sin of 2 pi num / den for num < den <= 2^50: a root, turned by the rest, up to 1 / 4096 of a turn. */
CONVK_RARE_ void convk_turn_(uint64_t num, uint64_t den, double *cosine, double *sine) {
  const uint64_t coarse = den <= 4096 ? den : 4096, at = coarse * num / den;
  const double x = 6.2831853071795865 * (double)(coarse * num - at * den) / ((double)coarse * (double)den), z = x * x;
  const double s = x - x * z / 6 * (1 - z / 20), c = -z / 2 * (1 - z / 12 * (1 - z / 30)); /* sin x and cos x - 1 */
  double re, im;
  convk_root_((size_t)at, (size_t)coarse, &re, &im);
  *cosine = re + (re * c + im * s);
  *sine = (re * s - im * c) - im;
}

CONVK_EXACT_POP_
