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
