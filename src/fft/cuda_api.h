CONVK_API_ size_t CONVK_TYPED_(cuda_fftconv2d_plan_size)(const void *plan);
CONVK_API_ size_t CONVK_COMPLEX_(cuda_fftconv2d_plan_size)(const void *plan);
CONVK_API_ size_t CONVK_COMPLEX_(cuda_fft2d_plan_size)(const void *plan);
CONVK_API_ size_t CONVK_TYPED_(cuda_fftconv2d_work_size)(const void *plan, size_t items);
CONVK_API_ size_t CONVK_COMPLEX_(cuda_fftconv2d_work_size)(const void *plan, size_t items);
CONVK_API_ size_t CONVK_COMPLEX_(cuda_fft2d_work_size)(const void *plan, size_t items);
CONVK_API_ int CONVK_TYPED_(cuda_fftconv2d)(const void *plan, const void *there, const convk_batch2d *batch,
    const CONVK_T *in, CONVK_T *out, void *work, size_t work_size, cudaStream_t stream);
CONVK_API_ int CONVK_COMPLEX_(cuda_fftconv2d)(const void *plan, const void *there, const convk_batch2d *batch,
    const CONVK_T *in, CONVK_T *out, void *work, size_t work_size, cudaStream_t stream);
CONVK_API_ int CONVK_COMPLEX_(cuda_fft2d)(const void *plan, const void *there, int direction,
    const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out, void *work, size_t work_size, cudaStream_t stream);
