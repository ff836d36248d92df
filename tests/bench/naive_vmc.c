/* What a careful programmer writes without this library: every pair of a cluster once, with the C library's exponential,
   logarithm and root.  ln Psi, HFD-B potential, gradient and the sum of Laplacians.  SUFFIX ends the name.
   trial: p5 p2 p0 p1; hfd: epsilon rm a alpha beta c6 c8 c10 d; sum: ln Psi, V, Laplacian. */
#include <math.h>
#include <stddef.h>

#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)

/* The arrays as arguments, so that gcc believes `restrict` and makes vectors of the inner loop where exp and log have them. */
__attribute__((noinline)) static void pairs(size_t n, const double *restrict x, const double *restrict y,
                                            const double *restrict z, const double trial[4], const double hfd[9],
                                            double *restrict gx, double *restrict gy, double *restrict gz, double sum[3]) {
  const double p5 = trial[0], p2 = trial[1], p0 = trial[2], p1 = trial[3];
  const double per_rm = 1 / hfd[1], a = hfd[2], alpha = hfd[3], beta = hfd[4], c6 = hfd[5], c8 = hfd[6], c10 = hfd[7],
               d = hfd[8];
  double ln_psi = 0, potential = 0, laplacian = 0;
  for (size_t i = 0; i < n; i++) {
    const double xi = x[i], yi = y[i], zi = z[i];
    double fx = 0, fy = 0, fz = 0;
    for (size_t j = 0; j < i; j++) {
      const double dx = xi - x[j], dy = yi - y[j], dz = zi - z[j];
      const double r2 = dx * dx + dy * dy + dz * dz, r = sqrt(r2), t = 1 / r, s = t * t, t5 = s * s * t;
      const double q = r * per_rm, e = 1 / (q * q), w = d / q - 1;
      const double near = q < 8 ? q : 8; /* or the exponential underflows, which takes long */
      const double damp = q < d ? exp(-w * w) : 1;
      const double force = (5 * p5 * t5 * t + 2 * p2 * s * t - p0 * t - p1) * t;
      ln_psi -= p5 * t5 + p2 * s + p0 * log(r) + p1 * r;
      potential += a * exp(near * (beta * near - alpha)) - damp * e * e * e * (c6 + e * (c8 + e * c10));
      laplacian -= 20 * p5 * t5 * s + 2 * p2 * s * s + p0 * s + 2 * p1 * t;
      fx += force * dx;
      fy += force * dy;
      fz += force * dz;
      gx[j] -= force * dx;
      gy[j] -= force * dy;
      gz[j] -= force * dz;
    }
    gx[i] = fx;
    gy[i] = fy;
    gz[i] = fz;
  }
  sum[0] = ln_psi;
  sum[1] = hfd[0] * potential;
  sum[2] = 2 * laplacian;
}

void CAT(naive_vmc, SUFFIX)(size_t n, const double *const r[3], const double trial[4], const double hfd[9],
                            double *const gradient[3], double sum[3]) {
  pairs(n, r[0], r[1], r[2], trial, hfd, gradient[0], gradient[1], gradient[2], sum);
}
