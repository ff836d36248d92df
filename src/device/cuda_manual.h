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
