/* Light behind a grating: a cell of tapered pillars, repeated along x and y and cut into thin layers along z, is lit by plane
 * waves from several directions, and the picture shows the grating, the light behind it and the diffracted orders.
 *   diffraction [1|2|3|4] [--hw NAME] [--threads N] [--angle 0..7] [--contrast DN] [--pillars round|square] [--quick]
 *               [--out FILE] [--data FILE]
 * Lengths are in wavelengths. A field has three components of N x N harmonics, orders -H..H along x and y. In a layer each is
 * convolved with the layer's shape function; what that emits joins every order, which then runs on to the next layer:
 *   P = S * E,   S_m = (exp(i phi) - 1) chi_m,   phi = k dn dz
 *   E_m <- exp(i kz_m dz) (E_m + k / kz_m P'_m),   kz_m = sqrt(k^2 - kx_m^2 - ky_m^2)
 * chi_m: Fourier coefficients of the pillars' cross-section; P': the part of P across the direction of the order, where it
 * propagates; other orders decay. That is single scattering within a layer and multiple scattering forward between layers, with
 * nothing going back: for a small contrast dn, where the power lost or gained falls with its square.
 * The four cases have the sizes of Al Umairy et al., "On the use of small 2D convolutions on GPUs", table 1. */
#define _DEFAULT_SOURCE   /* for Bessel functions */
#define _XOPEN_SOURCE 600 /* and a clock that only moves forward */

#define CONVK_WITH_FFT
#define CONVK_F32
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "diffraction"
#include "options.h"
#include "data_file.h"
#include "picture.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef EXAMPLE_HAVE_FFTW
#define FFTW_NO_Complex /* pairs of floats are simpler here */
#include <fftw3.h>
#endif

#define PI 3.14159265358979323846
#define K (2 * PI) /* the wave number */
#define USAGE "diffraction [1|2|3|4] [OPTION...]; diffraction --help lists them"

enum { ANGLES = 8, FIELDS = 3 * ANGLES, PILLARS = 7 };
#define TILT (2 * PI / 180) /* from one angle of incidence to the next */
#define AZIMUTH (PI / 6)
#define HEIGHT 8.0  /* of the pillars */
#define RADIUS 0.11 /* at their foot, or half a side of the square ones, in periods */
#define STEEPEST 5  /* orders nearer to grazing are not made brighter: single scattering does not know their limit */
#define TAPER 0.5   /* of the radius, that is lost up to their top */

/* A number of the library's type c32. */
typedef struct c32 {
  float re, im;
} c32;

typedef struct order {
  double k[3]; /* its direction, times the wave number; the last is |kz| */
  int propagates;
  double complex step, gain; /* exp(i kz dz), k / kz with |kz| at least k / STEEPEST */
} order;

typedef struct experiment {
  convk hw;
  int number, square, h;
  size_t n, fft, layers, each; /* n = 2 h + 1 harmonics per axis; each: n^2 */
  double period, contrast;
  order *orders[ANGLES]; /* [n][n] */
  double complex *shape; /* of all pillars as points: [4 h + 1][4 h + 1], orders -2h..2h */
  convk_fftconv2d_plan_c32 *plan;
} experiment;

static double complex value(c32 z) { return (double)z.re + I * (double)z.im; }
static c32 rounded(double complex z) {
  c32 r;
  r.re = (float)creal(z);
  r.im = (float)cimag(z);
  return r;
}

/* ---- the grating ---- */

/* In the middle of a cell, and around it on a circle. */
static void pillar(int j, double at[2]) {
  at[0] = j ? 0.3 * cos(PI / 3 * j + PI / 12) : 0;
  at[1] = j ? 0.3 * sin(PI / 3 * j + PI / 12) : 0;
}

/* The radius over the period, at a height of 0..1. */
static double radius_at(double z) { return RADIUS * (1 - TAPER * z); }

/* The Fourier coefficient (mx, my) of one pillar of radius r in the middle of the cell. */
static double coefficient(const experiment *e, int mx, int my, double r) {
  const double x = 2 * PI * r * mx, y = 2 * PI * r * my, q = hypot(x, y);
  if (e->square) {
    return 4 * r * r * (mx ? sin(x) / x : 1) * (my ? sin(y) / y : 1);
  }
  return PI * r * r * (mx || my ? 2 * j1(q) / q : 1);
}

static void make_shape(experiment *e) {
  const int most = 2 * e->h;
  double complex *to = e->shape = (double complex *)memory((size_t)(2 * most + 1) * (size_t)(2 * most + 1), sizeof *to);
  int mx, my, j;
  for (my = -most; my <= most; my++) {
    for (mx = -most; mx <= most; mx++, to++) {
      for (*to = 0, j = 0; j < PILLARS; j++) {
        double at[2];
        pillar(j, at);
        *to += cexp(-2 * PI * I * (mx * at[0] + my * at[1]));
      }
    }
  }
}

/* S_m of a layer, orders -2h..2h along both axes, of that contrast. */
static void shape_function(const experiment *e, size_t layer, double contrast, c32 *s) {
  const double dz = HEIGHT / (double)e->layers, r = radius_at(((double)layer + 0.5) / (double)e->layers);
  const double complex screen = cexp(I * K * contrast * dz) - 1;
  const int most = 2 * e->h;
  size_t i = 0;
  int mx, my;
  for (my = -most; my <= most; my++) {
    for (mx = -most; mx <= most; mx++, i++) {
      s[i] = rounded(screen * coefficient(e, mx, my, r) * e->shape[i]);
    }
  }
}

/* A plan with one kernel for each layer. Orders -h..h of the field meet orders -2h..2h of S, and -h..h of the result are
 * wanted: CONVK_FFT_SAME. */
static void make_plan(experiment *e, double contrast) {
  const size_t side = 2 * e->n - 1;
  convk_fftconv2d_shape shape;
  c32 *s = (c32 *)memory(e->layers * side * side, sizeof *s);
  size_t size, layer;
  memset(&shape, 0, sizeof shape);
  shape.rows = shape.columns = e->n;
  shape.kernel_rows = shape.kernel_columns = side;
  shape.mode = CONVK_FFT_SAME;
  shape.fft_rows = shape.fft_columns = e->fft;
  for (layer = 0; layer < e->layers; layer++) {
    shape_function(e, layer, contrast, s + layer * side * side);
  }
  require_ok(convk_fftconv2d_plan_size_c32(&e->hw, &shape, e->layers, &size), "fftconv2d_plan_size");
  free(e->plan);
  e->plan = (convk_fftconv2d_plan_c32 *)memory(size, 1);
  require_ok(convk_fftconv2d_prepare_c32(&e->hw, &shape, e->layers, &s->re, 0, 0, e->plan, size), "fftconv2d_prepare");
  free(s);
}

/* ---- the light ---- */

/* Its plane wave in the order (0, 0) of each angle. */
static void make_orders(experiment *e) {
  const double dz = HEIGHT / (double)e->layers;
  int a, mx, my;
  for (a = 0; a < ANGLES; a++) {
    order *o = e->orders[a] = (order *)memory(e->each, sizeof *o);
    for (my = -e->h; my <= e->h; my++) {
      for (mx = -e->h; mx <= e->h; mx++, o++) {
        double kk;
        double complex kz;
        o->k[0] = K * sin(TILT * a) * cos(AZIMUTH) + 2 * PI * mx / e->period;
        o->k[1] = K * sin(TILT * a) * sin(AZIMUTH) + 2 * PI * my / e->period;
        kk = K * K - o->k[0] * o->k[0] - o->k[1] * o->k[1];
        o->propagates = kk > 0;
        o->k[2] = sqrt(fabs(kk));
        kz = o->propagates ? o->k[2] : I * o->k[2];
        o->gain = fmin(K / o->k[2], STEEPEST) / (o->propagates ? 1 : I);
        o->step = cexp(I * kz * dz);
      }
    }
  }
}

/* Polarised in the plane of incidence, of power 1. */
static void incident(const experiment *e, c32 *field) {
  size_t a, d;
  memset(field, 0, FIELDS * e->each * sizeof *field);
  for (a = 0; a < ANGLES; a++) {
    const double tilt = TILT * (double)a;
    const double polarisation[3] = {cos(tilt) * cos(AZIMUTH), cos(tilt) * sin(AZIMUTH), -sin(tilt)};
    for (d = 0; d < 3; d++) {
      field[(3 * a + d) * e->each + e->each / 2].re = (float)polarisation[d];
    }
  }
}

/* One layer: what it emits, P, joins the field, which runs on. */
static void propagate(const experiment *e, const c32 *emitted, c32 *field) {
  size_t a, m;
  int d;
  for (a = 0; a < ANGLES; a++) {
    const order *o = e->orders[a];
    const c32 *p = emitted + 3 * a * e->each;
    c32 *f = field + 3 * a * e->each;
    for (m = 0; m < e->each; m++, o++, p++, f++) {
      double complex along = 0;
      if (o->propagates) {
        for (d = 0; d < 3; d++) {
          along += o->k[d] * value(p[(size_t)d * e->each]) / (K * K);
        }
      }
      for (d = 0; d < 3; d++) {
        const size_t i = (size_t)d * e->each;
        f[i] = rounded(o->step * (value(f[i]) + o->gain * (value(p[i]) - along * o->k[d])));
      }
    }
  }
}

/* All fields convolved with the shape function of one layer. */
static void convolve_layer(experiment *e, size_t layer, const c32 *in, c32 *out) {
  size_t kernel[FIELDS], i;
  convk_batch2d batch;
  for (i = 0; i < FIELDS; i++) {
    kernel[i] = layer;
  }
  memset(&batch, 0, sizeof batch);
  batch.items = FIELDS;
  batch.kernel = kernel;
  require_ok(convk_fftconv2d_c32(&e->hw, e->plan, &batch, &in->re, &out->re, NULL, 0), "fftconv2d");
}

/* From the middle of the first layer to behind the last one. `before`, or NULL, keeps the fields that each layer meets. */
static void march(experiment *e, c32 *field, c32 *before) {
  const size_t count = FIELDS * e->each;
  c32 *emitted = (c32 *)memory(count, sizeof *emitted);
  size_t layer;
  incident(e, field);
  for (layer = 0; layer < e->layers; layer++) {
    if (before) {
      memcpy(before + layer * count, field, count * sizeof *field);
    }
    convolve_layer(e, layer, field, emitted);
    propagate(e, emitted, field);
  }
  free(emitted);
}

static double intensity(const experiment *e, const c32 *field, size_t angle, size_t m) {
  double sum = 0;
  size_t d;
  for (d = 0; d < 3; d++) {
    const c32 z = field[(3 * angle + d) * e->each + m];
    sum += (double)z.re * (double)z.re + (double)z.im * (double)z.im;
  }
  return sum;
}

/* The power that an order takes along z, over that of the incident wave; 0 where it does not propagate. */
static double power(const experiment *e, const c32 *field, size_t angle, size_t m) {
  const order *o = e->orders[angle];
  return o[m].propagates ? creal(o[e->each / 2].gain / o[m].gain) * intensity(e, field, angle, m) : 0;
}

/* The largest deviation from the power that came in. */
static double lost(const experiment *e, const c32 *field) {
  double worst = 0;
  size_t a, m;
  for (a = 0; a < ANGLES; a++) {
    double sum = 0;
    for (m = 0; m < e->each; m++) {
      sum += power(e, field, a, m);
    }
    worst = fmax(worst, fabs(sum - 1));
  }
  return worst;
}

/* ---- how exact ---- */

/* A few items by the sum that defines the convolution. */
static void check_convolution(const experiment *e, const c32 *in, const c32 *out) {
  const size_t side = 2 * e->n - 1;
  c32 *s = (c32 *)memory(side * side, sizeof *s);
  double worst = 0, largest = 0;
  int k;
  for (k = 0; k < 3; k++) { /* the first, a middle one and the last */
    const size_t item = (FIELDS * e->layers - 1) * (size_t)k / 2;
    const c32 *f = in + item * e->each, *g = out + item * e->each;
    size_t x, y, i, j;
    shape_function(e, item / FIELDS, e->contrast, s);
    for (y = 0; y < e->n; y++) {
      for (x = 0; x < e->n; x++) {
        double re = 0, im = 0;
        for (j = 0; j < e->n; j++) {
          const c32 *row = s + (y + e->n - 1 - j) * side + x + e->n - 1;
          for (i = 0; i < e->n; i++) {
            const double fr = (double)f[j * e->n + i].re, fi = (double)f[j * e->n + i].im;
            const double sr = (double)(row - i)->re, si = (double)(row - i)->im;
            re += fr * sr - fi * si;
            im += fr * si + fi * sr;
          }
        }
        worst = fmax(worst, cabs(re + I * im - value(g[y * e->n + x])));
        largest = fmax(largest, hypot(re, im));
      }
    }
  }
  free(s);
  printf("convolution:  errs by up to %.1e of the largest result, against direct sums\n", worst / largest);
  require(worst < 1e-6 * largest, "fftconv2d", "more error than rounding explains");
}

/* The grating without contrast: light as it came, and nothing else. */
static void check_nothing(experiment *e, c32 *field) {
  double other = 0;
  size_t a, m;
  make_plan(e, 0);
  march(e, field, NULL);
  for (a = 0; a < ANGLES; a++) {
    for (m = 0; m < e->each; m++) {
      other += m == e->each / 2 ? 0 : intensity(e, field, a, m);
    }
  }
  printf("no contrast:  power changes by %.1e, other orders get %g\n", lost(e, field), other);
  require(lost(e, field) < 1e-6 * (double)(e->layers) && !(other > 0), "no contrast", "light is scattered by nothing");
}

/* A very weak grating scatters once, and what it emits is a sum over its layers. The largest difference from that, over the
 * largest amplitude, without the order of the incident wave. */
static double single_scattering(experiment *e, const c32 *field, double contrast) {
  const int h = e->h, side = 4 * h + 1;
  const double dz = HEIGHT / (double)e->layers;
  const double complex screen = cexp(I * K * contrast * dz) - 1;
  c32 *wave = (c32 *)memory(FIELDS * e->each, sizeof *wave);
  double worst = 0, largest = 0;
  size_t a, m, layer;
  int d;
  incident(e, wave);
  for (a = 0; a < ANGLES; a++) {
    const order *o = e->orders[a], *zero = o + e->each / 2;
    for (m = 0; m < e->each; m++) {
      const int mx = (int)(m % e->n) - h, my = (int)(m / e->n) - h;
      double complex sum = 0, along = 0, p[3];
      if (!o[m].propagates || (!mx && !my)) {
        continue;
      }
      for (layer = 0; layer < e->layers; layer++) { /* there as one order, on as the other */
        const double there = zero->k[2] * (double)layer * dz, on = o[m].k[2] * (double)(e->layers - layer) * dz;
        sum += coefficient(e, mx, my, radius_at(((double)layer + 0.5) / (double)e->layers)) * cexp(I * (there + on));
      }
      sum *= screen * e->shape[(my + 2 * h) * side + mx + 2 * h] * o[m].gain;
      for (d = 0; d < 3; d++) {
        p[d] = sum * value(wave[(3 * a + (size_t)d) * e->each + e->each / 2]);
        along += o[m].k[d] * p[d] / (K * K);
      }
      for (d = 0; d < 3; d++) {
        p[d] -= along * o[m].k[d];
        worst = fmax(worst, cabs(p[d] - value(field[(3 * a + (size_t)d) * e->each + m])));
        largest = fmax(largest, cabs(p[d]));
      }
    }
  }
  free(wave);
  return worst / largest;
}

/* What a weak grating does beyond single scattering grows with the contrast, and the error of its power with the square. */
static void check_weak(experiment *e, c32 *field) {
  double contrast = 0.2 / (K * HEIGHT), off[2], power_off[2]; /* the pillars delay by 0.2 rad */
  int k;
  for (k = 0; k < 2; k++, contrast /= 2) {
    make_plan(e, contrast);
    march(e, field, NULL);
    off[k] = single_scattering(e, field, contrast);
    power_off[k] = lost(e, field);
    printf("dn = %.5f: %.1e beyond single scattering, power changes by %.1e\n", contrast, off[k], power_off[k]);
  }
  require(off[0] < 0.3 && off[1] < 0.6 * off[0], "single scattering", "it is no limit of the weak grating");
  require(power_off[0] < 0.01 && power_off[1] < 0.35 * power_off[0] + 1e-5, "power", "it is not conserved");
}

/* ---- how fast ---- */

static double patience = 0.3; /* seconds for which a measurement is repeated */

#ifdef EXAMPLE_HAVE_FFTW
/* The same by FFTW, image by image in one that stays in the cache: pad, transform, multiply, transform back, extract. */
typedef struct peer {
  fftwf_plan there, back;
  fftwf_complex *image, *spectra;
} peer;

static void peer_open(const experiment *e, peer *p) {
  const size_t side = 2 * e->n - 1, points = e->fft * e->fft;
  c32 *s = (c32 *)memory(side * side, sizeof *s);
  size_t layer, i;
  p->image = fftwf_alloc_complex(points);
  p->spectra = fftwf_alloc_complex(points * e->layers);
  require(p->image && p->spectra, "FFTW", "out of memory");
  fftwf_set_timelimit(10);
  p->there = fftwf_plan_dft_2d((int)e->fft, (int)e->fft, p->image, p->image, FFTW_FORWARD, FFTW_PATIENT);
  p->back = fftwf_plan_dft_2d((int)e->fft, (int)e->fft, p->image, p->image, FFTW_BACKWARD, FFTW_PATIENT);
  require(p->there && p->back, "FFTW", "no plan");
  for (layer = 0; layer < e->layers; layer++) {
    fftwf_complex *spectrum = p->spectra + layer * points;
    shape_function(e, layer, e->contrast, s);
    memset(p->image, 0, points * sizeof *p->image);
    for (i = 0; i < side * side; i++) { /* from order -2h on, which the result's orders undo */
      const size_t to = (i / side + e->fft - (e->n - 1)) % e->fft * e->fft + (i % side + e->fft - (e->n - 1)) % e->fft;
      memcpy(p->image[to], &s[i], sizeof s[i]);
    }
    fftwf_execute(p->there);
    for (i = 0; i < points; i++) {
      spectrum[i][0] = p->image[i][0] / (float)points;
      spectrum[i][1] = p->image[i][1] / (float)points;
    }
  }
  free(s);
}

static void peer_close(peer *p) {
  fftwf_destroy_plan(p->there);
  fftwf_destroy_plan(p->back);
  fftwf_free(p->image);
  fftwf_free(p->spectra);
  fftwf_cleanup();
}

static void peer_run(const experiment *e, const peer *p, const c32 *in, c32 *out) {
  const size_t points = e->fft * e->fft, items = FIELDS * e->layers;
  float *image = &p->image[0][0];
  size_t item, y, i;
  for (item = 0; item < items; item++, in += e->each, out += e->each) {
    const float *s = &p->spectra[item / FIELDS * points][0];
    for (y = 0; y < e->n; y++) {
      memcpy(image + 2 * y * e->fft, in + y * e->n, e->n * sizeof *in);
      memset(image + 2 * (y * e->fft + e->n), 0, 2 * (e->fft - e->n) * sizeof *image);
    }
    memset(image + 2 * e->n * e->fft, 0, 2 * (e->fft - e->n) * e->fft * sizeof *image);
    fftwf_execute(p->there);
    for (i = 0; i < 2 * points; i += 2) {
      const float re = image[i], im = image[i + 1];
      image[i] = re * s[i] - im * s[i + 1];
      image[i + 1] = re * s[i + 1] + im * s[i];
    }
    fftwf_execute(p->back);
    for (y = 0; y < e->n; y++) {
      memcpy(out + y * e->n, image + 2 * y * e->fft, e->n * sizeof *out);
    }
  }
}
#endif

/* The convolutions of the whole march in one call: out gets the same bits as from one call for each layer. */
static void measure(experiment *e, const c32 *in, c32 *out) {
  const size_t items = FIELDS * e->layers, count = FIELDS * e->each;
  const double begin = seconds();
  double best = DBL_MAX, by_layers = DBL_MAX, start;
  c32 *layer_out = (c32 *)memory(count, sizeof *layer_out);
  convk_batch2d batch;
  size_t layer;
  int rounds = 0;
#ifdef EXAMPLE_HAVE_FFTW
  c32 *other = (c32 *)memory(items * e->each, sizeof *other);
  double by_fftw = DBL_MAX, worst = 0, largest = 0;
  size_t i;
  peer p;
  peer_open(e, &p);
#endif
  memset(&batch, 0, sizeof batch);
  batch.items = items;
  batch.items_per_kernel = FIELDS;
  do { /* side by side: the best counts */
    start = seconds();
    require_ok(convk_fftconv2d_c32(&e->hw, e->plan, &batch, &in->re, &out->re, NULL, 0), "fftconv2d");
    best = fmin(best, seconds() - start);
    start = seconds();
    for (layer = 0; layer < e->layers; layer++) {
      convolve_layer(e, layer, in + layer * count, layer_out);
    }
    by_layers = fmin(by_layers, seconds() - start);
#ifdef EXAMPLE_HAVE_FFTW
    start = seconds();
    peer_run(e, &p, in, other);
    by_fftw = fmin(by_fftw, seconds() - start);
#endif
  } while ((++rounds < 3 && patience > 0) || seconds() - begin < patience);
  for (layer = 0; layer < e->layers; layer++) {
    convolve_layer(e, layer, in + layer * count, layer_out);
    require(memcmp(layer_out, out + layer * count, count * sizeof *out) == 0, "one call and a call for each layer",
            "different bits");
  }
  printf("one call:     %lu convolutions in %.4g s, %.4g per second\n", (unsigned long)items, best, (double)items / best);
  printf("by layers:    %.4g s, %.4g per second, with the same bits\n", by_layers, (double)items / by_layers);
#ifdef EXAMPLE_HAVE_FFTW
  for (i = 0; i < items * e->each; i++) {
    worst = fmax(worst, cabs(value(other[i]) - value(out[i])));
    largest = fmax(largest, cabs(value(out[i])));
  }
  printf("FFTW:         %.4g s, %.4g per second on one thread, differs by %.1e: one call is %.2f times as fast\n", by_fftw,
         (double)items / by_fftw, worst / largest, by_fftw / best);
  require(worst < 1e-5 * largest, "FFTW", "another result");
  peer_close(&p);
  free(other);
#endif
  free(layer_out);
}

/* ---- the picture ---- */

enum { SIDE = 384, GAP = 16, DECADES = 8 };

/* White where there is no pillar, darker up to the top. */
static void blue(double t, unsigned char rgb[3]) { picture_diverging(-t, rgb); }

/* How high the grating is at a point of the cell, -1/2..1/2, of the pillars' height. */
static double height_at(const experiment *e, double x, double y) {
  double highest = 0;
  int j;
  for (j = 0; j < PILLARS; j++) {
    double at[2], r;
    pillar(j, at);
    r = e->square ? fmax(fabs(x - at[0]), fabs(y - at[1])) : hypot(x - at[0], y - at[1]);
    highest = fmax(highest, fmin(1, (1 - r / RADIUS) / TAPER));
  }
  return highest;
}

/* |E|^2 behind the grating, on SIDE x SIDE points of the cell from -1/2 on. */
static double *near_field(experiment *e, const c32 *field, size_t angle) {
  const size_t points = (size_t)SIDE * SIDE;
  convk_fft2d_plan_c32 *plan;
  c32 *waves = (c32 *)memory(3 * points, sizeof *waves);
  double *sum = (double *)memory(points, sizeof *sum);
  convk_batch2d batch;
  size_t size, d, m, i;
  memset(waves, 0, 3 * points * sizeof *waves);
  for (d = 0; d < 3; d++) {
    for (m = 0; m < e->each; m++) { /* the middle of the cell in the middle: every other sign */
      const size_t x = m % e->n + SIDE - (size_t)e->h, y = m / e->n + SIDE - (size_t)e->h;
      const c32 z = field[(3 * angle + d) * e->each + m];
      waves[d * points + y % SIDE * SIDE + x % SIDE] = rounded((x + y) % 2 ? -value(z) : value(z));
    }
  }
  memset(&batch, 0, sizeof batch);
  batch.items = 3;
  require_ok(convk_fft2d_plan_size_c32(&e->hw, SIDE, SIDE, &size), "fft2d_plan_size");
  plan = (convk_fft2d_plan_c32 *)memory(size, 1);
  require_ok(convk_fft2d_prepare_c32(&e->hw, SIDE, SIDE, plan, size), "fft2d_prepare");
  require_ok(convk_fft2d_c32(&e->hw, plan, CONVK_INVERSE, &batch, &waves->re, &waves->re, NULL, 0), "fft2d");
  for (i = 0; i < points; i++) {
    for (sum[i] = 0, d = 0; d < 3; d++) {
      sum[i] += pow(cabs(value(waves[d * points + i])) * (double)points, 2);
    }
  }
  free(plan);
  free(waves);
  return sum;
}

/* The height of the grating over that of the pillars, on the same points. */
static double *heights(const experiment *e) {
  double *t = (double *)memory((size_t)SIDE * SIDE, sizeof *t);
  size_t i;
  for (i = 0; i < (size_t)SIDE * SIDE; i++) {
    t[i] = height_at(e, (double)(i % SIDE) / SIDE - 0.5, (double)(i / SIDE) / SIDE - 0.5);
  }
  return t;
}

/* A map from t = 0 to 1; y runs upwards. */
static void draw_map(picture_image *image, size_t left, const double *t, void (*map)(double t, unsigned char rgb[3])) {
  require(!picture_data(image, left, 0, t + (size_t)SIDE * (SIDE - 1), 1, -SIDE, SIDE, SIDE, 1, map), "the picture",
          convk_strerror(CONVK_ERR_MEMORY));
}

/* Squares `square` pixels apart, 10^high and more in white, 10^(high - DECADES) and less in black. Returns `high`. */
static int draw_orders(const experiment *e, const c32 *field, size_t angle, picture_image *image, size_t orders,
                       size_t square) {
  const size_t gap = square > 16 ? 2 : square > 8 ? 1 : 0;
  double top = 0;
  size_t m, x, y;
  int high;
  for (m = 0; m < e->each; m++) {
    top = fmax(top, power(e, field, angle, m));
  }
  high = (int)ceil(log10(top) - 0.01);
  for (m = 0; m < e->each; m++) {
    unsigned char rgb[3] = {225, 225, 225};
    const size_t left = orders + square * (m % e->n), above = square * (e->n - 1 - m / e->n);
    if (e->orders[angle][m].propagates) {
      picture_heat(picture_decades(power(e, field, angle, m), high - DECADES, high), rgb);
    }
    for (y = 0; y + gap < square; y++) {
      for (x = 0; x + gap < square; x++) {
        memcpy(image->rgb + 3 * ((above + y) * image->width + left + x), rgb, 3);
      }
    }
  }
  return high;
}

/* The pillars, the light behind them, and the orders, side by side. */
static void draw(const experiment *e, const c32 *field, size_t angle, const double *height, const double *light,
                 const char *path) {
  const size_t square = (size_t)SIDE / e->n, orders = 2 * (SIDE + GAP);
  double *t = (double *)memory((size_t)SIDE * SIDE, sizeof *t), least = light[0], most = light[0];
  picture_image image;
  size_t i;
  int high;
  for (i = 0; i < (size_t)SIDE * SIDE; i++) {
    least = fmin(least, light[i]);
    most = fmax(most, light[i]);
  }
  for (i = 0; i < (size_t)SIDE * SIDE; i++) {
    t[i] = (light[i] - least) / (most - least + DBL_MIN);
  }
  require(!picture_open(&image, orders + square * e->n, SIDE), path, "the picture does not fit in memory");
  draw_map(&image, 0, height, blue);
  draw_map(&image, SIDE + GAP, t, picture_heat);
  high = draw_orders(e, field, angle, &image, orders, square);
  require_written(!picture_write(&image, path), path);
  printf(
      "picture:      %s: pillars (dark: high), |E|^2 behind them from %.2f (black) to %.2f (white), power of the orders from "
      "1e%d (black) to 1e%d (white), grey: they do not propagate\n",
      path, least, most, high - DECADES, high);
  picture_close(&image);
  free(t);
}

/* The same as data. */
static void keep(const experiment *e, const c32 *field, size_t angle, const double *height, const double *light,
                 const char *path) {
  const double x[2] = {-0.5 * e->period, e->period / SIDE}, order[2] = {-e->h, 1};
  double *column[2];
  const double *const cell[2] = {height, light};
  const data_file d = data_open(path, "diffraction");
  size_t m;
  for (m = 0; m < 2; m++) {
    column[m] = (double *)memory(e->each, sizeof *column[m]);
  }
  for (m = 0; m < e->each; m++) {
    column[0][m] = e->orders[angle][m].propagates;
    column[1][m] = power(e, field, angle, m);
  }
  data_note(&d, "period", "%.7g wavelengths", e->period);
  data_note(&d, "height of the pillars", "%g wavelengths", HEIGHT);
  data_note(&d, "contrast", "%g", e->contrast);
  data_note(&d, "tilt of the light", "%g degrees", TILT * (double)angle * 180 / PI);
  data_note(&d, "layers", "%lu", (unsigned long)e->layers);
  data_block(&d, "cell",
             "x [wavelength], y [wavelength], height of the pillars [of the highest], |E|^2 behind them [of the incident]");
  data_map(&d, SIDE, SIDE, x, x, 2, cell);
  data_block(&d, "orders", "order along x [1], order along y [1], propagates [1], power [of the incident]");
  data_map(&d, e->n, e->n, order, order, 2, (const double *const *)column);
  data_close(&d, "data:");
  free(column[0]);
  free(column[1]);
}

/* ---- what is asked for ---- */

/* The sizes of a case, and what else follows from what is asked for, but for the hardware. */
static void set_up(experiment *e, int number_of_case) {
  static const int harmonics[4] = {3, 7, 15, 31};
  e->number = number_of_case;
  e->h = harmonics[e->number - 1];
  e->n = (size_t)(2 * e->h + 1);
  e->each = e->n * e->n;
  e->fft = 2 * (e->n + 1);
  e->layers = (size_t)16 << e->number;
  e->period = (e->h + 0.5) / (1 + sin(TILT * (ANGLES - 1))); /* no order beyond the harmonics propagates */
  make_orders(e);
  make_shape(e);
}

/* The march through the grating of the contrast asked for, and all its convolutions again, timed and checked. */
static void illuminate(experiment *e, c32 *field) {
  c32 *before = (c32 *)memory(FIELDS * e->each * e->layers, sizeof *before);
  c32 *after = (c32 *)memory(FIELDS * e->each * e->layers, sizeof *after);
  double start;
  make_plan(e, e->contrast);
  start = seconds();
  march(e, field, before);
  printf("march:        %lu layers, %d fields (3 components, %d angles of incidence): %.4g s; power changes by %.1e\n",
         (unsigned long)e->layers, FIELDS, ANGLES, seconds() - start, lost(e, field));
  measure(e, before, after);
  check_convolution(e, before, after);
  free(before);
  free(after);
}

int main(int argc, char **argv) {
  const char *spec = NULL, *threads = NULL, *angle = "0", *contrast = "0.02", *pillars = "round", *which = NULL;
  const char *picture = "diffraction" PICTURE_SUFFIX, *data = NULL;
  double *height, *light;
  c32 *field;
  experiment e;
  size_t shown, propagating = 0, m;
  int quick = 0, a;
  const option options[] = {{"--angle", &angle, NULL, "K", "of the light, which is shown; 0..7"},
                            {"--contrast", &contrast, NULL, "DN", "of the refractive index, -0.1..0.1"},
                            {"--pillars", &pillars, NULL, "SHAPE", "round or square"},
                            {"--quick", NULL, &quick, NULL, "measures once"},
                            {"--out", &picture, NULL, "FILE", "a picture"},
                            DATA_OPTION(data),
                            HARDWARE_OPTION(spec),
                            THREADS_OPTION(threads),
                            END_OF_OPTIONS};

  memset(&e, 0, sizeof e);
  read_options(argc, argv, options, &which, USAGE, NULL);
  patience = quick ? 0 : patience;
  which = which ? which : "3";
  require_option(strlen(which) == 1 && *which >= '1' && *which <= '4', "usage", USAGE);
  shown = (size_t)number(angle, "--angle", 0, ANGLES - 1);
  e.contrast = number(contrast, "--contrast", -0.1, 0.1);
  e.square = word(pillars, "--pillars", "round", "square");
  open_hardware(&e.hw, spec, threads);
  printf("hardware:     %s, threads: %d\n", e.hw.name, threads_of(&e.hw));
  set_up(&e, *which - '0');
  for (m = 0; m < e.each; m++) {
    propagating += (size_t)e.orders[shown][m].propagates;
  }
  printf("grating:      period %.3g, %d %s pillars %.3g high, dn = %g, of %lu x %lu orders %lu propagate\n", e.period, PILLARS,
         pillars, HEIGHT, e.contrast, (unsigned long)e.n, (unsigned long)e.n, (unsigned long)propagating);

  field = (c32 *)memory(FIELDS * e.each, sizeof *field);
  check_nothing(&e, field);
  check_weak(&e, field);
  illuminate(&e, field);
  height = heights(&e);
  light = near_field(&e, field, shown);
  draw(&e, field, shown, height, light, picture);
  if (data) {
    keep(&e, field, shown, height, light, data);
  }
  free(height);
  free(light);

  for (a = 0; a < ANGLES; a++) {
    free(e.orders[a]);
  }
  free(e.shape);
  free(e.plan);
  free(field);
  convk_close(&e.hw);
  return 0;
}
