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

#include "wavelets/segments_device_api.h"
