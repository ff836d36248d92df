#if CONVK_HAS_FFT_
/* convk_fftconv2d on device arrays, per type (f32, f64; c32 and c64 as arrays of twice as many reals).
   plan     in host memory
   there    a copy of it in device memory, at a multiple of 16 bytes: cuda_fftconv2d_plan_size bytes from the plan's beginning,
            which do not change until the call is done
   batch    host memory; batch->kernel device memory that is not looked at: the caller answers for its being below the plan's
            number of kernels
   in, out  device memory at a multiple of their type's real size
   work     device memory, cuda_fftconv2d_work_size bytes
   One kernel for the batch, or three for as many items as fit into work.  Arguments, results and status codes are otherwise
   those of convk_fftconv2d, with CONVK_ERR_DEVICE. */
CONVK_API_ int convk_cuda_fftconv2d(const void *plan, const void *there, const convk_batch2d *batch, const CONVK_T *in,
                                    CONVK_T *out, void *work, size_t work_size, cudaStream_t stream);
CONVK_API_ int convk_cuda_fftconv2d_complex(const void *plan, const void *there, const convk_batch2d *batch, const CONVK_T *in,
                                            CONVK_T *out, void *work, size_t work_size, cudaStream_t stream);

/* Bytes of a plan to copy to the device: less than were needed for making it; 0: no such plan. */
CONVK_API_ size_t convk_cuda_fftconv2d_plan_size(const void *plan);
CONVK_API_ size_t convk_cuda_fftconv2d_plan_size_complex(const void *plan);
CONVK_API_ size_t convk_cuda_fft2d_plan_size_complex(const void *plan);

/* Bytes of device memory on the current device: 0, and work may be NULL, where an item fits into the shared memory of a block
   (227 KB: 128 x 128 points of any type where the field or the result has at most half as many columns; of fft2d all columns
   count), else 64 MB or one item's columns, if larger; (size_t)-1: no such plan, or no device. */
CONVK_API_ size_t convk_cuda_fftconv2d_work_size(const void *plan, size_t items);
CONVK_API_ size_t convk_cuda_fftconv2d_work_size_complex(const void *plan, size_t items);
CONVK_API_ size_t convk_cuda_fft2d_work_size_complex(const void *plan, size_t items);

/* convk_fft2d on device arrays: everything else as cuda_fftconv2d, but two kernels where an item does not fit. */
CONVK_API_ int convk_cuda_fft2d_complex(const void *plan, const void *there, int direction, const convk_batch2d *batch,
                                        const CONVK_T *in, CONVK_T *out, void *work, size_t work_size, cudaStream_t stream);
#endif
