/* ---- src/core/manual.h ---- */
/* SPDX-License-Identifier: MIT
   convk - compute kernels of nanoscience codes, one text for many machines.

   WHAT IT IS
     Five headers.  This one holds the types, the drivers, the text of every CPU kernel and its portable variant; the
     others add hardware.  Copy this file and the modules you want into your program; nothing needs to be linked.
       convk_sse.h   SSE2                      convk_cl.h    OpenCL
       convk_avx.h   AVX, AVX2+FMA, AVX-512    convk_cuda.h  CUDA
     On x86 define CONVK_SSE and CONVK_AVX, as below: without them this file is portable C, 3 to 30 times as slow as AVX-512,
     and hw.name is "scalar".  A module that lies beside this file is not taken by itself, since results (see NUMBERS) and the
     time to compile would then depend on which files are there.

   IN TEN LINES
       #define CONVK_WITH_SEPCONV              // this family only: the others take their time to compile
       #define CONVK_SSE                       // with convk_sse.h and convk_avx.h beside it; optional, any order
       #define CONVK_AVX
       #include "convk.h"
       int smooth(size_t n, const double *psi, double *values) {
         static const int periodic[3] = {CONVK_PERIODIC, CONVK_PERIODIC, CONVK_PERIODIC};
         convk_grid3 grid = {n, n, n, 0, 0};   // x contiguous, pitch 0: packed
         convk hw;
         int status = convk_open(&hw, NULL);   // NULL: the best hardware compiled in that this machine runs
         if (!status) status = convk_magicfilter3d_f64(&hw, &grid, &grid, CONVK_FORWARD, periodic, NULL, psi, values, NULL, 0);
         convk_close(&hw);
         return status;                        // 0, or a negative code for convk_strerror()
       }
     cc -O2 prog.c, with the included headers beside it.  No special compiler flags: each module opens the instruction set it
     needs for its own kernels.

   MODES
     A unit compiles what it includes: name the families and the precision that you use.  A program of many units has one that
     implements, and others that only declare, which takes milliseconds:
       #define CONVK_DECLARE          // types and prototypes only
       #define CONVK_IMPLEMENT        // in one unit: definitions, hidden outside of the program or library that holds it
       neither                        // all functions are static inline
     To compile families side by side, the implementation may be split into units of its own:
       #define CONVK_IMPLEMENT
       #define CONVK_ONLY_CORE        // one unit: what all families share; it names all families of the program
       #define CONVK_IMPLEMENT
       #define CONVK_ONLY_FAMILIES    // further units: the families that each names, each family in one of them
     A handle finds all families that the core's unit names, wherever it is opened; the linker misses convk_bind_<family>_... where
     one of them has no unit.
     All these units define the same modules and families, and CONVK_SHARED where a shared library of its own implements them:
     then its functions are visible to the programs that link it.  A handle is the same in all units of one version: it may be opened
     in one and used in another, and what was not compiled in where it was opened is CONVK_ERR_COMPILED.

   CHOOSING THE HARDWARE
     At startup   convk_open(&hw, spec): "scalar", "sse2", "avx", "avx2", "avx512", "opencl[:device]", "cuda[:device]".
                  An unknown name, one that is not compiled in, and one that this machine cannot run are three distinct
                  errors; there is no silent fallback.  NULL takes the best CPU variant; for an environment override
                  write convk_open(&hw, getenv("CONVK_HW")).
     When compiling  call a variant by name with a handle or NULL (serial): convk_magicfilter3d_f64_avx2(NULL, ...).
                  Whether the machine has the instructions is then the caller's business.
     `convk` is a small struct of the caller; there are no globals.  A handle may be copied and used by several threads at
     once unless it belongs to a device.

   DEFINES (before the first include)
     CONVK_SSE, CONVK_AVX, CONVK_CL, CONVK_CUDA   include these modules from the last lines of this file
     CONVK_WITH_SEPCONV, CONVK_WITH_STENCIL, CONVK_WITH_VMATH, CONVK_WITH_GAUSSIAN, CONVK_WITH_FORMFACTOR, CONVK_WITH_FFT,
     CONVK_WITH_VMC           keep only the families named by such defines (default: all, and the compiler says so)
     CONVK_WITH_ALL           all families, without a word
     CONVK_F32, CONVK_F64     keep only the precisions named (default: both)
     CONVK_NO_SSE2, CONVK_NO_AVX, CONVK_NO_AVX2, CONVK_NO_AVX512   leave out instruction sets that no machine of yours wants
     CONVK_DECLARE, CONVK_IMPLEMENT, CONVK_ONLY_CORE, CONVK_ONLY_FAMILIES, CONVK_SHARED   see MODES
     CONVK_OPENMP             convk_open sets the thread hook to OpenMP (with -fopenmp, or it does not compile)
     CONVK_STRICT             no fused multiply-add in CPU kernels: all variants give the same bits
     CONVK_MALLOC(bytes), CONVK_FREE(pointer)     default malloc, free; used only where `work` is NULL and by devices
     CONVK_SECONDS()          a clock for the tuner, where the default, the best that the C library shows, will not do
     CONVK_HEADER             this file's name where it is not "convk.h"
     CONVK_FP_CONTRACT_ON     with clang's -ffp-contract=on: see NUMBERS

   CONVENTIONS
     Sizes are size_t, in elements.  A grid's element (x, y, z) lies at x + y pitch_y + z pitch_z.
     Types: f32, f64; c32, c64: complex numbers of two f32 or f64, the real part first.
     Filters are correlations, y[i] = sum of taps[l - lo] x[i + l] over l = lo..up.
     Arguments: handle, shape, parameters, inputs, outputs, work.  `work` is memory of the caller of
     convk_<operation>_work_size_<type>() bytes at any alignment; NULL lets the call allocate.
     Operations return 0 or a negative status, work sizes come as bytes.  Bad arguments are found before the first write; hw.message
     then names the argument where the status leaves it open, and is empty after a call that succeeds.
     Data may have any alignment; 64-byte alignment is fastest.  Nothing is read or written outside the described arrays.

   MEMORY AND TUNING
     The defaults come from the sizes of the arrays and of the caches: what cpuid says of these, less what others take of them (on
     a virtual machine half of L3, at most 24 MiB a thread), or what the program sets in hw.tuning.
     What else a program can do, most useful first:
       convk_grid3_padded(nx, ny, nz, sizeof(double))   pitches that keep rows and planes out of each other's cache sets
       convk_huge_alloc(bytes, &memory)                 aligned memory on huge pages, where the system has them
       convk_first_touch(&hw, &grid, element, array)    zeros, written by the threads that will work there (NUMA)
       convk_tune(&hw, "stencil7_f64", &shape, 2000, &entry)   measures for 2 s what is best here
       hw.tuned = &entry; hw.ntuned = 1;                uses it; convk_tuned_write and convk_tuned_read make text of entries,
                                                        which the program may keep: the library touches no file
       hw.tuning.stencil_rows = 32;                     by hand, before everything else
     The separable convolution, the stencil, Gaussians, form factors, transforms and pairs are tuned; functions of arrays need no tuning.
     None of this changes a result.

   THREADS
     Serial unless hw.parallel says otherwise: give it a number of threads and a function that runs tasks.  A task needs 64 KB
     of stack.
     The result has the same bits for every number of threads and every tuning parameter.
     Many processes: the library knows no MPI, the program deals arrays out.  Variational Monte Carlo joins its sums over
     walkers by a function of the program (convk_vmc_part), with the same bits for every number of processes.

   SUBNORMALS
     Numbers below the smallest normal one (1.2e-38, 2.2e-308) are slow on many processors: an operation that meets or makes one
     takes about 150 cycles.  Exponentials of ours make none, but where an array of them is asked for.  Filters, stencils and
     transforms do what the caller's data say: a field that decays like exp(-r) can take 50 times as long in f32.  With
        hw.flush_subnormals = 1;
     they count as 0 within the tasks of each call, however many threads there are (FTZ and DAZ of MXCSR on x86, FZ on aarch64,
     also in the hook's threads; what was set before is put back, and the hook itself finds that), which changes results by less
     than the smallest normal number, and a term of a sum likewise.
     Use it for data that decay and where 1e-38 is as good as 0.  No effect on OpenCL and CUDA, where they cost nothing.

   NUMBERS
     Two classes of variants: multiply then add (scalar, sse2, avx) and fused (avx2, avx512, GPUs).  Within a class results
     agree to the last bit, for every cut into tasks and blocks: gcc and clang are told not to contract in kernels (other
     compilers, and nvcc's host code: -ffp-contract=off or its like).  Functions state their accuracy.
     NaN and infinity propagate as IEEE 754 says.  MXCSR and errno are left alone.
     -ffast-math and -Ofast change no bit with gcc, nor with clang, which needs the modules included before <immintrin.h>, and
     -ffp-contract=on -DCONVK_FP_CONTRACT_ON where it may fuse (-march=native); an #error says so.  Programs linked with
     -ffast-math by gcc flush subnormals from the start (FTZ, DAZ): there results that are subnormal are 0.

   WINDOWS
     By gcc or clang of mingw-w64 (x86_64) with all processor variants, also after <windows.h>; tested with wine.  gcc keeps its
     stack at multiples of 16 bytes only (GCC bug 54412), so convk_avx.h tells the assembler to move vectors of AVX and AVX-512 by
     instructions that take any address, in all of its unit.  With -flto, whose parts may lose this, add
     -Wa,-muse-unaligned-vector-move where the program is linked (binutils 2.38).  Other compilers, Microsoft's among them, would
     get the portable variant; this is not tested.

   VERSIONS
     CONVK_VERSION is 10000 major + 100 minor + patch; CHANGELOG.md says what changes.  A patch changes neither interfaces nor the
     bits of results.  While major is 0, a minor version may change both; from 1.0 on a minor version may add to interfaces and
     change bits, and only a major version changes or removes what a program uses.
     A handle belongs to exactly one version, patch included.  It begins with its size and its version, in all versions, and each
     call compares both with its own: CONVK_ERR_HANDLE.  So libraries that hide different versions may stand in one program, each
     with its own handles; of those with CONVK_SHARED a program takes one.  The file name of a shared library has the whole
     version, so that a program never meets another one.

   LAYOUT OF THIS FILE
     It is joined from rooms, each under a banner that names its file: src/core, src/words, then of each family api.h (what a user
     reads), types.h (once per precision), the driver (once per precision) and the kernel text (once per instruction set and
     precision, in the words that a module defines).  Edit the rooms, not this file.                                    */

/* ---- src/core/list.h ---- */
/* FUNCTIONS AND STRUCTS
   Every one that is declared below, on a line of its own: made by make headers, for those who search.  What each does stands in
   <family>/api.h and types.h, further below.  Operations also exist for one hardware, with its name at the end: convk_exp_f64_avx2.
   One function is a macro: int convk_open(convk *hw, const char *spec).

   all families
     const char *convk_strerror(int status);
     convk_grid3 convk_grid3_padded(size_t nx, size_t ny, size_t nz, size_t element);
     void *convk_huge_alloc(size_t bytes, void **memory);
     void convk_close(convk *hw);
     int convk_tuned_write(const convk_tuned *entries, size_t count, char *text, size_t size, size_t *length);
     int convk_tuned_read(const convk *hw, const char *text, size_t length, convk_tuned *entries, size_t capacity, size_t *count, size_t *skipped, void (*explain)(void *ctx, size_t line, const char *reason), void *ctx);
     int convk_tune(const convk *hw, const char *operation, const convk_tune_shape *shape, double budget_ms, convk_tuned *entry);
     struct convk_grid3 { size_t nx, ny, nz, pitch_y, pitch_z; };
     struct convk_parallel { int threads; int (*run)(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg); void *ctx; };
     struct convk_tuning { size_t l2_bytes, l3_bytes; size_t l3_threads; int nontemporal; size_t sepconv_rows; size_t stencil_rows; size_t stencil_steps; size_t stencil_threads_y; ptrdiff_t stencil_prefetch; size_t stencil_planes; size_t gaussian_points; size_t formfactor_q; size_t formfactor_rows; size_t fft_lanes; size_t pair_split; };
     struct convk_tuned { char operation[16], type[4], hw[16], machine[64]; int threads; size_t nx, ny, nz; size_t length; long choice[CONVK_TUNE_COUNT]; long gain; };
     struct convk { size_t size; int version; char name[24]; char machine[64]; convk_parallel parallel; int flush_subnormals; convk_tuning tuning; const convk_tuned *tuned; size_t ntuned; convk_ops_f32 f32; convk_ops_f64 f64; void *device; void (*close)(convk *hw); size_t part_of; char message[256]; };
     struct convk_tune_shape { convk_grid3 grid; int boundary[3]; size_t steps; int taps; size_t triangles; };

   sepconv: operations
     int convk_sepconv3d_f32(const convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, const convk_filter_f32 filter[3], const int boundary[3], const convk_epilogue_f32 *epilogue, const float *in, float *out, void *work, size_t work_size);
     int convk_sepconv3d_f64(const convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, const convk_filter_f64 filter[3], const int boundary[3], const convk_epilogue_f64 *epilogue, const double *in, double *out, void *work, size_t work_size);
     int convk_magicfilter3d_f32(const convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction, const int boundary[3], const convk_epilogue_f32 *epilogue, const float *in, float *out, void *work, size_t work_size);
     int convk_magicfilter3d_f64(const convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction, const int boundary[3], const convk_epilogue_f64 *epilogue, const double *in, double *out, void *work, size_t work_size);
     int convk_potential_apply_f32(const convk *hw, const convk_grid3 *grid, const convk_grid3 *potential_grid, const int boundary[3], const float *potential, const float *psi, float *out, double *energy, void *work, size_t work_size);
     int convk_potential_apply_f64(const convk *hw, const convk_grid3 *grid, const convk_grid3 *potential_grid, const int boundary[3], const double *potential, const double *psi, double *out, double *energy, void *work, size_t work_size);
     int convk_conv1d_transpose_f32(const convk *hw, size_t n, size_t ndat, size_t ld_in, size_t ld_out, const convk_filter_f32 *filter, int boundary, const float *in, float *out, void *work, size_t work_size);
     int convk_conv1d_transpose_f64(const convk *hw, size_t n, size_t ndat, size_t ld_in, size_t ld_out, const convk_filter_f64 *filter, int boundary, const double *in, double *out, void *work, size_t work_size);

   sepconv: what else there is
     convk_filter_f32 convk_magicfilter_taps_f32(int direction);
     convk_filter_f64 convk_magicfilter_taps_f64(int direction);
     int convk_sepconv3d_output_grid_f32(const convk_grid3 *in_grid, const convk_filter_f32 filter[3], const int boundary[3], convk_grid3 *out_grid);
     int convk_sepconv3d_output_grid_f64(const convk_grid3 *in_grid, const convk_filter_f64 filter[3], const int boundary[3], convk_grid3 *out_grid);
     size_t convk_sepconv3d_work_size_f32(const convk *hw, const convk_grid3 *in_grid, const convk_filter_f32 filter[3], const int boundary[3]);
     size_t convk_sepconv3d_work_size_f64(const convk *hw, const convk_grid3 *in_grid, const convk_filter_f64 filter[3], const int boundary[3]);
     size_t convk_magicfilter3d_work_size_f32(const convk *hw, const convk_grid3 *in_grid, const int boundary[3]);
     size_t convk_magicfilter3d_work_size_f64(const convk *hw, const convk_grid3 *in_grid, const int boundary[3]);
     size_t convk_potential_apply_work_size_f32(const convk *hw, const convk_grid3 *grid, const convk_grid3 *potential_grid, const int boundary[3]);
     size_t convk_potential_apply_work_size_f64(const convk *hw, const convk_grid3 *grid, const convk_grid3 *potential_grid, const int boundary[3]);
     size_t convk_conv1d_transpose_work_size_f32(const convk *hw, size_t ndat);
     size_t convk_conv1d_transpose_work_size_f64(const convk *hw, size_t ndat);
     struct convk_filter_f32 { int lo, up; const float *taps; };
     struct convk_filter_f64 { int lo, up; const double *taps; };
     struct convk_epilogue_f32 { const float *potential; float *density; float density_factor; double *dot, *energy; int update; float a, b; };
     struct convk_epilogue_f64 { const double *potential; double *density; double density_factor; double *dot, *energy; int update; double a, b; };

   stencil: operations
     int convk_stencil7_f32(const convk *hw, const convk_grid3 *grid, const convk_stencil7_coefficients_f32 *coefficients, const int boundary[3], size_t steps, float *a, float *b, float **result, void *work, size_t work_size);
     int convk_stencil7_f64(const convk *hw, const convk_grid3 *grid, const convk_stencil7_coefficients_f64 *coefficients, const int boundary[3], size_t steps, double *a, double *b, double **result, void *work, size_t work_size);
     int convk_stencil7_box_f32(const convk *hw, const convk_grid3 *grid, const convk_stencil7_coefficients_f32 *coefficients, const int boundary[3], const size_t first[3], const size_t count[3], const float *a, float *b, void *work, size_t work_size);
     int convk_stencil7_box_f64(const convk *hw, const convk_grid3 *grid, const convk_stencil7_coefficients_f64 *coefficients, const int boundary[3], const size_t first[3], const size_t count[3], const double *a, double *b, void *work, size_t work_size);

   stencil: what else there is
     int convk_first_touch(const convk *hw, const convk_grid3 *grid, size_t element, void *array);
     convk_stencil7_coefficients_f32 convk_stencil7_isotropic_f32(float c0, float c1);
     convk_stencil7_coefficients_f64 convk_stencil7_isotropic_f64(double c0, double c1);
     size_t convk_stencil7_work_size_f32(const convk *hw, const convk_grid3 *grid, const int boundary[3], size_t steps);
     size_t convk_stencil7_work_size_f64(const convk *hw, const convk_grid3 *grid, const int boundary[3], size_t steps);
     struct convk_stencil7_coefficients_f32 { float centre, x_minus, x_plus, y_minus, y_plus, z_minus, z_plus; };
     struct convk_stencil7_coefficients_f64 { double centre, x_minus, x_plus, y_minus, y_plus, z_minus, z_plus; };

   vmath: operations
     int convk_exp_f32(const convk *hw, size_t n, const float *x, float *y);
     int convk_exp_f64(const convk *hw, size_t n, const double *x, double *y);
     int convk_expm1_f32(const convk *hw, size_t n, const float *x, float *y);
     int convk_expm1_f64(const convk *hw, size_t n, const double *x, double *y);
     int convk_log_f32(const convk *hw, size_t n, const float *x, float *y);
     int convk_log_f64(const convk *hw, size_t n, const double *x, double *y);
     int convk_sincos_f32(const convk *hw, size_t n, const float *x, float *s, float *c);
     int convk_sincos_f64(const convk *hw, size_t n, const double *x, double *s, double *c);

   gaussian: operations
     int convk_gridpot_f32(const convk *hw, const convk_points_f32 *points, const float center[3], size_t m, const float *alpha, const convk_gaussian_options *options, float *g, size_t ld);
     int convk_gridpot_f64(const convk *hw, const convk_points_f64 *points, const double center[3], size_t m, const double *alpha, const convk_gaussian_options *options, double *g, size_t ld);
     int convk_gridpot_sum_f32(const convk *hw, const convk_points_f32 *points, const float center[3], size_t m, const float *alpha, size_t nsums, const float *c, size_t ldc, const convk_gaussian_options *options, float *sums, size_t ld);
     int convk_gridpot_sum_f64(const convk *hw, const convk_points_f64 *points, const double center[3], size_t m, const double *alpha, size_t nsums, const double *c, size_t ldc, const convk_gaussian_options *options, double *sums, size_t ld);
     int convk_orbitals_f32(const convk *hw, const convk_points_f32 *points, size_t nshells, const convk_shell *shells, size_t norbitals, const float *coefficients, size_t ldc, const convk_gaussian_options *options, float *value, size_t ld, void *work, size_t work_size);
     int convk_orbitals_f64(const convk *hw, const convk_points_f64 *points, size_t nshells, const convk_shell *shells, size_t norbitals, const double *coefficients, size_t ldc, const convk_gaussian_options *options, double *value, size_t ld, void *work, size_t work_size);
     int convk_orbitals_vgl_f32(const convk *hw, const convk_points_f32 *points, size_t nshells, const convk_shell *shells, size_t norbitals, const float *coefficients, size_t ldc, const convk_gaussian_options *options, float *value, float *dx, float *dy, float *dz, float *laplacian, size_t ld, void *work, size_t work_size);
     int convk_orbitals_vgl_f64(const convk *hw, const convk_points_f64 *points, size_t nshells, const convk_shell *shells, size_t norbitals, const double *coefficients, size_t ldc, const convk_gaussian_options *options, double *value, double *dx, double *dy, double *dz, double *laplacian, size_t ld, void *work, size_t work_size);
     int convk_density_f32(const convk *hw, const convk_points_f32 *points, size_t nshells, const convk_shell *shells, size_t norbitals, const float *coefficients, size_t ldc, const float *occupations, const convk_gaussian_options *options, float *density, void *work, size_t work_size);
     int convk_density_f64(const convk *hw, const convk_points_f64 *points, size_t nshells, const convk_shell *shells, size_t norbitals, const double *coefficients, size_t ldc, const double *occupations, const convk_gaussian_options *options, double *density, void *work, size_t work_size);

   gaussian: what else there is
     int convk_shell_functions(int l, int order);
     int convk_shells_functions(size_t nshells, const convk_shell *shells, size_t *count);
     int convk_shells_check(size_t nshells, const convk_shell *shells, size_t *count, char *message, size_t size);
     int convk_shell_normalise(int l, size_t primitives, const double *exponents, const double *contraction, double *coefficients);
     size_t convk_orbitals_work_size_f32(const convk *hw, size_t nshells, const convk_shell *shells, size_t norbitals);
     size_t convk_orbitals_work_size_f64(const convk *hw, size_t nshells, const convk_shell *shells, size_t norbitals);
     struct convk_shell { double center[3]; int l; int order; size_t primitives; const double *exponents; const double *coefficients; };
     struct convk_gaussian_options { int order; int compensated; double cutoff; };
     struct convk_points_f32 { size_t n; const float *x, *y, *z; size_t stride; };
     struct convk_points_f64 { size_t n; const double *x, *y, *z; size_t stride; };

   formfactor: operations
     int convk_formfactor_f32(const convk *hw, const convk_mesh_f32 *mesh, size_t nq, const float *qx, const float *qy, const float *qz, const float *qz_imag, const convk_formfactor_options *options, float *f);
     int convk_formfactor_f64(const convk *hw, const convk_mesh_f64 *mesh, size_t nq, const double *qx, const double *qy, const double *qz, const double *qz_imag, const convk_formfactor_options *options, double *f);
     int convk_formfactor_grid_f32(const convk *hw, const convk_mesh_f32 *mesh, const convk_grid3 *grid, const float *qx, const float *qy, const float *qz, const float *qz_imag, const convk_formfactor_options *options, float *f, void *work, size_t work_size);
     int convk_formfactor_grid_f64(const convk *hw, const convk_mesh_f64 *mesh, const convk_grid3 *grid, const double *qx, const double *qy, const double *qz, const double *qz_imag, const convk_formfactor_options *options, double *f, void *work, size_t work_size);

   formfactor: what else there is
     size_t convk_mesh_work_size(size_t vertices, size_t faces);
     size_t convk_sphere_directions(size_t degree, int half);
     double convk_formfactor_error(const convk_mesh_measures *measures, double q, int order);
     int convk_mesh_assign_f32(size_t n, int corners, float *storage, convk_mesh_f32 *mesh);
     int convk_mesh_assign_f64(size_t n, int corners, double *storage, convk_mesh_f64 *mesh);
     int convk_mesh_from_triangles_f32(const float *corners, const convk_mesh_f32 *mesh);
     int convk_mesh_from_triangles_f64(const double *corners, const convk_mesh_f64 *mesh);
     int convk_mesh_from_faces_f32(const convk_mesh_f32 *mesh);
     int convk_mesh_from_faces_f64(const convk_mesh_f64 *mesh);
     int convk_mesh_join_f32(const float *corners, convk_indexed_mesh_f32 *mesh, void *work, size_t work_size);
     int convk_mesh_join_f64(const double *corners, convk_indexed_mesh_f64 *mesh, void *work, size_t work_size);
     int convk_mesh_corners_f32(const convk_indexed_mesh_f32 *mesh, float *corners);
     int convk_mesh_corners_f64(const convk_indexed_mesh_f64 *mesh, double *corners);
     int convk_mesh_check_f32(const convk_indexed_mesh_f32 *mesh, convk_mesh_report *report, void *work, size_t work_size);
     int convk_mesh_check_f64(const convk_indexed_mesh_f64 *mesh, convk_mesh_report *report, void *work, size_t work_size);
     int convk_mesh_measure_f32(const convk_mesh_f32 *mesh, convk_mesh_measures *measures);
     int convk_mesh_measure_f64(const convk_mesh_f64 *mesh, convk_mesh_measures *measures);
     int convk_mesh_box_f32(double a, double b, double c, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_box_f64(double a, double b, double c, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_pyramid_f32(double a, double b, double height, double top, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_pyramid_f64(double a, double b, double height, double top, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_prism_f32(size_t n, double edge, double height, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_prism_f64(size_t n, double edge, double height, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_cylinder_f32(double radius, double height, double top, size_t n, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_cylinder_f64(double radius, double height, double top, size_t n, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_sphere_f32(double radius, size_t n, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_sphere_f64(double radius, size_t n, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_ellipsoid_f32(double rx, double ry, double rz, size_t n, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_ellipsoid_f64(double rx, double ry, double rz, size_t n, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_polyhedron_f32(int kind, double edge, double cut, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_polyhedron_f64(int kind, double edge, double cut, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_rotate_f32(const convk_mesh_f32 *mesh, const double rotation[9], const convk_mesh_f32 *out);
     int convk_mesh_rotate_f64(const convk_mesh_f64 *mesh, const double rotation[9], const convk_mesh_f64 *out);
     size_t convk_formfactor_grid_work_size_f32(const convk *hw, const convk_grid3 *grid, int qz_imag);
     size_t convk_formfactor_grid_work_size_f64(const convk *hw, const convk_grid3 *grid, int qz_imag);
     size_t convk_formfactor_assembly_work_size_f32(const convk_assembly_f32 *assembly, size_t count);
     size_t convk_formfactor_assembly_work_size_f64(const convk_assembly_f64 *assembly, size_t count);
     int convk_formfactor_assembly_f32(const convk *hw, const convk_assembly_f32 *assembly, size_t nq, const float *qx, const float *qy, const float *qz, const float *qz_imag, const convk_formfactor_options *options, float *f, float *intensity, void *work, size_t work_size);
     int convk_formfactor_assembly_f64(const convk *hw, const convk_assembly_f64 *assembly, size_t nq, const double *qx, const double *qy, const double *qz, const double *qz_imag, const convk_formfactor_options *options, double *f, double *intensity, void *work, size_t work_size);
     int convk_sphere_quadrature_f32(size_t degree, int half, float *nx, float *ny, float *nz, float *weight);
     int convk_sphere_quadrature_f64(size_t degree, int half, double *nx, double *ny, double *nz, double *weight);
     int convk_sphere_spiral_f32(size_t n, int half, float *nx, float *ny, float *nz);
     int convk_sphere_spiral_f64(size_t n, int half, double *nx, double *ny, double *nz);
     int convk_formfactor_powder_f32(const convk *hw, const convk_assembly_f32 *assembly, size_t nq, const float *q, size_t directions, const float *nx, const float *ny, const float *nz, const float *weight, const convk_formfactor_options *options, float *intensity, void *work, size_t work_size);
     int convk_formfactor_powder_f64(const convk *hw, const convk_assembly_f64 *assembly, size_t nq, const double *q, size_t directions, const double *nx, const double *ny, const double *nz, const double *weight, const convk_formfactor_options *options, double *intensity, void *work, size_t work_size);
     int convk_formfactor_dwba_f32(const convk *hw, const convk_assembly_f32 *assembly, size_t nq, const convk_dwba_f32 *waves, const convk_formfactor_options *options, float *f, void *work, size_t work_size);
     int convk_formfactor_dwba_f64(const convk *hw, const convk_assembly_f64 *assembly, size_t nq, const convk_dwba_f64 *waves, const convk_formfactor_options *options, double *f, void *work, size_t work_size);
     struct convk_formfactor_options { int form; int fourth_order; int order; const void *qx_imag, *qy_imag; };
     struct convk_mesh_measures { double area; double volume; double gap[3]; double least[3], most[3]; double edge; int closed; };
     struct convk_mesh_report { size_t edges; size_t border; size_t turned; size_t crowded; size_t degenerate; size_t unused; double area, volume; int closed; int manifold; };
     struct convk_placement { size_t mesh; double position[3]; double rotation[9]; double scale; double weight[2]; };
     struct convk_indexed_mesh_f32 { size_t vertices, faces; float *x, *y, *z; uint32_t *face; };
     struct convk_indexed_mesh_f64 { size_t vertices, faces; double *x, *y, *z; uint32_t *face; };
     struct convk_mesh_f32 { size_t n; float *ax, *ay, *az, *x, *y, *z; float *ux, *uy, *uz, *wx, *wy, *wz; const convk_indexed_mesh_f32 *indexed; };
     struct convk_mesh_f64 { size_t n; double *ax, *ay, *az, *x, *y, *z; double *ux, *uy, *uz, *wx, *wy, *wz; const convk_indexed_mesh_f64 *indexed; };
     struct convk_assembly_f32 { size_t meshes, placements; const convk_mesh_f32 *mesh; const convk_placement *placement; };
     struct convk_assembly_f64 { size_t meshes, placements; const convk_mesh_f64 *mesh; const convk_placement *placement; };
     struct convk_dwba_f32 { const float *qx, *qy; const float *kz_in, *kz_in_imag; const float *kz_out, *kz_out_imag; const float *t_in, *t_out; const float *r_in, *r_out; };
     struct convk_dwba_f64 { const double *qx, *qy; const double *kz_in, *kz_in_imag; const double *kz_out, *kz_out_imag; const double *t_in, *t_out; const double *r_in, *r_out; };

   fft: operations
     int convk_fftconv2d_f32(const convk *hw, const void *plan, const convk_batch2d *batch, const float *in, float *out, void *work, size_t work_size);
     int convk_fftconv2d_c32(const convk *hw, const void *plan, const convk_batch2d *batch, const float *in, float *out, void *work, size_t work_size);
     int convk_fftconv2d_f64(const convk *hw, const void *plan, const convk_batch2d *batch, const double *in, double *out, void *work, size_t work_size);
     int convk_fftconv2d_c64(const convk *hw, const void *plan, const convk_batch2d *batch, const double *in, double *out, void *work, size_t work_size);
     int convk_fft2d_c32(const convk *hw, const void *plan, int direction, const convk_batch2d *batch, const float *in, float *out, void *work, size_t work_size);
     int convk_fft2d_c64(const convk *hw, const void *plan, int direction, const convk_batch2d *batch, const double *in, double *out, void *work, size_t work_size);

   fft: what else there is
     int convk_fftconv2d_resolve(const convk_fftconv2d_shape *shape, convk_fftconv2d_shape *resolved);
     size_t convk_fftconv2d_plan_size_f32(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels);
     size_t convk_fftconv2d_plan_size_c32(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels);
     size_t convk_fftconv2d_plan_size_f64(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels);
     size_t convk_fftconv2d_plan_size_c64(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels);
     int convk_fftconv2d_plan_f32(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const float *kernel, size_t pitch, size_t stride, void *plan, size_t plan_size);
     int convk_fftconv2d_plan_c32(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const float *kernel, size_t pitch, size_t stride, void *plan, size_t plan_size);
     int convk_fftconv2d_plan_f64(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const double *kernel, size_t pitch, size_t stride, void *plan, size_t plan_size);
     int convk_fftconv2d_plan_c64(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const double *kernel, size_t pitch, size_t stride, void *plan, size_t plan_size);
     int convk_fftconv2d_plan_spectrum_f32(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const float *spectrum, size_t pitch, size_t stride, void *plan, size_t plan_size);
     int convk_fftconv2d_plan_spectrum_c32(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const float *spectrum, size_t pitch, size_t stride, void *plan, size_t plan_size);
     int convk_fftconv2d_plan_spectrum_f64(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const double *spectrum, size_t pitch, size_t stride, void *plan, size_t plan_size);
     int convk_fftconv2d_plan_spectrum_c64(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const double *spectrum, size_t pitch, size_t stride, void *plan, size_t plan_size);
     size_t convk_fftconv2d_work_size_f32(const convk *hw, const void *plan, size_t items);
     size_t convk_fftconv2d_work_size_c32(const convk *hw, const void *plan, size_t items);
     size_t convk_fftconv2d_work_size_f64(const convk *hw, const void *plan, size_t items);
     size_t convk_fftconv2d_work_size_c64(const convk *hw, const void *plan, size_t items);
     size_t convk_fft2d_plan_size_c32(const convk *hw, size_t rows, size_t columns);
     size_t convk_fft2d_plan_size_c64(const convk *hw, size_t rows, size_t columns);
     int convk_fft2d_plan_c32(const convk *hw, size_t rows, size_t columns, void *plan, size_t plan_size);
     int convk_fft2d_plan_c64(const convk *hw, size_t rows, size_t columns, void *plan, size_t plan_size);
     size_t convk_fft2d_work_size_c32(const convk *hw, const void *plan, size_t items);
     size_t convk_fft2d_work_size_c64(const convk *hw, const void *plan, size_t items);
     struct convk_fftconv2d_shape { size_t rows, columns; size_t kernel_rows, kernel_columns; int mode; int correlation; ptrdiff_t origin_row, origin_column; size_t out_rows, out_columns; size_t fft_rows, fft_columns; };
     struct convk_batch2d { size_t items; size_t in_pitch, in_stride; size_t out_pitch, out_stride; const size_t *kernel; size_t items_per_kernel; };

   pairs, CONVK_WITH_VMC: operations
     int convk_pair_potential_f32(const convk *hw, const convk_pair_potential *potential, size_t n, const float *r, float *v);
     int convk_pair_potential_f64(const convk *hw, const convk_pair_potential *potential, size_t n, const double *r, double *v);
     int convk_pair_energy_f32(const convk *hw, const convk_pair_system *system, const convk_walkers *walkers, int want, const float *r, convk_pair_result *result, float *gradient, void *work, size_t work_size);
     int convk_pair_energy_f64(const convk *hw, const convk_pair_system *system, const convk_walkers *walkers, int want, const double *r, convk_pair_result *result, double *gradient, void *work, size_t work_size);
     int convk_pair_move_f32(const convk *hw, const convk_pair_system *system, const convk_walkers *walkers, size_t particle, const float *r, const float *to, convk_pair_move_result *result);
     int convk_pair_move_f64(const convk *hw, const convk_pair_system *system, const convk_walkers *walkers, size_t particle, const double *r, const double *to, convk_pair_move_result *result);
     int convk_pair_accept_f32(const convk *hw, const convk_pair_system *system, const convk_walkers *walkers, size_t particle, const float *to, const unsigned char *accept, float *r, float *gradient);
     int convk_pair_accept_f64(const convk *hw, const convk_pair_system *system, const convk_walkers *walkers, size_t particle, const double *to, const unsigned char *accept, double *r, double *gradient);
     int convk_vmc_run_f32(const convk *hw, const convk_vmc *vmc, size_t sweeps, void *state, size_t state_size, void *work, size_t work_size);
     int convk_vmc_run_f64(const convk *hw, const convk_vmc *vmc, size_t sweeps, void *state, size_t state_size, void *work, size_t work_size);

   pairs, CONVK_WITH_VMC: what else there is
     convk_pair_potential convk_hfdhe2(void);
     convk_pair_potential convk_hfdb(void);
     convk_pair_potential convk_lm2m2(void);
     convk_pair_potential convk_lennard_jones(double epsilon, double sigma);
     convk_pair_potential convk_table_potential(double first, double spacing, size_t entries, const double *values);
     void convk_philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
     void convk_vmc_join(const void *before, void *record);
     int convk_vmc_take(const convk_vmc *vmc, void *state, size_t state_size, const void *from, size_t from_size, size_t *taken);
     int convk_vmc_results(const void *state, size_t state_size, convk_vmc_result *result);
     size_t convk_pair_energy_work_size_f32(const convk *hw, size_t particles, size_t walkers);
     size_t convk_pair_energy_work_size_f64(const convk *hw, size_t particles, size_t walkers);
     size_t convk_vmc_work_size_f32(const convk *hw, const convk_vmc *vmc);
     size_t convk_vmc_work_size_f64(const convk *hw, const convk_vmc *vmc);
     size_t convk_vmc_state_size_f32(const convk_vmc *vmc);
     size_t convk_vmc_state_size_f64(const convk_vmc *vmc);
     int convk_vmc_begin_f32(const convk_vmc *vmc, const float *r, void *state, size_t state_size);
     int convk_vmc_begin_f64(const convk_vmc *vmc, const double *r, void *state, size_t state_size);
     int convk_vmc_check_f32(const convk_vmc *vmc, const void *state, size_t state_size);
     int convk_vmc_check_f64(const convk_vmc *vmc, const void *state, size_t state_size);
     int convk_vmc_positions_f32(const convk_vmc *vmc, const void *state, size_t state_size, float *r);
     int convk_vmc_positions_f64(const convk_vmc *vmc, const void *state, size_t state_size, double *r);
     int convk_vmc_minimise_f32(const convk *hw, convk_vmc *vmc, const convk_minimise_options *options, void *state, size_t state_size, convk_vmc_result *result, void *work, size_t work_size);
     int convk_vmc_minimise_f64(const convk *hw, convk_vmc *vmc, const convk_minimise_options *options, void *state, size_t state_size, convk_vmc_result *result, void *work, size_t work_size);
     struct convk_trial { double p5, p2, p0, p1; };
     struct convk_pair_potential { int kind; double epsilon, rm, a, alpha, beta, c6, c8, c10, d; double bump, x1, x2; const double *values; size_t entries; double first, spacing; };
     struct convk_pair_system { size_t particles; convk_trial trial; convk_pair_potential potential; double box[3]; double cutoff; double hbar2_2m; };
     struct convk_walkers { size_t walkers; size_t pitch, stride; };
     struct convk_pair_result { double ln_psi; double potential; double gradient_squared; double laplacian; double kinetic; double derivative[4]; };
     struct convk_pair_move_result { double ln_psi; double before[3], after[3]; };
     struct convk_vmc_part { size_t first, walkers; int (*join)(void *ctx, void *record, size_t bytes); void *ctx; };
     struct convk_vmc { convk_pair_system system; size_t walkers; uint64_t seed; int moves; int drift; double step; double acceptance; size_t equilibration; size_t interval; convk_vmc_part part; };
     struct convk_estimate { double mean; double error; double variance; double autocorrelation; double block; };
     struct convk_vmc_result { uint64_t sweeps, measurements; double step, acceptance; convk_estimate energy, potential, kinetic; convk_estimate kinetic_gradient; convk_estimate kinetic_laplacian; double drift; double pairs; };
     struct convk_minimise_options { size_t iterations; size_t sweeps; size_t final_sweeps; int fixed[4]; double rate; double regularisation; int (*look)(void *ctx, size_t iteration, const convk_vmc *vmc, const convk_vmc_result *result); void *ctx; };
*/

/* ---- src/core/language.h ---- */
/* C before C99 has no `inline`; compilers that have it all the same are gcc and clang with -std=gnu89, and Microsoft's. */
#if !defined __cplusplus && !defined _MSC_VER && !(defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L) && \
    !(defined __GNUC__ && !defined __STRICT_ANSI__) && !defined CONVK_OLD_C_
#define CONVK_OLD_C_ /* nothing follows, so that this is the only error */
#error "convk needs C99 or C++11: compile with -std=c99 or a later standard; -std=gnu89 will do, too"
#endif
#if (!defined CONVK_H_ || defined CONVK_PASS_) && !defined CONVK_OLD_C_

/* The passes over this file.  Without CONVK_PASS_: what is compiled once. */
#define CONVK_PASS_TYPES_ 1   /* once per precision: structs and function types */
#define CONVK_PASS_DRIVER_ 2  /* once per precision: argument checks, boundaries, blocking, threads */
#define CONVK_PASS_KERNEL_ 3  /* once per instruction set and precision */
#define CONVK_PASS_ELEMENT_ 4 /* once per precision for a device: what its kernels do to one element */
#define CONVK_PASS_NAMES_ 5   /* once per hardware: prototypes of its functions */
#define CONVK_PASS_BOTH_ 6    /* once for processors, once for a device: what elements of both precisions need */
#define CONVK_PASS_PLAN_ 7    /* once: what plans of transforms are made of */

#if defined CONVK_PASS_
#if (CONVK_PASS_ == CONVK_PASS_KERNEL_ || CONVK_PASS_ >= CONVK_PASS_BOTH_) && !defined CONVK_ELEMENT_
/* ---- src/words/element.h ---- */
/* What is in element.h of each family is one text for processors and devices: what happens to one element, or to the elements of
   a vector.  Besides vectors it is written in these words, here those of processors:
     ELEMENT, ELEMENT_RARE            what begins such a function, and one that stays out of line
     CONSTANT                         what begins a table of constants within it
     KERNEL(name), BOTH(name)         its name: one for each instruction set and precision; one for both precisions
     TO_BITS(u, v), FROM_BITS(v, u)   elements of v as an array of LANES unsigned integers of their size; and back
   OpenCL sources include words/opencl.cl, convk_cuda.h makes passes of its own with words/cuda.h. */
#define CONVK_ELEMENT_ CONVK_INLINE_
#define CONVK_ELEMENT_RARE_ CONVK_RARE_
#define CONVK_CONSTANT_ static const
#define CONVK_KERNEL_(name) CONVK_HARDWARE_(name)
#define CONVK_BOTH_(name) convk_##name##_
#define CONVK_TO_BITS_(u, v) ((void)memcpy(u, &(v), sizeof(v)))
#define CONVK_FROM_BITS_(v, u) ((void)memcpy(&(v), u, sizeof(v)))
#endif
#if CONVK_HAS_FFT_ && (CONVK_PASS_ == CONVK_PASS_KERNEL_ || CONVK_PASS_ == CONVK_PASS_ELEMENT_ || CONVK_PASS_ == CONVK_PASS_PLAN_)
/* ---- src/fft/element.h ---- */
/* A number of the type, also where there are no doubles. */
#define CONVK_FFT_REAL_(x) CONVK_OF_(x##f, x)

/* Butterflies: the arithmetic of one group of points, with real and imaginary parts apart.  Points are given by pointers to
   variables, which take the results. */

/* a + w b and a - w b: fused, 6 operations, since the difference is 2 a less the sum. */
CONVK_ELEMENT_ void CONVK_KERNEL_(fft_join)(CONVK_V wr, CONVK_V wi, CONVK_V *ar, CONVK_V *ai, CONVK_V *br, CONVK_V *bi) {
#if CONVK_FUSES_
  const CONVK_V two = CONVK_SET_(2), sr = CONVK_FNMA_(wi, *bi, CONVK_FMA_(wr, *br, *ar));
  const CONVK_V si = CONVK_FMA_(wi, *br, CONVK_FMA_(wr, *bi, *ai));
  *br = CONVK_FMS_(two, *ar, sr);
  *bi = CONVK_FMS_(two, *ai, si);
  *ar = sr;
  *ai = si;
#else
  const CONVK_V tr = CONVK_FNMA_(wi, *bi, CONVK_MUL_(wr, *br)), ti = CONVK_FMA_(wi, *br, CONVK_MUL_(wr, *bi));
  *br = CONVK_SUB_(*ar, tr);
  *bi = CONVK_SUB_(*ai, ti);
  *ar = CONVK_ADD_(*ar, tr);
  *ai = CONVK_ADD_(*ai, ti);
#endif
}

/* w b */
CONVK_ELEMENT_ void CONVK_KERNEL_(fft_times)(CONVK_V wr, CONVK_V wi, CONVK_V *br, CONVK_V *bi) {
  const CONVK_V tr = CONVK_FNMA_(wi, *bi, CONVK_MUL_(wr, *br));
  *bi = CONVK_FMA_(wi, *br, CONVK_MUL_(wr, *bi));
  *br = tr;
}

/* a + b and a - b */
CONVK_ELEMENT_ void CONVK_KERNEL_(fft_add)(CONVK_V *ar, CONVK_V *ai, CONVK_V *br, CONVK_V *bi) {
  const CONVK_V dr = CONVK_SUB_(*ar, *br), di = CONVK_SUB_(*ai, *bi);
  *ar = CONVK_ADD_(*ar, *br);
  *ai = CONVK_ADD_(*ai, *bi);
  *br = dr;
  *bi = di;
}

/* a - i b and a + i b */
CONVK_ELEMENT_ void CONVK_KERNEL_(fft_quarter)(CONVK_V *ar, CONVK_V *ai, CONVK_V *br, CONVK_V *bi) {
  const CONVK_V dr = CONVK_SUB_(*ar, *bi), di = CONVK_ADD_(*ai, *br);
  *ar = CONVK_ADD_(*ar, *bi);
  *ai = CONVK_SUB_(*ai, *br);
  *br = dr;
  *bi = di;
}

/* a + w b and a - w b for w = exp(-2 pi i turn / 16), 0 < turn < 8. */
CONVK_ELEMENT_ void CONVK_KERNEL_(fft_turn)(const int turn, CONVK_V *ar, CONVK_V *ai, CONVK_V *br, CONVK_V *bi) {
  CONVK_CONSTANT_ CONVK_T cosine[8] = {1, CONVK_FFT_REAL_(0.92387953251128674), CONVK_FFT_REAL_(0.70710678118654752),
                                       CONVK_FFT_REAL_(0.38268343236508977), 0, -CONVK_FFT_REAL_(0.38268343236508977),
                                       -CONVK_FFT_REAL_(0.70710678118654752), -CONVK_FFT_REAL_(0.92387953251128674)};
  CONVK_KERNEL_(fft_join)(CONVK_SET_(cosine[turn]), CONVK_SET_(turn < 4 ? -cosine[4 - turn] : -cosine[turn - 4]), ar, ai, br, bi);
}

/* A transform of 4, 8 or 16 points goes in steps that each join two transforms of half the points.  With h = r / 4, the first step
   joins points q and q + 2 h, times their twiddles.  This is the second, of points q, q + h, q + 2 h, q + 3 h, that lie `apart`:
   frequency k of their transform replaces the k-th of them. */
CONVK_ELEMENT_ void CONVK_KERNEL_(fft_second)(const int apart, CONVK_V *xr, CONVK_V *xi) {
  const CONVK_V tr = xr[apart], ti = xi[apart];
  CONVK_KERNEL_(fft_quarter)(&xr[2 * apart], &xi[2 * apart], &xr[3 * apart], &xi[3 * apart]);
  xr[apart] = xr[2 * apart];
  xi[apart] = xi[2 * apart];
  xr[2 * apart] = tr;
  xi[2 * apart] = ti;
  CONVK_KERNEL_(fft_add)(&xr[0], &xi[0], &xr[2 * apart], &xi[2 * apart]);
}

/* The third of 8: frequencies k of two transforms of 4 points, side by side for k = 0 .. 3, give those of k and k + 4. */
CONVK_ELEMENT_ void CONVK_KERNEL_(fft_third)(CONVK_V xr[8], CONVK_V xi[8]) {
  CONVK_KERNEL_(fft_add)(&xr[0], &xi[0], &xr[1], &xi[1]);
  CONVK_KERNEL_(fft_turn)(2, &xr[2], &xi[2], &xr[3], &xi[3]);
  CONVK_KERNEL_(fft_quarter)(&xr[4], &xi[4], &xr[5], &xi[5]);
  CONVK_KERNEL_(fft_turn)(6, &xr[6], &xi[6], &xr[7], &xi[7]);
}

/* The third and the fourth of 16: frequencies k of four transforms of 4 points give those of k, k + 8, k + 4, k + 12. */
CONVK_ELEMENT_ void CONVK_KERNEL_(fft_fourth)(const int k, CONVK_V xr[4], CONVK_V xi[4]) {
  if (k == 0) {
    CONVK_KERNEL_(fft_add)(&xr[0], &xi[0], &xr[2], &xi[2]);
    CONVK_KERNEL_(fft_add)(&xr[1], &xi[1], &xr[3], &xi[3]);
    CONVK_KERNEL_(fft_add)(&xr[0], &xi[0], &xr[1], &xi[1]);
    CONVK_KERNEL_(fft_quarter)(&xr[2], &xi[2], &xr[3], &xi[3]);
    return;
  }
  if (k == 2) {
    CONVK_KERNEL_(fft_quarter)(&xr[0], &xi[0], &xr[2], &xi[2]);
    CONVK_KERNEL_(fft_quarter)(&xr[1], &xi[1], &xr[3], &xi[3]);
  } else {
    CONVK_KERNEL_(fft_turn)(2 * k, &xr[0], &xi[0], &xr[2], &xi[2]);
    CONVK_KERNEL_(fft_turn)(2 * k, &xr[1], &xi[1], &xr[3], &xi[3]);
  }
  CONVK_KERNEL_(fft_turn)(k, &xr[0], &xi[0], &xr[1], &xi[1]);
  CONVK_KERNEL_(fft_turn)(k + 4, &xr[2], &xi[2], &xr[3], &xi[3]);
}

/* Where frequency n lies then. */
#define CONVK_FFT_PLACE_(r, n) \
  ((r) == 16 ? (n) % 4 * 4 + (n) / 4 % 2 * 2 + (n) / 8 : (r) == 8 ? (n) % 4 * 2 + (n) / 4 : (n))

/* Here and below loops end at constants, not at r: compilers unroll them before they know r, which calls give as a constant.  Arrays
   that such a loop indexes would lie in memory. */

/* A transform of r = 3, 5 or 7 points: sums and differences of points k and r - k. */
CONVK_ELEMENT_ void CONVK_KERNEL_(fft_odd)(const int r, CONVK_V *xr, CONVK_V *xi) {
  CONVK_CONSTANT_ CONVK_T cosine[3][4] = {
      {1, (CONVK_T)-0.5f, 0, 0},
      {1, CONVK_FFT_REAL_(0.30901699437494742), -CONVK_FFT_REAL_(0.80901699437494742), 0},
      {1, CONVK_FFT_REAL_(0.62348980185873353), -CONVK_FFT_REAL_(0.22252093395631440), -CONVK_FFT_REAL_(0.90096886790241913)}};
  CONVK_CONSTANT_ CONVK_T sine[3][4] = {
      {0, CONVK_FFT_REAL_(0.86602540378443865), 0, 0},
      {0, CONVK_FFT_REAL_(0.95105651629515357), CONVK_FFT_REAL_(0.58778525229247313), 0},
      {0, CONVK_FFT_REAL_(0.78183148246802981), CONVK_FFT_REAL_(0.97492791218182361), CONVK_FFT_REAL_(0.43388373911755812)}};
  const int most = r / 2;
  CONVK_V sr[4], si[4], dr[4], di[4], yr[8], yi[8];
  int p, k;
  CONVK_UNROLL_
  for (k = 1; k < 4; k++) {
    if (k > most) continue;
    sr[k] = CONVK_ADD_(xr[k], xr[r - k]);
    si[k] = CONVK_ADD_(xi[k], xi[r - k]);
    dr[k] = CONVK_SUB_(xr[k], xr[r - k]);
    di[k] = CONVK_SUB_(xi[k], xi[r - k]);
  }
  yr[0] = xr[0];
  yi[0] = xi[0];
  CONVK_UNROLL_
  for (k = 1; k < 4; k++) {
    if (k > most) continue;
    yr[0] = CONVK_ADD_(yr[0], sr[k]);
    yi[0] = CONVK_ADD_(yi[0], si[k]);
  }
  CONVK_UNROLL_
  for (p = 1; p < 4; p++) {
    CONVK_V ar = xr[0], ai = xi[0], br = ar, bi = ai;
    if (p > most) continue;
    CONVK_UNROLL_
    for (k = 1; k < 4; k++) {
      const int turn = p * k % r, fold = turn > most ? r - turn : turn;
      if (k > most) continue;
      ar = CONVK_FMA_(CONVK_SET_(cosine[most - 1][fold]), sr[k], ar);
      ai = CONVK_FMA_(CONVK_SET_(cosine[most - 1][fold]), si[k], ai);
    }
    CONVK_UNROLL_
    for (k = 1; k < 4; k++) {
      const int turn = p * k % r, fold = turn > most ? r - turn : turn;
      const CONVK_V s = CONVK_SET_(turn > most ? -sine[most - 1][fold] : sine[most - 1][fold]);
      if (k > most) continue;
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
  CONVK_UNROLL_
  for (k = 0; k < 7; k++) {
    if (k >= r) continue;
    xr[k] = yr[k];
    xi[k] = yi[k];
  }
}

/* All that follows the first step of 2, 4, 8 or 16 points, and a transform of 1, 3, 5 or 7: frequencies in natural order. */
CONVK_ELEMENT_ void CONVK_KERNEL_(fft_rest)(const int r, CONVK_V *xr, CONVK_V *xi) {
  CONVK_V yr[16], yi[16];
  int q;
  if (r == 3 || r == 5 || r == 7) CONVK_KERNEL_(fft_odd)(r, xr, xi);
  if (r % 4) return;
  CONVK_UNROLL_
  for (q = 0; q < 4; q++)
    if (q < r / 4) CONVK_KERNEL_(fft_second)(r / 4, xr + q, xi + q);
  if (r == 4) return;
  if (r == 8) CONVK_KERNEL_(fft_third)(xr, xi);
  else {
    CONVK_KERNEL_(fft_fourth)(0, xr, xi);
    CONVK_KERNEL_(fft_fourth)(1, xr + 4, xi + 4);
    CONVK_KERNEL_(fft_fourth)(2, xr + 8, xi + 8);
    CONVK_KERNEL_(fft_fourth)(3, xr + 12, xi + 12);
  }
  CONVK_UNROLL_
  for (q = 0; q < 16; q++) {
    if (q >= r) continue;
    yr[q] = xr[CONVK_FFT_PLACE_(r, q)];
    yi[q] = xi[CONVK_FFT_PLACE_(r, q)];
  }
  CONVK_UNROLL_
  for (q = 0; q < 16; q++) {
    if (q >= r) continue;
    xr[q] = yr[q];
    xi[q] = yi[q];
  }
}

/* Two real columns A and B are transformed as Z = A + i B, from which with Z' = conj Z(-k)
   2 A = Z + Z' and 2 B = -i (Z - Z'): one of these; m is Z(-k). */
CONVK_ELEMENT_ void CONVK_KERNEL_(fft_split)(CONVK_V zr, CONVK_V zi, CONVK_V mr, CONVK_V mi, const int second, CONVK_V *re,
                                             CONVK_V *im) {
  *re = second ? CONVK_ADD_(zi, mi) : CONVK_ADD_(zr, mr);
  *im = second ? CONVK_SUB_(mr, zr) : CONVK_SUB_(zi, mi);
}

/* And back, to Z(k) and Z(-k). */
CONVK_ELEMENT_ void CONVK_KERNEL_(fft_merge)(CONVK_V ar, CONVK_V ai, CONVK_V br, CONVK_V bi, CONVK_V *zr, CONVK_V *zi, CONVK_V *mr,
                                             CONVK_V *mi) {
  *mr = CONVK_ADD_(ar, bi);
  *mi = CONVK_SUB_(br, ai);
  *zr = CONVK_SUB_(ar, bi);
  *zi = CONVK_ADD_(ai, br);
}
#undef CONVK_FFT_REAL_
#endif
#endif

#ifndef CONVK_PASS_
#define CONVK_H_
/* ---- src/core/configuration.h ---- */

#if defined __i386__ && defined __GNUC__ && !defined __SSE2_MATH__
#error "convk needs arithmetic that rounds as IEEE 754 says: add -msse2 -mfpmath=sse"
#endif

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined __unix__ || defined __APPLE__
#include <sys/mman.h>
#include <sys/time.h>
#endif
#ifdef CONVK_OPENMP
#ifndef _OPENMP
#error "CONVK_OPENMP needs OpenMP: compile with -fopenmp"
#endif
#include <omp.h>
#endif

/* The version of these headers, in three parts and as one number: 0.1.0 is 100. */
#define CONVK_VERSION_MAJOR 0
#define CONVK_VERSION_MINOR 1
#define CONVK_VERSION_PATCH 0
#define CONVK_VERSION (CONVK_VERSION_MAJOR * 10000 + CONVK_VERSION_MINOR * 100 + CONVK_VERSION_PATCH)

#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#ifndef CONVK_MALLOC
#define CONVK_MALLOC(bytes) malloc(bytes)
#define CONVK_FREE(pointer) free(pointer)
#endif
/* How this unit is compiled; see MODES in the manual. */
#if defined CONVK_DECLARE && defined CONVK_IMPLEMENT
#error "CONVK_DECLARE and CONVK_IMPLEMENT in one unit: one unit of a program implements, the others declare"
#endif
#ifdef CONVK_DECLARE
#define CONVK_MODE_ 1
#elif defined CONVK_IMPLEMENT
#define CONVK_MODE_ 2
#else
#define CONVK_MODE_ 0
#endif

/* The parts of a library whose units are compiled apart: each unit has either what all families share, and finds them through the
   linker, or its own families. */
#if (defined CONVK_ONLY_CORE || defined CONVK_ONLY_FAMILIES) && CONVK_MODE_ != 2
#error "CONVK_ONLY_CORE and CONVK_ONLY_FAMILIES say what a unit with CONVK_IMPLEMENT implements"
#elif defined CONVK_ONLY_CORE && defined CONVK_ONLY_FAMILIES
#error "CONVK_ONLY_CORE and CONVK_ONLY_FAMILIES in one unit: CONVK_IMPLEMENT alone implements both"
#endif
#ifdef CONVK_ONLY_CORE
#define CONVK_SEPARATE_ 1
#define CONVK_CORE_ 1
#define CONVK_HERE_ 0 /* CONVK_HAS_<FAMILY>_ of a family that is named */
#elif defined CONVK_ONLY_FAMILIES
#define CONVK_SEPARATE_ 1
#define CONVK_CORE_ 0
#define CONVK_HERE_ 1
#else
#define CONVK_SEPARATE_ 0
#define CONVK_CORE_ 1
#define CONVK_HERE_ 1
#endif

/* Families: all, unless some are asked for by name.  A name that is misspelt cannot be seen here, so that who compiles all of them,
   for half a minute, without a word of it is told so. */
#ifdef CONVK_WITH_ALL
#define CONVK_ALL_ 1
#elif !(defined CONVK_WITH_SEPCONV || defined CONVK_WITH_STENCIL || defined CONVK_WITH_VMATH || defined CONVK_WITH_GAUSSIAN || \
        defined CONVK_WITH_FORMFACTOR || defined CONVK_WITH_FFT || defined CONVK_WITH_VMC)
#define CONVK_ALL_ 1
#if CONVK_MODE_ != 1 && CONVK_HERE_ && (defined __GNUC__ || defined __clang__)
#pragma message("convk: all families are compiled, since none is named, or one is misspelt: define CONVK_WITH_SEPCONV, _STENCIL, " \
                "_VMATH, _GAUSSIAN, _FORMFACTOR, _FFT or _VMC, or CONVK_WITH_ALL to have them all")
#endif
#else
#define CONVK_ALL_ 0
#endif
/* CONVK_HAS_: its text is compiled here.  CONVK_FINDS_: a handle that this unit opens finds it. */
#if CONVK_ALL_ || defined CONVK_WITH_SEPCONV
#define CONVK_HAS_SEPCONV_ CONVK_HERE_
#define CONVK_FINDS_SEPCONV_ 1
#else
#define CONVK_HAS_SEPCONV_ 0
#define CONVK_FINDS_SEPCONV_ 0
#endif
#if CONVK_ALL_ || defined CONVK_WITH_STENCIL
#define CONVK_HAS_STENCIL_ CONVK_HERE_
#define CONVK_FINDS_STENCIL_ 1
#else
#define CONVK_HAS_STENCIL_ 0
#define CONVK_FINDS_STENCIL_ 0
#endif
#if CONVK_ALL_ || defined CONVK_WITH_VMATH
#define CONVK_HAS_VMATH_ CONVK_HERE_
#define CONVK_FINDS_VMATH_ 1
#else
#define CONVK_HAS_VMATH_ 0
#define CONVK_FINDS_VMATH_ 0
#endif
#if CONVK_ALL_ || defined CONVK_WITH_GAUSSIAN
#define CONVK_HAS_GAUSSIAN_ CONVK_HERE_
#define CONVK_FINDS_GAUSSIAN_ 1
#else
#define CONVK_HAS_GAUSSIAN_ 0
#define CONVK_FINDS_GAUSSIAN_ 0
#endif
#if CONVK_ALL_ || defined CONVK_WITH_FORMFACTOR
#define CONVK_HAS_FORMFACTOR_ CONVK_HERE_
#define CONVK_FINDS_FORMFACTOR_ 1
#else
#define CONVK_HAS_FORMFACTOR_ 0
#define CONVK_FINDS_FORMFACTOR_ 0
#endif
#if CONVK_ALL_ || defined CONVK_WITH_FFT
#define CONVK_HAS_FFT_ CONVK_HERE_
#define CONVK_FINDS_FFT_ 1
#else
#define CONVK_HAS_FFT_ 0
#define CONVK_FINDS_FFT_ 0
#endif
#if CONVK_ALL_ || defined CONVK_WITH_VMC
#define CONVK_HAS_VMC_ CONVK_HERE_
#define CONVK_FINDS_VMC_ 1
#else
#define CONVK_HAS_VMC_ 0
#define CONVK_FINDS_VMC_ 0
#endif
/* Precisions: both, unless one is asked for by name. */
#if defined CONVK_F32 || !defined CONVK_F64
#define CONVK_HAS_F32_ 1
#else
#define CONVK_HAS_F32_ 0
#endif
#if defined CONVK_F64 || !defined CONVK_F32
#define CONVK_HAS_F64_ 1
#else
#define CONVK_HAS_F64_ 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- src/core/compilers.h ---- */
/* ---------------------------------------------------------------------------------------------------- portability -- */

#if defined __GNUC__ || defined __clang__
#define CONVK_INLINE_ static inline __attribute__((always_inline, unused))
#define CONVK_LOCAL_ static inline __attribute__((unused))
#define CONVK_RARE_ static __attribute__((noinline, unused))
#elif defined _MSC_VER
#define CONVK_INLINE_ static __forceinline
#define CONVK_LOCAL_ static __inline
#define CONVK_RARE_ static __inline
#else
#define CONVK_INLINE_ static inline
#define CONVK_LOCAL_ static inline
#define CONVK_RARE_ static inline
#endif

#if defined __GNUC__ || defined __clang__
#define CONVK_IN_MEMORY_(array) __asm__ volatile("" : : "r"(array) : "memory")
#define CONVK_SCALAR_(x) __asm__("" : "+r"(x)) /* stays out of vectors, from which x would have to be taken again */
#define CONVK_UNLIKELY_(condition) __builtin_expect((condition) != 0, 0)
#define CONVK_PREFETCH_(address) __builtin_prefetch((const void *)(address), 0, 2)
#define CONVK_LOWEST_(bits) ((size_t)__builtin_ctzll(bits)) /* the place of the lowest of 64 bits that is set */
#define CONVK_PREFETCH_L1_(address) __builtin_prefetch((const void *)(address), 0, 3)
#else
#define CONVK_IN_MEMORY_(array) ((void)(array))
#define CONVK_SCALAR_(x) ((void)(x))
#define CONVK_UNLIKELY_(condition) (condition)
#define CONVK_PREFETCH_(address) ((void)(address))
#define CONVK_LOWEST_(bits) convk_lowest_(bits)
#define CONVK_PREFETCH_L1_(address) ((void)(address))
#endif

#define CONVK_PRAGMA_(text) _Pragma(#text)
/* Code that is instrumented stays small: unrolled and inlined it takes minutes to compile. */
#if defined __SANITIZE_ADDRESS__
#define CONVK_INSTRUMENTED_ 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define CONVK_INSTRUMENTED_ 1
#endif
#endif
/* Regions: for an instruction set, and with rules of their own for real numbers, whatever -ffast-math, -Ofast and -ffp-contract
   say: sums keep their order, NaN and -0 count, and nothing is fused but what a word fuses.
   A region for an instruction set is CONVK_EXACT_PUSH_, CONVK_TARGET_PUSH_(features), ..., CONVK_TARGET_POP_, CONVK_EXACT_POP_. */
#if defined __clang__
#if defined __FAST_MATH__ && CONVK_MODE_ != 1
#if !defined __x86_64__ && !defined __i386__
#error "convk: compile this file without -ffast-math: on this architecture clang has no way to say so here"
#elif defined __FMA__ && !defined CONVK_FP_CONTRACT_ON
#error "convk: compile this file without -ffast-math, or with -ffast-math -ffp-contract=on and -DCONVK_FP_CONTRACT_ON"
#endif /* since clang's -ffast-math fuses behind the back of all pragmas */
#endif
#define CONVK_UNROLL_ CONVK_PRAGMA_(clang loop unroll(full))
#if defined __x86_64__ || defined __i386__
#define CONVK_EXACT_PUSH_ \
  CONVK_PRAGMA_(float_control(push)) CONVK_PRAGMA_(float_control(precise, on)) CONVK_PRAGMA_(clang fp contract(off))
#define CONVK_EXACT_POP_ CONVK_PRAGMA_(float_control(pop))
#else /* without float_control such regions do not nest, and end with what the command line says */
#define CONVK_EXACT_PUSH_ CONVK_PRAGMA_(STDC FP_CONTRACT OFF)
#define CONVK_EXACT_POP_ CONVK_PRAGMA_(STDC FP_CONTRACT DEFAULT)
#endif
#define CONVK_TARGET_PUSH_(features) CONVK_PRAGMA_(clang attribute push(__attribute__((target(features))), apply_to = function))
#define CONVK_TARGET_POP_ CONVK_PRAGMA_(clang attribute pop)
#elif defined __GNUC__
#ifdef __NVCC__ /* which passes the pragmas on to gcc, and warns that it does not know them */
#pragma nv_diag_suppress 1675
#endif
#ifdef __OPTIMIZE__
#define CONVK_UNROLL_ CONVK_PRAGMA_(GCC unroll 64)
#else /* gcc warns of what it then ignores in loops that sanitizers watch */
#define CONVK_UNROLL_
#endif
/* Only what the command line makes necessary, since functions with options of their own compile slower.  One pragma for all:
   gcc forgets the second of two that come from one macro. */
#if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__ || defined __RECIPROCAL_MATH__ || defined __NO_SIGNED_ZEROS__ || \
    (defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__ > 0)
#define CONVK_EXACT_PUSH_ \
  CONVK_PRAGMA_(GCC push_options) \
  CONVK_PRAGMA_(GCC optimize("no-fast-math", "no-unsafe-math-optimizations", "no-finite-math-only", "no-associative-math", \
                             "no-reciprocal-math", "signed-zeros", "fp-contract=off"))
#elif (defined __x86_64__ || defined __i386__) && !defined __FMA__ && !defined __FMA4__ && !defined CONVK_STRICT
#define CONVK_EXACT_PUSH_ CONVK_PRAGMA_(GCC push_options) /* nothing to fuse with, or nothing left to fuse */
#else
#define CONVK_EXACT_PUSH_ CONVK_PRAGMA_(GCC push_options) CONVK_PRAGMA_(GCC optimize("fp-contract=off"))
#endif
#define CONVK_EXACT_POP_ CONVK_PRAGMA_(GCC pop_options)
#define CONVK_TARGET_PUSH_(features) CONVK_PRAGMA_(GCC target(features)) /* until CONVK_EXACT_POP_ */
#define CONVK_TARGET_POP_
#else
#define CONVK_UNROLL_
#define CONVK_EXACT_PUSH_
#define CONVK_EXACT_POP_
#define CONVK_TARGET_PUSH_(features)
#define CONVK_TARGET_POP_
#endif

#ifdef __CUDA_ARCH__ /* nvcc reads code of the device */
#undef CONVK_UNROLL_
#define CONVK_UNROLL_ CONVK_PRAGMA_(unroll)
#endif

/* Regions of drivers that prepare a call and have no loops of weight: gcc takes less time for them. */
#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__ && !defined __OPTIMIZE_SIZE__
#define CONVK_LIGHT_PUSH_ CONVK_PRAGMA_(GCC push_options) CONVK_PRAGMA_(GCC optimize("O1"))
#define CONVK_LIGHT_POP_ CONVK_PRAGMA_(GCC pop_options)
#else
#define CONVK_LIGHT_PUSH_
#define CONVK_LIGHT_POP_
#endif

/* Loops of a few turns: clang unrolls them by itself, and warns where it is told to afterwards. */
#ifdef __clang__
#define CONVK_UNROLL_FEW_
#else
#define CONVK_UNROLL_FEW_ CONVK_UNROLL_
#endif

#if defined CONVK_INSTRUMENTED_ && defined __GNUC__
#undef CONVK_UNROLL_
#ifdef __clang__
#define CONVK_UNROLL_ CONVK_PRAGMA_(clang loop unroll(disable))
#elif defined __OPTIMIZE__
#define CONVK_UNROLL_ CONVK_PRAGMA_(GCC unroll 1)
#else
#define CONVK_UNROLL_
#endif
#undef CONVK_INLINE_
#define CONVK_INLINE_ static inline __attribute__((unused))
#endif

/* What begins public functions, in the mode of this unit. */
#if !CONVK_MODE_
#define CONVK_API_ CONVK_LOCAL_
#elif defined CONVK_SHARED && defined _WIN32
#if CONVK_MODE_ == 2
#define CONVK_API_ __declspec(dllexport)
#else
#define CONVK_API_ __declspec(dllimport)
#endif
#elif defined CONVK_SHARED && defined __GNUC__
#define CONVK_API_ __attribute__((visibility("default")))
#elif defined __GNUC__ && !defined _WIN32
#define CONVK_API_ __attribute__((visibility("hidden")))
#else
#define CONVK_API_
#endif

/* What begins a function of a family that the core calls: hidden, where they are in units apart. */
#if !CONVK_SEPARATE_
#define CONVK_ACROSS_ CONVK_LOCAL_
#elif defined __GNUC__ && !defined _WIN32
#define CONVK_ACROSS_ __attribute__((visibility("hidden")))
#else
#define CONVK_ACROSS_
#endif

/* ---- src/words/precision.h ---- */
/* One of two texts, and one of two constants, as the precision wants it, for every hardware. */
#define CONVK_CAT3_(a, b, c) a##b##c
#define CONVK_PASTE3_(a, b, c) CONVK_CAT3_(a, b, c)
#define CONVK_EITHER_f32_(f32, f64) f32
#define CONVK_EITHER_f64_(f32, f64) f64
#define CONVK_EITHER_(f32, f64) CONVK_PASTE3_(CONVK_EITHER_, CONVK_TYPE_, _)(f32, f64)
#define CONVK_OF_(f32, f64) ((CONVK_T)(CONVK_EITHER_(f32, f64)))
#define CONVK_UNSIGNED_ CONVK_EITHER_(uint32_t, uint64_t)
#define CONVK_GREATEST_ CONVK_OF_(3.4028234663852886e38f, 1.7976931348623157e308)
#define CONVK_FRACTION_ CONVK_EITHER_(23, 52) /* binary digits behind the point */
/* The list of coefficients CONVK_NAME_f32_ or _f64_; a vector of one pattern of bits or another, of signs alone, of infinity. */
#define CONVK_TABLE_(name) CONVK_PASTE3_(CONVK_##name##_, CONVK_TYPE_, _)
#define CONVK_BITS_OF_(f32, f64) CONVK_BITS_(CONVK_EITHER_(UINT32_C(f32), UINT64_C(f64)))
#define CONVK_SIGN_ CONVK_BITS_OF_(0x80000000, 0x8000000000000000)
#define CONVK_INFINITE_ CONVK_BITS_OF_(0x7f800000, 0x7ff0000000000000)
#define CONVK_COUNT_(list) ((int)(sizeof list / sizeof *list))
/* A step of several vectors that go together: while one waits for a result the others work. */
#define CONVK_EACH_(i, count) CONVK_UNROLL_ for (i = 0; i < count; i++)
#define CONVK_CAT5_(a, b, c, d, e) a##b##c##d##e
#define CONVK_PASTE5_(a, b, c, d, e) CONVK_CAT5_(a, b, c, d, e)
/* convk_NAME_f64 in passes over a precision, convk_NAME_f64_avx2 in passes over an instruction set; private: with _, and
   of one hardware, CONVK_HARDWARE_ */
#define CONVK_ONE_(p) (*(const CONVK_PRIVATE_(any) *)(p)) /* an element of the caller's, at any address */
#define CONVK_TYPED_(name) CONVK_PASTE3_(convk_##name##_, CONVK_TYPE_, )
#define CONVK_PRIVATE_(name) CONVK_PASTE3_(convk_##name##_, CONVK_TYPE_, _)
#define CONVK_VARIANT_(name) CONVK_PASTE5_(convk_##name##_, CONVK_TYPE_, _, CONVK_HW_, )
#define CONVK_HARDWARE_(name) CONVK_PASTE5_(convk_##name##_, CONVK_TYPE_, _, CONVK_HW_, _)

/* The rest, where the first is 1, and nothing where it is 0. */
#define CONVK_IF_0_(...)
#define CONVK_IF_1_(...) __VA_ARGS__
#define CONVK_IF_(condition, ...) CONVK_PASTE3_(CONVK_IF_, condition, _)(__VA_ARGS__)
/* The second, or the third. */
#define CONVK_PICK_0_(a, b) b
#define CONVK_PICK_1_(a, b) a
#define CONVK_PICK_(condition, a, b) CONVK_PASTE3_(CONVK_PICK_, condition, _)(a, b)
/* A list in brackets without them. */
#define CONVK_UNPACK_(...) __VA_ARGS__

#define CONVK_HAS_TYPE_ CONVK_EITHER_(CONVK_HAS_F32_, CONVK_HAS_F64_)
/* convk_NAME_c32 or _c64: of the complex numbers of a precision */
#define CONVK_COMPLEX_(name) CONVK_PASTE3_(convk_##name##_, CONVK_EITHER_(c32, c64), )
#define CONVK_COMPLEX_VARIANT_(name) CONVK_PASTE5_(convk_##name##_, CONVK_EITHER_(c32, c64), _, CONVK_HW_, )

/* ---- src/core/types.h ---- */
/* ---------------------------------------------------------------------------------------------------------- types -- */

/* A 3D array: element (x, y, z) at x + y pitch_y + z pitch_z.  A pitch of 0 means packed (nx, and ny pitch_y). */
typedef struct convk_grid3 {
  size_t nx, ny, nz, pitch_y, pitch_z;
} convk_grid3;

/* What a filter sees beyond the ends of an axis of n points, and how many points it gives (taps t = up - lo + 1). */
enum {
  CONVK_PERIODIC = 0, /* the array repeats:        n -> n,         output k is y[k]              */
  CONVK_GROW = 1,     /* zeros, all of the result: n -> n + t - 1, output k is y[k - up]         */
  CONVK_SHRINK = 2,   /* only what is known:       n -> n - t + 1, output k is y[k - lo]         */
  CONVK_ZERO = 3,     /* zeros, same points:       n -> n,         output k is y[k]              */
  CONVK_FIXED = 4     /* of a stencil: the first and the last point of the axis are given and keep their values */
};

/* Elements that kernels may read, and drop, beyond a padded row of the library's own. */
#define CONVK_SLACK_ ((size_t)32)

/* Which way: of the magic filter from coefficients to values, of fft2d from values to frequencies; and back. */
enum { CONVK_FORWARD = 0, CONVK_INVERSE = 1 };

/* How tasks run.  run() calls task(arg, 0..ntasks-1), each once, in any order and on any threads, returns 0 when all are
   done, or nonzero when it could not run them.  threads <= 1 or run == NULL: serial. */
typedef struct convk_parallel {
  int threads;
  int (*run)(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg);
  void *ctx;
} convk_parallel;

struct convk;
typedef struct convk convk;

/* Elements at any address: without this, compilers that vectorise a loop by themselves may count on their alignment. */
#if defined __GNUC__ || defined __clang__
typedef float convk_any_f32_ __attribute__((aligned(1)));
typedef double convk_any_f64_ __attribute__((aligned(1)));
typedef uint32_t convk_any_u32_ __attribute__((aligned(1)));
#else
typedef float convk_any_f32_;
typedef double convk_any_f64_;
typedef uint32_t convk_any_u32_;
#endif
/* ---- src/core/operations.h ---- */
/* ---- operations ----
   Every operation stands once, in the list of its family (<family>/api.h), as
     op(family, KIND, member, name, parameters, arguments)
   KIND      REAL: convk_<name>_f32 and _f64, or COMPLEX: convk_<name>_c32 and _c64
   member    of convk_ops_f32 and convk_ops_f64; <member>_cpu(kernels, arguments) of the driver does it on processors
   From the lists come the types of functions, the struct of the handle, prototypes, the public functions that go through a
   handle, and those of each hardware. */
#define CONVK_FAMILIES_(family) family(sepconv) family(stencil) family(vmath) family(gaussian) family(form) family(fft) family(pair)
#define CONVK_OPERATIONS_(op) \
  CONVK_SEPCONV_OPERATIONS_(op) CONVK_STENCIL_OPERATIONS_(op) CONVK_VMATH_OPERATIONS_(op) CONVK_GAUSSIAN_OPERATIONS_(op) \
  CONVK_FORM_OPERATIONS_(op) CONVK_FFT_OPERATIONS_(op) CONVK_PAIR_OPERATIONS_(op)

/* Those that a handle opened here finds, as family(name, with). */
#define CONVK_FOUND_FAMILIES_(family, with) \
  CONVK_IF_(CONVK_FINDS_SEPCONV_, family(sepconv, with)) CONVK_IF_(CONVK_FINDS_STENCIL_, family(stencil, with)) \
  CONVK_IF_(CONVK_FINDS_VMATH_, family(vmath, with)) CONVK_IF_(CONVK_FINDS_GAUSSIAN_, family(gaussian, with)) \
  CONVK_IF_(CONVK_FINDS_FORMFACTOR_, family(form, with)) CONVK_IF_(CONVK_FINDS_FFT_, family(fft, with)) \
  CONVK_IF_(CONVK_FINDS_VMC_, family(pair, with))
/* Those that are compiled in: what binder(family, its list of operations) makes of each, and all their operations. */
#define CONVK_COMPILED_FAMILIES_(binder) \
  CONVK_IF_(CONVK_HAS_SEPCONV_, binder(sepconv, CONVK_SEPCONV_OPERATIONS_)) \
  CONVK_IF_(CONVK_HAS_STENCIL_, binder(stencil, CONVK_STENCIL_OPERATIONS_)) \
  CONVK_IF_(CONVK_HAS_VMATH_, binder(vmath, CONVK_VMATH_OPERATIONS_)) \
  CONVK_IF_(CONVK_HAS_GAUSSIAN_, binder(gaussian, CONVK_GAUSSIAN_OPERATIONS_)) \
  CONVK_IF_(CONVK_HAS_FORMFACTOR_, binder(form, CONVK_FORM_OPERATIONS_)) \
  CONVK_IF_(CONVK_HAS_FFT_, binder(fft, CONVK_FFT_OPERATIONS_)) CONVK_IF_(CONVK_HAS_VMC_, binder(pair, CONVK_PAIR_OPERATIONS_))
#define CONVK_COMPILED_OPERATIONS_(op) \
  CONVK_IF_(CONVK_HAS_SEPCONV_, CONVK_SEPCONV_OPERATIONS_(op)) CONVK_IF_(CONVK_HAS_STENCIL_, CONVK_STENCIL_OPERATIONS_(op)) \
  CONVK_IF_(CONVK_HAS_VMATH_, CONVK_VMATH_OPERATIONS_(op)) CONVK_IF_(CONVK_HAS_GAUSSIAN_, CONVK_GAUSSIAN_OPERATIONS_(op)) \
  CONVK_IF_(CONVK_HAS_FORMFACTOR_, CONVK_FORM_OPERATIONS_(op)) CONVK_IF_(CONVK_HAS_FFT_, CONVK_FFT_OPERATIONS_(op)) \
  CONVK_IF_(CONVK_HAS_VMC_, CONVK_PAIR_OPERATIONS_(op))

#define CONVK_REAL_NAME_(name) CONVK_TYPED_(name)
#define CONVK_COMPLEX_NAME_(name) CONVK_COMPLEX_(name)
#define CONVK_REAL_VARIANT_NAME_(name) CONVK_VARIANT_(name)
#define CONVK_COMPLEX_VARIANT_NAME_(name) CONVK_COMPLEX_VARIANT_(name)

/* What a list becomes, in passes over a precision. */
#define CONVK_OP_TYPE_(family, KIND, member, name, parameters, arguments) typedef int CONVK_TYPED_(member##_fn) parameters;
#define CONVK_OP_MEMBER_(family, KIND, member, name, parameters, arguments) CONVK_TYPED_(member##_fn) *member;
#define CONVK_OP_PROTOTYPE_(family, KIND, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_##KIND##_NAME_(name) parameters;
/* The public function, and what a handle of a processor points to. */
#define CONVK_OP_DRIVER_(family, KIND, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_##KIND##_NAME_(name) parameters { \
    const int status = convk_begin_call_(hw); \
    return status ? status : !hw->CONVK_TYPE_.member ? CONVK_ERR_COMPILED : (hw->CONVK_TYPE_.member)arguments; \
  } \
  CONVK_LOCAL_ int CONVK_PRIVATE_(member##_bound) parameters { \
    return CONVK_PRIVATE_(member##_cpu)(hw->CONVK_TYPE_.family##_kernels, CONVK_UNPACK_ arguments); \
  }
/* In passes over an instruction set: the function of this variant, and the handle that it is bound to.  A device that offers
   <family>_kernels, which then do all of an operation, has its functions in the same way. */
#define CONVK_OP_VARIANT_(family, KIND, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_##KIND##_VARIANT_NAME_(name) parameters { \
    return CONVK_PRIVATE_(member##_cpu)(CONVK_HARDWARE_(family##_kernels)(), CONVK_UNPACK_ arguments); \
  }
#define CONVK_OP_BIND_(family, KIND, member, name, parameters, arguments) ops->member = CONVK_PRIVATE_(member##_bound);
#define CONVK_OP_BIND_VARIANT_(family, KIND, member, name, parameters, arguments) \
  ops->member = CONVK_##KIND##_VARIANT_NAME_(name);
#define CONVK_OP_VARIANT_PROTOTYPE_(family, KIND, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_##KIND##_VARIANT_NAME_(name) parameters;
/* The parameters alone, for what is defined by hand. */
#define CONVK_OP_PARAMETERS_(family, KIND, member, name, parameters, arguments) parameters
#define CONVK_FAMILY_MEMBER_(family) const CONVK_PRIVATE_(family##_kernels) *family##_kernels; /* of processors */

/* In passes over an instruction set, or over a device: the pointers of one family of a handle.  It is called by the opener of its
   hardware, which may be in another unit (CONVK_ONLY_CORE), so that its name is made of the family's and the hardware's. */
#define CONVK_BINDER_NAME_(family) CONVK_HARDWARE_(bind_##family)
#define CONVK_FAMILY_BINDER_(family, operations) \
  CONVK_ACROSS_ void CONVK_BINDER_NAME_(family)(CONVK_TYPED_(ops) *ops) { \
    operations(CONVK_OP_BIND_) ops->family##_kernels = CONVK_KERNEL_(family##_kernels)(); \
  }
#define CONVK_FAMILY_DEVICE_BINDER_(family, operations) \
  CONVK_ACROSS_ void CONVK_BINDER_NAME_(family)(CONVK_TYPED_(ops) *ops) { operations(CONVK_OP_BIND_VARIANT_) }
#define CONVK_DECLARE_BINDER_(family, hardware) \
  CONVK_IF_(CONVK_HAS_F32_, CONVK_ACROSS_ void convk_bind_##family##_f32_##hardware##_(convk_ops_f32 *ops);) \
  CONVK_IF_(CONVK_HAS_F64_, CONVK_ACROSS_ void convk_bind_##family##_f64_##hardware##_(convk_ops_f64 *ops);)
#define CONVK_CALL_BINDER_(family, hardware) \
  CONVK_IF_(CONVK_HAS_F32_, convk_bind_##family##_f32_##hardware##_(&hw->f32);) \
  CONVK_IF_(CONVK_HAS_F64_, convk_bind_##family##_f64_##hardware##_(&hw->f64);)

/* The pointers of all families that this unit finds. */
#define CONVK_BIND_ALL_(hardware) \
  CONVK_FOUND_FAMILIES_(CONVK_DECLARE_BINDER_, hardware) \
  CONVK_LOCAL_ void convk_bind_##hardware##_(convk *hw) { \
    (void)hw; \
    CONVK_FOUND_FAMILIES_(CONVK_CALL_BINDER_, hardware) \
  }
/* Opens a handle of a processor: it goes to the drivers, and they to the kernels of this instruction set. */
#define CONVK_OPENER_(hardware) \
  CONVK_BIND_ALL_(hardware) \
  CONVK_LOCAL_ int convk_open_##hardware##_(convk *hw, const char *options) { \
    (void)options; \
    convk_bind_##hardware##_(hw); \
    return CONVK_OK; \
  }
#endif

/* What a user reads of each family: its operations, then the structs that they take. */
#ifndef CONVK_PASS_
/* ---- src/sepconv/api.h ---- */
#define CONVK_SEPCONV_STATUS_(item) \
  item(CONVK_ERR_TAPS, -5, "a filter has fewer than 1 or more than 64 taps, or lies too far off") \
  item(CONVK_ERR_SHRINK, -7, "the shrinking boundary leaves no output")

/* What a filter may have at most. */
enum {
  CONVK_MAX_TAPS = 64,
  CONVK_MAX_REACH = 1024 /* bound of |lo| and |up| of a filter */
};

/* Separable 3D convolution: out = (fz o fx o fy) in, with r[i] = sum over l = lo..up of taps[l - lo] x[i + l] on each axis
   (Genovese et al. 2009, with the sign of the index as written here).
   filter    of x, y, z; up - lo + 1 = 1..64 taps, |lo| and |up| at most 1024, taps finite
   boundary  of x, y, z: CONVK_PERIODIC, CONVK_GROW, CONVK_SHRINK, CONVK_ZERO; any size >= 1 (periodic wraps by modulo)
   out_grid  has the sizes that sepconv3d_output_grid gives, and any pitches
   epilogue  what is fused into the last pass; NULL: out = r
   In place: no; `out` must not overlap `in`, nor `work` any array, gaps of pitches included.
   Work: sepconv3d_work_size.  Threads: tiles of y (and chunks of z), one for
   each 400 000 multiply-adds at most (of f32 800 000: less is not worth a thread), unless tuning.sepconv_rows is set.
   Errors: NULL, SIZE, OVERFLOW, PITCH, TAPS, BOUNDARY, SHRINK, OPTION, NONFINITE, OVERLAP, WORK, MEMORY, HANDLE, THREADS.
   Accuracy, magic filter, |x| <= 1: 4e-15 in f64, 2e-6 in f32; each axis sums its taps in ascending order, y first, then x,
   then z, so that fused variants agree to the last bit, as do mul-add variants.
   2 (tx + ty + tz) flops per point; one read and one write of memory, where planes of a tile fit in the L2 cache. */
#define CONVK_OP_SEPCONV3D_(op) \
  op(sepconv, REAL, sepconv3d, sepconv3d, \
     (const convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, const CONVK_TYPED_(filter) filter[3], \
      const int boundary[3], const CONVK_TYPED_(epilogue) *epilogue, const CONVK_T *in, CONVK_T *out, void *work, \
      size_t work_size), \
     (hw, in_grid, out_grid, filter, boundary, epilogue, in, out, work, work_size))

/* The BigDFT magic filter on three axes: sepconv3d with the taps of magicfilter_taps.  direction: CONVK_FORWARD from
   scaling-function coefficients to values, CONVK_INVERSE back (the transpose).  96 flops per point.  Everything else, and
   the status codes, as sepconv3d; CONVK_ERR_OPTION for an unknown direction. */
#define CONVK_OP_MAGICFILTER3D_(op) \
  op(sepconv, REAL, magicfilter3d, magicfilter3d, \
     (const convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction, const int boundary[3], \
      const CONVK_TYPED_(epilogue) *epilogue, const CONVK_T *in, CONVK_T *out, void *work, size_t work_size), \
     (hw, in_grid, out_grid, direction, boundary, epilogue, in, out, work, work_size))

/* A local potential on an orbital in scaling-function coefficients: out = IMF(V MF(psi)), *energy = <psi|V|psi>, the sum
   over points (times no volume).  `energy` may be NULL.
   grid            of psi and out
   potential_grid  of V, on the points of MF's output: sizes of `grid`, or 15 more along axes with CONVK_GROW
   boundary        CONVK_PERIODIC, CONVK_ZERO, or CONVK_GROW for a free axis (the way back then shrinks)
   In place: yes, out may be psi (exactly).  Work: potential_apply_work_size, which holds the intermediate array.
   Errors, accuracy, threads: as sepconv3d. */
#define CONVK_OP_POTENTIAL_APPLY_(op) \
  op(sepconv, REAL, potential_apply, potential_apply, \
     (const convk *hw, const convk_grid3 *grid, const convk_grid3 *potential_grid, const int boundary[3], \
      const CONVK_T *potential, const CONVK_T *psi, CONVK_T *out, double *energy, void *work, size_t work_size), \
     (hw, grid, potential_grid, boundary, potential, psi, out, energy, work, work_size))

/* One filter along the contiguous axis, transposed: out[j + i ld_out] = sum over l of taps[l - lo] in[i + l + j ld_in], for
   j < ndat and output points i, in the order of `boundary`.  Three calls make a 3D convolution, with the axes back in order.
   n         points of an input row; output rows: n, n + taps - 1 (grow) or n - taps + 1 (shrink)
   ld_in     elements between input rows, at least n; ld_out between output rows, at least ndat; 0: packed
   In place: no.  Work: conv1d_transpose_work_size.  Threads: strips of at most 96 input rows, one
   for each 400 000 multiply-adds at most (of f32 800 000), unless tuning.sepconv_rows is set.
   Errors: as sepconv3d.  Accuracy: one axis of it.  2 taps flops per output. */
#define CONVK_OP_CONV1D_TRANSPOSE_(op) \
  op(sepconv, REAL, conv1d_transpose, conv1d_transpose, \
     (const convk *hw, size_t n, size_t ndat, size_t ld_in, size_t ld_out, const CONVK_TYPED_(filter) *filter, \
      int boundary, const CONVK_T *in, CONVK_T *out, void *work, size_t work_size), \
     (hw, n, ndat, ld_in, ld_out, filter, boundary, in, out, work, work_size))

/* The operations of this family; see core/operations.h. */
#define CONVK_SEPCONV_OPERATIONS_(op) \
  CONVK_OP_SEPCONV3D_(op) \
  CONVK_OP_MAGICFILTER3D_(op) \
  CONVK_OP_POTENTIAL_APPLY_(op) \
  CONVK_OP_CONV1D_TRANSPOSE_(op)

/* rows of y in one tile of sepconv3d */
#define CONVK_SEPCONV_TUNING_(parameter) parameter(size_t, sepconv_rows, ROWS)
#define CONVK_SEPCONV_TUNABLES_(tunable) \
  tunable(SEPCONV, sepconv, sepconv3d, f32, F32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
  tunable(SEPCONV, sepconv, sepconv3d, f64, F64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0)
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
/* ---- src/sepconv/types.h ---- */

/* A filter of one axis, in correlation form: y[i] = sum over l = lo..up of taps[l - lo] x[i + l].
   up - lo + 1 from 1 to 64, |lo| and |up| at most 1024; taps must be finite. */
typedef struct CONVK_TYPED_(filter) {
  int lo, up;
  const CONVK_T *taps;
} CONVK_TYPED_(filter);

/* What happens to the result r = F(x) on its way to memory.  Zero-initialised: out = r.  All that are set are done:
     density    density[k] += density_factor r[k]^2            (layout of the output grid)
     dot        *dot = sum of x[k] r[k]                        (needs equal sizes of input and output; f64 sums)
     potential  r[k] = potential[k] r[k]                       (layout of the output grid; after density and dot)
     energy     *energy = sum of r[k] potential[k] r[k]        (needs potential; f64 sums)
     update     out[k] = a r[k] + b out[k] in place of out[k] = r[k]; a and b finite
   `out` may be NULL when density, dot or energy is asked for and update is not.  What is written (out, density, the sums)
   must not overlap anything else; an array counts from its first to its last element, gaps of pitches included.
   Sums have a fixed order: rows over 16 interleaved lanes, then rows in sequence. */
typedef struct CONVK_TYPED_(epilogue) {
  const CONVK_T *potential;
  CONVK_T *density;
  CONVK_T density_factor;
  double *dot, *energy;
  int update;
  CONVK_T a, b;
} CONVK_TYPED_(epilogue);

struct convk_fetch_;

/* What an instruction set offers to the drivers below. */
typedef struct CONVK_PRIVATE_(sepconv_kernels) {
  /* out[t][i] = sum over k < ntaps of taps[k] rows[t + k][i], for t < nout, i < n; stream: past the cache where `out` is
     aligned, until fence; meanwhile what `fetch` says, if it is not NULL */
  void (*columns)(const CONVK_T *const *rows, size_t ntaps, const CONVK_T *taps, size_t n, size_t nout, CONVK_T *const *out,
                  int stream, struct convk_fetch_ *fetch);
  void (*fence)(void);
  /* out[i] = sum over k < ntaps of taps[k] in[i + k], i < n, in nrows rows; reads up to CONVK_SLACK_ elements further */
  void (*rows)(const CONVK_T *in, size_t pitch_in, size_t ntaps, const CONVK_T *taps, size_t n, size_t nrows, CONVK_T *out,
               size_t pitch_out);
  /* out[i] = in[i], i < n, or 0 where in is NULL, in nrows rows */
  void (*copy)(const CONVK_T *in, CONVK_T *out, size_t pitch, size_t n, size_t nrows);
  /* out[i ld_out + j] = in[j ld_in + i], i < n, j < nrows */
  void (*transpose)(const CONVK_T *in, size_t ld_in, size_t n, size_t nrows, CONVK_T *out, size_t ld_out);
  /* the epilogue on some rows: r, one after the other, and x of the input for the dot product; offset into the epilogue's
     arrays, which like `out` have their pitch; ahead: bytes to what is fetched meanwhile; stream as for columns */
  void (*finish)(const CONVK_TYPED_(epilogue) *epilogue, size_t offset, size_t pitch, size_t n, size_t nrows, const CONVK_T *r,
                 const CONVK_T *x, size_t pitch_x, CONVK_T *out, double *dot, double *energy, size_t ahead, int stream);
} CONVK_PRIVATE_(sepconv_kernels);

#if CONVK_HAS_SEPCONV_ && CONVK_HAS_TYPE_
/* The magic filter of the least asymmetric Daubechies-16 family (L. Genovese et al., J. Chem. Phys. 131, 034103, 2009;
   A. I. Neelov, S. Goedecker, J. Comput. Phys. 217, 312, 2006), between scaling-function coefficients and point values.
   CONVK_FORWARD: coefficients to values, l = -8..7.
   CONVK_INVERSE: values to coefficients, l = -7..8: the transpose, which undoes polynomials up to degree 15 exactly.
   Any other direction: taps = NULL, which every call refuses. */
CONVK_API_ CONVK_TYPED_(filter) CONVK_TYPED_(magicfilter_taps)(int direction);

/* Output sizes: fills *out_grid, packed, with what sepconv3d makes of in_grid.  Status as sepconv3d. */
CONVK_API_ int CONVK_TYPED_(sepconv3d_output_grid)(const convk_grid3 *in_grid, const CONVK_TYPED_(filter) filter[3],
    const int boundary[3], convk_grid3 *out_grid);

/* Bytes of work for sepconv3d and magicfilter3d on this handle (NULL: serial, default blocks): 0 when the arguments are
   wrong.  Only the number of taps counts of the filters.  Devices need none and ignore what they get. */
CONVK_API_ size_t CONVK_TYPED_(sepconv3d_work_size)(const convk *hw, const convk_grid3 *in_grid,
    const CONVK_TYPED_(filter) filter[3], const int boundary[3]);

/* Bytes of work for magicfilter3d, as sepconv3d_work_size. */
CONVK_API_ size_t CONVK_TYPED_(magicfilter3d_work_size)(const convk *hw, const convk_grid3 *in_grid,
    const int boundary[3]);

/* Bytes of work for potential_apply, which include the intermediate array; 0 when the arguments are wrong. */
CONVK_API_ size_t CONVK_TYPED_(potential_apply_work_size)(const convk *hw, const convk_grid3 *grid,
    const convk_grid3 *potential_grid, const int boundary[3]);

/* Bytes of work for conv1d_transpose of ndat rows, any length; 0 for ndat = 0. */
CONVK_API_ size_t CONVK_TYPED_(conv1d_transpose_work_size)(const convk *hw, size_t ndat);
#endif
#endif
#ifndef CONVK_PASS_
/* ---- src/stencil/api.h ---- */
#define CONVK_STENCIL_STATUS_(item) \
  item(CONVK_ERR_RIM, -22, "the fixed points of the two arrays differ")

/* Jacobi sweeps of the 7-point stencil (K. Datta et al., Stencil computation optimization and auto-tuning on state-of-the-art
   multicore architectures, SC08, 2008): each step makes
     B(x,y,z) = centre A(x,y,z) + x_minus A(x-1,y,z) + x_plus A(x+1,y,z) + the same in y and in z
   from A, for all points that change.
   grid         of both arrays, any size >= 1 and pitches
   coefficients of the point and its neighbours, finite.  Where the six of the neighbours are equal (stencil7_isotropic), the
                sum of the neighbours is formed first: c0 A + c1 ((x- + x+) + (y- + y+) + (z- + z+))
   boundary     of x, y, z: CONVK_PERIODIC, or CONVK_FIXED: the first and the last point of the axis belong to the caller and
                keep their values; `grid` counts them.  A fixed axis of one or two points leaves nothing to change
   steps        >= 0; steps times points must fit in a size_t
   a, b         a: the state.  b: memory for the next state.  With CONVK_FIXED, b must hold the fixed points of a, bit for bit, before
                a call of two or more steps (else RIM), since then both arrays are read: copy a to b once.  A call of one step
                neither reads nor writes those of b; they must be there before b is used as the next state.  The other points of b
                need not be set
   result       is set to the array that holds the state at the end: a after an even number of steps, b after an odd one.  The
                points of the other array that change are lost, unless steps is 0 or 1
   In place: no; a, b and work must not overlap, gaps of pitches included.  Work: stencil7_work_size.
   Threads: boxes of planes and rows, each of at least 192 KiB of updates (24576 of f64) in a pass over memory; smaller calls stay
   on the caller's thread, unless tuning.stencil_threads_y says how many work side by side.  Several steps are made in one pass
   over memory (tuning.stencil_steps): intermediate planes wait in a queue in the cache.
   Errors: NULL, SIZE, OVERFLOW, PITCH, BOUNDARY, NONFINITE, OVERLAP, RIM, WORK, MEMORY, HANDLE, THREADS.
   Accuracy: each step rounds as the formula does in the order written, the same for every size, cut and number of threads; fused
   variants agree to the last bit, as do mul-add variants.  8 flops per update (13 with seven coefficients); two elements
   (16 bytes in f64) per update in a single sweep past the cache. */
#define CONVK_OP_STENCIL7_(op) \
  op(stencil, REAL, stencil7, stencil7, \
     (const convk *hw, const convk_grid3 *grid, const CONVK_TYPED_(stencil7_coefficients) *coefficients, \
      const int boundary[3], size_t steps, CONVK_T *a, CONVK_T *b, CONVK_T **result, void *work, size_t work_size), \
     (hw, grid, coefficients, boundary, steps, a, b, result, work, work_size))

/* One step on a box only: points first .. first + count - 1 of each axis, from a to b.  Boxes that together make up the
   points that change give what one step of stencil7 gives: a distributed program sweeps the inside while its halo is on the
   way, then the rest.
   first, count  within the points that change (SIZE otherwise); a count of 0 changes nothing, and its first is not looked at
   Nothing but the box and the neighbours of its points is read.
   Everything else as stencil7. */
#define CONVK_OP_STENCIL7_BOX_(op) \
  op(stencil, REAL, stencil7_box, stencil7_box, \
     (const convk *hw, const convk_grid3 *grid, const CONVK_TYPED_(stencil7_coefficients) *coefficients, \
      const int boundary[3], const size_t first[3], const size_t count[3], const CONVK_T *a, CONVK_T *b, void *work, \
      size_t work_size), \
     (hw, grid, coefficients, boundary, first, count, a, b, work, work_size))

/* The operations of this family; see core/operations.h. */
#define CONVK_STENCIL_OPERATIONS_(op) \
  CONVK_OP_STENCIL7_(op) \
  CONVK_OP_STENCIL7_BOX_(op)

#if CONVK_FINDS_STENCIL_
/* Sets a new array to zero with the threads and a cut as that of single sweeps on periodic axes (fixed ends, many steps and tuned
   entries may cut otherwise), so that on machines with several memories (NUMA) each thread's part lies near it, where the thread
   hook gives tasks to the same threads every time.  element: bytes of one element.
   Errors: NULL, SIZE, OVERFLOW, PITCH, HANDLE, THREADS. */
CONVK_API_ int convk_first_touch(const convk *hw, const convk_grid3 *grid, size_t element, void *array);
#endif

/* Planes of a stencil that share their loads. */
#define CONVK_STENCIL_PLANES_ 4

/* rows of y in one tile; steps in one pass over memory, at most 16, 1: single sweeps; threads side by side in y, the others in
   z; elements by which the first step of a pass prefetches, 0 by size, -1 never; planes swept together, 1 to 4: 4 share their
   loads */
#define CONVK_STENCIL_TUNING_(parameter) \
  parameter(size_t, stencil_rows, ROWS) \
  parameter(size_t, stencil_steps, DEPTH) \
  parameter(size_t, stencil_threads_y, THREADS_Y) \
  parameter(ptrdiff_t, stencil_prefetch, PREFETCH) \
  parameter(size_t, stencil_planes, PLANES)
#define CONVK_STENCIL_TUNABLES_(tunable) \
  tunable(STENCIL, stencil, stencil7, f32, F32, CONVK_TUNE_ALL_ | CONVK_TUNE_ONCE_OR_MORE_, 0) \
  tunable(STENCIL, stencil, stencil7, f64, F64, CONVK_TUNE_ALL_ | CONVK_TUNE_ONCE_OR_MORE_, 0)
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
/* ---- src/stencil/types.h ---- */

/* The weights of a point and of its six neighbours. */
typedef struct CONVK_TYPED_(stencil7_coefficients) {
  CONVK_T centre, x_minus, x_plus, y_minus, y_plus, z_minus, z_plus;
} CONVK_TYPED_(stencil7_coefficients);

/* What a kernel computes: nrows rows of n points, of nplanes = 1 .. 4 planes at once.  in[p], from the plane below to the one
   above, and out[p] point at the first row; in the planes between, the rows before and after lie at row_minus and row_plus. */
typedef struct CONVK_PRIVATE_(stencil_part) {
  CONVK_TYPED_(stencil7_coefficients) c;
  int isotropic, stream;
  int over; /* whether what lies up to 64 bytes behind a row and its neighbour may be read */
  size_t n, nrows, nplanes, ahead;
  size_t strip;         /* elements of a row that are swept through all rows before the next: whole lines */
  const CONVK_T *fetch; /* the first row of nfetch planes that a later step will read */
  size_t nfetch, fetch_plane, fetch_pitch;
  const CONVK_T *in[CONVK_STENCIL_PLANES_ + 2];
  CONVK_T *out[CONVK_STENCIL_PLANES_], *stage; /* stage: nplanes rows on their way past the cache */
  size_t in_pitch[CONVK_STENCIL_PLANES_ + 2], out_pitch, stage_pitch;
  ptrdiff_t row_minus, row_plus;
  ptrdiff_t left, right; /* where the neighbours of a row's ends lie: -1 and n, or elsewhere on a periodic axis */
} CONVK_PRIVATE_(stencil_part);

/* What an instruction set offers. */
typedef struct CONVK_PRIVATE_(stencil_kernels) {
  void (*rows)(const CONVK_PRIVATE_(stencil_part) *part);
  void (*fence)(void);
} CONVK_PRIVATE_(stencil_kernels);

#if CONVK_HAS_STENCIL_ && CONVK_HAS_TYPE_
/* c0 for the point and c1 for each of its six neighbours: heat of diffusivity D has c1 = D dt / h^2 and c0 = 1 - 6 c1. */
CONVK_API_ CONVK_TYPED_(stencil7_coefficients) CONVK_TYPED_(stencil7_isotropic)(CONVK_T c0, CONVK_T c1);

/* Bytes of work for stencil7 on this handle (NULL: serial, default blocks), and for stencil7_box with steps = 1: 0 when the
   arguments are wrong.  For just these steps and this handle as it is: fewer steps may need more, and so may another tuning.
   Devices need none and ignore what they get. */
CONVK_API_ size_t CONVK_TYPED_(stencil7_work_size)(const convk *hw, const convk_grid3 *grid, const int boundary[3],
                                                   size_t steps);
#endif
#endif
#ifndef CONVK_PASS_
/* ---- src/vmath/api.h ---- */
/* y[i] = exp(x[i]) for i = 0 .. n - 1.
   n      any, also 0
   x, y   of n elements at any alignment.  In place: y == x; else they must not overlap.
   Threads: chunks of at least 16384 elements; what is less stays on the caller's thread.
   Errors: NULL, OVERFLOW, OVERLAP, HANDLE, THREADS.
   Special values: NaN gives NaN, +inf and what lies above 88.7228 (f32) or 709.7827 (f64) +inf, -inf and what lies below
   -103.9721 or -745.1332 +0, both zeros 1.
   Accuracy: 1 ulp, in the fused class 0.92, also where the result is subnormal.  A result depends on its argument alone;
   the variants of a class agree to the last bit.
   Results that are subnormal, or 0 because they are too small, are made without operations on subnormal numbers: they take about
   half as long again, and no more, on processors that are slow at those. */
#define CONVK_OP_EXP_(op) \
  op(vmath, REAL, exp, exp, \
     (const convk *hw, size_t n, const CONVK_T *x, CONVK_T *y), \
     (hw, n, x, y))

/* y[i] = exp(x[i]) - 1, without the loss of digits where x[i] is small.
   Special values: NaN gives NaN, +inf and what lies above 88.7228 or 709.7827 +inf, -inf -1, a zero itself.
   Accuracy: 0.95 ulp.
   Everything else as exp. */
#define CONVK_OP_EXPM1_(op) \
  op(vmath, REAL, expm1, expm1, \
     (const convk *hw, size_t n, const CONVK_T *x, CONVK_T *y), \
     (hw, n, x, y))

/* y[i] = log(x[i]), the natural logarithm.
   Special values: NaN and what lies below 0 give NaN, both zeros -inf, +inf itself, 1 gives +0.
   Accuracy: 1 ulp, in the fused class 0.93, for subnormal arguments too.
   Everything else as exp. */
#define CONVK_OP_LOG_(op) \
  op(vmath, REAL, log, log, \
     (const convk *hw, size_t n, const CONVK_T *x, CONVK_T *y), \
     (hw, n, x, y))

/* s[i] = sin(x[i]) and c[i] = cos(x[i]).
   s, c   of n elements; either may be x itself (in place), else no two of the three may overlap.
   Special values: NaN and infinities give NaN, a zero itself and 1.
   Accuracy: 0.85 ulp for every argument.  Beyond 131072 (f32) or 2^30 (f64) a vector takes some hundred times as long.
   Everything else as exp. */
#define CONVK_OP_SINCOS_(op) \
  op(vmath, REAL, sincos, sincos, \
     (const convk *hw, size_t n, const CONVK_T *x, CONVK_T *s, CONVK_T *c), \
     (hw, n, x, s, c))

/* The operations of this family; see core/operations.h. */
#define CONVK_VMATH_OPERATIONS_(op) \
  CONVK_OP_EXP_(op) \
  CONVK_OP_EXPM1_(op) \
  CONVK_OP_LOG_(op) \
  CONVK_OP_SINCOS_(op)

enum { CONVK_MAP_EXP_, CONVK_MAP_EXPM1_, CONVK_MAP_LOG_, CONVK_MAP_SINCOS_ };
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
/* ---- src/vmath/types.h ---- */
/* What an instruction set offers: functions of n elements, with one result or two, in the order of their names; or a device, which
   has only the last, for host arrays. */
typedef void CONVK_PRIVATE_(map)(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n);
typedef struct CONVK_PRIVATE_(vmath_kernels) {
  CONVK_PRIVATE_(map) *map[4];
  int (*arrays)(const convk *hw, int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z);
} CONVK_PRIVATE_(vmath_kernels);
#endif
#ifndef CONVK_PASS_
/* ---- src/gaussian/api.h ---- */
/* How a matrix of points x exponents lies in memory: value (i, j) of point i and exponent j. */
enum {
  CONVK_POINTS_CONTIGUOUS = 0,   /* g[j ld + i], ld at least the number of points */
  CONVK_EXPONENTS_CONTIGUOUS = 1 /* g[i ld + j], ld at least the number of exponents */
};

/* The functions of a shell of angular momentum l and their order.  With R(r) = sum_p c_p exp(-a_p r^2), x, y, z from the centre:
   CONVK_CARTESIAN          x^a y^b z^c R, a + b + c = l, a falling, then b: xx xy xz yy yz zz; 1 3 6 10 15 of them
   CONVK_SPHERICAL          S_lm R, m = -l .. l: y z x; xy yz z^2 xz x^2-y^2; 1 3 5 7 9 of them
   CONVK_CARTESIAN_MOLDEN   the order of a molden file: x y z; xx yy zz xy xz yz; xxx yyy zzz xyy xxy xxz xzz yzz yyz xyz;
                            xxxx yyyy zzzz xxxy xxxz xyyy yyyz xzzz yzzz xxyy xxzz yyzz xxyz xyyz xyzz; x^a y^b z^c there
                            is divided by sqrt((2a-1)!! (2b-1)!! (2c-1)!!), so that all have the norm of the mixed one
   CONVK_SPHERICAL_MOLDEN   S_lm R, m = 0, 1, -1, 2, -2 ..., but x y z for l = 1
   CONVK_SPHERICAL_PYSCF    S_lm R, m = -l .. l, but x y z for l = 1, as PySCF (cart=False) has them
   S_lm is the real solid harmonic r^l Y_lm without a sign (-1)^m, so scaled that S_lm R has the norm that convk_shell_normalise
   gives: S_2,-2 = x y, S_20 = (2 z^2 - x^2 - y^2) / (2 sqrt 3), S_22 = (x^2 - y^2) / 2. */
enum {
  CONVK_CARTESIAN = 0,
  CONVK_SPHERICAL = 1,
  CONVK_CARTESIAN_MOLDEN = 2,
  CONVK_SPHERICAL_MOLDEN = 3,
  CONVK_SPHERICAL_PYSCF = 4
};

/* The largest angular momentum of a shell: g. */
#define CONVK_MAX_L 4

/* A shell of contracted Gaussians.  Lengths in the units of the points, exponents a > 0 in their inverse square. */
typedef struct convk_shell {
  double center[3];
  int l;     /* 0 .. CONVK_MAX_L: s p d f g */
  int order; /* CONVK_CARTESIAN ... */
  size_t primitives;              /* at least 1 */
  const double *exponents;        /* a_p, finite and positive */
  const double *coefficients;     /* c_p, which multiply exp(-a_p r^2) as they stand: see convk_shell_normalise */
} convk_shell;

/* Options of the calls on Gaussians; all 0 (or NULL for the struct) is the default. */
typedef struct convk_gaussian_options {
  int order;       /* of gridpot: CONVK_POINTS_CONTIGUOUS or CONVK_EXPONENTS_CONTIGUOUS */
  int compensated; /* 1: the squared distance and its product with the exponent keep what rounding loses, see gridpot */
  double cutoff;   /* exponentials below it count as 0, exactly, element by element; 0: those that are too small anyway, see the
                      calls.  Blocks of points without any above it cost nothing. */
} convk_gaussian_options;

/* The Gaussian grid potential: g(i, j) = exp(alpha_j r_i^2), r_i^2 = |point_i - center|^2.  A physical Gaussian has alpha < 0.
   points     any number, also 0; finite
   center     finite; NULL: the origin
   m, alpha   any number of exponents, also 0; finite.  alpha log2(e) beyond the type's range counts as its largest number, and so
              do distances: their squares and what they are made of
   options    NULL for the default; order, compensated (0 or 1), cutoff (not negative)
   g          m rows of points.n elements (or points.n rows of m: options->order) at distance ld, 0: packed; must not overlap the
              inputs.  Past the cache by non-temporal stores where g exceeds the last-level cache (hw.tuning.nontemporal).
   Threads: blocks of points and exponents, of at least 16384 exponentials; what is less stays on the caller's thread.
   Errors: NULL, OPTION, NONFINITE (alpha, center, cutoff), COORDINATE (a point), PITCH, OVERFLOW, OVERLAP, HANDLE, THREADS.
   Accuracy: 1.1 ulp of exp(alpha_j s), with s the rounded squared distance; mul-add class: 1 ulp, with alpha_j s rounded too.
   The relative error of an exponential is the absolute one of its argument: rounding the sum of squares costs up to
   3 |alpha r^2| ulp, point - center 2 more and the product of the mul-add class 1 more, at worst.  compensated: all of these keep
   what they lose, 1.2 ulp (mul-add 1.5) of the exact value for the given coordinates; that costs a fifth of the speed.
   +inf beyond the range.  What is less than 1 + 2^-13 times the smallest normal number (1.17563e-38, 2.22529e-308) is 0, so that
   an error of as much adds to the above; no operation meets or makes a subnormal number, which takes some processors a hundred
   times as long, where the data is ordinary (exponents and coordinates whose products are no smaller than that).
   f32 exponents below 1e-30 have fewer digits the smaller they are.
   Both orders, all cuts and the variants of a class give the same bits.  Elements are stored in long runs; 4 or 8 bytes and about
   11 operations (f64 16) each: in the caches the operations count, beyond them the stores.
   Source: F. E. Weber III, Performance evaluation of memory and computationally bound chemistry applications on streaming
   GPGPUs and multi-core x86 CPUs, University of Tennessee, 2010, section 4.1, whose matrix is exponents contiguous on GPUs. */
#define CONVK_OP_GRIDPOT_(op) \
  op(gaussian, REAL, gridpot, gridpot, \
     (const convk *hw, const CONVK_TYPED_(points) *points, const CONVK_T center[3], size_t m, const CONVK_T *alpha, \
      const convk_gaussian_options *options, CONVK_T *g, size_t ld), \
     (hw, points, center, m, alpha, options, g, ld))

/* Sums over the exponents without the matrix: sums[s ld + i] = sum_j c[s ldc + j] exp(alpha_j r_i^2), s = 0 .. nsums - 1.
   c          nsums rows of m at distance ldc (0: m); finite (NONFINITE)
   sums       nsums rows of points.n at distance ld (0: packed)
   options    order must be 0
   Sums run over j in order, in the type itself; error at most (m + 3) eps sum_j |c_j g_j|, and that of g.  A sum is never -0.
   An exponential below 2^-102 = 1.97e-31 (f32) or 2^-969 = 2.0e-292 (f64) counts as nothing, also with a smaller cutoff: that is the
   smallest normal number over eps / 2, so that products with coefficients above 6e-8 or 1.1e-16 are not subnormal.  The error of
   that is at most 1.97e-31 or 2.0e-292 times sum_j |c_j|.
   An exponential serves all sums: it is made once and stays in a register, for more than one sum in L1.
   Everything else as gridpot; nsums and m may be 0 (sums over nothing are 0). */
#define CONVK_OP_GRIDPOT_SUM_(op) \
  op(gaussian, REAL, gridpot_sum, gridpot_sum, \
     (const convk *hw, const CONVK_TYPED_(points) *points, const CONVK_T center[3], size_t m, const CONVK_T *alpha, \
      size_t nsums, const CONVK_T *c, size_t ldc, const convk_gaussian_options *options, CONVK_T *sums, size_t ld), \
     (hw, points, center, m, alpha, nsums, c, ldc, options, sums, ld))

/* Orbitals on points: value[o ld + i] = sum_f coefficients[o ldc + f] chi_f(point_i), over the functions f of all shells in
   order.
   shells        nshells of them, their functions counted by convk_shell_functions; coefficients, and with derivatives those times
                 4 a^2, must fit the type (NONFINITE)
   coefficients  norbitals rows of all functions at distance ldc (0: packed); NULL: the functions themselves, norbitals being
                 their number
   options       cutoff: a primitive counts as 0 where exp(-a r^2) is below it; order and compensated must be 0.  It also does
                 where exp(-a r^2) is below 2^-80 = 8.3e-25 (f32) or 2^-969 = 2.0e-292 (f64), whatever the cutoff is
   value         norbitals rows of points.n at distance ld (0: packed); overlaps nothing
   work          orbitals_work_size bytes
   Shells in a row with the same center share its distances; those that have the same exponents too share their exponentials.
   Threads: blocks of points, of at least some 10,000 exponentials and products; what is less stays on the caller's thread.
   Errors: NULL, SIZE (norbitals without coefficients), OPTION (l, order, no primitives, an exponent that is not positive),
   NONFINITE (exponents, coefficients, centers, cutoff), COORDINATE, PITCH, OVERFLOW, OVERLAP, WORK, MEMORY, HANDLE, THREADS.
   Accuracy: about (8 + number of functions) eps times the sum of |terms|, and |a r^2| 3 eps of each primitive (mul-add 4), where
   the terms are those of the monomials that make up the functions: a spherical one has some that nearly cancel.  Primitives that
   count as nothing add at most |their term|, and results below the smallest normal number are 0.  On the way everything is
   multiplied by a power of 2, so that small coefficients and coordinates make no subnormal numbers.  An f32 call takes centers,
   and in the fused class exponents, with the digits of two floats. */
#define CONVK_OP_ORBITALS_(op) \
  op(gaussian, REAL, orbitals, orbitals, \
     (const convk *hw, const CONVK_TYPED_(points) *points, size_t nshells, const convk_shell *shells, \
      size_t norbitals, const CONVK_T *coefficients, size_t ldc, const convk_gaussian_options *options, \
      CONVK_T *value, size_t ld, void *work, size_t work_size), \
     (hw, points, nshells, shells, norbitals, coefficients, ldc, options, value, ld, work, work_size))

/* Values, gradients and Laplacians of orbitals; five arrays shaped as value.  Everything else as orbitals. */
#define CONVK_OP_ORBITALS_VGL_(op) \
  op(gaussian, REAL, orbitals_vgl, orbitals_vgl, \
     (const convk *hw, const CONVK_TYPED_(points) *points, size_t nshells, const convk_shell *shells, \
      size_t norbitals, const CONVK_T *coefficients, size_t ldc, const convk_gaussian_options *options, \
      CONVK_T *value, CONVK_T *dx, CONVK_T *dy, CONVK_T *dz, CONVK_T *laplacian, size_t ld, void *work, \
      size_t work_size), \
     (hw, points, nshells, shells, norbitals, coefficients, ldc, options, value, dx, dy, dz, laplacian, ld, work, \
      work_size))

/* The density density[i] = sum_o occupations[o] phi_o(point_i)^2 of such orbitals, which are not stored.  occupations: norbitals
   finite numbers (NONFINITE).  Orbitals less than 2^-51 = 4.4e-16 (f32) or 2^-485 = 1.0e-146 (f64) count as nothing, an error of
   at most 2.0e-31 or 1.0e-292 times their occupation.  Everything else as orbitals. */
#define CONVK_OP_DENSITY_(op) \
  op(gaussian, REAL, density, density, \
     (const convk *hw, const CONVK_TYPED_(points) *points, size_t nshells, const convk_shell *shells, \
      size_t norbitals, const CONVK_T *coefficients, size_t ldc, const CONVK_T *occupations, \
      const convk_gaussian_options *options, CONVK_T *density, void *work, size_t work_size), \
     (hw, points, nshells, shells, norbitals, coefficients, ldc, occupations, options, density, work, work_size))

/* The operations of this family; see core/operations.h. */
#define CONVK_GAUSSIAN_OPERATIONS_(op) \
  CONVK_OP_GRIDPOT_(op) \
  CONVK_OP_GRIDPOT_SUM_(op) \
  CONVK_OP_ORBITALS_(op) \
  CONVK_OP_ORBITALS_VGL_(op) \
  CONVK_OP_DENSITY_(op)

#if CONVK_HAS_GAUSSIAN_
/* How many functions a shell of angular momentum l has in this order, or CONVK_ERR_OPTION. */
CONVK_API_ int convk_shell_functions(int l, int order);

/* Counts the functions of all shells: *count is set.  Errors: NULL, OPTION, OVERFLOW. */
CONVK_API_ int convk_shells_functions(size_t nshells, const convk_shell *shells, size_t *count);

/* Looks at all that the calls ask of shells, whatever the type: *count (NULL: not wanted) is set, or `message`, size bytes (256 are
   enough; NULL: none), says which shell and what of it is wrong, as the calls do in hw->message.  Errors: NULL, OPTION (l, order,
   no primitives, an exponent that is not positive), NONFINITE, OVERFLOW. */
CONVK_API_ int convk_shells_check(size_t nshells, const convk_shell *shells, size_t *count, char *message, size_t size);

/* Coefficients of a shell from those of its normalised primitives, as files of basis sets give them: coefficients[p] =
   N contraction[p] (2 a_p / pi)^(3/4) (4 a_p)^(l/2), with N such that x y z ... R, and so every S_lm R, has the norm 1:
   1 / N^2 = sum over p, q of contraction[p] contraction[q] (2 sqrt(a_p a_q) / (a_p + a_q))^(l + 3/2).
   l             0 .. CONVK_MAX_L
   exponents     `primitives` >= 1 finite positive numbers
   coefficients  may be contraction: in place
   Errors: NULL, OPTION (l, no primitives, an exponent that is not positive), NONFINITE (also where the norm or a result is 0 or
   not finite). */
CONVK_API_ int convk_shell_normalise(int l, size_t primitives, const double *exponents, const double *contraction,
    double *coefficients);
#endif

/* points in a block of gridpot, gridpot_sum and orbitals, at most */
#define CONVK_GAUSSIAN_TUNING_(parameter) parameter(size_t, gaussian_points, ROWS)
#define CONVK_GAUSSIAN_TUNABLES_(tunable) \
  tunable(GAUSSIAN, gaussian, gridpot, f32, F32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
  tunable(GAUSSIAN, gaussian, gridpot, f64, F64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
  tunable(GAUSSIAN, gaussian, gridpot_sum, f32, F32, CONVK_TUNE_SIZES_, 1) \
  tunable(GAUSSIAN, gaussian, gridpot_sum, f64, F64, CONVK_TUNE_SIZES_, 1) \
  tunable(GAUSSIAN, gaussian, orbitals, f32, F32, CONVK_TUNE_SIZES_, 2) \
  tunable(GAUSSIAN, gaussian, orbitals, f64, F64, CONVK_TUNE_SIZES_, 2)
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
/* ---- src/gaussian/types.h ---- */

/* Points (x[i stride], y[i stride], z[i stride]), i = 0 .. n - 1.  A stride of 0 means 1: three arrays; packed xyz is
   {n, p, p + 1, p + 2, 3}. */
typedef struct CONVK_TYPED_(points) {
  size_t n;
  const CONVK_T *x, *y, *z;
  size_t stride;
} CONVK_TYPED_(points);

/* A block of points and one of exponents, as kernels want them.  In the fused class a + b is the exponent times log2(e); else a
   is the exponent. */
typedef struct CONVK_PRIVATE_(gaussian_part) {
  size_t np, na;
  const CONVK_T *s, *lo;      /* squared distances, and what they lost or NULL */
  const CONVK_T *a, *b, *top; /* top: squared distances beyond it give 0 or infinity, as it does */
  CONVK_T s_least, s_most, a_least, a_most; /* bounds of s and a */
  CONVK_T cut, below, above;  /* elements less than cut are 0: all with a s < below, none with a s > above */
  CONVK_T *out;
  size_t ld;
  int order, stream;
} CONVK_PRIVATE_(gaussian_part);

/* out[r ld + i] = sum_j c[r ldc + j] e[j pitch + i] for rows r and i < n; `more`: added to from[r from_ld + i], which may be out.
   last: times `inverse`, and 0 where it was less than `least`. */
typedef struct CONVK_PRIVATE_(gaussian_sums) {
  size_t rows, n, m, ldc, pitch, ld, from_ld;
  const CONVK_PRIVATE_(any) *c;
  const CONVK_T *e, *from;
  CONVK_T *out, inverse, least;
  int more, last;
} CONVK_PRIVATE_(gaussian_sums);

/* A shell of angular momentum l on n points: rows of x^a y^b z^c R at `to`, and where `strip` is not 0 those of its derivatives
   and its Laplacian at distances of `strip` from it.  Rows at `radial`: R, and for derivatives D = R' / r and D' / r. */
typedef struct CONVK_PRIVATE_(gaussian_shell) {
  size_t l, n, pitch, strip;
  const CONVK_T *d; /* rows of x, y, z and r^2 */
  const CONVK_T *radial;
  CONVK_T *to, *scratch;
} CONVK_PRIVATE_(gaussian_shell);

/* The arguments of gridpot, and with `sum` of gridpot_sum. */
typedef struct CONVK_PRIVATE_(gridpot_call) {
  const CONVK_TYPED_(points) *points;
  const CONVK_T *center;
  size_t m;
  const CONVK_T *alpha;
  size_t nsums;
  const CONVK_T *c;
  size_t ldc;
  const convk_gaussian_options *options;
  CONVK_T *out;
  size_t ld;
  int sum;
} CONVK_PRIVATE_(gridpot_call);

/* Those of orbitals, of orbitals_vgl (of 5 kinds, else 1) and of density. */
typedef struct CONVK_PRIVATE_(orbitals_call) {
  const CONVK_TYPED_(points) *points;
  size_t nshells;
  const convk_shell *shells;
  size_t norbitals;
  const CONVK_T *coefficients;
  size_t ldc;
  const convk_gaussian_options *options;
  size_t ld;
  const CONVK_T *occupations;
  void *work;
  size_t work_size;
  int density;
  size_t kinds;
  CONVK_T *out[5];
} CONVK_PRIVATE_(orbitals_call);

/* What an instruction set offers; or a device, which besides fused and finite has only the last two, for host arrays. */
typedef struct CONVK_PRIVATE_(gaussian_kernels) {
  int fused;
  int (*finite)(const CONVK_T *p, size_t n);
  void (*exponents)(const CONVK_T *alpha, size_t n, CONVK_T *rows, size_t pitch, CONVK_T *bounds);
  void (*distances)(const CONVK_T *const *xyz, size_t n, const CONVK_T *center, CONVK_T *d, size_t pitch, CONVK_T *s, CONVK_T *lo,
                    CONVK_T *extremes);
  void (*exponentials)(const CONVK_PRIVATE_(gaussian_part) *part);
  void (*sums)(const CONVK_PRIVATE_(gaussian_sums) *part);
  int (*collect)(const CONVK_PRIVATE_(gaussian_part) *part, const CONVK_PRIVATE_(gaussian_sums) *sums);
  void (*shell)(const CONVK_PRIVATE_(gaussian_shell) *part);
  void (*squares)(const CONVK_T *value, size_t pitch, size_t rows, const CONVK_T *weight, CONVK_T *out, size_t n);
  void (*fence)(void);
  int (*gridpot)(const convk *hw, const CONVK_PRIVATE_(gridpot_call) *call);
  int (*orbitals)(const convk *hw, const CONVK_PRIVATE_(orbitals_call) *call);
} CONVK_PRIVATE_(gaussian_kernels);

#if CONVK_HAS_GAUSSIAN_ && CONVK_HAS_TYPE_
/* Bytes of work for orbitals, orbitals_vgl and density on this handle (NULL: serial): 0 where the shells are wrong.
   norbitals  as in the call; without coefficients 0 is enough, and asks for less than the number of functions does
   Devices need none and ignore what they get. */
CONVK_API_ size_t CONVK_TYPED_(orbitals_work_size)(const convk *hw, size_t nshells, const convk_shell *shells,
    size_t norbitals);
#endif
#endif
#ifndef CONVK_PASS_
/* ---- src/formfactor/api.h ---- */
#define CONVK_FORM_STATUS_(item) \
  item(CONVK_ERR_OPEN_MESH, -24, "the closed form needs a closed mesh") \
  item(CONVK_ERR_FACE, -39, "a face names a vertex that the mesh does not have") \
  item(CONVK_ERR_ORIENTATION, -40, "some faces of a closed mesh are inside out") \
  item(CONVK_ERR_PLACEMENT, -41, "a placement names a mesh that is not there, or its scale is negative")

#define CONVK_SPHERE_DEGREE_ ((size_t)16384) /* of a quadrature, at most: 134 million directions */
#define CONVK_FORM_TRIANGLES_ ((size_t)512) /* of a list, whose sum is one of the type; such sums are added in doubles */
#define CONVK_FORM_Q_ ((size_t)256)         /* vectors of q in a task of a list, at most */
#define CONVK_FORM_QUANTUM_ ((size_t)16)    /* what lanes are filled up to: as many as the longest vector has; a list to twice that */
#define CONVK_FORM_BLOCK_ ((size_t)64)      /* triangles of a grid, whose sum is one of the type; a multiple of all lanes */
#define CONVK_FORM_VERTICES_ ((size_t)96)   /* whose phases are kept at a time, and triangles between them */
#define CONVK_FORM_FACES_ ((size_t)256)
#define CONVK_FORM_MEAN_ 32                 /* in place of an order: the mean over the triangle */
#define CONVK_FORM_GIVEN_ 13                /* numbers of one q, see form_given */
#define CONVK_FORM_FITTED_ (-1)             /* the order that each q needs */
#define CONVK_FORM_TOLERANCE_ (1.0 / 1024)  /* of AUTO */
#define CONVK_FORM_ROWS_ 4                  /* rows of a register tile */
#define CONVK_FORM_LANES_ ((size_t)1024)    /* values of q on the lanes' axis of a tile, at most */
#define CONVK_FORM_TILE_ROWS_ ((size_t)512) /* and rows */

/* Which surface integral; see formfactor. */
enum {
  CONVK_FORM_AUTO = 0,   /* closed where the mesh is (mesh_measure tells), otherwise open; with corners the order that each q needs */
  CONVK_FORM_CLOSED = 1, /* exp(i q.r) - 1: exact for small q; an open mesh is an error */
  CONVK_FORM_OPEN = 2,   /* exp(i q.r) */
  CONVK_FORM_EXACT = 3   /* every triangle exactly, for q of any size; closed where the mesh is; needs corners */
};

/* Options of the form factors; all 0 (or NULL for the struct) is the default. */
typedef struct convk_formfactor_options {
  int form;         /* CONVK_FORM_AUTO ... */
  int fourth_order; /* 1: the correction of facets, whose error falls from (q h)^2 to (q h)^4: order 2; needs corners */
  int order;        /* 2, 4, 8, 12 or 16: of a series about the centroid of each triangle, needs corners; 0: as the form says */
  const void *qx_imag, *qy_imag; /* imaginary parts of qx and qy, of the call's type, or NULL; list of q only, need corners */
} convk_formfactor_options;

/* What a mesh is, in sums of doubles. */
typedef struct convk_mesh_measures {
  double area;   /* of all triangles */
  double volume; /* sum of a.r / 3: positive where normals point outward */
  double gap[3]; /* sum of the vector areas: 0 where the mesh is closed */
  double least[3], most[3]; /* coordinates of centroids, and 0 */
  double edge;   /* the longest; 0 where the mesh has no corners */
  int closed;    /* by the edges where the mesh has them, else whether |gap| is explained by roundings */
} convk_mesh_measures;

/* Polyhedra of mesh_polyhedron. */
enum {
  CONVK_TETRAHEDRON = 0,
  CONVK_CUBE = 1,
  CONVK_OCTAHEDRON = 2,
  CONVK_DODECAHEDRON = 3,
  CONVK_ICOSAHEDRON = 4
};

/* What mesh_check finds of an indexed mesh.  An edge joins two different vertices, whichever way; a face's edges run from its first
   vertex to its second and so on. */
typedef struct convk_mesh_report {
  size_t edges;
  size_t border;     /* edges of one face: here the mesh is open */
  size_t turned;     /* edges along which two faces run in the same direction: one of them is inside out */
  size_t crowded;    /* edges of more than two faces, as where two bodies touch */
  size_t degenerate; /* faces without area */
  size_t unused;     /* vertices of no face */
  double area, volume;
  int closed;   /* every edge has as many faces in one direction as in the other: what the closed form needs */
  int manifold; /* and just one in each */
} convk_mesh_report;

#if CONVK_HAS_FORMFACTOR_
/* Bytes of work of mesh_join and mesh_check; (size_t)-1: overflow. */
CONVK_API_ size_t convk_mesh_work_size(size_t vertices, size_t faces);

/* How many directions sphere_quadrature gives; (size_t)-1: a degree above 16384. */
CONVK_API_ size_t convk_sphere_directions(size_t degree, int half);

/* A bound for what an order (0, 2, 4, 8, 12 or 16) leaves out of F at |q|, relative to F(0); of an open mesh relative to the
   cube of its longest edge, so that it grows with the area.  For complex q times the greatest exp(-Im q.r).  It holds for the
   worst of all triangles of that edge: real meshes stay below, by a factor of 3 to 1000.
   measures: of a mesh with corners.  Negative: measures are NULL, or there is no such order. */
CONVK_API_ double convk_formfactor_error(const convk_mesh_measures *measures, double q, int order);
#endif

/* The form factor F(q) = integral over the body of exp(i q.r) of a triangulated surface, for a list of q:
     F(q) = -(i / |q|^2) sum_t (conj(q).a_t) [exp(i q.r_t) - 1]      (the -1 only for closed meshes, whose a_t sum to 0)
   by the divergence theorem and one point per triangle (A. Sarje, X. S. Li, A. Hexemer, Tuning HipGISAXS on multi and many core
   supercomputers, PMBS 2013, equations 1 and 2, in the form that holds for complex q too).
   mesh      lengths in any unit; also without triangles (F = 0)
   q         nq vectors, also 0, in the inverse unit; qz_imag: imaginary parts of qz, as in an absorbing film, or NULL
   options   NULL for the default.  form: AUTO, CLOSED, OPEN, EXACT.  fourth_order: a factor 1 - sum_i (q.d_i)^2 / 24 per triangle,
             d_i from the centroid to the corners.  order: more terms of that series.  qx_imag, qy_imag: nq imaginary parts
   What a triangle counts by: with CLOSED, OPEN and meshes without corners, its centroid, or the series of the given order.
   EXACT integrates exp(i q.r) over each triangle: for every q the order of the series (2 to 16) that leaves less than roundings
   do, as convk_formfactor_error tells from |q| and the longest edge, and beyond |q| edge = 2 a closed form by the phases of the
   corners, each taken once where the mesh has faces.  AUTO with corners does the same to 2^-10 of F(0) (of an open mesh: of a
   sixth of area times longest edge), and so takes centroids where |q| is small.  Each F depends on its own q alone.
   f         nq complex numbers, real and imaginary part in turn; overlaps nothing
   F(0) is the volume, in every form; |q| below 1e-154 counts as 0.  Threads: blocks of q.
   Errors: NULL (also corners that are needed), OPTION, NONFINITE (q), COORDINATE (mesh), OPEN_MESH (CLOSED asked for),
   RANGE (some |q.r| above 2^22 pi (f32) or 2^51 pi (f64), whose phases have no digits left, or exp(-Im q.r) or a sum of it may
   overflow), OVERFLOW, OVERLAP, MEMORY, HANDLE, THREADS.
   Accuracy of EXACT, over F(0) times the greatest exp(-Im q.r): 1e-15 to 9e-15 (f64), 5e-7 to 1.4e-6 (f32; 2.5e-6 where
   corners come from arrays).  Of the sum else: phases
   to 4 eps (|qx x| + |qy y| + |qz z|), sine and cosine to 2 eps; f32 sums 512 triangles in f32 and
   those sums in f64.  That of the quadrature is (q h)^2 for triangles of size h, or (q h)^4.  The origin belongs into or near
   the body: errors grow with |q.r|, at small q as eps |r| / size of the volume, and where exp(-Im q.r) is small everywhere the
   closed form keeps digits relative to the volume only.  Else shift the mesh by -d and multiply F by exp(i q.d).
   Work: 43 flops per triangle and q, 65 with complex qz; order 4 takes 1.8, 8 2.1, 12 and 16 2.6 to 3 times as long, the closed form 1.5 to 6
   times (least where all edges are many turns long).
   Source of the closed form: divided differences of exp (Hermite, Genocchi); for polyhedra see J. Wuttke, J. Appl. Cryst. 54, 580
   (2021). */
#define CONVK_OP_FORMFACTOR_(op) \
  op(form, REAL, formfactor, formfactor, \
     (const convk *hw, const CONVK_TYPED_(mesh) *mesh, size_t nq, const CONVK_T *qx, const CONVK_T *qy, \
      const CONVK_T *qz, const CONVK_T *qz_imag, const convk_formfactor_options *options, CONVK_T *f), \
     (hw, mesh, nq, qx, qy, qz, qz_imag, options, f))

/* The form factor on the tensor grid q = (qx[i], qy[j], qz[k] + i qz_imag[k]): phases are products of three factors, and the
   sum over triangles becomes a product of complex matrices with 6 multiply-adds per triangle and q and hardly any sine.
   grid      nx, ny, nz values of qx, qy, qz; pitches in complex elements, x contiguous
   qz_imag   nz of them, or NULL
   options   as for the list, but that AUTO takes centroids.  fourth_order: 10 multiply-adds instead of 6, at about 0.6 of the rate, and
             corners.  Means over triangles (EXACT) and higher orders are no products over the axes, or of too many terms: they go by
             lists of q, with memory of their own; not for arrays on a device (OPTION)
   f         complex element (i, j, k) at i + j pitch_y + k pitch_z; overlaps nothing
   work      formfactor_grid_work_size bytes
   Threads: rows of the grid.  Errors as formfactor, and SIZE, PITCH, WORK.
   Accuracy: as formfactor; phases to 4 eps each; fourth_order takes (q.d_i)^2 apart by powers of q on the longest axis, and errs by
   eps of the squares of |qx dx| + |qy dy| + |qz dz|. */
#define CONVK_OP_FORMFACTOR_GRID_(op) \
  op(form, REAL, formfactor_grid, formfactor_grid, \
     (const convk *hw, const CONVK_TYPED_(mesh) *mesh, const convk_grid3 *grid, const CONVK_T *qx, const CONVK_T *qy, \
      const CONVK_T *qz, const CONVK_T *qz_imag, const convk_formfactor_options *options, CONVK_T *f, void *work, \
      size_t work_size), \
     (hw, mesh, grid, qx, qy, qz, qz_imag, options, f, work, work_size))

/* The operations of this family; see core/operations.h. */
#define CONVK_FORM_OPERATIONS_(op) \
  CONVK_OP_FORMFACTOR_(op) \
  CONVK_OP_FORMFACTOR_GRID_(op)

/* vectors of q in a task of formfactor, at most; pairs of q in a tile of formfactor_grid */
#define CONVK_FORM_TUNING_(parameter) parameter(size_t, formfactor_q, ROWS) parameter(size_t, formfactor_rows, ROWS)
#define CONVK_FORM_TUNABLES_(tunable) \
  tunable(FORMFACTOR, form, formfactor, f32, F32, CONVK_TUNE_SIZES_, 0) \
  tunable(FORMFACTOR, form, formfactor, f64, F64, CONVK_TUNE_SIZES_, 0) \
  tunable(FORMFACTOR, form, formfactor_grid, f32, F32, CONVK_TUNE_SIZES_, 1) \
  tunable(FORMFACTOR, form, formfactor_grid, f64, F64, CONVK_TUNE_SIZES_, 1)

/* Vectors of q that an assembly takes at a time, at most: what its work is for. */
#define CONVK_FORM_MANY_ ((size_t)8192)

/* A particle of an assembly: a point v of its mesh lies at scale R v + position.  Zero-initialise it, then set what there is.
   Where the weights of all particles are 0 they are left out, and each counts as 1. */
typedef struct convk_placement {
  size_t mesh;        /* which of the assembly's, from 0 */
  double position[3];
  double rotation[9]; /* R in rows; all 0: none.  Whether it is a rotation is the caller's business */
  double scale;       /* positive; 0: 1 */
  double weight[2];   /* complex: contrast, occupancy; 0: not there, beside others that are */
} convk_placement;
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
/* ---- src/formfactor/types.h ---- */

/* Vertices, and faces of three of them: seen from outside the body they run anticlockwise.  convk_mesh_join makes it of triangles. */
typedef struct CONVK_TYPED_(indexed_mesh) {
  size_t vertices, faces;
  CONVK_T *x, *y, *z; /* of the vertices */
  uint32_t *face;     /* three vertices of each face, from 0 */
} CONVK_TYPED_(indexed_mesh);

/* Triangles as structure of arrays: vector area a = (v1 - v0) x (v2 - v0) / 2, which is area times outward unit normal, the
   centroid r, and optionally two corners from it, u = v0 - r and w = v1 - r, or NULL.  Corners are needed by CONVK_FORM_EXACT,
   fourth_order, order, qx_imag and qy_imag; CONVK_FORM_AUTO uses them where they are there, and is less exact without them.
   convk_mesh_assign sets the pointers, convk_mesh_from_triangles or convk_mesh_from_faces fills the arrays.
   indexed: NULL, or the same triangles as n faces, by whose edges the mesh then is judged to be closed or not.  Where arrays that a
   call needs are NULL it makes them of the faces as it goes; calls whose arrays lie on a device need them. */
typedef struct CONVK_TYPED_(mesh) {
  size_t n;
  CONVK_T *ax, *ay, *az, *x, *y, *z;
  CONVK_T *ux, *uy, *uz, *wx, *wy, *wz;
  const CONVK_TYPED_(indexed_mesh) *indexed;
} CONVK_TYPED_(mesh);

/* What a kernel sums: n triangles for nq vectors of q, whose arrays are filled up to whole vectors, and for order 0 to twice that;
   g = conj(q).a / |q|, and E = exp(i q.r) at the centroid, with a correction of `order`, or its mean over the triangle:
   (re, im) is minus the real part, and the imaginary part, of the sum of g (E - 1) / 2. */
typedef struct CONVK_PRIVATE_(form_part) {
  size_t n, nq;
  int imag, order;
  const CONVK_PRIVATE_(any) *area[3], *at[3], *u[3], *w[3]; /* of the triangles */
  const CONVK_T *turns[3];  /* q / (2 pi) */
  const CONVK_T *along[3];  /* q / |q|, real parts */
  const CONVK_T *decay;     /* - qz_imag log2 e */
  const CONVK_T *imag_along[3], *imag_turns[3]; /* imaginary parts of q / |q|, q / (2 pi) */
  /* for the mean, instead of what lies at centroids: vertices, and three of them for each triangle */
  size_t vertices;
  const CONVK_T *vertex[3];
  const unsigned short *corner;
  CONVK_T *re, *im;
} CONVK_PRIVATE_(form_part);

/* A tile of a tensor grid and a block of triangles.  Values of q on one axis lie in the lanes, a row is a pair of values on the
   two others.  With E = exp(i q_axis r_axis): per row and triangle, D is the product of the row's two E, less 1; the sum over
   triangles is of ((row's part of conj(q).a) D + q_lane (a_lane D)) E_lane.  With fourth order the factor of E_lane has the third
   degree in q_lane, and q_lane is that of lengths in units of 1 / per: powers of both keep within the numbers of the type. */
typedef struct CONVK_PRIVATE_(form_tile) {
  size_t lanes;                   /* filled up to a multiple of CONVK_FORM_QUANTUM_ */
  int fourth_order;
  const CONVK_T *area[3], *at[3]; /* of CONVK_FORM_BLOCK_ triangles, the lanes' axis first; filled up by zeros */
  const CONVK_T *corner[6];       /* and with fourth order u and w */
  CONVK_T per;
  const CONVK_T *q, *turns;       /* of the lanes: q, q / (2 pi) */
  CONVK_T *phase;                 /* E_lane: per vector and triangle, real and imaginary parts */
  CONVK_T *moment;                /* per axis, minus the real and the imaginary parts of the sum of a_axis (E_lane - 1) / 2 */
  CONVK_T *terms;                 /* per row: real and imaginary parts of the factors of E_lane above */
  CONVK_T row_q[CONVK_FORM_ROWS_][2], row_imag[CONVK_FORM_ROWS_][2]; /* q of the rows, and its imaginary part */
  const CONVK_T *row_phase[CONVK_FORM_ROWS_][2];                     /* E - 1 of theirs: real, then imaginary parts */
  double *sum[CONVK_FORM_ROWS_];                                     /* real, then imaginary parts of the lanes */
} CONVK_PRIVATE_(form_tile);

/* What an instruction set offers. */
typedef struct CONVK_PRIVATE_(form_kernels) {
  void (*list)(const CONVK_PRIVATE_(form_part) *part);
  void (*faces)(const CONVK_PRIVATE_(form_part) *part);
  void (*lanes)(const CONVK_PRIVATE_(form_tile) *tile);
  void (*row)(const CONVK_T *at, CONVK_T turns, int imag, CONVK_T decay, CONVK_T *phase);
  void (*rows)(const CONVK_PRIVATE_(form_tile) *tile);
} CONVK_PRIVATE_(form_kernels);

/* Particles: meshes, each in its own coordinates, and where copies of them are. */
typedef struct CONVK_TYPED_(assembly) {
  size_t meshes, placements;
  const CONVK_TYPED_(mesh) *mesh;
  const convk_placement *placement;
} CONVK_TYPED_(assembly);

/* The waves of formfactor_dwba, nq of each array.  Amplitudes are complex numbers, real and imaginary part in turn. */
typedef struct CONVK_TYPED_(dwba) {
  const CONVK_T *qx, *qy;
  const CONVK_T *kz_in, *kz_in_imag;   /* z components of wave vectors in the particles' layer; imaginary parts or NULL: 0 */
  const CONVK_T *kz_out, *kz_out_imag;
  const CONVK_T *t_in, *t_out;         /* of the transmitted waves; NULL: 1 */
  const CONVK_T *r_in, *r_out;         /* of the reflected waves; NULL: 0 */
} CONVK_TYPED_(dwba);

#if CONVK_HAS_FORMFACTOR_ && CONVK_HAS_TYPE_
/* Points the arrays of a mesh of n triangles into storage of 6 n elements, or of 12 n with corners.
   corners  whether the mesh has u and w, too
   Errors: NULL, OVERFLOW. */
CONVK_API_ int CONVK_TYPED_(mesh_assign)(size_t n, int corners, CONVK_T *storage, CONVK_TYPED_(mesh) *mesh);

/* Fills a mesh of mesh->n triangles from their corners: nine numbers a triangle, v0 v1 v2 as x y z, seen from outside
   anticlockwise.  The arrays of corners may be NULL.  Computed in doubles, rounded once.  Triangles without area are kept and
   count for nothing.  Errors: NULL, OVERFLOW, COORDINATE (not finite), RANGE (beyond 1e18 or 1e153), OVERLAP. */
CONVK_API_ int CONVK_TYPED_(mesh_from_triangles)(const CONVK_T *corners, const CONVK_TYPED_(mesh) *mesh);

/* Fills a mesh of mesh->n triangles, as mesh_from_triangles does, from the faces of mesh->indexed.  Errors: NULL, SIZE (faces
   are not n), OVERFLOW, FACE (a vertex that is not there), COORDINATE, RANGE, OVERLAP. */
CONVK_API_ int CONVK_TYPED_(mesh_from_faces)(const CONVK_TYPED_(mesh) *mesh);

/* Joins triangles, given by their corners as for mesh_from_triangles, into vertices and faces: corners with the same bits are one
   vertex (0 and -0, too), in the order in which they first come.
   mesh   faces: how many triangles; x, y, z: room for 3 faces numbers each; face: room for 3 faces; `vertices` is written
   work   convk_mesh_work_size(0, faces) bytes, or NULL
   Errors: NULL, OVERFLOW (also above 2^30 faces), COORDINATE, RANGE, OVERLAP, WORK, MEMORY. */
CONVK_API_ int CONVK_TYPED_(mesh_join)(const CONVK_T *corners, CONVK_TYPED_(indexed_mesh) *mesh, void *work, size_t work_size);

/* What mesh_join undoes: the corners of the faces, nine numbers each, as mesh_from_triangles takes them.  Errors: NULL,
   OVERFLOW, FACE, COORDINATE, RANGE, OVERLAP. */
CONVK_API_ int CONVK_TYPED_(mesh_corners)(const CONVK_TYPED_(indexed_mesh) *mesh, CONVK_T *corners);

/* Looks at every edge and face: whether the mesh is closed and its faces agree on what is outside, and how much it encloses.
   work   convk_mesh_work_size(vertices, faces) bytes, or NULL
   Errors: NULL, OVERFLOW, FACE, COORDINATE, RANGE, OVERLAP (work and mesh), WORK, MEMORY. */
CONVK_API_ int CONVK_TYPED_(mesh_check)(const CONVK_TYPED_(indexed_mesh) *mesh, convk_mesh_report *report, void *work,
                                        size_t work_size);

/* Area, volume, gap, extent, and whether the mesh is closed.  Errors: NULL, SIZE, OVERFLOW, FACE, COORDINATE (not finite), RANGE. */
CONVK_API_ int CONVK_TYPED_(mesh_measure)(const CONVK_TYPED_(mesh) *mesh, convk_mesh_measures *measures);

/* ---- ready meshes: closed surfaces, outward, about the origin; prisms, pyramids and cylinders along z, half of them below 0 ----
   mesh   with x, y, z and face NULL only `vertices` and `faces` are written: how many there will be.  Otherwise these two say how
          many the arrays have room for, and are written, too.  All arrays NULL, or none
   Flat faces have as few triangles as they can.  The same bits everywhere.  Lengths are positive, as 1e18 (f32) or 1e153 at most.
   Errors of all: NULL, NONFINITE (a length), SIZE (a length that is not positive, too little room, or as below), RANGE (a length, a
   corner), OVERFLOW (above 2^30 faces), OVERLAP. */

/* A box with sides a, b and c along x, y and z: 8 vertices, 12 faces. */
CONVK_API_ int CONVK_TYPED_(mesh_box)(double a, double b, double c, CONVK_TYPED_(indexed_mesh) *mesh);

/* A pyramid on a rectangle with sides a and b along x and y, cut off where it is `top` times as large as its base: 1, a box; 0, its
   tip, 5 vertices, 6 faces.  Errors: also SIZE, top outside 0 .. 1. */
CONVK_API_ int CONVK_TYPED_(mesh_pyramid)(double a, double b, double height, double top, CONVK_TYPED_(indexed_mesh) *mesh);

/* A prism on a regular polygon of n edges, the first of its corners on the x axis: 2 n vertices, 4 n - 4 faces.  Errors: also
   SIZE, n below 3. */
CONVK_API_ int CONVK_TYPED_(mesh_prism)(size_t n, double edge, double height, CONVK_TYPED_(indexed_mesh) *mesh);

/* A cylinder, or with another radius at its top the frustum of a cone, with 0 a cone: polygons of n corners on the circles, so that
   of the volume (2 pi / n)^2 / 6 is missing.  2 n vertices, 4 n - 4 faces; of a cone n + 1 and 2 n - 2.  Errors: also SIZE, n below 3. */
CONVK_API_ int CONVK_TYPED_(mesh_cylinder)(double radius, double height, double top, size_t n,
    CONVK_TYPED_(indexed_mesh) *mesh);

/* A sphere: an icosahedron whose edges are cut into n >= 1 parts and whose 10 n^2 + 2 vertices lie on the sphere; 20 n^2 faces with
   edges up to 1.31 radius / n, and 0.55 / n^2 of the volume is missing. */
CONVK_API_ int CONVK_TYPED_(mesh_sphere)(double radius, size_t n, CONVK_TYPED_(indexed_mesh) *mesh);

/* The same stretched: half axes along x, y and z. */
CONVK_API_ int CONVK_TYPED_(mesh_ellipsoid)(double rx, double ry, double rz, size_t n, CONVK_TYPED_(indexed_mesh) *mesh);

/* A regular polyhedron.  Axes of order 2 or 4 are x, y and z.
   kind   CONVK_TETRAHEDRON ...
   edge   its length, before corners are cut off
   cut    0, or what is cut off of either end of each edge, up to edge / 2.  Of octahedron or cube edge / 2 leaves a cuboctahedron,
          of icosahedron or dodecahedron an icosidodecahedron; edge / 3 of what has triangles makes all edges equal
   V, E: vertices and edges of the polyhedron.  V vertices; with cut 2 E, with cut = edge / 2 E; twice as many faces, less 4.
   Errors: also OPTION (kind), SIZE (cut). */
CONVK_API_ int CONVK_TYPED_(mesh_polyhedron)(int kind, double edge, double cut, CONVK_TYPED_(indexed_mesh) *mesh);

/* Rotates a mesh: every vector v becomes R v, R in rows.  A rotated particle then keeps its tensor grid of q: its form factor is
   F(R^T q).  out: a mesh of as many triangles, or the same (in place); corners are rotated where both have them.
   out->indexed serves its edges only and is not rotated: all arrays are needed then, corners too.
   Errors: NULL, OVERFLOW, SIZE (another n), NONFINITE (R; whether it is a rotation is the caller's business), OVERLAP (of what
   is not the same array). */
CONVK_API_ int CONVK_TYPED_(mesh_rotate)(const CONVK_TYPED_(mesh) *mesh, const double rotation[9],
    const CONVK_TYPED_(mesh) *out);

/* Bytes of work of formfactor_grid on this handle (NULL: serial); qz_imag: whether there is one.  (size_t)-1: overflow, or a bad
   grid.  Of devices: 0. */
CONVK_API_ size_t CONVK_TYPED_(formfactor_grid_work_size)(const convk *hw, const convk_grid3 *grid, int qz_imag);

/* ---- many particles: built on formfactor of the same handle, so on all hardware ----
   No operations of the list: they add no kernel, and have no functions of one instruction set. */

/* Bytes of work of the functions below for `count` vectors of q: nq of formfactor_assembly, nq directions of formfactor_powder, 4 nq
   of formfactor_dwba.  At most 2 MB, 80 bytes for each placement and 1000 for each mesh.  (size_t)-1: overflow. */
CONVK_API_ size_t CONVK_TYPED_(formfactor_assembly_work_size)(const CONVK_TYPED_(assembly) *assembly, size_t count);

/* The form factor of an assembly of particles, for a list of q:
     F(q) = sum_k f_k,  f_k = c_k exp(i q.R_k) s_k^3 F_mesh(s_k R_k^T q)      (coherent; c: weight, R: position and rotation, s: scale)
     intensity(q) = sum_k |f_k|^2                                             (incoherent: particles that know nothing of each other)
   q, options  as formfactor, without qx_imag and qy_imag; rotations but about z make qz_imag an imaginary part of every component,
               and then need corners or faces
   f           nq complex numbers, or NULL
   intensity   nq numbers, or NULL, but not both
   work        formfactor_assembly_work_size(assembly, nq) bytes
   Particles that share mesh, rotation and scale share one form factor, and are then a structure factor sum_k c_k exp(i q.R_k)
   alone.  Sums are in doubles, in the order of mesh, rotation, scale and number, whatever the threads.
   Errors: as formfactor, and PLACEMENT, COORDINATE (a position), NONFINITE (weight, rotation, scale), RANGE (a number beyond 1e18 or
   1e153, or phases q.R), WORK.
   Accuracy: formfactor's, and phases to 4 eps (|qx x| + |qy y| + |qz z|); a structure factor to a few eps of sum |c|: with
   absorption the origin belongs to the height where waves are strongest.
   Work: each group of particles as formfactor, and 43 flops per particle and q, 65 with complex qz or weights.  On devices three
   calls of formfactor for each group's structure factor, six with complex weights. */
CONVK_API_ int CONVK_TYPED_(formfactor_assembly)(const convk *hw, const CONVK_TYPED_(assembly) *assembly, size_t nq,
    const CONVK_T *qx, const CONVK_T *qy, const CONVK_T *qz, const CONVK_T *qz_imag, const convk_formfactor_options *options,
    CONVK_T *f, CONVK_T *intensity, void *work, size_t work_size);

/* Directions over the sphere and their weights, a rule for averages over orientations: sum_j weight[j] f(n[j]) is the mean of f over
   the sphere, exactly for all spherical harmonics up to a degree.  Gauss and Legendre's nodes in z, from the north pole down, and at
   each degree + 1 equal angles: floor(degree / 2) + 1 rings.  In doubles, rounded once; the same bits everywhere.
   half    0, or 1: only rings at z >= 0, for functions with f(-n) = f(n), as |F|^2 of particles whose weights are real: half the
           directions
   arrays  convk_sphere_directions(degree, half) numbers each
   Which degree: |F(q n)|^2 of particles that measure d from end to end, all of them together, has little beyond q d.  Of boxes,
   tetrahedra and rods with q d up to 50 the powder average by degree q d errs by 1e-2 of it at most, by q d + 10 1e-5, by
   q d + 20 2e-9; at q d = 100 two digits are less right.
   Errors: NULL, OPTION (half), OVERFLOW (degree above 16384), OVERLAP.  Accuracy (f64): averages of spherical harmonics with
   a mean square of 1 to 1e-15 up to degree 30, 2e-15 up to 60. */
CONVK_API_ int CONVK_TYPED_(sphere_quadrature)(size_t degree, int half, CONVK_T *nx, CONVK_T *ny, CONVK_T *nz, CONVK_T *weight);

/* Any number n of directions, evenly over the sphere, or with half over z >= 0: a spiral whose turns are cut by the golden section
   (A. Gonzalez, Math. Geosci. 42, 49 (2010)).  Their weights are equal: NULL in formfactor_powder.  Where the number is
   given, or for a look: powder averages err by 1e-2 to 1e-4 where as many directions of sphere_quadrature reach 1e-5.  Errors: NULL, OPTION (half), OVERFLOW, OVERLAP. */
CONVK_API_ int CONVK_TYPED_(sphere_spiral)(size_t n, int half, CONVK_T *nx, CONVK_T *ny, CONVK_T *nz);

/* The average over orientations, as of a powder or a solution, by a quadrature of the sphere: intensity[i] = sum_j weight[j]
   |F(q[i] n[j])|^2, F that of formfactor_assembly.
   q           nq values
   directions  n = (nx, ny, nz)[j], unit vectors, and their weights, whose sum should be 1; NULL: all equal, 1 / directions.
               sphere_quadrature and sphere_spiral give both, and say how many are enough.  Also 0 directions
   work        formfactor_assembly_work_size(assembly, nq directions) bytes
   Sums over j are in doubles, in order.  Errors: as formfactor_assembly. */
CONVK_API_ int CONVK_TYPED_(formfactor_powder)(const convk *hw, const CONVK_TYPED_(assembly) *assembly, size_t nq,
    const CONVK_T *q, size_t directions, const CONVK_T *nx, const CONVK_T *ny, const CONVK_T *nz, const CONVK_T *weight,
    const convk_formfactor_options *options, CONVK_T *intensity, void *work, size_t work_size);

/* The distorted-wave Born approximation for particles in one layer of a film (Rauscher, Salditt, Spohn, Phys. Rev. B 52, 16855
   (1995); Renaud, Lazzari, Leroy, Surf. Sci. Rep. 64, 255 (2009), equation of the four terms):
     f = t_in t_out F(q, kz_out - kz_in) + t_in r_out F(q, -kz_out - kz_in)
       + r_in t_out F(q, kz_out + kz_in) + r_in r_out F(q, -kz_out + kz_in),   q = (qx, qy), F that of formfactor_assembly
   waves       of the scattered vector out less the incident vector in: kz_in is that of the incident wave going down, Re < 0 where z
               points up, kz_out that of the wave going up.  The amplitudes are those at z = 0
   work        formfactor_assembly_work_size(assembly, 4 nq) bytes
   F has exp(+i q.r), so waves are exp(-i k.r), n = 1 - delta - i beta and in layers that absorb Im kz_in >= 0 >= Im kz_out.  With
   waves exp(i k.r) and n = 1 - delta + i beta give minus qx, qy, kz_in and kz_out.
   Terms whose amplitude is 0 are not computed, and vectors of q that come again within 2048 entries of the list only once.
   Errors: as formfactor_assembly, and NONFINITE (an amplitude). */
CONVK_API_ int CONVK_TYPED_(formfactor_dwba)(const convk *hw, const CONVK_TYPED_(assembly) *assembly, size_t nq,
    const CONVK_TYPED_(dwba) *waves, const convk_formfactor_options *options, CONVK_T *f, void *work, size_t work_size);
#endif
#endif
#ifndef CONVK_PASS_
/* ---- src/fft/api.h ---- */
/* A batch of small convolutions is one call.  Per item: transforms along y, which read the field itself (rows beyond it are never
   loaded, columns beyond it never transformed); along x, each line on its way multiplied by the kernel's spectrum and
   transformed back while it lies in registers and L1; back along y, where only wanted rows and columns are computed.
   Lines go through vectors, one transform per lane: of neighbouring columns (then of neighbouring frequencies), or of as many
   items as there are lanes, whichever is faster; the operations on each number are the same. */
#define CONVK_FFT_STATUS_(item) \
  item(CONVK_ERR_FFT_SIZE, -26, "an FFT size is no product of 2, 3, 5, 7 up to 1024, or too small") \
  item(CONVK_ERR_MODE, -27, "unknown mode of a convolution, or sizes that it does not take") \
  item(CONVK_ERR_VALID, -28, "no result is valid (kept for programs that name it: a kernel may be larger than a field)") \
  item(CONVK_ERR_WINDOW, -29, "the window of results leaves the convolution") \
  item(CONVK_ERR_PLAN, -30, "no plan, or the plan of another operation, type or version") \
  item(CONVK_ERR_INDEX, -31, "an item asks for a kernel that the plan does not have")

/* Which part of a convolution is wanted, in the terms of scipy.signal.convolve and correlate (correlate2d and MATLAB's conv2 begin
   CONVK_SAME at k / 2 instead, which CONVK_WINDOW gives).  With the full convolution of n points of a field and
   k of a kernel being C[0 .. n + k - 2], per axis:
   CONVK_FULL       C                          n + k - 1 points
   CONVK_SAME       from C[(k - 1) / 2] on     n points
   CONVK_VALID      C[k - 1 .. n - 1]          n - k + 1 points, where the kernel lies within the field; or C[n - 1 .. k - 1],
                                               k - n + 1 points, where the field lies within a larger kernel
   CONVK_CIRCULAR   of period p (fft_rows, fft_columns; 0: the field's own): sum over j of field[j] kernel[(i + origin - j) mod p]
                    for i = 0 .. out - 1; a smaller field or kernel is filled up with zeros.  out 0: the field's size
   CONVK_WINDOW     C[origin .. origin + out - 1], which must lie within C */
enum { CONVK_FULL = 0, CONVK_SAME = 1, CONVK_VALID = 2, CONVK_CIRCULAR = 3, CONVK_WINDOW = 4 };

/* What an item of fftconv2d is; zero-initialise it, then set the sizes.  Rows are the slow axis. */
typedef struct convk_fftconv2d_shape {
  size_t rows, columns;               /* of a field */
  size_t kernel_rows, kernel_columns; /* of a kernel; of no meaning for CONVK_CIRCULAR with a spectrum */
  int mode;                           /* CONVK_FULL ... */
  int correlation;                    /* 1: the kernel is conjugated and reversed: kernel[j] -> conj(kernel[k - 1 - j]), or
                                         kernel[-j mod p] where circular */
  ptrdiff_t origin_row, origin_column; /* of CONVK_CIRCULAR and CONVK_WINDOW, else 0 */
  size_t out_rows, out_columns;       /* of CONVK_CIRCULAR and CONVK_WINDOW, else 0; convk_fftconv2d_resolve tells */
  size_t fft_rows, fft_columns;       /* 0: chosen.  With tiles: of a tile */
} convk_fftconv2d_shape;

/* A batch of 2D arrays.  Strides and pitches in elements of the type (a complex number is one); pitch 0: rows are packed,
   stride 0: items are packed. */
typedef struct convk_batch2d {
  size_t items;
  size_t in_pitch, in_stride;   /* from row to row, and from item to item */
  size_t out_pitch, out_stride;
  const size_t *kernel;         /* fftconv2d: which kernel of the plan an item takes.  NULL: a plan's only kernel; else that of
                                   item i is i / items_per_kernel (0: 1) */
  size_t items_per_kernel;
} convk_batch2d;

/* The least that a task of fftconv2d and fft2d does, in nominal operations for each lane; define it before the include. */
#ifndef CONVK_FFT_TASK
#define CONVK_FFT_TASK 131072.0
#endif

enum {
  CONVK_FFT_MOST_ = 1024,
  CONVK_FFT_PASSES_ = 8,
  CONVK_FFT_PAD_ = 16,    /* lines of spectra are filled up to this: as many lanes as the longest vector has */
  CONVK_FFT_TOGETHER_ = 20480, /* bytes of lines that are worked on together */
  CONVK_FFT_TURNED_ = 8192     /* of those that are turned on the way: what they come from and go to is in L1, too */
};

/* The transform of one axis, by passes of radix r over blocks: after a pass, every block of n points has become r blocks.
   Frequencies end in permuted order, which the inverse undoes in the opposite order of passes: nothing is reversed. */
typedef struct convk_fft_axis_ {
  size_t n;
  int passes, radix[CONVK_FFT_PASSES_];
  int half_in, half_out;              /* the upper half of inputs is zero; that of outputs is not wanted */
  size_t forward[CONVK_FFT_PASSES_], inverse[CONVK_FFT_PASSES_]; /* twiddles: elements from the tables on */
} convk_fft_axis_;

/* The beginning of a plan; then position tables, twiddles, spectra.  No pointers: it may be copied whole. */
typedef struct convk_fft_plan_ {
  char kind[16];                      /* "fftconv2d c32" */
  int version;
  size_t bytes;                       /* of the plan, from this struct on */
  size_t rows, columns, out_rows, out_columns;
  size_t kernels;
  int real;                           /* pairs of columns are one complex one, and half of the spectrum is enough */
  convk_fft_axis_ axis[2];            /* rows (y) and columns (x) */
  size_t tile[2], origin[2], reach[2]; /* results of a tile, 0: the axis is whole; then the first result and kernel points - 1 */
  size_t lines;                       /* frequencies of y that are transformed along x: all, or 0 .. n / 2 */
  size_t pitch, spectrum;             /* elements: of a line of the spectra, filled up; of a spectrum */
  size_t position[2];                 /* bytes to the tables of uint32_t: where frequency k of an axis lies */
  size_t tables, spectra;             /* bytes to the twiddles and to the spectra */
  uint64_t sum;                       /* of all before, so that a damaged plan is none */
} convk_fft_plan_;

/* Convolutions of a batch of small 2D fields with kernels, by FFT, as one call (van Werkhoven et al., "Many small 2D
   convolutions", section 6: batched, without inner transposes, multiplied between the transforms, padding and extraction fused).
     out[i] = sum over j of field[j] kernel[o + i - j]      in both axes, o: the origin of the plan's mode; normalised
   plan      of the same type, see fftconv2d_plan
   batch     see convk_batch2d.  Items of the input may overlap, those of the output must lie apart (side by side in one image,
             too).  0 items: nothing is done
   in, out   rows x columns and out_rows x out_columns per item; in == out is allowed where pitches and strides are equal and no
             item touches another, or for one item; not with tiles; other overlaps are errors
   work      fftconv2d_work_size bytes, or NULL
   Tiles: where an axis of a mode that is not circular takes more than 1024 points, results are computed tile by tile (overlap-save)
   by transforms of m points (fft_rows, fft_columns; m >= 2 k), each of which gives m - k + 1 results: fields of any size, kernels of
   k <= 512 points along that axis, which the plan transforms to m points once.  Devices offer no tiles: UNSUPPORTED.
   An item's result has the same bits whatever its neighbours, the batch, threads and tuning are; NaN and infinity stay in their
   item.  Threads: blocks of items or tiles; each does at least CONVK_FFT_TASK nominal operations times the lanes of its vectors, which
   takes some 10 microseconds, so that what is smaller stays with the caller's thread.
   Errors: NULL, PLAN, PITCH (also: items of the output overlap), OVERFLOW, INDEX, OVERLAP, WORK, MEMORY, HANDLE, THREADS.
   Accuracy, relative L2: about 2e-7 (c32, f32) and 5e-16 (c64, f64) at 16 to 128 points, with tiles those of a tile.
   Work for m x m points, c32: 10 m^2 log2 m^2 + 6 m^2 flops nominally, two thirds of that for a field of m / 2; half for real
   types; likewise for every tile of m x m points, which gives (m - k + 1)^2 results.  Traffic: fields and results once (of tiles:
   m / (m - k + 1) times along an axis); the kernels, of which each is 8 m^2 bytes, stay in the cache. */
#define CONVK_OP_FFTCONV2D_(op, kind, member) \
  op(fft, kind, member, fftconv2d, \
     (const convk *hw, const void *plan, const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out, void *work, \
      size_t work_size), \
     (hw, plan, batch, in, out, work, work_size))

/* Discrete Fourier transforms of a batch of 2D arrays, in natural order:
     CONVK_FORWARD   out[k] = sum over j of in[j] exp(-2 pi i (j0 k0 / rows + j1 k1 / columns))
     CONVK_INVERSE   the same with exp(+...), divided by rows columns: it undoes the other
   plan, batch (kernel is not looked at), in, out, work, errors: as fftconv2d, and OPTION (direction).
   Accuracy, relative L2: about 2e-7 and 4e-16.  Work: 5 n log2 n flops for n = rows columns, nominally. */
#define CONVK_OP_FFT2D_(op) \
  op(fft, COMPLEX, fft2d, fft2d, \
     (const convk *hw, const void *plan, int direction, const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out, \
      void *work, size_t work_size), \
     (hw, plan, direction, batch, in, out, work, work_size))

/* The operations of this family; see core/operations.h. */
#define CONVK_FFT_OPERATIONS_(op) \
  CONVK_OP_FFTCONV2D_(op, REAL, fftconv2d) \
  CONVK_OP_FFTCONV2D_(op, COMPLEX, complex_fftconv2d) \
  CONVK_OP_FFT2D_(op)

#if CONVK_HAS_FFT_
/* What a shape stands for: the same with the result's size, the origin and the FFT's size filled in.  resolved may be shape.
   (For CONVK_CIRCULAR with a period that has other factors than 2, 3, 5, 7, fft_rows and fft_columns stay the period.)
   Errors: NULL, SIZE (a size is 0, or a field or kernel is larger than the period), OVERFLOW, OPTION, MODE, WINDOW,
   FFT_SIZE (also: more than 1024 are needed, and the kernel is too large for tiles). */
CONVK_API_ int convk_fftconv2d_resolve(const convk_fftconv2d_shape *shape, convk_fftconv2d_shape *resolved);
#endif

/* fftconv2d and fft2d: 1: vectors run along the columns of one item, 2: across items */
#define CONVK_FFT_TUNING_(parameter) parameter(size_t, fft_lanes, ROWS)
#define CONVK_FFT_TUNABLES_(tunable) \
  tunable(FFT, fft, fftconv2d, f32, F32, CONVK_TUNE_WAYS_, 0) \
  tunable(FFT, fft, fftconv2d, f64, F64, CONVK_TUNE_WAYS_, 0) \
  tunable(FFT, fft, fftconv2d, c32, F32, CONVK_TUNE_WAYS_, 1) \
  tunable(FFT, fft, fftconv2d, c64, F64, CONVK_TUNE_WAYS_, 1) \
  tunable(FFT, fft, fft2d, c32, F32, CONVK_TUNE_WAYS_, 2) \
  tunable(FFT, fft, fft2d, c64, F64, CONVK_TUNE_WAYS_, 2)
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
/* ---- src/fft/types.h ---- */

/* One pass of radix r over `count` groups of points of each of some lines: point q of a group lies `from` elements after point q - 1,
   its imaginary part `imag` elements after the real part (before it: the transform is then the inverse one).  Elements are vectors'
   first ones. */
typedef struct CONVK_PRIVATE_(fft_pass) {
  const CONVK_T *src;
  CONVK_T *dst;
  size_t from, to, count, from_step, to_step, lines, from_line, to_line;
  ptrdiff_t imag;
  const CONVK_PRIVATE_(any) *twiddle; /* of points 1 .. r - 1, or NULL */
  size_t twiddle_step;
  int half;                           /* 1: points r / 2 .. are zeros, 2: results r / 2 .. are not stored */
  const CONVK_PRIVATE_(any) *factor;  /* of point 0 of the first group: the pass multiplies and goes back; or NULL */
  size_t factor_step, factor_next, factor_line, factor_imag; /* to the next point, group and line, the imaginary part */
  int wide;                           /* factors are vectors */
  int pairs;                          /* src is two vectors of interleaved pairs, anywhere in memory; 2: that change places */
} CONVK_PRIVATE_(fft_pass);

/* Squares of as many rows as there are lanes, transposed: from row from[i] at from_n elements to row to[i]. */
typedef struct CONVK_PRIVATE_(fft_square) {
  const CONVK_PRIVATE_(any) *from[16];
  CONVK_PRIVATE_(any) *to[16];
  size_t from_rows, to_rows;   /* further rows count as zeros, and are not stored */
  size_t from_n, to_n;         /* elements of a row that are loaded and stored, at most as many as there are lanes */
  size_t count, from_step, to_step; /* of squares, and from one to the next */
  int parts;                   /* 2: again for rows one vector further, imaginary parts */
  const convk_any_u32_ *order; /* NULL, or which square of `from` comes next */
  CONVK_T scale;               /* that elements are multiplied by; 0: they are not */
} CONVK_PRIVATE_(fft_square);

/* As many rows of one item as there are lanes, or less: those of which columns were transformed, to lines along x, a row per lane;
   and lines to rows of results. */
typedef struct CONVK_PRIVATE_(fft_rows) {
  size_t rows, n;                       /* n: points of a row */
  const CONVK_T *plane;                 /* row i lies at row[i] plane_pitch, by vectors of real and of imaginary parts */
  const convk_any_u32_ *row, *position; /* position[k]: where frequency k lies in a line */
  size_t plane_pitch;
  CONVK_T *lines;
  CONVK_PRIVATE_(any) *to;
  size_t pitch;      /* elements from row to row of results */
  size_t swap;       /* 1: imaginary parts come first */
  uintptr_t next, next_to;    /* rows that come next from memory and go there, or 0 */
  size_t next_pitch; /* elements */
  CONVK_T scale;     /* as of squares */
} CONVK_PRIVATE_(fft_rows);

struct CONVK_PRIVATE_(fft_job);

/* What an instruction set offers. */
typedef struct CONVK_PRIVATE_(fft_kernels) {
  size_t lanes;
  void (*pass[17])(const CONVK_PRIVATE_(fft_pass) *pass);  /* by radix */
  void (*square)(const CONVK_PRIVATE_(fft_square) *square);
  void (*to_lines)(const CONVK_PRIVATE_(fft_rows) *rows);
  void (*to_rows)(const CONVK_PRIVATE_(fft_rows) *rows);
  /* Rows of an item, from this column on, to vectors `step` apart, and back. */
  void (*unzip)(const struct CONVK_PRIVATE_(fft_job) *job, const CONVK_PRIVATE_(any) *in, size_t column, CONVK_T *to,
                size_t step);
  void (*zip)(const struct CONVK_PRIVATE_(fft_job) *job, size_t column);
  void (*unpack)(const CONVK_T *z, const convk_any_u32_ *position, size_t n, CONVK_T *a, CONVK_T *b);
  void (*pack)(CONVK_T *z, const convk_any_u32_ *position, size_t n, const CONVK_T *a, const CONVK_T *b);
  void (*blend)(const CONVK_PRIVATE_(any) *first, const CONVK_PRIVATE_(any) *second, size_t lanes, size_t pitch, size_t n, CONVK_T *to);
} CONVK_PRIVATE_(fft_kernels);

/* One block of items, or one item, on its way. */
typedef struct CONVK_PRIVATE_(fft_job) {
  const CONVK_PRIVATE_(fft_kernels) *kernels;
  const convk_fft_plan_ *plan;
  const CONVK_PRIVATE_(any) *tables, *spectra;
  const convk_any_u32_ *position[2];
  int across, transform, swap;                    /* lanes are items; fft2d; real and imaginary parts change places */
  CONVK_T scale;                                  /* of fft2d */
  size_t items;                                   /* in lanes, or one after the other */
  const CONVK_PRIVATE_(any) *const *in, *const *factor; /* of each lane's item */
  CONVK_PRIVATE_(any) *const *out;
  size_t in_pitch, out_pitch, in_row, out_row; /* in elements of the type, two for a complex number; of a row */
  size_t in_stride, out_stride;
  size_t more;                                 /* items to come after these */
  size_t skip[2];                              /* rows and columns of a tile before those that are wanted */
  CONVK_T *a, *b, *s;                          /* lines along y, by columns; lines along x; factors by lanes */
  size_t a_pitch, b_pitch;                     /* from column to column */
} CONVK_PRIVATE_(fft_job);

#if CONVK_HAS_FFT_ && CONVK_HAS_TYPE_
/* A plan of fftconv2d: kernels, transformed once.  It lies in memory of the caller, is only read once made, may be used by any
   threads and any hardware at once, and copied (it holds no pointers; plan_size includes memory that only its making needs).
     fftconv2d_plan_<type>           from kernels: kernel_rows x kernel_columns elements of the type, real for f32 and f64
     fftconv2d_plan_spectrum_<type>  from their transforms sum over j of kernel[j] exp(-2 pi i j k / n), complex also for f32 and
                                     f64: fft_rows x fft_columns elements in natural order, of which f32 and f64 read only
                                     rows 0 .. fft_rows / 2 (those of real kernels; of others results are undefined).  Modes
                                     and correlation mean what they mean for kernels.  Since a spectrum cannot be cut,
                                     n_fft >= origin + n_out and n_fft >= n_field + n_kernel - 1 - origin, or FFT_SIZE, where
                                     not circular: so set fft_rows and fft_columns for kernels larger than fields
   hw         an open handle or NULL: plans are the same for all
   shape      see convk_fftconv2d_shape.  FFT sizes are products of 2, 3, 5, 7 up to 1024; CONVK_CIRCULAR takes any period
              for kernels (another is padded: about four times the work); where an axis takes more than 1024 points, it is
              that of a tile, see fftconv2d, for kernels of at most 512 points, but not for spectra
   kernels    how many, at least 1
   kernel     element (row, column) of kernel i at i stride + row pitch + column, in elements of its own type; pitch 0 and
              stride 0: packed; finite
   plan       plan_size bytes, at least fftconv2d_plan_size_<type>(hw, shape, kernels); any alignment, 64 bytes is fastest
   Errors: those of convk_fftconv2d_resolve, and SIZE (no kernels), OVERFLOW, PITCH, NULL, WORK (plan_size), OVERLAP,
   NONFINITE, HANDLE; nothing is written then.
   fftconv2d_plan_size_<type> gives (size_t)-1 for errors. */
CONVK_API_ size_t CONVK_TYPED_(fftconv2d_plan_size)(const convk *hw, const convk_fftconv2d_shape *shape,
    size_t kernels);
CONVK_API_ size_t CONVK_COMPLEX_(fftconv2d_plan_size)(const convk *hw, const convk_fftconv2d_shape *shape,
    size_t kernels);
CONVK_API_ int CONVK_TYPED_(fftconv2d_plan)(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels,
    const CONVK_T *kernel, size_t pitch, size_t stride, void *plan, size_t plan_size);
CONVK_API_ int CONVK_COMPLEX_(fftconv2d_plan)(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels,
    const CONVK_T *kernel, size_t pitch, size_t stride, void *plan, size_t plan_size);
CONVK_API_ int CONVK_TYPED_(fftconv2d_plan_spectrum)(const convk *hw, const convk_fftconv2d_shape *shape,
    size_t kernels, const CONVK_T *spectrum, size_t pitch, size_t stride, void *plan, size_t plan_size);
CONVK_API_ int CONVK_COMPLEX_(fftconv2d_plan_spectrum)(const convk *hw, const convk_fftconv2d_shape *shape,
    size_t kernels, const CONVK_T *spectrum, size_t pitch, size_t stride, void *plan, size_t plan_size);

/* Bytes of work of fftconv2d on this handle (NULL: for calls without one, of any variant).  Of devices: 0.  (size_t)-1: no such plan, or the
   handle is not open. */
CONVK_API_ size_t CONVK_TYPED_(fftconv2d_work_size)(const convk *hw, const void *plan, size_t items);
CONVK_API_ size_t CONVK_COMPLEX_(fftconv2d_work_size)(const convk *hw, const void *plan, size_t items);

/* A plan of fft2d: plan_size bytes, at least fft2d_plan_size; as plans of fftconv2d otherwise.
   rows, columns   products of 2, 3, 5, 7 up to 1024
   Errors: FFT_SIZE, NULL, WORK, HANDLE.  fft2d_plan_size gives (size_t)-1 for sizes that it does not offer. */
CONVK_API_ size_t CONVK_COMPLEX_(fft2d_plan_size)(const convk *hw, size_t rows, size_t columns);
CONVK_API_ int CONVK_COMPLEX_(fft2d_plan)(const convk *hw, size_t rows, size_t columns, void *plan, size_t plan_size);

/* Bytes of work of fft2d, as fftconv2d_work_size. */
CONVK_API_ size_t CONVK_COMPLEX_(fft2d_work_size)(const convk *hw, const void *plan, size_t items);
#endif
#endif
#ifndef CONVK_PASS_
/* ---- src/pairs/api.h ---- */
#define CONVK_PAIR_STATUS_(item) \
  item(CONVK_ERR_PARTICLES, -32, "one particle alone has no pairs") \
  item(CONVK_ERR_BOX, -33, "a periodic box is only partly given, or too small for its cutoff or for a pair") \
  item(CONVK_ERR_STATE, -34, "no state of this version and precision, or a damaged one") \
  item(CONVK_ERR_SETUP, -35, "the state is of another system, method or seed") \
  item(CONVK_ERR_SINGULAR, -36, "the parameters cannot be told apart by this sample") \
  item(CONVK_ERR_POTENTIAL, -37, "a pair potential has parameters that it does not take") \
  item(CONVK_ERR_PART, -42, "the parts of a run are not all of its walkers, one after another")

#define CONVK_PAIR_BLOCK_ 64   /* particles of a block; a multiple of all lanes */
#define CONVK_PAIR_STRIPES_ 16 /* tasks of one walker, at most */
#define CONVK_PAIR_SUMS_ 8
/* Sums of lanes, halves onto each other: k from the last to 1 is added to k less its highest bit. */
#define CONVK_PAIR_ONTO_(k) ((k) - ((k) & 8 ? 8 : (k) & 4 ? 4 : (k) & 2 ? 2 : 1))

/* The trial function ln Psi = sum of u(r) over all pairs, u(r) = -p5 / r^5 - p2 / r^2 - p0 ln r - p1 r.  Any finite numbers; 0: no
   such term.  With a cutoff, u(r) - u(cutoff) within it. */
typedef struct convk_trial {
  double p5, p2, p0, p1;
} convk_trial;

/* What kind of function a pair potential is; see convk_pair_potential. */
enum { CONVK_POTENTIAL_NONE = 0, CONVK_POTENTIAL_HFD = 1, CONVK_POTENTIAL_LENNARD_JONES = 2, CONVK_POTENTIAL_TABLE = 3 };

/* A pair potential V(r); convk_hfdhe2(), convk_hfdb(), convk_lm2m2(), convk_lennard_jones() and convk_table_potential() fill it.
   NONE           0 everywhere
   HFD            with x = r / rm: epsilon {a exp(-alpha x + beta x^2) - F(x) (c6 / x^6 + c8 / x^8 + c10 / x^10)}, where F is
                  exp(-(d / x - 1)^2) for x < d and 1 beyond; a bump adds epsilon bump {sin(2 pi (x - x1) / (x2 - x1) - pi / 2) + 1}
                  for x1 <= x <= x2.  epsilon, rm, a and alpha are positive, beta is not, c6 is positive, and d may be 0
   LENNARD_JONES  4 epsilon {(rm / r)^12 - (rm / r)^6}: rm is sigma
   TABLE          cubic interpolation (four points) of values[k] at first + k spacing, k < entries; values[0] below, 0 beyond
   In K and Angstrom where the predefined ones are used. */
typedef struct convk_pair_potential {
  int kind;
  double epsilon, rm, a, alpha, beta, c6, c8, c10, d;
  double bump, x1, x2;
  const double *values;  /* of a table; must live as long as the calls */
  size_t entries;        /* at least 4 */
  double first, spacing; /* at least 0; positive */
} convk_pair_potential;

/* Identical particles with pair interactions; zero-initialise it, then set what there is. */
typedef struct convk_pair_system {
  size_t particles;      /* N, at least 2 */
  convk_trial trial;
  convk_pair_potential potential;
  double box[3];         /* periods of a rectangular box with nearest images; all 0: open space */
  double cutoff;         /* pairs at and beyond it count as nothing; 0: none in open space, half the shortest period in a box (and
                            no more than that) */
  double hbar2_2m;       /* hbar^2 / (2 m) > 0; 0: that of helium-4, 6.059648 K A^2 */
} convk_pair_system;

/* Where coordinates lie: x of particle i of walker w at w stride + i, y and z each pitch further; gradients in the same way. */
typedef struct convk_walkers {
  size_t walkers;        /* any number, also 0 */
  size_t pitch, stride;  /* in elements; 0: packed (N, and 3 pitch) */
} convk_walkers;

/* What pair_energy computes; 0: all. */
enum { CONVK_LN_PSI = 1, CONVK_POTENTIAL = 2, CONVK_GRADIENT = 4, CONVK_LAPLACIAN = 8, CONVK_KINETIC = 12, CONVK_PAIR_ALL = 15 };

/* Of one walker; what was not asked for is 0. */
typedef struct convk_pair_result {
  double ln_psi;
  double potential;        /* sum of V over pairs */
  double gradient_squared; /* sum over particles of |grad_i ln Psi|^2 */
  double laplacian;        /* sum over particles of lap_i ln Psi */
  double kinetic;          /* -hbar2_2m (laplacian + gradient_squared), with CONVK_KINETIC */
  double derivative[4];    /* of ln_psi, by p5, p2, p0, p1; with CONVK_LN_PSI */
} convk_pair_result;

/* Of one particle that may move. */
typedef struct convk_pair_move_result {
  double ln_psi;                /* after less before */
  double before[3], after[3];   /* grad ln Psi of this particle */
} convk_pair_move_result;

/* How a sweep moves: particles one after another, each accepted or not, or all at once. */
enum { CONVK_MOVE_SINGLE = 0, CONVK_MOVE_ALL = 1 };

/* Which walkers of a run are here, where they are spread over processes or devices; zeros: all of them.  A state then has those
   walkers only; convk_vmc_results and a run find the same, to the last bit, however walkers are spread. */
typedef struct convk_vmc_part {
  size_t first, walkers; /* those that are here, of all; possibly none.  Parts are those of all processes, in the order of walkers */
  int (*join)(void *ctx, void *record, size_t bytes); /* NULL: all walkers are here.  Else it replaces the record by that of all
                            parts, in all processes: by convk_vmc_join, in the order of parts.  Returns 0, or a status for the call to
                            return.  `bytes` is the same in all processes, and may differ from call to call */
  void *ctx;
} convk_vmc_part;

/* A variational Monte Carlo run; zero-initialise it, then set what there is. */
typedef struct convk_vmc {
  convk_pair_system system;
  size_t walkers;        /* at least 1; of all parts together */
  uint64_t seed;
  int moves;             /* CONVK_MOVE_SINGLE or CONVK_MOVE_ALL */
  int drift;             /* 1: moves follow the quantum force */
  double step;           /* half the edge of the cube of moves, or with drift their standard deviation; 0: a first guess */
  double acceptance;     /* what the step is tuned to during equilibration; 0: 0.5; negative: the step stays */
  size_t equilibration;  /* sweeps before the first that is measured; see convk_vmc_run for how many */
  size_t interval;       /* sweeps from one measurement to the next; 0: 1 */
  convk_vmc_part part;   /* what is here of it; all else is the same for all parts */
} convk_vmc;

/* Mean of a quantity per walker, over all measurements. */
typedef struct convk_estimate {
  double mean;
  double error;          /* standard error of the mean, from blocks long enough to be independent; infinite where there is too
                            little to tell */
  double variance;       /* of single walkers, about the mean */
  double autocorrelation; /* integrated time in measurements, (error^2 / uncorrelated error^2) / 2; 1/2: independent */
  double block;          /* measurements in a block of that length */
} convk_estimate;

/* What a run has found so far: see convk_vmc_results. */
typedef struct convk_vmc_result {
  uint64_t sweeps, measurements; /* all, equilibration included; and those that count */
  double step, acceptance;       /* acceptance since equilibration */
  convk_estimate energy, potential, kinetic; /* kinetic + potential; kinetic is the local one */
  convk_estimate kinetic_gradient;  /* hbar2_2m sum |grad ln Psi|^2, whose mean is that of kinetic without a cutoff */
  convk_estimate kinetic_laplacian; /* -hbar2_2m / 2 sum lap ln Psi: the same */
  double drift;                  /* largest |ln Psi followed by differences less ln Psi anew| since the beginning */
  double pairs;                  /* pairs computed since the beginning */
} convk_vmc_result;

/* How convk_vmc_minimise goes about it; zeros are the defaults. */
typedef struct convk_minimise_options {
  size_t iterations;     /* 0: 40 */
  size_t sweeps;         /* of each iteration, after a tenth more for equilibration; 0: 500 */
  size_t final_sweeps;   /* of the run that gives the result, after a tenth more; 0: 20 times as many */
  int fixed[4];          /* 1: p5, p2, p0, p1 stays as it is */
  double rate;           /* step in imaginary time, in 1 / energy; 0: as long as the scatter of the energy lets it be */
  double regularisation; /* added to the diagonals of the matrices, relative to them; 0: 1e-3 */
  int (*look)(void *ctx, size_t iteration, const convk_vmc *vmc, const convk_vmc_result *result); /* NULL, or called in each
                            iteration, from 0, with what was found of vmc before it is changed; not 0: no more iterations */
  void *ctx;
} convk_minimise_options;

/* What one stripe, or one walker, has summed up. */
typedef struct convk_pair_sums_ {
  double sum[CONVK_PAIR_SUMS_]; /* of 1 / r^5, 1 / r^2, r, 1 / r^7, 1 / r^4, 1 / r, V, and of pairs within the cutoff */
  double mantissa, exponent;    /* the product of all r^2 */
} convk_pair_sums_;

enum {
  CONVK_VMC_LEVELS_ = 40,
  CONVK_VMC_SERIES_ = 5,
  CONVK_VMC_BATCH_ = 16,
  CONVK_VMC_VALUES_ = 33 /* of a measurement, that are summed over walkers: see convk_vmc_leaf_ */
};

/* Sums over blocks of 2^level measurements, for the error of a mean; pending: the first half of a block. */
typedef struct convk_blocking_ {
  double shift; /* the first value: sums are of differences from it */
  double spread; /* sum over measurements of the mean square over walkers of such differences */
  double sum[CONVK_VMC_LEVELS_], square[CONVK_VMC_LEVELS_], pending[CONVK_VMC_LEVELS_];
} convk_blocking_;

/* The beginning of a state; then ln Psi and the coordinates of the walkers.  No pointers: it may be copied, written and read whole. */
typedef struct convk_vmc_state_ {
  char kind[8];          /* "vmc f64" */
  uint32_t version, endian;
  uint64_t bytes;        /* of the state, from this struct on */
  uint64_t setup;        /* sum over what a run must have in common with the one that began */
  uint64_t walkers, particles; /* walkers: of all parts, and so is what is counted */
  uint64_t first, here;  /* walkers of this part */
  uint64_t missing;      /* of which convk_vmc_take has not yet found so many */
  uint64_t sweep, measured, tried, accepted; /* the last two since the step was tuned, or since equilibration */
  double step, drift, pairs;
  convk_blocking_ series[CONVK_VMC_SERIES_];
  double derivative[4], energy_derivative[4], kinetic_derivative[4], overlap[10], energies; /* for the minimiser: sums */
  uint64_t looked;
  uint64_t sum;          /* of all bytes, with 0 here */
} convk_vmc_state_;

/* v[i] = V(r[i]) for i = 0 .. n - 1, by the same arithmetic as pair_energy.
   r, v   of n elements at any alignment; in place: v == r, else they must not overlap
   Distances below 1 / 256 count as 1 / 256, those beyond 2^50 (f64) or 2^20 (f32), infinite ones too, as that.  NaN gives NaN.
   Negative ones have no meaning.  With Lennard-Jones in f32, V at 1 / 256 must fit the type: epsilon sigma^12 <= 7.5e7 (neon, not argon).
   Errors: NULL, OVERFLOW, OVERLAP, OPTION (kind), NONFINITE, POTENTIAL, RANGE (a constant does not fit the type), HANDLE.
   Accuracy: predefined potentials to 4e-15 (f64) and 3e-6 (f32) of the sum of the magnitudes of their terms. */
#define CONVK_OP_PAIR_POTENTIAL_(op) \
  op(pair, REAL, pair_potential, pair_potential, \
     (const convk *hw, const convk_pair_potential *potential, size_t n, const CONVK_T *r, CONVK_T *v), \
     (hw, potential, n, r, v))

/* The pair sums of a wave function and its local energy, for many walkers, in one pass over the pairs:
     ln Psi = sum over i < j of u(r_ij),  V = sum of V(r_ij),  g_i = grad_i ln Psi = sum over j of u'(r_ij) (r_i - r_j) / r_ij,
     L = sum over i of lap_i ln Psi = 2 sum over i < j of u'' + 2 u' / r,  T = -hbar2_2m (L + sum of |g_i|^2)
   system     particles, trial function, potential, box, cutoff; see convk_pair_system
   walkers    their number and where coordinates lie
   want       what to compute: CONVK_LN_PSI, CONVK_POTENTIAL, CONVK_GRADIENT, CONVK_LAPLACIAN, CONVK_KINETIC, or 0 for all
   r          coordinates at any alignment; finite, at most 2^28 (f64) or 2^14 (f32) in magnitude.  In a box any image will do
   result     of `walkers` elements
   gradient   NULL, or laid out as r: g of all particles, with CONVK_GRADIENT
   work       pair_energy_work_size bytes
   r, result and gradient must not overlap.  Distances below 1 / 256 count as 1 / 256, so that all results are finite.
   Threads: walkers, or blocks of one walker's pairs where walkers would leave threads idle.
   Errors: NULL, SIZE (no particles), PARTICLES (one), PITCH, OVERFLOW, OPTION, NONFINITE (parameters), BOX, POTENTIAL, RANGE (a
   coordinate or a constant is too large for the type), COORDINATE (not finite), OVERLAP, WORK, MEMORY, HANDLE, THREADS.
   Accuracy: f64 terms to 1e-14; sums in a fixed order, the same for every number of threads and, within a class, all CPU variants.
   f32: coordinates, pair terms and sums of up to 64 of them in f32, all other sums in f64: about 1e-6 of the sum of magnitudes.
   Work: about 60 flops per pair; exponentials for near pairs (9.3 A of HFD-B; f32: 6.4 A), and where most of a block's own are
   near, for all of those.
   Source: W. L. McMillan, Phys. Rev. 138, A442, 1965. */
#define CONVK_OP_PAIR_ENERGY_(op) \
  op(pair, REAL, pair_energy, pair_energy, \
     (const convk *hw, const convk_pair_system *system, const convk_walkers *walkers, int want, const CONVK_T *r, \
      convk_pair_result *result, CONVK_T *gradient, void *work, size_t work_size), \
     (hw, system, walkers, want, r, result, gradient, work, work_size))

/* What would change if one particle moved, in O(N): ln Psi after less before, and its gradient there before and after.
   particle   its number, the same in all walkers
   r          coordinates, as pair_energy
   to         x y z of the place to go to, of walker after walker
   result     of `walkers` elements; overlaps nothing
   Errors: as pair_energy, and INDEX (no such particle).  Nothing is changed but result.  Serial. */
#define CONVK_OP_PAIR_MOVE_(op) \
  op(pair, REAL, pair_move, pair_move, \
     (const convk *hw, const convk_pair_system *system, const convk_walkers *walkers, size_t particle, \
      const CONVK_T *r, const CONVK_T *to, convk_pair_move_result *result), \
     (hw, system, walkers, particle, r, to, result))

/* Moves one particle, in O(N).
   accept     NULL: in all walkers; else of `walkers` bytes: only where it is not 0
   r          coordinates, which are changed
   gradient   NULL, or laid out as r: grad ln Psi of all particles, brought up to date.  Rounding errors of many moves add up;
              pair_energy makes them anew
   Errors: as pair_move. */
#define CONVK_OP_PAIR_ACCEPT_(op) \
  op(pair, REAL, pair_accept, pair_accept, \
     (const convk *hw, const convk_pair_system *system, const convk_walkers *walkers, size_t particle, \
      const CONVK_T *to, const unsigned char *accept, CONVK_T *r, CONVK_T *gradient), \
     (hw, system, walkers, particle, to, accept, r, gradient))

/* Variational Monte Carlo: goes on with a run that convk_vmc_begin began, by so many sweeps (N. Metropolis et al.,
   J. Chem. Phys. 21, 1087, 1953).
   A sweep moves every particle once, one after another or all at once; then, after equilibration and every `interval` sweeps,
   ln Psi is computed anew, and with it the energies: nothing is computed for moves that are rejected.  During equilibration
   the step is tuned every 16 sweeps.  Open clusters are brought back when they have drifted off, particles of a box into it.
   vmc      as given to convk_vmc_begin
   sweeps   any number; calls may cut a run anywhere: the result is the same to the last bit
   state    is changed only when all went well; convk_vmc_results tells what it holds
   work     convk_vmc_work_size bytes
   Equilibration: with steps that are tuned, clusters of 20 and 64 atoms of helium have left the lattice that they begin with,
   and reached their size, after 128 sweeps, three atoms after 256, two, 46 A apart, after 512.  Where steps stay and are short,
   distances creep by the root of the number of sweeps: two atoms with steps of 3 A want 5000.  Error bars tell nothing of this.
   The step is tuned to at most half the shortest period of a box, and 2^19 (f64) or 32 (f32).  RANGE: particles have left a cluster
   for places beyond 2^27 (f64) or 2^13 (f32): its trial function does not bind them.
   Random numbers are Philox4x32-10 of (sweep, particle, walker, purpose) under the seed: the same for every number of threads
   and all hardware; a run has the same bits for every number of threads and on all CPU variants of a class, and on other hardware
   until a move is accepted that was rejected by a rounding error.
   With a cutoff the slope of ln Psi jumps there, which only kinetic_gradient takes into account: potential + kinetic_gradient is
   the energy of the wave function; the local one (energy, kinetic) lacks hbar2_2m N rho 4 pi cutoff^2 u'(cutoff), where the
   density is rho (1.4% of the kinetic energy of the liquid with 108 atoms).
   f32: coordinates and pair terms in f32, sums and energies in f64.
   Threads: walkers, or blocks of pairs where there are fewer walkers than threads.
   Parts: with vmc.part.join all processes make the same calls; join is called at the beginning of each, once more for every batch of
   16 sweeps, and for the first measurement.  All return the first error of any part, also where it alone had bad arguments; but a
   handle that is refused ends the call of its process alone.
   Errors: as convk_vmc_check and convk_vmc_begin; WORK, MEMORY, OVERLAP, HANDLE, THREADS; with join SETUP, too, where parts are
   of different runs, sweeps or times, and PART. */
#define CONVK_OP_VMC_RUN_(op) \
  op(pair, REAL, vmc_run, vmc_run, \
     (const convk *hw, const convk_vmc *vmc, size_t sweeps, void *state, size_t state_size, void *work, \
      size_t work_size), \
     (hw, vmc, sweeps, state, state_size, work, work_size))

/* The operations of this family; see core/operations.h. */
#define CONVK_PAIR_OPERATIONS_(op) \
  CONVK_OP_PAIR_POTENTIAL_(op) \
  CONVK_OP_PAIR_ENERGY_(op) \
  CONVK_OP_PAIR_MOVE_(op) \
  CONVK_OP_PAIR_ACCEPT_(op) \
  CONVK_OP_VMC_RUN_(op)

#if CONVK_HAS_VMC_
/* The potential HFDHE2 of two helium atoms (R. A. Aziz et al., J. Chem. Phys. 70, 4330, 1979), in K and Angstrom. */
CONVK_API_ convk_pair_potential convk_hfdhe2(void);

/* The potential HFD-B(HE) of two helium atoms (R. A. Aziz, F. R. W. McCourt, C. C. K. Wong, Mol. Phys. 61, 1487, 1987), in K
   and Angstrom. */
CONVK_API_ convk_pair_potential convk_hfdb(void);

/* The potential LM2M2 of two helium atoms (R. A. Aziz, M. J. Slaman, J. Chem. Phys. 94, 8047, 1991), in K and Angstrom. */
CONVK_API_ convk_pair_potential convk_lm2m2(void);

/* The Lennard-Jones potential 4 epsilon {(sigma / r)^12 - (sigma / r)^6}; for helium epsilon is 10.22 K and sigma 2.556 A. */
CONVK_API_ convk_pair_potential convk_lennard_jones(double epsilon, double sigma);

/* A potential given by a table: values[k] at first + k spacing, k < entries; see convk_pair_potential.  The array stays the
   caller's. */
CONVK_API_ convk_pair_potential convk_table_potential(double first, double spacing, size_t entries,
    const double *values);

/* Philox4x32-10 (J. K. Salmon et al., SC11, 2011): four random words of a counter and a key. */
CONVK_API_ void convk_philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* For vmc.part.join: what `record` says becomes that of both; walkers of `before` come right before its own.  Any brackets give
   the same bits, the order matters.  With MPI, where `type` is of `bytes` bytes (MPI_Type_contiguous, MPI_BYTE):
     void both(void *before, void *record, int *count, MPI_Datatype *type) { convk_vmc_join(before, record); }
     MPI_Op_create(both, 0, &op);  ...  MPI_Allreduce(MPI_IN_PLACE, record, 1, type, op, MPI_COMM_WORLD);
   Both have the same number of bytes, at any alignment. */
CONVK_API_ void convk_vmc_join(const void *before, void *record);

/* Gathers a state for vmc's part from states of other parts of the same run, such as a checkpoint of more or fewer processes.
   vmc      as given to convk_vmc_begin, but for its part
   state    of convk_vmc_state_size bytes; from: whole, of either precision, which becomes the state's.  They must not overlap
   taken    0 before the first call, which gives the state its head; then how many of its walkers are there.  Call it with one
            state after another, until it is vmc.part.walkers: until then the state is refused by all but convk_vmc_results
   Errors: NULL, STATE (from is not whole, or damaged; state is too small or not from the call before), SETUP (of another
   system, method, seed or time), OVERLAP, and those of convk_vmc_begin. */
CONVK_API_ int convk_vmc_take(const convk_vmc *vmc, void *state, size_t state_size, const void *from, size_t from_size,
    size_t *taken);

/* What a run has found so far.
   state    as convk_vmc_run left it, of either precision and any part; not changed
   Errors: NULL, STATE (not whole, of another version, or damaged). */
CONVK_API_ int convk_vmc_results(const void *state, size_t state_size, convk_vmc_result *result);
#endif

/* pair_energy: 1: threads take walkers, 2: blocks of one walker after another */
#define CONVK_PAIR_TUNING_(parameter) parameter(size_t, pair_split, ROWS)
#define CONVK_PAIR_TUNABLES_(tunable) \
  tunable(VMC, pairs, pair_energy, f32, F32, CONVK_TUNE_WAYS_, 0) \
  tunable(VMC, pairs, pair_energy, f64, F64, CONVK_TUNE_WAYS_, 0)
#elif CONVK_PASS_ == CONVK_PASS_TYPES_
/* ---- src/pairs/types.h ---- */


/* The constants of a system, in the type of the pair terms. */
typedef struct CONVK_PRIVATE_(pair_terms) {
  int periodic, kind, bump; /* kind: of the potential near by, 0 where powers of 1 / r are all of it */
  CONVK_T period[3], inverse[3];
  CONVK_T limit;          /* square of the cutoff, or beyond every distance */
  CONVK_T w[4];           /* u' / r = s (s (w[0] / r^3 + w[1]) + w[2]) - w[3] / r with s = 1 / r^2: 5 p5, 2 p2, -p0, p1 */
  CONVK_T distant[4];         /* V = s^3 (distant[0] + s distant[1] + ...) */
  CONVK_T near_by, damp;  /* squares of the distances below which there is more, and of d */
  CONVK_T per_rm, a, alpha, beta, d;
  CONVK_T bump_height, bump_middle, bump_scale;
  const double *values;
  size_t entries;
  double first, per_spacing;
  double p[4], shift, hbar2_2m; /* shift: u at the cutoff */
  int counts;             /* whether there is a cutoff */
  double edge[4];         /* derivatives of the shift by p */
} CONVK_PRIVATE_(pair_terms);

#define CONVK_PAIR_LANES_ (64 / sizeof(CONVK_T)) /* sums are over so many interleaved lanes, on all hardware */

/* Two blocks of particles, or one and itself.  Coordinates: x of the block, y, z; arrays are filled up to whole blocks. */
typedef struct CONVK_PRIVATE_(pair_tile) {
  const CONVK_T *rows, *columns;
  const CONVK_T *limit;   /* of columns: the system's, or 0 for what counts as nothing */
  CONVK_T *row_gradient, *column_gradient; /* [3][CONVK_PAIR_BLOCK_]: set for rows, and for columns of another block */
  size_t nrows, ncolumns;
  int own, all, want;     /* all: no column counts as nothing */
  double *sum;            /* [CONVK_PAIR_SUMS_][CONVK_PAIR_LANES_]: added to */
  convk_pair_sums_ *product;
} CONVK_PRIVATE_(pair_tile);

/* One particle before and after a move, and a block of others. */
typedef struct CONVK_PRIVATE_(pair_row) {
  CONVK_T at[2][3];       /* before, after */
  const CONVK_T *x[3], *limit;
  size_t n;               /* of a block, filled up to whole sets of lanes */
  int want;
  CONVK_T *gradient[3];   /* NULL, or of the others: the change is added */
  double *sum;            /* [3][CONVK_PAIR_LANES_]: added to, after less before */
  double *force;          /* [6][CONVK_PAIR_LANES_]: gradients before and after, with CONVK_GRADIENT */
  convk_pair_sums_ *product; /* of r^2 after over that before */
} CONVK_PRIVATE_(pair_row);

typedef struct CONVK_PRIVATE_(pair_kernels) {
  void (*tile)(const CONVK_PRIVATE_(pair_terms) *terms, const CONVK_PRIVATE_(pair_tile) *tile);
  void (*row)(const CONVK_PRIVATE_(pair_terms) *terms, const CONVK_PRIVATE_(pair_row) *row);
  void (*potential)(const CONVK_PRIVATE_(pair_terms) *terms, size_t n, const CONVK_T *r, CONVK_T *v);
  int (*inside)(size_t n, const CONVK_T *r); /* whether all coordinates are finite, and within the range */
} CONVK_PRIVATE_(pair_kernels);

#if CONVK_HAS_VMC_ && CONVK_HAS_TYPE_
/* Bytes of work for pair_energy of so many walkers of n particles on this handle; (size_t)-1: too large. */
CONVK_API_ size_t CONVK_TYPED_(pair_energy_work_size)(const convk *hw, size_t particles, size_t walkers);

/* Bytes of work for convk_vmc_run and convk_vmc_minimise on this handle; (size_t)-1 for what they refuse. */
CONVK_API_ size_t CONVK_TYPED_(vmc_work_size)(const convk *hw, const convk_vmc *vmc);

/* Bytes of a state; 0 for what convk_vmc_begin refuses. */
CONVK_API_ size_t CONVK_TYPED_(vmc_state_size)(const convk_vmc *vmc);

/* Begins a run: fills a state.
   vmc     see convk_vmc; the same must be given to every call that goes on with the state
   r       coordinates to begin with, x y z of walker after walker, packed; NULL: near the sites of a cubic lattice, in a ball or
           throughout the box
   state   of convk_vmc_state_size bytes, any alignment: plain data without pointers, which may be copied, written to a file and
           read again on a machine of the same byte order
   Errors: NULL, SIZE (no particles or walkers), PARTICLES (one), OVERFLOW, NONFINITE, OPTION, BOX, POTENTIAL, RANGE (what no run
   can keep within the range of coordinates: steps beyond 2^19 (f64) or 32 (f32), periods beyond 2^26 or 2^12, particles further
   than 2^27 or 2^13 from the middle of a cluster; coordinates or constants too large for the type), COORDINATE, STATE (too
   small), OVERLAP. */
CONVK_API_ int CONVK_TYPED_(vmc_begin)(const convk_vmc *vmc, const CONVK_T *r, void *state, size_t state_size);

/* Whether a state is whole and belongs to this run: what convk_vmc_run checks before anything else.
   Errors: NULL, STATE (not whole, damaged, or of another version or precision), SETUP (of another system, method or seed), and
   those of convk_vmc_begin. */
CONVK_API_ int CONVK_TYPED_(vmc_check)(const convk_vmc *vmc, const void *state, size_t state_size);

/* The coordinates of a state's walkers: r of walkers x 3 x particles, x y z of walker after walker.  Errors: as convk_vmc_check. */
CONVK_API_ int CONVK_TYPED_(vmc_positions)(const convk_vmc *vmc, const void *state, size_t state_size, CONVK_T *r);

/* Lowers the energy over the parameters of the trial function.  In each iteration their change is -(B + mu S)^-1 f, with
     f_i = <O_i E> - <O_i> <E>,  B_ij = hbar2_2m <sum over particles of grad O_i . grad O_j>,  S_ij = <O_i O_j> - <O_i> <O_j>
   where O_i = d ln Psi / d p_i and E is the local energy.  2 f is the gradient of the energy, and 2 B that part of its second
   derivatives which is always positive, and all of them where Psi is the ground state: without mu this is Newton's method,
   with a large one it is stochastic reconfiguration (S. Sorella, Phys. Rev. B 64, 024512, 2001; C. J. Umrigar, C. Filippi,
   Phys. Rev. Lett. 94, 150201, 2005).  mu is 1 / rate, or 10 times the error of the energy and a quarter more of that with
   each iteration, and more where else the normalised wave function would change by more than 0.4 (in the norm of S).  p5
   changes by a tenth at most, and p2 by what counts as much where p5 / r^5 is 1; p1 of a cluster stays positive.  A cluster
   whose energy is positive gains most by falling apart: until it is negative, energy / kinetic energy is lowered instead,
   which does not depend on how large all is.  The step of moves is tuned from iteration to iteration, if vmc has it tuned at
   all.  The parameters of the last quarter of the iterations are averaged, and a longer run with them gives the energy and
   its error bar.
   vmc      the trial function is changed; the rest as convk_vmc_run, with at least one measurement per iteration
   options  NULL or zeros: defaults.  After a `look` that had enough, the last parameters are taken
   state    of this vmc; afterwards of the new one, after the final run
   result   of the final run
   work     convk_vmc_work_size bytes
   From poor parameters it takes some 10 iterations to where sampling hides the rest.  With 64 walkers and the defaults three
   atoms of helium come within 0.5 mK of their least energy (-126 mK), and two within 0.5 mK (-1.1 mK).
   With a cutoff it is potential + kinetic_gradient that is lowered, the energy of the wave function; it scatters more than the
   local energy, and wants more sweeps.
   Errors: as convk_vmc_run; OPTION, NONFINITE (options); SINGULAR (no parameter is free, or they cannot be told apart);
   RANGE, too, for a trial function to begin with that does not bind: in open space without a cutoff p1 must be positive, or 0
   with N p0 > 3.  After an error vmc and state belong together, and the state may have gone on. */
CONVK_API_ int CONVK_TYPED_(vmc_minimise)(const convk *hw, convk_vmc *vmc, const convk_minimise_options *options,
    void *state, size_t state_size, convk_vmc_result *result, void *work, size_t work_size);
#endif
#endif

#ifndef CONVK_PASS_
/* ---- src/core/status.h ---- */
/* --------------------------------------------------------------------------------------------------------- status -- */

/* Codes of all families in one list; each family keeps its own in CONVK_<FAMILY>_STATUS_. */
#define CONVK_STATUS_LIST_(item) \
  item(CONVK_OK, 0, "success") \
  item(CONVK_ERR_NULL, -1, "a required pointer is NULL") \
  item(CONVK_ERR_SIZE, -2, "a size is zero or does not fit the other sizes") \
  item(CONVK_ERR_OVERFLOW, -3, "a product of sizes overflows") \
  item(CONVK_ERR_PITCH, -4, "a pitch is smaller than the rows or planes it separates") \
  item(CONVK_ERR_BOUNDARY, -6, "unknown boundary, or one that this operation does not offer") \
  item(CONVK_ERR_OPTION, -8, "unknown option, or options that exclude each other") \
  item(CONVK_ERR_NONFINITE, -9, "a parameter is not finite") \
  item(CONVK_ERR_OVERLAP, -10, "arrays overlap that must not") \
  item(CONVK_ERR_WORK, -11, "the work memory is too small") \
  item(CONVK_ERR_MEMORY, -12, "out of memory") \
  item(CONVK_ERR_HANDLE, -13, "the handle is not open or of another version") \
  item(CONVK_ERR_HW_NAME, -14, "unknown hardware name") \
  item(CONVK_ERR_HW_MODULE, -15, "this hardware's module is not compiled in") \
  item(CONVK_ERR_HW_MACHINE, -16, "this machine does not have the hardware") \
  item(CONVK_ERR_THREADS, -17, "the thread hook failed") \
  item(CONVK_ERR_FP64, -18, "the device has no double precision") \
  item(CONVK_ERR_BUILD, -19, "the device program did not build") \
  item(CONVK_ERR_DEVICE, -20, "a call to the device failed") \
  item(CONVK_ERR_UNSUPPORTED, -21, "this hardware does not offer the operation") \
  item(CONVK_ERR_COORDINATE, -23, "a coordinate is not finite") \
  item(CONVK_ERR_RANGE, -25, "a phase, an exponential or a distance lies beyond what its type can resolve") \
  item(CONVK_ERR_PROGRAMS, -43, "no saved device programs, or damaged ones, or those of another device, driver or version") \
  item(CONVK_ERR_COMPILED, -38, "the operation is not compiled in where the handle was opened") \
  CONVK_SEPCONV_STATUS_(item) CONVK_STENCIL_STATUS_(item) CONVK_FORM_STATUS_(item) CONVK_FFT_STATUS_(item) CONVK_PAIR_STATUS_(item)

#define CONVK_STATUS_ENUM_(name, value, text) name = value,
enum { CONVK_STATUS_LIST_(CONVK_STATUS_ENUM_) CONVK_STATUS_END_ = 1 };
#undef CONVK_STATUS_ENUM_
/* ---- src/tuner/types.h ---- */
/* What a family adds to convk_tuning stands in its list CONVK_<FAMILY>_TUNING_, as parameter(type, name, which of the
   parameters that convk_tune chooses), after a comment that says of each, with semicolons between, what it is. */
#define CONVK_TUNING_MEMBER_(type, name, choice) type name;
#define CONVK_TUNING_PARAMETERS_(parameter) \
  CONVK_SEPCONV_TUNING_(parameter) CONVK_STENCIL_TUNING_(parameter) CONVK_GAUSSIAN_TUNING_(parameter) \
  CONVK_FORM_TUNING_(parameter) CONVK_FFT_TUNING_(parameter) CONVK_PAIR_TUNING_(parameter)

/* Block sizes and caches; 0 means: chosen by the library.  They change speed, never a result. */
typedef struct convk_tuning {
  size_t l2_bytes, l3_bytes; /* what arrays may count on: filled by convk_open from the processor's own description (of its L3 three
                                quarters; half, at most 24 MiB a thread, on a virtual machine, which shares it with others); 0: not
                                known.  What is set by hand is believed */
  size_t l3_threads;         /* that share one L3 */
  int nontemporal;           /* stores that bypass the cache: 0 by size, 1 always, -1 never */
  CONVK_TUNING_PARAMETERS_(CONVK_TUNING_MEMBER_)
} convk_tuning;

/* Parameters that convk_tune chooses, where the handle's `tuning` says nothing. */
enum {
  CONVK_TUNE_ROWS = 0,
  CONVK_TUNE_DEPTH,
  CONVK_TUNE_NONTEMPORAL,
  CONVK_TUNE_PREFETCH,
  CONVK_TUNE_THREADS_Y,
  CONVK_TUNE_PLANES,
  CONVK_TUNE_COUNT
};

/* One tuned choice: for an operation on a machine at a size, what convk_tune measured to be best.  The caller keeps an array
   of them and shows it to a handle: hw.tuned = array, hw.ntuned = count.  A call takes the entry of its own sizes, or else
   the nearest with sizes within a factor of two, or else the defaults. */
typedef struct convk_tuned {
  char operation[16], type[4], hw[16], machine[64]; /* "stencil7", "f64" (or "c64"), "avx512", the processor's name */
  int threads;
  size_t nx, ny, nz;   /* points that change, or of the input */
  size_t length;       /* steps of a stencil: only whether one or several; taps of a filter */
  long choice[CONVK_TUNE_COUNT]; /* 0: the default */
  long gain;           /* speed over the defaults, in parts of a thousand */
} convk_tuned;

/* An operation that can be tuned.  Families list them as
     tunable(family that must be compiled in, trial, operation, type, precision, CONVK_TUNE_..._ bits, number within the trial)
   where convk_trial_<trial>_<precision>_ sets up a trial of it. */
typedef struct convk_tunable_ {
  const char *operation, *type;
  unsigned chooses;
  int which;
} convk_tunable_;
enum {
  CONVK_TUNE_SIZES_ = 1 << CONVK_TUNE_ROWS,                              /* sizes of blocks */
  CONVK_TUNE_STREAMS_ = 1 << CONVK_TUNE_NONTEMPORAL,                     /* whether stores bypass the caches */
  CONVK_TUNE_ALL_ = (1 << CONVK_TUNE_COUNT) - 1,
  CONVK_TUNE_WAYS_ = 1 << CONVK_TUNE_COUNT | 1 << CONVK_TUNE_ROWS,       /* the first parameter is one of two ways, not a size */
  CONVK_TUNE_ONCE_OR_MORE_ = 1 << (CONVK_TUNE_COUNT + 1)                 /* lengths count as 1, or more than 1 */
};
#define CONVK_TUNABLES_(tunable) \
  CONVK_SEPCONV_TUNABLES_(tunable) CONVK_STENCIL_TUNABLES_(tunable) CONVK_GAUSSIAN_TUNABLES_(tunable) \
  CONVK_FORM_TUNABLES_(tunable) CONVK_FFT_TUNABLES_(tunable) CONVK_PAIR_TUNABLES_(tunable)
/* Types of every family, once per precision: the handle is the same whatever is compiled in. */
#define CONVK_PASS_ CONVK_PASS_TYPES_
#define CONVK_TYPE_ f32
#define CONVK_T float
#include CONVK_HEADER
#define CONVK_PASS_ CONVK_PASS_TYPES_
#define CONVK_TYPE_ f64
#define CONVK_T double
#include CONVK_HEADER

/* ---- src/core/handle.h ---- */
/* ------------------------------------------------------------------------------------------------- the dispatch struct -- */

#define CONVK_MESSAGE_BYTES_ 256

/* A handle.  Everything in it may be read; parallel, tuning and flush_subnormals may be set after convk_open. */
struct convk {
  size_t size; /* sizeof(convk) and CONVK_VERSION of the program part that opened it: checked by every call */
  int version;
  char name[24]; /* "avx2", "opencl", ... */
  char machine[64]; /* the processor's or the device's own name, with _ for blanks */
  convk_parallel parallel;
  int flush_subnormals; /* not 0: tasks take and make numbers below the smallest normal one as 0; see SUBNORMALS in the manual */
  convk_tuning tuning;
  const convk_tuned *tuned; /* the caller's tuned choices, NULL: none */
  size_t ntuned;
  convk_ops_f32 f32; /* one pointer per operation */
  convk_ops_f64 f64;
  void *device; /* state of a device, NULL for CPU variants */
  void (*close)(convk *hw);
  size_t part_of; /* ours: walkers that those of a call are a part of; 0: they are all */
  char message[CONVK_MESSAGE_BYTES_]; /* why the last call was refused or failed, for people; empty where its status says all.
                                         Of threads that share a handle, the last that failed says so */
};

#if (defined __x86_64__ || defined __i386__) && (defined __GNUC__ || defined __clang__)
#define CONVK_X86_ 1
#else
#define CONVK_X86_ 0
#endif

/* Processor features, as bits. */
enum {
  CONVK_CPU_SSE2_ = 1,
  CONVK_CPU_AVX_ = 2,
  CONVK_CPU_AVX2_ = 4,   /* with FMA */
  CONVK_CPU_AVX512_ = 8 /* F, DQ, BW and VL */
};

/* One choice of hardware in a module's table; best last. */
typedef struct convk_module_ {
  const char *name;
  unsigned needs;                              /* processor features; 0: a device */
  int (*open)(convk *hw, const char *options); /* options: what follows "name:", or NULL */
} convk_module_;

typedef struct convk_modules_ {
  size_t count;
  const convk_module_ *list;
} convk_modules_;
typedef convk_modules_ convk_modules_fn_(void);

/* Modules announce themselves by defining these again; convk_open looks at them where it is used. */
#define CONVK_SSE_MODULES_ convk_no_modules_
#define CONVK_AVX_MODULES_ convk_no_modules_
#define CONVK_CL_MODULES_ convk_no_modules_
#define CONVK_CUDA_MODULES_ convk_no_modules_

CONVK_API_ convk_modules_ convk_no_modules_(void);
CONVK_API_ convk_modules_ convk_scalar_modules_(void);

/* int convk_open(convk *hw, const char *spec)
   Opens the hardware that `spec` names (see the manual), or with NULL the best CPU variant.  A macro, so that it knows
   the modules that are included where it is used.  After a failure the handle is not open and need not be closed;
   hw->message may say more: which name is unknown.  CONVK_ERR_NULL, CONVK_ERR_HW_NAME, CONVK_ERR_HW_MODULE, CONVK_ERR_HW_MACHINE, or a
   device's error. */
#define convk_open(hw, spec) \
  convk_open_((hw), (spec), CONVK_SSE_MODULES_, CONVK_AVX_MODULES_, CONVK_CL_MODULES_, CONVK_CUDA_MODULES_)
CONVK_API_ int convk_open_(convk *hw, const char *spec, convk_modules_fn_ *sse, convk_modules_fn_ *avx,
    convk_modules_fn_ *cl, convk_modules_fn_ *cuda);

/* The text of a status code, never NULL. */
CONVK_API_ const char *convk_strerror(int status);

/* A grid of these sizes whose pitches keep neighbouring rows and planes out of each other's cache sets: whole lines of 64 bytes,
   an odd number of them for a row.  element: bytes of one element, a power of two up to 64.  Packed where pitches overflow. */
CONVK_API_ convk_grid3 convk_grid3_padded(size_t nx, size_t ny, size_t nz, size_t element);

/* Memory of `bytes` bytes at a multiple of 2 MiB, on huge pages where the system gives them on request (Linux, unless strict
   ISO C hides madvise): worth 10 to 35% for arrays beyond the caches.  *memory is for CONVK_FREE.  NULL: out of memory.  Nothing
   is written, so that the first to write decides where a page lies: see convk_first_touch. */
CONVK_API_ void *convk_huge_alloc(size_t bytes, void **memory);

/* Gives back what a device holds; harmless after a convk_open that failed, and a second time. */
CONVK_API_ void convk_close(convk *hw);
/* ---- src/tuner/api.h ---- */
/* Writes entries as text, one line each, and a 0 at the end:
     convk-tuned-1 stencil7 f64 avx512 AMD_EPYC threads=2 size=256x256x256 length=64 rows=64 depth=6 ... gain=1083
   text      of `size` bytes; NULL with size 0 asks for the length only
   *length   is set to the length of all the text, without the 0
   CONVK_ERR_SIZE: it does not fit (in 0 bytes not even the 0), and nothing after the first `size` bytes was written. */
CONVK_API_ int convk_tuned_write(const convk_tuned *entries, size_t count, char *text, size_t size, size_t *length);

/* Reads text that convk_tuned_write wrote.  Bad lines are left out, counted and explained; so are those of another machine,
   hardware or number of threads where hw is given.  Empty lines, and those that begin with #, mean nothing.  A bad text may
   make calls slow or ask for more work, never give wrong values.
   hw        the handle that is to use the entries; NULL takes those of every machine
   text      `length` bytes, which need not end in 0; a last line without its end of line is taken to be cut off
   entries   memory for `capacity` entries; *count is set to how many there are
   skipped   NULL, or set to how many lines were left out
   explain   NULL, or called with ctx, the line's number from 1 and the reason for every line left out
   A later line replaces an earlier one of the same key.  Errors: NULL, HANDLE. */
CONVK_API_ int convk_tuned_read(const convk *hw, const char *text, size_t length, convk_tuned *entries,
    size_t capacity, size_t *count, size_t *skipped, void (*explain)(void *ctx, size_t line, const char *reason),
    void *ctx);

/* What is tuned: zero-initialised, then the grid of the input and what of the rest the operation needs.  grid is, without
   pitches: points x exponents x sums of gridpot and gridpot_sum (0 sums: 1), points x functions x orbitals of orbitals, triangles
   x vectors of q of formfactor, the grid of q of formfactor_grid, and columns x rows of the FFT x items of fftconv2d (whose
   fields are half as long and wide) and fft2d, and particles x walkers of pair_energy. */
typedef struct convk_tune_shape {
  convk_grid3 grid;
  int boundary[3];
  size_t steps; /* of stencil7; 0: 1 */
  int taps;     /* of sepconv3d; 0: 16 */
  size_t triangles; /* of formfactor_grid; 0: 4096 */
} convk_tune_shape;

/* Finds good parameters for one operation on this handle's hardware and threads, by measuring.
   operation   "stencil7_f64", "sepconv3d_f32", "gridpot_f32", "gridpot_sum_f32", "orbitals_f64", "formfactor_f32",
               "formfactor_grid_f32", "fftconv2d_c32", "fft2d_c64", "pair_energy_f64", ...; the magic filter is a sepconv3d of 16 taps
   shape       sizes, pitches and boundaries as the program will use them
   budget_ms   about how long it may take, at most 10^7; a trial once begun is ended.  1000 for what fits the caches, 10000 and
               more for grids of which one call takes 0.1 s
   entry       is set to the result: write it with convk_tuned_write, use it through hw->tuned
   Candidates are tried in turn with the best so far, given up early when slow, and taken only when they give the same bits; the
   defaults stay unless the result is more than 3% faster, then entry->choice is all 0 and entry->gain 1000.  What hw->tuning says
   by hand is kept; hw itself is not changed.  Takes memory for three arrays, 2 MiB more
   for each, and the work of the candidates.
   Errors: NULL, OPTION (unknown operation), NONFINITE (budget), SIZE (nothing changes), UNSUPPORTED (devices), MEMORY, HANDLE,
   and those of the operation. */
CONVK_API_ int convk_tune(const convk *hw, const char *operation, const convk_tune_shape *shape, double budget_ms,
    convk_tuned *entry);
#if CONVK_MODE_ == 1 /* declarations only */
#define CONVK_HW_ scalar
#define CONVK_PASS_ CONVK_PASS_NAMES_
#include CONVK_HEADER
#ifdef __cplusplus
}
#endif
#else
/* ---- src/core/caches.h ---- */
/* ------------------------------------------------------------------------------------------------------------- caches -- */

/* What a call may count on of the caches, in one place: all decisions about past or through them, about rows of tiles and
   queues ask here.  The handle's tuning holds what counts; convk_open fills it once with what cpuid says, corrected, and what a
   program puts there afterwards is believed as it is. */

#define CONVK_L2_GUESS_ ((size_t)1 << 19) /* where nothing is known */
#define CONVK_L3_GUESS_ ((size_t)1 << 23) /* a thread's part then */
#define CONVK_L3_GUEST_ ((size_t)3 << 23) /* the most of it that a guest of a shared machine counts on */
#define CONVK_L2_LARGE_ ((size_t)3 << 19) /* from here on work that fits stays in L2: the L3 behind it is far */

/* What cpuid says, made what a program may count on.
   Shared machines: a guest is shown the whole L3 for its few threads, and the other guests use it as well.  It gets half of what
   is claimed, at most 24 MiB for each thread: half of the 32 MiB that 2 threads of an AMD EPYC are shown is what arrays really
   find there.  2 threads of an Intel Xeon are shown 260 to 480 MiB; sweeps to and fro there gain a fifth in the caches where both
   arrays take 34 MB, nothing from 65 MB on, and lose a tenth at 110 MB.
   Own machines: three quarters; stacks, code and other data want theirs.
   Sizes that no machine has are not known.  The L2s hold what an L3 smaller than they would. */
CONVK_RARE_ void convk_caches_correct_(convk_tuning *t, int guest) {
  size_t sharing = t->l3_threads, l3 = t->l3_bytes;
  if (!sharing || sharing > 4096) sharing = 1;
  if (t->l2_bytes < (size_t)1 << 15 || t->l2_bytes > (size_t)1 << 28) t->l2_bytes = 0;
  if (l3 < (size_t)1 << 18) l3 = 0;
  l3 = guest ? l3 / 2 : l3 / 4 * 3;
  if (guest && l3 / CONVK_L3_GUEST_ >= sharing) l3 = sharing * CONVK_L3_GUEST_;
  if (l3 && l3 / sharing < t->l2_bytes) l3 = t->l2_bytes <= (size_t)-1 / sharing ? t->l2_bytes * sharing : t->l2_bytes;
  t->l3_bytes = l3;
  t->l3_threads = sharing;
}

/* A thread's L2; NULL: nothing is known. */
CONVK_LOCAL_ size_t convk_cache_l2_(const convk_tuning *t) { return t && t->l2_bytes ? t->l2_bytes : CONVK_L2_GUESS_; }

/* A thread's part of L3, where `threads` work: among those of them that share it. */
CONVK_LOCAL_ size_t convk_cache_l3_(const convk_tuning *t, size_t threads) {
  const size_t sharing = t->l3_threads && t->l3_threads < threads ? t->l3_threads : threads;
  return !t->l3_bytes ? CONVK_L3_GUESS_ : sharing > 1 ? t->l3_bytes / sharing : t->l3_bytes;
}

/* Where a thread's work runs fastest: in the L2 where that is large, since L3 then is a mesh away and slow for one core; otherwise
   in its part of L3. */
CONVK_LOCAL_ size_t convk_cache_near_(const convk_tuning *t, size_t threads) {
  const size_t l2 = convk_cache_l2_(t), l3 = convk_cache_l3_(t, threads);
  return l2 >= CONVK_L2_LARGE_ || l2 > l3 ? l2 : l3;
}

/* Whether so many bytes, swept by `threads` together, are more than these keep with `each`. */
CONVK_LOCAL_ int convk_cache_exceeds_(size_t bytes, size_t threads, size_t each) {
  return threads <= 1 ? bytes > each : each <= (size_t)-1 / threads && bytes > each * threads;
}

/* Whether so many bytes live beyond the caches, and what is written there goes past them.  Where no L3 is known, nothing does. */
CONVK_LOCAL_ int convk_cache_past_(const convk_tuning *t, size_t threads, size_t bytes) {
  if (t->nontemporal) return t->nontemporal > 0;
  return t->l3_bytes && convk_cache_exceeds_(bytes, threads, convk_cache_l3_(t, threads));
}
/* ---- src/core/detect.h ---- */
#if CONVK_X86_
CONVK_LOCAL_ void convk_cpuid_(unsigned leaf, unsigned sub, unsigned out[4]) {
#ifdef __i386__ /* ebx may hold the position-independent base */
  __asm__ volatile("xchgl %%ebx, %1\n\tcpuid\n\txchgl %%ebx, %1"
                   : "=a"(out[0]), "=&r"(out[1]), "=c"(out[2]), "=d"(out[3]) : "0"(leaf), "2"(sub));
#else
  __asm__ volatile("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "0"(leaf), "2"(sub));
#endif
}

CONVK_LOCAL_ unsigned convk_cpu_features_(void) {
  unsigned leaf1[4], leaf7[4], last[4], have = 0, low = 0;
  convk_cpuid_(0, 0, last);
  if (last[0] < 1) return 0;
  convk_cpuid_(1, 0, leaf1);
  if (leaf1[3] >> 26 & 1) have |= CONVK_CPU_SSE2_;
  if (!(leaf1[2] >> 26 & 1) || !(leaf1[2] >> 27 & 1)) return have; /* XSAVE and OSXSAVE */
  __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low) : "c"(0) : "edx"); /* xgetbv */
  if ((low & 0x6) != 0x6) return have; /* the system saves XMM and YMM */
  if (leaf1[2] >> 28 & 1) have |= CONVK_CPU_AVX_;
  if (last[0] < 7 || !(have & CONVK_CPU_AVX_)) return have;
  convk_cpuid_(7, 0, leaf7);
  if ((leaf7[1] >> 5 & 1) && (leaf1[2] >> 12 & 1)) have |= CONVK_CPU_AVX2_;
  if ((have & CONVK_CPU_AVX2_) && (low & 0xe0) == 0xe0 && /* masks and ZMM saved */
      (leaf7[1] >> 16 & 1) && (leaf7[1] >> 17 & 1) && (leaf7[1] >> 30 & 1) && (leaf7[1] >> 31 & 1))
    have |= CONVK_CPU_AVX512_;
  return have;
}

/* Sizes of caches as cpuid says, corrected. */
CONVK_RARE_ void convk_cpu_caches_(convk_tuning *t) {
  unsigned r[4], leaf, i, guest = 0;
  convk_cpuid_(0, 0, r);
  if (r[0] >= 1) {
    unsigned features[4];
    convk_cpuid_(1, 0, features);
    guest = features[2] >> 31; /* under a hypervisor */
  }
  leaf = r[0] >= 4 ? 4 : 0;
  if (r[1] == 0x68747541) { /* AMD says it elsewhere */
    convk_cpuid_(0x80000000u, 0, r);
    leaf = r[0] >= 0x8000001du ? 0x8000001du : 0;
  }
  for (i = 0; leaf && i < 16; i++) {
    size_t bytes;
    convk_cpuid_(leaf, i, r);
    if (!(r[0] & 31)) break;
    if ((r[0] & 31) == 2) continue; /* instructions */
    bytes = (size_t)((r[1] >> 22) + 1) * ((r[1] >> 12 & 1023) + 1) * ((r[1] & 4095) + 1) * ((size_t)r[2] + 1);
    if ((r[0] >> 5 & 7) == 2) t->l2_bytes = bytes;
    if ((r[0] >> 5 & 7) == 3) {
      t->l3_bytes = bytes;
      t->l3_threads = (r[0] >> 14 & 4095) + 1;
    }
  }
  convk_caches_correct_(t, guest != 0);
}

CONVK_RARE_ void convk_cpu_name_(char name[64]) {
  unsigned r[4], i;
  convk_cpuid_(0x80000000u, 0, r);
  if (r[0] < 0x80000004u) return;
  for (i = 0; i < 3; i++) {
    convk_cpuid_(0x80000002u + i, 0, r);
    memcpy(name + 16 * i, r, sizeof r);
  }
}
#else
CONVK_LOCAL_ unsigned convk_cpu_features_(void) { return 0; }
CONVK_RARE_ void convk_cpu_caches_(convk_tuning *t) { (void)t; }
CONVK_RARE_ void convk_cpu_name_(char name[64]) { (void)name; }
#endif

/* A name as one word: blanks at the ends go, others and what is not printable become _; "unknown" for none. */
CONVK_RARE_ void convk_one_word_(char *name) {
  size_t i, end = 0, begin = 0;
  while (name[begin] && (name[begin] <= ' ' || name[begin] > '~')) begin++;
  for (i = 0; name[begin + i]; i++) {
    name[i] = name[begin + i] > ' ' && name[begin + i] <= '~' ? name[begin + i] : '_';
    if (name[i] != '_') end = i + 1;
  }
  name[end] = 0;
  if (!end) memcpy(name, "unknown", 8);
}

#ifdef CONVK_OPENMP
CONVK_LOCAL_ int convk_run_openmp_(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  ptrdiff_t i, n = (ptrdiff_t)ntasks;
  (void)ctx;
#pragma omp parallel for schedule(static, 1)
  for (i = 0; i < n; i++) task(arg, (size_t)i);
  return 0;
}
#endif

CONVK_LOCAL_ int convk_check_handle_(const convk *hw) {
  if (!hw) return CONVK_ERR_NULL;
  return hw->size == sizeof(convk) && hw->version == CONVK_VERSION ? CONVK_OK : CONVK_ERR_HANDLE;
}

CONVK_LOCAL_ size_t convk_threads_(const convk *hw) {
  return hw && hw->parallel.run && hw->parallel.threads > 1 ? (size_t)hw->parallel.threads : 1;
}

/* ---- tasks that flush subnormals ---- */

#if CONVK_X86_
typedef unsigned convk_control_;
#define CONVK_FLUSH_ 0x8040u /* of MXCSR: FTZ and DAZ */
#define CONVK_GET_CONTROL_(to) __asm__ volatile("stmxcsr %0" : "=m"(to))
#define CONVK_SET_CONTROL_(from) __asm__ volatile("ldmxcsr %0" : : "m"(from) : "memory")
#elif defined __aarch64__ && (defined __GNUC__ || defined __clang__)
typedef uint64_t convk_control_;
#define CONVK_FLUSH_ ((uint64_t)1 << 24) /* of FPCR: FZ */
#define CONVK_GET_CONTROL_(to) __asm__ volatile("mrs %0, fpcr" : "=r"(to))
#define CONVK_SET_CONTROL_(from) __asm__ volatile("msr fpcr, %0" : : "r"(from) : "memory")
#else
typedef unsigned convk_control_;
#define CONVK_FLUSH_ 0u
#define CONVK_GET_CONTROL_(to) ((void)((to) = 0))
#define CONVK_SET_CONTROL_(from) ((void)(from))
#endif

typedef struct convk_flush_ {
  void (*task)(void *arg, size_t index);
  void *arg;
} convk_flush_;

/* A task of this thread's, which has its settings back afterwards, and its exception flags as they were. */
CONVK_RARE_ void convk_flush_task_(void *arg, size_t index) {
  const convk_flush_ *f = (const convk_flush_ *)arg;
  convk_control_ before, flush;
  CONVK_GET_CONTROL_(before);
  flush = before | CONVK_FLUSH_;
  CONVK_SET_CONTROL_(flush);
  f->task(f->arg, index);
  CONVK_SET_CONTROL_(before);
}

/* Runs ntasks tasks on the handle's threads, or here when there is one task, no handle or no hook. */
CONVK_LOCAL_ int convk_run_(const convk *hw, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  convk_flush_ flush;
  size_t i;
  if (hw && hw->flush_subnormals) {
    flush.task = task;
    flush.arg = arg;
    task = convk_flush_task_;
    arg = &flush;
  }
  if (ntasks > 1 && convk_threads_(hw) > 1)
    return hw->parallel.run(hw->parallel.ctx, ntasks, task, arg) ? CONVK_ERR_THREADS : CONVK_OK;
  for (i = 0; i < ntasks; i++) task(arg, i);
  return CONVK_OK;
}

/* The hook of a part of a call that flushes: it finds the caller's settings, which threads that it makes inherit. */
typedef struct convk_flush_hook_ {
  convk_parallel parallel;
  convk_control_ before;
} convk_flush_hook_;

CONVK_RARE_ int convk_flush_run_(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  const convk_flush_hook_ *hook = (const convk_flush_hook_ *)ctx;
  convk_control_ flush;
  int failed;
  CONVK_GET_CONTROL_(flush);
  CONVK_SET_CONTROL_(hook->before);
  failed = hook->parallel.run(hook->parallel.ctx, ntasks, task, arg);
  CONVK_SET_CONTROL_(flush);
  return failed;
}

/* Does here what may hand out tasks on its way, by the handle that it is given; it flushes like these.  part: not inlined, so
   that no arithmetic leaves it. */
CONVK_RARE_ int convk_run_here_(const convk *hw, int (*part)(void *arg, const convk *hw), void *arg) {
  convk_flush_hook_ hook;
  convk_control_ flush;
  convk own;
  int status;
  if (!hw || !hw->flush_subnormals) return part(arg, hw);
  own = *hw;
  hook.parallel = hw->parallel;
  own.parallel.ctx = &hook;
  if (hw->parallel.run) own.parallel.run = convk_flush_run_;
  CONVK_GET_CONTROL_(hook.before);
  flush = hook.before | CONVK_FLUSH_;
  CONVK_SET_CONTROL_(flush);
  status = part(arg, &own);
  CONVK_SET_CONTROL_(hook.before);
  return status;
}

/* ---- src/core/sizes.h ---- */
#if CONVK_CORE_
CONVK_API_ const char *convk_strerror(int status) {
#define CONVK_STATUS_CASE_(name, value, text) \
  case value: return text;
  switch (status) {
    CONVK_STATUS_LIST_(CONVK_STATUS_CASE_)
    default: return "unknown status";
  }
#undef CONVK_STATUS_CASE_
}
#endif

/* ------------------------------------------------------------------------------------------- sizes, work and overlap -- */

CONVK_LOCAL_ int convk_mul_(size_t a, size_t b, size_t *product) {
  if ((a | b) >> (sizeof(size_t) * 4) && b && a > (size_t)-1 / b) return CONVK_ERR_OVERFLOW;
  *product = a * b;
  return CONVK_OK;
}

/* Fills in packed pitches, and gives the number of elements from the first to the last of the grid. */
CONVK_RARE_ int convk_grid_check_(const convk_grid3 *grid, size_t element, convk_grid3 *full, size_t *span) {
  size_t rows, planes, bytes;
  if (!grid) return CONVK_ERR_NULL;
  *full = *grid;
  if (!full->nx || !full->ny || !full->nz) return CONVK_ERR_SIZE;
  if (!full->pitch_y) full->pitch_y = full->nx;
  if (full->pitch_y < full->nx) return CONVK_ERR_PITCH;
  if (convk_mul_(full->ny, full->pitch_y, &rows)) return CONVK_ERR_OVERFLOW;
  if (!full->pitch_z) full->pitch_z = rows;
  if (full->pitch_z < rows - full->pitch_y + full->nx) return CONVK_ERR_PITCH;
  if (convk_mul_(full->nz, full->pitch_z, &planes) || convk_mul_(planes, element, &bytes) || bytes > (size_t)-1 / 4)
    return CONVK_ERR_OVERFLOW;
  *span = (full->nz - 1) * full->pitch_z + (full->ny - 1) * full->pitch_y + full->nx;
  return CONVK_OK;
}

#if CONVK_CORE_
CONVK_API_ convk_grid3 convk_grid3_padded(size_t nx, size_t ny, size_t nz, size_t element) {
  convk_grid3 grid;
  const size_t unit = element && element <= 64 ? 64 / element : 1, row = (nx / unit + (nx % unit != 0)) | 1;
  grid.nx = nx;
  grid.ny = ny;
  grid.nz = nz;
  grid.pitch_y = grid.pitch_z = 0;
  if (row > (size_t)-1 / 64 / unit || (ny && row * unit > ((size_t)-1 / 64 - 16 * unit) / ny)) return grid;
  grid.pitch_y = row * unit;
  grid.pitch_z = (row * ny + (24 - row * ny % 16) % 16) * unit; /* 8 lines more than a multiple of 16 */
  return grid;
}

CONVK_API_ void *convk_huge_alloc(size_t bytes, void **memory) {
  const size_t page = (size_t)2 << 20;
  char *p;
  if (!memory) return NULL;
  *memory = NULL;
  if (bytes > (size_t)-1 - 2 * page) return NULL;
  p = (char *)(*memory = CONVK_MALLOC(bytes + page));
  if (!p) return NULL;
  p += (page - (uintptr_t)p % page) % page;
#ifdef MADV_HUGEPAGE
  (void)madvise(p, bytes / page * page, MADV_HUGEPAGE);
#endif
  return p;
}
#endif

CONVK_LOCAL_ int convk_overlap_(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  uintptr_t p = (uintptr_t)a, q = (uintptr_t)b;
  return a && b && a_bytes && b_bytes && p < q + b_bytes && q < p + a_bytes;
}

/* Finite, whatever -ffast-math makes of comparisons. */
CONVK_LOCAL_ int convk_finite_f32_(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits >> 23 & 0xff) != 0xff;
}
CONVK_LOCAL_ int convk_finite_f64_(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits >> 52 & 0x7ff) != 0x7ff;
}

/* The square root of a finite x >= 0, to an ulp, without a call that would need -lm. */
CONVK_RARE_ double convk_sqrt_(double x) {
  uint64_t bits;
  double y;
  int i;
  if (!(x > 0)) return 0;
  memcpy(&bits, &x, sizeof bits);
  bits = (bits >> 1) + ((uint64_t)1023 << 51);
  memcpy(&y, &bits, sizeof y);
  for (i = 0; i < 5; i++) y = 0.5 * (y + x / y);
  return y;
}

/* The caller's work memory, or memory of the call's own: `base` is 64-byte aligned. */
typedef struct convk_work_ {
  void *own;
  char *base;
} convk_work_;

CONVK_LOCAL_ int convk_work_begin_(convk_work_ *w, void *work, size_t work_size, size_t need) {
  w->own = NULL;
  if (work) {
    if (work_size < need) return CONVK_ERR_WORK;
  } else {
    work = w->own = CONVK_MALLOC(need);
    if (!work) return CONVK_ERR_MEMORY;
  }
  w->base = (char *)work + (64 - (uintptr_t)work % 64) % 64;
  return CONVK_OK;
}

CONVK_LOCAL_ void convk_work_end_(convk_work_ *w) {
  if (w->own) CONVK_FREE(w->own);
}

CONVK_LOCAL_ size_t convk_lowest_(uint64_t bits) {
  size_t n = 0;
  for (; !(bits & 1); bits >>= 1) n++;
  return n;
}

CONVK_LOCAL_ size_t convk_round_up_(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

CONVK_LOCAL_ size_t convk_ceil_(size_t n, size_t k) { return n / k + (n % k != 0); }

/* The size of each of the fewest parts of n that have at most `most` > 0 elements. */
CONVK_LOCAL_ size_t convk_even_part_(size_t n, size_t most) { return convk_ceil_(n, convk_ceil_(n, most)); }

/* A checksum of bytes at any alignment, begun with h or gone on with from there. */
CONVK_RARE_ uint64_t convk_hash_(uint64_t h, const void *data, size_t bytes) {
  const unsigned char *p = (const unsigned char *)data;
  uint64_t word;
  for (; bytes >= sizeof word; bytes -= sizeof word, p += sizeof word) {
    memcpy(&word, p, sizeof word);
    h ^= word; /* shifted first: multiplication alone takes a flip of the highest bit nowhere */
    h = (h ^ h >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
  }
  for (; bytes; bytes--, p++) {
    h ^= *p;
    h = (h ^ h >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
  }
  return h ^ h >> 32;
}
/* ---- src/core/refuse.h ---- */
/* ---- why a call is refused ---- */

/* `text` at `to`, of `size` bytes with the 0, where the numbers stand for % in turn; to NULL: nowhere. */
CONVK_RARE_ void convk_say_(char *to, size_t size, const char *text, int64_t first, int64_t second, int64_t third) {
  const int64_t numbers[3] = {first, second, third};
  char digits[24];
  size_t k = 0, number = 0;
  if (!to || !size) return;
  for (; *text && k + 1 < size; text++) {
    const int64_t value = *text == '%' && number < 3 ? numbers[number++] : -1;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    size_t length = 0;
    if (*text != '%') {
      to[k++] = *text;
      continue;
    }
    do digits[length++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) digits[length++] = '-';
    while (length && k + 1 < size) to[k++] = digits[--length];
  }
  to[k] = 0;
}

/* Where the message of an open handle is, else NULL.  The handle is const in the signature that all operations share; its message
   is no part of its value. */
CONVK_LOCAL_ char *convk_message_(const convk *hw) {
  return convk_check_handle_(hw) ? NULL : ((convk *)(uintptr_t)hw)->message;
}

/* The status of a call that is refused, after the message of a handle (or NULL) has been told why, with numbers or without. */
CONVK_RARE_ int convk_refuse_at_(char *message, int status, const char *text, int64_t first, int64_t second, int64_t third) {
  convk_say_(message, CONVK_MESSAGE_BYTES_, text, first, second, third);
  return status;
}
CONVK_RARE_ int convk_refuse_(char *message, int status, const char *text) {
  return convk_refuse_at_(message, status, text, 0, 0, 0);
}

/* Every call begins with this: the handle is open, and says nothing of former calls.  What is empty is not written, so that
   threads may share a handle. */
CONVK_LOCAL_ int convk_begin_call_(const convk *hw) {
  const int status = convk_check_handle_(hw);
  if (!status && CONVK_UNLIKELY_(hw->message[0] != 0)) convk_message_(hw)[0] = 0;
  return status;
}
/* ---- src/core/open.h ---- */
#if CONVK_CORE_
/* ----------------------------------------------------------------------------------------------------- opening a handle -- */

CONVK_API_ convk_modules_ convk_no_modules_(void) {
  convk_modules_ none = {0, NULL};
  return none;
}
/* "'name' is none of ..."; processor: it is one of those, with options. */
CONVK_RARE_ void convk_unknown_(char *to, size_t size, const char *name, int processor) {
  const char *const parts[3] = {"'", name,
                                processor ? "' is a processor, which takes no options"
                                          : "' is none of scalar, sse2, avx, avx2, avx512, opencl[:device], cuda[:device]"};
  const size_t most = 100; /* characters of a name that is shown: the rest of the text has room */
  size_t i, j, k = 0;
  for (i = 0; i < 3; i++)
    for (j = 0; parts[i][j] && k + 1 < size && (i != 1 || j < most); j++) to[k++] = parts[i][j];
  to[k] = 0;
}
CONVK_API_ int convk_open_(convk *hw, const char *spec, convk_modules_fn_ *sse, convk_modules_fn_ *avx,
                           convk_modules_fn_ *cl, convk_modules_fn_ *cuda) {
  static const char *const known[] = {"scalar", "sse2", "avx", "avx2", "avx512", "opencl", "cuda"};
  const size_t cpus = 5, all = 7;
  const unsigned have = convk_cpu_features_();
  const convk_module_ *found = NULL;
  const char *options = NULL;
  convk_modules_fn_ *tables[5];
  size_t i, j, length = 0, which = 0;
  int status;
  if (!hw) return CONVK_ERR_NULL;
  memset(hw, 0, sizeof *hw);
  if (spec) {
    while (spec[length] && spec[length] != ':') length++;
    while (which < all && (strlen(known[which]) != length || strncmp(spec, known[which], length))) which++;
    if (which == all || (which < cpus && spec[length])) {
      convk_unknown_(hw->message, sizeof hw->message, spec, which < all);
      return CONVK_ERR_HW_NAME;
    }
    if (spec[length]) options = spec + length + 1;
  }
  tables[0] = convk_scalar_modules_;
  tables[1] = sse;
  tables[2] = avx;
  tables[3] = cl;
  tables[4] = cuda;
  for (i = 0; i < (spec ? 5 : 3); i++) { /* NULL asks for a processor */
    const convk_modules_ table = tables[i]();
    for (j = 0; j < table.count; j++)
      if (spec ? !strcmp(table.list[j].name, known[which]) : (table.list[j].needs & have) == table.list[j].needs)
        found = &table.list[j];
  }
  if (!found) return CONVK_ERR_HW_MODULE;
  if ((found->needs & have) != found->needs) return CONVK_ERR_HW_MACHINE;
  strncpy(hw->name, found->name, sizeof hw->name - 1);
  convk_cpu_caches_(&hw->tuning);
  convk_cpu_name_(hw->machine);
#ifdef CONVK_OPENMP
  hw->parallel.threads = omp_get_max_threads();
  hw->parallel.run = convk_run_openmp_;
#endif
  status = found->open(hw, options);
  convk_one_word_(hw->machine);
  if (status) return status; /* size stays 0: not open */
  hw->size = sizeof *hw;
  hw->version = CONVK_VERSION;
  return CONVK_OK;
}

CONVK_API_ void convk_close(convk *hw) {
  if (convk_check_handle_(hw)) return;
  if (hw->close) hw->close(hw);
  memset(hw, 0, sizeof *hw);
}
#endif
/* ---- src/tuner/choose.h ---- */
/* ---- choices for a call ---- */

/* Operations that can be tuned; the last has no name. */
CONVK_LOCAL_ const convk_tunable_ *convk_tunables_(void) {
#define CONVK_TUNABLE_(FAMILY, trial, operation, type, PRECISION, chooses, which) {#operation, #type, chooses, which},
  static const convk_tunable_ tunables[] = {CONVK_TUNABLES_(CONVK_TUNABLE_){NULL, NULL, 0, 0}};
#undef CONVK_TUNABLE_
  return tunables;
}

/* The place of an operation in the list, of any type where that is NULL; that of its end: there is none. */
CONVK_RARE_ size_t convk_tunable_of_(const char *operation, const char *type) {
  const convk_tunable_ *list = convk_tunables_();
  size_t i = 0;
  while (list[i].operation && (strcmp(list[i].operation, operation) || (type && strcmp(list[i].type, type)))) i++;
  return i;
}

/* How far a tuned size lies from the wanted one: their ratio, or too far. */
CONVK_RARE_ double convk_size_ratio_(size_t a, size_t b, double most) {
  const double ratio = !a || !b ? 1e9 : a > b ? (double)a / (double)b : (double)b / (double)a;
  return ratio <= most ? ratio : 1e9;
}

/* The handle's tuning for a call, completed by the entry that fits best. */
CONVK_RARE_ convk_tuning convk_tuning_of_(const convk *hw, const char *operation, const char *type, const size_t n[3],
                                          size_t length) {
  const convk_tuned *best = NULL;
  convk_tuning t;
  double least = 0;
  size_t i;
  if (!hw) {
    memset(&t, 0, sizeof t);
    return t;
  }
  t = hw->tuning;
  for (i = 0; i < hw->ntuned && hw->tuned; i++) {
    const convk_tuned *e = &hw->tuned[i];
    double sum;
    if (strcmp(e->operation, operation) || strcmp(e->type, type) || strcmp(e->hw, hw->name) ||
        strcmp(e->machine, hw->machine) || e->threads != (int)convk_threads_(hw))
      continue;
    sum = convk_size_ratio_(e->nx, n[0], 2) + convk_size_ratio_(e->ny, n[1], 2) + convk_size_ratio_(e->nz, n[2], 2);
    if (convk_tunables_()[convk_tunable_of_(operation, NULL)].chooses & CONVK_TUNE_ONCE_OR_MORE_)
      sum += convk_size_ratio_(1 + (e->length > 1), 1 + (length > 1), 1);
    else
      sum += convk_size_ratio_(e->length, length, 2);
    if (sum < 1e9 && (!best || sum < least)) {
      best = e;
      least = sum;
    }
  }
  if (!best) return t;
  if (!t.nontemporal) t.nontemporal = (int)best->choice[CONVK_TUNE_NONTEMPORAL];
#define CONVK_TUNING_CHOICE_(type, name, which) if (!t.name) t.name = (type)best->choice[CONVK_TUNE_##which];
  CONVK_TUNING_PARAMETERS_(CONVK_TUNING_CHOICE_)
#undef CONVK_TUNING_CHOICE_
  return t;
}

CONVK_LOCAL_ convk_tuning convk_tuning_for_(const convk *hw, const char *operation, size_t element, const size_t n[3], size_t length) {
  return convk_tuning_of_(hw, operation, element == 4 ? "f32" : "f64", n, length);
}
/* ---- src/tuner/trial.h ---- */
/* ---- trials ---- */

/* One operation on arrays of its own. */
typedef struct convk_trial_ {
  convk hw;
  convk_tune_shape shape;
  void *array[3], *memory[3], *work; /* input, output, the bits that are right; what to free; work */
  void *plan;                        /* of transforms, made once */
  size_t bytes, work_size;           /* of an array, and of work */
  const convk_tunable_ *what;        /* is tuned */
  void (*fill)(struct convk_trial_ *t);
  int (*run)(struct convk_trial_ *t, void **result);
  int (*same)(struct convk_trial_ *t, const long *a, const long *b); /* whether two choices come to the same call, or NULL */
  int touch;                         /* arrays lie near the threads that use them, where there is convk_first_touch */
  size_t triangles, unit;            /* what one row of the table of values means */
  convk_tuned entry;
} convk_trial_;

/* Work for the choice of the moment. */
CONVK_LOCAL_ int convk_trial_work_(convk_trial_ *t, size_t need) {
  if (need > t->work_size) {
    if (t->work) CONVK_FREE(t->work);
    t->work = CONVK_MALLOC(need);
    t->work_size = t->work ? need : 0;
  }
  return need > t->work_size ? CONVK_ERR_MEMORY : CONVK_OK;
}
#if CONVK_HAS_SEPCONV_
/* ---- src/sepconv/shape.h ---- */
#define CONVK_BLOCK_ ((size_t)8) /* outputs along y or z that a kernel makes from one set of loads */
#define CONVK_NONE_ ((size_t)-1)
#define CONVK_RESULT_ ((size_t)256) /* points of rows whose epilogue is done at once, unless one row has more */
#define CONVK_AHEAD_ ((size_t)6)    /* planes fetched before they are read */

/* One axis of a convolution: output i is the sum over k < ntaps of taps[k] times input i + shift + k. */
typedef struct convk_axis_ {
  size_t n, m, ntaps; /* points in, points out, taps */
  ptrdiff_t shift;
  int boundary;
} convk_axis_;

CONVK_RARE_ int convk_axis_check_(size_t n, int lo, int up, int boundary, convk_axis_ *axis) {
  size_t more;
  if (lo > up || lo < -CONVK_MAX_REACH || up > CONVK_MAX_REACH || up - lo >= CONVK_MAX_TAPS) return CONVK_ERR_TAPS;
  more = (size_t)(up - lo);
  axis->n = axis->m = n;
  axis->ntaps = more + 1;
  axis->shift = lo;
  axis->boundary = boundary;
  switch (boundary) {
    case CONVK_PERIODIC: /* the same reach, begun at most one period before the axis */
      axis->shift = lo % (ptrdiff_t)n;
      if (axis->shift > 0) axis->shift -= (ptrdiff_t)n;
      return CONVK_OK;
    case CONVK_ZERO: return CONVK_OK;
    case CONVK_GROW:
      axis->m = n + more;
      axis->shift = -(ptrdiff_t)more;
      return CONVK_OK;
    case CONVK_SHRINK:
      if (n <= more) return CONVK_ERR_SHRINK;
      axis->m = n - more;
      axis->shift = 0;
      return CONVK_OK;
    default: return CONVK_ERR_BOUNDARY;
  }
}

/* What an epilogue does, or what it needs: bits. */
enum {
  CONVK_SEPCONV_DENSITY_ = 1,
  CONVK_SEPCONV_POTENTIAL_ = 2,
  CONVK_SEPCONV_UPDATE_ = 4,
  CONVK_SEPCONV_STORE_ = 8, /* there is an output */
  CONVK_SEPCONV_DOT_ = 16,
  CONVK_SEPCONV_ENERGY_ = 32,
  CONVK_SEPCONV_SUMS_ = CONVK_SEPCONV_DOT_ | CONVK_SEPCONV_ENERGY_
};

/* The grids of potential_apply: of the orbital, and of its values, which is that of the potential; the boundary of the way back;
   and bytes of the values. */
typedef struct convk_potential_grids_ {
  convk_grid3 orbital, values;
  int back[3];
  size_t orbital_span, values_span, bytes;
} convk_potential_grids_;

/* Where planes wait for the z pass: `distinct` planes are needed; the first `head` keep their places, the others share a
   ring of `size`. */
typedef struct convk_ring_ {
  size_t distinct, head, size, places;
} convk_ring_;

CONVK_LOCAL_ convk_ring_ convk_ring_of_(const convk_axis_ *axis, size_t outputs) {
  const size_t count = outputs + axis->ntaps - 1;
  convk_ring_ r;
  r.distinct = axis->boundary == CONVK_PERIODIC && axis->n < count ? axis->n : count;
  r.size = CONVK_BLOCK_ + axis->ntaps - 1;
  r.head = count - r.distinct < r.distinct ? count - r.distinct : r.distinct;
  r.places = r.head + r.size;
  if (r.distinct <= r.places) r.places = r.head = r.distinct;
  return r;
}

CONVK_LOCAL_ size_t convk_ring_slot_(const convk_ring_ *r, size_t plane) {
  return plane < r->head ? plane : r->head + (plane - r->head) % r->size;
}

/* Rows of the planes that come next, fetched behind the arithmetic of the y and z passes: more than one of them can hide; in the x
   pass, which is short of registers for addresses, it cost more than it gave.  Kernels fetch `lines` at each step, about `budget` in a call. */
typedef struct convk_fetch_ {
  uintptr_t base;                       /* of plane 0 */
  size_t pitch, z, nz;                  /* bytes from plane to plane; the plane being fetched, of so many */
  int wraps;                            /* after the last comes plane 0 */
  const size_t *offsets;                /* of rows in a plane, in elements */
  size_t element, rows, row, at, bytes; /* bytes of an element; rows of a plane; where in it; bytes of a row */
  size_t next, limit;                   /* how many planes were begun, and may be */
  size_t budget, lines;
} convk_fetch_;

CONVK_INLINE_ void convk_fetch_over_(convk_fetch_ *f, size_t steps) {
  if (f) f->lines = convk_ceil_(f->budget, steps ? steps : 1);
}

CONVK_INLINE_ void convk_fetch_some_(convk_fetch_ *f) {
  uintptr_t p;
  size_t k;
  if (f->next >= f->limit) return;
  p = f->base + f->z * f->pitch + f->at;
  if (f->offsets[f->row] != CONVK_NONE_) p += f->offsets[f->row] * f->element;
  for (k = 0; k < f->lines; k++) CONVK_PREFETCH_L1_(p + 64 * k);
  f->at += 64 * f->lines;
  if (f->at < f->bytes) return;
  f->at = 0;
  if (++f->row < f->rows) return;
  f->row = 0;
  f->next++;
  if (++f->z < f->nz) return;
  f->z = 0;
  if (!f->wraps) f->limit = f->next;
}

/* How a call is cut: tiles of `rows` rows of y, the whole of x and a chunk of z; a task takes every tasks_y-th tile of its
   chunk.  The other fields say where things lie in a task's scratch memory, in elements. */
typedef struct convk_sepconv_cut_ {
  size_t rows, tasks, tasks_y, chunk_z;
  int stream;         /* the output bypasses the caches */
  size_t fetch_lines; /* of a plane of a tile; 0 where the caches hold all input */
  size_t zeros, trash, padded, padded_pitch, padded_left, result, result_pitch, result_rows, planes, plane_pitch;
  size_t offsets_bytes, rows_bytes, bytes; /* in bytes: where row offsets and row pointers lie, and all of one task's scratch */
  size_t sums, sums_bytes;                 /* one f64 per output row, for each of two sums, before the scratch */
} convk_sepconv_cut_;

/* Threads that a call of so many multiply-adds may use.  Waking a thread costs some microseconds: below about 8 of them for each, two
   threads measured 0.44 to 0.9 of the speed of one (conv1d_transpose of 64 x 64 to 256 x 256); above, 1.2 and more.  Where the tuning says
   how tiles are cut, as many as the handle has. */
#define CONVK_THREAD_WORK_ ((size_t)400000) /* multiply-adds of doubles, two of floats */
CONVK_LOCAL_ size_t convk_sepconv_threads_(const convk *hw, double work, size_t element) {
  const size_t threads = convk_threads_(hw);
  const double most = work * (double)element / (8.0 * (double)CONVK_THREAD_WORK_);
  if (hw && hw->tuning.sepconv_rows) return threads;
  return most >= (double)threads ? threads : most < 1 ? 1 : (size_t)most;
}

/* Rows of a tile, of my, each taking `row` bytes in all planes: these stay in L2, or where that leaves few rows and much reading
   twice, in L3; threads end together. */
CONVK_LOCAL_ size_t convk_sepconv_rows_(const convk_tuning *tuning, size_t threads, size_t my, size_t row) {
  const size_t l3 = convk_cache_l3_(tuning, threads) / 2;
  const size_t few = 2 * CONVK_BLOCK_, many = 8 * CONVK_BLOCK_;
  size_t most = convk_cache_l2_(tuning) / 8 * 5 / row, rows, chosen = CONVK_BLOCK_, best = (size_t)-1;
  if (most < few) most = l3 / row < many ? l3 / row : many;
  for (rows = CONVK_BLOCK_; rows <= most && rows < my + CONVK_BLOCK_; rows += CONVK_BLOCK_) {
    const size_t turns = convk_ceil_(convk_ceil_(my, rows), threads);
    if (turns * (rows + 5) < best) { /* 5: what beginning a tile costs, in rows */
      best = turns * (rows + 5);
      chosen = rows;
    }
  }
  return chosen < my ? chosen : my;
}

CONVK_RARE_ int convk_sepconv_cut_of_(const convk *hw, const convk_axis_ axis[3], size_t element, convk_sepconv_cut_ *cut,
                                      size_t *need) {
  const size_t nx = axis[0].n, mx = axis[0].m, my = axis[1].m, mz = axis[2].m;
  const size_t unit = 64 / element, window = mx + axis[0].ntaps - 1;
  const size_t blocks = convk_ceil_(my, CONVK_BLOCK_);
  convk_tuning tuning;
  size_t n[3];
  convk_ring_ ring;
  size_t threads, tiles, chunks = 1, long_row, elements, right;
  double work;
  n[0] = nx;
  n[1] = axis[1].n;
  n[2] = axis[2].n;
  tuning = convk_tuning_for_(hw, "sepconv3d", element, n, axis[1].ntaps);
  work = (double)(my * axis[2].n) * (double)(nx * axis[1].ntaps + mx * axis[0].ntaps) +
         (double)(mx * my) * (double)(mz * axis[2].ntaps);
  threads = convk_sepconv_threads_(hw, work, element);
  /* few tiles in y: cut z too, at the price of some planes being made twice */
  if (blocks < threads) {
    chunks = threads / blocks;
    if (chunks > mz / (2 * CONVK_BLOCK_)) chunks = mz / (2 * CONVK_BLOCK_);
    if (chunks < 1) chunks = 1;
  }
  cut->chunk_z = convk_ceil_(mz, chunks);
  cut->chunk_z = cut->chunk_z < mz ? convk_round_up_(cut->chunk_z, CONVK_BLOCK_) : mz;
  chunks = convk_ceil_(mz, cut->chunk_z);
  ring = convk_ring_of_(&axis[2], cut->chunk_z);

  cut->padded_left = axis[0].shift < 0 ? (size_t)-axis[0].shift : 0;
  right = (size_t)((ptrdiff_t)(cut->padded_left + window) + axis[0].shift);
  if (right < cut->padded_left + nx) right = cut->padded_left + nx;
  cut->padded_pitch = convk_round_up_(right + CONVK_SLACK_, unit);

  if (tuning.sepconv_rows) {
    cut->rows = tuning.sepconv_rows < my ? tuning.sepconv_rows : my;
  } else {
    size_t row;
    if (convk_mul_(ring.places, mx, &row) || row + cut->padded_pitch < row ||
        convk_mul_(row + cut->padded_pitch, element, &row))
      return CONVK_ERR_OVERFLOW;
    cut->rows = convk_sepconv_rows_(&tuning, threads, my, row);
  }
  tiles = convk_ceil_(my, cut->rows);
  cut->tasks_y = tiles < threads ? tiles : threads;
  cut->tasks = cut->tasks_y * chunks;

  /* input and output together leave no room for each other; their checks found that they can be counted in bytes */
  cut->stream = convk_cache_past_(&tuning, threads, (nx * axis[1].n * axis[2].n + mx * my * mz) * element);

  cut->fetch_lines = 0;
  if (nx * axis[1].n * axis[2].n > convk_cache_l2_(&tuning) / 4 / element)
    cut->fetch_lines = (cut->rows + axis[1].ntaps - 1) * convk_ceil_(nx * element, 64);

  if (convk_mul_(cut->rows, mx, &long_row) || long_row > (size_t)-1 / 2) return CONVK_ERR_OVERFLOW;
  cut->plane_pitch = convk_round_up_(long_row, unit) + unit; /* one line more: planes do not share cache sets */
  if (long_row < nx) long_row = nx;
  long_row = convk_round_up_(long_row, unit);
  cut->zeros = 0;
  cut->trash = long_row;
  cut->padded = 2 * long_row;
  if (convk_mul_(convk_round_up_(cut->rows, CONVK_BLOCK_), cut->padded_pitch, &elements)) return CONVK_ERR_OVERFLOW;
  cut->result = cut->padded + elements;
  cut->result_rows = mx < CONVK_RESULT_ ? CONVK_RESULT_ / mx : 1;
  if (cut->result_rows > cut->rows) cut->result_rows = cut->rows;
  cut->result_pitch = convk_round_up_(cut->result_rows * mx, unit);
  cut->planes = cut->result + CONVK_BLOCK_ * cut->result_pitch;
  if (cut->planes < elements || convk_mul_(ring.places, cut->plane_pitch, &elements)) return CONVK_ERR_OVERFLOW;
  elements += cut->planes;
  if (elements < cut->planes || convk_mul_(elements, element, &cut->offsets_bytes)) return CONVK_ERR_OVERFLOW;
  cut->offsets_bytes = convk_round_up_(cut->offsets_bytes, 64);
  elements = cut->rows + CONVK_BLOCK_ + CONVK_MAX_TAPS; /* rows of y that a tile reads, and some to fill up its last block */
  cut->rows_bytes = cut->offsets_bytes + elements * sizeof(size_t);
  cut->bytes = convk_round_up_(cut->rows_bytes + elements * sizeof(const void *), 64);
  cut->sums = my * mz;
  if (convk_mul_(cut->sums, 2 * sizeof(double), &cut->sums_bytes) || cut->sums_bytes > (size_t)-1 / 2)
    return CONVK_ERR_OVERFLOW;
  cut->sums_bytes = convk_round_up_(cut->sums_bytes, 64);
  if (cut->bytes < cut->offsets_bytes || convk_mul_(cut->tasks, cut->bytes, need)) return CONVK_ERR_OVERFLOW;
  *need += cut->sums_bytes + 64;
  return *need < cut->sums_bytes ? CONVK_ERR_OVERFLOW : CONVK_OK;
}

/* conv1d_transpose: strips of input rows, transposed piece by piece */
#define CONVK_STRIP_ ((size_t)96)
#define CONVK_STRIP_LENGTH_ ((size_t)128)
#define CONVK_STRIP_BYTES_(element) ((CONVK_STRIP_LENGTH_ + CONVK_MAX_TAPS + 2) * CONVK_STRIP_ * (element))

/* Rows of a strip: the most, or fewer where threads would go without. */
CONVK_LOCAL_ size_t convk_strip_rows_(size_t threads, size_t ndat) {
  const size_t share = ndat / threads;
  return share < CONVK_STRIP_ ? convk_round_up_(share + 1, 16) : CONVK_STRIP_;
}

CONVK_LOCAL_ size_t convk_strip_tasks_(size_t threads, size_t ndat) {
  const size_t strips = convk_ceil_(ndat, convk_strip_rows_(threads, ndat));
  return strips < threads ? strips : threads;
}
#endif
#if CONVK_HAS_STENCIL_
/* ---- src/stencil/shape.h ---- */

enum {
  CONVK_STENCIL_DEPTH_ = 16,  /* most steps in one pass over memory */
  CONVK_STENCIL_STRIP_ = 1536 /* bytes of a row of which the 18 rows that 4 planes take from row to row stay in L1 */
};

/* How a call is cut: task (z, y) of tasks_z x tasks_y sweeps its box in tiles of `rows` rows, `depth` steps in one pass,
   `planes` planes at a time. */
typedef struct convk_stencil_cut_ {
  size_t depth, rows, planes, tasks_y, tasks_z;
  size_t pitch, plane, level; /* of the queues: elements between rows, planes and levels */
  size_t stage;               /* offset of the queues behind the stage in a task's scratch, in elements */
  size_t bytes;               /* of one task's scratch */
  size_t strip;               /* elements of long rows that are swept through all rows of a tile before the next */
  size_t ahead;               /* elements by which the input is prefetched, or 0 */
  int stream;                 /* the result bypasses the caches */
} convk_stencil_cut_;

CONVK_LOCAL_ size_t convk_wrap_(ptrdiff_t i, size_t n) {
  if (i >= 0 && i < (ptrdiff_t)n) return (size_t)i; /* divisions take their time where a call is short */
  i %= (ptrdiff_t)n;
  return (size_t)(i < 0 ? i + (ptrdiff_t)n : i);
}

/* Where part i of n begins, of `parts` parts that differ by one at most. */
CONVK_LOCAL_ size_t convk_part_(size_t n, size_t i, size_t parts) { return n / parts * i + (i < n % parts ? i : n % parts); }

/* Passes over memory for `steps` steps, of at most `depth` each: as many as make the result end in the first of two arrays after
   an even number of steps, in the second after an odd one.  And the steps of pass p. */
CONVK_LOCAL_ size_t convk_stencil_passes_(size_t steps, size_t depth) {
  const size_t passes = convk_ceil_(steps, depth);
  return passes + ((passes ^ steps) & 1);
}
CONVK_LOCAL_ size_t convk_stencil_pass_(size_t steps, size_t passes, size_t p) { return steps / passes + (p < steps % passes); }

/* Least bytes of updates in a task: about 4 microseconds, several times what it takes to wake a thread that waits for work. */
#define CONVK_STENCIL_TASK_ ((size_t)3 << 16)

/* A box of `count` points among `threads`, in planes or rows, whichever leaves a thread less; steps in one pass make neighbours
   overlap. */
CONVK_RARE_ void convk_stencil_tasks_(size_t threads, size_t asked, const size_t count[3], size_t depth,
                                      convk_stencil_cut_ *cut) {
  size_t y, best = (size_t)-1;
  cut->tasks_y = cut->tasks_z = 1;
  if (threads <= 1) return;
  if (asked > threads) asked = threads;
  if (asked > count[1]) asked = count[1];
  for (y = 1; y <= threads && y <= count[1]; y++) {
    size_t z = threads / y, planes, rows;
    if (z > count[2]) z = count[2];
    planes = convk_ceil_(count[2], z) + (z > 1 ? depth - 1 : 0);
    rows = convk_ceil_(count[1], y) + (y > 1 ? depth - 1 : 0);
    if (asked ? y == asked : planes * rows < best) {
      best = planes * rows;
      cut->tasks_y = y;
      cut->tasks_z = z;
    }
  }
}

/* Threads that a pass of so many steps on so many bytes is worth: a small one stays on the caller's. */
CONVK_LOCAL_ size_t convk_stencil_threads_(size_t threads, size_t bytes, size_t depth) {
  const size_t worth = threads > 1 ? bytes / (CONVK_STENCIL_TASK_ / depth) : 1;
  return threads < worth ? threads : worth ? worth : 1;
}

/* Steps in one pass and rows of a tile, for rows of `row` bytes and two arrays of `both`.  Arrays near the threads: single sweeps;
   beyond: as many steps, up to 6, from L3 to L2 up to 4, as leave the queues wide tiles.  Queues get three quarters of an L3, but
   half of an L2: that holds the planes of the input, too, and what else passes on its way from memory.  Single sweeps take as many
   rows as leave the 8 planes of a turn in L2, but tiles of few rows read too much twice. */
CONVK_RARE_ void convk_stencil_depth_(const convk_tuning *t, size_t threads, size_t steps, size_t row, size_t both,
                                      convk_stencil_cut_ *cut) {
  const size_t near_bytes = convk_cache_near_(t, threads), least = 32, most = 96;
  const int in_l2 = near_bytes == convk_cache_l2_(t);
  const size_t queues = in_l2 ? near_bytes / 2 : near_bytes / 4 * 3;
  size_t rows = (size_t)-1;
  cut->depth = t->stencil_steps;
  if (!cut->depth) cut->depth = !convk_cache_exceeds_(both, threads, near_bytes) ? 1 : in_l2 && !cut->stream ? 4 : 6;
  if (cut->depth > CONVK_STENCIL_DEPTH_) cut->depth = CONVK_STENCIL_DEPTH_;
  if (cut->depth > steps) cut->depth = steps ? steps : 1;
  for (; cut->depth > 1; cut->depth--) {
    const size_t around = 2 * cut->depth, fit = queues / ((cut->depth - 1) * (cut->planes + 2)) / row;
    rows = fit > around + 8 ? fit - around : 8;
    if (rows > most) rows = most;
    if (t->stencil_steps || rows >= 4 * cut->depth) break;
  }
  if (cut->depth == 1 && both >= near_bytes / 4 * 3) {
    rows = convk_cache_l2_(t) / 8 / row;
    if (rows < least) rows = least;
  }
  cut->rows = t->stencil_rows ? t->stencil_rows : rows;
}

/* How the queues of planes lie: elements between rows, `pitch`, planes, `plane`, and levels, `level`.  A row begins a line behind
   what lies left of it, and an odd number of lines after the one before: rows do not share cache sets.
   Loads that follow a store to the same place of another page (4 KiB) wait for it on some processors, so that the rows of all
   planes that one step reads lie side by side in the page, and those that it writes half a page away. */
CONVK_RARE_ int convk_stencil_queues_(size_t nx, size_t element, convk_stencil_cut_ *cut) {
  const size_t unit = 64 / element, page = 64;
  size_t lines = (nx * element / 64 + 2) | 1, plane, level;
  if (lines % page >= page / 4 * 3) lines += page + 1 - lines % page; /* long rows: a line on in the page */
  if (convk_mul_(lines, cut->rows + 2 * cut->depth, &plane) || plane > (size_t)-1 / 64 / 64) return CONVK_ERR_OVERFLOW;
  plane += (page + 3 - plane % page) % page;
  if (convk_mul_(plane, cut->planes + 2, &level) || level > (size_t)-1 / 64 / 64) return CONVK_ERR_OVERFLOW;
  level += (page + page / 2 - level % page) % page;
  cut->pitch = lines * unit;
  cut->plane = plane * unit;
  cut->level = level * unit;
  return CONVK_OK;
}

/* The cut for a box of `count` points of the `whole` that changes, whose tuning it takes. */
CONVK_RARE_ int convk_stencil_cut_of_(const convk *hw, const size_t whole[3], const size_t count[3], size_t steps,
                                      size_t element, convk_stencil_cut_ *cut, size_t *need) {
  size_t threads = convk_threads_(hw), points, both, total;
  convk_tuning tuning;
  memset(cut, 0, sizeof *cut);
  *need = 64;
  if (!count[0] || !count[1] || !count[2]) return CONVK_OK;
  tuning = convk_tuning_for_(hw, "stencil7", element, whole, steps);
  if (count[0] > (size_t)-1 / 64 || convk_mul_(count[0], count[1], &points) || convk_mul_(points, count[2], &points) ||
      convk_mul_(points, 2 * element, &both))
    return CONVK_ERR_OVERFLOW;
  cut->planes = CONVK_STENCIL_PLANES_;
  if (tuning.stencil_planes && tuning.stencil_planes < cut->planes) cut->planes = tuning.stencil_planes;
  cut->stream = convk_cache_past_(&tuning, threads, both);
  cut->ahead = cut->stream ? 1024 / element : 0;
  if (tuning.stencil_prefetch) cut->ahead = tuning.stencil_prefetch > 0 ? (size_t)tuning.stencil_prefetch : 0;
  cut->strip = CONVK_STENCIL_STRIP_ / element;
  if (count[0] <= cut->strip / 3 * 4) cut->strip = count[0];
  convk_stencil_depth_(&tuning, threads, steps, count[0] * element + 128, both, cut);
  if (cut->rows > count[1]) cut->rows = count[1];
  if (!tuning.stencil_threads_y) threads = convk_stencil_threads_(threads, both / 2, cut->depth);
  convk_stencil_tasks_(threads, tuning.stencil_threads_y, count, cut->depth, cut);
  if ((cut->stream || cut->depth > 1) && convk_stencil_queues_(count[0], element, cut)) return CONVK_ERR_OVERFLOW;
  cut->stage = cut->stream ? cut->planes * cut->pitch : 0;
  if (convk_mul_(cut->depth - 1, cut->level * element, &total) || total > (size_t)-1 / 4) return CONVK_ERR_OVERFLOW;
  cut->bytes = cut->stream || cut->depth > 1 ? total + cut->stage * element + 64 : 0;
  if (threads > 1) points /= count[0]; /* rows: no task has less than one */
  if (convk_mul_(cut->bytes, points < threads ? points : threads, need) || *need > (size_t)-1 / 2) return CONVK_ERR_OVERFLOW;
  *need += 64;
  return CONVK_OK;
}

typedef struct convk_touch_ {
  convk_grid3 grid;
  size_t element;
  convk_stencil_cut_ cut;
  char *array;
} convk_touch_;

CONVK_LOCAL_ void convk_touch_task_(void *arg, size_t index) {
  const convk_touch_ *job = (const convk_touch_ *)arg;
  const convk_stencil_cut_ *cut = &job->cut;
  const size_t iz = index / cut->tasks_y, iy = index % cut->tasks_y, end = convk_part_(job->grid.nz, iz + 1, cut->tasks_z);
  size_t y, z;
  for (z = convk_part_(job->grid.nz, iz, cut->tasks_z); z < end; z++)
    for (y = convk_part_(job->grid.ny, iy, cut->tasks_y); y < convk_part_(job->grid.ny, iy + 1, cut->tasks_y); y++)
      memset(job->array + (z * job->grid.pitch_z + y * job->grid.pitch_y) * job->element, 0, job->grid.nx * job->element);
}

CONVK_API_ int convk_first_touch(const convk *hw, const convk_grid3 *grid, size_t element, void *array) {
  convk_touch_ job;
  size_t span, count[3];
  int status = convk_begin_call_(hw);
  memset(&job, 0, sizeof job);
  if (!status && !array) status = CONVK_ERR_NULL;
  if (!status && !element) status = CONVK_ERR_SIZE;
  if (!status) status = convk_grid_check_(grid, element, &job.grid, &span);
  if (status) return status;
  count[0] = grid->nx;
  count[1] = grid->ny;
  count[2] = grid->nz;
  convk_stencil_tasks_(convk_threads_(hw), hw->tuning.stencil_threads_y, count, 1, &job.cut);
  job.element = element;
  job.array = (char *)array;
  return convk_run_(hw, job.cut.tasks_y * job.cut.tasks_z, convk_touch_task_, &job);
}
#endif
#if CONVK_HAS_GAUSSIAN_
/* ---- src/gaussian/shells.h ---- */
enum {
  CONVK_GAUSSIAN_BYTES_ = 16384, /* of points in a block of gridpot, twice as much as of exponents */
  CONVK_GAUSSIAN_ROWS_ = 256,    /* in its other direction */
  CONVK_GAUSSIAN_SUMS_ = 4,      /* sums that share exponentials in registers */
  CONVK_GAUSSIAN_STRIP_ = 16,    /* exponentials of so many exponents wait in L1 for the sums */
  CONVK_GAUSSIAN_GATHER_ = 256,  /* points gathered at once */
  CONVK_GAUSSIAN_ORBITAL_BYTES_ = 1024, /* of points in a block of orbitals */
  CONVK_GAUSSIAN_COLUMNS_ = 64,  /* monomials that wait for their product with the coefficients */
  CONVK_GAUSSIAN_SHELLS_ = 4,    /* shells that share exponentials */
  CONVK_GAUSSIAN_STAGES_ = 54    /* rows of lower degrees */
};
/* ---- src/gaussian/coefficients.h ---- */
/* p in 2^f = 1 + f (ln 2 + f p(f)), for every hardware */
#define CONVK_EXP2_f32_ {0.240226477f, 0.0555036217f, 0.00961852632f, 0.00133901613f, 0.000153211586f}
#define CONVK_EXP2_f64_ \
  {0.24022650695910119, 0.055504108664821604, 0.0096181291075951077, 0.0013333558146410656, 0.00015403530458701168, \
   1.5252733838879019e-5, 1.3215433539637458e-6, 1.0178057622863296e-7, 7.0741945626130925e-9, 4.4558180309134402e-10}
/* The least results: of a grid potential 1 + 2^-13 times the smallest normal number; terms of sums, which are multiplied by what
   may be less than 1, 2^-102 and 2^-969: as much more as 1 is to its last place; primitives of orbitals, which are multiplied by
   up to four coordinates, each of which may be nothing but a rounding error, 2^-80 and 2^-969. */
#define CONVK_GAUSSIAN_LEAST_ (CONVK_OF_(1.17549435082228751e-38f, 2.2250738585072014e-308) * (CONVK_T)1.0001220703125f)
#define CONVK_GAUSSIAN_LEAST_TERM_ CONVK_OF_(1.9721522630525295e-31f, 2.0041683600089728e-292)
#define CONVK_GAUSSIAN_LEAST_PRIMITIVE_ CONVK_OF_(8.2718061255302767e-25f, 2.0041683600089728e-292)
/* Of the elements of a row: all are 0; some may be below the cutoff, far below the smallest normal number, near the largest. */
#define CONVK_GAUSSIAN_NONE_ 1
#define CONVK_GAUSSIAN_CUT_ 2
#define CONVK_GAUSSIAN_FAR_ 4
#define CONVK_GAUSSIAN_LARGE_ 8
/* Where the arrays of a call are: in memory of the host; in memory of a device, whose addresses count but not what is there; or
   points and results behind handles (OpenCL), which the caller compares. */
enum { CONVK_GAUSSIAN_HOST_, CONVK_GAUSSIAN_DEVICE_, CONVK_GAUSSIAN_HANDLES_ };

/* Bytes from the first to the last of rows of n elements at distance ld. */
CONVK_LOCAL_ int convk_rows_bytes_(size_t rows, size_t n, size_t ld, size_t element, size_t *bytes) {
  const size_t most = (size_t)-1 / 64;
  *bytes = 0;
  if (!rows || !n) return CONVK_OK;
  if (convk_mul_(rows - 1, ld, bytes) || *bytes > most || n > most) return CONVK_ERR_OVERFLOW;
  *bytes = (*bytes + n) * element;
  return CONVK_OK;
}

CONVK_LOCAL_ size_t convk_least_(size_t a, size_t b) { return a < b ? a : b; }

CONVK_EXACT_PUSH_ /* so that factors and coefficients do not depend on what a compiler contracts */

/* The first 26 digits of x. */
CONVK_LOCAL_ double convk_leading_(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= ~(uint64_t)0 << 27;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* a log2(e) = hi + lo, by parts of 26 digits, whose products are exact. */
CONVK_LOCAL_ void convk_times_log2e_(double a, double *hi, double *lo) {
  const double l0 = 1.4426950216293335, l1 = 1.92596298909109e-08, l2 = 2.0355273740931033e-17;
  const double a0 = convk_leading_(a), a1 = a - a0, low = (a0 * l1 + a1 * l0) + (a1 * l1 + a * l2);
  *hi = a0 * l0 + low;
  *lo = (a0 * l0 - *hi) + low;
}

/* ---- shells ---- */

CONVK_API_ int convk_shell_functions(int l, int order) {
  if (l < 0 || l > CONVK_MAX_L || order < CONVK_CARTESIAN || order > CONVK_SPHERICAL_PYSCF) return CONVK_ERR_OPTION;
  return order == CONVK_CARTESIAN || order == CONVK_CARTESIAN_MOLDEN ? (l + 1) * (l + 2) / 2 : 2 * l + 1;
}

CONVK_API_ int convk_shells_functions(size_t nshells, const convk_shell *shells, size_t *count) {
  size_t i, sum = 0;
  if ((nshells && !shells) || !count) return CONVK_ERR_NULL;
  if (nshells > (size_t)-1 / 4096) return CONVK_ERR_OVERFLOW;
  for (i = 0; i < nshells; i++) {
    const int n = convk_shell_functions(shells[i].l, shells[i].order);
    if (n < 0) return n;
    sum += (size_t)n;
  }
  *count = sum;
  return CONVK_OK;
}

/* One shell of those, number i. */
CONVK_RARE_ int convk_shell_check_(const convk_shell *s, int64_t i, char *message, size_t size) {
  size_t p;
  int k;
  if (!s->primitives) {
    convk_say_(message, size, "shells[%].primitives is 0: at least 1", i, 0, 0);
    return CONVK_ERR_OPTION;
  }
  if (!s->exponents || !s->coefficients) {
    convk_say_(message, size, s->exponents ? "shells[%].coefficients is NULL" : "shells[%].exponents is NULL", i, 0, 0);
    return CONVK_ERR_NULL;
  }
  if (s->primitives > (size_t)-1 / 4096) {
    convk_say_(message, size, "shells[%].primitives is too large", i, 0, 0);
    return CONVK_ERR_OVERFLOW;
  }
  for (k = 0; k < 3; k++)
    if (!convk_finite_f64_(s->center[k])) {
      convk_say_(message, size, "shells[%].center[%] is not finite", i, k, 0);
      return CONVK_ERR_NONFINITE;
    }
  for (p = 0; p < s->primitives; p++) {
    const int bad = !convk_finite_f64_(s->exponents[p]);
    if (bad || !convk_finite_f64_(s->coefficients[p])) {
      convk_say_(message, size, bad ? "shells[%].exponents[%] is not finite" : "shells[%].coefficients[%] is not finite", i,
                 (int64_t)p, 0);
      return CONVK_ERR_NONFINITE;
    }
    if (!(s->exponents[p] > 0)) {
      convk_say_(message, size, "shells[%].exponents[%] is not positive", i, (int64_t)p, 0);
      return CONVK_ERR_OPTION;
    }
  }
  return CONVK_OK;
}

CONVK_API_ int convk_shells_check(size_t nshells, const convk_shell *shells, size_t *count, char *message, size_t size) {
  size_t i, functions = 0;
  int status = convk_shells_functions(nshells, shells, &functions);
  if (status == CONVK_ERR_NULL) convk_say_(message, size, "shells is NULL", 0, 0, 0);
  for (i = 0; i < nshells && status == CONVK_ERR_OPTION; i++)
    if (convk_shell_functions(shells[i].l, shells[i].order) < 0) {
      if (shells[i].l < 0 || shells[i].l > CONVK_MAX_L)
        convk_say_(message, size, "shells[%].l is %, and not from 0 to %", (int64_t)i, shells[i].l, CONVK_MAX_L);
      else convk_say_(message, size, "shells[%].order is %, none of CONVK_CARTESIAN ...", (int64_t)i, shells[i].order, 0);
      return status;
    }
  for (i = 0; i < nshells && !status; i++) status = convk_shell_check_(&shells[i], (int64_t)i, message, size);
  if (!status && count) *count = functions;
  return status;
}

CONVK_LOCAL_ double convk_factorial_(int n) {
  double f = 1;
  for (; n > 1; n--) f *= n;
  return f;
}

/* (2 n - 1)!! */
CONVK_LOCAL_ double convk_odd_factorial_(int n) {
  double f = 1;
  for (; n > 1; n--) f *= 2 * n - 1;
  return f;
}

CONVK_LOCAL_ double convk_binomial_(int n, int k) {
  return k < 0 || k > n ? 0 : convk_factorial_(n) / (convk_factorial_(k) * convk_factorial_(n - k));
}

/* Functions of a shell in x^a y^b z^c, which stand in the order of CONVK_CARTESIAN at (b + c)(b + c + 1) / 2 + c: rows of t.
   S_lm = N sum over t, u, w of (-1)^(t + w div 2) 4^-t (l over t) (l - t over |m| + t) (t over u) (|m| over w)
   x^(2 t + |m| - 2 u - w) y^(2 u + w) z^(l - 2 t - |m|), w even for m >= 0 and odd for m < 0 (Helgaker, Jorgensen, Olsen, 6.4),
   N^2 = 2 (l + |m|)! (l - |m|)! / (4^|m| l!^2 (2 l - 1)!!), half of it for m = 0. */
CONVK_RARE_ void convk_shell_matrix_(int l, int order, double t[15][15]) {
  static const char *const molden[CONVK_MAX_L + 1] = {"000", "100010001", "200020002110101011", "300030003120210201102012021111",
                                                      "400040004310301130031103013220202022211121112"};
  const int n = convk_shell_functions(l, order);
  int f, i, u, w;
  memset(t, 0, (size_t)(n > 0 ? n : 0) * sizeof *t);
  for (f = 0; f < n; f++) {
    if (order == CONVK_CARTESIAN) {
      t[f][f] = 1;
    } else if (order == CONVK_CARTESIAN_MOLDEN) {
      const int a = molden[l][3 * f] - '0', b = molden[l][3 * f + 1] - '0', c = molden[l][3 * f + 2] - '0';
      t[f][(b + c) * (b + c + 1) / 2 + c] =
          1 / convk_sqrt_(convk_odd_factorial_(a) * convk_odd_factorial_(b) * convk_odd_factorial_(c));
    } else {
      const int rising = order == CONVK_SPHERICAL || (order == CONVK_SPHERICAL_PYSCF && l != 1);
      const int m = rising ? f - l : l == 1 ? (f == 0 ? 1 : f == 1 ? -1 : 0) : f % 2 ? (f + 1) / 2 : -f / 2;
      const int k = m < 0 ? -m : m;
      double norm = 2 * convk_factorial_(l + k) * convk_factorial_(l - k) / convk_odd_factorial_(l);
      norm = convk_sqrt_(m ? norm : norm / 2) / convk_factorial_(l) / (1 << k);
      for (i = 0; 2 * i + k <= l; i++)
        for (u = 0; u <= i; u++)
          for (w = m < 0; w <= k; w += 2) {
            const int b = 2 * u + w, c = l - 2 * i - k;
            const double value = convk_binomial_(l, i) * convk_binomial_(l - i, k + i) * convk_binomial_(i, u) *
                                 convk_binomial_(k, w) / (1 << 2 * i);
            t[f][(b + c) * (b + c + 1) / 2 + c] += (i + w / 2) % 2 ? -norm * value : norm * value;
          }
    }
  }
}

CONVK_API_ int convk_shell_normalise(int l, size_t primitives, const double *exponents, const double *contraction,
                                      double *coefficients) {
  double sum = 0;
  size_t p, q;
  int turn, k;
  if (!exponents || !contraction || !coefficients) return CONVK_ERR_NULL;
  if (l < 0 || l > CONVK_MAX_L || !primitives) return CONVK_ERR_OPTION;
  for (p = 0; p < primitives; p++) {
    if (!convk_finite_f64_(exponents[p]) || !convk_finite_f64_(contraction[p])) return CONVK_ERR_NONFINITE;
    if (!(exponents[p] > 0)) return CONVK_ERR_OPTION;
  }
  for (p = 0; p < primitives; p++)
    for (q = 0; q < primitives; q++) {
      const double ratio = exponents[p] / exponents[q], y = 2 / (convk_sqrt_(ratio) + convk_sqrt_(1 / ratio));
      double power = y * convk_sqrt_(y);
      for (k = 0; k < l; k++) power *= y;
      sum += contraction[p] * contraction[q] * power;
    }
  if (!convk_finite_f64_(sum) || !(sum > 0)) return CONVK_ERR_NONFINITE;
  sum = convk_sqrt_(sum);
  for (turn = 0; turn < 2; turn++) /* all are looked at before the first is written */
    for (p = 0; p < primitives; p++) {
      const double root = convk_sqrt_(exponents[p] * 0.63661977236758134308); /* 2 a / pi */
      double value = contraction[p] / sum * root * convk_sqrt_(root);
      for (k = 0; k < l; k++) value *= 2 * convk_sqrt_(exponents[p]);
      if (turn) coefficients[p] = value;
      else if (!convk_finite_f64_(value)) return CONVK_ERR_NONFINITE;
    }
  return CONVK_OK;
}

/* How many shells from the first one on have its center and exponents, so that they share their exponentials. */
CONVK_LOCAL_ size_t convk_shells_alike_(size_t nshells, const convk_shell *shells) {
  size_t i = 1;
  while (i < nshells && i < CONVK_GAUSSIAN_SHELLS_ && shells[i].primitives == shells->primitives &&
         !memcmp(shells[i].center, shells->center, sizeof shells->center) &&
         !memcmp(shells[i].exponents, shells->exponents, shells->primitives * sizeof *shells->exponents))
    i++;
  return i;
}

/* Whether memory that is written overlaps what describes the shells. */
CONVK_RARE_ int convk_shells_overlap_(size_t nshells, const convk_shell *shells, const void *out, size_t bytes) {
  int overlap = convk_overlap_(shells, nshells * sizeof *shells, out, bytes);
  size_t i;
  for (i = 0; i < nshells && !overlap; i++) {
    const size_t span = shells[i].primitives * sizeof *shells[i].exponents;
    overlap = convk_overlap_(shells[i].exponents, span, out, bytes) || convk_overlap_(shells[i].coefficients, span, out, bytes);
  }
  return overlap;
}

CONVK_EXACT_POP_

#endif
#if CONVK_HAS_FORMFACTOR_ || CONVK_HAS_FFT_
/* ---- src/core/roots.h ---- */

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

/* cos and sin of 2 pi num / den for num < den <= 2^50: a root, turned by what is left, at most 1 / 4096 of a turn, by series. */
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
#endif
#if CONVK_HAS_FORMFACTOR_
/* ---- src/formfactor/shape.h ---- */
/* What of the options can be wrong by itself. */
CONVK_RARE_ int convk_form_option_(char *message, const convk_formfactor_options *options) {
  int order;
  if (!options) return CONVK_OK;
  order = options->order ? options->order : options->fourth_order ? 2 : 0;
  if (options->form < CONVK_FORM_AUTO || options->form > CONVK_FORM_EXACT)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->form is %, none of CONVK_FORM_AUTO ...", options->form, 0, 0);
  if (options->fourth_order & ~1)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->fourth_order is %, neither 0 nor 1", options->fourth_order, 0,
                            0);
  if (order && options->form == CONVK_FORM_EXACT)
    return convk_refuse_(message, CONVK_ERR_OPTION, "options->order or fourth_order is set, and CONVK_FORM_EXACT has none");
  if (options->fourth_order && order != 2)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->order is %, and fourth_order goes with 0 and 2", order, 0, 0);
  if (order != 0 && order != 2 && order != 4 && order != 8 && order != 12 && order != 16)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->order is %, none of 0, 2, 4, 8, 12, 16", order, 0, 0);
  return CONVK_OK;
}

/* What a triangle counts by: its centroid (order 0), a series of an order about it, or CONVK_FORM_FITTED_: what each q needs so that
   the error stays below `tolerance`. */
typedef struct convk_form_rule_ {
  int order, corners; /* whether corners are needed */
  int full;           /* whether all components of q may be complex */
  double tolerance;
} convk_form_rule_;

/* What EXACT leaves of F(0): less than roundings do. */
CONVK_LOCAL_ double convk_form_eps_(size_t element) {
  return element == sizeof(float) ? 1.0 / 8388608 : 1.0 / 2251799813685248.;
}

/* The rule for options that are right.  corners: whether the mesh has them; full: whether qx or qy have imaginary
   parts. */
CONVK_LOCAL_ convk_form_rule_ convk_form_rule_of_(const convk_formfactor_options *options, int corners, int full, double eps) {
  convk_form_rule_ rule = {0, 0, 0, 0};
  const int form = options ? options->form : CONVK_FORM_AUTO;
  rule.full = full;
  if (options) rule.order = options->order ? options->order : options->fourth_order ? 2 : 0;
  if (form == CONVK_FORM_EXACT) {
    rule.order = CONVK_FORM_FITTED_;
    rule.tolerance = eps;
  } else if (form == CONVK_FORM_AUTO && !rule.order && corners) {
    rule.order = CONVK_FORM_FITTED_;
    rule.tolerance = CONVK_FORM_TOLERANCE_;
  } else if (rule.full && !rule.order) {
    rule.order = 2;
  }
  rule.corners = rule.order != 0;
  return rule;
}

/* The form that is taken: measures->closed tells. */
CONVK_LOCAL_ int convk_form_choose_(const convk_formfactor_options *options, convk_mesh_measures *measures) {
  const int form = options ? options->form : CONVK_FORM_AUTO;
  if (form == CONVK_FORM_CLOSED && !measures->closed) return CONVK_ERR_OPEN_MESH;
  if (form == CONVK_FORM_OPEN) measures->closed = 0;
  return CONVK_OK;
}

/* What F takes of a mesh.  extent: of its box, summed over the axes. */
typedef struct convk_form_body_ {
  double volume, gap[3], extent, edge, limit; /* the last two: see form_order */
  int closed, least;
} convk_form_body_;

CONVK_LOCAL_ convk_form_body_ convk_form_body_of_(const convk_mesh_measures *m, const convk_form_rule_ *rule) {
  convk_form_body_ body = {0, {0, 0, 0}, 0, 0, 0, 0, 0};
  const double volume = m->volume < 0 ? -m->volume : m->volume;
  int d;
  body.volume = m->volume;
  for (d = 0; d < 3; d++) {
    body.gap[d] = m->gap[d];
    body.extent += m->most[d] - m->least[d];
  }
  body.closed = m->closed;
  body.edge = m->edge;
  body.least = rule->full || rule->tolerance < CONVK_FORM_TOLERANCE_ ? 2 : 0;
  body.limit =
      rule->tolerance / 6; /* an open surface as that of a body whose volume is area edge / 6: of a cube of this edge */
  if (m->closed && m->area * m->edge > 0) body.limit = rule->tolerance * (volume / (m->area * m->edge));
  return body;
}

/* With the corners of a triangle at phases u0, u1, u2 about that of the centroid, of differences up to g = |q| edge, a series
   of the mean of exp(i u) up to degree m - 1 leaves no more than the mean of |u|^m / m!.  It is convex in u0, u1, u2, and so
   largest at (2, -1, -1) g / 3: lost g^m.  (Of complex u it is that times the greatest exp(-Im q.r).)  A triangle adds no more
   than its area / |q| times that to F, all of them no more than area edge lost g^(m - 1).  m is 2 without a series, 3 for order
   2, which ends before its odd term, and the order plus 2 for those that have it. */
CONVK_API_ double convk_formfactor_error(const convk_mesh_measures *measures, double q, int order) {
  static const double lost[6] = {0.0278, 3.2e-3, 2.2e-6, 3.3e-11, 1.5e-16, 2.5e-22};
  static const int orders[6] = {0, 2, 4, 8, 12, 16}, power[6] = {1, 2, 5, 9, 13, 17}; /* m - 1; as in form_order */
  double volume, error;
  int k, i;
  for (k = 0; k < 6 && orders[k] != order;) k++;
  if (!measures || k == 6) return -1;
  if (!(measures->area * measures->edge > 0)) return 0;
  volume = measures->volume < 0 ? -measures->volume : measures->volume;
  error = lost[k] / (measures->closed ? volume / (measures->area * measures->edge)
                                      : measures->edge / measures->area * measures->edge); /* a cube of this edge */
  for (i = 0; i < power[k]; i++) error *= (q < 0 ? -q : q) * measures->edge;
  return error;
}

/* In what unit of length a grid of fourth order takes the lanes' axis: a power of two, about the mesh's size; without it 1. */
CONVK_RARE_ double convk_form_unit_(const convk_form_body_ *body, double area, size_t element, int fourth_order) {
  const double most = element == sizeof(double) ? 1e153 : 1e18;
  const double square = body->extent * body->extent + area;
  double unit = 1;
  if (!fourth_order) return unit;
  while (unit * unit < square && unit < most) unit *= 2;
  while (unit * unit > 4 * square && square > 0 && unit * most > 1) unit /= 2;
  return unit;
}

/* A tensor grid by its axes: that of the lanes, then those of the rows. */
typedef struct convk_form_axes_ {
  int axis[3], z;         /* which of x, y, z they are; which of them is complex, 3: none */
  size_t n[3], stride[3]; /* values; of f, in complex elements */
  size_t rows, nq;
} convk_form_axes_;

/* The sizes choose the lanes' axis: the longest, but the complex one.  Nothing else here changes a result. */
CONVK_LOCAL_ int convk_form_axes_of_(const convk_grid3 *full, int imag, convk_form_axes_ *axes) {
  const size_t n[3] = {full->nx, full->ny, full->nz}, stride[3] = {1, full->pitch_y, full->pitch_z};
  int lane = n[1] > n[0] ? 1 : 0, d;
  if (!imag && n[2] > n[lane]) lane = 2;
  axes->axis[0] = lane;
  axes->axis[1] = lane == 0 ? 1 : 0;
  axes->axis[2] = lane == 2 ? 1 : 2;
  axes->z = 3;
  for (d = 0; d < 3; d++) {
    axes->n[d] = n[axes->axis[d]];
    axes->stride[d] = stride[axes->axis[d]];
    if (imag && axes->axis[d] == 2) axes->z = d;
  }
  return convk_mul_(axes->n[1], axes->n[2], &axes->rows) || convk_mul_(axes->rows, axes->n[0], &axes->nq) ? CONVK_ERR_OVERFLOW
                                                                                                          : CONVK_OK;
}

/* ---- placements of an assembly ---- */

/* What is wrong with them.  limit: of numbers. */
CONVK_RARE_ int convk_placements_check_(const convk_placement *p, size_t n, size_t meshes, double limit) {
  size_t i, k;
  for (i = 0; i < n; i++) {
    const double *at = p[i].position;
    double other[12];
    if (p[i].mesh >= meshes) return CONVK_ERR_PLACEMENT;
    memcpy(other, p[i].rotation, 9 * sizeof *other);
    other[9] = p[i].scale;
    memcpy(other + 10, p[i].weight, 2 * sizeof *other);
    for (k = 0; k < 3; k++)
      if (!convk_finite_f64_(at[k])) return CONVK_ERR_COORDINATE;
    for (k = 0; k < 12; k++)
      if (!convk_finite_f64_(other[k])) return CONVK_ERR_NONFINITE;
    if (p[i].scale < 0) return CONVK_ERR_PLACEMENT;
    for (k = 0; k < 15; k++) {
      const double x = k < 3 ? at[k] : other[k - 3];
      if (x > limit || x < -limit) return CONVK_ERR_RANGE;
    }
  }
  return CONVK_OK;
}

/* The order of form factors: 0 for particles that share one. */
CONVK_LOCAL_ int convk_placements_compare_(const convk_placement *a, const convk_placement *b) {
  int i;
  if (a->mesh != b->mesh) return a->mesh < b->mesh ? -1 : 1;
  for (i = 0; i < 9; i++) {
    if (a->rotation[i] < b->rotation[i]) return -1;
    if (a->rotation[i] > b->rotation[i]) return 1;
  }
  return a->scale < b->scale ? -1 : a->scale > b->scale;
}

/* Sorts their numbers in that order: a heap, which needs no memory. */
CONVK_RARE_ void convk_placements_sort_(const convk_placement *p, size_t n, size_t *order) {
  size_t i, k, next, left = n / 2, end = n;
  for (i = 0; i < n; i++) order[i] = i;
  for (i = 1; i < n && convk_placements_compare_(&p[i - 1], &p[i]) <= 0;) i++;
  if (i >= n) return; /* as it mostly is */
  while (end > 1) {
    size_t item;
    if (left) item = order[--left];
    else {
      item = order[--end];
      order[end] = order[0];
    }
    for (k = left; (next = 2 * k + 1) < end; k = next) {
      const size_t other = next + 1 < end ? next + 1 : next;
      int is = convk_placements_compare_(&p[order[next]], &p[order[other]]);
      if (is < 0 || (!is && order[next] < order[other])) next = other;
      is = convk_placements_compare_(&p[item], &p[order[next]]);
      if (is > 0 || (!is && item > order[next])) break;
      order[k] = order[next];
    }
    order[k] = item;
  }
}

/* Whether no particle has a weight: then all count as 1. */
CONVK_RARE_ int convk_placements_unweighted_(const convk_placement *p, size_t n) {
  size_t i;
  int d;
  for (i = 0; i < n; i++)
    for (d = 0; d < 2; d++)
      if (p[i].weight[d] < 0 || p[i].weight[d] > 0) return 0;
  return 1;
}

/* The scale times R^T, in rows; the cube of the scale. */
CONVK_LOCAL_ double convk_placement_turn_(const convk_placement *p, double turn[9]) {
  const double scale = p->scale > 0 ? p->scale : 1;
  int i, given = 0;
  for (i = 0; i < 9; i++)
    if (p->rotation[i] < 0 || p->rotation[i] > 0) given = 1;
  for (i = 0; i < 9; i++) turn[i] = scale * (given ? p->rotation[i % 3 * 3 + i / 3] : i % 4 == 0);
  return scale * scale * scale;
}
/* ---- src/formfactor/edges.h ---- */

/* ---- edges of indexed meshes, of either precision ---- */

#define CONVK_FACES_MAX_ ((size_t)1 << 30) /* counts of edges fit 32 bits */

/* Mixes bits: the finisher of splitmix64. */
CONVK_LOCAL_ uint64_t convk_mix_(uint64_t h) {
  h = (h ^ (h >> 30)) * (((uint64_t)0xbf58476d << 32) | 0x1ce4e5b9);
  h = (h ^ (h >> 27)) * (((uint64_t)0x94d049bb << 32) | 0x133111eb);
  return h ^ (h >> 31);
}

/* A number for the edge between two vertices, whichever way. */
CONVK_LOCAL_ uint64_t convk_edge_number_(uint32_t a, uint32_t b) {
  return convk_mix_(a < b ? (uint64_t)b << 32 | a : (uint64_t)a << 32 | b);
}

/* Whether a surface is closed, without a table of its edges: their numbers, counted up one way and down the other, cancel if every
   edge has as many faces on one side as on the other.  OPEN_MESH or ORIENTATION (closed, but some faces are inside out) otherwise;
   another mesh passes by accident with a probability of 2^-64. */
CONVK_RARE_ int convk_faces_closed_(const convk_any_u32_ *face, size_t faces) {
  uint64_t balance = 0, parity = 0;
  size_t i, k;
  for (i = 0; i < faces; i++, face += 3)
    for (k = 0; k < 3; k++) {
      const uint32_t a = face[k], b = face[k < 2 ? k + 1 : 0];
      const uint64_t number = convk_edge_number_(a, b);
      if (a == b) continue;
      balance += a < b ? number : 0 - number;
      parity ^= number;
    }
  return !balance ? CONVK_OK : parity ? CONVK_ERR_OPEN_MESH : CONVK_ERR_ORIENTATION;
}

/* Slots of a hash table for 3 `faces` edges or vertices: a power of two, a quarter of them free. */
CONVK_LOCAL_ size_t convk_mesh_slots_(size_t faces) {
  size_t places = 4;
  while (places < 4 * faces) places *= 2;
  return places;
}

/* An edge, faces that run along it from the lower to the higher vertex and back; none: a free slot. */
typedef struct convk_edge_ {
  uint32_t low, high, up, down;
} convk_edge_;

CONVK_API_ size_t convk_mesh_work_size(size_t vertices, size_t faces) {
  size_t bytes;
  if (faces > CONVK_FACES_MAX_ || convk_mul_(convk_mesh_slots_(faces), sizeof(convk_edge_), &bytes) ||
      vertices > (size_t)-1 - bytes || vertices + bytes > (size_t)-1 - 64)
    return (size_t)-1;
  return bytes + vertices + 64;
}

/* Counts every edge of a mesh whose indices are right. */
CONVK_RARE_ void convk_mesh_edges_(const convk_any_u32_ *face, size_t faces, convk_edge_ *table, convk_mesh_report *r) {
  const size_t places = convk_mesh_slots_(faces);
  size_t i, k;
  memset(table, 0, places * sizeof *table);
  for (i = 0; i < faces; i++)
    for (k = 0; k < 3; k++) {
      const uint32_t a = face[3 * i + k], b = face[3 * i + (k < 2 ? k + 1 : 0)];
      size_t at = (size_t)convk_edge_number_(a, b) & (places - 1);
      if (a == b) continue;
      while ((table[at].up || table[at].down) && (table[at].low != (a < b ? a : b) || table[at].high != (a < b ? b : a)))
        at = (at + 1) & (places - 1);
      table[at].low = a < b ? a : b;
      table[at].high = a < b ? b : a;
      if (a < b) table[at].up++;
      else table[at].down++;
    }
  r->closed = r->manifold = 1;
  for (i = 0; i < places; i++) {
    const convk_edge_ *e = &table[i];
    if (!e->up && !e->down) continue;
    r->edges++;
    if (e->up + e->down == 1) r->border++;
    if (e->up + e->down == 2 && e->up != 1) r->turned++;
    if (e->up + e->down > 2) r->crowded++;
    if (e->up != 1 || e->down != 1) r->manifold = 0;
    if (e->up == e->down) continue;
    r->closed = 0;
  }
}
#endif
#if CONVK_HAS_FFT_
/* ---- src/fft/plan.h ---- */

/* ---- sizes ---- */

/* Whether n is a product of 2, 3, 5 and 7 up to 1024. */
CONVK_LOCAL_ int convk_fft_size_(size_t n) {
  static const size_t primes[4] = {2, 3, 5, 7};
  int i;
  if (!n || n > CONVK_FFT_MOST_) return 0;
  for (i = 0; i < 4; i++)
    while (n % primes[i] == 0) n /= primes[i];
  return n == 1;
}

/* The passes of n points: an even radix first, which can leave out a half of zeros, another last, the odd ones between. */
CONVK_RARE_ int convk_fft_passes_(size_t n, int radix[CONVK_FFT_PASSES_]) {
  static const int even[11][3] = {{0, 0, 0}, {2, 0, 0},  {4, 0, 0},  {8, 0, 0}, {16, 0, 0}, {8, 4, 0},
                                  {8, 8, 0}, {16, 8, 0}, {16, 16, 0}, {8, 8, 8}, {16, 8, 8}};
  int power = 0, count = 0, i, r;
  while (n % 2 == 0) {
    n /= 2;
    power++;
  }
  if (even[power][0]) radix[count++] = even[power][0];
  for (r = 7; r >= 3; r -= 2)
    for (; n % (size_t)r == 0; n /= (size_t)r) radix[count++] = r;
  for (i = 1; i < 3 && even[power][i]; i++) radix[count++] = even[power][i];
  if (!count) radix[count++] = 1;
  return count;
}

/* Time of n transforms of n points, about: what each point costs beside its passes, the groups of every pass by radix, and their
   twiddles.  Fitted to convolutions of all sizes from 6 to 128 in f32 and c32, on AVX-512, AVX2, SSE2 and scalar code (weights 6,
   3, 1, 1): the size chosen takes 2% longer than the fastest one on average there, and 4% in scalar code. */
CONVK_RARE_ size_t convk_fft_cost_(size_t n) {
  static const size_t group[17] = {0, 0, 99, 114, 34, 196, 0, 437, 157, 0, 0, 0, 0, 0, 0, 0, 868};
  int radix[CONVK_FFT_PASSES_], count, i;
  size_t cost = 133 * n;
  for (count = convk_fft_passes_(n, radix), i = 0; i < count; i++) {
    const size_t r = (size_t)radix[i];
    cost += n / r * (group[r] + (i ? 12 * (r - 1) : 0));
  }
  return n * cost;
}

/* The cheapest size of at least n. */
CONVK_RARE_ size_t convk_fft_best_(size_t n) {
  size_t best = 0, m;
  for (m = n; m <= CONVK_FFT_MOST_ && m <= 2 * n; m++)
    if (convk_fft_size_(m) && (!best || convk_fft_cost_(m) < convk_fft_cost_(best))) best = m;
  return best;
}

/* One axis of a convolution, completed: out points from `origin` on.  circular: of that period, else 0.  tile: results of a tile,
   or 0 where one transform is enough. */
typedef struct convk_fft_extent_ {
  size_t field, kernel, out, fft, period, tile;
  ptrdiff_t origin;
} convk_fft_extent_;

/* The cheapest size of tiles for `out` results, in a square of tiles: at least half of a tile are results, and it is small enough
   for the cache, and large enough that what a tile costs beside its points is little. */
CONVK_RARE_ size_t convk_fft_tile_(size_t kernel, size_t out) {
  const size_t most = kernel < 64 ? 256 : 4 * kernel;
  double least = 0;
  size_t best = 0, m;
  for (m = kernel < 16 ? 32 : 2 * kernel; m <= most && m <= CONVK_FFT_MOST_; m++)
    if (convk_fft_size_(m)) {
      const double tiles = (double)convk_ceil_(out, m - kernel + 1), cost = (double)convk_fft_cost_(m) * tiles * tiles;
      if (best && cost >= least) continue;
      least = cost;
      best = m;
    }
  return best;
}

CONVK_RARE_ int convk_fft_resolve_axis_(int mode, int spectrum, convk_fft_extent_ *e) {
  const size_t most = (size_t)-1 / 8, n = e->field, k = e->kernel;
  size_t full, need, first, last;
  e->period = e->tile = 0;
  if (!n || (!spectrum && !k)) return CONVK_ERR_SIZE;
  if (n > most || k > most || e->out > most || e->fft > most) return CONVK_ERR_OVERFLOW;
  if (mode < CONVK_FULL || mode > CONVK_WINDOW) return CONVK_ERR_MODE;
  if (mode != CONVK_CIRCULAR && mode != CONVK_WINDOW && (e->origin || e->out)) return CONVK_ERR_MODE;
  if (mode == CONVK_CIRCULAR) {
    const size_t p = e->fft ? e->fft : n;
    if (!e->out) e->out = n;
    if (n > p || (!spectrum && k > p)) return CONVK_ERR_SIZE;
    if (e->out > p) return CONVK_ERR_WINDOW;
    e->period = e->fft = p;
    e->origin %= (ptrdiff_t)p;
    if (e->origin < 0) e->origin += (ptrdiff_t)p;
    if (convk_fft_size_(p)) return CONVK_OK;
    if (spectrum) return CONVK_ERR_FFT_SIZE;
    e->fft = convk_fft_best_(n + e->out - 1); /* all distances between a point of the field and one of the result */
    return e->fft ? CONVK_OK : CONVK_ERR_FFT_SIZE;
  }
  if (!k) return CONVK_ERR_SIZE;
  full = n + k - 1;
  if (mode == CONVK_FULL) e->out = full;
  if (mode == CONVK_SAME) {
    e->origin = (ptrdiff_t)((k - 1) / 2);
    e->out = n;
  }
  if (mode == CONVK_VALID) {
    e->origin = (ptrdiff_t)((n < k ? n : k) - 1);
    e->out = (n < k ? k - n : n - k) + 1;
  }
  if (!e->out) return CONVK_ERR_SIZE;
  if (e->origin < 0 || (size_t)e->origin >= full || e->out > full - (size_t)e->origin) return CONVK_ERR_WINDOW;
  /* Points of the kernel that meet the window: [first, last].  Of what wraps around, nothing may meet it. */
  first = (size_t)e->origin >= n ? (size_t)e->origin - n + 1 : 0;
  last = (size_t)e->origin + e->out - 1 < k ? (size_t)e->origin + e->out - 1 : k - 1;
  need = n > e->out ? n : e->out;
  if (last + n > (size_t)e->origin && last + n - (size_t)e->origin > need) need = last + n - (size_t)e->origin;
  if ((size_t)e->origin + e->out - first > need) need = (size_t)e->origin + e->out - first;
  if (need > CONVK_FFT_MOST_ && k <= CONVK_FFT_MOST_ / 2) {
    if (!e->fft) e->fft = convk_fft_tile_(k, e->out);
    if (e->fft < 2 * k || !convk_fft_size_(e->fft)) return CONVK_ERR_FFT_SIZE;
    e->tile = e->fft - k + 1;
    return CONVK_OK;
  }
  if (!e->fft) e->fft = convk_fft_best_(need);
  return e->fft >= need && convk_fft_size_(e->fft) ? CONVK_OK : CONVK_ERR_FFT_SIZE;
}

CONVK_RARE_ int convk_fft_resolve_(char *message, const convk_fftconv2d_shape *shape, int spectrum, convk_fft_extent_ e[2]) {
  int status, d;
  if (!shape) return convk_refuse_(message, CONVK_ERR_NULL, "shape is NULL");
  if (shape->correlation & ~1)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "shape->correlation is %, neither 0 nor 1", shape->correlation, 0, 0);
  memset(e, 0, 2 * sizeof *e);
  e[0].field = shape->rows;
  e[0].kernel = shape->kernel_rows;
  e[0].out = shape->out_rows;
  e[0].fft = shape->fft_rows;
  e[0].origin = shape->origin_row;
  e[1].field = shape->columns;
  e[1].kernel = shape->kernel_columns;
  e[1].out = shape->out_columns;
  e[1].fft = shape->fft_columns;
  e[1].origin = shape->origin_column;
  for (d = 0; d < 2; d++)
    if ((status = convk_fft_resolve_axis_(shape->mode, spectrum && shape->mode == CONVK_CIRCULAR, &e[d])) != 0) return status;
  return CONVK_OK;
}

CONVK_API_ int convk_fftconv2d_resolve(const convk_fftconv2d_shape *shape, convk_fftconv2d_shape *resolved) {
  convk_fft_extent_ e[2];
  const int status = convk_fft_resolve_(NULL, shape, shape && !shape->kernel_rows && !shape->kernel_columns, e);
  if (status || !resolved) return status ? status : CONVK_ERR_NULL;
  if (resolved != shape) *resolved = *shape;
  resolved->out_rows = e[0].out;
  resolved->out_columns = e[1].out;
  resolved->origin_row = e[0].origin;
  resolved->origin_column = e[1].origin;
  resolved->fft_rows = e[0].period ? e[0].period : e[0].fft;
  resolved->fft_columns = e[1].period ? e[1].period : e[1].fft;
  if (resolved->mode != CONVK_CIRCULAR) resolved->mode = CONVK_WINDOW;
  return CONVK_OK;
}

/* ---- twiddles ---- */

CONVK_EXACT_PUSH_ /* so that plans do not depend on what a compiler contracts */

/* (re, im) times exp(2 pi i num / den). */
CONVK_RARE_ void convk_fft_rotate_(size_t num, size_t den, double *re, double *im) {
  double c, s, t;
  convk_root_(num, den, &c, &s);
  t = *re * c + *im * s;
  *im = *im * c - *re * s;
  *re = t;
}

CONVK_EXACT_POP_

/* The passes of an axis and where their twiddles lie from `offset` on; returns their number, 2 per complex. */
CONVK_RARE_ size_t convk_fft_axis_begin_(convk_fft_axis_ *axis, size_t n, size_t in, size_t out, size_t offset) {
  size_t blocks = 1, r, begin = offset;
  int i;
  axis->n = n;
  axis->passes = convk_fft_passes_(n, axis->radix);
  axis->half_in = axis->radix[0] % 2 == 0 && in <= n / 2;
  axis->half_out = axis->radix[0] % 2 == 0 && out <= n / 2;
  for (i = 0; i < axis->passes; i++, blocks *= r) {
    r = (size_t)axis->radix[i];
    axis->forward[i] = offset; /* per block */
    offset += 2 * blocks * (r - 1);
    axis->inverse[i] = offset; /* per point of a block's part */
    offset += 2 * (n / blocks / r) * (r - 1);
  }
  return offset - begin;
}

/* Twiddles as doubles.  A block holds the polynomial modulo z^len - exp(-2 pi i turn), turn = number / blocks: forward its parts
   are multiplied by the powers of the r-th root of that, back by roots of unity. */
CONVK_RARE_ void convk_fft_axis_fill_(const convk_fft_axis_ *axis, double *tables, uint32_t *position) {
  uint32_t turn[CONVK_FFT_MOST_];
  size_t blocks = 1, b, j, q, r;
  int i;
  turn[0] = 0;
  for (i = 0; i < axis->passes; i++, blocks *= r) {
    const size_t part = axis->n / blocks / (size_t)axis->radix[i];
    double *to = tables + axis->forward[i];
    r = (size_t)axis->radix[i];
    for (b = 0; b < blocks; b++)
      for (q = 1; q < r; q++, to += 2) convk_root_(turn[b] * q, blocks * r, to, to + 1);
    for (to = tables + axis->inverse[i], j = 0; j < part; j++)
      for (q = 1; q < r; q++, to += 2) convk_root_(j * q, part * r, to, to + 1);
    for (b = blocks; b-- > 0;) /* children: (turn + p) / r */
      for (q = r; q-- > 0;) turn[b * r + q] = (uint32_t)(turn[b] + q * blocks);
  }
  for (b = 0; b < axis->n; b++) position[turn[b]] = (uint32_t)b;
}

/* The layout of a plan; 0: overflow. */
CONVK_RARE_ size_t convk_fft_layout_(const char *kind, const size_t in[2], const size_t out[2], const size_t fft[2], int real,
                                     size_t kernels, size_t element, convk_fft_plan_ *plan) {
  size_t count, bytes, spectra;
  memset(plan, 0, sizeof *plan);
  strncpy(plan->kind, kind, sizeof plan->kind - 1);
  plan->version = CONVK_VERSION;
  plan->rows = in[0];
  plan->columns = in[1];
  plan->out_rows = out[0];
  plan->out_columns = out[1];
  plan->kernels = kernels;
  plan->real = real;
  count = convk_fft_axis_begin_(&plan->axis[0], fft[0], in[0], out[0], 0);
  count += convk_fft_axis_begin_(&plan->axis[1], fft[1], in[1], out[1], count);
  plan->lines = real ? fft[0] / 2 + 1 : fft[0];
  plan->pitch = convk_round_up_(plan->lines, CONVK_FFT_PAD_);
  plan->spectrum = 2 * fft[1] * plan->pitch;
  plan->position[0] = convk_round_up_(sizeof *plan, 64);
  plan->position[1] = plan->position[0] + convk_round_up_(fft[0] * sizeof(uint32_t), 64);
  plan->tables = plan->position[1] + convk_round_up_(fft[1] * sizeof(uint32_t), 64);
  bytes = plan->spectra = plan->tables + convk_round_up_(count * element, 64);
  if (convk_mul_(kernels, plan->spectrum, &spectra) || spectra > (size_t)-1 / 4 / element - bytes) return 0;
  plan->bytes = bytes + spectra * element;
  return plan->bytes;
}

/* What a plan knows of tiles, and then the kernel's place in one: a tile's convolution begins where its points of the field do. */
CONVK_RARE_ void convk_fft_by_tiles_(convk_fft_extent_ e[2], convk_fft_plan_ *plan) {
  int d;
  for (d = 0; d < 2; d++)
    if (e[d].tile) {
      plan->tile[d] = e[d].tile;
      plan->origin[d] = (size_t)e[d].origin;
      plan->reach[d] = e[d].kernel - 1;
      plan->axis[d].half_out = 0;
      e[d].origin = 0;
      e[d].out = e[d].fft;
    }
}

/* Tiles of an axis of a plan. */
CONVK_LOCAL_ size_t convk_fft_tiles_(const convk_fft_plan_ *plan, int axis) {
  return !plan->tile[axis] ? 1 : convk_ceil_(axis ? plan->out_columns : plan->out_rows, plan->tile[axis]);
}

/* Doubles of a plan's making: the tables of both axes, and one spectrum (x position, y position, part). */
CONVK_LOCAL_ size_t convk_fft_scratch_(const convk_fft_plan_ *plan) {
  return 4 * (plan->axis[0].n + plan->axis[1].n) + 2 * plan->axis[0].n * plan->axis[1].n;
}

/* What goes where: element from[i] of a kernel's axis to element to[i] of the FFT's, shifted so that results begin at 0. */
CONVK_RARE_ size_t convk_fft_place_(const convk_fft_extent_ *e, int correlation, uint32_t *from, uint32_t *to) {
  const size_t o = (size_t)e->origin, k = e->kernel, m = e->fft, p = e->period;
  size_t i, j, count = 0;
  if (p && p == m)
    for (j = 0; j < k; j++, count++) {
      from[count] = (uint32_t)j;
      to[count] = (uint32_t)(((correlation ? (m - j) % m : j) + m - o) % m);
    }
  else if (p)
    for (i = 0; i < e->field + e->out - 1; i++) { /* distance i - (field - 1) */
      const size_t d = (i + (p - (e->field - 1)) + o) % p;
      j = correlation ? (p - d) % p : d;
      if (j >= k) continue;
      from[count] = (uint32_t)j;
      to[count++] = (uint32_t)((i + m - (e->field - 1)) % m);
    }
  else
    for (j = o >= e->field ? o - e->field + 1 : 0; j < k && j < o + e->out; j++, count++) {
      from[count] = (uint32_t)(correlation ? k - 1 - j : j);
      to[count] = (uint32_t)(j >= o ? j - o : m - (o - j) % m) % (uint32_t)m;
    }
  return count;
}

/* A checksum of a plan's first struct: four at once, since each waits for its own products. */
CONVK_RARE_ uint64_t convk_fft_sum_(const convk_fft_plan_ *plan) {
  const size_t bytes = offsetof(convk_fft_plan_, sum), whole = bytes / 32 * 32;
  const char *at = (const char *)plan;
  uint64_t sum = 1469598103934665603u, b = 2, c = 3, d = 4, word[4] = {0, 0, 0, 0};
  size_t i;
  for (i = 0; i <= whole; i += 32) {
    if (i == whole) memset(word, 0, sizeof word);
    memcpy(word, at + i, i < whole ? sizeof word : bytes - whole);
    sum = (sum ^ word[0]) * 1099511628211u;
    b = (b ^ word[1]) * 1099511628211u;
    c = (c ^ word[2]) * 1099511628211u;
    d = (d ^ word[3]) * 1099511628211u;
  }
  sum ^= b >> 32 ^ b << 32;
  return (sum ^ c >> 17 ^ c << 47 ^ d >> 48 ^ d << 16) * 1099511628211u;
}

/* Columns of complex numbers: two real ones are one. */
CONVK_LOCAL_ size_t convk_fft_columns_(const convk_fft_plan_ *plan, size_t columns) {
  return plan->real ? columns / 2 + columns % 2 : columns;
}

/* What results are multiplied by besides their factors. */
CONVK_LOCAL_ double convk_fft_scale_(const convk_fft_plan_ *plan, int direction) {
  return direction == CONVK_INVERSE ? 1 / ((double)plan->axis[0].n * (double)plan->axis[1].n) : 1.;
}

/* A plan at any address.  Copied by pieces: compilers make a string operation of the whole, which takes as long as a small
   transform. */
CONVK_RARE_ int convk_fft_plan_check_(const void *plan, const char *kind, convk_fft_plan_ *copy) {
  size_t i;
  if (!plan) return CONVK_ERR_NULL;
  for (i = 0; i < sizeof *copy / 32 * 32; i += 32) memcpy((char *)copy + i, (const char *)plan + i, 32);
  memcpy((char *)copy + i, (const char *)plan + i, sizeof *copy - sizeof *copy / 32 * 32);
  copy->kind[sizeof copy->kind - 1] = 0;
  return strcmp(copy->kind, kind) || copy->version != CONVK_VERSION || copy->sum != convk_fft_sum_(copy) ? CONVK_ERR_PLAN : CONVK_OK;
}

CONVK_LOCAL_ size_t convk_fft_kernel_of_(const convk_fft_plan_ *plan, const convk_batch2d *batch, size_t item) {
  return batch->kernel ? batch->kernel[item] : plan->kernels == 1 ? 0 : item / (batch->items_per_kernel ? batch->items_per_kernel : 1);
}

/* Pitch, stride and span of one side of a batch, in elements. */
CONVK_RARE_ int convk_batch_side_(size_t items, size_t rows, size_t columns, size_t element, size_t *pitch, size_t *stride,
                                  size_t *span) {
  size_t each, all, bytes;
  if (!*pitch) *pitch = columns;
  if (*pitch < columns) return CONVK_ERR_PITCH;
  if (convk_mul_(rows, *pitch, &each)) return CONVK_ERR_OVERFLOW;
  if (!*stride) *stride = each;
  each = each - *pitch + columns;
  if (!items) {
    *span = 0;
    return CONVK_OK;
  }
  if (convk_mul_(items - 1, *stride, &all) || all > (size_t)-1 - each || convk_mul_(all + each, element, &bytes) ||
      bytes > (size_t)-1 / 4)
    return CONVK_ERR_OVERFLOW;
  *span = all + each;
  return CONVK_OK;
}

/* Whether items of rows x columns lie apart: one after the other, or side by side. */
CONVK_LOCAL_ int convk_batch_apart_(size_t items, size_t rows, size_t columns, size_t pitch, size_t stride) {
  return items <= 1 || stride >= (rows - 1) * pitch + columns ||
         (stride >= columns && (items - 1) <= (pitch - columns) / stride);
}

/* All checks of a call but those of where arrays lie.  `arrays`: whether in and out are there; `unseen`: kernels of items are on a
   device, and not looked at.  Copies the plan, fills in strides, and gives elements from the first to the last of in and out. */
CONVK_RARE_ int convk_fft_check_(char *message, const void *from, const char *kind, int direction, const convk_batch2d *batch,
                                 size_t element, int arrays, int unseen, convk_fft_plan_ *plan, convk_batch2d *full,
                                 size_t span[2]) {
  size_t i;
  int status;
  if (direction != CONVK_FORWARD && direction != CONVK_INVERSE)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "direction is %, neither CONVK_FORWARD nor CONVK_INVERSE", direction, 0, 0);
  status = convk_fft_plan_check_(from, kind, plan);
  if (status) return status;
  if (!batch || (batch->items && !arrays))
    return convk_refuse_(message, CONVK_ERR_NULL, batch ? "in or out is NULL" : "batch is NULL");
  *full = *batch;
  element *= plan->real ? 1 : 2;
  status = convk_batch_side_(batch->items, plan->rows, plan->columns, element, &full->in_pitch, &full->in_stride, &span[0]);
  if (!status)
    status =
        convk_batch_side_(batch->items, plan->out_rows, plan->out_columns, element, &full->out_pitch, &full->out_stride, &span[1]);
  if (status) return status;
  if (!convk_batch_apart_(batch->items, plan->out_rows, plan->out_columns, full->out_pitch, full->out_stride)) return CONVK_ERR_PITCH;
  if (!plan->kernels || !batch->items || unseen) return CONVK_OK;
  for (i = batch->kernel ? 0 : batch->items - 1; i < batch->items; i++)
    if (convk_fft_kernel_of_(plan, batch, i) >= plan->kernels) return CONVK_ERR_INDEX;
  return CONVK_OK;
}

/* in and out, at these bytes of one memory, must not touch, or a result must replace its own field and nothing else; with tiles a
   field is read after its first results are written. */
CONVK_RARE_ int convk_fft_places_(const convk_fft_plan_ *plan, const convk_batch2d *full, size_t element, const size_t span[2],
                                  uintptr_t in, uintptr_t out) {
  const size_t rows = plan->rows > plan->out_rows ? plan->rows : plan->out_rows;
  const size_t columns = plan->columns > plan->out_columns ? plan->columns : plan->out_columns;
  element *= plan->real ? 1 : 2;
  if (!span[0] || in >= out + span[1] * element || out >= in + span[0] * element) return CONVK_OK;
  return in == out && !plan->tile[0] && !plan->tile[1] && (full->items <= 1 || (full->in_pitch == full->out_pitch && full->in_stride == full->out_stride &&
                                            columns <= full->in_pitch &&
                                            convk_batch_apart_(full->items, rows, columns, full->in_pitch, full->in_stride)))
             ? CONVK_OK
             : CONVK_ERR_OVERLAP;
}

/* Whether work and results lie apart from all that is read, and from each other. */
CONVK_RARE_ int convk_fft_apart_(const convk_fft_plan_ *plan, const void *base, const convk_batch2d *full, size_t element,
                                 const size_t span[2], const void *in, const void *out, const void *work, size_t work_size) {
  const size_t number = (plan->real ? 1 : 2) * element, in_bytes = span[0] * number, out_bytes = span[1] * number;
  const size_t kernel_bytes = plan->kernels ? full->items * sizeof *full->kernel : 0;
  return !convk_overlap_(work, work_size, in, in_bytes) && !convk_overlap_(work, work_size, out, out_bytes) &&
         !convk_overlap_(work, work_size, base, plan->bytes) && !convk_overlap_(out, out_bytes, base, plan->bytes) &&
         !convk_overlap_(work, work_size, full->kernel, kernel_bytes) && !convk_overlap_(out, out_bytes, full->kernel, kernel_bytes);
}

/* ---- the spectra of kernels ---- */

/* In doubles, and without fused operations, so that plans are the same everywhere. */
CONVK_EXACT_PUSH_
#define CONVK_PASS_ CONVK_PASS_PLAN_
#define CONVK_HW_ plan
#define CONVK_TYPE_ f64
#define CONVK_T double
#define CONVK_V double
#define CONVK_SET_(x) (x)
#define CONVK_ADD_(a, b) ((a) + (b))
#define CONVK_SUB_(a, b) ((a) - (b))
#define CONVK_MUL_(a, b) ((a) * (b))
#define CONVK_FMA_(a, b, c) ((a) * (b) + (c))
#define CONVK_FNMA_(a, b, c) ((c) - (a) * (b))
#define CONVK_FMS_(a, b, c) ((a) * (b) - (c))
#define CONVK_FUSES_ 0
#include CONVK_HEADER

/* A group of r points in place, times their twiddles. */
CONVK_RARE_ void convk_fft_group_(const int r, const double *w, double *at, size_t step) {
  double xr[16], xi[16];
  const int h = r % 2 ? r : r / 2;
  int q;
  for (q = 0; q < r; q++) {
    xr[q] = at[(size_t)q * step];
    xi[q] = at[(size_t)q * step + 1];
  }
  for (q = 1; q < h && w; q++) convk_fft_times_f64_plan_(w[2 * q - 2], w[2 * q - 1], &xr[q], &xi[q]);
  for (q = h; q < r; q++)
    if (w) convk_fft_join_f64_plan_(w[2 * q - 2], w[2 * q - 1], &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
    else convk_fft_add_f64_plan_(&xr[q - h], &xi[q - h], &xr[q], &xi[q]);
  for (q = 0; q < r / 4 && r % 2 == 0; q++) convk_fft_second_f64_plan_(r / 4, xr + q, xi + q);
  switch (r) {
    case 3: convk_fft_odd_f64_plan_(3, xr, xi); break;
    case 5: convk_fft_odd_f64_plan_(5, xr, xi); break;
    case 7: convk_fft_odd_f64_plan_(7, xr, xi); break;
    case 8: convk_fft_third_f64_plan_(xr, xi); break;
    case 16:
      convk_fft_fourth_f64_plan_(0, xr, xi);
      convk_fft_fourth_f64_plan_(1, xr + 4, xi + 4);
      convk_fft_fourth_f64_plan_(2, xr + 8, xi + 8);
      convk_fft_fourth_f64_plan_(3, xr + 12, xi + 12);
  }
  for (q = 0; q < r; q++) {
    at[(size_t)q * step] = xr[CONVK_FFT_PLACE_(r, q)];
    at[(size_t)q * step + 1] = xi[CONVK_FFT_PLACE_(r, q)];
  }
}
CONVK_EXACT_POP_

/* The spectrum of h in place, forward, from natural to permuted order: the columns, then the lines. */
CONVK_RARE_ void convk_fft_transform_(const convk_fft_plan_ *plan, const double *tables, double *h) {
  const size_t rows = plan->axis[0].n;
  size_t blocks, part, r, b, j, line;
  int d, i;
  for (d = 0; d < 2; d++) {
    const convk_fft_axis_ *axis = &plan->axis[d];
    const size_t step = d ? 2 * rows : 2, next = d ? 2 : 2 * rows;
    for (i = 0, blocks = 1; i < axis->passes; i++, blocks *= r) {
      r = (size_t)axis->radix[i];
      part = axis->n / blocks / r;
      for (line = 0; line < plan->axis[1 - d].n; line++)
        for (b = 0; b < blocks; b++)
          for (j = 0; j < part; j++)
            convk_fft_group_((int)r, i ? tables + axis->forward[i] + 2 * b * (r - 1) : NULL,
                             h + line * next + (b * r * part + j) * step, part * step);
    }
  }
}
#endif
#if CONVK_HAS_VMC_
/* ---- src/pairs/sums.h ---- */
/* Pairs: what is compiled once. */
CONVK_EXACT_PUSH_ /* so that runs do not depend on what a compiler contracts */

/* Local arrays that begin with a cache line: vectors of 64 bytes that lie across two take twice as long. */
#if defined __GNUC__ || defined __clang__
#define CONVK_PAIR_ALIGNED_ __attribute__((aligned(64)))
#else
#define CONVK_PAIR_ALIGNED_
#endif

/* ---- src/pairs/potentials.h ---- */
/* ---- predefined potentials, in K and Angstrom ---- */

/* In the order of the struct: kind; epsilon, rm, a, alpha, beta, c6, c8, c10, d; bump, x1, x2; a table's. */
CONVK_API_ convk_pair_potential convk_hfdhe2(void) {
  const convk_pair_potential p = {CONVK_POTENTIAL_HFD, 10.8, 2.9673, 544850.4, 13.353384, 0, 1.3732412, 0.4253785, 0.178100, 1.241314,
                                  0, 0, 0, NULL, 0, 0, 0};
  return p;
}
CONVK_API_ convk_pair_potential convk_hfdb(void) {
  const convk_pair_potential p = {CONVK_POTENTIAL_HFD, 10.948, 2.963, 184431.01, 10.43329537, -2.27965105, 1.36745214, 0.42123807,
                                  0.17473318, 1.4826, 0, 0, 0, NULL, 0, 0, 0};
  return p;
}
CONVK_API_ convk_pair_potential convk_lm2m2(void) {
  const convk_pair_potential p = {CONVK_POTENTIAL_HFD, 10.97, 2.9695, 189635.353, 10.70203539, -1.90740649, 1.34687065, 0.41308398,
                                  0.17060159, 1.4088, 0.0026, 1.003535949, 1.454790369, NULL, 0, 0, 0};
  return p;
}
CONVK_API_ convk_pair_potential convk_lennard_jones(double epsilon, double sigma) {
  const convk_pair_potential p = {CONVK_POTENTIAL_LENNARD_JONES, epsilon, sigma, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0};
  return p;
}
CONVK_API_ convk_pair_potential convk_table_potential(double first, double spacing, size_t entries, const double *values) {
  const convk_pair_potential p = {CONVK_POTENTIAL_TABLE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, values, entries, first, spacing};
  return p;
}
/* ---- src/pairs/elementary.h ---- */
/* ---- numbers: what drivers need, without -lm ---- */

/* The words of numbers.h on processors; what is compiled by this header is not fused. */
#define CONVK_NUMBER_ CONVK_LOCAL_
#define CONVK_NUMBER_APART_ CONVK_RARE_
#define CONVK_NUMBER_NAME_(name) convk_##name##_
#define CONVK_NUMBER_FAR_
#define CONVK_ROLLED_
#define CONVK_TIMES_(a, b) ((a) * (b))
#define CONVK_PLUS_(a, b) ((a) + (b))
#define CONVK_TIMES_PLUS_(a, b, c) ((a) * (b) + (c))
#define CONVK_OVER_(a, b) ((a) / (b))
#define CONVK_ROOT_OF_(x) convk_sqrt_(x)
#define CONVK_LOG_OF_(x) convk_log_(x)
#define CONVK_EXP_OF_(x) convk_exp_(x)

CONVK_RARE_ double convk_log_(double x);
CONVK_RARE_ double convk_exp_(double x);
/* ---- src/pairs/numbers.h ---- */
/* ---- numbers: one text for processors, OpenCL and CUDA, in doubles ----
   Written in words, each of which rounds once:
     NUMBER, NUMBER_NAME(name)   what begins a function, and its name
     TIMES, PLUS, OVER (a, b)    a b, a + b, a / b
     TIMES_PLUS(a, b, c)         a b + c, fused on CUDA
     ROOT_OF, LOG_OF, EXP_OF(x)  the hardware's own functions
     FAR                         of pointers to the memory of a table */

#ifndef CONVK_NUMBERS_ARE_FUSED_
/* ln(a / b 2^k) of a and b within [1, 2): 2 artanh s with s = (a - b) / (a + b), once a / b is between the roots of 1/2 and 2. */
CONVK_NUMBER_ double CONVK_NUMBER_NAME_(log_ratio)(double a, double b, double k) {
  double s, z, sum = 0;
  int i;
  if (a > 1.4142135623730951 * b) {
    a *= 0.5;
    k += 1;
  } else if (b > 1.4142135623730951 * a) {
    b *= 0.5;
    k -= 1;
  }
  s = (a - b) / (a + b);
  z = s * s;
  CONVK_UNROLL_
  for (i = 21; i >= 3; i -= 2) sum = z * (sum + 1. / i);
  return k * 6.93147180369123816490e-01 + (k * 1.90821492927058770002e-10 + (2 * s + 2 * s * sum));
}

/* V of a table at distance r: Lagrange's polynomial through the four nearest points.  Kernels that fuse call it, but it is not to
   be fused with them. */
CONVK_NUMBER_APART_ double CONVK_NUMBER_NAME_(pair_table)(const CONVK_NUMBER_FAR_ double *values, uint64_t entries, double first,
                                                    double per_spacing, double r) {
  const double x = (r - first) * per_spacing;
  const CONVK_NUMBER_FAR_ double *f;
  double t;
  uint64_t k;
  if (!(x <= (double)(entries - 1))) return 0; /* beyond, or not a number */
  if (x <= 0) return values[0];
  k = (uint64_t)x;
  k = k < 1 ? 0 : k > entries - 3 ? entries - 4 : k - 1;
  f = values + k;
  t = x - (double)k;
  return -(t - 1) * (t - 2) * (t - 3) / 6 * f[0] + t * (t - 2) * (t - 3) / 2 * f[1] - t * (t - 1) * (t - 3) / 2 * f[2] +
         t * (t - 1) * (t - 2) / 6 * f[3];
}
#endif

/* ---- random numbers ---- */

/* Philox4x32-10 of the counter c, in its place. */
CONVK_NUMBER_ void CONVK_NUMBER_NAME_(philox)(uint32_t *c, uint32_t k0, uint32_t k1) {
  int i;
  CONVK_UNROLL_
  for (i = 0; i < 10; i++) {
    const uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
    c[0] = (uint32_t)(b >> 32) ^ c[1] ^ k0;
    c[2] = (uint32_t)(a >> 32) ^ c[3] ^ k1;
    c[1] = (uint32_t)b;
    c[3] = (uint32_t)a;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}

/* What random numbers are for: the top byte of the counter's last word, whose rest belongs to the sweep's number. */
#define CONVK_RANDOM_MOVE_ 0
#define CONVK_RANDOM_ACCEPT_ 1
#define CONVK_RANDOM_START_ 2
#define CONVK_RANDOM_NORMAL_ 16

/* Four numbers between 0 and 1, neither included. */
CONVK_NUMBER_ void CONVK_NUMBER_NAME_(random)(uint64_t seed, uint64_t sweep, uint64_t particle, uint64_t walker, uint32_t purpose,
                                              double *u) {
  uint32_t c[4];
  int i;
  c[0] = (uint32_t)sweep;
  c[1] = (uint32_t)particle;
  c[2] = (uint32_t)walker;
  c[3] = ((uint32_t)(sweep >> 32) & 0xffffffu) | purpose << 24;
  CONVK_NUMBER_NAME_(philox)(c, (uint32_t)seed, (uint32_t)(seed >> 32));
  CONVK_UNROLL_
  for (i = 0; i < 4; i++) u[i] = CONVK_TIMES_(CONVK_PLUS_((double)c[i], 0.5), 1. / 4294967296.);
}

/* Three normal deviates, by the polar method: pairs within the unit circle, until there are two.  0 once in 10^80. */
CONVK_NUMBER_ void CONVK_NUMBER_NAME_(normal)(uint64_t seed, uint64_t sweep, uint64_t particle, uint64_t walker, double *normal) {
  uint32_t attempt;
  int i, have = 0;
  normal[0] = normal[1] = normal[2] = 0;
  CONVK_ROLLED_
  for (attempt = 0; have < 3 && attempt < 128; attempt++) {
    double u[4];
    CONVK_NUMBER_NAME_(random)(seed, sweep, particle, walker, CONVK_RANDOM_NORMAL_ + attempt, u);
    CONVK_UNROLL_
    for (i = 0; i < 4; i += 2) {
      const double x = CONVK_PLUS_(CONVK_TIMES_(2, u[i]), -1), y = CONVK_PLUS_(CONVK_TIMES_(2, u[i + 1]), -1);
      const double s = CONVK_PLUS_(CONVK_TIMES_(x, x), CONVK_TIMES_(y, y));
      double scale;
      if (s >= 1 || have == 3) continue;
      scale = CONVK_ROOT_OF_(CONVK_OVER_(CONVK_TIMES_(-2, CONVK_LOG_OF_(s)), s));
      if (have) {
        normal[2] = CONVK_TIMES_(x, scale);
        have = 3;
      } else {
        normal[0] = CONVK_TIMES_(x, scale);
        normal[1] = CONVK_TIMES_(y, scale);
        have = 2;
      }
    }
  }
}

/* ---- moves ---- */

/* The mean of a move with drift: the force, shortened where it is strong. */
CONVK_NUMBER_ void CONVK_NUMBER_NAME_(vmc_drift)(double step, const double *force, double *drift) {
  const double step2 = CONVK_TIMES_(step, step);
  const double x = CONVK_TIMES_(force[0], force[0]), y = CONVK_TIMES_(force[1], force[1]), z = CONVK_TIMES_(force[2], force[2]);
  const double square = CONVK_TIMES_(step2, CONVK_PLUS_(CONVK_PLUS_(x, y), z));
  int d;
  CONVK_UNROLL_
  for (d = 0; d < 3; d++) drift[d] = CONVK_OVER_(CONVK_TIMES_(step2, force[d]), CONVK_PLUS_(1, CONVK_TIMES_(0.25, square)));
}

/* ln of the chance of the way back over that of the way there, of one particle. */
CONVK_NUMBER_ double CONVK_NUMBER_NAME_(vmc_return)(double step, const double *way, const double *before, const double *after) {
  double there[3], back[3], sum = 0;
  int d;
  CONVK_NUMBER_NAME_(vmc_drift)(step, before, there);
  CONVK_NUMBER_NAME_(vmc_drift)(step, after, back);
  CONVK_UNROLL_
  for (d = 0; d < 3; d++) {
    const double a = CONVK_PLUS_(way[d], -there[d]), b = CONVK_PLUS_(-way[d], -back[d]);
    sum = CONVK_PLUS_(sum, CONVK_PLUS_(CONVK_TIMES_(a, a), -CONVK_TIMES_(b, b)));
  }
  return CONVK_OVER_(sum, CONVK_TIMES_(CONVK_TIMES_(2, step), step));
}

/* Whether a move is accepted; chance: the logarithm of its probability. */
CONVK_NUMBER_ int CONVK_NUMBER_NAME_(vmc_accepts)(double chance, double u) { return chance >= 0 || u < CONVK_EXP_OF_(chance); }

/* A coordinate within its period. */
CONVK_NUMBER_ double CONVK_NUMBER_NAME_(vmc_inside)(double x, double period) {
  double cell = (double)(int64_t)CONVK_OVER_(x, period);
  if (CONVK_TIMES_(cell, period) > x) cell -= 1;
  return CONVK_PLUS_(x, -CONVK_TIMES_(cell, period));
}

/* What is subtracted of the coordinates of a cluster that has drifted off, by their mean: whole steps, so that they keep their
   digits. */
CONVK_NUMBER_ double CONVK_NUMBER_NAME_(vmc_off)(double mean) {
  return mean > -16 && mean < 16 ? 0 : (double)(int64_t)(mean * 0.0625) * 16;
}

/* ---- results ---- */

/* What sums s over all pairs mean, as the numbers of convk_pair_result.  p, edge: parameters, and derivatives of u at the cutoff;
   log: ln of the product of all r^2; squares: of the gradient.  The laplacian without its factor is given. */
CONVK_NUMBER_ void CONVK_NUMBER_NAME_(pair_meaning)(const double *p, const double *edge, double hbar2_2m, int want, const double *s,
                                                    double log, double laplacian, double squares, double *result) {
  int k;
  CONVK_UNROLL_
  for (k = 0; k < 9; k++) result[k] = 0;
  if (want & CONVK_LN_PSI) {
    result[5] = -s[0];
    result[6] = -s[1];
    result[7] = -0.5 * log;
    result[8] = -s[2];
    CONVK_UNROLL_
    for (k = 0; k < 4; k++) {
      result[5 + k] = CONVK_TIMES_PLUS_(-edge[k], s[7], result[5 + k]);
      result[0] = CONVK_TIMES_PLUS_(p[k], result[5 + k], result[0]);
    }
  }
  if (want & CONVK_POTENTIAL) result[1] = s[6];
  if (want & CONVK_GRADIENT) result[2] = squares;
  if (want & CONVK_LAPLACIAN) result[3] = -2 * laplacian;
  if ((want & CONVK_KINETIC) == CONVK_KINETIC) result[4] = CONVK_TIMES_(-hbar2_2m, CONVK_PLUS_(result[3], result[2]));
}
#undef CONVK_NUMBER_
#undef CONVK_NUMBER_APART_
#undef CONVK_NUMBER_NAME_
#undef CONVK_NUMBER_FAR_
#undef CONVK_ROLLED_
#undef CONVK_TIMES_
#undef CONVK_PLUS_
#undef CONVK_TIMES_PLUS_
#undef CONVK_OVER_
#undef CONVK_ROOT_OF_
#undef CONVK_LOG_OF_
#undef CONVK_EXP_OF_

/* Of finite x > 0: x = 2^k m. */
CONVK_RARE_ double convk_log_(double x) {
  uint64_t bits;
  double m;
  int k = 0;
  if (x < 2.2250738585072014e-308) {
    x *= 18014398509481984.;
    k = -54;
  }
  memcpy(&bits, &x, sizeof bits);
  k += (int)(bits >> 52) - 1023;
  bits = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1023 << 52;
  memcpy(&m, &bits, sizeof m);
  return convk_log_ratio_(m, 1, k);
}

/* Of x <= 0; 0 below -700. */
CONVK_RARE_ double convk_exp_(double x) {
  uint64_t bits;
  static const double c[14] = {1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800,
                               1. / 39916800, 1. / 479001600, 1. / 6227020800.};
  double n, r, sum = c[13];
  int i;
  if (!(x >= -700)) return 0;
  n = (double)(int)(x * 1.4426950408889634 - 0.5);
  r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
  for (i = 12; i >= 0; i--) sum = sum * r + c[i];
  bits = (uint64_t)(1023 + (int)n) << 52;
  memcpy(&n, &bits, sizeof n);
  return sum * n;
}

/* x^a of finite x > 0, as far as it is between exp(-700) and exp(700). */
CONVK_RARE_ double convk_power_(double x, double a) {
  const double y = a * convk_log_(x);
  return y > 0 ? 1 / convk_exp_(-y) : convk_exp_(y);
}

CONVK_API_ void convk_philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  uint32_t c[4];
  memcpy(c, counter, sizeof c);
  convk_philox_(c, key[0], key[1]);
  memcpy(out, c, sizeof c);
}
/* ---- src/pairs/checks.h ---- */
/* ---- checks of arguments ---- */

/* What a check may look at.  Calls on OpenCL buffers have no addresses, and of those on CUDA's device arrays only the addresses
   are known. */
enum {
  CONVK_PAIR_ADDRESSES_ = 1, /* of arrays: whether they are there, and overlap */
  CONVK_PAIR_TABLE_ = 2,     /* the values of a potential */
  CONVK_PAIR_DATA_ = 4,      /* coordinates */
  CONVK_PAIR_HOST_ = 7
};

CONVK_RARE_ int convk_finite_all_(const double *x, size_t n) {
  while (n--)
    if (!convk_finite_f64_(x[n])) return 0;
  return 1;
}

CONVK_RARE_ int convk_pair_potential_check_(const convk_pair_potential *p, int see) {
  const double hfd[9] = {p->epsilon, p->rm, p->a, p->alpha, p->beta, p->c6, p->c8, p->c10, p->d};
  if (p->kind < CONVK_POTENTIAL_NONE || p->kind > CONVK_POTENTIAL_TABLE) return CONVK_ERR_OPTION;
  if (p->kind == CONVK_POTENTIAL_NONE) return CONVK_OK;
  if (p->kind == CONVK_POTENTIAL_TABLE) {
    if (!p->values) return CONVK_ERR_NULL;
    if (!convk_finite_f64_(p->first) || !convk_finite_f64_(p->spacing)) return CONVK_ERR_NONFINITE;
    if (p->entries < 4 || p->entries > (size_t)1 << 30 || p->first < 0 || !(p->spacing > 0)) return CONVK_ERR_POTENTIAL;
    return !(see & CONVK_PAIR_TABLE_) || convk_finite_all_(p->values, p->entries) ? CONVK_OK : CONVK_ERR_NONFINITE;
  }
  if (!convk_finite_all_(hfd, p->kind == CONVK_POTENTIAL_HFD ? 9 : 2)) return CONVK_ERR_NONFINITE;
  if (!(p->epsilon > 0) || !(p->rm > 0)) return CONVK_ERR_POTENTIAL;
  if (p->kind == CONVK_POTENTIAL_LENNARD_JONES) return CONVK_OK;
  if (!(p->a > 0) || !(p->alpha > 0) || p->beta > 0 || !(p->c6 > 0) || p->d < 0) return CONVK_ERR_POTENTIAL;
  if (!convk_finite_f64_(p->bump)) return CONVK_ERR_NONFINITE;
  if (p->bump > 0 || p->bump < 0) {
    if (!convk_finite_f64_(p->x1) || !convk_finite_f64_(p->x2)) return CONVK_ERR_NONFINITE;
    if (!(p->x1 > 0) || !(p->x2 > p->x1)) return CONVK_ERR_POTENTIAL;
  }
  return CONVK_OK;
}

/* Where the repulsion of an HFD potential has fallen below an ulp of its c6 term, in units of rm, or a little further: Newton's
   method comes from the right, since the logarithm of their ratio is concave. */
CONVK_RARE_ double convk_hfd_reach_(const convk_pair_potential *p, int digits) {
  const double least = convk_log_(p->c6 / p->a) - (digits + 1) * 0.6931471805599453;
  double x = ((least < 0 ? -2 * least : 0) + 12) / p->alpha, f = x * (p->beta * x - p->alpha) + 6 * convk_log_(x) - least;
  int i;
  for (i = 0; i < 64 && x < 1e150 && f >= 0; i++) {
    x *= 2;
    f = x * (p->beta * x - p->alpha) + 6 * convk_log_(x) - least;
  }
  for (i = 0; i < 6; i++) {
    const double next = x - f / (2 * p->beta * x - p->alpha + 6 / x);
    const int enough = x - next < 1e-4 * x; /* the next step is of its square */
    if (!(f < 0 && next > 0)) break; /* below 0: the repulsion is less than that everywhere */
    x = next;
    if (enough) break;
    f = x * (p->beta * x - p->alpha) + 6 * convk_log_(x) - least;
  }
  return x;
}

/* What zeros of a checked system stand for. */
CONVK_RARE_ double convk_pair_cutoff_(const convk_pair_system *system) {
  const double *b = system->box, edge = b[0] < b[1] ? b[0] : b[1], least = edge < b[2] ? edge : b[2];
  return system->cutoff > 0 ? system->cutoff : least > 0 ? 0.5 * least : 0;
}
CONVK_LOCAL_ double convk_pair_hbar2_2m_(const convk_pair_system *system) {
  return system->hbar2_2m > 0 ? system->hbar2_2m : 6.059648;
}

/* The parameters of the trial function p5, p2, p0, p1, in this order. */
CONVK_LOCAL_ void convk_trial_parameters_(const convk_trial *t, double p[4]) {
  p[0] = t->p5;
  p[1] = t->p2;
  p[2] = t->p0;
  p[3] = t->p1;
}

CONVK_RARE_ int convk_pair_system_check_(const convk_pair_system *system, int see) {
  double p[4], edge = 0;
  int d, periods = 0;
  if (!system->particles) return CONVK_ERR_SIZE;
  if (system->particles < 2) return CONVK_ERR_PARTICLES;
  if (system->particles > (size_t)1 << 30) return CONVK_ERR_OVERFLOW;
  convk_trial_parameters_(&system->trial, p);
  if (!convk_finite_all_(p, 4) || !convk_finite_all_(system->box, 3) || !convk_finite_f64_(system->cutoff) ||
      !convk_finite_f64_(system->hbar2_2m))
    return CONVK_ERR_NONFINITE;
  for (d = 0; d < 3; d++)
    if (system->box[d] > 0 || system->box[d] < 0) {
      edge = periods && edge < system->box[d] ? edge : system->box[d];
      periods++;
    }
  if (periods && (periods < 3 || edge < 0.015625)) return CONVK_ERR_BOX; /* both ends of a pair at the least distance */
  if (system->cutoff < 0 || system->hbar2_2m < 0) return CONVK_ERR_OPTION;
  if ((periods && system->cutoff > 0.5 * edge) || (system->cutoff > 0 && system->cutoff < 0.0078125)) return CONVK_ERR_BOX;
  return convk_pair_potential_check_(&system->potential, see);
}

/* Walkers with what zeros stand for. */
CONVK_RARE_ int convk_walkers_check_(const convk_walkers *in, size_t particles, size_t element, convk_walkers *full) {
  size_t all, bytes;
  *full = *in;
  if (!full->pitch) full->pitch = particles;
  if (full->pitch < particles) return CONVK_ERR_PITCH;
  if (full->pitch > (size_t)-1 / 64) return CONVK_ERR_OVERFLOW;
  if (!full->stride) full->stride = 3 * full->pitch;
  if (full->stride < 2 * full->pitch + particles && full->walkers > 1) return CONVK_ERR_PITCH;
  return full->walkers && (convk_mul_(full->walkers, full->stride, &all) || convk_mul_(all, element, &bytes) ||
                           bytes > (size_t)-1 / 4)
             ? CONVK_ERR_OVERFLOW
             : CONVK_OK;
}

/* Elements from the first to the last that checked walkers describe. */
CONVK_LOCAL_ size_t convk_walkers_span_(const convk_walkers *full, size_t particles) {
  return full->walkers ? (full->walkers - 1) * full->stride + 2 * full->pitch + particles : 0;
}

CONVK_LOCAL_ convk_walkers convk_walkers_packed_(size_t walkers, size_t particles) {
  convk_walkers packed;
  packed.walkers = walkers;
  packed.pitch = particles;
  packed.stride = 3 * particles;
  return packed;
}

/* Walkers of a part. */
CONVK_LOCAL_ size_t convk_vmc_here_(const convk_vmc *v) { return v->part.join || v->part.walkers ? v->part.walkers : v->walkers; }

CONVK_RARE_ int convk_vmc_check_(const convk_vmc *v, int see) {
  int status;
  if (!v) return CONVK_ERR_NULL;
  status = convk_pair_system_check_(&v->system, see);
  if (status) return status;
  if (!v->walkers) return CONVK_ERR_SIZE;
  if (v->walkers > (size_t)1 << 30) return CONVK_ERR_OVERFLOW;
  if ((v->moves != CONVK_MOVE_SINGLE && v->moves != CONVK_MOVE_ALL) || (v->drift != 0 && v->drift != 1)) return CONVK_ERR_OPTION;
  if (!convk_finite_f64_(v->step) || !convk_finite_f64_(v->acceptance)) return CONVK_ERR_NONFINITE;
  if (v->step < 0 || v->acceptance >= 1) return CONVK_ERR_OPTION;
  if (v->part.first > v->walkers || convk_vmc_here_(v) > v->walkers - v->part.first) return CONVK_ERR_PART;
  return v->part.join || convk_vmc_here_(v) == v->walkers ? CONVK_OK : CONVK_ERR_PART;
}

/* ---- how a walker's pairs are cut ----
   Blocks of CONVK_PAIR_BLOCK_ particles; block I meets itself and the next half of all, cyclically, so that all blocks have the
   same work.  Stripe k takes blocks k, k + stripes, ...  Gradients of a stripe are summed apart, and then in the order
   of stripes: threads do not matter. */
CONVK_LOCAL_ size_t convk_pair_blocks_(size_t particles) { return convk_ceil_(particles, CONVK_PAIR_BLOCK_); }
CONVK_LOCAL_ size_t convk_pair_stripes_(size_t particles) {
  const size_t blocks = convk_pair_blocks_(particles);
  return blocks < CONVK_PAIR_STRIPES_ ? blocks : CONVK_PAIR_STRIPES_;
}
CONVK_LOCAL_ size_t convk_pair_padded_(size_t particles) { return convk_round_up_(particles, CONVK_PAIR_BLOCK_); }

/* Whether a stripe may have pairs of this block's particles: where it has but one block, of that half which that one meets. */
CONVK_LOCAL_ int convk_pair_touches_(size_t blocks, size_t stripe, size_t block) {
  return blocks > CONVK_PAIR_STRIPES_ || (block < stripe ? block + blocks : block) - stripe <= blocks / 2;
}

/* Where the share of a task begins, of n walkers or the like.  Neighbours are one task's: what they write shares cache lines. */
CONVK_LOCAL_ size_t convk_share_(size_t n, size_t tasks, size_t task) {
  return n / tasks * task + (task < n % tasks ? task : n % tasks);
}

/* How many tasks take walkers; 0: blocks of one walker after another are tasks. */
CONVK_RARE_ size_t convk_pair_tasks_(const convk *hw, size_t particles, size_t walkers, size_t element) {
  const size_t n[3] = {particles, walkers, 1}, threads = convk_threads_(hw), tasks = walkers < threads ? walkers : threads;
  const size_t split = convk_tuning_for_(hw, "pair_energy", element, n, 1).pair_split;
  if (threads < 2 || convk_pair_stripes_(particles) < 2) return tasks;
  if (split) return split == 1 ? tasks : 0;
  return walkers >= 8 * threads || (walkers && walkers % threads == 0) ? tasks : 0;
}

/* Doubles of scratch for one walker: sums of stripes, and their gradients: all with threads, else one, and one for the whole. */
CONVK_LOCAL_ size_t convk_pair_scratch_(size_t n, int threads) {
  return CONVK_PAIR_STRIPES_ * sizeof(convk_pair_sums_) / sizeof(double) +
         3 * convk_pair_padded_(n) * (threads ? convk_pair_stripes_(n) : 2);
}

CONVK_RARE_ size_t convk_pair_work_size_(const convk *hw, size_t particles, size_t walkers, size_t element) {
  const size_t tasks = convk_pair_tasks_(hw, particles, walkers, element);
  size_t bytes;
  if (particles > (size_t)1 << 30 || particles > (size_t)-1 / 4096 ||
      convk_mul_(convk_pair_scratch_(particles, !tasks), (tasks ? tasks : 1) * sizeof(double), &bytes) || bytes > (size_t)-1 / 4)
    return (size_t)-1;
  return bytes + 64;
}

CONVK_LOCAL_ void convk_pair_sums_clear_(convk_pair_sums_ *s) {
  memset(s, 0, sizeof *s);
  s->mantissa = 1;
}

/* x 2^exponent in a product whose mantissa stays below 2. */
CONVK_LOCAL_ void convk_pair_multiply_(convk_pair_sums_ *s, double x, double exponent) {
  uint64_t bits;
  x *= s->mantissa;
  memcpy(&bits, &x, sizeof bits);
  s->exponent += exponent + (double)((int)(bits >> 52) - 1023);
  bits = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1023 << 52;
  memcpy(&s->mantissa, &bits, sizeof bits);
}

CONVK_LOCAL_ void convk_pair_sums_add_(convk_pair_sums_ *s, const convk_pair_sums_ *part) {
  int k;
  for (k = 0; k < CONVK_PAIR_SUMS_; k++) s->sum[k] += part->sum[k];
  convk_pair_multiply_(s, part->mantissa, part->exponent);
}

CONVK_LOCAL_ double convk_pair_log_(const convk_pair_sums_ *s) {
  return s->exponent * 0.6931471805599453 + convk_log_(s->mantissa);
}

CONVK_LIGHT_PUSH_
/* ---- src/pairs/averages.h ---- */
/* ---- averages ---- */

CONVK_RARE_ void convk_blocking_add_(convk_blocking_ *b, uint64_t count, double x, double spread) {
  int level;
  if (!count) b->shift = x;
  b->spread += spread;
  x -= b->shift;
  for (level = 0; level < CONVK_VMC_LEVELS_; level++, count >>= 1) {
    b->sum[level] += x;
    b->square[level] += x * x;
    if (!(count & 1)) {
      b->pending[level] = x;
      return;
    }
    x = 0.5 * (x + b->pending[level]);
  }
}

/* The mean, and its error at the least block size B for which B^3 > 2 n (error_B / error_1)^4 (H. Flyvbjerg, H. G. Petersen, J. Chem.
   Phys. 91, 461, 1989; R. M. Lee et al., Phys. Rev. E 83, 066706, 2011). */
CONVK_RARE_ convk_estimate convk_blocking_estimate_(const convk_blocking_ *b, uint64_t n) {
  convk_estimate e;
  double first = 0, size = 1;
  int level;
  const uint64_t infinite = UINT64_C(0x7ff0000000000000);
  memset(&e, 0, sizeof e);
  memcpy(&e.error, &infinite, sizeof e.error);
  if (!n) return e;
  e.mean = b->sum[0] / (double)n;
  e.variance = b->spread / (double)n - e.mean * e.mean;
  if (e.variance < 0) e.variance = 0;
  for (level = 0; level < CONVK_VMC_LEVELS_ && n >> level >= 8; level++, size *= 2) {
    const double blocks = (double)(n >> level), mean = b->sum[level] / blocks;
    double square = (b->square[level] / blocks - mean * mean) / (blocks - 1), ratio;
    if (square < 0) square = 0;
    if (!level) first = square;
    ratio = first > 0 ? square / first : 1;
    if (size * size * size > 2 * (double)n * ratio * ratio) {
      e.error = convk_sqrt_(square);
      e.autocorrelation = 0.5 * ratio;
      e.block = size;
      break;
    }
  }
  e.mean += b->shift;
  return e;
}

/* The square of an error to be afraid of, also where there is too little to tell: the largest of those from eight blocks or
   more. */
CONVK_RARE_ double convk_vmc_scatter_(const convk_blocking_ *b, uint64_t n) {
  double most = 0;
  int level;
  for (level = 0; level < CONVK_VMC_LEVELS_ && (!level || n >> level >= 8); level++) {
    const double blocks = (double)(n >> level), mean = b->sum[level] / blocks;
    const double square = (b->square[level] / blocks - mean * mean) / (blocks > 1 ? blocks - 1 : 1);
    if (square > most) most = square;
  }
  return most;
}

/* Whether a sweep ends with a measurement. */
CONVK_LOCAL_ int convk_vmc_measures_(const convk_vmc *v, uint64_t sweep) {
  return sweep >= v->equilibration && (sweep + 1 - v->equilibration) % (v->interval ? v->interval : 1) == 0;
}

/* The series that a walker adds to. */
CONVK_RARE_ void convk_vmc_series_(const convk_pair_result *r, double hbar2_2m, double value[CONVK_VMC_SERIES_]) {
  value[0] = r->kinetic + r->potential;
  value[1] = r->potential;
  value[2] = r->kinetic;
  value[3] = hbar2_2m * r->gradient_squared;
  value[4] = -0.5 * hbar2_2m * r->laplacian;
}

/* All that a walker adds to sums over walkers: series, their squares about the shifts, and what the minimiser wants.  kink: there is a
   cutoff, where the slope of ln Psi jumps; derivatives of the energy are then those of potential + kinetic_gradient. */
CONVK_RARE_ void convk_vmc_leaf_(const convk_pair_result *r, double hbar2_2m, int kink, const double *shift, double *v) {
  const double *d = r->derivative;
  double energy;
  int i, j, k;
  convk_vmc_series_(r, hbar2_2m, v);
  energy = r->potential + (kink ? v[3] : r->kinetic);
  for (i = 0; i < CONVK_VMC_SERIES_; i++) v[CONVK_VMC_SERIES_ + i] = (v[i] - shift[i]) * (v[i] - shift[i]);
  v += 2 * CONVK_VMC_SERIES_;
  v[0] = energy;
  for (i = 0, k = 13; i < 4; i++) {
    v[1 + i] = d[i];
    v[5 + i] = energy * d[i];
    v[9 + i] = r->kinetic * d[i];
    for (j = 0; j <= i; j++, k++) v[k] = d[i] * d[j];
  }
}

/* One measurement of all walkers, whose sums are given. */
CONVK_RARE_ void convk_vmc_absorb_(convk_vmc_state_ *s, const double *v) {
  const double walkers = (double)s->walkers;
  int i;
  for (i = 0; i < CONVK_VMC_SERIES_; i++)
    convk_blocking_add_(&s->series[i], s->measured, v[i] / walkers, v[CONVK_VMC_SERIES_ + i] / walkers);
  v += 2 * CONVK_VMC_SERIES_;
  s->energies += v[0] / walkers;
  for (i = 0; i < 4; i++) {
    s->derivative[i] += v[1 + i] / walkers;
    s->energy_derivative[i] += v[5 + i] / walkers;
    s->kinetic_derivative[i] += v[9 + i] / walkers;
  }
  for (i = 0; i < 10; i++) s->overlap[i] += v[13 + i] / walkers;
  s->looked++;
  s->measured++;
}
/* ---- src/pairs/state.h ---- */
/* ---- states ---- */

CONVK_LOCAL_ const char *convk_vmc_kind_(size_t element) { return element == sizeof(float) ? "vmc f32" : "vmc f64"; }

CONVK_RARE_ uint64_t convk_vmc_sum_(const void *state, size_t bytes) {
  convk_vmc_state_ head;
  uint64_t h;
  memcpy(&head, state, sizeof head);
  head.sum = 0;
  h = convk_hash_(UINT64_C(0x636f6e766b), &head, sizeof head);
  return convk_hash_(h, (const char *)state + sizeof head, bytes - sizeof head);
}

/* Writes the head of a state whose rest is there. */
CONVK_RARE_ void convk_vmc_seal_(convk_vmc_state_ *s, void *state) {
  memcpy(state, s, sizeof *s);
  s->sum = convk_vmc_sum_(state, (size_t)s->bytes);
  memcpy(state, s, sizeof *s);
}

/* What must be the same when a run goes on. */
CONVK_RARE_ uint64_t convk_vmc_setup_(const convk_vmc *v) {
  const convk_pair_potential *p = &v->system.potential;
  const convk_trial *t = &v->system.trial;
  const double *box = v->system.box;
  const double real[24] = {t->p5, t->p2, t->p0, t->p1, box[0], box[1], box[2], convk_pair_cutoff_(&v->system),
                           convk_pair_hbar2_2m_(&v->system), p->epsilon, p->rm, p->a, p->alpha, p->beta, p->c6, p->c8, p->c10, p->d, p->bump,
                           p->x1, p->x2, p->first, p->spacing, v->acceptance};
  const uint64_t whole[9] = {(uint64_t)v->system.particles, (uint64_t)v->walkers, v->seed, (uint64_t)v->moves, (uint64_t)v->drift,
                             (uint64_t)v->equilibration, (uint64_t)(v->interval ? v->interval : 1), (uint64_t)p->kind,
                             (uint64_t)p->entries};
  uint64_t h = convk_hash_(convk_hash_(0, real, sizeof real), whole, sizeof whole);
  if (p->kind == CONVK_POTENTIAL_TABLE) h = convk_hash_(h, p->values, p->entries * sizeof *p->values);
  return h;
}

/* A state has, after its head and at any alignment, ln Psi of each walker as doubles, then coordinates, packed: from here on. */
CONVK_LOCAL_ size_t convk_vmc_at_(size_t walkers) { return sizeof(convk_vmc_state_) + walkers * sizeof(double); }

/* ln Psi of all walkers is to be computed. */
CONVK_RARE_ void convk_vmc_forget_(void *state, size_t walkers) {
  const uint64_t unknown = UINT64_C(0x7ff8000000000000);
  size_t w;
  for (w = 0; w < walkers; w++) memcpy((char *)state + sizeof(convk_vmc_state_) + w * sizeof unknown, &unknown, sizeof unknown);
}

/* What a run keeps in its work memory, in bytes, without what hardware needs for itself; (size_t)-1: too large.  element: of
   coordinates, here and below. */
CONVK_RARE_ size_t convk_vmc_common_size_(size_t n, size_t walkers, size_t element) {
  const size_t head = 2 * sizeof(double) + CONVK_VMC_BATCH_ * sizeof(convk_pair_result) + sizeof(uint32_t);
  size_t bytes;
  if (n > (size_t)-1 / 4096) return (size_t)-1; /* 3 gradients of 16 stripes in doubles, too */
  return convk_mul_(head + 3 * n * element, walkers, &bytes) || bytes > (size_t)-1 / 8 ? (size_t)-1 : convk_round_up_(bytes, 64);
}

CONVK_RARE_ size_t convk_vmc_state_size_(const convk_vmc *vmc, size_t element) {
  size_t here;
  if (convk_vmc_check_(vmc, CONVK_PAIR_HOST_)) return 0;
  here = convk_vmc_here_(vmc);
  return convk_vmc_common_size_(vmc->system.particles, here, element) == (size_t)-1
             ? 0
             : convk_vmc_at_(here) + here * 3 * vmc->system.particles * element;
}

/* Whether `size` bytes hold a whole state, of any precision. */
CONVK_RARE_ int convk_vmc_intact_(const void *state, size_t size, convk_vmc_state_ *head) {
  if (!state) return CONVK_ERR_NULL;
  if (size < sizeof *head) return CONVK_ERR_STATE;
  memcpy(head, state, sizeof *head);
  if (memcmp(head->kind, "vmc f", 5) || head->version != CONVK_VERSION || head->endian != 0x01020304u || head->bytes > size ||
      head->bytes < sizeof *head || head->sum != convk_vmc_sum_(state, (size_t)head->bytes))
    return CONVK_ERR_STATE;
  return CONVK_OK;
}

/* Whether a state is that of a run: what convk_vmc_check does. */
CONVK_RARE_ int convk_vmc_belongs_(const convk_vmc *vmc, const void *state, size_t size, size_t element) {
  convk_vmc_state_ s;
  int status;
  if (!vmc || !state) return CONVK_ERR_NULL;
  status = convk_vmc_check_(vmc, CONVK_PAIR_HOST_);
  if (!status) status = convk_vmc_intact_(state, size, &s);
  if (status) return status;
  if (memcmp(s.kind, convk_vmc_kind_(element), sizeof s.kind) || s.missing) return CONVK_ERR_STATE;
  return s.walkers != vmc->walkers || s.particles != vmc->system.particles || s.setup != convk_vmc_setup_(vmc) ||
                 s.first != vmc->part.first || s.here != convk_vmc_here_(vmc) || s.bytes != convk_vmc_state_size_(vmc, element)
             ? CONVK_ERR_SETUP
             : CONVK_OK;
}

/* What is the same in the states of all parts, with something else that must be; not 0. */
CONVK_RARE_ uint64_t convk_vmc_alike_(const convk_vmc_state_ *s, uint64_t other) {
  convk_vmc_state_ head;
  memcpy(&head, s, sizeof head);
  head.first = head.here = head.missing = head.bytes = head.sum = 0;
  return convk_hash_(other, &head, sizeof head) | 1;
}

CONVK_API_ int convk_vmc_results(const void *state, size_t state_size, convk_vmc_result *result) {
  convk_vmc_state_ s;
  convk_estimate *to[CONVK_VMC_SERIES_];
  int i, status;
  if (!result) return CONVK_ERR_NULL;
  status = convk_vmc_intact_(state, state_size, &s);
  if (status) return status;
  memset(result, 0, sizeof *result);
  to[0] = &result->energy;
  to[1] = &result->potential;
  to[2] = &result->kinetic;
  to[3] = &result->kinetic_gradient;
  to[4] = &result->kinetic_laplacian;
  for (i = 0; i < CONVK_VMC_SERIES_; i++) *to[i] = convk_blocking_estimate_(&s.series[i], s.measured);
  result->sweeps = s.sweep;
  result->measurements = s.measured;
  result->step = s.step;
  result->acceptance = s.tried ? (double)s.accepted / (double)s.tried : 0;
  result->drift = s.drift;
  result->pairs = s.pairs;
  return CONVK_OK;
}
/* ---- src/pairs/parts.h ---- */
/* ---- runs in parts ----
   Sums over walkers are made by a tree: that over a block of 2^k walkers, the first of which is a multiple of 2^k, is that of its left
   half and that of its right half.  A record has the sums of the fewest blocks that its walkers make up, as nodes; the total is that of
   the last, and of each before it.  So it does not depend on how walkers are spread. */

/* The head of a record, before its nodes of `width` doubles each.  A part that has failed says no more than its status; a record of
   several parts says what those before the first failure say. */
typedef struct convk_vmc_record_ {
  uint64_t bytes, width;
  uint64_t begin, end; /* walkers; none: 0 */
  uint64_t same;       /* must not differ between parts; 0: has failed */
  uint64_t accepted;
  double drift;
  int64_t status;
} convk_vmc_record_;

/* How many blocks make up walkers begin to end - 1. */
CONVK_RARE_ size_t convk_vmc_nodes_(uint64_t begin, uint64_t end) {
  size_t count = 0;
  uint64_t size;
  for (; begin < end; begin += size, count++)
    for (size = 1; !(begin & size) && size <= (end - begin) / 2; size *= 2) continue;
  return count;
}

/* Bytes of a record, for any of so many walkers. */
CONVK_RARE_ size_t convk_vmc_record_size_(size_t walkers, size_t width) {
  size_t levels = 0;
  while (levels < 31 && (size_t)1 << levels < walkers) levels++;
  return sizeof(convk_vmc_record_) + (levels < 2 ? 1 : 2 * (levels - 1)) * width * sizeof(double);
}

/* The largest of a run, in whole lines. */
CONVK_RARE_ size_t convk_vmc_record_room_(const convk_vmc *vmc) {
  const size_t interval = vmc->interval ? vmc->interval : 1;
  return convk_round_up_(convk_vmc_record_size_(vmc->walkers, CONVK_VMC_VALUES_ * convk_ceil_(CONVK_VMC_BATCH_, interval)), 64);
}

CONVK_LOCAL_ double *convk_vmc_nodes_of_(convk_vmc_record_ *record) { return (double *)(void *)(record + 1); }

/* An empty record of this part. */
CONVK_RARE_ void convk_vmc_record_begin_(const convk_vmc *vmc, size_t width, uint64_t same, int status,
                                         convk_vmc_record_ *record) {
  const size_t bytes = convk_vmc_record_size_(vmc->walkers, width);
  memset(record, 0, bytes);
  record->bytes = bytes;
  record->width = width;
  record->status = status;
  if (status) return;
  record->same = same;
  if (!convk_vmc_here_(vmc)) return;
  record->begin = vmc->part.first;
  record->end = vmc->part.first + convk_vmc_here_(vmc);
}

/* Adds the next walker, w, to `count` nodes of a record's walkers before it: some values, from a column on.  values are changed. */
CONVK_RARE_ size_t convk_vmc_grow_(convk_vmc_record_ *record, size_t count, uint64_t w, size_t column, double *values,
                                   size_t n) {
  const size_t width = (size_t)record->width;
  double *at = convk_vmc_nodes_of_(record) + count * width + column;
  uint64_t size;
  size_t i;
  for (size = 1; (w & size) && w + 1 >= record->begin + 2 * size; size *= 2, count--) {
    at -= width;
    for (i = 0; i < n; i++) values[i] = at[i] + values[i];
  }
  memcpy(at, values, n * sizeof *values);
  return count + 1;
}

/* The total of all nodes, in place of the first. */
CONVK_RARE_ const double *convk_vmc_total_(convk_vmc_record_ *record) {
  const size_t width = (size_t)record->width;
  double *nodes = convk_vmc_nodes_of_(record);
  size_t k = convk_vmc_nodes_(record->begin, record->end), i;
  while (k-- > 1)
    for (i = 0; i < width; i++) nodes[(k - 1) * width + i] += nodes[k * width + i];
  return nodes;
}

/* Clears what sums have left behind the last node: records of the same sums have the same bytes. */
CONVK_RARE_ void convk_vmc_record_end_(convk_vmc_record_ *record) {
  const size_t used = sizeof *record + convk_vmc_nodes_(record->begin, record->end) * (size_t)record->width * sizeof(double);
  memset((char *)record + used, 0, (size_t)record->bytes - used);
}

/* A part's record becomes that of all; returns the status of all. */
CONVK_RARE_ int convk_vmc_share_(const convk_vmc *vmc, convk_vmc_record_ *record) {
  int status = CONVK_OK;
  if (vmc->part.join) {
    convk_vmc_record_end_(record);
    status = vmc->part.join(vmc->part.ctx, record, (size_t)record->bytes);
  }
  if (status || record->status) return status ? status : (int)record->status;
  return record->begin || record->end != vmc->walkers ? CONVK_ERR_PART : CONVK_OK;
}

/* The status of all parts, when each has its own. */
CONVK_RARE_ int convk_vmc_agree_(const convk_vmc *vmc, uint64_t same, int status) {
  convk_vmc_record_ record;
  if (!vmc->part.join) return status;
  convk_vmc_record_begin_(vmc, 0, same, status, &record);
  return convk_vmc_share_(vmc, &record);
}

/* Numbers at any alignment: to = x + y. */
CONVK_RARE_ void convk_vmc_add_(const char *x, const char *y, char *to, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) {
    double a, b;
    memcpy(&a, x + i * sizeof a, sizeof a);
    memcpy(&b, y + i * sizeof b, sizeof b);
    a += b;
    memcpy(to + i * sizeof a, &a, sizeof a);
  }
}

/* The nodes of a and b, at x and y, to y.  Of these blocks only those about the border grow together: to one, which has
   neighbours on either side. */
CONVK_RARE_ void convk_vmc_join_nodes_(const convk_vmc_record_ *a, const convk_vmc_record_ *b, const char *x, char *y) {
  const size_t width = (size_t)b->width, bytes = width * sizeof(double), old = convk_vmc_nodes_(b->begin, b->end);
  size_t left = convk_vmc_nodes_(a->begin, a->end), at = 0, right;
  if (left && old) {
    uint64_t start = b->begin, size = start & (~start + 1);
    int grows = start - a->begin >= size && b->end - start >= size;
    if (grows) {
      convk_vmc_add_(x + --left * bytes, y, y, width);
      start -= size;
    }
    while (grows) {
      size *= 2;
      if (start & size) {
        grows = start - a->begin >= size;
        if (!grows) break;
        convk_vmc_add_(x + --left * bytes, y + at * bytes, y + at * bytes, width);
        start -= size;
      } else {
        grows = b->end - start >= 2 * size;
        if (!grows) break;
        convk_vmc_add_(y + at * bytes, y + (at + 1) * bytes, y + (at + 1) * bytes, width);
        at++;
      }
    }
  }
  right = old - at;
  memmove(y + left * bytes, y + at * bytes, right * bytes);
  memcpy(y, x, left * bytes);
  if (left < at) memset(y + (left + right) * bytes, 0, (at - left) * bytes);
}

CONVK_API_ void convk_vmc_join(const void *before, void *record) {
  const size_t head = sizeof(convk_vmc_record_);
  convk_vmc_record_ a, b;
  int64_t status;
  memcpy(&a, before, head);
  memcpy(&b, record, head);
  status = a.status;
  if (!status && b.same && (a.bytes != b.bytes || a.width != b.width || a.same != b.same)) status = CONVK_ERR_SETUP;
  if (!status && a.begin < a.end && b.begin < b.end && a.end != b.begin) status = CONVK_ERR_PART;
  if (!status) {
    if (!b.status) convk_vmc_join_nodes_(&a, &b, (const char *)before + head, (char *)record + head);
    if (b.begin < b.end) {
      if (a.begin == a.end) a.begin = b.begin;
      a.end = b.end;
    }
    status = b.status;
  }
  a.bytes = b.bytes;
  a.width = b.width;
  a.accepted += b.accepted;
  if (b.drift > a.drift) a.drift = b.drift;
  a.status = status;
  if (status) {
    a.accepted = 0;
    a.drift = 0;
    memset((char *)record + head, 0, (size_t)b.bytes - head);
  }
  memcpy(record, &a, head);
}

/* ---- a state from those of other parts ---- */

/* A walker that is not there. */
#define CONVK_VMC_ABSENT_ UINT64_C(0x7ff8000000000001)

/* The head that a state for vmc's part begins with, where there is that of another part. */
CONVK_RARE_ void convk_vmc_take_head_(const convk_vmc *vmc, const convk_vmc_state_ *from, size_t need, convk_vmc_state_ *s,
                                      char *state) {
  const uint64_t absent = CONVK_VMC_ABSENT_;
  const size_t here = convk_vmc_here_(vmc);
  size_t w;
  memcpy(s, from, sizeof *s);
  s->bytes = need;
  s->first = vmc->part.first;
  s->here = s->missing = here;
  memset(state, 0, need);
  for (w = 0; w < here; w++) memcpy(state + sizeof *s + w * sizeof absent, &absent, sizeof absent);
}

CONVK_API_ int convk_vmc_take(const convk_vmc *vmc, void *state, size_t state_size, const void *from, size_t from_size,
                              size_t *taken) {
  convk_vmc_state_ f, s;
  size_t element, need, walker;
  uint64_t w;
  int status;
  if (!vmc || !state || !from || !taken) return CONVK_ERR_NULL;
  status = convk_vmc_check_(vmc, CONVK_PAIR_HOST_);
  if (!status) status = convk_vmc_intact_(from, from_size, &f);
  if (status) return status;
  if (f.walkers != vmc->walkers || f.particles != vmc->system.particles || f.setup != convk_vmc_setup_(vmc))
    return CONVK_ERR_SETUP;
  element = memcmp(f.kind, convk_vmc_kind_(sizeof(float)), sizeof f.kind) ? sizeof(double) : sizeof(float);
  walker = 3 * vmc->system.particles * element;
  if (f.missing || f.first > f.walkers || f.here > f.walkers - f.first ||
      f.bytes != convk_vmc_at_((size_t)f.here) + (size_t)f.here * walker)
    return CONVK_ERR_STATE;
  need = convk_vmc_state_size_(vmc, element);
  if (!need) return CONVK_ERR_OVERFLOW;
  if (state_size < need) return CONVK_ERR_STATE;
  if (convk_overlap_(state, need, from, (size_t)f.bytes)) return CONVK_ERR_OVERLAP;
  if (!*taken) convk_vmc_take_head_(vmc, &f, need, &s, (char *)state);
  else {
    status = convk_vmc_intact_(state, need, &s);
    if (status) return status;
    if (s.first != vmc->part.first || s.here != convk_vmc_here_(vmc) || convk_vmc_alike_(&s, 0) != convk_vmc_alike_(&f, 0))
      return CONVK_ERR_SETUP;
  }
  for (w = s.first > f.first ? s.first : f.first; w < s.first + s.here && w < f.first + f.here; w++) {
    const size_t to = (size_t)(w - s.first), at = (size_t)(w - f.first);
    char *known = (char *)state + convk_vmc_at_(to);
    uint64_t bits;
    memcpy(&bits, known, sizeof bits);
    if (bits != CONVK_VMC_ABSENT_) continue;
    memcpy(known, (const char *)from + convk_vmc_at_(at), sizeof bits);
    memcpy((char *)state + convk_vmc_at_((size_t)s.here) + to * walker,
           (const char *)from + convk_vmc_at_((size_t)f.here) + at * walker, walker);
    s.missing--;
  }
  convk_vmc_seal_(&s, state);
  *taken = (size_t)(s.here - s.missing);
  return CONVK_OK;
}
/* ---- src/pairs/begin.h ---- */
/* ---- where runs begin ---- */

/* Coordinates of either precision, at any alignment. */
CONVK_RARE_ double convk_real_at_(const void *p, size_t i, size_t element) {
  double x = 0;
  float f = 0;
  memcpy(element == sizeof f ? (void *)&f : (void *)&x, (const char *)p + i * element, element);
  return element == sizeof f ? (double)f : x;
}

/* The largest coordinates that there may be. */
CONVK_LOCAL_ double convk_pair_far_(size_t element) { return element == sizeof(float) ? 16384 : 268435456; }

/* RANGE where a particle of a cluster is so far from the middle of its walker that no batch can end well. */
CONVK_RARE_ int convk_vmc_compact_(size_t walkers, size_t n, const void *r, size_t element) {
  const double most = convk_pair_far_(element) / 2;
  size_t w, i;
  for (w = 0; w < 3 * walkers; w++) {
    double mean = 0;
    for (i = 0; i < n; i++) mean += convk_real_at_(r, w * n + i, element) / (double)n;
    for (i = 0; i < n; i++) {
      const double x = convk_real_at_(r, w * n + i, element);
      if (!(x - mean <= most && mean - x <= most)) return CONVK_ERR_RANGE;
    }
  }
  return CONVK_OK;
}

/* Where particles begin: a ball of a cubic lattice, or one that fills the box. */
CONVK_RARE_ void convk_vmc_sites_(const convk_pair_system *system, double spacing, void (*put)(void *ctx, size_t i, const double *at),
                                  void *ctx) {
  const size_t n = system->particles;
  ptrdiff_t m = 1, a[3], level;
  size_t i = 0, sites, site, low = 0, high = 3;
  double at[3];
  int d;
  while ((size_t)m * (size_t)m * (size_t)m < n) m++;
  if (system->box[0] > 0) {
    sites = (size_t)m * (size_t)m * (size_t)m;
    for (i = 0; i < n; i++) {
      site = i * (sites / n) + i * (sites % n) / n;
      for (d = 0; d < 3; d++, site /= (size_t)m) at[d] = ((double)(site % (size_t)m) + 0.5) / (double)m * system->box[d];
      put(ctx, i, at);
    }
    return;
  }
  high = 3 * (size_t)m * (size_t)m; /* the least square of a radius within which there are n sites */
  while (low < high) {
    const size_t middle = (low + high) / 2;
    sites = 0;
    for (a[2] = -m; a[2] <= m; a[2]++)
      for (a[1] = -m; a[1] <= m; a[1]++)
        for (a[0] = -m; a[0] <= m; a[0]++) sites += (size_t)(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) <= middle;
    if (sites < n) low = middle + 1;
    else high = middle;
  }
  for (level = 0; level < 2; level++)
    for (a[2] = -m; a[2] <= m; a[2]++)
      for (a[1] = -m; a[1] <= m; a[1]++)
        for (a[0] = -m; a[0] <= m; a[0]++) {
          const size_t square = (size_t)(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
          if (i == n || (level ? square != low : square >= low)) continue;
          for (d = 0; d < 3; d++) at[d] = spacing * (double)a[d];
          put(ctx, i++, at);
        }
}

/* Sites with some scatter for all walkers of a part, whose coordinates are at `to`; or without, the largest coordinate of any. */
typedef struct convk_vmc_start_ {
  const convk_vmc *vmc;
  char *to;
  size_t element;
  double spread, most;
} convk_vmc_start_;

CONVK_RARE_ void convk_vmc_put_(void *ctx, size_t i, const double *at) {
  const convk_vmc_start_ *s = (const convk_vmc_start_ *)ctx;
  size_t w, d;
  for (w = 0; w < convk_vmc_here_(s->vmc); w++) {
    double u[4];
    convk_random_(s->vmc->seed, 0, i, s->vmc->part.first + w, CONVK_RANDOM_START_, u);
    for (d = 0; d < 3; d++) {
      const double x = at[d] + s->spread * (2 * u[d] - 1);
      const float f = s->element == sizeof f ? (float)x : 0;
      memcpy(s->to + ((w * 3 + d) * s->vmc->system.particles + i) * s->element,
             s->element == sizeof f ? (const void *)&f : (const void *)&x, s->element);
    }
  }
}

CONVK_RARE_ void convk_vmc_reach_(void *ctx, size_t i, const double *at) {
  convk_vmc_start_ *s = (convk_vmc_start_ *)ctx;
  int d;
  (void)i;
  for (d = 0; d < 3; d++) {
    if (at[d] > s->most) s->most = at[d];
    if (-at[d] > s->most) s->most = -at[d];
  }
}

/* The distance of sites: a little more than that of the least potential, or what fills the box. */
CONVK_RARE_ double convk_vmc_spacing_(const convk_pair_system *system) {
  const double *b = system->box;
  double edge = b[0] < b[1] ? b[0] : b[1];
  size_t k;
  if (!(b[0] > 0))
    return system->potential.kind == CONVK_POTENTIAL_HFD             ? 1.2 * system->potential.rm
           : system->potential.kind == CONVK_POTENTIAL_LENNARD_JONES ? 1.35 * system->potential.rm
                                                                     : 3.6;
  edge = edge < b[2] ? edge : b[2];
  for (k = 1; k * k * k < system->particles; k++) continue;
  return edge / (double)k;
}

/* Fills a state, of `need` bytes.  r: checked coordinates, or NULL. */
CONVK_RARE_ int convk_vmc_begin_(const convk_vmc *vmc, const void *r, void *state, size_t need, size_t element) {
  const double widest = convk_pair_far_(element), spacing = convk_vmc_spacing_(&vmc->system);
  const size_t here = convk_vmc_here_(vmc);
  const int periodic = vmc->system.box[0] > 0;
  convk_vmc_start_ start;
  convk_vmc_state_ s;
  int d;
  if (r && !periodic && convk_vmc_compact_(here, vmc->system.particles, r, element)) return CONVK_ERR_RANGE;
  for (d = 0; periodic && d < 3; d++)
    if (vmc->system.box[d] > widest / 4) return CONVK_ERR_RANGE;
  memset(&start, 0, sizeof start);
  start.vmc = vmc;
  start.to = (char *)state + convk_vmc_at_(here);
  start.element = element;
  start.spread = 0.1 * spacing;
  if (!r) {
    convk_vmc_sites_(&vmc->system, spacing, convk_vmc_reach_, &start);
    if (!(start.most + start.spread <= widest / 2)) return CONVK_ERR_RANGE;
  }
  memset(&s, 0, sizeof s);
  memcpy(s.kind, convk_vmc_kind_(element), sizeof s.kind);
  s.version = CONVK_VERSION;
  s.endian = 0x01020304u;
  s.bytes = need;
  s.setup = convk_vmc_setup_(vmc);
  s.walkers = vmc->walkers;
  s.first = vmc->part.first;
  s.here = here;
  s.particles = vmc->system.particles;
  s.step = vmc->step > 0 ? vmc->step : (vmc->moves == CONVK_MOVE_ALL ? 0.05 : 0.25) * spacing;
  if (s.step > widest / 512) {
    if (vmc->step > 0) return CONVK_ERR_RANGE;
    s.step = widest / 512;
  }
  convk_vmc_forget_(state, here);
  if (r) memcpy(start.to, r, need - convk_vmc_at_(here));
  else convk_vmc_sites_(&vmc->system, spacing, convk_vmc_put_, &start);
  convk_vmc_seal_(&s, state);
  return CONVK_OK;
}
/* ---- src/pairs/runs.h ---- */
/* ---- runs on any hardware ---- */

/* A run in the making: what the hardware advances by some sweeps at a time. */
typedef struct convk_vmc_job_ {
  const convk_vmc *vmc;
  size_t n, first, walkers;    /* walkers of this part */
  uint64_t sweep;              /* the first of this batch */
  size_t count, measured;      /* sweeps in it, and how many of them end with a measurement */
  int anew, last;              /* anew: some ln Psi are not known, which is so in a first batch only; last: no more batches */
  double step;
  double *ln_psi;              /* of each walker; not a number: not known yet */
  void *r;                     /* [walkers][3][n] of coordinates */
  convk_pair_result *result;   /* [CONVK_VMC_BATCH_][walkers], of the sweeps that are measured */
  double *drift;               /* of each walker, the largest; set */
  uint32_t *accepted;          /* of each walker, in this batch; set */
  char *base;                  /* work memory of the hardware */
} convk_vmc_job_;

/* Doubles of scratch of one task on processors. */
CONVK_LOCAL_ size_t convk_vmc_scratch_(size_t n, int threads) { return 10 * convk_pair_padded_(n) + convk_pair_scratch_(n, threads); }

CONVK_RARE_ size_t convk_vmc_work_size_(const convk *hw, const convk_vmc *vmc, size_t element) {
  const size_t threads = convk_threads_(hw);
  size_t here, common, tasks, bytes, energy;
  if (convk_vmc_check_(vmc, CONVK_PAIR_HOST_)) return (size_t)-1;
  here = convk_vmc_here_(vmc);
  tasks = here < threads ? 1 : threads;
  common = convk_vmc_common_size_(vmc->system.particles, here, element);
  if (common == (size_t)-1 ||
      convk_mul_(convk_vmc_scratch_(vmc->system.particles, tasks < threads), tasks * sizeof(double), &bytes) ||
      bytes > (size_t)-1 / 8)
    return (size_t)-1;
  energy = convk_pair_work_size_(hw, vmc->system.particles, here, element); /* for the minimiser */
  if (energy == (size_t)-1) return energy;
  return common + convk_vmc_record_room_(vmc) + (bytes > energy ? bytes : energy) + 64;
}

/* What all hardware needs of a checked run: of walkers, and the record. */
CONVK_LOCAL_ size_t convk_vmc_least_(const convk_vmc *vmc, size_t element) {
  return convk_vmc_common_size_(vmc->system.particles, convk_vmc_here_(vmc), element) + convk_vmc_record_room_(vmc);
}

/* What there is of it beyond that. */
CONVK_RARE_ size_t convk_vmc_more_(const convk *hw, const convk_vmc *vmc, size_t element) {
  const size_t all = convk_vmc_work_size_(hw, vmc, element);
  return all == (size_t)-1 ? 0 : all - convk_vmc_least_(vmc, element) - 64;
}

/* Whether all walkers are where the next batch cannot take them beyond the range of coordinates. */
CONVK_RARE_ int convk_vmc_near_(const convk_vmc_job_ *job, size_t element) {
  const size_t count = job->walkers * 3 * job->n;
  const double most = convk_pair_far_(element) / 2;
  size_t i;
  for (i = 0; i < count; i++) {
    const double x = convk_real_at_(job->r, i, element);
    if (!(x <= most && x >= -most)) return CONVK_ERR_RANGE;
  }
  return CONVK_OK;
}

/* Another step, by the share of moves that were accepted since the last time.  In no batch, walkers leave the range of
   coordinates; longer steps are no better in a box: without a limit they grow for ever where it is dilute. */
CONVK_RARE_ void convk_vmc_tune_(const convk_vmc *vmc, convk_vmc_state_ *s) {
  const double wanted = vmc->acceptance > 0 ? vmc->acceptance : 0.5, have = (double)s->accepted / (double)s->tried;
  double factor = (have + 0.1) / (wanted + 0.1), most = convk_pair_far_(memcmp(s->kind, "vmc f32", 8) ? sizeof(double) : sizeof(float)) / 512;
  int d;
  if (vmc->acceptance < 0) return;
  if (factor < 0.5) factor = 0.5;
  for (d = 0; d < 3; d++)
    if (vmc->system.box[0] > 0 && most > 0.5 * vmc->system.box[d]) most = 0.5 * vmc->system.box[d];
  if (factor < 1 || s->step < most) s->step = s->step * factor < most || factor < 1 ? s->step * factor : most;
}

/* The next batch of up to so many sweeps: to the end of 16, or of equilibration. */
CONVK_LOCAL_ void convk_vmc_batch_(const convk_vmc_state_ *s, size_t sweeps, convk_vmc_job_ *job) {
  size_t i;
  job->sweep = s->sweep;
  job->step = s->step;
  job->count = CONVK_VMC_BATCH_ - (size_t)(s->sweep % CONVK_VMC_BATCH_);
  if (job->count > sweeps) job->count = sweeps;
  if (s->sweep < job->vmc->equilibration && job->count > job->vmc->equilibration - s->sweep)
    job->count = (size_t)(job->vmc->equilibration - s->sweep);
  job->last = job->count == sweeps;
  job->measured = 0;
  for (i = 0; i < job->count; i++) job->measured += (size_t)convk_vmc_measures_(job->vmc, job->sweep + i);
}

/* The means of the first measurement over all walkers, about which squares are summed. */
CONVK_RARE_ int convk_vmc_shift_(const convk_vmc_job_ *job, convk_vmc_record_ *record, int status, double shift[CONVK_VMC_SERIES_]) {
  const convk_vmc *vmc = job->vmc;
  const double *total;
  double v[CONVK_VMC_SERIES_];
  size_t w, count = 0;
  int i;
  convk_vmc_record_begin_(vmc, CONVK_VMC_SERIES_, 1, status, record);
  for (w = 0; w < job->walkers && !status; w++) {
    convk_vmc_series_(job->result + w, convk_pair_hbar2_2m_(&vmc->system), v);
    count = convk_vmc_grow_(record, count, job->first + w, 0, v, CONVK_VMC_SERIES_);
  }
  status = convk_vmc_share_(vmc, record);
  if (status) return status;
  total = convk_vmc_total_(record);
  for (i = 0; i < CONVK_VMC_SERIES_; i++) shift[i] = total[i] / (double)vmc->walkers;
  return CONVK_OK;
}

/* What a batch has brought, in all parts; status: that of this one. */
CONVK_RARE_ int convk_vmc_count_(convk_vmc_state_ *s, const convk_vmc_job_ *job, convk_vmc_record_ *record, int status) {
  const convk_vmc *vmc = job->vmc;
  const double n = (double)job->n, pairs = 0.5 * n * (n - 1) * (double)vmc->walkers;
  /* rows have a pair before and after each, twice */
  const double share = (vmc->moves == CONVK_MOVE_SINGLE ? 4 : 1) * (vmc->drift ? 2 : 1);
  const double hbar2_2m = convk_pair_hbar2_2m_(&vmc->system), *total;
  const int equilibrates = s->sweep < vmc->equilibration, kink = convk_pair_cutoff_(&vmc->system) > 0;
  double shift[CONVK_VMC_SERIES_], v[CONVK_VMC_VALUES_];
  size_t i, w, count;
  for (i = 0; i < CONVK_VMC_SERIES_; i++) shift[i] = s->series[i].shift;
  if (job->measured && !s->measured) {
    status = convk_vmc_shift_(job, record, status, shift);
    if (status) return status;
  }
  convk_vmc_record_begin_(vmc, job->measured * CONVK_VMC_VALUES_, 1, status, record);
  for (i = 0; i < job->measured && !status; i++)
    for (w = 0, count = 0; w < job->walkers; w++) {
      convk_vmc_leaf_(job->result + i * job->walkers + w, hbar2_2m, kink, shift, v);
      count = convk_vmc_grow_(record, count, job->first + w, i * CONVK_VMC_VALUES_, v, CONVK_VMC_VALUES_);
    }
  for (w = 0; w < job->walkers && !status; w++) {
    record->accepted += job->accepted[w];
    if (job->drift[w] > record->drift) record->drift = job->drift[w];
  }
  status = convk_vmc_share_(vmc, record);
  if (status) return status;
  total = convk_vmc_total_(record);
  for (i = 0; i < job->measured; i++) convk_vmc_absorb_(s, total + i * CONVK_VMC_VALUES_);
  s->accepted += record->accepted;
  if (record->drift > s->drift) s->drift = record->drift;
  s->tried += (uint64_t)job->count * vmc->walkers * (vmc->moves == CONVK_MOVE_SINGLE ? job->n : 1);
  s->pairs += pairs * ((double)job->count * share + (double)job->measured + (s->sweep % CONVK_VMC_BATCH_ ? 0 : 1));
  s->sweep += job->count;
  if (equilibrates && (s->sweep % CONVK_VMC_BATCH_ == 0 || s->sweep == vmc->equilibration)) {
    if (s->sweep % CONVK_VMC_BATCH_ == 0) convk_vmc_tune_(vmc, s); /* not after a part of a batch, which says little */
    s->tried = s->accepted = 0;
  }
  return CONVK_OK;
}

/* A run on any hardware: `advance` takes the job's walkers through a batch.  The state changes only when all is done.
   status: of the checks of this part; other parts wait for it.  more: bytes of work that advance needs beyond what all need, at
   job->base. */
CONVK_RARE_ int convk_vmc_drive_(const convk *hw, const convk_vmc *vmc, size_t sweeps, void *state, size_t state_size, void *work,
                                 size_t work_size, size_t element, size_t more, int status,
                                 int (*advance)(const convk *hw, const convk_vmc_job_ *job, void *ctx), void *ctx) {
  char *saved;
  size_t walkers, bytes, w;
  convk_vmc_record_ *record;
  convk_vmc_state_ s;
  convk_vmc_job_ job;
  convk_work_ memory;
  if (!vmc) return status;
  memory.own = memory.base = NULL;
  if (!status && sweeps) {
    status = convk_overlap_(work, work_size, state, state_size) ? CONVK_ERR_OVERLAP : CONVK_OK;
    if (!status) status = convk_work_begin_(&memory, work, work_size, convk_vmc_least_(vmc, element) + more + 64);
  }
  if (!status) memcpy(&s, state, sizeof s);
  status = convk_vmc_agree_(vmc, status ? 0 : convk_vmc_alike_(&s, sweeps), status);
  if (status || !sweeps) {
    convk_work_end_(&memory);
    return status;
  }
  saved = (char *)state + sizeof(convk_vmc_state_);
  walkers = convk_vmc_here_(vmc);
  bytes = 3 * vmc->system.particles * walkers * element;
  record = (convk_vmc_record_ *)(void *)(memory.base + convk_vmc_common_size_(vmc->system.particles, walkers, element));
  job.vmc = vmc;
  job.n = vmc->system.particles;
  job.first = vmc->part.first;
  job.walkers = walkers;
  job.result = (convk_pair_result *)(void *)memory.base;
  job.ln_psi = (double *)(void *)(job.result + CONVK_VMC_BATCH_ * walkers);
  job.drift = job.ln_psi + walkers;
  job.r = job.drift + walkers;
  job.accepted = (uint32_t *)(void *)((char *)job.r + bytes);
  job.base = memory.base + convk_vmc_least_(vmc, element);
  job.anew = 0;
  memcpy(job.ln_psi, saved, walkers * sizeof(double));
  memcpy(job.r, saved + walkers * sizeof(double), bytes);
  for (w = 0; w < walkers; w++) job.anew |= !convk_finite_f64_(job.ln_psi[w]);
  for (; sweeps && !status; sweeps -= job.count) {
    convk_vmc_batch_(&s, sweeps, &job);
    if (walkers) status = advance(hw, &job, ctx);
    if (!status) status = convk_vmc_near_(&job, element);
    status = convk_vmc_count_(&s, &job, record, status);
    job.anew = 0;
  }
  if (!status) {
    memcpy(saved, job.ln_psi, walkers * sizeof(double));
    memcpy(saved + walkers * sizeof(double), job.r, bytes);
    convk_vmc_seal_(&s, state);
  }
  convk_work_end_(&memory);
  return status;
}
/* ---- src/pairs/newton.h ---- */
/* ---- linear algebra of the minimiser ---- */

/* x of a symmetric positive matrix (lower triangle by rows) times x = f, in place of f; 0 where it is not positive. */
CONVK_RARE_ int convk_solve_(double *matrix, double *f, int n) {
  int i, j, k;
  for (i = 0; i < n; i++) {
    double *row = matrix + i * (i + 1) / 2;
    for (j = 0; j <= i; j++) {
      const double *other = matrix + j * (j + 1) / 2;
      double sum = row[j];
      for (k = 0; k < j; k++) sum -= row[k] * other[k];
      if (j < i) row[j] = sum / other[j];
      else if (!(sum > 0)) return 0;
      else row[j] = convk_sqrt_(sum);
    }
  }
  for (i = 0; i < n; i++) {
    for (k = 0; k < i; k++) f[i] -= matrix[i * (i + 1) / 2 + k] * f[k];
    f[i] /= matrix[i * (i + 1) / 2 + i];
  }
  for (i = n - 1; i >= 0; i--) {
    for (k = i + 1; k < n; k++) f[i] -= matrix[k * (k + 1) / 2 + i] * f[k];
    f[i] /= matrix[i * (i + 1) / 2 + i];
  }
  return 1;
}

/* Entry i, j of a symmetric matrix of which there is the lower triangle, by rows. */
CONVK_LOCAL_ double convk_entry_(const double *m, int i, int j) { return i > j ? m[i * (i + 1) / 2 + j] : m[j * (j + 1) / 2 + i]; }

/* The least of gradient^T step + step^T matrix step / 2 within bounds, which have 0 between them: each parameter is free, at one
   bound, or at the other, and all ways are tried.  0 where the matrix is not positive. */
CONVK_RARE_ int convk_solve_within_(const double *matrix, const double *gradient, int n, double bound[4][2], double step[4]) {
  static const int ways[5] = {1, 3, 9, 27, 81};
  double least = 0;
  int way, i, j;
  for (i = 0; i < 4; i++) step[i] = 0;
  for (way = 0; way < ways[n]; way++) {
    double part[10], f[4], x[4] = {0, 0, 0, 0}, value = 0;
    int index[4], count = 0, within = 1;
    for (i = 0; i < n; i++) {
      const int at = way / ways[i] % 3;
      if (!at) index[count++] = i;
      else x[i] = bound[i][at - 1];
      within = within && x[i] > -1e299 && x[i] < 1e299;
    }
    if (!within) continue;
    for (i = 0; i < count; i++) {
      f[i] = -gradient[index[i]];
      for (j = 0; j < n; j++) f[i] -= convk_entry_(matrix, index[i], j) * x[j]; /* of those at a bound; the others are 0 yet */
      for (j = 0; j <= i; j++) part[i * (i + 1) / 2 + j] = convk_entry_(matrix, index[i], index[j]);
    }
    if (!convk_solve_(part, f, count)) return 0;
    for (i = 0; i < count; i++) {
      x[index[i]] = f[i];
      within = within && f[i] >= bound[index[i]][0] && f[i] <= bound[index[i]][1];
    }
    for (i = 0; i < n; i++) {
      value += gradient[i] * x[i];
      for (j = 0; j < n; j++) value += 0.5 * x[i] * x[j] * convk_entry_(matrix, i, j);
    }
    if (!within || value > least) continue;
    least = value;
    for (i = 0; i < n; i++) step[i] = x[i];
    if (!way) break; /* where no bound is in the way there is nothing lower */
  }
  return 1;
}

/* (second + mu overlap) step = -gradient within bounds, with the least mu from `least` on for which step^T overlap step <=
   most^2; 0 where overlap is not positive. */
CONVK_RARE_ int convk_newton_(const double *overlap, const double *second, const double *gradient, int n, double bound[4][2],
                              double least, double most, double step[4]) {
  double matrix[10], high = 0, low = least;
  int i, j, turn, good = 0;
  memcpy(matrix, overlap, sizeof matrix);
  memcpy(step, gradient, 4 * sizeof *step);
  if (!convk_solve_(matrix, step, n)) return 0;
  for (i = 0; i < n; i++) high += step[i] * gradient[i];
  high = least + (high > 0 ? 2.1 * convk_sqrt_(high) / most : 0); /* there might as well be no `second` */
  for (turn = 0; turn < 40 && !(good && turn == 1); turn++) { /* the least; halves; the best of them */
    const double mu = !turn ? least : turn == 39 ? high : 0.5 * (low + high);
    double length = 0;
    for (i = 0; i < 10; i++) matrix[i] = second[i] + mu * overlap[i];
    good = convk_solve_within_(matrix, gradient, n, bound, step);
    for (i = 0; i < n && good; i++)
      for (j = 0; j < n; j++) length += step[i] * step[j] * convk_entry_(overlap, i, j);
    good = good && length <= most * most;
    if (good) high = mu;
    else low = mu;
  }
  return good;
}
/* ---- src/pairs/minimise.h ---- */
/* ---- minimising the energy ---- */

/* Gives a state other parameters of the trial function, as if the run had begun with them where its walkers are now; with a
   step that is tuned by what it has seen, if that was tried. */
CONVK_RARE_ void convk_vmc_renew_(const convk_vmc *vmc, void *state) {
  convk_vmc_state_ s;
  memcpy(&s, state, sizeof s);
  if (s.tried) convk_vmc_tune_(vmc, &s);
  s.setup = convk_vmc_setup_(vmc);
  memset(&s.series, 0, offsetof(convk_vmc_state_, looked) - offsetof(convk_vmc_state_, series));
  s.looked = s.measured = s.tried = s.accepted = 0;
  convk_vmc_forget_(state, convk_vmc_here_(vmc));
  convk_vmc_seal_(&s, state);
}

/* Means over walkers of what the Hessian is made of, G_ij = sum over particles of grad O_i . grad O_j with the derivatives
   O_i of ln Psi by its parameters, are added to g.  O_i is the ln Psi whose parameter i is 1 and whose others are 0, so that
   pair_energy has G_ii and, of two parameters, G_ii + 2 G_ij + G_jj, once both are of a size. */
CONVK_RARE_ int convk_vmc_curvature_(const convk *hw, const convk_vmc *vmc, const int wanted[4], const void *state,
                                     const convk_work_ *memory, size_t size, size_t element, double g[10]) {
  const size_t here = convk_vmc_here_(vmc), least = convk_vmc_least_(vmc, element);
  convk_pair_result *result = (convk_pair_result *)(void *)memory->base;
  convk_vmc_record_ *record =
      (convk_vmc_record_ *)(void *)(memory->base + convk_vmc_common_size_(vmc->system.particles, here, element));
  const void *r = (const char *)state + convk_vmc_at_(here);
  const double *total;
  double scale[4] = {0, 0, 0, 0};
  convk_walkers walkers = {0, 0, 0};
  convk own;
  size_t w, count, column;
  int i, j, pass, status = CONVK_OK;
  memcpy(&own, hw, sizeof own);
  own.part_of = vmc->walkers;
  walkers.walkers = here;
  for (pass = 0; pass < 2; pass++) {
    convk_vmc_record_begin_(vmc, pass ? 6 : 4, 1, CONVK_OK, record);
    for (i = 0, column = 0; i < 4; i++)
      for (j = pass ? 0 : i; j < i + !pass; j++, column++) {
        convk_pair_system one = vmc->system;
        double p[4] = {0, 0, 0, 0};
        if (status || !wanted[i] || !wanted[j] || (pass && !(scale[i] > 0 && scale[j] > 0))) continue;
        p[i] = pass ? scale[i] : 1;
        p[j] = pass ? scale[j] : 1;
        memset(&one.potential, 0, sizeof one.potential);
        one.trial.p5 = p[0];
        one.trial.p2 = p[1];
        one.trial.p0 = p[2];
        one.trial.p1 = p[3];
        status = element == sizeof(float)
                     ? (own.f32.pair_energy)(&own, &one, &walkers, CONVK_GRADIENT, (const float *)r, result, NULL,
                                             memory->base + least, size - 64 - least)
                     : (own.f64.pair_energy)(&own, &one, &walkers, CONVK_GRADIENT, (const double *)r, result, NULL,
                                             memory->base + least, size - 64 - least);
        for (w = 0, count = 0; w < here && !status; w++)
          count = convk_vmc_grow_(record, count, vmc->part.first + w, column, &result[w].gradient_squared, 1);
      }
    if (status) {
      memcpy(((convk *)(uintptr_t)hw)->message, own.message, sizeof own.message);
      convk_vmc_record_begin_(vmc, pass ? 6 : 4, 0, status, record);
    }
    status = convk_vmc_share_(vmc, record);
    if (status) return status;
    total = convk_vmc_total_(record);
    for (i = 0, column = 0; i < 4; i++)
      for (j = pass ? 0 : i; j < i + !pass; j++, column++) {
        const double mean = total[column] / (double)vmc->walkers;
        if (!wanted[i] || !wanted[j] || (pass && !(scale[i] > 0 && scale[j] > 0))) continue;
        if (pass) g[i * (i + 1) / 2 + j] += 0.5 * (mean - 2) / (scale[i] * scale[j]);
        else {
          g[i * (i + 1) / 2 + j] += mean;
          if (mean > 1e-18) scale[i] = 1 / convk_sqrt_(mean);
        }
      }
  }
  return CONVK_OK;
}

/* Change of the parameters p that are free.  curvature: hbar2_2m times the mean of G; kink: as convk_vmc_absorb_.  Of E / T:
   T d(E / T) = dE - E / T dT. */
CONVK_RARE_ int convk_vmc_improve_(const convk_vmc_state_ *s, const convk_minimise_options *o, const double curvature[10],
                                   int kink, int open_space, size_t iteration, double *const p[4], double change[4]) {
  const double n = (double)s->looked, energy = s->energies / n, diagonal = 1 + (o->regularisation > 0 ? o->regularisation : 1e-3);
  double gradient[4] = {0, 0, 0, 0}, overlap[10] = {0}, second[10] = {0}, step[4], bound[4][2], least, kinetic, ratio = 0;
  const double core = *p[0] < 0 ? -*p[0] : *p[0];
  int index[4], count = 0, i, j;
  for (i = 0; i < 4; i++) {
    const double o2 = s->overlap[i * (i + 1) / 2 + i] / n - s->derivative[i] / n * (s->derivative[i] / n);
    change[i] = 0;
    if (!o->fixed[i] && o2 > 0 && curvature[i * (i + 1) / 2 + i] > 0) index[count++] = i;
  }
  if (!count) return CONVK_ERR_SINGULAR;
  kinetic = convk_blocking_estimate_(&s->series[2], s->measured).mean;
  if (open_space && !kink && kinetic > 0) ratio = energy / kinetic;
  for (i = 0; i < count; i++) {
    const int a = index[i];
    gradient[i] = s->energy_derivative[a] / n - energy * s->derivative[a] / n;
    for (j = 0; j < 4 && kink; j++) gradient[i] += *p[j] * convk_entry_(curvature, a, j);
    if (ratio > 0) gradient[i] -= ratio * (s->kinetic_derivative[a] / n - kinetic * (s->derivative[a] / n));
    for (j = 0; j <= i; j++) {
      const int b = index[j], k = i * (i + 1) / 2 + j;
      overlap[k] = (convk_entry_(s->overlap, a, b) / n - s->derivative[a] / n * (s->derivative[b] / n)) * (i == j ? diagonal : 1);
      second[k] = convk_entry_(curvature, a, b) * (i == j ? diagonal : 1);
    }
    bound[i][0] = -1e300;
    bound[i][1] = 1e300;
    if (a < 2 && core > 0) { /* where p5 / r^5 is 1, p2 counts as much as p5; none knows much of where there are no samples */
      const double whole = a ? convk_power_(core, 0.4) : core;
      bound[i][0] = -0.1 * whole;
      bound[i][1] = 0.1 * whole;
      if (a && *p[1] - 0.1 * whole < -whole) bound[i][0] = *p[1] < -whole ? 0 : -whole - *p[1];
    } else if (!a) bound[i][0] = 0; /* the core stays one */
    if (a == 3 && open_space) bound[i][0] = -0.5 * *p[a];
  }
  /* what the scatter of the energy alone does to the wave function: a tenth to begin with, and less as iterations go on */
  least = convk_vmc_scatter_(&s->series[kink ? 1 : 0], s->measured);
  if (kink) least += convk_vmc_scatter_(&s->series[3], s->measured);
  least = o->rate > 0 ? 1 / o->rate : (10 + 2.5 * (double)iteration) * convk_sqrt_(least);
  if (!convk_newton_(overlap, second, gradient, count, bound, least, 0.4, step)) return CONVK_ERR_SINGULAR;
  for (i = 0; i < count; i++) change[index[i]] = step[i];
  return CONVK_OK;
}

/* Whether particles stay together in open space, as far as the terms of long range say: |Psi|^2 must have an integral over
   all distances (of all from the centre, when there is but a power of them). */
CONVK_RARE_ int convk_vmc_binds_(const convk_pair_system *system) {
  const convk_trial *t = &system->trial;
  return system->box[0] > 0 || system->cutoff > 0 || t->p1 > 0 || (!(t->p1 < 0) && t->p0 * (double)system->particles > 3);
}

/* Options with what zeros stand for. */
CONVK_RARE_ int convk_vmc_options_(const convk_vmc *vmc, const convk_minimise_options *options, convk_minimise_options *o) {
  int i;
  memset(o, 0, sizeof *o);
  if (options) *o = *options;
  if (!convk_finite_f64_(o->rate) || !convk_finite_f64_(o->regularisation)) return CONVK_ERR_NONFINITE;
  if (o->rate < 0 || o->regularisation < 0) return CONVK_ERR_OPTION;
  for (i = 0; i < 4; i++)
    if (o->fixed[i] != 0 && o->fixed[i] != 1) return CONVK_ERR_OPTION;
  if (!o->iterations) o->iterations = 40;
  if (!o->sweeps) o->sweeps = 500;
  if (!o->final_sweeps) o->final_sweeps = 20 * o->sweeps;
  return o->sweeps < (vmc->interval ? vmc->interval : 1) ? CONVK_ERR_OPTION : CONVK_OK;
}

/* What must be the same for all parts. */
CONVK_RARE_ uint64_t convk_vmc_aims_(const convk_minimise_options *o) {
  const uint64_t whole[3] = {(uint64_t)o->iterations, (uint64_t)o->sweeps, (uint64_t)o->final_sweeps};
  const double real[2] = {o->rate, o->regularisation};
  return convk_hash_(convk_hash_(convk_hash_(0, whole, sizeof whole), real, sizeof real), o->fixed, sizeof o->fixed);
}

/* A minimisation: the run that it makes, and what it has of memory. */
typedef struct convk_vmc_search_ {
  const convk *hw;
  convk_vmc *vmc;
  const convk_minimise_options *options;
  void *state, *work;
  size_t state_size, work_size, element;
  convk_work_ memory;
  double *parameter[4];
} convk_vmc_search_;

CONVK_RARE_ int convk_vmc_go_on_(const convk_vmc_search_ *s, size_t sweeps) {
  return (s->element == sizeof(float) ? s->hw->f32.vmc_run : s->hw->f64.vmc_run)(s->hw, s->vmc, sweeps, s->state, s->state_size,
                                                                              s->work, s->work_size);
}

/* One iteration: sweeps with the parameters as they are, and a look at them; then their change. */
CONVK_RARE_ int convk_vmc_iterate_(const convk_vmc_search_ *search, size_t iteration, int *enough) {
  const convk_minimise_options *o = search->options;
  const int kink = convk_pair_cutoff_(&search->vmc->system) > 0;
  double curvature[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, change[4] = {0, 0, 0, 0};
  size_t left = o->sweeps, looks = 0;
  convk_vmc_state_ s;
  int i, wanted[4], status = convk_vmc_go_on_(search, o->sweeps / 10);
  if (status) return status;
  convk_vmc_renew_(search->vmc, search->state);
  for (i = 0; i < 4; i++) wanted[i] = !o->fixed[i] || (kink && (*search->parameter[i] < 0 || *search->parameter[i] > 0));
  for (; left && !status; looks++) {
    const size_t most = CONVK_VMC_BATCH_, some = left < most ? left : most;
    status = convk_vmc_go_on_(search, some);
    left -= some;
    if (!status)
      status = convk_vmc_curvature_(search->hw, search->vmc, wanted, search->state, &search->memory, search->work_size,
                                    search->element, curvature);
  }
  if (status) return status;
  for (i = 0; i < 10; i++) curvature[i] *= convk_pair_hbar2_2m_(&search->vmc->system) / (double)looks;
  memcpy(&s, search->state, sizeof s);
  if (!s.looked) return CONVK_ERR_OPTION;
  status = convk_vmc_improve_(&s, o, curvature, kink, !(search->vmc->system.box[0] > 0), iteration, search->parameter, change);
  if (status) return status;
  if (o->look) {
    convk_vmc_result found;
    status = convk_vmc_results(search->state, search->state_size, &found);
    if (status) return status;
    *enough = o->look(o->ctx, iteration, search->vmc, &found);
  }
  for (i = 0; i < 4; i++) *search->parameter[i] += change[i];
  return CONVK_OK;
}

CONVK_RARE_ int convk_vmc_minimise_(const convk *hw, convk_vmc *vmc, const convk_minimise_options *options, void *state,
                                    size_t state_size, convk_vmc_result *result, void *work, size_t work_size, size_t element) {
  convk_minimise_options o;
  convk_vmc_search_ search;
  convk_vmc_state_ s;
  double mean[4] = {0, 0, 0, 0};
  size_t iteration, averaged = 0, need = 0;
  int i, enough = 0, status = convk_begin_call_(hw);
  search.memory.own = NULL;
  if (!status && (!vmc || !result)) status = CONVK_ERR_NULL;
  if (!status) status = convk_vmc_belongs_(vmc, state, state_size, element);
  if (!status &&
      (element == sizeof(float) ? !hw->f32.vmc_run || !hw->f32.pair_energy : !hw->f64.vmc_run || !hw->f64.pair_energy))
    status = CONVK_ERR_UNSUPPORTED;
  if (!status) status = convk_vmc_options_(vmc, options, &o);
  if (!status && !convk_vmc_binds_(&vmc->system)) status = CONVK_ERR_RANGE;
  if (!status && convk_overlap_(work, work_size, state, state_size)) status = CONVK_ERR_OVERLAP;
  if (!status) {
    need = convk_vmc_work_size_(hw, vmc, element);
    status = need == (size_t)-1 ? CONVK_ERR_OVERFLOW : convk_work_begin_(&search.memory, work, work_size, need);
  }
  if (!status) memcpy(&s, state, sizeof s);
  if (vmc) status = convk_vmc_agree_(vmc, status ? 0 : convk_vmc_alike_(&s, convk_vmc_aims_(&o)), status);
  if (status) {
    convk_work_end_(&search.memory);
    return status;
  }
  search.hw = hw;
  search.vmc = vmc;
  search.options = &o;
  search.state = state;
  search.state_size = state_size;
  search.work = work ? work : search.memory.own;
  search.work_size = need;
  search.element = element;
  search.parameter[0] = &vmc->system.trial.p5;
  search.parameter[1] = &vmc->system.trial.p2;
  search.parameter[2] = &vmc->system.trial.p0;
  search.parameter[3] = &vmc->system.trial.p1;
  if (s.sweep < vmc->equilibration) status = convk_vmc_go_on_(&search, (size_t)(vmc->equilibration - s.sweep));
  for (iteration = 0; iteration < o.iterations && !enough && !status; iteration++) {
    status = convk_vmc_iterate_(&search, iteration, &enough);
    if (status) break;
    if (iteration >= o.iterations - o.iterations / 4 - 1) {
      averaged++;
      for (i = 0; i < 4; i++) mean[i] += *search.parameter[i];
    }
    convk_vmc_renew_(vmc, state);
  }
  for (i = 0; i < 4 && !status && averaged && !enough; i++)
    if (!o.fixed[i]) *search.parameter[i] = mean[i] / (double)averaged;
  for (i = 0; i < 2 && !status; i++) { /* a tenth, and then what counts */
    convk_vmc_renew_(vmc, state);
    status = convk_vmc_go_on_(&search, i ? o.final_sweeps : o.final_sweeps / 10);
  }
  if (!status) status = convk_vmc_results(state, state_size, result);
  convk_work_end_(&search.memory);
  return status;
}
CONVK_LIGHT_POP_

CONVK_EXACT_POP_
#endif
#define CONVK_PASS_ CONVK_PASS_BOTH_
#include CONVK_HEADER

CONVK_EXACT_PUSH_
#if CONVK_HAS_FORMFACTOR_
CONVK_LIGHT_PUSH_
/* ---- src/formfactor/solids.h ---- */

/* ---- surfaces of solids, of either precision: their vertices and faces by number ---- */

enum { CONVK_SOLID_BOX_, CONVK_SOLID_ROUND_, CONVK_SOLID_POLYHEDRON_, CONVK_SOLID_SPHERE_ };
#define CONVK_SOLID_PLAIN_ 20   /* corners of a dodecahedron, the most */
#define CONVK_SOLID_CORNERS_ 60 /* of what is left when they are cut off */
#define CONVK_SOLID_FACES_ 116  /* triangles of that: 2 corners - 4 */
#define CONVK_GOLDEN_ 1.6180339887498949
#define CONVK_ICOSAHEDRON_ARC_ 1.1071487177940905 /* atan 2: what an edge of the icosahedron spans, seen from its middle */

/* What is known of a box or pyramid, prism or cylinder, polyhedron, sphere. */
typedef struct convk_solid_ {
  int kind;
  size_t n; /* corners of the base; parts of an edge of the icosahedron that becomes a sphere */
  size_t vertices, faces;
  double size[3], height, top; /* half sides, or radii; the upper end is `top` times as large as the base */
  double corner[CONVK_SOLID_CORNERS_][3];
  unsigned char face[CONVK_SOLID_FACES_][3];
  unsigned char edge[30][2], number[12][12]; /* of a sphere: edges of the icosahedron, and which they are */
} convk_solid_;

/* What is wrong with sizes: each is positive and at most `limit`. */
CONVK_RARE_ int convk_solid_sizes_(const double *size, int n, double limit) {
  int i;
  for (i = 0; i < n; i++)
    if (!convk_finite_f64_(size[i])) return CONVK_ERR_NONFINITE;
  for (i = 0; i < n; i++)
    if (!(size[i] > 0)) return CONVK_ERR_SIZE;
  for (i = 0; i < n; i++)
    if (size[i] > limit) return CONVK_ERR_RANGE;
  return CONVK_OK;
}

/* ---- boxes, pyramids, prisms, cylinders ---- */

/* A base of n corners, and the same above it, or with top 0 a point. */
CONVK_RARE_ int convk_solid_prism_(convk_solid_ *s, size_t n, double height, double top) {
  if (n < 3) return CONVK_ERR_SIZE;
  if (n > CONVK_FACES_MAX_ / 4) return CONVK_ERR_OVERFLOW;
  s->n = n;
  s->height = height;
  s->top = top;
  s->vertices = top > 0 ? 2 * n : n + 1;
  s->faces = top > 0 ? 4 * n - 4 : 2 * n - 2;
  return CONVK_OK;
}

CONVK_RARE_ void convk_prism_vertex_(const convk_solid_ *s, size_t i, double v[3]) {
  const double scale = i < s->n ? 1 : s->top;
  const size_t k = i % s->n;
  if (s->kind == CONVK_SOLID_BOX_) {
    v[0] = k == 1 || k == 2 ? s->size[0] : -s->size[0];
    v[1] = k >= 2 ? s->size[1] : -s->size[1];
  } else {
    convk_turn_(k, s->n, &v[0], &v[1]);
    v[0] *= s->size[0];
    v[1] *= s->size[1];
  }
  v[0] *= scale;
  v[1] *= scale;
  v[2] = (i < s->n ? -1 : 1) * s->height / 2;
}

/* The base, the top, two triangles of each side; or only one. */
CONVK_RARE_ void convk_prism_face_(const convk_solid_ *s, size_t i, size_t f[3]) {
  const size_t n = s->n, caps = s->top > 0 ? 2 * (n - 2) : n - 2;
  if (i < caps) {
    const size_t from = i < n - 2 ? 0 : n, k = i % (n - 2);
    f[0] = from;
    f[1] = from + k + (from ? 1 : 2);
    f[2] = from + k + (from ? 2 : 1);
  } else {
    const size_t side = s->top > 0 ? (i - caps) / 2 : i - caps, next = (side + 1) % n, second = s->top > 0 && (i - caps) % 2;
    f[0] = side;
    f[1] = second ? n + next : next;
    f[2] = s->top <= 0 ? n : second ? n + side : n + next;
  }
}

/* ---- regular polyhedra, and what is left of them when corners are cut off ---- */

CONVK_LOCAL_ double convk_solid_square_(const double *a, const double *b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

/* Corners of unit size about the origin; returns how many, 0: there is no such polyhedron. */
CONVK_RARE_ int convk_polyhedron_corners_(int kind, double corner[CONVK_SOLID_PLAIN_][3]) {
  const double g = CONVK_GOLDEN_;
  int n = 0, i, d;
  memset(corner, 0, CONVK_SOLID_PLAIN_ * sizeof *corner);
  for (i = 0; i < 8; i++) /* of a cube; those with an even number of minus signs are a tetrahedron's */
    if (kind == CONVK_CUBE || kind == CONVK_DODECAHEDRON || (kind == CONVK_TETRAHEDRON && !(0x96 >> i & 1))) {
      for (d = 0; d < 3; d++) corner[n][d] = i >> d & 1 ? -1 : 1;
      n++;
    }
  for (i = 0; i < 6 && kind == CONVK_OCTAHEDRON; i++) corner[n++][i / 2] = i % 2 ? -1 : 1;
  for (i = 0; i < 12 && (kind == CONVK_ICOSAHEDRON || kind == CONVK_DODECAHEDRON); i++) { /* (0, +-a, +-b), turned about */
    corner[n][(i + 1) % 3] = (i & 1 ? 1 : -1) * (kind == CONVK_ICOSAHEDRON ? 1 : g - 1);
    corner[n++][(i + 2) % 3] = (i < 6 ? 1 : -1) * g;
  }
  return n;
}

/* The corner after w of the face to the left of the edge from v to w: all others lie below their plane. */
CONVK_RARE_ int convk_polyhedron_next_(double corner[CONVK_SOLID_PLAIN_][3], int n, double square, int v, int w) {
  int x, u, d;
  for (x = 0; x < n; x++) {
    double a[3], b[3], normal[3];
    int below = x != v && x != w && convk_solid_square_(corner[w], corner[x]) < 1.01 * square;
    for (d = 0; d < 3; d++) {
      a[d] = corner[w][d] - corner[v][d];
      b[d] = corner[x][d] - corner[w][d];
    }
    for (d = 0; d < 3; d++) normal[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
    for (u = 0; u < n && below; u++) {
      double up = 0;
      for (d = 0; d < 3; d++) up += normal[d] * (corner[u][d] - corner[w][d]);
      below = up < 0.01 * square;
    }
    if (below) return x;
  }
  return v;
}

/* A polygon as triangles from its first corner; corners that come again at once are one. */
CONVK_RARE_ void convk_polyhedron_polygon_(convk_solid_ *s, const unsigned char *loop, int n) {
  unsigned char once[CONVK_SOLID_PLAIN_];
  int count = 0, i;
  for (i = 0; i < n; i++)
    if (loop[i] != loop[i ? i - 1 : n - 1]) once[count++] = loop[i];
  for (i = 2; i < count; i++, s->faces++) {
    s->face[s->faces][0] = once[0];
    s->face[s->faces][1] = once[i - 1];
    s->face[s->faces][2] = once[i];
  }
}

/* Of an edge length; cut: how much of each edge is cut off at either end. */
CONVK_RARE_ int convk_solid_polyhedron_(convk_solid_ *s, int kind, double edge, double cut) {
  double corner[CONVK_SOLID_PLAIN_][3], square = 9;                                      /* of an edge */
  unsigned char point[CONVK_SOLID_PLAIN_][CONVK_SOLID_PLAIN_], loop[CONVK_SOLID_PLAIN_]; /* point: beside v on the way to w */
  char done[CONVK_SOLID_PLAIN_][CONVK_SOLID_PLAIN_];
  const int n = convk_polyhedron_corners_(kind, corner), whole = !(cut > 0), middle = cut >= edge / 2;
  int v, w, d;
  if (!n) return CONVK_ERR_OPTION;
  if (!(cut >= 0 && cut <= edge / 2)) return CONVK_ERR_SIZE;
  for (v = 1; v < n; v++)
    if (convk_solid_square_(corner[0], corner[v]) < square) square = convk_solid_square_(corner[0], corner[v]);
  s->kind = CONVK_SOLID_POLYHEDRON_;
  s->vertices = s->faces = 0;
  memset(done, 1, sizeof done);
  for (v = 0; v < n; v++)
    for (w = 0; w < n; w++) {
      const double share = whole ? 0 : middle ? 0.5 : cut / edge;
      if (v == w || convk_solid_square_(corner[v], corner[w]) > 1.01 * square) continue;
      done[v][w] = 0;
      point[v][w] = (unsigned char)(whole ? (size_t)v : middle && w < v ? point[w][v] : s->vertices);
      if (point[v][w] < s->vertices) continue;
      for (d = 0; d < 3; d++)
        s->corner[point[v][w]][d] = (corner[v][d] + share * (corner[w][d] - corner[v][d])) * (edge / convk_sqrt_(square));
      s->vertices = point[v][w] + (size_t)1;
    }
  for (v = 0; v < n; v++)
    for (w = 0; w < n; w++) {
      int a = v, b = w, x, count = 0;
      while (!done[a][b]) { /* along a face */
        done[a][b] = 1;
        loop[count++] = point[a][b];
        loop[count++] = point[b][a];
        x = convk_polyhedron_next_(corner, n, square, a, b);
        a = b;
        b = x;
      }
      convk_polyhedron_polygon_(s, loop, count);
    }
  for (v = 0; v < n && !whole; v++) { /* and about a corner, which goes the other way */
    int first = 0, count = CONVK_SOLID_PLAIN_;
    while (!done[v][first] || first == v || convk_solid_square_(corner[v], corner[first]) > 1.01 * square) first++;
    w = first;
    do {
      loop[--count] = point[v][w];
      w = convk_polyhedron_next_(corner, n, square, w, v);
    } while (w != first);
    convk_polyhedron_polygon_(s, loop + count, CONVK_SOLID_PLAIN_ - count);
  }
  return CONVK_OK;
}

/* ---- spheres: an icosahedron whose edges have n parts ----
   A face of it has rows 0 .. n of points, 1 in the first, at its corner A, up to n + 1 between B and C:
       A = (0, 0)
       (1, 0) (1, 1)
   B = (2, 0) (2, 1) (2, 2) = C
   Corners have the first numbers, then come points within the edges, then those within the faces. */

CONVK_RARE_ int convk_solid_sphere_(convk_solid_ *s, size_t n) {
  int i, k, e = 0;
  if (!n) return CONVK_ERR_SIZE;
  if (n > 7327) return CONVK_ERR_OVERFLOW; /* 20 n^2 is above 2^30 */
  (void)convk_solid_polyhedron_(s, CONVK_ICOSAHEDRON, 1, 0);
  for (i = 0; i < 60; i++) {
    const unsigned char a = s->face[i / 3][i % 3], b = s->face[i / 3][(i + 1) % 3];
    if (a > b) continue;
    s->edge[e][0] = a;
    s->edge[e][1] = b;
    s->number[a][b] = s->number[b][a] = (unsigned char)e++;
  }
  for (i = 0; i < 12; i++) {
    const double origin[3] = {0, 0, 0}, r = convk_sqrt_(convk_solid_square_(s->corner[i], origin));
    for (k = 0; k < 3; k++) s->corner[i][k] /= r;
  }
  s->kind = CONVK_SOLID_SPHERE_;
  s->n = n;
  s->vertices = 10 * n * n + 2;
  s->faces = 20 * n * n;
  return CONVK_OK;
}

/* The whole part of the root of k. */
CONVK_LOCAL_ size_t convk_sphere_root_(size_t k) {
  size_t r = (size_t)convk_sqrt_((double)k);
  while (r * r > k) r--;
  while ((r + 1) * (r + 1) <= k) r++;
  return r;
}

/* Point `at` of n from corner a to b. */
CONVK_LOCAL_ size_t convk_sphere_on_edge_(const convk_solid_ *s, size_t a, size_t b, size_t at) {
  return 12 + s->number[a][b] * (s->n - 1) + (a < b ? at : s->n - at) - 1;
}

/* The number of a point of a face. */
CONVK_RARE_ size_t convk_sphere_point_(const convk_solid_ *s, size_t face, size_t row, size_t k) {
  const size_t n = s->n, a = s->face[face][0], b = s->face[face][1], c = s->face[face][2];
  if (row == 0) return a;
  if (row == n && k == 0) return b;
  if (row == n && k == n) return c;
  if (k == 0) return convk_sphere_on_edge_(s, a, b, row);
  if (k == row) return convk_sphere_on_edge_(s, a, c, row);
  if (row == n) return convk_sphere_on_edge_(s, b, c, k);
  return 12 + 30 * (n - 1) + face * ((n - 1) * (n - 2) / 2) + (row - 2) * (row - 1) / 2 + k - 1;
}

/* Row r of a face has r triangles that point down and r + 1 that point up, in turn. */
CONVK_RARE_ void convk_sphere_face_(const convk_solid_ *s, size_t i, size_t f[3]) {
  const size_t face = i / (s->n * s->n), t = i % (s->n * s->n), row = convk_sphere_root_(t), k = (t - row * row) / 2;
  const int up = (t - row * row) % 2 == 0;
  f[0] = convk_sphere_point_(s, face, row, k);
  f[1] = convk_sphere_point_(s, face, row + 1, up ? k : k + 1);
  f[2] = up ? convk_sphere_point_(s, face, row + 1, k + 1) : convk_sphere_point_(s, face, row, k + 1);
}

/* sin(part/n of the icosahedron's arc), to rounding. */
CONVK_LOCAL_ double convk_sphere_share_(size_t part, size_t n) {
  const double x = CONVK_ICOSAHEDRON_ARC_ * (double)part / (double)n, z = x * x;
  double s = 1;
  int k;
  for (k = 19; k > 1; k -= 2) s = 1 - z / (k * (k - 1)) * s;
  return x * s;
}

/* Shares of the corners, so that points of an edge are equally far from each other, then onto the sphere. */
CONVK_RARE_ void convk_sphere_vertex_(const convk_solid_ *s, size_t i, double v[3]) {
  const double origin[3] = {0, 0, 0};
  const size_t n = s->n;
  size_t corner[3] = {0, 0, 0}, part[3] = {0, 0, 0}, k;
  double r;
  int d;
  if (i < 12) {
    corner[0] = i;
    part[0] = n;
  } else if (i < 12 + 30 * (n - 1)) {
    const unsigned char *edge = s->edge[(i - 12) / (n - 1)];
    corner[0] = edge[0];
    corner[1] = edge[1];
    part[1] = (i - 12) % (n - 1) + 1;
    part[0] = n - part[1];
  } else {
    const size_t within = (n - 1) * (n - 2) / 2, j = i - 12 - 30 * (n - 1), t = j % within;
    const size_t row = (convk_sphere_root_(8 * t + 1) - 1) / 2;
    for (d = 0; d < 3; d++) corner[d] = s->face[j / within][d];
    part[2] = t - row * (row + 1) / 2 + 1;
    part[1] = row + 2 - part[2];
    part[0] = n - row - 2;
  }
  for (d = 0; d < 3; d++)
    for (v[d] = 0, k = 0; k < 3; k++) v[d] += convk_sphere_share_(part[k], n) * s->corner[corner[k]][d];
  r = convk_sqrt_(convk_solid_square_(v, origin));
  for (d = 0; d < 3; d++) v[d] *= s->size[d] / r;
}

/* ---- all of them ---- */

CONVK_LOCAL_ void convk_solid_vertex_(const convk_solid_ *s, size_t i, double v[3]) {
  if (s->kind == CONVK_SOLID_SPHERE_) convk_sphere_vertex_(s, i, v);
  else if (s->kind == CONVK_SOLID_POLYHEDRON_) memcpy(v, s->corner[i], 3 * sizeof *v);
  else convk_prism_vertex_(s, i, v);
}

CONVK_LOCAL_ void convk_solid_face_(const convk_solid_ *s, size_t i, size_t f[3]) {
  int d;
  if (s->kind == CONVK_SOLID_SPHERE_) convk_sphere_face_(s, i, f);
  else if (s->kind != CONVK_SOLID_POLYHEDRON_) convk_prism_face_(s, i, f);
  else
    for (d = 0; d < 3; d++) f[d] = s->face[i][d];
}
/* ---- src/formfactor/sphere.h ---- */

/* ---- directions, of either precision ---- */

/* Of Gauss and Legendre's rule of n nodes in -1 .. 1, node k from the largest one down as 1 - node, and its weight; all weights sum
   to 2.  Newton's steps on P_n from Tricomi's estimate; P_n by its differences, which keep their digits near 1 where 1 - x has all. */
CONVK_RARE_ void convk_gauss_node_(size_t n, size_t k, double *below_one, double *weight) {
  double t = 1, slope = 1, cosine, sine; /* 1 - x, P_n' */
  size_t j;
  int step;
  if (2 * k + 1 != n) {
    convk_turn_(4 * k + 3, 16 * (uint64_t)n + 8, &cosine, &sine);
    t = 2 * sine * sine;
  }
  for (step = 0; step < 5; step++) { /* errors of 1 / n^2, then their squares */
    double p = 1, d = 0;
    for (j = 1; j <= n; j++) {
      d = ((double)(j - 1) * d - (double)(2 * j - 1) * t * p) / (double)j;
      p += d;
    }
    slope = (double)n * (t * p - d) / (t * (2 - t)); /* n (P_(n-1) - x P_n) / (1 - x^2) */
    if (2 * k + 1 != n) t += p / slope;
  }
  *below_one = t;
  *weight = 2 / (t * (2 - t) * slope * slope);
}

/* How many rings of a rule of a degree have a place: those at z >= 0 of a half. */
CONVK_LOCAL_ size_t convk_sphere_rings_(size_t degree, int half) {
  const size_t n = degree / 2 + 1;
  return half ? (n + 1) / 2 : n;
}

CONVK_API_ size_t convk_sphere_directions(size_t degree, int half) {
  return degree > CONVK_SPHERE_DEGREE_ ? (size_t)-1 : convk_sphere_rings_(degree, half) * (degree + 1);
}
CONVK_LIGHT_POP_
#endif
#if CONVK_HAS_F32_
#define CONVK_PASS_ CONVK_PASS_DRIVER_
#define CONVK_TYPE_ f32
#define CONVK_T float
#include CONVK_HEADER
#endif
#if CONVK_HAS_F64_
#define CONVK_PASS_ CONVK_PASS_DRIVER_
#define CONVK_TYPE_ f64
#define CONVK_T double
#include CONVK_HEADER
#endif
CONVK_EXACT_POP_

/* ---- src/tuner/text.h ---- */
#if CONVK_CORE_

/* Seconds of a clock that goes on, from any beginning; define it where the standard headers hide theirs. */
#ifndef CONVK_SECONDS
#if defined _WIN32 && defined __GNUC__
/* Under names of our own: <windows.h> has too many macros, and clock_gettime of mingw-w64 another library. */
#ifdef __i386__
#define CONVK_SYSTEM_(name) __asm__("_" name "@4") __attribute__((stdcall))
#else
#define CONVK_SYSTEM_(name) __asm__(name)
#endif
int convk_counter_(int64_t *ticks) CONVK_SYSTEM_("QueryPerformanceCounter");
int convk_counter_rate_(int64_t *per_second) CONVK_SYSTEM_("QueryPerformanceFrequency");
#undef CONVK_SYSTEM_
CONVK_LOCAL_ double convk_seconds_(void) {
  int64_t ticks = 0, per_second = 1;
  return convk_counter_(&ticks) && convk_counter_rate_(&per_second) ? (double)ticks / (double)per_second : 0;
}
#elif defined CLOCK_MONOTONIC
CONVK_LOCAL_ double convk_seconds_(void) {
  struct timespec t;
  return clock_gettime(CLOCK_MONOTONIC, &t) ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#elif defined TIME_UTC
CONVK_LOCAL_ double convk_seconds_(void) {
  struct timespec t;
  return timespec_get(&t, TIME_UTC) != TIME_UTC ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#elif defined __unix__ || defined __APPLE__
CONVK_LOCAL_ double convk_seconds_(void) {
  struct timeval t;
  return gettimeofday(&t, NULL) ? 0 : (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}
#else
CONVK_LOCAL_ double convk_seconds_(void) { return (double)clock() / CLOCKS_PER_SEC; }
#endif
#define CONVK_SECONDS() convk_seconds_()
#endif

/* ---- choices as text ---- */

typedef struct convk_tune_range_ {
  const char *name;
  long least, most;
} convk_tune_range_;

CONVK_LOCAL_ const convk_tune_range_ *convk_tune_ranges_(void) {
  static const convk_tune_range_ ranges[CONVK_TUNE_COUNT] = {
      {"rows", 0, 1L << 20}, {"depth", 0, 16},        {"nontemporal", -1, 1},
      {"prefetch", -1, 1L << 16}, {"threads_y", 0, 1L << 12}, {"planes", 0, 4}};
  return ranges;
}

/* A word in the making: what fits is written, all is counted. */
typedef struct convk_text_ {
  char *to;
  size_t size, length;
} convk_text_;

CONVK_LOCAL_ void convk_put_(convk_text_ *t, const char *s) {
  for (; *s; s++, t->length++)
    if (t->length < t->size) t->to[t->length] = *s;
}

CONVK_LOCAL_ void convk_put_number_(convk_text_ *t, const char *before, int negative, size_t n) {
  char digits[24];
  size_t i = sizeof digits - 1;
  digits[i] = 0;
  do digits[--i] = (char)('0' + n % 10);
  while ((n /= 10) != 0);
  convk_put_(t, before);
  if (negative) convk_put_(t, "-");
  convk_put_(t, digits + i);
}

CONVK_API_ int convk_tuned_write(const convk_tuned *entries, size_t count, char *text, size_t size, size_t *length) {
  const convk_tune_range_ *range = convk_tune_ranges_();
  convk_text_ t;
  size_t i, p;
  if ((!entries && count) || !length || (!text && size)) return CONVK_ERR_NULL;
  t.to = text;
  t.size = size;
  t.length = 0;
  for (i = 0; i < count; i++) {
    const convk_tuned *e = &entries[i];
    convk_put_(&t, "convk-tuned-1 ");
    convk_put_(&t, e->operation);
    convk_put_(&t, " ");
    convk_put_(&t, e->type);
    convk_put_(&t, " ");
    convk_put_(&t, e->hw);
    convk_put_(&t, " ");
    convk_put_(&t, e->machine);
    convk_put_number_(&t, " threads=", 0, (size_t)e->threads);
    convk_put_number_(&t, " size=", 0, e->nx);
    convk_put_number_(&t, "x", 0, e->ny);
    convk_put_number_(&t, "x", 0, e->nz);
    convk_put_number_(&t, " length=", 0, e->length);
    for (p = 0; p < CONVK_TUNE_COUNT; p++) {
      convk_put_(&t, " ");
      convk_put_(&t, range[p].name);
      convk_put_number_(&t, "=", e->choice[p] < 0, e->choice[p] < 0 ? (size_t)0 - (size_t)e->choice[p] : (size_t)e->choice[p]);
    }
    convk_put_number_(&t, " gain=", 0, (size_t)e->gain);
    convk_put_(&t, "\n");
  }
  *length = t.length;
  if (t.length >= size) return CONVK_ERR_SIZE;
  text[t.length] = 0;
  return CONVK_OK;
}

/* The next word of a line, at most `size` - 1 letters: its length, 0 for none, too long a word, or a byte 0 in it. */
CONVK_LOCAL_ size_t convk_word_(const char **at, const char *end, char *word, size_t size) {
  size_t n = 0;
  while (*at < end && **at == ' ') ++*at;
  while (*at < end && **at != ' ' && n < size) word[n++] = *(*at)++;
  if (n >= size || memchr(word, 0, n)) n = 0;
  word[n] = 0;
  return n;
}

/* A whole number of decimal digits at *at; 0: there is none, or it is beyond `most`. */
CONVK_LOCAL_ int convk_number_(const char **at, size_t most, size_t *n) {
  const char *begin = *at;
  for (*n = 0; **at >= '0' && **at <= '9'; ++*at) {
    const size_t digit = (size_t)(**at - '0');
    if (*n > (most - digit) / 10) return 0;
    *n = *n * 10 + digit;
  }
  return *at > begin;
}

/* name=number, all of the word. */
CONVK_LOCAL_ int convk_setting_(const char *word, const char *name, long least, long most, long *value) {
  const size_t length = strlen(name);
  size_t n;
  int negative;
  if (strncmp(word, name, length) || word[length] != '=') return 0;
  word += length + 1;
  negative = *word == '-';
  word += negative;
  if (!convk_number_(&word, (size_t)1 << 30, &n) || *word) return 0;
  *value = negative ? -(long)n : (long)n;
  return *value >= least && *value <= most;
}

/* One line into an entry; NULL when it is good, otherwise why it is not. */
CONVK_RARE_ const char *convk_tuned_parse_(const char *line, const char *end, convk_tuned *e) {
  const convk_tune_range_ *range = convk_tune_ranges_();
  char word[80];
  const char *at = word;
  size_t p;
  long n;
  memset(e, 0, sizeof *e);
  if (!convk_word_(&line, end, word, sizeof word) || strcmp(word, "convk-tuned-1")) return "not a line of this version";
  if (!convk_word_(&line, end, e->operation, sizeof e->operation)) return "no operation";
  if (!convk_tunables_()[convk_tunable_of_(e->operation, NULL)].operation) return "unknown operation";
  if (!convk_word_(&line, end, e->type, sizeof e->type)) return "no type";
  if (!convk_tunables_()[convk_tunable_of_(e->operation, e->type)].operation) return "unknown type";
  if (!convk_word_(&line, end, e->hw, sizeof e->hw)) return "no hardware";
  if (!convk_word_(&line, end, e->machine, sizeof e->machine)) return "no machine";
  if (!convk_word_(&line, end, word, sizeof word) || !convk_setting_(word, "threads", 1, 1L << 16, &n))
    return "threads not in 1..65536";
  e->threads = (int)n;
  if (!convk_word_(&line, end, word, sizeof word) || strncmp(word, "size=", 5)) return "no size";
  at = word + 5;
  if (!convk_number_(&at, (size_t)1 << 30, &e->nx) || *at++ != 'x' || !convk_number_(&at, (size_t)1 << 30, &e->ny) ||
      *at++ != 'x' || !convk_number_(&at, (size_t)1 << 30, &e->nz) || *at || !e->nx || !e->ny || !e->nz)
    return "size not NXxNYxNZ of 1..2^30";
  if (!convk_word_(&line, end, word, sizeof word) || !convk_setting_(word, "length", 1, 1L << 30, &n))
    return "length not in 1..2^30";
  e->length = (size_t)n;
  for (p = 0; p < CONVK_TUNE_COUNT; p++)
    if (!convk_word_(&line, end, word, sizeof word) ||
        !convk_setting_(word, range[p].name, range[p].least, range[p].most, &e->choice[p]))
      return "a parameter is missing or out of range";
  if (!convk_word_(&line, end, word, sizeof word) || !convk_setting_(word, "gain", 1, 1000000, &e->gain))
    return "no gain, or cut off";
  while (line < end && *line == ' ') line++;
  return line < end ? "more than a line should have" : NULL;
}

CONVK_API_ int convk_tuned_read(const convk *hw, const char *text, size_t length, convk_tuned *entries, size_t capacity,
                                 size_t *count, size_t *skipped, void (*explain)(void *ctx, size_t line, const char *reason),
                                 void *ctx) {
  size_t at = 0, number = 0, out = 0, i;
  if ((!text && length) || (!entries && capacity) || !count) return CONVK_ERR_NULL;
  if (hw && convk_check_handle_(hw)) return CONVK_ERR_HANDLE;
  *count = 0;
  while (at < length) {
    const char *line = text + at, *end, *reason;
    convk_tuned e;
    while (at < length && text[at] != '\n') at++;
    end = text + at++;
    number++;
    if (end > line && end[-1] == '\r') end--;
    if (end == line || *line == '#') continue;
    reason = convk_tuned_parse_(line, end, &e);
    if (!reason && at > length) reason = "no end of line: cut off";
    if (!reason && hw) {
      if (strcmp(e.machine, hw->machine)) reason = "of another machine";
      else if (strcmp(e.hw, hw->name)) reason = "of other hardware";
      else if (e.threads != (int)convk_threads_(hw)) reason = "of another number of threads";
    }
    for (i = 0; !reason && i < *count; i++) {
      const convk_tuned *o = &entries[i];
      if (!strcmp(o->operation, e.operation) && !strcmp(o->type, e.type) && !strcmp(o->hw, e.hw) && o->threads == e.threads &&
          !strcmp(o->machine, e.machine) && o->nx == e.nx && o->ny == e.ny && o->nz == e.nz && o->length == e.length)
        break;
    }
    if (!reason && i == capacity) reason = "no room for more entries";
    if (!reason) {
      entries[i] = e;
      if (i == *count) ++*count;
    } else {
      out++;
      if (explain) explain(ctx, number, reason);
    }
  }
  if (skipped) *skipped = out;
  return CONVK_OK;
}
#endif
/* ---- src/tuner/tune.h ---- */
#if CONVK_CORE_
CONVK_RARE_ double convk_trial_time_(convk_trial_ *t, const long *choice, size_t runs, int *status) {
  const double begin = CONVK_SECONDS();
  void *result;
  memcpy(t->entry.choice, choice, sizeof t->entry.choice);
  while (runs-- && !*status) *status = t->run(t, &result);
  return CONVK_SECONDS() - begin;
}

/* Whether a choice gives the bits of the first result, which is kept in array[2]. */
CONVK_RARE_ int convk_trial_same_(convk_trial_ *t, const long *choice, int first, int *status) {
  void *result = NULL;
  memcpy(t->entry.choice, choice, sizeof t->entry.choice);
  t->fill(t);
  *status = t->run(t, &result);
  if (*status) return 0;
  if (first) memcpy(t->array[2], result, t->bytes);
  return !memcmp(t->array[2], result, t->bytes);
}

/* The speed of one choice over another, in turns, at least twice: the median of the ratios. */
CONVK_RARE_ double convk_trial_ratio_(convk_trial_ *t, const long *with, const long *over, size_t runs, size_t turns, double end,
                                      int *status) {
  double ratio[9], x;
  size_t i, j;
  for (i = 0; i < turns && !*status && (i < 2 || CONVK_SECONDS() < end); i++) {
    const double base = convk_trial_time_(t, over, runs, status), time = convk_trial_time_(t, with, runs, status);
    ratio[i] = base > 0 && time > 0 ? base / time : 1; /* a clock that stood still says nothing */
    if (!i && ratio[0] < 0.8) return ratio[0]; /* not worth a second look */
    for (j = i; j > 0 && ratio[j - 1] > ratio[j]; j--) {
      x = ratio[j];
      ratio[j] = ratio[j - 1];
      ratio[j - 1] = x;
    }
  }
  return *status ? 0 : i % 2 ? ratio[i / 2] : (ratio[i / 2] + ratio[i / 2 - 1]) / 2;
}

CONVK_RARE_ int convk_search_(convk_trial_ *t, double budget) {
  static const long values[CONVK_TUNE_COUNT][10] = {{8, 16, 32, 48, 64, 96, 128, 192, 1L << 20, 0},
                                                    {1, 2, 3, 4, 6, 8, 12, 0, 0, 0},
                                                    {-1, 1, 0, 0, 0, 0, 0, 0, 0, 0},
                                                    {-1, 64, 128, 256, 512, 1024, 0, 0, 0, 0},
                                                    {1, 2, 4, 8, 16, 0, 0, 0, 0, 0},
                                                    {1, 2, 4, 0, 0, 0, 0, 0, 0, 0}};
  static const int order[CONVK_TUNE_COUNT] = {CONVK_TUNE_DEPTH,    CONVK_TUNE_ROWS,      CONVK_TUNE_NONTEMPORAL,
                                              CONVK_TUNE_PREFETCH, CONVK_TUNE_THREADS_Y, CONVK_TUNE_PLANES};
  const double begin = CONVK_SECONDS();
  long base[CONVK_TUNE_COUNT], best[CONVK_TUNE_COUNT], next[CONVK_TUNE_COUNT];
  const unsigned chooses = t->what->chooses;
  const int ways = (chooses & CONVK_TUNE_WAYS_) == CONVK_TUNE_WAYS_;
  int status = CONVK_OK, better = 1, p, v, round;
  const double slice = budget < 25 ? budget / 500 : 0.05; /* seconds of a trial */
  double speed, ratio;
  size_t runs;
  memset(base, 0, sizeof base);
  memset(best, 0, sizeof best);
  if (!convk_trial_same_(t, base, 1, &status)) return status ? status : CONVK_ERR_DEVICE;
  for (runs = 1; convk_trial_time_(t, base, runs, &status) < slice && runs < 4096; runs *= 2) continue;
  for (round = 0; round < 3 && better; round++) {
    better = 0;
    for (p = 0; p < CONVK_TUNE_COUNT; p++)
      for (v = 0; values[order[p]][v]; v++) {
        if (status || CONVK_SECONDS() - begin > 0.75 * budget) break;
        if (!(chooses >> order[p] & 1) || (ways && v > 1)) break;
        if (order[p] == CONVK_TUNE_THREADS_Y && values[order[p]][v] > t->entry.threads) break;
        if (order[p] == CONVK_TUNE_DEPTH && (size_t)values[order[p]][v] > t->entry.length) break;
        memcpy(next, best, sizeof best);
        next[order[p]] = ways ? v + 1
                         : values[order[p]][v] * (order[p] == CONVK_TUNE_ROWS && values[order[p]][v] < 1024 ? (long)t->unit : 1);
        if (t->same ? t->same(t, next, best) : !memcmp(next, best, sizeof next)) continue;
        speed = convk_trial_ratio_(t, next, best, runs, 3, begin + 0.75 * budget, &status); /* 0 where it failed */
        if (status == CONVK_ERR_MEMORY) status = CONVK_OK; /* queues too large for this machine: not that one */
        if (!(speed >= 1.01)) continue;
        if (!convk_trial_same_(t, next, 0, &status)) continue;
        memcpy(best, next, sizeof best);
        better = 1;
      }
  }
  ratio = 1;
  if (!status && memcmp(best, base, sizeof best)) ratio = convk_trial_ratio_(t, best, base, runs, 9, begin + budget, &status);
  if (!(ratio > 1.03 && ratio < 1000)) { /* noise, or not worth it */
    memcpy(best, base, sizeof best);
    ratio = 1;
  }
  memcpy(t->entry.choice, best, sizeof best);
  t->entry.gain = ratio < 1000 ? (long)(1000 * ratio + 0.5) : 1000000;
  return status;
}

#define CONVK_TUNABLE_(FAMILY, trial, operation, type, PRECISION, chooses, which) \
  CONVK_IF_(CONVK_FINDS_##FAMILY##_, CONVK_IF_(CONVK_HAS_##PRECISION##_, CONVK_TRIAL_##PRECISION##_(trial)))
#define CONVK_TRIAL_F32_(trial) CONVK_ACROSS_ int convk_trial_##trial##_f32_(convk_trial_ *t);
#define CONVK_TRIAL_F64_(trial) CONVK_ACROSS_ int convk_trial_##trial##_f64_(convk_trial_ *t);
CONVK_TUNABLES_(CONVK_TUNABLE_)
#undef CONVK_TUNABLE_
#undef CONVK_TRIAL_F32_
#undef CONVK_TRIAL_F64_

CONVK_API_ int convk_tune(const convk *hw, const char *operation, const convk_tune_shape *shape, double budget_ms,
                           convk_tuned *entry) {
  /* trials, in the order of the list */
#define CONVK_TUNABLE_(FAMILY, trial, operation, type, PRECISION, chooses, which) \
  CONVK_PICK_(CONVK_FINDS_##FAMILY##_, CONVK_PICK_(CONVK_HAS_##PRECISION##_, CONVK_TRIAL_##PRECISION##_(trial), NULL), NULL),
#define CONVK_TRIAL_F32_(trial) convk_trial_##trial##_f32_
#define CONVK_TRIAL_F64_(trial) convk_trial_##trial##_f64_
  static int (*const begins[])(convk_trial_ *) = {CONVK_TUNABLES_(CONVK_TUNABLE_) NULL};
#undef CONVK_TUNABLE_
  convk_trial_ t;
  size_t i, which;
  int status = convk_begin_call_(hw);
  if (!status && (!operation || !shape || !entry)) status = CONVK_ERR_NULL;
  if (!status && !convk_finite_f64_(budget_ms)) status = CONVK_ERR_NONFINITE;
  if (status) return status;
  for (which = 0; convk_tunables_()[which].operation; which++) {
    const convk_tunable_ *what = &convk_tunables_()[which];
    const size_t letters = strlen(what->operation);
    if (!strncmp(operation, what->operation, letters) && operation[letters] == '_' && !strcmp(operation + letters + 1, what->type)) break;
  }
  if (!begins[which]) return convk_tunables_()[which].operation ? CONVK_ERR_COMPILED : CONVK_ERR_OPTION;
  if (hw->device) return CONVK_ERR_UNSUPPORTED;
  memset(&t, 0, sizeof t);
  t.hw = *hw;
  t.hw.tuned = &t.entry;
  t.hw.ntuned = 1;
  t.shape = *shape;
  t.what = &convk_tunables_()[which];
  t.unit = 1;
  strcpy(t.entry.operation, t.what->operation);
  strcpy(t.entry.type, t.what->type);
  memcpy(t.entry.hw, hw->name, sizeof t.entry.hw - 1);
  memcpy(t.entry.machine, hw->machine, sizeof t.entry.machine);
  t.entry.threads = (int)convk_threads_(hw);
  status = begins[which](&t);
  for (i = 0; i < 3 && !status; i++) {
    t.array[i] = convk_huge_alloc(t.bytes, &t.memory[i]);
    if (!t.array[i]) status = CONVK_ERR_MEMORY;
  }
#if CONVK_FINDS_STENCIL_
  for (i = 0; i < 2 && !status && t.touch; i++)
    status = convk_first_touch(hw, &shape->grid, t.what->type[1] == '3' ? 4 : 8, t.array[i]);
#endif
  if (!status) status = convk_search_(&t, budget_ms < 0 ? 0 : budget_ms > 1e7 ? 1e4 : budget_ms / 1000);
  for (i = 0; i < 3; i++)
    if (t.memory[i]) CONVK_FREE(t.memory[i]);
  if (t.work) CONVK_FREE(t.work);
  if (t.plan) CONVK_FREE(t.plan);
  if (!status) *entry = t.entry;
  return status;
}
#endif
/* ---- src/words/scalar.h ---- */
/* ---- the scalar variant: vectors of one element ---- */

#define CONVK_HW_ scalar
#define CONVK_LOAD_(p) (*(const CONVK_PRIVATE_(any) *)(p))
#define CONVK_STORE_(p, v) (*(CONVK_PRIVATE_(any) *)(p) = (v))
#define CONVK_STREAM_(p, v) (*(CONVK_PRIVATE_(any) *)(p) = (v))
#define CONVK_FENCE_ ((void)0)
#define CONVK_LOADK_(p, k) ((void)(k), *(const CONVK_PRIVATE_(any) *)(p))
#define CONVK_STOREK_(p, v, k) ((void)(k), *(CONVK_PRIVATE_(any) *)(p) = (v))
#define CONVK_SET_(x) (x)
#define CONVK_ADD_(a, b) ((a) + (b))
#define CONVK_MUL_(a, b) ((a) * (b))
#define CONVK_DIV_(a, b) ((a) / (b))
#define CONVK_FMA_(a, b, c) ((a) * (b) + (c))
#define CONVK_FNMA_(a, b, c) ((c) - (a) * (b))
#define CONVK_FMS_(a, b, c) ((a) * (b) - (c))
#define CONVK_FUSES_ 0
#define CONVK_REGISTERS_ 16
#define CONVK_SUB_(a, b) ((a) - (b))
#define CONVK_MIN_(a, b) CONVK_KERNEL_(min)(a, b)
#define CONVK_MAX_(a, b) CONVK_KERNEL_(max)(a, b)
#define CONVK_LESS_(a, b, x, y) CONVK_KERNEL_(less)(a, b, x, y)
#define CONVK_ANY_LESS_(a, b) ((a) < (b))
#define CONVK_WHICH_LESS_(a, b) ((unsigned)((a) < (b)))
#define CONVK_AND_(a, b) CONVK_BITS_(CONVK_INT_(a) & CONVK_INT_(b))
#define CONVK_OR_(a, b) CONVK_BITS_(CONVK_INT_(a) | CONVK_INT_(b))
#define CONVK_XOR_(a, b) CONVK_BITS_(CONVK_INT_(a) ^ CONVK_INT_(b))
#define CONVK_IADD_(a, b) CONVK_BITS_(CONVK_INT_(a) + CONVK_INT_(b))
#define CONVK_ISUB_(a, b) CONVK_BITS_(CONVK_INT_(a) - CONVK_INT_(b))
#define CONVK_SHL_(a, k) CONVK_BITS_(CONVK_INT_(a) << (k))
#define CONVK_SHR_(a, k) CONVK_BITS_(CONVK_INT_(a) >> (k))
#define CONVK_BEFORE_(p, before, v) ((void)(before), CONVK_LOAD_((p) - 1))
#define CONVK_AFTER_(p, v, after) ((void)(after), CONVK_LOAD_((p) + 1))
#define CONVK_TRANSPOSE_(v) ((void)(v))
#define CONVK_UNZIP_(v) ((void)(v))
#define CONVK_ZIP_(v) ((void)(v))
#define CONVK_D double
#define CONVK_DLANES_ 1
#define CONVK_DPART_(v, h) ((void)(h), (double)(v))
#define CONVK_DFMA_(a, b, c) ((a) * (b) + (c))
#define CONVK_DZERO_ 0.0
#define CONVK_DSET_(x) ((double)(x))
#define CONVK_DLOAD_(p) (*(p))
#define CONVK_DSTORE_(p, d) (*(p) = (d))
#define CONVK_DADD_(a, b) ((a) + (b))
#define CONVK_JOIN_(d) ((CONVK_T)*(d))
#define CONVK_LEAVE_

CONVK_EXACT_PUSH_
#if CONVK_HAS_F32_
#define CONVK_PASS_ CONVK_PASS_KERNEL_
#define CONVK_TYPE_ f32
#define CONVK_T float
#define CONVK_V float
#define CONVK_LANES 1
#define CONVK_BITS_(u) CONVK_KERNEL_(real)(u)
#define CONVK_INT_(a) CONVK_KERNEL_(int)(a)
#define CONVK_TILE_OUT_ 4
#define CONVK_TILE_VEC_ 2
#define CONVK_TILE_16_ 0
#define CONVK_ROW_ROWS_ 0
#if CONVK_HAS_F64_
#define CONVK_MORE_
#endif
#include CONVK_HEADER
#endif
#if CONVK_HAS_F64_
#define CONVK_PASS_ CONVK_PASS_KERNEL_
#define CONVK_TYPE_ f64
#define CONVK_T double
#define CONVK_V double
#define CONVK_LANES 1
#define CONVK_BITS_(u) CONVK_KERNEL_(real)(u)
#define CONVK_INT_(a) CONVK_KERNEL_(int)(a)
#define CONVK_TILE_OUT_ 4
#define CONVK_TILE_VEC_ 2
#define CONVK_TILE_16_ 0
#define CONVK_ROW_ROWS_ 0
#include CONVK_HEADER
#endif
CONVK_EXACT_POP_

#if CONVK_CORE_
CONVK_OPENER_(scalar)

CONVK_API_ convk_modules_ convk_scalar_modules_(void) {
  static const convk_module_ list[] = {{"scalar", 0, convk_open_scalar_}};
  convk_modules_ table = {1, NULL};
  table.list = list;
  return table;
}
#endif
#ifdef __cplusplus
}
#endif
#endif /* declarations only */

#elif CONVK_PASS_ == CONVK_PASS_NAMES_
/* ---- src/core/names.h ---- */
#if CONVK_HAS_F32_
#define CONVK_TYPE_ f32
#define CONVK_T float
CONVK_COMPILED_OPERATIONS_(CONVK_OP_VARIANT_PROTOTYPE_)
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#if CONVK_HAS_F64_
#define CONVK_TYPE_ f64
#define CONVK_T double
CONVK_COMPILED_OPERATIONS_(CONVK_OP_VARIANT_PROTOTYPE_)
#endif
#undef CONVK_HW_

#elif CONVK_PASS_ == CONVK_PASS_TYPES_
/* ---- src/core/operation_types.h ---- */

/* Pointers of a handle, one per operation; NULL where an operation is not compiled in. */
CONVK_OPERATIONS_(CONVK_OP_TYPE_)
typedef struct CONVK_TYPED_(ops) {
  CONVK_OPERATIONS_(CONVK_OP_MEMBER_)
  CONVK_FAMILIES_(CONVK_FAMILY_MEMBER_)
} CONVK_TYPED_(ops);
#if CONVK_HAS_TYPE_
CONVK_COMPILED_OPERATIONS_(CONVK_OP_PROTOTYPE_)
#endif

#elif CONVK_PASS_ == CONVK_PASS_BOTH_
#if CONVK_HAS_SEPCONV_
/* ---- src/core/axis.h ---- */
/* Where point i of an axis of n points lies in the array, for processors and devices; -1: nowhere, which reads as zero. */
CONVK_ELEMENT_ int64_t CONVK_BOTH_(axis_source)(int64_t i, int64_t n, int periodic) {
  if (i >= 0 && i < n) return i;
  if (!periodic) return -1;
  i %= n;
  return i < 0 ? i + n : i;
}
#endif
#if CONVK_HAS_VMATH_ || CONVK_HAS_GAUSSIAN_ || CONVK_HAS_FORMFACTOR_ || CONVK_HAS_VMC_
/* ---- src/vmath/far.h ---- */
/* The upper half of the product. */
CONVK_ELEMENT_ uint64_t CONVK_BOTH_(upper_half)(uint64_t a, uint64_t b) {
  const uint64_t low = 0xffffffff, one = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
  const uint64_t two = (a & low) * (b >> 32) + (one & low);
  return (a >> 32) * (b >> 32) + (one >> 32) + (two >> 32);
}

/* The bits of a 2^e, a < 2^digits, as a number of so many digits. */
CONVK_ELEMENT_ uint64_t CONVK_BOTH_(bits_of)(uint64_t a, int e, int digits) {
  if (!a) return 0;
  for (; !(a >> (digits - 1)); e--) a <<= 1;
  return ((uint64_t)(e + digits - 2 + (digits > 24 ? 1023 : 127)) << (digits - 1)) + a;
}

/* q and the bits of part[0] and part[1] in x = q pi/2 + part[0] + part[1], |part[0] + part[1]| <= pi/4, for the bits of a finite
   x > 1 of `digits` digits, 24 (f32) or 53 (f64); in integers, so that no compiler's arithmetic matters.  x = m 2^e and
   2 / pi = sum of two_over_pi[j] 2^(-32 (j - 1)) for j >= 2: of m 2 / pi only the part modulo 4 counts, so that 192 digits of
   2 / pi do, from where they begin to matter. */
CONVK_ELEMENT_RARE_ uint32_t CONVK_BOTH_(reduce_far)(uint64_t x, int digits, uint64_t *part) {
  CONVK_CONSTANT_ uint32_t two_over_pi[40] = {
      0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
      0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
      0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
      0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};
  const uint64_t high_pi = UINT64_C(0xc90fdaa22168c234), low_pi = UINT64_C(0xc4c6628b80dc1cd1); /* pi/2 in units of 2^-127 */
  const uint64_t hidden = (uint64_t)1 << (digits - 1), m = ((x & (hidden - 1)) | hidden) << (53 - digits);
  /* digit of two_over_pi of weight 2^(1 - e) */
  const int first = (int)(x >> (digits - 1)) - (digits > 24 ? 1023 : 127) + 10;
  uint64_t w[3], a, b, c, carry;
  uint32_t q, flip;
  int e, i;
  for (i = 0; i < 3; i++) {
    const int word = first / 32 + 2 * i, shift = first % 32;
    w[i] = ((uint64_t)two_over_pi[word] << 32 | two_over_pi[word + 1]) << shift;
    if (shift) w[i] |= two_over_pi[word + 2] >> (32 - shift);
  }
  /* a b c = m times 192 digits, modulo 2^192 */
  c = m * w[2];
  carry = CONVK_BOTH_(upper_half)(m, w[2]);
  b = m * w[1] + carry;
  a = m * w[0] + CONVK_BOTH_(upper_half)(m, w[1]) + (b < carry);
  /* the two digits before the point, rounded, and what is left, as sign and magnitude */
  q = (uint32_t)(a >> 62);
  flip = (uint32_t)(a >> 61) & 1;
  if (flip) {
    q++;
    c = ~c + 1;
    b = ~b + !c;
    a = ~a + (!b && !c);
  }
  a &= UINT64_C(0x3fffffffffffffff);
  /* its first 128 digits that are not 0, times pi / 2: the upper half of the product */
  for (e = 3; e > -123 && !(a >> 63); e--) {
    a = a << 1 | b >> 63;
    b = b << 1 | c >> 63;
    c <<= 1;
  }
  w[0] = CONVK_BOTH_(upper_half)(b, low_pi);
  w[1] = b * high_pi;
  w[2] = a * low_pi;
  c = w[0] + w[1];
  carry = c < w[1];
  c += w[2];
  carry += c < w[2];
  w[0] = CONVK_BOTH_(upper_half)(b, high_pi);
  w[1] = CONVK_BOTH_(upper_half)(a, low_pi);
  w[2] = a * high_pi;
  a = CONVK_BOTH_(upper_half)(a, high_pi);
  for (i = 0; i < 3; i++) {
    carry += w[i];
    a += carry < w[i];
  }
  /* 2^e times a and c as a fraction, which is at least 1 / 4 */
  if (!(a >> 63)) {
    a = a << 1 | carry >> 63;
    carry <<= 1;
    e--;
  }
  b = a << digits | carry >> (64 - digits);
  part[0] = CONVK_BOTH_(bits_of)(a >> (64 - digits), e - digits, digits);
  part[1] = CONVK_BOTH_(bits_of)(b >> (64 - digits), e - 2 * digits, digits);
  for (i = 0; i < 2; i++) part[i] |= (uint64_t)flip << (digits > 24 ? 63 : 31);
  return q;
}
#endif

#elif CONVK_PASS_ == CONVK_PASS_DRIVER_
/* ---- src/tuner/fill.h ---- */
/* Numbers between 1/4 and 3/4 in both arrays. */
CONVK_LOCAL_ void CONVK_PRIVATE_(trial_fill)(convk_trial_ *t) {
  CONVK_T *a = (CONVK_T *)t->array[0], *b = (CONVK_T *)t->array[1];
  size_t i;
  for (i = 0; i < t->bytes / sizeof *a; i++)
    a[i] = b[i] = (CONVK_T)0.25 + (CONVK_T)((uint32_t)i * (uint32_t)2654435761u >> 16) * (CONVK_T)(0.5 / 65536);
}
#if CONVK_HAS_SEPCONV_
/* ---- src/sepconv/driver.h ---- */

/* ---- taps of the magic filter ---- */

CONVK_API_ CONVK_TYPED_(filter) CONVK_TYPED_(magicfilter_taps)(int direction) {
  static const CONVK_T forward[16] = {
      (CONVK_T)8.4334247333529341095e-7,  (CONVK_T)-1.2905572013420609695e-5, (CONVK_T)8.7629844762105595647e-5,
      (CONVK_T)-3.0158038132690463167e-4, (CONVK_T)1.7472371367299390345e-3,  (CONVK_T)-9.4204703020108038592e-3,
      (CONVK_T)2.3738214637249423976e-2,  (CONVK_T)6.1262589583120798220e-2,  (CONVK_T)9.9404156978340039932e-1,
      (CONVK_T)-6.0489528919698351600e-2, (CONVK_T)-2.1030251609303814350e-2, (CONVK_T)1.3372634148547947527e-2,
      (CONVK_T)-3.4412814449349385728e-3, (CONVK_T)4.9443227688689919192e-4,  (CONVK_T)-5.1859868811734329228e-5,
      (CONVK_T)2.7273449291197965966e-6};
  static const CONVK_T inverse[16] = {
      (CONVK_T)2.7273449291197965966e-6,  (CONVK_T)-5.1859868811734329228e-5, (CONVK_T)4.9443227688689919192e-4,
      (CONVK_T)-3.4412814449349385728e-3, (CONVK_T)1.3372634148547947527e-2,  (CONVK_T)-2.1030251609303814350e-2,
      (CONVK_T)-6.0489528919698351600e-2, (CONVK_T)9.9404156978340039932e-1,  (CONVK_T)6.1262589583120798220e-2,
      (CONVK_T)2.3738214637249423976e-2,  (CONVK_T)-9.4204703020108038592e-3, (CONVK_T)1.7472371367299390345e-3,
      (CONVK_T)-3.0158038132690463167e-4, (CONVK_T)8.7629844762105595647e-5,  (CONVK_T)-1.2905572013420609695e-5,
      (CONVK_T)8.4334247333529341095e-7};
  CONVK_TYPED_(filter) filter;
  filter.lo = direction == CONVK_INVERSE ? -7 : -8;
  filter.up = direction == CONVK_INVERSE ? 8 : 7;
  filter.taps = direction == CONVK_INVERSE ? inverse : direction == CONVK_FORWARD ? forward : NULL;
  return filter;
}

CONVK_RARE_ int CONVK_PRIVATE_(axes_check)(char *message, const convk_grid3 *grid, const CONVK_TYPED_(filter) *filter,
                                           const int *boundary, convk_axis_ axis[3]) {
  const size_t n[3] = {grid->nx, grid->ny, grid->nz};
  int d, status = CONVK_OK;
  for (d = 0; d < 3 && !status; d++) {
    status = convk_axis_check_(n[d], filter[d].lo, filter[d].up, boundary[d], &axis[d]);
    if (status == CONVK_ERR_BOUNDARY)
      convk_say_(message, CONVK_MESSAGE_BYTES_, "boundary[%] is %, which is none of filters", d, boundary[d], 0);
  }
  return status;
}

CONVK_API_ int CONVK_TYPED_(sepconv3d_output_grid)(const convk_grid3 *in_grid, const CONVK_TYPED_(filter) filter[3],
                                                   const int boundary[3], convk_grid3 *out_grid) {
  convk_axis_ axis[3];
  convk_grid3 grid;
  size_t span;
  int status;
  if (!out_grid || !filter || !boundary) return CONVK_ERR_NULL;
  status = convk_grid_check_(in_grid, sizeof(CONVK_T), &grid, &span);
  if (!status) status = CONVK_PRIVATE_(axes_check)(NULL, &grid, filter, boundary, axis);
  if (status) return status;
  grid.nx = axis[0].m;
  grid.ny = axis[1].m;
  grid.nz = axis[2].m;
  grid.pitch_y = grid.pitch_z = 0;
  status = convk_grid_check_(&grid, sizeof(CONVK_T), &grid, &span);
  if (!status) *out_grid = grid;
  return status;
}

/* One checked call of sepconv3d, and how it is cut. */
typedef struct CONVK_PRIVATE_(sepconv_job) {
  const CONVK_PRIVATE_(sepconv_kernels) *kernels;
  convk_axis_ axis[3];
  const CONVK_T *taps[3];
  convk_grid3 gi, go;
  const CONVK_TYPED_(epilogue) *epilogue; /* NULL: plain store */
  unsigned actions;
  const CONVK_T *in;
  CONVK_T *out;
  size_t in_span, out_span; /* elements from the first to the last */
  convk_sepconv_cut_ cut;
  char *scratch;
  double *dot, *energy; /* one sum per output row, or NULL */
} CONVK_PRIVATE_(sepconv_job);

/* A call but for its arrays and its epilogue. */
CONVK_RARE_ int CONVK_PRIVATE_(sepconv_shapes)(char *message, const convk_grid3 *in_grid, const convk_grid3 *out_grid,
                                               const CONVK_TYPED_(filter) *filter, const int *boundary,
                                               CONVK_PRIVATE_(sepconv_job) *job) {
  size_t d, k;
  int status;
  if (!in_grid || !out_grid || !filter || !boundary || !filter[0].taps || !filter[1].taps || !filter[2].taps)
    return convk_refuse_(message, CONVK_ERR_NULL, "a grid, filter, its taps or boundary is NULL");
  status = convk_grid_check_(in_grid, sizeof(CONVK_T), &job->gi, &job->in_span);
  if (!status) status = convk_grid_check_(out_grid, sizeof(CONVK_T), &job->go, &job->out_span);
  if (!status) status = CONVK_PRIVATE_(axes_check)(message, &job->gi, filter, boundary, job->axis);
  if (status) return status;
  if (job->go.nx != job->axis[0].m || job->go.ny != job->axis[1].m || job->go.nz != job->axis[2].m)
    return convk_refuse_at_(message, CONVK_ERR_SIZE, "out_grid must be of % x % x % points", (int64_t)job->axis[0].m,
                            (int64_t)job->axis[1].m, (int64_t)job->axis[2].m);
  for (d = 0; d < 3; d++) {
    job->taps[d] = filter[d].taps;
    for (k = 0; k < job->axis[d].ntaps; k++)
      if (!CONVK_PRIVATE_(finite)(CONVK_ONE_(filter[d].taps + k)))
        return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "filter[%].taps[%] is not finite", (int64_t)d, (int64_t)k, 0);
  }
  return CONVK_OK;
}

/* The epilogue, of which `actions` says what there is. */
CONVK_RARE_ int CONVK_PRIVATE_(sepconv_actions)(char *message, CONVK_PRIVATE_(sepconv_job) *job, unsigned actions, int update,
                                                CONVK_T factor, CONVK_T a, CONVK_T b) {
  const unsigned kept = CONVK_SEPCONV_DENSITY_ | CONVK_SEPCONV_SUMS_;
  if (!(actions & CONVK_SEPCONV_STORE_) && (update || !(actions & kept)))
    return convk_refuse_(message, CONVK_ERR_NULL, "out is NULL, and the epilogue keeps nothing, or updates it");
  if (actions & CONVK_SEPCONV_ENERGY_ && !(actions & CONVK_SEPCONV_POTENTIAL_))
    return convk_refuse_(message, CONVK_ERR_OPTION, "epilogue->energy is wanted without epilogue->potential");
  if (update != 0 && update != 1)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "epilogue->update is %, neither 0 nor 1", update, 0, 0);
  if (actions & CONVK_SEPCONV_DENSITY_ && !CONVK_PRIVATE_(finite)(factor))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "epilogue->density_factor is not finite");
  if (update && !(CONVK_PRIVATE_(finite)(a) && CONVK_PRIVATE_(finite)(b)))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "epilogue->a or epilogue->b is not finite");
  if (actions & CONVK_SEPCONV_DOT_ && (job->gi.nx != job->go.nx || job->gi.ny != job->go.ny || job->gi.nz != job->go.nz))
    return convk_refuse_(message, CONVK_ERR_SIZE, "epilogue->dot is wanted, but in_grid and out_grid differ");
  job->actions = actions;
  if (update) job->actions |= CONVK_SEPCONV_UPDATE_;
  return CONVK_OK;
}

/* Whether memory of `bytes` at p lies on any of a call's arrays. */
CONVK_RARE_ int CONVK_PRIVATE_(sepconv_touches)(const CONVK_PRIVATE_(sepconv_job) *job, const void *p, size_t bytes) {
  const CONVK_TYPED_(epilogue) *e = job->epilogue;
  const size_t out_bytes = job->out_span * sizeof(CONVK_T);
  return convk_overlap_(p, bytes, job->in, job->in_span * sizeof(CONVK_T)) || convk_overlap_(p, bytes, job->out, out_bytes) ||
         (e && (convk_overlap_(p, bytes, e->potential, out_bytes) || convk_overlap_(p, bytes, e->density, out_bytes)));
}

/* Everything that can be wrong with the arguments, found before anything is written. */
CONVK_RARE_ int CONVK_PRIVATE_(sepconv_check)(char *message, const convk_grid3 *in_grid, const convk_grid3 *out_grid,
                                              const CONVK_TYPED_(filter) *filter, const int *boundary,
                                              const CONVK_TYPED_(epilogue) *e, const CONVK_T *in, CONVK_T *out,
                                              CONVK_PRIVATE_(sepconv_job) *job) {
  const CONVK_TYPED_(epilogue) none = {NULL, NULL, 0, NULL, NULL, 0, 0, 0};
  unsigned actions = out ? CONVK_SEPCONV_STORE_ : 0;
  size_t bytes;
  int status = in ? CONVK_PRIVATE_(sepconv_shapes)(message, in_grid, out_grid, filter, boundary, job)
                  : convk_refuse_(message, CONVK_ERR_NULL, "in is NULL");
  if (status) return status;
  if (!e) e = &none;
  if (e->potential) actions |= CONVK_SEPCONV_POTENTIAL_;
  if (e->density) actions |= CONVK_SEPCONV_DENSITY_;
  if (e->dot) actions |= CONVK_SEPCONV_DOT_;
  if (e->energy) actions |= CONVK_SEPCONV_ENERGY_;
  status = CONVK_PRIVATE_(sepconv_actions)(message, job, actions, e->update, e->density_factor, e->a, e->b);
  if (status) return status;
  job->epilogue = e;
  job->in = in;
  job->out = out;
  bytes = job->out_span * sizeof(CONVK_T);
  if (convk_overlap_(e->potential, bytes, out, bytes) || convk_overlap_(e->density, bytes, out, bytes) ||
      convk_overlap_(e->density, bytes, in, job->in_span * sizeof(CONVK_T)) ||
      convk_overlap_(e->density, bytes, e->potential, bytes) ||
      convk_overlap_(in, job->in_span * sizeof(CONVK_T), out, bytes) ||
      convk_overlap_(e->dot, sizeof(double), e->energy, sizeof(double)) ||
      CONVK_PRIVATE_(sepconv_touches)(job, e->dot, sizeof(double)) ||
      CONVK_PRIVATE_(sepconv_touches)(job, e->energy, sizeof(double)))
    return CONVK_ERR_OVERLAP;
  if (job->actions == CONVK_SEPCONV_STORE_) job->epilogue = NULL;
  return CONVK_OK;
}

/* `columns` for up to a block of outputs: a block with a few missing is made whole, which is faster than piecemeal.
   rows has room for CONVK_BLOCK_ + taps pointers, out for CONVK_BLOCK_. */
CONVK_RARE_ void CONVK_PRIVATE_(sepconv_columns)(const CONVK_PRIVATE_(sepconv_kernels) *kernels, const CONVK_T **rows,
                                                 size_t ntaps, const CONVK_T *taps, size_t n, size_t nout, CONVK_T **out,
                                                 const CONVK_T *zeros, CONVK_T *trash, int stream, convk_fetch_ *fetch) {
  if (nout > CONVK_BLOCK_ / 2)
    for (; nout < CONVK_BLOCK_; nout++) {
      rows[nout + ntaps - 1] = zeros;
      out[nout] = trash;
    }
  kernels->columns(rows, ntaps, taps, n, nout, out, stream, fetch);
}

/* Where point i of an axis that goes on beyond its ends lies in the array, or CONVK_NONE_ for a zero. */
CONVK_RARE_ size_t CONVK_PRIVATE_(sepconv_source)(const convk_axis_ *axis, ptrdiff_t i) {
  return (size_t)convk_axis_source_(i, (ptrdiff_t)axis->n, axis->boundary == CONVK_PERIODIC);
}

/* Fills points begin .. end - 1, outside 0 .. n - 1, of the padded rows that begin at `row`. */
CONVK_RARE_ void CONVK_PRIVATE_(sepconv_extend)(const CONVK_PRIVATE_(sepconv_kernels) *kernels, const convk_axis_ *axis,
                                                CONVK_T *row, size_t pitch, size_t nrows, ptrdiff_t begin, ptrdiff_t end) {
  while (begin < end) {
    const size_t from = CONVK_PRIVATE_(sepconv_source)(axis, begin), left = (size_t)(end - begin);
    const size_t run = from == CONVK_NONE_ ? left : axis->n - from < left ? axis->n - from : left;
    kernels->copy(from == CONVK_NONE_ ? NULL : row + from, row + begin, pitch, run, nrows);
    begin += (ptrdiff_t)run;
  }
}

/* One tile's part of one plane: y from the source into rows padded for x, then x into `plane`, by rows of go.nx; meanwhile
   the next planes are fetched.  rows: where the tile's rows of y lie in plane 0, or NULL for zeros. */
CONVK_LOCAL_ void CONVK_PRIVATE_(sepconv_plane)(const CONVK_PRIVATE_(sepconv_job) *job, CONVK_T *scratch, size_t z, size_t ny,
                                                CONVK_T *plane, convk_fetch_ *fetch) {
  const convk_axis_ *ax = &job->axis[0], *ay = &job->axis[1];
  const convk_sepconv_cut_ *cut = &job->cut;
  const size_t *offsets = (const size_t *)(const void *)((const char *)scratch + cut->offsets_bytes);
  const CONVK_T **rows = (const CONVK_T **)(void *)((char *)scratch + cut->rows_bytes);
  const CONVK_T *source = job->in + z * job->gi.pitch_z, *zeros = scratch + cut->zeros;
  const size_t nrows = ny + ay->ntaps - 1;
  CONVK_T *padded = scratch + cut->padded + cut->padded_left;
  CONVK_T *out[CONVK_BLOCK_];
  size_t y, k;
  for (k = 0; k < nrows; k++) rows[k] = offsets[k] == CONVK_NONE_ ? zeros : source + offsets[k];
  for (y = 0; y < ny; y += CONVK_BLOCK_) {
    const size_t nout = ny - y < CONVK_BLOCK_ ? ny - y : CONVK_BLOCK_;
    for (k = 0; k < nout; k++) out[k] = padded + (y + k) * cut->padded_pitch;
    if (fetch) fetch->budget = cut->fetch_lines * nout / ny;
    CONVK_PRIVATE_(sepconv_columns)(job->kernels, rows + y, ay->ntaps, job->taps[1], ax->n, nout, out, zeros,
                                    scratch + cut->trash, 0, fetch);
  }
  CONVK_PRIVATE_(sepconv_extend)(job->kernels, ax, padded, cut->padded_pitch, ny, ax->shift, 0);
  CONVK_PRIVATE_(sepconv_extend)(job->kernels, ax, padded, cut->padded_pitch, ny, (ptrdiff_t)ax->n,
                                 ax->shift + (ptrdiff_t)(ax->m + ax->ntaps - 1));
  job->kernels->rows(padded + ax->shift, cut->padded_pitch, ax->ntaps, job->taps[0], ax->m, ny, plane, ax->m);
}

/* z from the planes in scratch to the output, with the epilogue, for outputs z .. z + nout - 1 of one tile. */
CONVK_LOCAL_ void CONVK_PRIVATE_(sepconv_store)(const CONVK_PRIVATE_(sepconv_job) *job, CONVK_T *scratch,
                                                const CONVK_T *const *planes, size_t z, size_t nout, size_t y0, size_t ny,
                                                convk_fetch_ *fetch) {
  const convk_axis_ *az = &job->axis[2];
  const convk_sepconv_cut_ *cut = &job->cut;
  const CONVK_T *zeros = scratch + cut->zeros;
  const size_t mx = job->go.nx;
  const int whole = !job->epilogue && job->go.pitch_y == mx;             /* the tile's rows are contiguous in the output too */
  const size_t most = whole ? ny : job->epilogue ? cut->result_rows : 1; /* rows at once */
  const CONVK_T *rows[CONVK_BLOCK_ + CONVK_MAX_TAPS];
  CONVK_T *out[CONVK_BLOCK_];
  size_t y, k;
  if (fetch) fetch->budget = cut->fetch_lines * nout / convk_ceil_(ny, most);
  for (y = 0; y < ny; y += most) {
    const size_t some = ny - y < most ? ny - y : most;
    for (k = 0; k < nout + az->ntaps - 1; k++) rows[k] = planes[k] ? planes[k] + y * mx : zeros;
    for (k = 0; k < nout; k++)
      out[k] = job->epilogue ? scratch + cut->result + k * cut->result_pitch
                             : job->out + (z + k) * job->go.pitch_z + (y0 + y) * job->go.pitch_y;
    CONVK_PRIVATE_(sepconv_columns)(job->kernels, rows, az->ntaps, job->taps[2], some * mx, nout, out, zeros,
                                    scratch + cut->trash, whole && cut->stream, fetch);
    for (k = 0; job->epilogue && k < nout; k++) {
      const size_t row = (z + k) * job->go.ny + y0 + y, offset = (z + k) * job->go.pitch_z + (y0 + y) * job->go.pitch_y;
      job->kernels->finish(job->epilogue, offset, job->go.pitch_y, mx, some, out[k],
                           job->in + (job->dot ? (z + k) * job->gi.pitch_z + (y0 + y) * job->gi.pitch_y : 0), job->gi.pitch_y,
                           job->out ? job->out + offset : NULL, job->dot ? job->dot + row : NULL,
                           job->energy ? job->energy + row : NULL, y + some < ny ? some * job->go.pitch_y * sizeof(CONVK_T) : 0,
                           cut->stream);
    }
  }
}

/* What a tile fetches: nothing yet. */
CONVK_LOCAL_ void CONVK_PRIVATE_(sepconv_fetch)(const CONVK_PRIVATE_(sepconv_job) *job, const size_t *offsets, size_t rows,
                                                convk_fetch_ *fetch) {
  memset(fetch, 0, sizeof *fetch);
  fetch->base = (uintptr_t)job->in;
  fetch->pitch = job->gi.pitch_z * sizeof(CONVK_T);
  fetch->nz = job->gi.nz;
  fetch->wraps = job->axis[2].boundary == CONVK_PERIODIC;
  fetch->offsets = offsets;
  fetch->element = sizeof(CONVK_T);
  fetch->rows = rows;
  fetch->bytes = job->gi.nx * sizeof(CONVK_T);
}

/* Outputs z0 .. z1 - 1 of one tile.  Planes that went through y and x wait in scratch until z has used them: in a ring, or
   where the axis comes round to its first planes again, at its head. */
CONVK_LOCAL_ void CONVK_PRIVATE_(sepconv_tile)(const CONVK_PRIVATE_(sepconv_job) *job, CONVK_T *scratch, size_t y0, size_t ny,
                                               size_t z0, size_t z1) {
  const convk_axis_ *ay = &job->axis[1], *az = &job->axis[2];
  const size_t more = az->ntaps - 1;
  const convk_ring_ ring = convk_ring_of_(az, z1 - z0);
  const CONVK_T *planes[CONVK_BLOCK_ + CONVK_MAX_TAPS];
  size_t *offsets = (size_t *)(void *)((char *)scratch + job->cut.offsets_bytes);
  convk_fetch_ fetch;
  size_t z, k, ready = 0;
  CONVK_PRIVATE_(sepconv_fetch)(job, offsets, ny + ay->ntaps - 1, &fetch);
  for (k = 0; k < ny + ay->ntaps - 1; k++) { /* where the rows of y lie in every plane */
    const size_t from = CONVK_PRIVATE_(sepconv_source)(ay, (ptrdiff_t)(y0 + k) + ay->shift);
    offsets[k] = from == CONVK_NONE_ ? from : from * job->gi.pitch_y;
  }
  for (z = z0; z < z1; z += CONVK_BLOCK_) {
    const size_t nout = z1 - z < CONVK_BLOCK_ ? z1 - z : CONVK_BLOCK_;
    for (; ready < z - z0 + nout + more; ready++) {
      const size_t from = CONVK_PRIVATE_(sepconv_source)(az, (ptrdiff_t)(z0 + ready) + az->shift);
      if (from == CONVK_NONE_ || ready >= ring.distinct) continue;
      if (fetch.next <= ready) { /* from the next plane on */
        fetch.next = ready + 1;
        fetch.z = from + 1 < fetch.nz ? from + 1 : 0;
        fetch.row = fetch.at = 0;
      }
      fetch.limit = ready + CONVK_AHEAD_ < ring.distinct ? ready + CONVK_AHEAD_ : ring.distinct;
      CONVK_PRIVATE_(sepconv_plane)(job, scratch, from, ny,
                                    scratch + job->cut.planes + convk_ring_slot_(&ring, ready) * job->cut.plane_pitch,
                                    job->cut.fetch_lines ? &fetch : NULL);
    }
    for (k = 0; k < nout + more; k++)
      planes[k] =
          CONVK_PRIVATE_(sepconv_source)(az, (ptrdiff_t)(z + k) + az->shift) == CONVK_NONE_
              ? NULL
              : scratch + job->cut.planes + convk_ring_slot_(&ring, (z - z0 + k) % ring.distinct) * job->cut.plane_pitch;
    CONVK_PRIVATE_(sepconv_store)(job, scratch, planes, z, nout, y0, ny, job->cut.fetch_lines ? &fetch : NULL);
  }
}

CONVK_LOCAL_ void CONVK_PRIVATE_(sepconv_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(sepconv_job) *job = (const CONVK_PRIVATE_(sepconv_job) *)arg;
  const convk_sepconv_cut_ *cut = &job->cut;
  const size_t z0 = index / cut->tasks_y * cut->chunk_z;
  const size_t z1 = z0 + cut->chunk_z < job->go.nz ? z0 + cut->chunk_z : job->go.nz;
  CONVK_T *scratch = (CONVK_T *)(void *)(job->scratch + index * cut->bytes);
  size_t y;
  memset(scratch, 0, cut->planes * sizeof(CONVK_T)); /* the zeros, and padding that is read and dropped */
  for (y = index % cut->tasks_y * cut->rows; y < job->go.ny; y += cut->tasks_y * cut->rows)
    CONVK_PRIVATE_(sepconv_tile)(job, scratch, y, job->go.ny - y < cut->rows ? job->go.ny - y : cut->rows, z0, z1);
  if (cut->stream) job->kernels->fence();
}

/* sepconv3d with the kernels of any CPU variant; the arguments are those of the public function. */
CONVK_RARE_ int CONVK_PRIVATE_(sepconv3d_cpu)(const CONVK_PRIVATE_(sepconv_kernels) *kernels, const convk *hw,
                                              const convk_grid3 *in_grid, const convk_grid3 *out_grid,
                                              const CONVK_TYPED_(filter) *filter, const int *boundary,
                                              const CONVK_TYPED_(epilogue) *epilogue, const CONVK_T *in, CONVK_T *out,
                                              void *work, size_t work_size) {
  CONVK_PRIVATE_(sepconv_job) job;
  CONVK_T taps[3][CONVK_MAX_TAPS]; /* of kernels, which take them where they are aligned */
  convk_work_ memory;
  size_t need, sums, y, z, d;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status)
    status = CONVK_PRIVATE_(sepconv_check)(convk_message_(hw), in_grid, out_grid, filter, boundary, epilogue, in, out, &job);
  if (!status) status = convk_sepconv_cut_of_(hw, job.axis, sizeof(CONVK_T), &job.cut, &need);
  if (!status && CONVK_PRIVATE_(sepconv_touches)(&job, work, work_size)) status = CONVK_ERR_OVERLAP;
  if (!status) status = convk_work_begin_(&memory, work, work_size, need);
  if (status) return status;
  job.kernels = kernels;
  for (d = 0; d < 3; d++) {
    memcpy(taps[d], job.taps[d], job.axis[d].ntaps * sizeof(CONVK_T));
    job.taps[d] = taps[d];
  }
  sums = job.cut.sums;
  job.dot = job.epilogue && job.epilogue->dot ? (double *)(void *)memory.base : NULL;
  job.energy = job.epilogue && job.epilogue->energy ? (double *)(void *)memory.base + sums : NULL;
  job.scratch = memory.base + job.cut.sums_bytes;
  status = convk_run_(hw, job.cut.tasks, CONVK_PRIVATE_(sepconv_task), &job);
  if (!status && (job.dot || job.energy)) { /* planes of rows, then planes */
    double dot = 0, energy = 0;
    for (z = 0; z < job.go.nz; z++) {
      double plane_dot = 0, plane_energy = 0;
      for (y = 0; y < job.go.ny; y++) {
        if (job.dot) plane_dot += job.dot[z * job.go.ny + y];
        if (job.energy) plane_energy += job.energy[z * job.go.ny + y];
      }
      dot += plane_dot;
      energy += plane_energy;
    }
    if (job.dot) *job.epilogue->dot = dot;
    if (job.energy) *job.epilogue->energy = energy;
  }
  convk_work_end_(&memory);
  return status;
}

/* ---- the magic filter as three filters, and the potential ---- */

CONVK_LOCAL_ int CONVK_PRIVATE_(magicfilter_axes)(char *message, int direction, CONVK_TYPED_(filter) filter[3]) {
  if (direction != CONVK_FORWARD && direction != CONVK_INVERSE)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "direction is %, neither CONVK_FORWARD nor CONVK_INVERSE", direction, 0,
                            0);
  filter[0] = filter[1] = filter[2] = CONVK_TYPED_(magicfilter_taps)(direction);
  return CONVK_OK;
}

/* potential_apply but for its arrays. */
CONVK_RARE_ int CONVK_PRIVATE_(potential_apply_shapes)(char *message, const convk_grid3 *grid,
                                                       const convk_grid3 *potential_grid, const int *boundary,
                                                       convk_potential_grids_ *grids) {
  CONVK_TYPED_(filter) filter[3];
  convk_grid3 want;
  size_t d;
  int status;
  if (!grid || !potential_grid || !boundary)
    return convk_refuse_(message, CONVK_ERR_NULL, "grid, potential_grid or boundary is NULL");
  for (d = 0; d < 3; d++) {
    if (boundary[d] != CONVK_PERIODIC && boundary[d] != CONVK_GROW && boundary[d] != CONVK_ZERO)
      return convk_refuse_at_(message, CONVK_ERR_BOUNDARY, "boundary[%] is %, not CONVK_PERIODIC, _GROW or _ZERO", (int64_t)d,
                              boundary[d], 0);
    grids->back[d] = boundary[d] == CONVK_GROW ? CONVK_SHRINK : boundary[d];
  }
  (void)CONVK_PRIVATE_(magicfilter_axes)(NULL, CONVK_FORWARD, filter);
  status = CONVK_TYPED_(sepconv3d_output_grid)(grid, filter, boundary, &want);
  if (!status) status = convk_grid_check_(grid, sizeof(CONVK_T), &grids->orbital, &grids->orbital_span);
  if (!status) status = convk_grid_check_(potential_grid, sizeof(CONVK_T), &grids->values, &grids->values_span);
  if (status) return status;
  grids->bytes = convk_round_up_(grids->values_span * sizeof(CONVK_T), 64);
  if (grids->values.nx != want.nx || grids->values.ny != want.ny || grids->values.nz != want.nz)
    return convk_refuse_at_(message, CONVK_ERR_SIZE, "potential_grid must be of % x % x % points", (int64_t)want.nx,
                            (int64_t)want.ny, (int64_t)want.nz);
  return CONVK_OK;
}

/* All of it: psi and out (which may be one array), the potential, the energy and the work keep clear of each other. */
CONVK_RARE_ int CONVK_PRIVATE_(potential_apply_check)(char *message, const convk_grid3 *grid, const convk_grid3 *potential_grid,
                                                      const int *boundary, const CONVK_T *potential, const CONVK_T *psi,
                                                      const CONVK_T *out, const double *energy, const void *work,
                                                      size_t work_size, convk_potential_grids_ *grids) {
  const void *array[5];
  size_t bytes[5], i, k;
  int status;
  if (!potential || !psi || !out) return convk_refuse_(message, CONVK_ERR_NULL, "potential, psi or out is NULL");
  status = CONVK_PRIVATE_(potential_apply_shapes)(message, grid, potential_grid, boundary, grids);
  if (status) return status;
  array[0] = psi;
  array[1] = out;
  array[2] = potential;
  array[3] = energy;
  array[4] = work;
  bytes[0] = bytes[1] = grids->orbital_span * sizeof(CONVK_T);
  bytes[2] = grids->values_span * sizeof(CONVK_T);
  bytes[3] = sizeof(double);
  bytes[4] = work_size;
  for (i = 1; i < 5; i++)
    for (k = 0; k < i; k++)
      if (!(i == 1 && psi == out) && !(i == 2 && k == 0) && convk_overlap_(array[k], bytes[k], array[i], bytes[i]))
        return CONVK_ERR_OVERLAP;
  return CONVK_OK;
}

/* Work of both filters, after the intermediate array. */
CONVK_RARE_ int CONVK_PRIVATE_(potential_need)(const convk *hw, const convk_potential_grids_ *grids, const int *boundary,
                                               size_t *need) {
  CONVK_TYPED_(filter) filter[3];
  size_t i;
  int status = CONVK_OK;
  *need = 0;
  for (i = 0; i < 2 && !status; i++) {
    convk_axis_ axis[3];
    convk_sepconv_cut_ cut;
    size_t one = 0;
    (void)CONVK_PRIVATE_(magicfilter_axes)(NULL, i ? CONVK_INVERSE : CONVK_FORWARD, filter);
    (void)CONVK_PRIVATE_(axes_check)(NULL, i ? &grids->values : &grids->orbital, filter, i ? grids->back : boundary, axis);
    status = convk_sepconv_cut_of_(hw, axis, sizeof(CONVK_T), &cut, &one);
    if (one > *need) *need = one;
  }
  *need += grids->bytes + 64;
  return !status && *need < grids->bytes ? CONVK_ERR_OVERFLOW : status;
}

CONVK_RARE_ int CONVK_PRIVATE_(potential_apply_cpu)(const CONVK_PRIVATE_(sepconv_kernels) *kernels, const convk *hw,
                                                    const convk_grid3 *grid, const convk_grid3 *potential_grid,
                                                    const int *boundary, const CONVK_T *potential, const CONVK_T *psi,
                                                    CONVK_T *out, double *energy, void *work, size_t work_size) {
  CONVK_TYPED_(filter) filter[3];
  CONVK_TYPED_(epilogue) epilogue;
  convk_potential_grids_ grids;
  convk_work_ memory;
  CONVK_T *between;
  size_t need, rest;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status)
    status = CONVK_PRIVATE_(potential_apply_check)(convk_message_(hw), grid, potential_grid, boundary, potential, psi, out,
                                                   energy, work, work_size, &grids);
  if (!status) status = CONVK_PRIVATE_(potential_need)(hw, &grids, boundary, &need);
  if (!status) status = convk_work_begin_(&memory, work, work_size, need);
  if (status) return status;
  memset(&epilogue, 0, sizeof epilogue);
  epilogue.potential = potential;
  epilogue.energy = energy;
  between = (CONVK_T *)(void *)memory.base;
  rest = need - 64 - grids.bytes;
  (void)CONVK_PRIVATE_(magicfilter_axes)(NULL, CONVK_FORWARD, filter);
  status = CONVK_PRIVATE_(sepconv3d_cpu)(kernels, hw, grid, &grids.values, filter, boundary, &epilogue, psi, between,
                                         memory.base + grids.bytes, rest);
  (void)CONVK_PRIVATE_(magicfilter_axes)(NULL, CONVK_INVERSE, filter);
  if (!status)
    status = CONVK_PRIVATE_(sepconv3d_cpu)(kernels, hw, &grids.values, grid, filter, grids.back, NULL, between, out,
                                           memory.base + grids.bytes, rest);
  convk_work_end_(&memory);
  return status;
}

/* ---- one axis at a time, transposed ---- */

/* One checked call of conv1d_transpose, cut into strips of input rows. */
typedef struct CONVK_PRIVATE_(transpose_job) {
  const CONVK_PRIVATE_(sepconv_kernels) *kernels;
  convk_axis_ axis;
  size_t ndat, ld_in, ld_out, in_span, out_span, tasks, strip;
  int fetches; /* the caches do not hold input and output */
  const CONVK_T *taps, *in;
  CONVK_T *out;
  char *scratch;
} CONVK_PRIVATE_(transpose_job);

/* A strip is transposed piece by piece into scratch, from where `columns` writes rows of the output;
   meanwhile the next strip is fetched. */
CONVK_LOCAL_ void CONVK_PRIVATE_(transpose_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(transpose_job) *job = (const CONVK_PRIVATE_(transpose_job) *)arg;
  const convk_axis_ *axis = &job->axis;
  CONVK_T *zeros = (CONVK_T *)(void *)(job->scratch + index * CONVK_STRIP_BYTES_(sizeof(CONVK_T)));
  CONVK_T *trash = zeros + CONVK_STRIP_, *piece = trash + CONVK_STRIP_;
  const size_t first = 0, lines = convk_ceil_(axis->n * sizeof(CONVK_T), 64);
  convk_fetch_ fetch;
  const CONVK_T *rows[CONVK_STRIP_LENGTH_ + CONVK_BLOCK_ + CONVK_MAX_TAPS];
  CONVK_T *out[CONVK_BLOCK_];
  size_t j, i, r, k;
  memset(zeros, 0, CONVK_STRIP_ * sizeof(CONVK_T));
  memset(&fetch, 0, sizeof fetch);
  fetch.base = (uintptr_t)job->in; /* each row is a plane */
  fetch.pitch = job->ld_in * sizeof(CONVK_T);
  fetch.nz = job->ndat;
  fetch.offsets = &first;
  fetch.rows = 1;
  fetch.element = sizeof(CONVK_T);
  fetch.bytes = axis->n * sizeof(CONVK_T);
  for (j = index * job->strip; j < job->ndat; j += job->tasks * job->strip) {
    const size_t width = job->ndat - j < job->strip ? job->ndat - j : job->strip, next = j + job->tasks * job->strip;
    fetch.z = next;
    fetch.at = fetch.next = 0;
    fetch.limit = !job->fetches || next >= job->ndat ? 0 : job->ndat - next < job->strip ? job->ndat - next : job->strip;
    for (i = 0; i < axis->m; i += CONVK_STRIP_LENGTH_) {
      const size_t length = axis->m - i < CONVK_STRIP_LENGTH_ ? axis->m - i : CONVK_STRIP_LENGTH_;
      const size_t count = length + axis->ntaps - 1;
      size_t run;
      r = 0;
      if (axis->boundary == CONVK_PERIODIC && count >= axis->n) { /* the whole axis, once */
        size_t from = CONVK_PRIVATE_(sepconv_source)(axis, (ptrdiff_t)i + axis->shift);
        job->kernels->transpose(job->in + j * job->ld_in, job->ld_in, axis->n, width, piece, CONVK_STRIP_);
        for (; r < count; r++) {
          rows[r] = piece + from * CONVK_STRIP_;
          from = from + 1 < axis->n ? from + 1 : 0;
        }
      }
      for (; r < count; r += run) {
        const size_t from = CONVK_PRIVATE_(sepconv_source)(axis, (ptrdiff_t)(i + r) + axis->shift);
        run = 1;
        rows[r] = zeros;
        if (from == CONVK_NONE_) continue;
        run = axis->n - from < count - r ? axis->n - from : count - r;
        job->kernels->transpose(job->in + j * job->ld_in + from, job->ld_in, run, width, piece + r * CONVK_STRIP_,
                                CONVK_STRIP_);
        for (k = r; k < r + run; k++) rows[k] = piece + k * CONVK_STRIP_;
      }
      for (r = 0; r < length; r += CONVK_BLOCK_) {
        const size_t nout = length - r < CONVK_BLOCK_ ? length - r : CONVK_BLOCK_;
        for (k = 0; k < nout; k++) out[k] = job->out + (i + r + k) * job->ld_out + j;
        fetch.budget = fetch.limit * lines * nout / axis->m * 5 / 4;
        CONVK_PRIVATE_(sepconv_columns)(job->kernels, rows + r, axis->ntaps, job->taps, width, nout, out, zeros, trash, 0,
                                        fetch.limit ? &fetch : NULL);
      }
    }
  }
}

/* conv1d_transpose but for its arrays. */
CONVK_RARE_ int CONVK_PRIVATE_(conv1d_shapes)(size_t n, size_t ndat, size_t ld_in, size_t ld_out,
                                              const CONVK_TYPED_(filter) *filter, int boundary,
                                              CONVK_PRIVATE_(transpose_job) *job) {
  size_t k, bytes;
  int status;
  if (!filter || !filter->taps) return CONVK_ERR_NULL;
  if (!n || !ndat) return CONVK_ERR_SIZE;
  if (n > (size_t)-1 / 8) return CONVK_ERR_OVERFLOW;
  status = convk_axis_check_(n, filter->lo, filter->up, boundary, &job->axis);
  if (status) return status;
  for (k = 0; k < job->axis.ntaps; k++)
    if (!CONVK_PRIVATE_(finite)(CONVK_ONE_(filter->taps + k))) return CONVK_ERR_NONFINITE;
  job->taps = filter->taps;
  job->ndat = ndat;
  job->ld_in = ld_in ? ld_in : n;
  job->ld_out = ld_out ? ld_out : ndat;
  if (job->ld_in < n || job->ld_out < ndat) return CONVK_ERR_PITCH;
  if (convk_mul_(ndat, job->ld_in, &job->in_span) || convk_mul_(job->axis.m, job->ld_out, &job->out_span) ||
      convk_mul_(job->in_span, sizeof(CONVK_T), &bytes) || bytes > (size_t)-1 / 4 ||
      convk_mul_(job->out_span, sizeof(CONVK_T), &bytes) || bytes > (size_t)-1 / 4)
    return CONVK_ERR_OVERFLOW;
  job->in_span += n - job->ld_in;
  job->out_span += ndat - job->ld_out;
  return CONVK_OK;
}

CONVK_RARE_ int CONVK_PRIVATE_(conv1d_check)(char *message, size_t n, size_t ndat, size_t ld_in, size_t ld_out,
                                             const CONVK_TYPED_(filter) *filter, int boundary, const CONVK_T *in, CONVK_T *out,
                                             const void *work, size_t work_size, CONVK_PRIVATE_(transpose_job) *job) {
  const size_t s = sizeof(CONVK_T);
  const int status = in && out ? CONVK_PRIVATE_(conv1d_shapes)(n, ndat, ld_in, ld_out, filter, boundary, job)
                               : convk_refuse_(message, CONVK_ERR_NULL, "in or out is NULL");
  if (status == CONVK_ERR_BOUNDARY)
    return convk_refuse_at_(message, status, "boundary is %, which is none of filters", boundary, 0, 0);
  if (status == CONVK_ERR_NONFINITE) return convk_refuse_(message, status, "a number of filter->taps is not finite");
  if (status) return status;
  if (convk_overlap_(in, job->in_span * s, out, job->out_span * s) || convk_overlap_(work, work_size, in, job->in_span * s) ||
      convk_overlap_(work, work_size, out, job->out_span * s))
    return CONVK_ERR_OVERLAP;
  job->in = in;
  job->out = out;
  return CONVK_OK;
}

CONVK_RARE_ int CONVK_PRIVATE_(conv1d_transpose_cpu)(const CONVK_PRIVATE_(sepconv_kernels) *kernels, const convk *hw, size_t n,
                                                     size_t ndat, size_t ld_in, size_t ld_out,
                                                     const CONVK_TYPED_(filter) *filter, int boundary, const CONVK_T *in,
                                                     CONVK_T *out, void *work, size_t work_size) {
  CONVK_PRIVATE_(transpose_job) job;
  CONVK_T taps[CONVK_MAX_TAPS]; /* as above */
  convk_work_ memory;
  size_t threads;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status)
    status = CONVK_PRIVATE_(conv1d_check)(convk_message_(hw), n, ndat, ld_in, ld_out, filter, boundary, in, out, work,
                                          work_size, &job);
  if (status) return status;
  threads = convk_sepconv_threads_(hw, (double)ndat * (double)(job.axis.m * job.axis.ntaps), sizeof(CONVK_T));
  job.strip = convk_strip_rows_(threads, ndat);
  job.tasks = convk_strip_tasks_(threads, ndat);
  job.fetches = (job.in_span + job.out_span) * sizeof(CONVK_T) > convk_cache_l2_(hw ? &hw->tuning : NULL);
  status = convk_work_begin_(&memory, work, work_size, job.tasks * CONVK_STRIP_BYTES_(sizeof(CONVK_T)) + 64);
  if (status) return status;
  job.kernels = kernels;
  memcpy(taps, job.taps, job.axis.ntaps * sizeof *taps);
  job.taps = taps;
  job.scratch = memory.base;
  status = convk_run_(hw, job.tasks, CONVK_PRIVATE_(transpose_task), &job);
  convk_work_end_(&memory);
  return status;
}

CONVK_RARE_ int CONVK_PRIVATE_(magicfilter3d_cpu)(const CONVK_PRIVATE_(sepconv_kernels) *kernels, const convk *hw,
                                                  const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction,
                                                  const int *boundary, const CONVK_TYPED_(epilogue) *epilogue,
                                                  const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  CONVK_TYPED_(filter) filter[3];
  const int status = CONVK_PRIVATE_(magicfilter_axes)(convk_message_(hw), direction, filter);
  return status ? status
                : CONVK_PRIVATE_(sepconv3d_cpu)(kernels, hw, in_grid, out_grid, filter, boundary, epilogue, in, out, work,
                                                work_size);
}

/* ---- public operations ---- */

CONVK_API_ size_t CONVK_TYPED_(sepconv3d_work_size)(const convk *hw, const convk_grid3 *in_grid,
                                                    const CONVK_TYPED_(filter) filter[3], const int boundary[3]) {
  convk_axis_ axis[3];
  convk_sepconv_cut_ cut;
  convk_grid3 in_full, out_full;
  size_t need = 0, span;
  if (CONVK_TYPED_(sepconv3d_output_grid)(in_grid, filter, boundary, &out_full)) return 0;
  if (convk_grid_check_(in_grid, sizeof(CONVK_T), &in_full, &span)) return 0;
  (void)CONVK_PRIVATE_(axes_check)(NULL, &in_full, filter, boundary, axis);
  return convk_sepconv_cut_of_(hw, axis, sizeof(CONVK_T), &cut, &need) ? 0 : need;
}

CONVK_API_ size_t CONVK_TYPED_(magicfilter3d_work_size)(const convk *hw, const convk_grid3 *in_grid, const int boundary[3]) {
  CONVK_TYPED_(filter) filter[3];
  (void)CONVK_PRIVATE_(magicfilter_axes)(NULL, CONVK_FORWARD, filter);
  return CONVK_TYPED_(sepconv3d_work_size)(hw, in_grid, filter, boundary);
}

CONVK_API_ size_t CONVK_TYPED_(potential_apply_work_size)(const convk *hw, const convk_grid3 *grid,
                                                          const convk_grid3 *potential_grid, const int boundary[3]) {
  convk_potential_grids_ grids;
  size_t need;
  if (CONVK_PRIVATE_(potential_apply_shapes)(NULL, grid, potential_grid, boundary, &grids)) return 0;
  return CONVK_PRIVATE_(potential_need)(hw, &grids, boundary, &need) ? 0 : need;
}

CONVK_API_ size_t CONVK_TYPED_(conv1d_transpose_work_size)(const convk *hw, size_t ndat) {
  return ndat ? convk_strip_tasks_(convk_threads_(hw), ndat) * CONVK_STRIP_BYTES_(sizeof(CONVK_T)) + 64 : 0;
}
/* ---- src/sepconv/tuner.h ---- */
CONVK_RARE_ int CONVK_PRIVATE_(trial_sepconv_call)(convk_trial_ *t, convk_grid3 *out_grid, int run) {
  CONVK_T taps[CONVK_MAX_TAPS];
  CONVK_TYPED_(filter) filter[3];
  int k, status;
  const int ntaps = (int)t->entry.length;
  if (ntaps < 1 || ntaps > CONVK_MAX_TAPS) return CONVK_ERR_TAPS;
  for (k = 0; k < ntaps; k++) taps[k] = (CONVK_T)1 / (CONVK_T)(k + 2);
  for (k = 0; k < 3; k++) {
    filter[k].lo = -(ntaps / 2);
    filter[k].up = filter[k].lo + ntaps - 1;
    filter[k].taps = taps;
  }
  status = CONVK_TYPED_(sepconv3d_output_grid)(&t->shape.grid, filter, t->shape.boundary, out_grid);
  if (!status && run)
    status = convk_trial_work_(t, CONVK_TYPED_(sepconv3d_work_size)(&t->hw, &t->shape.grid, filter, t->shape.boundary));
  if (!status && run)
    status = CONVK_TYPED_(sepconv3d)(&t->hw, &t->shape.grid, out_grid, filter, t->shape.boundary, NULL, (CONVK_T *)t->array[0],
                                     (CONVK_T *)t->array[1], t->work, t->work_size);
  return status;
}

CONVK_RARE_ int CONVK_PRIVATE_(trial_sepconv_run)(convk_trial_ *t, void **result) {
  convk_grid3 out;
  *result = t->array[1];
  return CONVK_PRIVATE_(trial_sepconv_call)(t, &out, 1);
}

CONVK_ACROSS_ int CONVK_PRIVATE_(trial_sepconv)(convk_trial_ *t) {
  convk_grid3 full, out;
  size_t span, more;
  int status = convk_grid_check_(&t->shape.grid, sizeof(CONVK_T), &full, &span);
  t->entry.length = t->shape.taps ? (size_t)t->shape.taps : 16;
  if (!status) status = CONVK_PRIVATE_(trial_sepconv_call)(t, &out, 0);
  if (!status) status = convk_grid_check_(&out, sizeof(CONVK_T), &out, &more);
  if (status) return status;
  t->entry.nx = full.nx;
  t->entry.ny = full.ny;
  t->entry.nz = full.nz;
  t->bytes = (span > more ? span : more) * sizeof(CONVK_T);
  t->fill = CONVK_PRIVATE_(trial_fill);
  t->run = CONVK_PRIVATE_(trial_sepconv_run);
  t->touch = 1;
  return CONVK_OK;
}
#endif
#if CONVK_HAS_STENCIL_
/* ---- src/stencil/driver.h ---- */

/* One checked pass: `depth` steps from a to b on a box. */
typedef struct CONVK_PRIVATE_(stencil_job) {
  const CONVK_PRIVATE_(stencil_kernels) *kernels;
  convk_stencil_cut_ cut;
  CONVK_TYPED_(stencil7_coefficients) c;
  convk_grid3 grid;
  int boundary[3], isotropic;
  size_t whole[3], first[3], count[3], depth, span; /* whole: points that change, count: those of the box */
  ptrdiff_t left, right;                            /* of a row's first point: where the neighbours of its ends lie */
  const CONVK_T *a;
  CONVK_T *b;
  char *scratch;
} CONVK_PRIVATE_(stencil_job);

/* One tile of a pass: rows y0 .. y1 - 1 of planes z0 .. z1 - 1 of b.  Level 0 is a, level `depth` is b.  The planes of the
   levels between wait in queues, row y0 - depth first; what they need around the tile is computed in each tile that needs it. */
typedef struct CONVK_PRIVATE_(stencil_tile) {
  const CONVK_PRIVATE_(stencil_job) *job;
  CONVK_T *stage, *queues;
  ptrdiff_t y0, y1, z0, z1;
} CONVK_PRIVATE_(stencil_tile);

/* What a level computes on an axis, where the tile ends with begin .. end - 1. */
CONVK_LOCAL_ void CONVK_PRIVATE_(stencil_range)(const CONVK_PRIVATE_(stencil_job) *job, int axis, size_t level,
                                                ptrdiff_t *begin, ptrdiff_t *end) {
  const ptrdiff_t more = (ptrdiff_t)(job->depth - level), first = (ptrdiff_t)job->first[axis];
  *begin -= more;
  *end += more;
  if (job->boundary[axis] == CONVK_PERIODIC) return;
  if (*begin < first) *begin = first;
  if (*end > first + (ptrdiff_t)job->count[axis]) *end = first + (ptrdiff_t)job->count[axis];
}

/* Row y of plane z of a. */
CONVK_LOCAL_ const CONVK_T *CONVK_PRIVATE_(stencil_given)(const CONVK_PRIVATE_(stencil_job) *job, ptrdiff_t y, ptrdiff_t z) {
  return job->a + convk_wrap_(z, job->grid.nz) * job->grid.pitch_z + convk_wrap_(y, job->grid.ny) * job->grid.pitch_y +
         job->first[0];
}

/* Row y of plane z of a level's queue. */
CONVK_LOCAL_ CONVK_T *CONVK_PRIVATE_(stencil_queued)(const CONVK_PRIVATE_(stencil_tile) *t, size_t level, ptrdiff_t y,
                                                     ptrdiff_t z) {
  const CONVK_PRIVATE_(stencil_job) *job = t->job;
  return t->queues + (level - 1) * job->cut.level + convk_wrap_(z, job->cut.planes + 2) * job->cut.plane +
         (size_t)(y - t->y0 + (ptrdiff_t)job->depth) * job->cut.pitch;
}

/* What is given around rows ya .. yb - 1 of plane z, which a level has computed. */
CONVK_LOCAL_ void CONVK_PRIVATE_(stencil_surround)(const CONVK_PRIVATE_(stencil_tile) *t, size_t level, ptrdiff_t ya,
                                                   ptrdiff_t yb, ptrdiff_t z) {
  const CONVK_PRIVATE_(stencil_job) *job = t->job;
  const ptrdiff_t n = (ptrdiff_t)job->count[0], last = (ptrdiff_t)job->grid.ny - 1;
  const CONVK_T *plane = CONVK_PRIVATE_(stencil_given)(job, 0, z);
  CONVK_T *row = CONVK_PRIVATE_(stencil_queued)(t, level, ya, z);
  size_t at = convk_wrap_(ya, job->grid.ny);
  ptrdiff_t y;
  for (y = ya; y < yb; y++, row += job->cut.pitch) {
    const CONVK_T *from = job->boundary[0] == CONVK_PERIODIC ? row : plane + at * job->grid.pitch_y;
    row[-1] = CONVK_ONE_(from + job->left);
    row[n] = CONVK_ONE_(from + job->right);
    if (++at == job->grid.ny) at = 0;
  }
  if (job->boundary[1] == CONVK_PERIODIC) return;
  if (ya == 1)
    memcpy(CONVK_PRIVATE_(stencil_queued)(t, level, 0, z), CONVK_PRIVATE_(stencil_given)(job, 0, z),
           (size_t)n * sizeof *job->a);
  if (yb == last)
    memcpy(CONVK_PRIVATE_(stencil_queued)(t, level, last, z), CONVK_PRIVATE_(stencil_given)(job, last, z),
           (size_t)n * sizeof *job->a);
}

/* Computes planes z .. z + n - 1 of a level. */
CONVK_LOCAL_ void CONVK_PRIVATE_(stencil_step)(const CONVK_PRIVATE_(stencil_tile) *t, size_t level, ptrdiff_t z, size_t n,
                                               ptrdiff_t fetch, size_t nfetch) {
  const CONVK_PRIVATE_(stencil_job) *job = t->job;
  const ptrdiff_t ny = (ptrdiff_t)job->grid.ny, last = (ptrdiff_t)job->grid.nz - 1;
  const int ring = job->boundary[1] == CONVK_PERIODIC;
  CONVK_PRIVATE_(stencil_part) part;
  ptrdiff_t ya = t->y0, yb = t->y1, y;
  size_t p;
  CONVK_PRIVATE_(stencil_range)(job, 1, level, &ya, &yb);
  part.c = job->c;
  part.isotropic = job->isotropic;
  part.left = level == 1 ? job->left : -1; /* queues have what lies beyond their rows */
  part.right = level == 1 ? job->right : (ptrdiff_t)job->count[0];
  part.stream = level == job->depth && job->cut.stream;
  part.ahead = level == 1 ? job->cut.ahead : 0;
  part.n = job->count[0];
  part.strip = level > 1 || !part.ahead ? job->cut.strip : part.n; /* memory gives whole rows faster */
  part.nplanes = n;
  part.nfetch = nfetch;
  part.fetch_plane = job->grid.pitch_z;
  part.fetch_pitch = job->grid.pitch_y;
  part.stage = t->stage;
  part.stage_pitch = job->cut.pitch;
  part.out_pitch = level == job->depth ? job->grid.pitch_y : job->cut.pitch;
  for (y = ya; y < yb; y += (ptrdiff_t)part.nrows) {
    const ptrdiff_t at = ring ? (ptrdiff_t)convk_wrap_(y, job->grid.ny) : y;
    part.nrows = (size_t)(yb - y);
    if (ring && (at == 0 || at == ny - 1)) part.nrows = 1;
    else if (ring && ny - 1 - at < yb - y) part.nrows = (size_t)(ny - 1 - at);
    part.over = 1;
    for (p = 0; p < n + 2; p++) {
      const ptrdiff_t zp = z + (ptrdiff_t)p - 1;
      const int input = level == 1 || (job->boundary[2] != CONVK_PERIODIC && (zp == 0 || zp == last));
      part.in[p] = input ? CONVK_PRIVATE_(stencil_given)(job, y, zp) : CONVK_PRIVATE_(stencil_queued)(t, level - 1, y, zp);
      part.in_pitch[p] = input ? job->grid.pitch_y : job->cut.pitch;
      if (input && p > 0 && p <= n)
        part.over &= (size_t)(part.in[p] - job->a) + (part.nrows - 1) * job->grid.pitch_y + part.n + 1 + 64 / sizeof *job->a <=
                     job->span;
    }
    part.row_minus = -(ptrdiff_t)part.in_pitch[1];
    part.row_plus = (ptrdiff_t)part.in_pitch[1];
    if (level == 1 && ring && at == 0) part.row_minus *= 1 - ny;
    if (level == 1 && ring && at == ny - 1) part.row_plus *= 1 - ny;
    for (p = 0; p < n; p++) {
      const ptrdiff_t zp = z + (ptrdiff_t)p;
      part.out[p] = level < job->depth ? CONVK_PRIVATE_(stencil_queued)(t, level, y, zp)
                                       : job->b + (CONVK_PRIVATE_(stencil_given)(job, y, zp) - job->a);
    }
    part.fetch = part.nfetch ? CONVK_PRIVATE_(stencil_given)(job, y, fetch) : NULL;
    job->kernels->rows(&part);
  }
  for (p = 0; p < n && level < job->depth; p++) CONVK_PRIVATE_(stencil_surround)(t, level, ya, yb, z + (ptrdiff_t)p);
}

/* A few planes at a time; each level follows the one before it by one plane.  Single sweeps in the cache to the array at the
   lower address go downwards: a program that sweeps to and fro finds near what it wrote last. */
CONVK_LOCAL_ void CONVK_PRIVATE_(stencil_sweep)(const CONVK_PRIVATE_(stencil_tile) *t) {
  const CONVK_PRIVATE_(stencil_job) *job = t->job;
  const ptrdiff_t planes = (ptrdiff_t)job->cut.planes, depth = (ptrdiff_t)job->depth;
  const int down = depth == 1 && !job->cut.stream && (uintptr_t)job->a > (uintptr_t)job->b;
  ptrdiff_t begin[CONVK_STENCIL_DEPTH_ + 1], end[CONVK_STENCIL_DEPTH_ + 1], i, l, turns;
  for (l = 1; l <= depth; l++) {
    begin[l] = t->z0;
    end[l] = t->z1;
    CONVK_PRIVATE_(stencil_range)(job, 2, (size_t)l, &begin[l], &end[l]);
  }
  turns = (t->z1 + depth - begin[1] - 1 + planes - 1) / planes;
  for (i = 0; i < turns; i++)
    for (l = 1; l <= depth; l++) {
      ptrdiff_t from = begin[1] + 1 - l + planes * (down ? turns - 1 - i : i), to = from + planes;
      ptrdiff_t fetch = begin[1] + planes * (i + 1) + 1, nfetch = 0;
      if (job->cut.ahead && l > 1) { /* planes that the first step will read in the next turn, some by each of the others */
        nfetch = planes * (l - 1) / (depth - 1) - planes * (l - 2) / (depth - 1);
        fetch += planes * (l - 2) / (depth - 1);
        if (fetch + nfetch > (ptrdiff_t)job->grid.nz) nfetch = 0;
      }
      if (from < begin[l]) from = begin[l];
      if (to > end[l]) to = end[l];
      if (from < to) CONVK_PRIVATE_(stencil_step)(t, (size_t)l, from, (size_t)(to - from), fetch, (size_t)nfetch);
    }
}

CONVK_LOCAL_ void CONVK_PRIVATE_(stencil_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(stencil_job) *job = (const CONVK_PRIVATE_(stencil_job) *)arg;
  const convk_stencil_cut_ *cut = &job->cut;
  const size_t iz = index / cut->tasks_y, iy = index % cut->tasks_y;
  const size_t begin = convk_part_(job->count[1], iy, cut->tasks_y), end = convk_part_(job->count[1], iy + 1, cut->tasks_y);
  const size_t tiles = (end - begin + cut->rows - 1) / cut->rows;
  CONVK_PRIVATE_(stencil_tile) t;
  size_t i;
  t.job = job;
  t.stage = t.queues = NULL;
  if (job->scratch) {
    t.stage = (CONVK_T *)(void *)(job->scratch + index * cut->bytes);
    t.queues = t.stage + cut->stage + 64 / sizeof(CONVK_T);
  }
  t.z0 = (ptrdiff_t)(job->first[2] + convk_part_(job->count[2], iz, cut->tasks_z));
  t.z1 = (ptrdiff_t)(job->first[2] + convk_part_(job->count[2], iz + 1, cut->tasks_z));
  for (i = 0; i < tiles; i++) {
    t.y0 = (ptrdiff_t)(job->first[1] + begin + convk_part_(end - begin, i, tiles));
    t.y1 = (ptrdiff_t)(job->first[1] + begin + convk_part_(end - begin, i + 1, tiles));
    CONVK_PRIVATE_(stencil_sweep)(&t);
  }
  if (cut->stream) job->kernels->fence();
}

/* The grid and the points that change. */
CONVK_RARE_ int CONVK_PRIVATE_(stencil_shape)(char *message, const convk_grid3 *grid, const int *boundary,
                                              CONVK_PRIVATE_(stencil_job) *job) {
  size_t d, n[3];
  int status = CONVK_OK;
  if (!grid || !boundary) return convk_refuse_(message, CONVK_ERR_NULL, grid ? "boundary is NULL" : "grid is NULL");
  status = convk_grid_check_(grid, sizeof(CONVK_T), &job->grid, &job->span);
  if (status) return status;
  n[0] = grid->nx;
  n[1] = grid->ny;
  n[2] = grid->nz;
  for (d = 0; d < 3; d++) {
    if (boundary[d] != CONVK_PERIODIC && boundary[d] != CONVK_FIXED)
      return convk_refuse_at_(message, CONVK_ERR_BOUNDARY, "boundary[%] is %, neither CONVK_PERIODIC nor CONVK_FIXED",
                              (int64_t)d, boundary[d], 0);
    job->boundary[d] = boundary[d];
    job->first[d] = boundary[d] == CONVK_FIXED && n[d] > 2;
    job->whole[d] = job->count[d] = boundary[d] != CONVK_FIXED ? n[d] : n[d] > 2 ? n[d] - 2 : 0;
  }
  return CONVK_OK;
}

/* Steps times points must be countable. */
CONVK_LOCAL_ int CONVK_PRIVATE_(stencil_steps)(const CONVK_PRIVATE_(stencil_job) *job, size_t steps) {
  return convk_mul_(job->grid.nx * job->grid.ny * job->grid.nz, steps, &steps);
}

/* A call but for its arrays and steps. */
CONVK_RARE_ int CONVK_PRIVATE_(stencil_check)(char *message, const convk_grid3 *grid,
                                              const CONVK_TYPED_(stencil7_coefficients) *c, const int *boundary,
                                              CONVK_PRIVATE_(stencil_job) *job) {
  CONVK_T w[7];
  size_t i;
  const int status = c ? CONVK_PRIVATE_(stencil_shape)(message, grid, boundary, job)
                       : convk_refuse_(message, CONVK_ERR_NULL, "coefficients is NULL");
  if (status) return status;
  memcpy(w, c, sizeof w);
  job->c = *c;
  job->isotropic = 1;
  for (i = 0; i < 7; i++) {
    if (!CONVK_PRIVATE_(finite)(w[i]))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "number % of coefficients is not finite", (int64_t)i, 0, 0);
    if (i > 1 && memcmp(&w[i], &w[1], sizeof *w)) job->isotropic = 0;
  }
  return CONVK_OK;
}

CONVK_RARE_ int CONVK_PRIVATE_(stencil_apart)(const CONVK_PRIVATE_(stencil_job) *job, const CONVK_T *a, const CONVK_T *b,
                                              const void *work, size_t work_size) {
  const size_t bytes = job->span * sizeof(CONVK_T);
  return convk_overlap_(a, bytes, b, bytes) || convk_overlap_(work, work_size, a, bytes) ||
                 convk_overlap_(work, work_size, b, bytes)
             ? CONVK_ERR_OVERLAP
             : CONVK_OK;
}

/* Narrows a checked job to a box of the points that change. */
CONVK_RARE_ int CONVK_PRIVATE_(stencil_box)(char *message, const size_t *first, const size_t *count,
                                            CONVK_PRIVATE_(stencil_job) *job) {
  size_t d;
  job->span = 0; /* nothing but the box and its neighbours is read: others may be writing beyond */
  for (d = 0; d < 3; d++) {
    const size_t end = job->first[d] + job->count[d];
    if (count[d] && (first[d] < job->first[d] || first[d] > end || count[d] > end - first[d]))
      return convk_refuse_at_(message, CONVK_ERR_SIZE, "first[%] and count[%] go beyond the points that change", (int64_t)d,
                              (int64_t)d, 0);
    job->first[d] = first[d];
    job->count[d] = count[d];
  }
  return CONVK_OK;
}

/* Whether the points that do not change are the same bits in both arrays. */
CONVK_RARE_ int CONVK_PRIVATE_(stencil_rims)(const CONVK_PRIVATE_(stencil_job) *job, const CONVK_T *a, const CONVK_T *b) {
  const convk_grid3 *g = &job->grid;
  const size_t s = sizeof(CONVK_T), end = g->nx - 1;
  size_t y, z;
  for (z = 0; z < g->nz; z++)
    for (y = 0; y < g->ny; y++) {
      const CONVK_T *p = a + z * g->pitch_z + y * g->pitch_y, *q = b + z * g->pitch_z + y * g->pitch_y;
      if (job->count[0] && y - job->first[1] < job->count[1] && z - job->first[2] < job->count[2]) {
        if (job->first[0] && (memcmp(p, q, s) || memcmp(p + end, q + end, s))) return CONVK_ERR_RIM;
      } else if (memcmp(p, q, g->nx * s)) return CONVK_ERR_RIM;
    }
  return CONVK_OK;
}

/* All checks of stencil7, and of stencil7_box.  here: whether the arrays may be looked at. */
CONVK_RARE_ int CONVK_PRIVATE_(stencil7_check)(char *message, const convk_grid3 *grid,
                                               const CONVK_TYPED_(stencil7_coefficients) *c, const int *boundary, size_t steps,
                                               const CONVK_T *a, const CONVK_T *b, CONVK_T **result, int here, const void *work,
                                               size_t work_size, CONVK_PRIVATE_(stencil_job) *job) {
  int status = a && b && result ? CONVK_PRIVATE_(stencil_check)(message, grid, c, boundary, job)
                                : convk_refuse_(message, CONVK_ERR_NULL, "a, b or result is NULL");
  if (!status) status = CONVK_PRIVATE_(stencil_apart)(job, a, b, work, work_size);
  if (!status) status = CONVK_PRIVATE_(stencil_steps)(job, steps);
  return status || !here || steps < 2 ? status : CONVK_PRIVATE_(stencil_rims)(job, a, b);
}

CONVK_RARE_ int CONVK_PRIVATE_(stencil7_box_check)(char *message, const convk_grid3 *grid,
                                                   const CONVK_TYPED_(stencil7_coefficients) *c, const int *boundary,
                                                   const size_t *first, const size_t *count, const CONVK_T *a, const CONVK_T *b,
                                                   const void *work, size_t work_size, CONVK_PRIVATE_(stencil_job) *job) {
  int status = a && b && first && count ? CONVK_PRIVATE_(stencil_check)(message, grid, c, boundary, job)
                                        : convk_refuse_(message, CONVK_ERR_NULL, "a, b, first or count is NULL");
  if (!status) status = CONVK_PRIVATE_(stencil_apart)(job, a, b, work, work_size);
  return status ? status : CONVK_PRIVATE_(stencil_box)(message, first, count, job);
}

/* `steps` steps on the job's box, from a to b and back; one step alone may have any box. */
CONVK_RARE_ int CONVK_PRIVATE_(stencil_run)(const convk *hw, CONVK_PRIVATE_(stencil_job) *job, size_t steps, CONVK_T *a,
                                            CONVK_T *b, void *work, size_t work_size) {
  convk_work_ memory;
  size_t need, passes, p;
  int status = convk_stencil_cut_of_(hw, job->whole, job->count, steps, sizeof(CONVK_T), &job->cut, &need);
  if (status || !steps || !job->count[0] || !job->count[1] || !job->count[2]) return status;
  memset(&memory, 0, sizeof memory);
  if (work || job->cut.bytes) status = convk_work_begin_(&memory, work, work_size, need);
  if (status) return status;
  job->scratch = memory.base;
  job->left = job->boundary[0] == CONVK_PERIODIC && !job->first[0] ? (ptrdiff_t)job->grid.nx - 1 : -1;
  job->right = (ptrdiff_t)job->count[0];
  if (job->boundary[0] == CONVK_PERIODIC && job->first[0] + job->count[0] == job->grid.nx)
    job->right = -(ptrdiff_t)job->first[0];
  passes = convk_stencil_passes_(steps, job->cut.depth);
  for (p = 0; p < passes && !status; p++) {
    job->depth = convk_stencil_pass_(steps, passes, p);
    job->a = p % 2 ? b : a;
    job->b = p % 2 ? a : b;
    status = convk_run_(hw, job->cut.tasks_y * job->cut.tasks_z, CONVK_PRIVATE_(stencil_task), job);
  }
  convk_work_end_(&memory);
  return status;
}

CONVK_RARE_ int CONVK_PRIVATE_(stencil7_cpu)(const CONVK_PRIVATE_(stencil_kernels) *kernels, const convk *hw,
                                             const convk_grid3 *grid, const CONVK_TYPED_(stencil7_coefficients) *coefficients,
                                             const int *boundary, size_t steps, CONVK_T *a, CONVK_T *b, CONVK_T **result,
                                             void *work, size_t work_size) {
  CONVK_PRIVATE_(stencil_job) job;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  memset(&job, 0, sizeof job);
  job.kernels = kernels;
  if (!status)
    status = CONVK_PRIVATE_(stencil7_check)(convk_message_(hw), grid, coefficients, boundary, steps, a, b, result, 1, work,
                                            work_size, &job);
  if (!status) status = CONVK_PRIVATE_(stencil_run)(hw, &job, steps, a, b, work, work_size);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

CONVK_RARE_ int CONVK_PRIVATE_(stencil7_box_cpu)(const CONVK_PRIVATE_(stencil_kernels) *kernels, const convk *hw,
                                                 const convk_grid3 *grid,
                                                 const CONVK_TYPED_(stencil7_coefficients) *coefficients, const int *boundary,
                                                 const size_t *first, const size_t *count, const CONVK_T *a, CONVK_T *b,
                                                 void *work, size_t work_size) {
  CONVK_PRIVATE_(stencil_job) job;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  memset(&job, 0, sizeof job);
  job.kernels = kernels;
  if (!status)
    status = CONVK_PRIVATE_(stencil7_box_check)(convk_message_(hw), grid, coefficients, boundary, first, count, a, b, work,
                                                work_size, &job);
  return status ? status : CONVK_PRIVATE_(stencil_run)(hw, &job, 1, (CONVK_T *)a, b, work, work_size);
}

/* ---- public operations ---- */

CONVK_API_ CONVK_TYPED_(stencil7_coefficients) CONVK_TYPED_(stencil7_isotropic)(CONVK_T c0, CONVK_T c1) {
  CONVK_TYPED_(stencil7_coefficients) c;
  c.centre = c0;
  c.x_minus = c.x_plus = c.y_minus = c.y_plus = c.z_minus = c.z_plus = c1;
  return c;
}

CONVK_API_ size_t CONVK_TYPED_(stencil7_work_size)(const convk *hw, const convk_grid3 *grid, const int boundary[3],
                                                   size_t steps) {
  CONVK_PRIVATE_(stencil_job) job;
  size_t need;
  if (CONVK_PRIVATE_(stencil_shape)(NULL, grid, boundary, &job) || CONVK_PRIVATE_(stencil_steps)(&job, steps)) return 0;
  return convk_stencil_cut_of_(hw, job.whole, job.count, steps, sizeof(CONVK_T), &job.cut, &need) ? 0 : need;
}
/* ---- src/stencil/tuner.h ---- */
CONVK_RARE_ int CONVK_PRIVATE_(trial_stencil_run)(convk_trial_ *t, void **result) {
  const CONVK_TYPED_(stencil7_coefficients) c = CONVK_TYPED_(stencil7_isotropic)((CONVK_T)0.4, (CONVK_T)0.1);
  const size_t steps = t->entry.length < 24 ? t->entry.length : 24;
  CONVK_T *state = NULL;
  int status = convk_trial_work_(t, CONVK_TYPED_(stencil7_work_size)(&t->hw, &t->shape.grid, t->shape.boundary, steps));
  if (!status)
    status = CONVK_TYPED_(stencil7)(&t->hw, &t->shape.grid, &c, t->shape.boundary, steps, (CONVK_T *)t->array[0],
                                    (CONVK_T *)t->array[1], &state, t->work, t->work_size);
  *result = state;
  return status;
}

/* One choice is set by hand, or is what the default is. */
CONVK_LOCAL_ int CONVK_PRIVATE_(trial_stencil_same)(convk_trial_ *t, const long *a, const long *b) {
  const size_t n[3] = {t->entry.nx, t->entry.ny, t->entry.nz};
  convk_stencil_cut_ cut[2];
  size_t need, i;
  for (i = 0; i < 2; i++) {
    memcpy(t->entry.choice, i ? b : a, sizeof t->entry.choice);
    if (convk_stencil_cut_of_(&t->hw, n, n, t->entry.length < 24 ? t->entry.length : 24, sizeof(CONVK_T), &cut[i], &need)) return 1;
  }
  return !memcmp(&cut[0], &cut[1], sizeof cut[0]);
}

CONVK_ACROSS_ int CONVK_PRIVATE_(trial_stencil)(convk_trial_ *t) {
  CONVK_PRIVATE_(stencil_job) job;
  const int status = CONVK_PRIVATE_(stencil_shape)(NULL, &t->shape.grid, t->shape.boundary, &job);
  if (status) return status;
  t->entry.nx = job.count[0];
  t->entry.ny = job.count[1];
  t->entry.nz = job.count[2];
  if (!t->entry.nx || !t->entry.ny || !t->entry.nz) return CONVK_ERR_SIZE;
  t->entry.length = t->shape.steps ? t->shape.steps : 1;
  if (t->entry.length > (size_t)1 << 30) t->entry.length = (size_t)1 << 30; /* as much as a line may say */
  t->bytes = job.span * sizeof(CONVK_T);
  t->fill = CONVK_PRIVATE_(trial_fill);
  t->run = CONVK_PRIVATE_(trial_stencil_run);
  t->same = CONVK_PRIVATE_(trial_stencil_same);
  t->touch = 1;
  return CONVK_OK;
}
#endif
#if CONVK_HAS_VMATH_
/* ---- src/vmath/driver.h ---- */
#define CONVK_MAP_CHUNK_ ((size_t)16384) /* elements of an array that are worth a task: some microseconds */
#define CONVK_MAP_FLUSH_ ((size_t)1024)  /* elements that are looked at again while they are in L1 */

/* One checked call: a function of each element, in chunks. */
typedef struct CONVK_PRIVATE_(map_job) {
  CONVK_PRIVATE_(map) *map;
  const CONVK_T *x;
  CONVK_T *y, *z; /* z: the second result or NULL */
  size_t n, chunk;
  int flush; /* y may be subnormal, and must not be */
} CONVK_PRIVATE_(map_job);

/* Zeros of their sign in place of numbers that are subnormal. */
CONVK_LOCAL_ void CONVK_PRIVATE_(map_flush)(CONVK_T *y, size_t n) {
  const CONVK_UNSIGNED_ exponent = CONVK_EITHER_(UINT32_C(0x7f800000), UINT64_C(0x7ff0000000000000));
  const CONVK_UNSIGNED_ sign = CONVK_EITHER_(UINT32_C(0x80000000), UINT64_C(0x8000000000000000));
  CONVK_UNSIGNED_ bits;
  size_t i;
  for (i = 0; i < n; i++) {
    memcpy(&bits, y + i, sizeof bits);
    bits &= bits & exponent ? (CONVK_UNSIGNED_)-1 : sign;
    memcpy(y + i, &bits, sizeof bits);
  }
}

CONVK_LOCAL_ void CONVK_PRIVATE_(map_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(map_job) *job = (const CONVK_PRIVATE_(map_job) *)arg;
  const size_t begin = index * job->chunk, left = job->n - begin, count = left < job->chunk ? left : job->chunk;
  const size_t most = job->flush ? CONVK_MAP_FLUSH_ : count;
  size_t i, n;
  for (i = begin; i < begin + count; i += n) {
    n = begin + count - i < most ? begin + count - i : most;
    job->map(job->x + i, job->y + i, job->z ? job->z + i : NULL, n);
    if (job->flush) CONVK_PRIVATE_(map_flush)(job->y + i, n);
  }
}

/* The arrays of a call with one result or two. */
CONVK_LOCAL_ int CONVK_PRIVATE_(map_check)(int function, size_t n, const CONVK_T *x, const CONVK_T *y, const CONVK_T *z) {
  size_t bytes;
  if (!x || !y || (function == CONVK_MAP_SINCOS_ && !z)) return CONVK_ERR_NULL;
  if (convk_mul_(n, sizeof *x, &bytes)) return CONVK_ERR_OVERFLOW;
  if ((x != y && convk_overlap_(x, bytes, y, bytes)) ||
      (z && ((x != z && convk_overlap_(x, bytes, z, bytes)) || convk_overlap_(y, bytes, z, bytes))))
    return CONVK_ERR_OVERLAP;
  return CONVK_OK;
}

/* A checked call of tasks: of at least two chunks, or one task that flushes subnormals. */
CONVK_RARE_ int CONVK_PRIVATE_(map_tasks)(CONVK_PRIVATE_(map) *map, const convk *hw, int function, size_t n, const CONVK_T *x,
                                          CONVK_T *y, CONVK_T *z) {
  CONVK_PRIVATE_(map_job) job;
  size_t tasks = convk_threads_(hw);
  if (tasks > n / CONVK_MAP_CHUNK_) tasks = n / CONVK_MAP_CHUNK_;
  if (!tasks) tasks = 1;
  job.map = map;
  job.x = x;
  job.y = y;
  job.z = z;
  job.n = n;
  /* exp makes subnormals of bits, expm1 copies those that it gets: no mode of the processor changes that */
  job.flush = CONVK_FLUSH_ && hw->flush_subnormals && (function == CONVK_MAP_EXP_ || function == CONVK_MAP_EXPM1_);
  job.chunk = convk_round_up_(n / tasks + 1, 64 / sizeof *x);
  return convk_run_(hw, convk_ceil_(n, job.chunk), CONVK_PRIVATE_(map_task), &job);
}

CONVK_RARE_ int CONVK_PRIVATE_(map_all)(const CONVK_PRIVATE_(vmath_kernels) *kernels, const convk *hw, int function, size_t n,
                                        const CONVK_T *x, CONVK_T *y, CONVK_T *z) {
  int status;
  if (kernels->arrays) return kernels->arrays(hw, function, n, x, y, z);
  status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status) status = CONVK_PRIVATE_(map_check)(function, n, x, y, z);
  if (status || !n) return status;
  if ((n >= 2 * CONVK_MAP_CHUNK_ && convk_threads_(hw) > 1) || (hw && hw->flush_subnormals))
    return CONVK_PRIVATE_(map_tasks)(kernels->map[function], hw, function, n, x, y, z);
  kernels->map[function](x, y, z, n);
  return CONVK_OK;
}

CONVK_LOCAL_ int CONVK_PRIVATE_(exp_cpu)(const CONVK_PRIVATE_(vmath_kernels) *kernels, const convk *hw, size_t n, const CONVK_T *x,
                                       CONVK_T *y) {
  return CONVK_PRIVATE_(map_all)(kernels, hw, CONVK_MAP_EXP_, n, x, y, NULL);
}
CONVK_LOCAL_ int CONVK_PRIVATE_(expm1_cpu)(const CONVK_PRIVATE_(vmath_kernels) *kernels, const convk *hw, size_t n, const CONVK_T *x,
                                         CONVK_T *y) {
  return CONVK_PRIVATE_(map_all)(kernels, hw, CONVK_MAP_EXPM1_, n, x, y, NULL);
}
CONVK_LOCAL_ int CONVK_PRIVATE_(log_cpu)(const CONVK_PRIVATE_(vmath_kernels) *kernels, const convk *hw, size_t n, const CONVK_T *x,
                                       CONVK_T *y) {
  return CONVK_PRIVATE_(map_all)(kernels, hw, CONVK_MAP_LOG_, n, x, y, NULL);
}
CONVK_LOCAL_ int CONVK_PRIVATE_(sincos_cpu)(const CONVK_PRIVATE_(vmath_kernels) *kernels, const convk *hw, size_t n, const CONVK_T *x,
                                          CONVK_T *s, CONVK_T *c) {
  return CONVK_PRIVATE_(map_all)(kernels, hw, CONVK_MAP_SINCOS_, n, x, s, c);
}
#endif
CONVK_LIGHT_PUSH_
#if CONVK_HAS_GAUSSIAN_
/* ---- src/gaussian/driver.h ---- */
/* ---- points and exponents ---- */

/* One checked call: what kernels need of its points. */
typedef struct CONVK_PRIVATE_(gaussian_points) {
  const CONVK_PRIVATE_(gaussian_kernels) *kernels;
  CONVK_TYPED_(points) p; /* with a stride of at least 1 */
  size_t chunk;           /* points of a task */
  char bad[64];
} CONVK_PRIVATE_(gaussian_points);

/* The elements from the first to the last of a coordinate. */
CONVK_LOCAL_ size_t CONVK_PRIVATE_(points_span)(const CONVK_TYPED_(points) *p) { return p->n ? (p->n - 1) * p->stride + 1 : 0; }

CONVK_RARE_ int CONVK_PRIVATE_(points_check)(const CONVK_PRIVATE_(gaussian_kernels) *kernels, char *message, int where,
                                             const CONVK_TYPED_(points) *points, CONVK_PRIVATE_(gaussian_points) *job) {
  size_t bytes;
  if (!points) return convk_refuse_(message, CONVK_ERR_NULL, "points is NULL");
  if (where != CONVK_GAUSSIAN_HANDLES_ && points->n && (!points->x || !points->y || !points->z))
    return convk_refuse_(message, CONVK_ERR_NULL, "x, y or z of points is NULL");
  job->kernels = kernels;
  job->chunk = 0;
  job->p = *points;
  if (!job->p.stride) job->p.stride = 1;
  if (convk_mul_(job->p.n, job->p.stride, &bytes) || convk_mul_(bytes, sizeof(CONVK_T), &bytes) || bytes > (size_t)-1 / 4)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "n times stride of points overflows");
  return CONVK_OK;
}

CONVK_RARE_ int CONVK_PRIVATE_(points_overlap)(const CONVK_TYPED_(points) *p, const void *out, size_t bytes) {
  const size_t span = CONVK_PRIVATE_(points_span)(p) * sizeof(CONVK_T);
  return convk_overlap_(p->x, span, out, bytes) || convk_overlap_(p->y, span, out, bytes) ||
         convk_overlap_(p->z, span, out, bytes);
}

CONVK_LOCAL_ void CONVK_PRIVATE_(points_task)(void *arg, size_t index) {
  CONVK_PRIVATE_(gaussian_points) *job = (CONVK_PRIVATE_(gaussian_points) *)arg;
  const CONVK_TYPED_(points) *p = &job->p;
  const size_t begin = index * job->chunk, n = convk_least_(p->n - begin, job->chunk), stride = p->stride;
  size_t i;
  job->bad[index] = 0;
  if (stride == 1) {
    job->bad[index] = !(job->kernels->finite(p->x + begin, n) && job->kernels->finite(p->y + begin, n) &&
                        job->kernels->finite(p->z + begin, n));
  } else if (stride == 3 && p->y == p->x + 1 && p->z == p->x + 2) {
    job->bad[index] = !job->kernels->finite(p->x + 3 * begin, 3 * n);
  } else {
    for (i = begin * stride; i < (begin + n) * stride && !job->bad[index]; i += stride)
      job->bad[index] = !(CONVK_PRIVATE_(finite)(CONVK_ONE_(p->x + i)) && CONVK_PRIVATE_(finite)(CONVK_ONE_(p->y + i)) &&
                          CONVK_PRIVATE_(finite)(CONVK_ONE_(p->z + i)));
  }
}

/* COORDINATE where a point is not finite. */
CONVK_RARE_ int CONVK_PRIVATE_(points_finite)(const convk *hw, CONVK_PRIVATE_(gaussian_points) *job) {
  const size_t chunk = job->chunk; /* of the call's own tasks */
  size_t tasks = convk_threads_(hw), i;
  int status;
  if (!job->p.n) return CONVK_OK;
  if (tasks == 1 || job->p.n < 16384) {
    job->chunk = job->p.n;
    CONVK_PRIVATE_(points_task)(job, 0);
    job->chunk = chunk;
    return job->bad[0] ? CONVK_ERR_COORDINATE : CONVK_OK;
  }
  if (tasks > sizeof job->bad) tasks = sizeof job->bad;
  if (tasks > job->p.n / 16384 + 1) tasks = job->p.n / 16384 + 1;
  job->chunk = job->p.n / tasks + 1;
  tasks = job->p.n / job->chunk + (job->p.n % job->chunk != 0);
  status = convk_run_(hw, tasks, CONVK_PRIVATE_(points_task), job);
  job->chunk = chunk;
  for (i = 0; i < tasks && !status; i++)
    if (job->bad[i]) status = CONVK_ERR_COORDINATE;
  return status;
}

/* Whether all elements are finite, for devices. */
CONVK_LOCAL_ int CONVK_PRIVATE_(gaussian_finite)(const CONVK_T *p, size_t n) {
  size_t i, bad = 0;
  for (i = 0; i < n; i++) bad |= !CONVK_PRIVATE_(finite)(p[i]);
  return !bad;
}

CONVK_LOCAL_ int CONVK_PRIVATE_(rows_finite)(const CONVK_PRIVATE_(gaussian_kernels) *kernels, const CONVK_T *a, size_t rows,
                                          size_t n, size_t ld) {
  size_t r;
  for (r = 0; r < rows; r++)
    if (n && !kernels->finite(a + r * ld, n)) return 0;
  return 1;
}

/* Squared distances of `count` points from `first` on, rounded up to a multiple of 16 by copies of the last; see the kernel. */
CONVK_RARE_ void CONVK_PRIVATE_(gaussian_near)(const CONVK_PRIVATE_(gaussian_points) *job, size_t first, size_t count,
                                              const CONVK_T *center, CONVK_T *d, size_t pitch, CONVK_T *s, CONVK_T *lo,
                                              CONVK_T *extremes) {
  CONVK_T gathered[3][CONVK_GAUSSIAN_GATHER_];
  const CONVK_T *axes[3], *rows[3];
  const size_t stride = job->p.stride;
  size_t i = 0, j, k;
  axes[0] = job->p.x + first * stride;
  axes[1] = job->p.y + first * stride;
  axes[2] = job->p.z + first * stride;
  extremes[0] = CONVK_GREATEST_;
  extremes[1] = 0;
  if (stride == 1 && count >= 16) {
    i = count / 16 * 16;
    job->kernels->distances(axes, i, center, d, pitch, s, lo, extremes);
  }
  for (k = 0; k < 3; k++) rows[k] = gathered[k];
  for (; i < count; i += CONVK_GAUSSIAN_GATHER_) {
    const size_t n = convk_least_(count - i, CONVK_GAUSSIAN_GATHER_), all = convk_round_up_(n, 16);
    for (k = 0; k < 3; k++)
      for (j = 0; j < all; j++) gathered[k][j] = CONVK_ONE_(axes[k] + (i + (j < n ? j : n - 1)) * stride);
    job->kernels->distances(rows, all, center, d ? d + i : NULL, pitch, s + i, lo ? lo + i : NULL, extremes);
  }
}

/* An exponent as the kernels want it. */
CONVK_RARE_ void CONVK_PRIVATE_(gaussian_exponent)(int fused, double alpha, CONVK_T *a, CONVK_T *b, CONVK_T *top) {
  const double large = fused ? CONVK_EITHER_(156, 1100) : CONVK_EITHER_(110, 765), most = CONVK_GREATEST_;
  const double lowest = (CONVK_EITHER_(126, 1022) - 0.0001220703125) * (fused ? 1 : 0.69314718055994531);
  const double limit = alpha < 0 ? lowest : large;
  double hi = alpha, lo = 0, size;
  if (fused) convk_times_log2e_(alpha, &hi, &lo);
  size = hi < 0 ? -hi : hi;
  if (!(size <= most)) {
    hi = hi < 0 ? -most : most;
    lo = 0;
    size = most;
  }
  *a = (CONVK_T)hi;
  CONVK_IN_MEMORY_(a);
  *b = (CONVK_T)((hi - (double)*a) + lo);
  if (*b < CONVK_GAUSSIAN_LEAST_ && *b > -CONVK_GAUSSIAN_LEAST_) *b = 0;
  *top = size > limit / most ? (CONVK_T)(limit / size) : CONVK_GREATEST_;
}

/* The checked options, with so many orders and compensation or none, the limit below which exponentials count as nothing, at least
   `least`, and bounds of a s: what is cut, and what is not. */
CONVK_RARE_ int CONVK_PRIVATE_(gaussian_begin)(char *message, int fused, const convk_gaussian_options *options, int orders,
                                               int compensated, CONVK_T least, CONVK_PRIVATE_(gaussian_part) *part) {
  const double unit = fused ? 1 : 0.69314718;
  double cut = (double)least;
  uint64_t bits;
  /* one by one: clearing so little as a block takes longer than a small call's arithmetic */
  part->np = part->na = part->ld = 0;
  part->s = part->lo = part->a = part->b = part->top = NULL;
  part->s_least = part->s_most = part->a_least = part->a_most = 0;
  part->out = NULL;
  part->order = part->stream = 0;
  if (options) {
    if (options->order < 0 || options->order >= orders)
      return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->order is %, and not from 0 to %", options->order, orders - 1, 0);
    if (options->compensated != 0 && options->compensated != compensated)
      return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->compensated is %, and not from 0 to %", options->compensated,
                              compensated, 0);
    if (!convk_finite_f64_(options->cutoff)) return convk_refuse_(message, CONVK_ERR_NONFINITE, "options->cutoff is not finite");
    if (options->cutoff < 0) return convk_refuse_(message, CONVK_ERR_OPTION, "options->cutoff is negative");
    part->order = options->order;
    if (options->cutoff > cut) cut = options->cutoff > (double)CONVK_GREATEST_ ? (double)CONVK_GREATEST_ : options->cutoff;
  }
  part->cut = (CONVK_T)cut;
  cut = (double)part->cut;
  memcpy(&bits, &cut, sizeof bits); /* 2^e <= cut < 2^(e + 1), and something to spare */
  part->above = (CONVK_T)(((double)(bits >> 52) - 1023 + 2) * unit);
  part->below = (CONVK_T)(((double)(bits >> 52) - 1023 - 2) * unit);
  return CONVK_OK;
}

/* Whether all of a block is 0. */
CONVK_LOCAL_ int CONVK_PRIVATE_(gaussian_none)(const CONVK_PRIVATE_(gaussian_part) *part) {
  size_t j = 0;
  while (j < part->na && part->a[j] * (part->a[j] > 0 ? part->s_most : part->s_least) < part->below) j++;
  return j == part->na;
}

/* Tasks of a call with so many exponentials and vectors of products: 16384 of them are worth one, some microseconds. */
CONVK_LOCAL_ size_t CONVK_PRIVATE_(gaussian_tasks)(const convk *hw, size_t points, double each) {
  const double tasks = (double)points * each / 16384;
  const size_t threads = convk_threads_(hw);
  return tasks < 1 ? 1 : tasks < (double)threads ? (size_t)tasks : threads;
}

/* What sums are made into: rows at `out`, on which they go on. */
CONVK_LOCAL_ void CONVK_PRIVATE_(sums_at)(CONVK_PRIVATE_(gaussian_sums) *sums, CONVK_T *out, size_t ld) {
  sums->from = sums->out = out;
  sums->from_ld = sums->ld = ld;
}

/* ---- the grid potential and its sums ---- */

/* One checked call: rows of `row` elements at call.out. */
typedef struct CONVK_PRIVATE_(gridpot_job) {
  CONVK_PRIVATE_(gridpot_call) call; /* with distances that are not 0 */
  CONVK_PRIVATE_(gaussian_points) points;
  CONVK_PRIVATE_(gaussian_part) part;
  CONVK_T center[6];
  size_t rows, row, bytes;
  size_t points_chunk, exponents_chunk, tasks; /* tasks: side by side in exponents */
  size_t block;                                /* points of a block at most, a multiple of 16; 0: as many as there is room for */
  int compensated;
} CONVK_PRIVATE_(gridpot_job);

/* Exponents first .. first + n - 1, in rows of `pitch`; their bounds. */
CONVK_RARE_ void CONVK_PRIVATE_(gridpot_exponents)(const CONVK_PRIVATE_(gridpot_job) *job, size_t first, size_t n, CONVK_T *rows,
                                                  size_t pitch, CONVK_PRIVATE_(gaussian_part) *part) {
  CONVK_T bounds[2];
  part->a = rows;
  part->b = rows + pitch;
  part->top = rows + 2 * pitch;
  job->points.kernels->exponents(job->call.alpha + first, n, rows, pitch, bounds);
  part->a_least = bounds[0];
  part->a_most = bounds[1];
}

CONVK_LOCAL_ void CONVK_PRIVATE_(gridpot_task)(void *arg, size_t index) {
  enum { MOST = CONVK_GAUSSIAN_BYTES_ / sizeof(CONVK_T), FEW = CONVK_GAUSSIAN_ROWS_, PAD = 16 };
  const CONVK_PRIVATE_(gridpot_job) *job = (const CONVK_PRIVATE_(gridpot_job) *)arg;
  const size_t p0 = index / job->tasks * job->points_chunk, j0 = index % job->tasks * job->exponents_chunk;
  const size_t np = convk_least_(job->points.p.n - p0, job->points_chunk), nj = convk_least_(job->call.m - j0, job->exponents_chunk);
  CONVK_PRIVATE_(gaussian_part) part = job->part;
  CONVK_T large[2 * MOST + 2 * PAD], few[3][FEW + PAD], extremes[2];
  const int points = part.order == CONVK_POINTS_CONTIGUOUS;
  const size_t room = points ? MOST : FEW, most_p = job->block ? convk_least_(job->block, room) : room;
  const size_t most_j = points ? FEW : MOST / 2;
  CONVK_T *s = points ? large : few[0], *lo = !job->compensated ? NULL : points ? large + MOST + PAD : few[1];
  size_t p, j;
  for (j = 0; j < nj; j += part.na) {
    part.na = convk_least_(nj - j, most_j);
    CONVK_PRIVATE_(gridpot_exponents)(job, j0 + j, part.na, points ? few[0] : large, most_j + PAD, &part);
    for (p = 0; p < np; p += part.np) {
      part.np = convk_least_(np - p, most_p);
      CONVK_PRIVATE_(gaussian_near)(&job->points, p0 + p, part.np, job->center, NULL, 0, s, lo, extremes);
      part.s = s;
      part.lo = lo;
      part.s_least = extremes[0];
      part.s_most = extremes[1];
      part.out = job->part.out + (points ? (j0 + j) * part.ld + p0 + p : (p0 + p) * part.ld + j0 + j);
      job->points.kernels->exponentials(&part);
    }
  }
  if (part.stream) job->points.kernels->fence();
}

/* Adds the terms of the exponents of a part, or makes the sums of them, by exponentials in L1: in strips at part->out. */
CONVK_RARE_ void CONVK_PRIVATE_(sums_by_strips)(const CONVK_PRIVATE_(gaussian_kernels) *kernels,
                                                const CONVK_PRIVATE_(gaussian_part) *part, CONVK_PRIVATE_(gaussian_sums) *sums) {
  CONVK_PRIVATE_(gaussian_part) few = *part;
  const CONVK_PRIVATE_(any) *c = sums->c;
  const int last = sums->last;
  size_t k;
  sums->last = 0;
  sums->e = few.out;
  sums->pitch = few.ld;
  for (k = 0; k < part->na; k += few.na) {
    few.na = convk_least_(part->na - k, CONVK_GAUSSIAN_STRIP_);
    few.a = part->a + k;
    few.b = part->b + k;
    few.top = part->top + k;
    sums->m = few.na;
    sums->c = c + k;
    sums->last = last && k + few.na == part->na;
    if (CONVK_PRIVATE_(gaussian_none)(&few)) continue;
    kernels->exponentials(&few);
    kernels->sums(sums);
    sums->more = 1;
    if (sums->last) return;
  }
  sums->last = last;
  sums->m = 0;
  if (last) kernels->sums(sums); /* of what there is, or over nothing */
}

CONVK_LOCAL_ void CONVK_PRIVATE_(gridpot_sum_task)(void *arg, size_t index) {
  enum {
    MOST = CONVK_GAUSSIAN_BYTES_ / 4 / sizeof(CONVK_T),
    FEW = CONVK_GAUSSIAN_ROWS_,
    STRIP = CONVK_GAUSSIAN_STRIP_,
    PAD = 16
  };
  const CONVK_PRIVATE_(gridpot_job) *job = (const CONVK_PRIVATE_(gridpot_job) *)arg;
  const CONVK_PRIVATE_(gaussian_kernels) *kernels = job->points.kernels;
  const size_t p0 = index * job->points_chunk, np = convk_least_(job->points.p.n - p0, job->points_chunk);
  const int strips = job->compensated || job->call.nsums > CONVK_GAUSSIAN_SUMS_;
  const size_t room = strips ? MOST / 2 : MOST, most = job->block ? convk_least_(job->block, room) : room;
  CONVK_PRIVATE_(gaussian_part) part = job->part;
  CONVK_PRIVATE_(gaussian_sums) sums;
  CONVK_T s[MOST + PAD], lo[MOST / 2 + PAD], exponents[3][FEW + PAD], strip[STRIP][MOST / 2 + PAD], extremes[2];
  CONVK_T *lost = job->compensated ? lo : NULL;
  size_t p, j = 0;
  sums.rows = job->call.nsums;
  sums.m = sums.pitch = 0;
  sums.least = 0;
  sums.ldc = job->call.ldc;
  sums.inverse = 1;
  sums.e = strip[0];
  part.s = s;
  part.lo = lost;
  part.out = strip[0];
  part.ld = MOST / 2 + PAD;
  do {
    part.na = convk_least_(job->call.m - j, FEW);
    CONVK_PRIVATE_(gridpot_exponents)(job, j, part.na, exponents[0], FEW + PAD, &part);
    for (p = 0; p < np; p += sums.n) {
      sums.n = convk_least_(np - p, most);
      CONVK_PRIVATE_(sums_at)(&sums, job->part.out + p0 + p, job->part.ld);
      sums.c = job->call.c ? job->call.c + j : strip[0];
      sums.more = j != 0;
      sums.last = 1; /* also of a part of the exponents: there is no scale, and nothing may be left unwritten */
      CONVK_PRIVATE_(gaussian_near)(&job->points, p0 + p, sums.n, job->center, NULL, 0, s, lost, extremes);
      part.np = convk_round_up_(sums.n, 16);
      part.s_least = extremes[0];
      part.s_most = extremes[1];
      if (strips) CONVK_PRIVATE_(sums_by_strips)(kernels, &part, &sums);
      else (void)kernels->collect(&part, &sums);
    }
    j += part.na;
  } while (j < job->call.m);
}

/* Sizes, and arrays that must not be NULL. */
CONVK_RARE_ int CONVK_PRIVATE_(gridpot_sizes)(char *message, int where, CONVK_PRIVATE_(gridpot_job) *job, size_t *m_bytes,
                                              size_t *c_bytes) {
  CONVK_PRIVATE_(gridpot_call) *c = &job->call;
  const size_t n = job->points.p.n;
  const int points_first = c->sum || job->part.order == CONVK_POINTS_CONTIGUOUS;
  job->rows = c->sum ? c->nsums : points_first ? c->m : n;
  job->row = points_first ? n : c->m;
  if (where != CONVK_GAUSSIAN_HANDLES_ && job->rows && job->row && !c->out)
    return convk_refuse_(message, CONVK_ERR_NULL, c->sum ? "sums is NULL" : "g is NULL");
  if (c->nsums && c->m && !c->c) return convk_refuse_(message, CONVK_ERR_NULL, "c is NULL");
  if (!c->ld) c->ld = job->row;
  if (!c->ldc) c->ldc = c->m;
  if (c->ld < job->row)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "ld is %, less than the % elements of a row", (int64_t)c->ld, (int64_t)job->row, 0);
  if (c->sum && c->ldc < c->m)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "ldc is %, less than the % elements of a row", (int64_t)c->ldc, (int64_t)c->m, 0);
  if (convk_rows_bytes_(1, c->m, 0, sizeof *c->alpha, m_bytes) ||
      convk_rows_bytes_(c->nsums, c->m, c->ldc, sizeof *c->c, c_bytes))
    return CONVK_ERR_OVERFLOW;
  return convk_rows_bytes_(job->rows, job->row, c->ld, sizeof *c->out, &job->bytes);
}

/* All checks of gridpot and its sums; exponents and coefficients are on the device only where points and results are. */
CONVK_RARE_ int CONVK_PRIVATE_(gridpot_check)(const CONVK_PRIVATE_(gaussian_kernels) *kernels, const convk *hw, char *message,
                                              int where, const CONVK_PRIVATE_(gridpot_call) *call, CONVK_PRIVATE_(gridpot_job) *job) {
  const CONVK_PRIVATE_(gridpot_call) *c = &job->call;
  size_t m_bytes, c_bytes, k;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  job->call = *call;
  job->block = 0;
  if (!status) status = CONVK_PRIVATE_(points_check)(kernels, message, where, c->points, &job->points);
  if (!status && c->m && !c->alpha) status = convk_refuse_(message, CONVK_ERR_NULL, "alpha is NULL");
  if (!status)
    status = CONVK_PRIVATE_(gaussian_begin)(message, kernels->fused, c->options, c->sum ? 1 : 2, 1,
                                            c->sum ? CONVK_GAUSSIAN_LEAST_TERM_ : CONVK_GAUSSIAN_LEAST_, &job->part);
  if (!status) status = CONVK_PRIVATE_(gridpot_sizes)(message, where, job, &m_bytes, &c_bytes);
  if (status) return status;
  if (CONVK_PRIVATE_(points_overlap)(&job->points.p, c->out, job->bytes) ||
      convk_overlap_(c->alpha, m_bytes, c->out, job->bytes) || convk_overlap_(c->c, c_bytes, c->out, job->bytes) ||
      convk_overlap_(c->center, 3 * sizeof *c->center, c->out, job->bytes))
    return CONVK_ERR_OVERLAP;
  for (k = 0; k < 3; k++) {
    job->center[k] = c->center ? CONVK_ONE_(c->center + k) : 0;
    job->center[3 + k] = 0;
    if (!CONVK_PRIVATE_(finite)(job->center[k]))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "center[%] is not finite", (int64_t)k, 0, 0);
  }
  if (where != CONVK_GAUSSIAN_DEVICE_ && !CONVK_PRIVATE_(rows_finite)(kernels, c->alpha, 1, c->m, 0))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "an element of alpha is not finite");
  if (where != CONVK_GAUSSIAN_DEVICE_ && !CONVK_PRIVATE_(rows_finite)(kernels, c->c, c->nsums, c->m, c->ldc))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "an element of c is not finite");
  job->compensated = c->options && c->options->compensated;
  job->part.out = c->out;
  job->part.ld = c->ld;
  return where == CONVK_GAUSSIAN_HOST_ ? CONVK_PRIVATE_(points_finite)(hw, &job->points) : CONVK_OK;
}

CONVK_LOCAL_ int CONVK_PRIVATE_(gridpot_run)(const convk *hw, CONVK_PRIVATE_(gridpot_job) *job) {
  const size_t n = job->points.p.n, m = job->call.m, unit = 64 / sizeof(CONVK_T), blocks = n / CONVK_GAUSSIAN_ROWS_ + 1;
  size_t tasks = CONVK_PRIVATE_(gaussian_tasks)(hw, n, (double)m), parts = convk_least_(tasks, blocks);
  if (tasks == 1) {
    job->points_chunk = n;
    job->exponents_chunk = m;
    job->tasks = 1;
    return convk_run_(hw, 1, CONVK_PRIVATE_(gridpot_task), job);
  }
  job->points_chunk = convk_round_up_(convk_ceil_(n, parts), unit);
  parts = convk_ceil_(n, job->points_chunk);
  tasks = convk_least_(tasks / parts, m);
  job->exponents_chunk = convk_round_up_(convk_ceil_(m, tasks), unit);
  job->tasks = convk_ceil_(m, job->exponents_chunk);
  return convk_run_(hw, parts * job->tasks, CONVK_PRIVATE_(gridpot_task), job);
}

CONVK_LOCAL_ int CONVK_PRIVATE_(gridpot_sum_run)(const convk *hw, CONVK_PRIVATE_(gridpot_job) *job) {
  const size_t n = job->points.p.n;
  const double each = (double)job->call.m * (1 + (double)job->call.nsums / 8);
  const size_t tasks = convk_least_(CONVK_PRIVATE_(gaussian_tasks)(hw, n, each), n / CONVK_GAUSSIAN_ROWS_ + 1);
  job->part.stream = 0; /* strips stay in the cache */
  job->points_chunk = convk_round_up_(convk_ceil_(n, tasks), 64 / sizeof(CONVK_T));
  return convk_run_(hw, convk_ceil_(n, job->points_chunk), CONVK_PRIVATE_(gridpot_sum_task), job);
}

CONVK_RARE_ int CONVK_PRIVATE_(gridpot_all)(const CONVK_PRIVATE_(gaussian_kernels) *kernels, const convk *hw,
                                            const CONVK_PRIVATE_(gridpot_call) *call) {
  CONVK_PRIVATE_(gridpot_job) job;
  int status;
  if (kernels->gridpot) return kernels->gridpot(hw, call);
  status = CONVK_PRIVATE_(gridpot_check)(kernels, hw, convk_message_(hw), CONVK_GAUSSIAN_HOST_, call, &job);
  if (status || !job.rows || !job.row) return status;
  if (hw) {
    const size_t n[3] = {job.points.p.n, call->m, call->sum ? call->nsums : 1};
    const convk_tuning tuning = convk_tuning_for_(hw, call->sum ? "gridpot_sum" : "gridpot", sizeof(CONVK_T), n, 1);
    job.part.stream = convk_cache_past_(&tuning, convk_threads_(hw), job.bytes);
    job.block = convk_round_up_(convk_least_(tuning.gaussian_points, 65536), 16);
  }
  return call->sum ? CONVK_PRIVATE_(gridpot_sum_run)(hw, &job) : CONVK_PRIVATE_(gridpot_run)(hw, &job);
}

CONVK_LOCAL_ int CONVK_PRIVATE_(gridpot_cpu)(const CONVK_PRIVATE_(gaussian_kernels) *kernels, const convk *hw,
                                           const CONVK_TYPED_(points) *points, const CONVK_T *center, size_t m,
                                           const CONVK_T *alpha, const convk_gaussian_options *options, CONVK_T *g, size_t ld) {
  const CONVK_PRIVATE_(gridpot_call) call = {points, center, m, alpha, 0, NULL, 0, options, g, ld, 0};
  return CONVK_PRIVATE_(gridpot_all)(kernels, hw, &call);
}

CONVK_LOCAL_ int CONVK_PRIVATE_(gridpot_sum_cpu)(const CONVK_PRIVATE_(gaussian_kernels) *kernels, const convk *hw,
                                               const CONVK_TYPED_(points) *points, const CONVK_T *center, size_t m,
                                               const CONVK_T *alpha, size_t nsums, const CONVK_T *c, size_t ldc,
                                               const convk_gaussian_options *options, CONVK_T *sums, size_t ld) {
  const CONVK_PRIVATE_(gridpot_call) call = {points, center, m, alpha, nsums, c, ldc, options, sums, ld, 1};
  return CONVK_PRIVATE_(gridpot_all)(kernels, hw, &call);
}

/* ---- orbitals ---- */

/* Shells that share their exponentials. */
typedef struct CONVK_PRIVATE_(orbital_group) {
  CONVK_T center[6]; /* the center, and what rounding it lost */
  size_t shells, shell, primitives, primitive;
  int moved; /* the group before has another center */
} CONVK_PRIVATE_(orbital_group);

typedef struct CONVK_PRIVATE_(orbital_shell) {
  size_t l, functions, function, columns, column; /* columns: in the monomials x^a y^b z^c R */
  const CONVK_T *matrix;                          /* functions x columns, where there are no coefficients */
} CONVK_PRIVATE_(orbital_shell);

typedef struct CONVK_PRIVATE_(orbitals_job) {
  CONVK_PRIVATE_(orbitals_call) call; /* with distances that are not 0 */
  CONVK_PRIVATE_(gaussian_points) points;
  CONVK_PRIVATE_(gaussian_part) part;
  size_t functions, columns, primitives, ngroups;
  size_t block, pitch, rows; /* points of a block, elements of a row in scratch, and rows of it */
  size_t at[6], task, need;  /* offsets of the arrays that follow and of the scratch, bytes of a task's, and all of it */
  CONVK_PRIVATE_(orbital_group) *groups;
  CONVK_PRIVATE_(orbital_shell) *shells;
  CONVK_T *exponents, *radial, *matrix; /* rows a, b, top; three factors per primitive and shell; functions or orbitals */
  CONVK_T inverse, least;               /* of the scale in the factors, and the smallest normal number times that */
  char *scratch;
  int alone; /* surely no coefficients: a function is made of its own shell's monomials */
  int wide;  /* results wait in scratch for all columns, or for their squares */
} CONVK_PRIVATE_(orbitals_job);

/* Sizes for checked shells: the arrays of a call in its work memory, one scratch for every task. */
CONVK_RARE_ int CONVK_PRIVATE_(orbitals_layout)(size_t tasks, CONVK_PRIVATE_(orbitals_job) *job) {
  const convk_shell *shells = job->call.shells;
  const int density = job->call.density;
  size_t i, b[5], sum = 0;
  job->columns = job->primitives = job->ngroups = 0;
  for (i = 0; i < job->call.nshells; i++) {
    const size_t l = (size_t)shells[i].l;
    if (shells[i].primitives > (size_t)-1 / 4096 - job->primitives) return CONVK_ERR_OVERFLOW;
    job->columns += (l + 1) * (l + 2) / 2;
    job->primitives += shells[i].primitives;
  }
  job->block = CONVK_GAUSSIAN_ORBITAL_BYTES_ / sizeof(CONVK_T);
  job->wide = density || (!job->alone && job->columns > CONVK_GAUSSIAN_COLUMNS_);
  while (job->wide && job->block > 256 / sizeof(CONVK_T) &&
         job->call.norbitals * job->call.kinds > (size_t)262144 / sizeof(CONVK_T) / job->block)
    job->block /= 2;
  job->pitch = job->block + 16;
  job->rows = 4 + CONVK_GAUSSIAN_STRIP_ + 3 * CONVK_GAUSSIAN_SHELLS_ + CONVK_GAUSSIAN_STAGES_;
  job->rows += job->call.kinds * CONVK_GAUSSIAN_COLUMNS_;
  i = job->alone && job->call.norbitals > 15 ? 15 : job->call.norbitals;
  if (convk_mul_(i, job->columns, &b[4]) || b[4] > (size_t)-1 / 256) return CONVK_ERR_OVERFLOW;
  if (job->wide && job->call.norbitals > (size_t)-1 / 65536 / tasks) return CONVK_ERR_OVERFLOW;
  if (job->wide) job->rows += job->call.norbitals * job->call.kinds;
  b[0] = job->call.nshells * sizeof *job->groups;
  b[1] = job->call.nshells * sizeof *job->shells;
  b[2] = 3 * job->primitives * sizeof(CONVK_T);
  b[3] = 3 * job->primitives * sizeof(CONVK_T);
  b[4] = b[4] * sizeof(CONVK_T);
  job->task = convk_round_up_(job->rows * job->pitch * sizeof(CONVK_T), 64);
  for (i = 0; i < 5; i++) {
    job->at[i] = sum;
    sum += convk_round_up_(b[i], 64);
  }
  job->at[5] = sum;
  if (convk_mul_(job->task, tasks, &i) || i > (size_t)-1 / 4 || sum > (size_t)-1 / 4) return CONVK_ERR_OVERFLOW;
  job->need = sum + i + 64;
  return CONVK_OK;
}

/* What a shell's functions and derivatives are at most, and more: x^l exp(-a r^2) is less than (l / (2 e a))^(l / 2). */
CONVK_RARE_ double CONVK_PRIVATE_(orbitals_most)(const convk_shell *shell) {
  double sum = 0;
  size_t p;
  for (p = 0; p < shell->primitives; p++) {
    const double a = shell->exponents[p], c = shell->coefficients[p], wide = a < 1 ? 1 / a : 1;
    sum += (c < 0 ? -c : c) * 64 * (a > 1 ? 4 * a * a : 4) * wide * wide * wide;
  }
  return sum;
}

/* The scale of a call's factors: a power of 2 that keeps small products of them from becoming subnormal, and results of `most` at
   most far from infinite. */
CONVK_RARE_ CONVK_T CONVK_PRIVATE_(orbitals_scale)(double most, CONVK_PRIVATE_(orbitals_job) *job) {
  const double limit = (double)CONVK_GREATEST_ / 1048576;
  double scale = 1;
  int k;
  /* in long steps, then in short ones */
  for (k = 0; k + 32 <= CONVK_EITHER_(96, 800) && most * (scale * 2147483648.) < limit; k += 32) scale *= 4294967296.;
  for (; k < CONVK_EITHER_(96, 800) && most * scale < limit; k++) scale *= 2;
  job->inverse = (CONVK_T)(1 / scale);
  job->least = (CONVK_T)((double)CONVK_OF_(1.17549435082228751e-38f, 2.2250738585072014e-308) * scale);
  return (CONVK_T)scale;
}

/* One shell's part of the coefficients' product with the functions in monomials, rows `to` of its columns at distance `ld`; or,
   without coefficients, its functions themselves.  The largest element, or `largest`. */
CONVK_RARE_ double CONVK_PRIVATE_(orbitals_matrix)(const CONVK_PRIVATE_(orbital_shell) *s, double t[15][15], const CONVK_T *c,
                                                   size_t ldc, size_t rows, CONVK_T *to, size_t ld, double largest) {
  unsigned char where[15][15], count[15]; /* of each column, where it is not 0 */
  size_t o, j, k;
  for (j = 0; j < s->columns; j++)
    for (count[j] = 0, k = 0; k < s->functions; k++)
      if (t[k][j] != 0) where[j][count[j]++] = (unsigned char)k;
  for (o = 0; o < rows; o++, to += ld) {
    double most = 0; /* of this row: a wait for all before takes longer than the row */
    for (j = 0; j < s->columns; j++) {
      double sum = c ? 0 : t[o][j], minus;
      for (k = 0; c && k < count[j]; k++) sum += (double)CONVK_ONE_(c + o * ldc + where[j][k]) * t[where[j][k]][j];
      to[j] = (CONVK_T)sum;
      minus = -sum;
      sum = minus > sum ? minus : sum;
      most = most > sum ? most : sum;
    }
    largest = largest > most ? largest : most;
  }
  return largest;
}

/* Fills the arrays at `base`: exponents and factors of each group, and the product of the coefficients with the functions in
   monomials, formed in double and rounded once. */
CONVK_RARE_ void CONVK_PRIVATE_(orbitals_plan)(char *base, CONVK_PRIVATE_(orbitals_job) *job) {
  const convk_shell *shells = job->call.shells;
  const CONVK_T *coefficients = job->call.coefficients;
  const int fused = job->points.kernels->fused;
  size_t i, j, k, p, primitive = 0, radial = 0, function = 0, column = 0;
  CONVK_T *matrix;
  double t[15][15], scale, most = 0, largest = 1;
  job->groups = (CONVK_PRIVATE_(orbital_group) *)(void *)base;
  job->shells = (CONVK_PRIVATE_(orbital_shell) *)(void *)(base + job->at[1]);
  job->exponents = (CONVK_T *)(void *)(base + job->at[2]);
  job->radial = (CONVK_T *)(void *)(base + job->at[3]);
  matrix = job->matrix = (CONVK_T *)(void *)(base + job->at[4]);
  job->scratch = base + job->at[5];
  for (i = 0; i < job->call.nshells; i++) {
    CONVK_PRIVATE_(orbital_shell) *s = &job->shells[i];
    s->l = (size_t)shells[i].l;
    s->functions = (size_t)convk_shell_functions(shells[i].l, shells[i].order);
    s->columns = (s->l + 1) * (s->l + 2) / 2;
    s->function = function;
    s->column = column;
    s->matrix = matrix;
    if (!i || shells[i].l != shells[i - 1].l || shells[i].order != shells[i - 1].order)
      convk_shell_matrix_(shells[i].l, shells[i].order, t);
    if (coefficients) {
      largest = CONVK_PRIVATE_(orbitals_matrix)(s, t, coefficients + function, job->call.ldc, job->call.norbitals,
                                                job->matrix + column, job->columns, largest);
    } else {
      largest = CONVK_PRIVATE_(orbitals_matrix)(s, t, NULL, 0, s->functions, matrix, s->columns, largest);
      matrix += s->functions * s->columns;
    }
    most += CONVK_PRIVATE_(orbitals_most)(&shells[i]) * (double)s->columns;
    function += s->functions;
    column += s->columns;
  }
  scale = (double)CONVK_PRIVATE_(orbitals_scale)(most * largest, job);
  for (i = 0; i < job->call.nshells; i += job->groups[job->ngroups++].shells) {
    CONVK_PRIVATE_(orbital_group) *g = &job->groups[job->ngroups];
    const convk_shell *first = &shells[i];
    g->shells = convk_shells_alike_(job->call.nshells - i, first);
    g->shell = i;
    g->primitives = first->primitives;
    g->primitive = primitive;
    g->moved = i == 0 || memcmp(first->center, first[-1].center, sizeof first->center) != 0;
    for (k = 0; k < 3; k++) {
      g->center[k] = (CONVK_T)first->center[k];
      CONVK_IN_MEMORY_(g->center); /* gcc 12 takes (double)(float)x for x here */
      g->center[3 + k] = (CONVK_T)(first->center[k] - (double)g->center[k]);
    }
    for (p = 0; p < g->primitives; p++) {
      CONVK_T *a = job->exponents + primitive++;
      CONVK_PRIVATE_(gaussian_exponent)(fused, -first->exponents[p], a, a + job->primitives, a + 2 * job->primitives);
    }
    for (k = 0; k < g->shells; k++)
      for (j = 0; j < 3; j++)
        for (p = 0; p < g->primitives; p++) {
          const double slope = j ? -2 * first[k].exponents[p] : 1;
          job->radial[radial++] = (CONVK_T)(first[k].coefficients[p] * slope * (j == 2 ? slope : 1) * scale);
        }
  }
}

/* Where the results of a block of n points go: in the end, and before, where that is elsewhere. */
typedef struct CONVK_PRIVATE_(orbitals_out) {
  CONVK_T *last[5], *before[5];
  size_t last_ld, before_ld, n;
} CONVK_PRIVATE_(orbitals_out);

/* Products of `count` columns from `column` on, which lie at phi, with the coefficients: added where there is something. */
CONVK_RARE_ void CONVK_PRIVATE_(orbitals_product)(const CONVK_PRIVATE_(orbitals_job) *job, const CONVK_T *phi, size_t column,
                                                 size_t count, int more, int last, const CONVK_PRIVATE_(orbitals_out) *out) {
  CONVK_PRIVATE_(gaussian_sums) sums;
  size_t k;
  sums.rows = job->call.norbitals;
  sums.n = out->n;
  sums.m = count;
  sums.ldc = job->columns;
  sums.pitch = job->pitch;
  sums.c = job->matrix + column;
  sums.more = more;
  sums.last = last;
  sums.inverse = job->inverse;
  sums.least = job->least;
  for (k = 0; k < job->call.kinds && job->call.norbitals; k++) {
    sums.e = phi + k * CONVK_GAUSSIAN_COLUMNS_ * job->pitch;
    CONVK_PRIVATE_(sums_at)(&sums, out->before[k], out->before_ld);
    if (last) sums.out = out->last[k];
    if (last) sums.ld = out->last_ld;
    job->points.kernels->sums(&sums);
  }
}

/* Radial functions of a group and, with derivatives, R' / r and (R' / r)' / r: rows at `radial`.  0: all are 0. */
CONVK_RARE_ int CONVK_PRIVATE_(orbitals_radial)(const CONVK_PRIVATE_(orbitals_job) *job, const CONVK_PRIVATE_(orbital_group) *g,
                                               const CONVK_T *factors, CONVK_PRIVATE_(gaussian_part) *part, CONVK_T *radial) {
  CONVK_PRIVATE_(gaussian_sums) sums;
  size_t p;
  sums.rows = g->shells * (job->call.kinds > 1 ? 3 : 1);
  sums.m = sums.pitch = 0;
  sums.e = NULL;
  sums.inverse = sums.least = 0;
  sums.more = sums.last = 0;
  sums.n = part->np;
  sums.ldc = g->primitives * (job->call.kinds > 1 ? 1 : 3);
  CONVK_PRIVATE_(sums_at)(&sums, radial, job->pitch);
  for (p = 0; p < g->primitives; p += part->na) {
    part->na = convk_least_(g->primitives - p, CONVK_GAUSSIAN_ROWS_);
    part->a = job->exponents + g->primitive + p;
    part->b = part->a + job->primitives;
    part->top = part->b + job->primitives;
    sums.c = factors + p;
    if (sums.rows > CONVK_GAUSSIAN_SUMS_) CONVK_PRIVATE_(sums_by_strips)(job->points.kernels, part, &sums);
    else if (job->points.kernels->collect(part, &sums)) sums.more = 1;
  }
  return sums.more;
}

/* Functions of the shell at phi, as rows of the result. */
CONVK_RARE_ void CONVK_PRIVATE_(orbitals_rows)(const CONVK_PRIVATE_(orbitals_job) *job, const CONVK_PRIVATE_(orbital_shell) *s,
                                              const CONVK_T *phi, int none, const CONVK_PRIVATE_(orbitals_out) *out) {
  CONVK_PRIVATE_(gaussian_sums) sums;
  size_t k;
  sums.rows = s->functions;
  sums.n = out->n;
  sums.m = none ? 0 : s->columns;
  sums.ldc = s->columns;
  sums.pitch = job->pitch;
  sums.c = s->matrix;
  sums.more = 0;
  sums.last = 1;
  sums.inverse = job->inverse;
  sums.least = job->least;
  for (k = 0; k < job->call.kinds; k++) {
    sums.e = phi + k * CONVK_GAUSSIAN_COLUMNS_ * job->pitch;
    CONVK_PRIVATE_(sums_at)(&sums, out->last[k] + s->function * out->last_ld, out->last_ld);
    job->points.kernels->sums(&sums);
  }
}

/* n points from `first` on. */
CONVK_RARE_ void CONVK_PRIVATE_(orbitals_block)(const CONVK_PRIVATE_(orbitals_job) *job, CONVK_T *scratch, size_t first,
                                                size_t n) {
  const CONVK_PRIVATE_(gaussian_kernels) *kernels = job->points.kernels;
  const size_t pitch = job->pitch, kinds = job->call.kinds;
  CONVK_T *d = scratch, *strip = d + 4 * pitch, *radial = strip + CONVK_GAUSSIAN_STRIP_ * pitch;
  CONVK_T *stages = radial + 3 * CONVK_GAUSSIAN_SHELLS_ * pitch, *phi = stages + CONVK_GAUSSIAN_STAGES_ * pitch;
  CONVK_T *values = phi + kinds * CONVK_GAUSSIAN_COLUMNS_ * pitch, extremes[2];
  const CONVK_T *factors = job->radial;
  CONVK_PRIVATE_(orbitals_out) out;
  CONVK_PRIVATE_(gaussian_part) part = job->part;
  CONVK_PRIVATE_(gaussian_shell) shell;
  size_t i, k, begin = 0, waiting = 0; /* columns that wait for the product, from `begin` on */
  int more = 0;
  out.n = n;
  out.last_ld = job->call.density ? pitch : job->call.ld;
  out.before_ld = job->wide ? pitch : job->call.ld;
  for (k = 0; k < kinds; k++) {
    CONVK_T *to = job->call.out[k] + first;
    out.before[k] = job->wide ? values + k * job->call.norbitals * pitch : to;
    out.last[k] = job->call.density ? values : to;
  }
  part.np = shell.n = convk_round_up_(n, 16);
  part.s = d + 3 * pitch;
  part.out = strip;
  part.ld = shell.pitch = pitch;
  shell.strip = kinds > 1 ? CONVK_GAUSSIAN_COLUMNS_ * pitch : 0;
  shell.d = d;
  shell.scratch = stages;
  for (i = 0; i < job->ngroups; i++) {
    const CONVK_PRIVATE_(orbital_group) *g = &job->groups[i];
    int some;
    if (g->moved) {
      CONVK_PRIVATE_(gaussian_near)(&job->points, first, n, g->center, d, pitch, d + 3 * pitch, NULL, extremes);
      part.s_least = extremes[0];
      part.s_most = extremes[1];
    }
    some = CONVK_PRIVATE_(orbitals_radial)(job, g, factors, &part, radial);
    factors += 3 * g->shells * g->primitives;
    for (k = 0; k < g->shells; k++) {
      const CONVK_PRIVATE_(orbital_shell) *s = &job->shells[g->shell + k];
      if (waiting && (!some || waiting + s->columns > CONVK_GAUSSIAN_COLUMNS_)) {
        CONVK_PRIVATE_(orbitals_product)(job, phi, begin, waiting, more, 0, &out);
        more = 1;
        waiting = 0;
      }
      if (!waiting) begin = s->column;
      shell.l = s->l;
      shell.radial = radial + k * (kinds > 1 ? 3 : 1) * pitch;
      shell.to = phi + waiting * pitch;
      if (some) kernels->shell(&shell);
      if (!job->call.coefficients) CONVK_PRIVATE_(orbitals_rows)(job, s, phi, !some, &out);
      else if (some) waiting += s->columns;
    }
  }
  if (job->call.coefficients) CONVK_PRIVATE_(orbitals_product)(job, phi, begin, waiting, more, 1, &out);
  if (job->call.density) kernels->squares(values, pitch, job->call.norbitals, job->call.occupations, job->call.out[0] + first, n);
}

CONVK_LOCAL_ void CONVK_PRIVATE_(orbitals_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(orbitals_job) *job = (const CONVK_PRIVATE_(orbitals_job) *)arg;
  const size_t begin = index * job->points.chunk, n = convk_least_(job->points.p.n - begin, job->points.chunk);
  CONVK_T *scratch = (CONVK_T *)(void *)(job->scratch + index * job->task);
  size_t p;
  for (p = 0; p < n; p += job->block)
    CONVK_PRIVATE_(orbitals_block)(job, scratch, begin + p, convk_least_(n - p, job->block));
}

/* Shells and sizes: what the arguments must be whatever the points are.  Factors of exponentials, with derivatives 4 a^2 c too,
   must fit the type. */
CONVK_RARE_ int CONVK_PRIVATE_(orbitals_shells)(char *message, CONVK_PRIVATE_(orbitals_job) *job) {
  size_t i, p, k;
  const int status =
      convk_shells_check(job->call.nshells, job->call.shells, &job->functions, message, CONVK_MESSAGE_BYTES_);
  if (status) return status;
  for (i = 0; i < job->call.nshells; i++) {
    const convk_shell *s = &job->call.shells[i];
    for (k = 0; k < 3; k++)
      if (s->center[k] > (double)CONVK_GREATEST_ || s->center[k] < -(double)CONVK_GREATEST_)
        return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "shells[%].center[%] does not fit the type", (int64_t)i, (int64_t)k, 0);
    for (p = 0; p < s->primitives; p++) {
      const double a = s->exponents[p], c = s->coefficients[p] < 0 ? -s->coefficients[p] : s->coefficients[p];
      if (!(c <= (double)CONVK_GREATEST_))
        return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "shells[%].coefficients[%] does not fit the type", (int64_t)i, (int64_t)p,
                             0);
      if (job->call.kinds > 1 && !(c * a * a <= (double)CONVK_GREATEST_ / 4))
        return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "shells[%]: 4 a^2 times coefficients[%] does not fit the type", (int64_t)i,
                             (int64_t)p, 0);
    }
  }
  return CONVK_OK;
}

/* Results: rows of n elements at each of the kinds, apart from the points and each other.  Sets *bytes of one, and fills in ld. */
CONVK_RARE_ int CONVK_PRIVATE_(orbitals_results)(char *message, int where, CONVK_PRIVATE_(orbitals_call) *call,
                                                 const CONVK_TYPED_(points) *p, size_t *bytes) {
  const size_t rows = call->density ? 1 : call->norbitals;
  size_t i, k;
  for (k = 0; k < call->kinds; k++)
    if (where != CONVK_GAUSSIAN_HANDLES_ && rows && p->n && !call->out[k])
      return convk_refuse_at_(message, CONVK_ERR_NULL, "result % is NULL", (int64_t)k, 0, 0);
  if (!call->ld) call->ld = p->n;
  if (call->ld < p->n)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "ld is %, less than the % points", (int64_t)call->ld, (int64_t)p->n, 0);
  if (call->ld > (size_t)-1 / 64 || convk_rows_bytes_(rows, p->n, call->ld, sizeof(CONVK_T), bytes)) return CONVK_ERR_OVERFLOW;
  for (k = 0; k < call->kinds; k++) {
    if (CONVK_PRIVATE_(points_overlap)(p, call->out[k], *bytes)) return CONVK_ERR_OVERLAP;
    for (i = 0; i < k; i++)
      if (convk_overlap_(call->out[i], *bytes, call->out[k], *bytes)) return CONVK_ERR_OVERLAP;
  }
  return CONVK_OK;
}

/* Whether memory that is written overlaps what orbitals are made of. */
CONVK_RARE_ int CONVK_PRIVATE_(orbitals_overlap)(const CONVK_PRIVATE_(orbitals_call) *call, size_t c_bytes, const void *out,
                                                 size_t bytes) {
  return convk_overlap_(call->coefficients, c_bytes, out, bytes) ||
         convk_overlap_(call->occupations, call->norbitals * sizeof(CONVK_T), out, bytes) ||
         convk_shells_overlap_(call->nshells, call->shells, out, bytes);
}

/* All checks. */
CONVK_RARE_ int CONVK_PRIVATE_(orbitals_check)(const CONVK_PRIVATE_(gaussian_kernels) *kernels, const convk *hw, char *message,
                                               int where, const CONVK_PRIVATE_(orbitals_call) *given, CONVK_PRIVATE_(orbitals_job) *job) {
  CONVK_PRIVATE_(orbitals_call) *call = &job->call;
  const CONVK_TYPED_(points) *p = &job->points.p;
  size_t bytes, c_bytes, tasks, k;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  memset(job, 0, sizeof *job);
  job->call = *given;
  if (!status) status = CONVK_PRIVATE_(points_check)(kernels, message, where, call->points, &job->points);
  if (!status)
    status =
        CONVK_PRIVATE_(gaussian_begin)(message, kernels->fused, call->options, 1, 0, CONVK_GAUSSIAN_LEAST_PRIMITIVE_, &job->part);
  if (!status && call->density && call->norbitals && !call->occupations)
    status = convk_refuse_(message, CONVK_ERR_NULL, "occupations is NULL");
  if (!status) status = CONVK_PRIVATE_(orbitals_shells)(message, job);
  if (!status && !call->coefficients && call->norbitals != job->functions)
    status = convk_refuse_at_(message, CONVK_ERR_SIZE, "norbitals is %, and without coefficients the shells have % functions",
                              (int64_t)call->norbitals, (int64_t)job->functions, 0);
  if (!status && !call->ldc) call->ldc = job->functions;
  if (!status && call->ldc < job->functions)
    status = convk_refuse_at_(message, CONVK_ERR_PITCH, "ldc is %, less than the % functions of the shells", (int64_t)call->ldc,
                              (int64_t)job->functions, 0);
  if (!status && call->ldc > (size_t)-1 / 64) status = CONVK_ERR_OVERFLOW;
  if (!status)
    status = convk_rows_bytes_(call->coefficients ? call->norbitals : 0, job->functions, call->ldc, sizeof(CONVK_T), &c_bytes);
  if (!status) status = CONVK_PRIVATE_(orbitals_results)(message, where, call, p, &bytes);
  if (status) return status;
  for (k = 0; k < call->kinds; k++)
    if (CONVK_PRIVATE_(orbitals_overlap)(call, c_bytes, call->out[k], bytes) ||
        convk_overlap_(call->work, call->work_size, call->out[k], bytes))
      return CONVK_ERR_OVERLAP;
  if (CONVK_PRIVATE_(points_overlap)(p, call->work, call->work_size) ||
      CONVK_PRIVATE_(orbitals_overlap)(call, c_bytes, call->work, call->work_size))
    return CONVK_ERR_OVERLAP;
  if (c_bytes && !CONVK_PRIVATE_(rows_finite)(kernels, call->coefficients, call->norbitals, job->functions, call->ldc))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "an element of coefficients is not finite");
  if (call->density && !CONVK_PRIVATE_(rows_finite)(kernels, call->occupations, 1, call->norbitals, 0))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "an element of occupations is not finite");
  job->alone = !call->coefficients;
  status = CONVK_PRIVATE_(orbitals_layout)(1, job);
  tasks = CONVK_PRIVATE_(gaussian_tasks)(hw, p->n, (double)call->kinds * ((double)job->primitives +
                                         (double)job->columns * (1 + (double)(job->alone ? 1 : call->norbitals) / 8)));
  if (!status && tasks > 1) status = CONVK_PRIVATE_(orbitals_layout)(tasks, job);
  job->points.chunk = convk_round_up_(convk_ceil_(p->n, tasks), 64 / sizeof(CONVK_T));
  return status || where != CONVK_GAUSSIAN_HOST_ ? status : CONVK_PRIVATE_(points_finite)(hw, &job->points);
}

CONVK_RARE_ int CONVK_PRIVATE_(orbitals_all)(const CONVK_PRIVATE_(gaussian_kernels) *kernels, const convk *hw,
                                             const CONVK_PRIVATE_(orbitals_call) *call) {
  CONVK_PRIVATE_(orbitals_job) job;
  convk_work_ memory;
  int status;
  if (kernels->orbitals) {
    CONVK_PRIVATE_(orbitals_call) own = *call;
    own.work = NULL;
    own.work_size = 0;
    return kernels->orbitals(hw, &own);
  }
  status = CONVK_PRIVATE_(orbitals_check)(kernels, hw, convk_message_(hw), CONVK_GAUSSIAN_HOST_, call, &job);
  if (status || !job.points.p.n || (!call->density && !call->norbitals)) return status;
  status = convk_work_begin_(&memory, call->work, call->work_size, job.need);
  if (status) return status;
  CONVK_PRIVATE_(orbitals_plan)(memory.base, &job);
  status = convk_run_(hw, convk_ceil_(job.points.p.n, job.points.chunk), CONVK_PRIVATE_(orbitals_task), &job);
  convk_work_end_(&memory);
  return status;
}

CONVK_LOCAL_ int CONVK_PRIVATE_(orbitals_cpu)(const CONVK_PRIVATE_(gaussian_kernels) *kernels, const convk *hw,
                                            const CONVK_TYPED_(points) *points, size_t nshells, const convk_shell *shells,
                                            size_t norbitals, const CONVK_T *coefficients, size_t ldc,
                                            const convk_gaussian_options *options, CONVK_T *value, size_t ld, void *work,
                                            size_t work_size) {
  const CONVK_PRIVATE_(orbitals_call) call = {points, nshells, shells,    norbitals, coefficients, ldc, options, ld,
                                              NULL,   work,    work_size, 0,         1,            {value, NULL, NULL, NULL, NULL}};
  return CONVK_PRIVATE_(orbitals_all)(kernels, hw, &call);
}
CONVK_LOCAL_ int CONVK_PRIVATE_(orbitals_vgl_cpu)(const CONVK_PRIVATE_(gaussian_kernels) *kernels, const convk *hw,
                                                const CONVK_TYPED_(points) *points, size_t nshells, const convk_shell *shells,
                                                size_t norbitals, const CONVK_T *coefficients, size_t ldc,
                                                const convk_gaussian_options *options, CONVK_T *value, CONVK_T *dx, CONVK_T *dy,
                                                CONVK_T *dz, CONVK_T *laplacian, size_t ld, void *work, size_t work_size) {
  const CONVK_PRIVATE_(orbitals_call) call = {points, nshells, shells,    norbitals, coefficients, ldc, options, ld,
                                              NULL,   work,    work_size, 0,         5,            {value, dx, dy, dz, laplacian}};
  return CONVK_PRIVATE_(orbitals_all)(kernels, hw, &call);
}
CONVK_LOCAL_ int CONVK_PRIVATE_(density_cpu)(const CONVK_PRIVATE_(gaussian_kernels) *kernels, const convk *hw,
                                           const CONVK_TYPED_(points) *points, size_t nshells, const convk_shell *shells,
                                           size_t norbitals, const CONVK_T *coefficients, size_t ldc, const CONVK_T *occupations,
                                           const convk_gaussian_options *options, CONVK_T *density, void *work,
                                           size_t work_size) {
  const CONVK_PRIVATE_(orbitals_call) call = {points,      nshells, shells,    norbitals, coefficients, ldc, options, 0,
                                              occupations, work,    work_size, 1,         1, {density, NULL, NULL, NULL, NULL}};
  return CONVK_PRIVATE_(orbitals_all)(kernels, hw, &call);
}

/* ---- public operations ---- */

CONVK_API_ size_t CONVK_TYPED_(orbitals_work_size)(const convk *hw, size_t nshells, const convk_shell *shells, size_t norbitals) {
  CONVK_PRIVATE_(orbitals_job) job;
  size_t need;
  memset(&job, 0, sizeof job);
  job.call.nshells = nshells;
  job.call.shells = shells;
  if (CONVK_PRIVATE_(orbitals_shells)(NULL, &job)) return 0;
  job.call.norbitals = norbitals ? norbitals : job.functions;
  job.alone = !norbitals;
  job.call.kinds = 5;
  if (CONVK_PRIVATE_(orbitals_layout)(convk_threads_(hw), &job)) return 0;
  need = job.need;
  job.call.kinds = 1;
  job.call.density = 1;
  if (CONVK_PRIVATE_(orbitals_layout)(convk_threads_(hw), &job)) return 0;
  return need > job.need ? need : job.need;
}
/* ---- src/gaussian/tuner.h ---- */
CONVK_RARE_ int CONVK_PRIVATE_(trial_gaussian_run)(convk_trial_ *t, void **result) {
  const size_t n = t->entry.nx, m = t->entry.ny, k = t->entry.nz;
  CONVK_T *in = (CONVK_T *)t->array[0], *out = (CONVK_T *)t->array[1];
  CONVK_TYPED_(points) points;
  points.n = n;
  points.x = in;
  points.y = in + n;
  points.z = in + 2 * n;
  points.stride = 1;
  *result = out;
  if (t->what->which == 0)
    return CONVK_TYPED_(gridpot)(&t->hw, &points, NULL, m, in + 3 * n, NULL, out, 0);
  if (t->what->which == 1)
    return CONVK_TYPED_(gridpot_sum)(&t->hw, &points, NULL, m, in + 3 * n, k, in + 3 * n + m, 0, NULL, out, 0);
  { /* s functions of three primitives each */
    static const double exponents[3] = {0.25, 1.5, 9}, coefficients[3] = {0.5, 0.75, 1};
    convk_shell *shells = (convk_shell *)CONVK_MALLOC(m * sizeof *shells);
    size_t i;
    int status = CONVK_ERR_MEMORY;
    if (!shells) return status;
    memset(shells, 0, m * sizeof *shells);
    for (i = 0; i < m; i++) {
      shells[i].center[0] = 0.125 * (double)(i % 8);
      shells[i].primitives = 3;
      shells[i].exponents = exponents;
      shells[i].coefficients = coefficients;
    }
    status = convk_trial_work_(t, CONVK_TYPED_(orbitals_work_size)(&t->hw, m, shells, k));
    if (!status)
      status = CONVK_TYPED_(orbitals)(&t->hw, &points, m, shells, k, in + 3 * n, 0, NULL, out, 0, t->work, t->work_size);
    CONVK_FREE(shells);
    return status;
  }
}

CONVK_ACROSS_ int CONVK_PRIVATE_(trial_gaussian)(convk_trial_ *t) {
  const size_t most = (size_t)1 << 28;
  const convk_grid3 *g = &t->shape.grid;
  t->entry.nx = g->nx;
  t->entry.ny = g->ny;
  t->entry.nz = g->nz ? g->nz : 1;
  t->entry.length = 1;
  if (!g->nx || !g->ny) return CONVK_ERR_SIZE;
  if (g->nx > most || g->ny > most / g->nx || t->entry.nz > most / g->nx || t->entry.nz > most / g->ny) return CONVK_ERR_OVERFLOW;
  t->bytes = g->ny > t->entry.nz ? g->ny : t->entry.nz; /* rows of results at most */
  t->bytes = (g->nx * t->bytes + 3 * g->nx + g->ny * (1 + t->entry.nz)) * sizeof(CONVK_T);
  t->fill = CONVK_PRIVATE_(trial_fill);
  t->run = CONVK_PRIVATE_(trial_gaussian_run);
  t->unit = 16;
  return CONVK_OK;
}
#endif
#if CONVK_HAS_FORMFACTOR_
/* ---- src/formfactor/meshes.h ---- */

/* ---- meshes ---- */

/* Whether the first `count` arrays of a mesh are there: areas, centroids and both corners, x, y and z of each; `field` then has all
   that there are. */
CONVK_RARE_ int CONVK_PRIVATE_(mesh_arrays)(const CONVK_TYPED_(mesh) *mesh, int count, CONVK_PRIVATE_(any) *field[12]) {
  size_t bytes;
  int i;
  if (!mesh) return CONVK_ERR_NULL;
  memcpy(field, (const char *)mesh + offsetof(CONVK_TYPED_(mesh), ax), 12 * sizeof *field);
  for (i = 0; i < count && mesh->n; i++)
    if (!field[i]) return CONVK_ERR_NULL;
  return convk_mul_(mesh->n, 12 * sizeof(CONVK_T), &bytes);
}

/* What is wrong with a coordinate; areas of larger ones overflow. */
CONVK_LOCAL_ int CONVK_PRIVATE_(mesh_coordinate)(CONVK_PRIVATE_(any) x) {
  if (x <= CONVK_OF_(1e18, 1e153) && x >= CONVK_OF_(-1e18, -1e153)) return CONVK_OK;
  return CONVK_PRIVATE_(finite)(x) ? CONVK_ERR_RANGE : CONVK_ERR_COORDINATE;
}

CONVK_LOCAL_ void CONVK_PRIVATE_(indexed_axes)(const CONVK_TYPED_(indexed_mesh) *mesh, const CONVK_PRIVATE_(any) *axis[3]) {
  axis[0] = mesh->x;
  axis[1] = mesh->y;
  axis[2] = mesh->z;
}

/* Everything that can be wrong with an indexed mesh by itself. */
CONVK_RARE_ int CONVK_PRIVATE_(indexed_check)(const CONVK_TYPED_(indexed_mesh) *mesh) {
  const CONVK_PRIVATE_(any) *axis[3];
  const convk_any_u32_ *face;
  size_t i, k, bytes;
  int status = CONVK_OK;
  if (!mesh || (mesh->faces && !mesh->face) || (mesh->vertices && (!mesh->x || !mesh->y || !mesh->z))) return CONVK_ERR_NULL;
  if (mesh->faces > CONVK_FACES_MAX_ || convk_mul_(mesh->vertices, sizeof(CONVK_T), &bytes)) return CONVK_ERR_OVERFLOW;
  face = mesh->face;
  for (i = 0; i < 3 * mesh->faces; i++)
    if (face[i] >= mesh->vertices) return CONVK_ERR_FACE;
  CONVK_PRIVATE_(indexed_axes)(mesh, axis);
  for (k = 0; k < 3; k++)
    for (i = 0; i < mesh->vertices && !status; i++) status = CONVK_PRIVATE_(mesh_coordinate)(axis[k][i]);
  return status;
}

CONVK_LOCAL_ int CONVK_PRIVATE_(indexed_touches)(const CONVK_TYPED_(indexed_mesh) *mesh, const void *p, size_t bytes) {
  const size_t axis = mesh->vertices * sizeof(CONVK_T);
  return convk_overlap_(p, bytes, mesh->face, 3 * mesh->faces * sizeof *mesh->face) ||
         convk_overlap_(p, bytes, mesh->x, axis) || convk_overlap_(p, bytes, mesh->y, axis) ||
         convk_overlap_(p, bytes, mesh->z, axis);
}

/* Where triangles come from: arrays, or where some of the first `count` are missing, faces, which *indexed then has. */
CONVK_RARE_ int CONVK_PRIVATE_(mesh_source)(const CONVK_TYPED_(mesh) *mesh, int count, CONVK_PRIVATE_(any) *field[12],
                                            const CONVK_TYPED_(indexed_mesh) **indexed) {
  const int status = CONVK_PRIVATE_(mesh_arrays)(mesh, count, field);
  *indexed = NULL;
  if (!mesh || !mesh->indexed || (status && status != CONVK_ERR_NULL)) return status;
  if (status) *indexed = mesh->indexed;
  return mesh->indexed->faces != mesh->n ? CONVK_ERR_SIZE : CONVK_PRIVATE_(indexed_check)(mesh->indexed);
}

/* The nine coordinates of a face. */
CONVK_LOCAL_ void CONVK_PRIVATE_(indexed_corners)(const CONVK_TYPED_(indexed_mesh) *mesh, size_t face, double v[9]) {
  const CONVK_PRIVATE_(any) *axis[3];
  const convk_any_u32_ *corner = mesh->face;
  size_t k;
  CONVK_PRIVATE_(indexed_axes)(mesh, axis);
  for (k = 0; k < 9; k++) v[k] = (double)axis[k % 3][corner[3 * face + k / 3]];
}

/* Triangle t of the arrays that there are, from its corners. */
CONVK_LOCAL_ void CONVK_PRIVATE_(mesh_triangle)(const double v[9], CONVK_PRIVATE_(any) *const field[12], size_t t) {
  double e[3], f[3], center;
  int i;
  for (i = 0; i < 3; i++) {
    e[i] = v[3 + i] - v[i];
    f[i] = v[6 + i] - v[i];
    center = v[i] + (e[i] + f[i]) / 3;
    field[3 + i][t] = (CONVK_T)center;
    if (field[6 + i]) field[6 + i][t] = (CONVK_T)(v[i] - center);
    if (field[9 + i]) field[9 + i][t] = (CONVK_T)(v[3 + i] - center);
  }
  field[0][t] = (CONVK_T)((e[1] * f[2] - e[2] * f[1]) / 2);
  field[1][t] = (CONVK_T)((e[2] * f[0] - e[0] * f[2]) / 2);
  field[2][t] = (CONVK_T)((e[0] * f[1] - e[1] * f[0]) / 2);
}

/* The first `count` arrays of triangles first .. first + n - 1; those made of faces lie in room for count n numbers. */
CONVK_LOCAL_ void CONVK_PRIVATE_(mesh_block)(CONVK_PRIVATE_(any) *const field[12], const CONVK_TYPED_(indexed_mesh) *indexed,
                                             size_t first, size_t n, int count, CONVK_T *room, CONVK_PRIVATE_(any) *block[12]) {
  double v[9];
  size_t t;
  int i;
  for (i = 0; i < 12; i++) block[i] = i >= count ? NULL : indexed ? room + (size_t)i * n : field[i] + first;
  for (t = 0; t < n && indexed; t++) {
    CONVK_PRIVATE_(indexed_corners)(indexed, first + t, v);
    CONVK_PRIVATE_(mesh_triangle)(v, block, t);
  }
}

CONVK_API_ int CONVK_TYPED_(mesh_assign)(size_t n, int corners, CONVK_T *storage, CONVK_TYPED_(mesh) *mesh) {
  CONVK_T *field[12];
  size_t bytes, i;
  if (!storage || !mesh) return CONVK_ERR_NULL;
  if (convk_mul_(n, 12 * sizeof *storage, &bytes)) return CONVK_ERR_OVERFLOW;
  mesh->n = n;
  for (i = 0; i < 12; i++) field[i] = i < 6 || corners ? storage + i * n : NULL;
  memcpy((char *)mesh + offsetof(CONVK_TYPED_(mesh), ax), field, sizeof field);
  mesh->indexed = NULL;
  return CONVK_OK;
}

/* Whether arrays of a mesh share memory with each other or with `bytes` at p. */
CONVK_LOCAL_ int CONVK_PRIVATE_(mesh_touches)(CONVK_PRIVATE_(any) *const field[12], size_t n, const void *p, size_t bytes) {
  int i, k;
  for (i = 0; i < 12; i++) {
    if (convk_overlap_(p, bytes, field[i], n * sizeof(CONVK_T))) return 1;
    for (k = 0; k < i; k++)
      if (convk_overlap_(field[k], n * sizeof(CONVK_T), field[i], n * sizeof(CONVK_T))) return 1;
  }
  return 0;
}

CONVK_API_ int CONVK_TYPED_(mesh_from_triangles)(const CONVK_T *corners, const CONVK_TYPED_(mesh) *mesh) {
  const CONVK_PRIVATE_(any) *from = corners;
  CONVK_PRIVATE_(any) *field[12];
  size_t t, k;
  int status = CONVK_PRIVATE_(mesh_arrays)(mesh, 6, field);
  if (!status && !corners && mesh->n) status = CONVK_ERR_NULL;
  if (!status && CONVK_PRIVATE_(mesh_touches)(field, mesh->n, corners, 9 * mesh->n * sizeof *corners))
    status = CONVK_ERR_OVERLAP;
  for (t = 0; !status && t < 9 * mesh->n; t++) status = CONVK_PRIVATE_(mesh_coordinate)(from[t]);
  for (t = 0; !status && t < mesh->n; t++, from += 9) {
    double v[9];
    for (k = 0; k < 9; k++) v[k] = (double)from[k];
    CONVK_PRIVATE_(mesh_triangle)(v, field, t);
  }
  return status;
}

CONVK_API_ int CONVK_TYPED_(mesh_from_faces)(const CONVK_TYPED_(mesh) *mesh) {
  const CONVK_TYPED_(indexed_mesh) *indexed;
  CONVK_PRIVATE_(any) *field[12];
  size_t t, k;
  int status = CONVK_PRIVATE_(mesh_arrays)(mesh, 6, field);
  if (!status && !mesh->indexed) status = CONVK_ERR_NULL;
  if (!status) status = CONVK_PRIVATE_(mesh_source)(mesh, 6, field, &indexed);
  if (status) return status;
  if (CONVK_PRIVATE_(mesh_touches)(field, mesh->n, NULL, 0)) return CONVK_ERR_OVERLAP;
  for (k = 0; k < 12; k++)
    if (CONVK_PRIVATE_(indexed_touches)(mesh->indexed, field[k], mesh->n * sizeof(CONVK_T))) return CONVK_ERR_OVERLAP;
  for (t = 0; t < mesh->n; t++) {
    double v[9];
    CONVK_PRIVATE_(indexed_corners)(mesh->indexed, t, v);
    CONVK_PRIVATE_(mesh_triangle)(v, field, t);
  }
  return status;
}

/* Bits of a coordinate that tell vertices apart; both zeros are one. */
CONVK_LOCAL_ uint64_t CONVK_PRIVATE_(vertex_bits)(CONVK_PRIVATE_(any) x) {
  const CONVK_T value = x + 0; /* -0 + 0 is 0 */
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

CONVK_API_ int CONVK_TYPED_(mesh_join)(const CONVK_T *corners, CONVK_TYPED_(indexed_mesh) *mesh, void *work, size_t work_size) {
  const CONVK_PRIVATE_(any) *from = corners;
  CONVK_PRIVATE_(any) *axis[3];
  const void *array[6];
  size_t bytes[6], places, need, i, k, count = 0;
  convk_any_u32_ *face;
  uint32_t *slot;
  convk_work_ memory;
  int status = CONVK_OK;
  if (!mesh || (mesh->faces && (!corners || !mesh->face || !mesh->x || !mesh->y || !mesh->z))) return CONVK_ERR_NULL;
  need = convk_mesh_work_size(0, mesh->faces);
  if (need == (size_t)-1 || convk_mul_(mesh->faces, 9 * sizeof(CONVK_T), &bytes[0])) return CONVK_ERR_OVERFLOW;
  array[0] = corners;
  array[1] = axis[0] = mesh->x;
  array[2] = axis[1] = mesh->y;
  array[3] = axis[2] = mesh->z;
  array[4] = mesh->face;
  array[5] = work;
  for (k = 1; k < 4; k++) bytes[k] = 3 * mesh->faces * sizeof(CONVK_T);
  bytes[4] = 3 * mesh->faces * sizeof(uint32_t);
  bytes[5] = work_size;
  for (i = 1; i < 6; i++)
    for (k = 0; k < i; k++)
      if (convk_overlap_(array[i], bytes[i], array[k], bytes[k])) return CONVK_ERR_OVERLAP;
  for (i = 0; !status && i < 9 * mesh->faces; i++) status = CONVK_PRIVATE_(mesh_coordinate)(from[i]);
  if (!status) status = convk_work_begin_(&memory, work, work_size, need);
  if (status) return status;
  face = mesh->face;
  slot = (uint32_t *)(void *)memory.base; /* a vertex and one, or 0: free */
  places = convk_mesh_slots_(mesh->faces);
  memset(slot, 0, places * sizeof *slot);
  for (i = 0; i < 3 * mesh->faces; i++, from += 3) {
    uint64_t b[3], h;
    size_t at;
    for (k = 0; k < 3; k++) b[k] = CONVK_PRIVATE_(vertex_bits)(from[k]);
    h = convk_mix_(b[0] ^ convk_mix_(b[1] ^ convk_mix_(b[2])));
    for (at = (size_t)h & (places - 1); slot[at]; at = (at + 1) & (places - 1)) {
      const size_t v = slot[at] - 1;
      if (CONVK_PRIVATE_(vertex_bits)(axis[0][v]) == b[0] && CONVK_PRIVATE_(vertex_bits)(axis[1][v]) == b[1] &&
          CONVK_PRIVATE_(vertex_bits)(axis[2][v]) == b[2])
        break;
    }
    if (!slot[at]) {
      for (k = 0; k < 3; k++) axis[k][count] = from[k];
      slot[at] = (uint32_t)++count;
    }
    face[i] = slot[at] - 1;
  }
  mesh->vertices = count;
  convk_work_end_(&memory);
  return CONVK_OK;
}

CONVK_API_ int CONVK_TYPED_(mesh_corners)(const CONVK_TYPED_(indexed_mesh) *mesh, CONVK_T *corners) {
  const CONVK_PRIVATE_(any) *axis[3];
  CONVK_PRIVATE_(any) *to = corners;
  const convk_any_u32_ *face;
  size_t i, bytes;
  int status = CONVK_PRIVATE_(indexed_check)(mesh);
  if (!status && !corners && mesh->faces) status = CONVK_ERR_NULL;
  if (!status) status = convk_mul_(mesh->faces, 9 * sizeof *corners, &bytes);
  if (status) return status;
  CONVK_PRIVATE_(indexed_axes)(mesh, axis);
  if (CONVK_PRIVATE_(indexed_touches)(mesh, corners, bytes)) return CONVK_ERR_OVERLAP;
  face = mesh->face;
  for (i = 0; i < 9 * mesh->faces; i++) to[i] = axis[i % 3][face[i / 3]];
  return CONVK_OK;
}

CONVK_API_ int CONVK_TYPED_(mesh_check)(const CONVK_TYPED_(indexed_mesh) *mesh, convk_mesh_report *report, void *work,
                                        size_t work_size) {
  const CONVK_PRIVATE_(any) *axis[3];
  convk_mesh_report r;
  convk_work_ memory;
  double from[3] = {0, 0, 0};
  const convk_any_u32_ *face;
  unsigned char *used;
  size_t i, need;
  int d, status = CONVK_PRIVATE_(indexed_check)(mesh);
  if (!status && !report) status = CONVK_ERR_NULL;
  if (status) return status;
  need = convk_mesh_work_size(mesh->vertices, mesh->faces);
  if (need == (size_t)-1) return CONVK_ERR_OVERFLOW;
  CONVK_PRIVATE_(indexed_axes)(mesh, axis);
  if (CONVK_PRIVATE_(indexed_touches)(mesh, work, work_size)) return CONVK_ERR_OVERLAP;
  status = convk_work_begin_(&memory, work, work_size, need);
  if (status) return status;
  memset(&r, 0, sizeof r);
  face = mesh->face;
  convk_mesh_edges_(face, mesh->faces, (convk_edge_ *)(void *)memory.base, &r);
  used = (unsigned char *)memory.base;
  memset(used, 0, mesh->vertices);
  for (i = 0; i < 3 * mesh->faces; i++) used[face[i]] = 1;
  for (i = 0; i < mesh->vertices; i++) r.unused += !used[i];
  convk_work_end_(&memory);
  for (d = 0; d < 3 && r.closed && mesh->faces; d++)
    from[d] = (double)axis[d][face[0]]; /* the volume about any point is the same: a near one */
  for (i = 0; i < mesh->faces; i++) {
    double v[9], e[3], f[3], square = 0, volume = 0;
    CONVK_PRIVATE_(indexed_corners)(mesh, i, v);
    for (d = 0; d < 3; d++) {
      e[d] = v[3 + d] - v[d];
      f[d] = v[6 + d] - v[d];
    }
    for (d = 0; d < 3; d++) {
      const int k = (d + 1) % 3, l = (d + 2) % 3;
      const double a = e[k] * f[l] - e[l] * f[k];
      square += a * a;
      volume += a * (v[d] - from[d]);
    }
    r.degenerate += !(square > 0);
    r.area += convk_sqrt_(square) / 2;
    r.volume += volume / 6;
  }
  *report = r;
  return CONVK_OK;
}

/* The square of the longest edge of triangle t; 0 where its corners are not known. */
CONVK_LOCAL_ double CONVK_PRIVATE_(mesh_edge)(CONVK_PRIVATE_(any) *const field[12], const CONVK_TYPED_(indexed_mesh) *indexed,
                                              size_t t) {
  double v[9], most = 0;
  int d, k, corners = 1;
  for (d = 6; d < 12; d++) corners = corners && field[d];
  if (corners) {
    for (d = 0; d < 3; d++) {
      v[d] = (double)field[6 + d][t];
      v[3 + d] = (double)field[9 + d][t];
      v[6 + d] = -v[d] - v[3 + d];
    }
  } else {
    if (!indexed) return 0;
    CONVK_PRIVATE_(indexed_corners)(indexed, t, v);
  }
  for (k = 0; k < 9; k += 3) {
    double square = 0;
    for (d = 0; d < 3; d++) square += (v[(k + 3) % 9 + d] - v[k + d]) * (v[(k + 3) % 9 + d] - v[k + d]);
    if (square > most) most = square;
  }
  return most;
}

CONVK_API_ int CONVK_TYPED_(mesh_measure)(const CONVK_TYPED_(mesh) *mesh, convk_mesh_measures *measures) {
  const double eps = CONVK_OF_(1.0 / 8388608, 1.0 / 4503599627370496.);
  const CONVK_TYPED_(indexed_mesh) *indexed;
  CONVK_PRIVATE_(any) *all[12], *field[12];
  CONVK_T room[6 * CONVK_FORM_BLOCK_];
  convk_mesh_measures m;
  double gap = 0, rough = 0, edge = 0;
  size_t first, n, t;
  int i, status = CONVK_PRIVATE_(mesh_source)(mesh, 6, all, &indexed);
  if (!status && !measures) status = CONVK_ERR_NULL;
  if (status) return status;
  memset(&m, 0, sizeof m);
  for (first = 0; first < mesh->n; first += n) {
    n = mesh->n - first < CONVK_FORM_BLOCK_ ? mesh->n - first : CONVK_FORM_BLOCK_;
    CONVK_PRIVATE_(mesh_block)(all, indexed, first, n, 6, room, field);
    for (t = 0; t < n; t++) {
      double a[3], square = 0;
      for (i = 0; i < 3; i++) {
        const double r = (double)field[3 + i][t];
        a[i] = (double)field[i][t];
        if (!convk_finite_f64_(a[i]) || !convk_finite_f64_(r)) return CONVK_ERR_COORDINATE;
        m.gap[i] += a[i];
        m.volume += a[i] * r / 3;
        square += a[i] * a[i];
        if (r < m.least[i]) m.least[i] = r;
        if (r > m.most[i]) m.most[i] = r;
      }
      rough += square;
      m.area += convk_sqrt_(square);
      square = CONVK_PRIVATE_(mesh_edge)(all, mesh->indexed, first + t);
      if (square > edge) edge = square;
    }
  }
  m.edge = convk_sqrt_(edge);
  for (i = 0; i < 3; i++) gap += m.gap[i] * m.gap[i];
  /* each vector area is rounded; where corners were, too, before the sides were taken of them, the measure is as loose as 64
     roundings of all areas' quadratic mean */
  m.closed = convk_sqrt_(gap) <= 64 * eps * convk_sqrt_(rough) + 4 * eps * m.area;
  if (mesh->indexed) m.closed = !convk_faces_closed_(mesh->indexed->face, mesh->n);
  *measures = m;
  return CONVK_OK;
}

CONVK_API_ int CONVK_TYPED_(mesh_rotate)(const CONVK_TYPED_(mesh) *mesh, const double rotation[9],
                                         const CONVK_TYPED_(mesh) *out) {
  CONVK_PRIVATE_(any) *from[12], *to[12];
  size_t t;
  const int count = out && out->indexed ? 12 : 6; /* no call may then make triangles of faces that were not turned */
  int i, k, status = CONVK_PRIVATE_(mesh_arrays)(mesh, count, from);
  if (!status) status = CONVK_PRIVATE_(mesh_arrays)(out, count, to);
  if (!status && !rotation) status = CONVK_ERR_NULL;
  if (!status && mesh->n != out->n) status = CONVK_ERR_SIZE;
  for (i = 0; i < 9 && !status; i++)
    if (!convk_finite_f64_(rotation[i])) status = CONVK_ERR_NONFINITE;
  if (status) return status;
  for (i = 0; i < 12; i++)
    for (k = 0; k < 12; k++)
      if ((i != k || from[i] != to[k]) && convk_overlap_(from[i], mesh->n * sizeof(CONVK_T), to[k], mesh->n * sizeof(CONVK_T)))
        return CONVK_ERR_OVERLAP;
  for (k = 0; k < 12; k += 3) {
    if (!from[k] || !from[k + 1] || !from[k + 2] || !to[k] || !to[k + 1] || !to[k + 2]) continue;
    for (t = 0; t < mesh->n; t++) {
      const double v[3] = {(double)from[k][t], (double)from[k + 1][t], (double)from[k + 2][t]};
      for (i = 0; i < 3; i++)
        to[k + i][t] = (CONVK_T)(rotation[3 * i] * v[0] + rotation[3 * i + 1] * v[1] + rotation[3 * i + 2] * v[2]);
    }
  }
  return CONVK_OK;
}
/* ---- src/formfactor/ready.h ---- */

/* ---- meshes of solids ---- */

/* Writes the surface of a solid, or where there are no arrays how large it is.  status: what is wrong with the solid. */
CONVK_RARE_ int CONVK_PRIVATE_(solid_write)(const convk_solid_ *s, int status, CONVK_TYPED_(indexed_mesh) *mesh) {
  CONVK_PRIVATE_(any) *axis[3];
  convk_any_u32_ *face;
  size_t i, f[3];
  double v[3];
  int d, k;
  if (!mesh) return CONVK_ERR_NULL;
  if (status) return status;
  if (mesh->x || mesh->y || mesh->z || mesh->face) {
    if (!mesh->x || !mesh->y || !mesh->z || !mesh->face) return CONVK_ERR_NULL;
    if (mesh->vertices < s->vertices || mesh->faces < s->faces) return CONVK_ERR_SIZE;
    axis[0] = mesh->x;
    axis[1] = mesh->y;
    axis[2] = mesh->z;
    face = mesh->face;
    for (d = 0; d < 3; d++) {
      if (convk_overlap_(axis[d], s->vertices * sizeof(CONVK_T), face, 3 * s->faces * sizeof *face)) return CONVK_ERR_OVERLAP;
      for (k = 0; k < d; k++)
        if (convk_overlap_(axis[d], s->vertices * sizeof(CONVK_T), axis[k], s->vertices * sizeof(CONVK_T)))
          return CONVK_ERR_OVERLAP;
    }
    for (i = 0; i < s->vertices; i++) {
      convk_solid_vertex_(s, i, v);
      for (d = 0; d < 3; d++) axis[d][i] = (CONVK_T)v[d];
    }
    for (i = 0; i < s->faces; i++) {
      convk_solid_face_(s, i, f);
      for (d = 0; d < 3; d++) face[3 * i + (size_t)d] = (uint32_t)f[d];
    }
  }
  mesh->vertices = s->vertices;
  mesh->faces = s->faces;
  return CONVK_OK;
}

/* What is wrong with three lengths, and a fourth which may be 0, too. */
CONVK_LOCAL_ int CONVK_PRIVATE_(solid_sizes)(double a, double b, double c, double top) {
  double size[4];
  size[0] = a;
  size[1] = b;
  size[2] = c;
  size[3] = top;
  return convk_solid_sizes_(size, top < 0 || top > 0 || !convk_finite_f64_(top) ? 4 : 3, CONVK_EITHER_(1e18, 1e153));
}

CONVK_API_ int CONVK_TYPED_(mesh_pyramid)(double a, double b, double height, double top, CONVK_TYPED_(indexed_mesh) *mesh) {
  int status = CONVK_PRIVATE_(solid_sizes)(a, b, height, top);
  convk_solid_ s;
  s.kind = CONVK_SOLID_BOX_;
  s.size[0] = a / 2;
  s.size[1] = b / 2;
  if (!status && top > 1) status = CONVK_ERR_SIZE;
  if (!status) status = convk_solid_prism_(&s, 4, height, top);
  return CONVK_PRIVATE_(solid_write)(&s, status, mesh);
}

CONVK_API_ int CONVK_TYPED_(mesh_box)(double a, double b, double c, CONVK_TYPED_(indexed_mesh) *mesh) {
  return CONVK_TYPED_(mesh_pyramid)(a, b, c, 1, mesh);
}

CONVK_API_ int CONVK_TYPED_(mesh_cylinder)(double radius, double height, double top, size_t n,
                                           CONVK_TYPED_(indexed_mesh) *mesh) {
  int status = CONVK_PRIVATE_(solid_sizes)(radius, height, 1, top);
  convk_solid_ s;
  s.kind = CONVK_SOLID_ROUND_;
  s.size[0] = s.size[1] = radius;
  if (!status) status = convk_solid_prism_(&s, n, height, top / radius);
  return CONVK_PRIVATE_(solid_write)(&s, status, mesh);
}

CONVK_API_ int CONVK_TYPED_(mesh_prism)(size_t n, double edge, double height, CONVK_TYPED_(indexed_mesh) *mesh) {
  int status = CONVK_PRIVATE_(solid_sizes)(edge, height, 1, 0);
  double cosine, sine;
  convk_solid_ s;
  if (!status) status = convk_solid_prism_(&s, n, height, 1);
  s.kind = CONVK_SOLID_ROUND_;
  if (!status) {
    convk_turn_(1, 2 * (uint64_t)n, &cosine, &sine);
    s.size[0] = s.size[1] = edge / 2 / sine;
    if (!(s.size[0] <= CONVK_EITHER_(1e18, 1e153))) status = CONVK_ERR_RANGE;
  }
  return CONVK_PRIVATE_(solid_write)(&s, status, mesh);
}

CONVK_API_ int CONVK_TYPED_(mesh_ellipsoid)(double rx, double ry, double rz, size_t n, CONVK_TYPED_(indexed_mesh) *mesh) {
  int status = CONVK_PRIVATE_(solid_sizes)(rx, ry, rz, 0);
  convk_solid_ s;
  if (!status) status = convk_solid_sphere_(&s, n);
  s.size[0] = rx;
  s.size[1] = ry;
  s.size[2] = rz;
  return CONVK_PRIVATE_(solid_write)(&s, status, mesh);
}

CONVK_API_ int CONVK_TYPED_(mesh_sphere)(double radius, size_t n, CONVK_TYPED_(indexed_mesh) *mesh) {
  return CONVK_TYPED_(mesh_ellipsoid)(radius, radius, radius, n, mesh);
}

CONVK_API_ int CONVK_TYPED_(mesh_polyhedron)(int kind, double edge, double cut, CONVK_TYPED_(indexed_mesh) *mesh) {
  int status = CONVK_PRIVATE_(solid_sizes)(edge, 1, 1, cut);
  convk_solid_ s;
  if (!status) status = convk_solid_polyhedron_(&s, kind, edge, cut);
  return CONVK_PRIVATE_(solid_write)(&s, status, mesh);
}

/* ---- directions ---- */

CONVK_API_ int CONVK_TYPED_(sphere_quadrature)(size_t degree, int half, CONVK_T *nx, CONVK_T *ny, CONVK_T *nz,
                                               CONVK_T *weight) {
  const size_t n = degree / 2 + 1, count = degree + 1, total = convk_sphere_directions(degree, half);
  CONVK_PRIVATE_(any) *to[4];
  size_t ring, k;
  int i, j;
  if (half & ~1) return CONVK_ERR_OPTION;
  if (total == (size_t)-1) return CONVK_ERR_OVERFLOW;
  to[0] = nx;
  to[1] = ny;
  to[2] = nz;
  to[3] = weight;
  for (i = 0; i < 4; i++)
    if (!to[i]) return CONVK_ERR_NULL;
  for (i = 0; i < 4; i++)
    for (j = 0; j < i; j++)
      if (convk_overlap_(to[i], total * sizeof(CONVK_T), to[j], total * sizeof(CONVK_T))) return CONVK_ERR_OVERLAP;
  for (ring = 0; ring < convk_sphere_rings_(degree, half); ring++) {
    const double both = half && 2 * ring + 1 != n ? 2 : 1; /* its mirror image counts here, too */
    const int south = 2 * ring >= n;
    double below, w, radius, cosine, sine;
    convk_gauss_node_(n, south ? n - 1 - ring : ring, &below, &w);
    radius = convk_sqrt_(below * (2 - below));
    for (k = 0; k < count; k++) {
      const size_t at = ring * count + k;
      convk_turn_(k, count, &cosine, &sine);
      to[0][at] = (CONVK_T)(radius * cosine);
      to[1][at] = (CONVK_T)(radius * sine);
      to[2][at] = (CONVK_T)(south ? below - 1 : 1 - below);
      to[3][at] = (CONVK_T)(both * w / 2 / (double)count);
    }
  }
  return CONVK_OK;
}

CONVK_API_ int CONVK_TYPED_(sphere_spiral)(size_t n, int half, CONVK_T *nx, CONVK_T *ny, CONVK_T *nz) {
  const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); /* of a turn of 2^64: the golden section */
  CONVK_PRIVATE_(any) *to[3];
  size_t k, bytes;
  int i, j;
  if (half & ~1) return CONVK_ERR_OPTION;
  if (convk_mul_(n, 2 * sizeof(CONVK_T), &bytes)) return CONVK_ERR_OVERFLOW;
  to[0] = nx;
  to[1] = ny;
  to[2] = nz;
  for (i = 0; i < 3 && n; i++)
    if (!to[i]) return CONVK_ERR_NULL;
  for (i = 0; i < 3; i++)
    for (j = 0; j < i; j++)
      if (convk_overlap_(to[i], bytes / 2, to[j], bytes / 2)) return CONVK_ERR_OVERLAP;
  for (k = 0; k < n; k++) {
    const double below = (2 * (double)k + 1) / ((double)n * (1 + half)), radius = convk_sqrt_(below * (2 - below));
    double cosine, sine;
    convk_turn_(golden * (uint64_t)k >> 32, (uint64_t)1 << 32, &cosine, &sine);
    to[0][k] = (CONVK_T)(radius * cosine);
    to[1][k] = (CONVK_T)(radius * sine);
    to[2][k] = (CONVK_T)(1 - below);
  }
  return CONVK_OK;
}
/* ---- src/formfactor/driver.h ---- */

/* ---- checks, shared by all hardware ---- */

/* Largest and least of n numbers, and 0. */
CONVK_LOCAL_ int CONVK_PRIVATE_(form_extremes)(const CONVK_PRIVATE_(any) *x, size_t n, double *least, double *most) {
  size_t i;
  *least = *most = 0;
  for (i = 0; i < n; i++) {
    if (!CONVK_PRIVATE_(finite)(x[i])) return CONVK_ERR_NONFINITE;
    if ((double)x[i] < *least) *least = (double)x[i];
    if ((double)x[i] > *most) *most = (double)x[i];
  }
  return CONVK_OK;
}

/* A checked call. */
typedef struct CONVK_PRIVATE_(form_call) {
  CONVK_PRIVATE_(any) *field[12];            /* of the mesh */
  const CONVK_TYPED_(indexed_mesh) *indexed; /* where some of them are missing */
  const CONVK_TYPED_(indexed_mesh) *faces;   /* which triangles share vertices, or NULL */
  const CONVK_PRIVATE_(any) *q[6];           /* x, y, z, and imaginary parts of z, x and y, or NULL */
  size_t n, nq[6], span;                     /* triangles; values of each of q; complex elements of f */
  convk_form_rule_ rule;
  convk_mesh_measures measures; /* `closed` says which form is taken */
  convk_form_body_ body;
  CONVK_T *f;
} CONVK_PRIVATE_(form_call);

/* Whether every phase and exponential can be resolved, and the corners that are asked for are numbers. */
CONVK_RARE_ int CONVK_PRIVATE_(form_numbers)(const CONVK_PRIVATE_(form_call) *call) {
  const convk_mesh_measures *m = &call->measures;
  const double edge = call->rule.corners ? m->edge : 0; /* corners are no further from a centroid */
  double turns = 0, damped = 0, least, most, size = 8 * m->area, limit = CONVK_OF_(87, 708);
  size_t t;
  int i, status, beyond = 0;
  for (i = 6; i < 12 && call->rule.corners && !call->indexed; i++)
    for (t = 0; t < call->n; t++)
      if (!CONVK_PRIVATE_(finite)(call->field[i][t])) return CONVK_ERR_COORDINATE;
  if (edge > 1) size *= edge;
  for (i = 0; i < 3; i++) {
    status = CONVK_PRIVATE_(form_extremes)(call->q[i], call->nq[i], &least, &most);
    if (status) return status;
    if (most < -least) most = -least;
    if (most > 1) size *= most;
    turns += most * (edge + (m->most[i] > -m->least[i] ? m->most[i] : -m->least[i]));
  }
  if (!(turns <= CONVK_OF_(2097152., 1125899906842624.) * 6.283185307179586)) beyond = 1;
  for (i = 3; i < 6; i++) {
    const int axis = i == 3 ? 2 : i - 4;
    if (!call->q[i]) continue;
    status = CONVK_PRIVATE_(form_extremes)(call->q[i], call->nq[i], &least, &most);
    if (status) return status;
    size *= most > 1 || least < -1 ? most > -least ? most : -least : 1;
    most *= edge - m->least[axis];
    least *= -edge - m->most[axis];
    damped += most > least ? most : least;
  }
  if (call->q[3] || call->q[4] || call->q[5]) { /* the sums must not overflow either */
    for (; size > 1 && limit > 0; size *= 0.5) limit -= 0.6931471805599453;
    if (!(damped <= limit)) beyond = 1;
  }
  return beyond ? CONVK_ERR_RANGE : CONVK_OK;
}

/* All checks, of call->nq values on each axis and of call->span; list: whether options of lists are offered.  measures: what mesh_measure said of a mesh whose arrays, with q
   and f, are on a device and not looked at; NULL: they are here. */
CONVK_RARE_ int CONVK_PRIVATE_(form_check)(char *message, const CONVK_TYPED_(mesh) *mesh, const convk_mesh_measures *measures,
                                           int list, const CONVK_T *qx, const CONVK_T *qy, const CONVK_T *qz,
                                           const CONVK_T *qz_imag, const convk_formfactor_options *options, CONVK_T *f,
                                           CONVK_PRIVATE_(form_call) *call) {
  const size_t size = sizeof(CONVK_T);
  size_t bytes = 0;
  int i, corners, status = f || !call->span ? CONVK_OK : convk_refuse_(message, CONVK_ERR_NULL, "f is NULL"), beyond = CONVK_OK;
  call->q[0] = qx;
  call->q[1] = qy;
  call->q[2] = qz;
  call->q[3] = qz_imag;
  call->q[4] = options ? (const CONVK_T *)options->qx_imag : NULL;
  call->q[5] = options ? (const CONVK_T *)options->qy_imag : NULL;
  call->f = f;
  call->indexed = NULL;
  call->faces = mesh && !measures ? mesh->indexed : NULL;
  if (!status) status = CONVK_PRIVATE_(mesh_arrays)(mesh, 0, call->field);
  for (i = 6, corners = !status; i < 12; i++) corners = corners && call->field[i];
  if (measures && !(measures->edge > 0)) corners = 0;
  if (!status && !measures && mesh->indexed) corners = 1;
  call->rule = convk_form_rule_of_(options, list && corners, call->q[4] || call->q[5], convk_form_eps_(size));
  if (!status)
    status = measures ? CONVK_PRIVATE_(mesh_arrays)(mesh, call->rule.corners ? 12 : 6, call->field)
                      : CONVK_PRIVATE_(mesh_source)(mesh, call->rule.corners ? 12 : 6, call->field, &call->indexed);
  for (i = 0; i < 3 && !status; i++)
    if (call->nq[i] && !call->q[i])
      status = convk_refuse_(message, CONVK_ERR_NULL, i == 0 ? "qx is NULL" : i == 1 ? "qy is NULL" : "qz is NULL");
  if (!status) status = convk_mul_(call->span, 2 * size, &bytes);
  if (!status) status = convk_form_option_(message, options);
  if (!status && !list && ((call->rule.order && call->rule.order != 2) || call->q[4] || call->q[5]))
    status =
        convk_refuse_(message, CONVK_ERR_OPTION, "options->order is neither 0 nor 2, or there are imaginary parts of qx or qy");
  if (!status && measures) call->measures = *measures;
  if (!status && measures && call->rule.order == CONVK_FORM_FITTED_ && measures->area > 0 && !(measures->edge > 0))
    status = CONVK_ERR_NULL; /* measured without corners */
  if (!status && !measures) status = CONVK_TYPED_(mesh_measure)(mesh, &call->measures);
  if (status) return status;
  call->n = mesh->n;
  if (!measures) beyond = CONVK_PRIVATE_(form_numbers)(call);
  if (beyond && beyond != CONVK_ERR_RANGE) return beyond;
  status = convk_form_choose_(options, &call->measures);
  if (status == CONVK_ERR_OPEN_MESH && mesh->indexed) status = convk_faces_closed_(mesh->indexed->face, mesh->n);
  if (status || beyond) return status ? status : beyond;
  for (i = 0; i < 12; i++)
    if (convk_overlap_(call->field[i], call->n * size, f, bytes)) return CONVK_ERR_OVERLAP;
  if (mesh->indexed && CONVK_PRIVATE_(indexed_touches)(mesh->indexed, f, bytes)) return CONVK_ERR_OVERLAP;
  call->body = convk_form_body_of_(&call->measures, &call->rule);
  for (i = 0; i < 6; i++)
    if (convk_overlap_(call->q[i], call->nq[i] * size, f, bytes)) return CONVK_ERR_OVERLAP;
  return CONVK_OK;
}

CONVK_RARE_ int CONVK_PRIVATE_(formfactor_check)(char *message, const CONVK_TYPED_(mesh) *mesh,
                                                 const convk_mesh_measures *measures, size_t nq, const CONVK_T *qx,
                                                 const CONVK_T *qy, const CONVK_T *qz, const CONVK_T *qz_imag,
                                                 const convk_formfactor_options *options, CONVK_T *f,
                                                 CONVK_PRIVATE_(form_call) *call) {
  int d;
  for (d = 0; d < 6; d++) call->nq[d] = nq;
  call->span = nq;
  return CONVK_PRIVATE_(form_check)(message, mesh, measures, 1, qx, qy, qz, qz_imag, options, f, call);
}

CONVK_RARE_ int CONVK_PRIVATE_(formfactor_grid_check)(char *message, const CONVK_TYPED_(mesh) *mesh,
                                                      const convk_mesh_measures *measures, const convk_grid3 *grid,
                                                      const CONVK_T *qx, const CONVK_T *qy, const CONVK_T *qz,
                                                      const CONVK_T *qz_imag, const convk_formfactor_options *options,
                                                      CONVK_T *f, convk_grid3 *full, CONVK_PRIVATE_(form_call) *call) {
  const int by_list = !measures && options && (options->form == CONVK_FORM_EXACT || options->order > 2);
  const int status = mesh && f ? convk_grid_check_(grid, 2 * sizeof *f, full, &call->span) : CONVK_ERR_NULL;
  if (status) return status;
  call->nq[0] = call->nq[4] = full->nx;
  call->nq[1] = call->nq[5] = full->ny;
  call->nq[2] = call->nq[3] = full->nz;
  if (options && (options->qx_imag || options->qy_imag))
    return convk_refuse_(message, CONVK_ERR_OPTION, "options->qx_imag or qy_imag is given, and a tensor grid takes none");
  return CONVK_PRIVATE_(form_check)(message, mesh, measures, by_list, qx, qy, qz, qz_imag, options, f, call);
}

/* ---- src/formfactor/numbers.h ---- */
/* What kernels need of a q, and F from what they sum: once for drivers of processors, OpenCL and CUDA, in doubles (on a device
   without them in its floats).  q: x, y, z, and the imaginary parts of z, x, y.  CONVK_R is the type, and words with R round once each. */
#if defined CONVK_PASS_ && CONVK_PASS_ == CONVK_PASS_DRIVER_
#define CONVK_ELEMENT_ CONVK_LOCAL_
#define CONVK_KERNEL_(name) CONVK_PRIVATE_(name)
#define CONVK_R double
#define CONVK_ROF_(f32, f64) f64
#define CONVK_RADD_(a, b) ((a) + (b))
#define CONVK_RMUL_(a, b) ((a) * (b))
#define CONVK_RDIV_(a, b) ((a) / (b))
#define CONVK_ROOT_(x) convk_sqrt_(x)
#elif defined CONVK_PASS_
#define CONVK_R double
#define CONVK_ROF_(f32, f64) f64
#define CONVK_RADD_(a, b) __dadd_rn(a, b)
#define CONVK_RMUL_(a, b) __dmul_rn(a, b)
#define CONVK_RDIV_(a, b) __ddiv_rn(a, b)
#define CONVK_RBITS_(x) convk_cuda_bits_(x)
#define CONVK_RREAL_(u) convk_cuda_real_((uint64_t)(u))
#endif

#define CONVK_RMINUS_(x) CONVK_RMUL_(-1, x) /* clang 14 lets -ffast-math have its way with a sign, wherever it stands */

/* As convk_sqrt_, once for both precisions. */
#ifndef CONVK_ROOT_
#ifndef CONVK_FORM_ROOT_
#define CONVK_FORM_ROOT_
CONVK_ELEMENT_ CONVK_R CONVK_BOTH_(form_root)(CONVK_R x) {
  CONVK_R y;
  int i;
  if (!(x > 0)) return 0;
  y = CONVK_RREAL_((CONVK_RBITS_(x) >> 1) + ((uint64_t)1023 << 51));
  for (i = 0; i < 5; i++) y = CONVK_RMUL_(0.5, CONVK_RADD_(y, CONVK_RDIV_(x, y)));
  return y;
}
#endif
#define CONVK_ROOT_(x) CONVK_BOTH_(form_root)(x)
#endif

#define CONVK_FORM_SQUARE_(q) \
  CONVK_RADD_(CONVK_RADD_(CONVK_RADD_(CONVK_RADD_(CONVK_RADD_(CONVK_RMUL_(q[0], q[0]), CONVK_RMUL_(q[1], q[1])), \
                                                  CONVK_RMUL_(q[2], q[2])), \
                                      CONVK_RMUL_(q[3], q[3])), \
                          CONVK_RMUL_(q[4], q[4])), \
              CONVK_RMUL_(q[5], q[5]))
#define CONVK_FORM_TURN_ CONVK_ROF_(0.15915494f, 0.15915494309189535) /* 1 / (2 pi) */
#define CONVK_FORM_DECAY_ CONVK_ROF_(-1.442695f, -1.4426950408889634) /* - log2 e */

/* q / (2 pi), q / |q|, - imag log2 e, imag / |q|, imag / (2 pi) of z, then the last two of x and y.  norm: |q| */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_given)(const CONVK_R *q, CONVK_T *given, CONVK_R *norm) {
  const CONVK_R root = CONVK_ROOT_(CONVK_FORM_SQUARE_(q)), per = root > 0 ? CONVK_RDIV_(1, root) : 0;
  int d;
  CONVK_UNROLL_
  for (d = 0; d < 3; d++) {
    given[d] = (CONVK_T)CONVK_RMUL_(q[d], CONVK_FORM_TURN_);
    given[3 + d] = (CONVK_T)CONVK_RMUL_(q[d], per);
  }
  given[6] = (CONVK_T)CONVK_RMUL_(q[3], CONVK_FORM_DECAY_);
  given[7] = (CONVK_T)CONVK_RMUL_(q[3], per);
  given[8] = (CONVK_T)CONVK_RMUL_(q[3], CONVK_FORM_TURN_);
  *norm = root;
  CONVK_UNROLL_
  for (d = 0; d < 2; d++) {
    given[9 + 2 * d] = (CONVK_T)CONVK_RMUL_(q[4 + d], per);
    given[10 + 2 * d] = (CONVK_T)CONVK_RMUL_(q[4 + d], CONVK_FORM_TURN_);
  }
}

/* The order of the series that leaves no more of F(0) than is allowed, or CONVK_FORM_MEAN_.  With g = |q| edge, the mean of
   exp(i q.r) over a triangle lacks less than c g^n after an order, and F that times area / (|q| volume): c g^(n - 1) is compared
   with m->limit, what is allowed times volume / (area edge). */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_order)(const convk_form_body_ *m, CONVK_R norm, CONVK_T *order) {
  const CONVK_R g = CONVK_RMUL_(norm, m->edge), g2 = CONVK_RMUL_(g, g), g4 = CONVK_RMUL_(g2, g2);
  const CONVK_R g5 = CONVK_RMUL_(g4, g), g9 = CONVK_RMUL_(g5, g4);
  int k = CONVK_FORM_MEAN_;
  if (CONVK_RMUL_(CONVK_RMUL_(CONVK_ROF_(2.5e-22f, 2.5e-22), CONVK_RMUL_(g9, g4)), g4) <= m->limit && g < 4) k = 16;
  if (CONVK_RMUL_(CONVK_ROF_(1.5e-16f, 1.5e-16), CONVK_RMUL_(g9, g4)) <= m->limit) k = 12;
  if (CONVK_RMUL_(CONVK_ROF_(3.3e-11f, 3.3e-11), g9) <= m->limit) k = 8;
  if (CONVK_RMUL_(CONVK_ROF_(2.2e-6f, 2.2e-6), g5) <= m->limit) k = 4;
  if (CONVK_RMUL_(CONVK_ROF_(3.2e-3f, 3.2e-3), g2) <= m->limit) k = 2;
  if (CONVK_RMUL_(CONVK_ROF_(0.0278f, 0.0278), g) <= m->limit) k = 0;
  *order = (CONVK_T)(k < m->least ? m->least : k);
}

/* The same of a value on one axis of a grid. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_rate)(CONVK_R q, CONVK_R imag, CONVK_T *turns, CONVK_T *decay) {
  *turns = (CONVK_T)CONVK_RMUL_(q, CONVK_FORM_TURN_);
  *decay = (CONVK_T)CONVK_RMUL_(imag, CONVK_FORM_DECAY_);
}

/* F from re + i im, the sum of conj(q).a (exp(i q.r) - 1).  The volume where phases vanish. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_value)(const convk_form_body_ *m, const CONVK_R *q, CONVK_R re, CONVK_R im, CONVK_T *f) {
  const CONVK_R square = CONVK_FORM_SQUARE_(q);
  CONVK_R real = m->volume, imag = 0;
  if (CONVK_RMUL_(CONVK_RMUL_(square, m->extent), m->extent) > CONVK_OF_(1e-18f, 1e-36)) {
    real = CONVK_RDIV_(im, square);
    imag = CONVK_RDIV_(CONVK_RMINUS_(re), square);
  }
  if (!m->closed && square > 0) { /* exp(i q.r) without the -1 */
    const CONVK_R flow =
        CONVK_RADD_(CONVK_RADD_(CONVK_RMUL_(q[0], m->gap[0]), CONVK_RMUL_(q[1], m->gap[1])), CONVK_RMUL_(q[2], m->gap[2]));
    real = CONVK_RADD_(real, CONVK_RMINUS_(CONVK_RMUL_(CONVK_RDIV_(q[3], square), m->gap[2])));
    real = CONVK_RADD_(real, CONVK_RMINUS_(CONVK_RMUL_(CONVK_RDIV_(q[4], square), m->gap[0])));
    real = CONVK_RADD_(real, CONVK_RMINUS_(CONVK_RMUL_(CONVK_RDIV_(q[5], square), m->gap[1])));
    imag = CONVK_RADD_(imag, CONVK_RMINUS_(CONVK_RDIV_(flow, square)));
  }
  f[0] = (CONVK_T)real;
  f[1] = (CONVK_T)imag;
}

/* F from the kernel's sums over a list, which are of q / |q| and half of exp(i q.r) - 1.  norm: |q| */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_list_value)(const convk_form_body_ *m, const CONVK_R *q, CONVK_R norm, CONVK_R re,
                                                   CONVK_R im, CONVK_T *f) {
  const CONVK_R twice = CONVK_RMUL_(2, norm);
  CONVK_KERNEL_(form_value)(m, q, CONVK_RMUL_(-twice, re), CONVK_RMUL_(twice, im), f);
}

/* F from a grid's sums and the moments of the lanes' axis.  own: q on the axes of the grid, which are x, y, z as `axis` says, z being
   the complex one, or 3. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_grid_value)(const convk_form_body_ *m, const int *axis, int z, const CONVK_R *own,
                                                   const CONVK_R *moment, CONVK_R re, CONVK_R im, CONVK_T *f) {
  CONVK_R q[6];
  int d;
  q[0] = q[1] = q[2] = q[4] = q[5] = 0;
  q[3] = own[3];
  CONVK_UNROLL_
  for (d = 0; d < 3; d++) {
    const CONVK_R real = CONVK_RMUL_(-2, moment[2 * d]), imag = CONVK_RMUL_(2, moment[2 * d + 1]);
    if (axis[d] == 0) q[0] = own[d]; /* no index that is known late: registers have none */
    else if (axis[d] == 1) q[1] = own[d];
    else q[2] = own[d];
    re = CONVK_RADD_(re, CONVK_RADD_(CONVK_RMUL_(own[d], real), d == z ? CONVK_RMUL_(q[3], imag) : 0));
    im = CONVK_RADD_(im, CONVK_RADD_(CONVK_RMUL_(own[d], imag), d == z ? CONVK_RMINUS_(CONVK_RMUL_(q[3], real)) : 0));
  }
  CONVK_KERNEL_(form_value)(m, q, re, im, f);
}

#if defined CONVK_PASS_ && CONVK_PASS_ == CONVK_PASS_DRIVER_
#undef CONVK_ELEMENT_
#undef CONVK_KERNEL_
#endif
#undef CONVK_R
#undef CONVK_ROF_
#undef CONVK_RADD_
#undef CONVK_RMUL_
#undef CONVK_RMINUS_
#undef CONVK_RDIV_
#undef CONVK_RBITS_
#undef CONVK_RREAL_
#undef CONVK_ROOT_
#undef CONVK_FORM_SQUARE_
#undef CONVK_FORM_TURN_
#undef CONVK_FORM_DECAY_

/* ---- a list of q ---- */

typedef struct CONVK_PRIVATE_(form_job) {
  const CONVK_PRIVATE_(form_kernels) *kernels;
  CONVK_PRIVATE_(form_call) call;
  size_t chunk; /* vectors of q of a task */
} CONVK_PRIVATE_(form_job);

/* Vector i of q, with the imaginary parts of z, x and y last. */
CONVK_LOCAL_ void CONVK_PRIVATE_(form_vector)(const CONVK_PRIVATE_(form_call) *call, size_t i, double q[6]) {
  int d;
  for (d = 0; d < 6; d++) q[d] = call->q[d] ? (double)call->q[d][i] : 0;
}

/* Vectors of q of a task, those of one order together, each of these groups filled up to whole vectors of the kernels. */
enum { CONVK_PRIVATE_(form_groups) = 7, CONVK_PRIVATE_(form_places) = CONVK_FORM_Q_ + 7 * 2 * CONVK_FORM_QUANTUM_ };

typedef struct CONVK_PRIVATE_(form_batch) {
  CONVK_T given[CONVK_FORM_GIVEN_][CONVK_PRIVATE_(form_places)];
  CONVK_T partial[2][CONVK_PRIVATE_(form_places)];
  double sum[2][CONVK_PRIVATE_(form_places)], norm[CONVK_FORM_Q_]; /* |q| of each q */
  size_t begin[CONVK_PRIVATE_(form_groups)], count[CONVK_PRIVATE_(form_groups)], places;
  int order[CONVK_PRIVATE_(form_groups)];
  unsigned short place[CONVK_FORM_Q_]; /* of each q */
} CONVK_PRIVATE_(form_batch);

CONVK_LOCAL_ void CONVK_PRIVATE_(form_batch_begin)(const CONVK_PRIVATE_(form_call) *call, size_t begin, size_t count,
                                                   CONVK_PRIVATE_(form_batch) *b) {
  static const int orders[CONVK_PRIVATE_(form_groups)] = {0, 2, 4, 8, 12, 16, CONVK_FORM_MEAN_};
  CONVK_T given[CONVK_FORM_Q_][CONVK_FORM_GIVEN_], order = (CONVK_T)call->rule.order;
  const int numbers = call->q[3] || call->q[4] || call->q[5] ? CONVK_FORM_GIVEN_ : 6; /* real q have no others */
  double q[6];
  size_t i, k;
  int d;
  memset(b->count, 0, sizeof b->count);
  for (i = 0; i < count; i++) {
    CONVK_PRIVATE_(form_vector)(call, begin + i, q);
    CONVK_PRIVATE_(form_given)(q, given[i], &b->norm[i]);
    if (call->rule.order == CONVK_FORM_FITTED_) CONVK_PRIVATE_(form_order)(&call->body, b->norm[i], &order);
    for (k = 0; orders[k] != (int)order;) k++;
    b->place[i] = (unsigned short)k;
    b->count[k]++;
  }
  for (k = b->places = 0; k < CONVK_PRIVATE_(form_groups); k++) {
    b->order[k] = orders[k];
    b->begin[k] = b->places;
    b->places += convk_round_up_(b->count[k], (k ? 1 : 2) * CONVK_FORM_QUANTUM_);
    b->count[k] = 0;
  }
  for (d = 0; d < numbers; d++) memset(b->given[d], 0, b->places * sizeof **b->given);
  for (d = 0; d < 2; d++) memset(b->sum[d], 0, b->places * sizeof **b->sum);
  for (i = 0; i < count; i++) {
    k = b->place[i];
    b->place[i] = (unsigned short)(b->begin[k] + b->count[k]++);
    for (d = 0; d < numbers; d++) b->given[d][b->place[i]] = given[i][d];
  }
}

/* Adds the triangles of `part` for group k. */
CONVK_LOCAL_ void CONVK_PRIVATE_(form_batch_add)(CONVK_PRIVATE_(form_batch) *b, size_t k, CONVK_PRIVATE_(form_part) *part,
                                                 void (*kernel)(const CONVK_PRIVATE_(form_part) *)) {
  size_t i, d;
  part->nq = b->count[k];
  part->order = b->order[k];
  for (d = 0; d < 3; d++) {
    static const int imag[3] = {9, 11, 7};
    part->turns[d] = b->given[d] + b->begin[k];
    part->along[d] = b->given[3 + d] + b->begin[k];
    part->imag_along[d] = b->given[imag[d]] + b->begin[k];
    part->imag_turns[d] = b->given[imag[d] + 1] + b->begin[k];
  }
  part->decay = b->given[6] + b->begin[k];
  part->re = b->partial[0] + b->begin[k];
  part->im = b->partial[1] + b->begin[k];
  kernel(part);
  for (d = 0; d < 2; d++)
    for (i = b->begin[k]; i < b->begin[k] + b->count[k]; i++) b->sum[d][i] += (double)b->partial[d][i];
}

/* As many triangles as fit by their vertices.  Each of these is there once where the mesh has faces, and those that share it are near
   each other. */
typedef struct CONVK_PRIVATE_(form_corners) {
  CONVK_T vertex[3][CONVK_FORM_VERTICES_], area[3][CONVK_FORM_FACES_], center[3][CONVK_FORM_FACES_];
  unsigned short corner[3 * CONVK_FORM_FACES_];
  size_t vertices, n;
} CONVK_PRIVATE_(form_corners);

CONVK_LOCAL_ void CONVK_PRIVATE_(form_corners_of)(const CONVK_PRIVATE_(form_call) *call, size_t first,
                                                  CONVK_PRIVATE_(form_corners) *c) {
  enum { SLOTS = 1024 };
  uint32_t vertex_of[SLOTS];
  unsigned short slot[SLOTS]; /* by the last digits of a vertex: where it is here, and one; 0: nowhere */
  const convk_any_u32_ *face = call->faces ? (const convk_any_u32_ *)call->faces->face + 3 * first : NULL;
  CONVK_PRIVATE_(any) *made[12] = {NULL};
  size_t d, k, t;
  memset(slot, 0, sizeof slot);
  for (d = 0; d < 3; d++) {
    made[d] = c->area[d];
    made[3 + d] = c->center[d];
  }
  c->vertices = c->n = 0;
  for (t = first; t < call->n && c->n < CONVK_FORM_FACES_ && c->vertices + 3 <= CONVK_FORM_VERTICES_; t++) {
    double v[9];
    if (call->indexed) {
      CONVK_PRIVATE_(indexed_corners)(call->indexed, t, v);
      CONVK_PRIVATE_(mesh_triangle)(v, made, c->n);
    } else {
      for (d = 0; d < 3; d++) {
        const double r = (double)call->field[3 + d][t], u = (double)call->field[6 + d][t], w = (double)call->field[9 + d][t];
        v[d] = r + u;
        v[3 + d] = r + w;
        v[6 + d] = r - u - w;
        c->area[d][c->n] = call->field[d][t];
      }
    }
    for (k = 0; k < 3; k++) {
      size_t to = c->vertices;
      if (face) {
        const uint32_t vertex = *face++;
        const size_t at = vertex % SLOTS;
        if (slot[at] && vertex_of[at] == vertex) to = slot[at] - (size_t)1;
        vertex_of[at] = vertex;
        slot[at] = (unsigned short)(to + 1);
      }
      c->corner[3 * c->n + k] = (unsigned short)to;
      if (to < c->vertices) continue;
      for (d = 0; d < 3; d++) c->vertex[d][to] = (CONVK_T)v[3 * k + d];
      c->vertices++;
    }
    c->n++;
  }
}

CONVK_RARE_ void CONVK_PRIVATE_(form_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(form_job) *job = (const CONVK_PRIVATE_(form_job) *)arg;
  const CONVK_PRIVATE_(form_call) *call = &job->call;
  const size_t begin = index * job->chunk, count = call->span - begin < job->chunk ? call->span - begin : job->chunk;
  const size_t mean = CONVK_PRIVATE_(form_groups) - 1;
  const int corners = call->rule.corners ? 12 : 6;
  CONVK_PRIVATE_(form_batch) batch;
  CONVK_PRIVATE_(form_corners) vertices;
  CONVK_PRIVATE_(form_part) part;
  CONVK_PRIVATE_(any) *field[12];
  CONVK_T room[12 * CONVK_FORM_TRIANGLES_], one[2];
  size_t i, t, k, d;
  int centroids = 0;
  memset(&part, 0, sizeof part);
  CONVK_PRIVATE_(form_batch_begin)(call, begin, count, &batch);
  part.imag = call->q[3] || call->q[4] || call->q[5];
  for (k = 0; k < mean; k++) centroids += batch.count[k] > 0;
  for (t = 0; t < call->n && centroids; t += CONVK_FORM_TRIANGLES_) {
    part.n = call->n - t < CONVK_FORM_TRIANGLES_ ? call->n - t : CONVK_FORM_TRIANGLES_;
    CONVK_PRIVATE_(mesh_block)(call->field, call->indexed, t, part.n, corners, room, field);
    for (d = 0; d < 3; d++) {
      part.area[d] = field[d];
      part.at[d] = field[3 + d];
      part.u[d] = field[6 + d];
      part.w[d] = field[9 + d];
    }
    for (k = 0; k < mean; k++)
      if (batch.count[k]) CONVK_PRIVATE_(form_batch_add)(&batch, k, &part, job->kernels->list);
  }
  for (t = 0; t < call->n && batch.count[mean]; t += vertices.n) {
    CONVK_PRIVATE_(form_corners_of)(call, t, &vertices);
    part.n = vertices.n;
    part.vertices = vertices.vertices;
    part.corner = vertices.corner;
    for (d = 0; d < 3; d++) {
      part.area[d] = vertices.area[d];
      part.vertex[d] = vertices.vertex[d];
    }
    CONVK_PRIVATE_(form_batch_add)(&batch, mean, &part, job->kernels->faces);
  }
  for (i = 0; i < count; i++) {
    double q[6];
    CONVK_PRIVATE_(form_vector)(call, begin + i, q);
    CONVK_PRIVATE_(form_list_value)(&call->body, q, batch.norm[i], batch.sum[0][batch.place[i]], batch.sum[1][batch.place[i]],
                                    one);
    memcpy(call->f + 2 * (begin + i), one, sizeof one);
  }
}

/* A checked call of a list. */
CONVK_RARE_ int CONVK_PRIVATE_(form_list_run)(const CONVK_PRIVATE_(form_kernels) *kernels, const convk *hw,
                                              const CONVK_PRIVATE_(form_call) *call) {
  const size_t nq = call->span, threads = convk_threads_(hw), size[3] = {call->n, nq, 1};
  const convk_tuning tuning = convk_tuning_for_(hw, "formfactor", sizeof *call->f, size, 1);
  CONVK_PRIVATE_(form_job) job;
  job.kernels = kernels;
  job.call = *call;
  job.chunk = threads == 1 ? CONVK_FORM_Q_ : nq / (4 * threads) + 1;
  if (tuning.formfactor_q) job.chunk = tuning.formfactor_q;
  job.chunk = job.chunk < CONVK_FORM_Q_ ? convk_round_up_(job.chunk, 2 * CONVK_FORM_QUANTUM_) : CONVK_FORM_Q_;
  return convk_run_(hw, convk_ceil_(nq, job.chunk), CONVK_PRIVATE_(form_task), &job);
}

CONVK_RARE_ int CONVK_PRIVATE_(formfactor_cpu)(const CONVK_PRIVATE_(form_kernels) *kernels, const convk *hw,
                                               const CONVK_TYPED_(mesh) *mesh, size_t nq, const CONVK_T *qx, const CONVK_T *qy,
                                               const CONVK_T *qz, const CONVK_T *qz_imag,
                                               const convk_formfactor_options *options, CONVK_T *f) {
  CONVK_PRIVATE_(form_call) call;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status)
    status = CONVK_PRIVATE_(formfactor_check)(convk_message_(hw), mesh, NULL, nq, qx, qy, qz, qz_imag, options, f, &call);
  return status || !nq ? status : CONVK_PRIVATE_(form_list_run)(kernels, hw, &call);
}

/* ---- a tensor grid of q ---- */

/* What is no product over the axes goes by lists of q.  how: what the function of lists wants to know. */
typedef int CONVK_PRIVATE_(form_lister)(const void *how, const convk *hw, const CONVK_TYPED_(mesh) *mesh, size_t nq,
                                        CONVK_T *const q[4], const convk_formfactor_options *options, CONVK_T *f);

CONVK_RARE_ int CONVK_PRIVATE_(form_grid_by_list)(CONVK_PRIVATE_(form_lister) *list, const void *how, const convk *hw,
                                                  const CONVK_TYPED_(mesh) *mesh, const convk_grid3 *full,
                                                  const CONVK_PRIVATE_(form_call) *call,
                                                  const convk_formfactor_options *options) {
  const size_t nq = full->nx * full->ny * full->nz, length = 4096;
  CONVK_T *room = (CONVK_T *)CONVK_MALLOC(6 * length * sizeof *room), *q[4], *f;
  size_t begin, count, i, d;
  int status = CONVK_OK;
  if (!room) return CONVK_ERR_MEMORY;
  for (d = 0; d < 4; d++) q[d] = d < 3 || call->q[3] ? room + d * length : NULL;
  f = room + 4 * length;
  for (begin = 0; begin < nq && !status; begin += count) {
    count = nq - begin < length ? nq - begin : length;
    for (i = 0; i < count; i++) {
      const size_t row = (begin + i) / full->nx, at[3] = {(begin + i) % full->nx, row % full->ny, row / full->ny};
      for (d = 0; d < 4; d++)
        if (q[d]) q[d][i] = call->q[d][at[d < 3 ? d : 2]];
    }
    status = list(how, hw, mesh, count, q, options, f);
    for (i = 0; i < count && !status; i++) {
      const size_t row = (begin + i) / full->nx, x = (begin + i) % full->nx;
      memcpy(call->f + 2 * (x + row % full->ny * full->pitch_y + row / full->ny * full->pitch_z), f + 2 * i, 2 * sizeof *f);
    }
  }
  CONVK_FREE(room);
  return status;
}

CONVK_LOCAL_ int CONVK_PRIVATE_(form_list_cpu)(const void *how, const convk *hw, const CONVK_TYPED_(mesh) *mesh, size_t nq,
                                               CONVK_T *const q[4], const convk_formfactor_options *options, CONVK_T *f) {
  return CONVK_PRIVATE_(formfactor_cpu)((const CONVK_PRIVATE_(form_kernels) *)how, hw, mesh, nq, q[0], q[1], q[2], q[3],
                                        options, f);
}

typedef struct CONVK_PRIVATE_(form_grid_job) {
  const CONVK_PRIVATE_(form_kernels) *kernels;
  CONVK_PRIVATE_(form_call) call;
  convk_form_axes_ axes;
  size_t tile[3], count[3]; /* points of a tile and tiles, in the order of the axes */
  size_t first;             /* tile of this batch */
  size_t each;              /* bytes of work of a task */
  char *work;
} CONVK_PRIVATE_(form_grid_job);

/* Cuts the grid and counts the work; nothing here changes a result. */
CONVK_RARE_ int CONVK_PRIVATE_(form_grid_cut)(const convk *hw, const convk_grid3 *full, int imag,
                                              CONVK_PRIVATE_(form_grid_job) *job, size_t *tasks, size_t *work_size) {
  const size_t threads = convk_threads_(hw), n[3] = {full->nx, full->ny, full->nz}, *along = job->axes.n;
  size_t rows, lanes, i, tiles;
  const int status = convk_form_axes_of_(full, imag, &job->axes);
  if (status) return status;
  job->tile[0] = along[0] < CONVK_FORM_LANES_ ? along[0] : CONVK_FORM_LANES_;
  rows = convk_tuning_for_(hw, "formfactor_grid", sizeof(CONVK_T), n, 1).formfactor_rows;
  if (!rows || rows > 65536) rows = CONVK_FORM_TILE_ROWS_;
  if (job->axes.rows / threads < rows) rows = convk_ceil_(job->axes.rows, threads);
  if (along[1] >= rows) {
    job->tile[1] = convk_even_part_(along[1], rows);
    job->tile[2] = 1;
  } else {
    job->tile[1] = along[1];
    job->tile[2] = convk_even_part_(along[2], rows / along[1]);
  }
  for (i = 0, tiles = 1; i < 3; i++) {
    job->count[i] = convk_ceil_(along[i], job->tile[i]);
    tiles *= job->count[i];
  }
  *tasks = tiles < threads ? tiles : threads;
  lanes = convk_round_up_(job->tile[0], CONVK_FORM_QUANTUM_);
  rows = convk_round_up_(job->tile[1] * job->tile[2], CONVK_FORM_ROWS_);
  /* q, phases and moments of the lanes; two E - 1 of the rows; terms; triangles (both as for fourth order, which the caller of the
     work's size may want too); then sums and moments in doubles */
  job->each = lanes * (2 + 2 * CONVK_FORM_BLOCK_ + 6) + (job->tile[1] + job->tile[2]) * 2 * CONVK_FORM_BLOCK_ +
              (8 * CONVK_FORM_ROWS_ + 12) * CONVK_FORM_BLOCK_;
  job->each = convk_round_up_(job->each * sizeof(CONVK_T) + (2 * rows + 6) * lanes * sizeof(double), 4096) + 192;
  if (convk_mul_(job->each, *tasks, work_size) || *work_size > (size_t)-1 - 64) return CONVK_ERR_OVERFLOW;
  *work_size += 64;
  return CONVK_OK;
}

/* A tile under way: where it begins on the axes of the grid, its points, and what lies in its work. */
typedef struct CONVK_PRIVATE_(form_tile_job) {
  CONVK_PRIVATE_(form_tile) tile;
  size_t at[3], n[3], rows;
  const CONVK_PRIVATE_(any) *q[3], *imag; /* on the axes; imag: of axis z */
  double *sum, *moment;
  CONVK_T *block, *phase; /* triangles, and E - 1 of the rows' two axes */
} CONVK_PRIVATE_(form_tile_job);

CONVK_LOCAL_ void CONVK_PRIVATE_(form_tile_begin)(const CONVK_PRIVATE_(form_grid_job) *job, size_t index,
                                                  CONVK_PRIVATE_(form_tile_job) *t) {
  const size_t which = job->first + index, block = CONVK_FORM_BLOCK_;
  const double unit = convk_form_unit_(&job->call.body, job->call.measures.area, sizeof(CONVK_T), job->call.rule.order == 2);
  CONVK_T *lane_q, none;
  size_t i, d;
  t->at[0] = which % job->count[0] * job->tile[0];
  t->at[1] = which / job->count[0] % job->count[1] * job->tile[1];
  t->at[2] = which / job->count[0] / job->count[1] * job->tile[2];
  for (d = 0; d < 3; d++) {
    t->n[d] = job->axes.n[d] - t->at[d] < job->tile[d] ? job->axes.n[d] - t->at[d] : job->tile[d];
    t->q[d] = job->call.q[job->axes.axis[d]] + t->at[d];
  }
  t->imag = job->call.q[3] ? job->call.q[3] + t->at[job->axes.z] : NULL;
  t->rows = t->n[1] * t->n[2];
  t->tile.lanes = convk_round_up_(t->n[0], CONVK_FORM_QUANTUM_);
  /* the work: doubles first */
  t->sum = (double *)(void *)(job->work + index * job->each);
  t->moment = t->sum + 2 * convk_round_up_(t->rows, CONVK_FORM_ROWS_) * t->tile.lanes;
  t->tile.phase = (CONVK_T *)(void *)(t->moment + 6 * t->tile.lanes);
  t->tile.moment = t->tile.phase + 2 * block * t->tile.lanes;
  lane_q = t->tile.moment + 6 * t->tile.lanes;
  t->block = lane_q + 2 * t->tile.lanes;
  t->tile.terms = t->block + 12 * block;
  t->phase = t->tile.terms + 8 * CONVK_FORM_ROWS_ * block;
  memset(t->sum, 0, (size_t)((char *)t->tile.phase - (char *)t->sum));
  memset(lane_q, 0, 2 * t->tile.lanes * sizeof *lane_q);
  for (i = 0; i < t->n[0]; i++) {
    lane_q[i] = (CONVK_T)(t->q[0][i] * unit);
    CONVK_PRIVATE_(form_rate)((double)t->q[0][i], 0, &lane_q[t->tile.lanes + i], &none);
  }
  t->tile.q = lane_q;
  t->tile.turns = lane_q + t->tile.lanes;
  for (d = 0; d < 3; d++) {
    t->tile.area[d] = t->block + d * block;
    t->tile.at[d] = t->block + (3 + d) * block;
  }
  for (d = 0; d < 6; d++) t->tile.corner[d] = t->block + (6 + d) * block;
  t->tile.fourth_order = job->call.rule.order == 2;
  t->tile.per = (CONVK_T)(1 / unit);
}

/* Adds triangles from `first` on, one block of them. */
CONVK_LOCAL_ void CONVK_PRIVATE_(form_tile_block)(const CONVK_PRIVATE_(form_grid_job) *job, CONVK_PRIVATE_(form_tile_job) *t,
                                                  size_t first) {
  const size_t block = CONVK_FORM_BLOCK_, left = job->call.n - first < block ? job->call.n - first : block;
  const int z = job->axes.z;
  CONVK_PRIVATE_(any) *field[12];
  CONVK_T room[12 * CONVK_FORM_BLOCK_], turns, decay;
  const int fields = t->tile.fourth_order ? 12 : 6;
  size_t i, row;
  int d, r;
  if (left < block) memset(t->block, 0, 12 * block * sizeof *t->block);
  CONVK_PRIVATE_(mesh_block)(job->call.field, job->call.indexed, first, left, fields, room, field);
  for (d = 0; d < fields; d++)
    memcpy(t->block + (size_t)d * block, field[d / 3 * 3 + job->axes.axis[d % 3]], left * sizeof *t->block);
  job->kernels->lanes(&t->tile);
  for (i = 0; i < 6 * t->tile.lanes; i++) t->moment[i] += (double)t->tile.moment[i];
  for (d = 1; d < 3; d++)
    for (i = 0; i < t->n[d]; i++) {
      CONVK_PRIVATE_(form_rate)((double)t->q[d][i], d == z ? (double)t->imag[i] : 0, &turns, &decay);
      job->kernels->row(t->tile.at[d], turns, d == z, decay, t->phase + 2 * block * (d == 1 ? i : t->n[1] + i));
    }
  for (row = 0; row < t->rows; row += CONVK_FORM_ROWS_) {
    for (r = 0; r < CONVK_FORM_ROWS_; r++) { /* rows beyond the last compute the last again, aside */
      const size_t mine = row + (size_t)r < t->rows ? row + (size_t)r : t->rows - 1;
      const size_t pair[2] = {mine % t->n[1], mine / t->n[1]};
      for (d = 0; d < 2; d++) {
        t->tile.row_q[r][d] = t->q[1 + d][pair[d]];
        t->tile.row_imag[r][d] = z == 1 + d ? t->imag[pair[d]] : 0;
        t->tile.row_phase[r][d] = t->phase + 2 * block * (d ? t->n[1] + pair[1] : pair[0]);
      }
      t->tile.sum[r] = t->sum + 2 * (row + (size_t)r) * t->tile.lanes;
    }
    job->kernels->rows(&t->tile);
  }
}

/* F of the tile. */
CONVK_LOCAL_ void CONVK_PRIVATE_(form_tile_end)(const CONVK_PRIVATE_(form_grid_job) *job,
                                                const CONVK_PRIVATE_(form_tile_job) *t) {
  const size_t lanes = t->tile.lanes;
  size_t row, i, d;
  for (row = 0; row < t->rows; row++)
    for (i = 0; i < t->n[0]; i++) {
      const size_t at[3] = {i, row % t->n[1], row / t->n[1]};
      size_t to = 0;
      double q[6] = {0, 0, 0, 0, 0, 0}, moment[6];
      CONVK_T f[2];
      for (d = 0; d < 3; d++) {
        q[d] = (double)t->q[d][at[d]];
        to += (t->at[d] + at[d]) * job->axes.stride[d];
      }
      for (d = 0; d < 6; d++) moment[d] = t->moment[d * lanes + i];
      if (t->imag) q[3] = (double)t->imag[at[job->axes.z]];
      CONVK_PRIVATE_(form_grid_value)(&job->call.body, job->axes.axis, job->axes.z, q, moment, t->sum[2 * row * lanes + i],
                                      t->sum[(2 * row + 1) * lanes + i], f);
      memcpy(job->call.f + 2 * to, f, sizeof f);
    }
}

CONVK_RARE_ void CONVK_PRIVATE_(form_grid_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(form_grid_job) *job = (const CONVK_PRIVATE_(form_grid_job) *)arg;
  CONVK_PRIVATE_(form_tile_job) tile;
  size_t t;
  CONVK_PRIVATE_(form_tile_begin)(job, index, &tile);
  for (t = 0; t < job->call.n; t += CONVK_FORM_BLOCK_) CONVK_PRIVATE_(form_tile_block)(job, &tile, t);
  CONVK_PRIVATE_(form_tile_end)(job, &tile);
}

CONVK_RARE_ int CONVK_PRIVATE_(formfactor_grid_cpu)(const CONVK_PRIVATE_(form_kernels) *kernels, const convk *hw,
                                                    const CONVK_TYPED_(mesh) *mesh, const convk_grid3 *grid, const CONVK_T *qx,
                                                    const CONVK_T *qy, const CONVK_T *qz, const CONVK_T *qz_imag,
                                                    const convk_formfactor_options *options, CONVK_T *f, void *work,
                                                    size_t work_size) {
  CONVK_PRIVATE_(form_grid_job) job;
  convk_grid3 full;
  convk_work_ w;
  size_t tasks = 1, need = 0, tiles;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status)
    status = CONVK_PRIVATE_(formfactor_grid_check)(convk_message_(hw), mesh, NULL, grid, qx, qy, qz, qz_imag, options, f, &full,
                                                   &job.call);
  if (!status && job.call.rule.order && job.call.rule.order != 2)
    return CONVK_PRIVATE_(form_grid_by_list)(CONVK_PRIVATE_(form_list_cpu), kernels, hw, mesh, &full, &job.call, options);
  if (!status) status = CONVK_PRIVATE_(form_grid_cut)(hw, &full, qz_imag != NULL, &job, &tasks, &need);
  if (!status) status = convk_work_begin_(&w, work, work_size, need);
  if (status) return status;
  job.kernels = kernels;
  job.work = w.base;
  tiles = job.count[0] * job.count[1] * job.count[2];
  for (job.first = 0; job.first < tiles && !status; job.first += tasks)
    status = convk_run_(hw, tiles - job.first < tasks ? tiles - job.first : tasks, CONVK_PRIVATE_(form_grid_task), &job);
  convk_work_end_(&w);
  return status;
}

CONVK_API_ size_t CONVK_TYPED_(formfactor_grid_work_size)(const convk *hw, const convk_grid3 *grid, int qz_imag) {
  CONVK_PRIVATE_(form_grid_job) job;
  convk_grid3 full;
  size_t span, tasks, size;
  if (hw && hw->device) return 0;
  if (convk_grid_check_(grid, 2 * sizeof(CONVK_T), &full, &span) ||
      CONVK_PRIVATE_(form_grid_cut)(hw, &full, qz_imag, &job, &tasks, &size))
    return (size_t)-1;
  return size;
}
/* ---- src/formfactor/many.h ---- */

/* ---- assemblies: form factors of groups of particles, times their structure factors ---- */

/* A call, its work, and the chunk of q and the group of particles under way. */
typedef struct CONVK_PRIVATE_(many) {
  const convk *hw;
  const CONVK_TYPED_(assembly) *assembly;
  convk_formfactor_options options;
  int imag, heavy, each;                      /* complex qz; complex weights; whether incoherent sums are wanted */
  size_t room, step, total;                   /* of a chunk: vectors of q, and entries of the caller's list; entries */
  CONVK_PRIVATE_(form_call) *body, *tilted;   /* of each mesh, checked; and where all components of q are complex */
  int *refused;                               /* what is wrong with the latter */
  size_t *order;                              /* placements, in the order of groups */
  CONVK_T *at[3], *weight[2], *square, *zero; /* of these: positions, c, |c|^2, 0 */
  double *sum[3], *phase[3];       /* of each q: f and the incoherent sum; a group's sums of c exp(i q.R), |c exp|^2 */
  CONVK_T *turns[5], *unit[3];     /* q / (2 pi), and what exp(i q.R) and its square lose; 1, 0 and -1 for a task's q */
  CONVK_T *own[4], *turned[6], *f; /* q of a chunk; q of a group, imaginary parts of z, x and y last; their F */
  uint32_t *slot, *term;           /* hash table of distinct q; which of them each entry's four terms take */
  const CONVK_PRIVATE_(any) *list[4], *direction[3]; /* the caller's q, and directions where list[0] has their lengths */
  size_t directions;
  const CONVK_TYPED_(dwba) *waves;
  const CONVK_PRIVATE_(any) *q[4];  /* of the chunk */
  size_t count, first, n;           /* vectors; the group's first placement and how many */
  double turn[9], cube, weights[3]; /* sums of c and of |c|^2 */
} CONVK_PRIVATE_(many);

#define CONVK_MANY_NONE_ ((uint32_t)-1) /* no term: its amplitude is 0 */

CONVK_LOCAL_ void *CONVK_PRIVATE_(many_take)(char *base, size_t *at, size_t bytes) {
  char *p = base ? base + *at : NULL;
  *at += convk_round_up_(bytes, 64);
  return p;
}

/* Lays the work out from base on, or with NULL counts its bytes.  (size_t)-1: overflow. */
CONVK_RARE_ size_t CONVK_PRIVATE_(many_lay_out)(CONVK_PRIVATE_(many) *m, size_t count, char *base) {
  const size_t n = m->assembly->placements, real = sizeof(CONVK_T);
  size_t at = 0, i;
  m->room = count < CONVK_FORM_MANY_ ? convk_round_up_(count, 4) : CONVK_FORM_MANY_;
  /* so many of the caller's own structures may be larger than their share of the work */
  if (convk_mul_(n, 2 * sizeof(convk_placement), &at) ||
      convk_mul_(m->assembly->meshes, 3 * sizeof *m->body + sizeof *m->assembly->mesh, &i) || i > (size_t)-1 / 2 - at)
    return (size_t)-1;
  at = 0;
  m->body = (CONVK_PRIVATE_(form_call) *)CONVK_PRIVATE_(many_take)(base, &at, m->assembly->meshes * sizeof *m->body);
  m->tilted = (CONVK_PRIVATE_(form_call) *)CONVK_PRIVATE_(many_take)(base, &at, m->assembly->meshes * sizeof *m->body);
  m->refused = (int *)CONVK_PRIVATE_(many_take)(base, &at, m->assembly->meshes * sizeof *m->refused);
  m->order = (size_t *)CONVK_PRIVATE_(many_take)(base, &at, n * sizeof *m->order);
  for (i = 0; i < 3; i++) {
    m->sum[i] = (double *)CONVK_PRIVATE_(many_take)(base, &at, m->room * sizeof(double));
    m->phase[i] = (double *)CONVK_PRIVATE_(many_take)(base, &at, m->room * sizeof(double));
    m->at[i] = (CONVK_T *)CONVK_PRIVATE_(many_take)(base, &at, n * real);
  }
  for (i = 0; i < 6; i++) m->turned[i] = (CONVK_T *)CONVK_PRIVATE_(many_take)(base, &at, m->room * real);
  for (i = 0; i < 4; i++) m->own[i] = (CONVK_T *)CONVK_PRIVATE_(many_take)(base, &at, m->room * real);
  for (i = 0; i < 2; i++) m->weight[i] = (CONVK_T *)CONVK_PRIVATE_(many_take)(base, &at, n * real);
  for (i = 0; i < 5; i++)
    m->turns[i] = (CONVK_T *)CONVK_PRIVATE_(many_take)(base, &at, (m->room + 2 * CONVK_FORM_QUANTUM_) * real);
  for (i = 0; i < 3; i++) m->unit[i] = (CONVK_T *)CONVK_PRIVATE_(many_take)(base, &at, CONVK_FORM_Q_ * real);
  m->square = (CONVK_T *)CONVK_PRIVATE_(many_take)(base, &at, n * real);
  m->zero = (CONVK_T *)CONVK_PRIVATE_(many_take)(base, &at, n * real);
  m->f = (CONVK_T *)CONVK_PRIVATE_(many_take)(base, &at, 2 * m->room * real);
  m->term = (uint32_t *)CONVK_PRIVATE_(many_take)(base, &at, m->room * sizeof *m->term);
  m->slot = (uint32_t *)CONVK_PRIVATE_(many_take)(base, &at, 2 * CONVK_FORM_MANY_ * sizeof *m->slot);
  return at + 64;
}

CONVK_API_ size_t CONVK_TYPED_(formfactor_assembly_work_size)(const CONVK_TYPED_(assembly) *assembly, size_t count) {
  CONVK_PRIVATE_(many) m;
  m.assembly = assembly;
  return assembly ? CONVK_PRIVATE_(many_lay_out)(&m, count, NULL) : (size_t)-1;
}

/* ---- the vectors of a chunk ---- */

/* Term 0 ... 3 of an entry: its amplitude; 0 if there is none. */
CONVK_LOCAL_ int CONVK_PRIVATE_(many_amplitude)(const CONVK_TYPED_(dwba) *w, size_t i, int term, double amplitude[2]) {
  const CONVK_PRIVATE_(any) *in = term & 2 ? w->r_in : w->t_in, *out = term & 1 ? w->r_out : w->t_out;
  double a[2] = {0, 0}, b[2] = {0, 0};
  int d;
  a[0] = term & 2 ? 0 : 1;
  b[0] = term & 1 ? 0 : 1;
  for (d = 0; d < 2; d++) {
    if (in) a[d] = (double)in[2 * i + (size_t)d];
    if (out) b[d] = (double)out[2 * i + (size_t)d];
  }
  amplitude[0] = a[0] * b[0] - a[1] * b[1];
  amplitude[1] = a[0] * b[1] + a[1] * b[0];
  for (d = 0; d < 2; d++)
    if (amplitude[d] < 0 || amplitude[d] > 0) return 1;
  return 0;
}

/* The number of this vector among the distinct ones, which it joins. */
CONVK_LOCAL_ size_t CONVK_PRIVATE_(many_find)(CONVK_PRIVATE_(many) *m, const CONVK_T q[4]) {
  const size_t last = 2 * CONVK_FORM_MANY_ - 1;
  uint64_t h = 0;
  size_t at, k;
  int d;
  for (d = 0; d < 4; d++) h = convk_mix_(h ^ CONVK_PRIVATE_(vertex_bits)(q[d]));
  for (at = (size_t)h & last; m->slot[at] != CONVK_MANY_NONE_; at = (at + 1) & last) {
    k = m->slot[at];
    for (d = 0; d < 4 && !(m->own[d][k] < q[d]) && !(m->own[d][k] > q[d]); d++) {
    }
    if (d == 4) return k;
  }
  k = m->count++;
  m->slot[at] = (uint32_t)k;
  for (d = 0; d < 4; d++) m->own[d][k] = q[d];
  return k;
}

/* Makes q of the entries from `begin` on, at most m->step of them: a piece of the list, products of moduli and directions, or the
   four terms of waves; these once each, unless it is only to look at them. */
CONVK_RARE_ void CONVK_PRIVATE_(many_make)(CONVK_PRIVATE_(many) *m, size_t begin, int look) {
  const size_t entries = m->total - begin < m->step ? m->total - begin : m->step;
  const CONVK_TYPED_(dwba) *w = m->waves;
  const CONVK_PRIVATE_(any) *wave[6];
  size_t i, k;
  int d;
  for (d = 0; d < 4; d++) m->q[d] = m->own[d];
  if (!m->imag) m->q[3] = NULL;
  m->count = entries;
  if (w) {
    wave[0] = w->qx;
    wave[1] = w->qy;
    wave[2] = w->kz_in;
    wave[3] = w->kz_out;
    wave[4] = w->kz_in_imag;
    wave[5] = w->kz_out_imag;
    m->count = 0;
    if (!look) memset(m->slot, 0xff, 2 * CONVK_FORM_MANY_ * sizeof *m->slot);
    for (i = begin; i < begin + entries; i++)
      for (d = 0; d < 4; d++) {
        const double in = d & 2 ? 1 : -1, out = d & 1 ? -1 : 1;
        double amplitude[2];
        CONVK_T q[4];
        q[0] = wave[0][i];
        q[1] = wave[1][i];
        q[2] = (CONVK_T)(out * (double)wave[3][i] + in * (double)wave[2][i]);
        q[3] = (CONVK_T)((wave[5] ? out * (double)wave[5][i] : 0) + (wave[4] ? in * (double)wave[4][i] : 0));
        k = CONVK_MANY_NONE_;
        if (CONVK_PRIVATE_(many_amplitude)(w, i, d, amplitude)) {
          if (!look) k = CONVK_PRIVATE_(many_find)(m, q);
          else {
            k = m->count++;
            m->own[0][k] = q[0];
            m->own[1][k] = q[1];
            m->own[2][k] = q[2];
            m->own[3][k] = q[3];
          }
        }
        m->term[4 * (i - begin) + (size_t)d] = (uint32_t)k;
      }
  } else if (m->direction[0]) {
    for (k = 0; k < entries; k++)
      for (d = 0; d < 3; d++)
        m->own[d][k] =
            (CONVK_T)((double)m->list[0][(begin + k) / m->directions] * (double)m->direction[d][(begin + k) % m->directions]);
  } else {
    for (d = 0; d < 4; d++) m->q[d] = m->list[d] ? m->list[d] + begin : NULL;
  }
}

/* Vector i of the chunk in the group's coordinates. */
CONVK_LOCAL_ void CONVK_PRIVATE_(many_turn)(const CONVK_PRIVATE_(many) *m, size_t i) {
  const double x = (double)m->q[0][i], y = (double)m->q[1][i], z = (double)m->q[2][i], imag = m->imag ? (double)m->q[3][i] : 0;
  int d;
  for (d = 0; d < 3; d++) {
    m->turned[d][i] = (CONVK_T)(m->turn[3 * d] * x + m->turn[3 * d + 1] * y + m->turn[3 * d + 2] * z);
    m->turned[d == 2 ? 3 : 4 + d][i] = (CONVK_T)(m->turn[3 * d + 2] * imag);
  }
}

/* ---- a group: its structure factor, its form factor ---- */

/* Sums c exp(i q.R) over the group, or with `twice` |c exp(i q.R)|^2, which is of the imaginary part of 2 q alone, for `count` vectors
   from `begin` on: the kernel of form factors, where q / |q| is a unit vector and weights are areas along it. */
CONVK_RARE_ void CONVK_PRIVATE_(many_phases)(const CONVK_PRIVATE_(many) *m, size_t begin, size_t count, int twice) {
  CONVK_T partial[2][CONVK_FORM_Q_];
  double *re = m->phase[twice ? 2 : 0] + begin, *im = m->phase[1] + begin; /* squares have no imaginary part */
  CONVK_PRIVATE_(form_part) part;
  size_t i, t;
  int d;
  for (i = 0; i < count; i++) re[i] = m->weights[twice ? 2 : 0];
  for (i = 0; i < count && !twice; i++) im[i] = m->weights[1];
  memset(&part, 0, sizeof part);
  part.nq = convk_round_up_(count, 2 * CONVK_FORM_QUANTUM_);
  part.imag = m->imag || m->heavy;
  for (d = 0; d < 3; d++) {
    part.turns[d] = twice ? m->unit[1] : m->turns[d] + begin;
    part.along[d] = m->unit[d ? 1 : 0];
  }
  part.decay = m->turns[twice ? 4 : 3] + begin;
  for (d = 0; d < 3; d++) {
    part.imag_along[d] = m->unit[d == 2 ? 2 : 1];
    part.imag_turns[d] = m->unit[1];
  }
  part.re = partial[0];
  part.im = partial[1];
  for (t = 0; t < m->n; t += CONVK_FORM_TRIANGLES_) {
    part.n = m->n - t < CONVK_FORM_TRIANGLES_ ? m->n - t : CONVK_FORM_TRIANGLES_;
    for (d = 0; d < 3; d++) {
      part.at[d] = m->at[d] + m->first + t;
      part.area[d] = m->zero + m->first + t;
    }
    part.area[0] = (twice ? m->square : m->weight[0]) + m->first + t;
    if (!twice) part.area[2] = m->weight[1] + m->first + t;
    m->hw->CONVK_TYPE_.form_kernels->list(&part);
    for (i = 0; i < count; i++) re[i] -= 2 * (double)partial[0][i];
    for (i = 0; i < count && !twice; i++) im[i] += 2 * (double)partial[1][i];
  }
}

/* The same of the whole chunk on a device: form factors of surfaces whose areas are c along an axis are F_d = -i conj(q_d) / |q|^2
   times the sum, so that it is i q.F. */
CONVK_RARE_ int CONVK_PRIVATE_(many_phases_far)(const CONVK_PRIVATE_(many) *m, int twice) {
  convk_formfactor_options open;
  CONVK_TYPED_(mesh) mesh;
  const CONVK_T *q[4];
  size_t i;
  int part, d, status = CONVK_OK;
  memset(&open, 0, sizeof open);
  open.form = CONVK_FORM_OPEN;
  memset(&mesh, 0, sizeof mesh);
  mesh.n = m->n;
  mesh.x = m->at[0] + m->first;
  mesh.y = m->at[1] + m->first;
  mesh.z = m->at[2] + m->first;
  for (d = 0; d < 4; d++) q[d] = (const CONVK_T *)(const void *)m->q[d];
  for (i = 0; i < m->count; i++) {
    int none = 1;
    for (d = 0; d < 4; d++)
      if (m->q[d] && (m->q[d][i] < 0 || m->q[d][i] > 0)) none = 0;
    for (d = 0; d < 2; d++)
      if (!twice) m->phase[d][i] = none ? m->weights[d] : 0;
    if (!twice) continue;
    m->phase[2][i] = m->q[3][i] < 0 || m->q[3][i] > 0 ? 0 : m->weights[2];
    m->turned[0][i] = 0;
    m->turned[1][i] = 2 * m->q[3][i];
  }
  for (part = 0; part < (twice || !m->heavy ? 1 : 2); part++)
    for (d = twice ? 2 : 0; d < 3 && !status; d++) {
      CONVK_T *weight = (twice ? m->square : m->weight[part]) + m->first, *zero = m->zero + m->first;
      mesh.ax = d == 0 ? weight : zero;
      mesh.ay = d == 1 ? weight : zero;
      mesh.az = d == 2 ? weight : zero;
      status = twice ? CONVK_TYPED_(formfactor)(m->hw, &mesh, m->count, m->turned[0], m->turned[0], m->turned[0], m->turned[1],
                                                &open, m->f)
                     : CONVK_TYPED_(formfactor)(m->hw, &mesh, m->count, q[0], q[1], q[2], q[3], &open, m->f);
      for (i = 0; i < m->count && !status; i++) {
        const double re = (double)m->f[2 * i], im = (double)m->f[2 * i + 1];
        const double x = twice ? 0 : (double)m->q[d][i], y = d < 2 || !m->imag ? 0 : (double)m->q[3][i] * (twice ? 2 : 1);
        double term[2]; /* i q F */
        term[0] = -x * im - y * re;
        term[1] = x * re - y * im;
        if (twice) m->phase[2][i] += term[0];
        else {
          m->phase[0][i] += part ? -term[1] : term[0];
          m->phase[1][i] += part ? term[0] : term[1];
        }
      }
    }
  return status;
}

CONVK_RARE_ void CONVK_PRIVATE_(many_place)(void *arg, size_t index) {
  const CONVK_PRIVATE_(many) *m = (const CONVK_PRIVATE_(many) *)arg;
  const size_t begin = index * CONVK_FORM_Q_, count = m->count - begin < CONVK_FORM_Q_ ? m->count - begin : CONVK_FORM_Q_;
  size_t i;
  for (i = begin; i < begin + count; i++) {
    CONVK_PRIVATE_(many_turn)(m, i);
    if (m->each && !m->imag) m->phase[2][i] = m->weights[2];
  }
  if (!m->hw->CONVK_TYPE_.form_kernels) return;
  CONVK_PRIVATE_(many_phases)(m, begin, count, 0);
  if (m->each && m->imag) CONVK_PRIVATE_(many_phases)(m, begin, count, 1);
}

CONVK_RARE_ void CONVK_PRIVATE_(many_add)(void *arg, size_t index) {
  const CONVK_PRIVATE_(many) *m = (const CONVK_PRIVATE_(many) *)arg;
  const size_t begin = index * CONVK_FORM_Q_, end = m->count - begin < CONVK_FORM_Q_ ? m->count : begin + CONVK_FORM_Q_;
  size_t i;
  for (i = begin; i < end; i++) {
    const double re = m->cube * (double)m->f[2 * i], im = m->cube * (double)m->f[2 * i + 1];
    m->sum[0][i] += re * m->phase[0][i] - im * m->phase[1][i];
    m->sum[1][i] += re * m->phase[1][i] + im * m->phase[0][i];
    if (m->each) m->sum[2][i] += (re * re + im * im) * m->phase[2][i];
  }
}

/* Begins the group after the one that is under way; 0: there is none. */
CONVK_RARE_ int CONVK_PRIVATE_(many_next)(CONVK_PRIVATE_(many) *m) {
  const convk_placement *p = m->assembly->placement;
  size_t i;
  int d;
  m->first += m->n;
  if (m->first == m->assembly->placements) return 0;
  m->cube = convk_placement_turn_(&p[m->order[m->first]], m->turn);
  for (d = 0; d < 3; d++) m->weights[d] = 0;
  for (i = m->first; i < m->assembly->placements; i++) {
    if (convk_placements_compare_(&p[m->order[m->first]], &p[m->order[i]])) break;
    for (d = 0; d < 2; d++) m->weights[d] += (double)m->weight[d][i];
    m->weights[2] += (double)m->square[i];
  }
  m->n = i - m->first;
  return 1;
}

/* Whether rotations make qx and qy of the group complex, too. */
CONVK_LOCAL_ int CONVK_PRIVATE_(many_tilted)(const CONVK_PRIVATE_(many) *m) {
  return m->imag && (m->turn[2] < 0 || m->turn[2] > 0 || m->turn[5] < 0 || m->turn[5] > 0);
}

/* The group's form factor: without checks, which are made; devices make them again. */
CONVK_RARE_ int CONVK_PRIVATE_(many_form)(CONVK_PRIVATE_(many) *m) {
  const size_t which = m->assembly->placement[m->order[m->first]].mesh;
  const int tilted = CONVK_PRIVATE_(many_tilted)(m);
  CONVK_PRIVATE_(form_call) call = (tilted ? m->tilted : m->body)[which];
  convk_formfactor_options options = m->options;
  int d;
  if (!m->hw->CONVK_TYPE_.form_kernels) {
    options.qx_imag = tilted ? m->turned[4] : NULL;
    options.qy_imag = tilted ? m->turned[5] : NULL;
    return CONVK_TYPED_(formfactor)(m->hw, &m->assembly->mesh[which], m->count, m->turned[0], m->turned[1], m->turned[2],
                                    m->imag ? m->turned[3] : NULL, &options, m->f);
  }
  for (d = 0; d < 6; d++) call.q[d] = d < (tilted ? 6 : m->imag ? 4 : 3) ? m->turned[d] : NULL;
  call.span = m->count;
  call.f = m->f;
  return CONVK_PRIVATE_(form_list_run)(m->hw->CONVK_TYPE_.form_kernels, m->hw, &call);
}

/* Sums over all particles for the chunk. */
CONVK_RARE_ int CONVK_PRIVATE_(many_chunk)(CONVK_PRIVATE_(many) *m) {
  const size_t tasks = convk_ceil_(m->count, CONVK_FORM_Q_);
  size_t i;
  int d, status = CONVK_OK;
  for (d = 0; d < 3; d++) memset(m->sum[d], 0, m->count * sizeof(double));
  for (i = 0; i < m->count + 2 * CONVK_FORM_QUANTUM_ && m->hw->CONVK_TYPE_.form_kernels; i++) {
    const double imag = m->imag && i < m->count ? (double)m->q[3][i] : 0;
    for (d = 0; d < 3; d++)
      CONVK_PRIVATE_(form_rate)(i < m->count ? (double)m->q[d][i] : 0, d ? 2 * imag : imag, &m->turns[d][i],
                                &m->turns[d ? 4 : 3][i]);
  }
  m->first = m->n = 0;
  while (!status && m->count && CONVK_PRIVATE_(many_next)(m)) {
    if (!m->hw->CONVK_TYPE_.form_kernels) status = CONVK_PRIVATE_(many_phases_far)(m, 0);
    if (!m->hw->CONVK_TYPE_.form_kernels && !status && m->each && m->imag) status = CONVK_PRIVATE_(many_phases_far)(m, 1);
    if (!status) status = convk_run_(m->hw, tasks, CONVK_PRIVATE_(many_place), m);
    if (!status) status = CONVK_PRIVATE_(many_form)(m);
    if (!status) status = convk_run_(m->hw, tasks, CONVK_PRIVATE_(many_add), m);
  }
  return status;
}

/* ---- checks ---- */

/* Whether phases and exponentials of a body, or of positions as if they were one, are in range for q, of which so many arrays count:
   those of imaginary parts come last. */
CONVK_LOCAL_ int CONVK_PRIVATE_(many_range)(const CONVK_PRIVATE_(form_call) *body, size_t nq, CONVK_T *const *q, int parts) {
  CONVK_PRIVATE_(form_call) call = *body;
  int d;
  call.n = 0; /* its triangles have been looked at */
  for (d = 0; d < 6; d++) {
    call.q[d] = d < parts ? q[d] : NULL;
    call.nq[d] = nq;
  }
  return CONVK_PRIVATE_(form_numbers)(&call);
}

/* The largest phases of all groups and of all q, without looking at every pair unless bounds do not do. */
CONVK_RARE_ int CONVK_PRIVATE_(many_numbers)(CONVK_PRIVATE_(many) *m) {
  const double most_real = CONVK_OF_(1e38, 1e307);
  double least[4] = {0, 0, 0, 0}, most[4] = {0, 0, 0, 0};
  CONVK_PRIVATE_(form_call) crowd;
  CONVK_T box[6][2], *q[6];
  size_t begin, i;
  int d, k, status;
  for (begin = 0; begin < m->total; begin += m->step) {
    CONVK_PRIVATE_(many_make)(m, begin, 1);
    for (d = 0; d < 4 && m->q[d]; d++) {
      double low, high;
      status = CONVK_PRIVATE_(form_extremes)(m->q[d], m->count, &low, &high);
      if (status) return status;
      if (low < least[d]) least[d] = low;
      if (high > most[d]) most[d] = high;
    }
  }
  /* the structure factor of all particles: positions as a body */
  memset(&crowd, 0, sizeof crowd);
  for (i = 0; i < m->assembly->placements; i++) {
    crowd.measures.area += (double)(m->weight[0][i] < 0 ? -m->weight[0][i] : m->weight[0][i]);
    crowd.measures.area += (double)(m->weight[1][i] < 0 ? -m->weight[1][i] : m->weight[1][i]);
    for (d = 0; d < 3; d++) {
      const double x = (double)m->at[d][i];
      if (x < crowd.measures.least[d]) crowd.measures.least[d] = x;
      if (x > crowd.measures.most[d]) crowd.measures.most[d] = x;
    }
  }
  for (d = 0; d < 6; d++) q[d] = box[d];
  for (k = 0; k < 1 + (m->each && m->imag); k++) { /* q, and for squares 2 q */
    for (d = 0; d < 4; d++) {
      box[d][0] = (CONVK_T)((k && d == 3 ? 2 : 1) * least[d]);
      box[d][1] = (CONVK_T)((k && d == 3 ? 2 : 1) * most[d]);
    }
    if (k) crowd.measures.area *= crowd.measures.area;
    if (CONVK_PRIVATE_(many_range)(&crowd, 2, q, m->imag ? 4 : 3)) return CONVK_ERR_RANGE;
  }
  /* the form factor of each group */
  for (m->first = m->n = 0; CONVK_PRIVATE_(many_next)(m);) {
    const size_t which = m->assembly->placement[m->order[m->first]].mesh;
    const int tilted = CONVK_PRIVATE_(many_tilted)(m), parts = tilted ? 6 : m->imag ? 4 : 3;
    const CONVK_PRIVATE_(form_call) *body = &(tilted ? m->tilted : m->body)[which];
    if (tilted && m->refused[which]) return m->refused[which];
    for (d = 0; d < 6; d++) {
      double bound = 0;
      for (k = 0; k < 4; k++) {
        const double t = m->turn[d < 3 ? 3 * d + (k < 3 ? k : 0) : d == 3 ? 8 : 3 * d - 10];
        const double x = most[k] > -least[k] ? most[k] : -least[k];
        if ((d < 3) == (k < 3)) bound += 1.000001 * (t < 0 ? -t : t) * x;
      }
      if (!(bound < most_real)) return CONVK_ERR_RANGE;
      box[d][0] = (CONVK_T)-bound;
      box[d][1] = (CONVK_T)bound;
    }
    if (!CONVK_PRIVATE_(many_range)(body, 2, q, parts)) continue;
    for (begin = 0; begin < m->total; begin += m->step) {
      CONVK_PRIVATE_(many_make)(m, begin, 1);
      for (i = 0; i < m->count; i++) CONVK_PRIVATE_(many_turn)(m, i);
      status = CONVK_PRIVATE_(many_range)(body, m->count, m->turned, parts);
      if (status) return status;
    }
  }
  return CONVK_OK;
}

/* Whether memory that is written is part of the assembly. */
CONVK_RARE_ int CONVK_PRIVATE_(many_touches)(const CONVK_PRIVATE_(many) *m, const void *p, size_t bytes) {
  const CONVK_TYPED_(assembly) *a = m->assembly;
  size_t k;
  int d;
  if (convk_overlap_(p, bytes, a->mesh, a->meshes * sizeof *a->mesh) ||
      convk_overlap_(p, bytes, a->placement, a->placements * sizeof *a->placement))
    return 1;
  for (k = 0; k < a->meshes; k++) {
    for (d = 0; d < 12; d++)
      if (convk_overlap_(p, bytes, m->body[k].field[d], a->mesh[k].n * sizeof(CONVK_T))) return 1;
    if (a->mesh[k].indexed && CONVK_PRIVATE_(indexed_touches)(a->mesh[k].indexed, p, bytes)) return 1;
  }
  return 0;
}

/* Checks all but q and lays the work out.  m: zero, but for hw, assembly, imag and total. */
CONVK_RARE_ int CONVK_PRIVATE_(many_begin)(CONVK_PRIVATE_(many) *m, size_t terms, const convk_formfactor_options *options,
                                           void *work, size_t work_size, convk_work_ *w) {
  const CONVK_TYPED_(assembly) *a = m->assembly;
  size_t need, i, bytes;
  int d, unweighted, status = convk_begin_call_(m->hw);
  w->own = NULL;
  if (!status && !m->hw->CONVK_TYPE_.formfactor) status = CONVK_ERR_COMPILED;
  if (!status && (!a || (a->meshes && !a->mesh) || (a->placements && !a->placement))) status = CONVK_ERR_NULL;
  if (status) return status;
  need = CONVK_PRIVATE_(many_lay_out)(m, m->total < CONVK_FORM_MANY_ ? terms * m->total : CONVK_FORM_MANY_, NULL);
  m->step = m->room / terms;
  if (need == (size_t)-1 || convk_mul_(m->total, 8 * terms * sizeof(CONVK_T), &bytes)) return CONVK_ERR_OVERFLOW;
  status = convk_form_option_(convk_message_(m->hw), options);
  if (options) m->options = *options;
  if (!status && (m->options.qx_imag || m->options.qy_imag))
    status =
        convk_refuse_(convk_message_(m->hw), CONVK_ERR_OPTION, "options->qx_imag or qy_imag is given: particles take none");
  if (!status) status = convk_placements_check_(a->placement, a->placements, a->meshes, CONVK_EITHER_(1e18, 1e153));
  if (!status) status = convk_work_begin_(w, work, work_size, need);
  if (status) return status;
  CONVK_PRIVATE_(many_lay_out)(m, m->room, w->base);
  for (i = 0; i < a->meshes && !status; i++) {
    convk_formfactor_options full = m->options;
    full.qx_imag = full.qy_imag = m;
    status = CONVK_PRIVATE_(formfactor_check)(convk_message_(m->hw), &a->mesh[i], NULL, 0, NULL, NULL, NULL, NULL, &m->options,
                                              NULL, &m->body[i]);
    m->refused[i] = m->imag ? CONVK_PRIVATE_(formfactor_check)(NULL, &a->mesh[i], NULL, 0, NULL, NULL, NULL, NULL, &full, NULL,
                                                               &m->tilted[i])
                            : CONVK_OK;
  }
  if (status) return status;
  convk_placements_sort_(a->placement, a->placements, m->order);
  for (i = 0; i < CONVK_FORM_Q_; i++)
    for (d = 0; d < 3; d++) m->unit[d][i] = (CONVK_T)(1 - d);
  unweighted = convk_placements_unweighted_(a->placement, a->placements);
  for (i = 0; i < a->placements; i++) {
    const convk_placement *p = &a->placement[m->order[i]];
    for (d = 0; d < 3; d++) m->at[d][i] = (CONVK_T)p->position[d];
    for (d = 0; d < 2; d++) m->weight[d][i] = (CONVK_T)p->weight[d];
    if (unweighted) m->weight[0][i] = 1;
    m->square[i] = m->weight[0][i] * m->weight[0][i] + m->weight[1][i] * m->weight[1][i];
    m->zero[i] = 0;
    if (m->weight[1][i] < 0 || m->weight[1][i] > 0) m->heavy = 1;
  }
  return CONVK_OK;
}

/* ---- calls ---- */

CONVK_API_ int CONVK_TYPED_(formfactor_assembly)(const convk *hw, const CONVK_TYPED_(assembly) *assembly, size_t nq,
                                                 const CONVK_T *qx, const CONVK_T *qy, const CONVK_T *qz,
                                                 const CONVK_T *qz_imag, const convk_formfactor_options *options, CONVK_T *f,
                                                 CONVK_T *intensity, void *work, size_t work_size) {
  const size_t bytes = nq * sizeof(CONVK_T);
  CONVK_PRIVATE_(many) m;
  CONVK_PRIVATE_(any) *to = f, *square = intensity;
  convk_work_ w;
  size_t begin, i;
  int d, status;
  memset(&m, 0, sizeof m);
  m.hw = hw;
  m.assembly = assembly;
  m.imag = qz_imag != NULL;
  m.each = intensity != NULL;
  m.total = nq;
  m.list[0] = qx;
  m.list[1] = qy;
  m.list[2] = qz;
  m.list[3] = qz_imag;
  status = CONVK_PRIVATE_(many_begin)(&m, 1, options, work, work_size, &w);
  if (!status && nq && (!qx || !qy || !qz || (!f && !intensity))) status = CONVK_ERR_NULL;
  if (!status) status = CONVK_PRIVATE_(many_numbers)(&m);
  if (!status && (CONVK_PRIVATE_(many_touches)(&m, f, 2 * bytes) || CONVK_PRIVATE_(many_touches)(&m, intensity, bytes) ||
                  convk_overlap_(f, 2 * bytes, intensity, bytes)))
    status = CONVK_ERR_OVERLAP;
  for (d = 0; d < 4 && !status; d++)
    if (convk_overlap_(f, 2 * bytes, m.list[d], bytes) || convk_overlap_(intensity, bytes, m.list[d], bytes))
      status = CONVK_ERR_OVERLAP;
  for (begin = 0; begin < nq && !status; begin += m.step) {
    CONVK_PRIVATE_(many_make)(&m, begin, 0);
    status = CONVK_PRIVATE_(many_chunk)(&m);
    for (i = 0; i < m.count && !status; i++) {
      for (d = 0; d < 2 && f; d++) to[2 * (begin + i) + (size_t)d] = (CONVK_T)m.sum[d][i];
      if (intensity) square[begin + i] = (CONVK_T)m.sum[2][i];
    }
  }
  convk_work_end_(&w);
  return status;
}

CONVK_API_ int CONVK_TYPED_(formfactor_powder)(const convk *hw, const CONVK_TYPED_(assembly) *assembly, size_t nq,
                                               const CONVK_T *q, size_t directions, const CONVK_T *nx, const CONVK_T *ny,
                                               const CONVK_T *nz, const CONVK_T *weight,
                                               const convk_formfactor_options *options, CONVK_T *intensity, void *work,
                                               size_t work_size) {
  const size_t size = sizeof(CONVK_T);
  const CONVK_PRIVATE_(any) *rule = weight;
  CONVK_PRIVATE_(any) *to = intensity;
  CONVK_PRIVATE_(many) m;
  convk_work_ w;
  double sum = 0, low, high;
  size_t begin, i;
  int d, status = CONVK_OK;
  memset(&m, 0, sizeof m);
  w.own = NULL;
  m.hw = hw;
  m.assembly = assembly;
  m.list[0] = q;
  m.direction[0] = nx;
  m.direction[1] = ny;
  m.direction[2] = nz;
  m.directions = directions;
  if (convk_mul_(nq, directions, &m.total) || convk_mul_(nq, size, &i) || convk_mul_(directions, size, &i))
    status = CONVK_ERR_OVERFLOW;
  if (!status) status = CONVK_PRIVATE_(many_begin)(&m, 1, options, work, work_size, &w);
  if (!status && ((nq && (!q || !intensity)) || (directions && (!nx || !ny || !nz)))) status = CONVK_ERR_NULL;
  for (d = 0; d < 3 && !status; d++) status = CONVK_PRIVATE_(form_extremes)(m.direction[d], directions, &low, &high);
  if (!status && rule) status = CONVK_PRIVATE_(form_extremes)(rule, directions, &low, &high);
  if (!status) status = CONVK_PRIVATE_(form_extremes)(m.list[0], nq, &low, &high);
  if (!status) status = CONVK_PRIVATE_(many_numbers)(&m);
  if (!status &&
      (CONVK_PRIVATE_(many_touches)(&m, intensity, nq * size) || convk_overlap_(intensity, nq * size, q, nq * size) ||
       convk_overlap_(intensity, nq * size, weight, directions * size)))
    status = CONVK_ERR_OVERLAP;
  for (d = 0; d < 3 && !status; d++)
    if (convk_overlap_(intensity, nq * size, m.direction[d], directions * size)) status = CONVK_ERR_OVERLAP;
  for (i = 0; i < nq && !directions && !status; i++) to[i] = 0;
  for (begin = 0; begin < m.total && !status; begin += m.step) {
    CONVK_PRIVATE_(many_make)(&m, begin, 0);
    status = CONVK_PRIVATE_(many_chunk)(&m);
    for (i = 0; i < m.count && !status; i++) {
      const size_t j = (begin + i) % directions;
      if (!j) sum = 0;
      sum += (rule ? (double)rule[j] : 1 / (double)directions) * (m.sum[0][i] * m.sum[0][i] + m.sum[1][i] * m.sum[1][i]);
      if (j + 1 == directions) to[(begin + i) / directions] = (CONVK_T)sum;
    }
  }
  convk_work_end_(&w);
  return status;
}

CONVK_API_ int CONVK_TYPED_(formfactor_dwba)(const convk *hw, const CONVK_TYPED_(assembly) *assembly, size_t nq,
                                             const CONVK_TYPED_(dwba) *waves, const convk_formfactor_options *options,
                                             CONVK_T *f, void *work, size_t work_size) {
  const size_t bytes = 2 * nq * sizeof(CONVK_T);
  const CONVK_PRIVATE_(any) *array[10]; /* as the struct has them */
  CONVK_PRIVATE_(any) *to = f;
  CONVK_PRIVATE_(many) m;
  convk_work_ w;
  size_t begin, i;
  int d, status = waves ? CONVK_OK : CONVK_ERR_NULL;
  memset(&m, 0, sizeof m);
  w.own = NULL;
  if (!status) {
    memcpy(array, waves, sizeof array);
    m.hw = hw;
    m.assembly = assembly;
    m.waves = waves;
    m.imag = waves->kz_in_imag || waves->kz_out_imag;
    m.total = nq;
    status = CONVK_PRIVATE_(many_begin)(&m, 4, options, work, work_size, &w);
  }
  if (!status && nq && (!f || !waves->qx || !waves->qy || !waves->kz_in || !waves->kz_out)) status = CONVK_ERR_NULL;
  for (d = 0; d < 10 && !status; d++) {
    double low, high;
    if (array[d]) status = CONVK_PRIVATE_(form_extremes)(array[d], d < 6 ? nq : 2 * nq, &low, &high);
  }
  if (!status) status = CONVK_PRIVATE_(many_numbers)(&m);
  if (!status && CONVK_PRIVATE_(many_touches)(&m, f, bytes)) status = CONVK_ERR_OVERLAP;
  for (d = 0; d < 10 && !status; d++)
    if (convk_overlap_(f, bytes, array[d], d < 6 ? bytes / 2 : bytes)) status = CONVK_ERR_OVERLAP;
  for (begin = 0; begin < nq && !status; begin += m.step) {
    CONVK_PRIVATE_(many_make)(&m, begin, 0);
    status = CONVK_PRIVATE_(many_chunk)(&m);
    for (i = begin; i < nq && i < begin + m.step && !status; i++) {
      double sum[2] = {0, 0}, a[2];
      for (d = 0; d < 4; d++) {
        const size_t k = m.term[4 * (i - begin) + (size_t)d];
        if (k == CONVK_MANY_NONE_) continue;
        CONVK_PRIVATE_(many_amplitude)(waves, i, d, a);
        sum[0] += a[0] * m.sum[0][k] - a[1] * m.sum[1][k];
        sum[1] += a[0] * m.sum[1][k] + a[1] * m.sum[0][k];
      }
      for (d = 0; d < 2; d++) to[2 * i + (size_t)d] = (CONVK_T)sum[d];
    }
  }
  convk_work_end_(&w);
  return status;
}
/* ---- src/formfactor/tuner.h ---- */
CONVK_RARE_ int CONVK_PRIVATE_(trial_form_run)(convk_trial_ *t, void **result) {
  const size_t n = t->triangles, list = t->what->which == 0, nq = list ? t->entry.ny : 0;
  CONVK_T *in = (CONVK_T *)t->array[0], *q = in + 6 * n, *out = (CONVK_T *)t->array[1];
  CONVK_TYPED_(mesh) mesh;
  convk_grid3 grid;
  int status = CONVK_TYPED_(mesh_assign)(n, 0, in, &mesh);
  *result = out;
  if (list) return CONVK_TYPED_(formfactor)(&t->hw, &mesh, nq, q, q + nq, q + 2 * nq, NULL, NULL, out);
  grid = t->shape.grid;
  grid.pitch_y = grid.pitch_z = 0;
  status = convk_trial_work_(t, CONVK_TYPED_(formfactor_grid_work_size)(&t->hw, &grid, 0));
  if (!status)
    status = CONVK_TYPED_(formfactor_grid)(&t->hw, &mesh, &grid, q, q + grid.nx, q + grid.nx + grid.ny, NULL, NULL, out, t->work,
                                           t->work_size);
  return status;
}

CONVK_ACROSS_ int CONVK_PRIVATE_(trial_form)(convk_trial_ *t) {
  const size_t most = (size_t)1 << 28, list = t->what->which == 0;
  const convk_grid3 *g = &t->shape.grid;
  t->entry.nx = g->nx;
  t->entry.ny = g->ny;
  t->entry.nz = list ? 1 : g->nz;
  t->entry.length = 1;
  t->triangles = list ? g->nx : t->shape.triangles ? t->shape.triangles : 4096;
  if (!g->nx || !g->ny || !t->entry.nz) return CONVK_ERR_SIZE;
  if (g->nx > most || g->ny > most / g->nx || t->entry.nz > most / g->nx / g->ny || t->triangles > most) return CONVK_ERR_OVERFLOW;
  t->bytes = 2 * (list ? g->ny : g->nx * g->ny * g->nz) + 6 * t->triangles + 3 * (g->nx + g->ny + t->entry.nz);
  t->bytes *= sizeof(CONVK_T);
  t->fill = CONVK_PRIVATE_(trial_fill);
  t->run = CONVK_PRIVATE_(trial_form_run);
  return CONVK_OK;
}
#endif
CONVK_LIGHT_POP_
#if CONVK_HAS_FFT_
/* ---- src/fft/driver.h ---- */

/* ---- lines ---- */

/* Some lines: element (point, line) at point step + line next. */
typedef struct CONVK_PRIVATE_(fft_lines) {
  CONVK_T *at;
  size_t step, next, count;
} CONVK_PRIVATE_(fft_lines);

/* The passes of a forward transform but for the last `less`; the first reads src, the others work in place.  All passes but the
   first have twiddles, also where they are 1. */
CONVK_LOCAL_ void CONVK_PRIVATE_(fft_there)(const CONVK_PRIVATE_(fft_kernels) *kernels, const convk_fft_axis_ *axis,
                                            const CONVK_PRIVATE_(any) *tables, CONVK_PRIVATE_(fft_lines) src,
                                            const CONVK_PRIVATE_(fft_lines) *dst, ptrdiff_t imag, int less, int pairs) {
  CONVK_PRIVATE_(fft_pass) pass;
  size_t blocks = 1, b, r, part;
  int i;
  pass.factor = NULL;
  pass.imag = imag;
  pass.lines = dst->count;
  pass.to_line = dst->next;
  for (i = 0; i < axis->passes - less; i++, blocks *= r, src = *dst) {
    r = (size_t)axis->radix[i];
    part = axis->n / blocks / r;
    pass.src = src.at;
    pass.from_line = src.next;
    pass.dst = dst->at;
    pass.half = i ? 0 : axis->half_in;
    pass.pairs = i ? 0 : pairs;
    pass.twiddle = i ? tables + axis->forward[i] : NULL;
    pass.from = part * src.step;
    pass.to = part * dst->step;
    if (part == 1) { /* one point of each block: the twiddles change with the blocks */
      pass.twiddle_step = 2 * (r - 1);
      pass.from_step = r * src.step;
      pass.to_step = r * dst->step;
      pass.count = blocks;
      kernels->pass[r](&pass);
      continue;
    }
    pass.twiddle_step = 0;
    pass.from_step = src.step;
    pass.to_step = dst->step;
    pass.count = part;
    for (b = 0; b < blocks; b++) {
      kernels->pass[r](&pass);
      pass.src += r * part * src.step;
      pass.dst += r * part * dst->step;
      if (i) pass.twiddle += 2 * (r - 1);
    }
  }
}

/* The passes of the inverse transform but for the first `less`; the last writes to dst.  All passes but the first have twiddles.
   The imaginary parts come first here. */
CONVK_LOCAL_ void CONVK_PRIVATE_(fft_back)(const CONVK_PRIVATE_(fft_kernels) *kernels, const convk_fft_axis_ *axis,
                                         const CONVK_PRIVATE_(any) *tables, const CONVK_PRIVATE_(fft_lines) *src,
                                         const CONVK_PRIVATE_(fft_lines) *dst, ptrdiff_t imag, int less) {
  CONVK_PRIVATE_(fft_pass) pass;
  size_t part = 1, blocks = axis->n, b, r;
  int i;
  pass.factor = NULL;
  pass.pairs = 0;
  pass.imag = -imag;
  pass.lines = src->count;
  pass.from_line = src->next;
  for (i = axis->passes - 1; i >= 0; i--, part *= r) {
    const CONVK_PRIVATE_(fft_lines) *to = i ? src : dst;
    r = (size_t)axis->radix[i];
    blocks /= r;
    if (i >= axis->passes - less) continue;
    pass.src = src->at + imag;
    pass.dst = to->at + imag;
    pass.to_line = to->next;
    pass.from = part * src->step;
    pass.to = part * to->step;
    pass.half = i || !axis->half_out ? 0 : 2;
    pass.twiddle = part > 1 ? tables + axis->inverse[i] : NULL;
    pass.twiddle_step = part > 1 ? 2 * (r - 1) : 0;
    pass.count = part > 1 ? part : blocks;
    pass.from_step = part > 1 ? src->step : r * src->step;
    pass.to_step = part > 1 ? to->step : r * to->step;
    for (b = 0; b < (part > 1 ? blocks : 1); b++) {
      kernels->pass[r](&pass);
      pass.src += r * part * src->step;
      pass.dst += r * part * to->step;
    }
  }
}

/* Lines that are worked on together: what stays in L1. */
CONVK_LOCAL_ size_t CONVK_PRIVATE_(fft_together)(size_t n, size_t lanes) {
  return convk_ceil_(CONVK_FFT_TOGETHER_ / sizeof(CONVK_T), 2 * lanes * n);
}

/* Lines k .. k + count - 1 along x of a convolution, from b to the same place. */
CONVK_LOCAL_ void CONVK_PRIVATE_(fft_convolve)(const CONVK_PRIVATE_(fft_job) *job, size_t k, size_t count, CONVK_T *t) {
  const convk_fft_plan_ *plan = job->plan;
  const convk_fft_axis_ *axis = &plan->axis[1];
  const size_t lanes = job->kernels->lanes, last = (size_t)axis->radix[axis->passes - 1];
  const int whole = axis->passes == 1; /* there and back at once */
  CONVK_PRIVATE_(fft_lines) line, own;
  CONVK_PRIVATE_(fft_pass) pass;
  line.at = job->b + 2 * lanes * k;
  line.step = job->b_pitch;
  line.next = 2 * lanes;
  line.count = own.count = count;
  own.at = t;
  own.step = 2 * lanes;
  own.next = 2 * lanes * axis->n;
  if (whole) own = line;
  else CONVK_PRIVATE_(fft_there)(job->kernels, axis, job->tables, line, &own, (ptrdiff_t)lanes, 1, 0);
  pass.imag = (ptrdiff_t)lanes;
  pass.src = pass.dst = own.at;
  pass.from = pass.to = own.step;
  pass.from_step = pass.to_step = last * own.step;
  pass.from_line = pass.to_line = own.next;
  pass.count = axis->n / last;
  pass.lines = count;
  pass.half = whole ? axis->half_in + 2 * axis->half_out : 0;
  pass.pairs = 0;
  pass.twiddle = whole ? NULL : job->tables + axis->forward[axis->passes - 1];
  pass.twiddle_step = whole ? 0 : 2 * (last - 1);
  pass.wide = job->s || !job->across;
  pass.factor_imag = job->s ? lanes : plan->pitch;
  pass.factor_step = job->s ? 2 * lanes : 2 * plan->pitch;
  pass.factor_next = last * pass.factor_step;
  pass.factor_line = job->s ? 2 * lanes * axis->n : job->across ? 1 : lanes;
  pass.factor = (job->s ? job->s : job->factor[0]) + k * pass.factor_line;
  job->kernels->pass[last](&pass);
  if (!whole) CONVK_PRIVATE_(fft_back)(job->kernels, axis, job->tables, &own, &line, (ptrdiff_t)lanes, 1);
}

/* ---- a block of items ---- */

CONVK_LOCAL_ void CONVK_PRIVATE_(fft_clear)(CONVK_T *from, size_t pitch, size_t begin, size_t end, size_t each) {
  for (; begin < end; begin++) memset(from + begin * pitch, 0, each * sizeof *from);
}

/* Lines along y of the columns in job->a, there or back. */
CONVK_LOCAL_ void CONVK_PRIVATE_(fft_y)(const CONVK_PRIVATE_(fft_job) *job, size_t columns, int back) {
  const convk_fft_axis_ *axis = &job->plan->axis[0];
  const size_t lanes = job->kernels->lanes, most = CONVK_PRIVATE_(fft_together)(axis->n, lanes);
  CONVK_PRIVATE_(fft_lines) line;
  size_t c;
  line.step = 2 * lanes;
  line.next = job->a_pitch;
  for (c = 0; c < columns; c += most) {
    line.at = job->a + c * job->a_pitch;
    line.count = columns - c < most ? columns - c : most;
    if (back) CONVK_PRIVATE_(fft_back)(job->kernels, axis, job->tables, &line, &line, (ptrdiff_t)lanes, 0);
    else CONVK_PRIVATE_(fft_there)(job->kernels, axis, job->tables, line, &line, (ptrdiff_t)lanes, 0, 0);
  }
}

/* Items side by side in the lanes: their rows to columns of job->a, and back. */
CONVK_RARE_ void CONVK_PRIVATE_(fft_items_in)(const CONVK_PRIVATE_(fft_job) *job) {
  const size_t lanes = job->kernels->lanes, even = job->in_row + job->in_row % 2; /* an odd last real number has no partner */
  CONVK_PRIVATE_(fft_square) square;
  size_t f, i;
  memset(&square, 0, sizeof square);
  square.parts = 1;
  square.from_rows = job->items;
  square.count = job->plan->rows;
  square.from_step = job->in_pitch;
  square.to_step = 2 * lanes;
  square.scale = 0;
  for (f = 0; f < even; f += lanes) {
    square.from_n = job->in_row - f < lanes ? job->in_row - f : lanes;
    square.to_n = lanes;
    square.to_rows = even - f < lanes ? even - f : lanes;
    for (i = 0; i < lanes; i++) {
      if (i < job->items) square.from[i] = job->in[i] + f;
      square.to[i] = job->a + (f + i) / 2 * job->a_pitch + ((f + i) % 2 ^ (size_t)job->swap) * lanes;
    }
    job->kernels->square(&square);
  }
}

CONVK_RARE_ void CONVK_PRIVATE_(fft_items_out)(const CONVK_PRIVATE_(fft_job) *job) {
  const CONVK_T *a = job->transform ? job->b : job->a;
  const size_t lanes = job->kernels->lanes, pitch = job->transform ? job->b_pitch : job->a_pitch;
  CONVK_PRIVATE_(fft_square) square;
  size_t f, i;
  memset(&square, 0, sizeof square);
  square.parts = 1;
  square.to_rows = job->items;
  square.count = job->plan->out_rows;
  square.from_step = 2 * lanes;
  square.to_step = job->out_pitch;
  square.order = job->transform ? job->position[0] : NULL;
  square.scale = job->scale;
  for (f = 0; f < job->out_row; f += lanes) {
    square.from_rows = square.to_n = job->out_row - f < lanes ? job->out_row - f : lanes;
    square.from_n = lanes;
    for (i = 0; i < lanes; i++) {
      const size_t c = (f + i) / 2;
      if (i < square.from_rows)
        square.from[i] = a + (job->transform ? job->position[1][c] : c) * pitch + ((f + i) % 2 ^ (size_t)job->swap) * lanes;
      if (i < job->items) square.to[i] = job->out[i] + f;
    }
    job->kernels->square(&square);
  }
}

/* Spectra of different items side by side: mostly two, where one ends and the next begins. */
CONVK_RARE_ void CONVK_PRIVATE_(fft_factors)(const CONVK_PRIVATE_(fft_job) *job) {
  const convk_fft_plan_ *plan = job->plan;
  const size_t lanes = job->kernels->lanes, n = 2 * plan->axis[1].n;
  CONVK_PRIVATE_(fft_square) square;
  size_t first = 1, i, k;
  while (first < job->items && job->factor[first] == job->factor[0]) first++;
  for (i = first; i < job->items && job->factor[i] == job->factor[first];) i++;
  if (i == job->items) {
    for (k = 0; k < plan->lines; k++)
      job->kernels->blend(job->factor[0] + k, job->factor[first] + k, first, plan->pitch, n, job->s + lanes * n * k);
    return;
  }
  memset(&square, 0, sizeof square);
  square.parts = 1;
  square.from_rows = job->items;
  square.from_n = square.to_n = lanes;
  square.count = n;
  square.from_step = plan->pitch;
  square.to_step = lanes;
  square.scale = 0;
  for (k = 0; k < plan->lines; k += lanes) {
    square.to_rows = plan->lines - k < lanes ? plan->lines - k : lanes;
    for (i = 0; i < lanes; i++) {
      if (i < job->items) square.from[i] = job->factor[i] + k;
      square.to[i] = job->s + lanes * n * (k + i);
    }
    job->kernels->square(&square);
  }
}

/* Between frequencies of y with columns in the lanes, which lie in lines, and columns of job->b with frequencies in the lanes,
   `each` columns apart; n: frequencies. */
CONVK_RARE_ void CONVK_PRIVATE_(fft_turn)(const CONVK_PRIVATE_(fft_job) *job, CONVK_T *lines, size_t n, size_t first, size_t each,
                                          size_t columns, int back) {
  const size_t lanes = job->kernels->lanes, whole = n / lanes;
  CONVK_PRIVATE_(fft_square) square;
  size_t i, rest;
  square.order = NULL;
  square.from_n = square.to_n = lanes;
  square.scale = 0;
  square.from_step = square.to_step = 2 * lanes;
  *(back ? &square.to_step : &square.from_step) *= lanes;
  square.parts = 2;
  for (rest = whole == 0; rest < 1 + (n % lanes != 0); rest++) { /* whole squares, then one that is not */
    const size_t rows = rest ? n % lanes : lanes, have = columns <= first ? 0 : convk_ceil_(columns - first, each);
    CONVK_T *line = lines + rest * whole * 2 * lanes * lanes, *column = job->b + first * job->b_pitch + rest * whole * 2 * lanes;
    square.count = rest ? 1 : whole;
    square.from_rows = square.to_rows = have < lanes ? have : lanes;
    *(back ? &square.to_rows : &square.from_rows) = rows;
    for (i = 0; i < lanes; i++, line += 2 * lanes, column += each * job->b_pitch) {
      square.from[i] = back ? column : line;
      square.to[i] = back ? line : column;
    }
    job->kernels->square(&square);
  }
}

CONVK_RARE_ void CONVK_PRIVATE_(fft_items)(CONVK_PRIVATE_(fft_job) *job, CONVK_T *t) {
  const CONVK_PRIVATE_(fft_kernels) *kernels = job->kernels;
  const convk_fft_plan_ *plan = job->plan;
  const convk_fft_axis_ *y = &plan->axis[0], *x = &plan->axis[1];
  const size_t lanes = kernels->lanes, rows_in = y->half_in ? y->n / 2 : y->n, x_in = x->half_in ? x->n / 2 : x->n;
  const size_t lines = job->across ? plan->lines : convk_ceil_(plan->lines, lanes);
  const size_t in = convk_fft_columns_(plan, plan->columns), out = convk_fft_columns_(plan, plan->out_columns);
  const size_t most = CONVK_PRIVATE_(fft_together)(x->n, lanes);
  const size_t down = job->skip[0] * 2 * lanes, right = job->skip[1] * job->b_pitch;
  CONVK_T *pair = job->a + job->a_pitch; /* lines of two real columns, one after the other */
  size_t c, g, k;
  if (job->across) {
    CONVK_PRIVATE_(fft_items_in)(job);
    for (c = 0; c < in; c++) CONVK_PRIVATE_(fft_clear)(job->a + c * job->a_pitch, 2 * lanes, plan->rows, rows_in, 2 * lanes);
    CONVK_PRIVATE_(fft_y)(job, in, 0);
    for (c = 0; c < in && plan->real; c++)
      kernels->unpack(job->a + c * job->a_pitch, job->position[0], y->n, job->b + 2 * c * job->b_pitch,
                      job->b + (2 * c + 1) * job->b_pitch);
    if (job->s) CONVK_PRIVATE_(fft_factors)(job);
  } else
    for (g = 0; g < in; g += lanes) {
      kernels->unzip(job, job->in[0], g, job->a, 2 * lanes);
      CONVK_PRIVATE_(fft_clear)(job->a, 2 * lanes, plan->rows, rows_in, 2 * lanes);
      CONVK_PRIVATE_(fft_y)(job, 1, 0);
      if (plan->real) {
        kernels->unpack(job->a, job->position[0], y->n, pair, pair + job->a_pitch);
        CONVK_PRIVATE_(fft_turn)(job, pair, plan->lines, 2 * g, 2, 2 * in, 0);
        CONVK_PRIVATE_(fft_turn)(job, pair + job->a_pitch, plan->lines, 2 * g + 1, 2, 2 * in, 0);
      } else CONVK_PRIVATE_(fft_turn)(job, job->a, y->n, g, 1, in, 0);
    }
  CONVK_PRIVATE_(fft_clear)(job->b, job->b_pitch, plan->columns, x_in, 2 * lanes * lines);
  if (job->transform) {
    for (k = 0; k < lines; k += most) {
      CONVK_PRIVATE_(fft_lines) line;
      line.at = job->b + 2 * lanes * k;
      line.step = job->b_pitch;
      line.next = 2 * lanes;
      line.count = lines - k < most ? lines - k : most;
      CONVK_PRIVATE_(fft_there)(kernels, x, job->tables, line, &line, (ptrdiff_t)lanes, 0, 0);
    }
  } else
    for (k = 0; k < lines; k += most) CONVK_PRIVATE_(fft_convolve)(job, k, lines - k < most ? lines - k : most, t);
  job->b += right;
  if (job->across) {
    if (!plan->real) job->a += right; /* the same lines */
    for (c = 0; c < out && plan->real; c++)
      kernels->pack(job->a + c * job->a_pitch, job->position[0], y->n, job->b + 2 * c * job->b_pitch,
                    2 * c + 1 < plan->out_columns ? job->b + (2 * c + 1) * job->b_pitch : NULL);
    if (!job->transform) CONVK_PRIVATE_(fft_y)(job, out, 1);
    job->a += down;
    CONVK_PRIVATE_(fft_items_out)(job);
  } else
    for (g = 0; g < out; g += lanes) {
      if (plan->real) {
        CONVK_PRIVATE_(fft_turn)(job, pair, plan->lines, 2 * g, 2, plan->out_columns, 1);
        CONVK_PRIVATE_(fft_turn)(job, pair + job->a_pitch, plan->lines, 2 * g + 1, 2, plan->out_columns, 1);
        kernels->pack(job->a, job->position[0], y->n, pair, pair + job->a_pitch);
      } else CONVK_PRIVATE_(fft_turn)(job, job->a, y->n, g, 1, plan->out_columns, 1);
      CONVK_PRIVATE_(fft_y)(job, 1, 1);
      job->a += down;
      kernels->zip(job, g);
      job->a -= down;
    }
}

/* ---- transforms row by row ---- */

/* Along y, columns in the lanes: the first pass reads the rows of items themselves. */
CONVK_RARE_ void CONVK_PRIVATE_(fft_plane_y)(const CONVK_PRIVATE_(fft_job) *job) {
  const CONVK_PRIVATE_(fft_kernels) *kernels = job->kernels;
  const convk_fft_axis_ *y = &job->plan->axis[0];
  const size_t lanes = kernels->lanes, columns = job->plan->columns;
  const size_t whole = y->radix[0] % 4 == 0 ? columns / lanes : 0; /* groups of columns that passes read themselves */
  const size_t most = convk_ceil_(CONVK_FFT_TURNED_ / sizeof(CONVK_T), 2 * lanes * y->n);
  CONVK_PRIVATE_(fft_lines) in, a;
  size_t g, i;
  in.step = job->in_pitch;
  a.step = job->a_pitch;
  for (g = 0; g<whole; g += job->items> 1 ? 1 : in.count) {
    in.at = (CONVK_T *)(void *)(job->in[0] + 2 * lanes * g); /* only read */
    a.at = job->a + 2 * lanes * g;
    in.count = a.count = job->items > 1 ? job->items : whole - g < most ? whole - g : most;
    in.next = job->items > 1 ? job->in_stride : 2 * lanes;
    a.next = job->items > 1 ? y->n * job->a_pitch : 2 * lanes;
    CONVK_PRIVATE_(fft_there)(kernels, y, job->tables, in, &a, (ptrdiff_t)lanes, 0, 1 + job->swap);
  }
  for (g = whole; lanes * g < columns; g++) {
    a.at = job->a + 2 * lanes * g;
    a.next = y->n * job->a_pitch;
    a.count = job->items;
    for (i = 0; i < job->items; i++) kernels->unzip(job, job->in[i], lanes * g, a.at + i * a.next, a.step);
    CONVK_PRIVATE_(fft_there)(kernels, y, job->tables, a, &a, (ptrdiff_t)lanes, 0, 0);
  }
}

/* As many rows as there are lanes, in turns: turned, transformed along x in L1, and turned back into rows of results. */
CONVK_RARE_ void CONVK_PRIVATE_(fft_plane)(const CONVK_PRIVATE_(fft_job) *job, CONVK_T *t) {
  const convk_fft_plan_ *plan = job->plan;
  const convk_fft_axis_ *x = &plan->axis[1];
  const size_t lanes = job->kernels->lanes, most = convk_ceil_(CONVK_FFT_TURNED_ / sizeof(CONVK_T), 2 * lanes * x->n);
  const size_t parts = convk_ceil_(plan->rows, lanes);
  CONVK_PRIVATE_(fft_rows) rows;
  CONVK_PRIVATE_(fft_lines) line;
  size_t first, i;
  int back;
  CONVK_PRIVATE_(fft_plane_y)(job);
  line.at = t;
  line.step = 2 * lanes;
  line.next = 2 * lanes * convk_round_up_(x->n, lanes);
  rows.n = x->n;
  rows.plane_pitch = job->a_pitch;
  rows.position = job->position[1];
  rows.pitch = job->out_pitch;
  rows.next_pitch = job->in_pitch;
  rows.swap = (size_t)job->swap;
  rows.scale = job->scale;
  for (first = 0; first < job->items * parts; first += most) {
    line.count = job->items * parts - first < most ? job->items * parts - first : most;
    for (back = 0; back < 2; back++) {
      for (i = 0; i < line.count; i++) {
        const size_t item = (first + i) / parts, k = (first + i) % parts * lanes;
        rows.plane = job->a + item * plan->rows * job->a_pitch;
        rows.row = job->position[0] + k;
        rows.lines = t + i * line.next;
        rows.to = job->out[item] + k * job->out_pitch;
        rows.rows = plan->rows - k < lanes ? plan->rows - k : lanes;
        rows.next = item < job->more ? (uintptr_t)(job->in[item] + job->items * job->in_stride + k * job->in_pitch) : 0;
        rows.next_to = (uintptr_t)(k + lanes < plan->rows ? rows.to + lanes * job->out_pitch
                                   : item + 1 < job->items ? job->out[item + 1] : job->out[0] + job->items * job->out_stride);
        if (back) job->kernels->to_rows(&rows);
        else job->kernels->to_lines(&rows);
      }
      if (!back) CONVK_PRIVATE_(fft_there)(job->kernels, x, job->tables, line, &line, (ptrdiff_t)lanes, 0, 0);
    }
  }
}

/* ---- a batch ---- */

typedef struct CONVK_PRIVATE_(fft_batch) {
  CONVK_PRIVATE_(fft_job) job; /* what all items share */
  convk_fft_plan_ plan;
  convk_batch2d full;          /* strides and pitches filled in */
  const CONVK_PRIVATE_(any) *in;
  CONVK_PRIVATE_(any) *out;
  size_t each, unit;                         /* elements of work of a task, items of a block */
  size_t some;                               /* items that are worked on one after the other */
  size_t fill;                               /* items from which on a block has its items in lanes */
  size_t b[2], a[2], a_pitch[2], b_pitch[2]; /* elements of lines, and from column to column: lanes are columns; items */
  size_t t;                    /* elements of lines that are worked on together */
  size_t tasks;
  char *work;
} CONVK_PRIVATE_(fft_batch);

CONVK_RARE_ void CONVK_PRIVATE_(fft_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(fft_batch) *batch = (const CONVK_PRIVATE_(fft_batch) *)arg;
  const convk_fft_plan_ *plan = &batch->plan;
  const size_t blocks = convk_ceil_(batch->full.items, batch->unit), parts = plan->real ? 1 : 2;
  CONVK_PRIVATE_(fft_job) job = batch->job;
  const CONVK_PRIVATE_(any) *in[16], *factor[16];
  CONVK_PRIVATE_(any) *out[16];
  CONVK_T *work = (CONVK_T *)(void *)(batch->work + index * batch->each * sizeof(CONVK_T)), *t;
  size_t block = blocks / batch->tasks * index + (index < blocks % batch->tasks ? index : blocks % batch->tasks);
  const size_t end = block + blocks / batch->tasks + (index < blocks % batch->tasks);
  size_t i, first;
  job.plan = plan;
  job.in = in;
  job.factor = factor;
  job.out = out;
  job.b = work;
  for (; block < end; block++) {
    size_t left, done;
    first = block * batch->unit;
    left = batch->full.items - first < batch->unit ? batch->full.items - first : batch->unit;
    job.across = left >= batch->fill;
    job.a_pitch = batch->a_pitch[job.across];
    job.b_pitch = batch->b_pitch[job.across];
    job.a = batch->a[job.across] ? work + batch->b[job.across] : work;
    t = work + batch->b[job.across] + batch->a[job.across];
    for (done = 0; done < left; done += job.items) {
      int same = 1;
      job.items = job.across ? left : left - done < batch->some ? left - done : batch->some;
      for (i = 0; i < job.items; i++) {
        const size_t item = first + done + i;
        in[i] = batch->in + parts * item * batch->full.in_stride;
        out[i] = batch->out + parts * item * batch->full.out_stride;
        if (job.transform) continue;
        factor[i] = batch->job.spectra + plan->spectrum * convk_fft_kernel_of_(plan, &batch->full, item);
        same &= factor[i] == factor[0];
      }
      job.s = same || job.transform ? NULL : t + batch->t;
      job.more = first + done + job.items < batch->full.items ? batch->full.items - (first + done + job.items) : 0;
      if (job.transform && !job.across) CONVK_PRIVATE_(fft_plane)(&job, t);
      else CONVK_PRIVATE_(fft_items)(&job, t);
    }
  }
}

CONVK_RARE_ void CONVK_PRIVATE_(fft_tiles_task)(void *arg, size_t index);

/* How a batch is cut, and what work it takes.  -> bytes, or 0 for overflow. */
CONVK_RARE_ size_t CONVK_PRIVATE_(fft_cut)(const convk *hw, size_t lanes, const convk_fft_plan_ *plan, size_t items,
                                           CONVK_PRIVATE_(fft_batch) *batch) {
  const convk_fft_axis_ *y = &plan->axis[0], *x = &plan->axis[1];
  const size_t most = (size_t)-1 / 16 / sizeof(CONVK_T);
  const int transform = !plan->kernels;
  size_t columns = x->half_in ? x->n / 2 : x->n, out = transform || !x->half_out ? x->n : x->n / 2, s, bytes, n[3];
  convk_tuning tuning;
  int across;
  batch->some = 1;
  n[0] = x->n;
  n[1] = y->n;
  n[2] = items;
  tuning = convk_tuning_of_(hw, transform ? "fft2d" : "fftconv2d",
                            plan->real ? CONVK_EITHER_("f32", "f64") : CONVK_EITHER_("c32", "c64"), n, 1);
  if (out > columns) columns = out;
  columns += columns % 2; /* pairs of real ones */
  batch->t = 2 * lanes * convk_round_up_(x->n, lanes) * CONVK_PRIVATE_(fft_together)(x->n, lanes);
  for (across = 0; across < 2; across++) {
    const size_t lines = across ? plan->lines : convk_ceil_(plan->lines, lanes);
    batch->b_pitch[across] = 2 * lanes * (lines | 1); /* columns must not all lie in one set of the cache */
    batch->b[across] = columns * batch->b_pitch[across];
    batch->a_pitch[across] = across && !plan->real ? batch->b_pitch[across] : 2 * lanes * (y->n | 1);
    batch->a[across] = (!across ? plan->real ? 3 : 1 : plan->real ? columns / 2 : 0) * batch->a_pitch[across];
    if (transform && !across) {
      batch->b[0] = 0;
      batch->a_pitch[0] = 2 * lanes * (convk_ceil_(x->n, lanes) | 1);
      batch->some = CONVK_FFT_TURNED_ / sizeof(CONVK_T) / (y->n * batch->a_pitch[0]);
      batch->some = !batch->some ? 1 : batch->some > 16 ? 16 : batch->some;
      batch->a[0] = batch->some * y->n * batch->a_pitch[0];
    }
    if (batch->b[across] > most || batch->a[across] > most) return 0;
  }
  /* Lanes are filled by items while their lines stay in L2, those of transforms near L1 if rows do not fill lanes themselves, and
     while not many lanes are idle: a batch's last block may go by columns. */
  bytes = batch->b[1] * sizeof(CONVK_T);
  batch->unit = lanes;
  batch->fill = (transform && y->n % lanes == 0 && x->n % lanes == 0) ||
                        bytes > (transform ? 112 << 10 : convk_cache_l2_(&tuning) / 16 * 6)
                    ? lanes + 1
                : y->n * x->n <= 512 ? lanes / 2 + 1
                                     : lanes - lanes / 8;
  if (tuning.fft_lanes) batch->fill = tuning.fft_lanes == 2 ? 1 : lanes + 1;
  if (lanes == 1 || batch->fill > lanes || items < batch->fill) { /* by columns only */
    const size_t share = convk_ceil_(items, convk_threads_(hw)); /* some items one after the other */
    batch->fill = (size_t)-1;
    batch->unit = batch->some < share ? batch->some : share ? share : 1;
  }
  s = batch->fill <= lanes && plan->kernels > 1 ? 2 * lanes * plan->lines * x->n : 0;
  batch->tasks = convk_ceil_(items, batch->unit) < convk_threads_(hw) ? convk_ceil_(items, batch->unit) : convk_threads_(hw);
  if (!batch->tasks) batch->tasks = 1;
  batch->each = batch->a[0] + batch->b[0];
  if (batch->fill <= lanes && batch->a[1] + batch->b[1] + s > batch->each) batch->each = batch->a[1] + batch->b[1] + s;
  batch->each = convk_round_up_(batch->each + batch->t, 64 / sizeof(CONVK_T));
  if (convk_mul_(batch->tasks, batch->each * sizeof(CONVK_T), &bytes) || bytes > (size_t)-1 / 4) return 0;
  return bytes + 64;
}

/* ---- plans ---- */

#define CONVK_FFT_KIND_(real) ((real) ? CONVK_EITHER_("fftconv2d f32", "fftconv2d f64") : CONVK_EITHER_("fftconv2d c32", "fftconv2d c64"))

/* Tables of a plan, the first as doubles into scratch. */
CONVK_RARE_ void CONVK_PRIVATE_(fft_tables)(convk_fft_plan_ *plan, char *to, double *scratch) {
  uint32_t position[CONVK_FFT_MOST_];
  CONVK_PRIVATE_(any) *tables = (CONVK_PRIVATE_(any) *)(void *)(to + plan->tables);
  const convk_fft_axis_ *x = &plan->axis[1];
  size_t i, count;
  int d;
  plan->sum = convk_fft_sum_(plan);
  memcpy(to, plan, sizeof *plan);
  for (d = 0; d < 2; d++) {
    convk_fft_axis_fill_(&plan->axis[d], scratch, position);
    memcpy(to + plan->position[d], position, plan->axis[d].n * sizeof *position);
  }
  count = x->inverse[x->passes - 1] + 2 * (size_t)(x->radix[x->passes - 1] - 1);
  for (i = 0; i < count; i++) tables[i] = (CONVK_T)scratch[i];
}

/* One frequency of a spectrum, into lanes of the layout. */
CONVK_LOCAL_ void CONVK_PRIVATE_(fft_put)(const convk_fft_plan_ *plan, CONVK_PRIVATE_(any) *spectrum, size_t x, size_t line, double re,
                                        double im) {
  const double scale = 1 / ((plan->real ? 2. : 1.) * (double)plan->axis[0].n * (double)plan->axis[1].n);
  spectrum[2 * x * plan->pitch + line] = (CONVK_T)(re * scale);
  spectrum[(2 * x + 1) * plan->pitch + line] = (CONVK_T)(im * scale);
}

/* A plan of convolutions; either kernels or spectra are given, `pitch` and `stride` in elements of theirs. */
CONVK_RARE_ int CONVK_PRIVATE_(fftconv2d_plan)(const convk *hw, const convk_fftconv2d_shape *shape, int real, size_t kernels,
                                               const CONVK_T *kernel, const CONVK_T *spectrum, size_t pitch, size_t stride,
                                               void *plan, size_t plan_size) {
  const int spectral = spectrum != NULL;
  const size_t parts = real && !spectral ? 1 : 2;
  const CONVK_PRIVATE_(any) *data = spectral ? spectrum : kernel;
  uint32_t from[2][CONVK_FFT_MOST_], to[2][CONVK_FFT_MOST_];
  convk_fft_extent_ e[2];
  convk_fft_plan_ p;
  size_t in[2], out[2], fft[2], size[2], shift[2], count[2], rows, bytes, span, k, i, j, x, y;
  char *base = (char *)plan;
  double *scratch, *h;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK, d;
  if (!status) status = convk_fft_resolve_(convk_message_(hw), shape, spectral, e);
  if (status) return status;
  for (d = 0; d < 2; d++) {
    in[d] = e[d].field;
    out[d] = e[d].out;
    fft[d] = e[d].fft;
    size[d] = spectral ? e[d].fft : e[d].kernel;
    shift[d] = (size_t)e[d].origin;
    if (!spectral || e[d].period) continue;
    if (e[d].tile) return CONVK_ERR_FFT_SIZE;
    /* a spectrum cannot be cut: nothing of the whole kernel may wrap around into the results */
    if (fft[d] < out[d] || fft[d] - out[d] < shift[d] || fft[d] < in[d] + e[d].kernel - 1 - shift[d]) return CONVK_ERR_FFT_SIZE;
    if (shape->correlation) shift[d] = (shift[d] + fft[d] - (e[d].kernel - 1) % fft[d]) % fft[d];
  }
  if (!kernels) return CONVK_ERR_SIZE;
  if (!convk_fft_layout_(CONVK_FFT_KIND_(real), in, out, fft, real, kernels, sizeof(CONVK_T), &p)) return CONVK_ERR_OVERFLOW;
  convk_fft_by_tiles_(e, &p);
  status = convk_batch_side_(kernels, size[0], size[1], parts * sizeof(CONVK_T), &pitch, &stride, &span);
  if (status) return status;
  rows = spectral ? p.lines : size[0]; /* that are read */
  span -= (size[0] - rows) * pitch;
  if (!data || !plan) return CONVK_ERR_NULL;
  bytes = p.bytes + 64 + convk_fft_scratch_(&p) * sizeof(double);
  if (plan_size < bytes) return CONVK_ERR_WORK;
  if (convk_overlap_(data, span * parts * sizeof(CONVK_T), plan, bytes)) return CONVK_ERR_OVERLAP;
  for (k = 0; k < kernels; k++)
    for (y = 0; y < rows; y++)
      for (x = 0; x < parts * size[1]; x++)
        if (!CONVK_PRIVATE_(finite)(data[parts * (k * stride + y * pitch) + x])) return CONVK_ERR_NONFINITE;
  scratch = (double *)(void *)(base + p.bytes + (64 - (uintptr_t)(base + p.bytes) % 64) % 64);
  h = scratch + 4 * (fft[0] + fft[1]);
  CONVK_PRIVATE_(fft_tables)(&p, base, scratch);
  for (d = 0; d < 2; d++) count[d] = spectral ? 0 : convk_fft_place_(&e[d], shape->correlation, from[d], to[d]);
  for (k = 0; k < kernels; k++, data += parts * stride) {
    CONVK_PRIVATE_(any) *spectra = (CONVK_PRIVATE_(any) *)(void *)(base + p.spectra) + k * p.spectrum;
    const convk_any_u32_ *at_y = (const convk_any_u32_ *)(const void *)(base + p.position[0]);
    const convk_any_u32_ *at_x = (const convk_any_u32_ *)(const void *)(base + p.position[1]);
    memset((void *)spectra, 0, p.spectrum * sizeof(CONVK_T));
    if (!spectral) {
      memset(h, 0, 2 * fft[0] * fft[1] * sizeof *h);
      for (i = 0; i < count[0]; i++)
        for (j = 0; j < count[1]; j++) {
          const CONVK_PRIVATE_(any) *element = data + parts * (from[0][i] * pitch + from[1][j]);
          double *put = h + 2 * (to[1][j] * fft[0] + to[0][i]);
          put[0] = (double)element[0];
          if (!real) put[1] = shape->correlation ? -(double)element[1] : (double)element[1];
        }
      convk_fft_transform_(&p, scratch, h);
    }
    for (x = 0; x < fft[1]; x++)
      for (y = 0; y < p.lines; y++) { /* of frequency y */
        const size_t line = real ? y : at_y[y];
        double re, im;
        if (spectral) {
          const CONVK_PRIVATE_(any) *element = data + 2 * (y * pitch + x);
          re = (double)element[0];
          im = shape->correlation ? -(double)element[1] : (double)element[1];
          for (d = 0; d < 2; d++) /* results begin at 0 */
            if (shift[d]) convk_fft_rotate_((d ? x : y) * shift[d], fft[d], &re, &im);
        } else {
          re = h[2 * (at_x[x] * fft[0] + at_y[y])];
          im = h[2 * (at_x[x] * fft[0] + at_y[y]) + 1];
        }
        CONVK_PRIVATE_(fft_put)(&p, spectra, at_x[x], line, re, im);
      }
  }
  return CONVK_OK;
}

CONVK_RARE_ size_t CONVK_PRIVATE_(fftconv2d_plan_size)(const convk_fftconv2d_shape *shape, int real, size_t kernels) {
  size_t in[2], out[2], fft[2];
  convk_fft_extent_ e[2];
  convk_fft_plan_ p;
  int d;
  if (!kernels || convk_fft_resolve_(NULL, shape, shape && !shape->kernel_rows && !shape->kernel_columns, e)) return (size_t)-1;
  for (d = 0; d < 2; d++) {
    in[d] = e[d].field;
    out[d] = e[d].out;
    fft[d] = e[d].fft;
  }
  if (!convk_fft_layout_("", in, out, fft, real, kernels, sizeof(CONVK_T), &p)) return (size_t)-1;
  return p.bytes + 64 + convk_fft_scratch_(&p) * sizeof(double);
}

/* Threads that a batch is worth: each does CONVK_FFT_TASK operations for every lane, or all is done by one. */
CONVK_RARE_ size_t CONVK_PRIVATE_(fft_worth)(const convk_fft_plan_ *plan, size_t items, size_t lanes, size_t most) {
  const double points = (double)plan->axis[0].n * (double)plan->axis[1].n, task = CONVK_FFT_TASK * (double)lanes;
  double each = points * (plan->kernels ? 10 : 5), all;
  size_t n;
  for (n = 1, all = 0; (double)n < points; n *= 2) all += each;
  all *= (double)items * (plan->real ? 0.5 : 1);
  return all >= task * (double)most ? most : all < 2 * task ? 1 : (size_t)(all / task);
}

/* The convolution on kernels of this machine's. */
CONVK_RARE_ int CONVK_PRIVATE_(fft_run)(const CONVK_PRIVATE_(fft_kernels) *kernels, const convk *hw, const char *kind,
                                        const void *plan, int direction, const convk_batch2d *items, const CONVK_T *in, CONVK_T *out,
                                        void *work, size_t work_size) {
  CONVK_PRIVATE_(fft_batch) batch;
  convk_work_ w;
  size_t need, span[2], count;
  const char *base = (const char *)plan;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status)
    status = convk_fft_check_(convk_message_(hw), plan, kind, direction, items, sizeof(CONVK_T), in && out, 0, &batch.plan,
                              &batch.full, span);
  if (!status) status = convk_fft_places_(&batch.plan, &batch.full, sizeof(CONVK_T), span, (uintptr_t)in, (uintptr_t)out);
  if (status || !items->items) return status;
  if (!convk_fft_apart_(&batch.plan, plan, &batch.full, sizeof(CONVK_T), span, in, out, work, work_size)) return CONVK_ERR_OVERLAP;
  count = items->items * convk_fft_tiles_(&batch.plan, 0) * convk_fft_tiles_(&batch.plan, 1); /* at most as many as results */
  need = CONVK_PRIVATE_(fft_cut)(hw, kernels->lanes, &batch.plan, count, &batch);
  status = need ? convk_work_begin_(&w, work, work_size, need) : CONVK_ERR_OVERFLOW;
  if (status) return status;
  batch.tasks = CONVK_PRIVATE_(fft_worth)(&batch.plan, count, kernels->lanes, batch.tasks);
  batch.in = in;
  batch.out = out;
  batch.work = w.base;
  batch.job.kernels = kernels;
  batch.job.tables = (const CONVK_PRIVATE_(any) *)(const void *)(base + batch.plan.tables);
  batch.job.spectra = (const CONVK_PRIVATE_(any) *)(const void *)(base + batch.plan.spectra);
  batch.job.position[0] = (const convk_any_u32_ *)(const void *)(base + batch.plan.position[0]);
  batch.job.position[1] = (const convk_any_u32_ *)(const void *)(base + batch.plan.position[1]);
  batch.job.transform = !batch.plan.kernels;
  batch.job.swap = direction == CONVK_INVERSE;
  batch.job.skip[0] = batch.job.skip[1] = 0;
  batch.job.scale = (CONVK_T)convk_fft_scale_(&batch.plan, direction);
  /* of one point nothing is added up: a product, which flushes subnormals where they are flushed */
  if (!(batch.job.scale < 1) && batch.plan.axis[0].n * batch.plan.axis[1].n > 1) batch.job.scale = 0;
  batch.job.in_row = (batch.plan.real ? 1 : 2) * batch.plan.columns;
  batch.job.out_row = (batch.plan.real ? 1 : 2) * batch.plan.out_columns;
  batch.job.in_stride = (batch.plan.real ? 1 : 2) * batch.full.in_stride;
  batch.job.out_stride = (batch.plan.real ? 1 : 2) * batch.full.out_stride;
  batch.job.in_pitch = (batch.plan.real ? 1 : 2) * batch.full.in_pitch;
  batch.job.out_pitch = (batch.plan.real ? 1 : 2) * batch.full.out_pitch;
  status = convk_run_(hw, batch.tasks,
                      batch.plan.tile[0] || batch.plan.tile[1] ? CONVK_PRIVATE_(fft_tiles_task) : CONVK_PRIVATE_(fft_task), &batch);
  convk_work_end_(&w);
  return status;
}

CONVK_RARE_ size_t CONVK_PRIVATE_(fft_work_size)(const convk *hw, const char *kind, const void *plan, size_t items) {
  CONVK_PRIVATE_(fft_batch) batch;
  size_t lanes = 1, need, most = 0;
  if (hw && convk_check_handle_(hw)) return (size_t)-1;
  if (hw && hw->device) return 0;
  if (convk_fft_plan_check_(plan, kind, &batch.plan)) return (size_t)-1;
  if (hw) lanes = hw->CONVK_TYPE_.fft_kernels->lanes;
  if (!items) return 0;
  if (convk_mul_(items, convk_fft_tiles_(&batch.plan, 0), &items) || convk_mul_(items, convk_fft_tiles_(&batch.plan, 1), &items))
    return (size_t)-1;
  do { /* without a handle the variant is not known */
    need = CONVK_PRIVATE_(fft_cut)(hw, lanes, &batch.plan, items, &batch);
    if (!need) return (size_t)-1;
    if (need > most) most = need;
  } while (!hw && (lanes *= 2) <= 64 / sizeof(CONVK_T));
  return most;
}

CONVK_LOCAL_ int CONVK_PRIVATE_(fftconv2d_cpu)(const CONVK_PRIVATE_(fft_kernels) *kernels, const convk *hw, const void *plan,
                                            const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out, void *work,
                                            size_t work_size) {
  return CONVK_PRIVATE_(fft_run)(kernels, hw, CONVK_FFT_KIND_(1), plan, CONVK_FORWARD, batch, in, out, work, work_size);
}
CONVK_LOCAL_ int CONVK_PRIVATE_(complex_fftconv2d_cpu)(const CONVK_PRIVATE_(fft_kernels) *kernels, const convk *hw, const void *plan,
                                            const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out, void *work,
                                            size_t work_size) {
  return CONVK_PRIVATE_(fft_run)(kernels, hw, CONVK_FFT_KIND_(0), plan, CONVK_FORWARD, batch, in, out, work, work_size);
}
CONVK_LOCAL_ int CONVK_PRIVATE_(fft2d_cpu)(const CONVK_PRIVATE_(fft_kernels) *kernels, const convk *hw, const void *plan,
                                        int direction, const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out, void *work,
                                        size_t work_size) {
  return CONVK_PRIVATE_(fft_run)(kernels, hw, CONVK_EITHER_("fft2d c32", "fft2d c64"), plan, direction, batch, in, out, work,
                                 work_size);
}

/* ---- public operations ---- */

CONVK_API_ size_t CONVK_TYPED_(fftconv2d_plan_size)(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels) {
  (void)hw;
  return CONVK_PRIVATE_(fftconv2d_plan_size)(shape, 1, kernels);
}
CONVK_API_ size_t CONVK_COMPLEX_(fftconv2d_plan_size)(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels) {
  (void)hw;
  return CONVK_PRIVATE_(fftconv2d_plan_size)(shape, 0, kernels);
}
CONVK_API_ int CONVK_TYPED_(fftconv2d_plan)(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels,
                                            const CONVK_T *kernel, size_t pitch, size_t stride, void *plan, size_t plan_size) {
  return CONVK_PRIVATE_(fftconv2d_plan)(hw, shape, 1, kernels, kernel, NULL, pitch, stride, plan, plan_size);
}
CONVK_API_ int CONVK_COMPLEX_(fftconv2d_plan)(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels,
                                              const CONVK_T *kernel, size_t pitch, size_t stride, void *plan, size_t plan_size) {
  return CONVK_PRIVATE_(fftconv2d_plan)(hw, shape, 0, kernels, kernel, NULL, pitch, stride, plan, plan_size);
}
CONVK_API_ int CONVK_TYPED_(fftconv2d_plan_spectrum)(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels,
                                                     const CONVK_T *spectrum, size_t pitch, size_t stride, void *plan,
                                                     size_t plan_size) {
  if (!spectrum) return CONVK_ERR_NULL;
  return CONVK_PRIVATE_(fftconv2d_plan)(hw, shape, 1, kernels, NULL, spectrum, pitch, stride, plan, plan_size);
}
CONVK_API_ int CONVK_COMPLEX_(fftconv2d_plan_spectrum)(const convk *hw, const convk_fftconv2d_shape *shape, size_t kernels,
                                                       const CONVK_T *spectrum, size_t pitch, size_t stride, void *plan,
                                                       size_t plan_size) {
  if (!spectrum) return CONVK_ERR_NULL;
  return CONVK_PRIVATE_(fftconv2d_plan)(hw, shape, 0, kernels, NULL, spectrum, pitch, stride, plan, plan_size);
}

CONVK_API_ size_t CONVK_TYPED_(fftconv2d_work_size)(const convk *hw, const void *plan, size_t items) {
  return CONVK_PRIVATE_(fft_work_size)(hw, CONVK_FFT_KIND_(1), plan, items);
}
CONVK_API_ size_t CONVK_COMPLEX_(fftconv2d_work_size)(const convk *hw, const void *plan, size_t items) {
  return CONVK_PRIVATE_(fft_work_size)(hw, CONVK_FFT_KIND_(0), plan, items);
}

CONVK_API_ size_t CONVK_COMPLEX_(fft2d_plan_size)(const convk *hw, size_t rows, size_t columns) {
  size_t n[2];
  convk_fft_plan_ p;
  (void)hw;
  if (!convk_fft_size_(rows) || !convk_fft_size_(columns)) return (size_t)-1;
  n[0] = rows;
  n[1] = columns;
  convk_fft_layout_("", n, n, n, 0, 0, sizeof(CONVK_T), &p);
  return p.bytes + 64 + 4 * (rows + columns) * sizeof(double);
}
CONVK_API_ int CONVK_COMPLEX_(fft2d_plan)(const convk *hw, size_t rows, size_t columns, void *plan, size_t plan_size) {
  size_t n[2];
  convk_fft_plan_ p;
  char *base = (char *)plan;
  const int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (status) return status;
  if (!convk_fft_size_(rows) || !convk_fft_size_(columns)) return CONVK_ERR_FFT_SIZE;
  if (!plan) return CONVK_ERR_NULL;
  n[0] = rows;
  n[1] = columns;
  convk_fft_layout_(CONVK_EITHER_("fft2d c32", "fft2d c64"), n, n, n, 0, 0, sizeof(CONVK_T), &p);
  if (plan_size < p.bytes + 64 + 4 * (rows + columns) * sizeof(double)) return CONVK_ERR_WORK;
  CONVK_PRIVATE_(fft_tables)(&p, base, (double *)(void *)(base + p.bytes + (64 - (uintptr_t)(base + p.bytes) % 64) % 64));
  return CONVK_OK;
}

CONVK_API_ size_t CONVK_COMPLEX_(fft2d_work_size)(const convk *hw, const void *plan, size_t items) {
  return CONVK_PRIVATE_(fft_work_size)(hw, CONVK_EITHER_("fft2d c32", "fft2d c64"), plan, items);
}
/* ---- src/fft/tiles.h ---- */

/* ---- tiles: fields of more points than a transform has ---- */

/* Results of such a field come tile by tile (overlap-save): from the points of the field that the tile's results need, of which those
   beyond the field's edges are left out; the first results, into which others wrap around, are not stored.  A tile is an item like
   those of small fields, but for its sizes. */
typedef struct CONVK_PRIVATE_(fft_piece) {
  size_t from[2], to[2]; /* where its points of the field and its results begin */
  size_t in[2], out[2], skip[2];
} CONVK_PRIVATE_(fft_piece);

CONVK_RARE_ void CONVK_PRIVATE_(fft_piece_of)(const convk_fft_plan_ *plan, size_t row, size_t column,
                                              CONVK_PRIVATE_(fft_piece) *piece) {
  const size_t number[2] = {row, column}, field[2] = {plan->rows, plan->columns}, all[2] = {plan->out_rows, plan->out_columns};
  int d;
  memset(piece, 0, sizeof *piece);
  for (d = 0; d < 2; d++) {
    const size_t tile = plan->tile[d] ? plan->tile[d] : all[d], to = number[d] * tile, first = plan->origin[d] + to;
    const size_t out = all[d] - to < tile ? all[d] - to : tile;
    size_t end = field[d];
    piece->to[d] = to;
    piece->out[d] = out;
    if (plan->tile[d]) {
      piece->from[d] = first > plan->reach[d] ? first - plan->reach[d] : 0;
      piece->skip[d] = first - piece->from[d];
      if (first + out < end) end = first + out;
    }
    piece->in[d] = end - piece->from[d];
  }
}

/* Its share of all tiles.  Neighbours of equal sizes go into lanes together where items would. */
CONVK_RARE_ void CONVK_PRIVATE_(fft_tiles_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(fft_batch) *batch = (const CONVK_PRIVATE_(fft_batch) *)arg;
  const convk_batch2d *full = &batch->full;
  const size_t parts = batch->plan.real ? 1 : 2, lanes = batch->job.kernels->lanes;
  const size_t rows = convk_fft_tiles_(&batch->plan, 0), columns = convk_fft_tiles_(&batch->plan, 1);
  const size_t all = full->items * rows * columns, share = all / batch->tasks, more = all % batch->tasks;
  size_t tile = share * index + (index < more ? index : more), count, i;
  const size_t end = tile + share + (index < more);
  CONVK_T *work = (CONVK_T *)(void *)(batch->work + index * batch->each * sizeof(CONVK_T)), *t;
  CONVK_PRIVATE_(fft_job) job = batch->job;
  convk_fft_plan_ plan = batch->plan;
  CONVK_PRIVATE_(fft_piece) piece, next;
  const CONVK_PRIVATE_(any) *in[16], *factor[16];
  CONVK_PRIVATE_(any) *out[16];
  job.plan = &plan;
  for (; tile < end; tile += count) {
    int same = 1;
    CONVK_PRIVATE_(fft_piece_of)(&batch->plan, tile / columns % rows, tile % columns, &piece);
    for (next = piece, count = 0; count < lanes;) {
      const size_t item = (tile + count) / columns / rows;
      in[count] = batch->in + parts * (item * full->in_stride + next.from[0] * full->in_pitch + next.from[1]);
      out[count] = batch->out + parts * (item * full->out_stride + next.to[0] * full->out_pitch + next.to[1]);
      factor[count] = batch->job.spectra + plan.spectrum * convk_fft_kernel_of_(&plan, full, item);
      same &= factor[count] == factor[0];
      if (tile + ++count == end) break;
      CONVK_PRIVATE_(fft_piece_of)(&batch->plan, (tile + count) / columns % rows, (tile + count) % columns, &next);
      if (next.in[0] != piece.in[0] || next.in[1] != piece.in[1] || next.out[0] != piece.out[0] ||
          next.out[1] != piece.out[1] || next.skip[0] != piece.skip[0] || next.skip[1] != piece.skip[1])
        break;
    }
    plan.rows = piece.in[0];
    plan.columns = piece.in[1];
    plan.out_rows = piece.out[0];
    plan.out_columns = piece.out[1];
    job.skip[0] = piece.skip[0];
    job.skip[1] = piece.skip[1];
    job.in_row = parts * plan.columns;
    job.out_row = parts * plan.out_columns;
    job.across = count >= batch->fill;
    job.items = job.across ? count : 1;
    job.a_pitch = batch->a_pitch[job.across];
    job.b_pitch = batch->b_pitch[job.across];
    t = work + batch->b[job.across] + batch->a[job.across];
    job.s = same || !job.across ? NULL : t + batch->t;
    for (i = 0; i < count; i += job.items) {
      job.in = in + i;
      job.out = out + i;
      job.factor = factor + i;
      job.b = work;
      job.a = batch->a[job.across] ? work + batch->b[job.across] : work;
      CONVK_PRIVATE_(fft_items)(&job, t);
    }
  }
}
/* ---- src/fft/tuner.h ---- */
CONVK_RARE_ int CONVK_PRIVATE_(trial_fft_run)(convk_trial_ *t, void **result) {
  const CONVK_T *in = (const CONVK_T *)t->array[0];
  CONVK_T *out = (CONVK_T *)t->array[1];
  const convk_grid3 *g = &t->shape.grid;
  const int transform = t->what->which == 2, real = t->what->which == 0;
  convk_fftconv2d_shape shape;
  convk_batch2d batch;
  size_t size;
  int status = CONVK_OK;
  memset(&batch, 0, sizeof batch);
  memset(&shape, 0, sizeof shape);
  batch.items = g->nz;
  shape.rows = shape.kernel_rows = convk_ceil_(g->ny, 2);
  shape.columns = shape.kernel_columns = convk_ceil_(g->nx, 2);
  shape.mode = CONVK_CIRCULAR;
  shape.fft_rows = g->ny;
  shape.fft_columns = g->nx;
  *result = out;
  if (!t->plan) {
    size = transform ? CONVK_COMPLEX_(fft2d_plan_size)(&t->hw, g->ny, g->nx)
           : real    ? CONVK_TYPED_(fftconv2d_plan_size)(&t->hw, &shape, 1)
                     : CONVK_COMPLEX_(fftconv2d_plan_size)(&t->hw, &shape, 1);
    if (size > (size_t)-1 / 4) return CONVK_ERR_OVERFLOW;
    t->plan = CONVK_MALLOC(size);
    if (!t->plan) return CONVK_ERR_MEMORY;
    status = transform ? CONVK_COMPLEX_(fft2d_plan)(&t->hw, g->ny, g->nx, t->plan, size)
             : real    ? CONVK_TYPED_(fftconv2d_plan)(&t->hw, &shape, 1, in, 0, 0, t->plan, size)
                       : CONVK_COMPLEX_(fftconv2d_plan)(&t->hw, &shape, 1, in, 0, 0, t->plan, size);
    if (status) return status;
  }
  size = transform ? CONVK_COMPLEX_(fft2d_work_size)(&t->hw, t->plan, g->nz)
         : real    ? CONVK_TYPED_(fftconv2d_work_size)(&t->hw, t->plan, g->nz)
                   : CONVK_COMPLEX_(fftconv2d_work_size)(&t->hw, t->plan, g->nz);
  status = convk_trial_work_(t, size);
  if (status) return status;
  return transform ? CONVK_COMPLEX_(fft2d)(&t->hw, t->plan, CONVK_FORWARD, &batch, in, out, t->work, t->work_size)
         : real    ? CONVK_TYPED_(fftconv2d)(&t->hw, t->plan, &batch, in, out, t->work, t->work_size)
                   : CONVK_COMPLEX_(fftconv2d)(&t->hw, t->plan, &batch, in, out, t->work, t->work_size);
}

CONVK_ACROSS_ int CONVK_PRIVATE_(trial_fft)(convk_trial_ *t) {
  const size_t most = (size_t)1 << 28;
  const convk_grid3 *g = &t->shape.grid;
  t->entry.nx = g->nx;
  t->entry.ny = g->ny;
  t->entry.nz = g->nz;
  t->entry.length = 1;
  if (!g->nx || !g->ny || !g->nz) return CONVK_ERR_SIZE;
  if (g->nx > most || g->ny > most / g->nx || g->nz > most / g->nx / g->ny) return CONVK_ERR_OVERFLOW;
  if (!convk_fft_size_(g->nx) || !convk_fft_size_(g->ny)) return CONVK_ERR_FFT_SIZE;
  t->bytes = 2 * sizeof(CONVK_T) * g->nx * g->ny * g->nz;
  t->fill = CONVK_PRIVATE_(trial_fill);
  t->run = CONVK_PRIVATE_(trial_fft_run);
  return CONVK_OK;
}
#endif
#if CONVK_HAS_VMC_
/* ---- src/pairs/driver.h ---- */
/* Pairs: what is compiled once per precision. */
CONVK_LIGHT_PUSH_
/* ---- src/pairs/terms.h ---- */
/* ---- the terms of a system, and the checks of its walkers ---- */

#define CONVK_PAIR_BIG_ CONVK_OF_(1.099511627776e12, 1.2676506002282294e30)  /* beyond every square of a distance */
#define CONVK_PAIR_FAR_ CONVK_OF_(16384, 268435456)  /* coordinates, at most */

/* The terms of a checked potential, for what is wanted; far_by: of its powers of 1 / r. */
CONVK_RARE_ void CONVK_PRIVATE_(pair_terms_of_potential)(const convk_pair_potential *v, int want, CONVK_PRIVATE_(pair_terms) *c,
                                                         double far_by[4]) {
  const double rm2 = v->rm * v->rm, rm6 = rm2 * rm2 * rm2;
  double near_by = 0;
  if (v->kind == CONVK_POTENTIAL_LENNARD_JONES) {
    far_by[0] = -4 * v->epsilon * rm6;
    far_by[3] = 4 * v->epsilon * rm6 * rm6;
  } else if (v->kind == CONVK_POTENTIAL_HFD) {
    far_by[0] = -v->epsilon * v->c6 * rm6;
    far_by[1] = -v->epsilon * v->c8 * rm6 * rm2;
    far_by[2] = -v->epsilon * v->c10 * rm6 * rm2 * rm2;
    near_by = want & CONVK_POTENTIAL ? convk_hfd_reach_(v, CONVK_EITHER_(24, 53)) : 0;
    if (near_by < v->d) near_by = v->d;
    c->bump = v->bump > 0 || v->bump < 0;
    if (c->bump) {
      if (near_by < v->x2) near_by = v->x2;
      c->bump_height = (CONVK_T)(2 * v->epsilon * v->bump);
      c->bump_middle = (CONVK_T)(0.5 * (v->x1 + v->x2));
      c->bump_scale = (CONVK_T)(1 / (v->x2 - v->x1));
    }
    near_by *= v->rm;
    c->kind = v->kind;
    c->per_rm = (CONVK_T)(1 / v->rm);
    c->a = (CONVK_T)(v->epsilon * v->a);
    c->alpha = (CONVK_T)v->alpha;
    c->beta = (CONVK_T)v->beta;
    c->d = (CONVK_T)(v->d * v->rm);
    c->damp = (CONVK_T)(v->d * v->rm * v->d * v->rm);
  } else if (v->kind == CONVK_POTENTIAL_TABLE) {
    near_by = v->first + (double)(v->entries - 1) * v->spacing;
    c->kind = v->kind;
    c->values = v->values;
    c->entries = v->entries;
    c->first = v->first;
    c->per_spacing = 1 / v->spacing;
  }
  c->near_by = (CONVK_T)(near_by * near_by);
}

/* The terms of a checked system, for what is wanted; RANGE where a constant does not fit the type. */
CONVK_RARE_ int CONVK_PRIVATE_(pair_terms_of)(const convk_pair_system *system, int want, CONVK_PRIVATE_(pair_terms) *c) {
  static const double factor[4] = {5, 2, -1, 1}; /* of the terms of u' / r, at the least distance times the next */
  static const double least[4] = {72057594037927936. * 64, 4294967296. * 64, 65536. * 64, 256. * 64};
  const double cutoff = convk_pair_cutoff_(system);
  double far_by[4] = {0, 0, 0, 0}, power = 2.81474976710656e14 * 64;
  CONVK_T all[32]; /* looked at in the type itself: gcc 12 may take a conversion to it and back for nothing */
  int d, n = 0, good;
  memset(c, 0, sizeof *c);
  convk_trial_parameters_(&system->trial, c->p);
  CONVK_PRIVATE_(pair_terms_of_potential)(&system->potential, want, c, far_by);
  c->hbar2_2m = convk_pair_hbar2_2m_(system);
  c->periodic = system->box[0] > 0;
  c->limit = cutoff > 0 ? (CONVK_T)(cutoff * cutoff) : CONVK_PAIR_BIG_;
  if (c->limit > CONVK_PAIR_BIG_) c->limit = CONVK_PAIR_BIG_;
  if (cutoff > 0) {
    const double r2 = cutoff * cutoff;
    c->counts = 1;
    c->edge[0] = -1 / (r2 * r2 * cutoff);
    c->edge[1] = -1 / r2;
    c->edge[2] = -convk_log_(cutoff);
    c->edge[3] = -cutoff;
    for (d = 0; d < 4; d++) c->shift += c->p[d] * c->edge[d];
  }
  for (d = 0; d < 3; d++) {
    all[n++] = c->period[d] = (CONVK_T)system->box[d];
    all[n++] = c->inverse[d] = c->periodic ? (CONVK_T)(1 / system->box[d]) : 0;
  }
  for (d = 0; d < 4; d++, power *= 65536) { /* at the least distance, so that particles on each other stay finite */
    all[n++] = c->w[d] = (CONVK_T)(factor[d] * c->p[d]);
    all[n++] = (CONVK_T)(factor[d] * c->p[d] * least[d]);
    all[n++] = c->distant[d] = (CONVK_T)far_by[d];
    all[n++] = (CONVK_T)(far_by[d] * power);
  }
  all[n++] = c->near_by;
  all[n++] = c->a;
  all[n++] = c->per_rm;
  all[n++] = c->bump_scale;
  good = convk_finite_f64_(c->per_spacing) && convk_finite_f64_(c->shift);
  while (n--) good &= CONVK_PRIVATE_(finite)(all[n]);
  return good ? CONVK_OK : CONVK_ERR_RANGE;
}

/* Coordinates of walkers that are to be finite, and within range. */
CONVK_RARE_ int CONVK_PRIVATE_(pair_coordinates)(const convk_walkers *full, size_t n, const CONVK_T *r) {
  size_t w, i;
  int d, status = CONVK_OK;
  for (w = 0; w < full->walkers; w++)
    for (d = 0; d < 3; d++) {
      const CONVK_PRIVATE_(any) *x = (const CONVK_PRIVATE_(any) *)(r + w * full->stride + (size_t)d * full->pitch);
      for (i = 0; i < n; i++)
        if (!(x[i] <= CONVK_PAIR_FAR_ && x[i] >= -CONVK_PAIR_FAR_)) {
          if (!CONVK_PRIVATE_(finite)(x[i])) return CONVK_ERR_COORDINATE;
          status = CONVK_ERR_RANGE;
        }
    }
  return status;
}

/* A system and its walkers. */
CONVK_RARE_ int CONVK_PRIVATE_(pair_check)(const convk_pair_system *system, const convk_walkers *walkers, int want, int see,
                                           const CONVK_T *r, CONVK_PRIVATE_(pair_terms) *terms, convk_walkers *full) {
  int status;
  if (!system || !walkers || ((see & CONVK_PAIR_ADDRESSES_) && walkers->walkers && !r)) return CONVK_ERR_NULL;
  status = convk_pair_system_check_(system, see);
  if (!status) status = convk_walkers_check_(walkers, system->particles, sizeof(CONVK_T), full);
  return status ? status : CONVK_PRIVATE_(pair_terms_of)(system, want, terms);
}

/* Everything that can be wrong with a call, found before anything is written: with pair_energy. */
CONVK_RARE_ int CONVK_PRIVATE_(pair_energy_check)(const convk_pair_system *system, const convk_walkers *walkers, int want, int see,
                                                  const CONVK_T *r, const convk_pair_result *result, const CONVK_T *gradient,
                                                  CONVK_PRIVATE_(pair_terms) *terms, convk_walkers *full) {
  size_t span, bytes = 0;
  const int status = CONVK_PRIVATE_(pair_check)(system, walkers, want ? want : CONVK_PAIR_ALL, see, r, terms, full);
  if (status) return status;
  if (want & ~CONVK_PAIR_ALL) return CONVK_ERR_OPTION;
  if (!full->walkers || !(see & CONVK_PAIR_ADDRESSES_)) return CONVK_OK;
  if (!result) return CONVK_ERR_NULL;
  if (convk_mul_(full->walkers, sizeof *result, &bytes)) return CONVK_ERR_OVERFLOW;
  span = convk_walkers_span_(full, system->particles) * sizeof *r;
  if (convk_overlap_(r, span, result, bytes) || convk_overlap_(r, span, gradient, span) ||
      convk_overlap_(result, bytes, gradient, span))
    return CONVK_ERR_OVERLAP;
  return see & CONVK_PAIR_DATA_ ? CONVK_PRIVATE_(pair_coordinates)(full, system->particles, r) : CONVK_OK;
}

/* With pair_potential. */
CONVK_RARE_ int CONVK_PRIVATE_(pair_values_check)(const convk_pair_potential *potential, size_t n, int see, const CONVK_T *r,
                                                  const CONVK_T *v, CONVK_PRIVATE_(pair_terms) *terms) {
  convk_pair_system system;
  size_t bytes;
  int status;
  if (!potential || ((see & CONVK_PAIR_ADDRESSES_) && (!r || !v))) return CONVK_ERR_NULL;
  status = convk_pair_potential_check_(potential, see);
  if (status) return status;
  if (convk_mul_(n, sizeof *r, &bytes)) return CONVK_ERR_OVERFLOW;
  if (r != v && convk_overlap_(r, bytes, v, bytes)) return CONVK_ERR_OVERLAP;
  memset(&system, 0, sizeof system);
  system.potential = *potential;
  return CONVK_PRIVATE_(pair_terms_of)(&system, CONVK_POTENTIAL, terms);
}

/* With pair_move and pair_accept; written: what is written besides r, and 0 or how many bytes of that a walker has. */
CONVK_RARE_ int CONVK_PRIVATE_(pair_step_check)(const convk_pair_system *system, const convk_walkers *walkers, size_t particle,
                                                int see, const CONVK_T *r, const CONVK_T *to, const void *written, size_t each,
                                                CONVK_PRIVATE_(pair_terms) *terms, convk_walkers *full) {
  convk_walkers places;
  size_t span, places_bytes, bytes;
  int status = CONVK_PRIVATE_(pair_check)(system, walkers, CONVK_LN_PSI, see, r, terms, full);
  if (status) return status;
  if (particle >= system->particles) return CONVK_ERR_INDEX;
  if (!full->walkers) return CONVK_OK;
  if (convk_mul_(full->walkers, 3 * sizeof *to, &places_bytes) || convk_mul_(full->walkers, each, &bytes)) return CONVK_ERR_OVERFLOW;
  if (!(see & CONVK_PAIR_ADDRESSES_)) return CONVK_OK;
  if (!to || (each && !written)) return CONVK_ERR_NULL;
  span = convk_walkers_span_(full, system->particles) * sizeof *r;
  if (!each) bytes = span;
  if (convk_overlap_(written, bytes, r, span) || convk_overlap_(written, bytes, to, places_bytes)) return CONVK_ERR_OVERLAP;
  if (!(see & CONVK_PAIR_DATA_)) return CONVK_OK;
  places.walkers = full->walkers;
  places.pitch = 1;
  places.stride = 3;
  status = CONVK_PRIVATE_(pair_coordinates)(&places, 1, to);
  return status ? status : CONVK_PRIVATE_(pair_coordinates)(full, system->particles, r);
}

CONVK_RARE_ int CONVK_PRIVATE_(pair_accept_check)(const convk_pair_system *system, const convk_walkers *walkers, size_t particle,
                                                  int see, const CONVK_T *to, const unsigned char *accept, const CONVK_T *r,
                                                  const CONVK_T *gradient, CONVK_PRIVATE_(pair_terms) *terms,
                                                  convk_walkers *full) {
  const int status = CONVK_PRIVATE_(pair_step_check)(system, walkers, particle, see, r, to, gradient, 0, terms, full);
  size_t span;
  if (status || !(see & CONVK_PAIR_ADDRESSES_)) return status;
  span = convk_walkers_span_(full, system->particles) * sizeof *r;
  return convk_overlap_(r, span, to, 3 * full->walkers * sizeof *to) || convk_overlap_(r, span, accept, full->walkers) ||
                 convk_overlap_(gradient, span, accept, full->walkers)
             ? CONVK_ERR_OVERLAP
             : CONVK_OK;
}

/* With a run. */
CONVK_RARE_ int CONVK_PRIVATE_(vmc_run_check)(const convk_vmc *vmc, const void *state, size_t state_size,
                                              CONVK_PRIVATE_(pair_terms) *terms) {
  const int status = convk_vmc_belongs_(vmc, state, state_size, sizeof(CONVK_T));
  return status ? status : CONVK_PRIVATE_(pair_terms_of)(&vmc->system, CONVK_PAIR_ALL, terms);
}

/* With sweeps on a device; *measured: how many of them end with a measurement.  result: where it goes, or NULL. */
CONVK_RARE_ int CONVK_PRIVATE_(vmc_sweeps_check)(const convk_vmc *vmc, int see, uint64_t sweep, size_t count, double step,
                                                 const void *result, CONVK_PRIVATE_(pair_terms) *terms, size_t *measured) {
  size_t i;
  int status = convk_vmc_check_(vmc, see);
  if (status) return status;
  if (!convk_finite_f64_(step)) return CONVK_ERR_NONFINITE;
  if (!(step > 0)) return CONVK_ERR_OPTION;
  status = CONVK_PRIVATE_(pair_terms_of)(&vmc->system, CONVK_PAIR_ALL, terms);
  for (i = 0, *measured = 0; i < count; i++) *measured += (size_t)convk_vmc_measures_(vmc, sweep + i);
  if (status) return status;
  if (convk_vmc_common_size_(vmc->system.particles, convk_vmc_here_(vmc), sizeof(CONVK_T)) == (size_t)-1) return CONVK_ERR_OVERFLOW;
  return *measured && !result ? CONVK_ERR_NULL : CONVK_OK;
}
CONVK_LIGHT_POP_
/* ---- src/pairs/energy.h ---- */
/* ---- all pairs of a walker ---- */

/* Sums of pairs in interleaved lanes, and products of r^2, whose exponents were put aside `count` times. */
typedef struct CONVK_PRIVATE_(pair_lanes) {
  CONVK_T sum[CONVK_PAIR_SUMS_ * CONVK_PAIR_LANES_], product[CONVK_PAIR_LANES_], exponent[CONVK_PAIR_LANES_];
  double count;
} CONVK_PRIVATE_(pair_lanes);

/* The sum of lanes. */
CONVK_LOCAL_ double CONVK_PRIVATE_(pair_fold)(const double *lane) {
  double s[CONVK_PAIR_LANES_ / 2];
  size_t i;
  CONVK_UNROLL_
  for (i = 0; i < CONVK_PAIR_LANES_ / 2; i++) s[i] = lane[i] + lane[i + CONVK_PAIR_LANES_ / 2];
  CONVK_UNROLL_
  for (i = CONVK_PAIR_LANES_ / 2 - 1; i; i--) s[CONVK_PAIR_ONTO_(i)] += s[i];
  return s[0];
}

/* Products of lanes, below 2, with the bits of their exponents added up over `count` of them, into one, or out of it (sign). */
CONVK_RARE_ void CONVK_PRIVATE_(pair_product)(const CONVK_T *mantissa, const CONVK_T *exponent, double count, int sign,
                                              convk_pair_sums_ *to) {
  double m[CONVK_PAIR_LANES_], e;
  uint64_t bits = 0;
  size_t i;
  for (i = 0; i < CONVK_PAIR_LANES_; i++) {
    CONVK_UNSIGNED_ one;
    memcpy(&one, &exponent[i], sizeof one);
    bits += one;
    m[i] = (double)mantissa[i];
  }
  for (i = CONVK_PAIR_LANES_ - 1; i; i--) m[CONVK_PAIR_ONTO_(i)] *= m[i];
  e = (double)bits - CONVK_EITHER_(127., 1023.) * count * (double)CONVK_PAIR_LANES_;
  convk_pair_multiply_(to, sign > 0 ? m[0] : 1 / m[0], sign * e);
}

/* A block of a walker, x y z, filled up with 0 to whole sets of lanes. */
CONVK_RARE_ void CONVK_PRIVATE_(pair_block)(const CONVK_T *r, size_t pitch, size_t n, size_t block, CONVK_T *to) {
  const size_t begin = block * CONVK_PAIR_BLOCK_, count = n - begin < CONVK_PAIR_BLOCK_ ? n - begin : CONVK_PAIR_BLOCK_;
  size_t d, bytes = count * sizeof *to;
  CONVK_SCALAR_(bytes); /* where a compiler sees that it is small it copies by an instruction that is slow to start */
  for (d = 0; d < 3; d++) {
    CONVK_T *x = to + d * CONVK_PAIR_BLOCK_;
    size_t i;
    memcpy(x, r + d * pitch + begin, bytes);
    for (i = count; i % CONVK_PAIR_LANES_; i++) x[i] = 0;
  }
}

/* Adds a block's gradient to that of a walker. */
CONVK_RARE_ void CONVK_PRIVATE_(pair_add)(const CONVK_T *block, size_t n, size_t padded, size_t at, double *gradient) {
  size_t d, i;
  for (d = 0; d < 3; d++)
    for (i = 0; i < n; i++) gradient[d * padded + at + i] += (double)block[d * CONVK_PAIR_BLOCK_ + i];
}

/* One stripe of a walker's pairs.  gradient: [3][padded], of doubles, set; or NULL. */
CONVK_RARE_ void CONVK_PRIVATE_(pair_stripe)(const CONVK_PRIVATE_(pair_kernels) *kernels, const CONVK_PRIVATE_(pair_terms) *c,
                                             int want, size_t n, const CONVK_T *r, size_t pitch, size_t stripe,
                                             convk_pair_sums_ *sums, double *gradient) {
  const size_t blocks = convk_pair_blocks_(n), stripes = convk_pair_stripes_(n), padded = convk_pair_padded_(n);
  CONVK_PAIR_ALIGNED_ CONVK_T rows[3 * CONVK_PAIR_BLOCK_];
  CONVK_PAIR_ALIGNED_ CONVK_T columns[3 * CONVK_PAIR_BLOCK_];
  CONVK_PAIR_ALIGNED_ CONVK_T limit[CONVK_PAIR_BLOCK_];
  CONVK_PAIR_ALIGNED_ CONVK_T row_gradient[3 * CONVK_PAIR_BLOCK_];
  CONVK_PAIR_ALIGNED_ CONVK_T column_gradient[3 * CONVK_PAIR_BLOCK_];
  CONVK_PAIR_ALIGNED_ double sum[CONVK_PAIR_SUMS_ * CONVK_PAIR_LANES_];
  CONVK_PRIVATE_(pair_tile) tile;
  size_t block, step, i;
  int k;
  memset(sum, 0, sizeof sum);
  convk_pair_sums_clear_(sums);
  if (gradient) memset(gradient, 0, 3 * padded * sizeof *gradient);
  tile.rows = rows;
  tile.limit = limit;
  tile.row_gradient = row_gradient;
  tile.column_gradient = column_gradient;
  tile.want = want;
  tile.sum = sum;
  tile.product = sums;
  for (block = stripe; block < blocks; block += stripes) {
    CONVK_PRIVATE_(pair_block)(r, pitch, n, block, rows);
    tile.nrows = n - block * CONVK_PAIR_BLOCK_ < CONVK_PAIR_BLOCK_ ? n - block * CONVK_PAIR_BLOCK_ : CONVK_PAIR_BLOCK_;
    for (step = 0; step <= blocks / 2; step++) {
      const size_t other = (block + step) % blocks, left = n - other * CONVK_PAIR_BLOCK_;
      if (step && 2 * step == blocks && block >= step) break; /* the other half of the opposite ones */
      tile.own = !step;
      tile.ncolumns = left < CONVK_PAIR_BLOCK_ ? left : CONVK_PAIR_BLOCK_;
      tile.all = step && tile.ncolumns == CONVK_PAIR_BLOCK_ && !c->periodic && !c->counts;
      tile.columns = columns;
      if (step) CONVK_PRIVATE_(pair_block)(r, pitch, n, other, columns);
      else tile.columns = rows;
      for (i = 0; step && i < CONVK_PAIR_BLOCK_; i++) limit[i] = i < tile.ncolumns ? c->limit : 0;
      kernels->tile(c, &tile);
      if (!gradient) continue;
      CONVK_PRIVATE_(pair_add)(row_gradient, tile.nrows, padded, block * CONVK_PAIR_BLOCK_, gradient);
      if (step) CONVK_PRIVATE_(pair_add)(column_gradient, tile.ncolumns, padded, other * CONVK_PAIR_BLOCK_, gradient);
    }
  }
  for (k = 0; k < CONVK_PAIR_SUMS_; k++) sums->sum[k] = CONVK_PRIVATE_(pair_fold)(sum + (size_t)k * CONVK_PAIR_LANES_);
}

/* What sums over all pairs mean. */
CONVK_RARE_ void CONVK_PRIVATE_(pair_finish)(const CONVK_PRIVATE_(pair_terms) *c, int want, const convk_pair_sums_ *s, size_t n,
                                             const double *gradient, size_t padded, convk_pair_result *result) {
  const double laplacian = 20 * c->p[0] * s->sum[3] + 2 * c->p[1] * s->sum[4] + c->p[2] * s->sum[1] + 2 * c->p[3] * s->sum[5];
  double square[4] = {0, 0, 0, 0};
  size_t d, i, k;
  if (want & CONVK_GRADIENT)
    for (d = 0; d < 3; d++)
      for (i = 0; i < n; i += 4) /* it is 0 behind the last */
        for (k = 0; k < 4; k++) square[k] += gradient[d * padded + i + k] * gradient[d * padded + i + k];
  convk_pair_meaning_(c->p, c->edge, c->hbar2_2m, want, s->sum, want & CONVK_LN_PSI ? convk_pair_log_(s) : 0, laplacian,
                      (square[0] + square[2]) + (square[1] + square[3]), (double *)(void *)result);
}

/* The stripes of one walker as tasks. */
typedef struct CONVK_PRIVATE_(pair_stripes_job) {
  const CONVK_PRIVATE_(pair_kernels) *kernels;
  const CONVK_PRIVATE_(pair_terms) *terms;
  const CONVK_T *r;
  size_t n, pitch, tasks;
  int want;
  convk_pair_sums_ *sums; /* of each stripe */
  double *gradient;       /* of each stripe, [3][padded] */
} CONVK_PRIVATE_(pair_stripes_job);

CONVK_LOCAL_ void CONVK_PRIVATE_(pair_stripe_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(pair_stripes_job) *job = (const CONVK_PRIVATE_(pair_stripes_job) *)arg;
  CONVK_PRIVATE_(pair_stripe)(job->kernels, job->terms, job->want, job->n, job->r, job->pitch, index, job->sums + index,
                              job->gradient ? job->gradient + index * 3 * convk_pair_padded_(job->n) : NULL);
}

/* Adds a stripe's gradient of some blocks to that of the first: what it has of them. */
CONVK_LOCAL_ void CONVK_PRIVATE_(pair_reduce)(size_t n, size_t stripe, size_t begin, size_t end, const double *from, double *to) {
  const size_t blocks = convk_pair_blocks_(n);
  size_t d, i, block, at;
  for (d = 0; d < 3; d++)
    for (block = begin; block < end; block++)
      if (convk_pair_touches_(blocks, stripe, block))
        for (i = 0, at = (d * blocks + block) * CONVK_PAIR_BLOCK_; i < CONVK_PAIR_BLOCK_; i++) to[at + i] += from[at + i];
}

CONVK_LOCAL_ void CONVK_PRIVATE_(pair_reduce_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(pair_stripes_job) *job = (const CONVK_PRIVATE_(pair_stripes_job) *)arg;
  const size_t blocks = convk_pair_blocks_(job->n), stripes = convk_pair_stripes_(job->n);
  const size_t begin = convk_share_(blocks, job->tasks, index), end = convk_share_(blocks, job->tasks, index + 1);
  size_t k;
  for (k = 1; k < stripes; k++)
    CONVK_PRIVATE_(pair_reduce)(job->n, k, begin, end, job->gradient + k * 3 * convk_pair_padded_(job->n), job->gradient);
}

/* All pairs of one walker.  hw: for its threads, NULL: serial.  *gradient is set to [3][padded] of the scratch, with CONVK_GRADIENT. */
CONVK_RARE_ int CONVK_PRIVATE_(pair_walker)(const CONVK_PRIVATE_(pair_kernels) *kernels, const CONVK_PRIVATE_(pair_terms) *c,
                                            const convk *hw, int want, size_t n, const CONVK_T *r, size_t pitch,
                                            convk_pair_result *result, double *scratch, double **gradient) {
  const size_t stripes = convk_pair_stripes_(n), padded = convk_pair_padded_(n);
  convk_pair_sums_ *part = (convk_pair_sums_ *)(void *)scratch, sums;
  double *g = scratch + CONVK_PAIR_STRIPES_ * sizeof(convk_pair_sums_) / sizeof(double);
  size_t k;
  CONVK_PRIVATE_(pair_stripes_job) job;
  job.kernels = kernels;
  job.terms = c;
  job.r = r;
  job.n = n;
  job.pitch = pitch;
  job.want = want;
  job.sums = part;
  job.gradient = want & CONVK_GRADIENT ? g : NULL;
  if (hw && convk_threads_(hw) > 1 && stripes > 1) {
    int status = convk_run_(hw, stripes, CONVK_PRIVATE_(pair_stripe_task), &job);
    job.tasks = padded > 256 ? convk_threads_(hw) : 1;
    if (!status && job.gradient) status = convk_run_(hw, job.tasks, CONVK_PRIVATE_(pair_reduce_task), &job);
    if (status) return status;
  } else {
    CONVK_PRIVATE_(pair_stripe_task)(&job, 0);
    for (k = 1; k < stripes; k++) {
      double *next = want & CONVK_GRADIENT ? g + 3 * padded : NULL;
      CONVK_PRIVATE_(pair_stripe)(kernels, c, want, n, r, pitch, k, part + k, next);
      if (next) CONVK_PRIVATE_(pair_reduce)(n, k, 0, convk_pair_blocks_(n), next, g);
    }
  }
  convk_pair_sums_clear_(&sums);
  for (k = 0; k < stripes; k++) convk_pair_sums_add_(&sums, part + k);
  CONVK_PRIVATE_(pair_finish)(c, want, &sums, n, g, padded, result);
  if (gradient) *gradient = g;
  return CONVK_OK;
}

/* ---- pair_energy ---- */

CONVK_API_ size_t CONVK_TYPED_(pair_energy_work_size)(const convk *hw, size_t particles, size_t walkers) {
  return convk_pair_work_size_(hw, particles, walkers, sizeof(CONVK_T));
}

/* One checked call; walkers are dealt out to tasks, or one walker's stripes are. */
typedef struct CONVK_PRIVATE_(pair_job) {
  const CONVK_PRIVATE_(pair_kernels) *kernels;
  CONVK_PRIVATE_(pair_terms) terms;
  convk_walkers full;
  size_t n, tasks, scratch;
  int want;
  const CONVK_T *r;
  CONVK_T *gradient;
  convk_pair_result *result;
  double *base;
} CONVK_PRIVATE_(pair_job);

CONVK_RARE_ int CONVK_PRIVATE_(pair_one)(const CONVK_PRIVATE_(pair_job) *job, const convk *hw, size_t w, double *scratch) {
  const size_t padded = convk_pair_padded_(job->n);
  double *g = NULL;
  size_t d, i;
  const int status = CONVK_PRIVATE_(pair_walker)(job->kernels, &job->terms, hw, job->want, job->n, job->r + w * job->full.stride,
                                                 job->full.pitch, job->result + w, scratch, &g);
  if (status || !job->gradient || !(job->want & CONVK_GRADIENT)) return status;
  for (d = 0; d < 3; d++) {
    CONVK_PRIVATE_(any) *to = (CONVK_PRIVATE_(any) *)(job->gradient + w * job->full.stride + d * job->full.pitch);
    for (i = 0; i < job->n; i++) to[i] = (CONVK_T)g[d * padded + i];
  }
  return CONVK_OK;
}

CONVK_LOCAL_ void CONVK_PRIVATE_(pair_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(pair_job) *job = (const CONVK_PRIVATE_(pair_job) *)arg;
  size_t w = convk_share_(job->full.walkers, job->tasks, index);
  for (; w < convk_share_(job->full.walkers, job->tasks, index + 1); w++)
    (void)CONVK_PRIVATE_(pair_one)(job, NULL, w, job->base + index * job->scratch);
}

/* One walker after the other, each on all threads. */
CONVK_RARE_ int CONVK_PRIVATE_(pair_in_turn)(void *arg, const convk *hw) {
  const CONVK_PRIVATE_(pair_job) *job = (const CONVK_PRIVATE_(pair_job) *)arg;
  size_t w;
  int status = CONVK_OK;
  for (w = 0; w < job->full.walkers && !status; w++) status = CONVK_PRIVATE_(pair_one)(job, hw, w, job->base);
  return status;
}

/* A quick look at what pair_coordinates looks at one by one; in one go where walkers are packed. */
CONVK_RARE_ int CONVK_PRIVATE_(pair_all_inside)(const CONVK_PRIVATE_(pair_kernels) *kernels, const convk_walkers *full, size_t n,
                                                const CONVK_T *r) {
  const int packed = full->pitch == n && full->stride == 3 * n;
  size_t w, d;
  if (packed) return kernels->inside(3 * n * full->walkers, r);
  for (w = 0; w < full->walkers; w++)
    for (d = 0; d < 3; d++)
      if (!kernels->inside(n, r + w * full->stride + d * full->pitch)) return 0;
  return 1;
}

CONVK_RARE_ int CONVK_PRIVATE_(pair_energy_cpu)(const CONVK_PRIVATE_(pair_kernels) *kernels, const convk *hw,
                                                const convk_pair_system *system, const convk_walkers *walkers, int want,
                                                const CONVK_T *r, convk_pair_result *result, CONVK_T *gradient, void *work,
                                                size_t work_size) {
  CONVK_PRIVATE_(pair_job) job;
  convk_work_ memory;
  size_t need;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status)
    status = CONVK_PRIVATE_(pair_energy_check)(system, walkers, want, CONVK_PAIR_HOST_ & ~CONVK_PAIR_DATA_, r, result, gradient,
                                               &job.terms, &job.full);
  if (!status && job.full.walkers && !CONVK_PRIVATE_(pair_all_inside)(kernels, &job.full, system->particles, r))
    status = CONVK_PRIVATE_(pair_coordinates)(&job.full, system->particles, r);
  if (status || !job.full.walkers) return status;
  need = convk_pair_work_size_(hw, system->particles, job.full.walkers, sizeof *r);
  if (need == (size_t)-1) return CONVK_ERR_OVERFLOW;
  status = convk_work_begin_(&memory, work, work_size, need);
  if (status) return status;
  job.kernels = kernels;
  job.n = system->particles;
  job.want = want ? want : CONVK_PAIR_ALL;
  job.r = r;
  job.result = result;
  job.gradient = gradient;
  job.base = (double *)(void *)memory.base;
  job.tasks = convk_pair_tasks_(hw, job.n, job.full.walkers, sizeof *r);
  if (job.tasks) {
    job.scratch = convk_pair_scratch_(job.n, 0);
    status = convk_run_(hw, job.tasks, CONVK_PRIVATE_(pair_task), &job);
  } else
    status = convk_run_here_(hw, CONVK_PRIVATE_(pair_in_turn), &job);
  convk_work_end_(&memory);
  return status;
}

/* ---- pair_potential ---- */

typedef struct CONVK_PRIVATE_(pair_values_job) {
  const CONVK_PRIVATE_(pair_kernels) *kernels;
  CONVK_PRIVATE_(pair_terms) terms;
  size_t n;
  const CONVK_T *r;
  CONVK_T *v;
} CONVK_PRIVATE_(pair_values_job);

CONVK_LOCAL_ void CONVK_PRIVATE_(pair_values_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(pair_values_job) *job = (const CONVK_PRIVATE_(pair_values_job) *)arg;
  (void)index;
  job->kernels->potential(&job->terms, job->n, job->r, job->v);
}

CONVK_RARE_ int CONVK_PRIVATE_(pair_potential_cpu)(const CONVK_PRIVATE_(pair_kernels) *kernels, const convk *hw,
                                                   const convk_pair_potential *potential, size_t n, const CONVK_T *r, CONVK_T *v) {
  CONVK_PRIVATE_(pair_values_job) job;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status) status = CONVK_PRIVATE_(pair_values_check)(potential, n, CONVK_PAIR_HOST_, r, v, &job.terms);
  if (status) return status;
  job.kernels = kernels;
  job.n = n;
  job.r = r;
  job.v = v;
  return convk_run_(hw, 1, CONVK_PRIVATE_(pair_values_task), &job);
}
/* ---- src/pairs/moves.h ---- */
/* ---- pair_move and pair_accept ---- */

/* What one particle's rows have summed up. */
typedef struct CONVK_PRIVATE_(pair_change) {
  CONVK_PAIR_ALIGNED_ double sum[3 * CONVK_PAIR_LANES_];
  CONVK_PAIR_ALIGNED_ double force[6 * CONVK_PAIR_LANES_];
  convk_pair_sums_ product;
  CONVK_PRIVATE_(pair_row) row;
} CONVK_PRIVATE_(pair_change);

CONVK_RARE_ void CONVK_PRIVATE_(pair_change_begin)(CONVK_PRIVATE_(pair_change) *s, int want) {
  memset(s->sum, 0, sizeof s->sum);
  if (want & CONVK_GRADIENT) memset(s->force, 0, sizeof s->force);
  convk_pair_sums_clear_(&s->product);
  s->row.want = want;
  s->row.sum = s->sum;
  s->row.force = s->force;
  s->row.product = &s->product;
  s->row.gradient[0] = s->row.gradient[1] = s->row.gradient[2] = NULL;
}

/* ln Psi after less before. */
CONVK_RARE_ double CONVK_PRIVATE_(pair_change_of)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_PRIVATE_(pair_change) *s) {
  const size_t lanes = CONVK_PAIR_LANES_;
  double lane[CONVK_PAIR_LANES_], change;
  size_t i;
  for (i = 0; i < lanes; i++) lane[i] = -(c->p[0] * s->sum[i] + c->p[1] * s->sum[lanes + i] + c->p[3] * s->sum[2 * lanes + i]);
  change = CONVK_PRIVATE_(pair_fold)(lane);
  if (c->p[2] > 0 || c->p[2] < 0) change -= 0.5 * c->p[2] * convk_pair_log_(&s->product);
  return change - c->shift * s->product.sum[7];
}

/* Rows of particle k of a walker whose arrays are as they are; gradient: NULL, or its arrays, which are updated. */
CONVK_RARE_ void CONVK_PRIVATE_(pair_rows)(const CONVK_PRIVATE_(pair_kernels) *kernels, const CONVK_PRIVATE_(pair_terms) *c,
                                           CONVK_PRIVATE_(pair_change) *s, size_t n, size_t k, const CONVK_T *r, CONVK_T *gradient,
                                           size_t pitch) {
  CONVK_T part[3 * CONVK_PAIR_BLOCK_], change[3 * CONVK_PAIR_BLOCK_], limit[CONVK_PAIR_BLOCK_];
  size_t begin, d, i;
  for (begin = 0; begin < n; begin += CONVK_PAIR_BLOCK_) {
    const size_t left = n - begin, count = left < CONVK_PAIR_BLOCK_ ? left : CONVK_PAIR_BLOCK_;
    CONVK_PRIVATE_(pair_block)(r, pitch, n, begin / CONVK_PAIR_BLOCK_, part);
    for (i = 0; i < CONVK_PAIR_BLOCK_; i++) limit[i] = i < count && begin + i != k ? c->limit : 0;
    for (d = 0; d < 3; d++) {
      s->row.x[d] = part + d * CONVK_PAIR_BLOCK_;
      if (gradient) s->row.gradient[d] = change + d * CONVK_PAIR_BLOCK_;
    }
    if (gradient) memset(change, 0, sizeof change);
    s->row.limit = limit;
    s->row.n = convk_round_up_(count, CONVK_PAIR_LANES_);
    kernels->row(c, &s->row);
    for (d = 0; gradient && d < 3; d++) {
      CONVK_PRIVATE_(any) *to = (CONVK_PRIVATE_(any) *)(gradient + d * pitch + begin);
      for (i = 0; i < count; i++) to[i] += change[d * CONVK_PAIR_BLOCK_ + i];
    }
  }
}

/* Where a particle is, and where it may go. */
CONVK_LOCAL_ void CONVK_PRIVATE_(pair_places)(CONVK_PRIVATE_(pair_row) *row, const CONVK_T *from, size_t pitch, size_t particle,
                                            const CONVK_T *to) {
  size_t d;
  for (d = 0; d < 3; d++) {
    row->at[0][d] = ((const CONVK_PRIVATE_(any) *)(from + d * pitch))[particle];
    row->at[1][d] = ((const CONVK_PRIVATE_(any) *)to)[d];
  }
}

/* One particle goes, in the walkers that accept it. */
CONVK_LOCAL_ int CONVK_PRIVATE_(pair_go)(const convk_walkers *full, size_t particle, const CONVK_T *to, const unsigned char *accept,
                                       CONVK_T *r) {
  size_t w, d;
  for (w = 0; w < full->walkers; w++)
    for (d = 0; d < 3 && (!accept || accept[w]); d++)
      memcpy(r + w * full->stride + d * full->pitch + particle, to + 3 * w + d, sizeof *r);
  return CONVK_OK;
}

/* One checked call of either. */
typedef struct CONVK_PRIVATE_(pair_step) {
  const CONVK_PRIVATE_(pair_kernels) *kernels;
  CONVK_PRIVATE_(pair_terms) terms;
  convk_walkers full;
  size_t n, particle;
  const CONVK_T *r, *to;
  const unsigned char *accept;
  convk_pair_move_result *result;
  CONVK_T *gradient;
} CONVK_PRIVATE_(pair_step);

/* The rows of a walker's particle; gradient: as pair_rows. */
CONVK_RARE_ void CONVK_PRIVATE_(pair_step_rows)(const CONVK_PRIVATE_(pair_step) *job, size_t w, CONVK_T *gradient,
                                                CONVK_PRIVATE_(pair_change) *s) {
  const CONVK_T *r = job->r + w * job->full.stride;
  CONVK_PRIVATE_(pair_change_begin)(s, CONVK_LN_PSI | CONVK_GRADIENT);
  CONVK_PRIVATE_(pair_places)(&s->row, r, job->full.pitch, job->particle, job->to + 3 * w);
  CONVK_PRIVATE_(pair_rows)(job->kernels, &job->terms, s, job->n, job->particle, r, gradient, job->full.pitch);
}

CONVK_LOCAL_ void CONVK_PRIVATE_(pair_move_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(pair_step) *job = (const CONVK_PRIVATE_(pair_step) *)arg;
  CONVK_PRIVATE_(pair_change) s;
  size_t w, d;
  (void)index;
  for (w = 0; w < job->full.walkers; w++) {
    CONVK_PRIVATE_(pair_step_rows)(job, w, NULL, &s);
    job->result[w].ln_psi = CONVK_PRIVATE_(pair_change_of)(&job->terms, &s);
    for (d = 0; d < 3; d++) {
      job->result[w].before[d] = CONVK_PRIVATE_(pair_fold)(s.force + d * CONVK_PAIR_LANES_);
      job->result[w].after[d] = CONVK_PRIVATE_(pair_fold)(s.force + (3 + d) * CONVK_PAIR_LANES_);
    }
  }
}

CONVK_RARE_ int CONVK_PRIVATE_(pair_move_cpu)(const CONVK_PRIVATE_(pair_kernels) *kernels, const convk *hw,
                                              const convk_pair_system *system, const convk_walkers *walkers, size_t particle,
                                              const CONVK_T *r, const CONVK_T *to, convk_pair_move_result *result) {
  CONVK_PRIVATE_(pair_step) job;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status)
    status = CONVK_PRIVATE_(pair_step_check)(system, walkers, particle, CONVK_PAIR_HOST_, r, to, result, sizeof *result,
                                             &job.terms, &job.full);
  if (status) return status;
  job.kernels = kernels;
  job.n = system->particles;
  job.particle = particle;
  job.r = r;
  job.to = to;
  job.result = result;
  return convk_run_(hw, 1, CONVK_PRIVATE_(pair_move_task), &job);
}

CONVK_LOCAL_ void CONVK_PRIVATE_(pair_accept_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(pair_step) *job = (const CONVK_PRIVATE_(pair_step) *)arg;
  CONVK_PRIVATE_(pair_change) s;
  size_t w, d;
  (void)index;
  for (w = 0; w < job->full.walkers; w++) {
    CONVK_T *g = job->gradient + w * job->full.stride;
    if (job->accept && !job->accept[w]) continue;
    CONVK_PRIVATE_(pair_step_rows)(job, w, g, &s);
    for (d = 0; d < 3; d++)
      ((CONVK_PRIVATE_(any) *)(g + d * job->full.pitch))[job->particle] =
          (CONVK_T)CONVK_PRIVATE_(pair_fold)(s.force + (3 + d) * CONVK_PAIR_LANES_);
  }
}

CONVK_RARE_ int CONVK_PRIVATE_(pair_accept_cpu)(const CONVK_PRIVATE_(pair_kernels) *kernels, const convk *hw,
                                                const convk_pair_system *system, const convk_walkers *walkers, size_t particle,
                                                const CONVK_T *to, const unsigned char *accept, CONVK_T *r, CONVK_T *gradient) {
  CONVK_PRIVATE_(pair_step) job;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status)
    status = CONVK_PRIVATE_(pair_accept_check)(system, walkers, particle, CONVK_PAIR_HOST_, to, accept, r, gradient, &job.terms,
                                               &job.full);
  if (status) return status;
  job.kernels = kernels;
  job.n = system->particles;
  job.particle = particle;
  job.r = r;
  job.to = to;
  job.accept = accept;
  job.gradient = gradient;
  if (gradient) status = convk_run_(hw, 1, CONVK_PRIVATE_(pair_accept_task), &job);
  return status ? status : CONVK_PRIVATE_(pair_go)(&job.full, particle, to, accept, r);
}
/* ---- src/pairs/sweeps.h ---- */
/* ---- sweeps of walkers on processors ---- */

/* A run on processors: its job, and what advances it. */
typedef struct CONVK_PRIVATE_(vmc_cpu) {
  const CONVK_PRIVATE_(pair_kernels) *kernels;
  CONVK_PRIVATE_(pair_terms) terms;
  const convk_vmc_job_ *job;
  size_t tasks, scratch; /* scratch: doubles of a task */
} CONVK_PRIVATE_(vmc_cpu);

/* One walker at work: its coordinates, filled up to whole blocks, and what a sweep needs. */
typedef struct CONVK_PRIVATE_(vmc_walker) {
  const CONVK_PRIVATE_(vmc_cpu) *run;
  const convk_vmc_job_ *job;
  const convk *hw;                /* for its threads, or NULL */
  size_t padded;
  CONVK_T *x, *to, *limit;        /* [3][padded], [3][padded] of moves of all, [padded] */
  double *g[2], *scratch;         /* gradients before and after moves of all; for pair_walker */
  double ln_psi;
  CONVK_PRIVATE_(pair_change) change;
} CONVK_PRIVATE_(vmc_walker);

CONVK_RARE_ void CONVK_PRIVATE_(vmc_rows)(CONVK_PRIVATE_(vmc_walker) *p, size_t k, const double to[3], int want) {
  size_t d;
  CONVK_PRIVATE_(pair_change_begin)(&p->change, want);
  for (d = 0; d < 3; d++) {
    p->change.row.x[d] = p->x + d * p->padded;
    p->change.row.at[0][d] = p->x[d * p->padded + k];
    p->change.row.at[1][d] = (CONVK_T)to[d];
  }
  p->change.row.limit = p->limit;
  p->change.row.n = convk_round_up_(p->job->n, CONVK_PAIR_LANES_);
  p->limit[k] = 0;
  p->run->kernels->row(&p->run->terms, &p->change.row);
  p->limit[k] = p->run->terms.limit;
}

/* One particle after another.  w: the walker's number among all parts, here and below. */
CONVK_RARE_ uint32_t CONVK_PRIVATE_(vmc_single)(CONVK_PRIVATE_(vmc_walker) *p, size_t w, uint64_t sweep) {
  const convk_vmc_job_ *job = p->job;
  const uint64_t seed = job->vmc->seed;
  const double step = job->step;
  uint32_t accepted = 0;
  size_t k, d;
  for (k = 0; k < job->n; k++) {
    double u[4], way[3], to[3], at[3], before[3] = {0, 0, 0}, after[3], change, chance;
    for (d = 0; d < 3; d++) at[d] = to[d] = (double)p->x[d * p->padded + k];
    convk_random_(seed, sweep, k, w, CONVK_RANDOM_MOVE_, u);
    if (job->vmc->drift) {
      double normal[3], drift[3];
      CONVK_PRIVATE_(vmc_rows)(p, k, to, CONVK_LN_PSI | CONVK_GRADIENT);
      for (d = 0; d < 3; d++) before[d] = CONVK_PRIVATE_(pair_fold)(p->change.force + d * CONVK_PAIR_LANES_);
      convk_normal_(seed, sweep, k, w, normal);
      convk_vmc_drift_(step, before, drift);
      for (d = 0; d < 3; d++) to[d] += drift[d] + step * normal[d];
    } else
      for (d = 0; d < 3; d++) to[d] += step * (2 * u[d] - 1);
    CONVK_PRIVATE_(vmc_rows)(p, k, to, job->vmc->drift ? CONVK_LN_PSI | CONVK_GRADIENT : CONVK_LN_PSI);
    for (d = 0; d < 3; d++) way[d] = (double)p->change.row.at[1][d] - at[d]; /* as it was rounded */
    change = CONVK_PRIVATE_(pair_change_of)(&p->run->terms, &p->change);
    chance = 2 * change;
    if (job->vmc->drift) {
      for (d = 0; d < 3; d++) after[d] = CONVK_PRIVATE_(pair_fold)(p->change.force + (3 + d) * CONVK_PAIR_LANES_);
      chance += convk_vmc_return_(step, way, before, after);
    }
    if (!convk_vmc_accepts_(chance, u[3])) continue;
    for (d = 0; d < 3; d++) p->x[d * p->padded + k] = p->change.row.at[1][d];
    p->ln_psi += change;
    accepted++;
  }
  return accepted;
}

/* All pairs of coordinates in whole blocks; *gradient as pair_walker. */
CONVK_RARE_ int CONVK_PRIVATE_(vmc_pairs)(const CONVK_PRIVATE_(vmc_walker) *p, int want, const CONVK_T *x,
                                          convk_pair_result *result, double **gradient) {
  return CONVK_PRIVATE_(pair_walker)(p->run->kernels, &p->run->terms, p->hw, want, p->job->n, x, p->padded, result, p->scratch,
                                     gradient);
}

/* All particles at once. */
CONVK_RARE_ int CONVK_PRIVATE_(vmc_all)(CONVK_PRIVATE_(vmc_walker) *p, size_t w,
                                        uint64_t sweep, uint32_t *accepted) {
  const convk_vmc_job_ *job = p->job;
  const int drift = job->vmc->drift, want = drift ? CONVK_LN_PSI | CONVK_GRADIENT : CONVK_LN_PSI;
  convk_pair_result result;
  double u[4], chance, *g = NULL;
  size_t k, d;
  int status = CONVK_OK;
  if (drift) {
    status = CONVK_PRIVATE_(vmc_pairs)(p, want, p->x, &result, &g);
    if (status) return status;
    memcpy(p->g[0], g, 3 * p->padded * sizeof *g);
  }
  for (k = 0; k < job->n; k++) {
    double move[3];
    if (drift) {
      double force[3], mean[3];
      for (d = 0; d < 3; d++) force[d] = p->g[0][d * p->padded + k];
      convk_normal_(job->vmc->seed, sweep, k, w, move);
      convk_vmc_drift_(job->step, force, mean);
      for (d = 0; d < 3; d++) move[d] = mean[d] + job->step * move[d];
    } else {
      convk_random_(job->vmc->seed, sweep, k, w, CONVK_RANDOM_MOVE_, u);
      for (d = 0; d < 3; d++) move[d] = job->step * (2 * u[d] - 1);
    }
    for (d = 0; d < 3; d++) p->to[d * p->padded + k] = (CONVK_T)((double)p->x[d * p->padded + k] + move[d]);
  }
  status = CONVK_PRIVATE_(vmc_pairs)(p, want, p->to, &result, &g);
  if (status) return status;
  chance = 2 * (result.ln_psi - p->ln_psi);
  for (k = 0; drift && k < job->n; k++) {
    double way[3], before[3], after[3];
    for (d = 0; d < 3; d++) {
      way[d] = (double)p->to[d * p->padded + k] - (double)p->x[d * p->padded + k];
      before[d] = p->g[0][d * p->padded + k];
      after[d] = g[d * p->padded + k];
    }
    chance += convk_vmc_return_(job->step, way, before, after);
  }
  convk_random_(job->vmc->seed, sweep, job->n, w, CONVK_RANDOM_ACCEPT_, u);
  if (!convk_vmc_accepts_(chance, u[3])) return CONVK_OK;
  memcpy(p->x, p->to, 3 * p->padded * sizeof *p->x);
  p->ln_psi = result.ln_psi;
  ++*accepted;
  return CONVK_OK;
}

/* Brings a cluster back to where coordinates have all their digits, and particles of a box into it. */
CONVK_RARE_ void CONVK_PRIVATE_(vmc_recentre)(CONVK_PRIVATE_(vmc_walker) *p) {
  const convk_vmc_job_ *job = p->job;
  size_t d, k;
  for (d = 0; d < 3; d++) {
    CONVK_T *x = p->x + d * p->padded;
    double mean = 0, off;
    for (k = 0; k < job->n; k++) mean += (double)x[k];
    off = convk_vmc_off_(mean / (double)job->n);
    for (k = 0; k < job->n; k++)
      x[k] = (CONVK_T)(p->run->terms.periodic ? convk_vmc_inside_((double)x[k], job->vmc->system.box[d]) : (double)x[k] - off);
  }
}

/* One walker of this part through a batch; coordinates change only when all of it is done. */
CONVK_RARE_ int CONVK_PRIVATE_(vmc_walk)(const CONVK_PRIVATE_(vmc_cpu) *run, const convk *hw, size_t w, double *scratch) {
  const convk_vmc_job_ *job = run->job;
  CONVK_PRIVATE_(vmc_walker) walker, *p = &walker;
  convk_pair_result result;
  CONVK_T *r = (CONVK_T *)job->r + w * 3 * job->n;
  uint32_t accepted = 0;
  size_t i, d, measured = 0;
  double off;
  int status = CONVK_OK;
  p->run = run;
  p->job = job;
  p->hw = hw;
  p->padded = convk_pair_padded_(job->n);
  p->g[0] = scratch;
  p->scratch = scratch + 3 * p->padded;
  p->x = (CONVK_T *)(void *)(p->scratch + convk_pair_scratch_(job->n, hw && convk_threads_(hw) > 1));
  p->to = p->x + 3 * p->padded;
  p->limit = p->to + 3 * p->padded;
  p->ln_psi = job->ln_psi[w];
  for (i = 0; i < p->padded; i++) p->limit[i] = i < job->n ? run->terms.limit : 0;
  memset(p->x, 0, 6 * p->padded * sizeof *p->x);
  for (d = 0; d < 3; d++) memcpy(p->x + d * p->padded, r + d * job->n, job->n * sizeof *r);
  job->drift[w] = 0;
  if (job->sweep % CONVK_VMC_BATCH_ == 0 || !convk_finite_f64_(p->ln_psi)) {
    CONVK_PRIVATE_(vmc_recentre)(p);
    status = CONVK_PRIVATE_(vmc_pairs)(p, CONVK_LN_PSI, p->x, &result, NULL);
    off = p->ln_psi - result.ln_psi;
    if (convk_finite_f64_(off)) job->drift[w] = off < 0 ? -off : off;
    p->ln_psi = result.ln_psi;
  }
  for (i = 0; i < job->count && !status; i++) {
    if (job->vmc->moves == CONVK_MOVE_SINGLE) accepted += CONVK_PRIVATE_(vmc_single)(p, job->first + w, job->sweep + i);
    else status = CONVK_PRIVATE_(vmc_all)(p, job->first + w, job->sweep + i, &accepted);
    if (status || !convk_vmc_measures_(job->vmc, job->sweep + i)) continue;
    status = CONVK_PRIVATE_(vmc_pairs)(p, CONVK_PAIR_ALL, p->x, &result, NULL);
    job->result[measured++ * job->walkers + w] = result;
    off = p->ln_psi - result.ln_psi;
    if (off < 0) off = -off;
    if (off > job->drift[w]) job->drift[w] = off;
    p->ln_psi = result.ln_psi;
  }
  if (status) return status;
  for (d = 0; d < 3; d++) memcpy(r + d * job->n, p->x + d * p->padded, job->n * sizeof *r);
  job->ln_psi[w] = p->ln_psi;
  job->accepted[w] = accepted;
  return CONVK_OK;
}

CONVK_LOCAL_ void CONVK_PRIVATE_(vmc_task)(void *arg, size_t index) {
  const CONVK_PRIVATE_(vmc_cpu) *run = (const CONVK_PRIVATE_(vmc_cpu) *)arg;
  size_t w = convk_share_(run->job->walkers, run->tasks, index);
  for (; w < convk_share_(run->job->walkers, run->tasks, index + 1); w++)
    (void)CONVK_PRIVATE_(vmc_walk)(run, NULL, w, (double *)(void *)run->job->base + index * run->scratch);
}

CONVK_RARE_ int CONVK_PRIVATE_(vmc_in_turn)(void *arg, const convk *hw) {
  const CONVK_PRIVATE_(vmc_cpu) *run = (const CONVK_PRIVATE_(vmc_cpu) *)arg;
  size_t w;
  int status = CONVK_OK;
  for (w = 0; w < run->job->walkers && !status; w++)
    status = CONVK_PRIVATE_(vmc_walk)(run, hw, w, (double *)(void *)run->job->base);
  return status;
}

/* Walkers on the threads, or threads on one walker after another. */
CONVK_RARE_ int CONVK_PRIVATE_(vmc_advance_cpu)(const convk *hw, const convk_vmc_job_ *job, void *ctx) {
  CONVK_PRIVATE_(vmc_cpu) *run = (CONVK_PRIVATE_(vmc_cpu) *)ctx;
  run->job = job;
  if (job->walkers >= run->tasks) return convk_run_(hw, run->tasks, CONVK_PRIVATE_(vmc_task), run);
  return convk_run_here_(hw, CONVK_PRIVATE_(vmc_in_turn), run);
}

CONVK_RARE_ int CONVK_PRIVATE_(vmc_run_cpu)(const CONVK_PRIVATE_(pair_kernels) *kernels, const convk *hw, const convk_vmc *vmc,
                                            size_t sweeps, void *state, size_t state_size, void *work, size_t work_size) {
  CONVK_PRIVATE_(vmc_cpu) run;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status) status = CONVK_PRIVATE_(vmc_run_check)(vmc, state, state_size, &run.terms);
  run.kernels = kernels;
  if (!status) {
    run.tasks = convk_threads_(hw);
    run.scratch = convk_vmc_scratch_(vmc->system.particles, convk_vmc_here_(vmc) < run.tasks);
  }
  return convk_vmc_drive_(hw, vmc, sweeps, state, state_size, work, work_size, sizeof(CONVK_T),
                          status ? 0 : convk_vmc_more_(hw, vmc, sizeof(CONVK_T)), status, CONVK_PRIVATE_(vmc_advance_cpu), &run);
}

CONVK_LIGHT_PUSH_
/* ---- states and runs of this precision ---- */

CONVK_API_ size_t CONVK_TYPED_(vmc_work_size)(const convk *hw, const convk_vmc *vmc) {
  return convk_vmc_work_size_(hw, vmc, sizeof(CONVK_T));
}

CONVK_API_ size_t CONVK_TYPED_(vmc_state_size)(const convk_vmc *vmc) { return convk_vmc_state_size_(vmc, sizeof(CONVK_T)); }

CONVK_API_ int CONVK_TYPED_(vmc_begin)(const convk_vmc *vmc, const CONVK_T *r, void *state, size_t state_size) {
  CONVK_PRIVATE_(pair_terms) terms;
  size_t need;
  int status = !vmc || !state ? CONVK_ERR_NULL : convk_vmc_check_(vmc, CONVK_PAIR_HOST_);
  if (!status) status = CONVK_PRIVATE_(pair_terms_of)(&vmc->system, CONVK_PAIR_ALL, &terms);
  if (status) return status;
  need = CONVK_TYPED_(vmc_state_size)(vmc);
  if (!need) return CONVK_ERR_OVERFLOW;
  if (state_size < need) return CONVK_ERR_STATE;
  if (r) {
    convk_walkers all = {0, 0, 0};
    all.walkers = convk_vmc_here_(vmc);
    status = convk_walkers_check_(&all, vmc->system.particles, sizeof *r, &all);
    if (!status && convk_overlap_(r, need - convk_vmc_at_(all.walkers), state, need)) status = CONVK_ERR_OVERLAP;
    if (!status) status = CONVK_PRIVATE_(pair_coordinates)(&all, vmc->system.particles, r);
  }
  return status ? status : convk_vmc_begin_(vmc, r, state, need, sizeof *r);
}

CONVK_API_ int CONVK_TYPED_(vmc_check)(const convk_vmc *vmc, const void *state, size_t state_size) {
  return convk_vmc_belongs_(vmc, state, state_size, sizeof(CONVK_T));
}

CONVK_API_ int CONVK_TYPED_(vmc_positions)(const convk_vmc *vmc, const void *state, size_t state_size, CONVK_T *r) {
  const int status = r ? CONVK_TYPED_(vmc_check)(vmc, state, state_size) : CONVK_ERR_NULL;
  const size_t here = status ? 0 : convk_vmc_here_(vmc);
  if (!status) memcpy(r, (const char *)state + convk_vmc_at_(here), here * 3 * vmc->system.particles * sizeof *r);
  return status;
}

CONVK_API_ int CONVK_TYPED_(vmc_minimise)(const convk *hw, convk_vmc *vmc, const convk_minimise_options *options, void *state,
                                             size_t state_size, convk_vmc_result *result, void *work, size_t work_size) {
  return convk_vmc_minimise_(hw, vmc, options, state, state_size, result, work, work_size, sizeof(CONVK_T));
}
CONVK_LIGHT_POP_
/* ---- src/pairs/tuner.h ---- */
/* Atoms throughout a cube, as dense as helium. */
CONVK_LOCAL_ void CONVK_PRIVATE_(trial_pairs_fill)(convk_trial_ *t) {
  CONVK_T *r = (CONVK_T *)t->array[0], edge = 1;
  size_t i;
  CONVK_PRIVATE_(trial_fill)(t);
  while (edge * edge * edge < (CONVK_T)t->entry.nx * 46) edge++;
  for (i = 0; i < t->bytes / sizeof *r; i++) r[i] *= 2 * edge;
}

CONVK_RARE_ int CONVK_PRIVATE_(trial_pairs_run)(convk_trial_ *t, void **result) {
  const size_t need = CONVK_TYPED_(pair_energy_work_size)(&t->hw, t->entry.nx, t->entry.ny);
  const size_t results = t->entry.ny * sizeof(convk_pair_result);
  convk_pair_system system;
  convk_walkers walkers;
  int status;
  if (need > (size_t)-1 / 4) return CONVK_ERR_OVERFLOW;
  status = convk_trial_work_(t, need + results);
  if (status) return status;
  memset(&system, 0, sizeof system);
  memset(&walkers, 0, sizeof walkers);
  system.particles = t->entry.nx;
  system.potential = convk_hfdb();
  system.trial.p5 = 120;
  walkers.walkers = t->entry.ny;
  *result = t->array[1];
  return CONVK_TYPED_(pair_energy)(&t->hw, &system, &walkers, 0, (const CONVK_T *)t->array[0], (convk_pair_result *)t->work,
                                   (CONVK_T *)t->array[1], (char *)t->work + results, need);
}

CONVK_ACROSS_ int CONVK_PRIVATE_(trial_pairs)(convk_trial_ *t) {
  const size_t most = (size_t)1 << 26;
  const convk_grid3 *g = &t->shape.grid;
  t->entry.nx = g->nx;
  t->entry.ny = g->ny;
  t->entry.nz = 1;
  t->entry.length = 1;
  if (!g->nx || !g->ny) return CONVK_ERR_SIZE;
  if (g->nx > (size_t)1 << 20 || g->ny > most / g->nx) return CONVK_ERR_OVERFLOW;
  t->bytes = 3 * sizeof(CONVK_T) * g->nx * g->ny;
  t->fill = CONVK_PRIVATE_(trial_pairs_fill);
  t->run = CONVK_PRIVATE_(trial_pairs_run);
  return CONVK_OK;
}
#endif
CONVK_COMPILED_OPERATIONS_(CONVK_OP_DRIVER_)

#elif CONVK_PASS_ == CONVK_PASS_KERNEL_ || CONVK_PASS_ == CONVK_PASS_ELEMENT_
#define CONVK_IS_KERNEL_ (CONVK_PASS_ == CONVK_PASS_KERNEL_)
#if CONVK_IS_KERNEL_ && CONVK_LANES == 1
/* ---- src/words/scalar_functions.h ---- */
/* Words that are no operators in C. */
#if CONVK_HAS_VMATH_ || CONVK_HAS_GAUSSIAN_ || CONVK_HAS_FORMFACTOR_ || CONVK_HAS_FFT_ || CONVK_HAS_VMC_
/* By statements: under -ffast-math clang 14 takes a conditional expression's operands for numbers that are never NaN, wherever
   it stands. */
CONVK_INLINE_ CONVK_T CONVK_KERNEL_(min)(CONVK_T a, CONVK_T b) {
  if (a < b) return a;
  return b;
}
CONVK_INLINE_ CONVK_T CONVK_KERNEL_(max)(CONVK_T a, CONVK_T b) {
  if (a > b) return a;
  return b;
}
CONVK_INLINE_ CONVK_T CONVK_KERNEL_(less)(CONVK_T a, CONVK_T b, CONVK_T x, CONVK_T y) {
  if (a < b) return x;
  return y;
}
CONVK_INLINE_ CONVK_UNSIGNED_ CONVK_KERNEL_(int)(CONVK_T a) {
  CONVK_UNSIGNED_ i;
  memcpy(&i, &a, sizeof i);
  return i;
}
CONVK_INLINE_ CONVK_T CONVK_KERNEL_(real)(CONVK_UNSIGNED_ i) {
  CONVK_T a;
  memcpy(&a, &i, sizeof a);
  return a;
}
#endif
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_SEPCONV_
/* ---- src/sepconv/kernel.h ---- */

/* A vector, or its first elements. */
CONVK_INLINE_ CONVK_V CONVK_KERNEL_(sepconv_get)(const CONVK_T *p, int partial, size_t left) {
  return partial ? CONVK_LOADK_(p, left) : CONVK_LOAD_(p);
}

CONVK_INLINE_ void CONVK_KERNEL_(sepconv_set)(CONVK_T *p, CONVK_V v, int partial, size_t left, int stream) {
  if (partial) CONVK_STOREK_(p, v, left);
  else if (stream) CONVK_STREAM_(p, v);
  else CONVK_STORE_(p, v);
}

/* A tile of `columns`, outputs x vectors, for outputs <= ntaps: each vector is loaded once, and a tap serves as many
   multiplications as there are vectors.  partial: one vector, with `left` elements. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_columns_tile)(int outputs, int vectors, const CONVK_T *const *rows, size_t ntaps,
                                                       const CONVK_T *taps, size_t i, CONVK_T *const *out, int partial,
                                                       size_t left, int stream) {
  CONVK_V sum[8][4], x[4];
  size_t k;
  int r, t, c;
  CONVK_UNROLL_
  for (r = 0; r < outputs; r++) {
    CONVK_UNROLL_
    for (c = 0; c < vectors; c++) x[c] = CONVK_KERNEL_(sepconv_get)(rows[r] + i + c * CONVK_LANES, partial, left);
    CONVK_UNROLL_
    for (t = 0; t <= r; t++) {
      const CONVK_V f = CONVK_SET_(taps[r - t]);
      CONVK_UNROLL_
      for (c = 0; c < vectors; c++) sum[t][c] = r == t ? CONVK_MUL_(f, x[c]) : CONVK_FMA_(f, x[c], sum[t][c]);
    }
  }
  for (k = (size_t)outputs; k < ntaps; k++) {
    CONVK_UNROLL_
    for (c = 0; c < vectors; c++) x[c] = CONVK_KERNEL_(sepconv_get)(rows[k] + i + c * CONVK_LANES, partial, left);
    CONVK_UNROLL_
    for (t = 0; t < outputs; t++) {
      const CONVK_V f = CONVK_SET_(taps[k - (size_t)t]);
      CONVK_UNROLL_
      for (c = 0; c < vectors; c++) sum[t][c] = CONVK_FMA_(f, x[c], sum[t][c]);
    }
  }
  CONVK_UNROLL_
  for (r = 0; r < outputs; r++) { /* they end one after the other */
    if (r) {
      CONVK_UNROLL_
      for (c = 0; c < vectors; c++)
        x[c] = CONVK_KERNEL_(sepconv_get)(rows[ntaps - 1 + (size_t)r] + i + c * CONVK_LANES, partial, left);
    }
    CONVK_UNROLL_
    for (t = r ? r : outputs; t < outputs; t++) {
      const CONVK_V f = CONVK_SET_(taps[ntaps - 1 + (size_t)r - (size_t)t]);
      CONVK_UNROLL_
      for (c = 0; c < vectors; c++) sum[t][c] = CONVK_FMA_(f, x[c], sum[t][c]);
    }
    CONVK_UNROLL_
    for (c = 0; c < vectors; c++) CONVK_KERNEL_(sepconv_set)(out[r] + i + c * CONVK_LANES, sum[r][c], partial, left, stream);
  }
}

#if CONVK_TILE_16_
/* A tile for 16 taps, which stay in registers: eight outputs of one vector. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_columns_16)(const CONVK_T *const *rows, const CONVK_V *taps, size_t i,
                                                     CONVK_T *const *out, int stream) {
  CONVK_V sum[8];
  int r, t;
  CONVK_UNROLL_
  for (r = 0; r < 8 + 15; r++) {
    const CONVK_V x = CONVK_LOAD_(rows[r] + i);
    CONVK_UNROLL_
    for (t = 0; t < 8; t++) {
      if (r == t) sum[t] = CONVK_MUL_(taps[0], x);
      if (r > t && r < t + 16) sum[t] = CONVK_FMA_(taps[r - t], x, sum[t]);
      if (r == t + 15) CONVK_KERNEL_(sepconv_set)(out[t] + i, sum[t], 0, 0, stream);
    }
  }
}
#endif

/* Two outputs, four vectors wide: with few registers, vectors that multiplications take from memory beat tiles of loaded ones. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_columns_pair)(const CONVK_T *const *rows, size_t ntaps, const CONVK_T *taps, size_t i,
                                                       CONVK_T *const *out, int stream) {
  CONVK_V f = CONVK_SET_(taps[0]), s[4], t[4];
  size_t k;
  int c;
  CONVK_UNROLL_
  for (c = 0; c < 4; c++) {
    s[c] = CONVK_MUL_(f, CONVK_LOAD_(rows[0] + i + c * CONVK_LANES));
    t[c] = CONVK_MUL_(f, CONVK_LOAD_(rows[1] + i + c * CONVK_LANES));
  }
  for (k = 1; k < ntaps; k++) {
    f = CONVK_SET_(taps[k]);
    CONVK_UNROLL_
    for (c = 0; c < 4; c++) {
      s[c] = CONVK_FMA_(f, CONVK_LOAD_(rows[k] + i + c * CONVK_LANES), s[c]);
      t[c] = CONVK_FMA_(f, CONVK_LOAD_(rows[k + 1] + i + c * CONVK_LANES), t[c]);
    }
  }
  CONVK_UNROLL_
  for (c = 0; c < 4; c++) {
    CONVK_KERNEL_(sepconv_set)(out[0] + i + c * CONVK_LANES, s[c], 0, 0, stream);
    CONVK_KERNEL_(sepconv_set)(out[1] + i + c * CONVK_LANES, t[c], 0, 0, stream);
  }
}

static void CONVK_KERNEL_(sepconv_columns)(const CONVK_T *const *rows, size_t ntaps, const CONVK_T *taps, size_t n, size_t nout,
                                           CONVK_T *const *out, int stream, convk_fetch_ *fetch) {
  const size_t wide = 4 * CONVK_LANES;
  size_t i, k, t = 0;
  for (k = 0; k < nout; k++)
    if ((uintptr_t)out[k] % 64) stream = 0;
#if CONVK_TILE_16_
  if (ntaps == 16 && n >= CONVK_LANES) {
    CONVK_V f[16];
    convk_fetch_over_(fetch, nout / 8 * (n / CONVK_LANES));
    CONVK_UNROLL_
    for (k = 0; k < 16; k++) f[k] = CONVK_SET_(taps[k]);
    for (; t + 8 <= nout; t += 8)
      for (i = 0; i < n; i += CONVK_LANES) {
        const int whole = i + CONVK_LANES <= n;
        if (fetch) convk_fetch_some_(fetch);
        CONVK_KERNEL_(sepconv_columns_16)(rows + t, f, whole ? i : n - CONVK_LANES, out + t, stream & whole);
      }
  }
#endif
#if CONVK_TILE_OUT_
  convk_fetch_over_(fetch, nout * n / (CONVK_TILE_OUT_ * CONVK_TILE_VEC_ * CONVK_LANES));
  for (; ntaps >= CONVK_TILE_OUT_ && t + CONVK_TILE_OUT_ <= nout; t += CONVK_TILE_OUT_)
    if (n >= CONVK_TILE_VEC_ * CONVK_LANES)
      for (i = 0; i < n; i += CONVK_TILE_VEC_ * CONVK_LANES) { /* the last tile makes some outputs again, the same */
        const int whole = i + CONVK_TILE_VEC_ * CONVK_LANES <= n;
        if (fetch) convk_fetch_some_(fetch);
        CONVK_KERNEL_(sepconv_columns_tile)
        (CONVK_TILE_OUT_, CONVK_TILE_VEC_, rows + t, ntaps, taps, whole ? i : n - CONVK_TILE_VEC_ * CONVK_LANES, out + t, 0, 0,
         stream & whole);
      }
    else
      for (i = 0; i < n; i += CONVK_LANES) CONVK_KERNEL_(sepconv_columns_tile)
  (CONVK_TILE_OUT_, 1, rows + t, ntaps, taps, i, out + t, 1, n - i < CONVK_LANES ? n - i : CONVK_LANES, 0);
#endif
  if (n >= wide && t + 2 <= nout) {
    const size_t first = t, pairs = (nout - t) / 2;
    convk_fetch_over_(fetch, pairs * n / wide);
    t += 2 * pairs;
    for (i = 0; i < n; i += wide) {
      const int whole = i + wide <= n;
      const size_t at = whole ? i : n - wide;
      for (k = 0; k < pairs; k++) {
        if (fetch) convk_fetch_some_(fetch);
        CONVK_KERNEL_(sepconv_columns_pair)(rows + first + 2 * k, ntaps, taps, at, out + first + 2 * k, stream & whole);
      }
    }
  }
  for (; t < nout; t++)
    for (i = 0; i < n; i += CONVK_LANES) CONVK_KERNEL_(sepconv_columns_tile)
  (1, 1, rows + t, ntaps, taps, i, out + t, 1, n - i < CONVK_LANES ? n - i : CONVK_LANES, 0);
  CONVK_LEAVE_
}

/* One vector into what is left of a row. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_put)(CONVK_T *out, CONVK_V v, size_t left) {
  if (left >= CONVK_LANES) CONVK_STORE_(out, v);
  else CONVK_STOREK_(out, v, left);
}

#if CONVK_ROW_ROWS_
/* A strip of `rows` for 16 taps: some rows, of which a vector holds a step of as many as it says, beside each other. */
#define CONVK_STEP_ (CONVK_LANES / CONVK_ROW_BESIDE_)
#define CONVK_REACH_ (16 / CONVK_STEP_)
#define CONVK_GROUPS_ (CONVK_ROW_ROWS_ / CONVK_ROW_BESIDE_)

/* A block of it: window k of a vector, shifted by k, serves the sum that begins here with tap k, and those that began m blocks
   before with tap m steps + k.  here: the vectors of this block, then of the next.  from, to: the first and the last m. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_rows_block)(const CONVK_T *in, size_t pitch_in, const CONVK_V *taps, CONVK_V *here,
                                                     CONVK_V (*sum)[CONVK_GROUPS_], int from, int to) {
  CONVK_V next[CONVK_GROUPS_];
  int k, m, r;
  CONVK_UNROLL_
  for (r = 0; r < CONVK_GROUPS_; r++)
    if (CONVK_ROW_BESIDE_ > 1) next[r] = CONVK_BESIDE_(in + (size_t)(r * CONVK_ROW_BESIDE_) * pitch_in + CONVK_STEP_, pitch_in);
  CONVK_UNROLL_
  for (k = 0; k < CONVK_STEP_; k++) {
    CONVK_UNROLL_
    for (r = 0; r < CONVK_GROUPS_; r++) {
      CONVK_V x = CONVK_WINDOW_(in + (size_t)(r * CONVK_ROW_BESIDE_) * pitch_in, here[r], next[r], k);
      CONVK_KEEP_(x); /* or it is loaded once for each use */
      CONVK_UNROLL_
      for (m = CONVK_REACH_ - 1; m >= 0; m--)
        if (from <= m && m <= to) {
          const CONVK_V f = taps[m * CONVK_STEP_ + k];
          sum[m][r] = m + k == 0 ? CONVK_MUL_(f, x) : CONVK_FMA_(f, x, sum[m][r]);
          CONVK_KEEP_(sum[m][r]);
        }
    }
  }
  CONVK_UNROLL_
  for (r = 0; r < CONVK_GROUPS_; r++)
    if (CONVK_ROW_BESIDE_ > 1) here[r] = next[r];
}

/* The end of a row: what is left of a step. */
CONVK_RARE_ void CONVK_KERNEL_(sepconv_rows_few)(const CONVK_T *steps, CONVK_T *out, size_t pitch_out, size_t left) {
  size_t i, r;
  for (r = 0; r < CONVK_ROW_BESIDE_; r++)
    for (i = 0; i < left; i++) out[r * pitch_out + i] = steps[r * CONVK_STEP_ + i];
}

/* A step of each row is complete; the other sums grow older. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_rows_store)(CONVK_V (*sum)[CONVK_GROUPS_], CONVK_T *out, size_t pitch_out,
                                                     size_t left) {
  int m, r;
  CONVK_UNROLL_
  for (r = 0; r < CONVK_GROUPS_; r++) {
    const CONVK_V v = sum[CONVK_REACH_ - 1][r];
    CONVK_T *to = out + (size_t)(r * CONVK_ROW_BESIDE_) * pitch_out;
    if (CONVK_ROW_BESIDE_ == 1) {
      CONVK_KERNEL_(sepconv_put)(to, v, left);
    } else if (left >= CONVK_STEP_) {
      CONVK_STORE_BESIDE_(to, pitch_out, v);
    } else {
      CONVK_T steps[CONVK_LANES];
      CONVK_STORE_(steps, v);
      CONVK_KERNEL_(sepconv_rows_few)(steps, to, pitch_out, left);
    }
  }
  CONVK_UNROLL_
  for (m = CONVK_REACH_ - 1; m > 0; m--) {
    CONVK_UNROLL_
    for (r = 0; r < CONVK_GROUPS_; r++) sum[m][r] = sum[m - 1][r];
  }
}

/* A strip from end to end.  A function of its own, or registers for addresses run out. */
CONVK_RARE_ void CONVK_KERNEL_(sepconv_rows_strip)(const CONVK_T *in, size_t pitch_in, const CONVK_T *taps, size_t n,
                                                   CONVK_T *out, size_t pitch_out) {
  CONVK_V sum[CONVK_REACH_][CONVK_GROUPS_], f[16], here[CONVK_GROUPS_];
  size_t i;
  int j, m, r;
  CONVK_UNROLL_
  for (j = 0; j < 16; j++) f[j] = CONVK_SET_(taps[j]);
  CONVK_UNROLL_
  for (r = 0; r < CONVK_GROUPS_; r++)
    if (CONVK_ROW_BESIDE_ > 1) here[r] = CONVK_BESIDE_(in + (size_t)(r * CONVK_ROW_BESIDE_) * pitch_in, pitch_in);
  CONVK_UNROLL_
  for (j = 0; j < CONVK_REACH_ - 1; j++) {
    CONVK_KERNEL_(sepconv_rows_block)(in + j * CONVK_STEP_, pitch_in, f, here, sum, 0, j);
    CONVK_UNROLL_
    for (m = j + 1; m > 0; m--) {
      CONVK_UNROLL_
      for (r = 0; r < CONVK_GROUPS_; r++) sum[m][r] = sum[m - 1][r];
    }
  }
  in += 16 - CONVK_STEP_;
  for (i = 0; i + 16 - CONVK_STEP_ < n; i += CONVK_STEP_) {
    CONVK_REREAD_(f);
    CONVK_KERNEL_(sepconv_rows_block)(in + i, pitch_in, f, here, sum, 0, CONVK_REACH_ - 1);
    CONVK_KERNEL_(sepconv_rows_store)(sum, out + i, pitch_out, CONVK_STEP_);
  }
  CONVK_UNROLL_
  for (j = 1; j < CONVK_REACH_; j++) { /* nothing begins any more */
    CONVK_KERNEL_(sepconv_rows_block)(in + i, pitch_in, f, here, sum, j, CONVK_REACH_ - 1);
    CONVK_KERNEL_(sepconv_rows_store)(sum, out + i, pitch_out, i < n ? n - i : 0);
    i += CONVK_STEP_;
  }
}
#endif

/* Any number of taps: four rows, two vectors wide; a window serves both vectors where it lies in the reach of both. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_rows_tile)(const CONVK_T *const *in, size_t ntaps, const CONVK_T *taps, size_t i,
                                                    size_t left, CONVK_T *const *out) {
  CONVK_V s[4], t[4];
  size_t p;
  int r;
  CONVK_UNROLL_
  for (r = 0; r < 4; r++) {
    s[r] = CONVK_MUL_(CONVK_SET_(taps[0]), CONVK_LOAD_(in[r] + i));
    t[r] = CONVK_SET_(0);
  }
  for (p = 1; p < ntaps && p < CONVK_LANES; p++) {
    const CONVK_V f = CONVK_SET_(taps[p]);
    CONVK_UNROLL_
    for (r = 0; r < 4; r++) s[r] = CONVK_FMA_(f, CONVK_LOAD_(in[r] + i + p), s[r]);
  }
  if (left > CONVK_LANES) {
    CONVK_UNROLL_
    for (r = 0; r < 4; r++) t[r] = CONVK_MUL_(CONVK_SET_(taps[0]), CONVK_LOAD_(in[r] + i + CONVK_LANES));
  }
  if (ntaps > CONVK_LANES) {
    CONVK_UNROLL_
    for (r = 0; r < 4; r++) s[r] = CONVK_FMA_(CONVK_SET_(taps[CONVK_LANES]), CONVK_LOAD_(in[r] + i + CONVK_LANES), s[r]);
  }
  for (p = CONVK_LANES + 1; p < ntaps; p++) {
    const CONVK_V f = CONVK_SET_(taps[p]), g = CONVK_SET_(taps[p - CONVK_LANES]);
    CONVK_UNROLL_
    for (r = 0; r < 4; r++) {
      const CONVK_V x = CONVK_LOAD_(in[r] + i + p);
      s[r] = CONVK_FMA_(f, x, s[r]);
      t[r] = CONVK_FMA_(g, x, t[r]);
    }
  }
  if (left > CONVK_LANES)
    for (; p < ntaps + CONVK_LANES; p++) {
      const CONVK_V g = CONVK_SET_(taps[p - CONVK_LANES]);
      CONVK_UNROLL_
      for (r = 0; r < 4; r++) t[r] = CONVK_FMA_(g, CONVK_LOAD_(in[r] + i + p), t[r]);
    }
  CONVK_UNROLL_
  for (r = 0; r < 4; r++) {
    CONVK_KERNEL_(sepconv_put)(out[r] + i, s[r], left);
    if (left > CONVK_LANES) CONVK_KERNEL_(sepconv_put)(out[r] + i + CONVK_LANES, t[r], left - CONVK_LANES);
  }
}

static void CONVK_KERNEL_(sepconv_rows)(const CONVK_T *in, size_t pitch_in, size_t ntaps, const CONVK_T *taps, size_t n,
                                        size_t nrows, CONVK_T *out, size_t pitch_out) {
  size_t i, k, r = 0;
#if CONVK_ROW_ROWS_
  if (ntaps == 16 && nrows >= CONVK_ROW_ROWS_)
    for (; r < nrows; r += CONVK_ROW_ROWS_) { /* the last strip makes some rows again, the same */
      const size_t at = r + CONVK_ROW_ROWS_ <= nrows ? r : nrows - CONVK_ROW_ROWS_;
      CONVK_KERNEL_(sepconv_rows_strip)(in + at * pitch_in, pitch_in, taps, n, out + at * pitch_out, pitch_out);
    }
#undef CONVK_STEP_
#undef CONVK_REACH_
#undef CONVK_GROUPS_
#endif
  for (; r < nrows; r += 4) {
    const CONVK_T *x[4];
    CONVK_T *y[4];
    for (k = 0; k < 4; k++) {
      const size_t at = r + k < nrows ? r + k : nrows - 1;
      x[k] = in + at * pitch_in;
      y[k] = out + at * pitch_out;
    }
    for (i = 0; i < n; i += 2 * CONVK_LANES) CONVK_KERNEL_(sepconv_rows_tile)(x, ntaps, taps, i, n - i, y);
  }
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(sepconv_fence)(void) { CONVK_FENCE_; }

static void CONVK_KERNEL_(sepconv_copy)(const CONVK_T *in, CONVK_T *out, size_t pitch, size_t n, size_t nrows) {
  size_t i, r;
  for (i = 0; i < n; i += CONVK_LANES) {
    const size_t left = n - i < CONVK_LANES ? n - i : CONVK_LANES;
    for (r = 0; r < nrows; r++)
      CONVK_STOREK_(out + r * pitch + i, in ? CONVK_LOADK_(in + r * pitch + i, left) : CONVK_SET_(0), left);
  }
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(sepconv_transpose)(const CONVK_T *in, size_t ld_in, size_t n, size_t nrows, CONVK_T *out,
                                             size_t ld_out) {
  size_t i, j;
  int k;
  for (j = 0; j < nrows; j += CONVK_LANES) {
    const size_t left = nrows - j < CONVK_LANES ? nrows - j : CONVK_LANES;
    const int whole = left == CONVK_LANES && n >= CONVK_LANES;
    for (i = 0; whole && i < n; i += CONVK_LANES) { /* the last square makes some columns again, the same */
      const size_t at = i + CONVK_LANES <= n ? i : n - CONVK_LANES;
      CONVK_V v[CONVK_LANES];
#ifdef CONVK_TRANSPOSE_FROM_
      const CONVK_T *row[CONVK_LANES];
      CONVK_UNROLL_
      for (k = 0; k < CONVK_LANES; k++) row[k] = in + (j + (size_t)k) * ld_in + at;
      CONVK_TRANSPOSE_FROM_(row, v);
#else
      CONVK_UNROLL_
      for (k = 0; k < CONVK_LANES; k++) v[k] = CONVK_LOAD_(in + (j + (size_t)k) * ld_in + at);
      CONVK_TRANSPOSE_(v);
#endif
      CONVK_UNROLL_
      for (k = 0; k < CONVK_LANES; k++) CONVK_STORE_(out + (at + (size_t)k) * ld_out + j, v[k]);
    }
    for (i = whole ? n : 0; i < n; i++) {
      size_t q;
      for (q = 0; q < left; q++) out[i * ld_out + j + q] = CONVK_ONE_(in + (j + q) * ld_in + i);
    }
  }
  CONVK_LEAVE_
}

/* Sums over one row keep 16 lanes, element i in lane i mod 16, whatever the vectors are; then a fixed tree. */
CONVK_INLINE_ double CONVK_KERNEL_(sepconv_tree)(CONVK_D *lanes) {
  double s[CONVK_DLANES_];
  int i, h;
  CONVK_UNROLL_
  for (h = 8; h >= CONVK_DLANES_; h /= 2) {
    CONVK_UNROLL_
    for (i = 0; i < h / CONVK_DLANES_; i++) lanes[i] = CONVK_DADD_(lanes[i], lanes[i + h / CONVK_DLANES_]);
  }
  CONVK_DSTORE_(s, lanes[0]);
  CONVK_UNROLL_
  for (h = CONVK_DLANES_ / 2; h > 0; h /= 2) {
    CONVK_UNROLL_
    for (i = 0; i < h; i++) s[i] += s[i + h];
  }
  return s[0];
}

/* The sum of a[i] b[i] over one row, or of potential[i] b[i] b[i] where there is no a. */
static double CONVK_KERNEL_(sepconv_sum)(const CONVK_T *a, const CONVK_T *potential, const CONVK_T *b, size_t n) {
  enum { CONVK_PARTS_ = CONVK_LANES / CONVK_DLANES_, CONVK_SUMS_ = 16 / CONVK_DLANES_ };
  CONVK_D sum[CONVK_SUMS_], lanes[CONVK_SUMS_];
  size_t i, c, h, j;
  CONVK_UNROLL_
  for (j = 0; j < CONVK_SUMS_; j++) sum[j] = CONVK_DZERO_;
  for (i = 0; i + 16 <= n; i += 16) {
    CONVK_UNROLL_
    for (j = 0; j < CONVK_SUMS_; j += CONVK_PARTS_) {
      const size_t at = i + j * CONVK_DLANES_;
      const CONVK_V v = CONVK_LOAD_(b + at), u = a ? CONVK_LOAD_(a + at) : CONVK_MUL_(CONVK_LOAD_(potential + at), v);
      CONVK_UNROLL_
      for (h = 0; h < CONVK_PARTS_; h++) sum[j + h] = CONVK_DFMA_(CONVK_DPART_(u, h), CONVK_DPART_(v, h), sum[j + h]);
    }
  }
  CONVK_UNROLL_
  for (j = 0; j < CONVK_SUMS_; j++) lanes[j] = sum[j];
  for (c = 0; i < n; i += CONVK_LANES) { /* these are found by their number, and lie in memory */
    const size_t left = n - i < CONVK_LANES ? n - i : CONVK_LANES;
    const CONVK_V v = CONVK_LOADK_(b + i, left);
    const CONVK_V u = a ? CONVK_LOADK_(a + i, left) : CONVK_MUL_(CONVK_LOADK_(potential + i, left), v);
    for (h = 0; h < CONVK_PARTS_; h++, c++) lanes[c] = CONVK_DFMA_(CONVK_DPART_(u, h), CONVK_DPART_(v, h), lanes[c]);
  }
  return CONVK_KERNEL_(sepconv_tree)(lanes);
}

/* What the epilogue does to a vector, but for sums. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_finish_some)(const CONVK_TYPED_(epilogue) *epilogue, const CONVK_T *r,
                                                      const CONVK_T *potential, CONVK_T *density, CONVK_T *out, size_t ahead,
                                                      int stream, int partial, size_t left) {
  const CONVK_V v = CONVK_KERNEL_(sepconv_get)(r, partial, left);
  CONVK_V w = v;
  if (density) {
    const CONVK_V d =
        CONVK_FMA_(CONVK_SET_(epilogue->density_factor), CONVK_MUL_(v, v), CONVK_KERNEL_(sepconv_get)(density, partial, left));
    CONVK_PREFETCH_((uintptr_t)density + ahead);
    CONVK_KERNEL_(sepconv_set)(density, d, partial, left, 0);
  }
  if (potential) {
    CONVK_PREFETCH_((uintptr_t)potential + ahead);
    w = CONVK_MUL_(CONVK_KERNEL_(sepconv_get)(potential, partial, left), v);
  }
  if (!out) return;
  if (epilogue->update) {
    CONVK_PREFETCH_((uintptr_t)out + ahead);
    w = CONVK_FMA_(CONVK_SET_(epilogue->a), w,
                   CONVK_MUL_(CONVK_SET_(epilogue->b), CONVK_KERNEL_(sepconv_get)(out, partial, left)));
  }
  CONVK_KERNEL_(sepconv_set)(out, w, partial, left, stream);
}

static void CONVK_KERNEL_(sepconv_finish)(const CONVK_TYPED_(epilogue) *epilogue, size_t offset, size_t pitch, size_t n,
                                          size_t nrows, const CONVK_T *r, const CONVK_T *x, size_t pitch_x, CONVK_T *out,
                                          double *dot, double *energy, size_t ahead, int stream) {
  const CONVK_T *potential = epilogue->potential ? epilogue->potential + offset : NULL;
  CONVK_T *density = epilogue->density ? epilogue->density + offset : NULL;
  size_t k, i;
  for (k = 0; k < nrows; k++) {
    const int past = stream && !epilogue->update && (uintptr_t)out % 64 == 0;
    if (dot) dot[k] = CONVK_KERNEL_(sepconv_sum)(x + k * pitch_x, NULL, r, n);
    if (energy) energy[k] = CONVK_KERNEL_(sepconv_sum)(NULL, potential, r, n);
    for (i = 0; i < n; i += CONVK_LANES) {
      CONVK_T *to = out ? out + i : NULL, *dense = density ? density + i : NULL;
      const CONVK_T *from = potential ? potential + i : NULL;
      if (i + CONVK_LANES <= n) {
        CONVK_KERNEL_(sepconv_finish_some)(epilogue, r + i, from, dense, to, ahead, past, 0, 0);
      } else {
        CONVK_KERNEL_(sepconv_finish_some)(epilogue, r + i, from, dense, to, ahead, 0, 1, n - i);
      }
    }
    r += n;
    if (potential) potential += pitch;
    if (density) density += pitch;
    if (out) out += pitch;
  }
  CONVK_LEAVE_
}

CONVK_LOCAL_ const CONVK_PRIVATE_(sepconv_kernels) *CONVK_KERNEL_(sepconv_kernels)(void) {
  static const CONVK_PRIVATE_(sepconv_kernels) kernels = {CONVK_KERNEL_(sepconv_columns),   CONVK_KERNEL_(sepconv_fence),
                                                          CONVK_KERNEL_(sepconv_rows),      CONVK_KERNEL_(sepconv_copy),
                                                          CONVK_KERNEL_(sepconv_transpose), CONVK_KERNEL_(sepconv_finish)};
  return &kernels;
}
#endif
#if CONVK_HAS_STENCIL_
/* ---- src/stencil/element.h ---- */
/* A point from the weights c, itself and its neighbours: the one order of evaluation. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(stencil_value)(const CONVK_V *c, CONVK_V m, CONVK_V xm, CONVK_V xp, CONVK_V ym, CONVK_V yp,
                                                    CONVK_V zm, CONVK_V zp, const int isotropic) {
  CONVK_V s = CONVK_MUL_(c[0], m);
  if (isotropic) return CONVK_FMA_(c[1], CONVK_ADD_(CONVK_ADD_(CONVK_ADD_(xm, xp), CONVK_ADD_(ym, yp)), CONVK_ADD_(zm, zp)), s);
  s = CONVK_FMA_(c[1], xm, s);
  s = CONVK_FMA_(c[2], xp, s);
  s = CONVK_FMA_(c[3], ym, s);
  s = CONVK_FMA_(c[4], yp, s);
  s = CONVK_FMA_(c[5], zm, s);
  return CONVK_FMA_(c[6], zp, s);
}
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_STENCIL_
/* ---- src/stencil/kernel.h ---- */

/* k points at i of rows of one plane, their neighbours in x at `left` and `right` of them: down the rows, so that each is loaded
   once for itself and its neighbours in y.  whole: k is LANES. */
CONVK_INLINE_ void CONVK_KERNEL_(stencil_column)(const CONVK_PRIVATE_(stencil_part) *part, const CONVK_V *weights,
                                                 const CONVK_T *const *in, CONVK_T *out, const size_t *in_pitch, size_t nrows,
                                                 size_t i, size_t k, ptrdiff_t left, ptrdiff_t right, int whole,
                                                 int isotropic) {
  const CONVK_T *zm = in[0] + i, *m = in[1] + i, *zp = in[2] + i, *ym = m + part->row_minus;
  const ptrdiff_t plus = part->row_plus;
  const size_t zm_pitch = in_pitch[0], m_pitch = in_pitch[1], zp_pitch = in_pitch[2], out_pitch = part->out_pitch;
  CONVK_V c[7], before = whole ? CONVK_LOAD_(ym) : CONVK_LOADK_(ym, k), v = whole ? CONVK_LOAD_(m) : CONVK_LOADK_(m, k);
  size_t p;
  out += i;
  CONVK_UNROLL_
  for (p = 0; p < 7; p++) c[p] = weights[p];
  for (; nrows; nrows--) {
    const CONVK_V after = whole ? CONVK_LOAD_(m + plus) : CONVK_LOADK_(m + plus, k);
    const CONVK_V xm = whole ? CONVK_BEFORE_(m, CONVK_SET_(CONVK_ONE_(m + left)), v) : CONVK_LOADK_(m + left, k);
    const CONVK_V xp = whole ? CONVK_AFTER_(m, v, CONVK_SET_(CONVK_ONE_(m + CONVK_LANES))) : CONVK_LOADK_(m + right, k);
    const CONVK_V below = whole ? CONVK_LOAD_(zm) : CONVK_LOADK_(zm, k), above = whole ? CONVK_LOAD_(zp) : CONVK_LOADK_(zp, k);
    const CONVK_V s = CONVK_KERNEL_(stencil_value)(c, v, xm, xp, before, after, below, above, isotropic);
    if (whole) CONVK_STORE_(out, s);
    else CONVK_STOREK_(out, s, k);
    before = v;
    v = after;
    zm += zm_pitch;
    m += m_pitch;
    zp += zp_pitch;
    out += out_pitch;
  }
}

/* Parts of vectors: k points at i of nrows rows of each plane. */
CONVK_RARE_ void CONVK_KERNEL_(stencil_points)(const CONVK_PRIVATE_(stencil_part) *part, const CONVK_V *c,
                                               const CONVK_T *const *in, CONVK_T *const *out, const size_t *in_pitch,
                                               size_t nplanes, size_t nrows, size_t i, size_t k, ptrdiff_t left,
                                               ptrdiff_t right) {
  size_t p;
  if (part->isotropic)
    for (p = 0; p < nplanes; p++)
      CONVK_KERNEL_(stencil_column)(part, c, in + p, out[p], in_pitch + p, nrows, i, k, left, right, 0, 1);
  else
    for (p = 0; p < nplanes; p++)
      CONVK_KERNEL_(stencil_column)(part, c, in + p, out[p], in_pitch + p, nrows, i, k, left, right, 0, 0);
}

/* Whether parts of vectors are loaded and stored as fast as whole ones: by masks.  Elsewhere the last vector of a row begins early
   and repeats some points. */
#define CONVK_PARTS_ (sizeof(CONVK_V) == 64)

/* Short rows, in columns of vectors. */
CONVK_RARE_ void CONVK_KERNEL_(stencil_narrow)(const CONVK_PRIVATE_(stencil_part) *part, const CONVK_V *c) {
  const size_t n = part->n, whole = n / CONVK_LANES, columns = whole + (n % CONVK_LANES != 0);
  size_t x, p;
  for (p = 0; p < part->nplanes; p++)
    for (x = 0; x < columns; x++) {
      const CONVK_T *const *in = part->in + p;
      const size_t *pitch = part->in_pitch + p;
      const size_t i = x < whole || !whole || CONVK_PARTS_ ? x * CONVK_LANES : n - CONVK_LANES;
      const int fills = whole && i + CONVK_LANES <= n;
      CONVK_T *out = part->out[p];
      if (fills && part->isotropic)
        CONVK_KERNEL_(stencil_column)(part, c, in, out, pitch, part->nrows, i, CONVK_LANES, -1, 1, 1, 1);
      else if (fills) CONVK_KERNEL_(stencil_column)(part, c, in, out, pitch, part->nrows, i, CONVK_LANES, -1, 1, 1, 0);
      else CONVK_KERNEL_(stencil_points)(part, c, in, part->out + p, pitch, 1, part->nrows, i, n - i, -1, 1);
    }
}

/* Whole vectors from i to `end` of a row of each plane.  Every vector of a plane is loaded once for itself and its neighbours in x
   and z. */
CONVK_INLINE_ void CONVK_KERNEL_(stencil_run)(const CONVK_PRIVATE_(stencil_part) *part, const CONVK_V *weights,
                                              const CONVK_T *const *from, CONVK_T *const *to, size_t i, size_t end,
                                              const CONVK_T *fetch, const int nplanes, int isotropic, int stream) {
  /* copies that no store can change, so that they are not loaded again and again */
  const ptrdiff_t minus = part->row_minus, plus = part->row_plus;
  const size_t ahead = part->ahead, nfetch = part->nfetch, fetch_plane = part->fetch_plane;
  const CONVK_T *in[CONVK_STENCIL_PLANES_ + 2];
  CONVK_T *out[CONVK_STENCIL_PLANES_];
  CONVK_V c[7], before[CONVK_STENCIL_PLANES_], now[CONVK_STENCIL_PLANES_];
  int p;
  CONVK_UNROLL_
  for (p = 0; p < 7; p++) c[p] = weights[p];
  CONVK_UNROLL_
  for (p = 0; p < nplanes + 2; p++) in[p] = from[p];
  CONVK_UNROLL_
  for (p = 0; p < nplanes; p++) out[p] = to[p];
  CONVK_UNROLL_
  for (p = 0; p < nplanes; p++) {
    before[p] = CONVK_SET_(CONVK_ONE_(in[p + 1] + (ptrdiff_t)i - 1)); /* only its last element counts */
    now[p] = CONVK_LOAD_(in[p + 1] + i);
  }
  for (; i < end; i += CONVK_LANES) {
    CONVK_V below = CONVK_LOAD_(in[0] + i);
    if (nfetch && i * sizeof(CONVK_T) % 64 < sizeof(CONVK_V)) {
      /* memory is at work while the caches are: a line at a time, since more at once than it takes is lost or waited for */
      uintptr_t at = (uintptr_t)(fetch + i);
      size_t k = nfetch;
      do {
        CONVK_PREFETCH_(at);
        at += fetch_plane * sizeof(CONVK_T);
      } while (--k);
    }
    if (ahead) {
      CONVK_UNROLL_
      for (p = 2; p < nplanes + 2; p++) { /* planes that are new here: near ones into L1, far ones nearer */
        const uintptr_t at = (uintptr_t)(in[p] + i) + (ahead + (p <= nplanes ? (uintptr_t)plus : 0)) * sizeof(CONVK_T);
        CONVK_PREFETCH_L1_(at);
        CONVK_PREFETCH_(at + 3 * ahead * sizeof(CONVK_T));
      }
    }
    CONVK_UNROLL_
    for (p = 0; p < nplanes; p++) {
      const CONVK_T *m = in[p + 1] + i;
      const CONVK_V next = CONVK_LOAD_(m + CONVK_LANES), v = now[p];
      const CONVK_V above = p + 1 < nplanes ? now[p + 1] : CONVK_LOAD_(in[p + 2] + i);
      const CONVK_V s = CONVK_KERNEL_(stencil_value)(c, v, CONVK_BEFORE_(m, before[p], v), CONVK_AFTER_(m, v, next),
                                                     CONVK_LOAD_(m + minus), CONVK_LOAD_(m + plus), below, above, isotropic);
      if (stream) CONVK_STREAM_(out[p] + i, s);
      else CONVK_STORE_(out[p] + i, s);
      below = before[p] = v;
      now[p] = next;
    }
  }
}

CONVK_INLINE_ void CONVK_KERNEL_(stencil_past)(const CONVK_T *from, CONVK_T *to, size_t n) {
  size_t i = (64 - (uintptr_t)to % 64) % 64 / sizeof(CONVK_T);
  if (i > n || (uintptr_t)to % sizeof(CONVK_T)) i = n;
  memcpy(to, from, i * sizeof *to); /* at any alignment, which a loop of assignments does not promise */
  for (; i + CONVK_LANES <= n; i += CONVK_LANES) CONVK_STREAM_(to + i, CONVK_LOAD_(from + i));
  memcpy(to + i, from + i, (n - i) * sizeof *to);
}

/* The same for the numbers of planes and ways of storing that there are: a function of its own, which has the registers to
   itself, and so that what surrounds a row is compiled once. */
CONVK_RARE_ void CONVK_KERNEL_(stencil_row)(const CONVK_PRIVATE_(stencil_part) *part, const CONVK_V *c,
                                            const CONVK_T *const *in, CONVK_T *const *out, size_t i, size_t end, size_t nplanes,
                                            int stream, const CONVK_T *fetch) {
  if (nplanes == 1) CONVK_KERNEL_(stencil_run)(part, c, in, out, i, end, fetch, 1, part->isotropic, 0);
  else if (!part->isotropic) CONVK_KERNEL_(stencil_run)(part, c, in, out, i, end, fetch, CONVK_STENCIL_PLANES_, 0, stream);
  else if (stream) CONVK_KERNEL_(stencil_run)(part, c, in, out, i, end, fetch, CONVK_STENCIL_PLANES_, 1, 1);
  else CONVK_KERNEL_(stencil_run)(part, c, in, out, i, end, fetch, CONVK_STENCIL_PLANES_, 1, 0);
}

/* The rows of nplanes planes, in strips of x.  stream: past the cache; staged: the same by way of the stage, for rows that lie
   differently to lines of the cache. */
CONVK_INLINE_ void CONVK_KERNEL_(stencil_planes)(const CONVK_PRIVATE_(stencil_part) *part, const CONVK_V *c, size_t first,
                                                 const size_t nplanes, int stream, int staged) {
  const size_t line = stream ? 64 : sizeof(CONVK_V), wrap = part->left != -1, begin = wrap;
  const size_t end = part->n - (part->right != (ptrdiff_t)part->n && part->n > begin);
  const size_t strip = staged ? part->n : part->strip;
  const size_t most = part->over ? end : end + 1 > CONVK_LANES ? end + 1 - CONVK_LANES : 0; /* to where vectors look ahead */
  size_t y, p, at = begin, i, k, stop, safe;
  do {
    const CONVK_T *in[CONVK_STENCIL_PLANES_ + 2];
    CONVK_T *out[CONVK_STENCIL_PLANES_], *stage[CONVK_STENCIL_PLANES_];
    const CONVK_T *fetch = part->fetch;
    for (p = 0; p < nplanes + 2; p++) in[p] = part->in[first + p];
    for (p = 0; p < nplanes; p++) {
      out[p] = part->out[first + p];
      stage[p] = (CONVK_T *)((uintptr_t)part->stage + p * part->stage_pitch * sizeof *stage[p]); /* there may be none */
    }
    for (y = 0; y < part->nrows; y++) {
      CONVK_T *const *to = staged ? stage : out;
      const size_t odd = (line - (uintptr_t)(to[0] + begin) % line) % line / sizeof(CONVK_T);
      i = at + odd;
      stop = i + strip < end ? i + strip : end;
      if (at == begin) {
        if (begin) CONVK_KERNEL_(stencil_points)
        (part, c, in, to, part->in_pitch + first, nplanes, 1, 0, 1, part->left, part->n > 1 ? 1 : part->right);
        for (i = begin; i < begin + odd && i < end; i += k) {
          k = (begin + odd < end ? begin + odd : end) - i;
          if (k > CONVK_LANES) k = CONVK_LANES;
          CONVK_KERNEL_(stencil_points)(part, c, in, to, part->in_pitch + first, nplanes, 1, i, k, -1, 1);
        }
      }
      safe = stop < most ? stop : most;
      if (i + CONVK_LANES <= safe) {
        k = (safe - i) / CONVK_LANES * CONVK_LANES;
        CONVK_KERNEL_(stencil_row)(part, c, in, to, i, i + k, nplanes, stream, fetch);
        i += k;
      }
      if (i < stop && !CONVK_PARTS_ && part->over && stop - begin >= CONVK_LANES) {
        CONVK_KERNEL_(stencil_row)(part, c, in, to, stop - CONVK_LANES, stop, nplanes, 0, fetch);
        i = stop;
      }
      for (; i < stop; i += k) {
        k = stop - i < CONVK_LANES ? stop - i : CONVK_LANES;
        CONVK_KERNEL_(stencil_points)(part, c, in, to, part->in_pitch + first, nplanes, 1, i, k, -1, 1);
      }
      if (stop == end && end < part->n) CONVK_KERNEL_(stencil_points)
      (part, c, in, to, part->in_pitch + first, nplanes, 1, end, 1, -1, part->right - (ptrdiff_t)end);
      CONVK_UNROLL_
      for (p = 0; p < nplanes + 2; p++) {
        in[p] += part->in_pitch[first + p];
        CONVK_SCALAR_(in[p]); /* they are read one by one soon: 10 to 20% of short rows in avx512 */
      }
      CONVK_UNROLL_
      for (p = 0; p < nplanes; p++) {
        if (staged) CONVK_KERNEL_(stencil_past)(stage[p], out[p], part->n);
        out[p] += part->out_pitch;
        CONVK_SCALAR_(out[p]);
      }
      if (part->nfetch) fetch += part->fetch_pitch;
    }
    at += strip;
  } while (at < end);
}

static void CONVK_KERNEL_(stencil_rows)(const CONVK_PRIVATE_(stencil_part) *part) {
  CONVK_V c[7];
  size_t p;
  int direct = part->stream && (uintptr_t)part->out[0] % sizeof(CONVK_T) == 0;
  for (p = 1; p < part->nplanes; p++) direct &= !(((uintptr_t)part->out[p] ^ (uintptr_t)part->out[0]) % 64);
  c[0] = CONVK_SET_(part->c.centre);
  c[1] = CONVK_SET_(part->c.x_minus);
  c[2] = CONVK_SET_(part->c.x_plus);
  c[3] = CONVK_SET_(part->c.y_minus);
  c[4] = CONVK_SET_(part->c.y_plus);
  c[5] = CONVK_SET_(part->c.z_minus);
  c[6] = CONVK_SET_(part->c.z_plus);
  if (part->n <= 192 / sizeof(CONVK_T) && part->left == -1 && part->right == (ptrdiff_t)part->n && !part->stream)
    CONVK_KERNEL_(stencil_narrow)(part, c);
  else if (part->nplanes == CONVK_STENCIL_PLANES_)
    CONVK_KERNEL_(stencil_planes)(part, c, 0, CONVK_STENCIL_PLANES_, direct, part->stream && !direct);
  else
    for (p = 0; p < part->nplanes; p++) CONVK_KERNEL_(stencil_planes)(part, c, p, 1, 0, part->stream);
  CONVK_LEAVE_
}

#undef CONVK_PARTS_

static void CONVK_KERNEL_(stencil_fence)(void) { CONVK_FENCE_; }

CONVK_LOCAL_ const CONVK_PRIVATE_(stencil_kernels) *CONVK_KERNEL_(stencil_kernels)(void) {
  static const CONVK_PRIVATE_(stencil_kernels) kernels = {CONVK_KERNEL_(stencil_rows), CONVK_KERNEL_(stencil_fence)};
  return &kernels;
}
#endif
#if CONVK_HAS_VMATH_ || CONVK_HAS_GAUSSIAN_ || CONVK_HAS_FORMFACTOR_ || CONVK_HAS_VMC_
/* ---- src/vmath/element.h ---- */
/* ---- src/vmath/exponential.h ---- */
#define CONVK_LN2_HIGH_ CONVK_OF_(0.69314575f, 0.6931471805598903) /* 16 and 42 digits: exact times any exponent */
#define CONVK_LN2_LOW_ CONVK_OF_(1.4286068e-06f, 5.497923018708371e-14)

/* ---- exponential functions ----
   x = n ln 2 + r with |r| <= ln(2) / 2 and e^x = 2^n e^r.  n is rounded by adding a number so large that its last place is 1,
   which leaves n, raised by twice the bias of an exponent, in the last bits of the sum t.  ln 2 is a high part of few digits,
   whose product with n is exact, and a low part. */
#define CONVK_EXP_SHIFT_ CONVK_OF_(12582912.f + 254, 6755399441055744. + 2046)
/* ---- src/vmath/coefficients.h ---- */
/* Coefficients of the elementary functions, for every hardware; vmath/element.h says how they are used. */
/* q in e^r = 1 + r + r^2 q(r), of least relative error in e^r: 2^-28.0, 2^-57.4 */
#define CONVK_EXP_f32_ {0.5f, 0.16666535f, 0.041667253f, 0.008367437f, 0.001386244f}
#define CONVK_EXP_f64_ \
  {0.5, 0.16666666666666433, 0.04166666666660385, 0.008333333333500474, 0.0013888888926846977, 0.00019841269465427288, \
   2.4801508611977955e-05, 2.7557641403757263e-06, 2.762521746654722e-07, 2.4978269934212973e-08}
/* -P, of least relative error in log: 2^-28.4, 2^-62.0 */
#define CONVK_LOG_f32_ {-0.6666695f, -0.39957657f, -0.30364498f}
#define CONVK_LOG_f64_ \
  {-0.666666666666666, -0.4000000000005668, -0.2857142855582595, -0.22222224296956575, -0.18181665833183142, \
   -0.15391113694823702, -0.13173566154296737, -0.13843270058453327}
/* (sin r - r) / r^3 and (1 - r^2 / 2 - cos r) / r^4 in powers of r^2, of least relative error: 2^-27.7 and 2^-32.6, with some
   reserve since n may be rounded wrong; 2^-57.9 and 2^-63.9 */
#define CONVK_SIN_f32_ {-0.16666654f, 0.008332098f, -0.00019506115f}
#define CONVK_SIN_f64_ \
  {-0.1666666666666663, 0.00833333333332184, -0.00019841269829358525, 2.7557313538512193e-06, -2.505073438876402e-08, \
   1.589543325076407e-10}
#define CONVK_COS_f32_ {-0.04166664f, 0.001388713f, -2.4412086e-05f}
#define CONVK_COS_f64_ \
  {-0.041666666666666595, 0.0013888888888873342, -2.480158728900208e-05, 2.7557314217038855e-07, -2.087570539602684e-09, \
   1.1358749239682113e-11}
/* pi / 2 in parts, of all digits, or of so few that products with an n are exact */
#define CONVK_HALF_PI_f32_ {1.5707964f, -4.371139e-08f, -1.7151245e-15f}
#define CONVK_HALF_PI_f64_ {1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33}
#define CONVK_HALF_PI_CUT_f32_ {1.5707963267923333, 2.563344151594519e-12}
#define CONVK_HALF_PI_CUT_f64_ \
  {1.570796251296997, 7.549789415861596e-08, 5.39030083589187e-15, 2.0222659584103533e-21, 2.9038559739793605e-28}

#define CONVK_TOGETHER_ 4 /* most vectors of a step */

/* n and t of each x, and what is left in `high` before the low part of ln 2 is subtracted. */
CONVK_ELEMENT_ void CONVK_KERNEL_(vexp_reduce)(const CONVK_V *x, CONVK_V shift, CONVK_V *n, CONVK_V *t, CONVK_V *high,
                                               const int count) {
  const CONVK_V log2e = CONVK_SET_(CONVK_OF_(1.442695f, 1.4426950408889634));
  int i;
  CONVK_EACH_(i, count) t[i] = CONVK_FMA_(x[i], log2e, shift);
  CONVK_EACH_(i, count) n[i] = CONVK_SUB_(t[i], shift);
  CONVK_EACH_(i, count) high[i] = CONVK_FMA_(n[i], CONVK_SET_(-CONVK_LN2_HIGH_), x[i]);
}

/* p = q(r) of each without its first so many terms, divided by their power of r. */
CONVK_ELEMENT_ void CONVK_KERNEL_(vexp_poly)(const CONVK_V *r, CONVK_V *p, const int first, const int count) {
  CONVK_CONSTANT_ CONVK_T q[] = CONVK_TABLE_(EXP);
  int i, k = CONVK_COUNT_(q) - 1;
  CONVK_EACH_(i, count) p[i] = CONVK_SET_(q[k]);
  CONVK_UNROLL_
  for (k--; k >= first; k--) {
    CONVK_EACH_(i, count) p[i] = CONVK_FMA_(r[i], p[i], CONVK_SET_(q[k]));
  }
}

/* v 2^n in two factors, so that all n with a result have factors. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(vscale)(CONVK_V v, CONVK_V n, CONVK_V t) {
#ifdef CONVK_SCALE_
  (void)t;
  return CONVK_SCALE_(v, n);
#else
  const CONVK_V first = CONVK_SHR_(t, 1), rest = CONVK_ISUB_(t, first);
  (void)n;
  return CONVK_MUL_(CONVK_MUL_(v, CONVK_SHL_(first, CONVK_FRACTION_)), CONVK_SHL_(rest, CONVK_FRACTION_));
#endif
}

/* p = e^r = 1 + r + r^2 q(r) of each. */
CONVK_ELEMENT_ void CONVK_KERNEL_(vexp_near)(const CONVK_V *r, CONVK_V *p, const int count) {
  const CONVK_V one = CONVK_SET_(1);
  int i;
  CONVK_KERNEL_(vexp_poly)(r, p, 0, count);
#if CONVK_FUSES_
  CONVK_EACH_(i, count) p[i] = CONVK_FMA_(r[i], p[i], one);
  CONVK_EACH_(i, count) p[i] = CONVK_FMA_(r[i], p[i], one);
#else /* one rounding less of 1 */
  CONVK_EACH_(i, count) p[i] = CONVK_FMA_(CONVK_MUL_(r[i], r[i]), p[i], r[i]);
  CONVK_EACH_(i, count) p[i] = CONVK_ADD_(one, p[i]);
#endif
}

/* e^x of each as p 2^n.  Where the scaling takes any n, infinite or NaN too, it is enough to keep r small. */
CONVK_ELEMENT_ void CONVK_KERNEL_(vexp_parts)(CONVK_V *x, CONVK_V *p, CONVK_V *n, CONVK_V *t, const int count) {
  CONVK_V r[CONVK_TOGETHER_];
  int i;
#ifndef CONVK_SCALE_
  const CONVK_V least = CONVK_SET_(CONVK_OF_(-104, -746)), most = CONVK_SET_(CONVK_OF_(89, 710));
  CONVK_EACH_(i, count) x[i] = CONVK_MAX_(least, CONVK_MIN_(most, x[i]));
#endif
  CONVK_KERNEL_(vexp_reduce)(x, CONVK_SET_(CONVK_EXP_SHIFT_), n, t, r, count);
  CONVK_EACH_(i, count) r[i] = CONVK_FMA_(n[i], CONVK_SET_(-CONVK_LN2_LOW_), r[i]);
#ifdef CONVK_SCALE_
  CONVK_EACH_(i, count) r[i] = CONVK_NEARER_(r[i], CONVK_SET_(1));
#endif
  CONVK_KERNEL_(vexp_near)(r, p, count);
}

CONVK_ELEMENT_ void CONVK_KERNEL_(vexp_of)(CONVK_V *x, const int count) {
  CONVK_V n[CONVK_TOGETHER_], t[CONVK_TOGETHER_], p[CONVK_TOGETHER_];
  int i;
  CONVK_KERNEL_(vexp_parts)(x, p, n, t, count);
  CONVK_EACH_(i, count) x[i] = CONVK_KERNEL_(vscale)(p[i], n[i], t[i]);
}

CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(vexp)(CONVK_V x) {
  CONVK_KERNEL_(vexp_of)(&x, 1);
  return x;
}

/* e^x - 1 = 2^n (1 - 2^-n + r + r^2 q(r)) of each.  1 - 2^-n = a + b is a sum of two parts, and so is that with r and r^2 / 2,
   in which also counts what r has lost: near x = ln(2) / 2 half is subtracted of what rounds. */
CONVK_ELEMENT_ void CONVK_KERNEL_(vexpm1_of)(CONVK_V *x, const int count) {
  const CONVK_V one = CONVK_SET_(1), a_half = CONVK_SET_((CONVK_T)0.5f), low = CONVK_SET_(-CONVK_LN2_LOW_);
  const CONVK_V least = CONVK_SET_(CONVK_OF_(-18, -38)), most = CONVK_SET_(CONVK_OF_(89, 710));
  CONVK_V n[CONVK_TOGETHER_], t[CONVK_TOGETHER_], r[CONVK_TOGETHER_], p[CONVK_TOGETHER_], a[CONVK_TOGETHER_];
  CONVK_V b[CONVK_TOGETHER_], h[CONVK_TOGETHER_], l[CONVK_TOGETHER_], high[CONVK_TOGETHER_], r2[CONVK_TOGETHER_];
  CONVK_V s[CONVK_TOGETHER_];
  int i;
  CONVK_EACH_(i, count) s[i] = CONVK_AND_(x[i], CONVK_SIGN_); /* the result's, also of zeros */
  CONVK_EACH_(i, count) x[i] = CONVK_MAX_(least, CONVK_MIN_(most, x[i]));
  CONVK_KERNEL_(vexp_reduce)(x, CONVK_SET_(CONVK_EXP_SHIFT_), n, t, high, count);
  CONVK_EACH_(i, count) r[i] = CONVK_FMA_(n[i], low, high[i]);
  CONVK_EACH_(i, count) {
    CONVK_V v = CONVK_ISUB_(CONVK_SET_((CONVK_T)-0.25f), CONVK_SHL_(t[i], CONVK_FRACTION_));
    v = CONVK_MAX_(CONVK_SET_(0), v); /* 2^-n, but 0 for the last two n */
    a[i] = CONVK_SUB_(one, v);
    b[i] = CONVK_SUB_(CONVK_SUB_(one, a[i]), v); /* 0 where v > 1 */
  }
  CONVK_EACH_(i, count) h[i] = CONVK_ADD_(a[i], high[i]);
  CONVK_EACH_(i, count) r2[i] = CONVK_MUL_(r[i], r[i]);
  CONVK_EACH_(i, count) l[i] = CONVK_ADD_(CONVK_ADD_(CONVK_SUB_(a[i], h[i]), high[i]), b[i]);
  CONVK_KERNEL_(vexp_poly)(r, p, 1, count);
  CONVK_EACH_(i, count) l[i] = CONVK_FMA_(n[i], low, l[i]);
  CONVK_EACH_(i, count) l[i] = CONVK_FMA_(r[i], CONVK_FMA_(n[i], low, CONVK_SUB_(high[i], r[i])), l[i]);
  CONVK_EACH_(i, count) a[i] = h[i];
  CONVK_EACH_(i, count) h[i] = CONVK_FMA_(r2[i], a_half, a[i]);
  CONVK_EACH_(i, count) l[i] = CONVK_ADD_(l[i], CONVK_FMA_(r2[i], a_half, CONVK_SUB_(a[i], h[i])));
  CONVK_EACH_(i, count) l[i] = CONVK_FMA_(CONVK_MUL_(r2[i], r[i]), p[i], l[i]);
  CONVK_EACH_(i, count) x[i] = CONVK_OR_(CONVK_KERNEL_(vscale)(CONVK_ADD_(h[i], l[i]), n[i], t[i]), s[i]);
}

CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(vexpm1)(CONVK_V x) {
  CONVK_KERNEL_(vexpm1_of)(&x, 1);
  return x;
}

/* The sum of c[k] x^k for k < count, even and odd powers apart: half as long a wait for one multiplication more. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(vpoly)(CONVK_V x, CONVK_V x2, const CONVK_T *c, const int count) {
  CONVK_V even = CONVK_SET_(c[(count - 1) & ~1]), odd = CONVK_SET_(c[(count - 2) | 1]);
  int k;
  CONVK_UNROLL_
  for (k = ((count - 1) & ~1) - 2; k >= 0; k -= 2) even = CONVK_FMA_(x2, even, CONVK_SET_(c[k]));
  CONVK_UNROLL_
  for (k = ((count - 2) | 1) - 2; k >= 0; k -= 2) odd = CONVK_FMA_(x2, odd, CONVK_SET_(c[k]));
  return CONVK_FMA_(x, odd, even);
}

/* ---- logarithm ----
   x = 2^k m with 3/4 <= m < 3/2, f = m - 1, s = f / (2 + f): log(1 + f) = 2 s + s z P(z) with z = s^2
   = f - (f^2 / 2 - s (f^2 / 2 + z P(z))), in which f is exact and all else is small.  k ln 2 + f is kept in two parts. */

/* m and k of positive x. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(vsplit)(CONVK_V x, CONVK_V *k) {
#ifdef CONVK_MANTISSA_
  const CONVK_V m = CONVK_MANTISSA_(x);
  *k = CONVK_SUB_(CONVK_EXPONENT_(x), CONVK_EXPONENT_(m));
  return m;
#else
  const CONVK_V least = CONVK_BITS_OF_(0x00800000, 0x0010000000000000); /* normal number */
  const CONVK_V big = CONVK_SET_(CONVK_OF_(8388608, 4503599627370496.)); /* whose last place is 1 */
  const CONVK_V more = CONVK_SET_(CONVK_OF_(33554432, 18014398509481984.));
  const CONVK_V bias = CONVK_SET_(CONVK_OF_(8388608.f + 126, 4503599627370496. + 1022));
  const CONVK_V bias_more = CONVK_SET_(CONVK_OF_(8388608.f + 126 + 25, 4503599627370496. + 1022 + 54));
  const CONVK_V y = CONVK_LESS_(x, least, CONVK_MUL_(x, more), x);
  /* the exponent of what is 1/4 of a binade lower, counted from that of 1/2 */
  const CONVK_V e = CONVK_SHR_(CONVK_ISUB_(y, CONVK_BITS_OF_(0x00400000, 0x0008000000000000)), CONVK_FRACTION_);
  *k = CONVK_SUB_(CONVK_OR_(e, big), CONVK_LESS_(x, least, bias_more, bias));
  return CONVK_IADD_(CONVK_ISUB_(y, CONVK_SHL_(e, CONVK_FRACTION_)), CONVK_SET_((CONVK_T)0.5f));
#endif
}

CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(vlog)(CONVK_V x) {
  CONVK_CONSTANT_ CONVK_T p[] = CONVK_TABLE_(LOG);
  CONVK_V k, m = CONVK_KERNEL_(vsplit)(x, &k), f, s, z, w, g, h, l;
#ifndef CONVK_LOG_ENDS_
  const CONVK_V zero = CONVK_SET_(0), infinite = CONVK_INFINITE_;
#endif
  f = CONVK_SUB_(m, CONVK_SET_(1));
  s = CONVK_DIV_(f, CONVK_SUB_(CONVK_SET_(-1), m)); /* -s */
  z = CONVK_MUL_(s, s);
  w = CONVK_MUL_(CONVK_SET_((CONVK_T)-0.5f), f);
  h = CONVK_FMA_(k, CONVK_SET_(CONVK_LN2_HIGH_), f);
  l = CONVK_SUB_(f, CONVK_FMA_(k, CONVK_SET_(-CONVK_LN2_HIGH_), h));
  l = CONVK_FMA_(w, f, CONVK_FMA_(k, CONVK_SET_(CONVK_LN2_LOW_), l));
  g = CONVK_FMA_(z, CONVK_KERNEL_(vpoly)(z, CONVK_MUL_(z, z), p, CONVK_COUNT_(p)), CONVK_MUL_(w, f));
  h = CONVK_ADD_(h, CONVK_FMA_(s, g, l));
#ifdef CONVK_LOG_ENDS_
  return CONVK_LOG_ENDS_(h, x);
#else
  /* 0 and what is negative; then infinity and NaN */
  l = CONVK_LESS_(x, zero, CONVK_BITS_OF_(0xffc00000, 0xfff8000000000000), CONVK_XOR_(infinite, CONVK_SIGN_));
  return CONVK_LESS_(x, infinite, CONVK_LESS_(zero, x, h, l), CONVK_ADD_(x, x));
#endif
}

/* ---- sine and cosine ----
   x = n pi/2 + r + lo with |r| <= pi/4.  pi/2 is cut into parts: the first subtract exactly, the next leave a difference and its
   rounding error, the last one's own rounding does not count.  Fused, a part has all digits, and its product with n is known in
   two parts; else so few that products with n, of 17 (f32) or 30 (f64) digits, are exact; f32 then uses doubles. */
#define CONVK_SINCOS_FAR_ CONVK_OF_(131072, 1073741824)

/* r and lo of x = n pi/2 + r + lo, for x up to the limit. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(vreduce)(CONVK_V x, CONVK_V n, CONVK_V *lo) {
#if CONVK_FUSES_
  CONVK_CONSTANT_ CONVK_T part[] = CONVK_TABLE_(HALF_PI);
  const CONVK_V next = CONVK_SET_(-part[1]), high = CONVK_FMA_(n, CONVK_SET_(-part[0]), x);
  CONVK_V p = CONVK_MUL_(n, CONVK_SET_(part[1])), r, e;
  CONVK_KEEP_(p); /* a product that compilers must not fuse */
  r = CONVK_SUB_(high, p);
  e = CONVK_ADD_(CONVK_SUB_(CONVK_SUB_(high, r), p), CONVK_FMA_(n, next, p));
  *lo = CONVK_FMA_(n, CONVK_SET_(-part[2]), e);
  return r;
#else
  static const double part[] = CONVK_TABLE_(HALF_PI_CUT);
  const size_t last = sizeof part / sizeof *part - 1, parts = CONVK_LANES / CONVK_DLANES_;
  CONVK_V r = x, next, e;
  size_t k;
  if (sizeof(CONVK_T) == sizeof(float)) {
    CONVK_D d[CONVK_LANES / CONVK_DLANES_];
    CONVK_UNROLL_
    for (k = 0; k < parts; k++) {
      const CONVK_D m = CONVK_DPART_(n, k);
      d[k] = CONVK_DFMA_(m, CONVK_DSET_(-part[1]), CONVK_DFMA_(m, CONVK_DSET_(-part[0]), CONVK_DPART_(x, k)));
    }
    r = CONVK_JOIN_(d);
    CONVK_UNROLL_
    for (k = 0; k < parts; k++) d[k] = CONVK_DFMA_(CONVK_DPART_(r, k), CONVK_DSET_(-1), d[k]);
    *lo = CONVK_JOIN_(d);
    return r;
  }
  *lo = CONVK_SET_(0);
  CONVK_UNROLL_
  for (k = 0; k < last; k++) {
    const CONVK_V p = CONVK_SET_((CONVK_T)-part[k]);
    next = CONVK_FMA_(n, p, r);
    if (k >= 2) {
      e = CONVK_FMA_(n, p, CONVK_SUB_(r, next));
      *lo = k == 2 ? e : CONVK_ADD_(*lo, e);
    }
    r = next;
  }
  *lo = CONVK_FMA_(n, CONVK_SET_((CONVK_T)-part[last]), *lo);
  return r;
#endif
}

/* n pi/2 + r + lo = x for 0 <= x up to the limit; n in the last bits of the result. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(vreduce_near)(CONVK_V x, CONVK_V *r, CONVK_V *lo) {
  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));
  const CONVK_V t = CONVK_FMA_(x, CONVK_SET_(CONVK_OF_(0.63661975f, 0.6366197723675814)), shift);
  *r = CONVK_KERNEL_(vreduce)(x, CONVK_SUB_(t, shift), lo);
  return t;
}

/* The same for finite elements beyond the limit, of v = x, n, r, lo. */
CONVK_ELEMENT_RARE_ void CONVK_KERNEL_(vreduce_far)(CONVK_V *v) {
  const CONVK_UNSIGNED_ limit = CONVK_EITHER_(UINT32_C(0x48000000), UINT64_C(0x41d0000000000000)); /* its bits */
  const CONVK_UNSIGNED_ infinite = CONVK_EITHER_(UINT32_C(0x7f800000), UINT64_C(0x7ff0000000000000));
  CONVK_UNSIGNED_ u[4][CONVK_LANES];
  int i, k;
  for (i = 0; i < 4; i++) CONVK_TO_BITS_(u[i], v[i]);
  for (k = 0; k < CONVK_LANES; k++) {
    uint64_t part[2];
    if (u[0][k] <= limit || u[0][k] >= infinite) continue;
    u[1][k] = CONVK_BOTH_(reduce_far)(u[0][k], CONVK_FRACTION_ + 1, part);
    u[2][k] = (CONVK_UNSIGNED_)part[0];
    u[3][k] = (CONVK_UNSIGNED_)part[1];
  }
  for (i = 1; i < 4; i++) CONVK_FROM_BITS_(v[i], u[i]);
}

/* Of x, where |x| = n pi/2 + r + lo with n in the last bits of t. */
CONVK_ELEMENT_ void CONVK_KERNEL_(vsincos_of)(CONVK_V x, CONVK_V t, CONVK_V r, CONVK_V lo, CONVK_V *sine, CONVK_V *cosine) {
  CONVK_CONSTANT_ CONVK_T s[] = CONVK_TABLE_(SIN), c[] = CONVK_TABLE_(COS);
  const CONVK_V one = CONVK_SET_(1), sign = CONVK_SIGN_;
  CONVK_V z, z2, h, e, p, q, odd, swap, flip;
  z = CONVK_MUL_(r, r);
  z2 = CONVK_MUL_(z, z);
  /* 1 - z / 2 is h - e; cos(r + lo) has - r lo too, and sin(r + lo) almost lo h */
  h = CONVK_FMA_(z, CONVK_SET_((CONVK_T)-0.5f), one);
  e = CONVK_FMA_(r, lo, CONVK_FMA_(z, CONVK_SET_((CONVK_T)0.5f), CONVK_SUB_(h, one)));
  q = CONVK_SUB_(h, CONVK_FMA_(z2, CONVK_KERNEL_(vpoly)(z, z2, c, CONVK_COUNT_(c)), e));
  lo = CONVK_MUL_(lo, h);
  p = CONVK_ADD_(r, CONVK_FMA_(CONVK_MUL_(z, r), CONVK_KERNEL_(vpoly)(z, z2, s, CONVK_COUNT_(s)), lo));
  /* odd quadrants swap the two; the sine is negative in the last two, the cosine in the middle two */
  odd = CONVK_ISUB_(CONVK_SET_(0), CONVK_AND_(t, CONVK_BITS_(1)));
  swap = CONVK_AND_(CONVK_XOR_(p, q), odd);
  flip = CONVK_SHL_(t, CONVK_EITHER_(30, 62));
  *sine = CONVK_XOR_(CONVK_XOR_(p, swap), CONVK_AND_(CONVK_XOR_(flip, x), sign));
  *cosine = CONVK_XOR_(CONVK_XOR_(q, swap), CONVK_AND_(CONVK_XOR_(flip, CONVK_SHL_(t, CONVK_EITHER_(31, 63))), sign));
}

CONVK_ELEMENT_ void CONVK_KERNEL_(vsincos)(CONVK_V x, CONVK_V *sine, CONVK_V *cosine) {
  const CONVK_V a = CONVK_XOR_(x, CONVK_AND_(x, CONVK_SIGN_)); /* |x|: so a zero keeps its sign */
  CONVK_V r, lo, t = CONVK_KERNEL_(vreduce_near)(a, &r, &lo);
  if (CONVK_UNLIKELY_(CONVK_ANY_LESS_(CONVK_SET_(CONVK_SINCOS_FAR_), a))) {
    CONVK_V v[4];
    v[0] = a;
    v[1] = t;
    v[2] = r;
    v[3] = lo;
    CONVK_KERNEL_(vreduce_far)(v);
    t = v[1];
    r = v[2];
    lo = v[3];
  }
  CONVK_KERNEL_(vsincos_of)(x, t, r, lo, sine, cosine);
}
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_VMATH_
/* ---- src/vmath/kernel.h ---- */
/* Processors take a hundred cycles and more for an operation that sees or makes a subnormal number, or 0 instead of one, so that
   arguments with such results take a way without any.  Others need not know of it: the check costs one operation. */

/* Whether an element of any is less than this. */
CONVK_INLINE_ int CONVK_KERNEL_(any_less)(const CONVK_V *x, CONVK_V than, const int count) {
  CONVK_V least = x[0];
  int k;
  CONVK_UNROLL_
  for (k = 1; k < count; k++) least = CONVK_MIN_(least, x[k]);
  return CONVK_ANY_LESS_(least, than) != 0;
}

#define CONVK_EXPM1_TINY_ CONVK_OF_(9.094947e-13f, 7.8886090522101181e-31) /* 2^-40, 2^-100 */
#define CONVK_EXP_NORMAL_ CONVK_OF_(-87.33654f, -708.3964185322641)        /* the least argument with a normal result */

/* e^x of `count` vectors.  Where it is below the smallest normal number, p 2^n is multiplied by as much as makes that 2^23 or
   2^52; added to the same number it is rounded to a whole number, which is what the bits of the result are. */
CONVK_INLINE_ void CONVK_KERNEL_(exp_small_of)(CONVK_V *v, const int count) {
  const CONVK_V least = CONVK_SET_(CONVK_OF_(-104, -746)), normal = CONVK_SET_(CONVK_EXP_NORMAL_);
  const CONVK_V whole = CONVK_SET_(CONVK_OF_(8388608, 4503599627370496.)), up = CONVK_SET_(CONVK_OF_(149, 1074));
  CONVK_V x[CONVK_TOGETHER_], p[CONVK_TOGETHER_], n[CONVK_TOGETHER_], t[CONVK_TOGETHER_], more[CONVK_TOGETHER_];
  int i;
  CONVK_EACH_(i, count) x[i] = v[i] = CONVK_MAX_(least, v[i]);
  CONVK_KERNEL_(vexp_parts)(x, p, n, t, count);
  CONVK_EACH_(i, count) more[i] = CONVK_LESS_(v[i], normal, up, CONVK_SET_(0));
  CONVK_EACH_(i, count) p[i] = CONVK_KERNEL_(vscale)(p[i], CONVK_ADD_(n[i], more[i]), CONVK_ADD_(t[i], more[i]));
  CONVK_EACH_(i, count) v[i] = CONVK_LESS_(v[i], normal, CONVK_ISUB_(CONVK_ADD_(p[i], whole), whole), p[i]);
}

/* A vector, or what there is of one. */
CONVK_INLINE_ CONVK_V CONVK_KERNEL_(vector_load)(const CONVK_T *x, size_t n) {
  return n < CONVK_LANES ? CONVK_LOADK_(x, n) : CONVK_LOAD_(x);
}
CONVK_INLINE_ void CONVK_KERNEL_(vector_store)(CONVK_T *y, size_t n, CONVK_V v) {
  if (n < CONVK_LANES) CONVK_STOREK_(y, v, n);
  else CONVK_STORE_(y, v);
}

/* A block, or what there is of one: 0 beyond. */
CONVK_INLINE_ void CONVK_KERNEL_(block_load)(const CONVK_T *x, size_t n, CONVK_V *v) {
  int k;
  CONVK_EACH_(k, CONVK_TOGETHER_) {
    const size_t at = (size_t)k * CONVK_LANES;
    v[k] = n >= at + CONVK_LANES ? CONVK_LOAD_(x + at) : n > at ? CONVK_LOADK_(x + at, n - at) : CONVK_SET_(0);
  }
}
CONVK_INLINE_ void CONVK_KERNEL_(block_store)(CONVK_T *y, size_t n, const CONVK_V *v) {
  int k;
  CONVK_EACH_(k, CONVK_TOGETHER_) {
    const size_t at = (size_t)k * CONVK_LANES;
    if (n >= at + CONVK_LANES) CONVK_STORE_(y + at, v[k]);
    else if (n > at) CONVK_STOREK_(y + at, v[k], n - at);
  }
}

/* Some blocks, of which the first has such results and the next ones may, or less than a block; where they end. */
CONVK_RARE_ size_t CONVK_KERNEL_(exp_small)(const CONVK_T *x, CONVK_T *y, size_t n) {
  enum { BLOCK = CONVK_TOGETHER_ * CONVK_LANES };
  CONVK_V v[CONVK_TOGETHER_];
  size_t i;
  for (i = 0; i < n && i < 8 * BLOCK; i += BLOCK) {
    CONVK_KERNEL_(block_load)(x + i, n - i, v);
    CONVK_KERNEL_(exp_small_of)(v, CONVK_TOGETHER_);
    CONVK_KERNEL_(block_store)(y + i, n - i, v);
  }
  return i;
}

static void CONVK_KERNEL_(exp_many)(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n) {
  enum { BLOCK = CONVK_TOGETHER_ * CONVK_LANES };
  size_t i = 0;
  int k;
  (void)z;
  while (i + BLOCK <= n) {
    CONVK_V v[CONVK_TOGETHER_];
    CONVK_EACH_(k, CONVK_TOGETHER_) v[k] = CONVK_LOAD_(x + i + (size_t)k * CONVK_LANES);
    if (CONVK_UNLIKELY_(CONVK_KERNEL_(any_less)(v, CONVK_SET_(CONVK_EXP_NORMAL_), CONVK_TOGETHER_))) {
      i += CONVK_KERNEL_(exp_small)(x + i, y + i, n - i);
      continue;
    }
    CONVK_KERNEL_(vexp_of)(v, CONVK_TOGETHER_);
    CONVK_EACH_(k, CONVK_TOGETHER_) CONVK_STORE_(y + i + (size_t)k * CONVK_LANES, v[k]);
    i += BLOCK;
  }
  for (; i < n; i += CONVK_LANES) { /* few: vector by vector, since most of a block would be for nothing */
    CONVK_V v = CONVK_KERNEL_(vector_load)(x + i, n - i);
    if (CONVK_UNLIKELY_(CONVK_KERNEL_(any_less)(&v, CONVK_SET_(CONVK_EXP_NORMAL_), 1))) {
      (void)CONVK_KERNEL_(exp_small)(x + i, y + i, n - i);
      break;
    }
    CONVK_KERNEL_(vexp_of)(&v, 1);
    CONVK_KERNEL_(vector_store)(y + i, n - i, v);
  }
  CONVK_LEAVE_
}

/* |x| */
CONVK_INLINE_ CONVK_V CONVK_KERNEL_(size_of)(CONVK_V x) {
  return CONVK_AND_(x, CONVK_BITS_OF_(0x7fffffff, 0x7fffffffffffffff));
}

/* Whether an element of any is so small that its square could become subnormal. */
CONVK_INLINE_ int CONVK_KERNEL_(expm1_any_tiny)(const CONVK_V *x, const int count) {
  CONVK_V least = CONVK_SET_(1);
  int k;
#ifdef CONVK_SCALE_
  CONVK_EACH_(k, count) least = CONVK_NEARER_(least, x[k]);
#else
  CONVK_EACH_(k, count) least = CONVK_MIN_(least, CONVK_KERNEL_(size_of)(x[k]));
#endif
  return CONVK_ANY_LESS_(least, CONVK_SET_(CONVK_EXPM1_TINY_)) != 0;
}

/* e^x - 1 of `count` vectors, x itself where it is so small. */
CONVK_INLINE_ void CONVK_KERNEL_(expm1_small_of)(const CONVK_V *v, CONVK_V *x, const int count) {
  const CONVK_V tiny = CONVK_SET_(CONVK_EXPM1_TINY_), zero = CONVK_SET_(0);
  int k;
  CONVK_EACH_(k, count) x[k] = CONVK_LESS_(CONVK_KERNEL_(size_of)(v[k]), tiny, zero, v[k]);
  CONVK_KERNEL_(vexpm1_of)(x, count);
  CONVK_EACH_(k, count) x[k] = CONVK_LESS_(CONVK_KERNEL_(size_of)(v[k]), tiny, v[k], x[k]);
}

/* Some whole blocks, of which the first has such elements and the next ones may; where they end. */
CONVK_RARE_ size_t CONVK_KERNEL_(expm1_small)(const CONVK_T *x, CONVK_T *y, size_t n) {
  enum { BLOCK = CONVK_TOGETHER_ * CONVK_LANES };
  CONVK_V v[CONVK_TOGETHER_], e[CONVK_TOGETHER_];
  size_t i;
  int k;
  for (i = 0; i + BLOCK <= n && i < 8 * BLOCK; i += BLOCK) {
    CONVK_EACH_(k, CONVK_TOGETHER_) v[k] = CONVK_LOAD_(x + i + (size_t)k * CONVK_LANES);
    CONVK_KERNEL_(expm1_small_of)(v, e, CONVK_TOGETHER_);
    CONVK_EACH_(k, CONVK_TOGETHER_) CONVK_STORE_(y + i + (size_t)k * CONVK_LANES, e[k]);
  }
  return i;
}

static void CONVK_KERNEL_(expm1_many)(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n) {
  enum { BLOCK = CONVK_TOGETHER_ * CONVK_LANES };
  size_t i = 0;
  int k;
  (void)z;
  while (i + BLOCK <= n) {
    CONVK_V v[CONVK_TOGETHER_];
    CONVK_EACH_(k, CONVK_TOGETHER_) v[k] = CONVK_LOAD_(x + i + (size_t)k * CONVK_LANES);
    if (CONVK_UNLIKELY_(CONVK_KERNEL_(expm1_any_tiny)(v, CONVK_TOGETHER_))) {
      i += CONVK_KERNEL_(expm1_small)(x + i, y + i, n - i);
      continue;
    }
    CONVK_KERNEL_(vexpm1_of)(v, CONVK_TOGETHER_);
    CONVK_EACH_(k, CONVK_TOGETHER_) CONVK_STORE_(y + i + (size_t)k * CONVK_LANES, v[k]);
    i += BLOCK;
  }
  for (; i < n; i += CONVK_LANES) {
    CONVK_V v = CONVK_KERNEL_(vector_load)(x + i, n - i), e;
    CONVK_KERNEL_(expm1_small_of)(&v, &e, 1);
    CONVK_KERNEL_(vector_store)(y + i, n - i, e);
  }
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(log_many)(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n) {
  size_t i;
  (void)z;
  for (i = 0; i + CONVK_LANES <= n; i += CONVK_LANES) CONVK_STORE_(y + i, CONVK_KERNEL_(vlog)(CONVK_LOAD_(x + i)));
  if (i < n) CONVK_STOREK_(y + i, CONVK_KERNEL_(vlog)(CONVK_LOADK_(x + i, n - i)), n - i);
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(sincos_many)(const CONVK_T *x, CONVK_T *y, CONVK_T *z, size_t n) {
  CONVK_V s, c;
  size_t i;
  for (i = 0; i + CONVK_LANES <= n; i += CONVK_LANES) {
    CONVK_KERNEL_(vsincos)(CONVK_LOAD_(x + i), &s, &c);
    CONVK_STORE_(y + i, s);
    CONVK_STORE_(z + i, c);
  }
  if (i < n) {
    CONVK_KERNEL_(vsincos)(CONVK_LOADK_(x + i, n - i), &s, &c);
    CONVK_STOREK_(y + i, s, n - i);
    CONVK_STOREK_(z + i, c, n - i);
  }
  CONVK_LEAVE_
}

CONVK_LOCAL_ const CONVK_PRIVATE_(vmath_kernels) *CONVK_KERNEL_(vmath_kernels)(void) {
  static const CONVK_PRIVATE_(vmath_kernels) kernels = {
      {CONVK_KERNEL_(exp_many), CONVK_KERNEL_(expm1_many), CONVK_KERNEL_(log_many), CONVK_KERNEL_(sincos_many)}, NULL};
  return &kernels;
}
#endif
#if CONVK_HAS_GAUSSIAN_
/* ---- src/gaussian/element.h ---- */
/* ---- exponentials of products ----
   2^(a s) for a = A + B in two parts: a s = n + f with n the nearest integer to A s, found as in vexp.  A s - n is exact but for
   its last rounding, so that f has lost less than 2^-25 (f32) of a s, however large it is.
   2^f = 1 + f (c1 + f p(f)) with p of least relative error: 2^-27.9, 2^-55.7, most of it from c1 = ln 2.
   Processors take a hundred cycles and more for a number below the smallest normal one, so none is ever made: s is kept to `top`,
   where the result is a little above that number, and what is below the limit, which is a little above that again, becomes 0. */
/* ---- src/gaussian/coefficients.h ---- */
/* p in 2^f = 1 + f (ln 2 + f p(f)), for every hardware */
#define CONVK_EXP2_f32_ {0.240226477f, 0.0555036217f, 0.00961852632f, 0.00133901613f, 0.000153211586f}
#define CONVK_EXP2_f64_ \
  {0.24022650695910119, 0.055504108664821604, 0.0096181291075951077, 0.0013333558146410656, 0.00015403530458701168, \
   1.5252733838879019e-5, 1.3215433539637458e-6, 1.0178057622863296e-7, 7.0741945626130925e-9, 4.4558180309134402e-10}
/* The least results: of a grid potential 1 + 2^-13 times the smallest normal number; terms of sums, which are multiplied by what
   may be less than 1, 2^-102 and 2^-969: as much more as 1 is to its last place; primitives of orbitals, which are multiplied by
   up to four coordinates, each of which may be nothing but a rounding error, 2^-80 and 2^-969. */
#define CONVK_GAUSSIAN_LEAST_ (CONVK_OF_(1.17549435082228751e-38f, 2.2250738585072014e-308) * (CONVK_T)1.0001220703125f)
#define CONVK_GAUSSIAN_LEAST_TERM_ CONVK_OF_(1.9721522630525295e-31f, 2.0041683600089728e-292)
#define CONVK_GAUSSIAN_LEAST_PRIMITIVE_ CONVK_OF_(8.2718061255302767e-25f, 2.0041683600089728e-292)
/* Of the elements of a row: all are 0; some may be below the cutoff, far below the smallest normal number, near the largest. */
#define CONVK_GAUSSIAN_NONE_ 1
#define CONVK_GAUSSIAN_CUT_ 2
#define CONVK_GAUSSIAN_FAR_ 4
#define CONVK_GAUSSIAN_LARGE_ 8

#define CONVK_GAUSSIAN_GROUP_ (CONVK_FUSES_ ? 4 : 1) /* vectors on their way together */
/* p 2^n, where the last bits of t are n, or with CONVK_GAUSSIAN_LARGE_ what vscale wants. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(gaussian_scaled)(CONVK_V p, CONVK_V n, CONVK_V t, int mode) {
  if (CONVK_UNLIKELY_(mode & CONVK_GAUSSIAN_LARGE_)) return CONVK_KERNEL_(vscale)(p, n, t);
  return CONVK_IADD_(p, CONVK_SHL_(t, CONVK_FRACTION_));
}

#define CONVK_GAUSSIAN_SHIFT_(mode) \
  ((mode) & CONVK_GAUSSIAN_LARGE_ ? CONVK_EXP_SHIFT_ : CONVK_OF_(12582912, 6755399441055744.)) /* whose last bits are 0 */

#if !CONVK_FUSES_
/* The first half of the digits of a factor, whose products with such halves are exact. */
#define CONVK_HALF_OF_(v) CONVK_AND_(v, CONVK_BITS_OF_(0xfffff000, 0xfffffffff8000000))

/* What x = a s has lost. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(gaussian_lost)(CONVK_V a, CONVK_V s, CONVK_V x) {
  const CONVK_V ah = CONVK_HALF_OF_(a), al = CONVK_SUB_(a, ah), sh = CONVK_HALF_OF_(s), sl = CONVK_SUB_(s, sh);
  return CONVK_FMA_(al, sl, CONVK_FMA_(al, sh, CONVK_FMA_(ah, sl, CONVK_SUB_(CONVK_MUL_(ah, sh), x))));
}
#endif

/* count vectors g = 2^((a + b) s), in the mul-add class e^(a s) with one multiplication; a, b, top vary (da), or s and lo do (ds).
   more: what s and the product have lost counts, too.  mode: where results may be out of range. */
CONVK_ELEMENT_ void CONVK_KERNEL_(gaussian_some)(const CONVK_V *a, const CONVK_V *b, const CONVK_V *top, const CONVK_V *s,
                                                const CONVK_V *lo, CONVK_V *g, const int count, const int da, const int ds,
                                                int mode, int more) {
  const CONVK_V shift = CONVK_SET_(CONVK_GAUSSIAN_SHIFT_(mode));
  CONVK_V x[CONVK_GAUSSIAN_GROUP_], t[CONVK_GAUSSIAN_GROUP_], n[CONVK_GAUSSIAN_GROUP_], f[CONVK_GAUSSIAN_GROUP_];
  int u;
  CONVK_EACH_(u, count) x[u] = s[u * ds];
  if (mode & (CONVK_GAUSSIAN_FAR_ | CONVK_GAUSSIAN_LARGE_)) {
    CONVK_EACH_(u, count) x[u] = CONVK_MIN_(x[u], top[u * da]);
  }
#if CONVK_FUSES_
  {
    CONVK_CONSTANT_ CONVK_T c[] = CONVK_TABLE_(EXP2);
    const CONVK_V c1 = CONVK_SET_(CONVK_OF_(0.693147182f, 0.69314718055994529)), one = CONVK_SET_(1);
    int k;
    CONVK_EACH_(u, count) {
      t[u] = CONVK_FMA_(a[u * da], x[u], shift);
      n[u] = CONVK_SUB_(t[u], shift);
      f[u] = CONVK_FMS_(a[u * da], x[u], n[u]);
      f[u] = CONVK_FMA_(b[u * da], x[u], f[u]);
    }
    if (more) {
      CONVK_EACH_(u, count) f[u] = CONVK_FMA_(a[u * da], CONVK_LESS_(top[u * da], s[u * ds], CONVK_SET_(0), lo[u * ds]), f[u]);
    }
    CONVK_EACH_(u, count) g[u] = CONVK_SET_(c[CONVK_EITHER_(4, 9)]);
    CONVK_UNROLL_
    for (k = CONVK_EITHER_(3, 8); k >= 0; k--) {
      CONVK_EACH_(u, count) g[u] = CONVK_FMA_(f[u], g[u], CONVK_SET_(c[k]));
    }
    CONVK_EACH_(u, count) g[u] = CONVK_FMA_(f[u], CONVK_FMA_(f[u], g[u], c1), one);
  }
#else
  CONVK_V r[CONVK_GAUSSIAN_GROUP_];
  (void)b;
  CONVK_EACH_(u, count) f[u] = CONVK_MUL_(a[u * da], x[u]);
  CONVK_KERNEL_(vexp_reduce)(f, shift, n, t, r, count);
  CONVK_EACH_(u, count) r[u] = CONVK_FMA_(n[u], CONVK_SET_(-CONVK_LN2_LOW_), r[u]);
  CONVK_KERNEL_(vexp_near)(r, g, count);
  if (more) {
    CONVK_EACH_(u, count) {
      CONVK_V e = CONVK_FMA_(a[u * da], lo[u * ds], CONVK_KERNEL_(gaussian_lost)(a[u * da], x[u], f[u]));
      e = CONVK_FMA_(g[u], e, g[u]);
      g[u] = CONVK_LESS_(top[u * da], s[u * ds], g[u], e);
    }
  }
#endif
  CONVK_EACH_(u, count) g[u] = CONVK_KERNEL_(gaussian_scaled)(g[u], n[u], t[u], mode);
}

/* |v| */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(gaussian_size)(CONVK_V v) {
  return CONVK_AND_(v, CONVK_BITS_OF_(0x7fffffff, 0x7fffffffffffffff));
}

/* A sum of terms which were `scale` times too large: what is less than `least` is 0, which is the smallest normal number times
   the scale, so that the product with its inverse is exact.  It is never -0. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(gaussian_settled)(CONVK_V sum, CONVK_V inverse, CONVK_V least) {
  const CONVK_V zero = CONVK_SET_(0);
  return CONVK_FMA_(CONVK_LESS_(CONVK_KERNEL_(gaussian_size)(sum), least, zero, sum), inverse, zero);
}

/* total + weight v^2; v counts from 2^-51 or 2^-485 on, the square root of the least term. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(gaussian_add_square)(CONVK_V weight, CONVK_V v, CONVK_V total) {
  const CONVK_V least = CONVK_SET_(CONVK_OF_(4.4408920985006262e-16f, 1.0010415475915505e-146));
  v = CONVK_LESS_(CONVK_KERNEL_(gaussian_size)(v), least, CONVK_SET_(0), v);
  return CONVK_FMA_(CONVK_MUL_(weight, v), v, total);
}

/* ---- squared distances ---- */

/* x - c, and what it lost (Knuth). */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(gaussian_minus)(CONVK_V x, CONVK_V c, CONVK_V *lost) {
  const CONVK_V d = CONVK_SUB_(x, c), back = CONVK_SUB_(d, x);
  *lost = CONVK_SUB_(CONVK_SUB_(x, CONVK_SUB_(d, back)), CONVK_ADD_(c, back));
  return d;
}

/* d^2, and what it lost. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(gaussian_square)(CONVK_V d, CONVK_V *lost) {
  CONVK_V h = CONVK_MUL_(d, d);
#if CONVK_FUSES_
  CONVK_KEEP_(h); /* not to be fused with what it is added to */
  *lost = CONVK_FMA_(d, d, CONVK_SUB_(CONVK_SET_(0), h));
#else
  *lost = CONVK_KERNEL_(gaussian_lost)(d, d, h);
#endif
  return h;
}

/* The squared distance of v, three coordinates, from a center in two parts, c[k] and c[3 + k]; v: the differences.  With `more`
   the first parts alone count, and lo is all that the sum of six terms loses, to first order. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(gaussian_distance)(CONVK_V *v, const CONVK_T *c, const int more, CONVK_V *lo) {
  const CONVK_V greatest = CONVK_SET_(CONVK_GREATEST_), smallest = CONVK_SET_(-CONVK_GREATEST_), zero = CONVK_SET_(0);
  CONVK_V h[3], e[3], f, sum, r;
  int k;
  *lo = zero;
  if (!more) {
    CONVK_EACH_(k, 3) {
      v[k] = CONVK_SUB_(CONVK_SUB_(v[k], CONVK_SET_(c[k])), CONVK_SET_(c[3 + k]));
      v[k] = CONVK_MAX_(smallest, CONVK_MIN_(greatest, v[k]));
    }
    r = CONVK_FMA_(v[2], v[2], CONVK_FMA_(v[1], v[1], CONVK_MUL_(v[0], v[0])));
    return CONVK_MIN_(r, greatest);
  }
  CONVK_EACH_(k, 3) {
    v[k] = CONVK_KERNEL_(gaussian_minus)(v[k], CONVK_SET_(c[k]), &f);
    h[k] = CONVK_KERNEL_(gaussian_square)(v[k], &e[k]);
    e[k] = CONVK_FMA_(CONVK_ADD_(v[k], v[k]), f, e[k]);
  }
  sum = CONVK_KERNEL_(gaussian_minus)(h[0], CONVK_SUB_(zero, h[1]), &f);
  f = CONVK_ADD_(f, CONVK_ADD_(e[0], e[1]));
  r = CONVK_KERNEL_(gaussian_minus)(sum, CONVK_SUB_(zero, h[2]), &h[0]);
  f = CONVK_ADD_(f, CONVK_ADD_(e[2], h[0]));
  r = CONVK_MIN_(greatest, r);
  *lo = CONVK_LESS_(r, greatest, f, zero);
  return r;
}
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_GAUSSIAN_
/* ---- src/gaussian/kernel.h ---- */
/* Bounds between which no result is subnormal, 0 or infinite, of a s in powers of 2 or e. */
#define CONVK_PLAIN_LEAST_ (CONVK_FUSES_ ? CONVK_OF_(-125, -1021) : CONVK_OF_(-86.5f, -707.5))
#define CONVK_PLAIN_MOST_ (CONVK_FUSES_ ? CONVK_OF_(126, 1022) : CONVK_OF_(87, 708))

/* What is to be done for elements with a in a[0] .. a[1] and s in s[0] .. s[1]. */
CONVK_INLINE_ int CONVK_KERNEL_(gaussian_mode)(const CONVK_PRIVATE_(gaussian_part) *part, const CONVK_T *a, const CONVK_T *s) {
  const CONVK_T least = a[0] * s[a[0] < 0], most = a[1] * s[a[1] > 0];
  if (most < part->below) return CONVK_GAUSSIAN_NONE_;
  return (least > part->above ? 0 : CONVK_GAUSSIAN_CUT_) | (least >= CONVK_PLAIN_LEAST_ ? 0 : CONVK_GAUSSIAN_FAR_) |
         (most <= CONVK_PLAIN_MOST_ ? 0 : CONVK_GAUSSIAN_LARGE_);
}

/* One vector, of any mode; v: a, b, top, s, lo. */
CONVK_RARE_ CONVK_V CONVK_KERNEL_(gaussian_one)(const CONVK_V *v, CONVK_V cut, int mode, int more) {
  CONVK_V g = CONVK_SET_(0);
  if (mode & CONVK_GAUSSIAN_NONE_) return g;
  CONVK_KERNEL_(gaussian_some)(&v[0], &v[1], &v[2], &v[3], &v[4], &g, 1, 0, 0, mode, more);
  return CONVK_LESS_(g, cut, CONVK_SET_(0), g);
}

/* The first n elements of one row: of point after point for exponent j (ds), or of exponent after exponent for point j (da). */
CONVK_INLINE_ void CONVK_KERNEL_(gaussian_row)(const CONVK_PRIVATE_(gaussian_part) *part, size_t j, size_t n, const int da,
                                               const int ds) {
  enum { U = CONVK_GAUSSIAN_GROUP_ };
  const int more = part->lo != NULL;
  const CONVK_V cut = CONVK_SET_(part->cut), zero = CONVK_SET_(0);
  CONVK_T *out = part->out + j * part->ld, bounds[4];
  CONVK_V a[U], b[U], top[U], s[U], lo[U], g[U], few[5];
  size_t i = 0, head = 0, k;
  int u, stream = part->stream, mode;
  bounds[0] = bounds[1] = part->a[j * (size_t)ds];
  bounds[2] = bounds[3] = part->s[j * (size_t)da];
  if (da) {
    bounds[0] = part->a_least;
    bounds[1] = part->a_most;
    s[0] = CONVK_SET_(part->s[j]);
    lo[0] = more ? CONVK_SET_(part->lo[j]) : zero;
  } else {
    bounds[2] = part->s_least;
    bounds[3] = part->s_most;
    a[0] = CONVK_SET_(part->a[j]);
    b[0] = CONVK_SET_(part->b[j]);
    top[0] = CONVK_SET_(part->top[j]);
  }
  mode = CONVK_KERNEL_(gaussian_mode)(part, bounds, bounds + 2);
  if (stream) {
    head = (64 - (uintptr_t)out % 64) % 64 / sizeof *out;
    if ((uintptr_t)out % sizeof *out) stream = 0, head = 0;
    if (head > n) head = n;
  }
  for (;;) {
    if (i >= head) {
      for (; i + U * CONVK_LANES <= n && !(mode & CONVK_GAUSSIAN_LARGE_); i += U * CONVK_LANES) {
        CONVK_UNROLL_
        for (u = 0; u < U; u++) {
          g[u] = zero;
          if (ds) s[u] = CONVK_LOAD_(part->s + i + u * CONVK_LANES);
          if (ds && more) lo[u] = CONVK_LOAD_(part->lo + i + u * CONVK_LANES);
          if (da) a[u] = CONVK_LOAD_(part->a + i + u * CONVK_LANES);
          if (da) b[u] = CONVK_LOAD_(part->b + i + u * CONVK_LANES);
          if (da) top[u] = CONVK_LOAD_(part->top + i + u * CONVK_LANES);
        }
        if (!(mode & CONVK_GAUSSIAN_NONE_))
          CONVK_KERNEL_(gaussian_some)(a, b, top, s, lo, g, U, da, ds, mode & CONVK_GAUSSIAN_FAR_, more);
        if (mode & CONVK_GAUSSIAN_CUT_) {
          CONVK_UNROLL_
          for (u = 0; u < U; u++) g[u] = CONVK_LESS_(g[u], cut, zero, g[u]);
        }
        CONVK_UNROLL_
        for (u = 0; u < U; u++) {
          if (stream) CONVK_STREAM_(out + i + u * CONVK_LANES, g[u]);
          else CONVK_STORE_(out + i + u * CONVK_LANES, g[u]);
        }
      }
      head = n;
    }
    if (i == n) return;
    k = head - i < CONVK_LANES ? head - i : CONVK_LANES; /* before the first line of a stream, and what is left */
    few[0] = da ? CONVK_LOAD_(part->a + i) : a[0];
    few[1] = da ? CONVK_LOAD_(part->b + i) : b[0];
    few[2] = da ? CONVK_LOAD_(part->top + i) : top[0];
    few[3] = ds ? CONVK_LOAD_(part->s + i) : s[0];
    few[4] = ds && more ? CONVK_LOAD_(part->lo + i) : ds ? zero : lo[0];
    CONVK_STOREK_(out + i, CONVK_KERNEL_(gaussian_one)(few, cut, mode, more), k);
    i += k;
  }
}

/* What whole groups of vectors leave of all rows, from element i on: vector by vector, of as many rows together.  points: of
   exponent after exponent, else of point after point. */
CONVK_RARE_ void CONVK_KERNEL_(gaussian_rest)(const CONVK_PRIVATE_(gaussian_part) *part, size_t i, const int points) {
  enum { U = CONVK_GAUSSIAN_GROUP_ };
  const int more = part->lo != NULL;
  const CONVK_V cut = CONVK_SET_(part->cut), zero = CONVK_SET_(0);
  const size_t n = points ? part->np : part->na, rows = points ? part->na : part->np;
  const CONVK_T *own = points ? part->a : part->s;
  CONVK_T bounds[4], *least = bounds + (points ? 0 : 2), *all = bounds + (points ? 2 : 0);
  CONVK_V v[5], a[U], b[U], top[U], s[U], lo[U], g[U];
  size_t j;
  int u;
  all[0] = points ? part->s_least : part->a_least;
  all[1] = points ? part->s_most : part->a_most;
  for (; i < n; i += CONVK_LANES) {
    const size_t k = n - i < CONVK_LANES ? n - i : CONVK_LANES;
    for (j = 0; j < rows; j += U) {
      size_t r[U];
      int mode;
      CONVK_UNROLL_
      for (u = 0; u < U; u++) { /* the last row stands for those beyond it */
        r[u] = j + (size_t)u < rows ? j + (size_t)u : rows - 1;
        least[0] = u && least[0] < own[r[u]] ? least[0] : own[r[u]];
        least[1] = u && least[1] > own[r[u]] ? least[1] : own[r[u]];
        g[u] = lo[u] = zero;
      }
      if (points) {
        CONVK_EACH_(u, U) {
          a[u] = CONVK_SET_(part->a[r[u]]);
          b[u] = CONVK_SET_(part->b[r[u]]);
          top[u] = CONVK_SET_(part->top[r[u]]);
          s[u] = CONVK_LOAD_(part->s + i);
          if (more) lo[u] = CONVK_LOAD_(part->lo + i);
        }
      } else {
        CONVK_EACH_(u, U) {
          a[u] = CONVK_LOAD_(part->a + i);
          b[u] = CONVK_LOAD_(part->b + i);
          top[u] = CONVK_LOAD_(part->top + i);
          s[u] = CONVK_SET_(part->s[r[u]]);
          if (more) lo[u] = CONVK_SET_(part->lo[r[u]]);
        }
      }
      mode = CONVK_KERNEL_(gaussian_mode)(part, bounds, bounds + 2);
      if (CONVK_UNLIKELY_(mode & CONVK_GAUSSIAN_LARGE_)) {
        for (u = 0; u < U; u++) {
          v[0] = a[u], v[1] = b[u], v[2] = top[u], v[3] = s[u], v[4] = lo[u];
          g[u] = CONVK_KERNEL_(gaussian_one)(v, cut, mode, more);
        }
      } else if (!(mode & CONVK_GAUSSIAN_NONE_)) {
        CONVK_KERNEL_(gaussian_some)(a, b, top, s, lo, g, U, 1, 1, mode & CONVK_GAUSSIAN_FAR_, more);
        if (mode & CONVK_GAUSSIAN_CUT_) {
          CONVK_EACH_(u, U) g[u] = CONVK_LESS_(g[u], cut, zero, g[u]);
        }
      }
      CONVK_UNROLL_
      for (u = 0; u < U; u++) {
        CONVK_T *to = part->out + r[u] * part->ld + i;
        if (k < CONVK_LANES) CONVK_STOREK_(to, g[u], k);
        else CONVK_STORE_(to, g[u]);
      }
    }
  }
}

static void CONVK_KERNEL_(gaussian_exponentials)(const CONVK_PRIVATE_(gaussian_part) *part) {
  enum { STEP = CONVK_GAUSSIAN_GROUP_ * CONVK_LANES };
  const int points = part->order == CONVK_POINTS_CONTIGUOUS;
  const size_t n = points ? part->np : part->na, whole = part->stream || !CONVK_FUSES_ ? n : n / STEP * STEP;
  size_t j;
  if (points) {
    for (j = 0; j < part->na && whole; j++) CONVK_KERNEL_(gaussian_row)(part, j, whole, 0, 1);
  } else {
    for (j = 0; j < part->np && whole; j++) CONVK_KERNEL_(gaussian_row)(part, j, whole, 1, 0);
  }
  if (CONVK_FUSES_ && whole < n) CONVK_KERNEL_(gaussian_rest)(part, whole, points);
  CONVK_LEAVE_
}

/* ---- exponents ---- */

/* The least and the greatest element: halves meet until two elements are left, of `least` and of -most. */
CONVK_INLINE_ void CONVK_KERNEL_(gaussian_extremes)(CONVK_V least, CONVK_V most, CONVK_T *extremes) {
  CONVK_T ends[2 * CONVK_LANES];
  CONVK_V v[2];
  int n;
  v[0] = least;
  v[1] = CONVK_SUB_(CONVK_SET_(0), most);
  CONVK_UNROLL_
  for (n = CONVK_LANES; n > 1; n /= 2) {
    CONVK_UNZIP_(v);
    v[0] = v[1] = CONVK_MIN_(v[0], v[1]);
  }
  CONVK_STORE_(ends, v[0]);
  CONVK_STORE_(ends + (CONVK_LANES > 1 ? 0 : 1), v[1]);
  extremes[0] = ends[0];
  extremes[1] = -ends[1];
}

#if CONVK_FUSES_
/* a log2(e) = a + b of each, as convk_times_log2e_ has it, in doubles; FMA with 0 or 1 is a product or a sum. */
CONVK_INLINE_ void CONVK_KERNEL_(gaussian_times_log2e)(CONVK_V *a, CONVK_V *b) {
  enum { PARTS = CONVK_LANES / CONVK_DLANES_ };
  const CONVK_D l0 = CONVK_DSET_(1.4426950216293335), l1 = CONVK_DSET_(1.92596298909109e-08),
                l2 = CONVK_DSET_(2.0355273740931033e-17);
  const CONVK_D zero = CONVK_DZERO_, minus = CONVK_DSET_(-1);
  CONVK_D hi[PARTS], lo[PARTS];
  int h;
  CONVK_EACH_(h, PARTS) {
    const CONVK_D x = CONVK_DPART_(*a, (size_t)h);
    const CONVK_D x0 = CONVK_EITHER_(x, CONVK_AND_(x, CONVK_BITS_(~(uint64_t)0 << 27))); /* of a float all digits */
    const CONVK_D x1 = CONVK_DFMA_(x0, minus, x), first = CONVK_DFMA_(x0, l0, zero);
    const CONVK_D cross = CONVK_DADD_(CONVK_DFMA_(x0, l1, zero), CONVK_DFMA_(x1, l0, zero));
    const CONVK_D low = CONVK_DADD_(cross, CONVK_DADD_(CONVK_DFMA_(x1, l1, zero), CONVK_DFMA_(x, l2, zero)));
    hi[h] = CONVK_DADD_(first, low);
    lo[h] = CONVK_DADD_(CONVK_DFMA_(hi[h], minus, first), low);
  }
  *a = CONVK_JOIN_(hi);
  CONVK_EACH_(h, PARTS) lo[h] = CONVK_DADD_(CONVK_DFMA_(CONVK_DPART_(*a, (size_t)h), minus, hi[h]), lo[h]);
  *b = CONVK_JOIN_(lo);
}
#endif

/* n exponents as kernels want them: rows a, b and top at distance `pitch`, to whole vectors by copies of the last; bounds of a. */
static void CONVK_KERNEL_(gaussian_exponents)(const CONVK_T *alpha, size_t n, CONVK_T *rows, size_t pitch, CONVK_T *bounds) {
  const double lowest = (CONVK_EITHER_(126, 1022) - 0.0001220703125) * (CONVK_FUSES_ ? 1 : 0.69314718055994531);
  const CONVK_V shrinks = CONVK_SET_((CONVK_T)lowest), zero = CONVK_SET_(0), greatest = CONVK_SET_(CONVK_GREATEST_);
  const CONVK_V grows = CONVK_SET_(CONVK_FUSES_ ? CONVK_OF_(156, 1100) : CONVK_OF_(110, 765));
  CONVK_V least = greatest, most = CONVK_SET_(-CONVK_GREATEST_);
  CONVK_T few[CONVK_LANES];
  size_t i, k;
  for (i = 0; i < n; i += CONVK_LANES) {
    CONVK_T *to = rows + i;
    CONVK_V a, b = zero, top;
    if (n - i < CONVK_LANES) {
      for (k = 0; k < CONVK_LANES; k++) few[k] = CONVK_ONE_(alpha + (i + k < n ? i + k : n - 1));
      a = CONVK_LOAD_(few);
    } else {
      a = CONVK_LOAD_(alpha + i);
    }
    if (CONVK_UNLIKELY_(CONVK_ANY_LESS_(CONVK_SET_(CONVK_GREATEST_ / 2), CONVK_KERNEL_(gaussian_size)(a)))) {
      CONVK_STORE_(few, a);
      for (k = 0; k < CONVK_LANES; k++)
        CONVK_PRIVATE_(gaussian_exponent)(CONVK_FUSES_, (double)few[k], to + k, to + k + pitch, to + k + 2 * pitch);
      a = CONVK_LOAD_(to);
    } else {
#if CONVK_FUSES_
      CONVK_KERNEL_(gaussian_times_log2e)(&a, &b);
      b = CONVK_LESS_(CONVK_KERNEL_(gaussian_size)(b), CONVK_SET_(CONVK_GAUSSIAN_LEAST_), zero, b);
#endif
      top = CONVK_DIV_(CONVK_LESS_(a, zero, shrinks, grows), CONVK_KERNEL_(gaussian_size)(a));
      CONVK_STORE_(to, a);
      CONVK_STORE_(to + pitch, b);
      CONVK_STORE_(to + 2 * pitch, CONVK_MIN_(top, greatest));
    }
    least = CONVK_MIN_(least, a);
    most = CONVK_MAX_(most, a);
  }
  CONVK_KERNEL_(gaussian_extremes)(least, most, bounds);
  CONVK_LEAVE_
}

/* ---- squared distances ---- */

/* Squared distances s of n points from a center in two parts, c[k] and c[3 + k]; lo, where it is not NULL: what s lost; d, where
   it is not NULL: rows of the differences.  n: whole vectors.  extremes: bounds of s, widened where they have to be. */
static void CONVK_KERNEL_(gaussian_distances)(const CONVK_T *const *xyz, size_t n, const CONVK_T *center, CONVK_T *d,
                                              size_t pitch, CONVK_T *s, CONVK_T *lo, CONVK_T *extremes) {
  CONVK_V least = CONVK_SET_(extremes[0]), most = CONVK_SET_(extremes[1]);
  size_t i, k;
  for (i = 0; i < n; i += CONVK_LANES) {
    CONVK_V v[3], r, lost;
    for (k = 0; k < 3; k++) v[k] = CONVK_LOAD_(xyz[k] + i);
    r = CONVK_KERNEL_(gaussian_distance)(v, center, lo != NULL, &lost);
    for (k = 0; k < 3 && d; k++) CONVK_STORE_(d + k * pitch + i, v[k]);
    if (lo) CONVK_STORE_(lo + i, lost);
    CONVK_STORE_(s + i, r);
    least = CONVK_MIN_(least, r);
    most = CONVK_MAX_(most, r);
  }
  CONVK_KERNEL_(gaussian_extremes)(least, most, extremes);
  CONVK_LEAVE_
}

/* Whether all elements are finite: x - x is 0, else NaN, which is not less than anything. */
static int CONVK_KERNEL_(gaussian_finite)(const CONVK_T *p, size_t n) {
  const unsigned all = (1u << CONVK_LANES) - 1;
  CONVK_V any = CONVK_SET_(0);
  unsigned good;
  size_t i;
  for (i = 0; i + CONVK_LANES <= n; i += CONVK_LANES) {
    const CONVK_V v = CONVK_LOAD_(p + i);
    any = CONVK_OR_(any, CONVK_SUB_(v, v));
  }
  if (i < n) {
    const CONVK_V v = CONVK_LOADK_(p + i, n - i);
    any = CONVK_OR_(any, CONVK_SUB_(v, v));
  }
  good = CONVK_WHICH_LESS_(any, CONVK_SET_(1));
  CONVK_LEAVE_
  return good == all;
}

/* ---- sums of rows ---- */

/* Settles `count` sums. */
CONVK_INLINE_ void CONVK_KERNEL_(gaussian_settle)(const CONVK_PRIVATE_(gaussian_sums) *part, CONVK_V *sum, const int count) {
  const CONVK_V inverse = CONVK_SET_(part->inverse), least = CONVK_SET_(part->least);
  int p;
  CONVK_UNROLL_
  for (p = 0; p < count; p++) sum[p] = CONVK_KERNEL_(gaussian_settled)(sum[p], inverse, least);
}

/* Rows r .. r + rows - 1 of vectors i .., of which the last has k elements. */
CONVK_INLINE_ void CONVK_KERNEL_(gaussian_tile)(const CONVK_PRIVATE_(gaussian_sums) *part, size_t r, size_t i, size_t k,
                                                const int rows, const int vectors) {
  const CONVK_PRIVATE_(any) *c = part->m ? part->c + r * part->ldc : part->c;
  const CONVK_T *e = part->e + i, *from = part->from + r * part->from_ld + i;
  const size_t m = part->m, ldc = part->ldc, pitch = part->pitch, ld = part->ld;
  CONVK_T *out = part->out + r * part->ld + i;
  CONVK_V sum[24], v[4];
  size_t j;
  int p, u;
  CONVK_UNROLL_
  for (p = 0; p < rows * vectors; p++) {
    const CONVK_T *at = from + (size_t)(p / vectors) * part->from_ld + (size_t)(p % vectors) * CONVK_LANES;
    sum[p] = !part->more ? CONVK_SET_(0) : k < CONVK_LANES ? CONVK_LOADK_(at, k) : CONVK_LOAD_(at);
  }
  for (j = 0; j < m; j++) {
    CONVK_UNROLL_
    for (u = 0; u < vectors; u++) v[u] = CONVK_LOAD_(e + j * pitch + u * CONVK_LANES);
    CONVK_UNROLL_
    for (p = 0; p < rows; p++) {
      const CONVK_V w = CONVK_SET_(c[(size_t)p * ldc + j]);
      CONVK_UNROLL_
      for (u = 0; u < vectors; u++) sum[p * vectors + u] = CONVK_FMA_(w, v[u], sum[p * vectors + u]);
    }
  }
  if (part->last) CONVK_KERNEL_(gaussian_settle)(part, sum, rows * vectors);
  CONVK_UNROLL_
  for (p = 0; p < rows * vectors; p++) {
    CONVK_T *to = out + (size_t)(p / vectors) * ld + (size_t)(p % vectors) * CONVK_LANES;
    if (k < CONVK_LANES) CONVK_STOREK_(to, sum[p], k);
    else CONVK_STORE_(to, sum[p]);
  }
}

/* All rows of the vector at i, or of what is left of it. */
CONVK_RARE_ void CONVK_KERNEL_(gaussian_edge)(const CONVK_PRIVATE_(gaussian_sums) *part, size_t i) {
  const size_t k = part->n - i < CONVK_LANES ? part->n - i : CONVK_LANES;
  size_t r = 0;
  for (; r + 6 <= part->rows; r += 6) CONVK_KERNEL_(gaussian_tile)(part, r, i, k, 6, 1);
  for (; r < part->rows; r++) CONVK_KERNEL_(gaussian_tile)(part, r, i, k, 1, 1);
}

/* Tiles of as many sums as there are registers for.  Where not all of e stays in L1, a panel of it does while the rows pass; else
   rows come one after another, whose distance is often one at which loads seem to wait for stores. */
static void CONVK_KERNEL_(gaussian_add)(const CONVK_PRIVATE_(gaussian_sums) *part) {
  enum { WIDE = CONVK_REGISTERS_ > 16 ? 4 : 2, STEP = WIDE * CONVK_LANES };
  const size_t whole = part->n / STEP * STEP, panel = part->m * part->n * sizeof(CONVK_T) > 40960 ? (size_t)STEP : whole;
  const size_t all = part->rows / 6 * 6;
  size_t i, k, r;
  for (i = 0; i < whole; i += panel)
    for (r = 0; r < all; r += 6)
      for (k = i; k < i + panel; k += STEP) CONVK_KERNEL_(gaussian_tile)(part, r, k, CONVK_LANES, 6, WIDE);
  for (r = all; r < part->rows; r += part->rows - r >= 4 ? 4 : 1)
    for (k = 0; k < whole; k += STEP) {
      if (part->rows - r >= 4) CONVK_KERNEL_(gaussian_tile)(part, r, k, CONVK_LANES, 4, WIDE);
      else CONVK_KERNEL_(gaussian_tile)(part, r, k, CONVK_LANES, 1, WIDE);
    }
  for (k = whole; k < part->n; k += CONVK_LANES) CONVK_KERNEL_(gaussian_edge)(part, k);
  CONVK_LEAVE_
}

/* Sums over the exponents of a list, of `vectors` vectors of points at a time, from i to `end` or as far as that goes: sums and
   exponentials stay in registers.  Of one row or of up to so many, where the last stands for those beyond it; one vector: also of
   what is left of it. */
CONVK_INLINE_ void CONVK_KERNEL_(gaussian_pass)(const CONVK_PRIVATE_(gaussian_part) *part,
                                                const CONVK_PRIVATE_(gaussian_sums) *sums, size_t i, size_t end,
                                                const unsigned short *list, size_t count, int mode, const int vectors,
                                                const int rows) {
  const CONVK_V cut = CONVK_SET_(part->cut), zero = CONVK_SET_(0);
  const CONVK_PRIVATE_(any) *c[CONVK_GAUSSIAN_SUMS_];
  const CONVK_T *ea = part->a, *eb = part->b, *top = part->top;
  CONVK_V sum[CONVK_GAUSSIAN_SUMS_ * CONVK_GAUSSIAN_GROUP_], s[CONVK_GAUSSIAN_GROUP_], g[CONVK_GAUSSIAN_GROUP_], a[3];
  size_t q, row[CONVK_GAUSSIAN_SUMS_];
  int u, r;
  CONVK_EACH_(r, rows) {
    row[r] = r && (size_t)r < sums->rows ? (size_t)r : r ? sums->rows - 1 : 0;
    c[r] = sums->c + row[r] * sums->ldc;
  }
  for (; i < end; i += (size_t)vectors * CONVK_LANES) {
    const size_t k = vectors > 1 || end - i > CONVK_LANES ? CONVK_LANES : end - i;
    CONVK_EACH_(u, vectors) s[u] = CONVK_LOAD_(part->s + i + u * CONVK_LANES);
    CONVK_EACH_(r, rows * vectors) {
      const CONVK_T *from = sums->from + row[r / vectors] * sums->from_ld + i + (size_t)(r % vectors) * CONVK_LANES;
      sum[r] = !sums->more ? zero : k < CONVK_LANES ? CONVK_LOADK_(from, k) : CONVK_LOAD_(from);
    }
    for (q = 0; q < count; q++) {
      const size_t j = list[q];
      a[0] = CONVK_SET_(ea[j]);
      a[1] = CONVK_FUSES_ ? CONVK_SET_(eb[j]) : a[0];
      a[2] = mode ? CONVK_SET_(top[j]) : a[0];
      CONVK_KERNEL_(gaussian_some)(&a[0], &a[1], &a[2], s, s, g, vectors, 0, 1, mode, 0);
      if (mode & CONVK_GAUSSIAN_CUT_) {
        CONVK_EACH_(u, vectors) g[u] = CONVK_LESS_(g[u], cut, zero, g[u]);
      }
      CONVK_EACH_(r, rows) {
        const CONVK_V w = CONVK_SET_(c[r][j]);
        CONVK_EACH_(u, vectors) sum[r * vectors + u] = CONVK_FMA_(w, g[u], sum[r * vectors + u]);
      }
    }
    if (sums->last) CONVK_KERNEL_(gaussian_settle)(sums, sum, rows * vectors);
    CONVK_EACH_(r, rows * vectors) {
      CONVK_T *out = sums->out + row[r / vectors] * sums->ld + i + (size_t)(r % vectors) * CONVK_LANES;
      if (k < CONVK_LANES) CONVK_STOREK_(out, sum[r], k);
      else CONVK_STORE_(out, sum[r]);
    }
  }
}

/* The same out of any range, vector by vector. */
CONVK_RARE_ void CONVK_KERNEL_(gaussian_pass_far)(const CONVK_PRIVATE_(gaussian_part) *part,
                                                  const CONVK_PRIVATE_(gaussian_sums) *sums, const unsigned short *list,
                                                  size_t count, int mode) {
  size_t i, q, r;
  for (i = 0; i < sums->n; i += CONVK_LANES)
    for (r = 0; r < sums->rows; r++) {
      const size_t k = sums->n - i < CONVK_LANES ? sums->n - i : CONVK_LANES;
      const CONVK_PRIVATE_(any) *c = sums->c + r * sums->ldc;
      CONVK_V sum = sums->more ? CONVK_LOADK_(sums->from + r * sums->from_ld + i, k) : CONVK_SET_(0), v[5];
      v[3] = v[4] = CONVK_LOAD_(part->s + i);
      for (q = 0; q < count; q++) {
        const size_t j = list[q];
        v[0] = CONVK_SET_(part->a[j]);
        v[1] = CONVK_SET_(part->b[j]);
        v[2] = CONVK_SET_(part->top[j]);
        sum = CONVK_FMA_(CONVK_SET_(c[j]), CONVK_KERNEL_(gaussian_one)(v, CONVK_SET_(part->cut), mode, 0), sum);
      }
      if (sums->last) CONVK_KERNEL_(gaussian_settle)(sums, &sum, 1);
      CONVK_STOREK_(sums->out + r * sums->ld + i, sum, k);
    }
}

/* out[i] = sum_j c[j] g(i, j), at most CONVK_GAUSSIAN_SUMS_ rows, of at most CONVK_GAUSSIAN_ROWS_ exponents; 0 where all exponentials
   are 0, and then nothing is written unless it is the last. */
static int CONVK_KERNEL_(gaussian_collect)(const CONVK_PRIVATE_(gaussian_part) *part,
                                           const CONVK_PRIVATE_(gaussian_sums) *sums) {
  enum {
    U = CONVK_GAUSSIAN_GROUP_,
    PAIR = U == 1                  ? 1
           : CONVK_REGISTERS_ > 16 ? 3
                                   : 2,
    DISTANT = CONVK_GAUSSIAN_CUT_ | CONVK_GAUSSIAN_FAR_
  };
  const CONVK_V s_least = CONVK_SET_(part->s_least), s_most = CONVK_SET_(part->s_most), zero = CONVK_SET_(0);
  const size_t n = sums->n;
  unsigned short list[CONVK_GAUSSIAN_ROWS_];
  size_t j, end, count = 0;
  int mode = 0;
  for (j = 0; j < part->na; j += CONVK_LANES) { /* as in gaussian_mode, of many */
    const size_t k = part->na - j < CONVK_LANES ? part->na - j : CONVK_LANES;
    const CONVK_V a = k < CONVK_LANES ? CONVK_LOADK_(part->a + j, k) : CONVK_LOAD_(part->a + j);
    const CONVK_V least = CONVK_MUL_(a, CONVK_LESS_(a, zero, s_most, s_least));
    const CONVK_V most = CONVK_MUL_(a, CONVK_LESS_(zero, a, s_most, s_least));
    const unsigned none = CONVK_WHICH_LESS_(most, CONVK_SET_(part->below));
    const unsigned kept = CONVK_WHICH_LESS_(CONVK_SET_(part->above), least);
    unsigned some = ((1u << k) - 1) & ~none;
    if (some & ~kept) mode |= CONVK_GAUSSIAN_CUT_;
    if (some & CONVK_WHICH_LESS_(least, CONVK_SET_(CONVK_PLAIN_LEAST_))) mode |= CONVK_GAUSSIAN_FAR_;
    if (some & CONVK_WHICH_LESS_(CONVK_SET_(CONVK_PLAIN_MOST_), most)) mode |= CONVK_GAUSSIAN_LARGE_;
    for (; some; some &= some - 1) list[count++] = (unsigned short)(j + CONVK_LOWEST_(some));
  }
  if (!count && !sums->last) return 0;
  if (mode & CONVK_GAUSSIAN_LARGE_) {
    CONVK_KERNEL_(gaussian_pass_far)(part, sums, list, count, mode);
  } else {
    const size_t step = (sums->rows == 1 ? U : PAIR) * CONVK_LANES;
    end = U > 1 || sums->rows == 1 ? n / step * step : 0;
    if (sums->rows == 1) CONVK_KERNEL_(gaussian_pass)(part, sums, 0, end, list, count, mode & DISTANT, U, 1);
    else if (U > 1) CONVK_KERNEL_(gaussian_pass)(part, sums, 0, end, list, count, mode & DISTANT, PAIR, CONVK_GAUSSIAN_SUMS_);
    CONVK_KERNEL_(gaussian_pass)(part, sums, end, n, list, count, mode & DISTANT, 1, CONVK_GAUSSIAN_SUMS_);
  }
  CONVK_LEAVE_
  return count != 0;
}

/* out[i] = sum_r weight[r] value[r pitch + i]^2 */
static void CONVK_KERNEL_(gaussian_squares)(const CONVK_T *value, size_t pitch, size_t rows, const CONVK_T *weight,
                                            CONVK_T *out, size_t n) {
  const CONVK_PRIVATE_(any) *w = weight;
  size_t i, r;
  for (i = 0; i < n; i += CONVK_LANES) {
    CONVK_V sum = CONVK_SET_(0);
    for (r = 0; r < rows; r++)
      sum = CONVK_KERNEL_(gaussian_add_square)(CONVK_SET_(w[r]), CONVK_LOAD_(value + r * pitch + i), sum);
    if (n - i < CONVK_LANES) CONVK_STOREK_(out + i, sum, n - i);
    else CONVK_STORE_(out + i, sum);
  }
  CONVK_LEAVE_
}

/* ---- shells ---- */

CONVK_INLINE_ void CONVK_KERNEL_(gaussian_times)(const CONVK_T *a, const CONVK_T *b, CONVK_T *to, size_t n) {
  size_t i;
  for (i = 0; i < n; i += CONVK_LANES) CONVK_STORE_(to + i, CONVK_MUL_(CONVK_LOAD_(a + i), CONVK_LOAD_(b + i)));
}

/* Monomials of degree k times a row, from those of degree k - 1: x times all, y times those without x, z times the last. */
CONVK_RARE_ void CONVK_KERNEL_(gaussian_degree)(const CONVK_PRIVATE_(gaussian_shell) *part, size_t k, const CONVK_T *from,
                                                CONVK_T *to) {
  const size_t before = k * (k + 1) / 2, pitch = part->pitch;
  size_t q;
  for (q = 0; q < before + k + 1; q++) {
    const size_t axis = q < before ? 0 : q < before + k ? 1 : 2, row = axis == 0 ? q : axis == 1 ? q - k : before - 1;
    CONVK_KERNEL_(gaussian_times)(part->d + axis * pitch, from + row * pitch, to + q * pitch, part->n);
  }
}

/* All degrees up to l: one after another at `stage`, the last at `to`.  Of l = 0 there is nothing but the row itself. */
CONVK_INLINE_ void CONVK_KERNEL_(gaussian_monomials)(const CONVK_PRIVATE_(gaussian_shell) *part, const CONVK_T *row,
                                                     CONVK_T *stage, CONVK_T *to) {
  const CONVK_T *from = row;
  size_t k;
  if (part->l == 0) memcpy(to, row, part->n * sizeof *to);
  for (k = 1; k <= part->l; k++) {
    CONVK_T *next = k == part->l ? to : stage;
    CONVK_KERNEL_(gaussian_degree)(part, k, from, next);
    from = next;
    stage += (k + 1) * (k + 2) / 2 * part->pitch;
  }
}

/* d/dx (m R) = a m / x R + x m D, and the Laplacian (laplacian of m) R + m ((2 l + 3) D + r^2 D' / r), of m = x^a y^b z^c. */
CONVK_RARE_ void CONVK_KERNEL_(gaussian_derivatives)(const CONVK_PRIVATE_(gaussian_shell) *part) {
  const size_t l = part->l, pitch = part->pitch, n = part->n, strip = part->strip;
  const CONVK_T *lower = l > 1 ? part->scratch + (l * (l + 1) * (l + 2) / 6 - l * (l + 1) / 2 - 1) * pitch : part->radial;
  const CONVK_T *lowest = l > 2 ? lower - l * (l - 1) / 2 * pitch : part->radial;
  CONVK_T *slope = part->scratch + 19 * pitch, *m = slope + 19 * pitch, *combined = m + 15 * pitch;
  size_t i, j, q = 0, e[3];
  for (i = 0; i < n; i += CONVK_LANES) {
    const CONVK_V s = CONVK_LOAD_(part->d + 3 * pitch + i), d = CONVK_LOAD_(part->radial + pitch + i);
    const CONVK_V w = CONVK_MUL_(s, CONVK_LOAD_(part->radial + 2 * pitch + i));
    CONVK_STORE_(combined + i, CONVK_FMA_(CONVK_SET_((CONVK_T)(2 * l + 3)), d, w));
  }
  CONVK_KERNEL_(gaussian_monomials)(part, part->radial + pitch, slope, m);
  CONVK_KERNEL_(gaussian_monomials)(part, combined, slope, part->to + 4 * strip);
  for (i = 0; i <= l; i++)
    for (j = 0; j <= i; j++, q++) { /* b + c = i, c = j */
      const CONVK_T *one[3], *two[3];
      size_t k, v;
      e[0] = l - i;
      e[1] = i - j;
      e[2] = j;
      one[0] = e[0] ? lower + q * pitch : NULL;
      one[1] = e[1] ? lower + (i * (i - 1) / 2 + j) * pitch : NULL;
      one[2] = e[2] ? lower + (i * (i - 1) / 2 + j - 1) * pitch : NULL;
      two[0] = e[0] > 1 ? lowest + q * pitch : NULL;
      two[1] = e[1] > 1 ? lowest + ((i - 1) * (i - 2) / 2 + j) * pitch : NULL;
      two[2] = e[2] > 1 ? lowest + ((i - 1) * (i - 2) / 2 + j - 2) * pitch : NULL;
      for (v = 0; v < n; v += CONVK_LANES) {
        const CONVK_V md = CONVK_LOAD_(m + q * pitch + v);
        CONVK_T *to = part->to + q * pitch + v;
        CONVK_V sum = CONVK_LOAD_(to + 4 * strip);
        for (k = 0; k < 3; k++) {
          CONVK_V g = CONVK_MUL_(CONVK_LOAD_(part->d + k * pitch + v), md);
          if (e[k]) g = CONVK_FMA_(CONVK_SET_((CONVK_T)e[k]), CONVK_LOAD_(one[k] + v), g);
          if (e[k] > 1) sum = CONVK_FMA_(CONVK_SET_((CONVK_T)(e[k] * (e[k] - 1))), CONVK_LOAD_(two[k] + v), sum);
          CONVK_STORE_(to + (k + 1) * strip, g);
        }
        CONVK_STORE_(to + 4 * strip, sum);
      }
    }
}

static void CONVK_KERNEL_(gaussian_functions)(const CONVK_PRIVATE_(gaussian_shell) *part) {
  CONVK_KERNEL_(gaussian_monomials)(part, part->radial, part->scratch, part->to);
  if (part->strip) CONVK_KERNEL_(gaussian_derivatives)(part);
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(gaussian_fence)(void) { CONVK_FENCE_; }

CONVK_LOCAL_ const CONVK_PRIVATE_(gaussian_kernels) *CONVK_KERNEL_(gaussian_kernels)(void) {
  static const CONVK_PRIVATE_(gaussian_kernels) kernels = {CONVK_FUSES_,
                                                           CONVK_KERNEL_(gaussian_finite),
                                                           CONVK_KERNEL_(gaussian_exponents),
                                                           CONVK_KERNEL_(gaussian_distances),
                                                           CONVK_KERNEL_(gaussian_exponentials),
                                                           CONVK_KERNEL_(gaussian_add),
                                                           CONVK_KERNEL_(gaussian_collect),
                                                           CONVK_KERNEL_(gaussian_functions),
                                                           CONVK_KERNEL_(gaussian_squares),
                                                           CONVK_KERNEL_(gaussian_fence),
                                                           NULL,
                                                           NULL};
  return &kernels;
}

#undef CONVK_PLAIN_LEAST_
#undef CONVK_PLAIN_MOST_
#elif CONVK_HAS_GAUSSIAN_
/* ---- src/gaussian/point.h ---- */
/* ---- one point, on devices ---- */

/* 2^((a + b) s); with `more` what s has lost counts, too; 0 below cut. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(gaussian)(CONVK_V a, CONVK_V b, CONVK_V top, CONVK_V s, CONVK_V lo, CONVK_V cut,
                                               const int more) {
  CONVK_V g;
  CONVK_KERNEL_(gaussian_some)(&a, &b, &top, &s, &lo, &g, 1, 0, 0, CONVK_GAUSSIAN_FAR_ | CONVK_GAUSSIAN_LARGE_, more);
  return CONVK_LESS_(g, cut, CONVK_SET_(0), g);
}

/* Where the monomials of degree k begin, among those of all degrees; there are 35 up to degree 4. */
#define CONVK_DEGREE_(k) ((k) * ((k) + 1) * ((k) + 2) / 6)

/* `row` times the monomials of all degrees up to l: x times all of the degree before, y times those without x, z times its last. */
CONVK_ELEMENT_ void CONVK_KERNEL_(gaussian_monomials_of)(const int l, const CONVK_V *v, CONVK_V row, CONVK_V *m) {
  int q;
  m[0] = row;
  CONVK_UNROLL_
  for (q = 1; q < 35; q++) { /* not to an end that depends on l: compilers unroll this before they know it */
    const int k = q < CONVK_DEGREE_(2) ? 1 : q < CONVK_DEGREE_(3) ? 2 : q < CONVK_DEGREE_(4) ? 3 : 4, before = k * (k + 1) / 2;
    const int p = q - CONVK_DEGREE_(k), axis = p < before ? 0 : p < before + k ? 1 : 2;
    if (k > l) continue;
    m[q] = CONVK_MUL_(v[axis], m[CONVK_DEGREE_(k - 1) + (axis == 0 ? p : axis == 1 ? p - k : before - 1)]);
  }
}

/* The function m R with m = x^a y^b z^c, b + c = i, c = j, and of 5 kinds its gradient and Laplacian, from monomials times R at
   m, times R' / r at slope and times (2 l + 3) R' / r + r (R' / r)' at bend:
   d/dx (m R) = a m / x R + x m R' / r, and (laplacian of m) R + m bend. */
CONVK_ELEMENT_ void CONVK_KERNEL_(gaussian_values)(const int l, const int kinds, const int i, const int j, const CONVK_V *v,
                                                   const CONVK_V *m, const CONVK_V *slope, const CONVK_V *bend,
                                                   CONVK_V *value) {
  const int q = i * (i + 1) / 2 + j, top = CONVK_DEGREE_(l) + q;
  int k;
  value[0] = m[top];
  if (kinds == 1) return;
  value[4] = bend[top];
  CONVK_EACH_(k, 3) { /* one and two powers less */
    const int power = k == 0 ? l - i : k == 1 ? i - j : j;
    const int one = CONVK_DEGREE_(l - 1) + (k == 0 ? q : i * (i - 1) / 2 + j - k / 2);
    const int two = CONVK_DEGREE_(l - 2) + (k == 0 ? q : (i - 1) * (i - 2) / 2 + j - k / 2 * 2);
    value[k + 1] = CONVK_MUL_(v[k], slope[top]);
    if (power > 0) value[k + 1] = CONVK_FMA_(CONVK_SET_(power), m[one], value[k + 1]);
    if (power > 1) value[4] = CONVK_FMA_(CONVK_SET_(power * (power - 1)), m[two], value[4]);
  }
}
#endif
#if CONVK_HAS_FORMFACTOR_
/* ---- src/formfactor/element.h ---- */
/* ---- src/formfactor/coefficients.h ---- */
/* sin(pi f) / f, (cos(pi f) - 1) / f^2 in powers of f^2, |f| <= 1/2, and -(2^r - 1) / r in those of r, |r| <= 1/2.  Errors, of
   sine and exponential relative: 2^-27.5, 2^-24.2, 2^-26.5; 2^-61.8, 2^-57.7, 2^-55.7 */
#define CONVK_FORM_SIN_f32_ {3.1415927f, -5.16771f, 2.5500698f, -0.5982421f, 0.077560395f}
#define CONVK_FORM_COS_f32_ {-4.9347954f, 4.058451f, -1.3320938f, 0.22008067f}
#define CONVK_FORM_EXP_f32_ {-0.6931472f, -0.24022649f, -0.055503573f, -0.009618238f, -0.0013390736f, -0.00015403503f}
#define CONVK_FORM_SIN_f64_ \
  {3.141592653589793, -5.167712780049969, 2.550164039877294, -0.5992645293187382, 0.08214588656989275, \
   -0.007370430478762554, 0.00046629968877124413, -2.190318541451047e-05, 7.694727275265466e-07}
#define CONVK_FORM_COS_f64_ \
  {-4.934802200544677, 4.058712126416545, -1.3352627688446645, 0.23533063014598904, -0.025806888862700127, \
   0.0019295568180056001, -0.00010456780766268096, 4.150750505274905e-06}
#define CONVK_FORM_EXP_f64_ \
  {-0.6931471805599453, -0.24022650695910097, -0.055504108664821236, -0.009618129107607065, -0.0013333558146531622, \
   -0.00015403530441481707, -1.5252733701221825e-05, -1.32154427235878e-06, -1.0178121296621213e-07, -7.072561829860248e-09, \
   -4.445537578968513e-10}

/* By the power of s, what powers of p are multiplied with in form_series: Taylor's coefficients times powers of 2 pi; and those of
   tan(pi w) / w in powers of w^2, which leave 2^-26 and 2^-53 for complex w, |w|^2 < 1 / 160. */
#define CONVK_FORM_EVEN0_f32_ \
  {1.644934f, -2.1646464f, 1.5260146f, -0.6693849f, 0.20019892f, -0.043426026f, 0.0071432944f, -0.00092158816f}
#define CONVK_FORM_EVEN0_f64_ \
  {1.6449340668482264, -2.1646464674222763, 1.5260145929766737, -0.6693849041319629, 0.2001989150255636, \
   -0.043426024018233346, 0.007143294629536134, -0.000921588132208468}
#define CONVK_FORM_EVEN1_f32_ {1.5260146f, -2.0081546f, 1.2011935f, -0.43426025f, 0.10714942f, -0.01935335f}
#define CONVK_FORM_EVEN1_f64_ \
  {1.5260145929766737, -2.0081547123958887, 1.2011934901533816, -0.43426024018233345, 0.107149419443042, \
   -0.01935335077637783}
#define CONVK_FORM_EVEN2_f32_ {-0.043426026f, 0.035716474f, -0.013823822f}
#define CONVK_FORM_EVEN2_f64_ {-0.043426024018233346, 0.035716473147680665, -0.01382382198312702}
#define CONVK_FORM_ODD0_f32_ \
  {-2.067085f, 3.8859642f, -3.1960776f, 1.529407f, -0.48380265f, 0.1091415f, -0.018481089f, 0.0024381091f}
#define CONVK_FORM_ODD0_f64_ \
  {-2.067085112019988, 3.885964251241669, -3.1960774897108912, 1.529407052541733, -0.48380264669304457, 0.10914150242423663, \
   -0.01848108864871141, 0.0024381090575003473}
#define CONVK_FORM_ODD1_f32_ {0.38235176f, -0.3870421f, 0.1819025f, -0.05280311f, 0.010666727f}
#define CONVK_FORM_ODD1_f64_ \
  {0.38235176313543323, -0.38704211735443567, 0.18190250404039437, -0.05280311042488974, 0.010666727126564019}
#define CONVK_FORM_ODD2_f32_ {-0.0026401556f, 0.0018285818f}
#define CONVK_FORM_ODD2_f64_ {-0.002640155521244487, 0.0018285817931252605}
#define CONVK_FORM_TAN_f32_ {3.1415927f, 10.335425f, 40.802624f, 162.99995f, 651.9097f}
#define CONVK_FORM_TAN_f64_ \
  {3.141592653589793, 10.335425560099939, 40.80262463803752, 162.99995197525544, 651.9097561459135, 2607.5995051461714, \
   10430.380532928233, 41721.51437137118, 166886.05403833315, 667544.2146215658, 2670176.857805526}
/* - i^k / (k + 2)! (2 pi)^k from k = 2 on, without the i of odd k. */
#define CONVK_FORM_SERIES_f32_ \
  {1.644934f, 2.067085f, -2.1646464f, -1.9429821f, 1.5260146f, 1.0653591f, -0.6693849f, -0.38235176f, 0.20019892f, \
   0.09676053f, -0.043426026f, -0.01819025f, 0.0071432944f, 0.0026401556f, -0.00092158816f, -0.00030476364f}
#define CONVK_FORM_SERIES_f64_ \
  {1.6449340668482264, 2.067085112019988, -2.1646464674222763, -1.9429821256208346, 1.5260145929766737, 1.0653591632369637, \
   -0.6693849041319629, -0.38235176313543323, 0.2001989150255636, 0.09676052933860892, -0.043426024018233346, \
   -0.01819025040403944, 0.007143294629536134, 0.002640155521244487, -0.000921588132208468, -0.0003047636321875434}

/* ---- elements: terms of form factors ---- */

/* A product that compilers must not fuse with the sums it goes into. */
#if CONVK_FUSES_
#define CONVK_APART_(v) CONVK_KEEP_(v);
#else
#define CONVK_APART_(v)
#endif

/* The sums of c[k] x^k, k < count, of V x together: while one waits the others work. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_horner)(const CONVK_V *x, const CONVK_T *c, const int count, CONVK_V *sum, const int V) {
  int k, v;
  CONVK_EACH_(v, V) sum[v] = CONVK_SET_(c[count - 1]);
  CONVK_UNROLL_
  for (k = count - 2; k >= 0; k--) {
    CONVK_EACH_(v, V) sum[v] = CONVK_FMA_(x[v], sum[v], CONVK_SET_(c[k]));
  }
}

CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(form_dot)(const CONVK_V *q, const CONVK_V *v) {
  return CONVK_FMA_(q[2], v[2], CONVK_FMA_(q[1], v[1], CONVK_MUL_(q[0], v[0])));
}

/* u less the nearest integer: u = 3.7 is 4 - 0.3, and gives -0.3.  A number whose last place is 1 rounds to it. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(form_turn_left)(CONVK_V u) {
#ifdef CONVK_LEFT_
  return CONVK_LEFT_(u);
#else
  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));
  return CONVK_SUB_(u, CONVK_SUB_(CONVK_ADD_(u, shift), shift));
#endif
}

/* The same for u = a b, where fused without its rounding. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(form_product_left)(CONVK_V a, CONVK_V b) {
  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));
  return CONVK_FMA_(a, b, CONVK_SUB_(shift, CONVK_FMA_(a, b, shift)));
}

/* Sines and cosines of pi f, |f| <= 1/2, of at most 2: those of pi u but for a common sign, where f is what is left of u. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_half_turns)(const CONVK_V *f, CONVK_V *s, CONVK_V *c, const int V) {
  CONVK_CONSTANT_ CONVK_T sine[] = CONVK_TABLE_(FORM_SIN);
  CONVK_CONSTANT_ CONVK_T cosine[] = CONVK_TABLE_(FORM_COS);
  CONVK_V z[2];
  int v;
  CONVK_EACH_(v, V) z[v] = CONVK_MUL_(f[v], f[v]);
  CONVK_KERNEL_(form_horner)(z, sine, CONVK_COUNT_(sine), s, V);
  CONVK_EACH_(v, V) s[v] = CONVK_MUL_(f[v], s[v]);
  CONVK_KERNEL_(form_horner)(z, cosine, CONVK_COUNT_(cosine), c, V);
  CONVK_EACH_(v, V) c[v] = CONVK_FMA_(z[v], c[v], CONVK_SET_(1));
}
CONVK_ELEMENT_ void CONVK_KERNEL_(form_half_turn)(CONVK_V f, CONVK_V *s, CONVK_V *c) {
  CONVK_KERNEL_(form_half_turns)(&f, s, c, 1);
}

/* (1 - 2^e) / 2 of at most 2, for e <= 126 or 1022; the power is 2^-125 or 2^-1021 at least. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_half_losses)(CONVK_V *e, const int V) {
  CONVK_CONSTANT_ CONVK_T power[] = CONVK_TABLE_(FORM_EXP);
  const CONVK_V bias = CONVK_SET_(CONVK_OF_(12582912 + 126, 6755399441055744. + 1022));
  CONVK_V t[2], r[2], scale[2], p[2];
  int v;
  CONVK_EACH_(v, V) {
    e[v] = CONVK_MAX_(CONVK_SET_(CONVK_OF_(-125, -1021)), e[v]);
    t[v] = CONVK_ADD_(e[v], bias);
    r[v] = CONVK_SUB_(e[v], CONVK_SUB_(t[v], bias));
    scale[v] = CONVK_SHL_(t[v], CONVK_FRACTION_); /* 2^(n - 1) */
  }
  CONVK_KERNEL_(form_horner)(r, power, CONVK_COUNT_(power), p, V);
  CONVK_EACH_(v, V) {
    p[v] = CONVK_MUL_(r[v], p[v]);
    e[v] = CONVK_FMA_(scale[v], p[v], CONVK_SUB_(CONVK_SET_((CONVK_T)0.5f), scale[v]));
  }
}
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(form_half_loss)(CONVK_V e) {
  CONVK_KERNEL_(form_half_losses)(&e, 1);
  return e;
}

/* (exp(i q.r) - 1) / 2 = -a + i b from the half turn's sine and cosine.  With h = q.r / 2 = pi u it is -sin^2 h + i sin h cos h:
   both have the period pi, so that u goes to the nearest integer and no quadrant matters.  Complex q.r (imag) has a factor
   e = exp(-Im q.r): -(e sin^2 h + loss) + i e sin h cos h, where loss = (1 - e) / 2. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_damp)(const int imag, CONVK_V loss, CONVK_V s, CONVK_V c, CONVK_V *a, CONVK_V *b) {
  if (imag) {
    const CONVK_V es = CONVK_MUL_(CONVK_FNMA_(CONVK_SET_(2), loss, CONVK_SET_(1)), s); /* the product with 2 is exact */
    *a = CONVK_FMA_(es, s, loss);
    *b = CONVK_MUL_(es, c);
  } else {
    *a = CONVK_MUL_(s, s);
    *b = CONVK_MUL_(s, c);
  }
}

/* The exponent of exp(-Im q.r) = 2^e, from the imaginary part of q.r in turns. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(form_exponent)(CONVK_V it) {
  return CONVK_MUL_(it, CONVK_SET_(CONVK_OF_(-9.064720f, -9.064720283654388))); /* - 2 pi log2 e */
}

/* Products of complex numbers, real and imaginary part; where imag is 0 the imaginary parts are not there. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_times)(const CONVK_V *x, const CONVK_V *y, const int imag, CONVK_V *xy) {
  const CONVK_V re = imag ? CONVK_FNMA_(x[1], y[1], CONVK_MUL_(x[0], y[0])) : CONVK_MUL_(x[0], y[0]);
  if (imag) xy[1] = CONVK_FMA_(x[0], y[1], CONVK_MUL_(x[1], y[0]));
  xy[0] = re;
}

/* sum = sum x + y, of them. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_times_add)(const CONVK_V *x, const CONVK_V *y, const int imag, CONVK_V *sum) {
  const CONVK_V re = CONVK_FMA_(sum[0], x[0], y[0]);
  if (imag) {
    const CONVK_V im = CONVK_FMA_(sum[0], x[1], CONVK_FMA_(sum[1], x[0], y[1]));
    sum[0] = CONVK_FNMA_(sum[1], x[1], re);
    sum[1] = im;
  } else {
    sum[0] = re;
  }
}

/* The sum of c[k] x^k, k < count, and more x^count. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(form_powers)(CONVK_V x, const CONVK_T *c, const int count, CONVK_V more) {
  int k;
  CONVK_UNROLL_
  for (k = count - 1; k >= 0; k--) more = CONVK_FMA_(x, more, CONVK_SET_(c[k]));
  return more;
}

/* The mean of exp(i q.r) over a triangle is exp(i q.centroid) (1 - 2 (d0 + i d1)): d0 and d1 for real q as series up to an order 4, 8,
   12 or 16 and the odd one behind it.  most: 4, 8, or 16, and then `order` is 12 or 16.
   p = - e2, s = - e3: symmetric functions of the turns of the corners less that of the centroid (their sum is 0).  The term of
   degree k is - i^k h_k / (k + 2)!, h_k = sum over 2 i + 3 j = k of binomial(i + j, i) p^i (-s)^j. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_series)(const int most, int order, CONVK_V p, CONVK_V s, CONVK_V *d0, CONVK_V *d1) {
  CONVK_CONSTANT_ CONVK_T even0[] = CONVK_TABLE_(FORM_EVEN0);
  CONVK_CONSTANT_ CONVK_T even1[] = CONVK_TABLE_(FORM_EVEN1);
  CONVK_CONSTANT_ CONVK_T even2[] = CONVK_TABLE_(FORM_EVEN2);
  CONVK_CONSTANT_ CONVK_T odd0[] = CONVK_TABLE_(FORM_ODD0);
  CONVK_CONSTANT_ CONVK_T odd1[] = CONVK_TABLE_(FORM_ODD1);
  CONVK_CONSTANT_ CONVK_T odd2[] = CONVK_TABLE_(FORM_ODD2);
  const CONVK_V zero = CONVK_SET_(0), square = CONVK_MUL_(s, s);
  if (most > 8) {
    CONVK_V e0 = zero, e1 = zero, e2 = zero, o0 = zero, o1 = zero, o2 = zero;
    if (order > 12) {
      e0 = CONVK_KERNEL_(form_powers)(p, even0 + 6, 1, CONVK_SET_(even0[7]));
      e1 = CONVK_KERNEL_(form_powers)(p, even1 + 4, 1, CONVK_SET_(even1[5]));
      e2 = CONVK_KERNEL_(form_powers)(p, even2 + 1, 1, CONVK_SET_(even2[2]));
      o0 = CONVK_KERNEL_(form_powers)(p, odd0 + 6, 1, CONVK_SET_(odd0[7]));
      o1 = CONVK_KERNEL_(form_powers)(p, odd1 + 3, 1, CONVK_SET_(odd1[4]));
      o2 = CONVK_KERNEL_(form_powers)(p, odd2, 1, CONVK_SET_(odd2[1]));
    }
    e1 = CONVK_FMA_(CONVK_KERNEL_(form_powers)(p, even2, 1, e2), square, CONVK_KERNEL_(form_powers)(p, even1, 4, e1));
    o1 = CONVK_FMA_(o2, square, CONVK_KERNEL_(form_powers)(p, odd1, 3, o1));
    e0 = CONVK_KERNEL_(form_powers)(p, even0, 6, e0);
    *d0 = CONVK_FMA_(e0, p, CONVK_MUL_(square, e1));
    *d1 = CONVK_MUL_(s, CONVK_FMA_(o1, square, CONVK_KERNEL_(form_powers)(p, odd0, 6, o0)));
  } else if (most > 4) {
    const CONVK_V e1 = CONVK_KERNEL_(form_powers)(p, even1, 1, CONVK_SET_(even1[1]));
    const CONVK_V e0 = CONVK_KERNEL_(form_powers)(p, even0, 3, CONVK_SET_(even0[3]));
    const CONVK_V o0 = CONVK_KERNEL_(form_powers)(p, odd0, 3, CONVK_SET_(odd0[3]));
    *d0 = CONVK_FMA_(e0, p, CONVK_MUL_(square, e1));
    *d1 = CONVK_MUL_(s, CONVK_FMA_(CONVK_SET_(odd1[0]), square, o0));
  } else {
    *d0 = CONVK_MUL_(CONVK_KERNEL_(form_powers)(p, even0, 1, CONVK_SET_(even0[1])), p);
    *d1 = CONVK_MUL_(s, CONVK_KERNEL_(form_powers)(p, odd0, 1, CONVK_SET_(odd0[1])));
  }
}

/* The same for complex q, where d0 and d1 are complex themselves: by h_k = p h_{k-2} - s h_{k-3}, a loop for any order.  Order 2
   has its first term only. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_series_complex)(int order, const CONVK_V *p, const CONVK_V *s, CONVK_V *d0,
                                                       CONVK_V *d1) {
  CONVK_CONSTANT_ CONVK_T term[] = CONVK_TABLE_(FORM_SERIES);
  CONVK_V even[2], odd[2], before[2], minus[2];
  int d, k;
  CONVK_EACH_(d, 2) {
    minus[d] = CONVK_SUB_(CONVK_SET_(0), s[d]);
    d0[d] = d1[d] = before[d] = CONVK_SET_(0);
    even[d] = p[d];
    odd[d] = minus[d];
  }
  for (k = 0; k < order; k += 2) {
    CONVK_V a[2], b[2];
    CONVK_KERNEL_(form_times)(minus, before, 1, a);
    CONVK_KERNEL_(form_times)(minus, even, 1, b);
    CONVK_EACH_(d, 2) {
      d0[d] = CONVK_FMA_(even[d], CONVK_SET_(term[k]), d0[d]);
      if (order > 2) d1[d] = CONVK_FMA_(odd[d], CONVK_SET_(term[k + 1]), d1[d]);
      before[d] = odd[d];
    }
    CONVK_KERNEL_(form_times_add)(p, a, 1, even);
    CONVK_KERNEL_(form_times_add)(p, b, 1, odd);
  }
}

/* Multiplies exp(i q.r) = 1 - 2 a + 2 i b at the centroid by 1 - 2 (d0 + i d1), the series of `order`; order 2 has its first term
   only.  most: of real q 2, 4, 8, or 16 for orders 12 and 16.  du, dw: turns at two corners less those at the centroid. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_bend)(const int most, int order, const CONVK_V *du, const CONVK_V *dw, const int imag,
                                             CONVK_V *a, CONVK_V *b) {
  const CONVK_V a0 = *a, b0 = *b, third = CONVK_ADD_(du[0], dw[0]);
  CONVK_V d[2], p = CONVK_FMA_(du[0], third, CONVK_MUL_(dw[0], dw[0]));
  if (imag) {
    CONVK_V all[2], square[2], s[2], d0[2], d1[2];
    all[0] = third;
    all[1] = CONVK_ADD_(du[1], dw[1]);
    square[0] = CONVK_SUB_(p, CONVK_FMA_(du[1], all[1], CONVK_MUL_(dw[1], dw[1])));
    square[1] = CONVK_FMA_(du[0], CONVK_ADD_(all[1], du[1]), CONVK_MUL_(dw[0], CONVK_ADD_(all[1], dw[1])));
    CONVK_KERNEL_(form_times)(du, dw, 1, s);
    CONVK_KERNEL_(form_times)(s, all, 1, s);
    CONVK_KERNEL_(form_series_complex)(order, square, s, d0, d1);
    d[0] = CONVK_SUB_(d0[0], d1[1]);
    d[1] = CONVK_ADD_(d0[1], d1[0]);
  } else if (most > 2) {
    const CONVK_V s = CONVK_MUL_(CONVK_MUL_(du[0], dw[0]), third);
    CONVK_KERNEL_(form_series)(most, order, p, s, &d[0], &d[1]);
  } else {
    p = CONVK_MUL_(p, CONVK_SET_((CONVK_T)(CONVK_EITHER_(1.64493402f, 39.47841760435743 / 24)))); /* (2 pi)^2 / 24 */
    CONVK_APART_(p)
    d[0] = CONVK_ADD_(p, p);
    *a = CONVK_ADD_(CONVK_FNMA_(d[0], a0, a0), p);
    *b = CONVK_FNMA_(d[0], b0, b0);
    return;
  }
  { /* 1 - 2 a and 2 b are the exponential itself */
    const CONVK_V real = CONVK_FNMA_(CONVK_SET_(2), a0, CONVK_SET_(1)), other = CONVK_MUL_(CONVK_SET_(2), b0);
    *a = CONVK_FNMA_(d[1], other, CONVK_FMA_(d[0], real, a0));
    *b = CONVK_FNMA_(d[1], real, CONVK_FNMA_(d[0], other, b0));
  }
}

/* What form_mean does where a triangle's corners are not close to each other.  In lanes where they are, wide < close, what comes out
   is of no use. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_apart)(const CONVK_V (*w)[2], const CONVK_V *a, const CONVK_V *b, CONVK_V wide,
                                              CONVK_V close, const int imag, CONVK_V *mean_a, CONVK_V *mean_b) {
  CONVK_CONSTANT_ CONVK_T tangent[] = CONVK_TABLE_(FORM_TAN);
  const CONVK_V zero = CONVK_SET_(0), one = CONVK_SET_(1), middle = CONVK_SET_((CONVK_T)0.5f);
  const CONVK_V per = CONVK_SET_(CONVK_OF_(0.050660592f, 0.05066059182116889)); /* 1 / (2 pi^2) */
  const CONVK_V least = CONVK_MUL_(wide, CONVK_SET_((CONVK_T)CONVK_EITHER_(1.0f / 512, 1.0f / 8192)));
  CONVK_V product[2], re = zero, im = zero, size;
  int k;
  CONVK_EACH_(k, 3) { /* -re + i im is the sum */
    re = CONVK_FMA_(a[k], w[k][0], re);
    im = CONVK_FMA_(b[k], w[k][0], im);
    if (imag) {
      re = CONVK_FMA_(b[k], w[k][1], re);
      im = CONVK_FNMA_(a[k], w[k][1], im);
    }
  }
  CONVK_KERNEL_(form_times)(w[0], w[1], imag, product);
  CONVK_KERNEL_(form_times)(product, w[2], imag, product);
  product[0] = CONVK_LESS_(wide, close, one, product[0]);
  if (imag) product[1] = CONVK_LESS_(wide, close, zero, product[1]);
  size = CONVK_MUL_(product[0], product[0]);
  if (imag) size = CONVK_FMA_(product[1], product[1], size);
  if (CONVK_ANY_LESS_(size, least)) {
    const CONVK_V both = CONVK_SET_((CONVK_T)(1.0f / 160));
    CONVK_V square[3], few, fewest, ca[3], cb[3], v[3][2], top[2], e[2], tan[2], under[2], sum[2];
    CONVK_EACH_(k, 3) {
      square[k] = CONVK_MUL_(w[k][0], w[k][0]);
      if (imag) square[k] = CONVK_FMA_(w[k][1], w[k][1], square[k]);
    }
    few = CONVK_MIN_(square[1], square[0]);
    fewest = CONVK_MIN_(square[2], few);
    /* corners and w from the one opposite the shortest edge on: v[0] is that of this edge, v[1] of the next */
    CONVK_EACH_(k, 3) {
      const int l = k < 2 ? k + 1 : 0, m = k ? k - 1 : 2;
      ca[k] = CONVK_LESS_(square[2], few, a[m], CONVK_LESS_(square[1], square[0], a[l], a[k]));
      cb[k] = CONVK_LESS_(square[2], few, b[m], CONVK_LESS_(square[1], square[0], b[l], b[k]));
      v[k][0] = CONVK_LESS_(square[2], few, w[m][0], CONVK_LESS_(square[1], square[0], w[l][0], w[k][0]));
      if (imag) v[k][1] = CONVK_LESS_(square[2], few, w[m][1], CONVK_LESS_(square[1], square[0], w[l][1], w[k][1]));
    }
    /* pi times the mean over the short edge: e / under */
    if (imag) {
      CONVK_KERNEL_(form_times)(v[0], v[0], 1, sum);
      tan[0] = CONVK_SET_(tangent[CONVK_COUNT_(tangent) - 1]);
      tan[1] = zero;
      for (k = CONVK_COUNT_(tangent) - 2; k >= 0; k--) {
        e[0] = CONVK_SET_(tangent[k]);
        e[1] = zero;
        CONVK_KERNEL_(form_times_add)(sum, e, 1, tan);
      }
    } else {
      tan[0] = CONVK_KERNEL_(form_powers)(fewest, tangent, CONVK_COUNT_(tangent), zero);
    }
    e[0] = CONVK_SUB_(CONVK_SUB_(one, ca[1]), ca[2]);
    e[1] = CONVK_ADD_(cb[1], cb[2]);
    if (imag) {
      CONVK_KERNEL_(form_times)(tan, e, 1, e);
    } else {
      e[0] = CONVK_MUL_(tan[0], e[0]);
      e[1] = CONVK_MUL_(tan[0], e[1]);
    }
    e[0] = CONVK_LESS_(fewest, both, e[0], CONVK_SUB_(cb[1], cb[2]));
    e[1] = CONVK_LESS_(fewest, both, e[1], CONVK_SUB_(ca[1], ca[2]));
    under[0] = CONVK_LESS_(fewest, both, one, v[0][0]);
    under[1] = imag ? CONVK_LESS_(fewest, both, zero, v[0][1]) : zero;
    /* that over the next edge: top / v[1]; then e v[1] - top under over the product of both denominators and v[2] */
    top[0] = CONVK_SUB_(cb[2], cb[0]);
    top[1] = CONVK_SUB_(ca[2], ca[0]);
    sum[0] = CONVK_FNMA_(top[0], under[0], CONVK_MUL_(e[0], v[1][0]));
    sum[1] = CONVK_FNMA_(top[1], under[0], CONVK_MUL_(e[1], v[1][0]));
    if (imag) {
      sum[0] = CONVK_FMA_(top[1], under[1], CONVK_FNMA_(e[1], v[1][1], sum[0]));
      sum[1] = CONVK_FNMA_(top[0], under[1], CONVK_FMA_(e[0], v[1][1], sum[1]));
    }
    CONVK_KERNEL_(form_times)(under, v[1], imag, under);
    CONVK_KERNEL_(form_times)(under, v[2], imag, under);
    re = CONVK_LESS_(size, least, sum[1], re);
    im = CONVK_LESS_(size, least, sum[0], im);
    product[0] = CONVK_LESS_(size, least, under[0], product[0]);
    if (imag) product[1] = CONVK_LESS_(size, least, under[1], product[1]);
  }
  if (imag) {
    const CONVK_V over = CONVK_DIV_(per, CONVK_FMA_(product[1], product[1], CONVK_MUL_(product[0], product[0])));
    *mean_a = CONVK_FMA_(over, CONVK_FNMA_(im, product[1], CONVK_MUL_(re, product[0])), middle);
    *mean_b = CONVK_MUL_(over, CONVK_FMA_(re, product[1], CONVK_MUL_(im, product[0])));
  } else {
    const CONVK_V over = CONVK_DIV_(per, product[0]);
    *mean_a = CONVK_FMA_(re, over, middle);
    *mean_b = CONVK_MUL_(im, over);
  }
}

/* The mean of exp(i q.r) over a triangle, exactly, by what lies at its corners: turns u (complex where imag) and a, b of
   exp(i q.r) = 1 - 2 a + 2 i b there; out come a and b of the mean.  With w_0 = u_1 - u_2 and so on, and y = -a + i b, it is
     1 / pi^2 sum y_k w_k / (w_0 w_1 w_2).
   Where two corners have nearly the same phase the sum cancels.  If these are 1 and 2, it is
     i (e_12 - e_20) / (pi (u_0 - u_1)),
   e_kl being the mean over an edge, (y_k - y_l) / (i x), x = pi (u_k - u_l), or where that cancels, too, the mean of the ends times
   tan(x) / x.  Where all three corners are close the series does it.  Each lane goes its own way, whatever the others do. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_mean)(const CONVK_V (*u)[2], const CONVK_V *a, const CONVK_V *b, const int imag,
                                             CONVK_V *mean_a, CONVK_V *mean_b) {
  const CONVK_V third = CONVK_SET_(CONVK_OF_(0.33333334f, 0.3333333333333333)), close = CONVK_SET_(CONVK_OF_(0.146f, 0.2));
  CONVK_V w[3][2], wide = CONVK_SET_(0);
  unsigned in;
  int k, d;
  CONVK_EACH_(k, 3) CONVK_EACH_(d, 1 + imag) {
    w[k][d] = CONVK_SUB_(u[k < 2 ? k + 1 : 0][d], u[k ? k - 1 : 2][d]);
    wide = CONVK_FMA_(w[k][d], w[k][d], wide);
  }
  in = CONVK_WHICH_LESS_(wide, close);
  if (in != ((1u << CONVK_LANES) - 1))
    CONVK_KERNEL_(form_apart)((const CONVK_V(*)[2])w, a, b, wide, close, imag, mean_a, mean_b);
  if (in) {
    CONVK_V center[2], s, c, near_a, near_b, du[2], dw[2], loss = CONVK_SET_(0);
    CONVK_EACH_(d, 1 + imag) {
      center[d] = CONVK_MUL_(CONVK_ADD_(CONVK_ADD_(u[0][d], u[1][d]), u[2][d]), third);
      du[d] = CONVK_MUL_(CONVK_SUB_(w[2][d], w[1][d]), third);
      dw[d] = CONVK_MUL_(CONVK_SUB_(w[0][d], w[2][d]), third);
      CONVK_APART_(center[d])
      CONVK_APART_(du[d])
      CONVK_APART_(dw[d])
    }
    CONVK_KERNEL_(form_half_turn)(CONVK_KERNEL_(form_turn_left)(center[0]), &s, &c);
    if (imag) loss = CONVK_KERNEL_(form_half_loss)(CONVK_KERNEL_(form_exponent)(center[1]));
    CONVK_KERNEL_(form_damp)(imag, loss, s, c, &near_a, &near_b);
    CONVK_KERNEL_(form_bend)(CONVK_EITHER_(8, 16), CONVK_EITHER_(8, 16), du, dw, imag, &near_a, &near_b);
    *mean_a = CONVK_LESS_(wide, close, near_a, *mean_a);
    *mean_b = CONVK_LESS_(wide, close, near_b, *mean_b);
  }
}

/* Adds a triangle, g = q.a / |q|, to the sums.  conj(q).a = |q| (g - i Im q_z / |q| a_z): what the last part takes has sums of its
   own. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_add)(CONVK_V g, CONVK_V area_z, CONVK_V a, CONVK_V b, const int imag, CONVK_V *re,
                                            CONVK_V *im, CONVK_V *re_z, CONVK_V *im_z) {
  *re = CONVK_FMA_(g, a, *re);
  *im = CONVK_FMA_(g, b, *im);
  if (imag) {
    *re_z = CONVK_FMA_(area_z, b, *re_z);
    *im_z = CONVK_FMA_(area_z, a, *im_z);
  }
}

/* The same where all components of q may be complex: h = imag_along.a, and conj(q).a = |q| (g - i h). */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_add_full)(const int imag, CONVK_V g, CONVK_V h, CONVK_V a, CONVK_V b, CONVK_V *re,
                                                 CONVK_V *im) {
  *re = CONVK_FMA_(g, a, *re);
  *im = CONVK_FMA_(g, b, *im);
  if (imag) {
    *re = CONVK_FNMA_(h, b, *re);
    *im = CONVK_FMA_(h, a, *im);
  }
}

/* Of a row of a grid and a triangle, whose E - 1 on the row's two axes are e and f: the complex factors of E_lane, that of q_lane
   last.  area: the lanes' axis first.
   Fourth order: factors of the powers 0 to 3 of q_lane, which is that of lengths times `per`.  corner: u, then w, as area.  With
   D = (1 + e) (1 + f) - 1 they are those of conj(q).a (D - Q (1 + D)), where Q, the sum of (q.d_i)^2 / 24 over the corners, is
   Q_0 + q_lane Q_1 + q_lane^2 Q_2. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_terms)(const CONVK_V *q, const CONVK_V *q_imag, const CONVK_V *area,
                                              const CONVK_V *corner, CONVK_V per, CONVK_V er, CONVK_V ei, CONVK_V fr,
                                              CONVK_V fi, const int fourth_order, CONVK_V *term) {
  const CONVK_V g = CONVK_FMA_(q[1], area[2], CONVK_MUL_(q[0], area[1]));
  const CONVK_V h = CONVK_FMA_(q_imag[1], area[2], CONVK_MUL_(q_imag[0], area[1]));
  /* the product less 1: e + f + e f */
  CONVK_V dr = CONVK_ADD_(CONVK_ADD_(er, fr), CONVK_FNMA_(ei, fi, CONVK_MUL_(er, fr)));
  CONVK_V di = CONVK_ADD_(CONVK_ADD_(ei, fi), CONVK_FMA_(er, fi, CONVK_MUL_(ei, fr)));
  if (fourth_order) {
    const CONVK_V twelfth = CONVK_SET_(CONVK_OF_(-0.083333336f, -0.08333333333333333)), a = CONVK_MUL_(per, area[0]);
    /* q.u = p + q_lane u, q.w = s + q_lane w; 12 Q = (q.u)^2 + (q.u) (q.w) + (q.w)^2 */
    const CONVK_V u = CONVK_MUL_(per, corner[0]), w = CONVK_MUL_(per, corner[3]);
    const CONVK_V uuw = CONVK_ADD_(CONVK_ADD_(u, u), w), wwu = CONVK_ADD_(CONVK_ADD_(w, w), u);
    const CONVK_V pr = CONVK_FMA_(q[1], corner[2], CONVK_MUL_(q[0], corner[1]));
    const CONVK_V pi = CONVK_FMA_(q_imag[1], corner[2], CONVK_MUL_(q_imag[0], corner[1]));
    const CONVK_V sr = CONVK_FMA_(q[1], corner[5], CONVK_MUL_(q[0], corner[4]));
    const CONVK_V si = CONVK_FMA_(q_imag[1], corner[5], CONVK_MUL_(q_imag[0], corner[4]));
    const CONVK_V zero = CONVK_FMA_(pr, CONVK_ADD_(pr, sr), CONVK_MUL_(sr, sr));
    const CONVK_V zero_r = CONVK_FNMA_(pi, CONVK_ADD_(pi, si), CONVK_FNMA_(si, si, zero));
    const CONVK_V zero_i =
        CONVK_FMA_(pr, CONVK_ADD_(CONVK_ADD_(pi, pi), si), CONVK_MUL_(sr, CONVK_ADD_(CONVK_ADD_(si, si), pi)));
    const CONVK_V one_r = CONVK_FMA_(pr, uuw, CONVK_MUL_(sr, wwu)), one_i = CONVK_FMA_(pi, uuw, CONVK_MUL_(si, wwu));
    const CONVK_V two = CONVK_FMA_(u, CONVK_ADD_(u, w), CONVK_MUL_(w, w));
    /* times -(1 + D) / 12 */
    const CONVK_V yr = CONVK_MUL_(twelfth, CONVK_ADD_(CONVK_SET_(1), dr)), yi = CONVK_MUL_(twelfth, di);
    const CONVK_V xr = CONVK_FNMA_(one_i, yi, CONVK_MUL_(one_r, yr)), xi = CONVK_FMA_(one_i, yr, CONVK_MUL_(one_r, yi));
    const CONVK_V vr = CONVK_MUL_(two, yr), vi = CONVK_MUL_(two, yi);
    dr = CONVK_FNMA_(zero_i, yi, CONVK_FMA_(zero_r, yr, dr));
    di = CONVK_FMA_(zero_i, yr, CONVK_FMA_(zero_r, yi, di));
    term[2] = CONVK_FMA_(g, xr, CONVK_FMA_(h, xi, CONVK_MUL_(a, dr)));
    term[3] = CONVK_FMA_(g, xi, CONVK_FNMA_(h, xr, CONVK_MUL_(a, di)));
    term[4] = CONVK_FMA_(g, vr, CONVK_FMA_(h, vi, CONVK_MUL_(a, xr)));
    term[5] = CONVK_FMA_(g, vi, CONVK_FNMA_(h, vr, CONVK_MUL_(a, xi)));
    term[6] = CONVK_MUL_(a, vr);
    term[7] = CONVK_MUL_(a, vi);
  } else {
    term[2] = CONVK_MUL_(area[0], dr);
    term[3] = CONVK_MUL_(area[0], di);
  }
  term[0] = CONVK_FMA_(g, dr, CONVK_MUL_(h, di));
  term[1] = CONVK_FNMA_(h, dr, CONVK_MUL_(g, di));
}

/* Adds those `count` factors times E_lane. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_multiply)(CONVK_V q, const CONVK_V *term, const int count, CONVK_V er, CONVK_V ei,
                                                 CONVK_V *re, CONVK_V *im) {
  CONVK_V ur = term[2 * count - 2], ui = term[2 * count - 1];
  int k;
  CONVK_UNROLL_
  for (k = count - 2; k >= 0; k--) {
    ur = CONVK_FMA_(q, ur, term[2 * k]);
    ui = CONVK_FMA_(q, ui, term[2 * k + 1]);
  }
  *re = CONVK_FNMA_(ui, ei, CONVK_FMA_(ur, er, *re));
  *im = CONVK_FMA_(ui, er, CONVK_FMA_(ur, ei, *im));
}

#undef CONVK_APART_
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_FORMFACTOR_
/* ---- src/formfactor/kernel.h ---- */
#define CONVK_FORM_V_ 2

/* The sum for V vectors of q; element.h says of what.
   loss: (1 - e) / 2 of the triangles where all of these q have one imaginary part, or NULL.  A triangle's u and e
   are taken while the one before is summed: 5 to 12% faster. */
CONVK_INLINE_ void CONVK_KERNEL_(form_list_of)(const CONVK_PRIVATE_(form_part) *p, size_t i, const CONVK_T *loss, const int V,
                                               const int imag, const int order) {
  const int full = imag && order; /* q in all components, else in z alone */
  const CONVK_PRIVATE_(any) *ax = p->area[0], *ay = p->area[1], *az = p->area[2], *x = p->at[0], *y = p->at[1], *z = p->at[2];
  CONVK_V turns[CONVK_FORM_V_][3], along[CONVK_FORM_V_][3], decay[CONVK_FORM_V_], it[CONVK_FORM_V_][3], ia[CONVK_FORM_V_][3];
  CONVK_V left[CONVK_FORM_V_], gone[CONVK_FORM_V_];
  CONVK_V re[CONVK_FORM_V_], im[CONVK_FORM_V_], re_z[CONVK_FORM_V_], im_z[CONVK_FORM_V_];
  size_t t;
  int v, d;
  CONVK_UNROLL_
  for (v = 0; v < V; v++, i += CONVK_LANES) {
    const CONVK_V first[3] = {CONVK_SET_(x[0]), CONVK_SET_(y[0]), CONVK_SET_(z[0])};
    CONVK_UNROLL_
    for (d = 0; d < 3; d++) {
      turns[v][d] = CONVK_LOAD_(p->turns[d] + i);
      along[v][d] = CONVK_LOAD_(p->along[d] + i);
    }
    re[v] = im[v] = re_z[v] = im_z[v] = gone[v] = CONVK_SET_(0);
    left[v] = CONVK_KERNEL_(form_turn_left)(CONVK_KERNEL_(form_dot)(turns[v], first));
    if (imag) {
      if (full) CONVK_EACH_(d, 3) {
          it[v][d] = CONVK_LOAD_(p->imag_turns[d] + i);
          ia[v][d] = CONVK_LOAD_(p->imag_along[d] + i);
        }
      decay[v] = CONVK_LOAD_(p->decay + i);
      gone[v] = CONVK_KERNEL_(form_half_loss)(full ? CONVK_KERNEL_(form_exponent)(CONVK_KERNEL_(form_dot)(it[v], first))
                                                   : CONVK_MUL_(decay[v], first[2]));
    }
  }
  for (t = 0; t < p->n; t++) {
    const size_t next = t + 1 < p->n ? t + 1 : t;
    const CONVK_V at[3] = {CONVK_SET_(x[next]), CONVK_SET_(y[next]), CONVK_SET_(z[next])};
    const CONVK_V area[3] = {CONVK_SET_(ax[t]), CONVK_SET_(ay[t]), CONVK_SET_(az[t])};
    CONVK_V g[CONVK_FORM_V_], s[CONVK_FORM_V_], c[CONVK_FORM_V_], a[CONVK_FORM_V_], b[CONVK_FORM_V_];
    CONVK_EACH_(v, V) g[v] = CONVK_KERNEL_(form_dot)(along[v], area);
    CONVK_KERNEL_(form_half_turns)(left, s, c, V);
    CONVK_EACH_(v, V) left[v] = CONVK_KERNEL_(form_turn_left)(CONVK_KERNEL_(form_dot)(turns[v], at));
    CONVK_EACH_(v, V) {
      CONVK_KERNEL_(form_damp)(imag, imag && loss ? CONVK_SET_(loss[t]) : gone[v], s[v], c[v], &a[v], &b[v]);
      if (full) gone[v] = CONVK_KERNEL_(form_exponent)(CONVK_KERNEL_(form_dot)(it[v], at));
      else if (imag) gone[v] = CONVK_MUL_(decay[v], at[2]);
    }
    if (imag) CONVK_KERNEL_(form_half_losses)(gone, V);
    if (order) CONVK_EACH_(v, V) {
        const CONVK_V u[3] = {CONVK_SET_(p->u[0][t]), CONVK_SET_(p->u[1][t]), CONVK_SET_(p->u[2][t])};
        const CONVK_V w[3] = {CONVK_SET_(p->w[0][t]), CONVK_SET_(p->w[1][t]), CONVK_SET_(p->w[2][t])};
        const CONVK_V du[2] = {CONVK_KERNEL_(form_dot)(turns[v], u), full   ? CONVK_KERNEL_(form_dot)(it[v], u)
                                                                     : imag ? CONVK_MUL_(it[v][2], u[2])
                                                                            : g[v]};
        const CONVK_V dw[2] = {CONVK_KERNEL_(form_dot)(turns[v], w), full   ? CONVK_KERNEL_(form_dot)(it[v], w)
                                                                     : imag ? CONVK_MUL_(it[v][2], w[2])
                                                                            : g[v]};
        CONVK_KERNEL_(form_bend)(order, p->order, du, dw, imag, &a[v], &b[v]);
      }
    CONVK_EACH_(v, V) {
      if (full) CONVK_KERNEL_(form_add_full)(1, g[v], CONVK_KERNEL_(form_dot)(ia[v], area), a[v], b[v], &re[v], &im[v]);
      else CONVK_KERNEL_(form_add)(g[v], area[2], a[v], b[v], imag, &re[v], &im[v], &re_z[v], &im_z[v]);
    }
  }
  CONVK_UNROLL_
  for (v = V - 1; v >= 0; v--) {
    i -= CONVK_LANES;
    if (imag && !full) {
      const CONVK_V along_z = CONVK_LOAD_(p->imag_along[2] + i);
      re[v] = CONVK_FNMA_(along_z, re_z[v], re[v]);
      im[v] = CONVK_FMA_(along_z, im_z[v], im[v]);
    }
    CONVK_STORE_(p->re + i, re[v]);
    CONVK_STORE_(p->im + i, im[v]);
  }
}

/* Whether V vectors have one imaginary part, as the rows of a detector do: then what the triangles lose, once for all of them. */
CONVK_INLINE_ int CONVK_KERNEL_(form_loss)(const CONVK_PRIVATE_(form_part) *p, size_t i, const int V, CONVK_T *loss) {
  const CONVK_T *z = (const CONVK_T *)(const void *)p->at[2];
  const CONVK_V decay = CONVK_SET_(p->decay[i]);
  size_t k;
  for (k = 1; k < (size_t)V * CONVK_LANES; k++)
    if (p->decay[i + k] < p->decay[i] || p->decay[i + k] > p->decay[i]) return 0;
  for (k = 0; k + CONVK_LANES <= p->n; k += CONVK_LANES)
    CONVK_STORE_(loss + k, CONVK_KERNEL_(form_half_loss)(CONVK_MUL_(decay, CONVK_LOAD_(z + k))));
  if (k < p->n)
    CONVK_STOREK_(loss + k, CONVK_KERNEL_(form_half_loss)(CONVK_MUL_(decay, CONVK_LOADK_(z + k, p->n - k))), p->n - k);
  return 1;
}

static void CONVK_KERNEL_(form_list)(const CONVK_PRIVATE_(form_part) *p) {
  enum { V = CONVK_REGISTERS_ > 16 || !CONVK_FUSES_ ? CONVK_FORM_V_ : 1 };
  CONVK_T loss[CONVK_FORM_TRIANGLES_];
  const size_t step = (p->order ? 1 : CONVK_FORM_V_) * CONVK_LANES;
  size_t i, k;
  for (i = 0; i < p->nq; i += step)
    if (p->order) { /* one vector of q at a time: more of them are rarely faster, and a text less to compile */
      if (p->imag) CONVK_KERNEL_(form_list_of)(p, i, NULL, 1, 1, 2); /* and any above */
      else if (p->order == 2) CONVK_KERNEL_(form_list_of)(p, i, NULL, 1, 0, 2);
      else if (p->order == 4) CONVK_KERNEL_(form_list_of)(p, i, NULL, 1, 0, 4);
      else if (p->order == 8) CONVK_KERNEL_(form_list_of)(p, i, NULL, 1, 0, 8);
      else CONVK_KERNEL_(form_list_of)(p, i, NULL, 1, 0, 16);
    } else if (p->imag && CONVK_KERNEL_(form_loss)(p, i, CONVK_FORM_V_, loss)) {
      CONVK_KERNEL_(form_list_of)(p, i, loss, CONVK_FORM_V_, 1, 0);
    } else { /* exponentials of two vectors together, or all of two without as many registers, wait for each other's places */
      for (k = 0; p->imag && k < CONVK_FORM_V_; k++) CONVK_KERNEL_(form_list_of)(p, i + k * CONVK_LANES, NULL, 1, 1, 0);
      for (k = 0; !p->imag && k < CONVK_FORM_V_; k += V) CONVK_KERNEL_(form_list_of)(p, i + k * CONVK_LANES, NULL, V, 0, 0);
    }
  CONVK_LEAVE_
}

/* The exact sum for one vector of q: sines and cosines at the vertices, then faces. */
CONVK_INLINE_ void CONVK_KERNEL_(form_faces_of)(const CONVK_PRIVATE_(form_part) *p, size_t i, CONVK_V *phase, const int imag) {
  const CONVK_PRIVATE_(any) *x = p->vertex[0], *y = p->vertex[1], *z = p->vertex[2];
  const unsigned short *corner = p->corner;
  const CONVK_V zero = CONVK_SET_(0);
  CONVK_V turns[3], along[3], it[3], ia[3], re = zero, im = zero;
  size_t t;
  int d, k;
  CONVK_UNROLL_
  for (d = 0; d < 3; d++) {
    turns[d] = CONVK_LOAD_(p->turns[d] + i);
    along[d] = CONVK_LOAD_(p->along[d] + i);
    it[d] = ia[d] = zero;
    if (imag) {
      it[d] = CONVK_LOAD_(p->imag_turns[d] + i);
      ia[d] = CONVK_LOAD_(p->imag_along[d] + i);
    }
  }
  for (t = 0; t < p->vertices; t++) {
    const CONVK_V at[3] = {CONVK_SET_(x[t]), CONVK_SET_(y[t]), CONVK_SET_(z[t])};
    CONVK_V s, c, loss = zero, *to = phase + 4 * t;
    to[0] = CONVK_KERNEL_(form_dot)(turns, at);
    CONVK_KERNEL_(form_half_turn)(CONVK_KERNEL_(form_turn_left)(to[0]), &s, &c);
    if (imag) {
      to[1] = CONVK_KERNEL_(form_dot)(it, at);
      loss = CONVK_KERNEL_(form_half_loss)(CONVK_KERNEL_(form_exponent)(to[1]));
    }
    CONVK_KERNEL_(form_damp)(imag, loss, s, c, &to[2], &to[3]);
  }
  for (t = 0; t < p->n; t++, corner += 3) {
    const CONVK_V area[3] = {CONVK_SET_(p->area[0][t]), CONVK_SET_(p->area[1][t]), CONVK_SET_(p->area[2][t])};
    CONVK_V u[3][2], a[3], b[3], mean_a = zero, mean_b = zero;
    CONVK_UNROLL_
    for (k = 0; k < 3; k++) {
      const CONVK_V *from = phase + 4 * (size_t)corner[k];
      u[k][0] = from[0];
      if (imag) u[k][1] = from[1];
      a[k] = from[2];
      b[k] = from[3];
    }
    CONVK_KERNEL_(form_mean)((const CONVK_V(*)[2])u, a, b, imag, &mean_a, &mean_b);
    CONVK_KERNEL_(form_add_full)
    (imag, CONVK_KERNEL_(form_dot)(along, area), imag ? CONVK_KERNEL_(form_dot)(ia, area) : area[0], mean_a, mean_b, &re, &im);
  }
  CONVK_STORE_(p->re + i, re);
  CONVK_STORE_(p->im + i, im);
}

static void CONVK_KERNEL_(form_faces)(const CONVK_PRIVATE_(form_part) *p) {
  CONVK_V phase[4 * CONVK_FORM_VERTICES_];
  size_t i;
  for (i = 0; i < p->nq; i += CONVK_LANES)
    if (p->imag) CONVK_KERNEL_(form_faces_of)(p, i, phase, 1);
    else CONVK_KERNEL_(form_faces_of)(p, i, phase, 0);
  CONVK_LEAVE_
}

/* E of the lanes and their moments, for a block of triangles. */
static void CONVK_KERNEL_(form_lanes)(const CONVK_PRIVATE_(form_tile) *p) {
  const CONVK_V one = CONVK_SET_(1);
  CONVK_T *phase = p->phase;
  size_t i, t;
  int d;
  for (i = 0; i < p->lanes; i += CONVK_LANES) {
    const CONVK_V turns = CONVK_LOAD_(p->turns + i);
    CONVK_V re[3], im[3];
    for (d = 0; d < 3; d++) re[d] = im[d] = CONVK_SET_(0);
    for (t = 0; t < CONVK_FORM_BLOCK_; t++, phase += 2 * CONVK_LANES) {
      CONVK_V s, c, a, b;
      CONVK_KERNEL_(form_half_turn)(CONVK_KERNEL_(form_product_left)(turns, CONVK_SET_(p->at[0][t])), &s, &c);
      CONVK_KERNEL_(form_damp)(0, one, s, c, &a, &b);
      CONVK_STORE_(phase, CONVK_SUB_(one, CONVK_ADD_(a, a)));
      CONVK_STORE_(phase + CONVK_LANES, CONVK_ADD_(b, b));
      CONVK_UNROLL_
      for (d = 0; d < 3; d++) {
        const CONVK_V area = CONVK_SET_(p->area[d][t]);
        re[d] = CONVK_FMA_(area, a, re[d]);
        im[d] = CONVK_FMA_(area, b, im[d]);
      }
    }
    for (d = 0; d < 3; d++) {
      CONVK_STORE_(p->moment + 2 * (size_t)d * p->lanes + i, re[d]);
      CONVK_STORE_(p->moment + (2 * (size_t)d + 1) * p->lanes + i, im[d]);
    }
  }
  CONVK_LEAVE_
}

/* E - 1 of one value of q of the rows, for the coordinates of a block: real parts, then imaginary parts. */
static void CONVK_KERNEL_(form_row)(const CONVK_T *at, CONVK_T turns, int imag, CONVK_T decay, CONVK_T *phase) {
  const CONVK_V zero = CONVK_SET_(0);
  size_t t;
  for (t = 0; t < CONVK_FORM_BLOCK_; t += CONVK_LANES) {
    const CONVK_V r = CONVK_LOAD_(at + t);
    CONVK_V s, c, a, b, loss = zero;
    CONVK_KERNEL_(form_half_turn)(CONVK_KERNEL_(form_product_left)(CONVK_SET_(turns), r), &s, &c);
    if (imag) loss = CONVK_KERNEL_(form_half_loss)(CONVK_MUL_(CONVK_SET_(decay), r));
    CONVK_KERNEL_(form_damp)(imag, loss, s, c, &a, &b);
    CONVK_STORE_(phase + t, CONVK_SUB_(zero, CONVK_ADD_(a, a)));
    CONVK_STORE_(phase + CONVK_FORM_BLOCK_ + t, CONVK_ADD_(b, b));
  }
  CONVK_LEAVE_
}

/* The factors of E_lane of one row. */
CONVK_INLINE_ void CONVK_KERNEL_(form_row_terms)(const CONVK_PRIVATE_(form_tile) *p, int r, const int fourth_order) {
  const size_t count = fourth_order ? 8 : 4;
  const CONVK_V q[2] = {CONVK_SET_(p->row_q[r][0]), CONVK_SET_(p->row_q[r][1])};
  const CONVK_V imag[2] = {CONVK_SET_(p->row_imag[r][0]), CONVK_SET_(p->row_imag[r][1])};
  const CONVK_T *e = p->row_phase[r][0], *f = p->row_phase[r][1];
  CONVK_T *to = p->terms + count * CONVK_FORM_BLOCK_ * (size_t)r;
  size_t t, k;
  for (t = 0; t < CONVK_FORM_BLOCK_; t += CONVK_LANES, to += CONVK_LANES) {
    const CONVK_V area[3] = {CONVK_LOAD_(p->area[0] + t), CONVK_LOAD_(p->area[1] + t), CONVK_LOAD_(p->area[2] + t)};
    CONVK_V corner[6], term[8];
    CONVK_UNROLL_
    for (k = 0; k < 6; k++) corner[k] = fourth_order ? CONVK_LOAD_(p->corner[k] + t) : area[0];
    CONVK_KERNEL_(form_terms)
    (q, imag, area, corner, CONVK_SET_(p->per), CONVK_LOAD_(e + t), CONVK_LOAD_(e + CONVK_FORM_BLOCK_ + t), CONVK_LOAD_(f + t),
     CONVK_LOAD_(f + CONVK_FORM_BLOCK_ + t), fourth_order, term);
    CONVK_UNROLL_
    for (k = 0; k < count; k++) CONVK_STORE_(to + k * CONVK_FORM_BLOCK_, term[k]);
  }
}

/* The product for the four rows and V vectors of lanes from i on, with `count` factors. */
CONVK_INLINE_ void CONVK_KERNEL_(form_product)(const CONVK_PRIVATE_(form_tile) *p, size_t i, const int V, const int count) {
  const CONVK_T *phase = p->phase + 2 * CONVK_FORM_BLOCK_ * i, *terms = p->terms;
  CONVK_V q[CONVK_FORM_V_], re[CONVK_FORM_ROWS_][CONVK_FORM_V_], im[CONVK_FORM_ROWS_][CONVK_FORM_V_];
  size_t t, h;
  int v, r, k;
  CONVK_UNROLL_
  for (v = 0; v < V; v++) {
    q[v] = CONVK_LOAD_(p->q + i + (size_t)v * CONVK_LANES);
    CONVK_UNROLL_
    for (r = 0; r < CONVK_FORM_ROWS_; r++) re[r][v] = im[r][v] = CONVK_SET_(0);
  }
  for (t = 0; t < CONVK_FORM_BLOCK_; t++, terms++, phase += 2 * CONVK_LANES) {
    CONVK_UNROLL_
    for (r = 0; r < CONVK_FORM_ROWS_; r++) {
      CONVK_V term[8];
      CONVK_UNROLL_
      for (k = 0; k < 2 * count; k++) term[k] = CONVK_SET_(terms[(2 * count * r + k) * (int)CONVK_FORM_BLOCK_]);
      CONVK_UNROLL_
      for (v = 0; v < V; v++) {
        const CONVK_V er = CONVK_LOAD_(phase + 2 * CONVK_FORM_BLOCK_ * CONVK_LANES * (size_t)v);
        const CONVK_V ei = CONVK_LOAD_(phase + 2 * CONVK_FORM_BLOCK_ * CONVK_LANES * (size_t)v + CONVK_LANES);
        CONVK_KERNEL_(form_multiply)(q[v], term, count, er, ei, &re[r][v], &im[r][v]);
      }
    }
  }
  CONVK_UNROLL_
  for (r = 0; r < CONVK_FORM_ROWS_; r++) CONVK_UNROLL_
  for (v = 0; v < V; v++)
    for (h = 0; h < CONVK_LANES / CONVK_DLANES_; h++) {
      double *sum = p->sum[r] + i + (size_t)v * CONVK_LANES + h * CONVK_DLANES_;
      CONVK_DSTORE_(sum, CONVK_DADD_(CONVK_DLOAD_(sum), CONVK_DPART_(re[r][v], h)));
      CONVK_DSTORE_(sum + p->lanes, CONVK_DADD_(CONVK_DLOAD_(sum + p->lanes), CONVK_DPART_(im[r][v], h)));
    }
}

static void CONVK_KERNEL_(form_rows)(const CONVK_PRIVATE_(form_tile) *p) {
  /* two vectors read the factors half as often, but need more registers; with fourth order one is work enough where that fuses */
  enum { TAIL = CONVK_FORM_V_ * CONVK_LANES > CONVK_FORM_QUANTUM_ };
  enum {
    V = CONVK_REGISTERS_ > 16 || !CONVK_FUSES_ ? CONVK_FORM_V_ : 1,
    FOURTH_V = CONVK_FUSES_ != 0 || TAIL != 0 ? 1 : CONVK_FORM_V_
  };
  size_t i = 0;
  int r;
  for (r = 0; r < CONVK_FORM_ROWS_; r++) {
    if (p->fourth_order) CONVK_KERNEL_(form_row_terms)(p, r, 1);
    else CONVK_KERNEL_(form_row_terms)(p, r, 0);
  }
  for (; p->fourth_order && i < p->lanes; i += FOURTH_V * CONVK_LANES) CONVK_KERNEL_(form_product)(p, i, FOURTH_V, 4);
  for (; i + V * CONVK_LANES <= p->lanes; i += V * CONVK_LANES) CONVK_KERNEL_(form_product)(p, i, V, 2);
  for (; TAIL && i < p->lanes; i += CONVK_LANES) CONVK_KERNEL_(form_product)(p, i, 1, 2);
  CONVK_LEAVE_
}

CONVK_LOCAL_ const CONVK_PRIVATE_(form_kernels) *CONVK_KERNEL_(form_kernels)(void) {
  static const CONVK_PRIVATE_(form_kernels) kernels = {CONVK_KERNEL_(form_list), CONVK_KERNEL_(form_faces),
                                                       CONVK_KERNEL_(form_lanes), CONVK_KERNEL_(form_row),
                                                       CONVK_KERNEL_(form_rows)};
  return &kernels;
}
#elif CONVK_HAS_FORMFACTOR_
/* ---- src/formfactor/triangle.h ---- */
/* Adds one triangle to the sums of one q, as devices do it.  given: what form_given makes of q; order: as form_order says, of which a
   compiler may know more or less; corners: 0 where it is surely 0, and u, w are not there. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_triangle)(const int corners, const int order, const CONVK_V *given, const CONVK_V *area,
                                                 const CONVK_V *at, const CONVK_V *u, const CONVK_V *w, const int imag,
                                                 CONVK_V *re, CONVK_V *im, CONVK_V *re_z, CONVK_V *im_z) {
  const CONVK_V *turns = given, *along = given + 3, it[3] = {given[10], given[12], given[8]};
  const CONVK_V g = CONVK_KERNEL_(form_dot)(along, area), center = CONVK_KERNEL_(form_dot)(turns, at);
  const int full = imag && order; /* all components of q may be complex, else z alone */
  CONVK_V du[2] = {0, 0}, dw[2] = {0, 0}, a = 0, b = 0, s, c, loss = 0;
  if (corners) {
    du[0] = CONVK_KERNEL_(form_dot)(turns, u);
    dw[0] = CONVK_KERNEL_(form_dot)(turns, w);
    if (imag) du[1] = CONVK_KERNEL_(form_dot)(it, u);
    if (imag) dw[1] = CONVK_KERNEL_(form_dot)(it, w);
  }
  if (corners && order == CONVK_FORM_MEAN_) {
    const CONVK_V middle[2] = {center, imag ? CONVK_KERNEL_(form_dot)(it, at) : 0};
    CONVK_V turned[3][2], p[3], q[3];
    int d, k;
    CONVK_UNROLL_
    for (d = 0; d < 1 + imag; d++) {
      turned[0][d] = CONVK_ADD_(middle[d], du[d]);
      turned[1][d] = CONVK_ADD_(middle[d], dw[d]);
      turned[2][d] = CONVK_SUB_(middle[d], CONVK_ADD_(du[d], dw[d]));
    }
    CONVK_UNROLL_
    for (k = 0; k < 3; k++) {
      CONVK_KERNEL_(form_half_turn)(CONVK_KERNEL_(form_turn_left)(turned[k][0]), &s, &c);
      if (imag) loss = CONVK_KERNEL_(form_half_loss)(CONVK_KERNEL_(form_exponent)(turned[k][1]));
      CONVK_KERNEL_(form_damp)(imag, loss, s, c, &p[k], &q[k]);
    }
    CONVK_KERNEL_(form_mean)((const CONVK_V(*)[2])turned, p, q, imag, &a, &b);
  } else {
    CONVK_KERNEL_(form_half_turn)(CONVK_KERNEL_(form_turn_left)(center), &s, &c);
    if (imag)
      loss = CONVK_KERNEL_(form_half_loss)(full ? CONVK_KERNEL_(form_exponent)(CONVK_KERNEL_(form_dot)(it, at))
                                                : CONVK_MUL_(given[6], at[2]));
    CONVK_KERNEL_(form_damp)(imag, loss, s, c, &a, &b);
    if (corners && imag && order) CONVK_KERNEL_(form_bend)(2, order, du, dw, 1, &a, &b);
    if (corners && !imag && order == 2) CONVK_KERNEL_(form_bend)(2, 2, du, dw, 0, &a, &b);
    if (corners && !imag && order == 4) CONVK_KERNEL_(form_bend)(4, 4, du, dw, 0, &a, &b);
    if (corners && !imag && order == 8) CONVK_KERNEL_(form_bend)(8, 8, du, dw, 0, &a, &b);
    if (corners && !imag && order > 8) CONVK_KERNEL_(form_bend)(16, order, du, dw, 0, &a, &b);
  }
  if (full) {
    const CONVK_V ia[3] = {given[9], given[11], given[7]};
    CONVK_KERNEL_(form_add_full)(1, g, CONVK_KERNEL_(form_dot)(ia, area), a, b, re, im);
  } else {
    CONVK_KERNEL_(form_add)(g, area[2], a, b, imag, re, im, re_z, im_z);
  }
}
/* ---- src/formfactor/numbers.h ---- */
/* What kernels need of a q, and F from what they sum: once for drivers of processors, OpenCL and CUDA, in doubles (on a device
   without them in its floats).  q: x, y, z, and the imaginary parts of z, x, y.  CONVK_R is the type, and words with R round once each. */
#if defined CONVK_PASS_ && CONVK_PASS_ == CONVK_PASS_DRIVER_
#define CONVK_ELEMENT_ CONVK_LOCAL_
#define CONVK_KERNEL_(name) CONVK_PRIVATE_(name)
#define CONVK_R double
#define CONVK_ROF_(f32, f64) f64
#define CONVK_RADD_(a, b) ((a) + (b))
#define CONVK_RMUL_(a, b) ((a) * (b))
#define CONVK_RDIV_(a, b) ((a) / (b))
#define CONVK_ROOT_(x) convk_sqrt_(x)
#elif defined CONVK_PASS_
#define CONVK_R double
#define CONVK_ROF_(f32, f64) f64
#define CONVK_RADD_(a, b) __dadd_rn(a, b)
#define CONVK_RMUL_(a, b) __dmul_rn(a, b)
#define CONVK_RDIV_(a, b) __ddiv_rn(a, b)
#define CONVK_RBITS_(x) convk_cuda_bits_(x)
#define CONVK_RREAL_(u) convk_cuda_real_((uint64_t)(u))
#endif

#define CONVK_RMINUS_(x) CONVK_RMUL_(-1, x) /* clang 14 lets -ffast-math have its way with a sign, wherever it stands */

/* As convk_sqrt_, once for both precisions. */
#ifndef CONVK_ROOT_
#ifndef CONVK_FORM_ROOT_
#define CONVK_FORM_ROOT_
CONVK_ELEMENT_ CONVK_R CONVK_BOTH_(form_root)(CONVK_R x) {
  CONVK_R y;
  int i;
  if (!(x > 0)) return 0;
  y = CONVK_RREAL_((CONVK_RBITS_(x) >> 1) + ((uint64_t)1023 << 51));
  for (i = 0; i < 5; i++) y = CONVK_RMUL_(0.5, CONVK_RADD_(y, CONVK_RDIV_(x, y)));
  return y;
}
#endif
#define CONVK_ROOT_(x) CONVK_BOTH_(form_root)(x)
#endif

#define CONVK_FORM_SQUARE_(q) \
  CONVK_RADD_(CONVK_RADD_(CONVK_RADD_(CONVK_RADD_(CONVK_RADD_(CONVK_RMUL_(q[0], q[0]), CONVK_RMUL_(q[1], q[1])), \
                                                  CONVK_RMUL_(q[2], q[2])), \
                                      CONVK_RMUL_(q[3], q[3])), \
                          CONVK_RMUL_(q[4], q[4])), \
              CONVK_RMUL_(q[5], q[5]))
#define CONVK_FORM_TURN_ CONVK_ROF_(0.15915494f, 0.15915494309189535) /* 1 / (2 pi) */
#define CONVK_FORM_DECAY_ CONVK_ROF_(-1.442695f, -1.4426950408889634) /* - log2 e */

/* q / (2 pi), q / |q|, - imag log2 e, imag / |q|, imag / (2 pi) of z, then the last two of x and y.  norm: |q| */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_given)(const CONVK_R *q, CONVK_T *given, CONVK_R *norm) {
  const CONVK_R root = CONVK_ROOT_(CONVK_FORM_SQUARE_(q)), per = root > 0 ? CONVK_RDIV_(1, root) : 0;
  int d;
  CONVK_UNROLL_
  for (d = 0; d < 3; d++) {
    given[d] = (CONVK_T)CONVK_RMUL_(q[d], CONVK_FORM_TURN_);
    given[3 + d] = (CONVK_T)CONVK_RMUL_(q[d], per);
  }
  given[6] = (CONVK_T)CONVK_RMUL_(q[3], CONVK_FORM_DECAY_);
  given[7] = (CONVK_T)CONVK_RMUL_(q[3], per);
  given[8] = (CONVK_T)CONVK_RMUL_(q[3], CONVK_FORM_TURN_);
  *norm = root;
  CONVK_UNROLL_
  for (d = 0; d < 2; d++) {
    given[9 + 2 * d] = (CONVK_T)CONVK_RMUL_(q[4 + d], per);
    given[10 + 2 * d] = (CONVK_T)CONVK_RMUL_(q[4 + d], CONVK_FORM_TURN_);
  }
}

/* The order of the series that leaves no more of F(0) than is allowed, or CONVK_FORM_MEAN_.  With g = |q| edge, the mean of
   exp(i q.r) over a triangle lacks less than c g^n after an order, and F that times area / (|q| volume): c g^(n - 1) is compared
   with m->limit, what is allowed times volume / (area edge). */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_order)(const convk_form_body_ *m, CONVK_R norm, CONVK_T *order) {
  const CONVK_R g = CONVK_RMUL_(norm, m->edge), g2 = CONVK_RMUL_(g, g), g4 = CONVK_RMUL_(g2, g2);
  const CONVK_R g5 = CONVK_RMUL_(g4, g), g9 = CONVK_RMUL_(g5, g4);
  int k = CONVK_FORM_MEAN_;
  if (CONVK_RMUL_(CONVK_RMUL_(CONVK_ROF_(2.5e-22f, 2.5e-22), CONVK_RMUL_(g9, g4)), g4) <= m->limit && g < 4) k = 16;
  if (CONVK_RMUL_(CONVK_ROF_(1.5e-16f, 1.5e-16), CONVK_RMUL_(g9, g4)) <= m->limit) k = 12;
  if (CONVK_RMUL_(CONVK_ROF_(3.3e-11f, 3.3e-11), g9) <= m->limit) k = 8;
  if (CONVK_RMUL_(CONVK_ROF_(2.2e-6f, 2.2e-6), g5) <= m->limit) k = 4;
  if (CONVK_RMUL_(CONVK_ROF_(3.2e-3f, 3.2e-3), g2) <= m->limit) k = 2;
  if (CONVK_RMUL_(CONVK_ROF_(0.0278f, 0.0278), g) <= m->limit) k = 0;
  *order = (CONVK_T)(k < m->least ? m->least : k);
}

/* The same of a value on one axis of a grid. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_rate)(CONVK_R q, CONVK_R imag, CONVK_T *turns, CONVK_T *decay) {
  *turns = (CONVK_T)CONVK_RMUL_(q, CONVK_FORM_TURN_);
  *decay = (CONVK_T)CONVK_RMUL_(imag, CONVK_FORM_DECAY_);
}

/* F from re + i im, the sum of conj(q).a (exp(i q.r) - 1).  The volume where phases vanish. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_value)(const convk_form_body_ *m, const CONVK_R *q, CONVK_R re, CONVK_R im, CONVK_T *f) {
  const CONVK_R square = CONVK_FORM_SQUARE_(q);
  CONVK_R real = m->volume, imag = 0;
  if (CONVK_RMUL_(CONVK_RMUL_(square, m->extent), m->extent) > CONVK_OF_(1e-18f, 1e-36)) {
    real = CONVK_RDIV_(im, square);
    imag = CONVK_RDIV_(CONVK_RMINUS_(re), square);
  }
  if (!m->closed && square > 0) { /* exp(i q.r) without the -1 */
    const CONVK_R flow =
        CONVK_RADD_(CONVK_RADD_(CONVK_RMUL_(q[0], m->gap[0]), CONVK_RMUL_(q[1], m->gap[1])), CONVK_RMUL_(q[2], m->gap[2]));
    real = CONVK_RADD_(real, CONVK_RMINUS_(CONVK_RMUL_(CONVK_RDIV_(q[3], square), m->gap[2])));
    real = CONVK_RADD_(real, CONVK_RMINUS_(CONVK_RMUL_(CONVK_RDIV_(q[4], square), m->gap[0])));
    real = CONVK_RADD_(real, CONVK_RMINUS_(CONVK_RMUL_(CONVK_RDIV_(q[5], square), m->gap[1])));
    imag = CONVK_RADD_(imag, CONVK_RMINUS_(CONVK_RDIV_(flow, square)));
  }
  f[0] = (CONVK_T)real;
  f[1] = (CONVK_T)imag;
}

/* F from the kernel's sums over a list, which are of q / |q| and half of exp(i q.r) - 1.  norm: |q| */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_list_value)(const convk_form_body_ *m, const CONVK_R *q, CONVK_R norm, CONVK_R re,
                                                   CONVK_R im, CONVK_T *f) {
  const CONVK_R twice = CONVK_RMUL_(2, norm);
  CONVK_KERNEL_(form_value)(m, q, CONVK_RMUL_(-twice, re), CONVK_RMUL_(twice, im), f);
}

/* F from a grid's sums and the moments of the lanes' axis.  own: q on the axes of the grid, which are x, y, z as `axis` says, z being
   the complex one, or 3. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_grid_value)(const convk_form_body_ *m, const int *axis, int z, const CONVK_R *own,
                                                   const CONVK_R *moment, CONVK_R re, CONVK_R im, CONVK_T *f) {
  CONVK_R q[6];
  int d;
  q[0] = q[1] = q[2] = q[4] = q[5] = 0;
  q[3] = own[3];
  CONVK_UNROLL_
  for (d = 0; d < 3; d++) {
    const CONVK_R real = CONVK_RMUL_(-2, moment[2 * d]), imag = CONVK_RMUL_(2, moment[2 * d + 1]);
    if (axis[d] == 0) q[0] = own[d]; /* no index that is known late: registers have none */
    else if (axis[d] == 1) q[1] = own[d];
    else q[2] = own[d];
    re = CONVK_RADD_(re, CONVK_RADD_(CONVK_RMUL_(own[d], real), d == z ? CONVK_RMUL_(q[3], imag) : 0));
    im = CONVK_RADD_(im, CONVK_RADD_(CONVK_RMUL_(own[d], imag), d == z ? CONVK_RMINUS_(CONVK_RMUL_(q[3], real)) : 0));
  }
  CONVK_KERNEL_(form_value)(m, q, re, im, f);
}

#if defined CONVK_PASS_ && CONVK_PASS_ == CONVK_PASS_DRIVER_
#undef CONVK_ELEMENT_
#undef CONVK_KERNEL_
#endif
#undef CONVK_R
#undef CONVK_ROF_
#undef CONVK_RADD_
#undef CONVK_RMUL_
#undef CONVK_RMINUS_
#undef CONVK_RDIV_
#undef CONVK_RBITS_
#undef CONVK_RREAL_
#undef CONVK_ROOT_
#undef CONVK_FORM_SQUARE_
#undef CONVK_FORM_TURN_
#undef CONVK_FORM_DECAY_
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_FFT_
/* ---- src/fft/kernel.h ---- */

/* Vectors that gcc 12 makes itself fuse a b - c and a b + c side by side, whatever -ffp-contract says. */
#if CONVK_LANES == 1 && defined __FMA__ && defined __GNUC__ && !defined __clang__
#define CONVK_FFT_APART_
#pragma GCC push_options
#pragma GCC optimize("no-tree-vectorize")
#endif

/* A group of points on its way: where it comes from, and where it goes to. */
typedef struct CONVK_KERNEL_(fft_group) {
  const CONVK_PRIVATE_(fft_pass) *pass;
  size_t line, left;                           /* groups of this line to come */
  const CONVK_T *re, *im;
  CONVK_T *to_re, *to_im;
  size_t from, to;                             /* steps from point to point */
  const CONVK_PRIVATE_(any) *twiddle, *factor; /* or NULL */
  int zeros, less;                             /* the upper half is zero, is not wanted */
} CONVK_KERNEL_(fft_group);

/* The first group of a line.  With factors it ends on the way back, where imaginary parts come first. */
CONVK_INLINE_ void CONVK_KERNEL_(fft_line)(CONVK_KERNEL_(fft_group) *g) {
  const CONVK_PRIVATE_(fft_pass) *p = g->pass;
  CONVK_T *to = p->dst + g->line * p->to_line;
  g->left = p->count;
  g->re = p->src + g->line * p->from_line;
  g->im = g->re + p->imag;
  g->to_re = p->factor ? to + p->imag : to;
  g->to_im = p->factor ? to : to + p->imag;
  g->twiddle = p->twiddle;
  g->factor = p->factor ? p->factor + g->line * p->factor_line : NULL;
}

CONVK_INLINE_ int CONVK_KERNEL_(fft_begin)(const CONVK_PRIVATE_(fft_pass) *p, CONVK_KERNEL_(fft_group) *g) {
  g->pass = p;
  g->line = 0;
  g->from = p->from;
  g->to = p->to;
  g->zeros = p->half & 1;
  g->less = p->half & 2;
  CONVK_KERNEL_(fft_line)(g);
  return p->lines && p->count;
}

CONVK_INLINE_ int CONVK_KERNEL_(fft_next)(CONVK_KERNEL_(fft_group) *g) {
  const CONVK_PRIVATE_(fft_pass) *p = g->pass;
  if (--g->left) {
    g->re += p->from_step;
    g->im += p->from_step;
    g->to_re += p->to_step;
    g->to_im += p->to_step;
    if (g->twiddle) g->twiddle += p->twiddle_step;
    if (g->factor) g->factor += p->factor_next;
    return 1;
  }
  if (++g->line == p->lines) return 0;
  CONVK_KERNEL_(fft_line)(g);
  return 1;
}

CONVK_INLINE_ void CONVK_KERNEL_(fft_load)(const CONVK_KERNEL_(fft_group) *g, int q, CONVK_V *xr, CONVK_V *xi) {
  *xr = CONVK_LOAD_(g->re + (size_t)q * g->from);
  *xi = CONVK_LOAD_(g->im + (size_t)q * g->from);
}

/* What a pass does first, which is the same for all of its groups. */
enum { CONVK_KERNEL_(FFT_PLAIN), CONVK_KERNEL_(FFT_TWIDDLED), CONVK_KERNEL_(FFT_ZEROS), CONVK_KERNEL_(FFT_PAIRS),
       CONVK_KERNEL_(FFT_SWAPPED) };

/* Two points, h apart; pairs are parted on the way. */
CONVK_INLINE_ void CONVK_KERNEL_(fft_load_two)(const int way, const int h, const CONVK_KERNEL_(fft_group) *g, int q, CONVK_V *xr,
                                               CONVK_V *xi) {
  const CONVK_T *first = g->re + (size_t)q * g->from, *second = g->re + (size_t)(q + h) * g->from;
  CONVK_V a[2], b[2];
  if (way != CONVK_KERNEL_(FFT_PAIRS) && way != CONVK_KERNEL_(FFT_SWAPPED)) {
    CONVK_KERNEL_(fft_load)(g, q, &xr[0], &xi[0]);
    CONVK_KERNEL_(fft_load)(g, q + h, &xr[h], &xi[h]);
    return;
  }
  a[0] = CONVK_LOAD_(first);
  a[1] = CONVK_LOAD_(first + CONVK_LANES);
  b[0] = CONVK_LOAD_(second);
  b[1] = CONVK_LOAD_(second + CONVK_LANES);
  CONVK_UNZIP_(a);
  CONVK_UNZIP_(b);
  xr[0] = a[way == CONVK_KERNEL_(FFT_SWAPPED)];
  xi[0] = a[way != CONVK_KERNEL_(FFT_SWAPPED)];
  xr[h] = b[way == CONVK_KERNEL_(FFT_SWAPPED)];
  xi[h] = b[way != CONVK_KERNEL_(FFT_SWAPPED)];
}

CONVK_INLINE_ void CONVK_KERNEL_(fft_store)(const CONVK_KERNEL_(fft_group) *g, int k, CONVK_V xr, CONVK_V xi) {
  CONVK_STORE_(g->to_re + (size_t)k * g->to, xr);
  CONVK_STORE_(g->to_im + (size_t)k * g->to, xi);
}

/* Point q times its twiddle. */
CONVK_INLINE_ void CONVK_KERNEL_(fft_twiddle)(const CONVK_PRIVATE_(any) *w, int q, CONVK_V *xr, CONVK_V *xi) {
  CONVK_KERNEL_(fft_times)(CONVK_SET_(w[2 * q - 2]), CONVK_SET_(w[2 * q - 1]), xr, xi);
}

/* Points a, and b which is number q and has a twiddle. */
CONVK_INLINE_ void CONVK_KERNEL_(fft_first)(const CONVK_PRIVATE_(any) *w, int q, CONVK_V *ar, CONVK_V *ai, CONVK_V *br, CONVK_V *bi) {
  CONVK_KERNEL_(fft_join)(CONVK_SET_(w[2 * q - 2]), CONVK_SET_(w[2 * q - 1]), ar, ai, br, bi);
}

/* Frequencies n .. n + r - 1 times their factors, with real and imaginary parts exchanged: the way back is that there in this
   guise. */
CONVK_INLINE_ void CONVK_KERNEL_(fft_factors)(const int r, const CONVK_KERNEL_(fft_group) *g, int n, CONVK_V *xr, CONVK_V *xi) {
  const CONVK_PRIVATE_(any) *f = g->factor + (size_t)n * g->pass->factor_step;
  const size_t step = g->pass->factor_step, imag = g->pass->factor_imag;
  CONVK_V t;
  int q;
  if (g->pass->wide) {
    CONVK_UNROLL_
    for (q = 0; q < r; q++) {
      const CONVK_T *at = (const CONVK_T *)(const void *)(f + (size_t)q * step);
      CONVK_KERNEL_(fft_times)(CONVK_LOAD_(at), CONVK_LOAD_(at + imag), &xr[q], &xi[q]);
    }
  } else {
    CONVK_UNROLL_
    for (q = 0; q < r; q++)
      CONVK_KERNEL_(fft_times)(CONVK_SET_(f[(size_t)q * step]), CONVK_SET_(f[(size_t)q * step + imag]), &xr[q], &xi[q]);
  }
  CONVK_UNROLL_FEW_
  for (q = 0; q < r; q++) {
    t = xr[q];
    xr[q] = xi[q];
    xi[q] = t;
  }
}

/* Points q, q + h, q + 2 h, q + 3 h of 4 h, h apart from each other, after the first step, and of 16 after the second. */
CONVK_INLINE_ void CONVK_KERNEL_(fft_enter_four)(const int way, const int h, int q, const CONVK_KERNEL_(fft_group) *g, CONVK_V *xr,
                                                 CONVK_V *xi) {
  CONVK_KERNEL_(fft_load_two)(way, h, g, q, xr, xi);
  if (way == CONVK_KERNEL_(FFT_ZEROS)) {
    xr[2 * h] = xr[0];
    xi[2 * h] = xi[0];
    xr[3 * h] = xr[h];
    xi[3 * h] = xi[h];
  } else {
    CONVK_KERNEL_(fft_load_two)(way, h, g, q + 2 * h, xr + 2 * h, xi + 2 * h);
    if (way == CONVK_KERNEL_(FFT_TWIDDLED)) {
      if (q) CONVK_KERNEL_(fft_twiddle)(g->twiddle, q, &xr[0], &xi[0]);
      CONVK_KERNEL_(fft_twiddle)(g->twiddle, q + h, &xr[h], &xi[h]);
      CONVK_KERNEL_(fft_first)(g->twiddle, q + 2 * h, &xr[0], &xi[0], &xr[2 * h], &xi[2 * h]);
      CONVK_KERNEL_(fft_first)(g->twiddle, q + 3 * h, &xr[h], &xi[h], &xr[3 * h], &xi[3 * h]);
    } else {
      CONVK_KERNEL_(fft_add)(&xr[0], &xi[0], &xr[2 * h], &xi[2 * h]);
      CONVK_KERNEL_(fft_add)(&xr[h], &xi[h], &xr[3 * h], &xi[3 * h]);
    }
  }
  if (h == 4) CONVK_KERNEL_(fft_second)(h, xr, xi);
}

#if CONVK_REGISTERS_ >= 32
#define CONVK_FFT_FOURS_ CONVK_UNROLL_
#else /* too many points for the registers: a loop compiles in half the time and is 5% faster */
#define CONVK_FFT_FOURS_
#endif
CONVK_INLINE_ void CONVK_KERNEL_(fft_enter_this)(const int way, const int h, const CONVK_KERNEL_(fft_group) *g, CONVK_V *xr,
                                                 CONVK_V *xi) {
  int q;
  if (h < 4) {
    CONVK_UNROLL_
    for (q = 0; q < h; q++) CONVK_KERNEL_(fft_enter_four)(way, h, q, g, xr + q, xi + q);
  } else {
    CONVK_FFT_FOURS_
    for (q = 0; q < h; q++) CONVK_KERNEL_(fft_enter_four)(way, h, q, g, xr + q, xi + q);
  }
}
CONVK_INLINE_ void CONVK_KERNEL_(fft_enter)(const int h, const CONVK_KERNEL_(fft_group) *g, CONVK_V *xr, CONVK_V *xi) {
  if (g->zeros) CONVK_KERNEL_(fft_enter_this)(CONVK_KERNEL_(FFT_ZEROS), h, g, xr, xi);
  else if (g->twiddle) CONVK_KERNEL_(fft_enter_this)(CONVK_KERNEL_(FFT_TWIDDLED), h, g, xr, xi);
  else if (g->pass->pairs == 1) CONVK_KERNEL_(fft_enter_this)(CONVK_KERNEL_(FFT_PAIRS), h, g, xr, xi);
  else if (g->pass->pairs) CONVK_KERNEL_(fft_enter_this)(CONVK_KERNEL_(FFT_SWAPPED), h, g, xr, xi);
  else CONVK_KERNEL_(fft_enter_this)(CONVK_KERNEL_(FFT_PLAIN), h, g, xr, xi);
}

/* Times the factors, and the first step of the way back. */
CONVK_INLINE_ void CONVK_KERNEL_(fft_return)(const int r, const CONVK_KERNEL_(fft_group) *g, CONVK_V *xr, CONVK_V *xi) {
  CONVK_V yr[16], yi[16];
  int n;
  CONVK_UNROLL_
  for (n = 0; n < r; n++) {
    yr[n] = xr[CONVK_FFT_PLACE_(r, n)];
    yi[n] = xi[CONVK_FFT_PLACE_(r, n)];
  }
  CONVK_KERNEL_(fft_factors)(r, g, 0, yr, yi);
  CONVK_UNROLL_
  for (n = 0; n < r / 2; n++) CONVK_KERNEL_(fft_add)(&yr[n], &yi[n], &yr[n + r / 2], &yi[n + r / 2]);
  CONVK_UNROLL_
  for (n = 0; n < r; n++) {
    xr[n] = yr[n];
    xi[n] = yi[n];
  }
}

CONVK_INLINE_ void CONVK_KERNEL_(fft_leave)(const int r, const CONVK_KERNEL_(fft_group) *g, const CONVK_V *xr, const CONVK_V *xi) {
  int n;
  CONVK_UNROLL_
  for (n = 0; n < r / 2; n++)
    CONVK_KERNEL_(fft_store)(g, n, xr[CONVK_FFT_PLACE_(r, n)], xi[CONVK_FFT_PLACE_(r, n)]);
  if (g->less) return;
  CONVK_UNROLL_
  for (n = r / 2; n < r; n++)
    CONVK_KERNEL_(fft_store)(g, n, xr[CONVK_FFT_PLACE_(r, n)], xi[CONVK_FFT_PLACE_(r, n)]);
}

static void CONVK_KERNEL_(fft_pass_1)(const CONVK_PRIVATE_(fft_pass) *p) {
  CONVK_KERNEL_(fft_group) g;
  int more;
  for (more = CONVK_KERNEL_(fft_begin)(p, &g); more; more = CONVK_KERNEL_(fft_next)(&g)) {
    CONVK_V xr, xi;
    CONVK_KERNEL_(fft_load)(&g, 0, &xr, &xi);
    if (g.factor) CONVK_KERNEL_(fft_factors)(1, &g, 0, &xr, &xi);
    CONVK_KERNEL_(fft_store)(&g, 0, xr, xi);
  }
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(fft_pass_2)(const CONVK_PRIVATE_(fft_pass) *p) {
  CONVK_KERNEL_(fft_group) g;
  int more;
  for (more = CONVK_KERNEL_(fft_begin)(p, &g); more; more = CONVK_KERNEL_(fft_next)(&g)) {
    CONVK_V xr[2], xi[2];
    CONVK_KERNEL_(fft_load)(&g, 0, &xr[0], &xi[0]);
    if (g.zeros) {
      xr[1] = xr[0];
      xi[1] = xi[0];
    } else {
      CONVK_KERNEL_(fft_load)(&g, 1, &xr[1], &xi[1]);
      if (g.twiddle) CONVK_KERNEL_(fft_first)(g.twiddle, 1, &xr[0], &xi[0], &xr[1], &xi[1]);
      else CONVK_KERNEL_(fft_add)(&xr[0], &xi[0], &xr[1], &xi[1]);
    }
    if (g.factor) {
      CONVK_KERNEL_(fft_factors)(2, &g, 0, xr, xi);
      CONVK_KERNEL_(fft_add)(&xr[0], &xi[0], &xr[1], &xi[1]);
    }
    CONVK_KERNEL_(fft_store)(&g, 0, xr[0], xi[0]);
    if (!g.less) CONVK_KERNEL_(fft_store)(&g, 1, xr[1], xi[1]);
  }
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(fft_pass_4)(const CONVK_PRIVATE_(fft_pass) *p) {
  CONVK_KERNEL_(fft_group) g;
  CONVK_V xr[4], xi[4];
  int more;
  for (more = CONVK_KERNEL_(fft_begin)(p, &g); more; more = CONVK_KERNEL_(fft_next)(&g)) {
    CONVK_KERNEL_(fft_enter)(1, &g, xr, xi);
    CONVK_KERNEL_(fft_second)(1, xr, xi);
    if (g.factor) {
      CONVK_KERNEL_(fft_return)(4, &g, xr, xi);
      CONVK_KERNEL_(fft_second)(1, xr, xi);
    }
    CONVK_KERNEL_(fft_leave)(4, &g, xr, xi);
  }
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(fft_pass_8)(const CONVK_PRIVATE_(fft_pass) *p) {
  CONVK_KERNEL_(fft_group) g;
  CONVK_V xr[8], xi[8];
  int more, back;
  for (more = CONVK_KERNEL_(fft_begin)(p, &g); more; more = CONVK_KERNEL_(fft_next)(&g)) {
    CONVK_KERNEL_(fft_enter)(2, &g, xr, xi);
    for (back = 0;; back = 1) { /* the text of a transform once, for both ways */
      CONVK_KERNEL_(fft_second)(2, xr, xi);
      CONVK_KERNEL_(fft_second)(2, xr + 1, xi + 1);
      CONVK_KERNEL_(fft_third)(xr, xi);
      if (back || !g.factor) break;
      CONVK_KERNEL_(fft_return)(8, &g, xr, xi);
    }
    CONVK_KERNEL_(fft_leave)(8, &g, xr, xi);
  }
  CONVK_LEAVE_
}

/* Frequencies k, k + 4, k + 8, k + 12 from four transforms. */
CONVK_INLINE_ void CONVK_KERNEL_(fft_sixteen)(const int k, const CONVK_KERNEL_(fft_group) *g, CONVK_V *xr, CONVK_V *xi) {
  CONVK_KERNEL_(fft_fourth)(k, xr + 4 * k, xi + 4 * k);
  CONVK_KERNEL_(fft_store)(g, k, xr[4 * k], xi[4 * k]);
  CONVK_KERNEL_(fft_store)(g, k + 4, xr[4 * k + 2], xi[4 * k + 2]);
  if (g->less) return;
  CONVK_KERNEL_(fft_store)(g, k + 8, xr[4 * k + 1], xi[4 * k + 1]);
  CONVK_KERNEL_(fft_store)(g, k + 12, xr[4 * k + 3], xi[4 * k + 3]);
}

#if CONVK_REGISTERS_ >= 32
static void CONVK_KERNEL_(fft_pass_16)(const CONVK_PRIVATE_(fft_pass) *p) {
  CONVK_KERNEL_(fft_group) g;
  CONVK_V xr[16], xi[16];
  int more, q;
  for (more = CONVK_KERNEL_(fft_begin)(p, &g); more; more = CONVK_KERNEL_(fft_next)(&g)) {
    CONVK_KERNEL_(fft_enter)(4, &g, xr, xi);
    if (g.factor) {
      CONVK_KERNEL_(fft_fourth)(0, xr, xi);
      CONVK_KERNEL_(fft_fourth)(1, xr + 4, xi + 4);
      CONVK_KERNEL_(fft_fourth)(2, xr + 8, xi + 8);
      CONVK_KERNEL_(fft_fourth)(3, xr + 12, xi + 12);
      CONVK_KERNEL_(fft_return)(16, &g, xr, xi);
      CONVK_UNROLL_
      for (q = 0; q < 4; q++) CONVK_KERNEL_(fft_second)(4, xr + q, xi + q);
    }
    CONVK_KERNEL_(fft_sixteen)(0, &g, xr, xi); /* stored at once: all points fill the registers */
    CONVK_KERNEL_(fft_sixteen)(1, &g, xr, xi);
    CONVK_KERNEL_(fft_sixteen)(2, &g, xr, xi);
    CONVK_KERNEL_(fft_sixteen)(3, &g, xr, xi);
  }
  CONVK_LEAVE_
}
#else
#if CONVK_LANES == 1 && defined __GNUC__ && !defined __clang__
__attribute__((optimize("no-tree-vectorize"))) /* it takes a quarter longer in gcc's own vectors */
#endif
static void CONVK_KERNEL_(fft_pass_16)(const CONVK_PRIVATE_(fft_pass) *p) {
  CONVK_KERNEL_(fft_group) all, g;
  CONVK_V xr[16], xi[16], z[32]; /* z: frequencies that take the way back */
  int more, back, n;
  for (more = CONVK_KERNEL_(fft_begin)(p, &all); more; more = CONVK_KERNEL_(fft_next)(&all)) {
    g = all;
    if (all.factor) {
      g.to_re = (CONVK_T *)(void *)z;
      g.to_im = g.to_re + CONVK_LANES;
      g.to = 2 * CONVK_LANES;
      g.less = 0;
    }
    for (back = 0;; back = 1) {
      CONVK_KERNEL_(fft_enter)(4, &g, xr, xi);
      CONVK_KERNEL_(fft_sixteen)(0, &g, xr, xi);
      CONVK_KERNEL_(fft_sixteen)(1, &g, xr, xi);
      CONVK_KERNEL_(fft_sixteen)(2, &g, xr, xi);
      CONVK_KERNEL_(fft_sixteen)(3, &g, xr, xi);
      if (back || !all.factor) break;
      for (n = 0; n < 16; n++) CONVK_KERNEL_(fft_factors)(1, &all, n, &z[2 * n], &z[2 * n + 1]);
      g = all;
      g.re = (const CONVK_T *)(void *)z;
      g.im = g.re + CONVK_LANES;
      g.from = 2 * CONVK_LANES;
      g.twiddle = NULL;
      g.zeros = 0;
    }
  }
  CONVK_LEAVE_
}
#endif
#undef CONVK_FFT_FOURS_

CONVK_INLINE_ void CONVK_KERNEL_(fft_pass_odd)(const int r, const CONVK_PRIVATE_(fft_pass) *p) {
  CONVK_KERNEL_(fft_group) g;
  int more, q, back;
  for (more = CONVK_KERNEL_(fft_begin)(p, &g); more; more = CONVK_KERNEL_(fft_next)(&g)) {
    CONVK_V xr[8], xi[8];
    CONVK_UNROLL_FEW_
    for (q = 0; q < r; q++) CONVK_KERNEL_(fft_load)(&g, q, &xr[q], &xi[q]);
    if (g.twiddle)
      CONVK_UNROLL_FEW_
      for (q = 1; q < r; q++) CONVK_KERNEL_(fft_twiddle)(g.twiddle, q, &xr[q], &xi[q]);
    for (back = 0;; back = 1) { /* the text of a transform once, for both ways */
      CONVK_KERNEL_(fft_odd)(r, xr, xi);
      if (back || !g.factor) break;
      CONVK_KERNEL_(fft_factors)(r, &g, 0, xr, xi);
    }
    CONVK_UNROLL_FEW_
    for (q = 0; q < r; q++) CONVK_KERNEL_(fft_store)(&g, q, xr[q], xi[q]);
  }
}
static void CONVK_KERNEL_(fft_pass_3)(const CONVK_PRIVATE_(fft_pass) *p) {
  CONVK_KERNEL_(fft_pass_odd)(3, p);
  CONVK_LEAVE_
}
static void CONVK_KERNEL_(fft_pass_5)(const CONVK_PRIVATE_(fft_pass) *p) {
  CONVK_KERNEL_(fft_pass_odd)(5, p);
  CONVK_LEAVE_
}
static void CONVK_KERNEL_(fft_pass_7)(const CONVK_PRIVATE_(fft_pass) *p) {
  CONVK_KERNEL_(fft_pass_odd)(7, p);
  CONVK_LEAVE_
}

#ifdef CONVK_FFT_APART_
#pragma GCC pop_options
#undef CONVK_FFT_APART_
#endif

/* Of what lies at row[0] .. */
CONVK_INLINE_ void CONVK_KERNEL_(fft_transposed)(const CONVK_T *const row[CONVK_LANES], CONVK_V v[CONVK_LANES]) {
#ifdef CONVK_TRANSPOSE_FROM_
  CONVK_TRANSPOSE_FROM_(row, v);
#else
  size_t i;
  CONVK_UNROLL_
  for (i = 0; i < CONVK_LANES; i++) v[i] = CONVK_LOAD_(row[i]);
  CONVK_TRANSPOSE_(v);
#endif
}

static void CONVK_KERNEL_(fft_square)(const CONVK_PRIVATE_(fft_square) *p) {
  const CONVK_V scale = CONVK_SET_(p->scale);
  size_t n;
  int i;
  for (n = 0; n < (size_t)p->parts * p->count; n++) {
    const size_t square = n < p->count ? n : n - p->count, part = n < p->count ? 0 : CONVK_LANES;
    const size_t from = (p->order ? p->order[square] : square) * p->from_step + part, to = square * p->to_step + part;
    CONVK_V v[CONVK_LANES];
    CONVK_V some[CONVK_LANES]; /* in memory, so that v stays in registers */
    if (p->from_rows < CONVK_LANES) {
      for (i = 0; i < CONVK_LANES; i++)
        some[i] = (size_t)i < p->from_rows ? CONVK_LOADK_((const CONVK_T *)(const void *)(p->from[i] + from), p->from_n) : CONVK_SET_(0);
      CONVK_IN_MEMORY_(some);
      CONVK_UNROLL_
      for (i = 0; i < CONVK_LANES; i++) v[i] = some[i];
    } else if (p->from_n < CONVK_LANES) {
      CONVK_UNROLL_
      for (i = 0; i < CONVK_LANES; i++) v[i] = CONVK_LOADK_((const CONVK_T *)(const void *)(p->from[i] + from), p->from_n);
    } else {
      CONVK_UNROLL_
      for (i = 0; i < CONVK_LANES; i++) v[i] = CONVK_LOAD_((const CONVK_T *)(const void *)(p->from[i] + from));
    }
    CONVK_TRANSPOSE_(v);
    if (p->scale > 0)
      CONVK_UNROLL_
      for (i = 0; i < CONVK_LANES; i++) v[i] = CONVK_MUL_(v[i], scale);
    if (p->to_rows < CONVK_LANES) {
      CONVK_UNROLL_
      for (i = 0; i < CONVK_LANES; i++) some[i] = v[i];
      CONVK_IN_MEMORY_(some);
      for (i = 0; (size_t)i < p->to_rows; i++) CONVK_STOREK_((CONVK_T *)(void *)(p->to[i] + to), some[i], p->to_n);
    } else if (p->to_n < CONVK_LANES) {
      CONVK_UNROLL_
      for (i = 0; i < CONVK_LANES; i++) CONVK_STOREK_((CONVK_T *)(void *)(p->to[i] + to), v[i], p->to_n);
    } else {
      CONVK_UNROLL_
      for (i = 0; i < CONVK_LANES; i++) CONVK_STORE_((CONVK_T *)(void *)(p->to[i] + to), v[i]);
    }
  }
  CONVK_LEAVE_
}

/* A line of factors, of one item in the first lanes, and of another in the rest. */
static void CONVK_KERNEL_(fft_blend)(const CONVK_PRIVATE_(any) *first, const CONVK_PRIVATE_(any) *second, size_t lanes, size_t pitch,
                                     size_t n, CONVK_T *to) {
  CONVK_T number[CONVK_LANES];
  const CONVK_V split = CONVK_SET_((CONVK_T)lanes - (CONVK_T)0.5);
  CONVK_V lane;
  size_t i;
  for (i = 0; i < CONVK_LANES; i++) number[i] = (CONVK_T)i;
  lane = CONVK_LOAD_(number);
  for (i = 0; i < n; i++, first += pitch, second += pitch, to += CONVK_LANES)
    CONVK_STORE_(to, CONVK_LESS_(lane, split, CONVK_SET_(*first), CONVK_SET_(*second)));
  CONVK_LEAVE_
}

/* Lines of two real columns, apart.  The 2 is in the spectra.  Frequencies 0 .. n / 2 only. */
static void CONVK_KERNEL_(fft_unpack)(const CONVK_T *line, const convk_any_u32_ *position, size_t n, CONVK_T *a, CONVK_T *b) {
  CONVK_V re, im;
  size_t k;
  int second;
  for (k = 0; k <= n / 2; k++, a += 2 * CONVK_LANES, b += 2 * CONVK_LANES) {
    const CONVK_T *z = line + 2 * CONVK_LANES * (size_t)position[k], *m = line + 2 * CONVK_LANES * (size_t)position[k ? n - k : 0];
    const CONVK_V zr = CONVK_LOAD_(z), zi = CONVK_LOAD_(z + CONVK_LANES), mr = CONVK_LOAD_(m), mi = CONVK_LOAD_(m + CONVK_LANES);
    CONVK_UNROLL_
    for (second = 0; second < 2; second++) {
      CONVK_KERNEL_(fft_split)(zr, zi, mr, mi, second, &re, &im);
      CONVK_STORE_(second ? b : a, re);
      CONVK_STORE_((second ? b : a) + CONVK_LANES, im);
    }
  }
  CONVK_LEAVE_
}

/* Z(-k), then Z(k), which stays where they are one; b may be NULL: zeros. */
static void CONVK_KERNEL_(fft_pack)(CONVK_T *line, const convk_any_u32_ *position, size_t n, const CONVK_T *a, const CONVK_T *b) {
  CONVK_V zr, zi, mr, mi;
  size_t k;
  for (k = 0; k <= n / 2; k++) {
    CONVK_T *z = line + 2 * CONVK_LANES * (size_t)position[k], *m = line + 2 * CONVK_LANES * (size_t)position[k ? n - k : 0];
    const CONVK_V br = b ? CONVK_LOAD_(b + 2 * CONVK_LANES * k) : CONVK_SET_(0);
    const CONVK_V bi = b ? CONVK_LOAD_(b + 2 * CONVK_LANES * k + CONVK_LANES) : CONVK_SET_(0);
    CONVK_KERNEL_(fft_merge)(CONVK_LOAD_(a + 2 * CONVK_LANES * k), CONVK_LOAD_(a + 2 * CONVK_LANES * k + CONVK_LANES), br, bi, &zr, &zi,
                             &mr, &mi);
    CONVK_STORE_(m, mr);
    CONVK_STORE_(m + CONVK_LANES, mi);
    CONVK_STORE_(z, zr);
    CONVK_STORE_(z + CONVK_LANES, zi);
  }
  CONVK_LEAVE_
}

/* Rows that are missing are copies of the first; lines beyond a row's end are written. */
static void CONVK_KERNEL_(fft_to_lines)(const CONVK_PRIVATE_(fft_rows) *p) {
  const CONVK_T *row[CONVK_LANES], *at[CONVK_LANES];
  CONVK_T *to = p->lines;
  size_t x, i;
  for (i = 0; i < CONVK_LANES; i++) row[i] = p->plane + p->row[i < p->rows ? i : 0] * p->plane_pitch;
  for (x = 0; x < 2 * convk_round_up_(p->n, CONVK_LANES); x += CONVK_LANES) { /* real parts, then imaginary parts */
    CONVK_V v[CONVK_LANES];
    CONVK_UNROLL_
    for (i = 0; i < CONVK_LANES; i++) at[i] = row[i] + x;
    CONVK_KERNEL_(fft_transposed)(at, v);
    CONVK_UNROLL_
    for (i = 0; i < CONVK_LANES; i++) CONVK_STORE_(to + 2 * CONVK_LANES * i, v[i]);
    to += x / CONVK_LANES % 2 ? 2 * CONVK_LANES * CONVK_LANES - CONVK_LANES : CONVK_LANES;
  }
  CONVK_LEAVE_
}

/* By squares whose rows are real and imaginary parts in turn. */
static void CONVK_KERNEL_(fft_to_rows)(const CONVK_PRIVATE_(fft_rows) *p) {
  const CONVK_V scale = CONVK_SET_(p->scale);
  const CONVK_T *part[2] = {p->lines + (p->swap ? CONVK_LANES : 0), p->lines + (p->swap ? 0 : CONVK_LANES)};
  const size_t n = 2 * p->n, rows = p->rows;
  convk_any_u32_ last[CONVK_LANES];
  uintptr_t there = p->next_to, next = p->next, ahead = 0;
  size_t f, i, k;
  for (f = 0; f < n; f += CONVK_LANES) {
    const size_t left = n - f < CONVK_LANES ? n - f : CONVK_LANES, odd = CONVK_LANES == 1 ? f % 2 : 0;
    const convk_any_u32_ *position = p->position + f / 2;
    CONVK_PRIVATE_(any) *to = p->to + f;
    const CONVK_T *row[CONVK_LANES];
    CONVK_V v[CONVK_LANES];
    if (p->next && f % (64 / sizeof(CONVK_T)) == 0)
      for (k = 0; k < rows; k++) { /* one after the other: processors see that, and read ahead themselves */
        CONVK_PREFETCH_L1_(there + ahead);
        CONVK_PREFETCH_L1_(next + ahead);
        ahead += 64;
        if (ahead < n * sizeof(CONVK_T)) continue;
        ahead = 0;
        there += p->pitch * sizeof(CONVK_T);
        next += p->next_pitch * sizeof(CONVK_T);
      }
    if (left < CONVK_LANES) {
      for (i = 0; i < CONVK_LANES; i++) last[i] = position[i < left / 2 ? i : 0];
      position = last;
    }
    CONVK_UNROLL_
    for (i = 0; i < CONVK_LANES; i++) row[i] = part[(odd + i) % 2] + 2 * CONVK_LANES * (size_t)position[(odd + i) / 2];
    CONVK_KERNEL_(fft_transposed)(row, v);
    if (p->scale > 0) CONVK_UNROLL_
    for (i = 0; i < CONVK_LANES; i++) v[i] = CONVK_MUL_(v[i], scale);
    if (rows < CONVK_LANES || left < CONVK_LANES) {
      CONVK_V some[CONVK_LANES]; /* in memory, so that v stays in registers */
      CONVK_UNROLL_
      for (i = 0; i < CONVK_LANES; i++) some[i] = v[i];
      CONVK_IN_MEMORY_(some);
      for (k = 0; k < rows; k++, to += p->pitch) CONVK_STOREK_((CONVK_T *)(void *)to, some[k], left);
    } else {
      CONVK_UNROLL_
      for (i = 0; i < CONVK_LANES; i++) CONVK_STORE_((CONVK_T *)(void *)(to + i * p->pitch), v[i]);
    }
  }
  CONVK_LEAVE_
}

/* Rows of neighbouring columns, from the one of this number on, to vectors of real and of imaginary parts, and back. */
static void CONVK_KERNEL_(fft_unzip)(const CONVK_PRIVATE_(fft_job) *job, const CONVK_PRIVATE_(any) *in, size_t column,
                                     CONVK_T *to, size_t step) {
  const size_t f = 2 * column, left = job->in_row - f;
  const size_t first = left < CONVK_LANES ? left : CONVK_LANES, second = left < CONVK_LANES ? 0 : left - CONVK_LANES;
  size_t row;
  for (row = 0; row < job->plan->rows; row++, to += step) {
    const CONVK_T *at = (const CONVK_T *)(const void *)(in + row * job->in_pitch + f);
    CONVK_V v[2];
    if (second >= CONVK_LANES) {
      v[0] = CONVK_LOAD_(at);
      v[1] = CONVK_LOAD_(at + CONVK_LANES);
    } else {
      v[0] = CONVK_LOADK_(at, first);
      v[1] = second ? CONVK_LOADK_(at + CONVK_LANES, second) : CONVK_SET_(0);
    }
    CONVK_UNZIP_(v);
    CONVK_STORE_(to, v[job->swap]);
    CONVK_STORE_(to + CONVK_LANES, v[!job->swap]);
  }
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(fft_zip)(const CONVK_PRIVATE_(fft_job) *job, size_t column) {
  const size_t f = 2 * column, left = job->out_row - f;
  const size_t first = left < CONVK_LANES ? left : CONVK_LANES, second = left < CONVK_LANES ? 0 : left - CONVK_LANES;
  size_t row;
  for (row = 0; row < job->plan->out_rows; row++) {
    const CONVK_T *from = job->a + 2 * CONVK_LANES * row;
    CONVK_T *at = (CONVK_T *)(void *)(job->out[0] + row * job->out_pitch + f);
    CONVK_V v[2];
    v[0] = CONVK_LOAD_(from);
    v[1] = CONVK_LOAD_(from + CONVK_LANES);
    CONVK_ZIP_(v);
    if (second >= CONVK_LANES) {
      CONVK_STORE_(at, v[0]);
      CONVK_STORE_(at + CONVK_LANES, v[1]);
    } else {
      CONVK_STOREK_(at, v[0], first);
      if (second) CONVK_STOREK_(at + CONVK_LANES, v[1], second);
    }
  }
  CONVK_LEAVE_
}

CONVK_LOCAL_ const CONVK_PRIVATE_(fft_kernels) *CONVK_KERNEL_(fft_kernels)(void) {
  static const CONVK_PRIVATE_(fft_kernels) kernels = {
      CONVK_LANES,
      {NULL, CONVK_KERNEL_(fft_pass_1), CONVK_KERNEL_(fft_pass_2), CONVK_KERNEL_(fft_pass_3), CONVK_KERNEL_(fft_pass_4),
       CONVK_KERNEL_(fft_pass_5), NULL, CONVK_KERNEL_(fft_pass_7), CONVK_KERNEL_(fft_pass_8), NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, CONVK_KERNEL_(fft_pass_16)},
      CONVK_KERNEL_(fft_square),
      CONVK_KERNEL_(fft_to_lines),
      CONVK_KERNEL_(fft_to_rows),
      CONVK_KERNEL_(fft_unzip),
      CONVK_KERNEL_(fft_zip),
      CONVK_KERNEL_(fft_unpack),
      CONVK_KERNEL_(fft_pack),
      CONVK_KERNEL_(fft_blend)};
  return &kernels;
}
#endif
#if CONVK_HAS_VMC_
/* ---- src/pairs/element.h ---- */
/* ---- elements: pair terms ----
   CONVK_PAIR_TERMS_: the constants of a system, in the type of the pair terms; see pairs/types.h. */
#ifndef CONVK_PAIR_TERMS_
#define CONVK_PAIR_TERMS_ CONVK_PRIVATE_(pair_terms)
#define CONVK_PAIR_TERMS_ARE_HERE_
#endif
/* ---- src/pairs/coefficients.h ---- */
/* cos(pi z) in powers of z^2, |z| <= 1/2: errors 2^-32.0, 2^-67.1 */
#define CONVK_PAIR_COS_f32_ {1, -4.934802137f, 4.058709164f, -1.335212056f, 0.2349375571f, -0.02439671382f}
#define CONVK_PAIR_COS_f64_ \
  {1, -4.9348022005446793, 4.0587121264167676, -1.335262768854555, 0.235330630357996, -0.02580689137660436, \
   0.0019295741873589570, -0.00010463741712619945, 4.3007248334484017e-06, -1.3435271847765286e-07}

/* 1 / sqrt(x), to an ulp: half the exponent from the bits (within 3.4%), a polynomial of least error in x y^2, one step more.
   It costs 13 operations of the ports that multiply, which are there in every vector unit; divisions and roots are not. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(pair_rsqrt)(CONVK_V x) {
  const CONVK_V one = CONVK_SET_(1), middle = CONVK_SET_((CONVK_T)0.5);
  CONVK_V y = CONVK_ISUB_(CONVK_BITS_OF_(0x5f375a86, 0x5fe6eb50c7b537a9), CONVK_SHR_(x, 1)), u, h, p;
  u = CONVK_MUL_(CONVK_MUL_(x, y), y);
  if (sizeof(CONVK_T) == sizeof(float)) {
    p = CONVK_FMA_(u, CONVK_SET_((CONVK_T)0.3755021913), CONVK_SET_((CONVK_T)-1.252100306));
    p = CONVK_FMA_(u, p, CONVK_SET_((CONVK_T)1.8765983280));
  } else {
    p = CONVK_FMA_(u, CONVK_SET_((CONVK_T)-0.3130541223904668), CONVK_SET_((CONVK_T)1.3154413817042908));
    p = CONVK_FMA_(u, p, CONVK_SET_((CONVK_T)-2.1917208193845001));
    p = CONVK_FMA_(u, p, CONVK_SET_((CONVK_T)2.1893328136853813));
  }
  y = CONVK_MUL_(y, p);
  h = CONVK_FNMA_(CONVK_MUL_(x, y), y, one);
  p = sizeof(CONVK_T) == sizeof(float) ? middle : CONVK_FMA_(h, CONVK_SET_((CONVK_T)0.375), middle);
  return CONVK_FMA_(CONVK_MUL_(y, h), p, y);
}

/* The nearest images of differences. */
CONVK_ELEMENT_ void CONVK_KERNEL_(pair_image)(const CONVK_PAIR_TERMS_ *c, CONVK_V *d) {
  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));
  int k;
  CONVK_UNROLL_
  for (k = 0; k < 3; k++) {
    const CONVK_V n = CONVK_SUB_(CONVK_FMA_(d[k], CONVK_SET_(c->inverse[k]), shift), shift);
    d[k] = CONVK_FNMA_(n, CONVK_SET_(c->period[k]), d[k]);
  }
}

/* The square of a distance, which is still to be at least that of 1 / 256. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(pair_norm)(const CONVK_V *d) {
  return CONVK_FMA_(d[2], d[2], CONVK_FMA_(d[1], d[1], CONVK_MUL_(d[0], d[0])));
}

/* What pairs of r^2 = r2 and 1 / r = t (1 and 0 for what counts as nothing) add to the sums of the trial function, and
   w = u' / r. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(pair_trial)(const CONVK_PAIR_TERMS_ *c, CONVK_V r2, CONVK_V t, const int want, CONVK_V *sum,
                                                 CONVK_V *product) {
  const CONVK_V s = CONVK_MUL_(t, t), a = CONVK_MUL_(t, s), s2 = CONVK_MUL_(s, s);
  CONVK_V b;
  if (want & CONVK_LN_PSI) {
    sum[0] = CONVK_FMA_(a, s, sum[0]);
    sum[2] = CONVK_FMA_(r2, t, sum[2]);
    *product = CONVK_MUL_(*product, r2);
  }
  if (want & (CONVK_LN_PSI | CONVK_LAPLACIAN)) sum[1] = CONVK_FMA_(t, t, sum[1]);
  if (want & CONVK_LAPLACIAN) {
    sum[3] = CONVK_FMA_(a, s2, sum[3]);
    sum[4] = CONVK_FMA_(s, s, sum[4]);
    sum[5] = CONVK_ADD_(sum[5], t);
  }
  if (!(want & CONVK_GRADIENT)) return t;
  b = CONVK_FMA_(s, CONVK_FMA_(CONVK_SET_(c->w[0]), a, CONVK_SET_(c->w[1])), CONVK_SET_(c->w[2]));
  return CONVK_FMS_(s, b, CONVK_MUL_(CONVK_SET_(c->w[3]), t));
}

/* The powers of 1 / r in V, over 1 / r^6; s = 1 / r^2. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(pair_powers)(const CONVK_PAIR_TERMS_ *c, CONVK_V s) {
  const CONVK_V v = CONVK_FMA_(s, CONVK_SET_(c->distant[3]), CONVK_SET_(c->distant[2]));
  return CONVK_FMA_(s, CONVK_FMA_(s, v, CONVK_SET_(c->distant[1])), CONVK_SET_(c->distant[0]));
}

/* cos(pi z) of w = z^2 <= 1/4. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(pair_cosine)(CONVK_V w) {
  CONVK_CONSTANT_ CONVK_T cosine[] = CONVK_TABLE_(PAIR_COS);
  CONVK_V p = CONVK_SET_(cosine[sizeof cosine / sizeof *cosine - 1]);
  int k;
  CONVK_UNROLL_
  for (k = (int)(sizeof cosine / sizeof *cosine) - 2; k >= 0; k--) p = CONVK_FMA_(w, p, CONVK_SET_(cosine[k]));
  return p;
}

/* The bump of V, of z from -1/2 to 1/2, 0 elsewhere, and what is added to it: sin + 1 is 2 cos^2 of pi z. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(pair_bump)(const CONVK_PAIR_TERMS_ *c, CONVK_V z, CONVK_V sum) {
  const CONVK_V z2 = CONVK_MUL_(z, z), quarter = CONVK_SET_((CONVK_T)0.25);
  const CONVK_V p = CONVK_LESS_(z2, quarter, CONVK_KERNEL_(pair_cosine)(CONVK_MIN_(z2, quarter)), CONVK_SET_(0));
  return CONVK_FMA_(CONVK_MUL_(CONVK_SET_(c->bump_height), p), p, sum);
}

#ifdef CONVK_PAIR_TERMS_ARE_HERE_
#undef CONVK_PAIR_TERMS_
#undef CONVK_PAIR_TERMS_ARE_HERE_
#endif
#endif
#if CONVK_IS_KERNEL_ && CONVK_HAS_VMC_
/* ---- src/pairs/kernel.h ---- */
enum { CONVK_KERNEL_(PAIR_GROUP) = 2 }; /* vectors side by side, where each is one long chain */

/* V of pairs, from r^2 and 1 / r: powers, and within near_by more; 0 for 1 / r = 0 and r^2 = near_by. */
CONVK_RARE_ void CONVK_KERNEL_(pair_near)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_V *r2, const CONVK_V *t, CONVK_V *v) {
  enum { G = CONVK_KERNEL_(PAIR_GROUP) };
  const CONVK_V zero = CONVK_SET_(0), one = CONVK_SET_(1), near_by = CONVK_SET_(c->near_by);
  CONVK_V e[2 * G], r[G];
  int g, k;
  CONVK_UNROLL_
  for (g = 0; g < G; g++) r[g] = CONVK_MUL_(r2[g], t[g]);
  if (c->kind == CONVK_POTENTIAL_TABLE) {
    CONVK_T at[G * CONVK_LANES];
    for (g = 0; g < G; g++) CONVK_STORE_(at + g * CONVK_LANES, r[g]);
    CONVK_LEAVE_
    for (k = 0; k < G * CONVK_LANES; k++)
      at[k] = (CONVK_T)convk_pair_table_(c->values, c->entries, c->first, c->per_spacing, (double)at[k]);
    for (g = 0; g < G; g++) { /* beyond: 0, but of a NaN NaN */
      const CONVK_V beyond = CONVK_MIN_(near_by, r2[g]);
      v[g] = CONVK_LESS_(r2[g], near_by, CONVK_LOAD_(at + g * CONVK_LANES), CONVK_SUB_(beyond, beyond));
    }
    return;
  }
  CONVK_UNROLL_
  for (g = 0; g < G; g++) {
    const CONVK_V x = CONVK_MUL_(r[g], CONVK_SET_(c->per_rm)), y = CONVK_FMS_(CONVK_SET_(c->d), t[g], one);
    e[2 * g] = CONVK_MUL_(x, CONVK_FMA_(x, CONVK_SET_(c->beta), CONVK_SET_(-c->alpha)));
    e[2 * g + 1] = CONVK_LESS_(zero, y, CONVK_MUL_(y, CONVK_SUB_(zero, y)), zero);
  }
  CONVK_KERNEL_(vexp_of)(e, 2 * G);
  CONVK_UNROLL_
  for (g = 0; g < G; g++) {
    const CONVK_V s = CONVK_MUL_(t[g], t[g]), powers = CONVK_MUL_(CONVK_MUL_(CONVK_MUL_(s, s), s), CONVK_KERNEL_(pair_powers)(c, s));
    CONVK_V sum = CONVK_FMA_(powers, e[2 * g + 1], CONVK_MUL_(CONVK_SET_(c->a), e[2 * g]));
    if (c->bump) {
      const CONVK_V from = CONVK_FMS_(r[g], CONVK_SET_(c->per_rm), CONVK_SET_(c->bump_middle));
      sum = CONVK_KERNEL_(pair_bump)(c, CONVK_MUL_(from, CONVK_SET_(c->bump_scale)), sum);
    }
    v[g] = CONVK_LESS_(r2[g], near_by, sum, powers);
  }
}

/* One vector of pairs: r^2 of their differences, of nearest images in a box, and t = 1 / r; 1 and 0 for those from the limit on. */
CONVK_INLINE_ CONVK_V CONVK_KERNEL_(pair_distance)(const CONVK_PRIVATE_(pair_terms) *c, CONVK_V *d, CONVK_V limit, const int masked,
                                                   CONVK_V *t) {
  CONVK_V r2;
  if (masked && c->periodic) CONVK_KERNEL_(pair_image)(c, d);
  r2 = CONVK_MAX_(CONVK_SET_((CONVK_T)(1. / 65536)), CONVK_KERNEL_(pair_norm)(d));
  *t = CONVK_KERNEL_(pair_rsqrt)(r2);
  if (masked) *t = CONVK_LESS_(r2, limit, *t, CONVK_SET_(0));
  return masked ? CONVK_LESS_(r2, limit, r2, CONVK_SET_(1)) : r2;
}

/* What they add to sums, and w = u' / r.  V comes last: where registers run out, gcc keeps the last sum in memory, and the
   callers that take the most time do not sum V here. */
CONVK_INLINE_ CONVK_V CONVK_KERNEL_(pair_step)(const CONVK_PRIVATE_(pair_terms) *c, CONVK_V r2, CONVK_V t, const int want,
                                               CONVK_V *sum, CONVK_V *product) {
  const CONVK_V w = CONVK_KERNEL_(pair_trial)(c, r2, t, want, sum, product);
  if (want & CONVK_POTENTIAL) {
    const CONVK_V s = CONVK_MUL_(t, t), s3 = CONVK_MUL_(CONVK_MUL_(s, s), s);
    const CONVK_V v = CONVK_LESS_(r2, CONVK_SET_(c->near_by), CONVK_SET_(0), CONVK_KERNEL_(pair_powers)(c, s));
    sum[6] = CONVK_FMA_(s3, v, sum[6]);
  }
  return w;
}

/* Puts the exponent of a product aside, so that it does not overflow. */
CONVK_INLINE_ CONVK_V CONVK_KERNEL_(pair_mantissa)(CONVK_V product, CONVK_V *exponent) {
  *exponent = CONVK_IADD_(*exponent, CONVK_SHR_(product, CONVK_EITHER_(23, 52)));
  return CONVK_OR_(CONVK_AND_(product, CONVK_BITS_OF_(0x007fffff, 0x000fffffffffffff)), CONVK_SET_(1));
}

/* The sums of lanes, [3][CONVK_PAIR_BLOCK_][CONVK_LANES], of so many rows. */
CONVK_RARE_ void CONVK_KERNEL_(pair_gather)(CONVK_T *lanes, size_t rows, CONVK_T *to) {
  CONVK_V v[CONVK_LANES];
  size_t d, i;
  int k;
  for (d = 0; d < 3; d++, lanes += CONVK_PAIR_BLOCK_ * CONVK_LANES)
    for (i = 0; i < rows; i += CONVK_LANES) {
      CONVK_UNROLL_
      for (k = 0; k < CONVK_LANES; k++)
        v[k] = i + (size_t)k < rows ? CONVK_LOAD_(lanes + (i + (size_t)k) * CONVK_LANES) : CONVK_SET_(0);
      CONVK_TRANSPOSE_(v);
      CONVK_UNROLL_
      for (k = CONVK_LANES - 1; k > 0; k--) v[CONVK_PAIR_ONTO_(k)] = CONVK_ADD_(v[CONVK_PAIR_ONTO_(k)], v[k]);
      CONVK_STORE_(to + d * CONVK_PAIR_BLOCK_ + i, v[0]);
    }
}

/* Adds sums of the type to doubles, and clears them. */
CONVK_INLINE_ void CONVK_KERNEL_(pair_flush)(CONVK_T *sum, double *to, const size_t count) {
  size_t k, h;
  for (k = 0; k < count; k += CONVK_LANES) {
    const CONVK_V v = CONVK_LOAD_(sum + k);
    CONVK_UNROLL_
    for (h = 0; h < CONVK_LANES / CONVK_DLANES_; h++) {
      double *p = to + k + h * CONVK_DLANES_;
      CONVK_DSTORE_(p, CONVK_DADD_(CONVK_DLOAD_(p), CONVK_DPART_(v, h)));
    }
    CONVK_STORE_(sum + k, CONVK_SET_(0));
  }
}

/* Sums of nothing, and a product of nothing. */
CONVK_INLINE_ void CONVK_KERNEL_(pair_clear)(CONVK_PRIVATE_(pair_lanes) *p) {
  size_t k;
  for (k = 0; k < CONVK_PAIR_SUMS_ * CONVK_PAIR_LANES_; k += CONVK_LANES) CONVK_STORE_(p->sum + k, CONVK_SET_(0));
  for (k = 0; k < CONVK_PAIR_LANES_; k += CONVK_LANES) {
    CONVK_STORE_(p->product + k, CONVK_SET_(1));
    CONVK_STORE_(p->exponent + k, CONVK_SET_(0));
  }
  p->count = 0;
}

/* Sums and products of one vector of lanes, out of memory and back. */
CONVK_INLINE_ void CONVK_KERNEL_(pair_take)(const CONVK_PRIVATE_(pair_lanes) *p, size_t lane, CONVK_V *s, CONVK_V *part, CONVK_V *more) {
  size_t k;
  *part = CONVK_LOAD_(p->product + lane);
  *more = CONVK_LOAD_(p->exponent + lane);
  CONVK_UNROLL_
  for (k = 0; k < CONVK_PAIR_SUMS_ - 1; k++) s[k] = CONVK_LOAD_(p->sum + k * CONVK_PAIR_LANES_ + lane);
}
CONVK_INLINE_ void CONVK_KERNEL_(pair_keep)(CONVK_PRIVATE_(pair_lanes) *p, size_t lane, const CONVK_V *s, CONVK_V part, CONVK_V more) {
  size_t k;
  CONVK_STORE_(p->product + lane, part);
  CONVK_STORE_(p->exponent + lane, more);
  CONVK_UNROLL_
  for (k = 0; k < CONVK_PAIR_SUMS_ - 1; k++) CONVK_STORE_(p->sum + k * CONVK_PAIR_LANES_ + lane, s[k]);
}

/* The potential of pairs in a list, of `count` r^2 and, if there, 1 / r (0: no pair); without them only of near ones.  Arrays have
   room for 2 sets of lanes more. */
CONVK_RARE_ void CONVK_KERNEL_(pair_wait)(const CONVK_PRIVATE_(pair_terms) *c, CONVK_T *squares, const CONVK_T *inverses,
                                          size_t count, double *sum) {
  enum { G = CONVK_KERNEL_(PAIR_GROUP), SETS = 2 * (int)CONVK_PAIR_LANES_ };
  const CONVK_V near_by = CONVK_SET_(c->near_by), zero = CONVK_SET_(0);
  CONVK_PAIR_ALIGNED_ CONVK_T part[SETS];
  size_t i, j;
  int g;
  for (j = 0; j < SETS; j += CONVK_LANES) {
    CONVK_STORE_(part + j, zero);
    if (!inverses) CONVK_STORE_(squares + count + j, near_by);
  }
  for (i = 0; i < count; i += SETS)
    for (j = 0; j < SETS; j += G * CONVK_LANES) {
      CONVK_V r2[G], t[G], v[G];
      CONVK_UNROLL_
      for (g = 0; g < G; g++) {
        const size_t at = i + j + (size_t)g * CONVK_LANES;
        r2[g] = CONVK_LOAD_(squares + at);
        t[g] = inverses ? CONVK_LOAD_(inverses + at) : CONVK_LESS_(r2[g], near_by, CONVK_KERNEL_(pair_rsqrt)(r2[g]), zero);
        if (inverses) r2[g] = CONVK_LESS_(zero, t[g], r2[g], near_by);
      }
      CONVK_KERNEL_(pair_near)(c, r2, t, v);
      CONVK_UNROLL_
      for (g = 0; g < G; g++) {
        CONVK_T *to = part + j + (size_t)g * CONVK_LANES;
        CONVK_STORE_(to, CONVK_ADD_(CONVK_LOAD_(to), v[g]));
      }
    }
  for (i = 0; i < SETS; i += CONVK_PAIR_LANES_) CONVK_KERNEL_(pair_flush)(part + i, sum, CONVK_PAIR_LANES_);
}

enum {
  CONVK_KERNEL_(PAIR_WIDE) = CONVK_FUSES_, /* texts of their own where speed is looked for; they take time to compile */
  CONVK_KERNEL_(PAIR_PARTS) = CONVK_PAIR_LANES_ / CONVK_LANES, /* vectors of a set of lanes */
  CONVK_KERNEL_(PAIR_CHUNK) = CONVK_EITHER_(4, 8) * (int)CONVK_PAIR_LANES_ /* columns whose product of r^2 fits the type */
};

/* How many of n pairs, whole sets of lanes, count: apart, since a sum more is one too many for 16 registers. */
CONVK_RARE_ void CONVK_KERNEL_(pair_count)(const CONVK_T *inverses, size_t n, CONVK_T *sum) {
  const CONVK_V zero = CONVK_SET_(0), one = CONVK_SET_(1);
  size_t lane, j;
  for (lane = 0; lane < CONVK_PAIR_LANES_; lane += CONVK_LANES) {
    CONVK_V count = CONVK_LOAD_(sum + lane);
    for (j = lane; j < n; j += CONVK_PAIR_LANES_) count = CONVK_ADD_(count, CONVK_LESS_(zero, CONVK_LOAD_(inverses + j), one, zero));
    CONVK_STORE_(sum + lane, count);
  }
}

/* The terms of n pairs, whole sets of lanes: sums, and u' / r of each. */
CONVK_INLINE_ void CONVK_KERNEL_(pair_sum)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_T *squares, const CONVK_T *inverses,
                                           CONVK_T *weights, size_t n, int want, CONVK_PRIVATE_(pair_lanes) *p) {
  enum { W = CONVK_PAIR_LANES_, PARTS = CONVK_KERNEL_(PAIR_PARTS), CHUNK = CONVK_KERNEL_(PAIR_CHUNK) };
  double count = p->count;
  size_t j, end;
  int v;
  if (c->counts) CONVK_KERNEL_(pair_count)(inverses, n, p->sum + 7 * W);
  for (v = 0; v < PARTS; v++) {
    const size_t lane = (size_t)v * CONVK_LANES;
    CONVK_V s[CONVK_PAIR_SUMS_], part, more;
    CONVK_KERNEL_(pair_take)(p, lane, s, &part, &more);
    for (j = 0; j < n; j = end) {
      const size_t stop = j + CHUNK < n ? j + CHUNK : n;
      for (end = j; end < stop; end += W) {
        const CONVK_V t = CONVK_LOAD_(inverses + end + lane);
        const CONVK_V w = CONVK_KERNEL_(pair_step)(c, CONVK_LOAD_(squares + end + lane), t, want, s, &part);
        if (want & CONVK_GRADIENT) CONVK_STORE_(weights + end + lane, w);
      }
      if (want & CONVK_LN_PSI) part = CONVK_KERNEL_(pair_mantissa)(part, &more);
      count += !v;
    }
    CONVK_KERNEL_(pair_keep)(p, lane, s, part, more);
  }
  p->count = count;
}

/* r^2 and 1 / r of a row and all columns; bits tell which of them are near.  masked: not all of them count. */
CONVK_INLINE_ uint64_t CONVK_KERNEL_(pair_distances)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_PRIVATE_(pair_tile) *p,
                                                     const CONVK_V *at, size_t n, const int masked, const int want,
                                                     CONVK_T *squares, CONVK_T *inverses) {
  const CONVK_V near_by = CONVK_SET_(c->near_by), zero = CONVK_SET_(0);
  uint64_t near_ones = 0;
  size_t j;
  int k;
  for (j = 0; j < n; j += CONVK_LANES) {
    const CONVK_V limit = masked ? CONVK_LOAD_(p->limit + j) : zero;
    CONVK_V d[3], r2, t;
    CONVK_UNROLL_
    for (k = 0; k < 3; k++) d[k] = CONVK_SUB_(at[k], CONVK_LOAD_(p->columns + j + k * CONVK_PAIR_BLOCK_));
    r2 = CONVK_KERNEL_(pair_distance)(c, d, limit, masked, &t);
    CONVK_STORE_(squares + j, r2);
    CONVK_STORE_(inverses + j, t);
    if (want & CONVK_POTENTIAL)
      near_ones |= (uint64_t)CONVK_WHICH_LESS_(r2, masked ? CONVK_LESS_(zero, t, near_by, zero) : near_by) << j;
  }
  return near_ones;
}

/* The gradients g of a row, and what columns have of it, by their weights w = u' / r. */
CONVK_INLINE_ void CONVK_KERNEL_(pair_pull)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_V *at, CONVK_V w, const CONVK_T *x,
                                            CONVK_T *to, const int masked, CONVK_V *g) {
  CONVK_V d[3];
  int k;
  CONVK_UNROLL_
  for (k = 0; k < 3; k++) d[k] = CONVK_SUB_(at[k], CONVK_LOAD_(x + k * CONVK_PAIR_BLOCK_));
  if (masked && c->periodic) CONVK_KERNEL_(pair_image)(c, d);
  CONVK_UNROLL_
  for (k = 0; k < 3; k++) {
    g[k] = CONVK_FMA_(w, d[k], g[k]);
    CONVK_STORE_(to + k * CONVK_PAIR_BLOCK_, CONVK_FNMA_(w, d[k], CONVK_LOAD_(to + k * CONVK_PAIR_BLOCK_)));
  }
}

/* Two blocks, row after row: first all distances of a row, then its terms, since both in one loop make chains too long for a
   processor to see the next ones (1.7 times as long).  Columns go in interleaved lanes. */
CONVK_INLINE_ void CONVK_KERNEL_(pair_tile_of)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_PRIVATE_(pair_tile) *p,
                                               const int masked, const int want) {
  enum { W = CONVK_PAIR_LANES_, PARTS = CONVK_KERNEL_(PAIR_PARTS), CHUNK = CONVK_KERNEL_(PAIR_CHUNK), B = CONVK_PAIR_BLOCK_ };
  const size_t ncolumns = convk_round_up_(p->ncolumns, W);
  CONVK_PAIR_ALIGNED_ CONVK_PRIVATE_(pair_lanes) sums;
  CONVK_PAIR_ALIGNED_ CONVK_T squares[B];
  CONVK_PAIR_ALIGNED_ CONVK_T inverses[B];
  CONVK_PAIR_ALIGNED_ CONVK_T lanes[3][B * CONVK_LANES];
  CONVK_PAIR_ALIGNED_ CONVK_T queue[5 * B + 2 * W];
  double count = 0;
  size_t i, j, end, waiting = 0;
  int k, v;
  CONVK_KERNEL_(pair_clear)(&sums);
  for (j = 0; (want & CONVK_GRADIENT) && j < ncolumns; j += CONVK_LANES)
    for (k = 0; k < 3; k++) CONVK_STORE_(p->column_gradient + (size_t)k * B + j, CONVK_SET_(0));
  for (i = 0; i < p->nrows; i++) {
    const CONVK_V at[3] = {CONVK_SET_(p->rows[i]), CONVK_SET_(p->rows[B + i]), CONVK_SET_(p->rows[2 * B + i])};
    uint64_t near_ones = CONVK_KERNEL_(pair_distances)(c, p, at, ncolumns, masked, want, squares, inverses);
    CONVK_V g[CONVK_KERNEL_(PAIR_PARTS)][3];
    if (masked && c->counts) CONVK_KERNEL_(pair_count)(inverses, ncolumns, sums.sum + 7 * W);
    for (v = 0; v < PARTS; v++) {
      const size_t lane = (size_t)v * CONVK_LANES;
      CONVK_V s[CONVK_PAIR_SUMS_], part, more;
      CONVK_KERNEL_(pair_take)(&sums, lane, s, &part, &more);
      CONVK_UNROLL_
      for (k = 0; k < 3; k++) g[v][k] = CONVK_SET_(0);
      for (j = 0; j < ncolumns; j = end) {
        const size_t stop = j + CHUNK < ncolumns ? j + CHUNK : ncolumns;
        for (end = j; end < stop; end += W) {
          const CONVK_V t = CONVK_LOAD_(inverses + end + lane);
          const CONVK_V w = CONVK_KERNEL_(pair_step)(c, CONVK_LOAD_(squares + end + lane), t, want, s, &part);
          if (want & CONVK_GRADIENT)
            CONVK_KERNEL_(pair_pull)(c, at, w, p->columns + end + lane, p->column_gradient + end + lane, masked, g[v]);
        }
        if (want & CONVK_LN_PSI) part = CONVK_KERNEL_(pair_mantissa)(part, &more);
        count += !v;
      }
      CONVK_KERNEL_(pair_keep)(&sums, lane, s, part, more);
    }
    if (want & CONVK_GRADIENT) {
      CONVK_UNROLL_
      for (v = PARTS - 1; v > 0; v--) {
        CONVK_UNROLL_
        for (k = 0; k < 3; k++) g[CONVK_PAIR_ONTO_(v)][k] = CONVK_ADD_(g[CONVK_PAIR_ONTO_(v)][k], g[v][k]);
      }
      CONVK_UNROLL_
      for (k = 0; k < 3; k++) CONVK_STORE_(lanes[k] + i * CONVK_LANES, g[0][k]);
    }
    for (; near_ones; near_ones &= near_ones - 1) queue[waiting++] = squares[CONVK_LOWEST_(near_ones)];
    if (waiting >= 4 * B) {
      CONVK_KERNEL_(pair_wait)(c, queue, NULL, waiting, p->sum + 6 * W);
      waiting = 0;
    }
    if (sizeof(CONVK_T) == sizeof(float) && i % 8 == 7) CONVK_KERNEL_(pair_flush)(sums.sum, p->sum, CONVK_PAIR_SUMS_ * W);
  }
  if (waiting) CONVK_KERNEL_(pair_wait)(c, queue, NULL, waiting, p->sum + 6 * W);
  CONVK_KERNEL_(pair_flush)(sums.sum, p->sum, CONVK_PAIR_SUMS_ * W);
  if (want & CONVK_GRADIENT) CONVK_KERNEL_(pair_gather)(&lanes[0][0], p->nrows, p->row_gradient);
  CONVK_LEAVE_ /* before what was compiled for any processor: it would wait for the upper halves of registers */
  if (want & CONVK_LN_PSI) CONVK_PRIVATE_(pair_product)(sums.product, sums.exponent, count, 1, p->product);
}

enum { CONVK_KERNEL_(PAIR_LIST) = 512 }; /* pairs of a list: its arrays stay in the first cache */

/* Whether so many of a list are near that V of all costs less than to pick them. */
CONVK_INLINE_ int CONVK_KERNEL_(pair_dense)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_T *squares, size_t count) {
  const CONVK_V near_by = CONVK_SET_(c->near_by), zero = CONVK_SET_(0), one = CONVK_SET_(1);
  CONVK_T lanes[CONVK_LANES], near_ones = 0;
  CONVK_V several = zero;
  size_t j;
  for (j = 0; j < count; j += CONVK_LANES) several = CONVK_ADD_(several, CONVK_LESS_(CONVK_LOAD_(squares + j), near_by, one, zero));
  CONVK_STORE_(lanes, several);
  for (j = 0; j < CONVK_LANES; j++) near_ones += lanes[j];
  return 8 * (size_t)near_ones >= 5 * count;
}

/* V of a list's near pairs, one by one into a queue. */
CONVK_RARE_ void CONVK_KERNEL_(pair_pick)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_T *squares, const CONVK_T *inverses,
                                          size_t count, double *sum) {
  const CONVK_V near_by = CONVK_SET_(c->near_by), zero = CONVK_SET_(0);
  CONVK_PAIR_ALIGNED_ CONVK_T queue[CONVK_KERNEL_(PAIR_LIST) + 2 * CONVK_PAIR_LANES_];
  size_t i, j, waiting = 0;
  for (i = 0; i < count; i += 64) {
    uint64_t near_ones = 0;
    for (j = 0; j < 64 && i + j < count; j += CONVK_LANES)
      near_ones |= (uint64_t)CONVK_WHICH_LESS_(CONVK_LOAD_(squares + i + j),
                                               CONVK_LESS_(zero, CONVK_LOAD_(inverses + i + j), near_by, zero)) << j;
    for (; near_ones; near_ones &= near_ones - 1) queue[waiting++] = squares[i + CONVK_LOWEST_(near_ones)];
  }
  if (waiting) CONVK_KERNEL_(pair_wait)(c, queue, NULL, waiting, sum);
}

/* r^2 and 1 / r of the pairs of some diagonals, from `first` on, packed into a list that is filled up to two sets of lanes; *last:
   where the next list begins.  The number of pairs. */
CONVK_INLINE_ size_t CONVK_KERNEL_(pair_list)(const CONVK_PRIVATE_(pair_terms) *c, CONVK_T (*x)[2 * CONVK_PAIR_BLOCK_ + CONVK_PAIR_LANES_],
                                              size_t n, size_t first, size_t *last, CONVK_T *squares, CONVK_T *inverses) {
  const CONVK_V limit = CONVK_SET_(c->limit);
  const int masked = c->periodic || c->counts;
  size_t i, length = 0, diagonal;
  int k;
  for (diagonal = first; diagonal <= n / 2 && length + n <= CONVK_KERNEL_(PAIR_LIST); diagonal++) {
    const size_t pairs = 2 * diagonal == n ? diagonal : n; /* the last of an even number is its own other half */
    for (i = 0; i < pairs; i += CONVK_LANES) {
      CONVK_V d[3], t;
      CONVK_UNROLL_
      for (k = 0; k < 3; k++) d[k] = CONVK_SUB_(CONVK_LOAD_(x[k] + i), CONVK_LOAD_(x[k] + i + diagonal));
      CONVK_STORE_(squares + length + i, CONVK_KERNEL_(pair_distance)(c, d, limit, masked, &t));
      CONVK_STORE_(inverses + length + i, t);
    }
    length += pairs;
  }
  *last = diagonal;
  for (i = length; i < convk_round_up_(length, 2 * CONVK_PAIR_LANES_); i += CONVK_LANES) {
    CONVK_STORE_(squares + i, CONVK_SET_(1));
    CONVK_STORE_(inverses + i, CONVK_SET_(0));
  }
  return length;
}

/* The gradients of the pairs in a list: of each particle the sum of its pairs, those with i + k and those with i - k. */
CONVK_INLINE_ void CONVK_KERNEL_(pair_pull_own)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_PRIVATE_(pair_tile) *p,
                                                CONVK_T (*x)[2 * CONVK_PAIR_BLOCK_ + CONVK_PAIR_LANES_], size_t first,
                                                size_t last, const CONVK_T *weights) {
  const size_t n = p->nrows, lanes = convk_round_up_(n, CONVK_LANES), gap = n / 2, pitch = gap + lanes;
  const CONVK_V zero = CONVK_SET_(0);
  CONVK_T rows[2 * CONVK_KERNEL_(PAIR_LIST) + CONVK_PAIR_LANES_]; /* of diagonals, each with its last ones before it, as cyclic neighbours */
  size_t i, j = 0, diagonal;
  int k, v;
  for (diagonal = first; diagonal < last; diagonal++, j += n) {
    const size_t pairs = 2 * diagonal == n ? diagonal : n;
    CONVK_T *row = rows + (diagonal - first) * pitch + gap;
    for (i = 0; i < diagonal; i += CONVK_LANES)
      CONVK_STORE_(row - diagonal + i, pairs < n ? zero : CONVK_LOAD_(weights + j + n - diagonal + i));
    for (i = 0; i < pairs; i += CONVK_LANES) CONVK_STORE_(row + i, CONVK_LOAD_(weights + j + i));
    for (i = pairs; i < lanes; i += CONVK_LANES) CONVK_STORE_(row + i, zero);
  }
  for (i = 0; i < n; i += CONVK_LANES) {
    CONVK_V at[3], g[2][3];
    const CONVK_T *row = rows + gap + i;
    CONVK_UNROLL_
    for (k = 0; k < 3; k++) {
      at[k] = CONVK_LOAD_(x[k] + i);
      g[0][k] = CONVK_LOAD_(p->row_gradient + (size_t)k * CONVK_PAIR_BLOCK_ + i);
      g[1][k] = zero;
    }
    for (diagonal = first; diagonal < last; diagonal++, row += pitch) {
      CONVK_UNROLL_
      for (v = 0; v < 2; v++) {
        const CONVK_V w = CONVK_LOAD_(v ? row - diagonal : row);
        CONVK_V d[3];
        CONVK_UNROLL_
        for (k = 0; k < 3; k++) d[k] = CONVK_SUB_(at[k], CONVK_LOAD_(x[k] + i + (v ? n - diagonal : diagonal)));
        if (CONVK_UNLIKELY_(c->periodic)) CONVK_KERNEL_(pair_image)(c, d); /* else its constants take the register of a sum */
        CONVK_UNROLL_
        for (k = 0; k < 3; k++) g[v][k] = CONVK_FMA_(w, d[k], g[v][k]);
      }
    }
    CONVK_UNROLL_
    for (k = 0; k < 3; k++)
      CONVK_STORE_(p->row_gradient + (size_t)k * CONVK_PAIR_BLOCK_ + i, CONVK_ADD_(g[0][k], g[1][k]));
  }
}

/* A block and itself, diagonal after diagonal: particles i and i + k, cyclically, so that vectors are full however few they are.
   Of 5 particles, say, the first diagonal has the pairs 01 12 23 34 40, and the second 02 13 24 30 41.
   Some diagonals make a list, packed; first all its distances, then its terms, then the gradients. */
static void CONVK_KERNEL_(pair_own)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_PRIVATE_(pair_tile) *p) {
  enum { W = CONVK_PAIR_LANES_, B = CONVK_PAIR_BLOCK_, LIST = CONVK_KERNEL_(PAIR_LIST) };
  const size_t n = p->nrows;
  const int want = p->want;
  CONVK_PAIR_ALIGNED_ CONVK_PRIVATE_(pair_lanes) sums;
  CONVK_PAIR_ALIGNED_ CONVK_T x[3][2 * B + W]; /* coordinates twice over */
  CONVK_PAIR_ALIGNED_ CONVK_T squares[LIST + 3 * W];
  CONVK_PAIR_ALIGNED_ CONVK_T inverses[LIST + 3 * W];
  CONVK_PAIR_ALIGNED_ CONVK_T weights[LIST + 3 * W];
  size_t i, first, last;
  int k;
  CONVK_KERNEL_(pair_clear)(&sums);
  for (k = 0; k < 3; k++) {
    for (i = 0; i < n; i += CONVK_LANES) CONVK_STORE_(x[k] + i, CONVK_LOAD_(p->rows + (size_t)k * B + i));
    for (i = 0; i < n; i += CONVK_LANES) CONVK_STORE_(x[k] + n + i, CONVK_LOAD_(p->rows + (size_t)k * B + i));
    for (i = 0; (want & CONVK_GRADIENT) && i < n; i += CONVK_LANES) CONVK_STORE_(p->row_gradient + (size_t)k * B + i, CONVK_SET_(0));
  }
  for (first = 1; first <= n / 2; first = last) {
    const size_t length = CONVK_KERNEL_(pair_list)(c, x, n, first, &last, squares, inverses), whole = convk_round_up_(length, 2 * W);
    const int dense = (want & CONVK_POTENTIAL) && CONVK_KERNEL_(pair_dense)(c, squares, whole);
    CONVK_STORE_(weights + whole, CONVK_SET_(0));
    CONVK_KERNEL_(pair_sum)(c, squares, inverses, weights, whole, dense ? want & ~CONVK_POTENTIAL : want, &sums);
    CONVK_KERNEL_(pair_flush)(sums.sum, p->sum, CONVK_PAIR_SUMS_ * W);
    if (dense) CONVK_KERNEL_(pair_wait)(c, squares, inverses, whole, p->sum + 6 * W);
    else if (want & CONVK_POTENTIAL) CONVK_KERNEL_(pair_pick)(c, squares, inverses, length, p->sum + 6 * W);
    if (want & CONVK_GRADIENT) CONVK_KERNEL_(pair_pull_own)(c, p, x, first, last, weights);
  }
  CONVK_LEAVE_
  if (want & CONVK_LN_PSI) CONVK_PRIVATE_(pair_product)(sums.product, sums.exponent, sums.count, 1, p->product);
}

static void CONVK_KERNEL_(pair_tile)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_PRIVATE_(pair_tile) *p) {
  if (p->own) CONVK_KERNEL_(pair_own)(c, p);
  else if (CONVK_KERNEL_(PAIR_WIDE) && p->all && p->want == CONVK_PAIR_ALL) CONVK_KERNEL_(pair_tile_of)(c, p, 0, CONVK_PAIR_ALL);
  else CONVK_KERNEL_(pair_tile_of)(c, p, 1, p->want);
}

/* r^2 and 1 / r of a particle at two places and a chunk of others, those of one vector of lanes. */
CONVK_INLINE_ void CONVK_KERNEL_(pair_row_distances)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_PRIVATE_(pair_row) *p,
                                                     size_t begin, size_t end,
                                                     CONVK_T (*squares)[CONVK_KERNEL_(PAIR_CHUNK) / CONVK_KERNEL_(PAIR_PARTS)],
                                                     CONVK_T (*inverses)[CONVK_KERNEL_(PAIR_CHUNK) / CONVK_KERNEL_(PAIR_PARTS)]) {
  size_t i, j;
  int k, m;
  for (j = begin, i = 0; j < end; j += CONVK_PAIR_LANES_, i += CONVK_LANES) {
    const CONVK_V limit = CONVK_LOAD_(p->limit + j);
    CONVK_UNROLL_
    for (m = 0; m < 2; m++) {
      CONVK_V d[3], t;
      CONVK_UNROLL_
      for (k = 0; k < 3; k++) d[k] = CONVK_SUB_(CONVK_SET_(p->at[m][k]), CONVK_LOAD_(p->x[k] + j));
      CONVK_STORE_(squares[m] + i, CONVK_KERNEL_(pair_distance)(c, d, limit, 1, &t));
      CONVK_STORE_(inverses[m] + i, t);
    }
  }
}

/* Adds how many more of n others count after than before. */
CONVK_INLINE_ CONVK_V CONVK_KERNEL_(pair_row_count)(CONVK_T (*inverses)[CONVK_KERNEL_(PAIR_CHUNK) / CONVK_KERNEL_(PAIR_PARTS)], size_t n,
                                                    CONVK_V count) {
  const CONVK_V zero = CONVK_SET_(0), one = CONVK_SET_(1);
  size_t i;
  for (i = 0; i < n; i += CONVK_LANES)
    count = CONVK_ADD_(count, CONVK_SUB_(CONVK_LESS_(zero, CONVK_LOAD_(inverses[1] + i), one, zero),
                                         CONVK_LESS_(zero, CONVK_LOAD_(inverses[0] + i), one, zero)));
  return count;
}

/* The gradient of a particle at place m, and what others have of it, by their weights w = u' / r. */
CONVK_INLINE_ void CONVK_KERNEL_(pair_row_pull)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_PRIVATE_(pair_row) *p, const int m,
                                                size_t at, CONVK_V w, CONVK_V *force) {
  CONVK_V d[3];
  int k;
  CONVK_UNROLL_
  for (k = 0; k < 3; k++) d[k] = CONVK_SUB_(CONVK_SET_(p->at[m][k]), CONVK_LOAD_(p->x[k] + at));
  if (c->periodic) CONVK_KERNEL_(pair_image)(c, d);
  CONVK_UNROLL_
  for (k = 0; k < 3; k++) {
    CONVK_T *to;
    force[k] = CONVK_FMA_(w, d[k], force[k]);
    if (!p->gradient[0]) continue;
    to = p->gradient[k] + at;
    CONVK_STORE_(to, m ? CONVK_FNMA_(w, d[k], CONVK_LOAD_(to)) : CONVK_FMA_(w, d[k], CONVK_LOAD_(to)));
  }
}

/* One particle at two places, and all others. */
CONVK_INLINE_ void CONVK_KERNEL_(pair_row_of)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_PRIVATE_(pair_row) *p, const int want) {
  enum { W = CONVK_PAIR_LANES_, PARTS = CONVK_KERNEL_(PAIR_PARTS), CHUNK = CONVK_KERNEL_(PAIR_CHUNK), SEGMENT = 8 * CHUNK };
  CONVK_PAIR_ALIGNED_ CONVK_T product[2][W];
  CONVK_PAIR_ALIGNED_ CONVK_T exponent[2][W];
  CONVK_PAIR_ALIGNED_ CONVK_T sum[10 * W];
  double count = 0;
  size_t begin, i, j, end, stop;
  int k, m, v;
  for (begin = 0; begin < p->n; begin = stop) {
    stop = begin + SEGMENT < p->n ? begin + SEGMENT : p->n;
    for (v = 0; v < PARTS; v++) {
      const size_t lane = (size_t)v * CONVK_LANES;
      CONVK_V s[2][CONVK_PAIR_SUMS_], force[2][3], part[2], more[2], shift = CONVK_SET_(0);
      CONVK_UNROLL_
      for (m = 0; m < 2; m++) {
        part[m] = begin ? CONVK_LOAD_(product[m] + lane) : CONVK_SET_(1);
        more[m] = begin ? CONVK_LOAD_(exponent[m] + lane) : CONVK_SET_(0);
        CONVK_UNROLL_
        for (k = 0; k < CONVK_PAIR_SUMS_; k++) s[m][k] = CONVK_SET_(0);
        CONVK_UNROLL_
        for (k = 0; k < 3; k++) force[m][k] = CONVK_SET_(0);
      }
      for (j = begin; j < stop; j = end) {
        const size_t last = j + CHUNK < stop ? j + CHUNK : stop;
        CONVK_PAIR_ALIGNED_ CONVK_T squares[2][CHUNK / PARTS];
        CONVK_PAIR_ALIGNED_ CONVK_T inverses[2][CHUNK / PARTS];
        CONVK_KERNEL_(pair_row_distances)(c, p, j + lane, last + lane, squares, inverses);
        for (end = j, i = 0; end < last; end += W, i += CONVK_LANES) {
          CONVK_UNROLL_
          for (m = 0; m < 2; m++) { /* sums stay in registers, with gradients it is these that do not */
            const CONVK_V t = CONVK_LOAD_(inverses[m] + i);
            const CONVK_V w = CONVK_KERNEL_(pair_step)(c, CONVK_LOAD_(squares[m] + i), t, want, s[m], &part[m]);
            if (CONVK_UNLIKELY_(want & CONVK_GRADIENT)) CONVK_KERNEL_(pair_row_pull)(c, p, m, end + lane, w, force[m]);
          }
        }
        if (c->counts) shift = CONVK_KERNEL_(pair_row_count)(inverses, i, shift);
        CONVK_UNROLL_
        for (m = 0; m < 2; m++) part[m] = CONVK_KERNEL_(pair_mantissa)(part[m], &more[m]);
        count += !v;
      }
      CONVK_UNROLL_
      for (m = 0; m < 2; m++) {
        CONVK_STORE_(product[m] + lane, part[m]);
        CONVK_STORE_(exponent[m] + lane, more[m]);
        if (!(want & CONVK_GRADIENT)) continue;
        CONVK_UNROLL_
        for (k = 0; k < 3; k++) CONVK_STORE_(sum + (size_t)(4 + 3 * m + k) * W + lane, force[m][k]);
      }
      CONVK_UNROLL_
      for (k = 0; k < 3; k++) CONVK_STORE_(sum + (size_t)k * W + lane, CONVK_SUB_(s[1][k], s[0][k]));
      if (c->counts) CONVK_STORE_(sum + 3 * W + lane, shift);
    }
    CONVK_KERNEL_(pair_flush)(sum, p->sum, 3 * W);
    for (i = 0; c->counts && i < W; i++) p->product->sum[7] += (double)sum[3 * W + i];
    if (want & CONVK_GRADIENT) CONVK_KERNEL_(pair_flush)(sum + 4 * W, p->force, 6 * W);
  }
  CONVK_LEAVE_
  if (c->p[2] > 0 || c->p[2] < 0) {
    CONVK_PRIVATE_(pair_product)(product[0], exponent[0], count, -1, p->product);
    CONVK_PRIVATE_(pair_product)(product[1], exponent[1], count, 1, p->product);
  }
}

static void CONVK_KERNEL_(pair_row)(const CONVK_PRIVATE_(pair_terms) *c, const CONVK_PRIVATE_(pair_row) *p) {
  if (!CONVK_KERNEL_(PAIR_WIDE) || CONVK_REGISTERS_ >= 32) CONVK_KERNEL_(pair_row_of)(c, p, CONVK_LN_PSI | (p->want & CONVK_GRADIENT));
  else if (p->want & CONVK_GRADIENT) CONVK_KERNEL_(pair_row_of)(c, p, CONVK_LN_PSI | CONVK_GRADIENT);
  else CONVK_KERNEL_(pair_row_of)(c, p, CONVK_LN_PSI);
}

static void CONVK_KERNEL_(pair_values)(const CONVK_PRIVATE_(pair_terms) *c, size_t n, const CONVK_T *r, CONVK_T *v) {
  enum { G = CONVK_KERNEL_(PAIR_GROUP) };
  const CONVK_V near_by = CONVK_SET_(c->near_by), least = CONVK_SET_((CONVK_T)(1. / 65536)), most = CONVK_SET_(CONVK_PAIR_BIG_);
  size_t i, at;
  int g;
  for (i = 0; i < n; i += G * CONVK_LANES) {
    CONVK_V r2[G], t[G], value[G];
    unsigned which = 0;
    for (g = 0, at = i; g < G; g++, at += CONVK_LANES) {
      CONVK_V s = at + CONVK_LANES <= n ? CONVK_LOAD_(r + at) : at < n ? CONVK_LOADK_(r + at, n - at) : most;
      r2[g] = CONVK_MAX_(least, CONVK_MIN_(most, CONVK_MUL_(s, s)));
      t[g] = CONVK_KERNEL_(pair_rsqrt)(r2[g]);
      s = CONVK_MUL_(t[g], t[g]);
      value[g] = CONVK_MUL_(CONVK_MUL_(CONVK_MUL_(s, s), s), CONVK_KERNEL_(pair_powers)(c, s));
      which |= CONVK_WHICH_LESS_(r2[g], near_by);
    }
    if (which) CONVK_KERNEL_(pair_near)(c, r2, t, value);
    for (g = 0, at = i; g < G; g++, at += CONVK_LANES) {
      if (at + CONVK_LANES <= n) CONVK_STORE_(v + at, value[g]);
      else if (at < n) CONVK_STOREK_(v + at, value[g], n - at);
    }
  }
  CONVK_LEAVE_
}

/* What lies outside leaves bits: of a number its distance to the range, of a NaN itself. */
static int CONVK_KERNEL_(pair_inside)(size_t n, const CONVK_T *r) {
  const CONVK_V sign = CONVK_SIGN_, most = CONVK_SET_(CONVK_PAIR_FAR_);
  CONVK_UNSIGNED_ bits[CONVK_LANES], all = 0;
  CONVK_V outside = CONVK_SET_(0);
  size_t i;
  for (i = 0; i < n; i += CONVK_LANES) {
    const CONVK_V x = n - i < CONVK_LANES ? CONVK_LOADK_(r + i, n - i) : CONVK_LOAD_(r + i), a = CONVK_XOR_(x, CONVK_AND_(x, sign));
    outside = CONVK_OR_(outside, CONVK_SUB_(CONVK_MIN_(most, a), a));
  }
  CONVK_TO_BITS_(bits, outside);
  for (i = 0; i < CONVK_LANES; i++) all |= bits[i];
  CONVK_LEAVE_
  return !all;
}

CONVK_LOCAL_ const CONVK_PRIVATE_(pair_kernels) *CONVK_KERNEL_(pair_kernels)(void) {
  static const CONVK_PRIVATE_(pair_kernels) kernels = {CONVK_KERNEL_(pair_tile), CONVK_KERNEL_(pair_row), CONVK_KERNEL_(pair_values),
                                                       CONVK_KERNEL_(pair_inside)};
  return &kernels;
}
#endif
#if CONVK_IS_KERNEL_
/* ---- src/core/bind.h ---- */

CONVK_COMPILED_OPERATIONS_(CONVK_OP_VARIANT_)
CONVK_COMPILED_FAMILIES_(CONVK_FAMILY_BINDER_)
#endif
#undef CONVK_IS_KERNEL_

#endif

#endif /* CONVK_H_ or a pass */

/* ------------------------------------------------------------------------------------------------- the end of a pass -- */
#ifdef CONVK_PASS_
/* ---- src/words/contract.h ---- */
/* ---- the contract of words ----
   A kernel pass needs these words, CONVK_LOAD_ and so on.  A module defines them for its vectors, those that both precisions
   share once: CONVK_MORE_ keeps them for another pass.  Here, at the end of a pass, what is missing is an error, and all go.
     V, LANES                         the vector type and its number of elements
     LOAD(p), STORE(p, v)             at any alignment;  LOADK(p, k), STOREK(p, v, k): the first k <= LANES elements only,
                                      the others are 0 and untouched
     STREAM(p, v), FENCE              store past the cache, p aligned to 64 bytes; ends such stores
     SET(x), ADD(a, b), MUL(a, b), FMA(a, b, c)  a in every lane; a + b; a b; a b + c, fused where the class is
     FNMA(a, b, c), FMS(a, b, c)      c - a b and a b - c in the same way
     FUSES                            1 where FMA rounds once, 0 where it rounds twice
     REGISTERS                        vectors that a processor keeps, about
     SUB, DIV, MIN, MAX (a, b)        the last two are b where one of them is NaN
     LESS(a, b, x, y), ANY_LESS(a, b) x where a < b, y elsewhere; whether a < b anywhere;  WHICH_LESS(a, b): bits of the lanes where it is
     AND, OR, XOR, IADD, ISUB (a, b), SHL(a, k), SHR(a, k), BITS(u)  of the elements' bits, as unsigned integers of their size
     SCALE(v, n)                      v 2^n, with one rounding, where an instruction does it for all n
     NEARER(a, b)                     with SCALE: the sign of a and the smaller magnitude, b's where a is NaN
     LEFT(u)                          u less the nearest integer, of finite u, where one instruction does it
     MANTISSA(x), EXPONENT(x)         where instructions give them: m of x = 2^k m with 3/4 <= m < 3/2, and the e of 2^e <= x
     LOG_ENDS(y, x)                   with them: y, but the logarithm itself of all x that are not positive and finite
     BEFORE(p, u, v), AFTER(p, v, w)  what lies at p - 1 and at p + 1, where v lies at p, u before and w after it; u may have
                                      only its last element right
     BESIDE(p, ld), STORE_BESIDE(p, ld, v)   steps of ROW_BESIDE rows at p, p + ld .. beside each other in a vector; to such rows
     WINDOW(p, here, next, k)         the same from p + k on, k less than a step, by loads or from the vectors at p and a step later
     TRANSPOSE(v)                     of LANES vectors, in place;  TRANSPOSE_FROM(row, v): of what lies at row[0] ..; may be missing
     UNZIP(v), ZIP(v)                 two vectors of pairs become those of first and of second elements, in place; and back
     D, DLANES, DPART(v, h), DFMA, DADD, DZERO, DSET(x), DLOAD(p), DSTORE(p, d)   doubles for sums: part h of v as a vector of DLANES doubles;
                                      JOIN(d): the vector whose parts are d[0] ..
     KEEP(v), REREAD(f)               v is due in a register now; taps f come from memory again: compilers that put off one
                                      sum or hoist all taps spill sums instead (1.5 times as slow with 16 registers)
     LEAVE                            ends a kernel (vzeroupper)
     TILE_OUT, TILE_VEC               register tile of `columns`, outputs x vectors, or 0 where pairs are as fast;  TILE_16: 1 where 16 taps stay in registers too
     ROW_ROWS                         rows of a register tile of `rows` for 16 taps, 0 where the general text is as fast: a vector
                                      holds steps of ROW_BESIDE of them, and 16 / step sums for each vector hide latencies */
#if CONVK_PASS_ == CONVK_PASS_KERNEL_
#if !(defined CONVK_V && defined CONVK_LANES && defined CONVK_HW_ && defined CONVK_KERNEL_ && defined CONVK_ELEMENT_ \
      && defined CONVK_ELEMENT_RARE_ && defined CONVK_CONSTANT_ && defined CONVK_BOTH_ && defined CONVK_TO_BITS_ && \
      defined CONVK_FROM_BITS_)
#error "a kernel pass lacks one of these words: V LANES HW KERNEL ELEMENT ELEMENT_RARE CONSTANT BOTH TO_BITS FROM_BITS"
#endif
#if !(defined CONVK_LOAD_ && defined CONVK_STORE_ && defined CONVK_LOADK_ && defined CONVK_STOREK_ && defined \
      CONVK_STREAM_ && defined CONVK_FENCE_ && defined CONVK_LEAVE_)
#error "a kernel pass lacks one of these words: LOAD STORE LOADK STOREK STREAM FENCE LEAVE"
#endif
#if !(defined CONVK_SET_ && defined CONVK_ADD_ && defined CONVK_SUB_ && defined CONVK_MUL_ && defined CONVK_DIV_ && \
      defined CONVK_FMA_ && defined CONVK_FNMA_ && defined CONVK_FMS_ && defined CONVK_FUSES_ && \
      defined CONVK_REGISTERS_)
#error "a kernel pass lacks one of these words: SET ADD SUB MUL DIV FMA FNMA FMS FUSES REGISTERS"
#endif
#if !(defined CONVK_MIN_ && defined CONVK_MAX_ && defined CONVK_LESS_ && defined CONVK_ANY_LESS_ && defined \
      CONVK_WHICH_LESS_)
#error "a kernel pass lacks one of these words: MIN MAX LESS ANY_LESS WHICH_LESS"
#endif
#if !(defined CONVK_AND_ && defined CONVK_OR_ && defined CONVK_XOR_ && defined CONVK_IADD_ && defined CONVK_ISUB_ && \
      defined CONVK_SHL_ && defined CONVK_SHR_ && defined CONVK_BITS_ && defined CONVK_INT_)
#error "a kernel pass lacks one of these words: AND OR XOR IADD ISUB SHL SHR BITS INT"
#endif
#if !(defined CONVK_BEFORE_ && defined CONVK_AFTER_ && defined CONVK_TRANSPOSE_ && defined CONVK_UNZIP_ && defined \
      CONVK_ZIP_)
#error "a kernel pass lacks one of these words: BEFORE AFTER TRANSPOSE UNZIP ZIP"
#endif
#if !(defined CONVK_D && defined CONVK_DLANES_ && defined CONVK_DPART_ && defined CONVK_DFMA_ && defined CONVK_DADD_ \
      && defined CONVK_DZERO_ && defined CONVK_DSET_ && defined CONVK_DLOAD_ && defined CONVK_DSTORE_ && defined \
      CONVK_JOIN_)
#error "a kernel pass lacks one of these words: D DLANES DPART DFMA DADD DZERO DSET DLOAD DSTORE JOIN"
#endif
#if !(defined CONVK_TILE_OUT_ && defined CONVK_TILE_16_ && defined CONVK_ROW_ROWS_)
#error "a kernel pass lacks one of these words: TILE_OUT TILE_16 ROW_ROWS"
#endif
#endif
#if CONVK_PASS_ == CONVK_PASS_KERNEL_ || CONVK_PASS_ == CONVK_PASS_ELEMENT_ || CONVK_PASS_ >= CONVK_PASS_BOTH_
/* those of one precision, and after its last those of the instruction set */
#undef CONVK_V
#undef CONVK_LANES
#undef CONVK_MM_
#undef CONVK_OWN_
#undef CONVK_INTEGER_
#undef CONVK_BITS_
#undef CONVK_INT_
#undef CONVK_REAL_
#undef CONVK_IS_LESS_
#undef CONVK_TILE_OUT_
#undef CONVK_TILE_VEC_
#undef CONVK_TILE_16_
#undef CONVK_ROW_ROWS_
#undef CONVK_ROW_BESIDE_
#ifndef CONVK_MORE_
#undef CONVK_ELEMENT_
#undef CONVK_ELEMENT_RARE_
#undef CONVK_CONSTANT_
#undef CONVK_KERNEL_
#undef CONVK_BOTH_
#undef CONVK_TO_BITS_
#undef CONVK_FROM_BITS_
#undef CONVK_HW_
#undef CONVK_MM_PD_
#undef CONVK_LOAD_
#undef CONVK_STORE_
#undef CONVK_STREAM_
#undef CONVK_FENCE_
#undef CONVK_LOADK_
#undef CONVK_STOREK_
#undef CONVK_SET_
#undef CONVK_ADD_
#undef CONVK_MUL_
#undef CONVK_DIV_
#undef CONVK_FMA_
#undef CONVK_FNMA_
#undef CONVK_FMS_
#undef CONVK_FUSES_
#undef CONVK_REGISTERS_
#undef CONVK_SUB_
#undef CONVK_MIN_
#undef CONVK_MAX_
#undef CONVK_LESS_
#undef CONVK_ANY_LESS_
#undef CONVK_WHICH_LESS_
#undef CONVK_AND_
#undef CONVK_OR_
#undef CONVK_XOR_
#undef CONVK_IADD_
#undef CONVK_ISUB_
#undef CONVK_SHL_
#undef CONVK_SHR_
#undef CONVK_SCALE_
#undef CONVK_NEARER_
#undef CONVK_LEFT_
#undef CONVK_MANTISSA_
#undef CONVK_EXPONENT_
#undef CONVK_LOG_ENDS_
#undef CONVK_WINDOW_
#undef CONVK_BESIDE_
#undef CONVK_STORE_BESIDE_
#undef CONVK_BEFORE_
#undef CONVK_AFTER_
#undef CONVK_TRANSPOSE_
#undef CONVK_TRANSPOSE_FROM_
#undef CONVK_UNZIP_
#undef CONVK_ZIP_
#undef CONVK_D
#undef CONVK_DLANES_
#undef CONVK_DPART_
#undef CONVK_DFMA_
#undef CONVK_DZERO_
#undef CONVK_DSET_
#undef CONVK_DLOAD_
#undef CONVK_DSTORE_
#undef CONVK_DADD_
#undef CONVK_JOIN_
#undef CONVK_REREAD_
#undef CONVK_KEEP_
#undef CONVK_LEAVE_
#endif
#undef CONVK_MORE_
#endif
#undef CONVK_PASS_
#undef CONVK_TYPE_
#undef CONVK_T
#elif !defined CONVK_OLD_C_
/* ---- src/core/modules.h ---- */
/* A second include in another mode would get what the first one said. */
#if (defined CONVK_DECLARE) != (CONVK_MODE_ == 1) || (defined CONVK_IMPLEMENT) != (CONVK_MODE_ == 2)
#error "convk.h was included before in this unit, in another mode: define CONVK_DECLARE or CONVK_IMPLEMENT before the first include"
#endif
#if (defined CONVK_ONLY_CORE || defined CONVK_ONLY_FAMILIES) != CONVK_SEPARATE_ || defined CONVK_ONLY_FAMILIES == CONVK_CORE_
#error "convk.h was included before in this unit, for other parts: define CONVK_ONLY_CORE or CONVK_ONLY_FAMILIES before the first include"
#endif
/* Modules by define, at the end of an ordinary include. */
#if defined CONVK_SSE && !defined CONVK_SSE_H_
#include "convk_sse.h"
#endif
#if defined CONVK_AVX && !defined CONVK_AVX_H_
#include "convk_avx.h"
#endif
#if defined CONVK_CL && !defined CONVK_CL_H_
#include "convk_cl.h"
#endif
#if defined CONVK_CUDA && !defined CONVK_CUDA_H_
#include "convk_cuda.h"
#endif
#endif
