/* SPDX-License-Identifier: MIT
   convk - compute kernels of nanoscience codes, one text for many machines.

   WHAT IT IS
     Six headers.  This one holds the types, the checks of arguments, the text of every kernel of processors, and its portable
     variant.  The others, called modules, add hardware.  Copy this file and the modules you want into your program; nothing has
     to be linked.
       convk_sse.h   SSE2                      convk_cl.h    OpenCL
       convk_avx.h   AVX, AVX2+FMA, AVX-512    convk_cuda.h  CUDA
       convk_neon.h  NEON of 64-bit ARM
     Define CONVK_SIMD, as below, to include the modules of the processor.  Without it this file is portable C, which is 3 to 30
     times as slow as AVX-512, and hw.name is "scalar".  A module is not included merely because it lies beside this file:
     results (see NUMBERS) and the time to compile would then depend on which files are there.

   IN TEN LINES
       #define CONVK_WITH_FILTERS              // what is compiled: this family,
       #define CONVK_F64                       // in double precision alone,
       #define CONVK_SIMD                      // for all of the processor: convk_sse.h and so on lie beside this file
       #include "convk.h"
       int smooth(size_t n, const double *psi, double *values) {
         convk_sepconv3d_shape shape = {.in = {n, n, n, 0, 0}}; // x contiguous, packed; periodic; the output alike
         convk hw;
         int status = convk_open(&hw, NULL);   // NULL: the best hardware compiled in that this machine runs
         if (!status) status = convk_magicfilter3d_f64(&hw, &shape, CONVK_FORWARD, NULL, psi, values, NULL, 0);
         convk_close(&hw);
         return status;                        // 0, or a negative code for convk_strerror()
       }
     cc -O2 prog.c, with the included headers beside it.  No special compiler flags: each module opens the instruction set it
     needs for its own kernels.

   MODES
     A unit (a source file with what it includes) compiles all that it names: name the families and the precision that you use.
     In a program of many units one implements and the others only declare, which takes a fraction of a second to compile:
       #define CONVK_DECLARE          // types and prototypes only
       #define CONVK_IMPLEMENT        // in one unit: definitions, hidden outside of the program or library that holds it
       neither                        // all functions are static inline
     The unit that implements names the families and precisions of the program.  A unit that declares may name none, and then
     has the prototypes of all.  If no unit implements what it calls, the linker says so.
     To compile families at the same time, split the implementation.  For a program of two families, in three files:
       // core.c: what all families share.  It names all families of the program
       #define CONVK_IMPLEMENT
       #define CONVK_ONLY_CORE
       #define CONVK_WITH_FILTERS
       #define CONVK_WITH_FFT
       #include "convk.h"
       // filters.c: the family that it names; fft.c is the same with CONVK_WITH_FFT
       #define CONVK_IMPLEMENT
       #define CONVK_ONLY_FAMILIES
       #define CONVK_WITH_FILTERS
       #include "convk.h"
     All three name the same modules (CONVK_SIMD) and precisions.  If a family has no unit, the linker says that
     convk_bind_<family>_... is missing.  The families of CONVK_WITH_SEPCONV share functions: those that a program has belong
     into one unit, or the linker finds these functions twice.  The same holds for CONVK_WITH_GAUSSIAN.
     A handle has the families and modules of the unit that implements, or of the core's unit, wherever it is opened.  If
     functions are static, it has those of the unit that opens it; modules count if they are included before that call.
     CONVK_SIMD, CONVK_OPENMP, CONVK_STRICT and CONVK_MALLOC belong into the units that implement.  Units that declare include
     modules only for calls by a variant's name, or on a device's arrays.
     Define CONVK_SHARED in all units if a shared library implements them: its functions are then visible to the programs that
     link it.  A handle may be opened in one unit and used in another of the same version.  An operation that some unit
     implements, but of a family or precision that the handle does not have, is CONVK_ERR_COMPILED.

   CHOOSING THE HARDWARE
     At startup   convk_open(&hw, spec): "scalar", "sse2", "avx", "avx2", "avx512", "neon", "opencl[:device]",
                  "cuda[:device]".  An unknown name, one that is not compiled in, and one that this machine cannot run are three
                  distinct errors; there is no silent fallback.  NULL takes the best CPU variant.  The library reads no
                  environment variable; a program may: convk_open(&hw, getenv("CONVK_HW")).
     When compiling  call a variant by name with a handle or NULL (serial): convk_magicfilter3d_f64_avx2(NULL, ...).
                  The caller then has to know that the machine has these instructions.
     `convk` is a small struct of the caller; there are no globals.  A handle may be copied and used by several threads at
     once unless it belongs to a device.

   DEFINES (before the first include)
     CONVK_SSE, CONVK_AVX, CONVK_NEON, CONVK_CL, CONVK_CUDA   include these modules from the last lines of this file
     CONVK_SIMD               the modules of the processor: CONVK_SSE and CONVK_AVX on x86, CONVK_NEON on 64-bit ARM
     CONVK_AVX_WITHOUT_AVX2   convk_avx.h also has the variant "avx", for processors of 2011 to 2013
     Families that a unit compiles, and that its handles find.  If it names none, an error lists them; what belongs to one that
     is missing or misspelt, the compiler calls an implicit declaration, or the linker an undefined reference
     CONVK_WITH_FILTERS       sepconv3d, magicfilter3d, potential_apply, conv1d_transpose
     CONVK_WITH_WAVELETS      dwt3d, idwt3d, s1_to_r, r_to_s1, wavelet_compress, wavelet_uncompress
     CONVK_WITH_SUMS          sumconv3d, chebyshev3d
     CONVK_WITH_HAMILTONIAN   hamiltonian_apply; compiles what it needs of the three above: name them only if you call them
     CONVK_WITH_STENCIL       stencil7, stencil7_box
     CONVK_WITH_VMATH         exp, expm1, log, sincos
     CONVK_WITH_GAUSSIAN_POINTS  gridpot, gridpot_sum, orbitals, orbitals_vgl, density
     CONVK_WITH_GAUSSIAN_GRIDS   orbitals_grid and the other operations of grids, where steps lie along x, y and z
     CONVK_WITH_GAUSSIAN_CELLS   the same for steps of any kind, on devices, too; includes CONVK_WITH_GAUSSIAN_GRIDS
     CONVK_WITH_FORMFACTOR    formfactor, formfactor_grid, formfactor_assembly, formfactor_powder, formfactor_dwba
     CONVK_WITH_DISTANCES     pair_histogram, debye, debye_direct
     CONVK_WITH_AMPLITUDES    amplitudes, amplitudes_grid
     CONVK_WITH_FFT           fftconv2d, fft2d
     CONVK_WITH_PAIRS         pair_potential, pair_energy, pair_move, pair_accept, vmc_run
     CONVK_WITH_SEPCONV       the first four of these
     CONVK_WITH_GAUSSIAN      the three of Gaussians
     CONVK_WITH_VMC           the same as CONVK_WITH_PAIRS
     CONVK_WITH_ALL           all families
     CONVK_F32, CONVK_F64     keep only the precisions named (default: both)
     CONVK_NO_SSE2, CONVK_NO_AVX, CONVK_NO_AVX2,
     CONVK_NO_AVX512, CONVK_NO_NEON   leave out instruction sets that no machine of yours wants
     CONVK_DECLARE, CONVK_IMPLEMENT, CONVK_SHARED   see MODES
     CONVK_ONLY_CORE, CONVK_ONLY_FAMILIES           see MODES
     CONVK_OPENMP             convk_open sets the thread hook to OpenMP (with -fopenmp, or it does not compile)
     CONVK_STRICT             no fused multiply-add in CPU kernels: all variants of processors give the same bits
     CONVK_MALLOC(bytes), CONVK_FREE(pointer)     default malloc, free: for all memory of the host, see MEMORY AND TUNING
     CONVK_SECONDS()          a clock for the tuner, where the default, the best that the C library shows, will not do
     CONVK_HEADER             this file's name where it is not "convk.h"
     CONVK_FP_CONTRACT_ON     with clang's -ffp-contract=on: see NUMBERS

   CONVENTIONS
     Sizes are size_t, in elements.  A grid's element (x, y, z) lies at x + y pitch_y + z pitch_z.
     Types: f32, f64; c32, c64: complex numbers of two f32 or f64, the real part first (complex64 and complex128 of NumPy).  C
     passes them as float * or double *; sizes, pitches and strides of their arrays count complex numbers.
     Filters are correlations, y[i] = sum of taps[l - lo] x[i + l] over l = lo..up.
     Arguments come in this order: handle, shape, parameters, inputs, outputs, work.  What belongs together is a struct whose
     members may be left 0: convk_points_f64 points = {.n = n, .x = x, .y = y, .z = z}.  Calls that need no hardware also take
     NULL for a handle.
     A function that can fail returns 0 or a negative status.  Bad arguments are found before the first write; hw.message then
     says which one and why, "shape->in.pitch_y is 12, less than nx = 16".  It is empty after a call that succeeds.
     Arrays that a call writes, work included, must not overlap others that it reads or writes (CONVK_ERR_OVERLAP), except where
     an operation says that it works in place.
     `work` is scratch memory of the caller at any alignment; NULL lets the call allocate it.  Its size comes from int
     convk_<operation>_work_size_<type>(&hw, what decides it, &bytes), and is enough for all smaller calls, too.  Plans and
     states are memory of the caller in the same way; each has a type of its own, and only the library looks into it.
     Data may have any alignment; 64-byte alignment is fastest.  Nothing is read or written outside the described arrays.

   MEMORY AND TUNING
     These allocate memory of the host: calls whose `work` is NULL, convk_tune, convk_huge_alloc, and formfactor_grid where it
     goes by lists of q.  With a device convk_open does, and calls on host arrays; of calls on the device's arrays all of OpenCL
     may, and with CUDA those of Gaussians on grids.
     Default block sizes follow from the sizes of the arrays and of the caches.  Cache sizes are taken from cpuid.  Of L3 three
     quarters count, on a virtual machine half, and at most 24 MiB a thread.  A program may set other sizes in hw.tuning.  It
     can do more, most useful first:
       convk_grid3_padded(nx, ny, nz, sizeof(double))   pitches that keep rows and planes out of each other's cache sets
       convk_huge_alloc(bytes), convk_huge_free(array)  aligned memory on huge pages, where the system has them
       convk_first_touch(&hw, &grid, element, array)    zeros, written by the threads that will work there (NUMA)
       convk_tune(&hw, "stencil7_f64", &shape, 2000, &entry)   measures for 2 s what is best here
       hw.tuned = &entry; hw.ntuned = 1;                uses it; convk_tuned_write and convk_tuned_read make text of entries,
                                                        which the program may keep: the library touches no file
       hw.tuning.stencil_rows = 32;                     by hand, before everything else
     The separable convolution, the stencil, Gaussians, form factors, transforms and pairs are tuned; functions of arrays need
     no tuning.  None of this changes a result.
     On "opencl" and "cuda" convk_tune measures tiles, groups, steps in one pass and items of a block by the device's own clock.
     It does not tune pairs, sumconv3d and wavelets there, nor with CUDA gridpot and formfactor_grid.  An entry has the
     device's name.  With OpenCL each choice is a program to build, for a second or more: give it 20000 ms.

   THREADS
     Calls are serial unless hw.parallel has a number of threads and a function that runs tasks.  CONVK_OPENMP sets both.  A
     task needs 64 KB of stack.
     The result has the same bits for every number of threads and every tuning parameter.  Tasks round and flush as the
     calling thread does (MXCSR, FPCR), however the threads of the pool are set.
     Many processes: the library does not use MPI; the program distributes its arrays.  Variational Monte Carlo joins its sums
     over walkers by a function of the program (convk_vmc_part), with the same bits for every number of processes.

   SUBNORMALS
     Numbers below the smallest normal one (1.2e-38, 2.2e-308) are slow on many processors: an operation that reads or makes one
     takes about 150 cycles.  The library's own exponentials make none, except where an array of them is the result.  Filters,
     stencils and transforms make them where the data decay: a field like exp(-r) can take 50 times as long in f32.  With
        hw.flush_subnormals = 1;
     such numbers count as 0 within the tasks of each call, in all threads (FTZ and DAZ of MXCSR on x86, FZ on aarch64).  Each
     task restores what was set before.  Results, and terms of sums, change by less than the smallest normal number.
     Use it for data that decay, where 1e-38 is as good as 0.  It has no effect on OpenCL and CUDA, where they cost nothing.

   NUMBERS
     Two classes of variants: multiply then add (scalar, sse2, avx) and fused (avx2, avx512, neon, GPUs).  Within a class
     results agree to the last bit, for every cut into tasks and blocks.  On devices only these have bits of their own:
       pairs          sums over pairs of particles
       form factors   of meshes with faces (mesh->indexed); with CUDA also those on grids of q, of more than 1024 triangles
       Gaussians      on grids whose steps do not lie along x, y and z
     gcc and clang are told not to contract in kernels (other compilers, and nvcc's host code: -ffp-contract=off or its like).
     Functions state their accuracy.
     NaN and infinity propagate as IEEE 754 says.  MXCSR and errno are left alone.
     With gcc -ffast-math and -Ofast change no bit.  With clang they change none either if the program does what follows; else
     an #error says so:
       always               include convk_avx.h, which CONVK_SIMD does, before <immintrin.h>
       clang 17 and later   add -fno-finite-math-only behind them
       with FMA             (-mfma, -march=native) add -ffp-contract=on -DCONVK_FP_CONTRACT_ON behind them
       64-bit ARM           do not use -ffast-math or -Ofast
     Programs that gcc links with -ffast-math flush subnormals from the start (FTZ, DAZ), so that subnormal results are 0 there.
     Options that change the meaning of the library's text are compile errors: -fsingle-precision-constant, -mfpmath=387,
     -mno-sse2, -fpack-struct (or a #pragma pack that another header leaves).
     clang with -ftrapv does not come to an end: leave it out where the library is compiled.
     With FMA clang fuses in spite of all pragmas under -ffast-math and under -ffp-contract=fast.  For -ffast-math an #error
     asks for the two flags above.  For -ffp-contract=fast nothing tells you: remove it, or -march=native (-mfma).

   WINDOWS
     By gcc or clang of mingw-w64 (x86_64) with all processor variants, also after <windows.h>; tested with wine.  gcc keeps its
     stack at multiples of 16 bytes only (GCC bug 54412), so convk_avx.h tells the assembler to move vectors of AVX and AVX-512
     by instructions that take any address, in all of its unit.  With -flto, whose parts may lose this, add
     -Wa,-muse-unaligned-vector-move where the program is linked (binutils 2.38).  Other compilers, Microsoft's among them,
     would get the portable variant; this is not tested.

   ARM
     NEON is tested in an emulator alone: it has the bits of AVX2 by gcc and clang, and its speed is predicted by models of
     processors (tests/bench/results/NEON.md), not measured.  For macOS programs compile and link; none was run.

   VERSIONS
     CONVK_VERSION is 10000 major + 100 minor + patch; CHANGELOG.md says what changes.  A patch changes neither interfaces nor
     the bits of results.  While major is 0, a minor version may change both; from 1.0 on a minor version may add to interfaces
     and change bits, and only a major version changes or removes what a program uses.
     A handle belongs to a major and minor version.  It begins with its size and its version, in all versions, and each call
     compares them with its own, but for the patch: CONVK_ERR_HANDLE.  So libraries that hide different versions may stand in
     one program, each with its own handles; of those with CONVK_SHARED a program takes one, whose patch may be exchanged: the
     name that a program looks for, libconvk.so.0.3, has the major and minor version.

   LAYOUT OF THIS FILE
     It is joined from rooms, each under a banner that names its file: src/core, src/words, then of each family types.h
     (structs and constants of both precisions), api.h (prototypes, once per precision), the driver (once per precision) and
     the kernel text (once per instruction set and precision, in the words that a module defines).
     Edit the rooms, not this file. */
