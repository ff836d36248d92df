#if CONVK_HAS_SEPCONV_
/* Bytes of device memory that cuda_sepconv3d needs; 0 when the arguments are wrong.  Of the filters only the number of taps
   counts, of the epilogue which of its pointers are set (the places of sums may be any non-NULL pointer).  Without sums:
   one array of mx my in.nz elements; with sums one more of the size of the output, which is used where the epilogue
   updates or `out` is NULL. */
CONVK_API_ size_t convk_cuda_sepconv3d_work_size(const convk_grid3 *in_grid, const convk_filter filter[3],
                                                 const int boundary[3], const convk_sepconv_epilogue *epilogue);

/* convk_sepconv3d on device arrays.  `in`, `out`, `potential`, `density`, `psi`, `work` and the places of dot and energy are
   device memory here and below; all else is host memory and free again on return.  Nothing is allocated, copied or waited for,
   and results are there when `stream` has come past the call.  Shapes, layouts, aliasing and status codes are those of the
   function of the same name in convk.h; work may not be NULL (CONVK_ERR_NULL), and CONVK_ERR_DEVICE is a failed launch.
   Two kernels, two more for sums.  In place: no. */
CONVK_API_ int convk_cuda_sepconv3d(const convk_grid3 *in_grid, const convk_grid3 *out_grid, const convk_filter filter[3],
                                    const int boundary[3], const convk_sepconv_epilogue *epilogue, const CONVK_T *in,
                                    CONVK_T *out, void *work, size_t work_size, cudaStream_t stream);

/* convk_magicfilter3d on device arrays, and bytes of device memory for it: everything else as cuda_sepconv3d. */
CONVK_API_ size_t convk_cuda_magicfilter3d_work_size(const convk_grid3 *in_grid, int direction, const int boundary[3],
                                                     const convk_sepconv_epilogue *epilogue);
CONVK_API_ int convk_cuda_magicfilter3d(const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction,
                                        const int boundary[3], const convk_sepconv_epilogue *epilogue, const CONVK_T *in,
                                        CONVK_T *out, void *work, size_t work_size, cudaStream_t stream);

/* Bytes of device memory for cuda_potential_apply; with_energy: whether the energy is asked for. */
CONVK_API_ size_t convk_cuda_potential_apply_work_size(const convk_grid3 *grid, const convk_grid3 *potential_grid,
                                                       const int boundary[3], int with_energy);

/* convk_potential_apply on device arrays: out = IMF(V MF(psi)); *energy = <psi|V|psi> unless energy is NULL.  In place: yes,
   out may be psi. */
CONVK_API_ int convk_cuda_potential_apply(const convk_grid3 *grid, const convk_grid3 *potential_grid, const int boundary[3],
                                          const CONVK_T *potential, const CONVK_T *psi, CONVK_T *out, double *energy,
                                          void *work, size_t work_size, cudaStream_t stream);

/* convk_conv1d_transpose on device arrays.  One kernel; no work.  In place: no. */
CONVK_API_ int convk_cuda_conv1d_transpose(size_t n, size_t ndat, size_t ld_in, size_t ld_out, const convk_filter *filter,
                                           int boundary, const CONVK_T *in, CONVK_T *out, cudaStream_t stream);
#endif
