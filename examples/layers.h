/* A film of layers, and the waves within it: a reader of files that refuses what it does not understand, and Parratt's
 * recursion. C99, for its complex numbers.
 *
 * A line for each medium, from the top one down to the substrate; # begins a remark that ends with its line:
 *   THICKNESS DELTA BETA ROUGHNESS [particles [UP]]
 * THICKNESS  in nm; of the first and the last, which do not end, 0
 * DELTA BETA of its refractive index 1 - DELTA + i BETA; the top medium does not absorb
 * ROUGHNESS  in nm, root mean square, of its upper border; of the first 0
 * particles  once: this medium holds them, and z = 0 of their coordinates lies UP nm above its lower border (0 without it); of
 *            the substrate, which has none, above its upper border: UP is then 0 or less
 * data/film.txt is one.
 *
 * In medium j a wave is T exp(-i kz z) + R exp(i kz z), z upwards, kz^2 = kz_top^2 + k^2 (n_j^2 - n_top^2), Im kz >= 0
 * (L. G. Parratt, Phys. Rev. 95, 359 (1954)). At a rough border the coefficients of a sharp one are multiplied as L. Nevot and
 * P. Croce derive for a Gaussian profile (Rev. Phys. Appl. 15, 761 (1980)): reflection by exp(-2 k_j k_l s^2), transmission by
 * exp((k_j - k_l)^2 s^2 / 2).
 * Beside BornAgain 25, which has the same borders (ErfTransient): the reflectivity of two layers on silicon up to 4/nm, and the
 * pattern of a box in the top medium, in a layer and in the substrate, agree to the seven digits of gisaxs' data.
 *
 * Functions of the reader return 0, or -1 with a message that names the line. layers_free gives back what was read. */
#ifndef LAYERS_H
#define LAYERS_H

#include "stl.h" /* numbers of a text */

#include <complex.h>
#include <float.h>
#include <math.h>

#define LAYERS_MOST 10000
#define LAYERS_TOKEN_ 64
#define LAYERS_THICKEST_ 1e9

typedef struct layer {
  double thickness, delta, beta, roughness;
} layer;

typedef struct layers_file {
  size_t count; /* at least two */
  layer *layer;
  int particles; /* whether there are any, */
  size_t in;     /* in which layer, */
  double up;     /* and where */
} layers_file;

static inline void layers_free(layers_file *l) {
  free(l->layer);
  memset(l, 0, sizeof *l);
}

/* The next word of this line, "" if there is none. */
static inline int layers_word_(file_reader *r, char word[LAYERS_TOKEN_]) {
  size_t length = 0;
  while (r->at < r->end && *r->at != '\n' && stl_is_space_(*r->at)) {
    r->at++;
  }
  while (r->at < r->end && !stl_is_space_(*r->at) && *r->at != '#') {
    if (length + 1 == LAYERS_TOKEN_ || !*r->at) {
      return file_fail(r, *r->at ? "a word is too long" : "a byte of 0 in a word");
    }
    word[length++] = stl_lower_(*r->at++);
  }
  word[length] = '\0';
  return 0;
}

static inline int layers_number_(const file_reader *r, const char *word, const char *what, double least, double most,
                                 double *value) {
  if (!word[0]) {
    return file_fail(r, "%s is missing", what);
  }
  if (stl_decimal_(word, value)) {
    return file_fail(r, "%s is not a number", what);
  }
  return *value >= least && *value <= most ? 0 : file_fail(r, "%s is not from %g to %g", what, least, most);
}

/* What comes behind the numbers of a layer. */
static inline int layers_rest_(file_reader *r, layers_file *l) {
  char word[LAYERS_TOKEN_];
  if (layers_word_(r, word)) {
    return -1;
  }
  if (!word[0]) {
    return 0;
  }
  if (strcmp(word, "particles") != 0) {
    return file_fail(r, "particles, or nothing, is wanted behind the roughness");
  }
  if (l->particles++) {
    return file_fail(r, "another layer has the particles already");
  }
  l->in = l->count - 1;
  if (layers_word_(r, word)) {
    return -1;
  }
  if (word[0] && (layers_number_(r, word, "the height of the particles", -LAYERS_THICKEST_, LAYERS_THICKEST_, &l->up) ||
                  layers_word_(r, word))) {
    return -1;
  }
  return word[0] ? file_fail(r, "nothing is wanted behind the height of the particles") : 0;
}

static inline int layers_layer_(file_reader *r, layers_file *l, char word[LAYERS_TOKEN_], size_t *room) {
  static const char *const names[4] = {"the thickness", "delta", "beta", "the roughness"};
  static const double least[4] = {0, -0.5, 0, 0}, most[4] = {LAYERS_THICKEST_, 0.5, 0.5, LAYERS_THICKEST_};
  double numbers[4];
  int k;
  if (l->count == *room) {
    const size_t more = *room ? 2 * *room : 16;
    layer *grown = more <= 2 * LAYERS_MOST ? (layer *)realloc(l->layer, more * sizeof *grown) : NULL;
    if (!grown) {
      return file_fail(r, "not enough memory for %lu layers", (unsigned long)more);
    }
    l->layer = grown;
    *room = more;
  }
  for (k = 0; k < 4; k++) {
    if ((k && layers_word_(r, word)) || layers_number_(r, word, names[k], least[k], most[k], &numbers[k])) {
      return -1;
    }
  }
  if (!l->count && (numbers[2] > 0 || numbers[3] > 0)) {
    return file_fail(r, numbers[2] > 0 ? "the top medium absorbs: its beta is not 0"
                                       : "the top medium has no upper border: its roughness is not 0");
  }
  if (l->count == LAYERS_MOST) {
    return file_fail(r, "more than %d layers", LAYERS_MOST);
  }
  l->layer[l->count].thickness = numbers[0];
  l->layer[l->count].delta = numbers[1];
  l->layer[l->count].beta = numbers[2];
  l->layer[l->count++].roughness = numbers[3];
  return layers_rest_(r, l);
}

static inline int layers_parse_(file_reader *r, void *result) {
  layers_file *const l = (layers_file *)result;
  char word[LAYERS_TOKEN_];
  size_t room = 0;
  while (r->at < r->end) {
    if (layers_word_(r, word) || (word[0] && layers_layer_(r, l, word, &room))) {
      return -1;
    }
    stl_skip_line_(r); /* to the end of the line, behind a remark */
    if (r->at < r->end) {
      r->at++;
      r->line++;
    }
  }
  if (l->count < 2) {
    return file_fail(r, "a top medium and a substrate are wanted, at least");
  }
  if (l->layer[0].thickness > 0 || l->layer[l->count - 1].thickness > 0) {
    return file_fail(r, "the first and the last layer do not end: their thickness is 0");
  }
  if (l->particles && (l->in + 1 == l->count ? l->up > 0 : l->up < 0 || (l->in && l->up > l->layer[l->in].thickness))) {
    return file_fail(r, "the particles' height is not within their layer");
  }
  return 0;
}

static inline void layers_release_(void *l) { layers_free((layers_file *)l); }
static const file_format layers_format_ = {sizeof(layers_file), (size_t)1 << 24, 1, layers_parse_, layers_release_};

/* Reads layers from bytes[0..size-1]. message, which may be NULL, is written only on failure; *l is then empty. */
static inline int layers_parse(layers_file *l, const char *bytes, size_t size, char *message, size_t message_size) {
  return file_parse(&layers_format_, l, bytes, size, message, message_size);
}

/* The same from a file. */
static inline int layers_read(layers_file *l, const char *path, char *message, size_t message_size) {
  return file_read(&layers_format_, l, path, message, message_size);
}

/* ---- waves ---- */

/* Of a wave in a layer: kz there, and the amplitudes of what goes down, t exp(-i kz z), and up, r exp(i kz z). */
typedef struct layer_wave {
  double complex kz, t, r;
} layer_wave;

/* kz in layer j, of a wave with the wave number k in vacuum and kz_top in the top medium. Real and imaginary part apart, so
 * that no sign of a zero chooses the other root. */
static inline double complex layer_kz(const layers_file *l, size_t j, double k, double kz_top) {
  const double top = l->layer[0].delta, delta = l->layer[j].delta, beta = l->layer[j].beta;
  const double real = (top - delta) * (2 - top - delta) - beta * beta, imaginary = 2 * beta * (1 - delta);
  return j ? csqrt(kz_top * kz_top + k * k * real + I * (k * k * imaginary)) : kz_top;
}

/* How a border between waves with kz `above` and `below` reflects. */
static inline double complex layer_border(double complex above, double complex below, double roughness) {
  const double complex sum = above + below;
  return cabs(sum) > 0 ? (above - below) / sum * cexp(-2 * above * below * roughness * roughness) : 0;
}

/* r / t at the lower border of layer j, of what lies below. */
static inline double complex layer_mirror_(const layers_file *l, const double complex *kz, const double complex *back,
                                           size_t j) {
  const double complex r = layer_border(kz[j], kz[j + 1], l->layer[j + 1].roughness);
  return (r + back[j + 1]) / (1 + r * back[j + 1]);
}

/* A wave of amplitude 1 at the uppermost border comes from the top. Returns what is reflected there; |.|^2 is the reflectivity.
 * wave, unless NULL: what it becomes in layer `in`, `up` above its lower border, of the last one above its upper border.
 * work: 2 l->count numbers. */
static inline double complex layers_wave(const layers_file *l, double k, double kz_top, size_t in, double up,
                                         double complex *work, layer_wave *wave) {
  const size_t last = l->count - 1;
  const double depth = in && in < last ? l->layer[in].thickness : 0;
  double complex *const kz = work, *const back = work + l->count; /* back: r / t at a layer's upper border */
  double complex t = 1;
  size_t j;
  kz[last] = layer_kz(l, last, k, kz_top);
  back[last] = 0;
  for (j = last; j-- > 0;) {
    kz[j] = layer_kz(l, j, k, kz_top);
    back[j] = layer_mirror_(l, kz, back, j) * (j ? cexp(2 * I * kz[j] * l->layer[j].thickness) : 1);
  }
  if (!wave) {
    return back[0];
  }
  for (j = 0; j < in; j++) { /* t: from the lower border of layer j to the upper one of the next, and to its lower one */
    const double s = l->layer[j + 1].roughness;
    const double complex d = kz[j] - kz[j + 1], sum = kz[j] + kz[j + 1];
    if (cabs(sum) > 0) {
      t *= 2 * kz[j] / sum * cexp(d * d * (s * s / 2)) / (1 + layer_border(kz[j], kz[j + 1], s) * back[j + 1]);
    }
    t *= j + 1 < in ? cexp(I * kz[j + 1] * l->layer[j + 1].thickness) : 1;
  }
  wave->kz = kz[in];
  wave->t = t * cexp(I * kz[in] * (depth - up));
  wave->r = in == last ? 0 : t * layer_mirror_(l, kz, back, in) * cexp(I * kz[in] * (depth + up));
  return back[0];
}

#endif
