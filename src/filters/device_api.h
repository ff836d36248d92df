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
