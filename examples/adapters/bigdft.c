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
