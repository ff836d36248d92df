/* ---- src/core/licence.h ---- */
/* MIT License

Copyright (c) 2026 the convk authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE. */

/* ---- src/device/cuda_manual.h ---- */
/* SPDX-License-Identifier: MIT
   convk_cuda.h - the kernels of convk for CUDA devices, and their host side.  convk.h has the manual of the operations.

   HOST ARRAYS: this adds the hardware "cuda" (the thread's current device) and "cuda:N" (device N) to convk_open:
       #include "convk_cuda.h"                 // or: #define CONVK_CUDA, then convk.h
       convk hw;
       int status = convk_open(&hw, "cuda");   // CONVK_ERR_HW_MACHINE: no device for it; hw.message says more
       if (!status) status = convk_magicfilter3d_f64(&hw, &shape, CONVK_FORWARD, NULL, in, out, NULL, 0);
       convk_close(&hw);
     Same arguments and same results as on a processor; `work` is ignored.  The call copies the arrays in, runs on the
     handle's own streams, copies back only elements that the grids describe, and waits.  Large arrays go in parts, with the
     same bits: while one is worked on, the next comes and the one before goes back, if the arrays are pinned (cudaMallocHost,
     cudaHostRegister); others are copied in and out in turn.  So arrays may be larger than the device's memory; hw.device_bytes
     bounds what a call takes of it, where programs share a device.  Pairs and walkers stay whole.  Device memory is kept in the
     handle for the next call.  One thread at a time may use a handle.  A handle works in the primary context of its device,
     which exists until the handle is closed at least; the thread's current device and context, also one of cuCtxCreate, are
     left as they were, and no context is made on another device.  After CONVK_ERR_DEVICE or CONVK_ERR_MEMORY hw.message holds
     the text of the CUDA error, which cudaGetLastError does not tell.  An error of the program's own that is pending there
     (such as cudaErrorNotReady of a query) does not matter and stays, unless an error of the call replaces it.

   DEVICE ARRAYS: convk_cuda_<operation>_<type> take the arguments of the function of convk.h, with device pointers of the
     current device, and in place of the handle what says where they run:
       convk_cuda_stream on = {stream};        // {}: the default stream
       status = convk_cuda_magicfilter3d_work_size_f64(&on, &shape, CONVK_FORWARD, NULL, &bytes);
       cudaMalloc(&work, bytes);
       status = convk_cuda_magicfilter3d_f64(&on, &shape, CONVK_FORWARD, NULL, in, out, work, bytes);
       if (status) puts(on.message);
     They start kernels on that stream and return.  They never allocate device memory, copy, wait, choose a device or touch
     another stream; grids, filters (with their taps) and the epilogue structure are host memory that is free again on return;
     the arrays, and the sums that an epilogue asks for, are device memory.  They may be captured into a graph.
     CONVK_ERR_DEVICE: a launch failed; cudaGetLastError tells which error, and clears it.  One that is pending before the call
     does not matter, and stays.  Errors inside a running kernel show in later calls of the runtime.
     on.stencil has tuning of stencil7 for the device.  No call can look at what is in device memory: finite numbers, and the
     fixed points of stencil7, are the caller's business there.  Form factors take the measures of the mesh, made on the host,
     and orbitals and convolutions by FFT a plan on the host with a copy of it on the device:
       convk_fftconv2d_prepare_c32(NULL, &shape, kernels, kernel, 0, 0, plan, plan_size);
       convk_fftconv2d_plan_bytes_c32(NULL, plan, &bytes);
       cudaMalloc(&there, bytes);
       cudaMemcpy(there, plan, bytes, cudaMemcpyHostToDevice);
       status = convk_cuda_fftconv2d_c32(&on, plan, there, &batch, in, out, NULL, 0);
     A run of vmc_run has its state on the host; convk_cuda_vmc_sweeps_<type> takes walkers on the device through sweeps.

   COMPILING: nvcc -O3 -arch=native prog.cu   (C++11 or later, CUDA 11.3 or later, for sm_70 or later.)
     A program for other machines has code for their GPUs, and PTX for those that are to come, of which the driver makes code:
       nvcc -O3 -gencode arch=compute_80,code=sm_80 -gencode "arch=compute_90,code=[sm_90,compute_90]" prog.cu
     sm_80 runs on all GPUs 8.x, sm_90 on 9.0.  Where a GPU is older than sm_70, or the program has neither code for it nor PTX
     that its driver takes, convk_open("cuda") is CONVK_ERR_HW_MACHINE, so that the program can go on with a processor.
     All arithmetic is rounded as written, whatever --fmad says; -ftz=true (part of -use_fast_math) flushes f32 denormals.
     CONVK_CUDA_HEADER: this file's name if not "convk_cuda.h".
     CONVK_HIP: defined before this file it makes it one for AMD's GPUs: hipcc -O3 --offload-arch=gfx90a prog.cpp, with a
     hipStream_t and the hardware "cuda" all the same.  It compiles for gfx90a; no such device has run it yet.

   NUMBERS: the fused class of convk.h: results have the same bits as avx2 and avx512 (without CONVK_STRICT), sums of an
     epilogue included, with the exceptions that NUMBERS there lists.  Pair terms begin with the device's own 1 / sqrt:
     pair_energy agrees to rounding errors, and runs of vmc_run have the same coordinates until a rounding error decides about a
     move.
   MEMORY TRAFFIC: sepconv3d goes through memory twice, y and x in the first kernel, z with the epilogue in the second: 4
     elements per point (32 bytes in f64, 16 in f32), and 2 where the intermediate array stays in the L2 cache.  An
     epilogue with sums makes a third pass over the result: 2 elements more, and its own operands.  conv1d_transpose: 2.
     stencil7 makes up to four steps in one pass (see convk_cuda_stencil_tuning): 2 elements per point and pass, and what tiles
     read twice, which is mostly in the L2 cache: 6 % (f64) or 10 % (f32) more with one step, 26 % or 39 % with four, where rows
     begin at sectors of 32 bytes.
     fftconv2d reads fields and writes results once, where an item fits into the shared memory of a block; kernels come from the
     L2 cache, all of the spectrum for each item.
     gridpot in f32 is bound by its stores; gridpot_sum, orbitals, form factors and pairs by arithmetic. */

/* FUNCTIONS AND STRUCTS
   Every one that is declared below, on a line of its own, for those who search.

   all families
     struct convk_cuda_stream { cudaStream_t stream; convk_cuda_stencil_tuning stencil; convk *hw; char message[256]; };

   atoms
     struct convk_cuda_atoms_f32 { size_t n, frames, stride; const float *x; const float *y; const float *z; const uint32_t *kind; const float *weight; };
     struct convk_cuda_atoms_f64 { size_t n, frames, stride; const double *x; const double *y; const double *z; const uint32_t *kind; const double *weight; };

   filters
     int convk_cuda_sepconv3d_f32(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, const convk_filter_f32 filter[3], const convk_sepconv_epilogue_f32 *epilogue, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_sepconv3d_f64(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, const convk_filter_f64 filter[3], const convk_sepconv_epilogue_f64 *epilogue, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_magicfilter3d_f32(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue_f32 *epilogue, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_magicfilter3d_f64(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue_f64 *epilogue, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_potential_apply_f32(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, const float *potential, const float *psi, float *out, double *energy, void *work, size_t work_size);
     int convk_cuda_potential_apply_f64(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, const double *potential, const double *psi, double *out, double *energy, void *work, size_t work_size);
     int convk_cuda_conv1d_transpose_f32(convk_cuda_stream *on, const convk_conv1d_shape *shape, const convk_filter_f32 *filter, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_conv1d_transpose_f64(convk_cuda_stream *on, const convk_conv1d_shape *shape, const convk_filter_f64 *filter, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_sepconv3d_work_size_f32(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, const convk_filter_f32 filter[3], const convk_sepconv_epilogue_f32 *epilogue, size_t *bytes);
     int convk_cuda_sepconv3d_work_size_f64(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, const convk_filter_f64 filter[3], const convk_sepconv_epilogue_f64 *epilogue, size_t *bytes);
     int convk_cuda_magicfilter3d_work_size_f32(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue_f32 *epilogue, size_t *bytes);
     int convk_cuda_magicfilter3d_work_size_f64(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue_f64 *epilogue, size_t *bytes);
     int convk_cuda_potential_apply_work_size_f32(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, size_t *bytes);
     int convk_cuda_potential_apply_work_size_f64(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, size_t *bytes);
     int convk_cuda_conv1d_transpose_work_size_f32(convk_cuda_stream *on, const convk_conv1d_shape *shape, const convk_filter_f32 *filter, size_t *bytes);
     int convk_cuda_conv1d_transpose_work_size_f64(convk_cuda_stream *on, const convk_conv1d_shape *shape, const convk_filter_f64 *filter, size_t *bytes);
     struct convk_sepconv3d_shape { convk_grid3 in, out; int boundary[3]; };
     struct convk_conv1d_shape { size_t n, ndat, ld_in, ld_out; int boundary; };

   wavelets
     int convk_cuda_dwt3d_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, const float *fine, float *coarse, void *work, size_t work_size);
     int convk_cuda_dwt3d_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, const double *fine, double *coarse, void *work, size_t work_size);
     int convk_cuda_idwt3d_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, const float *coarse, float *fine, void *work, size_t work_size);
     int convk_cuda_idwt3d_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, const double *coarse, double *fine, void *work, size_t work_size);
     int convk_cuda_s1_to_r_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const float *coarse, float *values, void *work, size_t work_size);
     int convk_cuda_s1_to_r_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const double *coarse, double *values, void *work, size_t work_size);
     int convk_cuda_r_to_s1_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const float *values, float *coarse, void *work, size_t work_size);
     int convk_cuda_r_to_s1_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const double *values, double *coarse, void *work, size_t work_size);
     int convk_cuda_dwt3d_work_size_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, size_t *bytes);
     int convk_cuda_dwt3d_work_size_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, size_t *bytes);
     int convk_cuda_idwt3d_work_size_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, size_t *bytes);
     int convk_cuda_idwt3d_work_size_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, size_t *bytes);
     int convk_cuda_s1_to_r_work_size_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cuda_s1_to_r_work_size_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cuda_r_to_s1_work_size_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cuda_r_to_s1_work_size_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cuda_wavelet_uncompress_f32(convk_cuda_stream *on, const convk_compressed_shape *shape, const float *compressed, float *dense);
     int convk_cuda_wavelet_uncompress_f64(convk_cuda_stream *on, const convk_compressed_shape *shape, const double *compressed, double *dense);
     int convk_cuda_wavelet_compress_f32(convk_cuda_stream *on, const convk_compressed_shape *shape, const float *dense, float *compressed);
     int convk_cuda_wavelet_compress_f64(convk_cuda_stream *on, const convk_compressed_shape *shape, const double *dense, double *compressed);
     struct convk_dwt3d_shape { convk_grid3 fine, coarse; int boundary[3]; int levels; };
     struct convk_segments { size_t count; const size_t *ends, *place; size_t points; };
     struct convk_compressed_shape { convk_grid3 dense; convk_segments coarse, fine; size_t vectors, compressed_stride, dense_stride; };

   sums
     int convk_cuda_sumconv3d_f32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const float *in, float *out, convk_sumconv_sums *sums, void *work, size_t work_size);
     int convk_cuda_sumconv3d_c32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const float *in, float *out, convk_sumconv_sums *sums, void *work, size_t work_size);
     int convk_cuda_sumconv3d_f64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const double *in, double *out, convk_sumconv_sums *sums, void *work, size_t work_size);
     int convk_cuda_sumconv3d_c64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const double *in, double *out, convk_sumconv_sums *sums, void *work, size_t work_size);
     int convk_cuda_sumconv3d_work_size_f32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, size_t *bytes);
     int convk_cuda_sumconv3d_work_size_c32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, size_t *bytes);
     int convk_cuda_sumconv3d_work_size_f64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, size_t *bytes);
     int convk_cuda_sumconv3d_work_size_c64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, size_t *bytes);
     int convk_cuda_chebyshev3d_f32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const convk_chebyshev *filter, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_chebyshev3d_c32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const convk_chebyshev *filter, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_chebyshev3d_f64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const convk_chebyshev *filter, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_chebyshev3d_c64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const convk_chebyshev *filter, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_chebyshev3d_work_size_f32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cuda_chebyshev3d_work_size_c32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cuda_chebyshev3d_work_size_f64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cuda_chebyshev3d_work_size_c64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const convk_chebyshev *filter, size_t *bytes);
     struct convk_sumconv3d_shape { convk_grid3 in, out; int boundary[3]; size_t vectors, in_stride, out_stride; };
     struct convk_sumconv_sums { double dot[2], potential, norm, axis[3], mixed; };
     struct convk_chebyshev { int degree; double low, high, lowest; };

   hamiltonian
     int convk_cuda_hamiltonian_apply_f32(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms_f32 *terms, const float *in, float *out, convk_hamiltonian_energies *energies, void *work, size_t work_size);
     int convk_cuda_hamiltonian_apply_c32(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms_f32 *terms, const float *in, float *out, convk_hamiltonian_energies *energies, void *work, size_t work_size);
     int convk_cuda_hamiltonian_apply_f64(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms_f64 *terms, const double *in, double *out, convk_hamiltonian_energies *energies, void *work, size_t work_size);
     int convk_cuda_hamiltonian_apply_c64(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms_f64 *terms, const double *in, double *out, convk_hamiltonian_energies *energies, void *work, size_t work_size);
     int convk_cuda_hamiltonian_apply_work_size_f32(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     int convk_cuda_hamiltonian_apply_work_size_c32(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     int convk_cuda_hamiltonian_apply_work_size_f64(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     int convk_cuda_hamiltonian_apply_work_size_c64(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     struct convk_hamiltonian_shape { convk_grid3 wavelets, values; int boundary[3]; size_t vectors, in_stride, out_stride; };
     struct convk_hamiltonian_energies { double kinetic[3], potential; };

   stencil
     int convk_cuda_stencil7_f32(convk_cuda_stream *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f32 *coefficients, size_t steps, float *a, float *b, float **result, void *work, size_t work_size);
     int convk_cuda_stencil7_f64(convk_cuda_stream *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f64 *coefficients, size_t steps, double *a, double *b, double **result, void *work, size_t work_size);
     int convk_cuda_stencil7_box_f32(convk_cuda_stream *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f32 *coefficients, const convk_box3 *box, const float *a, float *b, void *work, size_t work_size);
     int convk_cuda_stencil7_box_f64(convk_cuda_stream *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f64 *coefficients, const convk_box3 *box, const double *a, double *b, void *work, size_t work_size);
     int convk_cuda_stencil7_work_size_f32(convk_cuda_stream *on, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
     int convk_cuda_stencil7_work_size_f64(convk_cuda_stream *on, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
     int convk_cuda_box_copy_f32(convk_cuda_stream *on, const size_t count[3], const convk_grid3 *in_grid, const size_t in_first[3], const float *in, const convk_grid3 *out_grid, const size_t out_first[3], float *out);
     int convk_cuda_box_copy_f64(convk_cuda_stream *on, const size_t count[3], const convk_grid3 *in_grid, const size_t in_first[3], const double *in, const convk_grid3 *out_grid, const size_t out_first[3], double *out);
     struct convk_stencil7_shape { convk_grid3 grid; int boundary[3]; };
     struct convk_cuda_stencil_tuning { size_t tile; size_t steps; size_t planes; };

   vmath
     int convk_cuda_exp_f32(convk_cuda_stream *on, size_t n, const float *x, float *y);
     int convk_cuda_exp_f64(convk_cuda_stream *on, size_t n, const double *x, double *y);
     int convk_cuda_expm1_f32(convk_cuda_stream *on, size_t n, const float *x, float *y);
     int convk_cuda_expm1_f64(convk_cuda_stream *on, size_t n, const double *x, double *y);
     int convk_cuda_log_f32(convk_cuda_stream *on, size_t n, const float *x, float *y);
     int convk_cuda_log_f64(convk_cuda_stream *on, size_t n, const double *x, double *y);
     int convk_cuda_sincos_f32(convk_cuda_stream *on, size_t n, const float *x, float *s, float *c);
     int convk_cuda_sincos_f64(convk_cuda_stream *on, size_t n, const double *x, double *s, double *c);

   gaussian
     int convk_shell_functions(int l, int functions);
     int convk_shells_functions(convk *hw, size_t nshells, const convk_shell *shells, size_t *count);
     int convk_shell_normalise(convk *hw, int l, size_t primitives, const double *exponents, const double *contraction, double *coefficients);
     int convk_cuda_gridpot_f32(convk_cuda_stream *on, const convk_points_f32 *points, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, float *g, size_t ld);
     int convk_cuda_gridpot_f64(convk_cuda_stream *on, const convk_points_f64 *points, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, double *g, size_t ld);
     int convk_cuda_gridpot_sum_f32(convk_cuda_stream *on, const convk_points_f32 *points, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, float *sums, size_t ld);
     int convk_cuda_gridpot_sum_f64(convk_cuda_stream *on, const convk_points_f64 *points, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, double *sums, size_t ld);
     int convk_cuda_orbitals_f32(convk_cuda_stream *on, const convk_points_f32 *points, const convk_orbitals_plan_f32 *plan, const void *device_plan, const convk_gaussian_options *options, float *value, size_t ld);
     int convk_cuda_orbitals_f64(convk_cuda_stream *on, const convk_points_f64 *points, const convk_orbitals_plan_f64 *plan, const void *device_plan, const convk_gaussian_options *options, double *value, size_t ld);
     int convk_cuda_orbitals_vgl_f32(convk_cuda_stream *on, const convk_points_f32 *points, const convk_orbitals_plan_f32 *plan, const void *device_plan, const convk_gaussian_options *options, const convk_vgl_f32 *out);
     int convk_cuda_orbitals_vgl_f64(convk_cuda_stream *on, const convk_points_f64 *points, const convk_orbitals_plan_f64 *plan, const void *device_plan, const convk_gaussian_options *options, const convk_vgl_f64 *out);
     int convk_cuda_density_f32(convk_cuda_stream *on, const convk_points_f32 *points, const convk_orbitals_plan_f32 *plan, const void *device_plan, const convk_gaussian_options *options, float *density);
     int convk_cuda_density_f64(convk_cuda_stream *on, const convk_points_f64 *points, const convk_orbitals_plan_f64 *plan, const void *device_plan, const convk_gaussian_options *options, double *density);
     struct convk_shell { double center[3]; int l; int functions; size_t primitives; const double *exponents; const double *coefficients; };
     struct convk_gaussian_options { int layout; int compensated; double cutoff; };

   grids
     int convk_cuda_orbitals_grid_work_size_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, size_t *bytes);
     int convk_cuda_orbitals_grid_work_size_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, size_t *bytes);
     int convk_cuda_orbitals_grid_k_work_size_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, size_t *bytes);
     int convk_cuda_orbitals_grid_k_work_size_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, size_t *bytes);
     int convk_cuda_gridpot_grid_work_size_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_gaussians_f32 *gaussians, size_t *bytes);
     int convk_cuda_gridpot_grid_work_size_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_gaussians_f64 *gaussians, size_t *bytes);
     int convk_cuda_orbitals_grid_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, float *value, size_t ld, void *work, size_t work_size);
     int convk_cuda_orbitals_grid_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, double *value, size_t ld, void *work, size_t work_size);
     int convk_cuda_orbitals_grid_vgl_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, const convk_vgl_f32 *out, void *work, size_t work_size);
     int convk_cuda_orbitals_grid_vgl_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, const convk_vgl_f64 *out, void *work, size_t work_size);
     int convk_cuda_density_grid_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, const convk_density_parts_f32 *out, void *work, size_t work_size);
     int convk_cuda_density_grid_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, const convk_density_parts_f64 *out, void *work, size_t work_size);
     int convk_cuda_orbitals_grid_k_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_bloch_f32 *bloch, const convk_gaussian_options *options, float *value, size_t ld, void *work, size_t work_size);
     int convk_cuda_orbitals_grid_k_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_bloch_f64 *bloch, const convk_gaussian_options *options, double *value, size_t ld, void *work, size_t work_size);
     int convk_cuda_density_grid_k_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_bloch_f32 *bloch, const convk_gaussian_options *options, float *density, int add, void *work, size_t work_size);
     int convk_cuda_density_grid_k_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_bloch_f64 *bloch, const convk_gaussian_options *options, double *density, int add, void *work, size_t work_size);
     int convk_cuda_gridpot_grid_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, float *sums, size_t ld, void *work, size_t work_size);
     int convk_cuda_gridpot_grid_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, double *sums, size_t ld, void *work, size_t work_size);
     struct convk_gaussian_box { double origin[3]; double step_x[3], step_y[3], step_z[3]; convk_grid3 grid; double period[3]; };

   formfactor
     int convk_mesh_work_size(convk *hw, size_t vertices, size_t faces, size_t *bytes);
     int convk_sphere_directions(convk *hw, size_t degree, int half, size_t *directions);
     int convk_formfactor_error(convk *hw, const convk_mesh_measures *measures, double q, int order, double *error);
     int convk_cuda_formfactor_work_size_f32(convk_cuda_stream *on, const convk_mesh_f32 *mesh, const convk_q_f32 *q, size_t *bytes);
     int convk_cuda_formfactor_work_size_f64(convk_cuda_stream *on, const convk_mesh_f64 *mesh, const convk_q_f64 *q, size_t *bytes);
     int convk_cuda_formfactor_f32(convk_cuda_stream *on, const convk_mesh_f32 *mesh, const convk_mesh_measures *measures, const convk_q_f32 *q, const convk_formfactor_options *options, float *f, void *work, size_t work_size);
     int convk_cuda_formfactor_f64(convk_cuda_stream *on, const convk_mesh_f64 *mesh, const convk_mesh_measures *measures, const convk_q_f64 *q, const convk_formfactor_options *options, double *f, void *work, size_t work_size);
     int convk_cuda_formfactor_grid_work_size_f32(convk_cuda_stream *on, const convk_mesh_f32 *mesh, const convk_grid3 *grid, const convk_q_f32 *q, size_t *bytes);
     int convk_cuda_formfactor_grid_work_size_f64(convk_cuda_stream *on, const convk_mesh_f64 *mesh, const convk_grid3 *grid, const convk_q_f64 *q, size_t *bytes);
     int convk_cuda_formfactor_grid_f32(convk_cuda_stream *on, const convk_mesh_f32 *mesh, const convk_mesh_measures *measures, const convk_grid3 *grid, const convk_q_f32 *q, const convk_formfactor_options *options, float *f, void *work, size_t work_size);
     int convk_cuda_formfactor_grid_f64(convk_cuda_stream *on, const convk_mesh_f64 *mesh, const convk_mesh_measures *measures, const convk_grid3 *grid, const convk_q_f64 *q, const convk_formfactor_options *options, double *f, void *work, size_t work_size);
     struct convk_formfactor_options { int form; int order; };
     struct convk_mesh_measures { double area; double volume; double gap[3]; double least[3], most[3]; double edge; int closed; };
     struct convk_mesh_report { size_t edges; size_t border; size_t turned; size_t crowded; size_t degenerate; size_t unused; double area, volume; int closed; int manifold; };
     struct convk_placement { size_t mesh; double position[3]; double rotation[9]; double scale; double weight[2]; };

   fft
     int convk_fftconv2d_resolve(convk *hw, const convk_fftconv2d_shape *shape, convk_fftconv2d_shape *resolved);
     int convk_cuda_fftconv2d_f32(convk_cuda_stream *on, const convk_fftconv2d_plan_f32 *plan, const void *device_plan, const convk_batch2d *batch, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_fftconv2d_c32(convk_cuda_stream *on, const convk_fftconv2d_plan_c32 *plan, const void *device_plan, const convk_batch2d *batch, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_fftconv2d_f64(convk_cuda_stream *on, const convk_fftconv2d_plan_f64 *plan, const void *device_plan, const convk_batch2d *batch, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_fftconv2d_c64(convk_cuda_stream *on, const convk_fftconv2d_plan_c64 *plan, const void *device_plan, const convk_batch2d *batch, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_fftconv2d_work_size_f32(convk_cuda_stream *on, const convk_fftconv2d_plan_f32 *plan, size_t items, size_t *bytes);
     int convk_cuda_fftconv2d_work_size_c32(convk_cuda_stream *on, const convk_fftconv2d_plan_c32 *plan, size_t items, size_t *bytes);
     int convk_cuda_fftconv2d_work_size_f64(convk_cuda_stream *on, const convk_fftconv2d_plan_f64 *plan, size_t items, size_t *bytes);
     int convk_cuda_fftconv2d_work_size_c64(convk_cuda_stream *on, const convk_fftconv2d_plan_c64 *plan, size_t items, size_t *bytes);
     int convk_cuda_fft2d_c32(convk_cuda_stream *on, const convk_fft2d_plan_c32 *plan, const void *device_plan, int direction, const convk_batch2d *batch, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_fft2d_c64(convk_cuda_stream *on, const convk_fft2d_plan_c64 *plan, const void *device_plan, int direction, const convk_batch2d *batch, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_fft2d_work_size_c32(convk_cuda_stream *on, const convk_fft2d_plan_c32 *plan, size_t items, size_t *bytes);
     int convk_cuda_fft2d_work_size_c64(convk_cuda_stream *on, const convk_fft2d_plan_c64 *plan, size_t items, size_t *bytes);
     struct convk_fftconv2d_shape { size_t rows, columns; size_t kernel_rows, kernel_columns; int mode; int correlation; ptrdiff_t origin_row, origin_column; size_t out_rows, out_columns; size_t fft_rows, fft_columns; };
     struct convk_batch2d { size_t items; size_t in_pitch, in_stride; size_t out_pitch, out_stride; const size_t *kernel; size_t items_per_kernel; };

   pairs
     convk_pair_potential convk_pair_hfdhe2(void);
     convk_pair_potential convk_pair_hfdb(void);
     convk_pair_potential convk_pair_lm2m2(void);
     convk_pair_potential convk_pair_lennard_jones(double epsilon, double sigma);
     convk_pair_potential convk_pair_table(double first, double spacing, size_t entries, const double *values);
     void convk_philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
     void convk_vmc_join(const void *before, void *record);
     int convk_cuda_pair_potential_f32(convk_cuda_stream *on, const convk_pair_potential *potential, size_t n, const float *r, float *v);
     int convk_cuda_pair_potential_f64(convk_cuda_stream *on, const convk_pair_potential *potential, size_t n, const double *r, double *v);
     int convk_cuda_pair_energy_work_size_f32(convk_cuda_stream *on, size_t particles, size_t walkers, size_t *bytes);
     int convk_cuda_pair_energy_work_size_f64(convk_cuda_stream *on, size_t particles, size_t walkers, size_t *bytes);
     int convk_cuda_pair_energy_f32(convk_cuda_stream *on, const convk_pair_system *system, const convk_pair_walkers *walkers, int want, const float *r, convk_pair_result *result, float *gradient, void *work, size_t work_size);
     int convk_cuda_pair_energy_f64(convk_cuda_stream *on, const convk_pair_system *system, const convk_pair_walkers *walkers, int want, const double *r, convk_pair_result *result, double *gradient, void *work, size_t work_size);
     int convk_cuda_pair_move_f32(convk_cuda_stream *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, const float *r, const float *to, convk_pair_move_result *result);
     int convk_cuda_pair_move_f64(convk_cuda_stream *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, const double *r, const double *to, convk_pair_move_result *result);
     int convk_cuda_pair_accept_f32(convk_cuda_stream *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, const float *to, const unsigned char *accept, float *r, float *gradient);
     int convk_cuda_pair_accept_f64(convk_cuda_stream *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, const double *to, const unsigned char *accept, double *r, double *gradient);
     int convk_cuda_vmc_sweeps_work_size_f32(convk_cuda_stream *on, const convk_vmc *vmc, size_t *bytes);
     int convk_cuda_vmc_sweeps_work_size_f64(convk_cuda_stream *on, const convk_vmc *vmc, size_t *bytes);
     int convk_cuda_vmc_sweeps_f32(convk_cuda_stream *on, const convk_vmc *vmc, const convk_vmc_sweeps *sweeps, const convk_cuda_vmc_walkers_f32 *walkers, void *work, size_t work_size);
     int convk_cuda_vmc_sweeps_f64(convk_cuda_stream *on, const convk_vmc *vmc, const convk_vmc_sweeps *sweeps, const convk_cuda_vmc_walkers_f64 *walkers, void *work, size_t work_size);
     struct convk_pair_trial { double p5, p2, p0, p1; };
     struct convk_pair_potential { int kind; double epsilon, rm, a, alpha, beta, c6, c8, c10, d; double bump, x1, x2; const double *values; size_t entries; double first, spacing; };
     struct convk_pair_system { size_t particles; convk_pair_trial trial; convk_pair_potential potential; double box[3]; double cutoff; double hbar2_2m; };
     struct convk_pair_walkers { size_t walkers; size_t pitch, stride; };
     struct convk_pair_result { double ln_psi; double potential; double gradient_squared; double laplacian; double kinetic; double derivative[4]; };
     struct convk_pair_move_result { double ln_psi; double before[3], after[3]; };
     struct convk_vmc_part { size_t first, walkers; int (*join)(void *ctx, void *record, size_t bytes); void *ctx; };
     struct convk_vmc { convk_pair_system system; size_t walkers; uint64_t seed; int moves; int drift; double step; double acceptance; size_t equilibration; size_t interval; convk_vmc_part part; };
     struct convk_vmc_sweeps { uint64_t first; size_t count; double step; int anew; };
     struct convk_vmc_estimate { double mean; double error; double variance; double autocorrelation; double block; };
     struct convk_vmc_result { uint64_t sweeps, measurements; double step, acceptance; convk_vmc_estimate energy, potential, kinetic; convk_vmc_estimate kinetic_gradient; convk_vmc_estimate kinetic_laplacian; double drift; double pairs; };
     struct convk_vmc_minimise_options { size_t iterations; size_t sweeps; size_t final_sweeps; int fixed[4]; double rate; double regularisation; int (*look)(void *ctx, size_t iteration, const convk_vmc *vmc, const convk_vmc_result *result); void *ctx; };
     struct convk_cuda_vmc_walkers_f32 { float *r; double *ln_psi; convk_pair_result *result; double *drift; uint32_t *accepted; };
     struct convk_cuda_vmc_walkers_f64 { double *r; double *ln_psi; convk_pair_result *result; double *drift; uint32_t *accepted; };

   distances
     size_t convk_distances_pairs(size_t kinds);
     int convk_cuda_pair_histogram_work_size_f32(convk_cuda_stream *on, const convk_cuda_atoms_f32 *atoms, const convk_cuda_distances_f32 *distances, size_t *bytes);
     int convk_cuda_pair_histogram_work_size_f64(convk_cuda_stream *on, const convk_cuda_atoms_f64 *atoms, const convk_cuda_distances_f64 *distances, size_t *bytes);
     int convk_cuda_pair_histogram_f32(convk_cuda_stream *on, const convk_cuda_atoms_f32 *atoms, const convk_cell *cell, const convk_part *part, const convk_cuda_distances_f32 *distances, void *work, size_t work_size);
     int convk_cuda_pair_histogram_f64(convk_cuda_stream *on, const convk_cuda_atoms_f64 *atoms, const convk_cell *cell, const convk_part *part, const convk_cuda_distances_f64 *distances, void *work, size_t work_size);
     int convk_cuda_debye_work_size_f32(convk_cuda_stream *on, const convk_cuda_distances_f32 *distances, const convk_cuda_intensities_f32 *to, size_t *bytes);
     int convk_cuda_debye_work_size_f64(convk_cuda_stream *on, const convk_cuda_distances_f64 *distances, const convk_cuda_intensities_f64 *to, size_t *bytes);
     int convk_cuda_debye_f32(convk_cuda_stream *on, const convk_cuda_distances_f32 *distances, const convk_scatterer *kinds, const double *self, const convk_cuda_intensities_f32 *to, void *work, size_t work_size);
     int convk_cuda_debye_f64(convk_cuda_stream *on, const convk_cuda_distances_f64 *distances, const convk_scatterer *kinds, const double *self, const convk_cuda_intensities_f64 *to, void *work, size_t work_size);
     struct convk_cell { double a[3], b[3], c[3]; };
     struct convk_part { size_t index, count; };
     struct convk_distances { size_t bins, kinds; double width; int moments; uint64_t *count, *moment[2]; double *sum; uint64_t *beyond; };
     struct convk_scatterer { int terms; double a[6], b[6], c[2], thermal; };
     struct convk_cuda_distances_f32 { size_t bins, kinds; double width; int moments; uint64_t *count; uint64_t *moment[2]; uint64_t *beyond; };
     struct convk_cuda_distances_f64 { size_t bins, kinds; double width; int moments; uint64_t *count; uint64_t *moment[2]; uint64_t *beyond; };
     struct convk_cuda_intensities_f32 { size_t nq; const float *q; float *intensity; float *bound; };
     struct convk_cuda_intensities_f64 { size_t nq; const double *q; double *intensity; double *bound; };

   amplitudes
     int convk_cuda_amplitudes_work_size_f32(convk_cuda_stream *on, const convk_cuda_atoms_f32 *atoms, const convk_q_f32 *q, const convk_amplitude_options *options, size_t *bytes);
     int convk_cuda_amplitudes_work_size_f64(convk_cuda_stream *on, const convk_cuda_atoms_f64 *atoms, const convk_q_f64 *q, const convk_amplitude_options *options, size_t *bytes);
     int convk_cuda_amplitudes_f32(convk_cuda_stream *on, const convk_cuda_atoms_f32 *atoms, const convk_q_f32 *q, const convk_amplitude_options *options, float *f, void *work, size_t work_size);
     int convk_cuda_amplitudes_f64(convk_cuda_stream *on, const convk_cuda_atoms_f64 *atoms, const convk_q_f64 *q, const convk_amplitude_options *options, double *f, void *work, size_t work_size);
     int convk_cuda_amplitudes_grid_work_size_f32(convk_cuda_stream *on, const convk_cuda_atoms_f32 *atoms, const convk_grid3 *grid, const convk_amplitude_options *options, size_t *bytes);
     int convk_cuda_amplitudes_grid_work_size_f64(convk_cuda_stream *on, const convk_cuda_atoms_f64 *atoms, const convk_grid3 *grid, const convk_amplitude_options *options, size_t *bytes);
     int convk_cuda_amplitudes_grid_f32(convk_cuda_stream *on, const convk_cuda_atoms_f32 *atoms, const convk_grid3 *grid, const convk_q_f32 *q, const convk_amplitude_options *options, float *f, void *work, size_t work_size);
     int convk_cuda_amplitudes_grid_f64(convk_cuda_stream *on, const convk_cuda_atoms_f64 *atoms, const convk_grid3 *grid, const convk_q_f64 *q, const convk_amplitude_options *options, double *f, void *work, size_t work_size);
     struct convk_amplitude_options { int output; size_t kinds; const convk_scatterer *scatterers; const convk_cell *cell; };
*/
#if !defined CONVK_CUDA_H_ || defined CONVK_CUDA_PASS_
#ifndef CONVK_CUDA_PASS_
#define CONVK_CUDA_H_
#define convk_amplitudes_arguments_of_ CONVK_HARDWARE_(amplitudes_arguments_of)
#define convk_amplitudes_arrays_run_ CONVK_HARDWARE_(amplitudes_arrays_run)
#define convk_amplitudes_call_ CONVK_HARDWARE_(amplitudes_call)
#define convk_amplitudes_frame_start_ CONVK_HARDWARE_(amplitudes_frame_start)
#define convk_amplitudes_groups_ CONVK_HARDWARE_(amplitudes_groups)
#define convk_amplitudes_on_ CONVK_HARDWARE_(amplitudes_on)
#define convk_amplitudes_on_grid_ CONVK_HARDWARE_(amplitudes_on_grid)
#define convk_amplitudes_resident_plan_ CONVK_HARDWARE_(amplitudes_resident_plan)
#define convk_amplitudes_start_ CONVK_HARDWARE_(amplitudes_start)
#define convk_amplitudes_tile_bytes_ CONVK_HARDWARE_(amplitudes_tile_bytes)
#define convk_amplitudes_tile_of_ CONVK_HARDWARE_(amplitudes_tile_of)
#define convk_back_all_ CONVK_DEVICE_(back_all)
#define convk_box_check_ CONVK_HARDWARE_(box_check)
#define convk_box_launch_ CONVK_HARDWARE_(box_launch)
#define convk_box_side_ CONVK_HARDWARE_(box_side)
#define convk_bring_ CONVK_DEVICE_(bring)
#define convk_bring_all_ CONVK_DEVICE_(bring_all)
#define convk_bring_list_ CONVK_DEVICE_(bring_list)
#define convk_buffer_ CONVK_DEVICE_(buffer)
#define convk_cells_build_all_ CONVK_HARDWARE_(cells_build_all)
#define convk_cells_cell_of_ CONVK_HARDWARE_(cells_cell_of)
#define convk_cells_groups_of_ CONVK_HARDWARE_(cells_groups_of)
#define convk_cells_layout_ CONVK_HARDWARE_(cells_layout)
#define convk_cells_start_ CONVK_HARDWARE_(cells_start)
#define convk_cells_wide_ CONVK_HARDWARE_(cells_wide)
#define convk_chebyshev_grids_device_ CONVK_HARDWARE_(chebyshev_grids_device)
#define convk_chebyshev_host_ CONVK_HARDWARE_(chebyshev_host)
#define convk_chebyshev_on_ CONVK_HARDWARE_(chebyshev_on)
#define convk_chebyshev_room_ CONVK_HARDWARE_(chebyshev_room)
#define convk_chebyshev_start_ CONVK_HARDWARE_(chebyshev_start)
#define convk_cuda_fft_need_ CONVK_PRIVATE_(cuda_fft_need)
#define convk_cuda_fft_start_ CONVK_PRIVATE_(cuda_fft_start)
#define convk_cuda_filters_finish_ CONVK_PRIVATE_(cuda_filters_finish)
#define convk_cuda_filters_taps_ CONVK_PRIVATE_(cuda_filters_taps)
#define convk_cuda_filters_xy_ CONVK_PRIVATE_(cuda_filters_xy)
#define convk_cuda_filters_z_ CONVK_PRIVATE_(cuda_filters_z)
#define convk_cuda_form_ CONVK_PRIVATE_(cuda_form)
#define convk_cuda_formfactor_args_ CONVK_PRIVATE_(cuda_formfactor_args)
#define convk_cuda_formfactor_arguments_ CONVK_PRIVATE_(cuda_formfactor_arguments)
#define convk_cuda_formfactor_fitted_ CONVK_PRIVATE_(cuda_formfactor_fitted)
#define convk_cuda_formfactor_grid_cut_ CONVK_PRIVATE_(cuda_formfactor_grid_cut)
#define convk_cuda_formfactor_grid_need_ CONVK_PRIVATE_(cuda_formfactor_grid_need)
#define convk_cuda_formfactor_grid_run_ CONVK_PRIVATE_(cuda_formfactor_grid_run)
#define convk_cuda_formfactor_kernel_ CONVK_PRIVATE_(cuda_formfactor_kernel)
#define convk_cuda_formfactor_list_cut_ CONVK_PRIVATE_(cuda_formfactor_list_cut)
#define convk_cuda_formfactor_list_kernel_ CONVK_PRIVATE_(cuda_formfactor_list_kernel)
#define convk_cuda_formfactor_list_run_ CONVK_PRIVATE_(cuda_formfactor_list_run)
#define convk_cuda_formfactor_need_ CONVK_PRIVATE_(cuda_formfactor_need)
#define convk_cuda_formfactor_start_ CONVK_PRIVATE_(cuda_formfactor_start)
#define convk_cuda_formfactor_start_product_ CONVK_PRIVATE_(cuda_formfactor_start_product)
#define convk_cuda_pairs_cut_ CONVK_PRIVATE_(cuda_pairs_cut)
#define convk_cuda_pairs_cut_of_ CONVK_PRIVATE_(cuda_pairs_cut_of)
#define convk_cuda_pairs_moves_ CONVK_PRIVATE_(cuda_pairs_moves)
#define convk_cuda_pairs_run_ CONVK_PRIVATE_(cuda_pairs_run)
#define convk_cuda_pairs_threads_ CONVK_PRIVATE_(cuda_pairs_threads)
#define convk_cuda_points_fill_ CONVK_PRIVATE_(cuda_points_fill)
#define convk_cuda_stencil_run_ CONVK_PRIVATE_(cuda_stencil_run)
#define convk_cuda_sums_choose_ CONVK_PRIVATE_(cuda_sums_choose)
#define convk_cuda_sums_go_ CONVK_PRIVATE_(cuda_sums_go)
#define convk_cuda_sums_reach_ CONVK_PRIVATE_(cuda_sums_reach)
#define convk_cuda_vmc_batch_ CONVK_PRIVATE_(cuda_vmc_batch)
#define convk_cuda_vmc_cut_ CONVK_PRIVATE_(cuda_vmc_cut)
#define convk_cuda_vmc_cut_of_ CONVK_PRIVATE_(cuda_vmc_cut_of)
#define convk_debye_arrays_run_ CONVK_HARDWARE_(debye_arrays_run)
#define convk_debye_need_of_ CONVK_HARDWARE_(debye_need_of)
#define convk_debye_on_ CONVK_HARDWARE_(debye_on)
#define convk_debye_stages_ CONVK_HARDWARE_(debye_stages)
#define convk_debye_start_ CONVK_HARDWARE_(debye_start)
#define convk_distances_arguments_of_ CONVK_HARDWARE_(distances_arguments_of)
#define convk_distances_arrays_run_ CONVK_HARDWARE_(distances_arrays_run)
#define convk_distances_device_need_ CONVK_HARDWARE_(distances_device_need)
#define convk_distances_frames_start_ CONVK_HARDWARE_(distances_frames_start)
#define convk_distances_histogram_ CONVK_HARDWARE_(distances_histogram)
#define convk_distances_resident_plan_ CONVK_HARDWARE_(distances_resident_plan)
#define convk_distances_start_ CONVK_HARDWARE_(distances_start)
#define convk_distances_unweighted_ CONVK_HARDWARE_(distances_unweighted)
#define convk_fft_arrays_ CONVK_HARDWARE_(fft_arrays)
#define convk_fft_buffers_ CONVK_HARDWARE_(fft_buffers)
#define convk_fft_fetch_ CONVK_HARDWARE_(fft_fetch)
#define convk_fft_list_ CONVK_HARDWARE_(fft_list)
#define convk_fft_need_ CONVK_HARDWARE_(fft_need)
#define convk_fft_on_ CONVK_HARDWARE_(fft_on)
#define convk_fft_part_items_ CONVK_HARDWARE_(fft_part_items)
#define convk_fft_parts_ CONVK_HARDWARE_(fft_parts)
#define convk_fft_send_ CONVK_HARDWARE_(fft_send)
#define convk_fft_untiled_ CONVK_HARDWARE_(fft_untiled)
#define convk_fft_work_ CONVK_HARDWARE_(fft_work)
#define convk_filters_arguments_of_ CONVK_HARDWARE_(filters_arguments_of)
#define convk_filters_arrays_ CONVK_HARDWARE_(filters_arrays)
#define convk_filters_asked_ CONVK_HARDWARE_(filters_asked)
#define convk_filters_axis_ CONVK_HARDWARE_(filters_axis)
#define convk_filters_axis_of_ CONVK_HARDWARE_(filters_axis_of)
#define convk_filters_back_ CONVK_HARDWARE_(filters_back)
#define convk_filters_bring_ CONVK_HARDWARE_(filters_bring)
#define convk_filters_buffers_ CONVK_HARDWARE_(filters_buffers)
#define convk_filters_call_ CONVK_HARDWARE_(filters_call)
#define convk_filters_laid_ CONVK_HARDWARE_(filters_laid)
#define convk_filters_on_ CONVK_HARDWARE_(filters_on)
#define convk_filters_part_ CONVK_HARDWARE_(filters_part)
#define convk_filters_parts_ CONVK_HARDWARE_(filters_parts)
#define convk_filters_parts_of_ CONVK_HARDWARE_(filters_parts_of)
#define convk_filters_result_of_ CONVK_HARDWARE_(filters_result_of)
#define convk_filters_run_ CONVK_HARDWARE_(filters_run)
#define convk_filters_units_ CONVK_HARDWARE_(filters_units)
#define convk_filters_work_ CONVK_HARDWARE_(filters_work)
#define convk_flow_ CONVK_DEVICE_(flow)
#define convk_flow_bring_ CONVK_DEVICE_(flow_bring)
#define convk_flow_join_ CONVK_DEVICE_(flow_join)
#define convk_formfactor_arrays_ CONVK_HARDWARE_(formfactor_arrays)
#define convk_formfactor_bring_ CONVK_HARDWARE_(formfactor_bring)
#define convk_formfactor_job_body_ CONVK_HARDWARE_(formfactor_job_body)
#define convk_formfactor_job_need_ CONVK_HARDWARE_(formfactor_job_need)
#define convk_formfactor_job_of_ CONVK_HARDWARE_(formfactor_job_of)
#define convk_formfactor_list_device_ CONVK_HARDWARE_(formfactor_list_device)
#define convk_formfactor_needs_device_ CONVK_HARDWARE_(formfactor_needs_device)
#define convk_formfactor_on_ CONVK_HARDWARE_(formfactor_on)
#define convk_formfactor_parts_ CONVK_HARDWARE_(formfactor_parts)
#define convk_formfactor_query_ CONVK_HARDWARE_(formfactor_query)
#define convk_formfactor_run_ CONVK_HARDWARE_(formfactor_run)
#define convk_formfactor_stream_ CONVK_HARDWARE_(formfactor_stream)
#define convk_formfactor_work_ CONVK_HARDWARE_(formfactor_work)
#define convk_frame_ CONVK_DEVICE_(frame)
#define convk_frame_apart_ CONVK_DEVICE_(frame_apart)
#define convk_frame_doubles_ CONVK_DEVICE_(frame_doubles)
#define convk_frame_end_ CONVK_DEVICE_(frame_end)
#define convk_frame_of_ CONVK_DEVICE_(frame_of)
#define convk_frame_place_ CONVK_DEVICE_(frame_place)
#define convk_frame_query_ CONVK_DEVICE_(frame_query)
#define convk_frame_work_ CONVK_DEVICE_(frame_work)
#define convk_gaussian_arrays_ CONVK_HARDWARE_(gaussian_arrays)
#define convk_gaussian_arrays_job_ CONVK_HARDWARE_(gaussian_arrays_job)
#define convk_gaussian_bring_ CONVK_HARDWARE_(gaussian_bring)
#define convk_gaussian_count_ CONVK_HARDWARE_(gaussian_count)
#define convk_gaussian_device_ CONVK_HARDWARE_(gaussian_device)
#define convk_gaussian_fetch_ CONVK_HARDWARE_(gaussian_fetch)
#define convk_gaussian_work_ CONVK_HARDWARE_(gaussian_work)
#define convk_gaussian_xyz_ CONVK_HARDWARE_(gaussian_xyz)
#define convk_gaussians_seen_ CONVK_HARDWARE_(gaussians_seen)
#define convk_gridpot_device_ CONVK_HARDWARE_(gridpot_device)
#define convk_gridpot_host_ CONVK_HARDWARE_(gridpot_host)
#define convk_gridpot_on_ CONVK_HARDWARE_(gridpot_on)
#define convk_gridpot_start_ CONVK_HARDWARE_(gridpot_start)
#define convk_grids_arguments_of_ CONVK_HARDWARE_(grids_arguments_of)
#define convk_grids_axes_ CONVK_HARDWARE_(grids_axes)
#define convk_grids_axis_of_ CONVK_HARDWARE_(grids_axis_of)
#define convk_grids_bloch_on_ CONVK_HARDWARE_(grids_bloch_on)
#define convk_grids_bring_ CONVK_HARDWARE_(grids_bring)
#define convk_grids_build_all_ CONVK_HARDWARE_(grids_build_all)
#define convk_grids_build_terms_ CONVK_HARDWARE_(grids_build_terms)
#define convk_grids_built_ CONVK_HARDWARE_(grids_built)
#define convk_grids_copy_ CONVK_HARDWARE_(grids_copy)
#define convk_grids_density_ CONVK_HARDWARE_(grids_density)
#define convk_grids_element_ CONVK_HARDWARE_(grids_element)
#define convk_grids_fetch_ CONVK_HARDWARE_(grids_fetch)
#define convk_grids_host_ CONVK_HARDWARE_(grids_host)
#define convk_grids_host_bytes_ CONVK_HARDWARE_(grids_host_bytes)
#define convk_grids_layout_ CONVK_HARDWARE_(grids_layout)
#define convk_grids_lots_ CONVK_HARDWARE_(grids_lots)
#define convk_grids_on_ CONVK_HARDWARE_(grids_on)
#define convk_grids_one_ CONVK_HARDWARE_(grids_one)
#define convk_grids_parts_ CONVK_HARDWARE_(grids_parts)
#define convk_grids_planes_ CONVK_HARDWARE_(grids_planes)
#define convk_grids_query_ CONVK_HARDWARE_(grids_query)
#define convk_grids_send_ CONVK_HARDWARE_(grids_send)
#define convk_grids_shells_query_ CONVK_HARDWARE_(grids_shells_query)
#define convk_grids_start_ CONVK_HARDWARE_(grids_start)
#define convk_grids_work_on_ CONVK_HARDWARE_(grids_work_on)
#define convk_hamiltonian_arrays_ CONVK_HARDWARE_(hamiltonian_arrays)
#define convk_hamiltonian_axes_ CONVK_HARDWARE_(hamiltonian_axes)
#define convk_hamiltonian_device_ CONVK_HARDWARE_(hamiltonian_device)
#define convk_hamiltonian_fetch_energies_ CONVK_HARDWARE_(hamiltonian_fetch_energies)
#define convk_hamiltonian_host_ CONVK_HARDWARE_(hamiltonian_host)
#define convk_hamiltonian_on_ CONVK_HARDWARE_(hamiltonian_on)
#define convk_hamiltonian_parts_of_ CONVK_HARDWARE_(hamiltonian_parts_of)
#define convk_hamiltonian_pick_ CONVK_HARDWARE_(hamiltonian_pick)
#define convk_hamiltonian_plan_ CONVK_HARDWARE_(hamiltonian_plan)
#define convk_hamiltonian_sides_ CONVK_HARDWARE_(hamiltonian_sides)
#define convk_hamiltonian_split_ CONVK_HARDWARE_(hamiltonian_split)
#define convk_hamiltonian_start_ CONVK_HARDWARE_(hamiltonian_start)
#define convk_hamiltonian_start_complex_ CONVK_HARDWARE_(hamiltonian_start_complex)
#define convk_hamiltonian_start_real_ CONVK_HARDWARE_(hamiltonian_start_real)
#define convk_hamiltonian_values_ CONVK_HARDWARE_(hamiltonian_values)
#define convk_hamiltonian_work_ CONVK_HARDWARE_(hamiltonian_work)
#define convk_map_arrays_ CONVK_HARDWARE_(map_arrays)
#define convk_map_back_ CONVK_HARDWARE_(map_back)
#define convk_map_bring_ CONVK_HARDWARE_(map_bring)
#define convk_map_on_ CONVK_HARDWARE_(map_on)
#define convk_map_part_ CONVK_HARDWARE_(map_part)
#define convk_map_parts_ CONVK_HARDWARE_(map_parts)
#define convk_map_start_ CONVK_HARDWARE_(map_start)
#define convk_map_work_ CONVK_HARDWARE_(map_work)
#define convk_orbitals_device_ CONVK_HARDWARE_(orbitals_device)
#define convk_orbitals_host_ CONVK_HARDWARE_(orbitals_host)
#define convk_orbitals_on_ CONVK_HARDWARE_(orbitals_on)
#define convk_orbitals_start_ CONVK_HARDWARE_(orbitals_start)
#define convk_pairs_accept_start_ CONVK_HARDWARE_(pairs_accept_start)
#define convk_pairs_device_ CONVK_HARDWARE_(pairs_device)
#define convk_pairs_energy_start_ CONVK_HARDWARE_(pairs_energy_start)
#define convk_pairs_grid_ CONVK_HARDWARE_(pairs_grid)
#define convk_pairs_move_start_ CONVK_HARDWARE_(pairs_move_start)
#define convk_pairs_need_ CONVK_HARDWARE_(pairs_need)
#define convk_pairs_sees_ CONVK_HARDWARE_(pairs_sees)
#define convk_pairs_steps_ CONVK_HARDWARE_(pairs_steps)
#define convk_pairs_table_begin_ CONVK_HARDWARE_(pairs_table_begin)
#define convk_pairs_table_device_ CONVK_HARDWARE_(pairs_table_device)
#define convk_pairs_table_end_ CONVK_HARDWARE_(pairs_table_end)
#define convk_pairs_values_start_ CONVK_HARDWARE_(pairs_values_start)
#define convk_part_fn_ CONVK_DEVICE_(part_fn)
#define convk_parts_of_ CONVK_DEVICE_(parts_of)
#define convk_parts_run_ CONVK_DEVICE_(parts_run)
#define convk_planes_ CONVK_DEVICE_(planes)
#define convk_points_at_ CONVK_HARDWARE_(points_at)
#define convk_points_on_ CONVK_HARDWARE_(points_on)
#define convk_points_seen_ CONVK_HARDWARE_(points_seen)
#define convk_potential_arrays_ CONVK_HARDWARE_(potential_arrays)
#define convk_potential_back_ CONVK_HARDWARE_(potential_back)
#define convk_potential_bring_ CONVK_HARDWARE_(potential_bring)
#define convk_potential_buffers_ CONVK_HARDWARE_(potential_buffers)
#define convk_potential_join_ CONVK_HARDWARE_(potential_join)
#define convk_potential_on_ CONVK_HARDWARE_(potential_on)
#define convk_potential_parts_ CONVK_HARDWARE_(potential_parts)
#define convk_potential_run_ CONVK_HARDWARE_(potential_run)
#define convk_potential_windows_ CONVK_HARDWARE_(potential_windows)
#define convk_potential_work_ CONVK_HARDWARE_(potential_work)
#define convk_segments_arguments_of_ CONVK_HARDWARE_(segments_arguments_of)
#define convk_segments_device_ CONVK_HARDWARE_(segments_device)
#define convk_segments_list_device_ CONVK_HARDWARE_(segments_list_device)
#define convk_segments_on_ CONVK_HARDWARE_(segments_on)
#define convk_segments_run_ CONVK_HARDWARE_(segments_run)
#define convk_stencil_arguments_of_ CONVK_HARDWARE_(stencil_arguments_of)
#define convk_stencil_arrays_ CONVK_HARDWARE_(stencil_arrays)
#define convk_stencil_back_ CONVK_HARDWARE_(stencil_back)
#define convk_stencil_bring_ CONVK_HARDWARE_(stencil_bring)
#define convk_stencil_choice_ CONVK_HARDWARE_(stencil_choice)
#define convk_stencil_host_ CONVK_HARDWARE_(stencil_host)
#define convk_stencil_in_parts_ CONVK_HARDWARE_(stencil_in_parts)
#define convk_stencil_launch_ CONVK_HARDWARE_(stencil_launch)
#define convk_stencil_result_ CONVK_HARDWARE_(stencil_result)
#define convk_stencil_whole_ CONVK_HARDWARE_(stencil_whole)
#define convk_stencil_windows_ CONVK_HARDWARE_(stencil_windows)
#define convk_stencil_work_ CONVK_HARDWARE_(stencil_work)
#define convk_sums_arguments_of_ CONVK_HARDWARE_(sums_arguments_of)
#define convk_sums_arrays_ CONVK_HARDWARE_(sums_arrays)
#define convk_sums_axis_arguments_ CONVK_HARDWARE_(sums_axis_arguments)
#define convk_sums_call_ CONVK_HARDWARE_(sums_call)
#define convk_sums_here_ CONVK_HARDWARE_(sums_here)
#define convk_sums_host_ CONVK_HARDWARE_(sums_host)
#define convk_sums_host_run_ CONVK_HARDWARE_(sums_host_run)
#define convk_sums_on_ CONVK_HARDWARE_(sums_on)
#define convk_sums_plain_ CONVK_HARDWARE_(sums_plain)
#define convk_sums_points_ CONVK_HARDWARE_(sums_points)
#define convk_sums_product_ CONVK_HARDWARE_(sums_product)
#define convk_sums_room_ CONVK_HARDWARE_(sums_room)
#define convk_sums_room_of_ CONVK_HARDWARE_(sums_room_of)
#define convk_sums_single_ CONVK_HARDWARE_(sums_single)
#define convk_sums_start_ CONVK_HARDWARE_(sums_start)
#define convk_sums_total_ CONVK_HARDWARE_(sums_total)
#define convk_sums_work_ CONVK_HARDWARE_(sums_work)
#define convk_transpose_on_ CONVK_HARDWARE_(transpose_on)
#define convk_transpose_run_ CONVK_HARDWARE_(transpose_run)
#define convk_vectors_ CONVK_DEVICE_(vectors)
#define convk_vectors_any_ CONVK_DEVICE_(vectors_any)
#define convk_vectors_array_ CONVK_DEVICE_(vectors_array)
#define convk_vectors_back_ CONVK_DEVICE_(vectors_back)
#define convk_vectors_bring_ CONVK_DEVICE_(vectors_bring)
#define convk_vectors_buffers_ CONVK_DEVICE_(vectors_buffers)
#define convk_vectors_copy_ CONVK_DEVICE_(vectors_copy)
#define convk_vectors_run_ CONVK_DEVICE_(vectors_run)
#define convk_vmc_advance_ CONVK_HARDWARE_(vmc_advance)
#define convk_vmc_batch_device_ CONVK_HARDWARE_(vmc_batch_device)
#define convk_vmc_need_ CONVK_HARDWARE_(vmc_need)
#define convk_vmc_start_ CONVK_HARDWARE_(vmc_start)
#define convk_vmc_state_device_ CONVK_HARDWARE_(vmc_state_device)
#define convk_vmc_upload_ CONVK_HARDWARE_(vmc_upload)
#define convk_wavelets_arguments_of_ CONVK_HARDWARE_(wavelets_arguments_of)
#define convk_wavelets_axis_device_ CONVK_HARDWARE_(wavelets_axis_device)
#define convk_wavelets_device_ CONVK_HARDWARE_(wavelets_device)
#define convk_wavelets_level_device_ CONVK_HARDWARE_(wavelets_level_device)
#define convk_wavelets_levels_device_ CONVK_HARDWARE_(wavelets_levels_device)
#define convk_wavelets_on_ CONVK_HARDWARE_(wavelets_on)
#define convk_wavelets_parts_ CONVK_HARDWARE_(wavelets_parts)
#define convk_wavelets_parts_of_ CONVK_HARDWARE_(wavelets_parts_of)
#define convk_wavelets_run_ CONVK_HARDWARE_(wavelets_run)
#define convk_window_bring_ CONVK_DEVICE_(window_bring)

#ifndef CONVK_CUDA_HEADER
#define CONVK_CUDA_HEADER "convk_cuda.h"
#endif
#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#ifndef CONVK_H_
#include CONVK_HEADER
#else
/* ---- src/core/again.h ---- */
/* A second include in another mode would have no effect, so it is an error. */
#if (defined CONVK_DECLARE) != (CONVK_MODE_ == 1) || (defined CONVK_IMPLEMENT) != (CONVK_MODE_ == 2)
#error "convk.h was included before in this unit, in another mode: define CONVK_DECLARE or CONVK_IMPLEMENT before the first one"
#endif
#if (defined CONVK_ONLY_CORE || defined CONVK_ONLY_FAMILIES) != CONVK_SEPARATE_ || defined CONVK_ONLY_FAMILIES == CONVK_CORE_
#error "convk.h was included before for other parts: define CONVK_ONLY_CORE or CONVK_ONLY_FAMILIES before the first include"
#endif
#endif

#if CONVK_MODE_ == 1 && !defined CONVK_CUDA_EMULATOR
#include <cuda_runtime_api.h> /* declarations only: any compiler will do */
#elif defined CONVK_CUDA_EMULATOR
#define CONVK_CUDA_ENTRY_(kernel) kernel
#define CONVK_CUDA_NOINLINE_ __attribute__((noinline))
#define CONVK_CUDA_BOUNDS_(threads, blocks)
#define CONVK_CUDA_SHARED_(name) unsigned char *const name = (unsigned char *)convk_emulated_dynamic_shared()
#else
#ifdef CONVK_HIP
/* ---- src/device/hip.h ---- */
/* CUDA's runtime by the names of HIP, until the end of convk_cuda.h, where a program's own macros of these names come back. */
#include <hip/hip_runtime.h>
#pragma push_macro("CUDARTAPI")
#undef CUDARTAPI
#define CUDARTAPI
#pragma push_macro("cudaDevAttrComputeCapabilityMajor")
#undef cudaDevAttrComputeCapabilityMajor
#define cudaDevAttrComputeCapabilityMajor hipDeviceAttributeComputeCapabilityMajor
#pragma push_macro("cudaDevAttrMaxSharedMemoryPerBlockOptin")
#undef cudaDevAttrMaxSharedMemoryPerBlockOptin
#define cudaDevAttrMaxSharedMemoryPerBlockOptin hipDeviceAttributeMaxSharedMemoryPerBlock
#pragma push_macro("cudaDevAttrMultiProcessorCount")
#undef cudaDevAttrMultiProcessorCount
#define cudaDevAttrMultiProcessorCount hipDeviceAttributeMultiprocessorCount
#pragma push_macro("cudaDeviceGetAttribute")
#undef cudaDeviceGetAttribute
#define cudaDeviceGetAttribute hipDeviceGetAttribute
#pragma push_macro("cudaErrorInsufficientDriver")
#undef cudaErrorInsufficientDriver
#define cudaErrorInsufficientDriver hipErrorInsufficientDriver
#pragma push_macro("cudaErrorInvalidDevice")
#undef cudaErrorInvalidDevice
#define cudaErrorInvalidDevice hipErrorInvalidDevice
#pragma push_macro("cudaErrorMemoryAllocation")
#undef cudaErrorMemoryAllocation
#define cudaErrorMemoryAllocation hipErrorOutOfMemory
#pragma push_macro("cudaErrorNoDevice")
#undef cudaErrorNoDevice
#define cudaErrorNoDevice hipErrorNoDevice
#pragma push_macro("cudaErrorNotReady")
#undef cudaErrorNotReady
#define cudaErrorNotReady hipErrorNotReady
#pragma push_macro("cudaError_t")
#undef cudaError_t
#define cudaError_t hipError_t
#pragma push_macro("cudaEventCreateWithFlags")
#undef cudaEventCreateWithFlags
#define cudaEventCreateWithFlags hipEventCreateWithFlags
#pragma push_macro("cudaEventDestroy")
#undef cudaEventDestroy
#define cudaEventDestroy hipEventDestroy
#pragma push_macro("cudaEventElapsedTime")
#undef cudaEventElapsedTime
#define cudaEventElapsedTime hipEventElapsedTime
#pragma push_macro("cudaEventSynchronize")
#undef cudaEventSynchronize
#define cudaEventSynchronize hipEventSynchronize
#pragma push_macro("cudaDeviceProp")
#undef cudaDeviceProp
#define cudaDeviceProp hipDeviceProp_t
#pragma push_macro("cudaGetDeviceProperties")
#undef cudaGetDeviceProperties
#define cudaGetDeviceProperties hipGetDeviceProperties
#pragma push_macro("cudaEventDisableTiming")
#undef cudaEventDisableTiming
#define cudaEventDisableTiming hipEventDisableTiming
#pragma push_macro("cudaEventRecord")
#undef cudaEventRecord
#define cudaEventRecord hipEventRecord
#pragma push_macro("cudaEvent_t")
#undef cudaEvent_t
#define cudaEvent_t hipEvent_t
#pragma push_macro("cudaFree")
#undef cudaFree
#define cudaFree hipFree
#pragma push_macro("cudaFuncAttributeMaxDynamicSharedMemorySize")
#undef cudaFuncAttributeMaxDynamicSharedMemorySize
#define cudaFuncAttributeMaxDynamicSharedMemorySize hipFuncAttributeMaxDynamicSharedMemorySize
#pragma push_macro("cudaFuncAttributes")
#undef cudaFuncAttributes
#define cudaFuncAttributes hipFuncAttributes
#pragma push_macro("cudaFuncGetAttributes")
#undef cudaFuncGetAttributes
#define cudaFuncGetAttributes hipFuncGetAttributes
#pragma push_macro("cudaFuncSetAttribute")
#undef cudaFuncSetAttribute
#define cudaFuncSetAttribute hipFuncSetAttribute
#pragma push_macro("cudaGetDevice")
#undef cudaGetDevice
#define cudaGetDevice hipGetDevice
#pragma push_macro("cudaGetDeviceCount")
#undef cudaGetDeviceCount
#define cudaGetDeviceCount hipGetDeviceCount
#pragma push_macro("cudaGetErrorString")
#undef cudaGetErrorString
#define cudaGetErrorString hipGetErrorString
#pragma push_macro("cudaGetLastError")
#undef cudaGetLastError
#define cudaGetLastError hipGetLastError
#pragma push_macro("cudaLaunchKernel")
#undef cudaLaunchKernel
#define cudaLaunchKernel hipLaunchKernel
#pragma push_macro("cudaMalloc")
#undef cudaMalloc
#define cudaMalloc hipMalloc
#pragma push_macro("cudaMemGetInfo")
#undef cudaMemGetInfo
#define cudaMemGetInfo hipMemGetInfo
#pragma push_macro("cudaMemcpy")
#undef cudaMemcpy
#define cudaMemcpy hipMemcpy
#pragma push_macro("cudaMemcpy2DAsync")
#undef cudaMemcpy2DAsync
#define cudaMemcpy2DAsync hipMemcpy2DAsync
#pragma push_macro("cudaMemcpy3DAsync")
#undef cudaMemcpy3DAsync
#define cudaMemcpy3DAsync hipMemcpy3DAsync
#pragma push_macro("cudaMemcpy3DParms")
#undef cudaMemcpy3DParms
#define cudaMemcpy3DParms hipMemcpy3DParms
#pragma push_macro("cudaMemcpyAsync")
#undef cudaMemcpyAsync
#define cudaMemcpyAsync hipMemcpyAsync
#pragma push_macro("cudaMemcpyDeviceToDevice")
#undef cudaMemcpyDeviceToDevice
#define cudaMemcpyDeviceToDevice hipMemcpyDeviceToDevice
#pragma push_macro("cudaMemcpyDeviceToHost")
#undef cudaMemcpyDeviceToHost
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#pragma push_macro("cudaMemcpyHostToDevice")
#undef cudaMemcpyHostToDevice
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#pragma push_macro("cudaMemcpyKind")
#undef cudaMemcpyKind
#define cudaMemcpyKind hipMemcpyKind
#pragma push_macro("cudaPeekAtLastError")
#undef cudaPeekAtLastError
#define cudaPeekAtLastError hipPeekAtLastError
#pragma push_macro("cudaPitchedPtr")
#undef cudaPitchedPtr
#define cudaPitchedPtr hipPitchedPtr
#pragma push_macro("cudaSetDevice")
#undef cudaSetDevice
#define cudaSetDevice hipSetDevice
#pragma push_macro("cudaStreamCreateWithFlags")
#undef cudaStreamCreateWithFlags
#define cudaStreamCreateWithFlags hipStreamCreateWithFlags
#pragma push_macro("cudaStreamDestroy")
#undef cudaStreamDestroy
#define cudaStreamDestroy hipStreamDestroy
#pragma push_macro("cudaStreamNonBlocking")
#undef cudaStreamNonBlocking
#define cudaStreamNonBlocking hipStreamNonBlocking
#pragma push_macro("cudaStreamSynchronize")
#undef cudaStreamSynchronize
#define cudaStreamSynchronize hipStreamSynchronize
#pragma push_macro("cudaStreamWaitEvent")
#undef cudaStreamWaitEvent
#define cudaStreamWaitEvent hipStreamWaitEvent
#pragma push_macro("cudaStream_t")
#undef cudaStream_t
#define cudaStream_t hipStream_t
#pragma push_macro("cudaSuccess")
#undef cudaSuccess
#define cudaSuccess hipSuccess
#pragma push_macro("make_cudaExtent")
#undef make_cudaExtent
#define make_cudaExtent make_hipExtent
#pragma push_macro("make_cudaPitchedPtr")
#undef make_cudaPitchedPtr
#define make_cudaPitchedPtr make_hipPitchedPtr

/* What HIP has in another form.  Its contexts are marked as deprecated, and are the devices that hipSetDevice chooses. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline int convk_hip_device_(int *device, int ordinal) { return (int)hipDeviceGet(device, ordinal); }
static inline int convk_hip_retain_(void **context, int device) {
  return (int)hipDevicePrimaryCtxRetain((hipCtx_t *)context, device);
}
static inline int convk_hip_release_(int device) { return (int)hipDevicePrimaryCtxRelease(device); }
static inline int convk_hip_push_(void *context) { return (int)hipCtxPushCurrent((hipCtx_t)context); }
static inline int convk_hip_pop_(void **context) { return (int)hipCtxPopCurrent((hipCtx_t *)context); }
#pragma clang diagnostic pop
#define CONVK_CUDA_BOUNDS_(threads, blocks) __launch_bounds__(threads) /* the second number means something else there */
#elif defined __CUDACC__
#include <cuda_runtime.h>
#define CONVK_CUDA_PTX_                                                        /* instructions of PTX may be written */
#define CONVK_CUDA_BOUNDS_(threads, blocks) __launch_bounds__(threads, blocks) /* of a block; on a multiprocessor, at least */
#else
#error "convk_cuda.h needs a CUDA compiler: compile this file with nvcc"
#endif
#define CONVK_CUDA_ENTRY_(kernel) (const void *)(kernel)
#define CONVK_CUDA_NOINLINE_ __noinline__
#define CONVK_CUDA_SHARED_(name) \
  extern __shared__ __align__(16) unsigned char convk_cuda_shared_[]; \
  unsigned char *const name = convk_cuda_shared_
#endif
#if defined CONVK_CUDA_EMULATOR && !defined CONVK_EMULATOR_UNROLLS /* what is counted is what a device runs */
#define CONVK_CUDA_UNROLL_
#define CONVK_CUDA_UNROLL_BY_(count)
#else
#define CONVK_CUDA_UNROLL_ _Pragma("unroll")
#define CONVK_CUDA_UNROLL_BY_(count) CONVK_PRAGMA_(unroll count)
#endif
#define CONVK_CUDA_INLINE_ static __device__ __forceinline__
#define CONVK_CUDA_EACH_(i, count) CONVK_CUDA_UNROLL_ for (int i = 0; i < (count); i++)
/* What the threads of all blocks do together, each for every i that is its own. */
#define CONVK_CUDA_EVERY_(i, count, threads) \
  for (size_t i = blockIdx.x * (size_t)threads + threadIdx.x; i < count; i += gridDim.x * (size_t)threads)

/* What a kernel is compiled for, 900 for sm_90; 0 for the host.  From sm_100 on ptxas (CUDA 13.0) holds some kernels to so few
   registers that it spills a few of them, unless they name a smaller number of blocks. */
#ifdef __CUDA_ARCH__
#define CONVK_CUDA_ARCH_ __CUDA_ARCH__
#else
#define CONVK_CUDA_ARCH_ 0
#endif

#ifdef __cplusplus
extern "C" {
#endif
/* ---- src/stencil/cuda_tuning.h ---- */
/* How stencil7 runs on a device; 0 means: chosen by the library.  It changes speed, never a result. */
typedef struct convk_cuda_stencil_tuning {
  size_t tile;   /* of a plane, for a block: 16 (x 16 points, with the halo), 32 (x 32), or 64: the largest, which has 128 x 32
                    points without the halo for one step, 32 x 64 (f64) or 32 x 128 (f32) with it for several */
  size_t steps;  /* in one pass over memory, at most 4, or 2 with tile 16; 1: single sweeps */
  size_t planes; /* along z that a block marches through */
} convk_cuda_stencil_tuning;
/* ---- src/device/cuda_api.h ---- */
/* Where a device-resident call runs: the first argument of each, in place of a handle.  Zero-initialised it is the default
   stream with what the library chooses.  One thread at a time.
     stream    of the current device
     stencil   how stencil7 runs: any choice gives the same bits
     hw        NULL, or a handle of this device, whose tuned entries count
     message   why the last call on it was refused or failed: which argument is wrong, and why; else empty */
typedef struct convk_cuda_stream {
  cudaStream_t stream;
  convk_cuda_stencil_tuning stencil;
  convk *hw;
  char message[256];
} convk_cuda_stream;
/* ---- src/device/words_api.h ---- */
/* Words in which <family>/device_api.h, one text for OpenCL and CUDA, declares calls on device memory:
     CONVK_ON_                   what says where a call runs, its first argument: convk_cl_queue, or convk_cuda_stream
     CONVK_ARRAY_(type)          an array there: convk_cl_array, or a pointer
     CONVK_DEVICE_STRUCT_(name)  a struct with such arrays: of points convk_cl_points, or with pointers the same as on
                                 the host
     CONVK_DEVICE_(name)         a private name of this device
   In src/ such a call is convk_<operation>_resident, which becomes convk_cl_<operation>_f64 and convk_cuda_<operation>_f64. */
#define CONVK_ON_ convk_cuda_stream
#define CONVK_ARRAY_(type) type *
#define CONVK_DEVICE_STRUCT_(name) convk_##name
#define CONVK_DEVICE_(name) convk_cuda_##name##_
#define CONVK_ARGUMENTS_(name) convk_##name##_arguments_<CONVK_T>
#define CONVK_DEFINE_ARGUMENTS_(name) template <class real_> struct convk_##name##_arguments_
#define CONVK_ARGUMENT_T_ real_
#define CONVK_DEVICE_TYPED_(name) CONVK_TYPED_(cuda_##name)
#define CONVK_DEVICE_COMPLEX_(name) CONVK_COMPLEX_(cuda_##name)
#define CONVK_CUDA_PASS_ 1 /* types and prototypes */
#define CONVK_TYPE_ f32
#include CONVK_CUDA_HEADER
#define CONVK_CUDA_PASS_ 1
#define CONVK_TYPE_ f64
#include CONVK_CUDA_HEADER
CONVK_API_ convk_modules_ convk_cuda_modules_(void);
#if CONVK_MODE_
#define CONVK_HW_ cuda
/* ---- src/core/prototypes.h ---- */
/* Prototypes of the operations of CONVK_HW_, which then goes. */
#if CONVK_HAS_F32_
#define CONVK_TYPE_ f32
#define CONVK_T float
CONVK_VARIANT_OPERATIONS_(CONVK_OP_VARIANT_PROTOTYPE_)
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#if CONVK_HAS_F64_
#define CONVK_TYPE_ f64
#define CONVK_T double
CONVK_VARIANT_OPERATIONS_(CONVK_OP_VARIANT_PROTOTYPE_)
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#undef CONVK_HW_
#endif
#ifdef __cplusplus
}
#endif
#undef CONVK_CUDA_MODULES_
#define CONVK_CUDA_MODULES_ convk_cuda_modules_

#if CONVK_MODE_ != 1
/* Blocks of one launch, where kernels loop over what there is for more. */
#ifndef CONVK_CUDA_MAX_BLOCKS_
#define CONVK_CUDA_MAX_BLOCKS_ 0x7fffffff
#endif

/* ---- src/device/host.h ---- */
/* ---- host arrays on a device ----
   What OpenCL and CUDA both have, as CONVK_DEVICE_(name), so that <family>/host.h is one text for both:
   host, memory           what hw->ours.inside.device points to; a buffer
   host_of(hw, &host)     checks the handle
   able(host, element, sums)   FP64 where f64, or doubles for sums, are not to be had
   begin(host), end(host, status)   around all below; end waits, also after a failure, and gives the handle its message
   wait(host, status)     for all until now
   drop(host, which), allot(host, which, bytes)   give a buffer back, and make one, whose place is host->buffer[which]
   copy(host, download, memory, grid, element, array)   between a grid of the caller and a packed one
   copy_box(host, download, memory, at, grid, first, count, element, array)   the same for a part of it, and a packed one that
                          begins at byte `at`, a number of its planes
   send(host, memory, at, bytes, list), fetch(host, memory, at, bytes, list)   bytes of a buffer, from a list of the caller and
                          back
   threads(hw)            the handle for checks that may use its threads, or NULL
   same(host, to, to_at, from, from_at, bytes)   from one buffer to another, or within one
   For calls in parts, device/parts.h:
   beside(host)           whether copies go on beside work
   allowed(host, &bytes)  bytes that buffers of a call may take
   lanes(host), lane(host, which), mark(host, event), after(host, event)   streams or queues that go on beside each other: makes
                          them; copies go to this one from now on, kernels always to the first; marks what it has got until now;
                          it waits for what was marked; until(host, event): the host waits
   For calls on device memory, and for what those on host arrays do there:
   call   where a call runs, and its message; in OpenCL the chain of its commands, too
   call_of(on, element, sums, &call)   checks CONVK_ON_, and that it has doubles for f64 and for sums
   call_on(host)          of a handle
   call_end(&call, status)   gives the caller its event
   array_of(memory)       a buffer of a handle as CONVK_ARRAY_
   array_place(&call, name, array, count, element, flags, &place)   for convk_places_check_; OpenCL knows the buffer's size
   machine, machine_of(on, &machine), machine_of_call(&call)   what of a device work may depend on; of CUDA nothing
   array_at(base, bytes, element)   an array within work memory, which is CONVK_ARRAY_(void)
   array_part(array, each, at, element)   an array that begins `at` bytes behind another, whose elements have `each` bytes
   none()                 no array
   any                    what these four are, good as an array of any type
   there(array)           whether it is not NULL
   query_of(on, &message) of a size query, which may be on nothing
   work_place(&call, work, work_size, need, &place, &base)   checks the caller's work; base: its first multiple of 256 bytes
   buffer, bring, bring_list, bring_all, back_all   device/bring.h; frame..: device/frame.h;
   vectors..: device/vectors.h; what kernels take: device/arguments.h */
#ifndef CONVK_DEVICE_ARRAYS_
#define CONVK_DEVICE_ARRAYS_ 8
/* Buffers that a handle keeps from call to call.  IN has the input, OUT the output, WORK the work.  Besides:
             filters    potential_apply  pairs        Monte Carlo  fft                 stencil  sums       hamiltonian
     MORE_0  potential  potential        values of V  values of V  plan                tail     potential  potential
     MORE_1  density    head of psi      gradients    accepted     numbers of kernels  head     add        -
     MORE_2  dot        tail of V        to           drifts       -                   -        sums       energies
     MORE_3  energy     energy           accept       ln psi       -                   -        -          -
     TAIL    tail       tail of psi      -            -            -                   -        -          -
   MORE_0 of form factors has the mesh, or parts of it, of atoms kinds.  Results of Gaussians are of several kinds: kind d
   is in OUT + d.  Functions of arrays have their results in IN, sincos its cosines in OUT.
   tail: planes that a window shares with the one before it; head: the first planes of a periodic axis; see convk_flow_. */
enum {
  CONVK_DEVICE_IN_ = 0,
  CONVK_DEVICE_OUT_ = 1,
  CONVK_DEVICE_MORE_0_ = 2,
  CONVK_DEVICE_MORE_1_ = 3,
  CONVK_DEVICE_MORE_2_ = 4,
  CONVK_DEVICE_MORE_3_ = 5,
  CONVK_DEVICE_WORK_ = 6,
  CONVK_DEVICE_TAIL_ = 7
};

/* Lanes of a call in parts, which are streams or queues: for its work, for what comes to the device, and for what goes back.
   Slots and marks: see device/parts.h. */
enum { CONVK_LANE_WORK_ = 0, CONVK_LANE_IN_ = 1, CONVK_LANE_OUT_ = 2, CONVK_STREAMS_ = 3, CONVK_SLOTS_ = 3, CONVK_MARKS_ = 9 };

/* Arrays of each vector of a call in parts of vectors: see device/vectors.h; most places of a call: device/frame.h. */
enum { CONVK_VECTORS_IN_ = 0, CONVK_VECTORS_OUT_ = 1, CONVK_VECTORS_MORE_ = 2, CONVK_VECTORS_ARRAYS_ = 3 };
enum { CONVK_FRAME_PLACES_ = 20 };

#define CONVK_PART_BYTES_ ((size_t)16 << 20) /* of a part, about: some 300 microseconds on the bus, which hide a few launches */

/* Planes of an array, from `first` on and before `end`; below 0 and beyond the last where it wraps around. */
typedef struct convk_window_ {
  int64_t first, end;
} convk_window_;

/* Bytes of the buffers that a handle keeps. */
CONVK_LOCAL_ size_t convk_device_held_(const size_t bytes[CONVK_DEVICE_ARRAYS_]) {
  size_t i, sum = 0;
  for (i = 0; i < CONVK_DEVICE_ARRAYS_; i++) sum += bytes[i];
  return sum;
}

/* Whether buffer `which` of so many bytes, and the others, are more than the handle allows. */
CONVK_LOCAL_ int convk_device_over_(const convk *hw, const size_t bytes[CONVK_DEVICE_ARRAYS_], size_t which, size_t want) {
  const size_t others = convk_device_held_(bytes) - bytes[which], limit = hw->device_bytes;
  if (want < bytes[which]) want = bytes[which];
  return limit && (want > limit || others > limit - want);
}

/* Of a call whose buffers take more. */
CONVK_LOCAL_ int convk_device_little_(convk *hw, size_t bytes) {
  if (!hw->device_bytes)
    return convk_refuse_at_(hw->message, CONVK_ERR_MEMORY, "the device has too little memory: this call takes % bytes at least",
                            (int64_t)bytes, 0, 0);
  return convk_refuse_at_(hw->message, CONVK_ERR_MEMORY, "hw->device_bytes is %, and this call takes % at least",
                          (int64_t)hw->device_bytes, (int64_t)bytes, 0);
}

/* Room for a b c elements at *at, from *end on, which moves behind it. */
CONVK_LOCAL_ int convk_reserve_(size_t *end, size_t a, size_t b, size_t c, size_t element, size_t *at) {
  size_t bytes;
  *at = *end;
  if (convk_mul_(a, b, &bytes) || convk_mul_(bytes, c, &bytes) || convk_mul_(bytes, element, &bytes) ||
      bytes > (size_t)-1 / 8 || *end > (size_t)-1 / 2)
    return CONVK_ERR_OVERFLOW;
  *end += convk_round_up_(bytes, 256);
  return CONVK_OK;
}

/* An array of the caller that a call on host arrays has in buffer `which`: it goes there, and comes back. */
typedef struct convk_staged_ {
  size_t which;
  const convk_grid3 *grid;
  size_t element;
  void *array; /* NULL: none */
  int upload, back;
} convk_staged_;

CONVK_LOCAL_ convk_staged_ convk_staged_of_(size_t which, const convk_grid3 *grid, size_t element, const void *array,
                                            int upload, int back) {
  const convk_staged_ staged = {which, grid, element, (void *)(uintptr_t)array, upload, back};
  return staged;
}

CONVK_LOCAL_ convk_grid3 convk_packed_(const convk_grid3 *grid) {
  convk_grid3 packed = *grid;
  packed.pitch_y = packed.nx;
  packed.pitch_z = packed.nx * packed.ny;
  return packed;
}
#endif
/* ---- src/device/arguments.h ---- */
#ifndef CONVK_AXIS_INCLUDED_
#define CONVK_AXIS_INCLUDED_
/* ---- what kernels take ----
   Beside its arrays a kernel takes one struct by value, which the host fills and OpenCL C and CUDA read: <family>/arguments.h
   declares it once for all three,
     CONVK_DEFINE_ARGUMENTS_(name) { members };
   and CONVK_ARGUMENTS_(name) is its type.  Members are of uint64_t, int64_t, uint32_t, int32_t, and CONVK_ARGUMENT_T_, which is
   the real type; the larger ones come first.  OpenCL has the struct once per precision, in CUDA it is a template of that type.
   <family>/device.h fills what both devices need alike, opencl_calls.h and cuda.h how a launch is cut. */

/* One axis: output i is the sum over k < ntaps of taps[k] times input i + shift + k; n points in, m points out. */
typedef struct convk_axis_device_ {
  uint64_t n, m, ntaps;
  int64_t shift;
  int32_t periodic, unused;
} convk_axis_device_;
#endif
/* ---- src/device/cuda_host.h ---- */
/* --------------------------------------------------------------------------------------------- the device of a handle -- */

typedef void *convk_cuda_memory_;

/* CONTEXTS: a handle retains the primary context of its device, and a call pushes it onto the thread's stack of contexts and
   pops it: whatever was current before, a context of cuCtxCreate or none, is current again.  The runtime alone cannot do that:
   cudaSetDevice replaces the thread's context, and makes one on a device that had none (since CUDA 12 at once, before at the
   next call).  So these few calls are the driver's, asked of the runtime: programs need not be linked to it.
   ERRORS: only what our own calls return counts.  The runtime also keeps each thread's last error for cudaGetLastError, such as
   cudaErrorNotReady of a program that looks at its events: that one is the program's, is no failure of ours, and stays.  If
   there was none, a call on host arrays that fails takes out its own, which its status and hw->message tell; if there was one,
   a failure of ours has replaced it, and stays.  Calls on device arrays take nothing out. */

typedef int(CUDARTAPI convk_cuda_device_fn_)(int *device, int ordinal);
typedef int(CUDARTAPI convk_cuda_retain_fn_)(void **context, int device);
typedef int(CUDARTAPI convk_cuda_release_fn_)(int device);
typedef int(CUDARTAPI convk_cuda_push_fn_)(void *context);
typedef int(CUDARTAPI convk_cuda_pop_fn_)(void **context);

/* Calls of the driver; its error codes are the runtime's. */
typedef struct convk_cuda_driver_ {
  convk_cuda_device_fn_ *device;
  convk_cuda_retain_fn_ *retain;
  convk_cuda_release_fn_ *release;
  convk_cuda_push_fn_ *push;
  convk_cuda_pop_fn_ *pop;
} convk_cuda_driver_;

/* What hw->ours.inside.device points to.  Buffers grow and are kept. */
typedef struct convk_cuda_host_ {
  convk *hw;          /* of the call under way */
  cudaError_t before; /* the thread's last error when it began */
  convk_cuda_driver_ driver;
  int device; /* the driver's number of it */
  void *context;
  cudaStream_t stream;
  void *buffer[CONVK_DEVICE_ARRAYS_];
  size_t bytes[CONVK_DEVICE_ARRAYS_];
  unsigned used;                     /* which of them the call under way has, as bits */
  cudaStream_t lane[CONVK_STREAMS_]; /* [0] is `stream` */
  cudaStream_t now;                  /* where copies go */
  cudaEvent_t mark[CONVK_MARKS_];
  int has_lanes;        /* lanes 1 and 2 and the marks are there: they are made when first needed */
  cudaEvent_t clock[2]; /* around kernels while convk_tune measures them, and what it has measured; else NULL */
  double seconds;
  int still; /* 1: convk_tune measures, and copies of arrays are left out */
} convk_cuda_host_;

/* The status of an error of the runtime or the driver, with its text in the handle. */
CONVK_LOCAL_ int convk_cuda_status_(convk_cuda_host_ *host, cudaError_t error) {
  convk *const hw = host->hw;
  if (error == cudaSuccess) return CONVK_OK;
  strncpy(hw->message, cudaGetErrorString(error), sizeof hw->message - 1);
  hw->message[sizeof hw->message - 1] = 0;
  return error == cudaErrorMemoryAllocation ? CONVK_ERR_MEMORY : CONVK_ERR_DEVICE;
}

/* Takes the thread's last error out after a call that has failed, unless there was one before; returns the status. */
CONVK_LOCAL_ int convk_cuda_failed_(const convk_cuda_host_ *host, int status) {
  if (status && host->before == cudaSuccess) (void)cudaGetLastError();
  return status;
}

/* Checks the handle, and sets *host to what it has of its device. */
CONVK_LOCAL_ int convk_cuda_host_of_(convk *hw, convk_cuda_host_ **host) {
  const int status = convk_begin_call_(hw);
  if (status) return status;
  if (!hw->ours.inside.device || strcmp(hw->name, "cuda") != 0) return CONVK_ERR_HANDLE;
  *host = (convk_cuda_host_ *)hw->ours.inside.device;
  (*host)->hw = (convk *)(uintptr_t)hw;
  return CONVK_OK;
}

/* All devices have doubles. */
CONVK_LOCAL_ int convk_cuda_able_(convk_cuda_host_ *, size_t, unsigned) { return CONVK_OK; }

/* Checks use no threads. */
CONVK_LOCAL_ convk *convk_cuda_threads_(convk *) { return NULL; }

CONVK_LOCAL_ int convk_cuda_begin_(convk_cuda_host_ *host) {
  host->before = cudaPeekAtLastError();
  host->now = host->stream;
  host->used = 0;
  return convk_cuda_status_(host, (cudaError_t)host->driver.push(host->context));
}

/* Waits for the handle's stream and for its further streams, and returns the first error. */
CONVK_LOCAL_ cudaError_t convk_cuda_still_(convk_cuda_host_ *host) {
  cudaError_t error = cudaStreamSynchronize(host->stream);
  int i;
  for (i = 1; i < CONVK_STREAMS_ && host->has_lanes; i++) {
    const cudaError_t copied = cudaStreamSynchronize(host->lane[i]);
    if (error == cudaSuccess) error = copied;
  }
  return error;
}
CONVK_LOCAL_ int convk_cuda_wait_(convk_cuda_host_ *host, int status) {
  const cudaError_t error = convk_cuda_still_(host);
  return status ? status : convk_cuda_status_(host, error);
}

/* Waits for what is under way, also after a failure: the caller's arrays must not be in use when the call returns. */
CONVK_LOCAL_ int convk_cuda_end_(convk_cuda_host_ *host, int status) {
  cudaError_t error = cudaPeekAtLastError(); /* that of a launch is nowhere else */
  const cudaError_t wait = convk_cuda_still_(host);
  void *own;
  if (status != CONVK_ERR_DEVICE || error == host->before) error = cudaSuccess;
  if (!status || status == CONVK_ERR_DEVICE) {
    const int late = convk_cuda_status_(host, error != cudaSuccess ? error : wait);
    if (!status) status = late;
  }
  (void)host->driver.pop(&own);
  return convk_cuda_failed_(host, status);
}

CONVK_LOCAL_ void convk_cuda_drop_(convk_cuda_host_ *d, size_t which) {
  (void)cudaFree(d->buffer[which]);
  d->buffer[which] = NULL;
  d->bytes[which] = 0;
}

CONVK_LOCAL_ int convk_cuda_allot_(convk_cuda_host_ *d, size_t which, size_t bytes) {
  return convk_cuda_status_(d, cudaMalloc(&d->buffer[which], bytes));
}

/* Destroys lanes 1 and 2 and the marks, also where some are missing.  The context is current; errors count for nothing. */
CONVK_LOCAL_ void convk_cuda_lanes_destroy_(convk_cuda_host_ *d) {
  size_t i;
  for (i = 0; i < CONVK_MARKS_; i++) {
    if (d->mark[i]) (void)cudaEventDestroy(d->mark[i]);
    d->mark[i] = NULL;
  }
  for (i = 1; i < CONVK_STREAMS_; i++) {
    if (d->lane[i]) (void)cudaStreamDestroy(d->lane[i]);
    d->lane[i] = NULL;
  }
  d->has_lanes = 0;
}

/* Makes lanes 1 and 2 and the marks, once. */
CONVK_LOCAL_ int convk_cuda_lanes_(convk_cuda_host_ *d) {
  cudaError_t error = cudaSuccess;
  size_t i;
  if (d->has_lanes) return CONVK_OK;
  d->lane[0] = d->stream;
  for (i = 1; i < CONVK_STREAMS_ && error == cudaSuccess; i++)
    error = cudaStreamCreateWithFlags(&d->lane[i], cudaStreamNonBlocking);
  for (i = 0; i < CONVK_MARKS_ && error == cudaSuccess; i++)
    error = cudaEventCreateWithFlags(&d->mark[i], cudaEventDisableTiming);
  if (error == cudaSuccess) d->has_lanes = 1;
  else convk_cuda_lanes_destroy_(d);
  return convk_cuda_status_(d, error);
}

CONVK_LOCAL_ void convk_cuda_lane_(convk_cuda_host_ *d, int which) { d->now = which ? d->lane[which] : d->stream; }
CONVK_LOCAL_ int convk_cuda_mark_(convk_cuda_host_ *d, size_t which) {
  return convk_cuda_status_(d, cudaEventRecord(d->mark[which], d->now));
}
CONVK_LOCAL_ int convk_cuda_after_(convk_cuda_host_ *d, size_t which) {
  return convk_cuda_status_(d, cudaStreamWaitEvent(d->now, d->mark[which], 0));
}

CONVK_LOCAL_ int convk_cuda_until_(convk_cuda_host_ *d, size_t which) {
  return convk_cuda_status_(d, cudaEventSynchronize(d->mark[which]));
}

/* All devices copy beside their work. */
CONVK_LOCAL_ int convk_cuda_beside_(const convk_cuda_host_ *) { return 1; }

/* Bytes that buffers of a call may take: what the handle allows, or what is free and what the handle has. */
CONVK_LOCAL_ int convk_cuda_allowed_(convk_cuda_host_ *d, size_t *bytes) {
  size_t whole = 0, i;
  if (d->hw->device_bytes) {
    *bytes = d->hw->device_bytes;
    return CONVK_OK;
  }
  const int status = convk_cuda_status_(d, cudaMemGetInfo(bytes, &whole));
  for (i = 0; i < CONVK_DEVICE_ARRAYS_ && !status; i++) *bytes += d->bytes[i];
  return status;
}

CONVK_LOCAL_ int convk_cuda_copy_bytes_(convk_cuda_host_ *host, void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  if (host->still) return CONVK_OK;
  return convk_cuda_status_(host, cudaMemcpyAsync(to, from, bytes, kind, host->now));
}

/* `count` rows between pitches of the caller's array and of memory of the device, all in bytes; a pitch beyond what the runtime
   takes is gone through row by row. */
CONVK_LOCAL_ int convk_cuda_copy_rows_(convk_cuda_host_ *host, int download, void *memory, size_t memory_pitch, void *array,
                                       size_t array_pitch, size_t row, size_t count) {
  char *const to = (char *)(download ? array : memory), *const from = (char *)(download ? memory : array);
  const size_t to_pitch = download ? array_pitch : memory_pitch, from_pitch = download ? memory_pitch : array_pitch;
  const cudaMemcpyKind kind = download ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
  const size_t limit = 0x7fffffff;
  int status = CONVK_OK;
  size_t i;
  if (host->still) return CONVK_OK;
  if (count == 1 || (to_pitch == row && from_pitch == row)) return convk_cuda_copy_bytes_(host, to, from, row * count, kind);
  if (to_pitch <= limit && from_pitch <= limit)
    return convk_cuda_status_(host, cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, row, count, kind, host->now));
  for (i = 0; i < count && !status; i++)
    status = convk_cuda_copy_bytes_(host, to + i * to_pitch, from + i * from_pitch, row, kind);
  return status;
}

/* Part of a grid of the caller (checked, with its pitches) to the same part of a packed one on the device, `at` bytes behind
   the buffer's beginning, or from it; padding is left alone. */
CONVK_LOCAL_ int convk_cuda_copy_box_(convk_cuda_host_ *host, int download, void *memory, size_t at, const convk_grid3 *grid,
                                      const size_t first[3], const size_t count[3], size_t element, void *array) {
  const size_t row = count[0] * element, host_y = grid->pitch_y * element, host_z = grid->pitch_z * element;
  const size_t device_y = grid->nx * element, device_z = grid->ny * device_y, limit = 0x7fffffff;
  char *const outside = (char *)array + first[2] * host_z + first[1] * host_y + first[0] * element;
  char *const inside = (char *)memory + at + first[2] * device_z + first[1] * device_y + first[0] * element;
  int status = CONVK_OK;
  size_t z;
  if (host->still) return CONVK_OK;
  /* planes are rows, but those of batches whose items overlap */
  if ((count[1] == 1 || (host_y == row && device_y == row)) && (count[2] == 1 || host_z >= row * count[1]))
    return convk_cuda_copy_rows_(host, download, inside, device_z, outside, host_z, row * count[1], count[2]);
  if (host_z % host_y == 0 && host_z / host_y >= count[1] && host_y <= limit && device_y <= limit) {
    const cudaPitchedPtr on_device = make_cudaPitchedPtr(inside, device_y, row, grid->ny);
    const cudaPitchedPtr here = make_cudaPitchedPtr(outside, host_y, row, host_z / host_y);
    cudaMemcpy3DParms p;
    memset(&p, 0, sizeof p);
    p.srcPtr = download ? on_device : here;
    p.dstPtr = download ? here : on_device;
    p.extent = make_cudaExtent(row, count[1], count[2]);
    p.kind = download ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    return convk_cuda_status_(host, cudaMemcpy3DAsync(&p, host->now));
  }
  for (z = 0; z < count[2] && !status; z++)
    status =
        convk_cuda_copy_rows_(host, download, inside + z * device_z, device_y, outside + z * host_z, host_y, row, count[1]);
  return status;
}

/* Enqueues a copy of a whole grid between a host array and a packed buffer; does not wait. */
CONVK_LOCAL_ int convk_cuda_copy_(convk_cuda_host_ *host, int download, void *memory, const convk_grid3 *grid, size_t element,
                                  void *array) {
  const size_t first[3] = {0, 0, 0}, count[3] = {grid->nx, grid->ny, grid->nz};
  return convk_cuda_copy_box_(host, download, memory, 0, grid, first, count, element, array);
}

/* Bytes of a buffer, from a list of the caller; and the first of them, back to it. */
CONVK_LOCAL_ int convk_cuda_send_(convk_cuda_host_ *host, void *memory, size_t at, size_t bytes, const void *list) {
  return convk_cuda_copy_bytes_(host, (char *)memory + at, list, bytes, cudaMemcpyHostToDevice);
}
CONVK_LOCAL_ int convk_cuda_fetch_(convk_cuda_host_ *host, void *memory, size_t at, size_t bytes, void *list) {
  return convk_cuda_copy_bytes_(host, list, (char *)memory + at, bytes, cudaMemcpyDeviceToHost);
}

CONVK_LOCAL_ int convk_cuda_same_(convk_cuda_host_ *host, void *to, size_t to_at, const void *from, size_t from_at,
                                  size_t bytes) {
  return convk_cuda_copy_bytes_(host, (char *)to + to_at, (const char *)from + from_at, bytes, cudaMemcpyDeviceToDevice);
}

template <class element> static element *convk_cuda_at_(void *base, size_t bytes) {
  return (element *)(void *)((char *)base + bytes);
}
/* ---- src/device/bring.h ---- */
/* Buffer `which`, at least so large. */
CONVK_LOCAL_ int convk_buffer_(CONVK_DEVICE_(host) *host, size_t which, size_t bytes, CONVK_DEVICE_(memory) *memory) {
  size_t i;
  int status = CONVK_OK;
  for (i = 0; i < CONVK_DEVICE_ARRAYS_ && convk_device_over_(host->hw, host->bytes, which, bytes); i++)
    if (!(host->used >> i & 1)) CONVK_DEVICE_(drop)(host, i); /* of an earlier call */
  if (convk_device_over_(host->hw, host->bytes, which, bytes))
    return convk_device_little_(host->hw, convk_device_held_(host->bytes) - host->bytes[which] + bytes);
  if (host->bytes[which] < bytes) {
    CONVK_DEVICE_(drop)(host, which);
    status = CONVK_DEVICE_(allot)(host, which, bytes);
    if (status) host->buffer[which] = NULL;
    else host->bytes[which] = bytes;
  }
  if (status) return status;
  host->used |= 1u << which;
  *memory = host->buffer[which];
  return CONVK_OK;
}

/* A buffer for a grid of the caller, packed; `copy`: with what it holds.  NULL for none. */
CONVK_LOCAL_ int convk_bring_(CONVK_DEVICE_(host) *host, size_t which, const convk_grid3 *grid, size_t element,
                              const void *array, int copy, CONVK_DEVICE_(memory) *memory) {
  int status = CONVK_OK;
  *memory = NULL;
  if (array) status = CONVK_DEVICE_(buffer)(host, which, grid->nx * grid->ny * grid->nz * element, memory);
  return status || !array || !copy ? status : CONVK_DEVICE_(copy)(host, 0, *memory, grid, element, (void *)(uintptr_t)array);
}

/* A buffer with a list of the caller. */
CONVK_LOCAL_ int convk_bring_list_(CONVK_DEVICE_(host) *host, size_t which, const void *list, size_t bytes,
                                   CONVK_DEVICE_(memory) *memory) {
  const int status = CONVK_DEVICE_(buffer)(host, which, bytes, memory);
  return status ? status : CONVK_DEVICE_(send)(host, *memory, 0, bytes, list);
}

/* Buffers at[b.which] for all arrays of a call, which go there where they shall; and back. */
CONVK_LOCAL_ int convk_bring_all_(CONVK_DEVICE_(host) *host, const convk_staged_ *b, size_t count, CONVK_DEVICE_(memory) *at) {
  size_t i;
  int status = CONVK_OK;
  for (i = 0; i < count && !status; i++)
    status = convk_bring_(host, b[i].which, b[i].grid, b[i].element, b[i].array, b[i].upload, &at[b[i].which]);
  return status;
}
CONVK_LOCAL_ int convk_back_all_(CONVK_DEVICE_(host) *host, const convk_staged_ *b, size_t count,
                                 const CONVK_DEVICE_(memory) *at) {
  size_t i;
  int status = CONVK_OK;
  for (i = 0; i < count && !status; i++)
    if (b[i].array && b[i].back) status = CONVK_DEVICE_(copy)(host, 1, at[b[i].which], b[i].grid, b[i].element, b[i].array);
  return status;
}
/* ---- src/device/parts.h ---- */
/* ---- calls on host arrays in parts ----
   While one part is worked on, the next one comes and the one before goes back: each of the three has a lane of its own, and
   parts take the slots of every buffer in turn.  Part p takes slot p % 3:

     in      0 1 2 3 4 ..       3 waits until 0 has gone back, which has slot 0
     work      0 1 2 3 4 ..     3 waits until it has come
     out         0 1 2 3 4 ..   3 waits until it has been worked on

   Marks: those of what has come (slot), has been worked on (3 + slot), has gone back (6 + slot). */

/* One of the three, for a part in a slot. */
typedef int convk_part_fn_(CONVK_DEVICE_(host) *host, void *job, size_t part, size_t slot);

/* Downloads are queued one part late.  A download to memory that the driver has not pinned blocks the host until it is done,
   and the upload of the next part has to be queued before that.  back: NULL where parts have no results of their own. */
CONVK_LOCAL_ int convk_parts_run_(CONVK_DEVICE_(host) *host, size_t parts, convk_part_fn_ *bring, convk_part_fn_ *work,
                                  convk_part_fn_ *back, void *job) {
  const size_t places = CONVK_SLOTS_;
  size_t p;
  int status = parts > 1 ? CONVK_DEVICE_(lanes)(host) : CONVK_OK;
  if (parts == 1) {
    status = bring(host, job, 0, 0);
    if (!status) status = work(host, job, 0, 0);
    return status || !back ? status : back(host, job, 0, 0);
  }
  for (p = 0; p <= parts && !status; p++) {
    const size_t slot = p % places, before = (p + places - 1) % places;
    if (p < parts) {
      CONVK_DEVICE_(lane)(host, CONVK_LANE_IN_);
      if (p >= places) status = CONVK_DEVICE_(after)(host, 2 * places + slot);
      if (!status) status = bring(host, job, p, slot);
      if (!status) status = CONVK_DEVICE_(mark)(host, slot);
      CONVK_DEVICE_(lane)(host, CONVK_LANE_WORK_);
      if (!status) status = CONVK_DEVICE_(after)(host, slot);
      if (!status) status = work(host, job, p, slot);
      if (!status) status = CONVK_DEVICE_(mark)(host, places + slot);
    }
    if (p && !status) {
      CONVK_DEVICE_(lane)(host, CONVK_LANE_OUT_);
      status = CONVK_DEVICE_(after)(host, places + before);
      if (!status && back) status = back(host, job, p - 1, before);
      if (!status) status = CONVK_DEVICE_(mark)(host, 2 * places + before);
    }
  }
  CONVK_DEVICE_(lane)(host, CONVK_LANE_WORK_);
  return status;
}

/* Cuts `units` of something into parts of at most *each.  unit: bytes of one in all buffers of a slot; more: bytes of a slot
   beside its units; once: bytes beside all places; least: units of which a part is worth its `more`.  One part where nothing is
   won by several, and the device's memory holds all. */
CONVK_LOCAL_ int convk_parts_of_(CONVK_DEVICE_(host) *host, size_t units, size_t unit, size_t more, size_t once, size_t least,
                                 size_t *each) {
  const size_t places = CONVK_SLOTS_, threshold = 2 * CONVK_PART_BYTES_;
  const int cut = CONVK_DEVICE_(beside)(host);
  size_t room = (size_t)-1, all = 0, slot, wanted = CONVK_PART_BYTES_ / unit;
  int status = CONVK_OK;
  const int fits = !convk_mul_(units, unit, &all) && all <= (size_t)-1 / 2 && more <= (size_t)-1 / 4 && once <= (size_t)-1 / 4;
  *each = units;
  if (fits && all <= threshold && !host->hw->device_bytes) return CONVK_OK; /* what there is need not be asked for */
  status = CONVK_DEVICE_(allowed)(host, &room);
  if (status) return status;
  if (wanted < least) wanted = least;
  if (!cut || all <= threshold) wanted = units;
  if (fits && wanted >= units && once + more + all <= room) return CONVK_OK;
  slot = room > once ? (room - once) / places : 0;
  if (slot <= more || (slot - more) / unit == 0) return convk_device_little_(host->hw, once + places * (more + unit));
  if (wanted > (slot - more) / unit) wanted = (slot - more) / unit;
  if (wanted > 64 && wanted < units) wanted -= wanted % 64; /* whole lines, where units are elements */
  if (wanted < units) *each = wanted;
  return CONVK_OK;
}

/* An array of the caller that comes plane by plane: its buffer, of so many planes in a slot; of each plane the points from
   first[0], first[1] on, count[0] x count[1] of them; a buffer for the axis's first `kept` planes, or NULL;
   and one for those that a window shares with the next. */
typedef struct convk_flow_ {
  convk_staged_ b;
  CONVK_DEVICE_(memory) memory, head, tail;
  size_t planes, first[2], count[2];
  int64_t kept;
} convk_flow_;

/* Brings planes [window->first, window->end) of an array, which may wrap around its axis, to `at` bytes behind the beginning
   of a buffer; of each plane the points from first[0], first[1] on, count[0] x count[1] of them. */
CONVK_LOCAL_ int convk_window_bring_(CONVK_DEVICE_(host) *host, CONVK_DEVICE_(memory) memory, size_t at, const convk_staged_ *b,
                                     convk_window_ window, const size_t first[2], const size_t count[2]) {
  const size_t plane = b->grid->nx * b->grid->ny * b->element;
  const int64_t n = (int64_t)b->grid->nz;
  convk_grid3 part = *b->grid;
  int64_t z = window.first;
  int status = CONVK_OK;
  while (z < window.end && !status) {
    const int64_t here = (z % n + n) % n, left = window.end - z, planes = left < n - here ? left : n - here;
    size_t from[3] = {0, 0, 0}, box[3];
    from[0] = first[0];
    from[1] = first[1];
    box[0] = count[0];
    box[1] = count[1];
    part.nz = box[2] = (size_t)planes;
    status = CONVK_DEVICE_(copy_box)(host, 0, memory, at + (size_t)(z - window.first) * plane, &part, from, box, b->element,
                                     (char *)b->array + (size_t)here * part.pitch_z * b->element);
    z += planes;
  }
  return status;
}

/* What comes of a window to slot `slot`: all but the planes before `end`, with which the window before ended, and those of
   `head`, if there is one, which part 0 brings: the axis's first planes, for the last windows of a periodic axis, since the
   caller's array may have got results in their place. */
CONVK_LOCAL_ int convk_flow_bring_(CONVK_DEVICE_(host) *host, const convk_flow_ *f, size_t part, size_t slot,
                                   convk_window_ window, int64_t end) {
  const size_t plane = f->b.grid->nx * f->b.grid->ny * f->b.element, at = slot * f->planes * plane;
  const int64_t n = (int64_t)f->b.grid->nz;
  convk_window_ rest = window, kept = {0, 0};
  int status = CONVK_OK;
  if (part && end > window.first) rest.first = end;
  if (!part && f->head) {
    kept.end = f->kept;
    status = convk_window_bring_(host, f->head, 0, &f->b, kept, f->first, f->count);
  }
  if (f->head && rest.end > n) rest.end = n;
  if (status || rest.first >= rest.end) return status;
  return convk_window_bring_(host, f->memory, at + (size_t)(rest.first - window.first) * plane, &f->b, rest, f->first,
                             f->count);
}

/* The rest of it, in the lane of work, which copies there do not keep from coming: the end of the window before, which is in
   `tail`, and what comes around.  Then `tail` gets the planes from `next` on, with which the next window begins. */
CONVK_LOCAL_ int convk_flow_join_(CONVK_DEVICE_(host) *host, const convk_flow_ *f, size_t part, size_t slot,
                                  convk_window_ window, int64_t end, int64_t next) {
  const size_t plane = f->b.grid->nx * f->b.grid->ny * f->b.element, at = slot * f->planes * plane;
  const int64_t n = (int64_t)f->b.grid->nz;
  int64_t first = window.first;
  int status = CONVK_OK;
  if (part && end > first) {
    first = end < window.end ? end : window.end;
    status = CONVK_DEVICE_(same)(host, f->memory, at, f->tail, 0, (size_t)(first - window.first) * plane);
  }
  if (first < n) first = n;
  if (!status && f->head && window.end > first)
    status = CONVK_DEVICE_(same)(host, f->memory, at + (size_t)(first - window.first) * plane, f->head,
                                 (size_t)(first - n) * plane, (size_t)(window.end - first) * plane);
  if (next < window.first) next = window.first;
  if (status || next >= window.end) return status;
  return CONVK_DEVICE_(same)(host, f->tail, 0, f->memory, at + (size_t)(next - window.first) * plane,
                             (size_t)(window.end - next) * plane);
}

/* Planes of an array of the caller, and those of a buffer from its plane `at` on. */
CONVK_LOCAL_ int convk_planes_(CONVK_DEVICE_(host) *host, int download, CONVK_DEVICE_(memory) memory, size_t at,
                               const convk_staged_ *b, convk_window_ planes) {
  const size_t none[3] = {0, 0, 0};
  convk_grid3 part = *b->grid;
  size_t box[3];
  box[0] = part.nx;
  box[1] = part.ny;
  box[2] = part.nz = (size_t)(planes.end - planes.first);
  return CONVK_DEVICE_(copy_box)(host, download, memory, at * part.nx * part.ny * b->element, &part, none, box, b->element,
                                 (char *)b->array + (size_t)planes.first * part.pitch_z * b->element);
}
/* ---- src/device/words_cuda.h ---- */
/* ---- the words of <family>/device.h for CUDA; device/host.h says what they mean ---- */

typedef struct convk_cuda_call_ {
  cudaStream_t stream;
  const convk_cuda_stencil_tuning *stencil; /* NULL: chosen by the library */
  char *message;
  convk *hw;               /* whose tuned entries count, or NULL */
  size_t planes;           /* or items, of the whole of which the call has a part; 0: it has all */
  convk_cuda_host_ *timed; /* while convk_tune measures a handle; else NULL */
} convk_cuda_call_;

/* Around the kernels of a call: adds their time where it is measured. */
CONVK_LOCAL_ int convk_cuda_clock_start_(const convk_cuda_call_ *call) {
  if (!call->timed) return CONVK_OK;
  return convk_cuda_status_(call->timed, cudaEventRecord(call->timed->clock[0], call->stream));
}
CONVK_LOCAL_ int convk_cuda_clock_stop_(const convk_cuda_call_ *call, int status) {
  convk_cuda_host_ *const d = call->timed;
  float milliseconds = 0;
  cudaError_t error;
  if (!d || status) return status;
  error = cudaEventRecord(d->clock[1], call->stream);
  if (error == cudaSuccess) error = cudaEventSynchronize(d->clock[1]);
  if (error == cudaSuccess) error = cudaEventElapsedTime(&milliseconds, d->clock[0], d->clock[1]);
  d->seconds += 1e-3 * (double)milliseconds;
  return convk_cuda_status_(d, error);
}

CONVK_LOCAL_ int convk_cuda_call_of_(convk_cuda_stream *on, size_t, unsigned, convk_cuda_call_ *call) {
  memset(call, 0, sizeof *call);
  if (!on) return CONVK_ERR_NULL;
  on->message[0] = 0;
  call->stream = on->stream;
  call->stencil = &on->stencil;
  call->message = on->message;
  call->hw = on->hw;
  if (on->hw && convk_check_handle_(on->hw))
    return convk_refuse_(call->message, CONVK_ERR_HANDLE, "on->hw is not open, or of another version");
  return CONVK_OK;
}

CONVK_LOCAL_ convk_cuda_call_ convk_cuda_call_on_(convk_cuda_host_ *host) {
  convk_cuda_call_ call;
  call.stream = host->stream;
  call.stencil = NULL;
  call.message = host->hw->message;
  call.hw = host->hw;
  call.planes = 0;
  call.timed = host->clock[1] ? host : NULL;
  return call;
}

CONVK_LOCAL_ int convk_cuda_call_end_(convk_cuda_call_ *, int status) { return status; }

/* Memory of a handle as an array of any type. */
struct convk_cuda_any_ {
  void *memory;
  template <class type_> operator type_ *() const { return (type_ *)memory; }
};
CONVK_LOCAL_ convk_cuda_any_ convk_cuda_array_of_(void *memory) {
  const convk_cuda_any_ any = {memory};
  return any;
}

CONVK_LOCAL_ convk_cuda_any_ convk_cuda_none_() { return convk_cuda_array_of_(NULL); }

/* An array within work memory, from so many bytes on. */
CONVK_LOCAL_ convk_cuda_any_ convk_cuda_array_at_(void *base, size_t bytes, size_t) {
  return convk_cuda_array_of_((char *)base + bytes);
}
/* What begins `at` bytes behind the beginning of an array. */
CONVK_LOCAL_ convk_cuda_any_ convk_cuda_array_part_(const void *array, size_t, size_t at, size_t) {
  return convk_cuda_array_of_((void *)((uintptr_t)array + at));
}
CONVK_LOCAL_ int convk_cuda_is_set_(const void *array) { return array != NULL; }

CONVK_LOCAL_ int convk_cuda_array_place_(convk_cuda_call_ *call, const char *name, const void *array, size_t count,
                                         size_t element, int flags, convk_place_ *place) {
  size_t bytes = 0;
  if (convk_bytes_(count, element, &bytes))
    return convk_refuse_names_(call->message, CONVK_ERR_OVERFLOW, "$ has too many elements", name, NULL);
  *place = convk_place_of_(name, array, bytes, flags);
  return CONVK_OK;
}

/* The message of a size query, which may be on no stream. */
CONVK_LOCAL_ int convk_cuda_query_of_(convk_cuda_stream *on, char **message) {
  *message = on ? on->message : NULL;
  if (on) on->message[0] = 0;
  return CONVK_OK;
}

typedef const void convk_cuda_machine_;

CONVK_LOCAL_ int convk_cuda_machine_of_(const convk_cuda_stream *, convk_cuda_machine_ **machine) {
  *machine = NULL;
  return CONVK_OK;
}
CONVK_LOCAL_ convk_cuda_machine_ *convk_cuda_machine_of_call_(const convk_cuda_call_ *) { return NULL; }

/* That work memory is enough, and where it begins: at a multiple of 256 bytes. */
CONVK_LOCAL_ int convk_cuda_work_place_(convk_cuda_call_ *call, void *work, size_t work_size, size_t need, convk_place_ *place,
                                        void **base) {
  *place = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_);
  *base = (char *)work + (256 - (uintptr_t)work % 256) % 256;
  if (!work) return convk_need_(call->message, "work", work);
  return convk_work_check_(call->message, work, work_size, need);
}
/* ---- src/device/frame.h ---- */
/* ---- calls on device memory, and queries of how much work they need ----
   Both come from one function, which goes through a frame step by step.  What is wrong first is the status of the call, and the
   steps behind it do nothing:
     f = frame_of(on, element, sums, work, work_size)   for a call; or f = frame_query(on, bytes)
     if (!f.status) f.status = ...       checks of its parameters
     frame_place(&f, name, array, ...)   each of its arrays, of which a query has none
     frame_apart(&f)                     they are there, and what is written overlaps nothing, if that is to be said before
     f.status = ...                      what is wrong with the work that is needed
     if (frame_work(&f, need))           work is there, and all lies apart; a query is answered, and only a call goes on
       f.status = ...                    starts its kernels, whose work is f.work
     return frame_end(&f) */

typedef struct convk_frame_ {
  CONVK_ON_ *on;
  CONVK_DEVICE_(call) call;
  char *message;
  int status, query;
  size_t element, *bytes;  /* the answer to a query */
  CONVK_ARRAY_(void) work; /* the caller's, and behind frame_work its first multiple of 256 bytes */
  size_t work_size, places;
  convk_place_ place[CONVK_FRAME_PLACES_];
} convk_frame_;

CONVK_LOCAL_ convk_frame_ convk_frame_of_(CONVK_ON_ *on, size_t element, unsigned sums, CONVK_ARRAY_(void) work,
                                          size_t work_size) {
  convk_frame_ f;
  memset(&f, 0, sizeof f);
  f.on = on;
  f.element = element;
  f.work = work;
  f.work_size = work_size;
  f.status = CONVK_DEVICE_(call_of)(on, element, sums, &f.call);
  f.message = f.call.message;
  return f;
}

CONVK_LOCAL_ convk_frame_ convk_frame_query_(CONVK_ON_ *on, size_t *bytes) {
  convk_frame_ f;
  memset(&f, 0, sizeof f);
  f.on = on;
  f.query = 1;
  f.bytes = bytes;
  f.status = CONVK_DEVICE_(query_of)(on, &f.message);
  if (!f.status) f.status = convk_need_(f.message, "bytes", bytes);
  return f;
}

/* A call turns out to sum in doubles. */
CONVK_LOCAL_ void convk_frame_doubles_(convk_frame_ *f) {
  if (!f->status && !f->query) f->status = CONVK_DEVICE_(call_of)(f->on, f->element, 1, &f->call);
}

CONVK_LOCAL_ void convk_frame_place_(convk_frame_ *f, const char *name, CONVK_ARRAY_(const void) array, size_t count,
                                     size_t element, int flags) {
  if (f->status || f->query) return;
  f->status = CONVK_DEVICE_(array_place)(&f->call, name, array, count, element, flags, &f->place[f->places++]);
}

CONVK_LOCAL_ void convk_frame_apart_(convk_frame_ *f) {
  if (!f->status) f->status = convk_places_check_(f->message, f->place, f->places);
}

/* Whether kernels are to be started. */
CONVK_LOCAL_ int convk_frame_work_(convk_frame_ *f, size_t need) {
  if (!f->status && f->query) *f->bytes = need;
  if (f->status || f->query) return 0;
  if (need) f->status = CONVK_DEVICE_(work_place)(&f->call, f->work, f->work_size, need, &f->place[f->places++], &f->work);
  convk_frame_apart_(f);
  return !f->status;
}

/* The status of a query, or of a call, which ends here. */
CONVK_LOCAL_ int convk_frame_end_(convk_frame_ *f) {
  return f->query ? f->status : CONVK_DEVICE_(call_end)(&f->call, f->status);
}
/* ---- src/device/vectors.h ---- */
/* ---- calls on host arrays of many vectors, in parts of one vector each ----
   A vector is one grid of a batch (shape->vectors). */

/* A call; a struct with more of it begins with this one.
   of       of[k]: array k, as it is for the first vector
   stride   elements of array k from a vector to the next; bytes: of one vector in a buffer
   once     an array that is the same for all
   results  where `result` bytes of each vector go, which its work leaves in buffer MORE_2; or NULL
   need     bytes of work
   first    the vector that part 0 is
   at       buffers */
typedef struct convk_vectors_ {
  convk_staged_ of[CONVK_VECTORS_ARRAYS_], once;
  size_t stride[CONVK_VECTORS_ARRAYS_], bytes[CONVK_VECTORS_ARRAYS_];
  void *results;
  size_t result, need, vectors, first;
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
} convk_vectors_;

/* Array k, on the device, of the vector in a slot. */
typedef CONVK_DEVICE_(any) convk_vectors_any_;
CONVK_LOCAL_ convk_vectors_any_ convk_vectors_array_(const convk_vectors_ *v, size_t k, size_t slot) {
  return CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(v->at[v->of[k].which]), slot * v->bytes[k], v->of[k].element);
}

/* Queues the copy of array k of a part (a vector) to a slot, or with `download` back. */
CONVK_LOCAL_ int convk_vectors_copy_(CONVK_DEVICE_(host) *host, const convk_vectors_ *v, int download, size_t k, size_t part,
                                     size_t slot) {
  const convk_staged_ *const b = &v->of[k];
  const size_t first[3] = {0, 0, 0}, count[3] = {b->grid->nx, b->grid->ny, b->grid->nz};
  return CONVK_DEVICE_(copy_box)(host, download, v->at[b->which], slot * v->bytes[k], b->grid, first, count, b->element,
                                 (char *)b->array + (v->first + part) * v->stride[k] * b->element);
}

/* Queues the uploads of a part to a slot; for convk_parts_run_.  call: a convk_vectors_. */
CONVK_LOCAL_ int convk_vectors_bring_(CONVK_DEVICE_(host) *host, void *call, size_t part, size_t slot) {
  const convk_vectors_ *const v = (const convk_vectors_ *)call;
  size_t k;
  int status = CONVK_OK;
  for (k = 0; k < CONVK_VECTORS_ARRAYS_ && !status; k++)
    if (v->of[k].array && v->of[k].upload) status = convk_vectors_copy_(host, v, 0, k, part, slot);
  return status;
}

/* Queues the download of a part's output from a slot, if there is one; for convk_parts_run_, too. */
CONVK_LOCAL_ int convk_vectors_back_(CONVK_DEVICE_(host) *host, void *call, size_t part, size_t slot) {
  const convk_vectors_ *const v = (const convk_vectors_ *)call;
  return v->of[CONVK_VECTORS_OUT_].array ? convk_vectors_copy_(host, v, 1, CONVK_VECTORS_OUT_, part, slot) : CONVK_OK;
}

/* Makes the buffers.  *parts: of one convk_parts_run_: all vectors, which overlap in three slots; or 1, so that vectors go one
   after another, where the device does not copy beside its work or has no room for three. */
CONVK_LOCAL_ int convk_vectors_buffers_(CONVK_DEVICE_(host) *host, convk_vectors_ *v, size_t *parts) {
  const convk_grid3 *const g = v->once.grid;
  const size_t once = v->once.array ? g->nx * g->ny * g->nz * v->once.element : 0, results = v->vectors * v->result;
  size_t places = v->vectors > 1 ? CONVK_SLOTS_ : 1, all = once + results + v->need, each = 0, room = 0, k;
  int status = v->vectors > 1 ? CONVK_DEVICE_(allowed)(host, &room) : CONVK_OK;
  for (k = 0; k < CONVK_VECTORS_ARRAYS_; k++) {
    const convk_staged_ *const b = &v->of[k];
    v->bytes[k] = b->array ? b->grid->nx * b->grid->ny * b->grid->nz * b->element : 0;
    each += v->bytes[k];
  }
  if (places > 1 && (!CONVK_DEVICE_(beside)(host) || room < all || (room - all) / places < each)) places = 1;
  *parts = places > 1 ? v->vectors : 1;
  for (k = 0; k < CONVK_VECTORS_ARRAYS_ && !status; k++)
    if (v->bytes[k]) status = CONVK_DEVICE_(buffer)(host, v->of[k].which, places * v->bytes[k], &v->at[v->of[k].which]);
  if (!status && once) status = CONVK_DEVICE_(buffer)(host, v->once.which, once, &v->at[v->once.which]);
  if (!status && v->results) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_2_, results, &v->at[CONVK_DEVICE_MORE_2_]);
  if (!status && v->need) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, v->need, &v->at[CONVK_DEVICE_WORK_]);
  return status;
}

/* A checked call; work: makes one vector. */
CONVK_LOCAL_ int convk_vectors_run_(CONVK_DEVICE_(host) *host, convk_vectors_ *v, CONVK_DEVICE_(part_fn) *work) {
  size_t parts = 1;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  status = convk_vectors_buffers_(host, v, &parts);
  if (!status && v->once.array)
    status = CONVK_DEVICE_(copy)(host, 0, v->at[v->once.which], v->once.grid, v->once.element, v->once.array);
  for (v->first = 0; v->first < v->vectors && !status; v->first += parts)
    status = CONVK_DEVICE_(parts_run)(host, parts, convk_vectors_bring_, work, convk_vectors_back_, v);
  if (!status && v->results)
    status = CONVK_DEVICE_(fetch)(host, v->at[CONVK_DEVICE_MORE_2_], 0, v->vectors * v->result, v->results);
  return CONVK_DEVICE_(end)(host, status);
}
/* ---- src/words/cuda.h ---- */
/* ------------------------------------------------------------------------------------------------- the words of CUDA -- */

#ifdef CONVK_HIP
/* ---- src/words/hip.h ---- */
/* The words of CUDA that HIP spells in another way; operations round one by one, uncontracted. */
CONVK_CUDA_INLINE_ double convk_cuda_mul_(double a, double b) {
#pragma clang fp contract(off)
  return a * b;
}
CONVK_CUDA_INLINE_ float convk_cuda_mul_(float a, float b) {
#pragma clang fp contract(off)
  return a * b;
}
CONVK_CUDA_INLINE_ double convk_cuda_add_(double a, double b) {
#pragma clang fp contract(off)
  return a + b;
}
CONVK_CUDA_INLINE_ float convk_cuda_add_(float a, float b) {
#pragma clang fp contract(off)
  return a + b;
}
CONVK_CUDA_INLINE_ double convk_cuda_fma_(double a, double b, double c) { return __builtin_fma(a, b, c); }
CONVK_CUDA_INLINE_ float convk_cuda_fma_(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CONVK_CUDA_INLINE_ float convk_cuda_divided_(float a, float b) { return a / b; }
CONVK_CUDA_INLINE_ double convk_cuda_divided_(double a, double b) { return a / b; }
CONVK_CUDA_INLINE_ double convk_cuda_root_(double x) { return __builtin_sqrt(x); }

/* A warp is 32 neighbouring threads, also where the device runs 64 in step. */
#define CONVK_CUDA_SHUFFLE_XOR_(v, mask) __shfl_xor(v, mask, 32)
#define CONVK_CUDA_SHUFFLE_UP_(v, by, width) __shfl_up(v, by, width)
#define CONVK_CUDA_SHUFFLE_DOWN_(v, by, width) __shfl_down(v, by, width)
#define CONVK_CUDA_ANY_(is) convk_hip_any_(is)
#define CONVK_CUDA_WARP_SYNC_() convk_hip_warp_sync_()

CONVK_CUDA_INLINE_ int convk_hip_any_(int is) {
  const unsigned long long all = __ballot(is);
  return warpSize == 32 ? all != 0 : (unsigned)(all >> (__lane_id() & 32)) != 0;
}
/* Threads of a warp run in step: what one has stored another may load, once the compiler leaves both in their order. */
CONVK_CUDA_INLINE_ void convk_hip_warp_sync_() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#else
CONVK_CUDA_INLINE_ double convk_cuda_mul_(double a, double b) { return __dmul_rn(a, b); }
CONVK_CUDA_INLINE_ float convk_cuda_mul_(float a, float b) { return __fmul_rn(a, b); }
CONVK_CUDA_INLINE_ double convk_cuda_add_(double a, double b) { return __dadd_rn(a, b); }
CONVK_CUDA_INLINE_ float convk_cuda_add_(float a, float b) { return __fadd_rn(a, b); }
CONVK_CUDA_INLINE_ double convk_cuda_fma_(double a, double b, double c) { return __fma_rn(a, b, c); }
CONVK_CUDA_INLINE_ float convk_cuda_fma_(float a, float b, float c) { return __fmaf_rn(a, b, c); }
CONVK_CUDA_INLINE_ float convk_cuda_divided_(float a, float b) { return __fdiv_rn(a, b); }
CONVK_CUDA_INLINE_ double convk_cuda_divided_(double a, double b) { return __ddiv_rn(a, b); }
CONVK_CUDA_INLINE_ double convk_cuda_root_(double x) { return __dsqrt_rn(x); }

/* A warp is 32 threads.  Shuffles are within the warp, or within groups of `width` of its threads. */
#define CONVK_CUDA_SHUFFLE_XOR_(v, mask) __shfl_xor_sync(0xffffffffu, v, mask)
#define CONVK_CUDA_SHUFFLE_UP_(v, by, width) __shfl_up_sync(0xffffffffu, v, by, width)
#define CONVK_CUDA_SHUFFLE_DOWN_(v, by, width) __shfl_down_sync(0xffffffffu, v, by, width)
#define CONVK_CUDA_ANY_(is) __any_sync(0xffffffffu, is)
#define CONVK_CUDA_WARP_SYNC_() __syncwarp()
#endif
template <class real_> CONVK_CUDA_INLINE_ real_ convk_cuda_sub_(real_ a, real_ b) { return convk_cuda_add_(a, -b); }

/* b where one of them is NaN. */
template <class type_> CONVK_CUDA_INLINE_ type_ convk_cuda_min_(type_ a, type_ b) { return a < b ? a : b; }
template <class type_> CONVK_CUDA_INLINE_ type_ convk_cuda_max_(type_ a, type_ b) { return a > b ? a : b; }
CONVK_CUDA_INLINE_ uint32_t convk_cuda_bits_(float x) { return __float_as_uint(x); }
CONVK_CUDA_INLINE_ uint64_t convk_cuda_bits_(double x) { return (uint64_t)__double_as_longlong(x); }
CONVK_CUDA_INLINE_ float convk_cuda_real_(uint32_t bits) { return __uint_as_float(bits); }
CONVK_CUDA_INLINE_ double convk_cuda_real_(uint64_t bits) { return __longlong_as_double((long long)bits); }

#define CONVK_HW_ cuda
#define CONVK_V CONVK_T
#define CONVK_LANES 1
#define CONVK_BITS_(u) convk_cuda_real_((CONVK_UNSIGNED_)(u))
#define CONVK_ELEMENT_ CONVK_CUDA_INLINE_
#define CONVK_ELEMENT_RARE_ static inline __device__ CONVK_CUDA_NOINLINE_
#define CONVK_CONSTANT_ static __constant__
#define CONVK_KERNEL_(name) convk_cuda_##name##_ /* of a float or of a double */
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_cuda_##name##_
#define CONVK_TO_BITS_(u, v) (*(u) = convk_cuda_bits_(v))
#define CONVK_FROM_BITS_(v, u) ((v) = convk_cuda_real_(*(u)))
#define CONVK_LOAD_(p) (*(p))
#define CONVK_STORE_(p, v) (*(p) = (v))
#define CONVK_SET_(x) ((CONVK_T)(x))
#define CONVK_ADD_(a, b) convk_cuda_add_(a, b)
#define CONVK_MUL_(a, b) convk_cuda_mul_(a, b)
#define CONVK_DIV_(a, b) convk_cuda_divided_(a, b)
#define CONVK_FMA_(a, b, c) convk_cuda_fma_(a, b, c)
#define CONVK_FNMA_(a, b, c) convk_cuda_fma_(-(a), b, c)
#define CONVK_FMS_(a, b, c) convk_cuda_fma_(a, b, -(c))
#define CONVK_FUSES_ 1
#define CONVK_SUB_(a, b) convk_cuda_sub_(a, b)
#define CONVK_MIN_(a, b) convk_cuda_min_(a, b)
#define CONVK_MAX_(a, b) convk_cuda_max_(a, b)
#define CONVK_LESS_(a, b, x, y) ((a) < (b) ? (x) : (y))
#define CONVK_ANY_LESS_(a, b) ((a) < (b))
#define CONVK_WHICH_LESS_(a, b) ((unsigned)((a) < (b)))
#define CONVK_INT_(a) convk_cuda_bits_(a)
#define CONVK_AND_(a, b) convk_cuda_real_(convk_cuda_bits_(a) & convk_cuda_bits_(b))
#define CONVK_OR_(a, b) convk_cuda_real_(convk_cuda_bits_(a) | convk_cuda_bits_(b))
#define CONVK_XOR_(a, b) convk_cuda_real_(convk_cuda_bits_(a) ^ convk_cuda_bits_(b))
#define CONVK_IADD_(a, b) convk_cuda_real_(convk_cuda_bits_(a) + convk_cuda_bits_(b))
#define CONVK_ISUB_(a, b) convk_cuda_real_(convk_cuda_bits_(a) - convk_cuda_bits_(b))
#define CONVK_SHL_(a, k) convk_cuda_real_(convk_cuda_bits_(a) << (k))
#define CONVK_SHR_(a, k) convk_cuda_real_(convk_cuda_bits_(a) >> (k))
#define CONVK_D double
#define CONVK_DLANES_ 1
#define CONVK_DPART_(v, h) ((void)(h), (double)(v))
#define CONVK_DFMA_(a, b, c) convk_cuda_fma_(a, b, c)
#define CONVK_DZERO_ 0.0
#define CONVK_DSET_(x) ((double)(x))
#define CONVK_DLOAD_(p) (*(p))
#define CONVK_DSTORE_(p, d) (*(p) = (d))
#define CONVK_DADD_(a, b) convk_cuda_add_(a, b)
#define CONVK_DSUB_(a, b) convk_cuda_sub_(a, b)
#define CONVK_DMUL_(a, b) convk_cuda_mul_(a, b)
#define CONVK_DROOT_(a) convk_cuda_root_(a)
#define CONVK_JOIN_(d) ((CONVK_T) * (d))
#define CONVK_KEEP_(v) ((void)(v))
#define CONVK_REREAD_(f) ((void)(f))

#define CONVK_PASS_ CONVK_PASS_BOTH_
#define CONVK_MORE_
#include CONVK_HEADER
#define CONVK_PASS_ CONVK_PASS_ELEMENT_
#define CONVK_TYPE_ f32
#define CONVK_MORE_
#include CONVK_HEADER
#define CONVK_PASS_ CONVK_PASS_ELEMENT_
#define CONVK_TYPE_ f64
#include CONVK_HEADER
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_##name##_

/* In templates over real_, the constants of convk.h that differ with the precision. */
#define CONVK_TYPE_ cuda
#define CONVK_T real_
#define CONVK_EITHER_cuda_(f32, f64) (sizeof(real_) == sizeof(float) ? (real_)(f32) : (real_)(f64))

/* Numbers as their bits: how many there are of the fraction. */
template <class real_> struct convk_cuda_number_;
template <> struct convk_cuda_number_<float> {
  typedef uint32_t bits;
  enum { fraction = 23 };
};
template <> struct convk_cuda_number_<double> {
  typedef uint64_t bits;
  enum { fraction = 52 };
};
/* ---- src/device/cuda_words.h ---- */
/* ---------------------------------------------------------------------------------------------- words of the kernels -- */

/* Division by 32 bits, which is several times faster, where that is enough. */
CONVK_CUDA_INLINE_ size_t convk_cuda_divide_(size_t a, size_t b) {
  return (a | b) >> 32 ? a / b : (size_t)((unsigned)a / (unsigned)b);
}

CONVK_CUDA_INLINE_ int convk_cuda_least_(size_t left, int limit) { return left < (size_t)limit ? (int)left : limit; }

/* A total and `count` more numbers, one after another, the loads of some of which go ahead of the additions. */
template <int ahead_ = 8, class type_>
CONVK_CUDA_INLINE_ double convk_cuda_total_of_(const type_ *from, size_t pitch, size_t count, double total) {
  size_t s = 0;
  for (; s + ahead_ <= count; s += ahead_) {
    type_ part[ahead_];
    CONVK_CUDA_EACH_(k, ahead_) part[k] = from[(s + (size_t)k) * pitch];
    CONVK_CUDA_EACH_(k, ahead_) total = convk_cuda_add_(total, (double)part[k]);
  }
  for (; s < count; s++) total = convk_cuda_add_(total, (double)from[s * pitch]);
  return total;
}

/* The pointer, whose origin the compiler does not see: else it adds that up anew for every address of 32 bits behind it. */
template <class type_> CONVK_CUDA_INLINE_ type_ *convk_cuda_base_(type_ *pointer) {
#ifdef __CUDA_ARCH__
  size_t at = __cvta_generic_to_global(pointer);
  asm("" : "+l"(at));
  pointer = (type_ *)__cvta_global_to_generic(at);
#endif
  return pointer;
}

/* The number, as if it were another one each time: multiples of it are not kept from one turn of a loop to the next. */
CONVK_CUDA_INLINE_ int convk_cuda_anew_(int number) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+r"(number));
#endif
  return number;
}
CONVK_CUDA_INLINE_ int64_t convk_cuda_anew_(int64_t number) { return number; }

/* Numbers from and to 16 bytes of aligned memory, by one instruction. */
CONVK_CUDA_INLINE_ void convk_cuda_get_(float *to, const float *from) {
  const float4 v = *(const float4 *)(const void *)from;
  to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}
CONVK_CUDA_INLINE_ void convk_cuda_get_(double *to, const double *from) {
  const double2 v = *(const double2 *)(const void *)from;
  to[0] = v.x, to[1] = v.y;
}
CONVK_CUDA_INLINE_ void convk_cuda_put_(float *to, const float *from) {
  *(float4 *)(void *)to = make_float4(from[0], from[1], from[2], from[3]);
}
CONVK_CUDA_INLINE_ void convk_cuda_put_(double *to, const double *from) {
  *(double2 *)(void *)to = make_double2(from[0], from[1]);
}

/* `count` numbers, so many at a time: 1, or as many as 16 bytes have. */
template <int pack_, int count_, class type_> CONVK_CUDA_INLINE_ void convk_cuda_gets_(type_ *to, const type_ *from) {
  CONVK_CUDA_UNROLL_
  for (int i = 0; i < count_; i += pack_) {
    if (pack_ == 1) to[i] = from[i];
    else convk_cuda_get_(to + i, from + i);
  }
}
template <int pack_, int count_, class type_> CONVK_CUDA_INLINE_ void convk_cuda_puts_(type_ *to, const type_ *from) {
  CONVK_CUDA_UNROLL_
  for (int i = 0; i < count_; i += pack_) {
    if (pack_ == 1) to[i] = from[i];
    else convk_cuda_put_(to + i, from + i);
  }
}

/* The same to device memory, where another branch stores numbers one by one, which compilers would do in both. */
CONVK_CUDA_INLINE_ void convk_cuda_put_whole_(float *to, const float *v) {
#ifndef CONVK_CUDA_PTX_
  convk_cuda_put_(to, v);
#else
  asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" : : "l"(to), "f"(v[0]), "f"(v[1]), "f"(v[2]), "f"(v[3]) : "memory");
#endif
}
CONVK_CUDA_INLINE_ void convk_cuda_put_whole_(double *to, const double *v) {
#ifndef CONVK_CUDA_PTX_
  convk_cuda_put_(to, v);
#else
  asm volatile("st.global.v2.f64 [%0], {%1, %2};" : : "l"(to), "d"(v[0]), "d"(v[1]) : "memory");
#endif
}

/* Copies 16 bytes of device memory to shared memory.  Ready after convk_cuda_copies_wait_, for the thread that asked. */
template <class type_> CONVK_CUDA_INLINE_ void convk_cuda_bring_(type_ *to, const type_ *from) {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
#elif defined CONVK_CUDA_EMULATOR
  convk_emulated_copy_async(to, from, 16);
#else
  type_ v[16 / sizeof(type_)];
  convk_cuda_get_(v, from);
  convk_cuda_put_(to, v);
#endif
}

/* The same of one number, or of 0, where there is none. */
template <class type_> CONVK_CUDA_INLINE_ void convk_cuda_bring_one_(type_ *to, const type_ *from, int is) {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
               "n"(sizeof(type_)), "r"(is ? (unsigned)sizeof(type_) : 0)
               : "memory");
#else
  if (!is) *to = 0;
#ifdef CONVK_CUDA_EMULATOR
  else convk_emulated_copy_async(to, from, sizeof *to);
#else
  else *to = *from;
#endif
#endif
}
CONVK_CUDA_INLINE_ void convk_cuda_copies_wait_() {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#elif defined CONVK_CUDA_EMULATOR
  convk_emulated_copies_wait();
#endif
}

/* The matrix unit's sums of doubles are chains of multiply-adds in rising order, each rounded once: what convk_cuda_fma_ makes
   of them, at twice its rate.  A warp adds the product of 16 x 8 and 8 x 8 elements.  Thread k + 4 r has of the first ones rows
   r (low) and r + 8 (high), in places k and k + 4; of the second ones columns r, in places k and k + 4; of the sums rows r and
   r + 8, in columns 2 k and 2 k + 1. */
#if CONVK_CUDA_ARCH_ == 800 || CONVK_CUDA_ARCH_ == 900 || defined CONVK_CUDA_EMULATOR
#define CONVK_CUDA_MATRIX_ 1
#else
#define CONVK_CUDA_MATRIX_ 0
#endif
CONVK_CUDA_INLINE_ void convk_cuda_multiply_(const double (*w)[4], const double *v, double *low, double *high) {
#if CONVK_CUDA_ARCH_ == 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+d"(low[0]), "+d"(low[1]), "+d"(high[0]), "+d"(high[1])
      : "d"(w[0][0]), "d"(w[0][1]), "d"(w[1][0]), "d"(w[1][1]), "d"(v[0]), "d"(v[1]));
#elif CONVK_CUDA_ARCH_ == 800
  CONVK_CUDA_EACH_(i, 4)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"((i % 2 ? high : low)[0]), "+d"((i % 2 ? high : low)[1])
        : "d"(w[i / 2][i % 2]), "d"(v[i / 2]));
#elif defined CONVK_CUDA_EMULATOR
  const double a[4] = {w[0][0], w[0][1], w[1][0], w[1][1]};
  convk_emulated_multiply(a, v, low, high);
#else
  (void)w, (void)v, (void)low, (void)high;
#endif
}
CONVK_CUDA_INLINE_ void convk_cuda_multiply_(const float (*)[4], const float *, float *, float *) {} /* of floats it has none */

#define CONVK_CUDA_SHARED_UNASKED_ \
  32768 /* bytes of dynamic shared memory that any launch may have: with a kernel's own, 48 KB */

/* Lets blocks of a kernel have more dynamic shared memory than that: always all that the device grants.  Another thread that
   asks for the same kernel, between here and the launch, must not take away what this one needs. */
template <class Args> static cudaError_t convk_cuda_allow_(void (*kernel)(Args), size_t shared) {
  cudaFuncAttributes has;
  int device = 0, shared_limit = 0;
  cudaError_t error = cudaFuncGetAttributes(&has, CONVK_CUDA_ENTRY_(kernel));
  if (error != cudaSuccess || (size_t)has.maxDynamicSharedSizeBytes >= shared) return error;
  error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&shared_limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (error != cudaSuccess) return error;
  return cudaFuncSetAttribute(CONVK_CUDA_ENTRY_(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                              shared_limit - (int)has.sharedSizeBytes);
}

/* Starts a kernel on one argument.  Only what our own calls return counts: see ERRORS in cuda_host.h. */
template <class Args>
static int convk_cuda_launch_(void (*kernel)(Args), size_t blocks, int threads, cudaStream_t stream, const Args &args,
                              size_t shared = 0) {
  void *list[1] = {(void *)(uintptr_t)&args};
  cudaError_t error = shared > CONVK_CUDA_SHARED_UNASKED_ ? convk_cuda_allow_(kernel, shared) : cudaSuccess;
  if (error == cudaSuccess)
    error = cudaLaunchKernel(CONVK_CUDA_ENTRY_(kernel), (unsigned)blocks, (unsigned)threads, list, shared, stream);
  return error == cudaSuccess ? CONVK_OK : CONVK_ERR_DEVICE;
}

#if CONVK_CORE_
/* Does nothing.  Where it has no machine code, no other kernel of the program has. */
static __global__ void convk_cuda_present_(int) {}
#endif

/* The same for kernels that loop over what there is for more blocks. */
template <class Args>
static int convk_cuda_start_(void (*kernel)(Args), size_t blocks, int threads, cudaStream_t stream, const Args &args,
                             size_t shared = 0) {
  const size_t limit = CONVK_CUDA_MAX_BLOCKS_;
  return convk_cuda_launch_(kernel, blocks < limit ? blocks : limit, threads, stream, args, shared);
}
#if CONVK_HAS_FILTERS_
/* ---- src/filters/arguments.h ---- */
/* What the kernels of this family take: each reads what concerns it. */
CONVK_DEFINE_ARGUMENTS_(filters) {
  convk_axis_device_ x, y, z;              /* of conv1d_transpose x, and y.n rows */
  uint64_t in_y, in_z, out_y, out_z;       /* pitches of the input, and of the output */
  uint64_t laid_y, laid_z;                 /* pitches of the potential and the density */
  uint64_t tiles_x, strips, strip;         /* tiles of a row; strips of y, and rows of each */
  uint64_t columns, blocks, chunks, chunk; /* of z: columns, in blocks of threads; chunks, and outputs of each */
  uint64_t in_at, out_at, mid_at;          /* OpenCL: where arrays begin in their buffers, in elements */
  uint64_t potential_at, density_at, dot_at, energy_at;
  uint32_t actions, unused;       /* of the epilogue: CONVK_FILTERS_DENSITY_ ... */
  CONVK_ARGUMENT_T_ factor, a, b; /* of the epilogue */
};
/* ---- src/filters/kernel.cuh ---- */
enum { convk_cuda_filters_lanes_ = 0 }; /* lanes of a row join in registers: none are in memory */
enum {
  CONVK_CUDA_GROUP_ = 8, /* outputs that a thread makes together */
  CONVK_CUDA_Z_THREADS_ = 256,
  CONVK_CUDA_TURN_ROWS_ = 32, /* input rows of one tile of conv1d_transpose: the lanes of a warp */
  CONVK_CUDA_TURN_THREADS_ = 256,
  CONVK_CUDA_FINISH_THREADS_ = 256,
  CONVK_CUDA_TOTAL_THREADS_ = 256 /* so many that each may have 32 numbers on their way */
};

/* Blocks of a launch that fill a large device several times: with more, axes are not cut, since each cut reads inputs twice. */
#ifndef CONVK_CUDA_ENOUGH_BLOCKS_
#define CONVK_CUDA_ENOUGH_BLOCKS_ ((size_t)2048)
#endif

/* Kernels come with taps_ = 16 known to the compiler, and with taps_ = 0 for any number up to CONVK_FILTER_MAX_TAPS. */
#define CONVK_CUDA_ROOM_(taps_) ((taps_) ? (taps_) : (int)CONVK_FILTER_MAX_TAPS)
#define CONVK_CUDA_TILE_(taps_) ((taps_) ? 128 : 64) /* outputs along x of one tile, within 48 KB */

/* Tiles of y, then x: their width, their rows, and threads for their columns and those of the halo. */
#define CONVK_CUDA_XY_WIDTH_(taps_, wide_) ((wide_) ? 256 : CONVK_CUDA_TILE_(taps_))
#define CONVK_CUDA_XY_ROWS_(wide_) ((wide_) ? 16 : 32)
#define CONVK_CUDA_XY_THREADS_(wide_) ((wide_) ? 288 : 160)
/* Blocks of a multiprocessor, at least: as many as find registers without spilling any. */
#define CONVK_CUDA_XY_BLOCKS_(real_, wide_) (((wide_) ? 2 : 4) + (sizeof(real_) == 4 ? 1 : CONVK_CUDA_ARCH_ >= 1200 ? -1 : 0))

/* Taps travel in the arguments of a kernel: constant memory, read as operands, and no copy to wait for. */
template <class real_> struct convk_cuda_taps_ { real_ value[CONVK_FILTER_MAX_TAPS]; };

/* Where point i of an axis that goes on beyond its ends lies in the array, or CONVK_NONE_ for a zero. */
CONVK_CUDA_INLINE_ size_t convk_cuda_source_(const convk_axis_device_ &axis, ptrdiff_t i) {
  return (size_t)convk_cuda_axis_source_(i, (ptrdiff_t)axis.n, axis.periodic);
}

/* The arrays of an epilogue, but for sums; what is done with them is in `actions`.  NULL: not there. */
template <class real_> struct convk_cuda_epilogue_ {
  const real_ *potential;
  real_ *density;
};

/* The result times the potential, its square being in the density. */
template <class Args, class real_> CONVK_CUDA_INLINE_ real_ convk_cuda_weigh_(const Args &args, size_t at, real_ v) {
  const convk_cuda_epilogue_<real_> &e = args.epilogue;
  if (e.density) e.density[at] = convk_cuda_fma_(args.factor, convk_cuda_mul_(v, v), e.density[at]);
  return e.potential ? convk_cuda_mul_(e.potential[at], v) : v;
}

template <class Args, class real_> CONVK_CUDA_INLINE_ void convk_cuda_store_(const Args &args, real_ *out, size_t at, real_ w) {
  if (args.actions & CONVK_FILTERS_UPDATE_) w = convk_cuda_fma_(args.a, w, convk_cuda_mul_(args.b, out[at]));
  if (out) out[at] = w;
}

/* sum[g] = sum over k of taps[k] load(g + k) for one group of outputs; every input is loaded once. */
template <int taps_, int group_, class real_, class Load>
CONVK_CUDA_INLINE_ void convk_cuda_group_(const real_ *taps, int ntaps, Load load, real_ *sum) {
  const int count = taps_ ? taps_ : ntaps;
  real_ x[group_];
  CONVK_CUDA_EACH_(g, group_) {
    x[g] = load(g);
    sum[g] = convk_cuda_mul_(taps[0], x[g]);
  }
  CONVK_CUDA_UNROLL_
  for (int k = 1; k < count; k++) {
    CONVK_CUDA_UNROLL_
    for (int g = 0; g + 1 < group_; g++) x[g] = x[g + 1];
    x[group_ - 1] = load(group_ - 1 + k);
    CONVK_CUDA_EACH_(g, group_) sum[g] = convk_cuda_fma_(taps[k], x[g], sum[g]);
  }
}

/* Points of an axis from i on, one after another, which lie `stride` elements apart: what there is beyond the ends included. */
template <class real_> struct convk_cuda_any_points_ {
  const real_ *line;
  size_t stride, n;
  ptrdiff_t at;
  int periodic;
  __device__ __forceinline__ convk_cuda_any_points_(const convk_axis_device_ &axis, const real_ *from, size_t step, ptrdiff_t i)
      : line(from), stride(step), n(axis.n), at(i), periodic(axis.periodic) {
    if (periodic) at = (ptrdiff_t)convk_cuda_source_(axis, i);
  }
  __device__ __forceinline__ real_ operator()(int) {
    const real_ v = (size_t)at < n ? line[(size_t)at * stride] : (real_)0;
    if ((size_t)++at == n && periodic) at = 0;
    return v;
  }
};

/* The same where all of them are inside: steps of an address. */
template <class real_> struct convk_cuda_inner_points_ {
  const real_ *at;
  size_t stride;
  __device__ __forceinline__ convk_cuda_inner_points_(const real_ *line, size_t step, ptrdiff_t i)
      : at(line + (size_t)i * step), stride(step) {}
  __device__ __forceinline__ real_ operator()(int) {
    const real_ v = *at;
    at += stride;
    return v;
  }
};

template <int count_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_points_of_(const convk_axis_device_ &axis, const real_ *line, size_t stride, ptrdiff_t i,
                                              real_ *x) {
  if (i >= 0 && i + count_ <= (ptrdiff_t)axis.n) {
    convk_cuda_inner_points_<real_> load(line, stride, i);
    CONVK_CUDA_EACH_(g, count_) x[g] = load(g);
  } else {
    convk_cuda_any_points_<real_> load(axis, line, stride, i);
    CONVK_CUDA_EACH_(g, count_) x[g] = load(g);
  }
}

/* The next group_ results along an axis, the first of which begins with point i.  With taps_, the last taps_ - 1 points of the
   results before it are in the window, where each point comes once. */
template <int taps_, int group_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_next_(const convk_axis_device_ &axis, const real_ *taps, const real_ *line, size_t stride,
                                         ptrdiff_t i, real_ *window, real_ *sum) {
  const int more = taps_ ? taps_ - 1 : 1, ntaps = (int)axis.ntaps;
  if (taps_) {
    convk_cuda_points_of_<group_>(axis, line, stride, i + more, window + more);
    CONVK_CUDA_EACH_(g, group_) {
      sum[g] = convk_cuda_mul_(taps[0], window[g]);
      CONVK_CUDA_UNROLL_
      for (int k = 1; k <= more; k++) sum[g] = convk_cuda_fma_(taps[k], window[g + k], sum[g]);
    }
    CONVK_CUDA_EACH_(k, more) window[k] = window[k + group_];
  } else if (i >= 0 && i + group_ - 1 + ntaps <= (ptrdiff_t)axis.n) {
    convk_cuda_group_<taps_, group_>(taps, ntaps, convk_cuda_inner_points_<real_>(line, stride, i), sum);
  } else {
    convk_cuda_group_<taps_, group_>(taps, ntaps, convk_cuda_any_points_<real_>(axis, line, stride, i), sum);
  }
}

/* f(g) for g below `left` and count_: whole groups, which are most, without a look at each. */
template <int count_, class function_> CONVK_CUDA_INLINE_ void convk_cuda_first_(ptrdiff_t left, function_ f) {
  if (left >= count_) {
    CONVK_CUDA_EACH_(g, count_) f(g);
  } else {
    CONVK_CUDA_EACH_(g, count_)
      if (g < left) f(g);
  }
}

/* ---- y, then x ---- */

template <class real_> struct convk_cuda_xy_args_ : convk_filters_arguments_<real_> {
  const real_ *in;
  real_ *mid; /* x.m y.m z.n, packed */
  convk_cuda_taps_<real_> taps_x, taps_y;
};

/* A block goes down a strip of one plane, tile by tile.  Threads march down the columns of the tile and its halo into shared
   memory, and keep their windows for the next tile; then a warp convolves 32 columns of eight rows in a round, a lane eight
   outputs side by side.  Rows have an odd pitch, so the lanes of a half warp (eight rows, two groups) meet 16 different pairs
   of banks.  Results go back into the tile, in order to leave by whole lines, when nobody needs the points there any more: in a
   wide tile all warps do the same rows, and wait for each other; else each has its own rows, and goes from left to right. */
template <class real_, int taps_, int wide_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_XY_THREADS_(wide_), CONVK_CUDA_XY_BLOCKS_(real_, wide_))
    convk_cuda_xy_(const convk_cuda_xy_args_<real_> a) {
  const int tile_x = CONVK_CUDA_XY_WIDTH_(taps_, wide_), max_rows = CONVK_CUDA_XY_ROWS_(wide_);
  const int pitch = tile_x + CONVK_CUDA_ROOM_(taps_) - 1, group = CONVK_CUDA_GROUP_, more = taps_ ? taps_ - 1 : 1;
  const int rounds = wide_ ? max_rows / 8 : tile_x / 32;
  __shared__ real_ tile[max_rows * pitch];
  const int ntx = taps_ ? taps_ : (int)a.x.ntaps, thread = (int)threadIdx.x, lane = thread % 32, warp = thread / 32;
  const size_t plane = a.tiles_x * a.strips, tasks = plane * a.z.n;
  for (size_t t = blockIdx.x; t < tasks; t += gridDim.x) {
    const size_t z = convk_cuda_divide_(t, plane), in_plane = t - z * plane, strip = convk_cuda_divide_(in_plane, a.tiles_x);
    const size_t begin = strip * a.strip, end = a.y.m - begin < a.strip ? a.y.m : begin + a.strip;
    const size_t x0 = (in_plane - strip * a.tiles_x) * (size_t)tile_x;
    const int width = convk_cuda_least_(a.x.m - x0, tile_x), busy = thread < pitch; /* beyond the last column: zeros */
    const size_t column = thread < width + ntx - 1 ? convk_cuda_source_(a.x, (ptrdiff_t)x0 + thread + a.x.shift) : CONVK_NONE_;
    const real_ *line = a.in + z * a.in_z + (column == CONVK_NONE_ ? 0 : column);
    real_ window[more + CONVK_CUDA_GROUP_];
    if (taps_ && column != CONVK_NONE_) convk_cuda_points_of_<more>(a.y, line, a.in_y, (ptrdiff_t)begin + a.y.shift, window);
    for (size_t y = begin; y < end; y += (size_t)max_rows) {
      const int rows = convk_cuda_least_(end - y, max_rows);
      if (busy) {
        CONVK_CUDA_UNROLL_BY_(1)
        for (int r = 0; r < rows; r += group) {
          real_ sum[CONVK_CUDA_GROUP_];
          if (column != CONVK_NONE_) {
            convk_cuda_next_<taps_, CONVK_CUDA_GROUP_>(a.y, a.taps_y.value, line, a.in_y, (ptrdiff_t)y + r + a.y.shift, window,
                                                       sum);
          } else {
            CONVK_CUDA_EACH_(g, group) sum[g] = 0;
          }
          CONVK_CUDA_EACH_(g, group) tile[(r + g) * pitch + thread] = sum[g];
        }
      }
      __syncthreads();
      CONVK_CUDA_UNROLL_BY_(1)
      for (int round = 0; round < rounds; round++) {
        const int r0 = 8 * (wide_ ? round : warp), c0 = 32 * (wide_ ? warp : round), mine = r0 < rows && c0 < width;
        real_ *own = tile + (r0 + lane % 8) * pitch + c0 + lane / 8 * group;
        real_ sum[CONVK_CUDA_GROUP_];
        if (mine)
          convk_cuda_group_<taps_, CONVK_CUDA_GROUP_>(
              a.taps_x.value, ntx, [&](int k) { return own[k]; }, sum);
        if (wide_) __syncthreads();
        else CONVK_CUDA_WARP_SYNC_();
        if (!mine) continue; /* a whole warp, which meets the others at the next barrier */
        CONVK_CUDA_EACH_(g, group) own[g] = sum[g];
        CONVK_CUDA_WARP_SYNC_();
        real_ *to = a.mid + (z * a.y.m + y + (size_t)r0) * a.x.m + x0 + (size_t)(c0 + lane);
        convk_cuda_first_<8>(c0 + lane < width ? rows - r0 : 0, [&](int k) {
          *to = tile[(r0 + k) * pitch + c0 + lane];
          to += a.x.m;
        });
      }
      __syncthreads();
    }
  }
}

/* ---- z, and the epilogue ---- */

template <class real_> struct convk_cuda_z_args_ : convk_filters_arguments_<real_> {
  const real_ *mid;
  real_ *out; /* NULL: not wanted */
  convk_cuda_taps_<real_> taps;
  convk_cuda_epilogue_<real_> epilogue;
};

/* A thread takes a column of one chunk of z; columns are counted through rows, so that short rows leave no thread idle.
   The epilogue is here when it asks for no sums, and its arrays lie as the output does. */
template <class real_, int taps_, int epilogue_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_Z_THREADS_, epilogue_ || sizeof(real_) == 8 ? 2 : 3)
    convk_cuda_z_(const convk_cuda_z_args_<real_> a) {
  const int group = epilogue_ ? 4 : CONVK_CUDA_GROUP_, more = taps_ ? taps_ - 1 : 1;
  const size_t tasks = a.blocks * a.chunks;
  for (size_t t = blockIdx.x; t < tasks; t += gridDim.x) {
    const size_t chunk = convk_cuda_divide_(t, a.blocks), begin = chunk * a.chunk;
    const size_t end = a.z.m - begin < a.chunk ? a.z.m : begin + a.chunk;
    const size_t column = (t - chunk * a.blocks) * CONVK_CUDA_Z_THREADS_ + threadIdx.x;
    if (column >= a.columns) continue;
    const size_t y = convk_cuda_divide_(column, a.x.m);
    const real_ *line = a.mid + column;
    size_t at = begin * a.out_z + y * a.out_y + (column - y * a.x.m);
    real_ window[more + group];
    if (taps_) convk_cuda_points_of_<more>(a.z, line, a.columns, (ptrdiff_t)begin + a.z.shift, window);
    CONVK_CUDA_UNROLL_BY_(1)
    for (size_t z = begin; z < end; z += (size_t)group) {
      real_ sum[group];
      convk_cuda_next_<taps_, group>(a.z, a.taps.value, line, a.columns, (ptrdiff_t)z + a.z.shift, window, sum);
      convk_cuda_first_<group>((ptrdiff_t)(end - z), [&](int g) {
        if (epilogue_) convk_cuda_store_(a, a.out, at, convk_cuda_weigh_(a, at, sum[g]));
        else a.out[at] = sum[g];
        at += a.out_z;
      });
    }
  }
}

/* ---- an epilogue with sums, or whose arrays lie otherwise than the output ---- */

template <class real_> struct convk_cuda_finish_args_ : convk_filters_arguments_<real_> {
  const real_ *result; /* of z; may be `out` */
  const real_ *in;
  real_ *out;
  size_t result_y, result_z;
  convk_cuda_epilogue_<real_> epilogue;
  double *dot, *energy; /* one sum per row, z fastest, or NULL */
};

/* 16 threads take a row, one for each of the interleaved lanes in which the processors sum, and join their sums by the same
   tree.  laid_: potential and density have pitches of their own. */
template <int laid_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_finish_rows_(const convk_cuda_finish_args_<real_> &a) {
  const size_t rows = a.y.m * a.z.m, block = CONVK_CUDA_FINISH_THREADS_ / 16, blocks = (rows + block - 1) / block;
  for (size_t t = blockIdx.x; t < blocks; t += gridDim.x) {
    const size_t row = t * block + threadIdx.x / 16, z = convk_cuda_divide_(row, a.y.m), y = row - z * a.y.m;
    double dot = 0, energy = 0;
    for (size_t i = row < rows ? threadIdx.x % 16 : a.x.m; i < a.x.m; i += 16) {
      const size_t at = z * a.out_z + y * a.out_y + i, laid = laid_ ? z * a.laid_z + y * a.laid_y + i : at;
      const real_ v = a.result[z * a.result_z + y * a.result_y + i];
      const real_ w = convk_cuda_weigh_(a, laid, v);
      if (a.dot) dot = convk_cuda_fma_((double)a.in[z * a.in_z + y * a.in_y + i], (double)v, dot);
      if (a.energy) energy = convk_cuda_fma_((double)v, (double)w, energy);
      convk_cuda_store_(a, a.out, at, w);
    }
    for (unsigned h = 8; h; h /= 2) {
      dot = convk_cuda_add_(dot, CONVK_CUDA_SHUFFLE_DOWN_(dot, h, 16));
      energy = convk_cuda_add_(energy, CONVK_CUDA_SHUFFLE_DOWN_(energy, h, 16));
    }
    if (row < rows && threadIdx.x % 16 == 0) {
      if (a.dot) a.dot[y * a.z.m + z] = dot;
      if (a.energy) a.energy[y * a.z.m + z] = energy;
    }
  }
}

template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FINISH_THREADS_)
    convk_cuda_finish_(const convk_cuda_finish_args_<real_> a) {
  convk_cuda_finish_rows_<0>(a);
}
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FINISH_THREADS_)
    convk_cuda_finish_laid_(const convk_cuda_finish_args_<real_> a) {
  convk_cuda_finish_rows_<1>(a);
}

/* One sum per row, room for one per plane, and where the total goes; rows NULL: not wanted. */
struct convk_cuda_sum_ {
  double *rows, *planes, *total;
};

struct convk_cuda_total_args_ {
  convk_cuda_sum_ dot, energy;
  size_t ny, nz, first, planes; /* the sum is that of planes first .. first + planes - 1 */
  int more;                     /* and of what it was before */
};

/* Rows of a plane, then planes, each in sequence.  One block for each sum. */
template <class Args> /* a template, so that units that do not start it hold no copy */
static __global__ void __launch_bounds__(CONVK_CUDA_TOTAL_THREADS_) convk_cuda_total_(const Args a) {
  for (unsigned s = blockIdx.x; s < 2; s += gridDim.x) {
    const convk_cuda_sum_ sum = s ? a.energy : a.dot;
    if (!sum.rows) continue;
    for (size_t z = threadIdx.x; z < a.nz; z += CONVK_CUDA_TOTAL_THREADS_)
      sum.planes[z] = convk_cuda_total_of_<32>(sum.rows + z, a.nz, a.ny, 0.0);
    __syncthreads();
    if (threadIdx.x == 0) *sum.total = convk_cuda_total_of_<32>(sum.planes + a.first, 1, a.planes, a.more ? *sum.total : 0.0);
  }
}

/* ---- one axis, transposed ---- */

template <class real_> struct convk_cuda_turn_args_ : convk_filters_arguments_<real_> {
  const real_ *in;
  real_ *out;
  convk_cuda_taps_<real_> taps;
};

/* A tile of 32 input rows comes into shared memory along the rows, and is read across them: the lanes of a warp take one
   row each, at an odd pitch, and write side by side. */
template <class real_, int taps_>
static __global__ void __launch_bounds__(CONVK_CUDA_TURN_THREADS_) convk_cuda_turn_(const convk_cuda_turn_args_<real_> a) {
  const int length = CONVK_CUDA_TILE_(taps_), pitch = length + CONVK_CUDA_ROOM_(taps_) - 1, group = CONVK_CUDA_GROUP_;
  const int warps = CONVK_CUDA_TURN_THREADS_ / 32;
  __shared__ real_ tile[CONVK_CUDA_TURN_ROWS_ * pitch];
  const int ntaps = taps_ ? taps_ : (int)a.x.ntaps, lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
  for (size_t t = blockIdx.x; t < a.tiles_x * a.strips; t += gridDim.x) {
    const size_t strip = convk_cuda_divide_(t, a.tiles_x), j0 = strip * CONVK_CUDA_TURN_ROWS_;
    const size_t i0 = (t - strip * a.tiles_x) * (size_t)length;
    const int width = convk_cuda_least_(a.x.m - i0, length), rows = convk_cuda_least_(a.y.n - j0, CONVK_CUDA_TURN_ROWS_);
    const int valid = width + ntaps - 1, read = (width + group - 1) / group * group + ntaps - 1; /* beyond it: zeros */
    for (int c = lane; c < read; c += 32) {
      const size_t from = c < valid ? convk_cuda_source_(a.x, (ptrdiff_t)i0 + c + a.x.shift) : CONVK_NONE_;
      CONVK_CUDA_UNROLL_
      for (int j = warp; j < CONVK_CUDA_TURN_ROWS_; j += warps)
        tile[j * pitch + c] = j >= rows || from == CONVK_NONE_ ? (real_)0 : a.in[(j0 + (size_t)j) * a.in_y + from];
    }
    __syncthreads();
    for (int q = warp * group; q < width; q += warps * group) {
      const real_ *own = tile + lane * pitch + q;
      real_ sum[CONVK_CUDA_GROUP_];
      convk_cuda_group_<taps_, CONVK_CUDA_GROUP_>(
          a.taps.value, ntaps, [&](int k) { return own[k]; }, sum);
      CONVK_CUDA_EACH_(g, group)
        if (lane < rows && q + g < width) a.out[(i0 + (size_t)(q + g)) * a.out_y + j0 + (size_t)lane] = sum[g];
    }
    __syncthreads();
  }
}
#endif
#if CONVK_HAS_WAVELETS_
/* ---- src/wavelets/arguments.h ---- */
#ifndef CONVK_WAVELETS_INCLUDED_
#define CONVK_WAVELETS_INCLUDED_
/* One axis of a level of a wavelet transform.  Of the sequence that is read (dwt_shape.h), part p has those elements that taps
   tap[p] meet: elements q, q + 2, .. for q = odd in part 0 and 1 - odd in part 1.  Pair t sums elements t + from[p] and behind
   of part p, which has n[p].  The fine grid has `fine` points, the coarse one `split` of s and of d; output 2 t + f is point
   first + 2 t + f of the fine grid, or point t of s or d. */
typedef struct convk_wavelets_on_device_ {
  uint64_t n[2], split, fine, pairs;
  int64_t from[2], first;
  int32_t odd, periodic;
} convk_wavelets_on_device_;
#endif
/* What both kernels of a level take. */
CONVK_DEFINE_ARGUMENTS_(wavelets) {
  convk_wavelets_on_device_ x, y, z;
  uint64_t planes, mx, my;                         /* of the input; points of a row, and rows, between both kernels */
  uint64_t in_y, in_z, out_y, out_z, low_y, low_z; /* pitches of the input, the output, and the block sss */
  uint64_t tiles_x, strips, strip;                 /* tiles of a row; strips of y, and pairs of each */
  uint64_t columns, blocks, chunks, chunk;         /* of z: columns, in blocks of threads; chunks, and pairs of each */
  uint64_t in_at, out_at, low_at, mid_at;          /* OpenCL: where arrays begin in their buffers, in elements */
  int32_t synthesis, low;                          /* low: the block sss of the coarse grid lies elsewhere */
  int32_t even, odd, more, unused;                 /* taps of the first filter in parts 0 and 1; of the second more */
};

/* ---- src/wavelets/orbital_arguments.h ---- */
/* What the kernel takes that brings both parts of complex numbers into arrays of their own, `apart` elements apart, or back
   (join): points and pitches of a part, and pitches of the numbers; add: to what the parts are. */
CONVK_DEFINE_ARGUMENTS_(parts) {
  uint64_t nx, ny, nz, pitch_y, pitch_z, whole_y, whole_z, apart;
  uint64_t parts_at, numbers_at; /* OpenCL: where arrays begin in their buffers, in elements of their own */
  uint32_t join, add;
};
/* What kernels of segments take: the grid of segments, half of that of the array along each axis, which is `block` apart along
   each; of coarse and fine segments how many there are and points of the vector, where the fine ones begin behind `fine`. */
CONVK_DEFINE_ARGUMENTS_(segments) {
  uint64_t nx, ny, nz, vectors, pitch_y, pitch_z, block[3], dense_stride, compressed_stride, fine, count[2], points[2];
  uint64_t dense_at, compressed_at, ends_at[2], place_at[2]; /* OpenCL: where arrays begin, in elements of their own */
  uint32_t compress, unused;
};
/* ---- src/wavelets/kernel.cuh ---- */
/* ---- wavelets: y, then x of each plane of a level, then z ---- */

enum {
  CONVK_CUDA_WAVELETS_GROUP_ = 8,     /* pairs of outputs that a thread makes together */
  CONVK_CUDA_WAVELETS_ROWS_ = 32,     /* of a tile: 16 pairs of y */
  CONVK_CUDA_WAVELETS_THREADS_ = 160, /* for the columns of a tile and those of the halo */
  CONVK_CUDA_WAVELETS_Z_THREADS_ = 256
};

/* Blocks of a multiprocessor, at least: as many as find registers without spilling any. */
#define CONVK_CUDA_WAVELETS_BLOCKS_(real_, kind_) ((sizeof(real_) == 4 ? 4 : 3) - ((kind_) > 1))

/* Kernels for so many taps: of the first filter even_ in part 0 (see dwt_arguments.h) and odd_ in part 1, of the second more_;
   of kind 0 for any number of them. */
template <int kind_> struct convk_cuda_wavelets_kind_ {
  enum { even_ = 0, odd_ = 0, more_ = 0, room_ = CONVK_FILTER_MAX_TAPS / 2, pairs_ = 32 };
};
template <> struct convk_cuda_wavelets_kind_<1> {
  enum { even_ = 8, odd_ = 8, more_ = 0, room_ = 8, pairs_ = 64 };
};
template <> struct convk_cuda_wavelets_kind_<2> {
  enum { even_ = 16, odd_ = 15, more_ = 0, room_ = 16, pairs_ = 64 };
};
template <> struct convk_cuda_wavelets_kind_<3> {
  enum { even_ = 15, odd_ = 15, more_ = 1, room_ = 16, pairs_ = 64 };
};

template <class real_> struct convk_cuda_wavelets_args_ : convk_wavelets_arguments_<real_> {
  const real_ *in, *low_in;
  real_ *mid, *out, *low_out; /* mid: mx my planes, packed */
  real_ tap[2][2][CONVK_FILTER_MAX_TAPS / 2];
};

/* The sums of part `part` of group_ pairs: point k is that of the first pair's tap k.  count_ 0: `ntaps`, and `nmore`. */
template <int count_, int more_, int group_, int begins_, class real_, class Load>
CONVK_CUDA_INLINE_ void convk_cuda_wavelets_part_(const real_ (*taps)[CONVK_FILTER_MAX_TAPS / 2], int ntaps, int nmore,
                                                  Load load, real_ (*sum)[group_]) {
  const int count = count_ ? count_ : ntaps, more = count_ ? more_ : nmore;
  real_ x[group_];
  CONVK_CUDA_EACH_(g, group_) {
    x[g] = load(g);
    CONVK_CUDA_EACH_(f, 2)
      sum[f][g] = begins_ ? convk_cuda_mul_(taps[f][0], x[g]) : convk_cuda_fma_(taps[f][0], x[g], sum[f][g]);
  }
  CONVK_CUDA_UNROLL_
  for (int k = 1; k < count + more; k++) {
    CONVK_CUDA_UNROLL_
    for (int g = 0; g + 1 < group_; g++) x[g] = x[g + 1];
    x[group_ - 1] = load(group_ - 1 + k);
    CONVK_CUDA_EACH_(f, 2)
      if (f || k < count) {
        CONVK_CUDA_EACH_(g, group_) sum[f][g] = convk_cuda_fma_(taps[f][k], x[g], sum[f][g]);
      }
  }
}

/* The same of an axis in memory, from pair t on: element i of the part lies at line[i stride]. */
template <int count_, int more_, int group_, int begins_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_wavelets_along_(const convk_wavelets_on_device_ &axis, int part, ptrdiff_t t,
                                                   const real_ (*taps)[CONVK_FILTER_MAX_TAPS / 2], int ntaps, int nmore,
                                                   const real_ *line, size_t stride, real_ (*sum)[group_]) {
  const ptrdiff_t i = t + (ptrdiff_t)axis.from[part], reach = group_ - 1 + (count_ ? count_ + more_ : ntaps + nmore);
  convk_axis_device_ a;
  a.n = axis.n[part];
  a.periodic = axis.periodic;
  if (i >= 0 && i + reach <= (ptrdiff_t)a.n)
    convk_cuda_wavelets_part_<count_, more_, group_, begins_>(taps, ntaps, nmore,
                                                              convk_cuda_inner_points_<real_>(line, stride, i), sum);
  else
    convk_cuda_wavelets_part_<count_, more_, group_, begins_>(taps, ntaps, nmore,
                                                              convk_cuda_any_points_<real_>(a, line, stride, i), sum);
}

/* Where element 0 of the elements with parity q of an axis lies, whose points are so far apart, and how far those are. */
template <class Args>
CONVK_CUDA_INLINE_ size_t convk_cuda_wavelets_begin_(const Args &a, const convk_wavelets_on_device_ &axis, int q,
                                                     size_t pitch) {
  return q ? a.synthesis ? axis.split * pitch : pitch : 0;
}
template <class Args> CONVK_CUDA_INLINE_ size_t convk_cuda_wavelets_step_(const Args &a, size_t pitch) {
  return a.synthesis ? pitch : 2 * pitch;
}

/* The place of output 2 t + f of an axis, or CONVK_NONE_. */
template <class Args>
CONVK_CUDA_INLINE_ size_t convk_cuda_wavelets_place_(const Args &a, const convk_wavelets_on_device_ &axis, size_t t, int f) {
  const ptrdiff_t n = (ptrdiff_t)axis.fine, m = (ptrdiff_t)axis.first + 2 * (ptrdiff_t)t + f;
  if (!a.synthesis) return (f ? axis.split : 0) + t;
  if (m >= 0 && m < n) return (size_t)m;
  return axis.periodic ? (size_t)(m < 0 ? m + n : m - n) : CONVK_NONE_;
}

/* A column of both parts of y, and how far its points are apart. */
template <class real_> struct convk_cuda_wavelets_column_ {
  const real_ *line[2];
  size_t stride[2];
};

/* That at element x of those with parity qx of the rows of plane z. */
template <class real_>
CONVK_CUDA_INLINE_ convk_cuda_wavelets_column_<real_> convk_cuda_wavelets_column_of_(const convk_cuda_wavelets_args_<real_> &a,
                                                                                     size_t x, int qx, size_t z) {
  const int low = a.synthesis && a.low && !qx && z < a.z.split;
  convk_cuda_wavelets_column_<real_> column;
  CONVK_CUDA_EACH_(h, 2) {
    const int q = h ? 1 - a.y.odd : a.y.odd;
    if (low && !q) {
      column.line[h] = a.low_in + z * a.low_z + x;
      column.stride[h] = a.low_y;
    } else {
      column.line[h] = a.in + (z * a.in_z + convk_cuda_wavelets_begin_(a, a.y, q, a.in_y) +
                               convk_cuda_wavelets_begin_(a, a.x, qx, 1) + x * convk_cuda_wavelets_step_(a, 1));
      column.stride[h] = convk_cuda_wavelets_step_(a, a.in_y);
    }
  }
  return column;
}

/* x of eight rows of a tile, which a warp takes from left to right, 32 pairs in a round, a lane eight of them.  Rows have an
   odd pitch, so the lanes of a half warp (eight rows, two groups) meet 16 different pairs of banks.  rows: those from the first
   of the eight on; width: pairs of the tile, the first of which is t0; output `row` of y is the first of the rows. */
template <class real_, int kind_>
CONVK_CUDA_INLINE_ void convk_cuda_wavelets_rows_(const convk_cuda_wavelets_args_<real_> &a, real_ *tile, int rows, int width,
                                                  size_t t0, size_t row, size_t z) {
  typedef convk_cuda_wavelets_kind_<kind_> kind;
  const int part = kind::pairs_ + kind::room_ - 1, pitch = 2 * part | 1, group = CONVK_CUDA_WAVELETS_GROUP_;
  const int more = kind_ ? kind::more_ : a.more, even = kind_ ? kind::even_ : a.even, odd = kind_ ? kind::odd_ : a.odd;
  const int lane = (int)threadIdx.x % 32;
  CONVK_CUDA_UNROLL_BY_(1)
  for (int c0 = 0; c0 < kind::pairs_; c0 += 32) {
    const int mine = rows > 0 && c0 < width;
    real_ *own = tile + lane % 8 * pitch + c0 + lane / 8 * group;
    real_ sum[2][CONVK_CUDA_WAVELETS_GROUP_];
    if (mine) {
      convk_cuda_wavelets_part_<kind::even_, kind::more_, CONVK_CUDA_WAVELETS_GROUP_, 1>(
          a.tap[0], even, more, [&](int i) { return own[i]; }, sum);
      convk_cuda_wavelets_part_<kind::odd_, kind::more_, CONVK_CUDA_WAVELETS_GROUP_, 0>(
          a.tap[1], odd, more, [&](int i) { return own[part + i]; }, sum);
    }
    CONVK_CUDA_WARP_SYNC_();
    if (!mine) continue; /* a whole warp, which meets the others at the next barrier */
    CONVK_CUDA_EACH_(g, group) {
      own[g] = sum[0][g];
      own[part + g] = sum[1][g];
    }
    CONVK_CUDA_WARP_SYNC_();
    CONVK_CUDA_EACH_(h, 2) { /* 32 outputs of s and of d, or twice 32 points side by side */
      const int f = a.synthesis ? lane % 2 : h, c = c0 + (a.synthesis ? 16 * h + lane / 2 : lane);
      const size_t x = c < width ? convk_cuda_wavelets_place_(a, a.x, t0 + (size_t)c, f) : CONVK_NONE_;
      const real_ *from = tile + f * part + c;
      if (x == CONVK_NONE_) continue;
      for (int r = 0; r < 8 && r < rows; r++) {
        const size_t y = convk_cuda_wavelets_place_(a, a.y, (row + (size_t)r) / 2, r % 2);
        if (y != CONVK_NONE_) a.mid[(z * a.my + y) * a.mx + x] = from[r * pitch];
      }
    }
  }
}

/* A block goes down a strip of one plane, tile by tile.  A tile keeps the two parts of a row apart; pair t of x then reads both
   from place t on, and its outputs take place t in both, when nobody needs what was there any more.  Threads march down
   columns, then each warp has eight rows. */
template <class real_, int kind_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_WAVELETS_THREADS_, CONVK_CUDA_WAVELETS_BLOCKS_(real_, kind_))
    convk_cuda_wavelets_xy_(const convk_cuda_wavelets_args_<real_> a) {
  typedef convk_cuda_wavelets_kind_<kind_> kind;
  const int pairs_x = kind::pairs_, part = kind::pairs_ + kind::room_ - 1, pitch = 2 * part | 1;
  const int down = sizeof(real_) == 8 ? 4 : CONVK_CUDA_WAVELETS_GROUP_; /* pairs of y at once: more doubles find no registers */
  const int more = kind_ ? kind::more_ : a.more, even = kind_ ? kind::even_ : a.even, odd = kind_ ? kind::odd_ : a.odd;
  __shared__ real_ tile[CONVK_CUDA_WAVELETS_ROWS_ * pitch];
  const int thread = (int)threadIdx.x, r0 = thread / 32 * 8;
  /* neighbours in memory are neighbours among threads: of a synthesis within a part */
  const int p = a.synthesis ? thread >= part : thread % 2, k = a.synthesis ? thread - p * part : thread / 2;
  const int busy = thread < 2 * part;
  const size_t plane = a.tiles_x * a.strips, tasks = plane * a.planes;
  for (size_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const size_t z = convk_cuda_divide_(task, plane), in_plane = task - z * plane;
    const size_t strip = convk_cuda_divide_(in_plane, a.tiles_x), t0 = (in_plane - strip * a.tiles_x) * (size_t)pairs_x;
    const size_t begin = strip * a.strip, end = a.y.pairs - begin < a.strip ? a.y.pairs : begin + a.strip;
    const int width = convk_cuda_least_(a.x.pairs - t0, pairs_x);
    convk_axis_device_ ax;
    ax.n = a.x.n[p];
    ax.periodic = a.x.periodic;
    const size_t x = busy && k < width + (p ? odd : even) + more - 1
                         ? convk_cuda_source_(ax, (ptrdiff_t)t0 + k + (ptrdiff_t)a.x.from[p])
                         : CONVK_NONE_; /* beyond the last: zeros */
    const convk_cuda_wavelets_column_<real_> column =
        convk_cuda_wavelets_column_of_(a, x == CONVK_NONE_ ? 0 : x, p ? 1 - a.x.odd : a.x.odd, z);
    for (size_t y = begin; y < end; y += CONVK_CUDA_WAVELETS_ROWS_ / 2) {
      const int rows = 2 * convk_cuda_least_(end - y, CONVK_CUDA_WAVELETS_ROWS_ / 2);
      CONVK_CUDA_UNROLL_BY_(1)
      for (int r = 0; r < (busy ? rows : 0); r += 2 * down) {
        real_ sum[2][down];
        if (x != CONVK_NONE_) {
          const ptrdiff_t t = (ptrdiff_t)y + r / 2;
          convk_cuda_wavelets_along_<kind::even_, kind::more_, down, 1>(a.y, 0, t, a.tap[0], even, more, column.line[0],
                                                                        column.stride[0], sum);
          convk_cuda_wavelets_along_<kind::odd_, kind::more_, down, 0>(a.y, 1, t, a.tap[1], odd, more, column.line[1],
                                                                       column.stride[1], sum);
        } else {
          CONVK_CUDA_EACH_(g, down) sum[0][g] = sum[1][g] = 0;
        }
        real_ *to = tile + r * pitch + p * part + k;
        CONVK_CUDA_EACH_(g, down) {
          to[2 * g * pitch] = sum[0][g];
          to[(2 * g + 1) * pitch] = sum[1][g];
        }
      }
      __syncthreads();
      convk_cuda_wavelets_rows_<real_, kind_>(a, tile + r0 * pitch, rows - r0, width, t0, 2 * y + (size_t)r0, z);
      __syncthreads();
    }
  }
}

/* A thread takes a column of one chunk of z; columns are counted through rows, so that short rows leave no thread idle. */
template <class real_, int kind_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_WAVELETS_Z_THREADS_, 2)
    convk_cuda_wavelets_z_(const convk_cuda_wavelets_args_<real_> a) {
  typedef convk_cuda_wavelets_kind_<kind_> kind;
  const int group = CONVK_CUDA_WAVELETS_GROUP_;
  const int more = kind_ ? kind::more_ : a.more, even = kind_ ? kind::even_ : a.even, odd = kind_ ? kind::odd_ : a.odd;
  const size_t tasks = a.blocks * a.chunks, step = convk_cuda_wavelets_step_(a, a.columns);
  for (size_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const size_t chunk = convk_cuda_divide_(task, a.blocks), begin = chunk * a.chunk;
    const size_t end = a.z.pairs - begin < a.chunk ? a.z.pairs : begin + a.chunk;
    const size_t column = (task - chunk * a.blocks) * CONVK_CUDA_WAVELETS_Z_THREADS_ + threadIdx.x;
    if (column >= a.columns) continue;
    const size_t y = convk_cuda_divide_(column, a.mx), x = column - y * a.mx;
    const int low = a.low && !a.synthesis && x < a.x.split && y < a.y.split;
    const real_ *const part0 = a.mid + column + convk_cuda_wavelets_begin_(a, a.z, a.z.odd, a.columns);
    const real_ *const part1 = a.mid + column + convk_cuda_wavelets_begin_(a, a.z, 1 - a.z.odd, a.columns);
    real_ *const to = a.out + y * a.out_y + x, *const to_s = low ? a.low_out + y * a.low_y + x : to;
    const size_t pitch_s = low ? a.low_z : a.out_z; /* of s, or of what is even */
    CONVK_CUDA_UNROLL_BY_(1)
    for (size_t t = begin; t < end; t += (size_t)group) {
      real_ sum[2][CONVK_CUDA_WAVELETS_GROUP_];
      convk_cuda_wavelets_along_<kind::even_, kind::more_, CONVK_CUDA_WAVELETS_GROUP_, 1>(a.z, 0, (ptrdiff_t)t, a.tap[0], even,
                                                                                          more, part0, step, sum);
      convk_cuda_wavelets_along_<kind::odd_, kind::more_, CONVK_CUDA_WAVELETS_GROUP_, 0>(a.z, 1, (ptrdiff_t)t, a.tap[1], odd,
                                                                                         more, part1, step, sum);
      CONVK_CUDA_EACH_(g, group) {
        const size_t pair = t + (size_t)g;
        const size_t s = pair < end ? convk_cuda_wavelets_place_(a, a.z, pair, 0) : CONVK_NONE_;
        const size_t d = pair < end ? convk_cuda_wavelets_place_(a, a.z, pair, 1) : CONVK_NONE_;
        if (s != CONVK_NONE_) to_s[s * pitch_s] = sum[0][g];
        if (d != CONVK_NONE_) to[d * a.out_z] = sum[1][g];
      }
    }
  }
}

/* ---- src/wavelets/orbital_kernel.cuh ---- */
/* ---- orbitals: both parts of complex numbers, and segments ---- */

#define CONVK_ELEMENT_ CONVK_CUDA_INLINE_
/* ---- src/wavelets/segments_element.h ---- */
#ifdef CONVK_GLOBAL_ /* a word of OpenCL */
#define CONVK_GLOBAL_CONST_ CONVK_GLOBAL_ const
#else
#define CONVK_GLOBAL_CONST_ const
#endif

/* Where `count` segments have point p of the grid: its place among so many points of the vector, or -1. */
CONVK_ELEMENT_ int64_t convk_segments_at_(CONVK_GLOBAL_CONST_ uint64_t *ends, CONVK_GLOBAL_CONST_ uint64_t *place,
                                          uint64_t count, uint64_t points, uint64_t p) {
  uint64_t low = 0, high = count, at; /* the last one that begins at p or before is one of these, if any */
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (ends[2 * middle] <= p) low = middle + 1;
    else high = middle;
  }
  if (!low || ends[2 * low - 1] < p) return -1;
  at = place[low - 1] + (p - ends[2 * low - 2]);
  return at < points ? (int64_t)at : -1;
}
#undef CONVK_GLOBAL_CONST_
#undef CONVK_ELEMENT_

enum { CONVK_CUDA_ORBITAL_THREADS_ = 256 };

template <class real_> struct convk_cuda_parts_args_ : convk_parts_arguments_<real_> {
  real_ *parts;
  const real_ *in;
  real_ *numbers;
};

/* A thread takes one complex number. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_ORBITAL_THREADS_)
    convk_cuda_complex_parts_(const convk_cuda_parts_args_<real_> a) {
  const size_t points = a.nx * a.ny * a.nz;
  CONVK_CUDA_EVERY_(t, points, CONVK_CUDA_ORBITAL_THREADS_) {
    const size_t row = convk_cuda_divide_(t, a.nx), z = convk_cuda_divide_(row, a.ny), x = t - row * a.nx, y = row - z * a.ny;
    const size_t offset = 2 * (x + y * a.whole_y + z * a.whole_z);
    real_ *const re = a.parts + (x + y * a.pitch_y + z * a.pitch_z), *const im = re + a.apart;
    if (a.join) {
      a.numbers[offset] = *re;
      a.numbers[offset + 1] = *im;
    } else if (a.add) {
      *re = convk_cuda_add_(a.in[offset], *re);
      *im = convk_cuda_add_(a.in[offset + 1], *im);
    } else {
      *re = a.in[offset];
      *im = a.in[offset + 1];
    }
  }
}

template <class real_> struct convk_cuda_segments_args_ : convk_segments_arguments_<real_> {
  real_ *compressed, *dense;
  const uint64_t *ends[2], *place[2];
};

/* A thread takes one point of the grid of segments, and the eight elements of the array that it has. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_ORBITAL_THREADS_)
    convk_cuda_orbital_segments_(const convk_cuda_segments_args_<real_> a) {
  const size_t points = a.nx * a.ny * a.nz * a.vectors;
  CONVK_CUDA_EVERY_(t, points, CONVK_CUDA_ORBITAL_THREADS_) {
    const size_t row = convk_cuda_divide_(t, a.nx), plane = convk_cuda_divide_(row, a.ny), x = t - row * a.nx;
    const size_t vector = convk_cuda_divide_(plane, a.nz), y = row - plane * a.ny, z = plane - vector * a.nz;
    const uint64_t p = x + a.nx * (y + a.ny * z);
    const int64_t coarse = convk_segments_at_(a.ends[0], a.place[0], a.count[0], a.points[0], p);
    const int64_t fine = convk_segments_at_(a.ends[1], a.place[1], a.count[1], a.points[1], p);
    real_ *const to = a.dense + (vector * a.dense_stride + x + y * a.pitch_y + z * a.pitch_z);
    real_ *const of = a.compressed + vector * a.compressed_stride;
    CONVK_CUDA_EACH_(k, 8) {
      const size_t block = (k & 1 ? a.block[0] : 0) + (k & 2 ? a.block[1] : 0) + (k & 4 ? a.block[2] : 0);
      const int64_t at = k == 0 ? coarse : fine < 0 ? -1 : (int64_t)a.fine + 7 * fine + (k - 1);
      if (!a.compress) to[block] = at < 0 ? (real_)0 : of[at];
      else if (at >= 0) of[at] = to[block];
    }
  }
}
#endif
#if CONVK_HAS_SUMS_
/* ---- src/sums/arguments.h ---- */
#ifndef CONVK_SUMS_AXIS_INCLUDED_
#define CONVK_SUMS_AXIS_INCLUDED_
/* An axis of sums of filters: n points in, `pitch` elements apart, m points out, the first of which is point `origin` of those
   that come in; the filter and that times i, or of products that of a first derivative; what it is multiplied by from one
   period to the next, as the bits of doubles. */
typedef struct convk_sums_axis_device_ {
  uint64_t n, m, pitch;
  int64_t origin, lo[2];
  uint64_t phase[2];
  uint32_t ntaps[2];
  int32_t periodic, turns;
} convk_sums_axis_device_;

/* What there is besides filters: `has` of the struct below.  Mixed terms: of yz, and the next two bits. */
#define CONVK_SUMS_HAS_MIXED_ 1
#define CONVK_SUMS_HAS_IMAG_ 8
#define CONVK_SUMS_HAS_V_ 16
#define CONVK_SUMS_HAS_X_ 32
#define CONVK_SUMS_HAS_ADD_ 64
#define CONVK_SUMS_HAS_OUT_ 128

/* Sums of a row before some of them join: <x|y>, its imaginary part, <x|V|x>, <y|y>; <x| of the filter of each axis; of those
   times i; of mixed terms. */
#define CONVK_SUMS_PARTS_ 13
#endif
/* What kernels of sums of filters take.  Elements are complex numbers where the array has such. */
CONVK_DEFINE_ARGUMENTS_(sums) {
  convk_sums_axis_device_ x, y, z;
  uint64_t in_v, out_y, out_z, out_v, add_y, add_z, add_v;         /* strides of vectors, pitches of output and `add` */
  uint64_t potential_y, potential_z;                               /* pitches of the potential, which all vectors share */
  uint64_t vectors, columns, tiles_x, tiles_y, chunk, chunks;      /* items of a plane; tiles; planes of a chunk */
  uint64_t in_at, out_at, potential_at, add_at, mixed_at, rows_at; /* OpenCL: where arrays begin, in real numbers */
  uint32_t has, along;                                             /* along: the axis of a filter that is alone */
  CONVK_ARGUMENT_T_ mixed[3], potential_factor, shift, add_factor;
};
/* ---- src/sums/kernel.cuh ---- */
/* ---- sums of filters ---- */

enum { CONVK_CUDA_SUMS_THREADS_ = 256, CONVK_CUDA_SUMS_THREADS_LEAST_ = 64 }; /* of a block; of one of few */

template <class real_> struct convk_cuda_sums_args_ : convk_sums_arguments_<real_> {
  const real_ *in, *products, *potential, *add; /* products: mixed terms, packed, one after another */
  real_ *out;
  double *rows; /* of each vector 8 sums, of each of them rows, y after y: z fastest; NULL: none */
  convk_cuda_taps_<real_> taps[3], imag[3];
};

template <class real_> struct convk_cuda_along_args_ : convk_sums_arguments_<real_> {
  const real_ *in;
  real_ *out;
  convk_cuda_taps_<real_> taps;
};

/* Point i of an axis that goes on beyond its ends: where it is in the array, and how many periods below; or nowhere. */
CONVK_CUDA_INLINE_ bool convk_cuda_sums_source_(const convk_sums_axis_device_ &axis, int64_t &i, int64_t &up) {
  const int64_t n = (int64_t)axis.n;
  up = 0;
  if (i >= 0 && i < n) return true;
  if (!axis.periodic) return false;
  up = i >= 0 ? i / n : -((n - 1 - i) / n);
  i -= up * n;
  return true;
}

/* p times what the array is multiplied by so many periods up. */
CONVK_CUDA_INLINE_ void convk_cuda_sums_turn_(const convk_sums_axis_device_ &axis, int64_t up, double *p) {
  const double re = convk_cuda_real_(axis.phase[0]), along = convk_cuda_real_(axis.phase[1]), im = up < 0 ? -along : along;
  if (!axis.turns) return;
  for (int64_t k = up < 0 ? -up : up; k > 0; k--) {
    const double was = p[0];
    p[0] = convk_cuda_sub_(convk_cuda_mul_(was, re), convk_cuda_mul_(p[1], im));
    p[1] = convk_cuda_add_(convk_cuda_mul_(was, im), convk_cuda_mul_(p[1], re));
  }
}

/* A filter along axis f from point i on, at points j and k of the others: the sum over taps in ascending order, which begins
   with 0 where `zero` says so, and else with the first product. */
template <int step_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_sums_along_(const convk_sums_axis_device_ &f, const convk_sums_axis_device_ &g,
                                               const convk_sums_axis_device_ &h, int64_t i, int64_t j, int64_t k, int kind,
                                               bool zero, const real_ *in, const real_ *taps, real_ *sum) {
  const int ntaps = (int)f.ntaps[kind];
  int64_t up_g, up_h, up;
  CONVK_CUDA_EACH_(s, step_) sum[s] = 0;
  if (!convk_cuda_sums_source_(g, j, up_g) || !convk_cuda_sums_source_(h, k, up_h)) return;
  in += ((uint64_t)j * g.pitch + (uint64_t)k * h.pitch) * step_;
  i += f.lo[kind];
  if (i >= 0 && i + ntaps <= (int64_t)f.n && !up_g && !up_h) { /* most points: no end in sight */
    in += (uint64_t)i * f.pitch * step_;
    CONVK_CUDA_UNROLL_BY_(4)
    for (int t = 0; t < ntaps; t++, in += f.pitch * step_) {
      CONVK_CUDA_EACH_(s, step_) sum[s] = t || zero ? convk_cuda_fma_(taps[t], in[s], sum[s]) : convk_cuda_mul_(taps[t], in[s]);
    }
    return;
  }
  CONVK_CUDA_UNROLL_BY_(1)
  for (int t = 0; t < ntaps; t++) {
    int64_t at = i + t;
    real_ v[step_];
    if (convk_cuda_sums_source_(f, at, up)) {
      CONVK_CUDA_EACH_(s, step_) v[s] = in[(uint64_t)at * f.pitch * step_ + (unsigned)s];
      if (step_ == 2 && ((up && f.turns) || (up_g && g.turns) || (up_h && h.turns))) {
        const real_ a = v[0], b = v[step_ - 1];
        double p[2] = {1, 0};
        convk_cuda_sums_turn_(g, up_g, p);
        convk_cuda_sums_turn_(h, up_h, p);
        convk_cuda_sums_turn_(f, up, p);
        const real_ re = (real_)p[0], im = (real_)p[1];
        v[0] = convk_cuda_fma_(-im, b, convk_cuda_mul_(re, a));
        v[step_ - 1] = convk_cuda_fma_(im, a, convk_cuda_mul_(re, b));
      }
    } else {
      CONVK_CUDA_EACH_(s, step_) v[s] = 0;
    }
    CONVK_CUDA_EACH_(s, step_) sum[s] = t || zero ? convk_cuda_fma_(taps[t], v[s], sum[s]) : convk_cuda_mul_(taps[t], v[s]);
  }
}

/* One filter alone, into a packed array: half of a mixed term.  Of axes y and z those that may wrap come in this order. */
template <class real_, int step_>
static __global__ void __launch_bounds__(CONVK_CUDA_SUMS_THREADS_)
    convk_cuda_sums_single_(const convk_cuda_along_args_<real_> a) {
  const size_t points = a.x.m * a.y.m * a.z.m;
  CONVK_CUDA_EVERY_(t, points, CONVK_CUDA_SUMS_THREADS_) {
    const size_t row = convk_cuda_divide_(t, a.x.m), z = convk_cuda_divide_(row, a.y.m);
    const int64_t i = (int64_t)(t - row * a.x.m) + a.x.origin, j = (int64_t)(row - z * a.y.m) + a.y.origin;
    const int64_t k = (int64_t)z + a.z.origin;
    real_ sum[step_];
    if (a.along == 0) convk_cuda_sums_along_<step_>(a.x, a.y, a.z, i, j, k, 0, true, a.in, a.taps.value, sum);
    else if (a.along == 1) convk_cuda_sums_along_<step_>(a.y, a.x, a.z, j, i, k, 0, false, a.in, a.taps.value, sum);
    else convk_cuda_sums_along_<step_>(a.z, a.x, a.y, k, i, j, 0, false, a.in, a.taps.value, sum);
    CONVK_CUDA_EACH_(s, step_) a.out[t * step_ + (unsigned)s] = sum[s];
  }
}

/* ---- bricks: all but halves of mixed terms ---- */

/* Places in a vector: of filters of one reach they have 31 bits. */
template <int reach_> struct convk_cuda_sums_index_ { typedef int type; };
template <> struct convk_cuda_sums_index_<0> { typedef int64_t type; };

/* Filters of `ntaps` taps at count_ numbers, one after another, of each of some lines, all at once: sums over taps in ascending
   order, which begin with 0 where `zero` says so, and else with the first product.  load(l, k): number k that they see of line
   l; kinds_: two filters of one reach. */
template <int lines_, int count_, int kinds_, int unroll_, class real_, class Load>
CONVK_CUDA_INLINE_ void convk_cuda_sums_filter_(const real_ *taps, const real_ *imag, int ntaps, bool zero, Load load,
                                                real_ (*sum)[lines_][count_]) {
  real_ v[lines_][count_];
  CONVK_CUDA_EACH_(l, lines_) {
    CONVK_CUDA_EACH_(i, count_ - 1) v[l][i] = load(l, i);
  }
  CONVK_CUDA_UNROLL_BY_(unroll_)
  for (int k = 0; k < ntaps; k++) {
    CONVK_CUDA_EACH_(l, lines_) {
      v[l][count_ - 1] = load(l, k + count_ - 1);
      CONVK_CUDA_EACH_(q, kinds_) {
        const real_ tap = q ? imag[k] : taps[k];
        CONVK_CUDA_EACH_(i, count_)
          sum[q][l][i] = k      ? convk_cuda_fma_(tap, v[l][i], sum[q][l][i])
                         : zero ? convk_cuda_fma_(tap, v[l][i], (real_)0)
                                : convk_cuda_mul_(tap, v[l][i]);
      }
      CONVK_CUDA_EACH_(i, count_ - 1) v[l][i] = v[l][i + 1];
    }
  }
}

/* Lanes side by side go along x, each with a brick of rows and planes, whose numbers of y and z it has in registers while it
   uses them; those of x are in the cache.  reach_: how far all filters reach to both sides, or 0: any filters.  sums_: with
   sums; a lane has the same ones of the 16 of a row as on processors.  imag_: with filters times i.
   What registers allow: of f64 with six sums of 8 numbers 112 of 255 are for these. */
template <class real_, int step_, int reach_, int sums_, int imag_> struct convk_cuda_sums_brick_ {
  typedef typename convk_cuda_sums_index_<reach_>::type index;
  enum {
    staged_ = step_ == 1 && reach_ > 4,                /* lines of x go through shared memory */
    lanes_ = sums_ || !reach_ || reach_ > 4 ? 16 : 32, /* those of long filters fill the cache */
    rows_ = sums_ || imag_ || !reach_ || reach_ > 4 || sizeof(real_) == 8 ? 2 : 4,
    planes_ = !reach_ || (sums_ && imag_) ? 2 : 4,
    beside_ = CONVK_CUDA_SUMS_THREADS_LEAST_ / lanes_, /* bricks of a block along y: of others that lie along z */
    kinds_ = imag_ ? 2 : 1,
    taps_ = 2 * reach_ + 1,
    unrolled_ = (sums_ || imag_) && reach_ > 4 ? 8 : taps_, /* all at once would want more registers than there are */
    lines_ = rows_ * planes_,
    ring_ = 3 * lanes_, /* numbers of a line: before the lanes, theirs, and behind them */
    stage_ = staged_ ? lines_ * ring_ + (sizeof(real_) == 4 ? 16 : 0) : 0 /* of both halves of a warp in different banks */
  };
  const convk_cuda_sums_args_<real_> &a;
  const real_ *in; /* of the vector */
  real_ *out;
  unsigned vector;
  index y, z; /* its first row, in the output's coordinates */
  int lane;
  real_ *stage; /* rings of its lines */
  int front;    /* where in these the numbers before the lanes begin */
  double sum[CONVK_SUMS_PARTS_][planes_][rows_];

  /* Number k of a line along an axis, which begins at `first`, of what goes on beyond its ends; there: it is in the array.  Of
     filters of one reach an axis has enough points that they wrap once. */
  __device__ __forceinline__ real_ find(const convk_sums_axis_device_ &axis, index first, index pitch, index k,
                                        bool there) const {
    int64_t up = 0;
    if (reach_) {
      const index n = (index)axis.n;
      up = k < 0 ? -1 : k >= n;
      if (up && !axis.periodic) return (real_)0;
      k += k < 0 ? n : k >= n ? -n : 0;
      if (k >= n) k = 0; /* for rows that there are not */
    } else {
      int64_t i = k;
      if (!convk_cuda_sums_source_(axis, i, up)) return (real_)0;
      k = (index)i;
    }
    if (!there) return (real_)0;
    const int s = lane % step_;
    const real_ *const from = in + (first + k * pitch);
    if (step_ == 1 || !up || !axis.turns) return *from;
    double p[2] = {1, 0};
    convk_cuda_sums_turn_(axis, up, p);
    const real_ re = (real_)p[0], im = s ? (real_)p[1] : -(real_)p[1];
    return convk_cuda_fma_(im, from[s ? -1 : 1], convk_cuda_mul_(re, *from));
  }

  /* A filter of axis d_, or two of them, at count_ numbers of each of some lines, from number i on.  begin(l): where line l
     begins, or where it sees no end, its number i; there(l): whether it is in the array; keep(l, k, v): v, or what is known to
     be number k of those that the filters see. */
  template <bool inner_, int d_, int lines_, int count_, class Begin, class There, class Keep>
  __device__ __forceinline__ void along(const convk_sums_axis_device_ &axis, index pitch, index i, Begin begin, There there,
                                        Keep keep, real_ (*to)[lines_][count_]) const {
    const bool side = inner_ && d_ == 0; /* all of a line by one address */
    CONVK_CUDA_EACH_(q, kinds_) {
      CONVK_CUDA_EACH_(l, lines_) {
        CONVK_CUDA_EACH_(k, count_) to[q][l][k] = 0;
      }
    }
    CONVK_CUDA_EACH_(q, reach_ ? 1 : kinds_) {
      const index lo = reach_ ? -reach_ : (index)axis.lo[q], first = inner_ ? lo * pitch : 0;
      const real_ *from[lines_];
      index at[lines_];
      CONVK_CUDA_EACH_(l, lines_) {
        from[l] = side ? in + begin(l) : in;
        at[l] = side ? first : begin(l) + first;
      }
      const auto load = [&](int l, int k) {
        const index now = inner_ ? at[l] : 0;
        at[l] += inner_ ? pitch : 0;
        return keep(l, k, inner_ ? from[l][now] : find(axis, at[l], pitch, i + lo + k, there(l)));
      };
      if (reach_)
        convk_cuda_sums_filter_<lines_, count_, reach_ ? kinds_ : 1, inner_ ? unrolled_ : 1>(a.taps[d_].value, a.imag[d_].value,
                                                                                             taps_, d_ == 0, load, to);
      else if (axis.ntaps[q])
        convk_cuda_sums_filter_<lines_, count_, 1, inner_ ? 4 : 1>(q ? a.imag[d_].value : a.taps[d_].value, (const real_ *)NULL,
                                                                   (int)axis.ntaps[q], d_ == 0, load, to + q);
    }
    if (imag_ && !axis.ntaps[1]) {
      CONVK_CUDA_EACH_(l, lines_) {
        CONVK_CUDA_EACH_(k, count_) to[kinds_ - 1][l][k] = 0;
      }
    }
  }

  /* Where place `from` of a line's ring is; those of four lines lie in different banks. */
  __device__ __forceinline__ real_ &staged(int line, int from) const {
    from += line % 4;
    return stage[line * ring_ + (from < ring_ ? from : from - ring_)];
  }
  /* Numbers x of all lines, or of those beyond their ends what a filter sees, to a place of their rings.  j, k: of the first
     one. */
  __device__ __forceinline__ void bring(index x, index j, index k, int to) const {
    const index py = (index)a.y.pitch, pz = (index)a.z.pitch, n = (index)a.x.n;
    x = x < -reach_ ? -reach_ : x < n + reach_ ? x : n + reach_ - 1;
    real_ v[lines_];
    CONVK_CUDA_EACH_(l, lines_) {
      const index r = j + l % rows_, p = k + l / rows_;
      v[l] = find(a.x, r * py + p * pz, 1, x, r < (index)a.y.n && p < (index)a.z.n);
    }
    CONVK_CUDA_EACH_(l, lines_) staged(l, to) = v[l];
  }
  /* Filters of x: a lane takes four numbers side by side of every fourth line; then four lanes exchange theirs. */
  __device__ __forceinline__ void sideways(real_ (*to)[1]) const {
    const int line = lane % 4, from = front + lanes_ - reach_ + lane / 4 * 4 + line, turn = ring_ - from;
    const real_ *const low = stage + line * ring_ + from, *const high = low - ring_;
    real_ v[1][(lines_ + 3) / 4][4];
    convk_cuda_sums_filter_<(lines_ + 3) / 4, 4, 1, taps_>(
        a.taps[0].value, (const real_ *)NULL, taps_, true,
        [&](int l, int k) { return (k < turn ? low : high)[4 * l * ring_ + k]; }, v);
    CONVK_CUDA_EACH_(l, (lines_ + 3) / 4) {
      CONVK_CUDA_EACH_(half, 2) {
        const int bit = half + 1;
        const bool second = (lane & bit) != 0;
        CONVK_CUDA_EACH_(m, 2) {
          real_ &a_half = v[0][l][half ? m : 2 * m], &b_half = v[0][l][(half ? m : 2 * m) + bit];
          const real_ other = CONVK_CUDA_SHUFFLE_XOR_(second ? a_half : b_half, bit);
          a_half = second ? other : a_half;
          b_half = second ? b_half : other;
        }
      }
      CONVK_CUDA_EACH_(i, 4) to[4 * l + i][0] = v[0][l][i];
    }
  }

  /* Whether filters see no end from points first ... last of an axis. */
  __device__ __forceinline__ bool inside(const convk_sums_axis_device_ &axis, index first, index last) const {
    index low = reach_, high = reach_;
    CONVK_CUDA_EACH_(q, reach_ ? 0 : kinds_) {
      const index lo = (index)axis.lo[q], up = lo + (index)axis.ntaps[q] - 1;
      low = -lo > low ? -lo : low;
      high = up > high ? up : high;
    }
    return first + (index)axis.origin >= low && last + (index)axis.origin + high < (index)axis.n && last < (index)axis.m;
  }

  /* Filters of y and z, and what is multiplied by V: of_y, of_z, own. */
  template <bool inner_>
  __device__ __forceinline__ void columns(index i, index j, index k, real_ (*own)[rows_], real_ (*of_y)[planes_][rows_],
                                          real_ (*of_z)[rows_][planes_]) const {
    const index py = convk_cuda_anew_((index)a.y.pitch * step_), pz = convk_cuda_anew_((index)a.z.pitch * step_);
    const index first = i * step_ + lane % step_, here = first + j * py + k * pz;
    const bool known = inner_ && reach_ && unrolled_ == taps_, in_x = inner_ || (uint64_t)i < a.x.n;
    const auto in_y = [&](int r) { return inner_ || (uint64_t)(j + r) < a.y.n; };
    const auto in_z = [&](int p) { return inner_ || (uint64_t)(k + p) < a.z.n; };
    along<inner_, 2>(
        a.z, pz, k, [&](int r) { return inner_ ? here + r * py : first + (j + r) * py; },
        [&](int r) { return in_x && in_y(r); },
        [&](int r, int seen, real_ v) {
          if (known && seen >= reach_ && seen < reach_ + planes_) own[seen - reach_][r] = v;
          return v;
        },
        of_z);
    if (!known) {
      CONVK_CUDA_EACH_(p, planes_) {
        CONVK_CUDA_EACH_(r, rows_) own[p][r] = in_x && in_y(r) && in_z(p) ? in[here + r * py + p * pz] : (real_)0;
      }
    }
    along<inner_, 1>(
        a.y, py, j, [&](int p) { return inner_ ? here + p * pz : first + (k + p) * pz; },
        [&](int p) { return in_x && in_z(p); },
        [&](int p, int seen, real_ v) { return known && seen >= reach_ && seen < reach_ + rows_ ? own[p][seen - reach_] : v; },
        of_y);
  }

  /* Filters of x from the cache. */
  template <bool inner_>
  __device__ __forceinline__ void across(index i, index j, index k, real_ (*own)[rows_], real_ (*of_x)[lines_][1]) const {
    const index py = (index)a.y.pitch * step_, pz = (index)a.z.pitch * step_;
    const index row = lane % step_ + j * py + k * pz + (inner_ ? i * step_ : 0);
    along<inner_, 0>(
        a.x, step_, i, [&](int l) { return row + l % rows_ * py + l / rows_ * pz; },
        [&](int l) { return inner_ || ((uint64_t)(j + l % rows_) < a.y.n && (uint64_t)(k + l / rows_) < a.z.n); },
        [&](int l, int seen, real_ v) { return inner_ && reach_ && seen == reach_ ? own[l / rows_][l % rows_] : v; }, of_x);
  }

  /* Numbers at point x of the lane's row.  active: there is such a point; inside: filters of y and z, and of x, see no end;
     ahead: the point that comes to the lines. */
  __device__ __forceinline__ void go(index x, bool active, bool inside, bool inside_x, index ahead) {
    const index i = x + (index)a.x.origin, j = y + (index)a.y.origin, k = z + (index)a.z.origin;
    real_ own[planes_][rows_], of_x[kinds_][lines_][1], of_y[kinds_][planes_][rows_], of_z[kinds_][rows_][planes_];
    real_ weight[planes_][rows_], added[planes_][rows_];
    if (staged_) bring(ahead, j, k, front + 2 * lanes_ < ring_ ? front + 2 * lanes_ + lane : front - lanes_ + lane);
    if (inside) columns<true>(i, j, k, own, of_y, of_z);
    else columns<false>(i, j, k, own, of_y, of_z);
    if (staged_) {
      CONVK_CUDA_WARP_SYNC_();
      sideways(of_x[0]);
      CONVK_CUDA_WARP_SYNC_(); /* numbers that no lane sends another one may be read late */
      front = front + lanes_ < ring_ ? front + lanes_ : 0;
    } else if (inside_x) {
      across<true>(i, j, k, own, of_x);
    } else {
      across<false>(i, j, k, own, of_x);
    }
    bring_terms(x, active, weight, added);
    CONVK_CUDA_EACH_(p, planes_) {
      CONVK_CUDA_EACH_(r, rows_)
        finish(x, p, r, is_there(active, p, r), own[p][r], weight[p][r], added[p][r], of_x[0][p * rows_ + r][0], of_y[0][p][r],
               of_z[0][r][p], of_x[kinds_ - 1][p * rows_ + r][0], of_y[kinds_ - 1][p][r], of_z[kinds_ - 1][r][p]);
    }
  }

  __device__ __forceinline__ bool is_there(bool active, int p, int r) const {
    return active && y + r < (index)a.y.m && z + p < (index)a.z.m;
  }
  /* Potentials and what is added, of all numbers before the first result is stored: behind that, each load would wait for the
     one before.  Rows and planes are made anew, since few registers are left. */
  __device__ __forceinline__ void bring_terms(index x, bool active, real_ (*weight)[rows_], real_ (*added)[rows_]) const {
    const index j = convk_cuda_anew_(y), k = convk_cuda_anew_(z);
    CONVK_CUDA_EACH_(i, lines_) weight[i / rows_][i % rows_] = added[i / rows_][i % rows_] = 0;
    if (a.has & CONVK_SUMS_HAS_V_) {
      CONVK_CUDA_EACH_(i, lines_)
        if (is_there(active, i / rows_, i % rows_))
          weight[i / rows_][i % rows_] = a.potential[place(x, j + i % rows_, k + i / rows_, a.potential_y, a.potential_z)];
    }
    if (a.has & CONVK_SUMS_HAS_ADD_) {
      const real_ *const more = a.add + vector * a.add_v * step_;
      CONVK_CUDA_EACH_(i, lines_)
        if (is_there(active, i / rows_, i % rows_))
          added[i / rows_][i % rows_] = more[place(x, j + i % rows_, k + i / rows_, a.add_y, a.add_z) * step_ + lane % step_];
    }
  }

  static __device__ __forceinline__ index place(index x, index j, index k, uint64_t pitch_y, uint64_t pitch_z) {
    return x + j * (index)pitch_y + k * (index)pitch_z;
  }

  /* A number of the result, from those of filters f and of those times i, g; there: it is one of the array. */
  __device__ __forceinline__ void finish(index x, int p, int r, bool there, real_ own, real_ weight, real_ added, real_ fx,
                                         real_ fy, real_ fz, real_ gx, real_ gy, real_ gz) {
    const index j = y + r, k = z + p;
    const int s = lane % step_;
    real_ v = fx, mixed[3] = {0, 0, 0}, turned = 0;
    if (reach_ || a.y.ntaps[0]) v = convk_cuda_add_(v, fy);
    if (reach_ || a.z.ntaps[0]) v = convk_cuda_add_(v, fz);
    CONVK_CUDA_EACH_(d, 3)
      if (!reach_ && a.has & (CONVK_SUMS_HAS_MIXED_ << d) && there) {
        const size_t packed = ((unsigned)d * a.z.m + (size_t)k) * a.y.m + (size_t)j;
        mixed[d] = a.products[(packed * a.x.m + (size_t)x) * step_ + (unsigned)s];
        v = convk_cuda_fma_(a.mixed[d], mixed[d], v);
      }
    if (imag_) { /* a lane's neighbour has the other number */
      const real_ g = convk_cuda_add_(convk_cuda_add_(gx, gy), gz), other = CONVK_CUDA_SHUFFLE_XOR_(g, 1);
      v = convk_cuda_add_(v, s ? other : convk_cuda_sub_((real_)0, other));
    }
    if (sums_ && step_ == 2) {
      const real_ other = CONVK_CUDA_SHUFFLE_XOR_(own, 1);
      turned = s ? other : convk_cuda_sub_((real_)0, other);
    }
    if (!there) return;
    if (a.has & CONVK_SUMS_HAS_X_)
      v = convk_cuda_fma_(a.has & CONVK_SUMS_HAS_V_ ? convk_cuda_fma_(a.potential_factor, weight, a.shift) : a.shift, own, v);
    if (a.has & CONVK_SUMS_HAS_ADD_) v = convk_cuda_fma_(a.add_factor, added, v);
    if (sums_) gather(p, r, own, turned, v, weight, fx, fy, fz, gx, gy, gz, mixed);
    if (!sums_ || a.has & CONVK_SUMS_HAS_OUT_) out[place(x, j, k, a.out_y, a.out_z) * step_ + s] = v;
  }

  __device__ __forceinline__ void grow(int part, int p, int r, double u, real_ v) {
    sum[part][p][r] = convk_cuda_fma_(u, (double)v, sum[part][p][r]);
  }
  /* Adds what a number gives to the sums of its row: see CONVK_SUMS_PARTS_.  turned: that of i x. */
  __device__ __forceinline__ void gather(int p, int r, real_ own, real_ turned, real_ v, real_ weight, real_ fx, real_ fy,
                                         real_ fz, real_ gx, real_ gy, real_ gz, const real_ *mixed) {
    const double x = (double)own;
    grow(0, p, r, x, v);
    if (step_ == 2) grow(1, p, r, (double)turned, v);
    if (a.has & CONVK_SUMS_HAS_V_) grow(2, p, r, (double)convk_cuda_mul_(weight, own), own);
    grow(3, p, r, (double)v, v);
    if (reach_ || a.x.ntaps[0]) grow(4, p, r, x, fx);
    if (reach_ || a.y.ntaps[0]) grow(5, p, r, x, fy);
    if (reach_ || a.z.ntaps[0]) grow(6, p, r, x, fz);
    if (imag_ && a.x.ntaps[1]) grow(7, p, r, (double)turned, gx);
    if (imag_ && a.y.ntaps[1]) grow(8, p, r, (double)turned, gy);
    if (imag_ && a.z.ntaps[1]) grow(9, p, r, (double)turned, gz);
    CONVK_CUDA_EACH_(d, 3)
      if (!reach_ && a.has & (CONVK_SUMS_HAS_MIXED_ << d)) grow(10 + d, p, r, x, mixed[d]);
  }

  /* Sums of rows, by the same tree as on processors. */
  __device__ __forceinline__ void join() {
    CONVK_CUDA_EACH_(p, planes_) {
      CONVK_CUDA_EACH_(r, rows_) {
        double part[CONVK_SUMS_PARTS_], mixed = 0;
        CONVK_CUDA_EACH_(k, CONVK_SUMS_PARTS_) {
          part[k] = sum[k][p][r];
          if (k == 1 ? step_ == 2 : k < 7 ? true : k < 10 ? imag_ != 0 : reach_ == 0) {
            CONVK_CUDA_UNROLL_
            for (unsigned h = lanes_ / 2; h; h /= 2)
              part[k] = convk_cuda_add_(part[k], CONVK_CUDA_SHUFFLE_DOWN_(part[k], h, lanes_));
          }
        }
        CONVK_CUDA_EACH_(d, 3)
          if (!reach_ && a.has & (CONVK_SUMS_HAS_MIXED_ << d))
            mixed = convk_cuda_add_(mixed, convk_cuda_mul_((double)a.mixed[d], part[10 + d]));
        if (lane || y + r >= (index)a.y.m || z + p >= (index)a.z.m) continue;
        CONVK_CUDA_EACH_(k, 8) {
          const double v = k == 7 ? mixed : imag_ && k >= 4 ? convk_cuda_sub_(part[k], part[k + 3]) : part[k];
          a.rows[(((size_t)vector * 8 + (unsigned)k) * a.y.m + (size_t)(y + r)) * a.z.m + (size_t)(z + p)] = v;
        }
      }
    }
  }
};

/* A block has a tile of rows and planes, and of x a chunk of so many numbers; of a warp all lanes see an end, or none. */
template <class real_, int step_, int reach_, int sums_, int imag_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_SUMS_THREADS_, sums_ || imag_ ? 1 : 2)
    convk_cuda_sums_bricks_(const convk_cuda_sums_args_<real_> a) {
  typedef convk_cuda_sums_brick_<real_, step_, reach_, sums_, imag_> brick;
  typedef typename brick::index index;
  const int lanes = brick::lanes_, beside = brick::beside_, rows = brick::rows_, planes = brick::planes_;
  CONVK_CUDA_SHARED_(shared);
  for (unsigned t = blockIdx.x;; t += gridDim.x) { /* no memory holds an array of 2^32 tiles */
    const int thread = convk_cuda_anew_((int)threadIdx.x), unit = thread / lanes, of_y = unit % beside;
    const int deep = (int)blockDim.x / (lanes * beside), of_warp = of_y - of_y % (32 / lanes);
    const unsigned tiles_x = (unsigned)a.tiles_x, per_plane = tiles_x * (unsigned)a.tiles_y;
    const unsigned per_vector = per_plane * (unsigned)a.chunks, vector = t / per_vector, in_vector = t - vector * per_vector;
    const unsigned tile_z = in_vector / per_plane, in_plane = in_vector - tile_z * per_plane;
    const unsigned tile_y = in_plane / tiles_x, tile_x = in_plane - tile_y * tiles_x;
    if (vector >= a.vectors) break;
    const index numbers = (index)a.x.m * step_, begin = sums_ ? 0 : (index)(tile_x * a.chunk); /* sums are of whole rows */
    const index end = sums_ || numbers - begin < (index)a.chunk ? numbers : begin + (index)a.chunk;
    const index y = (index)tile_y * (beside * rows), z = (index)tile_z * (deep * planes) + unit / beside * planes;
    brick b = {a,
               convk_cuda_base_(a.in + vector * a.in_v * step_),
               convk_cuda_base_(a.out + vector * a.out_v * step_),
               vector,
               y + of_y * rows,
               z,
               thread % lanes,
               (real_ *)(void *)shared + unit * brick::stage_,
               0,
               {{{0}}}};
    const bool inside =
        b.inside(a.y, y + of_warp * rows, y + (of_warp + 32 / lanes) * rows - 1) && b.inside(a.z, z, z + planes - 1);
    if (brick::staged_) {
      b.bring(begin - lanes + b.lane, b.y, b.z, b.lane);
      b.bring(begin + b.lane, b.y, b.z, lanes + b.lane);
    }
    CONVK_CUDA_UNROLL_BY_(1)
    for (index i = begin; i < end; i += lanes) {
      const index number = i + convk_cuda_anew_((int)threadIdx.x) % lanes; /* no register keeps the lane for it */
      const index first = i / step_, last = (i + lanes - 1) / step_;
      const bool active = number < end;
      const bool there = reach_ || ((uint64_t)(first + a.x.origin) < a.x.n && (uint64_t)(last + a.x.origin) < a.x.n);
      b.go(active ? number / step_ : 0, active, inside && there, inside && b.inside(a.x, first, last), number + lanes);
    }
    if (sums_) b.join();
  }
}

/* Rows of a plane, then planes, each in sequence, of so many sums: a block for each. */
struct convk_cuda_sums_total_args_ {
  const double *rows;
  double *planes, *total;
  size_t count, ny, nz;
};
template <class Args> /* a template, so that units that do not start it hold no copy */
static __global__ void __launch_bounds__(CONVK_CUDA_SUMS_THREADS_) convk_cuda_sums_total_(const Args a) {
  for (size_t k = blockIdx.x; k < a.count; k += gridDim.x) {
    for (size_t z = threadIdx.x; z < a.nz; z += CONVK_CUDA_SUMS_THREADS_)
      a.planes[k * a.nz + z] = convk_cuda_total_of_<32>(a.rows + k * a.ny * a.nz + z, a.nz, a.ny, 0.0);
    __syncthreads();
    if (threadIdx.x == 0) a.total[k] = convk_cuda_total_of_<32>(a.planes + k * a.nz, 1, a.nz, 0.0);
  }
}
#endif
#if CONVK_HAS_STENCIL_
/* ---- src/stencil/arguments.h ---- */
/* What the kernels of this family take. */
CONVK_DEFINE_ARGUMENTS_(stencil) {
  uint64_t pitch_y, pitch_z;
  uint64_t in_at, out_at;         /* OpenCL: where arrays begin in their buffers, in elements */
  int64_t n[3], first[3], end[3]; /* the box first .. end - 1 is written */
  int64_t left;                   /* CUDA: where the first tile begins: at a sector, at first[0] or before */
  int64_t planes;                 /* of a chunk along z */
  uint32_t tiles_x, layer;        /* tiles along x, and of a chunk */
  int32_t periodic[3], unused;
  CONVK_ARGUMENT_T_ c[7]; /* in the order of the sum */
};

/* Of box_copy: rows of count[0] points, count[1] of them in a plane. */
CONVK_DEFINE_ARGUMENTS_(box) {
  uint64_t in_at, out_at;             /* the first points of both boxes, in elements */
  uint64_t in_pitch[2], out_pitch[2]; /* of y and z */
  uint64_t count[2], points;          /* points of all rows and planes */
  uint64_t each;                      /* points that a work-item copies, one after another */
};
/* ---- src/stencil/kernel.cuh ---- */
enum {
  CONVK_CUDA_STENCIL_DEPTH_ = 4,   /* most steps in one pass over memory */
  CONVK_CUDA_STENCIL_STEPS_ = 3,   /* and how many if none are asked for */
  CONVK_CUDA_STENCIL_SECTOR_ = 32, /* bytes that device memory moves at a time */
  CONVK_CUDA_STENCIL_WIDE_ = 320,  /* points of rows that single sweeps go through in large tiles */
  CONVK_CUDA_STENCIL_CHUNKS_ = 512 /* most chunks along z that are tried */
};

template <class real_> struct convk_cuda_stencil_args_ : convk_stencil_arguments_<real_> {
  const real_ *in;
  real_ *out;
};

/* Where a point of an axis is loaded from: wrapped, or the nearest that there is. */
CONVK_CUDA_INLINE_ size_t convk_cuda_place_(ptrdiff_t i, ptrdiff_t n, int periodic) {
  if (i >= 0 && i < n) return (size_t)i;
  if (!periodic) return i < 0 ? 0 : (size_t)(n - 1);
  if (n > 1000) return (size_t)(i < 0 ? i + n : i - n); /* a tile reaches less far out */
  return (unsigned)((int)i + CONVK_CUDA_STENCIL_DEPTH_ * (int)n) % (unsigned)n;
}

CONVK_CUDA_INLINE_ int convk_cuda_changes_(ptrdiff_t i, ptrdiff_t n, int periodic) { return periodic || (i > 0 && i < n - 1); }

CONVK_CUDA_INLINE_ ptrdiff_t convk_cuda_between_(ptrdiff_t i, ptrdiff_t least, ptrdiff_t greatest) {
  return i < least ? least : i < greatest ? i : greatest;
}

/* Planes of the input one after another: `at` is where one begins. */
template <class real_> struct convk_cuda_stencil_planes_of_ {
  const char *base, *at;
  size_t pitch, plane, count;
  int periodic;
  __device__ __forceinline__ convk_cuda_stencil_planes_of_(const convk_cuda_stencil_args_<real_> &a, ptrdiff_t first)
      : base((const char *)a.in), pitch(a.pitch_z * sizeof(real_)), plane(convk_cuda_place_(first, a.n[2], a.periodic[2])),
        count((size_t)a.n[2]), periodic(a.periodic[2]) {
    at = base + plane * pitch;
  }
  __device__ __forceinline__ void next() {
    if (++plane < count) {
      at += pitch;
    } else if (periodic) {
      plane = 0;
      at = base;
    }
  }
};

/* ---- several steps ---- */

/* A block's tile has width_ x height_ points, with the halo; a thread has rows_ of them, side by side in y. */
#define CONVK_CUDA_STENCIL_ROWS_(height_) ((height_) <= 32 ? 4 : (height_) / 8)
#define CONVK_CUDA_STENCIL_THREADS_(width_, height_) ((width_) * (height_) / CONVK_CUDA_STENCIL_ROWS_(height_))
/* Points of the halo on the left and on the right: rows that are written are whole sectors of f64 from two steps on. */
#define CONVK_CUDA_STENCIL_HALO_(depth_) ((depth_) < 3 ? (depth_) : 4)

/* Blocks of a multiprocessor: as many as the registers allow, where each point needs 2 depth_ + 1 values. */
#define CONVK_CUDA_STENCIL_REGISTERS_(real_, height_, depth_) \
  ((2 * (depth_) + 1) * CONVK_CUDA_STENCIL_ROWS_(height_) * (int)sizeof(real_) / 4 + 64)
#define CONVK_CUDA_STENCIL_BLOCKS_(real_, width_, height_, depth_) \
  (65536 / (CONVK_CUDA_STENCIL_REGISTERS_(real_, height_, depth_) * 256) * 256 / CONVK_CUDA_STENCIL_THREADS_(width_, height_))

/* Every level one plane on: plane k - l - 1 from level l to l + 1.  above: that of level 0, in the end that of the last level.
   own: where the thread's first rows lie in shared memory.  low, high: planes of the fixed ends. */
template <int width_, int isotropic_, class real_, int depth_, int rows_>
CONVK_CUDA_INLINE_ void convk_cuda_stencil_levels_(const real_ *c, const real_ *own, int level, int k, int low, int high,
                                                   unsigned changing, real_ (&below)[depth_][rows_],
                                                   real_ (&here)[depth_][rows_], real_ (&above)[rows_]) {
  const int last = rows_ - 1;
  CONVK_CUDA_EACH_(l, depth_) {
    const unsigned kept = k - l - 1 == low || k - l - 1 == high ? ~0u : ~changing;
    const real_ before = own[l * level - width_], behind = own[l * level + 2 * width_];
    real_ value[rows_];
    CONVK_CUDA_EACH_(r, rows_) {
      const real_ xm = CONVK_CUDA_SHUFFLE_UP_(here[l][r], 1, width_), xp = CONVK_CUDA_SHUFFLE_DOWN_(here[l][r], 1, width_);
      const real_ ym = r > 0 ? here[l][r > 0 ? r - 1 : 0] : before, yp = r < last ? here[l][r < last ? r + 1 : 0] : behind;
      value[r] = convk_cuda_stencil_value_(c, here[l][r], xm, xp, ym, yp, below[l][r], above[r], isotropic_);
    }
    CONVK_CUDA_EACH_(r, rows_) {
      if (l + 1 < depth_ && (kept >> r & 1)) value[r] = here[l][r];
      below[l][r] = here[l][r];
      here[l][r] = above[r];
      above[r] = value[r];
    }
  }
}

/* depth_ steps in one pass.  A block marches up through its tile; level l is the state after l steps.  When a plane of level 0
   comes in, each level is made one plane behind the one before it.  Threads keep the last two planes of every level of their
   points in registers.  The lanes next to it give a point its neighbours in x; shared memory has the first and the last row
   of every thread for the neighbours in y, in the middle one of each level's three planes: all levels share one exchange,
   and two sets of rows in turn need one barrier per plane.
   A level is right one point less far out than the one before it, and the last one on the tile without its halo; what lies
   further out is computed and does not count.  Points that do not change pass from level to level.  The next plane is
   loaded during the arithmetic; threads beyond what is needed load a needed point again. */
template <class real_, int width_, int height_, int depth_, int isotropic_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_STENCIL_THREADS_(width_, height_),
                                          CONVK_CUDA_STENCIL_BLOCKS_(real_, width_, height_, depth_))
    convk_cuda_stencil_(const convk_cuda_stencil_args_<real_> a) {
  const int rows = CONVK_CUDA_STENCIL_ROWS_(height_), last = rows - 1, halo = CONVK_CUDA_STENCIL_HALO_(depth_);
  const int level = (height_ / rows * 2 + 2) * width_; /* elements; a row at either end that nothing depends on */
  __shared__ real_ shared[2 * depth_ * level];
  const int x = (int)threadIdx.x % width_, group = (int)threadIdx.x / width_, y = group * rows;
  const unsigned chunk = blockIdx.x / a.layer, in_layer = blockIdx.x % a.layer;
  const unsigned tile_y = in_layer / a.tiles_x, tile_x = in_layer % a.tiles_x;
  const ptrdiff_t at_x = a.left + (ptrdiff_t)tile_x * (width_ - 2 * halo) - halo + x;
  const ptrdiff_t at_y = a.first[1] + (ptrdiff_t)tile_y * (height_ - 2 * depth_) - depth_ + y;
  const ptrdiff_t last_y = a.end[1] + depth_ - 1; /* that is needed */
  const ptrdiff_t begin = a.first[2] + (ptrdiff_t)chunk * a.planes, left = a.end[2] - begin;
  /* Planes are counted from depth_ before the first that is written; none is taken below a fixed end. */
  const int end = (int)(left < a.planes ? left : a.planes) + 2 * depth_;
  const int low = !a.periodic[2] && begin <= depth_ ? depth_ - (int)begin : -1; /* where the fixed ends are */
  const int high = !a.periodic[2] && a.n[2] - begin <= end ? (int)(a.n[2] - begin) + depth_ - 1 : -1;
  const int start = low > 0 ? low : 0;
  const size_t column =
      convk_cuda_place_(convk_cuda_between_(at_x, a.first[0] - depth_, a.end[0] + depth_ - 1), a.n[0], a.periodic[0]);
  size_t line = convk_cuda_place_(at_y < last_y ? at_y : last_y, a.n[1], a.periodic[1]);
  convk_cuda_stencil_planes_of_<real_> in(a, begin - depth_ + start);
  char *out = (char *)a.out + (size_t)begin * in.pitch;
  real_ *own = shared + (group * 2 + 1) * width_ + x; /* the thread's first row; its last one comes next */
  int other = depth_ * level;                         /* from this set of rows to the other */
  unsigned changing = 0, written = 0;                 /* a bit for each row */
  size_t offset[rows];
  real_ below[depth_][rows], here[depth_][rows], above[rows], ahead[rows];
  CONVK_CUDA_EACH_(r, rows) {
    const int inside = x >= halo && x < width_ - halo && y + r >= depth_ && y + r < height_ - depth_;
    offset[r] = (line * a.pitch_y + column) * sizeof(real_);
    if (at_y + r < last_y && (a.periodic[1] || at_y + r >= 0) && ++line == (size_t)a.n[1]) line = a.periodic[1] ? 0 : line - 1;
    if (convk_cuda_changes_(at_x, a.n[0], a.periodic[0]) && convk_cuda_changes_(at_y + r, a.n[1], a.periodic[1]))
      changing |= 1u << r;
    if (inside && at_x >= a.first[0] && at_x < a.end[0] && at_y + r < a.end[1]) written |= 1u << r;
    ahead[r] = *(const real_ *)(const void *)(in.at + offset[r]);
    CONVK_CUDA_EACH_(l, depth_) below[l][r] = here[l][r] = 0;
  }
  CONVK_CUDA_EACH_(l, 2 * depth_) { /* the rows at either end: zeros */
    if (group == 0) own[l * level - width_] = 0;
    if (y + rows == height_) own[l * level + 2 * width_] = 0;
  }
  for (int k = start; k < end; k++) {
    CONVK_CUDA_EACH_(l, depth_) {
      own[l * level] = here[l][0];
      own[l * level + width_] = here[l][last];
    }
    if (k + 1 < end) in.next();
    CONVK_CUDA_EACH_(r, rows) {
      above[r] = ahead[r];
      ahead[r] = *(const real_ *)(const void *)(in.at + offset[r]);
    }
    __syncthreads();
    convk_cuda_stencil_levels_<width_, isotropic_>(a.c, own, level, k, low, high, changing, below, here, above);
    if (k >= 2 * depth_) {
      CONVK_CUDA_EACH_(r, rows)
        if (written >> r & 1) *(real_ *)(void *)(out + offset[r]) = above[r];
      out += in.pitch;
    }
    own += other;
    other = -other;
  }
}

/* ---- one step ---- */

enum { /* what a block writes of a plane, and what each of its threads does: points side by side in y */
       CONVK_CUDA_SWEEP_WIDTH_ = 128,
       CONVK_CUDA_SWEEP_HEIGHT_ = 32,
       CONVK_CUDA_SWEEP_ROWS_ = 8,
       CONVK_CUDA_SWEEP_THREADS_ = 512
};

/* The points around a tile that its block loads of each plane: above and below, by the threads next to them; left and right, by
   the first 64 threads, a row each. */
template <class real_> struct convk_cuda_sweep_around_ {
  size_t edge_at, side_at;
  int edged, sided;
  real_ edge, side;
  __device__ __forceinline__ convk_cuda_sweep_around_(const convk_cuda_stencil_args_<real_> &a, ptrdiff_t x0, ptrdiff_t y0,
                                                      int group, int inside, size_t column)
      : edge_at(0), side_at(0), edge(0), side(0) {
    const int rows = CONVK_CUDA_SWEEP_ROWS_, height = CONVK_CUDA_SWEEP_HEIGHT_, row = (int)threadIdx.x % height;
    const int right = (int)threadIdx.x / height;
    const ptrdiff_t at_y = y0 + group * rows, edge_y = group ? at_y + rows : at_y - 1;
    const ptrdiff_t side_x = right ? x0 + CONVK_CUDA_SWEEP_WIDTH_ : x0 - 1;
    edged = inside && edge_y <= a.end[1] && (group == 0 || group == height / rows - 1);
    if (edged) edge_at = (convk_cuda_place_(edge_y, a.n[1], a.periodic[1]) * a.pitch_y + column) * sizeof(real_);
    sided = right < 2 && side_x >= a.first[0] - 1 && side_x <= a.end[0] && y0 + row < a.end[1];
    if (sided) side_at = ((size_t)(y0 + row) * a.pitch_y + convk_cuda_place_(side_x, a.n[0], a.periodic[0])) * sizeof(real_);
  }
  __device__ __forceinline__ void load(const char *plane) {
    if (edged) edge = *(const real_ *)(const void *)(plane + edge_at);
    if (sided) side = *(const real_ *)(const void *)(plane + side_at);
  }
};

/* Shared memory, where points meet their neighbours of other warps: the first and the last row of every thread, then the
   columns on either side of each border between warps, the outer borders of the tile included.  Two sets in turn need one
   barrier a plane. */
template <class real_> struct convk_cuda_sweep_shared_ {
  enum {
    width = CONVK_CUDA_SWEEP_WIDTH_,
    height = CONVK_CUDA_SWEEP_HEIGHT_,
    rows = CONVK_CUDA_SWEEP_ROWS_,
    groups = height / rows,
    borders = width / 32 + 1,
    set = groups * 2 * width + borders * 2 * height
  };
  int x, group, lane, side; /* side: 0 and 1 for threads that load a point left and right of the tile */
  real_ *own, *border,
      *side_to;      /* the thread's first row, which its last one follows; the column of its warp's border; its side */
  int beyond, other; /* from the warp's side of its border to the other; from this set to the other */
  __device__ __forceinline__ explicit convk_cuda_sweep_shared_(real_ *shared)
      : x((int)threadIdx.x % width), group((int)threadIdx.x / width), lane(x % 32), side((int)threadIdx.x / height),
        other(set) {
    real_ *columns = shared + groups * 2 * width;
    own = shared + group * 2 * width + x;
    border = columns + (x / 32 * 2 + (lane == 31 ? 2 : 1)) * height + group * rows;
    side_to = columns + (side ? (borders - 1) * 2 + 1 : 0) * height + (int)threadIdx.x % height;
    beyond = lane == 31 ? height : -height;
  }
  __device__ __forceinline__ void give(const real_ (&here)[rows], real_ at_side) {
    own[0] = here[0];
    own[width] = here[rows - 1];
    if (lane == 0 || lane == 31) {
      CONVK_CUDA_EACH_(r, rows) border[r] = here[r];
    }
    if (side < 2) *side_to = at_side;
  }
  __device__ __forceinline__ void turn() {
    own += other;
    border += other;
    side_to += other;
    other = -other;
  }
};

/* One step.  A block marches up through its tile with three planes of it in registers.  The lanes next to it give a point its
   neighbours in x; shared memory has those of other warps, of the middle plane.  Of the points around the tile, that plane's
   are loaded.  The tile itself is all of it written. */
template <class real_, int isotropic_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_SWEEP_THREADS_, 1)
    convk_cuda_sweep_(const convk_cuda_stencil_args_<real_> a) {
  const int width = CONVK_CUDA_SWEEP_WIDTH_, rows = CONVK_CUDA_SWEEP_ROWS_, last = rows - 1;
  const int height = CONVK_CUDA_SWEEP_HEIGHT_, groups = height / rows;
  __shared__ real_ shared[2 * convk_cuda_sweep_shared_<real_>::set];
  convk_cuda_sweep_shared_<real_> s(shared);
  const int group = s.group, lane = s.lane;
  const unsigned chunk = blockIdx.x / a.layer, in_layer = blockIdx.x % a.layer;
  const ptrdiff_t x0 = a.left + (ptrdiff_t)(in_layer % a.tiles_x) * width, at_x = x0 + s.x;
  const ptrdiff_t y0 = a.first[1] + (ptrdiff_t)(in_layer / a.tiles_x) * height, at_y = y0 + group * rows;
  const ptrdiff_t begin = a.first[2] + (ptrdiff_t)chunk * a.planes, left = a.end[2] - begin;
  const int end = (int)(left < a.planes ? left : a.planes);
  const unsigned row = (unsigned)(a.pitch_y * sizeof(real_)); /* addresses by one instruction */
  const int seen = at_x >= a.first[0] - 1 && at_x <= a.end[0], inside = at_x >= a.first[0] && at_x < a.end[0];
  /* Rows of the box, and with the neighbour behind them, which may be row 0. */
  const int written = inside && at_y < a.end[1] ? convk_cuda_least_((size_t)(a.end[1] - at_y), rows) : 0;
  const int taken = seen && at_y <= a.end[1] ? convk_cuda_least_((size_t)(a.end[1] + 1 - at_y), rows) : 0;
  const int wraps = at_y + rows > a.n[1] ? (int)(a.n[1] - at_y) : rows;
  const size_t column = seen ? convk_cuda_place_(at_x, a.n[0], a.periodic[0]) : 0;
  const size_t corner = ((size_t)at_y * a.pitch_y + column) * sizeof(real_);
  convk_cuda_sweep_around_<real_> around(a, x0, y0, group, inside, column);
  convk_cuda_stencil_planes_of_<real_> in(a, begin - 1);
  char *out = (char *)a.out + (size_t)begin * in.pitch + corner;
  int k = 0;
  real_ p[3][rows];
  const char *from = in.at;
  auto load = [&](int r, real_ *value) {
    if (r == wraps) from -= (size_t)a.n[1] * row;
    if (r < taken) *value = *(const real_ *)(const void *)(from + (size_t)r * row);
  };
  /* The next plane takes the place of `below`, row by row; the planes take turns, so that none is moved. */
  auto step = [&](real_(&below)[rows], const real_(&here)[rows], const real_(&above)[rows]) {
    const int more = k + 1 < end;
    real_ before = around.edge, behind = around.edge;
    s.give(here, around.side);
    __syncthreads();
    if (more) {
      around.load(in.at);
      in.next();
    }
    from = in.at + corner;
    if (group > 0) before = s.own[-width];
    if (group < groups - 1) behind = s.own[2 * width];
    CONVK_CUDA_EACH_(r, rows) {
      real_ xm = CONVK_CUDA_SHUFFLE_UP_(here[r], 1, 32), xp = CONVK_CUDA_SHUFFLE_DOWN_(here[r], 1, 32);
      const real_ ym = r > 0 ? here[r > 0 ? r - 1 : 0] : before, yp = r < last ? here[r < last ? r + 1 : 0] : behind;
      if (lane == 0) xm = s.border[s.beyond + r];
      if (lane == 31) xp = s.border[s.beyond + r];
      const real_ value = convk_cuda_stencil_value_(a.c, here[r], xm, xp, ym, yp, below[r], above[r], isotropic_);
      if (r < written) *(real_ *)(void *)(out + (size_t)r * row) = value;
      if (more) load(r, &below[r]);
    }
    out += in.pitch;
    s.turn();
    return ++k < end;
  };
  CONVK_CUDA_EACH_(i, 3) {
    from = in.at + corner;
    CONVK_CUDA_EACH_(r, rows) {
      p[i][r] = 0;
      load(r, &p[i][r]);
    }
    if (i == 1) around.load(in.at);
    if (i < 2) in.next();
  }
  while (step(p[0], p[1], p[2]) && step(p[1], p[2], p[0]) && step(p[2], p[0], p[1])) continue;
}

/* ---- which kernel ---- */

/* A kernel, and what a block of it writes of a plane. */
template <class real_> struct convk_cuda_stencil_kernel_ {
  void (*start)(const convk_cuda_stencil_args_<real_>);
  size_t width, height, blocks; /* blocks: of one multiprocessor */
  int threads;
};

template <class real_, int width_, int height_, int depth_>
static convk_cuda_stencil_kernel_<real_> convk_cuda_stencil_of_(int isotropic) {
  convk_cuda_stencil_kernel_<real_> k;
  k.start = isotropic ? convk_cuda_stencil_<real_, width_, height_, depth_, 1>
                      : convk_cuda_stencil_<real_, width_, height_, depth_, 0>;
  k.width = width_ - 2 * CONVK_CUDA_STENCIL_HALO_(depth_);
  k.height = height_ - 2 * depth_;
  k.blocks = CONVK_CUDA_STENCIL_BLOCKS_(real_, width_, height_, depth_);
  k.threads = CONVK_CUDA_STENCIL_THREADS_(width_, height_);
  return k;
}

template <class real_> static convk_cuda_stencil_kernel_<real_> convk_cuda_sweep_of_(int isotropic) {
  convk_cuda_stencil_kernel_<real_> k;
  k.start = isotropic ? convk_cuda_sweep_<real_, 1> : convk_cuda_sweep_<real_, 0>;
  k.width = CONVK_CUDA_SWEEP_WIDTH_;
  k.height = CONVK_CUDA_SWEEP_HEIGHT_;
  k.blocks = 1;
  k.threads = CONVK_CUDA_SWEEP_THREADS_;
  return k;
}

template <class real_>
static convk_cuda_stencil_kernel_<real_> convk_cuda_stencil_choose_(size_t tile, size_t depth, int isotropic) {
  const int tall = sizeof(real_) == 4 ? 128 : 64;
  switch (tile * 10 + depth) { /* 161: tile 16, one step */
    case 161: return convk_cuda_stencil_of_<real_, 16, 16, 1>(isotropic);
    case 162: return convk_cuda_stencil_of_<real_, 16, 16, 2>(isotropic);
    case 321: return convk_cuda_stencil_of_<real_, 32, 32, 1>(isotropic);
    case 322: return convk_cuda_stencil_of_<real_, 32, 32, 2>(isotropic);
    case 323: return convk_cuda_stencil_of_<real_, 32, 32, 3>(isotropic);
    case 324: return convk_cuda_stencil_of_<real_, 32, 32, 4>(isotropic);
    case 641: return convk_cuda_sweep_of_<real_>(isotropic);
    case 642: return convk_cuda_stencil_of_<real_, 32, tall, 2>(isotropic);
    case 643: return convk_cuda_stencil_of_<real_, 32, tall, 3>(isotropic);
    default: return convk_cuda_stencil_of_<real_, 32, tall, 4>(isotropic);
  }
}

/* The tuning with its zeros filled in, for rows of nx points that change.  Measured on an H100, in GLUP/s: one step on 256^3
   points in f64 139 with tiles of 32; on 512^3 142, and 162 with 64, which are for rows that fill them, too: on 256^3, where
   blocks were made for three tiles of a row instead of two, they gave 124.  Several steps in f64 352 on 256^3 and 386 on 512^3
   with three in tiles of 32, 303 and 322 with four, 286 and 351 with four in tiles of 64; in f32 on 256^3 598, 604 and 437. */
CONVK_LOCAL_ int convk_cuda_stencil_tune_(const convk_cuda_stencil_tuning *tuning, size_t nx, size_t steps,
                                          convk_cuda_stencil_tuning *chosen) {
  const size_t width = CONVK_CUDA_SWEEP_WIDTH_;
  size_t max_steps;
  int large;
  memset(chosen, 0, sizeof *chosen);
  if (tuning) *chosen = *tuning;
  max_steps = chosen->tile == 16 ? 2 : CONVK_CUDA_STENCIL_DEPTH_;
  if (!chosen->steps) chosen->steps = CONVK_CUDA_STENCIL_STEPS_;
  if (chosen->steps > max_steps) chosen->steps = max_steps;
  large = nx > CONVK_CUDA_STENCIL_WIDE_ || (nx > width && convk_round_up_(nx, width) <= nx + nx / 5);
  if (!chosen->tile) chosen->tile = (steps == 1 || chosen->steps == 1) && large ? 64 : 32;
  return chosen->tile == 16 || chosen->tile == 32 || chosen->tile == 64 ? CONVK_OK : CONVK_ERR_OPTION;
}

/* Planes of a chunk along z: enough blocks to fill the device evenly, where each also computes 2 depth planes for nobody. */
CONVK_LOCAL_ size_t convk_cuda_stencil_planes_(size_t tiles, size_t planes, size_t depth, size_t places) {
  size_t chunks, best = planes, least = (size_t)-1;
  for (chunks = 1; chunks <= planes && chunks <= CONVK_CUDA_STENCIL_CHUNKS_; chunks++) {
    const size_t each = convk_ceil_(planes, chunks);
    const size_t time = convk_ceil_(tiles * chunks, places) * (each + 2 * depth);
    if (time < least) {
      least = time;
      best = each;
    }
  }
  return best;
}

enum { CONVK_CUDA_BOX_THREADS_ = 256 };

template <class real_> struct convk_cuda_box_args_ : convk_box_arguments_<real_> {
  const real_ *in;
  real_ *out;
};

/* A thread copies one point at a time: those of a row side by side. */
template <class real_> static __global__ void convk_cuda_box_copy_(convk_cuda_box_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.points, CONVK_CUDA_BOX_THREADS_) {
    const size_t row = convk_cuda_divide_(i, a.count[0]), x = i - row * a.count[0];
    const size_t z = convk_cuda_divide_(row, a.count[1]), y = row - z * a.count[1];
    a.out[a.out_at + z * a.out_pitch[1] + y * a.out_pitch[0] + x] = a.in[a.in_at + z * a.in_pitch[1] + y * a.in_pitch[0] + x];
  }
}
#endif
#if CONVK_HAS_VMATH_
/* ---- src/vmath/kernel.cuh ---- */
enum { CONVK_CUDA_MAP_THREADS_ = 256, CONVK_CUDA_MAP_EACH_ = 4 }; /* elements of a thread: loaded before one is needed */

template <class real_> struct convk_cuda_map_args_ {
  const real_ *x;
  real_ *y, *z; /* either may be x */
  size_t n, tiles;
  size_t skew, whole; /* elements before a multiple of 16 bytes, in all arrays; where the last 16 bytes begin, and 1 more */
};

/* Elements of a thread from i on, which may be less than 0, as far as they are there. */
template <int aligned_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_map_store_(const convk_cuda_map_args_<real_> &a, real_ *to, size_t i, const real_ *v) {
  if (aligned_ && i < a.whole) {
    convk_cuda_put_whole_(to + i, v);
  } else {
    CONVK_CUDA_UNROLL_
    for (unsigned k = 0; k < (aligned_ ? 16 / sizeof(real_) : 1); k++)
      if (i + k < a.n) to[i + k] = v[k];
  }
}

/* aligned_: arrays begin alike within 16 bytes, and a thread loads and stores so many at once. */
template <class real_, int function_, int aligned_>
static __global__ void __launch_bounds__(CONVK_CUDA_MAP_THREADS_) convk_cuda_map_(const convk_cuda_map_args_<real_> a) {
  const unsigned each = CONVK_CUDA_MAP_EACH_, threads = CONVK_CUDA_MAP_THREADS_, pack = aligned_ ? 16 / sizeof(real_) : 1;
  for (size_t tile = blockIdx.x; tile < a.tiles; tile += gridDim.x) {
    const size_t first = tile * (size_t)(each * threads) + pack * threadIdx.x - (aligned_ ? a.skew : 0); /* or less than 0 */
    real_ x[each], y[each], z[each];
    CONVK_CUDA_UNROLL_
    for (unsigned u = 0; u < each; u += pack) {
      const size_t i = first + u * threads;
      if (aligned_ && i < a.whole) convk_cuda_get_(x + u, a.x + i);
      else CONVK_CUDA_UNROLL_
      for (unsigned k = 0; k < pack; k++) x[u + k] = i + k < a.n ? a.x[i + k] : (real_)1;
    }
    CONVK_CUDA_UNROLL_
    for (unsigned u = 0; u < each; u++) {
      if (function_ == CONVK_MAP_EXP_) y[u] = convk_cuda_vexp_(x[u]);
      else if (function_ == CONVK_MAP_EXPM1_) y[u] = convk_cuda_vexpm1_(x[u]);
      else if (function_ == CONVK_MAP_LOG_) y[u] = convk_cuda_vlog_(x[u]);
      else convk_cuda_vsincos_(x[u], &y[u], &z[u]);
    }
    CONVK_CUDA_UNROLL_
    for (unsigned u = 0; u < each; u += pack) {
      const size_t i = first + u * threads;
      convk_cuda_map_store_<aligned_>(a, a.y, i, y + u);
      if (function_ == CONVK_MAP_SINCOS_) convk_cuda_map_store_<aligned_>(a, a.z, i, z + u);
    }
  }
}

template <class real_> using convk_cuda_map_kernel_ = void (*)(const convk_cuda_map_args_<real_>);

template <class real_, int aligned_> static convk_cuda_map_kernel_<real_> convk_cuda_map_aligned_(int function) {
  return function == CONVK_MAP_EXP_     ? convk_cuda_map_<real_, CONVK_MAP_EXP_, aligned_>
         : function == CONVK_MAP_EXPM1_ ? convk_cuda_map_<real_, CONVK_MAP_EXPM1_, aligned_>
         : function == CONVK_MAP_LOG_   ? convk_cuda_map_<real_, CONVK_MAP_LOG_, aligned_>
                                        : convk_cuda_map_<real_, CONVK_MAP_SINCOS_, aligned_>;
}
template <class real_> static convk_cuda_map_kernel_<real_> convk_cuda_map_of_(int function, int aligned) {
  return aligned ? convk_cuda_map_aligned_<real_, 1>(function) : convk_cuda_map_aligned_<real_, 0>(function);
}
#endif
#if CONVK_HAS_GAUSSIAN_
/* ---- src/gaussian/kernel.cuh ---- */
/* Choices: the audit of machine code (tests/bench/audit) sees that nothing spills; they were not tuned further. */
enum {
  CONVK_CUDA_GAUSSIAN_THREADS_ = 128,
  CONVK_CUDA_GAUSSIAN_EACH_ = 4,  /* elements of a thread in a row of gridpot */
  CONVK_CUDA_GAUSSIAN_ROWS_ = 64, /* of a block of gridpot, and exponents of gridpot_sum in shared memory */
  CONVK_CUDA_GAUSSIAN_SUMS_ = 8,  /* most sums of a thread */
  CONVK_CUDA_GAUSSIAN_POINTS_ = 2 /* and its points, unless they are tuned: 1, 2 or 4 */
};

template <class real_> struct convk_cuda_gaussian_type_; /* group and shell, as convk.h has them for this precision */

/* Points of the caller, with a stride of at least 1, and a center in two parts. */
template <class real_> struct convk_cuda_points_ {
  const real_ *x, *y, *z;
  size_t n, stride;
  real_ center[6];
};

/* An exponent in two parts, and the squared distance from which on a result stays what it is; aligned, for wide loads. */
template <class real_> struct __align__(16) convk_cuda_exponent_ { real_ a, b, top; };

/* As convk_gaussian_exponent_ of convk.h in the fused class, bit for bit. */
template <class real_> CONVK_CUDA_INLINE_ convk_cuda_exponent_<real_> convk_cuda_exponent_of_(real_ alpha) {
  const double l0 = 1.4426950216293335, l1 = 1.92596298909109e-08, l2 = 2.0355273740931033e-17, a = (double)alpha;
  const double large = sizeof(real_) == sizeof(float) ? 156 : 1100, ceiling = (double)CONVK_GREATEST_;
  const double lowest = (sizeof(real_) == sizeof(float) ? 126 : 1022) - 0.0001220703125, limit = alpha < 0 ? lowest : large;
  const double a0 = convk_cuda_real_(convk_cuda_bits_(a) & ~(uint64_t)0 << 27), a1 = convk_cuda_add_(a, -a0);
  const double low = convk_cuda_add_(convk_cuda_add_(convk_cuda_mul_(a0, l1), convk_cuda_mul_(a1, l0)),
                                     convk_cuda_add_(convk_cuda_mul_(a1, l1), convk_cuda_mul_(a, l2)));
  double hi = convk_cuda_add_(convk_cuda_mul_(a0, l0), low),
         lo = convk_cuda_add_(convk_cuda_add_(convk_cuda_mul_(a0, l0), -hi), low), size;
  convk_cuda_exponent_<real_> e;
  size = hi < 0 ? -hi : hi;
  if (!(size <= ceiling)) {
    hi = hi < 0 ? -ceiling : ceiling;
    lo = 0;
    size = ceiling;
  }
  e.a = (real_)hi;
  e.b = (real_)convk_cuda_add_(convk_cuda_add_(hi, -(double)e.a), lo);
  if (CONVK_GAUSSIAN_LEAST_ > e.b && -CONVK_GAUSSIAN_LEAST_ < e.b) e.b = 0;
  e.top = size > convk_cuda_divided_(limit, ceiling) ? (real_)convk_cuda_divided_(limit, size) : CONVK_GREATEST_;
  return e;
}

/* The squared distance of point i from the center; v: the differences; lo: what it lost. */
template <class real_>
CONVK_CUDA_INLINE_ real_ convk_cuda_distance_(const convk_cuda_points_<real_> &p, size_t i, int compensated, real_ v[3],
                                              real_ *lo) {
  v[0] = p.x[i * p.stride];
  v[1] = p.y[i * p.stride];
  v[2] = p.z[i * p.stride];
  return convk_cuda_gaussian_distance_(v, p.center, compensated, lo);
}

/* ---- the grid potential ---- */

template <class real_> struct convk_cuda_gridpot_args_ {
  convk_cuda_points_<real_> points;
  const real_ *alpha, *c;
  real_ *out, cut;
  size_t m, ld, nsums, ldc;
  size_t columns, rows, tiles_x, tasks; /* what is contiguous, and what is not; tiles */
};

/* A block takes 512 contiguous elements of 64 rows: points_, whose exponents it keeps in shared memory, or exponents, and then
   the squared distances of 64 points.  aligned_: rows begin at multiples of 16 bytes, and a thread stores so many at once. */
template <class real_, int points_, int aligned_, int compensated_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_gridpot_(const convk_cuda_gridpot_args_<real_> a) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_, each = CONVK_CUDA_GAUSSIAN_EACH_, rows = CONVK_CUDA_GAUSSIAN_ROWS_;
  const int pack = 16 / (int)sizeof(real_);
  __shared__ real_ shared[3][rows];
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t tile_y = convk_cuda_divide_(task, a.tiles_x), row0 = tile_y * (size_t)rows;
    const size_t column0 = (task - tile_y * a.tiles_x) * (size_t)(threads * each);
    const int count = convk_cuda_least_(a.rows - row0, rows);
    convk_cuda_exponent_<real_> e[each];
    real_ s[each], lo[each], v[3];
    size_t column[each];
    __syncthreads();
    if ((int)threadIdx.x < count) {
      if (points_) {
        const convk_cuda_exponent_<real_> mine = convk_cuda_exponent_of_(a.alpha[row0 + threadIdx.x]);
        shared[0][threadIdx.x] = mine.a;
        shared[1][threadIdx.x] = mine.b;
        shared[2][threadIdx.x] = mine.top;
      } else {
        real_ lost;
        shared[0][threadIdx.x] = convk_cuda_distance_(a.points, row0 + threadIdx.x, compensated_, v, &lost);
        shared[1][threadIdx.x] = lost;
      }
    }
    CONVK_CUDA_EACH_(u, each) {
      size_t from;
      column[u] = column0 + (size_t)(aligned_ ? (int)threadIdx.x * pack + u % pack + u / pack * pack * threads
                                              : (int)threadIdx.x + u * threads);
      from = column[u] < a.columns ? column[u] : a.columns - 1;
      if (points_) s[u] = convk_cuda_distance_(a.points, from, compensated_, v, &lo[u]);
      else e[u] = convk_cuda_exponent_of_(a.alpha[from]);
    }
    __syncthreads();
    for (int r = 0; r < count; r++) {
      real_ *const out = a.out + (row0 + (size_t)r) * a.ld;
      real_ g[each];
      CONVK_CUDA_EACH_(u, each) {
        if (points_) {
          e[u].a = shared[0][r];
          e[u].b = shared[1][r];
          e[u].top = shared[2][r];
        } else {
          s[u] = shared[0][r];
          lo[u] = shared[1][r];
        }
        g[u] = convk_cuda_gaussian_(e[u].a, e[u].b, e[u].top, s[u], lo[u], a.cut, compensated_);
      }
      CONVK_CUDA_UNROLL_
      for (int u = 0; u < each; u += aligned_ ? pack : 1) {
        if (aligned_ && column[u] + (size_t)pack <= a.columns) {
          convk_cuda_put_whole_(out + column[u], g + (aligned_ ? u : 0));
        } else {
          CONVK_CUDA_EACH_(k, (aligned_ ? pack : 1))
            if (column[u] + (size_t)k < a.columns) out[column[u] + (size_t)k] = g[aligned_ ? u + k : u];
        }
      }
    }
  }
}

/* A thread takes each_ points and up to sums_ sums; exponents and coefficients come through shared memory. */
template <class real_, int sums_, int compensated_, int each_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_gridpot_sum_(const convk_cuda_gridpot_args_<real_> a) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_, each = each_, rows = CONVK_CUDA_GAUSSIAN_ROWS_;
  __shared__ convk_cuda_exponent_<real_> shared[rows];
  __shared__ __align__(16) real_ c[rows][sums_];
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t group = convk_cuda_divide_(task, a.tiles_x), sum0 = group * sums_;
    const size_t first = (task - group * a.tiles_x) * (size_t)(threads * each) + threadIdx.x;
    const int sums = convk_cuda_least_(a.nsums - sum0, sums_);
    real_ s[each], lo[each], sum[each][sums_], v[3];
    CONVK_CUDA_EACH_(u, each) {
      const size_t i = first + (size_t)(u * threads);
      s[u] = convk_cuda_distance_(a.points, i < a.points.n ? i : a.points.n - 1, compensated_, v, &lo[u]);
      CONVK_CUDA_EACH_(k, sums_) sum[u][k] = 0;
    }
    for (size_t j0 = 0; j0 < a.m; j0 += (size_t)rows) {
      const int count = convk_cuda_least_(a.m - j0, rows);
      __syncthreads();
      if ((int)threadIdx.x < count) shared[threadIdx.x] = convk_cuda_exponent_of_(a.alpha[j0 + threadIdx.x]);
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < sums_; k += threads / rows) { /* along the exponents */
        const int j = (int)(threadIdx.x % rows), r = k + (int)(threadIdx.x / rows);
        if (r < sums_) c[j][r] = j < count && r < sums ? a.c[(sum0 + (size_t)r) * a.ldc + j0 + (size_t)j] : (real_)0;
      }
      __syncthreads();
      for (int j = 0; j < count; j++) {
        const convk_cuda_exponent_<real_> e = shared[j];
        CONVK_CUDA_EACH_(u, each) {
          const real_ g = convk_cuda_gaussian_(e.a, e.b, e.top, s[u], lo[u], a.cut, compensated_);
          CONVK_CUDA_EACH_(k, sums_) sum[u][k] = convk_cuda_fma_(c[j][k], g, sum[u][k]);
        }
      }
    }
    CONVK_CUDA_EACH_(u, each) {
      const size_t i = first + (size_t)(u * threads);
      CONVK_CUDA_EACH_(k, sums_)
        if (i < a.points.n && k < sums) a.out[(sum0 + (size_t)k) * a.ld + i] = convk_cuda_add_(sum[u][k], (real_)0); /* no -0 */
    }
  }
}

/* Which kernel a call starts. */
template <class real_> using convk_cuda_gridpot_kernel_ = void (*)(const convk_cuda_gridpot_args_<real_>);

template <class real_, int points_, int compensated_>
static convk_cuda_gridpot_kernel_<real_> convk_cuda_gridpot_aligned_(int aligned) {
  return aligned ? convk_cuda_gridpot_<real_, points_, 1, compensated_> : convk_cuda_gridpot_<real_, points_, 0, compensated_>;
}
template <class real_>
static convk_cuda_gridpot_kernel_<real_> convk_cuda_gridpot_of_(int compensated, int points, int aligned) {
  if (points)
    return compensated ? convk_cuda_gridpot_aligned_<real_, 1, 1>(aligned) : convk_cuda_gridpot_aligned_<real_, 1, 0>(aligned);
  return compensated ? convk_cuda_gridpot_aligned_<real_, 0, 1>(aligned) : convk_cuda_gridpot_aligned_<real_, 0, 0>(aligned);
}
template <class real_, int sums_> static convk_cuda_gridpot_kernel_<real_> convk_cuda_gridpot_sums_(int compensated) {
  return compensated ? convk_cuda_gridpot_sum_<real_, sums_, 1, CONVK_CUDA_GAUSSIAN_POINTS_>
                     : convk_cuda_gridpot_sum_<real_, sums_, 0, CONVK_CUDA_GAUSSIAN_POINTS_>;
}
/* Other numbers of points are only there for many sums without compensation, where the registers of a thread decide: one
   leaves room for twice the warps, four halve the loads of coefficients.  They are four kernels more to compile. */
CONVK_LOCAL_ size_t convk_cuda_gridpot_points_(int compensated, size_t sums, long tuned) {
  if (compensated || sums <= 4 || !tuned) return CONVK_CUDA_GAUSSIAN_POINTS_;
  return tuned == 1 ? 1 : tuned < 4 ? CONVK_CUDA_GAUSSIAN_POINTS_ : 4;
}
template <class real_>
static convk_cuda_gridpot_kernel_<real_> convk_cuda_gridpot_sum_of_(int compensated, size_t sums, size_t points) {
  if (points == 1) return convk_cuda_gridpot_sum_<real_, 8, 0, 1>;
  if (points == 4) return convk_cuda_gridpot_sum_<real_, 8, 0, 4>;
  if (sums > 4) return convk_cuda_gridpot_sums_<real_, 8>(compensated);
  if (sums > 2) return convk_cuda_gridpot_sums_<real_, 4>(compensated);
  return sums > 1 ? convk_cuda_gridpot_sums_<real_, 2>(compensated) : convk_cuda_gridpot_sums_<real_, 1>(compensated);
}

/* ---- orbitals ---- */

enum {
  CONVK_CUDA_ORBITALS_PRIMITIVES_ = 32,                                         /* in shared memory at a time */
  CONVK_CUDA_ORBITALS_COLUMNS_ = CONVK_GAUSSIAN_UPPER_ * CONVK_GAUSSIAN_SHELLS_ /* most monomials of a group of shells */
};

/* The tables of a plan, in device memory. */
template <class real_> struct convk_cuda_orbitals_args_ {
  convk_cuda_points_<real_> points;
  const typename convk_cuda_gaussian_type_<real_>::group *groups;
  const typename convk_cuda_gaussian_type_<real_>::shell *shells;
  const real_ *exponents, *radial, *matrix;
  const real_ *weights;
  real_ *out[5], cut, below, inverse, least;
  size_t ngroups, primitives, columns, norbitals, ld, tiles, tasks;
};

/* The functions x^a y^b z^c R of a shell, and with kinds_ = 5 their gradients and Laplacians: f(q, values) for each. */
template <int degree_, int kinds_, class real_, class Each>
CONVK_CUDA_INLINE_ void convk_cuda_shell_(const real_ v[3], real_ s, const real_ *radial, Each f) {
  const int all = CONVK_DEGREE_(degree_ + 1);
  real_ m[all], slope[all], bend[all], value[5];
  convk_cuda_gaussian_monomials_of_(degree_, v, radial[0], m);
  if (kinds_ > 1) {
    const real_ w = convk_cuda_mul_(s, radial[kinds_ > 1 ? 2 : 0]), d = radial[kinds_ > 1 ? 1 : 0];
    convk_cuda_gaussian_monomials_of_(degree_, v, d, slope);
    convk_cuda_gaussian_monomials_of_(degree_, v, convk_cuda_fma_((real_)(2 * degree_ + 3), d, w), bend);
  }
  CONVK_CUDA_UNROLL_
  for (int i = 0; i <= degree_; i++) CONVK_CUDA_UNROLL_
  for (int j = 0; j <= i; j++) {
    convk_cuda_gaussian_values_(degree_, kinds_, i, j, v, m, slope, bend, value);
    f(i * (i + 1) / 2 + j, value);
  }
}

/* Radial functions of a group of shells at squared distance s, sums over its primitives, which come through shared memory; of
   parts_ for each shell: R, and with derivatives R' / r and (R' / r)' / r.  0 where no primitive counts. */
template <class real_, int parts_>
CONVK_CUDA_INLINE_ int convk_cuda_radials_(const convk_cuda_orbitals_args_<real_> &a, size_t g, real_ s, const real_ *factors,
                                           convk_cuda_exponent_<real_> *exponent,
                                           real_ (*factor)[parts_ * CONVK_GAUSSIAN_SHELLS_], real_ (*radial)[parts_]) {
  const unsigned threads = CONVK_CUDA_GAUSSIAN_THREADS_, strip = CONVK_CUDA_ORBITALS_PRIMITIVES_;
  const unsigned all = parts_ * CONVK_GAUSSIAN_SHELLS_, used = parts_ * (unsigned)a.groups[g].shells,
                 mine = threadIdx.x % strip;
  const size_t primitives = a.groups[g].primitives, first = a.groups[g].primitive;
  int any = 0;
  CONVK_CUDA_UNROLL_
  for (unsigned k = 0; k < all; k++) radial[k / parts_][k % parts_] = 0;
  for (size_t p0 = 0; p0 < primitives; p0 += (size_t)strip) {
    const unsigned count = (unsigned)convk_cuda_least_(primitives - p0, (int)strip);
    const size_t from = p0 + (mine < count ? mine : count - 1); /* what fills up pairs has factors of 0 */
    __syncthreads();
    if (threadIdx.x < strip) {
      exponent[mine].a = a.exponents[first + from];
      exponent[mine].b = a.exponents[a.primitives + first + from];
      exponent[mine].top = a.exponents[2 * a.primitives + first + from];
    }
    CONVK_CUDA_UNROLL_
    for (unsigned k = 0; k < all; k += threads / strip) {
      const unsigned r = k + threadIdx.x / strip; /* without derivatives, only each third row of factors counts */
      factor[mine][r] = mine < count && r < used ? factors[(size_t)(parts_ > 1 ? r : 3 * r) * primitives + from] : (real_)0;
    }
    __syncthreads();
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned p = 0; p < count; p += 2) { /* two together; those below the limit are exactly 0 */
      real_ value[2];
      if (convk_cuda_mul_(exponent[p].a, s) < a.below && convk_cuda_mul_(exponent[p + 1].a, s) < a.below) continue;
      CONVK_CUDA_UNROLL_
      for (unsigned k = 0; k < 2; k++)
        value[k] = convk_cuda_gaussian_(exponent[p + k].a, exponent[p + k].b, exponent[p + k].top, s, (real_)0, a.cut, 0);
      any = 1;
      CONVK_CUDA_UNROLL_
      for (unsigned k = 0; k < 2 * all; k++) {
        real_ &sum = radial[k % all / parts_][k % parts_];
        sum = convk_cuda_fma_(factor[p + k / all][k % all], value[k / all], sum);
      }
    }
  }
  CONVK_CUDA_UNROLL_
  for (unsigned k = 0; k < all; k++) radial[k / parts_][k % parts_] = convk_cuda_add_(radial[k / parts_][k % parts_], (real_)0);
  return any;
}

/* Coefficients of all monomials of a group, block_ orbitals from o0 on, to shared memory.  All threads are done with those of
   the group before: convk_cuda_radials_, which comes first, waits for them. */
template <int block_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_columns_(const convk_cuda_orbitals_args_<real_> &a, size_t column0, int columns, size_t o0,
                                            int orbitals, real_ (*c)[block_]) {
  const int o = (int)(threadIdx.x % block_);
  const real_ *const from = a.matrix + (o0 + (size_t)(o < orbitals ? o : 0)) * a.columns + column0;
  for (int q = (int)(threadIdx.x / block_); q < columns; q += CONVK_CUDA_GAUSSIAN_THREADS_ / block_)
    c[q][o] = o < orbitals ? from[q] : (real_)0;
  __syncthreads();
}

/* The functions of all shells of a group at one point.  With orbitals (block_ > 0) they are added to the sums of these, times
   the coefficients c of their monomials; else they are themselves the results of point i, unless that is outside. */
template <int kinds_, int block_, int parts_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_gaussian_group_(const convk_cuda_orbitals_args_<real_> &a, size_t shell0, int shells,
                                                   const real_ v[3], real_ s, const real_ (*radial)[parts_],
                                                   const real_ (*c)[block_ ? block_ : 1], size_t i, int inside,
                                                   real_ (*sum)[block_ ? block_ : 1]) {
  const int block = block_ ? block_ : 1, together = CONVK_GAUSSIAN_SHELLS_;
  CONVK_CUDA_EACH_(k, together) {
    if (k >= shells) continue;
    const typename convk_cuda_gaussian_type_<real_>::shell &shell = a.shells[shell0 + (size_t)k];
    const size_t q0 = shell.column - a.shells[shell0].column;
    const real_ *matrix = a.matrix + shell.matrix;
    real_ values[block_ ? 1 : 15][kinds_];
    auto each = [&](int q, const real_ *value) {
      CONVK_CUDA_EACH_(kind, kinds_) {
        if (!block_) values[block_ ? 0 : q][kind] = value[kind];
        CONVK_CUDA_EACH_(o, block_)
          sum[kind][o < block ? o : 0] =
              convk_cuda_fma_(c[q0 + (size_t)q][o < block ? o : 0], value[kind], sum[kind][o < block ? o : 0]);
      }
    };
    auto rows = [&](int monomials) {
      for (size_t f = 0; f < shell.functions && !block_; f++)
        CONVK_CUDA_EACH_(kind, kinds_) {
          real_ w = 0;
          CONVK_CUDA_EACH_(q, monomials)
            w = convk_cuda_fma_(matrix[f * (size_t)monomials + (size_t)q], values[block_ ? 0 : q][kind], w);
          if (inside) a.out[kind][(shell.function + f) * a.ld + i] = convk_cuda_gaussian_settled_(w, a.inverse, a.least);
        }
    };
    switch (shell.l) {
      case 0: convk_cuda_shell_<0, kinds_>(v, s, radial[k], each), rows(1); break;
      case 1: convk_cuda_shell_<1, kinds_>(v, s, radial[k], each), rows(3); break;
      case 2: convk_cuda_shell_<2, kinds_>(v, s, radial[k], each), rows(6); break;
      case 3: convk_cuda_shell_<3, kinds_>(v, s, radial[k], each), rows(10); break;
      default: convk_cuda_shell_<4, kinds_>(v, s, radial[k], each), rows(15); break;
    }
  }
}

/* Blocks of a multiprocessor, at least; 0: as the compiler likes.  From sm_100 on ptxas spills without such a number. */
#define CONVK_CUDA_ORBITALS_BLOCKS_(real_, kinds_, block_) \
  ((block_) == 0 ? (kinds_) > 1 ? 16 / (int)sizeof(real_) : 0 : CONVK_CUDA_ARCH_ >= 1000 ? sizeof(real_) == 8 ? 3 : 6 : 0)

/* A thread takes a point and up to block_ orbitals (all of them, one lot after another, for a density_), or with most_ = 0 the
   functions themselves.  Groups of shells with the same exponentials come through shared memory: exponents and factors, then
   coefficients of all their monomials. */
template <class real_, int kinds_, int block_, int density_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, CONVK_CUDA_ORBITALS_BLOCKS_(real_, kinds_, block_))
    convk_cuda_orbitals_(const convk_cuda_orbitals_args_<real_> a) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_, strip = CONVK_CUDA_ORBITALS_PRIMITIVES_, block = block_ ? block_ : 1;
  const int parts = kinds_ > 1 ? 3 : 1, together = CONVK_GAUSSIAN_SHELLS_; /* radial functions of a shell, shells of a group */
  __shared__ convk_cuda_exponent_<real_> exponent[strip];
  __shared__ real_ factor[strip][parts * together];
  __shared__ __align__(16) real_ c[CONVK_CUDA_ORBITALS_COLUMNS_][block];
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t lot = convk_cuda_divide_(task, a.tiles), i = (task - lot * a.tiles) * (size_t)threads + threadIdx.x;
    const size_t point = i < a.points.n ? i : a.points.n - 1;
    const int inside = i < a.points.n;
    real_ density = 0;
    for (size_t o0 = lot * (size_t)block; o0 < (block_ ? a.norbitals : lot + 1);
         o0 += density_ ? (size_t)block : a.norbitals + 1) {
      const int orbitals = convk_cuda_least_(a.norbitals - o0, block);
      const real_ *factors = a.radial;
      real_ v[3] = {0, 0, 0}, s = 0, lost, sum[kinds_][block];
      CONVK_CUDA_EACH_(k, kinds_ * block) sum[k / block][k % block] = 0;
      for (size_t g = 0; g < a.ngroups; g++) {
        const int shells = (int)a.groups[g].shells;
        const size_t primitives = a.groups[g].primitives, shell0 = a.groups[g].shell;
        real_ radial[together][parts];
        int any;
        if (a.groups[g].moved) {
          convk_cuda_points_<real_> p = a.points;
          CONVK_CUDA_EACH_(k, 6) p.center[k] = a.groups[g].center[k];
          s = convk_cuda_distance_(p, point, 0, v, &lost);
        }
        any = convk_cuda_radials_<real_, parts>(a, g, s, factors, exponent, factor, radial);
        if (block_) {
          const typename convk_cuda_gaussian_type_<real_>::shell &last = a.shells[shell0 + (size_t)shells - 1];
          const size_t column0 = a.shells[shell0].column, columns = last.column + last.columns - column0;
          convk_cuda_columns_<block>(a, column0, (int)columns, o0, orbitals, c);
          if (!CONVK_CUDA_ANY_(any)) {
            factors += 3 * (size_t)shells * primitives;
            continue;
          }
        }
        convk_cuda_gaussian_group_<kinds_, block_, parts, real_>(a, shell0, shells, v, s, radial, c, i, inside, sum);
        factors += 3 * (size_t)shells * primitives;
      }
      CONVK_CUDA_EACH_(o, block_)
        CONVK_CUDA_EACH_(kind, kinds_) {
          const real_ value = convk_cuda_gaussian_settled_(sum[kind][o < block ? o : 0], a.inverse, a.least);
          if (!inside || o >= orbitals) continue;
          if (density_) density = convk_cuda_gaussian_add_square_(a.weights[o0 + (size_t)o], value, density);
          else a.out[kind][(o0 + (size_t)o) * a.ld + i] = value;
        }
    }
    if (density_ && inside) a.out[0][i] = density;
  }
}

/* Orbitals of a thread, whose sums stay in registers: 5 x 4 with derivatives, else 8 or 16. */
CONVK_LOCAL_ size_t convk_cuda_orbitals_block_(size_t kinds, size_t norbitals) {
  return kinds > 1 ? 4 : norbitals > 8 ? 16 : 8;
}

/* Which kernel a call starts; combined: with coefficients. */
template <class real_> using convk_cuda_orbitals_kernel_ = void (*)(const convk_cuda_orbitals_args_<real_>);

template <class real_>
static convk_cuda_orbitals_kernel_<real_> convk_cuda_orbitals_of_(size_t kinds, int density, int combined, size_t block) {
  if (density) return block > 8 ? convk_cuda_orbitals_<real_, 1, 16, 1> : convk_cuda_orbitals_<real_, 1, 8, 1>;
  if (kinds > 1) return combined ? convk_cuda_orbitals_<real_, 5, 4, 0> : convk_cuda_orbitals_<real_, 5, 0, 0>;
  if (!combined) return convk_cuda_orbitals_<real_, 1, 0, 0>;
  return block > 8 ? convk_cuda_orbitals_<real_, 1, 16, 0> : convk_cuda_orbitals_<real_, 1, 8, 0>;
}
#endif
#if CONVK_HAS_GRIDS_
/* ---- src/grids/arguments.h ---- */
/* What the kernels of grids take: where things are in work memory, in bytes, and how the grid is cut. */
CONVK_DEFINE_ARGUMENTS_(grids) {
  uint64_t axes, tables, lots, terms, weights; /* what the host made: see grids/device_types.h; weights: occupations */
  uint64_t values, lists, counts;              /* what kernels make: tables, those of each tile and how many */
  uint64_t n[3], tile[3], tiles[3];            /* points; points of a tile and how many tiles */
  uint64_t groups, ntables, nlots, norbitals;
  uint64_t sums, sums_bytes, plane_sums, lot_sums; /* along z: room for some planes; one plane's, at most a lot's of orbitals */
  uint64_t imag;                         /* how far behind terms their imaginary parts are, in elements; 0: there are none */
  uint64_t first_plane, planes;          /* of the results of this launch */
  uint64_t pitch_y, pitch_z, ld, out[5]; /* of results; OpenCL: where they begin */
  uint64_t cell,
      used; /* general cells, whose groups are `axes`: the cell; for each block of orbitals and group whether any has it */
  uint64_t strips_x, strips_y, rows_y; /* parts of a tile along x and y, and rows of each */
  uint32_t kinds, wanted, listed;      /* results, and which of a density; whether tiles have lists of tables */
  uint32_t wide, depth;                /* orbitals of a block, 0: steps along x, y and z; most powers of a group */
  uint32_t wave; /* of Bloch sums 1, and more: 2: phases along x; 4: complex weights; 8: a density is added to what is there */
  CONVK_ARGUMENT_T_ cut;
};
/* ---- src/grids/kernel.cuh ---- */
/* ---- Gaussians on grids ---- */

/* Choices: a thread's tile is as large as registers allow, since its sums are what the multiply-add peak needs; 8 tables at a
   time are what one step of the matrix unit takes; see tests/bench/audit. */
enum {
  CONVK_CUDA_GRIDS_ACROSS_ = 16,
  CONVK_CUDA_GRIDS_LINES_ = CONVK_CUDA_GAUSSIAN_THREADS_ / CONVK_CUDA_GRIDS_ACROSS_,
  CONVK_CUDA_GRIDS_WARPS_ = CONVK_CUDA_GAUSSIAN_THREADS_ / 32,
  CONVK_CUDA_GRIDS_MAXIMUM_ = 8, /* threads that look for the largest exponential of a tile */
  CONVK_CUDA_GRIDS_COLUMNS_ = 8, /* sums of a thread in a point */
  CONVK_CUDA_GRIDS_SLOPES_EACH_ = 3,
  CONVK_CUDA_GRIDS_SLOPES_COLUMNS_ = 2,
  CONVK_CUDA_GRIDS_QUEUE_ = 8 /* tables in shared memory at a time */
};

template <class real_> struct convk_cuda_grids_args_ {
  convk_grids_arguments_<real_> of;
  unsigned char *work;
  real_ *out[5];
  size_t count, tasks; /* of the kernels that make tables: parts of a line, of sums: of a lot, of results: of its columns; of
                              all: blocks */
  size_t deep;         /* planes of a block */
  size_t first_tile;   /* along z */
  size_t sets, steps;  /* kinds of sums along z; those that a weight has at most */
  size_t look;         /* tables of which a block has in shared memory what they are: many, as that takes four reads in turn */
  int shift;           /* of a block in each plane 2^shift columns */
};

/* Bytes from the host, as arguments: nothing else of it is needed, and graphs keep them.  These may take 4 KB, or 32,764 bytes
   with any driver for CUDA 13. */
enum {
#if defined CUDART_VERSION && CUDART_VERSION >= 13000 && !defined CONVK_HIP
  CONVK_CUDA_PUT_WORDS_ = 4080,
#else
  CONVK_CUDA_PUT_WORDS_ = 448,
#endif
  CONVK_CUDA_PUT_EACH_ = 256 /* of a block */
};
struct convk_cuda_put_args_ {
  uint64_t *to;
  uint64_t count, words[CONVK_CUDA_PUT_WORDS_];
};
static __global__ void convk_cuda_put_words_(const convk_cuda_put_args_ a) {
  const unsigned first = blockIdx.x * CONVK_CUDA_PUT_EACH_ + threadIdx.x, end = (blockIdx.x + 1) * CONVK_CUDA_PUT_EACH_;
  for (unsigned i = first; i < end && i < a.count; i += blockDim.x) a.to[i] = a.words[i];
}

/* Tables of a group along an axis, a thread for a point. */
template <class real_, int kinds_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_tables_(const convk_cuda_grids_args_<real_> a) {
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t line = convk_cuda_divide_(task, a.count);
    const convk_grids_axis_device_ &axis = ((const convk_grids_axis_device_ *)(const void *)(a.work + a.of.axes))[line];
    const size_t at = (task - line * a.count) * CONVK_CUDA_GAUSSIAN_THREADS_ + threadIdx.x;
    real_ *const to = (real_ *)(void *)(a.work + a.of.values) + axis.table + at;
    if (at < axis.count) convk_cuda_grids_table_point_(kinds_, &axis, at, a.of.cut, to);
  }
}

/* The largest exponential of each tile of an axis of a group: 8 threads for a tile. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_maxima_(const convk_cuda_grids_args_<real_> a) {
  const unsigned together = CONVK_CUDA_GRIDS_MAXIMUM_;
  real_ *const values = (real_ *)(void *)(a.work + a.of.values);
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t line = convk_cuda_divide_(task, a.count);
    const convk_grids_axis_device_ &axis = ((const convk_grids_axis_device_ *)(const void *)(a.work + a.of.axes))[line];
    const size_t tile = ((task - line * a.count) * CONVK_CUDA_GAUSSIAN_THREADS_ + threadIdx.x) / together;
    uint64_t i = tile * axis.tile, end = tile < axis.tiles ? i + axis.tile : 0;
    real_ maximum = 0;
    if (i < axis.low) i = axis.low;
    if (end > axis.low + axis.count) end = axis.low + axis.count;
    for (i += threadIdx.x % together; i < end; i += together)
      maximum = convk_cuda_max_(maximum, values[axis.table + axis.size + (i - axis.low)]);
    CONVK_CUDA_UNROLL_
    for (unsigned by = together / 2; by; by /= 2) maximum = convk_cuda_max_(maximum, CONVK_CUDA_SHUFFLE_XOR_(maximum, (int)by));
    if (tile < axis.tiles && threadIdx.x % together == 0) values[axis.maxima + tile] = maximum;
  }
}

/* Of the numbers of a block's threads: the sum of those up to a thread's own, and that of all.  The block waits once, for what
   was written to shared memory before.  counts: of each warp. */
CONVK_CUDA_INLINE_ int convk_cuda_grids_up_to_(int own, int *counts, int *all) {
  const int item = (int)threadIdx.x;
  CONVK_CUDA_UNROLL_
  for (int by = 1; by < 32; by *= 2) {
    const int left = CONVK_CUDA_SHUFFLE_UP_(own, (unsigned)by, 32);
    if (item % 32 >= by) own += left;
  }
  if (item % 32 == 31) counts[item / 32] = own;
  __syncthreads();
  *all = 0;
  CONVK_CUDA_EACH_(w, CONVK_CUDA_GRIDS_WARPS_) {
    if (w == item / 32) own += *all;
    *all += counts[w];
  }
  return own;
}

/* The tables of groups that are alive in a tile, in order: a block for a tile. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_lists_(const convk_cuda_grids_args_<real_> a) {
  const unsigned threads = CONVK_CUDA_GAUSSIAN_THREADS_, item = threadIdx.x;
  __shared__ int counts[2][CONVK_CUDA_GRIDS_WARPS_]; /* in turn, as slow threads may still read those before */
  const real_ *const values = (const real_ *)(const void *)(a.work + a.of.values);
  unsigned turn = 0;
  for (size_t tile = blockIdx.x; tile < a.tasks; tile += gridDim.x) {
    const size_t line = convk_cuda_divide_(tile, a.of.tiles[0]), x = tile - line * a.of.tiles[0];
    const size_t z = convk_cuda_divide_(line, a.of.tiles[1]), y = line - z * a.of.tiles[1];
    uint32_t *const list = (uint32_t *)(void *)(a.work + a.of.lists) + tile * a.of.ntables;
    unsigned all = 0;
    for (size_t g0 = 0; g0 < a.of.groups; g0 += threads, turn++) {
      const size_t g = g0 + item < a.of.groups ? g0 + item : a.of.groups - 1;
      const convk_grids_axis_device_ *const axis = (const convk_grids_axis_device_ *)(const void *)(a.work + a.of.axes) + 3 * g;
      const real_ ez = convk_cuda_mul_(values[axis[2].maxima + z], values[axis[0].maxima + x]);
      const int alive = g0 + item < a.of.groups && convk_cuda_mul_(values[axis[1].maxima + y], ez) >= a.of.cut;
      const unsigned rows = alive ? (unsigned)axis->rows : 0;
      int some;
      const unsigned end = all + (unsigned)convk_cuda_grids_up_to_((int)rows, counts[turn % 2], &some);
      for (unsigned k = 0; k < rows; k++) list[end - rows + k] = (uint32_t)axis->first + k;
      all += (unsigned)some;
    }
    if (item == 0) ((uint32_t *)(void *)(a.work + a.of.counts))[tile] = all;
  }
}

/* Terms of each orbital summed along z in each plane, which serve all its rows: a thread for a table and an orbital.  There are
   sets of them: with tables along z and with their derivatives; or of Bloch sums, which have real and imaginary parts in turn,
   once themselves, once multiplied by i and once by -1. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_sums_(const convk_cuda_grids_args_<real_> a) {
  const real_ *const values = (const real_ *)(const void *)(a.work + a.of.values);
  const uint64_t parts = a.of.wave ? 2 : 1;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t line = convk_cuda_divide_(task, a.count), above = convk_cuda_divide_(line, a.of.nlots);
    const convk_grids_lot_device_ &lot =
        ((const convk_grids_lot_device_ *)(const void *)(a.work + a.of.lots))[line - above * a.of.nlots];
    const size_t item = (task - line * a.count) * CONVK_CUDA_GAUSSIAN_THREADS_ + threadIdx.x;
    if (item >= lot.count * lot.rows) continue;
    const size_t q = convk_cuda_divide_(item, lot.rows), o = item - q * lot.rows;
    const convk_grids_table_device_ *const t =
        (const convk_grids_table_device_ *)(const void *)(a.work + a.of.tables) + lot.first;
    const convk_grids_axis_device_ &z =
        ((const convk_grids_axis_device_ *)(const void *)(a.work + a.of.axes))[3 * t[q].group + 2];
    const uint64_t plane = a.of.first_plane + above - z.low, kind = z.rows * z.count; /* plane wraps around before the first */
    const real_ *const own = (const real_ *)(const void *)(a.work + a.of.terms) + lot.terms + o * lot.apart + t[q].terms;
    real_ *const to = (real_ *)(void *)(a.work + a.of.sums) + above * a.sets * a.of.plane_sums + lot.sums +
                      ((uint64_t)(t[q].first - t[0].first) * lot.rows + o) * parts;
    if (plane >= z.count) continue;
    for (uint64_t set = 0; set < (a.of.wave ? 1 : a.sets); set++) {
      convk_grids_near_ e;
      e.degree = (int32_t)t[q].degree;
      e.z = z.table + set * kind + plane;
      e.z_count = z.count;
      e.z_bend = a.of.wave && z.size ? kind : 0;
      CONVK_CUDA_EACH_(b, CONVK_SHELL_MAX_L + 1) {
        real_ v, w;
        if (b > e.degree) break;
        convk_cuda_grids_along_z_(&e, values, own, a.of.imag, b, &v, &w);
        real_ *const sums = to + set * a.of.plane_sums + (uint64_t)b * lot.rows * parts;
        sums[0] = v;
        if (!a.of.wave) continue;
        sums[1] = w;
        sums[a.of.plane_sums] = -w;
        sums[a.of.plane_sums + 1] = v;
        sums[2 * a.of.plane_sums] = -v;
        sums[2 * a.of.plane_sums + 1] = -w;
      }
    }
  }
}

/* What a block makes: points of rows of some planes, of some columns: orbitals, or real and imaginary parts in turn. */
struct convk_cuda_grids_place_ {
  uint64_t tile[3], at[3], list, column, columns; /* at: the first point, row and plane; column: the first one, of those of the
                                                     lot, which has `columns` */
  int nx, ny, nz;
  unsigned kind; /* of results */
  const convk_grids_lot_device_ *lot;
};

/* What rows or columns bring to weights of a table, which has `count` of them from `begin` on: for powers 0 .. degree of y, at
   distances of `apart`, one number, and where it is bent another one. */
struct __align__(16) convk_cuda_grids_part_ {
  uint64_t from, other, apart;
  int begin, count;
};

/* A table that counts there: rows [0] and columns [1]; where its points along x are, from the block's first one on, and which
   of them it has; the first exponential along y; for each column the largest exponential along x times that along z.  Its size
   is an odd number of 16 bytes, so that threads side by side write theirs without conflicts. */
template <class real_> struct __align__(16) convk_cuda_grids_table_ {
  convk_cuda_grids_part_ part[2];
  uint64_t x, size;
  int x_begin, x_count, degree, bent;
  real_ ez[CONVK_CUDA_GRIDS_COLUMNS_];
  uint64_t unused[2];
};

/* Where a thread has its sums: of a row of the block, in points x(u).  Two ways: as the matrix unit wants them, or 16 threads
   side by side, so that the two lines of a warp share what they read of shared memory. */
template <class real_, int each_> struct convk_cuda_grids_thread_ {
  enum { matrix = CONVK_CUDA_MATRIX_ && sizeof(real_) == 8 && each_ % 2 == 0 };
  static __device__ __forceinline__ int row() {
    return matrix ? (int)threadIdx.x % 32 / 4 : (int)threadIdx.x / CONVK_CUDA_GRIDS_ACROSS_;
  }
  static __device__ __forceinline__ int x(int u) {
    return matrix ? (int)threadIdx.x / 32 * (4 * each_) + 2 * ((int)threadIdx.x % 4) + u / 2 * 8 + u % 2
                  : (int)threadIdx.x % CONVK_CUDA_GRIDS_ACROSS_ + u * CONVK_CUDA_GRIDS_ACROSS_;
  }
};

/* Shared memory: QUEUE tables along x, and the weights that rows and columns give these, twice, as one set is made while the
   other is read.  A column is an orbital in a plane; a thread has columns_ sums of a row in each of its points.  Pitches keep
   loads of the matrix unit free of conflicts. */
template <class real_, int each_, int columns_> struct __align__(16) convk_cuda_grids_room_ {
  enum {
    width = CONVK_CUDA_GRIDS_ACROSS_ * each_,
    weights_pitch = CONVK_CUDA_GRIDS_LINES_ * columns_ + 16 / (int)sizeof(real_)
  };
  real_ weights[2][CONVK_CUDA_GRIDS_QUEUE_][weights_pitch], panel[2][CONVK_CUDA_GRIDS_QUEUE_][width + 4];
  real_ size[2][CONVK_CUDA_GRIDS_QUEUE_][CONVK_CUDA_GRIDS_LINES_]; /* exponentials along y */
  convk_cuda_grids_place_ place;
  int counts[CONVK_CUDA_GRIDS_WARPS_];
};

/* What is there besides, in dynamic shared memory: up to a.look tables; the numbers of those that count; and for QUEUE of
   these, twice, what makes weights, of 8 rows and as many columns each. */
template <class real_> struct convk_cuda_grids_dynamic_ {
  convk_cuda_grids_table_<real_> *table;
  real_ *parts;
  int *order;
};
template <class real_>
CONVK_CUDA_INLINE_ convk_cuda_grids_dynamic_<real_> convk_cuda_grids_dynamic_of_(size_t look, size_t steps) {
  CONVK_CUDA_SHARED_(memory);
  convk_cuda_grids_dynamic_<real_> dynamic;
  dynamic.parts = (real_ *)(void *)memory;
  dynamic.table = (convk_cuda_grids_table_<real_> *)(void *)(dynamic.parts + 2 * CONVK_CUDA_GRIDS_QUEUE_ * 16 * steps);
  dynamic.order = (int *)(void *)(dynamic.table + look);
  return dynamic;
}

/* One pass over all tables for sums of a kind.  weight, along: see convk_grids_look_, but that those of Bloch sums are 4 for
   both parts; set, other: which sums along z go with tables along y, and with bent ones. */
struct convk_cuda_grids_pass_ {
  int weight, along, set, other;
};

/* Pass number i of a kind of results; 0: there is none. */
template <class real_>
CONVK_CUDA_INLINE_ int convk_cuda_grids_pass_of_(const convk_grids_arguments_<real_> &of, unsigned kind, int i,
                                                 convk_cuda_grids_pass_ *pass) {
  const int laplacian = kind == 4;
  pass->weight = of.wave ? 4 : laplacian ? 3 * i : kind > 1 ? (int)kind - 1 : 0;
  pass->along = of.wave ? i : laplacian ? 2 - 2 * i : kind == 1;
  pass->set = of.wave ? i : pass->weight > 1 ? pass->weight - 1 : 0;
  pass->other = of.wave ? i + 1 : 0;
  return i < (of.wave ? of.wave & 2 ? 2 : 1 : 1 + laplacian);
}

/* Where task `task` is: parts of tiles along x, kinds of results, lots; then parts along y, along z.  place->nx 0: nowhere. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_place_of_(const convk_cuda_grids_args_<real_> &a, size_t task, int width,
                                                   convk_cuda_grids_place_ *place) {
  const convk_grids_arguments_<real_> &of = a.of;
  const size_t many = convk_cuda_divide_(task, a.count), groups = of.strips_x * of.kinds * of.nlots;
  const size_t line = convk_cuda_divide_(many, groups), group = many - line * groups;
  const size_t rest = convk_cuda_divide_(group, of.strips_x), lot = convk_cuda_divide_(rest, of.kinds);
  const size_t above = convk_cuda_divide_(line, of.strips_y);
  const size_t part[3] = {group - rest * of.strips_x, line - above * of.strips_y, above};
  const size_t across[3] = {(size_t)width, CONVK_CUDA_GRIDS_LINES_, a.deep};
  const uint64_t first = of.first_plane, end = first + of.planes;
  int n[3];
  place->nx = 0;
  place->kind = (unsigned)(rest - lot * of.kinds);
  place->lot = (const convk_grids_lot_device_ *)(const void *)(a.work + of.lots) + lot;
  place->column = (task - many * a.count) << a.shift;
  place->columns = place->lot->rows * (of.wave ? 2 : 1);
  if (place->column && place->column >= place->columns) return; /* of a density of no orbitals there is one block, too */
  CONVK_CUDA_EACH_(d, 3) {
    const size_t own = (of.tile[d] + across[d] - 1) / across[d], tile = convk_cuda_divide_(part[d], own);
    place->tile[d] = tile + (d == 2 ? a.first_tile : 0);
    const uint64_t begin = place->tile[d] * of.tile[d], at = begin + (part[d] - tile * own) * across[d];
    uint64_t last = begin + of.tile[d] < of.n[d] ? begin + of.tile[d] : of.n[d];
    if (at + across[d] < last) last = at + across[d];
    if (d == 2 && last > end) last = end;
    place->at[d] = d == 2 && at < first ? first : at;
    if (place->at[d] >= last) return;
    n[d] = (int)(last - place->at[d]);
  }
  place->nx = n[0];
  place->ny = n[1];
  place->nz = n[2];
  place->list = (place->tile[2] * of.tiles[1] + place->tile[1]) * of.tiles[0] + place->tile[0];
}

/* The same for all threads of a block, one of which finds it. */
template <class real_, int each_, int columns_>
CONVK_CUDA_INLINE_ int convk_cuda_grids_go_to_(const convk_cuda_grids_args_<real_> &a, size_t task,
                                               convk_cuda_grids_room_<real_, each_, columns_> &room) {
  __syncthreads();
  if (threadIdx.x == 0) convk_cuda_grids_place_of_(a, task, room.width, &room.place);
  __syncthreads();
  return room.place.nx;
}

/* Which of up to a.look tables of the place count, from q0 on: how many. */
template <class real_, int each_, int columns_>
CONVK_CUDA_INLINE_ int convk_cuda_grids_look_up_(const convk_cuda_grids_args_<real_> &a, unsigned q0, int some,
                                                 const convk_cuda_grids_pass_ &pass,
                                                 const convk_cuda_grids_dynamic_<real_> &dynamic,
                                                 convk_cuda_grids_room_<real_, each_, columns_> &room) {
  const int item = (int)threadIdx.x;
  const convk_grids_arguments_<real_> &of = a.of;
  const convk_cuda_grids_place_ &place = room.place;
  const real_ *const values = (const real_ *)(const void *)(a.work + of.values);
  const convk_grids_table_device_ *const tables = (const convk_grids_table_device_ *)(const void *)(a.work + of.tables);
  int alive = 0, end, all;
  if (item < some) {
    const uint32_t *const list = (const uint32_t *)(const void *)(a.work + of.lists) + place.list * of.ntables;
    const convk_grids_table_device_ &t = tables[of.listed ? list[q0 + (unsigned)item] : place.lot->first + q0 + (unsigned)item];
    const convk_grids_axis_device_ *const x = (const convk_grids_axis_device_ *)(const void *)(a.work + of.axes) + 3 * t.group;
    const uint64_t sums = place.lot->sums + (uint64_t)(t.first - tables[place.lot->first].first) * place.columns;
    convk_cuda_grids_table_<real_> &table = dynamic.table[item];
    convk_grids_near_ e;
    real_ ez;
    convk_cuda_grids_look_(&t, x - 3 * t.group, values, place.tile, place.at, place.nx, place.ny, of.cut, pass.weight,
                           pass.along, &e, &ez);
    alive = e.alive;
    const int begin = convk_cuda_grids_inside_(x[2].low, place.at[2], place.nz);
    const convk_cuda_grids_part_ of_rows = {e.y, e.y + e.y_bend, e.y_count, e.y_begin, e.y_end - e.y_begin};
    const convk_cuda_grids_part_ of_columns = {sums + (uint64_t)pass.set * of.plane_sums,
                                               sums + (uint64_t)pass.other * of.plane_sums, place.columns, begin,
                                               convk_cuda_grids_inside_(x[2].low + x[2].count, place.at[2], place.nz) - begin};
    table.part[0] = of_rows;
    table.part[1] = of_columns;
    table.x = e.x;
    table.size = e.size;
    table.x_begin = e.x_begin;
    table.x_count = e.x_end - e.x_begin;
    table.degree = e.degree;
    table.bent = e.y_bend != 0;
    CONVK_CUDA_UNROLL_BY_(1)
    for (int c = 0; c < columns_; c++) {
      if (c && (c & ((1 << a.shift) - 1)) == 0) {
        ez = 0;
        if (c >> a.shift < place.nz)
          alive |= convk_cuda_grids_reaches_(x, values, place.tile, place.at[2] + (uint64_t)(c >> a.shift), of.cut, &ez);
      }
      table.ez[c] = ez;
    }
  }
  end = convk_cuda_grids_up_to_(alive, room.counts, &all);
  if (alive) dynamic.order[end - 1] = item;
  __syncthreads();
  return all;
}

/* What a thread brings of what makes weights: of a row or of a column, number `place` of them; or nothing, where that is -1.
   own: where its first one would be, if all began at 0. */
template <class real_> struct convk_cuda_grids_bringer_ {
  const real_ *own;
  int place;
};
template <class real_>
CONVK_CUDA_INLINE_ convk_cuda_grids_bringer_<real_> convk_cuda_grids_bringer_of_(const convk_cuda_grids_args_<real_> &a,
                                                                                 const convk_cuda_grids_place_ &place,
                                                                                 uint64_t column, int columns) {
  const int k = (int)threadIdx.x % 16, c = k - CONVK_CUDA_GRIDS_LINES_, plane = c >> a.shift;
  convk_cuda_grids_bringer_<real_> result = {(const real_ *)(const void *)(a.work + a.of.values) + k, k};
  if (c < 0) return result;
  column += (uint64_t)(c & ((1 << a.shift) - 1));
  result.place = c < columns && column < place.columns ? plane : -1;
  result.own = (const real_ *)(const void *)(a.work + a.of.sums) +
               (place.at[2] - a.of.first_plane + (uint64_t)plane) * a.sets * a.of.plane_sums + column;
  return result;
}

/* Asks for what makes weights of up to QUEUE tables, from q0 on: 16 threads for each of them. */
template <class real_, int each_, int columns_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_bring_(const convk_cuda_grids_args_<real_> &a, int q0, int some,
                                                const convk_cuda_grids_bringer_<real_> &bringer,
                                                const convk_cuda_grids_dynamic_<real_> &dynamic,
                                                convk_cuda_grids_room_<real_, each_, columns_> &room) {
  const int q = (int)threadIdx.x / 16, k = (int)threadIdx.x % 16, role = k / CONVK_CUDA_GRIDS_LINES_;
  const int buffer = q0 / CONVK_CUDA_GRIDS_QUEUE_ % 2;
  if (q >= some) return;
  const convk_cuda_grids_table_<real_> &e = dynamic.table[dynamic.order[q0 + q]];
  const convk_cuda_grids_part_ part = e.part[role];
  const int inside = (unsigned)(bringer.place - part.begin) < (unsigned)part.count, degree = e.degree, bent = e.bent;
  const uint64_t size = e.size;
  const real_ *from = bringer.own + part.from, *other = bringer.own + part.other;
  real_ *to = dynamic.parts + (buffer * CONVK_CUDA_GRIDS_QUEUE_ + q) * (int)a.steps * 16 + k;
  if (role == 0) convk_cuda_bring_one_(&room.size[buffer][q][k], bringer.own + size, inside);
  CONVK_CUDA_UNROLL_BY_(1)
  for (int b = 0; b <= degree; b++, from += part.apart, other += part.apart) {
    convk_cuda_bring_one_(to, from, inside);
    to += 16;
    if (!bent) continue;
    convk_cuda_bring_one_(to, other, inside);
    to += 16;
  }
}

/* Asks for up to QUEUE tables along x from q0 on, and makes their weights; those behind the last table add nothing. */
template <class real_, int each_, int columns_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_weigh_(const convk_cuda_grids_args_<real_> &a, int q0, int some,
                                                const convk_cuda_grids_dynamic_<real_> &dynamic,
                                                convk_cuda_grids_room_<real_, each_, columns_> &room) {
  enum { /* a thread makes `pack` columns that lie side by side, of `rows` rows */
         own = columns_ * CONVK_CUDA_GRIDS_LINES_ / 16,
         most = 16 / (int)sizeof(real_),
         pack = own < most ? 1 : most,
         rows = own / pack,
         apart = CONVK_CUDA_GRIDS_LINES_ / rows
  };
  const int q = (int)threadIdx.x / 16, k = (int)threadIdx.x % 16, row = k * pack / columns_, first = k * pack % columns_;
  const int buffer = q0 / CONVK_CUDA_GRIDS_QUEUE_ % 2;
  const convk_cuda_grids_table_<real_> &e = dynamic.table[dynamic.order[q < some ? q0 + q : q0]];
  const real_ *const from = (const real_ *)(const void *)(a.work + a.of.values) + (e.x + (uint64_t)k);
  const real_ *parts = dynamic.parts + (buffer * CONVK_CUDA_GRIDS_QUEUE_ + q) * (int)a.steps * 16;
  const unsigned x_count = q < some ? (unsigned)e.x_count : 0;
  const int from_x = k - e.x_begin, steps = q < some ? (e.degree + 1) * (e.bent + 1) : 0;
  real_ sum[rows][pack];
  CONVK_CUDA_EACH_(u, each_)
    convk_cuda_bring_one_(&room.panel[buffer][q][k + u * CONVK_CUDA_GRIDS_ACROSS_], from + u * CONVK_CUDA_GRIDS_ACROSS_,
                          (unsigned)(from_x + u * CONVK_CUDA_GRIDS_ACROSS_) < x_count);
  CONVK_CUDA_EACH_(i, own) sum[i / pack][i % pack] = q < some ? (real_)0 : -(real_)0;
  CONVK_CUDA_UNROLL_BY_(1)
  for (int step = 0; step < steps; step++, parts += 16) {
    real_ v[pack];
    convk_cuda_gets_<pack, pack>(v, parts + CONVK_CUDA_GRIDS_LINES_ + first);
    CONVK_CUDA_EACH_(i, own)
      sum[i / pack][i % pack] = convk_cuda_fma_(v[i % pack], parts[row + i / pack * apart], sum[i / pack][i % pack]);
  }
  if (q < some) {
    real_ ez[pack];
    convk_cuda_gets_<pack, pack>(ez, e.ez + first);
    CONVK_CUDA_EACH_(i, own) {
      const real_ size = convk_cuda_mul_(room.size[buffer][q][row + i / pack * apart], ez[i % pack]);
      sum[i / pack][i % pack] = size < a.of.cut ? (real_)0 : sum[i / pack][i % pack];
    }
  }
  CONVK_CUDA_EACH_(i, rows)
    convk_cuda_puts_<pack, pack>(&room.weights[buffer][q][(row + i * apart) * columns_ + first], sum[i]);
}

/* Adds up to QUEUE tables to sums of a thread, in their order. */
template <class real_, int each_, int columns_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_multiply_(int buffer, int some,
                                                   const convk_cuda_grids_room_<real_, each_, columns_> &room,
                                                   real_ (*sum)[each_]) {
  typedef convk_cuda_grids_thread_<real_, each_> thread;
  enum { pack = 16 / (int)sizeof(real_) };
  const int row = thread::row();
  if (thread::matrix) { /* products of 16 by 8 elements over 8 tables: two columns of all rows by 8 points */
    const int lane = (int)threadIdx.x % 32, k = lane % 4, x = (int)threadIdx.x / 32 * (4 * each_) + lane / 4;
    real_ v[each_ / 2][2];
    CONVK_CUDA_EACH_(i, each_ / 2 * 2) v[i / 2][i % 2] = room.panel[buffer][k + i % 2 * 4][x + i / 2 * 8];
    CONVK_CUDA_UNROLL_
    for (int c = 0; c < columns_; c += 2) {
      real_ w[2][4];
      CONVK_CUDA_EACH_(i, 2) convk_cuda_get_(w[i], &room.weights[buffer][k + 4 * i][row * columns_ + c]);
      CONVK_CUDA_EACH_(i, each_ / 2) convk_cuda_multiply_(w, v[i], &sum[c][2 * i], &sum[c + 1][2 * i]);
    }
  } else {
    CONVK_CUDA_UNROLL_BY_(1)
    for (int q = 0; q < some; q++) {
      real_ v[each_], w[columns_];
      CONVK_CUDA_EACH_(u, each_) v[u] = room.panel[buffer][q][thread::x(u)];
      convk_cuda_gets_ < columns_<pack ? 1 : pack, columns_>(w, &room.weights[buffer][q][row * columns_]);
      CONVK_CUDA_EACH_(p, columns_)
        CONVK_CUDA_EACH_(u, each_) sum[p][u] = convk_cuda_fma_(w[p], v[u], sum[p][u]);
    }
  }
}

/* Sums of a kind, over all tables of the place.  What weights of QUEUE tables need is on its way while those before it get
   their weights, and those before these are multiplied. */
template <class real_, int each_, int columns_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_product_(const convk_cuda_grids_args_<real_> &a, unsigned kind, uint64_t column,
                                                  convk_cuda_grids_room_<real_, each_, columns_> &room, real_ (*sum)[each_]) {
  const convk_cuda_grids_place_ &place = room.place;
  const int queue = CONVK_CUDA_GRIDS_QUEUE_;
  const convk_cuda_grids_dynamic_<real_> dynamic = convk_cuda_grids_dynamic_of_<real_>(a.look, a.steps);
  const unsigned count = /* of all tables of all groups, which are fewer than 2^31 */
      a.of.listed ? ((const uint32_t *)(const void *)(a.work + a.of.counts))[place.list] : (unsigned)place.lot->count;
  convk_cuda_grids_pass_ pass;
  CONVK_CUDA_EACH_(i, columns_ * each_) sum[i / each_][i % each_] = 0;
  CONVK_CUDA_UNROLL_BY_(1)
  for (int i = 0; convk_cuda_grids_pass_of_(a.of, kind, i, &pass); i++) {
    const convk_cuda_grids_bringer_<real_> bringer = convk_cuda_grids_bringer_of_(a, place, column, columns_);
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned from = 0; from < count; from += (unsigned)a.look) {
      const int all = convk_cuda_grids_look_up_(a, from, convk_cuda_least_(count - from, (int)a.look), pass, dynamic, room);
      CONVK_CUDA_UNROLL_BY_(1)
      for (int q = -queue; q < all + queue; q += queue) {
        if (q + queue < all) convk_cuda_grids_bring_(a, q + queue, all - q - queue, bringer, dynamic, room);
        if (q >= 0 && q < all) convk_cuda_grids_weigh_(a, q, all - q, dynamic, room);
        if (q >= queue)
          convk_cuda_grids_multiply_((q / queue + 1) % 2, convk_cuda_least_((size_t)(all - q + queue), queue), room, sum);
        convk_cuda_copies_wait_();
        __syncthreads();
      }
    }
  }
}

/* Sums of column c go to its rows of a result, or to those of one of its planes. */
template <class real_, int each_>
CONVK_CUDA_INLINE_ real_ *convk_cuda_grids_to_(const convk_cuda_grids_args_<real_> &a, const convk_cuda_grids_place_ &place,
                                               int apart, int plane, real_ *out) {
  return out + (uint64_t)apart *
                   ((place.at[2] - a.of.first_plane + (uint64_t)plane) * a.of.pitch_z +
                    (place.at[1] + (uint64_t)convk_cuda_grids_thread_<real_, each_>::row()) * a.of.pitch_y + place.at[0]);
}
template <class real_, int each_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_store_(const convk_cuda_grids_place_ &place, int apart, const real_ *sum, real_ *to) {
  typedef convk_cuda_grids_thread_<real_, each_> thread;
  const int pairs = thread::matrix && apart == 1 && ((uintptr_t)to & 15) == 0;
  CONVK_CUDA_EACH_(u, each_) {
    const int x = thread::x(u), even = u & ~1;
    if (pairs && thread::x(even) + 1 < place.nx) {
      if (u == even) convk_cuda_put_whole_(to + x, sum + u);
    } else if (x < place.nx) {
      to[apart * x] = sum[u];
    }
  }
}

/* Blocks of a multiprocessor are named, as else ptxas holds some of these kernels to so few registers that it spills a few. */

/* Results on a grid: a block makes points along x of rows and columns of a lot. */
template <class real_, int each_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, sizeof(real_) == 4 ? 4 : 3)
    convk_cuda_grid_(const convk_cuda_grids_args_<real_> a) {
  enum { columns = CONVK_CUDA_GRIDS_COLUMNS_ };
  __shared__ convk_cuda_grids_room_<real_, each_, columns> room;
  const uint64_t parts = a.of.wave ? 2 : 1;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const convk_cuda_grids_place_ &place = room.place;
    real_ sum[columns][each_];
    if (!convk_cuda_grids_go_to_(a, task, room)) continue; /* all threads */
    convk_cuda_grids_product_(a, place.kind, place.column, room, sum);
    const unsigned kind = place.kind;
    real_ *const out = kind == 0 ? a.out[0] : kind == 1 ? a.out[1] : kind == 2 ? a.out[2] : kind == 3 ? a.out[3] : a.out[4];
    CONVK_CUDA_EACH_(c, columns) {
      const int plane = c >> a.shift;
      const uint64_t column = place.column + (uint64_t)(c & ((1 << a.shift) - 1));
      if (column < place.columns && plane < place.nz && convk_cuda_grids_thread_<real_, each_>::row() < place.ny)
        convk_cuda_grids_store_<real_, each_>(place, (int)parts, sum[c],
                                              convk_cuda_grids_to_<real_, each_>(a, place, (int)parts, plane, out) +
                                                  parts * ((place.lot->row + (a.of.wave ? column / 2 : column)) * a.of.ld) +
                                                  (a.of.wave ? column % 2 : 0));
    }
  }
}

/* A density on a grid, in registers over all columns: those of some planes, or one plane's, abreast at a time. */
template <class real_, int each_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, sizeof(real_) == 4 ? 4
                                                                        : each_ > 4        ? 2
                                                                                           : 3)
    convk_cuda_grids_density_(const convk_cuda_grids_args_<real_> a) {
  enum { columns = CONVK_CUDA_GRIDS_COLUMNS_ };
  typedef convk_cuda_grids_thread_<real_, each_> thread;
  __shared__ convk_cuda_grids_room_<real_, each_, columns> room;
  const real_ *const weights = (const real_ *)(const void *)(a.work + a.of.weights);
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const convk_cuda_grids_place_ &place = room.place;
    real_ total[each_];
    if (!convk_cuda_grids_go_to_(a, task, room)) continue; /* all threads */
    for (uint64_t first = 0; first == 0 || first < place.columns; first += (uint64_t)1 << a.shift) {
      real_ sum[columns][each_];
      convk_cuda_grids_product_(a, 0, first, room, sum);
      CONVK_CUDA_EACH_(c, columns) {
        const int slot = c & ((1 << a.shift) - 1), plane = c >> a.shift;
        const int inside = plane < place.nz && thread::row() < place.ny;
        const uint64_t column = first + (uint64_t)slot;
        real_ *const to = convk_cuda_grids_to_<real_, each_>(a, place, 1, plane, a.out[0]);
        CONVK_CUDA_EACH_(u, each_) {
          if (column == 0) total[u] = a.of.wave & 8 && inside && thread::x(u) < place.nx ? to[thread::x(u)] : (real_)0;
          if (column < place.columns)
            total[u] = convk_cuda_gaussian_add_square_(weights[a.of.wave ? column / 2 : column], sum[c][u], total[u]);
        }
        if (inside && slot + 1 == 1 << a.shift && column + 1 >= place.columns)
          convk_cuda_grids_store_<real_, each_>(place, 1, total, to);
      }
    }
  }
}

/* The same with what derivatives give, an orbital after the other. */
template <class real_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, 2 + (sizeof(real_) == 4))
    convk_cuda_grids_slopes_(const convk_cuda_grids_args_<real_> a) {
  enum { each = CONVK_CUDA_GRIDS_SLOPES_EACH_, columns = CONVK_CUDA_GRIDS_SLOPES_COLUMNS_ };
  __shared__ convk_cuda_grids_room_<real_, each, columns> room;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const convk_cuda_grids_place_ &place = room.place;
    real_ total[5][columns][each];
    if (!convk_cuda_grids_go_to_(a, task, room)) continue; /* all threads */
    CONVK_CUDA_EACH_(i, 5 * columns * each) total[i / (columns * each)][i / each % columns][i % each] = 0;
    for (uint64_t o = 0; o < place.columns; o++) {
      const real_ weight = ((const real_ *)(const void *)(a.work + a.of.weights))[o];
      real_ value[columns][each], squares[columns][each];
      CONVK_CUDA_UNROLL_BY_(1)
      for (int d = 0; d < 4; d++) { /* itself, then its slopes */
        real_ sum[columns][each];
        convk_cuda_grids_product_(a, (unsigned)d, o, room, sum);
        CONVK_CUDA_EACH_(i, columns * each) {
          const int p = i / each, u = i % each;
          if (d == 0) {
            total[0][p][u] = convk_cuda_gaussian_add_square_(weight, sum[p][u], total[0][p][u]);
            value[p][u] = sum[p][u];
            squares[p][u] = 0;
          } else {
            const real_ twice = convk_cuda_mul_(convk_cuda_add_(weight, weight), convk_cuda_gaussian_large_(value[p][u]));
            real_ slope = total[1][p][u];
            if (d == 2) slope = total[2][p][u];
            if (d == 3) slope = total[3][p][u];
            convk_cuda_grids_add_slope_(twice, sum[p][u], &slope, &squares[p][u]);
            if (d == 1) total[1][p][u] = slope;
            else if (d == 2) total[2][p][u] = slope;
            else total[3][p][u] = slope;
          }
        }
      }
      CONVK_CUDA_EACH_(i, columns * each) {
        real_ &tau = total[4][i / each][i % each];
        tau = convk_cuda_fma_(convk_cuda_mul_((real_)0.5, weight), squares[i / each][i % each], tau);
      }
    }
    CONVK_CUDA_EACH_(i, 5 * columns) {
      const int k = i / columns, plane = i % columns;
      if (a.of.wanted >> k & 1 && plane < place.nz && convk_cuda_grids_thread_<real_, each>::row() < place.ny)
        convk_cuda_grids_store_<real_, each>(place, 1, total[k][plane],
                                             convk_cuda_grids_to_<real_, each>(a, place, 1, plane, a.out[k]));
    }
  }
}

/* ---- general cells: a thread makes a point, of wide_ orbitals; images come through shared memory ---- */

template <class real_> struct convk_cuda_cells_room_ {
  double at[CONVK_CUDA_GAUSSIAN_THREADS_][6];                                    /* see convk_cells_moved_ */
  uint64_t own[CONVK_CUDA_GAUSSIAN_THREADS_], end[CONVK_CUDA_GAUSSIAN_THREADS_]; /* images of groups, and all up to them */
  real_ phase[CONVK_CUDA_GAUSSIAN_THREADS_][2];
  int alive[CONVK_CUDA_GAUSSIAN_THREADS_]; /* the number of its group among those in `own`, or -1 */
};

/* Where a block is: its first point and row, its plane, how many points and rows there are; the block's first point and the
   thread's from the first one of the box. */
struct convk_cuda_cells_place_ {
  uint64_t first[3];
  int nx, ny;
  double from[3], hi[3], lo[3];
};

template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_cells_place_of_(const convk_cuda_grids_args_<real_> &a, size_t task,
                                                   convk_cuda_cells_place_ *place) {
  const int across = CONVK_CUDA_GRIDS_ACROSS_, x = (int)threadIdx.x % across, y = (int)threadIdx.x / across;
  const convk_cells_device_ *const cell = (const convk_cells_device_ *)(const void *)(a.work + a.of.cell);
  const size_t line = convk_cuda_divide_(task, a.of.strips_x), plane = convk_cuda_divide_(line, a.of.strips_y);
  double lost[3];
  place->first[0] = (task - line * a.of.strips_x) * (size_t)across;
  place->first[1] = (line - plane * a.of.strips_y) * (size_t)CONVK_CUDA_GRIDS_LINES_;
  place->first[2] = a.of.first_plane + plane;
  place->nx = convk_cuda_least_(a.of.n[0] - place->first[0], across);
  place->ny = convk_cuda_least_(a.of.n[1] - place->first[1], CONVK_CUDA_GRIDS_LINES_);
  convk_cuda_cells_point_(cell, (double)place->first[0], (double)place->first[1], (double)place->first[2], place->from, lost);
  convk_cuda_cells_point_(cell, (double)(place->first[0] + (uint64_t)x), (double)(place->first[1] + (uint64_t)y),
                          (double)place->first[2], place->hi, place->lo);
}

/* Images of groups from g0 on, a thread for each group: how many may count in the block, if its orbitals have the group. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_cells_count_(const convk_cuda_grids_args_<real_> &a, const convk_cuda_cells_place_ &place,
                                                size_t block, size_t g0, convk_cuda_cells_room_<real_> &room) {
  const size_t g = g0 + threadIdx.x;
  const convk_cells_device_ *const cell = (const convk_cells_device_ *)(const void *)(a.work + a.of.cell);
  uint64_t end = 0;
  room.own[threadIdx.x] = 0;
  if (g < a.of.groups && a.work[a.of.used + block * a.of.groups + g]) {
    convk_cells_reach_device_ reach;
    convk_cuda_cells_reach_of_(cell, (const convk_cells_group_device_ *)(const void *)(a.work + a.of.axes) + g, place.from,
                               place.nx, place.ny, &reach);
    room.own[threadIdx.x] = reach.count[0] * reach.count[1] * reach.count[2];
  }
  __syncthreads();
  for (unsigned i = 0; i <= threadIdx.x; i++) end += room.own[i];
  room.end[threadIdx.x] = end;
  __syncthreads();
}

/* Number q of these images: a thread looks at it. */
template <class real_, int wave_>
CONVK_CUDA_INLINE_ void convk_cuda_cells_look_(const convk_cuda_grids_args_<real_> &a, const convk_cuda_cells_place_ &place,
                                               size_t g0, uint64_t q, convk_cuda_cells_room_<real_> &room) {
  const int item = (int)threadIdx.x;
  const convk_cells_device_ *const cell = (const convk_cells_device_ *)(const void *)(a.work + a.of.cell);
  const convk_cells_group_device_ *group = (const convk_cells_group_device_ *)(const void *)(a.work + a.of.axes) + g0;
  convk_cells_reach_device_ reach;
  double n[3], at[6], cosine = 1, sine = 0;
  int low = 0, high = CONVK_CUDA_GAUSSIAN_THREADS_ - 1;
  room.alive[item] = -1;
  if (q >= room.end[high]) return;
  while (low < high) { /* the first group that ends behind q */
    const int middle = (low + high) / 2;
    if (room.end[middle] > q) high = middle;
    else low = middle + 1;
  }
  group += low;
  convk_cuda_cells_reach_of_(cell, group, place.from, place.nx, place.ny, &reach);
  if (!convk_cuda_cells_number_(cell, &reach, q - (room.end[low] - room.own[low]), n)) return;
  convk_cuda_cells_moved_(cell, group, n, at);
  for (int d = 0; d < 6; d++) room.at[item][d] = at[d];
  if (wave_) convk_cuda_cells_phase_device_(cell, n, &cosine, &sine);
  room.phase[item][0] = (real_)cosine;
  room.phase[item][1] = (real_)sine;
  room.alive[item] = low;
}

/* Sums of a block of orbitals over all groups and images, in their order. */
template <class real_, int kinds_, int wide_>
CONVK_CUDA_INLINE_ void convk_cuda_cells_sum_(const convk_cuda_grids_args_<real_> &a, const convk_cuda_cells_place_ &place,
                                              size_t block, convk_cuda_cells_room_<real_> &room, real_ *sum) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_;
  const real_ *const terms = (const real_ *)(const void *)(a.work + a.of.terms) + block * a.of.ntables * wide_;
  CONVK_CUDA_EACH_(i, kinds_ * wide_) sum[i] = 0;
  for (size_t g0 = 0; g0 < a.of.groups; g0 += threads) {
    const convk_cells_group_device_ *const group = (const convk_cells_group_device_ *)(const void *)(a.work + a.of.axes) + g0;
    convk_cuda_cells_count_(a, place, block, g0, room);
    const uint64_t all = room.end[threads - 1];
    for (uint64_t q0 = 0; q0 < all; q0 += threads) {
      const int some = convk_cuda_least_(all - q0, threads);
      convk_cuda_cells_look_<real_, kinds_ == 2>(a, place, g0, q0 + threadIdx.x, room);
      __syncthreads();
      CONVK_CUDA_UNROLL_BY_(1)
      for (int q = 0; q < some; q++)
        if (room.alive[q] >= 0)
          convk_cuda_cells_image_of_device_(kinds_, wide_, group + room.alive[q], terms, a.of.imag, a.of.cut, place.hi,
                                            place.lo, room.at[q], room.phase[q][0], room.phase[q][1], sum);
      __syncthreads();
    }
  }
}

/* Results on a grid of a general cell: a block makes points of rows of a plane, of wide_ orbitals or of a density. */
template <class real_, int kinds_, int wide_, int density_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, (sizeof(real_) == 4 ? 4 : 3) - (kinds_ == 5))
    convk_cuda_cell_(const convk_cuda_grids_args_<real_> a) {
  __shared__ convk_cuda_cells_room_<real_> room;
  const int x = (int)threadIdx.x % CONVK_CUDA_GRIDS_ACROSS_, y = (int)threadIdx.x / CONVK_CUDA_GRIDS_ACROSS_;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t o = convk_cuda_divide_(task, a.count); /* the block of orbitals */
    convk_cuda_cells_place_ place;
    real_ sum[kinds_ * wide_], total[5] = {0, 0, 0, 0, 0};
    convk_cuda_cells_place_of_(a, task - o * a.count, &place);
    const int inside = x < place.nx && y < place.ny;
    const size_t at = (size_t)((place.first[2] - a.of.first_plane) * a.of.pitch_z +
                               (place.first[1] + (uint64_t)y) * a.of.pitch_y + place.first[0] + (uint64_t)x);
    if (density_) {
      const real_ *const weights = (const real_ *)(const void *)(a.work + a.of.weights);
      if (inside && a.of.wave & 8) total[0] = a.out[0][at];
      for (size_t block = 0; block * wide_ < a.of.norbitals; block++) {
        convk_cuda_cells_sum_<real_, kinds_, wide_>(a, place, block, room, sum);
        convk_cuda_cells_density_of_(kinds_, wide_, weights + block * wide_, a.of.norbitals - block * wide_, sum, total);
      }
      CONVK_CUDA_EACH_(k, (kinds_ == 5 ? 5 : 1))
        if (inside && a.of.wanted >> k & 1) a.out[k][at] = total[k];
      continue;
    }
    convk_cuda_cells_sum_<real_, kinds_, wide_>(a, place, o, room, sum);
    CONVK_CUDA_EACH_(i, wide_) {
      const size_t row = o * wide_ + (size_t)i;
      if (!inside || row >= a.of.norbitals) continue;
      CONVK_CUDA_EACH_(k, kinds_) {
        if (kinds_ == 2) a.out[0][2 * (row * a.of.ld + at) + (size_t)k] = sum[k * wide_ + i];
        else a.out[k][row * a.of.ld + at] = sum[k * wide_ + i];
      }
    }
  }
}

/* Which kernel a call starts, with how many points and rows of a thread. */
template <class real_> using convk_cuda_grids_kernel_ = void (*)(const convk_cuda_grids_args_<real_>);

template <class real_> static convk_cuda_grids_kernel_<real_> convk_cuda_grids_of_(int density, size_t each) {
  if (density > 1) return convk_cuda_grids_slopes_<real_>;
  if (density)
    return each == 2   ? convk_cuda_grids_density_<real_, 2>
           : each == 4 ? convk_cuda_grids_density_<real_, 4>
                       : convk_cuda_grids_density_<real_, 6>;
  return each == 2 ? convk_cuda_grid_<real_, 2> : each == 4 ? convk_cuda_grid_<real_, 4> : convk_cuda_grid_<real_, 6>;
}

/* Of general cells, by kinds of sums and orbitals of a block, of which there is one or as many as convk_cells_wide_ tells. */
template <class real_> static convk_cuda_grids_kernel_<real_> convk_cuda_cells_of_(unsigned kinds, unsigned wide, int density) {
  if (kinds == 1 && wide == 1) return density ? convk_cuda_cell_<real_, 1, 1, 1> : convk_cuda_cell_<real_, 1, 1, 0>;
  if (kinds == 1) return density ? convk_cuda_cell_<real_, 1, 8, 1> : convk_cuda_cell_<real_, 1, 8, 0>;
  if (kinds == 2 && wide == 1) return density ? convk_cuda_cell_<real_, 2, 1, 1> : convk_cuda_cell_<real_, 2, 1, 0>;
  if (kinds == 2) return density ? convk_cuda_cell_<real_, 2, 4, 1> : convk_cuda_cell_<real_, 2, 4, 0>;
  if (wide == 1) return density ? convk_cuda_cell_<real_, 5, 1, 1> : convk_cuda_cell_<real_, 5, 1, 0>;
  return density ? convk_cuda_cell_<real_, 5, 4, 1> : convk_cuda_cell_<real_, 5, 4, 0>;
}

/* Dynamic shared memory, of up to as many tables as threads, which with a kernel's own is at most 48 KB. */
template <class real_> static size_t convk_cuda_grids_shared_(size_t each, size_t steps, size_t *look) {
  const size_t table = sizeof(convk_cuda_grids_table_<real_>) + sizeof(int);
  const size_t parts = 2 * CONVK_CUDA_GRIDS_QUEUE_ * 16 * steps * sizeof(real_);
  const size_t own = each == 2   ? sizeof(convk_cuda_grids_room_<real_, 2, CONVK_CUDA_GRIDS_COLUMNS_>)
                     : each == 4 ? sizeof(convk_cuda_grids_room_<real_, 4, CONVK_CUDA_GRIDS_COLUMNS_>)
                                 : sizeof(convk_cuda_grids_room_<real_, 6, CONVK_CUDA_GRIDS_COLUMNS_>);
  *look = (49152 - own - parts) / table / 8 * 8;
  if (*look > CONVK_CUDA_GAUSSIAN_THREADS_) *look = CONVK_CUDA_GAUSSIAN_THREADS_;
  return parts + *look * table;
}

/* Rows of results that have their tables in common: blocks make some of them. */
CONVK_LOCAL_ size_t convk_cuda_grids_lot_(size_t rows, size_t) { return rows; }

#ifndef CONVK_CUDA_GRIDS_SUMS_
#define CONVK_CUDA_GRIDS_SUMS_ ((size_t)32 << 20) /* bytes of sums along z at a time, which caches of large devices hold */
#endif

/* Bytes for sums along z of some planes at a time, whose number grows with what there is, of a grid with this many planes. */
CONVK_LOCAL_ size_t convk_cuda_grids_room_of_(size_t plane_bytes, size_t planes) {
  const size_t limit = CONVK_CUDA_GRIDS_SUMS_;
  if (plane_bytes >= limit) return plane_bytes;
  return plane_bytes && planes > limit / plane_bytes ? limit : planes * plane_bytes;
}

/* How tiles are cut: points of a thread, columns abreast, planes of a block, parts along x, y and z. */
struct convk_cuda_grids_cut_ {
  size_t each, abreast, deep, parts[3];
  int shift; /* abreast is 2^shift */
};

/* `columns` of each plane, in tiles of these sizes.  So many of them go abreast that fewest are idle, but all of a density, up
   to as many as a thread has; and so many points along x, with 1 for what is the same whatever they are.  few: so few tiles
   that small blocks keep the device busy where large ones do not. */
CONVK_LOCAL_ convk_cuda_grids_cut_ convk_cuda_grids_cut_of_(int density, size_t least, size_t columns, const uint64_t *tile,
                                                            size_t tiles) {
  const size_t across = CONVK_CUDA_GRIDS_ACROSS_, most = CONVK_CUDA_GRIDS_COLUMNS_, busy = 256;
  convk_cuda_grids_cut_ cut = {CONVK_CUDA_GRIDS_SLOPES_EACH_, 1, CONVK_CUDA_GRIDS_SLOPES_COLUMNS_, {1, 1, 1}, 0};
  size_t k, used = 0, cost = 0, blocks;
  for (k = most; k >= least && density < 2; k /= 2) {
    const size_t all = convk_ceil_(columns, k) * convk_ceil_((size_t)tile[2], most / k);
    if ((used && all >= used) || (density && k < most && k < columns)) continue;
    used = all;
    cut.abreast = k;
    cut.deep = most / k;
    for (cut.shift = 0; (size_t)1 << cut.shift < k;) cut.shift++;
  }
  cut.parts[1] = convk_ceil_((size_t)tile[1], CONVK_CUDA_GRIDS_LINES_);
  cut.parts[2] = convk_ceil_((size_t)tile[2], cut.deep);
  blocks = tiles * cut.parts[1] * cut.parts[2] * (density ? 1 : convk_ceil_(columns, cut.abreast));
  for (k = 6; k >= 2 && density < 2; k -= 2) {
    const size_t parts = convk_ceil_((size_t)tile[0], across * k), all = parts * (k + 1);
    if (cost && all >= cost && (k > 2 || blocks * cut.parts[0] >= busy)) continue;
    cost = all;
    cut.each = k;
    cut.parts[0] = parts;
  }
  if (density > 1) cut.parts[0] = convk_ceil_((size_t)tile[0], across * cut.each);
  return cut;
}
#endif
#if CONVK_HAS_FORMFACTOR_
/* ---- src/formfactor/kernel.cuh ---- */
enum {
  CONVK_CUDA_FORMFACTOR_THREADS_ = 128,
  CONVK_CUDA_FORMFACTOR_TILE_ = 32, /* triangles that a warp has in shared memory */
  CONVK_CUDA_FORMFACTOR_FIELDS_ = 12
};

/* How the work is cut, estimates: bytes of a list's partial sums that are made before they are added up; bytes of a grid's
   phases, and twice those of its sums, for a launch that ends evenly; tiles that fill a device alone, 4 on each of 128
   multiprocessors, twice. */
#ifndef CONVK_CUDA_FORMFACTOR_PARTIAL_
#define CONVK_CUDA_FORMFACTOR_PARTIAL_ ((size_t)1 << 25)
#endif
#define CONVK_CUDA_FORMFACTOR_TABLES_ ((size_t)1 << 27)
#define CONVK_CUDA_FORMFACTOR_ENOUGH_ ((size_t)1024)

/* Vector i of q: x, y, z, and the imaginary parts of z, x and y, whose arrays may be NULL. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_formfactor_vector_(const real_ *const from[6], size_t i, double q[6]) {
  CONVK_CUDA_EACH_(d, 6) q[d] = d < 3 || from[d] ? (double)from[d][i] : 0;
}

template <class real_> struct convk_cuda_formfactor_prepare_args_ {
  const real_ *q[6];
  real_ *scaled; /* what form_scaled makes of them: arrays of nq; and then the order that each needs */
  size_t nq;
  int order; /* of all, or CONVK_FORMFACTOR_FITTED_ */
  convk_formfactor_body_ body;
};

template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_prepare_(const convk_cuda_formfactor_prepare_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.nq, CONVK_CUDA_FORMFACTOR_THREADS_) {
    double q[6], norm;
    real_ scaled[CONVK_FORMFACTOR_SCALED_];
    convk_cuda_formfactor_vector_(a.q, i, q);
    convk_cuda_formfactor_scaled_(q, scaled, &norm);
    CONVK_CUDA_EACH_(k, CONVK_FORMFACTOR_SCALED_) a.scaled[(size_t)k * a.nq + i] = scaled[k];
    real_ order = (real_)a.order;
    if (a.order == CONVK_FORMFACTOR_FITTED_) convk_cuda_formfactor_order_(&a.body, norm, &order);
    a.scaled[CONVK_FORMFACTOR_SCALED_ * a.nq + i] = order;
  }
}

template <class real_> struct convk_cuda_formfactor_total_args_ {
  const real_ *q[6];
  convk_formfactor_body_ body;
  const real_ *partial; /* of segment s: nq real parts at 2 s nq, then nq imaginary parts */
  double *sums;         /* of the segments before; `fresh`: there were none */
  real_ *f;             /* NULL: not yet */
  size_t nq, segments;
  int fresh;
};

/* Adds the sums of segments one after another; the last call makes F of them. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_total_(const convk_cuda_formfactor_total_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.nq, CONVK_CUDA_FORMFACTOR_THREADS_) {
    const double re = convk_cuda_total_of_(a.partial + i, 2 * a.nq, a.segments, a.fresh ? 0 : a.sums[i]);
    const double im = convk_cuda_total_of_(a.partial + a.nq + i, 2 * a.nq, a.segments, a.fresh ? 0 : a.sums[a.nq + i]);
    if (a.f) {
      double q[6], norm;
      real_ scaled[CONVK_FORMFACTOR_SCALED_];
      convk_cuda_formfactor_vector_(a.q, i, q);
      convk_cuda_formfactor_scaled_(q, scaled, &norm);
      convk_cuda_formfactor_list_value_(&a.body, q, norm, re, im, a.f + 2 * i);
    } else {
      a.sums[i] = re;
      a.sums[a.nq + i] = im;
    }
  }
}

/* ---- a list of q ---- */

template <class real_> struct convk_cuda_formfactor_list_args_ {
  const real_ *mesh[CONVK_CUDA_FORMFACTOR_FIELDS_];
  size_t n, nq, tiles, tasks;
  const real_ *scaled;
  real_ *partial;
};

/* A warp takes a segment of triangles for 32 each_ vectors of q.  Its lanes bring 32 triangles at a time to shared memory, the
   next ones during the arithmetic, and each reads all of them for its own q; as in convk.h, whose comments say what is
   summed. */
template <class real_, int each_, int imag_, int order_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_FORMFACTOR_THREADS_,
                                          order_ < 0 && imag_ && CONVK_CUDA_ARCH_ >= 1000 ? 2 : 0)
    convk_cuda_formfactor_list_(const convk_cuda_formfactor_list_args_<real_> a) {
  const int tile = CONVK_CUDA_FORMFACTOR_TILE_, warps = CONVK_CUDA_FORMFACTOR_THREADS_ / 32, fields = order_ ? 12 : 6;
  const int ahead = order_ || imag_ ? 4 : 8; /* triangles of one turn of the loop */
  __shared__ __align__(16) real_ shared[warps * fields * tile];
  const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
  real_(*const m)[tile] = (real_(*)[tile])(shared + warp * fields * tile);
  for (size_t task = blockIdx.x * (size_t)warps + (size_t)warp; task < a.tasks; task += gridDim.x * (size_t)warps) {
    const size_t segment = convk_cuda_divide_(task, a.tiles), q0 = (task - segment * a.tiles) * (32 * each_) + (size_t)lane;
    const size_t begin = segment * CONVK_FORMFACTOR_TRIANGLES_, left = a.n - begin;
    const size_t end = begin + (left < CONVK_FORMFACTOR_TRIANGLES_ ? left : CONVK_FORMFACTOR_TRIANGLES_);
    real_ scaled[each_][CONVK_FORMFACTOR_SCALED_], re[each_], im[each_], re_z[each_], im_z[each_], next[fields];
    int order[each_];
    CONVK_CUDA_EACH_(v, each_) {
      const size_t i = q0 + (size_t)(32 * v) < a.nq ? q0 + (size_t)(32 * v) : a.nq - 1;
      CONVK_CUDA_EACH_(d, CONVK_FORMFACTOR_SCALED_)
        scaled[v][d] = d < 6 || (imag_ && (order_ || d == 6)) ? a.scaled[(size_t)d * a.nq + i] : (real_)0;
      order[v] = order_ == CONVK_FORMFACTOR_FITTED_ ? (int)a.scaled[CONVK_FORMFACTOR_SCALED_ * a.nq + i] : order_;
      re[v] = im[v] = re_z[v] = im_z[v] = 0;
    }
    auto load = [&](size_t from) { /* triangles without area beyond the end */
                                   CONVK_CUDA_EACH_(k, fields)
                                     next[k] = from + (size_t)lane < end ? a.mesh[k][from + (size_t)lane] : (real_)0;
    };
    load(begin);
    for (size_t t = begin; t < end; t += (size_t)tile) {
      const int count = (convk_cuda_least_(end - t, tile) + ahead - 1) / ahead * ahead;
      CONVK_CUDA_WARP_SYNC_();
      CONVK_CUDA_EACH_(k, fields) m[k][lane] = next[k];
      CONVK_CUDA_WARP_SYNC_();
      load(t + (size_t)tile);
      for (int j0 = 0; j0 < count; j0 += ahead) CONVK_CUDA_UNROLL_
      for (int j = j0; j < j0 + ahead; j++)
        CONVK_CUDA_EACH_(v, each_) {
          const real_ area[3] = {m[0][j], m[1][j], m[2][j]}, at[3] = {m[3][j], m[4][j], m[5][j]};
          const int k = order_ ? 6 : 0, l = order_ ? 9 : 0;
          const real_ u[3] = {m[k][j], m[k + 1][j], m[k + 2][j]}, w[3] = {m[l][j], m[l + 1][j], m[l + 2][j]};
          convk_cuda_formfactor_triangle_(order_ != 0, order[v], scaled[v], area, at, u, w, imag_, &re[v], &im[v], &re_z[v],
                                          &im_z[v]);
        }
    }
    CONVK_CUDA_EACH_(v, each_)
      if (q0 + (size_t)(32 * v) < a.nq) {
        if (imag_) {
          const real_ along_z = a.scaled[7 * a.nq + q0 + (size_t)(32 * v)];
          re[v] = convk_cuda_fma_(-along_z, re_z[v], re[v]);
          im[v] = convk_cuda_fma_(along_z, im_z[v], im[v]);
        }
        a.partial[2 * segment * a.nq + q0 + (size_t)(32 * v)] = re[v];
        a.partial[(2 * segment + 1) * a.nq + q0 + (size_t)(32 * v)] = im[v];
      }
  }
}

/* ---- a tensor grid of q ---- */

enum {
  CONVK_CUDA_FORMFACTOR_GRID_THREADS_ = 64,
  CONVK_CUDA_FORMFACTOR_LANES_ = 64, /* of a tile, on the axis that convk.h gives to lanes; or twice as many */
  CONVK_CUDA_FORMFACTOR_Q_ = 2048,   /* lanes times rows of a tile, rows being pairs of values on the two other axes */
  CONVK_CUDA_FORMFACTOR_SIDE_ = 12,  /* room for the numbers of a triangle: area and corners, by the axes of the grid */
  CONVK_CUDA_FORMFACTOR_RANGE_ = (int)CONVK_FORMFACTOR_RANGE_
};

template <class real_> struct convk_cuda_formfactor_phase_args_ {
  convk_formfactor_axes_ axes;
  const real_ *q[4];                        /* on the axes, and the imaginary parts of z or NULL */
  const real_ *area[3], *at[3], *corner[6]; /* corners: with fourth order */
  /* Tables for the matrix product, in which `room` triangles have places.  phase: for each tile of lanes and each triangle the
     real parts of E, then the imaginary parts; row: for each value on the axis and each triangle both parts of E - 1; side:
     CONVK_CUDA_FORMFACTOR_SIDE_ numbers of each triangle. */
  real_ *phase, *row[2], *side;
  real_ *moment;                                  /* 6 n[0] for each block */
  size_t n, room, lanes, pitch, blocks, parts[3]; /* triangles; lanes of a tile, and of all tiles; blocks; parts of each axis */
};

/* A thread takes one value on an axis and one block of triangles; those of lanes also sum up moments.  Triangles are filled up
   to whole blocks by some without area, lanes by the last. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_phase_(const convk_cuda_formfactor_phase_args_<real_> a) {
  enum { pairs_ = 8 / sizeof(real_) }; /* of numbers, in 16 bytes */
  const size_t parts = a.parts[0] + a.parts[1] + a.parts[2];
  for (size_t task = blockIdx.x; task < parts * a.blocks; task += gridDim.x) {
    const size_t block = convk_cuda_divide_(task, parts), part = task - block * parts;
    const int d = part < a.parts[0] ? 0 : part < a.parts[0] + a.parts[1] ? 1 : 2;
    const size_t first = d == 0 ? 0 : d == 1 ? a.parts[0] : a.parts[0] + a.parts[1];
    const size_t i = (part - first) * CONVK_CUDA_FORMFACTOR_THREADS_ + threadIdx.x, n = a.axes.n[d], own = i < n ? i : n - 1;
    const int damped = d == a.axes.z;
    if (!part && threadIdx.x < CONVK_FORMFACTOR_BLOCK_) {
      const size_t t = block * CONVK_FORMFACTOR_BLOCK_ + threadIdx.x;
      real_ *const side = a.side + CONVK_CUDA_FORMFACTOR_SIDE_ * t;
      CONVK_CUDA_EACH_(k, 3) side[k] = t < a.n ? a.area[k][t] : (real_)0;
      CONVK_CUDA_EACH_(k, 6) side[3 + k] = t < a.n && a.corner[k] ? a.corner[k][t] : (real_)0;
      CONVK_CUDA_UNROLL_
      for (int k = 9; k < CONVK_CUDA_FORMFACTOR_SIDE_; k++) side[k] = 0; /* read by whole vectors, and dropped */
    }
    if (i >= (d ? n : a.pitch)) continue;
    const size_t tile = convk_cuda_divide_(i, a.lanes);
    real_ *const to = d ? a.row[d - 1] + 2 * a.room * i : a.phase + 2 * a.lanes * a.room * tile + (i - tile * a.lanes);
    real_ turns, decay, re[3] = {0, 0, 0}, im[3] = {0, 0, 0};
    convk_cuda_formfactor_rate_((double)a.q[d][own], damped ? (double)a.q[3][own] : 0, &turns, &decay);
    for (size_t t0 = block * CONVK_FORMFACTOR_BLOCK_; t0 < (block + 1) * CONVK_FORMFACTOR_BLOCK_; t0 += pairs_) {
      real_ factors[2 * pairs_];
      CONVK_CUDA_EACH_(u, pairs_) {
        const size_t t = t0 + (size_t)u;
        const real_ at = t < a.n ? a.at[d][t] : (real_)0;
        real_ s, c, p, b;
        convk_cuda_half_turn_(convk_cuda_turn_product_left_(turns, at), &s, &c);
        convk_cuda_formfactor_damp_(damped, damped ? convk_cuda_formfactor_half_loss_(convk_cuda_mul_(decay, at)) : (real_)0, s,
                                    c, &p, &b);
        factors[2 * u] = convk_cuda_sub_(d ? (real_)0 : (real_)1, convk_cuda_add_(p, p));
        factors[2 * u + 1] = convk_cuda_add_(b, b);
        if (d || t >= a.n) continue;
        CONVK_CUDA_EACH_(k, 3) {
          const real_ area = a.area[k][t];
          re[k] = convk_cuda_fma_(area, p, re[k]);
          im[k] = convk_cuda_fma_(area, b, im[k]);
        }
      }
      if (d) {
        convk_cuda_put_(to + 2 * t0, factors);
        continue;
      }
      CONVK_CUDA_EACH_(u, 2 * pairs_) to[(2 * t0 + (size_t)u) * a.lanes] = factors[u];
    }
    if (d || i >= n) continue;
    CONVK_CUDA_EACH_(k, 3) {
      a.moment[(6 * block + 2 * (size_t)k) * n + i] = re[k];
      a.moment[(6 * block + 2 * (size_t)k + 1) * n + i] = im[k];
    }
  }
}

template <class real_> struct convk_cuda_formfactor_moment_args_ {
  const real_ *moment;
  double *sums;
  size_t n, blocks;
  int fresh;
};

/* Adds the moments of blocks to those before; n of them. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_moment_(const convk_cuda_formfactor_moment_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.n, CONVK_CUDA_FORMFACTOR_THREADS_)
    a.sums[i] = convk_cuda_total_of_(a.moment + i, a.n, a.blocks, a.fresh ? 0 : a.sums[i]);
}

template <class real_> struct convk_cuda_formfactor_grid_args_ {
  convk_formfactor_axes_ axes;
  const real_ *q[4];                  /* on the axes, and the imaginary parts of z or NULL */
  const real_ *phase, *row[2], *side; /* as convk_cuda_formfactor_phase_ made them */
  real_ unit, per;                    /* of lengths on the lanes' axis, and its inverse */
  double *sums; /* of range r, at 2 nq r: nq real parts, nq imaginary parts; `direct`: of all, which more are added to */
  size_t n, room, tiles_x, tiles, ranges;
  int direct, fresh; /* fresh: nothing is there yet */
};

/* Bytes of a number for each of the triangles that are in shared memory at a time: as many as leave room for two blocks in the
   100 KB of small multiprocessors, but in wide tiles, where threads need so many to have one each. */
#define CONVK_CUDA_FORMFACTOR_STEP_(lanes_, fourth_) ((fourth_) && (lanes_) == CONVK_CUDA_FORMFACTOR_LANES_ ? 16 : 32)

/* Bytes of shared memory that convk_cuda_formfactor_grid_ asks for: sums of a tile, then phases and factors for two steps. */
static size_t convk_cuda_formfactor_grid_bytes_(size_t lanes, int fourth) {
  const size_t q = CONVK_CUDA_FORMFACTOR_Q_, step = CONVK_CUDA_FORMFACTOR_STEP_(lanes, fourth);
  return 2 * sizeof(double) * q + 4 * step * (lanes + (fourth ? 4 : 2) * (q / lanes));
}

/* How convk_cuda_formfactor_grid_ shares a tile of Q = 2048 values of q out to its 64 threads: each has rows_ = 4 rows by
   each_ = 8 lanes.
     lanes_  rows   threads   thread (tx, ty) has
        64    32    8 x 8    f32: lanes 4 tx .. 4 tx + 3 and the same + 32; rows ty, ty + 8, ty + 16, ty + 24
       128    16   16 x 4    f32: the same, + 64; rows ty, ty + 4, ty + 8, ty + 12
   f64 has two lanes at four places.  Between the rows of a thread, and between every 16 bytes of its lanes, lie those of other
   threads: so neighbours read neighbouring banks. */
template <class type_, int tile_lanes_, int fourth_> struct convk_cuda_formfactor_shape_ {
  typedef type_ real_;
  enum {
    lanes_ = tile_lanes_,
    wide_ = 16 / sizeof(real_), /* numbers that are moved at a time */
    count_ = fourth_ ? 4 : 2,   /* complex factors of E_lane */
    side_ = fourth_ ? 9 : 3,    /* numbers of a triangle that they are made of */
    threads_ = CONVK_CUDA_FORMFACTOR_GRID_THREADS_,
    step_ = CONVK_CUDA_FORMFACTOR_STEP_(lanes_, fourth_) / sizeof(real_), /* triangles in shared memory at a time */
    all_ = CONVK_CUDA_FORMFACTOR_Q_ / lanes_,                             /* rows */
    per_thread_ = step_ * all_ / threads_, /* of a row, for so many triangles a thread makes the factors */
    phases_ = step_ * 2 * lanes_,          /* numbers of one step in shared memory */
    terms_ = step_ * 2 * count_ * all_,
    each_ = 8,
    rows_ = CONVK_CUDA_FORMFACTOR_Q_ / threads_ / each_,
    max_turn_ = sizeof(real_) == 4 ? 4 : count_ / 2, /* triangles of a turn of the product's loop, for which registers do */
    part_ = max_turn_ < step_ ? max_turn_ : step_ / 2
  };
};

/* What all threads know of the tile under way; registers have no room for it. */
template <class shape_> struct convk_cuda_formfactor_here_ {
  typename shape_::real_ lane_q[shape_::lanes_];
  const typename shape_::real_ *lane_at; /* where the table of the lanes' phases begins */
  unsigned row_at[2][shape_::all_];      /* each row's places on its two axes */
  size_t lane0, row0, task;
};

/* Begins a tile.  Rows and lanes beyond the last are the last again, and dropped. */
template <class shape_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_formfactor_grid_begin_(const convk_cuda_formfactor_grid_args_<real_> &a, size_t task,
                                                          size_t tile, convk_cuda_formfactor_here_<shape_> *here) {
  const unsigned thread = threadIdx.x;
  const size_t tile_y = convk_cuda_divide_(tile, a.tiles_x), tile_x = tile - tile_y * a.tiles_x;
  const size_t lane0 = tile_x * (size_t)shape_::lanes_, row0 = tile_y * (size_t)shape_::all_;
  if (!thread) {
    here->lane_at = a.phase + tile_x * (2 * shape_::lanes_) * a.room;
    here->lane0 = lane0;
    here->row0 = row0;
    here->task = task;
  }
  if (thread < shape_::all_) {
    const size_t row = row0 + thread < a.axes.rows ? row0 + thread : a.axes.rows - 1;
    const size_t k = convk_cuda_divide_(row, a.axes.n[1]);
    here->row_at[0][thread] = (unsigned)(row - k * a.axes.n[1]);
    here->row_at[1][thread] = (unsigned)k;
  }
  for (unsigned i = thread; i < shape_::lanes_; i += shape_::threads_) {
    const size_t lane = lane0 + i;
    here->lane_q[i] = convk_cuda_mul_(a.q[0][lane < a.axes.n[0] ? lane : a.axes.n[0] - 1], a.unit);
  }
}

/* Brings the phases of the lanes to `phase`, for the triangles of a step from t on, and makes the factors of the rows in
   `term`: a thread those of one row for made_ triangles.  `term` is [triangle][16 bytes of factors][row]: with wide_ = 4 and
   two complex factors re0 im0 re1 im1 stand together, those of the next row beside them. */
template <class shape_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_formfactor_grid_make_(const convk_cuda_formfactor_grid_args_<real_> &a,
                                                         const convk_cuda_formfactor_here_<shape_> &here, unsigned t,
                                                         real_ *phase, real_ *term) {
  enum { wide_ = shape_::wide_, count_ = shape_::count_, all_ = shape_::all_ };
  const unsigned thread = threadIdx.x, mine = thread % all_,
                 part = thread / all_ * shape_::per_thread_; /* row, and first triangle */
  const real_ *const from = here.lane_at + (t * (2 * shape_::lanes_) + thread * wide_);
  const size_t j = here.row_at[0][mine], k = here.row_at[1][mine];
  const real_ *const first = a.row[0] + 2 * (j * a.room + t + part), *const second = a.row[1] + 2 * (k * a.room + t + part);
  const real_ *const side = a.side + CONVK_CUDA_FORMFACTOR_SIDE_ * (t + part);
  const real_ own[4] = {a.q[1][j], a.q[2][k], a.axes.z == 1 ? a.q[3][j] : (real_)0, a.axes.z == 2 ? a.q[3][k] : (real_)0};
  CONVK_CUDA_UNROLL_
  for (int p = 0; p < shape_::phases_; p += shape_::threads_ * wide_) convk_cuda_bring_(phase + p + thread * wide_, from + p);
  CONVK_CUDA_UNROLL_
  for (int i = 0; i < shape_::per_thread_; i += wide_ / 2) {
    real_ e[wide_], f[wide_];
    convk_cuda_get_(e, first + 2 * i);
    convk_cuda_get_(f, second + 2 * i);
    CONVK_CUDA_EACH_(u, wide_ / 2) {
      real_ terms[2 * count_], numbers[CONVK_CUDA_FORMFACTOR_SIDE_];
      CONVK_CUDA_UNROLL_
      for (int n = 0; n < shape_::side_; n += wide_)
        convk_cuda_get_(numbers + n, side + CONVK_CUDA_FORMFACTOR_SIDE_ * (i + u) + n);
      convk_cuda_formfactor_terms_(own, own + 2, numbers, numbers + 3, a.per, e[2 * u], e[2 * u + 1], f[2 * u], f[2 * u + 1],
                                   count_ > 2, terms);
      CONVK_CUDA_UNROLL_
      for (int n = 0; n < 2 * count_; n += wide_)
        convk_cuda_put_(term + 2 * count_ * all_ * part + mine * wide_ + (2 * count_ * (i + u) + n) * all_, terms + n);
    }
  }
}

/* The matrix product of a tile for the triangles of a step: a thread's rows, by factors in `term`, times its lanes of E. */
template <class shape_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_formfactor_product_(const real_ *lane_q, const real_ *phase, const real_ *term,
                                                       real_ (*re)[shape_::each_], real_ (*im)[shape_::each_]) {
  enum {
    wide_ = shape_::wide_,
    count_ = shape_::count_,
    all_ = shape_::all_,
    lanes_ = shape_::lanes_,
    each_ = shape_::each_,
    rows_ = shape_::rows_,
    part_ = shape_::part_
  };
  real_ q[each_];
  CONVK_CUDA_UNROLL_
  for (int v = 0; v < each_; v += wide_) convk_cuda_get_(q + v, lane_q + lanes_ / each_ * v);
  CONVK_CUDA_UNROLL_BY_(1)
  for (int s0 = 0; s0 < shape_::step_; s0 += part_, phase += part_ * 2 * lanes_, term += part_ * 2 * count_ * all_)
    CONVK_CUDA_EACH_(s, part_) {
      real_ er[each_], ei[each_];
      CONVK_CUDA_UNROLL_
      for (int v = 0; v < each_; v += wide_) {
        convk_cuda_get_(er + v, phase + 2 * s * lanes_ + lanes_ / each_ * v);
        convk_cuda_get_(ei + v, phase + (2 * s + 1) * lanes_ + lanes_ / each_ * v);
      }
      CONVK_CUDA_EACH_(r, rows_) {
        real_ terms[2 * count_];
        CONVK_CUDA_UNROLL_
        for (int n = 0; n < 2 * count_; n += wide_)
          convk_cuda_get_(terms + n, term + (2 * count_ * s + n) * all_ + r * (all_ / rows_) * wide_);
        CONVK_CUDA_EACH_(v, each_) convk_cuda_formfactor_multiply_(q[v], terms, count_, er[v], ei[v], &re[r][v], &im[r][v]);
      }
    }
}

/* Adds a thread's sums of a block of triangles to its doubles, and sets them to 0; `fresh`: sets both to 0. */
template <class shape_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_formfactor_grid_add_(double *sum, int fresh, real_ (*re)[shape_::each_],
                                                        real_ (*im)[shape_::each_]) {
  CONVK_CUDA_EACH_(r, shape_::rows_)
    CONVK_CUDA_EACH_(v, shape_::each_) {
      double both[2] = {0, 0};
      if (!fresh) {
        convk_cuda_get_(both, sum + 2 * shape_::threads_ * (shape_::each_ * r + v));
        both[0] = convk_cuda_add_(both[0], (double)re[r][v]);
        both[1] = convk_cuda_add_(both[1], (double)im[r][v]);
      }
      convk_cuda_put_(sum + 2 * shape_::threads_ * (shape_::each_ * r + v), both);
      re[r][v] = im[r][v] = 0;
    }
}

/* Writes a thread's doubles, or adds them to what is there. */
template <class shape_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_formfactor_grid_end_(const convk_cuda_formfactor_grid_args_<real_> &a,
                                                        const convk_cuda_formfactor_here_<shape_> &here, const double *sum,
                                                        int add, double *to) {
  enum { wide_ = shape_::wide_, each_ = shape_::each_ };
  const unsigned tx = threadIdx.x % (shape_::lanes_ / each_), ty = threadIdx.x / (shape_::lanes_ / each_);
  CONVK_CUDA_UNROLL_BY_(1)
  for (int r = 0; r < shape_::rows_; r++) CONVK_CUDA_UNROLL_BY_(1)
  for (int v = 0; v < each_; v++) {
    const size_t lane = here.lane0 + tx * wide_ + (size_t)(shape_::lanes_ / each_ * (v / wide_ * wide_) + v % wide_);
    const size_t row = here.row0 + ty + (size_t)(r * (shape_::all_ / shape_::rows_)), at = row * a.axes.n[0] + lane;
    double both[2];
    if (row >= a.axes.rows || lane >= a.axes.n[0]) continue;
    convk_cuda_get_(both, sum + 2 * shape_::threads_ * (each_ * r + v));
    to[at] = add ? convk_cuda_add_(to[at], both[0]) : both[0];
    to[a.axes.nq + at] = add ? convk_cuda_add_(to[a.axes.nq + at], both[1]) : both[1];
  }
}

/* A tile of the grid for one range of triangles, or `direct` for all of them.  While the threads multiply the triangles of one
   step, phases and factors of the next come to the other half of shared memory:
     t:     begin - step_     begin              begin + step_       ...
     make   step 0           step 1             step 2
     sum                     product of step 0  product of step 1
   6 multiply-adds for each of a triangle and a q, with fourth order 10.  Blocks of triangles are summed in T, and these sums in
   doubles, which lie in shared memory, because they change only once in a block. */
template <class real_, int lanes_, int fourth_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_FORMFACTOR_GRID_THREADS_, 4)
    convk_cuda_formfactor_grid_(const convk_cuda_formfactor_grid_args_<real_> a) {
  typedef convk_cuda_formfactor_shape_<real_, lanes_, fourth_> shape_;
  enum { wide_ = shape_::wide_, step_ = shape_::step_, phases_ = shape_::phases_, terms_ = shape_::terms_ };
  CONVK_CUDA_SHARED_(shared);
  __shared__ __align__(16) convk_cuda_formfactor_here_<shape_> here;
  double *const sum = (double *)shared + 2 * threadIdx.x; /* of a thread: every 2 threads_ of them */
  real_ *const phase = (real_ *)((double *)shared + 2 * CONVK_CUDA_FORMFACTOR_Q_), *const term = phase + 2 * phases_;
  const unsigned tx = threadIdx.x % (lanes_ / shape_::each_), ty = threadIdx.x / (lanes_ / shape_::each_);
  const size_t tasks = a.direct ? a.tiles : a.tiles * a.ranges;
  for (size_t task = blockIdx.x; task < tasks; task = here.task + gridDim.x) {
    const size_t range0 = a.direct ? 0 : convk_cuda_divide_(task, a.tiles);
    __syncthreads();
    convk_cuda_formfactor_grid_begin_<shape_>(a, task, task - range0 * a.tiles, &here); /* read after the first barrier below */
    for (int begin = (int)range0 * CONVK_CUDA_FORMFACTOR_RANGE_, more = 1; more; begin += CONVK_CUDA_FORMFACTOR_RANGE_) {
      const int end = begin + convk_cuda_least_(a.n - (size_t)begin, CONVK_CUDA_FORMFACTOR_RANGE_);
      real_ re[shape_::rows_][shape_::each_], im[shape_::rows_][shape_::each_];
      convk_cuda_formfactor_grid_add_<shape_>(sum, 1, re, im);
      CONVK_CUDA_UNROLL_BY_(1)
      for (int t = begin - step_; t < end; t += step_) {
        const unsigned now = (unsigned)t / step_ % 2;
        convk_cuda_copies_wait_();
        __syncthreads();
        if (t + step_ < end)
          convk_cuda_formfactor_grid_make_<shape_>(a, here, (unsigned)(t + step_), phase + (now ^ 1) * phases_,
                                                   term + (now ^ 1) * terms_);
        if (t < begin) continue;
        convk_cuda_formfactor_product_<shape_>(here.lane_q + tx * wide_, phase + now * phases_ + tx * wide_,
                                               term + now * terms_ + ty * wide_, re, im);
        if ((t + step_) % (int)CONVK_FORMFACTOR_BLOCK_ == 0 || t + step_ >= end)
          convk_cuda_formfactor_grid_add_<shape_>(sum, 0, re, im);
      }
      convk_cuda_formfactor_grid_end_<shape_>(
          a, here, sum, a.direct && (begin || !a.fresh),
          a.sums + (a.direct ? 0 : 2 * a.axes.nq * (size_t)(begin / CONVK_CUDA_FORMFACTOR_RANGE_)));
      more = a.direct && (size_t)begin + CONVK_CUDA_FORMFACTOR_RANGE_ < a.n;
    }
  }
}

template <class real_> struct convk_cuda_formfactor_grid_total_args_ {
  convk_formfactor_axes_ axes;
  const real_ *q[4]; /* on the axes, and the imaginary parts of z or NULL */
  convk_formfactor_body_ body;
  const double *partial, *moment;
  double *sums;
  real_ *f; /* NULL: not yet */
  size_t ranges;
  int fresh;
};

/* Adds the sums of ranges one after another; the last call adds what the moments tell, and makes F. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_grid_total_(const convk_cuda_formfactor_grid_total_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.axes.nq, CONVK_CUDA_FORMFACTOR_THREADS_) {
    double re = convk_cuda_total_of_(a.partial + i, 2 * a.axes.nq, a.ranges, a.fresh ? 0 : a.sums[i]);
    double im = convk_cuda_total_of_(a.partial + a.axes.nq + i, 2 * a.axes.nq, a.ranges, a.fresh ? 0 : a.sums[a.axes.nq + i]);
    if (!a.f) {
      a.sums[i] = re;
      a.sums[a.axes.nq + i] = im;
      continue;
    }
    const size_t row = convk_cuda_divide_(i, a.axes.n[0]), k = convk_cuda_divide_(row, a.axes.n[1]);
    const size_t at[3] = {i - row * a.axes.n[0], row - k * a.axes.n[1], k};
    double q[4], moment[6];
    CONVK_CUDA_EACH_(d, 6) moment[d] = a.moment[(size_t)d * a.axes.n[0] + at[0]];
    CONVK_CUDA_EACH_(d, 3) q[d] = (double)a.q[d][at[d]];
    q[3] = a.axes.z < 3 ? (double)a.q[3][a.axes.z == 1 ? at[1] : at[2]] : 0; /* z has no lanes then */
    convk_cuda_formfactor_grid_value_(&a.body, a.axes.axis, a.axes.z, q, moment, re, im,
                                      a.f +
                                          2 * (at[0] * a.axes.stride[0] + at[1] * a.axes.stride[1] + at[2] * a.axes.stride[2]));
  }
}
#endif
#if CONVK_HAS_FFT_
/* ---- src/fft/arguments.h ---- */
#ifndef CONVK_FFT_INCLUDED_
#define CONVK_FFT_INCLUDED_
/* What the kernels of OpenCL take; those of CUDA have pointers, and divisions prepared, in a struct of their own. */

/* Passes of an axis.  radices: each less 1 in 4 bits, the first pass lowest; forward, inverse: where twiddles lie. */
typedef struct convk_fft_axis_device_ {
  uint32_t n, radices, halves, forward[8], inverse[8];
} convk_fft_axis_device_;

/* Where arrays begin, strides and pitches are in numbers of the type; work: in complex numbers. */
typedef struct convk_fft_device_ {
  uint64_t in, in_pitch, in_stride, out, out_pitch, out_stride;
  uint64_t tables, spectra, spectrum, kernels, per_kernel, index, number, items, work;
  uint64_t position_y, position_x; /* in numbers of 32 bits */
  uint32_t rows, columns, out_rows, out_columns, pitch;
  uint32_t indexed, none, swap, each, chunk, chunks;
  uint32_t columns_a, columns_b; /* of the tiles, or of the memory between kernels */
  convk_fft_axis_device_ y, x;
  uint32_t unused;
} convk_fft_device_;
#endif
/* ---- src/fft/kernel.cuh ---- */
/* A block takes one item or several small ones through all of it: fields are read once, and results written once.
   Small squares (fft/squares.cuh): a thread holds a whole line in registers, first a column of the field, then a line along x,
   then a column of the result.  Lines meet in shared memory only in between, and twiddles are constants.
   Larger squares of two passes (fft/middle.cuh): a thread holds a group of points in registers.  Columns lie in shared memory
   one after another, and all passes but the first and the last find and leave points where they are.
   Other sizes (fft/kernel.cuh): between passes points lie in shared memory, columns one after another, an odd number of
   elements apart; lanes go across columns along y, and along columns for passes along x, so that neither has bank conflicts.
   Lines along x are as long as the FFT, and columns are only as many as there are in the field or the result: lines go through
   a small buffer in groups of about 32.
   Items too large for shared memory: the same three parts, each one launch over columns or lines, with the columns in work. */
/* Bytes of shared memory that a block may have, if less than what the device offers. */
#ifndef CONVK_CUDA_FFT_SHARED_
#define CONVK_CUDA_FFT_SHARED_ ((size_t)1 << 30)
#endif
/* Bytes of work that items share which are too large for shared memory: as many go at a time.  No measurement of it is
   recorded, nor of the numbers below where nothing else is said. */
#define CONVK_CUDA_FFT_WORK_ ((size_t)1 << 26)

enum {
  CONVK_CUDA_FFT_Y_ = 1, /* parts of the way that a launch takes */
  CONVK_CUDA_FFT_X_ = 2,
  CONVK_CUDA_FFT_BACK_ = 4,
  CONVK_CUDA_FFT_ALL_ = 7,
  CONVK_CUDA_FFT_THREADS_ = 256,  /* of kernels for any size */
  CONVK_CUDA_FFT_LINES_ = 32,     /* of a group, about: a warp of lanes */
  CONVK_CUDA_FFT_POINTS_ = 16,    /* points along x of a thread, about, from which follows how many items a block has */
  CONVK_CUDA_FFT_ITEMS_ = 64,     /* of a block, at most */
  CONVK_CUDA_FFT_EASY_ = 49152,   /* bytes of shared memory that every device offers: more items only up to this */
  CONVK_CUDA_FFT_HALF_ = 98304,   /* bytes of which a multiprocessor of compute capability 9.0 has room for two blocks */
  CONVK_CUDA_FFT_SWAP_LOADS_ = 1, /* real and imaginary parts change places */
  CONVK_CUDA_FFT_SWAP_STORES_ = 2,
  CONVK_CUDA_FFT_PAIRS_ = 0, /* two elements are loaded or stored as one; one by one; the second is not there */
  CONVK_CUDA_FFT_SINGLY_ = 1,
  CONVK_CUDA_FFT_FIRST_ = 2
};

template <class real_> struct convk_cuda_fft_type_;
template <> struct convk_cuda_fft_type_<float> { typedef float2 pair; };
template <> struct convk_cuda_fft_type_<double> { typedef double2 pair; };

/* ---- one pass of a radix over one group of points, in registers ---- */

template <class real_> struct convk_cuda_fft_group_ {
  const real_ *src; /* point 0: its real part, then its imaginary part */
  real_ *dst;
  size_t from, to;       /* elements to the next point */
  int have, want;        /* points that there are, the others being zeros, and that are stored */
  int half;              /* points radix / 2 .. are zeros */
  int swap, load, store; /* CONVK_CUDA_FFT_SWAP_LOADS_ ..., CONVK_CUDA_FFT_PAIRS_ ... */
  const real_ *twiddle;  /* of points 1 .. radix - 1, or NULL */
};

template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_get_(const real_ *at, int way, real_ *re, real_ *im) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  if (way == CONVK_CUDA_FFT_PAIRS_) {
    const pair v = *(const pair *)(const void *)at;
    *re = v.x;
    *im = v.y;
  } else {
    *re = at[0];
    *im = way == CONVK_CUDA_FFT_FIRST_ ? (real_)0 : at[1];
  }
}

template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_put_(real_ *at, int way, real_ re, real_ im) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  if (way == CONVK_CUDA_FFT_PAIRS_) {
    pair v;
    v.x = re;
    v.y = im;
    *(pair *)(void *)at = v;
  } else {
    at[0] = re;
    if (way != CONVK_CUDA_FFT_FIRST_) at[1] = im;
  }
}

template <class real_>
CONVK_CUDA_INLINE_ typename convk_cuda_fft_type_<real_>::pair convk_cuda_fft_root_(const real_ *w, int q) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  return __ldg((const pair *)(const void *)w + (q - 1));
}

/* The points times their twiddles, if there are any, after the first step.  half: points radix_ / 2 .. are zeros. */
template <int radix_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_first_(int half, const real_ *twiddle, real_ *xr, real_ *xi) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  const int h = radix_ % 2 ? radix_ : radix_ / 2;
  if (radix_ % 2 == 0 && half) {
    CONVK_CUDA_UNROLL_
    for (int q = h; q < radix_; q++) {
      xr[q] = xr[q - h];
      xi[q] = xi[q - h];
    }
  } else if (twiddle) {
    CONVK_CUDA_UNROLL_
    for (int q = 1; q < h; q++) {
      const pair w = convk_cuda_fft_root_(twiddle, q);
      convk_cuda_fft_times_(0, w.x, w.y, &xr[q], &xi[q]);
    }
    CONVK_CUDA_UNROLL_
    for (int q = h; q < radix_; q++) {
      const pair w = convk_cuda_fft_root_(twiddle, q);
      convk_cuda_fft_butterfly_(0, w.x, w.y, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
    }
  } else {
    CONVK_CUDA_UNROLL_
    for (int q = h; q < radix_; q++) convk_cuda_fft_butterfly_1_(0, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
  }
}

/* A pass of a group in registers; of passes back with real and imaginary parts exchanged. */
template <int radix_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_step_(int half, const real_ *twiddle, real_ *xr, real_ *xi) {
  convk_cuda_fft_first_<radix_>(half, twiddle, xr, xi);
  convk_cuda_fft_radix_rest_(radix_, xr, xi);
}

template <int radix_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_load_(const convk_cuda_fft_group_<real_> &p, real_ *xr, real_ *xi) {
  CONVK_CUDA_EACH_(q, radix_) {
    real_ re = 0, im = 0;
    if (q < p.have) convk_cuda_fft_get_(p.src + (size_t)q * p.from, p.load, &re, &im);
    xr[q] = p.swap & CONVK_CUDA_FFT_SWAP_LOADS_ ? im : re;
    xi[q] = p.swap & CONVK_CUDA_FFT_SWAP_LOADS_ ? re : im;
  }
}

template <int radix_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_store_(const convk_cuda_fft_group_<real_> &p, const real_ *xr, const real_ *xi) {
  CONVK_CUDA_EACH_(q, radix_) {
    const real_ re = p.swap & CONVK_CUDA_FFT_SWAP_STORES_ ? xi[q] : xr[q];
    const real_ im = p.swap & CONVK_CUDA_FFT_SWAP_STORES_ ? xr[q] : xi[q];
    if (q < p.want) convk_cuda_fft_put_(p.dst + (size_t)q * p.to, p.store, re, im);
  }
}

template <int radix_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_pass_(const convk_cuda_fft_group_<real_> &p) {
  real_ xr[radix_], xi[radix_];
  convk_cuda_fft_load_<radix_>(p, xr, xi);
  convk_cuda_fft_step_<radix_>(p.half, p.twiddle, xr, xi);
  convk_cuda_fft_store_<radix_>(p, xr, xi);
}

/* The last pass there, the factors, and the first pass back; factor: of point 0, `step` elements before that of point 1, its
   imaginary part `imag` elements after the real part. */
template <int radix_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_turn_(const convk_cuda_fft_group_<real_> &p, const real_ *factor, size_t step,
                                             size_t imag) {
  real_ xr[radix_], xi[radix_];
  convk_cuda_fft_load_<radix_>(p, xr, xi);
  convk_cuda_fft_step_<radix_>(p.half, p.twiddle, xr, xi);
  CONVK_CUDA_EACH_(q, radix_) {
    const real_ *at = factor + (size_t)q * step;
    convk_cuda_fft_times_(0, __ldg(at), __ldg(at + imag), &xr[q], &xi[q]);
  }
  convk_cuda_fft_step_<radix_>(0, (const real_ *)NULL, xi, xr);
  convk_cuda_fft_store_<radix_>(p, xr, xi);
}

/* ---- any size ---- */

/* x / by for x by < 2^32. */
struct convk_cuda_fft_by_ {
  unsigned by, magic;
};
CONVK_CUDA_INLINE_ unsigned convk_cuda_fft_over_(unsigned x, const convk_cuda_fft_by_ &d) {
  return d.by == 1 ? x : (unsigned)((uint64_t)x * d.magic >> 32);
}

struct convk_cuda_fft_axis_ {
  unsigned n;
  int passes, half_in;
  unsigned radix[CONVK_FFT_PASSES_], forward[CONVK_FFT_PASSES_], inverse[CONVK_FFT_PASSES_];
  convk_cuda_fft_by_ part[CONVK_FFT_PASSES_]; /* points of a block's part */
};

template <class real_> struct convk_cuda_fft_args_ {
  const real_ *in, *tables, *spectra;
  real_ *out, *outside; /* outside: the columns, where not in shared memory */
  const uint32_t *position[2];
  const size_t *kernel; /* of items, or NULL: item / items_per_kernel */
  size_t begin, items;  /* the first of a launch, and all */
  size_t items_per_kernel, spectrum, in_pitch, in_stride, out_pitch, out_stride; /* elements of real_ */
  size_t groups; /* tasks of blocks: items / each, or items times chunks */
  convk_cuda_fft_axis_ axis[2];
  unsigned rows, columns, out_rows, out_columns, pitch; /* pitch: of a line of the spectra */
  unsigned chunks;                                      /* of an item, where blocks take only a part of it; else 1 */
  unsigned tile, pairs;                                 /* columns of an item in memory, and pairs of real ones */
  unsigned pitch_a, pitch_b; /* complex numbers from column to column: along y, and along x (the same unless real) */
  unsigned step;             /* from point to point of lines under way */
  unsigned at_a, at_b, at_t; /* complex numbers in shared memory: before the columns along y, along x; the lines under way */
  convk_cuda_fft_by_ each, lines, width;                 /* items of a block, lines of an item, lines of a group */
  convk_cuda_fft_by_ in_all, in_each, out_all, out_each; /* columns along y of a block's items, and of one */
  unsigned item;                                         /* complex numbers from item to item in shared memory, of squares */
  int in_place; /* lines are under way where they are: all columns of the FFT are there */
  int stage, real, swap, load, store;
  real_ scale;
};

template <int radix_, class real_>
static __device__ CONVK_CUDA_NOINLINE_ void convk_cuda_fft_pass_of_(const real_ *src, real_ *dst, size_t from, size_t to,
                                                                    int have, int want, int half, int swap, int load, int store,
                                                                    const real_ *twiddle) {
  const convk_cuda_fft_group_<real_> p = {src, dst, from, to, have, want, half, swap, load, store, twiddle};
  convk_cuda_fft_pass_<radix_>(p);
}
template <int radix_, class real_>
static __device__ CONVK_CUDA_NOINLINE_ void convk_cuda_fft_turn_of_(const real_ *src, real_ *dst, size_t from, size_t to,
                                                                    int have, int want, int half, const real_ *twiddle,
                                                                    const real_ *factor, size_t step, size_t imag) {
  const convk_cuda_fft_group_<real_> p = {src, dst, from, to, have, want, half, 0, 0, 0, twiddle};
  convk_cuda_fft_turn_<radix_>(p, factor, step, imag);
}

/* Any size; passes are functions that all places call. */
#define CONVK_CUDA_FFT_OF_RADIX_(radix, call) \
  switch (radix) { \
    case 1: call(1); break; \
    case 2: call(2); break; \
    case 3: call(3); break; \
    case 4: call(4); break; \
    case 5: call(5); break; \
    case 7: call(7); break; \
    case 8: call(8); break; \
    default: call(16); \
  }
template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_pass_any_(unsigned radix, const convk_cuda_fft_group_<real_> &p) {
#define CONVK_CUDA_FFT_PASS_(radix) \
  convk_cuda_fft_pass_of_<radix>(p.src, p.dst, p.from, p.to, p.have, p.want, p.half, p.swap, p.load, p.store, p.twiddle)
  CONVK_CUDA_FFT_OF_RADIX_(radix, CONVK_CUDA_FFT_PASS_)
}
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_turn_any_(unsigned radix, const convk_cuda_fft_group_<real_> &p, const real_ *factor,
                                                 size_t step, size_t imag) {
#define CONVK_CUDA_FFT_TURN_(radix) \
  convk_cuda_fft_turn_of_<radix>(p.src, p.dst, p.from, p.to, p.have, p.want, p.half, p.twiddle, factor, step, imag)
  CONVK_CUDA_FFT_OF_RADIX_(radix, CONVK_CUDA_FFT_TURN_)
}
#undef CONVK_CUDA_FFT_OF_RADIX_
#undef CONVK_CUDA_FFT_PASS_
#undef CONVK_CUDA_FFT_TURN_

/* ---- the way of a block ---- */

/* What a thread does next: a row, which is a group of points or a frequency, of a column of an item.  Tasks have the columns of
   all items in turn. */
struct convk_cuda_fft_task_ {
  unsigned row, item, column;
};
CONVK_CUDA_INLINE_ convk_cuda_fft_task_ convk_cuda_fft_task_of_(unsigned number, const convk_cuda_fft_by_ &all,
                                                                const convk_cuda_fft_by_ &each) {
  convk_cuda_fft_task_ task;
  task.row = convk_cuda_fft_over_(number, all);
  task.item = convk_cuda_fft_over_(number - task.row * all.by, each);
  task.column = number - task.row * all.by - task.item * each.by;
  return task;
}

template <class real_> struct convk_cuda_fft_block_ {
  size_t first;           /* item */
  unsigned items, column; /* how many, and the first column along y, of complex numbers */
  unsigned line, end;     /* lines along x of all items */
  real_ *a, *b, *t;
  const real_ **factor; /* of every item: its kernel's spectrum */
};

/* The spectrum of an item's kernel. */
template <class real_>
CONVK_CUDA_INLINE_ const real_ *convk_cuda_fft_factors_(const convk_cuda_fft_args_<real_> &a, size_t item) {
  return a.spectra + a.spectrum * (a.kernel ? a.kernel[item] : convk_cuda_divide_(item, a.items_per_kernel));
}

/* A group of pass i: all but where it comes from and goes to.  at: the block of points there, the point of a block's part back.
   The first pass there has no twiddles, nor has the first one back. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_group_of_(const convk_cuda_fft_args_<real_> &a, int d, int i, int back, unsigned at,
                                                 convk_cuda_fft_group_<real_> *p) {
  const unsigned r = a.axis[d].radix[i];
  const int turned = back ? a.axis[d].part[i].by > 1 : i > 0;
  p->have = p->want = (int)r;
  p->half = !back && i == 0 && a.axis[d].half_in;
  p->swap = back ? CONVK_CUDA_FFT_SWAP_LOADS_ | CONVK_CUDA_FFT_SWAP_STORES_ : 0;
  p->load = p->store = CONVK_CUDA_FFT_PAIRS_;
  p->twiddle = turned ? a.tables + (back ? a.axis[d].inverse[i] : a.axis[d].forward[i]) + 2 * at * (r - 1) : NULL;
}

/* Columns of complex numbers, or pairs of columns. */
template <class real_>
CONVK_CUDA_INLINE_ unsigned convk_cuda_fft_columns_(const convk_cuda_fft_args_<real_> &a, unsigned columns) {
  return a.real ? (columns + 1) / 2 : columns;
}

/* Along y, from the field into a, or back from a into the result; other passes stay in a. */
template <int back_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_y_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_block_<real_> &block) {
  const convk_cuda_fft_by_ &all = back_ ? a.out_all : a.in_all, &each = back_ ? a.out_each : a.in_each;
  const unsigned columns = back_ ? a.out_columns : a.columns, rows = back_ ? a.out_rows : a.rows;
  const unsigned count = convk_cuda_fft_columns_(a, columns), tile = a.real ? a.pairs : a.tile, n = a.axis[0].n;
  for (int pass = 0; pass < a.axis[0].passes; pass++) {
    const int i = back_ ? a.axis[0].passes - 1 - pass : pass;
    const unsigned radix = a.axis[0].radix[i], part = a.axis[0].part[i].by;
    for (unsigned k = threadIdx.x; k < n / radix * all.by; k += CONVK_CUDA_FFT_THREADS_) {
      const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, all, each);
      const unsigned column = block.column + t.column, b = convk_cuda_fft_over_(t.row, a.axis[0].part[i]);
      convk_cuda_fft_group_<real_> p;
      if (t.item >= block.items || column >= count) continue;
      convk_cuda_fft_group_of_(a, 0, i, back_, back_ ? t.row - b * part : b, &p);
      p.dst = block.a + 2 * ((t.item * tile + t.column) * a.pitch_a + b * part * (radix - 1) + t.row);
      p.src = p.dst;
      p.from = p.to = 2 * part;
      if (i == 0) {
        const int points = t.row < rows ? (int)convk_cuda_fft_over_(rows - t.row + part - 1, a.axis[0].part[0]) : 0;
        const int single = a.real && 2 * column + 1 == columns;
        if (back_) {
          p.dst = a.out + (block.first + t.item) * a.out_stride + t.row * a.out_pitch + 2 * (size_t)column;
          p.to = part * a.out_pitch;
          p.want = points;
          p.store = single ? (int)CONVK_CUDA_FFT_FIRST_ : a.store;
        } else {
          p.src = a.in + (block.first + t.item) * a.in_stride + t.row * a.in_pitch + 2 * (size_t)column;
          p.from = part * a.in_pitch;
          p.have = points;
          p.swap = a.swap;
          p.load = single ? (int)CONVK_CUDA_FFT_FIRST_ : a.load;
        }
      }
      convk_cuda_fft_pass_any_(radix, p);
    }
    __syncthreads();
  }
}

/* Two real columns that were transformed as one, apart: from pairs of columns in a to columns in b; and back.  z and m: where
   frequencies k and -k of the pair are. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_unpack_(const convk_cuda_fft_args_<real_> &a,
                                               const convk_cuda_fft_block_<real_> &block) {
  for (unsigned task = threadIdx.x; task < a.lines.by * a.in_all.by; task += CONVK_CUDA_FFT_THREADS_) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(task, a.in_all, a.in_each);
    const unsigned k = t.row, to = 2 * (block.column + t.column);
    if (t.item >= block.items || to >= a.columns) continue;
    const real_ *column = block.a + 2 * (size_t)((t.item * a.pairs + t.column) * a.pitch_a);
    const real_ *z = column + 2 * __ldg(a.position[0] + k), *m = column + 2 * __ldg(a.position[0] + (k ? a.axis[0].n - k : 0));
    real_ *b = block.b + 2 * ((size_t)(t.item * a.tile + to) * a.pitch_b + k);
    real_ zr, zi, mr, mi, re, im;
    convk_cuda_fft_get_(z, CONVK_CUDA_FFT_PAIRS_, &zr, &zi);
    convk_cuda_fft_get_(m, CONVK_CUDA_FFT_PAIRS_, &mr, &mi);
    convk_cuda_fft_split_(zr, zi, mr, mi, 0, &re, &im);
    convk_cuda_fft_put_(b, CONVK_CUDA_FFT_PAIRS_, re, im);
    if (to + 1 >= a.columns) continue;
    convk_cuda_fft_split_(zr, zi, mr, mi, 1, &re, &im);
    convk_cuda_fft_put_(b + 2 * a.pitch_b, CONVK_CUDA_FFT_PAIRS_, re, im);
  }
  __syncthreads();
}

template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_pack_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_block_<real_> &block) {
  for (unsigned task = threadIdx.x; task < a.lines.by * a.out_all.by; task += CONVK_CUDA_FFT_THREADS_) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(task, a.out_all, a.out_each);
    const unsigned k = t.row, from = 2 * (block.column + t.column);
    if (t.item >= block.items || from >= a.out_columns) continue;
    real_ *column = block.a + 2 * (size_t)((t.item * a.pairs + t.column) * a.pitch_a);
    real_ *z = column + 2 * __ldg(a.position[0] + k), *m = column + 2 * __ldg(a.position[0] + (k ? a.axis[0].n - k : 0));
    const real_ *b = block.b + 2 * ((size_t)(t.item * a.tile + from) * a.pitch_b + k);
    real_ ar, ai, br = 0, bi = 0, zr, zi, mr, mi;
    convk_cuda_fft_get_(b, CONVK_CUDA_FFT_PAIRS_, &ar, &ai);
    if (from + 1 < a.out_columns) convk_cuda_fft_get_(b + 2 * a.pitch_b, CONVK_CUDA_FFT_PAIRS_, &br, &bi);
    convk_cuda_fft_merge_(ar, ai, br, bi, &zr, &zi, &mr, &mi);
    convk_cuda_fft_put_(m, CONVK_CUDA_FFT_PAIRS_, mr, mi);
    convk_cuda_fft_put_(z, CONVK_CUDA_FFT_PAIRS_, zr, zi); /* stays where one */
  }
  __syncthreads();
}

/* Columns between a and far memory; those of a transform in natural order of frequencies. */
template <class real_, int transform_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_move_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_block_<real_> &block,
                                             unsigned columns, const convk_cuda_fft_by_ &each, int back) {
  for (unsigned v = 0; v < each.by && block.column + v < columns; v++)
    for (unsigned k = threadIdx.x; k < a.axis[0].n; k += CONVK_CUDA_FFT_THREADS_) {
      real_ *inside = block.a + 2 * (size_t)(v * a.pitch_a + (transform_ ? __ldg(a.position[0] + k) : k));
      real_ *outside = block.b + 2 * ((size_t)(block.column + v) * a.pitch_b + k), *from = back ? outside : inside;
      real_ re, im;
      convk_cuda_fft_get_(from, CONVK_CUDA_FFT_PAIRS_, &re, &im);
      convk_cuda_fft_put_(back ? inside : outside, CONVK_CUDA_FFT_PAIRS_, re, im);
    }
  __syncthreads();
}

/* A number of a transform into its result. */
template <class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_hand_(const convk_cuda_fft_args_<real_> &a, size_t item, unsigned row, unsigned column,
                                             const pair_ &v) {
  real_ *const to = a.out + item * a.out_stride + row * a.out_pitch + 2 * column;
  if (a.swap) convk_cuda_fft_put_(to, a.store, convk_cuda_mul_(v.y, a.scale), convk_cuda_mul_(v.x, a.scale));
  else convk_cuda_fft_put_(to, a.store, v.x, v.y);
}

/* Along x: lines of b there, times their factors, and back; those of a transform only there, and into the result. */
template <class real_, int transform_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_x_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_block_<real_> &block) {
  const int in_place = a.in_place, last = a.axis[1].passes - 1;
  const unsigned n = a.axis[1].n, tile = a.tile * a.pitch_b, step = a.step;
  const unsigned width = a.width.by;
  real_ *const way = in_place ? block.b : block.t; /* lines under way */
  for (unsigned begin = block.line; begin < block.end; begin += width) {
    for (int i = 0; i <= last; i++) { /* there */
      const unsigned part = a.axis[1].part[i].by;
      if (i > 0) __syncthreads();
      for (unsigned task = threadIdx.x; task < n / a.axis[1].radix[i] * width; task += CONVK_CUDA_FFT_THREADS_) {
        const unsigned g = convk_cuda_fft_over_(task, a.width), l = begin + task - g * width,
                       b = convk_cuda_fft_over_(g, a.axis[1].part[i]);
        if (l >= block.end) continue;
        const unsigned item = convk_cuda_fft_over_(l, a.lines), k = l - item * a.lines.by,
                       first = b * part * (a.axis[1].radix[i] - 1) + g;
        real_ *const here = way + 2 * (size_t)(first * step + (in_place ? item * tile + k : l - begin));
        real_ *const target = block.b + 2 * ((size_t)item * tile + (size_t)first * a.pitch_b + k);
        convk_cuda_fft_group_<real_> p;
        convk_cuda_fft_group_of_(a, 1, i, 0, b, &p);
        p.src = i ? here : target;
        p.from = 2 * (i ? (size_t)part * step : (size_t)part * a.pitch_b);
        p.dst = here;
        p.to = 2 * (size_t)part * step;
        if (i == 0) p.have = first < a.columns ? (int)convk_cuda_fft_over_(a.columns - first + part - 1, a.axis[1].part[0]) : 0;
        if (transform_ || i < last) {
          convk_cuda_fft_pass_any_(a.axis[1].radix[i], p);
          continue;
        }
        if (last == 0) { /* back at once */
          p.dst = target;
          p.to = p.from;
          p.want = (int)a.out_columns;
        }
        convk_cuda_fft_turn_any_(a.axis[1].radix[last], p, block.factor[item] + k + (size_t)first * (2 * a.pitch),
                                 2 * (size_t)a.pitch, a.pitch);
      }
    }
    __syncthreads();
    for (int i = last - 1; i >= 0 && !transform_; i--) {
      const unsigned part = a.axis[1].part[i].by;
      for (unsigned task = threadIdx.x; task < n / a.axis[1].radix[i] * width; task += CONVK_CUDA_FFT_THREADS_) {
        const unsigned g = convk_cuda_fft_over_(task, a.width), l = begin + task - g * width,
                       b = convk_cuda_fft_over_(g, a.axis[1].part[i]);
        if (l >= block.end) continue;
        const unsigned item = convk_cuda_fft_over_(l, a.lines), k = l - item * a.lines.by,
                       first = b * part * (a.axis[1].radix[i] - 1) + g;
        real_ *const here = way + 2 * (size_t)(first * step + (in_place ? item * tile + k : l - begin));
        convk_cuda_fft_group_<real_> p;
        convk_cuda_fft_group_of_(a, 1, i, 1, g - b * part, &p);
        p.src = here;
        p.from = p.to = 2 * (size_t)part * step;
        p.dst = here;
        if (i == 0) {
          p.dst = block.b + 2 * ((size_t)item * tile + (size_t)first * a.pitch_b + k);
          p.to = 2 * (size_t)part * a.pitch_b;
          p.want = first < a.out_columns ? (int)convk_cuda_fft_over_(a.out_columns - first + part - 1, a.axis[1].part[0]) : 0;
        }
        convk_cuda_fft_pass_any_(a.axis[1].radix[i], p);
      }
      __syncthreads();
    }
    if (transform_) {
      for (unsigned l = begin + threadIdx.x / 32; l < block.end && l - begin < width; l += CONVK_CUDA_FFT_THREADS_ / 32) {
        const unsigned item = convk_cuda_fft_over_(l, a.lines), row = l - item * a.lines.by;
        const real_ *line = way + 2 * (size_t)(in_place ? item * tile + __ldg(a.position[0] + row) : l - begin);
        for (unsigned c = threadIdx.x % 32; c < n; c += 32) {
          typename convk_cuda_fft_type_<real_>::pair v;
          convk_cuda_fft_get_(line + 2 * (size_t)__ldg(a.position[1] + c) * step, CONVK_CUDA_FFT_PAIRS_, &v.x, &v.y);
          convk_cuda_fft_hand_(a, block.first + item, row, c, v);
        }
      }
      __syncthreads();
    }
  }
}

/* What a block does of a launch. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_block_of_(const convk_cuda_fft_args_<real_> &a, size_t group, unsigned char *shared,
                                                 convk_cuda_fft_block_<real_> *block) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  pair *const numbers = (pair *)(void *)shared;
  const int stage = a.stage;
  const size_t unit = convk_cuda_divide_(group, a.chunks);
  const unsigned chunk = (unsigned)(group - unit * a.chunks);
  block->first = a.begin + unit * a.each.by;
  block->items = (unsigned)convk_cuda_least_(a.items - block->first, (int)a.each.by);
  block->column = stage == CONVK_CUDA_FFT_Y_ ? chunk * a.in_each.by : stage == CONVK_CUDA_FFT_BACK_ ? chunk * a.out_each.by : 0;
  block->line = stage == CONVK_CUDA_FFT_X_ ? chunk * a.width.by : 0;
  block->end = block->items * a.lines.by;
  if (stage == CONVK_CUDA_FFT_X_ && block->end - block->line > a.width.by) block->end = block->line + a.width.by;
  block->a = &numbers[a.at_a].x;
  block->b = stage == CONVK_CUDA_FFT_ALL_ ? &numbers[a.at_b].x : a.outside + 2 * unit * ((size_t)a.tile * a.pitch_b);
  block->t = &numbers[a.at_t].x;
  block->factor = (const real_ **)(void *)shared;
}

/* At least so many blocks of a multiprocessor that nothing is spilt from registers. */
template <class real_, int transform_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_FFT_THREADS_, sizeof(real_) == 4 ? 2 : 1)
    convk_cuda_fft_(const convk_cuda_fft_args_<real_> a) {
  CONVK_CUDA_SHARED_(shared);
  const int stage = a.stage;
  for (size_t group = blockIdx.x; group < a.groups; group += gridDim.x) {
    convk_cuda_fft_block_<real_> block;
    convk_cuda_fft_block_of_(a, group, shared, &block);
    if (!transform_ && threadIdx.x < block.items)
      block.factor[threadIdx.x] = convk_cuda_fft_factors_(a, block.first + threadIdx.x);
    if (stage & CONVK_CUDA_FFT_Y_) {
      convk_cuda_fft_y_<0>(a, block);
      if (a.real) convk_cuda_fft_unpack_(a, block);
      else if (stage != CONVK_CUDA_FFT_ALL_) convk_cuda_fft_move_<real_, transform_>(a, block, a.columns, a.in_each, 0);
    }
    if (stage == CONVK_CUDA_FFT_X_) __syncthreads();
    if (stage & CONVK_CUDA_FFT_X_) convk_cuda_fft_x_<real_, transform_>(a, block);
    if (!transform_ && (stage & CONVK_CUDA_FFT_BACK_)) {
      if (a.real) convk_cuda_fft_pack_(a, block);
      else if (stage != CONVK_CUDA_FFT_ALL_) convk_cuda_fft_move_<real_, transform_>(a, block, a.out_columns, a.out_each, 1);
      convk_cuda_fft_y_<1>(a, block);
    }
  }
}

/* ---- fields and results of squares ---- */

/* How many of points n, n + step, ... lie before `end`. */
CONVK_CUDA_INLINE_ int convk_cuda_fft_count_(unsigned n, unsigned step, unsigned end) {
  return n < end ? (int)((end - n + step - 1) / step) : 0;
}

/* Points of a column of an item, or of a pair of real ones, from memory: rows n, n + step, ..., at least `least_` of them, and
   zeros beyond the field; of an inverse transform with real and imaginary parts exchanged.  Lanes go across columns. */
template <class square_, int points_, int least_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_read_(const convk_cuda_fft_args_<real_> &a, size_t item, unsigned n, unsigned step,
                                             unsigned column, real_ *xr, real_ *xi) {
  const int count = convk_cuda_fft_count_(n, step, a.rows);
  const int way = square_::real && 2 * column + 1 == a.columns ? (int)CONVK_CUDA_FFT_FIRST_ : a.load;
  const real_ *from = a.in + item * a.in_stride + n * a.in_pitch + 2 * column;
  CONVK_CUDA_EACH_(k, points_) xr[k] = xi[k] = 0;
  if (way == CONVK_CUDA_FFT_PAIRS_) {
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < points_; k++, from += step * a.in_pitch)
      if (k < least_ || k < count) convk_cuda_fft_get_(from, CONVK_CUDA_FFT_PAIRS_, &xr[k], &xi[k]);
  } else {
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < points_; k++, from += step * a.in_pitch)
      if (k < least_ || k < count) convk_cuda_fft_get_(from, way, &xr[k], &xi[k]);
  }
  CONVK_CUDA_EACH_(k, points_) {
    const real_ re = xr[k];
    if (!square_::transforms || !a.swap) continue;
    xr[k] = xi[k];
    xi[k] = re;
  }
}

/* The same into a result. */
template <class square_, int points_, int least_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_write_(const convk_cuda_fft_args_<real_> &a, size_t item, unsigned n, unsigned step,
                                              unsigned column, const real_ *xr, const real_ *xi) {
  const int count = convk_cuda_fft_count_(n, step, a.out_rows);
  const int way = square_::real && 2 * column + 1 == a.out_columns ? (int)CONVK_CUDA_FFT_FIRST_ : a.store;
  real_ *to = a.out + item * a.out_stride + n * a.out_pitch + 2 * column;
  if (way == CONVK_CUDA_FFT_PAIRS_) {
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < points_; k++, to += step * a.out_pitch)
      if (k < least_ || k < count) convk_cuda_fft_put_(to, CONVK_CUDA_FFT_PAIRS_, xr[k], xi[k]);
  } else {
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < points_; k++, to += step * a.out_pitch)
      if (k < least_ || k < count) convk_cuda_fft_put_(to, way, xr[k], xi[k]);
  }
}

/* A transform from shared memory, in natural order of frequencies: those of neighbours are there radix0 apart. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_give_(const convk_cuda_fft_args_<real_> &a, size_t first, unsigned items,
                                             const pair_ *numbers) {
  enum { side = square_::side, radix0 = square_::in_order ? 1 : square_::radix0, radix1 = side / radix0 };
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < items * (side * side); k += square_::threads) {
    const unsigned y = k / side % side, x = k % side, item = k / (side * side);
    convk_cuda_fft_hand_(a, first + item, y % radix1 * radix0 + y / radix1, x % radix1 * radix0 + x / radix1,
                         numbers[item * a.item + x * square_::odd + y]);
  }
}

/* ---- src/fft/squares.cuh ---- */
/* ---- small squares: a thread holds a whole line in registers ---- */

/* A square of radix0_ radix1_ points.  half_: 1: only the first half of all rows and columns are there, 2: are wanted. */
template <class real_, int radix0_, int radix1_, int is_real_, int transforms_, int half_> struct convk_cuda_fft_square_ {
  enum {
    side = radix0_ * radix1_,
    radix0 = radix0_,
    radix1 = radix1_,
    parts = radix0_, /* of radix1 points each, after the first pass */
    real = is_real_,
    transforms = transforms_,
    half_in = half_ & 1,
    in = half_ & 1 ? side / 2 : side, /* points that may be there, and be wanted, */
    out = half_ & 2 ? side / 2 : side,
    in_least = half_ & 1 ? 1 : side / 2 + 1, /* and so many that are, whatever the plan */
    out_least = 1,
    lines = is_real_ ? side / 2 + 1 : side,
    pitch = lines | 1,          /* complex numbers from column to column of lines, of real ones to the next but one */
    in_order = 1,               /* frequencies of a transform in shared memory */
    tile = in > out ? in : out, /* columns */
    odd = is_real_ ? tile / 2 * pitch : pitch, /* complex numbers from an even column to the next, */
    next = is_real_ ? pitch : 2 * pitch,       /* and to the one after that */
    spectrum = (lines + CONVK_FFT_PAD_ - 1) / CONVK_FFT_PAD_ * CONVK_FFT_PAD_,
    /* Items of a block, at most: as many as 128 threads have lines for, one thread per line, in 64 KB. */
    bytes = tile * pitch * 2 * sizeof(real_),
    each = 128 / lines < 65536 / bytes ? 128 / lines : 65536 / bytes,
    threads = (each * lines + 31) / 32 * 32,
    registers = 2 * side * sizeof(real_) / 4, /* of a line */
    /* Threads of a multiprocessor: as many as the compiler finds registers for without spilling any (see audit_cuda.py). */
    light = sizeof(real_) == 4,
    late = CONVK_CUDA_ARCH_ >= 1200, /* where the same text takes more of them */
    together = registers <= 32   ? 768
               : registers <= 64 ? (sizeof(real_) == 8 && late ? 384 : 512)
                                 : (light && !late ? 384 : 256),
    blocks = together / threads
  };
};

/* exp(-2 pi i turn / side) to 1.1 ulp, as plans have it: 12, 20 and 28 points share tables with 48, 40 and 56. */
template <int side_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_root_of_(int turn, real_ *re, real_ *im) {
  const double cosine[4][9] = {
      {1, 0.99518472667219693, 0.98078528040323043, 0.95694033573220882, 0.92387953251128674, 0.88192126434835505,
       0.83146961230254524, 0.77301045336273699, 0.70710678118654746},
      {1, 0.99144486137381038, 0.96592582628906831, 0.92387953251128674, 0.8660254037844386, 0.79335334029123517,
       0.70710678118654746, 0, 0},
      {1, 0.98768834059513777, 0.95105651629515353, 0.8910065241883679, 0.80901699437494745, 0.70710678118654746, 0, 0, 0},
      {1, 0.9937122098932426, 0.97492791218182362, 0.94388333030836757, 0.90096886790241915, 0.84672419922828412,
       0.7818314824680298, 0.70710678118654746, 0}};
  const double sine[4][9] = {
      {0, 0.098017140329560604, 0.19509032201612828, 0.29028467725446239, 0.38268343236508978, 0.47139673682599764,
       0.55557023301960218, 0.63439328416364549, 0.70710678118654757},
      {0, 0.1305261922200516, 0.25881904510252074, 0.38268343236508978, 0.5, 0.60876142900872066, 0.70710678118654757, 0, 0},
      {0, 0.15643446504023087, 0.30901699437494745, 0.4539904997395468, 0.58778525229247314, 0.70710678118654757, 0, 0, 0},
      {0, 0.11196447610330786, 0.22252093395631439, 0.3302790619551671, 0.43388373911755812, 0.53203207651533657,
       0.62348980185873348, 0.70710678118654757, 0}};
  const int table = side_ % 3 == 0 ? 1 : side_ % 5 == 0 ? 2 : side_ % 7 == 0 ? 3 : 0;
  const int all = table == 1 ? 48 : table == 2 ? 40 : table == 3 ? 56 : 64, eighth = all / 8, at = turn * (all / side_);
  const int octant = at / eighth, a = octant % 2 ? eighth - at % eighth : at % eighth, other = (octant + 1) / 2 % 2;
  const real_ c = (real_)(other ? sine[table][a] : cosine[table][a]), s = (real_)(other ? cosine[table][a] : sine[table][a]);
  *re = (octant + 2) / 4 % 2 ? -c : c;
  *im = octant / 4 % 2 ? s : -s;
}

/* A pass of radix_ over points of a line, `step` apart; their twiddles are powers of exp(-2 pi i turn / side) unless turn < 0.
   half_: points radix_ / 2 .. are zeros. */
template <class square_, int radix_, int half_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_short_(real_ *re, real_ *im, int step, int turn) {
  const int side = square_::side, h = radix_ % 2 ? radix_ : radix_ / 2;
  real_ xr[radix_], xi[radix_], wr, wi;
  CONVK_CUDA_EACH_(q, (half_ ? h : radix_)) {
    xr[q] = re[q * step];
    xi[q] = im[q * step];
  }
  CONVK_CUDA_UNROLL_
  for (int q = 1; q < h; q++) {
    if (half_ || turn < 0) continue;
    convk_cuda_fft_root_of_<side>(q * turn % side, &wr, &wi);
    convk_cuda_fft_times_(0, wr, wi, &xr[q], &xi[q]);
  }
  CONVK_CUDA_UNROLL_
  for (int q = h; q < radix_; q++) {
    if (half_) {
      xr[q] = xr[q - h];
      xi[q] = xi[q - h];
    } else if (turn >= 0) {
      convk_cuda_fft_root_of_<side>(q * turn % side, &wr, &wi);
      convk_cuda_fft_butterfly_(0, wr, wi, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
    } else {
      convk_cuda_fft_butterfly_1_(0, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
    }
  }
  convk_cuda_fft_radix_rest_(radix_, xr, xi);
  CONVK_CUDA_EACH_(q, radix_) {
    re[q * step] = xr[q];
    im[q * step] = xi[q];
  }
}

/* The first pass over a line there, */
template <class square_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_begin_(real_ *re, real_ *im) {
  CONVK_CUDA_EACH_(j, square_::radix1)
    convk_cuda_fft_short_<square_, square_::radix0, square_::half_in>(re + j, im + j, square_::radix1, -1);
}
/* and the last one, over block b of its points. */
template <class square_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_inner_(real_ *re, real_ *im, int b) {
  if (square_::radix1 > 1)
    convk_cuda_fft_short_<square_, square_::radix1, 0>(re + b * square_::radix1, im + b * square_::radix1, 1, b);
}
/* The same passes back, with real and imaginary parts exchanged: the first one over block b, */
template <class square_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_turn_round_(real_ *re, real_ *im, int b) {
  if (square_::radix1 > 1)
    convk_cuda_fft_short_<square_, square_::radix1, 0>(im + b * square_::radix1, re + b * square_::radix1, 1, -1);
}
/* and the last one over the line. */
template <class square_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_finish_(real_ *re, real_ *im) {
  CONVK_CUDA_EACH_(j, square_::radix1)
    convk_cuda_fft_short_<square_, square_::radix0, 0>(im + j, re + j, square_::radix1, square_::radix1 > 1 ? j : -1);
}

/* Where frequency k of a line lies: of 8 x 4 points frequency 1 is the first of block 1, at 4, and 8 the second of block 0. */
template <class square_> CONVK_CUDA_INLINE_ int convk_cuda_fft_at_(int k) {
  return square_::radix1 > 1 ? k % square_::radix0 * square_::radix1 + k / square_::radix0 : k;
}
/* Where line k's point of a column lies: a plan has spectra of complex kernels in the order of points, those of real kernels
   in the order of frequencies, and so are results of transforms. */
template <class square_> CONVK_CUDA_INLINE_ int convk_cuda_fft_line_(int k) {
  return square_::real || square_::transforms ? convk_cuda_fft_at_<square_>(k) : k;
}

/* Between columns along y and lines along x points pass through shared memory, where point k of a line's column n lies at

     complex   n pitch + k
     real      n / 2 pitch + n % 2 odd + k: the even columns, then the odd ones, as for 8 points (5 lines, pitch 5, odd 20):
                 0        5        10       15       20       25       30       35
                 column 0 column 2 column 4 column 6 column 1 column 3 column 5 column 7

   Thread c writes columns 2 c and 2 c + 1 of real numbers, one after the other: its neighbour writes `pitch` complex numbers
   further on, an odd number, in other banks.  Were the columns in order, it would be 2 pitch, and two threads met in a bank. */

/* Which column or line a thread has, and of which of the block's items; items that are not there have none. */
struct convk_cuda_fft_own_ {
  unsigned item, line;
};
CONVK_CUDA_INLINE_ convk_cuda_fft_own_ convk_cuda_fft_own_of_(unsigned thread, const convk_cuda_fft_by_ &each) {
  convk_cuda_fft_own_ own;
  own.item = convk_cuda_fft_over_(thread, each);
  own.line = thread - own.item * each.by;
  return own;
}

/* From a field to its column's frequencies along y, in registers. */
template <class square_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_square_y_(const convk_cuda_fft_args_<real_> &a, size_t first,
                                                 const convk_cuda_fft_own_ &own, real_ *xr, real_ *xi) {
  convk_cuda_fft_read_<square_, square_::in, square_::in_least>(a, first + own.item, 0, 1, own.line, xr, xi);
  convk_cuda_fft_begin_<square_>(xr, xi);
  CONVK_CUDA_EACH_(b, square_::parts) convk_cuda_fft_inner_<square_>(xr, xi, b);
}

/* From a column's frequencies to a point of each line; of real numbers, two columns were one. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_square_lines_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_own_ &own,
                                                     pair_ *numbers, const real_ *xr, const real_ *xi) {
  pair_ *const to = numbers + own.item * a.item + own.line * square_::pitch;
  const int two = 2 * own.line + 1 < a.columns;
  CONVK_CUDA_EACH_(k, square_::lines) {
    const int z = convk_cuda_fft_line_<square_>(k), m = convk_cuda_fft_at_<square_>((square_::side - k) % square_::side);
    pair_ v = {xr[z], xi[z]};
    if (square_::real) {
      convk_cuda_fft_split_(xr[z], xi[z], xr[m], xi[m], 1, &v.x, &v.y);
      if (two) to[square_::odd + k] = v;
      convk_cuda_fft_split_(xr[z], xi[z], xr[m], xi[m], 0, &v.x, &v.y);
    }
    to[k] = v;
  }
}

/* A line along x; of a convolution times its factors, and back to where it was, of a transform its frequencies in order. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_square_x_(const convk_cuda_fft_args_<real_> &a, pair_ *line, const real_ *factor,
                                                 real_ *xr, real_ *xi) {
  const int convolves = !square_::transforms;
  CONVK_CUDA_EACH_(n, square_::in) {
    pair_ v = {0, 0};
    if (n < square_::in_least || n < (int)a.columns) v = line[n / 2 * square_::next + n % 2 * square_::odd];
    xr[n] = v.x;
    xi[n] = v.y;
  }
  convk_cuda_fft_begin_<square_>(xr, xi);
  CONVK_CUDA_EACH_(b, square_::parts) {
    convk_cuda_fft_inner_<square_>(xr, xi, b);
    CONVK_CUDA_UNROLL_
    for (int n = b * square_::radix1; n < (b + 1) * square_::radix1; n++) {
      const real_ *const f = factor + n * 2 * square_::spectrum;
      if (convolves) convk_cuda_fft_times_(0, __ldg(f), __ldg(f + square_::spectrum), &xr[n], &xi[n]);
    }
    if (convolves) convk_cuda_fft_turn_round_<square_>(xr, xi, b);
  }
  if (convolves) convk_cuda_fft_finish_<square_>(xr, xi);
  CONVK_CUDA_EACH_(n, square_::out) {
    const int k = convolves ? n : convk_cuda_fft_at_<square_>(n);
    const pair_ v = {xr[k], xi[k]};
    if (n < square_::out_least || n < (int)a.out_columns) line[n / 2 * square_::next + n % 2 * square_::odd] = v;
  }
}

/* From a point of each line to a column of results, in registers. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_square_back_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_own_ &own,
                                                    const pair_ *numbers, real_ *xr, real_ *xi) {
  const pair_ *const from = numbers + own.item * a.item + own.line * square_::pitch;
  const int two = 2 * own.line + 1 < a.out_columns;
  real_ zr, zi;
  CONVK_CUDA_EACH_(k, square_::lines) {
    const int z = convk_cuda_fft_line_<square_>(k), m = convk_cuda_fft_at_<square_>((square_::side - k) % square_::side);
    const pair_ v = from[k];
    pair_ w = {0, 0};
    if (square_::real) {
      if (two) w = from[square_::odd + k];
      convk_cuda_fft_merge_(v.x, v.y, w.x, w.y, &zr, &zi, &xr[m], &xi[m]);
    }
    xr[z] = square_::real ? zr : v.x;
    xi[z] = square_::real ? zi : v.y;
  }
  CONVK_CUDA_EACH_(b, square_::parts) convk_cuda_fft_turn_round_<square_>(xr, xi, b);
  convk_cuda_fft_finish_<square_>(xr, xi);
}

template <class real_, class square_>
static __global__ void CONVK_CUDA_BOUNDS_(square_::threads, square_::blocks)
    convk_cuda_fft_squares_(const convk_cuda_fft_args_<real_> a) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  const int transforms = square_::transforms;
  const unsigned t = threadIdx.x;
  const size_t first = a.begin + (size_t)blockIdx.x * a.each.by;
  const unsigned items = (unsigned)convk_cuda_least_(a.items - first, (int)a.each.by);
  CONVK_CUDA_SHARED_(shared);
  const real_ **const factors = (const real_ **)(void *)shared;
  pair *const numbers = (pair *)(void *)shared + a.at_a;
  real_ xr[square_::side], xi[square_::side];
  if (!transforms && t < items) factors[t] = convk_cuda_fft_factors_(a, first + t);

  const convk_cuda_fft_own_ in = convk_cuda_fft_own_of_(t, a.in_each);
  if (in.item < items) {
    convk_cuda_fft_square_y_<square_>(a, first, in, xr, xi);
    convk_cuda_fft_square_lines_<square_>(a, in, numbers, xr, xi);
  }
  __syncthreads();

  const unsigned line_at = t / square_::lines, line = t % square_::lines;
  if (line_at < items)
    convk_cuda_fft_square_x_<square_>(a, numbers + line_at * a.item + line, transforms ? NULL : factors[line_at] + line, xr,
                                      xi);
  __syncthreads();

  const convk_cuda_fft_own_ out = convk_cuda_fft_own_of_(t, a.out_each);
  if (transforms) {
    convk_cuda_fft_give_<square_>(a, first, items, numbers);
  } else if (out.item < items) {
    convk_cuda_fft_square_back_<square_>(a, out, numbers, xr, xi);
    convk_cuda_fft_write_<square_, square_::out, square_::out_least>(a, first + out.item, 0, 1, out.line, xr, xi);
  }
}
/* ---- src/fft/middle.cuh ---- */
/* ---- squares of 40 to 128 points: a thread holds one group of a line's points, or two, in registers ---- */

/* A square of radix0_ radix1_ points in shared memory, where all passes after the first find it:

     complex   point k of column n at n unit + k
     real      point k of pair n at n unit + k; once split, line k of column 2 n at n unit + k, of 2 n + 1 at n unit + odd + k

   Lanes go across columns along y, and along columns for passes along x: `unit` is odd, so neither way has bank conflicts. */
template <class real_, int radix0_, int radix1_, int is_real_, int transforms_> struct convk_cuda_fft_middle_ {
  enum {
    side = radix0_ * radix1_,
    radix0 = radix0_,
    radix1 = radix1_,
    real = is_real_,
    transforms = transforms_,
    in_order = 0,
    lines = is_real_ ? side / 2 + 1 : side,
    unit = is_real_ ? 2 * lines | 1 : side | 1,
    odd = is_real_ ? lines : unit,     /* complex numbers from an even column to the next, */
    next = is_real_ ? unit : 2 * unit, /* and to the one after that */
    tile = is_real_ ? side / 2 * unit : side * unit,
    spectrum = (lines + CONVK_FFT_PAD_ - 1) / CONVK_FFT_PAD_ * CONVK_FFT_PAD_,
    bytes = tile * 2 * sizeof(real_),
    each = bytes < 40960 ? 40960 / bytes : 1, /* items of a block, at most */
    alone = bytes > 76800,                    /* a multiprocessor has room for one such square, of others for three blocks */
    threads = alone           ? (is_real_ && sizeof(real_) == 8 ? 256 : 512)
              : radix0_ == 16 ? 192
                              : 256, /* and none spills registers */
    blocks = alone                ? 1
             : sizeof(real_) == 8 ? 2
                                  : 3,
    wide = threads / (radix0_ / 2) /* pairs of columns that are split, or joined, at a time */
  };
};

/* Where points of a line in columns n, n + step_, n + 2 step_ ... are. */
template <class layout_, int step_, class pair_> struct convk_cuda_fft_row_ {
  pair_ *even, *odd;
  __device__ __forceinline__ convk_cuda_fft_row_(pair_ *line, unsigned n)
      : even(line + n / 2 * layout_::next + n % 2 * layout_::odd),
        odd(line + (n + step_) / 2 * layout_::next + (n + step_) % 2 * layout_::odd) {}
  __device__ __forceinline__ pair_ *at(int q) const { return (q % 2 ? odd : even) + q / 2 * (step_ * layout_::next); }
};
/* The same along y, of one column. */
template <int step_, class pair_> struct convk_cuda_fft_file_ {
  pair_ *first;
  __device__ __forceinline__ explicit convk_cuda_fft_file_(pair_ *point) : first(point) {}
  __device__ __forceinline__ pair_ *at(int q) const { return first + q * step_; }
};

/* Points of a group there, of which the first `count` are not zeros, and from there. */
template <int radix_, class places_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_fetch_(const places_ &from, int count, real_ *xr, real_ *xi) {
  CONVK_CUDA_EACH_(q, radix_) {
    xr[q] = xi[q] = 0;
    if (q < count) convk_cuda_fft_get_(&from.at(q)->x, CONVK_CUDA_FFT_PAIRS_, &xr[q], &xi[q]);
  }
}
template <int radix_, class places_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_leave_(const places_ &to, int count, const real_ *xr, const real_ *xi) {
  CONVK_CUDA_EACH_(q, radix_)
    if (q < count) convk_cuda_fft_put_(&to.at(q)->x, CONVK_CUDA_FFT_PAIRS_, xr[q], xi[q]);
}

/* The first pass along y, from the field, or the last one back, into the result. */
template <class square_, int back_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_y_(const convk_cuda_fft_args_<real_> &a,
                                                 const convk_cuda_fft_block_<real_> &block, pair_ *tile) {
  enum { radix = square_::radix0, part = square_::radix1 };
  const convk_cuda_fft_by_ &all = back_ ? a.out_all : a.in_all, &each = back_ ? a.out_each : a.in_each;
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < part * all.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, all, each);
    const unsigned column = block.column + t.column;
    real_ xr[radix], xi[radix];
    if (t.item >= block.items || column >= convk_cuda_fft_columns_(a, back_ ? a.out_columns : a.columns)) continue;
    const convk_cuda_fft_file_<part, pair_> here(tile + t.item * square_::tile + t.column * square_::unit + t.row);
    const size_t item = block.first + t.item;
    if (back_) {
      convk_cuda_fft_fetch_<radix>(here, radix, xr, xi);
      convk_cuda_fft_step_<radix>(0, a.tables + a.axis[0].inverse[0] + 2 * t.row * (radix - 1), xi, xr);
      convk_cuda_fft_write_<square_, radix, 0>(a, item, t.row, part, column, xr, xi);
    } else {
      convk_cuda_fft_read_<square_, radix, 0>(a, item, t.row, part, column, xr, xi);
      convk_cuda_fft_step_<radix>(a.axis[0].half_in, (const real_ *)NULL, xr, xi);
      convk_cuda_fft_leave_<radix>(here, radix, xr, xi);
    }
  }
}

/* The last pass there or the first one back along y, of complex columns. */
template <class square_, int back_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_columns_(const convk_cuda_fft_args_<real_> &a,
                                                       const convk_cuda_fft_block_<real_> &block, pair_ *tile) {
  enum { radix = square_::radix1 };
  const convk_cuda_fft_by_ &all = back_ ? a.out_all : a.in_all, &each = back_ ? a.out_each : a.in_each;
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < square_::radix0 * all.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, all, each);
    const convk_cuda_fft_file_<1, pair_> here(tile + t.item * square_::tile + t.column * square_::unit + t.row * radix);
    real_ xr[radix], xi[radix];
    if (t.item >= block.items || block.column + t.column >= (back_ ? a.out_columns : a.columns)) continue;
    convk_cuda_fft_fetch_<radix>(here, radix, xr, xi);
    if (back_) convk_cuda_fft_step_<radix>(0, (const real_ *)NULL, xi, xr);
    else convk_cuda_fft_step_<radix>(0, a.tables + a.axis[0].forward[1] + 2 * t.row * (radix - 1), xr, xi);
    convk_cuda_fft_leave_<radix>(here, radix, xr, xi);
  }
}

/* Of a pair of real columns a thread has two blocks in the last pass, j and `other`, so that it can split the pair in
   registers: frequency j + radix0 q is opposite to radix0 - j + radix0 (radix1 - 1 - q), which block radix0 - j has.  Thread 0
   takes blocks 0 and radix0 / 2, whose opposite frequencies are their own.  The lines of a column are the frequencies up to
   side / 2: the first `low` ones of block j, then the first of `other`, and that in the middle, which thread 0 has, too. */
template <class square_, class pair_> struct convk_cuda_fft_two_ {
  enum { radix = square_::radix1, low = (radix + 1) / 2, middle = radix % 2 ? radix + radix / 2 : radix / 2 };
  unsigned j, other, item, column;
  int is;
  pair_ *at;
  __device__ __forceinline__ convk_cuda_fft_two_(unsigned begin, unsigned items, const convk_cuda_fft_by_ &each, pair_ *tile) {
    const unsigned unit = begin + threadIdx.x % square_::wide;
    j = threadIdx.x / square_::wide;
    other = j ? square_::radix0 - j : square_::radix0 / 2;
    item = convk_cuda_fft_over_(unit, each);
    column = 2 * (unit - item * each.by);
    is = item < items;
    at = tile + item * square_::tile + column / 2 * square_::unit;
  }
  __device__ __forceinline__ pair_ *block(int second) const { return at + (second ? other : j) * radix; }
  /* Line q, the point that has its frequency, and the one of the opposite frequency: in the same block or in the other one. */
  __device__ __forceinline__ pair_ *line(int q) const {
    return q < low ? at + j + q * square_::radix0 : at + other + (q - low) * square_::radix0;
  }
  __device__ __forceinline__ int point(int q) const { return q < low ? q : radix + q - low; }
  __device__ __forceinline__ int mirror(int q) const { return q < low ? (radix - q) % radix : 2 * radix - 1 - (q - low); }
  __device__ __forceinline__ int mirror_across(int q) const { return q < low ? 2 * radix - 1 - q : radix - 1 - (q - low); }
};

template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_split_(const convk_cuda_fft_args_<real_> &a, unsigned items, pair_ *tile) {
  typedef convk_cuda_fft_two_<square_, pair_> pieces;
  enum { radix = square_::radix1, middle = pieces::middle };
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned begin = 0; begin < a.in_all.by; begin += square_::wide) {
    const pieces two(begin, items, a.in_each, tile);
    const int both = two.column + 1 < a.columns;
    const real_ *const roots = a.tables + a.axis[0].forward[1];
    real_ xr[2 * radix], xi[2 * radix];
    if (two.is) {
      CONVK_CUDA_EACH_(b, 2) {
        convk_cuda_fft_fetch_<radix>(convk_cuda_fft_file_<1, pair_>(two.block(b)), radix, xr + b * radix, xi + b * radix);
        convk_cuda_fft_step_<radix>(0, roots + 2 * (b ? two.other : two.j) * (radix - 1), xr + b * radix, xi + b * radix);
      }
    }
    __syncthreads();
    if (!two.is) continue;
    CONVK_CUDA_EACH_(q, radix + 1) {
      const int last = q == radix, z = last ? (int)middle : two.point(q), here = last ? z : two.mirror(q),
                there = last ? z : two.mirror_across(q);
      pair_ *const to = last ? two.at + square_::side / 2 : two.line(q);
      const real_ mr = two.j ? xr[there] : xr[here], mi = two.j ? xi[there] : xi[here];
      pair_ v;
      if (last && two.j) continue;
      convk_cuda_fft_split_(xr[z], xi[z], mr, mi, 0, &v.x, &v.y);
      to[0] = v;
      convk_cuda_fft_split_(xr[z], xi[z], mr, mi, 1, &v.x, &v.y);
      if (both) to[square_::odd] = v;
    }
  }
}

/* The same back.  A line's points of two columns, or of one, give the points of its frequency and of the opposite one. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_both_(const pair_ *line, int both, real_ *zr, real_ *zi, real_ *mr, real_ *mi) {
  const pair_ v = line[0];
  pair_ w = {0, 0};
  if (both) w = line[square_::odd];
  convk_cuda_fft_merge_(v.x, v.y, w.x, w.y, zr, zi, mr, mi);
}
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_join_(const convk_cuda_fft_args_<real_> &a, unsigned items, pair_ *tile) {
  typedef convk_cuda_fft_two_<square_, pair_> pieces;
  enum { radix = square_::radix1, middle = pieces::middle };
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned begin = 0; begin < a.out_all.by; begin += square_::wide) {
    const pieces two(begin, items, a.out_each, tile);
    const int both = two.column + 1 < a.out_columns;
    real_ xr[2 * radix], xi[2 * radix], mr, mi;
    if (two.is) {
      if (two.j) {
        CONVK_CUDA_EACH_(q, radix)
          convk_cuda_fft_both_<square_>(two.line(q), both, &xr[two.point(q)], &xi[two.point(q)], &xr[two.mirror_across(q)],
                                        &xi[two.mirror_across(q)]);
      } else {
        CONVK_CUDA_EACH_(q, radix) {
          const int z = two.point(q), m = two.mirror(q);
          convk_cuda_fft_both_<square_>(two.line(q), both, &xr[z], &xi[z], m == z ? &mr : &xr[m], m == z ? &mi : &xi[m]);
        }
        convk_cuda_fft_both_<square_>(two.at + square_::side / 2, both, &xr[middle], &xi[middle], &mr, &mi);
      }
      CONVK_CUDA_EACH_(b, 2) convk_cuda_fft_step_<radix>(0, (const real_ *)NULL, xi + b * radix, xr + b * radix);
    }
    __syncthreads();
    if (!two.is) continue;
    CONVK_CUDA_EACH_(b, 2)
      convk_cuda_fft_leave_<radix>(convk_cuda_fft_file_<1, pair_>(two.block(b)), radix, xr + b * radix, xi + b * radix);
  }
}

/* The first pass along x there, from where lines come from, or the last one back, to where they go, as outer_ says; in the tile
   they are as layout_ says.  live: lines of all items. */
template <class square_, class outer_, class layout_, int back_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_end_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_by_ &each,
                                                   unsigned live, pair_ *outside, pair_ *tile) {
  enum { radix = square_::radix0, part = square_::radix1 };
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < part * a.width.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, a.width, each);
    const unsigned line = t.item * square_::tile + t.column;
    real_ xr[radix], xi[radix];
    if (t.item * each.by + t.column >= live) continue;
    const convk_cuda_fft_row_<outer_, part, pair_> outer(outside + line, t.row);
    const convk_cuda_fft_row_<layout_, part, pair_> inner(tile + line, t.row);
    const int points = convk_cuda_fft_count_(t.row, part, back_ ? a.out_columns : a.columns);
    if (back_) {
      convk_cuda_fft_fetch_<radix>(inner, radix, xr, xi);
      convk_cuda_fft_step_<radix>(0, a.tables + a.axis[1].inverse[0] + 2 * t.row * (radix - 1), xi, xr);
      convk_cuda_fft_leave_<radix>(outer, points, xr, xi);
    } else {
      convk_cuda_fft_fetch_<radix>(outer, points, xr, xi);
      convk_cuda_fft_step_<radix>(a.axis[1].half_in, (const real_ *)NULL, xr, xi);
      convk_cuda_fft_leave_<radix>(inner, radix, xr, xi);
    }
  }
}

/* Along x: lines there, times their factors, and back; those of a transform only there.  `each` lines of an item, the first
   `live` of all; from, to: where lines come from and go to, as outer_ says; in the tile as layout_ says. */
template <class square_, class outer_, class layout_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_x_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_by_ &each,
                                                 const convk_cuda_fft_block_<real_> &block, pair_ *from, pair_ *tile,
                                                 pair_ *to) {
  enum { radix0 = square_::radix0, radix1 = square_::radix1 };
  const unsigned live = block.end - block.line;
  convk_cuda_fft_middle_end_<square_, outer_, layout_, 0>(a, each, live, from, tile);
  __syncthreads();
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < radix0 * a.width.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, a.width, each);
    const convk_cuda_fft_row_<layout_, 1, pair_> here(tile + t.item * square_::tile + t.column, t.row * radix1);
    real_ xr[radix1], xi[radix1];
    if (t.item * each.by + t.column >= live) continue;
    convk_cuda_fft_fetch_<radix1>(here, radix1, xr, xi);
    convk_cuda_fft_step_<radix1>(0, a.tables + a.axis[1].forward[1] + 2 * t.row * (radix1 - 1), xr, xi);
    if (!square_::transforms) {
      const real_ *const f = block.factor[t.item] + block.line + t.column + t.row * (radix1 * 2 * square_::spectrum);
      CONVK_CUDA_EACH_(q, radix1)
        convk_cuda_fft_times_(0, __ldg(f + q * 2 * square_::spectrum), __ldg(f + (2 * q + 1) * square_::spectrum), &xr[q],
                              &xi[q]);
      convk_cuda_fft_step_<radix1>(0, (const real_ *)NULL, xi, xr);
    }
    convk_cuda_fft_leave_<radix1>(here, radix1, xr, xi);
  }
  __syncthreads();
  if (!square_::transforms) convk_cuda_fft_middle_end_<square_, outer_, layout_, 1>(a, each, live, to, tile);
  __syncthreads();
}

template <class real_, class square_>
static __global__ void CONVK_CUDA_BOUNDS_(square_::threads, square_::blocks)
    convk_cuda_fft_middles_(const convk_cuda_fft_args_<real_> a) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  CONVK_CUDA_SHARED_(shared);
  pair *const tile = (pair *)(void *)shared + a.at_a;
  convk_cuda_fft_block_<real_> block;
  convk_cuda_fft_block_of_(a, blockIdx.x, shared, &block);
  if (!square_::transforms && threadIdx.x < block.items)
    block.factor[threadIdx.x] = convk_cuda_fft_factors_(a, block.first + threadIdx.x);
  convk_cuda_fft_middle_y_<square_, 0>(a, block, tile);
  __syncthreads();
  if (square_::real) convk_cuda_fft_middle_split_<square_>(a, block.items, tile);
  else convk_cuda_fft_middle_columns_<square_, 0>(a, block, tile);
  __syncthreads();
  convk_cuda_fft_middle_x_<square_, square_, square_>(a, a.lines, block, tile, tile, tile);
  if (square_::transforms) {
    convk_cuda_fft_give_<square_>(a, block.first, block.items, tile);
    return;
  }
  if (square_::real) convk_cuda_fft_middle_join_<square_>(a, block.items, tile);
  else convk_cuda_fft_middle_columns_<square_, 1>(a, block, tile);
  __syncthreads();
  convk_cuda_fft_middle_y_<square_, 1>(a, block, tile);
}

/* Complex squares without room for a whole item: columns, lines, and columns again, each in a launch of its own, with all of an
   item in memory in between. */
template <class real_, int radix0_, int radix1_, int transforms_>
struct convk_cuda_fft_middle_part_ : convk_cuda_fft_middle_<real_, radix0_, radix1_, 0, transforms_> {
  enum {
    threads = CONVK_CUDA_FFT_THREADS_,
    blocks = 2,
    odd = CONVK_CUDA_FFT_LINES_ | 1,
    next = 2 * odd
  }; /* of a group of lines */
};

template <class real_, int radix0_, int radix1_, int transforms_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_FFT_THREADS_, 2)
    convk_cuda_fft_middle_parts_(const convk_cuda_fft_args_<real_> a) {
  typedef convk_cuda_fft_middle_part_<real_, radix0_, radix1_, transforms_> part;
  typedef convk_cuda_fft_middle_<real_, radix0_, radix1_, 0, transforms_> whole;
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  enum { side = whole::side };
  CONVK_CUDA_SHARED_(shared);
  pair *const tile = (pair *)(void *)shared + a.at_a;
  for (size_t group = blockIdx.x; group < a.groups; group += gridDim.x) {
    convk_cuda_fft_block_<real_> block;
    convk_cuda_fft_block_of_(a, group, shared, &block);
    if (a.stage == CONVK_CUDA_FFT_Y_) {
      convk_cuda_fft_middle_y_<part, 0>(a, block, tile);
      __syncthreads();
      convk_cuda_fft_middle_columns_<part, 0>(a, block, tile);
      __syncthreads();
      convk_cuda_fft_move_<real_, transforms_>(a, block, a.columns, a.in_each, 0);
    } else if (a.stage == CONVK_CUDA_FFT_X_) {
      pair *const lines = (pair *)(void *)block.b + block.line;
      const int points = transforms_ ? (int)(block.end - block.line) * side : 0;
      if (threadIdx.x == 0 && !transforms_) block.factor[0] = convk_cuda_fft_factors_(a, block.first);
      convk_cuda_fft_middle_x_<part, whole, part>(a, a.width, block, lines, tile, lines);
      for (int k = (int)threadIdx.x; k < points; k += part::threads)
        convk_cuda_fft_hand_(a, block.first, block.line + (unsigned)k / side,
                             (unsigned)k % side % radix1_ * radix0_ + (unsigned)k % side / radix1_,
                             tile[(unsigned)k % side * part::odd + (unsigned)k / side]);
      __syncthreads();
    } else {
      convk_cuda_fft_move_<real_, transforms_>(a, block, a.out_columns, a.out_each, 1);
      convk_cuda_fft_middle_columns_<part, 1>(a, block, tile);
      __syncthreads();
      convk_cuda_fft_middle_y_<part, 1>(a, block, tile);
      __syncthreads();
    }
  }
}
/* ---- src/fft/cuda_cut.h ---- */
/* ---- host side ---- */

/* A call that is checked, and how it is cut. */
template <class real_> struct convk_cuda_fft_call_ {
  convk_cuda_fft_args_<real_> args;
  void (*start)(const convk_cuda_fft_args_<real_>);
  int once;            /* blocks take one group */
  size_t chunks[2];    /* of an item that does not fit: along y and x; else 0 */
  size_t at_once;      /* such items */
  size_t shared, need; /* bytes: of a block, and of work */
  size_t each;         /* items of a block, as tuned, or fewer; 0: the default */
  size_t max_shared, processors;
  int threads;
};

CONVK_LOCAL_ convk_cuda_fft_by_ convk_cuda_fft_by_of_(size_t by) {
  convk_cuda_fft_by_ d;
  d.by = (unsigned)by;
  d.magic = (unsigned)(((uint64_t)1 << 32) / by + 1);
  return d;
}

/* Whether both axes of the plan have r0 r1 points and just these radices: one pass if r1 is 1, or else two. */
static int convk_cuda_fft_is_(const convk_fft_plan_ &plan, int r0, int r1) {
  int d;
  for (d = 0; d < 2; d++)
    if (plan.axis[d].n != (size_t)(r0 * r1) || plan.axis[d].passes != (r1 > 1 ? 2 : 1) || plan.axis[d].radix[0] != r0 ||
        (r1 > 1 && plan.axis[d].radix[1] != r1))
      return 0;
  return 1;
}

/* The least number >= `from` with the same remainder modulo 16 as `like`: from item to item in shared memory, so that 16 lanes
   that go on to the next item's columns meet no bank twice.  Lanes of lines, to which it does not apply, meet few. */
CONVK_LOCAL_ size_t convk_cuda_fft_like_(size_t from, size_t like) { return from + (like + 16 - from % 16) % 16; }

/* Blocks of `each` items, and groups of `width` lines. */
template <class real_>
static void convk_cuda_fft_blocks_(const convk_fft_plan_ &plan, size_t each, size_t width, convk_cuda_fft_args_<real_> *a) {
  const size_t in = convk_fft_columns_(&plan, plan.columns), out = convk_fft_columns_(&plan, plan.out_columns);
  a->each = convk_cuda_fft_by_of_(each);
  a->width = convk_cuda_fft_by_of_(width);
  a->in_each = convk_cuda_fft_by_of_(in);
  a->out_each = convk_cuda_fft_by_of_(out);
  a->in_all = convk_cuda_fft_by_of_(each * in);
  a->out_all = convk_cuda_fft_by_of_(each * out);
  a->stage = CONVK_CUDA_FFT_ALL_;
  a->chunks = 1;
  a->groups = convk_ceil_(a->items, each);
}

/* One launch of blocks of whole squares of a kind, if there is shared memory for it; item: complex numbers of each. */
template <class square_, class real_>
static int convk_cuda_fft_whole_(const convk_fft_plan_ &plan, size_t item, void (*start)(const convk_cuda_fft_args_<real_>),
                                 convk_cuda_fft_call_<real_> *call) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  const size_t pair = 2 * sizeof(real_);
  size_t each = call->each ? call->each : a->items / call->processors;
  if (each > square_::each) each = square_::each;
  if (!each) each = 1;
  a->item = (unsigned)item;
  a->at_a = (unsigned)convk_ceil_(each * sizeof(real_ *), pair);
  call->shared = (a->at_a + each * item) * pair;
  if (call->shared > call->max_shared) return 0;
  call->start = start;
  call->threads = square_::threads;
  call->once = 1;
  convk_cuda_fft_blocks_(plan, each, each * square_::lines, a);
  return 1;
}

/* Those whose threads hold a line. */
template <class square_, class real_>
static int convk_cuda_fft_squares_fit_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  const size_t in = convk_fft_columns_(&plan, plan.columns);
  return convk_cuda_fft_whole_<square_>(plan, convk_cuda_fft_like_(square_::tile * square_::pitch, in * square_::pitch),
                                        convk_cuda_fft_squares_<real_, square_>, call);
}

/* The same, if the plan's squares have radix0_ radix1_ points. */
template <int radix0_, int radix1_, class real_>
static int convk_cuda_fft_square_of_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  const int half_in = plan.axis[0].half_in, half_out = plan.axis[0].half_out && plan.axis[1].half_out;
  enum { halves = radix0_ * radix1_ % 16 ? 1 : 3 }; /* fewer kernels where little is to be won */
#define CONVK_CUDA_FFT_FIT_(real, transforms, halves) \
  convk_cuda_fft_squares_fit_<convk_cuda_fft_square_<real_, radix0_, radix1_, real, transforms, halves>>(plan, call)
  if (!convk_cuda_fft_is_(plan, radix0_, radix1_) || half_in != plan.axis[1].half_in) return 0;
  if (!plan.kernels) return CONVK_CUDA_FFT_FIT_(0, 1, 0);
  if (plan.real)
    return !half_in   ? CONVK_CUDA_FFT_FIT_(1, 0, 0)
           : half_out ? CONVK_CUDA_FFT_FIT_(1, 0, halves)
                      : CONVK_CUDA_FFT_FIT_(1, 0, 1);
  return !half_in ? CONVK_CUDA_FFT_FIT_(0, 0, 0) : half_out ? CONVK_CUDA_FFT_FIT_(0, 0, halves) : CONVK_CUDA_FFT_FIT_(0, 0, 1);
#undef CONVK_CUDA_FFT_FIT_
}
/* Sizes that plans of up to 32 points choose, but for 6, 9, 10, 21 and 25, which each serve one or two sums of sizes. */
template <class real_> static int convk_cuda_fft_square_any_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  enum { last = sizeof(real_) == 4 ? 8 : 4 };
  return convk_cuda_fft_square_of_<8, 1>(plan, call) || convk_cuda_fft_square_of_<4, 3>(plan, call) ||
         convk_cuda_fft_square_of_<16, 1>(plan, call) || convk_cuda_fft_square_of_<4, 5>(plan, call) ||
         convk_cuda_fft_square_of_<8, 3>(plan, call) || convk_cuda_fft_square_of_<4, 7>(plan, call) ||
         convk_cuda_fft_square_of_<8, 4>(plan, call) || convk_cuda_fft_square_of_<8, last>(plan, call);
}

/* Squares whose threads hold groups of points. */
template <class square_, class real_>
static int convk_cuda_fft_middle_fits_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  return convk_cuda_fft_whole_<square_>(plan, square_::tile, convk_cuda_fft_middles_<real_, square_>, call);
}
template <int radix0_, int radix1_, class real_>
static int convk_cuda_fft_middle_of_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  /* Complex squares of 128 points in double precision find no room anywhere, and those of 112 points stand in for them here. */
  enum { finds_room = sizeof(real_) * radix0_ * radix1_ < 1024, complex1 = finds_room ? radix1_ : 7 };
#define CONVK_CUDA_FFT_FIT_(radix1, real, transforms) \
  convk_cuda_fft_middle_fits_<convk_cuda_fft_middle_<real_, radix0_, radix1, real, transforms>>(plan, call)
  if (!convk_cuda_fft_is_(plan, radix0_, radix1_) || (!plan.real && !finds_room)) return 0;
  if (!plan.kernels) return CONVK_CUDA_FFT_FIT_(complex1, 0, 1);
  return plan.real ? CONVK_CUDA_FFT_FIT_(radix1_, 1, 0) : CONVK_CUDA_FFT_FIT_(complex1, 0, 0);
#undef CONVK_CUDA_FFT_FIT_
}
/* Sizes of two passes. */
template <class real_> static int convk_cuda_fft_middle_any_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  enum { eight = sizeof(real_) == 8 ? 8 : 7 };
  return convk_cuda_fft_middle_of_<8, 5>(plan, call) || convk_cuda_fft_middle_of_<16, 3>(plan, call) ||
         convk_cuda_fft_middle_of_<8, 7>(plan, call) || convk_cuda_fft_middle_of_<8, eight>(plan, call) ||
         convk_cuda_fft_middle_of_<16, 5>(plan, call) || convk_cuda_fft_middle_of_<16, 7>(plan, call) ||
         convk_cuda_fft_middle_of_<16, 8>(plan, call);
}

/* Shared memory of blocks of `each` items and groups of `width` lines, which sets where what lies; bytes. */
template <class real_> static size_t convk_cuda_fft_shared_(convk_cuda_fft_args_<real_> *a, size_t each, size_t width) {
  const size_t pair = 2 * sizeof(real_);
  size_t end = convk_ceil_(each * sizeof(real_ *), pair);
  a->at_a = a->at_b = (unsigned)end;
  if (a->real) end += each * a->pairs * a->pitch_a;
  a->at_b = (unsigned)end;
  end += each * a->tile * a->pitch_b;
  a->at_t = (unsigned)end;
  if (!a->in_place && a->axis[1].passes > 1) end += width * a->axis[1].n;
  return end * pair;
}

/* One launch, if an item fits into shared memory. */
template <class real_> static int convk_cuda_fft_fits_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  const size_t group = CONVK_CUDA_FFT_LINES_, lines = plan.lines, points = lines * plan.axis[1].n;
  const size_t easy = convk_least_(call->max_shared, CONVK_CUDA_FFT_EASY_), share = a->items / call->processors;
  size_t each = (size_t)call->threads * CONVK_CUDA_FFT_POINTS_ / points, width;
  if (call->each) each = call->each;
  if (each > CONVK_CUDA_FFT_ITEMS_) each = CONVK_CUDA_FFT_ITEMS_;
  if (!call->each && each > share) each = share; /* some for every processor */
  if (!each) each = 1;
  a->in_place = a->tile == plan.axis[1].n;
  while (each > 1 && convk_cuda_fft_shared_(a, each, group) > easy) each--;
  if (a->in_place) {
    width = each * lines;
  } else {
    const size_t groups = (each * lines + group / 2) / group;
    width = a->axis[1].passes == 1 ? each * lines : convk_ceil_(each * lines, groups ? groups : 1);
    while (width > 1 && convk_cuda_fft_shared_(a, each, width) > call->max_shared) width = (width + 1) / 2;
  }
  call->shared = convk_cuda_fft_shared_(a, each, width);
  if (call->shared > call->max_shared) return 0;
  a->step = a->in_place ? a->pitch_b : (unsigned)width;
  convk_cuda_fft_blocks_(plan, each, width, a);
  return 1;
}

/* Or three launches, of columns, lines, and columns of each item. */
template <class real_> static int convk_cuda_fft_parts_(const convk_fft_plan_ &plan, convk_cuda_fft_call_<real_> *call) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  const size_t pair = 2 * sizeof(real_), room = convk_least_(call->max_shared, CONVK_CUDA_FFT_HALF_) / pair - 2;
  const size_t in = convk_fft_columns_(&plan, plan.columns), out = convk_fft_columns_(&plan, plan.out_columns);
  const size_t tile = in > out ? in : out, column = a->pitch_a;
  const int at_once = a->axis[1].passes == 1 && plan.kernels; /* there and back: without lines under way */
  size_t each = room / column, width = at_once ? plan.lines : room / plan.axis[1].n, bytes, all, end = 0;
  if (each > CONVK_CUDA_FFT_LINES_) each = CONVK_CUDA_FFT_LINES_;
  if (each > tile) each = tile;
  if (width > 4 * CONVK_CUDA_FFT_LINES_) width = 4 * CONVK_CUDA_FFT_LINES_;
  if (a->axis[1].passes > 1 && width > CONVK_CUDA_FFT_LINES_) width = CONVK_CUDA_FFT_LINES_;
  if (width > plan.lines) width = plan.lines;
  if (!each || !width) return CONVK_ERR_DEVICE;
  a->in_place = 0;
  a->at_a = a->at_t = (unsigned)convk_ceil_(sizeof(real_ *), pair);
  call->shared = (a->at_a + (each * column > width * plan.axis[1].n ? each * column : width * plan.axis[1].n)) * pair;
  if (at_once) call->shared = (a->at_a + each * column) * pair;
  all = (a->at_a + plan.axis[1].n * (CONVK_CUDA_FFT_LINES_ | 1)) * pair;
  a->step = (unsigned)width;
  a->each = convk_cuda_fft_by_of_(1);
  a->width = convk_cuda_fft_by_of_(width);
  a->in_each = a->in_all = a->out_each = a->out_all = convk_cuda_fft_by_of_(each);
  call->chunks[0] = each;
  call->chunks[1] = width;
  if (!plan.real && convk_cuda_fft_is_(plan, 16, 8) && all <= call->max_shared) {
    call->start = plan.kernels ? convk_cuda_fft_middle_parts_<real_, 16, 8, 0> : convk_cuda_fft_middle_parts_<real_, 16, 8, 1>;
    if (call->shared < all) call->shared = all;
  }
  if (convk_mul_((size_t)a->tile * a->pitch_b, pair, &bytes)) return CONVK_ERR_OVERFLOW;
  call->at_once = convk_least_(CONVK_CUDA_FFT_WORK_ / bytes, a->items);
  if (!call->at_once) call->at_once = 1;
  if (convk_reserve_(&end, call->at_once, a->tile, a->pitch_b, pair, &bytes)) return CONVK_ERR_OVERFLOW;
  call->need = end + 256;
  return CONVK_OK;
}

/* How a plan's items go on the current device. */
template <class real_>
static int convk_cuda_fft_cut_(const convk_fft_plan_ &plan, size_t items, convk_cuda_fft_call_<real_> *call, convk *hw = NULL,
                               size_t whole = 0) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  long choice[CONVK_TUNE_COUNT];
  int device = 0, limit = 0, processors = 0, d, i;
  if (plan.tile[0] || plan.tile[1]) return CONVK_ERR_UNSUPPORTED;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return CONVK_ERR_DEVICE;
  memset(call, 0, sizeof *call);
  call->max_shared = convk_least_((size_t)limit, CONVK_CUDA_FFT_SHARED_);
  call->processors = (size_t)processors;
  convk_fft_choice_(hw, &plan, sizeof(real_), whole ? whole : items, choice); /* whole: of which these are a part */
  call->each = (size_t)choice[CONVK_TUNE_CHUNK];
  for (d = 0; d < 2; d++) {
    const convk_fft_axis_ *from = &plan.axis[d];
    convk_cuda_fft_axis_ *to = &a->axis[d];
    size_t part = from->n;
    to->n = (unsigned)from->n;
    to->passes = from->passes;
    to->half_in = from->half_in;
    for (i = 0; i < from->passes; i++) {
      part /= (size_t)from->radix[i];
      to->radix[i] = (unsigned)from->radix[i];
      to->forward[i] = (unsigned)from->forward[i];
      to->inverse[i] = (unsigned)from->inverse[i];
      to->part[i] = convk_cuda_fft_by_of_(part);
    }
  }
  a->real = plan.real;
  a->tile = (unsigned)(plan.columns > plan.out_columns ? plan.columns : plan.out_columns);
  a->pairs = (a->tile + 1) / 2;
  a->pitch_a = a->axis[0].n | 1;
  a->pitch_b = (unsigned)plan.lines | 1;
  a->lines = convk_cuda_fft_by_of_(plan.lines);
  a->rows = (unsigned)plan.rows;
  a->columns = (unsigned)plan.columns;
  a->out_rows = (unsigned)plan.out_rows;
  a->out_columns = (unsigned)plan.out_columns;
  a->pitch = (unsigned)plan.pitch;
  a->spectrum = plan.spectrum;
  a->items = items;
  if (convk_cuda_fft_square_any_(plan, call) || convk_cuda_fft_middle_any_(plan, call)) return CONVK_OK;
  if (plan.kernels) call->start = convk_cuda_fft_<real_, 0>;
  else call->start = convk_cuda_fft_<real_, 1>;
  call->threads = CONVK_CUDA_FFT_THREADS_;
  return convk_cuda_fft_fits_(plan, call) ? CONVK_OK : convk_cuda_fft_parts_(plan, call);
}

/* The launches of a call whose arguments are complete. */
template <class real_>
static int convk_cuda_fft_run_(const convk_fft_plan_ &plan, const convk_cuda_fft_call_<real_> &call, cudaStream_t stream) {
  convk_cuda_fft_args_<real_> args = call.args;
  const size_t items = args.items;
  const size_t in = convk_fft_columns_(&plan, plan.columns), out = convk_fft_columns_(&plan, plan.out_columns);
  size_t now;
  int status = CONVK_OK, k;
  if (!call.chunks[0] && !call.once) return convk_cuda_start_(call.start, args.groups, call.threads, stream, args, call.shared);
  if (call.once) { /* whose blocks take one group */
    const size_t limit = CONVK_CUDA_MAX_BLOCKS_;
    for (; args.groups && !status; args.begin += now * args.each.by, args.groups -= now) {
      now = args.groups < limit ? args.groups : limit;
      status = convk_cuda_launch_(call.start, now, call.threads, stream, args, call.shared);
    }
    return status;
  }
  for (; args.begin < items && !status; args.begin += call.at_once) {
    now = items - args.begin < call.at_once ? items - args.begin : call.at_once;
    args.items = args.begin + now;
    for (k = 0; k < (plan.kernels ? 3 : 2) && !status; k++) {
      args.stage = 1 << k;
      args.chunks = (unsigned)convk_ceil_(k == 0 ? in : k == 1 ? plan.lines : out, call.chunks[k == 1]);
      args.groups = now * args.chunks;
      status = convk_cuda_start_(call.start, args.groups, call.threads, stream, args, call.shared);
    }
  }
  return status;
}

/* What the batch and the arrays on the device say. */
template <class real_>
static void convk_cuda_fft_fill_(const convk_fft_plan_ &plan, const char *device_plan, int direction, const convk_batch2d &full,
                                 const real_ *in, real_ *out, convk_cuda_fft_call_<real_> *call) {
  convk_cuda_fft_args_<real_> *const a = &call->args;
  const size_t reals = plan.real ? 1 : 2, pair = 2 * sizeof(real_);
  a->in = in;
  a->out = out;
  a->tables = (const real_ *)(const void *)(device_plan + plan.tables);
  a->spectra = (const real_ *)(const void *)(device_plan + plan.spectra);
  a->position[0] = (const uint32_t *)(const void *)(device_plan + plan.position[0]);
  a->position[1] = (const uint32_t *)(const void *)(device_plan + plan.position[1]);
  a->kernel = full.kernel;
  a->items_per_kernel = plan.kernels == 1 ? full.items : full.items_per_kernel ? full.items_per_kernel : 1;
  a->in_pitch = reals * full.in_pitch;
  a->in_stride = reals * full.in_stride;
  a->out_pitch = reals * full.out_pitch;
  a->out_stride = reals * full.out_stride;
  a->load = (uintptr_t)in % pair || a->in_pitch % 2 || a->in_stride % 2 ? CONVK_CUDA_FFT_SINGLY_ : CONVK_CUDA_FFT_PAIRS_;
  a->store = (uintptr_t)out % pair || a->out_pitch % 2 || a->out_stride % 2 ? CONVK_CUDA_FFT_SINGLY_ : CONVK_CUDA_FFT_PAIRS_;
  a->swap = direction == CONVK_INVERSE ? CONVK_CUDA_FFT_SWAP_LOADS_ : 0;
  a->scale = (real_)convk_fft_scale_(&plan, direction);
  if (!call->once) return;
  if (plan.real && plan.columns % 2) a->load = CONVK_CUDA_FFT_SINGLY_;
  if (plan.real && plan.out_columns % 2) a->store = CONVK_CUDA_FFT_SINGLY_;
}
#endif
#if CONVK_HAS_PAIRS_
/* ---- src/pairs/kernel.cuh ---- */
/* A pair is seen once, from the end that has the other in the next half of all, cyclically; for the gradient also from the
   other.
   Up to 256 particles: threads are particles, several walkers fill a block, which does all; as far as shared memory reaches,
   the second end of a pair takes u' / r from the first.
   More: tiles of 64 rows and 64 columns; a block of four warps, which share the columns, takes a row of tiles, or a slice of
   it, and a second kernel adds up the slices.  Up to 16384 particles a tile's pairs give columns their gradients, too, which
   are written apart for each diagonal of tiles and added up with the slices; above that there is no room for them, and each
   pair is looked at from both ends.  Order and slices depend on the number of particles alone, and so do the bits.
   Moves of single particles: a block goes through whole sweeps of a walker, its threads through the others. */
enum {
  CONVK_CUDA_PAIRS_TILE_ = 64,
  CONVK_CUDA_PAIRS_THREADS_ = 128,
  CONVK_CUDA_PAIRS_ROWS_ = 2,    /* of a thread */
  CONVK_CUDA_PAIRS_SHARE_ = 16,  /* columns of a warp in a tile */
  CONVK_CUDA_PAIRS_SLICES_ = 16, /* of a row of tiles, at most; not fitted */
  CONVK_CUDA_PAIRS_ONCE_ = 256,  /* tiles of a walker, at most, whose pairs have gradients from one end: these take 57 MB */
  CONVK_CUDA_PAIRS_SMALL_ = 256, /* particles of a walker, and threads of a block with whole walkers */
  CONVK_CUDA_PAIRS_KEPT_ = 20,   /* doubles of u' / r of each: with coordinates 46 of 48 KB of shared memory */
  CONVK_CUDA_PAIRS_VALUES_ = 10, /* sums of pairs: 7, pairs, mantissa and exponent of the product */
  CONVK_CUDA_PAIRS_PRODUCT_ = 8, /* which of them is multiplied */
  CONVK_CUDA_PAIRS_FLOATS_ = 32, /* sums of f32 go on in f64 after so many pairs */
  CONVK_CUDA_PAIRS_ADD_ = 192,   /* threads that add up a tile's gradient: one for each coordinate */
  CONVK_CUDA_PAIRS_EACH_ = 256,  /* threads of kernels for one value each, and for one particle's move */
  CONVK_CUDA_VMC_THREADS_ = 512, /* of a walker's block, at most */
  CONVK_CUDA_VMC_NUMBERS_ = 128  /* particles whose random numbers are made together: 4 KB */
};

/* Bytes of partial sums: as many walkers go at a time.  64 MB; not fitted. */
#define CONVK_CUDA_PAIRS_WORK_ ((size_t)1 << 26)

/* What convk.h has once per precision, by type. */
template <class real_> struct convk_cuda_pairs_type_;
template <> struct convk_cuda_pairs_type_<float> { typedef convk_pairs_terms_f32_ terms; };
template <> struct convk_cuda_pairs_type_<double> { typedef convk_pairs_terms_f64_ terms; };

/* ---- pairs ---- */

/* The words of numbers.h; what it lacks is element.h's. */
#define CONVK_NUMBERS_ARE_FUSED_
#define CONVK_NUMBER_ CONVK_CUDA_INLINE_
#define CONVK_NUMBER_APART_ CONVK_CUDA_INLINE_
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_cuda_##name##_
#define CONVK_NUMBER_FAR_
#define CONVK_ROLLED_ CONVK_CUDA_UNROLL_BY_(1)
#define CONVK_TIMES_(a, b) convk_cuda_mul_(a, b)
#define CONVK_PLUS_(a, b) convk_cuda_add_(a, b)
#define CONVK_TIMES_PLUS_(a, b, c) convk_cuda_fma_(a, b, c)
#define CONVK_OVER_(a, b) convk_cuda_divided_(a, b)
#define CONVK_SIXTH_(x) convk_cuda_mul_(x, 1. / 6)
#define CONVK_ROOT_OF_(x) convk_cuda_root_(x)
#define CONVK_LOG_OF_(x) convk_cuda_vlog_(x)
#define CONVK_EXP_OF_(x) convk_cuda_vexp_(x)
#pragma push_macro("CONVK_UNROLL_")
#undef CONVK_UNROLL_
#define CONVK_UNROLL_ CONVK_CUDA_UNROLL_
/* ---- src/pairs/numbers.h ---- */
/* ---- numbers: one text for processors, OpenCL and CUDA, in doubles ----
   Written in words, each of which rounds once:
     NUMBER, NUMBER_APART        what begins a function
     TIMES, PLUS, OVER (a, b)    a b, a + b, a / b
     TIMES_PLUS(a, b, c)         a b + c, fused on CUDA
     SIXTH(x)                    x / 6, on CUDA times 1 / 6
     ROOT_OF, LOG_OF, EXP_OF(x)  the hardware's own functions
     FAR                         of pointers to the memory of a table */

#define CONVK_LN_2_ 0.6931471805599453

#ifndef CONVK_NUMBERS_ARE_FUSED_
/* Puts the exponent of an ordinary x > 0 aside: x = 2^k m becomes m, between 1 and 2, and k is added to *exponent. */
CONVK_NUMBER_ void convk_split_(double *x, double *exponent) {
  const uint64_t bits = convk_to_bits_(*x);
  *exponent += (double)((int)(bits >> 52) - 1023);
  *x = convk_from_bits_((bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1023 << 52);
}

/* ln(a / b 2^k) of a and b within [1, 2): 2 artanh s, s = (a - b) / (a + b), once a / b is between sqrt(1/2) and sqrt(2). */
CONVK_NUMBER_ double convk_log_ratio_(double a, double b, double k) {
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
  return k * CONVK_LN_2_HIGH_ + (k * CONVK_LN_2_LOW_ + (2 * s + 2 * s * sum));
}
#endif

/* V of a table at distance r: Lagrange's polynomial through the four nearest points.  Kernels of processors call it, so that it
   is not fused with what they do. */
CONVK_NUMBER_APART_ double convk_pairs_table_(const CONVK_NUMBER_FAR_ double *values, uint64_t entries, double first,
                                              double per_spacing, double r) {
  const double x = CONVK_TIMES_(CONVK_PLUS_(r, -first), per_spacing);
  const CONVK_NUMBER_FAR_ double *f;
  double t, t1, t2, t3, sum;
  uint64_t k;
  if (!CONVK_LESS_EQUAL_(x, (double)(entries - 1))) return 0; /* beyond, or not a number */
  if (x <= 0) return values[0];
  k = (uint64_t)x;
  k = k < 1 ? 0 : k > entries - 3 ? entries - 4 : k - 1;
  f = values + k;
  t = CONVK_PLUS_(x, -(double)k);
  t1 = CONVK_PLUS_(t, -1);
  t2 = CONVK_PLUS_(t, -2);
  t3 = CONVK_PLUS_(t, -3);
  sum = CONVK_TIMES_(CONVK_SIXTH_(CONVK_TIMES_(CONVK_TIMES_(t1, t2), t3)), -f[0]);
  sum = CONVK_TIMES_PLUS_(CONVK_TIMES_(CONVK_TIMES_(CONVK_TIMES_(t, t2), t3), 0.5), f[1], sum);
  sum = CONVK_TIMES_PLUS_(CONVK_TIMES_(CONVK_TIMES_(CONVK_TIMES_(t, t1), t3), -0.5), f[2], sum);
  return CONVK_TIMES_PLUS_(CONVK_SIXTH_(CONVK_TIMES_(CONVK_TIMES_(t, t1), t2)), f[3], sum);
}

/* ---- random numbers ---- */

/* Philox4x32-10 of the counter c, in its place. */
CONVK_NUMBER_ void convk_philox_(uint32_t *c, uint32_t k0, uint32_t k1) {
  int i;
  CONVK_EACH_(i, 10) {
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
CONVK_NUMBER_ void convk_random_(uint64_t seed, uint64_t sweep, uint64_t particle, uint64_t walker, uint32_t purpose,
                                 double *u) {
  uint32_t c[4];
  int i;
  c[0] = (uint32_t)sweep;
  c[1] = (uint32_t)particle;
  c[2] = (uint32_t)walker;
  c[3] = ((uint32_t)(sweep >> 32) & 0xffffffu) | purpose << 24;
  convk_philox_(c, (uint32_t)seed, (uint32_t)(seed >> 32));
  CONVK_EACH_(i, 4) u[i] = CONVK_TIMES_(CONVK_PLUS_((double)c[i], 0.5), 1. / 4294967296.);
}

/* Three normal deviates, by the polar method: pairs within the unit circle, until there are two.  0 once in 10^80. */
CONVK_NUMBER_ void convk_normal_(uint64_t seed, uint64_t sweep, uint64_t particle, uint64_t walker, double *normal) {
  uint32_t attempt;
  int i, have = 0;
  normal[0] = normal[1] = normal[2] = 0;
  CONVK_ROLLED_
  for (attempt = 0; have < 3 && attempt < 128; attempt++) {
    double u[4];
    convk_random_(seed, sweep, particle, walker, CONVK_RANDOM_NORMAL_ + attempt, u);
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
CONVK_NUMBER_ void convk_vmc_drift_(double step, const double *force, double *drift) {
  const double step2 = CONVK_TIMES_(step, step);
  const double x = CONVK_TIMES_(force[0], force[0]), y = CONVK_TIMES_(force[1], force[1]), z = CONVK_TIMES_(force[2], force[2]);
  const double square = CONVK_TIMES_(step2, CONVK_PLUS_(CONVK_PLUS_(x, y), z));
  int d;
  CONVK_EACH_(d, 3) drift[d] = CONVK_OVER_(CONVK_TIMES_(step2, force[d]), CONVK_PLUS_(1, CONVK_TIMES_(0.25, square)));
}

/* A move, of normal deviates where it `drifts` with a force, or else of numbers between 0 and 1. */
CONVK_NUMBER_ void convk_vmc_move_(int drifts, double step, const double *force, const double *number, double *move) {
  int d;
  if (drifts) {
    convk_vmc_drift_(step, force, move);
    CONVK_EACH_(d, 3) move[d] = CONVK_PLUS_(move[d], CONVK_TIMES_(step, number[d]));
  } else {
    CONVK_EACH_(d, 3) move[d] = CONVK_TIMES_(step, CONVK_PLUS_(CONVK_TIMES_(2, number[d]), -1));
  }
}

/* ln of the chance of the way back over that of the way there, of one particle. */
CONVK_NUMBER_ double convk_vmc_return_(double step, const double *way, const double *before, const double *after) {
  double forward[3], back[3], sum = 0;
  int d;
  convk_vmc_drift_(step, before, forward);
  convk_vmc_drift_(step, after, back);
  CONVK_EACH_(d, 3) {
    const double a = CONVK_PLUS_(way[d], -forward[d]), b = CONVK_PLUS_(-way[d], -back[d]);
    sum = CONVK_PLUS_(sum, CONVK_PLUS_(CONVK_TIMES_(a, a), -CONVK_TIMES_(b, b)));
  }
  return CONVK_OVER_(sum, CONVK_TIMES_(CONVK_TIMES_(2, step), step));
}

/* Whether a move is accepted; chance: the logarithm of its probability. */
CONVK_NUMBER_ int convk_vmc_accepts_(double chance, double u) { return chance >= 0 || u < CONVK_EXP_OF_(chance); }

/* A coordinate within its period. */
CONVK_NUMBER_ double convk_vmc_inside_(double x, double period) {
  double cell = (double)(int64_t)CONVK_OVER_(x, period);
  if (CONVK_TIMES_(cell, period) > x) cell -= 1;
  return CONVK_PLUS_(x, -CONVK_TIMES_(cell, period));
}

/* What is subtracted of the coordinates of a cluster that has drifted off, by their mean: whole steps, as digits stay. */
CONVK_NUMBER_ double convk_vmc_off_(double mean) { return mean > -16 && mean < 16 ? 0 : (double)(int64_t)(mean * 0.0625) * 16; }

/* ---- results ---- */

/* What sums s over all pairs mean, as the numbers of convk_pair_result.  p, edge: parameters, and derivatives of u at the
   cutoff; log: ln of the product of all r^2; squares: of the gradient.  The laplacian without its factor is given. */
CONVK_NUMBER_ void convk_pairs_meaning_(const double *p, const double *edge, double hbar2_2m, int want, const double *s,
                                        double log, double laplacian, double squares, double *result) {
  int k;
  CONVK_EACH_(k, 9) result[k] = 0;
  if (want & CONVK_PAIR_LN_PSI) {
    result[5] = -s[0];
    result[6] = -s[1];
    result[7] = -0.5 * log;
    result[8] = -s[2];
    CONVK_EACH_(k, 4) {
      result[5 + k] = CONVK_TIMES_PLUS_(-edge[k], s[7], result[5 + k]);
      result[0] = CONVK_TIMES_PLUS_(p[k], result[5 + k], result[0]);
    }
  }
  if (want & CONVK_PAIR_POTENTIAL_ENERGY) result[1] = s[6];
  if (want & CONVK_PAIR_GRADIENT) result[2] = squares;
  if (want & CONVK_PAIR_LAPLACIAN) result[3] = -2 * laplacian;
  if ((want & CONVK_PAIR_KINETIC) == CONVK_PAIR_KINETIC) result[4] = CONVK_TIMES_(-hbar2_2m, CONVK_PLUS_(result[3], result[2]));
}
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_##name##_
#pragma pop_macro("CONVK_UNROLL_")

/* The device's own 1 / sqrt, which has 20 digits in f64 and looks at no more of x, and 22 in f32. */
#ifdef CONVK_CUDA_EMULATOR
CONVK_CUDA_INLINE_ double convk_cuda_rsqrt_seed_(double x) {
  return convk_cuda_real_(
      (uint64_t)(convk_cuda_bits_(rsqrt(convk_cuda_real_((uint64_t)(convk_cuda_bits_(x) >> 32 << 32)))) >> 32 << 32));
}
CONVK_CUDA_INLINE_ float convk_cuda_rsqrt_seed_(float x) { return rsqrtf(x); }
#elif defined CONVK_HIP
CONVK_CUDA_INLINE_ double convk_cuda_rsqrt_seed_(double x) { return rsqrt(x); }
CONVK_CUDA_INLINE_ float convk_cuda_rsqrt_seed_(float x) { return rsqrtf(x); }
#else
CONVK_CUDA_INLINE_ double convk_cuda_rsqrt_seed_(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
CONVK_CUDA_INLINE_ float convk_cuda_rsqrt_seed_(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
#endif

/* 1 / sqrt(x) of ordinary x > 0, to an ulp. */
CONVK_CUDA_INLINE_ double convk_cuda_pairs_inverse_(double x) {
  const double y = convk_cuda_rsqrt_seed_(x), h = convk_cuda_fma_(-convk_cuda_mul_(x, y), y, 1.);
  return convk_cuda_fma_(convk_cuda_mul_(y, h), convk_cuda_fma_(h, 0.375, 0.5), y);
}
CONVK_CUDA_INLINE_ float convk_cuda_pairs_inverse_(float x) { return convk_cuda_rsqrt_seed_(x); }

/* The same again where r itself is needed, which exponentials make much of. */
CONVK_CUDA_INLINE_ double convk_cuda_pairs_nearer_(double, double y) { return y; }
CONVK_CUDA_INLINE_ float convk_cuda_pairs_nearer_(float x, float y) {
  const float h = convk_cuda_fma_(-convk_cuda_mul_(x, y), y, 1.f);
  return convk_cuda_fma_(convk_cuda_mul_(y, 0.5f), h, y);
}

/* At least the square of 1 / 256; and whether x >= 0 may be below y: by their upper halves, beside the units of doubles. */
CONVK_CUDA_INLINE_ double convk_cuda_pairs_at_least_(double x) {
  return (uint32_t)(convk_cuda_bits_(x) >> 32) < 0x3ef00000u ? CONVK_PAIRS_LEAST_ : x;
}
CONVK_CUDA_INLINE_ float convk_cuda_pairs_at_least_(float x) { return convk_cuda_max_((float)CONVK_PAIRS_LEAST_, x); }
CONVK_CUDA_INLINE_ int convk_cuda_pairs_below_(double x, double y) {
  return (uint32_t)(convk_cuda_bits_(x) >> 32) <= (uint32_t)(convk_cuda_bits_(y) >> 32);
}
CONVK_CUDA_INLINE_ int convk_cuda_pairs_below_(float x, float y) { return x < y; }

/* What a thread sums up: as convk_pairs_sums_, but the number of pairs apart. */
template <class real_> struct convk_cuda_pairs_sums_ {
  real_ sum[7], product; /* the product's exponent is put aside before it overflows */
  int exponent;
  unsigned pairs;
};

template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_pairs_clear_(convk_cuda_pairs_sums_<real_> &s) {
  CONVK_CUDA_EACH_(k, 7) s.sum[k] = 0;
  s.product = 1;
  s.exponent = 0;
  s.pairs = 0;
}

template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_pairs_mantissa_(real_ *product, int *exponent) {
  typedef typename convk_cuda_number_<real_>::bits number;
  const int fraction = convk_cuda_number_<real_>::fraction, bias = sizeof(real_) == sizeof(float) ? 127 : 1023;
  const number bits = convk_cuda_bits_(*product);
  *exponent += (int)(bits >> fraction) - bias;
  *product = convk_cuda_real_((number)((bits & (((number)1 << fraction) - 1)) | convk_cuda_bits_((real_)1)));
}

/* Sums in real_ that go on in doubles; in f64 they are these. */
template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_pairs_flush_(real_ *sum, double *total, int count) {
  CONVK_CUDA_EACH_(k, count) {
    total[k] = convk_cuda_add_(total[k], (double)sum[k]);
    sum[k] = 0;
  }
}

template <class real_> CONVK_CUDA_INLINE_ real_ convk_cuda_pairs_square_(const real_ *d) {
  return convk_cuda_pairs_at_least_(convk_cuda_pairs_norm_(d));
}

/* d = at - other, whose x, y and z are `pitch` apart; in a box of the nearest images. */
template <class real_, class constants_, class index_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_between_(const constants_ &c, const real_ *at, const real_ *other, index_ pitch,
                                                  real_ *d) {
  CONVK_CUDA_EACH_(k, 3) d[k] = convk_cuda_sub_(at[k], other[(index_)k * pitch]);
  if (c.periodic) convk_cuda_pairs_image_(&c, d);
}

/* What a pair of w = u' / r adds to a gradient. */
template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_pairs_pull_(real_ w, const real_ *d, real_ *g) {
  CONVK_CUDA_EACH_(k, 3) g[k] = convk_cuda_fma_(w, d[k], g[k]);
}

/* One pair, whose r^2 and 1 / r are given: what it adds to sums, and w = u' / r.  full_: all that is wanted; else only w.
   masked_: pairs at and beyond `limit` (of r^2) count as nothing.  *near_by: V is left out, as it has more than powers. */
template <int full_, int masked_, class real_, class constants_>
CONVK_CUDA_INLINE_ real_ convk_cuda_pairs_step_(const constants_ &c, int want, real_ r2, real_ t, real_ limit,
                                                convk_cuda_pairs_sums_<real_> &sums, int *near_by) {
  real_ q = r2;
  int inside = 1;
  if (masked_) {
    inside = r2 < limit;
    t = inside ? t : (real_)0;
    q = inside ? r2 : (real_)1;
    if (full_) sums.pairs += (unsigned)inside;
  }
  *near_by = 0;
  if (full_ && (want & CONVK_PAIR_POTENTIAL_ENERGY)) {
    const real_ s = convk_cuda_mul_(t, t), s3 = convk_cuda_mul_(convk_cuda_mul_(s, s), s);
    *near_by = inside && convk_cuda_pairs_below_(r2, c.near_by);
    sums.sum[6] = convk_cuda_fma_(*near_by ? (real_)0 : s3, convk_cuda_pairs_powers_(&c, s), sums.sum[6]);
  }
  return convk_cuda_pairs_trial_(&c, q, t, full_ ? want : want & CONVK_PAIR_GRADIENT, sums.sum, &sums.product);
}

/* V of a pair, with what there is near by. */
template <class real_, class constants_>
CONVK_CUDA_INLINE_ real_ convk_cuda_pairs_value_(const constants_ &c, real_ r2, real_ inverse, real_ limit) {
  const real_ t = convk_cuda_pairs_nearer_(r2, inverse), r = convk_cuda_mul_(r2, t), s = convk_cuda_mul_(t, t);
  const real_ s3 = convk_cuda_mul_(convk_cuda_mul_(s, s), s);
  real_ powers = convk_cuda_pairs_powers_(&c, s), sum = 0;
  if (!(r2 < limit)) return 0;
  if (r2 < c.near_by) {
    if (c.kind == CONVK_POTENTIAL_TABLE) {
      sum = (real_)convk_cuda_pairs_table_(c.values, c.entries, c.first, c.per_spacing, (double)r);
    } else {
      const real_ x = convk_cuda_mul_(r, c.per_rm);
      if (r2 < c.damp) {
        const real_ y = convk_cuda_fma_(c.d, t, (real_)-1);
        powers = convk_cuda_mul_(powers, convk_cuda_vexp_(convk_cuda_mul_(y, -y)));
      }
      sum = convk_cuda_mul_(c.a, convk_cuda_vexp_(convk_cuda_mul_(x, convk_cuda_fma_(x, c.beta, -c.alpha))));
      if (c.bump) {
        const real_ z = convk_cuda_mul_(convk_cuda_sub_(x, c.bump_middle), c.bump_scale);
        if (convk_cuda_mul_(z, z) < (real_)0.25) sum = convk_cuda_pairs_bump_(&c, z, sum);
      }
    }
  }
  return convk_cuda_fma_(s3, powers, sum);
}

/* ---- results ---- */

/* The values of a thread, a task, a walker in turn: the seven sums, the number of pairs, the product and its exponent. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_put_(const double *total, const convk_cuda_pairs_sums_<real_> &s, double *to,
                                              unsigned pitch) {
  CONVK_CUDA_EACH_(k, 7) to[(unsigned)k * pitch] = total[k];
  to[7 * pitch] = (double)s.pairs;
  to[CONVK_CUDA_PAIRS_PRODUCT_ * pitch] = (double)s.product;
  to[9 * pitch] = (double)s.exponent;
}

/* Two values of a kind in one. */
CONVK_CUDA_INLINE_ double convk_cuda_pairs_join_(int value, double x, double y) {
  return value == CONVK_CUDA_PAIRS_PRODUCT_ ? convk_cuda_mul_(x, y) : convk_cuda_add_(x, y);
}

/* All `count` values of a kind in one, by a warp. */
template <class index_> CONVK_CUDA_INLINE_ double convk_cuda_pairs_row_sum_(int value, const double *row, index_ count) {
  const index_ lane = (index_)(threadIdx.x % 32);
  double sum = row[lane];
  for (index_ k = lane + 32; k < count; k += 32) sum = convk_cuda_pairs_join_(value, sum, row[k]);
  for (int k = 16; k > 0; k /= 2) sum = convk_cuda_pairs_join_(value, sum, CONVK_CUDA_SHUFFLE_XOR_(sum, k));
  return sum;
}

/* ln x 2^exponent of x > 0. */
CONVK_CUDA_INLINE_ double convk_cuda_pairs_log_(double x, double exponent) {
  return convk_cuda_fma_(exponent, CONVK_LN_2_, convk_cuda_vlog_(x));
}

/* What the sums over all pairs of a walker mean. */
template <class constants_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_finish_(const constants_ &c, int want, const double *v, double squares,
                                                 convk_pair_result *result) {
  const double laplacian =
      convk_cuda_fma_(convk_cuda_mul_(20, c.p[0]), v[3],
                      convk_cuda_fma_(convk_cuda_mul_(2, c.p[1]), v[4],
                                      convk_cuda_fma_(convk_cuda_mul_(2, c.p[3]), v[5], convk_cuda_mul_(c.p[2], v[1]))));
  double numbers[9];
  convk_cuda_pairs_meaning_(c.p, c.edge, c.hbar2_2m, want, v, want & CONVK_PAIR_LN_PSI ? convk_cuda_pairs_log_(v[8], v[9]) : 0,
                            laplacian, squares, numbers);
  CONVK_CUDA_EACH_(k, 9) ((double *)(void *)result)[k] = numbers[k];
}

template <class real_> struct convk_cuda_pairs_args_ {
  typename convk_cuda_pairs_type_<real_>::terms c;
  const real_ *r;
  size_t n, pitch, stride, walkers;
  int want;
  size_t places;                      /* of gradients in `partial`: slices, and then those that columns have of diagonals */
  size_t tiles, slices, tasks, parts; /* tasks: slices of all tiles and walkers; parts: blocks of a walker that add up */
  double *sums;                       /* of walker, tile and slice */
  double *partial;                    /* gradients of walker and slot, [3][tiles][64] */
  double *squares;                    /* of walker and tile */
  unsigned *arrived;                  /* blocks of a walker that are done */
  convk_pair_result *result;
  real_ *gradient; /* NULL, or laid out as r */
  double *force;   /* NULL, or [walkers][3][n] */
};

template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_keep_(const convk_cuda_pairs_args_<real_> &a, size_t w, size_t d, size_t i, double g) {
  if (a.gradient) a.gradient[w * a.stride + d * a.pitch + i] = (real_)g;
  if (a.force) a.force[(3 * w + d) * a.n + i] = g;
}

/* ---- walkers that fit into a block ---- */

/* A thread of convk_cuda_pairs_small_: particle i of the n of its walker, and what its pairs have summed up. */
template <class real_> struct convk_cuda_pairs_mine_ {
  unsigned i, n;
  unsigned kept; /* so many of the pairs with those before it are worked out at their end, and for it the gradient is left */
  real_ at[3], g[3];               /* where it is; its gradient since the last flush to g_total */
  double total[7], g_total[3];     /* sums and gradient until then */
  convk_cuda_pairs_sums_<real_> s; /* sums since the last flush to total */
};

/* Pairs with the particles after this one, cyclically: the first half for everything, the rest, if any, only for the gradient.
   Of 7 particles, say, number 5 meets 6, 0 and 1, and finds in shared memory what 2, 3 and 4 have left: u' / r of their pairs
   with it.  Were there room for one of three, it would meet 2 and 3, too, and take over from 4 alone.
   x: all coordinates of the block; weights: [kept][threads], where u' / r is left. */
template <int want_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_ahead_(const convk_cuda_pairs_args_<real_> &a,
                                                const real_ (*x)[CONVK_CUDA_PAIRS_SMALL_], real_ *weights,
                                                convk_cuda_pairs_mine_<real_> &p) {
  const unsigned threads = CONVK_CUDA_PAIRS_SMALL_, thread = threadIdx.x, n = p.n, i = p.i, half = n / 2;
  const int want = want_ < 0 ? a.want : want_, pulls = want & CONVK_PAIR_GRADIENT;
  const unsigned last = pulls ? n - 1 - p.kept : half;
  real_ *keep = weights + thread;
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned step = 1; step <= last; step++) {
    const unsigned to = i + step, j = thread - i + (to < n ? to : to - n);
    real_ d[3], r2, t, w2;
    int near_by;
    convk_cuda_pairs_between_(a.c, p.at, &x[0][j], threads, d);
    r2 = convk_cuda_pairs_square_(d);
    t = convk_cuda_pairs_inverse_(r2);
    if (step < half || (step == half && (n % 2 || i < half))) { /* the opposite one counts only from one end */
      w2 = convk_cuda_pairs_step_<1, 1>(a.c, want, r2, t, a.c.limit, p.s, &near_by);
      if (near_by) p.s.sum[6] = convk_cuda_add_(p.s.sum[6], convk_cuda_pairs_value_(a.c, r2, t, a.c.limit));
      if (sizeof(real_) == sizeof(double) ? step % 8 == 0 : step % 2 == 0)
        convk_cuda_pairs_mantissa_(&p.s.product, &p.s.exponent);
    } else {
      w2 = convk_cuda_pairs_step_<0, 1>(a.c, want, r2, t, a.c.limit, p.s, &near_by);
    }
    if (pulls) {
      if (step <= p.kept) *keep = w2;
      keep += threads;
      convk_cuda_pairs_pull_(w2, d, p.g);
    }
    if (sizeof(real_) == sizeof(float) && step % CONVK_CUDA_PAIRS_FLOATS_ == 0) {
      convk_cuda_pairs_flush_(p.s.sum, p.total, 7);
      convk_cuda_pairs_flush_(p.g, p.g_total, 3);
    }
  }
  convk_cuda_pairs_flush_(p.s.sum, p.total, 7);
  convk_cuda_pairs_mantissa_(&p.s.product, &p.s.exponent);
}

/* The gradient of pairs with those before this one, from the furthest on: u' / r is theirs. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_behind_(const convk_cuda_pairs_args_<real_> &a,
                                                 const real_ (*x)[CONVK_CUDA_PAIRS_SMALL_], const real_ *weights, unsigned kept,
                                                 convk_cuda_pairs_mine_<real_> &p) {
  const unsigned threads = CONVK_CUDA_PAIRS_SMALL_, thread = threadIdx.x, n = p.n, i = p.i;
  CONVK_CUDA_UNROLL_BY_(2)
  for (unsigned back = kept; back > 0; back--) {
    const unsigned j = thread - back + (i < back ? n : 0);
    const real_ w2 = weights[(back - 1) * threads + j];
    real_ d[3];
    convk_cuda_pairs_between_(a.c, p.at, &x[0][j], threads, d);
    convk_cuda_pairs_pull_(w2, d, p.g);
    if (sizeof(real_) == sizeof(float) && (n - back) % CONVK_CUDA_PAIRS_FLOATS_ == 0)
      convk_cuda_pairs_flush_(p.g, p.g_total, 3);
  }
}

/* Adds up what the threads of each walker have put into shared memory, and says what it means: of each walker and value first
   up to eight sums, of every eighth thread, then the sum of those. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_walkers_(const convk_cuda_pairs_args_<real_> &a, int want, size_t first,
                                                  double (*sums)[CONVK_CUDA_PAIRS_SMALL_]) {
  const unsigned threads = CONVK_CUDA_PAIRS_SMALL_, thread = threadIdx.x, n = (unsigned)a.n, each = threads / n;
  const unsigned parts = n < 8 ? n : 8;
  const int values = CONVK_CUDA_PAIRS_VALUES_;
  for (unsigned task = thread; task < each * parts * (unsigned)(values + 1); task += threads) {
    const unsigned rest = task / parts, part = task - rest * parts, value = rest / each, begin = (rest - value * each) * n;
    double sum = sums[value][begin + part];
    CONVK_CUDA_UNROLL_BY_(4)
    for (unsigned k = part + parts; k < n; k += parts) sum = convk_cuda_pairs_join_((int)value, sum, sums[value][begin + k]);
    sums[value][begin + part] = sum;
  }
  __syncthreads();
  for (unsigned task = thread; task < each * (unsigned)(values + 1); task += threads) {
    const unsigned value = task / each, begin = (task - value * each) * n;
    double sum = sums[value][begin];
    for (unsigned k = 1; k < parts; k++) sum = convk_cuda_pairs_join_((int)value, sum, sums[value][begin + k]);
    sums[value][begin] = sum;
  }
  __syncthreads();
  if (thread < each && first + thread < a.walkers) {
    double v[values + 1];
    CONVK_CUDA_EACH_(value, values + 1) v[value] = sums[value][thread * n];
    convk_cuda_pairs_finish_(a.c, want, v, v[values], a.result + first + thread);
  }
}

/* A thread is a particle; several walkers fill a block.  want_: known when compiled, or -1. */
template <class real_, int want_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_PAIRS_SMALL_, 2)
    convk_cuda_pairs_small_(const convk_cuda_pairs_args_<real_> a) {
  const unsigned threads = CONVK_CUDA_PAIRS_SMALL_, thread = threadIdx.x, n = (unsigned)a.n, each = threads / n;
  const int want = want_ < 0 ? a.want : want_, values = CONVK_CUDA_PAIRS_VALUES_;
  const unsigned own = thread / n, i = thread - own * n;
  const unsigned room = want_ < 0 || want_ & CONVK_PAIR_GRADIENT ? CONVK_CUDA_PAIRS_KEPT_ : values + 1;
  const unsigned max_kept = room * (unsigned)(sizeof(double) / sizeof(real_)), rest = n - 1 - n / 2;
  __shared__ real_ x[3][threads];
  __shared__ double sums[room][threads];
  real_ *const weights = (real_ *)(void *)&sums[0][0]; /* until sums are made */
  for (size_t first = blockIdx.x * (size_t)each; first < a.walkers; first += gridDim.x * (size_t)each) {
    const size_t w = first + own;
    const int active = own < each && w < a.walkers;
    double squares = 0;
    convk_cuda_pairs_mine_<real_> p;
    p.i = i;
    p.n = n;
    p.kept = rest < max_kept ? rest : max_kept;
    convk_cuda_pairs_clear_(p.s);
    CONVK_CUDA_EACH_(k, 7) p.total[k] = 0;
    CONVK_CUDA_EACH_(k, 3) {
      p.at[k] = active ? a.r[w * a.stride + (size_t)k * a.pitch + i] : (real_)0;
      x[k][thread] = p.at[k];
      p.g[k] = 0;
      p.g_total[k] = 0;
    }
    __syncthreads();
    if (active) convk_cuda_pairs_ahead_<want_>(a, x, weights, p);
    if (want & CONVK_PAIR_GRADIENT) {
      __syncthreads();
      convk_cuda_pairs_behind_(a, x, weights, active ? p.kept : 0, p);
      if (active) {
        convk_cuda_pairs_flush_(p.g, p.g_total, 3);
        CONVK_CUDA_EACH_(k, 3) {
          squares = convk_cuda_fma_(p.g_total[k], p.g_total[k], squares);
          convk_cuda_pairs_keep_(a, w, (size_t)k, i, p.g_total[k]);
        }
      }
      __syncthreads();
    }
    convk_cuda_pairs_put_(p.total, p.s, &sums[0][thread], threads);
    sums[values][thread] = squares;
    __syncthreads();
    convk_cuda_pairs_walkers_(a, want, first, sums); /* the next walkers' sums come behind two barriers */
  }
}

/* ---- larger walkers, by tiles ---- */

/* A warp's columns of a tile in which all pairs count: *near_by tells by bits whose V is left out. */
template <int full_, class real_, class constants_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_plain_(const constants_ &c, int want, const real_ (*at)[3], const real_ *column,
                                                convk_cuda_pairs_sums_<real_> &s, real_ (*g)[3], unsigned *near_by) {
  const int rows = CONVK_CUDA_PAIRS_ROWS_, per_load = 16 / (int)sizeof(real_), tile = CONVK_CUDA_PAIRS_TILE_;
  unsigned bits = 0;
  CONVK_CUDA_UNROLL_BY_(1)
  for (int j0 = 0; j0 < CONVK_CUDA_PAIRS_SHARE_; j0 += 4) {
    unsigned part = 0;
    CONVK_CUDA_UNROLL_
    for (int j1 = 0; j1 < 4; j1 += per_load) {
      real_ x[3][16 / sizeof(real_)];
      CONVK_CUDA_EACH_(k, 3) convk_cuda_get_(x[k], column + k * tile + j0 + j1);
      CONVK_CUDA_EACH_(j, per_load) {
        CONVK_CUDA_EACH_(r, rows) {
          real_ d[3], r2, w;
          int more;
          CONVK_CUDA_EACH_(k, 3) d[k] = convk_cuda_sub_(at[r][k], x[k][j]);
          r2 = convk_cuda_pairs_square_(d);
          w = convk_cuda_pairs_step_<full_, 0>(c, want, r2, convk_cuda_pairs_inverse_(r2), r2, s, &more);
          if (more) part |= 1u << ((j1 + j) * rows + r);
          if (want & CONVK_PAIR_GRADIENT) convk_cuda_pairs_pull_(w, d, g[r]);
        }
        if (full_ && sizeof(real_) == sizeof(float) && j % 2) convk_cuda_pairs_mantissa_(&s.product, &s.exponent);
      }
    }
    if (full_ && sizeof(real_) == sizeof(double)) convk_cuda_pairs_mantissa_(&s.product, &s.exponent);
    bits |= part << (j0 * rows);
  }
  *near_by = bits;
}

/* A warp's columns of another tile, each pair once: rows have their gradients in g, and columns at pull, [3][share] for each
   half of the warp.  Lanes go through the columns one behind another, so that no two of a half are at the same.  masked_: not
   all pairs count, but those of `mine`, bits of rows, and columns below `columns`. */
template <int masked_, class real_, class constants_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_both_(const constants_ &c, int want, const real_ (*at)[3], const real_ *column,
                                               unsigned mine, unsigned columns, convk_cuda_pairs_sums_<real_> &s, real_ (*g)[3],
                                               real_ *pull, unsigned *near_by) {
  const unsigned rows = CONVK_CUDA_PAIRS_ROWS_, share = CONVK_CUDA_PAIRS_SHARE_, tile = CONVK_CUDA_PAIRS_TILE_;
  const unsigned lane = threadIdx.x % 32;
  unsigned bits = 0;
  CONVK_CUDA_EACH_(k, 3) pull[(unsigned)k * share + lane % share] = 0; /* the column that this lane begins with */
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned e0 = 0; e0 < share; e0 += 2) {
    unsigned part = 0;
    CONVK_CUDA_UNROLL_
    for (unsigned e = 0; e < 2; e++) {
      const unsigned j = (lane + e0 + e) % share;
      real_ back[3] = {0, 0, 0};
      CONVK_CUDA_UNROLL_
      for (unsigned r = 0; r < rows; r++) {
        const real_ limit = !masked_ || (mine >> r & 1 && j < columns) ? c.limit : (real_)0;
        real_ d[3], r2, w;
        int more;
        CONVK_CUDA_EACH_(k, 3) d[k] = convk_cuda_sub_(at[r][k], column[(unsigned)k * tile + j]);
        if (masked_ && c.periodic) convk_cuda_pairs_image_(&c, d);
        r2 = convk_cuda_pairs_square_(d);
        w = convk_cuda_pairs_step_<1, masked_>(c, want, r2, convk_cuda_pairs_inverse_(r2), limit, s, &more);
        if (more) part |= 1u << (e * rows + r);
        CONVK_CUDA_EACH_(k, 3) {
          g[r][k] = convk_cuda_fma_(w, d[k], g[r][k]);
          back[k] = r ? convk_cuda_fma_(w, d[k], back[k]) : convk_cuda_fma_(w, d[k], pull[(unsigned)k * share + j]);
        }
      }
      CONVK_CUDA_EACH_(k, 3) pull[(unsigned)k * share + j] = back[k];
      CONVK_CUDA_WARP_SYNC_();
      if (sizeof(real_) == sizeof(float)) convk_cuda_pairs_mantissa_(&s.product, &s.exponent);
    }
    if (sizeof(real_) == sizeof(double)) convk_cuda_pairs_mantissa_(&s.product, &s.exponent);
    bits |= part << (e0 * rows);
  }
  *near_by = bits;
}

/* A thread of convk_cuda_pairs_tiles_ at one task: two rows, particles lane and lane + 32 of tile `mine` of a walker, against
   those columns of other tiles that its warp has, from `base` on.  Tile o of the task is number mine + o, cyclically. */
template <class real_> struct convk_cuda_pairs_task_ {
  unsigned lane, warp, base;
  unsigned w, mine, slice, nrows;
  int plain; /* whether all pairs with a full tile count */
  const real_ *from;
  real_ at[CONVK_CUDA_PAIRS_ROWS_][3];                 /* rows' places */
  real_ g[CONVK_CUDA_PAIRS_ROWS_][3];                  /* their gradients since the last flush to g_total */
  double total[7], g_total[CONVK_CUDA_PAIRS_ROWS_][3]; /* sums and gradients until then */
  convk_cuda_pairs_sums_<real_> s;                     /* sums since the last flush to total */
};

CONVK_CUDA_INLINE_ unsigned convk_cuda_pairs_other_(unsigned mine, unsigned o, unsigned tiles) {
  return mine + o < tiles ? mine + o : mine + o - tiles;
}

/* Which walker, tile and slice the task is, all sums 0, and the coordinates of two particles (0 beyond the last). */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_begin_(const convk_cuda_pairs_args_<real_> &a, unsigned task,
                                                convk_cuda_pairs_task_<real_> &p) {
  const unsigned tile = CONVK_CUDA_PAIRS_TILE_, rows = CONVK_CUDA_PAIRS_ROWS_;
  const unsigned tiles = (unsigned)a.tiles, slices = (unsigned)a.slices, rest = task / slices;
  p.lane = threadIdx.x % 32;
  p.warp = threadIdx.x / 32;
  p.base = p.warp * CONVK_CUDA_PAIRS_SHARE_;
  p.slice = task - rest * slices;
  p.w = rest / tiles;
  p.mine = rest - p.w * tiles;
  p.from = a.r + p.w * a.stride;
  p.nrows = (unsigned)convk_cuda_least_(a.n - p.mine * (size_t)tile, (int)tile);
  p.plain = !a.c.periodic && !(a.c.limit < CONVK_PAIRS_BIG_) && p.nrows == tile;
  convk_cuda_pairs_clear_(p.s);
  CONVK_CUDA_EACH_(k, 7) p.total[k] = 0;
  CONVK_CUDA_UNROLL_
  for (unsigned r = 0; r < rows; r++) {
    CONVK_CUDA_EACH_(k, 3) {
      const unsigned row = p.lane + 32 * r;
      p.at[r][k] = row < p.nrows ? p.from[(size_t)k * a.pitch + p.mine * (size_t)tile + (size_t)row] : (real_)0;
      p.g[r][k] = 0;
      p.g_total[r][k] = 0;
    }
  }
}

/* What this thread brings of a tile: up to two of its 3 x 64 coordinates. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_bring_(const convk_cuda_pairs_args_<real_> &a, const convk_cuda_pairs_task_<real_> &p,
                                                unsigned o, real_ *next) {
  const unsigned tile = CONVK_CUDA_PAIRS_TILE_, threads = CONVK_CUDA_PAIRS_THREADS_;
  const size_t first = convk_cuda_pairs_other_(p.mine, o, (unsigned)a.tiles) * (size_t)tile;
  CONVK_CUDA_EACH_(k, 2) {
    const unsigned v = threadIdx.x + (unsigned)k * threads, d = v / tile;
    const size_t j = first + (size_t)(v % tile);
    next[k] = d < 3 && j < a.n ? p.from[(size_t)d * a.pitch + j] : (real_)0;
  }
}

/* Another tile, each pair once: its columns' gradients go to a place of their own.  full: it is this tile's to look at, and not
   that of the other, which is opposite; else there are zeros to write. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_once_(const convk_cuda_pairs_args_<real_> &a, int want, unsigned o, unsigned other,
                                               unsigned ncolumns, int full, const real_ *column,
                                               real_ (*pulls)[3 * CONVK_CUDA_PAIRS_SHARE_], convk_cuda_pairs_task_<real_> &p,
                                               unsigned *near_by) {
  const unsigned tile = CONVK_CUDA_PAIRS_TILE_, share = CONVK_CUDA_PAIRS_SHARE_, lane = p.lane;
  double *const to = a.partial + (((p.w * a.places + a.slices + o - 1) * 3) * a.tiles + other) * (size_t)tile + p.base;
  real_ *const pull = pulls[lane / share];
  if (full && p.plain && ncolumns == tile)
    convk_cuda_pairs_both_<0>(a.c, want, p.at, column + p.base, 3u, tile, p.s, p.g, pull, near_by);
  else if (full)
    convk_cuda_pairs_both_<1>(a.c, want, p.at, column + p.base, (lane < p.nrows) + 2u * (lane + 32 < p.nrows),
                              ncolumns > p.base ? ncolumns - p.base : 0, p.s, p.g, pull, near_by);
  for (unsigned v = lane; v < 3 * share; v += 32)
    to[(v / share) * a.tiles * (size_t)tile + v % share] =
        full ? -convk_cuda_add_((double)pulls[0][v], (double)pulls[1][v]) : -0.0;
}

/* Where the e-th column of a warp is in a tile: there, or in a tile with itself (o = 0) behind the row, cyclically. */
template <class real_>
CONVK_CUDA_INLINE_ unsigned convk_cuda_pairs_column_(const convk_cuda_pairs_task_<real_> &p, unsigned o, unsigned r,
                                                     unsigned e) {
  return o == 0 ? (p.lane + 32 * r + p.base + e) % CONVK_CUDA_PAIRS_TILE_ : p.base + e;
}

/* A tile in which not all pairs count, or with itself: of that, half the pairs are for everything, and the other half, their
   other ends, for the gradient. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_masked_(const convk_cuda_pairs_args_<real_> &a, int want, unsigned o,
                                                 unsigned ncolumns, int full, const real_ *column,
                                                 convk_cuda_pairs_task_<real_> &p, unsigned *near_by) {
  const unsigned tile = CONVK_CUDA_PAIRS_TILE_, rows = CONVK_CUDA_PAIRS_ROWS_, base = p.base;
  const int itself = o == 0;
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned e = 0; e < CONVK_CUDA_PAIRS_SHARE_; e++) {
    CONVK_CUDA_UNROLL_
    for (unsigned r = 0; r < rows; r++) {
      const unsigned j = convk_cuda_pairs_column_(p, o, r, e);
      const int counts = p.lane + 32 * r < p.nrows && j < ncolumns && !(itself && base + e == 0);
      const real_ limit = counts ? a.c.limit : (real_)0;
      real_ d[3], r2, t, w2;
      int more;
      convk_cuda_pairs_between_(a.c, p.at[r], column + j, tile, d);
      r2 = convk_cuda_pairs_square_(d);
      t = convk_cuda_pairs_inverse_(r2);
      if (itself ? base + e < tile / 2 + (r == 0) : full) {
        w2 = convk_cuda_pairs_step_<1, 1>(a.c, want, r2, t, limit, p.s, &more);
        if (more) *near_by |= 1u << (e * rows + r);
        if (want & CONVK_PAIR_LN_PSI) convk_cuda_pairs_mantissa_(&p.s.product, &p.s.exponent);
      } else {
        w2 = convk_cuda_pairs_step_<0, 1>(a.c, want, r2, t, limit, p.s, &more);
      }
      if (want & CONVK_PAIR_GRADIENT) convk_cuda_pairs_pull_(w2, d, p.g[r]);
    }
  }
}

/* V of the pairs that are near, which bits tell: lanes go through their own. */
template <int once_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_late_(const convk_cuda_pairs_args_<real_> &a, unsigned o, const real_ *column,
                                               unsigned near_by, convk_cuda_pairs_task_<real_> &p) {
  const unsigned rows = CONVK_CUDA_PAIRS_ROWS_;
  for (; near_by; near_by &= near_by - 1) {
    const unsigned bit = (unsigned)__popc((near_by & (0u - near_by)) - 1), r = bit % rows, e = bit / rows;
    const unsigned j = convk_cuda_pairs_column_(p, o, r, once_ && o ? (p.lane + e) % CONVK_CUDA_PAIRS_SHARE_ : e);
    real_ at[3], d[3], r2;
    CONVK_CUDA_EACH_(k, 3) at[k] = r ? p.at[1][k] : p.at[0][k];
    convk_cuda_pairs_between_(a.c, at, column + j, (unsigned)CONVK_CUDA_PAIRS_TILE_, d);
    r2 = convk_cuda_pairs_square_(d);
    p.s.sum[6] = convk_cuda_add_(p.s.sum[6], convk_cuda_pairs_value_(a.c, r2, convk_cuda_pairs_inverse_(r2), a.c.limit));
  }
}

/* The sums of a task, and its rows' gradients: of all threads, and of all warps. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_end_(const convk_cuda_pairs_args_<real_> &a, int want, unsigned task,
                                              double (*sums)[CONVK_CUDA_PAIRS_THREADS_], convk_cuda_pairs_task_<real_> &p) {
  const unsigned tile = CONVK_CUDA_PAIRS_TILE_, rows = CONVK_CUDA_PAIRS_ROWS_, threads = CONVK_CUDA_PAIRS_THREADS_;
  const unsigned values = CONVK_CUDA_PAIRS_VALUES_, thread = threadIdx.x;
  convk_cuda_pairs_flush_(p.s.sum, p.total, 7);
  convk_cuda_pairs_put_(p.total, p.s, &sums[0][thread], threads);
  __syncthreads();
  for (unsigned v = p.warp; v < values; v += threads / 32) {
    const double sum = convk_cuda_pairs_row_sum_((int)v, sums[v], threads);
    if (p.lane == 0) a.sums[task * (size_t)values + v] = sum;
  }
  if (want & CONVK_PAIR_GRADIENT) {
    double *const all = &sums[0][0];
    __syncthreads();
    CONVK_CUDA_UNROLL_
    for (unsigned r = 0; r < rows; r++) {
      convk_cuda_pairs_flush_(p.g[r], p.g_total[r], 3);
      CONVK_CUDA_EACH_(k, 3) all[(p.warp * 3 + (unsigned)k) * tile + p.lane + 32 * r] = p.g_total[r][k];
    }
    __syncthreads();
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned v = thread; v < 3 * tile; v += threads) {
      const size_t place = ((p.w * a.places + p.slice) * 3 + (size_t)(v / tile)) * a.tiles + p.mine;
      double sum = all[v];
      for (unsigned k = 1; k < threads / 32; k++) sum = convk_cuda_add_(sum, all[k * 3 * tile + v]);
      a.partial[place * (size_t)tile + (size_t)(v % tile)] = sum;
    }
  }
  if (p.mine == 0 && p.slice == 0 && thread == 0) a.arrived[p.w] = 0;
}

/* A block goes through tasks: a slice of a row of tiles each.  once_: gradients are worked out from one end of tiles' pairs. */
template <class real_, int want_, int once_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_PAIRS_THREADS_, want_ < 0 && sizeof(real_) == sizeof(double) ? 3 : 4)
    convk_cuda_pairs_tiles_(const convk_cuda_pairs_args_<real_> a) {
  const unsigned tile = CONVK_CUDA_PAIRS_TILE_, rows = CONVK_CUDA_PAIRS_ROWS_, threads = CONVK_CUDA_PAIRS_THREADS_;
  const unsigned thread = threadIdx.x, warp = thread / 32;
  const int want = want_ < 0 ? a.want : want_;
  __shared__ __align__(16) real_ column[3 * tile];
  __shared__ real_ pulls[once_ ? threads / 32 : 1][2][3 * CONVK_CUDA_PAIRS_SHARE_];
  __shared__ double sums[CONVK_CUDA_PAIRS_VALUES_][threads];
  for (unsigned task = blockIdx.x; task < a.tasks; task += gridDim.x) { /* some work for each: fewer than 2^31 */
    const unsigned tiles = (unsigned)a.tiles, slices = (unsigned)a.slices;
    const unsigned end = want & CONVK_PAIR_GRADIENT && !once_ ? tiles : tiles / 2 + 1;
    convk_cuda_pairs_task_<real_> p;
    real_ next[2];
    int flushed = 1;
    convk_cuda_pairs_begin_(a, task, p);
    convk_cuda_pairs_bring_(a, p, p.slice, next);
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned o = p.slice; o < end; o += slices) {
      const unsigned other = convk_cuda_pairs_other_(p.mine, o, tiles);
      const unsigned ncolumns = (unsigned)convk_cuda_least_(a.n - other * (size_t)tile, (int)tile);
      const int full = 2 * o < tiles || (2 * o == tiles && p.mine < other); /* the opposite one counts only from one end */
      unsigned near_by = 0;
      __syncthreads();
      CONVK_CUDA_EACH_(k, 2)
        if (thread + (unsigned)k * threads < 3 * tile) column[thread + (unsigned)k * threads] = next[k];
      __syncthreads();
      if (o + slices < end) convk_cuda_pairs_bring_(a, p, o + slices, next);
      if (!full && !(want & CONVK_PAIR_GRADIENT)) continue;
      if (once_ && o) {
        convk_cuda_pairs_once_(a, want, o, other, ncolumns, full, column, pulls[once_ ? warp : 0], p, &near_by);
        if (!full) continue;
      } else if (p.plain && o && ncolumns == tile) {
        if (full) convk_cuda_pairs_plain_<1>(a.c, want, p.at, column + p.base, p.s, p.g, &near_by);
        else if (want & CONVK_PAIR_GRADIENT) convk_cuda_pairs_plain_<0>(a.c, want, p.at, column + p.base, p.s, p.g, &near_by);
      } else {
        convk_cuda_pairs_masked_(a, want, o, ncolumns, full, column, p, &near_by);
      }
      if (want & CONVK_PAIR_POTENTIAL_ENERGY) convk_cuda_pairs_late_<once_>(a, o, column, near_by, p);
      flushed = !flushed;
      if (sizeof(real_) == sizeof(float) && flushed) {
        convk_cuda_pairs_flush_(p.s.sum, p.total, 7);
        CONVK_CUDA_UNROLL_
        for (unsigned r = 0; r < rows; r++) convk_cuda_pairs_flush_(p.g[r], p.g_total[r], 3);
      }
    }
    convk_cuda_pairs_end_(a, want, task, sums, p);
  }
}

/* Adds up the slices' gradients of a tile; of each walker the block that comes last adds up all sums, in order. */
template <class real_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_PAIRS_ADD_, CONVK_CUDA_ARCH_ < 900 ? 5 : 0)
    convk_cuda_pairs_add_(const convk_cuda_pairs_args_<real_> a) {
  const int tile = CONVK_CUDA_PAIRS_TILE_, threads = CONVK_CUDA_PAIRS_ADD_, values = CONVK_CUDA_PAIRS_VALUES_;
  const int thread = (int)threadIdx.x, lane = thread % 32, warp = thread / 32;
  __shared__ double sums[values + 1][threads];
  __shared__ int last;
  for (size_t task = blockIdx.x; task < a.walkers * a.parts; task += gridDim.x) {
    const size_t w = convk_cuda_divide_(task, a.parts), mine = task - w * a.parts;
    if (a.want & CONVK_PAIR_GRADIENT) {
      const size_t d = (size_t)(thread / tile), i = mine * (size_t)tile + (size_t)(thread % tile);
      const double *const from = a.partial + (w * a.places * 3 + d) * a.tiles * (size_t)tile + i;
      const double g = convk_cuda_total_of_(from, 3 * a.tiles * (size_t)tile, a.places, 0.);
      if (i < a.n) convk_cuda_pairs_keep_(a, w, d, i, g);
      sums[0][thread] = i < a.n ? convk_cuda_mul_(g, g) : 0;
      __syncthreads();
      if (warp == 0) {
        const double sum = convk_cuda_pairs_row_sum_(0, sums[0], threads);
        if (lane == 0) a.squares[task] = sum;
      }
    }
    if (thread == 0) {
      __threadfence();
      last = a.parts == 1 || atomicAdd(a.arrived + w, 1u) == (unsigned)a.parts - 1;
      __threadfence();
    }
    __syncthreads();
    if (last) { /* other blocks have written the squares: not from a cache of this one */
      const volatile double *const squares = a.squares + w * a.parts;
      const double *const from = a.sums + w * a.tiles * a.slices * (size_t)values;
      double v[values + 1] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
      int exponent = 0;
      for (size_t k = (size_t)thread; k < a.tiles * a.slices; k += (size_t)threads) {
        CONVK_CUDA_EACH_(value, values)
          v[value] = convk_cuda_pairs_join_(value, v[value], from[k * (size_t)values + (size_t)value]);
        convk_cuda_pairs_mantissa_(&v[CONVK_CUDA_PAIRS_PRODUCT_], &exponent);
      }
      v[9] = convk_cuda_add_(v[9], (double)exponent);
      if (a.want & CONVK_PAIR_GRADIENT)
        for (size_t k = (size_t)thread; k < a.parts; k += (size_t)threads) v[values] = convk_cuda_add_(v[values], squares[k]);
      CONVK_CUDA_EACH_(value, values + 1) sums[value][thread] = v[value];
      __syncthreads();
      for (int value = warp; value <= values; value += threads / 32) {
        const double sum = convk_cuda_pairs_row_sum_(value, sums[value], threads);
        if (lane == 0) sums[value][0] = sum; /* this warp has read it */
      }
      __syncthreads();
      if (thread == 0) {
        CONVK_CUDA_EACH_(value, values + 1) v[value] = sums[value][0];
        convk_cuda_pairs_finish_(a.c, a.want, v, v[values], a.result + w);
      }
    } /* what the next task overwrites comes behind barriers of its own */
  }
}

/* ---- V of distances ---- */

template <class real_> struct convk_cuda_pairs_values_args_ {
  typename convk_cuda_pairs_type_<real_>::terms c;
  const real_ *r;
  real_ *v;
  size_t n;
};

template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_PAIRS_EACH_)
    convk_cuda_pairs_values_(const convk_cuda_pairs_values_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.n, CONVK_CUDA_PAIRS_EACH_) {
    const real_ r = a.r[i], big = (real_)CONVK_PAIRS_BIG_, square = convk_cuda_pairs_at_least_(convk_cuda_mul_(r, r));
    const real_ r2 = square < big ? square : big;
    a.v[i] = r == r ? convk_cuda_pairs_value_(a.c, r2, convk_cuda_pairs_inverse_(r2), 2 * big) : r;
  }
}

/* ---- moves of one particle ---- */

/* What one particle at one place adds up over all others, in doubles. */
typedef struct convk_cuda_pairs_row_ {
  double sum[3], force[3], mantissa, exponent, pairs;
} convk_cuda_pairs_row_;

/* This thread's part of it, at places_ places: every `threads`-th of the others. */
template <int want_, int places_, class real_, class constants_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_rows_(const constants_ &c, const real_ *x, size_t pitch, unsigned n, unsigned own,
                                               const real_ (*at)[3], unsigned threads, convk_cuda_pairs_row_ *row) {
  convk_cuda_pairs_sums_<real_> s[places_];
  real_ g[places_][3];
  CONVK_CUDA_EACH_(m, places_) {
    CONVK_CUDA_EACH_(k, 3) row[m].sum[k] = row[m].force[k] = g[m][k] = 0;
    convk_cuda_pairs_clear_(s[m]);
  }
  for (unsigned begin = threadIdx.x; begin < n; begin += 32 * threads) {
    const unsigned end = n - begin < 32 * threads ? n : begin + 32 * threads;
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned j = begin; j < end; j += threads) {
      const real_ limit = j == own ? (real_)0 : c.limit, other[3] = {x[j], x[pitch + j], x[2 * pitch + j]};
      CONVK_CUDA_EACH_(m, places_) {
        real_ d[3], r2, w;
        int more;
        convk_cuda_pairs_between_(c, at[m], other, 1, d);
        r2 = convk_cuda_pairs_square_(d);
        w = convk_cuda_pairs_step_<1, 1>(c, want_, r2, convk_cuda_pairs_inverse_(r2), limit, s[m], &more);
        convk_cuda_pairs_mantissa_(&s[m].product, &s[m].exponent);
        if (want_ & CONVK_PAIR_GRADIENT) convk_cuda_pairs_pull_(w, d, g[m]);
      }
    }
    CONVK_CUDA_EACH_(m, places_) {
      convk_cuda_pairs_flush_(s[m].sum, row[m].sum, 3);
      if (want_ & CONVK_PAIR_GRADIENT) convk_cuda_pairs_flush_(g[m], row[m].force, 3);
    }
  }
  CONVK_CUDA_EACH_(m, places_) {
    row[m].mantissa = (double)s[m].product;
    row[m].exponent = (double)s[m].exponent;
    row[m].pairs = (double)s[m].pairs;
  }
}

/* This thread's part of ln Psi after less before. */
template <class constants_>
CONVK_CUDA_INLINE_ double convk_cuda_pairs_change_(const constants_ &c, const convk_cuda_pairs_row_ &before,
                                                   const convk_cuda_pairs_row_ &after) {
  double change = convk_cuda_mul_(-c.p[0], convk_cuda_add_(after.sum[0], -before.sum[0]));
  change = convk_cuda_fma_(-c.p[1], convk_cuda_add_(after.sum[1], -before.sum[1]), change);
  change = convk_cuda_fma_(-c.p[3], convk_cuda_add_(after.sum[2], -before.sum[2]), change);
  change = convk_cuda_fma_(-c.shift, convk_cuda_add_(after.pairs, -before.pairs), change);
  if (c.p[2] > 0 || c.p[2] < 0)
    change = convk_cuda_fma_(-0.5 * c.p[2],
                             convk_cuda_pairs_log_(convk_cuda_divided_(after.mantissa, before.mantissa),
                                                   convk_cuda_add_(after.exponent, -before.exponent)),
                             change);
  return change;
}

/* Sums over all threads, which all get the same bits; one barrier, since calls take the two halves of `both` in turn. */
template <int count_, int rows_, int warps_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_all_(double v[count_], double (*both)[rows_][warps_], int *which, unsigned threads) {
  double(*const part)[warps_] = both[*which];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  *which ^= 1;
  CONVK_CUDA_UNROLL_
  for (int k = 16; k > 0; k /= 2)
    CONVK_CUDA_EACH_(i, count_) v[i] = convk_cuda_add_(v[i], CONVK_CUDA_SHUFFLE_XOR_(v[i], k));
  if (threads == 32) {
    CONVK_CUDA_WARP_SYNC_();
    return;
  }
  CONVK_CUDA_EACH_(i, count_)
    if (lane == 0) part[i][warp] = v[i];
  __syncthreads();
  CONVK_CUDA_EACH_(i, count_) {
    v[i] = part[i][0];
    for (unsigned k = 1; k < threads / 32; k++) v[i] = convk_cuda_add_(v[i], part[i][k]);
  }
}

template <class real_> struct convk_cuda_pairs_move_args_ {
  typename convk_cuda_pairs_type_<real_>::terms c;
  real_ *r;
  const real_ *to;
  size_t n, pitch, stride, walkers, particle;
  convk_pair_move_result *result;
  const unsigned char *accept;
  real_ *gradient;
};

/* A block is a walker. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_PAIRS_EACH_)
    convk_cuda_pairs_move_(const convk_cuda_pairs_move_args_<real_> a) {
  __shared__ double part[2][7][CONVK_CUDA_PAIRS_EACH_ / 32];
  int which = 0;
  for (size_t w = blockIdx.x; w < a.walkers; w += gridDim.x) {
    const real_ *const x = a.r + w * a.stride;
    convk_cuda_pairs_row_ row[2];
    double v[7];
    real_ at[2][3];
    CONVK_CUDA_EACH_(k, 3) {
      at[0][k] = x[(size_t)k * a.pitch + a.particle];
      at[1][k] = a.to[3 * w + (size_t)k];
    }
    convk_cuda_pairs_rows_<CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT, 2>(a.c, x, a.pitch, (unsigned)a.n, (unsigned)a.particle, at,
                                                                       blockDim.x, row);
    v[0] = convk_cuda_pairs_change_(a.c, row[0], row[1]);
    CONVK_CUDA_EACH_(k, 3) {
      v[1 + k] = row[0].force[k];
      v[4 + k] = row[1].force[k];
    }
    convk_cuda_pairs_all_<7>(v, part, &which, blockDim.x);
    if (threadIdx.x == 0) {
      a.result[w].ln_psi = v[0];
      CONVK_CUDA_EACH_(k, 3) {
        a.result[w].before[k] = v[1 + k];
        a.result[w].after[k] = v[4 + k];
      }
    }
  }
}

template <class real_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_PAIRS_EACH_, CONVK_CUDA_ARCH_ >= 1000 ? 4 : 0)
    convk_cuda_pairs_accept_(const convk_cuda_pairs_move_args_<real_> a) {
  __shared__ double part[2][3][CONVK_CUDA_PAIRS_EACH_ / 32];
  int which = 0;
  for (size_t w = blockIdx.x; w < a.walkers; w += gridDim.x) {
    real_ *const x = a.r + w * a.stride;
    real_ *const gradient = a.gradient ? a.gradient + w * a.stride : NULL;
    double force[3] = {0, 0, 0};
    real_ at[2][3];
    if (a.accept && !a.accept[w]) continue;
    CONVK_CUDA_EACH_(k, 3) {
      at[0][k] = x[(size_t)k * a.pitch + a.particle];
      at[1][k] = a.to[3 * w + (size_t)k];
    }
    for (unsigned j = threadIdx.x; gradient && j < (unsigned)a.n; j += blockDim.x) {
      convk_cuda_pairs_sums_<real_> s;
      real_ change[3] = {0, 0, 0};
      convk_cuda_pairs_clear_(s);
      CONVK_CUDA_EACH_(m, 2) {
        real_ d[3], r2, w2;
        int more;
        convk_cuda_pairs_between_(a.c, at[m], x + j, a.pitch, d);
        r2 = convk_cuda_pairs_square_(d);
        w2 = convk_cuda_pairs_step_<0, 1>(a.c, CONVK_PAIR_GRADIENT, r2, convk_cuda_pairs_inverse_(r2),
                                          j == a.particle ? (real_)0 : a.c.limit, s, &more);
        CONVK_CUDA_EACH_(k, 3) {
          change[k] = convk_cuda_fma_(m ? -w2 : w2, d[k], change[k]);
          if (m) force[k] = convk_cuda_fma_((double)w2, (double)d[k], force[k]);
        }
      }
      CONVK_CUDA_EACH_(k, 3)
        if (j != a.particle) gradient[(size_t)k * a.pitch + j] = convk_cuda_add_(gradient[(size_t)k * a.pitch + j], change[k]);
    }
    convk_cuda_pairs_all_<3>(force, part, &which, blockDim.x); /* all threads have read the coordinates now */
    CONVK_CUDA_EACH_(k, 3)
      if (threadIdx.x == (unsigned)k) {
        x[(size_t)k * a.pitch + a.particle] = at[1][k];
        if (gradient) gradient[(size_t)k * a.pitch + a.particle] = (real_)force[k];
      }
  }
}

/* ---- sweeps ---- */

template <class real_> struct convk_cuda_vmc_args_ {
  typename convk_cuda_pairs_type_<real_>::terms c;
  size_t n, first, walkers; /* first: the number of walker 0 among all parts, for random numbers */
  uint64_t seed, sweep;     /* the first */
  size_t count;             /* sweeps */
  double step;
  int drifts, all; /* all: walkers are looked at anew, also those whose ln Psi is known */
  int unset;       /* nobody has written to ln_psi */
  int goes_on;     /* a later batch of a call: what was accepted and drifted counts on */
  real_ *r, *to;   /* [walkers][3][n] */
  double *ln_psi, *drift;
  uint32_t *accepted;
  const convk_pair_result *result;
  const double *before, *after; /* gradients, [walkers][3][n] */
};

/* Sweeps of one particle after another.  A block is a walker, its threads are the others.  A coordinate is written by the
   thread that reads it again for the others' moves; and read by all for its own, with a barrier in between. */
template <class real_, int drifts_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_VMC_THREADS_, drifts_ &&CONVK_CUDA_ARCH_ >= 1000 ? 1 : 0)
    convk_cuda_vmc_single_(const convk_cuda_vmc_args_<real_> a) {
  const unsigned batch = CONVK_CUDA_VMC_NUMBERS_, warps = CONVK_CUDA_VMC_THREADS_ / 32, threads = blockDim.x;
  __shared__ double part[2][4][warps];
  __shared__ double number[batch][4];
  int which = 0;
  for (size_t w = blockIdx.x; w < a.walkers; w += gridDim.x) {
    real_ *const x = a.r + w * 3 * a.n;
    double ln_psi = a.ln_psi[w];
    uint32_t accepted = 0;
    for (size_t sweep = 0; sweep < a.count; sweep++)
      for (size_t k0 = 0; k0 < a.n; k0 += batch) {
        const unsigned many = (unsigned)convk_cuda_least_(a.n - k0, (int)batch);
        __syncthreads();
        for (unsigned k = threadIdx.x; k < many; k += threads) {
          double u[4], normal[3];
          convk_cuda_random_(a.seed, a.sweep + sweep, k0 + k, a.first + w, CONVK_RANDOM_MOVE_, u);
          if (drifts_) convk_cuda_normal_(a.seed, a.sweep + sweep, k0 + k, a.first + w, normal);
          CONVK_CUDA_EACH_(d, 3)
            number[k][d] = convk_cuda_mul_(a.step, drifts_ ? normal[d] : convk_cuda_add_(convk_cuda_mul_(2, u[d]), -1));
          number[k][3] = u[3];
        }
        __syncthreads();
        for (unsigned k = 0; k < many; k++) {
          const unsigned own = (unsigned)k0 + k;
          convk_cuda_pairs_row_ row[2];
          double v[4], drift[3] = {0, 0, 0}, chance;
          real_ at[2][3];
          CONVK_CUDA_EACH_(d, 3) at[0][d] = x[(size_t)d * a.n + own];
          if (drifts_) {
            convk_cuda_pairs_rows_<CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT, 1>(a.c, x, a.n, (unsigned)a.n, own, at, threads,
                                                                               row);
            convk_cuda_pairs_all_<3>(row[0].force, part, &which, threads);
            convk_cuda_vmc_drift_(a.step, row[0].force, drift);
          }
          CONVK_CUDA_EACH_(d, 3)
            at[1][d] =
                (real_)convk_cuda_add_((double)at[0][d], drifts_ ? convk_cuda_add_(drift[d], number[k][d]) : number[k][d]);
          if (drifts_)
            convk_cuda_pairs_rows_<CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT, 1>(a.c, x, a.n, (unsigned)a.n, own, at + 1, threads,
                                                                               row + 1);
          else convk_cuda_pairs_rows_<CONVK_PAIR_LN_PSI, 2>(a.c, x, a.n, (unsigned)a.n, own, at, threads, row);
          v[0] = convk_cuda_pairs_change_(a.c, row[0], row[1]);
          CONVK_CUDA_EACH_(d, 3) v[1 + d] = row[1].force[d];
          convk_cuda_pairs_all_<drifts_ ? 4 : 1>(v, part, &which, threads);
          chance = convk_cuda_mul_(2, v[0]);
          if (drifts_) {
            double way[3];
            CONVK_CUDA_EACH_(d, 3) way[d] = convk_cuda_add_((double)at[1][d], -(double)at[0][d]);
            chance = convk_cuda_add_(chance, convk_cuda_vmc_return_(a.step, way, row[0].force, v + 1));
          }
          if (!convk_cuda_vmc_accepts_(chance, number[k][3])) continue;
          if ((own & (threads - 1)) == threadIdx.x) { /* threads are a power of 2 */
            CONVK_CUDA_EACH_(d, 3) x[(size_t)d * a.n + own] = at[1][d];
          }
          ln_psi = convk_cuda_add_(ln_psi, v[0]);
          accepted++;
        }
      }
    if (threadIdx.x == 0) {
      a.ln_psi[w] = ln_psi;
      a.accepted[w] += accepted;
    }
  }
}

CONVK_CUDA_INLINE_ int convk_cuda_vmc_known_(double ln_psi) { return (convk_cuda_bits_(ln_psi) >> 52 & 0x7ff) != 0x7ff; }

/* Brings clusters back by whole steps, and particles of a box into it: as in convk.h.  A block is a walker. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_PAIRS_EACH_) convk_cuda_vmc_recentre_(const convk_cuda_vmc_args_<real_> a) {
  __shared__ double part[2][3][CONVK_CUDA_PAIRS_EACH_ / 32];
  int which = 0;
  for (size_t w = blockIdx.x; w < a.walkers; w += gridDim.x) {
    real_ *const x = a.r + w * 3 * a.n;
    double mean[3] = {0, 0, 0};
    if (!a.all && convk_cuda_vmc_known_(a.ln_psi[w])) continue;
    CONVK_CUDA_EACH_(d, 3)
      for (unsigned k = threadIdx.x; k < (unsigned)a.n; k += blockDim.x)
        mean[d] = convk_cuda_add_(mean[d], (double)x[(size_t)d * a.n + k]);
    convk_cuda_pairs_all_<3>(mean, part, &which, blockDim.x);
    CONVK_CUDA_EACH_(d, 3) {
      const double off = convk_cuda_vmc_off_(convk_cuda_divided_(mean[d], (double)a.n));
      for (unsigned k = threadIdx.x; k < (unsigned)a.n; k += blockDim.x) {
        real_ *const at = x + (size_t)d * a.n + k;
        *at = (real_)(a.c.periodic ? convk_cuda_vmc_inside_((double)*at, (double)a.c.period[d])
                                   : convk_cuda_add_((double)*at, -off));
      }
    }
  }
}

/* ln Psi anew, in place of that followed by differences.  No result: only a beginning. */
template <class real_, int begins_>
static __global__ void __launch_bounds__(CONVK_CUDA_PAIRS_EACH_) convk_cuda_vmc_settle_(const convk_cuda_vmc_args_<real_> a) {
  CONVK_CUDA_EVERY_(w, a.walkers, CONVK_CUDA_PAIRS_EACH_) {
    double off = 0;
    if (begins_ && !a.goes_on) a.accepted[w] = 0;
    if (a.result && (!begins_ || a.all || !convk_cuda_vmc_known_(a.ln_psi[w]))) {
      if (!begins_ || !a.unset) off = convk_cuda_add_(a.ln_psi[w], -a.result[w].ln_psi);
      if (begins_ && !convk_cuda_vmc_known_(off)) off = 0;
      if (off < 0) off = -off;
      a.ln_psi[w] = a.result[w].ln_psi;
    }
    if ((begins_ && !a.goes_on) || off > a.drift[w]) a.drift[w] = off;
  }
}

/* Where all particles of a walker would go. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_PAIRS_EACH_) convk_cuda_vmc_propose_(const convk_cuda_vmc_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.walkers * a.n, CONVK_CUDA_PAIRS_EACH_) {
    const size_t w = convk_cuda_divide_(i, a.n), k = i - w * a.n;
    double u[4], force[3] = {0, 0, 0}, move[3];
    if (a.drifts) {
      CONVK_CUDA_EACH_(d, 3) force[d] = a.before[(3 * w + (size_t)d) * a.n + k];
      convk_cuda_normal_(a.seed, a.sweep, k, a.first + w, u);
    } else convk_cuda_random_(a.seed, a.sweep, k, a.first + w, CONVK_RANDOM_MOVE_, u);
    convk_cuda_vmc_move_(a.drifts, a.step, force, u, move);
    CONVK_CUDA_EACH_(d, 3) {
      const size_t at = (3 * w + (size_t)d) * a.n + k;
      a.to[at] = (real_)convk_cuda_add_((double)a.r[at], move[d]);
    }
  }
}

/* Whether they go, whose ln Psi there is in the result.  A block is a walker. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_PAIRS_EACH_) convk_cuda_vmc_accept_(const convk_cuda_vmc_args_<real_> a) {
  __shared__ double part[2][1][CONVK_CUDA_PAIRS_EACH_ / 32];
  int which = 0;
  for (size_t w = blockIdx.x; w < a.walkers; w += gridDim.x) {
    const double moved = a.result[w].ln_psi, here = a.ln_psi[w];
    double chance = 0, u[4];
    for (size_t k = threadIdx.x; a.drifts && k < a.n; k += blockDim.x) {
      double way[3], before[3], after[3];
      CONVK_CUDA_EACH_(d, 3) {
        const size_t at = (3 * w + (size_t)d) * a.n + k;
        way[d] = convk_cuda_add_((double)a.to[at], -(double)a.r[at]);
        before[d] = a.before[at];
        after[d] = a.after[at];
      }
      chance = convk_cuda_add_(chance, convk_cuda_vmc_return_(a.step, way, before, after));
    }
    convk_cuda_pairs_all_<1>(&chance, part, &which, blockDim.x); /* all threads have read ln Psi */
    chance = convk_cuda_fma_(2, convk_cuda_add_(moved, -here), chance);
    convk_cuda_random_(a.seed, a.sweep, a.n, a.first + w, CONVK_RANDOM_ACCEPT_, u);
    if (!convk_cuda_vmc_accepts_(chance, u[3])) continue;
    for (size_t k = threadIdx.x; k < 3 * a.n; k += blockDim.x) a.r[w * 3 * a.n + k] = a.to[w * 3 * a.n + k];
    if (threadIdx.x == 0) {
      a.ln_psi[w] = moved;
      a.accepted[w]++;
    }
  }
}
#endif
#if CONVK_HAS_DISTANCES_
/* ---- src/distances/arguments.h ---- */
#ifndef CONVK_DISTANCES_INCLUDED_
#define CONVK_DISTANCES_INCLUDED_
/* ---- distances on devices ----
   Atoms are sorted by list: those of a kind and a cell.  A unit of work is rows, CONVK_DISTANCES_ROWS_ atoms of a list at most,
   the lists of one kind that may be near, and every slices-th part of these.  Sizes of both are the same for all devices, as
   parts of a call are. */
enum { CONVK_DISTANCES_ROWS_ = 256 }; /* and columns of a part */
/* Stages of a frame, each a launch: the last one counts. */
enum { CONVK_DISTANCES_ZERO_, CONVK_DISTANCES_LISTS_, CONVK_DISTANCES_STARTS_, CONVK_DISTANCES_ORDER_ };
enum { CONVK_DISTANCES_SORT_ = CONVK_DISTANCES_ORDER_ + 1, CONVK_DISTANCES_COUNT_ };

/* What kernels take besides arrays.
   axis .. about   of the cell, as processors have them
   scale, limit    2^20 / width, and 2^52 + 2^20 bins
   at, frame       OpenCL: where arrays begin; and where, in those of atoms, a frame
   words, units    of 32 bits of a group, two of its own and those of bins; and units of work, some more than there are
   has_..          whether */
typedef struct convk_distances_arguments_ {
  double axis[9], inverse[9], scale, limit;
  uint64_t at[9], frame, part_index, part_count, words;
  uint32_t n, kinds, bins, moments, lists, slices, units, stage, has_kind, has_beyond;
  uint32_t cells[3], about[3];
  int32_t periodic[3], unused;
} convk_distances_arguments_;

/* Debye's sum, of one pair of kinds after another: LIST makes one of its bins that are not empty, WAVES sums steps of that for
   each q, and GIVE adds up what they have; SELF comes before, for each kind. */
enum { CONVK_DEBYE_SELF_, CONVK_DEBYE_GIVE_, CONVK_DEBYE_WAVES_, CONVK_DEBYE_LIST_ };

/* Work memory, doubles: of the first bin m, a0, a1, a2, n and its bound, how many bins the list has, and sums of n and bounds;
   of each bin of the list m, the factors of its terms, n and its bound, CONVK_DEBYE_NUMBERS_ rows of `bins`; of each step three
   sums of each q; intensities and bounds until now. */
enum { CONVK_DEBYE_COUNT_ = 6, CONVK_DEBYE_ALL_, CONVK_DEBYE_LEFT_, CONVK_DEBYE_HEAD_ = 16, CONVK_DEBYE_NUMBERS_ = 6 };

/* What kernels take besides arrays.
   of, self       scatterers of the pair, if they are given; and of SELF the number of atoms
   at             OpenCL: where arrays begin
   pair           its number; sums: histograms are of real weights
   fresh, last    of the stages that add to intensities */
typedef struct convk_debye_arguments_ {
  convk_scatterer of[2];
  double width, self;
  uint64_t at[7], nq, bins, pair;
  uint32_t stage, scattered, sums, has_bound, fresh, last;
  int32_t moments, unused;
} convk_debye_arguments_;
#endif
/* ---- src/distances/kernel.cuh ---- */
#define CONVK_SHARED_
#define CONVK_GLOBAL_
#define CONVK_ATOMIC_ADD_(p, v) atomicAdd(p, v)
#define CONVK_ADD_LONG_(p, v) (atomicAdd((unsigned long long *)(void *)(p), (unsigned long long)(v)) > ~(uint64_t)(v))
#define CONVK_BARRIER_() __syncthreads()
#define CONVK_DOUBLE_BITS_(x) convk_cuda_bits_(x)
#define CONVK_SUM_(type, sum, x) convk_cuda_add_(sum, (type)(x))
/* ---- src/words/cuda_numbers.h ---- */
/* Functions of element.h are called behind their passes, too, from templates: the words for that, until cuda_numbers_end.h. */
#define CONVK_MUL_(a, b) convk_cuda_mul_(a, b)
#define CONVK_FMA_(a, b, c) convk_cuda_fma_(a, b, c)
#define CONVK_KERNEL_(name) convk_cuda_##name##_
#define CONVK_GROUP_FUNCTION_ CONVK_CUDA_INLINE_
#define CONVK_TYPED_FUNCTION_ template <class real_> CONVK_CUDA_INLINE_
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_cuda_##name##_
#pragma push_macro("CONVK_UNROLL_")
#undef CONVK_UNROLL_
#define CONVK_UNROLL_ CONVK_CUDA_UNROLL_
/* ---- src/distances/device_kernels.h ---- */
/* ---- distances on devices: one text for OpenCL and CUDA, which say before
     CONVK_SHARED_, CONVK_GLOBAL_   memory of a group, and of the device
     CONVK_ATOMIC_ADD_(p, v)        of 32 bits, gives what was there before
     CONVK_ADD_LONG_(p, v)          of the 64 bits at p, gives their carry
     CONVK_BARRIER_()               of a group, for memory that it shares
     CONVK_DOUBLE_BITS_(x)          a double as an integer
     CONVK_SUM_(type, sum, x)       sum + x in a loop that adds up
     CONVK_GROUP_FUNCTION_, CONVK_TYPED_FUNCTION_   what begins a function, and one that knows T
   ---- */

/* An item of a launch: its number in the group and in all, and how many there are. */
typedef struct convk_distances_item_ {
  uint32_t in_group, group, in_all, all;
} convk_distances_item_;

/* Work memory.
   at                  [3][n]: sorted coordinates
   list, rank, order   [n]: of each atom, which of its list it is in the order of arrival; and the atoms in that order
   rows                [n][2]: the list and the first atom of rows
   count, start        [lists]: atoms; and [lists + 1] where they begin
   state               units that groups have taken, and how many rows there are */
typedef struct convk_distances_work_ {
  CONVK_GLOBAL_ double *at;
  CONVK_GLOBAL_ uint32_t *list, *rank, *order, *rows, *count, *start, *state;
} convk_distances_work_;

CONVK_GROUP_FUNCTION_ convk_distances_work_ convk_distances_work_of_(const convk_distances_arguments_ *a,
                                                                     CONVK_GLOBAL_ double *work) {
  const size_t n = a->n;
  convk_distances_work_ w;
  w.at = work;
  w.list = (CONVK_GLOBAL_ uint32_t *)(work + 3 * n);
  w.rank = w.list + n;
  w.order = w.rank + n;
  w.rows = w.order + n;
  w.count = w.rows + 2 * n;
  w.start = w.count + a->lists;
  w.state = w.start + a->lists + 1;
  return w;
}

/* ---- sorting atoms ---- */

/* Where lists begin, and rows of them; by one group, each item for a share of the lists.  share: two numbers of each item. */
CONVK_GROUP_FUNCTION_ void convk_distances_starts_(const convk_distances_arguments_ *a, const convk_distances_work_ *w,
                                                   const convk_distances_item_ *item, CONVK_SHARED_ uint32_t *share) {
  const uint32_t most = CONVK_DISTANCES_ROWS_, each = a->lists / item->group + 1, left = item->in_group * each;
  const uint32_t begin = left < a->lists ? left : a->lists, end = a->lists - begin < each ? a->lists : begin + each;
  uint32_t atoms = 0, rows = 0, i, k;
  for (i = begin; i < end; i++) {
    atoms += w->count[i];
    rows += (w->count[i] + most - 1) / most;
  }
  share[2 * item->in_group] = atoms;
  share[2 * item->in_group + 1] = rows;
  CONVK_BARRIER_();
  for (i = atoms = rows = 0; i < item->in_group; i++) {
    atoms += share[2 * i];
    rows += share[2 * i + 1];
  }
  for (i = begin; i < end; i++) {
    w->start[i] = atoms;
    for (k = 0; k < w->count[i]; k += most) {
      w->rows[2 * rows] = i;
      w->rows[2 * rows++ + 1] = atoms + k;
    }
    atoms += w->count[i];
  }
  if (item->in_group + 1 < item->group) return;
  w->start[a->lists] = atoms;
  w->state[1] = rows;
}

/* A stage of the sort. */
CONVK_TYPED_FUNCTION_ void convk_distances_sort_of_(const convk_distances_arguments_ *a, const convk_distances_item_ *item,
                                                    CONVK_GLOBAL_ const CONVK_T *x, CONVK_GLOBAL_ const CONVK_T *y,
                                                    CONVK_GLOBAL_ const CONVK_T *z, CONVK_GLOBAL_ const uint32_t *kind,
                                                    CONVK_GLOBAL_ double *work, CONVK_SHARED_ uint32_t *share) {
  const convk_distances_work_ w = convk_distances_work_of_(a, work);
  size_t i;
  if (a->stage == CONVK_DISTANCES_STARTS_) convk_distances_starts_(a, &w, item, share);
  if (a->stage == CONVK_DISTANCES_STARTS_) return;
  if (a->stage == CONVK_DISTANCES_ZERO_ && !item->in_all) w.state[0] = 0;
  for (i = item->in_all; i < a->lists && a->stage == CONVK_DISTANCES_ZERO_; i += item->all) w.count[i] = 0;
  for (i = item->in_all; i < a->n && a->stage; i += item->all) {
    const size_t from = a->stage == CONVK_DISTANCES_SORT_ ? w.order[i] : i;
    double r[3];
    int k;
    if (a->stage == CONVK_DISTANCES_ORDER_) {
      w.order[w.start[w.list[i]] + w.rank[i]] = (uint32_t)i;
      continue;
    }
    r[0] = (double)x[a->frame + from];
    r[1] = (double)y[a->frame + from];
    r[2] = (double)z[a->frame + from];
    (void)convk_cell_wrap_(a->periodic, a->inverse, a->axis, r);
    if (a->stage == CONVK_DISTANCES_LISTS_) { /* none lies beyond the others, whatever coordinates and kinds there are */
      uint32_t list = !a->has_kind ? 0 : kind[i] < a->kinds ? kind[i] : a->kinds - 1;
      for (k = 2; k >= 0; k--) {
        const double count = a->cells[k], at = a->periodic[k] ? convk_cell_dot_(a->inverse + 3 * k, r) * count : 0;
        list = list * a->cells[k] + (at > 0 ? at < count ? (uint32_t)at : a->cells[k] - 1 : 0);
      }
      w.list[i] = list;
      w.rank[i] = CONVK_ATOMIC_ADD_(w.count + list, 1u);
    } else {
      const uint32_t begin = w.start[w.list[from]], end = w.start[w.list[from] + 1], parts = a->part_count > 1;
      uint32_t to = parts ? begin : (uint32_t)i, other;
      for (other = begin; other < end && parts; other++) to += w.order[other] < from; /* other parts have the same order */
      for (k = 0; k < 3; k++) w.at[(size_t)k * a->n + to] = r[k];
    }
  }
}

/* ---- counting ---- */

/* Histograms, from `bin` on those of a pair of kinds; and words in shared memory, if there are any: of each bin a count, sums
   of places, and of the lower 20 and the upper 20 bits of their squares, as far as they are wanted.
   pairs    that the group has looked at since it emptied its words, below 2^32; beyond: those of this item that are too far */
typedef struct convk_distances_bins_ {
  CONVK_GLOBAL_ uint64_t *count, *first, *second;
  CONVK_SHARED_ uint32_t *word;
  uint64_t bin;
  uint32_t pairs, beyond;
} convk_distances_bins_;

/* Adds v to the sum that word number m of a bin is part of. */
CONVK_GROUP_FUNCTION_ void convk_distances_add_bin_(const convk_distances_bins_ *b, uint32_t bin, const int m, uint64_t v) {
  const uint64_t at = b->bin + bin;
  if (m < 2) (void)CONVK_ADD_LONG_((m ? b->first : b->count) + at, v);
  else if (CONVK_ADD_LONG_(b->second + 2 * at, m == 2 ? v : v << 20)) (void)CONVK_ADD_LONG_(b->second + 2 * at + 1, 1);
}

/* Counts a pair, or, where it is none, adds the words of a bin to the histograms, and clears them. */
CONVK_GROUP_FUNCTION_ void convk_distances_count_of_(const convk_distances_arguments_ *a, convk_distances_bins_ *b,
                                                     uint32_t bin, uint32_t f, int pair, const int moments, const int shared) {
  const uint64_t square = (uint64_t)f * f;
  const uint32_t v[4] = {1, f, (uint32_t)square & 0xfffff, (uint32_t)(square >> 20)};
  int m;
  CONVK_EACH_(m, (moments > 1 ? 4 : 1 + moments)) {
    CONVK_SHARED_ uint32_t *const word = b->word + (size_t)m * a->bins + bin;
    if (!pair) {
      convk_distances_add_bin_(b, bin, m, *word);
      *word = 0;
    } else if (!shared) convk_distances_add_bin_(b, bin, m, v[m]);
    else if (CONVK_ATOMIC_ADD_(word, v[m]) > ~v[m] && m) convk_distances_add_bin_(b, bin, m, (uint64_t)1 << 32);
  }
}

/* How often n goes into x, rounded down. */
CONVK_GROUP_FUNCTION_ int32_t convk_distances_times_of_(int32_t x, int32_t n) { return x >= 0 ? x / n : -((n - 1 - x) / n); }

/* The unit of a slice, rows of a list from `first` on, and a kind.  Of one kind, the later list has the rows; a list with
   itself has the pairs i > j, and of any two opposite images one.  Cells beside each other along x, with the same image, are
   one range of columns.  Items of a group take rows side by side, whose distances from a column are rarely in one bin; where
   there are fewer rows than items, these share the columns. */
CONVK_GROUP_FUNCTION_ void convk_distances_sweep_(const convk_distances_arguments_ *a, const convk_distances_work_ *w,
                                                  convk_distances_bins_ *b, const convk_distances_item_ *item, uint32_t kind,
                                                  uint32_t list, uint32_t first, uint32_t slice, const int moments,
                                                  const int shared) {
  const uint32_t cells = a->lists / a->kinds, same = list / cells == kind, most = CONVK_DISTANCES_ROWS_, t = item->in_group;
  const uint32_t left = w->start[list + 1] - first, rows = left < most ? left : most, group = item->group;
  const uint32_t step = group > rows ? group / rows : 1, end_row = first + rows, column = t / rows;
  const uint32_t row = group > rows && column >= step ? end_row : first + t % rows;
  const int32_t n[3] = {(int32_t)a->cells[0], (int32_t)a->cells[1], (int32_t)a->cells[2]};
  const int32_t about[3] = {(int32_t)a->about[0], (int32_t)a->about[1], (int32_t)a->about[2]};
  const int32_t cell = (int32_t)(list % cells), x = cell % n[0], y = cell / n[0] % n[1], z = cell / n[0] / n[1];
  int32_t to[3], times[3];
  double image[3], shift[3];
  const size_t all = a->n;
  uint32_t turn = 0, i, j;
  for (to[2] = z - about[2]; to[2] <= z + about[2]; to[2]++)
    for (to[1] = y - about[1]; to[1] <= y + about[1]; to[1]++) {
      times[2] = convk_distances_times_of_(to[2], n[2]);
      times[1] = convk_distances_times_of_(to[1], n[1]);
      if ((times[2] && !a->periodic[2]) || (times[1] && !a->periodic[1])) continue;
      for (to[0] = x - about[0]; to[0] <= x + about[0];) {
        const int32_t at = to[0], last = x + about[0];
        int32_t begin, end, sign, k;
        uint32_t from, past;
        times[0] = convk_distances_times_of_(at, n[0]);
        to[0] = (times[0] + 1) * n[0];
        if (times[0] && !a->periodic[0]) continue;
        begin = (int32_t)(kind * cells) + ((to[2] - times[2] * n[2]) * n[1] + to[1] - times[1] * n[1]) * n[0];
        end = begin + (last < to[0] ? last + 1 : to[0]) - times[0] * n[0];
        begin += at - times[0] * n[0];
        sign = times[0] ? times[0] : times[1] ? times[1] : times[2];
        if (same && end > (int32_t)list + (sign >= 0)) end = (int32_t)list + (sign >= 0);
        if (begin >= end) continue;
        for (k = 0; k < 3; k++) image[k] = (double)times[k];
        convk_cell_shift_(image, a->axis, shift);
        for (from = w->start[begin], past = w->start[end]; from < past; from += most) {
          const uint32_t count = past - from < most ? past - from : most;
          if (turn++ % a->slices != slice) continue;
          b->pairs += rows * count;
          for (i = row; i < end_row; i += group) {
            const uint32_t last_column = same && !sign && i < from + count ? i : from + count;
            const double r[3] = {w->at[i], w->at[all + i], w->at[2 * all + i]};
            for (j = from + column; j < last_column; j += step) {
              const double u = convk_distances_place_(
                  convk_distances_from_(r, shift, w->at[j], w->at[all + j], w->at[2 * all + j]), a->scale);
              const uint64_t bits = CONVK_DOUBLE_BITS_(u);
              if (u < a->limit)
                convk_distances_count_of_(a, b, (uint32_t)(bits >> 20), (uint32_t)bits & 0xfffff, 1, moments, shared);
              else b->beyond++;
            }
          }
        }
      }
    }
}

/* A group takes one unit after another.  word: of the group: the unit at hand, pairs that lie beyond, and words of bins. */
CONVK_GROUP_FUNCTION_ void convk_distances_group_(const convk_distances_arguments_ *a, const convk_distances_item_ *item,
                                                  CONVK_GLOBAL_ double *work, convk_distances_bins_ *b,
                                                  CONVK_GLOBAL_ uint64_t *beyond, CONVK_SHARED_ uint32_t *word,
                                                  const int moments, const int shared) {
  const convk_distances_work_ w = convk_distances_work_of_(a, work);
  const uint64_t each = (uint64_t)w.state[1] * a->slices, units = each * a->kinds;
  const uint32_t cells = a->lists / a->kinds, words = (uint32_t)(moments > 1 ? 4 : 1 + moments);
  uint64_t pair = 0;
  uint32_t k;
  b->word = word + 2;
  b->pairs = b->beyond = 0;
  if (!item->in_group) word[1] = 0;
  for (k = item->in_group; k < words * a->bins && shared; k += item->group) b->word[k] = 0;
  for (;;) {
    uint64_t unit, next = 0;
    uint32_t kind = 0, list = 0, rows = 0;
    int full, none;
    if (!item->in_group) word[0] = CONVK_ATOMIC_ADD_(w.state, 1u);
    CONVK_BARRIER_(); /* the words have all pairs of the last unit */
    unit = word[0] * a->part_count + a->part_index;
    if (unit < units) {
      kind = (uint32_t)(unit / each);
      rows = 2 * (uint32_t)(unit % each / a->slices);
      list = w.rows[rows];
      next = convk_kinds_pair_(a->kinds, list / cells, kind);
    }
    none = list / cells > kind;
    full = b->pairs && (unit >= units || b->pairs >= 0x80000000u || (!none && next != pair));
    if (full) {
      for (k = item->in_group; k < a->bins && shared; k += item->group)
        convk_distances_count_of_(a, b, k, 0, 0, moments, shared);
      if (b->beyond) (void)CONVK_ATOMIC_ADD_(word + 1, b->beyond);
      b->pairs = b->beyond = 0;
    }
    CONVK_BARRIER_(); /* they are clear */
    if (full && a->has_beyond && !item->in_group) {
      (void)CONVK_ADD_LONG_(beyond + pair, word[1]);
      word[1] = 0;
    }
    if (unit >= units) return;
    if (none) continue;
    pair = next;
    b->bin = pair * a->bins;
    convk_distances_sweep_(a, &w, b, item, kind, list, w.rows[rows + 1], (uint32_t)(unit % a->slices), moments, shared);
  }
}

/* ---- Debye's sum ---- */

/* Arrays: of histograms counts, or sums, and moments; q, intensities and bounds; work memory. */
typedef struct convk_debye_there_ {
  CONVK_GLOBAL_ const void *count;
  CONVK_GLOBAL_ const uint64_t *first, *second;
  CONVK_GLOBAL_ const void *q;
  CONVK_GLOBAL_ void *intensity, *bound;
  CONVK_GLOBAL_ double *work;
} convk_debye_there_;

CONVK_GROUP_FUNCTION_ void convk_debye_bin_at_(const convk_debye_arguments_ *a, const convk_debye_there_ *d, uint64_t k,
                                               convk_debye_bin_ *bin) {
  const uint64_t at = a->pair * a->bins + k;
  double sum[3] = {0, 0, 0};
  int m;
  CONVK_EACH_(m, 3) {
    if (m > a->moments) continue;
    if (a->sums) sum[m] = ((CONVK_GLOBAL_ const double *)d->count)[at * (uint64_t)(a->moments + 1) + (uint64_t)m];
    else if (m < 2) sum[m] = (double)(m ? d->first : (CONVK_GLOBAL_ const uint64_t *)d->count)[at];
    else sum[m] = (double)d->second[2 * at] + CONVK_MUL_(18446744073709551616., (double)d->second[2 * at + 1]);
  }
  convk_debye_bin_of_(a->width, k, a->moments, sum[0], sum[1], sum[2], bin);
}

/* By one group, each item for a share of the bins.  share: a number of each item. */
CONVK_GROUP_FUNCTION_ void convk_debye_list_of_(const convk_debye_arguments_ *a, const convk_debye_there_ *d,
                                                const convk_distances_item_ *item, CONVK_SHARED_ uint32_t *share) {
  const uint64_t each = a->bins / item->group + 1, left = item->in_group * each, begin = left < a->bins ? left : a->bins;
  const uint64_t end = a->bins - begin < each ? a->bins : begin + each;
  CONVK_GLOBAL_ double *const head = d->work, *const list = head + CONVK_DEBYE_HEAD_;
  uint64_t k, at = 0;
  uint32_t i;
  share[item->in_group] = 0;
  for (k = begin; k < end; k++) {
    convk_debye_bin_ bin;
    int is;
    convk_debye_bin_at_(a, d, k, &bin);
    is = convk_debye_is_(&bin);
    share[item->in_group] += k && is;
    if (k) continue;
    head[0] = bin.m;
    head[1] = is ? bin.a[0] : 0;
    head[2] = is ? bin.a[1] : 0;
    head[3] = is ? bin.a[2] : 0;
    head[4] = is ? bin.n : 0;
    head[5] = is ? bin.bound : 0;
  }
  CONVK_BARRIER_();
  for (i = 0; i < item->in_group; i++) at += share[i];
  if (item->in_group + 1 == item->group) head[CONVK_DEBYE_COUNT_] = (double)(at + share[item->in_group]);
  for (k = begin ? begin : 1; k < end; k++) {
    convk_debye_bin_ bin;
    double terms[3];
    convk_debye_bin_at_(a, d, k, &bin);
    if (!convk_debye_is_(&bin)) continue;
    convk_debye_terms_(&bin, terms);
    list[at] = bin.m;
    list[a->bins + at] = terms[0];
    list[2 * a->bins + at] = terms[1];
    list[3 * a->bins + at] = terms[2];
    list[4 * a->bins + at] = bin.n;
    list[5 * a->bins + at++] = bin.bound;
  }
}

/* The sums of a step for q, in the order of processors, whose lanes are `parts` here. */
CONVK_GROUP_FUNCTION_ void convk_debye_step_(CONVK_GLOBAL_ const double *list, uint64_t bins, uint64_t n, double q,
                                             CONVK_GLOBAL_ double *to, uint64_t apart, const int second) {
  enum { parts_ = CONVK_DISTANCES_LANES_ };
  const double turns = q * 0.3183098861837907;
  double sum[3][parts_];
  uint64_t i;
  int g, k;
  CONVK_EACH_(k, 3)
    CONVK_EACH_(g, parts_) sum[k][g] = 0;
  for (i = 0; i < n; i += parts_) {
    CONVK_EACH_(g, parts_) {
      CONVK_GLOBAL_ const double *const at = list + i + g;
      double s, c = 0;
      if (i + (uint64_t)g >= n) continue;
      convk_distances_half_turns_(CONVK_MUL_(at[0], turns), &s, &c, second);
      sum[0][g] = CONVK_FMA_(s, at[bins], sum[0][g]);
      if (!second) continue;
      sum[1][g] = CONVK_FMA_(s, at[2 * bins], sum[1][g]);
      sum[2][g] = CONVK_FMA_(c, at[3 * bins], sum[2][g]);
    }
  }
  CONVK_EACH_(k, 3)
    to[(uint64_t)k * apart] =
        ((sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3])) + ((sum[k][4] + sum[k][5]) + (sum[k][6] + sum[k][7]));
}

CONVK_GROUP_FUNCTION_ int convk_debye_second_(const convk_debye_arguments_ *a) { return a->moments > 1 || a->sums; }

/* A stage, LIST apart. */
CONVK_TYPED_FUNCTION_ void convk_debye_stage_of_(const convk_debye_arguments_ *a, const convk_debye_there_ *d,
                                                 const convk_distances_item_ *item, CONVK_GLOBAL_ const CONVK_T *from,
                                                 CONVK_GLOBAL_ CONVK_T *intensity, CONVK_GLOBAL_ CONVK_T *bound) {
  const uint64_t list = CONVK_DISTANCES_LIST_, nq = a->nq, steps = (a->bins + list - 1) / list;
  CONVK_GLOBAL_ double *const head = d->work, *const bins = head + CONVK_DEBYE_HEAD_;
  CONVK_GLOBAL_ double *const sums = bins + CONVK_DEBYE_NUMBERS_ * a->bins, *const total = sums + 3 * steps * nq;
  const uint64_t count = a->stage == CONVK_DEBYE_SELF_ ? 0 : (uint64_t)head[CONVK_DEBYE_COUNT_],
                 used = (count + list - 1) / list;
  uint64_t j, k;
  if (a->stage == CONVK_DEBYE_WAVES_) {
    for (j = item->in_all; j < used * nq; j += item->all) {
      const uint64_t step = j / nq, i = j - step * nq, n = count - step * list < list ? count - step * list : list;
      const double q = convk_debye_q_((double)from[i]);
      if (convk_debye_second_(a)) convk_debye_step_(bins + step * list, a->bins, n, q, sums + 3 * step * nq + i, nq, 1);
      else convk_debye_step_(bins + step * list, a->bins, n, q, sums + 3 * step * nq + i, nq, 0);
    }
    if (item->in_all + 1 == item->all) { /* of all bins, in their order */
      double all = head[4], left = head[5];
      for (k = 0; k < count; k++) {
        all = CONVK_SUM_(double, all, bins[4 * a->bins + k]);
        left = CONVK_SUM_(double, left, bins[5 * a->bins + k]);
      }
      head[CONVK_DEBYE_ALL_] = all;
      head[CONVK_DEBYE_LEFT_] = left;
    }
    return;
  }
  for (j = item->in_all; j < nq; j += item->all) {
    const double q = convk_debye_q_((double)from[j]);
    double sum = 0, value = a->fresh ? 0 : total[j], edge = a->fresh ? 0 : total[nq + j];
    if (a->stage == CONVK_DEBYE_SELF_)
      value += CONVK_MUL_(a->self, convk_scatterer_self_(a->scattered ? &a->of[0] : (const convk_scatterer *)0, q));
    else {
      const convk_debye_bin_ first = {head[0], {head[1], head[2], head[3]}, head[4], head[5]};
      const convk_scatterer *const one = a->scattered ? &a->of[0] : (const convk_scatterer *)0;
      const convk_scatterer *const other = a->scattered ? &a->of[1] : (const convk_scatterer *)0;
      double waves[3];
      if (q * first.m < 1) sum = convk_debye_series_(&first, q);
      else {
        double s, c, terms[3];
        convk_debye_terms_(&first, terms);
        convk_distances_half_turns_(CONVK_MUL_(first.m, q * 0.3183098861837907), &s, &c, 1);
        waves[0] = CONVK_MUL_(s, terms[0]);
        waves[1] = CONVK_MUL_(s, terms[1]);
        waves[2] = CONVK_MUL_(c, terms[2]);
        sum = convk_debye_waved_(0, waves, q, 1);
      }
      for (k = 0; k < used && q > 0; k++) {
        CONVK_GLOBAL_ const double *const at = sums + 3 * k * nq + j;
        waves[0] = at[0];
        waves[1] = at[nq];
        waves[2] = at[2 * nq];
        sum = convk_debye_waved_(sum, waves, q, convk_debye_second_(a));
      }
      convk_debye_add_(convk_scatterer_product_(one, other, q), sum, q, a->width, a->moments, head[CONVK_DEBYE_ALL_],
                       head[CONVK_DEBYE_LEFT_], &value, &edge);
    }
    total[j] = value;
    total[nq + j] = edge;
    if (!a->last) continue;
    intensity[j] = (CONVK_T)value;
    if (a->has_bound) bound[j] = (CONVK_T)edge;
  }
}
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_##name##_
#pragma pop_macro("CONVK_UNROLL_")
#undef CONVK_GLOBAL_
#undef CONVK_SUM_
/* ---- src/words/cuda_numbers_end.h ---- */
#undef CONVK_MUL_
#undef CONVK_FMA_
#undef CONVK_KERNEL_

enum {
  CONVK_CUDA_DISTANCES_THREADS_ = 256, /* of a block */
  CONVK_CUDA_DISTANCES_MOST_ = 768,    /* of one with many bins: more would have too few registers */
  CONVK_CUDA_DISTANCES_BLOCKS_ = 1024  /* of a launch, at most: each adds its bins to the others */
};

struct convk_cuda_distances_args_ {
  convk_distances_arguments_ of;
  const void *x, *y, *z, *kind;
  void *count, *first, *second, *beyond, *work;
};

template <class real_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_DISTANCES_THREADS_, 2)
    convk_cuda_distances_sort_(const convk_cuda_distances_args_ a) {
  const convk_distances_item_ item = {threadIdx.x, blockDim.x, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x};
  CONVK_CUDA_SHARED_(shared);
  convk_distances_sort_of_(&a.of, &item, (const real_ *)a.x, (const real_ *)a.y, (const real_ *)a.z, (const uint32_t *)a.kind,
                           (double *)a.work, (uint32_t *)(void *)shared);
}

template <int moments_, int shared_>
static __global__ void __launch_bounds__(CONVK_CUDA_DISTANCES_MOST_)
    convk_cuda_distances_count_(const convk_cuda_distances_args_ a) {
  const convk_distances_item_ item = {threadIdx.x, blockDim.x, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x};
  CONVK_CUDA_SHARED_(shared);
  convk_distances_bins_ b = {(uint64_t *)a.count, (uint64_t *)a.first, (uint64_t *)a.second, NULL, 0, 0, 0};
  convk_distances_group_(&a.of, &item, (double *)a.work, &b, (uint64_t *)a.beyond, (uint32_t *)(void *)shared, moments_,
                         shared_);
}

template <int shared_> static void (*convk_cuda_distances_of_(unsigned moments))(const convk_cuda_distances_args_) {
  return moments > 1 ? convk_cuda_distances_count_<2, shared_>
         : moments   ? convk_cuda_distances_count_<1, shared_>
                     : convk_cuda_distances_count_<0, shared_>;
}

struct convk_cuda_debye_args_ {
  convk_debye_arguments_ of;
  convk_debye_there_ array;
};

template <class real_, int list_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_DISTANCES_THREADS_, 2)
    convk_cuda_debye_stage_(const convk_cuda_debye_args_ a) {
  const convk_distances_item_ item = {threadIdx.x, blockDim.x, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x};
  CONVK_CUDA_SHARED_(shared);
  if (list_) convk_debye_list_of_(&a.of, &a.array, &item, (uint32_t *)(void *)shared);
  else
    convk_debye_stage_of_(&a.of, &a.array, &item, (const real_ *)a.array.q, (real_ *)a.array.intensity, (real_ *)a.array.bound);
}
#endif
#if CONVK_HAS_AMPLITUDES_
/* ---- src/amplitudes/arguments.h ---- */
#ifndef CONVK_AMPLITUDES_INCLUDED_
#define CONVK_AMPLITUDES_INCLUDED_
/* ---- amplitudes on devices ----
   Atoms of a kind go in batches of whole blocks.  Of a list each group sums one block for a tile of q, and GIVE adds up what
   they have.  Of a grid PHASE makes the factors of each atom and value on the axes, and ROWS is the product of two matrices:
   rows are factors of pairs of values on two axes, columns cosines and sines of the lanes. */
enum {
  CONVK_AMPLITUDES_SELECT_,
  CONVK_AMPLITUDES_MIRROR_,
  CONVK_AMPLITUDES_PHASE_,
  CONVK_AMPLITUDES_GIVE_,
  CONVK_AMPLITUDES_LIST_, /* this and the next have programs of their own */
  CONVK_AMPLITUDES_ROWS_,
  CONVK_AMPLITUDES_DAMPED_ /* a list with complex q_z */
};
enum {
  CONVK_AMPLITUDES_POINTS_ = 2, /* values of q of an item */
  CONVK_AMPLITUDES_ATOMS_ = 16, /* whose factors a group has in shared memory */
  CONVK_AMPLITUDES_EACH_ = 4,   /* rows and lanes of an item */
  CONVK_AMPLITUDES_ACROSS_ = 8, /* items of a group along the lanes, at most */
  CONVK_AMPLITUDES_PAD_ = 4     /* columns of shared memory that keep neighbours in different banks */
};

/* What work memory has, 32 bits of ORDER for each: whether x, y, z have q and -q; where kinds begin; atoms by kinds.  SUMS are
   of the kind at hand, TOTALS of all kinds, MEANS of frames, in doubles; TABLE has blocks of a list, or phases. */
enum {
  CONVK_AMPLITUDES_SUMS_AT_,
  CONVK_AMPLITUDES_TOTALS_AT_,
  CONVK_AMPLITUDES_MEANS_AT_,
  CONVK_AMPLITUDES_WEIGHT_AT_,
  CONVK_AMPLITUDES_TABLE_AT_,
  CONVK_AMPLITUDES_ORDER_AT_,
  CONVK_AMPLITUDES_PLACES_
};

/* What kernels take besides arrays.
   scatterer          of the kind; scattered: there is one
   at, place          OpenCL: where arrays begin; and in work memory, in bytes
   n, pitch_y, pitch_z   values of the axes, of a list n[0]; and of f
   imag               of a list: q_z is complex
   results, to        q, and where f has this frame and kind, in elements
   frame, first, batch   where arrays of atoms have the frame; of the batch, of atoms of the kind; its length
   fresh, last        of batches; first_.., last_..: of those whose amplitudes are added up */
typedef struct convk_amplitudes_arguments_ {
  convk_scatterer scatterer;
  double inverse[9], frames;
  uint64_t at[11], place[CONVK_AMPLITUDES_PLACES_], n[3], pitch_y, pitch_z, results, to, frame, first, batch;
  uint32_t atoms, kinds, kind, stage, has_kind, has_weight, scattered, in_cell, tensor, mean;
  uint32_t imag, unused, fresh, last, first_kind, last_kind, first_frame, last_frame;
} convk_amplitudes_arguments_;
#endif
/* ---- src/amplitudes/kernel.cuh ---- */
#define CONVK_SHARED_
#define CONVK_GLOBAL_
#define CONVK_BARRIER_() __syncthreads()
#define CONVK_SUM_(type, sum, x) convk_cuda_add_(sum, (type)(x))
/* ---- src/words/cuda_numbers.h ---- */
/* Functions of element.h are called behind their passes, too, from templates: the words for that, until cuda_numbers_end.h. */
#define CONVK_MUL_(a, b) convk_cuda_mul_(a, b)
#define CONVK_FMA_(a, b, c) convk_cuda_fma_(a, b, c)
#define CONVK_KERNEL_(name) convk_cuda_##name##_
#define CONVK_GROUP_FUNCTION_ CONVK_CUDA_INLINE_
#define CONVK_TYPED_FUNCTION_ template <class real_> CONVK_CUDA_INLINE_
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_cuda_##name##_
#pragma push_macro("CONVK_UNROLL_")
#undef CONVK_UNROLL_
#define CONVK_UNROLL_ CONVK_CUDA_UNROLL_
/* ---- src/amplitudes/device_kernels.h ---- */
/* ---- amplitudes on devices: one text for OpenCL and CUDA, in the words of distances/device_kernels.h and
     CONVK_SUM_(type, sum, x)   sum + x in a loop that adds up
   ---- */

/* An item of a launch: its number in the group, and that of the group; and how many there are. */
typedef struct convk_amplitudes_item_ {
  uint32_t in_group, items;
  size_t group, groups;
} convk_amplitudes_item_;

/* Arrays: x, y, z, kind and weight of atoms, q and its imaginary part, f, and work memory. */
typedef struct convk_amplitudes_arrays_ {
  CONVK_GLOBAL_ const void *x, *y, *z, *kind, *weight, *qx, *qy, *qz, *qi;
  CONVK_GLOBAL_ void *f;
  CONVK_GLOBAL_ char *work;
} convk_amplitudes_arrays_;
#define CONVK_AMPLITUDES_AT_(type, array) ((CONVK_GLOBAL_ const type *)(array))
#define CONVK_AMPLITUDES_WORK_(type, which) ((CONVK_GLOBAL_ type *)(d->work + a->place[which]))
#define CONVK_AMPLITUDES_MIRRORED_ CONVK_AMPLITUDES_WORK_(uint32_t, CONVK_AMPLITUDES_ORDER_AT_)
#define CONVK_AMPLITUDES_START_ (CONVK_AMPLITUDES_MIRRORED_ + 3)
#define CONVK_AMPLITUDES_SORTED_ (CONVK_AMPLITUDES_START_ + a->kinds + 1)
#define CONVK_AMPLITUDES_THIRD_(which, x, y, z) ((which) == 0 ? (x) : (which) == 1 ? (y) : (z))

/* Atoms of the batch. */
CONVK_GROUP_FUNCTION_ size_t convk_amplitudes_left_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d) {
  const size_t all = CONVK_AMPLITUDES_START_[a->kind + 1] - CONVK_AMPLITUDES_START_[a->kind];
  const size_t left = all > a->first ? all - a->first : 0;
  return left < a->batch ? left : a->batch;
}

CONVK_GROUP_FUNCTION_ convk_amplitudes_fold_ convk_amplitudes_folded_(const convk_amplitudes_arguments_ *a,
                                                                      const convk_amplitudes_arrays_ *d) {
  const int mirrored[3] = {CONVK_AMPLITUDES_MIRRORED_[0] != 0, CONVK_AMPLITUDES_MIRRORED_[1] != 0,
                           CONVK_AMPLITUDES_MIRRORED_[2] != 0};
  const size_t n[3] = {(size_t)a->n[0], (size_t)a->n[1], (size_t)a->n[2]};
  convk_amplitudes_fold_ fold;
  convk_amplitudes_fold_of_(mirrored, n, &fold);
  return fold;
}

/* Atom number t of the batch: its places on the axes of phases, then its weight. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_get_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                 size_t t, CONVK_T *to) {
  const size_t which = CONVK_AMPLITUDES_SORTED_[CONVK_AMPLITUDES_START_[a->kind] + a->first + t], i = a->frame + which;
  const double at[3] = {(double)CONVK_AMPLITUDES_AT_(CONVK_T, d->x)[i], (double)CONVK_AMPLITUDES_AT_(CONVK_T, d->y)[i],
                        (double)CONVK_AMPLITUDES_AT_(CONVK_T, d->z)[i]};
  int k;
  CONVK_EACH_(k, 3) to[k] = (CONVK_T)(a->in_cell ? convk_cell_dot_(a->inverse + 3 * k, at) : at[k]);
  to[3] = a->has_weight ? CONVK_AMPLITUDES_AT_(CONVK_T, d->weight)[which] : (CONVK_T)1;
}

/* ---- what one group does before ---- */

/* Atoms of a kind in their order, behind those of the kinds before; each item has a share of all.  share: a number of each. */
CONVK_GROUP_FUNCTION_ void convk_amplitudes_select_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                    const convk_amplitudes_item_ *item, CONVK_SHARED_ uint32_t *share) {
  CONVK_GLOBAL_ const uint32_t *const kind = CONVK_AMPLITUDES_AT_(uint32_t, d->kind);
  const uint32_t each = a->atoms / item->items + 1, most = a->kinds - 1;
  const size_t from = (size_t)each * item->in_group, past = from + each < a->atoms ? from + each : a->atoms;
  uint32_t to = a->kind ? CONVK_AMPLITUDES_START_[a->kind] : 0, k;
  size_t i;
  share[item->in_group] = 0;
  for (i = from; i < past; i++) share[item->in_group] += (a->has_kind ? kind[i] < most ? kind[i] : most : 0) == a->kind;
  CONVK_BARRIER_();
  for (k = 0; k < item->in_group; k++) to += share[k];
  for (i = from; i < past; i++)
    if ((a->has_kind ? kind[i] < most ? kind[i] : most : 0) == a->kind) CONVK_AMPLITUDES_SORTED_[to++] = (uint32_t)i;
  if (!a->kind && !item->in_group) CONVK_AMPLITUDES_START_[0] = 0;
  if (item->in_group + 1 == item->items) CONVK_AMPLITUDES_START_[a->kind + 1] = to;
}

/* Whether axes have -q for every q. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_mirror_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                    const convk_amplitudes_item_ *item, CONVK_GLOBAL_ const CONVK_T *axis,
                                                    CONVK_SHARED_ uint32_t *share) {
  int k;
  uint32_t t;
  for (k = 0; k < 3; k++) {
    const size_t n = a->n[k];
    size_t i;
    axis = CONVK_AMPLITUDES_THIRD_(k, CONVK_AMPLITUDES_AT_(CONVK_T, d->qx), CONVK_AMPLITUDES_AT_(CONVK_T, d->qy),
                                   CONVK_AMPLITUDES_AT_(CONVK_T, d->qz));
    share[item->in_group] = 1;
    for (i = item->in_group; i < (n + 1) / 2; i += item->items)
      if (axis[i] < -axis[n - 1 - i] || axis[i] > -axis[n - 1 - i]) share[item->in_group] = 0;
    CONVK_BARRIER_();
    if (!item->in_group) {
      for (t = 1; t < item->items; t++) share[0] &= share[t];
      CONVK_AMPLITUDES_MIRRORED_[k] = share[0];
    }
    CONVK_BARRIER_();
  }
}

/* ---- phases of a grid ---- */

/* The table has of each value of the lanes, then of the two other axes, cosines of the batch, then sines, of the last axis
   times weights; 0 where the last block is not full. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_phases_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                    const convk_amplitudes_item_ *item, CONVK_GLOBAL_ CONVK_T *table) {
  const convk_amplitudes_fold_ fold = convk_amplitudes_folded_(a, d);
  const size_t left = convk_amplitudes_left_(a, d), block = CONVK_AMPLITUDES_BLOCK_;
  const size_t padded = (left + block - 1) / block * block, values = fold.count[0] + fold.count[1] + fold.count[2];
  size_t j;
  for (j = item->group * item->items + item->in_group; j < values * padded; j += item->groups * item->items) {
    const size_t v = j / padded, t = j - v * padded, beyond = fold.count[0] + fold.count[1];
    const int k = v < fold.count[0] ? 0 : v < beyond ? 1 : 2;
    const size_t i =
        CONVK_AMPLITUDES_THIRD_(k, fold.first[0] + v, fold.first[1] + v - fold.count[0], fold.first[2] + v - beyond);
    const size_t axis = CONVK_AMPLITUDES_THIRD_(k, fold.axis[0], fold.axis[1], fold.axis[2]);
    CONVK_T atom[4] = {0, 0, 0, 0}, c = 0, s = 0;
    double rest;
    const double turns = convk_amplitudes_turns_in_two_(
        (int)a->in_cell, CONVK_OF_(1, 0) > 0,
        (double)CONVK_AMPLITUDES_THIRD_(axis, CONVK_AMPLITUDES_AT_(CONVK_T, d->qx), CONVK_AMPLITUDES_AT_(CONVK_T, d->qy),
                                        CONVK_AMPLITUDES_AT_(CONVK_T, d->qz))[i],
        &rest);
    if (t < left) {
      convk_amplitudes_get_(a, d, t, atom);
      convk_amplitudes_phase_((CONVK_T)turns, (CONVK_T)rest, CONVK_AMPLITUDES_THIRD_(axis, atom[0], atom[1], atom[2]), &c, &s);
    }
    table[2 * v * a->batch + t] = k == 2 ? CONVK_MUL_(atom[3], c) : c;
    table[(2 * v + 1) * a->batch + t] = k == 2 ? CONVK_MUL_(atom[3], s) : s;
  }
}

/* ---- sums over a batch ---- */

/* Of a list, imag: with complex q_z: a task is a block and a tile of q.  One item of all adds up weights, in their order.
   tile: four numbers of each atom. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_sum_list_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                      const convk_amplitudes_item_ *item, CONVK_GLOBAL_ CONVK_T *table,
                                                      CONVK_SHARED_ CONVK_T *tile, const int imag) {
  CONVK_GLOBAL_ double *const weight = CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_WEIGHT_AT_);
  const size_t nq = a->n[0], left = convk_amplitudes_left_(a, d), block = CONVK_AMPLITUDES_BLOCK_;
  const size_t each = (size_t)item->items * CONVK_AMPLITUDES_POINTS_, tiles = (nq + each - 1) / each;
  const size_t tasks = (left + block - 1) / block * tiles;
  size_t task, t;
  if (a->has_weight && !imag && !item->group && !item->in_group) {
    double sum = a->fresh ? 0 : *weight;
    for (t = 0; t < left; t++) {
      CONVK_T atom[4];
      convk_amplitudes_get_(a, d, t, atom);
      sum = CONVK_SUM_(double, sum, atom[3]);
    }
    *weight = sum;
  }
  for (task = item->group; task < tasks; task += item->groups) {
    const size_t begin = task / tiles * block, i = task % tiles * each + item->in_group;
    const size_t count = left - begin < block ? left - begin : block;
    CONVK_T turns[CONVK_AMPLITUDES_POINTS_][3], re[CONVK_AMPLITUDES_POINTS_], im[CONVK_AMPLITUDES_POINTS_];
    CONVK_T w[CONVK_AMPLITUDES_POINTS_], decay[CONVK_AMPLITUDES_POINTS_], damped[CONVK_AMPLITUDES_POINTS_];
    int v, k;
    CONVK_BARRIER_();
    for (t = item->in_group; t < count; t += item->items) {
      CONVK_T atom[4];
      convk_amplitudes_get_(a, d, begin + t, atom);
      CONVK_EACH_(k, 4) tile[4 * t + (size_t)k] = atom[k];
    }
    CONVK_BARRIER_();
    CONVK_EACH_(v, CONVK_AMPLITUDES_POINTS_) {
      const size_t at = i + (size_t)v * item->items < nq ? i + (size_t)v * item->items : nq - 1;
      CONVK_EACH_(k, 3)
        turns[v][k] = (CONVK_T)convk_amplitudes_turns_(
            (int)a->in_cell,
            (double)CONVK_AMPLITUDES_THIRD_(k, CONVK_AMPLITUDES_AT_(CONVK_T, d->qx), CONVK_AMPLITUDES_AT_(CONVK_T, d->qy),
                                            CONVK_AMPLITUDES_AT_(CONVK_T, d->qz))[at]);
      decay[v] = imag ? (CONVK_T)convk_amplitudes_decay_((int)a->in_cell, (double)CONVK_AMPLITUDES_AT_(CONVK_T, d->qi)[at])
                      : (CONVK_T)0;
      re[v] = im[v] = damped[v] = 0;
    }
    for (t = 0; t < count; t++) {
      CONVK_EACH_(v, CONVK_AMPLITUDES_POINTS_) w[v] = tile[4 * t + 3];
      if (imag) {
        convk_amplitudes_damped_(decay, tile[4 * t + 2], tile[4 * t + 3], w, CONVK_AMPLITUDES_POINTS_);
        CONVK_EACH_(v, CONVK_AMPLITUDES_POINTS_) damped[v] = CONVK_SUM_(CONVK_T, damped[v], w[v]);
      }
      convk_amplitudes_atom_(turns, tile[4 * t], tile[4 * t + 1], tile[4 * t + 2], w, re, im, CONVK_AMPLITUDES_POINTS_);
    }
    CONVK_EACH_(v, CONVK_AMPLITUDES_POINTS_)
      if (i + (size_t)v * item->items < nq) {
        CONVK_GLOBAL_ CONVK_T *const to = table + (size_t)(2 + imag) * nq * (begin / block) + i + (size_t)v * item->items;
        to[0] = re[v];
        to[nq] = im[v];
        if (imag) to[2 * nq] = damped[v];
      }
  }
}

/* Factors of an atom, whose phases begin at `from`, for the pair of values e and f; beyond the last pair: that. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_bring_pair_(const convk_amplitudes_fold_ *fold, uint64_t batch,
                                                        CONVK_GLOBAL_ const CONVK_T *from, size_t e, size_t f,
                                                        CONVK_SHARED_ CONVK_T *to) {
  const size_t at = 2 * batch * (fold->count[0] + (f < fold->count[2] ? e : fold->count[1] - 1));
  const size_t of = 2 * batch * (fold->count[0] + fold->count[1] + (f < fold->count[2] ? f : fold->count[2] - 1));
  const CONVK_T ec = from[at], es = from[at + batch], fc = from[of], fs = from[of + batch];
  CONVK_T factor[4];
  int r;
  if (fold->octant) {
    convk_amplitudes_octants_(ec, es, fc, fs, factor);
    CONVK_EACH_(r, 4) to[r] = factor[r];
  } else {
    convk_amplitudes_pair_(ec, es, fc, fs, factor);
    CONVK_EACH_(r, 2) to[r] = factor[r];
  }
}

/* Of a grid: a task is a tile of rows and lanes; an item has some rows, and the cosines and sines of some lanes.  tile: of each
   atom factors of the rows, then cosines and sines. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_sum_rows_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                      const convk_amplitudes_item_ *item, CONVK_GLOBAL_ const CONVK_T *table,
                                                      CONVK_SHARED_ CONVK_T *tile) {
  enum { each_ = CONVK_AMPLITUDES_EACH_ };
  const uint32_t atoms = CONVK_AMPLITUDES_ATOMS_, most = CONVK_AMPLITUDES_ACROSS_;
  const convk_amplitudes_fold_ fold = convk_amplitudes_folded_(a, d);
  CONVK_GLOBAL_ double *const sums = CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_SUMS_AT_);
  const size_t left = convk_amplitudes_left_(a, d), lanes = fold.count[0], pairs = fold.count[1] * fold.count[2];
  const uint32_t factors = fold.octant ? 4 : 2, items = item->items, me = item->in_group;
  const uint32_t across = items < most ? items : most;
  const uint32_t tall = items / across * each_, wide = across * each_, x = me % across, y = me / across;
  const uint32_t pitch = tall + CONVK_AMPLITUDES_PAD_, abreast = items < atoms ? items : atoms; /* atoms that come abreast */
  const size_t tiles = (lanes + wide - 1) / wide, tasks = (pairs * factors + tall - 1) / tall * tiles;
  CONVK_SHARED_ CONVK_T *const phase = tile + atoms * pitch;
  size_t task;
  if (!left && !a->fresh) return;
  for (task = item->group; task < tasks; task += item->groups) {
    const size_t row = task / tiles * tall, lane = task % tiles * wide, pair = row / factors + me / abreast;
    const size_t second = pair / fold.count[1], begin = pair - second * fold.count[1];
    double total[2][each_][each_];
    size_t block, chunk;
    int r, j, k;
    CONVK_EACH_(k, 2)
      CONVK_EACH_(r, each_)
        CONVK_EACH_(j, each_) {
          const size_t to = row + y * each_ + (size_t)r, at = lane + (size_t)(j / 2) * 2 * across + 2 * x + (size_t)(j % 2);
          total[k][r][j] = !a->fresh && to < pairs * factors && at < lanes ? sums[(2 * to + (size_t)k) * lanes + at] : 0;
        }
    for (block = 0; block < left; block += CONVK_AMPLITUDES_BLOCK_) {
      CONVK_T sum[2][each_][each_];
      CONVK_EACH_(k, 2)
        CONVK_EACH_(r, each_)
          CONVK_EACH_(j, each_) sum[k][r][j] = 0;
      for (chunk = block; chunk < block + CONVK_AMPLITUDES_BLOCK_; chunk += atoms) {
        uint32_t t, p;
        CONVK_BARRIER_();
        for (t = me % abreast; t < atoms; t += abreast) {
          CONVK_GLOBAL_ const CONVK_T *const from = table + chunk + t;
          size_t e = begin, f = second;
          for (p = me / abreast; p < tall / factors; p += items / abreast) {
            convk_amplitudes_bring_pair_(&fold, a->batch, from, e, f, tile + t * pitch + factors * p);
            for (e += items / abreast; e >= fold.count[1]; e -= fold.count[1]) f++;
          }
          for (p = me / abreast; p < wide; p += items / abreast) {
            const size_t at = 2 * a->batch * (lane + p < lanes ? lane + p : lanes - 1);
            phase[t * 2 * wide + p] = from[at];
            phase[t * 2 * wide + wide + p] = from[at + a->batch];
          }
        }
        CONVK_BARRIER_();
        for (t = 0; t < atoms; t++) {
          CONVK_T factor[each_], of[2][each_];
          CONVK_EACH_(r, each_) factor[r] = tile[t * pitch + y * each_ + (uint32_t)r];
          CONVK_EACH_(k, 2)
            CONVK_EACH_(j, each_)
              of[k][j] = phase[(2 * t + (uint32_t)k) * wide + (uint32_t)(j / 2) * 2 * across + 2 * x + (uint32_t)(j % 2)];
          CONVK_EACH_(k, 2)
            CONVK_EACH_(r, each_)
              CONVK_EACH_(j, each_) sum[k][r][j] = CONVK_FMA_(factor[r], of[k][j], sum[k][r][j]);
        }
      }
      CONVK_EACH_(k, 2)
        CONVK_EACH_(r, each_)
          CONVK_EACH_(j, each_) total[k][r][j] = CONVK_SUM_(double, total[k][r][j], sum[k][r][j]);
    }
    CONVK_EACH_(k, 2)
      CONVK_EACH_(r, each_)
        CONVK_EACH_(j, each_) {
          const size_t to = row + y * each_ + (size_t)r, at = lane + (size_t)(j / 2) * 2 * across + 2 * x + (size_t)(j % 2);
          if (to < pairs * factors && at < lanes) sums[(2 * to + (size_t)k) * lanes + at] = total[k][r][j];
        }
  }
}

/* ---- amplitudes ---- */

/* The sum of a kind at q number j, or, before the last batch of a list, that of blocks until now. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_sum_of_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                    size_t j, CONVK_GLOBAL_ const CONVK_T *table, double *re, double *im) {
  CONVK_GLOBAL_ double *const sums = CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_SUMS_AT_);
  const size_t nq = a->n[0], left = convk_amplitudes_left_(a, d), parts = 2 + a->imag;
  double sum[3] = {0, 0, 0};
  size_t block;
  int k;
  CONVK_EACH_(k, 3) {
    if (k > 1 && !a->imag) continue;
    if (!a->fresh) sum[k] = sums[(size_t)k * nq + j];
    for (block = 0; block * CONVK_AMPLITUDES_BLOCK_ < left; block++)
      sum[k] = CONVK_SUM_(double, sum[k], table[(parts * block + (size_t)k) * nq + j]);
    sums[(size_t)k * nq + j] = sum[k];
  }
  *re = (a->imag         ? sum[2]
         : a->has_weight ? *CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_WEIGHT_AT_)
                         : (double)(CONVK_AMPLITUDES_START_[a->kind + 1] - CONVK_AMPLITUDES_START_[a->kind])) -
        2 * sum[0];
  *im = 2 * sum[1];
}

/* The same of node i of a grid, from all batches. */
CONVK_GROUP_FUNCTION_ void convk_amplitudes_sum_at_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                    const convk_amplitudes_fold_ *fold, size_t x, size_t y, size_t z,
                                                    double *re, double *im) {
  size_t place[3];
  int which = 0, k;
  CONVK_EACH_(k, 3) {
    const size_t i = CONVK_AMPLITUDES_THIRD_(fold->axis[k], x, y, z);
    const int other = (fold->octant || (fold->folded && !k)) && 2 * i + 1 <= fold->all[k]; /* q = 0 counts as -q */
    which += other << k;
    place[k] = (other ? fold->all[k] - 1 - i : i) - fold->first[k];
  }
  convk_amplitudes_at_(CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_SUMS_AT_) +
                           (fold->octant ? 8 : 4) * (place[1] + fold->count[1] * place[2]) * fold->count[0] + place[0],
                       fold->count[0], fold->octant, which, re, im);
}

/* Adds what a kind scatters, and writes what is complete. */
CONVK_TYPED_FUNCTION_ void convk_amplitudes_finish_(const convk_amplitudes_arguments_ *a, const convk_amplitudes_arrays_ *d,
                                                    const convk_amplitudes_item_ *item, CONVK_GLOBAL_ const CONVK_T *table) {
  CONVK_GLOBAL_ double *const totals = CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_TOTALS_AT_);
  CONVK_GLOBAL_ double *const means = CONVK_AMPLITUDES_WORK_(double, CONVK_AMPLITUDES_MEANS_AT_);
  CONVK_GLOBAL_ CONVK_T *const out = (CONVK_GLOBAL_ CONVK_T *)d->f;
  convk_amplitudes_fold_ fold = {0, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  size_t j;
  if (a->tensor) fold = convk_amplitudes_folded_(a, d);
  for (j = item->group * item->items + item->in_group; j < a->results; j += item->groups * item->items) {
    double re, im, f[2] = {0, 0}, scatters[2] = {1, 0};
    size_t x = j, y = j, z = j, to = a->to + j;
    if (a->tensor) {
      x = j % a->n[0];
      y = j / a->n[0] % a->n[1];
      z = j / a->n[0] / a->n[1];
      to = a->to + x + y * a->pitch_y + z * a->pitch_z;
      convk_amplitudes_sum_at_(a, d, &fold, x, y, z, &re, &im);
    } else {
      convk_amplitudes_sum_of_(a, d, j, table, &re, &im);
      if (!a->last) continue;
    }
    if (a->scattered) {
      const double q[3] = {(double)CONVK_AMPLITUDES_AT_(CONVK_T, d->qx)[x], (double)CONVK_AMPLITUDES_AT_(CONVK_T, d->qy)[y],
                           (double)CONVK_AMPLITUDES_AT_(CONVK_T, d->qz)[z]};
      convk_amplitudes_scatters_(&a->scatterer, (int)a->in_cell, a->inverse, q, scatters);
    }
    if (!a->first_kind) {
      f[0] = totals[2 * j];
      f[1] = totals[2 * j + 1];
    }
    convk_amplitudes_add_(a->scattered ? scatters : (const double *)0, re, im, f);
    if (!a->last_kind) {
      totals[2 * j] = f[0];
      totals[2 * j + 1] = f[1];
    } else if (a->mean) {
      const double sum = (a->first_frame ? 0 : means[j]) + convk_amplitudes_square_(f);
      if (a->last_frame) out[to] = (CONVK_T)(sum / a->frames);
      else means[j] = sum;
    } else {
      out[2 * to] = (CONVK_T)f[0];
      out[2 * to + 1] = (CONVK_T)f[1];
    }
  }
}
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_##name##_
#pragma pop_macro("CONVK_UNROLL_")
#undef CONVK_GLOBAL_
#undef CONVK_SUM_
/* ---- src/words/cuda_numbers_end.h ---- */
#undef CONVK_MUL_
#undef CONVK_FMA_
#undef CONVK_KERNEL_

enum { CONVK_CUDA_AMPLITUDES_THREADS_ = 128 }; /* of a block */

struct convk_cuda_amplitudes_args_ {
  convk_amplitudes_arguments_ of;
  convk_amplitudes_arrays_ array;
};

/* stage_: the stage, or GIVE for all that have no kernel of their own */
template <class real_, int stage_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_AMPLITUDES_THREADS_, 2)
    convk_cuda_amplitudes_stage_(const convk_cuda_amplitudes_args_ args) {
  const convk_amplitudes_item_ item = {threadIdx.x, CONVK_CUDA_AMPLITUDES_THREADS_, blockIdx.x, gridDim.x};
  const convk_amplitudes_arguments_ *const a = &args.of;
  const convk_amplitudes_arrays_ *const d = &args.array;
  real_ *const table = (real_ *)(void *)(d->work + a->place[CONVK_AMPLITUDES_TABLE_AT_]);
  CONVK_CUDA_SHARED_(shared);
  real_ *const tile = (real_ *)(void *)shared;
  uint32_t *const share = (uint32_t *)(void *)shared;
  if (stage_ == CONVK_AMPLITUDES_LIST_) convk_amplitudes_sum_list_(a, d, &item, table, tile, 0);
  else if (stage_ == CONVK_AMPLITUDES_DAMPED_) convk_amplitudes_sum_list_(a, d, &item, table, tile, 1);
  else if (stage_ == CONVK_AMPLITUDES_ROWS_) convk_amplitudes_sum_rows_(a, d, &item, (const real_ *)table, tile);
  else if (a->stage == CONVK_AMPLITUDES_SELECT_) convk_amplitudes_select_(a, d, &item, share);
  else if (a->stage == CONVK_AMPLITUDES_MIRROR_) convk_amplitudes_mirror_(a, d, &item, (const real_ *)table, share);
  else if (a->stage == CONVK_AMPLITUDES_PHASE_) convk_amplitudes_phases_(a, d, &item, table);
  else convk_amplitudes_finish_(a, d, &item, (const real_ *)table);
}
#endif
/* ===================================================================================================== both precisions == */

#undef CONVK_TYPE_
#undef CONVK_T
#define CONVK_CUDA_PASS_ 2 /* calls */
#define CONVK_TYPE_ f32
#include CONVK_CUDA_HEADER
#define CONVK_CUDA_PASS_ 2 /* calls */
#define CONVK_TYPE_ f64
#include CONVK_CUDA_HEADER

/* ---- src/device/cuda_clock.h ---- */
#if CONVK_CORE_
/* ---- the time of kernels, for convk_tune ---- */

/* Events around the kernels of each call; see tuner/types.h for what is asked. */
CONVK_LOCAL_ int convk_cuda_clock_(convk *hw, int ask, double *answer) {
  convk_cuda_host_ *const d = (convk_cuda_host_ *)hw->ours.inside.device;
  int status, i;
  d->hw = hw;
  switch (ask) {
    case CONVK_CLOCK_KIND_: *answer = CONVK_TUNE_ON_CUDA_; return CONVK_OK;
    case CONVK_CLOCK_STILL_: d->still = 1; return CONVK_OK;
    case CONVK_CLOCK_COPY_: d->still = 0; return CONVK_OK;
    case CONVK_CLOCK_WAY_: *answer = 0; return CONVK_OK;
    case CONVK_CLOCK_LOOK_:
      *answer = d->seconds;
      d->seconds = 0;
      return CONVK_OK;
    default: break;
  }
  status = convk_cuda_begin_(d);
  if (status) return convk_cuda_failed_(d, status);
  for (i = 0; i < 2 && !status; i++) {
    if (ask == CONVK_CLOCK_BEGIN_) {
      status = convk_cuda_status_(d, cudaEventCreateWithFlags(&d->clock[i], 0));
      if (status) d->clock[i] = NULL;
    } else if (d->clock[i]) {
      (void)cudaEventDestroy(d->clock[i]);
      d->clock[i] = NULL;
    }
  }
  if (status && d->clock[0]) {
    (void)cudaEventDestroy(d->clock[0]);
    d->clock[0] = NULL;
  }
  d->still = 0;
  d->seconds = 0;
  return convk_cuda_end_(d, status);
}
#endif
/* ---- src/device/cuda_open.h ---- */
#if CONVK_CORE_
/* ============================================================================================ one pointer per operation == */

/* The least GPU, sm_70: before it blocks have no more than 48 KB of shared memory, which form factors exceed. */
#define CONVK_CUDA_LEAST_ 7
#define CONVK_CUDA_OLDER_ "the device is older than sm_70"

#ifdef CONVK_HIP
CONVK_LOCAL_ cudaError_t convk_cuda_find_driver_(convk_cuda_driver_ *driver) {
  driver->device = convk_hip_device_;
  driver->retain = convk_hip_retain_;
  driver->release = convk_hip_release_;
  driver->push = convk_hip_push_;
  driver->pop = convk_hip_pop_;
  return cudaSuccess;
}
#else
/* A call of the driver, as of CUDA 11.3, the first whose runtime hands them out. */
CONVK_LOCAL_ void *convk_cuda_entry_(const char *name, cudaError_t *error) {
  void *entry = NULL;
  if (*error != cudaSuccess) return NULL;
#if CUDART_VERSION >= 12050
  *error = cudaGetDriverEntryPointByVersion(name, &entry, 11030, cudaEnableDefault, NULL);
#elif CUDART_VERSION >= 12000
  *error = cudaGetDriverEntryPoint(name, &entry, cudaEnableDefault, NULL);
#elif CUDART_VERSION >= 11030
  *error = cudaGetDriverEntryPoint(name, &entry, cudaEnableDefault);
#else
#error "convk_cuda.h needs CUDA 11.3 or later"
#endif
  if (*error == cudaSuccess && !entry) *error = cudaErrorInsufficientDriver;
  return entry;
}

CONVK_LOCAL_ cudaError_t convk_cuda_find_driver_(convk_cuda_driver_ *driver) {
  cudaError_t error = cudaSuccess;
  driver->device = (convk_cuda_device_fn_ *)convk_cuda_entry_("cuDeviceGet", &error);
  driver->retain = (convk_cuda_retain_fn_ *)convk_cuda_entry_("cuDevicePrimaryCtxRetain", &error);
  driver->release = (convk_cuda_release_fn_ *)convk_cuda_entry_("cuDevicePrimaryCtxRelease", &error);
  driver->push = (convk_cuda_push_fn_ *)convk_cuda_entry_("cuCtxPushCurrent", &error);
  driver->pop = (convk_cuda_pop_fn_ *)convk_cuda_entry_("cuCtxPopCurrent", &error);
  return error;
}
#endif

/* Destroys what has been made, in its context, and lets that go. */
CONVK_LOCAL_ void convk_cuda_destroy_(convk_cuda_host_ *d) {
  void *own;
  int i;
  if (!d->context) return;
  if (!d->driver.push(d->context)) { /* else it is gone, and all in it */
    for (i = 0; i < CONVK_DEVICE_ARRAYS_; i++) (void)cudaFree(d->buffer[i]);
    convk_cuda_lanes_destroy_(d);
    if (d->stream) (void)cudaStreamDestroy(d->stream);
    (void)d->driver.pop(&own);
  }
  (void)d->driver.release(d->device);
}

CONVK_LOCAL_ void convk_close_cuda_(convk *hw) {
  convk_cuda_host_ *d = (convk_cuda_host_ *)hw->ours.inside.device;
  if (!d) return;
  d->before = cudaPeekAtLastError();
  convk_cuda_destroy_(d);
  (void)convk_cuda_failed_(d, CONVK_ERR_DEVICE); /* a failure, if any, is not told */
  CONVK_FREE(d);
  hw->ours.inside.device = NULL;
}

/* The device's name as that of the handle's machine, as much of it as there is room for. */
CONVK_LOCAL_ int convk_cuda_named_(convk_cuda_host_ *d, int ordinal) {
  char *const machine = d->hw->machine;
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, ordinal);
  if (error != cudaSuccess) {
    (void)convk_cuda_status_(d, error);
    return CONVK_ERR_HW_MACHINE;
  }
  memset(machine, 0, sizeof d->hw->machine);
  strncpy(machine, properties.name[0] ? properties.name : "CUDA", sizeof d->hw->machine - 1);
  return CONVK_OK;
}

/* Finds a device: that of number `ordinal`, or below 0 the thread's current one.  Makes no context. */
CONVK_LOCAL_ int convk_cuda_find_(convk_cuda_host_ *d, int ordinal) {
  int count = 0, major = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count < 1) error = cudaErrorNoDevice;
  if (error == cudaSuccess && ordinal < 0) error = cudaGetDevice(&ordinal);
  if (error == cudaSuccess && ordinal >= count) error = cudaErrorInvalidDevice;
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal);
  if (error == cudaSuccess) error = convk_cuda_find_driver_(&d->driver);
  if (error == cudaSuccess) error = (cudaError_t)d->driver.device(&d->device, ordinal);
  if (error == cudaSuccess && major >= CONVK_CUDA_LEAST_) return convk_cuda_named_(d, ordinal);
  if (convk_cuda_status_(d, error) == CONVK_OK) strncpy(d->hw->message, CONVK_CUDA_OLDER_, sizeof d->hw->message - 1);
  return CONVK_ERR_HW_MACHINE;
}

/* Takes the device's context, and makes what a handle has there, if the program has machine code for it. */
CONVK_LOCAL_ int convk_cuda_take_(convk_cuda_host_ *d) {
  cudaFuncAttributes kernel;
  void *own;
  int status = convk_cuda_status_(d, (cudaError_t)d->driver.retain(&d->context, d->device));
  if (status) {
    d->context = NULL;
    return status;
  }
  status = convk_cuda_status_(d, (cudaError_t)d->driver.push(d->context));
  if (status) return status;
  status = convk_cuda_status_(d, cudaFuncGetAttributes(&kernel, CONVK_CUDA_ENTRY_(convk_cuda_present_)));
  if (status == CONVK_ERR_DEVICE) status = CONVK_ERR_HW_MACHINE;
  if (!status) status = convk_cuda_status_(d, cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking));
  (void)d->driver.pop(&own);
  return status;
}

CONVK_BIND_ALL_(cuda)

/* options: the number of the device, or NULL for the thread's current one. */
CONVK_LOCAL_ int convk_open_cuda_(convk *hw, const char *options) {
  convk_cuda_host_ *d;
  int status, wanted = options ? 0 : -1;
  size_t i;
  for (i = 0; options && options[i]; i++) {
    if (options[i] < '0' || options[i] > '9' || i > 5) return CONVK_ERR_HW_NAME;
    wanted = wanted * 10 + (options[i] - '0');
  }
  if (options && !i) return CONVK_ERR_HW_NAME;
  d = (convk_cuda_host_ *)CONVK_MALLOC(sizeof *d);
  if (!d) return CONVK_ERR_MEMORY;
  memset(d, 0, sizeof *d);
  d->hw = hw;
  d->before = cudaPeekAtLastError();
  status = convk_cuda_find_(d, wanted);
  if (!status) status = convk_cuda_take_(d);
  if (status) {
    convk_cuda_destroy_(d);
    (void)convk_cuda_failed_(d, status);
    CONVK_FREE(d);
    return status;
  }
  hw->ours.inside.device = d;
  hw->ours.inside.close = convk_close_cuda_;
  hw->ours.inside.clock = convk_cuda_clock_;
  convk_bind_cuda_(hw);
  return CONVK_OK;
}

CONVK_API_ convk_modules_ convk_cuda_modules_(void) {
  static const convk_module_ list[] = {{"cuda", 0, convk_open_cuda_}};
  const convk_modules_ table = {1, list};
  return table;
}
CONVK_OFFER_(cuda)
#endif
#endif /* not declarations only */
/* ---- src/device/words_end.h ---- */
#undef CONVK_ON_
#undef CONVK_ARRAY_
#undef CONVK_DEVICE_STRUCT_
#undef CONVK_DEVICE_
#undef CONVK_ARGUMENTS_
#undef CONVK_DEFINE_ARGUMENTS_
#undef CONVK_ARGUMENT_T_
#undef CONVK_DEVICE_TYPED_
#undef CONVK_DEVICE_COMPLEX_
#if CONVK_MODE_ != 1 && defined CONVK_HIP && !defined CONVK_CUDA_EMULATOR
#pragma pop_macro("CUDARTAPI")
#pragma pop_macro("cudaDevAttrComputeCapabilityMajor")
#pragma pop_macro("cudaDevAttrMaxSharedMemoryPerBlockOptin")
#pragma pop_macro("cudaDevAttrMultiProcessorCount")
#pragma pop_macro("cudaDeviceGetAttribute")
#pragma pop_macro("cudaErrorInsufficientDriver")
#pragma pop_macro("cudaErrorInvalidDevice")
#pragma pop_macro("cudaErrorMemoryAllocation")
#pragma pop_macro("cudaErrorNoDevice")
#pragma pop_macro("cudaErrorNotReady")
#pragma pop_macro("cudaError_t")
#pragma pop_macro("cudaEventCreateWithFlags")
#pragma pop_macro("cudaEventDestroy")
#pragma pop_macro("cudaEventElapsedTime")
#pragma pop_macro("cudaEventSynchronize")
#pragma pop_macro("cudaDeviceProp")
#pragma pop_macro("cudaGetDeviceProperties")
#pragma pop_macro("cudaEventDisableTiming")
#pragma pop_macro("cudaEventRecord")
#pragma pop_macro("cudaEvent_t")
#pragma pop_macro("cudaFree")
#pragma pop_macro("cudaFuncAttributeMaxDynamicSharedMemorySize")
#pragma pop_macro("cudaFuncAttributes")
#pragma pop_macro("cudaFuncGetAttributes")
#pragma pop_macro("cudaFuncSetAttribute")
#pragma pop_macro("cudaGetDevice")
#pragma pop_macro("cudaGetDeviceCount")
#pragma pop_macro("cudaGetErrorString")
#pragma pop_macro("cudaGetLastError")
#pragma pop_macro("cudaLaunchKernel")
#pragma pop_macro("cudaMalloc")
#pragma pop_macro("cudaMemGetInfo")
#pragma pop_macro("cudaMemcpy")
#pragma pop_macro("cudaMemcpy2DAsync")
#pragma pop_macro("cudaMemcpy3DAsync")
#pragma pop_macro("cudaMemcpy3DParms")
#pragma pop_macro("cudaMemcpyAsync")
#pragma pop_macro("cudaMemcpyDeviceToDevice")
#pragma pop_macro("cudaMemcpyDeviceToHost")
#pragma pop_macro("cudaMemcpyHostToDevice")
#pragma pop_macro("cudaMemcpyKind")
#pragma pop_macro("cudaPeekAtLastError")
#pragma pop_macro("cudaPitchedPtr")
#pragma pop_macro("cudaSetDevice")
#pragma pop_macro("cudaStreamCreateWithFlags")
#pragma pop_macro("cudaStreamDestroy")
#pragma pop_macro("cudaStreamNonBlocking")
#pragma pop_macro("cudaStreamSynchronize")
#pragma pop_macro("cudaStreamWaitEvent")
#pragma pop_macro("cudaStream_t")
#pragma pop_macro("cudaSuccess")
#pragma pop_macro("make_cudaExtent")
#pragma pop_macro("make_cudaPitchedPtr")
#endif

#else
#define convk_amplitudes CONVK_TYPED_(amplitudes)
#define convk_amplitudes_grid CONVK_TYPED_(amplitudes_grid)
#define convk_amplitudes_grid_work_size CONVK_TYPED_(amplitudes_grid_work_size)
#define convk_amplitudes_work_size CONVK_TYPED_(amplitudes_work_size)
#define convk_assembly CONVK_TYPED_(assembly)
#define convk_atoms CONVK_TYPED_(atoms)
#define convk_bloch CONVK_TYPED_(bloch)
#define convk_chebyshev3d CONVK_TYPED_(chebyshev3d)
#define convk_chebyshev3d_complex CONVK_COMPLEX_(chebyshev3d)
#define convk_chebyshev3d_work_size CONVK_TYPED_(chebyshev3d_work_size)
#define convk_chebyshev3d_work_size_complex CONVK_COMPLEX_(chebyshev3d_work_size)
#define convk_conv1d_transpose CONVK_TYPED_(conv1d_transpose)
#define convk_conv1d_transpose_work_size CONVK_TYPED_(conv1d_transpose_work_size)
#define convk_debye CONVK_TYPED_(debye)
#define convk_debye_direct CONVK_TYPED_(debye_direct)
#define convk_debye_direct_work_size CONVK_TYPED_(debye_direct_work_size)
#define convk_density CONVK_TYPED_(density)
#define convk_density_grid CONVK_TYPED_(density_grid)
#define convk_density_grid_k CONVK_TYPED_(density_grid_k)
#define convk_density_parts CONVK_TYPED_(density_parts)
#define convk_derivative_filter CONVK_TYPED_(derivative_filter)
#define convk_directions CONVK_TYPED_(directions)
#define convk_dwba CONVK_TYPED_(dwba)
#define convk_dwt3d CONVK_TYPED_(dwt3d)
#define convk_dwt3d_resolve CONVK_TYPED_(dwt3d_resolve)
#define convk_dwt3d_work_size CONVK_TYPED_(dwt3d_work_size)
#define convk_exp CONVK_TYPED_(exp)
#define convk_expm1 CONVK_TYPED_(expm1)
#define convk_fft2d_complex CONVK_COMPLEX_(fft2d)
#define convk_fft2d_plan_bytes_complex CONVK_COMPLEX_(fft2d_plan_bytes)
#define convk_fft2d_plan_complex CONVK_COMPLEX_(fft2d_plan)
#define convk_fft2d_plan_size_complex CONVK_COMPLEX_(fft2d_plan_size)
#define convk_fft2d_prepare_complex CONVK_COMPLEX_(fft2d_prepare)
#define convk_fft2d_work_size_complex CONVK_COMPLEX_(fft2d_work_size)
#define convk_fftconv2d CONVK_TYPED_(fftconv2d)
#define convk_fftconv2d_complex CONVK_COMPLEX_(fftconv2d)
#define convk_fftconv2d_plan CONVK_TYPED_(fftconv2d_plan)
#define convk_fftconv2d_plan_bytes CONVK_TYPED_(fftconv2d_plan_bytes)
#define convk_fftconv2d_plan_bytes_complex CONVK_COMPLEX_(fftconv2d_plan_bytes)
#define convk_fftconv2d_plan_complex CONVK_COMPLEX_(fftconv2d_plan)
#define convk_fftconv2d_plan_size CONVK_TYPED_(fftconv2d_plan_size)
#define convk_fftconv2d_plan_size_complex CONVK_COMPLEX_(fftconv2d_plan_size)
#define convk_fftconv2d_prepare CONVK_TYPED_(fftconv2d_prepare)
#define convk_fftconv2d_prepare_complex CONVK_COMPLEX_(fftconv2d_prepare)
#define convk_fftconv2d_prepare_spectrum CONVK_TYPED_(fftconv2d_prepare_spectrum)
#define convk_fftconv2d_prepare_spectrum_complex CONVK_COMPLEX_(fftconv2d_prepare_spectrum)
#define convk_fftconv2d_work_size CONVK_TYPED_(fftconv2d_work_size)
#define convk_fftconv2d_work_size_complex CONVK_COMPLEX_(fftconv2d_work_size)
#define convk_filter CONVK_TYPED_(filter)
#define convk_formfactor CONVK_TYPED_(formfactor)
#define convk_formfactor_assembly CONVK_TYPED_(formfactor_assembly)
#define convk_formfactor_assembly_work_size CONVK_TYPED_(formfactor_assembly_work_size)
#define convk_formfactor_dwba CONVK_TYPED_(formfactor_dwba)
#define convk_formfactor_grid CONVK_TYPED_(formfactor_grid)
#define convk_formfactor_grid_work_size CONVK_TYPED_(formfactor_grid_work_size)
#define convk_formfactor_powder CONVK_TYPED_(formfactor_powder)
#define convk_gaussians CONVK_TYPED_(gaussians)
#define convk_gridpot CONVK_TYPED_(gridpot)
#define convk_gridpot_grid CONVK_TYPED_(gridpot_grid)
#define convk_gridpot_grid_work_size CONVK_TYPED_(gridpot_grid_work_size)
#define convk_gridpot_sum CONVK_TYPED_(gridpot_sum)
#define convk_hamiltonian_apply CONVK_TYPED_(hamiltonian_apply)
#define convk_hamiltonian_apply_complex CONVK_COMPLEX_(hamiltonian_apply)
#define convk_hamiltonian_apply_work_size CONVK_TYPED_(hamiltonian_apply_work_size)
#define convk_hamiltonian_apply_work_size_complex CONVK_COMPLEX_(hamiltonian_apply_work_size)
#define convk_hamiltonian_resolve CONVK_TYPED_(hamiltonian_resolve)
#define convk_hamiltonian_terms CONVK_TYPED_(hamiltonian_terms)
#define convk_idwt3d CONVK_TYPED_(idwt3d)
#define convk_idwt3d_work_size CONVK_TYPED_(idwt3d_work_size)
#define convk_indexed_mesh CONVK_TYPED_(indexed_mesh)
#define convk_log CONVK_TYPED_(log)
#define convk_magicfilter3d CONVK_TYPED_(magicfilter3d)
#define convk_magicfilter3d_work_size CONVK_TYPED_(magicfilter3d_work_size)
#define convk_magicfilter_taps CONVK_TYPED_(magicfilter_taps)
#define convk_mesh CONVK_TYPED_(mesh)
#define convk_mesh_assign CONVK_TYPED_(mesh_assign)
#define convk_mesh_box CONVK_TYPED_(mesh_box)
#define convk_mesh_check CONVK_TYPED_(mesh_check)
#define convk_mesh_corners CONVK_TYPED_(mesh_corners)
#define convk_mesh_cylinder CONVK_TYPED_(mesh_cylinder)
#define convk_mesh_ellipsoid CONVK_TYPED_(mesh_ellipsoid)
#define convk_mesh_from_faces CONVK_TYPED_(mesh_from_faces)
#define convk_mesh_from_triangles CONVK_TYPED_(mesh_from_triangles)
#define convk_mesh_join CONVK_TYPED_(mesh_join)
#define convk_mesh_measure CONVK_TYPED_(mesh_measure)
#define convk_mesh_polyhedron CONVK_TYPED_(mesh_polyhedron)
#define convk_mesh_prism CONVK_TYPED_(mesh_prism)
#define convk_mesh_pyramid CONVK_TYPED_(mesh_pyramid)
#define convk_mesh_rotate CONVK_TYPED_(mesh_rotate)
#define convk_mesh_sphere CONVK_TYPED_(mesh_sphere)
#define convk_orbital_set CONVK_TYPED_(orbital_set)
#define convk_orbitals CONVK_TYPED_(orbitals)
#define convk_orbitals_grid CONVK_TYPED_(orbitals_grid)
#define convk_orbitals_grid_k CONVK_TYPED_(orbitals_grid_k)
#define convk_orbitals_grid_k_work_size CONVK_TYPED_(orbitals_grid_k_work_size)
#define convk_orbitals_grid_vgl CONVK_TYPED_(orbitals_grid_vgl)
#define convk_orbitals_grid_work_size CONVK_TYPED_(orbitals_grid_work_size)
#define convk_orbitals_plan CONVK_TYPED_(orbitals_plan)
#define convk_orbitals_plan_bytes CONVK_TYPED_(orbitals_plan_bytes)
#define convk_orbitals_plan_size CONVK_TYPED_(orbitals_plan_size)
#define convk_orbitals_prepare CONVK_TYPED_(orbitals_prepare)
#define convk_orbitals_vgl CONVK_TYPED_(orbitals_vgl)
#define convk_orbitals_work_size CONVK_TYPED_(orbitals_work_size)
#define convk_pair_accept CONVK_TYPED_(pair_accept)
#define convk_pair_energy CONVK_TYPED_(pair_energy)
#define convk_pair_energy_work_size CONVK_TYPED_(pair_energy_work_size)
#define convk_pair_histogram CONVK_TYPED_(pair_histogram)
#define convk_pair_histogram_work_size CONVK_TYPED_(pair_histogram_work_size)
#define convk_pair_move CONVK_TYPED_(pair_move)
#define convk_points CONVK_TYPED_(points)
#define convk_potential_apply CONVK_TYPED_(potential_apply)
#define convk_potential_apply_work_size CONVK_TYPED_(potential_apply_work_size)
#define convk_q CONVK_TYPED_(q)
#define convk_r_to_s1 CONVK_TYPED_(r_to_s1)
#define convk_r_to_s1_work_size CONVK_TYPED_(r_to_s1_work_size)
#define convk_s1_to_r CONVK_TYPED_(s1_to_r)
#define convk_s1_to_r_work_size CONVK_TYPED_(s1_to_r_work_size)
#define convk_sepconv3d CONVK_TYPED_(sepconv3d)
#define convk_sepconv3d_out_grid CONVK_TYPED_(sepconv3d_out_grid)
#define convk_sepconv3d_work_size CONVK_TYPED_(sepconv3d_work_size)
#define convk_sepconv_epilogue CONVK_TYPED_(sepconv_epilogue)
#define convk_sincos CONVK_TYPED_(sincos)
#define convk_sphere_quadrature CONVK_TYPED_(sphere_quadrature)
#define convk_sphere_spiral CONVK_TYPED_(sphere_spiral)
#define convk_stencil7 CONVK_TYPED_(stencil7)
#define convk_stencil7_box CONVK_TYPED_(stencil7_box)
#define convk_stencil7_coefficients CONVK_TYPED_(stencil7_coefficients)
#define convk_stencil7_isotropic CONVK_TYPED_(stencil7_isotropic)
#define convk_stencil7_work_size CONVK_TYPED_(stencil7_work_size)
#define convk_sumconv3d CONVK_TYPED_(sumconv3d)
#define convk_sumconv3d_complex CONVK_COMPLEX_(sumconv3d)
#define convk_sumconv3d_out_grid CONVK_TYPED_(sumconv3d_out_grid)
#define convk_sumconv3d_work_size CONVK_TYPED_(sumconv3d_work_size)
#define convk_sumconv3d_work_size_complex CONVK_COMPLEX_(sumconv3d_work_size)
#define convk_sumconv_terms CONVK_TYPED_(sumconv_terms)
#define convk_vgl CONVK_TYPED_(vgl)
#define convk_vmc_begin CONVK_TYPED_(vmc_begin)
#define convk_vmc_check CONVK_TYPED_(vmc_check)
#define convk_vmc_minimise CONVK_TYPED_(vmc_minimise)
#define convk_vmc_positions CONVK_TYPED_(vmc_positions)
#define convk_vmc_results CONVK_TYPED_(vmc_results)
#define convk_vmc_run CONVK_TYPED_(vmc_run)
#define convk_vmc_state CONVK_TYPED_(vmc_state)
#define convk_vmc_state_size CONVK_TYPED_(vmc_state_size)
#define convk_vmc_take CONVK_TYPED_(vmc_take)
#define convk_vmc_work_size CONVK_TYPED_(vmc_work_size)
#define convk_wavelet CONVK_TYPED_(wavelet)
#define convk_wavelet_compress CONVK_TYPED_(wavelet_compress)
#define convk_wavelet_taps CONVK_TYPED_(wavelet_taps)
#define convk_wavelet_uncompress CONVK_TYPED_(wavelet_uncompress)
#define convk_amplitudes_grid_resident CONVK_DEVICE_TYPED_(amplitudes_grid)
#define convk_amplitudes_grid_work_size_resident CONVK_DEVICE_TYPED_(amplitudes_grid_work_size)
#define convk_amplitudes_resident CONVK_DEVICE_TYPED_(amplitudes)
#define convk_amplitudes_work_size_resident CONVK_DEVICE_TYPED_(amplitudes_work_size)
#define convk_atoms_resident CONVK_DEVICE_TYPED_(atoms)
#define convk_box_copy_resident CONVK_DEVICE_TYPED_(box_copy)
#define convk_chebyshev3d_complex_device CONVK_COMPLEX_VARIANT_(chebyshev3d)
#define convk_chebyshev3d_complex_resident CONVK_DEVICE_COMPLEX_(chebyshev3d)
#define convk_chebyshev3d_device CONVK_VARIANT_(chebyshev3d)
#define convk_chebyshev3d_resident CONVK_DEVICE_TYPED_(chebyshev3d)
#define convk_chebyshev3d_work_size_complex_resident CONVK_DEVICE_COMPLEX_(chebyshev3d_work_size)
#define convk_chebyshev3d_work_size_resident CONVK_DEVICE_TYPED_(chebyshev3d_work_size)
#define convk_conv1d_transpose_device CONVK_VARIANT_(conv1d_transpose)
#define convk_conv1d_transpose_resident CONVK_DEVICE_TYPED_(conv1d_transpose)
#define convk_conv1d_transpose_work_size_resident CONVK_DEVICE_TYPED_(conv1d_transpose_work_size)
#define convk_debye_resident CONVK_DEVICE_TYPED_(debye)
#define convk_debye_work_size_resident CONVK_DEVICE_TYPED_(debye_work_size)
#define convk_density_grid_k_resident CONVK_DEVICE_TYPED_(density_grid_k)
#define convk_density_grid_resident CONVK_DEVICE_TYPED_(density_grid)
#define convk_density_resident CONVK_DEVICE_TYPED_(density)
#define convk_distances_resident CONVK_DEVICE_TYPED_(distances)
#define convk_dwt3d_device CONVK_VARIANT_(dwt3d)
#define convk_dwt3d_resident CONVK_DEVICE_TYPED_(dwt3d)
#define convk_dwt3d_work_size_resident CONVK_DEVICE_TYPED_(dwt3d_work_size)
#define convk_exp_resident CONVK_DEVICE_TYPED_(exp)
#define convk_expm1_resident CONVK_DEVICE_TYPED_(expm1)
#define convk_fft2d_complex_device CONVK_COMPLEX_VARIANT_(fft2d)
#define convk_fft2d_complex_resident CONVK_DEVICE_COMPLEX_(fft2d)
#define convk_fft2d_work_size_complex_resident CONVK_DEVICE_COMPLEX_(fft2d_work_size)
#define convk_fftconv2d_complex_device CONVK_COMPLEX_VARIANT_(fftconv2d)
#define convk_fftconv2d_complex_resident CONVK_DEVICE_COMPLEX_(fftconv2d)
#define convk_fftconv2d_device CONVK_VARIANT_(fftconv2d)
#define convk_fftconv2d_resident CONVK_DEVICE_TYPED_(fftconv2d)
#define convk_fftconv2d_work_size_complex_resident CONVK_DEVICE_COMPLEX_(fftconv2d_work_size)
#define convk_fftconv2d_work_size_resident CONVK_DEVICE_TYPED_(fftconv2d_work_size)
#define convk_formfactor_device CONVK_VARIANT_(formfactor)
#define convk_formfactor_grid_device CONVK_VARIANT_(formfactor_grid)
#define convk_formfactor_grid_resident CONVK_DEVICE_TYPED_(formfactor_grid)
#define convk_formfactor_grid_work_size_resident CONVK_DEVICE_TYPED_(formfactor_grid_work_size)
#define convk_formfactor_resident CONVK_DEVICE_TYPED_(formfactor)
#define convk_formfactor_work_size_resident CONVK_DEVICE_TYPED_(formfactor_work_size)
#define convk_gridpot_grid_resident CONVK_DEVICE_TYPED_(gridpot_grid)
#define convk_gridpot_grid_work_size_resident CONVK_DEVICE_TYPED_(gridpot_grid_work_size)
#define convk_gridpot_resident CONVK_DEVICE_TYPED_(gridpot)
#define convk_gridpot_sum_resident CONVK_DEVICE_TYPED_(gridpot_sum)
#define convk_hamiltonian_apply_complex_device CONVK_COMPLEX_VARIANT_(hamiltonian_apply)
#define convk_hamiltonian_apply_complex_resident CONVK_DEVICE_COMPLEX_(hamiltonian_apply)
#define convk_hamiltonian_apply_device CONVK_VARIANT_(hamiltonian_apply)
#define convk_hamiltonian_apply_resident CONVK_DEVICE_TYPED_(hamiltonian_apply)
#define convk_hamiltonian_apply_work_size_complex_resident CONVK_DEVICE_COMPLEX_(hamiltonian_apply_work_size)
#define convk_hamiltonian_apply_work_size_resident CONVK_DEVICE_TYPED_(hamiltonian_apply_work_size)
#define convk_idwt3d_device CONVK_VARIANT_(idwt3d)
#define convk_idwt3d_resident CONVK_DEVICE_TYPED_(idwt3d)
#define convk_idwt3d_work_size_resident CONVK_DEVICE_TYPED_(idwt3d_work_size)
#define convk_intensities_resident CONVK_DEVICE_TYPED_(intensities)
#define convk_log_resident CONVK_DEVICE_TYPED_(log)
#define convk_magicfilter3d_device CONVK_VARIANT_(magicfilter3d)
#define convk_magicfilter3d_resident CONVK_DEVICE_TYPED_(magicfilter3d)
#define convk_magicfilter3d_work_size_resident CONVK_DEVICE_TYPED_(magicfilter3d_work_size)
#define convk_orbitals_grid_k_resident CONVK_DEVICE_TYPED_(orbitals_grid_k)
#define convk_orbitals_grid_k_work_size_resident CONVK_DEVICE_TYPED_(orbitals_grid_k_work_size)
#define convk_orbitals_grid_resident CONVK_DEVICE_TYPED_(orbitals_grid)
#define convk_orbitals_grid_vgl_resident CONVK_DEVICE_TYPED_(orbitals_grid_vgl)
#define convk_orbitals_grid_work_size_resident CONVK_DEVICE_TYPED_(orbitals_grid_work_size)
#define convk_orbitals_resident CONVK_DEVICE_TYPED_(orbitals)
#define convk_orbitals_vgl_resident CONVK_DEVICE_TYPED_(orbitals_vgl)
#define convk_pair_accept_device CONVK_VARIANT_(pair_accept)
#define convk_pair_accept_resident CONVK_DEVICE_TYPED_(pair_accept)
#define convk_pair_energy_device CONVK_VARIANT_(pair_energy)
#define convk_pair_energy_resident CONVK_DEVICE_TYPED_(pair_energy)
#define convk_pair_energy_work_size_resident CONVK_DEVICE_TYPED_(pair_energy_work_size)
#define convk_pair_histogram_resident CONVK_DEVICE_TYPED_(pair_histogram)
#define convk_pair_histogram_work_size_resident CONVK_DEVICE_TYPED_(pair_histogram_work_size)
#define convk_pair_move_device CONVK_VARIANT_(pair_move)
#define convk_pair_move_resident CONVK_DEVICE_TYPED_(pair_move)
#define convk_pair_potential_device CONVK_VARIANT_(pair_potential)
#define convk_pair_potential_resident CONVK_DEVICE_TYPED_(pair_potential)
#define convk_potential_apply_device CONVK_VARIANT_(potential_apply)
#define convk_potential_apply_resident CONVK_DEVICE_TYPED_(potential_apply)
#define convk_potential_apply_work_size_resident CONVK_DEVICE_TYPED_(potential_apply_work_size)
#define convk_r_to_s1_device CONVK_VARIANT_(r_to_s1)
#define convk_r_to_s1_resident CONVK_DEVICE_TYPED_(r_to_s1)
#define convk_r_to_s1_work_size_resident CONVK_DEVICE_TYPED_(r_to_s1_work_size)
#define convk_s1_to_r_device CONVK_VARIANT_(s1_to_r)
#define convk_s1_to_r_resident CONVK_DEVICE_TYPED_(s1_to_r)
#define convk_s1_to_r_work_size_resident CONVK_DEVICE_TYPED_(s1_to_r_work_size)
#define convk_sepconv3d_device CONVK_VARIANT_(sepconv3d)
#define convk_sepconv3d_resident CONVK_DEVICE_TYPED_(sepconv3d)
#define convk_sepconv3d_work_size_resident CONVK_DEVICE_TYPED_(sepconv3d_work_size)
#define convk_sincos_resident CONVK_DEVICE_TYPED_(sincos)
#define convk_stencil7_box_device CONVK_VARIANT_(stencil7_box)
#define convk_stencil7_box_resident CONVK_DEVICE_TYPED_(stencil7_box)
#define convk_stencil7_device CONVK_VARIANT_(stencil7)
#define convk_stencil7_resident CONVK_DEVICE_TYPED_(stencil7)
#define convk_stencil7_work_size_resident CONVK_DEVICE_TYPED_(stencil7_work_size)
#define convk_sumconv3d_complex_device CONVK_COMPLEX_VARIANT_(sumconv3d)
#define convk_sumconv3d_complex_resident CONVK_DEVICE_COMPLEX_(sumconv3d)
#define convk_sumconv3d_device CONVK_VARIANT_(sumconv3d)
#define convk_sumconv3d_resident CONVK_DEVICE_TYPED_(sumconv3d)
#define convk_sumconv3d_work_size_complex_resident CONVK_DEVICE_COMPLEX_(sumconv3d_work_size)
#define convk_sumconv3d_work_size_resident CONVK_DEVICE_TYPED_(sumconv3d_work_size)
#define convk_vmc_run_device CONVK_VARIANT_(vmc_run)
#define convk_vmc_sweeps_resident CONVK_DEVICE_TYPED_(vmc_sweeps)
#define convk_vmc_sweeps_work_size_resident CONVK_DEVICE_TYPED_(vmc_sweeps_work_size)
#define convk_vmc_walkers_resident CONVK_DEVICE_TYPED_(vmc_walkers)
#define convk_wavelet_compress_device CONVK_VARIANT_(wavelet_compress)
#define convk_wavelet_compress_resident CONVK_DEVICE_TYPED_(wavelet_compress)
#define convk_wavelet_uncompress_device CONVK_VARIANT_(wavelet_uncompress)
#define convk_wavelet_uncompress_resident CONVK_DEVICE_TYPED_(wavelet_uncompress)
/* ---- src/core/real.h ---- */
/* The type of CONVK_TYPE_, where a pass over a precision begins. */
#if CONVK_EITHER_(1, 0)
#define CONVK_T float
#else
#define CONVK_T double
#endif
#if CONVK_HAS_TYPE_
#if CONVK_CUDA_PASS_ == 1
#if CONVK_HAS_ATOMS_
/* ---- src/atoms/device_api.h ---- */
/* Atoms in device memory; the struct is on the host.  Everything else as convk_atoms: kind and weight may be none. */
typedef struct convk_atoms_resident {
  size_t n, frames, stride;
  CONVK_ARRAY_(const CONVK_T) x;
  CONVK_ARRAY_(const CONVK_T) y;
  CONVK_ARRAY_(const CONVK_T) z;
  CONVK_ARRAY_(const uint32_t) kind;
  CONVK_ARRAY_(const CONVK_T) weight;
} convk_atoms_resident;
#endif
#if CONVK_HAS_FILTERS_
/* ---- src/filters/device_api.h ---- */
/* convk_sepconv3d on device memory: in, out, the arrays of the epilogue and the places of its sums (of one double each) are
   there, all else is on the host and free again on return.  Nothing is allocated, copied or waited for; with OpenCL boundaries
   and numbers of taps that are new build programs first, and taps that are new go to the device.
   work   of sepconv3d_work_size bytes there (with OpenCL its offset is in bytes), this call's alone until it is done
   Errors, before anything is started: as convk_sepconv3d, and work may not be NULL; DEVICE; with OpenCL also SIZE (a buffer
   is too small), FP64 (f64, and sums), HANDLE, MEMORY, BUILD (see convk_cl_build_log), UNSUPPORTED: too little local memory.
   After DEVICE, MEMORY or BUILD some kernels may be on their way, and no event is set.
   In place: no.  Ranges of one buffer must not overlap where one is written; overlapping sub-buffers are not found out.
   Two kernels, and with sums two to six more.  Traffic: 4 elements per point, of which 2 may be met in the cache. */
CONVK_API_ int convk_sepconv3d_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                        const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue, CONVK_ARRAY_(const CONVK_T) in,
                                        CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size);

/* convk_magicfilter3d on device memory; everything else as sepconv3d there. */
CONVK_API_ int convk_magicfilter3d_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape, int direction,
                                            const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue,
                                            CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work,
                                            size_t work_size);

/* convk_potential_apply on device memory; `energy`, of one double, may be NULL.  In place: yes, out may be psi.  Everything
   else as sepconv3d there. */
CONVK_API_ int convk_potential_apply_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape,
                                              CONVK_ARRAY_(const CONVK_T) potential, CONVK_ARRAY_(const CONVK_T) psi,
                                              CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(double) energy, CONVK_ARRAY_(void) work,
                                              size_t work_size);

/* convk_conv1d_transpose on device memory, which needs no work and ignores what it gets.  One kernel.  In place: no. */
CONVK_API_ int convk_conv1d_transpose_resident(CONVK_ON_ *on, const convk_conv1d_shape *shape, const convk_filter *filter,
                                               CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                               CONVK_ARRAY_(void) work, size_t work_size);

/* Bytes of work, which are enough for every smaller grid, too; `on` may be NULL.  Of the filters only lo and up count, of the
   epilogue (NULL: none) whether it sums: the places of sums may be any that are not NULL.  Without sums it is one array of
   out.nx out.ny in.nz elements; with sums OpenCL adds 17 doubles for each row of the output, CUDA one, and another array of the
   output, which is used where the epilogue updates or `out` is NULL.  Status as for processors. */
CONVK_API_ int convk_sepconv3d_work_size_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape,
                                                  const convk_filter filter[3],
                                                  const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue, size_t *bytes);
CONVK_API_ int convk_magicfilter3d_work_size_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape, int direction,
                                                      const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue, size_t *bytes);
CONVK_API_ int convk_potential_apply_work_size_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape, size_t *bytes);
/* 0 bytes. */
CONVK_API_ int convk_conv1d_transpose_work_size_resident(CONVK_ON_ *on, const convk_conv1d_shape *shape,
                                                         const convk_filter *filter, size_t *bytes);
#endif
#if CONVK_HAS_WAVELETS_
/* ---- src/wavelets/device_api.h ---- */
/* convk_dwt3d on device memory: fine, coarse and work are there, all else is on the host and free again on return.  Nothing is
   allocated, copied or waited for; with OpenCL directions and numbers of taps that are new build programs first, and new taps
   go to the device.
   work   of dwt3d_work_size bytes there (with OpenCL its offset is in bytes), this call's alone until it is done
   Errors, before anything is started: as convk_dwt3d, and work may not be NULL; DEVICE; with OpenCL also SIZE (a buffer is too
   small), FP64, HANDLE, MEMORY, BUILD (see convk_cl_build_log), UNSUPPORTED: too little local memory.  After DEVICE, MEMORY or
   BUILD some kernels may be on their way, and no event is set.
   In place: no.  Ranges of one buffer must not overlap where one is written; overlapping sub-buffers are not found out.
   Two kernels per level.  Traffic of a level: 4 elements per point, of which 2 may be met in the cache. */
CONVK_API_ int convk_dwt3d_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                    CONVK_ARRAY_(const CONVK_T) fine, CONVK_ARRAY_(CONVK_T) coarse, CONVK_ARRAY_(void) work,
                                    size_t work_size);

/* convk_idwt3d on device memory; everything else as dwt3d there. */
CONVK_API_ int convk_idwt3d_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                     CONVK_ARRAY_(const CONVK_T) coarse, CONVK_ARRAY_(CONVK_T) fine, CONVK_ARRAY_(void) work,
                                     size_t work_size);

/* convk_s1_to_r on device memory; everything else as dwt3d there. */
CONVK_API_ int convk_s1_to_r_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, CONVK_ARRAY_(const CONVK_T) coarse,
                                      CONVK_ARRAY_(CONVK_T) values, CONVK_ARRAY_(void) work, size_t work_size);

/* convk_r_to_s1 on device memory; everything else as dwt3d there. */
CONVK_API_ int convk_r_to_s1_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, CONVK_ARRAY_(const CONVK_T) values,
                                      CONVK_ARRAY_(CONVK_T) coarse, CONVK_ARRAY_(void) work, size_t work_size);

/* Bytes of work, which are enough for every smaller grid, too; `on` may be NULL.  Of the wavelet only lo and up count.  It is
   one array that has the input's planes and the output's rows, and with more than one level two of the block sss.  Status as
   for processors. */
CONVK_API_ int convk_dwt3d_work_size_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                              size_t *bytes);
CONVK_API_ int convk_idwt3d_work_size_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                               size_t *bytes);
CONVK_API_ int convk_s1_to_r_work_size_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, size_t *bytes);
CONVK_API_ int convk_r_to_s1_work_size_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, size_t *bytes);

/* ---- src/wavelets/segments_device_api.h ---- */
/* convk_wavelet_uncompress on device memory: compressed, dense, and of both lists of segments `ends` and `place` (64-bit
   numbers) are there, all else is on the host and free again on return.  Nothing is allocated, copied or waited for; with
   OpenCL what is new builds a program first.
   shape  as there, but with OpenCL a struct of its own.  place is needed, and points, which only the host could count.  What
          the lists say is not looked at: where they do not ascend, points get the coefficients of others, or zeros; what lies
          behind `points` is neither read nor written
   In place: no.  No work.  One kernel, which looks for each point of the grid in both lists.
   Errors, before anything is started: as convk_wavelet_uncompress, but for those of segments; SIZE where points is 0; DEVICE;
   with OpenCL also SIZE (a buffer is too small), FP64 (f64), HANDLE, MEMORY, BUILD (see convk_cl_build_log). */
CONVK_API_ int convk_wavelet_uncompress_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(compressed_shape) * shape,
                                                 CONVK_ARRAY_(const CONVK_T) compressed, CONVK_ARRAY_(CONVK_T) dense);

/* convk_wavelet_compress on device memory; everything else as there. */
CONVK_API_ int convk_wavelet_compress_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(compressed_shape) * shape,
                                               CONVK_ARRAY_(const CONVK_T) dense, CONVK_ARRAY_(CONVK_T) compressed);
#endif
#if CONVK_HAS_SUMS_
/* ---- src/sums/device_api.h ---- */
/* convk_sumconv3d on device memory: in, out, the arrays of the terms and `sums` (a convk_sumconv_sums for each vector) are
   there, all else is on the host and free again on return.  Nothing is allocated, copied or waited for; with OpenCL what is
   new builds programs first, and taps that are new go to the device.
   terms  as there, but with OpenCL a struct of its own
   work   of sumconv3d_work_size bytes there (with OpenCL its offset is in bytes), this call's alone until it is done; NULL
          where there are neither sums nor mixed terms
   Errors, before anything is started: as convk_sumconv3d; DEVICE; with OpenCL also SIZE (a buffer is too small), FP64 (f64,
   c64; sums and phases), HANDLE, MEMORY, BUILD (see convk_cl_build_log), UNSUPPORTED: too little local memory.
   In place: out may be terms->add.  One kernel, with sums two or three more; each mixed term takes two for each vector. */
CONVK_API_ int convk_sumconv3d_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                        const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, CONVK_ARRAY_(const CONVK_T) in,
                                        CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(convk_sumconv_sums) sums,
                                        CONVK_ARRAY_(void) work, size_t work_size);
/* The same for complex numbers, each of which is one element. */
CONVK_API_ int convk_sumconv3d_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                CONVK_ARRAY_(convk_sumconv_sums) sums, CONVK_ARRAY_(void) work,
                                                size_t work_size);

/* Bytes of work, which are enough for every smaller grid, for fewer vectors and taps, with sums and without; `on` may be NULL.
   With mixed terms four arrays of one vector, and for sums 64 bytes for each row.  Status as for processors. */
CONVK_API_ int convk_sumconv3d_work_size_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                  const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, size_t *bytes);
CONVK_API_ int convk_sumconv3d_work_size_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                          const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, size_t *bytes);

/* ---- src/sums/chebyshev_device_api.h ---- */
/* convk_chebyshev3d on device memory: in, out and terms->potential are there, all else is on the host and free again on return.
   Nothing is allocated, copied or waited for; with OpenCL what is new builds programs first, and the taps of the first steps go
   to the device.
   terms  as of sumconv3d there; add: none
   work   of chebyshev3d_work_size bytes there (with OpenCL its offset is in bytes), this call's alone until it is done; NULL
          where these are 0
   Errors, before anything is started: as convk_chebyshev3d; DEVICE; with OpenCL also SIZE (a buffer is too small), FP64 (f64,
   c64; phases), HANDLE, MEMORY, BUILD (see convk_cl_build_log).
   In place: no.  A kernel for each step; each mixed term takes two more for each vector. */
CONVK_API_ int convk_chebyshev3d_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                          const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                          CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work,
                                          size_t work_size);
/* The same for complex numbers, each of which is one element. */
CONVK_API_ int convk_chebyshev3d_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                  const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                  const convk_chebyshev *filter, CONVK_ARRAY_(const CONVK_T) in,
                                                  CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size);

/* Bytes of work, which are enough for every smaller grid, for fewer vectors and taps, and for lower degrees; `on` may be NULL.
   Of the filter only the degree counts: from 2 on a packed array of the points of `out`; and what mixed terms take in sumconv3d
   there.  Status as for processors. */
CONVK_API_ int convk_chebyshev3d_work_size_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                    const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                    const convk_chebyshev *filter, size_t *bytes);
CONVK_API_ int convk_chebyshev3d_work_size_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                            const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                            const convk_chebyshev *filter, size_t *bytes);
#endif
#if CONVK_HAS_HAMILTONIAN_
/* ---- src/hamiltonian/device_api.h ---- */
/* convk_hamiltonian_apply on device memory: in, out, terms->potential and `energies` (a convk_hamiltonian_energies for each
   vector) are there, all else is on the host and free again on return.  Nothing is allocated, copied or waited for; with OpenCL
   what is new builds programs first, and taps that are new go to the device.
   terms  as there, but with OpenCL a struct of its own
   work   of hamiltonian_apply_work_size bytes there (with OpenCL its offset is in bytes), this call's alone until it is done
   Errors, before anything is started: as convk_hamiltonian_apply, and work may not be NULL; DEVICE; with OpenCL also SIZE (a
   buffer is too small), FP64 (f64, energies), HANDLE, MEMORY, BUILD (see convk_cl_build_log), UNSUPPORTED: too little local
   memory.  After DEVICE, MEMORY or BUILD some kernels may be on their way, and no event is set.
   In place: yes, out may be in.  Nine kernels for each vector, without a potential five, of complex numbers 21 and 13; energies
   take some more. */
CONVK_API_ int convk_hamiltonian_apply_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                const CONVK_DEVICE_STRUCT_(hamiltonian_terms) * terms,
                                                CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                CONVK_ARRAY_(convk_hamiltonian_energies) energies, CONVK_ARRAY_(void) work,
                                                size_t work_size);

/* The same for complex numbers, each of which is one element. */
CONVK_API_ int convk_hamiltonian_apply_complex_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                        const CONVK_DEVICE_STRUCT_(hamiltonian_terms) * terms,
                                                        CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                        CONVK_ARRAY_(convk_hamiltonian_energies) energies,
                                                        CONVK_ARRAY_(void) work, size_t work_size);

/* Bytes of work, which are enough for every smaller grid and any number of vectors, with energies and without: four arrays of
   an orbital, of complex numbers as well; `on` may be NULL.  Status as for processors. */
CONVK_API_ int convk_hamiltonian_apply_work_size_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape, size_t *bytes);
CONVK_API_ int convk_hamiltonian_apply_work_size_complex_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                                  size_t *bytes);
#endif
#if CONVK_HAS_STENCIL_
/* ---- src/stencil/device_api.h ---- */
/* convk_stencil7 on device memory: a and b lie there, all else is on the host and free again on return.  Nothing is allocated,
   copied or waited for; with OpenCL a kind of coefficients or a number of steps in one pass that are new build a program.
   From two steps on b must hold the fixed points of a, for which the caller answers: they are not looked at, and there is no
   RIM.  *result is set as soon as all is started.  Devices need no work and ignore what they get.
   How it runs: on->stencil with CUDA, on->cl->stencil_steps with OpenCL; any choice gives the same bits.
   Errors, before anything is started: as convk_stencil7 but for RIM, WORK and THREADS; DEVICE; with CUDA OPTION (a tile that
   there is not); with OpenCL also SIZE (a buffer is too small), FP64 (f64), HANDLE, MEMORY, BUILD (see convk_cl_build_log),
   UNSUPPORTED: too little local memory.  OVERFLOW also where a plane has more than 2^30 tiles.  After DEVICE, MEMORY or BUILD
   some kernels may be on their way; no event and no result are set.
   In place: no.  Ranges of one buffer must not overlap; overlapping sub-buffers are not found out.
   One kernel for each pass over memory.  The number of passes is even when `steps` is: two steps are two passes. */
CONVK_API_ int convk_stencil7_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape,
                                       const convk_stencil7_coefficients *coefficients, size_t steps, CONVK_ARRAY_(CONVK_T) a,
                                       CONVK_ARRAY_(CONVK_T) b, CONVK_ARRAY_(CONVK_T) * result, CONVK_ARRAY_(void) work,
                                       size_t work_size);

/* convk_stencil7_box on device memory; everything else as stencil7 there.  One kernel. */
CONVK_API_ int convk_stencil7_box_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape,
                                           const convk_stencil7_coefficients *coefficients, const convk_box3 *box,
                                           CONVK_ARRAY_(const CONVK_T) a, CONVK_ARRAY_(CONVK_T) b, CONVK_ARRAY_(void) work,
                                           size_t work_size);

/* Bytes of work: 0.  `on` may be NULL.  Status as for processors. */
CONVK_API_ int convk_stencil7_work_size_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);

/* Copies a box of a grid to a box of another one, both on the device: packs a halo for its way to a neighbour, unpacks one that
   has come, or renews the fixed points of a state.  One kernel moves what would be a strided copy of many short rows, and one
   contiguous copy of the packed box is left for the bus.
   count        points of the box along x, y and z; where one is 0 nothing is copied
   in_grid      of `in`; NULL: a packed box, of count points
   in_first     the box's first point there, x, y, z; NULL: the first of the grid
   in           nothing but the box is read
   out_grid, out_first, out   the same of where it goes; nothing but the box is written
     pack:      convk_cl_box_copy_f64(&on, count, &grid, first, state, NULL, NULL, packed)
     unpack:    convk_cl_box_copy_f64(&on, count, NULL, NULL, packed, &grid, first, state)
   Errors, before anything is started: NULL, SIZE (a box beyond its grid), PITCH, OVERFLOW; OVERLAP, where the range from the
   first to the last point of one box meets that of the other; DEVICE; with OpenCL also SIZE (a buffer is too small), FP64
   (f64), HANDLE, MEMORY, BUILD.
   Of the family stencil.
   In place: no; two boxes of one array may be copied where their ranges do not meet.  Every bit is copied, of NaN, too.  Two
   elements of traffic per point. */
CONVK_API_ int convk_box_copy_resident(CONVK_ON_ *on, const size_t count[3], const convk_grid3 *in_grid,
                                       const size_t in_first[3], CONVK_ARRAY_(const CONVK_T) in, const convk_grid3 *out_grid,
                                       const size_t out_first[3], CONVK_ARRAY_(CONVK_T) out);
#endif
#if CONVK_HAS_VMATH_
/* ---- src/vmath/device_api.h ---- */
/* convk_exp on device memory: n elements of x to y, in place or apart as there.  The first call of a function in a precision
   builds a program with OpenCL.  Nothing is waited for or copied.
   Errors, before anything is started: NULL, OVERFLOW, OVERLAP, DEVICE; with OpenCL also SIZE (a buffer is too small), FP64
   (f64), HANDLE, MEMORY, BUILD (see convk_cl_build_log).
   Bits are those of the fused class.  Traffic: 2 elements each, 3 for sincos. */
CONVK_API_ int convk_exp_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y);

/* convk_expm1 on device memory; everything else as exp there. */
CONVK_API_ int convk_expm1_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y);

/* convk_log on device memory; everything else as exp there. */
CONVK_API_ int convk_log_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y);

/* convk_sincos on device memory; s or c may be x.  Everything else as exp there. */
CONVK_API_ int convk_sincos_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) s,
                                     CONVK_ARRAY_(CONVK_T) c);
#endif
#if CONVK_HAS_GAUSSIAN_
/* ---- src/gaussian/device_api.h ---- */
/* convk_gridpot on device memory: points and g are there and are not read by the host.  `gaussians` and the center in it are
   host memory; its arrays lie where kernels want them: in OpenCL on the host, in CUDA on the device, where nobody looks whether
   they are finite.  OpenCL makes a small buffer of the exponents for the call, as only the host has the doubles that their
   digits need; CUDA allocates and copies nothing.  Nothing is waited for.  Fastest where rows of g begin at multiples of 16
   bytes: bound by memory.
   Errors, before anything is started: those of convk_gridpot but for COORDINATE and THREADS; DEVICE; with OpenCL also SIZE (a
   buffer is too small), FP64 (f64), HANDLE, MEMORY, BUILD (see convk_cl_build_log).  Bits are those of the fused class. */
CONVK_API_ int convk_gridpot_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                      const convk_gaussians *gaussians, const convk_gaussian_options *options,
                                      CONVK_ARRAY_(CONVK_T) g, size_t ld);

/* convk_gridpot_sum on device memory.  Exponentials are made once for up to 8 sums.  Everything else as gridpot there. */
CONVK_API_ int convk_gridpot_sum_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                          const convk_gaussians *gaussians, const convk_gaussian_options *options,
                                          CONVK_ARRAY_(CONVK_T) sums, size_t ld);

/* convk_orbitals on device memory: points and `value` are there.
   plan         of convk_orbitals_prepare, on the host
   device_plan  the first convk_orbitals_plan_bytes bytes of it on the device, at a multiple of 8 bytes; for any number of calls
   One kernel; nothing is allocated, copied or waited for.  Errors: as gridpot there, and PLAN.  Bits as in convk.h. */
CONVK_API_ int convk_orbitals_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                       const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                       const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) value, size_t ld);

/* convk_orbitals_vgl on device memory: `out` is host memory, its arrays are there.  Everything else as orbitals there. */
CONVK_API_ int convk_orbitals_vgl_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                           const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                           const convk_gaussian_options *options, const CONVK_DEVICE_STRUCT_(vgl) * out);

/* convk_density on device memory, of a plan with occupations.  Everything else as orbitals there. */
CONVK_API_ int convk_density_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                      const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                      const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) density);
#endif
#if CONVK_HAS_GRIDS_
/* ---- src/grids/device_api.h ---- */
/* Bytes of work for orbitals_grid, orbitals_grid_vgl and density_grid there, and for what is smaller: see
   convk_orbitals_grid_work_size.  on: for its message, and may be NULL.  Errors: those of that query; then *bytes stays as it
   is. */
CONVK_API_ int convk_orbitals_grid_work_size_resident(CONVK_ON_ *on, const convk_gaussian_box *box,
                                                      const convk_orbital_set *set, size_t *bytes);

/* The same of orbitals_grid_k and density_grid_k there: see convk_orbitals_grid_k_work_size. */
CONVK_API_ int convk_orbitals_grid_k_work_size_resident(CONVK_ON_ *on, const convk_gaussian_box *box,
                                                        const convk_orbital_set *set, size_t *bytes);

/* The same of gridpot_grid there: see convk_gridpot_grid_work_size. */
CONVK_API_ int convk_gridpot_grid_work_size_resident(CONVK_ON_ *on, const convk_gaussian_box *box,
                                                     const convk_gaussians *gaussians, size_t *bytes);

/* convk_orbitals_grid on device memory: `value` and work are there.
   set    and all that it points to is on the host, coefficients and occupations too, and is not needed any more when the call
          returns: what the host makes of it goes to work as arguments of kernels, 3.5 KB at a time (CUDA), or by a small buffer
          (OpenCL)
   work   orbitals_grid_work_size bytes of the device, this call's alone until it is done; an offset of it is in bytes
   Four kernels, of steps other than along x, y and z one; host memory is allocated and freed again, nothing is waited for.
   Errors: as gridpot there, and those of convk_orbitals_grid.  Bits are those of the fused class; of such steps devices have
   their own, within the same bounds. */
CONVK_API_ int convk_orbitals_grid_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                            const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) value, size_t ld,
                                            CONVK_ARRAY_(void) work, size_t work_size);

/* convk_orbitals_grid_vgl on device memory: `out` is host memory, its arrays are there.  Everything else as orbitals_grid
   there. */
CONVK_API_ int convk_orbitals_grid_vgl_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                                const convk_gaussian_options *options, const CONVK_DEVICE_STRUCT_(vgl) * out,
                                                CONVK_ARRAY_(void) work, size_t work_size);

/* convk_density_grid on device memory: `out` is host memory, its arrays are there.  Everything else as orbitals_grid there. */
CONVK_API_ int convk_density_grid_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                           const convk_gaussian_options *options,
                                           const CONVK_DEVICE_STRUCT_(density_parts) * out, CONVK_ARRAY_(void) work,
                                           size_t work_size);

/* convk_orbitals_grid_k on device memory: `value` and work are there, bloch and its coefficients on the host.  Everything else
   as orbitals_grid there, with work of orbitals_grid_k_work_size. */
CONVK_API_ int convk_orbitals_grid_k_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                              const convk_bloch *bloch, const convk_gaussian_options *options,
                                              CONVK_ARRAY_(CONVK_T) value, size_t ld, CONVK_ARRAY_(void) work,
                                              size_t work_size);

/* convk_density_grid_k on device memory, as orbitals_grid_k there. */
CONVK_API_ int convk_density_grid_k_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                             const convk_bloch *bloch, const convk_gaussian_options *options,
                                             CONVK_ARRAY_(CONVK_T) density, int add, CONVK_ARRAY_(void) work, size_t work_size);

/* convk_gridpot_grid on device memory: sums and work are there; gaussians and its arrays on the host.  Everything else as
   orbitals_grid there, with work of gridpot_grid_work_size. */
CONVK_API_ int convk_gridpot_grid_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_gaussians *gaussians,
                                           const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) sums, size_t ld,
                                           CONVK_ARRAY_(void) work, size_t work_size);
#endif
#if CONVK_HAS_FORMFACTOR_
/* ---- src/formfactor/device_api.h ---- */
/* Bytes of device memory for formfactor there: of the mesh and of q only n is looked at; enough for fewer, too.  With OpenCL it
   depends on the device, on->cl.  For each q 24 (f32) or 32 (f64), with CUDA 84 or 136, and its share of some 32 MB.
   Errors: NULL, OVERFLOW, HANDLE. */
CONVK_API_ int convk_formfactor_work_size_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                                   const CONVK_DEVICE_STRUCT_(q) * q, size_t *bytes);

/* convk_formfactor on device memory.
   mesh       arrays there; the struct is host memory, as that of q; indexed is not looked at
   measures   what convk_mesh_measure said of the same mesh on the host, without which neither the form nor the volume is known
   work       formfactor_work_size bytes, this call's alone until it is done; with OpenCL the offset is in bytes
   Nothing is allocated, copied or waited for; with OpenCL the first call of a kind builds two programs.  Arguments and results
   as in convk.h; what needs a look at device memory (NONFINITE, COORDINATE, RANGE) is not checked.  The sum has a fixed order,
   that of the processors.
   Errors, before anything is started: NULL, OPTION, OPEN_MESH, OVERFLOW, OVERLAP, WORK, DEVICE; with OpenCL also SIZE (a buffer
   is too small), FP64 (f64), HANDLE, MEMORY, BUILD. */
CONVK_API_ int convk_formfactor_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                         const convk_mesh_measures *measures, const CONVK_DEVICE_STRUCT_(q) * q,
                                         const convk_formfactor_options *options, CONVK_ARRAY_(CONVK_T) f,
                                         CONVK_ARRAY_(void) work, size_t work_size);

/* Bytes of device memory for formfactor_grid there, whatever the options, also for smaller grids and meshes: of the mesh only n
   is looked at, of q only whether z_imag is there.  16 bytes for each q, and some 300 MB at most.  Errors: NULL, SIZE, PITCH,
   OVERFLOW, HANDLE; with OpenCL also UNSUPPORTED (too little local memory). */
CONVK_API_ int convk_formfactor_grid_work_size_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                                        const convk_grid3 *grid, const CONVK_DEVICE_STRUCT_(q) * q,
                                                        size_t *bytes);

/* convk_formfactor_grid on device memory; orders other than 0 and 2, and EXACT, are OPTION.  Everything else as formfactor
   there, and SIZE, PITCH; with OpenCL UNSUPPORTED: too little local memory.
   Blocks of 64 triangles are summed in the type as on the processors; with CUDA 16 such sums in a double, and these doubles in
   order, so that f differs from that of the processors by roundings of doubles. */
CONVK_API_ int convk_formfactor_grid_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                              const convk_mesh_measures *measures, const convk_grid3 *grid,
                                              const CONVK_DEVICE_STRUCT_(q) * q, const convk_formfactor_options *options,
                                              CONVK_ARRAY_(CONVK_T) f, CONVK_ARRAY_(void) work, size_t work_size);
#endif
#if CONVK_HAS_FFT_
/* ---- src/fft/device_api.h ---- */
/* convk_fftconv2d on device memory.
   plan          on the host
   device_plan   a copy of its first fftconv2d_plan_bytes bytes, at a multiple of 16 bytes, which any number of calls may share
   batch         kernel: of 64-bit numbers on the device, which are not looked at.  With OpenCL an item whose kernel the plan
                 does not have stays as it is; with CUDA there must be none
   in, out       as there, also in place; a complex number is one element.  With CUDA at multiples of a real number's size
   work          fftconv2d_work_size bytes, this call's alone until it is done; NULL where these are 0
   Nothing is waited for or copied.  One launch for the batch, or three for as many items as fit into work.  With OpenCL the
   first call for a plan's sizes builds a program (three where an item does not fit the local memory) on the host.
   Errors, before anything is started: those of convk_fftconv2d but for THREADS, DEVICE, UNSUPPORTED (a plan with tiles, or with
   OpenCL too little local memory); with OpenCL also SIZE (a buffer is too small), FP64 (c64, f64), BUILD (see
   convk_cl_build_log). */
CONVK_API_ int convk_fftconv2d_resident(CONVK_ON_ *on, const convk_fftconv2d_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                        const CONVK_DEVICE_STRUCT_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                                        CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size);
CONVK_API_ int convk_fftconv2d_complex_resident(CONVK_ON_ *on, const convk_fftconv2d_plan_complex *plan,
                                                CONVK_ARRAY_(const void) device_plan,
                                                const CONVK_DEVICE_STRUCT_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                                                CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size);

/* Bytes of work of fftconv2d on device memory for so many items, enough for fewer, too: 0 where an item fits into the local
   memory of a group (with CUDA 227 KB: 128 x 128 points of any type where the field or the result has at most half as many
   columns), else some 32 or 64 MB, or one item's columns, if larger.
   on   OpenCL: needed, for the limits of its device.  CUDA: NULL, or for the message; it is about the current device
   Errors: NULL, PLAN, OVERFLOW, DEVICE, UNSUPPORTED, HANDLE; *bytes is not written then. */
CONVK_API_ int convk_fftconv2d_work_size_resident(CONVK_ON_ *on, const convk_fftconv2d_plan *plan, size_t items, size_t *bytes);
CONVK_API_ int convk_fftconv2d_work_size_complex_resident(CONVK_ON_ *on, const convk_fftconv2d_plan_complex *plan, size_t items,
                                                          size_t *bytes);

/* convk_fft2d on device memory; everything else as fftconv2d there, but batch->kernel is not looked at, and one launch, or
   two. */
CONVK_API_ int convk_fft2d_complex_resident(CONVK_ON_ *on, const convk_fft2d_plan_complex *plan,
                                            CONVK_ARRAY_(const void) device_plan, int direction,
                                            const CONVK_DEVICE_STRUCT_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                                            CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size);

/* Bytes of work of fft2d on device memory, as fftconv2d_work_size; all columns of an item count. */
CONVK_API_ int convk_fft2d_work_size_complex_resident(CONVK_ON_ *on, const convk_fft2d_plan_complex *plan, size_t items,
                                                      size_t *bytes);
#endif
#if CONVK_HAS_PAIRS_
/* ---- src/pairs/device_api.h ---- */
/* Walkers of a run that stays on a device: see vmc_sweeps there.
   r          coordinates, x y z of walker after walker, packed: changed
   ln_psi     of each walker: followed
   result     of all walkers, measurement after measurement; none where no sweep ends with one
   drift      of each walker: set to the largest |ln Psi followed less ln Psi anew| in these sweeps
   accepted   of each walker: set to how many moves these sweeps accepted (sweeps, with CONVK_VMC_MOVE_ALL) */
typedef struct convk_vmc_walkers_resident {
  CONVK_ARRAY_(CONVK_T) r;
  CONVK_ARRAY_(double) ln_psi;
  CONVK_ARRAY_(convk_pair_result) result;
  CONVK_ARRAY_(double) drift;
  CONVK_ARRAY_(uint32_t) accepted;
} convk_vmc_walkers_resident;

/* convk_pair_potential on device memory; in place where r and v are the same array.
   potential   on the host; the values of a table, too, with OpenCL, and in device memory with CUDA, where they are not looked
               at
   Nothing is waited for or copied, but for a table with OpenCL; the first call of a kind (want, potential, box, cutoff) builds
   two or three programs there.  Coordinates are not looked at: neither COORDINATE nor their RANGE is found.
   Errors, before anything is started: those of convk_pair_potential for what is on the host, SIZE (OpenCL: a buffer is too
   small), FP64 (both precisions need doubles), HANDLE, MEMORY, BUILD, DEVICE. */
CONVK_API_ int convk_pair_potential_resident(CONVK_ON_ *on, const convk_pair_potential *potential, size_t n,
                                             CONVK_ARRAY_(const CONVK_T) r, CONVK_ARRAY_(CONVK_T) v);

/* Bytes of work for pair_energy there, and for all that is smaller: 3 MB to 100 MB; with CUDA 0 up to 256 particles, whose work
   may be NULL.  on: with CUDA only for its message, and may be NULL.  Errors: NULL, SIZE, PARTICLES, OVERFLOW, HANDLE; then
   *bytes stays as it is. */
CONVK_API_ int convk_pair_energy_work_size_resident(CONVK_ON_ *on, size_t particles, size_t walkers, size_t *bytes);

/* convk_pair_energy on device memory: result and work, too; gradient may be none.  work is this call's alone until it is done;
   an offset of it is in bytes.  Everything else as pair_potential there, with PITCH, OPTION, BOX, OVERLAP, WORK; with OpenCL
   UNSUPPORTED: too little local memory, or kernels whose groups cannot have so many items.
   Accuracy: as convk_pair_energy; sums are in an order that depends on the device and the sizes, but not on anything else.
   With CUDA one kernel up to 256 particles, else two for as many walkers as fit into work. */
CONVK_API_ int convk_pair_energy_resident(CONVK_ON_ *on, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                          int want, CONVK_ARRAY_(const CONVK_T) r, CONVK_ARRAY_(convk_pair_result) result,
                                          CONVK_ARRAY_(CONVK_T) gradient, CONVK_ARRAY_(void) work, size_t work_size);

/* convk_pair_move on device memory, and convk_pair_accept, whose accept and gradient may be none: a kernel each.  Everything
   else as pair_energy there, without work. */
CONVK_API_ int convk_pair_move_resident(CONVK_ON_ *on, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                        size_t particle, CONVK_ARRAY_(const CONVK_T) r, CONVK_ARRAY_(const CONVK_T) to,
                                        CONVK_ARRAY_(convk_pair_move_result) result);
CONVK_API_ int convk_pair_accept_resident(CONVK_ON_ *on, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                          size_t particle, CONVK_ARRAY_(const CONVK_T) to,
                                          CONVK_ARRAY_(const unsigned char) accept, CONVK_ARRAY_(CONVK_T) r,
                                          CONVK_ARRAY_(CONVK_T) gradient);

/* Bytes of work for vmc_sweeps there, and for fewer particles or walkers.  Everything else as the query for pair_energy, with
   the errors of convk_vmc_begin for vmc. */
CONVK_API_ int convk_vmc_sweeps_work_size_resident(CONVK_ON_ *on, const convk_vmc *vmc, size_t *bytes);

/* Sweeps of a run that stays on the device: what convk_vmc_run does between one look at the results and the next.  A run whose
   sweeps follow each other, whatever the calls, with the same steps, has the bits of convk_vmc_run on the same device.
   vmc       on the host; its step, acceptance and equilibration only say when measurements are taken
   sweeps    which of them, and how; see convk_vmc_sweeps
   walkers   on the host, its arrays on the device
   Moves of single particles: one kernel for all sweeps up to a measurement.  Everything else as pair_energy there, with the
   errors of convk_vmc_begin for vmc. */
CONVK_API_ int convk_vmc_sweeps_resident(CONVK_ON_ *on, const convk_vmc *vmc, const convk_vmc_sweeps *sweeps,
                                         const convk_vmc_walkers_resident *walkers, CONVK_ARRAY_(void) work, size_t work_size);
#endif
#if CONVK_HAS_DISTANCES_
/* ---- src/distances/device_api.h ---- */
/* Histograms in device memory; the struct is on the host.  Everything else as convk_distances: moment[0] and moment[1] may be
   none where `moments` says so, beyond in any case. */
typedef struct convk_distances_resident {
  size_t bins, kinds;
  double width;
  int moments;
  CONVK_ARRAY_(uint64_t) count;
  CONVK_ARRAY_(uint64_t) moment[2];
  CONVK_ARRAY_(uint64_t) beyond;
} convk_distances_resident;

/* Bytes of device memory for pair_histogram there, which are enough for fewer atoms and kinds: 45 for each atom.  Of atoms n,
   frames and stride are looked at.  `on` may be NULL.  Errors: NULL, SIZE, OVERFLOW, OPTION, HANDLE. */
CONVK_API_ int convk_pair_histogram_work_size_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms,
                                                       const convk_distances_resident *distances, size_t *bytes);

/* convk_pair_histogram on device memory: the same integers.
   atoms, distances   structs on the host, arrays there: `distances` is added to, and may be zeroed by the caller's own means
   cell, part         on the host
   work               pair_histogram_work_size bytes, this call's alone until it is done; with OpenCL the offset is in bytes
   Nothing is allocated, copied or waited for; with OpenCL a first call builds two programs.  Atoms are sorted into cells along
   periodic axes; along others, whose extent nobody knows, all are looked at.  Coordinates and kinds are not checked: an atom
   that lies 2^30 vectors beside the cell stays there, and a kind that is not there counts as the last one.
   All parts of one call go to devices, or all to processors, whose parts are others.
   Errors, before anything is started: as convk_pair_histogram for what is on the host; UNSUPPORTED (weights); DEVICE; with
   OpenCL also SIZE (a buffer is too small), FP64 (both precisions need doubles), HANDLE, MEMORY, BUILD.
   Six kernels for a frame.  Words of bins lie in shared memory where it has room for 4 bytes of a bin, 8 with one moment, 16
   with both; else each pair is added to memory of the device. */
CONVK_API_ int convk_pair_histogram_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const convk_cell *cell,
                                             const convk_part *part, const convk_distances_resident *distances,
                                             CONVK_ARRAY_(void) work, size_t work_size);

/* Values of q in device memory, and what debye writes there: nq of each; bound may be none. */
typedef struct convk_intensities_resident {
  size_t nq;
  CONVK_ARRAY_(const CONVK_T) q;
  CONVK_ARRAY_(CONVK_T) intensity;
  CONVK_ARRAY_(CONVK_T) bound;
} convk_intensities_resident;

/* Bytes of device memory for debye there, which are enough for fewer bins, kinds and q, too: of distances bins decides, of the
   intensities nq.  48 for each bin; for each q 16, and 24 for every 512 bins.  `on` may be NULL.  Errors: NULL, SIZE, OVERFLOW,
   OPTION, HANDLE. */
CONVK_API_ int convk_debye_work_size_resident(CONVK_ON_ *on, const convk_distances_resident *distances,
                                              const convk_intensities_resident *to, size_t *bytes);

/* convk_debye on device memory: the same bits.
   distances, to   structs on the host, arrays there; `beyond` is not looked at
   kinds, self     on the host
   work            debye_work_size bytes, this call's alone until it is done; with OpenCL the offset is in bytes
   Nothing is allocated, copied or waited for; with OpenCL a first call builds a program.  q is not checked: beyond the range of
   convk_debye phases have no digits, and what is not finite gives NaN.
   Errors, before anything is started: as convk_debye for what is on the host; DEVICE; with OpenCL also SIZE (a buffer is too
   small), FP64 (both precisions need doubles), HANDLE, MEMORY, BUILD.
   A kernel for each kind, and three for each pair of kinds. */
CONVK_API_ int convk_debye_resident(CONVK_ON_ *on, const convk_distances_resident *distances, const convk_scatterer *kinds,
                                    const double *self, const convk_intensities_resident *to, CONVK_ARRAY_(void) work,
                                    size_t work_size);
#endif
#if CONVK_HAS_AMPLITUDES_
/* ---- src/amplitudes/device_api.h ---- */
/* Bytes of device memory for amplitudes there, which are enough for fewer atoms, kinds and q, too: of atoms and q only n is
   looked at, and whether z_imag is there.  4 for each atom, some 50 for each q, and up to 64 MB of sums.  `on` may be NULL.
   Errors: NULL, SIZE, OVERFLOW, HANDLE. */
CONVK_API_ int convk_amplitudes_work_size_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms,
                                                   const CONVK_DEVICE_STRUCT_(q) * q, const convk_amplitude_options *options,
                                                   size_t *bytes);

/* convk_amplitudes on device memory: the same bits.
   atoms, q   structs on the host, arrays there
   options    on the host, with scatterers and cell
   work       amplitudes_work_size bytes, this call's alone until it is done; with OpenCL the offset is in bytes
   Nothing is allocated, copied or waited for; with OpenCL a first call builds two programs.  Coordinates, weights, kinds and q
   are not checked: a kind that is not there counts as the last one, and exp(-Im q_z z) may overflow.
   Errors, before anything is started: as convk_amplitudes for what is on the host; DEVICE; with OpenCL also SIZE (a buffer is
   too small), FP64 (both precisions need doubles), HANDLE, MEMORY, BUILD. */
CONVK_API_ int convk_amplitudes_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const CONVK_DEVICE_STRUCT_(q) * q,
                                         const convk_amplitude_options *options, CONVK_ARRAY_(CONVK_T) f,
                                         CONVK_ARRAY_(void) work, size_t work_size);

/* The same for amplitudes_grid: for each q some 60 bytes, and up to 64 MB of phases.  Errors also: PITCH. */
CONVK_API_ int convk_amplitudes_grid_work_size_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms,
                                                        const convk_grid3 *grid, const convk_amplitude_options *options,
                                                        size_t *bytes);

/* convk_amplitudes_grid on device memory, as amplitudes there: the same bits.  The device finds the axes that have -q for every
   q.  Errors also: PITCH. */
CONVK_API_ int convk_amplitudes_grid_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const convk_grid3 *grid,
                                              const CONVK_DEVICE_STRUCT_(q) * q, const convk_amplitude_options *options,
                                              CONVK_ARRAY_(CONVK_T) f, CONVK_ARRAY_(void) work, size_t work_size);
#endif
#else /* calls, once per precision */
#define CONVK_HW_ cuda
#define CONVK_KERNEL_(name) CONVK_HARDWARE_(name)
#if CONVK_HAS_FILTERS_
/* ---- src/filters/device.h ---- */
/* ---- jobs of a device ---- */

/* A checked call, or a part of one along z: shapes, taps, and what its epilogue does; its arrays.  Sums are those of some
   planes of the result, and of what the parts before have summed. */
typedef struct convk_filters_call_ {
  convk_filters_job_ job;
  CONVK_ARRAY_(const CONVK_T) in;
  CONVK_ARRAY_(const CONVK_T) same; /* of the input the points at which results are: of a whole call `in` */
  CONVK_ARRAY_(CONVK_T) out;
  CONVK_DEVICE_STRUCT_(sepconv_epilogue) e;
  size_t sum_first, sum_planes;
  int sum_more; /* there are parts before */
} convk_filters_call_;

/* Parts of the work memory, in bytes from its beginning, where the array between the kernels lies: the result of z, where a
   kernel of its own sums it and `out` cannot hold it; and for each sum what it goes through, in doubles: lanes of a row where
   they lie in memory, rows, planes. */
typedef struct convk_filters_parts_ {
  size_t result, sum[2], need;
} convk_filters_parts_;

/* What a device does with a checked call: opencl_calls.h, cuda.h. */
CONVK_LOCAL_ int convk_filters_run_(CONVK_DEVICE_(call) *call, const convk_filters_call_ *c, const convk_filters_parts_ *parts,
                                    CONVK_ARRAY_(void) base);
CONVK_LOCAL_ int convk_transpose_run_(CONVK_DEVICE_(call) *call, const convk_transpose_job_ *job,
                                      CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out);

CONVK_LOCAL_ int convk_filters_parts_of_(char *message, const convk_axis_ axis[3], unsigned actions,
                                         convk_filters_parts_ *parts) {
  const size_t mx = axis[0].m, my = axis[1].m, mz = axis[2].m, lanes = CONVK_DEVICE_(filters_lanes);
  const int sums = (actions & CONVK_FILTERS_SUMS_) != 0;
  const int apart = !lanes && sums && (!(actions & CONVK_FILTERS_STORE_) || actions & CONVK_FILTERS_UPDATE_);
  size_t end = 0, mid, rows = 0;
  int status = convk_mul_(my, lanes + 1, &rows);
  if (!status) status = convk_reserve_(&end, mx, my, axis[2].n, sizeof(CONVK_T), &mid);
  if (!status) status = convk_reserve_(&end, mx, my, apart ? mz : 0, sizeof(CONVK_T), &parts->result);
  if (!status) status = convk_reserve_(&end, rows + 1, mz, actions & CONVK_FILTERS_DOT_ ? 1 : 0, 8, &parts->sum[0]);
  if (!status) status = convk_reserve_(&end, rows + 1, mz, actions & CONVK_FILTERS_ENERGY_ ? 1 : 0, 8, &parts->sum[1]);
  parts->need = end + 256;
  return status ? convk_refuse_(message, status, "shape needs more work than can be counted in bytes") : CONVK_OK;
}

CONVK_LOCAL_ unsigned convk_filters_asked_(const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * e) {
  unsigned actions = 0;
  if (!e) return 0;
  if (CONVK_DEVICE_(is_set)(e->potential)) actions |= CONVK_FILTERS_POTENTIAL_;
  if (CONVK_DEVICE_(is_set)(e->density)) actions |= CONVK_FILTERS_DENSITY_;
  if (CONVK_DEVICE_(is_set)(e->dot)) actions |= CONVK_FILTERS_DOT_;
  if (CONVK_DEVICE_(is_set)(e->energy)) actions |= CONVK_FILTERS_ENERGY_;
  return actions;
}

CONVK_LOCAL_ convk_axis_device_ convk_filters_axis_(const convk_axis_ *axis) {
  const convk_axis_device_ a = {axis->n, axis->m, axis->ntaps, axis->shift, axis->boundary == CONVK_BOUNDARY_PERIODIC, 0};
  return a;
}

/* Whether the potential and the density have pitches of their own. */
CONVK_LOCAL_ int convk_filters_laid_(const convk_filters_call_ *c) {
  return c->job.ge.pitch_y != c->job.go.pitch_y || c->job.ge.pitch_z != c->job.go.pitch_z;
}

/* What kernels are told of a call, but for how it is cut. */
CONVK_LOCAL_ void convk_filters_arguments_of_(const convk_filters_call_ *c, CONVK_ARGUMENTS_(filters) * a) {
  a->x = convk_filters_axis_(&c->job.axis[0]);
  a->y = convk_filters_axis_(&c->job.axis[1]);
  a->z = convk_filters_axis_(&c->job.axis[2]);
  a->in_y = c->job.gi.pitch_y;
  a->in_z = c->job.gi.pitch_z;
  a->out_y = c->job.go.pitch_y;
  a->out_z = c->job.go.pitch_z;
  a->laid_y = c->job.ge.pitch_y;
  a->laid_z = c->job.ge.pitch_z;
  a->actions = c->job.actions;
  a->factor = c->e.density_factor;
  a->a = c->e.a;
  a->b = c->e.b;
}

/* The two calls of potential_apply, values being at the beginning of `base`, and their work behind them. */
CONVK_LOCAL_ int convk_potential_parts_(char *message, const convk_potential_shapes_ *shapes, int energy,
                                        convk_filters_call_ c[2], convk_filters_parts_ parts[2], size_t *need) {
  convk_filter filter[3];
  const size_t values = convk_round_up_(shapes->bytes, 256);
  size_t i;
  int status = CONVK_OK;
  memset(c, 0, 2 * sizeof *c);
  for (i = 0; i < 2 && !status; i++) {
    (void)convk_magicfilter_axes_(NULL, i ? CONVK_INVERSE : CONVK_FORWARD, filter);
    status = convk_filters_shapes_(message, i ? &shapes->back : &shapes->to_values, filter, &c[i].job);
    c[i].job.actions = CONVK_FILTERS_STORE_;
    if (!i) c[i].job.ge = shapes->potential;
    if (!i) c[i].job.actions |= CONVK_FILTERS_POTENTIAL_;
    if (!i && energy) c[i].job.actions |= CONVK_FILTERS_ENERGY_;
    if (!status) status = convk_filters_parts_of_(message, c[i].job.axis, c[i].job.actions, &parts[i]);
    c[i].sum_planes = c[i].job.axis[2].m;
  }
  if (status) return status;
  *need = parts[0].need > parts[1].need ? parts[0].need : parts[1].need;
  *need += values;
  return *need >= values ? CONVK_OK
                         : convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape needs more work than can be counted in bytes");
}

CONVK_LOCAL_ int convk_potential_run_(CONVK_DEVICE_(call) *call, convk_filters_call_ c[2], const convk_filters_parts_ parts[2],
                                      size_t values, CONVK_ARRAY_(void) base) {
  CONVK_ARRAY_(void) work = CONVK_DEVICE_(array_at)(base, convk_round_up_(values, 256), 1);
  int status;
  c[0].out = CONVK_DEVICE_(array_at)(base, 0, sizeof(CONVK_T));
  c[1].in = c[1].same = CONVK_DEVICE_(array_at)(base, 0, sizeof(CONVK_T));
  status = convk_filters_run_(call, &c[0], &parts[0], work);
  return status ? status : convk_filters_run_(call, &c[1], &parts[1], work);
}

/* ---- device memory ----
   Calls and their queries, which have no arrays. */

CONVK_LOCAL_ int convk_filters_on_(CONVK_DEVICE_(frame) f, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                   const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue, CONVK_ARRAY_(const CONVK_T) in,
                                   CONVK_ARRAY_(CONVK_T) out) {
  const size_t s = sizeof(CONVK_T), d = sizeof(double);
  const int may = CONVK_PLACE_OPTIONAL_, put = CONVK_PLACE_OPTIONAL_ | CONVK_PLACE_WRITTEN_;
  unsigned actions = convk_filters_asked_(epilogue);
  convk_filters_parts_ parts = {0, {0, 0}, 0};
  convk_filters_call_ c;
  size_t span[2];
  memset(&c, 0, sizeof c);
  if (!f.status && f.query) f.status = convk_filters_grids_(f.message, shape, filter, c.job.axis, &c.job.gi, &c.job.go, span);
  if (!f.status && !f.query) f.status = convk_filters_shapes_(f.message, shape, filter, &c.job);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  if (epilogue) c.e = *epilogue;
  c.in = c.same = in;
  c.out = out;
  c.sum_planes = c.job.axis[2].m;
  c.job.actions = actions;
  if (CONVK_DEVICE_(is_set)(out)) actions |= CONVK_FILTERS_STORE_;
  CONVK_DEVICE_(frame_place)(&f, "in", in, c.job.in_span, s, 0);
  CONVK_DEVICE_(frame_place)(&f, "out", out, c.job.out_span, s, put);
  CONVK_DEVICE_(frame_place)(&f, "epilogue->potential", c.e.potential, c.job.out_span, s, may);
  CONVK_DEVICE_(frame_place)(&f, "epilogue->density", c.e.density, c.job.out_span, s, put);
  CONVK_DEVICE_(frame_place)(&f, "epilogue->dot", c.e.dot, 1, d, put);
  CONVK_DEVICE_(frame_place)(&f, "epilogue->energy", c.e.energy, 1, d, put);
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status && !f.query)
    f.status = convk_filters_actions_(f.message, &c.job, actions, c.e.update, c.e.density_factor, c.e.a, c.e.b);
  if (!f.status) f.status = convk_filters_parts_of_(f.message, c.job.axis, c.job.actions, &parts);
  if (CONVK_DEVICE_(frame_work)(&f, parts.need)) f.status = convk_filters_run_(&f.call, &c, &parts, f.work);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_sepconv3d_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                        const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue, CONVK_ARRAY_(const CONVK_T) in,
                                        CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  const unsigned sums = convk_filters_asked_(epilogue) & CONVK_FILTERS_SUMS_;
  return convk_filters_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), sums, work, work_size), shape, filter, epilogue, in,
                           out);
}

CONVK_API_ int convk_magicfilter3d_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape, int direction,
                                            const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue,
                                            CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work,
                                            size_t work_size) {
  convk_filter filter[3];
  char *message;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_magicfilter_axes_(message, direction, filter);
  return status ? status : convk_sepconv3d_resident(on, shape, filter, epilogue, in, out, work, work_size);
}

CONVK_API_ int convk_sepconv3d_work_size_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape,
                                                  const convk_filter filter[3],
                                                  const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue, size_t *bytes) {
  return convk_filters_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, filter, epilogue, CONVK_DEVICE_(none)(),
                           CONVK_DEVICE_(none)());
}

CONVK_API_ int convk_magicfilter3d_work_size_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape, int direction,
                                                      const CONVK_DEVICE_STRUCT_(sepconv_epilogue) * epilogue, size_t *bytes) {
  convk_filter filter[3];
  char *message;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_magicfilter_axes_(message, direction, filter);
  return status ? status : convk_sepconv3d_work_size_resident(on, shape, filter, epilogue, bytes);
}

/* A query counts with the sum. */
CONVK_LOCAL_ int convk_potential_on_(CONVK_DEVICE_(frame) f, const convk_sepconv3d_shape *shape,
                                     CONVK_ARRAY_(const CONVK_T) potential, CONVK_ARRAY_(const CONVK_T) psi,
                                     CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(double) energy) {
  const size_t s = sizeof(CONVK_T);
  const int put = CONVK_PLACE_OPTIONAL_ | CONVK_PLACE_WRITTEN_;
  convk_potential_shapes_ shapes;
  convk_filters_parts_ parts[2];
  convk_filters_call_ c[2];
  size_t need = 0;
  if (!f.status) f.status = convk_potential_apply_shapes_(f.message, shape, &shapes);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  CONVK_DEVICE_(frame_place)(&f, "potential", potential, shapes.span[1], s, 0);
  CONVK_DEVICE_(frame_place)(&f, "psi", psi, shapes.span[0], s, CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "out", out, shapes.span[0], s, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "energy", energy, 1, sizeof(double), put);
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status)
    f.status = convk_potential_parts_(f.message, &shapes, f.query || CONVK_DEVICE_(is_set)(energy), c, parts, &need);
  if (CONVK_DEVICE_(frame_work)(&f, need)) {
    c[0].in = c[0].same = psi;
    c[0].e.potential = potential;
    c[0].e.energy = energy;
    c[1].out = out;
    f.status = convk_potential_run_(&f.call, c, parts, shapes.bytes, f.work);
  }
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_potential_apply_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape,
                                              CONVK_ARRAY_(const CONVK_T) potential, CONVK_ARRAY_(const CONVK_T) psi,
                                              CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(double) energy, CONVK_ARRAY_(void) work,
                                              size_t work_size) {
  const unsigned sums = CONVK_DEVICE_(is_set)(energy) ? CONVK_FILTERS_ENERGY_ : 0;
  return convk_potential_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), sums, work, work_size), shape, potential, psi, out,
                             energy);
}

CONVK_API_ int convk_potential_apply_work_size_resident(CONVK_ON_ *on, const convk_sepconv3d_shape *shape, size_t *bytes) {
  return convk_potential_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, CONVK_DEVICE_(none)(), CONVK_DEVICE_(none)(),
                             CONVK_DEVICE_(none)(), CONVK_DEVICE_(none)());
}

CONVK_LOCAL_ int convk_transpose_on_(CONVK_DEVICE_(frame) f, const convk_conv1d_shape *shape, const convk_filter *filter,
                                     CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out) {
  const size_t s = sizeof(CONVK_T);
  convk_transpose_job_ job;
  if (!f.status) f.status = convk_conv1d_shapes_(f.message, shape, filter, &job);
  if (!f.status && !f.query) f.status = convk_conv1d_taps_(f.message, filter, &job);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  CONVK_DEVICE_(frame_place)(&f, "in", in, job.in_span, s, 0);
  CONVK_DEVICE_(frame_place)(&f, "out", out, job.out_span, s, CONVK_PLACE_WRITTEN_);
  if (CONVK_DEVICE_(frame_work)(&f, 0)) f.status = convk_transpose_run_(&f.call, &job, in, out);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_conv1d_transpose_resident(CONVK_ON_ *on, const convk_conv1d_shape *shape, const convk_filter *filter,
                                               CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                               CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_transpose_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, filter, in, out);
}

CONVK_API_ int convk_conv1d_transpose_work_size_resident(CONVK_ON_ *on, const convk_conv1d_shape *shape,
                                                         const convk_filter *filter, size_t *bytes) {
  return convk_transpose_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, filter, CONVK_DEVICE_(none)(),
                             CONVK_DEVICE_(none)());
}

/* ---- src/filters/host.h ---- */
/* ---- host arrays on a device ----
   What convk_<operation>_<type> calls on a handle of a device, and callable by name on such a handle (another gives
   CONVK_ERR_HANDLE, NULL gives CONVK_ERR_NULL).  They copy, run, and wait.  Arguments and errors as in convk.h, and MEMORY,
   DEVICE, and with OpenCL FP64 and BUILD, with hw->message; `work` and the thread hook are ignored.  On an error of the device,
   what is in the outputs is undefined. */

/* The part of axis z that makes outputs `result`, as an axis of its own, and the inputs that it takes, which wrap around where
   the axis is periodic.  same: also those at the places of its outputs, which the sum `dot` takes. */
CONVK_LOCAL_ convk_axis_ convk_filters_part_(const convk_axis_ *axis, convk_window_ result, int same, convk_window_ *window) {
  const int64_t n = (int64_t)axis->n;
  convk_axis_ part = *axis;
  window->first = result.first + axis->shift;
  window->end = result.end - 1 + axis->shift + (int64_t)axis->ntaps;
  if (same && window->first > result.first) window->first = result.first;
  if (same && window->end < result.end) window->end = result.end;
  if (axis->boundary != CONVK_BOUNDARY_PERIODIC) {
    if (window->first > n - 1) window->first = n - 1; /* all are zeros */
    if (window->first < 0) window->first = 0;
    if (window->end > n) window->end = n;
    if (window->end < window->first + 1) window->end = window->first + 1;
  }
  part.n = (size_t)(window->end - window->first);
  part.m = (size_t)(result.end - result.first);
  part.shift = (ptrdiff_t)(result.first + axis->shift - window->first);
  part.boundary = CONVK_BOUNDARY_ZERO;
  return part;
}

/* Planes of a result that a part makes. */
CONVK_LOCAL_ convk_window_ convk_filters_result_of_(size_t planes, size_t each, size_t part) {
  convk_window_ result;
  result.first = (int64_t)(part * each);
  result.end = (int64_t)((part + 1) * each < planes ? (part + 1) * each : planes);
  return result;
}

/* Units of a call in parts, one where a periodic axis is too short for windows that wrap around once. */
CONVK_LOCAL_ size_t convk_filters_units_(const convk_axis_ *axis, size_t reach) {
  return axis->boundary == CONVK_BOUNDARY_PERIODIC && axis->n < 2 * reach ? 1 : axis->m;
}

/* A slot of a buffer, or none. */
#define CONVK_SLOT_(memory, bytes) \
  ((memory) ? CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(memory), bytes, sizeof(CONVK_T)) : CONVK_DEVICE_(array_of)(NULL))

/* A checked call of sepconv3d. */
typedef struct convk_filters_arrays_ {
  convk_filters_call_ c; /* of the whole */
  convk_grid3 gi, go;    /* the caller's grids */
  size_t each, parts;
  int same;
  CONVK_DEVICE_(flow) in;
  convk_staged_ b[3], sum[2]; /* out, the potential, the density; both sums */
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
} convk_filters_arrays_;

/* The axis of a part; of the only one all of it. */
CONVK_LOCAL_ convk_axis_ convk_filters_axis_of_(const convk_filters_arrays_ *a, size_t part, convk_window_ *result,
                                                convk_window_ *window) {
  const convk_axis_ *const z = &a->c.job.axis[2];
  const convk_axis_ own = convk_filters_part_(z, *result = convk_filters_result_of_(z->m, a->each, part), a->same, window);
  if (a->parts > 1) return own;
  window->first = 0;
  window->end = (int64_t)z->n;
  return *z;
}

CONVK_LOCAL_ int convk_filters_bring_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_filters_arrays_ *const a = (const convk_filters_arrays_ *)arrays;
  convk_window_ result, window, last;
  size_t i;
  int status;
  (void)convk_filters_axis_of_(a, part ? part - 1 : 0, &result, &last);
  (void)convk_filters_axis_of_(a, part, &result, &window);
  status = CONVK_DEVICE_(flow_bring)(host, &a->in, part, slot, window, last.end);
  for (i = 0; i < 3 && !status; i++)
    if (a->b[i].array && a->b[i].upload)
      status = CONVK_DEVICE_(planes)(host, 0, a->at[a->b[i].which], slot * a->each, &a->b[i], result);
  return status;
}

CONVK_LOCAL_ int convk_filters_work_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_filters_arrays_ *const a = (const convk_filters_arrays_ *)arrays;
  const size_t s = sizeof(CONVK_T), in = a->gi.nx * a->gi.ny * s, out = slot * a->each * a->go.nx * a->go.ny * s;
  const size_t first = slot * a->in.planes * in;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  convk_filters_call_ c = a->c;
  convk_filters_parts_ parts;
  convk_window_ result, window, last, next;
  int status;
  call.planes = a->gi.nz;
  (void)convk_filters_axis_of_(a, part ? part - 1 : 0, &result, &last);
  (void)convk_filters_axis_of_(a, part + 1 < a->parts ? part + 1 : part, &result, &next);
  c.job.axis[2] = convk_filters_axis_of_(a, part, &result, &window);
  status = CONVK_DEVICE_(flow_join)(host, &a->in, part, slot, window, last.end, part + 1 < a->parts ? next.first : window.end);
  c.job.gi.nz = c.job.axis[2].n;
  c.job.go.nz = c.sum_planes = c.job.axis[2].m;
  c.sum_more = part > 0;
  c.in = CONVK_SLOT_(a->in.memory, first);
  c.same = CONVK_SLOT_(a->in.memory, first + (a->same ? (size_t)(result.first - window.first) * in : 0));
  c.out = CONVK_SLOT_(a->at[CONVK_DEVICE_OUT_], out);
  c.e.potential = CONVK_SLOT_(a->at[CONVK_FILTERS_AT_POTENTIAL_], out);
  c.e.density = CONVK_SLOT_(a->at[CONVK_FILTERS_AT_DENSITY_], out);
  c.e.dot = CONVK_DEVICE_(array_of)(a->at[CONVK_FILTERS_AT_DOT_]);
  c.e.energy = CONVK_DEVICE_(array_of)(a->at[CONVK_FILTERS_AT_ENERGY_]);
  if (!status) status = convk_filters_parts_of_(call.message, c.job.axis, c.job.actions, &parts);
  if (!status) status = convk_filters_run_(&call, &c, &parts, CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_WORK_]));
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_filters_back_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_filters_arrays_ *const a = (const convk_filters_arrays_ *)arrays;
  const convk_window_ result = convk_filters_result_of_(a->go.nz, a->each, part);
  size_t i;
  int status = CONVK_OK;
  for (i = 0; i < 3 && !status; i++)
    if (a->b[i].array && a->b[i].back)
      status = CONVK_DEVICE_(planes)(host, 1, a->at[a->b[i].which], slot * a->each, &a->b[i], result);
  return status;
}

/* How a call goes in parts, and its buffers. */
CONVK_LOCAL_ int convk_filters_buffers_(CONVK_DEVICE_(host) *host, convk_filters_arrays_ *a) {
  const size_t s = sizeof(CONVK_T), in = a->gi.nx * a->gi.ny * s, out = a->go.nx * a->go.ny * s;
  const convk_axis_ *const z = &a->c.job.axis[2];
  const size_t more = z->ntaps + (a->same ? z->ntaps : 0), units = convk_filters_units_(z, more), all = z->m / units;
  convk_axis_ axis[3];
  convk_filters_parts_ parts;
  size_t each_out = 0, places, i;
  int status;
  memcpy(axis, a->c.job.axis, sizeof axis);
  axis[2].n = 1 + more;
  axis[2].m = 1;
  for (i = 0; i < 3; i++) each_out += a->b[i].array ? out : 0;
  status =
      convk_filters_parts_of_(host->hw->message, axis, a->c.job.actions, &parts); /* work of a plane and what is around it */
  if (!status)
    status = CONVK_DEVICE_(parts_of)(host, units, (in + each_out + a->go.nx * a->gi.ny * s + parts.need / (2 + more)) * all,
                                     more * in, parts.need + 2 * (more + 1) * in, z->ntaps, &a->each);
  if (status) return status;
  a->each = a->each == units ? z->m : a->each;
  a->parts = convk_ceil_(z->m, a->each);
  places = a->parts > 1 ? CONVK_SLOTS_ : 1;
  a->in.planes = a->parts > 1 ? a->each + more : z->n;
  a->in.kept = (int64_t)more;
  if (a->parts > 1) axis[2].n = a->in.planes;
  else axis[2].n = z->n;
  axis[2].m = a->each;
  status = convk_filters_parts_of_(host->hw->message, axis, a->c.job.actions, &parts);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, places * a->in.planes * in, &a->in.memory);
  if (!status && places > 1) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_TAIL_, more * in, &a->in.tail);
  for (i = 0; i < 3 && !status; i++)
    if (a->b[i].array) status = CONVK_DEVICE_(buffer)(host, a->b[i].which, places * a->each * out, &a->at[a->b[i].which]);
  for (i = 0; i < 2 && !status; i++)
    if (a->sum[i].array) status = CONVK_DEVICE_(buffer)(host, a->sum[i].which, sizeof(double), &a->at[a->sum[i].which]);
  return status ? status : CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, parts.need, &a->at[CONVK_DEVICE_WORK_]);
}

CONVK_API_ int convk_sepconv3d_device(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                      const convk_sepconv_epilogue *epilogue, const CONVK_T *in, CONVK_T *out, void *work,
                                      size_t work_size) {
  static const convk_grid3 number = {1, 1, 1, 1, 1};
  const size_t s = sizeof(CONVK_T), d = sizeof(double);
  CONVK_DEVICE_(host) *host = NULL;
  convk_filters_arrays_ a;
  convk_sepconv_epilogue e;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  memset(&a, 0, sizeof a);
  memset(&e, 0, sizeof e);
  if (!status) status = convk_filters_check_(convk_message_(hw), shape, filter, epilogue, in, out, NULL, 0, &a.c.job);
  if (!status) status = CONVK_DEVICE_(able)(host, s, a.c.job.actions & CONVK_FILTERS_SUMS_);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  if (epilogue) e = *epilogue;
  a.gi = a.c.job.gi;
  a.go = a.c.job.go;
  a.same = (a.c.job.actions & CONVK_FILTERS_DOT_) != 0;
  a.c.job.gi = convk_packed_(&a.gi);
  a.c.job.go = a.c.job.ge = convk_packed_(&a.go);
  a.c.e.density_factor = e.density_factor;
  a.c.e.a = e.a;
  a.c.e.b = e.b;
  a.in.b = convk_staged_of_(CONVK_DEVICE_IN_, &a.gi, s, in, 1, 0);
  a.in.count[0] = a.gi.nx;
  a.in.count[1] = a.gi.ny;
  a.b[0] = convk_staged_of_(CONVK_DEVICE_OUT_, &a.go, s, out, e.update, 1);
  a.b[1] = convk_staged_of_(CONVK_FILTERS_AT_POTENTIAL_, &a.go, s, e.potential, 1, 0);
  a.b[2] = convk_staged_of_(CONVK_FILTERS_AT_DENSITY_, &a.go, s, e.density, 1, 1);
  a.sum[0] = convk_staged_of_(CONVK_FILTERS_AT_DOT_, &number, d, e.dot, 0, 1);
  a.sum[1] = convk_staged_of_(CONVK_FILTERS_AT_ENERGY_, &number, d, e.energy, 0, 1);
  status = convk_filters_buffers_(host, &a);
  if (!status)
    status = CONVK_DEVICE_(parts_run)(host, a.parts, convk_filters_bring_, convk_filters_work_, convk_filters_back_, &a);
  if (!status) status = CONVK_DEVICE_(back_all)(host, a.sum, 2, a.at);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_API_ int convk_magicfilter3d_device(convk *hw, const convk_sepconv3d_shape *shape, int direction,
                                          const convk_sepconv_epilogue *epilogue, const CONVK_T *in, CONVK_T *out, void *work,
                                          size_t work_size) {
  convk_filter filter[3];
  const int status = convk_magicfilter_axes_(convk_message_(hw), direction, filter);
  return status ? status : convk_sepconv3d_device(hw, shape, filter, epilogue, in, out, work, work_size);
}

/* A checked call of potential_apply: of the result's planes those of psi that they need are two filters away. */
typedef struct convk_potential_arrays_ {
  convk_potential_shapes_ here, packed; /* the caller's, and packed ones */
  convk_axis_ axis[2];                  /* z, to the points of the potential and back */
  size_t each, parts, value;            /* planes of a part, parts, planes of values in a slot */
  int energy;
  CONVK_DEVICE_(flow) psi, potential;
  convk_staged_ out, sum;
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
} convk_potential_arrays_;

/* What a part makes, and what it needs: planes of the potential, and of psi; both axes. */
CONVK_LOCAL_ void convk_potential_windows_(const convk_potential_arrays_ *a, size_t part, convk_axis_ axis[2],
                                           convk_window_ *result, convk_window_ *values, convk_window_ *psi) {
  *result = convk_filters_result_of_(a->axis[1].m, a->each, part);
  axis[1] = convk_filters_part_(&a->axis[1], *result, 0, values);
  axis[0] = convk_filters_part_(&a->axis[0], *values, 0, psi);
  if (a->parts > 1) return;
  memcpy(axis, a->axis, sizeof a->axis);
  values->first = psi->first = 0;
  values->end = (int64_t)a->axis[0].m;
  psi->end = (int64_t)a->axis[0].n;
}

CONVK_LOCAL_ int convk_potential_bring_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_potential_arrays_ *const a = (const convk_potential_arrays_ *)arrays;
  convk_window_ result, values, psi, last_values, last_psi;
  convk_axis_ axis[2];
  int status;
  convk_potential_windows_(a, part ? part - 1 : 0, axis, &result, &last_values, &last_psi);
  convk_potential_windows_(a, part, axis, &result, &values, &psi);
  status = CONVK_DEVICE_(flow_bring)(host, &a->psi, part, slot, psi, last_psi.end);
  return status ? status : CONVK_DEVICE_(flow_bring)(host, &a->potential, part, slot, values, last_values.end);
}

/* The windows of a slot become whole. */
CONVK_LOCAL_ int convk_potential_join_(CONVK_DEVICE_(host) *host, const convk_potential_arrays_ *a, size_t part, size_t slot) {
  const int more = part + 1 < a->parts;
  convk_window_ result, values, psi, last_values, last_psi, next_values, next_psi;
  convk_axis_ axis[2];
  int status;
  convk_potential_windows_(a, part ? part - 1 : 0, axis, &result, &last_values, &last_psi);
  convk_potential_windows_(a, part + (more ? 1 : 0), axis, &result, &next_values, &next_psi);
  convk_potential_windows_(a, part, axis, &result, &values, &psi);
  status = CONVK_DEVICE_(flow_join)(host, &a->psi, part, slot, psi, last_psi.end, more ? next_psi.first : psi.end);
  return status ? status
                : CONVK_DEVICE_(flow_join)(host, &a->potential, part, slot, values, last_values.end,
                                           more ? next_values.first : values.end);
}

CONVK_LOCAL_ int convk_potential_work_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_potential_arrays_ *const a = (const convk_potential_arrays_ *)arrays;
  const size_t s = sizeof(CONVK_T), plane = a->psi.b.grid->nx * a->psi.b.grid->ny * s;
  const size_t value = a->potential.b.grid->nx * a->potential.b.grid->ny * s;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  convk_potential_shapes_ shapes = a->packed;
  convk_window_ result, values, psi;
  convk_filters_parts_ parts[2];
  convk_filters_call_ c[2];
  convk_axis_ axis[2];
  size_t need = 0;
  int status;
  call.planes = a->psi.b.grid->nz;
  convk_potential_windows_(a, part, axis, &result, &values, &psi);
  status = convk_potential_join_(host, a, part, slot);
  if (!status) status = convk_potential_parts_(call.message, &shapes, a->energy, c, parts, &need);
  if (status) return CONVK_DEVICE_(call_end)(&call, status);
  shapes.bytes = axis[0].m * value;
  c[0].job.axis[2] = axis[0];
  c[1].job.axis[2] = axis[1];
  c[0].job.gi.nz = axis[0].n;
  c[0].job.go.nz = c[1].job.gi.nz = axis[0].m;
  c[1].job.go.nz = axis[1].m;
  if (a->parts > 1) { /* each plane of the energy once: those of the result, and what a free axis has more at its end */
    const int64_t end = part + 1 < a->parts ? result.end : (int64_t)a->axis[0].m;
    c[0].sum_first = (size_t)(result.first - values.first);
    c[0].sum_planes = (size_t)(end - result.first);
    c[0].sum_more = part > 0;
  }
  if (!status) status = convk_filters_parts_of_(call.message, c[0].job.axis, c[0].job.actions, &parts[0]);
  if (!status) status = convk_filters_parts_of_(call.message, c[1].job.axis, c[1].job.actions, &parts[1]);
  c[0].in = c[0].same = CONVK_SLOT_(a->psi.memory, slot * a->psi.planes * plane);
  c[0].e.potential = CONVK_SLOT_(a->potential.memory, slot * a->value * value);
  c[0].e.energy = CONVK_DEVICE_(array_of)(a->at[CONVK_FILTERS_AT_ENERGY_]);
  c[1].out = CONVK_SLOT_(a->at[CONVK_DEVICE_OUT_], slot * a->each * plane);
  if (!status) status = convk_potential_run_(&call, c, parts, shapes.bytes, CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_WORK_]));
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_potential_back_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_potential_arrays_ *const a = (const convk_potential_arrays_ *)arrays;
  const convk_window_ result = convk_filters_result_of_(a->axis[1].m, a->each, part);
  return CONVK_DEVICE_(planes)(host, 1, a->at[CONVK_DEVICE_OUT_], slot * a->each, &a->out, result);
}

CONVK_LOCAL_ int convk_potential_buffers_(CONVK_DEVICE_(host) *host, convk_potential_arrays_ *a) {
  const size_t s = sizeof(CONVK_T), more = a->axis[0].ntaps + a->axis[1].ntaps, half = a->axis[1].ntaps;
  const size_t plane = a->psi.b.grid->nx * a->psi.b.grid->ny * s;
  const size_t value = a->potential.b.grid->nx * a->potential.b.grid->ny * s;
  const size_t units = convk_filters_units_(&a->axis[1], 2 * more);
  convk_potential_shapes_ bound = a->packed; /* of the work that a part needs */
  convk_filters_parts_ parts[2];
  convk_filters_call_ c[2];
  size_t need = 0, each_need, places;
  int status = convk_potential_parts_(host->hw->message, &bound, a->energy, c, parts, &need);
  each_need = need / a->axis[0].n + 1;
  if (!status)
    status = CONVK_DEVICE_(parts_of)(host, units, (2 * plane + value + each_need) * (a->axis[1].m / units),
                                     more * plane + half * value, (more + 1) * (each_need + plane) + half * value + 8192, more,
                                     &a->each);
  if (status) return status;
  a->each = a->each == units ? a->axis[1].m : a->each;
  a->parts = convk_ceil_(a->axis[1].m, a->each);
  places = a->parts > 1 ? CONVK_SLOTS_ : 1;
  a->psi.planes = a->parts > 1 ? a->each + more : a->axis[0].n;
  a->potential.planes = a->value = a->parts > 1 ? a->each + half : a->axis[0].m;
  a->psi.kept = (int64_t)more;
  if (a->parts > 1) {
    convk_axis_ axis[3];
    memcpy(axis, c[0].job.axis, sizeof axis);
    axis[2].n = a->psi.planes;
    axis[2].m = a->value;
    status = convk_filters_parts_of_(host->hw->message, axis, c[0].job.actions, &parts[0]);
    memcpy(axis, c[1].job.axis, sizeof axis);
    axis[2].n = a->value;
    axis[2].m = a->each;
    if (!status) status = convk_filters_parts_of_(host->hw->message, axis, c[1].job.actions, &parts[1]);
    need = (parts[0].need > parts[1].need ? parts[0].need : parts[1].need) + convk_round_up_(a->value * value, 256);
  }
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, places * a->psi.planes * plane, &a->psi.memory);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, places * a->each * plane, &a->at[CONVK_DEVICE_OUT_]);
  if (!status)
    status = CONVK_DEVICE_(buffer)(host, CONVK_FILTERS_AT_POTENTIAL_, places * a->value * value, &a->potential.memory);
  if (!status && a->energy)
    status = CONVK_DEVICE_(buffer)(host, CONVK_FILTERS_AT_ENERGY_, sizeof(double), &a->at[CONVK_FILTERS_AT_ENERGY_]);
  if (!status && a->parts > 1 && a->axis[1].boundary == CONVK_BOUNDARY_PERIODIC)
    status = CONVK_DEVICE_(buffer)(host, CONVK_FILTERS_AT_DENSITY_, more * plane, &a->psi.head);
  if (!status && a->parts > 1) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_TAIL_, more * plane, &a->psi.tail);
  if (!status && a->parts > 1) status = CONVK_DEVICE_(buffer)(host, CONVK_FILTERS_AT_DOT_, half * value, &a->potential.tail);
  return status ? status : CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &a->at[CONVK_DEVICE_WORK_]);
}

CONVK_API_ int convk_potential_apply_device(convk *hw, const convk_sepconv3d_shape *shape, const CONVK_T *potential,
                                            const CONVK_T *psi, CONVK_T *out, double *energy, void *work, size_t work_size) {
  static const convk_grid3 number = {1, 1, 1, 1, 1};
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(host) *host = NULL;
  convk_potential_arrays_ a;
  convk_filters_parts_ parts[2];
  convk_filters_call_ c[2];
  size_t need = 0;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  memset(&a, 0, sizeof a);
  if (!status) status = convk_potential_apply_check_(convk_message_(hw), shape, potential, psi, out, energy, NULL, 0, &a.here);
  if (status) return status;
  a.packed = a.here; /* packed */
  a.packed.to_values.in = a.packed.back.out = convk_packed_(&a.here.to_values.in);
  a.packed.potential = a.packed.to_values.out = a.packed.back.in = convk_packed_(&a.here.potential);
  a.packed.bytes = a.packed.to_values.out.nz * a.packed.to_values.out.pitch_z * s;
  a.energy = energy != NULL;
  status = convk_potential_parts_(convk_message_(hw), &a.packed, a.energy, c, parts, &need);
  if (!status) status = CONVK_DEVICE_(able)(host, s, energy != NULL);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  a.axis[0] = c[0].job.axis[2];
  a.axis[1] = c[1].job.axis[2];
  a.psi.b = convk_staged_of_(CONVK_DEVICE_IN_, &a.here.to_values.in, s, psi, 1, 0);
  a.psi.count[0] = a.here.to_values.in.nx;
  a.psi.count[1] = a.here.to_values.in.ny;
  a.potential.b = convk_staged_of_(CONVK_FILTERS_AT_POTENTIAL_, &a.here.potential, s, potential, 1, 0);
  a.potential.count[0] = a.here.potential.nx;
  a.potential.count[1] = a.here.potential.ny;
  a.out = convk_staged_of_(CONVK_DEVICE_OUT_, &a.here.to_values.in, s, out, 0, 1);
  a.sum = convk_staged_of_(CONVK_FILTERS_AT_ENERGY_, &number, sizeof(double), energy, 0, 1);
  status = convk_potential_buffers_(host, &a);
  if (!status)
    status = CONVK_DEVICE_(parts_run)(host, a.parts, convk_potential_bring_, convk_potential_work_, convk_potential_back_, &a);
  if (!status) status = CONVK_DEVICE_(back_all)(host, &a.sum, 1, a.at);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_API_ int convk_conv1d_transpose_device(convk *hw, const convk_conv1d_shape *shape, const convk_filter *filter,
                                             const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(call) call;
  convk_transpose_job_ job;
  convk_staged_ b[2];
  convk_grid3 gi = {0, 0, 1, 0, 0}, go = {0, 0, 1, 0, 0};
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  if (!status) status = convk_conv1d_check_(convk_message_(hw), shape, filter, in, out, NULL, 0, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, s, 0);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  gi.nx = job.axis.n;
  gi.ny = go.nx = job.ndat;
  go.ny = job.axis.m;
  gi.pitch_y = job.ld_in;
  go.pitch_y = job.ld_out;
  gi.pitch_z = gi.ny * gi.pitch_y;
  go.pitch_z = go.ny * go.pitch_y;
  b[0] = convk_staged_of_(CONVK_DEVICE_IN_, &gi, s, in, 1, 0);
  b[1] = convk_staged_of_(CONVK_DEVICE_OUT_, &go, s, out, 0, 1);
  job.ld_in = job.axis.n;
  job.ld_out = job.ndat;
  status = CONVK_DEVICE_(bring_all)(host, b, 2, at);
  call = CONVK_DEVICE_(call_on)(host);
  if (!status)
    status = convk_transpose_run_(&call, &job, CONVK_DEVICE_(array_of)(at[CONVK_DEVICE_IN_]),
                                  CONVK_DEVICE_(array_of)(at[CONVK_DEVICE_OUT_]));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status) status = CONVK_DEVICE_(back_all)(host, b, 2, at);
  return CONVK_DEVICE_(end)(host, status);
}
#undef CONVK_SLOT_
/* ---- src/filters/cuda.h ---- */
CONVK_LOCAL_ convk_cuda_taps_<CONVK_T> convk_cuda_filters_taps_(const CONVK_T *taps, size_t count) {
  convk_cuda_taps_<CONVK_T> t;
  memset(&t, 0, sizeof t);
  memcpy(t.value, taps, count * sizeof *taps);
  return t;
}

/* y and x of the input, to `mid`. */
CONVK_LOCAL_ int convk_cuda_filters_xy_(convk_cuda_call_ *call, const convk_filters_call_ *c, const long *choice,
                                        CONVK_T *mid) {
  const convk_filters_job_ *job = &c->job;
  const size_t mx = job->axis[0].m, my = job->axis[1].m;
  const int known = job->axis[0].ntaps == 16 && job->axis[1].ntaps == 16;
  const int less = convk_ceil_(mx, 256) * CONVK_CUDA_XY_THREADS_(1) < convk_ceil_(mx, 128) * CONVK_CUDA_XY_THREADS_(0);
  const int wide = known && (choice[CONVK_TUNE_TILE_X] ? choice[CONVK_TUNE_TILE_X] >= 256 : less);
  convk_cuda_xy_args_<CONVK_T> a = convk_cuda_xy_args_<CONVK_T>();
  convk_filters_arguments_of_(c, &a);
  a.in = c->in;
  a.mid = mid;
  a.tiles_x = convk_ceil_(mx, CONVK_CUDA_XY_WIDTH_(known, wide));
  a.strip = choice[CONVK_TUNE_TILE_Y] ? (size_t)choice[CONVK_TUNE_TILE_Y]
                                      : convk_ceil_(my, convk_ceil_(CONVK_CUDA_ENOUGH_BLOCKS_, a.tiles_x * job->gi.nz));
  a.strip = convk_round_up_(a.strip, CONVK_CUDA_XY_ROWS_(wide));
  a.strips = convk_ceil_(my, a.strip);
  a.taps_x = convk_cuda_filters_taps_(job->taps[0], job->axis[0].ntaps);
  a.taps_y = convk_cuda_filters_taps_(job->taps[1], job->axis[1].ntaps);
  return convk_cuda_start_(wide    ? convk_cuda_xy_<CONVK_T, 16, 1>
                           : known ? convk_cuda_xy_<CONVK_T, 16, 0>
                                   : convk_cuda_xy_<CONVK_T, 0, 0>,
                           a.tiles_x * a.strips * job->gi.nz, CONVK_CUDA_XY_THREADS_(wide), call->stream, a);
}

/* z of what the first kernel left in `mid`; with the epilogue, or plainly to a packed `result`. */
CONVK_LOCAL_ int convk_cuda_filters_z_(convk_cuda_call_ *call, const convk_filters_call_ *c, const long *choice,
                                       const CONVK_T *mid, CONVK_T *result, size_t pitch_y, size_t pitch_z, int epilogue) {
  const size_t threads = CONVK_CUDA_Z_THREADS_, group = CONVK_CUDA_GROUP_, enough = CONVK_CUDA_ENOUGH_BLOCKS_;
  const convk_axis_ *z = &c->job.axis[2];
  convk_cuda_z_args_<CONVK_T> a = convk_cuda_z_args_<CONVK_T>();
  size_t chunk;
  convk_filters_arguments_of_(c, &a);
  a.mid = mid;
  a.out = result;
  a.out_y = pitch_y;
  a.out_z = pitch_z;
  a.columns = c->job.axis[0].m * c->job.axis[1].m;
  a.blocks = convk_ceil_(a.columns, threads);
  chunk = convk_ceil_(z->m, convk_ceil_(enough, a.blocks));
  if (choice[CONVK_TUNE_CHUNK]) chunk = (size_t)choice[CONVK_TUNE_CHUNK];
  chunk = convk_round_up_(chunk < 2 * group ? 2 * group : chunk, group);
  a.chunk = chunk;
  a.chunks = convk_ceil_(z->m, chunk);
  a.taps = convk_cuda_filters_taps_(c->job.taps[2], z->ntaps);
  a.epilogue.potential = c->e.potential;
  a.epilogue.density = c->e.density;
  return convk_cuda_start_(z->ntaps == 16 ? epilogue ? convk_cuda_z_<CONVK_T, 16, 1> : convk_cuda_z_<CONVK_T, 16, 0>
                           : epilogue ? convk_cuda_z_<CONVK_T, 0, 1>
                                          : convk_cuda_z_<CONVK_T, 0, 0>,
                           a.blocks * a.chunks, (int)threads, call->stream, a);
}

/* The epilogue with its sums, if there are any, on the result of z. */
CONVK_LOCAL_ int convk_cuda_filters_finish_(convk_cuda_call_ *call, const convk_filters_call_ *c, const CONVK_T *result,
                                            size_t result_y, size_t result_z, double *dot, double *energy) {
  const size_t rows = c->job.go.ny * c->job.go.nz, block = CONVK_CUDA_FINISH_THREADS_ / 16;
  convk_cuda_finish_args_<CONVK_T> a = convk_cuda_finish_args_<CONVK_T>();
  convk_cuda_total_args_ t;
  int status;
  memset(&t, 0, sizeof t);
  convk_filters_arguments_of_(c, &a);
  a.result = result;
  a.result_y = result_y;
  a.result_z = result_z;
  a.in = c->same;
  a.out = c->out;
  a.epilogue.potential = c->e.potential;
  a.epilogue.density = c->e.density;
  a.dot = c->e.dot ? dot : NULL;
  a.energy = c->e.energy ? energy : NULL;
  status = convk_cuda_start_(convk_filters_laid_(c) ? convk_cuda_finish_laid_<CONVK_T> : convk_cuda_finish_<CONVK_T>,
                             convk_ceil_(rows, block), CONVK_CUDA_FINISH_THREADS_, call->stream, a);
  if (status || !(a.dot || a.energy)) return status;
  t.ny = c->job.go.ny;
  t.nz = c->job.go.nz;
  t.first = c->sum_first;
  t.planes = c->sum_planes;
  t.more = c->sum_more;
  t.dot.rows = a.dot;
  t.dot.planes = a.dot ? dot + rows : NULL;
  t.dot.total = c->e.dot;
  t.energy.rows = a.energy;
  t.energy.planes = a.energy ? energy + rows : NULL;
  t.energy.total = c->e.energy;
  return convk_cuda_start_(convk_cuda_total_<convk_cuda_total_args_>, 2, CONVK_CUDA_TOTAL_THREADS_, call->stream, t);
}

CONVK_LOCAL_ int convk_filters_run_(convk_cuda_call_ *call, const convk_filters_call_ *c, const convk_filters_parts_ *parts,
                                    void *base) {
  CONVK_T *const mid = convk_cuda_array_at_(base, 0, sizeof(CONVK_T));
  CONVK_T *result = c->out; /* where it waits in place */
  size_t pitch_y = c->job.go.pitch_y, pitch_z = c->job.go.pitch_z;
  const unsigned actions = c->job.actions;
  const int sums = (actions & CONVK_FILTERS_SUMS_) != 0;
  const int later = sums || convk_filters_laid_(c);
  long choice[CONVK_TUNE_COUNT];
  int status = convk_cuda_clock_start_(call);
  convk_choice_(call->hw, "sepconv3d", sizeof(CONVK_T), c->job.axis[0].n, c->job.axis[1].n,
                call->planes ? call->planes : c->job.axis[2].n, c->job.axis[1].ntaps, choice);
  if (!status) status = convk_cuda_filters_xy_(call, c, choice, mid);
  if (later && (!c->out || actions & CONVK_FILTERS_UPDATE_)) {
    result = convk_cuda_array_at_(base, parts->result, sizeof(CONVK_T));
    pitch_y = c->job.go.nx;
    pitch_z = c->job.go.nx * c->job.go.ny;
  }
  if (!status)
    status = convk_cuda_filters_z_(call, c, choice, mid, result, pitch_y, pitch_z, !later && actions != CONVK_FILTERS_STORE_);
  if (!status && later)
    status =
        convk_cuda_filters_finish_(call, c, result, pitch_y, pitch_z, convk_cuda_array_at_(base, parts->sum[0], sizeof(double)),
                                   convk_cuda_array_at_(base, parts->sum[1], sizeof(double)));
  return convk_cuda_clock_stop_(call, status);
}

CONVK_LOCAL_ int convk_transpose_run_(convk_cuda_call_ *call, const convk_transpose_job_ *job, const CONVK_T *in,
                                      CONVK_T *out) {
  const int known = job->axis.ntaps == 16;
  convk_cuda_turn_args_<CONVK_T> a = convk_cuda_turn_args_<CONVK_T>();
  a.x = convk_filters_axis_(&job->axis);
  a.y.n = job->ndat;
  a.in = in;
  a.out = out;
  a.in_y = job->ld_in;
  a.out_y = job->ld_out;
  a.tiles_x = convk_ceil_(job->axis.m, CONVK_CUDA_TILE_(known));
  a.strips = convk_ceil_(job->ndat, CONVK_CUDA_TURN_ROWS_);
  a.taps = convk_cuda_filters_taps_(job->taps, job->axis.ntaps);
  return convk_cuda_start_(known ? convk_cuda_turn_<CONVK_T, 16> : convk_cuda_turn_<CONVK_T, 0>, a.tiles_x * a.strips,
                           CONVK_CUDA_TURN_THREADS_, call->stream, a);
}
#endif
#if CONVK_HAS_WAVELETS_
/* ---- src/wavelets/device.h ---- */
/* ---- wavelets on a device: two kernels a level, y and x of each plane, then z ---- */

/* One level of a checked call: arrays and grids as in convk_wavelets_job_ (dwt.h), and what lies between both kernels. */
typedef struct convk_wavelets_level_device_ {
  convk_wavelets_axis_ axis[3];
  const convk_wavelets_taps_ *taps;
  int synthesis, low; /* low: the block sss of the coarse grid is packed, in an array of its own */
  convk_grid3 gi, go;
  CONVK_ARRAY_(const CONVK_T) in;
  CONVK_ARRAY_(const CONVK_T) low_in;
  CONVK_ARRAY_(CONVK_T) out;
  CONVK_ARRAY_(CONVK_T) low_out;
  CONVK_ARRAY_(CONVK_T) mid;
} convk_wavelets_level_device_;

/* Work memory: what lies between kernels is at its beginning, blocks sss between levels from these bytes on. */
typedef struct convk_wavelets_parts_ {
  size_t between[2], need;
} convk_wavelets_parts_;

/* What a device does with a level: dwt_opencl_calls.h, dwt_cuda.h. */
CONVK_LOCAL_ int convk_wavelets_run_(CONVK_DEVICE_(call) *call, const convk_wavelets_level_device_ *level);

CONVK_LOCAL_ int convk_wavelets_parts_of_(char *message, const convk_wavelets_call_ *c, const convk_wavelet *wavelet,
                                          int synthesis, convk_wavelets_parts_ *parts) {
  convk_wavelets_axis_ axis[3];
  convk_grid3 fine, coarse;
  size_t end = 0, at;
  int i, status;
  convk_wavelets_level_of_(&c->full, wavelet->lo, wavelet->up, synthesis, 0, axis, &fine, &coarse);
  status = convk_reserve_(&end, convk_wavelets_across_(&axis[0], synthesis), convk_wavelets_across_(&axis[1], synthesis),
                          axis[2].run.n, sizeof(CONVK_T), &at);
  for (i = 0; i < 2 && !status; i++) status = convk_reserve_(&end, c->between[i], 1, 1, 1, &parts->between[i]);
  parts->need = end + 256;
  return status ? convk_refuse_(message, status, "shape needs more work than can be counted in bytes") : CONVK_OK;
}

/* Level by level, as convk_wavelets_levels_ does it for processors. */
CONVK_LOCAL_ int convk_wavelets_levels_device_(CONVK_DEVICE_(call) *call, const convk_wavelets_call_ *c,
                                               const convk_wavelet *wavelet, int synthesis, const convk_wavelets_parts_ *parts,
                                               CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                               CONVK_ARRAY_(void) base) {
  const size_t s = sizeof(CONVK_T);
  convk_wavelets_level_device_ level;
  convk_wavelets_taps_ taps;
  int i, status = CONVK_OK;
  memset(&level, 0, sizeof level);
  convk_wavelets_taps_of_(wavelet, synthesis, &taps);
  level.taps = &taps;
  level.synthesis = synthesis;
  level.mid = CONVK_DEVICE_(array_at)(base, 0, s);
  for (i = 0; i < c->levels && !status; i++) {
    const int l = synthesis ? c->levels - 1 - i : i;
    CONVK_ARRAY_(CONVK_T) above = CONVK_DEVICE_(array_at)(base, parts->between[(l + 1) % 2], s);
    CONVK_ARRAY_(CONVK_T) low = CONVK_DEVICE_(array_at)(base, parts->between[l % 2], s);
    convk_grid3 fine, coarse;
    convk_wavelets_level_of_(&c->full, wavelet->lo, wavelet->up, synthesis, l, level.axis, &fine, &coarse);
    level.low = l + 1 < c->levels;
    level.gi = synthesis ? coarse : fine;
    level.go = synthesis ? fine : coarse;
    level.in = in;
    level.out = out;
    if (l && synthesis) level.out = above;
    if (l && !synthesis) level.in = above;
    level.low_in = level.low_out = low;
    status = convk_wavelets_run_(call, &level);
  }
  return status;
}

CONVK_LOCAL_ convk_wavelets_on_device_ convk_wavelets_axis_device_(const convk_wavelets_axis_ *axis) {
  const ptrdiff_t shift = axis->run.shift, odd = shift & 1;
  convk_wavelets_on_device_ a;
  size_t p;
  memset(&a, 0, sizeof a);
  for (p = 0; p < 2; p++) {
    const size_t q = p ? 1 - (size_t)odd : (size_t)odd;
    a.n[p] = (axis->run.n + 1 - q) / 2;
    a.from[p] = (shift + (ptrdiff_t)p - (ptrdiff_t)q) / 2;
  }
  a.split = axis->half;
  a.fine = axis->fine;
  a.pairs = axis->pairs;
  a.first = axis->first;
  a.odd = (int32_t)odd;
  a.periodic = axis->run.boundary == CONVK_BOUNDARY_PERIODIC;
  return a;
}

/* The arguments of a level, but for how it is cut. */
CONVK_LOCAL_ void convk_wavelets_arguments_of_(const convk_wavelets_level_device_ *level, CONVK_ARGUMENTS_(wavelets) * a) {
  a->x = convk_wavelets_axis_device_(&level->axis[0]);
  a->y = convk_wavelets_axis_device_(&level->axis[1]);
  a->z = convk_wavelets_axis_device_(&level->axis[2]);
  a->planes = level->gi.nz;
  a->mx = convk_wavelets_across_(&level->axis[0], level->synthesis);
  a->my = convk_wavelets_across_(&level->axis[1], level->synthesis);
  a->columns = a->mx * a->my;
  a->in_y = level->gi.pitch_y;
  a->in_z = level->gi.pitch_z;
  a->out_y = level->go.pitch_y;
  a->out_z = level->go.pitch_z;
  a->low_y = level->axis[0].half;
  a->low_z = level->axis[0].half * level->axis[1].half;
  a->synthesis = level->synthesis;
  a->low = level->low;
  a->even = (int32_t)level->taps->count[0];
  a->odd = (int32_t)level->taps->count[1];
  a->more = level->taps->more;
}

/* ---- device memory ---- */

/* All four calls, and their queries, which have no arrays; values: of the pair that s1_to_r and r_to_s1 have. */
CONVK_LOCAL_ int convk_wavelets_on_(CONVK_DEVICE_(frame) f, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                    int values, int synthesis, CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out) {
  const char *const *const names = convk_wavelets_names_(values, synthesis);
  convk_wavelets_parts_ parts = {{0, 0}, 0};
  convk_wavelet own;
  convk_wavelets_call_ c;
  if (!f.status && values) f.status = convk_wavelets_values_(f.message, shape, &own);
  if (values) wavelet = &own;
  if (!f.status) f.status = convk_need_(f.message, "wavelet", wavelet);
  if (!f.status) f.status = convk_wavelets_shapes_(f.message, shape, wavelet->lo, wavelet->up, &c);
  if (!f.status && !f.query) f.status = convk_wavelets_wavelet_check_(f.message, wavelet);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  CONVK_DEVICE_(frame_place)(&f, names[0], in, c.span[synthesis], sizeof(CONVK_T), 0);
  CONVK_DEVICE_(frame_place)(&f, names[1], out, c.span[!synthesis], sizeof(CONVK_T), CONVK_PLACE_WRITTEN_);
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status) f.status = convk_wavelets_parts_of_(f.message, &c, wavelet, synthesis, &parts);
  if (CONVK_DEVICE_(frame_work)(&f, parts.need))
    f.status = convk_wavelets_levels_device_(&f.call, &c, wavelet, synthesis, &parts, in, out, f.work);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_dwt3d_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                    CONVK_ARRAY_(const CONVK_T) fine, CONVK_ARRAY_(CONVK_T) coarse, CONVK_ARRAY_(void) work,
                                    size_t work_size) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, wavelet, 0, 0, fine,
                            coarse);
}

CONVK_API_ int convk_idwt3d_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                     CONVK_ARRAY_(const CONVK_T) coarse, CONVK_ARRAY_(CONVK_T) fine, CONVK_ARRAY_(void) work,
                                     size_t work_size) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, wavelet, 0, 1, coarse,
                            fine);
}

CONVK_API_ int convk_s1_to_r_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, CONVK_ARRAY_(const CONVK_T) coarse,
                                      CONVK_ARRAY_(CONVK_T) values, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, NULL, 1, 1, coarse,
                            values);
}

CONVK_API_ int convk_r_to_s1_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, CONVK_ARRAY_(const CONVK_T) values,
                                      CONVK_ARRAY_(CONVK_T) coarse, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, NULL, 1, 0, values,
                            coarse);
}

CONVK_API_ int convk_dwt3d_work_size_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                              size_t *bytes) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, wavelet, 0, 0, CONVK_DEVICE_(none)(),
                            CONVK_DEVICE_(none)());
}

CONVK_API_ int convk_idwt3d_work_size_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                               size_t *bytes) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, wavelet, 0, 1, CONVK_DEVICE_(none)(),
                            CONVK_DEVICE_(none)());
}

CONVK_API_ int convk_s1_to_r_work_size_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, size_t *bytes) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, NULL, 1, 1, CONVK_DEVICE_(none)(),
                            CONVK_DEVICE_(none)());
}

CONVK_API_ int convk_r_to_s1_work_size_resident(CONVK_ON_ *on, const convk_dwt3d_shape *shape, size_t *bytes) {
  return convk_wavelets_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, NULL, 1, 0, CONVK_DEVICE_(none)(),
                            CONVK_DEVICE_(none)());
}

/* ---- host arrays ---- */

/* All four calls, with whole grids on the device. */
CONVK_LOCAL_ int convk_wavelets_device_(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, int values,
                                        int synthesis, const CONVK_T *in, CONVK_T *out) {
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(call) call;
  convk_wavelet own;
  convk_wavelets_parts_ parts;
  convk_wavelets_call_ c;
  convk_staged_ b[2];
  convk_grid3 fine, coarse;
  int d, kept = 0, status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status && values) status = convk_wavelets_values_(convk_message_(hw), shape, &own);
  if (values) wavelet = &own;
  if (!status) status = convk_wavelets_check_(convk_message_(hw), shape, wavelet, values, synthesis, in, out, NULL, 0, &c);
  if (!status) status = convk_wavelets_parts_of_(convk_message_(hw), &c, wavelet, synthesis, &parts);
  if (!status) status = CONVK_DEVICE_(able)(host, s, 0);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  fine = c.full.fine;
  coarse = c.full.coarse;
  for (d = 0; d < 3; d++) /* some of the coarse grid is not used, and stays */
    if (c.levels > 1 && convk_wavelets_more_(c.full.boundary[d], wavelet->up - wavelet->lo + 1)) kept = 1;
  b[0] = convk_staged_of_(CONVK_DEVICE_IN_, synthesis ? &coarse : &fine, s, in, 1, 0);
  b[1] = convk_staged_of_(CONVK_DEVICE_OUT_, synthesis ? &fine : &coarse, s, out, kept && !synthesis, 1);
  c.full.fine = convk_packed_(&fine);
  c.full.coarse = convk_packed_(&coarse);
  call = CONVK_DEVICE_(call_on)(host);
  status = CONVK_DEVICE_(bring_all)(host, b, 2, at);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, parts.need, &at[CONVK_DEVICE_WORK_]);
  if (!status)
    status = convk_wavelets_levels_device_(&call, &c, wavelet, synthesis, &parts, CONVK_DEVICE_(array_of)(at[CONVK_DEVICE_IN_]),
                                           CONVK_DEVICE_(array_of)(at[CONVK_DEVICE_OUT_]),
                                           CONVK_DEVICE_(array_of)(at[CONVK_DEVICE_WORK_]));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status) status = CONVK_DEVICE_(back_all)(host, b, 2, at);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_API_ int convk_dwt3d_device(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, const CONVK_T *fine,
                                  CONVK_T *coarse, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_wavelets_device_(hw, shape, wavelet, 0, 0, fine, coarse);
}

CONVK_API_ int convk_idwt3d_device(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                   const CONVK_T *coarse, CONVK_T *fine, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_wavelets_device_(hw, shape, wavelet, 0, 1, coarse, fine);
}

CONVK_API_ int convk_s1_to_r_device(convk *hw, const convk_dwt3d_shape *shape, const CONVK_T *coarse, CONVK_T *values,
                                    void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_wavelets_device_(hw, shape, NULL, 1, 1, coarse, values);
}

CONVK_API_ int convk_r_to_s1_device(convk *hw, const convk_dwt3d_shape *shape, const CONVK_T *values, CONVK_T *coarse,
                                    void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_wavelets_device_(hw, shape, NULL, 1, 0, values, coarse);
}

/* ---- src/wavelets/segments_device.h ---- */
/* ---- segments ---- */

/* A checked call on device memory. */
typedef struct convk_segments_device_ {
  convk_segments_job_ job; /* without its lists */
  size_t count[2], points[2];
  int compress;
  CONVK_ARRAY_(const CONVK_T) from;
  CONVK_ARRAY_(CONVK_T) to;
  CONVK_ARRAY_(const size_t) ends[2];
  CONVK_ARRAY_(const size_t) place[2];
} convk_segments_device_;

/* What a device does: segments_opencl_calls.h, segments_cuda.h. */
CONVK_LOCAL_ int convk_segments_run_(CONVK_DEVICE_(call) *call, const convk_segments_device_ *s);

CONVK_LOCAL_ void convk_segments_arguments_of_(const convk_segments_device_ *s, CONVK_ARGUMENTS_(segments) * a) {
  size_t k;
  memset(a, 0, sizeof *a);
  a->nx = s->job.half[0];
  a->ny = s->job.half[1];
  a->nz = s->job.half[2];
  a->vectors = s->job.vectors;
  a->pitch_y = s->job.pitch_y;
  a->pitch_z = s->job.pitch_z;
  a->dense_stride = s->job.dense_stride;
  a->compressed_stride = s->job.compressed_stride;
  a->fine = s->job.fine;
  for (k = 0; k < 3; k++) a->block[k] = s->job.block[(size_t)1 << k];
  for (k = 0; k < 2; k++) {
    a->count[k] = s->count[k];
    a->points[k] = s->points[k];
  }
  a->compress = (uint32_t)s->compress;
}

/* One list: coarse, or fine. */
CONVK_LOCAL_ void convk_segments_list_device_(CONVK_DEVICE_(frame) *f, const CONVK_DEVICE_STRUCT_(segments) * list, int k,
                                              convk_segments_device_ *s) {
  static const char *const names[2][3] = {{"shape->coarse.ends", "shape->coarse.place", "coarse"},
                                          {"shape->fine.ends", "shape->fine.place", "fine"}};
  const int may = list->count ? 0 : CONVK_PLACE_OPTIONAL_;
  s->count[k] = list->count;
  s->points[k] = list->points;
  s->ends[k] = list->ends;
  s->place[k] = list->place;
  if (!f->status && (list->count > (size_t)-1 / 64 || list->points > (size_t)-1 / 64))
    f->status =
        convk_refuse_names_(f->message, CONVK_ERR_OVERFLOW, "shape->$ has too many segments or points", names[k][2], NULL);
  if (!f->status && list->count && !list->points)
    f->status = convk_refuse_names_(f->message, CONVK_ERR_SIZE, "shape->$.points is 0, and on a device nobody counts them",
                                    names[k][2], NULL);
  CONVK_DEVICE_(frame_place)(f, names[k][0], list->ends, 2 * list->count, sizeof(uint64_t), may);
  CONVK_DEVICE_(frame_place)(f, names[k][1], list->place, list->count, sizeof(uint64_t), may);
}

CONVK_LOCAL_ int convk_segments_on_(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(compressed_shape) * shape, int compress,
                                    CONVK_ARRAY_(const CONVK_T) from, CONVK_ARRAY_(CONVK_T) to) {
  static const char *const names[2] = {"compressed", "dense"};
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 0, CONVK_DEVICE_(none)(), 0);
  convk_segments_device_ run;
  size_t span[2] = {0, 0}, one = 0;
  int k;
  memset(&run, 0, sizeof run);
  run.compress = compress;
  run.from = from;
  run.to = to;
  if (!f.status) f.status = convk_need_(f.message, "shape", shape);
  if (!f.status) f.status = convk_segments_dense_(f.message, &shape->dense, &run.job, &one);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  convk_segments_list_device_(&f, &shape->coarse, 0, &run);
  convk_segments_list_device_(&f, &shape->fine, 1, &run);
  if (!f.status)
    f.status = convk_segments_strides_(f.message, shape->vectors, shape->compressed_stride, shape->dense_stride, run.points,
                                       one, &run.job, span);
  for (k = 0; k < 2; k++) {
    const int flags = (k != compress ? CONVK_PLACE_WRITTEN_ : 0) | (k || span[0] ? 0 : CONVK_PLACE_OPTIONAL_);
    CONVK_DEVICE_(frame_place)(&f, names[k], k == compress ? from : to, span[k], s, flags);
  }
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status && (!compress || span[0])) f.status = convk_segments_run_(&f.call, &run);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_wavelet_uncompress_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(compressed_shape) * shape,
                                                 CONVK_ARRAY_(const CONVK_T) compressed, CONVK_ARRAY_(CONVK_T) dense) {
  return convk_segments_on_(on, shape, 0, compressed, dense);
}
CONVK_API_ int convk_wavelet_compress_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(compressed_shape) * shape,
                                               CONVK_ARRAY_(const CONVK_T) dense, CONVK_ARRAY_(CONVK_T) compressed) {
  return convk_segments_on_(on, shape, 1, dense, compressed);
}

/* ---- on host arrays: copies alone, and both arrays are on the host, which makes them ---- */

CONVK_API_ int convk_wavelet_uncompress_device(convk *hw, const convk_compressed_shape *shape, const CONVK_T *compressed,
                                               CONVK_T *dense) {
  CONVK_DEVICE_(host) *host = NULL;
  const int status = CONVK_DEVICE_(host_of)(hw, &host);
  return status ? status : convk_wavelet_uncompress_cpu_(NULL, hw, shape, compressed, dense);
}

CONVK_API_ int convk_wavelet_compress_device(convk *hw, const convk_compressed_shape *shape, const CONVK_T *dense,
                                             CONVK_T *compressed) {
  CONVK_DEVICE_(host) *host = NULL;
  const int status = CONVK_DEVICE_(host_of)(hw, &host);
  return status ? status : convk_wavelet_compress_cpu_(NULL, hw, shape, dense, compressed);
}
/* ---- src/wavelets/cuda.h ---- */
/* y and x, which depend on where `in` lies, then z. */
CONVK_LOCAL_ int convk_wavelets_run_(convk_cuda_call_ *call, const convk_wavelets_level_device_ *level) {
  static void (*const xy[])(convk_cuda_wavelets_args_<CONVK_T>) = {
      convk_cuda_wavelets_xy_<CONVK_T, 0>, convk_cuda_wavelets_xy_<CONVK_T, 1>, convk_cuda_wavelets_xy_<CONVK_T, 2>,
      convk_cuda_wavelets_xy_<CONVK_T, 3>};
  static void (*const along_z[])(convk_cuda_wavelets_args_<CONVK_T>) = {
      convk_cuda_wavelets_z_<CONVK_T, 0>, convk_cuda_wavelets_z_<CONVK_T, 1>, convk_cuda_wavelets_z_<CONVK_T, 2>,
      convk_cuda_wavelets_z_<CONVK_T, 3>};
  static const size_t known[][3] = {{0, 0, 0}, {8, 8, 0}, {16, 15, 0}, {15, 15, 1}};
  const size_t group = CONVK_CUDA_WAVELETS_GROUP_, rows = CONVK_CUDA_WAVELETS_ROWS_ / 2, enough = CONVK_CUDA_ENOUGH_BLOCKS_;
  const convk_wavelets_taps_ *const taps = level->taps;
  convk_cuda_wavelets_args_<CONVK_T> a = convk_cuda_wavelets_args_<CONVK_T>();
  size_t kind = 3;
  int status = convk_cuda_clock_start_(call);
  while (kind && (taps->count[0] != known[kind][0] || taps->count[1] != known[kind][1] || taps->more != (int)known[kind][2]))
    kind--;
  convk_wavelets_arguments_of_(level, &a);
  a.in = level->in;
  a.low_in = level->low_in;
  a.mid = level->mid;
  a.out = level->out;
  a.low_out = level->low_out;
  memcpy(a.tap, taps->tap, sizeof a.tap);
  a.tiles_x = convk_ceil_((size_t)a.x.pairs, kind ? 64 : 32);
  a.strip = convk_round_up_(convk_ceil_((size_t)a.y.pairs, convk_ceil_(enough, a.tiles_x * a.planes)), rows);
  a.strips = convk_ceil_((size_t)a.y.pairs, a.strip);
  a.blocks = convk_ceil_((size_t)a.columns, CONVK_CUDA_WAVELETS_Z_THREADS_);
  a.chunk = convk_round_up_(convk_ceil_((size_t)a.z.pairs, convk_ceil_(enough, a.blocks)), group);
  a.chunks = convk_ceil_((size_t)a.z.pairs, a.chunk);
  if (!status)
    status = convk_cuda_start_(xy[kind], a.tiles_x * a.strips * a.planes, CONVK_CUDA_WAVELETS_THREADS_, call->stream, a);
  if (!status) status = convk_cuda_start_(along_z[kind], a.blocks * a.chunks, CONVK_CUDA_WAVELETS_Z_THREADS_, call->stream, a);
  return convk_cuda_clock_stop_(call, status);
}

/* ---- src/wavelets/segments_cuda.h ---- */
CONVK_LOCAL_ int convk_segments_run_(convk_cuda_call_ *call, const convk_segments_device_ *s) {
  convk_cuda_segments_args_<CONVK_T> a = convk_cuda_segments_args_<CONVK_T>();
  convk_segments_arguments_of_(s, &a);
  CONVK_T *const from = (CONVK_T *)(uintptr_t)s->from; /* which is only read */
  a.compressed = s->compress ? s->to : from;
  a.dense = s->compress ? from : s->to;
  for (int k = 0; k < 2; k++) {
    a.ends[k] = (const uint64_t *)(const void *)s->ends[k];
    a.place[k] = (const uint64_t *)(const void *)s->place[k];
  }
  return convk_cuda_start_(convk_cuda_orbital_segments_<CONVK_T>,
                           convk_ceil_(a.nx * a.ny * a.nz * a.vectors, CONVK_CUDA_ORBITAL_THREADS_),
                           CONVK_CUDA_ORBITAL_THREADS_, call->stream, a);
}
#endif
#if CONVK_HAS_SUMS_
/* ---- src/sums/device.h ---- */
/* ---- sums of filters on a device ---- */

/* A checked call, and its arrays. */
typedef struct convk_sums_call_ {
  convk_sums_job_ job;
  int potential, add, out, sums; /* which there are */
  size_t axes;                   /* of the sums so many from those of axes on go to `energies`; 0: all of them to `sums` */
  struct {
    CONVK_ARRAY_(const CONVK_T) in;
    CONVK_ARRAY_(const CONVK_T) potential;
    CONVK_ARRAY_(const CONVK_T) add;
    CONVK_ARRAY_(CONVK_T) out;
    CONVK_ARRAY_(convk_sumconv_sums) sums;
    CONVK_ARRAY_(double) energies;
  } at;
} convk_sums_call_;

/* Parts of the work memory, in bytes from its beginning: half of a mixed term, all mixed terms of a vector; sums of rows, and
   of planes. */
typedef struct convk_sums_room_ {
  size_t half, products, rows, planes, need;
} convk_sums_room_;

/* What a device does: opencl_calls.h, cuda.h.  One filter, of `in` or where that is NULL of the half; all else; and sums of
   rows to totals.  first: a vector. */
CONVK_LOCAL_ int convk_sums_single_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * a,
                                    const convk_sums_filter_ *f, const convk_sums_room_ *parts, int product, size_t first,
                                    CONVK_ARRAY_(void) base);
CONVK_LOCAL_ int convk_sums_points_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * a,
                                    const convk_sums_room_ *parts, size_t first, CONVK_ARRAY_(void) base);
CONVK_LOCAL_ int convk_sums_total_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, const convk_sums_room_ *parts,
                                   CONVK_ARRAY_(void) base);

CONVK_LOCAL_ int convk_sums_room_of_(char *message, const convk_sums_job_ *job, int sums, convk_sums_room_ *parts) {
  const size_t s = sizeof(CONVK_T), step = job->step, more = job->filter[CONVK_SUMS_FIRST_][1].ntaps;
  const int mixed = job->mixed[0] || job->mixed[1] || job->mixed[2];
  size_t extent[3], end = 0, d;
  int status;
  for (d = 0; d < 3; d++) extent[d] = job->axis[d].n > job->axis[d].m ? job->axis[d].n : job->axis[d].m;
  status = convk_reserve_(&end, mixed ? step * extent[0] : 0, extent[1] + more, extent[2], s, &parts->half);
  if (!status) status = convk_reserve_(&end, mixed ? 3 * step * extent[0] : 0, extent[1], extent[2], s, &parts->products);
  if (!status) status = convk_reserve_(&end, sums ? 8 * job->vectors : 0, extent[1], extent[2], sizeof(double), &parts->rows);
  if (!status) status = convk_reserve_(&end, sums ? 8 * job->vectors : 0, extent[2], 1, sizeof(double), &parts->planes);
  parts->need = end ? end + 256 : 0;
  return status ? convk_refuse_(message, status, "shape needs more work than can be counted in bytes") : CONVK_OK;
}

CONVK_LOCAL_ convk_sums_axis_device_ convk_sums_axis_arguments_(const convk_sums_job_ *job, int d) {
  const convk_sums_axis_ *const axis = &job->axis[d];
  convk_sums_axis_device_ a;
  int kind;
  a.n = axis->n;
  a.m = axis->m;
  a.pitch = d == 0 ? 1 : d == 1 ? job->gi.pitch_y : job->gi.pitch_z;
  a.origin = axis->origin;
  for (kind = 0; kind < 2; kind++) {
    a.lo[kind] = job->filter[kind][d].lo;
    a.ntaps[kind] = (uint32_t)job->filter[kind][d].ntaps;
  }
  memcpy(a.phase, axis->phase, sizeof a.phase);
  a.periodic = axis->periodic;
  a.turns = axis->turns;
  return a;
}

/* The arguments of a call with so many vectors, but for how it is cut. */
CONVK_LOCAL_ void convk_sums_arguments_of_(const convk_sums_call_ *c, size_t vectors, CONVK_ARGUMENTS_(sums) * a) {
  const convk_sums_job_ *const job = &c->job;
  int d;
  memset(a, 0, sizeof *a);
  a->x = convk_sums_axis_arguments_(job, 0);
  a->y = convk_sums_axis_arguments_(job, 1);
  a->z = convk_sums_axis_arguments_(job, 2);
  a->in_v = job->in_stride;
  a->out_y = job->go.pitch_y;
  a->out_z = job->go.pitch_z;
  a->out_v = job->out_stride;
  a->add_y = job->ga.pitch_y;
  a->add_z = job->ga.pitch_z;
  a->add_v = job->add_stride;
  a->potential_y = job->gv.pitch_y;
  a->potential_z = job->gv.pitch_z;
  a->vectors = vectors;
  for (d = 0; d < 3; d++) {
    if (job->mixed[d]) a->has |= (uint32_t)CONVK_SUMS_HAS_MIXED_ << d;
    a->mixed[d] = job->terms.mixed[d];
  }
  if (job->any_imag) a->has |= CONVK_SUMS_HAS_IMAG_;
  if (c->potential) a->has |= CONVK_SUMS_HAS_V_;
  if (c->potential || job->terms.shift != 0) a->has |= CONVK_SUMS_HAS_X_;
  if (c->add) a->has |= CONVK_SUMS_HAS_ADD_;
  if (c->out) a->has |= CONVK_SUMS_HAS_OUT_;
  a->potential_factor = job->terms.potential_factor;
  a->shift = job->terms.shift;
  a->add_factor = job->terms.add_factor;
}

/* An axis of an array between two filters. */
CONVK_LOCAL_ convk_sums_axis_device_ convk_sums_plain_(size_t n, size_t pitch) {
  convk_sums_axis_device_ a;
  memset(&a, 0, sizeof a);
  a.n = a.m = n;
  a.pitch = pitch;
  return a;
}

/* Mixed term d of a vector: its first filter, of z where there is one, from the input to the half; the other one from there. */
CONVK_LOCAL_ int convk_sums_product_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, const convk_sums_room_ *parts, int d,
                                     size_t vector, CONVK_ARRAY_(void) base) {
  const convk_sums_job_ *const job = &c->job;
  const int inner = d == CONVK_SUMS_OF_XY_ ? 1 : 2, outer = d == CONVK_SUMS_OF_YZ_ ? 1 : 0;
  const convk_sums_filter_ *const fi = &job->filter[CONVK_SUMS_FIRST_][inner], *const fo =
                                                                                   &job->filter[CONVK_SUMS_FIRST_][outer];
  CONVK_ARGUMENTS_(sums) a;
  convk_sums_axis_device_ *axis[3], *of;
  int status;
  convk_sums_arguments_of_(c, 1, &a);
  axis[0] = &a.x;
  axis[1] = &a.y;
  axis[2] = &a.z;
  a.along = (uint32_t)inner;
  axis[inner]->lo[0] = fi->lo;
  axis[inner]->ntaps[0] = (uint32_t)fi->ntaps;
  if (outer == 0) { /* all that x has, without an end */
    a.x.m = a.x.n;
    a.x.origin = 0;
  } else { /* rows that y sees, beyond its ends as well */
    a.y.m += fo->ntaps - 1;
    a.y.origin += fo->lo;
  }
  status = convk_sums_single_(call, c, &a, fi, parts, -1, vector, base);
  if (status) return status;
  of = axis[outer];
  a.x = convk_sums_plain_((size_t)a.x.m, 1);
  a.y = convk_sums_plain_((size_t)a.y.m, (size_t)a.x.m);
  a.z = convk_sums_plain_((size_t)a.z.m, (size_t)(a.x.m * a.y.m));
  a.along = (uint32_t)outer;
  of->m = job->axis[outer].m;
  of->ntaps[0] = (uint32_t)fo->ntaps;
  if (outer == 0) {
    of->lo[0] = fo->lo;
    of->origin = job->axis[0].origin;
    of->periodic = job->axis[0].periodic;
    of->turns = job->axis[0].turns;
    memcpy(of->phase, job->axis[0].phase, sizeof of->phase);
  }
  return convk_sums_single_(call, c, &a, fo, parts, d, vector, base);
}

CONVK_LOCAL_ int convk_sums_start_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *c, const convk_sums_room_ *parts,
                                   CONVK_ARRAY_(void) base) {
  const convk_sums_job_ *const job = &c->job;
  const int mixed = job->mixed[0] || job->mixed[1] || job->mixed[2];
  const size_t some = mixed ? 1 : job->vectors;
  CONVK_ARGUMENTS_(sums) a;
  size_t first;
  int d, status = CONVK_OK;
  for (first = 0; first < job->vectors && !status; first += some) {
    for (d = 0; d < 3 && !status; d++)
      if (job->mixed[d]) status = convk_sums_product_(call, c, parts, d, first, base);
    convk_sums_arguments_of_(c, some, &a);
    if (!status) status = convk_sums_points_(call, c, &a, parts, first, base);
  }
  return status || !c->sums ? status : convk_sums_total_(call, c, parts, base);
}

/* ---- device memory ---- */

/* The terms of a call, but for its arrays. */
CONVK_LOCAL_ const convk_sumconv_terms *convk_sums_here_(const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                         convk_sumconv_terms *here) {
  memset(here, 0, sizeof *here);
  if (!terms) return NULL;
  memcpy(here->filter, terms->filter, sizeof here->filter);
  memcpy(here->imag, terms->imag, sizeof here->imag);
  memcpy(here->first, terms->first, sizeof here->first);
  memcpy(here->mixed, terms->mixed, sizeof here->mixed);
  memcpy(here->phase, terms->phase, sizeof here->phase);
  here->potential_factor = terms->potential_factor;
  here->shift = terms->shift;
  here->add_factor = terms->add_factor;
  return here;
}

/* Both calls, and their queries, which have no arrays and count with sums; step: numbers of an element. */
CONVK_LOCAL_ int convk_sums_on_(CONVK_DEVICE_(frame) f, const convk_sumconv3d_shape *shape,
                                const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, size_t step, CONVK_ARRAY_(const CONVK_T) in,
                                CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(convk_sumconv_sums) sums) {
  const size_t s = sizeof(CONVK_T), element = step * sizeof(CONVK_T);
  const int may = CONVK_PLACE_OPTIONAL_, put = CONVK_PLACE_OPTIONAL_ | CONVK_PLACE_WRITTEN_;
  convk_sums_room_ parts = {0, 0, 0, 0, 0};
  convk_sumconv_terms here;
  convk_sums_call_ c;
  size_t all, ins;
  memset(&c, 0, sizeof c);
  if (!f.status) f.status = convk_sums_grids_(f.message, shape, convk_sums_here_(terms, &here), step, &c.job);
  if (!f.status && !f.query) f.status = convk_sums_numbers_(f.message, &here, &c.job);
  if (c.job.any_phase) CONVK_DEVICE_(frame_doubles)(&f);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  c.at.in = in;
  c.at.potential = terms->potential;
  c.at.add = terms->add;
  c.at.out = out;
  c.at.sums = sums;
  c.potential = CONVK_DEVICE_(is_set)(c.at.potential);
  c.add = CONVK_DEVICE_(is_set)(c.at.add);
  c.out = CONVK_DEVICE_(is_set)(out);
  c.sums = f.query || CONVK_DEVICE_(is_set)(sums);
  if (!c.out && !c.sums) f.status = convk_refuse_(f.message, CONVK_ERR_NULL, "out and sums are NULL");
  ins = (c.job.vectors - 1) * c.job.in_stride + c.job.in_span;
  all = (c.job.vectors - 1) * c.job.out_stride + c.job.out_span;
  CONVK_DEVICE_(frame_place)(&f, "in", in, ins, element, 0);
  CONVK_DEVICE_(frame_place)(&f, "out", out, all, element, put | CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "terms->potential", c.at.potential, c.job.out_span, s, may);
  CONVK_DEVICE_(frame_place)(&f, "terms->add", c.at.add, all, element, may | CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "sums", sums, c.job.vectors, sizeof(convk_sumconv_sums), put);
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status) f.status = convk_sums_room_of_(f.message, &c.job, c.sums, &parts);
  if (CONVK_DEVICE_(frame_work)(&f, parts.need)) f.status = convk_sums_start_(&f.call, &c, &parts, f.work);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_sumconv3d_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                        const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, CONVK_ARRAY_(const CONVK_T) in,
                                        CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(convk_sumconv_sums) sums,
                                        CONVK_ARRAY_(void) work, size_t work_size) {
  const unsigned doubles = (unsigned)CONVK_DEVICE_(is_set)(sums);
  return convk_sums_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), doubles, work, work_size), shape, terms, 1, in, out, sums);
}
CONVK_API_ int convk_sumconv3d_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                CONVK_ARRAY_(convk_sumconv_sums) sums, CONVK_ARRAY_(void) work,
                                                size_t work_size) {
  const unsigned doubles = (unsigned)CONVK_DEVICE_(is_set)(sums);
  return convk_sums_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), doubles, work, work_size), shape, terms, 2, in, out, sums);
}
CONVK_API_ int convk_sumconv3d_work_size_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                  const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, size_t *bytes) {
  return convk_sums_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, terms, 1, CONVK_DEVICE_(none)(), CONVK_DEVICE_(none)(),
                        CONVK_DEVICE_(none)());
}
CONVK_API_ int convk_sumconv3d_work_size_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                          const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, size_t *bytes) {
  return convk_sums_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, terms, 2, CONVK_DEVICE_(none)(), CONVK_DEVICE_(none)(),
                        CONVK_DEVICE_(none)());
}

/* ---- host arrays: a part is a vector ---- */

/* All steps of a Chebyshev filter: cheb_device.h. */
CONVK_LOCAL_ int convk_chebyshev_start_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *original,
                                        const convk_sums_room_ *parts, const convk_chebyshev_steps_ *begin, int degree,
                                        size_t between, CONVK_ARRAY_(void) base);

typedef struct convk_sums_arrays_ {
  CONVK_DEVICE_(vectors) v;
  convk_sums_call_ c; /* of one vector, on packed grids */
  convk_sums_room_ parts;
  const convk_chebyshev_steps_ *steps; /* NULL: none */
  int degree;
  size_t between;     /* bytes between steps */
  convk_grid3 gi, go; /* the caller's */
} convk_sums_arrays_;

CONVK_LOCAL_ int convk_sums_work_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_sums_arrays_ *const a = (const convk_sums_arrays_ *)arrays;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_ARRAY_(void) work = CONVK_DEVICE_(array_of)(a->v.at[CONVK_DEVICE_WORK_]);
  const size_t sums = (a->v.first + part) * sizeof(convk_sumconv_sums);
  const int apart = a->v.of[CONVK_VECTORS_MORE_].array != NULL; /* what is added; else it is what the output has */
  convk_sums_call_ c = a->c;
  int status;
  c.at.in = CONVK_DEVICE_(vectors_array)(&a->v, CONVK_VECTORS_IN_, slot);
  c.at.out = CONVK_DEVICE_(vectors_array)(&a->v, CONVK_VECTORS_OUT_, slot);
  c.at.add = CONVK_DEVICE_(vectors_array)(&a->v, apart ? CONVK_VECTORS_MORE_ : CONVK_VECTORS_OUT_, slot);
  c.at.potential = CONVK_DEVICE_(array_of)(a->v.at[CONVK_DEVICE_MORE_0_]);
  c.at.sums = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(a->v.at[CONVK_DEVICE_MORE_2_]), sums, sizeof(convk_sumconv_sums));
  status = a->steps ? convk_chebyshev_start_(&call, &c, &a->parts, a->steps, a->degree, a->between, work)
                    : convk_sums_start_(&call, &c, &a->parts, work);
  return CONVK_DEVICE_(call_end)(&call, status);
}

/* A checked call, its work memory being known. */
CONVK_LOCAL_ int convk_sums_host_run_(CONVK_DEVICE_(host) *host, convk_sums_arrays_ *a, const convk_sumconv_terms *terms,
                                      const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums, size_t vectors) {
  const int in_place = terms->add && terms->add == out;
  convk_sums_job_ *const job = &a->c.job;
  const size_t element = job->step * sizeof(CONVK_T);
  a->c.potential = terms->potential != NULL;
  a->c.add = terms->add != NULL;
  a->c.out = out != NULL;
  a->c.sums = sums != NULL;
  a->gi = job->gi;
  a->go = job->go;
  job->gi = convk_packed_(&a->gi);
  job->go = job->ga = job->gv = convk_packed_(&a->go);
  a->v.of[CONVK_VECTORS_IN_] = convk_staged_of_(CONVK_DEVICE_IN_, &a->gi, element, in, 1, 0);
  a->v.of[CONVK_VECTORS_OUT_] = convk_staged_of_(CONVK_DEVICE_OUT_, &a->go, element, out, in_place, 1);
  a->v.of[CONVK_VECTORS_MORE_] = convk_staged_of_(CONVK_DEVICE_MORE_1_, &a->go, element, in_place ? NULL : terms->add, 1, 0);
  a->v.once = convk_staged_of_(CONVK_DEVICE_MORE_0_, &a->go, sizeof(CONVK_T), terms->potential, 1, 0);
  a->v.stride[CONVK_VECTORS_IN_] = job->in_stride;
  a->v.stride[CONVK_VECTORS_OUT_] = a->v.stride[CONVK_VECTORS_MORE_] = job->out_stride;
  a->v.results = sums;
  a->v.result = sizeof *sums;
  a->v.vectors = vectors;
  return CONVK_DEVICE_(vectors_run)(host, &a->v, convk_sums_work_);
}

CONVK_LOCAL_ int convk_sums_host_(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms, size_t step,
                                  const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums) {
  CONVK_DEVICE_(host) *host = NULL;
  convk_sums_arrays_ a;
  convk_sums_job_ *const job = &a.c.job;
  size_t vectors;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  memset(&a, 0, sizeof a);
  if (!status) status = convk_sums_check_(convk_message_(hw), shape, terms, step, in, out, sums, NULL, 0, job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), (unsigned)(sums || job->any_phase));
  vectors = job->vectors;
  job->vectors = 1;
  if (!status) status = convk_sums_room_of_(convk_message_(hw), job, sums != NULL, &a.parts);
  a.v.need = a.parts.need;
  return status ? status : convk_sums_host_run_(host, &a, terms, in, out, sums, vectors);
}

CONVK_API_ int convk_sumconv3d_device(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                      const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_sums_host_(hw, shape, terms, 1, in, out, sums);
}
CONVK_API_ int convk_sumconv3d_complex_device(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                              const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums, void *work,
                                              size_t work_size) {
  (void)(work && work_size);
  return convk_sums_host_(hw, shape, terms, 2, in, out, sums);
}

/* ---- src/sums/chebyshev_device.h ---- */
/* ---- Chebyshev filters on a device: the kernels of sums, step by step ---- */

/* As convk_chebyshev_steps_all_: into the output and a packed array at the beginning of `base`, in turn; behind this the work
   of each step. */
CONVK_LOCAL_ int convk_chebyshev_start_(CONVK_DEVICE_(call) *call, const convk_sums_call_ *original,
                                        const convk_sums_room_ *parts, const convk_chebyshev_steps_ *begin, int degree,
                                        size_t between, CONVK_ARRAY_(void) base) {
  const size_t element = original->job.step * sizeof(CONVK_T);
  const convk_grid3 gi = original->job.gi, grid[2] = {original->job.go, convk_packed_(&original->job.go)};
  const size_t stride[2] = {original->job.out_stride, grid[1].nz * grid[1].pitch_z};
  CONVK_ARRAY_(void) work = base;
  convk_chebyshev_steps_ s = *begin;
  convk_sums_call_ c = *original;
  CONVK_ARRAY_(CONVK_T) to[2];
  int k, status = CONVK_OK;
  to[0] = to[1] = original->at.out;
  if (between) {
    to[1] = CONVK_DEVICE_(array_at)(base, 0, element);
    work = CONVK_DEVICE_(array_at)(base, between, 1);
  }
  for (k = 0; k < degree && !status; k++) {
    const int now = (degree - 1 - k) % 2;
    (void)convk_chebyshev_terms_(&s, k, &c.job);
    c.at.out = to[now];
    c.job.go = grid[now];
    c.job.out_stride = stride[now];
    if (k) {
      c.at.in = to[!now];
      c.job.gi = grid[!now];
      c.job.in_stride = stride[!now];
      c.add = 1;
      c.at.add = to[now];
      c.job.ga = grid[now];
      c.job.add_stride = stride[now];
    }
    if (k == 1) {
      c.at.add = original->at.in;
      c.job.ga = gi;
      c.job.add_stride = original->job.in_stride;
    }
    status = convk_sums_start_(call, &c, parts, work);
  }
  return status;
}

/* Work of a call with grids: the array between steps, and what each of them needs. */
CONVK_LOCAL_ int convk_chebyshev_room_(char *message, const convk_sums_job_ *job, int degree, convk_sums_room_ *parts,
                                       size_t *between, size_t *need) {
  const size_t all = job->vectors * job->go.nx * job->go.ny * job->go.nz * job->step * sizeof(CONVK_T);
  const int status = convk_sums_room_of_(message, job, 0, parts);
  *between = degree > 1 ? convk_round_up_(all, 256) : 0;
  *need = *between + parts->need;
  if (*between && !parts->need) *need += 256;
  return status;
}

/* ---- device memory ---- */

/* Grids of a call, and its terms but for their arrays. */
CONVK_LOCAL_ int convk_chebyshev_grids_device_(char *message, const convk_sumconv3d_shape *shape,
                                               const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                               size_t step, convk_sumconv_terms *here, convk_sums_job_ *job) {
  size_t unused;
  const int status = convk_chebyshev_grids_(message, shape, convk_sums_here_(terms, here), filter, step, job, &unused);
  if (status) return status;
  return CONVK_DEVICE_(is_set)(terms->add)
             ? convk_refuse_(message, CONVK_ERR_OPTION, "terms->add is set, where the filter has its own")
             : CONVK_OK;
}

/* Both calls, and their queries, which have no arrays; step: numbers of an element. */
CONVK_LOCAL_ int convk_chebyshev_on_(CONVK_DEVICE_(frame) f, const convk_sumconv3d_shape *shape,
                                     const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                     size_t step, CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out) {
  const size_t s = sizeof(CONVK_T), element = step * sizeof(CONVK_T);
  convk_chebyshev_steps_ steps;
  convk_sumconv_terms here;
  convk_sums_room_ parts;
  convk_sums_call_ c;
  size_t all, ins, between = 0, need = 0;
  memset(&c, 0, sizeof c);
  if (!f.status) f.status = convk_chebyshev_grids_device_(f.message, shape, terms, filter, step, &here, &c.job);
  if (!f.status && !f.query) f.status = convk_sums_numbers_(f.message, &here, &c.job);
  if (c.job.any_phase) CONVK_DEVICE_(frame_doubles)(&f);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  c.at.in = in;
  c.at.potential = terms->potential;
  c.at.out = out;
  c.potential = CONVK_DEVICE_(is_set)(c.at.potential);
  c.out = 1;
  ins = (c.job.vectors - 1) * c.job.in_stride + c.job.in_span;
  all = (c.job.vectors - 1) * c.job.out_stride + c.job.out_span;
  CONVK_DEVICE_(frame_place)(&f, "in", in, ins, element, 0);
  CONVK_DEVICE_(frame_place)(&f, "out", out, all, element, CONVK_PLACE_WRITTEN_);
  CONVK_DEVICE_(frame_place)(&f, "terms->potential", c.at.potential, c.job.out_span, s, CONVK_PLACE_OPTIONAL_);
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status) f.status = convk_chebyshev_room_(f.message, &c.job, filter->degree, &parts, &between, &need);
  if (!f.status && !f.query) f.status = convk_chebyshev_check_(f.message, filter, &c.job, &steps);
  if (CONVK_DEVICE_(frame_work)(&f, need))
    f.status = convk_chebyshev_start_(&f.call, &c, &parts, &steps, filter->degree, between, f.work);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_chebyshev3d_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                          const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                          CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work,
                                          size_t work_size) {
  return convk_chebyshev_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, terms, filter, 1, in,
                             out);
}
CONVK_API_ int convk_chebyshev3d_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                  const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                  const convk_chebyshev *filter, CONVK_ARRAY_(const CONVK_T) in,
                                                  CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_chebyshev_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size), shape, terms, filter, 2, in,
                             out);
}
CONVK_API_ int convk_chebyshev3d_work_size_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                    const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                    const convk_chebyshev *filter, size_t *bytes) {
  return convk_chebyshev_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, terms, filter, 1, CONVK_DEVICE_(none)(),
                             CONVK_DEVICE_(none)());
}
CONVK_API_ int convk_chebyshev3d_work_size_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                            const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                            const convk_chebyshev *filter, size_t *bytes) {
  return convk_chebyshev_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, terms, filter, 2, CONVK_DEVICE_(none)(),
                             CONVK_DEVICE_(none)());
}

/* ---- host arrays: a vector comes, goes through all steps, and goes back ---- */

CONVK_LOCAL_ int convk_chebyshev_host_(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                       const convk_chebyshev *filter, size_t step, const CONVK_T *in, CONVK_T *out) {
  char *const message = convk_message_(hw);
  CONVK_DEVICE_(host) *host = NULL;
  convk_chebyshev_steps_ steps;
  convk_sums_arrays_ a;
  convk_sums_job_ *const job = &a.c.job;
  size_t vectors, unused;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  memset(&a, 0, sizeof a);
  if (!status) status = convk_chebyshev_grids_(message, shape, terms, filter, step, job, &unused);
  if (!status) status = convk_need_(message, "out", out);
  if (!status) status = convk_sums_check_(message, shape, terms, step, in, out, NULL, NULL, 0, job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), (unsigned)job->any_phase);
  if (status) return status;
  vectors = job->vectors;
  job->vectors = 1;
  status = convk_chebyshev_room_(message, job, filter->degree, &a.parts, &a.between, &a.v.need);
  if (!status) status = convk_chebyshev_check_(message, filter, job, &steps);
  if (status) return status;
  a.steps = &steps;
  a.degree = filter->degree;
  return convk_sums_host_run_(host, &a, terms, in, out, NULL, vectors);
}

CONVK_API_ int convk_chebyshev3d_device(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                        const convk_chebyshev *filter, const CONVK_T *in, CONVK_T *out, void *work,
                                        size_t work_size) {
  (void)(work && work_size);
  return convk_chebyshev_host_(hw, shape, terms, filter, 1, in, out);
}
CONVK_API_ int convk_chebyshev3d_complex_device(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                                const convk_chebyshev *filter, const CONVK_T *in, CONVK_T *out, void *work,
                                                size_t work_size) {
  (void)(work && work_size);
  return convk_chebyshev_host_(hw, shape, terms, filter, 2, in, out);
}
/* ---- src/sums/cuda.h ---- */
CONVK_LOCAL_ int convk_sums_single_(convk_cuda_call_ *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * arguments,
                                    const convk_sums_filter_ *f, const convk_sums_room_ *parts, int product, size_t first,
                                    void *base) {
  const size_t step = c->job.step, all = c->job.axis[0].m * c->job.axis[1].m * c->job.axis[2].m * step;
  CONVK_T *const half = convk_cuda_array_at_(base, parts->half, sizeof(CONVK_T));
  CONVK_T *const products = convk_cuda_array_at_(base, parts->products, sizeof(CONVK_T));
  convk_cuda_along_args_<CONVK_T> a = convk_cuda_along_args_<CONVK_T>();
  *(CONVK_ARGUMENTS_(sums) *)&a = *arguments;
  a.in = product < 0 ? c->at.in + first * c->job.in_stride * step : half;
  a.out = product < 0 ? half : products + (size_t)product * all;
  a.taps = convk_cuda_filters_taps_(f->taps, f->ntaps);
  return convk_cuda_start_(step == 1 ? convk_cuda_sums_single_<CONVK_T, 1> : convk_cuda_sums_single_<CONVK_T, 2>,
                           convk_ceil_(a.x.m * a.y.m * a.z.m, CONVK_CUDA_SUMS_THREADS_), CONVK_CUDA_SUMS_THREADS_, call->stream,
                           a);
}

/* How far all filters reach to both sides, if there is a kernel for that; else 0. */
CONVK_LOCAL_ int convk_cuda_sums_reach_(const convk_sums_job_ *job) {
  const ptrdiff_t reach = -job->filter[CONVK_SUMS_FILTER_][0].lo;
  const size_t limit = (size_t)1 << 30; /* of places within a vector: they have 31 bits, with those beyond its end */
  int d, kind;
  for (d = 0; d < 3; d++) {
    const convk_sums_axis_ *const axis = &job->axis[d];
    for (kind = CONVK_SUMS_FILTER_; kind <= CONVK_SUMS_IMAG_; kind++) {
      const convk_sums_filter_ *const f = &job->filter[kind][d];
      if (kind == CONVK_SUMS_IMAG_ && !f->ntaps) continue;
      if (f->lo != -reach || (ptrdiff_t)f->ntaps != 2 * reach + 1) return 0;
    }
    if (job->mixed[d] || axis->origin || axis->n != axis->m) return 0;
    if (axis->n < (size_t)reach) return 0;
  }
  return job->in_span < limit / job->step && job->out_span < limit / job->step ? (int)reach : 0;
}

/* Starts bricks; blocks are small where there are few. */
template <class real_, int step_, int reach_, int sums_, int imag_>
static int convk_cuda_sums_go_(convk_cuda_call_ *call, convk_cuda_sums_args_<real_> *a) {
  typedef convk_cuda_sums_brick_<real_, step_, reach_, sums_, imag_> brick;
  const size_t numbers = a->x.m * step_, enough = 264; /* two for each multiprocessor of an H100 */
  const int least = CONVK_CUDA_SUMS_THREADS_LEAST_;
  size_t blocks = 0;
  int threads;
  a->tiles_y = convk_ceil_(a->y.m, brick::rows_ * brick::beside_);
  for (threads = CONVK_CUDA_SUMS_THREADS_; threads >= least; threads /= 4) {
    const size_t planes = brick::planes_ * (size_t)(threads / least);
    a->chunks = convk_ceil_(a->z.m, planes);
    blocks = a->tiles_y * a->chunks * a->vectors;
    a->chunk = numbers;
    if (!sums_) a->chunk = convk_round_up_(convk_ceil_(numbers, convk_ceil_(CONVK_CUDA_ENOUGH_BLOCKS_, blocks)), brick::lanes_);
    a->tiles_x = convk_ceil_(numbers, a->chunk);
    blocks *= a->tiles_x;
    if (blocks >= enough || threads == least) break;
  }
  return convk_cuda_start_(convk_cuda_sums_bricks_<real_, step_, reach_, sums_, imag_>, blocks, threads, call->stream, *a,
                           (size_t)(threads / brick::lanes_) * brick::stage_ * sizeof(real_));
}

/* The kernel of this reach, or that of any: those are there that pay for the seconds that they take to compile: finite
   differences of all usual orders for real numbers, few for complex ones and for sums; and 29 taps of wavelets. */
template <class real_, int step_, int sums_>
static int convk_cuda_sums_choose_(convk_cuda_call_ *call, int reach, int imag, convk_cuda_sums_args_<real_> *a) {
  const int real = step_ == 1, plain = real && !sums_, some = real || !sums_, pairs = !real;
  if (imag && pairs)
    return reach == 14 ? convk_cuda_sums_go_<real_, step_, 14, sums_, pairs>(call, a)
                       : convk_cuda_sums_go_<real_, step_, 0, sums_, pairs>(call, a);
  return reach == 1    ? convk_cuda_sums_go_ < real_, step_, some ? 1 : 0, sums_,
         0 > (call, a) : reach == 2 ? convk_cuda_sums_go_ < real_, step_, plain ? 2 : 0, sums_,
         0 > (call, a) : reach == 3 ? convk_cuda_sums_go_ < real_, step_, plain ? 3 : 0, sums_,
         0 > (call, a)
     : reach == 4 ? convk_cuda_sums_go_<real_, step_, 4, sums_, 0>(call, a)
                  : reach == 6
         ? convk_cuda_sums_go_ < real_,
         step_, real ? 6 : 0, sums_, 0 > (call, a) : reach == 8 ? convk_cuda_sums_go_ < real_, step_, some ? 8 : 0, sums_,
         0 > (call, a)
     : reach == 14 ? convk_cuda_sums_go_<real_, step_, 14, sums_, 0>(call, a)
                   : convk_cuda_sums_go_<real_, step_, 0, sums_, 0>(call, a);
}

CONVK_LOCAL_ int convk_sums_points_(convk_cuda_call_ *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * arguments,
                                    const convk_sums_room_ *parts, size_t first, void *base) {
  const size_t step = c->job.step, rows = c->job.axis[1].m * c->job.axis[2].m;
  const int reach = convk_cuda_sums_reach_(&c->job), imag = c->job.any_imag;
  convk_cuda_sums_args_<CONVK_T> a = convk_cuda_sums_args_<CONVK_T>();
  size_t d;
  *(CONVK_ARGUMENTS_(sums) *)&a = *arguments;
  a.in = c->at.in + first * c->job.in_stride * step;
  a.products = convk_cuda_array_at_(base, parts->products, sizeof(CONVK_T));
  a.potential = c->at.potential;
  a.add = c->add ? c->at.add + first * c->job.add_stride * step : NULL;
  a.out = c->out ? c->at.out + first * c->job.out_stride * step : NULL;
  for (d = 0; d < 3; d++) {
    a.taps[d] = convk_cuda_filters_taps_(c->job.filter[CONVK_SUMS_FILTER_][d].taps, c->job.filter[CONVK_SUMS_FILTER_][d].ntaps);
    a.imag[d] = convk_cuda_filters_taps_(c->job.filter[CONVK_SUMS_IMAG_][d].taps, c->job.filter[CONVK_SUMS_IMAG_][d].ntaps);
  }
  a.rows = c->sums ? (double *)convk_cuda_array_at_(base, parts->rows, sizeof(double)) + first * 8 * rows : NULL;
  if (step == 1)
    return c->sums ? convk_cuda_sums_choose_<CONVK_T, 1, 1>(call, reach, imag, &a)
                   : convk_cuda_sums_choose_<CONVK_T, 1, 0>(call, reach, imag, &a);
  return c->sums ? convk_cuda_sums_choose_<CONVK_T, 2, 1>(call, reach, imag, &a)
                 : convk_cuda_sums_choose_<CONVK_T, 2, 0>(call, reach, imag, &a);
}

CONVK_LOCAL_ int convk_sums_total_(convk_cuda_call_ *call, const convk_sums_call_ *c, const convk_sums_room_ *parts,
                                   void *base) {
  convk_cuda_sums_total_args_ a;
  a.ny = c->job.axis[1].m;
  a.nz = c->job.axis[2].m;
  a.rows = convk_cuda_array_at_(base, parts->rows, sizeof(double));
  if (c->axes) a.rows += 4 * a.ny * a.nz;
  a.planes = convk_cuda_array_at_(base, parts->planes, sizeof(double));
  a.total = c->axes ? c->at.energies : c->at.sums->dot;
  a.count = c->axes ? c->axes : 8 * c->job.vectors;
  return convk_cuda_start_(convk_cuda_sums_total_<convk_cuda_sums_total_args_>, a.count, CONVK_CUDA_SUMS_THREADS_, call->stream,
                           a);
}
#endif
#if CONVK_HAS_HAMILTONIAN_
/* ---- src/hamiltonian/device.h ---- */
/* ---- the Hamiltonian in wavelets on a device: the calls that it consists of, one after another ---- */

/* Both parts of complex numbers, in arrays of their own that lie `apart` elements apart, and back: see
   convk_hamiltonian_parts_ (hamiltonian.h). */
typedef struct convk_hamiltonian_sides_ {
  CONVK_ARRAY_(CONVK_T) parts;
  CONVK_ARRAY_(const CONVK_T) in;
  CONVK_ARRAY_(CONVK_T) numbers;
  convk_grid3 grid, whole;
  size_t apart;
  int join, add;
} convk_hamiltonian_sides_;

/* What a device does: hamiltonian_opencl_calls.h, hamiltonian_cuda.h.  `count` sums of `each` numbers go to another place, by
   way of a third. */
CONVK_LOCAL_ int convk_hamiltonian_split_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_sides_ *s);
CONVK_LOCAL_ int convk_hamiltonian_pick_(CONVK_DEVICE_(call) *call, CONVK_ARRAY_(const double) from,
                                         CONVK_ARRAY_(double) between, CONVK_ARRAY_(double) to, size_t count, size_t each);

/* The kernel's arguments. */
CONVK_LOCAL_ void convk_hamiltonian_parts_of_(const convk_hamiltonian_sides_ *s, CONVK_ARGUMENTS_(parts) * a) {
  memset(a, 0, sizeof *a);
  a->nx = s->grid.nx;
  a->ny = s->grid.ny;
  a->nz = s->grid.nz;
  a->pitch_y = s->grid.pitch_y;
  a->pitch_z = s->grid.pitch_z;
  a->whole_y = s->whole.pitch_y;
  a->whole_z = s->whole.pitch_z;
  a->apart = s->apart;
  a->join = (uint32_t)s->join;
  a->add = (uint32_t)s->add;
}

/* All calls of a vector, checked.  In work memory: scaling coefficients; at `other` what V made of them, and then all of H; of
   complex numbers both parts of these, and at `joined` numbers, or parts of the wavelets' coefficients; at `sums` the
   energies of both parts, and room for their sum; from `rest` on values and the work of each call. */
typedef struct convk_hamiltonian_device_ {
  convk_wavelets_call_ wavelets;
  convk_wavelets_parts_ dwt[2]; /* analysis, synthesis */
  convk_filters_call_ values[2];
  convk_filters_parts_ parts[2];
  convk_sums_call_ sum;
  convk_sums_room_ room;
  int potential, energies;
  size_t step, apart, bytes, other, joined, sums, rest, need; /* bytes: of values */
  convk_grid3 whole;                                          /* of complex orbitals */
} convk_hamiltonian_device_;

CONVK_LOCAL_ int convk_hamiltonian_plan_(char *message, const convk_hamiltonian_job_ *job, int potential, int energies,
                                         convk_hamiltonian_device_ *h) {
  const convk_wavelet wavelet = convk_wavelet_taps(CONVK_WAVELET_DAUBECHIES16);
  convk_sumconv_terms terms = job->terms;
  convk_potential_shapes_ shapes;
  size_t end = 0, at, need = 0, max_need = 0;
  int i, status;
  memset(h, 0, sizeof *h);
  memset(&shapes, 0, sizeof shapes);
  h->potential = potential;
  h->energies = energies;
  terms.add_factor = (CONVK_T)(potential && job->step == 1);
  shapes.to_values = job->to_values;
  shapes.potential = job->full.values;
  shapes.back = job->back;
  shapes.bytes = h->bytes = job->to_values.out.nz * job->to_values.out.pitch_z * sizeof(CONVK_T);
  h->step = job->step;
  h->apart = job->apart;
  h->whole = job->full.wavelets;
  status = convk_reserve_(&end, h->step, job->apart, 1, sizeof(CONVK_T), &at);
  if (!status) status = convk_reserve_(&end, h->step, job->apart, 1, sizeof(CONVK_T), &h->other);
  if (!status) status = convk_reserve_(&end, h->step > 1 ? 2 : 0, job->apart, 1, sizeof(CONVK_T), &h->joined);
  if (!status) status = convk_reserve_(&end, 4, 1, 1, sizeof(double), &h->sums);
  if (status) return convk_refuse_(message, status, "shape needs more work than can be counted in bytes");
  h->rest = end;
  status = convk_wavelets_shapes_(message, &job->wavelets, wavelet.lo, wavelet.up, &h->wavelets);
  for (i = 0; i < 2 && !status; i++) {
    status = convk_wavelets_parts_of_(message, &h->wavelets, &wavelet, i, &h->dwt[i]);
    if (h->dwt[i].need > max_need) max_need = h->dwt[i].need;
  }
  if (!status && potential) status = convk_potential_parts_(message, &shapes, energies, h->values, h->parts, &need);
  if (need > max_need) max_need = need;
  if (!status) status = convk_sums_grids_(message, &job->sum, &terms, job->step, &h->sum.job);
  if (!status) status = convk_sums_numbers_(message, &terms, &h->sum.job);
  if (!status) status = convk_sums_room_of_(message, &h->sum.job, energies, &h->room);
  if (h->room.need > max_need) max_need = h->room.need;
  h->sum.add = potential && job->step == 1;
  h->sum.out = 1;
  h->sum.sums = energies;
  h->need = end + max_need + 256;
  if (!status && (max_need > (size_t)-1 / 4 || end > (size_t)-1 / 4))
    status = convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape needs more work than can be counted in bytes");
  return status;
}

/* IMF V MF from one array to another; the energy to `energy`. */
CONVK_LOCAL_ int convk_hamiltonian_values_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_device_ *h,
                                           CONVK_ARRAY_(CONVK_T) fine, CONVK_ARRAY_(CONVK_T) out,
                                           CONVK_ARRAY_(const CONVK_T) potential, CONVK_ARRAY_(double) energy,
                                           CONVK_ARRAY_(void) work) {
  convk_filters_call_ c[2];
  memcpy(c, h->values, sizeof c);
  c[0].in = c[0].same = fine;
  c[0].e.potential = potential;
  if (h->energies) c[0].e.energy = energy;
  c[1].out = out;
  return convk_potential_run_(call, c, h->parts, h->bytes, work);
}

/* Where the energies of axes go, from the sums of sumconv3d; behind them is that of mixed terms, which is 0. */
CONVK_LOCAL_ void convk_hamiltonian_axes_(const convk_hamiltonian_device_ *h, CONVK_ARRAY_(convk_hamiltonian_energies) energies,
                                          size_t v, convk_sums_call_ *sum) {
  const size_t all = sizeof(convk_hamiltonian_energies);
  if (!h->energies) return;
  sum->axes = h->potential ? 3 : 4;
  sum->at.energies = CONVK_DEVICE_(array_part)(energies, all, v * all, sizeof(double));
}

/* The energy of the potential from those of both parts of complex numbers. */
CONVK_LOCAL_ int convk_hamiltonian_fetch_energies_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_device_ *h,
                                                   CONVK_ARRAY_(convk_hamiltonian_energies) energies, size_t v,
                                                   CONVK_ARRAY_(void) base) {
  const size_t d = sizeof(double), all = sizeof(convk_hamiltonian_energies);
  if (!h->energies || !h->potential || h->step == 1) return CONVK_OK;
  return convk_hamiltonian_pick_(call, CONVK_DEVICE_(array_at)(base, h->sums, d),
                                 CONVK_DEVICE_(array_at)(base, h->sums + 2 * d, d),
                                 CONVK_DEVICE_(array_part)(energies, all, v * all + 3 * d, d), 1, 2);
}

CONVK_LOCAL_ int convk_hamiltonian_start_real_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_device_ *h,
                                               CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                               CONVK_ARRAY_(const CONVK_T) potential,
                                               CONVK_ARRAY_(convk_hamiltonian_energies) energies, size_t v,
                                               CONVK_ARRAY_(void) base) {
  const size_t s = sizeof(CONVK_T), d = sizeof(double), all = sizeof(convk_hamiltonian_energies);
  const convk_wavelet wavelet = convk_wavelet_taps(CONVK_WAVELET_DAUBECHIES16);
  CONVK_ARRAY_(CONVK_T) fine = CONVK_DEVICE_(array_at)(base, 0, s);
  CONVK_ARRAY_(CONVK_T) other = CONVK_DEVICE_(array_at)(base, h->other, s);
  CONVK_ARRAY_(void) work = CONVK_DEVICE_(array_at)(base, h->rest, 1);
  CONVK_ARRAY_(double) energy = CONVK_DEVICE_(array_part)(energies, all, v * all + 3 * d, d); /* behind three axes */
  convk_sums_call_ sum = h->sum;
  int status = convk_wavelets_levels_device_(call, &h->wavelets, &wavelet, 1, &h->dwt[1], in, fine, work);
  if (!status && h->potential) status = convk_hamiltonian_values_(call, h, fine, other, potential, energy, work);
  sum.at.in = fine;
  sum.at.add = sum.at.out = other;
  convk_hamiltonian_axes_(h, energies, v, &sum);
  if (!status) status = convk_sums_start_(call, &sum, &h->room, work);
  return status ? status : convk_wavelets_levels_device_(call, &h->wavelets, &wavelet, 0, &h->dwt[0], other, out, work);
}

/* As convk_hamiltonian_complex_ does it for processors. */
CONVK_LOCAL_ int convk_hamiltonian_start_complex_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_device_ *h,
                                                  CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                  CONVK_ARRAY_(const CONVK_T) potential,
                                                  CONVK_ARRAY_(convk_hamiltonian_energies) energies, size_t v,
                                                  CONVK_ARRAY_(void) base) {
  const size_t s = sizeof(CONVK_T), d = sizeof(double), apart = h->apart * sizeof(CONVK_T);
  const convk_wavelet wavelet = convk_wavelet_taps(CONVK_WAVELET_DAUBECHIES16);
  CONVK_ARRAY_(void) work = CONVK_DEVICE_(array_at)(base, h->rest, 1);
  convk_sums_call_ sum = h->sum;
  convk_hamiltonian_sides_ coarse, fine;
  size_t i;
  int status;
  memset(&coarse, 0, sizeof coarse);
  coarse.parts = CONVK_DEVICE_(array_at)(base, h->joined, s);
  coarse.in = in;
  coarse.grid = h->wavelets.full.coarse;
  coarse.whole = h->whole;
  coarse.apart = h->apart;
  fine = coarse;
  fine.grid = fine.whole = h->wavelets.full.fine;
  status = convk_hamiltonian_split_(call, &coarse);
  for (i = 0; i < 2 && !status; i++) {
    CONVK_ARRAY_(CONVK_T) psi = CONVK_DEVICE_(array_at)(base, i * apart, s);
    CONVK_ARRAY_(const CONVK_T) half = CONVK_DEVICE_(array_at)(base, h->joined + i * apart, s);
    status = convk_wavelets_levels_device_(call, &h->wavelets, &wavelet, 1, &h->dwt[1], half, psi, work);
    if (!status && h->potential)
      status = convk_hamiltonian_values_(call, h, psi, CONVK_DEVICE_(array_at)(base, h->other + i * apart, s), potential,
                                         CONVK_DEVICE_(array_at)(base, h->sums + i * d, d), work);
  }
  fine.parts = CONVK_DEVICE_(array_at)(base, 0, s);
  fine.numbers = CONVK_DEVICE_(array_at)(base, h->joined, 2 * s);
  fine.join = 1;
  if (!status) status = convk_hamiltonian_split_(call, &fine);
  sum.at.in = CONVK_DEVICE_(array_at)(base, h->joined, 2 * s);
  sum.at.out = CONVK_DEVICE_(array_at)(base, 0, 2 * s);
  convk_hamiltonian_axes_(h, energies, v, &sum);
  if (!status) status = convk_sums_start_(call, &sum, &h->room, work);
  fine.parts = CONVK_DEVICE_(array_at)(base, h->other, s);
  fine.in = CONVK_DEVICE_(array_at)(base, 0, 2 * s);
  fine.join = 0;
  fine.add = h->potential;
  if (!status) status = convk_hamiltonian_split_(call, &fine);
  for (i = 0; i < 2 && !status; i++) {
    CONVK_ARRAY_(const CONVK_T) result = CONVK_DEVICE_(array_at)(base, h->other + i * apart, s);
    status = convk_wavelets_levels_device_(call, &h->wavelets, &wavelet, 0, &h->dwt[0], result,
                                           CONVK_DEVICE_(array_at)(base, h->joined + i * apart, s), work);
  }
  coarse.numbers = out;
  coarse.join = 1;
  return status ? status : convk_hamiltonian_split_(call, &coarse);
}

/* One vector; v: its number among the energies. */
CONVK_LOCAL_ int convk_hamiltonian_start_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_device_ *h,
                                          CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                          CONVK_ARRAY_(const CONVK_T) potential,
                                          CONVK_ARRAY_(convk_hamiltonian_energies) energies, size_t v,
                                          CONVK_ARRAY_(void) base) {
  const int status = h->step == 1 ? convk_hamiltonian_start_real_(call, h, in, out, potential, energies, v, base)
                                  : convk_hamiltonian_start_complex_(call, h, in, out, potential, energies, v, base);
  return status ? status : convk_hamiltonian_fetch_energies_(call, h, energies, v, base);
}

/* ---- device memory ---- */

/* Both calls, and their queries, which have no arrays and count with a potential and energies; step: numbers of an element. */
CONVK_LOCAL_ int convk_hamiltonian_on_(CONVK_DEVICE_(frame) f, const convk_hamiltonian_shape *shape,
                                       const CONVK_DEVICE_STRUCT_(hamiltonian_terms) * terms, size_t step,
                                       CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                       CONVK_ARRAY_(convk_hamiltonian_energies) energies) {
  const size_t s = sizeof(CONVK_T), element = step * sizeof(CONVK_T), each = sizeof(convk_hamiltonian_energies);
  const int may = CONVK_PLACE_OPTIONAL_, wanted = f.query || CONVK_DEVICE_(is_set)(energies);
  CONVK_ARRAY_(const CONVK_T) potential = CONVK_DEVICE_(none)();
  convk_hamiltonian_terms here;
  convk_hamiltonian_device_ h;
  convk_hamiltonian_job_ job;
  size_t v, ins, outs;
  memset(&here, 0, sizeof here);
  h.need = 0;
  if (terms) {
    memcpy(here.spacing, terms->spacing, sizeof here.spacing);
    memcpy(here.k, terms->k, sizeof here.k);
    here.shift = terms->shift;
    potential = terms->potential;
  }
  if (!f.status) f.status = convk_hamiltonian_shape_(f.message, shape, step, &job);
  if (!f.status && !f.query) f.status = convk_hamiltonian_terms_(f.message, terms ? &here : NULL, &job);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  ins = (job.full.vectors - 1) * job.full.in_stride + job.span[0];
  outs = (job.full.vectors - 1) * job.full.out_stride + job.span[0];
  CONVK_DEVICE_(frame_place)(&f, "terms->potential", potential, job.span[1], s, may);
  CONVK_DEVICE_(frame_place)(&f, "in", in, ins, element, CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "out", out, outs, element, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "energies", energies, job.full.vectors, each, may | CONVK_PLACE_WRITTEN_);
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status) f.status = convk_hamiltonian_plan_(f.message, &job, f.query || CONVK_DEVICE_(is_set)(potential), wanted, &h);
  if (!CONVK_DEVICE_(frame_work)(&f, h.need)) return CONVK_DEVICE_(frame_end)(&f);
  for (v = 0; v < job.full.vectors && !f.status; v++)
    f.status = convk_hamiltonian_start_(
        &f.call, &h, CONVK_DEVICE_(array_part)(in, element, v * job.full.in_stride * element, element),
        CONVK_DEVICE_(array_part)(out, element, v * job.full.out_stride * element, element), potential, energies, v, f.work);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_hamiltonian_apply_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                const CONVK_DEVICE_STRUCT_(hamiltonian_terms) * terms,
                                                CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                CONVK_ARRAY_(convk_hamiltonian_energies) energies, CONVK_ARRAY_(void) work,
                                                size_t work_size) {
  const unsigned doubles = (unsigned)CONVK_DEVICE_(is_set)(energies);
  return convk_hamiltonian_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), doubles, work, work_size), shape, terms, 1, in, out,
                               energies);
}
CONVK_API_ int convk_hamiltonian_apply_complex_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                        const CONVK_DEVICE_STRUCT_(hamiltonian_terms) * terms,
                                                        CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                        CONVK_ARRAY_(convk_hamiltonian_energies) energies,
                                                        CONVK_ARRAY_(void) work, size_t work_size) {
  const unsigned doubles = (unsigned)CONVK_DEVICE_(is_set)(energies);
  return convk_hamiltonian_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), doubles, work, work_size), shape, terms, 2, in, out,
                               energies);
}
CONVK_API_ int convk_hamiltonian_apply_work_size_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape, size_t *bytes) {
  return convk_hamiltonian_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, NULL, 1, CONVK_DEVICE_(none)(),
                               CONVK_DEVICE_(none)(), CONVK_DEVICE_(none)());
}
CONVK_API_ int convk_hamiltonian_apply_work_size_complex_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                                  size_t *bytes) {
  return convk_hamiltonian_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, NULL, 2, CONVK_DEVICE_(none)(),
                               CONVK_DEVICE_(none)(), CONVK_DEVICE_(none)());
}

/* ---- host arrays: a part is a vector ---- */

typedef struct convk_hamiltonian_arrays_ {
  CONVK_DEVICE_(vectors) v;
  convk_hamiltonian_device_ h;
} convk_hamiltonian_arrays_;

CONVK_LOCAL_ int convk_hamiltonian_work_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_hamiltonian_arrays_ *const a = (const convk_hamiltonian_arrays_ *)arrays;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  const int status = convk_hamiltonian_start_(&call, &a->h, CONVK_DEVICE_(vectors_array)(&a->v, CONVK_VECTORS_IN_, slot),
                                              CONVK_DEVICE_(vectors_array)(&a->v, CONVK_VECTORS_OUT_, slot),
                                              CONVK_DEVICE_(array_of)(a->v.at[CONVK_DEVICE_MORE_0_]),
                                              CONVK_DEVICE_(array_of)(a->v.at[CONVK_DEVICE_MORE_2_]), a->v.first + part,
                                              CONVK_DEVICE_(array_of)(a->v.at[CONVK_DEVICE_WORK_]));
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_hamiltonian_host_(convk *hw, const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms *terms,
                                         size_t step, const CONVK_T *in, CONVK_T *out, convk_hamiltonian_energies *energies) {
  char *const message = convk_message_(hw);
  const size_t element = step * sizeof(CONVK_T);
  CONVK_DEVICE_(host) *host = NULL;
  convk_hamiltonian_arrays_ a;
  convk_hamiltonian_job_ job;
  convk_grid3 wavelets, values;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  memset(&a, 0, sizeof a);
  if (!status) status = convk_hamiltonian_check_(message, shape, terms, step, in, out, energies, NULL, 0, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), (unsigned)(energies != NULL));
  if (status) return status;
  wavelets = job.full.wavelets;
  values = job.full.values;
  a.v.of[CONVK_VECTORS_IN_] = convk_staged_of_(CONVK_DEVICE_IN_, &wavelets, element, in, 1, 0);
  a.v.of[CONVK_VECTORS_OUT_] = convk_staged_of_(CONVK_DEVICE_OUT_, &wavelets, element, out, 0, 1);
  a.v.once = convk_staged_of_(CONVK_DEVICE_MORE_0_, &values, sizeof(CONVK_T), job.potential, 1, 0);
  a.v.stride[CONVK_VECTORS_IN_] = job.full.in_stride;
  a.v.stride[CONVK_VECTORS_OUT_] = job.full.out_stride;
  a.v.results = energies;
  a.v.result = sizeof *energies;
  a.v.vectors = job.full.vectors;
  job.full.wavelets = convk_packed_(&wavelets);
  if (step == 1) job.wavelets.coarse = job.full.wavelets;
  job.full.values = job.to_values.out = job.back.in = convk_packed_(&values);
  status = convk_hamiltonian_plan_(message, &job, job.potential != NULL, energies != NULL, &a.h);
  a.v.need = a.h.need;
  return status ? status : CONVK_DEVICE_(vectors_run)(host, &a.v, convk_hamiltonian_work_);
}

CONVK_API_ int convk_hamiltonian_apply_device(convk *hw, const convk_hamiltonian_shape *shape,
                                              const convk_hamiltonian_terms *terms, const CONVK_T *in, CONVK_T *out,
                                              convk_hamiltonian_energies *energies, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_hamiltonian_host_(hw, shape, terms, 1, in, out, energies);
}
CONVK_API_ int convk_hamiltonian_apply_complex_device(convk *hw, const convk_hamiltonian_shape *shape,
                                                      const convk_hamiltonian_terms *terms, const CONVK_T *in, CONVK_T *out,
                                                      convk_hamiltonian_energies *energies, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_hamiltonian_host_(hw, shape, terms, 2, in, out, energies);
}
/* ---- src/hamiltonian/cuda.h ---- */
CONVK_LOCAL_ int convk_hamiltonian_split_(convk_cuda_call_ *call, const convk_hamiltonian_sides_ *s) {
  convk_cuda_parts_args_<CONVK_T> a = convk_cuda_parts_args_<CONVK_T>();
  convk_hamiltonian_parts_of_(s, &a);
  a.parts = s->parts;
  a.in = s->in;
  a.numbers = s->numbers;
  return convk_cuda_start_(convk_cuda_complex_parts_<CONVK_T>,
                           convk_ceil_(s->grid.nx * s->grid.ny * s->grid.nz, CONVK_CUDA_ORBITAL_THREADS_),
                           CONVK_CUDA_ORBITAL_THREADS_, call->stream, a);
}

/* Each number is a sum of `each` planes of one row. */
CONVK_LOCAL_ int convk_hamiltonian_pick_(convk_cuda_call_ *call, const double *from, double *between, double *to, size_t count,
                                         size_t each) {
  convk_cuda_sums_total_args_ a;
  a.rows = from;
  a.planes = between;
  a.total = to;
  a.count = count;
  a.ny = 1;
  a.nz = each;
  return convk_cuda_start_(convk_cuda_sums_total_<convk_cuda_sums_total_args_>, count, CONVK_CUDA_SUMS_THREADS_, call->stream,
                           a);
}
#endif
#if CONVK_HAS_STENCIL_
/* ---- src/stencil/device.h ---- */
/* What a device does with a checked job: opencl_calls.h, cuda.h.  `steps` steps on its box, from a to b and back, `together` in
   one pass, or 0: as the device's own tuning says; one step alone may have any box. */
CONVK_LOCAL_ int convk_stencil_launch_(CONVK_DEVICE_(call) *call, const convk_stencil_job_ *job, size_t together, size_t steps,
                                       CONVK_ARRAY_(const CONVK_T) a, CONVK_ARRAY_(CONVK_T) b);

/* The arguments of a job, but for how it is cut. */
CONVK_LOCAL_ void convk_stencil_arguments_of_(const convk_stencil_job_ *job, CONVK_ARGUMENTS_(stencil) * a) {
  const size_t n[3] = {job->grid.nx, job->grid.ny, job->grid.nz};
  int d;
  a->pitch_y = job->grid.pitch_y;
  a->pitch_z = job->grid.pitch_z;
  for (d = 0; d < 3; d++) {
    a->n[d] = (int64_t)n[d];
    a->first[d] = (int64_t)job->first[d];
    a->end[d] = (int64_t)(job->first[d] + job->count[d]);
    a->periodic[d] = job->boundary[d] == CONVK_BOUNDARY_PERIODIC;
  }
  memcpy(a->c, &job->c, sizeof a->c);
}

/* What a job goes by, which may be a box of a grid that is tuned, or where `planes` is not 0 a part of one with so many. */
CONVK_LOCAL_ void convk_stencil_choice_(convk *hw, const convk_stencil_job_ *job, size_t planes, size_t steps,
                                        long choice[CONVK_TUNE_COUNT]) {
  size_t n[3], d;
  n[0] = job->grid.nx;
  n[1] = job->grid.ny;
  n[2] = job->grid.nz;
  for (d = 0; d < 3; d++)
    if (job->boundary[d] == CONVK_BOUNDARY_FIXED && n[d] > 2) n[d] -= 2; /* points that change */
  if (planes) n[2] = planes;
  convk_choice_(hw, "stencil7", sizeof(CONVK_T), n[0], n[1], n[2], steps, choice);
}

/* ---- device memory ---- */

CONVK_API_ int convk_stencil7_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape,
                                       const convk_stencil7_coefficients *coefficients, size_t steps, CONVK_ARRAY_(CONVK_T) a,
                                       CONVK_ARRAY_(CONVK_T) b, CONVK_ARRAY_(CONVK_T) * result, CONVK_ARRAY_(void) work,
                                       size_t work_size) {
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 0, work, work_size);
  convk_stencil_job_ job;
  int status;
  if (!f.status) f.status = convk_stencil7_check_(f.message, shape, coefficients, steps, &job);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  CONVK_DEVICE_(frame_place)(&f, "a", a, job.span, s, CONVK_PLACE_WRITTEN_);
  CONVK_DEVICE_(frame_place)(&f, "b", b, job.span, s, CONVK_PLACE_WRITTEN_);
  f.place[f.places++] = convk_place_of_("result", result, 1, 0);
  if (CONVK_DEVICE_(frame_work)(&f, 0)) f.status = convk_stencil_launch_(&f.call, &job, 0, steps, a, b);
  status = CONVK_DEVICE_(frame_end)(&f);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

CONVK_API_ int convk_stencil7_box_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape,
                                           const convk_stencil7_coefficients *coefficients, const convk_box3 *box,
                                           CONVK_ARRAY_(const CONVK_T) a, CONVK_ARRAY_(CONVK_T) b, CONVK_ARRAY_(void) work,
                                           size_t work_size) {
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 0, work, work_size);
  convk_stencil_job_ job;
  if (!f.status) f.status = convk_stencil7_box_check_(f.message, shape, coefficients, box, &job);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  CONVK_DEVICE_(frame_place)(&f, "a", a, job.span, s, 0);
  CONVK_DEVICE_(frame_place)(&f, "b", b, job.span, s, CONVK_PLACE_WRITTEN_);
  if (CONVK_DEVICE_(frame_work)(&f, 0)) f.status = convk_stencil_launch_(&f.call, &job, 0, 1, a, b);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_stencil7_work_size_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape, size_t steps,
                                                 size_t *bytes) {
  convk_stencil_job_ job;
  char *message = NULL;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_stencil7_size_check_(message, shape, steps, bytes, &job);
  if (!status) *bytes = 0;
  return status;
}

/* ---- host arrays on a device ---- */

#define CONVK_STENCIL_HIDDEN_ ((size_t)16) /* steps that take no longer than to copy what they change, about */

/* A checked call.  Where it goes in parts, part p makes planes [output.first, output.end) of the result from those of a window,
   which has `halo` planes more on both sides: of these, each step makes one useless.  The next part's window begins with the
   last 2 halo planes of this one, which are kept in `tail` since steps go to and fro between the slot's arrays. */
typedef struct convk_stencil_arrays_ {
  const convk_stencil_job_ *job;
  size_t steps;              /* of the call; where it goes in parts, of one run over all parts, at most `halo` */
  size_t together;           /* steps that a kernel makes at a time, 0: as many as is best */
  size_t halo, each;         /* planes: more on both sides of what a part makes, and those that it makes */
  size_t plane;              /* bytes of a plane */
  size_t first[3], count[3]; /* of what comes: the box and its neighbours */
  const CONVK_T *a, *b;
  CONVK_T *result;
  CONVK_DEVICE_(flow) flow;
  CONVK_DEVICE_(memory) to;
} convk_stencil_arrays_;

/* What part p makes, and what it needs. */
CONVK_LOCAL_ void convk_stencil_windows_(const convk_stencil_arrays_ *c, size_t part, convk_window_ *output,
                                         convk_window_ *window) {
  const int64_t end = (int64_t)(c->job->first[2] + c->job->count[2]), n = (int64_t)c->job->grid.nz, halo = (int64_t)c->halo;
  output->first = (int64_t)(c->job->first[2] + part * c->each);
  output->end = end - output->first < (int64_t)c->each ? end : output->first + (int64_t)c->each;
  window->first = output->first - halo;
  window->end = output->end + halo;
  if (c->job->boundary[2] == CONVK_BOUNDARY_PERIODIC) return;
  if (window->first < 0) window->first = 0;
  if (window->end > n) window->end = n;
}

CONVK_LOCAL_ int convk_stencil_bring_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_stencil_arrays_ *const c = (const convk_stencil_arrays_ *)arrays;
  convk_window_ output, window, before;
  convk_stencil_windows_(c, part ? part - 1 : 0, &output, &before);
  convk_stencil_windows_(c, part, &output, &window);
  return CONVK_DEVICE_(flow_bring)(host, &c->flow, part, slot, window, before.end);
}

CONVK_LOCAL_ int convk_stencil_work_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_stencil_arrays_ *const c = (const convk_stencil_arrays_ *)arrays;
  const size_t s = sizeof(CONVK_T), at = slot * c->flow.planes * c->plane;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  convk_stencil_job_ device_job = *c->job;
  convk_window_ output, window, before;
  int status;
  call.planes = c->job->grid.nz;
  if (c->job->boundary[2] == CONVK_BOUNDARY_FIXED && call.planes > 2) call.planes -= 2;
  convk_stencil_windows_(c, part ? part - 1 : 0, &output, &before);
  convk_stencil_windows_(c, part, &output, &window);
  status = CONVK_DEVICE_(flow_join)(host, &c->flow, part, slot, window, before.end, output.end - (int64_t)c->halo);
  device_job.grid.nz = (size_t)(window.end - window.first);
  device_job.grid = convk_packed_(&device_job.grid);
  device_job.boundary[2] = CONVK_BOUNDARY_FIXED;
  device_job.first[2] = c->steps > 1 ? 1 : (size_t)(output.first - window.first);
  device_job.count[2] = c->steps > 1 ? device_job.grid.nz - 2 : (size_t)(output.end - output.first);
  if (!status && c->steps > 1) status = CONVK_DEVICE_(same)(host, c->to, at, c->flow.memory, at, device_job.grid.nz * c->plane);
  if (!status)
    status = convk_stencil_launch_(&call, &device_job, c->together, c->steps,
                                   CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->flow.memory), at, s),
                                   CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->to), at, s));
  return CONVK_DEVICE_(call_end)(&call, status);
}

/* What of a plane goes back: the box, or after several steps all of it, whose fixed points are those of both arrays: a copy of
   whole rows is much faster. */
CONVK_LOCAL_ void convk_stencil_result_(const convk_stencil_arrays_ *c, size_t first[3], size_t count[3]) {
  memcpy(first, c->job->first, 3 * sizeof *first);
  memcpy(count, c->job->count, 3 * sizeof *count);
  if (c->steps < 2) return;
  first[0] = first[1] = 0;
  count[0] = c->job->grid.nx;
  count[1] = c->job->grid.ny;
}

CONVK_LOCAL_ int convk_stencil_back_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_stencil_arrays_ *const c = (const convk_stencil_arrays_ *)arrays;
  size_t first[3], count[3];
  convk_window_ output, window;
  convk_grid3 grid = c->job->grid;
  convk_stencil_windows_(c, part, &output, &window);
  convk_stencil_result_(c, first, count);
  first[2] = 0;
  count[2] = grid.nz = (size_t)(output.end - output.first);
  return CONVK_DEVICE_(copy_box)(host, 1, c->steps % 2 ? c->to : c->flow.memory,
                                 (slot * c->flow.planes + (size_t)(output.first - window.first)) * c->plane, &grid, first,
                                 count, sizeof(CONVK_T), c->result + (size_t)output.first * grid.pitch_z);
}

/* At once: brings the box and its neighbours, takes the steps, and fetches the box. */
CONVK_LOCAL_ int convk_stencil_whole_(CONVK_DEVICE_(host) *host, convk_stencil_arrays_ *c) {
  const convk_stencil_job_ *const job = c->job;
  const convk_grid3 *const g = &job->grid;
  convk_stencil_job_ device_job = *job;
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(memory) from = NULL;
  size_t first[3], count[3];
  const int fixed = job->boundary[0] == CONVK_BOUNDARY_FIXED || job->boundary[1] == CONVK_BOUNDARY_FIXED ||
                    job->boundary[2] == CONVK_BOUNDARY_FIXED;
  int status;
  device_job.grid = convk_packed_(g);
  status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_IN_, g, s, c->a, 0, &from);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_OUT_, g, s, c->b, 0, &c->to);
  if (!status) status = CONVK_DEVICE_(copy_box)(host, 0, from, 0, g, c->first, c->count, s, (void *)(uintptr_t)c->a);
  if (!status && c->steps > 1 && fixed) /* the fixed points, which are those of a */
    status = CONVK_DEVICE_(same)(host, c->to, 0, from, 0, device_job.grid.pitch_z * g->nz * s);
  if (!status) {
    CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
    status = convk_stencil_launch_(&call, &device_job, c->together, c->steps, CONVK_DEVICE_(array_of)(from),
                                   CONVK_DEVICE_(array_of)(c->to));
    status = CONVK_DEVICE_(call_end)(&call, status);
  }
  convk_stencil_result_(c, first, count);
  return status ? status : CONVK_DEVICE_(copy_box)(host, 1, c->steps % 2 ? c->to : from, 0, g, first, count, s, c->result);
}

/* In parts: as many steps at a time as a window has planes around what it makes. */
CONVK_LOCAL_ int convk_stencil_in_parts_(CONVK_DEVICE_(host) *host, convk_stencil_arrays_ *c) {
  const size_t all = c->steps, halo = c->halo, places = CONVK_SLOTS_;
  const size_t parts = convk_ceil_(c->job->count[2], c->each);
  CONVK_T *const result = c->result;
  size_t left = all;
  int status;
  c->flow.b = convk_staged_of_(CONVK_DEVICE_IN_, &c->job->grid, sizeof(CONVK_T), c->a, 1, 0);
  c->flow.planes = c->each + 2 * halo;
  c->flow.kept = (int64_t)halo;
  memcpy(c->flow.first, c->first, sizeof c->flow.first);
  memcpy(c->flow.count, c->count, sizeof c->flow.count);
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, places * c->flow.planes * c->plane, &c->flow.memory);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, places * c->flow.planes * c->plane, &c->to);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_0_, 2 * halo * c->plane, &c->flow.tail);
  if (!status && c->job->boundary[2] == CONVK_BOUNDARY_PERIODIC)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_1_, halo * c->plane, &c->flow.head);
  while (left && !status) {
    c->steps = c->halo = left < halo ? left : halo;
    left -= c->steps;
    c->result = left ? (CONVK_T *)(uintptr_t)c->a : result;
    status = CONVK_DEVICE_(parts_run)(host, parts, convk_stencil_bring_, convk_stencil_work_, convk_stencil_back_, c);
    if (left) status = CONVK_DEVICE_(wait)(host, status); /* what goes back comes again */
  }
  return status;
}

/* Few steps hide behind the copies even with planes that are made twice; many stay on the device, if it has room. */
CONVK_LOCAL_ int convk_stencil_host_(CONVK_DEVICE_(host) *host, const convk_stencil_job_ *job, size_t steps, const CONVK_T *a,
                                     const CONVK_T *b, CONVK_T *result) {
  const size_t n[3] = {job->grid.nx, job->grid.ny, job->grid.nz}, hidden = CONVK_STENCIL_HIDDEN_;
  convk_stencil_arrays_ c;
  int d, status = CONVK_DEVICE_(able)(host, sizeof *a, 0);
  if (status || !steps || !job->count[0] || !job->count[1] || !job->count[2]) return status;
  memset(&c, 0, sizeof c);
  for (d = 0; d < 3; d++) {
    const size_t end = job->first[d] + job->count[d];
    const int all = !job->first[d] || end == n[d]; /* neighbours at the other end of the axis */
    c.first[d] = all ? 0 : job->first[d] - 1;
    c.count[d] = all ? n[d] : end + 1 - c.first[d];
  }
  c.job = job;
  c.steps = steps;
  c.together = host->hw->tuning.stencil_steps;
  c.a = a;
  c.b = b;
  c.result = result;
  c.plane = n[0] * n[1] * sizeof *a;
  c.halo = steps < hidden ? steps : hidden;
  if (c.halo > n[2]) c.halo = n[2];
  status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  do { /* with less memory fewer steps at a time */
    status = CONVK_DEVICE_(parts_of)(host, job->count[2], 2 * c.plane, 4 * c.halo * c.plane, 3 * c.halo * c.plane,
                                     steps > hidden ? job->count[2] : 2 * c.halo, &c.each);
  } while (status == CONVK_ERR_MEMORY && (c.halo /= 2) > 0);
  if (!status) status = c.each == job->count[2] ? convk_stencil_whole_(host, &c) : convk_stencil_in_parts_(host, &c);
  return CONVK_DEVICE_(end)(host, status);
}

/* For a handle of the device: copies, runs, waits.  Errors as in convk.h, RIM too, and HANDLE for other handles, MEMORY,
   DEVICE, and with OpenCL FP64, BUILD and UNSUPPORTED, with hw->message; `work` and the thread hook are ignored.  Of the
   handle's tuning stencil_steps counts.  stencil7 copies in a, and copies out of the result the points that change, or after
   several steps also the fixed ones, which are those of a;
   stencil7_box copies in the box and its neighbours, and out the box.  On an error of the device, what is in the points that
   change is undefined. */
CONVK_API_ int convk_stencil7_device(convk *hw, const convk_stencil7_shape *shape,
                                     const convk_stencil7_coefficients *coefficients, size_t steps, CONVK_T *a, CONVK_T *b,
                                     CONVK_T **result, void *work, size_t work_size) {
  convk_stencil_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  if (!status) status = convk_stencil7_check_(hw->message, shape, coefficients, steps, &job);
  if (!status) status = convk_stencil_arrays_check_(hw->message, &job, 0, a, b, result, NULL, 0);
  if (!status && steps > 1) status = convk_stencil_rims_(hw->message, &job, a, b);
  if (!status) status = convk_stencil_host_(host, &job, steps, a, b, steps % 2 ? b : a);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

CONVK_API_ int convk_stencil7_box_device(convk *hw, const convk_stencil7_shape *shape,
                                         const convk_stencil7_coefficients *coefficients, const convk_box3 *box,
                                         const CONVK_T *a, CONVK_T *b, void *work, size_t work_size) {
  convk_stencil_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  if (!status) status = convk_stencil7_box_check_(hw->message, shape, coefficients, box, &job);
  if (!status) status = convk_stencil_arrays_check_(hw->message, &job, 1, a, b, NULL, NULL, 0);
  return status ? status : convk_stencil_host_(host, &job, 1, a, b, b);
}

/* ---- boxes ---- */

/* What box_copy does with a checked job: opencl_calls.h, cuda.h. */
CONVK_LOCAL_ int convk_box_launch_(CONVK_DEVICE_(call) *call, CONVK_ARGUMENTS_(box) * arguments, CONVK_ARRAY_(const CONVK_T) in,
                                   CONVK_ARRAY_(CONVK_T) out);

/* One side of a copy. */
typedef struct convk_box_side_ {
  const char *grid_name, *first_name;
  size_t at, span, range; /* the box's first point, elements of the grid, those from the first to the last of the box */
  uint64_t pitch[2];
} convk_box_side_;

CONVK_RARE_ int convk_box_check_(char *message, const size_t count[3], const convk_grid3 *grid, const size_t *first,
                                 convk_box_side_ *side) {
  const size_t zero[3] = {0, 0, 0}, *const f = first ? first : zero;
  convk_grid3 full, packed;
  size_t n[3];
  int d, status;
  memset(&packed, 0, sizeof packed);
  packed.nx = count[0];
  packed.ny = count[1];
  packed.nz = count[2];
  status =
      convk_grid_check_(message, grid ? side->grid_name : "count", grid ? grid : &packed, sizeof(CONVK_T), &full, &side->span);
  if (status) return status;
  n[0] = full.nx;
  n[1] = full.ny;
  n[2] = full.nz;
  for (d = 0; d < 3; d++)
    if (count[d] > n[d] || f[d] > n[d] - count[d])
      return convk_refuse_names_(message, CONVK_ERR_SIZE, "count and $ reach beyond $", side->first_name,
                                 grid ? side->grid_name : "count");
  side->at = f[2] * full.pitch_z + f[1] * full.pitch_y + f[0];
  side->range = (count[2] - 1) * full.pitch_z + (count[1] - 1) * full.pitch_y + count[0];
  side->pitch[0] = full.pitch_y;
  side->pitch[1] = full.pitch_z;
  return CONVK_OK;
}

CONVK_API_ int convk_box_copy_resident(CONVK_ON_ *on, const size_t count[3], const convk_grid3 *in_grid,
                                       const size_t in_first[3], CONVK_ARRAY_(const CONVK_T) in, const convk_grid3 *out_grid,
                                       const size_t out_first[3], CONVK_ARRAY_(CONVK_T) out) {
  convk_box_side_ side[2] = {{"in_grid", "in_first", 0, 0, 0, {0, 0}}, {"out_grid", "out_first", 0, 0, 0, {0, 0}}};
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 0, CONVK_DEVICE_(none)(), 0);
  CONVK_ARGUMENTS_(box) arguments;
  int k;
  if (!f.status) f.status = convk_need_(f.message, "count", count);
  if (f.status || !count[0] || !count[1] || !count[2]) return CONVK_DEVICE_(frame_end)(&f);
  f.status = convk_box_check_(f.message, count, in_grid, in_first, &side[0]);
  if (!f.status) f.status = convk_box_check_(f.message, count, out_grid, out_first, &side[1]);
  CONVK_DEVICE_(frame_place)(&f, "in", in, side[0].span, s, 0);
  CONVK_DEVICE_(frame_place)(&f, "out", out, side[1].span, s, CONVK_PLACE_WRITTEN_);
  for (k = 0; k < 2 && !f.status; k++) { /* of the boxes */
    if (f.place[k].begin || f.place[k].buffer) f.place[k].begin += side[k].at * s;
    f.place[k].bytes = side[k].range * s;
  }
  if (!CONVK_DEVICE_(frame_work)(&f, 0)) return CONVK_DEVICE_(frame_end)(&f);
  memset(&arguments, 0, sizeof arguments);
  arguments.in_at = side[0].at;
  arguments.out_at = side[1].at;
  memcpy(arguments.in_pitch, side[0].pitch, sizeof arguments.in_pitch);
  memcpy(arguments.out_pitch, side[1].pitch, sizeof arguments.out_pitch);
  arguments.count[0] = count[0];
  arguments.count[1] = count[1];
  arguments.points = (uint64_t)count[0] * count[1] * count[2];
  arguments.each = 1;
  f.status = convk_box_launch_(&f.call, &arguments, in, out);
  return CONVK_DEVICE_(frame_end)(&f);
}
/* ---- src/stencil/cuda.h ---- */
/* As `tuning` says, whose zeros are filled in. */
CONVK_LOCAL_ int convk_cuda_stencil_run_(const convk_cuda_call_ *call, const convk_stencil_job_ *job,
                                         const convk_cuda_stencil_tuning *tuning, size_t steps, CONVK_T *a, CONVK_T *b) {
  const size_t limit = (size_t)1 << 30, *count = job->count;
  convk_cuda_stencil_args_<CONVK_T> args;
  convk_cuda_stencil_kernel_<CONVK_T> kernel;
  const size_t sector = CONVK_CUDA_STENCIL_SECTOR_ / sizeof(CONVK_T);
  size_t passes, p, depth = 0, planes = 0, planned = 0; /* planned: the tiles of a plane that `planes` is for */
  int device = 0, processors = 0, status = CONVK_OK;
  if (!steps || !count[0] || !count[1] || !count[2]) return CONVK_OK;
  memset(&kernel, 0, sizeof kernel);
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return CONVK_ERR_DEVICE;
  memset(&args, 0, sizeof args);
  convk_stencil_arguments_of_(job, &args);
  passes = convk_stencil_passes_(steps, tuning->steps);
  for (p = 0; p < passes && !status; p++) {
    const size_t now = convk_stencil_pass_(steps, passes, p);
    size_t shift, tile, tiles, chunks;
    args.in = p % 2 ? b : a;
    args.out = p % 2 ? a : b;
    shift = (size_t)((uintptr_t)(args.out + job->first[0] + job->first[1] * args.pitch_y) / sizeof(CONVK_T)) % sector;
    if (now != depth) { /* at most twice, the greater depth first */
      depth = now;
      planned = 0;
      tile = tuning->tile;
      if (depth == 1 && args.pitch_y > 0xffffffffu / sizeof(CONVK_T)) tile = 32; /* the sweep's addresses */
      kernel = convk_cuda_stencil_choose_<CONVK_T>(tile, depth, job->isotropic);
      if (convk_ceil_(count[0] + sector, kernel.width) * convk_ceil_(count[1], kernel.height) > limit) /* before any pass */
        return convk_refuse_(call->message, CONVK_ERR_OVERFLOW, "shape->grid has more than 2^30 tiles in a plane");
    }
    args.left = args.first[0] - (int64_t)shift;
    args.tiles_x = (unsigned)convk_ceil_(count[0] + shift, kernel.width);
    tiles = args.tiles_x * convk_ceil_(count[1], kernel.height);
    if (tiles != planned) {
      planned = tiles;
      planes = tuning->planes;
      if (!planes) planes = convk_cuda_stencil_planes_(tiles, count[2], depth, kernel.blocks * (size_t)processors);
      if (planes < convk_ceil_(count[2], limit / tiles)) planes = convk_ceil_(count[2], limit / tiles);
      if (planes > limit) planes = limit;
      args.planes = (int64_t)planes;
    }
    chunks = convk_ceil_(count[2], planes);
    args.layer = (unsigned)tiles;
    status = convk_cuda_launch_(kernel.start, tiles * chunks, kernel.threads, call->stream, args);
  }
  return status;
}

CONVK_LOCAL_ int convk_stencil_launch_(convk_cuda_call_ *call, const convk_stencil_job_ *job, size_t together, size_t steps,
                                       const CONVK_T *a, CONVK_T *b) {
  convk_cuda_stencil_tuning tuning, chosen;
  long choice[CONVK_TUNE_COUNT];
  int status;
  memset(&tuning, 0, sizeof tuning);
  if (call->stencil) tuning = *call->stencil;
  if (together) tuning.steps = together;
  convk_stencil_choice_(call->hw, job, call->planes, steps, choice);
  if (!tuning.tile) tuning.tile = convk_tuned_power_(choice[CONVK_TUNE_TILE_X], 16, 64, 0);
  if (!tuning.steps) tuning.steps = (size_t)choice[CONVK_TUNE_STEPS];
  if (!tuning.planes) tuning.planes = (size_t)choice[CONVK_TUNE_CHUNK];
  status = convk_cuda_stencil_tune_(&tuning, job->count[0], steps, &chosen);
  if (status)
    return convk_refuse_at_(call->message, status, "on->stencil.tile is %, none of 0, 16, 32 and 64", (int64_t)tuning.tile, 0,
                            0);
  status = convk_cuda_clock_start_(call);
  if (!status) status = convk_cuda_stencil_run_(call, job, &chosen, steps, (CONVK_T *)(uintptr_t)a, b);
  return convk_cuda_clock_stop_(call, status);
}

CONVK_LOCAL_ int convk_box_launch_(convk_cuda_call_ *call, CONVK_ARGUMENTS_(box) * arguments, const CONVK_T *in, CONVK_T *out) {
  convk_cuda_box_args_<CONVK_T> args;
  static_cast<CONVK_ARGUMENTS_(box) &>(args) = *arguments;
  args.in = in;
  args.out = out;
  return convk_cuda_start_(convk_cuda_box_copy_<CONVK_T>, convk_ceil_(arguments->points, CONVK_CUDA_BOX_THREADS_),
                           CONVK_CUDA_BOX_THREADS_, call->stream, args);
}
#endif
#if CONVK_HAS_VMATH_
/* ---- src/vmath/cuda_launch.h ---- */
/* z: the second result, or any array. */
CONVK_LOCAL_ int convk_map_start_(convk_cuda_call_ *call, int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z) {
  const uintptr_t at = (uintptr_t)x % 16, pack = 16 / sizeof(CONVK_T);
  const int aligned = at % sizeof(CONVK_T) == 0 && (uintptr_t)y % 16 == at && (uintptr_t)z % 16 == at;
  convk_cuda_map_args_<CONVK_T> a;
  if (!n) return CONVK_OK;
  a.x = x;
  a.y = y;
  a.z = z;
  a.n = n;
  a.skew = aligned ? at / sizeof(CONVK_T) : 0;
  a.whole = n < pack ? 0 : n - pack + 1;
  a.tiles = convk_ceil_(n + a.skew, CONVK_CUDA_MAP_EACH_ * CONVK_CUDA_MAP_THREADS_);
  return convk_cuda_start_(convk_cuda_map_of_<CONVK_T>(function, aligned), a.tiles, CONVK_CUDA_MAP_THREADS_, call->stream, a);
}
/* ---- src/vmath/device.h ---- */
/* ---- device memory ---- */

CONVK_LOCAL_ int convk_map_on_(CONVK_ON_ *on, int function, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y,
                               CONVK_ARRAY_(CONVK_T) z) {
  const size_t s = sizeof(CONVK_T);
  const int two = function == CONVK_MAP_SINCOS_;
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 0, CONVK_DEVICE_(none)(), 0);
  CONVK_DEVICE_(frame_place)(&f, "x", x, n, s, CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, two ? "s" : "y", y, n, s, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  if (two) CONVK_DEVICE_(frame_place)(&f, "c", z, n, s, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  if (CONVK_DEVICE_(frame_work)(&f, 0) && n) f.status = convk_map_start_(&f.call, function, n, x, y, z);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_exp_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y) {
  return convk_map_on_(on, CONVK_MAP_EXP_, n, x, y, y);
}
CONVK_API_ int convk_expm1_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y) {
  return convk_map_on_(on, CONVK_MAP_EXPM1_, n, x, y, y);
}
CONVK_API_ int convk_log_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y) {
  return convk_map_on_(on, CONVK_MAP_LOG_, n, x, y, y);
}
CONVK_API_ int convk_sincos_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) s,
                                     CONVK_ARRAY_(CONVK_T) c) {
  return convk_map_on_(on, CONVK_MAP_SINCOS_, n, x, s, c);
}

/* ---- host arrays: in place there ---- */

typedef struct convk_map_parts_ {
  int function;
  size_t n, each;
  const CONVK_T *x;
  CONVK_T *y, *z;
  CONVK_DEVICE_(memory) first, second;
} convk_map_parts_;

CONVK_LOCAL_ size_t convk_map_part_(const convk_map_parts_ *job, size_t part) {
  const size_t left = job->n - part * job->each;
  return left < job->each ? left : job->each;
}

CONVK_LOCAL_ int convk_map_bring_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_map_parts_ *const job = (const convk_map_parts_ *)parts;
  const size_t s = sizeof(CONVK_T), count = convk_map_part_(job, part);
  return CONVK_DEVICE_(send)(host, job->first, slot * job->each * s, count * s, job->x + part * job->each);
}

CONVK_LOCAL_ int convk_map_work_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_map_parts_ *const job = (const convk_map_parts_ *)parts;
  const size_t s = sizeof(CONVK_T), at = slot * job->each * s;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_ARRAY_(CONVK_T) x = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(job->first), at, s);
  CONVK_ARRAY_(CONVK_T) z = x;
  int status;
  if (job->z) z = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(job->second), at, s);
  status = convk_map_start_(&call, job->function, convk_map_part_(job, part), x, x, z);
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_map_back_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_map_parts_ *const job = (const convk_map_parts_ *)parts;
  const size_t s = sizeof(CONVK_T), at = slot * job->each * s, bytes = convk_map_part_(job, part) * s;
  const int status = CONVK_DEVICE_(fetch)(host, job->first, at, bytes, job->y + part * job->each);
  return status || !job->z ? status : CONVK_DEVICE_(fetch)(host, job->second, at, bytes, job->z + part * job->each);
}

CONVK_LOCAL_ int convk_map_arrays_(convk *hw, int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z) {
  const size_t s = sizeof *x;
  CONVK_DEVICE_(host) *host = NULL;
  convk_map_parts_ job;
  size_t parts, bytes = 0;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  memset(&job, 0, sizeof job);
  job.function = function;
  job.n = n;
  job.x = x;
  job.y = y;
  job.z = z;
  if (!status) status = convk_map_check_(convk_message_(hw), function, n, x, y, z);
  if (!status) status = CONVK_DEVICE_(able)(host, s, 0);
  if (!status && n) status = CONVK_DEVICE_(begin)(host);
  if (status || !n) return status;
  status = CONVK_DEVICE_(parts_of)(host, n, z ? 2 * s : s, 0, 0, 1, &job.each);
  if (!status) {
    parts = convk_ceil_(n, job.each);
    bytes = (parts > 1 ? CONVK_SLOTS_ : 1) * job.each * s;
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, bytes, &job.first);
    if (!status && z) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, bytes, &job.second);
    if (!status) status = CONVK_DEVICE_(parts_run)(host, parts, convk_map_bring_, convk_map_work_, convk_map_back_, &job);
  }
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_LOCAL_ const convk_vmath_kernels_ *convk_vmath_kernel_table_(void) {
  static const convk_vmath_kernels_ kernels = {{NULL, NULL, NULL, NULL}, convk_map_arrays_};
  return &kernels;
}

/* For a handle of the device: copies, runs, waits; an array goes there and back as a whole.  Errors as in convk.h, and HANDLE
   for other handles, MEMORY, DEVICE, and with OpenCL FP64 and BUILD, with hw->message. */
CONVK_VMATH_OPERATIONS_(CONVK_OP_VARIANT_)
#endif
#if CONVK_HAS_GAUSSIAN_
/* ---- src/gaussian/cuda_launch.h ---- */
/* ---- Gaussians: choices of kernels, and launches ---- */

template <> struct convk_cuda_gaussian_type_<CONVK_T> {
  typedef convk_orbital_group_ group;
  typedef convk_orbital_shell_ shell;
};

CONVK_LOCAL_ void convk_cuda_points_fill_(const convk_points *from, convk_cuda_points_<CONVK_T> *to) {
  to->x = from->x;
  to->y = from->y;
  to->z = from->z;
  to->n = from->n;
  to->stride = from->stride ? from->stride : 1;
}

/* Exponents and coefficients are on the device: nobody looks at them. */
CONVK_LOCAL_ int convk_gaussians_seen_(convk_cuda_call_ *, const convk_gridpot_job_ *) { return CONVK_OK; }

CONVK_LOCAL_ int convk_gridpot_start_(convk_cuda_call_ *call, const convk_gridpot_job_ *job, const convk_points *points,
                                      CONVK_T *out) {
  const size_t threads = CONVK_CUDA_GAUSSIAN_THREADS_;
  size_t each = CONVK_CUDA_GAUSSIAN_EACH_;
  const int along = job->part.layout == CONVK_GRIDPOT_POINTS_CONTIGUOUS;
  const int aligned = (uintptr_t)out % 16 == 0 && job->ld * sizeof(CONVK_T) % 16 == 0;
  convk_cuda_gridpot_args_<CONVK_T> a;
  long choice[CONVK_TUNE_COUNT];
  int status = convk_cuda_clock_start_(call);
  if (status) return status;
  memset(&a, 0, sizeof a);
  convk_cuda_points_fill_(points, &a.points);
  memcpy(a.points.center, job->center, sizeof a.points.center);
  a.alpha = job->of.alpha;
  a.c = job->of.coefficients;
  a.ldc = job->of.ldc;
  a.out = out;
  a.ld = job->ld;
  a.cut = job->part.cut;
  a.m = job->of.n;
  a.nsums = job->of.nsums;
  a.columns = job->row;
  a.rows = job->rows;
  if (job->sum) {
    convk_choice_(call->hw, "gridpot_sum", sizeof(CONVK_T), points->n, job->of.n, job->of.nsums, 1, choice);
    each = convk_cuda_gridpot_points_(job->compensated, a.nsums, choice[CONVK_TUNE_TILE_X]);
  }
  a.tiles_x = convk_ceil_(a.columns, threads * each);
  a.tasks = a.tiles_x * convk_ceil_(a.rows, job->sum ? CONVK_CUDA_GAUSSIAN_SUMS_ : CONVK_CUDA_GAUSSIAN_ROWS_);
  status = convk_cuda_start_(job->sum ? convk_cuda_gridpot_sum_of_<CONVK_T>(job->compensated, a.nsums, each)
                                      : convk_cuda_gridpot_of_<CONVK_T>(job->compensated, along, aligned),
                             a.tasks, (int)threads, call->stream, a);
  return convk_cuda_clock_stop_(call, status);
}

/* A plan at `plan`. */
CONVK_LOCAL_ int convk_orbitals_start_(convk_cuda_call_ *call, const convk_orbitals_job_ *job, const convk_points *points,
                                       const void *plan, CONVK_T *const *out) {
  const size_t threads = CONVK_CUDA_GAUSSIAN_THREADS_, kinds = job->call.kinds;
  size_t block = convk_cuda_orbitals_block_(kinds, job->norbitals);
  const convk_orbitals_head_ *const head = job->head;
  char *const at = (char *)(uintptr_t)plan;
  const int combined = head->combined != 0;
  convk_cuda_orbitals_args_<CONVK_T> a;
  long choice[CONVK_TUNE_COUNT];
  size_t k;
  int status = convk_cuda_clock_start_(call);
  if (status) return status;
  convk_choice_(call->hw, "orbitals", sizeof(CONVK_T), points->n, (size_t)head->functions, job->norbitals, 1, choice);
  if (kinds == 1) block = convk_tuned_power_(choice[CONVK_TUNE_TILE_Y], 8, 16, block);
  memset(&a, 0, sizeof a);
  convk_cuda_points_fill_(points, &a.points);
  a.groups = convk_cuda_at_<convk_orbital_group_>(at, (size_t)head->at[CONVK_ORBITALS_GROUPS_]);
  a.shells = convk_cuda_at_<convk_orbital_shell_>(at, (size_t)head->at[CONVK_ORBITALS_SHELLS_]);
  a.exponents = convk_cuda_at_<CONVK_T>(at, (size_t)head->at[CONVK_ORBITALS_EXPONENTS_]);
  a.radial = convk_cuda_at_<CONVK_T>(at, (size_t)head->at[CONVK_ORBITALS_RADIAL_]);
  a.matrix = convk_cuda_at_<CONVK_T>(at, (size_t)head->at[CONVK_ORBITALS_MATRIX_]);
  a.weights = convk_cuda_at_<CONVK_T>(at, (size_t)head->at[CONVK_ORBITALS_OCCUPATIONS_]);
  for (k = 0; k < kinds; k++) a.out[k] = out[k];
  a.cut = job->part.cut;
  a.below = job->part.below;
  a.inverse = head->inverse;
  a.least = head->least;
  a.ngroups = (size_t)head->ngroups;
  a.primitives = (size_t)head->primitives;
  a.columns = (size_t)head->columns;
  a.norbitals = job->norbitals;
  a.ld = job->call.ld;
  a.tiles = convk_ceil_(points->n, threads);
  a.tasks = a.tiles * (job->call.density || !combined ? 1 : convk_ceil_(job->norbitals, block));
  status = convk_cuda_start_(convk_cuda_orbitals_of_<CONVK_T>(kinds, job->call.density, combined, block), a.tasks, (int)threads,
                             call->stream, a);
  return convk_cuda_clock_stop_(call, status);
}

/* ---- what gaussian/device.h leaves to a device ---- */

/* y and z begin so many elements after x. */
CONVK_LOCAL_ void convk_points_at_(void *in, size_t first, size_t apart, convk_points *points) {
  points->x = (const CONVK_T *)in + first;
  points->y = points->x + apart;
  points->z = points->y + apart;
}

/* Exponents and coefficients go up, too. */
CONVK_LOCAL_ int convk_gridpot_device_(convk_cuda_host_ *host, void *checked, size_t part, size_t ld,
                                       const convk_points *points, CONVK_T *const *out) {
  convk_gridpot_job_ *const job = (convk_gridpot_job_ *)checked;
  convk_gaussians *const g = &job->of;
  const size_t row = g->n * sizeof(CONVK_T), sums = convk_round_up_(row, 256), nsums = job->sum ? g->nsums : 0;
  convk_cuda_call_ call = convk_cuda_call_on_(host);
  void *table = NULL;
  int status;
  convk_gridpot_part_(job, points->n, ld);
  if (part) return convk_gridpot_start_(&call, job, points, out[0]);
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, sums + nsums * row, &table);
  if (!status && row) status = convk_cuda_send_(host, table, 0, row, g->alpha);
  if (!status && row && nsums)
    status = convk_cuda_copy_rows_(host, 0, (char *)table + sums, row, (void *)(uintptr_t)g->coefficients,
                                   g->ldc * sizeof(CONVK_T), row, nsums);
  g->alpha = (const CONVK_T *)table;
  g->coefficients = convk_cuda_at_<CONVK_T>(table, sums);
  g->ldc = g->n;
  return status ? status : convk_gridpot_start_(&call, job, points, out[0]);
}
/* ---- src/gaussian/device.h ---- */
/* ---- Gaussians on device memory ---- */

CONVK_LOCAL_ const convk_gaussian_kernels_ *convk_gaussian_kernel_table_(void);

/* Points as checks want them, which do not read them; NULL: none. */
CONVK_LOCAL_ const convk_points *convk_points_seen_(const CONVK_DEVICE_STRUCT_(points) * points, convk_points *seen) {
  memset(seen, 0, sizeof *seen);
  if (!points) return NULL;
  seen->n = points->n;
  seen->stride = points->stride;
  return seen;
}

CONVK_LOCAL_ void convk_points_on_(CONVK_DEVICE_(frame) *f, const CONVK_DEVICE_STRUCT_(points) * points,
                                   const convk_points *checked) {
  const size_t span = convk_points_span_(checked), s = sizeof(CONVK_T);
  const int flags = span ? 0 : CONVK_PLACE_OPTIONAL_;
  CONVK_DEVICE_(frame_place)(f, "points->x", points->x, span, s, flags);
  CONVK_DEVICE_(frame_place)(f, "points->y", points->y, span, s, flags);
  CONVK_DEVICE_(frame_place)(f, "points->z", points->z, span, s, flags);
}

CONVK_LOCAL_ int convk_gridpot_on_(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points, const convk_gaussians *gaussians,
                                   const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) out, size_t ld, int sum) {
  convk_points seen;
  const convk_gridpot_call_ request = {convk_points_seen_(points, &seen), gaussians, options, NULL, ld, sum};
  const size_t s = sizeof(CONVK_T);
  const int may = CONVK_PLACE_OPTIONAL_;
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 0, CONVK_DEVICE_(none)(), 0);
  size_t n_bytes = 0, c_bytes = 0;
  convk_gridpot_job_ job;
  if (!f.status) f.status = convk_gridpot_begin_(convk_gaussian_kernel_table_(), f.message, &request, &job, &n_bytes, &c_bytes);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  convk_points_on_(&f, points, &job.points.p);
  f.place[f.places++] = convk_place_of_("gaussians->alpha", job.of.alpha, n_bytes, n_bytes ? 0 : may);
  f.place[f.places++] = convk_place_of_("gaussians->coefficients", job.of.coefficients, c_bytes, c_bytes ? 0 : may);
  CONVK_DEVICE_(frame_place)(&f, sum ? "sums" : "g", out, job.bytes / s, s, CONVK_PLACE_WRITTEN_ | (job.bytes ? 0 : may));
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status) f.status = convk_gaussians_seen_(&f.call, &job);
  if (!f.status && job.rows && job.row) f.status = convk_gridpot_start_(&f.call, &job, points, out);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_gridpot_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                      const convk_gaussians *gaussians, const convk_gaussian_options *options,
                                      CONVK_ARRAY_(CONVK_T) g, size_t ld) {
  return convk_gridpot_on_(on, points, gaussians, options, g, ld, 0);
}
CONVK_API_ int convk_gridpot_sum_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                          const convk_gaussians *gaussians, const convk_gaussian_options *options,
                                          CONVK_ARRAY_(CONVK_T) sums, size_t ld) {
  return convk_gridpot_on_(on, points, gaussians, options, sums, ld, 1);
}

/* out: of each kind. */
CONVK_LOCAL_ int convk_orbitals_on_(CONVK_DEVICE_(frame) f, const CONVK_DEVICE_STRUCT_(points) * points,
                                    const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                    const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) const *out, size_t ld,
                                    size_t kinds, int density) {
  convk_points seen;
  const convk_orbital_set set = {0, NULL, 0, NULL, 0, NULL, plan};
  const convk_orbitals_call_ request = {
      convk_points_seen_(points, &seen), &set, options, {NULL, NULL, NULL, NULL, NULL}, ld, NULL, 0, kinds, density, 1};
  const size_t s = sizeof(CONVK_T);
  size_t bytes = 0, none, k;
  convk_orbitals_job_ job;
  if (!f.status) f.status = convk_orbitals_begin_(convk_gaussian_kernel_table_(), f.message, &request, &job, &none);
  if (!f.status) f.status = convk_orbitals_results_(f.message, &job, &bytes);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  convk_points_on_(&f, points, &job.points.p);
  CONVK_DEVICE_(frame_place)(&f, "device_plan", device_plan, (size_t)job.head->device, 1, 0);
  for (k = 0; k < kinds; k++)
    CONVK_DEVICE_(frame_place)(&f, convk_orbitals_name_(&request, k), out[k], bytes / s, s,
                               CONVK_PLACE_WRITTEN_ | (bytes ? 0 : CONVK_PLACE_OPTIONAL_));
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status && f.place[3].begin % 8)
    f.status = convk_refuse_(f.message, CONVK_ERR_PLAN, "device_plan does not lie at a multiple of 8 bytes");
  if (!f.status && bytes) f.status = convk_orbitals_start_(&f.call, &job, points, device_plan, out);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_orbitals_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                       const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                       const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) value, size_t ld) {
  return convk_orbitals_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, CONVK_DEVICE_(none)(), 0), points, plan,
                            device_plan, options, &value, ld, 1, 0);
}

CONVK_API_ int convk_orbitals_vgl_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                           const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                           const convk_gaussian_options *options, const CONVK_DEVICE_STRUCT_(vgl) * out) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, CONVK_DEVICE_(none)(), 0);
  CONVK_ARRAY_(CONVK_T) five[5];
  if (!f.status) f.status = convk_need_(f.message, "out", out);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  memcpy(five, out, sizeof five); /* value .. laplacian */
  return convk_orbitals_on_(f, points, plan, device_plan, options, five, out->ld, 5, 0);
}

CONVK_API_ int convk_density_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                      const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                      const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) density) {
  return convk_orbitals_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, CONVK_DEVICE_(none)(), 0), points, plan,
                            device_plan, options, &density, 0, 1, 1);
}

/* ---- host arrays on a device ---- */

/* What runs a checked call on points and results of the device, rows `ld` apart.  What else it needs goes up with part 0. */
typedef int convk_gaussian_device_(CONVK_DEVICE_(host) *host, void *job, size_t part, size_t ld,
                                   const CONVK_DEVICE_STRUCT_(points) * points, CONVK_ARRAY_(CONVK_T) const *out);

/* A checked call in parts of the points: their coordinates go up packed, or as xyz where they are so. */
typedef struct convk_gaussian_arrays_job_ {
  const convk_points *p;
  convk_gaussian_device_ *start;
  void *job;
  size_t kinds, each, other; /* other: results of a point */
  int rows;                  /* points are rows of a result, not columns */
  convk_grid3 grid;          /* of one kind of result */
  CONVK_T *const *out;
  CONVK_T *gathered[2]; /* coordinates of two parts, where the caller's lie apart */
  CONVK_DEVICE_(memory) in, results[5];
} convk_gaussian_arrays_job_;

CONVK_LOCAL_ int convk_gaussian_xyz_(const convk_points *p) { return p->stride == 3 && p->y == p->x + 1 && p->z == p->x + 2; }

CONVK_LOCAL_ size_t convk_gaussian_count_(const convk_gaussian_arrays_job_ *c, size_t part) {
  const size_t left = c->p->n - part * c->each;
  return left < c->each ? left : c->each;
}

CONVK_LOCAL_ int convk_gaussian_bring_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_gaussian_arrays_job_ *const c = (const convk_gaussian_arrays_job_ *)parts;
  const convk_points *const p = c->p;
  const size_t s = sizeof(CONVK_T), n = convk_gaussian_count_(c, part), first = part * c->each * p->stride;
  const size_t at = slot * 3 * c->each * s;
  const CONVK_T *const from[3] = {p->x, p->y, p->z};
  CONVK_T *const gathered = c->gathered[part % 2];
  size_t d, i;
  int status = CONVK_OK;
  if (convk_gaussian_xyz_(p)) return CONVK_DEVICE_(send)(host, c->in, at, 3 * n * s, p->x + first);
  if (gathered && part > 1) status = CONVK_DEVICE_(until)(host, (part - 2) % CONVK_SLOTS_); /* it has left */
  for (d = 0; d < 3 && !status; d++) {
    for (i = 0; gathered && i < n; i++) memcpy(gathered + d * n + i, from[d] + first + i * p->stride, s);
    status = CONVK_DEVICE_(send)(host, c->in, at + d * n * s, n * s, gathered ? gathered + d * n : from[d] + first);
  }
  return status;
}

CONVK_LOCAL_ int convk_gaussian_work_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_gaussian_arrays_job_ *const c = (const convk_gaussian_arrays_job_ *)parts;
  const size_t s = sizeof(CONVK_T);
  const int xyz = convk_gaussian_xyz_(c->p);
  CONVK_DEVICE_STRUCT_(points) points;
  CONVK_ARRAY_(CONVK_T) arrays[5];
  size_t d;
  points.n = convk_gaussian_count_(c, part);
  points.stride = xyz ? 3 : 1;
  convk_points_at_(c->in, slot * 3 * c->each, xyz ? 1 : points.n, &points);
  for (d = 0; d < c->kinds; d++)
    arrays[d] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->results[d]), slot * c->each * c->other * s, s);
  return c->start(host, c->job, part, c->each, &points, arrays);
}

CONVK_LOCAL_ int convk_gaussian_fetch_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_gaussian_arrays_job_ *const c = (const convk_gaussian_arrays_job_ *)parts;
  const size_t s = sizeof(CONVK_T), none[3] = {0, 0, 0}, n = convk_gaussian_count_(c, part);
  convk_grid3 grid = c->grid;
  size_t count[3], d;
  int status = CONVK_OK;
  if (c->rows) grid.ny = c->each;
  else grid.nx = c->each;
  count[0] = c->rows ? grid.nx : n;
  count[1] = c->rows ? n : grid.ny;
  count[2] = 1;
  for (d = 0; d < c->kinds && !status; d++)
    status = CONVK_DEVICE_(copy_box)(host, 1, c->results[d], slot * c->each * c->other * s, &grid, none, count, s,
                                     c->out[d] + part * c->each * (c->rows ? grid.pitch_y : 1));
  return status;
}

/* Results of a kind: `count` rows of `row` elements, `ld` apart.  rows: points are rows of them; once: bytes that go up beside
   the points. */
CONVK_LOCAL_ int convk_gaussian_arrays_(CONVK_DEVICE_(host) *host, const convk_points *p, size_t kinds, size_t row,
                                        size_t count, size_t ld, int rows, CONVK_T *const *out, convk_gaussian_device_ *start,
                                        void *job, size_t once) {
  const size_t s = sizeof(CONVK_T), other = rows ? row : count, unit = (3 + kinds * other) * s;
  convk_gaussian_arrays_job_ c;
  size_t d, places, parts;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  memset(&c, 0, sizeof c);
  c.p = p;
  c.start = start;
  c.job = job;
  c.kinds = kinds;
  c.grid.nx = row;
  c.grid.ny = count;
  c.grid.nz = 1;
  c.grid.pitch_y = ld;
  c.grid.pitch_z = count * ld;
  c.rows = rows;
  c.other = other;
  c.out = out;
  status = CONVK_DEVICE_(parts_of)(host, p->n, unit, 0, once, 1, &c.each);
  parts = status ? 1 : convk_ceil_(p->n, c.each);
  places = parts > 1 ? CONVK_SLOTS_ : 1;
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, places * 3 * c.each * s, &c.in);
  for (d = 0; d < kinds && !status; d++)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_ + d, places * c.each * other * s, &c.results[d]);
  for (d = 0; d < 2 && d < parts && !status && p->stride > 1 && !convk_gaussian_xyz_(p); d++)
    if (!(c.gathered[d] = (CONVK_T *)CONVK_MALLOC(3 * c.each * s))) status = CONVK_ERR_MEMORY;
  if (!status)
    status = CONVK_DEVICE_(parts_run)(host, parts, convk_gaussian_bring_, convk_gaussian_work_, convk_gaussian_fetch_, &c);
  status = CONVK_DEVICE_(end)(host, status);
  for (d = 0; d < 2; d++)
    if (c.gathered[d]) CONVK_FREE(c.gathered[d]);
  return status;
}

CONVK_LOCAL_ int convk_gridpot_host_(convk *hw, const convk_gridpot_call_ *call) {
  convk_gridpot_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_gridpot_check_(convk_gaussian_kernel_table_(), hw, CONVK_DEVICE_(threads)(hw), call, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (status || !job.rows || !job.row) return status;
  return convk_gaussian_arrays_(host, &job.points.p, 1, job.row, job.rows, job.ld, !convk_gridpot_points_first_(&job),
                                &call->out, convk_gridpot_device_, &job,
                                (1 + (job.sum ? job.of.nsums : 0)) * (job.of.n * sizeof(CONVK_T) + 256));
}

/* The plan that a call has, or that it makes, goes up. */
CONVK_LOCAL_ int convk_orbitals_device_(CONVK_DEVICE_(host) *host, void *checked, size_t part, size_t ld,
                                        const CONVK_DEVICE_STRUCT_(points) * points, CONVK_ARRAY_(CONVK_T) const *out) {
  convk_orbitals_job_ *const job = (convk_orbitals_job_ *)checked;
  const convk_orbital_set *const set = job->call.set;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_DEVICE_(memory) device_tables = NULL;
  convk_work_ memory;
  const void *tables = set->plan;
  int status = CONVK_OK;
  memory.own = NULL;
  job->call.ld = ld;
  if (!set->plan && !part) {
    if (job->call.density) job->built.combined = 1; /* functions as orbitals */
    job->built.occupied = job->call.density != 0;
    status = convk_orbitals_layout_(call.message, set, 1, &job->built);
    if (!status) status = convk_work_begin_(call.message, &memory, NULL, 0, (size_t)job->built.bytes + 64);
    if (status) return status;
    convk_orbitals_fill_(set, 1, 1, 1, &job->built, memory.base);
    if (job->call.density && job->norbitals)
      memcpy(memory.base + job->built.at[CONVK_ORBITALS_OCCUPATIONS_], set->occupations, job->norbitals * sizeof(CONVK_T));
    tables = memory.base;
  }
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, (size_t)job->head->device, &device_tables);
  if (!status && !part) status = CONVK_DEVICE_(send)(host, device_tables, 0, (size_t)job->head->device, tables);
  if (!status) status = convk_orbitals_start_(&call, job, points, CONVK_DEVICE_(array_of)(device_tables), out);
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (memory.own) status = CONVK_DEVICE_(wait)(host, status); /* the copy may have gone on until here */
  if (memory.own) CONVK_FREE(memory.own);
  return status;
}

CONVK_LOCAL_ int convk_orbitals_host_(convk *hw, const convk_orbitals_call_ *call) {
  convk_orbitals_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_orbitals_check_(convk_gaussian_kernel_table_(), hw, CONVK_DEVICE_(threads)(hw), call, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (status || !job.rows || !job.points.p.n) return status;
  return convk_gaussian_arrays_(host, &job.points.p, call->kinds, job.points.p.n, job.rows, job.call.ld, 0, call->out,
                                convk_orbitals_device_, &job, (size_t)job.head->device + 64);
}

static const convk_gaussian_kernels_ convk_gaussian_table_ = {
    1, convk_gaussian_finite_, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, convk_gridpot_host_, convk_orbitals_host_};
CONVK_LOCAL_ const convk_gaussian_kernels_ *convk_gaussian_kernel_table_(void) { return &convk_gaussian_table_; }

/* For a handle of the device: copies, runs, waits.  Errors as in convk.h, and HANDLE for other handles, MEMORY, DEVICE, and
   with OpenCL FP64 and BUILD, with hw->message; `work` is ignored. */
CONVK_GAUSSIAN_OPERATIONS_(CONVK_OP_VARIANT_)
#endif
#if CONVK_HAS_GRIDS_
/* ---- src/grids/cuda_launch.h ---- */
/* ---- grids ---- */

/* What the host has made goes to the beginning of work memory, a multiple of 8 bytes: as arguments of kernels. */
CONVK_LOCAL_ int convk_grids_send_(convk_cuda_call_ *call, void *work, const void *data, size_t bytes) {
  const size_t chunk = sizeof(uint64_t) * CONVK_CUDA_PUT_WORDS_;
  convk_cuda_put_args_ a;
  size_t at;
  int status = CONVK_OK;
  for (at = 0; at < bytes && !status; at += chunk) {
    const size_t some = bytes - at < chunk ? bytes - at : chunk;
    a.to = convk_cuda_at_<uint64_t>(work, at);
    a.count = some / sizeof(uint64_t);
    memcpy(a.words, (const char *)data + at, some);
    status =
        convk_cuda_launch_(convk_cuda_put_words_, convk_ceil_((size_t)a.count, CONVK_CUDA_PUT_EACH_), 128, call->stream, a);
  }
  return status;
}

/* Of a general cell there are no tables. */
CONVK_LOCAL_ int convk_cells_start_(convk_cuda_call_ *call, convk_cuda_grids_args_<CONVK_T> *a, int density) {
  a->of.strips_x = convk_ceil_((size_t)a->of.n[0], CONVK_CUDA_GRIDS_ACROSS_);
  a->of.strips_y = convk_ceil_((size_t)a->of.n[1], CONVK_CUDA_GRIDS_LINES_);
  a->count = (size_t)(a->of.strips_x * a->of.strips_y * a->of.planes);
  a->tasks = a->count * (density ? 1 : convk_ceil_((size_t)a->of.norbitals, a->of.wide));
  return convk_cuda_start_(convk_cuda_cells_of_<CONVK_T>(a->of.kinds, a->of.wide, density), a->tasks,
                           CONVK_CUDA_GAUSSIAN_THREADS_, call->stream, *a);
}

/* Makes tables, where `points` is not 0 but the most points of any, and then results; given->kinds: of tables; lot: most rows
   of results that go together; density: 2 with what derivatives give. */
CONVK_LOCAL_ int convk_grids_start_(convk_cuda_call_ *call, const convk_grids_arguments_<CONVK_T> *arguments, size_t points,
                                    size_t lot, int density, void *work, CONVK_T *const *out) {
  const size_t threads = CONVK_CUDA_GAUSSIAN_THREADS_, parts = arguments->wave ? 2 : 1;
  const size_t columns = parts * (density ? (size_t)arguments->norbitals : lot);
  convk_cuda_grids_cut_ cut;
  convk_cuda_grids_args_<CONVK_T> a;
  size_t k, first, some, shared;
  int status = CONVK_OK;
  memset(&a, 0, sizeof a);
  a.of = *arguments;
  a.work = (unsigned char *)work;
  for (k = 0; k < 5; k++) a.out[k] = out[k];
  if (arguments->wide) return convk_cells_start_(call, &a, density);
  if (points && a.of.groups) {
    a.count = convk_ceil_(points, threads);
    a.tasks = 3 * (size_t)a.of.groups * a.count;
    status = convk_cuda_start_(a.of.wave        ? convk_cuda_grids_tables_<CONVK_T, 2>
                               : a.of.kinds > 1 ? convk_cuda_grids_tables_<CONVK_T, 3>
                                                : convk_cuda_grids_tables_<CONVK_T, 1>,
                               a.tasks, (int)threads, call->stream, a);
    k = (size_t)(a.of.tiles[0] > a.of.tiles[1] ? a.of.tiles[0] : a.of.tiles[1]);
    if (k < a.of.tiles[2]) k = (size_t)a.of.tiles[2];
    a.count = convk_ceil_(k, threads / CONVK_CUDA_GRIDS_MAXIMUM_);
    a.tasks = 3 * (size_t)a.of.groups * a.count;
    if (!status) status = convk_cuda_start_(convk_cuda_grids_maxima_<CONVK_T>, a.tasks, (int)threads, call->stream, a);
  }
  a.tasks = (size_t)(a.of.tiles[0] * a.of.tiles[1] * a.of.tiles[2]);
  if (!status && points && a.of.listed)
    status = convk_cuda_start_(convk_cuda_grids_lists_<CONVK_T>, a.tasks, (int)threads, call->stream, a);
  a.sets = a.of.wave ? 3 : a.of.kinds;
  a.steps = (size_t)a.of.depth * (a.of.wave || a.of.kinds > 1 ? 2 : 1);
  a.of.kinds = a.of.kinds == 1 || density || a.of.wave ? 1 : 5;
  cut = convk_cuda_grids_cut_of_(density, parts, columns, a.of.tile,
                                 (size_t)(a.of.tiles[0] * a.of.tiles[1] * a.of.tiles[2] * a.of.kinds * a.of.nlots));
  a.shift = cut.shift;
  a.deep = cut.deep;
  a.of.strips_x = a.of.tiles[0] * cut.parts[0];
  a.of.strips_y = a.of.tiles[1] * cut.parts[1];
  shared = convk_cuda_grids_shared_<CONVK_T>(cut.each, a.steps, &a.look);
  some = (size_t)a.of.plane_sums * a.sets * sizeof(CONVK_T); /* bytes of a plane, then planes at a time */
  some = some ? (size_t)a.of.sums_bytes / some : (size_t)arguments->planes;
  if (some > a.of.tile[2]) some -= some % (size_t)a.of.tile[2];
  for (first = 0; first < arguments->planes && !status; first += some) {
    a.of.first_plane = arguments->first_plane + first;
    a.of.planes = convk_least_((size_t)arguments->planes - first, some);
    for (k = 0; k < 5; k++) a.out[k] = out[k] ? out[k] + first * a.of.pitch_z * (density ? 1 : parts) : NULL;
    a.count = convk_ceil_((size_t)a.of.lot_sums, threads);
    a.tasks = (size_t)(a.of.nlots * a.of.planes) * a.count;
    if (a.of.plane_sums) status = convk_cuda_start_(convk_cuda_grids_sums_<CONVK_T>, a.tasks, (int)threads, call->stream, a);
    a.first_tile = (size_t)(a.of.first_plane / a.of.tile[2]);
    a.count = density ? 1 : convk_ceil_(columns, cut.abreast);
    k = (size_t)((a.of.first_plane + a.of.planes - 1) / a.of.tile[2]) + 1 - a.first_tile;
    a.tasks = (size_t)(a.of.strips_x * a.of.kinds * a.of.nlots * a.of.strips_y) * k * cut.parts[2] * a.count;
    if (!status)
      status =
          convk_cuda_start_(convk_cuda_grids_of_<CONVK_T>(density, cut.each), a.tasks, (int)threads, call->stream, a, shared);
  }
  return status;
}
/* ---- src/grids/device.h ---- */
/* ---- Gaussians on regular grids, on devices: what the host makes of a call, work memory, host arrays ---- */

/* A checked call, and where everything of it is in work memory: first `sent` bytes that the host makes, then the rest. */
typedef struct convk_grids_built_ {
  convk_grids_job_ *job;
  CONVK_ARGUMENTS_(grids) a;
  size_t sent, bytes, lot, points; /* lot: rows of one; points: the most that a table has */
  char *base;                      /* on the host */
  /* of host arrays */
  size_t each, kinds, rows;
  CONVK_DEVICE_(memory) work, results[5];
} convk_grids_built_;

CONVK_LOCAL_ const convk_grids_kernels_ *convk_grids_kernel_table_(void);

/* What kernels take of any call. */
CONVK_LOCAL_ void convk_grids_arguments_of_(const convk_grids_job_ *job, CONVK_ARGUMENTS_(grids) * a) {
  unsigned d;
  for (d = 0; d < 3; d++) a->n[d] = job->n[d];
  a->norbitals = job->norbitals;
  a->planes = job->n[2];
  a->pitch_y = job->box.grid.pitch_y;
  a->pitch_z = job->box.grid.pitch_z;
  a->ld = job->ld;
  for (d = 0; d < 5; d++) a->wanted |= job->out[d] ? 1u << d : 0;
  a->cut = job->part.cut;
}

/* Bytes of the host's memory beside those that are sent: groups, which of them primitives have, terms of one orbital. */
CONVK_LOCAL_ size_t convk_grids_host_bytes_(const convk_grids_job_ *job, size_t at[3]) {
  size_t end = 0;
  at[0] = end;
  end += convk_round_up_(job->primitives * sizeof *job->groups, 64);
  at[1] = end;
  end += convk_round_up_(job->primitives * sizeof *job->of, 64);
  at[2] = end;
  return end + job->terms * sizeof(double);
}

/* Orbitals of a block of a general cell, whose sums a thread has in registers. */
CONVK_LOCAL_ size_t convk_cells_wide_(const convk_grids_job_ *job) {
  return job->norbitals < 2 ? 1 : job->kinds > 1 || job->bloch ? 4 : 8;
}

/* Where parts of work memory of a general cell are, enough whatever the kinds of results. */
CONVK_RARE_ int convk_cells_layout_(char *message, convk_grids_job_ *job, convk_grids_built_ *built) {
  const size_t s = sizeof(CONVK_T), max_rows = convk_round_up_(job->norbitals, 8);
  const int complex_terms = job->bloch && job->bloch->imag;
  CONVK_ARGUMENTS_(grids) *const a = &built->a;
  size_t end = 0, at[5];
  int status = CONVK_OK;
  memset(built, 0, sizeof *built);
  built->job = job;
  job->unturned = 1;
  job->width = convk_cells_wide_(job);
  if (convk_mul_(max_rows, job->terms, &job->term_rows) || job->term_rows > (size_t)-1 / 4096) status = CONVK_ERR_OVERFLOW;
  if (complex_terms) job->term_rows *= 2;
  if (!status) status = convk_reserve_(&end, 1, 1, 1, sizeof(convk_cells_device_), &at[0]);
  if (!status) status = convk_reserve_(&end, job->primitives, 1, 1, sizeof(convk_cells_group_device_), &at[1]);
  if (!status) status = convk_reserve_(&end, job->term_rows, 1, 1, s, &at[2]);
  if (!status) status = convk_reserve_(&end, job->density ? job->norbitals : 0, 1, 1, s, &at[3]);
  if (!status) status = convk_reserve_(&end, convk_ceil_(job->norbitals, 4), job->primitives, 1, 1, &at[4]);
  if (status) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the shells of set are too many");
  built->sent = built->bytes = end;
  a->cell = at[0];
  a->axes = at[1];
  a->terms = at[2];
  a->weights = at[3];
  a->used = at[4];
  convk_grids_arguments_of_(job, a);
  a->kinds = job->bloch ? 2 : job->kinds > 1 ? 5 : 1;
  a->wide = (uint32_t)job->width;
  a->imag = complex_terms ? job->term_rows / 2 : 0;
  a->wave = job->add ? 8 : 0;
  return CONVK_OK;
}

/* The cell. */
CONVK_RARE_ void convk_cells_cell_of_(const convk_grids_job_ *job, convk_cells_device_ *to) {
  const convk_gaussian_box *const box = &job->box;
  const convk_cells_frame_ *const frame = &job->frame;
  size_t d, k;
  for (d = 0; d < 3; d++) {
    const double *const step = d == 0 ? box->step_x : d == 1 ? box->step_y : box->step_z;
    for (k = 0; k < 3; k++) {
      convk_cells_pair_ period = {0, 0}; /* out of the frame: a step's own components over its length */
      size_t i;
      for (i = 0; i < 3; i++) period = convk_cells_add_(period, convk_cells_mul_(frame->image[d][i], frame->axis[i][k]));
      to->step[3 * d + k] = step[k];
      to->axis[3 * d + k] = frame->axis[d][k].hi;
      to->image[3 * d + k] = k <= d ? frame->image[d][k].hi : 0;
      to->period[3 * d + k] = period.hi;
      to->lost[3 * d + k] = period.lo;
    }
    to->turn[d] = job->turned[d] ? job->turn[d].hi : 0;
    to->turn_lo[d] = job->turned[d] ? job->turn[d].lo : 0;
  }
  to->wide[0] = frame->step[0][0].hi;
  to->wide[1] = frame->step[1][0].hi;
  to->wide[2] = frame->step[1][1].hi;
}

/* Its groups, and which blocks of orbitals have any of them. */
CONVK_RARE_ void convk_cells_groups_of_(const convk_grids_job_ *job, convk_cells_group_device_ *to, unsigned char *used) {
  size_t g, d, b, k;
  for (g = 0; g < job->ngroups; g++, to++) {
    const convk_grids_group_ *const group = &job->groups[g];
    CONVK_T exponent[3];
    convk_gaussian_exponent_(1, -group->exponent, exponent, exponent + 1, exponent + 2);
    for (d = 0; d < 3; d++) {
      const convk_cells_pair_ start = convk_cells_pair_of_(job->box.origin[d], -group->center[d]);
      to->start[d] = start.hi;
      to->lost[d] = start.lo;
    }
    to->radius = convk_grids_radius_(job, g);
    to->exponent = group->exponent;
    to->a = (double)exponent[0];
    to->b = (double)exponent[1];
    to->top = (double)exponent[2];
    to->l = group->l;
    to->terms = group->terms;
    for (b = 0; b * job->width < job->norbitals; b++) {
      const CONVK_T *const terms = job->coefficients + (b * job->whole + group->terms) * job->width;
      int any = 0;
      for (k = 0; k < convk_grids_terms_(group->l) * job->width; k++)
        any |= terms[k] != 0 || (job->bloch && job->bloch->imag && terms[k + job->term_rows / 2] != 0);
      used[b * job->ngroups + g] = (unsigned char)any;
    }
  }
}

/* What the host makes for any call: its groups, by `find`, and the terms of all orbitals. */
CONVK_RARE_ void convk_grids_build_terms_(convk_grids_built_ *built, void (*find)(convk_grids_job_ *job)) {
  convk_grids_job_ *const job = built->job;
  char *const own = built->base + built->sent; /* of the host alone */
  size_t at[3];
  (void)convk_grids_host_bytes_(job, at);
  memset(built->base, 0, built->sent);
  job->groups = (convk_grids_group_ *)(void *)(own + at[0]);
  job->of = (size_t *)(void *)(own + at[1]);
  job->coefficients = (CONVK_T *)(void *)(built->base + built->a.terms);
  find(job);
  convk_grids_terms_of_(job, (double *)(void *)(own + at[2]));
  convk_grids_imaginary_(job, (double *)(void *)(own + at[2]));
  if (job->density && job->norbitals)
    memcpy(built->base + built->a.weights, job->occupations, job->norbitals * sizeof(CONVK_T));
  built->a.groups = job->ngroups;
}

/* All that is sent of a general cell. */
CONVK_RARE_ void convk_cells_build_all_(convk_grids_built_ *built) {
  CONVK_ARGUMENTS_(grids) *const a = &built->a;
  convk_grids_build_terms_(built, convk_grids_group_all_);
  convk_cells_cell_of_(built->job, (convk_cells_device_ *)(void *)(built->base + a->cell));
  convk_cells_groups_of_(built->job, (convk_cells_group_device_ *)(void *)(built->base + a->axes),
                         (unsigned char *)(built->base + a->used));
  a->ntables = built->job->whole;
}

/* Where parts of work memory are, for as many groups as there are primitives. */
CONVK_RARE_ int convk_grids_layout_(char *message, convk_grids_job_ *job, convk_grids_built_ *built) {
  const size_t s = sizeof(CONVK_T), tiles = job->tiles[1] * job->tiles[2], combined = job->head.combined != 0;
  const size_t rows = job->norbitals ? job->norbitals : 1;
  CONVK_ARGUMENTS_(grids) *const a = &built->a;
  const size_t parts = job->bloch && !job->bloch->imag ? 2 : 1, sets = job->bloch ? 3 : (size_t)job->kinds;
  size_t at[9], end = 0, d, groups;
  int status;
  if (job->general) return convk_cells_layout_(message, job, built);
  memset(built, 0, sizeof *built);
  built->job = job;
  status = convk_reserve_(&end, job->primitives, 3, 1, sizeof(convk_grids_axis_device_), &at[0]);
  if (!status) status = convk_reserve_(&end, job->rows, 1, 1, sizeof(convk_grids_table_device_), &at[1]);
  if (!status) status = convk_reserve_(&end, rows, 1, 1, sizeof(convk_grids_lot_device_), &at[2]);
  if (!status) status = convk_reserve_(&end, job->term_rows, 1, 1, s, &at[3]);
  if (!status) status = convk_reserve_(&end, job->density ? job->norbitals : 0, 1, 1, s, &at[4]);
  built->sent = end;
  if (!status) status = convk_reserve_(&end, job->table, 1, 1, s, &at[5]);
  if (!status) status = convk_reserve_(&end, combined ? job->rows : 0, job->tiles[0], tiles, sizeof(uint32_t), &at[6]);
  if (!status) status = convk_reserve_(&end, combined ? 1 : 0, job->tiles[0], tiles, sizeof(uint32_t), &at[7]);
  a->sums_bytes = CONVK_DEVICE_(grids_room_of)(job->term_rows * parts * sets * s, job->n[2]); /* there are no more than terms */
  if (!status) status = convk_reserve_(&end, (size_t)a->sums_bytes, 1, 1, 1, &at[8]);
  if (status) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the shells of set are too many");
  built->bytes = end;
  a->sums = at[8];
  a->axes = at[0];
  a->tables = at[1];
  a->lots = at[2];
  a->terms = at[3];
  a->weights = at[4];
  a->values = at[5];
  a->lists = at[6];
  a->counts = at[7];
  for (d = 0; d < 3; d++) {
    a->tile[d] = job->tile[d];
    a->tiles[d] = job->tiles[d];
  }
  convk_grids_arguments_of_(job, a);
  a->kinds = job->bloch ? 2 : (uint32_t)job->kinds;
  if (job->bloch) {
    a->imag = job->bloch->imag ? job->term_rows / 2 : 0;
    a->wave = 1 | (job->turned[0] ? 2 : 0) | (a->imag || job->turned[1] || job->turned[2] ? 4 : 0) | (job->add ? 8 : 0);
  }
  a->listed = (uint32_t)combined;
  groups = job->tiles[0] * job->tiles[1] * job->n[2] * (job->kinds > 1 ? 5 : a->kinds);
  built->lot = CONVK_DEVICE_(grids_lot)(rows, groups);
  return CONVK_OK;
}

/* One axis of a group, whose center has these images; its tables begin at *next, which moves behind them. */
CONVK_RARE_ void convk_grids_axis_of_(const convk_grids_built_ *built, size_t g, size_t d, const convk_grids_images_ *of,
                                      const CONVK_T exponent[3], size_t *next, convk_grids_axis_device_ *to) {
  const convk_grids_job_ *const job = built->job;
  const convk_grids_group_ *const group = &job->groups[g];
  to->start = of->start;
  to->lost = of->lost;
  to->step = job->step[d];
  to->period = job->box.period[d];
  to->image = of->image;
  to->last = of->last;
  to->radius = convk_grids_radius_(job, g);
  to->exponent = group->exponent;
  to->a = (double)exponent[0];
  to->b = (double)exponent[1];
  to->top = (double)exponent[2];
  to->n = job->n[d];
  to->low = group->low[d];
  to->count = group->count[d];
  to->tile = job->tile[d];
  to->tiles = job->tiles[d];
  to->rows = group->l + 1;
  to->turn = job->step[d] < 0 ? job->turn[d].hi : -job->turn[d].hi;
  to->turn_lo = job->step[d] < 0 ? job->turn[d].lo : -job->turn[d].lo;
  to->size = convk_grids_size_row_(job, d, group->l) * group->count[d];
  to->table = *next;
  *next += convk_grids_rows_(job, d, group->l) * group->count[d];
  to->maxima = *next;
  *next += job->tiles[d];
}

/* The axes of all groups. */
CONVK_RARE_ void convk_grids_axes_(convk_grids_built_ *built, convk_grids_axis_device_ *to) {
  const convk_grids_job_ *const job = built->job;
  convk_grids_images_ of[3];
  size_t next = 0, first = 0, g, end = 0, d;
  for (g = 0; g < job->ngroups; g++) {
    const int moved = g == end; /* to another center */
    CONVK_T exponent[3];
    if (moved) end = convk_grids_center_end_(job, g);
    convk_gaussian_exponent_(1, -job->groups[g].exponent, exponent, exponent + 1, exponent + 2);
    for (d = 0; d < 3; d++, to++) {
      if (moved) of[d] = convk_grids_images_of_(job, g, end, d);
      convk_grids_axis_of_(built, g, d, &of[d], exponent, &next, to);
      to->first = first;
      if (job->groups[g].count[d] > built->points) built->points = job->groups[g].count[d];
    }
    first += job->groups[g].l + 1;
  }
}

/* Tables of one group or primitive, of degrees up to l: returns behind the last. */
CONVK_LOCAL_ convk_grids_table_device_ *convk_grids_list_(convk_grids_table_device_ *to, size_t group, size_t l, size_t terms,
                                                          size_t *sums) {
  size_t k;
  for (k = 0; k <= l; k++, to++) {
    to->first = (uint32_t)*sums;
    *sums += l - k + 1;
    to->terms = terms + convk_grids_term_(l, k, 0, 0);
    to->group = (uint32_t)group;
    to->power = (uint32_t)k;
    to->degree = (uint32_t)(l - k);
  }
  return to;
}

/* Lots of `rows` rows from `row` on, over the same tables, which have so many sums along z. */
CONVK_LOCAL_ convk_grids_lot_device_ *convk_grids_lots_(convk_grids_built_ *built, convk_grids_lot_device_ *to, size_t first,
                                                        size_t count, size_t sums, size_t row, size_t rows, size_t terms,
                                                        size_t apart) {
  CONVK_ARGUMENTS_(grids) *const a = &built->a;
  const size_t max_rows = built->job->density ? rows : built->lot;
  size_t r;
  for (r = 0; r < rows; r += max_rows, to++) {
    to->first = first;
    to->count = count;
    to->row = row + r;
    to->rows = convk_least_(rows - r, max_rows);
    to->terms = terms + r * apart;
    to->apart = apart;
    to->sums = a->plane_sums;
    a->plane_sums += sums * to->rows * (built->job->bloch ? 2 : 1);
    if (to->count * to->rows > a->lot_sums) a->lot_sums = to->count * to->rows;
  }
  return to;
}

/* All that is sent, at made->base, behind which is room for what the host needs. */
CONVK_RARE_ void convk_grids_build_all_(convk_grids_built_ *built) {
  convk_grids_job_ *const job = built->job;
  CONVK_ARGUMENTS_(grids) *const a = &built->a;
  convk_grids_table_device_ *const tables = (convk_grids_table_device_ *)(void *)(built->base + a->tables), *table = tables;
  convk_grids_lot_device_ *const lots = (convk_grids_lot_device_ *)(void *)(built->base + a->lots), *lot = lots;
  size_t g, i, p, row = 0, primitive = 0, terms = 0, sums = 0;
  if (job->general) {
    convk_cells_build_all_(built);
    return;
  }
  built->points = 1; /* lists are made even where no group has a point */
  convk_grids_build_terms_(built, convk_grids_ranges_);
  convk_grids_axes_(built, (convk_grids_axis_device_ *)(void *)(built->base + a->axes));
  if (job->head.combined) {
    for (g = 0; g < job->ngroups; g++) table = convk_grids_list_(table, g, job->groups[g].l, job->groups[g].terms, &sums);
    lot = convk_grids_lots_(built, lot, 0, (size_t)(table - tables), sums, 0, job->norbitals, 0, job->whole);
    if (job->density && !job->norbitals) lot++; /* of which nothing is looked at */
  }
  for (i = 0; i < job->nshells && !job->head.combined; i++) {
    const convk_shell *const s = &job->shells[i];
    const size_t l = (size_t)s->l, own = convk_grids_terms_(l), count = (size_t)convk_shell_functions(s->l, s->functions);
    const size_t first = (size_t)(table - tables), before = sums;
    for (p = 0; p < s->primitives; p++) table = convk_grids_list_(table, job->of[primitive + p], l, p * own, &sums);
    lot = convk_grids_lots_(built, lot, first, (size_t)(table - tables) - first, sums - before, row, count, terms,
                            s->primitives * own);
    row += count;
    primitive += s->primitives;
    terms += count * s->primitives * own;
  }
  for (g = 0; g < job->ngroups; g++)
    if (job->groups[g].l >= a->depth) a->depth = (uint32_t)job->groups[g].l + 1;
  if (!job->ngroups) a->listed = 0; /* no lists are made, and lots have no tables */
  a->ntables = (uint64_t)(table - tables);
  a->nlots = (uint64_t)(lot - lots);
}

/* 2: a density with what derivatives give; 1: a density alone. */
CONVK_LOCAL_ int convk_grids_density_(const convk_grids_job_ *job) { return !job->density ? 0 : job->kinds > 1 ? 2 : 1; }

/* ---- host arrays ---- */

/* Planes of a part. */
CONVK_LOCAL_ size_t convk_grids_planes_(const convk_grids_built_ *built, size_t part) {
  return convk_least_(built->job->n[2] - part * built->each, built->each);
}

/* Bytes of a result in a point. */
CONVK_LOCAL_ size_t convk_grids_element_(const convk_grids_job_ *job) {
  return (job->bloch && !job->density ? 2 : 1) * sizeof(CONVK_T);
}

/* Results of a part between the device and the caller's arrays. */
CONVK_LOCAL_ int convk_grids_copy_(CONVK_DEVICE_(host) *host, int download, const convk_grids_built_ *built, size_t part,
                                   size_t slot) {
  const convk_grids_job_ *const job = built->job;
  const size_t s = convk_grids_element_(job), plane = job->n[0] * job->n[1], none[3] = {0, 0, 0};
  convk_grid3 grid = job->box.grid;
  size_t count[3], d, r;
  int status = CONVK_OK;
  count[0] = job->n[0];
  count[1] = job->n[1];
  count[2] = convk_grids_planes_(built, part);
  grid.nz = built->each;
  for (d = 0; d < 5; d++)
    for (r = 0; r < built->rows && built->results[d] && !status; r++)
      status = CONVK_DEVICE_(copy_box)(host, download, built->results[d], (slot * built->rows + r) * built->each * plane * s,
                                       &grid, none, count, s,
                                       job->out[d] + (r * job->ld + part * built->each * grid.pitch_z) * (s / sizeof(CONVK_T)));
  return status;
}

/* A density that is added to. */
CONVK_LOCAL_ int convk_grids_bring_(CONVK_DEVICE_(host) *host, void *arg, size_t part, size_t slot) {
  const convk_grids_built_ *const built = (const convk_grids_built_ *)arg;
  return built->job->add ? convk_grids_copy_(host, 0, built, part, slot) : CONVK_OK;
}

CONVK_LOCAL_ int convk_grids_work_on_(CONVK_DEVICE_(host) *host, void *arg, size_t part, size_t slot) {
  convk_grids_built_ *const built = (convk_grids_built_ *)arg;
  const convk_grids_job_ *const job = built->job;
  const size_t plane = job->n[0] * job->n[1], bytes = built->rows * built->each * plane * convk_grids_element_(job);
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_ARRAY_(CONVK_T) out[5];
  size_t d;
  int status = CONVK_OK;
  memset(out, 0, sizeof out);
  for (d = 0; d < 5; d++)
    if (built->results[d])
      out[d] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(built->results[d]), slot * bytes, sizeof(CONVK_T));
  built->a.first_plane = part * built->each;
  built->a.planes = convk_grids_planes_(built, part);
  built->a.pitch_y = job->n[0];
  built->a.pitch_z = plane;
  built->a.ld = built->each * plane;
  if (!part) status = CONVK_DEVICE_(send)(host, built->work, 0, built->sent, built->base);
  if (!status)
    status = convk_grids_start_(&call, &built->a, part ? 0 : built->points, job->density ? 1 : built->lot,
                                convk_grids_density_(job), CONVK_DEVICE_(array_of)(built->work), out);
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_grids_fetch_(CONVK_DEVICE_(host) *host, void *arg, size_t part, size_t slot) {
  return convk_grids_copy_(host, 1, (const convk_grids_built_ *)arg, part, slot);
}

/* Buffers, then parts. */
CONVK_LOCAL_ int convk_grids_parts_(CONVK_DEVICE_(host) *host, convk_grids_built_ *built) {
  const convk_grids_job_ *const job = built->job;
  const size_t s = convk_grids_element_(job), plane = job->n[0] * job->n[1];
  size_t d, parts, places, unit = 0;
  int status = CONVK_OK;
  for (d = 0; d < 5; d++) built->kinds += job->out[d] != NULL;
  built->rows = job->density ? 1 : job->norbitals;
  if (convk_mul_(built->kinds * built->rows * s, plane, &unit)) status = CONVK_ERR_OVERFLOW;
  if (!status) status = CONVK_DEVICE_(parts_of)(host, job->n[2], unit, 0, built->bytes, 1, &built->each);
  parts = status ? 1 : convk_ceil_(job->n[2], built->each);
  places = parts > 1 ? CONVK_SLOTS_ : 1;
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, built->bytes, &built->work);
  for (d = 0; d < 5 && !status; d++)
    if (job->out[d])
      status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_ + d, places * built->rows * built->each * plane * s,
                                     &built->results[d]);
  if (status) return status;
  return CONVK_DEVICE_(parts_run)(host, parts, convk_grids_bring_, convk_grids_work_on_, convk_grids_fetch_, built);
}

CONVK_LOCAL_ int convk_grids_host_(convk *hw, void *checked) {
  convk_grids_job_ *const job = (convk_grids_job_ *)checked;
  CONVK_DEVICE_(host) *host = NULL;
  convk_grids_built_ built;
  convk_work_ memory;
  size_t at[3];
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 1);
  if (!status) status = convk_grids_layout_(hw->message, job, &built);
  if (!status) status = convk_work_begin_(hw->message, &memory, NULL, 0, built.sent + convk_grids_host_bytes_(job, at) + 64);
  if (status) return status;
  built.base = memory.base;
  convk_grids_build_all_(&built);
  status = CONVK_DEVICE_(begin)(host);
  if (!status) status = CONVK_DEVICE_(end)(host, convk_grids_parts_(host, &built)); /* which waits for what is sent */
  convk_work_end_(&memory);
  return status;
}

/* ---- device memory ---- */

/* Bytes of the caller's work memory, wherever that begins. */
#define CONVK_GRIDS_ASKED_(bytes) ((bytes) + 256)

CONVK_LOCAL_ int convk_grids_query_(char *message, convk_grids_job_ *job, size_t *bytes) {
  convk_grids_built_ built;
  const int status = convk_grids_layout_(message, job, &built);
  if (!status) *bytes = CONVK_GRIDS_ASKED_(built.bytes);
  return status;
}

/* Of orbitals and densities, at a point k or not. */
CONVK_LOCAL_ int convk_grids_shells_query_(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                           const convk_bloch *bloch, size_t *bytes) {
  convk_grids_job_ job;
  char *message;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_grids_query_set_(message, box, set, bloch, bytes, &job);
  return status ? status : convk_grids_query_(message, &job, bytes);
}

CONVK_API_ int convk_orbitals_grid_work_size_resident(CONVK_ON_ *on, const convk_gaussian_box *box,
                                                      const convk_orbital_set *set, size_t *bytes) {
  return convk_grids_shells_query_(on, box, set, NULL, bytes);
}

CONVK_API_ int convk_orbitals_grid_k_work_size_resident(CONVK_ON_ *on, const convk_gaussian_box *box,
                                                        const convk_orbital_set *set, size_t *bytes) {
  const convk_bloch bloch = convk_grids_any_bloch_();
  return convk_grids_shells_query_(on, box, set, &bloch, bytes);
}

CONVK_API_ int convk_gridpot_grid_work_size_resident(CONVK_ON_ *on, const convk_gaussian_box *box,
                                                     const convk_gaussians *gaussians, size_t *bytes) {
  convk_grids_job_ job;
  convk_gaussians own;
  char *message;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_grids_query_gaussians_(message, box, gaussians, bytes, &own, &job);
  return status ? status : convk_grids_query_(message, &job, bytes);
}

/* A call whose job has its kinds, on results `out`. */
CONVK_RARE_ int convk_grids_on_(CONVK_DEVICE_(frame) *f, const convk_gaussian_box *box, const convk_orbital_set *set,
                                const convk_gaussians *of, int plain, const convk_gaussian_options *options,
                                convk_grids_job_ *job, CONVK_ARRAY_(CONVK_T) const *out) {
  const size_t s = sizeof(CONVK_T);
  convk_grids_built_ built;
  convk_work_ memory;
  size_t c_bytes = 0, bytes = 0, at[3], d;
  if (!f->status) f->status = convk_grids_request_(f->message, box, set, of, plain, options, job, &c_bytes);
  if (!f->status) f->status = convk_grids_results_(f->message, job, &bytes);
  if (!f->status) f->status = convk_grids_counted_(f->message, job);
  if (!f->status) f->status = convk_grids_layout_(f->message, job, &built);
  if (f->status) return CONVK_DEVICE_(frame_end)(f);
  for (d = 0; d < 5; d++) {
    const int must = convk_grids_must_(job, d), may = bytes && must ? 0 : CONVK_PLACE_OPTIONAL_;
    if (must || CONVK_DEVICE_(is_set)(out[d]))
      CONVK_DEVICE_(frame_place)(f, convk_grids_name_(job, d), out[d], bytes / s, s, CONVK_PLACE_WRITTEN_ | may);
    built.a.wanted |= CONVK_DEVICE_(is_set)(out[d]) ? 1u << d : 0;
  }
  if (!CONVK_DEVICE_(frame_work)(f, CONVK_GRIDS_ASKED_(built.bytes)) || (!job->norbitals && !job->density))
    return CONVK_DEVICE_(frame_end)(f);
  f->status = convk_work_begin_(f->message, &memory, NULL, 0, built.sent + convk_grids_host_bytes_(job, at) + 64);
  if (f->status) return CONVK_DEVICE_(frame_end)(f);
  built.base = memory.base;
  convk_grids_build_all_(&built);
  f->status = convk_grids_send_(&f->call, f->work, built.base, built.sent);
  if (!f->status)
    f->status = convk_grids_start_(&f->call, &built.a, built.points, job->density ? 1 : built.lot, convk_grids_density_(job),
                                   f->work, out);
  convk_work_end_(&memory);
  return CONVK_DEVICE_(frame_end)(f);
}

/* The same where there is one result. */
CONVK_RARE_ int convk_grids_one_(CONVK_DEVICE_(frame) f, const convk_gaussian_box *box, const convk_orbital_set *set,
                                 const convk_gaussians *of, int plain, const convk_gaussian_options *options,
                                 convk_grids_job_ *job, CONVK_ARRAY_(CONVK_T) to) {
  CONVK_ARRAY_(CONVK_T) out[5];
  memset(out, 0, sizeof out);
  out[0] = to;
  return convk_grids_on_(&f, box, set, of, plain, options, job, out);
}

CONVK_API_ int convk_orbitals_grid_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                            const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) value, size_t ld,
                                            CONVK_ARRAY_(void) work, size_t work_size) {
  convk_grids_job_ job;
  convk_grids_begin_(convk_grids_kernel_table_(), 1, 0, &job);
  job.ld = ld;
  return convk_grids_one_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size), box, set, NULL, 0, options, &job,
                          value);
}

CONVK_API_ int convk_orbitals_grid_vgl_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                                const convk_gaussian_options *options, const CONVK_DEVICE_STRUCT_(vgl) * to,
                                                CONVK_ARRAY_(void) work, size_t work_size) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  CONVK_ARRAY_(CONVK_T) out[5];
  convk_grids_job_ job;
  if (!f.status) f.status = convk_need_(f.message, "out", to);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  memcpy(out, to, sizeof out); /* value .. laplacian */
  convk_grids_begin_(convk_grids_kernel_table_(), 3, 0, &job);
  job.ld = to->ld;
  return convk_grids_on_(&f, box, set, NULL, 0, options, &job, out);
}

CONVK_API_ int convk_density_grid_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                           const convk_gaussian_options *options,
                                           const CONVK_DEVICE_STRUCT_(density_parts) * to, CONVK_ARRAY_(void) work,
                                           size_t work_size) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  CONVK_ARRAY_(CONVK_T) out[5];
  convk_grids_job_ job;
  int slopes = 0;
  size_t d;
  if (!f.status) f.status = convk_need_(f.message, "out", to);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  memcpy(out, to, sizeof out); /* density .. tau */
  for (d = 1; d < 4; d++) slopes += CONVK_DEVICE_(is_set)(out[d]);
  convk_grids_begin_(convk_grids_kernel_table_(), slopes || CONVK_DEVICE_(is_set)(out[4]) ? 3 : 1, 1, &job);
  if (slopes % 3) f.status = convk_refuse_(f.message, CONVK_ERR_NULL, "out->dx, out->dy and out->dz: all three or none");
  return convk_grids_on_(&f, box, set, NULL, 0, options, &job, out);
}

/* At a point k. */
CONVK_RARE_ int convk_grids_bloch_on_(CONVK_DEVICE_(frame) f, const convk_gaussian_box *box, const convk_orbital_set *set,
                                      const convk_bloch *bloch, const convk_gaussian_options *options, convk_grids_job_ *job,
                                      CONVK_ARRAY_(CONVK_T) to) {
  job->bloch = bloch;
  if (!f.status) f.status = convk_need_(f.message, "bloch", bloch);
  if (!f.status && job->add != 0 && job->add != 1)
    f.status = convk_refuse_at_(f.message, CONVK_ERR_OPTION, "add is %, and not 0 or 1", job->add, 0, 0);
  return convk_grids_one_(f, box, set, NULL, 0, options, job, to);
}

CONVK_API_ int convk_orbitals_grid_k_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                              const convk_bloch *bloch, const convk_gaussian_options *options,
                                              CONVK_ARRAY_(CONVK_T) value, size_t ld, CONVK_ARRAY_(void) work,
                                              size_t work_size) {
  convk_grids_job_ job;
  convk_grids_begin_(convk_grids_kernel_table_(), 1, 0, &job);
  job.ld = ld;
  return convk_grids_bloch_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size), box, set, bloch, options, &job,
                               value);
}

CONVK_API_ int convk_density_grid_k_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                             const convk_bloch *bloch, const convk_gaussian_options *options,
                                             CONVK_ARRAY_(CONVK_T) density, int add, CONVK_ARRAY_(void) work,
                                             size_t work_size) {
  convk_grids_job_ job;
  convk_grids_begin_(convk_grids_kernel_table_(), 1, 1, &job);
  job.add = add;
  return convk_grids_bloch_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size), box, set, bloch, options, &job,
                               density);
}

CONVK_API_ int convk_gridpot_grid_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_gaussians *gaussians,
                                           const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) sums, size_t ld,
                                           CONVK_ARRAY_(void) work, size_t work_size) {
  convk_grids_job_ job;
  convk_grids_begin_(convk_grids_kernel_table_(), 1, 0, &job);
  job.ld = ld;
  return convk_grids_one_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size), box, NULL, gaussians, 1, options,
                          &job, sums);
}
#undef CONVK_GRIDS_ASKED_

static const convk_grids_kernels_ convk_grids_table_ = {1,    convk_gaussian_finite_, NULL, NULL, NULL, 0, 0, NULL, NULL,
                                                        NULL, convk_grids_host_,      NULL};
CONVK_LOCAL_ const convk_grids_kernels_ *convk_grids_kernel_table_(void) { return &convk_grids_table_; }

/* For a handle of the device: as those of Gaussians at points. */
CONVK_GRIDS_OPERATIONS_(CONVK_OP_VARIANT_)
#endif
#if CONVK_HAS_FORMFACTOR_
/* ---- src/formfactor/cuda_launch.h ---- */
/* ---- form factors: device arrays ---- */

/* A checked call, or a part of its mesh: see device.h.  What of the work memory is where, in bytes from base. */
typedef struct convk_cuda_form_ {
  size_t element, n, nq, tuned[3]; /* tuned: the sizes of the whole call that entries have */
  int imag, first, last;
  convk_formfactor_rule_ rule;
  double unit; /* of a grid: of the lanes' axis */
  CONVK_T *field[12], *f;
  const CONVK_T *q[6];
  void *base;
  convk_formfactor_body_ body;
  convk_formfactor_axes_ axes; /* of a grid; nq is 0 of a list */
  size_t sums, partial, need;
  size_t batch;  /* segments of triangles of a list, or ranges of those of a grid, that are worked on at a time */
  size_t scaled; /* of a list */
  size_t phase, row[2], side, block_moment, moment, lanes, pitch, tiles_x, tiles; /* of a grid */
  int direct;
  long choice; /* vectors of a lane of a list, 0: the default */
} convk_cuda_form_;

CONVK_LOCAL_ int convk_cuda_formfactor_list_cut_(convk_cuda_form_ *job) {
  const size_t nq = job->nq, both = 2 * sizeof(CONVK_T);
  size_t end = 0;
  int status = convk_reserve_(&end, nq, CONVK_FORMFACTOR_SCALED_ + 1, 1, sizeof(CONVK_T), &job->scaled);
  if (!status) status = convk_reserve_(&end, nq, 2, 1, sizeof(double), &job->sums);
  if (status) return status;
  job->batch = convk_ceil_(job->n, CONVK_FORMFACTOR_TRIANGLES_);
  if (nq && job->batch > CONVK_CUDA_FORMFACTOR_PARTIAL_ / both / nq) job->batch = CONVK_CUDA_FORMFACTOR_PARTIAL_ / both / nq;
  if (!job->batch) job->batch = 1;
  job->need = end +
              convk_formfactor_batches_(nq * both, convk_ceil_(job->n, CONVK_FORMFACTOR_TRIANGLES_) + 1,
                                        CONVK_CUDA_FORMFACTOR_PARTIAL_) +
              512;
  return convk_reserve_(&end, nq, job->batch, 1, both, &job->partial);
}

typedef void (*convk_cuda_formfactor_list_kernel_)(const convk_cuda_formfactor_list_args_<CONVK_T>);

template <int each_> static convk_cuda_formfactor_list_kernel_ convk_cuda_formfactor_kernel_(int imag, int order) {
  return order == 2
             ? imag ? convk_cuda_formfactor_list_<CONVK_T, each_, 1, 2> : convk_cuda_formfactor_list_<CONVK_T, each_, 0, 2>
         : imag ? convk_cuda_formfactor_list_<CONVK_T, each_, 1, 0>
                : convk_cuda_formfactor_list_<CONVK_T, each_, 0, 0>;
}
/* That for all orders. */
static convk_cuda_formfactor_list_kernel_ convk_cuda_formfactor_fitted_(int imag) {
  return imag ? convk_cuda_formfactor_list_<CONVK_T, 1, 1, CONVK_FORMFACTOR_FITTED_>
              : convk_cuda_formfactor_list_<CONVK_T, 1, 0, CONVK_FORMFACTOR_FITTED_>;
}

static int convk_cuda_formfactor_list_run_(const convk_cuda_form_ *job, cudaStream_t stream) {
  const convk_cuda_form_ *c = job;
  const size_t threads = CONVK_CUDA_FORMFACTOR_THREADS_, all = convk_ceil_(c->n, CONVK_FORMFACTOR_TRIANGLES_);
  convk_cuda_formfactor_prepare_args_<CONVK_T> p;
  convk_cuda_formfactor_list_args_<CONVK_T> a;
  convk_cuda_formfactor_total_args_<CONVK_T> t;
  const int fitted = c->rule.order != 0 && c->rule.order != 2, imag = c->imag != 0, first = c->first, last = c->last;
  /* four vectors of a lane cost an eighth less than one, unless most of them are not there */
  const int four = c->choice ? c->choice >= 4 : 8 * convk_round_up_(c->nq, 128) <= 9 * convk_round_up_(c->nq, 32);
  const size_t v = !fitted && four ? 4 : 1;
  size_t s = 0, k;
  int status = CONVK_OK;
  memset(&a, 0, sizeof a);
  for (k = 0; k < 6; k++) p.q[k] = t.q[k] = c->q[k];
  p.order = c->rule.order;
  p.body = c->body;
  a.nq = p.nq = t.nq = c->nq;
  a.scaled = p.scaled = convk_cuda_at_<CONVK_T>(job->base, job->scaled);
  a.partial = convk_cuda_at_<CONVK_T>(job->base, job->partial);
  a.tiles = convk_ceil_(c->nq, 32 * v);
  t.body = c->body;
  t.partial = a.partial;
  t.sums = convk_cuda_at_<double>(job->base, job->sums);
  if (first)
    status = convk_cuda_start_(convk_cuda_formfactor_prepare_<CONVK_T>, convk_ceil_(c->nq, threads), (int)threads, stream, p);
  if (status) return status;
  do {
    const size_t now = all - s < job->batch ? all - s : job->batch, begin = s * CONVK_FORMFACTOR_TRIANGLES_;
    for (k = 0; k < (c->rule.corners ? 12 : 6); k++) a.mesh[k] = c->field[k] + begin;
    a.n = c->n - begin < now * CONVK_FORMFACTOR_TRIANGLES_ ? c->n - begin : now * CONVK_FORMFACTOR_TRIANGLES_;
    a.tasks = a.tiles * now;
    if (now)
      status = convk_cuda_start_(fitted   ? convk_cuda_formfactor_fitted_(imag)
                                 : v == 4 ? convk_cuda_formfactor_kernel_<4>(imag, c->rule.order)
                                          : convk_cuda_formfactor_kernel_<1>(imag, c->rule.order),
                                 convk_ceil_(a.tasks, threads / 32), (int)threads, stream, a);
    t.segments = now;
    t.fresh = first && !s;
    s += now;
    t.f = last && s == all ? c->f : NULL;
    if (!status)
      status = convk_cuda_start_(convk_cuda_formfactor_total_<CONVK_T>, convk_ceil_(c->nq, threads), (int)threads, stream, t);
  } while (!status && s < all);
  return status;
}

/* ---- a tensor grid of q ---- */

/* Bytes of work that are enough for smaller grids and meshes, too, which may have more batches. */
CONVK_LOCAL_ int convk_cuda_formfactor_grid_need_(convk_cuda_form_ *job) {
  const size_t range = CONVK_CUDA_FORMFACTOR_RANGE_, wanted = convk_ceil_(job->n, range) + 1, size = sizeof(CONVK_T);
  const size_t numbers = 2 * (job->pitch + job->axes.n[1] + job->axes.n[2]) + CONVK_CUDA_FORMFACTOR_SIDE_;
  const size_t enough = CONVK_CUDA_FORMFACTOR_ENOUGH_ * CONVK_CUDA_FORMFACTOR_Q_, nq = job->axes.nq,
               tables = CONVK_CUDA_FORMFACTOR_TABLES_;
  size_t each, need;
  if (nq > (size_t)-1 / 256 || convk_mul_(numbers + job->axes.n[0], size * range, &each)) return CONVK_ERR_OVERFLOW;
  /* tables of phases, of which the sums of blocks are a twentieth; then sums of ranges, where tiles do not fill the device */
  need = convk_formfactor_batches_(each, wanted, tables + tables / 2);
  need += convk_formfactor_batches_(2 * sizeof(double) * (nq < enough ? nq : enough), wanted, tables / 2);
  need += (6 * job->axes.n[0] + 2 * nq) * sizeof(double) + 16 * 256;
  if (need > job->need) job->need = need;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cuda_formfactor_grid_cut_(convk_cuda_form_ *job) {
  const size_t range = CONVK_CUDA_FORMFACTOR_RANGE_, blocks = range / CONVK_FORMFACTOR_BLOCK_, *n = job->axes.n,
               size = sizeof(CONVK_T);
  size_t bytes, end = 0;
  int d, status;
  if (n[0] > (size_t)-1 / 2) return CONVK_ERR_OVERFLOW;
  /* wide tiles need fewer factors of rows, but may lie half outside of the grid */
  job->lanes = CONVK_CUDA_FORMFACTOR_LANES_;
  if (convk_round_up_(n[0], 2 * job->lanes) == convk_round_up_(n[0], job->lanes)) job->lanes *= 2;
  job->pitch = convk_round_up_(n[0], job->lanes);
  status = convk_mul_(job->pitch + n[1] + n[2] + CONVK_CUDA_FORMFACTOR_SIDE_, 2 * size * range, &bytes);
  if (status) return status;
  job->tiles_x = job->pitch / job->lanes;
  job->tiles = job->tiles_x * convk_ceil_(job->axes.rows, CONVK_CUDA_FORMFACTOR_Q_ / job->lanes);
  job->direct = job->tiles >= CONVK_CUDA_FORMFACTOR_ENOUGH_;
  job->batch = convk_ceil_(job->n, range);
  if (job->batch > CONVK_CUDA_FORMFACTOR_TABLES_ / bytes) job->batch = CONVK_CUDA_FORMFACTOR_TABLES_ / bytes;
  if (!job->direct && job->batch > CONVK_CUDA_FORMFACTOR_TABLES_ / (4 * sizeof(double)) / job->axes.nq)
    job->batch = CONVK_CUDA_FORMFACTOR_TABLES_ / (4 * sizeof(double)) / job->axes.nq;
  job->batch = job->batch ? convk_even_part_(convk_ceil_(job->n, range), job->batch) : 1;
  status = convk_reserve_(&end, 2 * range, job->batch, job->pitch, size, &job->phase);
  for (d = 0; d < 2 && !status; d++) status = convk_reserve_(&end, 2 * range, job->batch, n[1 + d], size, &job->row[d]);
  if (!status) status = convk_reserve_(&end, CONVK_CUDA_FORMFACTOR_SIDE_ * range, job->batch, 1, size, &job->side);
  if (!status) status = convk_reserve_(&end, 6 * blocks, job->batch, n[0], size, &job->block_moment);
  if (!status) status = convk_reserve_(&end, 6, n[0], 1, sizeof(double), &job->moment);
  if (!status) status = convk_reserve_(&end, 2, job->axes.nq, 1, sizeof(double), &job->sums);
  if (!status) status = convk_reserve_(&end, 2, job->axes.nq, job->direct ? 0 : job->batch, sizeof(double), &job->partial);
  job->need = end + 256;
  if (!status) status = convk_cuda_formfactor_grid_need_(job);
  return status;
}

/* What the kernels of a grid are told, but for the triangles. */
typedef struct convk_cuda_formfactor_args_ {
  convk_cuda_formfactor_phase_args_<CONVK_T> phase;
  convk_cuda_formfactor_moment_args_<CONVK_T> moment;
  convk_cuda_formfactor_grid_args_<CONVK_T> grid;
  convk_cuda_formfactor_grid_total_args_<CONVK_T> total;
} convk_cuda_formfactor_args_;

CONVK_LOCAL_ void convk_cuda_formfactor_arguments_(const convk_cuda_form_ *job, convk_cuda_formfactor_args_ *a) {
  size_t d;
  memset(a, 0, sizeof *a);
  a->phase.axes = a->grid.axes = a->total.axes = job->axes;
  for (d = 0; d < 4; d++) a->phase.q[d] = a->grid.q[d] = a->total.q[d] = job->q[d < 3 ? (size_t)job->axes.axis[d] : d];
  a->grid.phase = a->phase.phase = convk_cuda_at_<CONVK_T>(job->base, job->phase);
  a->moment.moment = a->phase.moment = convk_cuda_at_<CONVK_T>(job->base, job->block_moment);
  a->grid.side = a->phase.side = convk_cuda_at_<CONVK_T>(job->base, job->side);
  a->grid.room = a->phase.room = job->batch * CONVK_CUDA_FORMFACTOR_RANGE_;
  a->phase.lanes = job->lanes;
  a->phase.pitch = job->pitch;
  for (d = 0; d < 3; d++) a->phase.parts[d] = convk_ceil_(d ? job->axes.n[d] : job->pitch, CONVK_CUDA_FORMFACTOR_THREADS_);
  for (d = 0; d < 2; d++) a->grid.row[d] = a->phase.row[d] = convk_cuda_at_<CONVK_T>(job->base, job->row[d]);
  a->moment.sums = convk_cuda_at_<double>(job->base, job->moment);
  a->moment.n = 6 * job->axes.n[0];
  a->grid.sums = convk_cuda_at_<double>(job->base, job->direct ? job->sums : job->partial);
  a->grid.tiles_x = job->tiles_x;
  a->grid.tiles = job->tiles;
  a->grid.direct = job->direct;
  a->grid.unit = (CONVK_T)job->unit;
  a->grid.per = (CONVK_T)(1 / job->unit);
  a->total.body = job->body;
  a->total.partial = convk_cuda_at_<double>(job->base, job->partial);
  a->total.moment = a->moment.sums;
  a->total.sums = convk_cuda_at_<double>(job->base, job->sums);
}

static int convk_cuda_formfactor_start_product_(const convk_cuda_form_ *job, cudaStream_t stream, size_t blocks,
                                                const convk_cuda_formfactor_grid_args_<CONVK_T> &args) {
  enum { lanes_ = CONVK_CUDA_FORMFACTOR_LANES_ };
  const int fourth = job->rule.order == 2;
  const size_t bytes = convk_cuda_formfactor_grid_bytes_(job->lanes, fourth);
  void (*const kernel)(convk_cuda_formfactor_grid_args_<CONVK_T>) =
      job->lanes > lanes_
          ? fourth ? convk_cuda_formfactor_grid_<CONVK_T, 2 * lanes_, 1> : convk_cuda_formfactor_grid_<CONVK_T, 2 * lanes_, 0>
      : fourth ? convk_cuda_formfactor_grid_<CONVK_T, lanes_, 1>
               : convk_cuda_formfactor_grid_<CONVK_T, lanes_, 0>;
  return convk_cuda_start_(kernel, blocks, CONVK_CUDA_FORMFACTOR_GRID_THREADS_, stream, args, bytes);
}

static int convk_cuda_formfactor_grid_run_(const convk_cuda_form_ *job, cudaStream_t stream) {
  const convk_cuda_form_ *c = job;
  const int first = c->first, last = c->last;
  const size_t threads = CONVK_CUDA_FORMFACTOR_THREADS_, range = CONVK_CUDA_FORMFACTOR_RANGE_, all = convk_ceil_(c->n, range);
  convk_cuda_formfactor_args_ a;
  size_t s = 0;
  int status = CONVK_OK, d;
  convk_cuda_formfactor_arguments_(job, &a);
  do {
    const size_t now = all - s < job->batch ? all - s : job->batch, begin = s * range;
    a.phase.n = a.grid.n = c->n - begin < now * range ? c->n - begin : now * range;
    a.phase.blocks = a.moment.blocks = convk_ceil_(a.phase.n, CONVK_FORMFACTOR_BLOCK_);
    for (d = 0; d < 3; d++) {
      a.phase.area[d] = c->field[job->axes.axis[d]] + begin;
      a.phase.at[d] = c->field[3 + job->axes.axis[d]] + begin;
    }
    for (d = 0; d < 6 && c->rule.order == 2; d++) a.phase.corner[d] = c->field[6 + d / 3 * 3 + job->axes.axis[d % 3]] + begin;
    a.moment.fresh = a.grid.fresh = a.total.fresh = first && !s;
    a.grid.ranges = now;
    a.total.ranges = job->direct ? 0 : now;
    if (job->direct && now) a.total.fresh = 0; /* the sums are there */
    s += now;
    a.total.f = last && s == all ? c->f : NULL;
    if (now)
      status = convk_cuda_start_(convk_cuda_formfactor_phase_<CONVK_T>,
                                 (a.phase.parts[0] + a.phase.parts[1] + a.phase.parts[2]) * a.phase.blocks, (int)threads,
                                 stream, a.phase);
    if (!status)
      status = convk_cuda_start_(convk_cuda_formfactor_moment_<CONVK_T>, convk_ceil_(a.moment.n, threads), (int)threads, stream,
                                 a.moment);
    if (!status && now)
      status = convk_cuda_formfactor_start_product_(job, stream, job->direct ? job->tiles : job->tiles * now, a.grid);
    if (!status && (!job->direct || a.total.f))
      status = convk_cuda_start_(convk_cuda_formfactor_grid_total_<CONVK_T>, convk_ceil_(job->axes.nq, threads), (int)threads,
                                 stream, a.total);
  } while (!status && s < all);
  return status;
}

/* ---- both ---- */

/* Bytes of work, and what of it is where. */
CONVK_LOCAL_ int convk_cuda_formfactor_need_(const void *, convk_cuda_form_ *job, size_t *need) {
  const int status = job->axes.nq ? convk_cuda_formfactor_grid_cut_(job) : convk_cuda_formfactor_list_cut_(job);
  if (!status) *need = job->need;
  return status;
}

/* The triangles of the job: first and last say whether sums begin here, and whether F is made. */
CONVK_LOCAL_ int convk_cuda_formfactor_start_(convk_cuda_call_ *call, const convk_cuda_form_ *job) {
  convk_cuda_form_ tuned = *job;
  long choice[CONVK_TUNE_COUNT];
  int status = convk_cuda_clock_start_(call);
  if (status) return status;
  convk_choice_(call->hw, "formfactor", sizeof(CONVK_T), job->tuned[0], job->tuned[1], job->tuned[2], 1, choice);
  tuned.choice = choice[CONVK_TUNE_TILE_X];
  status =
      job->axes.nq ? convk_cuda_formfactor_grid_run_(job, call->stream) : convk_cuda_formfactor_list_run_(&tuned, call->stream);
  return convk_cuda_clock_stop_(call, status);
}
/* ---- src/formfactor/device.h ---- */
/* ---- a checked call, CONVK_DEVICE_(form) ----
   of n triangles in `field` (as convk_mesh has them) and nq vectors of q (x, y, z, and imaginary parts of z, x, y), whose sums
   begin with `first` and end with `last`; f, and work memory from `base` on.  opencl.h and cuda.h have
     form_need(machine, job, &bytes)   bytes of work, and how the call is cut
     form_start(call, job)            the kernels
     form_stream(host, job, field)    the same for triangles of the host, which come in parts */

/* A job for so many values of q, on the axes of a grid, or without one. */
CONVK_LOCAL_ int convk_formfactor_job_of_(char *message, size_t n, size_t nq, const convk_grid3 *grid, int imag,
                                          CONVK_DEVICE_(form) *job) {
  memset(job, 0, sizeof *job);
  job->element = sizeof(CONVK_T);
  job->n = n;
  job->nq = nq;
  job->imag = imag;
  job->first = job->last = 1;
  job->tuned[0] = grid ? grid->nx : n;
  job->tuned[1] = grid ? grid->ny : nq;
  job->tuned[2] = grid ? grid->nz : 1;
  if (grid && convk_formfactor_axes_of_(grid, imag, &job->axes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "grid is too large");
  return CONVK_OK;
}

/* The rule, the form and the body of a job, from the measures. */
CONVK_LOCAL_ void convk_formfactor_job_body_(const convk_mesh_measures *measures, const convk_formfactor_rule_ *rule,
                                             CONVK_DEVICE_(form) *job) {
  job->rule = *rule;
  job->body = convk_formfactor_body_of_(measures, rule);
  job->unit = convk_formfactor_unit_(&job->body, measures->area, sizeof(CONVK_T), rule->order == 2);
}

/* Bytes of work, or why there are none. */
CONVK_LOCAL_ int convk_formfactor_job_need_(char *message, CONVK_DEVICE_(machine) *machine, CONVK_DEVICE_(form) *job,
                                            size_t *need) {
  const int status = CONVK_DEVICE_(formfactor_need)(machine, job, need);
  if (status != CONVK_ERR_OVERFLOW) return status;
  return convk_refuse_names_(message, status, "$ is too large", job->axes.nq ? "grid" : "q->n", NULL);
}

/* ---- device memory ---- */

/* What all calls need. */
CONVK_LOCAL_ int convk_formfactor_needs_device_(char *message, const void *mesh, const void *measures, const void *q) {
  int status = convk_need_(message, "mesh", mesh);
  if (!status) status = convk_need_(message, "measures", measures);
  return status ? status : convk_need_(message, "q", q);
}

/* Both calls, which have looked at their sizes.  grid: of one, with its pitches; span: complex elements of f. */
CONVK_LOCAL_ int convk_formfactor_on_(CONVK_DEVICE_(frame) *call, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                      const convk_mesh_measures *measures, const CONVK_DEVICE_STRUCT_(q) * q,
                                      const convk_grid3 *grid, size_t span, const convk_formfactor_options *options,
                                      CONVK_ARRAY_(CONVK_T) f) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(call->message, "mesh", "->", 0);
  const size_t size = sizeof(CONVK_T);
  const int may = CONVK_PLACE_OPTIONAL_;
  convk_mesh_measures used;
  CONVK_DEVICE_(form) job;
  convk_formfactor_rule_ rule;
  size_t count[6], need = 0, d;
  int corners, imag[3];
  if (call->status) return CONVK_DEVICE_(frame_end)(call);
  imag[0] = CONVK_DEVICE_(is_set)(q->z_imag);
  imag[1] = CONVK_DEVICE_(is_set)(q->x_imag);
  imag[2] = CONVK_DEVICE_(is_set)(q->y_imag);
  used = *measures;
  call->status = convk_formfactor_option_(call->message, options);
  if (!call->status)
    call->status = convk_formfactor_job_of_(call->message, mesh->n, span, grid, imag[0] + 2 * imag[1] + 4 * imag[2], &job);
  if (call->status) return CONVK_DEVICE_(frame_end)(call);
  memcpy(job.field, (const char *)mesh + offsetof(CONVK_DEVICE_STRUCT_(mesh), ax), sizeof job.field);
  job.q[0] = q->x;
  job.q[1] = q->y;
  job.q[2] = q->z;
  job.q[3] = q->z_imag;
  job.q[4] = q->x_imag;
  job.q[5] = q->y_imag;
  job.f = f;
  for (corners = used.edge > 0, d = 6; d < 12; d++) corners = corners && CONVK_DEVICE_(is_set)(job.field[d]);
  rule = convk_formfactor_rule_of_(options, !grid && corners, imag[1] || imag[2], convk_formfactor_eps_(size));
  if (grid && rule.order && rule.order != 2)
    call->status =
        convk_refuse_(call->message, CONVK_ERR_OPTION,
                      "options->order is neither 0 nor 2, or options->form is CONVK_FORM_EXACT: not of a grid on a device");
  for (d = 0; d < 6; d++) count[d] = !grid ? span : d == 0 ? grid->nx : d == 1 ? grid->ny : grid->nz;
  for (d = 0; d < (rule.corners ? 12u : 6u); d++)
    CONVK_DEVICE_(frame_place)(call, convk_mesh_array_((int)d), job.field[d], mesh->n, size, mesh->n ? 0 : may);
  for (d = 0; d < 6; d++)
    CONVK_DEVICE_(frame_place)(call, convk_formfactor_q_((int)d), job.q[d], count[d], size, d < 3 && count[d] ? 0 : may);
  CONVK_DEVICE_(frame_place)(call, "f", f, 2 * span, size, CONVK_PLACE_WRITTEN_ | (span ? 0 : may));
  if (!call->status && rule.order == CONVK_FORMFACTOR_FITTED_ && used.area > 0 && !(used.edge > 0))
    call->status =
        convk_refuse_(call->message, CONVK_ERR_NULL, "measures->edge is 0: mesh_measure saw no corners, and they are needed");
  if (!call->status) call->status = convk_formfactor_choose_(&about, options, &used);
  if (!call->status) convk_formfactor_job_body_(&used, &rule, &job);
  CONVK_DEVICE_(frame_apart)(call);
  if (!call->status)
    call->status = convk_formfactor_job_need_(call->message, CONVK_DEVICE_(machine_of_call)(&call->call), &job, &need);
  if (CONVK_DEVICE_(frame_work)(call, need) && job.nq) {
    job.base = call->work;
    call->status = CONVK_DEVICE_(formfactor_start)(&call->call, &job);
  }
  return CONVK_DEVICE_(frame_end)(call);
}

CONVK_API_ int convk_formfactor_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                         const convk_mesh_measures *measures, const CONVK_DEVICE_STRUCT_(q) * q,
                                         const convk_formfactor_options *options, CONVK_ARRAY_(CONVK_T) f,
                                         CONVK_ARRAY_(void) work, size_t work_size) {
  CONVK_DEVICE_(frame) call = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size);
  size_t bytes;
  if (!call.status) call.status = convk_formfactor_needs_device_(call.message, mesh, measures, q);
  if (!call.status) call.status = convk_bytes_of_(call.message, "q->n", q->n, 2 * sizeof(CONVK_T), &bytes);
  return convk_formfactor_on_(&call, mesh, measures, q, NULL, call.status ? 0 : q->n, options, f);
}

CONVK_API_ int convk_formfactor_grid_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                              const convk_mesh_measures *measures, const convk_grid3 *grid,
                                              const CONVK_DEVICE_STRUCT_(q) * q, const convk_formfactor_options *options,
                                              CONVK_ARRAY_(CONVK_T) f, CONVK_ARRAY_(void) work, size_t work_size) {
  CONVK_DEVICE_(frame) call = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size);
  convk_grid3 full;
  size_t span = 0;
  if (!call.status) call.status = convk_formfactor_needs_device_(call.message, mesh, measures, q);
  if (!call.status) call.status = convk_grid_check_(call.message, "grid", grid, 2 * sizeof(CONVK_T), &full, &span);
  if (!call.status && (CONVK_DEVICE_(is_set)(q->x_imag) || CONVK_DEVICE_(is_set)(q->y_imag)))
    call.status = convk_refuse_names_(call.message, CONVK_ERR_OPTION, "$ is given, and a tensor grid takes none",
                                      CONVK_DEVICE_(is_set)(q->x_imag) ? "q->x_imag" : "q->y_imag", NULL);
  return convk_formfactor_on_(&call, mesh, measures, q, &full, span, options, f);
}

/* Both queries.  grid: the caller's, or NULL of a list. */
CONVK_LOCAL_ int convk_formfactor_query_(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh, int on_grid,
                                         const convk_grid3 *grid, const CONVK_DEVICE_STRUCT_(q) * q, size_t *bytes) {
  CONVK_DEVICE_(machine) *machine = NULL;
  CONVK_DEVICE_(form) job;
  convk_grid3 full;
  char *message = NULL;
  size_t span = 0, need = 0;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = CONVK_DEVICE_(machine_of)(on, &machine);
  if (!status) status = convk_formfactor_needs_device_(message, mesh, bytes, q);
  if (!status && on_grid) status = convk_grid_check_(message, "grid", grid, 2 * sizeof(CONVK_T), &full, &span);
  if (!status)
    status = convk_formfactor_job_of_(message, mesh->n, on_grid ? span : q->n, on_grid ? &full : NULL,
                                      CONVK_DEVICE_(is_set)(q->z_imag), &job);
  if (!status) job.rule.order = 2; /* of a grid the one that needs most */
  if (!status) status = convk_formfactor_job_need_(message, machine, &job, &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_formfactor_work_size_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                                   const CONVK_DEVICE_STRUCT_(q) * q, size_t *bytes) {
  return convk_formfactor_query_(on, mesh, 0, NULL, q, bytes);
}

CONVK_API_ int convk_formfactor_grid_work_size_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                                        const convk_grid3 *grid, const CONVK_DEVICE_STRUCT_(q) * q,
                                                        size_t *bytes) {
  return convk_formfactor_query_(on, mesh, 1, grid, q, bytes);
}

/* ---- host arrays on a device ---- */

/* Triangles of a mesh come in parts of whole ranges, whose sums are doubles. */
typedef struct convk_formfactor_parts_ {
  CONVK_DEVICE_(form) *job;
  const void *const *field;
  size_t all, each, fields;
  CONVK_DEVICE_(memory) mesh;
} convk_formfactor_parts_;

CONVK_LOCAL_ int convk_formfactor_bring_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_formfactor_parts_ *const c = (const convk_formfactor_parts_ *)parts;
  const size_t s = sizeof(CONVK_T), begin = part * c->each, count = c->all - begin < c->each ? c->all - begin : c->each;
  size_t k;
  int status = CONVK_OK;
  for (k = 0; k < c->fields && count && !status; k++)
    status = CONVK_DEVICE_(send)(host, c->mesh, (slot * c->fields + k) * c->each * s, count * s,
                                 (const CONVK_T *)c->field[k] + begin);
  return status;
}

CONVK_LOCAL_ int convk_formfactor_work_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_formfactor_parts_ *const c = (const convk_formfactor_parts_ *)parts;
  const size_t s = sizeof(CONVK_T), begin = part * c->each;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  size_t k;
  for (k = 0; k < c->fields && c->mesh; k++)
    c->job->field[k] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->mesh), (slot * c->fields + k) * c->each * s, s);
  c->job->n = c->all - begin < c->each ? c->all - begin : c->each;
  c->job->first = !part;
  c->job->last = begin + c->job->n == c->all;
  return CONVK_DEVICE_(call_end)(&call, CONVK_DEVICE_(formfactor_start)(&call, c->job));
}

/* once: bytes beside the mesh.  The last part ends the sums. */
CONVK_LOCAL_ int convk_formfactor_stream_(CONVK_DEVICE_(host) *host, CONVK_DEVICE_(form) *job, const void *const field[12],
                                          size_t once) {
  const size_t s = sizeof(CONVK_T), range = CONVK_FORMFACTOR_RANGE_;
  convk_formfactor_parts_ c;
  size_t parts, ranges = convk_ceil_(job->n, range);
  int status;
  memset(&c, 0, sizeof c);
  c.job = job;
  c.field = field;
  c.all = job->n;
  c.fields = job->rule.corners ? 12 : 6;
  if (!ranges) ranges = 1;
  status = CONVK_DEVICE_(parts_of)(host, ranges, c.fields * range * s, 0, once, 1, &c.each);
  c.each = c.each == ranges ? c.all : c.each * range;
  parts = c.each ? convk_ceil_(c.all, c.each) : 1;
  if (!status && c.all)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_0_, (parts > 1 ? CONVK_SLOTS_ : 1) * c.each * c.fields * s, &c.mesh);
  if (!status) status = CONVK_DEVICE_(parts_run)(host, parts, convk_formfactor_bring_, convk_formfactor_work_, NULL, &c);
  return status;
}

/* A checked call.  full: the caller's grid of f, in complex elements; a list is one row. */
CONVK_LOCAL_ int convk_formfactor_arrays_(CONVK_DEVICE_(host) *host, CONVK_DEVICE_(form) *job,
                                          const convk_formfactor_call_ *call, const convk_grid3 *full) {
  const size_t pair = 2 * sizeof(CONVK_T);
  CONVK_DEVICE_(call) device_call = CONVK_DEVICE_(call_on)(host);
  CONVK_DEVICE_(memory) q = NULL, f = NULL, work = NULL;
  const void *field[12];
  size_t at[7] = {0, 0, 0, 0, 0, 0, 0}, need = 0, k; /* in bytes */
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  for (k = 0; k < 12; k++) field[k] = call->field[k];
  for (k = 0; k < 6; k++) at[k + 1] = at[k] + (call->q[k] ? convk_round_up_(call->nq[k] * sizeof(CONVK_T), 256) : 0);
  status = convk_formfactor_job_need_(device_call.message, CONVK_DEVICE_(machine_of_call)(&device_call), job, &need);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, at[6], &q);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, full->nx * full->ny * full->nz * pair, &f);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &work);
  for (k = 0; k < 6 && !status; k++)
    if (at[k + 1] > at[k]) status = CONVK_DEVICE_(send)(host, q, at[k], call->nq[k] * sizeof(CONVK_T), call->q[k]);
  for (k = 0; k < 6 && !status; k++)
    if (call->q[k]) job->q[k] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(q), at[k], sizeof(CONVK_T));
  job->f = CONVK_DEVICE_(array_of)(f);
  job->base = CONVK_DEVICE_(array_of)(work);
  if (!status) status = convk_formfactor_stream_(host, job, field, at[6] + full->nx * full->ny * full->nz * pair + need);
  if (!status) status = CONVK_DEVICE_(copy)(host, 1, f, full, pair, call->f);
  return CONVK_DEVICE_(end)(host, status);
}

/* What is left of a checked call.  grid: NULL, or that of f without gaps. */
CONVK_LOCAL_ int convk_formfactor_run_(CONVK_DEVICE_(host) *host, convk_formfactor_call_ *call, const convk_grid3 *grid,
                                       const convk_grid3 *full) {
  const int fields = call->rule.corners ? 12 : 6, imag = (call->q[3] ? 1 : 0) + (call->q[4] ? 2 : 0) + (call->q[5] ? 4 : 0);
  convk_any_ *field[12];
  CONVK_DEVICE_(form) job;
  CONVK_T *room = NULL;
  int status = CONVK_OK;
  if (call->indexed && call->n) { /* triangles of faces are made here */
    room = (CONVK_T *)CONVK_MALLOC((size_t)fields * call->n * sizeof *room);
    if (!room) return CONVK_ERR_MEMORY;
    convk_mesh_block_(call->field, call->indexed, 0, call->n, fields, room, field);
    memcpy(call->field, field, sizeof field);
  }
  status = convk_formfactor_job_of_(call->about.message, call->n, call->span, grid, imag, &job);
  convk_formfactor_job_body_(&call->measures, &call->rule, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (!status && call->span) status = convk_formfactor_arrays_(host, &job, call, full);
  if (room) CONVK_FREE(room);
  return status;
}

/* For a handle of the device: copies, runs, waits; a large mesh comes in parts, while others are worked on.  Errors as in
   convk.h, and HANDLE for other handles, MEMORY, DEVICE, and with OpenCL FP64 and BUILD; `work` is ignored. */
CONVK_API_ int convk_formfactor_device(convk *hw, const convk_mesh *mesh, const convk_q *q,
                                       const convk_formfactor_options *options, CONVK_T *f) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(convk_message_(hw), "mesh", "->", 0);
  convk_grid3 row = {0, 1, 1, 0, 0};
  convk_formfactor_call_ call;
  CONVK_DEVICE_(host) *host = NULL;
  int status = convk_begin_call_(hw);
  if (!status) status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_formfactor_checked_(&about, mesh, q, options, f, &call);
  if (status) return status;
  row.nx = row.pitch_y = row.pitch_z = q->n;
  return convk_formfactor_run_(host, &call, NULL, &row);
}

CONVK_LOCAL_ int convk_formfactor_list_device_(const void *how, convk *hw, const convk_mesh *mesh, const convk_q *q,
                                               const convk_formfactor_options *options, CONVK_T *f) {
  (void)how;
  return convk_formfactor_device(hw, mesh, q, options, f);
}

CONVK_API_ int convk_formfactor_grid_device(convk *hw, const convk_mesh *mesh, const convk_grid3 *grid, const convk_q *q,
                                            const convk_formfactor_options *options, CONVK_T *f, void *work, size_t work_size) {
  convk_formfactor_call_ call;
  CONVK_DEVICE_(host) *host = NULL;
  convk_grid3 full, packed;
  int status = convk_begin_call_(hw);
  if (!status) status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)work;
  (void)work_size;
  if (!status) status = convk_formfactor_grid_check_(convk_message_(hw), mesh, grid, q, options, f, &full, &call);
  if (!status && call.rule.order && call.rule.order != 2)
    return convk_formfactor_grid_by_list_(convk_formfactor_list_device_, NULL, hw, mesh, &full, &call, options);
  if (status) return status;
  packed = convk_packed_(&full);
  return convk_formfactor_run_(host, &call, &packed, &full);
}
#endif
#if CONVK_HAS_FFT_
/* ---- src/fft/cuda_launch.h ---- */
CONVK_LOCAL_ int convk_cuda_fft_need_(convk_cuda_machine_ *, const convk_fft_plan_ *p, size_t, size_t items, size_t *bytes) {
  convk_cuda_fft_call_<CONVK_T> c;
  const int status = convk_cuda_fft_cut_(*p, items, &c);
  if (!status) *bytes = c.need;
  return status;
}

CONVK_LOCAL_ int convk_cuda_fft_start_(convk_cuda_call_ *call, const convk_fft_plan_ *p, size_t, const void *device_plan,
                                       int direction, const convk_batch2d *full, const size_t *kernel, const CONVK_T *in,
                                       CONVK_T *out, void *work, size_t work_size) {
  convk_cuda_fft_call_<CONVK_T> c;
  convk_batch2d batch = *full;
  convk_place_ place;
  void *base = NULL;
  int status = convk_cuda_fft_cut_(*p, full->items, &c, call->hw, call->planes);
  if (!status && c.need) status = convk_cuda_work_place_(call, work, work_size, c.need, &place, &base);
  if (status) return status;
  batch.kernel = kernel;
  c.args.outside = (CONVK_T *)base;
  convk_cuda_fft_fill_(*p, (const char *)device_plan, direction, batch, in, out, &c);
  status = convk_cuda_clock_start_(call);
  if (!status) status = convk_cuda_fft_run_(*p, c, call->stream);
  return convk_cuda_clock_stop_(call, status);
}
/* ---- src/fft/device.h ---- */
/* Each device has, in opencl.h and cuda.h, as CONVK_DEVICE_(name):
   fft_need(machine, &plan, element, items, &bytes)   bytes of work
   fft_start(&call, &plan, element, device_plan, direction, &full, kernel, in, out, work, work_size)   a checked call */

/* Refuses a plan with tiles, which devices do not have. */
CONVK_LOCAL_ int convk_fft_untiled_(char *message, const convk_fft_plan_ *p) {
  return p->tile[0] || p->tile[1] ? convk_refuse_(message, CONVK_ERR_UNSUPPORTED, "plan has tiles, which are for processors")
                                  : CONVK_OK;
}

/* ---- device memory ---- */

CONVK_LOCAL_ int convk_fft_on_(CONVK_ON_ *on, const char *kind, const void *plan, CONVK_ARRAY_(const void) device_plan,
                               int direction, const CONVK_DEVICE_STRUCT_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                               CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  const int put = CONVK_PLACE_WRITTEN_, may = CONVK_PLACE_OPTIONAL_;
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size);
  convk_batch2d asked, full;
  convk_fft_plan_ p;
  size_t span[2], number;
  int none;
  memset(&asked, 0, sizeof asked);
  if (batch) {
    asked.items = batch->items;
    asked.in_pitch = batch->in_pitch;
    asked.in_stride = batch->in_stride;
    asked.out_pitch = batch->out_pitch;
    asked.out_stride = batch->out_stride;
    asked.items_per_kernel = batch->items_per_kernel;
  }
  if (!f.status)
    f.status = convk_fft_check_(f.message, plan, kind, direction, batch ? &asked : NULL, sizeof(CONVK_T),
                                batch && CONVK_DEVICE_(is_set)(batch->kernel), &p, &full, span);
  if (!f.status) f.status = convk_fft_untiled_(f.message, &p);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  none = full.items ? 0 : may;
  number = (p.real ? 1 : 2) * sizeof(CONVK_T);
  /* in the order of CONVK_FFT_AT_PLAN_.. */
  CONVK_DEVICE_(frame_place)(&f, "device_plan", device_plan, p.bytes, 1, 0);
  CONVK_DEVICE_(frame_place)(&f, "in", in, span[0], number, none);
  CONVK_DEVICE_(frame_place)(&f, "out", out, span[1], number, none | put);
  CONVK_DEVICE_(frame_place)(&f, "work", work, CONVK_DEVICE_(is_set)(work) ? work_size : 0, 1, may | put);
  CONVK_DEVICE_(frame_place)(&f, "batch->kernel", batch->kernel, p.kernels ? full.items : 0, sizeof(uint64_t), may);
  if (!f.status) f.status = convk_fft_places_(f.message, &p, &full, f.place);
  if (!f.status && f.place[CONVK_FFT_AT_PLAN_].begin % 16)
    f.status = convk_refuse_(f.message, CONVK_ERR_PLAN, "device_plan is at no multiple of 16 bytes");
  if (!f.status && full.items)
    f.status = CONVK_DEVICE_(fft_start)(&f.call, &p, sizeof(CONVK_T), device_plan, direction, &full, batch->kernel, in, out,
                                        work, work_size);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_LOCAL_ int convk_fft_need_(CONVK_ON_ *on, const char *kind, const void *plan, size_t items, size_t *bytes) {
  CONVK_DEVICE_(machine) *machine = NULL;
  convk_fft_plan_ p;
  char *message = NULL;
  size_t need = 0;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_fft_plan_check_(message, plan, kind, &p);
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status) status = convk_fft_untiled_(message, &p);
  if (!status && items) status = CONVK_DEVICE_(machine_of)(on, &machine);
  if (!status && items) status = CONVK_DEVICE_(fft_need)(machine, &p, sizeof(CONVK_T), items, &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_fftconv2d_resident(CONVK_ON_ *on, const convk_fftconv2d_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                        const CONVK_DEVICE_STRUCT_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                                        CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_fft_on_(on, CONVK_FFT_KIND_(1), plan, device_plan, CONVK_FORWARD, batch, in, out, work, work_size);
}
CONVK_API_ int convk_fftconv2d_complex_resident(CONVK_ON_ *on, const convk_fftconv2d_plan_complex *plan,
                                                CONVK_ARRAY_(const void) device_plan,
                                                const CONVK_DEVICE_STRUCT_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                                                CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_fft_on_(on, CONVK_FFT_KIND_(0), plan, device_plan, CONVK_FORWARD, batch, in, out, work, work_size);
}
CONVK_API_ int convk_fft2d_complex_resident(CONVK_ON_ *on, const convk_fft2d_plan_complex *plan,
                                            CONVK_ARRAY_(const void) device_plan, int direction,
                                            const CONVK_DEVICE_STRUCT_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                                            CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_fft_on_(on, CONVK_FFT2D_KIND_, plan, device_plan, direction, batch, in, out, work, work_size);
}

CONVK_API_ int convk_fftconv2d_work_size_resident(CONVK_ON_ *on, const convk_fftconv2d_plan *plan, size_t items,
                                                  size_t *bytes) {
  return convk_fft_need_(on, CONVK_FFT_KIND_(1), plan, items, bytes);
}
CONVK_API_ int convk_fftconv2d_work_size_complex_resident(CONVK_ON_ *on, const convk_fftconv2d_plan_complex *plan, size_t items,
                                                          size_t *bytes) {
  return convk_fft_need_(on, CONVK_FFT_KIND_(0), plan, items, bytes);
}
CONVK_API_ int convk_fft2d_work_size_complex_resident(CONVK_ON_ *on, const convk_fft2d_plan_complex *plan, size_t items,
                                                      size_t *bytes) {
  return convk_fft_need_(on, CONVK_FFT2D_KIND_, plan, items, bytes);
}

/* ---- host arrays on a device ---- */

/* A checked call: a batch in parts.
   numbers  if `listed`, which convolution kernel each item of the whole batch takes; a part's begin at its first item */
typedef struct convk_fft_parts_ {
  convk_fft_plan_ p;
  convk_batch2d full;
  int direction, listed;
  size_t each, need, element; /* items of a part, bytes of work and of a number */
  convk_grid3 gi, go;         /* of the batch: columns, rows, items */
  convk_staged_ in, out;
  CONVK_DEVICE_(memory) from, to, plan, numbers, work;
} convk_fft_parts_;

CONVK_LOCAL_ convk_window_ convk_fft_part_items_(const convk_fft_parts_ *c, size_t part) {
  const size_t first = part * c->each, left = c->full.items - first;
  convk_window_ items;
  items.first = (int64_t)first;
  items.end = (int64_t)(left < c->each ? c->full.items : first + c->each);
  return items;
}

CONVK_LOCAL_ int convk_fft_send_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_fft_parts_ *const c = (const convk_fft_parts_ *)parts;
  return CONVK_DEVICE_(planes)(host, 0, c->from, slot * c->each, &c->in, convk_fft_part_items_(c, part));
}

CONVK_LOCAL_ int convk_fft_work_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_fft_parts_ *const c = (const convk_fft_parts_ *)parts;
  const size_t in = c->p.rows * c->p.columns * c->element, out = c->p.out_rows * c->p.out_columns * c->element;
  const size_t s = sizeof(CONVK_T), first = slot * c->each;
  const convk_window_ items = convk_fft_part_items_(c, part);
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  convk_batch2d batch = c->full;
  int status;
  call.planes = c->full.items;
  batch.items = (size_t)(items.end - items.first);
  batch.in_pitch = c->p.columns;
  batch.in_stride = c->p.rows * c->p.columns;
  batch.out_pitch = c->p.out_columns;
  batch.out_stride = c->p.out_rows * c->p.out_columns;
  status = CONVK_DEVICE_(fft_start)(&call, &c->p, s, CONVK_DEVICE_(array_of)(c->plan), c->direction, &batch,
                                    CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->numbers),
                                                            c->listed ? (size_t)items.first * sizeof(uint64_t) : 0,
                                                            sizeof(uint64_t)),
                                    CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->from), first * in, c->element),
                                    CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->to), first * out, c->element),
                                    CONVK_DEVICE_(array_of)(c->work), c->need);
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_fft_fetch_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_fft_parts_ *const c = (const convk_fft_parts_ *)parts;
  return CONVK_DEVICE_(planes)(host, 1, c->to, slot * c->each, &c->out, convk_fft_part_items_(c, part));
}

/* Numbers of kernels, as devices have them. */
CONVK_LOCAL_ int convk_fft_list_(CONVK_DEVICE_(host) *host, convk_fft_parts_ *c) {
  const size_t n = c->full.items;
  uint64_t *const list = (uint64_t *)CONVK_MALLOC(n * sizeof *list);
  size_t i;
  int status;
  if (!list) return CONVK_ERR_MEMORY;
  for (i = 0; i < n; i++) list[i] = convk_fft_kernel_of_(&c->p, &c->full, i);
  status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_1_, list, n * sizeof *list, &c->numbers);
  status = CONVK_DEVICE_(wait)(host, status);
  CONVK_FREE(list);
  return status;
}

/* How the batch goes in parts, its buffers, and the plan there. */
CONVK_LOCAL_ int convk_fft_buffers_(CONVK_DEVICE_(host) *host, convk_fft_parts_ *c, const void *plan) {
  const size_t in = c->p.rows * c->p.columns * c->element, out = c->p.out_rows * c->p.out_columns * c->element;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_DEVICE_(machine) *const machine = CONVK_DEVICE_(machine_of_call)(&call);
  const size_t items = c->full.items, s = sizeof(CONVK_T), list = c->p.kernels > 1 ? items * sizeof(uint64_t) : 0;
  size_t places, need = 0;
  int status = CONVK_DEVICE_(fft_need)(machine, &c->p, s, 1, &need);
  if (!status) status = CONVK_DEVICE_(parts_of)(host, items, in + out, 0, (size_t)c->p.bytes + list + need, 1, &c->each);
  if (!status) status = CONVK_DEVICE_(fft_need)(machine, &c->p, s, c->each, &c->need);
  if (status) return status;
  places = c->each < items ? CONVK_SLOTS_ : 1;
  c->listed = c->p.kernels && (c->full.kernel || (places > 1 && c->p.kernels > 1));
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, places * c->each * in, &c->from);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, places * c->each * out, &c->to);
  if (!status && c->need) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, c->need, &c->work);
  if (!status) status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_0_, plan, (size_t)c->p.bytes, &c->plan);
  return status || !c->listed ? status : convk_fft_list_(host, c);
}

CONVK_LOCAL_ int convk_fft_arrays_(convk *hw, const char *kind, const void *plan, int direction, const convk_batch2d *batch,
                                   const CONVK_T *in, CONVK_T *out) {
  char *const message = convk_message_(hw);
  CONVK_DEVICE_(host) *host = NULL;
  convk_fft_parts_ c;
  size_t span[2];
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  memset(&c, 0, sizeof c);
  if (!status) status = convk_fft_check_(message, plan, kind, direction, batch, sizeof(CONVK_T), 0, &c.p, &c.full, span);
  if (!status) status = convk_fft_apart_(message, &c.p, plan, &c.full, sizeof(CONVK_T), span, in, out, NULL, 0);
  if (!status) status = convk_fft_untiled_(message, &c.p);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (!status && c.full.items) status = CONVK_DEVICE_(begin)(host);
  if (status || !c.full.items) return status;
  c.direction = direction;
  c.element = (c.p.real ? 1 : 2) * sizeof(CONVK_T);
  c.gi.nx = c.p.columns;
  c.gi.ny = c.p.rows;
  c.go.nx = c.p.out_columns;
  c.go.ny = c.p.out_rows;
  c.gi.nz = c.go.nz = c.full.items;
  c.gi.pitch_y = c.full.in_pitch;
  c.gi.pitch_z = c.full.in_stride;
  c.go.pitch_y = c.full.out_pitch;
  c.go.pitch_z = c.full.out_stride;
  c.in = convk_staged_of_(CONVK_DEVICE_IN_, &c.gi, c.element, in, 1, 0);
  c.out = convk_staged_of_(CONVK_DEVICE_OUT_, &c.go, c.element, out, 0, 1);
  status = convk_fft_buffers_(host, &c, plan);
  if (!status)
    status = CONVK_DEVICE_(parts_run)(host, convk_ceil_(c.full.items, c.each), convk_fft_send_, convk_fft_work_,
                                      convk_fft_fetch_, &c);
  return CONVK_DEVICE_(end)(host, status);
}

/* For a handle of the device: copies the batch, and of the plan what it needs, runs, waits; `work` is ignored.  Errors as in
   convk.h, and HANDLE for other handles, MEMORY, DEVICE, and with OpenCL FP64, BUILD and UNSUPPORTED, with hw->message. */
CONVK_API_ int convk_fftconv2d_device(convk *hw, const convk_fftconv2d_plan *plan, const convk_batch2d *batch,
                                      const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  (void)work;
  (void)work_size;
  return convk_fft_arrays_(hw, CONVK_FFT_KIND_(1), plan, CONVK_FORWARD, batch, in, out);
}
CONVK_API_ int convk_fftconv2d_complex_device(convk *hw, const convk_fftconv2d_plan_complex *plan, const convk_batch2d *batch,
                                              const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  (void)work;
  (void)work_size;
  return convk_fft_arrays_(hw, CONVK_FFT_KIND_(0), plan, CONVK_FORWARD, batch, in, out);
}
CONVK_API_ int convk_fft2d_complex_device(convk *hw, const convk_fft2d_plan_complex *plan, int direction,
                                          const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out, void *work,
                                          size_t work_size) {
  (void)work;
  (void)work_size;
  return convk_fft_arrays_(hw, CONVK_FFT2D_KIND_, plan, direction, batch, in, out);
}
#endif
#if CONVK_HAS_PAIRS_
/* ---- src/pairs/cuda_launch.h ---- */
/* ------------------------------------------------------------------------------------------------------ device arrays -- */

/* Parts of the work of pair_energy, in bytes from its aligned beginning. */
typedef struct convk_cuda_pairs_cut_ {
  size_t tiles, slices, once, places, at_once; /* at_once: walkers whose partial sums it has */
  size_t sums, partial, squares, arrived, need;
} convk_cuda_pairs_cut_;

CONVK_LOCAL_ int convk_cuda_pairs_cut_of_(size_t n, size_t walkers, convk_cuda_pairs_cut_ *cut) {
  size_t end = 0, each;
  int status;
  memset(cut, 0, sizeof *cut);
  cut->at_once = walkers;
  if (n > (size_t)1 << 30) return CONVK_ERR_OVERFLOW;
  if (n <= CONVK_CUDA_PAIRS_SMALL_ || !walkers) return CONVK_OK;
  cut->tiles = convk_ceil_(n, CONVK_CUDA_PAIRS_TILE_);
  cut->slices = cut->tiles / 2;
  if (cut->slices > CONVK_CUDA_PAIRS_SLICES_) cut->slices = CONVK_CUDA_PAIRS_SLICES_;
  cut->once = cut->tiles <= CONVK_CUDA_PAIRS_ONCE_;
  cut->places = cut->slices + (cut->once ? cut->tiles / 2 : 0);
  each = cut->places * cut->tiles * 3 * CONVK_CUDA_PAIRS_TILE_ * sizeof(double);
  if (cut->at_once > CONVK_CUDA_PAIRS_WORK_ / each) cut->at_once = CONVK_CUDA_PAIRS_WORK_ / each;
  if (!cut->at_once) cut->at_once = 1;
  status = convk_reserve_(&end, cut->at_once * cut->tiles, cut->slices, CONVK_CUDA_PAIRS_VALUES_, sizeof(double), &cut->sums);
  if (!status) status = convk_reserve_(&end, cut->at_once, each, 1, 1, &cut->partial);
  if (!status) status = convk_reserve_(&end, cut->at_once, cut->tiles, 1, sizeof(double), &cut->squares);
  if (!status) status = convk_reserve_(&end, cut->at_once, 1, 1, sizeof(unsigned), &cut->arrived);
  cut->need = end + 256;
  return status;
}

/* All pairs of walkers; `force`: NULL, or their gradients in doubles, [walkers][3][n]. */
CONVK_LOCAL_ int convk_cuda_pairs_run_(const convk_pairs_terms_ &c, int want, size_t n, const convk_pair_walkers &full,
                                       const CONVK_T *r, convk_pair_result *result, CONVK_T *gradient, double *force,
                                       const convk_cuda_pairs_cut_ &cut, char *base, cudaStream_t stream) {
  size_t first;
  int status = CONVK_OK;
  for (first = 0; first < full.walkers && !status; first += cut.at_once) {
    convk_cuda_pairs_args_<CONVK_T> a;
    memset(&a, 0, sizeof a);
    a.c = c;
    a.r = r + first * full.stride;
    a.n = n;
    a.pitch = full.pitch;
    a.stride = full.stride;
    a.walkers = full.walkers - first < cut.at_once ? full.walkers - first : cut.at_once;
    a.want = want;
    a.result = result + first;
    if (want & CONVK_PAIR_GRADIENT) {
      a.gradient = gradient ? gradient + first * full.stride : NULL;
      a.force = force ? force + first * 3 * n : NULL;
    }
    if (!cut.tiles) {
      const size_t blocks = convk_ceil_(a.walkers, CONVK_CUDA_PAIRS_SMALL_ / n);
      status = convk_cuda_start_(want == CONVK_PAIR_ALL      ? convk_cuda_pairs_small_<CONVK_T, CONVK_PAIR_ALL>
                                 : want == CONVK_PAIR_LN_PSI ? convk_cuda_pairs_small_<CONVK_T, CONVK_PAIR_LN_PSI>
                                                             : convk_cuda_pairs_small_<CONVK_T, -1>,
                                 blocks, CONVK_CUDA_PAIRS_SMALL_, stream, a);
      continue;
    }
    a.tiles = cut.tiles;
    a.slices = cut.slices;
    a.places = cut.places;
    a.tasks = a.walkers * a.tiles * a.slices;
    a.parts = want & CONVK_PAIR_GRADIENT ? cut.tiles : 1;
    a.sums = convk_cuda_at_<double>(base, cut.sums);
    a.partial = convk_cuda_at_<double>(base, cut.partial);
    a.squares = convk_cuda_at_<double>(base, cut.squares);
    a.arrived = convk_cuda_at_<unsigned>(base, cut.arrived);
    status = convk_cuda_start_(want == CONVK_PAIR_LN_PSI ? convk_cuda_pairs_tiles_<CONVK_T, CONVK_PAIR_LN_PSI, 0>
                               : want == CONVK_PAIR_ALL  ? cut.once ? convk_cuda_pairs_tiles_<CONVK_T, CONVK_PAIR_ALL, 1>
                                                                    : convk_cuda_pairs_tiles_<CONVK_T, CONVK_PAIR_ALL, 0>
                               : cut.once && want & CONVK_PAIR_GRADIENT ? convk_cuda_pairs_tiles_<CONVK_T, -1, 1>
                                                                        : convk_cuda_pairs_tiles_<CONVK_T, -1, 0>,
                               a.tasks, CONVK_CUDA_PAIRS_THREADS_, stream, a);
    if (!status)
      status = convk_cuda_start_(convk_cuda_pairs_add_<CONVK_T>, a.walkers * a.parts, CONVK_CUDA_PAIRS_ADD_, stream, a);
  }
  return status;
}

/* ---- what pairs/device.h leaves to CUDA, as OpenCL has it in pairs/opencl_launch.h; all of it is checked ---- */

/* What its checks may look at: not at a table, which is on the device. */
CONVK_LOCAL_ int convk_pairs_sees_(void) { return 0; }

/* Bytes of work: an upper bound, also for fewer particles and walkers, of what the cut of a call has. */
CONVK_LOCAL_ int convk_pairs_need_(convk_cuda_machine_ *, char *message, size_t n, size_t walkers, size_t *need) {
  const size_t tiles = convk_ceil_(n, CONVK_CUDA_PAIRS_TILE_), max_slices = CONVK_CUDA_PAIRS_SLICES_,
               once = CONVK_CUDA_PAIRS_ONCE_;
  const size_t places = (tiles / 2 < max_slices ? tiles / 2 : max_slices) + (tiles < once ? tiles : once) / 2;
  const size_t each = places * tiles * 3 * CONVK_CUDA_PAIRS_TILE_ * sizeof(double);
  size_t bytes;
  *need = 0;
  if (n <= CONVK_CUDA_PAIRS_SMALL_ || !walkers) return CONVK_OK;
  if (n > (size_t)1 << 30 || each / places / tiles != 3 * CONVK_CUDA_PAIRS_TILE_ * sizeof(double) || each > (size_t)-1 / 64)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "particles is too large");
  if (convk_mul_(walkers, each, &bytes) || bytes > CONVK_CUDA_PAIRS_WORK_)
    bytes = each > CONVK_CUDA_PAIRS_WORK_ ? each : CONVK_CUDA_PAIRS_WORK_; /* gradients, of as many walkers as fit */
  /* what else there is of a walker and a tile: sums of each slice, a square, and a counter, where gradients have places times
     192 doubles */
  *need = bytes + convk_ceil_(bytes, 192) * (CONVK_CUDA_PAIRS_VALUES_ + 2) + 5 * 256;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_pairs_table_begin_(convk_cuda_call_ *, const convk_pairs_terms_ *terms, void **table) {
  *table = (void *)(uintptr_t)terms->values;
  return CONVK_OK;
}
CONVK_LOCAL_ void convk_pairs_table_end_(void *) {}

CONVK_LOCAL_ int convk_pairs_values_start_(convk_cuda_call_ *call, const convk_pairs_terms_ *terms, void *table, size_t n,
                                           const CONVK_T *r, CONVK_T *v) {
  convk_cuda_pairs_values_args_<CONVK_T> a;
  a.c = *terms;
  a.c.values = (const double *)table;
  a.r = r;
  a.v = v;
  a.n = n;
  return convk_cuda_start_(convk_cuda_pairs_values_<CONVK_T>, convk_ceil_(n, CONVK_CUDA_PAIRS_EACH_), CONVK_CUDA_PAIRS_EACH_,
                           call->stream, a);
}

/* all: is for OpenCL. */
CONVK_LOCAL_ int convk_pairs_energy_start_(convk_cuda_call_ *call, const convk_pairs_terms_ *terms, void *table, int want,
                                           size_t n, const convk_pair_walkers *full, size_t, const CONVK_T *r,
                                           convk_pair_result *result, CONVK_T *gradient, void *work) {
  convk_pairs_terms_ device_terms = *terms;
  convk_cuda_pairs_cut_ cut;
  int status = convk_cuda_pairs_cut_of_(n, full->walkers, &cut);
  device_terms.values = (const double *)table;
  return status
             ? status
             : convk_cuda_pairs_run_(device_terms, want, n, *full, r, result, gradient, NULL, cut, (char *)work, call->stream);
}

/* Threads of a block that goes through n others: enough of them to have some each. */
CONVK_LOCAL_ int convk_cuda_pairs_threads_(size_t n, int max_threads) {
  int threads = 32;
  while (threads < max_threads && n > 2 * (size_t)threads) threads *= 2;
  return threads;
}

CONVK_LOCAL_ int convk_cuda_pairs_moves_(void (*kernel)(const convk_cuda_pairs_move_args_<CONVK_T>),
                                         const convk_pairs_terms_ &terms, size_t n, const convk_pair_walkers &full,
                                         size_t particle, CONVK_T *r, const CONVK_T *to, convk_pair_move_result *result,
                                         const unsigned char *accept, CONVK_T *gradient, cudaStream_t stream) {
  convk_cuda_pairs_move_args_<CONVK_T> a;
  memset(&a, 0, sizeof a);
  a.c = terms;
  a.r = r;
  a.to = to;
  a.n = n;
  a.pitch = full.pitch;
  a.stride = full.stride;
  a.walkers = full.walkers;
  a.particle = particle;
  a.result = result;
  a.accept = accept;
  a.gradient = gradient;
  return convk_cuda_start_(kernel, full.walkers, convk_cuda_pairs_threads_(n, CONVK_CUDA_PAIRS_EACH_), stream, a);
}

CONVK_LOCAL_ int convk_pairs_move_start_(convk_cuda_call_ *call, const convk_pairs_terms_ *terms, size_t n,
                                         const convk_pair_walkers *full, size_t particle, const CONVK_T *r, const CONVK_T *to,
                                         convk_pair_move_result *result) {
  return convk_cuda_pairs_moves_(convk_cuda_pairs_move_<CONVK_T>, *terms, n, *full, particle, (CONVK_T *)(uintptr_t)r, to,
                                 result, NULL, NULL, call->stream);
}

CONVK_LOCAL_ int convk_pairs_accept_start_(convk_cuda_call_ *call, const convk_pairs_terms_ *terms, size_t n,
                                           const convk_pair_walkers *full, size_t particle, const CONVK_T *to,
                                           const unsigned char *accept, CONVK_T *r, CONVK_T *gradient) {
  return convk_cuda_pairs_moves_(convk_cuda_pairs_accept_<CONVK_T>, *terms, n, *full, particle, r, to, NULL, accept, gradient,
                                 call->stream);
}

/* ---- sweeps ---- */

/* Parts of the work of sweeps, in bytes from its aligned beginning. */
typedef struct convk_cuda_vmc_cut_ {
  convk_cuda_pairs_cut_ pairs;
  size_t energy, result, to, force[2], need;
} convk_cuda_vmc_cut_;

/* energy: bytes of the pairs' work. */
CONVK_LOCAL_ int convk_cuda_vmc_cut_of_(const convk_vmc &v, size_t energy, convk_cuda_vmc_cut_ *cut) {
  const size_t n = v.system.particles, walkers = convk_vmc_walkers_here_(&v), all = v.moves == CONVK_VMC_MOVE_ALL ? walkers : 0;
  size_t end = 0;
  int d, status = convk_reserve_(&end, energy, 1, 1, 1, &cut->energy);
  if (!status) status = convk_reserve_(&end, walkers, 1, 1, sizeof(convk_pair_result), &cut->result);
  if (!status) status = convk_reserve_(&end, all, 3, n, sizeof(CONVK_T), &cut->to);
  for (d = 0; d < 2 && !status; d++) status = convk_reserve_(&end, v.drift ? all : 0, 3, n, sizeof(double), &cut->force[d]);
  cut->need = end + 256;
  return status;
}

CONVK_LOCAL_ int convk_vmc_need_(convk_cuda_machine_ *machine, char *message, const convk_vmc *vmc, size_t *need) {
  convk_cuda_vmc_cut_ cut;
  size_t energy = 0;
  int status = convk_pairs_need_(machine, message, vmc->system.particles, convk_vmc_walkers_here_(vmc), &energy);
  if (!status) status = convk_cuda_vmc_cut_of_(*vmc, energy, &cut);
  if (status) return convk_refuse_(message, status, "vmc->walkers times vmc->system.particles is too large");
  *need = cut.need;
  return CONVK_OK;
}

/* Sweeps of one batch, of all walkers, whose coordinates are packed; goes_on: not the first of a call.  Returns how many
   measurements there were by *measured. */
CONVK_LOCAL_ int convk_cuda_vmc_batch_(const convk_pairs_terms_ &terms, const convk_vmc &v, const convk_cuda_vmc_cut_ &cut,
                                       const convk_vmc_sweeps &sweeps, int goes_on, const convk_vmc_walkers_resident &arrays,
                                       size_t *measured_before, char *base, cudaStream_t stream) {
  const uint64_t sweep = sweeps.first;
  const size_t count = sweeps.count;
  const size_t n = v.system.particles, walkers = convk_vmc_walkers_here_(&v);
  const size_t each = CONVK_CUDA_PAIRS_EACH_, walker_blocks = convk_ceil_(walkers, each);
  const int threads = convk_cuda_pairs_threads_(n, CONVK_CUDA_PAIRS_EACH_), all = v.moves == CONVK_VMC_MOVE_ALL;
  const int want = v.drift ? CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT : CONVK_PAIR_LN_PSI;
  convk_pair_result *const own = convk_cuda_at_<convk_pair_result>(base, cut.result);
  char *const energy = base + cut.energy;
  convk_cuda_vmc_args_<CONVK_T> a;
  const convk_pair_walkers full = convk_walkers_packed_(walkers, n);
  size_t done = 0, &measured = *measured_before;
  int status = CONVK_OK;
  memset(&a, 0, sizeof a);
  a.c = terms;
  a.n = n;
  a.goes_on = goes_on;
  a.first = v.part.first;
  a.walkers = walkers;
  a.seed = v.seed;
  a.step = sweeps.step;
  a.drifts = v.drift;
  a.unset = sweeps.anew == 1;
  a.all = sweep % CONVK_VMC_BATCH_ == 0 || a.unset;
  a.r = arrays.r;
  a.ln_psi = arrays.ln_psi;
  a.drift = arrays.drift;
  a.accepted = arrays.accepted;
  if (a.all || sweeps.anew) {
    status = convk_cuda_start_(convk_cuda_vmc_recentre_<CONVK_T>, walkers, threads, stream, a);
    if (!status)
      status = convk_cuda_pairs_run_(terms, CONVK_PAIR_LN_PSI, n, full, a.r, own, NULL, NULL, cut.pairs, energy, stream);
    a.result = own;
  }
  if (!status) status = convk_cuda_start_(convk_cuda_vmc_settle_<CONVK_T, 1>, walker_blocks, CONVK_CUDA_PAIRS_EACH_, stream, a);
  if (all) {
    a.to = convk_cuda_at_<CONVK_T>(base, cut.to);
    a.before = convk_cuda_at_<double>(base, cut.force[0]);
    a.after = convk_cuda_at_<double>(base, cut.force[1]);
  }
  while (done < count && !status) {
    a.sweep = sweep + done;
    a.count = 1;
    a.result = own;
    if (all) {
      if (v.drift)
        status = convk_cuda_pairs_run_(terms, want, n, full, a.r, own, NULL, (double *)(uintptr_t)a.before, cut.pairs, energy,
                                       stream);
      if (!status)
        status = convk_cuda_start_(convk_cuda_vmc_propose_<CONVK_T>, convk_ceil_(walkers * n, each), CONVK_CUDA_PAIRS_EACH_,
                                   stream, a);
      if (!status)
        status = convk_cuda_pairs_run_(terms, want, n, full, a.to, own, NULL, v.drift ? (double *)(uintptr_t)a.after : NULL,
                                       cut.pairs, energy, stream);
      if (!status) status = convk_cuda_start_(convk_cuda_vmc_accept_<CONVK_T>, walkers, threads, stream, a);
    } else {
      while (done + a.count < count && !convk_vmc_measures_(&v, sweep + done + a.count - 1)) a.count++;
      status = convk_cuda_start_(v.drift ? convk_cuda_vmc_single_<CONVK_T, 1> : convk_cuda_vmc_single_<CONVK_T, 0>, walkers,
                                 convk_cuda_pairs_threads_(n, CONVK_CUDA_VMC_THREADS_), stream, a);
    }
    done += a.count;
    if (status || !convk_vmc_measures_(&v, sweep + done - 1)) continue;
    a.result = arrays.result + measured++ * walkers;
    status = convk_cuda_pairs_run_(terms, CONVK_PAIR_ALL, n, full, a.r, (convk_pair_result *)(uintptr_t)a.result, NULL, NULL,
                                   cut.pairs, energy, stream);
    if (!status)
      status = convk_cuda_start_(convk_cuda_vmc_settle_<CONVK_T, 0>, walker_blocks, CONVK_CUDA_PAIRS_EACH_, stream, a);
  }
  return status;
}

/* Batches, each to the next sweep that begins with ln Psi anew. */
CONVK_LOCAL_ int convk_vmc_start_(convk_cuda_call_ *call, const convk_pairs_terms_ *terms, void *table, const convk_vmc *vmc,
                                  const convk_vmc_sweeps *sweeps, const convk_vmc_walkers_resident *walkers, void *work) {
  convk_pairs_terms_ device_terms = *terms;
  convk_cuda_vmc_cut_ cut;
  convk_vmc_sweeps some = *sweeps;
  size_t left = sweeps->count, measured = 0;
  int goes_on = 0, status = convk_cuda_pairs_cut_of_(vmc->system.particles, convk_vmc_walkers_here_(vmc), &cut.pairs);
  if (!status) status = convk_cuda_vmc_cut_of_(*vmc, cut.pairs.need, &cut);
  device_terms.values = (const double *)table;
  do {
    some.count = CONVK_VMC_BATCH_ - (size_t)(some.first % CONVK_VMC_BATCH_);
    if (some.count > left) some.count = left;
    if (!status)
      status = convk_cuda_vmc_batch_(device_terms, *vmc, cut, some, goes_on, *walkers, &measured, (char *)work, call->stream);
    some.first += some.count;
    some.anew = 0;
    left -= some.count;
    goes_on = 1;
  } while (left && !status);
  return status;
}
/* ---- src/pairs/device.h ---- */
/* ---- device memory ---- */

CONVK_API_ int convk_pair_potential_resident(CONVK_ON_ *on, const convk_pair_potential *potential, size_t n,
                                             CONVK_ARRAY_(const CONVK_T) r, CONVK_ARRAY_(CONVK_T) v) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, CONVK_DEVICE_(none)(), 0);
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(memory) table = NULL;
  if (!f.status) f.status = convk_pairs_values_check_(f.message, potential, n, convk_pairs_sees_(), &terms);
  CONVK_DEVICE_(frame_place)(&f, "r", r, n, sizeof(CONVK_T), CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "v", v, n, sizeof(CONVK_T), CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  if (CONVK_DEVICE_(frame_work)(&f, 0) && n) f.status = convk_pairs_table_begin_(&f.call, &terms, &table);
  if (!f.status && n) f.status = convk_pairs_values_start_(&f.call, &terms, table, n, r, v);
  convk_pairs_table_end_(table);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_pair_energy_work_size_resident(CONVK_ON_ *on, size_t particles, size_t walkers, size_t *bytes) {
  CONVK_DEVICE_(machine) *machine = NULL; /* OpenCL's has limits, but no queue is asked for */
  char *message;
  size_t need = 0;
  int status = CONVK_DEVICE_(machine_of)(on, &machine);
  if (!status) status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_pairs_particles_check_(message, "", particles);
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status && walkers) status = convk_pairs_need_(machine, message, particles, walkers, &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_pair_energy_resident(CONVK_ON_ *on, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                          int want, CONVK_ARRAY_(const CONVK_T) r, CONVK_ARRAY_(convk_pair_result) result,
                                          CONVK_ARRAY_(CONVK_T) gradient, CONVK_ARRAY_(void) work, size_t work_size) {
  const int written = CONVK_PLACE_WRITTEN_, maybe = CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_;
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  convk_pairs_terms_ terms;
  convk_pair_walkers full;
  CONVK_DEVICE_(memory) table = NULL;
  size_t span, need = 0;
  if (!f.status) f.status = convk_pairs_energy_check_(f.message, system, walkers, want, convk_pairs_sees_(), &terms, &full);
  if (f.status || !full.walkers) return CONVK_DEVICE_(frame_end)(&f);
  span = convk_walkers_span_(&full, system->particles);
  f.status = convk_pairs_need_(CONVK_DEVICE_(machine_of_call)(&f.call), f.message, system->particles, full.walkers, &need);
  CONVK_DEVICE_(frame_place)(&f, "r", r, span, sizeof(CONVK_T), 0);
  CONVK_DEVICE_(frame_place)(&f, "result", result, full.walkers, sizeof(convk_pair_result), written);
  CONVK_DEVICE_(frame_place)(&f, "gradient", gradient, span, sizeof(CONVK_T), maybe);
  if (!want) want = CONVK_PAIR_ALL;
  if (CONVK_DEVICE_(frame_work)(&f, need) && (want & CONVK_PAIR_POTENTIAL_ENERGY))
    f.status = convk_pairs_table_begin_(&f.call, &terms, &table);
  if (!f.status)
    f.status = convk_pairs_energy_start_(&f.call, &terms, table, want, system->particles, &full, full.walkers, r, result,
                                         gradient, f.work);
  convk_pairs_table_end_(table);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_pair_move_resident(CONVK_ON_ *on, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                        size_t particle, CONVK_ARRAY_(const CONVK_T) r, CONVK_ARRAY_(const CONVK_T) to,
                                        CONVK_ARRAY_(convk_pair_move_result) result) {
  const size_t each = sizeof(convk_pair_move_result);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, CONVK_DEVICE_(none)(), 0);
  convk_pairs_terms_ terms;
  convk_pair_walkers full;
  size_t n;
  if (!f.status)
    f.status = convk_pairs_step_check_(f.message, system, walkers, particle, convk_pairs_sees_(), each, &terms, &full);
  if (f.status || !full.walkers) return CONVK_DEVICE_(frame_end)(&f);
  n = system->particles;
  CONVK_DEVICE_(frame_place)(&f, "r", r, convk_walkers_span_(&full, n), sizeof(CONVK_T), 0);
  CONVK_DEVICE_(frame_place)(&f, "to", to, 3 * full.walkers, sizeof(CONVK_T), 0);
  CONVK_DEVICE_(frame_place)(&f, "result", result, full.walkers, each, CONVK_PLACE_WRITTEN_);
  if (CONVK_DEVICE_(frame_work)(&f, 0)) f.status = convk_pairs_move_start_(&f.call, &terms, n, &full, particle, r, to, result);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_pair_accept_resident(CONVK_ON_ *on, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                          size_t particle, CONVK_ARRAY_(const CONVK_T) to,
                                          CONVK_ARRAY_(const unsigned char) accept, CONVK_ARRAY_(CONVK_T) r,
                                          CONVK_ARRAY_(CONVK_T) gradient) {
  const int maybe = CONVK_PLACE_OPTIONAL_, written = CONVK_PLACE_WRITTEN_;
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, CONVK_DEVICE_(none)(), 0);
  convk_pairs_terms_ terms;
  convk_pair_walkers full;
  size_t n, span;
  if (!f.status)
    f.status = convk_pairs_step_check_(f.message, system, walkers, particle, convk_pairs_sees_(), 0, &terms, &full);
  if (f.status || !full.walkers) return CONVK_DEVICE_(frame_end)(&f);
  n = system->particles;
  span = convk_walkers_span_(&full, n);
  CONVK_DEVICE_(frame_place)(&f, "to", to, 3 * full.walkers, sizeof(CONVK_T), 0);
  CONVK_DEVICE_(frame_place)(&f, "accept", accept, full.walkers, 1, maybe);
  CONVK_DEVICE_(frame_place)(&f, "r", r, span, sizeof(CONVK_T), written);
  CONVK_DEVICE_(frame_place)(&f, "gradient", gradient, span, sizeof(CONVK_T), written | maybe);
  if (CONVK_DEVICE_(frame_work)(&f, 0))
    f.status = convk_pairs_accept_start_(&f.call, &terms, n, &full, particle, to, accept, r, gradient);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_vmc_sweeps_work_size_resident(CONVK_ON_ *on, const convk_vmc *vmc, size_t *bytes) {
  CONVK_DEVICE_(machine) *machine = NULL;
  char *message;
  size_t need = 0;
  int status = CONVK_DEVICE_(machine_of)(on, &machine);
  if (!status) status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_vmc_check_(message, vmc, convk_pairs_sees_());
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status && convk_vmc_walkers_here_(vmc)) status = convk_vmc_need_(machine, message, vmc, &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_vmc_sweeps_resident(CONVK_ON_ *on, const convk_vmc *vmc, const convk_vmc_sweeps *sweeps,
                                         const convk_vmc_walkers_resident *walkers, CONVK_ARRAY_(void) work, size_t work_size) {
  const size_t d = sizeof(double), each = sizeof(convk_pair_result);
  const int written = CONVK_PLACE_WRITTEN_;
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(memory) table = NULL;
  size_t measured = 0, here, need = 0;
  if (!f.status) f.status = convk_vmc_sweeps_check_(f.message, vmc, convk_pairs_sees_(), sweeps, &terms, &measured);
  if (!f.status) f.status = convk_need_(f.message, "walkers", walkers);
  if (f.status || !convk_vmc_walkers_here_(vmc)) return CONVK_DEVICE_(frame_end)(&f);
  here = convk_vmc_walkers_here_(vmc);
  f.status = convk_vmc_need_(CONVK_DEVICE_(machine_of_call)(&f.call), f.message, vmc, &need);
  CONVK_DEVICE_(frame_place)(&f, "walkers->r", walkers->r, 3 * vmc->system.particles * here, sizeof(CONVK_T), written);
  CONVK_DEVICE_(frame_place)(&f, "walkers->ln_psi", walkers->ln_psi, here, d, written);
  CONVK_DEVICE_(frame_place)(&f, "walkers->result", walkers->result, measured * here, each,
                             written | (measured ? 0 : CONVK_PLACE_OPTIONAL_));
  CONVK_DEVICE_(frame_place)(&f, "walkers->drift", walkers->drift, here, d, written);
  CONVK_DEVICE_(frame_place)(&f, "walkers->accepted", walkers->accepted, here, sizeof(uint32_t), written);
  if (CONVK_DEVICE_(frame_work)(&f, need)) f.status = convk_pairs_table_begin_(&f.call, &terms, &table);
  if (!f.status) f.status = convk_vmc_start_(&f.call, &terms, table, vmc, sweeps, walkers, f.work);
  convk_pairs_table_end_(table);
  return CONVK_DEVICE_(frame_end)(&f);
}

/* ---- host arrays on a device ----
   For a handle of the device: they copy, run, and wait.  Errors as in convk.h, and HANDLE for other handles, MEMORY, DEVICE,
   and with OpenCL FP64, BUILD and UNSUPPORTED, with hw->message.  `work` of pair_energy is ignored, that of vmc_run is host
   memory as on a processor.  A run leaves its walkers on the device from the first batch of 16 sweeps to the last;
   measurements, coordinates, drift and acceptance come back after each.  With CUDA coordinates have the bits of a processor's
   (with drift: but for rounding errors) until a move is accepted that was rejected there, by a rounding error. */

/* The values of a table, to the device; NULL: there is none. */
CONVK_LOCAL_ int convk_pairs_table_device_(CONVK_DEVICE_(host) *host, const convk_pairs_terms_ *terms,
                                           CONVK_DEVICE_(memory) *table) {
  *table = NULL;
  if (terms->kind != CONVK_POTENTIAL_TABLE) return CONVK_OK;
  return CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_0_, terms->values, terms->entries * sizeof(double), table);
}

CONVK_API_ int convk_pair_potential_device(convk *hw, const convk_pair_potential *potential, size_t n, const CONVK_T *r,
                                           CONVK_T *v) {
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(memory) table = NULL, at = NULL;
  CONVK_DEVICE_(call) call;
  char *const message = convk_message_(hw);
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_pairs_values_check_(message, potential, n, CONVK_PAIRS_TABLE_, &terms);
  if (!status) status = convk_pairs_values_arrays_(message, potential, n, r, v);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof *r, 1);
  if (!status && n) status = CONVK_DEVICE_(begin)(host);
  if (status || !n) return status;
  call = CONVK_DEVICE_(call_on)(host);
  status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_IN_, r, n * sizeof *r, &at);
  if (!status) status = convk_pairs_table_device_(host, &terms, &table);
  if (!status)
    status = convk_pairs_values_start_(&call, &terms, table, n, CONVK_DEVICE_(array_of)(at), CONVK_DEVICE_(array_of)(at));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status) status = CONVK_DEVICE_(fetch)(host, at, 0, n * sizeof *v, v);
  return CONVK_DEVICE_(end)(host, status);
}

/* On the device walkers are packed. */
CONVK_LOCAL_ convk_grid3 convk_pairs_grid_(const convk_pair_walkers *full, size_t n) {
  const convk_grid3 grid = {n, 3, full->walkers, full->pitch, full->walkers > 1 ? full->stride : 3 * full->pitch};
  return grid;
}

/* Checked pairs of all walkers. */
CONVK_LOCAL_ int convk_pairs_device_(CONVK_DEVICE_(host) *host, const convk_pairs_terms_ *terms, int want, size_t n,
                                     const convk_pair_walkers *full, size_t all, const CONVK_T *r, convk_pair_result *result,
                                     CONVK_T *gradient) {
  const convk_grid3 grid = convk_pairs_grid_(full, n);
  const convk_pair_walkers packed = convk_walkers_packed_(full->walkers, n);
  CONVK_DEVICE_(memory) table = NULL, at = NULL, out = NULL, slope = NULL, work = NULL;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  size_t need = 0;
  int status = convk_pairs_need_(CONVK_DEVICE_(machine_of_call)(&call), call.message, n, full->walkers, &need);
  if (!status && need) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &work);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_IN_, &grid, sizeof *r, r, 1, &at);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, full->walkers * sizeof *result, &out);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_MORE_1_, &grid, sizeof *r, gradient, 0, &slope);
  if (!status) status = convk_pairs_table_device_(host, terms, &table);
  if (!status)
    status =
        convk_pairs_energy_start_(&call, terms, table, want, n, &packed, all, CONVK_DEVICE_(array_of)(at),
                                  CONVK_DEVICE_(array_of)(out), CONVK_DEVICE_(array_of)(slope), CONVK_DEVICE_(array_of)(work));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status && gradient) status = CONVK_DEVICE_(copy)(host, 1, slope, &grid, sizeof *r, gradient);
  return status ? status : CONVK_DEVICE_(fetch)(host, out, 0, full->walkers * sizeof *result, result);
}

CONVK_API_ int convk_pair_energy_device(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers, int want,
                                        const CONVK_T *r, convk_pair_result *result, CONVK_T *gradient, void *work,
                                        size_t work_size) {
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(host) *host = NULL;
  convk_pair_walkers full;
  char *const message = convk_message_(hw);
  size_t all;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)work;
  (void)work_size;
  if (!status) status = convk_pairs_energy_check_(message, system, walkers, want, CONVK_PAIRS_TABLE_, &terms, &full);
  if (!status) status = convk_pairs_energy_arrays_(message, system, &full, r, result, gradient, NULL, 0);
  if (!status) status = convk_pairs_coordinates_(message, "r", &full, system->particles, r);
  if (status || !full.walkers) return status;
  all = hw->ours.inside.part_of ? hw->ours.inside.part_of : full.walkers;
  if (!want) want = CONVK_PAIR_ALL;
  if (!(want & CONVK_PAIR_GRADIENT)) gradient = NULL;
  status = CONVK_DEVICE_(able)(host, sizeof *r, 1);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  status = convk_pairs_device_(host, &terms, want, system->particles, &full, all, r, result, gradient);
  return CONVK_DEVICE_(end)(host, status);
}

/* Either call for a particle's move, checked: with `result` it is pair_move, else pair_accept. */
CONVK_LOCAL_ int convk_pairs_steps_(CONVK_DEVICE_(host) *host, const convk_pairs_terms_ *terms, size_t n,
                                    const convk_pair_walkers *full, size_t particle, const CONVK_T *r, const CONVK_T *to,
                                    convk_pair_move_result *result, const unsigned char *accept, CONVK_T *gradient) {
  const convk_grid3 grid = convk_pairs_grid_(full, n);
  const convk_pair_walkers packed = convk_walkers_packed_(full->walkers, n);
  CONVK_DEVICE_(memory) at = NULL, place = NULL, out = NULL, chosen = NULL, slope = NULL;
  CONVK_DEVICE_(call) call;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  call = CONVK_DEVICE_(call_on)(host);
  status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_IN_, &grid, sizeof *r, r, 1, &at);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_MORE_1_, &grid, sizeof *r, gradient, 1, &slope);
  if (!status) status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_2_, to, 3 * full->walkers * sizeof *to, &place);
  if (!status && accept) status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_3_, accept, full->walkers, &chosen);
  if (!status && result) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, full->walkers * sizeof *result, &out);
  if (!status && result)
    status = convk_pairs_move_start_(&call, terms, n, &packed, particle, CONVK_DEVICE_(array_of)(at),
                                     CONVK_DEVICE_(array_of)(place), CONVK_DEVICE_(array_of)(out));
  else if (!status)
    status =
        convk_pairs_accept_start_(&call, terms, n, &packed, particle, CONVK_DEVICE_(array_of)(place),
                                  CONVK_DEVICE_(array_of)(chosen), CONVK_DEVICE_(array_of)(at), CONVK_DEVICE_(array_of)(slope));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status && result) status = CONVK_DEVICE_(fetch)(host, out, 0, full->walkers * sizeof *result, result);
  if (!status && gradient) status = CONVK_DEVICE_(copy)(host, 1, slope, &grid, sizeof *r, gradient);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_API_ int convk_pair_move_device(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                      size_t particle, const CONVK_T *r, const CONVK_T *to, convk_pair_move_result *result) {
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(host) *host = NULL;
  convk_pair_walkers full;
  char *const message = convk_message_(hw);
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status)
    status = convk_pairs_step_check_(message, system, walkers, particle, CONVK_PAIRS_TABLE_, sizeof *result, &terms, &full);
  if (!status) status = convk_pairs_step_arrays_(message, system, &full, 1, r, to, result, NULL, NULL);
  if (status || !full.walkers) return status;
  status = CONVK_DEVICE_(able)(host, sizeof *r, 1);
  return status ? status : convk_pairs_steps_(host, &terms, system->particles, &full, particle, r, to, result, NULL, NULL);
}

CONVK_API_ int convk_pair_accept_device(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                        size_t particle, const CONVK_T *to, const unsigned char *accept, CONVK_T *r,
                                        CONVK_T *gradient) {
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(host) *host = NULL;
  convk_pair_walkers full;
  char *const message = convk_message_(hw);
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_pairs_step_check_(message, system, walkers, particle, CONVK_PAIRS_TABLE_, 0, &terms, &full);
  if (!status) status = convk_pairs_step_arrays_(message, system, &full, 0, r, to, NULL, accept, gradient);
  if (status || !full.walkers) return status;
  status = CONVK_DEVICE_(able)(host, sizeof *r, 1);
  if (!status && gradient)
    status = convk_pairs_steps_(host, &terms, system->particles, &full, particle, r, to, NULL, accept, gradient);
  if (!status) status = convk_pairs_go_(&full, particle, to, accept, r); /* here, too, it is one particle that moves */
  return status;
}

/* ---- runs ---- */

/* A run between the calls of its driver: its arrays stay on the device. */
typedef struct convk_vmc_state_device_ {
  CONVK_DEVICE_(host) *host;
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(memory) table, r, ln_psi, result, drift, accepted, work;
  int begun;
} convk_vmc_state_device_;

CONVK_LOCAL_ int convk_vmc_upload_(convk_vmc_state_device_ *run, const convk_vmc_job_ *job) {
  const size_t walkers = job->walkers, results = CONVK_VMC_BATCH_ * walkers * sizeof *job->result;
  CONVK_DEVICE_(host) *const host = run->host;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  size_t need = 0;
  int status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 1);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  run->begun = 1;
  status = convk_vmc_need_(CONVK_DEVICE_(machine_of_call)(&call), call.message, job->vmc, &need);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &run->work);
  if (!status) status = convk_pairs_table_device_(host, &run->terms, &run->table);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, results, &run->result);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_2_, walkers * sizeof(double), &run->drift);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_1_, walkers * sizeof(uint32_t), &run->accepted);
  if (!status)
    status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_IN_, job->r, 3 * job->n * walkers * sizeof(CONVK_T), &run->r);
  return status ? status
                : CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_3_, job->ln_psi, walkers * sizeof(double), &run->ln_psi);
}

/* A batch of a run that is there. */
CONVK_LOCAL_ int convk_vmc_batch_device_(convk_vmc_state_device_ *run, const convk_vmc_job_ *job) {
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(run->host);
  convk_vmc_walkers_resident walkers;
  convk_vmc_sweeps sweeps;
  sweeps.first = job->sweep;
  sweeps.count = job->count;
  sweeps.step = job->step;
  sweeps.anew = job->anew ? CONVK_VMC_SOME_ANEW_ : 0;
  walkers.r = CONVK_DEVICE_(array_of)(run->r);
  walkers.ln_psi = CONVK_DEVICE_(array_of)(run->ln_psi);
  walkers.result = CONVK_DEVICE_(array_of)(run->result);
  walkers.drift = CONVK_DEVICE_(array_of)(run->drift);
  walkers.accepted = CONVK_DEVICE_(array_of)(run->accepted);
  return CONVK_DEVICE_(call_end)(
      &call, convk_vmc_start_(&call, &run->terms, run->table, job->vmc, &sweeps, &walkers, CONVK_DEVICE_(array_of)(run->work)));
}

/* For convk_vmc_drive_. */
CONVK_LOCAL_ int convk_vmc_advance_(convk *hw, const convk_vmc_job_ *job, void *ctx) {
  convk_vmc_state_device_ *const run = (convk_vmc_state_device_ *)ctx;
  const size_t walkers = job->walkers, doubles = walkers * sizeof(double);
  CONVK_DEVICE_(host) *const host = run->host;
  int status = run->begun ? CONVK_OK : convk_vmc_upload_(run, job);
  (void)hw;
  if (!run->begun) return status;
  if (!status) status = convk_vmc_batch_device_(run, job);
  if (!status && job->measured)
    status = CONVK_DEVICE_(fetch)(host, run->result, 0, job->measured * walkers * sizeof *job->result, job->result);
  if (!status) status = CONVK_DEVICE_(fetch)(host, run->drift, 0, doubles, job->drift);
  if (!status) status = CONVK_DEVICE_(fetch)(host, run->accepted, 0, walkers * sizeof(uint32_t), job->accepted);
  if (!status) /* also before the last batch: walkers that escape must be seen */
    status = CONVK_DEVICE_(fetch)(host, run->r, 0, 3 * job->n * walkers * sizeof(CONVK_T), job->r);
  if (!status && job->last) status = CONVK_DEVICE_(fetch)(host, run->ln_psi, 0, doubles, job->ln_psi);
  return CONVK_DEVICE_(wait)(host, status);
}

CONVK_API_ int convk_vmc_run_device(convk *hw, const convk_vmc *vmc, size_t sweeps, convk_vmc_state *state, size_t state_size,
                                    void *work, size_t work_size) {
  convk_vmc_state_device_ run;
  int status;
  memset(&run, 0, sizeof run);
  status = CONVK_DEVICE_(host_of)(hw, &run.host);
  if (!status) status = convk_vmc_run_check_(hw->message, vmc, state, state_size, &run.terms);
  status = convk_vmc_drive_(hw, vmc, sweeps, state, state_size, work, work_size, sizeof(CONVK_T), 0, status, convk_vmc_advance_,
                            &run);
  return run.begun ? CONVK_DEVICE_(end)(run.host, status) : status;
}
#endif
#if CONVK_HAS_DISTANCES_
/* ---- src/distances/device.h ---- */
/* ---- distances on a device: atoms are sorted into cells and counted there, and histograms are summed ---- */

/* Starts stage a->stage of a frame: opencl_calls.h, cuda.h. */
CONVK_LOCAL_ int convk_distances_start_(CONVK_DEVICE_(call) *call, convk_distances_arguments_ *a,
                                        const convk_atoms_resident *atoms, const convk_distances_resident *to,
                                        CONVK_ARRAY_(void) work);

CONVK_LOCAL_ size_t convk_distances_device_need_(const convk_distances_job_ *job) {
  const size_t n = job->n, lists = n / CONVK_DISTANCES_CELL_ + job->kinds;
  return 3 * n * sizeof(double) + (5 * n + 2 * lists + 3) * sizeof(uint32_t) + 256;
}

/* Cuts a job into cells along periodic axes; how far atoms extend along others nobody looks.  A unit has so many slices that
   there is work for all groups, and at most 2^30 pairs. */
CONVK_LOCAL_ int convk_distances_arguments_of_(char *message, convk_distances_job_ *job, convk_distances_arguments_ *a) {
  static const double none[3] = {0, 0, 0};
  const double rows = CONVK_DISTANCES_ROWS_, enough = 16384, n = (double)job->n; /* enough units of 65,000 pairs: an estimate */
  double columns = n, ranges = 1, slices, all;
  int k;
  convk_distances_cut_(job, none, none);
  memset(a, 0, sizeof *a);
  memcpy(a->axis, job->frame.axis, sizeof a->axis);
  memcpy(a->inverse, job->frame.inverse, sizeof a->inverse);
  for (k = 0; k < 3; k++) {
    const double about = 2 * (double)job->about[k] + 1, images = about / (double)job->count[k] + 1;
    a->periodic[k] = job->frame.periodic[k];
    a->cells[k] = (uint32_t)job->count[k];
    a->about[k] = (uint32_t)job->about[k];
    columns *= a->periodic[k] ? images : 1;
    ranges *= k ? about : images;
  }
  a->scale = job->scale;
  a->limit = 4503599627370496. + 1048576 * (double)job->to->bins;
  a->has_beyond = !job->frame.any;
  a->part_index = job->part.index;
  a->part_count = job->part.count;
  a->n = (uint32_t)job->n;
  a->kinds = (uint32_t)job->kinds;
  a->bins = (uint32_t)job->to->bins;
  a->moments = (uint32_t)job->to->moments;
  a->words = 2 + (a->moments > 1 ? 4 : 1 + a->moments) * (size_t)a->bins;
  a->lists = (uint32_t)(job->kinds * job->cells);
  all = (double)job->kinds * (n / rows + a->lists);
  slices = convk_least_of_(enough / all, n / rows);
  if (slices < rows * (columns + rows * ranges) / 1073741824) slices = rows * (columns + rows * ranges) / 1073741824;
  if (all * (slices + 1) > 2147483647.)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "atoms->n times kinds or images of cell are too many");
  a->slices = (uint32_t)slices + 1;
  a->units = (uint32_t)(all * a->slices / (double)job->part.count) + 1;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_distances_unweighted_(char *message) {
  return convk_refuse_(message, CONVK_ERR_UNSUPPORTED, "devices have no pair_histogram with weights");
}

/* Queues so many frames that are on the device. */
CONVK_LOCAL_ int convk_distances_frames_start_(CONVK_DEVICE_(call) *call, convk_distances_arguments_ *a,
                                               const convk_atoms_resident *atoms, const convk_distances_resident *to,
                                               CONVK_ARRAY_(void) work) {
  const size_t stride = atoms->stride ? atoms->stride : a->n, end = (atoms->frames ? atoms->frames : 1) * stride;
  int status = CONVK_OK;
  a->has_kind = (uint32_t)CONVK_DEVICE_(is_set)(atoms->kind);
  a->has_beyond &= (uint32_t)CONVK_DEVICE_(is_set)(to->beyond);
  for (a->frame = 0; a->frame < end && a->n && !status; a->frame += stride)
    for (a->stage = 0; a->stage <= CONVK_DISTANCES_COUNT_ && !status; a->stage++)
      status = convk_distances_start_(call, a, atoms, to, work);
  return status;
}

/* ---- device memory ---- */

/* The same on the host, without arrays, and what a query knows of it. */
CONVK_LOCAL_ int convk_distances_resident_plan_(char *message, const convk_atoms_resident *atoms,
                                                const convk_distances_resident *distances, convk_atoms *of, convk_distances *to,
                                                convk_distances_job_ *job) {
  size_t need = 0;
  memset(of, 0, sizeof *of);
  memset(to, 0, sizeof *to);
  if (!atoms) return convk_need_(message, "atoms", atoms);
  if (!distances) return convk_need_(message, "distances", distances);
  of->n = atoms->n;
  of->frames = atoms->frames ? atoms->frames : 1;
  of->stride = atoms->stride ? atoms->stride : atoms->n;
  to->bins = distances->bins;
  to->kinds = distances->kinds;
  to->width = distances->width;
  to->moments = distances->moments;
  return convk_distances_plan_(message, NULL, of, to, job, &need);
}

CONVK_API_ int convk_pair_histogram_work_size_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms,
                                                       const convk_distances_resident *distances, size_t *bytes) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_query)(on, bytes);
  convk_distances_job_ job;
  convk_distances to;
  convk_atoms of;
  if (!f.status) f.status = convk_distances_resident_plan_(f.message, atoms, distances, &of, &to, &job);
  if (!f.status) (void)CONVK_DEVICE_(frame_work)(&f, convk_distances_device_need_(&job));
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_pair_histogram_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const convk_cell *cell,
                                             const convk_part *part, const convk_distances_resident *distances,
                                             CONVK_ARRAY_(void) work, size_t work_size) {
  const int written = CONVK_PLACE_WRITTEN_, maybe = CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_;
  const size_t s = sizeof(CONVK_T), d = sizeof(uint64_t);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 1, work, work_size);
  convk_distances_arguments_ a;
  convk_distances_job_ job;
  convk_distances to;
  convk_atoms of;
  size_t span, n;
  int flags;
  if (!f.status) f.status = convk_distances_resident_plan_(f.message, atoms, distances, &of, &to, &job);
  if (!f.status && CONVK_DEVICE_(is_set)(atoms->weight)) f.status = convk_distances_unweighted_(f.message);
  if (!f.status) f.status = convk_distances_check_(f.message, NULL, &of, cell, part, &to, NULL, 0, 1, &job, &n);
  if (!f.status) f.status = convk_distances_arguments_of_(f.message, &job, &a);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  span = of.n ? (of.frames - 1) * of.stride + of.n : 0;
  n = job.pairs * to.bins;
  flags = of.n ? 0 : CONVK_PLACE_OPTIONAL_;
  CONVK_DEVICE_(frame_place)(&f, "atoms->x", atoms->x, span, s, flags);
  CONVK_DEVICE_(frame_place)(&f, "atoms->y", atoms->y, span, s, flags);
  CONVK_DEVICE_(frame_place)(&f, "atoms->z", atoms->z, span, s, flags);
  CONVK_DEVICE_(frame_place)(&f, "atoms->kind", atoms->kind, of.n, sizeof(uint32_t), CONVK_PLACE_OPTIONAL_);
  CONVK_DEVICE_(frame_place)(&f, "distances->count", distances->count, n, d, written);
  if (to.moments) CONVK_DEVICE_(frame_place)(&f, "distances->moment[0]", distances->moment[0], n, d, written);
  if (to.moments > 1) CONVK_DEVICE_(frame_place)(&f, "distances->moment[1]", distances->moment[1], 2 * n, d, written);
  CONVK_DEVICE_(frame_place)(&f, "distances->beyond", distances->beyond, job.pairs, d, maybe);
  if (CONVK_DEVICE_(frame_work)(&f, convk_distances_device_need_(&job)))
    f.status = convk_distances_frames_start_(&f.call, &a, atoms, distances, f.work);
  return CONVK_DEVICE_(frame_end)(&f);
}

/* ---- host arrays ---- */

/* A checked call: its histograms go to the device and come back, frames go one after another. */
CONVK_LOCAL_ int convk_distances_arrays_run_(CONVK_DEVICE_(host) *host, const convk_distances_job_ *job,
                                             const convk_atoms *atoms, convk_distances_arguments_ *a) {
  const convk_distances *const to = job->to;
  const size_t bytes = job->n * sizeof(CONVK_T), d = sizeof(uint64_t), n = job->pairs * to->bins * d;
  const CONVK_T *const from[3] = {atoms->x, atoms->y, atoms->z};
  uint64_t *const list[4] = {to->count, to->moment[0], to->moment[1], to->beyond};
  const size_t size[4] = {n, to->moments ? n : 0, to->moments > 1 ? 2 * n : 0, job->beyond ? job->pairs * d : 0};
  CONVK_DEVICE_(memory) in = NULL, kind = NULL, out = NULL, work = NULL;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  convk_distances_resident there;
  convk_atoms_resident here;
  size_t at[5] = {0, 0, 0, 0, 0}, f, k;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  for (k = 0; k < 4; k++) at[k + 1] = at[k] + size[k];
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, 3 * bytes, &in);
  if (!status && atoms->kind)
    status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_0_, atoms->kind, job->n * sizeof *atoms->kind, &kind);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, at[4], &out);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, convk_distances_device_need_(job), &work);
  for (k = 0; k < 4 && !status; k++)
    if (size[k]) status = CONVK_DEVICE_(send)(host, out, at[k], size[k], list[k]);
  memset(&here, 0, sizeof here);
  memset(&there, 0, sizeof there);
  here.x = CONVK_DEVICE_(array_of)(in);
  here.y = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), bytes, sizeof(CONVK_T));
  here.z = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), 2 * bytes, sizeof(CONVK_T));
  here.kind = CONVK_DEVICE_(array_of)(kind);
  there.count = CONVK_DEVICE_(array_of)(out);
  there.moment[0] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(out), at[1], d);
  there.moment[1] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(out), at[2], d);
  if (job->beyond) there.beyond = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(out), at[3], d);
  for (f = 0; f < (atoms->frames ? atoms->frames : 1) && !status; f++) {
    for (k = 0; k < 3 && !status; k++)
      status = CONVK_DEVICE_(send)(host, in, k * bytes, bytes, from[k] + f * (atoms->stride ? atoms->stride : job->n));
    if (!status) status = convk_distances_frames_start_(&call, a, &here, &there, CONVK_DEVICE_(array_of)(work));
  }
  status = CONVK_DEVICE_(call_end)(&call, status);
  for (k = 0; k < 4 && !status; k++)
    if (size[k]) status = CONVK_DEVICE_(fetch)(host, out, at[k], size[k], list[k]);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_LOCAL_ int convk_distances_histogram_(convk *hw, const convk_atoms *atoms, const convk_cell *cell, const convk_part *part,
                                            const convk_distances *distances, void *work, size_t work_size) {
  CONVK_DEVICE_(host) *host = NULL;
  convk_distances_arguments_ a;
  convk_distances_job_ job;
  size_t need = 0;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status)
    status = convk_distances_check_(hw->message, NULL, atoms, cell, part, distances, work, work_size, 0, &job, &need);
  if (!status && job.weighted) status = convk_distances_unweighted_(hw->message);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 1);
  if (status || !atoms->n) return status;
  job.beyond = distances->beyond && !job.frame.any;
  status = convk_distances_arguments_of_(hw->message, &job, &a);
  return status ? status : convk_distances_arrays_run_(host, &job, atoms, &a);
}

/* ---- Debye's sum ---- */

/* Starts stage a->stage: opencl_calls.h, cuda.h. */
CONVK_LOCAL_ int convk_debye_start_(CONVK_DEVICE_(call) *call, convk_debye_arguments_ *a, const convk_distances_resident *from,
                                    const convk_intensities_resident *to, CONVK_ARRAY_(void) work);

CONVK_LOCAL_ int convk_debye_need_of_(char *message, size_t bins, size_t nq, size_t *need) {
  size_t end = 256, at;
  int status = convk_reserve_(&end, CONVK_DEBYE_NUMBERS_, bins, 1, sizeof(double), &at);
  if (!status) status = convk_reserve_(&end, 3, convk_ceil_(bins, CONVK_DISTANCES_LIST_), nq, sizeof(double), &at);
  if (!status) status = convk_reserve_(&end, CONVK_DEBYE_HEAD_, 2, nq, sizeof(double), &at);
  *need = end;
  return status ? convk_refuse_(message, status, "bins and q need more work than can be counted in bytes") : status;
}

/* Queues all of it.  sums: histograms are of real weights. */
CONVK_LOCAL_ int convk_debye_stages_(CONVK_DEVICE_(call) *call, const convk_distances_resident *from, int sums,
                                     const convk_scatterer *kinds, const double *self, const convk_intensities_resident *to,
                                     CONVK_ARRAY_(void) work) {
  const size_t n = from->kinds ? from->kinds : 1;
  convk_debye_arguments_ a;
  size_t one, other;
  int status = CONVK_OK;
  memset(&a, 0, sizeof a);
  a.width = from->width;
  a.nq = to->nq;
  a.bins = from->bins;
  a.moments = from->moments;
  a.sums = (uint32_t)sums;
  a.scattered = kinds != NULL;
  a.has_bound = (uint32_t)CONVK_DEVICE_(is_set)(to->bound);
  a.fresh = 1;
  for (one = 0; one < n && self && a.nq && !status; one++, a.fresh = 0) {
    if (kinds) a.of[0] = kinds[one];
    a.self = ((const convk_any_f64_ *)self)[one];
    a.stage = CONVK_DEBYE_SELF_;
    status = convk_debye_start_(call, &a, from, to, work);
  }
  for (one = 0; one < n && a.nq; one++)
    for (other = one; other < n && !status; other++, a.fresh = 0) {
      if (kinds) a.of[0] = kinds[one];
      if (kinds) a.of[1] = kinds[other];
      a.pair = convk_kinds_pair_(n, one, other);
      a.last = one + 1 == n;
      for (a.stage = CONVK_DEBYE_LIST_; a.stage > CONVK_DEBYE_SELF_ && !status; a.stage--)
        status = convk_debye_start_(call, &a, from, to, work);
    }
  return status;
}

/* Calls and queries. */
CONVK_LOCAL_ int convk_debye_on_(CONVK_DEVICE_(frame) *f, const convk_distances_resident *distances,
                                 const convk_scatterer *kinds, const double *self, const convk_intensities_resident *to) {
  const size_t d = sizeof(uint64_t), s = sizeof(CONVK_T);
  const int any = to && to->nq ? 0 : CONVK_PLACE_OPTIONAL_;
  convk_place_ place[4];
  convk_distances host;
  size_t need = 0, n = 0, places;
  memset(&host, 0, sizeof host);
  if (!f->status) f->status = convk_need_(f->message, "distances", distances);
  if (!f->status) f->status = convk_need_(f->message, "to", to);
  if (f->status) return CONVK_DEVICE_(frame_end)(f);
  host.bins = distances->bins;
  host.kinds = distances->kinds;
  host.width = distances->width;
  host.moments = distances->moments;
  f->status = convk_distances_width_(f->message, &host);
  if (!f->status) f->status = convk_distances_places_(f->message, &host, 0, 0, place, &places);
  if (!f->status) f->status = convk_debye_kinds_(f->message, kinds, self, host.kinds ? host.kinds : 1);
  if (!f->status) f->status = convk_debye_need_of_(f->message, host.bins, to->nq, &need);
  if (!f->status) n = convk_distances_pairs(host.kinds) * host.bins;
  CONVK_DEVICE_(frame_place)(f, "distances->count", distances->count, n, d, 0);
  if (host.moments) CONVK_DEVICE_(frame_place)(f, "distances->moment[0]", distances->moment[0], n, d, 0);
  if (host.moments > 1) CONVK_DEVICE_(frame_place)(f, "distances->moment[1]", distances->moment[1], 2 * n, d, 0);
  CONVK_DEVICE_(frame_place)(f, "to->q", to->q, to->nq, s, any);
  CONVK_DEVICE_(frame_place)(f, "to->intensity", to->intensity, to->nq, s, CONVK_PLACE_WRITTEN_ | any);
  CONVK_DEVICE_(frame_place)(f, "to->bound", to->bound, to->nq, s, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  if (CONVK_DEVICE_(frame_work)(f, need)) f->status = convk_debye_stages_(&f->call, distances, 0, kinds, self, to, f->work);
  return CONVK_DEVICE_(frame_end)(f);
}

CONVK_API_ int convk_debye_work_size_resident(CONVK_ON_ *on, const convk_distances_resident *distances,
                                              const convk_intensities_resident *to, size_t *bytes) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_query)(on, bytes);
  return convk_debye_on_(&f, distances, NULL, NULL, to);
}

CONVK_API_ int convk_debye_resident(CONVK_ON_ *on, const convk_distances_resident *distances, const convk_scatterer *kinds,
                                    const double *self, const convk_intensities_resident *to, CONVK_ARRAY_(void) work,
                                    size_t work_size) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  return convk_debye_on_(&f, distances, kinds, self, to);
}

/* A checked call on host arrays: histograms and q go to the device, intensities come back. */
CONVK_LOCAL_ int convk_debye_arrays_run_(convk *hw, const convk_distances *distances, const convk_scatterer *kinds,
                                         const double *self, size_t nq, const CONVK_T *q, CONVK_T *intensity, CONVK_T *bound) {
  const size_t n = convk_distances_pairs(distances->kinds) * distances->bins * sizeof(uint64_t), s = nq * sizeof(CONVK_T);
  const size_t moments = (size_t)distances->moments, sums = distances->sum != NULL;
  const void *const list[4] = {sums ? (const void *)distances->sum : distances->count, distances->moment[0],
                               distances->moment[1], q};
  const size_t size[4] = {sums ? (moments + 1) * n : n, sums || !moments ? 0 : n, sums || moments < 2 ? 0 : 2 * n, s};
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(memory) in = NULL, out = NULL, work = NULL;
  CONVK_DEVICE_(call) call;
  convk_distances_resident from;
  convk_intensities_resident to;
  size_t at[5] = {0, 0, 0, 0, 0}, need = 0, k;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 1);
  if (!status) status = convk_debye_need_of_(hw->message, distances->bins, nq, &need);
  if (status) return status;
  call = CONVK_DEVICE_(call_on)(host);
  status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  for (k = 0; k < 4; k++) at[k + 1] = at[k] + size[k];
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, at[4], &in);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, 2 * s, &out);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &work);
  for (k = 0; k < 4 && !status; k++)
    if (size[k]) status = CONVK_DEVICE_(send)(host, in, at[k], size[k], list[k]);
  memset(&from, 0, sizeof from);
  memset(&to, 0, sizeof to);
  from.bins = distances->bins;
  from.kinds = distances->kinds;
  from.width = distances->width;
  from.moments = distances->moments;
  from.count = CONVK_DEVICE_(array_of)(in);
  from.moment[0] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[1], sizeof(uint64_t));
  from.moment[1] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[2], sizeof(uint64_t));
  to.nq = nq;
  to.q = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[3], sizeof(CONVK_T));
  to.intensity = CONVK_DEVICE_(array_of)(out);
  if (bound) to.bound = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(out), s, sizeof(CONVK_T));
  if (!status) status = convk_debye_stages_(&call, &from, (int)sums, kinds, self, &to, CONVK_DEVICE_(array_of)(work));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status && s) status = CONVK_DEVICE_(fetch)(host, out, 0, s, intensity);
  if (!status && s && bound) status = CONVK_DEVICE_(fetch)(host, out, s, s, bound);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_LOCAL_ const convk_distances_kernels_ *convk_distances_kernel_table_(void) {
  static const convk_distances_kernels_ kernels = {{NULL, NULL, NULL}, convk_distances_histogram_, convk_debye_arrays_run_};
  return &kernels;
}

/* For a handle of the device: as in convk.h, but that pair_histogram with weights and debye_direct give UNSUPPORTED.  The
   others copy, run, wait, and ignore `work`.  Errors as there, and HANDLE for other handles, MEMORY, DEVICE, and with OpenCL
   FP64 and BUILD. */
CONVK_DISTANCES_OPERATIONS_(CONVK_OP_VARIANT_)
/* ---- src/distances/cuda.h ---- */
CONVK_LOCAL_ int convk_distances_start_(convk_cuda_call_ *call, convk_distances_arguments_ *a,
                                        const convk_atoms_resident *atoms, const convk_distances_resident *to, void *work) {
  const size_t threads = CONVK_CUDA_DISTANCES_THREADS_, blocks = a->stage == CONVK_DISTANCES_STARTS_ ? 1 : a->n / threads + 1;
  size_t bytes = (size_t)a->words * sizeof(uint32_t);
  int device = 0, limit = CONVK_CUDA_SHARED_UNASKED_;
  const convk_cuda_distances_args_ c = {*a,        atoms->x,      atoms->y,      atoms->z,   atoms->kind,
                                        to->count, to->moment[0], to->moment[1], to->beyond, work};
  if (a->stage < CONVK_DISTANCES_COUNT_)
    return convk_cuda_start_(convk_cuda_distances_sort_<CONVK_T>, blocks, (int)threads, call->stream, c,
                             2 * threads * sizeof(uint32_t));
  if (bytes > (size_t)limit && (cudaGetDevice(&device) != cudaSuccess ||
                                cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess))
    return CONVK_ERR_DEVICE;
  const int shared = bytes <= (size_t)limit;
  if (!shared) bytes = 2 * sizeof(uint32_t);
  return convk_cuda_start_(shared ? convk_cuda_distances_of_<1>(a->moments) : convk_cuda_distances_of_<0>(a->moments),
                           convk_least_(a->units, CONVK_CUDA_DISTANCES_BLOCKS_),
                           bytes > 49152 ? CONVK_CUDA_DISTANCES_MOST_ : (int)threads, /* few are on a multiprocessor */
                           call->stream, c, bytes);
}

CONVK_LOCAL_ int convk_debye_start_(convk_cuda_call_ *call, convk_debye_arguments_ *a, const convk_distances_resident *from,
                                    const convk_intensities_resident *to, void *work) {
  const int list = a->stage == CONVK_DEBYE_LIST_,
            threads = list ? CONVK_CUDA_DISTANCES_THREADS_ : 64; /* few, for more blocks */
  const size_t tasks = a->stage == CONVK_DEBYE_WAVES_ ? convk_ceil_((size_t)a->bins, CONVK_DISTANCES_LIST_) * to->nq : to->nq;
  const convk_cuda_debye_args_ c = {
      *a, {from->count, from->moment[0], from->moment[1], to->q, to->intensity, to->bound, (double *)work}};
  return convk_cuda_start_(list ? convk_cuda_debye_stage_<CONVK_T, 1> : convk_cuda_debye_stage_<CONVK_T, 0>,
                           list ? 1 : convk_ceil_(tasks, (size_t)threads), threads, call->stream, c,
                           list ? (size_t)threads * sizeof(uint32_t) : 0);
}
#endif
#if CONVK_HAS_AMPLITUDES_
/* ---- src/amplitudes/device.h ---- */
/* ---- amplitudes on a device ---- */

/* Starts stage a->stage: opencl_calls.h, cuda.h. */
CONVK_LOCAL_ int convk_amplitudes_start_(CONVK_DEVICE_(call) *call, convk_amplitudes_arguments_ *a,
                                         const convk_atoms_resident *atoms, const CONVK_DEVICE_STRUCT_(q) * q,
                                         CONVK_ARRAY_(CONVK_T) f, CONVK_ARRAY_(void) work);

/* Rows and lanes that a group of so many items has. */
CONVK_LOCAL_ void convk_amplitudes_tile_of_(size_t items, size_t *tall, size_t *wide) {
  const size_t across = convk_least_(items, CONVK_AMPLITUDES_ACROSS_);
  *tall = items / across * CONVK_AMPLITUDES_EACH_;
  *wide = across * CONVK_AMPLITUDES_EACH_;
}

/* Bytes of shared memory that a stage takes. */
CONVK_LOCAL_ size_t convk_amplitudes_tile_bytes_(const convk_amplitudes_arguments_ *a, size_t items) {
  size_t tall, wide;
  convk_amplitudes_tile_of_(items, &tall, &wide);
  if (a->stage == CONVK_AMPLITUDES_LIST_ || a->stage == CONVK_AMPLITUDES_DAMPED_)
    return 4 * CONVK_AMPLITUDES_BLOCK_ * sizeof(CONVK_T);
  if (a->stage == CONVK_AMPLITUDES_ROWS_)
    return CONVK_AMPLITUDES_ATOMS_ * (tall + CONVK_AMPLITUDES_PAD_ + 2 * wide) * sizeof(CONVK_T);
  return items * sizeof(uint32_t);
}

/* Groups of a stage, which take what there is for more. */
CONVK_LOCAL_ size_t convk_amplitudes_groups_(const convk_amplitudes_arguments_ *a, size_t items) {
  const size_t most = 65535;
  size_t tall, wide, groups = 1, d;
  convk_amplitudes_tile_of_(items, &tall, &wide);
  if (a->stage == CONVK_AMPLITUDES_PHASE_)
    groups = convk_ceil_(convk_least_(a->n[0] + a->n[1] + a->n[2], most * items) * a->batch, items);
  if (a->stage == CONVK_AMPLITUDES_GIVE_) groups = convk_ceil_(a->results, items);
  if (a->stage == CONVK_AMPLITUDES_LIST_ || a->stage == CONVK_AMPLITUDES_DAMPED_)
    groups = convk_ceil_(a->n[0], items * CONVK_AMPLITUDES_POINTS_) * convk_ceil_(a->batch, CONVK_AMPLITUDES_BLOCK_);
  for (d = 0; d < 3 && a->stage == CONVK_AMPLITUDES_ROWS_; d++) { /* any axis may be that of the lanes */
    const size_t some = convk_ceil_(convk_least_(2 * (a->results / a->n[d]), most * tall), tall) * convk_ceil_(a->n[d], wide);
    if (some > groups) groups = some;
  }
  return convk_least_(groups, most);
}

/* What all stages take, of a grid of n[0] n[1] n[2] nodes, or a list of n[0], imag: with complex q_z; and bytes of work, of
   which the table has `limit` at most, if that is enough for a block. */
CONVK_LOCAL_ int convk_amplitudes_arguments_of_(char *message, const convk_amplitudes_job_ *job, const size_t n[3], int tensor,
                                                int imag, size_t limit, convk_amplitudes_arguments_ *a, size_t *need) {
  const size_t results = tensor ? n[0] * n[1] * n[2] : n[0], block = CONVK_AMPLITUDES_BLOCK_;
  const size_t octants = tensor ? 8 * convk_ceil_(n[0], 2) * convk_ceil_(n[1], 2) * convk_ceil_(n[2], 2) : 0;
  const size_t sums = !tensor                 ? (size_t)(2 + imag) * results
                      : octants > 4 * results ? octants
                                              : 4 * results; /* which overflow first */
  const size_t blocks = job->n ? convk_ceil_(job->n, block) : 1, d8 = sizeof(double);
  const int together = job->kinds > 1 && job->output != CONVK_AMPLITUDES_KINDS;
  size_t at[CONVK_AMPLITUDES_PLACES_], end = 0, each = 0, k;
  int status;
  memset(a, 0, sizeof *a);
  status = results > (size_t)-1 / 512 || n[0] > (size_t)-1 / 2048 || n[1] > (size_t)-1 / 2048 || n[2] > (size_t)-1 / 2048
               ? CONVK_ERR_OVERFLOW
               : CONVK_OK;
  if (!status)
    each = (tensor ? 2 * block * (n[0] + n[1] + n[2]) : (size_t)(2 + imag) * results) * sizeof(CONVK_T); /* of a block */
  if (!each) each = 1;
  if (!status) status = convk_reserve_(&end, sums, 1, 1, d8, &at[CONVK_AMPLITUDES_SUMS_AT_]);
  if (!status) status = convk_reserve_(&end, together ? 2 * results : 0, 1, 1, d8, &at[CONVK_AMPLITUDES_TOTALS_AT_]);
  if (!status)
    status =
        convk_reserve_(&end, job->output == CONVK_AMPLITUDES_MEAN ? results : 0, 1, 1, d8, &at[CONVK_AMPLITUDES_MEANS_AT_]);
  if (!status) status = convk_reserve_(&end, 1, 1, 1, d8, &at[CONVK_AMPLITUDES_WEIGHT_AT_]);
  if (limit < each) limit = each;
  if (!status)
    status = convk_reserve_(&end, blocks <= limit / each ? blocks * each : limit, 1, 1, 1, &at[CONVK_AMPLITUDES_TABLE_AT_]);
  if (!status) status = convk_reserve_(&end, job->n + job->kinds + 4, 1, 1, sizeof(uint32_t), &at[CONVK_AMPLITUDES_ORDER_AT_]);
  if (status) return convk_refuse_(message, status, "atoms and q need more work than can be counted in bytes");
  *need = end + 256;
  for (k = 0; k < CONVK_AMPLITUDES_PLACES_; k++) a->place[k] = at[k];
  for (k = 0; k < (tensor ? 3u : 1u); k++) a->n[k] = n[k];
  memcpy(a->inverse, job->cell.inverse, sizeof a->inverse);
  a->batch = convk_least_(blocks, limit / each) * block;
  a->results = results;
  a->frames = (double)job->frames;
  a->atoms = (uint32_t)job->n;
  a->kinds = (uint32_t)job->kinds;
  a->in_cell = (uint32_t)job->in_cell;
  a->tensor = (uint32_t)tensor;
  a->imag = (uint32_t)imag;
  a->mean = job->output == CONVK_AMPLITUDES_MEAN;
  a->scattered = job->scatterers != NULL;
  return CONVK_OK;
}

/* Queues frame number `frame` of atoms that are on the device.  f has its first kind as set number `set`, others behind it. */
CONVK_LOCAL_ int convk_amplitudes_frame_start_(CONVK_DEVICE_(call) *call, const convk_amplitudes_job_ *job,
                                               convk_amplitudes_arguments_ *a, size_t frame, const convk_atoms_resident *atoms,
                                               const CONVK_DEVICE_STRUCT_(q) * q, size_t set, size_t apart,
                                               CONVK_ARRAY_(CONVK_T) f, CONVK_ARRAY_(void) work) {
  const int kinds = job->output == CONVK_AMPLITUDES_KINDS;
  int status = CONVK_OK;
  a->has_kind = (uint32_t)CONVK_DEVICE_(is_set)(atoms->kind);
  a->has_weight = (uint32_t)CONVK_DEVICE_(is_set)(atoms->weight);
  a->first_frame = !frame;
  a->last_frame = frame + 1 == job->frames;
  a->stage = CONVK_AMPLITUDES_SELECT_;
  for (a->kind = 0; a->kind < a->kinds && !frame && !status; a->kind++)
    status = convk_amplitudes_start_(call, a, atoms, q, f, work);
  a->stage = CONVK_AMPLITUDES_MIRROR_;
  if (!status && a->tensor && !frame) status = convk_amplitudes_start_(call, a, atoms, q, f, work);
  for (a->kind = 0; a->kind < a->kinds && !status; a->kind++) {
    if (job->scatterers) a->scatterer = job->scatterers[a->kind];
    a->first_kind = kinds || !a->kind;
    a->last_kind = kinds || a->kind + 1 == a->kinds;
    a->to = (set + (kinds ? a->kind : 0)) * apart;
    for (a->first = 0; (!a->first || a->first < a->atoms) && !status; a->first += a->batch) {
      a->fresh = !a->first;
      a->last = a->first + a->batch >= a->atoms;
      a->stage = a->tensor ? CONVK_AMPLITUDES_PHASE_ : a->imag ? CONVK_AMPLITUDES_DAMPED_ : CONVK_AMPLITUDES_LIST_;
      status = convk_amplitudes_start_(call, a, atoms, q, f, work);
      a->stage = a->tensor ? CONVK_AMPLITUDES_ROWS_ : CONVK_AMPLITUDES_GIVE_;
      if (!status) status = convk_amplitudes_start_(call, a, atoms, q, f, work);
    }
    a->stage = CONVK_AMPLITUDES_GIVE_;
    if (!status && a->tensor) status = convk_amplitudes_start_(call, a, atoms, q, f, work);
  }
  return status;
}

/* ---- device memory ---- */

/* The same on the host, without arrays. */
CONVK_LOCAL_ int convk_amplitudes_resident_plan_(char *message, const convk_atoms_resident *atoms,
                                                 const convk_amplitude_options *options, convk_atoms *of,
                                                 convk_amplitudes_job_ *job) {
  size_t need;
  memset(of, 0, sizeof *of);
  if (!atoms) return convk_need_(message, "atoms", atoms);
  of->n = atoms->n;
  of->frames = atoms->frames;
  of->stride = atoms->stride;
  return convk_amplitudes_plan_(message, of, options, job, &need);
}

/* Calls and queries of both.  full: of a grid; else NULL, of a list. */
CONVK_LOCAL_ int convk_amplitudes_on_(CONVK_DEVICE_(frame) *frame, const convk_atoms_resident *atoms, const convk_grid3 *full,
                                      const CONVK_DEVICE_STRUCT_(q) * q, const convk_amplitude_options *options,
                                      CONVK_ARRAY_(CONVK_T) f) {
  const size_t s = sizeof(CONVK_T);
  size_t n[3] = {0, 1, 1}, span = 0, elements = 0, need = 0, i;
  convk_amplitudes_arguments_ a;
  convk_amplitudes_job_ job;
  convk_atoms of;
  if (!frame->status) frame->status = convk_amplitudes_resident_plan_(frame->message, atoms, options, &of, &job);
  if (!frame->status && !(frame->query && full)) frame->status = convk_need_(frame->message, "q", q);
  if (frame->status) return CONVK_DEVICE_(frame_end)(frame);
  n[0] = full ? full->nx : q->n;
  n[1] = full ? full->ny : 1;
  n[2] = full ? full->nz : 1;
  job.apart = full ? full->nz * full->pitch_z : n[0];
  span = full ? (n[2] - 1) * full->pitch_z + (n[1] - 1) * full->pitch_y + n[0] : n[0];
  if (!frame->query) {
    frame->status = convk_amplitudes_elements_(frame->message,
                                               CONVK_DEVICE_(is_set)(q->x_imag)           ? "q->x_imag"
                                               : CONVK_DEVICE_(is_set)(q->y_imag)         ? "q->y_imag"
                                               : full && CONVK_DEVICE_(is_set)(q->z_imag) ? "q->z_imag"
                                                                                          : NULL,
                                               full != NULL, span, &job, &elements);
    if (!frame->status) frame->status = convk_amplitudes_parameters_(frame->message, options, &job);
  }
  if (!frame->status)
    frame->status = convk_amplitudes_arguments_of_(frame->message, &job, n, full != NULL, q && CONVK_DEVICE_(is_set)(q->z_imag),
                                                   CONVK_AMPLITUDES_BYTES_, &a, &need);
  if (!frame->status && !frame->query) {
    const size_t all = job.n ? (job.frames - 1) * job.stride + job.n : 0;
    const int some = job.n ? 0 : CONVK_PLACE_OPTIONAL_, any = n[0] ? 0 : CONVK_PLACE_OPTIONAL_;
    CONVK_DEVICE_(frame_place)(frame, "atoms->x", atoms->x, all, s, some);
    CONVK_DEVICE_(frame_place)(frame, "atoms->y", atoms->y, all, s, some);
    CONVK_DEVICE_(frame_place)(frame, "atoms->z", atoms->z, all, s, some);
    CONVK_DEVICE_(frame_place)(frame, "atoms->kind", atoms->kind, job.n, sizeof(uint32_t), CONVK_PLACE_OPTIONAL_);
    CONVK_DEVICE_(frame_place)(frame, "atoms->weight", atoms->weight, job.n, s, CONVK_PLACE_OPTIONAL_);
    CONVK_DEVICE_(frame_place)(frame, "q->x", q->x, n[0], s, any);
    CONVK_DEVICE_(frame_place)(frame, "q->y", q->y, full ? n[1] : n[0], s, any);
    CONVK_DEVICE_(frame_place)(frame, "q->z", q->z, full ? n[2] : n[0], s, any);
    CONVK_DEVICE_(frame_place)(frame, "q->z_imag", q->z_imag, n[0], s, CONVK_PLACE_OPTIONAL_);
    CONVK_DEVICE_(frame_place)(frame, "f", f, elements, s, CONVK_PLACE_WRITTEN_ | any);
  }
  if (CONVK_DEVICE_(frame_work)(frame, need) && n[0]) {
    a.pitch_y = full ? full->pitch_y : 0;
    a.pitch_z = full ? full->pitch_z : 0;
    for (i = 0; i < job.frames && !frame->status; i++) {
      a.frame = i * job.stride;
      frame->status = convk_amplitudes_frame_start_(&frame->call, &job, &a, i, atoms, q,
                                                    job.output == CONVK_AMPLITUDES_KINDS  ? i * job.kinds
                                                    : job.output == CONVK_AMPLITUDES_MEAN ? 0
                                                                                          : i,
                                                    job.apart, f, frame->work);
    }
  }
  return CONVK_DEVICE_(frame_end)(frame);
}

CONVK_API_ int convk_amplitudes_work_size_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms,
                                                   const CONVK_DEVICE_STRUCT_(q) * q, const convk_amplitude_options *options,
                                                   size_t *bytes) {
  CONVK_DEVICE_(frame) frame = CONVK_DEVICE_(frame_query)(on, bytes);
  return convk_amplitudes_on_(&frame, atoms, NULL, q, options, CONVK_DEVICE_(none)());
}

CONVK_API_ int convk_amplitudes_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const CONVK_DEVICE_STRUCT_(q) * q,
                                         const convk_amplitude_options *options, CONVK_ARRAY_(CONVK_T) f,
                                         CONVK_ARRAY_(void) work, size_t work_size) {
  CONVK_DEVICE_(frame) frame = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  return convk_amplitudes_on_(&frame, atoms, NULL, q, options, f);
}

/* Looks at a grid, too. */
CONVK_LOCAL_ int convk_amplitudes_on_grid_(CONVK_DEVICE_(frame) *frame, const convk_atoms_resident *atoms,
                                           const convk_grid3 *grid, const CONVK_DEVICE_STRUCT_(q) * q,
                                           const convk_amplitude_options *options, CONVK_ARRAY_(CONVK_T) f) {
  convk_grid3 full = {0, 0, 0, 0, 0};
  size_t span;
  if (!frame->status) frame->status = convk_grid_check_(frame->message, "grid", grid, 2 * sizeof(CONVK_T), &full, &span);
  return convk_amplitudes_on_(frame, atoms, &full, q, options, f);
}

CONVK_API_ int convk_amplitudes_grid_work_size_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms,
                                                        const convk_grid3 *grid, const convk_amplitude_options *options,
                                                        size_t *bytes) {
  CONVK_DEVICE_(frame) frame = CONVK_DEVICE_(frame_query)(on, bytes);
  return convk_amplitudes_on_grid_(&frame, atoms, grid, NULL, options, CONVK_DEVICE_(none)());
}

CONVK_API_ int convk_amplitudes_grid_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const convk_grid3 *grid,
                                              const CONVK_DEVICE_STRUCT_(q) * q, const convk_amplitude_options *options,
                                              CONVK_ARRAY_(CONVK_T) f, CONVK_ARRAY_(void) work, size_t work_size) {
  CONVK_DEVICE_(frame) frame = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  return convk_amplitudes_on_grid_(&frame, atoms, grid, q, options, f);
}

/* ---- host arrays ---- */

/* A checked call: frames go to the device one after another, and what they give comes back.  full: the grid of f, a list is one
   row. */
CONVK_LOCAL_ int convk_amplitudes_arrays_run_(CONVK_DEVICE_(host) *host, const convk_amplitudes_job_ *job,
                                              const convk_grid3 *full, const size_t nq[3], convk_amplitudes_arguments_ *a,
                                              size_t need) {
  const size_t s = sizeof(CONVK_T), origin[3] = {0, 0, 0}, count[3] = {full->nx, full->ny, full->nz};
  const size_t kinds = job->output == CONVK_AMPLITUDES_KINDS ? job->kinds : 1, element = a->mean ? s : 2 * s;
  const convk_atoms *const atoms = job->atoms;
  const CONVK_T *const from[8] = {atoms->x, atoms->y, atoms->z, atoms->weight, job->q[0], job->q[1], job->q[2], job->imag};
  const size_t size[8] = {job->n, job->n, job->n, atoms->weight ? job->n : 0, nq[0], nq[1], nq[2], job->imag ? nq[2] : 0};
  CONVK_DEVICE_(memory) in = NULL, kind = NULL, out = NULL, work = NULL;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_DEVICE_STRUCT_(q) q;
  convk_atoms_resident here;
  size_t at[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, frame, k;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  for (k = 0; k < 8; k++) at[k + 1] = at[k] + convk_round_up_(size[k] * s, 256);
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, at[8], &in);
  if (!status && atoms->kind && job->n)
    status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_0_, atoms->kind, job->n * sizeof *atoms->kind, &kind);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, kinds * a->results * element, &out);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &work);
  memset(&here, 0, sizeof here);
  memset(&q, 0, sizeof q);
  here.x = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[0], s);
  here.y = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[1], s);
  here.z = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[2], s);
  here.kind = CONVK_DEVICE_(array_of)(kind);
  if (size[3]) here.weight = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[3], s);
  q.x = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[4], s);
  q.y = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[5], s);
  q.z = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[6], s);
  if (size[7]) q.z_imag = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[7], s);
  a->pitch_y = full->nx;
  a->pitch_z = full->nx * full->ny;
  for (frame = 0; frame < job->frames && !status; frame++) {
    for (k = 3; k < 8 && !frame && !status; k++)
      if (size[k]) status = CONVK_DEVICE_(send)(host, in, at[k], size[k] * s, from[k]);
    for (k = 0; k < 3 && !status; k++)
      if (size[k]) status = CONVK_DEVICE_(send)(host, in, at[k], size[k] * s, from[k] + frame * job->stride);
    if (!status)
      status = convk_amplitudes_frame_start_(&call, job, a, frame, &here, &q, 0, a->results, CONVK_DEVICE_(array_of)(out),
                                             CONVK_DEVICE_(array_of)(work));
    for (k = 0; k < kinds && (!a->mean || a->last_frame) && !status; k++)
      status = CONVK_DEVICE_(copy_box)(host, 1, out, k * a->results * element, full, origin, count, element,
                                       (char *)job->f + (frame * kinds + k) * (a->mean ? 0 : job->apart) * element);
  }
  status = CONVK_DEVICE_(call_end)(&call, status);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_LOCAL_ int convk_amplitudes_call_(convk *hw, const convk_atoms *atoms, int tensor, const convk_grid3 *grid,
                                        const convk_q *q, const convk_amplitude_options *options, CONVK_T *f, void *work,
                                        size_t work_size) {
  CONVK_DEVICE_(host) *host = NULL;
  convk_grid3 full = {0, 1, 1, 0, 0};
  convk_amplitudes_arguments_ a;
  convk_amplitudes_job_ job;
  const size_t limit = CONVK_AMPLITUDES_BYTES_;
  size_t before = 0, need = 0, n[3];
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status)
    status = tensor
                 ? convk_amplitudes_grid_checked_(hw, atoms, grid, q, options, f, work, work_size, &job, &full, &before, &need)
                 : convk_amplitudes_list_checked_(hw, atoms, q, options, f, work, work_size, &job, &need);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 1);
  if (!status && !tensor) full.nx = full.pitch_y = full.pitch_z = q->n;
  n[0] = full.nx;
  n[1] = tensor ? full.ny : full.nx;
  n[2] = tensor ? full.nz : full.nx;
  if (!status)
    status =
        convk_amplitudes_arguments_of_(hw->message, &job, n, tensor, job.imag != NULL, hw->device_bytes ? 0 : limit, &a, &need);
  if (!status && hw->device_bytes) { /* what the other buffers leave */
    size_t bytes =
        need + 8 * 256 + (4 * job.n + n[0] + n[1] + (job.imag ? 2 : 1) * n[2]) * sizeof(CONVK_T) + job.n * sizeof(uint32_t);
    bytes += (job.output == CONVK_AMPLITUDES_KINDS ? job.kinds : 1) * 2 * a.results * sizeof(CONVK_T);
    if (hw->device_bytes > bytes)
      status = convk_amplitudes_arguments_of_(hw->message, &job, n, tensor, job.imag != NULL,
                                              convk_least_(limit, hw->device_bytes - bytes), &a, &need);
  }
  return status || !n[0] ? status : convk_amplitudes_arrays_run_(host, &job, &full, n, &a, need);
}

CONVK_LOCAL_ const convk_amplitudes_kernels_ *convk_amplitudes_kernel_table_(void) {
  static const convk_amplitudes_kernels_ kernels = {NULL, NULL, NULL, NULL, convk_amplitudes_call_};
  return &kernels;
}

/* For a handle of the device: as in convk.h; copies, runs, waits, and ignores `work`.  Errors as there, and HANDLE for other
   handles, MEMORY, DEVICE, and with OpenCL FP64 and BUILD. */
CONVK_AMPLITUDES_OPERATIONS_(CONVK_OP_VARIANT_)
/* ---- src/amplitudes/cuda.h ---- */
CONVK_LOCAL_ int convk_amplitudes_start_(convk_cuda_call_ *call, convk_amplitudes_arguments_ *a,
                                         const convk_atoms_resident *atoms, const convk_q *q, CONVK_T *f, void *work) {
  const size_t threads = CONVK_CUDA_AMPLITUDES_THREADS_;
  const convk_cuda_amplitudes_args_ args = {
      *a, {atoms->x, atoms->y, atoms->z, atoms->kind, atoms->weight, q->x, q->y, q->z, q->z_imag, f, (char *)work}};
  return convk_cuda_start_(
      a->stage == CONVK_AMPLITUDES_LIST_     ? convk_cuda_amplitudes_stage_<CONVK_T, CONVK_AMPLITUDES_LIST_>
      : a->stage == CONVK_AMPLITUDES_DAMPED_ ? convk_cuda_amplitudes_stage_<CONVK_T, CONVK_AMPLITUDES_DAMPED_>
      : a->stage == CONVK_AMPLITUDES_ROWS_   ? convk_cuda_amplitudes_stage_<CONVK_T, CONVK_AMPLITUDES_ROWS_>
                                             : convk_cuda_amplitudes_stage_<CONVK_T, CONVK_AMPLITUDES_GIVE_>,
      convk_amplitudes_groups_(a, threads), (int)threads, call->stream, args, convk_amplitudes_tile_bytes_(a, threads));
}
#endif
CONVK_COMPILED_ROOMS_(CONVK_ROOM_DEVICE_BINDER_)
#undef CONVK_HW_
#undef CONVK_KERNEL_
#endif
#endif
#undef CONVK_CUDA_PASS_
#undef convk_amplitudes
#undef convk_amplitudes_grid
#undef convk_amplitudes_grid_work_size
#undef convk_amplitudes_work_size
#undef convk_assembly
#undef convk_atoms
#undef convk_bloch
#undef convk_chebyshev3d
#undef convk_chebyshev3d_complex
#undef convk_chebyshev3d_work_size
#undef convk_chebyshev3d_work_size_complex
#undef convk_conv1d_transpose
#undef convk_conv1d_transpose_work_size
#undef convk_debye
#undef convk_debye_direct
#undef convk_debye_direct_work_size
#undef convk_density
#undef convk_density_grid
#undef convk_density_grid_k
#undef convk_density_parts
#undef convk_derivative_filter
#undef convk_directions
#undef convk_dwba
#undef convk_dwt3d
#undef convk_dwt3d_resolve
#undef convk_dwt3d_work_size
#undef convk_exp
#undef convk_expm1
#undef convk_fft2d_complex
#undef convk_fft2d_plan_bytes_complex
#undef convk_fft2d_plan_complex
#undef convk_fft2d_plan_size_complex
#undef convk_fft2d_prepare_complex
#undef convk_fft2d_work_size_complex
#undef convk_fftconv2d
#undef convk_fftconv2d_complex
#undef convk_fftconv2d_plan
#undef convk_fftconv2d_plan_bytes
#undef convk_fftconv2d_plan_bytes_complex
#undef convk_fftconv2d_plan_complex
#undef convk_fftconv2d_plan_size
#undef convk_fftconv2d_plan_size_complex
#undef convk_fftconv2d_prepare
#undef convk_fftconv2d_prepare_complex
#undef convk_fftconv2d_prepare_spectrum
#undef convk_fftconv2d_prepare_spectrum_complex
#undef convk_fftconv2d_work_size
#undef convk_fftconv2d_work_size_complex
#undef convk_filter
#undef convk_formfactor
#undef convk_formfactor_assembly
#undef convk_formfactor_assembly_work_size
#undef convk_formfactor_dwba
#undef convk_formfactor_grid
#undef convk_formfactor_grid_work_size
#undef convk_formfactor_powder
#undef convk_gaussians
#undef convk_gridpot
#undef convk_gridpot_grid
#undef convk_gridpot_grid_work_size
#undef convk_gridpot_sum
#undef convk_hamiltonian_apply
#undef convk_hamiltonian_apply_complex
#undef convk_hamiltonian_apply_work_size
#undef convk_hamiltonian_apply_work_size_complex
#undef convk_hamiltonian_resolve
#undef convk_hamiltonian_terms
#undef convk_idwt3d
#undef convk_idwt3d_work_size
#undef convk_indexed_mesh
#undef convk_log
#undef convk_magicfilter3d
#undef convk_magicfilter3d_work_size
#undef convk_magicfilter_taps
#undef convk_mesh
#undef convk_mesh_assign
#undef convk_mesh_box
#undef convk_mesh_check
#undef convk_mesh_corners
#undef convk_mesh_cylinder
#undef convk_mesh_ellipsoid
#undef convk_mesh_from_faces
#undef convk_mesh_from_triangles
#undef convk_mesh_join
#undef convk_mesh_measure
#undef convk_mesh_polyhedron
#undef convk_mesh_prism
#undef convk_mesh_pyramid
#undef convk_mesh_rotate
#undef convk_mesh_sphere
#undef convk_orbital_set
#undef convk_orbitals
#undef convk_orbitals_grid
#undef convk_orbitals_grid_k
#undef convk_orbitals_grid_k_work_size
#undef convk_orbitals_grid_vgl
#undef convk_orbitals_grid_work_size
#undef convk_orbitals_plan
#undef convk_orbitals_plan_bytes
#undef convk_orbitals_plan_size
#undef convk_orbitals_prepare
#undef convk_orbitals_vgl
#undef convk_orbitals_work_size
#undef convk_pair_accept
#undef convk_pair_energy
#undef convk_pair_energy_work_size
#undef convk_pair_histogram
#undef convk_pair_histogram_work_size
#undef convk_pair_move
#undef convk_points
#undef convk_potential_apply
#undef convk_potential_apply_work_size
#undef convk_q
#undef convk_r_to_s1
#undef convk_r_to_s1_work_size
#undef convk_s1_to_r
#undef convk_s1_to_r_work_size
#undef convk_sepconv3d
#undef convk_sepconv3d_out_grid
#undef convk_sepconv3d_work_size
#undef convk_sepconv_epilogue
#undef convk_sincos
#undef convk_sphere_quadrature
#undef convk_sphere_spiral
#undef convk_stencil7
#undef convk_stencil7_box
#undef convk_stencil7_coefficients
#undef convk_stencil7_isotropic
#undef convk_stencil7_work_size
#undef convk_sumconv3d
#undef convk_sumconv3d_complex
#undef convk_sumconv3d_out_grid
#undef convk_sumconv3d_work_size
#undef convk_sumconv3d_work_size_complex
#undef convk_sumconv_terms
#undef convk_vgl
#undef convk_vmc_begin
#undef convk_vmc_check
#undef convk_vmc_minimise
#undef convk_vmc_positions
#undef convk_vmc_results
#undef convk_vmc_run
#undef convk_vmc_state
#undef convk_vmc_state_size
#undef convk_vmc_take
#undef convk_vmc_work_size
#undef convk_wavelet
#undef convk_wavelet_compress
#undef convk_wavelet_taps
#undef convk_wavelet_uncompress
#undef convk_amplitudes_grid_resident
#undef convk_amplitudes_grid_work_size_resident
#undef convk_amplitudes_resident
#undef convk_amplitudes_work_size_resident
#undef convk_atoms_resident
#undef convk_box_copy_resident
#undef convk_chebyshev3d_complex_device
#undef convk_chebyshev3d_complex_resident
#undef convk_chebyshev3d_device
#undef convk_chebyshev3d_resident
#undef convk_chebyshev3d_work_size_complex_resident
#undef convk_chebyshev3d_work_size_resident
#undef convk_conv1d_transpose_device
#undef convk_conv1d_transpose_resident
#undef convk_conv1d_transpose_work_size_resident
#undef convk_debye_resident
#undef convk_debye_work_size_resident
#undef convk_density_grid_k_resident
#undef convk_density_grid_resident
#undef convk_density_resident
#undef convk_distances_resident
#undef convk_dwt3d_device
#undef convk_dwt3d_resident
#undef convk_dwt3d_work_size_resident
#undef convk_exp_resident
#undef convk_expm1_resident
#undef convk_fft2d_complex_device
#undef convk_fft2d_complex_resident
#undef convk_fft2d_work_size_complex_resident
#undef convk_fftconv2d_complex_device
#undef convk_fftconv2d_complex_resident
#undef convk_fftconv2d_device
#undef convk_fftconv2d_resident
#undef convk_fftconv2d_work_size_complex_resident
#undef convk_fftconv2d_work_size_resident
#undef convk_formfactor_device
#undef convk_formfactor_grid_device
#undef convk_formfactor_grid_resident
#undef convk_formfactor_grid_work_size_resident
#undef convk_formfactor_resident
#undef convk_formfactor_work_size_resident
#undef convk_gridpot_grid_resident
#undef convk_gridpot_grid_work_size_resident
#undef convk_gridpot_resident
#undef convk_gridpot_sum_resident
#undef convk_hamiltonian_apply_complex_device
#undef convk_hamiltonian_apply_complex_resident
#undef convk_hamiltonian_apply_device
#undef convk_hamiltonian_apply_resident
#undef convk_hamiltonian_apply_work_size_complex_resident
#undef convk_hamiltonian_apply_work_size_resident
#undef convk_idwt3d_device
#undef convk_idwt3d_resident
#undef convk_idwt3d_work_size_resident
#undef convk_intensities_resident
#undef convk_log_resident
#undef convk_magicfilter3d_device
#undef convk_magicfilter3d_resident
#undef convk_magicfilter3d_work_size_resident
#undef convk_orbitals_grid_k_resident
#undef convk_orbitals_grid_k_work_size_resident
#undef convk_orbitals_grid_resident
#undef convk_orbitals_grid_vgl_resident
#undef convk_orbitals_grid_work_size_resident
#undef convk_orbitals_resident
#undef convk_orbitals_vgl_resident
#undef convk_pair_accept_device
#undef convk_pair_accept_resident
#undef convk_pair_energy_device
#undef convk_pair_energy_resident
#undef convk_pair_energy_work_size_resident
#undef convk_pair_histogram_resident
#undef convk_pair_histogram_work_size_resident
#undef convk_pair_move_device
#undef convk_pair_move_resident
#undef convk_pair_potential_device
#undef convk_pair_potential_resident
#undef convk_potential_apply_device
#undef convk_potential_apply_resident
#undef convk_potential_apply_work_size_resident
#undef convk_r_to_s1_device
#undef convk_r_to_s1_resident
#undef convk_r_to_s1_work_size_resident
#undef convk_s1_to_r_device
#undef convk_s1_to_r_resident
#undef convk_s1_to_r_work_size_resident
#undef convk_sepconv3d_device
#undef convk_sepconv3d_resident
#undef convk_sepconv3d_work_size_resident
#undef convk_sincos_resident
#undef convk_stencil7_box_device
#undef convk_stencil7_box_resident
#undef convk_stencil7_device
#undef convk_stencil7_resident
#undef convk_stencil7_work_size_resident
#undef convk_sumconv3d_complex_device
#undef convk_sumconv3d_complex_resident
#undef convk_sumconv3d_device
#undef convk_sumconv3d_resident
#undef convk_sumconv3d_work_size_complex_resident
#undef convk_sumconv3d_work_size_resident
#undef convk_vmc_run_device
#undef convk_vmc_sweeps_resident
#undef convk_vmc_sweeps_work_size_resident
#undef convk_vmc_walkers_resident
#undef convk_wavelet_compress_device
#undef convk_wavelet_compress_resident
#undef convk_wavelet_uncompress_device
#undef convk_wavelet_uncompress_resident
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#endif /* CONVK_CUDA_H_ or a pass */
