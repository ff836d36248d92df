/* SPDX-License-Identifier: MIT
   Grids whose planes lie 4 GiB apart, in memory that is there for their points alone: every operation of grids gives what it gives
   of packed ones, to the last bit, and takes no more work and memory of a device.
     cc -std=gnu99 -I. tests/test_pitches.c -lm
     cc -std=gnu99 -I. -DCONVK_CL -DCL_TARGET_OPENCL_VERSION=120 tests/test_pitches.c -lOpenCL -lm; HW=opencl ./a.out
   HW in the environment: of another processor or device.  The last line is `N passed, N failed, N skipped`. */
#define _GNU_SOURCE
#include "families.h"
#include "convk.h"
#include <stdio.h>
#if defined __linux__ && SIZE_MAX > 0xffffffff
#include <sys/mman.h>
#include <unistd.h>

enum { N = 4, ARRAYS = 8, MOST = 1 << 16 };
static const size_t apart = (size_t)1 << 32; /* bytes from plane to plane */

/* The arrays of a call: points of `of` doubles each. */
static struct {
  char *at;
  size_t reserved, nx, ny, nz, of, pitch_z;
  int written;
} arrays[ARRAYS];
static int count, is_far;
static size_t work_bytes;
static double extra[64]; /* results that are no grids */

/* The grid of n^3 points of an array whose points have `of` doubles. */
static convk_grid3 grid(size_t n, size_t of) {
  convk_grid3 g = {0, 0, 0, 0, 0};
  g.nx = g.ny = g.nz = n;
  if (is_far) g.pitch_z = apart / sizeof(double) / of;
  return g;
}

/* An array with such a grid, filled. */
static double *array(size_t n, size_t of, int written) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = n * n * of * sizeof(double);
  const size_t step = is_far ? apart : bytes, here = (bytes + page - 1) / page * page;
  size_t z, i;
  char *at;
  arrays[count].reserved = (n - 1) * step + here + page;
  at = (char *)mmap(NULL, arrays[count].reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == (char *)MAP_FAILED || count == ARRAYS) exit(2);
  if (!is_far) mprotect(at, arrays[count].reserved, PROT_READ | PROT_WRITE);
  for (z = 0; z < n; z++) {
    if (is_far) mprotect(at + z * step, here, PROT_READ | PROT_WRITE);
    for (i = 0; i < n * n * of; i++)
      ((double *)(void *)(at + z * step))[i] = 0.5 + 0.25 * (double)((z * 31 + i) * 7 % 11 + (size_t)count) / 11;
  }
  arrays[count].at = at;
  arrays[count].nx = arrays[count].ny = arrays[count].nz = n;
  arrays[count].of = of;
  arrays[count].pitch_z = step;
  arrays[count++].written = written;
  return (double *)(void *)at;
}

static size_t fetch(double *to) {
  size_t k = 0, z;
  int i;
  for (i = 0; i < count; i++) {
    const size_t plane = arrays[i].nx * arrays[i].ny * arrays[i].of;
    for (z = 0; z < arrays[i].nz && arrays[i].written; z++, k += plane)
      memcpy(to + k, arrays[i].at + z * arrays[i].pitch_z, plane * sizeof(double));
    munmap(arrays[i].at, arrays[i].reserved);
  }
  memcpy(to + k, extra, sizeof extra);
  return k + sizeof extra / sizeof *extra;
}

static convk_filter_f64 taps(void) {
  static const double some[3] = {0.25, 0.5, -0.125};
  convk_filter_f64 f;
  f.lo = -1;
  f.up = 1;
  f.taps = some;
  return f;
}

static int sepconv(convk *hw) {
  convk_sepconv3d_shape s = {grid(N, 1), grid(N, 1), {0, 0, 0}};
  convk_filter_f64 f[3];
  convk_sepconv_epilogue_f64 e;
  memset(&e, 0, sizeof e);
  f[0] = f[1] = f[2] = taps();
  e.potential = array(N, 1, 0);
  e.density = array(N, 1, 1);
  e.density_factor = 0.5;
  e.dot = &extra[0];
  e.energy = &extra[1];
  (void)convk_sepconv3d_work_size_f64(hw, &s, f, &e, &work_bytes);
  return convk_sepconv3d_f64(hw, &s, f, &e, array(N, 1, 0), array(N, 1, 1), NULL, 0);
}
static int magicfilter(convk *hw) {
  convk_sepconv3d_shape s = {grid(N, 1), grid(N, 1), {0, 0, 0}};
  (void)convk_magicfilter3d_work_size_f64(hw, &s, CONVK_FORWARD, NULL, &work_bytes);
  return convk_magicfilter3d_f64(hw, &s, CONVK_FORWARD, NULL, array(N, 1, 0), array(N, 1, 1), NULL, 0);
}
static int potential(convk *hw) {
  convk_sepconv3d_shape s = {grid(N, 1), grid(N, 1), {0, 0, 0}};
  (void)convk_potential_apply_work_size_f64(hw, &s, &work_bytes);
  return convk_potential_apply_f64(hw, &s, array(N, 1, 0), array(N, 1, 0), array(N, 1, 1), &extra[0], NULL, 0);
}
/* Of V alone rows and planes lie apart, so that what is between the filters lies otherwise. */
static int potential_window(convk *hw) {
  enum { ROW = N + 3 };
  static double tight[N * N * N];
  convk_sepconv3d_shape s = {{N, N, N, 0, 0}, {N, N, N, 0, 0}, {0, 0, 0}};
  const double *v = array(ROW, 1, 0);
  const int far = is_far;
  double *out;
  size_t i;
  for (i = 0; i < N * N * N && !far; i++) tight[i] = v[i % N + i / N % N * ROW + i / N / N * ROW * ROW];
  if (far) {
    s.out.pitch_y = ROW;
    s.out.pitch_z = apart / sizeof *v;
  }
  is_far = 0;
  out = array(N, 1, 1);
  is_far = far;
  (void)convk_potential_apply_work_size_f64(hw, &s, &work_bytes);
  return convk_potential_apply_f64(hw, &s, far ? v : tight, out, out, &extra[0], NULL, 0);
}
static convk_dwt3d_shape dwt_shape(void) {
  convk_dwt3d_shape s;
  memset(&s, 0, sizeof s);
  s.fine = grid(N, 1);
  s.coarse = grid(N, 1);
  return s;
}
static int dwt(convk *hw) {
  const convk_dwt3d_shape s = dwt_shape();
  const convk_wavelet_f64 w = convk_wavelet_taps_f64(CONVK_WAVELET_SYM4);
  (void)convk_dwt3d_work_size_f64(hw, &s, &w, &work_bytes);
  return convk_dwt3d_f64(hw, &s, &w, array(N, 1, 0), array(N, 1, 1), NULL, 0);
}
static int idwt(convk *hw) {
  const convk_dwt3d_shape s = dwt_shape();
  const convk_wavelet_f64 w = convk_wavelet_taps_f64(CONVK_WAVELET_SYM4);
  (void)convk_idwt3d_work_size_f64(hw, &s, &w, &work_bytes);
  return convk_idwt3d_f64(hw, &s, &w, array(N, 1, 0), array(N, 1, 1), NULL, 0);
}
static int s1_to_r(convk *hw) {
  const convk_dwt3d_shape s = dwt_shape();
  (void)convk_s1_to_r_work_size_f64(hw, &s, &work_bytes);
  return convk_s1_to_r_f64(hw, &s, array(N, 1, 0), array(N, 1, 1), NULL, 0);
}
static int r_to_s1(convk *hw) {
  const convk_dwt3d_shape s = dwt_shape();
  (void)convk_r_to_s1_work_size_f64(hw, &s, &work_bytes);
  return convk_r_to_s1_f64(hw, &s, array(N, 1, 0), array(N, 1, 1), NULL, 0);
}
static int segments(convk *hw) {
  static const size_t ends[4] = {0, 2, 5, 6};
  convk_compressed_shape s;
  int status;
  memset(&s, 0, sizeof s);
  s.dense = grid(N, 1);
  s.coarse.count = s.fine.count = 2;
  s.coarse.ends = s.fine.ends = ends;
  status = convk_wavelet_compress_f64(hw, &s, array(N, 1, 0), extra);
  return status ? status : convk_wavelet_uncompress_f64(hw, &s, extra, array(N, 1, 1));
}
static convk_sumconv3d_shape sum_shape(size_t of) {
  convk_sumconv3d_shape s;
  memset(&s, 0, sizeof s);
  s.in = s.out = grid(N, of);
  return s;
}
/* of: numbers of a point.  A potential has the pitches of the output, in numbers: half as many bytes where points have two. */
static convk_sumconv_terms_f64 sum_terms(size_t of, int add) {
  convk_sumconv_terms_f64 t;
  int d;
  memset(&t, 0, sizeof t);
  for (d = 0; d < 3; d++) {
    t.filter[d] = t.first[d] = taps();
    if (of > 1) t.imag[d] = taps();
    t.mixed[d] = 0.5;
  }
  if (of == 1) t.potential = array(N, 1, 0);
  t.potential_factor = 1;
  t.shift = 0.5;
  if (add) t.add = array(N, of, 0);
  t.add_factor = 2;
  return t;
}
static int sumconv(convk *hw) {
  const convk_sumconv3d_shape s = sum_shape(1);
  const convk_sumconv_terms_f64 t = sum_terms(1, 1);
  (void)convk_sumconv3d_work_size_f64(hw, &s, &t, &work_bytes);
  return convk_sumconv3d_f64(hw, &s, &t, array(N, 1, 0), array(N, 1, 1), (convk_sumconv_sums *)(void *)extra, NULL, 0);
}
static int sumconv_complex(convk *hw) {
  const convk_sumconv3d_shape s = sum_shape(2);
  const convk_sumconv_terms_f64 t = sum_terms(2, 1);
  (void)convk_sumconv3d_work_size_c64(hw, &s, &t, &work_bytes);
  return convk_sumconv3d_c64(hw, &s, &t, array(N, 2, 0), array(N, 2, 1), (convk_sumconv_sums *)(void *)extra, NULL, 0);
}
static const convk_chebyshev damped = {3, 1, 2, 0};
static int chebyshev(convk *hw) {
  const convk_sumconv3d_shape s = sum_shape(1);
  const convk_sumconv_terms_f64 t = sum_terms(1, 0);
  (void)convk_chebyshev3d_work_size_f64(hw, &s, &t, &damped, &work_bytes);
  return convk_chebyshev3d_f64(hw, &s, &t, &damped, array(N, 1, 0), array(N, 1, 1), NULL, 0);
}
static int chebyshev_complex(convk *hw) {
  const convk_sumconv3d_shape s = sum_shape(2);
  const convk_sumconv_terms_f64 t = sum_terms(2, 0);
  (void)convk_chebyshev3d_work_size_c64(hw, &s, &t, &damped, &work_bytes);
  return convk_chebyshev3d_c64(hw, &s, &t, &damped, array(N, 2, 0), array(N, 2, 1), NULL, 0);
}
static int hamiltonian_of(convk *hw, size_t of) {
  convk_hamiltonian_shape s;
  convk_hamiltonian_terms_f64 t;
  convk_hamiltonian_energies *energies = (convk_hamiltonian_energies *)(void *)extra;
  const double *in;
  double *out;
  memset(&s, 0, sizeof s);
  memset(&t, 0, sizeof t);
  s.wavelets = grid(N, of);
  s.values = grid(N, 1);
  t.spacing[0] = t.spacing[1] = t.spacing[2] = 1;
  t.potential = array(N, 1, 0);
  in = array(N, of, 0);
  out = array(N, of, 1);
  (void)(of > 1 ? convk_hamiltonian_apply_work_size_c64 : convk_hamiltonian_apply_work_size_f64)(hw, &s, &work_bytes);
  return (of > 1 ? convk_hamiltonian_apply_c64 : convk_hamiltonian_apply_f64)(hw, &s, &t, in, out, energies, NULL, 0);
}
static int hamiltonian(convk *hw) { return hamiltonian_of(hw, 1); }
static int hamiltonian_complex(convk *hw) { return hamiltonian_of(hw, 2); }
static int stencil(convk *hw) {
  const convk_stencil7_shape s = {grid(N, 1), {0, 0, 0}};
  const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(0.4, 0.1);
  double *a = array(N, 1, 1), *b = array(N, 1, 1), *end;
  (void)convk_stencil7_work_size_f64(hw, &s, 3, &work_bytes);
  return convk_stencil7_f64(hw, &s, &c, 3, a, b, &end, NULL, 0);
}
static int stencil_box(convk *hw) {
  const convk_stencil7_shape s = {grid(N, 1), {0, 0, 0}};
  const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(0.4, 0.1);
  const convk_box3 box = {{0, 1, 1}, {N, 2, 3}};
  return convk_stencil7_box_f64(hw, &s, &c, &box, array(N, 1, 0), array(N, 1, 1), NULL, 0);
}

static const double numbers[2] = {0.3, 0.7};
static convk_gaussian_box gaussian_box(size_t of, double period) {
  convk_gaussian_box b;
  memset(&b, 0, sizeof b);
  b.step_x[0] = b.step_y[1] = b.step_z[2] = 0.5;
  b.grid = grid(N, of);
  b.period[0] = b.period[1] = b.period[2] = period;
  return b;
}
static const convk_orbital_set_f64 *orbital_set(void) {
  static convk_shell shell;
  static convk_orbital_set_f64 s;
  shell.primitives = 2;
  shell.exponents = shell.coefficients = numbers;
  s.nshells = 1;
  s.shells = &shell;
  s.norbitals = 1;
  s.coefficients = s.occupations = numbers;
  return &s;
}
static int orbitals(convk *hw) {
  const convk_gaussian_box b = gaussian_box(1, 0);
  (void)convk_orbitals_grid_work_size_f64(hw, &b, orbital_set(), &work_bytes);
  return convk_orbitals_grid_f64(hw, &b, orbital_set(), NULL, array(N, 1, 1), 0, NULL, 0);
}
static int orbitals_vgl(convk *hw) {
  const convk_gaussian_box b = gaussian_box(1, 0);
  convk_vgl_f64 out;
  memset(&out, 0, sizeof out);
  out.value = array(N, 1, 1);
  out.dx = array(N, 1, 1);
  out.dy = array(N, 1, 1);
  out.dz = array(N, 1, 1);
  out.laplacian = array(N, 1, 1);
  return convk_orbitals_grid_vgl_f64(hw, &b, orbital_set(), NULL, &out, NULL, 0);
}
static int density(convk *hw) {
  const convk_gaussian_box b = gaussian_box(1, 0);
  convk_density_parts_f64 out;
  out.density = array(N, 1, 1);
  out.dx = array(N, 1, 1);
  out.dy = array(N, 1, 1);
  out.dz = array(N, 1, 1);
  out.tau = array(N, 1, 1);
  return convk_density_grid_f64(hw, &b, orbital_set(), NULL, &out, NULL, 0);
}
static int gridpot(convk *hw) {
  static const double alpha = -0.5;
  const convk_gaussian_box b = gaussian_box(1, 0);
  convk_gaussians_f64 g;
  memset(&g, 0, sizeof g);
  g.n = g.nsums = 1;
  g.alpha = &alpha;
  g.coefficients = numbers;
  (void)convk_gridpot_grid_work_size_f64(hw, &b, &g, &work_bytes);
  return convk_gridpot_grid_f64(hw, &b, &g, NULL, array(N, 1, 1), 0, NULL, 0);
}
static int orbitals_k(convk *hw) {
  const convk_gaussian_box b = gaussian_box(2, 2);
  const convk_bloch_f64 bloch = {{0.5, 0, 0.25}, numbers};
  (void)convk_orbitals_grid_k_work_size_f64(hw, &b, orbital_set(), &work_bytes);
  return convk_orbitals_grid_k_f64(hw, &b, orbital_set(), &bloch, NULL, array(N, 2, 1), 0, NULL, 0);
}
static int density_k(convk *hw) {
  const convk_gaussian_box b = gaussian_box(1, 2);
  const convk_bloch_f64 bloch = {{0.5, 0, 0.25}, numbers};
  return convk_density_grid_k_f64(hw, &b, orbital_set(), &bloch, NULL, array(N, 1, 1), 0, NULL, 0);
}
static int formfactor(convk *hw) {
  static const double q[N] = {0.5, 0.7, 1, 2};
  static double x[8], y[8], z[8];
  static uint32_t face[36];
  static const convk_q_f64 v = {N, q, q, q, NULL, NULL, NULL};
  const convk_grid3 g = grid(N, 2);
  convk_indexed_mesh_f64 box;
  convk_mesh_f64 mesh;
  int status;
  box.vertices = 8;
  box.faces = 12;
  box.x = x;
  box.y = y;
  box.z = z;
  box.face = face;
  memset(&mesh, 0, sizeof mesh);
  mesh.n = 12;
  mesh.indexed = &box;
  status = convk_mesh_box_f64(NULL, 1, 2, 3, &box);
  (void)convk_formfactor_grid_work_size_f64(hw, &g, &v, &work_bytes);
  return status ? status : convk_formfactor_grid_f64(hw, &mesh, &g, &v, NULL, array(N, 2, 1), NULL, 0);
}

static int amplitudes(convk *hw) {
  static const double x[4] = {0, 1, 0.25, -3}, q[N] = {-0.5, 0.25, 0.75, 1};
  static const convk_q_f64 v = {N, q, q, q, NULL, NULL, NULL};
  const convk_grid3 g = grid(N, 2);
  convk_atoms_f64 atoms;
  memset(&atoms, 0, sizeof atoms);
  atoms.n = 4;
  atoms.x = atoms.y = atoms.z = x;
  return convk_amplitudes_grid_f64(hw, &atoms, &g, &v, NULL, array(N, 2, 1), NULL, 0);
}

static const struct {
  const char *name;
  int (*run)(convk *hw);
} calls[] = {{"sepconv3d", sepconv},
             {"magicfilter3d", magicfilter},
             {"potential_apply", potential},
             {"potential_apply, V", potential_window},
             {"dwt3d", dwt},
             {"idwt3d", idwt},
             {"s1_to_r", s1_to_r},
             {"r_to_s1", r_to_s1},
             {"wavelet_compress, wavelet_uncompress", segments},
             {"sumconv3d", sumconv},
             {"sumconv3d, complex", sumconv_complex},
             {"chebyshev3d", chebyshev},
             {"chebyshev3d, complex", chebyshev_complex},
             {"hamiltonian_apply", hamiltonian},
             {"hamiltonian_apply, complex", hamiltonian_complex},
             {"stencil7", stencil},
             {"stencil7_box", stencil_box},
             {"orbitals_grid", orbitals},
             {"orbitals_grid_vgl", orbitals_vgl},
             {"density_grid", density},
             {"gridpot_grid", gridpot},
             {"orbitals_grid_k", orbitals_k},
             {"density_grid_k", density_k},
             {"formfactor_grid", formfactor},
             {"amplitudes_grid", amplitudes}};

int main(void) {
  static double result[2][MOST];
  unsigned long passed = 0, failed = 0;
  size_t i, n[2];
  convk hw;
  if (convk_open(&hw, getenv("HW"))) {
    printf("%s\n", hw.message);
    return 1;
  }
  for (i = 0; i < sizeof calls / sizeof *calls; i++) {
    size_t work[2] = {0, 0};
    int status = 0, far;
    for (far = 0; far < 2 && !status; far++) {
      is_far = far;
      count = 0;
      work_bytes = 0;
      memset(extra, 0, sizeof extra);
      status = calls[i].run(&hw);
      n[far] = fetch(result[far]);
      work[far] = work_bytes;
    }
    if (status) printf("FAILED %s, %s: status %d %s\n", calls[i].name, far > 1 ? "far" : "packed", status, hw.message);
    else if (n[0] != n[1] || memcmp(result[0], result[1], n[0] * sizeof(double)))
      printf("FAILED %s: other bits\n", calls[i].name);
    else if (work[1] > 2 * work[0])
      printf("FAILED %s: %lu bytes of work, and %lu of packed arrays\n", calls[i].name, (unsigned long)work[1],
             (unsigned long)work[0]);
    else {
      passed++;
      continue;
    }
    failed++;
  }
  convk_close(&hw);
  printf("%lu passed, %lu failed, 0 skipped\n", passed, failed);
  return failed > 0;
}
#else
int main(void) {
  printf("no address space for this, or no way to reserve it\n0 passed, 0 failed, 1 skipped\n");
  return 0;
}
#endif
