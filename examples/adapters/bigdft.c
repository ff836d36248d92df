/* Convolution routines of BigDFT by their names, for codes that call them: link this unit instead of theirs.
     cc -O2 -c bigdft.c -fopenmp -DCONVK_OPENMP       (with convk.h and the modules of processors beside it, or -I)
   Names end in an underscore and arguments are addresses, as gfortran, flang and ifx call external procedures on Linux; integers
   have four bytes.  bigdft_convolutions.f90 declares them to Fortran compilers, which then check the arguments.  What differs from the
   originals: README.md. */
#define CONVK_F64
#include "adapter.h"

/* Which axes of a geometry are free. */
enum { ADAPTER_PERIODIC = 0, ADAPTER_SLAB = 2, ADAPTER_WIRE = 3, ADAPTER_FREE = 7 };

static convk_grid3 grid_of(const int *n1, const int *n2, const int *n3, int free_axes, int more) {
  convk_grid3 grid = {0, 0, 0, 0, 0};
  grid.nx = (size_t)*n1 + 1 + (size_t)(free_axes & 1 ? more : 0);
  grid.ny = (size_t)*n2 + 1 + (size_t)(free_axes & 2 ? more : 0);
  grid.nz = (size_t)*n3 + 1 + (size_t)(free_axes & 4 ? more : 0);
  return grid;
}

static void boundary_of(int free_axes, int of_free, int boundary[3]) {
  int d;
  for (d = 0; d < 3; d++) boundary[d] = free_axes >> d & 1 ? of_free : CONVK_BOUNDARY_PERIODIC;
}

/* One axis: rows of n points (0 .. n1, and 15 more where it shrinks) to columns. */
static void rotate(const char *routine, const int *n1, const int *ndat, int direction, int boundary, const double *x,
                   double *y) {
  const convk_filter_f64 filter = convk_magicfilter_taps_f64(direction);
  convk_conv1d_shape shape = {0, 0, 0, 0, 0};
  int status = CONVK_OK;
  convk *hw = adapter_handle(&status);
  shape.n = (size_t)*n1 + 1 + (boundary == CONVK_BOUNDARY_SHRINK ? 15 : 0);
  shape.ndat = (size_t)*ndat;
  shape.boundary = boundary;
  if (!status && (*n1 < 0 || *ndat < 0)) status = CONVK_ERR_SIZE;
  if (!status && *ndat) status = convk_conv1d_transpose_f64(hw, &shape, &filter, x, y, NULL, 0);
  adapter_check(routine, status);
}

static void magic(const char *routine, const int *n1, const int *n2, const int *n3, int free_axes, int direction,
                  const double *x, double *y) {
  const int forward = direction == CONVK_FORWARD;
  convk_sepconv3d_shape shape;
  int status = CONVK_OK;
  convk *hw = adapter_handle(&status);
  shape.in = grid_of(n1, n2, n3, free_axes, forward ? 0 : 15);
  shape.out = grid_of(n1, n2, n3, free_axes, forward ? 15 : 0);
  boundary_of(free_axes, forward ? CONVK_BOUNDARY_GROW : CONVK_BOUNDARY_SHRINK, shape.boundary);
  if (!status) status = convk_magicfilter3d_f64(hw, &shape, direction, NULL, x, y, NULL, 0);
  adapter_check(routine, status);
}

/* y = T x + c x, or without c y = y + T x and the three energies <x|T|x>, where T = -1/2 d^2/dx^2 on each axis in turn. */
static void kinetic(const char *routine, const int *n1, const int *n2, const int *n3, int free_axes, const double hgrid[3],
                    const double *x, double *y, const double *c, double energy[3]) {
  static const double one = 1;
  double taps[2 * ADAPTER_REACH + 1];
  convk_sepconv3d_shape shape;
  int status = CONVK_OK, d;
  convk *hw = adapter_handle(&status);
  shape.in = shape.out = grid_of(n1, n2, n3, 0, 0);
  boundary_of(free_axes, CONVK_BOUNDARY_ZERO, shape.boundary);
  for (d = 0; d < 3 && !status; d++) {
    convk_filter_f64 filter[3] = {{0, 0, &one}, {0, 0, &one}, {0, 0, &one}};
    convk_sepconv_epilogue_f64 epilogue;
    memset(&epilogue, 0, sizeof epilogue);
    adapter_taps(adapter_d2, 0, -0.5 / (hgrid[d] * hgrid[d]), taps);
    if (c && d == 0) taps[ADAPTER_REACH] += *c;
    filter[d].lo = -ADAPTER_REACH;
    filter[d].up = ADAPTER_REACH;
    filter[d].taps = taps;
    epilogue.update = !c || d > 0;
    epilogue.a = epilogue.b = 1;
    epilogue.dot = energy ? &energy[d] : NULL;
    status = convk_sepconv3d_f64(hw, &shape, filter, &epilogue, x, y, NULL, 0);
  }
  adapter_check(routine, status);
}

#define ROTATE(name, direction, boundary) \
  void name##_(const int *n1, const int *ndat, const double *x, double *y); \
  void name##_(const int *n1, const int *ndat, const double *x, double *y) { \
    rotate(#name, n1, ndat, direction, boundary, x, y); \
  }

ROTATE(convrot_n_per, CONVK_FORWARD, CONVK_BOUNDARY_PERIODIC)
ROTATE(convrot_t_per, CONVK_INVERSE, CONVK_BOUNDARY_PERIODIC)
ROTATE(convrot_grow, CONVK_FORWARD, CONVK_BOUNDARY_GROW)
ROTATE(convrot_shrink, CONVK_INVERSE, CONVK_BOUNDARY_SHRINK)

#define MAGIC(name, geometry, direction) \
  void name##_(const int *n1, const int *n2, const int *n3, const double *x, double *y); \
  void name##_(const int *n1, const int *n2, const int *n3, const double *x, double *y) { \
    magic(#name, n1, n2, n3, geometry, direction, x, y); \
  }
/* The same with a work array, which is not needed. */
#define MAGIC_WORK(name, geometry, direction) \
  void name##_(const int *n1, const int *n2, const int *n3, const double *x, double *y, double *ww); \
  void name##_(const int *n1, const int *n2, const int *n3, const double *x, double *y, double *ww) { \
    (void)ww; \
    magic(#name, n1, n2, n3, geometry, direction, x, y); \
  }

MAGIC_WORK(convolut_magic_n_per, ADAPTER_PERIODIC, CONVK_FORWARD)
MAGIC(convolut_magic_n_per_self, ADAPTER_PERIODIC, CONVK_FORWARD)
MAGIC(convolut_magic_t_per, ADAPTER_PERIODIC, CONVK_INVERSE)
MAGIC(convolut_magic_t_per_self, ADAPTER_PERIODIC, CONVK_INVERSE)
MAGIC_WORK(convolut_magic_n_slab, ADAPTER_SLAB, CONVK_FORWARD)
MAGIC(convolut_magic_n_slab_self, ADAPTER_SLAB, CONVK_FORWARD)
MAGIC(convolut_magic_t_slab_self, ADAPTER_SLAB, CONVK_INVERSE)
MAGIC_WORK(convolut_magic_n_wire, ADAPTER_WIRE, CONVK_FORWARD)
MAGIC(convolut_magic_n_wire_self, ADAPTER_WIRE, CONVK_FORWARD)
MAGIC(convolut_magic_t_wire_self, ADAPTER_WIRE, CONVK_INVERSE)
MAGIC(convolut_magic_n, ADAPTER_FREE, CONVK_FORWARD)
MAGIC(convolut_magic_t, ADAPTER_FREE, CONVK_INVERSE)

#define KINETIC_C(name, geometry) \
  void name##_(const int *n1, const int *n2, const int *n3, const double hgrid[3], const double *x, double *y, \
               const double *c); \
  void name##_(const int *n1, const int *n2, const int *n3, const double hgrid[3], const double *x, double *y, \
               const double *c) { \
    kinetic(#name, n1, n2, n3, geometry, hgrid, x, y, c, NULL); \
  }
/* With the sum of the energies. */
#define KINETIC_T(name, geometry) \
  void name##_(const int *n1, const int *n2, const int *n3, const double hgrid[3], const double *x, double *y, double *ekin); \
  void name##_(const int *n1, const int *n2, const int *n3, const double hgrid[3], const double *x, double *y, double *ekin) { \
    double axis[3] = {0, 0, 0}; \
    kinetic(#name, n1, n2, n3, geometry, hgrid, x, y, NULL, axis); \
    *ekin = axis[0] + axis[1] + axis[2]; \
  }

KINETIC_C(convolut_kinetic_per_c, ADAPTER_PERIODIC)
KINETIC_C(convolut_kinetic_slab_c, ADAPTER_SLAB)
KINETIC_T(convolut_kinetic_slab_t, ADAPTER_SLAB)
KINETIC_T(convolut_kinetic_wire_t, ADAPTER_WIRE)

/* With those of the three axes, and zeros for the rest of the stress. */
void convolut_kinetic_per_t_(const int *n1, const int *n2, const int *n3, const double hgrid[3], const double *x, double *y,
                             double kstrten[6]);
void convolut_kinetic_per_t_(const int *n1, const int *n2, const int *n3, const double hgrid[3], const double *x, double *y,
                             double kstrten[6]) {
  memset(kstrten, 0, 6 * sizeof *kstrten);
  kinetic("convolut_kinetic_per_t", n1, n2, n3, ADAPTER_PERIODIC, hgrid, x, y, NULL, kstrten);
}

/* No routine of BigDFT, but the three that it calls in turn as one: y = IMF (pot MF x) and epot = <x|V|x>; y may be x.
   free_axes: for each axis, 0: periodic, 1: free, where pot has 15 more points. */
void convolut_magic_potential_(const int *n1, const int *n2, const int *n3, const int free_axes[3], const double *pot,
                               const double *x, double *y, double *epot);
void convolut_magic_potential_(const int *n1, const int *n2, const int *n3, const int free_axes[3], const double *pot,
                               const double *x, double *y, double *epot) {
  const int bits = (free_axes[0] != 0) + 2 * (free_axes[1] != 0) + 4 * (free_axes[2] != 0);
  convk_sepconv3d_shape shape;
  int status = CONVK_OK;
  convk *hw = adapter_handle(&status);
  shape.in = grid_of(n1, n2, n3, bits, 0);
  shape.out = grid_of(n1, n2, n3, bits, 15);
  boundary_of(bits, CONVK_BOUNDARY_GROW, shape.boundary);
  if (!status) status = convk_potential_apply_f64(hw, &shape, pot, x, y, epot, NULL, 0);
  adapter_check("convolut_magic_potential", status);
}

/* One axis of a wavelet transform: rows of 2 n + 2 coefficients to columns, s before d; eight rows at a time. */
static void wavelet_rows(const char *routine, const int *n, const int *ndat, int synthesis, const double *x, double *y) {
  enum { WIDE = 8, TAPS = 16, LOW = -7 };
  const convk_wavelet_f64 w = convk_wavelet_taps_f64(CONVK_WAVELET_DAUBECHIES16);
  const size_t half = (size_t)*n + 1, size = 2 * half, rows = (size_t)(*ndat > 0 ? *ndat : 0);
  double *in = *n < 0 || *ndat < 0 ? NULL : (double *)malloc(2 * size * WIDE * sizeof *in), *const out = in + size * WIDE;
  size_t j, i, q;
  int l;
  adapter_check(routine, *n < 0 || *ndat < 0 ? CONVK_ERR_SIZE : in ? CONVK_OK : CONVK_ERR_MEMORY);
  if (!in) return;
  for (j = 0; j < rows; j += WIDE) {
    const size_t count = rows - j < WIDE ? rows - j : WIDE;
    memset(in, 0, 2 * size * WIDE * sizeof *in);
    for (q = 0; q < count; q++)
      for (i = 0; i < size; i++) in[i * WIDE + q] = x[(j + q) * size + i];
    for (i = 0; i < half; i++)
      for (l = 0; l < TAPS; l++) {
        const size_t m = (2 * i + size * TAPS + (size_t)l - (size_t)-LOW) % size;
        const double low = w.low[l], high = w.high[l];
        double *const fine = (synthesis ? out : in) + m * WIDE, *const s = (synthesis ? in : out) + i * WIDE,
                      *const d = s + half * WIDE;
        for (q = 0; q < WIDE; q++) {
          if (synthesis) fine[q] += low * s[q] + high * d[q];
          else s[q] += low * fine[q], d[q] += high * fine[q];
        }
      }
    for (i = 0; i < size; i++) memcpy(y + i * rows + j, out + i * WIDE, count * sizeof *y);
  }
  free(in);
}

void ana_rot_per_(const int *n, const int *ndat, const double *x, double *y);
void ana_rot_per_(const int *n, const int *ndat, const double *x, double *y) { wavelet_rows("ana_rot_per", n, ndat, 0, x, y); }
void syn_rot_per_(const int *n, const int *ndat, const double *x, double *y);
void syn_rot_per_(const int *n, const int *ndat, const double *x, double *y) { wavelet_rows("syn_rot_per", n, ndat, 1, x, y); }

/* All axes; of analysis x is the fine grid. */
static void wavelets(const char *routine, const int *n1, const int *n2, const int *n3, int synthesis, const double *x,
                     double *y) {
  const convk_wavelet_f64 w = convk_wavelet_taps_f64(CONVK_WAVELET_DAUBECHIES16);
  convk_dwt3d_shape shape;
  int status = CONVK_OK;
  convk *hw = adapter_handle(&status);
  memset(&shape, 0, sizeof shape);
  if (!status && (*n1 < 0 || *n2 < 0 || *n3 < 0)) status = CONVK_ERR_SIZE;
  shape.coarse.nx = 2 * ((size_t)*n1 + 1);
  shape.coarse.ny = 2 * ((size_t)*n2 + 1);
  shape.coarse.nz = 2 * ((size_t)*n3 + 1);
  if (!status)
    status = synthesis ? convk_idwt3d_f64(hw, &shape, &w, x, y, NULL, 0) : convk_dwt3d_f64(hw, &shape, &w, x, y, NULL, 0);
  adapter_check(routine, status);
}

#define WAVELETS(name, synthesis) \
  void name##_(const int *n1, const int *n2, const int *n3, double *ww, const double *x, double *y); \
  void name##_(const int *n1, const int *n2, const int *n3, double *ww, const double *x, double *y) { \
    (void)ww; \
    wavelets(#name, n1, n2, n3, synthesis, x, y); \
  } \
  void name##_self_(const int *n1, const int *n2, const int *n3, const double *x, double *y); \
  void name##_self_(const int *n1, const int *n2, const int *n3, const double *x, double *y) { \
    wavelets(#name "_self", n1, n2, n3, synthesis, x, y); \
  }
WAVELETS(analyse_per, 0)
WAVELETS(synthese_per, 1)

/* At a point k, of complex orbitals: y = T x + c x, or without c y = y + T x and the energies of the axes, where T is the sum of
   1/2 (-i d/dx - k)^2: in this direction BigDFT has k. */
static void kinetic_k(const char *routine, const int *n1, const int *n2, const int *n3, const double hgrid[3], const double *x,
                      double *y, const double *c, double energy[3], const double k[3]) {
  double taps[2][3][2 * ADAPTER_REACH + 1], norm = 0;
  convk_sumconv3d_shape shape;
  convk_sumconv_terms_f64 terms;
  convk_sumconv_sums sums;
  int status = CONVK_OK, d;
  size_t i;
  convk *hw = adapter_handle(&status);
  memset(&shape, 0, sizeof shape);
  memset(&terms, 0, sizeof terms);
  shape.in = grid_of(n1, n2, n3, 0, 0);
  terms.shift = c ? *c : 0;
  for (d = 0; d < 3; d++) {
    adapter_taps(adapter_d2, 0, -0.5 / (hgrid[d] * hgrid[d]), taps[0][d]);
    adapter_taps(adapter_d1, 1, k[d] / hgrid[d], taps[1][d]);
    terms.filter[d].lo = terms.imag[d].lo = -ADAPTER_REACH;
    terms.filter[d].up = terms.imag[d].up = ADAPTER_REACH;
    terms.filter[d].taps = taps[0][d];
    terms.imag[d].taps = taps[1][d];
    terms.shift += 0.5 * k[d] * k[d];
  }
  if (!c) {
    terms.add = y;
    terms.add_factor = 1;
  }
  if (!status) status = convk_sumconv3d_c64(hw, &shape, &terms, x, y, energy ? &sums : NULL, NULL, 0);
  adapter_check(routine, status);
  if (status || !energy) return;
  for (i = 0; i < 2 * shape.in.nx * shape.in.ny * shape.in.nz; i++) norm += x[i] * x[i];
  for (d = 0; d < 3; d++) energy[d] = sums.axis[d] + 0.5 * k[d] * k[d] * norm;
}

void convolut_kinetic_per_c_k_(const int *n1, const int *n2, const int *n3, const double hgrid[3], const double *x, double *y,
                               const double *c_in, const double *k1, const double *k2, const double *k3);
void convolut_kinetic_per_c_k_(const int *n1, const int *n2, const int *n3, const double hgrid[3], const double *x, double *y,
                               const double *c_in, const double *k1, const double *k2, const double *k3) {
  double k[3];
  k[0] = *k1, k[1] = *k2, k[2] = *k3;
  kinetic_k("convolut_kinetic_per_c_k", n1, n2, n3, hgrid, x, y, c_in, NULL, k);
}

/* With the energies of the three axes, and zeros for the rest of the stress. */
void convolut_kinetic_per_t_k_(const int *n1, const int *n2, const int *n3, const double hgrid[3], const double *x, double *y,
                               double kstrten[6], const double *k1, const double *k2, const double *k3);
void convolut_kinetic_per_t_k_(const int *n1, const int *n2, const int *n3, const double hgrid[3], const double *x, double *y,
                               double kstrten[6], const double *k1, const double *k2, const double *k3) {
  double k[3];
  k[0] = *k1, k[1] = *k2, k[2] = *k3;
  memset(kstrten, 0, 6 * sizeof *kstrten);
  kinetic_k("convolut_kinetic_per_t_k", n1, n2, n3, hgrid, x, y, NULL, kstrten, k);
}

/* Segments as BigDFT counts them, from 1: those of convk, in `memory`. */
static convk_segments segments_of(int count, int points, const int *keyg, const int *keyv, size_t *memory) {
  convk_segments s;
  int i;
  s.count = (size_t)count;
  s.points = (size_t)points;
  s.ends = memory;
  s.place = memory + 2 * s.count;
  for (i = 0; i < count; i++) {
    memory[2 * i] = (size_t)keyg[2 * i] - 1;
    memory[2 * i + 1] = (size_t)keyg[2 * i + 1] - 1;
    memory[2 * count + i] = (size_t)keyv[i] - 1;
  }
  return s;
}

/* The seven lists of arguments that compress and uncompress share. */
typedef struct bigdft_keys {
  int nseg_c, nvctr_c, nseg_f, nvctr_f;
  const int *keyg_c, *keyv_c, *keyg_f, *keyv_f;
} bigdft_keys;

/* psi_c and psi_f need not lie one behind the other. */
static void segments(const char *routine, int n1, int n2, int n3, const bigdft_keys *k, int compress, double *psi_c,
                     double *psi_f, double *psig) {
  const int bad = n1 < 0 || n2 < 0 || n3 < 0 || k->nseg_c < 0 || k->nseg_f < 0 || k->nvctr_c < 0 || k->nvctr_f < 0;
  const size_t c = bad ? 0 : (size_t)k->nvctr_c, f = bad ? 0 : 7 * (size_t)k->nvctr_f;
  convk_compressed_shape shape;
  int status = CONVK_OK;
  convk *hw = adapter_handle(&status);
  size_t *const memory = bad ? NULL : (size_t *)malloc((3 * ((size_t)k->nseg_c + (size_t)k->nseg_f) + 1) * sizeof *memory);
  double *const whole = bad || !f || psi_f == psi_c + c ? psi_c : (double *)malloc((c + f) * sizeof *whole);
  if (!status && (bad || !memory || !whole)) status = bad ? CONVK_ERR_SIZE : CONVK_ERR_MEMORY;
  if (!status) {
    memset(&shape, 0, sizeof shape);
    shape.dense.nx = 2 * ((size_t)n1 + 1);
    shape.dense.ny = 2 * ((size_t)n2 + 1);
    shape.dense.nz = 2 * ((size_t)n3 + 1);
    shape.coarse = segments_of(k->nseg_c, k->nvctr_c, k->keyg_c, k->keyv_c, memory);
    shape.fine = segments_of(k->nseg_f, k->nvctr_f, k->keyg_f, k->keyv_f, memory + 3 * (size_t)k->nseg_c);
    if (whole != psi_c) { /* also before compress: what has no segment stays as it is */
      memcpy(whole, psi_c, c * sizeof *whole);
      memcpy(whole + c, psi_f, f * sizeof *whole);
    }
    status =
        compress ? convk_wavelet_compress_f64(hw, &shape, psig, whole) : convk_wavelet_uncompress_f64(hw, &shape, whole, psig);
    if (!status && compress && whole != psi_c) {
      memcpy(psi_c, whole, c * sizeof *whole);
      memcpy(psi_f, whole + c, f * sizeof *whole);
    }
  }
  if (whole != psi_c) free(whole);
  free(memory);
  adapter_check(routine, status);
}

#define KEYS \
  const int *nseg_c, const int *nvctr_c, const int *keyg_c, const int *keyv_c, const int *nseg_f, const int *nvctr_f, \
      const int *keyg_f, const int *keyv_f
#define KEYS_SET(k) \
  bigdft_keys k; \
  k.nseg_c = *nseg_c, k.nvctr_c = *nvctr_c, k.nseg_f = *nseg_f, k.nvctr_f = *nvctr_f; \
  k.keyg_c = keyg_c, k.keyv_c = keyv_c, k.keyg_f = keyg_f, k.keyv_f = keyv_f

void uncompress_(const int *n1, const int *n2, const int *n3, KEYS, double *psi_c, double *psi_f, double *psig);
void uncompress_(const int *n1, const int *n2, const int *n3, KEYS, double *psi_c, double *psi_f, double *psig) {
  KEYS_SET(k);
  segments("uncompress", *n1, *n2, *n3, &k, 0, psi_c, psi_f, psig);
}

/* compress, by its later name and by the earlier one, which has n3, too; the array is the whole grid. */
void compress_plain_(const int *n1, const int *n2, const int *nl1, const int *nu1, const int *nl2, const int *nu2,
                     const int *nl3, const int *nu3, KEYS, double *psig, double *psi_c, double *psi_f);
void compress_plain_(const int *n1, const int *n2, const int *nl1, const int *nu1, const int *nl2, const int *nu2,
                     const int *nl3, const int *nu3, KEYS, double *psig, double *psi_c, double *psi_f) {
  KEYS_SET(k);
  if (*nl1 || *nl2 || *nl3 || *nu1 != *n1 || *nu2 != *n2) adapter_check("compress_plain", CONVK_ERR_SIZE);
  else segments("compress_plain", *n1, *n2, *nu3, &k, 1, psi_c, psi_f, psig);
}
void compress_(const int *n1, const int *n2, const int *n3, const int *nl1, const int *nu1, const int *nl2, const int *nu2,
               const int *nl3, const int *nu3, KEYS, double *psig, double *psi_c, double *psi_f);
void compress_(const int *n1, const int *n2, const int *n3, const int *nl1, const int *nu1, const int *nl2, const int *nu2,
               const int *nl3, const int *nu3, KEYS, double *psig, double *psi_c, double *psi_f) {
  KEYS_SET(k);
  if (*nl1 || *nl2 || *nl3 || *nu1 != *n1 || *nu2 != *n2 || *nu3 != *n3) adapter_check("compress", CONVK_ERR_SIZE);
  else segments("compress", *n1, *n2, *n3, &k, 1, psi_c, psi_f, psig);
}
