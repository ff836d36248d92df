#if CONVK_HAS_SEPCONV_
/* As convk_sepconv_epilogue_f64, on buffers; offsets in elements.  `dot` and `energy` take one double, at an offset in doubles.
   No sum waits: it is there when the call's event is complete. */
typedef struct convk_cl_sepconv_epilogue {
  cl_mem potential, density, dot, energy;
  size_t potential_offset, density_offset, dot_offset, energy_offset;
  CONVK_T density_factor;
  int update;
  CONVK_T a, b;
} convk_cl_sepconv_epilogue;

/* Bytes of work for a device-resident sepconv3d; 0 when the arguments are wrong.  Of the epilogue (may be NULL) only counts
   whether there are sums, of the filters only the number of taps.  Any device, never blocks. */
CONVK_API_ size_t convk_cl_sepconv3d_work_size(const convk_grid3 *in_grid, const convk_filter filter[3], const int boundary[3],
                                               const convk_cl_sepconv_epilogue *epilogue);
CONVK_API_ size_t convk_cl_magicfilter3d_work_size(const convk_grid3 *in_grid, const int boundary[3],
                                                   const convk_cl_sepconv_epilogue *epilogue);

/* convk_sepconv3d on buffers of cl's context: same shapes, filters (on the host, needed only during the call), boundaries.
   in, out   buffers with their first elements at in_offset, out_offset (elements); out may be NULL as in convk_sepconv3d
   work      a buffer of cl_sepconv3d_work_size bytes, this call's alone until its event
   num_wait, wait_list, event   as in OpenCL; the queue may be out of order
   In place: no.  Ranges of one buffer must not overlap where one is written; overlapping sub-buffers are not found out.
   Never waits for the device; taps and boundaries that are new to cl build programs on the host first.
   Errors, before anything is enqueued: those of convk_sepconv3d for shapes; SIZE also where a buffer is too small, WORK where
   work is, OVERLAP, FP64 (f64, and sums), HANDLE, MEMORY, BUILD (see convk_cl_build_log), DEVICE (see cl->message).
   UNSUPPORTED: too little local memory.  After DEVICE, MEMORY or BUILD some kernels may be on their way; *event is not set. */
CONVK_API_ int convk_cl_sepconv3d(convk_cl *cl, cl_command_queue queue, const convk_grid3 *in_grid, const convk_grid3 *out_grid,
                                  const convk_filter filter[3], const int boundary[3],
                                  const convk_cl_sepconv_epilogue *epilogue, cl_mem in, size_t in_offset, cl_mem out,
                                  size_t out_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event);

/* convk_magicfilter3d on buffers; everything else, and what never blocks, as cl_sepconv3d.  CONVK_ERR_OPTION for an unknown
   direction.  Work: cl_magicfilter3d_work_size. */
CONVK_API_ int convk_cl_magicfilter3d(convk_cl *cl, cl_command_queue queue, const convk_grid3 *in_grid,
                                      const convk_grid3 *out_grid, int direction, const int boundary[3],
                                      const convk_cl_sepconv_epilogue *epilogue, cl_mem in, size_t in_offset, cl_mem out,
                                      size_t out_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list,
                                      cl_event *event);

/* Bytes of work for a device-resident potential_apply, `energy`: whether the energy is asked for; 0: wrong arguments. */
CONVK_API_ size_t convk_cl_potential_apply_work_size(const convk_grid3 *grid, const convk_grid3 *potential_grid,
                                                     const int boundary[3], int energy);

/* convk_potential_apply on buffers; energy (one double at energy_offset, in doubles) may be NULL.  In place: yes, out may be
   psi with the same offset.  Work: cl_potential_apply_work_size.  Everything else, and what never blocks, as cl_sepconv3d. */
CONVK_API_ int convk_cl_potential_apply(convk_cl *cl, cl_command_queue queue, const convk_grid3 *grid,
                                        const convk_grid3 *potential_grid, const int boundary[3], cl_mem potential,
                                        size_t potential_offset, cl_mem psi, size_t psi_offset, cl_mem out, size_t out_offset,
                                        cl_mem energy, size_t energy_offset, cl_mem work, cl_uint num_wait,
                                        const cl_event *wait_list, cl_event *event);

/* convk_conv1d_transpose on buffers, without work.  In place: no.  Everything else, and what never blocks, as cl_sepconv3d. */
CONVK_API_ int convk_cl_conv1d_transpose(convk_cl *cl, cl_command_queue queue, size_t n, size_t ndat, size_t ld_in,
                                         size_t ld_out, const convk_filter *filter, int boundary, cl_mem in, size_t in_offset,
                                         cl_mem out, size_t out_offset, cl_uint num_wait, const cl_event *wait_list,
                                         cl_event *event);
#endif
