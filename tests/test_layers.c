/* The layers of the examples: their reader against whole, cut, corrupted and absurd files, and their waves against matrices in
 * long double, Fresnel's formulas, and the balance of energy. */
#define CONVK_DECLARE
#define CONVK_WITH_FORMFACTOR
#include "convk.h"

#include "../examples/layers.h"

#define READER_FILE layers_file
#define READER_PARSE layers_parse
#define READER_READ layers_read
#define READER_FREE layers_free
#include "reader.h"

#define PI 3.14159265358979323846

static int sound(const layers_file *l, size_t size) {
  size_t j, bad = 0;
  for (j = 0; j < l->count; j++) {
    const layer *m = &l->layer[j];
    bad +=
        !(m->thickness >= 0 && m->roughness >= 0 && m->beta >= 0 && fabs(m->delta) <= 0.5 && m->thickness <= LAYERS_THICKEST_);
  }
  return !bad && l->count >= 2 && l->count < size && l->in < l->count && l->particles >= 0 && l->particles <= 1;
}

static int empty(const layers_file *l) { return !l->layer && !l->count && !l->particles; }

static const char text[] =
    "# a film\n0 0 0 0 # air\n\n 30.5 2.4e-6 3e-9 .4 Particles 5\n\t100 -1e-5 1E-7 1\r\n0 7.6e-6 1.7e-7 0.3";

static void test_whole(void) {
  layers_file l;
  expect(parse(&l, text, sizeof text - 1) == 0, "the file is read", 0);
  expect(l.count == 4 && l.particles == 1 && l.in == 1 && l.up == 5, "layers and particles", (long)l.count);
  if (l.count == 4) {
    expect(l.layer[1].thickness == 30.5 && l.layer[1].delta == 2.4e-6 && l.layer[1].beta == 3e-9 && l.layer[1].roughness == 0.4,
           "a layer", 0);
    expect(l.layer[2].delta == -1e-5 && l.layer[2].beta == 1e-7 && l.layer[3].roughness == 0.3, "other layers", 0);
  }
  layers_free(&l);
}

static void test_bad(void) {
  refuse("", "line 1: a top medium and a substrate", "an empty file");
  refuse("0 0 0 0\n", "line 2: a top medium and a substrate", "no substrate");
  refuse("0 0 0 0\n0 1e-6 0\n", "line 2: the roughness is missing", "three numbers");
  refuse("0 0 0 0\n0 1e-6 x 0\n", "line 2: beta is not a number", "a word for a number");
  refuse("0 0 0 0\n0 1e-6 -1e-9 0\n", "line 2: beta is not from 0 to 0.5", "a layer that amplifies");
  refuse("0 0 0 0\n0 0.6 0 0\n", "line 2: delta is not from -0.5 to 0.5", "no index of X-rays");
  refuse("0 0 0 0\n0 nan 0 0\n", "line 2: delta is not a number", "no number");
  refuse("0 0 0 0\n-1 0 0 0\n0 0 0 0\n", "line 2: the thickness is not from 0", "a negative thickness");
  refuse("0 0 1e-9 0\n0 0 0 0\n", "line 1: the top medium absorbs", "a top that absorbs");
  refuse("0 0 0 1\n0 0 0 0\n", "line 1: the top medium has no upper border", "a rough top");
  refuse("5 0 0 0\n0 0 0 0\n", "line 3: the first and the last layer do not end", "a top with an end");
  refuse("0 0 0 0\n5 0 0 0", "line 2: the first and the last layer do not end", "a substrate with an end");
  refuse("0 0 0 0 5\n0 0 0 0\n", "line 1: particles, or nothing", "five numbers");
  refuse("0 0 0 0 particles\n0 0 0 0 particles\n", "line 2: another layer has", "particles twice");
  refuse("0 0 0 0 particles -1\n0 0 0 0\n", "line 3: the particles' height", "particles below the top");
  refuse("0 0 0 0\n5 0 0 0 particles 6\n0 0 0 0\n", "line 4: the particles' height", "particles above their layer");
  refuse("0 0 0 0\n0 0 0 0 particles 1\n", "line 3: the particles' height", "particles above the substrate");
  refuse("0 0 0 0 particles 1 2\n0 0 0 0\n", "line 1: nothing is wanted behind", "two heights");
  refuse_bytes("0 0 0\0 0\n", 9, "line 1: a byte of 0", "a byte of 0");
}

/* ---- waves ---- */

/* The same by matrices, from the substrate up: (t, r) just below a border to those just above, and through a layer. The wave in
 * layer `in`, `up` above its lower border, is 1 at the uppermost border. */
static void by_matrices(const layers_file *l, long double k, long double kz_top, size_t in, long double up,
                        long double complex *reflected, long double complex wave[2]) {
  long double complex kz[16], t = 1, r = 0, inside[2] = {1, 0};
  size_t j;
  for (j = 0; j < l->count; j++) {
    const long double complex n = 1 - (long double)l->layer[j].delta + I * (long double)l->layer[j].beta;
    const long double complex top = 1 - (long double)l->layer[0].delta, zz = kz_top * kz_top + k * k * (n * n - top * top);
    kz[j] = csqrtl(zz);
    kz[j] = cimagl(kz[j]) < 0 ? -kz[j] : kz[j];
  }
  inside[0] = cexpl(-I * kz[in] * up); /* of the substrate */
  for (j = l->count - 1; j-- > 0;) {
    const long double s = l->layer[j + 1].roughness, d = j ? l->layer[j].thickness : 0;
    const long double complex a = kz[j], b = kz[j + 1], p = (a - b) * (a - b) * s * s / 2, m = (a + b) * (a + b) * s * s / 2;
    const long double complex same = (a + b) / (2 * a) * cexpl(-p), other = (a - b) / (2 * a) * cexpl(-m);
    const long double complex above_t = same * t + other * r, above_r = other * t + same * r;
    if (j == in) {
      inside[0] = above_t * cexpl(-I * a * up);
      inside[1] = above_r * cexpl(I * a * up);
    }
    t = above_t * cexpl(-I * a * d);
    r = above_r * cexpl(I * a * d);
  }
  *reflected = r / t;
  wave[0] = inside[0] / t;
  wave[1] = inside[1] / t;
}

static void close_to(double complex a, long double complex b, double tolerance, const char *what, long detail) {
  expect(cabsl(a - b) <= tolerance * (1 + cabsl(b)), what, detail);
}

static layers_file film_of(layer *list, size_t count) {
  layers_file l;
  memset(&l, 0, sizeof l);
  l.count = count;
  l.layer = list;
  return l;
}

static void test_waves(void) {
  layer list[16];
  long trial;
  for (trial = 0; trial < 2000; trial++) {
    const size_t count = 2 + random_below(8);
    const double k = 2 * PI / 0.154, kz_top = k * sin((1e-3 + 3.0 * (double)random_below(1000) / 1000) * PI / 180);
    layers_file l = film_of(list, count);
    double complex work[32], reflected;
    long double complex wanted, wanted_wave[2];
    layer_wave wave;
    size_t j, in = random_below(count);
    double up;
    memset(list, 0, sizeof list);
    for (j = 0; j < count; j++) {
      list[j].thickness = j && j + 1 < count ? 0.5 + (double)random_below(300) / 10 : 0;
      list[j].delta = (j ? 1e-7 : 1e-8) * (double)random_below(300);
      list[j].beta = j ? 1e-8 * (double)random_below(200) : 0;
      list[j].roughness = j ? 0.01 * (double)random_below(80) : 0;
    }
    up = (in + 1 == count ? -1.0 : in ? list[in].thickness : 10) * (double)random_below(100) / 100;
    reflected = layers_wave(&l, k, kz_top, in, up, work, &wave);
    by_matrices(&l, k, kz_top, in, up, &wanted, wanted_wave);
    close_to(reflected, wanted, 1e-10, "the reflected wave", trial);
    close_to(wave.t, wanted_wave[0], 1e-10, "the wave down", trial);
    close_to(wave.r, wanted_wave[1], 1e-10, "the wave up", trial);
    close_to(layers_wave(&l, k, kz_top, 0, 0, work, NULL), reflected, 0, "without a wave", trial);
  }
}

/* A bare surface is Fresnel's, and Nevot and Croce's; layers of its own material change nothing. */
static void test_surface(void) {
  layer list[4] = {{0, 0, 0, 0}, {10, 7.6e-6, 1.7e-7, 0.5}, {3, 7.6e-6, 1.7e-7, 0.2}, {0, 7.6e-6, 1.7e-7, 0}};
  const layers_file three = film_of(list, 4), bare = film_of(list, 2);
  const double k = 2 * PI / 0.154;
  double complex work[8];
  long step;
  for (step = 1; step < 400; step++) {
    const double angle = 0.005 * (double)step * PI / 180, kz = k * sin(angle);
    const long double complex n = 1 - 7.6e-6L + I * 1.7e-7L, below = k * csqrtl(n * n - powl(cosl(angle), 2));
    const long double complex sharp = (kz - below) / (kz + below), rough = sharp * cexpl(-2 * kz * below * 0.25L);
    close_to(layers_wave(&bare, k, kz, 0, 0, work, NULL), rough, 1e-9, "Nevot and Croce", step);
    close_to(layers_wave(&three, k, kz, 0, 0, work, NULL), rough, 1e-9, "layers of one material", step);
    list[1].roughness = 0;
    close_to(layers_wave(&bare, k, kz, 0, 0, work, NULL), sharp, 1e-9, "Fresnel", step);
    list[1].roughness = 0.5;
  }
}

/* Without absorption and roughness, what goes down carries Re kz (|t|^2 - |r|^2) through every layer, also below the critical
 * angle, where all is reflected; and there are fringes as far apart as the layer is thick. */
static void test_energy(void) {
  layer list[4] = {{0, 0, 0, 0}, {40, 2e-6, 0, 0}, {15, 2e-5, 0, 0}, {0, 7.6e-6, 0, 0}};
  const layers_file l = film_of(list, 4), one = film_of(list, 2);
  const double k = 2 * PI / 0.154;
  double complex work[8];
  double before[2] = {1, 1};
  long step, minima = 0;
  for (step = 1; step < 600; step++) {
    const double angle = 0.002 * (double)step * PI / 180, kz = k * sin(angle);
    layer_wave wave;
    const double reflectivity = pow(cabs(layers_wave(&l, k, kz, 3, 0, work, &wave)), 2);
    expect(fabs(reflectivity + creal(wave.kz) / kz * pow(cabs(wave.t), 2) - 1) < 1e-10, "energy is conserved", step);
    expect(cos(angle) < 1 - 7.6e-6 || fabs(reflectivity - 1) < 1e-10, "total reflection", step);
  }
  expect(pow(cabs(layers_wave(&one, k, 1e-30, 0, 0, work, NULL)), 2) > 1 - 1e-9, "all is reflected at grazing incidence", 0);
  expect(cabs(layers_wave(&one, k, 0, 0, 0, work, NULL) + 1) < 1e-12, "a wave along the surface", 0);
  list[1].delta = 2e-5;
  list[2].thickness = 0;
  list[2].delta = list[3].delta;
  for (step = 0; step < 2000; step++) { /* 20 periods of 2 kz 40 = 2 pi, far above all critical angles */
    const double kz = 2 + 20 * PI / 40 * (double)step / 2000;
    const double now = pow(kz, 4) * pow(cabs(layers_wave(&l, k, kz, 0, 0, work, NULL)), 2);
    minima += step > 1 && before[0] > before[1] && now > before[1];
    before[0] = before[1];
    before[1] = now;
  }
  expect(minima == 20, "fringes of the layer's thickness", minima);
  list[1].thickness = 1e9; /* nothing comes back through it */
  list[1].beta = 1e-3;
  {
    layer_wave wave;
    const double complex r = layers_wave(&l, k, 0.1, 2, 0, work, &wave);
    const layers_file opaque = film_of(list, 2);
    close_to(r, layers_wave(&opaque, k, 0.1, 0, 0, work, NULL), 1e-15, "an opaque layer", 0);
    expect(cabs(wave.t) == 0 && cabs(wave.r) == 0, "below it there is nothing", 0);
    layers_wave(&l, k, 0.1, 1, 1, work, &wave);
    expect(cabs(wave.t) == 0 && cabs(wave.r) == 0, "nor at its end", 0);
  }
}

int main(int argc, char **argv) {
  static const char letters[] = "0123456789.-e \n#particles";
  size_t cut;
  test_whole();
  for (cut = 0; cut < sizeof text; cut++) {
    accepts(text, cut);
  }
  test_bad();
  test_flips(text, sizeof text - 1, letters, sizeof letters - 1, 6);
  refuse_missing(argc > 1 ? argv[1] : "there is no such file");
  test_waves();
  test_surface();
  test_energy();
  return finish();
}
