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

/* ---- src/device/opencl_manual.h ---- */
/* SPDX-License-Identifier: MIT
   convk_cl.h - the kernels of convk in OpenCL C 1.2 and their host side; convk.h has the manual of everything else.

   HOST ARRAYS (link with -lOpenCL)
       #define CONVK_CL
       #include "convk.h"
       convk hw;
       int status = convk_open(&hw, "opencl");     // or "opencl:1": device 1 of all platforms, "opencl:h200": by name
       if (status) puts(hw.message);
       if (!status) status = convk_magicfilter3d_f64(&hw, &shape, CONVK_FORWARD, NULL, psi, values, NULL, 0);
       convk_close(&hw);
     Every call copies in, runs, copies out and waits.  `work` is ignored.  On a GPU large arrays go in parts that overlap, and
     on any device those that its memory, or hw.device_bytes, does not hold at once; bits do not depend on it.  Pairs and
     walkers stay whole.  Device memory is kept for the next call, until convk_close.  The same functions by name:
     convk_magicfilter3d_f64_opencl(&hw, ...). "opencl" alone takes the first GPU that has doubles, or the first GPU, or where
     there is none the first device that has doubles, or the first device.  Devices that are not available, or have no
     compiler, come last, and are refused.  "opencl:0" takes just this one, "opencl:h200" the first of that name.  A handle
serves one thread at a time.
   DEVICE-RESIDENT DATA
       convk_cl cl;
       int status = convk_cl_open(&cl, context, device);   // yours; programs are built here once, and kept
       convk_cl_queue on = {&cl, queue, 0, NULL, &event};  // and events to wait for; the caller's event, or NULL
       convk_cl_array psi = {psi_buffer, 0}, values = {values_buffer, 0}, work = {NULL, 0};   // and their first elements
       if (!status) status = convk_cl_magicfilter3d_work_size_f64(&on, &shape, CONVK_FORWARD, NULL, &bytes);
       work.mem = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
       if (!status) status = convk_cl_magicfilter3d_f64(&on, &shape, CONVK_FORWARD, NULL, psi, values, work, bytes);
       if (status) puts(cl.message);
       convk_cl_close(&cl);
     The arguments are those of the function of convk.h, with `on` in place of the handle and buffers in place of pointers.
     These calls enqueue kernels and return: they never wait for the device, copy to the host, or create a context, a queue
     or large buffers.  Parameters are on the host (taps, exponents, shells, coefficients, pair systems), data on the device:
     convk_cl_points, convk_cl_mesh and convk_cl_q say where.  The first call of a kind (new taps or boundaries, another
     precision or kind of coefficients, options, number of steps in one pass, sizes of transforms, kind of potential) builds a
     program for each kernel that it starts, which takes the host a second or two.  With NVIDIA's driver for an H100 it was
     1.0 s for magicfilter3d and 2.8 s for hamiltonian_apply, and 10 to 19 ms in later runs, which the driver's cache serves.

   FIRST CALLS build programs, once per handle.  Another one takes them over (a handle's own is convk_cl_of(&hw)):
       status = convk_cl_programs_share(&other, &cl);
     and so does the next run, from bytes that the program keeps where it likes:
       status = convk_cl_programs_save(&cl, NULL, 0, &bytes);              // how many
       if (!status) status = convk_cl_programs_save(&cl, data, bytes, &bytes);
       ...
       if (convk_cl_programs_load(&cl, data, bytes)) puts(cl.message);     // CONVK_ERR_PROGRAMS: calls build anew

     Plans of fftconv2d, fft2d and orbitals are made on the host, and go along twice: the plan, and a buffer that the caller
     has filled:
       status = convk_fftconv2d_plan_bytes_c32(NULL, plan, &bytes);
       there.mem = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, plan, NULL);
       status = convk_cl_fftconv2d_work_size_c32(&on, plan, batch.items, &work_bytes);
       status = convk_cl_fftconv2d_c32(&on, plan, there, &batch, fields, results, work, work_bytes);
     An item whose tile fits the local memory is the work of one work-group (small ones share one): work_bytes is 0 then, and
     one launch does all.

     Walkers of a Monte Carlo run stay on the device: cl_pair_potential, cl_pair_energy, cl_pair_move and cl_pair_accept take
     their coordinates in buffers, and cl_vmc_sweeps moves and measures them from one look at the results to the next.
     convk_vmc_run with a handle does the same from its first sweep to its last; energies and coordinates come back every 16
     sweeps.
     Particles are rows, and the others come in slices where there are few walkers: one walker of thousands of particles fills a
     GPU, and so do thousands of walkers of 20.  Memory is proportional to the number of particles.  Moves of single particles
     are the work of one work-group for each walker.

   NUMBERS  The order of all sums is that of the CPU variants, with fused multiply-add: results equal those of avx2 and
     avx512 to the last bit, where the device's f32 has denormals (and, for log and form factors, divides with one rounding and
     has doubles: without them form factors of f32 keep sums in pairs of floats, and agree within the stated accuracy).
     NUMBERS in convk.h lists the exceptions.  Sums over pairs of particles need doubles in both precisions.  Runs draw the same
     random numbers as processors, and make the same decisions until a rounding error is one.

   DEFINES  CL_TARGET_OPENCL_VERSION is 120 unless you define it; CONVK_CL_HEADER: this file's name if not "convk_cl.h". */

/* FUNCTIONS AND STRUCTS
   Every one that is declared below, on a line of its own, for those who search.

   all families
     int convk_cl_open(convk_cl *cl, cl_context context, cl_device_id device);
     void convk_cl_close(convk_cl *cl);
     int convk_cl_build_log(const convk_cl *cl, char *text, size_t size, size_t *length);
     int convk_cl_programs_save(convk_cl *cl, void *data, size_t size, size_t *bytes);
     int convk_cl_programs_load(convk_cl *cl, const void *data, size_t size);
     int convk_cl_programs_share(convk_cl *cl, const convk_cl *from);
     convk_cl *convk_cl_of(convk *hw);
     struct convk_cl { cl_context context; cl_device_id device; size_t local_bytes, group_items, group_x, group_y; size_t compute_units; size_t stencil_steps; int fp64; int divides; int cpu; convk *hw; struct convk_cl_cache_ *cache; char message[256]; };
     struct convk_cl_queue { convk_cl *cl; cl_command_queue queue; cl_uint num_wait; const cl_event *wait_list; cl_event *event; };
     struct convk_cl_array { cl_mem mem; size_t offset; };
     struct convk_cl_mesh { size_t n; convk_cl_array ax, ay, az, x, y, z; convk_cl_array ux, uy, uz, wx, wy, wz; };
     struct convk_cl_q { size_t n; convk_cl_array x, y, z; convk_cl_array x_imag, y_imag, z_imag; };
     struct convk_cl_points { size_t n; convk_cl_array x, y, z; size_t stride; };
     struct convk_cl_vgl { convk_cl_array value, dx, dy, dz, laplacian; size_t ld; };
     struct convk_cl_density_parts { convk_cl_array density, dx, dy, dz, tau; };
     struct convk_cl_segments { size_t count; convk_cl_array ends, place; size_t points; };
     struct convk_cl_compressed_shape { convk_grid3 dense; convk_cl_segments coarse, fine; size_t vectors, compressed_stride, dense_stride; };
     struct convk_cl_batch2d { size_t items; size_t in_pitch, in_stride; size_t out_pitch, out_stride; convk_cl_array kernel; size_t items_per_kernel; };

   filters
     int convk_cl_sepconv3d_f32(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, const convk_filter_f32 filter[3], const convk_cl_sepconv_epilogue_f32 *epilogue, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_sepconv3d_f64(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, const convk_filter_f64 filter[3], const convk_cl_sepconv_epilogue_f64 *epilogue, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_magicfilter3d_f32(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, int direction, const convk_cl_sepconv_epilogue_f32 *epilogue, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_magicfilter3d_f64(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, int direction, const convk_cl_sepconv_epilogue_f64 *epilogue, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_potential_apply_f32(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, convk_cl_array potential, convk_cl_array psi, convk_cl_array out, convk_cl_array energy, convk_cl_array work, size_t work_size);
     int convk_cl_potential_apply_f64(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, convk_cl_array potential, convk_cl_array psi, convk_cl_array out, convk_cl_array energy, convk_cl_array work, size_t work_size);
     int convk_cl_conv1d_transpose_f32(const convk_cl_queue *on, const convk_conv1d_shape *shape, const convk_filter_f32 *filter, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_conv1d_transpose_f64(const convk_cl_queue *on, const convk_conv1d_shape *shape, const convk_filter_f64 *filter, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_sepconv3d_work_size_f32(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, const convk_filter_f32 filter[3], const convk_cl_sepconv_epilogue_f32 *epilogue, size_t *bytes);
     int convk_cl_sepconv3d_work_size_f64(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, const convk_filter_f64 filter[3], const convk_cl_sepconv_epilogue_f64 *epilogue, size_t *bytes);
     int convk_cl_magicfilter3d_work_size_f32(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, int direction, const convk_cl_sepconv_epilogue_f32 *epilogue, size_t *bytes);
     int convk_cl_magicfilter3d_work_size_f64(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, int direction, const convk_cl_sepconv_epilogue_f64 *epilogue, size_t *bytes);
     int convk_cl_potential_apply_work_size_f32(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, size_t *bytes);
     int convk_cl_potential_apply_work_size_f64(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, size_t *bytes);
     int convk_cl_conv1d_transpose_work_size_f32(const convk_cl_queue *on, const convk_conv1d_shape *shape, const convk_filter_f32 *filter, size_t *bytes);
     int convk_cl_conv1d_transpose_work_size_f64(const convk_cl_queue *on, const convk_conv1d_shape *shape, const convk_filter_f64 *filter, size_t *bytes);
     struct convk_sepconv3d_shape { convk_grid3 in, out; int boundary[3]; };
     struct convk_conv1d_shape { size_t n, ndat, ld_in, ld_out; int boundary; };
     struct convk_cl_sepconv_epilogue_f32 { convk_cl_array potential, density; float density_factor; convk_cl_array dot, energy; int update; float a, b; };
     struct convk_cl_sepconv_epilogue_f64 { convk_cl_array potential, density; double density_factor; convk_cl_array dot, energy; int update; double a, b; };

   wavelets
     int convk_cl_dwt3d_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, convk_cl_array fine, convk_cl_array coarse, convk_cl_array work, size_t work_size);
     int convk_cl_dwt3d_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, convk_cl_array fine, convk_cl_array coarse, convk_cl_array work, size_t work_size);
     int convk_cl_idwt3d_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, convk_cl_array coarse, convk_cl_array fine, convk_cl_array work, size_t work_size);
     int convk_cl_idwt3d_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, convk_cl_array coarse, convk_cl_array fine, convk_cl_array work, size_t work_size);
     int convk_cl_s1_to_r_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, convk_cl_array coarse, convk_cl_array values, convk_cl_array work, size_t work_size);
     int convk_cl_s1_to_r_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, convk_cl_array coarse, convk_cl_array values, convk_cl_array work, size_t work_size);
     int convk_cl_r_to_s1_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, convk_cl_array values, convk_cl_array coarse, convk_cl_array work, size_t work_size);
     int convk_cl_r_to_s1_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, convk_cl_array values, convk_cl_array coarse, convk_cl_array work, size_t work_size);
     int convk_cl_dwt3d_work_size_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, size_t *bytes);
     int convk_cl_dwt3d_work_size_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, size_t *bytes);
     int convk_cl_idwt3d_work_size_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, size_t *bytes);
     int convk_cl_idwt3d_work_size_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, size_t *bytes);
     int convk_cl_s1_to_r_work_size_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cl_s1_to_r_work_size_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cl_r_to_s1_work_size_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cl_r_to_s1_work_size_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cl_wavelet_uncompress_f32(const convk_cl_queue *on, const convk_cl_compressed_shape *shape, convk_cl_array compressed, convk_cl_array dense);
     int convk_cl_wavelet_uncompress_f64(const convk_cl_queue *on, const convk_cl_compressed_shape *shape, convk_cl_array compressed, convk_cl_array dense);
     int convk_cl_wavelet_compress_f32(const convk_cl_queue *on, const convk_cl_compressed_shape *shape, convk_cl_array dense, convk_cl_array compressed);
     int convk_cl_wavelet_compress_f64(const convk_cl_queue *on, const convk_cl_compressed_shape *shape, convk_cl_array dense, convk_cl_array compressed);
     struct convk_dwt3d_shape { convk_grid3 fine, coarse; int boundary[3]; int levels; };
     struct convk_segments { size_t count; const size_t *ends, *place; size_t points; };
     struct convk_compressed_shape { convk_grid3 dense; convk_segments coarse, fine; size_t vectors, compressed_stride, dense_stride; };

   sums
     int convk_cl_sumconv3d_f32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array sums, convk_cl_array work, size_t work_size);
     int convk_cl_sumconv3d_c32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array sums, convk_cl_array work, size_t work_size);
     int convk_cl_sumconv3d_f64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array sums, convk_cl_array work, size_t work_size);
     int convk_cl_sumconv3d_c64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array sums, convk_cl_array work, size_t work_size);
     int convk_cl_sumconv3d_work_size_f32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, size_t *bytes);
     int convk_cl_sumconv3d_work_size_c32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, size_t *bytes);
     int convk_cl_sumconv3d_work_size_f64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, size_t *bytes);
     int convk_cl_sumconv3d_work_size_c64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, size_t *bytes);
     int convk_cl_chebyshev3d_f32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, const convk_chebyshev *filter, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_chebyshev3d_c32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, const convk_chebyshev *filter, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_chebyshev3d_f64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, const convk_chebyshev *filter, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_chebyshev3d_c64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, const convk_chebyshev *filter, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_chebyshev3d_work_size_f32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cl_chebyshev3d_work_size_c32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cl_chebyshev3d_work_size_f64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cl_chebyshev3d_work_size_c64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, const convk_chebyshev *filter, size_t *bytes);
     struct convk_sumconv3d_shape { convk_grid3 in, out; int boundary[3]; size_t vectors, in_stride, out_stride; };
     struct convk_sumconv_sums { double dot[2], potential, norm, axis[3], mixed; };
     struct convk_chebyshev { int degree; double low, high, lowest; };
     struct convk_cl_sumconv_terms_f32 { convk_filter_f32 filter[3], imag[3], first[3]; float mixed[3]; double phase[3][2]; convk_cl_array potential; float potential_factor, shift; convk_cl_array add; float add_factor; };
     struct convk_cl_sumconv_terms_f64 { convk_filter_f64 filter[3], imag[3], first[3]; double mixed[3]; double phase[3][2]; convk_cl_array potential; double potential_factor, shift; convk_cl_array add; double add_factor; };

   hamiltonian
     int convk_cl_hamiltonian_apply_f32(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, const convk_cl_hamiltonian_terms_f32 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array energies, convk_cl_array work, size_t work_size);
     int convk_cl_hamiltonian_apply_c32(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, const convk_cl_hamiltonian_terms_f32 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array energies, convk_cl_array work, size_t work_size);
     int convk_cl_hamiltonian_apply_f64(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, const convk_cl_hamiltonian_terms_f64 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array energies, convk_cl_array work, size_t work_size);
     int convk_cl_hamiltonian_apply_c64(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, const convk_cl_hamiltonian_terms_f64 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array energies, convk_cl_array work, size_t work_size);
     int convk_cl_hamiltonian_apply_work_size_f32(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     int convk_cl_hamiltonian_apply_work_size_c32(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     int convk_cl_hamiltonian_apply_work_size_f64(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     int convk_cl_hamiltonian_apply_work_size_c64(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     struct convk_hamiltonian_shape { convk_grid3 wavelets, values; int boundary[3]; size_t vectors, in_stride, out_stride; };
     struct convk_hamiltonian_energies { double kinetic[3], potential; };
     struct convk_cl_hamiltonian_terms_f32 { double spacing[3]; convk_cl_array potential; float shift; double k[3]; };
     struct convk_cl_hamiltonian_terms_f64 { double spacing[3]; convk_cl_array potential; double shift; double k[3]; };

   stencil
     int convk_cl_stencil7_f32(const convk_cl_queue *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f32 *coefficients, size_t steps, convk_cl_array a, convk_cl_array b, convk_cl_array *result, convk_cl_array work, size_t work_size);
     int convk_cl_stencil7_f64(const convk_cl_queue *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f64 *coefficients, size_t steps, convk_cl_array a, convk_cl_array b, convk_cl_array *result, convk_cl_array work, size_t work_size);
     int convk_cl_stencil7_box_f32(const convk_cl_queue *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f32 *coefficients, const convk_box3 *box, convk_cl_array a, convk_cl_array b, convk_cl_array work, size_t work_size);
     int convk_cl_stencil7_box_f64(const convk_cl_queue *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f64 *coefficients, const convk_box3 *box, convk_cl_array a, convk_cl_array b, convk_cl_array work, size_t work_size);
     int convk_cl_stencil7_work_size_f32(const convk_cl_queue *on, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
     int convk_cl_stencil7_work_size_f64(const convk_cl_queue *on, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
     int convk_cl_box_copy_f32(const convk_cl_queue *on, const size_t count[3], const convk_grid3 *in_grid, const size_t in_first[3], convk_cl_array in, const convk_grid3 *out_grid, const size_t out_first[3], convk_cl_array out);
     int convk_cl_box_copy_f64(const convk_cl_queue *on, const size_t count[3], const convk_grid3 *in_grid, const size_t in_first[3], convk_cl_array in, const convk_grid3 *out_grid, const size_t out_first[3], convk_cl_array out);
     struct convk_stencil7_shape { convk_grid3 grid; int boundary[3]; };

   vmath
     int convk_cl_exp_f32(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array y);
     int convk_cl_exp_f64(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array y);
     int convk_cl_expm1_f32(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array y);
     int convk_cl_expm1_f64(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array y);
     int convk_cl_log_f32(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array y);
     int convk_cl_log_f64(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array y);
     int convk_cl_sincos_f32(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array s, convk_cl_array c);
     int convk_cl_sincos_f64(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array s, convk_cl_array c);

   gaussian
     int convk_shell_functions(int l, int functions);
     int convk_shells_functions(convk *hw, size_t nshells, const convk_shell *shells, size_t *count);
     int convk_shell_normalise(convk *hw, int l, size_t primitives, const double *exponents, const double *contraction, double *coefficients);
     int convk_cl_gridpot_f32(const convk_cl_queue *on, const convk_cl_points *points, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, convk_cl_array g, size_t ld);
     int convk_cl_gridpot_f64(const convk_cl_queue *on, const convk_cl_points *points, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, convk_cl_array g, size_t ld);
     int convk_cl_gridpot_sum_f32(const convk_cl_queue *on, const convk_cl_points *points, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, convk_cl_array sums, size_t ld);
     int convk_cl_gridpot_sum_f64(const convk_cl_queue *on, const convk_cl_points *points, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, convk_cl_array sums, size_t ld);
     int convk_cl_orbitals_f32(const convk_cl_queue *on, const convk_cl_points *points, const convk_orbitals_plan_f32 *plan, convk_cl_array device_plan, const convk_gaussian_options *options, convk_cl_array value, size_t ld);
     int convk_cl_orbitals_f64(const convk_cl_queue *on, const convk_cl_points *points, const convk_orbitals_plan_f64 *plan, convk_cl_array device_plan, const convk_gaussian_options *options, convk_cl_array value, size_t ld);
     int convk_cl_orbitals_vgl_f32(const convk_cl_queue *on, const convk_cl_points *points, const convk_orbitals_plan_f32 *plan, convk_cl_array device_plan, const convk_gaussian_options *options, const convk_cl_vgl *out);
     int convk_cl_orbitals_vgl_f64(const convk_cl_queue *on, const convk_cl_points *points, const convk_orbitals_plan_f64 *plan, convk_cl_array device_plan, const convk_gaussian_options *options, const convk_cl_vgl *out);
     int convk_cl_density_f32(const convk_cl_queue *on, const convk_cl_points *points, const convk_orbitals_plan_f32 *plan, convk_cl_array device_plan, const convk_gaussian_options *options, convk_cl_array density);
     int convk_cl_density_f64(const convk_cl_queue *on, const convk_cl_points *points, const convk_orbitals_plan_f64 *plan, convk_cl_array device_plan, const convk_gaussian_options *options, convk_cl_array density);
     struct convk_shell { double center[3]; int l; int functions; size_t primitives; const double *exponents; const double *coefficients; };
     struct convk_gaussian_options { int layout; int compensated; double cutoff; };

   grids
     int convk_cl_orbitals_grid_work_size_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, size_t *bytes);
     int convk_cl_orbitals_grid_work_size_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, size_t *bytes);
     int convk_cl_orbitals_grid_k_work_size_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, size_t *bytes);
     int convk_cl_orbitals_grid_k_work_size_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, size_t *bytes);
     int convk_cl_gridpot_grid_work_size_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_gaussians_f32 *gaussians, size_t *bytes);
     int convk_cl_gridpot_grid_work_size_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_gaussians_f64 *gaussians, size_t *bytes);
     int convk_cl_orbitals_grid_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, convk_cl_array value, size_t ld, convk_cl_array work, size_t work_size);
     int convk_cl_orbitals_grid_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, convk_cl_array value, size_t ld, convk_cl_array work, size_t work_size);
     int convk_cl_orbitals_grid_vgl_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, const convk_cl_vgl *out, convk_cl_array work, size_t work_size);
     int convk_cl_orbitals_grid_vgl_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, const convk_cl_vgl *out, convk_cl_array work, size_t work_size);
     int convk_cl_density_grid_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, const convk_cl_density_parts *out, convk_cl_array work, size_t work_size);
     int convk_cl_density_grid_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, const convk_cl_density_parts *out, convk_cl_array work, size_t work_size);
     int convk_cl_orbitals_grid_k_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_bloch_f32 *bloch, const convk_gaussian_options *options, convk_cl_array value, size_t ld, convk_cl_array work, size_t work_size);
     int convk_cl_orbitals_grid_k_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_bloch_f64 *bloch, const convk_gaussian_options *options, convk_cl_array value, size_t ld, convk_cl_array work, size_t work_size);
     int convk_cl_density_grid_k_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_bloch_f32 *bloch, const convk_gaussian_options *options, convk_cl_array density, int add, convk_cl_array work, size_t work_size);
     int convk_cl_density_grid_k_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_bloch_f64 *bloch, const convk_gaussian_options *options, convk_cl_array density, int add, convk_cl_array work, size_t work_size);
     int convk_cl_gridpot_grid_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, convk_cl_array sums, size_t ld, convk_cl_array work, size_t work_size);
     int convk_cl_gridpot_grid_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, convk_cl_array sums, size_t ld, convk_cl_array work, size_t work_size);
     struct convk_gaussian_box { double origin[3]; double step_x[3], step_y[3], step_z[3]; convk_grid3 grid; double period[3]; };

   formfactor
     int convk_mesh_work_size(convk *hw, size_t vertices, size_t faces, size_t *bytes);
     int convk_sphere_directions(convk *hw, size_t degree, int half, size_t *directions);
     int convk_formfactor_error(convk *hw, const convk_mesh_measures *measures, double q, int order, double *error);
     int convk_cl_formfactor_work_size_f32(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_cl_q *q, size_t *bytes);
     int convk_cl_formfactor_work_size_f64(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_cl_q *q, size_t *bytes);
     int convk_cl_formfactor_f32(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_mesh_measures *measures, const convk_cl_q *q, const convk_formfactor_options *options, convk_cl_array f, convk_cl_array work, size_t work_size);
     int convk_cl_formfactor_f64(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_mesh_measures *measures, const convk_cl_q *q, const convk_formfactor_options *options, convk_cl_array f, convk_cl_array work, size_t work_size);
     int convk_cl_formfactor_grid_work_size_f32(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_grid3 *grid, const convk_cl_q *q, size_t *bytes);
     int convk_cl_formfactor_grid_work_size_f64(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_grid3 *grid, const convk_cl_q *q, size_t *bytes);
     int convk_cl_formfactor_grid_f32(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_mesh_measures *measures, const convk_grid3 *grid, const convk_cl_q *q, const convk_formfactor_options *options, convk_cl_array f, convk_cl_array work, size_t work_size);
     int convk_cl_formfactor_grid_f64(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_mesh_measures *measures, const convk_grid3 *grid, const convk_cl_q *q, const convk_formfactor_options *options, convk_cl_array f, convk_cl_array work, size_t work_size);
     struct convk_formfactor_options { int form; int order; };
     struct convk_mesh_measures { double area; double volume; double gap[3]; double least[3], most[3]; double edge; int closed; };
     struct convk_mesh_report { size_t edges; size_t border; size_t turned; size_t crowded; size_t degenerate; size_t unused; double area, volume; int closed; int manifold; };
     struct convk_placement { size_t mesh; double position[3]; double rotation[9]; double scale; double weight[2]; };

   fft
     int convk_fftconv2d_resolve(convk *hw, const convk_fftconv2d_shape *shape, convk_fftconv2d_shape *resolved);
     int convk_cl_fftconv2d_f32(const convk_cl_queue *on, const convk_fftconv2d_plan_f32 *plan, convk_cl_array device_plan, const convk_cl_batch2d *batch, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_fftconv2d_c32(const convk_cl_queue *on, const convk_fftconv2d_plan_c32 *plan, convk_cl_array device_plan, const convk_cl_batch2d *batch, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_fftconv2d_f64(const convk_cl_queue *on, const convk_fftconv2d_plan_f64 *plan, convk_cl_array device_plan, const convk_cl_batch2d *batch, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_fftconv2d_c64(const convk_cl_queue *on, const convk_fftconv2d_plan_c64 *plan, convk_cl_array device_plan, const convk_cl_batch2d *batch, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_fftconv2d_work_size_f32(const convk_cl_queue *on, const convk_fftconv2d_plan_f32 *plan, size_t items, size_t *bytes);
     int convk_cl_fftconv2d_work_size_c32(const convk_cl_queue *on, const convk_fftconv2d_plan_c32 *plan, size_t items, size_t *bytes);
     int convk_cl_fftconv2d_work_size_f64(const convk_cl_queue *on, const convk_fftconv2d_plan_f64 *plan, size_t items, size_t *bytes);
     int convk_cl_fftconv2d_work_size_c64(const convk_cl_queue *on, const convk_fftconv2d_plan_c64 *plan, size_t items, size_t *bytes);
     int convk_cl_fft2d_c32(const convk_cl_queue *on, const convk_fft2d_plan_c32 *plan, convk_cl_array device_plan, int direction, const convk_cl_batch2d *batch, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_fft2d_c64(const convk_cl_queue *on, const convk_fft2d_plan_c64 *plan, convk_cl_array device_plan, int direction, const convk_cl_batch2d *batch, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_fft2d_work_size_c32(const convk_cl_queue *on, const convk_fft2d_plan_c32 *plan, size_t items, size_t *bytes);
     int convk_cl_fft2d_work_size_c64(const convk_cl_queue *on, const convk_fft2d_plan_c64 *plan, size_t items, size_t *bytes);
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
     int convk_cl_pair_potential_f32(const convk_cl_queue *on, const convk_pair_potential *potential, size_t n, convk_cl_array r, convk_cl_array v);
     int convk_cl_pair_potential_f64(const convk_cl_queue *on, const convk_pair_potential *potential, size_t n, convk_cl_array r, convk_cl_array v);
     int convk_cl_pair_energy_work_size_f32(const convk_cl_queue *on, size_t particles, size_t walkers, size_t *bytes);
     int convk_cl_pair_energy_work_size_f64(const convk_cl_queue *on, size_t particles, size_t walkers, size_t *bytes);
     int convk_cl_pair_energy_f32(const convk_cl_queue *on, const convk_pair_system *system, const convk_pair_walkers *walkers, int want, convk_cl_array r, convk_cl_array result, convk_cl_array gradient, convk_cl_array work, size_t work_size);
     int convk_cl_pair_energy_f64(const convk_cl_queue *on, const convk_pair_system *system, const convk_pair_walkers *walkers, int want, convk_cl_array r, convk_cl_array result, convk_cl_array gradient, convk_cl_array work, size_t work_size);
     int convk_cl_pair_move_f32(const convk_cl_queue *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, convk_cl_array r, convk_cl_array to, convk_cl_array result);
     int convk_cl_pair_move_f64(const convk_cl_queue *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, convk_cl_array r, convk_cl_array to, convk_cl_array result);
     int convk_cl_pair_accept_f32(const convk_cl_queue *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, convk_cl_array to, convk_cl_array accept, convk_cl_array r, convk_cl_array gradient);
     int convk_cl_pair_accept_f64(const convk_cl_queue *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, convk_cl_array to, convk_cl_array accept, convk_cl_array r, convk_cl_array gradient);
     int convk_cl_vmc_sweeps_work_size_f32(const convk_cl_queue *on, const convk_vmc *vmc, size_t *bytes);
     int convk_cl_vmc_sweeps_work_size_f64(const convk_cl_queue *on, const convk_vmc *vmc, size_t *bytes);
     int convk_cl_vmc_sweeps_f32(const convk_cl_queue *on, const convk_vmc *vmc, const convk_vmc_sweeps *sweeps, const convk_cl_vmc_walkers_f32 *walkers, convk_cl_array work, size_t work_size);
     int convk_cl_vmc_sweeps_f64(const convk_cl_queue *on, const convk_vmc *vmc, const convk_vmc_sweeps *sweeps, const convk_cl_vmc_walkers_f64 *walkers, convk_cl_array work, size_t work_size);
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
     struct convk_cl_vmc_walkers_f32 { convk_cl_array r; convk_cl_array ln_psi; convk_cl_array result; convk_cl_array drift; convk_cl_array accepted; };
     struct convk_cl_vmc_walkers_f64 { convk_cl_array r; convk_cl_array ln_psi; convk_cl_array result; convk_cl_array drift; convk_cl_array accepted; };
*/
#if !defined CONVK_CL_H_ || defined CONVK_CL_PASS_
#ifndef CONVK_CL_PASS_
#define CONVK_CL_H_
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
#define convk_cl_gridpot_table_ CONVK_PRIVATE_(cl_gridpot_table)
#define convk_cl_pairs_begin_ CONVK_PRIVATE_(cl_pairs_begin)
#define convk_cl_stencil_pass_ CONVK_PRIVATE_(cl_stencil_pass)
#define convk_cl_stencil_program_ CONVK_PRIVATE_(cl_stencil_program)
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
#define convk_filters_program_ CONVK_HARDWARE_(filters_program)
#define convk_filters_result_of_ CONVK_HARDWARE_(filters_result_of)
#define convk_filters_run_ CONVK_HARDWARE_(filters_run)
#define convk_filters_total_ CONVK_HARDWARE_(filters_total)
#define convk_filters_units_ CONVK_HARDWARE_(filters_units)
#define convk_filters_work_ CONVK_HARDWARE_(filters_work)
#define convk_filters_yx_ CONVK_HARDWARE_(filters_yx)
#define convk_filters_z_ CONVK_HARDWARE_(filters_z)
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
#define convk_grids_make_ CONVK_HARDWARE_(grids_make)
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
#define convk_sums_program_ CONVK_HARDWARE_(sums_program)
#define convk_sums_room_ CONVK_HARDWARE_(sums_room)
#define convk_sums_room_of_ CONVK_HARDWARE_(sums_room_of)
#define convk_sums_single_ CONVK_HARDWARE_(sums_single)
#define convk_sums_start_ CONVK_HARDWARE_(sums_start)
#define convk_sums_taps_ CONVK_HARDWARE_(sums_taps)
#define convk_sums_tile_run_ CONVK_HARDWARE_(sums_tile_run)
#define convk_sums_tiled_ CONVK_HARDWARE_(sums_tiled)
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
#define convk_wavelets_program_ CONVK_HARDWARE_(wavelets_program)
#define convk_wavelets_run_ CONVK_HARDWARE_(wavelets_run)
#define convk_wavelets_yx_ CONVK_HARDWARE_(wavelets_yx)
#define convk_wavelets_z_device_ CONVK_HARDWARE_(wavelets_z_device)
#define convk_window_bring_ CONVK_DEVICE_(window_bring)

#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#ifndef CONVK_CL_HEADER
#define CONVK_CL_HEADER "convk_cl.h"
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
#ifndef CONVK_OLD_C_

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- src/device/opencl_api.h ---- */
struct convk_cl_cache_;

/* What device-resident calls need: programs and filters on one device of one context.  One thread at a time.  What is said of
   results below does not hold for the last digits of sums over pairs of particles. */
typedef struct convk_cl {
  cl_context context;
  cl_device_id device;
  size_t local_bytes, group_items, group_x, group_y; /* limits of the device; lower ones may be set, results do not change */
  size_t compute_units;                              /* of the device */
  size_t stencil_steps; /* of stencil7 in one pass over memory, at most 4; 0: chosen by the library; any gives the same bits */
  int fp64;             /* whether the device has doubles */
  int divides;          /* whether divisions of f32 can be made to round once */
  int cpu;              /* whether the device is a processor, for the shapes of work-groups; either gives the same bits */
  convk *hw;            /* NULL, or a handle of this device, whose tuned entries count for calls on buffers too; may be set */
  struct convk_cl_cache_ *cache; /* NULL: not open */
  char message[256];             /* of the last failed call, for people */
} convk_cl;

/* Where a device-resident call runs: the first argument of each, in place of a handle.  Zero-initialise it, then set cl and
   queue.
     queue      of cl's context and device; it may be out of order
     num_wait, wait_list   events that come first, as in OpenCL
     event      NULL, or set to the event of the call, for the caller to release */
typedef struct convk_cl_queue {
  convk_cl *cl;
  cl_command_queue queue;
  cl_uint num_wait;
  const cl_event *wait_list;
  cl_event *event;
} convk_cl_queue;

/* An array within a buffer: its first element is number `offset`. */
typedef struct convk_cl_array {
  cl_mem mem;
  size_t offset;
} convk_cl_array;

/* Triangles on a device, as convk_mesh_f64.  The corners u and w are needed and used as convk_mesh_f64 says; a mem of NULL:
   none. */
typedef struct convk_cl_mesh {
  size_t n;
  convk_cl_array ax, ay, az, x, y, z;
  convk_cl_array ux, uy, uz, wx, wy, wz;
} convk_cl_mesh;

/* Vectors of q on a device, as convk_q_f64.  Zero-initialise it: where an imaginary part's mem is NULL, there is none. */
typedef struct convk_cl_q {
  size_t n;
  convk_cl_array x, y, z;
  convk_cl_array x_imag, y_imag, z_imag;
} convk_cl_q;

/* Points on a device, as convk_points_f64; a stride of 0 means 1. */
typedef struct convk_cl_points {
  size_t n;
  convk_cl_array x, y, z;
  size_t stride;
} convk_cl_points;

/* Results of convk_orbitals_vgl on a device, as convk_vgl_f64; ld 0: packed. */
typedef struct convk_cl_vgl {
  convk_cl_array value, dx, dy, dz, laplacian;
  size_t ld;
} convk_cl_vgl;

/* Results of convk_density_grid on a device, as convk_density_parts_f64: a mem of NULL is not wanted. */
typedef struct convk_cl_density_parts {
  convk_cl_array density, dx, dy, dz, tau;
} convk_cl_density_parts;

/* Segments whose lists are on a device, as convk_segments: ends and place are of 64-bit numbers. */
typedef struct convk_cl_segments {
  size_t count;
  convk_cl_array ends, place;
  size_t points;
} convk_cl_segments;
/* As convk_compressed_shape. */
typedef struct convk_cl_compressed_shape {
  convk_grid3 dense;
  convk_cl_segments coarse, fine;
  size_t vectors, compressed_stride, dense_stride;
} convk_cl_compressed_shape;

/* A batch of 2D arrays on a device, as convk_batch2d; kernel: one 64-bit number per item, or a mem of NULL. */
typedef struct convk_cl_batch2d {
  size_t items;
  size_t in_pitch, in_stride;
  size_t out_pitch, out_stride;
  convk_cl_array kernel;
  size_t items_per_kernel;
} convk_cl_batch2d;

/* Prepares *cl for device-resident calls on a device of a context of the caller, which it retains.  Builds nothing yet.
   After a failure *cl is not open; cl->message says more.  NULL, MEMORY, DEVICE. */
CONVK_API_ int convk_cl_open(convk_cl *cl, cl_context context, cl_device_id device);

/* Gives back programs, filters and the context; does not wait.  Commands in flight end as they should.  Harmless on what is
   zero or closed. */
CONVK_API_ void convk_cl_close(convk_cl *cl);

/* The whole log of the last program that did not build (CONVK_ERR_BUILD), which cl->message only begins.
   text      of `size` bytes for as much of it as they take, with the closing 0; NULL with size 0 asks for the length only
   *length   is set to the size that takes all of it; 0: every program was built
   Errors: NULL, HANDLE, MEMORY, DEVICE. */
CONVK_API_ int convk_cl_build_log(const convk_cl *cl, char *text, size_t size, size_t *length);

/* All programs that *cl has built or loaded, as bytes to keep, in a file say: convk touches none.  They are the driver's
   binaries and what they belong to: device, driver, version of convk, build options and text.
   data      memory of `size` bytes; NULL with size 0 asks for their number only
   *bytes    is set to how many there are
   Errors: NULL, HANDLE, SIZE (they do not fit, and nothing was written), MEMORY, DEVICE. */
CONVK_API_ int convk_cl_programs_save(convk_cl *cl, void *data, size_t size, size_t *bytes);

/* Takes programs that convk_cl_programs_save wrote, as many as *cl has free places for: calls that need them build nothing.
   What the driver refuses, or is of another text, is built from its text as without.  Results do not change.  The bytes hold
   machine code: take them only from whom you would take a program.
   CONVK_ERR_PROGRAMS, and cl->message says why: not all that was written, damaged, or of another device, driver or version of
   convk.  Nothing was taken then, and calls build what they need.  Other errors: NULL, HANDLE, MEMORY, DEVICE. */
CONVK_API_ int convk_cl_programs_load(convk_cl *cl, const void *data, size_t size);

/* Takes the programs that `from` has built or loaded, as many as *cl has free places for.  On one context both use the same
   programs from then on; on another one of the same device, as those of two handles are, the driver's binaries go over.  No
   thread may use one of the two during this call; after it each may have a thread of its own.
   Errors: NULL, HANDLE, PROGRAMS (another device), MEMORY, DEVICE. */
CONVK_API_ int convk_cl_programs_share(convk_cl *cl, const convk_cl *from);

/* The context object of a handle that "opencl" opened: for its limits and its build log, or for device-resident calls on its
   context.  NULL for other handles.  The handle keeps it. */
CONVK_API_ convk_cl *convk_cl_of(convk *hw);
/* ---- src/device/words_api.h ---- */
/* Words in which <family>/device_api.h, one text for OpenCL and CUDA, declares calls on device memory:
     CONVK_ON_                   what says where a call runs, its first argument: convk_cl_queue, or convk_cuda_stream
     CONVK_ARRAY_(type)          an array there: convk_cl_array, or a pointer
     CONVK_DEVICE_STRUCT_(name)  a struct with such arrays: of points convk_cl_points, or with pointers the same as on
                                 the host
     CONVK_DEVICE_(name)         a private name of this device
   In src/ such a call is convk_<operation>_resident, which becomes convk_cl_<operation>_f64 and convk_cuda_<operation>_f64. */
#define CONVK_ON_ const convk_cl_queue
#define CONVK_ARRAY_(type) convk_cl_array
#define CONVK_DEVICE_STRUCT_(name) convk_cl_##name
#define CONVK_DEVICE_(name) convk_cl_##name##_
#define CONVK_ARGUMENTS_(name) CONVK_HARDWARE_(name##_arguments)
#define CONVK_ARGUMENT_T_ CONVK_T
#define CONVK_DEFINE_ARGUMENTS_(name) \
  typedef struct CONVK_ARGUMENTS_(name) CONVK_ARGUMENTS_(name); \
  struct CONVK_ARGUMENTS_(name)
#define CONVK_DEVICE_TYPED_(name) CONVK_TYPED_(cl_##name)
#define CONVK_DEVICE_COMPLEX_(name) CONVK_COMPLEX_(cl_##name)
#define CONVK_CL_PASS_ 1 /* types and prototypes */
#define CONVK_TYPE_ f32
#include CONVK_CL_HEADER
#define CONVK_CL_PASS_ 1
#define CONVK_TYPE_ f64
#include CONVK_CL_HEADER
CONVK_API_ convk_modules_ convk_cl_modules_(void);
#undef CONVK_CL_MODULES_
#define CONVK_CL_MODULES_ convk_cl_modules_

#if CONVK_MODE_ == 1 /* declarations only */
#define CONVK_HW_ opencl
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
#else
/* ---- src/device/opencl_texts.h ---- */
/* ---- texts of programs ---- */

/* Rooms that the sources of several families include, so that they stand here once.  A source keeps its line
   `#include "words/opencl.cl"`, for which convk_cl_expand_ gives the room's lines.  A text ends with NULL. */
CONVK_LOCAL_ const char *const *convk_cl_room_(const char *line) {
  static const char include[] = "#include ", mark[] = "#line 1 ";
  static const char *const preamble[] = {
    "#line 1 \"device/preamble.cl\"\n",
    "/* What the source of every family begins with, T being float or double. */\n",
    "#ifdef cl_khr_fp64\n",
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
    "#endif\n",
    "#pragma OPENCL FP_CONTRACT OFF\n",
      NULL};
  static const char *const words[] = {
    "#line 1 \"words/opencl.cl\"\n",
    "/* The words of OpenCL, for T, float or double by F64: of vectors of CONVK_LANES elements, one unless the source says otherwise\n",
    "   before.  Every word rounds once: device/preamble.cl forbids to fuse them. */\n",
    "#line 1 \"words/precision.h\"\n",
    "/* One of two texts, and one of two constants, as the precision wants it, for every hardware. */\n",
    "#define CONVK_CAT3_(a, b, c) a##b##c\n",
    "#define CONVK_PASTE3_(a, b, c) CONVK_CAT3_(a, b, c)\n",
    "#define CONVK_EITHER_f32_(f32, f64) f32\n",
    "#define CONVK_EITHER_f64_(f32, f64) f64\n",
    "#define CONVK_EITHER_(f32, f64) CONVK_PASTE3_(CONVK_EITHER_, CONVK_TYPE_, _)(f32, f64)\n",
    "#define CONVK_OF_(f32, f64) ((CONVK_T)(CONVK_EITHER_(f32, f64)))\n",
    "#define CONVK_UNSIGNED_ CONVK_EITHER_(uint32_t, uint64_t)\n",
    "#define CONVK_GREATEST_ CONVK_OF_(3.4028234663852886e38f, 1.7976931348623157e308)\n",
    "#define CONVK_FRACTION_ CONVK_EITHER_(23, 52) /* binary digits behind the point */\n",
    "/* The list of coefficients <name>_f32_ or <name>_f64_; a vector of one pattern of bits or another, of signs alone, of\n",
    "   infinity. */\n",
    "#define CONVK_TABLE_(name) CONVK_PASTE3_(name##_, CONVK_TYPE_, _)\n",
    "#define CONVK_BITS_OF_(f32, f64) CONVK_BITS_(CONVK_EITHER_(UINT32_C(f32), UINT64_C(f64)))\n",
    "#define CONVK_SIGN_ CONVK_BITS_OF_(0x80000000, 0x8000000000000000)\n",
    "#define CONVK_INFINITE_ CONVK_BITS_OF_(0x7f800000, 0x7ff0000000000000)\n",
    "#define CONVK_COUNT_(list) ((int)(sizeof list / sizeof *list))\n",
    "/* A loop that compilers unroll, such as a step of several vectors that go together: while one waits for a result the others\n",
    "   work. */\n",
    "#define CONVK_EACH_(i, count) \\\n",
    "  CONVK_UNROLL_ \\\n",
    "  for (i = 0; i < count; i++)\n",
    "#line 4 \"words/opencl.cl\"\n",
    "#ifndef CONVK_LANES\n",
    "#define CONVK_LANES 1\n",
    "#endif\n",
    "#if F64\n",
    "#define CONVK_TYPE_ f64\n",
    "#else\n",
    "#define CONVK_TYPE_ f32\n",
    "#endif\n",
    "#if CONVK_LANES == 1\n",
    "#define CONVK_LANED_(name) name\n",
    "#define CONVK_LOAD_(p) (*(p))\n",
    "#define CONVK_STORE_(p, v) (*(p) = (v))\n",
    "#define CONVK_LESS_(a, b, x, y) ((a) < (b) ? (x) : (y))\n",
    "#define CONVK_ANY_LESS_(a, b) ((a) < (b))\n",
    "#define CONVK_WHICH_LESS_(a, b) ((uint)((a) < (b)))\n",
    "#define CONVK_TO_BITS_(u, v) (*(u) = CONVK_INT_(v))\n",
    "#define CONVK_FROM_BITS_(v, u) ((v) = CONVK_REAL_(*(u)))\n",
    "#else\n",
    "#define CONVK_LANED_(name) CONVK_PASTE3_(name, CONVK_LANES, )\n",
    "#define CONVK_LOAD_(p) CONVK_LANED_(vload)(0, p)\n",
    "#define CONVK_STORE_(p, v) CONVK_LANED_(vstore)(v, 0, p)\n",
    "#define CONVK_LESS_(a, b, x, y) select(y, x, (a) < (b))\n",
    "#define CONVK_ANY_LESS_(a, b) any((a) < (b))\n",
    "#define CONVK_TO_BITS_(u, v) CONVK_STORE_(u, CONVK_INT_(v))\n",
    "#define CONVK_FROM_BITS_(v, u) ((v) = CONVK_REAL_(CONVK_LOAD_(u)))\n",
    "#endif\n",
    "#define uint32_t uint\n",
    "#define uint64_t ulong\n",
    "#define int32_t int\n",
    "#define int64_t long\n",
    "#define UINT32_C(c) c##u\n",
    "#define UINT64_C(c) c##ul\n",
    "#define CONVK_T T\n",
    "#define CONVK_ARGUMENTS_(name) name##_arguments\n",
    "#define CONVK_ARGUMENT_T_ T\n",
    "#define CONVK_DEFINE_ARGUMENTS_(name) \\\n",
    "  typedef struct name##_arguments name##_arguments; \\\n",
    "  struct name##_arguments\n",
    "#define CONVK_V CONVK_LANED_(T)\n",
    "/* A source includes those rooms that it needs. */\n",
    "#define CONVK_IS_KERNEL_ 0\n",
    "#define CONVK_GROUP_KERNEL_ kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void\n",
    "#define CONVK_UNROLL_ _Pragma(\"unroll\")\n",
    "#define CONVK_UNLIKELY_(condition) (condition)\n",
    "#define CONVK_ELEMENT_ static inline __attribute__((always_inline)) /* compilers need not build what nothing calls */\n",
    "#define CONVK_ELEMENT_RARE_ static inline\n",
    "#define CONVK_CONSTANT_ const\n",
    "#define CONVK_SET_(x) ((CONVK_V)(x))\n",
    "#define CONVK_ADD_(a, b) ((a) + (b))\n",
    "/* sum + x in loops that add up: optimisers reorder plain additions there, against the language, but no fused ones. */\n",
    "#define CONVK_SUM_(type, sum, x) fma((type)(1), (type)(x), (type)(sum))\n",
    "#define CONVK_MUL_(a, b) ((a) * (b))\n",
    "#define CONVK_DIV_(a, b) ((a) / (b))\n",
    "#define CONVK_FMA_(a, b, c) fma(a, b, c)\n",
    "#define CONVK_FNMA_(a, b, c) fma(-(a), b, c)\n",
    "#define CONVK_FMS_(a, b, c) fma(a, b, -(c))\n",
    "#define CONVK_FUSES_ 1\n",
    "#define CONVK_SUB_(a, b) ((a) - (b))\n",
    "#define CONVK_MIN_(a, b) convk_min_(a, b)\n",
    "#define CONVK_MAX_(a, b) convk_max_(a, b)\n",
    "#define CONVK_INT_(v) CONVK_LANED_(CONVK_EITHER_(as_uint, as_ulong))(v)\n",
    "#define CONVK_REAL_(u) CONVK_LANED_(CONVK_EITHER_(as_float, as_double))(u)\n",
    "#define CONVK_BITS_(u) CONVK_REAL_((CONVK_LANED_(CONVK_EITHER_(uint, ulong)))(u))\n",
    "#define CONVK_AND_(a, b) CONVK_REAL_(CONVK_INT_(a) & CONVK_INT_(b))\n",
    "#define CONVK_OR_(a, b) CONVK_REAL_(CONVK_INT_(a) | CONVK_INT_(b))\n",
    "#define CONVK_XOR_(a, b) CONVK_REAL_(CONVK_INT_(a) ^ CONVK_INT_(b))\n",
    "#define CONVK_IADD_(a, b) CONVK_REAL_(CONVK_INT_(a) + CONVK_INT_(b))\n",
    "#define CONVK_ISUB_(a, b) CONVK_REAL_(CONVK_INT_(a) - CONVK_INT_(b))\n",
    "#define CONVK_SHL_(a, k) CONVK_REAL_(CONVK_INT_(a) << (k))\n",
    "#define CONVK_SHR_(a, k) CONVK_REAL_(CONVK_INT_(a) >> (k))\n",
    "#define CONVK_D CONVK_LANED_(double) /* where the device has them */\n",
    "#define CONVK_DLANES_ CONVK_LANES\n",
    "#define CONVK_DPART_(v, h) CONVK_LANED_(convert_double)(v)\n",
    "#define CONVK_DFMA_(a, b, c) fma(a, b, c)\n",
    "#define CONVK_DZERO_ ((CONVK_D)(0))\n",
    "#define CONVK_DSET_(x) ((CONVK_D)(x))\n",
    "#define CONVK_DLOAD_(p) CONVK_LOAD_(p)\n",
    "#define CONVK_DSTORE_(p, d) CONVK_STORE_(p, d)\n",
    "#define CONVK_DADD_(a, b) ((a) + (b))\n",
    "#define CONVK_LEADING_(x) as_double(as_ulong(x) & (~(ulong)0 << 27)) /* the first 26 digits of a double */\n",
    "#define CONVK_GLOBAL_ global\n",
    "#define CONVK_JOIN_(d) CONVK_LANED_(CONVK_EITHER_(convert_float, convert_double))(*(d))\n",
    "#define CONVK_KEEP_(v) ((void)0)\n",
    "#define CONVK_REREAD_(f) ((void)0)\n",
    "\n",
    "/* b where one of them is NaN. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_min_(CONVK_V a, CONVK_V b) { return CONVK_LESS_(a, b, a, b); }\n",
    "CONVK_ELEMENT_ CONVK_V convk_max_(CONVK_V a, CONVK_V b) { return CONVK_LESS_(b, a, a, b); }\n",
      NULL};
#if CONVK_HAS_FILTERS_ || CONVK_HAS_STENCIL_
  static const char *const axis[] = {
    "#line 1 \"core/axis.h\"\n",
    "/* Where point i of an axis of n points lies in the array, for processors and devices; -1: nowhere, which reads as zero. */\n",
    "CONVK_ELEMENT_ int64_t convk_axis_source_(int64_t i, int64_t n, int periodic) {\n",
    "  if (i >= 0 && i < n) return i;\n",
    "  if (!periodic) return -1;\n",
    "  i %= n;\n",
    "  return i < 0 ? i + n : i;\n",
    "}\n",
      NULL};
#endif
#if CONVK_HAS_ELEMENTARY_
  static const char *const coefficients[] = {
    "#line 1 \"elementary/coefficients.h\"\n",
    "/* Coefficients of the elementary functions, for every hardware; elementary/element.h says how they are used, and\n",
    "   tests/bench/fit_exponentials.py fits them again. */\n",
    "/* q in e^r = 1 + r + r^2 q(r), of least relative error in e^r: 2^-28.0, 2^-57.4 */\n",
    "#define CONVK_EXP_f32_ {0.5f, 0.16666535f, 0.041667253f, 0.008367437f, 0.001386244f}\n",
    "#define CONVK_EXP_f64_ \\\n",
    "  {0.5, 0.16666666666666433, 0.04166666666660385, 0.008333333333500474, 0.0013888888926846977, 0.00019841269465427288, \\\n",
    "   2.4801508611977955e-05, 2.7557641403757263e-06, 2.762521746654722e-07, 2.4978269934212973e-08}\n",
    "/* -P, of least relative error in log: 2^-28.4, 2^-62.0 */\n",
    "#define CONVK_LOG_f32_ {-0.6666695f, -0.39957657f, -0.30364498f}\n",
    "#define CONVK_LOG_f64_ \\\n",
    "  {-0.666666666666666, -0.4000000000005668, -0.2857142855582595, -0.22222224296956575, -0.18181665833183142, \\\n",
    "   -0.15391113694823702, -0.13173566154296737, -0.13843270058453327}\n",
    "/* (sin r - r) / r^3 and (1 - r^2 / 2 - cos r) / r^4 in powers of r^2, of least relative error: 2^-27.7 and 2^-32.6, with some\n",
    "   reserve since n may be rounded wrong; 2^-57.9 and 2^-63.9 */\n",
    "#define CONVK_SIN_f32_ {-0.16666654f, 0.008332098f, -0.00019506115f}\n",
    "#define CONVK_SIN_f64_ \\\n",
    "  {-0.1666666666666663, 0.00833333333332184, -0.00019841269829358525, 2.7557313538512193e-06, -2.505073438876402e-08, \\\n",
    "   1.589543325076407e-10}\n",
    "#define CONVK_COS_f32_ {-0.04166664f, 0.001388713f, -2.4412086e-05f}\n",
    "#define CONVK_COS_f64_ \\\n",
    "  {-0.041666666666666595, 0.0013888888888873342, -2.480158728900208e-05, 2.7557314217038855e-07, -2.087570539602684e-09, \\\n",
    "   1.1358749239682113e-11}\n",
    "/* pi / 2 in parts, of all digits, or of so few that products with an n are exact */\n",
    "#define CONVK_HALF_PI_f32_ {1.5707964f, -4.371139e-08f, -1.7151245e-15f}\n",
    "#define CONVK_HALF_PI_f64_ {1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33}\n",
    "#define CONVK_HALF_PI_CUT_f32_ {1.5707963267923333, 2.563344151594519e-12}\n",
    "#define CONVK_HALF_PI_CUT_f64_ \\\n",
    "  {1.570796251296997, 7.549789415861596e-08, 5.39030083589187e-15, 2.0222659584103533e-21, 2.9038559739793605e-28}\n",
      NULL};
#endif
#if CONVK_HAS_ELEMENTARY_
  static const char *const exponential[] = {
    "#line 1 \"elementary/exponential.h\"\n",
    "#define CONVK_LN2_HIGH_ CONVK_OF_(0.69314575f, 0.6931471805598903) /* 16 and 42 digits: exact times any exponent */\n",
    "#define CONVK_LN2_LOW_ CONVK_OF_(1.4286068e-06f, 5.497923018708371e-14)\n",
    "\n",
    "/* ---- exponential functions ----\n",
    "   x = n ln 2 + r with |r| <= ln(2) / 2 and e^x = 2^n e^r.  n is rounded by adding a number so large that its last place is 1,\n",
    "   which leaves n, raised by twice the bias of an exponent, in the last bits of the sum t.  ln 2 is a high part of few digits,\n",
    "   whose product with n is exact, and a low part. */\n",
    "#define CONVK_EXP_SHIFT_ CONVK_OF_(12582912.f + 254, 6755399441055744. + 2046)\n",
    "#include \"elementary/coefficients.h\"\n",
    "#line 10 \"elementary/exponential.h\"\n",
    "\n",
    "#define CONVK_TOGETHER_ 4 /* most vectors of a step */\n",
    "\n",
    "/* n and t of each x, and what is left in `high` before the low part of ln 2 is subtracted. */\n",
    "CONVK_ELEMENT_ void convk_vexp_reduce_(const CONVK_V *x, CONVK_V shift, CONVK_V *n, CONVK_V *t, CONVK_V *high,\n",
    "                                       const int count) {\n",
    "  const CONVK_V log2e = CONVK_SET_(CONVK_OF_(1.442695f, 1.4426950408889634));\n",
    "  int i;\n",
    "  CONVK_EACH_(i, count) t[i] = CONVK_FMA_(x[i], log2e, shift);\n",
    "  CONVK_EACH_(i, count) n[i] = CONVK_SUB_(t[i], shift);\n",
    "  CONVK_EACH_(i, count) high[i] = CONVK_FMA_(n[i], CONVK_SET_(-CONVK_LN2_HIGH_), x[i]);\n",
    "}\n",
    "\n",
    "/* p = q(r) of each without its first so many terms, divided by their power of r. */\n",
    "CONVK_ELEMENT_ void convk_vexp_poly_(const CONVK_V *r, CONVK_V *p, const int first, const int count) {\n",
    "  CONVK_CONSTANT_ CONVK_T q[] = CONVK_TABLE_(CONVK_EXP);\n",
    "  int i, k = CONVK_COUNT_(q) - 1;\n",
    "  CONVK_EACH_(i, count) p[i] = CONVK_SET_(q[k]);\n",
    "  CONVK_UNROLL_\n",
    "  for (k--; k >= first; k--) {\n",
    "    CONVK_EACH_(i, count) p[i] = CONVK_FMA_(r[i], p[i], CONVK_SET_(q[k]));\n",
    "  }\n",
    "}\n",
    "\n",
    "/* v 2^n in two factors, so that all n with a result have factors. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_vscale_(CONVK_V v, CONVK_V n, CONVK_V t) {\n",
    "#ifdef CONVK_SCALE_\n",
    "  (void)t;\n",
    "  return CONVK_SCALE_(v, n);\n",
    "#else\n",
    "  const CONVK_V first = CONVK_SHR_(t, 1), rest = CONVK_ISUB_(t, first);\n",
    "  (void)n;\n",
    "  return CONVK_MUL_(CONVK_MUL_(v, CONVK_SHL_(first, CONVK_FRACTION_)), CONVK_SHL_(rest, CONVK_FRACTION_));\n",
    "#endif\n",
    "}\n",
    "\n",
    "/* p = e^r = 1 + r + r^2 q(r) of each. */\n",
    "CONVK_ELEMENT_ void convk_vexp_near_(const CONVK_V *r, CONVK_V *p, const int count) {\n",
    "  const CONVK_V one = CONVK_SET_(1);\n",
    "  int i;\n",
    "  convk_vexp_poly_(r, p, 0, count);\n",
    "#if CONVK_FUSES_\n",
    "  CONVK_EACH_(i, count) p[i] = CONVK_FMA_(r[i], p[i], one);\n",
    "  CONVK_EACH_(i, count) p[i] = CONVK_FMA_(r[i], p[i], one);\n",
    "#else /* one rounding less of 1 */\n",
    "  CONVK_EACH_(i, count) p[i] = CONVK_FMA_(CONVK_MUL_(r[i], r[i]), p[i], r[i]);\n",
    "  CONVK_EACH_(i, count) p[i] = CONVK_ADD_(one, p[i]);\n",
    "#endif\n",
    "}\n",
    "\n",
    "/* e^x of each as p 2^n.  Where the scaling takes any n, infinite or NaN too, it is enough to keep r small. */\n",
    "CONVK_ELEMENT_ void convk_vexp_parts_(CONVK_V *x, CONVK_V *p, CONVK_V *n, CONVK_V *t, const int count) {\n",
    "  CONVK_V r[CONVK_TOGETHER_];\n",
    "  int i;\n",
    "#ifndef CONVK_SCALE_\n",
    "  const CONVK_V least = CONVK_SET_(CONVK_OF_(-104, -746)), greatest = CONVK_SET_(CONVK_OF_(89, 710));\n",
    "  CONVK_EACH_(i, count) x[i] = CONVK_MAX_(least, CONVK_MIN_(greatest, x[i]));\n",
    "#endif\n",
    "  convk_vexp_reduce_(x, CONVK_SET_(CONVK_EXP_SHIFT_), n, t, r, count);\n",
    "  CONVK_EACH_(i, count) r[i] = CONVK_FMA_(n[i], CONVK_SET_(-CONVK_LN2_LOW_), r[i]);\n",
    "#ifdef CONVK_SCALE_\n",
    "  CONVK_EACH_(i, count) r[i] = CONVK_NEARER_(r[i], CONVK_SET_(1));\n",
    "#endif\n",
    "  convk_vexp_near_(r, p, count);\n",
    "}\n",
    "\n",
    "CONVK_ELEMENT_ void convk_vexp_of_(CONVK_V *x, const int count) {\n",
    "  CONVK_V n[CONVK_TOGETHER_], t[CONVK_TOGETHER_], p[CONVK_TOGETHER_];\n",
    "  int i;\n",
    "  convk_vexp_parts_(x, p, n, t, count);\n",
    "  CONVK_EACH_(i, count) x[i] = convk_vscale_(p[i], n[i], t[i]);\n",
    "}\n",
    "\n",
    "CONVK_ELEMENT_ CONVK_V convk_vexp_(CONVK_V x) {\n",
    "  convk_vexp_of_(&x, 1);\n",
    "  return x;\n",
    "}\n",
    "\n",
    "/* e^x - 1 = 2^n (1 - 2^-n + r + r^2 q(r)) of each.  1 - 2^-n = a + b is a sum of two parts, and so is that with r and r^2 / 2,\n",
    "   in which also counts what r has lost: near x = ln(2) / 2 half is subtracted of what rounds. */\n",
    "CONVK_ELEMENT_ void convk_vexpm1_of_(CONVK_V *x, const int count) {\n",
    "  const CONVK_V one = CONVK_SET_(1), a_half = CONVK_SET_((CONVK_T)0.5f), low = CONVK_SET_(-CONVK_LN2_LOW_);\n",
    "  const CONVK_V least = CONVK_SET_(CONVK_OF_(-18, -38)), greatest = CONVK_SET_(CONVK_OF_(89, 710));\n",
    "  CONVK_V n[CONVK_TOGETHER_], t[CONVK_TOGETHER_], r[CONVK_TOGETHER_], p[CONVK_TOGETHER_], a[CONVK_TOGETHER_];\n",
    "  CONVK_V b[CONVK_TOGETHER_], h[CONVK_TOGETHER_], l[CONVK_TOGETHER_], high[CONVK_TOGETHER_], r2[CONVK_TOGETHER_];\n",
    "  CONVK_V s[CONVK_TOGETHER_];\n",
    "  int i;\n",
    "  CONVK_EACH_(i, count) s[i] = CONVK_AND_(x[i], CONVK_SIGN_); /* the result's, also of zeros */\n",
    "  CONVK_EACH_(i, count) x[i] = CONVK_MAX_(least, CONVK_MIN_(greatest, x[i]));\n",
    "  convk_vexp_reduce_(x, CONVK_SET_(CONVK_EXP_SHIFT_), n, t, high, count);\n",
    "  CONVK_EACH_(i, count) r[i] = CONVK_FMA_(n[i], low, high[i]);\n",
    "  CONVK_EACH_(i, count) {\n",
    "    CONVK_V v = CONVK_ISUB_(CONVK_SET_((CONVK_T)-0.25f), CONVK_SHL_(t[i], CONVK_FRACTION_));\n",
    "    v = CONVK_MAX_(CONVK_SET_(0), v); /* 2^-n, but 0 for the last two n */\n",
    "    a[i] = CONVK_SUB_(one, v);\n",
    "    b[i] = CONVK_SUB_(CONVK_SUB_(one, a[i]), v); /* 0 where v > 1 */\n",
    "  }\n",
    "  CONVK_EACH_(i, count) h[i] = CONVK_ADD_(a[i], high[i]);\n",
    "  CONVK_EACH_(i, count) r2[i] = CONVK_MUL_(r[i], r[i]);\n",
    "  CONVK_EACH_(i, count) l[i] = CONVK_ADD_(CONVK_ADD_(CONVK_SUB_(a[i], h[i]), high[i]), b[i]);\n",
    "  convk_vexp_poly_(r, p, 1, count);\n",
    "  CONVK_EACH_(i, count) l[i] = CONVK_FMA_(n[i], low, l[i]);\n",
    "  CONVK_EACH_(i, count) l[i] = CONVK_FMA_(r[i], CONVK_FMA_(n[i], low, CONVK_SUB_(high[i], r[i])), l[i]);\n",
    "  CONVK_EACH_(i, count) a[i] = h[i];\n",
    "  CONVK_EACH_(i, count) h[i] = CONVK_FMA_(r2[i], a_half, a[i]);\n",
    "  CONVK_EACH_(i, count) l[i] = CONVK_ADD_(l[i], CONVK_FMA_(r2[i], a_half, CONVK_SUB_(a[i], h[i])));\n",
    "  CONVK_EACH_(i, count) l[i] = CONVK_FMA_(CONVK_MUL_(r2[i], r[i]), p[i], l[i]);\n",
    "  CONVK_EACH_(i, count) x[i] = CONVK_OR_(convk_vscale_(CONVK_ADD_(h[i], l[i]), n[i], t[i]), s[i]);\n",
    "}\n",
    "\n",
    "CONVK_ELEMENT_ CONVK_V convk_vexpm1_(CONVK_V x) {\n",
    "  convk_vexpm1_of_(&x, 1);\n",
    "  return x;\n",
    "}\n",
      NULL};
#endif
  static const char *const *const rooms[] = {
#if CONVK_HAS_FILTERS_ || CONVK_HAS_STENCIL_
    axis,
#endif
#if CONVK_HAS_ELEMENTARY_
    coefficients,
#endif
#if CONVK_HAS_ELEMENTARY_
    exponential,
#endif
    preamble,
    words
  };
  size_t i;
  if (strncmp(line, include, sizeof include - 1)) return NULL;
  for (i = 0; i < sizeof rooms / sizeof *rooms; i++) /* each begins with its name: #line 1 "words/opencl.cl" */
    if (!strcmp(line + sizeof include - 1, rooms[i][0] + sizeof mark - 1)) return rooms[i];
  return NULL;
}

/* How many lines the text has with its rooms, and the lines themselves in `all` where that is not NULL. */
CONVK_LOCAL_ size_t convk_cl_expand_(const char *const *text, const char **all) {
  size_t count = 0;
  for (; *text; text++) {
    const char *const *room = convk_cl_room_(*text);
    if (room) {
      count += convk_cl_expand_(room, all ? all + count : NULL);
    } else {
      if (all) all[count] = *text;
      count++;
    }
  }
  return count;
}

/* Of a text with its rooms: behind the checksum h of what stands before it. */
CONVK_LOCAL_ uint64_t convk_cl_checksum_(const char *const *text, uint64_t h) {
  for (; *text; text++) {
    const char *const *room = convk_cl_room_(*text);
    h = room ? convk_cl_checksum_(room, h) : convk_hash_(h, *text, strlen(*text));
  }
  return h;
}
/* ---- src/device/opencl_programs.h ---- */
/* -------------------------------------------------------------------------------------------------- context and programs -- */

#ifndef CONVK_CL_SPECIAL_
#define CONVK_CL_SPECIAL_ 32 /* programs for one length of filters other than 16, or one size of transforms */
#endif
enum {
  CONVK_CL_PROGRAMS_ = 96,
  CONVK_CL_FILTER_LISTS_ = 16,
  CONVK_CL_KEY_ = 256,
  CONVK_CL_TAPS_BYTES_ = 3 * 64 * 8,
  CONVK_CL_LINES_ = 2560 /* of the longest text, that of Gaussians with its rooms, and some more */
};

/* One kernel; `key` is its build options, which also choose it from the source.  A program that came from elsewhere has no
   kernel until its first use, and one that was saved is a binary until then. */
typedef struct convk_cl_program_ {
  char key[CONVK_CL_KEY_]; /* empty: a free place */
  uint64_t source;         /* the checksum of its text */
  unsigned char *binary;
  size_t bytes;
  cl_program program;
  cl_kernel kernel;
  size_t items;     /* largest work-group */
  size_t choice[4]; /* what its launches go by: see convk_cl_remember_ */
  unsigned long used;
} convk_cl_program_;

/* The taps of one call, three times 64 values. */
typedef struct convk_cl_filter_ {
  size_t bytes;
  unsigned char taps[CONVK_CL_TAPS_BYTES_];
  cl_mem mem;
  unsigned long used;
} convk_cl_filter_;

/* What was used longest ago makes room. */
struct convk_cl_cache_ {
  convk_cl_program_ programs[CONVK_CL_PROGRAMS_];
  uint64_t numbers[CONVK_CL_PROGRAMS_]; /* of these programs; 0: none yet */
  convk_cl_filter_ filters[CONVK_CL_FILTER_LISTS_];
  cl_program failed; /* the last that did not build, for its log */
  unsigned long clock, special;
  const char *lines[CONVK_CL_LINES_]; /* of a program while it is built: calls allocate nothing */
  int timed;      /* convk_tune wants to know how long kernels take: `seconds`, of chains from their first kernel */
  cl_event first; /* of the chain under way, while it does */
  double seconds;
  uint64_t way; /* a checksum of which kernels it had, with which groups */
};

/* The status for what a call of OpenCL gave; a failure is noted. */
CONVK_LOCAL_ int convk_cl_status_(convk_cl *cl, const char *call, cl_int error) {
  if (!error) return CONVK_OK;
  (void)snprintf(cl->message, sizeof cl->message, "%s: OpenCL error %d", call, (int)error);
  switch (error) {
    case CL_OUT_OF_HOST_MEMORY:
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_INVALID_BUFFER_SIZE: return CONVK_ERR_MEMORY;
    default: return CONVK_ERR_DEVICE;
  }
}

CONVK_LOCAL_ int convk_cl_limits_(convk_cl *cl) {
  cl_device_fp_config fp64 = 0, fp32 = 0;
  cl_device_type type = 0;
  cl_uint dimensions = 0, units = 1;
  cl_ulong bytes = 0;
  cl_device_id *devices;
  size_t sizes[16], size = 0, i, found = 0;
  cl_int error = clGetDeviceInfo(cl->device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, sizeof dimensions, &dimensions, NULL);
  if (!error && (dimensions < 3 || dimensions > 16)) error = CL_INVALID_DEVICE;
  if (!error) error = clGetDeviceInfo(cl->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
  if (!error) error = clGetDeviceInfo(cl->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t), &cl->group_items, NULL);
  if (!error) error = clGetDeviceInfo(cl->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
  if (!error) error = clGetDeviceInfo(cl->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  if (!error) error = clGetDeviceInfo(cl->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  if (error) return convk_cl_status_(cl, "clGetDeviceInfo", error);
  if (clGetDeviceInfo(cl->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL)) fp64 = 0;
  cl->local_bytes = bytes > (size_t)-1 ? (size_t)-1 : (size_t)bytes;
  cl->group_x = sizes[0];
  cl->group_y = sizes[1];
  cl->compute_units = units;
  cl->fp64 = fp64 != 0;
  if (clGetDeviceInfo(cl->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof fp32, &fp32, NULL)) fp32 = 0;
  cl->divides = (fp32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  cl->cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  error = clGetContextInfo(cl->context, CL_CONTEXT_DEVICES, 0, NULL, &size);
  if (error) return convk_cl_status_(cl, "clGetContextInfo", error);
  devices = (cl_device_id *)CONVK_MALLOC(size ? size : 1);
  if (!devices) return CONVK_ERR_MEMORY;
  error = clGetContextInfo(cl->context, CL_CONTEXT_DEVICES, size, devices, NULL);
  for (i = 0; !error && i < size / sizeof *devices; i++) found |= devices[i] == cl->device;
  CONVK_FREE(devices);
  if (error || !found) return convk_cl_status_(cl, "the device is not of this context", error ? error : CL_INVALID_DEVICE);
  return CONVK_OK;
}

#if CONVK_CORE_
CONVK_API_ int convk_cl_open(convk_cl *cl, cl_context context, cl_device_id device) {
  cl_int error;
  int status;
  if (!cl) return CONVK_ERR_NULL;
  memset(cl, 0, sizeof *cl);
  if (!context || !device) return CONVK_ERR_NULL;
  cl->context = context;
  cl->device = device;
  status = convk_cl_limits_(cl);
  if (status) return status;
  cl->cache = (struct convk_cl_cache_ *)CONVK_MALLOC(sizeof *cl->cache);
  if (!cl->cache) return CONVK_ERR_MEMORY;
  memset(cl->cache, 0, sizeof *cl->cache);
  error = clRetainContext(context);
  if (!error) return CONVK_OK;
  CONVK_FREE(cl->cache);
  cl->cache = NULL;
  return convk_cl_status_(cl, "clRetainContext", error);
}
#endif

CONVK_LOCAL_ void convk_cl_drop_program_(convk_cl_program_ *p) {
  if (p->kernel) (void)clReleaseKernel(p->kernel);
  if (p->program) (void)clReleaseProgram(p->program);
  if (p->binary) CONVK_FREE(p->binary);
  memset(p, 0, sizeof *p);
}

#if CONVK_CORE_
CONVK_API_ void convk_cl_close(convk_cl *cl) {
  size_t i;
  if (!cl || !cl->cache) return;
  for (i = 0; i < CONVK_CL_PROGRAMS_; i++) convk_cl_drop_program_(&cl->cache->programs[i]);
  for (i = 0; i < CONVK_CL_FILTER_LISTS_; i++)
    if (cl->cache->filters[i].mem) (void)clReleaseMemObject(cl->cache->filters[i].mem);
  if (cl->cache->failed) (void)clReleaseProgram(cl->cache->failed);
  CONVK_FREE(cl->cache);
  (void)clReleaseContext(cl->context);
  memset(cl, 0, sizeof *cl);
}

CONVK_API_ int convk_cl_build_log(const convk_cl *cl, char *text, size_t size, size_t *length) {
  size_t need = 0;
  char *whole;
  cl_int error;
  if (!cl || (size && !text) || !length) return CONVK_ERR_NULL;
  if (!cl->cache) return CONVK_ERR_HANDLE;
  if (size) text[0] = 0;
  *length = 0;
  if (!cl->cache->failed) return CONVK_OK;
  if (clGetProgramBuildInfo(cl->cache->failed, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &need)) return CONVK_ERR_DEVICE;
  *length = need;
  if (!size || !need) return CONVK_OK;
  whole = (char *)CONVK_MALLOC(need); /* OpenCL gives all or nothing */
  if (!whole) return CONVK_ERR_MEMORY;
  error = clGetProgramBuildInfo(cl->cache->failed, cl->device, CL_PROGRAM_BUILD_LOG, need, whole, NULL);
  if (!error) {
    const size_t n = need < size ? need : size;
    memcpy(text, whole, n);
    text[n - 1] = 0;
  }
  CONVK_FREE(whole);
  return error ? CONVK_ERR_DEVICE : CONVK_OK;
}
#endif

/* ---- programs by number ----
   A launch that was made before costs no text and no search among texts: its program is known by a number, a checksum of which
   kernel it is and of all values that its options are made of.
     p = convk_cl_known_(cl, number = convk_cl_number_(kernel, values, count));
     if (!p) { options, convk_cl_kernel_(..., &p), convk_cl_remember_(cl, number, p, choice, count) }
   which is convk_cl_program_of_ where options are one text and there is no choice.
   The choice is what a launch needs to know beside the kernel, such as the items of a group that the program was built for. */

enum { /* kernels, and those of a family one after another */
       CONVK_CL_FILTERS_ = 0x100,
       CONVK_CL_STENCIL_ = 0x200,
       CONVK_CL_VMATH_ = 0x300,
       CONVK_CL_GAUSSIAN_ = 0x400,
       CONVK_CL_FORM_ = 0x500,
       CONVK_CL_FFT_ = 0x600,
       CONVK_CL_PAIR_ = 0x700
};

/* values: `count` of them, without padding. */
CONVK_LOCAL_ uint64_t convk_cl_number_(unsigned kernel, const uint32_t *values, size_t count) {
  return convk_hash_(kernel, values, count * sizeof *values) | 1;
}

CONVK_LOCAL_ convk_cl_program_ *convk_cl_known_(convk_cl *cl, uint64_t number) {
  struct convk_cl_cache_ *const cache = cl->cache;
  size_t i;
  for (i = 0; i < CONVK_CL_PROGRAMS_; i++)
    if (cache->numbers[i] == number) {
      cache->programs[i].used = ++cache->clock;
      return &cache->programs[i];
    }
  return NULL;
}

CONVK_LOCAL_ void convk_cl_remember_(convk_cl *cl, uint64_t number, convk_cl_program_ *p, const size_t *choice, size_t count) {
  cl->cache->numbers[p - cl->cache->programs] = number;
  if (count) memcpy(p->choice, choice, count * sizeof *choice);
}

/* The program with these options, or NULL; *oldest is where another may go. */
CONVK_LOCAL_ convk_cl_program_ *convk_cl_find_(struct convk_cl_cache_ *cache, const char *options, convk_cl_program_ **oldest) {
  convk_cl_program_ *p = cache->programs;
  size_t i;
  for (i = 0; i < CONVK_CL_PROGRAMS_; i++) {
    convk_cl_program_ *q = &cache->programs[i];
    if (q->key[0] && !strcmp(q->key, options)) {
      q->used = ++cache->clock;
      return q;
    }
    if (q->used < p->used) p = q;
  }
  *oldest = p;
  return NULL;
}

/* The kernel of a program that is there. */
CONVK_LOCAL_ cl_int convk_cl_take_kernel_(const convk_cl *cl, const char *name, convk_cl_program_ *p) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(p->program, name, &error);
  if (error) return error;
  error = clGetKernelWorkGroupInfo(kernel, cl->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size_t), &p->items, NULL);
  if (error) (void)clReleaseKernel(kernel);
  else p->kernel = kernel;
  return error;
}

/* The same for one that came from elsewhere; not zero where it is of another text, or the driver does not want it any more. */
CONVK_LOCAL_ cl_int convk_cl_wake_(const convk_cl *cl, const char *const *text, const char *name, convk_cl_program_ *p) {
  const unsigned char *binary = p->binary;
  cl_int error;
  if (p->source != convk_cl_checksum_(text, 0)) return CL_INVALID_BINARY;
  if (!p->program) {
    p->program = clCreateProgramWithBinary(cl->context, 1, &cl->device, &p->bytes, &binary, NULL, &error);
    if (error) p->program = NULL;
    if (!error) error = clBuildProgram(p->program, 1, &cl->device, p->key, NULL, NULL);
    if (error) return error;
    CONVK_FREE(p->binary);
    p->binary = NULL;
  }
  return convk_cl_take_kernel_(cl, name, p);
}

/* Builds a program from its text. */
CONVK_LOCAL_ int convk_cl_build_(convk_cl *cl, const char *const *text, const char *name, const char *options,
                                 convk_cl_program_ *fresh) {
  struct convk_cl_cache_ *cache = cl->cache;
  const size_t count = convk_cl_expand_(text, NULL);
  cl_int error;
  memset(fresh, 0, sizeof *fresh);
  if (strlen(options) >= sizeof fresh->key || count > CONVK_CL_LINES_) return CONVK_ERR_BUILD;
  strcpy(fresh->key, options);
  fresh->source = convk_cl_checksum_(text, 0);
  (void)convk_cl_expand_(text, cache->lines);
  fresh->program = clCreateProgramWithSource(cl->context, (cl_uint)count, cache->lines, NULL, &error);
  if (error) return convk_cl_status_(cl, "clCreateProgramWithSource", error);
  error = clBuildProgram(fresh->program, 1, &cl->device, options, NULL, NULL);
  if (error) {
    int status = convk_cl_status_(cl, "clBuildProgram", error);
    if (error == CL_BUILD_PROGRAM_FAILURE || error == CL_INVALID_BUILD_OPTIONS || error == CL_COMPILER_NOT_AVAILABLE) {
      const size_t used = strlen(cl->message);
      size_t length = 0;
      if (cache->failed) (void)clReleaseProgram(cache->failed);
      cache->failed = fresh->program;
      status = CONVK_ERR_BUILD;
      if (used + 2 < sizeof cl->message &&
          !convk_cl_build_log(cl, cl->message + used + 2, sizeof cl->message - used - 2, &length) && length)
        memcpy(cl->message + used, ": ", 2);
    } else {
      (void)clReleaseProgram(fresh->program);
    }
    return status;
  }
  error = convk_cl_take_kernel_(cl, name, fresh);
  if (!error) return CONVK_OK;
  convk_cl_drop_program_(fresh);
  return convk_cl_status_(cl, "clCreateKernel", error);
}

/* The kernel that `options` choose from the text, built once.  After CONVK_CL_SPECIAL_ programs, one that is built with
   `general` instead: a program that meets many filters should not build for each. */
CONVK_LOCAL_ int convk_cl_kernel_(convk_cl *cl, const char *const *text, const char *name, const char *options,
                                  const char *general, convk_cl_program_ **found) {
  struct convk_cl_cache_ *cache = cl->cache;
  convk_cl_program_ *p = NULL, fresh;
  int status;
  *found = convk_cl_find_(cache, options, &p);
  if (!*found && general && cache->special >= CONVK_CL_SPECIAL_) *found = convk_cl_find_(cache, options = general, &p);
  if (*found) {
    if ((*found)->kernel || !convk_cl_wake_(cl, text, name, *found)) return CONVK_OK;
    p = *found; /* it is built in its own place */
    *found = NULL;
  }
  status = convk_cl_build_(cl, text, name, options, &fresh);
  if (status) return status;
  fresh.used = ++cache->clock;
  cache->special += general && options != general;
  convk_cl_drop_program_(p);
  *p = fresh;
  cache->numbers[p - cache->programs] = 0;
  *found = p;
  return CONVK_OK;
}

/* A buffer with these taps, 64 to an axis, made once: filters live on the host. */
CONVK_LOCAL_ int convk_cl_taps_(convk_cl *cl, size_t element, const void *const *taps, const size_t *count, size_t axes,
                                cl_mem *mem) {
  struct convk_cl_cache_ *cache = cl->cache;
  convk_cl_filter_ *p = cache->filters, fresh;
  size_t i;
  cl_int error;
  memset(&fresh, 0, sizeof fresh);
  fresh.bytes = 3 * 64 * element;
  for (i = 0; i < axes; i++) memcpy(fresh.taps + i * 64 * element, taps[i], count[i] * element);
  for (i = 0; i < CONVK_CL_FILTER_LISTS_; i++) {
    convk_cl_filter_ *q = &cache->filters[i];
    if (q->mem && q->bytes == fresh.bytes && !memcmp(q->taps, fresh.taps, fresh.bytes)) {
      q->used = ++cache->clock;
      *mem = q->mem;
      return CONVK_OK;
    }
    if (q->used < p->used) p = q;
  }
  fresh.mem = clCreateBuffer(cl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, fresh.bytes, fresh.taps, &error);
  if (error) return convk_cl_status_(cl, "clCreateBuffer", error);
  fresh.used = ++cache->clock;
  if (p->mem) (void)clReleaseMemObject(p->mem);
  *p = fresh;
  *mem = p->mem;
  return CONVK_OK;
}
/* ---- src/device/opencl_saved.h ---- */
#if CONVK_CORE_
/* ------------------------------------------------------------------------------------------------------- saved programs -- */

/* What saved programs begin with.  Each of them is then a head, and its binary, without gaps. */
typedef struct convk_cl_saved_ {
  char magic[16];
  uint64_t version, sum, bytes, count; /* sum: the checksum of all, where it is itself 0 */
  char device[4][256];                 /* name, vendor, version, and its driver's */
} convk_cl_saved_;
typedef struct convk_cl_saved_head_ {
  char key[CONVK_CL_KEY_];
  uint64_t source, bytes;
} convk_cl_saved_head_;

CONVK_LOCAL_ int convk_cl_saved_head_of_(convk_cl *cl, convk_cl_saved_ *head) {
  static const cl_device_info what[4] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION, CL_DRIVER_VERSION};
  int i;
  memset(head, 0, sizeof *head);
  memcpy(head->magic, "convk programs", 14);
  head->version = CONVK_VERSION;
  for (i = 0; i < 4; i++) {
    const cl_int error = clGetDeviceInfo(cl->device, what[i], sizeof head->device[i] - 1, head->device[i], NULL);
    if (error) return convk_cl_status_(cl, "clGetDeviceInfo", error);
  }
  return CONVK_OK;
}

/* The binary of a program for the device: its size, or with `to` its bytes.  A program may know more devices. */
CONVK_LOCAL_ int convk_cl_binary_(convk_cl *cl, cl_device_id device, cl_program program, unsigned char *to, size_t *bytes) {
  cl_uint count = 0, i, own = 0;
  cl_device_id *devices = NULL;
  size_t *sizes = NULL;
  unsigned char **list = NULL;
  void *memory = NULL;
  cl_int error = clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL);
  *bytes = 0;
  if (!error && count) {
    memory = CONVK_MALLOC(count * (sizeof *devices + sizeof *sizes + sizeof *list));
    if (!memory) return CONVK_ERR_MEMORY;
    sizes = (size_t *)memory; /* three lists of the same alignment, one after another */
    devices = (cl_device_id *)(void *)(sizes + count);
    list = (unsigned char **)(void *)(devices + count);
    error = clGetProgramInfo(program, CL_PROGRAM_DEVICES, count * sizeof *devices, devices, NULL);
    if (!error) error = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof *sizes, sizes, NULL);
    while (!error && own < count && devices[own] != device) own++;
    if (!error && own < count) *bytes = sizes[own];
    for (i = 0; i < count; i++) list[i] = i == own ? to : NULL;
    if (!error && to) error = clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *list, list, NULL);
    CONVK_FREE(memory);
  }
  return convk_cl_status_(cl, "clGetProgramInfo", error);
}

/* The same of a place of a cache, whose program may be a binary still. */
CONVK_LOCAL_ int convk_cl_bytes_of_(convk_cl *cl, cl_device_id device, const convk_cl_program_ *p, unsigned char *to,
                                    size_t *bytes) {
  *bytes = p->bytes;
  if (p->program) return convk_cl_binary_(cl, device, p->program, to, bytes);
  if (to && p->binary) memcpy(to, p->binary, p->bytes);
  return CONVK_OK;
}

CONVK_LOCAL_ uint64_t convk_cl_saved_sum_(const convk_cl_saved_ *head, const unsigned char *data) {
  convk_cl_saved_ plain = *head;
  plain.sum = 0;
  return convk_hash_(convk_hash_(0, &plain, sizeof plain), data + sizeof plain, (size_t)head->bytes - sizeof plain);
}

CONVK_API_ int convk_cl_programs_save(convk_cl *cl, void *data, size_t size, size_t *bytes) {
  unsigned char *to = (unsigned char *)data;
  convk_cl_saved_head_ one;
  convk_cl_saved_ head;
  size_t i, at = sizeof head, used;
  int status, write;
  if (!cl || !bytes || (!data && size)) return CONVK_ERR_NULL;
  if (!cl->cache) return CONVK_ERR_HANDLE;
  status = convk_cl_saved_head_of_(cl, &head);
  for (write = 0; write < 2 && !status; write++) {
    for (i = 0, at = sizeof head; i < CONVK_CL_PROGRAMS_ && !status; i++) {
      const convk_cl_program_ *p = &cl->cache->programs[i];
      unsigned char *binary = write ? to + at + sizeof one : NULL;
      status = convk_cl_bytes_of_(cl, cl->device, p, NULL, &used);
      if (!status && used && write) status = convk_cl_bytes_of_(cl, cl->device, p, binary, &used);
      if (status || !used) continue; /* a driver may have no binaries */
      memset(&one, 0, sizeof one);
      strcpy(one.key, p->key);
      one.source = p->source;
      one.bytes = used;
      if (write) memcpy(to + at, &one, sizeof one);
      head.count += !write;
      at += sizeof one + used;
    }
    if (status) break;
    *bytes = at;
    if (!data) return CONVK_OK;
    if (size < at) return CONVK_ERR_SIZE;
  }
  if (status) return status;
  head.bytes = at;
  head.sum = convk_cl_saved_sum_(&head, to);
  memcpy(to, &head, sizeof head);
  return CONVK_OK;
}

/* A free place for a program that a cache does not have, or NULL. */
CONVK_LOCAL_ convk_cl_program_ *convk_cl_place_(struct convk_cl_cache_ *cache, const char *key) {
  convk_cl_program_ *p = NULL;
  return convk_cl_find_(cache, key, &p) || p->key[0] ? NULL : p;
}

/* Gives place p of the cache memory for a program's binary of so many bytes, a copy of `from` if not NULL, and its key. */
CONVK_LOCAL_ int convk_cl_settle_(convk_cl *cl, convk_cl_program_ *p, const char *key, uint64_t source, const void *from,
                                  size_t bytes) {
  unsigned char *binary = (unsigned char *)CONVK_MALLOC(bytes);
  if (!binary) return CONVK_ERR_MEMORY;
  if (from) memcpy(binary, from, bytes);
  p->binary = binary;
  p->bytes = bytes;
  p->source = source;
  strcpy(p->key, key);
  p->used = ++cl->cache->clock;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cl_refuse_(convk_cl *cl, const char *why) {
  (void)snprintf(cl->message, sizeof cl->message, "saved programs: %s", why);
  return CONVK_ERR_PROGRAMS;
}

/* The next of saved programs, whose head is `one`; 0: damaged. */
CONVK_LOCAL_ int convk_cl_saved_next_(const unsigned char *data, size_t size, size_t at, convk_cl_saved_head_ *one) {
  if (size - at < sizeof *one) return 0;
  memcpy(one, data + at, sizeof *one);
  return one->key[0] && !one->key[sizeof one->key - 1] && one->bytes && one->bytes <= size - at - sizeof *one;
}

/* Whether `data` holds programs for this device, unharmed. */
CONVK_LOCAL_ int convk_cl_saved_check_(convk_cl *cl, const unsigned char *data, size_t size, convk_cl_saved_ *head) {
  convk_cl_saved_head_ one;
  convk_cl_saved_ own;
  size_t at = sizeof *head;
  uint64_t i;
  const int status = convk_cl_saved_head_of_(cl, &own);
  if (status) return status;
  if (size < sizeof *head || memcmp(data, own.magic, sizeof own.magic)) return convk_cl_refuse_(cl, "these are none");
  memcpy(head, data, sizeof *head);
  if (head->version != own.version) return convk_cl_refuse_(cl, "of another version of convk");
  if (head->bytes != size || head->sum != convk_cl_saved_sum_(head, data)) return convk_cl_refuse_(cl, "damaged");
  for (i = 0; i < head->count; i++, at += sizeof one + (size_t)one.bytes)
    if (!convk_cl_saved_next_(data, size, at, &one)) return convk_cl_refuse_(cl, "damaged");
  if (at != size) return convk_cl_refuse_(cl, "damaged");
  if (memcmp(head->device, own.device, sizeof own.device)) return convk_cl_refuse_(cl, "of another device or driver");
  return CONVK_OK;
}

CONVK_API_ int convk_cl_programs_load(convk_cl *cl, const void *data, size_t size) {
  const unsigned char *from = (const unsigned char *)data;
  convk_cl_saved_head_ one;
  convk_cl_saved_ head;
  size_t at = sizeof head;
  uint64_t i;
  int status;
  if (!cl || !data) return CONVK_ERR_NULL;
  if (!cl->cache) return CONVK_ERR_HANDLE;
  status = convk_cl_saved_check_(cl, from, size, &head);
  for (i = 0; !status && i < head.count; i++, at += sizeof one + (size_t)one.bytes) {
    convk_cl_program_ *p;
    (void)convk_cl_saved_next_(from, size, at, &one);
    p = convk_cl_place_(cl->cache, one.key);
    if (p) status = convk_cl_settle_(cl, p, one.key, one.source, from + at + sizeof one, (size_t)one.bytes);
  }
  return status;
}

CONVK_API_ int convk_cl_programs_share(convk_cl *cl, const convk_cl *from) {
  size_t i, bytes;
  int status = CONVK_OK;
  if (!cl || !from) return CONVK_ERR_NULL;
  if (!cl->cache || !from->cache) return CONVK_ERR_HANDLE;
  if (cl->device != from->device) return convk_cl_refuse_(cl, "of another device or driver");
  for (i = 0; i < CONVK_CL_PROGRAMS_ && cl != from && !status; i++) {
    const convk_cl_program_ *q = &from->cache->programs[i];
    convk_cl_program_ *p = q->key[0] ? convk_cl_place_(cl->cache, q->key) : NULL;
    if (!p) continue;
    if (q->program && cl->context == from->context) {
      const cl_int error = clRetainProgram(q->program);
      if (error) return convk_cl_status_(cl, "clRetainProgram", error);
      strcpy(p->key, q->key);
      p->source = q->source;
      p->program = q->program;
      p->used = ++cl->cache->clock;
      continue;
    }
    status = convk_cl_bytes_of_(cl, from->device, q, NULL, &bytes);
    if (status || !bytes) continue;
    status = convk_cl_settle_(cl, p, q->key, q->source, NULL, bytes);
    if (!status) status = convk_cl_bytes_of_(cl, from->device, q, p->binary, &bytes);
    if (status) convk_cl_drop_program_(p);
  }
  return status;
}
#endif
/* ---- src/device/opencl_launch.h ---- */
/* ----------------------------------------------------------------------------------------------------------- launching -- */

/* Arguments of a kernel, in sequence.
   status   why there is no program; then puts do nothing, launches return it, and p is a dummy whose sizes are 1, so that
            callers may divide by them */
typedef struct convk_cl_args_ {
  const convk_cl_program_ *p;
  cl_uint next;
  cl_int error;
  int status;
} convk_cl_args_;

CONVK_LOCAL_ convk_cl_args_ convk_cl_args_of_(int status, const convk_cl_program_ *p) {
  static const convk_cl_program_ none = {"", 0, NULL, 0, NULL, NULL, 1, {1, 1, 1, 1}, 0};
  convk_cl_args_ args = {NULL, 0, CL_SUCCESS, CONVK_OK};
  args.p = status ? &none : p;
  args.status = status;
  return args;
}

CONVK_LOCAL_ void convk_cl_put_(convk_cl_args_ *args, size_t size, const void *value) {
  if (args->status || args->error) return;
  args->error = clSetKernelArg(args->p->kernel, args->next++, size, value);
}
CONVK_LOCAL_ void convk_cl_put_mem_(convk_cl_args_ *args, cl_mem mem) { convk_cl_put_(args, sizeof mem, &mem); }
CONVK_LOCAL_ void convk_cl_put_local_(convk_cl_args_ *args, size_t bytes) { convk_cl_put_(args, bytes, NULL); }
CONVK_LOCAL_ void convk_cl_put_int_(convk_cl_args_ *args, size_t value) {
  const cl_int v = (cl_int)value;
  convk_cl_put_(args, sizeof v, &v);
}
CONVK_LOCAL_ void convk_cl_put_size_(convk_cl_args_ *args, size_t value) {
  const cl_ulong v = value;
  convk_cl_put_(args, sizeof v, &v);
}
CONVK_LOCAL_ void convk_cl_put_real_(convk_cl_args_ *args, size_t element, double value) {
  const float f = element == sizeof f ? (float)value : 0;
  convk_cl_put_(args, element, element == sizeof f ? (const void *)&f : (const void *)&value);
}

/* What most kernels take: a struct (device/arguments.h), then buffers. */
CONVK_LOCAL_ void convk_cl_put_all_(convk_cl_args_ *args, const void *arguments, size_t size, const cl_mem *buffers,
                                    size_t count) {
  size_t i;
  convk_cl_put_(args, size, arguments);
  for (i = 0; i < count; i++) convk_cl_put_mem_(args, buffers[i]);
}

/* A kernel by its number.  Where that is new, `format` and what follows it make its options. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_program_of_(convk_cl *cl, uint64_t number, const char *const *text, const char *name,
                                                 const char *format, ...) {
  convk_cl_program_ *p = convk_cl_known_(cl, number);
  char options[CONVK_CL_KEY_];
  va_list list;
  int length, status = CONVK_OK;
  if (p) return convk_cl_args_of_(CONVK_OK, p);
  va_start(list, format);
  length = vsnprintf(options, sizeof options, format, list);
  va_end(list);
  if (length < 0 || (size_t)length >= sizeof options) status = CONVK_ERR_BUILD;
  if (!status) status = convk_cl_kernel_(cl, text, name, options, NULL, &p);
  if (!status) convk_cl_remember_(cl, number, p, NULL, 0);
  return convk_cl_args_of_(status, p);
}

/* Whether a kernel that was built for groups of so many items has room for fewer: it is built again for half of them. */
CONVK_LOCAL_ int convk_cl_fewer_(const convk_cl_program_ *p, size_t *items) {
  const int fewer = *items > p->items && *items > 1;
  if (fewer) *items /= 2;
  return fewer;
}

/* The same of a kernel whose groups have group[0] items, or fewer where there is no room; its choice: all `count` numbers. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_program_in_groups_(convk_cl *cl, uint64_t number, const char *const *text,
                                                        const char *name, size_t *group, size_t count, const char *format,
                                                        ...) {
  convk_cl_program_ *p = convk_cl_known_(cl, number);
  char options[CONVK_CL_KEY_];
  va_list list;
  int length, status;
  if (p) return convk_cl_args_of_(CONVK_OK, p);
  do {
    va_start(list, format);
    length = snprintf(options, sizeof options, "-DITEMS=%d ", (int)group[0]);
    (void)vsnprintf(options + length, sizeof options - (size_t)length, format, list);
    va_end(list);
    status = convk_cl_kernel_(cl, text, name, options, NULL, &p);
  } while (!status && convk_cl_fewer_(p, &group[0]));
  if (!status) convk_cl_remember_(cl, number, p, group, count);
  return convk_cl_args_of_(status, p);
}

/* Commands of one call: the first waits for the caller's events, each other one for its predecessor, so that the queue may be
   out of order. */
typedef struct convk_cl_chain_ {
  convk_cl *cl;
  cl_command_queue queue;
  cl_uint num_wait;
  const cl_event *wait;
  cl_event last;
  cl_event *event; /* the caller's, or NULL */
  char *message;
  convk *hw;     /* whose tuned entries count, or NULL */
  size_t planes; /* or items, of the whole of which the call has a part; 0: it has all */
} convk_cl_chain_;

CONVK_LOCAL_ convk_cl_chain_ convk_cl_chain_of_(convk_cl *cl, cl_command_queue queue, cl_uint num_wait, const cl_event *wait) {
  convk_cl_chain_ chain = {NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0};
  chain.cl = cl;
  chain.queue = queue;
  chain.num_wait = num_wait;
  chain.wait = wait;
  return chain;
}

/* Work-groups of up to want_x by want_y items. */
CONVK_LOCAL_ void convk_cl_group_(const convk_cl *cl, const convk_cl_program_ *p, size_t want_x, size_t want_y,
                                  size_t local[2]) {
  const size_t limit = cl->group_items < p->items ? cl->group_items : p->items;
  if (want_x > cl->group_x) want_x = cl->group_x;
  if (want_y > cl->group_y) want_y = cl->group_y;
  while (want_x * want_y > limit && want_y > 1) want_y /= 2;
  while (want_x * want_y > limit && want_x > 1) want_x /= 2;
  local[0] = want_x ? want_x : 1;
  local[1] = want_y ? want_y : 1;
}

/* Most work-groups of a launch along y, for any device: some take no more than 65,535. */
#ifndef CONVK_CL_GROUPS_Y_
#define CONVK_CL_GROUPS_Y_ ((size_t)32768)
#endif

/* Groups along two axes, and items of each. */
CONVK_LOCAL_ int convk_cl_launch_(convk_cl_chain_ *chain, const convk_cl_args_ *args, size_t groups_x, size_t items_x,
                                  size_t groups_y, size_t items_y) {
  size_t global[2], local[2];
  cl_event next = NULL;
  cl_int error = args->error;
  if (args->status) return args->status;
  if (error) return convk_cl_status_(chain->cl, "clSetKernelArg", error);
  global[0] = groups_x * items_x;
  global[1] = groups_y * items_y;
  local[0] = items_x;
  local[1] = items_y;
  error = clEnqueueNDRangeKernel(chain->queue, args->p->kernel, 2, NULL, global, local, chain->last ? 1 : chain->num_wait,
                                 chain->last ? &chain->last : chain->wait, &next);
  if (error) return convk_cl_status_(chain->cl, "clEnqueueNDRangeKernel", error);
  if (chain->last) (void)clReleaseEvent(chain->last);
  chain->last = next;
  if (chain->cl->cache->timed) {
    struct convk_cl_cache_ *const cache = chain->cl->cache;
    if (!cache->first && !clRetainEvent(next)) cache->first = next;
    cache->way = convk_hash_(cache->way, &args->p->kernel, sizeof args->p->kernel);
    cache->way = convk_hash_(convk_hash_(cache->way, global, sizeof global), local, sizeof local);
  }
  return CONVK_OK;
}

/* Any number of lines of groups along y, in several launches: the kernel's last argument is the first line of one. */
CONVK_LOCAL_ int convk_cl_launch_lines_(convk_cl_chain_ *chain, const convk_cl_args_ *args, size_t groups_x, size_t items_x,
                                        size_t lines) {
  size_t first, some;
  int status = args->status;
  for (first = 0; first < lines && !status; first += some) {
    convk_cl_args_ with = *args;
    some = lines - first < CONVK_CL_GROUPS_Y_ ? lines - first : CONVK_CL_GROUPS_Y_;
    convk_cl_put_size_(&with, first);
    status = convk_cl_launch_(chain, &with, groups_x, items_x, some, 1);
  }
  return status;
}

/* `count` items, and some more of the last group; groups of up to `want`. */
CONVK_LOCAL_ int convk_cl_launch_row_(convk_cl_chain_ *chain, const convk_cl_args_ *args, size_t count, size_t want) {
  size_t local[2];
  convk_cl_group_(chain->cl, args->p, want, 1, local);
  return convk_cl_launch_(chain, args, convk_ceil_(count, local[0]), local[0], 1, 1);
}

/* Adds the time from the first kernel of a chain to its end, and waits for that. */
CONVK_LOCAL_ int convk_cl_chain_time_(convk_cl_chain_ *chain) {
  struct convk_cl_cache_ *const cache = chain->cl->cache;
  cl_ulong from = 0, to = 0;
  cl_int error = clWaitForEvents(1, &chain->last);
  if (!error) error = clGetEventProfilingInfo(cache->first, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL);
  if (!error) error = clGetEventProfilingInfo(chain->last, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL);
  if (!error && to > from) cache->seconds += 1e-9 * (double)(to - from);
  return convk_cl_status_(chain->cl, "the time of a kernel", error);
}

/* The last command's event goes to the caller, or away; a call that enqueues nothing has one all the same. */
CONVK_LOCAL_ int convk_cl_chain_end_(convk_cl_chain_ *chain, int status, cl_event *event) {
  if (!status && event && !chain->last) {
    const cl_int error = clEnqueueMarkerWithWaitList(chain->queue, chain->num_wait, chain->wait, &chain->last);
    if (error) status = convk_cl_status_(chain->cl, "clEnqueueMarkerWithWaitList", error);
  }
  if (chain->cl && chain->cl->cache && chain->cl->cache->first) {
    if (!status && chain->last) status = convk_cl_chain_time_(chain);
    (void)clReleaseEvent(chain->cl->cache->first);
    chain->cl->cache->first = NULL;
  }
  if (chain->last) {
    if (event && !status) *event = chain->last;
    else (void)clReleaseEvent(chain->last);
  }
  chain->last = NULL;
  return status;
}

CONVK_LOCAL_ convk_cl_array convk_cl_at_(cl_mem mem, size_t offset) {
  convk_cl_array array;
  array.mem = mem;
  array.offset = offset;
  return array;
}

CONVK_LOCAL_ void convk_cl_put_array_(convk_cl_args_ *args, const convk_cl_array *array) {
  convk_cl_put_mem_(args, array->mem);
  convk_cl_put_size_(args, array->offset);
}
CONVK_LOCAL_ void convk_cl_put_arrays_(convk_cl_args_ *args, const convk_cl_array *array, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) convk_cl_put_array_(args, &array[i]);
}

/* Double precision is needed for f64, and for sums. */
CONVK_LOCAL_ int convk_cl_precision_(convk_cl *cl, size_t element, unsigned sums) {
  if (cl->fp64 || (element == sizeof(cl_float) && !sums)) return CONVK_OK;
  (void)snprintf(cl->message, sizeof cl->message, "the device has no double precision");
  return CONVK_ERR_FP64;
}

CONVK_LOCAL_ int convk_cl_little_(convk_cl *cl) {
  (void)snprintf(cl->message, sizeof cl->message, "the device has too little local memory");
  return CONVK_ERR_UNSUPPORTED;
}

CONVK_LOCAL_ const char *convk_cl_type_(size_t element) { return element == sizeof(cl_float) ? "float" : "double"; }

CONVK_LOCAL_ int convk_cl_check_(const convk_cl *cl) { return !cl ? CONVK_ERR_NULL : cl->cache ? CONVK_OK : CONVK_ERR_HANDLE; }
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
   MORE_0 of form factors has the mesh, or parts of it.  Results of Gaussians are of several kinds: kind d is in OUT + d.
   Functions of arrays have their results in IN, sincos its cosines in OUT.
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
/* ---- src/device/opencl_host.h ---- */

/* --------------------------------------------------------------------------------------------------------- host arrays -- */

typedef cl_mem convk_cl_memory_;

/* What hw->ours.inside.device points to.  Buffers grow and are kept. */
typedef struct convk_cl_host_ {
  convk *hw; /* of the call under way */
  convk_cl cl;
  cl_command_queue queue;
  cl_command_queue untimed; /* of the handle, while convk_tune has one that notes times; else NULL */
  int still;                /* 1: convk_tune measures, and copies of arrays are left out */
  cl_mem buffer[CONVK_DEVICE_ARRAYS_];
  size_t bytes[CONVK_DEVICE_ARRAYS_];
  unsigned used;                         /* which of them the call under way has, as bits */
  cl_command_queue lane[CONVK_STREAMS_]; /* [0] is `queue` */
  cl_command_queue now;                  /* where copies go */
  cl_event mark[CONVK_MARKS_];
  int has_lanes; /* lanes 1 and 2 are there: they are made when first needed */
} convk_cl_host_;

#if CONVK_CORE_
CONVK_API_ convk_cl *convk_cl_of(convk *hw) {
  if (convk_check_handle_(hw) || strcmp(hw->name, "opencl") || !hw->ours.inside.device) return NULL;
  return &((convk_cl_host_ *)hw->ours.inside.device)->cl;
}
#endif

CONVK_LOCAL_ cl_command_queue convk_cl_new_queue_(const convk_cl *cl, int timed, cl_int *error) {
#if CL_TARGET_OPENCL_VERSION < 200
  return clCreateCommandQueue(cl->context, cl->device, timed ? CL_QUEUE_PROFILING_ENABLE : 0, error);
#else
  const cl_queue_properties properties[3] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  return clCreateCommandQueueWithProperties(cl->context, cl->device, timed ? properties : NULL, error);
#endif
}

CONVK_LOCAL_ int convk_cl_host_of_(convk *hw, convk_cl_host_ **host) {
  const int status = convk_begin_call_(hw);
  if (status) return status;
  if (!convk_cl_of(hw)) return CONVK_ERR_HANDLE;
  *host = (convk_cl_host_ *)hw->ours.inside.device;
  (*host)->hw = hw;
  (*host)->cl.message[0] = 0;
  return CONVK_OK;
}

/* A failed call's message belongs to the handle, which the signature of operations calls const. */
CONVK_LOCAL_ int convk_cl_report_(const convk_cl_host_ *host, int status) {
  if (status && host->cl.message[0]) memcpy(((convk *)host->hw)->message, host->cl.message, sizeof host->hw->message);
  return status;
}

CONVK_LOCAL_ int convk_cl_able_(convk_cl_host_ *host, size_t element, unsigned sums) {
  return convk_cl_report_(host, convk_cl_precision_(&host->cl, element, sums));
}

CONVK_LOCAL_ convk *convk_cl_threads_(convk *hw) { return hw; }

CONVK_LOCAL_ void convk_cl_drop_(convk_cl_host_ *host, size_t which) {
  if (host->buffer[which]) (void)clReleaseMemObject(host->buffer[which]);
  host->buffer[which] = NULL;
  host->bytes[which] = 0;
}

CONVK_LOCAL_ int convk_cl_begin_(convk_cl_host_ *host) {
  host->now = host->queue;
  host->used = 0;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cl_allot_(convk_cl_host_ *host, size_t which, size_t bytes) {
  cl_int error;
  host->buffer[which] = clCreateBuffer(host->cl.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  return convk_cl_status_(&host->cl, "clCreateBuffer", error);
}

/* Releases lanes 1 and 2 and the marks, also where some are missing; errors count for nothing. */
CONVK_LOCAL_ void convk_cl_lanes_destroy_(convk_cl_host_ *host) {
  size_t i;
  for (i = 0; i < CONVK_MARKS_; i++) {
    if (host->mark[i]) (void)clReleaseEvent(host->mark[i]);
    host->mark[i] = NULL;
  }
  for (i = 1; i < CONVK_STREAMS_; i++) {
    if (host->lane[i]) (void)clReleaseCommandQueue(host->lane[i]);
    host->lane[i] = NULL;
  }
  host->has_lanes = 0;
}

/* Makes lanes 1 and 2, once. */
CONVK_LOCAL_ int convk_cl_lanes_(convk_cl_host_ *host) {
  cl_int error = CL_SUCCESS;
  size_t i;
  if (host->has_lanes) return CONVK_OK;
  host->lane[0] = host->queue;
  for (i = 1; i < CONVK_STREAMS_ && !error; i++) {
    host->lane[i] = convk_cl_new_queue_(&host->cl, 0, &error);
    if (error) host->lane[i] = NULL;
  }
  if (!error) host->has_lanes = 1;
  else convk_cl_lanes_destroy_(host);
  return convk_cl_status_(&host->cl, "a command queue", error);
}

CONVK_LOCAL_ void convk_cl_lane_(convk_cl_host_ *host, int which) { host->now = which ? host->lane[which] : host->queue; }

/* Queues go on by themselves once they are flushed, so that another one may wait for the mark. */
CONVK_LOCAL_ int convk_cl_mark_(convk_cl_host_ *host, size_t which) {
  cl_int error;
  if (host->mark[which]) (void)clReleaseEvent(host->mark[which]);
  host->mark[which] = NULL;
  error = clEnqueueMarkerWithWaitList(host->now, 0, NULL, &host->mark[which]);
  if (!error) error = clFlush(host->now);
  return convk_cl_status_(&host->cl, "clEnqueueMarkerWithWaitList", error);
}
CONVK_LOCAL_ int convk_cl_after_(convk_cl_host_ *host, size_t which) {
  return convk_cl_status_(&host->cl, "clEnqueueBarrierWithWaitList",
                          clEnqueueBarrierWithWaitList(host->now, 1, &host->mark[which], NULL));
}

CONVK_LOCAL_ int convk_cl_until_(convk_cl_host_ *host, size_t which) {
  return convk_cl_status_(&host->cl, "clWaitForEvents", clWaitForEvents(1, &host->mark[which]));
}

/* A processor would copy instead of working. */
CONVK_LOCAL_ int convk_cl_beside_(const convk_cl_host_ *host) { return !host->cl.cpu; }

/* Bytes that buffers of a call may take: what the handle allows, or all of the device's memory. */
CONVK_LOCAL_ int convk_cl_allowed_(convk_cl_host_ *host, size_t *bytes) {
  cl_ulong all = 0;
  cl_int error = CL_SUCCESS;
  if (!host->hw->device_bytes) error = clGetDeviceInfo(host->cl.device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, NULL);
  *bytes = host->hw->device_bytes ? host->hw->device_bytes : (size_t)all;
  return convk_cl_status_(&host->cl, "clGetDeviceInfo", error);
}

/* A box between a host array with the pitches of `grid` and a packed buffer of such a grid, which begins `at` bytes, a number
   of planes, behind the buffer's beginning. */
CONVK_LOCAL_ int convk_cl_copy_box_(convk_cl_host_ *host, int download, cl_mem mem, size_t at, const convk_grid3 *grid,
                                    const size_t first[3], const size_t count[3], size_t element, void *array) {
  const size_t row = grid->nx * element, plane = row * grid->ny;
  const size_t pitch = grid->pitch_y * element, slice = grid->pitch_z * element;
  /* OpenCL wants slices to be whole numbers of rows */
  const int one = count[2] > 1 && !(grid->pitch_z >= grid->ny * grid->pitch_y && grid->pitch_z % grid->pitch_y == 0);
  const size_t zero[3] = {0, 0, 0};
  size_t region[3], origin[3], z;
  cl_int error = CL_SUCCESS;
  if (host->still) return CONVK_OK;
  region[0] = count[0] * element;
  region[1] = count[1];
  region[2] = one ? 1 : count[2];
  origin[0] = first[0] * element;
  origin[1] = first[1];
  for (z = first[2]; z < first[2] + count[2] && !error; z += region[2]) {
    char *here = (char *)array + z * slice + origin[1] * pitch + origin[0];
    origin[2] = at / plane + z;
    error = download ? clEnqueueReadBufferRect(host->now, mem, CL_FALSE, origin, zero, region, row, plane, pitch,
                                               region[2] > 1 ? slice : 0, here, 0, NULL, NULL)
                     : clEnqueueWriteBufferRect(host->now, mem, CL_FALSE, origin, zero, region, row, plane, pitch,
                                                region[2] > 1 ? slice : 0, here, 0, NULL, NULL);
  }
  return convk_cl_status_(&host->cl, "a copy of rows", error);
}

/* Enqueues a copy of a whole grid between a host array and a packed buffer; does not wait. */
CONVK_LOCAL_ int convk_cl_copy_(convk_cl_host_ *host, int download, cl_mem mem, const convk_grid3 *grid, size_t element,
                                void *array) {
  const size_t plane = grid->nx * grid->ny, bytes = plane * grid->nz * element, first[3] = {0, 0, 0};
  size_t count[3];
  cl_int error;
  if (host->still) return CONVK_OK;
  if ((grid->ny == 1 || grid->pitch_y == grid->nx) && (grid->nz == 1 || grid->pitch_z == plane)) {
    error = download ? clEnqueueReadBuffer(host->now, mem, CL_FALSE, 0, bytes, array, 0, NULL, NULL)
                     : clEnqueueWriteBuffer(host->now, mem, CL_FALSE, 0, bytes, array, 0, NULL, NULL);
    return convk_cl_status_(&host->cl, "a copy of an array", error);
  }
  count[0] = grid->nx;
  count[1] = grid->ny;
  count[2] = grid->nz;
  return convk_cl_copy_box_(host, download, mem, 0, grid, first, count, element, array);
}

/* Always waits for all lanes: whatever was enqueued uses arrays of the caller. */
CONVK_LOCAL_ int convk_cl_wait_(convk_cl_host_ *host, int status) {
  cl_int error = clFinish(host->queue);
  int i;
  for (i = 1; i < CONVK_STREAMS_ && host->has_lanes; i++) {
    const cl_int copied = clFinish(host->lane[i]);
    if (!error) error = copied;
  }
  return !status && error ? convk_cl_status_(&host->cl, "clFinish", error) : status;
}
CONVK_LOCAL_ int convk_cl_end_(convk_cl_host_ *host, int status) {
  return convk_cl_report_(host, convk_cl_wait_(host, status));
}

/* Bytes of a buffer, from a list of the caller; and the first of them, back to it.  Neither waits. */
CONVK_LOCAL_ int convk_cl_send_(convk_cl_host_ *host, cl_mem mem, size_t at, size_t bytes, const void *list) {
  return convk_cl_status_(&host->cl, "a copy of an array",
                          clEnqueueWriteBuffer(host->now, mem, CL_FALSE, at, bytes, list, 0, NULL, NULL));
}
CONVK_LOCAL_ int convk_cl_fetch_(convk_cl_host_ *host, cl_mem mem, size_t at, size_t bytes, void *list) {
  return convk_cl_status_(&host->cl, "a copy of results",
                          clEnqueueReadBuffer(host->now, mem, CL_FALSE, at, bytes, list, 0, NULL, NULL));
}
CONVK_LOCAL_ int convk_cl_same_(convk_cl_host_ *host, cl_mem to, size_t to_at, cl_mem from, size_t from_at, size_t bytes) {
  return convk_cl_status_(&host->cl, "clEnqueueCopyBuffer",
                          clEnqueueCopyBuffer(host->now, from, to, from_at, to_at, bytes, 0, NULL, NULL));
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
/* ---- src/device/words_opencl.h ---- */
/* ---- the words of <family>/device.h for OpenCL; device/host.h says what they mean ---- */

typedef convk_cl_chain_ convk_cl_call_;
typedef convk_cl_array convk_cl_any_;

CONVK_LOCAL_ int convk_cl_call_of_(const convk_cl_queue *on, size_t element, unsigned sums, convk_cl_call_ *call) {
  int status = on ? convk_cl_check_(on->cl) : CONVK_ERR_NULL;
  memset(call, 0, sizeof *call);
  if (status) return status;
  on->cl->message[0] = 0;
  *call = convk_cl_chain_of_(on->cl, on->queue, on->num_wait, on->wait_list);
  call->event = on->event;
  call->message = on->cl->message;
  call->hw = on->cl->hw;
  if (call->hw && convk_check_handle_(call->hw))
    return convk_refuse_(call->message, CONVK_ERR_HANDLE, "on->cl->hw is not open, or of another version");
  if (!on->queue) return convk_refuse_(call->message, CONVK_ERR_NULL, "on->queue is NULL");
  if (on->num_wait && !on->wait_list)
    return convk_refuse_at_(call->message, CONVK_ERR_NULL, "on->wait_list is NULL, and on->num_wait is %", on->num_wait, 0, 0);
  return convk_cl_precision_(on->cl, element, sums);
}

CONVK_LOCAL_ convk_cl_call_ convk_cl_call_on_(convk_cl_host_ *host) {
  convk_cl_call_ call = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  call.message = host->cl.message;
  call.hw = host->hw;
  return call;
}

CONVK_LOCAL_ int convk_cl_call_end_(convk_cl_call_ *call, int status) { return convk_cl_chain_end_(call, status, call->event); }

CONVK_LOCAL_ convk_cl_array convk_cl_array_of_(cl_mem memory) { return convk_cl_at_(memory, 0); }
CONVK_LOCAL_ convk_cl_any_ convk_cl_none_(void) { return convk_cl_at_(NULL, 0); }

CONVK_LOCAL_ int convk_cl_array_place_(convk_cl_call_ *call, const char *name, convk_cl_array array, size_t count,
                                       size_t element, int flags, convk_place_ *place) {
  size_t size = 0, end;
  cl_int error;
  *place = convk_place_of_(name, NULL, 0, flags);
  if (!array.mem) return CONVK_OK;
  error = clGetMemObjectInfo(array.mem, CL_MEM_SIZE, sizeof size, &size, NULL);
  if (error) return convk_cl_status_(call->cl, "clGetMemObjectInfo", error);
  if (array.offset > (size_t)-1 - count || convk_mul_(array.offset + count, element, &end))
    return convk_refuse_names_(call->message, CONVK_ERR_OVERFLOW, "$.offset is too large", name, NULL);
  if (end > size) return convk_refuse_names_(call->message, CONVK_ERR_SIZE, "$.mem is too small a buffer", name, NULL);
  place->buffer = array.mem;
  place->begin = array.offset * element;
  place->bytes = count * element;
  return CONVK_OK;
}

CONVK_LOCAL_ convk_cl_array convk_cl_array_at_(convk_cl_array base, size_t bytes, size_t element) {
  return convk_cl_at_(base.mem, (base.offset + bytes) / element);
}
/* Elements of `element` bytes, the first of them `at` bytes behind the beginning of an array whose own have `each`. */
CONVK_LOCAL_ convk_cl_any_ convk_cl_array_part_(convk_cl_array array, size_t each, size_t at, size_t element) {
  return convk_cl_at_(array.mem, (array.offset * each + at) / element);
}
CONVK_LOCAL_ int convk_cl_is_set_(convk_cl_array array) { return array.mem != NULL; }

CONVK_LOCAL_ int convk_cl_query_of_(const convk_cl_queue *on, char **message) {
  const int status = on && on->cl ? convk_cl_check_(on->cl) : CONVK_OK;
  *message = on && on->cl && !status ? on->cl->message : NULL;
  if (*message) **message = 0;
  return status;
}

typedef convk_cl convk_cl_machine_;

CONVK_LOCAL_ int convk_cl_machine_of_(const convk_cl_queue *on, convk_cl_machine_ **machine) {
  *machine = on ? on->cl : NULL;
  return *machine ? CONVK_OK : CONVK_ERR_NULL;
}
CONVK_LOCAL_ convk_cl_machine_ *convk_cl_machine_of_call_(const convk_cl_call_ *call) { return call->cl; }

/* The offset is in bytes. */
CONVK_LOCAL_ int convk_cl_work_place_(convk_cl_call_ *call, convk_cl_array work, size_t work_size, size_t need,
                                      convk_place_ *place, convk_cl_array *base) {
  int status = convk_need_(call->message, "work", work.mem);
  if (!status) status = convk_work_check_(call->message, work.mem, work_size, need);
  if (!status) status = convk_cl_array_place_(call, "work", work, work_size, 1, CONVK_PLACE_WRITTEN_, place);
  if (!status) *base = convk_cl_at_(work.mem, convk_round_up_(work.offset, 256));
  return status;
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
#if CONVK_HAS_ELEMENTARY_
/* ---- src/elementary/opencl.h ---- */
/* The options that these sources want; division rounds once where the device can. */
CONVK_LOCAL_ void convk_cl_math_options_(const convk_cl *cl, size_t element, char options[CONVK_CL_KEY_], const char *more) {
  (void)snprintf(options, CONVK_CL_KEY_, "-DT=%s -DF64=%d %s%s", convk_cl_type_(element), element == sizeof(cl_double), more,
                 cl->divides && element == sizeof(cl_float) ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
}

/* Elements of a work-item, and items of a group: on processors an item is a whole block, whose loops become vectors; elsewhere
   groups of 128 items are a choice, two to four times what devices run in step. */
CONVK_LOCAL_ void convk_cl_block_(const convk_cl *cl, size_t many, size_t *items, size_t *points) {
  *items = cl->cpu ? 1 : 128;
  while (*items > cl->group_items || *items > cl->group_x) *items /= 2;
  *points = cl->cpu ? many : 1;
}
#endif
#if CONVK_HAS_FILTERS_
/* ---- src/filters/opencl.h ---- */
/* The text of the filters' kernels, in OpenCL C 1.2, as lines that end with NULL.  Build options choose the kernel
   (SEPCONV_YX, ...), whether an axis is periodic, the shapes of tiles, and, as numbers or as members of the kernel's struct,
   how many taps an axis has and what is done with results (ACTIONS, bits CONVK_FILTERS_DENSITY_ and so on).  Taps of x, y
   and z lie MAX_TAPS apart in `taps`. */
CONVK_LOCAL_ const char *const *convk_cl_filters_source_(void) {
  static const char *const lines[] = {
    "#line 1 \"filters/kernel.cl\"\n",
    "#include \"device/preamble.cl\"\n",
    "#line 2 \"filters/kernel.cl\"\n",
    "#include \"words/opencl.cl\"\n",
    "#line 3 \"filters/kernel.cl\"\n",
    "#include \"core/axis.h\"\n",
    "#line 4 \"filters/kernel.cl\"\n",
    "#line 1 \"device/arguments.h\"\n",
    "#ifndef CONVK_AXIS_INCLUDED_\n",
    "#define CONVK_AXIS_INCLUDED_\n",
    "/* ---- what kernels take ----\n",
    "   Beside its arrays a kernel takes one struct by value, which the host fills and OpenCL C and CUDA read: <family>/arguments.h\n",
    "   declares it once for all three,\n",
    "     CONVK_DEFINE_ARGUMENTS_(name) { members };\n",
    "   and CONVK_ARGUMENTS_(name) is its type.  Members are of uint64_t, int64_t, uint32_t, int32_t, and CONVK_ARGUMENT_T_, which is\n",
    "   the real type; the larger ones come first.  OpenCL has the struct once per precision, in CUDA it is a template of that type.\n",
    "   <family>/device.h fills what both devices need alike, opencl_calls.h and cuda.h how a launch is cut. */\n",
    "\n",
    "/* One axis: output i is the sum over k < ntaps of taps[k] times input i + shift + k; n points in, m points out. */\n",
    "typedef struct convk_axis_device_ {\n",
    "  uint64_t n, m, ntaps;\n",
    "  int64_t shift;\n",
    "  int32_t periodic, unused;\n",
    "} convk_axis_device_;\n",
    "#endif\n",
    "#line 5 \"filters/kernel.cl\"\n",
    "#line 1 \"filters/arguments.h\"\n",
    "/* What the kernels of this family take: each reads what concerns it. */\n",
    "CONVK_DEFINE_ARGUMENTS_(filters) {\n",
    "  convk_axis_device_ x, y, z;              /* of conv1d_transpose x, and y.n rows */\n",
    "  uint64_t in_y, in_z, out_y, out_z;       /* pitches of the input, and of the output */\n",
    "  uint64_t laid_y, laid_z;                 /* pitches of the potential and the density */\n",
    "  uint64_t tiles_x, strips, strip;         /* tiles of a row; strips of y, and rows of each */\n",
    "  uint64_t columns, blocks, chunks, chunk; /* of z: columns, in blocks of threads; chunks, and outputs of each */\n",
    "  uint64_t in_at, out_at, mid_at;          /* OpenCL: where arrays begin in their buffers, in elements */\n",
    "  uint64_t potential_at, density_at, dot_at, energy_at;\n",
    "  uint32_t actions, unused;       /* of the epilogue: CONVK_FILTERS_DENSITY_ ... */\n",
    "  CONVK_ARGUMENT_T_ factor, a, b; /* of the epilogue */\n",
    "};\n",
    "#line 6 \"filters/kernel.cl\"\n",
    "\n",
    "/* Point *i of an axis, and one step on; a periodic walk begins inside. */\n",
    "T walk(global const T *p, long *i, long n, ulong pitch, int periodic) {\n",
    "  const long at = *i;\n",
    "  *i = periodic && at + 1 == n ? 0 : at + 1;\n",
    "  return periodic || (at >= 0 && at < n) ? p[(ulong)at * pitch] : (T)0;\n",
    "}\n",
    "\n",
    "#ifdef ROWS\n",
    "/* Input r of a group of ROWS outputs, of `count` taps, into their sums. */\n",
    "void spread(T *sum, constant const T *taps, const int r, const int count, T v) {\n",
    "  int t;\n",
    "  CONVK_EACH_(t, ROWS) {\n",
    "    if (r == t) sum[t] = taps[0] * v;\n",
    "    else if (r > t && r < t + count) sum[t] = fma(taps[r - t], v, sum[t]);\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef SEPCONV_YX\n",
    "/* y from memory into a tile that has room for the reach of x, then x from the tile.  A work-item makes ROWS rows\n",
    "   of y in one column from one set of loads. */\n",
    "kernel void sepconv_yx(const CONVK_ARGUMENTS_(filters) args, global const T *in, global T *out, constant T *taps,\n",
    "                       local T *tile) {\n",
    "  const int taps_x = (int)args.x.ntaps, taps_y = (int)args.y.ntaps;\n",
    "  const long nx = (long)args.x.n, ny = (long)args.y.n, mx = (long)args.x.m, my = (long)args.y.m;\n",
    "  const int lx = (int)get_local_id(0), sx = (int)get_local_size(0);\n",
    "  const int ly = (int)get_local_id(1), sy = (int)get_local_size(1);\n",
    "  const int columns = TILE_X + TAPS_X - 1;\n",
    "  const ulong group = get_group_id(0), row = group / args.tiles_x, plane = row / args.strips;\n",
    "  const long x0 = (long)(group % args.tiles_x) * TILE_X, y0 = (long)(row % args.strips) * TILE_Y;\n",
    "  int c, i, j, k, r, t;\n",
    "  (void)taps_x, (void)taps_y; /* options may name them */\n",
    "  in += args.in_at + plane * args.in_z;\n",
    "  out += args.mid_at + (plane * (ulong)my + (ulong)y0) * (ulong)mx + (ulong)x0;\n",
    "  for (j = ly * ROWS; j < TILE_Y; j += sy * ROWS)\n",
    "    for (c = lx; c < columns; c += sx) {\n",
    "      const long x = x0 + c < mx + TAPS_X - 1 && y0 + j < my ? convk_axis_source_(x0 + c + args.x.shift, nx, PERIODIC_X) : -1;\n",
    "      T sum[ROWS];\n",
    "      CONVK_EACH_(t, ROWS) sum[t] = 0;\n",
    "      if (x >= 0) {\n",
    "        long y = y0 + j + args.y.shift;\n",
    "        if (PERIODIC_Y) y = convk_axis_source_(y, ny, 1);\n",
    "#if TAPS_Y == 16\n",
    "#pragma unroll\n",
    "#endif\n",
    "        for (r = 0; r < ROWS + TAPS_Y - 1; r++)\n",
    "          spread(sum, taps + MAX_TAPS, r, TAPS_Y, walk(in + x, &y, ny, args.in_y, PERIODIC_Y));\n",
    "      }\n",
    "      CONVK_EACH_(t, ROWS) tile[(j + t) * columns + c] = sum[t];\n",
    "    }\n",
    "  barrier(CLK_LOCAL_MEM_FENCE);\n",
    "  for (j = ly; j < TILE_Y; j += sy)\n",
    "    for (i = lx; i < TILE_X; i += sx)\n",
    "      if (x0 + i < mx && y0 + j < my) {\n",
    "        local const T *v = tile + j * columns + i;\n",
    "        T sum = taps[0] * v[0];\n",
    "#if TAPS_X == 16\n",
    "#pragma unroll\n",
    "#endif\n",
    "        for (k = 1; k < TAPS_X; k++) sum = fma(taps[k], v[k], sum);\n",
    "        out[(ulong)j * (ulong)mx + (ulong)i] = sum;\n",
    "      }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef SEPCONV_Z\n",
    "#ifndef LAID\n",
    "#define LAID 0 /* 1: potential and density have pitches of their own */\n",
    "#endif\n",
    "\n",
    "/* One value on its way to memory; gives what the energy needs. */\n",
    "T finish(int actions, T r, global T *out, global const T *potential, global T *density, T factor, T a, T b) {\n",
    "  T w = r, v;\n",
    "  if (ACTIONS & 1) *density = fma(factor, r * r, *density);\n",
    "  if (ACTIONS & 2) w = *potential * r;\n",
    "  v = w;\n",
    "  if (ACTIONS & 4) w = fma(a, w, b * *out);\n",
    "  if (ACTIONS & 8) *out = w;\n",
    "  return v;\n",
    "}\n",
    "\n",
    "#if TAPS_Z == 16 && !defined SUMS\n",
    "#define WINDOW 1 /* the inputs of a column's last 15 outputs stay in registers */\n",
    "/* ROWS outputs of a column, whose next inputs begin at *from. */\n",
    "void march(T *sum, constant const T *taps, T *w, global const T *in, long *from, long nz, ulong pitch) {\n",
    "  int k, t;\n",
    "#pragma unroll\n",
    "  for (k = 15; k < ROWS + 15; k++) w[k] = walk(in, from, nz, pitch, PERIODIC_Z);\n",
    "  CONVK_EACH_(t, ROWS) {\n",
    "    sum[t] = taps[0] * w[t];\n",
    "#pragma unroll\n",
    "    for (k = 1; k < 16; k++) sum[t] = fma(taps[k], w[t + k], sum[t]);\n",
    "  }\n",
    "  CONVK_EACH_(k, 15) w[k] = w[k + ROWS];\n",
    "}\n",
    "#else\n",
    "#define WINDOW 0\n",
    "/* ROWS outputs of a column, from its inputs `from` on. */\n",
    "void column(T *sum, constant const T *taps, const int count, global const T *in, long from, long nz, ulong pitch) {\n",
    "  int k;\n",
    "  if (PERIODIC_Z) from = convk_axis_source_(from, nz, 1);\n",
    "#if TAPS_Z == 16\n",
    "#pragma unroll\n",
    "#endif\n",
    "  for (k = 0; k < ROWS + count - 1; k++) spread(sum, taps, k, count, walk(in, &from, nz, pitch, PERIODIC_Z));\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* z and the epilogue.  A work-item takes one column of x and y and marches along a chunk of z, ROWS outputs at a\n",
    "   time.  With SUMS it takes every 16th column of a row, so that each lane of the row's sums has one owner. */\n",
    "kernel void sepconv_z(const CONVK_ARGUMENTS_(filters) args, global const T *in, constant T *taps, global T *out,\n",
    "                      global const T *potential, global T *density\n",
    "#ifdef SUMS\n",
    "                      ,\n",
    "                      global const T *first, global double *lanes\n",
    "#endif\n",
    ") {\n",
    "  const ulong item = get_global_id(0), mx = args.x.m, my = args.y.m;\n",
    "  const long nz = (long)args.z.n, mz = (long)args.z.m, chunk = (long)args.chunk, shift = args.z.shift;\n",
    "  const long begin = (long)get_global_id(1) * chunk, end = begin + chunk < mz ? begin + chunk : mz;\n",
    "  const int actions = (int)args.actions, taps_z = (int)args.z.ntaps;\n",
    "#ifdef SUMS\n",
    "  const ulong lane = item % 16, y = item / 16;\n",
    "  ulong x;\n",
    "#else\n",
    "  const ulong x = item % mx, y = item / mx;\n",
    "#endif\n",
    "  long z;\n",
    "  int t;\n",
    "#if WINDOW\n",
    "  long from = begin + shift;\n",
    "  int k;\n",
    "  T w[ROWS + 15];\n",
    "#endif\n",
    "  (void)taps_z;\n",
    "  if (y >= my) return;\n",
    "  in += args.mid_at;\n",
    "#if WINDOW\n",
    "  if (PERIODIC_Z) from = convk_axis_source_(from, nz, 1);\n",
    "  CONVK_EACH_(k, 15) w[k] = walk(in + item, &from, nz, mx * my, PERIODIC_Z);\n",
    "#endif\n",
    "  for (z = begin; z < end; z += ROWS) {\n",
    "#ifdef SUMS\n",
    "    double dots[ROWS], energies[ROWS];\n",
    "    for (t = 0; t < ROWS; t++) dots[t] = energies[t] = 0;\n",
    "    for (x = lane; x < mx; x += 16)\n",
    "#endif\n",
    "    {\n",
    "      T sum[ROWS];\n",
    "#if WINDOW\n",
    "      march(sum, taps + 2 * MAX_TAPS, w, in + item, &from, nz, mx * my);\n",
    "#else\n",
    "      column(sum, taps + 2 * MAX_TAPS, TAPS_Z, in + (y * mx + x), z + shift, nz, mx * my);\n",
    "#endif\n",
    "      CONVK_EACH_(t, ROWS)\n",
    "        if (z + t < end) {\n",
    "          const ulong at = x + y * args.out_y + (ulong)(z + t) * args.out_z;\n",
    "          const ulong laid = LAID ? x + y * args.laid_y + (ulong)(z + t) * args.laid_z : at;\n",
    "          const T v = finish(actions, sum[t], out + (args.out_at + at), potential + (args.potential_at + laid),\n",
    "                             density + (args.density_at + laid), args.factor, args.a, args.b);\n",
    "#ifdef SUMS\n",
    "          if (ACTIONS & 16) {\n",
    "            const T u = first[args.in_at + x + y * args.in_y + (ulong)(z + t) * args.in_z];\n",
    "            dots[t] = fma((double)u, (double)sum[t], dots[t]);\n",
    "          }\n",
    "          if (ACTIONS & 32) energies[t] = fma((double)sum[t], (double)v, energies[t]);\n",
    "#else\n",
    "          (void)v;\n",
    "#endif\n",
    "        }\n",
    "    }\n",
    "#ifdef SUMS\n",
    "    for (t = 0; t < ROWS; t++)\n",
    "      if (z + t < end) {\n",
    "        const ulong at = ((ulong)(z + t) * my + y) * 16 + lane;\n",
    "        if (ACTIONS & 16) lanes[args.dot_at + at] = dots[t];\n",
    "        if (ACTIONS & 32) lanes[args.energy_at + at] = energies[t];\n",
    "      }\n",
    "#endif\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef SEPCONV_TREE\n",
    "/* The 16 lanes of each row, in the order of the processors' sums. */\n",
    "kernel void sepconv_tree(global double *sums, ulong in_offset, ulong out_offset, ulong count) {\n",
    "  const ulong i = get_global_id(0);\n",
    "  double s[16];\n",
    "  int h, k;\n",
    "  if (i >= count) return;\n",
    "  for (k = 0; k < 16; k++) s[k] = sums[in_offset + i * 16 + k];\n",
    "  for (h = 8; h; h /= 2)\n",
    "    for (k = 0; k < h; k++) s[k] = CONVK_SUM_(double, s[k], s[k + h]);\n",
    "  sums[out_offset + i] = s[0];\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef SEPCONV_SUM\n",
    "/* out[i] = in[i n] + ... + in[i n + n - 1], in sequence; with `more` beginning with what out[i] was. */\n",
    "kernel void sepconv_sum(global const double *in, ulong in_offset, global double *out, ulong out_offset, ulong count, ulong n,\n",
    "                        ulong more) {\n",
    "  const ulong i = get_global_id(0);\n",
    "  double sum = 0;\n",
    "  ulong k;\n",
    "  if (i >= count) return;\n",
    "  if (more) sum = out[out_offset + i];\n",
    "  for (k = 0; k < n; k++) sum = CONVK_SUM_(double, sum, in[in_offset + i * n + k]);\n",
    "  out[out_offset + i] = sum;\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef CONV1D_TRANSPOSE\n",
    "/* TILE_Y rows, each with room for the reach of the filter, then ROWS outputs per work-item.  The odd pitch spreads a\n",
    "   column over the banks of local memory. */\n",
    "kernel void conv1d_transpose(const CONVK_ARGUMENTS_(filters) args, global const T *in, global T *out, constant T *taps,\n",
    "                             local T *tile) {\n",
    "  const int taps_x = (int)args.x.ntaps;\n",
    "  const long n = (long)args.x.n, m = (long)args.x.m;\n",
    "  const ulong ndat = args.y.n;\n",
    "  const int lx = (int)get_local_id(0), sx = (int)get_local_size(0);\n",
    "  const int ly = (int)get_local_id(1), sy = (int)get_local_size(1);\n",
    "  const int columns = TILE_X + TAPS_X - 1, pitch = columns | 1;\n",
    "  const ulong group = get_group_id(0), j0 = group / args.tiles_x * TILE_Y;\n",
    "  const long i0 = (long)(group % args.tiles_x) * TILE_X;\n",
    "  int c, i, j, r, t;\n",
    "  (void)taps_x;\n",
    "  for (j = ly; j < TILE_Y; j += sy)\n",
    "    for (c = lx; c < columns; c += sx) {\n",
    "      const long from =\n",
    "          j0 + (ulong)j < ndat && i0 + c < m + TAPS_X - 1 ? convk_axis_source_(i0 + c + args.x.shift, n, PERIODIC_X) : -1;\n",
    "      tile[j * pitch + c] = from < 0 ? (T)0 : in[args.in_at + (j0 + (ulong)j) * args.in_y + (ulong)from];\n",
    "    }\n",
    "  barrier(CLK_LOCAL_MEM_FENCE);\n",
    "  for (i = ly * ROWS; i < TILE_X; i += sy * ROWS)\n",
    "    for (j = lx; j < TILE_Y; j += sx)\n",
    "      if (j0 + (ulong)j < ndat && i0 + i < m) {\n",
    "        T sum[ROWS];\n",
    "#if TAPS_X == 16\n",
    "#pragma unroll\n",
    "#endif\n",
    "        for (r = 0; r < ROWS + TAPS_X - 1; r++) spread(sum, taps, r, TAPS_X, tile[j * pitch + i + r]);\n",
    "        CONVK_EACH_(t, ROWS)\n",
    "          if (i0 + i + t < m) out[args.out_at + (ulong)(i0 + i + t) * args.out_y + j0 + (ulong)j] = sum[t];\n",
    "      }\n",
    "}\n",
    "#endif\n",
      NULL};
  return lines;
}

enum { CONVK_CL_YX_, CONVK_CL_Z_, CONVK_CL_TURN_, CONVK_CL_TREE_, CONVK_CL_SUM_ };
#define CONVK_CL_ROWS_ ((size_t)8)     /* outputs that a work-item makes from one set of loads */
#define CONVK_CL_BUSY_ ((size_t)2048)  /* work-items that fill a compute unit: about what those of AMD and NVIDIA hold */
enum { convk_cl_filters_lanes_ = 16 }; /* of the sum of a row, which work-items leave in memory */

/* Makes a tile smaller until `more` elements beyond its x fit into local memory. */
CONVK_LOCAL_ int convk_cl_tile_(convk_cl *cl, size_t element, size_t more, size_t *x, size_t *y, size_t *rows) {
  *rows = CONVK_CL_ROWS_;
  while ((*x + more) * *y * element > cl->local_bytes) {
    if (*y > *rows) *y /= 2;
    else if (*x > *rows) *x /= 2;
    else if (*y > 1) *rows = *y /= 2;
    else if (*x > 1) *rows = *x /= 2;
    else return convk_cl_little_(cl);
  }
  return CONVK_OK;
}
#endif
#if CONVK_HAS_WAVELETS_
/* ---- src/wavelets/opencl.h ---- */
/* Kernels of wavelets, OpenCL C 1.2.  Build options choose the kernel, the direction, the number of taps or that the struct has
   them, and the shapes of tiles, in pairs. */
CONVK_LOCAL_ const char *const *convk_cl_wavelets_source_(void) {
  static const char *const lines[] = {
    "#line 1 \"wavelets/kernel.cl\"\n",
    "#include \"device/preamble.cl\"\n",
    "#line 2 \"wavelets/kernel.cl\"\n",
    "#include \"words/opencl.cl\"\n",
    "#line 3 \"wavelets/kernel.cl\"\n",
    "#include \"core/axis.h\"\n",
    "#line 4 \"wavelets/kernel.cl\"\n",
    "#line 1 \"device/arguments.h\"\n",
    "#ifndef CONVK_AXIS_INCLUDED_\n",
    "#define CONVK_AXIS_INCLUDED_\n",
    "/* ---- what kernels take ----\n",
    "   Beside its arrays a kernel takes one struct by value, which the host fills and OpenCL C and CUDA read: <family>/arguments.h\n",
    "   declares it once for all three,\n",
    "     CONVK_DEFINE_ARGUMENTS_(name) { members };\n",
    "   and CONVK_ARGUMENTS_(name) is its type.  Members are of uint64_t, int64_t, uint32_t, int32_t, and CONVK_ARGUMENT_T_, which is\n",
    "   the real type; the larger ones come first.  OpenCL has the struct once per precision, in CUDA it is a template of that type.\n",
    "   <family>/device.h fills what both devices need alike, opencl_calls.h and cuda.h how a launch is cut. */\n",
    "\n",
    "/* One axis: output i is the sum over k < ntaps of taps[k] times input i + shift + k; n points in, m points out. */\n",
    "typedef struct convk_axis_device_ {\n",
    "  uint64_t n, m, ntaps;\n",
    "  int64_t shift;\n",
    "  int32_t periodic, unused;\n",
    "} convk_axis_device_;\n",
    "#endif\n",
    "#line 5 \"wavelets/kernel.cl\"\n",
    "#line 1 \"wavelets/arguments.h\"\n",
    "#ifndef CONVK_WAVELETS_INCLUDED_\n",
    "#define CONVK_WAVELETS_INCLUDED_\n",
    "/* One axis of a level of a wavelet transform.  Of the sequence that is read (dwt_shape.h), part p has those elements that taps\n",
    "   tap[p] meet: elements q, q + 2, .. for q = odd in part 0 and 1 - odd in part 1.  Pair t sums elements t + from[p] and behind\n",
    "   of part p, which has n[p].  The fine grid has `fine` points, the coarse one `split` of s and of d; output 2 t + f is point\n",
    "   first + 2 t + f of the fine grid, or point t of s or d. */\n",
    "typedef struct convk_wavelets_on_device_ {\n",
    "  uint64_t n[2], split, fine, pairs;\n",
    "  int64_t from[2], first;\n",
    "  int32_t odd, periodic;\n",
    "} convk_wavelets_on_device_;\n",
    "#endif\n",
    "/* What both kernels of a level take. */\n",
    "CONVK_DEFINE_ARGUMENTS_(wavelets) {\n",
    "  convk_wavelets_on_device_ x, y, z;\n",
    "  uint64_t planes, mx, my;                         /* of the input; points of a row, and rows, between both kernels */\n",
    "  uint64_t in_y, in_z, out_y, out_z, low_y, low_z; /* pitches of the input, the output, and the block sss */\n",
    "  uint64_t tiles_x, strips, strip;                 /* tiles of a row; strips of y, and pairs of each */\n",
    "  uint64_t columns, blocks, chunks, chunk;         /* of z: columns, in blocks of threads; chunks, and pairs of each */\n",
    "  uint64_t in_at, out_at, low_at, mid_at;          /* OpenCL: where arrays begin in their buffers, in elements */\n",
    "  int32_t synthesis, low;                          /* low: the block sss of the coarse grid lies elsewhere */\n",
    "  int32_t even, odd, more, unused;                 /* taps of the first filter in parts 0 and 1; of the second more */\n",
    "};\n",
    "\n",
    "#line 1 \"wavelets/orbital_arguments.h\"\n",
    "/* What the kernel takes that brings both parts of complex numbers into arrays of their own, `apart` elements apart, or back\n",
    "   (join): points and pitches of a part, and pitches of the numbers; add: to what the parts are. */\n",
    "CONVK_DEFINE_ARGUMENTS_(parts) {\n",
    "  uint64_t nx, ny, nz, pitch_y, pitch_z, whole_y, whole_z, apart;\n",
    "  uint64_t parts_at, numbers_at; /* OpenCL: where arrays begin in their buffers, in elements of their own */\n",
    "  uint32_t join, add;\n",
    "};\n",
    "/* What kernels of segments take: the grid of segments, half of that of the array along each axis, which is `block` apart along\n",
    "   each; of coarse and fine segments how many there are and points of the vector, where the fine ones begin behind `fine`. */\n",
    "CONVK_DEFINE_ARGUMENTS_(segments) {\n",
    "  uint64_t nx, ny, nz, vectors, pitch_y, pitch_z, block[3], dense_stride, compressed_stride, fine, count[2], points[2];\n",
    "  uint64_t dense_at, compressed_at, ends_at[2], place_at[2]; /* OpenCL: where arrays begin, in elements of their own */\n",
    "  uint32_t compress, unused;\n",
    "};\n",
    "#line 26 \"wavelets/arguments.h\"\n",
    "#line 6 \"wavelets/kernel.cl\"\n",
    "\n",
    "/* Taps are known to the compiler where EVEN, ODD and MORE are numbers; else they are the struct's. */\n",
    "#define TAPS 32 /* of a filter in a part, at most: tap[p][f] begins at taps + (2 p + f) TAPS */\n",
    "\n",
    "/* Point *i of n of a part, and one step on; a periodic walk begins inside. */\n",
    "T walk(global const T *p, long *i, long n, ulong pitch, int periodic) {\n",
    "  const long at = *i;\n",
    "  *i = periodic && at + 1 == n ? 0 : at + 1;\n",
    "  return periodic || (at >= 0 && at < n) ? p[(ulong)at * pitch] : (T)0;\n",
    "}\n",
    "\n",
    "/* What ROWS pairs along an axis get from a part, from its element t on, which has `count` taps of the first filter, and `more`\n",
    "   of the second. */\n",
    "CONVK_ELEMENT_ void gather(T *sum, constant const T *taps, const int count, const int more, const int begins,\n",
    "                           global const T *line, long t, long n, ulong pitch, int periodic) {\n",
    "  T x[ROWS];\n",
    "  int g, k;\n",
    "  if (periodic) t = convk_axis_source_(t, n, 1);\n",
    "  CONVK_EACH_(g, ROWS) {\n",
    "    x[g] = walk(line, &t, n, pitch, periodic);\n",
    "    sum[g] = begins ? taps[0] * x[g] : fma(taps[0], x[g], sum[g]);\n",
    "    sum[ROWS + g] = begins ? taps[TAPS] * x[g] : fma(taps[TAPS], x[g], sum[ROWS + g]);\n",
    "  }\n",
    "#if EVEN\n",
    "#pragma unroll 8\n",
    "#endif\n",
    "  for (k = 1; k < count + more; k++) {\n",
    "#pragma unroll\n",
    "    for (g = 0; g + 1 < ROWS; g++) x[g] = x[g + 1];\n",
    "    x[ROWS - 1] = walk(line, &t, n, pitch, periodic);\n",
    "    if (k < count) {\n",
    "      CONVK_EACH_(g, ROWS) sum[g] = fma(taps[k], x[g], sum[g]);\n",
    "    }\n",
    "    CONVK_EACH_(g, ROWS) sum[ROWS + g] = fma(taps[TAPS + k], x[g], sum[ROWS + g]);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Where the elements with parity q begin whose points lie so far apart, and how far apart they lie. */\n",
    "ulong begin_of(ulong split, int q, ulong pitch) { return q ? (SYNTHESIS ? split * pitch : pitch) : 0; }\n",
    "ulong step_of(ulong pitch) { return SYNTHESIS ? pitch : 2 * pitch; }\n",
    "\n",
    "/* The place of output 2 t + f of an axis, or -1. */\n",
    "long place_of(const convk_wavelets_on_device_ axis, long t, int f) {\n",
    "  const long n = (long)axis.fine, m = axis.first + 2 * t + f;\n",
    "  if (!SYNTHESIS) return (f ? (long)axis.split : 0) + t;\n",
    "  if (m >= 0 && m < n) return m;\n",
    "  return axis.periodic ? (m < 0 ? m + n : m - n) : -1;\n",
    "}\n",
    "\n",
    "#ifdef DWT_YX\n",
    "/* y from memory into a tile of TILE_X by TILE_Y pairs, which keeps the two parts of a row apart and has room for the reach of\n",
    "   x, then x from the tile.  A work-item makes ROWS pairs of y in one column from one set of loads. */\n",
    "kernel void dwt_yx(const CONVK_ARGUMENTS_(wavelets) args, global const T *in, global const T *low_in, global T *mid,\n",
    "                   constant T *taps, local T *tile) {\n",
    "  const int even = args.even, odd = args.odd, more = args.more;\n",
    "  const int lx = (int)get_local_id(0), sx = (int)get_local_size(0);\n",
    "  const int ly = (int)get_local_id(1), sy = (int)get_local_size(1);\n",
    "  const int part = TILE_X - 1 + (EVEN > ODD ? EVEN : ODD) + MORE, pitch = 2 * part;\n",
    "  const ulong group = get_group_id(0), row = group / args.tiles_x, z = row / args.strips;\n",
    "  const long pairs_x = (long)args.x.pairs, pairs_y = (long)args.y.pairs;\n",
    "  const long x0 = (long)(group % args.tiles_x) * TILE_X, y0 = (long)(row % args.strips) * TILE_Y;\n",
    "  int c, i, j, k, t;\n",
    "  (void)even, (void)odd, (void)more; /* options may name them */\n",
    "  in += args.in_at + z * args.in_z;\n",
    "  low_in += args.low_at;\n",
    "  mid += args.mid_at + z * args.my * args.mx;\n",
    "  for (j = ly * ROWS; j < TILE_Y; j += sy * ROWS)\n",
    "    for (c = lx; c < 2 * part; c += sx) {\n",
    "      /* neighbours in memory are neighbours among work-items: of a synthesis within a part */\n",
    "      const int p = SYNTHESIS ? c >= part : c % 2, at = SYNTHESIS ? c - p * part : c / 2, qx = p ? 1 - args.x.odd : args.x.odd;\n",
    "      const long x = x0 + at < pairs_x + (p ? ODD : EVEN) + MORE - 1 && y0 + j < pairs_y\n",
    "                         ? convk_axis_source_(x0 + at + (p ? args.x.from[1] : args.x.from[0]),\n",
    "                                              (long)(p ? args.x.n[1] : args.x.n[0]), args.x.periodic)\n",
    "                         : -1;\n",
    "      T sum[2 * ROWS];\n",
    "      CONVK_EACH_(t, 2 * ROWS) sum[t] = 0;\n",
    "      if (x >= 0) {\n",
    "        const int low = SYNTHESIS && args.low && !qx && z < args.z.split; /* its s of y are part 0: args.y.odd is 0 */\n",
    "        const ulong column = begin_of(args.x.split, qx, 1) + (ulong)x * step_of(1);\n",
    "        gather(sum, taps, EVEN, MORE, 1,\n",
    "               low ? low_in + (z * args.low_z + (ulong)x) : in + (column + begin_of(args.y.split, args.y.odd, args.in_y)),\n",
    "               y0 + j + args.y.from[0], (long)args.y.n[0], low ? args.low_y : step_of(args.in_y), args.y.periodic);\n",
    "        gather(sum, taps + 2 * TAPS, ODD, MORE, 0, in + (column + begin_of(args.y.split, 1 - args.y.odd, args.in_y)),\n",
    "               y0 + j + args.y.from[1], (long)args.y.n[1], step_of(args.in_y), args.y.periodic);\n",
    "      }\n",
    "      CONVK_EACH_(t, ROWS) {\n",
    "        tile[2 * (j + t) * pitch + p * part + at] = sum[t];\n",
    "        tile[(2 * (j + t) + 1) * pitch + p * part + at] = sum[ROWS + t];\n",
    "      }\n",
    "    }\n",
    "  barrier(CLK_LOCAL_MEM_FENCE);\n",
    "  for (j = ly; j < 2 * TILE_Y; j += sy) {\n",
    "    const long y = y0 + j / 2 < pairs_y ? place_of(args.y, y0 + j / 2, j % 2) : -1;\n",
    "    for (i = lx; i < TILE_X; i += sx)\n",
    "      if (x0 + i < pairs_x && y >= 0) {\n",
    "        local const T *v = tile + j * pitch + i;\n",
    "        const long s = place_of(args.x, x0 + i, 0), d = place_of(args.x, x0 + i, 1);\n",
    "        T a = taps[0] * v[0], b = taps[TAPS] * v[0];\n",
    "#if EVEN\n",
    "#pragma unroll 8\n",
    "#endif\n",
    "        for (k = 1; k < EVEN + MORE; k++) {\n",
    "          if (k < EVEN) a = fma(taps[k], v[k], a);\n",
    "          b = fma(taps[TAPS + k], v[k], b);\n",
    "        }\n",
    "#if EVEN\n",
    "#pragma unroll 8\n",
    "#endif\n",
    "        for (k = 0; k < ODD + MORE; k++) {\n",
    "          if (k < ODD) a = fma(taps[2 * TAPS + k], v[part + k], a);\n",
    "          b = fma(taps[3 * TAPS + k], v[part + k], b);\n",
    "        }\n",
    "        if (s >= 0) mid[(ulong)y * args.mx + (ulong)s] = a;\n",
    "        if (d >= 0) mid[(ulong)y * args.mx + (ulong)d] = b;\n",
    "      }\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef DWT_Z\n",
    "/* A work-item takes one column of x and y and marches along a chunk of z, ROWS pairs at a time. */\n",
    "kernel void dwt_z(const CONVK_ARGUMENTS_(wavelets) args, global const T *mid, constant T *taps, global T *out,\n",
    "                  global T *low_out) {\n",
    "  const ulong item = get_global_id(0), x = item % args.mx, y = item / args.mx;\n",
    "  const long pairs = (long)args.z.pairs, chunk = (long)args.chunk, begin = (long)get_global_id(1) * chunk;\n",
    "  const long end = begin + chunk < pairs ? begin + chunk : pairs;\n",
    "  const int even = args.even, odd = args.odd, more = args.more;\n",
    "  const int low = !SYNTHESIS && args.low && x < args.x.split && y < args.y.split;\n",
    "  const ulong step = step_of(args.columns), pitch_s = low ? args.low_z : args.out_z; /* of s, or of what is even */\n",
    "  global T *to_s;\n",
    "  long z;\n",
    "  int t;\n",
    "  (void)even, (void)odd, (void)more;\n",
    "  if (y >= args.my) return;\n",
    "  mid += args.mid_at + item;\n",
    "  out += args.out_at + y * args.out_y + x;\n",
    "  to_s = low ? low_out + (args.low_at + y * args.low_y + x) : out;\n",
    "  for (z = begin; z < end; z += ROWS) {\n",
    "    T sum[2 * ROWS];\n",
    "    gather(sum, taps, EVEN, MORE, 1, mid + begin_of(args.z.split, args.z.odd, args.columns), z + args.z.from[0],\n",
    "           (long)args.z.n[0], step, args.z.periodic);\n",
    "    gather(sum, taps + 2 * TAPS, ODD, MORE, 0, mid + begin_of(args.z.split, 1 - args.z.odd, args.columns), z + args.z.from[1],\n",
    "           (long)args.z.n[1], step, args.z.periodic);\n",
    "    CONVK_EACH_(t, ROWS)\n",
    "      if (z + t < end) {\n",
    "        const long s = place_of(args.z, z + t, 0), d = place_of(args.z, z + t, 1);\n",
    "        if (s >= 0) to_s[(ulong)s * pitch_s] = sum[t];\n",
    "        if (d >= 0) out[(ulong)d * args.out_z] = sum[ROWS + t];\n",
    "      }\n",
    "  }\n",
    "}\n",
    "#endif\n",
      NULL};
  return lines;
}

enum { CONVK_CL_WAVELETS_YX_ = CONVK_CL_FILTERS_ + 0x40, CONVK_CL_WAVELETS_Z_ };

/* ---- src/wavelets/orbital_opencl.h ---- */
/* OpenCL C 1.2.  Build options choose the kernel (COMPLEX_PARTS, SEGMENTS). */
CONVK_LOCAL_ const char *const *convk_cl_orbital_source_(void) {
  static const char *const lines[] = {
    "#line 1 \"wavelets/orbital_kernel.cl\"\n",
    "#include \"device/preamble.cl\"\n",
    "#line 2 \"wavelets/orbital_kernel.cl\"\n",
    "#include \"words/opencl.cl\"\n",
    "#line 3 \"wavelets/orbital_kernel.cl\"\n",
    "#line 1 \"wavelets/orbital_arguments.h\"\n",
    "/* What the kernel takes that brings both parts of complex numbers into arrays of their own, `apart` elements apart, or back\n",
    "   (join): points and pitches of a part, and pitches of the numbers; add: to what the parts are. */\n",
    "CONVK_DEFINE_ARGUMENTS_(parts) {\n",
    "  uint64_t nx, ny, nz, pitch_y, pitch_z, whole_y, whole_z, apart;\n",
    "  uint64_t parts_at, numbers_at; /* OpenCL: where arrays begin in their buffers, in elements of their own */\n",
    "  uint32_t join, add;\n",
    "};\n",
    "/* What kernels of segments take: the grid of segments, half of that of the array along each axis, which is `block` apart along\n",
    "   each; of coarse and fine segments how many there are and points of the vector, where the fine ones begin behind `fine`. */\n",
    "CONVK_DEFINE_ARGUMENTS_(segments) {\n",
    "  uint64_t nx, ny, nz, vectors, pitch_y, pitch_z, block[3], dense_stride, compressed_stride, fine, count[2], points[2];\n",
    "  uint64_t dense_at, compressed_at, ends_at[2], place_at[2]; /* OpenCL: where arrays begin, in elements of their own */\n",
    "  uint32_t compress, unused;\n",
    "};\n",
    "#line 4 \"wavelets/orbital_kernel.cl\"\n",
    "#line 1 \"wavelets/segments_element.h\"\n",
    "#ifdef CONVK_GLOBAL_ /* a word of OpenCL */\n",
    "#define CONVK_GLOBAL_CONST_ CONVK_GLOBAL_ const\n",
    "#else\n",
    "#define CONVK_GLOBAL_CONST_ const\n",
    "#endif\n",
    "\n",
    "/* Where `count` segments have point p of the grid: its place among so many points of the vector, or -1. */\n",
    "CONVK_ELEMENT_ int64_t convk_segments_at_(CONVK_GLOBAL_CONST_ uint64_t *ends, CONVK_GLOBAL_CONST_ uint64_t *place,\n",
    "                                          uint64_t count, uint64_t points, uint64_t p) {\n",
    "  uint64_t low = 0, high = count, at; /* the last one that begins at p or before is one of these, if any */\n",
    "  while (low < high) {\n",
    "    const uint64_t middle = low + (high - low) / 2;\n",
    "    if (ends[2 * middle] <= p) low = middle + 1;\n",
    "    else high = middle;\n",
    "  }\n",
    "  if (!low || ends[2 * low - 1] < p) return -1;\n",
    "  at = place[low - 1] + (p - ends[2 * low - 2]);\n",
    "  return at < points ? (int64_t)at : -1;\n",
    "}\n",
    "#undef CONVK_GLOBAL_CONST_\n",
    "#line 5 \"wavelets/orbital_kernel.cl\"\n",
    "\n",
    "#ifdef COMPLEX_PARTS\n",
    "/* A work-item takes one complex number; planes along y. */\n",
    "kernel void complex_parts(const CONVK_ARGUMENTS_(parts) args, global T *parts, global T *numbers, ulong first) {\n",
    "  const ulong item = get_global_id(0), y = item / args.nx, x = item - y * args.nx, z = get_group_id(1) + first;\n",
    "  global T *const re = parts + args.parts_at + (x + y * args.pitch_y + z * args.pitch_z), *const im = re + args.apart;\n",
    "  global T *const number = numbers + 2 * (args.numbers_at + x + y * args.whole_y + z * args.whole_z);\n",
    "  if (y >= args.ny) return;\n",
    "  if (args.join) {\n",
    "    number[0] = *re;\n",
    "    number[1] = *im;\n",
    "  } else if (args.add) {\n",
    "    *re = number[0] + *re;\n",
    "    *im = number[1] + *im;\n",
    "  } else {\n",
    "    *re = number[0];\n",
    "    *im = number[1];\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef SEGMENTS\n",
    "/* A work-item takes one point of the grid of segments, and the eight elements of the array that it has; planes of vectors along\n",
    "   y. */\n",
    "kernel void segments(const CONVK_ARGUMENTS_(segments) args, global T *compressed, global T *dense,\n",
    "                     global const ulong *ends_coarse, global const ulong *place_coarse, global const ulong *ends_fine,\n",
    "                     global const ulong *place_fine, ulong first) {\n",
    "  const ulong item = get_global_id(0), y = item / args.nx, x = item - y * args.nx, plane = get_group_id(1) + first;\n",
    "  const ulong vector = plane / args.nz, z = plane - vector * args.nz, p = x + args.nx * (y + args.ny * z);\n",
    "  global T *const to = dense + args.dense_at + (vector * args.dense_stride + x + y * args.pitch_y + z * args.pitch_z);\n",
    "  global T *const of = compressed + args.compressed_at + vector * args.compressed_stride;\n",
    "  long coarse, fine;\n",
    "  int k;\n",
    "  if (y >= args.ny) return;\n",
    "  coarse = convk_segments_at_(ends_coarse + args.ends_at[0], place_coarse + args.place_at[0], args.count[0], args.points[0], p);\n",
    "  fine = convk_segments_at_(ends_fine + args.ends_at[1], place_fine + args.place_at[1], args.count[1], args.points[1], p);\n",
    "  for (k = 0; k < 8; k++) {\n",
    "    const ulong block = (k & 1 ? args.block[0] : 0) + (k & 2 ? args.block[1] : 0) + (k & 4 ? args.block[2] : 0);\n",
    "    const long at = k == 0 ? coarse : fine < 0 ? -1 : (long)args.fine + 7 * fine + (k - 1);\n",
    "    if (!args.compress) to[block] = at < 0 ? (T)0 : of[at];\n",
    "    else if (at >= 0) of[at] = to[block];\n",
    "  }\n",
    "}\n",
    "#endif\n",
      NULL};
  return lines;
}

enum { CONVK_CL_PARTS_ = CONVK_CL_FILTERS_ + 0x50, CONVK_CL_SEGMENTS_ };
#endif
#if CONVK_HAS_SUMS_
/* ---- src/sums/opencl.h ---- */
/* OpenCL C 1.2.  Build options choose the kernel (SUMCONV_POINTS, ...), STEP numbers of an element, whether there are PHASES,
   and SUMS. */
CONVK_LOCAL_ const char *const *convk_cl_sums_source_(void) {
  static const char *const lines[] = {
    "#line 1 \"sums/kernel.cl\"\n",
    "#include \"device/preamble.cl\"\n",
    "#line 2 \"sums/kernel.cl\"\n",
    "#include \"words/opencl.cl\"\n",
    "#line 3 \"sums/kernel.cl\"\n",
    "#line 1 \"sums/arguments.h\"\n",
    "#ifndef CONVK_SUMS_AXIS_INCLUDED_\n",
    "#define CONVK_SUMS_AXIS_INCLUDED_\n",
    "/* An axis of sums of filters: n points in, `pitch` elements apart, m points out, the first of which is point `origin` of those\n",
    "   that come in; the filter and that times i, or of products that of a first derivative; what it is multiplied by from one\n",
    "   period to the next, as the bits of doubles. */\n",
    "typedef struct convk_sums_axis_device_ {\n",
    "  uint64_t n, m, pitch;\n",
    "  int64_t origin, lo[2];\n",
    "  uint64_t phase[2];\n",
    "  uint32_t ntaps[2];\n",
    "  int32_t periodic, turns;\n",
    "} convk_sums_axis_device_;\n",
    "\n",
    "/* What there is besides filters: `has` of the struct below.  Mixed terms: of yz, and the next two bits. */\n",
    "#define CONVK_SUMS_HAS_MIXED_ 1\n",
    "#define CONVK_SUMS_HAS_IMAG_ 8\n",
    "#define CONVK_SUMS_HAS_V_ 16\n",
    "#define CONVK_SUMS_HAS_X_ 32\n",
    "#define CONVK_SUMS_HAS_ADD_ 64\n",
    "#define CONVK_SUMS_HAS_OUT_ 128\n",
    "\n",
    "/* Sums of a row before some of them join: <x|y>, its imaginary part, <x|V|x>, <y|y>; <x| of the filter of each axis; of those\n",
    "   times i; of mixed terms. */\n",
    "#define CONVK_SUMS_PARTS_ 13\n",
    "#endif\n",
    "/* What kernels of sums of filters take.  Elements are complex numbers where the array has such. */\n",
    "CONVK_DEFINE_ARGUMENTS_(sums) {\n",
    "  convk_sums_axis_device_ x, y, z;\n",
    "  uint64_t in_v, out_y, out_z, out_v, add_y, add_z, add_v;         /* strides of vectors, pitches of output and `add` */\n",
    "  uint64_t potential_y, potential_z;                               /* pitches of the potential, which all vectors share */\n",
    "  uint64_t vectors, columns, tiles_x, tiles_y, chunk, chunks;      /* items of a plane; tiles; planes of a chunk */\n",
    "  uint64_t in_at, out_at, potential_at, add_at, mixed_at, rows_at; /* OpenCL: where arrays begin, in real numbers */\n",
    "  uint32_t has, along;                                             /* along: the axis of a filter that is alone */\n",
    "  CONVK_ARGUMENT_T_ mixed[3], potential_factor, shift, add_factor;\n",
    "};\n",
    "#line 4 \"sums/kernel.cl\"\n",
    "\n",
    "/* Point *i of an axis that goes on beyond its ends: where it is in the array, and how many periods below; 0: nowhere. */\n",
    "int source(const convk_sums_axis_device_ *axis, long *i, long *up) {\n",
    "  const long n = (long)axis->n;\n",
    "  *up = 0;\n",
    "  if (*i >= 0 && *i < n) return 1;\n",
    "  if (!axis->periodic) return 0;\n",
    "  *up = *i >= 0 ? *i / n : -((n - 1 - *i) / n);\n",
    "  *i -= *up * n;\n",
    "  return 1;\n",
    "}\n",
    "\n",
    "#if PHASES\n",
    "/* p times what the array is multiplied by so many periods up. */\n",
    "void turn(const convk_sums_axis_device_ *axis, long up, double *p) {\n",
    "  const double re = as_double(axis->phase[0]), im = up < 0 ? -as_double(axis->phase[1]) : as_double(axis->phase[1]);\n",
    "  long k = up < 0 ? -up : up;\n",
    "  if (!axis->turns) return;\n",
    "  for (; k > 0; k--) {\n",
    "    const double was = p[0];\n",
    "    p[0] = was * re - p[1] * im;\n",
    "    p[1] = was * im + p[1] * re;\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* A filter along axis f from point i on, at points j and k of the others: the sum over taps in ascending order, which begins\n",
    "   with 0 where `zero` says so, and else with the first product. */\n",
    "void along(const convk_sums_axis_device_ *f, const convk_sums_axis_device_ *g, const convk_sums_axis_device_ *h, long i, long j,\n",
    "           long k, int kind, int zero, global const T *in, constant const T *taps, T *sum) {\n",
    "  const int ntaps = (int)f->ntaps[kind];\n",
    "  long up_g, up_h, up;\n",
    "  int t, s;\n",
    "  for (s = 0; s < STEP; s++) sum[s] = 0;\n",
    "  if (!source(g, &j, &up_g) || !source(h, &k, &up_h)) return;\n",
    "  in += ((ulong)j * g->pitch + (ulong)k * h->pitch) * STEP;\n",
    "  i += f->lo[kind];\n",
    "  if (i >= 0 && i + ntaps <= (long)f->n && !up_g && !up_h) { /* most points: no end in sight */\n",
    "    in += (ulong)i * f->pitch * STEP;\n",
    "    for (t = 0; t < ntaps; t++, in += f->pitch * STEP)\n",
    "      for (s = 0; s < STEP; s++) sum[s] = t || zero ? fma(taps[t], in[s], sum[s]) : taps[t] * in[s];\n",
    "    return;\n",
    "  }\n",
    "  for (t = 0; t < ntaps; t++) {\n",
    "    long at = i + t;\n",
    "    T v[STEP];\n",
    "    for (s = 0; s < STEP; s++) v[s] = 0;\n",
    "    if (source(f, &at, &up)) {\n",
    "      for (s = 0; s < STEP; s++) v[s] = in[(ulong)at * f->pitch * STEP + (ulong)s];\n",
    "#if PHASES\n",
    "      if ((up && f->turns) || (up_g && g->turns) || (up_h && h->turns)) {\n",
    "        double p[2] = {1, 0};\n",
    "        T re, im, a = v[0], b = v[STEP - 1];\n",
    "        turn(g, up_g, p);\n",
    "        turn(h, up_h, p);\n",
    "        turn(f, up, p);\n",
    "        re = (T)p[0];\n",
    "        im = (T)p[1];\n",
    "        v[0] = fma(-im, b, re * a);\n",
    "        v[STEP - 1] = fma(im, a, re * b);\n",
    "      }\n",
    "#endif\n",
    "    }\n",
    "    for (s = 0; s < STEP; s++) sum[s] = t || zero ? fma(taps[t], v[s], sum[s]) : taps[t] * v[s];\n",
    "  }\n",
    "}\n",
    "\n",
    "#ifdef SUMCONV_ALONG\n",
    "/* One filter alone, into a packed array: half of a mixed term.  Of axes y and z those that may wrap come in this order. */\n",
    "kernel void sumconv_along(const CONVK_ARGUMENTS_(sums) args, global const T *in, constant T *taps, global T *out, ulong first) {\n",
    "  const ulong item = get_global_id(0), mx = args.x.m, y = item / mx, x = item - y * mx, z = get_group_id(1) + first;\n",
    "  const long i = (long)x + args.x.origin, j = (long)y + args.y.origin, k = (long)z + args.z.origin;\n",
    "  T sum[STEP];\n",
    "  int s;\n",
    "  if (y >= args.y.m) return;\n",
    "  in += args.in_at;\n",
    "  taps += args.along * MAX_TAPS;\n",
    "  if (args.along == 0) along(&args.x, &args.y, &args.z, i, j, k, 0, 1, in, taps, sum);\n",
    "  else if (args.along == 1) along(&args.y, &args.x, &args.z, j, i, k, 0, 0, in, taps, sum);\n",
    "  else along(&args.z, &args.x, &args.y, k, i, j, 0, 0, in, taps, sum);\n",
    "  for (s = 0; s < STEP; s++) out[args.out_at + ((z * args.y.m + y) * mx + x) * STEP + (ulong)s] = sum[s];\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef SUMCONV_POINTS\n",
    "/* A point: of the input, of each filter and those times i, of each mixed term, and of the result. */\n",
    "typedef struct point {\n",
    "  T x[STEP], f[3][STEP], g[3][STEP], m[3][STEP], y[STEP];\n",
    "} point;\n",
    "\n",
    "void make(const CONVK_ARGUMENTS_(sums) * args, global const T *in, constant const T *taps, constant const T *imag,\n",
    "          global const T *mixed, global const T *potential, global const T *add, ulong vector, ulong x, ulong y, ulong z,\n",
    "          point *p) {\n",
    "  const long i = (long)x + args->x.origin, j = (long)y + args->y.origin, k = (long)z + args->z.origin;\n",
    "  const ulong at = x + y * args->potential_y + z * args->potential_z;\n",
    "  const ulong add_at = x + y * args->add_y + z * args->add_z + vector * args->add_v, all = args->x.m * args->y.m * args->z.m;\n",
    "  const ulong packed = (z * args->y.m + y) * args->x.m + x;\n",
    "  const int inside = i >= 0 && i < (long)args->x.n && j >= 0 && j < (long)args->y.n && k >= 0 && k < (long)args->z.n;\n",
    "  const uint has = args->has;\n",
    "  int d, s;\n",
    "  in += args->in_at + vector * args->in_v * STEP;\n",
    "  along(&args->x, &args->y, &args->z, i, j, k, 0, 1, in, taps, p->f[0]);\n",
    "  along(&args->y, &args->x, &args->z, j, i, k, 0, 0, in, taps + MAX_TAPS, p->f[1]);\n",
    "  along(&args->z, &args->x, &args->y, k, i, j, 0, 0, in, taps + 2 * MAX_TAPS, p->f[2]);\n",
    "  if (has & CONVK_SUMS_HAS_IMAG_) {\n",
    "    along(&args->x, &args->y, &args->z, i, j, k, 1, 1, in, imag, p->g[0]);\n",
    "    along(&args->y, &args->x, &args->z, j, i, k, 1, 0, in, imag + MAX_TAPS, p->g[1]);\n",
    "    along(&args->z, &args->x, &args->y, k, i, j, 1, 0, in, imag + 2 * MAX_TAPS, p->g[2]);\n",
    "  }\n",
    "  for (s = 0; s < STEP; s++) {\n",
    "    p->x[s] = inside ? in[((ulong)i + (ulong)j * args->y.pitch + (ulong)k * args->z.pitch) * STEP + (ulong)s] : (T)0;\n",
    "    p->y[s] = p->f[0][s];\n",
    "    if (args->y.ntaps[0]) p->y[s] = p->y[s] + p->f[1][s];\n",
    "    if (args->z.ntaps[0]) p->y[s] = p->y[s] + p->f[2][s];\n",
    "    for (d = 0; d < 3; d++)\n",
    "      if (has & (CONVK_SUMS_HAS_MIXED_ << d)) {\n",
    "        p->m[d][s] = mixed[args->mixed_at + ((ulong)d * all + packed) * STEP + (ulong)s];\n",
    "        p->y[s] = fma(args->mixed[d], p->m[d][s], p->y[s]);\n",
    "      }\n",
    "  }\n",
    "  if (has & CONVK_SUMS_HAS_IMAG_) {\n",
    "    const T re = p->g[0][0] + p->g[1][0] + p->g[2][0];\n",
    "    const T im = p->g[0][STEP - 1] + p->g[1][STEP - 1] + p->g[2][STEP - 1];\n",
    "    p->y[0] = p->y[0] + ((T)0 - im);\n",
    "    p->y[STEP - 1] = p->y[STEP - 1] + re;\n",
    "  }\n",
    "  for (s = 0; s < STEP; s++) {\n",
    "    if (has & CONVK_SUMS_HAS_X_) {\n",
    "      const T v =\n",
    "          has & CONVK_SUMS_HAS_V_ ? fma(args->potential_factor, potential[args->potential_at + at], args->shift) : args->shift;\n",
    "      p->y[s] = fma(v, p->x[s], p->y[s]);\n",
    "    }\n",
    "    if (has & CONVK_SUMS_HAS_ADD_) p->y[s] = fma(args->add_factor, add[args->add_at + add_at * STEP + (ulong)s], p->y[s]);\n",
    "  }\n",
    "}\n",
    "\n",
    "void put(const CONVK_ARGUMENTS_(sums) * args, global T *out, ulong vector, ulong x, ulong y, ulong z, const T *v) {\n",
    "  int s;\n",
    "  out += args->out_at + (x + y * args->out_y + z * args->out_z + vector * args->out_v) * STEP;\n",
    "  for (s = 0; s < STEP; s++) out[s] = v[s];\n",
    "}\n",
    "\n",
    "#ifndef SUMS\n",
    "kernel void sumconv_points(const CONVK_ARGUMENTS_(sums) args, global const T *in, constant T *taps, constant T *imag,\n",
    "                           global const T *mixed, global const T *potential, global const T *add, global T *out, ulong first) {\n",
    "  const ulong item = get_global_id(0), y = item / args.x.m, x = item - y * args.x.m;\n",
    "  const ulong line = get_group_id(1) + first, vector = line / args.z.m, z = line - vector * args.z.m;\n",
    "  point p;\n",
    "  if (y >= args.y.m) return;\n",
    "  make(&args, in, taps, imag, mixed, potential, add, vector, x, y, z, &p);\n",
    "  put(&args, out, vector, x, y, z, p.y);\n",
    "}\n",
    "#else\n",
    "#define LANES (16 / STEP) /* items of a row: each has the lanes of the processors' sums that its numbers go to */\n",
    "\n",
    "/* Adds what a point gives to the sums of a row. */\n",
    "void gather(const CONVK_ARGUMENTS_(sums) * args, const point *p, global const T *potential, ulong at, double (*sum)[STEP]) {\n",
    "  const uint ntaps[3][2] = {\n",
    "      {args->x.ntaps[0], args->x.ntaps[1]}, {args->y.ntaps[0], args->y.ntaps[1]}, {args->z.ntaps[0], args->z.ntaps[1]}};\n",
    "  int d, s;\n",
    "  for (s = 0; s < STEP; s++) {\n",
    "    const double x = (double)p->x[s], y = (double)p->y[s];\n",
    "    const T other = s ? p->x[0] : (T)0 - p->x[STEP - 1]; /* of i x */\n",
    "    sum[0][s] = fma(x, y, sum[0][s]);\n",
    "    if (STEP == 2) sum[1][s] = fma((double)other, y, sum[1][s]);\n",
    "    if (args->has & CONVK_SUMS_HAS_V_) sum[2][s] = fma((double)(potential[args->potential_at + at] * p->x[s]), x, sum[2][s]);\n",
    "    sum[3][s] = fma(y, y, sum[3][s]);\n",
    "    for (d = 0; d < 3; d++) {\n",
    "      if (ntaps[d][0]) sum[4 + d][s] = fma(x, (double)p->f[d][s], sum[4 + d][s]);\n",
    "      if (ntaps[d][1] && args->has & CONVK_SUMS_HAS_IMAG_)\n",
    "        sum[7 + d][s] = fma((double)other, (double)p->g[d][s], sum[7 + d][s]);\n",
    "      if (args->has & (CONVK_SUMS_HAS_MIXED_ << d)) sum[10 + d][s] = fma(x, (double)p->m[d][s], sum[10 + d][s]);\n",
    "    }\n",
    "  }\n",
    "}\n",
    "\n",
    "/* The sum of the lanes of a row. */\n",
    "double tree(local const double *from) {\n",
    "  double s[16];\n",
    "  int h, k;\n",
    "  for (k = 0; k < 16; k++) s[k] = from[k];\n",
    "  for (h = 8; h; h /= 2)\n",
    "    for (k = 0; k < h; k++) s[k] = CONVK_SUM_(double, s[k], s[k + h]);\n",
    "  return s[0];\n",
    "}\n",
    "\n",
    "/* The same with sums: a row has LANES items, or where a group has fewer these in turns.  `join` has room for the parts of all\n",
    "   lanes, and for their trees. */\n",
    "kernel void sumconv_points(const CONVK_ARGUMENTS_(sums) args, global const T *in, constant T *taps, constant T *imag,\n",
    "                           global const T *mixed, global const T *potential, global const T *add, global T *out,\n",
    "                           global double *rows, local double *join, ulong first) {\n",
    "  const int items = (int)get_local_size(0), members = items < LANES ? items : LANES, lines = items / members;\n",
    "  const int item = (int)get_local_id(0), own = item / members, all = lines * LANES;\n",
    "  const ulong line = get_group_id(1) + first, vector = line / args.z.m, z = line - vector * args.z.m;\n",
    "  const ulong y = get_group_id(0) * (ulong)lines + (ulong)own;\n",
    "  local double *total = join + CONVK_SUMS_PARTS_ * all * STEP + own * CONVK_SUMS_PARTS_;\n",
    "  int k, s, lane;\n",
    "  for (lane = item % members; lane < LANES; lane += members) {\n",
    "    double sum[CONVK_SUMS_PARTS_][STEP];\n",
    "    ulong x;\n",
    "    for (k = 0; k < CONVK_SUMS_PARTS_; k++)\n",
    "      for (s = 0; s < STEP; s++) sum[k][s] = 0;\n",
    "    for (x = (ulong)lane; x < args.x.m && y < args.y.m; x += LANES) {\n",
    "      point p;\n",
    "      make(&args, in, taps, imag, mixed, potential, add, vector, x, y, z, &p);\n",
    "      gather(&args, &p, potential, x + y * args.potential_y + z * args.potential_z, sum);\n",
    "      if (args.has & CONVK_SUMS_HAS_OUT_) put(&args, out, vector, x, y, z, p.y);\n",
    "    }\n",
    "    for (k = 0; k < CONVK_SUMS_PARTS_; k++)\n",
    "      for (s = 0; s < STEP; s++) join[(k * all + own * LANES + lane) * STEP + s] = sum[k][s];\n",
    "  }\n",
    "  barrier(CLK_LOCAL_MEM_FENCE);\n",
    "  for (k = item % members; k < CONVK_SUMS_PARTS_; k += members) total[k] = tree(join + (k * all + own * LANES) * STEP);\n",
    "  barrier(CLK_LOCAL_MEM_FENCE);\n",
    "  if (y >= args.y.m) return;\n",
    "  for (k = item % members; k < 8; k += members) {\n",
    "    double v = k < 7 ? total[k] : 0;\n",
    "    if (k >= 4 && k < 7 && args.has & CONVK_SUMS_HAS_IMAG_) v = v - total[k + 3];\n",
    "    for (s = 0; k == 7 && s < 3; s++)\n",
    "      if (args.has & (CONVK_SUMS_HAS_MIXED_ << s)) v = v + (double)args.mixed[s] * total[10 + s];\n",
    "    rows[args.rows_at + ((vector * 8 + (ulong)k) * args.z.m + z) * args.y.m + y] = v;\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "#endif\n",
    "\n",
    "#ifdef SUMCONV_TILES\n",
    "#define ROWS 4   /* of a tile that an item has */\n",
    "#define PLANES 4 /* for which filters along z go at once */\n",
    "\n",
    "/* Input k of `count` sums of ntaps taps, which begin one after another. */\n",
    "void spread(T *sum, const int count, constant const T *taps, int ntaps, int k, T v) {\n",
    "  int t;\n",
    "  for (t = 0; t < count; t++) {\n",
    "    if (k == t) sum[t] = taps[0] * v;\n",
    "    else if (k > t && k < t + ntaps) sum[t] = fma(taps[k - t], v, sum[t]);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* One plane of a tile with what filters of x and y see around it. */\n",
    "void fill(const CONVK_ARGUMENTS_(sums) * args, global const T *in, ulong first, long y0, long z, int columns, int rows,\n",
    "          int pitch, local T *tile) {\n",
    "  const int items = (int)get_local_size(0);\n",
    "  const int inside = z >= 0 && z < (long)args->z.n;\n",
    "  int i;\n",
    "  for (i = (int)get_local_id(0); i < columns * rows; i += items) {\n",
    "    const int r = i / columns, c = i - r * columns;\n",
    "    const ulong e = first + (ulong)c;\n",
    "    long x = (long)(e / STEP) + args->x.lo[0] + args->x.origin, y = y0 + r + args->y.lo[0] + args->y.origin, up;\n",
    "    T v = 0;\n",
    "    if (inside && source(&args->x, &x, &up) && source(&args->y, &y, &up))\n",
    "      v = in[((ulong)x + (ulong)y * args->y.pitch + (ulong)z * args->z.pitch) * STEP + e % STEP];\n",
    "    tile[r * pitch + c] = v;\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Filters along z of an item's rows, for some planes: of points of the input from (x, y, z) on. */\n",
    "void columns_of(const CONVK_ARGUMENTS_(sums) * args, global const T *in, constant const T *taps, long x, long y, long z,\n",
    "                ulong s, T (*sum)[PLANES]) {\n",
    "  const int ntaps = (int)args->z.ntaps[0];\n",
    "  int k, r, t;\n",
    "  for (r = 0; r < ROWS; r++) {\n",
    "    for (t = 0; t < PLANES; t++) sum[r][t] = 0;\n",
    "    if (!ntaps || x < 0 || x >= (long)args->x.n || y + r < 0 || y + r >= (long)args->y.n) continue;\n",
    "    for (k = 0; k < ntaps + PLANES - 1; k++) {\n",
    "      long at = z + args->z.lo[0] + k, up;\n",
    "      T v = 0;\n",
    "      if (source(&args->z, &at, &up))\n",
    "        v = in[((ulong)x + (ulong)(y + r) * args->y.pitch + (ulong)at * args->z.pitch) * STEP + s];\n",
    "      spread(sum[r], PLANES, taps, ntaps, k, v);\n",
    "    }\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Calls without sums, phases and filters times i, whose filters of x and y have their point within reach.  A group goes through\n",
    "   a chunk of z with a tile of `columns` numbers along x, and ROWS rows for each of its other items: for some planes at once\n",
    "   filters along z come from memory, then plane by plane those of x and y from local memory. */\n",
    "kernel void sumconv_tiles(const CONVK_ARGUMENTS_(sums) args, global const T *in, constant T *taps, global const T *mixed,\n",
    "                          global const T *potential, global const T *add, global T *out, local T *tile, ulong first) {\n",
    "  const int width = (int)args.columns, lx = (int)get_local_id(0) % width, row = (int)get_local_id(0) / width * ROWS;\n",
    "  const int height = (int)get_local_size(0) / width * ROWS, ntx = (int)args.x.ntaps[0], nty = (int)args.y.ntaps[0];\n",
    "  const int columns = width + (ntx ? ntx - 1 : 0) * STEP, rows = height + (nty ? nty - 1 : 0), pitch = columns | 1;\n",
    "  const int lo_x = (int)args.x.lo[0] * STEP, lo_y = (int)args.y.lo[0];\n",
    "  const ulong tile_y = get_group_id(0) / args.tiles_x, tile_x = get_group_id(0) - tile_y * args.tiles_x;\n",
    "  const ulong line = get_group_id(1) + first, vector = line / args.chunks, begin = (line - vector * args.chunks) * args.chunk;\n",
    "  const ulong end = args.z.m - begin < args.chunk ? args.z.m : begin + args.chunk;\n",
    "  const ulong e = tile_x * (ulong)width + (ulong)lx, x = e / STEP, s = e % STEP, y = tile_y * (ulong)height + (ulong)row;\n",
    "  local const T *const side = tile + (row - lo_y) * pitch + lx, *const above = tile + row * pitch + lx - lo_x;\n",
    "  T along_z[ROWS][PLANES];\n",
    "  ulong z;\n",
    "  int d, k, r, t;\n",
    "  in += args.in_at + vector * args.in_v * STEP;\n",
    "  for (z = begin; z < end; z++) {\n",
    "    const ulong plane = x + z * args.out_z;\n",
    "    T sum[ROWS], along_y[ROWS], p[ROWS];\n",
    "    long at = (long)z + args.z.origin;\n",
    "    if ((z - begin) % PLANES == 0)\n",
    "      columns_of(&args, in, taps + 2 * MAX_TAPS, (long)x + args.x.origin, (long)y + args.y.origin, at, s, along_z);\n",
    "    fill(&args, in, tile_x * (ulong)width, (long)(tile_y * (ulong)height), at, columns, rows, pitch, tile);\n",
    "    barrier(CLK_LOCAL_MEM_FENCE);\n",
    "    for (r = 0; r < ROWS; r++) {\n",
    "      sum[r] = along_y[r] = 0;\n",
    "      p[r] = side[r * pitch - lo_x];\n",
    "    }\n",
    "    for (k = 0; k < ntx; k++)\n",
    "      for (r = 0; r < ROWS; r++) sum[r] = fma(taps[k], side[r * pitch + k * STEP], sum[r]);\n",
    "    for (k = 0; nty && k < nty + ROWS - 1; k++) spread(along_y, ROWS, taps + MAX_TAPS, nty, k, above[k * pitch]);\n",
    "    barrier(CLK_LOCAL_MEM_FENCE);\n",
    "    for (r = 0; r < ROWS; r++) {\n",
    "      const ulong own = plane + (y + (ulong)r) * args.out_y;\n",
    "      const ulong potential_at = args.potential_at + x + (y + (ulong)r) * args.potential_y + z * args.potential_z;\n",
    "      const ulong add_at = x + (y + (ulong)r) * args.add_y + z * args.add_z + vector * args.add_v;\n",
    "      const ulong all = args.x.m * args.y.m * args.z.m;\n",
    "      T v = sum[r];\n",
    "      if (nty) v = v + along_y[r];\n",
    "      if (args.z.ntaps[0]) v = v + along_z[r][0];\n",
    "      for (t = 0; t + 1 < PLANES; t++) along_z[r][t] = along_z[r][t + 1];\n",
    "      if (x >= args.x.m || y + (ulong)r >= args.y.m) continue;\n",
    "      for (d = 0; d < 3; d++)\n",
    "        if (args.has & (CONVK_SUMS_HAS_MIXED_ << d))\n",
    "          v = fma(args.mixed[d],\n",
    "                  mixed[args.mixed_at + ((ulong)d * all + (z * args.y.m + y + (ulong)r) * args.x.m + x) * STEP + s], v);\n",
    "      if (args.has & CONVK_SUMS_HAS_X_)\n",
    "        v = fma(args.has & CONVK_SUMS_HAS_V_ ? fma(args.potential_factor, potential[potential_at], args.shift) : args.shift,\n",
    "                p[r], v);\n",
    "      if (args.has & CONVK_SUMS_HAS_ADD_) v = fma(args.add_factor, add[args.add_at + add_at * STEP + s], v);\n",
    "      out[args.out_at + (own + vector * args.out_v) * STEP + s] = v;\n",
    "    }\n",
    "  }\n",
    "}\n",
    "#endif\n",
      NULL};
  return lines;
}

/* Kernels of this family, behind those of filters/opencl.h. */
enum { CONVK_CL_SUMCONV_SINGLE_ = 16, CONVK_CL_SUMCONV_POINTS_, CONVK_CL_SUMCONV_TILES_ };
#endif
#if CONVK_HAS_STENCIL_
/* ---- src/stencil/opencl.h ---- */
/* OpenCL C 1.2.  Build options: ISOTROPIC, DEPTH, the work-group's shape (ITEMS_X, ITEMS_Y), the points of a work-item
   (COLUMNS, ROWS), and BUFFERS, the sets of planes in local memory: with 2 a plane in z needs one barrier, with 1 two.
   Arguments: stencil/arguments.h. */
CONVK_LOCAL_ const char *const *convk_cl_stencil_source_(void) {
  static const char *const lines[] = {
    "#line 1 \"stencil/kernel.cl\"\n",
    "#include \"device/preamble.cl\"\n",
    "#line 2 \"stencil/kernel.cl\"\n",
    "#include \"words/opencl.cl\"\n",
    "#line 3 \"stencil/kernel.cl\"\n",
    "#include \"core/axis.h\"\n",
    "#line 4 \"stencil/kernel.cl\"\n",
    "#line 1 \"device/arguments.h\"\n",
    "#ifndef CONVK_AXIS_INCLUDED_\n",
    "#define CONVK_AXIS_INCLUDED_\n",
    "/* ---- what kernels take ----\n",
    "   Beside its arrays a kernel takes one struct by value, which the host fills and OpenCL C and CUDA read: <family>/arguments.h\n",
    "   declares it once for all three,\n",
    "     CONVK_DEFINE_ARGUMENTS_(name) { members };\n",
    "   and CONVK_ARGUMENTS_(name) is its type.  Members are of uint64_t, int64_t, uint32_t, int32_t, and CONVK_ARGUMENT_T_, which is\n",
    "   the real type; the larger ones come first.  OpenCL has the struct once per precision, in CUDA it is a template of that type.\n",
    "   <family>/device.h fills what both devices need alike, opencl_calls.h and cuda.h how a launch is cut. */\n",
    "\n",
    "/* One axis: output i is the sum over k < ntaps of taps[k] times input i + shift + k; n points in, m points out. */\n",
    "typedef struct convk_axis_device_ {\n",
    "  uint64_t n, m, ntaps;\n",
    "  int64_t shift;\n",
    "  int32_t periodic, unused;\n",
    "} convk_axis_device_;\n",
    "#endif\n",
    "#line 5 \"stencil/kernel.cl\"\n",
    "#line 1 \"stencil/arguments.h\"\n",
    "/* What the kernels of this family take. */\n",
    "CONVK_DEFINE_ARGUMENTS_(stencil) {\n",
    "  uint64_t pitch_y, pitch_z;\n",
    "  uint64_t in_at, out_at;         /* OpenCL: where arrays begin in their buffers, in elements */\n",
    "  int64_t n[3], first[3], end[3]; /* the box first .. end - 1 is written */\n",
    "  int64_t left;                   /* CUDA: where the first tile begins: at a sector, at first[0] or before */\n",
    "  int64_t planes;                 /* of a chunk along z */\n",
    "  uint32_t tiles_x, layer;        /* tiles along x, and of a chunk */\n",
    "  int32_t periodic[3], unused;\n",
    "  CONVK_ARGUMENT_T_ c[7]; /* in the order of the sum */\n",
    "};\n",
    "\n",
    "/* Of box_copy: rows of count[0] points, count[1] of them in a plane. */\n",
    "CONVK_DEFINE_ARGUMENTS_(box) {\n",
    "  uint64_t in_at, out_at;             /* the first points of both boxes, in elements */\n",
    "  uint64_t in_pitch[2], out_pitch[2]; /* of y and z */\n",
    "  uint64_t count[2], points;          /* points of all rows and planes */\n",
    "  uint64_t each;                      /* points that a work-item copies, one after another */\n",
    "};\n",
    "#line 6 \"stencil/kernel.cl\"\n",
    "#line 1 \"stencil/element.h\"\n",
    "/* A point from the weights c, itself and its neighbours: the one order of evaluation. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_stencil_value_(const CONVK_V *c, CONVK_V m, CONVK_V xm, CONVK_V xp, CONVK_V ym, CONVK_V yp,\n",
    "                                            CONVK_V zm, CONVK_V zp, const int isotropic) {\n",
    "  CONVK_V s = CONVK_MUL_(c[0], m);\n",
    "  if (isotropic) return CONVK_FMA_(c[1], CONVK_ADD_(CONVK_ADD_(CONVK_ADD_(xm, xp), CONVK_ADD_(ym, yp)), CONVK_ADD_(zm, zp)), s);\n",
    "  s = CONVK_FMA_(c[1], xm, s);\n",
    "  s = CONVK_FMA_(c[2], xp, s);\n",
    "  s = CONVK_FMA_(c[3], ym, s);\n",
    "  s = CONVK_FMA_(c[4], yp, s);\n",
    "  s = CONVK_FMA_(c[5], zm, s);\n",
    "  return CONVK_FMA_(c[6], zp, s);\n",
    "}\n",
    "#line 7 \"stencil/kernel.cl\"\n",
    "\n",
    "/* DEPTH steps in one pass over memory.  A work-group marches along a chunk of z with a tile of TILE_X by TILE_Y\n",
    "   points, of which DEPTH - 1 on each side only serve the others; each work-item has ROWS by COLUMNS of them.  Level l\n",
    "   is the input after l steps: when plane z of level 0 comes, plane z - l of level l is made.  A point keeps the two\n",
    "   planes before that of each level; what its neighbours in x and y need lies in local memory, level 0 with a ring\n",
    "   around the tile.  Where a neighbour is missing (around the tile of later levels, beyond fixed ends), the result is\n",
    "   never used. */\n",
    "#define TILE_X (ITEMS_X * COLUMNS)\n",
    "#define TILE_Y (ITEMS_Y * ROWS)\n",
    "#define ITEMS (ITEMS_X * ITEMS_Y)\n",
    "#define PITCH (TILE_X + 2)\n",
    "#define RING (2 * (TILE_X + TILE_Y))\n",
    "#define CELLS ((RING + ITEMS - 1) / ITEMS) /* of the ring, per work-item */\n",
    "\n",
    "/* Point n of the ring around a tile: its lowest row, its highest one, the left column, the right one.  Beyond these: a corner,\n",
    "   which nobody reads. */\n",
    "void ring_point(int n, int *i, int *j) {\n",
    "  *i = *j = -1;\n",
    "  if (n < 2 * TILE_X) {\n",
    "    *i = n % TILE_X;\n",
    "    *j = n < TILE_X ? -1 : TILE_Y;\n",
    "  } else if (n < RING) {\n",
    "    *i = n < 2 * TILE_X + TILE_Y ? -1 : TILE_X;\n",
    "    *j = (n - 2 * TILE_X) % TILE_Y;\n",
    "  }\n",
    "}\n",
    "\n",
    "/* A work-item's points of a plane: 0 where there is none. */\n",
    "void load_points(T next[ROWS][COLUMNS], global const T *input, int valid, const long *row, const long *column, long x0,\n",
    "                 long nx) {\n",
    "  int c, r;\n",
    "  CONVK_EACH_(r, ROWS) {\n",
    "#if COLUMNS > 1\n",
    "    if (valid && row[r] >= 0 && x0 >= 0 && x0 + COLUMNS <= nx)\n",
    "      for (c = 0; c < COLUMNS; c++) next[r][c] = input[row[r] + x0 + c];\n",
    "    else\n",
    "#endif\n",
    "      for (c = 0; c < COLUMNS; c++) next[r][c] = !valid || row[r] < 0 || column[c] < 0 ? (T)0 : input[row[r] + column[c]];\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Level l one plane on, and what it was for the next one: next is a plane of level l before, of level l + 1 behind.  q: the\n",
    "   work-item's points in local memory; queue: the two planes before next; change: its rows, moves_from .. moves_to - 1 its\n",
    "   columns that change. */\n",
    "void one_step(const int l, T next[ROWS][COLUMNS], T queue[2][ROWS][COLUMNS], local const T *q, const T *weight, uint change,\n",
    "              int moves_from, int moves_to) {\n",
    "  T before[COLUMNS];\n",
    "  int c, r;\n",
    "  for (c = 0; c < COLUMNS; c++) before[c] = q[c - PITCH];\n",
    "  CONVK_EACH_(r, ROWS) {\n",
    "    const int changes_to = change >> r & 1 ? moves_to : 0;\n",
    "    for (c = 0; c < COLUMNS; c++) {\n",
    "      const T m = queue[1][r][c], after = r + 1 < ROWS ? queue[1][(r + 1) % ROWS][c] : q[(r + 1) * PITCH + c];\n",
    "      T v = convk_stencil_value_(weight, m, q[r * PITCH + c - 1], q[r * PITCH + c + 1], before[c], after, queue[0][r][c],\n",
    "                                 next[r][c], ISOTROPIC);\n",
    "      if (l < DEPTH - 1) v = c >= moves_from && c < changes_to ? v : m;\n",
    "      before[c] = m;\n",
    "      queue[0][r][c] = m;\n",
    "      queue[1][r][c] = next[r][c];\n",
    "      next[r][c] = v;\n",
    "    }\n",
    "  }\n",
    "}\n",
    "\n",
    "kernel __attribute__((reqd_work_group_size(ITEMS_X, ITEMS_Y, 1))) void stencil7(const CONVK_ARGUMENTS_(stencil) args,\n",
    "                                                                                global const T *in, global T *out) {\n",
    "  local T plane[BUFFERS][DEPTH][(TILE_Y + 2) * PITCH];\n",
    "  const int i0 = (int)get_local_id(0) * COLUMNS, j0 = (int)get_local_id(1) * ROWS, at = (j0 + 1) * PITCH + i0 + 1;\n",
    "  const int item = (int)(get_local_id(1) * ITEMS_X + get_local_id(0));\n",
    "  const long nx = args.n[0], ny = args.n[1], nz = args.n[2], tile = (long)get_group_id(0), tiles_x = (long)args.tiles_x;\n",
    "  const long first_x = args.first[0], first_y = args.first[1], end_x = args.end[0], end_y = args.end[1];\n",
    "  const ulong pitch_y = args.pitch_y, pitch_z = args.pitch_z;\n",
    "  const int periodic = args.periodic[0] | args.periodic[1] << 1 | args.periodic[2] << 2; /* an axis, a bit */\n",
    "  const long tile_x = first_x - (DEPTH - 1) + tile % tiles_x * (TILE_X - 2 * (DEPTH - 1)), x0 = tile_x + i0;\n",
    "  const long tile_y = first_y - (DEPTH - 1) + tile / tiles_x * (TILE_Y - 2 * (DEPTH - 1)), y0 = tile_y + j0;\n",
    "  const long begin = args.first[2] + (long)get_group_id(1) * args.planes, end = min(begin + args.planes, args.end[2]);\n",
    "  /* the columns that change, and those that are the tile's results */\n",
    "  const int moves_from = periodic & 1 ? 0 : (int)clamp(1 - x0, (long)0, (long)COLUMNS);\n",
    "  const int moves_to = periodic & 1 ? COLUMNS : (int)clamp(nx - 1 - x0, (long)0, (long)COLUMNS);\n",
    "  const int out_from = max((int)clamp(first_x - x0, (long)0, (long)COLUMNS), DEPTH - 1 - i0);\n",
    "  const int out_to = min((int)clamp(end_x - x0, (long)0, (long)COLUMNS), TILE_X - (DEPTH - 1) - i0);\n",
    "  long column[COLUMNS], row[ROWS], cell[CELLS], z; /* where they lie in a plane, or -1 */\n",
    "  int cell_at[CELLS], c, k, l, r;\n",
    "  uint moves = 0, results = 0; /* rows, as bits */\n",
    "  const T weight[7] = {args.c[0], args.c[1], args.c[2], args.c[3], args.c[4], args.c[5], args.c[6]};\n",
    "  T queue[DEPTH][2][ROWS][COLUMNS], next[ROWS][COLUMNS], ring[CELLS];\n",
    "  for (c = 0; c < COLUMNS; c++) column[c] = x0 + c < end_x + DEPTH ? convk_axis_source_(x0 + c, nx, periodic & 1) : -1;\n",
    "  for (r = 0; r < ROWS; r++) {\n",
    "    const long y = y0 + r, from = y < end_y + DEPTH ? convk_axis_source_(y, ny, periodic & 2) : -1;\n",
    "    row[r] = from < 0 ? -1 : (long)((ulong)from * pitch_y);\n",
    "    if (periodic & 2 || (y > 0 && y < ny - 1)) moves |= 1u << r;\n",
    "    if (y >= first_y && y < end_y && j0 + r >= DEPTH - 1 && j0 + r < TILE_Y - (DEPTH - 1)) results |= 1u << r;\n",
    "  }\n",
    "  for (k = 0; k < CELLS; k++) {\n",
    "    int i, j;\n",
    "    long x, y;\n",
    "    ring_point(k * ITEMS + item, &i, &j);\n",
    "    x = tile_x + i < end_x + DEPTH ? convk_axis_source_(tile_x + i, nx, periodic & 1) : -1;\n",
    "    y = tile_y + j < end_y + DEPTH ? convk_axis_source_(tile_y + j, ny, periodic & 2) : -1;\n",
    "    cell[k] = x < 0 || y < 0 ? -1 : (long)((ulong)y * pitch_y + (ulong)x);\n",
    "    cell_at[k] = (j + 1) * PITCH + i + 1;\n",
    "    ring[k] = 0;\n",
    "  }\n",
    "  for (l = 0; l < DEPTH; l++)\n",
    "    for (r = 0; r < ROWS; r++)\n",
    "      for (c = 0; c < COLUMNS; c++) queue[l][0][r][c] = queue[l][1][r][c] = 0;\n",
    "  for (z = begin - DEPTH; z < end + DEPTH; z++) {\n",
    "    const long from = convk_axis_source_(z, nz, periodic & 4);\n",
    "    global const T *input = in + (args.in_at + (ulong)max(from, (long)0) * pitch_z);\n",
    "    local T *p = plane[z & (BUFFERS - 1)][0];\n",
    "    /* plane z - 1 - l of each level is ready */\n",
    "    CONVK_EACH_(l, DEPTH)\n",
    "      CONVK_EACH_(r, ROWS)\n",
    "        for (c = 0; c < COLUMNS; c++) p[l * (TILE_Y + 2) * PITCH + at + r * PITCH + c] = queue[l][1][r][c];\n",
    "    for (k = 0; k < CELLS; k++) {\n",
    "      p[cell_at[k]] = ring[k];\n",
    "      ring[k] = from < 0 || cell[k] < 0 ? (T)0 : input[cell[k]];\n",
    "    }\n",
    "    load_points(next, input, from >= 0, row, column, x0, nx);\n",
    "    barrier(CLK_LOCAL_MEM_FENCE);\n",
    "    CONVK_EACH_(l, DEPTH) {\n",
    "      const uint change = periodic & 4 || (z - 1 - l > 0 && z - 1 - l < nz - 1) ? moves : 0;\n",
    "      one_step(l, next, queue[l], p + l * (TILE_Y + 2) * PITCH + at, weight, change, moves_from, moves_to);\n",
    "    }\n",
    "    if (z - DEPTH >= begin) {\n",
    "      global T *output = out + (args.out_at + (ulong)(z - DEPTH) * pitch_z);\n",
    "      CONVK_EACH_(r, ROWS)\n",
    "        if (results >> r & 1)\n",
    "          for (c = 0; c < COLUMNS; c++)\n",
    "            if (c >= out_from && c < out_to) output[row[r] + x0 + c] = next[r][c];\n",
    "    }\n",
    "#if BUFFERS == 1\n",
    "    barrier(CLK_LOCAL_MEM_FENCE);\n",
    "#endif\n",
    "  }\n",
    "}\n",
      NULL};
  return lines;
}

enum { CONVK_CL_STENCIL_DEPTH_ = 4 }; /* most steps in one pass over memory */
#define CONVK_CL_STENCIL_TILES_ ((size_t)1 << 30)

/* The tile of a work-group, and its items; powers of two. */
typedef struct convk_cl_stencil_group_ {
  size_t depth, x, y, items_x, items_y, buffers;
} convk_cl_stencil_group_;

/* The tile for at most `depth` steps that local memory holds, as near to a tuned one as that.  On processors a work-item is a
   whole tile: its rows become vectors, and barriers cost nothing.  A GPU does with one set of planes where two would leave no
   room for three groups. */
CONVK_LOCAL_ int convk_cl_stencil_tile_(convk_cl *cl, size_t element, size_t depth, const long *choice,
                                        convk_cl_stencil_group_ *tile) {
  const size_t least = depth > 1 ? 4 * depth : 1, planes = 2 * depth * 34 * 34 * element;
  tile->depth = depth;
  tile->x = convk_tuned_power_(choice[CONVK_TUNE_TILE_X], 16, cl->cpu ? 512 : 64, cl->cpu ? 64 : 32);
  tile->y = convk_tuned_power_(choice[CONVK_TUNE_TILE_Y], 8, 32, cl->cpu ? 16 : 32); /* rows of an item are 32 bits */
  while (tile->x < least) tile->x *= 2;
  while (tile->y < least) tile->y *= 2;
  tile->buffers = cl->cpu || 3 * planes > cl->local_bytes ? 1 : 2;
  while (tile->buffers * depth * (tile->x + 2) * (tile->y + 2) * element > cl->local_bytes) {
    if (tile->buffers > 1) tile->buffers = 1;
    else if (tile->y >= tile->x && tile->y >= 2 * least) tile->y /= 2;
    else if (tile->x >= 2 * least) tile->x /= 2;
    else if (depth > 1) return convk_cl_stencil_tile_(cl, element, depth - 1, choice, tile);
    else return convk_cl_little_(cl);
  }
  tile->items_x = cl->cpu ? 1 : tile->x;
  tile->items_y = cl->cpu ? 1 : convk_tuned_power_(choice[CONVK_TUNE_GROUP_Y], 1, tile->y, tile->y < 8 ? tile->y : 8);
  while (tile->items_x > cl->group_x && tile->items_x > 1) tile->items_x /= 2;
  while (tile->items_y > cl->group_y && tile->items_y > 1) tile->items_y /= 2;
  return CONVK_OK;
}

/* Build option: T, and F64.  Arguments: stencil/arguments.h. */
CONVK_LOCAL_ const char *const *convk_cl_box_source_(void) {
  static const char *const lines[] = {
    "#line 1 \"stencil/box.cl\"\n",
    "#include \"device/preamble.cl\"\n",
    "#line 2 \"stencil/box.cl\"\n",
    "#include \"words/opencl.cl\"\n",
    "#line 3 \"stencil/box.cl\"\n",
    "#line 1 \"device/arguments.h\"\n",
    "#ifndef CONVK_AXIS_INCLUDED_\n",
    "#define CONVK_AXIS_INCLUDED_\n",
    "/* ---- what kernels take ----\n",
    "   Beside its arrays a kernel takes one struct by value, which the host fills and OpenCL C and CUDA read: <family>/arguments.h\n",
    "   declares it once for all three,\n",
    "     CONVK_DEFINE_ARGUMENTS_(name) { members };\n",
    "   and CONVK_ARGUMENTS_(name) is its type.  Members are of uint64_t, int64_t, uint32_t, int32_t, and CONVK_ARGUMENT_T_, which is\n",
    "   the real type; the larger ones come first.  OpenCL has the struct once per precision, in CUDA it is a template of that type.\n",
    "   <family>/device.h fills what both devices need alike, opencl_calls.h and cuda.h how a launch is cut. */\n",
    "\n",
    "/* One axis: output i is the sum over k < ntaps of taps[k] times input i + shift + k; n points in, m points out. */\n",
    "typedef struct convk_axis_device_ {\n",
    "  uint64_t n, m, ntaps;\n",
    "  int64_t shift;\n",
    "  int32_t periodic, unused;\n",
    "} convk_axis_device_;\n",
    "#endif\n",
    "#line 4 \"stencil/box.cl\"\n",
    "#line 1 \"stencil/arguments.h\"\n",
    "/* What the kernels of this family take. */\n",
    "CONVK_DEFINE_ARGUMENTS_(stencil) {\n",
    "  uint64_t pitch_y, pitch_z;\n",
    "  uint64_t in_at, out_at;         /* OpenCL: where arrays begin in their buffers, in elements */\n",
    "  int64_t n[3], first[3], end[3]; /* the box first .. end - 1 is written */\n",
    "  int64_t left;                   /* CUDA: where the first tile begins: at a sector, at first[0] or before */\n",
    "  int64_t planes;                 /* of a chunk along z */\n",
    "  uint32_t tiles_x, layer;        /* tiles along x, and of a chunk */\n",
    "  int32_t periodic[3], unused;\n",
    "  CONVK_ARGUMENT_T_ c[7]; /* in the order of the sum */\n",
    "};\n",
    "\n",
    "/* Of box_copy: rows of count[0] points, count[1] of them in a plane. */\n",
    "CONVK_DEFINE_ARGUMENTS_(box) {\n",
    "  uint64_t in_at, out_at;             /* the first points of both boxes, in elements */\n",
    "  uint64_t in_pitch[2], out_pitch[2]; /* of y and z */\n",
    "  uint64_t count[2], points;          /* points of all rows and planes */\n",
    "  uint64_t each;                      /* points that a work-item copies, one after another */\n",
    "};\n",
    "#line 5 \"stencil/box.cl\"\n",
    "\n",
    "/* An item copies `each` points, one after another: one on a GPU, where neighbours have neighbouring points, and more on a\n",
    "   processor, whose rows become vectors. */\n",
    "kernel void box_copy(const CONVK_ARGUMENTS_(box) args, global const T *in, global T *out) {\n",
    "  ulong i = (ulong)get_global_id(0) * args.each;\n",
    "  const ulong end = i + args.each < args.points ? i + args.each : args.points;\n",
    "  while (i < end) {\n",
    "    const ulong row = i / args.count[0], x = i - row * args.count[0], z = row / args.count[1], y = row - z * args.count[1];\n",
    "    const ulong left = args.count[0] - x, some = left < end - i ? left : end - i;\n",
    "    global const T *from = in + (args.in_at + z * args.in_pitch[1] + y * args.in_pitch[0] + x);\n",
    "    global T *to = out + (args.out_at + z * args.out_pitch[1] + y * args.out_pitch[0] + x);\n",
    "    ulong k;\n",
    "    for (k = 0; k < some; k++) to[k] = from[k];\n",
    "    i += some;\n",
    "  }\n",
    "}\n",
      NULL};
  return lines;
}

enum { CONVK_CL_BOX_EACH_ = 4096, CONVK_CL_BOX_ITEMS_ = 256 }; /* points of an item of a processor; items of a group of a GPU */
#endif
#if CONVK_HAS_VMATH_
/* ---- src/vmath/opencl.h ---- */
enum { CONVK_CL_MAP_POINTS_ = 1024 }; /* elements of an item, on processors: 4 or 8 KiB.  A choice */

/* OpenCL C 1.2.  Build options: FUNCTION, or SINCOS; ITEMS and POINTS, the shape of a group. */
CONVK_LOCAL_ const char *const *convk_cl_vmath_source_(void) {
  static const char *const lines[] = {
    "#line 1 \"vmath/kernel.cl\"\n",
    "#include \"device/preamble.cl\"\n",
    "#line 2 \"vmath/kernel.cl\"\n",
    "#include \"words/opencl.cl\"\n",
    "#line 3 \"vmath/kernel.cl\"\n",
    "#line 1 \"elementary/both.h\"\n",
    "/* The upper half of the product. */\n",
    "CONVK_ELEMENT_ uint64_t convk_upper_half_(uint64_t a, uint64_t b) {\n",
    "  const uint64_t low = 0xffffffff, one = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);\n",
    "  const uint64_t two = (a & low) * (b >> 32) + (one & low);\n",
    "  return (a >> 32) * (b >> 32) + (one >> 32) + (two >> 32);\n",
    "}\n",
    "\n",
    "/* The bits of a 2^e, a < 2^digits, as a number of so many digits. */\n",
    "CONVK_ELEMENT_ uint64_t convk_bits_of_(uint64_t a, int e, int digits) {\n",
    "  if (!a) return 0;\n",
    "  for (; !(a >> (digits - 1)); e--) a <<= 1;\n",
    "  return ((uint64_t)(e + digits - 2 + (digits > 24 ? 1023 : 127)) << (digits - 1)) + a;\n",
    "}\n",
    "\n",
    "/* q and the bits of part[0] and part[1] in x = q pi/2 + part[0] + part[1], |part[0] + part[1]| <= pi/4, for the bits of a\n",
    "   finite x > 1 of `digits` digits, 24 (f32) or 53 (f64); in integers, so that no compiler's arithmetic matters.  x = m 2^e and\n",
    "   2 / pi = sum of two_over_pi[j] 2^(-32 (j - 1)) for j >= 2: of m 2 / pi only the part modulo 4 counts, so that 192 digits of\n",
    "   2 / pi do, from where they begin to matter. */\n",
    "CONVK_ELEMENT_RARE_ uint32_t convk_reduce_far_(uint64_t x, int digits, uint64_t *part) {\n",
    "  CONVK_CONSTANT_ uint32_t two_over_pi[40] = {\n",
    "      0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,\n",
    "      0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,\n",
    "      0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,\n",
    "      0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};\n",
    "  const uint64_t high_pi = UINT64_C(0xc90fdaa22168c234), low_pi = UINT64_C(0xc4c6628b80dc1cd1); /* pi/2 in units of 2^-127 */\n",
    "  const uint64_t hidden = (uint64_t)1 << (digits - 1), m = ((x & (hidden - 1)) | hidden) << (53 - digits);\n",
    "  /* digit of two_over_pi of weight 2^(1 - e) */\n",
    "  const int first = (int)(x >> (digits - 1)) - (digits > 24 ? 1023 : 127) + 10;\n",
    "  uint64_t w[3], a, b, c, carry;\n",
    "  uint32_t q, flip;\n",
    "  int e, i;\n",
    "  for (i = 0; i < 3; i++) {\n",
    "    const int word = first / 32 + 2 * i, shift = first % 32;\n",
    "    w[i] = ((uint64_t)two_over_pi[word] << 32 | two_over_pi[word + 1]) << shift;\n",
    "    if (shift) w[i] |= two_over_pi[word + 2] >> (32 - shift);\n",
    "  }\n",
    "  /* a b c = m times 192 digits, modulo 2^192 */\n",
    "  c = m * w[2];\n",
    "  carry = convk_upper_half_(m, w[2]);\n",
    "  b = m * w[1] + carry;\n",
    "  a = m * w[0] + convk_upper_half_(m, w[1]) + (b < carry);\n",
    "  /* the two digits before the point, rounded, and what is left, as sign and magnitude */\n",
    "  q = (uint32_t)(a >> 62);\n",
    "  flip = (uint32_t)(a >> 61) & 1;\n",
    "  if (flip) {\n",
    "    q++;\n",
    "    c = ~c + 1;\n",
    "    b = ~b + !c;\n",
    "    a = ~a + (!b && !c);\n",
    "  }\n",
    "  a &= UINT64_C(0x3fffffffffffffff);\n",
    "  /* its first 128 digits that are not 0, times pi / 2: the upper half of the product */\n",
    "  for (e = 3; e > -123 && !(a >> 63); e--) {\n",
    "    a = a << 1 | b >> 63;\n",
    "    b = b << 1 | c >> 63;\n",
    "    c <<= 1;\n",
    "  }\n",
    "  w[0] = convk_upper_half_(b, low_pi);\n",
    "  w[1] = b * high_pi;\n",
    "  w[2] = a * low_pi;\n",
    "  c = w[0] + w[1];\n",
    "  carry = c < w[1];\n",
    "  c += w[2];\n",
    "  carry += c < w[2];\n",
    "  w[0] = convk_upper_half_(b, high_pi);\n",
    "  w[1] = convk_upper_half_(a, low_pi);\n",
    "  w[2] = a * high_pi;\n",
    "  a = convk_upper_half_(a, high_pi);\n",
    "  for (i = 0; i < 3; i++) {\n",
    "    carry += w[i];\n",
    "    a += carry < w[i];\n",
    "  }\n",
    "  /* 2^e times a and c as a fraction, which is at least 1 / 4 */\n",
    "  if (!(a >> 63)) {\n",
    "    a = a << 1 | carry >> 63;\n",
    "    carry <<= 1;\n",
    "    e--;\n",
    "  }\n",
    "  b = a << digits | carry >> (64 - digits);\n",
    "  part[0] = convk_bits_of_(a >> (64 - digits), e - digits, digits);\n",
    "  part[1] = convk_bits_of_(b >> (64 - digits), e - 2 * digits, digits);\n",
    "  for (i = 0; i < 2; i++) part[i] |= (uint64_t)flip << (digits > 24 ? 63 : 31);\n",
    "  return q;\n",
    "}\n",
    "#line 4 \"vmath/kernel.cl\"\n",
    "#line 1 \"elementary/element.h\"\n",
    "#include \"elementary/exponential.h\"\n",
    "#line 2 \"elementary/element.h\"\n",
    "\n",
    "/* The sum of c[k] x^k for k < count, even and odd powers apart: half as long a wait for one multiplication more. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_vpoly_(CONVK_V x, CONVK_V x2, const CONVK_T *c, const int count) {\n",
    "  CONVK_V even = CONVK_SET_(c[(count - 1) & ~1]), odd = CONVK_SET_(c[(count - 2) | 1]);\n",
    "  int k;\n",
    "  CONVK_UNROLL_\n",
    "  for (k = ((count - 1) & ~1) - 2; k >= 0; k -= 2) even = CONVK_FMA_(x2, even, CONVK_SET_(c[k]));\n",
    "  CONVK_UNROLL_\n",
    "  for (k = ((count - 2) | 1) - 2; k >= 0; k -= 2) odd = CONVK_FMA_(x2, odd, CONVK_SET_(c[k]));\n",
    "  return CONVK_FMA_(x, odd, even);\n",
    "}\n",
    "\n",
    "/* ---- logarithm ----\n",
    "   x = 2^k m with 3/4 <= m < 3/2, f = m - 1, s = f / (2 + f): log(1 + f) = 2 s + s z P(z) with z = s^2\n",
    "   = f - (f^2 / 2 - s (f^2 / 2 + z P(z))), in which f is exact and all else is small.  k ln 2 + f is kept in two parts. */\n",
    "\n",
    "/* m and k of x, which is positive and normal.  bias: CONVK_LOG_BIAS_, and n more gives k - n. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_vsplit_(CONVK_V x, CONVK_V bias, CONVK_V *k) {\n",
    "  /* x less a quarter of a binade: its exponent is k's, counted from that of 1/2 */\n",
    "  const CONVK_V lower = CONVK_ISUB_(x, CONVK_BITS_OF_(0x00400000, 0x0008000000000000));\n",
    "  const CONVK_V whole = CONVK_SET_(CONVK_OF_(8388608, 4503599627370496.)); /* whose last place is 1 */\n",
    "  *k = CONVK_SUB_(CONVK_OR_(CONVK_SHR_(lower, CONVK_FRACTION_), whole), bias);\n",
    "  return CONVK_IADD_(CONVK_AND_(lower, CONVK_BITS_OF_(0x007fffff, 0x000fffffffffffff)),\n",
    "                     CONVK_BITS_OF_(0x3f400000, 0x3fe8000000000000));\n",
    "}\n",
    "#define CONVK_LOG_BIAS_ CONVK_OF_(8388608.f + 126, 4503599627370496. + 1022)\n",
    "\n",
    "/* log(2^k m). */\n",
    "CONVK_ELEMENT_ CONVK_V convk_vlog_of_(CONVK_V m, CONVK_V k) {\n",
    "  CONVK_CONSTANT_ CONVK_T p[] = CONVK_TABLE_(CONVK_LOG);\n",
    "  CONVK_V f, s, z, w, g, h, l;\n",
    "  f = CONVK_SUB_(m, CONVK_SET_(1));\n",
    "  s = CONVK_DIV_(f, CONVK_SUB_(CONVK_SET_(-1), m)); /* -s */\n",
    "  z = CONVK_MUL_(s, s);\n",
    "  w = CONVK_MUL_(CONVK_SET_((CONVK_T)-0.5f), f);\n",
    "  h = CONVK_FMA_(k, CONVK_SET_(CONVK_LN2_HIGH_), f);\n",
    "  l = CONVK_SUB_(f, CONVK_FMA_(k, CONVK_SET_(-CONVK_LN2_HIGH_), h));\n",
    "  l = CONVK_FMA_(w, f, CONVK_FMA_(k, CONVK_SET_(CONVK_LN2_LOW_), l));\n",
    "  g = CONVK_FMA_(z, convk_vpoly_(z, CONVK_MUL_(z, z), p, CONVK_COUNT_(p)), CONVK_MUL_(w, f));\n",
    "  return CONVK_ADD_(h, CONVK_FMA_(s, g, l));\n",
    "}\n",
    "\n",
    "#ifdef CONVK_ALL_NORMAL_\n",
    "/* Of x which CONVK_ALL_NORMAL_ takes. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_vlog_normal_(CONVK_V x) {\n",
    "  CONVK_V k, m = convk_vsplit_(x, CONVK_SET_(CONVK_LOG_BIAS_), &k);\n",
    "  return convk_vlog_of_(m, k);\n",
    "}\n",
    "#endif\n",
    "\n",
    "CONVK_ELEMENT_ CONVK_V convk_vlog_(CONVK_V x) {\n",
    "#ifdef CONVK_MANTISSA_\n",
    "  const CONVK_V m = CONVK_MANTISSA_(x);\n",
    "  return CONVK_LOG_ENDS_(convk_vlog_of_(m, CONVK_SUB_(CONVK_EXPONENT_(x), CONVK_EXPONENT_(m))), x);\n",
    "#else\n",
    "  const CONVK_V least = CONVK_BITS_OF_(0x00800000, 0x0010000000000000); /* normal number */\n",
    "  const CONVK_V times = CONVK_SET_(CONVK_OF_(33554432, 18014398509481984.));\n",
    "  const CONVK_V bias = CONVK_SET_(CONVK_LOG_BIAS_);\n",
    "  const CONVK_V bias_times = CONVK_SET_(CONVK_OF_(8388608.f + 126 + 25, 4503599627370496. + 1022 + 54));\n",
    "  const CONVK_V zero = CONVK_SET_(0), infinite = CONVK_INFINITE_;\n",
    "  CONVK_V y = x, from = bias, k, m, h, l;\n",
    "#ifdef CONVK_ANY_LESS_\n",
    "  if (CONVK_UNLIKELY_(CONVK_ANY_LESS_(x, least)))\n",
    "#endif\n",
    "  {\n",
    "    y = CONVK_MUL_(x, CONVK_LESS_(x, least, times, CONVK_SET_(1))); /* times 1, so that nothing large overflows */\n",
    "    from = CONVK_LESS_(x, least, bias_times, bias);\n",
    "  }\n",
    "  m = convk_vsplit_(y, from, &k);\n",
    "  h = convk_vlog_of_(m, k);\n",
    "  /* 0 and what is negative; then infinity and NaN */\n",
    "  l = CONVK_LESS_(x, zero, CONVK_BITS_OF_(0xffc00000, 0xfff8000000000000), CONVK_XOR_(infinite, CONVK_SIGN_));\n",
    "  return CONVK_LESS_(x, infinite, CONVK_LESS_(zero, x, h, l), CONVK_ADD_(x, infinite));\n",
    "#endif\n",
    "}\n",
    "\n",
    "/* ---- sine and cosine ----\n",
    "   x = n pi/2 + r + lo with |r| <= pi/4.  pi/2 is cut into parts: the first subtract exactly, the next leave a difference and\n",
    "   its rounding error, the last one's own rounding does not count.  Fused, a part has all digits, and its product with n is\n",
    "   known in two parts; else so few that products with n, of 17 (f32) or 30 (f64) digits, are exact; f32 then uses doubles. */\n",
    "#define CONVK_SINCOS_FAR_ CONVK_OF_(131072, 1073741824)\n",
    "\n",
    "/* r and lo of x = n pi/2 + r + lo, for x up to the limit. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_vreduce_(CONVK_V x, CONVK_V n, CONVK_V *lo) {\n",
    "#if CONVK_FUSES_\n",
    "  CONVK_CONSTANT_ CONVK_T part[] = CONVK_TABLE_(CONVK_HALF_PI);\n",
    "  const CONVK_V next = CONVK_SET_(-part[1]), high = CONVK_FMA_(n, CONVK_SET_(-part[0]), x);\n",
    "  CONVK_V p = CONVK_MUL_(n, CONVK_SET_(part[1])), r, e;\n",
    "  CONVK_KEEP_(p); /* a product that compilers must not fuse */\n",
    "  r = CONVK_SUB_(high, p);\n",
    "  e = CONVK_ADD_(CONVK_SUB_(CONVK_SUB_(high, r), p), CONVK_FMA_(n, next, p));\n",
    "  *lo = CONVK_FMA_(n, CONVK_SET_(-part[2]), e);\n",
    "  return r;\n",
    "#else\n",
    "  static const double part[] = CONVK_TABLE_(CONVK_HALF_PI_CUT);\n",
    "  const size_t last = sizeof part / sizeof *part - 1, parts = CONVK_LANES / CONVK_DLANES_;\n",
    "  CONVK_V r = x, next, e;\n",
    "  size_t k;\n",
    "  if (sizeof(CONVK_T) == sizeof(float)) {\n",
    "    CONVK_D d[CONVK_LANES / CONVK_DLANES_];\n",
    "    CONVK_EACH_(k, parts) {\n",
    "      const CONVK_D m = CONVK_DPART_(n, k);\n",
    "      d[k] = CONVK_DFMA_(m, CONVK_DSET_(-part[1]), CONVK_DFMA_(m, CONVK_DSET_(-part[0]), CONVK_DPART_(x, k)));\n",
    "    }\n",
    "    r = CONVK_JOIN_(d);\n",
    "    CONVK_EACH_(k, parts) d[k] = CONVK_DFMA_(CONVK_DPART_(r, k), CONVK_DSET_(-1), d[k]);\n",
    "    *lo = CONVK_JOIN_(d);\n",
    "    return r;\n",
    "  }\n",
    "  *lo = CONVK_SET_(0);\n",
    "  CONVK_EACH_(k, last) {\n",
    "    const CONVK_V p = CONVK_SET_((CONVK_T)-part[k]);\n",
    "    next = CONVK_FMA_(n, p, r);\n",
    "    if (k >= 2) {\n",
    "      e = CONVK_FMA_(n, p, CONVK_SUB_(r, next));\n",
    "      *lo = k == 2 ? e : CONVK_ADD_(*lo, e);\n",
    "    }\n",
    "    r = next;\n",
    "  }\n",
    "  *lo = CONVK_FMA_(n, CONVK_SET_((CONVK_T)-part[last]), *lo);\n",
    "  return r;\n",
    "#endif\n",
    "}\n",
    "\n",
    "/* n pi/2 + r + lo = x for 0 <= x up to the limit; n in the last bits of the result. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_vreduce_near_(CONVK_V x, CONVK_V *r, CONVK_V *lo) {\n",
    "  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));\n",
    "  const CONVK_V t = CONVK_FMA_(x, CONVK_SET_(CONVK_OF_(0.63661975f, 0.6366197723675814)), shift);\n",
    "  *r = convk_vreduce_(x, CONVK_SUB_(t, shift), lo);\n",
    "  return t;\n",
    "}\n",
    "\n",
    "/* The same for finite elements beyond the limit, of v = x, n, r, lo. */\n",
    "CONVK_ELEMENT_RARE_ void convk_vreduce_far_(CONVK_V *v) {\n",
    "  const CONVK_UNSIGNED_ limit = CONVK_EITHER_(UINT32_C(0x48000000), UINT64_C(0x41d0000000000000)); /* its bits */\n",
    "  const CONVK_UNSIGNED_ infinite = CONVK_EITHER_(UINT32_C(0x7f800000), UINT64_C(0x7ff0000000000000));\n",
    "  CONVK_UNSIGNED_ u[4][CONVK_LANES];\n",
    "  int i, k;\n",
    "  for (i = 0; i < 4; i++) CONVK_TO_BITS_(u[i], v[i]);\n",
    "  for (k = 0; k < CONVK_LANES; k++) {\n",
    "    uint64_t part[2];\n",
    "    if (u[0][k] <= limit || u[0][k] >= infinite) continue;\n",
    "    u[1][k] = convk_reduce_far_(u[0][k], CONVK_FRACTION_ + 1, part);\n",
    "    u[2][k] = (CONVK_UNSIGNED_)part[0];\n",
    "    u[3][k] = (CONVK_UNSIGNED_)part[1];\n",
    "  }\n",
    "  for (i = 1; i < 4; i++) CONVK_FROM_BITS_(v[i], u[i]);\n",
    "}\n",
    "\n",
    "/* Of x, where |x| = n pi/2 + r + lo with n in the last bits of t. */\n",
    "CONVK_ELEMENT_ void convk_vsincos_of_(CONVK_V x, CONVK_V t, CONVK_V r, CONVK_V lo, CONVK_V *sine, CONVK_V *cosine) {\n",
    "  CONVK_CONSTANT_ CONVK_T s[] = CONVK_TABLE_(CONVK_SIN), c[] = CONVK_TABLE_(CONVK_COS);\n",
    "  const CONVK_V one = CONVK_SET_(1), sign = CONVK_SIGN_;\n",
    "  CONVK_V z, z2, h, e, p, q, odd, swap, flip;\n",
    "  z = CONVK_MUL_(r, r);\n",
    "  z2 = CONVK_MUL_(z, z);\n",
    "  /* 1 - z / 2 is h - e; cos(r + lo) has - r lo too, and sin(r + lo) almost lo h */\n",
    "  h = CONVK_FMA_(z, CONVK_SET_((CONVK_T)-0.5f), one);\n",
    "  e = CONVK_FMA_(r, lo, CONVK_FMA_(z, CONVK_SET_((CONVK_T)0.5f), CONVK_SUB_(h, one)));\n",
    "  q = CONVK_SUB_(h, CONVK_FMA_(z2, convk_vpoly_(z, z2, c, CONVK_COUNT_(c)), e));\n",
    "  lo = CONVK_MUL_(lo, h);\n",
    "  p = CONVK_ADD_(r, CONVK_FMA_(CONVK_MUL_(z, r), convk_vpoly_(z, z2, s, CONVK_COUNT_(s)), lo));\n",
    "  /* odd quadrants swap the two; the sine is negative in the last two, the cosine in the middle two */\n",
    "  odd = CONVK_ISUB_(CONVK_SET_(0), CONVK_AND_(t, CONVK_BITS_(1)));\n",
    "  swap = CONVK_AND_(CONVK_XOR_(p, q), odd);\n",
    "  flip = CONVK_SHL_(t, CONVK_EITHER_(30, 62));\n",
    "  *sine = CONVK_XOR_(CONVK_XOR_(p, swap), CONVK_AND_(CONVK_XOR_(flip, x), sign));\n",
    "  *cosine = CONVK_XOR_(CONVK_XOR_(q, swap), CONVK_AND_(CONVK_XOR_(flip, CONVK_SHL_(t, CONVK_EITHER_(31, 63))), sign));\n",
    "}\n",
    "\n",
    "CONVK_ELEMENT_ void convk_vsincos_(CONVK_V x, CONVK_V *sine, CONVK_V *cosine) {\n",
    "  const CONVK_V a = CONVK_XOR_(x, CONVK_AND_(x, CONVK_SIGN_)); /* |x|: so a zero keeps its sign */\n",
    "  CONVK_V r, lo, t = convk_vreduce_near_(a, &r, &lo);\n",
    "  if (CONVK_UNLIKELY_(CONVK_ANY_LESS_(CONVK_SET_(CONVK_SINCOS_FAR_), a))) {\n",
    "    CONVK_V v[4];\n",
    "    v[0] = a;\n",
    "    v[1] = t;\n",
    "    v[2] = r;\n",
    "    v[3] = lo;\n",
    "    convk_vreduce_far_(v);\n",
    "    t = v[1];\n",
    "    r = v[2];\n",
    "    lo = v[3];\n",
    "  }\n",
    "  convk_vsincos_of_(x, t, r, lo, sine, cosine);\n",
    "}\n",
    "#line 5 \"vmath/kernel.cl\"\n",
    "\n",
    "/* Work-item i of a group of ITEMS has elements i, i + ITEMS ..., POINTS of them: one where neighbours share their\n",
    "   loads, many where they become a vector.  y or z may be x. */\n",
    "CONVK_GROUP_KERNEL_ vmath(global const T *x, ulong x_offset, global T *y, ulong y_offset, global T *z, ulong z_offset,\n",
    "                          ulong n) {\n",
    "  const ulong begin = (ulong)get_group_id(0) * (ITEMS * POINTS) + get_local_id(0);\n",
    "  const int count = begin < n ? (int)min((n - begin + ITEMS - 1) / ITEMS, (ulong)POINTS) : 0;\n",
    "  T v[POINTS];\n",
    "  int p;\n",
    "  x += x_offset + begin;\n",
    "  y += y_offset + begin;\n",
    "  for (p = 0; p < count; p++) v[p] = x[p * ITEMS];\n",
    "#ifdef SINCOS\n",
    "  T s[POINTS], c[POINTS];\n",
    "  int beyond = 0;\n",
    "  z += z_offset + begin;\n",
    "  for (p = 0; p < count; p++) {\n",
    "    const T a = fabs(v[p]);\n",
    "    T r, lo;\n",
    "    const T t = convk_vreduce_near_(a, &r, &lo);\n",
    "    convk_vsincos_of_(v[p], t, r, lo, &s[p], &c[p]);\n",
    "    beyond |= a > CONVK_SINCOS_FAR_;\n",
    "  }\n",
    "  for (p = 0; p < count; p++) {\n",
    "    y[p * ITEMS] = s[p];\n",
    "    z[p * ITEMS] = c[p];\n",
    "  }\n",
    "  if (beyond) /* all of it again for few, so that the loop above becomes vectors */\n",
    "    for (p = 0; p < count; p++) {\n",
    "      if (!(fabs(v[p]) > CONVK_SINCOS_FAR_)) continue;\n",
    "      convk_vsincos_(v[p], &s[p], &c[p]);\n",
    "      y[p * ITEMS] = s[p];\n",
    "      z[p * ITEMS] = c[p];\n",
    "    }\n",
    "#else\n",
    "  for (p = 0; p < count; p++) v[p] = FUNCTION(v[p]);\n",
    "  for (p = 0; p < count; p++) y[p * ITEMS] = v[p];\n",
    "#endif\n",
    "}\n",
      NULL};
  return lines;
}
#endif
#if CONVK_HAS_GAUSSIAN_
/* ---- src/gaussian/opencl.h ---- */
/* OpenCL C 1.2.  Build options: GRIDPOT and so on choose the kernel; COMPENSATED, EXPONENTS: the options of gridpot; KINDS: 1,
   or 5 with derivatives; GIVEN: orbitals, or else functions; ITEMS and POINTS, the shape of a group, ROWS in the other
   direction; STAGE: columns of coefficients that its items share. */
CONVK_LOCAL_ const char *const *convk_cl_gaussian_source_(void) {
  static const char *const lines[] = {
    "#line 1 \"gaussian/kernel.cl\"\n",
    "#include \"device/preamble.cl\"\n",
    "#line 2 \"gaussian/kernel.cl\"\n",
    "#include \"words/opencl.cl\"\n",
    "#line 3 \"gaussian/kernel.cl\"\n",
    "#include \"elementary/exponential.h\"\n",
    "#line 4 \"gaussian/kernel.cl\"\n",
    "#line 1 \"gaussian/element.h\"\n",
    "/* ---- exponentials of products ----\n",
    "   2^(a s) for a = A + B in two parts: a s = n + f with n the nearest integer to A s, found as in vexp.  A s - n is exact but\n",
    "   for its last rounding, so that f has lost less than 2^-25 (f32) of a s, however large it is.\n",
    "   2^f = 1 + f (c1 + f p(f)) with p of least relative error: 2^-27.9, 2^-55.7, most of it from c1 = ln 2.\n",
    "   Processors take a hundred cycles and more for a number below the smallest normal one, so none is ever made: s is kept to\n",
    "   `top`, where the result is a little above that number, and what is below the limit, which is a little above that again,\n",
    "   becomes 0. */\n",
    "#line 1 \"gaussian/coefficients.h\"\n",
    "/* p in 2^f = 1 + f (ln 2 + f p(f)), for every hardware; tests/bench/fit_exponentials.py fits it again */\n",
    "#define CONVK_EXP2_f32_ {0.240226477f, 0.0555036217f, 0.00961852632f, 0.00133901613f, 0.000153211586f}\n",
    "#define CONVK_EXP2_f64_ \\\n",
    "  {0.24022650695910119, 0.055504108664821604, 0.0096181291075951077, 0.0013333558146410656, 0.00015403530458701168, \\\n",
    "   1.5252733838879019e-5, 1.3215433539637458e-6, 1.0178057622863296e-7, 7.0741945626130925e-9, 4.4558180309134402e-10}\n",
    "/* What is less than these is 0, so that no product with it is subnormal:\n",
    "   LEAST             a grid potential: 1 + 2^-13 times the smallest normal number\n",
    "   LEAST_TERM        a term of a sum, 2^-102 and 2^-969: the smallest normal number over eps / 2, for coefficients from eps / 2\n",
    "                     on\n",
    "   LEAST_PRIMITIVE   a primitive, 2^-80 and 2^-969: more in f32, for up to four coordinates that are mere rounding errors */\n",
    "#define CONVK_GAUSSIAN_LEAST_ (CONVK_OF_(1.17549435082228751e-38f, 2.2250738585072014e-308) * (CONVK_T)1.0001220703125f)\n",
    "#define CONVK_GAUSSIAN_LEAST_TERM_ CONVK_OF_(1.9721522630525295e-31f, 2.0041683600089728e-292)\n",
    "#define CONVK_GAUSSIAN_LEAST_PRIMITIVE_ CONVK_OF_(8.2718061255302767e-25f, 2.0041683600089728e-292)\n",
    "/* Of the elements of a row: all are 0; some may be below the cutoff, far below the smallest normal number, near the largest. */\n",
    "#define CONVK_GAUSSIAN_NONE_ 1\n",
    "#define CONVK_GAUSSIAN_CUT_ 2\n",
    "#define CONVK_GAUSSIAN_FAR_ 4\n",
    "#define CONVK_GAUSSIAN_LARGE_ 8\n",
    "/* Of a grid: an exponential below it, 2^-38 or 2^-68, counts as nothing, where the largest power still leaves less than\n",
    "   rounding does. */\n",
    "#define CONVK_GRIDS_LEAST_ CONVK_OF_(3.637978807091713e-12f, 3.3881317890172014e-21)\n",
    "/* Points of a tile along x, y and z at most, and rows at which the weights of a tile lie. */\n",
    "#define CONVK_GRIDS_X_ 96\n",
    "#define CONVK_GRIDS_Y_ 48\n",
    "#define CONVK_GRIDS_Z_ 8\n",
    "#define CONVK_GRIDS_WIDE_ 48\n",
    "#define CONVK_GRIDS_LISTS_ 8 /* along x, of a block of rows, at most */\n",
    "#define CONVK_GRIDS_BLOCKS_ ((size_t)16) /* of rows of a tile, at most, and so that vectors of them are whole */\n",
    "#define CONVK_GRIDS_TWINS_ 128 /* groups among which one looks for the same tables */\n",
    "#define CONVK_CELLS_PRODUCTS_ 15 /* y^b z^c */\n",
    "#define CONVK_GRIDS_CHUNK_ 128 /* points of an axis at once, where tables are made */\n",
    "/* A tile of sums in registers: its rows, its vectors, and their elements; rows whose weights lie together, which are whole\n",
    "   vectors of weights.  Rows of a strip are whole lines, of 64 bytes even pairs of them: past the cache three such vectors were\n",
    "   15 % slower than two, and four rows of three vectors of 32 bytes 20 % slower than six of two (Sapphire Rapids, 5 orbitals on\n",
    "   80^3 points). */\n",
    "#define CONVK_GRIDS_ROWS_ (CONVK_REGISTERS_ > 16 ? 8 : 6)\n",
    "#define CONVK_GRIDS_HALF_ROWS_ 4 /* that are left, and not one */\n",
    "#define CONVK_GRIDS_VECTORS_ (CONVK_REGISTERS_ > 16 && CONVK_LANES < 8 ? 3 : 2)\n",
    "#define CONVK_GRIDS_STRIP_ (CONVK_GRIDS_VECTORS_ * CONVK_LANES)\n",
    "#define CONVK_GRIDS_BLOCK_ (CONVK_REGISTERS_ > 16 ? (CONVK_LANES > 8 ? CONVK_LANES : 8) : CONVK_LANES > 4 ? 24 : 12)\n",
    "#line 9 \"gaussian/element.h\"\n",
    "\n",
    "#define CONVK_GAUSSIAN_GROUP_ (CONVK_FUSES_ ? 4 : 1) /* vectors on their way together */\n",
    "/* p 2^n, where the last bits of t are n, or with CONVK_GAUSSIAN_LARGE_ what vscale wants. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_scaled_(CONVK_V p, CONVK_V n, CONVK_V t, int mode) {\n",
    "  if (CONVK_UNLIKELY_(mode & CONVK_GAUSSIAN_LARGE_)) return convk_vscale_(p, n, t);\n",
    "  return CONVK_IADD_(p, CONVK_SHL_(t, CONVK_FRACTION_));\n",
    "}\n",
    "\n",
    "#define CONVK_GAUSSIAN_SHIFT_(mode) \\\n",
    "  ((mode)&CONVK_GAUSSIAN_LARGE_ ? CONVK_EXP_SHIFT_ : CONVK_OF_(12582912, 6755399441055744.)) /* whose last bits are 0 */\n",
    "\n",
    "#if !CONVK_FUSES_\n",
    "/* The first half of the digits of a factor, whose products with such halves are exact. */\n",
    "#define CONVK_HALF_OF_(v) CONVK_AND_(v, CONVK_BITS_OF_(0xfffff000, 0xfffffffff8000000))\n",
    "\n",
    "/* What x = a s has lost. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_lost_(CONVK_V a, CONVK_V s, CONVK_V x) {\n",
    "  const CONVK_V ah = CONVK_HALF_OF_(a), al = CONVK_SUB_(a, ah), sh = CONVK_HALF_OF_(s), sl = CONVK_SUB_(s, sh);\n",
    "  return CONVK_FMA_(al, sl, CONVK_FMA_(al, sh, CONVK_FMA_(ah, sl, CONVK_SUB_(CONVK_MUL_(ah, sh), x))));\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* count vectors g = 2^((a + b) s), in the mul-add class e^(a s) with one multiplication; a, b, top vary (da), or s and lo do\n",
    "   (ds).  more: what s and the product have lost counts, too.  mode: where results may be out of range. */\n",
    "CONVK_ELEMENT_ void convk_gaussian_some_(const CONVK_V *a, const CONVK_V *b, const CONVK_V *top, const CONVK_V *s,\n",
    "                                         const CONVK_V *lo, CONVK_V *g, const int count, const int da, const int ds, int mode,\n",
    "                                         int more) {\n",
    "  const CONVK_V shift = CONVK_SET_(CONVK_GAUSSIAN_SHIFT_(mode));\n",
    "  CONVK_V x[CONVK_GAUSSIAN_GROUP_], t[CONVK_GAUSSIAN_GROUP_], n[CONVK_GAUSSIAN_GROUP_], f[CONVK_GAUSSIAN_GROUP_];\n",
    "  int u;\n",
    "  CONVK_EACH_(u, count) x[u] = s[u * ds];\n",
    "  if (mode & (CONVK_GAUSSIAN_FAR_ | CONVK_GAUSSIAN_LARGE_)) {\n",
    "    CONVK_EACH_(u, count) x[u] = CONVK_MIN_(x[u], top[u * da]);\n",
    "  }\n",
    "#if CONVK_FUSES_\n",
    "  {\n",
    "    CONVK_CONSTANT_ CONVK_T c[] = CONVK_TABLE_(CONVK_EXP2);\n",
    "    const CONVK_V c1 = CONVK_SET_(CONVK_OF_(0.693147182f, 0.69314718055994529)), one = CONVK_SET_(1);\n",
    "    int k;\n",
    "    CONVK_EACH_(u, count) {\n",
    "      t[u] = CONVK_FMA_(a[u * da], x[u], shift);\n",
    "      n[u] = CONVK_SUB_(t[u], shift);\n",
    "      f[u] = CONVK_FMS_(a[u * da], x[u], n[u]);\n",
    "      f[u] = CONVK_FMA_(b[u * da], x[u], f[u]);\n",
    "    }\n",
    "    if (more) {\n",
    "      CONVK_EACH_(u, count) f[u] = CONVK_FMA_(a[u * da], CONVK_LESS_(top[u * da], s[u * ds], CONVK_SET_(0), lo[u * ds]), f[u]);\n",
    "    }\n",
    "    CONVK_EACH_(u, count) g[u] = CONVK_SET_(c[CONVK_EITHER_(4, 9)]);\n",
    "    CONVK_UNROLL_\n",
    "    for (k = CONVK_EITHER_(3, 8); k >= 0; k--) {\n",
    "      CONVK_EACH_(u, count) g[u] = CONVK_FMA_(f[u], g[u], CONVK_SET_(c[k]));\n",
    "    }\n",
    "    CONVK_EACH_(u, count) g[u] = CONVK_FMA_(f[u], CONVK_FMA_(f[u], g[u], c1), one);\n",
    "  }\n",
    "#else\n",
    "  CONVK_V r[CONVK_GAUSSIAN_GROUP_];\n",
    "  (void)b;\n",
    "  CONVK_EACH_(u, count) f[u] = CONVK_MUL_(a[u * da], x[u]);\n",
    "  convk_vexp_reduce_(f, shift, n, t, r, count);\n",
    "  CONVK_EACH_(u, count) r[u] = CONVK_FMA_(n[u], CONVK_SET_(-CONVK_LN2_LOW_), r[u]);\n",
    "  convk_vexp_near_(r, g, count);\n",
    "  if (more) {\n",
    "    CONVK_EACH_(u, count) {\n",
    "      CONVK_V e = CONVK_FMA_(a[u * da], lo[u * ds], convk_gaussian_lost_(a[u * da], x[u], f[u]));\n",
    "      e = CONVK_FMA_(g[u], e, g[u]);\n",
    "      g[u] = CONVK_LESS_(top[u * da], s[u * ds], g[u], e);\n",
    "    }\n",
    "  }\n",
    "#endif\n",
    "  CONVK_EACH_(u, count) g[u] = convk_gaussian_scaled_(g[u], n[u], t[u], mode);\n",
    "}\n",
    "\n",
    "/* |v| */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_size_(CONVK_V v) { return CONVK_AND_(v, CONVK_BITS_OF_(0x7fffffff, 0x7fffffffffffffff)); }\n",
    "\n",
    "/* A sum of terms which were `scale` times too large: what is less than `least` is 0, which is the smallest normal number times\n",
    "   the scale, so that the product with its inverse is exact.  It is never -0. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_settled_(CONVK_V sum, CONVK_V inverse, CONVK_V least) {\n",
    "  const CONVK_V zero = CONVK_SET_(0);\n",
    "  return CONVK_FMA_(CONVK_LESS_(convk_gaussian_size_(sum), least, zero, sum), inverse, zero);\n",
    "}\n",
    "\n",
    "/* v, or 0 where it is less than 2^-51 or 2^-485, the square root of the least term of a sum. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_large_(CONVK_V v) {\n",
    "  const CONVK_V least = CONVK_SET_(CONVK_OF_(4.4408920985006262e-16f, 1.0010415475915505e-146));\n",
    "  return CONVK_LESS_(convk_gaussian_size_(v), least, CONVK_SET_(0), v);\n",
    "}\n",
    "\n",
    "/* total + weight v^2, where a v that convk_gaussian_large_ drops adds nothing: its square is nearly subnormal. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_add_square_(CONVK_V weight, CONVK_V v, CONVK_V total) {\n",
    "  v = convk_gaussian_large_(v);\n",
    "  return CONVK_FMA_(CONVK_MUL_(weight, v), v, total);\n",
    "}\n",
    "\n",
    "/* An orbital's derivative v along one axis: adds to the density's, and to the sum of squares.  twice: 2 occupation value. */\n",
    "CONVK_ELEMENT_ void convk_grids_add_slope_(CONVK_V twice, CONVK_V v, CONVK_V *sum, CONVK_V *squares) {\n",
    "  v = convk_gaussian_large_(v);\n",
    "  *sum = CONVK_FMA_(twice, v, *sum);\n",
    "  *squares = CONVK_FMA_(v, v, *squares);\n",
    "}\n",
    "\n",
    "/* ---- squared distances ---- */\n",
    "\n",
    "/* x - c, and what it lost (Knuth). */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_minus_(CONVK_V x, CONVK_V c, CONVK_V *lost) {\n",
    "  const CONVK_V d = CONVK_SUB_(x, c), back = CONVK_SUB_(d, x);\n",
    "  *lost = CONVK_SUB_(CONVK_SUB_(x, CONVK_SUB_(d, back)), CONVK_ADD_(c, back));\n",
    "  return d;\n",
    "}\n",
    "\n",
    "/* d^2, and what it lost. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_square_(CONVK_V d, CONVK_V *lost) {\n",
    "  CONVK_V h = CONVK_MUL_(d, d);\n",
    "#if CONVK_FUSES_\n",
    "  CONVK_KEEP_(h); /* not to be fused with what it is added to */\n",
    "  *lost = CONVK_FMA_(d, d, CONVK_SUB_(CONVK_SET_(0), h));\n",
    "#else\n",
    "  *lost = convk_gaussian_lost_(d, d, h);\n",
    "#endif\n",
    "  return h;\n",
    "}\n",
    "\n",
    "/* The squared distance of v, three coordinates, from a center in two parts, c[k] and c[3 + k]; v: the differences.  With `more`\n",
    "   the first parts alone count, and lo is all that the sum of six terms loses, to first order. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_distance_(CONVK_V *v, const CONVK_T *c, const int more, CONVK_V *lo) {\n",
    "  const CONVK_V greatest = CONVK_SET_(CONVK_GREATEST_), smallest = CONVK_SET_(-CONVK_GREATEST_), zero = CONVK_SET_(0);\n",
    "  CONVK_V h[3], e[3], f, sum, r;\n",
    "  int k;\n",
    "  *lo = zero;\n",
    "  if (!more) {\n",
    "    CONVK_EACH_(k, 3) {\n",
    "      v[k] = CONVK_SUB_(CONVK_SUB_(v[k], CONVK_SET_(c[k])), CONVK_SET_(c[3 + k]));\n",
    "      v[k] = CONVK_MAX_(smallest, CONVK_MIN_(greatest, v[k]));\n",
    "    }\n",
    "    r = CONVK_FMA_(v[2], v[2], CONVK_FMA_(v[1], v[1], CONVK_MUL_(v[0], v[0])));\n",
    "    return CONVK_MIN_(r, greatest);\n",
    "  }\n",
    "  CONVK_EACH_(k, 3) {\n",
    "    v[k] = convk_gaussian_minus_(v[k], CONVK_SET_(c[k]), &f);\n",
    "    h[k] = convk_gaussian_square_(v[k], &e[k]);\n",
    "    e[k] = CONVK_FMA_(CONVK_ADD_(v[k], v[k]), f, e[k]);\n",
    "  }\n",
    "  sum = convk_gaussian_minus_(h[0], CONVK_SUB_(zero, h[1]), &f);\n",
    "  f = CONVK_ADD_(f, CONVK_ADD_(e[0], e[1]));\n",
    "  r = convk_gaussian_minus_(sum, CONVK_SUB_(zero, h[2]), &h[0]);\n",
    "  f = CONVK_ADD_(f, CONVK_ADD_(e[2], h[0]));\n",
    "  r = CONVK_MIN_(greatest, r);\n",
    "  *lo = CONVK_LESS_(r, greatest, f, zero);\n",
    "  return r;\n",
    "}\n",
    "#line 5 \"gaussian/kernel.cl\"\n",
    "#line 1 \"gaussian/point.h\"\n",
    "/* ---- one point, on devices ---- */\n",
    "\n",
    "/* 2^((a + b) s); with `more` what s has lost counts, too; 0 below cut. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_(CONVK_V a, CONVK_V b, CONVK_V top, CONVK_V s, CONVK_V lo, CONVK_V cut, const int more) {\n",
    "  CONVK_V g;\n",
    "  convk_gaussian_some_(&a, &b, &top, &s, &lo, &g, 1, 0, 0, CONVK_GAUSSIAN_FAR_ | CONVK_GAUSSIAN_LARGE_, more);\n",
    "  return CONVK_LESS_(g, cut, CONVK_SET_(0), g);\n",
    "}\n",
    "\n",
    "/* Where the monomials of degree k begin, among those of all degrees; there are 35 up to degree 4. */\n",
    "#define CONVK_DEGREE_(k) ((k) * ((k) + 1) * ((k) + 2) / 6)\n",
    "\n",
    "/* `row` times the monomials of all degrees up to l: x times the degree before, y times what has no x, z times its last. */\n",
    "CONVK_ELEMENT_ void convk_gaussian_monomials_of_(const int l, const CONVK_V *v, CONVK_V row, CONVK_V *m) {\n",
    "  int q;\n",
    "  m[0] = row;\n",
    "  CONVK_UNROLL_\n",
    "  for (q = 1; q < 35; q++) { /* not to an end that depends on l: compilers unroll this before they know it */\n",
    "    const int k = q < CONVK_DEGREE_(2) ? 1 : q < CONVK_DEGREE_(3) ? 2 : q < CONVK_DEGREE_(4) ? 3 : 4, before = k * (k + 1) / 2;\n",
    "    const int p = q - CONVK_DEGREE_(k), axis = p < before ? 0 : p < before + k ? 1 : 2;\n",
    "    if (k > l) continue;\n",
    "    m[q] = CONVK_MUL_(v[axis], m[CONVK_DEGREE_(k - 1) + (axis == 0 ? p : axis == 1 ? p - k : before - 1)]);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* The function m R with m = x^a y^b z^c, b + c = i, c = j, and of 5 kinds its gradient and Laplacian, from monomials times R at\n",
    "   m, times R' / r at slope and times (2 l + 3) R' / r + r (R' / r)' at bend:\n",
    "   d/dx (m R) = a m / x R + x m R' / r, and (laplacian of m) R + m bend. */\n",
    "CONVK_ELEMENT_ void convk_gaussian_values_(const int l, const int kinds, const int i, const int j, const CONVK_V *v,\n",
    "                                           const CONVK_V *m, const CONVK_V *slope, const CONVK_V *bend, CONVK_V *value) {\n",
    "  const int q = i * (i + 1) / 2 + j, top = CONVK_DEGREE_(l) + q;\n",
    "  int k;\n",
    "  value[0] = m[top];\n",
    "  if (kinds == 1) return;\n",
    "  value[4] = bend[top];\n",
    "  CONVK_EACH_(k, 3) { /* one and two powers less */\n",
    "    const int power = k == 0 ? l - i : k == 1 ? i - j : j;\n",
    "    const int one = CONVK_DEGREE_(l - 1) + (k == 0 ? q : i * (i - 1) / 2 + j - k / 2);\n",
    "    const int two = CONVK_DEGREE_(l - 2) + (k == 0 ? q : (i - 1) * (i - 2) / 2 + j - k / 2 * 2);\n",
    "    value[k + 1] = CONVK_MUL_(v[k], slope[top]);\n",
    "    if (power > 0) value[k + 1] = CONVK_FMA_(CONVK_SET_(power), m[one], value[k + 1]);\n",
    "    if (power > 1) value[4] = CONVK_FMA_(CONVK_SET_(power * (power - 1)), m[two], value[4]);\n",
    "  }\n",
    "}\n",
    "#line 6 \"gaussian/kernel.cl\"\n",
    "\n",
    "#define POINTS_OF \\\n",
    "  global const T *px, ulong x_offset, global const T *py, ulong y_offset, global const T *pz, ulong z_offset, ulong stride, \\\n",
    "      ulong n\n",
    "#define CENTER T c0, T c1, T c2\n",
    "/* line0: the number, among all groups along y, of the first one of this launch. */\n",
    "\n",
    "/* A squared distance, and what it lost where COMPENSATED. */\n",
    "T squared(T x, T y, T z, CENTER, T *lo) {\n",
    "  const T center[6] = {c0, c1, c2, 0, 0, 0};\n",
    "  T v[3] = {x, y, z};\n",
    "  return convk_gaussian_distance_(v, center, COMPENSATED, lo);\n",
    "}\n",
    "\n",
    "#ifdef GRIDPOT\n",
    "/* A group has ITEMS times POINTS columns, which lie side by side in memory, and up to ROWS rows.  Columns are points\n",
    "   and rows exponents, or with EXPONENTS the other way round. */\n",
    "CONVK_GROUP_KERNEL_ gridpot(POINTS_OF, CENTER, global const T *table, ulong m, T cut, global T *g, ulong g_offset, ulong ld,\n",
    "                            ulong line0) {\n",
    "  local T row[3][ROWS];\n",
    "  const int item = (int)get_local_id(0);\n",
    "  const ulong first = (ulong)get_group_id(0) * (ITEMS * POINTS) + item, row0 = (line0 + get_group_id(1)) * ROWS;\n",
    "  T column[3][POINTS];\n",
    "  int p, r, rows;\n",
    "  px += x_offset;\n",
    "  py += y_offset;\n",
    "  pz += z_offset;\n",
    "#if EXPONENTS\n",
    "  rows = (int)min((ulong)ROWS, n - row0);\n",
    "  for (r = item; r < rows; r += ITEMS) {\n",
    "    const ulong i = (row0 + r) * stride;\n",
    "    T lo;\n",
    "    row[0][r] = squared(px[i], py[i], pz[i], c0, c1, c2, &lo);\n",
    "    row[1][r] = lo;\n",
    "  }\n",
    "  for (p = 0; p < POINTS; p++) {\n",
    "    const ulong j = min(first + p * ITEMS, m - 1);\n",
    "    column[0][p] = table[j];\n",
    "    column[1][p] = table[m + j];\n",
    "    column[2][p] = table[2 * m + j];\n",
    "  }\n",
    "#define COLUMNS m\n",
    "#else\n",
    "  rows = (int)min((ulong)ROWS, m - row0);\n",
    "  for (r = item; r < rows; r += ITEMS) {\n",
    "    row[0][r] = table[row0 + r];\n",
    "    row[1][r] = table[m + row0 + r];\n",
    "    row[2][r] = table[2 * m + row0 + r];\n",
    "  }\n",
    "  for (p = 0; p < POINTS; p++) {\n",
    "    const ulong i = min(first + p * ITEMS, n - 1) * stride;\n",
    "    column[0][p] = squared(px[i], py[i], pz[i], c0, c1, c2, &column[1][p]);\n",
    "  }\n",
    "#define COLUMNS n\n",
    "#endif\n",
    "  g += g_offset + row0 * ld + first;\n",
    "  barrier(CLK_LOCAL_MEM_FENCE);\n",
    "  for (r = 0; r < rows; r++, g += ld) {\n",
    "    const T r0 = row[0][r], r1 = row[1][r];\n",
    "#if !EXPONENTS\n",
    "    const T r2 = row[2][r];\n",
    "#endif\n",
    "    for (p = 0; p < POINTS; p++) {\n",
    "#if EXPONENTS\n",
    "      const T value = convk_gaussian_(column[0][p], column[1][p], column[2][p], r0, r1, cut, COMPENSATED);\n",
    "#else\n",
    "      const T value = convk_gaussian_(r0, r1, r2, column[0][p], column[1][p], cut, COMPENSATED);\n",
    "#endif\n",
    "      if (first + p * ITEMS < COLUMNS) g[p * ITEMS] = value;\n",
    "    }\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef GRIDPOT_SUM\n",
    "/* SUMS sums of ITEMS times POINTS points, in registers; exponents and coefficients come through local memory.  In\n",
    "   `table` the coefficients follow the exponents, SUMS for one exponent after another. */\n",
    "CONVK_GROUP_KERNEL_ gridpot_sum(POINTS_OF, CENTER, global const T *table, ulong m, T cut, ulong nsums, global T *sums,\n",
    "                                ulong sums_offset, ulong ld, ulong line0) {\n",
    "  local T tile[ROWS * (3 + SUMS)];\n",
    "  const int item = (int)get_local_id(0);\n",
    "  const ulong first = (ulong)get_group_id(0) * (ITEMS * POINTS) + item, sum0 = (line0 + get_group_id(1)) * SUMS;\n",
    "  global const T *c = table + 3 * m + sum0 * m;\n",
    "  T s[POINTS], lo[POINTS], sum[SUMS][POINTS];\n",
    "  ulong j;\n",
    "  int k, p, r;\n",
    "  for (p = 0; p < POINTS; p++) {\n",
    "    const ulong i = min(first + p * ITEMS, n - 1) * stride;\n",
    "    s[p] = squared(px[x_offset + i], py[y_offset + i], pz[z_offset + i], c0, c1, c2, &lo[p]);\n",
    "    for (k = 0; k < SUMS; k++) sum[k][p] = 0;\n",
    "  }\n",
    "  for (j = 0; j < m; j += ROWS) {\n",
    "    const int rows = (int)min((ulong)ROWS, m - j);\n",
    "    barrier(CLK_LOCAL_MEM_FENCE);\n",
    "    for (r = item; r < rows; r += ITEMS) {\n",
    "      local T *v = tile + r * (3 + SUMS);\n",
    "      v[0] = table[j + r];\n",
    "      v[1] = table[m + j + r];\n",
    "      v[2] = table[2 * m + j + r];\n",
    "      for (k = 0; k < SUMS; k++) v[3 + k] = c[(j + r) * SUMS + k];\n",
    "    }\n",
    "    barrier(CLK_LOCAL_MEM_FENCE);\n",
    "    for (r = 0; r < rows; r++) {\n",
    "      local const T *v = tile + r * (3 + SUMS);\n",
    "      for (p = 0; p < POINTS; p++) {\n",
    "        const T e = convk_gaussian_(v[0], v[1], v[2], s[p], lo[p], cut, COMPENSATED);\n",
    "        CONVK_EACH_(k, SUMS) sum[k][p] = fma(v[3 + k], e, sum[k][p]);\n",
    "      }\n",
    "    }\n",
    "  }\n",
    "  sums += sums_offset + sum0 * ld + first;\n",
    "  CONVK_EACH_(k, SUMS)\n",
    "    for (p = 0; p < POINTS; p++)\n",
    "      if (sum0 + k < nsums && first + p * ITEMS < n) sums[k * ld + p * ITEMS] = sum[k][p] + 0;\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef ORBITALS\n",
    "/* Coefficients of up to STAGE columns, ROWS for each, wait for the points of all items.  Of one item they are its own. */\n",
    "#if ITEMS > 1\n",
    "#define NEAR local\n",
    "#define WAIT barrier(CLK_LOCAL_MEM_FENCE)\n",
    "#else\n",
    "#define NEAR private\n",
    "#define WAIT\n",
    "#endif\n",
    "#define SUMS (KINDS * ROWS * POINTS)\n",
    "\n",
    "/* One point and one shell: radial parts R, R' / r and (R' / r)' / r.  Sums of ROWS orbitals by kind. */\n",
    "CONVK_ELEMENT_ void shell(const int l, const T *v, T s, T r, T d, T e, NEAR const T *c, T *sum) {\n",
    "  T m[CONVK_DEGREE_(MAX_L + 1)], slope[CONVK_DEGREE_(MAX_L + 1)], bend[CONVK_DEGREE_(MAX_L + 1)], value[KINDS];\n",
    "  int i, j, k, o, q;\n",
    "  convk_gaussian_monomials_of_(l, v, r, m);\n",
    "  if (KINDS > 1) {\n",
    "    convk_gaussian_monomials_of_(l, v, d, slope);\n",
    "    convk_gaussian_monomials_of_(l, v, fma((T)(2 * l + 3), d, s * e), bend);\n",
    "  }\n",
    "#pragma unroll\n",
    "  for (i = 0; i <= MAX_L; i++)\n",
    "#pragma unroll\n",
    "    for (j = 0; j <= i; j++) {\n",
    "      if (i > l) continue;\n",
    "      q = i * (i + 1) / 2 + j;\n",
    "      convk_gaussian_values_(l, KINDS, i, j, v, m, slope, bend, value);\n",
    "      CONVK_EACH_(k, KINDS)\n",
    "        CONVK_EACH_(o, ROWS) {\n",
    "          T *to = sum + (k * ROWS + o) * POINTS;\n",
    "          *to = fma(c[q * ROWS + o], value[k], *to);\n",
    "        }\n",
    "    }\n",
    "}\n",
    "\n",
    "/* Squared distances of the points from a center, with their differences v, and the radial functions of `shells` shells around\n",
    "   it, sums over `count` primitives. */\n",
    "CONVK_ELEMENT_ void radials(const T *x, const T *y, const T *z, global const T *center, global const T *a, ulong primitives,\n",
    "                            global const T *factor, int shells, int count, T cut, T (*v)[POINTS], T *s,\n",
    "                            T (*radial)[3][POINTS]) {\n",
    "  const T at[6] = {center[0], center[1], center[2], center[3], center[4], center[5]};\n",
    "  int i, j, k, p;\n",
    "  for (p = 0; p < POINTS; p++) {\n",
    "    T d[3] = {x[p], y[p], z[p]}, lo;\n",
    "    s[p] = convk_gaussian_distance_(d, at, 0, &lo);\n",
    "    for (k = 0; k < 3; k++) v[k][p] = d[k];\n",
    "    for (k = 0; k < 4; k++)\n",
    "      for (j = 0; j < 3; j++) radial[k][j][p] = 0;\n",
    "  }\n",
    "  for (i = 0; i < count; i++, a++)\n",
    "    for (p = 0; p < POINTS; p++) {\n",
    "      const T e = convk_gaussian_(a[0], a[primitives], a[2 * primitives], s[p], 0, cut, 0);\n",
    "      CONVK_EACH_(k, 4)\n",
    "        if (k < shells)\n",
    "          CONVK_EACH_(j, (KINDS > 1 ? 3 : 1)) radial[k][j][p] = fma(factor[(3 * k + j) * count + i], e, radial[k][j][p]);\n",
    "    }\n",
    "}\n",
    "\n",
    "/* A shell of each point: the first of the radial functions. */\n",
    "#define SHELL(L) \\\n",
    "  case L: \\\n",
    "    for (p = 0; p < POINTS; p++) { \\\n",
    "      const T d[3] = {v[0][p], v[1][p], v[2][p]}; \\\n",
    "      shell(L, d, s[p], radial[0][p] + 0, radial[1][p] + 0, radial[2][p] + 0, c, sum + p); \\\n",
    "    } \\\n",
    "    break;\n",
    "CONVK_ELEMENT_ void add(int l, T (*v)[POINTS], const T *s, T (*radial)[POINTS], NEAR const T *c, T *sum) {\n",
    "  int p;\n",
    "  switch (l) {\n",
    "    SHELL(0)\n",
    "#if MAX_L > 0\n",
    "    SHELL(1)\n",
    "#endif\n",
    "#if MAX_L > 1\n",
    "    SHELL(2)\n",
    "#endif\n",
    "#if MAX_L > 2\n",
    "    SHELL(3)\n",
    "#endif\n",
    "#if MAX_L > 3\n",
    "    SHELL(4)\n",
    "#endif\n",
    "  }\n",
    "}\n",
    "\n",
    "#if DENSITY\n",
    "/* Adds the weighted squares of ROWS orbitals. */\n",
    "CONVK_ELEMENT_ void squares(const T *sum, T inverse, T least, global const T *weight, ulong row, ulong norbitals, T *total) {\n",
    "  int k, p;\n",
    "  for (k = 0; k < ROWS; k++)\n",
    "    if (row + k < norbitals)\n",
    "      for (p = 0; p < POINTS; p++) {\n",
    "        const T value = convk_gaussian_settled_(sum[k * POINTS + p], inverse, least);\n",
    "        total[p] = convk_gaussian_add_square_(weight[row + k], value, total[p]);\n",
    "      }\n",
    "}\n",
    "#else\n",
    "/* ROWS sums of the points of an item, from orbital `row` on, to rows of a result. */\n",
    "CONVK_ELEMENT_ void store(global T *out, const T *sum, T inverse, T least, ulong row, ulong norbitals, ulong first, ulong n,\n",
    "                          ulong ld) {\n",
    "  int k, p;\n",
    "  CONVK_EACH_(k, ROWS)\n",
    "    for (p = 0; p < POINTS; p++)\n",
    "      if (row + k < norbitals && first + p * ITEMS < n)\n",
    "        out[(row + k) * ld + first + p * ITEMS] = convk_gaussian_settled_(sum[k * POINTS + p], inverse, least);\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* A shell is done: the radial functions of the next one come to the front. */\n",
    "CONVK_ELEMENT_ void advance(T (*radial)[3][POINTS]) {\n",
    "  int j, k, p;\n",
    "  for (p = 0; p < POINTS; p++)\n",
    "    CONVK_EACH_(k, 3)\n",
    "      CONVK_EACH_(j, 3) radial[k][j][p] = radial[k + 1][j][p];\n",
    "}\n",
    "\n",
    "/* The tables of a plan: see convk_orbital_group_ and convk_orbital_shell_ of convk.h. */\n",
    "typedef struct convk_group {\n",
    "  T center[6];\n",
    "  ulong shells, shell, primitives, primitive, radial, moved;\n",
    "} convk_group;\n",
    "typedef struct convk_shell {\n",
    "  ulong l, functions, function, columns, column, matrix;\n",
    "} convk_shell;\n",
    "\n",
    "#if GIVEN\n",
    "/* Coefficients of ROWS orbitals for as many of the `left` columns as there is room for; `rows` orbitals are there. */\n",
    "CONVK_ELEMENT_ int stage(NEAR T *staging, global const T *c, ulong left, ulong columns, ulong rows) {\n",
    "  const int staged = (int)min(left, (ulong)STAGE);\n",
    "  int o, q;\n",
    "  WAIT;\n",
    "  for (o = 0; o < ROWS; o++)\n",
    "    for (q = (int)get_local_id(0); q < staged; q += ITEMS) staging[q * ROWS + o] = o < rows ? c[o * columns + q] : 0;\n",
    "  WAIT;\n",
    "  return staged;\n",
    "}\n",
    "#else\n",
    "/* The functions of a shell in its monomials, where they are among the ROWS functions from `row` on. */\n",
    "CONVK_ELEMENT_ void stage(NEAR T *staging, global const T *matrix, global const convk_shell *s, ulong row) {\n",
    "  const int width = (int)s->columns;\n",
    "  int o, q;\n",
    "  WAIT;\n",
    "  for (o = 0; o < ROWS; o++) {\n",
    "    const ulong f = row + o - s->function; /* wraps around before the first */\n",
    "    for (q = (int)get_local_id(0); q < width; q += ITEMS)\n",
    "      staging[q * ROWS + o] = f < s->functions ? matrix[s->matrix + f * width + q] : 0;\n",
    "  }\n",
    "  WAIT;\n",
    "}\n",
    "\n",
    "/* The first group that has a function from `row` on. */\n",
    "CONVK_ELEMENT_ ulong first_group(global const convk_group *groups, global const convk_shell *shells, ulong ngroups, ulong row) {\n",
    "  ulong low = 0, high = ngroups;\n",
    "  while (low < high) {\n",
    "    const ulong middle = (low + high) / 2;\n",
    "    global const convk_shell *last = shells + groups[middle].shell + groups[middle].shells - 1;\n",
    "    if (last->function + last->functions <= row) low = middle + 1;\n",
    "    else high = middle;\n",
    "  }\n",
    "  return low;\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* A coordinate of the points of an item; copies of the last point stand for those beyond it. */\n",
    "CONVK_ELEMENT_ void coordinates(global const T *from, ulong stride, ulong first, ulong n, T *x) {\n",
    "  int p;\n",
    "  for (p = 0; p < POINTS; p++) x[p] = from[min(first + p * ITEMS, n - 1) * stride];\n",
    "}\n",
    "\n",
    "/* Orbitals of ITEMS times POINTS points, ROWS of them at a time, or with DENSITY the sum of their weighted squares.  Without\n",
    "   GIVEN they are the functions of shells, and only the shells that have some of the ROWS are looked at. */\n",
    "CONVK_GROUP_KERNEL_ orbitals(POINTS_OF, global const uchar *plan, ulong groups_at, ulong shells_at, ulong exponents_at,\n",
    "                             ulong radial_at, ulong matrix_at, ulong weights_at, ulong ngroups, ulong primitives, ulong columns,\n",
    "                             T cut, T inverse, T least, ulong norbitals, ulong blocks, global T *out0, ulong out0_offset,\n",
    "#if KINDS > 1\n",
    "                             global T *out1, ulong out1_offset, global T *out2, ulong out2_offset, global T *out3,\n",
    "                             ulong out3_offset, global T *out4, ulong out4_offset,\n",
    "#endif\n",
    "                             ulong ld, ulong line0) {\n",
    "  NEAR T staging[STAGE * ROWS];\n",
    "  global const convk_group *groups = (global const convk_group *)(plan + groups_at);\n",
    "  global const convk_shell *shells = (global const convk_shell *)(plan + shells_at);\n",
    "  global const T *exponents = (global const T *)(plan + exponents_at), *factors = (global const T *)(plan + radial_at);\n",
    "  global const T *matrix = (global const T *)(plan + matrix_at);\n",
    "  const ulong first = (ulong)get_group_id(0) * (ITEMS * POINTS) + get_local_id(0);\n",
    "  T x[POINTS], y[POINTS], z[POINTS], v[3][POINTS], s[POINTS], radial[4][3][POINTS], sum[SUMS];\n",
    "  ulong block, begin = line0 + get_group_id(1), end = begin + 1, g;\n",
    "  int i;\n",
    "#if DENSITY\n",
    "  T total[POINTS] = {0};\n",
    "  begin = 0, end = blocks;\n",
    "#endif\n",
    "  coordinates(px + x_offset, stride, first, n, x);\n",
    "  coordinates(py + y_offset, stride, first, n, y);\n",
    "  coordinates(pz + z_offset, stride, first, n, z);\n",
    "  for (block = begin; block < end; block++) {\n",
    "    const ulong row = block * ROWS;\n",
    "#if GIVEN\n",
    "    ulong column = 0;\n",
    "    int staged = 0, used = 0;\n",
    "    g = 0;\n",
    "#else\n",
    "    g = first_group(groups, shells, ngroups, row);\n",
    "#endif\n",
    "    for (i = 0; i < SUMS; i++) sum[i] = 0;\n",
    "    for (; g < ngroups; g++) {\n",
    "      global const convk_group *group = groups + g;\n",
    "      global const convk_shell *of = shells + group->shell;\n",
    "      const int count = (int)group->primitives, together = (int)group->shells;\n",
    "#if !GIVEN\n",
    "      if (of->function >= row + ROWS) break;\n",
    "#endif\n",
    "      radials(x, y, z, group->center, exponents + group->primitive, primitives, factors + group->radial, together, count, cut,\n",
    "              v, s, radial);\n",
    "      for (i = 0; i < together; i++, of++) {\n",
    "        const int l = (int)of->l;\n",
    "#if GIVEN\n",
    "        const int width = (l + 1) * (l + 2) / 2;\n",
    "        if (used + width > staged) {\n",
    "          staged = stage(staging, matrix + row * columns + column, columns - column, columns, norbitals - row);\n",
    "          used = 0;\n",
    "        }\n",
    "        add(l, v, s, radial[0], staging + used * ROWS, sum);\n",
    "        used += width;\n",
    "        column += width;\n",
    "#else\n",
    "        stage(staging, matrix, of, row);\n",
    "        add(l, v, s, radial[0], staging, sum);\n",
    "#endif\n",
    "        advance(radial);\n",
    "      }\n",
    "    }\n",
    "#if DENSITY\n",
    "    squares(sum, inverse, least, (global const T *)(plan + weights_at), row, norbitals, total);\n",
    "#endif\n",
    "  }\n",
    "#if DENSITY\n",
    "  for (i = 0; i < POINTS; i++)\n",
    "    if (first + i * ITEMS < n) out0[out0_offset + first + i * ITEMS] = total[i];\n",
    "#else\n",
    "  begin *= ROWS;\n",
    "  store(out0 + out0_offset, sum, inverse, least, begin, norbitals, first, n, ld);\n",
    "#if KINDS > 1\n",
    "  store(out1 + out1_offset, sum + ROWS * POINTS, inverse, least, begin, norbitals, first, n, ld);\n",
    "  store(out2 + out2_offset, sum + 2 * ROWS * POINTS, inverse, least, begin, norbitals, first, n, ld);\n",
    "  store(out3 + out3_offset, sum + 3 * ROWS * POINTS, inverse, least, begin, norbitals, first, n, ld);\n",
    "  store(out4 + out4_offset, sum + 4 * ROWS * POINTS, inverse, least, begin, norbitals, first, n, ld);\n",
    "#endif\n",
    "#endif\n",
    "}\n",
    "#endif\n",
      NULL};
  return lines;
}

/* Shapes of groups: choices that were not tuned. */
enum {
  CONVK_CL_GRIDPOT_POINTS_ = 512,  /* elements of a row, on processors: their loop becomes vectors */
  CONVK_CL_GRIDPOT_ROWS_ = 64,     /* rows of these */
  CONVK_CL_GRIDPOT_GPU_ROWS_ = 32, /* and on other devices */
  CONVK_CL_SUMS_POINTS_ = 64,      /* points of sums, on processors, whose sums stay in L1 */
  CONVK_CL_SUMS_ROWS_ = 64,        /* exponents in local memory at a time */
  CONVK_CL_ORBITALS_POINTS_ = 32,  /* points of orbitals, on processors */
  CONVK_CL_ORBITALS_COLUMNS_ = 64, /* columns of coefficients in local memory */
  CONVK_CL_GAUSSIAN_MANY_ = 16     /* with so many groups for each compute unit, an item takes two points instead of one */
};

enum { CONVK_CL_GRIDPOT_, CONVK_CL_ORBITALS_, CONVK_CL_GRIDS_ /* of grids */ };

CONVK_LOCAL_ size_t convk_cl_sums_rows_(size_t n) { return n <= 1 ? 1 : n <= 2 ? 2 : n <= 4 ? 4 : 8; }

CONVK_LOCAL_ void convk_cl_put_points_(convk_cl_args_ *args, const convk_cl_points *points) {
  convk_cl_put_array_(args, &points->x);
  convk_cl_put_array_(args, &points->y);
  convk_cl_put_array_(args, &points->z);
  convk_cl_put_size_(args, points->stride ? points->stride : 1);
  convk_cl_put_size_(args, points->n);
}

/* A tuned shape of a group: items, and points of an item, up to `limit` on processors, whose arrays they are. */
CONVK_LOCAL_ void convk_cl_gaussian_shape_(const convk_cl *cl, const long *choice, size_t limit, size_t *items,
                                           size_t *points) {
  if (!cl->cpu) {
    *items = convk_tuned_power_(choice[CONVK_TUNE_GROUP_X], 32, 256, *items);
    while (*items > cl->group_items || *items > cl->group_x) *items /= 2;
  }
  *points = convk_tuned_power_(choice[CONVK_TUNE_TILE_X], cl->cpu ? 8 : 1, cl->cpu ? limit : 4, *points);
}

/* The grid potential (sums 0) or its sums; group: items, points of an item, rows. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_gridpot_program_(convk_cl *cl, size_t element, size_t sums, int compensated, int exponents,
                                                      size_t columns, const long *choice) {
  uint32_t values[7] = {(uint32_t)element, (uint32_t)sums, (uint32_t)compensated, (uint32_t)exponents, 0, 0, 0};
  size_t group[3], i;
  convk_cl_block_(cl, sums ? CONVK_CL_SUMS_POINTS_ : CONVK_CL_GRIDPOT_POINTS_, &group[0], &group[1]);
  if (sums && !cl->cpu && columns > group[0] * cl->compute_units * CONVK_CL_GAUSSIAN_MANY_) group[1] = 2;
  group[2] = sums ? CONVK_CL_SUMS_ROWS_ : cl->cpu ? CONVK_CL_GRIDPOT_ROWS_ : CONVK_CL_GRIDPOT_GPU_ROWS_;
  convk_cl_gaussian_shape_(cl, choice, sums ? 256 : 1024, &group[0], &group[1]);
  if (!sums) group[2] = convk_tuned_power_(choice[CONVK_TUNE_TILE_Y], 8, 128, group[2]);
  for (i = 0; i < 3; i++) values[4 + i] = (uint32_t)group[i];
  return convk_cl_program_in_groups_(
      cl, convk_cl_number_(CONVK_CL_GAUSSIAN_ + CONVK_CL_GRIDPOT_, values, 7), convk_cl_gaussian_source_(),
      sums ? "gridpot_sum" : "gridpot", group, 3,
      "-DT=%s -DF64=%d -DGRIDPOT%s -DCOMPENSATED=%d -DEXPONENTS=%d -DPOINTS=%d -DROWS=%d -DSUMS=%d", convk_cl_type_(element),
      element == sizeof(cl_double), sums ? "_SUM" : "", compensated, exponents, (int)group[1], (int)group[2],
      (int)(sums ? sums : 1));
}

/* Orbitals: `rows` of them together, up to angular momentum max_l. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_orbitals_program_(convk_cl *cl, size_t element, size_t kinds, int density, int combined,
                                                       size_t max_l, size_t rows, size_t n, const long *choice) {
  uint32_t values[8] = {(uint32_t)element, (uint32_t)kinds, (uint32_t)density, (uint32_t)combined, (uint32_t)max_l, 0, 0,
                        (uint32_t)rows};
  size_t group[2], i;
  convk_cl_block_(cl, CONVK_CL_ORBITALS_POINTS_, &group[0], &group[1]);
  if (!cl->cpu && kinds == 1 && n > group[0] * cl->compute_units * CONVK_CL_GAUSSIAN_MANY_) group[1] = 2;
  convk_cl_gaussian_shape_(cl, choice, 128, &group[0], &group[1]);
  if (group[0] > 1 && CONVK_CL_ORBITALS_COLUMNS_ * rows * element > cl->local_bytes)
    return convk_cl_args_of_(convk_cl_little_(cl), NULL);
  for (i = 0; i < 2; i++) values[5 + i] = (uint32_t)group[i];
  return convk_cl_program_in_groups_(cl, convk_cl_number_(CONVK_CL_GAUSSIAN_ + CONVK_CL_ORBITALS_, values, 8),
                                     convk_cl_gaussian_source_(), "orbitals", group, 2,
                                     "-DT=%s -DF64=%d -DORBITALS -DCOMPENSATED=0 -DKINDS=%d -DDENSITY=%d -DGIVEN=%d -DMAX_L=%d "
                                     "-DPOINTS=%d -DROWS=%d -DSTAGE=%d",
                                     convk_cl_type_(element), element == sizeof(cl_double), (int)kinds, density, combined,
                                     (int)max_l, (int)group[1], (int)rows, (int)CONVK_CL_ORBITALS_COLUMNS_);
}
#endif
#if CONVK_HAS_GRIDS_
/* ---- src/grids/opencl.h ---- */
/* OpenCL C 1.2.  Build options: GRIDS_SUMS and so on choose the kernel; see convk_cl_grids_program_. */
CONVK_LOCAL_ const char *const *convk_cl_grids_source_(void) {
  static const char *const lines[] = {
    "#line 1 \"grids/kernel.cl\"\n",
    "#include \"device/preamble.cl\"\n",
    "#line 2 \"grids/kernel.cl\"\n",
    "#include \"words/opencl.cl\"\n",
    "#line 3 \"grids/kernel.cl\"\n",
    "#include \"elementary/exponential.h\"\n",
    "#line 4 \"grids/kernel.cl\"\n",
    "#line 1 \"gaussian/element.h\"\n",
    "/* ---- exponentials of products ----\n",
    "   2^(a s) for a = A + B in two parts: a s = n + f with n the nearest integer to A s, found as in vexp.  A s - n is exact but\n",
    "   for its last rounding, so that f has lost less than 2^-25 (f32) of a s, however large it is.\n",
    "   2^f = 1 + f (c1 + f p(f)) with p of least relative error: 2^-27.9, 2^-55.7, most of it from c1 = ln 2.\n",
    "   Processors take a hundred cycles and more for a number below the smallest normal one, so none is ever made: s is kept to\n",
    "   `top`, where the result is a little above that number, and what is below the limit, which is a little above that again,\n",
    "   becomes 0. */\n",
    "#line 1 \"gaussian/coefficients.h\"\n",
    "/* p in 2^f = 1 + f (ln 2 + f p(f)), for every hardware; tests/bench/fit_exponentials.py fits it again */\n",
    "#define CONVK_EXP2_f32_ {0.240226477f, 0.0555036217f, 0.00961852632f, 0.00133901613f, 0.000153211586f}\n",
    "#define CONVK_EXP2_f64_ \\\n",
    "  {0.24022650695910119, 0.055504108664821604, 0.0096181291075951077, 0.0013333558146410656, 0.00015403530458701168, \\\n",
    "   1.5252733838879019e-5, 1.3215433539637458e-6, 1.0178057622863296e-7, 7.0741945626130925e-9, 4.4558180309134402e-10}\n",
    "/* What is less than these is 0, so that no product with it is subnormal:\n",
    "   LEAST             a grid potential: 1 + 2^-13 times the smallest normal number\n",
    "   LEAST_TERM        a term of a sum, 2^-102 and 2^-969: the smallest normal number over eps / 2, for coefficients from eps / 2\n",
    "                     on\n",
    "   LEAST_PRIMITIVE   a primitive, 2^-80 and 2^-969: more in f32, for up to four coordinates that are mere rounding errors */\n",
    "#define CONVK_GAUSSIAN_LEAST_ (CONVK_OF_(1.17549435082228751e-38f, 2.2250738585072014e-308) * (CONVK_T)1.0001220703125f)\n",
    "#define CONVK_GAUSSIAN_LEAST_TERM_ CONVK_OF_(1.9721522630525295e-31f, 2.0041683600089728e-292)\n",
    "#define CONVK_GAUSSIAN_LEAST_PRIMITIVE_ CONVK_OF_(8.2718061255302767e-25f, 2.0041683600089728e-292)\n",
    "/* Of the elements of a row: all are 0; some may be below the cutoff, far below the smallest normal number, near the largest. */\n",
    "#define CONVK_GAUSSIAN_NONE_ 1\n",
    "#define CONVK_GAUSSIAN_CUT_ 2\n",
    "#define CONVK_GAUSSIAN_FAR_ 4\n",
    "#define CONVK_GAUSSIAN_LARGE_ 8\n",
    "/* Of a grid: an exponential below it, 2^-38 or 2^-68, counts as nothing, where the largest power still leaves less than\n",
    "   rounding does. */\n",
    "#define CONVK_GRIDS_LEAST_ CONVK_OF_(3.637978807091713e-12f, 3.3881317890172014e-21)\n",
    "/* Points of a tile along x, y and z at most, and rows at which the weights of a tile lie. */\n",
    "#define CONVK_GRIDS_X_ 96\n",
    "#define CONVK_GRIDS_Y_ 48\n",
    "#define CONVK_GRIDS_Z_ 8\n",
    "#define CONVK_GRIDS_WIDE_ 48\n",
    "#define CONVK_GRIDS_LISTS_ 8 /* along x, of a block of rows, at most */\n",
    "#define CONVK_GRIDS_BLOCKS_ ((size_t)16) /* of rows of a tile, at most, and so that vectors of them are whole */\n",
    "#define CONVK_GRIDS_TWINS_ 128 /* groups among which one looks for the same tables */\n",
    "#define CONVK_CELLS_PRODUCTS_ 15 /* y^b z^c */\n",
    "#define CONVK_GRIDS_CHUNK_ 128 /* points of an axis at once, where tables are made */\n",
    "/* A tile of sums in registers: its rows, its vectors, and their elements; rows whose weights lie together, which are whole\n",
    "   vectors of weights.  Rows of a strip are whole lines, of 64 bytes even pairs of them: past the cache three such vectors were\n",
    "   15 % slower than two, and four rows of three vectors of 32 bytes 20 % slower than six of two (Sapphire Rapids, 5 orbitals on\n",
    "   80^3 points). */\n",
    "#define CONVK_GRIDS_ROWS_ (CONVK_REGISTERS_ > 16 ? 8 : 6)\n",
    "#define CONVK_GRIDS_HALF_ROWS_ 4 /* that are left, and not one */\n",
    "#define CONVK_GRIDS_VECTORS_ (CONVK_REGISTERS_ > 16 && CONVK_LANES < 8 ? 3 : 2)\n",
    "#define CONVK_GRIDS_STRIP_ (CONVK_GRIDS_VECTORS_ * CONVK_LANES)\n",
    "#define CONVK_GRIDS_BLOCK_ (CONVK_REGISTERS_ > 16 ? (CONVK_LANES > 8 ? CONVK_LANES : 8) : CONVK_LANES > 4 ? 24 : 12)\n",
    "#line 9 \"gaussian/element.h\"\n",
    "\n",
    "#define CONVK_GAUSSIAN_GROUP_ (CONVK_FUSES_ ? 4 : 1) /* vectors on their way together */\n",
    "/* p 2^n, where the last bits of t are n, or with CONVK_GAUSSIAN_LARGE_ what vscale wants. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_scaled_(CONVK_V p, CONVK_V n, CONVK_V t, int mode) {\n",
    "  if (CONVK_UNLIKELY_(mode & CONVK_GAUSSIAN_LARGE_)) return convk_vscale_(p, n, t);\n",
    "  return CONVK_IADD_(p, CONVK_SHL_(t, CONVK_FRACTION_));\n",
    "}\n",
    "\n",
    "#define CONVK_GAUSSIAN_SHIFT_(mode) \\\n",
    "  ((mode)&CONVK_GAUSSIAN_LARGE_ ? CONVK_EXP_SHIFT_ : CONVK_OF_(12582912, 6755399441055744.)) /* whose last bits are 0 */\n",
    "\n",
    "#if !CONVK_FUSES_\n",
    "/* The first half of the digits of a factor, whose products with such halves are exact. */\n",
    "#define CONVK_HALF_OF_(v) CONVK_AND_(v, CONVK_BITS_OF_(0xfffff000, 0xfffffffff8000000))\n",
    "\n",
    "/* What x = a s has lost. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_lost_(CONVK_V a, CONVK_V s, CONVK_V x) {\n",
    "  const CONVK_V ah = CONVK_HALF_OF_(a), al = CONVK_SUB_(a, ah), sh = CONVK_HALF_OF_(s), sl = CONVK_SUB_(s, sh);\n",
    "  return CONVK_FMA_(al, sl, CONVK_FMA_(al, sh, CONVK_FMA_(ah, sl, CONVK_SUB_(CONVK_MUL_(ah, sh), x))));\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* count vectors g = 2^((a + b) s), in the mul-add class e^(a s) with one multiplication; a, b, top vary (da), or s and lo do\n",
    "   (ds).  more: what s and the product have lost counts, too.  mode: where results may be out of range. */\n",
    "CONVK_ELEMENT_ void convk_gaussian_some_(const CONVK_V *a, const CONVK_V *b, const CONVK_V *top, const CONVK_V *s,\n",
    "                                         const CONVK_V *lo, CONVK_V *g, const int count, const int da, const int ds, int mode,\n",
    "                                         int more) {\n",
    "  const CONVK_V shift = CONVK_SET_(CONVK_GAUSSIAN_SHIFT_(mode));\n",
    "  CONVK_V x[CONVK_GAUSSIAN_GROUP_], t[CONVK_GAUSSIAN_GROUP_], n[CONVK_GAUSSIAN_GROUP_], f[CONVK_GAUSSIAN_GROUP_];\n",
    "  int u;\n",
    "  CONVK_EACH_(u, count) x[u] = s[u * ds];\n",
    "  if (mode & (CONVK_GAUSSIAN_FAR_ | CONVK_GAUSSIAN_LARGE_)) {\n",
    "    CONVK_EACH_(u, count) x[u] = CONVK_MIN_(x[u], top[u * da]);\n",
    "  }\n",
    "#if CONVK_FUSES_\n",
    "  {\n",
    "    CONVK_CONSTANT_ CONVK_T c[] = CONVK_TABLE_(CONVK_EXP2);\n",
    "    const CONVK_V c1 = CONVK_SET_(CONVK_OF_(0.693147182f, 0.69314718055994529)), one = CONVK_SET_(1);\n",
    "    int k;\n",
    "    CONVK_EACH_(u, count) {\n",
    "      t[u] = CONVK_FMA_(a[u * da], x[u], shift);\n",
    "      n[u] = CONVK_SUB_(t[u], shift);\n",
    "      f[u] = CONVK_FMS_(a[u * da], x[u], n[u]);\n",
    "      f[u] = CONVK_FMA_(b[u * da], x[u], f[u]);\n",
    "    }\n",
    "    if (more) {\n",
    "      CONVK_EACH_(u, count) f[u] = CONVK_FMA_(a[u * da], CONVK_LESS_(top[u * da], s[u * ds], CONVK_SET_(0), lo[u * ds]), f[u]);\n",
    "    }\n",
    "    CONVK_EACH_(u, count) g[u] = CONVK_SET_(c[CONVK_EITHER_(4, 9)]);\n",
    "    CONVK_UNROLL_\n",
    "    for (k = CONVK_EITHER_(3, 8); k >= 0; k--) {\n",
    "      CONVK_EACH_(u, count) g[u] = CONVK_FMA_(f[u], g[u], CONVK_SET_(c[k]));\n",
    "    }\n",
    "    CONVK_EACH_(u, count) g[u] = CONVK_FMA_(f[u], CONVK_FMA_(f[u], g[u], c1), one);\n",
    "  }\n",
    "#else\n",
    "  CONVK_V r[CONVK_GAUSSIAN_GROUP_];\n",
    "  (void)b;\n",
    "  CONVK_EACH_(u, count) f[u] = CONVK_MUL_(a[u * da], x[u]);\n",
    "  convk_vexp_reduce_(f, shift, n, t, r, count);\n",
    "  CONVK_EACH_(u, count) r[u] = CONVK_FMA_(n[u], CONVK_SET_(-CONVK_LN2_LOW_), r[u]);\n",
    "  convk_vexp_near_(r, g, count);\n",
    "  if (more) {\n",
    "    CONVK_EACH_(u, count) {\n",
    "      CONVK_V e = CONVK_FMA_(a[u * da], lo[u * ds], convk_gaussian_lost_(a[u * da], x[u], f[u]));\n",
    "      e = CONVK_FMA_(g[u], e, g[u]);\n",
    "      g[u] = CONVK_LESS_(top[u * da], s[u * ds], g[u], e);\n",
    "    }\n",
    "  }\n",
    "#endif\n",
    "  CONVK_EACH_(u, count) g[u] = convk_gaussian_scaled_(g[u], n[u], t[u], mode);\n",
    "}\n",
    "\n",
    "/* |v| */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_size_(CONVK_V v) { return CONVK_AND_(v, CONVK_BITS_OF_(0x7fffffff, 0x7fffffffffffffff)); }\n",
    "\n",
    "/* A sum of terms which were `scale` times too large: what is less than `least` is 0, which is the smallest normal number times\n",
    "   the scale, so that the product with its inverse is exact.  It is never -0. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_settled_(CONVK_V sum, CONVK_V inverse, CONVK_V least) {\n",
    "  const CONVK_V zero = CONVK_SET_(0);\n",
    "  return CONVK_FMA_(CONVK_LESS_(convk_gaussian_size_(sum), least, zero, sum), inverse, zero);\n",
    "}\n",
    "\n",
    "/* v, or 0 where it is less than 2^-51 or 2^-485, the square root of the least term of a sum. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_large_(CONVK_V v) {\n",
    "  const CONVK_V least = CONVK_SET_(CONVK_OF_(4.4408920985006262e-16f, 1.0010415475915505e-146));\n",
    "  return CONVK_LESS_(convk_gaussian_size_(v), least, CONVK_SET_(0), v);\n",
    "}\n",
    "\n",
    "/* total + weight v^2, where a v that convk_gaussian_large_ drops adds nothing: its square is nearly subnormal. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_add_square_(CONVK_V weight, CONVK_V v, CONVK_V total) {\n",
    "  v = convk_gaussian_large_(v);\n",
    "  return CONVK_FMA_(CONVK_MUL_(weight, v), v, total);\n",
    "}\n",
    "\n",
    "/* An orbital's derivative v along one axis: adds to the density's, and to the sum of squares.  twice: 2 occupation value. */\n",
    "CONVK_ELEMENT_ void convk_grids_add_slope_(CONVK_V twice, CONVK_V v, CONVK_V *sum, CONVK_V *squares) {\n",
    "  v = convk_gaussian_large_(v);\n",
    "  *sum = CONVK_FMA_(twice, v, *sum);\n",
    "  *squares = CONVK_FMA_(v, v, *squares);\n",
    "}\n",
    "\n",
    "/* ---- squared distances ---- */\n",
    "\n",
    "/* x - c, and what it lost (Knuth). */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_minus_(CONVK_V x, CONVK_V c, CONVK_V *lost) {\n",
    "  const CONVK_V d = CONVK_SUB_(x, c), back = CONVK_SUB_(d, x);\n",
    "  *lost = CONVK_SUB_(CONVK_SUB_(x, CONVK_SUB_(d, back)), CONVK_ADD_(c, back));\n",
    "  return d;\n",
    "}\n",
    "\n",
    "/* d^2, and what it lost. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_square_(CONVK_V d, CONVK_V *lost) {\n",
    "  CONVK_V h = CONVK_MUL_(d, d);\n",
    "#if CONVK_FUSES_\n",
    "  CONVK_KEEP_(h); /* not to be fused with what it is added to */\n",
    "  *lost = CONVK_FMA_(d, d, CONVK_SUB_(CONVK_SET_(0), h));\n",
    "#else\n",
    "  *lost = convk_gaussian_lost_(d, d, h);\n",
    "#endif\n",
    "  return h;\n",
    "}\n",
    "\n",
    "/* The squared distance of v, three coordinates, from a center in two parts, c[k] and c[3 + k]; v: the differences.  With `more`\n",
    "   the first parts alone count, and lo is all that the sum of six terms loses, to first order. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_distance_(CONVK_V *v, const CONVK_T *c, const int more, CONVK_V *lo) {\n",
    "  const CONVK_V greatest = CONVK_SET_(CONVK_GREATEST_), smallest = CONVK_SET_(-CONVK_GREATEST_), zero = CONVK_SET_(0);\n",
    "  CONVK_V h[3], e[3], f, sum, r;\n",
    "  int k;\n",
    "  *lo = zero;\n",
    "  if (!more) {\n",
    "    CONVK_EACH_(k, 3) {\n",
    "      v[k] = CONVK_SUB_(CONVK_SUB_(v[k], CONVK_SET_(c[k])), CONVK_SET_(c[3 + k]));\n",
    "      v[k] = CONVK_MAX_(smallest, CONVK_MIN_(greatest, v[k]));\n",
    "    }\n",
    "    r = CONVK_FMA_(v[2], v[2], CONVK_FMA_(v[1], v[1], CONVK_MUL_(v[0], v[0])));\n",
    "    return CONVK_MIN_(r, greatest);\n",
    "  }\n",
    "  CONVK_EACH_(k, 3) {\n",
    "    v[k] = convk_gaussian_minus_(v[k], CONVK_SET_(c[k]), &f);\n",
    "    h[k] = convk_gaussian_square_(v[k], &e[k]);\n",
    "    e[k] = CONVK_FMA_(CONVK_ADD_(v[k], v[k]), f, e[k]);\n",
    "  }\n",
    "  sum = convk_gaussian_minus_(h[0], CONVK_SUB_(zero, h[1]), &f);\n",
    "  f = CONVK_ADD_(f, CONVK_ADD_(e[0], e[1]));\n",
    "  r = convk_gaussian_minus_(sum, CONVK_SUB_(zero, h[2]), &h[0]);\n",
    "  f = CONVK_ADD_(f, CONVK_ADD_(e[2], h[0]));\n",
    "  r = CONVK_MIN_(greatest, r);\n",
    "  *lo = CONVK_LESS_(r, greatest, f, zero);\n",
    "  return r;\n",
    "}\n",
    "#line 5 \"grids/kernel.cl\"\n",
    "#line 1 \"gaussian/point.h\"\n",
    "/* ---- one point, on devices ---- */\n",
    "\n",
    "/* 2^((a + b) s); with `more` what s has lost counts, too; 0 below cut. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_gaussian_(CONVK_V a, CONVK_V b, CONVK_V top, CONVK_V s, CONVK_V lo, CONVK_V cut, const int more) {\n",
    "  CONVK_V g;\n",
    "  convk_gaussian_some_(&a, &b, &top, &s, &lo, &g, 1, 0, 0, CONVK_GAUSSIAN_FAR_ | CONVK_GAUSSIAN_LARGE_, more);\n",
    "  return CONVK_LESS_(g, cut, CONVK_SET_(0), g);\n",
    "}\n",
    "\n",
    "/* Where the monomials of degree k begin, among those of all degrees; there are 35 up to degree 4. */\n",
    "#define CONVK_DEGREE_(k) ((k) * ((k) + 1) * ((k) + 2) / 6)\n",
    "\n",
    "/* `row` times the monomials of all degrees up to l: x times the degree before, y times what has no x, z times its last. */\n",
    "CONVK_ELEMENT_ void convk_gaussian_monomials_of_(const int l, const CONVK_V *v, CONVK_V row, CONVK_V *m) {\n",
    "  int q;\n",
    "  m[0] = row;\n",
    "  CONVK_UNROLL_\n",
    "  for (q = 1; q < 35; q++) { /* not to an end that depends on l: compilers unroll this before they know it */\n",
    "    const int k = q < CONVK_DEGREE_(2) ? 1 : q < CONVK_DEGREE_(3) ? 2 : q < CONVK_DEGREE_(4) ? 3 : 4, before = k * (k + 1) / 2;\n",
    "    const int p = q - CONVK_DEGREE_(k), axis = p < before ? 0 : p < before + k ? 1 : 2;\n",
    "    if (k > l) continue;\n",
    "    m[q] = CONVK_MUL_(v[axis], m[CONVK_DEGREE_(k - 1) + (axis == 0 ? p : axis == 1 ? p - k : before - 1)]);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* The function m R with m = x^a y^b z^c, b + c = i, c = j, and of 5 kinds its gradient and Laplacian, from monomials times R at\n",
    "   m, times R' / r at slope and times (2 l + 3) R' / r + r (R' / r)' at bend:\n",
    "   d/dx (m R) = a m / x R + x m R' / r, and (laplacian of m) R + m bend. */\n",
    "CONVK_ELEMENT_ void convk_gaussian_values_(const int l, const int kinds, const int i, const int j, const CONVK_V *v,\n",
    "                                           const CONVK_V *m, const CONVK_V *slope, const CONVK_V *bend, CONVK_V *value) {\n",
    "  const int q = i * (i + 1) / 2 + j, top = CONVK_DEGREE_(l) + q;\n",
    "  int k;\n",
    "  value[0] = m[top];\n",
    "  if (kinds == 1) return;\n",
    "  value[4] = bend[top];\n",
    "  CONVK_EACH_(k, 3) { /* one and two powers less */\n",
    "    const int power = k == 0 ? l - i : k == 1 ? i - j : j;\n",
    "    const int one = CONVK_DEGREE_(l - 1) + (k == 0 ? q : i * (i - 1) / 2 + j - k / 2);\n",
    "    const int two = CONVK_DEGREE_(l - 2) + (k == 0 ? q : (i - 1) * (i - 2) / 2 + j - k / 2 * 2);\n",
    "    value[k + 1] = CONVK_MUL_(v[k], slope[top]);\n",
    "    if (power > 0) value[k + 1] = CONVK_FMA_(CONVK_SET_(power), m[one], value[k + 1]);\n",
    "    if (power > 1) value[4] = CONVK_FMA_(CONVK_SET_(power * (power - 1)), m[two], value[4]);\n",
    "  }\n",
    "}\n",
    "#line 6 \"grids/kernel.cl\"\n",
    "#define CONVK_SHELL_MAX_L MAX_L\n",
    "#line 1 \"device/arguments.h\"\n",
    "#ifndef CONVK_AXIS_INCLUDED_\n",
    "#define CONVK_AXIS_INCLUDED_\n",
    "/* ---- what kernels take ----\n",
    "   Beside its arrays a kernel takes one struct by value, which the host fills and OpenCL C and CUDA read: <family>/arguments.h\n",
    "   declares it once for all three,\n",
    "     CONVK_DEFINE_ARGUMENTS_(name) { members };\n",
    "   and CONVK_ARGUMENTS_(name) is its type.  Members are of uint64_t, int64_t, uint32_t, int32_t, and CONVK_ARGUMENT_T_, which is\n",
    "   the real type; the larger ones come first.  OpenCL has the struct once per precision, in CUDA it is a template of that type.\n",
    "   <family>/device.h fills what both devices need alike, opencl_calls.h and cuda.h how a launch is cut. */\n",
    "\n",
    "/* One axis: output i is the sum over k < ntaps of taps[k] times input i + shift + k; n points in, m points out. */\n",
    "typedef struct convk_axis_device_ {\n",
    "  uint64_t n, m, ntaps;\n",
    "  int64_t shift;\n",
    "  int32_t periodic, unused;\n",
    "} convk_axis_device_;\n",
    "#endif\n",
    "#line 8 \"grids/kernel.cl\"\n",
    "#line 1 \"grids/device_types.h\"\n",
    "#ifndef CONVK_GRIDS_INCLUDED_\n",
    "#define CONVK_GRIDS_INCLUDED_\n",
    "/* ---- Gaussians on regular grids, on devices: what the host makes of a call, as kernels read it ---- */\n",
    "\n",
    "/* One axis of a group, see convk_grids_group_: what its tables are made of, and where they are.\n",
    "   start, lost    the first point less the center, and what that lost; images repeat it every `period`, from number `image` to\n",
    "                  `last`; period 0: there is only number 0\n",
    "   radius         how far from the center its exponential counts\n",
    "   a, b, top      of its exponent, see convk_gaussian_part_\n",
    "   n, low, count  points of the axis, and those that tables have\n",
    "   tile, tiles    points of a tile, and how many tiles there are\n",
    "   turn, turn_lo  the angle of the phase of image number 1, in two parts\n",
    "   size           where exponentials without phases begin, from the table on; 0: there are no phases, and they are its first row\n",
    "   rows, degree   powers of a table, 0 .. degree; the rows of derivatives follow\n",
    "   table, maxima  where tables and largest exponentials of tiles begin, in elements\n",
    "   first          the number of its first table among those of all groups */\n",
    "typedef struct convk_grids_axis_device_ {\n",
    "  double start, lost, step, period, image, last, radius, exponent, a, b, top, turn, turn_lo;\n",
    "  uint64_t n, low, count, tile, tiles, rows, table, maxima, first, size;\n",
    "} convk_grids_axis_device_;\n",
    "\n",
    "/* Table u^power exp(-a u^2) of a group along x: where its terms begin among those of an orbital, which are of `degree` at most\n",
    "   in y and z; its sums along z, of powers 0 .. degree of y, are numbers `first` on among those of all tables. */\n",
    "typedef struct convk_grids_table_device_ {\n",
    "  uint64_t terms;\n",
    "  uint32_t group, power, degree, first;\n",
    "} convk_grids_table_device_;\n",
    "\n",
    "/* Some rows of results whose sums run over the same tables, `count` of them from `first` on.  Terms of the first row begin at\n",
    "   `terms`, those of the next ones at distances of `apart`; sums: where sums along z begin in a plane. */\n",
    "typedef struct convk_grids_lot_device_ {\n",
    "  uint64_t first, count, row, rows, terms, apart, sums;\n",
    "} convk_grids_lot_device_;\n",
    "\n",
    "/* A general cell.\n",
    "   step          its steps in x, y, z; period, lost: of its images along these, in two parts\n",
    "   axis          those of the frame of convk_cells_frame_, in x, y, z\n",
    "   image, wide   there: how far apart images are there; wide: a1, b1, b2\n",
    "   turn, turn_lo angles of the phases of image number 1 along each step, in two parts */\n",
    "typedef struct convk_cells_device_ {\n",
    "  double step[9], period[9], lost[9], axis[9], image[9], wide[3], turn[3], turn_lo[3];\n",
    "} convk_cells_device_;\n",
    "\n",
    "/* A group there: the first point of the box less its center, in two parts, its exponential as in convk_grids_axis_device_, and\n",
    "   where its terms begin among those of an orbital. */\n",
    "typedef struct convk_cells_group_device_ {\n",
    "  double start[3], lost[3], radius, exponent, a, b, top;\n",
    "  uint64_t l, terms;\n",
    "} convk_cells_group_device_;\n",
    "\n",
    "/* Images of a group that may be near a part of a plane.\n",
    "   at          its first point from the center, in the frame; from there it goes from `least` to `greatest` along x', from 0 to\n",
    "               `high` along y'\n",
    "   reach       from where on nothing counts\n",
    "   count       of image numbers along each step; first: of those along the third one */\n",
    "typedef struct convk_cells_reach_device_ {\n",
    "  double at[3], least, greatest, high, reach, first;\n",
    "  uint64_t count[3];\n",
    "} convk_cells_reach_device_;\n",
    "\n",
    "/* A table in one plane of a part of a tile.\n",
    "   x_begin, x_end   which of the part's points along x it has, counted from the first; y_begin, y_end: of its rows\n",
    "   x, y, z          in elements of the tables: where the first point along x is, or would be, the first row of the tables along\n",
    "                    y that make weights, and those along z in this plane; size: the first row of exponentials along y\n",
    "   y_count, z_count distances of powers\n",
    "   y_bend, z_bend   of second derivatives, or of imaginary parts, from the tables themselves; 0: not wanted */\n",
    "typedef struct convk_grids_near_ {\n",
    "  uint64_t x, y, y_count, y_bend, z, z_count, z_bend, size, terms;\n",
    "  int32_t x_begin, x_end, y_begin, y_end, degree, alive;\n",
    "} convk_grids_near_;\n",
    "#endif\n",
    "#line 9 \"grids/kernel.cl\"\n",
    "#line 1 \"grids/both.h\"\n",
    "/* ---- one axis of a grid, for processors and devices: doubles, of which every operation rounds once ---- */\n",
    "\n",
    "#ifdef CONVK_ADD_ /* words of a device */\n",
    "#define CONVK_AXIS_ CONVK_ELEMENT_\n",
    "#define CONVK_AXIS_ADD_(a, b) CONVK_ADD_(a, b)\n",
    "#define CONVK_AXIS_SUB_(a, b) CONVK_SUB_(a, b)\n",
    "#define CONVK_AXIS_MUL_(a, b) CONVK_MUL_(a, b)\n",
    "#define CONVK_AXIS_DIV_(a, b) CONVK_DIV_(a, b)\n",
    "#ifdef CONVK_LEADING_\n",
    "#define CONVK_AXIS_LEADING_(x) CONVK_LEADING_(x)\n",
    "#else\n",
    "#define CONVK_AXIS_LEADING_(x) convk_cuda_real_(convk_cuda_bits_(x) & (~(uint64_t)0 << 27))\n",
    "#endif\n",
    "#else\n",
    "#define CONVK_AXIS_ CONVK_LOCAL_\n",
    "#define CONVK_AXIS_ADD_(a, b) ((a) + (b))\n",
    "#define CONVK_AXIS_SUB_(a, b) ((a) - (b)) /* not a + -b: clang takes -b as it likes where -ffast-math is on */\n",
    "#define CONVK_AXIS_MUL_(a, b) ((a) * (b))\n",
    "#define CONVK_AXIS_DIV_(a, b) ((a) / (b))\n",
    "#define CONVK_AXIS_LEADING_(x) convk_leading_(x)\n",
    "CONVK_EXACT_PUSH_\n",
    "#endif\n",
    "\n",
    "/* a + b rounded, and *lost = a + b less that, exactly (Knuth). */\n",
    "CONVK_AXIS_ double convk_grids_two_sum_(double a, double b, double *lost) {\n",
    "  const double sum = CONVK_AXIS_ADD_(a, b), other = CONVK_AXIS_SUB_(sum, a);\n",
    "  *lost = CONVK_AXIS_ADD_(CONVK_AXIS_SUB_(a, CONVK_AXIS_SUB_(sum, other)), CONVK_AXIS_SUB_(b, other));\n",
    "  return sum;\n",
    "}\n",
    "\n",
    "/* a b rounded, and *lost = a b less that, to 2^-104 of a b (Dekker; no FMA). */\n",
    "CONVK_AXIS_ double convk_grids_two_product_(double a, double b, double *lost) {\n",
    "  const double product = CONVK_AXIS_MUL_(a, b), ah = CONVK_AXIS_LEADING_(a), al = CONVK_AXIS_SUB_(a, ah);\n",
    "  const double bh = CONVK_AXIS_LEADING_(b), bl = CONVK_AXIS_SUB_(b, bh);\n",
    "  const double error = CONVK_AXIS_SUB_(CONVK_AXIS_MUL_(ah, bh), product);\n",
    "  *lost = CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(error, CONVK_AXIS_MUL_(ah, bl)), CONVK_AXIS_MUL_(al, bh)),\n",
    "                          CONVK_AXIS_MUL_(al, bl));\n",
    "  return product;\n",
    "}\n",
    "\n",
    "/* The distance of image number `image` of a center from the first point, in two parts. */\n",
    "CONVK_AXIS_ double convk_grids_image_(double start, double start_lost, double image, double period, double *lo) {\n",
    "  double lost, left;\n",
    "  const double hi = convk_grids_two_sum_(start, convk_grids_two_product_(image, period, &lost), &left);\n",
    "  *lo = CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(left, start_lost), lost);\n",
    "  return hi;\n",
    "}\n",
    "\n",
    "/* The square, less than `limit`, of the distance u of point i from a center that is at hi + lo: in two parts. */\n",
    "CONVK_AXIS_ double convk_grids_square_of_(double hi, double lo, double step, double i, double limit, double *u, double *rest) {\n",
    "  double lost, left, square;\n",
    "  const double at = convk_grids_two_sum_(hi, convk_grids_two_product_(i, step, &lost), &left);\n",
    "  left = CONVK_AXIS_ADD_(left, CONVK_AXIS_ADD_(lo, lost));\n",
    "  *u = CONVK_AXIS_ADD_(at, left);\n",
    "  square = convk_grids_two_product_(at, at, rest);\n",
    "  *rest = CONVK_AXIS_ADD_(*rest, CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(2, at), left));\n",
    "  if (square < limit) return square;\n",
    "  *rest = 0;\n",
    "  return limit;\n",
    "}\n",
    "\n",
    "/* Points of the axis where a center at `base` from the first point, negative, is nearer than `reach`. */\n",
    "CONVK_AXIS_ void convk_grids_range_(double base, double step, double reach, uint64_t n, uint64_t *low, uint64_t *end) {\n",
    "  const double size = step < 0 ? -step : step, at = step < 0 ? base : -base, last = (double)n;\n",
    "  double from = CONVK_AXIS_SUB_(CONVK_AXIS_DIV_(CONVK_AXIS_SUB_(at, reach), size), 1.0);\n",
    "  double to = CONVK_AXIS_ADD_(CONVK_AXIS_DIV_(CONVK_AXIS_ADD_(at, reach), size), 2.0);\n",
    "  from = from > 0 ? from : 0;\n",
    "  to = to > 0 ? to : 0;\n",
    "  *low = from < last ? (uint64_t)from : n;\n",
    "  *end = to < last ? (uint64_t)to : n;\n",
    "  if (*end < *low) *end = *low;\n",
    "}\n",
    "\n",
    "/* What an exponential exp(-a u^2) is multiplied by for u^k, or (kind 1, 2) a derivative of that; power: of u. */\n",
    "CONVK_AXIS_ double convk_grids_factor_(const int kind, const int k, double a, const double *power) {\n",
    "  const double f = (double)k;\n",
    "  double sum = 0;\n",
    "  if (kind == 0) return power[k];\n",
    "  if (kind == 1) {\n",
    "    if (k) sum = CONVK_AXIS_MUL_(f, power[k - 1]);\n",
    "    return CONVK_AXIS_SUB_(sum, CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(2, a), power[k + 1]));\n",
    "  }\n",
    "  if (k > 1) sum = CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(f, f - 1), power[k - 2]);\n",
    "  sum = CONVK_AXIS_SUB_(sum, CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(2, a), 2 * f + 1), power[k]));\n",
    "  return CONVK_AXIS_ADD_(sum, CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(4, a), a), power[k + 2]));\n",
    "}\n",
    "\n",
    "/* The cosine and sine of x, at most an eighth of a turn, and of so many quarters of a turn besides, to some 1e-16. */\n",
    "CONVK_AXIS_ void convk_grids_circle_(double x, int quarter, double *cosine, double *sine) {\n",
    "  const double square = CONVK_AXIS_MUL_(x, x);\n",
    "  double c = 1, s = 1;\n",
    "  int i;\n",
    "  for (i = 20; i > 0; i -= 2) {\n",
    "    c = CONVK_AXIS_SUB_(1.0, CONVK_AXIS_DIV_(CONVK_AXIS_MUL_(c, square), (double)(i * (i - 1))));\n",
    "    s = CONVK_AXIS_SUB_(1.0, CONVK_AXIS_DIV_(CONVK_AXIS_MUL_(s, square), (double)(i * (i + 1))));\n",
    "  }\n",
    "  s = CONVK_AXIS_MUL_(s, x);\n",
    "  *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;\n",
    "  *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;\n",
    "}\n",
    "\n",
    "/* The nearest integer, up to 2^51. */\n",
    "CONVK_AXIS_ double convk_grids_whole_(double x) {\n",
    "  const double large = 6755399441055744.0; /* 1.5 2^52, behind which there is no fraction */\n",
    "  return CONVK_AXIS_SUB_(CONVK_AXIS_ADD_(x, large), large);\n",
    "}\n",
    "\n",
    "/* The phase of image number `image` of a center: of the angle (hi + lo) image. */\n",
    "CONVK_AXIS_ void convk_grids_phase_(double hi, double lo, double image, double *cosine, double *sine) {\n",
    "  double lost, less, left, x, n, m;\n",
    "  const double angle = convk_grids_two_product_(hi, image, &lost);\n",
    "  n = convk_grids_whole_(CONVK_AXIS_DIV_(angle, 1.5707963267948966));\n",
    "  m = convk_grids_whole_(CONVK_AXIS_SUB_(CONVK_AXIS_MUL_(n, 0.25), 0.375)); /* whole turns */\n",
    "  lost = CONVK_AXIS_ADD_(lost, CONVK_AXIS_MUL_(lo, image));\n",
    "  x = convk_grids_two_sum_(angle, -convk_grids_two_product_(n, 1.5707963267948966, &less), &left);\n",
    "  less = CONVK_AXIS_ADD_(less, CONVK_AXIS_MUL_(n, 6.123233995736766e-17));\n",
    "  x = CONVK_AXIS_ADD_(x, CONVK_AXIS_ADD_(left, CONVK_AXIS_SUB_(lost, less)));\n",
    "  if (!(x > -1 && x < 1)) x = n = m = 0; /* too many turns to tell */\n",
    "  convk_grids_circle_(x, (int)CONVK_AXIS_ADD_(n, CONVK_AXIS_MUL_(m, -4.0)), cosine, sine);\n",
    "}\n",
    "\n",
    "/* Where point `at` of an axis is among `count` points from `first` on: 0 where it is before them, count behind them. */\n",
    "CONVK_AXIS_ int32_t convk_grids_inside_(uint64_t at, uint64_t first, int32_t count) {\n",
    "  return at < first ? 0 : at - first < (uint64_t)count ? (int32_t)(at - first) : count;\n",
    "}\n",
    "\n",
    "#ifdef CONVK_ADD_    /* ---- general cells, on devices ---- */\n",
    "#ifdef CONVK_GLOBAL_ /* a word of OpenCL */\n",
    "#define CONVK_GLOBAL_CONST_ CONVK_GLOBAL_ const\n",
    "#else\n",
    "#define CONVK_GLOBAL_CONST_ const\n",
    "#endif\n",
    "\n",
    "CONVK_AXIS_ double convk_cells_floor_(double x) {\n",
    "  const double whole = x < 1e15 && x > -1e15 ? (double)(int64_t)x : x;\n",
    "  return whole > x ? whole - 1 : whole;\n",
    "}\n",
    "\n",
    "/* Point (i, j, k) of the box from its first one, in x, y, z, in two parts. */\n",
    "CONVK_AXIS_ void convk_cells_point_(CONVK_GLOBAL_CONST_ convk_cells_device_ *cell, double i, double j, double k, double *hi,\n",
    "                                    double *lo) {\n",
    "  int d;\n",
    "  CONVK_EACH_(d, 3) {\n",
    "    double lost[5], sum;\n",
    "    const double x = convk_grids_two_product_(i, cell->step[d], &lost[0]);\n",
    "    const double y = convk_grids_two_product_(j, cell->step[3 + d], &lost[1]);\n",
    "    const double z = convk_grids_two_product_(k, cell->step[6 + d], &lost[2]);\n",
    "    sum = convk_grids_two_sum_(x, y, &lost[3]);\n",
    "    hi[d] = convk_grids_two_sum_(sum, z, &lost[4]);\n",
    "    lo[d] = CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(lost[0], lost[1]), CONVK_AXIS_ADD_(lost[2], lost[3])), lost[4]);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Numbers n with least <= n period <= greatest: the first of `count`, of which all of them are some. */\n",
    "CONVK_AXIS_ double convk_cells_first_(double least, double greatest, double period) {\n",
    "  if (!(period < 0 || period > 0)) return 0;\n",
    "  return convk_cells_floor_(CONVK_AXIS_DIV_(period < 0 ? greatest : least, period));\n",
    "}\n",
    "CONVK_AXIS_ uint64_t convk_cells_count_device_(double wide, double period) {\n",
    "  const double size = period < 0 ? -period : period;\n",
    "  return size > 0 ? (uint64_t)CONVK_AXIS_DIV_(wide, size) + 2 : 1;\n",
    "}\n",
    "\n",
    "/* Images of a group that may count in nx by ny points of a plane, whose first one is `from` the box's first point.  A little\n",
    "   more than its radius, as nobody minds a few images more. */\n",
    "CONVK_AXIS_ void convk_cells_reach_of_(CONVK_GLOBAL_CONST_ convk_cells_device_ *cell,\n",
    "                                       CONVK_GLOBAL_CONST_ convk_cells_group_device_ *group, const double *from, int32_t nx,\n",
    "                                       int32_t ny, convk_cells_reach_device_ *to) {\n",
    "  const double across = CONVK_AXIS_MUL_((double)(ny - 1), cell->wide[1]);\n",
    "  double r[3], size = 0;\n",
    "  int d, k;\n",
    "  CONVK_EACH_(d, 3) {\n",
    "    r[d] = CONVK_AXIS_ADD_(from[d], group->start[d]);\n",
    "    size = CONVK_AXIS_ADD_(size, r[d] < 0 ? -r[d] : r[d]);\n",
    "  }\n",
    "  CONVK_EACH_(k, 3) {\n",
    "    double sum = 0;\n",
    "    CONVK_EACH_(d, 3) sum = CONVK_FMA_(cell->axis[3 * k + d], r[d], sum);\n",
    "    to->at[k] = sum;\n",
    "  }\n",
    "  to->least = across < 0 ? across : 0;\n",
    "  to->greatest = CONVK_FMA_((double)(nx - 1), cell->wide[0], across > 0 ? across : 0);\n",
    "  to->high = CONVK_AXIS_MUL_((double)(ny - 1), cell->wide[2]);\n",
    "  to->reach = CONVK_FMA_(group->radius, 1.000001, CONVK_AXIS_MUL_(1e-14, size));\n",
    "  to->first = convk_cells_first_(CONVK_AXIS_SUB_(to->at[2], to->reach), CONVK_AXIS_ADD_(to->at[2], to->reach), cell->image[8]);\n",
    "  to->count[2] = convk_cells_count_device_(CONVK_AXIS_MUL_(2, to->reach), cell->image[8]);\n",
    "  to->count[1] = convk_cells_count_device_(CONVK_FMA_(2.0, to->reach, to->high), cell->image[4]);\n",
    "  to->count[0] =\n",
    "      convk_cells_count_device_(CONVK_FMA_(2.0, to->reach, CONVK_AXIS_SUB_(to->greatest, to->least)), cell->image[0]);\n",
    "}\n",
    "\n",
    "/* How far 0 is from least .. most, squared. */\n",
    "CONVK_AXIS_ double convk_cells_apart_device_(double least, double greatest) {\n",
    "  const double gap = least > 0 ? least : greatest < 0 ? greatest : 0;\n",
    "  return CONVK_AXIS_MUL_(gap, gap);\n",
    "}\n",
    "\n",
    "/* Image number q of those: its numbers n along the steps, and whether it may count. */\n",
    "CONVK_AXIS_ int convk_cells_number_(CONVK_GLOBAL_CONST_ convk_cells_device_ *cell, const convk_cells_reach_device_ *of,\n",
    "                                    uint64_t q, double *n) {\n",
    "  const uint64_t line = q / of->count[0];\n",
    "  double x = of->at[0], y = of->at[1], z = of->at[2];\n",
    "  n[2] = CONVK_AXIS_ADD_(of->first, (double)(line / of->count[1]));\n",
    "  x = CONVK_FMA_(-n[2], cell->image[6], x);\n",
    "  y = CONVK_FMA_(-n[2], cell->image[7], y);\n",
    "  z = CONVK_FMA_(-n[2], cell->image[8], z);\n",
    "  n[1] = convk_cells_first_(CONVK_AXIS_SUB_(y, of->reach), CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(y, of->high), of->reach),\n",
    "                            cell->image[4]);\n",
    "  n[1] = CONVK_AXIS_ADD_(n[1], (double)(line % of->count[1]));\n",
    "  x = CONVK_FMA_(-n[1], cell->image[3], x);\n",
    "  y = CONVK_FMA_(-n[1], cell->image[4], y);\n",
    "  n[0] = convk_cells_first_(CONVK_AXIS_SUB_(CONVK_AXIS_ADD_(x, of->least), of->reach),\n",
    "                            CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(x, of->greatest), of->reach), cell->image[0]);\n",
    "  n[0] = CONVK_AXIS_ADD_(n[0], (double)(q - line * of->count[0]));\n",
    "  x = CONVK_FMA_(-n[0], cell->image[0], x);\n",
    "  x = convk_cells_apart_device_(CONVK_AXIS_ADD_(x, of->least), CONVK_AXIS_ADD_(x, of->greatest));\n",
    "  y = convk_cells_apart_device_(y, CONVK_AXIS_ADD_(y, of->high));\n",
    "  return CONVK_FMA_(z, z, CONVK_AXIS_ADD_(x, y)) <= CONVK_AXIS_MUL_(of->reach, of->reach);\n",
    "}\n",
    "\n",
    "/* The first point of the box less the image with these numbers, in two parts: three of both. */\n",
    "CONVK_AXIS_ void convk_cells_moved_(CONVK_GLOBAL_CONST_ convk_cells_device_ *cell,\n",
    "                                    CONVK_GLOBAL_CONST_ convk_cells_group_device_ *group, const double *n, double *at) {\n",
    "  int d, k;\n",
    "  CONVK_EACH_(d, 3) {\n",
    "    double hi = group->start[d], lo = group->lost[d];\n",
    "    CONVK_UNROLL_\n",
    "    for (k = 2; k >= 0; k--) {\n",
    "      double lost, left;\n",
    "      hi = convk_grids_two_sum_(hi, -convk_grids_two_product_(n[k], cell->period[3 * k + d], &lost), &left);\n",
    "      lost = CONVK_FMA_(n[k], cell->lost[3 * k + d], lost);\n",
    "      lo = CONVK_AXIS_ADD_(lo, CONVK_AXIS_SUB_(left, lost));\n",
    "    }\n",
    "    at[d] = hi;\n",
    "    at[3 + d] = lo;\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Its phase. */\n",
    "CONVK_AXIS_ void convk_cells_phase_device_(CONVK_GLOBAL_CONST_ convk_cells_device_ *cell, const double *n, double *cosine,\n",
    "                                           double *sine) {\n",
    "  int k;\n",
    "  *cosine = 1;\n",
    "  *sine = 0;\n",
    "  CONVK_EACH_(k, 3) {\n",
    "    double c, s, real;\n",
    "    convk_grids_phase_(cell->turn[k], cell->turn_lo[k], n[k], &c, &s);\n",
    "    real = CONVK_FMA_(*cosine, c, -CONVK_AXIS_MUL_(*sine, s));\n",
    "    *sine = CONVK_FMA_(*cosine, s, CONVK_AXIS_MUL_(*sine, c));\n",
    "    *cosine = real;\n",
    "  }\n",
    "}\n",
    "\n",
    "/* The squared distance, less than `limit`, of a point from such an image, in two parts; u: its components. */\n",
    "CONVK_AXIS_ double convk_cells_square_device_(const double *hi, const double *lo, const double *at, double limit, double *u,\n",
    "                                              double *rest) {\n",
    "  double sum = 0, lost = 0;\n",
    "  int d;\n",
    "  CONVK_EACH_(d, 3) {\n",
    "    double left, square, more;\n",
    "    const double x = convk_grids_two_sum_(hi[d], at[d], &left);\n",
    "    left = CONVK_AXIS_ADD_(left, CONVK_AXIS_ADD_(lo[d], at[3 + d]));\n",
    "    u[d] = CONVK_AXIS_ADD_(x, left);\n",
    "    square = CONVK_AXIS_MUL_(x, x);\n",
    "    more = CONVK_FMA_(CONVK_AXIS_MUL_(2, x), left, CONVK_FMA_(x, x, -square));\n",
    "    sum = convk_grids_two_sum_(sum, square, &left);\n",
    "    lost = CONVK_AXIS_ADD_(lost, CONVK_AXIS_ADD_(more, left));\n",
    "  }\n",
    "  *rest = lost;\n",
    "  if (sum < limit) return sum;\n",
    "  *rest = 0;\n",
    "  return limit;\n",
    "}\n",
    "#undef CONVK_GLOBAL_CONST_\n",
    "#else\n",
    "CONVK_EXACT_POP_\n",
    "#endif\n",
    "#undef CONVK_AXIS_\n",
    "#undef CONVK_AXIS_ADD_\n",
    "#undef CONVK_AXIS_SUB_\n",
    "#undef CONVK_AXIS_MUL_\n",
    "#undef CONVK_AXIS_DIV_\n",
    "#undef CONVK_AXIS_LEADING_\n",
    "#line 10 \"grids/kernel.cl\"\n",
    "#line 1 \"grids/point.h\"\n",
    "/* ---- tables and weights of grids, on devices ---- */\n",
    "#ifdef CONVK_GLOBAL_ /* a word of OpenCL */\n",
    "#define CONVK_GLOBAL_CONST_ CONVK_GLOBAL_ const\n",
    "#define CONVK_GLOBAL_DATA_ CONVK_GLOBAL_\n",
    "#else\n",
    "#define CONVK_GLOBAL_CONST_ const\n",
    "#define CONVK_GLOBAL_DATA_\n",
    "#endif\n",
    "\n",
    "/* Rows 0 .. degree of a group's tables in one point: of one of `kinds` at distance u, e = exp(-a u^2); added to `to`. */\n",
    "CONVK_ELEMENT_ void convk_grids_rows_of_(const int kind, int degree, double a, double u, CONVK_T e, CONVK_T *to) {\n",
    "  double power[CONVK_SHELL_MAX_L + 3];\n",
    "  int k;\n",
    "  power[0] = 1;\n",
    "  CONVK_EACH_(k, CONVK_SHELL_MAX_L + 2) power[k + 1] = CONVK_MUL_(power[k], u);\n",
    "  CONVK_UNROLL_\n",
    "  for (k = 0; k <= CONVK_SHELL_MAX_L; k++)\n",
    "    if (k <= degree)\n",
    "      to[k] = CONVK_FMA_((CONVK_T)1, (CONVK_T)CONVK_MUL_(convk_grids_factor_(kind, k, a, power), (double)e), to[k]);\n",
    "}\n",
    "\n",
    "/* Rows 0 .. degree of real and imaginary parts, of an image with this phase. */\n",
    "CONVK_ELEMENT_ void convk_bloch_rows_of_(int degree, double u, CONVK_T e, double cosine, double sine, CONVK_T *real,\n",
    "                                         CONVK_T *imag) {\n",
    "  double power = 1;\n",
    "  int k;\n",
    "  CONVK_UNROLL_\n",
    "  for (k = 0; k <= CONVK_SHELL_MAX_L; k++) {\n",
    "    const double value = CONVK_MUL_(power, (double)e);\n",
    "    if (k <= degree) {\n",
    "      real[k] = CONVK_FMA_((CONVK_T)1, (CONVK_T)CONVK_MUL_(value, cosine), real[k]);\n",
    "      imag[k] = CONVK_FMA_((CONVK_T)1, (CONVK_T)CONVK_MUL_(value, sine), imag[k]);\n",
    "    }\n",
    "    power = CONVK_MUL_(power, u);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Point number `at` of a group's tables along an axis, into those from `to` on: sums over images of the center.  kinds: 1, 3\n",
    "   with derivatives, or 2 with phases. */\n",
    "CONVK_ELEMENT_ void convk_grids_table_point_(const int kinds, CONVK_GLOBAL_CONST_ convk_grids_axis_device_ *axis, uint64_t at,\n",
    "                                             CONVK_T cut, CONVK_GLOBAL_DATA_ CONVK_T *to) {\n",
    "  const double limit = (double)CONVK_GREATEST_ / 4;\n",
    "  const int rows = (int)axis->rows, phased = kinds == 2 && axis->size;\n",
    "  const uint64_t i = axis->low + at;\n",
    "  CONVK_T row[3][CONVK_SHELL_MAX_L + 1], size = 0;\n",
    "  double image;\n",
    "  int j, k;\n",
    "  CONVK_EACH_(j, kinds)\n",
    "    CONVK_EACH_(k, CONVK_SHELL_MAX_L + 1) row[j][k] = 0;\n",
    "  for (image = axis->image; image <= axis->last; image += 1) {\n",
    "    double lo, u, rest, square;\n",
    "    uint64_t low, end;\n",
    "    CONVK_T s, e;\n",
    "    const double hi = convk_grids_image_(axis->start, axis->lost, image, axis->period, &lo);\n",
    "    convk_grids_range_(hi, axis->step, axis->radius, axis->n, &low, &end);\n",
    "    if (i < low || i >= end) continue;\n",
    "    square = convk_grids_square_of_(hi, lo, axis->step, (double)i, limit, &u, &rest);\n",
    "    s = (CONVK_T)square;\n",
    "    e = convk_gaussian_((CONVK_T)axis->a, (CONVK_T)axis->b, (CONVK_T)axis->top, s,\n",
    "                        (CONVK_T)CONVK_ADD_(CONVK_ADD_(square, -(double)s), rest), cut, 1);\n",
    "    if (phased) {\n",
    "      double cosine, sine;\n",
    "      convk_grids_phase_(axis->turn, axis->turn_lo, image, &cosine, &sine);\n",
    "      convk_bloch_rows_of_(rows - 1, u, e, cosine, sine, row[0], row[1]);\n",
    "      size = CONVK_ADD_(size, e);\n",
    "      continue;\n",
    "    }\n",
    "    CONVK_EACH_(j, (kinds == 2 ? 1 : kinds)) convk_grids_rows_of_(j, rows - 1, axis->exponent, u, e, row[j]);\n",
    "  }\n",
    "  if (phased) to[axis->size] = size;\n",
    "  /* by numbers that are known when compiled: rows then stay in registers */\n",
    "  CONVK_EACH_(j, kinds)\n",
    "    CONVK_EACH_(k, CONVK_SHELL_MAX_L + 1)\n",
    "      if (k < rows && (!j || kinds != 2 || phased)) to[(uint64_t)(j * rows + k) * axis->count] = row[j][k];\n",
    "}\n",
    "\n",
    "/* Whether a group, which has these axes, counts anywhere in a tile and a plane; ez: the largest along x times that along z. */\n",
    "CONVK_ELEMENT_ int convk_grids_reaches_(CONVK_GLOBAL_CONST_ convk_grids_axis_device_ *x, CONVK_GLOBAL_CONST_ CONVK_T *values,\n",
    "                                        const uint64_t *tile, uint64_t at, CONVK_T cut, CONVK_T *ez) {\n",
    "  CONVK_GLOBAL_CONST_ convk_grids_axis_device_ *y = x + 1, *z = x + 2;\n",
    "  const uint64_t plane = at - z->low; /* it wraps around before the first */\n",
    "  *ez = 0;\n",
    "  if (!(plane < z->count)) return 0;\n",
    "  *ez = CONVK_MUL_(values[z->table + z->size + plane], values[x->maxima + tile[0]]);\n",
    "  return !(CONVK_MUL_(values[y->maxima + tile[1]], *ez) < cut);\n",
    "}\n",
    "\n",
    "/* What a plane of a part of a tile needs of table t: along x itself, or (along) its first or second derivative, and for\n",
    "   weights along y and z of kind `weight`: 0 themselves, 1 the derivative along y, 2 along z, 3 both second ones; of Bloch sums,\n",
    "   whose imaginary parts along x are `along` 1, 4 the real part, 5 the imaginary one, 6 this times -1.\n",
    "   tile: its number along each axis; at: the first point of the part, and the plane; nx, ny: its points and rows\n",
    "   ez: see convk_grids_reaches_; it and *e are private.  Clang would make of a struct that is\n",
    "   returned an argument without aliases, which Oclgrind does not run. */\n",
    "CONVK_ELEMENT_ void convk_grids_look_(CONVK_GLOBAL_CONST_ convk_grids_table_device_ *t,\n",
    "                                      CONVK_GLOBAL_CONST_ convk_grids_axis_device_ *axes, CONVK_GLOBAL_CONST_ CONVK_T *values,\n",
    "                                      const uint64_t *tile, const uint64_t *at, int32_t nx, int32_t ny, CONVK_T cut, int weight,\n",
    "                                      int along, convk_grids_near_ *e, CONVK_T *ez) {\n",
    "  CONVK_GLOBAL_CONST_ convk_grids_axis_device_ *x = axes + 3 * (uint64_t)t->group, *y = x + 1, *z = x + 2;\n",
    "  const uint64_t row = at[1] - y->low, plane = at[2] - z->low; /* they wrap around before the first */\n",
    "  const uint64_t y_kind = y->rows * y->count, z_kind = z->rows * z->count;\n",
    "  e->terms = t->terms;\n",
    "  e->degree = (int32_t)t->degree;\n",
    "  e->x = x->table + ((uint64_t)along * x->rows + t->power) * x->count + (at[0] - x->low);\n",
    "  e->x_begin = convk_grids_inside_(x->low, at[0], nx);\n",
    "  e->x_end = convk_grids_inside_(x->low + x->count, at[0], nx);\n",
    "  e->size = y->table + y->size + row;\n",
    "  e->y = y->table + (weight == 1 ? y_kind : 0) + row;\n",
    "  e->y_count = y->count;\n",
    "  e->y_begin = convk_grids_inside_(y->low, at[1], ny);\n",
    "  e->y_end = convk_grids_inside_(y->low + y->count, at[1], ny);\n",
    "  e->y_bend = weight == 3 ? 2 * y_kind : weight > 3 && y->size ? y_kind : 0;\n",
    "  e->z = z->table + (weight == 2 ? z_kind : 0) + plane;\n",
    "  e->z_count = z->count;\n",
    "  e->z_bend = weight == 3 ? 2 * z_kind : weight > 3 && z->size ? z_kind : 0;\n",
    "  e->alive = convk_grids_reaches_(x, values, tile, at[2], cut, ez);\n",
    "}\n",
    "\n",
    "/* Terms with power b of y of such a table, summed along z in its plane. t: its terms; imag: how far behind them their\n",
    "   imaginary parts are, 0: there are none. *v, and where tables along z have a second part, or terms have, *w: of a second\n",
    "   derivative or of imaginary parts. */\n",
    "CONVK_ELEMENT_ void convk_grids_along_z_(const convk_grids_near_ *e, CONVK_GLOBAL_CONST_ CONVK_T *values,\n",
    "                                         CONVK_GLOBAL_CONST_ CONVK_T *t, uint64_t imag, int b, CONVK_T *v, CONVK_T *w) {\n",
    "  CONVK_GLOBAL_CONST_ CONVK_T *z = values + e->z;\n",
    "  int c;\n",
    "  *v = *w = 0;\n",
    "  t += b * (2 * e->degree + 3 - b) / 2;\n",
    "  CONVK_UNROLL_\n",
    "  for (c = 0; c <= CONVK_SHELL_MAX_L; c++) {\n",
    "    if (c > e->degree - b) break;\n",
    "    *v = CONVK_FMA_(*t, z[0], *v);\n",
    "    if (e->z_bend) *w = CONVK_FMA_(*t, z[e->z_bend], *w);\n",
    "    if (imag) *w = CONVK_FMA_(t[imag], z[0], *w);\n",
    "    if (imag && e->z_bend) *v = CONVK_FNMA_(t[imag], z[e->z_bend], *v);\n",
    "    t++;\n",
    "    z += e->z_count;\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Whether a row of the part is near enough to count. */\n",
    "CONVK_ELEMENT_ int convk_grids_counts_(const convk_grids_near_ *e, CONVK_GLOBAL_CONST_ CONVK_T *values, int32_t row, CONVK_T ez,\n",
    "                                       CONVK_T cut) {\n",
    "  return row >= e->y_begin && row < e->y_end && !(CONVK_MUL_(values[e->size + (uint64_t)row], ez) < cut);\n",
    "}\n",
    "\n",
    "/* Adds such sums v and w of power b of y to the weight of the table in a row that counts. */\n",
    "CONVK_ELEMENT_ void convk_grids_add_row_(const convk_grids_near_ *e, CONVK_GLOBAL_CONST_ CONVK_T *values, int32_t row, int b,\n",
    "                                         CONVK_T v, CONVK_T w, CONVK_T *sum) {\n",
    "  CONVK_GLOBAL_CONST_ CONVK_T *y = values + (e->y + (uint64_t)row + (uint64_t)b * e->y_count);\n",
    "  if (e->z_bend) *sum = CONVK_FMA_(v, y[e->y_bend], CONVK_FMA_(w, y[0], *sum));\n",
    "  else *sum = CONVK_FMA_(v, y[0], *sum);\n",
    "}\n",
    "\n",
    "/* The same of a Bloch sum: of its real part, or (weight 5) its imaginary one. */\n",
    "CONVK_ELEMENT_ void convk_bloch_add_row_(const convk_grids_near_ *e, CONVK_GLOBAL_CONST_ CONVK_T *values, int32_t row, int b,\n",
    "                                         CONVK_T v, CONVK_T w, int weight, CONVK_T *sum) {\n",
    "  CONVK_GLOBAL_CONST_ CONVK_T *y = values + (e->y + (uint64_t)row + (uint64_t)b * e->y_count);\n",
    "  *sum = CONVK_FMA_(weight == 4 ? v : w, y[0], *sum);\n",
    "  if (e->y_bend && weight == 4) *sum = CONVK_FNMA_(w, y[e->y_bend], *sum);\n",
    "  if (e->y_bend && weight != 4) *sum = CONVK_FMA_(v, y[e->y_bend], *sum);\n",
    "}\n",
    "\n",
    "/* The weight of such a table in a row of the part: 0 where the row is too far away. */\n",
    "CONVK_ELEMENT_ CONVK_T convk_grids_weight_(const convk_grids_near_ *e, CONVK_GLOBAL_CONST_ CONVK_T *values,\n",
    "                                           CONVK_GLOBAL_CONST_ CONVK_T *t, int32_t row, CONVK_T ez, CONVK_T cut) {\n",
    "  CONVK_T sum = 0;\n",
    "  int b;\n",
    "  if (!convk_grids_counts_(e, values, row, ez, cut)) return 0;\n",
    "  CONVK_UNROLL_\n",
    "  for (b = 0; b <= CONVK_SHELL_MAX_L; b++) {\n",
    "    CONVK_T v, w;\n",
    "    if (b > e->degree) break;\n",
    "    convk_grids_along_z_(e, values, t, 0, b, &v, &w);\n",
    "    convk_grids_add_row_(e, values, row, b, v, w, &sum);\n",
    "  }\n",
    "  return sum;\n",
    "}\n",
    "\n",
    "/* The same of a Bloch sum; imag: see convk_grids_along_z_; weight: see convk_grids_look_. */\n",
    "CONVK_ELEMENT_ CONVK_T convk_bloch_weight_(const convk_grids_near_ *e, CONVK_GLOBAL_CONST_ CONVK_T *values,\n",
    "                                           CONVK_GLOBAL_CONST_ CONVK_T *t, uint64_t imag, int32_t row, CONVK_T ez, CONVK_T cut,\n",
    "                                           int weight) {\n",
    "  CONVK_T sum = 0;\n",
    "  int b;\n",
    "  if (!convk_grids_counts_(e, values, row, ez, cut)) return 0;\n",
    "  CONVK_UNROLL_\n",
    "  for (b = 0; b <= CONVK_SHELL_MAX_L; b++) {\n",
    "    CONVK_T v, w;\n",
    "    if (b > e->degree) break;\n",
    "    convk_grids_along_z_(e, values, t, imag, b, &v, &w);\n",
    "    convk_bloch_add_row_(e, values, row, b, v, w, weight, &sum);\n",
    "  }\n",
    "  return weight == 6 ? -sum : sum;\n",
    "}\n",
    "\n",
    "/* ---- general cells ---- */\n",
    "\n",
    "/* Factors of one axis of Gaussians u^k exp(-a u^2), for k up to l, where e is exp(-a u^2): of kind 0 the values, and where\n",
    "   kinds is 3, of kinds 1 and 2 what the first and the second derivative has in their place: see convk_grids_factor_. */\n",
    "CONVK_ELEMENT_ void convk_cells_powers_of_(const int kinds, int l, double a, double u, CONVK_T e, CONVK_T *to) {\n",
    "  double power[CONVK_SHELL_MAX_L + 3];\n",
    "  int k, kind;\n",
    "  power[0] = 1;\n",
    "  CONVK_EACH_(k, CONVK_SHELL_MAX_L + 2) power[k + 1] = CONVK_MUL_(power[k], u);\n",
    "  CONVK_UNROLL_\n",
    "  for (k = 0; k <= CONVK_SHELL_MAX_L; k++) {\n",
    "    if (k > l) continue;\n",
    "    CONVK_EACH_(kind, kinds)\n",
    "      to[kind * (CONVK_SHELL_MAX_L + 1) + k] = (CONVK_T)CONVK_MUL_(convk_grids_factor_(kind, k, a, power), (double)e);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Adds all terms up to degree l of `wide` orbitals, which lie side by side, to sums of them.  kinds: 1; 5 with gradients and\n",
    "   Laplacians; 2 of complex numbers, of an image with this phase and of imaginary parts `imag` behind real ones, if not 0.\n",
    "   x, y, z: what powers_of makes. */\n",
    "CONVK_ELEMENT_ void convk_cells_terms_of_(const int kinds, const int wide, int l, const CONVK_T *x, const CONVK_T *y,\n",
    "                                          const CONVK_T *z, CONVK_GLOBAL_CONST_ CONVK_T *t, uint64_t imag, CONVK_T cosine,\n",
    "                                          CONVK_T sine, CONVK_T *sum) {\n",
    "  const int rows = CONVK_SHELL_MAX_L + 1;\n",
    "  int i, b, c, o, k;\n",
    "  CONVK_UNROLL_\n",
    "  for (i = 0; i <= CONVK_SHELL_MAX_L; i++) {\n",
    "    if (i > l) break;\n",
    "    CONVK_UNROLL_\n",
    "    for (b = 0; b <= CONVK_SHELL_MAX_L - i; b++) {\n",
    "      const CONVK_T p = CONVK_MUL_(x[i], y[b]);\n",
    "      CONVK_T slope[3] = {0, 0, 0}; /* along x, along y, both second derivatives */\n",
    "      if (b > l - i) break;\n",
    "      if (kinds == 5) {\n",
    "        slope[0] = CONVK_MUL_(x[rows + i], y[b]);\n",
    "        slope[1] = CONVK_MUL_(x[i], y[rows + b]);\n",
    "        slope[2] = CONVK_FMA_(x[2 * rows + i], y[b], CONVK_MUL_(x[i], y[2 * rows + b]));\n",
    "      }\n",
    "      CONVK_UNROLL_\n",
    "      for (c = 0; c <= CONVK_SHELL_MAX_L - i - b; c++) {\n",
    "        CONVK_T m[5];\n",
    "        if (c > l - i - b) break;\n",
    "        m[0] = CONVK_MUL_(p, z[c]);\n",
    "        m[1] = m[2] = m[3] = m[4] = 0;\n",
    "        if (kinds == 2) {\n",
    "          m[1] = CONVK_MUL_(m[0], sine);\n",
    "          m[0] = CONVK_MUL_(m[0], cosine);\n",
    "        }\n",
    "        if (kinds == 5) {\n",
    "          m[1] = CONVK_MUL_(slope[0], z[c]);\n",
    "          m[2] = CONVK_MUL_(slope[1], z[c]);\n",
    "          m[3] = CONVK_MUL_(p, z[rows + c]);\n",
    "          m[4] = CONVK_FMA_(slope[2], z[c], CONVK_MUL_(p, z[2 * rows + c]));\n",
    "        }\n",
    "        CONVK_EACH_(o, wide) {\n",
    "          CONVK_EACH_(k, kinds) sum[k * wide + o] = CONVK_FMA_(t[o], m[k], sum[k * wide + o]);\n",
    "          if (kinds == 2 && imag) {\n",
    "            sum[o] = CONVK_FNMA_(t[imag + (uint64_t)o], m[1], sum[o]);\n",
    "            sum[wide + o] = CONVK_FMA_(t[imag + (uint64_t)o], m[0], sum[wide + o]);\n",
    "          }\n",
    "        }\n",
    "        t += wide;\n",
    "      }\n",
    "    }\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Adds an image of a group, at `at` as convk_cells_moved_ tells, in a point hi + lo from the first one. */\n",
    "CONVK_ELEMENT_ void convk_cells_image_of_device_(const int kinds, const int wide,\n",
    "                                                 CONVK_GLOBAL_CONST_ convk_cells_group_device_ *group,\n",
    "                                                 CONVK_GLOBAL_CONST_ CONVK_T *terms, uint64_t imag, CONVK_T cut,\n",
    "                                                 const double *hi, const double *lo, const double *at, CONVK_T cosine,\n",
    "                                                 CONVK_T sine, CONVK_T *sum) {\n",
    "  const int each = kinds == 5 ? 3 : 1, l = (int)group->l;\n",
    "  CONVK_T x[3 * (CONVK_SHELL_MAX_L + 1)], y[3 * (CONVK_SHELL_MAX_L + 1)], z[3 * (CONVK_SHELL_MAX_L + 1)], s, e;\n",
    "  double u[3], rest;\n",
    "  const double square = convk_cells_square_device_(hi, lo, at, (double)CONVK_GREATEST_ / 4, u, &rest);\n",
    "  s = (CONVK_T)square;\n",
    "  e = convk_gaussian_((CONVK_T)group->a, (CONVK_T)group->b, (CONVK_T)group->top, s,\n",
    "                      (CONVK_T)CONVK_ADD_(CONVK_ADD_(square, -(double)s), rest), cut, 1);\n",
    "  if (e == 0) return;\n",
    "  convk_cells_powers_of_(each, l, group->exponent, u[0], e, x);\n",
    "  convk_cells_powers_of_(each, l, group->exponent, u[1], (CONVK_T)1, y);\n",
    "  convk_cells_powers_of_(each, l, group->exponent, u[2], (CONVK_T)1, z);\n",
    "  convk_cells_terms_of_(kinds, wide, l, x, y, z, terms + group->terms * (uint64_t)wide, imag, cosine, sine, sum);\n",
    "}\n",
    "\n",
    "/* Adds orbitals' squares, and of 5 kinds what derivatives give, or of 2 kinds those of imaginary parts, to a density. */\n",
    "CONVK_ELEMENT_ void convk_cells_density_of_(const int kinds, const int wide, CONVK_GLOBAL_CONST_ CONVK_T *weights,\n",
    "                                            uint64_t count, const CONVK_T *sum, CONVK_T *total) {\n",
    "  int o, d;\n",
    "  CONVK_EACH_(o, wide) {\n",
    "    if ((uint64_t)o >= count) break;\n",
    "    total[0] = convk_gaussian_add_square_(weights[o], sum[o], total[0]);\n",
    "    if (kinds == 2) total[0] = convk_gaussian_add_square_(weights[o], sum[wide + o], total[0]);\n",
    "    if (kinds == 5) {\n",
    "      const CONVK_T twice = CONVK_MUL_(CONVK_ADD_(weights[o], weights[o]), convk_gaussian_large_(sum[o]));\n",
    "      CONVK_T squares = 0;\n",
    "      CONVK_UNROLL_\n",
    "      for (d = 1; d < 4; d++) convk_grids_add_slope_(twice, sum[d * wide + o], &total[d], &squares);\n",
    "      total[4] = CONVK_FMA_(CONVK_MUL_((CONVK_T)0.5, weights[o]), squares, total[4]);\n",
    "    }\n",
    "  }\n",
    "}\n",
    "#undef CONVK_GLOBAL_CONST_\n",
    "#undef CONVK_GLOBAL_DATA_\n",
    "#line 11 \"grids/kernel.cl\"\n",
    "#line 1 \"grids/arguments.h\"\n",
    "/* What the kernels of grids take: where things are in work memory, in bytes, and how the grid is cut. */\n",
    "CONVK_DEFINE_ARGUMENTS_(grids) {\n",
    "  uint64_t axes, tables, lots, terms, weights; /* what the host made: see grids/device_types.h; weights: occupations */\n",
    "  uint64_t values, lists, counts;              /* what kernels make: tables, those of each tile and how many */\n",
    "  uint64_t n[3], tile[3], tiles[3];            /* points; points of a tile and how many tiles */\n",
    "  uint64_t groups, ntables, nlots, norbitals;\n",
    "  uint64_t sums, sums_bytes, plane_sums, lot_sums; /* along z: room for some planes; one plane's, at most a lot's of orbitals */\n",
    "  uint64_t imag;                         /* how far behind terms their imaginary parts are, in elements; 0: there are none */\n",
    "  uint64_t first_plane, planes;          /* of the results of this launch */\n",
    "  uint64_t pitch_y, pitch_z, ld, out[5]; /* of results; OpenCL: where they begin */\n",
    "  uint64_t cell,\n",
    "      used; /* general cells, whose groups are `axes`: the cell; for each block of orbitals and group whether any has it */\n",
    "  uint64_t strips_x, strips_y, rows_y; /* parts of a tile along x and y, and rows of each */\n",
    "  uint32_t kinds, wanted, listed;      /* results, and which of a density; whether tiles have lists of tables */\n",
    "  uint32_t wide, depth;                /* orbitals of a block, 0: steps along x, y and z; most powers of a group */\n",
    "  uint32_t wave; /* of Bloch sums 1, and more: 2: phases along x; 4: complex weights; 8: a density is added to what is there */\n",
    "  CONVK_ARGUMENT_T_ cut;\n",
    "};\n",
    "#line 12 \"grids/kernel.cl\"\n",
    "\n",
    "/* ---- Gaussians on grids ---- */\n",
    "\n",
    "#define AXES(work, args) ((global const convk_grids_axis_device_ *)((work) + (args).axes))\n",
    "#define VALUES(work, args) ((global T *)((work) + (args).values))\n",
    "\n",
    "#ifdef GRIDS_TABLES\n",
    "/* Tables of a group along an axis, an item for a point. */\n",
    "kernel void grids_tables(const CONVK_ARGUMENTS_(grids) args, global uchar *work, ulong line0) {\n",
    "  global const convk_grids_axis_device_ *axis = AXES(work, args) + (line0 + get_global_id(1));\n",
    "  const ulong at = get_global_id(0);\n",
    "  if (at < axis->count) convk_grids_table_point_(KINDS, axis, at, args.cut, VALUES(work, args) + axis->table + at);\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef GRIDS_MAXIMA\n",
    "/* The largest exponential of each tile of an axis of a group. */\n",
    "kernel void grids_maxima(const CONVK_ARGUMENTS_(grids) args, global uchar *work, ulong line0) {\n",
    "  global const convk_grids_axis_device_ *axis = AXES(work, args) + (line0 + get_global_id(1));\n",
    "  global T *values = VALUES(work, args);\n",
    "  const ulong tile = get_global_id(0), low = axis->low;\n",
    "  ulong i = max(tile * axis->tile, low), end = min((tile + 1) * axis->tile, low + axis->count);\n",
    "  T maximum = 0;\n",
    "  if (tile >= axis->tiles) return;\n",
    "  for (; i < end; i++) maximum = max(maximum, values[axis->table + axis->size + (i - low)]);\n",
    "  values[axis->maxima + tile] = maximum;\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef GRIDS_LISTS\n",
    "/* The tables of groups that are alive in a tile, in order. */\n",
    "CONVK_GROUP_KERNEL_ grids_lists(const CONVK_ARGUMENTS_(grids) args, global uchar *work, ulong line0) {\n",
    "  local uint counts[ITEMS];\n",
    "  global const T *values = VALUES(work, args);\n",
    "  const ulong x = get_group_id(0), line = line0 + get_group_id(1), y = line % args.tiles[1], z = line / args.tiles[1];\n",
    "  const ulong tile = line * args.tiles[0] + x;\n",
    "  global uint *list = (global uint *)(work + args.lists) + tile * args.ntables;\n",
    "  const int item = (int)get_local_id(0);\n",
    "  uint all = 0;\n",
    "  ulong g0;\n",
    "  for (g0 = 0; g0 < args.groups; g0 += ITEMS) {\n",
    "    global const convk_grids_axis_device_ *axis = AXES(work, args) + 3 * min(g0 + item, args.groups - 1);\n",
    "    const T ez = values[axis[2].maxima + z] * values[axis[0].maxima + x];\n",
    "    const int alive = g0 + item < args.groups && values[axis[1].maxima + y] * ez >= args.cut;\n",
    "    uint k, before = 0;\n",
    "    barrier(CLK_LOCAL_MEM_FENCE);\n",
    "    counts[item] = alive ? (uint)axis->rows : 0;\n",
    "    barrier(CLK_LOCAL_MEM_FENCE);\n",
    "    for (k = 0; k < (uint)item; k++) before += counts[k];\n",
    "    for (k = 0; alive && k < axis->rows; k++) list[all + before + k] = (uint)axis->first + k;\n",
    "    for (k = 0; k < ITEMS; k++) all += counts[k];\n",
    "  }\n",
    "  if (item == 0) ((global uint *)(work + args.counts))[tile] = all;\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* What the items of a group share; one alone has it for itself. */\n",
    "#if ITEMS > 1\n",
    "#define NEAR local\n",
    "#define WAIT barrier(CLK_LOCAL_MEM_FENCE)\n",
    "#define UNROLL_X _Pragma(\"unroll\")\n",
    "#else\n",
    "#define NEAR private\n",
    "#define WAIT\n",
    "#define UNROLL_X\n",
    "#endif\n",
    "\n",
    "#ifdef GRIDS_CELL\n",
    "/* General cells: an item makes VX points of a row, of WIDE orbitals or of a density of all; KINDS: 1, 5, or 2 of complex\n",
    "   numbers.  LX VX points of LY rows are a group's; images come through local memory, QUEUE at a time. */\n",
    "#define CELL(work, args) ((global const convk_cells_device_ *)((work) + (args)->cell))\n",
    "#define GROUPS(work, args) ((global const convk_cells_group_device_ *)((work) + (args)->axes))\n",
    "\n",
    "/* alive: which group among those in `own`, or -1; own, end: images of groups, and all up to them. */\n",
    "typedef struct cell_room {\n",
    "  NEAR double *at;\n",
    "  NEAR ulong *own, *end;\n",
    "  NEAR T *phase;\n",
    "  NEAR int *alive;\n",
    "} cell_room;\n",
    "\n",
    "typedef struct cell_place {\n",
    "  ulong first[3];\n",
    "  int nx, ny;\n",
    "  double from[3], hi[VX][3], lo[VX][3]; /* the group's first point, and the item's */\n",
    "} cell_place;\n",
    "\n",
    "/* Images of groups from g0 on that may count, if orbitals of the block have any of a group. */\n",
    "CONVK_ELEMENT_ void cell_count(const CONVK_ARGUMENTS_(grids) * args, global const uchar *work, const cell_place *place,\n",
    "                               cell_room room, ulong block, ulong g0) {\n",
    "  const int item = (int)get_local_id(0);\n",
    "  int q, k;\n",
    "  for (q = item; q < QUEUE; q += ITEMS) {\n",
    "    room.own[q] = 0;\n",
    "    if (g0 + q < args->groups && work[args->used + block * args->groups + g0 + q]) {\n",
    "      convk_cells_reach_device_ reach;\n",
    "      convk_cells_reach_of_(CELL(work, args), GROUPS(work, args) + g0 + q, place->from, place->nx, place->ny, &reach);\n",
    "      room.own[q] = reach.count[0] * reach.count[1] * reach.count[2];\n",
    "    }\n",
    "  }\n",
    "  WAIT;\n",
    "  for (q = item; q < QUEUE; q += ITEMS) {\n",
    "    ulong end = 0;\n",
    "    for (k = 0; k <= q; k++) end += room.own[k];\n",
    "    room.end[q] = end;\n",
    "  }\n",
    "  WAIT;\n",
    "}\n",
    "\n",
    "/* Number `number` of them, which is at q. */\n",
    "CONVK_ELEMENT_ void cell_look(const CONVK_ARGUMENTS_(grids) * args, global const uchar *work, const cell_place *place,\n",
    "                              cell_room room, ulong g0, ulong number, int q) {\n",
    "  convk_cells_reach_device_ reach;\n",
    "  double n[3], at[6], cosine = 1, sine = 0;\n",
    "  int group = 0, d;\n",
    "  room.alive[q] = -1;\n",
    "  if (number >= room.end[QUEUE - 1]) return;\n",
    "  while (room.end[group] <= number) group++;\n",
    "  convk_cells_reach_of_(CELL(work, args), GROUPS(work, args) + g0 + group, place->from, place->nx, place->ny, &reach);\n",
    "  if (!convk_cells_number_(CELL(work, args), &reach, number - (room.end[group] - room.own[group]), n)) return;\n",
    "  convk_cells_moved_(CELL(work, args), GROUPS(work, args) + g0 + group, n, at);\n",
    "  for (d = 0; d < 6; d++) room.at[6 * q + d] = at[d];\n",
    "#if KINDS == 2\n",
    "  convk_cells_phase_device_(CELL(work, args), n, &cosine, &sine);\n",
    "#endif\n",
    "  room.phase[2 * q] = (T)cosine;\n",
    "  room.phase[2 * q + 1] = (T)sine;\n",
    "  room.alive[q] = group;\n",
    "}\n",
    "\n",
    "/* Sums of a block of orbitals over all groups and images, in their order. */\n",
    "CONVK_ELEMENT_ void cell_sum(const CONVK_ARGUMENTS_(grids) * args, global const uchar *work, const cell_place *place,\n",
    "                             cell_room room, ulong block, T (*sum)[KINDS * WIDE]) {\n",
    "  const int item = (int)get_local_id(0);\n",
    "  global const T *terms = (global const T *)(work + args->terms) + block * args->ntables * WIDE;\n",
    "  ulong g0, q0;\n",
    "  int i, q, u;\n",
    "  for (u = 0; u < VX; u++)\n",
    "    for (i = 0; i < KINDS * WIDE; i++) sum[u][i] = 0;\n",
    "  for (g0 = 0; g0 < args->groups; g0 += QUEUE) {\n",
    "    ulong all;\n",
    "    cell_count(args, work, place, room, block, g0);\n",
    "    all = room.end[QUEUE - 1];\n",
    "    for (q0 = 0; q0 < all; q0 += QUEUE) {\n",
    "      const int some = (int)min(all - q0, (ulong)QUEUE);\n",
    "      for (q = item; q < QUEUE; q += ITEMS) cell_look(args, work, place, room, g0, q0 + q, q);\n",
    "      WAIT;\n",
    "      for (q = 0; q < some; q++) {\n",
    "        double at[6];\n",
    "        if (room.alive[q] < 0) continue;\n",
    "        for (i = 0; i < 6; i++) at[i] = room.at[6 * q + i];\n",
    "        for (u = 0; u < VX; u++)\n",
    "          convk_cells_image_of_device_(KINDS, WIDE, GROUPS(work, args) + g0 + room.alive[q], terms, args->imag, args->cut,\n",
    "                                       place->hi[u], place->lo[u], at, room.phase[2 * q], room.phase[2 * q + 1], sum[u]);\n",
    "      }\n",
    "      WAIT;\n",
    "    }\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Groups along x: of strips along x, and of blocks of orbitals; along y: of strips along y, and of planes. */\n",
    "CONVK_GROUP_KERNEL_ grids_cell(const CONVK_ARGUMENTS_(grids) args, global const uchar *work, global T *out0, global T *out1,\n",
    "                               global T *out2, global T *out3, global T *out4, ulong line0) {\n",
    "  NEAR double at[QUEUE * 6];\n",
    "  NEAR ulong own[QUEUE], end[QUEUE];\n",
    "  NEAR T phase[QUEUE * 2];\n",
    "  NEAR int alive[QUEUE];\n",
    "  const ulong line = line0 + get_group_id(1), block = get_group_id(0) / args.strips_x;\n",
    "  const int item = (int)get_local_id(0), lx = item % LX, ly = item / LX;\n",
    "  T sum[VX][KINDS * WIDE];\n",
    "  cell_place place;\n",
    "  const cell_room room = {at, own, end, phase, alive};\n",
    "  ulong to;\n",
    "  int u, i;\n",
    "  place.first[0] = (get_group_id(0) - block * args.strips_x) * (LX * VX);\n",
    "  place.first[1] = line % args.strips_y * LY;\n",
    "  place.first[2] = args.first_plane + line / args.strips_y;\n",
    "  place.nx = (int)min(args.n[0] - place.first[0], (ulong)(LX * VX));\n",
    "  place.ny = (int)min(args.n[1] - place.first[1], (ulong)LY);\n",
    "  convk_cells_point_(CELL(work, &args), (double)place.first[0], (double)place.first[1], (double)place.first[2], place.from,\n",
    "                     place.lo[0]);\n",
    "  for (u = 0; u < VX; u++)\n",
    "    convk_cells_point_(CELL(work, &args), (double)(place.first[0] + lx + u * LX), (double)(place.first[1] + ly),\n",
    "                       (double)place.first[2], place.hi[u], place.lo[u]);\n",
    "  to = (place.first[2] - args.first_plane) * args.pitch_z + (place.first[1] + ly) * args.pitch_y + place.first[0] + lx;\n",
    "  out0 += args.out[0];\n",
    "  out1 += args.out[1];\n",
    "  out2 += args.out[2];\n",
    "  out3 += args.out[3];\n",
    "  out4 += args.out[4];\n",
    "#if DENSITY\n",
    "  {\n",
    "    global const T *weights = (global const T *)(work + args.weights);\n",
    "    T total[VX][5];\n",
    "    ulong b;\n",
    "    for (u = 0; u < VX; u++) {\n",
    "      for (i = 0; i < 5; i++) total[u][i] = 0;\n",
    "      if (args.wave & 8 && lx + u * LX < place.nx && ly < place.ny) total[u][0] = out0[to + u * LX];\n",
    "    }\n",
    "    for (b = 0; b * WIDE < args.norbitals; b++) {\n",
    "      cell_sum(&args, work, &place, room, b, sum);\n",
    "      for (u = 0; u < VX; u++)\n",
    "        convk_cells_density_of_(KINDS, WIDE, weights + b * WIDE, args.norbitals - b * WIDE, sum[u], total[u]);\n",
    "    }\n",
    "    for (u = 0; u < VX; u++) {\n",
    "      if (lx + u * LX >= place.nx || ly >= place.ny) continue;\n",
    "      if (args.wanted & 1) out0[to + u * LX] = total[u][0];\n",
    "#if KINDS == 5\n",
    "      if (args.wanted & 2) out1[to + u * LX] = total[u][1];\n",
    "      if (args.wanted & 4) out2[to + u * LX] = total[u][2];\n",
    "      if (args.wanted & 8) out3[to + u * LX] = total[u][3];\n",
    "      if (args.wanted & 16) out4[to + u * LX] = total[u][4];\n",
    "#endif\n",
    "    }\n",
    "  }\n",
    "#else\n",
    "  cell_sum(&args, work, &place, room, block, sum);\n",
    "  for (i = 0; i < WIDE; i++)\n",
    "    for (u = 0; u < VX; u++) {\n",
    "      const ulong k = (block * WIDE + i) * args.ld + to + u * LX;\n",
    "      if (block * WIDE + i >= args.norbitals || lx + u * LX >= place.nx || ly >= place.ny) continue;\n",
    "#if KINDS == 2\n",
    "      out0[2 * k] = sum[u][i];\n",
    "      out0[2 * k + 1] = sum[u][WIDE + i];\n",
    "#else\n",
    "      out0[k] = sum[u][i];\n",
    "#if KINDS == 5\n",
    "      out1[k] = sum[u][WIDE + i];\n",
    "      out2[k] = sum[u][2 * WIDE + i];\n",
    "      out3[k] = sum[u][3 * WIDE + i];\n",
    "      out4[k] = sum[u][4 * WIDE + i];\n",
    "#endif\n",
    "#endif\n",
    "    }\n",
    "#endif\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef GRIDS_SUMS\n",
    "#define WAVE (KINDS == 2) /* Bloch sums: complex numbers */\n",
    "/* A group makes LX VX points along x of LY RY rows of a plane: VX RY sums of an item.  Tables come through local memory, QUEUE\n",
    "   of them at a time: their part along x in `panel`, and the weights that rows give them. */\n",
    "#define WIDTH (LX * VX)\n",
    "#define LINES (LY * RY)\n",
    "\n",
    "/* What a group makes: in which plane and tile, of a lot, from which point and row on, and how many. */\n",
    "typedef struct ongrid_place {\n",
    "  ulong tile[3], at[3], list; /* at: the first point and row, and the plane */\n",
    "  int nx, ny, combinations;   /* combinations: rows of all results of the lot */\n",
    "  global const convk_grids_lot_device_ *lot;\n",
    "  global const T *terms;\n",
    "} ongrid_place;\n",
    "\n",
    "typedef struct ongrid_room {\n",
    "  NEAR convk_grids_near_ *near;\n",
    "  NEAR T *ez, *panel, *weights;\n",
    "} ongrid_room;\n",
    "\n",
    "/* Sums over all tables of the place, of LINES combinations from c0 on.  weight, along: see convk_grids_look_. */\n",
    "CONVK_ELEMENT_ void ongrid_product(const CONVK_ARGUMENTS_(grids) * args, global const uchar *work, const ongrid_place *place,\n",
    "                                   ongrid_room room, global const T *terms, int c0, int weight, int along, T *sum) {\n",
    "  global const T *values = (global const T *)(work + args->values);\n",
    "  global const uint *list = (global const uint *)(work + args->lists) + place->list * args->ntables;\n",
    "  const int item = (int)get_local_id(0), lx = item % LX, ly = item / LX;\n",
    "  const ulong count = args->listed ? ((global const uint *)(work + args->counts))[place->list] : place->lot->count;\n",
    "  ulong q0;\n",
    "  int i, p, q, u;\n",
    "  for (q0 = 0; q0 < count; q0 += QUEUE) {\n",
    "    const int some = (int)min(count - q0, (ulong)QUEUE);\n",
    "    WAIT;\n",
    "    for (q = item; q < some; q += ITEMS) {\n",
    "      const ulong number = args->listed ? list[q0 + q] : place->lot->first + q0 + q;\n",
    "      convk_grids_near_ e;\n",
    "      T ez;\n",
    "      convk_grids_look_((global const convk_grids_table_device_ *)(work + args->tables) + number,\n",
    "                        (global const convk_grids_axis_device_ *)(work + args->axes), values, place->tile, place->at, place->nx,\n",
    "                        place->ny, args->cut, weight, along, &e, &ez);\n",
    "      room.near[q] = e;\n",
    "      room.ez[q] = ez;\n",
    "    }\n",
    "    WAIT;\n",
    "    for (i = item; i < some * WIDTH; i += ITEMS) {\n",
    "      const int x = i % WIDTH;\n",
    "      const NEAR convk_grids_near_ *e = room.near + i / WIDTH;\n",
    "      if (e->alive) room.panel[i] = x >= e->x_begin && x < e->x_end ? values[e->x + x] : 0;\n",
    "    }\n",
    "    for (i = item; i < some * LINES; i += ITEMS) {\n",
    "      const int c = c0 + i % LINES, o = c / place->ny;\n",
    "      const convk_grids_near_ e = room.near[i / LINES];\n",
    "      if (!e.alive) continue;\n",
    "      room.weights[i] = 0;\n",
    "      if (c < place->combinations)\n",
    "#if WAVE\n",
    "        room.weights[i] = convk_bloch_weight_(&e, values, terms + e.terms + (ulong)o * place->lot->apart, args->imag,\n",
    "                                              c - o * place->ny, room.ez[i / LINES], args->cut, weight);\n",
    "#else\n",
    "        room.weights[i] = convk_grids_weight_(&e, values, terms + e.terms + (ulong)o * place->lot->apart, c - o * place->ny,\n",
    "                                              room.ez[i / LINES], args->cut);\n",
    "#endif\n",
    "    }\n",
    "    WAIT;\n",
    "    for (q = 0; q < some; q++) {\n",
    "      const NEAR T *at = room.panel + q * WIDTH + lx, *w = room.weights + q * LINES + ly * RY;\n",
    "      T v[VX];\n",
    "      if (!room.near[q].alive) continue;\n",
    "      UNROLL_X\n",
    "      for (u = 0; u < VX; u++) v[u] = at[u * LX];\n",
    "      CONVK_EACH_(p, RY) {\n",
    "        const T factor = w[p];\n",
    "        UNROLL_X\n",
    "        for (u = 0; u < VX; u++) sum[p * VX + u] = fma(factor, v[u], sum[p * VX + u]);\n",
    "      }\n",
    "    }\n",
    "  }\n",
    "}\n",
    "\n",
    "CONVK_ELEMENT_ void ongrid_clear(T *sum) {\n",
    "  int i;\n",
    "  CONVK_EACH_(i, RY * VX) sum[i] = 0;\n",
    "}\n",
    "\n",
    "#if WAVE\n",
    "/* The real or (part 1) the imaginary part of sums: over real parts of tables along x, then over imaginary ones. */\n",
    "CONVK_ELEMENT_ void onwave_product(const CONVK_ARGUMENTS_(grids) * args, global const uchar *work, const ongrid_place *place,\n",
    "                                   ongrid_room room, global const T *terms, int c0, int part, T *sum) {\n",
    "  int along;\n",
    "  for (along = 0; along < (args->wave & 2 ? 2 : 1); along++)\n",
    "    if (part == along || args->wave & 4) /* of weights the real part, or there are imaginary ones */\n",
    "      ongrid_product(args, work, place, room, terms, c0, part == along ? 4 : along ? 6 : 5, along, sum);\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* Sums of combinations from c0 on go to rows of a result, whose numbers are `each` apart. */\n",
    "CONVK_ELEMENT_ void ongrid_store(const CONVK_ARGUMENTS_(grids) * args, const ongrid_place *place, int c0, const T *sum,\n",
    "                                 global T *out, int each) {\n",
    "  const int item = (int)get_local_id(0), lx = item % LX, ly = item / LX;\n",
    "  int p, u;\n",
    "  out += each * ((place->at[2] - args->first_plane) * args->pitch_z + place->at[0] + lx);\n",
    "  CONVK_EACH_(p, RY) {\n",
    "    const int c = c0 + ly * RY + p, o = c / place->ny;\n",
    "    global T *to = out + each * ((place->lot->row + o) * args->ld + (place->at[1] + (c - o * place->ny)) * args->pitch_y);\n",
    "    UNROLL_X\n",
    "    for (u = 0; u < VX; u++)\n",
    "      if (c < place->combinations && lx + u * LX < place->nx) to[each * u * LX] = sum[p * VX + u];\n",
    "  }\n",
    "}\n",
    "\n",
    "#if DENSITY && WAVE\n",
    "/* What stands in the rows of a density. */\n",
    "CONVK_ELEMENT_ void onwave_load(const CONVK_ARGUMENTS_(grids) * args, const ongrid_place *place, int c0, global const T *from,\n",
    "                                T *sum) {\n",
    "  const int item = (int)get_local_id(0), lx = item % LX, ly = item / LX;\n",
    "  int p, u;\n",
    "  from += (place->at[2] - args->first_plane) * args->pitch_z + place->at[0] + lx;\n",
    "  for (p = 0; p < RY; p++)\n",
    "    for (u = 0; u < VX; u++) {\n",
    "      const int c = c0 + ly * RY + p;\n",
    "      if (c < place->combinations && lx + u * LX < place->nx)\n",
    "        sum[p * VX + u] = from[(place->at[1] + c) * args->pitch_y + u * LX];\n",
    "    }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#if DENSITY\n",
    "/* All orbitals, one after another: their squares, and with DENSITY 2 what derivatives give. */\n",
    "CONVK_ELEMENT_ void ongrid_density(const CONVK_ARGUMENTS_(grids) * args, global const uchar *work, const ongrid_place *place,\n",
    "                                   ongrid_room room, int c0, T (*total)[RY * VX]) {\n",
    "  T value[RY * VX], sum[RY * VX], squares[RY * VX];\n",
    "  ulong o;\n",
    "  int d, i;\n",
    "  for (o = 0; o < args->norbitals; o++) {\n",
    "    const T weight = ((global const T *)(work + args->weights))[o];\n",
    "    global const T *terms = place->terms + o * place->lot->apart;\n",
    "    CONVK_EACH_(d, (DENSITY == 2 ? 4 : WAVE ? 2 : 1)) { /* itself, then its slopes; or its two parts */\n",
    "      ongrid_clear(sum);\n",
    "#if WAVE\n",
    "      onwave_product(args, work, place, room, terms, c0, d, sum);\n",
    "#else\n",
    "      ongrid_product(args, work, place, room, terms, c0, d > 1 ? d - 1 : 0, d == 1, sum);\n",
    "#endif\n",
    "      CONVK_EACH_(i, RY * VX) {\n",
    "        if (d == 0 || WAVE) {\n",
    "          value[i] = sum[i];\n",
    "          squares[i] = 0;\n",
    "          total[0][i] = convk_gaussian_add_square_(weight, sum[i], total[0][i]);\n",
    "        }\n",
    "#if DENSITY == 2\n",
    "        if (d > 0) {\n",
    "          const T twice = (weight + weight) * convk_gaussian_large_(value[i]);\n",
    "          convk_grids_add_slope_(twice, sum[i], d == 1 ? &total[1][i] : d == 2 ? &total[2][i] : &total[3][i], &squares[i]);\n",
    "        }\n",
    "#endif\n",
    "      }\n",
    "    }\n",
    "#if DENSITY == 2\n",
    "    CONVK_EACH_(i, RY * VX) total[4][i] = fma((T)0.5 * weight, squares[i], total[4][i]);\n",
    "#endif\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* Groups along x: of parts of tiles along x, of kinds of results, of lots; along y: of parts along y, of planes. */\n",
    "CONVK_GROUP_KERNEL_ grids_sums(const CONVK_ARGUMENTS_(grids) args, global const uchar *work, global T *out0, global T *out1,\n",
    "                               global T *out2, global T *out3, global T *out4, ulong line0) {\n",
    "  NEAR convk_grids_near_ near[QUEUE];\n",
    "  NEAR T ez[QUEUE], panel[QUEUE * WIDTH], weights[QUEUE * LINES];\n",
    "  const ulong group = get_group_id(0), line = line0 + get_group_id(1), strip = group % args.strips_x;\n",
    "  const ulong part = line % args.strips_y;\n",
    "  const ulong each_x = args.strips_x / args.tiles[0], each_y = args.strips_y / args.tiles[1];\n",
    "  T sum[DENSITY == 2 ? 5 : 1][RY * VX];\n",
    "  ongrid_place place;\n",
    "  const ongrid_room room = {near, ez, panel, weights};\n",
    "  long left;\n",
    "  int c;\n",
    "  place.at[2] = args.first_plane + line / args.strips_y;\n",
    "  place.tile[0] = strip / each_x;\n",
    "  place.tile[1] = part / each_y;\n",
    "  place.tile[2] = place.at[2] / args.tile[2];\n",
    "  place.list = (place.tile[2] * args.tiles[1] + place.tile[1]) * args.tiles[0] + place.tile[0];\n",
    "  place.at[0] = place.tile[0] * args.tile[0] + strip % each_x * WIDTH;\n",
    "  place.at[1] = place.tile[1] * args.tile[1] + part % each_y * args.rows_y;\n",
    "  left = (long)min(args.n[0], (place.tile[0] + 1) * args.tile[0]) - (long)place.at[0];\n",
    "  place.nx = (int)min(left, (long)WIDTH);\n",
    "  left = (long)min(args.n[1], (place.tile[1] + 1) * args.tile[1]) - (long)place.at[1];\n",
    "  place.ny = (int)min(left, (long)args.rows_y);\n",
    "  if (place.nx <= 0 || place.ny <= 0) return; /* all items */\n",
    "#if DENSITY\n",
    "  place.lot = (global const convk_grids_lot_device_ *)(work + args.lots);\n",
    "  place.combinations = place.ny;\n",
    "  place.terms = (global const T *)(work + args.terms);\n",
    "  for (c = 0; c < place.combinations; c += LINES) {\n",
    "    int k;\n",
    "    CONVK_EACH_(k, (DENSITY == 2 ? 5 : 1)) ongrid_clear(sum[k]);\n",
    "#if WAVE\n",
    "    if (args.wave & 8) onwave_load(&args, &place, c, out0 + args.out[0], sum[0]);\n",
    "#endif\n",
    "    ongrid_density(&args, work, &place, room, c, sum);\n",
    "    if (args.wanted & 1) ongrid_store(&args, &place, c, sum[0], out0 + args.out[0], 1);\n",
    "#if DENSITY == 2\n",
    "    if (args.wanted & 2) ongrid_store(&args, &place, c, sum[1], out1 + args.out[1], 1);\n",
    "    if (args.wanted & 4) ongrid_store(&args, &place, c, sum[2], out2 + args.out[2], 1);\n",
    "    if (args.wanted & 8) ongrid_store(&args, &place, c, sum[3], out3 + args.out[3], 1);\n",
    "    if (args.wanted & 16) ongrid_store(&args, &place, c, sum[4], out4 + args.out[4], 1);\n",
    "#endif\n",
    "  }\n",
    "#else\n",
    "  {\n",
    "    const ulong rest = group / args.strips_x;\n",
    "    const uint kind = (uint)(rest % args.kinds);\n",
    "#if !WAVE\n",
    "    global T *out = kind == 0 ? out0 : kind == 1 ? out1 : kind == 2 ? out2 : kind == 3 ? out3 : out4;\n",
    "    out += kind == 0 ? args.out[0] : kind == 1 ? args.out[1] : kind == 2 ? args.out[2] : kind == 3 ? args.out[3] : args.out[4];\n",
    "#endif\n",
    "    place.lot = (global const convk_grids_lot_device_ *)(work + args.lots) + rest / args.kinds;\n",
    "    place.combinations = place.ny * (int)place.lot->rows;\n",
    "    place.terms = (global const T *)(work + args.terms) + place.lot->terms;\n",
    "    for (c = 0; c < place.combinations; c += LINES) {\n",
    "#if WAVE\n",
    "      ongrid_clear(sum[0]);\n",
    "      onwave_product(&args, work, &place, room, place.terms, c, (int)kind, sum[0]);\n",
    "      ongrid_store(&args, &place, c, sum[0], out0 + args.out[0] + kind, 2);\n",
    "#else\n",
    "      int turn;\n",
    "      ongrid_clear(sum[0]);\n",
    "      for (turn = 0; turn < (kind == 4 ? 2 : 1); turn++) /* of a Laplacian that of x, then those of y and z */\n",
    "        ongrid_product(&args, work, &place, room, place.terms, c,\n",
    "                       kind == 4  ? 3 * turn\n",
    "                       : kind > 1 ? (int)kind - 1\n",
    "                                  : 0,\n",
    "                       kind == 4 ? 2 - 2 * turn : kind == 1, sum[0]);\n",
    "      ongrid_store(&args, &place, c, sum[0], out, 1);\n",
    "#endif\n",
    "    }\n",
    "  }\n",
    "#endif\n",
    "}\n",
    "#endif\n",
      NULL};
  return lines;
}

/* Rows of results for which a group of items looks for its tables once: at most 16, and so many that there are 2048 groups for
   `groups` places, if there are so many rows: some for each multiprocessor. */
CONVK_LOCAL_ size_t convk_cl_grids_lot_(size_t rows, size_t groups) {
  const size_t busy = 2048, limit = 16;
  size_t lot = (rows > busy ? busy : rows) * convk_least_(groups, busy) / busy + 1;
  if (lot > limit) lot = limit;
  return convk_least_(lot, rows);
}

/* Kernels sum along z themselves. */
CONVK_LOCAL_ size_t convk_cl_grids_room_of_(size_t plane_bytes, size_t planes) {
  (void)plane_bytes;
  (void)planes;
  return 0;
}

/* Kernels of grids, in their order; items of a group along x and in all, points and rows of an item, tables at a time. */
enum {
  CONVK_CL_GRIDS_TABLES_,
  CONVK_CL_GRIDS_MAXIMA_,
  CONVK_CL_GRIDS_LISTS_,
  CONVK_CL_GRIDS_SUMS_,
  CONVK_CL_GRIDS_CELL_ /* of a general cell, whose rows are orbitals */
};
typedef struct convk_cl_grids_shape_ {
  size_t across, items, points, rows, queue;
} convk_cl_grids_shape_;

/* How a group of the sums makes a tile of so many points along x.  Processors have one item, whose loop along x becomes
   vectors; others 16 along x, so that two lines of them share what they read; few shapes, for each is a program. */
CONVK_LOCAL_ convk_cl_grids_shape_ convk_cl_grids_shape_of_(const convk_cl *cl, size_t width, int density) {
  convk_cl_grids_shape_ shape;
  const size_t limit = density > 1 ? 3 : 6;
  size_t points;
  convk_cl_block_(cl, 1, &shape.items, &points);
  shape.across = shape.items < 16 ? shape.items : 16;
  points = (width + shape.across - 1) / shape.across;
  shape.points = cl->cpu ? density > 1 || points <= 8 ? 8 : 32 : points > limit ? limit : points < 2 ? 2 : points;
  shape.rows = density > 1 ? 2 : density ? 4 : cl->cpu ? 4 : 6;
  shape.queue = 16;
  return shape;
}

/* One of the kernels of grids.  kinds: of tables, 1 or 3, or 2 of Bloch sums; density: 2 with what derivatives give. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_grids_program_(convk_cl *cl, size_t element, int which, size_t kinds, int density,
                                                    convk_cl_grids_shape_ *shape) {
  static const char *const name[5] = {"grids_tables", "grids_maxima", "grids_lists", "grids_sums", "grids_cell"};
  static const char *const define[5] = {"GRIDS_TABLES", "GRIDS_MAXIMA", "GRIDS_LISTS", "GRIDS_SUMS", "GRIDS_CELL"};
  const int sums = which == CONVK_CL_GRIDS_SUMS_, cell = which == CONVK_CL_GRIDS_CELL_;
  convk_cl_program_ *p;
  const uint32_t values[9] = {(uint32_t)element,       (uint32_t)which,         (uint32_t)kinds,
                              (uint32_t)density,       (uint32_t)shape->across, (uint32_t)shape->items,
                              (uint32_t)shape->points, (uint32_t)shape->rows,   (uint32_t)shape->queue};
  const uint64_t number = convk_cl_number_(CONVK_CL_GAUSSIAN_ + CONVK_CL_GRIDS_, values, 9);
  size_t group[2];
  char options[CONVK_CL_KEY_];
  int status;
  p = convk_cl_known_(cl, number);
  if (p) {
    shape->items = p->choice[0];
    shape->across = p->choice[1];
    return convk_cl_args_of_(CONVK_OK, p);
  }
  do {
    if (shape->across > shape->items) shape->across = shape->items;
    if (cell && shape->items > 1 && shape->queue * (68 + 2 * element) > cl->local_bytes)
      return convk_cl_args_of_(convk_cl_little_(cl), p);
    if (sums && shape->items > 1) { /* less local memory, or fewer items, for less of it */
      const size_t lines = shape->items / shape->across * shape->rows, width = shape->across * shape->points;
      if (shape->queue * ((lines + width + 1) * element + 128) > cl->local_bytes)
        return convk_cl_args_of_(convk_cl_little_(cl), p);
    }
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -D%s -DCOMPENSATED=1 -DKINDS=%d -DDENSITY=%d -DITEMS=%d -DLX=%d -DLY=%d -DVX=%d "
                   "-D%s=%d -DQUEUE=%d -DMAX_L=%d",
                   convk_cl_type_(element), element == sizeof(cl_double), define[which], (int)kinds, density, (int)shape->items,
                   (int)shape->across, (int)(shape->items / shape->across), (int)shape->points, cell ? "WIDE" : "RY",
                   (int)shape->rows, (int)shape->queue, CONVK_SHELL_MAX_L);
    status = convk_cl_kernel_(cl, convk_cl_grids_source_(), name[which], options, NULL, &p);
  } while (!status && which >= CONVK_CL_GRIDS_LISTS_ && convk_cl_fewer_(p, &shape->items));
  group[0] = shape->items;
  group[1] = shape->across;
  if (!status) convk_cl_remember_(cl, number, p, group, 2);
  return convk_cl_args_of_(status, p);
}
#endif
#if CONVK_HAS_FORMFACTOR_
/* ---- src/formfactor/opencl.h ---- */
/* ---- src/formfactor/opencl_arguments.h ---- */
#ifndef CONVK_FORMFACTOR_INCLUDED_
#define CONVK_FORMFACTOR_INCLUDED_
/* What all kernels of OpenCL take besides a body, units of length and arrays; those of CUDA have structs of their own. */
typedef struct convk_formfactor_arguments_ {
  uint64_t field[12], q[6], work, f;           /* where arrays begin: in their numbers, and in sums */
  uint64_t n, nq, at, blocks;                  /* triangles, vectors of q; the first triangle and the blocks of a launch */
  uint64_t n0, n1, n2, stride[3];              /* of a grid's axes, the first that of the lanes: values, strides of f */
  uint64_t table, partial, to, width, tiles_x; /* see the kernels for grids */
  int32_t axis[3], z;                          /* which of x, y, z the axes are; the one of qz, 3: that is real */
  int32_t first, last;                         /* whether sums begin here, and whether F is made */
} convk_formfactor_arguments_;
#endif

/* OpenCL C 1.2.  Build options: FORM_LIST and so on choose the kernel; IMAG: the sum of 1, 2, 4 for complex qz, qx, qy;
   ORDER: of the series about centroids, or CONVK_FORMFACTOR_FITTED_;
   FP64: sums in doubles; BLOCK: triangles whose sum is one of the type; ITEMS and POINTS, the shape of a group. */
CONVK_LOCAL_ const char *const *convk_cl_formfactor_source_(void) {
  static const char *const lines[] = {
    "#line 1 \"formfactor/kernel.cl\"\n",
    "#include \"device/preamble.cl\"\n",
    "#line 2 \"formfactor/kernel.cl\"\n",
    "#include \"words/opencl.cl\"\n",
    "#line 3 \"formfactor/kernel.cl\"\n",
    "\n",
    "#line 1 \"formfactor/element.h\"\n",
    "#line 1 \"formfactor/coefficients.h\"\n",
    "/* sin(pi f) / f, (cos(pi f) - 1) / f^2 in powers of f^2, |f| <= 1/2, and -(2^r - 1) / r in those of r, |r| <= 1/2.  Errors, of\n",
    "   sine and exponential relative: 2^-27.5, 2^-24.2, 2^-26.5; 2^-61.8, 2^-57.7, 2^-55.7.  tests/bench/fit_formfactor.py makes all\n",
    "   tables again. */\n",
    "#define CONVK_FORMFACTOR_SIN_f32_ {3.1415927f, -5.16771f, 2.5500698f, -0.5982421f, 0.077560395f}\n",
    "#define CONVK_FORMFACTOR_COS_f32_ {-4.9347954f, 4.058451f, -1.3320938f, 0.22008067f}\n",
    "#define CONVK_FORMFACTOR_EXP_f32_ {-0.6931472f, -0.24022649f, -0.055503573f, -0.009618238f, -0.0013390736f, -0.00015403503f}\n",
    "#define CONVK_FORMFACTOR_SIN_f64_ \\\n",
    "  {3.141592653589793, -5.167712780049969, 2.550164039877294, -0.5992645293187382, 0.08214588656989275, \\\n",
    "   -0.007370430478762554, 0.00046629968877124413, -2.190318541451047e-05, 7.694727275265466e-07}\n",
    "#define CONVK_FORMFACTOR_COS_f64_ \\\n",
    "  {-4.934802200544677, 4.058712126416545, -1.3352627688446645, 0.23533063014598904, -0.025806888862700127, \\\n",
    "   0.0019295568180056001, -0.00010456780766268096, 4.150750505274905e-06}\n",
    "#define CONVK_FORMFACTOR_EXP_f64_ \\\n",
    "  {-0.6931471805599453, -0.24022650695910097, -0.055504108664821236, -0.009618129107607065, -0.0013333558146531622, \\\n",
    "   -0.00015403530441481707, -1.5252733701221825e-05, -1.32154427235878e-06, -1.0178121296621213e-07, -7.072561829860248e-09, \\\n",
    "   -4.445537578968513e-10}\n",
    "\n",
    "/* By the power of s, what powers of p are multiplied with in form_series: Taylor's coefficients times powers of 2 pi; and those\n",
    "   of tan(pi w) / w in powers of w^2, which leave 2^-26 and 2^-53 for complex w, |w|^2 < 1 / 160. */\n",
    "#define CONVK_FORMFACTOR_EVEN0_f32_ \\\n",
    "  {1.644934f, -2.1646464f, 1.5260146f, -0.6693849f, 0.20019892f, -0.043426026f, 0.0071432944f, -0.00092158816f}\n",
    "#define CONVK_FORMFACTOR_EVEN0_f64_ \\\n",
    "  {1.6449340668482264, -2.1646464674222763, 1.5260145929766737, -0.6693849041319629, 0.2001989150255636, \\\n",
    "   -0.043426024018233346, 0.007143294629536134, -0.000921588132208468}\n",
    "#define CONVK_FORMFACTOR_EVEN1_f32_ {1.5260146f, -2.0081546f, 1.2011935f, -0.43426025f, 0.10714942f, -0.01935335f}\n",
    "#define CONVK_FORMFACTOR_EVEN1_f64_ \\\n",
    "  {1.5260145929766737, -2.0081547123958887, 1.2011934901533816, -0.43426024018233345, 0.107149419443042, \\\n",
    "   -0.01935335077637783}\n",
    "#define CONVK_FORMFACTOR_EVEN2_f32_ {-0.043426026f, 0.035716474f, -0.013823822f}\n",
    "#define CONVK_FORMFACTOR_EVEN2_f64_ {-0.043426024018233346, 0.035716473147680665, -0.01382382198312702}\n",
    "#define CONVK_FORMFACTOR_ODD0_f32_ \\\n",
    "  {-2.067085f, 3.8859642f, -3.1960776f, 1.529407f, -0.48380265f, 0.1091415f, -0.018481089f, 0.0024381091f}\n",
    "#define CONVK_FORMFACTOR_ODD0_f64_ \\\n",
    "  {-2.067085112019988, 3.885964251241669, -3.1960774897108912, 1.529407052541733, -0.48380264669304457, 0.10914150242423663, \\\n",
    "   -0.01848108864871141, 0.0024381090575003473}\n",
    "#define CONVK_FORMFACTOR_ODD1_f32_ {0.38235176f, -0.3870421f, 0.1819025f, -0.05280311f, 0.010666727f}\n",
    "#define CONVK_FORMFACTOR_ODD1_f64_ \\\n",
    "  {0.38235176313543323, -0.38704211735443567, 0.18190250404039437, -0.05280311042488974, 0.010666727126564019}\n",
    "#define CONVK_FORMFACTOR_ODD2_f32_ {-0.0026401556f, 0.0018285818f}\n",
    "#define CONVK_FORMFACTOR_ODD2_f64_ {-0.002640155521244487, 0.0018285817931252605}\n",
    "#define CONVK_FORMFACTOR_TAN_f32_ {3.1415927f, 10.335425f, 40.802624f, 162.99995f, 651.9097f}\n",
    "#define CONVK_FORMFACTOR_TAN_f64_ \\\n",
    "  {3.141592653589793, 10.335425560099939, 40.80262463803752, 162.99995197525544, 651.9097561459135, 2607.5995051461714, \\\n",
    "   10430.380532928233, 41721.51437137118, 166886.05403833315, 667544.2146215658, 2670176.857805526}\n",
    "/* - i^k / (k + 2)! (2 pi)^k from k = 2 on, without the i of odd k. */\n",
    "#define CONVK_FORMFACTOR_SERIES_f32_ \\\n",
    "  {1.644934f, 2.067085f, -2.1646464f, -1.9429821f, 1.5260146f, 1.0653591f, -0.6693849f, -0.38235176f, 0.20019892f, \\\n",
    "   0.09676053f, -0.043426026f, -0.01819025f, 0.0071432944f, 0.0026401556f, -0.00092158816f, -0.00030476364f}\n",
    "#define CONVK_FORMFACTOR_SERIES_f64_ \\\n",
    "  {1.6449340668482264, 2.067085112019988, -2.1646464674222763, -1.9429821256208346, 1.5260145929766737, 1.0653591632369637, \\\n",
    "   -0.6693849041319629, -0.38235176313543323, 0.2001989150255636, 0.09676052933860892, -0.043426024018233346, \\\n",
    "   -0.01819025040403944, 0.007143294629536134, 0.002640155521244487, -0.000921588132208468, -0.0003047636321875434}\n",
    "#line 2 \"formfactor/element.h\"\n",
    "\n",
    "/* ---- elements: terms of form factors ---- */\n",
    "\n",
    "/* Which formula gives the mean of a triangle, see form_mean; all are squares of turns.\n",
    "   CLOSE: summed over the edges; up to here the series (order 8, 16) leaves at most 6.5e-9 or 5.8e-17 of the mean.\n",
    "   SLENDER: |w_0 w_1 w_2|^2 over the sum of |w|^2; above it the corners' sum has no more than sqrt(3 / SLENDER) / pi^2 = 4 or\n",
    "   16 times the roundings of its terms.\n",
    "   TAN_BELOW: of the shortest edge; how far the coefficients FORM_TAN reach. */\n",
    "#define CONVK_FORMFACTOR_CLOSE_ CONVK_OF_(0.146f, 0.2)\n",
    "#define CONVK_FORMFACTOR_SLENDER_ CONVK_EITHER_(1.0f / 512, 1.0f / 8192)\n",
    "#define CONVK_FORMFACTOR_TAN_BELOW_ (1.0f / 160)\n",
    "\n",
    "/* A product that compilers must not fuse with the sums it goes into. */\n",
    "#if CONVK_FUSES_\n",
    "#define CONVK_APART_(v) CONVK_KEEP_(v);\n",
    "#else\n",
    "#define CONVK_APART_(v)\n",
    "#endif\n",
    "\n",
    "/* The sums of c[k] x^k, k < count, of so many x together: while one waits the others work. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_horner_(const CONVK_V *x, const CONVK_T *c, const int count, CONVK_V *sum,\n",
    "                                             const int vectors) {\n",
    "  int k, v;\n",
    "  CONVK_EACH_(v, vectors) sum[v] = CONVK_SET_(c[count - 1]);\n",
    "  CONVK_UNROLL_\n",
    "  for (k = count - 2; k >= 0; k--) {\n",
    "    CONVK_EACH_(v, vectors) sum[v] = CONVK_FMA_(x[v], sum[v], CONVK_SET_(c[k]));\n",
    "  }\n",
    "}\n",
    "\n",
    "CONVK_ELEMENT_ CONVK_V convk_formfactor_dot_(const CONVK_V *q, const CONVK_V *v) {\n",
    "  return CONVK_FMA_(q[2], v[2], CONVK_FMA_(q[1], v[1], CONVK_MUL_(q[0], v[0])));\n",
    "}\n",
    "\n",
    "/* u less the nearest integer: u = 3.7 is 4 - 0.3, and gives -0.3.  A number whose last place is 1 rounds to it. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_formfactor_turn_left_(CONVK_V u) {\n",
    "#ifdef CONVK_LEFT_\n",
    "  return CONVK_LEFT_(u);\n",
    "#else\n",
    "  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));\n",
    "  return CONVK_SUB_(u, CONVK_SUB_(CONVK_ADD_(u, shift), shift));\n",
    "#endif\n",
    "}\n",
    "\n",
    "/* The same for u = a b, where fused without its rounding. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_formfactor_product_left_(CONVK_V a, CONVK_V b) {\n",
    "  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));\n",
    "  return CONVK_FMA_(a, b, CONVK_SUB_(shift, CONVK_FMA_(a, b, shift)));\n",
    "}\n",
    "\n",
    "/* Sines and cosines of pi f, |f| <= 1/2, of at most 2: those of pi u but for a common sign, where f is what is left of u. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_half_turns_(const CONVK_V *f, CONVK_V *s, CONVK_V *c, const int vectors) {\n",
    "  CONVK_CONSTANT_ CONVK_T sine[] = CONVK_TABLE_(CONVK_FORMFACTOR_SIN);\n",
    "  CONVK_CONSTANT_ CONVK_T cosine[] = CONVK_TABLE_(CONVK_FORMFACTOR_COS);\n",
    "  CONVK_V z[2];\n",
    "  int v;\n",
    "  CONVK_EACH_(v, vectors) z[v] = CONVK_MUL_(f[v], f[v]);\n",
    "  convk_formfactor_horner_(z, sine, CONVK_COUNT_(sine), s, vectors);\n",
    "  CONVK_EACH_(v, vectors) s[v] = CONVK_MUL_(f[v], s[v]);\n",
    "  convk_formfactor_horner_(z, cosine, CONVK_COUNT_(cosine), c, vectors);\n",
    "  CONVK_EACH_(v, vectors) c[v] = CONVK_FMA_(z[v], c[v], CONVK_SET_(1));\n",
    "}\n",
    "CONVK_ELEMENT_ void convk_formfactor_half_turn_(CONVK_V f, CONVK_V *s, CONVK_V *c) {\n",
    "  convk_formfactor_half_turns_(&f, s, c, 1);\n",
    "}\n",
    "\n",
    "/* (1 - 2^e) / 2 of at most 2, for e <= 126 or 1022; the power is 2^-125 or 2^-1021 at least. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_half_losses_(CONVK_V *e, const int vectors) {\n",
    "  CONVK_CONSTANT_ CONVK_T power[] = CONVK_TABLE_(CONVK_FORMFACTOR_EXP);\n",
    "  const CONVK_V bias = CONVK_SET_(CONVK_OF_(12582912 + 126, 6755399441055744. + 1022));\n",
    "  CONVK_V t[2], r[2], scale[2], p[2];\n",
    "  int v;\n",
    "  CONVK_EACH_(v, vectors) {\n",
    "    e[v] = CONVK_MAX_(CONVK_SET_(CONVK_OF_(-125, -1021)), e[v]);\n",
    "    t[v] = CONVK_ADD_(e[v], bias);\n",
    "    r[v] = CONVK_SUB_(e[v], CONVK_SUB_(t[v], bias));\n",
    "    scale[v] = CONVK_SHL_(t[v], CONVK_FRACTION_); /* 2^(n - 1) */\n",
    "  }\n",
    "  convk_formfactor_horner_(r, power, CONVK_COUNT_(power), p, vectors);\n",
    "  CONVK_EACH_(v, vectors) {\n",
    "    p[v] = CONVK_MUL_(r[v], p[v]);\n",
    "    e[v] = CONVK_FMA_(scale[v], p[v], CONVK_SUB_(CONVK_SET_((CONVK_T)0.5f), scale[v]));\n",
    "  }\n",
    "}\n",
    "CONVK_ELEMENT_ CONVK_V convk_formfactor_half_loss_(CONVK_V e) {\n",
    "  convk_formfactor_half_losses_(&e, 1);\n",
    "  return e;\n",
    "}\n",
    "\n",
    "/* (exp(i q.r) - 1) / 2 = -a + i b from the half turn's sine and cosine.  With h = q.r / 2 = pi u it is -sin^2 h + i sin h cos\n",
    "   h: both have the period pi, so that u goes to the nearest integer and no quadrant matters.  Complex q.r (imag) has a factor\n",
    "   e = exp(-Im q.r): -(e sin^2 h + loss) + i e sin h cos h, where loss = (1 - e) / 2. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_damp_(const int imag, CONVK_V loss, CONVK_V s, CONVK_V c, CONVK_V *a, CONVK_V *b) {\n",
    "  if (imag) {\n",
    "    const CONVK_V es = CONVK_MUL_(CONVK_FNMA_(CONVK_SET_(2), loss, CONVK_SET_(1)), s); /* the product with 2 is exact */\n",
    "    *a = CONVK_FMA_(es, s, loss);\n",
    "    *b = CONVK_MUL_(es, c);\n",
    "  } else {\n",
    "    *a = CONVK_MUL_(s, s);\n",
    "    *b = CONVK_MUL_(s, c);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* The exponent of exp(-Im q.r) = 2^e, from the imaginary part of q.r in turns. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_formfactor_exponent_(CONVK_V it) {\n",
    "  return CONVK_MUL_(it, CONVK_SET_(CONVK_OF_(-9.064720f, -9.064720283654388))); /* - 2 pi log2 e */\n",
    "}\n",
    "\n",
    "/* Products of complex numbers, real and imaginary part; where imag is 0 the imaginary parts are not there. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_times_(const CONVK_V *x, const CONVK_V *y, const int imag, CONVK_V *xy) {\n",
    "  const CONVK_V re = imag ? CONVK_FNMA_(x[1], y[1], CONVK_MUL_(x[0], y[0])) : CONVK_MUL_(x[0], y[0]);\n",
    "  if (imag) xy[1] = CONVK_FMA_(x[0], y[1], CONVK_MUL_(x[1], y[0]));\n",
    "  xy[0] = re;\n",
    "}\n",
    "\n",
    "/* sum = sum x + y, of them. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_times_add_(const CONVK_V *x, const CONVK_V *y, const int imag, CONVK_V *sum) {\n",
    "  const CONVK_V re = CONVK_FMA_(sum[0], x[0], y[0]);\n",
    "  if (imag) {\n",
    "    const CONVK_V im = CONVK_FMA_(sum[0], x[1], CONVK_FMA_(sum[1], x[0], y[1]));\n",
    "    sum[0] = CONVK_FNMA_(sum[1], x[1], re);\n",
    "    sum[1] = im;\n",
    "  } else {\n",
    "    sum[0] = re;\n",
    "  }\n",
    "}\n",
    "\n",
    "/* The sum of c[k] x^k, k < count, and more x^count. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_formfactor_powers_(CONVK_V x, const CONVK_T *c, const int count, CONVK_V more) {\n",
    "  int k;\n",
    "  CONVK_UNROLL_\n",
    "  for (k = count - 1; k >= 0; k--) more = CONVK_FMA_(x, more, CONVK_SET_(c[k]));\n",
    "  return more;\n",
    "}\n",
    "\n",
    "/* The mean of exp(i q.r) over a triangle is exp(i q.centroid) (1 - 2 (d0 + i d1)): d0 and d1 for real q as series up to an\n",
    "   order 4, 8, 12 or 16 and the odd one behind it.  max_order: 4, 8, or 16, and then `order` is 12 or 16.\n",
    "   p = - e2, s = - e3: symmetric functions of the turns of the corners less that of the centroid (their sum is 0).  The term of\n",
    "   degree k is - i^k h_k / (k + 2)!, h_k = sum over 2 i + 3 j = k of binomial(i + j, i) p^i (-s)^j. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_series_(const int max_order, int order, CONVK_V p, CONVK_V s, CONVK_V *d0, CONVK_V *d1) {\n",
    "  CONVK_CONSTANT_ CONVK_T even0[] = CONVK_TABLE_(CONVK_FORMFACTOR_EVEN0);\n",
    "  CONVK_CONSTANT_ CONVK_T even1[] = CONVK_TABLE_(CONVK_FORMFACTOR_EVEN1);\n",
    "  CONVK_CONSTANT_ CONVK_T even2[] = CONVK_TABLE_(CONVK_FORMFACTOR_EVEN2);\n",
    "  CONVK_CONSTANT_ CONVK_T odd0[] = CONVK_TABLE_(CONVK_FORMFACTOR_ODD0);\n",
    "  CONVK_CONSTANT_ CONVK_T odd1[] = CONVK_TABLE_(CONVK_FORMFACTOR_ODD1);\n",
    "  CONVK_CONSTANT_ CONVK_T odd2[] = CONVK_TABLE_(CONVK_FORMFACTOR_ODD2);\n",
    "  const CONVK_V zero = CONVK_SET_(0), square = CONVK_MUL_(s, s);\n",
    "  if (max_order > 8) {\n",
    "    CONVK_V e0 = zero, e1 = zero, e2 = zero, o0 = zero, o1 = zero, o2 = zero;\n",
    "    if (order > 12) {\n",
    "      e0 = convk_formfactor_powers_(p, even0 + 6, 1, CONVK_SET_(even0[7]));\n",
    "      e1 = convk_formfactor_powers_(p, even1 + 4, 1, CONVK_SET_(even1[5]));\n",
    "      e2 = convk_formfactor_powers_(p, even2 + 1, 1, CONVK_SET_(even2[2]));\n",
    "      o0 = convk_formfactor_powers_(p, odd0 + 6, 1, CONVK_SET_(odd0[7]));\n",
    "      o1 = convk_formfactor_powers_(p, odd1 + 3, 1, CONVK_SET_(odd1[4]));\n",
    "      o2 = convk_formfactor_powers_(p, odd2, 1, CONVK_SET_(odd2[1]));\n",
    "    }\n",
    "    e1 = CONVK_FMA_(convk_formfactor_powers_(p, even2, 1, e2), square, convk_formfactor_powers_(p, even1, 4, e1));\n",
    "    o1 = CONVK_FMA_(o2, square, convk_formfactor_powers_(p, odd1, 3, o1));\n",
    "    e0 = convk_formfactor_powers_(p, even0, 6, e0);\n",
    "    *d0 = CONVK_FMA_(e0, p, CONVK_MUL_(square, e1));\n",
    "    *d1 = CONVK_MUL_(s, CONVK_FMA_(o1, square, convk_formfactor_powers_(p, odd0, 6, o0)));\n",
    "  } else if (max_order > 4) {\n",
    "    const CONVK_V e1 = convk_formfactor_powers_(p, even1, 1, CONVK_SET_(even1[1]));\n",
    "    const CONVK_V e0 = convk_formfactor_powers_(p, even0, 3, CONVK_SET_(even0[3]));\n",
    "    const CONVK_V o0 = convk_formfactor_powers_(p, odd0, 3, CONVK_SET_(odd0[3]));\n",
    "    *d0 = CONVK_FMA_(e0, p, CONVK_MUL_(square, e1));\n",
    "    *d1 = CONVK_MUL_(s, CONVK_FMA_(CONVK_SET_(odd1[0]), square, o0));\n",
    "  } else {\n",
    "    *d0 = CONVK_MUL_(convk_formfactor_powers_(p, even0, 1, CONVK_SET_(even0[1])), p);\n",
    "    *d1 = CONVK_MUL_(s, convk_formfactor_powers_(p, odd0, 1, CONVK_SET_(odd0[1])));\n",
    "  }\n",
    "}\n",
    "\n",
    "/* The same for complex q, where d0 and d1 are complex themselves: by h_k = p h_{k-2} - s h_{k-3}, a loop for any order.  Order\n",
    "   2 has its first term only. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_series_complex_(int order, const CONVK_V *p, const CONVK_V *s, CONVK_V *d0, CONVK_V *d1) {\n",
    "  CONVK_CONSTANT_ CONVK_T term[] = CONVK_TABLE_(CONVK_FORMFACTOR_SERIES);\n",
    "  CONVK_V even[2], odd[2], before[2], minus[2];\n",
    "  int d, k;\n",
    "  CONVK_EACH_(d, 2) {\n",
    "    minus[d] = CONVK_SUB_(CONVK_SET_(0), s[d]);\n",
    "    d0[d] = d1[d] = before[d] = CONVK_SET_(0);\n",
    "    even[d] = p[d];\n",
    "    odd[d] = minus[d];\n",
    "  }\n",
    "  for (k = 0; k < order; k += 2) {\n",
    "    CONVK_V a[2], b[2];\n",
    "    convk_formfactor_times_(minus, before, 1, a);\n",
    "    convk_formfactor_times_(minus, even, 1, b);\n",
    "    CONVK_EACH_(d, 2) {\n",
    "      d0[d] = CONVK_FMA_(even[d], CONVK_SET_(term[k]), d0[d]);\n",
    "      if (order > 2) d1[d] = CONVK_FMA_(odd[d], CONVK_SET_(term[k + 1]), d1[d]);\n",
    "      before[d] = odd[d];\n",
    "    }\n",
    "    convk_formfactor_times_add_(p, a, 1, even);\n",
    "    convk_formfactor_times_add_(p, b, 1, odd);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Multiplies exp(i q.r) = 1 - 2 a + 2 i b at the centroid by 1 - 2 (d0 + i d1), the series of `order`; order 2 has its first\n",
    "   term only.  max_order: of real q 2, 4, 8, or 16 for orders 12 and 16.  du, dw: turns at two corners less those at the\n",
    "   centroid. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_bend_(const int max_order, int order, const CONVK_V *du, const CONVK_V *dw, const int imag,\n",
    "                                           CONVK_V *a, CONVK_V *b) {\n",
    "  const CONVK_V a0 = *a, b0 = *b, third = CONVK_ADD_(du[0], dw[0]);\n",
    "  CONVK_V d[2], p = CONVK_FMA_(du[0], third, CONVK_MUL_(dw[0], dw[0]));\n",
    "  if (imag) {\n",
    "    CONVK_V all[2], square[2], s[2], d0[2], d1[2];\n",
    "    all[0] = third;\n",
    "    all[1] = CONVK_ADD_(du[1], dw[1]);\n",
    "    square[0] = CONVK_SUB_(p, CONVK_FMA_(du[1], all[1], CONVK_MUL_(dw[1], dw[1])));\n",
    "    square[1] = CONVK_FMA_(du[0], CONVK_ADD_(all[1], du[1]), CONVK_MUL_(dw[0], CONVK_ADD_(all[1], dw[1])));\n",
    "    convk_formfactor_times_(du, dw, 1, s);\n",
    "    convk_formfactor_times_(s, all, 1, s);\n",
    "    convk_formfactor_series_complex_(order, square, s, d0, d1);\n",
    "    d[0] = CONVK_SUB_(d0[0], d1[1]);\n",
    "    d[1] = CONVK_ADD_(d0[1], d1[0]);\n",
    "  } else if (max_order > 2) {\n",
    "    const CONVK_V s = CONVK_MUL_(CONVK_MUL_(du[0], dw[0]), third);\n",
    "    convk_formfactor_series_(max_order, order, p, s, &d[0], &d[1]);\n",
    "  } else {\n",
    "    p = CONVK_MUL_(p, CONVK_SET_((CONVK_T)(CONVK_EITHER_(1.64493402f, 39.47841760435743 / 24)))); /* (2 pi)^2 / 24 */\n",
    "    CONVK_APART_(p)\n",
    "    d[0] = CONVK_ADD_(p, p);\n",
    "    *a = CONVK_ADD_(CONVK_FNMA_(d[0], a0, a0), p);\n",
    "    *b = CONVK_FNMA_(d[0], b0, b0);\n",
    "    return;\n",
    "  }\n",
    "  { /* 1 - 2 a and 2 b are the exponential itself */\n",
    "    const CONVK_V real = CONVK_FNMA_(CONVK_SET_(2), a0, CONVK_SET_(1)), other = CONVK_MUL_(CONVK_SET_(2), b0);\n",
    "    *a = CONVK_FNMA_(d[1], other, CONVK_FMA_(d[0], real, a0));\n",
    "    *b = CONVK_FNMA_(d[1], real, CONVK_FNMA_(d[0], other, b0));\n",
    "  }\n",
    "}\n",
    "\n",
    "/* pi e_12, the mean over the edge v between corners 1 and 2 of a, b, as the fraction e / under: (y_1 - y_2) / i over v, or\n",
    "   where that cancels, the ends' mean 1 - a_1 - a_2 + i (b_1 + b_2) times tan(pi v) / v over 1. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_edge_(const CONVK_V *v, CONVK_V square, const CONVK_V *a, const CONVK_V *b, const int imag,\n",
    "                                           CONVK_V *e, CONVK_V *under) {\n",
    "  CONVK_CONSTANT_ CONVK_T tangent[] = CONVK_TABLE_(CONVK_FORMFACTOR_TAN);\n",
    "  const CONVK_V zero = CONVK_SET_(0), one = CONVK_SET_(1), cancels = CONVK_SET_((CONVK_T)CONVK_FORMFACTOR_TAN_BELOW_);\n",
    "  CONVK_V tan[2], x[2];\n",
    "  int k;\n",
    "  if (imag) {\n",
    "    convk_formfactor_times_(v, v, 1, x);\n",
    "    tan[0] = CONVK_SET_(tangent[CONVK_COUNT_(tangent) - 1]);\n",
    "    tan[1] = zero;\n",
    "    for (k = CONVK_COUNT_(tangent) - 2; k >= 0; k--) {\n",
    "      e[0] = CONVK_SET_(tangent[k]);\n",
    "      e[1] = zero;\n",
    "      convk_formfactor_times_add_(x, e, 1, tan);\n",
    "    }\n",
    "  } else {\n",
    "    tan[0] = convk_formfactor_powers_(square, tangent, CONVK_COUNT_(tangent), zero);\n",
    "  }\n",
    "  e[0] = CONVK_SUB_(CONVK_SUB_(one, a[1]), a[2]);\n",
    "  e[1] = CONVK_ADD_(b[1], b[2]);\n",
    "  if (imag) {\n",
    "    convk_formfactor_times_(tan, e, 1, e);\n",
    "  } else {\n",
    "    e[0] = CONVK_MUL_(tan[0], e[0]);\n",
    "    e[1] = CONVK_MUL_(tan[0], e[1]);\n",
    "  }\n",
    "  e[0] = CONVK_LESS_(square, cancels, e[0], CONVK_SUB_(b[1], b[2]));\n",
    "  e[1] = CONVK_LESS_(square, cancels, e[1], CONVK_SUB_(a[1], a[2]));\n",
    "  under[0] = CONVK_LESS_(square, cancels, one, v[0]);\n",
    "  under[1] = imag ? CONVK_LESS_(square, cancels, zero, v[1]) : zero;\n",
    "}\n",
    "\n",
    "/* pi^2 times the mean where two corners have nearly the same phase, as the fraction sum / under: with pi e_12 = e / under and\n",
    "   pi e_20 = top / v[1] it is (e v[1] - top under) / (under v[1] v[2]). */\n",
    "CONVK_ELEMENT_ void convk_formfactor_slender_(const CONVK_V (*v)[2], CONVK_V square, const CONVK_V *a, const CONVK_V *b,\n",
    "                                              const int imag, CONVK_V *sum, CONVK_V *under) {\n",
    "  CONVK_V e[2], top[2];\n",
    "  convk_formfactor_edge_(v[0], square, a, b, imag, e, under);\n",
    "  top[0] = CONVK_SUB_(b[2], b[0]);\n",
    "  top[1] = CONVK_SUB_(a[2], a[0]);\n",
    "  sum[0] = CONVK_FNMA_(top[0], under[0], CONVK_MUL_(e[0], v[1][0]));\n",
    "  sum[1] = CONVK_FNMA_(top[1], under[0], CONVK_MUL_(e[1], v[1][0]));\n",
    "  if (imag) {\n",
    "    sum[0] = CONVK_FMA_(top[1], under[1], CONVK_FNMA_(e[1], v[1][1], sum[0]));\n",
    "    sum[1] = CONVK_FNMA_(top[0], under[1], CONVK_FMA_(e[0], v[1][1], sum[1]));\n",
    "  }\n",
    "  convk_formfactor_times_(under, v[1], imag, under);\n",
    "  convk_formfactor_times_(under, v[2], imag, under);\n",
    "}\n",
    "\n",
    "/* What form_mean does where a triangle's corners are not close to each other: the sum of y_k w_k over w_0 w_1 w_2, or where\n",
    "   that product is small the fraction of form_slender, and of these one division.  In lanes whose corners are close, wide <\n",
    "   close, what comes out is of no use. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_apart_(const CONVK_V (*w)[2], const CONVK_V *a, const CONVK_V *b, CONVK_V wide,\n",
    "                                            CONVK_V close, const int imag, CONVK_V *mean_a, CONVK_V *mean_b) {\n",
    "  const CONVK_V zero = CONVK_SET_(0), one = CONVK_SET_(1), middle = CONVK_SET_((CONVK_T)0.5f);\n",
    "  const CONVK_V per = CONVK_SET_(CONVK_OF_(0.050660592f, 0.05066059182116889)); /* 1 / (2 pi^2) */\n",
    "  const CONVK_V least = CONVK_MUL_(wide, CONVK_SET_((CONVK_T)CONVK_FORMFACTOR_SLENDER_));\n",
    "  CONVK_V product[2], re = zero, im = zero, size;\n",
    "  int k;\n",
    "  CONVK_EACH_(k, 3) { /* -re + i im is the sum */\n",
    "    re = CONVK_FMA_(a[k], w[k][0], re);\n",
    "    im = CONVK_FMA_(b[k], w[k][0], im);\n",
    "    if (imag) {\n",
    "      re = CONVK_FMA_(b[k], w[k][1], re);\n",
    "      im = CONVK_FNMA_(a[k], w[k][1], im);\n",
    "    }\n",
    "  }\n",
    "  convk_formfactor_times_(w[0], w[1], imag, product);\n",
    "  convk_formfactor_times_(product, w[2], imag, product);\n",
    "  product[0] = CONVK_LESS_(wide, close, one, product[0]);\n",
    "  if (imag) product[1] = CONVK_LESS_(wide, close, zero, product[1]);\n",
    "  size = CONVK_MUL_(product[0], product[0]);\n",
    "  if (imag) size = CONVK_FMA_(product[1], product[1], size);\n",
    "  if (CONVK_ANY_LESS_(size, least)) {\n",
    "    CONVK_V sum[2], under[2], ca[3], cb[3], v[3][2], square[3], smaller, smallest;\n",
    "    CONVK_EACH_(k, 3) {\n",
    "      square[k] = CONVK_MUL_(w[k][0], w[k][0]);\n",
    "      if (imag) square[k] = CONVK_FMA_(w[k][1], w[k][1], square[k]);\n",
    "    }\n",
    "    smaller = CONVK_MIN_(square[1], square[0]);\n",
    "    smallest = CONVK_MIN_(square[2], smaller);\n",
    "    /* The corners and the w between them, turned about so that v[0] belongs to the shortest edge:\n",
    "                 0\n",
    "           v[2] / \\ v[1]     v[0] = u_1 - u_2, v[1] = u_2 - u_0, v[2] = u_0 - u_1\n",
    "               1---2\n",
    "                v[0]\n",
    "       It stands here, since clang 14 leaves v in memory where another function fills it. */\n",
    "    CONVK_EACH_(k, 3) {\n",
    "      const int l = k < 2 ? k + 1 : 0, m = k ? k - 1 : 2;\n",
    "      ca[k] = CONVK_LESS_(square[2], smaller, a[m], CONVK_LESS_(square[1], square[0], a[l], a[k]));\n",
    "      cb[k] = CONVK_LESS_(square[2], smaller, b[m], CONVK_LESS_(square[1], square[0], b[l], b[k]));\n",
    "      v[k][0] = CONVK_LESS_(square[2], smaller, w[m][0], CONVK_LESS_(square[1], square[0], w[l][0], w[k][0]));\n",
    "      if (imag) v[k][1] = CONVK_LESS_(square[2], smaller, w[m][1], CONVK_LESS_(square[1], square[0], w[l][1], w[k][1]));\n",
    "    }\n",
    "    convk_formfactor_slender_((const CONVK_V(*)[2])v, smallest, ca, cb, imag, sum, under);\n",
    "    re = CONVK_LESS_(size, least, sum[1], re);\n",
    "    im = CONVK_LESS_(size, least, sum[0], im);\n",
    "    product[0] = CONVK_LESS_(size, least, under[0], product[0]);\n",
    "    if (imag) product[1] = CONVK_LESS_(size, least, under[1], product[1]);\n",
    "  }\n",
    "  if (imag) {\n",
    "    const CONVK_V over = CONVK_DIV_(per, CONVK_FMA_(product[1], product[1], CONVK_MUL_(product[0], product[0])));\n",
    "    *mean_a = CONVK_FMA_(over, CONVK_FNMA_(im, product[1], CONVK_MUL_(re, product[0])), middle);\n",
    "    *mean_b = CONVK_MUL_(over, CONVK_FMA_(re, product[1], CONVK_MUL_(im, product[0])));\n",
    "  } else {\n",
    "    const CONVK_V over = CONVK_DIV_(per, product[0]);\n",
    "    *mean_a = CONVK_FMA_(re, over, middle);\n",
    "    *mean_b = CONVK_MUL_(im, over);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* The mean of exp(i q.r) over a triangle, exactly, by what lies at its corners: turns u (complex where imag) and a, b of\n",
    "   exp(i q.r) = 1 - 2 a + 2 i b there; out come a and b of the mean.  With w_0 = u_1 - u_2 and so on, and y = -a + i b, it is\n",
    "     1 / pi^2 sum y_k w_k / (w_0 w_1 w_2).\n",
    "   Where two corners have nearly the same phase the sum cancels.  If these are 1 and 2, it is\n",
    "     i (e_12 - e_20) / (pi (u_0 - u_1)),\n",
    "   e_kl being the mean over an edge, (y_k - y_l) / (i x), x = pi (u_k - u_l), or where that cancels, too, the mean of the ends\n",
    "   times tan(x) / x.  Where all three corners are close the series does it.  Each lane goes its own way. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_mean_(const CONVK_V (*u)[2], const CONVK_V *a, const CONVK_V *b, const int imag,\n",
    "                                           CONVK_V *mean_a, CONVK_V *mean_b) {\n",
    "  const CONVK_V third = CONVK_SET_(CONVK_OF_(0.33333334f, 0.3333333333333333)), close = CONVK_SET_(CONVK_FORMFACTOR_CLOSE_);\n",
    "  CONVK_V w[3][2], wide = CONVK_SET_(0);\n",
    "  unsigned in;\n",
    "  int k, d;\n",
    "  CONVK_EACH_(k, 3)\n",
    "    CONVK_EACH_(d, 1 + imag) {\n",
    "      w[k][d] = CONVK_SUB_(u[k < 2 ? k + 1 : 0][d], u[k ? k - 1 : 2][d]);\n",
    "      wide = CONVK_FMA_(w[k][d], w[k][d], wide);\n",
    "    }\n",
    "  in = CONVK_WHICH_LESS_(wide, close);\n",
    "  if (in != ((1u << CONVK_LANES) - 1)) convk_formfactor_apart_((const CONVK_V(*)[2])w, a, b, wide, close, imag, mean_a, mean_b);\n",
    "  if (in) {\n",
    "    CONVK_V center[2], s, c, near_a, near_b, du[2], dw[2], loss = CONVK_SET_(0);\n",
    "    CONVK_EACH_(d, 1 + imag) {\n",
    "      center[d] = CONVK_MUL_(CONVK_ADD_(CONVK_ADD_(u[0][d], u[1][d]), u[2][d]), third);\n",
    "      du[d] = CONVK_MUL_(CONVK_SUB_(w[2][d], w[1][d]), third);\n",
    "      dw[d] = CONVK_MUL_(CONVK_SUB_(w[0][d], w[2][d]), third);\n",
    "      CONVK_APART_(center[d])\n",
    "      CONVK_APART_(du[d])\n",
    "      CONVK_APART_(dw[d])\n",
    "    }\n",
    "    convk_formfactor_half_turn_(convk_formfactor_turn_left_(center[0]), &s, &c);\n",
    "    if (imag) loss = convk_formfactor_half_loss_(convk_formfactor_exponent_(center[1]));\n",
    "    convk_formfactor_damp_(imag, loss, s, c, &near_a, &near_b);\n",
    "    convk_formfactor_bend_(CONVK_EITHER_(8, 16), CONVK_EITHER_(8, 16), du, dw, imag, &near_a, &near_b);\n",
    "    *mean_a = CONVK_LESS_(wide, close, near_a, *mean_a);\n",
    "    *mean_b = CONVK_LESS_(wide, close, near_b, *mean_b);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Adds a triangle, g = q.a / |q|, to the sums.  conj(q).a = |q| (g - i Im q_z / |q| a_z), whose last part has its own sums. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_add_(CONVK_V g, CONVK_V area_z, CONVK_V a, CONVK_V b, const int imag, CONVK_V *re,\n",
    "                                          CONVK_V *im, CONVK_V *re_z, CONVK_V *im_z) {\n",
    "  *re = CONVK_FMA_(g, a, *re);\n",
    "  *im = CONVK_FMA_(g, b, *im);\n",
    "  if (imag) {\n",
    "    *re_z = CONVK_FMA_(area_z, b, *re_z);\n",
    "    *im_z = CONVK_FMA_(area_z, a, *im_z);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* The same where all components of q may be complex: h = imag_along.a, and conj(q).a = |q| (g - i h). */\n",
    "CONVK_ELEMENT_ void convk_formfactor_add_full_(const int imag, CONVK_V g, CONVK_V h, CONVK_V a, CONVK_V b, CONVK_V *re,\n",
    "                                               CONVK_V *im) {\n",
    "  *re = CONVK_FMA_(g, a, *re);\n",
    "  *im = CONVK_FMA_(g, b, *im);\n",
    "  if (imag) {\n",
    "    *re = CONVK_FNMA_(h, b, *re);\n",
    "    *im = CONVK_FMA_(h, a, *im);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Of a row of a grid and a triangle, whose E - 1 on the row's two axes are e and f: the complex factors of E_lane, that of\n",
    "   q_lane last.  area: the lanes' axis first.\n",
    "   Fourth order: factors of the powers 0 to 3 of q_lane, which is that of lengths times `per`.  corner: u, then w, as area.\n",
    "   With D = (1 + e) (1 + f) - 1 they are those of conj(q).a (D - Q (1 + D)), where Q, the sum of (q.d_i)^2 / 24 over the\n",
    "   corners, is Q_0 + q_lane Q_1 + q_lane^2 Q_2. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_terms_(const CONVK_V *q, const CONVK_V *q_imag, const CONVK_V *area, const CONVK_V *corner,\n",
    "                                            CONVK_V per, CONVK_V er, CONVK_V ei, CONVK_V fr, CONVK_V fi, const int fourth_order,\n",
    "                                            CONVK_V *term) {\n",
    "  const CONVK_V g = CONVK_FMA_(q[1], area[2], CONVK_MUL_(q[0], area[1]));\n",
    "  const CONVK_V h = CONVK_FMA_(q_imag[1], area[2], CONVK_MUL_(q_imag[0], area[1]));\n",
    "  /* the product less 1: e + f + e f */\n",
    "  CONVK_V dr = CONVK_ADD_(CONVK_ADD_(er, fr), CONVK_FNMA_(ei, fi, CONVK_MUL_(er, fr)));\n",
    "  CONVK_V di = CONVK_ADD_(CONVK_ADD_(ei, fi), CONVK_FMA_(er, fi, CONVK_MUL_(ei, fr)));\n",
    "  if (fourth_order) {\n",
    "    const CONVK_V twelfth = CONVK_SET_(CONVK_OF_(-0.083333336f, -0.08333333333333333)), a = CONVK_MUL_(per, area[0]);\n",
    "    /* q.u = p + q_lane u, q.w = s + q_lane w; 12 Q = (q.u)^2 + (q.u) (q.w) + (q.w)^2 */\n",
    "    const CONVK_V u = CONVK_MUL_(per, corner[0]), w = CONVK_MUL_(per, corner[3]);\n",
    "    const CONVK_V uuw = CONVK_ADD_(CONVK_ADD_(u, u), w), wwu = CONVK_ADD_(CONVK_ADD_(w, w), u);\n",
    "    const CONVK_V pr = CONVK_FMA_(q[1], corner[2], CONVK_MUL_(q[0], corner[1]));\n",
    "    const CONVK_V pi = CONVK_FMA_(q_imag[1], corner[2], CONVK_MUL_(q_imag[0], corner[1]));\n",
    "    const CONVK_V sr = CONVK_FMA_(q[1], corner[5], CONVK_MUL_(q[0], corner[4]));\n",
    "    const CONVK_V si = CONVK_FMA_(q_imag[1], corner[5], CONVK_MUL_(q_imag[0], corner[4]));\n",
    "    const CONVK_V zero = CONVK_FMA_(pr, CONVK_ADD_(pr, sr), CONVK_MUL_(sr, sr));\n",
    "    const CONVK_V zero_r = CONVK_FNMA_(pi, CONVK_ADD_(pi, si), CONVK_FNMA_(si, si, zero));\n",
    "    const CONVK_V zero_i =\n",
    "        CONVK_FMA_(pr, CONVK_ADD_(CONVK_ADD_(pi, pi), si), CONVK_MUL_(sr, CONVK_ADD_(CONVK_ADD_(si, si), pi)));\n",
    "    const CONVK_V one_r = CONVK_FMA_(pr, uuw, CONVK_MUL_(sr, wwu)), one_i = CONVK_FMA_(pi, uuw, CONVK_MUL_(si, wwu));\n",
    "    const CONVK_V two = CONVK_FMA_(u, CONVK_ADD_(u, w), CONVK_MUL_(w, w));\n",
    "    /* times -(1 + D) / 12 */\n",
    "    const CONVK_V yr = CONVK_MUL_(twelfth, CONVK_ADD_(CONVK_SET_(1), dr)), yi = CONVK_MUL_(twelfth, di);\n",
    "    const CONVK_V xr = CONVK_FNMA_(one_i, yi, CONVK_MUL_(one_r, yr)), xi = CONVK_FMA_(one_i, yr, CONVK_MUL_(one_r, yi));\n",
    "    const CONVK_V vr = CONVK_MUL_(two, yr), vi = CONVK_MUL_(two, yi);\n",
    "    dr = CONVK_FNMA_(zero_i, yi, CONVK_FMA_(zero_r, yr, dr));\n",
    "    di = CONVK_FMA_(zero_i, yr, CONVK_FMA_(zero_r, yi, di));\n",
    "    term[2] = CONVK_FMA_(g, xr, CONVK_FMA_(h, xi, CONVK_MUL_(a, dr)));\n",
    "    term[3] = CONVK_FMA_(g, xi, CONVK_FNMA_(h, xr, CONVK_MUL_(a, di)));\n",
    "    term[4] = CONVK_FMA_(g, vr, CONVK_FMA_(h, vi, CONVK_MUL_(a, xr)));\n",
    "    term[5] = CONVK_FMA_(g, vi, CONVK_FNMA_(h, vr, CONVK_MUL_(a, xi)));\n",
    "    term[6] = CONVK_MUL_(a, vr);\n",
    "    term[7] = CONVK_MUL_(a, vi);\n",
    "  } else {\n",
    "    term[2] = CONVK_MUL_(area[0], dr);\n",
    "    term[3] = CONVK_MUL_(area[0], di);\n",
    "  }\n",
    "  term[0] = CONVK_FMA_(g, dr, CONVK_MUL_(h, di));\n",
    "  term[1] = CONVK_FNMA_(h, dr, CONVK_MUL_(g, di));\n",
    "}\n",
    "\n",
    "/* Adds those `count` factors times E_lane. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_multiply_(CONVK_V q, const CONVK_V *term, const int count, CONVK_V er, CONVK_V ei,\n",
    "                                               CONVK_V *re, CONVK_V *im) {\n",
    "  CONVK_V ur = term[2 * count - 2], ui = term[2 * count - 1];\n",
    "  int k;\n",
    "  CONVK_UNROLL_\n",
    "  for (k = count - 2; k >= 0; k--) {\n",
    "    ur = CONVK_FMA_(q, ur, term[2 * k]);\n",
    "    ui = CONVK_FMA_(q, ui, term[2 * k + 1]);\n",
    "  }\n",
    "  *re = CONVK_FNMA_(ui, ei, CONVK_FMA_(ur, er, *re));\n",
    "  *im = CONVK_FMA_(ui, er, CONVK_FMA_(ur, ei, *im));\n",
    "}\n",
    "\n",
    "#undef CONVK_APART_\n",
    "#undef CONVK_FORMFACTOR_CLOSE_\n",
    "#undef CONVK_FORMFACTOR_SLENDER_\n",
    "#undef CONVK_FORMFACTOR_TAN_BELOW_\n",
    "#line 5 \"formfactor/kernel.cl\"\n",
    "#line 1 \"formfactor/opencl_arguments.h\"\n",
    "#ifndef CONVK_FORMFACTOR_INCLUDED_\n",
    "#define CONVK_FORMFACTOR_INCLUDED_\n",
    "/* What all kernels of OpenCL take besides a body, units of length and arrays; those of CUDA have structs of their own. */\n",
    "typedef struct convk_formfactor_arguments_ {\n",
    "  uint64_t field[12], q[6], work, f;           /* where arrays begin: in their numbers, and in sums */\n",
    "  uint64_t n, nq, at, blocks;                  /* triangles, vectors of q; the first triangle and the blocks of a launch */\n",
    "  uint64_t n0, n1, n2, stride[3];              /* of a grid's axes, the first that of the lanes: values, strides of f */\n",
    "  uint64_t table, partial, to, width, tiles_x; /* see the kernels for grids */\n",
    "  int32_t axis[3], z;                          /* which of x, y, z the axes are; the one of qz, 3: that is real */\n",
    "  int32_t first, last;                         /* whether sums begin here, and whether F is made */\n",
    "} convk_formfactor_arguments_;\n",
    "#endif\n",
    "#line 6 \"formfactor/kernel.cl\"\n",
    "#line 1 \"formfactor/triangle.h\"\n",
    "/* Adds one triangle to the sums of one q, as devices do it.  scaled: what form_scaled makes of q; order: as form_order says, of\n",
    "   which a compiler may know more or less; corners: 0 where it is surely 0, and u, w are not there. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_triangle_(const int corners, const int order, const CONVK_V *scaled, const CONVK_V *area,\n",
    "                                               const CONVK_V *at, const CONVK_V *u, const CONVK_V *w, const int imag,\n",
    "                                               CONVK_V *re, CONVK_V *im, CONVK_V *re_z, CONVK_V *im_z) {\n",
    "  const CONVK_V *turns = scaled, *along = scaled + 3, it[3] = {scaled[10], scaled[12], scaled[8]};\n",
    "  const CONVK_V g = convk_formfactor_dot_(along, area), center = convk_formfactor_dot_(turns, at);\n",
    "  const int full = imag && order; /* all components of q may be complex, else z alone */\n",
    "  CONVK_V du[2] = {0, 0}, dw[2] = {0, 0}, a = 0, b = 0, s, c, loss = 0;\n",
    "  if (corners) {\n",
    "    du[0] = convk_formfactor_dot_(turns, u);\n",
    "    dw[0] = convk_formfactor_dot_(turns, w);\n",
    "    if (imag) du[1] = convk_formfactor_dot_(it, u);\n",
    "    if (imag) dw[1] = convk_formfactor_dot_(it, w);\n",
    "  }\n",
    "  if (corners && order == CONVK_FORMFACTOR_MEAN_) {\n",
    "    const CONVK_V middle[2] = {center, imag ? convk_formfactor_dot_(it, at) : 0};\n",
    "    CONVK_V turned[3][2], p[3], q[3];\n",
    "    int d, k;\n",
    "    CONVK_EACH_(d, 1 + imag) {\n",
    "      turned[0][d] = CONVK_ADD_(middle[d], du[d]);\n",
    "      turned[1][d] = CONVK_ADD_(middle[d], dw[d]);\n",
    "      turned[2][d] = CONVK_SUB_(middle[d], CONVK_ADD_(du[d], dw[d]));\n",
    "    }\n",
    "    CONVK_EACH_(k, 3) {\n",
    "      convk_formfactor_half_turn_(convk_formfactor_turn_left_(turned[k][0]), &s, &c);\n",
    "      if (imag) loss = convk_formfactor_half_loss_(convk_formfactor_exponent_(turned[k][1]));\n",
    "      convk_formfactor_damp_(imag, loss, s, c, &p[k], &q[k]);\n",
    "    }\n",
    "    convk_formfactor_mean_((const CONVK_V(*)[2])turned, p, q, imag, &a, &b);\n",
    "  } else {\n",
    "    convk_formfactor_half_turn_(convk_formfactor_turn_left_(center), &s, &c);\n",
    "    if (imag)\n",
    "      loss = convk_formfactor_half_loss_(full ? convk_formfactor_exponent_(convk_formfactor_dot_(it, at))\n",
    "                                              : CONVK_MUL_(scaled[6], at[2]));\n",
    "    convk_formfactor_damp_(imag, loss, s, c, &a, &b);\n",
    "    if (corners && imag && order) convk_formfactor_bend_(2, order, du, dw, 1, &a, &b);\n",
    "    if (corners && !imag && order == 2) convk_formfactor_bend_(2, 2, du, dw, 0, &a, &b);\n",
    "    if (corners && !imag && order == 4) convk_formfactor_bend_(4, 4, du, dw, 0, &a, &b);\n",
    "    if (corners && !imag && order == 8) convk_formfactor_bend_(8, 8, du, dw, 0, &a, &b);\n",
    "    if (corners && !imag && order > 8) convk_formfactor_bend_(16, order, du, dw, 0, &a, &b);\n",
    "  }\n",
    "  if (full) {\n",
    "    const CONVK_V ia[3] = {scaled[9], scaled[11], scaled[7]};\n",
    "    convk_formfactor_add_full_(1, g, convk_formfactor_dot_(ia, area), a, b, re, im);\n",
    "  } else {\n",
    "    convk_formfactor_add_(g, area[2], a, b, imag, re, im, re_z, im_z);\n",
    "  }\n",
    "}\n",
    "#line 7 \"formfactor/kernel.cl\"\n",
    "\n",
    "/* R: double where the device has it; SUM: one, or a float and what its roundings lost. */\n",
    "#if FP64\n",
    "typedef double R, SUM;\n",
    "#define CONVK_ROF_(f32, f64) f64\n",
    "#define CONVK_RBITS_(x) as_ulong(x)\n",
    "#define CONVK_RREAL_(u) as_double(u)\n",
    "#define TOTAL(s) (s)\n",
    "SUM sum_of(SUM s, T v) { return CONVK_SUM_(double, s, v); }\n",
    "#else\n",
    "typedef float R;\n",
    "typedef float2 SUM;\n",
    "#define CONVK_ROF_(f32, f64) f32\n",
    "#define CONVK_ROOT_(x) sqrt(x)\n",
    "#define TOTAL(s) ((s).x + (s).y)\n",
    "SUM sum_of(SUM s, T v) {\n",
    "  const float t = CONVK_SUM_(float, s.x, v), b = CONVK_SUM_(float, t, -s.x);\n",
    "  return (float2)(t, CONVK_SUM_(float, s.y, CONVK_SUM_(float, s.x - (t - b), v - b)));\n",
    "}\n",
    "#endif\n",
    "#define CONVK_R R\n",
    "typedef struct convk_formfactor_body_ {\n",
    "  R volume, gap[3], extent, edge, limit;\n",
    "  int closed, least;\n",
    "} convk_formfactor_body_;\n",
    "#line 1 \"formfactor/per_q.h\"\n",
    "/* What kernels need of a q, and F from what they sum: once for drivers of processors, OpenCL and CUDA, in doubles (on a device\n",
    "   without them in its floats), which CONVK_R is.  q: x, y, z, and the imaginary parts of z, x, y. */\n",
    "#ifdef CONVK_PASS_\n",
    "#define CONVK_R double\n",
    "#define CONVK_ROF_(f32, f64) f64\n",
    "#if CONVK_PASS_ == CONVK_PASS_DRIVER_ /* which has no words of its own */\n",
    "#define CONVK_ELEMENT_ CONVK_LOCAL_\n",
    "#define CONVK_ADD_(a, b) ((a) + (b))\n",
    "#define CONVK_MUL_(a, b) ((a) * (b))\n",
    "#define CONVK_DIV_(a, b) ((a) / (b))\n",
    "#define CONVK_ROOT_(x) convk_sqrt_(x)\n",
    "#else\n",
    "#define CONVK_RBITS_(x) convk_cuda_bits_(x)\n",
    "#define CONVK_RREAL_(u) convk_cuda_real_((uint64_t)(u))\n",
    "#endif\n",
    "#endif\n",
    "\n",
    "/* As convk_sqrt_, once for both precisions. */\n",
    "#ifndef CONVK_ROOT_\n",
    "#ifndef CONVK_FORMFACTOR_ROOT_\n",
    "#define CONVK_FORMFACTOR_ROOT_\n",
    "CONVK_ELEMENT_ CONVK_R convk_formfactor_root_(CONVK_R x) {\n",
    "  CONVK_R y;\n",
    "  int i;\n",
    "  if (!(x > 0)) return 0;\n",
    "  y = CONVK_RREAL_((CONVK_RBITS_(x) >> 1) + ((uint64_t)1023 << 51));\n",
    "  for (i = 0; i < 5; i++) y = CONVK_MUL_(0.5, CONVK_ADD_(y, CONVK_DIV_(x, y)));\n",
    "  return y;\n",
    "}\n",
    "#endif\n",
    "#define CONVK_ROOT_(x) convk_formfactor_root_(x)\n",
    "#endif\n",
    "\n",
    "#define CONVK_FORMFACTOR_MINUS_(x) \\\n",
    "  CONVK_MUL_(-1, x) /* clang 14 lets -ffast-math have its way with a sign, wherever it stands */\n",
    "#define CONVK_FORMFACTOR_SQUARE_(q) \\\n",
    "  CONVK_ADD_( \\\n",
    "      CONVK_ADD_(CONVK_ADD_(CONVK_ADD_(CONVK_ADD_(CONVK_MUL_(q[0], q[0]), CONVK_MUL_(q[1], q[1])), CONVK_MUL_(q[2], q[2])), \\\n",
    "                            CONVK_MUL_(q[3], q[3])), \\\n",
    "                 CONVK_MUL_(q[4], q[4])), \\\n",
    "      CONVK_MUL_(q[5], q[5]))\n",
    "#define CONVK_FORMFACTOR_TURN_ CONVK_ROF_(0.15915494f, 0.15915494309189535) /* 1 / (2 pi) */\n",
    "#define CONVK_FORMFACTOR_DECAY_ CONVK_ROF_(-1.442695f, -1.4426950408889634) /* - log2 e */\n",
    "\n",
    "/* q / (2 pi), q / |q|, - imag log2 e, imag / |q|, imag / (2 pi) of z, then the last two of x and y.  norm: |q| */\n",
    "CONVK_ELEMENT_ void convk_formfactor_scaled_(const CONVK_R *q, CONVK_T *scaled, CONVK_R *norm) {\n",
    "  const CONVK_R root = CONVK_ROOT_(CONVK_FORMFACTOR_SQUARE_(q)), per = root > 0 ? CONVK_DIV_(1, root) : 0;\n",
    "  int d;\n",
    "  CONVK_EACH_(d, 3) {\n",
    "    scaled[d] = (CONVK_T)CONVK_MUL_(q[d], CONVK_FORMFACTOR_TURN_);\n",
    "    scaled[3 + d] = (CONVK_T)CONVK_MUL_(q[d], per);\n",
    "  }\n",
    "  scaled[6] = (CONVK_T)CONVK_MUL_(q[3], CONVK_FORMFACTOR_DECAY_);\n",
    "  scaled[7] = (CONVK_T)CONVK_MUL_(q[3], per);\n",
    "  scaled[8] = (CONVK_T)CONVK_MUL_(q[3], CONVK_FORMFACTOR_TURN_);\n",
    "  *norm = root;\n",
    "  CONVK_EACH_(d, 2) {\n",
    "    scaled[9 + 2 * d] = (CONVK_T)CONVK_MUL_(q[4 + d], per);\n",
    "    scaled[10 + 2 * d] = (CONVK_T)CONVK_MUL_(q[4 + d], CONVK_FORMFACTOR_TURN_);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* The order of the series that leaves no more of F(0) than is allowed, or CONVK_FORMFACTOR_MEAN_.  With g = |q| edge, the mean\n",
    "   of exp(i q.r) over a triangle lacks less than c g^n after an order, and F that times area / (|q| volume): c g^(n - 1) is\n",
    "   compared with m->limit, what is allowed times volume / (area edge). */\n",
    "CONVK_ELEMENT_ void convk_formfactor_order_(const convk_formfactor_body_ *m, CONVK_R norm, CONVK_T *order) {\n",
    "  const CONVK_R g = CONVK_MUL_(norm, m->edge), g2 = CONVK_MUL_(g, g), g4 = CONVK_MUL_(g2, g2);\n",
    "  const CONVK_R g5 = CONVK_MUL_(g4, g), g9 = CONVK_MUL_(g5, g4);\n",
    "  int k = CONVK_FORMFACTOR_MEAN_;\n",
    "  if (CONVK_MUL_(CONVK_MUL_(CONVK_ROF_(2.5e-22f, 2.5e-22), CONVK_MUL_(g9, g4)), g4) <= m->limit && g < 4) k = 16;\n",
    "  if (CONVK_MUL_(CONVK_ROF_(1.5e-16f, 1.5e-16), CONVK_MUL_(g9, g4)) <= m->limit) k = 12;\n",
    "  if (CONVK_MUL_(CONVK_ROF_(3.3e-11f, 3.3e-11), g9) <= m->limit) k = 8;\n",
    "  if (CONVK_MUL_(CONVK_ROF_(2.2e-6f, 2.2e-6), g5) <= m->limit) k = 4;\n",
    "  if (CONVK_MUL_(CONVK_ROF_(3.2e-3f, 3.2e-3), g2) <= m->limit) k = 2;\n",
    "  if (CONVK_MUL_(CONVK_ROF_(0.0278f, 0.0278), g) <= m->limit) k = 0;\n",
    "  *order = (CONVK_T)(k < m->least ? m->least : k);\n",
    "}\n",
    "\n",
    "/* The same of a value on one axis of a grid. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_rate_(CONVK_R q, CONVK_R imag, CONVK_T *turns, CONVK_T *decay) {\n",
    "  *turns = (CONVK_T)CONVK_MUL_(q, CONVK_FORMFACTOR_TURN_);\n",
    "  *decay = (CONVK_T)CONVK_MUL_(imag, CONVK_FORMFACTOR_DECAY_);\n",
    "}\n",
    "\n",
    "/* F from re + i im, the sum of conj(q).a (exp(i q.r) - 1).  The volume where phases vanish. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_value_(const convk_formfactor_body_ *m, const CONVK_R *q, CONVK_R re, CONVK_R im,\n",
    "                                            CONVK_T *f) {\n",
    "  const CONVK_R square = CONVK_FORMFACTOR_SQUARE_(q);\n",
    "  CONVK_R real = m->volume, imag = 0;\n",
    "  if (CONVK_MUL_(CONVK_MUL_(square, m->extent), m->extent) > CONVK_OF_(1e-18f, 1e-36)) {\n",
    "    real = CONVK_DIV_(im, square);\n",
    "    imag = CONVK_DIV_(CONVK_FORMFACTOR_MINUS_(re), square);\n",
    "  }\n",
    "  if (!m->closed && square > 0) { /* exp(i q.r) without the -1 */\n",
    "    const CONVK_R flow =\n",
    "        CONVK_ADD_(CONVK_ADD_(CONVK_MUL_(q[0], m->gap[0]), CONVK_MUL_(q[1], m->gap[1])), CONVK_MUL_(q[2], m->gap[2]));\n",
    "    real = CONVK_ADD_(real, CONVK_FORMFACTOR_MINUS_(CONVK_MUL_(CONVK_DIV_(q[3], square), m->gap[2])));\n",
    "    real = CONVK_ADD_(real, CONVK_FORMFACTOR_MINUS_(CONVK_MUL_(CONVK_DIV_(q[4], square), m->gap[0])));\n",
    "    real = CONVK_ADD_(real, CONVK_FORMFACTOR_MINUS_(CONVK_MUL_(CONVK_DIV_(q[5], square), m->gap[1])));\n",
    "    imag = CONVK_ADD_(imag, CONVK_FORMFACTOR_MINUS_(CONVK_DIV_(flow, square)));\n",
    "  }\n",
    "  f[0] = (CONVK_T)real;\n",
    "  f[1] = (CONVK_T)imag;\n",
    "}\n",
    "\n",
    "/* F from the kernel's sums over a list, which are of q / |q| and half of exp(i q.r) - 1.  norm: |q| */\n",
    "CONVK_ELEMENT_ void convk_formfactor_list_value_(const convk_formfactor_body_ *m, const CONVK_R *q, CONVK_R norm, CONVK_R re,\n",
    "                                                 CONVK_R im, CONVK_T *f) {\n",
    "  const CONVK_R twice = CONVK_MUL_(2, norm);\n",
    "  convk_formfactor_value_(m, q, CONVK_MUL_(-twice, re), CONVK_MUL_(twice, im), f);\n",
    "}\n",
    "\n",
    "/* F from a grid's sums and the moments of the lanes' axis.  own: q on the axes of the grid, which are x, y, z as `axis` says, z\n",
    "   being the complex one, or 3. */\n",
    "CONVK_ELEMENT_ void convk_formfactor_grid_value_(const convk_formfactor_body_ *m, const int *axis, int z, const CONVK_R *own,\n",
    "                                                 const CONVK_R *moment, CONVK_R re, CONVK_R im, CONVK_T *f) {\n",
    "  CONVK_R q[6];\n",
    "  int d;\n",
    "  q[0] = q[1] = q[2] = q[4] = q[5] = 0;\n",
    "  q[3] = own[3];\n",
    "  CONVK_EACH_(d, 3) {\n",
    "    const CONVK_R real = CONVK_MUL_(-2, moment[2 * d]), imag = CONVK_MUL_(2, moment[2 * d + 1]);\n",
    "    if (axis[d] == 0) q[0] = own[d]; /* no index that is known late: registers have none */\n",
    "    else if (axis[d] == 1) q[1] = own[d];\n",
    "    else q[2] = own[d];\n",
    "    re = CONVK_ADD_(re, CONVK_ADD_(CONVK_MUL_(own[d], real), d == z ? CONVK_MUL_(q[3], imag) : 0));\n",
    "    im = CONVK_ADD_(im, CONVK_ADD_(CONVK_MUL_(own[d], imag), d == z ? CONVK_FORMFACTOR_MINUS_(CONVK_MUL_(q[3], real)) : 0));\n",
    "  }\n",
    "  convk_formfactor_value_(m, q, re, im, f);\n",
    "}\n",
    "\n",
    "#if defined CONVK_PASS_ && CONVK_PASS_ == CONVK_PASS_DRIVER_\n",
    "#undef CONVK_ELEMENT_\n",
    "#undef CONVK_ADD_\n",
    "#undef CONVK_MUL_\n",
    "#undef CONVK_DIV_\n",
    "#endif\n",
    "#undef CONVK_R\n",
    "#undef CONVK_ROF_\n",
    "#undef CONVK_RBITS_\n",
    "#undef CONVK_RREAL_\n",
    "#undef CONVK_ROOT_\n",
    "#undef CONVK_FORMFACTOR_MINUS_\n",
    "#undef CONVK_FORMFACTOR_SQUARE_\n",
    "#undef CONVK_FORMFACTOR_TURN_\n",
    "#undef CONVK_FORMFACTOR_DECAY_\n",
    "#line 33 \"formfactor/kernel.cl\"\n",
    "\n",
    "/* What every kernel takes; arrays that are not there are not looked at.  unit: of lengths on the lanes' axis of a grid. */\n",
    "#define ARGUMENTS \\\n",
    "  const convk_formfactor_arguments_ args, R volume, R gx, R gy, R gz, R extent, R edge, R limit, int closed, int least, \\\n",
    "      T unit, T per, global const T *ax, global const T *ay, global const T *az, global const T *x, global const T *y, \\\n",
    "      global const T *z, global const T *ux, global const T *uy, global const T *uz, global const T *wx, global const T *wy, \\\n",
    "      global const T *wz, global const T *qx, global const T *qy, global const T *qz, global const T *qi, global const T *qxi, \\\n",
    "      global const T *qyi, global SUM *sums, global T *f\n",
    "#define BODY \\\n",
    "  { volume, {gx, gy, gz}, extent, edge, limit, closed, least }\n",
    "#define FIELDS \\\n",
    "  { \\\n",
    "    ax + args.field[0], ay + args.field[1], az + args.field[2], x + args.field[3], y + args.field[4], z + args.field[5], \\\n",
    "        ux + args.field[6], uy + args.field[7], uz + args.field[8], wx + args.field[9], wy + args.field[10], \\\n",
    "        wz + args.field[11] \\\n",
    "  }\n",
    "#define WORK (sums + args.work)\n",
    "/* Element i of an array of q, and of imaginary parts that there may be. */\n",
    "#define QX(i) qx[args.q[0] + (i)]\n",
    "#define QY(i) qy[args.q[1] + (i)]\n",
    "#define QZ(i) qz[args.q[2] + (i)]\n",
    "#define QI(i) (IMAG & 1 ? qi[args.q[3] + (i)] : 0)\n",
    "#define Q_OF(i) \\\n",
    "  { QX(i), QY(i), QZ(i), QI(i), IMAG & 2 ? qxi[args.q[4] + (i)] : 0, IMAG & 4 ? qyi[args.q[5] + (i)] : 0 }\n",
    "#define NUMBERS (ORDER ? 12 : 6) /* of a triangle: area, centroid, corners */\n",
    "\n",
    "#ifdef FORM_LIST\n",
    "#define TILE 64                 /* triangles in local memory */\n",
    "#define STRIDE (ORDER ? 12 : 8) /* numbers of one of them there */\n",
    "\n",
    "/* Adds one triangle, whose numbers lie at v. */\n",
    "void add_triangle(local const T *v, int order, const T *scaled, T *re, T *im, T *re_z, T *im_z) {\n",
    "  const T area[3] = {v[0], v[1], v[2]}, at[3] = {v[3], v[4], v[5]};\n",
    "#if ORDER\n",
    "  const T u[3] = {v[6], v[7], v[8]}, w[3] = {v[9], v[10], v[11]};\n",
    "  convk_formfactor_triangle_(1, order, scaled, area, at, u, w, IMAG != 0, re, im, re_z, im_z);\n",
    "#else\n",
    "  convk_formfactor_triangle_(0, 0, scaled, area, at, at, at, IMAG != 0, re, im, re_z, im_z);\n",
    "#endif\n",
    "}\n",
    "\n",
    "/* Sums of blocks of triangles from `at` on: a group has a block, and ITEMS times POINTS vectors of q. */\n",
    "CONVK_GROUP_KERNEL_ form_list(ARGUMENTS) {\n",
    "  local T tile[TILE * STRIDE];\n",
    "  global const T *const field[] = FIELDS;\n",
    "  const ulong n = args.n, nq = args.nq;\n",
    "  const int item = (int)get_local_id(0);\n",
    "  const ulong begin = (ulong)get_group_id(0) * (ITEMS * POINTS) + item;\n",
    "  const ulong start = args.at + (ulong)get_group_id(1) * BLOCK, end = min(start + BLOCK, n);\n",
    "  const convk_formfactor_body_ body = BODY;\n",
    "  T scaled[POINTS][13];\n",
    "  int order[POINTS];\n",
    "  T re[POINTS], im[POINTS], re_z[POINTS], im_z[POINTS];\n",
    "  global T *partial;\n",
    "  ulong base;\n",
    "  int k, p;\n",
    "#if POINTS <= 8\n",
    "#pragma unroll\n",
    "#endif\n",
    "  for (p = 0; p < POINTS; p++) {\n",
    "    const ulong i = min(begin + p * ITEMS, nq - 1);\n",
    "    const R q[6] = Q_OF(i);\n",
    "    R norm;\n",
    "    convk_formfactor_scaled_(q, scaled[p], &norm);\n",
    "    order[p] = ORDER;\n",
    "    if (ORDER < 0) {\n",
    "      T fitted;\n",
    "      convk_formfactor_order_(&body, norm, &fitted);\n",
    "      order[p] = (int)fitted;\n",
    "    }\n",
    "    re[p] = im[p] = re_z[p] = im_z[p] = 0;\n",
    "  }\n",
    "  for (base = start; base < end; base += TILE) {\n",
    "    const int count = (int)min(end - base, (ulong)TILE);\n",
    "    barrier(CLK_LOCAL_MEM_FENCE);\n",
    "    for (k = item; k < count; k += ITEMS) {\n",
    "      local T *v = tile + k * STRIDE;\n",
    "      CONVK_EACH_(p, NUMBERS) v[p] = field[p][base + k];\n",
    "    }\n",
    "    barrier(CLK_LOCAL_MEM_FENCE);\n",
    "    for (k = 0; k < count; k++) {\n",
    "#if POINTS <= 8\n",
    "#pragma unroll\n",
    "#endif\n",
    "      for (p = 0; p < POINTS; p++) add_triangle(tile + k * STRIDE, order[p], scaled[p], &re[p], &im[p], &re_z[p], &im_z[p]);\n",
    "    }\n",
    "  }\n",
    "  partial = (global T *)(WORK + 2 * nq) + (ulong)get_group_id(1) * 2 * nq;\n",
    "#if POINTS <= 8\n",
    "#pragma unroll\n",
    "#endif\n",
    "  for (p = 0; p < POINTS; p++)\n",
    "    if (begin + p * ITEMS < nq) {\n",
    "      partial[begin + p * ITEMS] = fma(-scaled[p][7], re_z[p], re[p]);\n",
    "      partial[nq + begin + p * ITEMS] = fma(scaled[p][7], im_z[p], im[p]);\n",
    "    }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef FORM_ADD\n",
    "/* The blocks' sums, in their order, are added up; after the last of them comes F. */\n",
    "kernel void form_add(ARGUMENTS) {\n",
    "  global SUM *const work = WORK;\n",
    "  const ulong nq = args.nq, i = get_global_id(0);\n",
    "  global const T *partial = (global const T *)(work + 2 * nq);\n",
    "  SUM re = 0, im = 0;\n",
    "  ulong k;\n",
    "  if (i >= nq) return;\n",
    "  if (!args.first) {\n",
    "    re = work[i];\n",
    "    im = work[nq + i];\n",
    "  }\n",
    "  for (k = 0; k < args.blocks; k++) {\n",
    "    re = sum_of(re, partial[2 * k * nq + i]);\n",
    "    im = sum_of(im, partial[(2 * k + 1) * nq + i]);\n",
    "  }\n",
    "  if (args.last) {\n",
    "    const R q[6] = Q_OF(i);\n",
    "    const convk_formfactor_body_ body = BODY;\n",
    "    T value[2], scaled[13];\n",
    "    R norm;\n",
    "    convk_formfactor_scaled_(q, scaled, &norm);\n",
    "    convk_formfactor_list_value_(&body, q, norm, TOTAL(re), TOTAL(im), value);\n",
    "    f[args.f + 2 * i] = value[0];\n",
    "    f[args.f + 2 * i + 1] = value[1];\n",
    "  } else {\n",
    "    work[i] = re;\n",
    "    work[nq + i] = im;\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* A tensor grid.  Values of q on all axes stand one after the other.  Work: sums, then moments, in doubles; from `table` on\n",
    "   (in elements of the type) the phases of a batch of triangles, real and imaginary parts by triangle and value; from\n",
    "   `partial` on sums of its blocks. */\n",
    "\n",
    "#ifdef FORM_PHASE\n",
    "/* (exp(i q.r) - 1) / 2 = -a + i b, from what is left of the turns and the exponent of the imaginary part. */\n",
    "void half_phase(T left, T e, T *a, T *b) {\n",
    "  T s, c;\n",
    "  convk_formfactor_half_turn_(left, &s, &c);\n",
    "  convk_formfactor_damp_(IMAG != 0, IMAG ? convk_formfactor_half_loss_(e) : (T)0, s, c, a, b);\n",
    "}\n",
    "\n",
    "/* The phases of one block of triangles from `at` on: E of the lanes, E - 1 of the others, and the lanes' moments. */\n",
    "CONVK_GROUP_KERNEL_ form_phase(ARGUMENTS) {\n",
    "  global const T *const field[] = FIELDS;\n",
    "  const ulong n = args.n, n0 = args.n0, n1 = args.n1, values = n0 + n1 + args.n2, block = get_group_id(1);\n",
    "  const ulong begin = (ulong)get_group_id(0) * (ITEMS * POINTS) + get_local_id(0);\n",
    "  global T *phase = (global T *)WORK + args.table + block * BLOCK * values * 2;\n",
    "  global T *moment = (global T *)WORK + args.partial + block * 6 * n0;\n",
    "  T turns[POINTS], decay[POINTS], m[6][POINTS];\n",
    "  int axis[POINTS], p, t;\n",
    "  for (p = 0; p < POINTS; p++) {\n",
    "    const ulong v = min(begin + p * ITEMS, values - 1);\n",
    "    const int d = v < n0 ? 0 : v < n0 + n1 ? 1 : 2;\n",
    "    const ulong i = d == 0 ? v : d == 1 ? v - n0 : v - n0 - n1;\n",
    "    const R q = d == 0 ? QX(i) : d == 1 ? QY(i) : QZ(i), imag = d == args.z ? QI(i) : 0;\n",
    "    axis[p] = d;\n",
    "    convk_formfactor_rate_(q, imag, &turns[p], &decay[p]);\n",
    "    for (t = 0; t < 6; t++) m[t][p] = 0;\n",
    "  }\n",
    "  for (t = 0; t < BLOCK; t++, phase += 2 * values) {\n",
    "    const ulong i = args.at + block * BLOCK + t;\n",
    "    T a[6] = {0, 0, 0, 0, 0, 0}; /* area, centroid */\n",
    "    CONVK_EACH_(p, 6)\n",
    "      if (i < n) a[p] = field[p][i];\n",
    "    for (p = 0; p < POINTS; p++) {\n",
    "      const T c = axis[p] == 0 ? a[3] : axis[p] == 1 ? a[4] : a[5];\n",
    "      T re, im;\n",
    "      half_phase(convk_formfactor_product_left_(turns[p], c), decay[p] * c, &re, &im);\n",
    "      m[0][p] = fma(a[0], re, m[0][p]);\n",
    "      m[1][p] = fma(a[0], im, m[1][p]);\n",
    "      m[2][p] = fma(a[1], re, m[2][p]);\n",
    "      m[3][p] = fma(a[1], im, m[3][p]);\n",
    "      m[4][p] = fma(a[2], re, m[4][p]);\n",
    "      m[5][p] = fma(a[2], im, m[5][p]);\n",
    "      if (begin + p * ITEMS < values) {\n",
    "        phase[2 * (begin + p * ITEMS)] = (axis[p] == 0 ? (T)1 : (T)0) - (re + re);\n",
    "        phase[2 * (begin + p * ITEMS) + 1] = im + im;\n",
    "      }\n",
    "    }\n",
    "  }\n",
    "  for (p = 0; p < POINTS; p++)\n",
    "    if (begin + p * ITEMS < n0)\n",
    "      for (t = 0; t < 6; t++) moment[t * n0 + begin + p * ITEMS] = m[t][p];\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef FORM_GATHER\n",
    "/* Adds sums of blocks, in their order, to `width` sums from `to` on. */\n",
    "kernel void form_gather(ARGUMENTS) {\n",
    "  const ulong width = args.width, i = get_global_id(0);\n",
    "  global const T *from = (global const T *)WORK + args.partial;\n",
    "  global SUM *to = WORK + args.to;\n",
    "  SUM s = 0;\n",
    "  ulong k;\n",
    "  if (i >= width) return;\n",
    "  if (!args.first) s = to[i];\n",
    "  for (k = 0; k < args.blocks; k++) s = sum_of(s, from[k * width + i]);\n",
    "  to[i] = s;\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef FORM_PRODUCT\n",
    "#define JOIN(a, b) CONVK_PASTE3_(a, b, )\n",
    "typedef JOIN(T, LANES) V;\n",
    "#define LOAD(p) JOIN(vload, LANES)(0, p)\n",
    "#define STORE(v, p) JOIN(vstore, LANES)(v, 0, p)\n",
    "#define ITEMS (ITEMS_X * ITEMS_Y)\n",
    "#define TILE_LANES (ITEMS_X * COLUMNS * LANES)\n",
    "#define TILE_ROWS (ITEMS_Y * ROWS)\n",
    "/* Lane of a tile with which column c of an item begins: the columns of all items along x come in turn. */\n",
    "#define LANE_OF(c) (((c)*ITEMS_X + (int)get_local_id(0)) * LANES)\n",
    "\n",
    "#define FACTORS (ORDER ? 4 : 2) /* of E_lane, complex ones */\n",
    "\n",
    "/* What a launch sums up: with SPLIT one block of triangles in the type, else all of a batch in doubles. */\n",
    "#if SPLIT\n",
    "typedef T TOTAL_T;\n",
    "typedef V TOTAL_V;\n",
    "#else\n",
    "typedef double TOTAL_T;\n",
    "typedef JOIN(double, LANES) TOTAL_V;\n",
    "#endif\n",
    "\n",
    "/* Of each row of a tile its places among the values of q, and q on its two axes with the imaginary parts; rows beyond the last\n",
    "   are the last again. */\n",
    "void find_rows(global const T *qy, global const T *qz, global const T *imag, int z_axis, ulong row0, ulong n0, ulong n1,\n",
    "               ulong rows, int item, local ulong *row_at, local T *row_q) {\n",
    "  int i;\n",
    "  for (i = item; i < TILE_ROWS; i += ITEMS) {\n",
    "    const ulong row = min(row0 + i, rows - 1), j = row % n1, l = row / n1;\n",
    "    row_at[2 * i] = n0 + j;\n",
    "    row_at[2 * i + 1] = n0 + n1 + l;\n",
    "    row_q[4 * i] = qy[j];\n",
    "    row_q[4 * i + 1] = qz[l];\n",
    "    row_q[4 * i + 2] = z_axis == 1 ? imag[j] : 0;\n",
    "    row_q[4 * i + 3] = z_axis == 2 ? imag[l] : 0;\n",
    "  }\n",
    "}\n",
    "\n",
    "/* The factors of the rows of a tile for TRIANGLES triangles from `first` on, whose phases begin at v. */\n",
    "void make_terms(global const T *const *field, T per, ulong first, ulong n, global const T *v, ulong values,\n",
    "                local const ulong *row_at, local const T *row_q, int item, local T *terms) {\n",
    "  int i, t;\n",
    "  for (i = item; i < TRIANGLES * TILE_ROWS; i += ITEMS) {\n",
    "    const int row = i % TILE_ROWS;\n",
    "    const ulong triangle = first + i / TILE_ROWS;\n",
    "    global const T *e = v + (i / TILE_ROWS * values + row_at[2 * row]) * 2;\n",
    "    global const T *f = v + (i / TILE_ROWS * values + row_at[2 * row + 1]) * 2;\n",
    "    const T q[2] = {row_q[4 * row], row_q[4 * row + 1]}, imag[2] = {row_q[4 * row + 2], row_q[4 * row + 3]};\n",
    "    T side[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, term[2 * FACTORS];\n",
    "    CONVK_EACH_(t, (ORDER ? 9 : 3))\n",
    "      if (triangle < n) side[t] = field[t < 3 ? t : 3 + t][triangle];\n",
    "    convk_formfactor_terms_(q, imag, side, side + 3, per, e[0], e[1], f[0], f[1], ORDER != 0, term);\n",
    "    CONVK_EACH_(t, 2 * FACTORS) terms[2 * FACTORS * i + t] = term[t];\n",
    "  }\n",
    "}\n",
    "\n",
    "/* E of the tile's lanes for TRIANGLES triangles, whose phases begin at v. */\n",
    "void fetch_lanes(global const T *v, ulong values, ulong lane0, ulong n0, int item, local T *lane_re, local T *lane_im) {\n",
    "  int i;\n",
    "  for (i = item; i < TRIANGLES * TILE_LANES; i += ITEMS) {\n",
    "    global const T *e = v + (i / TILE_LANES * values + min(lane0 + i % TILE_LANES, n0 - 1)) * 2;\n",
    "    lane_re[i] = e[0];\n",
    "    lane_im[i] = e[1];\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Adds E of LANES lanes, er + i ei, times the factors of ROWS rows, which begin at m. */\n",
    "void multiply(V q, V er, V ei, local const T *m, V *re, V *im) {\n",
    "  int i, r;\n",
    "#pragma unroll\n",
    "  for (r = 0; r < ROWS; r++, m += 2 * FACTORS) {\n",
    "    V ur = (V)m[2 * FACTORS - 2], ui = (V)m[2 * FACTORS - 1];\n",
    "#pragma unroll\n",
    "    for (i = FACTORS - 2; i >= 0; i--) {\n",
    "      ur = fma(q, ur, (V)m[2 * i]);\n",
    "      ui = fma(q, ui, (V)m[2 * i + 1]);\n",
    "    }\n",
    "    re[r] = fma(-ui, ei, fma(ur, er, re[r]));\n",
    "    im[r] = fma(ui, er, fma(ur, ei, im[r]));\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Writes sums of LANES lanes of a row to their places, if they are within the grid: real parts, then imaginary ones. */\n",
    "void store_sums(TOTAL_V re, TOTAL_V im, ulong lane, ulong row, ulong n0, ulong rows, global TOTAL_T *to) {\n",
    "  TOTAL_T s[2][LANES];\n",
    "  int k, t;\n",
    "  STORE(re, s[0]);\n",
    "  STORE(im, s[1]);\n",
    "  for (t = 0; t < 2; t++)\n",
    "    for (k = 0; k < LANES; k++)\n",
    "      if (row < rows && lane + k < n0) to[t * (n0 * rows) + row * n0 + lane + k] = s[t][k];\n",
    "}\n",
    "\n",
    "#if !SPLIT\n",
    "/* Reads what it wrote of one of the parts; `first`: 0. */\n",
    "TOTAL_V load_sums(global const double *from, int first, ulong lane, ulong row, ulong n0, ulong rows) {\n",
    "  double s[LANES];\n",
    "  int k;\n",
    "  for (k = 0; k < LANES; k++) s[k] = 0;\n",
    "  if (!first && row < rows)\n",
    "    for (k = 0; k < LANES; k++)\n",
    "      if (lane + k < n0) s[k] = from[row * n0 + lane + k];\n",
    "  return LOAD(s);\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* The sum of the factors of each row times E of each lane, over the blocks of a batch of triangles; with SPLIT over one\n",
    "   of them.  A group has a tile of rows by lanes, an item ROWS by COLUMNS vectors of LANES; phases and factors of\n",
    "   TRIANGLES triangles stand in local memory. */\n",
    "kernel __attribute__((reqd_work_group_size(ITEMS_X, ITEMS_Y, 1))) void form_product(ARGUMENTS) {\n",
    "  local T lane_re[TRIANGLES * TILE_LANES], lane_im[TRIANGLES * TILE_LANES], terms[TRIANGLES * TILE_ROWS * 2 * FACTORS];\n",
    "  local T row_q[TILE_ROWS * 4];\n",
    "  local ulong row_at[TILE_ROWS * 2];\n",
    "  const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), item = ly * ITEMS_X + lx;\n",
    "  const ulong lane0 = get_group_id(0) % args.tiles_x * TILE_LANES, row0 = get_group_id(0) / args.tiles_x * TILE_ROWS;\n",
    "  const ulong n0 = args.n0, n1 = args.n1, rows = n1 * args.n2, values = n0 + n1 + args.n2;\n",
    "  global SUM *const work = WORK;\n",
    "  global const T *phase = (global const T *)work + args.table;\n",
    "  global const T *const field[] = FIELDS;\n",
    "#if SPLIT\n",
    "  const ulong begin = get_group_id(1), end = begin + 1;\n",
    "#else\n",
    "  const ulong begin = 0, end = args.blocks;\n",
    "  TOTAL_V total_re[COLUMNS][ROWS], total_im[COLUMNS][ROWS];\n",
    "#endif\n",
    "  V q[COLUMNS], re[COLUMNS][ROWS], im[COLUMNS][ROWS];\n",
    "  T one[LANES];\n",
    "  ulong b;\n",
    "  int c, k, r, t;\n",
    "  find_rows(&QY(0), &QZ(0), qi + args.q[3], IMAG ? args.z : 3, row0, n0, n1, rows, item, row_at, row_q);\n",
    "  CONVK_EACH_(c, COLUMNS) {\n",
    "    for (k = 0; k < LANES; k++) one[k] = QX(min(lane0 + LANE_OF(c) + k, n0 - 1));\n",
    "    q[c] = LOAD(one) * unit;\n",
    "  }\n",
    "#if !SPLIT\n",
    "  CONVK_EACH_(c, COLUMNS)\n",
    "    CONVK_EACH_(r, ROWS) {\n",
    "      total_re[c][r] = load_sums(work, args.first, lane0 + LANE_OF(c), row0 + ly * ROWS + r, n0, rows);\n",
    "      total_im[c][r] = load_sums(work + n0 * rows, args.first, lane0 + LANE_OF(c), row0 + ly * ROWS + r, n0, rows);\n",
    "    }\n",
    "#endif\n",
    "  for (b = begin; b < end; b++) {\n",
    "    CONVK_EACH_(c, COLUMNS)\n",
    "      CONVK_EACH_(r, ROWS) re[c][r] = im[c][r] = 0;\n",
    "    for (k = 0; k < BLOCK; k += TRIANGLES) {\n",
    "      global const T *v = phase + (b * BLOCK + k) * values * 2;\n",
    "      barrier(CLK_LOCAL_MEM_FENCE);\n",
    "      fetch_lanes(v, values, lane0, n0, item, lane_re, lane_im);\n",
    "      make_terms(field, per, args.at + b * BLOCK + k, args.n, v, values, row_at, row_q, item, terms);\n",
    "      barrier(CLK_LOCAL_MEM_FENCE);\n",
    "      CONVK_EACH_(c, COLUMNS)\n",
    "        for (t = 0; t < TRIANGLES; t++) {\n",
    "          const int from = t * TILE_LANES + LANE_OF(c);\n",
    "          multiply(q[c], LOAD(lane_re + from), LOAD(lane_im + from), terms + (t * TILE_ROWS + ly * ROWS) * 2 * FACTORS, re[c],\n",
    "                   im[c]);\n",
    "        }\n",
    "    }\n",
    "#if !SPLIT\n",
    "    CONVK_EACH_(c, COLUMNS)\n",
    "      CONVK_EACH_(r, ROWS) {\n",
    "        total_re[c][r] = CONVK_SUM_(TOTAL_V, total_re[c][r], JOIN(convert_double, LANES)(re[c][r]));\n",
    "        total_im[c][r] = CONVK_SUM_(TOTAL_V, total_im[c][r], JOIN(convert_double, LANES)(im[c][r]));\n",
    "      }\n",
    "#endif\n",
    "  }\n",
    "  CONVK_EACH_(c, COLUMNS)\n",
    "    CONVK_EACH_(r, ROWS)\n",
    "#if SPLIT\n",
    "      store_sums(re[c][r], im[c][r], lane0 + LANE_OF(c), row0 + ly * ROWS + r, n0, rows,\n",
    "                 (global T *)work + args.partial + begin * 2 * n0 * rows);\n",
    "#else\n",
    "      store_sums(total_re[c][r], total_im[c][r], lane0 + LANE_OF(c), row0 + ly * ROWS + r, n0, rows, work);\n",
    "#endif\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef FORM_GRID\n",
    "/* F from the sums and the moments. */\n",
    "kernel void form_grid(ARGUMENTS) {\n",
    "  global const SUM *const work = WORK;\n",
    "  const ulong n0 = args.n0, n1 = args.n1, nq = n0 * n1 * args.n2;\n",
    "  const ulong i = get_global_id(0), l = i % n0, j = i / n0 % n1, k = i / n0 / n1;\n",
    "  const convk_formfactor_body_ body = BODY;\n",
    "  const int axis[3] = {args.axis[0], args.axis[1], args.axis[2]};\n",
    "  R q[4], moment[6];\n",
    "  T value[2];\n",
    "  int d;\n",
    "  if (i >= nq) return;\n",
    "  q[0] = QX(l);\n",
    "  q[1] = QY(j);\n",
    "  q[2] = QZ(k);\n",
    "  q[3] = args.z == 0 ? QI(l) : args.z == 1 ? QI(j) : args.z == 2 ? QI(k) : 0;\n",
    "  for (d = 0; d < 6; d++) moment[d] = TOTAL(work[2 * nq + d * n0 + l]);\n",
    "  convk_formfactor_grid_value_(&body, axis, args.z, q, moment, TOTAL(work[i]), TOTAL(work[nq + i]), value);\n",
    "  f += args.f + 2 * (l * args.stride[0] + j * args.stride[1] + k * args.stride[2]);\n",
    "  f[0] = value[0];\n",
    "  f[1] = value[1];\n",
    "}\n",
    "#endif\n",
      NULL};
  return lines;
}

/* A checked call, or a part of its mesh: see device.h.  imag: the sum of 1, 2, 4 for complex qz, qx, qy. */
typedef struct convk_cl_form_ {
  size_t element, n, nq, tuned[3]; /* tuned: the sizes of the whole call that entries have */
  int imag, first, last;
  convk_formfactor_rule_ rule;
  double unit; /* of a grid: of the lanes' axis */
  convk_cl_array field[12], q[6], f, base;
  convk_formfactor_body_ body;
  convk_formfactor_axes_ axes; /* of a grid; nq is 0 of a list */
  long choice[CONVK_TUNE_COUNT];
} convk_cl_form_;

/* Pairs of a q and a block of triangles that fill a compute unit; estimates for both kinds of devices. */
#define CONVK_CL_FORMFACTOR_ENOUGH_(cl) ((cl)->cpu ? (size_t)256 : (size_t)4096)

/* Blocks of triangles that are worked on at the same time, so that a few q fill the device too. */
CONVK_LOCAL_ size_t convk_cl_formfactor_batch_(const convk_cl *cl, size_t n, size_t nq) {
  const size_t blocks = n / CONVK_FORMFACTOR_TRIANGLES_ + 1,
               wanted = cl->compute_units * CONVK_CL_FORMFACTOR_ENOUGH_(cl) / (nq ? nq : 1) + 1;
  const size_t limit = wanted < CONVK_CL_GROUPS_Y_ ? wanted : CONVK_CL_GROUPS_Y_; /* each is a group along y */
  return blocks < limit ? blocks : limit;
}

/* Work: two sums in doubles for each q, then two of each block of a batch.  With C = compute_units CONVK_CL_FORMFACTOR_ENOUGH_
   a batch has C / nq + 1 blocks at most, so that nq batches are C + nq; enough for fewer triangles and vectors, too. */
CONVK_LOCAL_ int convk_cl_formfactor_list_need_(const convk_cl *cl, size_t element, size_t n, size_t nq, size_t *need) {
  const size_t blocks = n / CONVK_FORMFACTOR_TRIANGLES_ + 1, enough = cl->compute_units * CONVK_CL_FORMFACTOR_ENOUGH_(cl);
  if (nq > (size_t)-1 / 64 - enough) return CONVK_ERR_OVERFLOW;
  *need = nq * 2 * sizeof(cl_double) + convk_formfactor_batches_(nq * 2 * element, blocks, (enough + nq) * 2 * element);
  return CONVK_OK;
}

/* What a kernel takes: arguments that a launch of its own begins with, and then all there is. */
CONVK_LOCAL_ convk_formfactor_arguments_ convk_cl_form_arguments_(const convk_cl_form_ *job) {
  convk_formfactor_arguments_ a;
  size_t d;
  memset(&a, 0, sizeof a);
  for (d = 0; d < 12; d++) a.field[d] = job->field[d].offset;
  for (d = 0; d < 6; d++) a.q[d] = job->q[d].offset;
  a.work = job->base.offset / sizeof(cl_double);
  a.f = job->f.offset;
  a.n = job->n;
  a.nq = job->nq;
  a.n0 = job->axes.n[0];
  a.n1 = job->axes.n[1];
  a.n2 = job->axes.n[2];
  a.z = job->axes.z;
  for (d = 0; d < 3; d++) {
    a.stride[d] = job->axes.stride[d];
    a.axis[d] = job->axes.axis[d];
  }
  return a;
}
CONVK_LOCAL_ void convk_cl_put_form_(convk_cl_args_ *args, const convk_cl *cl, const convk_cl_form_ *job,
                                     const convk_formfactor_arguments_ *a) {
  const convk_formfactor_body_ *const body = &job->body;
  const double values[7] = {body->volume, body->gap[0], body->gap[1], body->gap[2], body->extent, body->edge, body->limit};
  size_t d;
  convk_cl_put_(args, sizeof *a, a);
  for (d = 0; d < 7; d++) convk_cl_put_real_(args, cl->fp64 ? sizeof(cl_double) : sizeof(cl_float), values[d]);
  convk_cl_put_int_(args, (size_t)body->closed);
  convk_cl_put_int_(args, (size_t)body->least);
  convk_cl_put_real_(args, job->element, job->unit);
  convk_cl_put_real_(args, job->element, 1 / job->unit);
  for (d = 0; d < 12; d++) convk_cl_put_mem_(args, d < 6 || job->rule.corners ? job->field[d].mem : job->base.mem);
  for (d = 0; d < 6; d++) convk_cl_put_mem_(args, d < 3 || job->imag >> (d - 3) & 1 ? job->q[d].mem : job->base.mem);
  convk_cl_put_mem_(args, job->base.mem);
  convk_cl_put_mem_(args, job->f.mem);
}

enum { /* kernels */
       CONVK_CL_FORMFACTOR_LIST_,
       CONVK_CL_FORMFACTOR_ADD_,
       CONVK_CL_FORMFACTOR_PHASE_,
       CONVK_CL_FORMFACTOR_GATHER_,
       CONVK_CL_FORMFACTOR_PRODUCT_,
       CONVK_CL_FORMFACTOR_GRID_
};

/* What the source knows of a kernel and its shape: items along x and y, then points of an item, or of a product how it is
   split, lanes, columns, rows and triangles of a tile. */
enum { CONVK_CL_FORMFACTOR_SHAPE_ = 7 };
CONVK_LOCAL_ void convk_cl_formfactor_more_(int kernel, const size_t *shape, char *more, size_t size) {
  static const char *const kind[6] = {"LIST", "ADD", "PHASE", "GATHER", "PRODUCT", "GRID"};
  if (kernel == CONVK_CL_FORMFACTOR_PRODUCT_)
    (void)snprintf(more, size,
                   "-DFORM_PRODUCT -DSPLIT=%d -DITEMS_X=%d -DITEMS_Y=%d -DLANES=%d -DCOLUMNS=%d -DROWS=%d -DTRIANGLES=%d",
                   (int)shape[2], (int)shape[0], (int)shape[1], (int)shape[3], (int)shape[4], (int)shape[5], (int)shape[6]);
  else if (shape[0]) (void)snprintf(more, size, "-DFORM_%s -DITEMS=%d -DPOINTS=%d", kind[kernel], (int)shape[0], (int)shape[2]);
  else (void)snprintf(more, size, "-DFORM_%s", kind[kernel]);
}

/* A kernel.  Where its program takes smaller groups they are halved: its choice has the items. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_formfactor_program_(convk_cl *cl, const convk_cl_form_ *job, int kernel,
                                                         const size_t *shape) {
  static const char *const name[6] = {"form_list", "form_add", "form_phase", "form_gather", "form_product", "form_grid"};
  const int triangles = kernel == CONVK_CL_FORMFACTOR_LIST_ || kernel == CONVK_CL_FORMFACTOR_ADD_;
  const int order = kernel == CONVK_CL_FORMFACTOR_LIST_ || kernel == CONVK_CL_FORMFACTOR_PRODUCT_ ? job->rule.order : 0;
  char more[160], options[CONVK_CL_KEY_];
  size_t now[CONVK_CL_FORMFACTOR_SHAPE_] = {0, 1, 0, 0, 0, 0, 0}, i;
  uint32_t values[3 + CONVK_CL_FORMFACTOR_SHAPE_] = {(uint32_t)job->element, (uint32_t)job->imag, (uint32_t)order};
  convk_cl_program_ *p;
  uint64_t number;
  if (shape) memcpy(now, shape, sizeof now);
  for (i = 0; i < CONVK_CL_FORMFACTOR_SHAPE_; i++) values[3 + i] = (uint32_t)now[i];
  number = convk_cl_number_(CONVK_CL_FORM_ + (unsigned)kernel, values, 3 + CONVK_CL_FORMFACTOR_SHAPE_);
  p = convk_cl_known_(cl, number);
  if (p) return convk_cl_args_of_(CONVK_OK, p);
  for (;;) {
    int status;
    convk_cl_formfactor_more_(kernel, now, more, sizeof more);
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -DFP64=%d -DIMAG=%d -DORDER=%d -DBLOCK=%d "
                   "-DCONVK_FORMFACTOR_MEAN_=%d %s",
                   convk_cl_type_(job->element), job->element == sizeof(cl_double), cl->fp64 != 0, job->imag, order,
                   (int)(triangles ? CONVK_FORMFACTOR_TRIANGLES_ : CONVK_FORMFACTOR_BLOCK_), CONVK_FORMFACTOR_MEAN_, more);
    status = convk_cl_kernel_(cl, convk_cl_formfactor_source_(), name[kernel], options, NULL, &p);
    if (status) return convk_cl_args_of_(status, p);
    if (now[0] * now[1] <= p->items || now[0] * now[1] == 1) break;
    now[now[1] > 1 ? 1 : 0] /= 2; /* and again, with smaller groups */
  }
  convk_cl_remember_(cl, number, p, now, 2);
  return convk_cl_args_of_(CONVK_OK, p);
}

/* Sums of `blocks` blocks from triangle `at` on. */
CONVK_LOCAL_ int convk_cl_formfactor_list_(convk_cl_chain_ *chain, const convk_cl_form_ *job, size_t at, size_t blocks) {
  convk_formfactor_arguments_ a = convk_cl_form_arguments_(job);
  size_t shape[CONVK_CL_FORMFACTOR_SHAPE_] = {0, 1, 0, 0, 0, 0, 0};
  convk_cl_args_ args;
  convk_cl_block_(chain->cl, 64, &shape[0], &shape[2]);
  if (!chain->cl->cpu && job->nq > shape[0] * chain->cl->compute_units * 16) shape[2] = 2;
  if (!chain->cl->cpu) shape[0] = convk_tuned_power_(job->choice[CONVK_TUNE_GROUP_X], 32, 256, shape[0]);
  while (shape[0] > chain->cl->group_items || shape[0] > chain->cl->group_x) shape[0] /= 2;
  shape[2] = convk_tuned_power_(job->choice[CONVK_TUNE_TILE_X], chain->cl->cpu ? 8 : 1, chain->cl->cpu ? 256 : 4, shape[2]);
  args = convk_cl_formfactor_program_(chain->cl, job, CONVK_CL_FORMFACTOR_LIST_, shape);
  a.at = at;
  convk_cl_put_form_(&args, chain->cl, job, &a);
  return convk_cl_launch_(chain, &args, convk_ceil_(job->nq, args.p->choice[0] * shape[2]), args.p->choice[0], blocks, 1);
}

/* Adds the sums of `blocks` blocks. */
CONVK_LOCAL_ int convk_cl_formfactor_add_(convk_cl_chain_ *chain, const convk_cl_form_ *job, size_t blocks, int first,
                                          int last) {
  convk_formfactor_arguments_ a = convk_cl_form_arguments_(job);
  convk_cl_args_ args = convk_cl_formfactor_program_(chain->cl, job, CONVK_CL_FORMFACTOR_ADD_, NULL);
  a.blocks = blocks;
  a.first = first;
  a.last = last;
  convk_cl_put_form_(&args, chain->cl, job, &a);
  return convk_cl_launch_row_(chain, &args, job->nq, 64);
}

/* The triangles of the job, or of one part of the mesh: the sums have the order of the processors. */
CONVK_LOCAL_ int convk_cl_formfactor_run_(convk_cl_chain_ *chain, const convk_cl_form_ *job) {
  const size_t total = convk_ceil_(job->n, CONVK_FORMFACTOR_TRIANGLES_);
  const size_t batch = convk_cl_formfactor_batch_(chain->cl, job->n, job->nq);
  size_t done = 0;
  int status = CONVK_OK;
  if (!job->nq) return CONVK_OK;
  do {
    const size_t blocks = total - done < batch ? total - done : batch;
    if (blocks) status = convk_cl_formfactor_list_(chain, job, done * CONVK_FORMFACTOR_TRIANGLES_, blocks);
    if (!status)
      status = convk_cl_formfactor_add_(chain, job, blocks, job->first && !done, job->last && done + blocks == total);
    done += blocks;
  } while (!status && done < total);
  return status;
}

/* ---- a tensor grid ---- */

/* How a call is cut.  None of it changes a result. */
typedef struct convk_cl_formfactor_cut_ {
  size_t values, batch; /* triangles of a batch, whole blocks */
  size_t lanes, columns, rows, items[2], triangles, tiles[2];
  int split;
  size_t table, partial, need; /* in elements of the type; bytes of work, enough for smaller grids and meshes, too */
} convk_cl_formfactor_cut_;

/* Bytes of phases and partial sums of a batch, estimates: a processor keeps them in its cache, a launch on a GPU is long. */
#define CONVK_CL_FORMFACTOR_TABLE_(cl) ((size_t)((cl)->cpu ? 1 : 32) << 20)

/* Register tiles of 4 rows by 16 bytes of lanes on a GPU, by 64 on a processor.  A GPU wants local memory for three groups. */
CONVK_LOCAL_ int convk_cl_formfactor_cut_of_(const convk_cl *cl, const convk_cl_form_ *job, convk_cl_formfactor_cut_ *cut) {
  const size_t block = CONVK_FORMFACTOR_BLOCK_, element = job->element, blocks = convk_ceil_(job->n, block);
  const size_t table_bytes = CONVK_CL_FORMFACTOR_TABLE_(cl), nq = job->axes.nq, *n = job->axes.n;
  size_t sums, batch, each;
  if (nq > (size_t)-1 / 128) return CONVK_ERR_OVERFLOW;
  cut->values = n[0] + n[1] + n[2];
  cut->lanes = cl->cpu ? 64 / element : element == sizeof(cl_float) ? 4 : 2;
  cut->columns = cl->cpu ? convk_tuned_power_(job->choice[CONVK_TUNE_TILE_X], 1, 16, 8) : 1;
  cut->rows = convk_tuned_power_(job->choice[CONVK_TUNE_TILE_Y], 1, 8, 4);
  cut->items[0] = cl->cpu ? 1 : convk_tuned_power_(job->choice[CONVK_TUNE_GROUP_X], 8, 32, 16);
  cut->items[1] = cl->cpu ? 1 : convk_tuned_power_(job->choice[CONVK_TUNE_GROUP_Y], 4, 16, 16);
  while (cut->items[0] * cut->items[1] > cl->group_items && cut->items[1] > 1) cut->items[1] /= 2;
  while ((cut->items[0] * cut->items[1] > cl->group_items || cut->items[0] > cl->group_x) && cut->items[0] > 1)
    cut->items[0] /= 2;
  while (cut->items[1] > cl->group_y && cut->items[1] > 1) cut->items[1] /= 2;
  while (cut->columns > 1 && cut->columns / 2 * cut->lanes >= n[0]) cut->columns /= 2;
  cut->triangles = convk_tuned_power_(job->choice[CONVK_TUNE_CHUNK], 4, block, cl->cpu ? block : 16);
  do {
    const size_t lanes = cut->items[0] * cut->columns * cut->lanes, rows = cut->items[1] * cut->rows;
    cut->tiles[0] = convk_ceil_(n[0], lanes);
    cut->tiles[1] = convk_ceil_(job->axes.rows, rows);
    each = (2 * lanes + (job->rule.order == 2 ? 8 : 4) * rows) * element;
    sums = rows * (4 * element + 2 * sizeof(cl_ulong));
    if (each * cut->triangles + sums <= (cut->triangles > 4 && !cl->cpu ? cl->local_bytes / 3 : cl->local_bytes)) break;
    cut->triangles /= 2;
  } while (cut->triangles);
  if (!cut->triangles) return CONVK_ERR_UNSUPPORTED;
  cut->split = !cl->fp64 || cut->tiles[0] * cut->tiles[1] < 2 * cl->compute_units;
  each = block * cut->values * 2 * element + 6 * n[0] * element;
  if (cut->split) each += 2 * nq * element;
  batch = table_bytes / each < CONVK_CL_GROUPS_Y_ ? table_bytes / each : CONVK_CL_GROUPS_Y_;
  cut->batch = block * (batch < 1 ? 1 : batch > blocks ? blocks : batch);
  if (!blocks) cut->batch = 0;
  sums = (2 * nq + 6 * n[0]) * sizeof(cl_double);
  cut->table = sums / element;
  cut->partial = cut->table + cut->batch * cut->values * 2;
  /* whether sums are split, which depends on the grid, or not: a batch is no larger than the table, or it is one block */
  if (!cut->split) each += 2 * nq * element;
  cut->need = convk_formfactor_batches_(each, blocks, table_bytes);
  if (cut->need > (size_t)-1 - sums - 256) return CONVK_ERR_OVERFLOW;
  cut->need += sums;
  return CONVK_OK;
}

/* Adds the sums of `blocks` blocks from `partial` on to `width` sums. */
CONVK_LOCAL_ int convk_cl_formfactor_gather_(convk_cl_chain_ *chain, const convk_cl_form_ *job, size_t to, size_t partial,
                                             size_t width, size_t blocks, int first) {
  convk_formfactor_arguments_ a = convk_cl_form_arguments_(job);
  convk_cl_args_ args = convk_cl_formfactor_program_(chain->cl, job, CONVK_CL_FORMFACTOR_GATHER_, NULL);
  a.to = to;
  a.partial = partial;
  a.width = width;
  a.blocks = blocks;
  a.first = first;
  convk_cl_put_form_(&args, chain->cl, job, &a);
  return convk_cl_launch_row_(chain, &args, width, 64);
}

/* Phases of `blocks` blocks of triangles from `at` on. */
CONVK_LOCAL_ int convk_cl_formfactor_phase_(convk_cl_chain_ *chain, const convk_cl_form_ *job,
                                            const convk_cl_formfactor_cut_ *cut, size_t at, size_t blocks) {
  convk_formfactor_arguments_ a = convk_cl_form_arguments_(job);
  size_t shape[CONVK_CL_FORMFACTOR_SHAPE_] = {0, 1, 0, 0, 0, 0, 0};
  convk_cl_args_ args;
  convk_cl_block_(chain->cl, 32, &shape[0], &shape[2]);
  args = convk_cl_formfactor_program_(chain->cl, job, CONVK_CL_FORMFACTOR_PHASE_, shape);
  a.table = cut->table;
  a.partial = cut->partial;
  a.at = at;
  convk_cl_put_form_(&args, chain->cl, job, &a);
  return convk_cl_launch_(chain, &args, convk_ceil_(cut->values, args.p->choice[0] * shape[2]), args.p->choice[0], blocks, 1);
}

CONVK_LOCAL_ int convk_cl_formfactor_product_(convk_cl_chain_ *chain, const convk_cl_form_ *job,
                                              const convk_cl_formfactor_cut_ *cut, size_t at, size_t blocks, int first) {
  const size_t shape[CONVK_CL_FORMFACTOR_SHAPE_] = {cut->items[0], cut->items[1], (size_t)cut->split, cut->lanes,
                                                    cut->columns,  cut->rows,     cut->triangles};
  convk_formfactor_arguments_ a = convk_cl_form_arguments_(job);
  convk_cl_args_ args = convk_cl_formfactor_program_(chain->cl, job, CONVK_CL_FORMFACTOR_PRODUCT_, shape);
  const size_t x = args.p->choice[0], y = args.p->choice[1], tiles_y = convk_ceil_(job->axes.rows, y * cut->rows);
  a.tiles_x = convk_ceil_(job->axes.n[0], x * cut->columns * cut->lanes);
  a.table = cut->table;
  a.partial = cut->partial + cut->batch / CONVK_FORMFACTOR_BLOCK_ * 6 * job->axes.n[0]; /* behind those of the moments */
  a.at = at;
  a.blocks = blocks;
  a.first = first;
  convk_cl_put_form_(&args, chain->cl, job, &a);
  return convk_cl_launch_(chain, &args, (size_t)a.tiles_x * tiles_y, x, cut->split ? blocks : 1, y);
}

/* F from all sums. */
CONVK_LOCAL_ int convk_cl_formfactor_last_(convk_cl_chain_ *chain, const convk_cl_form_ *job) {
  const convk_formfactor_arguments_ a = convk_cl_form_arguments_(job);
  convk_cl_args_ args = convk_cl_formfactor_program_(chain->cl, job, CONVK_CL_FORMFACTOR_GRID_, NULL);
  convk_cl_put_form_(&args, chain->cl, job, &a);
  return convk_cl_launch_row_(chain, &args, job->axes.nq, 64);
}

/* The triangles of the job, or of one part of the mesh, in batches. */
CONVK_LOCAL_ int convk_cl_formfactor_grid_run_(convk_cl_chain_ *chain, const convk_cl_form_ *job) {
  const size_t block = CONVK_FORMFACTOR_BLOCK_, moments = 6 * job->axes.n[0], nq = job->axes.nq;
  convk_cl_formfactor_cut_ cut;
  size_t at = 0;
  int status = convk_cl_formfactor_cut_of_(chain->cl, job, &cut);
  if (status == CONVK_ERR_UNSUPPORTED) return convk_cl_little_(chain->cl);
  do {
    const size_t left = job->n - at, blocks = left < cut.batch ? convk_ceil_(left, block) : cut.batch / block;
    const int first = job->first && !at;
    if (!status && blocks) status = convk_cl_formfactor_phase_(chain, job, &cut, at, blocks);
    if (!status) status = convk_cl_formfactor_gather_(chain, job, 2 * nq, cut.partial, moments, blocks, first);
    if (!status && blocks) status = convk_cl_formfactor_product_(chain, job, &cut, at, blocks, first);
    if (!status && (cut.split || !blocks))
      status = convk_cl_formfactor_gather_(chain, job, 0, cut.partial + cut.batch / block * moments, 2 * nq, blocks, first);
    at += blocks * block;
  } while (!status && at < job->n);
  return status || !job->last ? status : convk_cl_formfactor_last_(chain, job);
}

/* Bytes of work, which may begin up to 256 bytes before its base. */
CONVK_LOCAL_ int convk_cl_formfactor_need_(convk_cl *cl, const convk_cl_form_ *job, size_t *need) {
  convk_cl_formfactor_cut_ cut;
  int status;
  cut.need = 0;
  status = job->axes.nq ? convk_cl_formfactor_cut_of_(cl, job, &cut)
                        : convk_cl_formfactor_list_need_(cl, job->element, job->n, job->nq, &cut.need);
  if (!status) *need = cut.need + 256;
  return status == CONVK_ERR_UNSUPPORTED ? convk_cl_little_(cl) : status;
}

/* The triangles of the job: first and last say whether sums begin here, and whether F is made. */
CONVK_LOCAL_ int convk_cl_formfactor_start_(convk_cl_chain_ *chain, const convk_cl_form_ *job) {
  convk_cl_form_ turned = *job; /* a grid's arrays in the order of its axes, that of the lanes first */
  size_t d;
  convk_choice_(chain->hw, job->axes.nq ? "formfactor_grid" : "formfactor", job->element, job->tuned[0], job->tuned[1],
                job->tuned[2], 1, turned.choice);
  if (!job->axes.nq) return convk_cl_formfactor_run_(chain, &turned);
  for (d = 0; d < 12; d++) turned.field[d] = job->field[d / 3 * 3 + (size_t)job->axes.axis[d % 3]];
  for (d = 0; d < 3; d++) turned.q[d] = job->q[job->axes.axis[d]];
  return convk_cl_formfactor_grid_run_(chain, &turned);
}
#endif
#if CONVK_HAS_FFT_
/* ---- src/fft/opencl.h ---- */
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

/* OpenCL C 1.2.  Build options: FFT_WHOLE is all of an item's work in local memory, FFT_COLUMNS, FFT_LINES and FFT_BACK are the
   parts of it where an item does not fit; REAL, TRANSFORM (fft2d).  Sizes, radices and SIZE, the items of a group, come as
   options, too, or without NY as arguments.  ONE_ITEM: a group is one work-item, as on processors. */
CONVK_LOCAL_ const char *const *convk_cl_fft_source_(void) {
  static const char *const lines[] = {
    "#line 1 \"fft/kernel.cl\"\n",
    "#include \"device/preamble.cl\"\n",
    "#line 2 \"fft/kernel.cl\"\n",
    "#include \"words/opencl.cl\"\n",
    "#line 3 \"fft/kernel.cl\"\n",
    "#define INLINE static __attribute__((always_inline, unused)) /* constants are to reach everything */\n",
    "#undef CONVK_ELEMENT_\n",
    "#define CONVK_ELEMENT_ INLINE\n",
    "#line 1 \"fft/element.h\"\n",
    "/* A number of the type, also where there are no doubles. */\n",
    "#define CONVK_FFT_REAL_(x) CONVK_OF_(x##f, x)\n",
    "\n",
    "/* Butterflies: the arithmetic of one group of points, with real and imaginary parts apart.  Points are given by pointers to\n",
    "   variables, which take the results. */\n",
    "\n",
    "/* The radix-2 butterfly, a + w b and a - w b: fused, 6 operations, since the difference is 2 a less the sum. */\n",
    "CONVK_ELEMENT_ void convk_fft_butterfly_(CONVK_V wr, CONVK_V wi, CONVK_V *ar, CONVK_V *ai, CONVK_V *br, CONVK_V *bi) {\n",
    "#if CONVK_FUSES_\n",
    "  const CONVK_V two = CONVK_SET_(2), sr = CONVK_FNMA_(wi, *bi, CONVK_FMA_(wr, *br, *ar));\n",
    "  const CONVK_V si = CONVK_FMA_(wi, *br, CONVK_FMA_(wr, *bi, *ai));\n",
    "  *br = CONVK_FMS_(two, *ar, sr);\n",
    "  *bi = CONVK_FMS_(two, *ai, si);\n",
    "  *ar = sr;\n",
    "  *ai = si;\n",
    "#else\n",
    "  const CONVK_V tr = CONVK_FNMA_(wi, *bi, CONVK_MUL_(wr, *br)), ti = CONVK_FMA_(wi, *br, CONVK_MUL_(wr, *bi));\n",
    "  *br = CONVK_SUB_(*ar, tr);\n",
    "  *bi = CONVK_SUB_(*ai, ti);\n",
    "  *ar = CONVK_ADD_(*ar, tr);\n",
    "  *ai = CONVK_ADD_(*ai, ti);\n",
    "#endif\n",
    "}\n",
    "\n",
    "/* w b */\n",
    "CONVK_ELEMENT_ void convk_fft_times_(CONVK_V wr, CONVK_V wi, CONVK_V *br, CONVK_V *bi) {\n",
    "  const CONVK_V tr = CONVK_FNMA_(wi, *bi, CONVK_MUL_(wr, *br));\n",
    "  *bi = CONVK_FMA_(wi, *br, CONVK_MUL_(wr, *bi));\n",
    "  *br = tr;\n",
    "}\n",
    "\n",
    "/* The same for w = 1: a + b and a - b. */\n",
    "CONVK_ELEMENT_ void convk_fft_butterfly_1_(CONVK_V *ar, CONVK_V *ai, CONVK_V *br, CONVK_V *bi) {\n",
    "  const CONVK_V dr = CONVK_SUB_(*ar, *br), di = CONVK_SUB_(*ai, *bi);\n",
    "  *ar = CONVK_ADD_(*ar, *br);\n",
    "  *ai = CONVK_ADD_(*ai, *bi);\n",
    "  *br = dr;\n",
    "  *bi = di;\n",
    "}\n",
    "\n",
    "/* For w = -i: a - i b and a + i b. */\n",
    "CONVK_ELEMENT_ void convk_fft_butterfly_i_(CONVK_V *ar, CONVK_V *ai, CONVK_V *br, CONVK_V *bi) {\n",
    "  const CONVK_V dr = CONVK_SUB_(*ar, *bi), di = CONVK_ADD_(*ai, *br);\n",
    "  *ar = CONVK_ADD_(*ar, *bi);\n",
    "  *ai = CONVK_SUB_(*ai, *br);\n",
    "  *br = dr;\n",
    "  *bi = di;\n",
    "}\n",
    "\n",
    "/* For w = exp(-2 pi i turn / 16), 0 < turn < 8. */\n",
    "CONVK_ELEMENT_ void convk_fft_butterfly_16_(const int turn, CONVK_V *ar, CONVK_V *ai, CONVK_V *br, CONVK_V *bi) {\n",
    "  CONVK_CONSTANT_ CONVK_T cosine[8] = {\n",
    "      1, CONVK_FFT_REAL_(0.92387953251128674),  CONVK_FFT_REAL_(0.70710678118654752),  CONVK_FFT_REAL_(0.38268343236508977),\n",
    "      0, -CONVK_FFT_REAL_(0.38268343236508977), -CONVK_FFT_REAL_(0.70710678118654752), -CONVK_FFT_REAL_(0.92387953251128674)};\n",
    "  convk_fft_butterfly_(CONVK_SET_(cosine[turn]), CONVK_SET_(turn < 4 ? -cosine[4 - turn] : -cosine[turn - 4]), ar, ai, br, bi);\n",
    "}\n",
    "\n",
    "/* Butterflies of radix r = 4, 8 or 16 are steps of radix 2, which each join two transforms of half the points.  With h = r / 4,\n",
    "   the first step joins points q and q + 2 h, times their twiddles.  This is the second, which ends radix 4, of points q, q + h,\n",
    "   q + 2 h, q + 3 h, that lie `apart`: frequency k of their transform replaces the k-th of them. */\n",
    "CONVK_ELEMENT_ void convk_fft_radix4_(const int apart, CONVK_V *xr, CONVK_V *xi) {\n",
    "  const CONVK_V tr = xr[apart], ti = xi[apart];\n",
    "  convk_fft_butterfly_i_(&xr[2 * apart], &xi[2 * apart], &xr[3 * apart], &xi[3 * apart]);\n",
    "  xr[apart] = xr[2 * apart];\n",
    "  xi[apart] = xi[2 * apart];\n",
    "  xr[2 * apart] = tr;\n",
    "  xi[2 * apart] = ti;\n",
    "  convk_fft_butterfly_1_(&xr[0], &xi[0], &xr[2 * apart], &xi[2 * apart]);\n",
    "}\n",
    "\n",
    "/* The third step ends radix 8: frequencies k of two transforms of 4 points, side by side for k = 0 .. 3, give k and k + 4. */\n",
    "CONVK_ELEMENT_ void convk_fft_radix8_(CONVK_V *xr, CONVK_V *xi) {\n",
    "  convk_fft_butterfly_1_(&xr[0], &xi[0], &xr[1], &xi[1]);\n",
    "  convk_fft_butterfly_16_(2, &xr[2], &xi[2], &xr[3], &xi[3]);\n",
    "  convk_fft_butterfly_i_(&xr[4], &xi[4], &xr[5], &xi[5]);\n",
    "  convk_fft_butterfly_16_(6, &xr[6], &xi[6], &xr[7], &xi[7]);\n",
    "}\n",
    "\n",
    "/* The third and the fourth end radix 16: frequencies k of four transforms of 4 points give k, k + 8, k + 4, k + 12. */\n",
    "CONVK_ELEMENT_ void convk_fft_radix16_(const int k, CONVK_V *xr, CONVK_V *xi) {\n",
    "  if (k == 0) {\n",
    "    convk_fft_butterfly_1_(&xr[0], &xi[0], &xr[2], &xi[2]);\n",
    "    convk_fft_butterfly_1_(&xr[1], &xi[1], &xr[3], &xi[3]);\n",
    "    convk_fft_butterfly_1_(&xr[0], &xi[0], &xr[1], &xi[1]);\n",
    "    convk_fft_butterfly_i_(&xr[2], &xi[2], &xr[3], &xi[3]);\n",
    "    return;\n",
    "  }\n",
    "  if (k == 2) {\n",
    "    convk_fft_butterfly_i_(&xr[0], &xi[0], &xr[2], &xi[2]);\n",
    "    convk_fft_butterfly_i_(&xr[1], &xi[1], &xr[3], &xi[3]);\n",
    "  } else {\n",
    "    convk_fft_butterfly_16_(2 * k, &xr[0], &xi[0], &xr[2], &xi[2]);\n",
    "    convk_fft_butterfly_16_(2 * k, &xr[1], &xi[1], &xr[3], &xi[3]);\n",
    "  }\n",
    "  convk_fft_butterfly_16_(k, &xr[0], &xi[0], &xr[1], &xi[1]);\n",
    "  convk_fft_butterfly_16_(k + 4, &xr[2], &xi[2], &xr[3], &xi[3]);\n",
    "}\n",
    "\n",
    "/* Where frequency n lies then: those of 8 points are 0 4 1 5 2 6 3 7, so that 4 is at place 1. */\n",
    "#define CONVK_FFT_PLACE_(r, n) ((r) == 16 ? (n) % 4 * 4 + (n) / 4 % 2 * 2 + (n) / 8 : (r) == 8 ? (n) % 4 * 2 + (n) / 4 : (n))\n",
    "\n",
    "/* Here and below loops end at constants, not at r: compilers unroll them before they know r, which calls give as a constant.\n",
    "   Arrays that a loop indexes that is not unrolled would lie in memory. */\n",
    "\n",
    "/* Butterflies of radix r = 3, 5 or 7: sums and differences of points k and r - k. */\n",
    "CONVK_ELEMENT_ void convk_fft_radix_odd_(const int r, CONVK_V *xr, CONVK_V *xi) {\n",
    "  CONVK_CONSTANT_ CONVK_T cosine[3][4] = {\n",
    "      {1, (CONVK_T)-0.5f, 0, 0},\n",
    "      {1, CONVK_FFT_REAL_(0.30901699437494742), -CONVK_FFT_REAL_(0.80901699437494742), 0},\n",
    "      {1, CONVK_FFT_REAL_(0.62348980185873353), -CONVK_FFT_REAL_(0.22252093395631440), -CONVK_FFT_REAL_(0.90096886790241913)}};\n",
    "  CONVK_CONSTANT_ CONVK_T sine[3][4] = {\n",
    "      {0, CONVK_FFT_REAL_(0.86602540378443865), 0, 0},\n",
    "      {0, CONVK_FFT_REAL_(0.95105651629515357), CONVK_FFT_REAL_(0.58778525229247313), 0},\n",
    "      {0, CONVK_FFT_REAL_(0.78183148246802981), CONVK_FFT_REAL_(0.97492791218182361), CONVK_FFT_REAL_(0.43388373911755812)}};\n",
    "  const int half_radix = r / 2;\n",
    "  CONVK_V sr[4], si[4], dr[4], di[4], yr[8], yi[8];\n",
    "  int p, k;\n",
    "  CONVK_UNROLL_\n",
    "  for (k = 1; k < 4; k++) {\n",
    "    if (k > half_radix) continue;\n",
    "    sr[k] = CONVK_ADD_(xr[k], xr[r - k]);\n",
    "    si[k] = CONVK_ADD_(xi[k], xi[r - k]);\n",
    "    dr[k] = CONVK_SUB_(xr[k], xr[r - k]);\n",
    "    di[k] = CONVK_SUB_(xi[k], xi[r - k]);\n",
    "  }\n",
    "  yr[0] = xr[0];\n",
    "  yi[0] = xi[0];\n",
    "  CONVK_UNROLL_\n",
    "  for (k = 1; k < 4; k++) {\n",
    "    if (k > half_radix) continue;\n",
    "    yr[0] = CONVK_ADD_(yr[0], sr[k]);\n",
    "    yi[0] = CONVK_ADD_(yi[0], si[k]);\n",
    "  }\n",
    "  CONVK_UNROLL_\n",
    "  for (p = 1; p < 4; p++) {\n",
    "    CONVK_V ar = xr[0], ai = xi[0], br = ar, bi = ai;\n",
    "    if (p > half_radix) continue;\n",
    "    CONVK_UNROLL_\n",
    "    for (k = 1; k < 4; k++) {\n",
    "      const int turn = p * k % r, fold = turn > half_radix ? r - turn : turn;\n",
    "      if (k > half_radix) continue;\n",
    "      ar = CONVK_FMA_(CONVK_SET_(cosine[half_radix - 1][fold]), sr[k], ar);\n",
    "      ai = CONVK_FMA_(CONVK_SET_(cosine[half_radix - 1][fold]), si[k], ai);\n",
    "    }\n",
    "    CONVK_UNROLL_\n",
    "    for (k = 1; k < 4; k++) {\n",
    "      const int turn = p * k % r, fold = turn > half_radix ? r - turn : turn;\n",
    "      const CONVK_V s = CONVK_SET_(turn > half_radix ? -sine[half_radix - 1][fold] : sine[half_radix - 1][fold]);\n",
    "      if (k > half_radix) continue;\n",
    "#if CONVK_FUSES_\n",
    "      br = CONVK_FMA_(s, di[k], k == 1 ? ar : br);\n",
    "      bi = CONVK_FNMA_(s, dr[k], k == 1 ? ai : bi);\n",
    "#else\n",
    "      br = k == 1 ? CONVK_MUL_(s, di[k]) : CONVK_FMA_(s, di[k], br);\n",
    "      bi = k == 1 ? CONVK_MUL_(s, dr[k]) : CONVK_FMA_(s, dr[k], bi);\n",
    "#endif\n",
    "    }\n",
    "#if CONVK_FUSES_\n",
    "    yr[p] = br;\n",
    "    yi[p] = bi;\n",
    "    yr[r - p] = CONVK_FMS_(CONVK_SET_(2), ar, br);\n",
    "    yi[r - p] = CONVK_FMS_(CONVK_SET_(2), ai, bi);\n",
    "#else\n",
    "    yr[p] = CONVK_ADD_(ar, br);\n",
    "    yi[p] = CONVK_SUB_(ai, bi);\n",
    "    yr[r - p] = CONVK_SUB_(ar, br);\n",
    "    yi[r - p] = CONVK_ADD_(ai, bi);\n",
    "#endif\n",
    "  }\n",
    "  CONVK_EACH_(k, 7) {\n",
    "    if (k >= r) continue;\n",
    "    xr[k] = yr[k];\n",
    "    xi[k] = yi[k];\n",
    "  }\n",
    "}\n",
    "\n",
    "/* All that follows the first step of 2, 4, 8 or 16 points, and a transform of 1, 3, 5 or 7: frequencies in natural order. */\n",
    "CONVK_ELEMENT_ void convk_fft_radix_rest_(const int r, CONVK_V *xr, CONVK_V *xi) {\n",
    "  CONVK_V yr[16], yi[16];\n",
    "  int q;\n",
    "  if (r == 3 || r == 5 || r == 7) convk_fft_radix_odd_(r, xr, xi);\n",
    "  if (r % 4) return;\n",
    "  CONVK_EACH_(q, 4)\n",
    "    if (q < r / 4) convk_fft_radix4_(r / 4, xr + q, xi + q);\n",
    "  if (r == 4) return;\n",
    "  if (r == 8) convk_fft_radix8_(xr, xi);\n",
    "  else {\n",
    "    convk_fft_radix16_(0, xr, xi);\n",
    "    convk_fft_radix16_(1, xr + 4, xi + 4);\n",
    "    convk_fft_radix16_(2, xr + 8, xi + 8);\n",
    "    convk_fft_radix16_(3, xr + 12, xi + 12);\n",
    "  }\n",
    "  CONVK_EACH_(q, 16) {\n",
    "    if (q >= r) continue;\n",
    "    yr[q] = xr[CONVK_FFT_PLACE_(r, q)];\n",
    "    yi[q] = xi[CONVK_FFT_PLACE_(r, q)];\n",
    "  }\n",
    "  CONVK_EACH_(q, 16) {\n",
    "    if (q >= r) continue;\n",
    "    xr[q] = yr[q];\n",
    "    xi[q] = yi[q];\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Two real columns A and B are transformed as Z = A + i B, from which with Z' = conj Z(-k)\n",
    "   2 A = Z + Z' and 2 B = -i (Z - Z'): one of these; m is Z(-k). */\n",
    "CONVK_ELEMENT_ void convk_fft_split_(CONVK_V zr, CONVK_V zi, CONVK_V mr, CONVK_V mi, const int second, CONVK_V *re,\n",
    "                                     CONVK_V *im) {\n",
    "  *re = second ? CONVK_ADD_(zi, mi) : CONVK_ADD_(zr, mr);\n",
    "  *im = second ? CONVK_SUB_(mr, zr) : CONVK_SUB_(zi, mi);\n",
    "}\n",
    "\n",
    "/* And back, to Z(k) and Z(-k). */\n",
    "CONVK_ELEMENT_ void convk_fft_merge_(CONVK_V ar, CONVK_V ai, CONVK_V br, CONVK_V bi, CONVK_V *zr, CONVK_V *zi, CONVK_V *mr,\n",
    "                                     CONVK_V *mi) {\n",
    "  *mr = CONVK_ADD_(ar, bi);\n",
    "  *mi = CONVK_SUB_(br, ai);\n",
    "  *zr = CONVK_SUB_(ar, bi);\n",
    "  *zi = CONVK_ADD_(ai, br);\n",
    "}\n",
    "#undef CONVK_FFT_REAL_\n",
    "#line 7 \"fft/kernel.cl\"\n",
    "\n",
    "#if F64\n",
    "typedef double2 T2;\n",
    "#else\n",
    "typedef float2 T2;\n",
    "#endif\n",
    "#if REAL\n",
    "typedef T V;\n",
    "#else\n",
    "typedef T2 V;\n",
    "#endif\n",
    "\n",
    "#line 1 \"fft/arguments.h\"\n",
    "#ifndef CONVK_FFT_INCLUDED_\n",
    "#define CONVK_FFT_INCLUDED_\n",
    "/* What the kernels of OpenCL take; those of CUDA have pointers, and divisions prepared, in a struct of their own. */\n",
    "\n",
    "/* Passes of an axis.  radices: each less 1 in 4 bits, the first pass lowest; forward, inverse: where twiddles lie. */\n",
    "typedef struct convk_fft_axis_device_ {\n",
    "  uint32_t n, radices, halves, forward[8], inverse[8];\n",
    "} convk_fft_axis_device_;\n",
    "\n",
    "/* Where arrays begin, strides and pitches are in numbers of the type; work: in complex numbers. */\n",
    "typedef struct convk_fft_device_ {\n",
    "  uint64_t in, in_pitch, in_stride, out, out_pitch, out_stride;\n",
    "  uint64_t tables, spectra, spectrum, kernels, per_kernel, index, number, items, work;\n",
    "  uint64_t position_y, position_x; /* in numbers of 32 bits */\n",
    "  uint32_t rows, columns, out_rows, out_columns, pitch;\n",
    "  uint32_t indexed, none, swap, each, chunk, chunks;\n",
    "  uint32_t columns_a, columns_b; /* of the tiles, or of the memory between kernels */\n",
    "  convk_fft_axis_device_ y, x;\n",
    "  uint32_t unused;\n",
    "} convk_fft_device_;\n",
    "#endif\n",
    "#line 20 \"fft/kernel.cl\"\n",
    "typedef convk_fft_axis_device_ axis_of;\n",
    "typedef convk_fft_device_ job_of;\n",
    "\n",
    "#ifdef NY\n",
    "#define SPECIAL\n",
    "#else /* sizes at run time */\n",
    "#define NY e->job->y.n\n",
    "#define NX e->job->x.n\n",
    "#define RADICES_Y e->job->y.radices\n",
    "#define RADICES_X e->job->x.radices\n",
    "#define HALF (e->job->x.halves << 2 | e->job->y.halves)\n",
    "#define ROWS e->job->rows\n",
    "#define COLUMNS e->job->columns\n",
    "#define OUT_ROWS e->job->out_rows\n",
    "#define OUT_COLUMNS e->job->out_columns\n",
    "#define SIZE get_local_size(0)\n",
    "#define RADICES 0x101be\n",
    "#endif\n",
    "#define HALF_Y (HALF)\n",
    "#define HALF_X (HALF >> 2)\n",
    "#define RADIX(radices, i) (((uint)(radices) >> 4 * (i)&15) + 1)\n",
    "#define IF_AFTER(radices, i, k) ((i) < k ? RADIX(radices, k) : 1)\n",
    "#define PART(radices, i) /* the product of later radices */ \\\n",
    "  (int)(IF_AFTER(radices, i, 1) * IF_AFTER(radices, i, 2) * IF_AFTER(radices, i, 3) * IF_AFTER(radices, i, 4) * \\\n",
    "        IF_AFTER(radices, i, 5) * IF_AFTER(radices, i, 6) * IF_AFTER(radices, i, 7))\n",
    "#define MORE(radices, i) ((uint)(radices) >> 4 * (i) != 0)\n",
    "#define PASSES(radices) \\\n",
    "  (1 + MORE(radices, 1) + MORE(radices, 2) + MORE(radices, 3) + MORE(radices, 4) + MORE(radices, 5) + MORE(radices, 6) + \\\n",
    "   MORE(radices, 7))\n",
    "#define PASSES_Y PASSES(RADICES_Y)\n",
    "#define PASSES_X PASSES(RADICES_X)\n",
    "\n",
    "/* Frequencies of y that are transformed along x, and columns of complex numbers: two real ones are one. */\n",
    "#if REAL\n",
    "#define LINES (NY / 2 + 1)\n",
    "#define IN_COLUMNS ((COLUMNS + 1) / 2)\n",
    "#define END_COLUMNS ((OUT_COLUMNS + 1) / 2)\n",
    "#else\n",
    "#define LINES NY\n",
    "#define IN_COLUMNS COLUMNS\n",
    "#define END_COLUMNS OUT_COLUMNS\n",
    "#endif\n",
    "\n",
    "/* What a work-group has: `count` items, and in local memory a: lines along y, by columns, b: lines along x, by columns;\n",
    "   complex numbers have them in one place.  Odd pitches keep neighbours in different banks.  Kernels that do a part of\n",
    "   the work have one item, `many` of its columns or lines from `first` on, and `work` between them. */\n",
    "typedef struct {\n",
    "  const job_of *job;\n",
    "  global const V *in;\n",
    "  global V *out;\n",
    "  global T2 *work;\n",
    "  global const T2 *tables;\n",
    "  global const T *spectra;\n",
    "  global const uint *position_y, *position_x;\n",
    "  local T2 *a, *b;\n",
    "  local ulong *which; /* kernel of each item */\n",
    "  uint count, first, many;\n",
    "  T scale;\n",
    "} group_of;\n",
    "#define PITCH_A (NY | 1)\n",
    "#ifdef FFT_LINES\n",
    "#define PITCH_B (e->job->chunk | 1)\n",
    "#elif REAL\n",
    "#define PITCH_B (LINES | 1)\n",
    "#else\n",
    "#define PITCH_B PITCH_A\n",
    "#endif\n",
    "#define TILE_A (e->job->columns_a * PITCH_A)\n",
    "#define TILE_B (e->job->columns_b * PITCH_B)\n",
    "#define NONE (~(ulong)0)\n",
    "\n",
    "/* Work of a group: line < lines, g < groups of points, item; neighbours have neighbouring lines. */\n",
    "#define INDICES uint item, line, g\n",
    "#if defined ONE_ITEM\n",
    "#define MEET (void)0 /* nobody to wait for */\n",
    "#define EACH(lines, groups) \\\n",
    "  for (item = 0; item < e->count; item++) \\\n",
    "    for (g = 0; g < (uint)(groups); g++) \\\n",
    "      for (line = 0; line < (uint)(lines); line++)\n",
    "#else\n",
    "#if TRANSFORM && defined FFT_LINES /* put_lines writes to `work` what others have read there */\n",
    "#define MEET barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)\n",
    "#else\n",
    "#define MEET barrier(CLK_LOCAL_MEM_FENCE)\n",
    "#endif\n",
    "#define EACH(lines, groups) \\\n",
    "  for (uint u = get_local_id(0); line = u % (uint)(lines), g = u / (uint)(lines) % (uint)(groups), \\\n",
    "            item = u / (uint)(lines) / (uint)(groups), item < e->count; \\\n",
    "       u += (uint)SIZE)\n",
    "#endif\n",
    "\n",
    "/* f is inlined for each radix that there may be. */\n",
    "#define CASE(R, f, ...) \\\n",
    "  if ((RADICES >> R & 1) && r == R) f(R, __VA_ARGS__);\n",
    "#define BY_RADIX(f, ...) \\\n",
    "  CASE(1, f, __VA_ARGS__) \\\n",
    "  CASE(2, f, __VA_ARGS__) CASE(3, f, __VA_ARGS__) CASE(4, f, __VA_ARGS__) CASE(5, f, __VA_ARGS__) CASE(7, f, __VA_ARGS__) \\\n",
    "      CASE(8, f, __VA_ARGS__) CASE(16, f, __VA_ARGS__)\n",
    "\n",
    "/* A transform of r points; halved: the upper half is zero.  All passes but the first have twiddles. */\n",
    "INLINE void fft_points(const int r, const int halved, T *xr, T *xi, const int turn, global const T2 *w) {\n",
    "  const int h = r % 2 ? r : r / 2;\n",
    "  int q;\n",
    "  if (turn)\n",
    "#pragma unroll\n",
    "    for (q = 1; q < 8; q++)\n",
    "      if (q < h) convk_fft_times_(w[q - 1].x, w[q - 1].y, &xr[q], &xi[q]);\n",
    "#pragma unroll\n",
    "  for (q = 1; q < 16; q++) {\n",
    "    if (q < h || q >= r) continue;\n",
    "    if (halved) {\n",
    "      xr[q] = xr[q - h];\n",
    "      xi[q] = xi[q - h];\n",
    "    } else if (turn) convk_fft_butterfly_(w[q - 1].x, w[q - 1].y, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);\n",
    "    else convk_fft_butterfly_1_(&xr[q - h], &xi[q - h], &xr[q], &xi[q]);\n",
    "  }\n",
    "  convk_fft_radix_rest_(r, xr, xi);\n",
    "}\n",
    "\n",
    "/* A point of the field. */\n",
    "INLINE T2 field(const group_of *e, uint item, uint column, uint row) {\n",
    "  const ulong at = item * e->job->in_stride + row * e->job->in_pitch;\n",
    "  if (row >= ROWS) return (T2)(0, 0);\n",
    "#if REAL\n",
    "  return (T2)(e->in[at + 2 * column], 2 * column + 1 < COLUMNS ? e->in[at + 2 * column + 1] : 0);\n",
    "#else\n",
    "  return TRANSFORM && e->job->swap ? e->in[at + column].yx : e->in[at + column];\n",
    "#endif\n",
    "}\n",
    "\n",
    "INLINE T2 unpack(T2 z, T2 m, int second) {\n",
    "  T re, im;\n",
    "  convk_fft_split_(z.x, z.y, m.x, m.y, second, &re, &im);\n",
    "  return (T2)(re, im);\n",
    "}\n",
    "\n",
    "/* Where frequencies k and -k of line k lie. */\n",
    "#define PLACES(k) const uint at_z = e->position_y[k], at_m = e->position_y[(k) ? NY - (k) : 0]\n",
    "\n",
    "/* Point `column` of a line along x, before and after it. */\n",
    "INLINE T2 enter_x(const group_of *e, uint item, uint column, uint line, uint at_z, uint at_m) {\n",
    "  if (column >= COLUMNS) return (T2)(0, 0);\n",
    "#ifdef FFT_LINES\n",
    "  return e->work[(ulong)column * LINES + e->first + line];\n",
    "#elif REAL\n",
    "  const local T2 *p = e->a + item * TILE_A + column / 2 * PITCH_A;\n",
    "  return unpack(p[at_z], p[at_m], column % 2);\n",
    "#else\n",
    "  return e->a[item * TILE_A + column * PITCH_A + line];\n",
    "#endif\n",
    "}\n",
    "\n",
    "INLINE void leave_x(const group_of *e, uint item, uint column, uint line, T2 v) {\n",
    "#ifdef FFT_LINES\n",
    "  if (column < e->job->columns_b) e->work[(ulong)column * LINES + e->first + line] = v;\n",
    "#else\n",
    "  if (column < e->job->columns_b) e->b[item * TILE_B + column * PITCH_B + line] = v;\n",
    "#endif\n",
    "}\n",
    "\n",
    "/* A point of the result. */\n",
    "INLINE void leave_y(const group_of *e, uint item, uint column, uint row, T2 v) {\n",
    "  const ulong at = item * e->job->out_stride + row * e->job->out_pitch;\n",
    "  if (row >= OUT_ROWS || e->which[item] == NONE) return;\n",
    "#if REAL\n",
    "  e->out[at + 2 * column] = v.x;\n",
    "  if (2 * column + 1 < OUT_COLUMNS) e->out[at + 2 * column + 1] = v.y;\n",
    "#else\n",
    "  e->out[at + column] = v;\n",
    "#endif\n",
    "}\n",
    "\n",
    "/* r points times the spectrum, from point `at` of x on; then real and imaginary parts are exchanged. */\n",
    "INLINE void turn_round(const int r, const group_of *e, uint item, uint at, uint line, T *xr, T *xi) {\n",
    "  const ulong kernel_of = e->which[item] == NONE ? 0 : e->which[item];\n",
    "  global const T *f = e->spectra + kernel_of * e->job->spectrum + 2 * at * e->job->pitch + e->first + line;\n",
    "  int q;\n",
    "  CONVK_EACH_(q, 16)\n",
    "    if (q < r) {\n",
    "      T t = xr[q];\n",
    "      convk_fft_times_(f[2 * q * e->job->pitch], f[(2 * q + 1) * e->job->pitch], &t, &xi[q]);\n",
    "      xr[q] = xi[q];\n",
    "      xi[q] = t;\n",
    "    }\n",
    "}\n",
    "\n",
    "/* Where the twiddles of pass i lie.  Nothing is indexed by what is not constant: that would copy the arguments to memory. */\n",
    "INLINE uint twiddles_of(const job_of *job, int along_x, int back, int i) {\n",
    "  uint at = 0;\n",
    "  int k;\n",
    "  CONVK_EACH_(k, 8) {\n",
    "    const uint x = back ? job->x.inverse[k] : job->x.forward[k], y = back ? job->y.inverse[k] : job->y.forward[k];\n",
    "    if (i == k) at = along_x ? x : y;\n",
    "  }\n",
    "  return at;\n",
    "}\n",
    "\n",
    "/* Passes of an item: along y there, along x there and back (the last there is the first back), along y back.  The way\n",
    "   back is that there with real and imaginary parts exchanged. */\n",
    "#define STEPS_X (TRANSFORM ? PASSES_X : 2 * PASSES_X - 1)\n",
    "#define STEPS (PASSES_Y + STEPS_X + (TRANSFORM ? 0 : PASSES_Y))\n",
    "\n",
    "INLINE void fft_step(const int n, const group_of *e) {\n",
    "  const int along_x = n >= PASSES_Y && n < PASSES_Y + STEPS_X;\n",
    "  const int k = along_x ? n - PASSES_Y : n < PASSES_Y ? n : n - STEPS_X; /* of this axis */\n",
    "  const int last = (along_x ? PASSES_X : PASSES_Y) - 1, back = k > last, i = back ? 2 * last + !along_x - k : k;\n",
    "  const int r = RADIX(along_x ? RADICES_X : RADICES_Y, i), part = PART(along_x ? RADICES_X : RADICES_Y, i);\n",
    "  const int turns = TRANSFORM ? 0 : along_x && k == last, leaves = TRANSFORM ? 0 : (back | turns) && i == 0;\n",
    "  const int halves = along_x ? HALF_X : HALF_Y, twiddles = back ? part > 1 : i > 0;\n",
    "  const uint step = along_x ? PITCH_B : 1;\n",
    "  global const T2 *w = e->tables + twiddles_of(e->job, along_x, back, i) / 2;\n",
    "  INDICES;\n",
    "  EACH(e->many, (along_x ? NX : NY) / r) {\n",
    "    const uint block = g / part, j = g % part, at = block * r * part + j;\n",
    "    local T2 *p = along_x ? e->b + item * TILE_B + line : e->a + item * TILE_A + line * PITCH_A;\n",
    "    T xr[16], xi[16];\n",
    "    int q, way;\n",
    "#if REAL && defined FFT_WHOLE\n",
    "    PLACES(along_x ? line : 0);\n",
    "#else\n",
    "    const uint at_z = 0, at_m = 0;\n",
    "#endif\n",
    "    CONVK_EACH_(q, 16)\n",
    "      if (q < (k == 0 && halves & 1 ? r / 2 : r)) {\n",
    "        const uint point = at + q * part;\n",
    "        const T2 v = k         ? p[point * step]\n",
    "                     : along_x ? enter_x(e, item, point, line, at_z, at_m)\n",
    "                               : field(e, item, e->first + line, point);\n",
    "        xr[q] = back ? v.y : v.x;\n",
    "        xi[q] = back ? v.x : v.y;\n",
    "      }\n",
    "    for (way = 0; way <= turns; way++) {\n",
    "      if (way) turn_round(r, e, item, at, line, xr, xi);\n",
    "      BY_RADIX(fft_points, !way && k == 0 && halves & 1, xr, xi, !way && twiddles, w + (back ? j : block) * (r - 1))\n",
    "    }\n",
    "    CONVK_EACH_(q, 16)\n",
    "      if (q < (leaves && halves & 2 ? r / 2 : r)) {\n",
    "        const uint point = at + q * part;\n",
    "        const T2 v = back | turns ? (T2)(xi[q], xr[q]) : (T2)(xr[q], xi[q]);\n",
    "        if (!leaves) p[point * step] = v;\n",
    "        else if (along_x) leave_x(e, item, point, line, v);\n",
    "        else leave_y(e, item, e->first + line, point, v);\n",
    "      }\n",
    "  }\n",
    "  MEET;\n",
    "}\n",
    "\n",
    "/* Passes first .. end - 1, inlined where sizes are constants. */\n",
    "#ifdef SPECIAL\n",
    "#define STEP(n, first, end) \\\n",
    "  if (n >= first && n < end) fft_step(n, e);\n",
    "#define STEPS_FROM(first, end) \\\n",
    "  STEP(0, first, end) \\\n",
    "  STEP(1, first, end) STEP(2, first, end) STEP(3, first, end) STEP(4, first, end) STEP(5, first, end) STEP(6, first, end) \\\n",
    "      STEP(7, first, end) STEP(8, first, end) STEP(9, first, end) STEP(10, first, end) STEP(11, first, end) \\\n",
    "          STEP(12, first, end) STEP(13, first, end) STEP(14, first, end) STEP(15, first, end) STEP(16, first, end) \\\n",
    "              STEP(17, first, end) STEP(18, first, end) STEP(19, first, end) STEP(20, first, end) STEP(21, first, end) \\\n",
    "                  STEP(22, first, end) STEP(23, first, end) STEP(24, first, end) STEP(25, first, end) STEP(26, first, end) \\\n",
    "                      STEP(27, first, end) STEP(28, first, end) STEP(29, first, end) STEP(30, first, end)\n",
    "#else\n",
    "#define STEPS_FROM(first, end) \\\n",
    "  for (int n = first; n < end; n++) fft_step(n, e);\n",
    "#endif\n",
    "\n",
    "#if TRANSFORM && defined FFT_LINES\n",
    "INLINE void put_lines(const group_of *e) {\n",
    "  INDICES;\n",
    "  EACH(e->many, NX) leave_x(e, item, g, line, e->b[item * TILE_B + line + g * PITCH_B]);\n",
    "}\n",
    "#endif\n",
    "\n",
    "#if TRANSFORM && (defined FFT_WHOLE || defined FFT_BACK)\n",
    "/* The result in natural order. */\n",
    "INLINE void put_result(const group_of *e) {\n",
    "  INDICES;\n",
    "  EACH(e->many, NY) {\n",
    "    const uint column = e->first + line;\n",
    "#ifdef FFT_WHOLE\n",
    "    T2 v = e->a[item * TILE_A + e->position_x[column] * PITCH_A + e->position_y[g]];\n",
    "#else\n",
    "    T2 v = e->a[line * PITCH_A + e->position_y[g]];\n",
    "#endif\n",
    "    if (e->job->swap) v = (T2)(v.y * e->scale, v.x * e->scale);\n",
    "    e->out[item * e->job->out_stride + g * e->job->out_pitch + column] = v;\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef FFT_COLUMNS\n",
    "/* Columns go to `work`. */\n",
    "INLINE void put_columns(const group_of *e) {\n",
    "  INDICES;\n",
    "  EACH(LINES, e->many) {\n",
    "    const local T2 *p = e->a + g * PITCH_A;\n",
    "#if REAL\n",
    "    global T2 *to = e->work + 2 * (ulong)(e->first + g) * LINES + line;\n",
    "    PLACES(line);\n",
    "    to[0] = unpack(p[at_z], p[at_m], 0);\n",
    "    if (2 * (e->first + g) + 1 < COLUMNS) to[LINES] = unpack(p[at_z], p[at_m], 1);\n",
    "#else\n",
    "    e->work[(ulong)(e->first + g) * LINES + line] = p[line];\n",
    "#endif\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#if defined FFT_BACK || (REAL && defined FFT_WHOLE)\n",
    "/* Columns for the way back along y; of real ones frequencies k and -k of A + i B. */\n",
    "INLINE void take_columns(const group_of *e) {\n",
    "  INDICES;\n",
    "  EACH(LINES, e->many) {\n",
    "    local T2 *p = e->a + item * TILE_A + g * PITCH_A;\n",
    "    const uint column = e->first + g;\n",
    "#if REAL\n",
    "    const int both = 2 * column + 1 < OUT_COLUMNS;\n",
    "#ifdef FFT_WHOLE\n",
    "    const local T2 *from = e->b + item * TILE_B + 2 * column * PITCH_B + line;\n",
    "    const T2 a = from[0], b = both ? from[PITCH_B] : (T2)(0, 0);\n",
    "#else\n",
    "    global const T2 *from = e->work + 2 * (ulong)column * LINES + line;\n",
    "    const T2 a = from[0], b = both ? from[LINES] : (T2)(0, 0);\n",
    "#endif\n",
    "    PLACES(line);\n",
    "    T zr, zi, mr, mi;\n",
    "    convk_fft_merge_(a.x, a.y, b.x, b.y, &zr, &zi, &mr, &mi);\n",
    "    p[at_m] = (T2)(mr, mi);\n",
    "    p[at_z] = (T2)(zr, zi);\n",
    "#else\n",
    "    p[line] = e->work[(ulong)(TRANSFORM ? e->position_x[column] : column) * LINES + line];\n",
    "#endif\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef SPECIAL\n",
    "#define SHAPE __attribute__((reqd_work_group_size(SIZE, 1, 1)))\n",
    "#else\n",
    "#define SHAPE\n",
    "#endif\n",
    "kernel SHAPE void fft(const job_of job, T scale, global const V *in, global V *out, global const T *tables,\n",
    "                      global const T *spectra, global const uint *positions, global const ulong *index, global T2 *work,\n",
    "                      local T2 *a, local T2 *b, local ulong *which) {\n",
    "  group_of group, *e = &group;\n",
    "#if !TRANSFORM\n",
    "  uint i;\n",
    "#endif\n",
    "#ifdef FFT_WHOLE\n",
    "  const ulong item = get_group_id(0) * (ulong)job.each;\n",
    "  group.count = job.items - item < job.each ? (uint)(job.items - item) : job.each;\n",
    "  group.first = 0;\n",
    "#else\n",
    "  const ulong item = get_group_id(0) / job.chunks;\n",
    "  group.count = 1;\n",
    "  group.first = (uint)(get_group_id(0) % job.chunks) * job.chunk;\n",
    "#endif\n",
    "  group.job = &job;\n",
    "  group.in = in + job.in + item * job.in_stride;\n",
    "  group.out = out + job.out + item * job.out_stride;\n",
    "  group.tables = (global const T2 *)(tables + job.tables);\n",
    "  group.spectra = spectra + job.spectra;\n",
    "  group.position_y = positions + job.position_y;\n",
    "  group.position_x = positions + job.position_x;\n",
    "  group.a = a;\n",
    "#if REAL || defined FFT_LINES\n",
    "  group.b = b;\n",
    "#else\n",
    "  group.b = a;\n",
    "#endif\n",
    "  group.which = which;\n",
    "  group.scale = scale;\n",
    "  group.work = work + job.work + item * job.columns_b * LINES;\n",
    "#if !TRANSFORM\n",
    "  for (i = (uint)get_local_id(0); i < group.count; i += (uint)SIZE) {\n",
    "    ulong k = 0;\n",
    "    if (job.indexed) k = index[job.index + item + i];\n",
    "    else if (job.kernels > 1) k = (job.number + item + i) / job.per_kernel;\n",
    "    which[i] = k < job.kernels ? k : NONE;\n",
    "  }\n",
    "#endif\n",
    "  MEET;\n",
    "#ifdef FFT_WHOLE\n",
    "  group.many = IN_COLUMNS;\n",
    "  STEPS_FROM(0, PASSES_Y)\n",
    "  group.many = LINES;\n",
    "  STEPS_FROM(PASSES_Y, PASSES_Y + STEPS_X)\n",
    "  group.many = END_COLUMNS;\n",
    "#if REAL\n",
    "  take_columns(e);\n",
    "  MEET;\n",
    "#endif\n",
    "#if TRANSFORM\n",
    "  put_result(e);\n",
    "#else\n",
    "  STEPS_FROM(PASSES_Y + STEPS_X, STEPS)\n",
    "#endif\n",
    "#elif defined FFT_COLUMNS\n",
    "  group.many = IN_COLUMNS - group.first < job.chunk ? IN_COLUMNS - group.first : job.chunk;\n",
    "  STEPS_FROM(0, PASSES_Y)\n",
    "  put_columns(e);\n",
    "#elif defined FFT_LINES\n",
    "  group.many = LINES - group.first < job.chunk ? LINES - group.first : job.chunk;\n",
    "  STEPS_FROM(PASSES_Y, PASSES_Y + STEPS_X)\n",
    "#if TRANSFORM\n",
    "  put_lines(e);\n",
    "#endif\n",
    "#else\n",
    "  group.many = END_COLUMNS - group.first < job.chunk ? END_COLUMNS - group.first : job.chunk;\n",
    "  take_columns(e);\n",
    "  MEET;\n",
    "#if TRANSFORM\n",
    "  put_result(e);\n",
    "#else\n",
    "  STEPS_FROM(PASSES_Y + STEPS_X, STEPS)\n",
    "#endif\n",
    "#endif\n",
    "}\n",
      NULL};
  return lines;
}

/* One checked call. */
typedef struct convk_cl_fft_ {
  size_t element, items;
  int transform, inverse;
  convk_fft_plan_ plan;
  convk_batch2d full;
  convk_cl_array in, out, index, work; /* work: offset in bytes */
  cl_mem tables, spectra;              /* the plan as far as its tables, and spectra */
  size_t begin;                        /* bytes before the plan */
  size_t spectra_offset;               /* in elements */
} convk_cl_fft_;

enum { CONVK_CL_FFT_WHOLE_ = 0, CONVK_CL_FFT_COLUMNS_ = 1, CONVK_CL_FFT_LINES_ = 2, CONVK_CL_FFT_BACK_ = 3 };
/* Of these numbers no measurement is recorded. */
#define CONVK_CL_FFT_WORK_ ((size_t)32 << 20) /* bytes between kernels, about: what caches hold */
enum {
  CONVK_CL_FFT_SMALL_ = 8192, /* bytes of a group's work on processors: less, and several items share it */
  CONVK_CL_FFT_NUMBERS_ = 64, /* complex numbers of a group's first pass on GPUs, which fill a wave of 64 */
  CONVK_CL_FFT_SHARES_ = 4,   /* groups for each compute unit, at least, before items share one */
  CONVK_CL_FFT_ITEMS_ = 256,  /* work-items of a group, at most */
  CONVK_CL_FFT_X_ = 32,       /* lines of a group along x, and columns along y */
  CONVK_CL_FFT_Y_ = 16
};

/* How a call is cut: `each` items to a group, or `chunk` columns (lines) of one; `batch` items in a launch. */
typedef struct convk_cl_fft_cut_ {
  int whole;
  size_t columns_a, columns_b, tile_a, tile_b; /* of tiles; in bytes */
  size_t each, batch, bytes, chunk[4];
  size_t group; /* work-items of a group, 0: by its work */
} convk_cl_fft_cut_;

/* Bytes of local memory of a launch: for lines along y, for lines along x, and for which kernel each item has.  What a kernel
   does not use has one word. */
CONVK_LOCAL_ size_t convk_cl_fft_local_(const convk_fft_plan_ *plan, const convk_cl_fft_cut_ *cut, int kind, size_t element,
                                        size_t local[3]) {
  const size_t number = 2 * element, chunk = cut->chunk[kind];
  local[0] = local[1] = sizeof(cl_ulong);
  local[2] = cut->each * sizeof(cl_ulong);
  if (kind == CONVK_CL_FFT_LINES_) local[1] = plan->axis[1].n * (chunk | 1) * number;
  else if (kind != CONVK_CL_FFT_WHOLE_) local[0] = chunk * (plan->axis[0].n | 1) * number;
  else local[0] = cut->each * cut->tile_a;
  if (kind == CONVK_CL_FFT_WHOLE_ && cut->tile_b) local[1] = cut->each * cut->tile_b;
  return local[0] + local[1] + local[2];
}

/* Whether a launch of groups of `each` items, or `chunk` columns (lines), has enough local memory. */
CONVK_LOCAL_ int convk_cl_fft_fits_(const convk_cl *cl, const convk_fft_plan_ *plan, convk_cl_fft_cut_ *cut, int kind,
                                    size_t element, size_t each, size_t chunk) {
  size_t local[3];
  cut->each = each;
  cut->chunk[kind] = chunk;
  return convk_cl_fft_local_(plan, cut, kind, element, local) <= cl->local_bytes;
}

/* Complex numbers have lines along y and along x in one place, real ones side by side.  Small items share a group. */
CONVK_LOCAL_ int convk_cl_fft_cut_of_(convk_cl *cl, const convk_fft_plan_ *plan, size_t element, size_t items,
                                      const long *choice, convk_cl_fft_cut_ *cut) {
  const convk_fft_axis_ *y = &plan->axis[0], *x = &plan->axis[1];
  const size_t in = convk_fft_columns_(plan, plan->columns), out = convk_fft_columns_(plan, plan->out_columns);
  const size_t max_columns = plan->columns > plan->out_columns ? plan->columns : plan->out_columns;
  const size_t number = 2 * element, column = (y->n | 1) * number;
  const size_t wanted = cl->cpu ? (size_t)CONVK_CL_FFT_SMALL_ : CONVK_CL_FFT_NUMBERS_ * number; /* bytes of a group */
  size_t bytes, each = 1;
  int kind;
  memset(cut, 0, sizeof *cut);
  cut->columns_b = !plan->kernels || x->passes > 1 ? x->n : max_columns;
  cut->columns_a = plan->real ? (in > out ? in : out) : cut->columns_b;
  cut->tile_a = cut->columns_a * column;
  cut->tile_b = plan->real ? cut->columns_b * (plan->lines | 1) * number : 0;
  cut->batch = (size_t)1 << 24;
  cut->group = convk_tuned_power_(choice[CONVK_TUNE_GROUP_X], 32, CONVK_CL_FFT_ITEMS_, 0);
  cut->whole = convk_cl_fft_fits_(cl, plan, cut, CONVK_CL_FFT_WHOLE_, element, each, 0);
  if (cut->whole) {
    const size_t work = cl->cpu ? cut->tile_a + cut->tile_b : plan->lines * x->n / (size_t)x->radix[0] * number;
    const size_t tuned = choice[CONVK_TUNE_CHUNK] > 64 ? 64 : (size_t)choice[CONVK_TUNE_CHUNK];
    while (each < tuned && convk_cl_fft_fits_(cl, plan, cut, CONVK_CL_FFT_WHOLE_, element, each + 1, 0)) each++;
    while (!tuned && each * work < wanted && each * CONVK_CL_FFT_SHARES_ * cl->compute_units < items &&
           convk_cl_fft_fits_(cl, plan, cut, CONVK_CL_FFT_WHOLE_, element, 2 * each, 0))
      each *= 2;
    cut->each = each;
    return CONVK_OK;
  }
  cut->columns_b = !plan->kernels ? x->n : max_columns;
  bytes = cut->columns_b * plan->lines * number; /* of an item between kernels; sizes are at most 1024 */
  cut->batch = CONVK_CL_FFT_WORK_ / bytes ? CONVK_CL_FFT_WORK_ / bytes : 1;
  if (cut->batch > items) cut->batch = items;
  if (convk_mul_(cut->batch, bytes, &cut->bytes)) return CONVK_ERR_OVERFLOW;
  for (kind = CONVK_CL_FFT_COLUMNS_; kind <= CONVK_CL_FFT_BACK_; kind++) { /* or what there is room for */
    const size_t total = kind == CONVK_CL_FFT_LINES_ ? plan->lines : kind == CONVK_CL_FFT_COLUMNS_ ? in : out;
    size_t chunk = kind == CONVK_CL_FFT_LINES_ ? CONVK_CL_FFT_X_ : CONVK_CL_FFT_Y_;
    while (chunk > 1 && chunk / 2 >= total) chunk /= 2;
    while (chunk && !convk_cl_fft_fits_(cl, plan, cut, kind, element, 1, chunk)) chunk /= 2;
    if (!chunk) return convk_cl_little_(cl);
  }
  return CONVK_OK;
}

CONVK_LOCAL_ convk_fft_axis_device_ convk_cl_fft_axis_of_(const convk_fft_axis_ *axis) {
  convk_fft_axis_device_ a;
  int i;
  memset(&a, 0, sizeof a);
  a.n = (cl_uint)axis->n;
  a.halves = (cl_uint)((axis->half_in ? 1 : 0) | (axis->half_out ? 2 : 0));
  for (i = 0; i < axis->passes; i++) {
    a.radices |= (cl_uint)(axis->radix[i] - 1) << 4 * i;
    a.forward[i] = (cl_uint)axis->forward[i];
    a.inverse[i] = (cl_uint)axis->inverse[i];
  }
  return a;
}

/* The program of a part, and the items of its groups.  Many kinds of plans share one. */
CONVK_LOCAL_ int convk_cl_fft_build_(convk_cl *cl, const convk_cl_fft_ *job, int kind, const convk_fft_device_ *a, size_t *size,
                                     convk_cl_program_ **p) {
  static const char *const name[4] = {"WHOLE", "COLUMNS", "LINES", "BACK"};
  const convk_fft_plan_ *plan = &job->plan;
  char general[CONVK_CL_KEY_], options[CONVK_CL_KEY_];
  size_t used;
  unsigned radices = 0;
  int status, d, i;
  for (d = 0; d < 2; d++)
    for (i = 0; i < plan->axis[d].passes; i++) radices |= 1u << plan->axis[d].radix[i];
  for (;;) {
    (void)snprintf(general, sizeof general, "-DFFT_%s -DT=%s -DF64=%d -DREAL=%d -DTRANSFORM=%d%s", name[kind],
                   convk_cl_type_(job->element), job->element == sizeof(cl_double), plan->real, job->transform,
                   *size == 1 ? " -DONE_ITEM" : "");
    used = strlen(general);
    memcpy(options, general, used + 1);
    (void)snprintf(options + used, sizeof options - used,
                   " -DNY=%u -DNX=%u -DRADICES_Y=0x%x -DRADICES_X=0x%x -DHALF=%u -DROWS=%u -DCOLUMNS=%u -DOUT_ROWS=%u "
                   "-DOUT_COLUMNS=%u -DRADICES=0x%x -DSIZE=%u",
                   (unsigned)a->y.n, (unsigned)a->x.n, (unsigned)a->y.radices, (unsigned)a->x.radices,
                   (unsigned)(a->x.halves << 2 | a->y.halves), (unsigned)a->rows, (unsigned)a->columns, (unsigned)a->out_rows,
                   (unsigned)a->out_columns, radices, (unsigned)*size);
    status = convk_cl_kernel_(cl, convk_cl_fft_source_(), "fft", options, general, p);
    if (status || *size <= (*p)->items || *size == 1) return status;
    *size /= 2;
  }
}

CONVK_LOCAL_ int convk_cl_fft_program_(convk_cl *cl, const convk_cl_fft_ *job, int kind, const convk_fft_device_ *a,
                                       size_t *size, convk_cl_program_ **p) {
  uint32_t values[12];
  uint64_t number;
  int status;
  while (*size > 1 && (*size > cl->group_items || *size > cl->group_x)) *size /= 2;
  values[0] = (uint32_t)job->element;
  values[1] = (uint32_t)(job->plan.real | job->transform << 1);
  values[2] = a->y.n;
  values[3] = a->x.n;
  values[4] = a->y.radices;
  values[5] = a->x.radices;
  values[6] = a->x.halves << 2 | a->y.halves;
  values[7] = a->rows;
  values[8] = a->columns;
  values[9] = a->out_rows;
  values[10] = a->out_columns;
  values[11] = (uint32_t)*size;
  number = convk_cl_number_((unsigned)(CONVK_CL_FFT_ + kind), values, 12);
  *p = convk_cl_known_(cl, number);
  if (*p) {
    *size = (*p)->choice[0];
    return CONVK_OK;
  }
  status = convk_cl_fft_build_(cl, job, kind, a, size, p);
  if (!status) convk_cl_remember_(cl, number, *p, size, 1);
  return status;
}

/* One part for `items` items from `done` of the arrays on. */
CONVK_LOCAL_ int convk_cl_fft_launch_(convk_cl_chain_ *chain, const convk_cl_fft_ *job, const convk_cl_fft_cut_ *cut, int kind,
                                      size_t done, size_t items) {
  const convk_fft_plan_ *plan = &job->plan;
  const int along_x = kind == CONVK_CL_FFT_WHOLE_ || kind == CONVK_CL_FFT_LINES_;
  const convk_fft_axis_ *axis = &plan->axis[along_x];
  const size_t total = kind == CONVK_CL_FFT_COLUMNS_ ? convk_fft_columns_(plan, plan->columns)
                       : kind == CONVK_CL_FFT_BACK_  ? convk_fft_columns_(plan, plan->out_columns)
                                                     : plan->lines;
  const size_t chunk = cut->whole ? total : cut->chunk[kind], chunks = cut->whole ? 1 : convk_ceil_(total, chunk);
  size_t local[3], size = cut->each * chunk * axis->n / (size_t)axis->radix[0];
  convk_cl_program_ *p = NULL;
  convk_fft_device_ of;
  convk_cl_args_ args;
  int status, i;
  memset(&of, 0, sizeof of);
  of.in = job->in.offset + done * job->full.in_stride;
  of.in_pitch = job->full.in_pitch;
  of.in_stride = job->full.in_stride;
  of.out = job->out.offset + done * job->full.out_stride;
  of.out_pitch = job->full.out_pitch;
  of.out_stride = job->full.out_stride;
  of.tables = (job->begin + plan->tables) / job->element;
  of.spectra = job->spectra_offset;
  of.spectrum = plan->spectrum;
  of.kernels = plan->kernels;
  of.per_kernel = job->full.items_per_kernel ? job->full.items_per_kernel : 1;
  of.index = job->index.offset + done;
  of.number = done;
  of.items = items;
  of.work = job->work.offset / (2 * job->element);
  of.rows = (cl_uint)plan->rows;
  of.columns = (cl_uint)plan->columns;
  of.out_rows = (cl_uint)plan->out_rows;
  of.out_columns = (cl_uint)plan->out_columns;
  of.pitch = (cl_uint)plan->pitch;
  of.position_y = (job->begin + plan->position[0]) / sizeof(cl_uint);
  of.position_x = (job->begin + plan->position[1]) / sizeof(cl_uint);
  of.indexed = job->index.mem != NULL;
  of.swap = job->inverse != 0;
  of.each = (cl_uint)cut->each;
  of.chunk = (cl_uint)chunk;
  of.chunks = (cl_uint)chunks;
  of.columns_a = (cl_uint)cut->columns_a;
  of.columns_b = (cl_uint)cut->columns_b;
  of.y = convk_cl_fft_axis_of_(&plan->axis[0]);
  of.x = convk_cl_fft_axis_of_(&plan->axis[1]);
  if (cut->group) size = cut->group;
  if (size > CONVK_CL_FFT_ITEMS_) size = CONVK_CL_FFT_ITEMS_;
  size = chain->cl->cpu ? 1 : convk_round_up_(size, 32);
  status = convk_cl_fft_program_(chain->cl, job, kind, &of, &size, &p);
  if (status) return status;
  args = convk_cl_args_of_(CONVK_OK, p);
  convk_cl_put_(&args, sizeof of, &of);
  convk_cl_put_real_(&args, job->element, convk_fft_scale_(plan, job->inverse ? CONVK_INVERSE : CONVK_FORWARD));
  convk_cl_put_mem_(&args, job->in.mem);
  convk_cl_put_mem_(&args, job->out.mem);
  convk_cl_put_mem_(&args, job->tables);
  convk_cl_put_mem_(&args, job->spectra ? job->spectra : job->tables); /* what is not there is not read */
  convk_cl_put_mem_(&args, job->tables);
  convk_cl_put_mem_(&args, job->index.mem ? job->index.mem : job->tables);
  convk_cl_put_mem_(&args, job->work.mem ? job->work.mem : job->out.mem);
  (void)convk_cl_fft_local_(plan, cut, kind, job->element, local);
  for (i = 0; i < 3; i++) convk_cl_put_local_(&args, local[i]);
  return convk_cl_launch_(chain, &args, cut->whole ? convk_ceil_(items, cut->each) : items * chunks, size, 1, 1);
}

CONVK_LOCAL_ int convk_cl_fft_run_(convk_cl_chain_ *chain, const convk_cl_fft_ *job, const convk_cl_fft_cut_ *cut) {
  size_t done, items;
  int status = CONVK_OK, kind;
  for (done = 0; done < job->items && !status; done += items) {
    items = job->items - done < cut->batch ? job->items - done : cut->batch;
    if (cut->whole) status = convk_cl_fft_launch_(chain, job, cut, CONVK_CL_FFT_WHOLE_, done, items);
    else
      for (kind = CONVK_CL_FFT_COLUMNS_; kind <= CONVK_CL_FFT_BACK_ && !status; kind++)
        status = convk_cl_fft_launch_(chain, job, cut, kind, done, items);
  }
  return status;
}

CONVK_LOCAL_ void convk_cl_fft_job_(const convk_fft_plan_ *p, size_t element, int direction, const convk_batch2d *full,
                                    convk_cl_fft_ *job) {
  memset(job, 0, sizeof *job);
  job->element = element;
  job->items = full->items;
  job->plan = *p;
  job->full = *full;
  job->transform = !p->kernels;
  job->inverse = direction == CONVK_INVERSE;
}

/* ---- what device.h calls ---- */

CONVK_LOCAL_ int convk_cl_fft_need_(convk_cl *cl, const convk_fft_plan_ *p, size_t element, size_t items, size_t *bytes) {
  const long choice[CONVK_TUNE_COUNT] = {0, 0, 0, 0, 0, 0}; /* none changes the work */
  convk_cl_fft_cut_ cut;
  const int status = convk_cl_fft_cut_of_(cl, p, element, items, choice, &cut);
  if (!status) *bytes = cut.bytes ? cut.bytes + 256 : 0;
  return status;
}

CONVK_LOCAL_ int convk_cl_fft_start_(convk_cl_call_ *call, const convk_fft_plan_ *p, size_t element, convk_cl_array device_plan,
                                     int direction, const convk_batch2d *full, convk_cl_array kernel, convk_cl_array in,
                                     convk_cl_array out, convk_cl_array work, size_t work_size) {
  convk_cl_fft_ job;
  convk_cl_fft_cut_ cut;
  convk_place_ place;
  long choice[CONVK_TUNE_COUNT];
  int status;
  convk_fft_choice_(call->hw, p, element, call->planes ? call->planes : full->items, choice);
  status = convk_cl_fft_cut_of_(call->cl, p, element, full->items, choice, &cut);
  convk_cl_fft_job_(p, element, direction, full, &job);
  if (!status && cut.bytes) status = convk_cl_work_place_(call, work, work_size, cut.bytes + 256, &place, &job.work);
  if (status) return status;
  job.in = in;
  job.out = out;
  if (p->kernels) job.index = kernel;
  job.tables = job.spectra = device_plan.mem;
  job.begin = device_plan.offset;
  job.spectra_offset = (device_plan.offset + p->spectra) / element;
  return convk_cl_fft_run_(call, &job, &cut);
}
#endif
#if CONVK_HAS_PAIRS_
/* ---- src/pairs/opencl.h ---- */
/* ---- src/pairs/opencl_arguments.h ---- */
#ifndef CONVK_PAIRS_INCLUDED_
#define CONVK_PAIRS_INCLUDED_
/* What all kernels of OpenCL take besides the terms of a system and arrays; those of CUDA have structs of their own.
   p .. edge    of the system, as convk_pairs_terms_ has them; box: its periods
   r .. drift   where arrays begin, in their numbers
   part ..      where parts of work memory begin, in doubles: records, squares and forces of pair_rows, forces of walkers
                force_stride apart, those after a move, where particles would go, and results there */
typedef struct convk_pairs_arguments_ {
  double p[4], shift, hbar2_2m, first, per_spacing, edge[4], box[3], step;
  uint64_t r, to, gradient, result, accept, ln_psi, accepted, drift;
  uint64_t part, square, force, force_stride, after, moved, moved_result;
  uint64_t walkers, pitch, stride, count, seed, sweep; /* count: of distances */
  uint32_t n, entries, particle, want;
  uint32_t pack, blocks, slices, length, members, records, squares;
  uint32_t forces, gradients, chosen, clear, back, periodic, set; /* whether */
  uint32_t first_walker, sweeps;                                  /* first_walker: number of walker 0 among all parts */
} convk_pairs_arguments_;
#endif

/* OpenCL C 1.2.  Build options: PAIR_ROWS and so on choose the kernel; LANES: of vectors on processors; ITEMS and POINTS, the
   shape of a group; KIND, BUMP, PERIODIC, CUT, LOGARITHM and DRIFT: what there is of a system and a run; WANT as in convk.h. */
CONVK_LOCAL_ const char *const *convk_cl_pairs_source_(void) {
  static const char *const lines[] = {
    "#line 1 \"pairs/kernel.cl\"\n",
    "#include \"device/preamble.cl\"\n",
    "#line 2 \"pairs/kernel.cl\"\n",
    "#ifdef LANES\n",
    "#define CONVK_LANES LANES\n",
    "#endif\n",
    "#include \"words/opencl.cl\"\n",
    "#line 6 \"pairs/kernel.cl\"\n",
    "#include \"elementary/coefficients.h\"\n",
    "#line 7 \"pairs/kernel.cl\"\n",
    "\n",
    "#line 1 \"pairs/opencl_arguments.h\"\n",
    "#ifndef CONVK_PAIRS_INCLUDED_\n",
    "#define CONVK_PAIRS_INCLUDED_\n",
    "/* What all kernels of OpenCL take besides the terms of a system and arrays; those of CUDA have structs of their own.\n",
    "   p .. edge    of the system, as convk_pairs_terms_ has them; box: its periods\n",
    "   r .. drift   where arrays begin, in their numbers\n",
    "   part ..      where parts of work memory begin, in doubles: records, squares and forces of pair_rows, forces of walkers\n",
    "                force_stride apart, those after a move, where particles would go, and results there */\n",
    "typedef struct convk_pairs_arguments_ {\n",
    "  double p[4], shift, hbar2_2m, first, per_spacing, edge[4], box[3], step;\n",
    "  uint64_t r, to, gradient, result, accept, ln_psi, accepted, drift;\n",
    "  uint64_t part, square, force, force_stride, after, moved, moved_result;\n",
    "  uint64_t walkers, pitch, stride, count, seed, sweep; /* count: of distances */\n",
    "  uint32_t n, entries, particle, want;\n",
    "  uint32_t pack, blocks, slices, length, members, records, squares;\n",
    "  uint32_t forces, gradients, chosen, clear, back, periodic, set; /* whether */\n",
    "  uint32_t first_walker, sweeps;                                  /* first_walker: number of walker 0 among all parts */\n",
    "} convk_pairs_arguments_;\n",
    "#endif\n",
    "#line 9 \"pairs/kernel.cl\"\n",
    "/* The constants of a system, as in convk.h. */\n",
    "typedef struct {\n",
    "  T period[3], inverse[3], limit, w[4], distant[4], near_by, damp, per_rm, a, alpha, beta, d;\n",
    "  T bump_height, bump_middle, bump_scale;\n",
    "} TERMS;\n",
    "/* What every kernel takes; what is not there is not looked at. */\n",
    "#define ARGUMENTS \\\n",
    "  const convk_pairs_arguments_ args, const TERMS terms, global const double *values, global T *r, global T *to, \\\n",
    "      global T *gradient, global double *result, global double *work, global const uchar *accept, global double *ln_psi, \\\n",
    "      global uint *accepted, global double *drift\n",
    "/* As the enum of convk.h. */\n",
    "#define CONVK_PAIR_LN_PSI 1\n",
    "#define CONVK_PAIR_POTENTIAL_ENERGY 2\n",
    "#define CONVK_PAIR_GRADIENT 4\n",
    "#define CONVK_PAIR_LAPLACIAN 8\n",
    "#define CONVK_PAIR_KINETIC 12\n",
    "#define RECORD 10 /* the sums of pairs, the logarithm of the product, the square of the gradient */\n",
    "#define FOLDED 4  /* of them that pair_rows adds up at a time */\n",
    "\n",
    "#define CONVK_RARE_\n",
    "#define convk_to_bits_(x) as_ulong(x)\n",
    "#define convk_from_bits_(bits) as_double(bits)\n",
    "#line 1 \"core/root.h\"\n",
    "/* ln 2: 32 bits of it, so that products with exponents are exact; and the rest */\n",
    "#define CONVK_LN_2_HIGH_ 6.93147180369123816490e-01\n",
    "#define CONVK_LN_2_LOW_ 1.90821492927058770002e-10\n",
    "\n",
    "/* The square root of a finite x >= 0, to an ulp, without a call that would need -lm: one text for processors and OpenCL.  The\n",
    "   bits shifted to half the exponent are a root within 6.1%, and each step of Newton's leaves half the square of the error. */\n",
    "CONVK_RARE_ double convk_sqrt_(double x) {\n",
    "  double y = convk_from_bits_((convk_to_bits_(x) >> 1) + ((uint64_t)1023 << 51));\n",
    "  int i;\n",
    "  if (!(x > 0)) return 0;\n",
    "  for (i = 0; i < 5; i++) {\n",
    "    const double next = 0.5 * (y + x / y);\n",
    "    if (next == y) break; /* soon where x is a square: 1, 4 and 16 are the first guess */\n",
    "    y = next;\n",
    "  }\n",
    "  return y;\n",
    "}\n",
    "#line 32 \"pairs/kernel.cl\"\n",
    "\n",
    "double log_of(double x);\n",
    "#define CONVK_NUMBER_ CONVK_ELEMENT_\n",
    "#define CONVK_NUMBER_APART_ CONVK_ELEMENT_\n",
    "#define CONVK_NUMBER_FAR_ global\n",
    "#define CONVK_ROLLED_\n",
    "#define CONVK_LESS_EQUAL_(a, b) ((a) <= (b))\n",
    "#define CONVK_TIMES_(a, b) ((a) * (b))\n",
    "#define CONVK_PLUS_(a, b) CONVK_SUM_(double, a, b)\n",
    "#define CONVK_TIMES_PLUS_(a, b, c) CONVK_SUM_(double, c, (a) * (b))\n",
    "#define CONVK_OVER_(a, b) ((a) / (b))\n",
    "#define CONVK_SIXTH_(x) ((x) / 6)\n",
    "#define CONVK_ROOT_OF_(x) convk_sqrt_(x)\n",
    "#define CONVK_LOG_OF_(x) log_of(x)\n",
    "#define CONVK_EXP_OF_(x) exp(x)\n",
    "#line 1 \"pairs/numbers.h\"\n",
    "/* ---- numbers: one text for processors, OpenCL and CUDA, in doubles ----\n",
    "   Written in words, each of which rounds once:\n",
    "     NUMBER, NUMBER_APART        what begins a function\n",
    "     TIMES, PLUS, OVER (a, b)    a b, a + b, a / b\n",
    "     TIMES_PLUS(a, b, c)         a b + c, fused on CUDA\n",
    "     SIXTH(x)                    x / 6, on CUDA times 1 / 6\n",
    "     ROOT_OF, LOG_OF, EXP_OF(x)  the hardware's own functions\n",
    "     FAR                         of pointers to the memory of a table */\n",
    "\n",
    "#define CONVK_LN_2_ 0.6931471805599453\n",
    "\n",
    "#ifndef CONVK_NUMBERS_ARE_FUSED_\n",
    "/* Puts the exponent of an ordinary x > 0 aside: x = 2^k m becomes m, between 1 and 2, and k is added to *exponent. */\n",
    "CONVK_NUMBER_ void convk_split_(double *x, double *exponent) {\n",
    "  const uint64_t bits = convk_to_bits_(*x);\n",
    "  *exponent += (double)((int)(bits >> 52) - 1023);\n",
    "  *x = convk_from_bits_((bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1023 << 52);\n",
    "}\n",
    "\n",
    "/* ln(a / b 2^k) of a and b within [1, 2): 2 artanh s, s = (a - b) / (a + b), once a / b is between sqrt(1/2) and sqrt(2). */\n",
    "CONVK_NUMBER_ double convk_log_ratio_(double a, double b, double k) {\n",
    "  double s, z, sum = 0;\n",
    "  int i;\n",
    "  if (a > 1.4142135623730951 * b) {\n",
    "    a *= 0.5;\n",
    "    k += 1;\n",
    "  } else if (b > 1.4142135623730951 * a) {\n",
    "    b *= 0.5;\n",
    "    k -= 1;\n",
    "  }\n",
    "  s = (a - b) / (a + b);\n",
    "  z = s * s;\n",
    "  CONVK_UNROLL_\n",
    "  for (i = 21; i >= 3; i -= 2) sum = z * (sum + 1. / i);\n",
    "  return k * CONVK_LN_2_HIGH_ + (k * CONVK_LN_2_LOW_ + (2 * s + 2 * s * sum));\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* V of a table at distance r: Lagrange's polynomial through the four nearest points.  Kernels of processors call it, so that it\n",
    "   is not fused with what they do. */\n",
    "CONVK_NUMBER_APART_ double convk_pairs_table_(const CONVK_NUMBER_FAR_ double *values, uint64_t entries, double first,\n",
    "                                              double per_spacing, double r) {\n",
    "  const double x = CONVK_TIMES_(CONVK_PLUS_(r, -first), per_spacing);\n",
    "  const CONVK_NUMBER_FAR_ double *f;\n",
    "  double t, t1, t2, t3, sum;\n",
    "  uint64_t k;\n",
    "  if (!CONVK_LESS_EQUAL_(x, (double)(entries - 1))) return 0; /* beyond, or not a number */\n",
    "  if (x <= 0) return values[0];\n",
    "  k = (uint64_t)x;\n",
    "  k = k < 1 ? 0 : k > entries - 3 ? entries - 4 : k - 1;\n",
    "  f = values + k;\n",
    "  t = CONVK_PLUS_(x, -(double)k);\n",
    "  t1 = CONVK_PLUS_(t, -1);\n",
    "  t2 = CONVK_PLUS_(t, -2);\n",
    "  t3 = CONVK_PLUS_(t, -3);\n",
    "  sum = CONVK_TIMES_(CONVK_SIXTH_(CONVK_TIMES_(CONVK_TIMES_(t1, t2), t3)), -f[0]);\n",
    "  sum = CONVK_TIMES_PLUS_(CONVK_TIMES_(CONVK_TIMES_(CONVK_TIMES_(t, t2), t3), 0.5), f[1], sum);\n",
    "  sum = CONVK_TIMES_PLUS_(CONVK_TIMES_(CONVK_TIMES_(CONVK_TIMES_(t, t1), t3), -0.5), f[2], sum);\n",
    "  return CONVK_TIMES_PLUS_(CONVK_SIXTH_(CONVK_TIMES_(CONVK_TIMES_(t, t1), t2)), f[3], sum);\n",
    "}\n",
    "\n",
    "/* ---- random numbers ---- */\n",
    "\n",
    "/* Philox4x32-10 of the counter c, in its place. */\n",
    "CONVK_NUMBER_ void convk_philox_(uint32_t *c, uint32_t k0, uint32_t k1) {\n",
    "  int i;\n",
    "  CONVK_EACH_(i, 10) {\n",
    "    const uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];\n",
    "    c[0] = (uint32_t)(b >> 32) ^ c[1] ^ k0;\n",
    "    c[2] = (uint32_t)(a >> 32) ^ c[3] ^ k1;\n",
    "    c[1] = (uint32_t)b;\n",
    "    c[3] = (uint32_t)a;\n",
    "    k0 += 0x9E3779B9u;\n",
    "    k1 += 0xBB67AE85u;\n",
    "  }\n",
    "}\n",
    "\n",
    "/* What random numbers are for: the top byte of the counter's last word, whose rest belongs to the sweep's number. */\n",
    "#define CONVK_RANDOM_MOVE_ 0\n",
    "#define CONVK_RANDOM_ACCEPT_ 1\n",
    "#define CONVK_RANDOM_START_ 2\n",
    "#define CONVK_RANDOM_NORMAL_ 16\n",
    "\n",
    "/* Four numbers between 0 and 1, neither included. */\n",
    "CONVK_NUMBER_ void convk_random_(uint64_t seed, uint64_t sweep, uint64_t particle, uint64_t walker, uint32_t purpose,\n",
    "                                 double *u) {\n",
    "  uint32_t c[4];\n",
    "  int i;\n",
    "  c[0] = (uint32_t)sweep;\n",
    "  c[1] = (uint32_t)particle;\n",
    "  c[2] = (uint32_t)walker;\n",
    "  c[3] = ((uint32_t)(sweep >> 32) & 0xffffffu) | purpose << 24;\n",
    "  convk_philox_(c, (uint32_t)seed, (uint32_t)(seed >> 32));\n",
    "  CONVK_EACH_(i, 4) u[i] = CONVK_TIMES_(CONVK_PLUS_((double)c[i], 0.5), 1. / 4294967296.);\n",
    "}\n",
    "\n",
    "/* Three normal deviates, by the polar method: pairs within the unit circle, until there are two.  0 once in 10^80. */\n",
    "CONVK_NUMBER_ void convk_normal_(uint64_t seed, uint64_t sweep, uint64_t particle, uint64_t walker, double *normal) {\n",
    "  uint32_t attempt;\n",
    "  int i, have = 0;\n",
    "  normal[0] = normal[1] = normal[2] = 0;\n",
    "  CONVK_ROLLED_\n",
    "  for (attempt = 0; have < 3 && attempt < 128; attempt++) {\n",
    "    double u[4];\n",
    "    convk_random_(seed, sweep, particle, walker, CONVK_RANDOM_NORMAL_ + attempt, u);\n",
    "    CONVK_UNROLL_\n",
    "    for (i = 0; i < 4; i += 2) {\n",
    "      const double x = CONVK_PLUS_(CONVK_TIMES_(2, u[i]), -1), y = CONVK_PLUS_(CONVK_TIMES_(2, u[i + 1]), -1);\n",
    "      const double s = CONVK_PLUS_(CONVK_TIMES_(x, x), CONVK_TIMES_(y, y));\n",
    "      double scale;\n",
    "      if (s >= 1 || have == 3) continue;\n",
    "      scale = CONVK_ROOT_OF_(CONVK_OVER_(CONVK_TIMES_(-2, CONVK_LOG_OF_(s)), s));\n",
    "      if (have) {\n",
    "        normal[2] = CONVK_TIMES_(x, scale);\n",
    "        have = 3;\n",
    "      } else {\n",
    "        normal[0] = CONVK_TIMES_(x, scale);\n",
    "        normal[1] = CONVK_TIMES_(y, scale);\n",
    "        have = 2;\n",
    "      }\n",
    "    }\n",
    "  }\n",
    "}\n",
    "\n",
    "/* ---- moves ---- */\n",
    "\n",
    "/* The mean of a move with drift: the force, shortened where it is strong. */\n",
    "CONVK_NUMBER_ void convk_vmc_drift_(double step, const double *force, double *drift) {\n",
    "  const double step2 = CONVK_TIMES_(step, step);\n",
    "  const double x = CONVK_TIMES_(force[0], force[0]), y = CONVK_TIMES_(force[1], force[1]), z = CONVK_TIMES_(force[2], force[2]);\n",
    "  const double square = CONVK_TIMES_(step2, CONVK_PLUS_(CONVK_PLUS_(x, y), z));\n",
    "  int d;\n",
    "  CONVK_EACH_(d, 3) drift[d] = CONVK_OVER_(CONVK_TIMES_(step2, force[d]), CONVK_PLUS_(1, CONVK_TIMES_(0.25, square)));\n",
    "}\n",
    "\n",
    "/* A move, of normal deviates where it `drifts` with a force, or else of numbers between 0 and 1. */\n",
    "CONVK_NUMBER_ void convk_vmc_move_(int drifts, double step, const double *force, const double *number, double *move) {\n",
    "  int d;\n",
    "  if (drifts) {\n",
    "    convk_vmc_drift_(step, force, move);\n",
    "    CONVK_EACH_(d, 3) move[d] = CONVK_PLUS_(move[d], CONVK_TIMES_(step, number[d]));\n",
    "  } else {\n",
    "    CONVK_EACH_(d, 3) move[d] = CONVK_TIMES_(step, CONVK_PLUS_(CONVK_TIMES_(2, number[d]), -1));\n",
    "  }\n",
    "}\n",
    "\n",
    "/* ln of the chance of the way back over that of the way there, of one particle. */\n",
    "CONVK_NUMBER_ double convk_vmc_return_(double step, const double *way, const double *before, const double *after) {\n",
    "  double forward[3], back[3], sum = 0;\n",
    "  int d;\n",
    "  convk_vmc_drift_(step, before, forward);\n",
    "  convk_vmc_drift_(step, after, back);\n",
    "  CONVK_EACH_(d, 3) {\n",
    "    const double a = CONVK_PLUS_(way[d], -forward[d]), b = CONVK_PLUS_(-way[d], -back[d]);\n",
    "    sum = CONVK_PLUS_(sum, CONVK_PLUS_(CONVK_TIMES_(a, a), -CONVK_TIMES_(b, b)));\n",
    "  }\n",
    "  return CONVK_OVER_(sum, CONVK_TIMES_(CONVK_TIMES_(2, step), step));\n",
    "}\n",
    "\n",
    "/* Whether a move is accepted; chance: the logarithm of its probability. */\n",
    "CONVK_NUMBER_ int convk_vmc_accepts_(double chance, double u) { return chance >= 0 || u < CONVK_EXP_OF_(chance); }\n",
    "\n",
    "/* A coordinate within its period. */\n",
    "CONVK_NUMBER_ double convk_vmc_inside_(double x, double period) {\n",
    "  double cell = (double)(int64_t)CONVK_OVER_(x, period);\n",
    "  if (CONVK_TIMES_(cell, period) > x) cell -= 1;\n",
    "  return CONVK_PLUS_(x, -CONVK_TIMES_(cell, period));\n",
    "}\n",
    "\n",
    "/* What is subtracted of the coordinates of a cluster that has drifted off, by their mean: whole steps, as digits stay. */\n",
    "CONVK_NUMBER_ double convk_vmc_off_(double mean) { return mean > -16 && mean < 16 ? 0 : (double)(int64_t)(mean * 0.0625) * 16; }\n",
    "\n",
    "/* ---- results ---- */\n",
    "\n",
    "/* What sums s over all pairs mean, as the numbers of convk_pair_result.  p, edge: parameters, and derivatives of u at the\n",
    "   cutoff; log: ln of the product of all r^2; squares: of the gradient.  The laplacian without its factor is given. */\n",
    "CONVK_NUMBER_ void convk_pairs_meaning_(const double *p, const double *edge, double hbar2_2m, int want, const double *s,\n",
    "                                        double log, double laplacian, double squares, double *result) {\n",
    "  int k;\n",
    "  CONVK_EACH_(k, 9) result[k] = 0;\n",
    "  if (want & CONVK_PAIR_LN_PSI) {\n",
    "    result[5] = -s[0];\n",
    "    result[6] = -s[1];\n",
    "    result[7] = -0.5 * log;\n",
    "    result[8] = -s[2];\n",
    "    CONVK_EACH_(k, 4) {\n",
    "      result[5 + k] = CONVK_TIMES_PLUS_(-edge[k], s[7], result[5 + k]);\n",
    "      result[0] = CONVK_TIMES_PLUS_(p[k], result[5 + k], result[0]);\n",
    "    }\n",
    "  }\n",
    "  if (want & CONVK_PAIR_POTENTIAL_ENERGY) result[1] = s[6];\n",
    "  if (want & CONVK_PAIR_GRADIENT) result[2] = squares;\n",
    "  if (want & CONVK_PAIR_LAPLACIAN) result[3] = -2 * laplacian;\n",
    "  if ((want & CONVK_PAIR_KINETIC) == CONVK_PAIR_KINETIC) result[4] = CONVK_TIMES_(-hbar2_2m, CONVK_PLUS_(result[3], result[2]));\n",
    "}\n",
    "#line 48 \"pairs/kernel.cl\"\n",
    "\n",
    "double log_of(double x) { /* as convk_log_ */\n",
    "  double k = 0;\n",
    "  convk_split_(&x, &k);\n",
    "  return convk_log_ratio_(x, 1, k);\n",
    "}\n",
    "\n",
    "/* Sums of `values` arrays s[k ITEMS ..], each over the `members` items, in the first one's place, for it to read. */\n",
    "void fold(local double *s, const int values, uint at, uint members, int busy) {\n",
    "  const uint item = (uint)get_local_id(0);\n",
    "  uint width = members;\n",
    "  int k;\n",
    "  while (width > 1) {\n",
    "    const uint rest = (width + 1) / 2;\n",
    "    barrier(CLK_LOCAL_MEM_FENCE);\n",
    "    if (busy && at + rest < width)\n",
    "      for (k = 0; k < values; k++) s[k * ITEMS + item] = CONVK_SUM_(double, s[k * ITEMS + item], s[k * ITEMS + item + rest]);\n",
    "    width = rest;\n",
    "  }\n",
    "}\n",
    "\n",
    "#if defined PAIR_ROWS || defined PAIR_VALUES || defined PAIR_MOVE || defined PAIR_ACCEPT || defined VMC_SINGLE\n",
    "/* V: T or, on processors, LANES of them. */\n",
    "typedef CONVK_V V;\n",
    "typedef CONVK_LANED_(CONVK_EITHER_(uint, ulong)) UV;\n",
    "typedef CONVK_LANED_(CONVK_EITHER_(int, long)) IV;\n",
    "typedef CONVK_PASTE3_(T, 4, ) T4;\n",
    "#if LANES > 1\n",
    "#define EQUAL(a, b, x, y) select(y, x, (a) == (b))\n",
    "#define NEARER(a, b, x, y) CONVK_LESS_(a, b, x, y)\n",
    "#else\n",
    "#define EQUAL(a, b, x, y) ((a) == (b) ? (x) : (y))\n",
    "#if F64 /* of what is not negative; integers leave the units of doubles to their work */\n",
    "#define BELOW(a, b) (as_ulong(a) < as_ulong(b))\n",
    "#else\n",
    "#define BELOW(a, b) ((a) < (b))\n",
    "#endif\n",
    "#define NEARER(a, b, x, y) (BELOW(a, b) ? (x) : (y))\n",
    "#endif\n",
    "#define WHOLE(u) CONVK_LANED_(CONVK_EITHER_(as_int, as_long))(u)\n",
    "#define BIAS CONVK_EITHER_(127, 1023)\n",
    "#define CHUNK CONVK_EITHER_(4, 8) /* so many squares of distances have a product that fits the type */\n",
    "#define FURTHEST CONVK_EITHER_(1.099511627776e12f, 1.2676506002282294e30) /* CONVK_PAIRS_BIG_: the square of 2^20 or 2^50 */\n",
    "#define HFD 1\n",
    "#define TABLE 3\n",
    "\n",
    "#define GIVEN const TERMS *c, const convk_pairs_arguments_ *e, global const double *values\n",
    "#define GIVE c, e, values\n",
    "/* Else constants would go through memory. */\n",
    "#define INLINED __attribute__((always_inline))\n",
    "#define BEGIN \\\n",
    "  const TERMS *c = &terms; \\\n",
    "  const convk_pairs_arguments_ *e = &args; \\\n",
    "  (void)c; \\\n",
    "  (void)e\n",
    "\n",
    "#undef CONVK_ADD_ /* what it adds are sums over pairs */\n",
    "#define CONVK_ADD_(a, b) CONVK_SUM_(V, a, b)\n",
    "#define CONVK_PAIRS_TERMS_ TERMS\n",
    "#line 1 \"pairs/element.h\"\n",
    "/* ---- elements: pair terms ----\n",
    "   CONVK_PAIRS_TERMS_: the constants of a system, in the type of the pair terms; see pairs/constants.h. */\n",
    "#ifndef CONVK_PAIRS_TERMS_\n",
    "#define CONVK_PAIRS_TERMS_ convk_pairs_terms_\n",
    "#define CONVK_PAIRS_TERMS_ARE_HERE_\n",
    "#endif\n",
    "#line 1 \"pairs/coefficients.h\"\n",
    "/* The square of the least distance that counts, 1 / 256: see convk_pair_energy. */\n",
    "#define CONVK_PAIRS_LEAST_ (1. / 65536)\n",
    "/* cos(pi z) in powers of z^2, |z| <= 1/2: errors 2^-32.0, 2^-67.1 */\n",
    "#define CONVK_PAIRS_COS_f32_ {1, -4.934802137f, 4.058709164f, -1.335212056f, 0.2349375571f, -0.02439671382f}\n",
    "#define CONVK_PAIRS_COS_f64_ \\\n",
    "  {1, -4.9348022005446793, 4.0587121264167676, -1.335262768854555, 0.235330630357996, -0.02580689137660436, \\\n",
    "   0.0019295741873589570, -0.00010463741712619945, 4.3007248334484017e-06, -1.3435271847765286e-07}\n",
    "#line 8 \"pairs/element.h\"\n",
    "\n",
    "/* 1 / sqrt(x), to an ulp: half the exponent from the bits (within 3.4%), a polynomial of least error in x y^2, one step more.\n",
    "   It costs 13 operations of the ports that multiply, which are there in every vector unit; divisions and roots are not. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_pairs_rsqrt_(CONVK_V x) {\n",
    "  const CONVK_V one = CONVK_SET_(1), middle = CONVK_SET_((CONVK_T)0.5);\n",
    "  CONVK_V y = CONVK_ISUB_(CONVK_BITS_OF_(0x5f375a86, 0x5fe6eb50c7b537a9), CONVK_SHR_(x, 1)), u, h, p;\n",
    "  u = CONVK_MUL_(CONVK_MUL_(x, y), y);\n",
    "  if (sizeof(CONVK_T) == sizeof(float)) {\n",
    "    p = CONVK_FMA_(u, CONVK_SET_((CONVK_T)0.3755021913), CONVK_SET_((CONVK_T)-1.252100306));\n",
    "    p = CONVK_FMA_(u, p, CONVK_SET_((CONVK_T)1.8765983280));\n",
    "  } else {\n",
    "    p = CONVK_FMA_(u, CONVK_SET_((CONVK_T)-0.3130541223904668), CONVK_SET_((CONVK_T)1.3154413817042908));\n",
    "    p = CONVK_FMA_(u, p, CONVK_SET_((CONVK_T)-2.1917208193845001));\n",
    "    p = CONVK_FMA_(u, p, CONVK_SET_((CONVK_T)2.1893328136853813));\n",
    "  }\n",
    "  y = CONVK_MUL_(y, p);\n",
    "  h = CONVK_FNMA_(CONVK_MUL_(x, y), y, one);\n",
    "  p = sizeof(CONVK_T) == sizeof(float) ? middle : CONVK_FMA_(h, CONVK_SET_((CONVK_T)0.375), middle);\n",
    "  return CONVK_FMA_(CONVK_MUL_(y, h), p, y);\n",
    "}\n",
    "\n",
    "/* The nearest images of differences. */\n",
    "CONVK_ELEMENT_ void convk_pairs_image_(const CONVK_PAIRS_TERMS_ *c, CONVK_V *d) {\n",
    "  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));\n",
    "  int k;\n",
    "  CONVK_EACH_(k, 3) {\n",
    "    const CONVK_V n = CONVK_SUB_(CONVK_FMA_(d[k], CONVK_SET_(c->inverse[k]), shift), shift);\n",
    "    d[k] = CONVK_FNMA_(n, CONVK_SET_(c->period[k]), d[k]);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* The square of a distance, which is still to be at least that of 1 / 256. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_pairs_norm_(const CONVK_V *d) {\n",
    "  return CONVK_FMA_(d[2], d[2], CONVK_FMA_(d[1], d[1], CONVK_MUL_(d[0], d[0])));\n",
    "}\n",
    "\n",
    "/* What pairs of r^2 = r2 and 1 / r = t (1, 0: nothing) add to the sums of the trial function, and w = u' / r. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_pairs_trial_(const CONVK_PAIRS_TERMS_ *c, CONVK_V r2, CONVK_V t, const int want, CONVK_V *sum,\n",
    "                                          CONVK_V *product) {\n",
    "  const CONVK_V s = CONVK_MUL_(t, t), a = CONVK_MUL_(t, s), s2 = CONVK_MUL_(s, s);\n",
    "  CONVK_V b;\n",
    "  if (want & CONVK_PAIR_LN_PSI) {\n",
    "    sum[0] = CONVK_FMA_(a, s, sum[0]);\n",
    "    sum[2] = CONVK_FMA_(r2, t, sum[2]);\n",
    "    *product = CONVK_MUL_(*product, r2);\n",
    "  }\n",
    "  if (want & (CONVK_PAIR_LN_PSI | CONVK_PAIR_LAPLACIAN)) sum[1] = CONVK_FMA_(t, t, sum[1]);\n",
    "  if (want & CONVK_PAIR_LAPLACIAN) {\n",
    "    sum[3] = CONVK_FMA_(a, s2, sum[3]);\n",
    "    sum[4] = CONVK_FMA_(s, s, sum[4]);\n",
    "    sum[5] = CONVK_ADD_(sum[5], t);\n",
    "  }\n",
    "  if (!(want & CONVK_PAIR_GRADIENT)) return t;\n",
    "  b = CONVK_FMA_(s, CONVK_FMA_(CONVK_SET_(c->w[0]), a, CONVK_SET_(c->w[1])), CONVK_SET_(c->w[2]));\n",
    "  return CONVK_FMS_(s, b, CONVK_MUL_(CONVK_SET_(c->w[3]), t));\n",
    "}\n",
    "\n",
    "/* The powers of 1 / r in V, over 1 / r^6; s = 1 / r^2. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_pairs_powers_(const CONVK_PAIRS_TERMS_ *c, CONVK_V s) {\n",
    "  const CONVK_V v = CONVK_FMA_(s, CONVK_SET_(c->distant[3]), CONVK_SET_(c->distant[2]));\n",
    "  return CONVK_FMA_(s, CONVK_FMA_(s, v, CONVK_SET_(c->distant[1])), CONVK_SET_(c->distant[0]));\n",
    "}\n",
    "\n",
    "/* cos(pi z) of w = z^2 <= 1/4. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_pairs_cosine_(CONVK_V w) {\n",
    "  CONVK_CONSTANT_ CONVK_T cosine[] = CONVK_TABLE_(CONVK_PAIRS_COS);\n",
    "  CONVK_V p = CONVK_SET_(cosine[sizeof cosine / sizeof *cosine - 1]);\n",
    "  int k;\n",
    "  CONVK_UNROLL_\n",
    "  for (k = (int)(sizeof cosine / sizeof *cosine) - 2; k >= 0; k--) p = CONVK_FMA_(w, p, CONVK_SET_(cosine[k]));\n",
    "  return p;\n",
    "}\n",
    "\n",
    "/* The bump of V, of z from -1/2 to 1/2, 0 elsewhere, and what is added to it: sin + 1 is 2 cos^2 of pi z. */\n",
    "CONVK_ELEMENT_ CONVK_V convk_pairs_bump_(const CONVK_PAIRS_TERMS_ *c, CONVK_V z, CONVK_V sum) {\n",
    "  const CONVK_V z2 = CONVK_MUL_(z, z), quarter = CONVK_SET_((CONVK_T)0.25);\n",
    "  const CONVK_V p = CONVK_LESS_(z2, quarter, convk_pairs_cosine_(CONVK_MIN_(z2, quarter)), CONVK_SET_(0));\n",
    "  return CONVK_FMA_(CONVK_MUL_(CONVK_SET_(c->bump_height), p), p, sum);\n",
    "}\n",
    "\n",
    "#ifdef CONVK_PAIRS_TERMS_ARE_HERE_\n",
    "#undef CONVK_PAIRS_TERMS_\n",
    "#undef CONVK_PAIRS_TERMS_ARE_HERE_\n",
    "#endif\n",
    "#line 108 \"pairs/kernel.cl\"\n",
    "\n",
    "#if KIND == HFD\n",
    "/* exp(x) of x <= 0; 0 within any error beyond the smallest normal numbers. */\n",
    "#if F64\n",
    "constant T exp_q[] = CONVK_EXP_f64_;\n",
    "#else\n",
    "constant T exp_q[] = CONVK_EXP_f32_;\n",
    "#endif\n",
    "V pair_exp(V x) {\n",
    "  const V shift = CONVK_SET_(CONVK_EITHER_(12582912.f + 127, 6755399441055744. + 1023));\n",
    "  V t, k, r, p = CONVK_SET_(exp_q[sizeof exp_q / sizeof *exp_q - 1]);\n",
    "  int i;\n",
    "  x = CONVK_LESS_(x, CONVK_SET_(CONVK_EITHER_(-87, -708)), CONVK_SET_(CONVK_EITHER_(-87, -708)), x);\n",
    "  t = fma(x, CONVK_SET_(CONVK_EITHER_(1.442695f, 1.4426950408889634)), shift);\n",
    "  k = t - shift;\n",
    "  r = fma(k, CONVK_SET_(CONVK_EITHER_(-0.69314575f, -0.6931471805598903)), x);\n",
    "  r = fma(k, CONVK_SET_(CONVK_EITHER_(-1.4286068e-06f, -5.497923018708371e-14)), r);\n",
    "#pragma unroll\n",
    "  for (i = sizeof exp_q / sizeof *exp_q - 2; i >= 0; i--) p = fma(r, p, CONVK_SET_(exp_q[i]));\n",
    "  p = fma(r, fma(r, p, CONVK_SET_(1)), CONVK_SET_(1));\n",
    "  return p * CONVK_REAL_(CONVK_INT_(t) << CONVK_FRACTION_);\n",
    "}\n",
    "#endif\n",
    "\n",
    "#define NEAR (KIND == HFD || KIND == TABLE)\n",
    "/* The powers of 1 / r of a potential. */\n",
    "V pair_powers(const TERMS *c, V s) {\n",
    "#if KIND == TABLE\n",
    "  return CONVK_SET_(0);\n",
    "#else\n",
    "  return s * s * s * convk_pairs_powers_(c, s);\n",
    "#endif\n",
    "}\n",
    "\n",
    "#if NEAR\n",
    "/* All of a potential within the distance where it has more than powers.  r2: square, t: reciprocal of the distance. */\n",
    "INLINED V pair_near(GIVEN, V r2, V t, V powers) {\n",
    "#if KIND == TABLE\n",
    "  const V r = r2 * t;\n",
    "#if LANES == 1\n",
    "  return (T)convk_pairs_table_(values, e->entries, e->first, e->per_spacing, (double)r);\n",
    "#else\n",
    "  T v[LANES];\n",
    "  int i;\n",
    "  CONVK_STORE_(v, r);\n",
    "  for (i = 0; i < LANES; i++) v[i] = (T)convk_pairs_table_(values, e->entries, e->first, e->per_spacing, (double)v[i]);\n",
    "  return CONVK_LOAD_(v);\n",
    "#endif\n",
    "#else\n",
    "  const V x = r2 * t * c->per_rm, y = fma(CONVK_SET_(c->d), t, CONVK_SET_(-1));\n",
    "  const V damp = NEARER(r2, CONVK_SET_(c->damp), pair_exp(-(y * y)), CONVK_SET_(1));\n",
    "  V sum = c->a * pair_exp(x * fma(x, CONVK_SET_(c->beta), CONVK_SET_(-c->alpha)));\n",
    "#if BUMP\n",
    "  sum = convk_pairs_bump_(c, (x - c->bump_middle) * c->bump_scale, sum);\n",
    "#endif\n",
    "  return fma(powers, damp, sum);\n",
    "#endif\n",
    "}\n",
    "#endif\n",
    "\n",
    "V pair_square(const V *d) {\n",
    "  const V r2 = convk_pairs_norm_(d);\n",
    "  return NEARER(r2, CONVK_SET_(CONVK_PAIRS_LEAST_), CONVK_SET_(CONVK_PAIRS_LEAST_), r2);\n",
    "}\n",
    "\n",
    "/* What is between two particles, or the nearest image. */\n",
    "void pair_between(const TERMS *c, const V *from, const V *to, V *d) {\n",
    "  int k;\n",
    "  for (k = 0; k < 3; k++) d[k] = from[k] - to[k];\n",
    "#if PERIODIC\n",
    "  convk_pairs_image_(c, d);\n",
    "#endif\n",
    "}\n",
    "\n",
    "/* What a pair adds to the sums of convk.h but the potential; u' / r is returned.  limit: of squares. */\n",
    "INLINED V pair_step(const TERMS *c, V r2, V limit, const int masked, const int want, V *sum, V *product, V *reciprocal) {\n",
    "  V t = convk_pairs_rsqrt_(r2), q = r2;\n",
    "  if (masked) {\n",
    "    t = NEARER(r2, limit, t, CONVK_SET_(0));\n",
    "    q = NEARER(r2, limit, r2, CONVK_SET_(1));\n",
    "#if CUT\n",
    "    sum[7] += NEARER(r2, limit, CONVK_SET_(1), CONVK_SET_(0));\n",
    "#endif\n",
    "  }\n",
    "  *reciprocal = t;\n",
    "  return convk_pairs_trial_(c, q, t, want, sum, product);\n",
    "}\n",
    "\n",
    "/* Puts the exponent of a product aside. */\n",
    "void pair_mantissa(V *product, IV *exponent) {\n",
    "  const UV b = CONVK_INT_(*product);\n",
    "  *exponent += WHOLE(b >> CONVK_FRACTION_) - BIAS;\n",
    "  *product =\n",
    "      CONVK_REAL_((b & (UV)(((CONVK_UNSIGNED_)1 << CONVK_FRACTION_) - 1)) | (UV)((CONVK_UNSIGNED_)BIAS << CONVK_FRACTION_));\n",
    "}\n",
    "\n",
    "double lane_sum(V v) {\n",
    "  T lane[LANES];\n",
    "  double sum = 0;\n",
    "  int i;\n",
    "  CONVK_STORE_(lane, v);\n",
    "  for (i = 0; i < LANES; i++) sum = CONVK_SUM_(double, sum, lane[i]);\n",
    "  return sum;\n",
    "}\n",
    "\n",
    "/* Products of lanes with their exponents into one. */\n",
    "void lane_product(V product, IV exponent, double *mantissa, double *power) {\n",
    "  T v[LANES];\n",
    "  CONVK_EITHER_(int, long) k[LANES];\n",
    "  int i;\n",
    "  CONVK_STORE_(v, product);\n",
    "  CONVK_STORE_(k, exponent);\n",
    "  for (i = 0; i < LANES; i++) {\n",
    "    *mantissa *= (double)v[i];\n",
    "    *power += (double)k[i];\n",
    "    convk_split_(mantissa, power);\n",
    "  }\n",
    "}\n",
    "\n",
    "/* So many elements from number i on; what lies beyond n is that at n - 1. */\n",
    "V pair_load(global const T *x, uint i, uint n) {\n",
    "#if LANES == 1\n",
    "  return x[i < n ? i : n - 1];\n",
    "#else\n",
    "  T v[LANES];\n",
    "  int k;\n",
    "  if (i + LANES <= n) return CONVK_LOAD_(x + i);\n",
    "  for (k = 0; k < LANES; k++) v[k] = x[i + k < n ? i + k : n - 1];\n",
    "  return CONVK_LOAD_(v);\n",
    "#endif\n",
    "}\n",
    "IV lane_numbers(uint i) {\n",
    "#if LANES == 1\n",
    "  return (IV)i;\n",
    "#else\n",
    "  CONVK_EITHER_(int, long) v[LANES];\n",
    "  int k;\n",
    "  for (k = 0; k < LANES; k++) v[k] = (CONVK_EITHER_(int, long))(i + k);\n",
    "  return CONVK_LOAD_(v);\n",
    "#endif\n",
    "}\n",
    "\n",
    "#endif\n",
    "\n",
    "#ifdef PAIR_ROWS\n",
    "#define SEGMENT 32 /* others: a bit of a word for each of them that is near */\n",
    "#if LANES == 1     /* others k are at hand in local memory, else where the walker is */\n",
    "#define PLACE local const T4 *p\n",
    "#define PARTICLE(k) p[k]\n",
    "#define SOURCE(k) tile + own *members + (k)\n",
    "#else\n",
    "#define PLACE global const T *p, ulong pitch\n",
    "#define PARTICLE(k) (T4)(p[k], p[pitch + (k)], p[2 * pitch + (k)], 0)\n",
    "#define SOURCE(k) from + base + (k), pitch\n",
    "#endif\n",
    "\n",
    "/* Rows and one of the others.  limit: squares of distances from which on it counts as nothing.  Gives whether its\n",
    "   exponentials are due: on a GPU they come later. */\n",
    "INLINED int pair_one(GIVEN, const V *at, T4 q, V limit, const int masked, V *sum, V *force, V *product) {\n",
    "  const V other[3] = {CONVK_SET_(q.x), CONVK_SET_(q.y), CONVK_SET_(q.z)};\n",
    "  V t, d[3], r2;\n",
    "  int close = 0;\n",
    "  pair_between(c, at, other, d);\n",
    "  r2 = pair_square(d);\n",
    "#if WANT & CONVK_PAIR_GRADIENT\n",
    "  {\n",
    "    const V w = pair_step(c, r2, limit, masked, WANT, sum, product, &t);\n",
    "    int k;\n",
    "    for (k = 0; k < 3; k++) force[k] = fma(w, d[k], force[k]);\n",
    "  }\n",
    "#else\n",
    "  (void)pair_step(c, r2, limit, masked, WANT, sum, product, &t);\n",
    "#endif\n",
    "#if WANT & CONVK_PAIR_POTENTIAL_ENERGY\n",
    "  {\n",
    "    V powers = pair_powers(c, t * t);\n",
    "#if NEAR\n",
    "    V near_by = CONVK_SET_(c->near_by);\n",
    "    if (masked) near_by = NEARER(near_by, limit, near_by, limit);\n",
    "#if LANES == 1\n",
    "    close = BELOW(r2, near_by);\n",
    "    powers = close ? 0 : powers;\n",
    "#else\n",
    "    if (any(r2 < near_by)) powers = CONVK_LESS_(r2, near_by, pair_near(GIVE, r2, t, powers), powers);\n",
    "#endif\n",
    "#endif\n",
    "    sum[6] = CONVK_SUM_(V, sum[6], powers);\n",
    "  }\n",
    "#endif\n",
    "  return close;\n",
    "}\n",
    "\n",
    "/* Rows and up to SEGMENT others.  own: which of these the rows are; row_limit: the limit of the rows; all: there are SEGMENT\n",
    "   others, and they all count.  On a GPU those near by come together at the end: the loop that all go through has no\n",
    "   branches. */\n",
    "INLINED void pair_segment(GIVEN, const V *at, IV own, V row_limit, PLACE, int count, int all, V *sum, V *force, V *product,\n",
    "                          IV *exponent) {\n",
    "  uint close = 0;\n",
    "  int k, i;\n",
    "  if (all)\n",
    "    for (k = 0; k < SEGMENT; k += CHUNK) {\n",
    "#if LANES == 1\n",
    "#pragma unroll\n",
    "#endif\n",
    "      for (i = 0; i < CHUNK; i++)\n",
    "        close |= (uint)pair_one(GIVE, at, PARTICLE(k + i), row_limit, 0, sum, force, product) << (k + i);\n",
    "      if (WANT & CONVK_PAIR_LN_PSI) pair_mantissa(product, exponent);\n",
    "    }\n",
    "  else\n",
    "    for (k = 0; k < count; k++) {\n",
    "      const V limit = EQUAL(own, (IV)k, CONVK_SET_(0), row_limit);\n",
    "      close |= (uint)pair_one(GIVE, at, PARTICLE(k), limit, 1, sum, force, product) << k;\n",
    "      if ((WANT & CONVK_PAIR_LN_PSI) && (k % CHUNK == CHUNK - 1 || k == count - 1)) pair_mantissa(product, exponent);\n",
    "    }\n",
    "#if LANES == 1 && NEAR && (WANT & CONVK_PAIR_POTENTIAL_ENERGY)\n",
    "  while (close) {\n",
    "    T4 q;\n",
    "    T r2, t, other[3], d[3];\n",
    "    k = 31 - (int)clz(close);\n",
    "    close ^= 1u << k;\n",
    "    q = PARTICLE(k);\n",
    "    other[0] = q.x;\n",
    "    other[1] = q.y;\n",
    "    other[2] = q.z;\n",
    "    pair_between(c, at, other, d);\n",
    "    r2 = pair_square(d);\n",
    "    t = convk_pairs_rsqrt_(r2);\n",
    "    sum[6] = CONVK_SUM_(V, sum[6], pair_near(GIVE, r2, t, pair_powers(c, t * t)));\n",
    "  }\n",
    "#else\n",
    "  (void)close;\n",
    "#endif\n",
    "}\n",
    "\n",
    "/* Sums of the type are added to doubles. */\n",
    "void pair_flush(V *sum, V *force, double *total, double (*pull)[LANES]) {\n",
    "  T lane[LANES];\n",
    "  int d, i;\n",
    "  for (d = 0; d < 8; d++) {\n",
    "    total[d] = CONVK_SUM_(double, total[d], lane_sum(sum[d]));\n",
    "    sum[d] = 0;\n",
    "  }\n",
    "  for (d = 0; d < 3; d++) {\n",
    "    CONVK_STORE_(lane, force[d]);\n",
    "    for (i = 0; i < LANES; i++) pull[d][i] = CONVK_SUM_(double, pull[d][i], lane[i]);\n",
    "    force[d] = 0;\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Adds up the values of `members` items into a record: some at a time, so that more groups share local memory. */\n",
    "void pair_record(const double *total, local double *folded, uint at, uint members, int busy, global double *record) {\n",
    "  const uint item = (uint)get_local_id(0);\n",
    "  int d, done;\n",
    "#pragma unroll\n",
    "  for (done = 0; done < RECORD; done += FOLDED) {\n",
    "    const int values = RECORD - done < FOLDED ? RECORD - done : FOLDED;\n",
    "    barrier(CLK_LOCAL_MEM_FENCE); /* nobody needs what lies there any more */\n",
    "    CONVK_EACH_(d, FOLDED)\n",
    "      if (d < values) folded[d * ITEMS + item] = total[done + d];\n",
    "    fold(folded, values, at, members, busy);\n",
    "    for (d = 0; d < values && busy && !at; d++) record[done + d] = folded[d * ITEMS + item];\n",
    "  }\n",
    "}\n",
    "\n",
    "/* Particles of a block as rows against a slice of all others.  A group has ITEMS * LANES * POINTS rows of one walker, or\n",
    "   `pack` whole walkers.  work: records of walkers, slices, blocks; with args.forces their [3][n].  gradient, with\n",
    "   args.gradients: where there is one slice. */\n",
    "CONVK_GROUP_KERNEL_ pair_rows(ARGUMENTS) {\n",
    "#if LANES == 1\n",
    "  local T4 tile[ITEMS * FOLDED * sizeof(double) / sizeof(T4)]; /* and in the end sums, in the same place: more groups fit */\n",
    "  local double *folded = (local double *)tile;\n",
    "#else\n",
    "  local double folded[FOLDED * ITEMS];\n",
    "#endif\n",
    "  const uint n = args.n, pack = args.pack, blocks = args.blocks, slices = args.slices, length = args.length;\n",
    "  const ulong walkers = args.walkers, pitch = args.pitch, stride = args.stride;\n",
    "  const uint item = (uint)get_local_id(0), members = pack > 1 ? n : ITEMS, at = item % members;\n",
    "  const uint own = min(item / members, pack - 1), group = (uint)get_group_id(0);\n",
    "  const uint block = group % blocks, slice = group / blocks % slices;\n",
    "  const ulong walker = (ulong)(group / blocks / slices) * pack + own;\n",
    "  const int busy = item / members < pack && walker < walkers;\n",
    "  const uint begin = slice * length, end = min(begin + length, n), share = LANES == 1 ? members : length;\n",
    "  global const T *from = r + args.r + min(walker, walkers - 1) * stride;\n",
    "  double total[RECORD], square = 0, mantissa = 1, power = 0;\n",
    "  int d, i, p;\n",
    "  BEGIN;\n",
    "  for (d = 0; d < 8; d++) total[d] = 0;\n",
    "  for (p = 0; p < POINTS; p++) {\n",
    "    const uint first = (block * POINTS + p) * (ITEMS * LANES), row = first + at * LANES;\n",
    "    V place[3], row_limit, sum[8], force[3], product = CONVK_SET_(1);\n",
    "    T lane[LANES];\n",
    "    double pull[3][LANES];\n",
    "    IV exponent = 0;\n",
    "    uint base, k;\n",
    "    const int apart = !CUT && pack == 1 && first + ITEMS * LANES <= n;\n",
    "    if (POINTS > 1 && first >= n) break;\n",
    "    for (d = 0; d < 3; d++) place[d] = pair_load(from + d * pitch, row, n);\n",
    "    for (d = 0; d < LANES; d++) lane[d] = busy && row + d < n ? c->limit : 0;\n",
    "    row_limit = CONVK_LOAD_(lane);\n",
    "    for (d = 0; d < 8; d++) sum[d] = 0;\n",
    "    for (d = 0; d < 3; d++) {\n",
    "      force[d] = 0;\n",
    "      for (i = 0; i < LANES; i++) pull[d][i] = 0;\n",
    "    }\n",
    "    for (base = begin; base < end; base += share) {\n",
    "      const uint count = min(share, end - base);\n",
    "#if LANES == 1\n",
    "      barrier(CLK_LOCAL_MEM_FENCE);\n",
    "      if (at < count) tile[item] = (T4)(from[base + at], from[pitch + base + at], from[2 * pitch + base + at], 0);\n",
    "      barrier(CLK_LOCAL_MEM_FENCE);\n",
    "#endif\n",
    "      for (k = 0; k < count; k += SEGMENT) {\n",
    "        const uint j = base + k;\n",
    "        const int all = apart && k + SEGMENT <= count && (j + SEGMENT <= first || j >= first + ITEMS * LANES);\n",
    "        pair_segment(GIVE, place, lane_numbers(row - j), row_limit, SOURCE(k), (int)min((uint)SEGMENT, count - k), all, sum,\n",
    "                     force, &product, &exponent);\n",
    "        if (!F64 && ((k & SEGMENT) || k + SEGMENT >= count)) pair_flush(sum, force, total, pull);\n",
    "      }\n",
    "    }\n",
    "    if (F64) pair_flush(sum, force, total, pull);\n",
    "    if (WANT & CONVK_PAIR_LN_PSI) lane_product(product, exponent, &mantissa, &power);\n",
    "#if WANT & CONVK_PAIR_GRADIENT\n",
    "    for (d = 0; d < 3; d++)\n",
    "      for (i = 0; i < LANES; i++) {\n",
    "        square = CONVK_SUM_(double, square, pull[d][i] * pull[d][i]);\n",
    "        if (!busy || row + i >= n) continue;\n",
    "        if (args.forces) work[args.force + ((walker * slices + slice) * 3 + d) * n + row + i] = pull[d][i];\n",
    "        if (args.gradients) gradient[args.gradient + walker * stride + d * pitch + row + i] = (T)pull[d][i];\n",
    "      }\n",
    "#endif\n",
    "  }\n",
    "  total[8] = convk_log_ratio_(mantissa, 1, power);\n",
    "  total[9] = square;\n",
    "  pair_record(total, folded, at, members, busy, work + args.part + ((walker * slices + slice) * blocks + block) * RECORD);\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef PAIR_FORCES\n",
    "/* Adds up the slices, in their order, in the place of the first; and squares of a block of particles. */\n",
    "CONVK_GROUP_KERNEL_ pair_forces(ARGUMENTS) {\n",
    "  local double folded[ITEMS];\n",
    "  const uint n = args.n, slices = args.slices, blocks = args.squares;\n",
    "  const uint item = (uint)get_local_id(0), group = (uint)get_group_id(0), i = group % blocks * ITEMS + item;\n",
    "  const ulong walker = group / blocks;\n",
    "  double square = 0;\n",
    "  uint k;\n",
    "  int d;\n",
    "  for (d = 0; d < 3 && i < n; d++) {\n",
    "    global double *from = work + args.force + (walker * slices * 3 + d) * n + i;\n",
    "    double g = from[0];\n",
    "    for (k = 1; k < slices; k++) g = CONVK_SUM_(double, g, from[(ulong)k * 3 * n]);\n",
    "    from[0] = g;\n",
    "    square = CONVK_SUM_(double, square, g *g);\n",
    "    if (args.gradients) gradient[args.gradient + walker * args.stride + d * args.pitch + i] = (T)g;\n",
    "  }\n",
    "  folded[item] = square;\n",
    "  fold(folded, 1, item, ITEMS, 1);\n",
    "  if (!item) work[args.square + walker * blocks + group % blocks] = folded[0];\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef PAIR_FINISH\n",
    "/* What the sums over all ordered pairs mean: twice those of convk.h.  `members` items have a walker; squares: how many\n",
    "   there are, 0: they are in the records. */\n",
    "CONVK_GROUP_KERNEL_ pair_finish(ARGUMENTS) {\n",
    "  local double folded[RECORD * ITEMS];\n",
    "  const uint item = (uint)get_local_id(0), members = args.members, records = args.records, squares = args.squares;\n",
    "  const uint at = item % members;\n",
    "  const ulong walker = (ulong)get_group_id(0) * (ITEMS / members) + item / members;\n",
    "  const int busy = walker < args.walkers;\n",
    "  double s[RECORD];\n",
    "  uint i;\n",
    "  int d;\n",
    "  for (d = 0; d < RECORD; d++) s[d] = 0;\n",
    "  for (i = at; i < records && busy; i += members)\n",
    "    for (d = 0; d < RECORD; d++) s[d] = CONVK_SUM_(double, s[d], work[args.part + (walker * records + i) * RECORD + d]);\n",
    "  if (squares) s[9] = 0;\n",
    "  for (i = at; i < squares && busy; i += members) s[9] = CONVK_SUM_(double, s[9], work[args.square + walker * squares + i]);\n",
    "  for (d = 0; d < RECORD; d++) folded[d * ITEMS + item] = s[d];\n",
    "  fold(folded, RECORD, at, members, busy);\n",
    "  if (busy && !at) {\n",
    "    double laplacian, numbers[9];\n",
    "    for (d = 0; d < RECORD; d++) s[d] = folded[d * ITEMS + item] * (d < 9 ? 0.5 : 1);\n",
    "    laplacian = 20 * args.p[0] * s[3] + 2 * args.p[1] * s[4] + args.p[2] * s[1] + 2 * args.p[3] * s[5];\n",
    "    convk_pairs_meaning_(args.p, args.edge, args.hbar2_2m, (int)args.want, s, s[8], laplacian, s[9], numbers);\n",
    "    for (d = 0; d < 9; d++) result[args.result + walker * 9 + d] = numbers[d];\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef PAIR_VALUES\n",
    "/* V at distances. */\n",
    "CONVK_GROUP_KERNEL_ pair_values(ARGUMENTS) {\n",
    "  ulong i = get_global_id(0) * (ulong)(POINTS * LANES);\n",
    "  int p, k;\n",
    "  BEGIN;\n",
    "  for (p = 0; p < POINTS && i < args.count; p++, i += LANES) {\n",
    "    const int left = (int)min((ulong)LANES, args.count - i);\n",
    "    const V d[3] = {pair_load(r + args.r + i, 0, (uint)left), CONVK_SET_(0), CONVK_SET_(0)}, square = pair_square(d);\n",
    "    const V r2 = CONVK_MIN_(CONVK_SET_(FURTHEST), square), t = convk_pairs_rsqrt_(r2);\n",
    "#if KIND == TABLE\n",
    "    V value = EQUAL(r2, r2, CONVK_SET_(0), r2); /* 0, but of a NaN NaN */\n",
    "#else\n",
    "    V value = pair_powers(c, t * t);\n",
    "#endif\n",
    "    T lane[LANES];\n",
    "#if NEAR\n",
    "#if LANES == 1\n",
    "    if (BELOW(r2, c->near_by)) value = pair_near(GIVE, r2, t, value);\n",
    "#else\n",
    "    if (any(r2 < CONVK_SET_(c->near_by))) value = CONVK_LESS_(r2, CONVK_SET_(c->near_by), pair_near(GIVE, r2, t, value), value);\n",
    "#endif\n",
    "#endif\n",
    "    CONVK_STORE_(lane, value);\n",
    "    for (k = 0; k < left; k++) to[args.to + i + k] = lane[k];\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#if defined PAIR_MOVE || defined PAIR_ACCEPT || defined VMC_SINGLE\n",
    "/* What an item's share of all others makes of a particle at two places: sums after less before, gradients before and\n",
    "   after, the product before and after. */\n",
    "typedef struct {\n",
    "  double sum[4], force[6], mantissa[2], power[2];\n",
    "} CHANGE;\n",
    "\n",
    "/* first: 0, or 1 for the second place alone.  gradient: of PAIR_ACCEPT, which brings the others' up to date. */\n",
    "INLINED void pair_change(GIVEN, uint n, uint particle, global const T *x, ulong pitch, const T *places, const int want,\n",
    "                         const int first, global T *gradient, CHANGE *to) {\n",
    "  V sum[2][8], force[2][3], product[2];\n",
    "  IV exponent[2];\n",
    "  uint i, turn = 0;\n",
    "  int d, m;\n",
    "  for (d = 0; d < 4; d++) to->sum[d] = 0;\n",
    "  for (d = 0; d < 6; d++) to->force[d] = 0;\n",
    "  for (m = 0; m < 2; m++) {\n",
    "    to->mantissa[m] = 1;\n",
    "    to->power[m] = 0;\n",
    "    product[m] = CONVK_SET_(1);\n",
    "    exponent[m] = 0;\n",
    "    for (d = 0; d < 8; d++) sum[m][d] = 0;\n",
    "    for (d = 0; d < 3; d++) force[m][d] = 0;\n",
    "  }\n",
    "  for (i = (uint)get_local_id(0) * LANES; i < n; i += ITEMS * LANES) {\n",
    "    const V q[3] = {pair_load(x, i, n), pair_load(x + pitch, i, n), pair_load(x + 2 * pitch, i, n)};\n",
    "    V change[3] = {0, 0, 0}, limit;\n",
    "    T lane[LANES];\n",
    "    for (d = 0; d < LANES; d++) lane[d] = i + d < n && i + d != particle ? c->limit : 0;\n",
    "    limit = CONVK_LOAD_(lane);\n",
    "    for (m = first; m < 2; m++) {\n",
    "      const V at[3] = {CONVK_SET_(places[3 * m]), CONVK_SET_(places[3 * m + 1]), CONVK_SET_(places[3 * m + 2])};\n",
    "      V u[3], t, w;\n",
    "      pair_between(c, at, q, u);\n",
    "      w = pair_step(c, pair_square(u), limit, 1, want, sum[m], &product[m], &t);\n",
    "      if (!(want & CONVK_PAIR_GRADIENT)) continue;\n",
    "      for (d = 0; d < 3; d++) {\n",
    "        force[m][d] = fma(w, u[d], force[m][d]);\n",
    "        change[d] = m ? fma(-w, u[d], change[d]) : w * u[d];\n",
    "      }\n",
    "    }\n",
    "#ifdef PAIR_ACCEPT\n",
    "    for (d = 0; d < 3; d++) {\n",
    "      T v[LANES];\n",
    "      CONVK_STORE_(v, change[d]);\n",
    "      for (m = 0; m < LANES; m++)\n",
    "        if (i + m < n && i + m != particle) gradient[d * pitch + i + m] += v[m];\n",
    "    }\n",
    "#endif\n",
    "    turn++;\n",
    "    if (turn % CHUNK == 0) {\n",
    "      pair_mantissa(&product[0], &exponent[0]);\n",
    "      pair_mantissa(&product[1], &exponent[1]);\n",
    "    }\n",
    "    if (turn % 32 && i + ITEMS * LANES < n) continue;\n",
    "    for (d = 0; d < 3; d++) to->sum[d] = CONVK_SUM_(double, to->sum[d], lane_sum(sum[1][d] - sum[0][d]));\n",
    "    to->sum[3] = CONVK_SUM_(double, to->sum[3], lane_sum(sum[1][7] - sum[0][7]));\n",
    "    for (m = 0; m < 2; m++) {\n",
    "      for (d = 0; d < 3; d++) {\n",
    "        to->force[3 * m + d] = CONVK_SUM_(double, to->force[3 * m + d], lane_sum(force[m][d]));\n",
    "        force[m][d] = 0;\n",
    "      }\n",
    "      for (d = 0; d < 8; d++) sum[m][d] = 0;\n",
    "    }\n",
    "  }\n",
    "  for (m = 0; m < 2; m++) {\n",
    "    pair_mantissa(&product[m], &exponent[m]);\n",
    "    lane_product(product[m], exponent[m], &to->mantissa[m], &to->power[m]);\n",
    "  }\n",
    "}\n",
    "\n",
    "#ifndef VMC_SINGLE\n",
    "/* Where a particle is, and where it may go. */\n",
    "void pair_places(global const T *x, ulong pitch, uint particle, global const T *to, T *places) {\n",
    "  int d;\n",
    "  for (d = 0; d < 3; d++) {\n",
    "    places[d] = x[d * pitch + particle];\n",
    "    places[3 + d] = to[d];\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "/* An item's share of ln Psi after less before. */\n",
    "INLINED double change_of(const convk_pairs_arguments_ *e, const CHANGE *s) {\n",
    "  double change = -(e->p[0] * s->sum[0] + e->p[1] * s->sum[1] + e->p[3] * s->sum[2]) - e->shift * s->sum[3];\n",
    "#if LOGARITHM\n",
    "  change -= 0.5 * e->p[2] * convk_log_ratio_(s->mantissa[1], s->mantissa[0], s->power[1] - s->power[0]);\n",
    "#endif\n",
    "  return change;\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef PAIR_MOVE\n",
    "/* A group has a walker. */\n",
    "CONVK_GROUP_KERNEL_ pair_move(ARGUMENTS) {\n",
    "  local double folded[7 * ITEMS];\n",
    "  const uint item = (uint)get_local_id(0), n = args.n, particle = args.particle;\n",
    "  const ulong walker = get_group_id(0), pitch = args.pitch;\n",
    "  global const T *x = r + args.r + walker * args.stride;\n",
    "  CHANGE s;\n",
    "  T places[6];\n",
    "  int d;\n",
    "  BEGIN;\n",
    "  pair_places(x, pitch, particle, to + args.to + walker * 3, places);\n",
    "  pair_change(GIVE, n, particle, x, pitch, places, CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT, 0, 0, &s);\n",
    "  folded[item] = change_of(e, &s);\n",
    "  for (d = 0; d < 6; d++) folded[(1 + d) * ITEMS + item] = s.force[d];\n",
    "  fold(folded, 7, item, ITEMS, 1);\n",
    "  if (!item)\n",
    "    for (d = 0; d < 7; d++) result[args.result + walker * 7 + d] = folded[d * ITEMS];\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef PAIR_ACCEPT\n",
    "/* gradient (gradients) is laid out as r. */\n",
    "CONVK_GROUP_KERNEL_ pair_accept(ARGUMENTS) {\n",
    "  local double folded[3 * ITEMS];\n",
    "  const uint item = (uint)get_local_id(0), n = args.n, particle = args.particle;\n",
    "  const ulong walker = get_group_id(0), pitch = args.pitch;\n",
    "  global T *x = r + args.r + walker * args.stride, *slope = gradient + args.gradient + walker * args.stride;\n",
    "  const int taken = !args.chosen || accept[args.accept + walker];\n",
    "  T places[6];\n",
    "  int d;\n",
    "  BEGIN;\n",
    "  pair_places(x, pitch, particle, to + args.to + walker * 3, places);\n",
    "  for (d = 0; d < 3; d++) folded[d * ITEMS + item] = 0;\n",
    "  if (taken && args.gradients) {\n",
    "    CHANGE s;\n",
    "    pair_change(GIVE, n, particle, x, pitch, places, CONVK_PAIR_GRADIENT, 0, slope, &s);\n",
    "    for (d = 0; d < 3; d++) folded[d * ITEMS + item] = s.force[3 + d];\n",
    "  }\n",
    "  barrier(CLK_GLOBAL_MEM_FENCE); /* all have seen where the particle was; fold waits for what is local */\n",
    "  fold(folded, 3, item, ITEMS, 1);\n",
    "  for (d = 0; d < 3 && !item && taken; d++) {\n",
    "    if (args.gradients) slope[d * pitch + particle] = (T)folded[d * ITEMS];\n",
    "    x[d * pitch + particle] = places[3 + d];\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef VMC_SINGLE\n",
    "/* Whole sweeps of a walker by a group: one particle after another. */\n",
    "CONVK_GROUP_KERNEL_ vmc_single(ARGUMENTS) {\n",
    "  local double folded[(DRIFT ? 7 : 1) * ITEMS], random[4 * ITEMS];\n",
    "  local int taken;\n",
    "  const uint item = (uint)get_local_id(0), walker = (uint)get_group_id(0), number = args.first_walker + walker, n = args.n;\n",
    "  const double step = args.step;\n",
    "  global T *x = r + args.r + (ulong)walker * 3 * n;\n",
    "  double followed = ln_psi[args.ln_psi + walker];\n",
    "  ulong sweep = args.sweep;\n",
    "  uint first, k, done, count = 0;\n",
    "  CHANGE s;\n",
    "  int d;\n",
    "  BEGIN;\n",
    "  for (done = 0; done < args.sweeps; done++, sweep++)\n",
    "    for (first = 0; first < n; first += ITEMS) {\n",
    "      if (first + item < n) {\n",
    "        double u[4];\n",
    "        convk_random_(args.seed, sweep, first + item, number, CONVK_RANDOM_MOVE_, u);\n",
    "        if (DRIFT) convk_normal_(args.seed, sweep, first + item, number, u);\n",
    "        for (d = 0; d < 4; d++) random[4 * item + d] = u[d];\n",
    "      }\n",
    "      barrier(CLK_LOCAL_MEM_FENCE); /* coordinates are fenced below, after each of at least two particles */\n",
    "      for (k = first; k < n && k < first + ITEMS; k++) {\n",
    "        local const double *u = random + 4 * (k - first);\n",
    "        T places[6];\n",
    "        double number[3], before[3] = {0, 0, 0}, move[3], way[3];\n",
    "        for (d = 0; d < 3; d++) places[d] = places[3 + d] = x[(ulong)d * n + k];\n",
    "#if DRIFT\n",
    "        pair_change(GIVE, n, k, x, n, places, CONVK_PAIR_GRADIENT, 1, 0, &s);\n",
    "        for (d = 0; d < 3; d++) folded[(4 + d) * ITEMS + item] = s.force[3 + d];\n",
    "        fold(folded + 4 * ITEMS, 3, item, ITEMS, 1);\n",
    "        barrier(CLK_LOCAL_MEM_FENCE);\n",
    "        for (d = 0; d < 3; d++) before[d] = folded[(4 + d) * ITEMS];\n",
    "#endif\n",
    "        for (d = 0; d < 3; d++) number[d] = u[d];\n",
    "        convk_vmc_move_(DRIFT, step, before, number, move);\n",
    "        for (d = 0; d < 3; d++) {\n",
    "          places[3 + d] = (T)((double)places[d] + move[d]);\n",
    "          way[d] = (double)places[3 + d] - (double)places[d];\n",
    "        }\n",
    "        pair_change(GIVE, n, k, x, n, places, DRIFT ? CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT : CONVK_PAIR_LN_PSI, 0, 0, &s);\n",
    "        folded[item] = change_of(e, &s);\n",
    "        for (d = 0; d < 3 && DRIFT; d++) folded[(1 + d) * ITEMS + item] = s.force[3 + d];\n",
    "        fold(folded, DRIFT ? 4 : 1, item, ITEMS, 1);\n",
    "        if (!item) {\n",
    "          double chance = 2 * folded[0];\n",
    "#if DRIFT\n",
    "          double after[3];\n",
    "          for (d = 0; d < 3; d++) after[d] = folded[(1 + d) * ITEMS];\n",
    "          chance += convk_vmc_return_(step, way, before, after);\n",
    "#endif\n",
    "          taken = convk_vmc_accepts_(chance, u[3]);\n",
    "          if (taken) followed = CONVK_SUM_(double, followed, folded[0]);\n",
    "          count += taken;\n",
    "        }\n",
    "        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n",
    "        if (taken && item == k / LANES % ITEMS)\n",
    "          for (d = 0; d < 3; d++) x[(ulong)d * n + k] = places[3 + d];\n",
    "      }\n",
    "    }\n",
    "  if (!item) {\n",
    "    ln_psi[args.ln_psi + walker] = followed;\n",
    "    accepted[args.accepted + walker] += count;\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef VMC_PROPOSE\n",
    "/* Where all particles would go. */\n",
    "kernel void vmc_propose(ARGUMENTS) {\n",
    "  const uint n = args.n;\n",
    "  const ulong i = get_global_id(0), walker = i / n, k = i % n;\n",
    "  global T *there = (global T *)(work + args.moved) + walker * 3 * n + k;\n",
    "  double u[4], force[3] = {0, 0, 0}, move[3];\n",
    "  int d;\n",
    "  if (walker >= args.walkers) return;\n",
    "  r += args.r + walker * 3 * n + k;\n",
    "  for (d = 0; d < 3 && DRIFT; d++) force[d] = work[args.force + walker * args.force_stride + (ulong)d * n + k];\n",
    "  if (DRIFT) convk_normal_(args.seed, args.sweep, (uint)k, args.first_walker + (uint)walker, u);\n",
    "  else convk_random_(args.seed, args.sweep, (uint)k, args.first_walker + (uint)walker, CONVK_RANDOM_MOVE_, u);\n",
    "  convk_vmc_move_(DRIFT, args.step, force, u, move);\n",
    "  for (d = 0; d < 3; d++) there[(ulong)d * n] = (T)((double)r[(ulong)d * n] + move[d]);\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef VMC_DECIDE\n",
    "/* Whether a walker goes there. */\n",
    "CONVK_GROUP_KERNEL_ vmc_decide(ARGUMENTS) {\n",
    "  local double folded[ITEMS];\n",
    "  local int taken;\n",
    "  const uint item = (uint)get_local_id(0), walker = (uint)get_group_id(0), n = args.n;\n",
    "  global const T *there = (global const T *)(work + args.moved) + (ulong)walker * 3 * n;\n",
    "  global T *x = r + args.r + (ulong)walker * 3 * n;\n",
    "  double sum = 0;\n",
    "  ulong k;\n",
    "#if DRIFT\n",
    "  for (k = item; k < n; k += ITEMS) {\n",
    "    double way[3], before[3], after[3];\n",
    "    int d;\n",
    "    for (d = 0; d < 3; d++) {\n",
    "      const ulong i = walker * args.force_stride + (ulong)d * n + k;\n",
    "      way[d] = (double)there[(ulong)d * n + k] - (double)x[(ulong)d * n + k];\n",
    "      before[d] = work[args.force + i];\n",
    "      after[d] = work[args.after + i];\n",
    "    }\n",
    "    sum = CONVK_SUM_(double, sum, convk_vmc_return_(args.step, way, before, after));\n",
    "  }\n",
    "#endif\n",
    "  folded[item] = sum;\n",
    "  fold(folded, 1, item, ITEMS, 1);\n",
    "  if (!item) {\n",
    "    const double after = work[args.moved_result + (ulong)walker * 9];\n",
    "    double u[4];\n",
    "    convk_random_(args.seed, args.sweep, n, args.first_walker + walker, CONVK_RANDOM_ACCEPT_, u);\n",
    "    taken = convk_vmc_accepts_(2 * (after - ln_psi[args.ln_psi + walker]) + folded[0], u[3]);\n",
    "    if (taken) {\n",
    "      ln_psi[args.ln_psi + walker] = after;\n",
    "      accepted[args.accepted + walker]++;\n",
    "    }\n",
    "  }\n",
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* `taken` is there, and all have seen where the walker was */\n",
    "  for (k = item; k < 3 * (ulong)n && taken; k += ITEMS) x[k] = there[k];\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef VMC_BEGIN\n",
    "/* Clears what is counted (`clear`), and brings walkers back (`back`) as convk.h. */\n",
    "CONVK_GROUP_KERNEL_ vmc_begin(ARGUMENTS) {\n",
    "  local double folded[3 * ITEMS];\n",
    "  const uint item = (uint)get_local_id(0), n = args.n;\n",
    "  const ulong walker = get_group_id(0);\n",
    "  global T *x = r + args.r + walker * 3 * n;\n",
    "  uint k;\n",
    "  int d;\n",
    "  if (!item && args.clear) {\n",
    "    accepted[args.accepted + walker] = 0;\n",
    "    drift[args.drift + walker] = 0;\n",
    "  }\n",
    "  if (!args.back) return;\n",
    "  for (d = 0; d < 3 && args.periodic; d++) {\n",
    "    const double period = d == 0 ? args.box[0] : d == 1 ? args.box[1] : args.box[2];\n",
    "    for (k = item; k < n; k += ITEMS) x[(ulong)d * n + k] = (T)convk_vmc_inside_((double)x[(ulong)d * n + k], period);\n",
    "  }\n",
    "  for (d = 0; d < 3; d++) {\n",
    "    double sum = 0;\n",
    "    for (k = item; k < n; k += ITEMS) sum = CONVK_SUM_(double, sum, x[(ulong)d * n + k]);\n",
    "    folded[d * ITEMS + item] = sum;\n",
    "  }\n",
    "  fold(folded, 3, item, ITEMS, 1);\n",
    "  barrier(CLK_LOCAL_MEM_FENCE);\n",
    "  for (d = 0; d < 3 && !args.periodic; d++) {\n",
    "    const double off = convk_vmc_off_(folded[d * ITEMS] / (double)n);\n",
    "    for (k = item; k < n; k += ITEMS) x[(ulong)d * n + k] = (T)((double)x[(ulong)d * n + k] - off);\n",
    "  }\n",
    "}\n",
    "#endif\n",
    "\n",
    "#ifdef VMC_RENEW\n",
    "/* ln Psi is computed anew: how far off it was, where it was `set`. */\n",
    "kernel void vmc_renew(ARGUMENTS) {\n",
    "  const ulong w = get_global_id(0);\n",
    "  double anew, off = 0;\n",
    "  if (w >= args.walkers) return;\n",
    "  anew = result[args.result + w * 9];\n",
    "  if (args.set) off = fabs(ln_psi[args.ln_psi + w] - anew);\n",
    "  if (isfinite(off) && off > drift[args.drift + w]) drift[args.drift + w] = off;\n",
    "  ln_psi[args.ln_psi + w] = anew;\n",
    "}\n",
    "#endif\n",
      NULL};
  return lines;
}

/* Set by hand and not fitted: what keeps a compute unit busy, and launches short. */
enum {
  CONVK_CL_PAIRS_GROUPS_ = 8,   /* of pair_rows, for each unit */
  CONVK_CL_PAIRS_ITEMS_ = 1024, /* that move particles, for each unit */
  CONVK_CL_VMC_MOVES_ = 1 << 16 /* of a walker in a launch, so that none takes seconds */
};

/* One call: the terms of its system, what else kernels take, and where its arrays lie. */
typedef struct convk_cl_pair_ {
  size_t element, walkers;
  int kind, bump, cut, logarithm;
  unsigned char terms[25 * sizeof(cl_double)]; /* in the type of the pair terms */
  convk_pairs_arguments_ args;                 /* all but where arrays begin */
  cl_mem table, work;
  convk_cl_array r, to, gradient, result, accept, ln_psi, accepted, drift; /* result: offset in doubles */
} convk_cl_pair_;

/* How the pairs of all walkers are cut, and what the work memory holds, in doubles. */
typedef struct convk_cl_pairs_cut_ {
  size_t items, lanes, points; /* of a group: rows */
  size_t pack;                 /* walkers of a group */
  size_t blocks, slices, length, groups;
  size_t squares; /* groups that add up slices of one walker */
  size_t part, square, force, force_count, end;
} convk_cl_pairs_cut_;

/* Work-groups of kernels whose items have little to do. */
CONVK_LOCAL_ size_t convk_cl_pairs_items_(const convk_cl *cl, size_t limit) {
  size_t items = cl->cpu ? 1 : limit;
  while (items > 1 && (items > cl->group_items || items > cl->group_x)) items /= 2;
  return items;
}

/* Items that a GPU runs together; AMD says so where they are 64. */
CONVK_LOCAL_ size_t convk_cl_pairs_together_(const convk_cl *cl) {
  const cl_device_info wavefront_width = 0x4043; /* of cl_amd_device_attribute_query */
  cl_uint width = 32;
  if (cl->cpu || clGetDeviceInfo(cl->device, wavefront_width, sizeof width, &width, NULL)) return 32;
  return width == 64 ? 64 : 32;
}

/* Lanes of vectors: a processor's own, and one on a GPU. */
CONVK_LOCAL_ size_t convk_cl_pairs_lanes_(const convk_cl *cl, size_t element) {
  cl_uint lanes = 1;
  if (!cl->cpu) return 1;
  if (clGetDeviceInfo(cl->device,
                      element == sizeof(cl_float) ? CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT : CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
                      sizeof lanes, &lanes, NULL))
    lanes = 1;
  return lanes >= 16 ? 16 : lanes >= 8 ? 8 : lanes >= 4 ? 4 : 2;
}

/* Rows are particles, and others come in slices, so that one large walker fills the device; small walkers share groups.  keep:
   forces are needed in work memory even where there is one slice.  all: walkers of all parts, for the order of sums. */
CONVK_LOCAL_ int convk_cl_pairs_cut_of_(const convk_cl *cl, size_t element, size_t n, size_t walkers, size_t all, int keep,
                                        convk_cl_pairs_cut_ *cut) {
  const size_t record = 10, least = 64; /* others in a slice */
  size_t items = convk_cl_pairs_items_(cl, 128), wanted = CONVK_CL_PAIRS_GROUPS_ * cl->compute_units, bytes;
  memset(cut, 0, sizeof *cut);
  while (items > 1 && items * 4 * sizeof(cl_double) > cl->local_bytes) items /= 2;
  cut->lanes = convk_cl_pairs_lanes_(cl, element);
  cut->points = cut->pack = cut->slices = 1;
  cut->length = convk_round_up_(n, least);
  if (cl->cpu) {
    while (cut->points * cut->lanes < least && convk_ceil_(n, 2 * cut->points * cut->lanes) * all >= wanted) cut->points *= 2;
  } else if (2 * n <= items) {
    cut->pack = items / n < all ? items / n : all;
  } else if (items >= 32) { /* as few idle ones as may be */
    items = convk_round_up_(convk_ceil_(n, convk_ceil_(n, items)), items < 64 ? 32 : convk_cl_pairs_together_(cl));
  }
  cut->items = items;
  cut->blocks = convk_ceil_(n, cut->items * cut->lanes * cut->points);
  if (cut->pack > 1) cut->blocks = 1;
  if (!cl->cpu && cut->pack == 1 && cut->blocks * all < wanted) {
    const size_t slices = wanted / (cut->blocks * all);
    cut->length = convk_round_up_(convk_ceil_(n, slices), least);
    cut->slices = convk_ceil_(n, cut->length);
  }
  if (convk_mul_(convk_ceil_(walkers, cut->pack), cut->blocks * cut->slices, &cut->groups) ||
      cut->groups > (size_t)0x7fffffff / cut->items)
    return CONVK_ERR_OVERFLOW;
  cut->squares = cut->slices > 1 ? convk_ceil_(n, convk_cl_pairs_items_(cl, 64)) : 0;
  if (cut->slices > 1 || keep) cut->force_count = cut->slices * 3 * n;
  if (convk_mul_(walkers, record * cut->blocks * cut->slices + cut->squares + 2 * cut->force_count, &bytes) ||
      bytes > (size_t)-1 / 64)
    return CONVK_ERR_OVERFLOW;
  cut->square = cut->part + walkers * record * cut->blocks * cut->slices;
  cut->force = cut->square + walkers * cut->squares;
  cut->end = cut->force + walkers * cut->force_count;
  return CONVK_OK;
}

/* Its parts `base` doubles further. */
CONVK_LOCAL_ void convk_cl_pairs_move_(convk_cl_pairs_cut_ *cut, size_t base) {
  cut->part += base;
  cut->square += base;
  cut->force += base;
}

/* Upper bounds, also for fewer particles and walkers and any number of walkers in all parts, of what such a cut has: *force of
   all forces once, *end of all, in doubles.  Where there are slices, blocks times slices times walkers are at most as many as
   the groups that are wanted. */
CONVK_LOCAL_ int convk_cl_pairs_bound_(const convk_cl *cl, size_t element, size_t n, size_t walkers, int keep, size_t *force,
                                       size_t *end) {
  const size_t record = 10, least = 64, wanted = CONVK_CL_PAIRS_GROUPS_ * cl->compute_units;
  size_t items = convk_cl_pairs_items_(cl, 128), rows, groups, together, all;
  while (items > 1 && items * 4 * sizeof(cl_double) > cl->local_bytes) items /= 2;
  rows = items * convk_cl_pairs_lanes_(cl, element);
  if (n > (size_t)1 << 30 || convk_mul_(walkers, 3 * n + 1, &all) || all > (size_t)-1 / 1024) return CONVK_ERR_OVERFLOW;
  groups = walkers * convk_ceil_(n, rows);
  together = groups > wanted / convk_ceil_(n, least) ? wanted : groups * convk_ceil_(n, least);
  *force = 0;
  if (!cl->cpu) *force = 3 * rows * together;
  if (keep && *force < 3 * n * walkers) *force = 3 * n * walkers;
  *end = record * (groups > together ? groups : together) + walkers * convk_ceil_(n, convk_cl_pairs_items_(cl, 64)) + *force;
  return CONVK_OK;
}

/* Starts a kernel; `more` is what it depends on besides its types. */
CONVK_LOCAL_ int convk_cl_pairs_start_(convk_cl_chain_ *chain, const convk_cl_pair_ *job, const char *name, const char *more,
                                       size_t groups, size_t items) {
  const convk_cl_array array[8] = {job->r,      job->to,     job->gradient, job->result,
                                   job->accept, job->ln_psi, job->accepted, job->drift};
  convk_cl *const cl = chain->cl;
  convk_pairs_arguments_ a = job->args;
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  size_t i;
  char options[CONVK_CL_KEY_], upper[16];
  int status;
  for (i = 0; name[i] && i + 1 < sizeof upper; i++) upper[i] = (char)(name[i] == '_' ? '_' : name[i] - 'a' + 'A');
  upper[i] = 0;
  (void)snprintf(options, sizeof options, "-D%s -DT=%s -DF64=%d -DITEMS=%d %s", upper, convk_cl_type_(job->element),
                 job->element == sizeof(cl_double), (int)items, more);
  status = convk_cl_kernel_(cl, convk_cl_pairs_source_(), name, options, NULL, &p);
  if (!status && p->items < items) {
    (void)snprintf(cl->message, sizeof cl->message, "%s can have groups of %d items at most: lower group_items", name,
                   (int)p->items);
    status = CONVK_ERR_UNSUPPORTED;
  }
  args = convk_cl_args_of_(status, p);
  a.walkers = job->walkers;
  a.r = job->r.offset;
  a.to = job->to.offset;
  a.gradient = job->gradient.offset;
  a.result = job->result.offset;
  a.accept = job->accept.offset;
  a.ln_psi = job->ln_psi.offset;
  a.accepted = job->accepted.offset;
  a.drift = job->drift.offset;
  convk_cl_put_(&args, sizeof a, &a);
  convk_cl_put_(&args, 25 * job->element, job->terms);
  convk_cl_put_mem_(&args, job->table ? job->table : job->r.mem); /* what is not there is not read */
  for (i = 0; i < 8; i++) {
    if (i == 4) convk_cl_put_mem_(&args, job->work ? job->work : job->r.mem);
    convk_cl_put_mem_(&args, array[i].mem ? array[i].mem : job->r.mem);
  }
  return convk_cl_launch_(chain, &args, groups, items, 1, 1);
}

/* The same of one that meets pairs. */
CONVK_LOCAL_ int convk_cl_pairs_meet_(convk_cl_chain_ *chain, const convk_cl_pair_ *job, const char *name, size_t groups,
                                      size_t items, size_t lanes, size_t points, int want, int logarithm, int drift) {
  const int near_by = want & CONVK_PAIR_POTENTIAL_ENERGY;
  char more[160];
  (void)snprintf(more, sizeof more,
                 "-DLANES=%d -DPOINTS=%d -DKIND=%d -DBUMP=%d -DPERIODIC=%d -DCUT=%d -DWANT=%d -DLOGARITHM=%d -DDRIFT=%d",
                 (int)lanes, (int)points, near_by ? job->kind : 0, near_by && job->bump, (int)job->args.periodic, job->cut,
                 want, logarithm, drift);
  return convk_cl_pairs_start_(chain, job, name, more, groups, items);
}

/* All pairs of all walkers.  force: where forces are kept in work memory, in doubles; (size_t)-1: not. */
CONVK_LOCAL_ int convk_cl_pairs_run_(convk_cl_chain_ *chain, const convk_cl_pair_ *job, const convk_cl_pairs_cut_ *cut,
                                     int want, size_t force) {
  const int slices = cut->slices > 1, keep = (want & CONVK_PAIR_GRADIENT) && (slices || force != (size_t)-1);
  const size_t records = cut->blocks * cut->slices, items = convk_cl_pairs_items_(chain->cl, 64);
  const size_t members = records > 1 ? items : 1;
  convk_cl_pair_ own = *job;
  convk_pairs_arguments_ *const a = &own.args;
  int status;
  if (!(want & CONVK_PAIR_GRADIENT)) own.gradient.mem = NULL;
  a->want = (cl_uint)want;
  a->pack = (cl_uint)cut->pack;
  a->blocks = (cl_uint)cut->blocks;
  a->slices = (cl_uint)cut->slices;
  a->length = (cl_uint)cut->length;
  a->part = cut->part;
  a->square = cut->square;
  a->squares = (cl_uint)(keep && slices ? cut->squares : 0);
  a->force = !keep ? 0 : force == (size_t)-1 ? cut->force : force;
  a->forces = (cl_uint)keep;
  a->gradients = own.gradient.mem && !slices;
  a->members = (cl_uint)members;
  a->records = (cl_uint)records;
  status = convk_cl_pairs_meet_(chain, &own, "pair_rows", cut->groups, cut->items, cut->lanes, cut->points, want, 0, 0);
  if (!status && keep && slices) {
    a->gradients = own.gradient.mem != NULL;
    status = convk_cl_pairs_start_(chain, &own, "pair_forces", "", job->walkers * cut->squares, items);
  }
  return status ? status
                : convk_cl_pairs_start_(chain, &own, "pair_finish", "", convk_ceil_(job->walkers, items / members), items);
}

CONVK_LOCAL_ int convk_cl_pairs_values_(convk_cl_chain_ *chain, const convk_cl_pair_ *job) {
  const size_t items = convk_cl_pairs_items_(chain->cl, 128), lanes = convk_cl_pairs_lanes_(chain->cl, job->element);
  const size_t points = chain->cl->cpu ? 64 : 1, groups = convk_ceil_((size_t)job->args.count, items * lanes * points);
  return convk_cl_pairs_meet_(chain, job, "pair_values", groups, items, lanes, points, CONVK_PAIR_POTENTIAL_ENERGY, 0, 0);
}

/* Items of a group that moves one particle of a walker: few walkers want more of them. */
CONVK_LOCAL_ size_t convk_cl_pairs_row_items_(const convk_cl *cl, size_t n, size_t walkers) {
  const size_t max_items = convk_cl_pairs_items_(cl, 256);
  const size_t least = n > 32 ? convk_cl_pairs_together_(cl) : 32;
  size_t items = max_items < least ? max_items : least;
  while (2 * items <= max_items && 2 * items < n && items * walkers < CONVK_CL_PAIRS_ITEMS_ * cl->compute_units) items *= 2;
  return items;
}

/* A particle's move: what it would change, into job->result, or with NULL the change of what is accepted. */
CONVK_LOCAL_ int convk_cl_pairs_step_(convk_cl_chain_ *chain, const convk_cl_pair_ *job) {
  const int moves = job->result.mem != NULL;
  return convk_cl_pairs_meet_(chain, job, moves ? "pair_move" : "pair_accept", job->walkers,
                              convk_cl_pairs_row_items_(chain->cl, job->args.n, job->walkers),
                              convk_cl_pairs_lanes_(chain->cl, job->element), 1, 0, moves && job->logarithm, 0);
}

/* ---- runs ---- */

/* Some sweeps of all walkers, packed, with what convk.h does about them.  Work memory: that of pair_energy with forces, more
   forces, where particles would go, and results on the way. */
typedef struct convk_cl_vmc_ {
  convk_cl_pair_ pair; /* its result: of what is measured; its sweep: the first */
  const convk_vmc *vmc;
  size_t count;
  int anew;  /* ln Psi of some is not known: not a number */
  int unset; /* nor is it that: nobody has written to ln_psi */
} convk_cl_vmc_;

typedef struct convk_cl_vmc_cut_ {
  convk_cl_pairs_cut_ pair;
  size_t after, to, result; /* in doubles */
} convk_cl_vmc_cut_;

/* From `base` doubles on. */
CONVK_LOCAL_ int convk_cl_vmc_cut_of_(const convk_cl *cl, size_t element, const convk_vmc *vmc, size_t base,
                                      convk_cl_vmc_cut_ *cut) {
  const size_t n = vmc->system.particles, walkers = convk_vmc_walkers_here_(vmc);
  const int all = vmc->moves == CONVK_VMC_MOVE_ALL, keep = all && vmc->drift;
  const int status = convk_cl_pairs_cut_of_(cl, element, n, walkers, vmc->walkers, keep, &cut->pair);
  size_t all_of;
  if (status) return status;
  if (convk_mul_(walkers, 3 * n + 9, &all_of) || all_of > (size_t)-1 / 64 || cut->pair.end > (size_t)-1 / 64)
    return CONVK_ERR_OVERFLOW;
  convk_cl_pairs_move_(&cut->pair, base);
  cut->after = base + cut->pair.end;
  cut->to = cut->after + (keep ? walkers * cut->pair.force_count : 0);
  cut->result = cut->to + (all ? convk_ceil_(3 * n * walkers * element, sizeof(cl_double)) : 0);
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cl_vmc_begin_(convk_cl_chain_ *chain, convk_cl_pair_ *pair, int clear, int back) {
  pair->args.clear = (cl_uint)clear;
  pair->args.back = (cl_uint)back;
  return convk_cl_pairs_start_(chain, pair, "vmc_begin", "", pair->walkers, convk_cl_pairs_items_(chain->cl, 64));
}

/* set: the ln Psi that there is counts. */
CONVK_LOCAL_ int convk_cl_vmc_renew_(convk_cl_chain_ *chain, convk_cl_pair_ *pair, int set) {
  const size_t items = convk_cl_pairs_items_(chain->cl, 64);
  pair->args.set = (cl_uint)set;
  return convk_cl_pairs_start_(chain, pair, "vmc_renew", "", convk_ceil_(pair->walkers, items), items);
}

/* Sweeps of single particles. */
CONVK_LOCAL_ int convk_cl_vmc_single_(convk_cl_chain_ *chain, const convk_cl_vmc_ *job, uint64_t sweep, size_t count) {
  const size_t n = job->pair.args.n, items = convk_cl_pairs_row_items_(chain->cl, n, job->vmc->walkers);
  const size_t limit = CONVK_CL_VMC_MOVES_ / n ? CONVK_CL_VMC_MOVES_ / n : 1;
  convk_cl_pair_ pair = job->pair;
  int status = CONVK_OK;
  for (pair.args.sweep = sweep; count && !status; pair.args.sweep += pair.args.sweeps, count -= pair.args.sweeps) {
    pair.args.sweeps = (cl_uint)convk_least_(count, limit);
    status = convk_cl_pairs_meet_(chain, &pair, "vmc_single", pair.walkers, items,
                                  convk_cl_pairs_lanes_(chain->cl, pair.element), 1, 0, pair.logarithm, job->vmc->drift);
  }
  return status;
}

/* One sweep of all particles at once. */
CONVK_LOCAL_ int convk_cl_vmc_all_(convk_cl_chain_ *chain, const convk_cl_vmc_ *job, const convk_cl_vmc_cut_ *cut,
                                   uint64_t sweep) {
  const size_t walkers = job->pair.walkers, items = convk_cl_pairs_items_(chain->cl, 64);
  const int drift = job->vmc->drift, want = drift ? CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT : CONVK_PAIR_LN_PSI;
  const char *more = drift ? "-DDRIFT=1" : "-DDRIFT=0";
  convk_cl_pair_ pair = job->pair, moved;
  int status = CONVK_OK;
  pair.args.sweep = sweep;
  pair.args.force = cut->pair.force;
  pair.args.force_stride = cut->pair.force_count;
  pair.args.after = cut->after;
  pair.args.moved = cut->to;
  pair.args.moved_result = cut->result;
  moved = pair;
  moved.result = convk_cl_at_(moved.work, cut->result);
  if (drift) status = convk_cl_pairs_run_(chain, &moved, &cut->pair, want, cut->pair.force);
  if (!status)
    status = convk_cl_pairs_start_(chain, &pair, "vmc_propose", more, convk_ceil_(pair.args.n * walkers, items), items);
  moved.r = convk_cl_at_(moved.work, cut->to * (sizeof(cl_double) / job->pair.element));
  if (!status) status = convk_cl_pairs_run_(chain, &moved, &cut->pair, want, drift ? cut->after : (size_t)-1);
  return status ? status : convk_cl_pairs_start_(chain, &pair, "vmc_decide", more, walkers, items);
}

/* Checked sweeps of all walkers, as convk.h has those of one: in batches that begin with ln Psi anew. */
CONVK_LOCAL_ int convk_cl_vmc_run_(convk_cl_chain_ *chain, const convk_cl_vmc_ *job, const convk_cl_vmc_cut_ *cut) {
  convk_cl_pair_ pair = job->pair;
  const uint64_t sweep = pair.args.sweep;
  size_t i, next, measured = 0;
  int status = job->count ? CONVK_OK : convk_cl_vmc_begin_(chain, &pair, 1, 0);
  for (i = 0; i < job->count && !status; i = next) {
    const int back = (!i && job->anew) || (sweep + i) % CONVK_VMC_BATCH_ == 0;
    int measures = 0;
    if (!i || back) status = convk_cl_vmc_begin_(chain, &pair, !i, back);
    if (!status && back) {
      pair.result = convk_cl_at_(pair.work, cut->result);
      status = convk_cl_pairs_run_(chain, &pair, &cut->pair, CONVK_PAIR_LN_PSI, (size_t)-1);
      if (!status) status = convk_cl_vmc_renew_(chain, &pair, i || !job->unset);
    }
    for (next = i; next < job->count && !measures && (next == i || (sweep + next) % CONVK_VMC_BATCH_); next++) {
      measures = convk_vmc_measures_(job->vmc, sweep + next);
      if (job->vmc->moves == CONVK_VMC_MOVE_ALL && !status) status = convk_cl_vmc_all_(chain, job, cut, sweep + next);
    }
    if (job->vmc->moves == CONVK_VMC_MOVE_SINGLE && !status) status = convk_cl_vmc_single_(chain, job, sweep + i, next - i);
    if (status || !measures) continue;
    pair.result = convk_cl_at_(job->pair.result.mem, job->pair.result.offset + 9 * measured++ * job->pair.walkers);
    status = convk_cl_pairs_run_(chain, &pair, &cut->pair, CONVK_PAIR_ALL, (size_t)-1);
    if (!status) status = convk_cl_vmc_renew_(chain, &pair, 1);
  }
  return status;
}
#endif
/* ===================================================================================================== both precisions == */

#if CONVK_HAS_F32_
#define CONVK_CL_PASS_ 2 /* calls */
#define CONVK_TYPE_ f32
#include CONVK_CL_HEADER
#endif
#if CONVK_HAS_F64_
#define CONVK_CL_PASS_ 2 /* calls */
#define CONVK_TYPE_ f64
#include CONVK_CL_HEADER
#endif

/* ---- src/device/opencl_clock.h ---- */
#if CONVK_CORE_
/* ---- the time of kernels, for convk_tune ---- */

/* A queue that notes times takes the place of the handle's; see tuner/types.h for what is asked. */
CONVK_LOCAL_ int convk_cl_clock_(convk *hw, int ask, double *answer) {
  convk_cl_host_ *const host = (convk_cl_host_ *)hw->ours.inside.device;
  struct convk_cl_cache_ *const cache = host->cl.cache;
  cl_command_queue queue;
  cl_int error = CL_SUCCESS;
  host->hw = hw;
  switch (ask) {
    case CONVK_CLOCK_KIND_: *answer = host->cl.cpu ? CONVK_TUNE_ON_CPU_ : CONVK_TUNE_ON_GPU_; break;
    case CONVK_CLOCK_BEGIN_:
      queue = convk_cl_new_queue_(&host->cl, 1, &error);
      if (error) return convk_cl_report_(host, convk_cl_status_(&host->cl, "clCreateCommandQueue", error));
      host->untimed = host->queue;
      host->queue = queue;
      cache->timed = 1;
      cache->seconds = 0;
      break;
    case CONVK_CLOCK_WAY_:
      *answer = (double)(cache->way >> 12); /* exactly */
      cache->way = 0;
      break;
    case CONVK_CLOCK_STILL_: host->still = 1; break;
    case CONVK_CLOCK_COPY_: host->still = 0; break;
    case CONVK_CLOCK_LOOK_:
      *answer = cache->seconds;
      cache->seconds = 0;
      break;
    default:
      (void)clFinish(host->queue);
      (void)clReleaseCommandQueue(host->queue);
      host->queue = host->untimed;
      host->untimed = NULL;
      cache->timed = host->still = 0;
  }
  return CONVK_OK;
}
#endif
/* ---- src/device/opencl_open.h ---- */
#if CONVK_CORE_
/* ==================================================================================================== opening a handle == */

CONVK_LOCAL_ int convk_cl_same_letter_(char a, char b) {
  if (a >= 'A' && a <= 'Z') a = (char)(a - 'A' + 'a');
  if (b >= 'A' && b <= 'Z') b = (char)(b - 'A' + 'a');
  return a == b;
}

/* Whether a device's name contains `text`; upper and lower case count as the same. */
CONVK_LOCAL_ int convk_cl_named_(cl_device_id device, const char *text) {
  char name[512];
  size_t i, k;
  memset(name, 0, sizeof name);
  if (clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL)) return 0;
  for (i = 0; name[i]; i++) {
    for (k = 0; text[k] && name[i + k] && convk_cl_same_letter_(text[k], name[i + k]); k++) continue;
    if (!text[k]) return 1;
  }
  return !text[0];
}

/* Copies the device's name to hw->machine, as much of it as there is room for. */
CONVK_LOCAL_ void convk_cl_named_as_(cl_device_id device, char *machine, size_t size) {
  char name[512];
  memset(name, 0, sizeof name);
  if (clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL) || !name[0]) strcpy(name, "OpenCL");
  memset(machine, 0, size);
  memcpy(machine, name, strlen(name) < size ? strlen(name) : size - 1);
}

enum { CONVK_CL_RUNS_ = 4 }; /* ranks of devices that are available, and have a compiler */

/* The search for a device, over all platforms in sequence. */
typedef struct convk_cl_search_ {
  const char *text; /* NULL: the first one of the highest rank */
  int by_index, rank;
  size_t index, seen;
  cl_platform_id platform;
  cl_device_id device;
} convk_cl_search_;

/* Whether a device runs programs counts most, then whether it is a GPU, then whether it has doubles. */
CONVK_LOCAL_ int convk_cl_rank_(cl_device_id device) {
  cl_device_fp_config fp64 = 0;
  cl_device_type type = 0;
  cl_bool available = CL_FALSE, compiler = CL_FALSE;
  (void)clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
  (void)clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
  (void)clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  if (clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL)) fp64 = 0;
  return (available && compiler ? CONVK_CL_RUNS_ : 0) + (type & CL_DEVICE_TYPE_GPU ? 2 : 0) + (fp64 ? 1 : 0);
}

CONVK_LOCAL_ int convk_cl_search_platform_(convk_cl_search_ *search, cl_platform_id platform) {
  cl_device_id *devices;
  cl_uint count = 0, i;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count) || !count) return CONVK_OK;
  devices = (cl_device_id *)CONVK_MALLOC(count * sizeof *devices);
  if (!devices) return CONVK_ERR_MEMORY;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices, NULL)) count = 0;
  for (i = 0; i < count; i++) {
    const int rank = convk_cl_rank_(devices[i]);
    int take;
    if (search->by_index) take = search->seen == search->index;
    else if (search->text) take = !search->device && convk_cl_named_(devices[i], search->text);
    else take = !search->device || rank > search->rank;
    search->seen++;
    if (!take) continue;
    search->platform = platform;
    search->device = devices[i];
    search->rank = rank;
  }
  CONVK_FREE(devices);
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cl_search_all_(convk_cl_search_ *search, const char *options) {
  cl_platform_id *platforms;
  cl_uint count = 0, i;
  size_t k;
  int status = CONVK_OK;
  memset(search, 0, sizeof *search);
  search->text = options;
  search->by_index = options && options[0];
  for (k = 0; search->by_index && options[k]; k++) {
    if (options[k] < '0' || options[k] > '9') search->by_index = 0;
    else if (search->index < (size_t)-1 / 16) search->index = search->index * 10 + (size_t)(options[k] - '0');
  }
  if (clGetPlatformIDs(0, NULL, &count) || !count) return CONVK_ERR_HW_MACHINE;
  platforms = (cl_platform_id *)CONVK_MALLOC(count * sizeof *platforms);
  if (!platforms) return CONVK_ERR_MEMORY;
  if (clGetPlatformIDs(count, platforms, NULL)) count = 0;
  for (i = 0; i < count && !status; i++) status = convk_cl_search_platform_(search, platforms[i]);
  CONVK_FREE(platforms);
  return status ? status : search->device ? CONVK_OK : CONVK_ERR_HW_MACHINE;
}

CONVK_LOCAL_ void convk_cl_host_free_(convk_cl_host_ *host) {
  size_t i;
  for (i = 0; i < sizeof host->buffer / sizeof *host->buffer; i++)
    if (host->buffer[i]) (void)clReleaseMemObject(host->buffer[i]);
  convk_cl_lanes_destroy_(host);
  if (host->queue) (void)clReleaseCommandQueue(host->queue);
  convk_cl_close(&host->cl);
  CONVK_FREE(host);
}

CONVK_LOCAL_ void convk_close_opencl_(convk *hw) {
  convk_cl_host_free_((convk_cl_host_ *)hw->ours.inside.device);
  hw->ours.inside.device = NULL;
}

CONVK_BIND_ALL_(opencl)

CONVK_LOCAL_ int convk_open_opencl_(convk *hw, const char *options) {
  cl_context_properties properties[3] = {CL_CONTEXT_PLATFORM, 0, 0};
  convk_cl_search_ search;
  convk_cl_host_ *host;
  cl_context context;
  cl_int error = CL_SUCCESS;
  int status = convk_cl_search_all_(&search, options);
  if (status) {
    if (status == CONVK_ERR_HW_MACHINE) (void)snprintf(hw->message, sizeof hw->message, "no such OpenCL device");
    return status;
  }
  if (search.rank < CONVK_CL_RUNS_) {
    (void)snprintf(hw->message, sizeof hw->message, "the OpenCL device is not available, or has no compiler");
    return CONVK_ERR_HW_MACHINE;
  }
  host = (convk_cl_host_ *)CONVK_MALLOC(sizeof *host);
  if (!host) return CONVK_ERR_MEMORY;
  memset(host, 0, sizeof *host);
  properties[1] = (cl_context_properties)search.platform;
  context = clCreateContext(properties, 1, &search.device, NULL, NULL, &error);
  if (error) {
    status = convk_cl_status_(&host->cl, "clCreateContext", error);
  } else {
    status = convk_cl_open(&host->cl, context, search.device);
    (void)clReleaseContext(context); /* host->cl has its own share */
  }
  if (!status) {
    host->queue = convk_cl_new_queue_(&host->cl, 0, &error);
    if (error) {
      host->queue = NULL;
      status = convk_cl_status_(&host->cl, "clCreateCommandQueue", error);
    }
  }
  if (status) {
    memcpy(hw->message, host->cl.message, sizeof hw->message);
    convk_cl_host_free_(host);
    return status;
  }
  convk_bind_opencl_(hw);
  convk_cl_named_as_(search.device, hw->machine, sizeof hw->machine);
  hw->ours.inside.device = host;
  hw->ours.inside.close = convk_close_opencl_;
  hw->ours.inside.clock = convk_cl_clock_;
  return CONVK_OK;
}

CONVK_API_ convk_modules_ convk_cl_modules_(void) {
  static const convk_module_ list[] = {{"opencl", 0, convk_open_opencl_}};
  const convk_modules_ table = {1, list};
  return table;
}
CONVK_OFFER_(cl)
#endif
#endif /* declarations only */
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
#ifdef __cplusplus
}
#endif
#endif /* CONVK_OLD_C_ */

#else
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
#define convk_box_copy_resident CONVK_DEVICE_TYPED_(box_copy)
#define convk_chebyshev3d_complex_device CONVK_COMPLEX_VARIANT_(chebyshev3d)
#define convk_chebyshev3d_complex_resident CONVK_DEVICE_COMPLEX_(chebyshev3d)
#define convk_chebyshev3d_device CONVK_VARIANT_(chebyshev3d)
#define convk_chebyshev3d_resident CONVK_DEVICE_TYPED_(chebyshev3d)
#define convk_chebyshev3d_work_size_complex_resident CONVK_DEVICE_COMPLEX_(chebyshev3d_work_size)
#define convk_chebyshev3d_work_size_resident CONVK_DEVICE_TYPED_(chebyshev3d_work_size)
#define convk_cl_hamiltonian_terms CONVK_TYPED_(cl_hamiltonian_terms)
#define convk_cl_sepconv_epilogue CONVK_TYPED_(cl_sepconv_epilogue)
#define convk_cl_sumconv_terms CONVK_TYPED_(cl_sumconv_terms)
#define convk_conv1d_transpose_device CONVK_VARIANT_(conv1d_transpose)
#define convk_conv1d_transpose_resident CONVK_DEVICE_TYPED_(conv1d_transpose)
#define convk_conv1d_transpose_work_size_resident CONVK_DEVICE_TYPED_(conv1d_transpose_work_size)
#define convk_density_grid_k_resident CONVK_DEVICE_TYPED_(density_grid_k)
#define convk_density_grid_resident CONVK_DEVICE_TYPED_(density_grid)
#define convk_density_resident CONVK_DEVICE_TYPED_(density)
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
#if CONVK_CL_PASS_ == 1
#if CONVK_HAS_FILTERS_
/* ---- src/filters/opencl_api.h ---- */
/* As convk_sepconv_epilogue_f64, on buffers; `dot` and `energy` are arrays of one double.  No sum waits: it is there when the
   call's event is complete. */
typedef struct convk_cl_sepconv_epilogue {
  convk_cl_array potential, density;
  CONVK_T density_factor;
  convk_cl_array dot, energy;
  int update;
  CONVK_T a, b;
} convk_cl_sepconv_epilogue;
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
/* ---- src/sums/opencl_api.h ---- */
/* As convk_sumconv_terms_f64, on buffers; a mem of NULL: none. */
typedef struct convk_cl_sumconv_terms {
  convk_filter filter[3], imag[3], first[3];
  CONVK_T mixed[3];
  double phase[3][2];
  convk_cl_array potential;
  CONVK_T potential_factor, shift;
  convk_cl_array add;
  CONVK_T add_factor;
} convk_cl_sumconv_terms;
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
/* ---- src/hamiltonian/opencl_api.h ---- */
/* As convk_hamiltonian_terms_f64, on a buffer; a mem of NULL: no potential. */
typedef struct convk_cl_hamiltonian_terms {
  double spacing[3];
  convk_cl_array potential;
  CONVK_T shift;
  double k[3];
} convk_cl_hamiltonian_terms;
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
#else /* calls, once per precision */
#define CONVK_HW_ opencl
#define CONVK_KERNEL_(name) CONVK_HARDWARE_(name)
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
/* ---- src/filters/opencl_calls.h ---- */
/* A kernel, for the numbers of taps of the axes that it goes along. */
CONVK_LOCAL_ convk_cl_args_ convk_filters_program_(convk_cl *cl, unsigned kernel, const CONVK_ARGUMENTS_(filters) * a,
                                                   const size_t tile[3]) {
  static const char *const name[] = {"sepconv_yx", "sepconv_z", "conv1d_transpose", "sepconv_tree", "sepconv_sum"};
  static const char *const define[] = {"SEPCONV_YX", "SEPCONV_Z", "CONV1D_TRANSPOSE", "SEPCONV_TREE", "SEPCONV_SUM"};
  static const char along[][3] = {{1, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  const convk_axis_device_ *const axis[3] = {&a->x, &a->y, &a->z};
  const size_t s = kernel < CONVK_CL_TREE_ ? sizeof(CONVK_T) : sizeof(cl_double);
  const int last = kernel == CONVK_CL_Z_, sums = last && a->actions & CONVK_FILTERS_SUMS_;
  const int plain = last && a->actions == CONVK_FILTERS_STORE_;
  const int laid = last && !plain && (a->laid_y != a->out_y || a->laid_z != a->out_z);
  uint32_t v[9];
  convk_cl_program_ *p;
  uint64_t number;
  char options[2][CONVK_CL_KEY_], taps[2][3][16];
  int d, i, known = 1, status;
  for (d = 0; d < 3; d++) {
    v[d] = along[kernel][d] ? (uint32_t)axis[d]->ntaps * 2 + (uint32_t)axis[d]->periodic : 0;
    v[3 + d] = (uint32_t)tile[d];
    if (v[d] && v[d] / 2 != 16) known = 0;
    (void)snprintf(taps[0][d], sizeof taps[0][d], "%u", (unsigned)(v[d] / 2));
    (void)snprintf(taps[1][d], sizeof taps[1][d], v[d] ? "taps_%c" : "0", "xyz"[d]);
  }
  v[6] = (uint32_t)s;
  v[7] = (uint32_t)plain;
  v[8] = (uint32_t)(sums + 2 * laid);
  number = convk_cl_number_(CONVK_CL_FILTERS_ + kernel, v, 9);
  p = convk_cl_known_(cl, number);
  if (p) return convk_cl_args_of_(CONVK_OK, p);
  for (i = 0; i < 2; i++) {
    const int length =
        snprintf(options[i], sizeof options[i],
                 "-D%s%s%s -DT=%s -DF64=%d -DMAX_TAPS=%d -DTILE_X=%d -DTILE_Y=%d -DROWS=%d -DTAPS_X=%s -DTAPS_Y=%s -DTAPS_Z=%s "
                 "-DPERIODIC_X=%d -DPERIODIC_Y=%d -DPERIODIC_Z=%d -DACTIONS=%s",
                 define[kernel], sums ? " -DSUMS" : "", laid ? " -DLAID=1" : "", convk_cl_type_(s), s == sizeof(cl_double),
                 CONVK_FILTER_MAX_TAPS, (int)tile[0], (int)tile[1], (int)tile[2], taps[i][0], taps[i][1], taps[i][2],
                 (int)(v[0] & 1), (int)(v[1] & 1), (int)(v[2] & 1), plain ? "8" : "actions");
    if (length < 0 || (size_t)length >= sizeof options[i]) return convk_cl_args_of_(CONVK_ERR_BUILD, p);
  }
  status = convk_cl_kernel_(cl, convk_cl_filters_source_(), name[kernel], options[0], known ? NULL : options[1], &p);
  if (!status) convk_cl_remember_(cl, number, p, NULL, 0);
  return convk_cl_args_of_(status, p);
}

/* y and x, from the input to work. */
CONVK_LOCAL_ int convk_filters_yx_(convk_cl_call_ *call, const convk_filters_call_ *c, CONVK_ARGUMENTS_(filters) * a,
                                   const long *choice, cl_mem mid, cl_mem taps) {
  const size_t s = sizeof(CONVK_T), more = c->job.axis[0].ntaps - 1;
  const cl_mem buffers[] = {c->in.mem, mid, taps};
  size_t tile[3] = {64, 32, 0}, local[2];
  convk_cl_args_ args;
  int status;
  tile[0] = convk_tuned_power_(choice[CONVK_TUNE_TILE_X], 16, 512, tile[0]);
  tile[1] = convk_tuned_power_(choice[CONVK_TUNE_TILE_Y], 8, 128, tile[1]);
  status = convk_cl_tile_(call->cl, s, more, &tile[0], &tile[1], &tile[2]);
  if (tile[2] > tile[1]) tile[2] = tile[1];
  if (status) return status;
  args = convk_filters_program_(call->cl, CONVK_CL_YX_, a, tile);
  a->tiles_x = convk_ceil_(c->job.axis[0].m, tile[0]);
  a->strips = convk_ceil_(c->job.axis[1].m, tile[1]);
  convk_cl_group_(call->cl, args.p, 32, tile[1] / tile[2], local);
  convk_cl_put_all_(&args, a, sizeof *a, buffers, 3);
  convk_cl_put_local_(&args, (tile[0] + more) * tile[1] * s);
  return convk_cl_launch_(call, &args, (size_t)(a->tiles_x * a->strips) * c->job.gi.nz, local[0], 1, local[1]);
}

/* z and the epilogue, from work to the output. */
CONVK_LOCAL_ int convk_filters_z_(convk_cl_call_ *call, const convk_filters_call_ *c, CONVK_ARGUMENTS_(filters) * a,
                                  const long *choice, cl_mem mid, cl_mem taps) {
  const size_t mx = c->job.go.nx, my = c->job.go.ny, mz = c->job.go.nz, tile[3] = {0, 0, CONVK_CL_ROWS_};
  const int sums = (a->actions & CONVK_FILTERS_SUMS_) != 0;
  const size_t items = sums ? convk_cl_filters_lanes_ * my : mx * my;
  size_t chunk = 64, local[2];
  convk_cl_args_ args = convk_filters_program_(call->cl, CONVK_CL_Z_, a, tile);
  if (choice[CONVK_TUNE_CHUNK]) chunk = convk_round_up_((size_t)choice[CONVK_TUNE_CHUNK], CONVK_CL_ROWS_);
  while (!choice[CONVK_TUNE_CHUNK] && chunk > CONVK_CL_ROWS_ && items * (mz / chunk) < call->cl->compute_units * CONVK_CL_BUSY_)
    chunk /= 2;
  if (mz / chunk >= CONVK_CL_GROUPS_Y_) chunk = convk_round_up_(mz / CONVK_CL_GROUPS_Y_ + 1, CONVK_CL_ROWS_);
  a->chunk = chunk;
  convk_cl_group_(call->cl, args.p, 128, 1, local);
  convk_cl_put_(&args, sizeof *a, a);
  convk_cl_put_mem_(&args, mid);
  convk_cl_put_mem_(&args, taps);
  convk_cl_put_mem_(&args, c->out.mem ? c->out.mem : mid); /* what is not there is not used */
  convk_cl_put_mem_(&args, c->e.potential.mem ? c->e.potential.mem : mid);
  convk_cl_put_mem_(&args, c->e.density.mem ? c->e.density.mem : mid);
  if (sums) convk_cl_put_mem_(&args, c->in.mem);
  if (sums) convk_cl_put_mem_(&args, mid);
  return convk_cl_launch_(call, &args, convk_ceil_(items, local[0]), local[0], convk_ceil_(mz, chunk), 1);
}

/* From lanes to one number: rows, planes, all. */
CONVK_LOCAL_ int convk_filters_total_(convk_cl_call_ *call, const convk_filters_call_ *c, const CONVK_ARGUMENTS_(filters) * a,
                                      convk_cl_array lanes, convk_cl_array out) {
  const size_t my = (size_t)a->y.m, mz = (size_t)a->z.m, none[3] = {0, 0, 0};
  const size_t rows = lanes.offset + convk_cl_filters_lanes_ * my * mz, planes = rows + my * mz;
  size_t step;
  int status = CONVK_OK;
  for (step = 0; step < 3 && !status; step++) {
    const size_t count = step == 0 ? my * mz : step == 1 ? mz : 1;
    convk_cl_args_ args = convk_filters_program_(call->cl, step ? CONVK_CL_SUM_ : CONVK_CL_TREE_, a, none);
    convk_cl_put_mem_(&args, lanes.mem);
    convk_cl_put_size_(&args, step == 0 ? lanes.offset : step == 1 ? rows : planes + c->sum_first);
    if (step) convk_cl_put_mem_(&args, step == 1 ? lanes.mem : out.mem);
    convk_cl_put_size_(&args, step == 0 ? rows : step == 1 ? planes : out.offset);
    convk_cl_put_size_(&args, count);
    if (step) convk_cl_put_size_(&args, step == 1 ? my : c->sum_planes);
    if (step) convk_cl_put_size_(&args, step == 2 && c->sum_more);
    status = convk_cl_launch_row_(call, &args, count, step < 2 ? 32 : 1);
  }
  return status;
}

CONVK_LOCAL_ int convk_filters_run_(convk_cl_call_ *call, const convk_filters_call_ *c, const convk_filters_parts_ *parts,
                                    convk_cl_array base) {
  const convk_cl_array mid = convk_cl_array_at_(base, 0, sizeof(CONVK_T));
  const size_t d = sizeof(cl_double);
  CONVK_ARGUMENTS_(filters) a;
  const void *host_taps[3];
  size_t count[3], i;
  cl_mem taps = NULL;
  long choice[CONVK_TUNE_COUNT];
  int status;
  convk_choice_(call->hw, "sepconv3d", sizeof(CONVK_T), c->job.axis[0].n, c->job.axis[1].n,
                call->planes ? call->planes : c->job.axis[2].n, c->job.axis[1].ntaps, choice);
  for (i = 0; i < 3; i++) {
    host_taps[i] = c->job.taps[i];
    count[i] = c->job.axis[i].ntaps;
  }
  memset(&a, 0, sizeof a);
  convk_filters_arguments_of_(c, &a);
  a.in_at = c->in.offset;
  a.out_at = c->out.offset;
  a.mid_at = mid.offset;
  a.potential_at = c->e.potential.offset;
  a.density_at = c->e.density.offset;
  a.dot_at = convk_cl_array_at_(base, parts->sum[0], d).offset;
  a.energy_at = convk_cl_array_at_(base, parts->sum[1], d).offset;
  status = convk_cl_taps_(call->cl, sizeof(CONVK_T), host_taps, count, 3, &taps);
  if (!status) status = convk_filters_yx_(call, c, &a, choice, base.mem, taps);
  a.in_at = c->same.offset;
  if (!status) status = convk_filters_z_(call, c, &a, choice, base.mem, taps);
  if (!status && a.actions & CONVK_FILTERS_DOT_)
    status = convk_filters_total_(call, c, &a, convk_cl_array_at_(base, parts->sum[0], d), c->e.dot);
  if (!status && a.actions & CONVK_FILTERS_ENERGY_)
    status = convk_filters_total_(call, c, &a, convk_cl_array_at_(base, parts->sum[1], d), c->e.energy);
  return status;
}

CONVK_LOCAL_ int convk_transpose_run_(convk_cl_call_ *call, const convk_transpose_job_ *job, convk_cl_array in,
                                      convk_cl_array out) {
  const size_t s = sizeof(CONVK_T), ntaps = job->axis.ntaps;
  const void *host_taps = job->taps;
  size_t tile[3] = {32, 32, 0}, local[2];
  CONVK_ARGUMENTS_(filters) a;
  convk_cl_args_ args;
  cl_mem taps = NULL, buffers[3] = {in.mem, out.mem, NULL};
  int status = convk_cl_tile_(call->cl, s, ntaps, &tile[0], &tile[1], &tile[2]);
  if (tile[2] > tile[0]) tile[2] = tile[0];
  memset(&a, 0, sizeof a);
  a.x = convk_filters_axis_(&job->axis);
  a.y.n = job->ndat;
  a.in_y = job->ld_in;
  a.out_y = job->ld_out;
  a.in_at = in.offset;
  a.out_at = out.offset;
  a.tiles_x = convk_ceil_(job->axis.m, tile[0]);
  if (!status) status = convk_cl_taps_(call->cl, s, &host_taps, &ntaps, 1, &taps);
  if (status) return status;
  args = convk_filters_program_(call->cl, CONVK_CL_TURN_, &a, tile);
  convk_cl_group_(call->cl, args.p, 32, tile[0] / tile[2], local);
  buffers[2] = taps;
  convk_cl_put_all_(&args, &a, sizeof a, buffers, 3);
  convk_cl_put_local_(&args, ((tile[0] + ntaps - 1) | 1) * tile[1] * s);
  return convk_cl_launch_(call, &args, (size_t)a.tiles_x * convk_ceil_(job->ndat, tile[1]), local[0], 1, local[1]);
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
/* ---- src/wavelets/opencl_calls.h ---- */
/* A kernel, for the numbers of taps; tiles of tile[0] by tile[1] pairs, tile[2] of which a work-item makes. */
CONVK_LOCAL_ convk_cl_args_ convk_wavelets_program_(convk_cl *cl, int kernel, const convk_wavelets_level_device_ *level,
                                                    const size_t tile[3]) {
  static const char *const name[] = {"dwt_yx", "dwt_z"}, *const define[] = {"DWT_YX", "DWT_Z"};
  const size_t s = sizeof(CONVK_T);
  const int which = kernel != CONVK_CL_WAVELETS_YX_;
  const uint32_t count[3] = {(uint32_t)level->taps->count[0], (uint32_t)level->taps->count[1], (uint32_t)level->taps->more};
  const int known = count[2] ? count[0] == 15 && count[1] == 15 /* 16 and 31 taps; others have one program for all */
                             : (count[0] == 8 && count[1] == 8) || (count[0] == 16 && count[1] == 15);
  uint32_t v[8];
  char taps[48];
  int i;
  for (i = 0; i < 3; i++) {
    v[i] = known ? count[i] : 0;
    v[3 + i] = (uint32_t)tile[i];
  }
  v[6] = (uint32_t)s;
  v[7] = (uint32_t)level->synthesis;
  if (known)
    (void)snprintf(taps, sizeof taps, "-DEVEN=%u -DODD=%u -DMORE=%u", (unsigned)count[0], (unsigned)count[1],
                   (unsigned)count[2]);
  else (void)snprintf(taps, sizeof taps, "-DEVEN=even -DODD=odd -DMORE=more");
  return convk_cl_program_of_(cl, convk_cl_number_((unsigned)kernel, v, 8), convk_cl_wavelets_source_(), name[which],
                              "-D%s -DT=%s -DF64=%d -DTILE_X=%d -DTILE_Y=%d -DROWS=%d -DSYNTHESIS=%d %s", define[which],
                              convk_cl_type_(s), s == sizeof(cl_double), (int)tile[0], (int)tile[1], (int)tile[2],
                              level->synthesis, taps);
}

/* y and x, from the input to work. */
CONVK_LOCAL_ int convk_wavelets_yx_(convk_cl_call_ *call, const convk_wavelets_level_device_ *level,
                                    CONVK_ARGUMENTS_(wavelets) * a, cl_mem taps) {
  const size_t s = sizeof(CONVK_T), even = level->taps->count[0], odd = level->taps->count[1];
  const size_t more = (even > odd ? even : odd) + (size_t)level->taps->more - 1;
  const cl_mem buffers[] = {level->in.mem, level->low_in.mem, level->mid.mem, taps};
  size_t tile[3] = {32, 16, 0}, local[2];
  convk_cl_args_ args;
  const int status = convk_cl_tile_(call->cl, 4 * s, more, &tile[0], &tile[1], &tile[2]); /* a pair is two points, either way */
  if (tile[2] > tile[1]) tile[2] = tile[1];
  if (status) return status;
  args = convk_wavelets_program_(call->cl, CONVK_CL_WAVELETS_YX_, level, tile);
  a->tiles_x = convk_ceil_((size_t)a->x.pairs, tile[0]);
  a->strips = convk_ceil_((size_t)a->y.pairs, tile[1]);
  convk_cl_group_(call->cl, args.p, 32, tile[1] / tile[2], local);
  convk_cl_put_all_(&args, a, sizeof *a, buffers, 4);
  convk_cl_put_local_(&args, (tile[0] + more) * tile[1] * 4 * s);
  return convk_cl_launch_(call, &args, (size_t)(a->tiles_x * a->strips * a->planes), local[0], 1, local[1]);
}

/* z, from work to the output. */
CONVK_LOCAL_ int convk_wavelets_z_device_(convk_cl_call_ *call, const convk_wavelets_level_device_ *level,
                                          CONVK_ARGUMENTS_(wavelets) * a, cl_mem taps) {
  const size_t tile[3] = {0, 0, CONVK_CL_ROWS_}, items = (size_t)a->columns, pairs = (size_t)a->z.pairs;
  const cl_mem buffers[] = {level->mid.mem, taps, level->out.mem, level->low_out.mem};
  size_t chunk = 4 * CONVK_CL_ROWS_, local[2];
  convk_cl_args_ args = convk_wavelets_program_(call->cl, CONVK_CL_WAVELETS_Z_, level, tile);
  while (chunk > CONVK_CL_ROWS_ && items * (pairs / chunk) < call->cl->compute_units * CONVK_CL_BUSY_) chunk /= 2;
  if (pairs / chunk >= CONVK_CL_GROUPS_Y_) chunk = convk_round_up_(pairs / CONVK_CL_GROUPS_Y_ + 1, CONVK_CL_ROWS_);
  a->chunk = chunk;
  convk_cl_group_(call->cl, args.p, 128, 1, local);
  convk_cl_put_all_(&args, a, sizeof *a, buffers, 4);
  return convk_cl_launch_(call, &args, convk_ceil_(items, local[0]), local[0], convk_ceil_(pairs, chunk), 1);
}

CONVK_LOCAL_ int convk_wavelets_run_(convk_cl_call_ *call, const convk_wavelets_level_device_ *level) {
  const void *host_taps[2];
  size_t count[2];
  CONVK_ARGUMENTS_(wavelets) a;
  cl_mem taps = NULL;
  int status;
  host_taps[0] = level->taps->tap[0];
  host_taps[1] = level->taps->tap[1];
  count[0] = count[1] = 2 * CONVK_WAVELETS_TAPS_;
  memset(&a, 0, sizeof a);
  convk_wavelets_arguments_of_(level, &a);
  a.in_at = level->in.offset;
  a.out_at = level->out.offset;
  a.low_at = level->synthesis ? level->low_in.offset : level->low_out.offset;
  a.mid_at = level->mid.offset;
  status = convk_cl_taps_(call->cl, sizeof(CONVK_T), host_taps, count, 2, &taps);
  if (!status) status = convk_wavelets_yx_(call, level, &a, taps);
  return status ? status : convk_wavelets_z_device_(call, level, &a, taps);
}

/* ---- src/wavelets/segments_opencl_calls.h ---- */
CONVK_LOCAL_ int convk_segments_run_(convk_cl_call_ *call, const convk_segments_device_ *s) {
  const convk_cl_array compressed = s->compress ? s->to : s->from, dense = s->compress ? s->from : s->to;
  const uint32_t v = (uint32_t)sizeof(CONVK_T);
  cl_mem buffers[6];
  CONVK_ARGUMENTS_(segments) a;
  size_t local[2], k;
  convk_cl_args_ args =
      convk_cl_program_of_(call->cl, convk_cl_number_(CONVK_CL_SEGMENTS_, &v, 1), convk_cl_orbital_source_(), "segments",
                           "-DSEGMENTS -DT=%s -DF64=%d", convk_cl_type_(v), v == sizeof(cl_double));
  convk_segments_arguments_of_(s, &a);
  a.dense_at = dense.offset;
  a.compressed_at = compressed.offset;
  buffers[0] = compressed.mem ? compressed.mem : dense.mem; /* what is not there is not used */
  buffers[1] = dense.mem;
  for (k = 0; k < 2; k++) {
    a.ends_at[k] = s->ends[k].offset;
    a.place_at[k] = s->place[k].offset;
    buffers[2 + 2 * k] = s->count[k] ? s->ends[k].mem : dense.mem;
    buffers[3 + 2 * k] = s->count[k] ? s->place[k].mem : dense.mem;
  }
  convk_cl_group_(call->cl, args.p, 128, 1, local);
  convk_cl_put_all_(&args, &a, sizeof a, buffers, 6);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(s->job.half[0] * s->job.half[1], local[0]), local[0],
                                s->job.half[2] * s->job.vectors);
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
/* ---- src/sums/opencl_calls.h ---- */
/* A kernel of a call. */
CONVK_LOCAL_ convk_cl_args_ convk_sums_program_(convk_cl *cl, unsigned kernel, const convk_sums_job_ *job, int sums) {
  static const char *const name[] = {"sumconv_along", "sumconv_points", "sumconv_tiles"};
  static const char *const define[] = {"SUMCONV_ALONG", "SUMCONV_POINTS", "SUMCONV_TILES"};
  const size_t s = sizeof(CONVK_T), which = kernel - CONVK_CL_SUMCONV_SINGLE_;
  uint32_t v[4];
  v[0] = (uint32_t)s;
  v[1] = (uint32_t)job->step;
  v[2] = (uint32_t)job->any_phase;
  v[3] = (uint32_t)sums;
  return convk_cl_program_of_(cl, convk_cl_number_(CONVK_CL_FILTERS_ + kernel, v, 4), convk_cl_sums_source_(), name[which],
                              "-D%s%s -DT=%s -DF64=%d -DMAX_TAPS=%d -DSTEP=%d -DPHASES=%d", define[which],
                              sums ? " -DSUMS" : "", convk_cl_type_(s), s == sizeof(cl_double), CONVK_FILTER_MAX_TAPS,
                              (int)job->step, job->any_phase);
}

/* The taps of one kind of filters, of all axes. */
CONVK_LOCAL_ int convk_sums_taps_(convk_cl_call_ *call, const convk_sums_filter_ *f, cl_mem *taps) {
  const void *host_taps[3];
  size_t count[3], d;
  for (d = 0; d < 3; d++) {
    host_taps[d] = f[d].taps;
    count[d] = f[d].ntaps;
  }
  return convk_cl_taps_(call->cl, sizeof(CONVK_T), host_taps, count, 3, taps);
}

CONVK_LOCAL_ int convk_sums_single_(convk_cl_call_ *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * a,
                                    const convk_sums_filter_ *f, const convk_sums_room_ *parts, int product, size_t first,
                                    convk_cl_array base) {
  const size_t s = sizeof(CONVK_T), step = c->job.step, items = (size_t)(a->x.m * a->y.m);
  const size_t all = c->job.axis[0].m * c->job.axis[1].m * c->job.axis[2].m * step;
  const size_t half = convk_cl_array_at_(base, parts->half, s).offset;
  const size_t products = convk_cl_array_at_(base, parts->products, s).offset;
  convk_cl_args_ args;
  cl_mem taps = NULL, buffers[3];
  size_t local[2];
  const int status = convk_sums_taps_(call, c->job.filter[CONVK_SUMS_FIRST_], &taps);
  (void)f;
  if (status) return status;
  args = convk_sums_program_(call->cl, CONVK_CL_SUMCONV_SINGLE_, &c->job, 0);
  a->in_at = product < 0 ? (c->at.in.offset + first * c->job.in_stride) * step : half;
  a->out_at = product < 0 ? half : products + (size_t)product * all;
  buffers[0] = product < 0 ? c->at.in.mem : base.mem;
  buffers[1] = taps;
  buffers[2] = base.mem;
  convk_cl_group_(call->cl, args.p, 64, 1, local);
  convk_cl_put_all_(&args, a, sizeof *a, buffers, 3);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(items, local[0]), local[0], (size_t)a->z.m);
}

/* Whether a call goes tile by tile: what these lack is that of sumconv_points. */
CONVK_LOCAL_ int convk_sums_tiled_(const convk_sums_call_ *c) {
  int d;
  for (d = 0; d < 2; d++) {
    const convk_sums_filter_ *const f = &c->job.filter[CONVK_SUMS_FILTER_][d];
    if (f->ntaps && (f->lo > 0 || f->lo + (ptrdiff_t)f->ntaps <= 0)) return 0;
  }
  return !c->sums && !c->job.any_imag && !c->job.any_phase;
}

/* Starts it, with tiles of up to 32 numbers and 32 rows; *fits: whether local memory holds one. */
CONVK_LOCAL_ int convk_sums_tile_run_(convk_cl_call_ *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * a, cl_mem taps,
                                      cl_mem work, int *fits) {
  const size_t s = sizeof(CONVK_T), step = c->job.step, nx = c->job.filter[0][0].ntaps, ny = c->job.filter[0][1].ntaps;
  const size_t mx = c->job.axis[0].m, my = c->job.axis[1].m, mz = c->job.axis[2].m, rows = 4, planes = 4;
  const cl_mem none = c->at.in.mem, potential = c->potential ? c->at.potential.mem : none;
  const cl_mem buffers[] = {none, taps, work ? work : none, potential, c->add ? c->at.add.mem : none, c->at.out.mem};
  size_t local[2], width, height, bytes, tiles, chunk = 64;
  convk_cl_args_ args = convk_sums_program_(call->cl, CONVK_CL_SUMCONV_TILES_, &c->job, 0);
  *fits = 0;
  if (args.status) return args.status;
  convk_cl_group_(call->cl, args.p, 256, 1, local);
  for (;; local[0] /= 2) {
    width = local[0] < 32 ? local[0] : 32;
    height = local[0] / width * rows;
    bytes = ((width + (nx ? nx - 1 : 0) * step) | 1) * (height + (ny ? ny - 1 : 0)) * s;
    if (bytes <= call->cl->local_bytes || local[0] == 1) break;
  }
  if (bytes > call->cl->local_bytes) return CONVK_OK;
  *fits = 1;
  a->columns = width;
  a->tiles_x = convk_ceil_(mx * step, width);
  a->tiles_y = convk_ceil_(my, height);
  tiles = (size_t)(a->tiles_x * a->tiles_y);
  while (chunk > planes && tiles * local[0] * (mz / chunk) < call->cl->compute_units * CONVK_CL_BUSY_) chunk /= 2;
  a->chunk = chunk;
  a->chunks = convk_ceil_(mz, chunk);
  convk_cl_put_all_(&args, a, sizeof *a, buffers, 6);
  convk_cl_put_local_(&args, bytes);
  return convk_cl_launch_lines_(call, &args, tiles, local[0], (size_t)(a->chunks * a->vectors));
}

CONVK_LOCAL_ int convk_sums_points_(convk_cl_call_ *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * a,
                                    const convk_sums_room_ *parts, size_t first, convk_cl_array base) {
  const size_t s = sizeof(CONVK_T), step = c->job.step, mx = c->job.axis[0].m, my = c->job.axis[1].m, mz = c->job.axis[2].m;
  const size_t lanes = 16 / step, more = first * c->job.out_stride, each = (16 * CONVK_SUMS_PARTS_ + CONVK_SUMS_PARTS_) * 8;
  const cl_mem none = c->at.in.mem; /* what is not there is not used */
  cl_mem taps = NULL, imag = NULL, buffers[8];
  convk_cl_args_ args;
  size_t local[2], rows = 8;
  int fits = 0, status = convk_sums_taps_(call, c->job.filter[CONVK_SUMS_FILTER_], &taps);
  if (status) return status;
  a->in_at = (c->at.in.offset + first * c->job.in_stride) * step;
  a->out_at = (c->at.out.offset + more) * step;
  a->add_at = (c->at.add.offset + first * c->job.add_stride) * step;
  a->potential_at = c->at.potential.offset;
  if (base.mem) a->mixed_at = convk_cl_array_at_(base, parts->products, s).offset;
  if (base.mem) a->rows_at = convk_cl_array_at_(base, parts->rows, 8).offset + first * 8 * my * mz;
  if (convk_sums_tiled_(c)) status = convk_sums_tile_run_(call, c, a, taps, base.mem, &fits);
  if (fits || status) return status;
  status = convk_sums_taps_(call, c->job.filter[CONVK_SUMS_IMAG_], &imag);
  if (status) return status;
  buffers[0] = c->at.in.mem;
  buffers[1] = taps;
  buffers[2] = imag;
  buffers[3] = base.mem ? base.mem : none;
  buffers[4] = c->potential ? c->at.potential.mem : none;
  buffers[5] = c->add ? c->at.add.mem : none;
  buffers[6] = c->out ? c->at.out.mem : none;
  buffers[7] = base.mem; /* of rows: with sums alone */
  args = convk_sums_program_(call->cl, CONVK_CL_SUMCONV_POINTS_, &c->job, c->sums);
  convk_cl_put_all_(&args, a, sizeof *a, buffers, c->sums ? 8 : 7);
  if (!c->sums) {
    convk_cl_group_(call->cl, args.p, 64, 1, local);
    return convk_cl_launch_lines_(call, &args, convk_ceil_(mx * my, local[0]), local[0], mz * (size_t)a->vectors);
  }
  while (rows > 1 && rows * each > call->cl->local_bytes) rows /= 2;
  convk_cl_group_(call->cl, args.p, rows * lanes, 1, local);
  if (each > call->cl->local_bytes) return convk_cl_little_(call->cl);
  rows = local[0] < lanes ? 1 : local[0] / lanes;
  if (local[0] > lanes) local[0] = rows * lanes;
  convk_cl_put_local_(&args, rows * each);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(my, rows), local[0], mz * (size_t)a->vectors);
}

CONVK_LOCAL_ int convk_sums_total_(convk_cl_call_ *call, const convk_sums_call_ *c, const convk_sums_room_ *parts,
                                   convk_cl_array base) {
  const size_t my = c->job.axis[1].m, mz = c->job.axis[2].m, none[3] = {0, 0, 0};
  const size_t rows = convk_cl_array_at_(base, parts->rows, 8).offset + (c->axes ? 4 * my * mz : 0),
               planes = convk_cl_array_at_(base, parts->planes, 8).offset;
  CONVK_ARGUMENTS_(filters) a;
  size_t step;
  int status = CONVK_OK;
  memset(&a, 0, sizeof a);
  for (step = 0; step < 2 && !status; step++) {
    const size_t count = (c->axes ? c->axes : 8 * c->job.vectors) * (step ? 1 : mz);
    convk_cl_args_ args = convk_filters_program_(call->cl, CONVK_CL_SUM_, &a, none);
    convk_cl_put_mem_(&args, base.mem);
    convk_cl_put_size_(&args, step ? planes : rows);
    convk_cl_put_mem_(&args, step ? c->axes ? c->at.energies.mem : c->at.sums.mem : base.mem);
    convk_cl_put_size_(&args, step ? c->axes ? c->at.energies.offset : c->at.sums.offset * 8 : planes);
    convk_cl_put_size_(&args, count);
    convk_cl_put_size_(&args, step ? mz : my);
    convk_cl_put_size_(&args, 0);
    status = convk_cl_launch_row_(call, &args, count, 32);
  }
  return status;
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
/* ---- src/hamiltonian/opencl_calls.h ---- */
CONVK_LOCAL_ int convk_hamiltonian_split_(convk_cl_call_ *call, const convk_hamiltonian_sides_ *s) {
  const convk_cl_array numbers = s->join ? s->numbers : s->in;
  const cl_mem buffers[] = {s->parts.mem, numbers.mem};
  const uint32_t v = (uint32_t)sizeof(CONVK_T);
  CONVK_ARGUMENTS_(parts) a;
  size_t local[2];
  convk_cl_args_ args =
      convk_cl_program_of_(call->cl, convk_cl_number_(CONVK_CL_PARTS_, &v, 1), convk_cl_orbital_source_(), "complex_parts",
                           "-DCOMPLEX_PARTS -DT=%s -DF64=%d", convk_cl_type_(v), v == sizeof(cl_double));
  convk_hamiltonian_parts_of_(s, &a);
  a.parts_at = s->parts.offset;
  a.numbers_at = numbers.offset;
  convk_cl_group_(call->cl, args.p, 128, 1, local);
  convk_cl_put_all_(&args, &a, sizeof a, buffers, 2);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(s->grid.nx * s->grid.ny, local[0]), local[0], s->grid.nz);
}

/* Each number is a sum of `each`. */
CONVK_LOCAL_ int convk_hamiltonian_pick_(convk_cl_call_ *call, convk_cl_array from, convk_cl_array unused, convk_cl_array to,
                                         size_t count, size_t each) {
  const size_t none[3] = {0, 0, 0};
  CONVK_ARGUMENTS_(filters) a;
  convk_cl_args_ args;
  (void)unused;
  memset(&a, 0, sizeof a);
  args = convk_filters_program_(call->cl, CONVK_CL_SUM_, &a, none);
  convk_cl_put_mem_(&args, from.mem);
  convk_cl_put_size_(&args, from.offset);
  convk_cl_put_mem_(&args, to.mem);
  convk_cl_put_size_(&args, to.offset);
  convk_cl_put_size_(&args, count);
  convk_cl_put_size_(&args, each);
  convk_cl_put_size_(&args, 0);
  return convk_cl_launch_row_(call, &args, count, 32);
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
/* ---- src/stencil/opencl_calls.h ---- */
/* The program for a tile, whose items become fewer where the device cannot run so many. */
CONVK_LOCAL_ int convk_cl_stencil_program_(convk_cl *cl, int isotropic, convk_cl_stencil_group_ *tile, convk_cl_program_ **p) {
  const uint32_t v[9] = {
      sizeof(CONVK_T),         (uint32_t)isotropic,     (uint32_t)tile->depth,
      (uint32_t)tile->x,       (uint32_t)tile->y,       (uint32_t)tile->buffers,
      (uint32_t)tile->items_x, (uint32_t)tile->items_y, (uint32_t)(cl->group_items < 0x10000 ? cl->group_items : 0x10000)};
  const uint64_t number = convk_cl_number_(CONVK_CL_STENCIL_, v, 9);
  size_t limit = cl->group_items, items[2];
  char options[CONVK_CL_KEY_];
  int status;
  *p = convk_cl_known_(cl, number);
  if (*p) {
    tile->items_x = (*p)->choice[0];
    tile->items_y = (*p)->choice[1];
    return CONVK_OK;
  }
  do {
    while (tile->items_y > 1 && tile->items_x * tile->items_y > limit) tile->items_y /= 2;
    while (tile->items_x > 1 && tile->items_x > limit) tile->items_x /= 2;
    (void)snprintf(options, sizeof options,
                   "-DT=%s -DF64=%d -DISOTROPIC=%d -DDEPTH=%d -DITEMS_X=%d -DITEMS_Y=%d -DCOLUMNS=%d -DROWS=%d -DBUFFERS=%d",
                   convk_cl_type_(sizeof(CONVK_T)), sizeof(CONVK_T) == sizeof(cl_double), isotropic, (int)tile->depth,
                   (int)tile->items_x, (int)tile->items_y, (int)(tile->x / tile->items_x), (int)(tile->y / tile->items_y),
                   (int)tile->buffers);
    status = convk_cl_kernel_(cl, convk_cl_stencil_source_(), "stencil7", options, NULL, p);
    if (status) return status;
    limit = (*p)->items;
  } while (tile->items_x * tile->items_y > limit && tile->items_x * tile->items_y > 1);
  items[0] = tile->items_x;
  items[1] = tile->items_y;
  convk_cl_remember_(cl, number, *p, items, 2);
  return CONVK_OK;
}

/* `depth` steps at once, from state[from] to the other. */
CONVK_LOCAL_ int convk_cl_stencil_pass_(convk_cl_call_ *call, const convk_stencil_job_ *job,
                                        CONVK_ARGUMENTS_(stencil) * arguments, const convk_cl_array state[2], size_t depth,
                                        size_t from, const long *choice) {
  size_t tiles_x, tiles_y, chunk = job->count[2];
  convk_cl_program_ *p = NULL;
  convk_cl_stencil_group_ tile;
  convk_cl_args_ args;
  int status = convk_cl_stencil_tile_(call->cl, sizeof(CONVK_T), depth, choice, &tile);
  if (!status) status = convk_cl_stencil_program_(call->cl, job->isotropic, &tile, &p);
  if (status) return status;
  tile.x -= 2 * (depth - 1);
  tile.y -= 2 * (depth - 1);
  tiles_x = convk_ceil_(job->count[0], tile.x);
  tiles_y = convk_ceil_(job->count[1], tile.y);
  if (tiles_x > CONVK_CL_STENCIL_TILES_ / tiles_y)
    return convk_refuse_(call->message, CONVK_ERR_OVERFLOW, "shape->grid has more than 2^30 tiles in a plane");
  if (choice[CONVK_TUNE_CHUNK] && (size_t)choice[CONVK_TUNE_CHUNK] < chunk) chunk = (size_t)choice[CONVK_TUNE_CHUNK];
  while (!choice[CONVK_TUNE_CHUNK] && chunk > 8 * depth &&
         tiles_x * tiles_y * (job->count[2] / chunk) < 8 * call->cl->compute_units)
    chunk -= chunk / 2;
  if (job->count[2] / chunk >= CONVK_CL_GROUPS_Y_) chunk = job->count[2] / CONVK_CL_GROUPS_Y_ + 1;
  arguments->in_at = state[from].offset;
  arguments->out_at = state[1 - from].offset;
  arguments->tiles_x = (uint32_t)tiles_x;
  arguments->planes = (int64_t)chunk;
  args = convk_cl_args_of_(CONVK_OK, p);
  convk_cl_put_(&args, sizeof *arguments, arguments);
  convk_cl_put_mem_(&args, state[from].mem);
  convk_cl_put_mem_(&args, state[1 - from].mem);
  return convk_cl_launch_(call, &args, tiles_x * tiles_y, tile.items_x, convk_ceil_(job->count[2], chunk), tile.items_y);
}

/* On a processor two steps in one pass are worth 1.5 past the cache, three no more. */
CONVK_LOCAL_ int convk_stencil_launch_(convk_cl_call_ *call, const convk_stencil_job_ *job, size_t together, size_t steps,
                                       convk_cl_array a, convk_cl_array b) {
  const convk_cl_array state[2] = {a, b};
  CONVK_ARGUMENTS_(stencil) arguments;
  convk_cl_stencil_group_ tile;
  size_t passes, p;
  long choice[CONVK_TUNE_COUNT];
  int status;
  if (!steps || !job->count[0] || !job->count[1] || !job->count[2]) return CONVK_OK;
  convk_stencil_choice_(call->hw, job, call->planes, steps, choice);
  if (!together) together = call->cl->stencil_steps;
  if (!together) together = (size_t)choice[CONVK_TUNE_STEPS];
  if (!together) together = !call->cl->cpu && sizeof(CONVK_T) == sizeof(cl_float) ? 3 : 2;
  if (together > CONVK_CL_STENCIL_DEPTH_) together = CONVK_CL_STENCIL_DEPTH_;
  status = convk_cl_stencil_tile_(call->cl, sizeof(CONVK_T), together, choice, &tile);
  memset(&arguments, 0, sizeof arguments);
  convk_stencil_arguments_of_(job, &arguments);
  passes = convk_stencil_passes_(steps, tile.depth);
  for (p = 0; p < passes && !status; p++)
    status = convk_cl_stencil_pass_(call, job, &arguments, state, convk_stencil_pass_(steps, passes, p), p % 2, choice);
  return status;
}

/* Starts a copy of a box, of one point at least.  `arguments` are for one start: offsets of the arrays are added to them. */
CONVK_LOCAL_ int convk_box_launch_(convk_cl_call_ *call, CONVK_ARGUMENTS_(box) * arguments, convk_cl_array in,
                                   convk_cl_array out) {
  const uint32_t element = sizeof(CONVK_T);
  const uint64_t number = convk_cl_number_(CONVK_CL_STENCIL_ + 1, &element, 1);
  convk_cl_args_ args = convk_cl_program_of_(call->cl, number, convk_cl_box_source_(), "box_copy", "-DT=%s -DF64=%d",
                                             convk_cl_type_(element), element == sizeof(cl_double));
  arguments->in_at += in.offset;
  arguments->out_at += out.offset;
  if (call->cl->cpu) arguments->each = CONVK_CL_BOX_EACH_;
  convk_cl_put_(&args, sizeof *arguments, arguments);
  convk_cl_put_mem_(&args, in.mem);
  convk_cl_put_mem_(&args, out.mem);
  return convk_cl_launch_row_(call, &args, (size_t)((arguments->points - 1) / arguments->each + 1),
                              call->cl->cpu ? 1 : CONVK_CL_BOX_ITEMS_);
}
#endif
#if CONVK_HAS_VMATH_
/* ---- src/vmath/opencl_launch.h ---- */
/* z: the second result, or any array. */
CONVK_LOCAL_ int convk_map_start_(convk_cl_call_ *call, int function, size_t n, convk_cl_array x, convk_cl_array y,
                                  convk_cl_array z) {
  static const char *const name[4] = {"FUNCTION=convk_vexp_", "FUNCTION=convk_vexpm1_", "FUNCTION=convk_vlog_", "SINCOS"};
  size_t group[2]; /* items, and points of an item */
  char more[64], options[CONVK_CL_KEY_];
  uint32_t values[4] = {sizeof(CONVK_T), (uint32_t)function, 0, 0};
  uint64_t number;
  convk_cl_program_ *p;
  convk_cl_args_ args;
  convk_cl_block_(call->cl, CONVK_CL_MAP_POINTS_, &group[0], &group[1]);
  values[2] = (uint32_t)group[0];
  values[3] = (uint32_t)group[1];
  number = convk_cl_number_(CONVK_CL_VMATH_, values, 4);
  p = convk_cl_known_(call->cl, number);
  if (!p) {
    int status;
    do {
      (void)snprintf(more, sizeof more, "-D%s -DITEMS=%d -DPOINTS=%d", name[function], (int)group[0], (int)group[1]);
      convk_cl_math_options_(call->cl, sizeof(CONVK_T), options, more);
      status = convk_cl_kernel_(call->cl, convk_cl_vmath_source_(), "vmath", options, NULL, &p);
    } while (!status && convk_cl_fewer_(p, &group[0]));
    if (status) return status;
    convk_cl_remember_(call->cl, number, p, group, 2);
  }
  args = convk_cl_args_of_(CONVK_OK, p);
  convk_cl_put_array_(&args, &x);
  convk_cl_put_array_(&args, &y);
  convk_cl_put_array_(&args, &z);
  convk_cl_put_size_(&args, n);
  return convk_cl_launch_(call, &args, convk_ceil_(n, p->choice[0] * p->choice[1]), p->choice[0], 1, 1);
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
/* ---- src/gaussian/opencl_launch.h ---- */
/* ---- Gaussians: tables and launches ---- */

/* Exponents and coefficients are on the host. */
CONVK_LOCAL_ int convk_gaussians_seen_(convk_cl_call_ *call, const convk_gridpot_job_ *job) {
  return convk_gridpot_numbers_(job->points.kernels, call->message, job);
}

/* A buffer of exponents in three rows, then SUMS coefficients of each of them. */
CONVK_RARE_ int convk_cl_gridpot_table_(convk_cl *cl, const convk_gridpot_job_ *job, size_t rows, cl_mem *mem) {
  const convk_gaussians *const g = &job->of;
  const size_t n = g->n, blocks = job->sum ? convk_ceil_(g->nsums, rows) : 0;
  cl_int error = CL_SUCCESS;
  CONVK_T *table, *to;
  size_t b, j, k, bytes = 0;
  if (blocks > (size_t)-1 / 64 || convk_mul_(n, 3 + blocks * rows, &bytes) || convk_mul_(bytes + 1, sizeof *table, &bytes))
    return convk_refuse_(cl->message, CONVK_ERR_OVERFLOW, "gaussians->n times gaussians->nsums is too large");
  table = (CONVK_T *)CONVK_MALLOC(bytes); /* a buffer has at least one element */
  if (!table) return CONVK_ERR_MEMORY;
  for (j = 0; j < n; j++)
    convk_gaussian_exponent_(1, (double)CONVK_ONE_(g->alpha + j), table + j, table + n + j, table + 2 * n + j);
  to = table + 3 * n;
  for (b = 0; b < blocks; b++)
    for (j = 0; j < n; j++)
      for (k = b * rows; k < (b + 1) * rows; k++) *to++ = k < g->nsums ? CONVK_ONE_(g->coefficients + k * g->ldc + j) : 0;
  *to = 0;
  *mem = clCreateBuffer(cl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, table, &error);
  CONVK_FREE(table);
  return convk_cl_status_(cl, "clCreateBuffer", error);
}

CONVK_LOCAL_ int convk_gridpot_start_(convk_cl_call_ *call, const convk_gridpot_job_ *job, const convk_cl_points *points,
                                      convk_cl_array out) {
  const size_t s = sizeof(CONVK_T), sums = job->sum ? convk_cl_sums_rows_(job->of.nsums) : 0;
  const int exponents = !job->sum && job->part.layout == CONVK_GRIDPOT_EXPONENTS_CONTIGUOUS;
  convk_cl_args_ args;
  cl_mem table = NULL;
  long choice[CONVK_TUNE_COUNT];
  size_t d;
  int status;
  convk_choice_(call->hw, job->sum ? "gridpot_sum" : "gridpot", s, points->n, job->of.n, job->sum ? job->of.nsums : 1, 1,
                choice);
  status = convk_cl_gridpot_table_(call->cl, job, sums, &table);
  if (status) return status;
  args = convk_cl_gridpot_program_(call->cl, s, sums, job->compensated, exponents, job->row, choice);
  convk_cl_put_points_(&args, points);
  for (d = 0; d < 3; d++) convk_cl_put_real_(&args, s, (double)job->center[d]);
  convk_cl_put_mem_(&args, table);
  convk_cl_put_size_(&args, job->of.n);
  convk_cl_put_real_(&args, s, (double)job->part.cut);
  if (job->sum) convk_cl_put_size_(&args, job->of.nsums);
  convk_cl_put_array_(&args, &out);
  convk_cl_put_size_(&args, job->ld);
  status = convk_cl_launch_lines_(call, &args, convk_ceil_(job->row, args.p->choice[0] * args.p->choice[1]), args.p->choice[0],
                                  convk_ceil_(job->rows, job->sum ? sums : args.p->choice[2]));
  (void)clReleaseMemObject(table); /* it stays as long as commands need it */
  return status;
}

/* A plan at `plan`, whose offset counts bytes. */
CONVK_LOCAL_ int convk_orbitals_start_(convk_cl_call_ *call, const convk_orbitals_job_ *job, const convk_cl_points *points,
                                       convk_cl_array plan, const convk_cl_array *out) {
  const convk_orbitals_head_ *const head = job->head;
  const size_t s = sizeof(CONVK_T), kinds = job->call.kinds, max_rows = convk_cl_sums_rows_(job->norbitals);
  const size_t rows = kinds > 1 && max_rows > 4 ? 4 : max_rows, blocks = convk_ceil_(job->norbitals, rows);
  convk_cl_args_ args;
  long choice[CONVK_TUNE_COUNT];
  size_t k;
  convk_choice_(call->hw, "orbitals", s, points->n, (size_t)head->functions, job->norbitals, 1, choice);
  args = convk_cl_orbitals_program_(call->cl, s, kinds, job->call.density, head->combined != 0, (size_t)head->max_l, rows,
                                    points->n, choice);
  convk_cl_put_points_(&args, points);
  convk_cl_put_mem_(&args, plan.mem);
  for (k = 0; k < CONVK_ORBITALS_MULADD_; k++) convk_cl_put_size_(&args, plan.offset + (size_t)head->at[k]);
  convk_cl_put_size_(&args, (size_t)head->ngroups);
  convk_cl_put_size_(&args, (size_t)head->primitives);
  convk_cl_put_size_(&args, (size_t)head->columns);
  convk_cl_put_real_(&args, s, (double)job->part.cut);
  convk_cl_put_real_(&args, s, (double)head->inverse);
  convk_cl_put_real_(&args, s, (double)head->least);
  convk_cl_put_size_(&args, job->norbitals);
  convk_cl_put_size_(&args, blocks);
  convk_cl_put_arrays_(&args, out, kinds);
  convk_cl_put_size_(&args, job->call.ld);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(points->n, args.p->choice[0] * args.p->choice[1]), args.p->choice[0],
                                job->call.density ? 1 : blocks);
}

/* ---- what gaussian/device.h leaves to a device ---- */

/* y and z begin so many elements after x. */
CONVK_LOCAL_ void convk_points_at_(cl_mem in, size_t first, size_t apart, convk_cl_points *points) {
  points->x = convk_cl_at_(in, first);
  points->y = convk_cl_at_(in, first + apart);
  points->z = convk_cl_at_(in, first + 2 * apart);
}

CONVK_LOCAL_ int convk_gridpot_device_(convk_cl_host_ *host, void *checked, size_t part, size_t ld,
                                       const convk_cl_points *points, const convk_cl_array *out) {
  convk_gridpot_job_ *const job = (convk_gridpot_job_ *)checked;
  convk_cl_call_ call = convk_cl_call_on_(host);
  int status;
  (void)part;
  convk_gridpot_part_(job, points->n, ld);
  status = convk_gridpot_start_(&call, job, points, out[0]);
  return convk_cl_call_end_(&call, status);
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
    convk_orbitals_fill_(set, 1, 1, &job->built, memory.base);
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
/* ---- src/grids/opencl_launch.h ---- */
/* ---- grids ---- */

/* What the host has made goes to the beginning of work memory, by way of a buffer of its own: nothing of the host is needed any
   more. */
CONVK_LOCAL_ int convk_grids_send_(convk_cl_call_ *call, convk_cl_array work, const void *data, size_t bytes) {
  cl_int error = CL_SUCCESS;
  cl_event next = NULL;
  cl_mem buffer =
      clCreateBuffer(call->cl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (void *)(uintptr_t)data, &error);
  if (error) return convk_cl_status_(call->cl, "clCreateBuffer", error);
  error = clEnqueueCopyBuffer(call->queue, buffer, work.mem, 0, work.offset, bytes, call->last ? 1 : call->num_wait,
                              call->last ? &call->last : call->wait, &next);
  (void)clReleaseMemObject(buffer);
  if (error) return convk_cl_status_(call->cl, "clEnqueueCopyBuffer", error);
  if (call->last) (void)clReleaseEvent(call->last);
  call->last = next;
  return CONVK_OK;
}

/* One of the kernels that make tables: `lines` of `count` items, or of groups of them. */
CONVK_LOCAL_ int convk_grids_make_(convk_cl_call_ *call, const CONVK_ARGUMENTS_(grids) * a, int which, cl_mem work,
                                   size_t count, size_t lines) {
  convk_cl_grids_shape_ shape = {1, 64, 1, 1, 1};
  convk_cl_args_ args;
  size_t local[2];
  if (call->cl->cpu && which == CONVK_CL_GRIDS_LISTS_) shape.items = 1;
  while (shape.items > call->cl->group_items || shape.items > call->cl->group_x) shape.items /= 2;
  args = convk_cl_grids_program_(call->cl, sizeof(CONVK_T), which, a->wave ? 2 : a->kinds > 1 ? 3 : 1, 0, &shape);
  convk_cl_put_(&args, sizeof *a, a);
  convk_cl_put_mem_(&args, work);
  if (which == CONVK_CL_GRIDS_LISTS_) return convk_cl_launch_lines_(call, &args, count, shape.items, lines);
  convk_cl_group_(call->cl, args.p, 64, 1, local);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(count, local[0]), local[0], lines);
}

/* Of a general cell there are no tables. */
CONVK_LOCAL_ int convk_cells_start_(convk_cl_call_ *call, CONVK_ARGUMENTS_(grids) * a, int density, cl_mem work,
                                    const convk_cl_array *out) {
  convk_cl_grids_shape_ shape = {16, 128, 1, 1, 128};
  convk_cl_args_ args;
  size_t k, blocks;
  if (call->cl->cpu) shape.items = 1, shape.points = 8, shape.queue = 16;
  while (shape.items > call->cl->group_items || shape.items > call->cl->group_x) shape.items /= 2;
  while (shape.queue > 16 && shape.queue * (68 + 2 * sizeof(CONVK_T)) > call->cl->local_bytes) shape.queue /= 2;
  if (shape.across > shape.items) shape.across = shape.items;
  shape.rows = a->wide;
  args = convk_cl_grids_program_(call->cl, sizeof(CONVK_T), CONVK_CL_GRIDS_CELL_, a->kinds, density != 0, &shape);
  a->strips_x = convk_ceil_((size_t)a->n[0], shape.across * shape.points);
  a->strips_y = convk_ceil_((size_t)a->n[1], shape.items / shape.across);
  blocks = density ? 1 : convk_ceil_((size_t)a->norbitals, a->wide);
  for (k = 0; k < 5; k++) a->out[k] = out[k].mem ? out[k].offset : 0;
  convk_cl_put_(&args, sizeof *a, a);
  convk_cl_put_mem_(&args, work);
  for (k = 0; k < 5; k++) convk_cl_put_mem_(&args, out[k].mem ? out[k].mem : work); /* what is not there is not used */
  return convk_cl_launch_lines_(call, &args, (size_t)a->strips_x * blocks, shape.items, (size_t)(a->strips_y * a->planes));
}

/* Makes tables, where `points` is not 0 but the most points of any, and then results; given->kinds: of tables; lot: most rows
   of results that go together; density: 2 with what derivatives give. */
CONVK_LOCAL_ int convk_grids_start_(convk_cl_call_ *call, const CONVK_ARGUMENTS_(grids) * arguments, size_t points, size_t lot,
                                    int density, convk_cl_array work, const convk_cl_array *out) {
  CONVK_ARGUMENTS_(grids) a = *arguments;
  convk_cl_grids_shape_ shape = convk_cl_grids_shape_of_(call->cl, (size_t)a.tile[0], density);
  const size_t tiles_y = (size_t)(a.tiles[1] * a.tiles[2]), kinds = a.kinds == 1 || density ? 1 : a.wave ? 2 : 5;
  convk_cl_args_ args;
  size_t parts = 1, k;
  int status = CONVK_OK;
  (void)lot;
  a.axes += work.offset;
  a.tables += work.offset;
  a.lots += work.offset;
  a.terms += work.offset;
  a.weights += work.offset;
  a.values += work.offset;
  a.lists += work.offset;
  a.counts += work.offset;
  a.cell += work.offset;
  a.used += work.offset;
  if (a.wide) return convk_cells_start_(call, &a, density, work.mem, out);
  if (points && a.groups) {
    status = convk_grids_make_(call, &a, CONVK_CL_GRIDS_TABLES_, work.mem, points, 3 * (size_t)a.groups);
    k = (size_t)(a.tiles[0] > a.tiles[1] ? a.tiles[0] : a.tiles[1]);
    if (k < a.tiles[2]) k = (size_t)a.tiles[2];
    if (!status) status = convk_grids_make_(call, &a, CONVK_CL_GRIDS_MAXIMA_, work.mem, k, 3 * (size_t)a.groups);
  }
  if (!status && points && a.listed)
    status = convk_grids_make_(call, &a, CONVK_CL_GRIDS_LISTS_, work.mem, (size_t)a.tiles[0], tiles_y);
  if (status) return status;
  args = convk_cl_grids_program_(call->cl, sizeof(CONVK_T), CONVK_CL_GRIDS_SUMS_, a.wave ? 2 : 1, density, &shape);
  if (density) parts = convk_ceil_((size_t)a.tile[1], shape.items / shape.across * shape.rows);
  a.strips_x = a.tiles[0] * convk_ceil_((size_t)a.tile[0], shape.across * shape.points);
  a.rows_y = convk_ceil_((size_t)a.tile[1], parts);
  a.strips_y = a.tiles[1] * parts;
  a.kinds = (uint32_t)kinds;
  for (k = 0; k < 5; k++) a.out[k] = out[k].mem ? out[k].offset : 0;
  convk_cl_put_(&args, sizeof a, &a);
  convk_cl_put_mem_(&args, work.mem);
  for (k = 0; k < 5; k++) convk_cl_put_mem_(&args, out[k].mem ? out[k].mem : work.mem); /* what is not there is not used */
  return convk_cl_launch_lines_(call, &args, (size_t)(a.strips_x * kinds * a.nlots), shape.items,
                                (size_t)(a.strips_y * a.planes));
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
/* ---- src/pairs/opencl_launch.h ---- */
/* A checked system; full: NULL, or its walkers. */
CONVK_LOCAL_ void convk_cl_pairs_begin_(const convk_pairs_terms_ *c, size_t n, const convk_pair_walkers *full,
                                        convk_cl_pair_ *job) {
  memset(job, 0, sizeof *job);
  /* from period to bump_scale the kernels have the same struct */
  memcpy(job->terms, (const char *)c + offsetof(convk_pairs_terms_, period), 25 * sizeof(CONVK_T));
  memcpy(job->args.p, c->p, sizeof c->p);
  job->args.shift = c->shift;
  job->args.hbar2_2m = c->hbar2_2m;
  job->args.first = c->first;
  job->args.per_spacing = c->per_spacing;
  memcpy(job->args.edge, c->edge, sizeof c->edge);
  job->args.n = (cl_uint)n;
  job->args.entries = (cl_uint)c->entries;
  job->args.periodic = (cl_uint)c->periodic;
  job->element = sizeof(CONVK_T);
  job->kind = c->kind;
  job->bump = c->bump;
  job->cut = c->counts;
  job->logarithm = c->p[2] > 0 || c->p[2] < 0;
  if (!full) return;
  job->walkers = full->walkers;
  job->args.pitch = full->pitch;
  job->args.stride = full->stride;
}

/* What pairs/device.h leaves to OpenCL, as CUDA has it in pairs/cuda_launch.h; all of it is checked. */

/* What its checks may look at. */
CONVK_LOCAL_ int convk_pairs_sees_(void) { return CONVK_PAIRS_TABLE_; }

/* Bytes of work: 256 more than the cut has, since that begins with a multiple of them. */
CONVK_LOCAL_ int convk_pairs_need_(const convk_cl *cl, char *message, size_t particles, size_t walkers, size_t *need) {
  size_t force, end;
  const int status = convk_cl_pairs_bound_(cl, sizeof(CONVK_T), particles, walkers, 0, &force, &end);
  if (status) return convk_refuse_(message, status, "particles times walkers is too large");
  *need = end * sizeof(cl_double) + 256;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_vmc_need_(const convk_cl *cl, char *message, const convk_vmc *vmc, size_t *need) {
  const size_t n = vmc->system.particles, walkers = convk_vmc_walkers_here_(vmc), element = sizeof(CONVK_T);
  const int all = vmc->moves == CONVK_VMC_MOVE_ALL, keep = all && vmc->drift;
  size_t force, end, more;
  int status = convk_cl_pairs_bound_(cl, element, n, walkers, keep, &force, &end);
  if (!status && (convk_mul_(walkers, 3 * n + 9, &more) || more > (size_t)-1 / 64)) status = CONVK_ERR_OVERFLOW;
  if (status) return convk_refuse_(message, status, "vmc->walkers times vmc->system.particles is too large");
  end += (keep ? force : 0) + (all ? convk_ceil_(3 * n * walkers * element, sizeof(cl_double)) : 0) + 9 * walkers;
  *need = end * sizeof(cl_double) + 256;
  return CONVK_OK;
}

/* A table of the host goes to the device: small, and with its call.  Kernels in flight keep it. */
CONVK_LOCAL_ int convk_pairs_table_begin_(convk_cl_call_ *call, const convk_pairs_terms_ *terms, cl_mem *table) {
  cl_int error = CL_SUCCESS;
  *table = NULL;
  if (terms->kind != CONVK_POTENTIAL_TABLE) return CONVK_OK;
  *table = clCreateBuffer(call->cl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, terms->entries * sizeof(cl_double),
                          (void *)(uintptr_t)terms->values, &error);
  if (!error) return CONVK_OK;
  *table = NULL;
  return convk_cl_status_(call->cl, "clCreateBuffer", error);
}
CONVK_LOCAL_ void convk_pairs_table_end_(cl_mem table) {
  if (table) (void)clReleaseMemObject(table);
}

CONVK_LOCAL_ int convk_pairs_values_start_(convk_cl_call_ *call, const convk_pairs_terms_ *terms, cl_mem table, size_t n,
                                           convk_cl_array r, convk_cl_array v) {
  convk_cl_pair_ job;
  convk_cl_pairs_begin_(terms, 0, NULL, &job);
  job.table = table;
  job.r = r;
  job.to = v;
  job.args.count = n;
  return convk_cl_pairs_values_(call, &job);
}

/* all: walkers of all parts, which decide on the order of sums. */
CONVK_LOCAL_ int convk_pairs_energy_start_(convk_cl_call_ *call, const convk_pairs_terms_ *terms, cl_mem table, int want,
                                           size_t n, const convk_pair_walkers *full, size_t all, convk_cl_array r,
                                           convk_cl_array result, convk_cl_array gradient, convk_cl_array work) {
  convk_cl_pairs_cut_ cut;
  convk_cl_pair_ job;
  const int status = convk_cl_pairs_cut_of_(call->cl, sizeof(CONVK_T), n, full->walkers, all, 0, &cut);
  if (status) return convk_refuse_(call->message, status, "system->particles times walkers->walkers is too large");
  convk_cl_pairs_move_(&cut, work.offset / sizeof(cl_double));
  convk_cl_pairs_begin_(terms, n, full, &job);
  job.table = table;
  job.r = r;
  job.gradient = gradient;
  job.result = convk_cl_at_(result.mem, result.offset * (sizeof(convk_pair_result) / sizeof(cl_double)));
  job.work = work.mem;
  return convk_cl_pairs_run_(call, &job, &cut, want, (size_t)-1);
}

CONVK_LOCAL_ int convk_pairs_move_start_(convk_cl_call_ *call, const convk_pairs_terms_ *terms, size_t n,
                                         const convk_pair_walkers *full, size_t particle, convk_cl_array r, convk_cl_array to,
                                         convk_cl_array result) {
  convk_cl_pair_ job;
  convk_cl_pairs_begin_(terms, n, full, &job);
  job.args.particle = (cl_uint)particle;
  job.r = r;
  job.to = to;
  job.result = convk_cl_at_(result.mem, result.offset * (sizeof(convk_pair_move_result) / sizeof(cl_double)));
  return convk_cl_pairs_step_(call, &job);
}

CONVK_LOCAL_ int convk_pairs_accept_start_(convk_cl_call_ *call, const convk_pairs_terms_ *terms, size_t n,
                                           const convk_pair_walkers *full, size_t particle, convk_cl_array to,
                                           convk_cl_array accept, convk_cl_array r, convk_cl_array gradient) {
  convk_cl_pair_ job;
  convk_cl_pairs_begin_(terms, n, full, &job);
  job.args.particle = (cl_uint)particle;
  job.args.chosen = accept.mem != NULL;
  job.args.gradients = gradient.mem != NULL;
  job.r = r;
  job.to = to;
  job.accept = accept;
  job.gradient = gradient;
  return convk_cl_pairs_step_(call, &job);
}

CONVK_LOCAL_ int convk_vmc_start_(convk_cl_call_ *call, const convk_pairs_terms_ *terms, cl_mem table, const convk_vmc *vmc,
                                  const convk_vmc_sweeps *sweeps, const convk_vmc_walkers_resident *walkers,
                                  convk_cl_array work) {
  const convk_pair_walkers all = convk_walkers_packed_(convk_vmc_walkers_here_(vmc), vmc->system.particles);
  convk_cl_vmc_cut_ cut;
  convk_cl_vmc_ job;
  const int status = convk_cl_vmc_cut_of_(call->cl, sizeof(CONVK_T), vmc, work.offset / sizeof(cl_double), &cut);
  if (status) return convk_refuse_(call->message, status, "vmc->walkers times vmc->system.particles is too large");
  memset(&job, 0, sizeof job);
  convk_cl_pairs_begin_(terms, vmc->system.particles, &all, &job.pair);
  memcpy(job.pair.args.box, vmc->system.box, sizeof job.pair.args.box);
  job.vmc = vmc;
  job.pair.table = table;
  job.pair.r = walkers->r;
  job.pair.result = convk_cl_at_(walkers->result.mem, walkers->result.offset * (sizeof(convk_pair_result) / sizeof(cl_double)));
  job.pair.work = work.mem;
  job.pair.args.sweep = sweeps->first;
  job.pair.args.step = sweeps->step;
  job.pair.args.seed = vmc->seed;
  job.pair.args.first_walker = (cl_uint)vmc->part.first;
  job.pair.ln_psi = walkers->ln_psi;
  job.pair.accepted = walkers->accepted;
  job.pair.drift = walkers->drift;
  job.count = sweeps->count;
  job.anew = sweeps->anew != 0;
  job.unset = sweeps->anew == 1;
  return convk_cl_vmc_run_(call, &job, &cut);
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
/* ---- distances on a device: sums over histograms go to the portable kernels of the processor that calls; there are no others
   ---- */

CONVK_LOCAL_ const convk_distances_kernels_ *convk_distances_kernel_table_(void) {
  static const convk_distances_kernels_ kernels = {
      {NULL, NULL, CONVK_EITHER_(convk_distances_waves_any_f32_scalar_, convk_distances_waves_any_f64_scalar_)}};
  return &kernels;
}

/* For a handle of the device: convk_debye as in convk.h; the others give UNSUPPORTED. */
CONVK_DISTANCES_OPERATIONS_(CONVK_OP_VARIANT_)
#endif
CONVK_COMPILED_ROOMS_(CONVK_ROOM_DEVICE_BINDER_)
#undef CONVK_HW_
#undef CONVK_KERNEL_
#endif
#endif
#undef CONVK_CL_PASS_
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
#undef convk_box_copy_resident
#undef convk_chebyshev3d_complex_device
#undef convk_chebyshev3d_complex_resident
#undef convk_chebyshev3d_device
#undef convk_chebyshev3d_resident
#undef convk_chebyshev3d_work_size_complex_resident
#undef convk_chebyshev3d_work_size_resident
#undef convk_cl_hamiltonian_terms
#undef convk_cl_sepconv_epilogue
#undef convk_cl_sumconv_terms
#undef convk_conv1d_transpose_device
#undef convk_conv1d_transpose_resident
#undef convk_conv1d_transpose_work_size_resident
#undef convk_density_grid_k_resident
#undef convk_density_grid_resident
#undef convk_density_resident
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
#endif /* CONVK_CL_H_ or a pass */
