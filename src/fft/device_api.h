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
